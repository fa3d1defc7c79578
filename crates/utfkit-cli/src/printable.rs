//! Escapes for untrusted text such as file names, so that it cannot control the
//! terminal or break the lines of a report.

use std::error::Error;
use std::fmt::{self, Write};
use std::io;
use std::path::Path;

pub(crate) use utfkit_gate::words;

/// Displays a path with control characters as `\n` or `\u{1b}`, bytes that are
/// not UTF-8 as `\xNN`, and backslashes doubled, so that different paths are
/// displayed differently. On Windows, backslashes separate folders and stay,
/// surrogates without a pair are displayed as `\u{d800}`, and `\\?\`, which
/// precedes paths of any length, is left out.
pub(crate) struct Escaped<'a>(pub(crate) &'a Path);

#[cfg(unix)]
impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.as_os_str().as_encoded_bytes().utf8_chunks() {
            for (i, part) in chunk.valid().split('\\').enumerate() {
                if i > 0 {
                    f.write_str(r"\\")?;
                }
                write_escaped(f, part)?;
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02X}")?;
            }
        }
        Ok(())
    }
}

#[cfg(windows)]
impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use std::os::windows::ffi::OsStrExt;
        use std::path::{Component, Prefix};

        let mut components = self.0.components();
        let rest = match components.next() {
            Some(Component::Prefix(prefix)) => match prefix.kind() {
                Prefix::VerbatimDisk(disk) => {
                    write!(f, "{}:", char::from(disk))?;
                    components.as_path()
                }
                Prefix::VerbatimUNC(server, share) => {
                    write!(f, r"\\{}\{}", Escaped(server.as_ref()), Escaped(share.as_ref()))?;
                    components.as_path()
                }
                _ => self.0,
            },
            _ => self.0,
        };
        for c in char::decode_utf16(rest.as_os_str().encode_wide()) {
            match c {
                Ok(c) => write_escaped(f, c.encode_utf8(&mut [0; 4]))?,
                Err(lone) => write!(f, "\\u{{{:x}}}", lone.unpaired_surrogate())?,
            }
        }
        Ok(())
    }
}

/// The path as a shell argument, or `FILE` if it would need quotes.
pub(crate) fn argument(path: &Path) -> &str {
    let plain = |c: char| c.is_alphanumeric() || "._-/+=@,:".contains(c) || (cfg!(windows) && c == '\\');
    match path.to_str() {
        Some("-") => "-",
        Some(name) if name.chars().all(plain) && !name.starts_with('-') && !name.is_empty() => name,
        _ => "FILE",
    }
}

/// `1 file`, `2 files`.
pub(crate) fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// An error and its causes, as [`words`].
pub(crate) fn causes(error: &anyhow::Error) -> String {
    let told =
        |cause: &(dyn Error + 'static)| cause.downcast_ref::<io::Error>().map_or_else(|| cause.to_string(), words);
    error.chain().map(told).collect::<Vec<_>>().join(": ")
}

/// Escapes text like [`Escaped`], but leaves backslashes single.
pub(crate) fn escaped_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    // Writing to a string cannot fail.
    let _ = write_escaped(&mut escaped, text);
    escaped
}

fn write_escaped(to: &mut impl Write, text: &str) -> fmt::Result {
    for c in text.chars() {
        if is_hostile(c) { write!(to, "{}", c.escape_default())? } else { to.write_char(c)? }
    }
    Ok(())
}

/// Control characters, and invisible characters that reorder or hide others.
pub(crate) fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Escapes `text` for HTML elements and attributes.
pub(crate) fn escaped_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

/// The JSON escape of a character: `\u20ac`, or two of them above U+FFFF.
pub(crate) fn json_escape(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// The escapes used on terminals that can show only US-ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// For people: `\u{20ac}`.
    Braces,
    /// Still JSON: `\u20ac`.
    Json,
}

/// Escapes everything above US-ASCII.
pub(crate) fn ascii_only(text: &[u8], notation: Notation) -> Vec<u8> {
    let mut ascii = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match notation {
                _ if c.is_ascii() => ascii.push(c as u8),
                Notation::Braces => ascii.extend(c.escape_unicode().map(|c| c as u8)),
                Notation::Json => ascii.extend(json_escape(c).bytes()),
            }
        }
        ascii.extend(chunk.invalid().iter().flat_map(|byte| format!("\\x{byte:02X}").into_bytes()));
    }
    ascii
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_could_do_harm_is_escaped() {
        assert_eq!(escaped_text("schön/日本 e\u{301}'\"\\.txt"), "schön/日本 e\u{301}'\"\\.txt");
        assert_eq!(escaped_text("a\x1b[31m\nb\u{202E}\u{9B}"), r"a\u{1b}[31m\nb\u{202e}\u{9b}");
    }

    #[test]
    fn what_is_above_ascii_is_escaped_where_it_must_be() {
        let text = "\x1B[1mé\x1B[0m \u{1F389}\n".as_bytes();
        assert_eq!(ascii_only(text, Notation::Braces), b"\x1B[1m\\u{e9}\x1B[0m \\u{1f389}\n");
        assert_eq!(ascii_only(text, Notation::Json), b"\x1B[1m\\u00e9\x1B[0m \\ud83c\\udf89\n");
        assert_eq!(ascii_only(b"a\xFF", Notation::Braces), b"a\\xFF");
    }

    #[cfg(windows)]
    #[test]
    fn paths_of_any_length_and_lone_surrogates() {
        use std::os::windows::ffi::OsStringExt;

        for (path, shown) in [
            (r"\\?\C:\a b\c", r"C:\a b\c"),
            (r"\\?\UNC\server\share\c", r"\\server\share\c"),
            (r"\\server\share\c", r"\\server\share\c"),
            (r"a\b", r"a\b"),
            ("a\u{202E}b", r"a\u{202e}b"),
        ] {
            assert_eq!(Escaped(Path::new(path)).to_string(), shown);
        }
        let name = std::ffi::OsString::from_wide(&[0x61, 0xD800, 0xD83D, 0xDE00]);
        assert_eq!(Escaped(Path::new(&name)).to_string(), "a\\u{d800}😀");
        assert_eq!(argument(Path::new(r"a\b")), r"a\b");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf_8_stay_readable() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"caf\xE9\x07.txt"));
        assert_eq!(Escaped(path).to_string(), r"caf\xE9\u{7}.txt");
        let path = Path::new(r"caf\xE9\u{7}.txt");
        assert_eq!(Escaped(path).to_string(), r"caf\\xE9\\u{7}.txt", "another name");
    }
}
