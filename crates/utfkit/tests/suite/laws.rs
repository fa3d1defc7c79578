//! Checks the rules of ARCHITECTURE.md ("How things meet") against the imports in the sources of
//! the library's crates. Tests in the sources may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Known violations, as reported; these imports are ignored in the search for circles. A
/// violation that no longer exists fails the test, so that it is removed here.
const KNOWN: &[&str] = &[];

/// The crate of the scalar codecs. Its files are read with those of the codec, as a folder of
/// this name.
const FORMS: &str = "utfkit_forms";

/// A source file. Its name is the path below `src` without `.rs` and `/mod`.
struct File {
    tokens: Vec<String>,
    /// Names in scope by `use`, with their paths.
    names: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// All absolute paths of at least two segments.
    paths: Vec<Vec<String>>,
}

type Crate = BTreeMap<String, File>;

/// The importing file, the defining file, and the name.
type Import = (String, String, String);

/// Identifiers, `::`, and other characters one by one. Comments and literals are skipped.
fn tokens(source: &str) -> Vec<String> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        let raw = rest.trim_start_matches('b');
        let hashes = raw.strip_prefix('r').map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        let identifier = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if raw.starts_with('r') && raw[1 + hashes..].starts_with('"') && identifier <= 2 {
            let before = rest.len() - raw.len() + hashes + 2;
            let end = format!("\"{}", "#".repeat(hashes));
            before + rest[before..].find(&end).expect("a raw string ends") + end.len()
        } else if rest.starts_with('"') {
            let mut len = 1;
            while bytes[at + len] != b'"' {
                len += if bytes[at + len] == b'\\' { 2 } else { 1 };
            }
            len + 1
        } else if rest.starts_with("'\\") {
            3 + rest[3..].find('\'').expect("a character ends") + 1
        } else if rest.starts_with('\'') {
            // A character literal or a lifetime.
            let mut characters = rest.char_indices().skip(2);
            characters.next().filter(|(_, c)| *c == '\'').map_or(1, |(end, _)| end + 1)
        } else if identifier > 0 {
            tokens.push(rest[..identifier].to_owned());
            identifier
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            let c = rest.chars().next().expect("there is one");
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            c.len_utf8()
        };
    }
    tokens
}

/// The end of the item at `at`: after its `;` or its braces.
fn end_of_item(tokens: &[String], at: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(token.as_str(), ";" | "}") {
            return i + 1;
        }
    }
    tokens.len()
}

