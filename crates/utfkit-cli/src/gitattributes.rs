//! A parser of gitattributes(5).

use std::collections::HashMap;
use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The limit of nested macros.
const DEPTH: usize = 8;

/// A file of attributes.
#[derive(Debug)]
pub(crate) struct Attributes {
    globs: GlobSet,
    /// One for each glob, in the same order.
    lines: Vec<Line>,
    macros: HashMap<String, Vec<Assignment>>,
}

#[derive(Debug)]
struct Line {
    /// The pattern matches every file.
    all: bool,
    assignments: Vec<Assignment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Assignment {
    name: String,
    state: State,
}

/// The state of an attribute for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Set,
    Unset,
    Unspecified,
    Value(String),
}

/// The attributes of one file.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    states: HashMap<String, State>,
    /// `text` is unset, by a line whose pattern does not match every file.
    binary: bool,
}

impl Settings {
    /// The value of an attribute, if it has one.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        match self.states.get(name) {
            Some(State::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// True for `text` and `text=auto`, false for `-text`.
    pub(crate) fn text(&self) -> Option<bool> {
        match self.states.get("text")? {
            State::Set => Some(true),
            State::Value(value) => (value == "auto").then_some(true),
            State::Unset => Some(false),
            State::Unspecified => None,
        }
    }

    /// True if `binary` or `-text` says that the file is not text. `-text` for all
    /// files only turns the conversion of line ends off.
    pub(crate) fn is_binary(&self) -> bool {
        self.binary
    }

    fn assign(&mut self, assignment: &Assignment, all: bool, macros: &[&Attributes], depth: usize) {
        let Assignment { name, state } = assignment;
        if name == "text" {
            self.binary = *state == State::Unset && !all;
        }
        self.states.insert(name.clone(), state.clone());
        if *state != State::Set || depth == DEPTH {
            return;
        }
        if name == "binary" {
            // The built-in macro: -diff -merge -text.
            self.binary = true;
            self.states.insert("text".to_owned(), State::Unset);
        }
        for assignment in macros.iter().rev().find_map(|file| file.macros.get(name)).into_iter().flatten() {
            self.assign(assignment, all, macros, depth + 1);
        }
    }
}

impl Attributes {
    /// Ignores lines that it does not understand, as git does.
    pub(crate) fn new(text: &[u8]) -> Attributes {
        let (mut globs, mut lines, mut macros) = (GlobSetBuilder::new(), Vec::new(), HashMap::new());
        for line in String::from_utf8_lossy(text).lines() {
            let line = line.trim_start_matches([' ', '\t']);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((pattern, rest)) = pattern(line) else { continue };
            let assignments = rest.split_ascii_whitespace().filter_map(assignment).collect();
            if let Some(name) = pattern.strip_prefix("[attr]") {
                macros.insert(name.to_owned(), assignments);
            } else if let Some(glob) = glob(&pattern) {
                globs.add(glob);
                lines.push(Line { all: matches!(pattern.as_str(), "*" | "**" | "/**"), assignments });
            }
        }
        // Each glob was compiled before, so this does not fail.
        Attributes { globs: globs.build().unwrap_or_default(), lines, macros }
    }

    /// Applies this file to `path`, which is relative to its folder. `macros` are the
    /// files that may define macros.
    pub(crate) fn apply(&self, path: &Path, macros: &[&Attributes], settings: &mut Settings) {
        for at in self.globs.matches(path) {
            let Some(Line { all, assignments }) = self.lines.get(at) else { continue };
            for assignment in assignments {
                settings.assign(assignment, *all, macros, 0);
            }
        }
    }
}

/// The pattern of a line, without quotes, and the rest of the line.
fn pattern(line: &str) -> Option<(String, &str)> {
    let Some(quoted) = line.strip_prefix('"') else {
        let (pattern, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        return Some((pattern.to_owned(), rest));
    };
    let mut pattern = Vec::new();
    let mut bytes = quoted.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some((String::from_utf8(pattern).ok()?, &quoted[at + 1..])),
            b'\\' => pattern.push(match bytes.next()?.1 {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                // A byte in three octal digits.
                _ if let Some(byte) =
                    quoted.get(at + 1..at + 4).and_then(|digits| u8::from_str_radix(digits, 8).ok()) =>
                {
                    bytes.nth(1);
                    byte
                }
                byte => byte,
            }),
            byte => pattern.push(byte),
        }
    }
    None
}

/// The classes of characters that a pattern can name.
const CLASSES: [(&str, &str); 8] = [
    ("[:alnum:]", "0-9A-Za-z"),
    ("[:alpha:]", "A-Za-z"),
    ("[:blank:]", " \t"),
    ("[:digit:]", "0-9"),
    ("[:lower:]", "a-z"),
    ("[:space:]", " \t-\r"),
    ("[:upper:]", "A-Z"),
    ("[:xdigit:]", "0-9A-Fa-f"),
];

