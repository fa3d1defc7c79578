//! The columns that text takes on a terminal (utf-8(7), Application notes:
//! "outputting a single character does not necessarily advance the cursor by one
//! position as it did in ASCII").

use unicode_width::UnicodeWidthStr;

/// The number of columns that `text` takes on a terminal: 2 for wide and fullwidth
/// characters, 0 for combining marks, 1 for other characters, ambiguous ones
/// included (Unicode Standard Annex #11). An emoji sequence counts as one emoji.
///
/// A control character counts as 1, and so does CR LF. Tabs and line feeds move the
/// cursor differently, so split lines first. Terminals disagree about new
/// characters.
///
/// Cost: linear; no allocation.
///
/// ```
/// assert_eq!(utfkit::display_width("naïve"), 5);
/// assert_eq!(utfkit::display_width("日本語"), 6);
/// assert_eq!(utfkit::display_width("e\u{301}"), 1);
/// ```
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// [`display_width`] of bytes that may be ill-formed. Each maximal subpart of an
/// ill-formed sequence counts as U+FFFD, one column, and separates the text around
/// it.
///
/// ```
/// assert_eq!(utfkit::display_width_of_bytes(b"caf\xE9!"), 5);
/// assert_eq!(utfkit::display_width_of_bytes("日本".as_bytes()), 4);
/// ```
pub fn display_width_of_bytes(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().map(|chunk| chunk.valid().width() + usize::from(!chunk.invalid().is_empty())).sum()
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::{string::String, vec::Vec};

    #[test]
    fn the_classes_of_width() {
        let cases = [
            ("", 0),
            ("a", 1),
            ("é", 1),
            ("e\u{301}", 1),
            ("\u{200B}", 0),
            ("한", 2),
            ("Ａ", 2),
            ("ｱ", 1),
            ("😀", 2),
            ("👩‍🚀", 2),
            ("\u{FFFD}", 1),
            ("\r\n", 1),
        ];
        for (text, width) in cases {
            assert_eq!((display_width(text), display_width_of_bytes(text.as_bytes())), (width, width), "{text:?}");
        }
    }

    #[test]
    fn damage_is_as_wide_as_the_replacement_character() {
        let parts: [&[u8]; 8] =
            [b"a", "é".as_bytes(), "\u{301}".as_bytes(), "日".as_bytes(), b"\xE6\x97", b"\x80", b"\xFF", b"\xF0\x9F"];
        for number in 0..8_usize.pow(4) {
            let bytes: Vec<u8> = (0..4).flat_map(|place| parts[number >> (3 * place) & 7]).copied().collect();
            assert_eq!(display_width_of_bytes(&bytes), display_width(&String::from_utf8_lossy(&bytes)), "{bytes:02X?}");
        }
    }
}
