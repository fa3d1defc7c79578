//! Finds the strings of programs and the quotations of documents. Text in them may be an example.

use std::path::Path;

const PROGRAMS: [&str; 58] = [
    "rs", "py", "pyi", "pyx", "js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx", "java", "kt", "kts", "scala", "go",
    "rb", "pl", "pm", "t", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "cs", "fs", "swift", "m", "mm", "d",
    "lua", "el", "lisp", "scm", "clj", "cljs", "hs", "ml", "mli", "erl", "ex", "exs", "r", "jl", "dart", "groovy",
    "zig", "nim", "vim", "sh", "bash", "zsh", "tcl",
];

/// Texts that mark code and quotations, by their extensions and names.
const DOCUMENTS: [&str; 9] = ["md", "markdown", "mkd", "mdx", "rst", "adoc", "asciidoc", "org", "pod"];
const NAMES: [&str; 9] =
    ["readme", "metadata", "pkg-info", "changelog", "changes", "news", "faq", "history", "contributing"];

fn has_extension(path: &Path, of: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| of.iter().any(|other| other.eq_ignore_ascii_case(extension)))
}

/// True for the source of a program, by its extension.
pub(crate) fn is_program(path: &Path) -> bool {
    has_extension(path, &PROGRAMS)
}

fn is_document(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    has_extension(path, &DOCUMENTS) || stem.is_some_and(|stem| NAMES.iter().any(|name| name.eq_ignore_ascii_case(stem)))
}

/// Follows the quotation marks of a text. They close at the end of a line, so a string over several
/// lines is not found.
#[derive(Clone, Debug)]
pub(crate) struct Quotes {
    marks: &'static [u8],
    open: Option<u8>,
    is_escaped: bool,
}

impl Quotes {
    /// The marks of programs: `"`, `'` and `` ` ``.
    pub(crate) fn of_program() -> Quotes {
        Quotes { marks: b"\"'`", open: None, is_escaped: false }
    }

    /// The marks of the text at `path`. There are none in data, where they delimit fields.
    pub(crate) fn of(path: &Path) -> Quotes {
        match is_program(path) {
            true => Quotes::of_program(),
            // An apostrophe is no mark there.
            false if is_document(path) => Quotes { marks: b"\"`", ..Quotes::of_program() },
            false => Quotes { marks: b"", ..Quotes::of_program() },
        }
    }

    /// True for a text in which quotation marks quote.
    pub(crate) fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Reads the next part of the text.
    pub(crate) fn feed(&mut self, text: &[u8]) -> &mut Quotes {
        for byte in text {
            match (byte, self.open) {
                (b'\n' | b'\r', _) => self.open = None,
                _ if self.is_escaped => {
                    self.is_escaped = false;
                    continue;
                }
                (b'\\', Some(_)) => {
                    self.is_escaped = true;
                    continue;
                }
                (byte, Some(open)) if *byte == open => self.open = None,
                (byte, None) if self.marks.contains(byte) => self.open = Some(*byte),
                _ => {}
            }
            self.is_escaped = false;
        }
        self
    }

    /// True if the text so far ends within quotation marks.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_begins_and_ends_in_its_line() {
        let ends_in = |path: &str, text: &str| Quotes::of(Path::new(path)).feed(text.as_bytes()).is_open();
        assert!(ends_in("a.rs", "let a = \"b"));
        assert!(ends_in("a.rs", r#"let a = "\"b"#));
        assert!(ends_in("a.PY", "x = 'it was \"so"));
        assert!(!ends_in("a.rs", r#"let a = "b\\"; // "#));
        assert!(!ends_in("a.rs", "let a = \"b\nc"));
        assert!(ends_in("b.md", "it shows `"));
        assert!(ends_in("README", "it shows \""));
        assert!(!ends_in("b.md", "it doesn't"));
        assert!(!ends_in("b.csv", "1,\"Zo"));
    }
}
