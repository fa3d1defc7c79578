//! The command's arguments: no argument makes the parser panic, and names of
//! encodings are parsed as by the library.
//!
//! The arguments are words that the command knows and words from the input.

use clap::Parser;
use utfkit::Encoding;
use utfkit::locale::codeset;

use utfkit_cli::{Args, Errors, encoding_named};

use crate::input::Input;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let input = Input::new(data);
    let [operation, from, to, suffix] = input.choices;
    let own = String::from_utf8_lossy(input.body()).into_owned();
    if operation % 2 == 0 {
        let words = std::iter::once("utfkit".to_owned()).chain(words(input.body()));
        if let Err(error) = Args::try_parse_from(words) {
            assert!(!error.render().to_string().is_empty());
        }
        assert_eq!(encoding_named(&own).ok(), read(&own), "{own:?}");
    } else {
        let (from, to) = (name(from, &own), name(to, &own));
        let (suffix, errors) = SUFFIXES[usize::from(suffix) % SUFFIXES.len()];
        converts(&from, &to, suffix, errors);
    }
}

/// iconv's suffixes with their meaning; `None` for those that are rejected.
const SUFFIXES: [(&str, Option<Option<Errors>>); 9] = [
    ("", Some(None)),
    ("//", Some(None)),
    ("//IGNORE", Some(Some(Errors::Skip))),
    ("//ignore", Some(Some(Errors::Skip))),
    ("//REPLACE", Some(Some(Errors::Replace))),
    ("//IGNORE//REPLACE", Some(Some(Errors::Replace))),
    ("//REPLACE//", Some(Some(Errors::Replace))),
    ("//TRANSLIT", None),
    ("//IGNORE/", None),
];

/// A known name, or the input's own word.
fn name(choice: u8, own: &str) -> String {
    match Encoding::ALL.get(usize::from(choice >> 1)) {
        Some(encoding) if choice & 1 == 0 => encoding.name().to_owned(),
        Some(encoding) => format!("web:{}", encoding.name()),
        None => own.replace('/', ""),
    }
}

/// The encoding that a name stands for.
fn read(name: &str) -> Option<Encoding> {
    match name.split_once(':') {
        Some((web, label)) if web.eq_ignore_ascii_case("web") => Encoding::for_web_label(label),
        _ => Encoding::for_label(name),
    }
}

/// `utfkit convert -f FROM -t TO//SUFFIX`.
fn converts(from: &str, to: &str, suffix: &str, errors: Option<Option<Errors>>) {
    let code = format!("--to-code={to}{suffix}");
    let parsed = Args::try_parse_from(["utfkit", "convert", &format!("--from-code={from}"), &code]);
    let known = |name: &str| if name.is_empty() { codeset().encoding() } else { read(name) };
    let auto = from.eq_ignore_ascii_case("auto");
    let to_auto = to.eq_ignore_ascii_case("auto");
    match (parsed, known(from).filter(|_| !auto), known(to).filter(|_| !to_auto), errors) {
        (Ok(args), source, Some(target), Some(errors)) if auto || source.is_some() => {
            assert_eq!(args.conversion(), Some((source, target, errors)), "{from:?} {code:?}");
        }
        (Ok(args), ..) => panic!("{from:?} {code:?} was understood: {args:?}"),
        (Err(error), source, target, errors) => {
            let understood = (auto || source.is_some()) && target.is_some() && errors.is_some();
            assert!(!understood, "{from:?} {code:?} was not understood: {error}");
        }
    }
}

/// Words that the command knows.
const WORDS: [&str; 64] = [
    "check",
    "convert",
    "repair",
    "detect",
    "inspect",
    "count",
    "report",
    "list",
    "completions",
    "man",
    "help",
    "--help",
    "-h",
    "--version",
    "-V",
    "--verbose",
    "-f",
    "-t",
    "-o",
    "-c",
    "-s",
    "-l",
    "-q",
    "-j",
    "0",
    "18446744073709551616",
    "-1",
    "--isa",
    "avx2",
    "--color",
    "never",
    "--in-place",
    "--in-place=.bak",
    "--errors",
    "replace",
    "skip",
    "escape",
    "strict",
    "--practice",
    "per-byte",
    "--escape-form",
    "xml",
    "--bom",
    "add",
    "--files0-from",
    "-",
    "--",
    "UTF-8",
    "latin1//IGNORE",
    "auto",
    "--format",
    "json",
    "sarif",
    "--standard",
    "rfc2279",
    "--fallback",
    "windows-1252",
    "--undouble",
    "--range",
    "3..9",
    "..",
    "a.txt",
    "=",
    "",
];

/// Bytes of the script are indexes into [`WORDS`]; other bytes form words of
/// their own.
fn words(script: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for &byte in script.iter().take(24) {
        match WORDS.get(usize::from(byte)) {
            Some(word) => words.push((*word).to_owned()),
            None => match words.last_mut() {
                Some(last) if byte >= 0x80 => last.push(char::from(byte)),
                _ => words.push(char::from(byte).to_string()),
            },
        }
    }
    words
}
