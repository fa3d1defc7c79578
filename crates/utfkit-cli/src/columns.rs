//! The width of the widest line, in bounded memory.
//!
//! A sequence of characters can be narrower than the sum of its parts: `#`,
//! U+FE0F and U+20E3 form one keycap, and several emoji joined by U+200D form one
//! emoji. So a line is measured in segments, each an ASCII character and all
//! non-ASCII characters after it. An ASCII character never combines with what
//! precedes it, except in keycaps, so segment widths add up. A segment longer than
//! [`LIMIT`] is cut between two characters, and a sequence cut there counts as its
//! parts.

use utfkit::display_width_of_bytes;

/// Maximum length of a segment in bytes.
const LIMIT: usize = 64 << 10;

/// The distance between tab stops.
const TAB: u64 = 8;

/// Measures lines of UTF-8 text fed in pieces, which can be cut anywhere.
///
/// U+000A ends a line. U+000D returns to the first column, a tab advances to the
/// next multiple of 8, and other controls are one column wide.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    segment: Vec<u8>,
    /// Width of the line before the segment.
    column: u64,
    widest: u64,
}

impl Columns {
    pub(crate) fn feed(&mut self, mut text: &[u8]) {
        while let Some(&first) = text.first() {
            let len = match first {
                b'\t' | b'\n' | b'\r' => {
                    self.control(first);
                    1
                }
                b'0'..=b'9' | b'#' | b'*' if self.segment.last().is_some_and(|last| !last.is_ascii()) => {
                    self.extend(&text[..1]);
                    1
                }
                0..0x80 => {
                    let len = run(text, |byte| byte.is_ascii() && !matches!(byte, b'\t' | b'\n' | b'\r'));
                    self.measure();
                    self.column += len as u64 - 1;
                    // Only the last character can combine with the next bytes.
                    self.segment.push(text[len - 1]);
                    len
                }
                _ => {
                    let capacity = LIMIT - self.segment.len();
                    let len = run(&text[..text.len().min(capacity)], |byte| !byte.is_ascii());
                    self.extend(&text[..len]);
                    len
                }
            };
            text = &text[len..];
        }
    }

    /// The width of the widest line, at the end of the text.
    pub(crate) fn widest(mut self) -> u64 {
        self.measure();
        self.widest.max(self.column)
    }

    fn control(&mut self, byte: u8) {
        self.measure();
        if byte == b'\t' {
            self.column = (self.column / TAB + 1) * TAB;
        } else {
            self.widest = self.widest.max(self.column);
            self.column = 0;
        }
    }

    /// Appends `bytes`, which must fit, to the segment.
    fn extend(&mut self, bytes: &[u8]) {
        self.segment.extend_from_slice(bytes);
        if self.segment.len() >= LIMIT {
            self.cut();
        }
    }

    fn measure(&mut self) {
        self.column += match self.segment.len() {
            short @ (0 | 1) => short as u64,
            _ => display_width_of_bytes(&self.segment) as u64,
        };
        self.segment.clear();
    }

    /// Measures the segment except its last character, which can be incomplete.
    /// The cut depends only on the text, not on how it was fed.
    fn cut(&mut self) {
        let last = self.segment.iter().rposition(|byte| byte & 0xC0 != 0x80).filter(|at| *at > 0);
        let rest = self.segment.split_off(last.unwrap_or(self.segment.len()));
        self.measure();
        self.segment = rest;
    }
}

/// Length of the prefix of bytes that satisfy the predicate.
fn run(text: &[u8], such: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|byte| !such(*byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widest(text: &[u8], cut: usize) -> u64 {
        let mut columns = Columns::default();
        text.chunks(cut).for_each(|piece| columns.feed(piece));
        columns.widest()
    }

    #[test]
    fn lines_and_controls() {
        for (text, columns) in [
            ("", 0),
            ("\n\n", 0),
            ("ab\nabcd\nabc", 4),
            ("ab\nabcd", 4),
            ("日本語\nabcde\n", 6),
            ("abcd\r\nab\r\n", 4),
            ("abc\rde", 3),
            ("\t", 8),
            ("a\tb", 9),
            ("1234567\t!", 9),
            ("12345678\t!", 17),
            ("日本\t日", 10),
            ("a\x1Bb\0", 4),
        ] {
            for cut in 1..=text.len().max(1) {
                assert_eq!(widest(text.as_bytes(), cut), columns, "{text:?} cut every {cut}");
            }
        }
    }

    #[test]
    fn segments_add_up_to_the_whole() {
        let parts = [
            "a", "#", "<", " ", "\u{301}", "\u{338}", "\u{FE0F}", "\u{FE0E}", "\u{20E3}", "\u{200D}", "👩", "🚀", "🏽",
            "🇩", "日", "\u{1100}", "\u{1161}", "\u{644}", "\u{627}", "\u{FEFF}", "\u{A4FC}",
        ];
        let n = parts.len();
        for number in 0..n.pow(4) {
            let text: String = (0..4).map(|place| parts[number / n.pow(place) % n]).collect();
            let whole = utfkit::display_width(&text) as u64;
            assert_eq!(widest(text.as_bytes(), 3), whole, "{:?}", text.escape_unicode().to_string());
        }
    }

    #[test]
    fn an_endless_line_is_measured_in_pieces() {
        let mut columns = Columns::default();
        let text = "日本語".repeat(1000);
        for _ in 0..1000 {
            columns.feed(text.as_bytes());
            assert!(columns.segment.len() <= LIMIT);
        }
        assert!(columns.segment.capacity() <= 2 * LIMIT);
        assert_eq!(columns.widest(), 6_000_000);

        // Four bytes each: the limit falls between two characters, then inside.
        for lead in ["", "é", "日"] {
            let text = lead.to_owned() + &"👩".repeat(40_000);
            let want = utfkit::display_width(&text) as u64;
            for cut in [1, 1021, text.len()] {
                assert_eq!(widest(text.as_bytes(), cut), want);
            }
        }
        // A keycap can also end a piece.
        let keys = "日1".repeat(40_000);
        assert_eq!(widest(keys.as_bytes(), 5), 120_000);
        // A sequence across the limit counts as its parts, however it is fed.
        let joined = "👩\u{200D}🚀\u{200D}".repeat(20_000);
        let whole = widest(joined.as_bytes(), joined.len());
        assert!((2..=20).contains(&whole), "{whole}");
        assert_eq!(widest(joined.as_bytes(), 7), whole);
    }
}