/// Removes items under `cfg(test)`; returns the names of modules among them.
fn without_tests(all: Vec<String>) -> (Vec<String>, Vec<String>) {
    let (mut tokens, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < all.len() {
        if all[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"].map(str::to_owned)) {
            let end = end_of_item(&all, at + 7);
            if let Some(name) = all[at + 7..end].iter().position(|token| token == "mod") {
                modules.push(all[at + 7 + name + 1].clone());
            }
            at = end;
        } else {
            tokens.push(all[at].clone());
            at += 1;
        }
    }
    (tokens, modules)
}

/// Resolves `path` in the module `file`, `inline` modules deep, from the root of the crate.
fn absolute(file: &str, inline: usize, path: &[String]) -> Vec<String> {
    let mut module: Vec<String> = file.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let mut inline = inline;
    let mut path = path;
    if path[0] == "crate" {
        module.clear();
        path = &path[1..];
    } else if path[0] == FORMS {
        return path.to_vec();
    }
    while let [first, rest @ ..] = path
        && (first == "super" || first == "self")
    {
        if first == "super" && inline > 0 {
            inline -= 1;
        } else if first == "super" {
            module.pop();
        }
        path = rest;
    }
    module.extend_from_slice(path);
    module
}

impl File {
    fn new(name: &str, tokens: Vec<String>) -> File {
        let mut file = File { names: BTreeMap::new(), globs: Vec::new(), paths: Vec::new(), tokens };
        let mut inline = Vec::new();
        let mut depth = 0;
        let mut at = 0;
        let tokens = std::mem::take(&mut file.tokens);
        while at < tokens.len() {
            match tokens[at].as_str() {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    inline.pop_if(|opened| *opened == depth);
                }
                "mod" if tokens.get(at + 2).is_some_and(|token| token == "{") => inline.push(depth),
                // A visibility is not an import.
                "pub" if tokens[at + 1..].starts_with(&["(", "in"].map(str::to_owned)) => {
                    at += tokens[at..].iter().position(|token| token == ")").expect("it ends") + 1;
                    continue;
                }
                "use" => {
                    let end = at + tokens[at..].iter().position(|token| token == ";").expect("it ends") + 1;
                    let public = at > 0 && matches!(tokens[at - 1].as_str(), "pub" | ")");
                    file.imports(name, inline.len(), public, &[], &tokens[at + 1..end - 1]);
                    at = end;
                    continue;
                }
                _ => {}
            }
            let mut end = at + 1;
            while end + 1 < tokens.len() && tokens[end] == "::" && tokens[end + 1] != "<" {
                end += 2;
            }
            let starts = tokens[at].starts_with(|c: char| c.is_alphabetic() || c == '_');
            if starts && end > at + 1 {
                let path: Vec<String> = tokens[at..end].iter().filter(|token| *token != "::").cloned().collect();
                file.paths.push(absolute(name, inline.len(), &path));
            }
            at = end;
        }
        file.tokens = tokens;
        file
    }

    /// Adds the leaves of a `use` tree below `prefix`.
    fn imports(&mut self, file: &str, inline: usize, public: bool, prefix: &[String], tree: &[String]) {
        let mut path = prefix.to_vec();
        let mut at = 0;
        let mut alias = None;
        while at < tree.len() {
            match tree[at].as_str() {
                "{" => {
                    let mut depth = 0;
                    let mut from = at + 1;
                    for i in at..tree.len() {
                        depth += match tree[i].as_str() {
                            "{" => 1,
                            "}" => -1,
                            _ => 0,
                        };
                        if (depth == 1 && tree[i] == ",") || depth == 0 {
                            if from < i {
                                self.imports(file, inline, public, &path, &tree[from..i]);
                            }
                            from = i + 1;
                        }
                    }
                    return;
                }
                "::" => {}
                "as" => {
                    alias = Some(tree[at + 1].clone());
                    at += 1;
                }
                segment => path.push(segment.to_owned()),
            }
            at += 1;
        }
        let mut path = absolute(file, inline, &path);
        match path.last().map(String::as_str) {
            Some("*") => {
                path.pop();
                self.globs.push(path.clone());
            }
            Some(last) => {
                let last = last.to_owned();
                if last == "self" {
                    path.pop();
                }
                let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
                self.names.insert(name, path.clone());
            }
            None => {}
        }
        if !public {
            self.paths.push(path);
        }
    }

    fn defines(&self, name: &str) -> bool {
        let keywords = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod"];
        self.tokens.windows(2).any(|pair| pair[1] == name && keywords.contains(&pair[0].as_str()))
            || self.tokens.windows(3).any(|three| three[0] == "macro_rules" && three[2] == name)
    }
}