/// A pattern as in .gitignore. One that ends with a slash or begins with an
/// exclamation mark matches no file.
fn glob(pattern: &str) -> Option<globset::Glob> {
    if pattern.ends_with('/') || pattern.starts_with('!') {
        return None;
    }
    // Git has no alternatives in braces, and globset no classes with names.
    let mut literal = pattern.replace('{', "[{]").replace('}', "[}]");
    for (name, characters) in CLASSES {
        literal = literal.replace(name, characters);
    }
    let glob = match literal.strip_prefix('/') {
        Some(below) => below.to_owned(),
        None if literal.contains('/') => literal,
        None => format!("**/{literal}"),
    };
    GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build().ok()
}

/// `name`, `-name`, `!name` or `name=value`.
fn assignment(word: &str) -> Option<Assignment> {
    let (name, state) = match word.split_once('=') {
        Some((name, value)) => (name, State::Value(value.to_owned())),
        None => match (word.strip_prefix('-'), word.strip_prefix('!')) {
            (Some(name), _) => (name, State::Unset),
            (_, Some(name)) => (name, State::Unspecified),
            _ => (word, State::Set),
        },
    };
    (!name.is_empty()).then(|| Assignment { name: name.to_owned(), state })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str, path: &str) -> Settings {
        let attributes = Attributes::new(text.as_bytes());
        let mut settings = Settings::default();
        attributes.apply(Path::new(path), &[&attributes], &mut settings);
        settings
    }

    #[test]
    fn patterns_are_those_of_git() {
        for (pattern, path, matches) in [
            ("*.txt", "a.txt", true),
            (r#""\303\266l.txt""#, "öl.txt", true),
            (r#""a\040b.txt""#, "a b.txt", true),
            ("[[:upper:]][[:digit:]].c", "Q7.c", true),
            ("[[:upper:]].c", "q.c", false),
            ("[[:alpha:]_]*.c", "_x.c", true),
            ("*.txt", "a/b.txt", true),
            ("/*.txt", "a/b.txt", false),
            ("a/*.txt", "a/b.txt", true),
            ("a/*.txt", "a/c/b.txt", false),
            ("a/**", "a/c/b.txt", true),
            ("**/c/*", "a/c/b.txt", true),
            ("c/b.txt", "a/c/b.txt", false),
            ("a/", "a/b.txt", false),
            ("{a,b}.txt", "a.txt", false),
            ("\"two words.txt\"", "two words.txt", true),
            ("[ab].txt", "b.txt", true),
        ] {
            let settings = settings(&format!("{pattern} eol=lf"), path);
            assert_eq!(settings.value("eol") == Some("lf"), matches, "{pattern} {path}");
        }
    }

    #[test]
    fn the_last_line_wins_for_each_attribute_alone() {
        let text = "# eol=cr\n* eol=lf working-tree-encoding=UTF-16\n*.txt eol=crlf\na.txt !working-tree-encoding\n";
        assert_eq!(settings(text, "b.txt").value("eol"), Some("crlf"));
        assert_eq!(settings(text, "b.txt").value("working-tree-encoding"), Some("UTF-16"));
        assert_eq!(settings(text, "a.txt").value("working-tree-encoding"), None);
    }

    #[test]
    fn binary_is_a_macro_and_others_can_be_defined() {
        for (text, binary) in [
            ("*.x binary", true),
            ("*.x -text", true),
            ("*.x binary\n*.x text", false),
            ("*.x binary\n*.x !text", false),
            ("*.x -diff", false),
            ("* -text", false),
            ("* binary", true),
            ("[attr]blob binary\n*.x blob", true),
            ("[attr]a b\n[attr]b a\n*.x a", false),
        ] {
            assert_eq!(settings(text, "a.x").is_binary(), binary, "{text}");
        }
    }

    /// Compares with git.
    #[test]
    fn git_agrees() {
        let place = tempfile::tempdir().unwrap();
        let git = |args: &[&str]| std::process::Command::new("git").args(args).current_dir(&place).output();
        if !git(&["init", "-q"]).is_ok_and(|output| output.status.success()) {
            println!("skipped: there is no git");
            return;
        }
        let text = "*.txt text eol=lf\na/*.txt eol=crlf\n/b/**/*.txt eol=x1\nb/**/c.txt eol=x2\n**/d/*.txt eol=x3\n\
                    \"sp ace.txt\" eol=x4\n*.t?t eol=x5\n[a-c].md eol=x6\n\\!x.md eol=x7\nd eol=x8\n{e}.md eol=x9\n";
        std::fs::write(place.path().join(".gitattributes"), text).unwrap();
        let paths = [
            "q.txt",
            "a/q.txt",
            "a/b/q.txt",
            "b/q.txt",
            "b/x/q.txt",
            "b/x/y/c.txt",
            "d/q.txt",
            "x/d/q.txt",
            "sp ace.txt",
            "b.md",
            "x/c.md",
            "z.md",
            "!x.md",
            "d",
            "x/d",
            "{e}.md",
            "e.md",
        ];
        for path in paths {
            let output = git(&["check-attr", "eol", "--", path]).unwrap().stdout;
            let theirs = String::from_utf8(output).unwrap();
            let theirs = theirs.trim_end().rsplit(": ").next().unwrap().to_owned();
            let ours = settings(text, path);
            assert_eq!(ours.value("eol").unwrap_or("unspecified"), theirs, "{path}");
        }
    }
}
