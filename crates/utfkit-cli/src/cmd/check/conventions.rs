//! Conventions for well-formed text: no BOM, one kind of line end, Normalization
//! Form C, no bidirectional controls.
//!
//! The stream is decoded by [`Pieces`], so that conventions apply in every
//! encoding and positions agree with those of other findings. Plain US-ASCII, the
//! bulk of most source code, takes a fast path.

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use utfkit::diagnose::{Content, Pieces};
use utfkit::{Encoding, Standard};

use crate::args::{Check, CheckBom, Eol};
use crate::declared::Declared;
use crate::report::{BIDI_CONTROL, BOM, Item, LINE_END, MISSING_BOM, NOT_NFC, code, hex};
use crate::unicode::called;

/// U+FEFF.
const FEFF: u32 = 0xFEFF;

/// Maximum number of code points normalized together. Real text has at most
/// three marks per letter; longer runs are cut.
const SEGMENT: usize = 64;

/// Maximum number of code points spelled out in a message.
const SPELLED: usize = 4;

/// The conventions to check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conventions {
    bom: CheckBom,
    eol: Option<Eol>,
    nfc: bool,
    bidi: bool,
}

impl Conventions {
    /// `None` if nothing is to be checked. A file's own declarations override the
    /// BOM and line end given in `args`.
    pub(super) fn new(args: &Check, declared: &Declared) -> Option<Conventions> {
        let bom = match args.bom {
            CheckBom::Forbid => declared.bom.unwrap_or(CheckBom::Forbid),
            bom => bom,
        };
        let eol = args.eol.map(|eol| declared.eol.unwrap_or(eol));
        let asked = bom != CheckBom::Allow || eol.is_some() || args.nfc || args.bidi;
        asked.then_some(Conventions { bom, eol, nfc: args.nfc, bidi: args.bidi })
    }
}

/// Checks one stream.
pub(super) struct Scanner {
    asked: Conventions,
    encoding: Encoding,
    pieces: Pieces,
    /// Bytes not yet decoded.
    waiting: Vec<u8>,
    at: Place,
    /// True after the first character.
    started: bool,
    /// The last character, if it was U+000D.
    cr: Option<(Place, Vec<u8>)>,
    /// The last starter and the characters after it.
    segment: Segment,
}

/// The position of a character.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    line: u64,
    column: u64,
}

#[derive(Debug)]
struct Segment {
    start: Place,
    text: String,
    bytes: Vec<u8>,
    len: usize,
}

impl Scanner {
    pub(super) fn new(asked: Conventions, encoding: Encoding, standard: Standard) -> Scanner {
        let at = Place { offset: 0, line: 1, column: 1 };
        Scanner {
            asked,
            encoding,
            pieces: Pieces::new(encoding, standard),
            waiting: Vec::new(),
            at,
            started: false,
            cr: None,
            segment: Segment { start: at, text: String::new(), bytes: Vec::new(), len: 0 },
        }
    }

    /// Takes the next bytes; an empty slice ends the stream.
    pub(super) fn feed(&mut self, bytes: &[u8], mut found: impl FnMut(Item)) {
        let last = bytes.is_empty();
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend_from_slice(bytes);
        let mut rest = waiting.as_slice();
        while !rest.is_empty() {
            let plain = self.plain(rest);
            if plain > 0 {
                self.pass(&rest[..plain], &mut found);
                rest = &rest[plain..];
                continue;
            }
            let Some(piece) = self.pieces.read(rest, last) else { break };
            let len = piece.bytes().len();
            self.piece(piece.content(), &rest[..len], &mut found);
            rest = &rest[len..];
        }
        if last {
            self.close_cr(&mut found);
            self.close_segment(&mut found);
        }
        let done = waiting.len() - rest.len();
        waiting.drain(..done);
        self.waiting = waiting;
    }

