//! Reads a stream and finds what breaks the rules.
//!
//! The stream is decoded by [`Pieces`], so that rules apply in every encoding and
//! positions are counted as in other findings. Plain US-ASCII, the bulk of most
//! source code, takes a fast path.

use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use utfkit::diagnose::{Content, Pieces};
use utfkit::{Encoding, Policy, Standard, Transcoder};

use super::asked::{InnerBom, Rules};
use crate::args::{BomRule, Controls, LineEnd};
use crate::report::{BIDI_CONTROL, BOM, CONTROL, Item, LINE_END, MISSING_BOM, NOT_NFC, REPLACEMENT, code, hex};
use crate::unicode::called;

const FEFF: char = '\u{FEFF}';

/// Maximum number of code points normalized together, which bounds memory. A longer run of marks
/// is reported, and not changed.
const SEGMENT: usize = 4096;

/// Maximum number of code points spelled out in a message.
const SPELLED: usize = 4;

/// A part of the stream. All parts together are the stream.
pub(crate) struct Stretch<'a> {
    pub(crate) place: Place,
    pub(crate) bytes: &'a [u8],
    /// The text that the bytes encode, unless they are ill-formed or no Unicode scalar value.
    pub(crate) text: Option<&'a str>,
    pub(crate) breach: Option<Breach>,
    /// The bytes after it are read as at the beginning of a stream.
    pub(crate) is_initial_after: bool,
}

/// A breach of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Breach {
    pub(crate) kind: &'static str,
    /// The text in its place, if it can be mended.
    pub(crate) new: Option<String>,
}

/// The position of a character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) offset: u64,
    line: u64,
    column: u64,
}

/// Scans one stream.
pub(crate) struct Scan {
    rules: Rules,
    encoding: Encoding,
    pieces: Pieces,
    /// Bytes not yet decoded.
    waiting: Vec<u8>,
    at: Place,
    /// True after the first character.
    started: bool,
    open: Open,
}

/// Characters whose meaning depends on the next one.
#[derive(Debug)]
struct Open {
    what: What,
    start: Place,
    text: String,
    bytes: Vec<u8>,
    /// The number of characters.
    len: usize,
    is_initial_after: bool,
    /// State changes after the last character, and if the state after them is the initial one.
    tail: (Vec<u8>, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Nothing,
    /// U+000D.
    Cr,
    /// A starter and the characters after it.
    Segment,
    /// The rest of a segment that is too long.
    Rest,
}

impl Scan {
    pub(crate) fn new(mut rules: Rules, encoding: Encoding, standard: Standard) -> Scan {
        // A legacy encoding has no BOM that could be missing.
        if rules.bom == BomRule::Require && encoded(FEFF.encode_utf8(&mut [0; 4]), encoding).is_none() {
            rules.bom = BomRule::Allow;
        }
        let at = Place { offset: 0, line: 1, column: 1 };
        Scan {
            rules,
            encoding,
            pieces: Pieces::new(encoding, standard),
            waiting: Vec::new(),
            at,
            started: false,
            open: Open {
                what: What::Nothing,
                start: at,
                text: String::new(),
                bytes: Vec::new(),
                len: 0,
                is_initial_after: true,
                tail: (Vec::new(), true),
            },
        }
    }

    /// Takes the next bytes; an empty slice ends the stream.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut on: impl FnMut(Stretch<'_>)) {
        let last = bytes.is_empty();
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend_from_slice(bytes);
        let mut rest = waiting.as_slice();
        while !rest.is_empty() {
            let plain = self.plain(rest);
            if let Some(text) = std::str::from_utf8(&rest[..plain]).ok().filter(|text| !text.is_empty()) {
                self.pass(text, &mut on);
                rest = &rest[plain..];
                continue;
            }
            let Some(piece) = self.pieces.read(rest, last) else { break };
            let len = piece.bytes().len();
            self.piece(piece.content(), &rest[..len], &mut on);
            rest = &rest[len..];
        }
        if last {
            self.close(&mut on);
        }
        let done = waiting.len() - rest.len();
        waiting.drain(..done);
        self.waiting = waiting;
    }