/// Reads the sources of a crate.
fn read(name: &str) -> Crate {
    fn list(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the sources are beside the tests") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                list(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let mut paths = Vec::new();
    list(&root, &mut paths);
    let mut sources = BTreeMap::new();
    let mut tests = BTreeSet::new();
    for path in paths {
        let below = path.strip_prefix(&root).expect("it is below").with_extension("");
        let name: Vec<&str> = below.iter().map(|part| part.to_str().expect("names are ASCII")).collect();
        let name: Vec<&str> = name.into_iter().filter(|part| !matches!(*part, "mod" | "lib")).collect();
        let name = name.join("/");
        let (tokens, modules) = without_tests(tokens(&std::fs::read_to_string(&path).expect("it can be read")));
        tests.extend(modules.iter().map(|module| format!("{name}/{module}").trim_start_matches('/').to_owned()));
        sources.insert(name, tokens);
    }
    sources.retain(|name, _| !tests.contains(name));
    sources.into_iter().map(|(name, tokens)| (name.clone(), File::new(&name, tokens))).collect()
}

/// The sources of the codec, with those of the scalar codecs below [`FORMS`].
fn codec_and_forms() -> Crate {
    let below = |path: &str| if path.is_empty() { FORMS.to_owned() } else { format!("{FORMS}/{path}") };
    let moved = |path: &Vec<String>| [&[FORMS.to_owned()], path.as_slice()].concat();
    let forms = read("utfkit-forms").into_iter().map(|(name, file)| {
        let names = file.names.iter().map(|(name, path)| (name.clone(), moved(path))).collect();
        let (globs, paths) = (file.globs.iter().map(moved).collect(), file.paths.iter().map(moved).collect());
        (below(&name), File { names, globs, paths, tokens: file.tokens })
    });
    forms.chain(read("utfkit-core")).collect()
}

/// The file that defines the last name of the absolute `path`, and that name; `None` if it is in
/// another crate or not a path of modules.
fn resolve(files: &Crate, path: &[String], steps: usize) -> Option<(String, String)> {
    let mut file = String::new();
    for (i, name) in path.iter().enumerate() {
        let below = if file.is_empty() { name.clone() } else { format!("{file}/{name}") };
        if files.contains_key(&below) {
            file = below;
            continue;
        }
        let here = &files[&file];
        let onward = |target: &[String]| {
            let path: Vec<String> = target.iter().chain(&path[i + 1..]).cloned().collect();
            (steps > 0).then(|| resolve(files, &path, steps - 1)).flatten()
        };
        if here.defines(name) {
            return Some((file, name.clone()));
        }
        if let Some(target) = here.names.get(name) {
            return onward(target);
        }
        return here.globs.iter().find_map(|glob| {
            let mut target = glob.clone();
            target.push(name.clone());
            onward(&target)
        });
    }
    Some((file, path.last().cloned().unwrap_or_default()))
}

/// All imports of a crate. A name that is re-exported counts as imported from the file that
/// defines it.
fn imports(files: &Crate) -> BTreeSet<Import> {
    let mut found = BTreeSet::new();
    for (name, file) in files {
        for path in &file.paths {
            if let Some((target, item)) = resolve(files, path, 8)
                && target != *name
            {
                found.insert((name.clone(), target, item));
            }
        }
    }
    found
}

/// The imports that are part of a circle. The files and folders of a folder must have an order
/// in which each imports only from earlier ones.
fn circles(files: &Crate, imports: &BTreeSet<Import>) -> BTreeSet<String> {
    let mut broken = BTreeSet::new();
    let folders: BTreeSet<&str> =
        files.keys().filter_map(|name| name.rsplit_once('/')).map(|(folder, _)| folder).chain([""]).collect();
    for folder in folders {
        // The entry of `folder` that contains the file, which may be the folder's own `mod.rs`.
        let entry = |name: &str| -> Option<String> {
            if name == folder {
                return Some("mod".to_owned());
            }
            let below = if folder.is_empty() { name } else { name.strip_prefix(folder)?.strip_prefix('/')? };
            below.split('/').next().map(str::to_owned)
        };
        let mut needs: BTreeMap<String, BTreeMap<String, Vec<&Import>>> = BTreeMap::new();
        for import in imports {
            if let (Some(from), Some(to)) = (entry(&import.0), entry(&import.1))
                && from != to
            {
                needs.entry(from).or_default().entry(to).or_default().push(import);
            }
        }
        let reaches = |from: &str, to: &str| {
            let (mut seen, mut stack) = (BTreeSet::new(), vec![from.to_owned()]);
            while let Some(at) = stack.pop() {
                if at == to {
                    return true;
                }
                if seen.insert(at.clone()) {
                    stack.extend(needs.get(&at).into_iter().flatten().map(|(next, _)| next.clone()));
                }
            }
            false
        };
        for (from, targets) in &needs {
            for (to, by) in targets {
                if reaches(to, from) {
                    broken.extend(by.iter().map(|(from, to, _)| format!("{from} -> {to}: a circle")));
                }
            }
        }
    }
    broken
}

fn is_in(file: &str, folder: &str) -> bool {
    file.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folders that a folder of the codec may import from.
const LAYERS: [(&str, &str, &[&str]); 2] = [
    ("engine/simd", "simd knows no encoding", &["engine/simd", "engine/memory"]),
    (
        "engine/kernel",
        "a kernel knows definitions and instructions",
        &["engine/kernel", "engine/simd", "engine/memory", "engine/progress", "error", FORMS],
    ),
];

/// Identifiers that a folder must not use, and words that its identifiers must not contain.
const WORDS: [(&str, &str, &[&str]); 2] = [
    (
        "engine/kernel",
        "a kernel names no instruction set",
        &["avx", "arch", "target_feature", "is_x86_feature_detected"],
    ),
    ("engine/simd", "simd knows no encoding", &["utf8", "utf16", "utf32", "latin1", "surrogate", "led", "mended"]),
];

/// The names of the instruction sets, from their table.
fn sets() -> Vec<&'static str> {
    const ROWS: &str = include_str!("../../../utfkit-core/src/engine/simd/sets.rs");
    let rows = ROWS.lines().filter(|line| line.contains(", ["));
    rows.filter_map(|row| row.split(", ").nth(1)).collect()
}

/// True for files that may use both kernels and scalar codecs: the drivers in `engine` and
/// `convert`, the transcoder, and kernels, which need scalar code for their ends.
fn is_driver(file: &str) -> bool {
    file.strip_prefix("engine/").is_some_and(|name| !name.contains('/'))
        || file == "convert/driver"
        || is_in(file, "engine/kernel")
        || is_in(file, "transcode")
}

/// True for a codec; false for a predicate or constant of an encoding form.
fn is_codec(file: &str, item: &str) -> bool {
    is_in(file, "utfkit_forms/scalar")
        && (item.starts_with(char::is_uppercase) && item.contains(char::is_lowercase) || item == "decode")
}

fn codec(files: &Crate, imports: &BTreeSet<Import>) -> BTreeSet<String> {
    let mut broken = BTreeSet::new();
    let all_sets = sets();
    assert!(all_sets.contains(&"avx512"), "{all_sets:?}");
    for (from, to, _) in imports {
        for (folder, law, allowed) in LAYERS {
            if is_in(from, folder) && !allowed.iter().any(|folder| is_in(to, folder)) {
                broken.insert(format!("{from} -> {to}: {law}"));
            }
        }
    }
    for (name, file) in files {
        let mut of_it = imports.iter().filter(|import| import.0 == *name);
        let kernel = of_it.clone().any(|import| is_in(&import.1, "engine/kernel"));
        let codec = of_it.any(|import| is_codec(&import.1, &import.2));
        if kernel && codec && !is_driver(name) {
            broken.insert(format!("{name}: only drivers know a kernel and a scalar codec"));
        }
        for (folder, law, words) in WORDS {
            let sets: &[&str] = if folder == "engine/kernel" { &all_sets } else { &[] };
            let is_one = |word: &str| words.contains(&word) || sets.contains(&word);
            let has_word = |token: &String| {
                let token = token.to_lowercase();
                is_one(&token) || token.split('_').any(is_one)
            };
            let named: BTreeSet<&String> = file.tokens.iter().filter(|token| has_word(token)).collect();
            if is_in(name, folder) && !named.is_empty() {
                broken.insert(format!("{name}: {law}"));
            }
        }
    }
    broken
}

#[test]
fn the_sources_keep_the_rules() {
    let mut broken = BTreeSet::new();
    for name in ["utfkit-core", "utfkit-detect", "utfkit-diagnose", "utfkit-io", "utfkit-text"] {
        let files = if name == "utfkit-core" { codec_and_forms() } else { read(name) };
        let imports = imports(&files);
        let all = circles(&files, &imports);
        let is_known = |import: &Import| KNOWN.contains(&format!("{} -> {}: a circle", import.0, import.1).as_str());
        broken.extend(circles(&files, &imports.iter().filter(|import| !is_known(import)).cloned().collect()));
        broken.extend(all.into_iter().filter(|import| KNOWN.contains(&import.as_str())));
        if name == "utfkit-core" {
            broken.extend(codec(&files, &imports));
        }
    }
    let unknown: Vec<&String> = broken.iter().filter(|found| !KNOWN.contains(&found.as_str())).collect();
    let gone: Vec<_> = KNOWN.iter().filter(|known| !broken.contains(**known)).collect();
    assert!(unknown.is_empty() && gone.is_empty(), "broken: {unknown:#?}\nno longer broken: {gone:#?}");
}

/// Only `use` and paths count, not strings and comments.
#[test]
fn imports_are_read() {
    let source = "
        //! crate::not::this
        use crate::a::{self, b::{C, D as E}, f::*};
        pub use super::g::H;
        fn i<'a>(j: &'a str) -> char { crate::k::l(\"crate::m\", r#\"crate::\"n\"#, '\\'', 'o'); self::p::Q }
        mod r { use super::s::T; }
        #[cfg(test)]
        mod tests { use crate::u::V; }
    ";
    let (tokens, tests) = without_tests(tokens(source));
    assert_eq!(tests, ["tests"]);
    let file = File::new("x/y", tokens);
    let paths: Vec<String> = file.paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["a", "a::b::C", "a::b::D", "a::f", "k::l", "x::y::p::Q", "x::y::s::T"]);
    assert_eq!(file.names["E"], ["a", "b", "D"]);
    assert_eq!(file.names["H"], ["x", "g", "H"]);
}