    /// Length of the prefix of printable US-ASCII; 0 in encodings where bytes are
    /// not characters.
    fn plain(&self, bytes: &[u8]) -> usize {
        if self.encoding != Encoding::Utf8 {
            return 0;
        }
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t');
        bytes.iter().position(|byte| !is_plain(byte)).unwrap_or(bytes.len())
    }

    /// Skips `plain`, which violates no convention.
    fn pass(&mut self, plain: &[u8], found: &mut impl FnMut(Item)) {
        if !self.started {
            self.start(false, &[], found);
        }
        self.close_cr(found);
        let len = plain.len() as u64;
        self.at.offset += len;
        self.at.column += len;
        if self.asked.nfc {
            self.close_segment(found);
            let last = Place { offset: self.at.offset - 1, column: self.at.column - 1, ..self.at };
            let byte = plain[plain.len() - 1];
            self.segment.push(last, char::from(byte), &[byte]);
        }
    }

    fn piece(&mut self, content: Content, bytes: &[u8], found: &mut impl FnMut(Item)) {
        let here = self.at;
        if content == Content::StateChange {
            // Not a character: no column and no part of a segment.
            self.at.offset += bytes.len() as u64;
            return;
        }
        let value = match content {
            Content::CodePoint(value) => Some(value),
            _ => None,
        };
        if !self.started {
            let signed = matches!(content, Content::Bom(_));
            self.start(signed || value == Some(FEFF), if signed { &[] } else { bytes }, found);
        }
        if value != Some(0xA) {
            self.close_cr(found);
        }
        self.at.offset += bytes.len() as u64;
        match content {
            Content::Bom(_) => {}
            _ if value == Some(0xA) => {
                self.at.line += 1;
                self.at.column = 1;
            }
            _ => self.at.column += 1,
        }
        match value {
            Some(0xD) => self.cr = Some((here, bytes.to_vec())),
            Some(0xA) => self.line_feed(here, bytes, found),
            Some(value @ (0x202A..=0x202E | 0x2066..=0x2069)) if self.asked.bidi => {
                let name = called(value).name.unwrap_or_default();
                let message = format!("{} {name} reorders what is shown, not what is read (UTS 55)", code(value));
                found(item(here, bytes, BIDI_CONTROL, Some(value), message));
            }
            _ => {}
        }
        if self.asked.nfc {
            self.normalized(here, value.and_then(char::from_u32), bytes, found);
        }
    }

    /// Begins the stream. `bytes` are those of the BOM if it is part of the text;
    /// a BOM that belongs to the encoding (UTF-16) has none.
    fn start(&mut self, has_bom: bool, bytes: &[u8], found: &mut impl FnMut(Item)) {
        self.started = true;
        match self.asked.bom {
            CheckBom::Forbid if has_bom && !bytes.is_empty() => {
                let message = "byte order mark (BOM), which the text should not begin with".to_owned();
                found(item(self.at, bytes, BOM, Some(FEFF), message));
            }
            CheckBom::Require if !has_bom => {
                let message = "the text should begin with a byte order mark (BOM)".to_owned();
                found(item(self.at, &[], MISSING_BOM, None, message));
            }
            _ => {}
        }
    }

    fn line_feed(&mut self, here: Place, bytes: &[u8], found: &mut impl FnMut(Item)) {
        match (self.cr.take(), self.asked.eol) {
            (Some((start, mut both)), Some(Eol::Lf)) => {
                both.extend_from_slice(bytes);
                found(item(start, &both, LINE_END, None, "the line ends with CRLF, not LF".to_owned()));
            }
            (None, Some(Eol::Crlf)) => {
                found(item(here, bytes, LINE_END, None, "the line ends with LF, not CRLF".to_owned()));
            }
            _ => {}
        }
    }

    /// Ends a CR that no LF followed.
    fn close_cr(&mut self, found: &mut impl FnMut(Item)) {
        let Some((start, bytes)) = self.cr.take() else { return };
        let wanted = match self.asked.eol {
            Some(Eol::Lf) => "LF",
            Some(Eol::Crlf) => "CRLF",
            None => return,
        };
        found(item(start, &bytes, LINE_END, None, format!("CR alone, not {wanted}")));
    }