    /// [`feed`](Self::feed) for the findings alone.
    pub(crate) fn find(&mut self, bytes: &[u8], mut found: impl FnMut(Item)) {
        self.feed(bytes, |stretch| {
            if let Some(breach) = &stretch.breach {
                found(item(&stretch, breach));
            }
        });
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

    /// Passes `plain` on, which breaks no rule.
    fn pass(&mut self, plain: &str, on: &mut impl FnMut(Stretch<'_>)) {
        if !self.started {
            self.start(false, on);
        }
        self.close(on);
        // The last character may begin a segment.
        let len = if self.rules.nfc { plain.len() - 1 } else { plain.len() };
        let (free, last) = plain.split_at(len);
        if !free.is_empty() {
            let (bytes, text) = (free.as_bytes(), Some(free));
            on(Stretch { place: self.at, bytes, text, breach: None, is_initial_after: true });
        }
        self.at.offset += len as u64;
        self.at.column += len as u64;
        if let Some(c) = last.chars().next() {
            self.open.begin(What::Segment, self.at);
            self.open.push(c, last.as_bytes(), true);
            self.at.offset += 1;
            self.at.column += 1;
        }
    }

    fn piece(&mut self, content: Content, bytes: &[u8], on: &mut impl FnMut(Stretch<'_>)) {
        let here = self.at;
        let is_initial_after = self.pieces.is_initial();
        if content == Content::StateChange {
            // Not a character: no column, and it separates no characters.
            self.at.offset += bytes.len() as u64;
            if self.open.what == What::Nothing {
                on(Stretch { place: here, bytes, text: Some(""), breach: None, is_initial_after });
            } else {
                self.open.tail.0.extend_from_slice(bytes);
                self.open.tail.1 = is_initial_after;
            }
            return;
        }
        let c = match content {
            Content::CodePoint(value) => char::from_u32(value),
            _ => None,
        };
        let is_first = !self.started;
        if is_first {
            self.start(matches!(content, Content::Bom(_)) || c == Some(FEFF), on);
        }
        self.at.offset += bytes.len() as u64;
        match content {
            Content::Bom(_) => {}
            _ if c == Some('\n') => {
                self.at.line += 1;
                self.at.column = 1;
            }
            _ => self.at.column += 1,
        }
        if let (Some(end), Some('\r' | '\n')) = (self.rules.eol, c) {
            self.line_end(end, c == Some('\r'), here, bytes, is_initial_after, on);
            return;
        }
        let breach = c.and_then(|c| self.breach(c, is_first, here));
        let joins = match self.open.what {
            What::Segment | What::Rest => breach.is_none() && c.is_some_and(|c| !begins_segment(c)),
            _ => false,
        };
        if !joins {
            self.close(on);
        } else if self.open.len == SEGMENT {
            self.close_segment(false, on);
            self.open.begin(What::Rest, here);
        }
        match c {
            Some(c) if self.rules.nfc && breach.is_none() => {
                if !joins {
                    self.open.begin(What::Segment, here);
                }
                self.open.push(c, bytes, is_initial_after);
            }
            _ => {
                let mut buffer = [0; 4];
                let text = match (c, content) {
                    (Some(c), _) => Some(&*c.encode_utf8(&mut buffer)),
                    (None, Content::Bom(_)) => Some(""),
                    _ => None,
                };
                on(Stretch { place: here, bytes, text, breach, is_initial_after });
            }
        }
    }

    /// The breach of a rule about single characters.
    fn breach(&self, c: char, is_first: bool, place: Place) -> Option<Breach> {
        let (kind, new) = match c {
            FEFF if is_first && self.rules.bom == BomRule::Forbid => (BOM, Some(String::new())),
            FEFF if !is_first && self.forbids_bom(place) => (BOM, Some(String::new())),
            '\t' | '\n' | '\r' | '\u{C}' | '\u{1B}' => return None,
            '\0'..'\u{20}' => match self.rules.controls? {
                Controls::Remove => (CONTROL, Some(String::new())),
                Controls::Escape => (CONTROL, Some(c.escape_unicode().to_string())),
            },
            char::REPLACEMENT_CHARACTER if self.rules.replacement => (REPLACEMENT, None),
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' if self.rules.bidi => (BIDI_CONTROL, None),
            _ => return None,
        };
        Some(Breach { kind, new })
    }

    /// True if the rules forbid a BOM at a place after the start.
    fn forbids_bom(&self, place: Place) -> bool {
        match self.rules.inner_bom {
            InnerBom::Allow => false,
            InnerBom::ForbidOnLines => place.column == 1,
            InnerBom::Forbid => true,
        }
    }

    /// Begins the stream.
    fn start(&mut self, has_bom: bool, on: &mut impl FnMut(Stretch<'_>)) {
        self.started = true;
        if self.rules.bom == BomRule::Require && !has_bom {
            let breach = Some(Breach { kind: MISSING_BOM, new: Some(FEFF.to_string()) });
            on(Stretch { place: self.at, bytes: &[], text: Some(""), breach, is_initial_after: true });
        }
    }

    fn line_end(
        &mut self,
        end: LineEnd,
        is_cr: bool,
        here: Place,
        bytes: &[u8],
        is_initial_after: bool,
        on: &mut impl FnMut(Stretch<'_>),
    ) {
        if is_cr {
            self.close(on);
            self.open.begin(What::Cr, here);
            self.open.push('\r', bytes, is_initial_after);
            return;
        }
        if self.open.what == What::Cr {
            self.open.push('\n', bytes, is_initial_after);
            self.close_line(end, on);
            return;
        }
        self.close(on);
        let breach = (end != LineEnd::Lf).then(|| Breach { kind: LINE_END, new: Some(end.text().to_owned()) });
        on(Stretch { place: here, bytes, text: Some("\n"), breach, is_initial_after });
    }

    /// Passes the open characters on.
    fn close(&mut self, on: &mut impl FnMut(Stretch<'_>)) {
        match (self.open.what, self.rules.eol) {
            (What::Nothing, _) => {}
            (What::Cr, Some(end)) => self.close_line(end, on),
            (What::Segment, _) => self.close_segment(true, on),
            _ => self.close_segment(false, on),
        }
    }

    /// Ends a line that ends in CR or CRLF.
    fn close_line(&mut self, end: LineEnd, on: &mut impl FnMut(Stretch<'_>)) {
        let is_wrong = self.open.text != end.text();
        self.open.end(is_wrong.then(|| Breach { kind: LINE_END, new: Some(end.text().to_owned()) }), on);
    }

    /// Ends a segment, which is only mended if it is whole.
    fn close_segment(&mut self, is_whole: bool, on: &mut impl FnMut(Stretch<'_>)) {
        let text = self.open.text.as_str();
        let is_nfc = match is_nfc_quick(text.chars()) {
            IsNormalized::Yes => true,
            _ => text.chars().nfc().eq(text.chars()),
        };
        let breach = (!is_nfc).then(|| Breach { kind: NOT_NFC, new: is_whole.then(|| text.nfc().collect()) });
        self.open.end(breach, on);
    }
}

impl Open {
    fn begin(&mut self, what: What, start: Place) {
        (self.what, self.start) = (what, start);
    }

    fn push(&mut self, c: char, bytes: &[u8], is_initial_after: bool) {
        self.bytes.append(&mut self.tail.0);
        self.bytes.extend_from_slice(bytes);
        self.text.push(c);
        self.len += 1;
        self.is_initial_after = is_initial_after;
    }

    fn end(&mut self, breach: Option<Breach>, on: &mut impl FnMut(Stretch<'_>)) {
        let Open { start, text, bytes, tail: (tail, is_initial), is_initial_after, .. } = self;
        let (place, is_initial_after) = (*start, *is_initial_after);
        on(Stretch { place, bytes, text: Some(text), breach, is_initial_after });
        if !tail.is_empty() {
            let place = Place { offset: start.offset + bytes.len() as u64, ..*start };
            on(Stretch { place, bytes: tail, text: Some(""), breach: None, is_initial_after: *is_initial });
        }
        (self.what, self.len) = (What::Nothing, 0);
        self.text.clear();
        self.bytes.clear();
        self.tail.0.clear();
    }
}

/// True if `c` interacts with no character before it: a normalization boundary.
fn begins_segment(c: char) -> bool {
    if c.is_ascii() {
        return true;
    }
    let quick = is_nfc_quick([c].into_iter());
    // A few Tibetan vowels are starters, and decompose into marks.
    let is_starter = match quick {
        IsNormalized::No => {
            let mut first = None;
            decompose_canonical(c, |c| first = first.or(Some(c)));
            canonical_combining_class(first.unwrap_or(c)) == 0
        }
        _ => canonical_combining_class(c) == 0,
    };
    is_starter && quick != IsNormalized::Maybe
}

/// `text` in `encoding`, if that has all of it.
pub(super) fn encoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let mut transcoder = Transcoder::new(Encoding::Utf8, encoding, Policy::Strict);
    // The header of a stream in ISO-2022-KR is at its beginning only.
    if encoding.name() == "ISO-2022-KR" {
        transcoder = transcoder.with_target_state(1);
    }
    let mut bytes = Vec::new();
    let step = transcoder.transcode_to_vec(text.as_bytes(), &mut bytes, true);
    (step.read == text.len() && !transcoder.had_errors()).then_some(bytes)
}

fn item(stretch: &Stretch<'_>, breach: &Breach) -> Item {
    let Stretch { place, bytes, text, .. } = stretch;
    let text = text.unwrap_or_default();
    let value = text.chars().next().filter(|_| !matches!(breach.kind, MISSING_BOM | LINE_END | NOT_NFC)).map(u32::from);
    let name = || value.and_then(|value| called(value).name).unwrap_or_default();
    let new = breach.new.as_deref().unwrap_or_default();
    let end_name = |text: &str| match text {
        "\n" => "LF",
        "\r" => "CR",
        _ => "CRLF",
    };
    let message = match breach.kind {
        BOM if place.offset == 0 => "byte order mark (BOM), which the text should not begin with".to_owned(),
        BOM => "byte order mark (BOM) inside the text, as in joined files".to_owned(),
        MISSING_BOM => "the text should begin with a byte order mark (BOM)".to_owned(),
        LINE_END if text == "\r" => format!("CR alone, not {}", end_name(new)),
        LINE_END => format!("the line ends with {}, not {}", end_name(text), end_name(new)),
        NOT_NFC => format!("{} is {} in NFC", spelled(text.chars()), spelled(text.chars().nfc())),
        BIDI_CONTROL => {
            format!("{} {} reorders what is shown, not what is read (UTS 55)", code(value.unwrap_or_default()), name())
        }
        REPLACEMENT => "U+FFFD stands for text that was lost when the file was made".to_owned(),
        _ => format!("{} {} is no part of text", code(value.unwrap_or_default()), name()),
    };
    Item {
        offset: place.offset,
        length: bytes.len(),
        line: place.line,
        column: place.column,
        bytes: hex(bytes),
        kind: breach.kind,
        code_point: value.map(code),
        message,
    }
}

/// `U+0065 U+0301`.
fn spelled(chars: impl Iterator<Item = char>) -> String {
    let mut codes: Vec<String> = chars.take(SPELLED + 1).map(|c| code(c.into())).collect();
    if codes.len() > SPELLED {
        codes[SPELLED] = "...".to_owned();
    }
    codes.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfkit::diagnose::Checker;

    const ALL: Rules = Rules::ALL;

    fn found(asked: Rules, encoding: Encoding, pieces: &[&[u8]]) -> Vec<(u64, u64, u64, String, &'static str)> {
        let mut scanner = Scan::new(asked, encoding, Standard::Rfc3629);
        let mut found = Vec::new();
        for bytes in pieces.iter().filter(|piece| !piece.is_empty()).chain([&&b""[..]]) {
            scanner.find(bytes, |item| found.push((item.offset, item.line, item.column, item.bytes, item.kind)));
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
        let require = Rules { bom: BomRule::Require, ..ALL };
        assert_eq!(found(require, Encoding::Utf16, &[b"\xFE\xFF\0a"]), []);
        assert_eq!(found(require, Encoding::Utf16, &[b"\0a"]).len(), 1);
    }

    #[test]
    fn text_in_nfc_has_no_findings_and_other_text_one_a_segment() {
        let nfc = Rules { nfc: true, ..Rules::NONE };
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
        let asked = Rules { bom: BomRule::Require, eol: Some(LineEnd::CrLf), ..Rules::NONE };
        let kinds: Vec<_> = found(asked, Encoding::Utf8, &[b"a\r\nb\nc\r"]).into_iter().map(|f| (f.0, f.4)).collect();
        assert_eq!(kinds, [(0, MISSING_BOM), (4, LINE_END), (6, LINE_END)]);
        assert_eq!(found(asked, Encoding::Utf8, &["\u{FEFF}a\r\n".as_bytes()]), []);
        assert_eq!(found(asked, Encoding::Utf8, &[]), [], "an empty file begins with nothing");
    }
}