    /// Adds a character to the segment; `None` for anything else ends it.
    fn normalized(&mut self, here: Place, c: Option<char>, bytes: &[u8], found: &mut impl FnMut(Item)) {
        let Some(c) = c else { return self.close_segment(found) };
        // A normalization boundary: `c` does not interact with what precedes it.
        let begins = canonical_combining_class(c) == 0 && is_nfc_quick([c].into_iter()) != IsNormalized::Maybe;
        if begins || self.segment.len == SEGMENT {
            self.close_segment(found);
        }
        self.segment.push(here, c, bytes);
    }

    fn close_segment(&mut self, found: &mut impl FnMut(Item)) {
        let Segment { start, text, bytes, len } = &mut self.segment;
        if is_nfc_quick(text.chars()) != IsNormalized::Yes && !text.chars().nfc().eq(text.chars()) {
            let message = format!("{} is {} in NFC", spelled(text.chars()), spelled(text.chars().nfc()));
            found(item(*start, bytes, NOT_NFC, None, message));
        }
        text.clear();
        bytes.clear();
        *len = 0;
    }
}

impl Segment {
    fn push(&mut self, here: Place, c: char, bytes: &[u8]) {
        if self.len == 0 {
            self.start = here;
        }
        self.text.push(c);
        self.bytes.extend_from_slice(bytes);
        self.len += 1;
    }
}

/// `U+0065 U+0301`.
fn spelled(text: impl Iterator<Item = char>) -> String {
    let all: Vec<_> = text.map(|c| code(c.into())).collect();
    let more = if all.len() > SPELLED { " ..." } else { "" };
    all[..all.len().min(SPELLED)].join(" ") + more
}

fn item(at: Place, bytes: &[u8], kind: &'static str, code_point: Option<u32>, message: String) -> Item {
    let Place { offset, line, column } = at;
    let code_point = code_point.map(code);
    Item { offset, length: bytes.len(), line, column, bytes: hex(bytes), kind, code_point, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfkit::diagnose::Checker;
    use utfkit::{Policy, Transcoder};

    const ALL: Conventions = Conventions { bom: CheckBom::Forbid, eol: Some(Eol::Lf), nfc: true, bidi: true };

    fn found(asked: Conventions, encoding: Encoding, pieces: &[&[u8]]) -> Vec<(u64, u64, u64, String, &'static str)> {
        let mut scanner = Scanner::new(asked, encoding, Standard::Rfc3629);
        let mut found = Vec::new();
        for bytes in pieces.iter().filter(|piece| !piece.is_empty()).chain([&&b""[..]]) {
            scanner.feed(bytes, |item| found.push((item.offset, item.line, item.column, item.bytes, item.kind)));
        }
        found
    }

    const TEXT: &str = "\u{FEFF}a\r\nb\u{202E}c e\u{301}\nx\u{301}\u{323} \u{212B}\r\u{1100}\u{1161}\r\n";

    #[test]
    fn each_convention_is_found_at_its_place_however_the_stream_is_cut() {
        let whole = found(ALL, Encoding::Utf8, &[TEXT.as_bytes()]);
        let expected = [
            (0, 1, 1, "efbbbf", BOM),
            (4, 1, 3, "0d0a", LINE_END),
            (7, 2, 2, "e280ae", BIDI_CONTROL),
            (12, 2, 5, "65cc81", NOT_NFC),
            (16, 3, 1, "78cc81cca3", NOT_NFC),
            (22, 3, 5, "e284ab", NOT_NFC),
            (25, 3, 6, "0d", LINE_END),
            (26, 3, 7, "e18480e185a1", NOT_NFC),
            (32, 3, 9, "0d0a", LINE_END),
        ];
        let mut sorted = whole.clone();
        sorted.sort();
        assert_eq!(sorted, expected.map(|(a, b, c, bytes, kind)| (a, b, c, bytes.to_owned(), kind)));
        for cut in 0..=TEXT.len() {
            let (front, rest) = TEXT.as_bytes().split_at(cut);
            assert_eq!(found(ALL, Encoding::Utf8, &[front, rest]), whole, "{cut}");
        }
    }

    #[test]
    fn the_places_are_those_of_the_checker() {
        let text = b"ab\xFF\xC0\xAF e\xCC\x81\n\xED\xA0\x80\xE2\x80\xAE\xE2\x80";
        let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
        let mut places = Vec::new();
        let mut note = |finding: &utfkit::diagnose::Finding| places.push((finding.line(), finding.column()));
        checker.feed(text, &mut note);
        checker.finish(&mut note);
        assert_eq!(places, [(1, 3), (1, 4), (2, 1), (2, 3)]);
        let found = found(ALL, Encoding::Utf8, &[text]);
        let places: Vec<_> = found.iter().map(|(_, line, column, _, kind)| (*line, *column, *kind)).collect();
        assert_eq!(places, [(1, 6, NOT_NFC), (2, 2, BIDI_CONTROL)]);
    }

    #[test]
    fn other_encodings_are_held_to_the_same() {
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf7] {
            let mut bytes = Vec::new();
            let mut writer = Transcoder::new(Encoding::Utf8, encoding, Policy::Strict);
            let step = writer.transcode_to_vec(TEXT.as_bytes(), &mut bytes, true);
            assert_eq!(step.read, TEXT.len());
            let kinds = |found: Vec<(u64, u64, u64, String, &'static str)>| -> Vec<_> {
                found.into_iter().map(|(_, line, column, _, kind)| (line, column, kind)).collect()
            };
            let expected = kinds(found(ALL, Encoding::Utf8, &[TEXT.as_bytes()]));
            assert_eq!(kinds(found(ALL, encoding, &[&bytes])), expected, "{encoding}");
        }
        // By its definition UTF-16 begins with a BOM.
        assert_eq!(found(ALL, Encoding::Utf16, &[b"\xFE\xFF\0a"]), []);
        let require = Conventions { bom: CheckBom::Require, ..ALL };
        assert_eq!(found(require, Encoding::Utf16, &[b"\xFE\xFF\0a"]), []);
        assert_eq!(found(require, Encoding::Utf16, &[b"\0a"]).len(), 1);
    }

    #[test]
    fn text_in_nfc_has_no_findings_and_other_text_one_a_segment() {
        let nfc = Conventions { bom: CheckBom::Allow, eol: None, nfc: true, bidi: false };
        for text in
            ["Grüße", "한국어", "한자 가", "שָׁלוֹם", "q\u{323}\u{307}", "\u{958}".nfc().collect::<String>().as_str()]
        {
            let text: String = text.nfc().collect();
            assert_eq!(found(nfc, Encoding::Utf8, &[text.as_bytes()]), [], "{text}");
            let decomposed: String = text.nfd().collect();
            let count = found(nfc, Encoding::Utf8, &[decomposed.as_bytes()]).len();
            assert_eq!(count == 0, decomposed == text, "{text}");
        }
        let marks = "e".to_owned() + &"\u{301}".repeat(1000);
        assert_eq!(found(nfc, Encoding::Utf8, &[marks.as_bytes()]).len(), 1);
    }

    #[test]
    fn crlf_can_be_asked_for_and_a_bom_too() {
        let asked = Conventions { bom: CheckBom::Require, eol: Some(Eol::Crlf), nfc: false, bidi: false };
        let kinds: Vec<_> = found(asked, Encoding::Utf8, &[b"a\r\nb\nc\r"]).into_iter().map(|f| (f.0, f.4)).collect();
        assert_eq!(kinds, [(0, MISSING_BOM), (4, LINE_END), (6, LINE_END)]);
        assert_eq!(found(asked, Encoding::Utf8, &["\u{FEFF}a\r\n".as_bytes()]), []);
        assert_eq!(found(asked, Encoding::Utf8, &[]), [], "an empty file begins with nothing");
    }
}
