//! Splits bytes in which UTF-16 is joined to other text.
//!
//! The likeliest sequence of pieces is found by dynamic programming over the bytes: each byte of a
//! piece in bytes and each unit of a piece in UTF-16 costs some bits, and so does each join, least at
//! a BOM and at the start of a line. A join is sure if no other place near it costs nearly as little.

use alloc::vec::Vec;
use core::ops::Range;

use super::certainty::Certainty;
use super::costs::Costs;
use super::costs::Form::{self, Big, Bytes, Little};
use super::detection::{Basis, Detection};
use super::options::Options;
use super::piece::Piece;
use super::sections::{JAPANESE, Sections, has_japanese, is_plain};
use utfkit_core::Encoding;
use utfkit_core::bom::Bom;
use utfkit_core::internal::utf16::is_high;

/// Longer streams are not split: a byte of memory is needed for each of theirs.
const LONGEST: usize = 64 << 20;
/// The lengths of the fronts that are read before all.
const FRONTS: [usize; 2] = [8 << 10, 256 << 10];
/// A piece of fewer bytes may be half a character.
const SHORTEST: usize = 4;

/// True if the bytes may be several texts, of which one is in UTF-16.
fn may_be_joined(found: &Detection) -> bool {
    match found.encoding {
        Some(Encoding::Utf16Le | Encoding::Utf16Be) => found.ill_formed.is_some_and(|n| n > 0) || found.has_joins,
        Some(encoding) if encoding.unit_size() > 1 => false,
        _ => found.joined.is_some() || found.nulls > 1,
    }
}

impl Detection {
    /// True if the bytes may be UTF-16 joined to other text, lines in several older encodings, or mails that declare
    /// theirs: then [`split`](Detection::split) finds the pieces. [`detect`](super::detect()) has done so.
    ///
    /// ```
    /// use utfkit::detect::{Basis, Detector};
    ///
    /// let bytes = b"node_modules/\nc\0o\0v\0e\0r\0a\0g\0e\0/\0\r\0\n\0";
    /// let mut detector = Detector::new();
    /// detector.feed(bytes);
    /// let mut found = detector.finish();
    /// assert!(found.may_be_split());
    /// found.split(bytes);
    /// assert_eq!(found.basis(), Basis::Joined);
    /// let pieces: Vec<_> = found.pieces().iter().map(|piece| (piece.range.start, piece.encoding.unwrap().name())).collect();
    /// assert_eq!(pieces, [(0, "US-ASCII"), (14, "UTF-16LE")]);
    /// ```
    pub fn may_be_split(&self) -> bool {
        let is_known = self.pages.is_some() || self.sections.is_some();
        self.basis != Basis::Joined && self.bytes <= LONGEST as u64 && (is_known || may_be_joined(self))
    }

    /// Finds the pieces of joined text. `bytes` is the whole input of the detection.
    pub fn split(&mut self, bytes: &[u8]) {
        let options = self.kept.as_ref().map(|kept| kept.options.clone()).unwrap_or_default();
        if !self.may_be_split() || bytes.len() as u64 != self.bytes {
            return;
        }
        if let Some(sections) = self.sections.take() {
            let has_escapes = has_japanese(bytes);
            let lines = || of_sections(Sections::Japanese, bytes, &options);
            let pieces = of_sections(sections, bytes, &options);
            if let Some(pieces) = pieces.or_else(|| if has_escapes { lines() } else { None }) {
                self.pages = None;
                self.set_pieces(pieces);
                return;
            }
            if (has_escapes || sections == Sections::AfterBom) && self.basis != Basis::WellFormed {
                // Some of it is in no encoding of the rest.
                self.certainty = Certainty::Guess;
                return;
            }
            if !self.may_be_split() {
                return;
            }
        }
        if let Some(pages) = self.pages.take() {
            if let Some(pieces) = pages.pieces(bytes, &options) {
                self.set_pieces(pieces);
            }
            return;
        }
        let is_in_units = self.encoding.is_some_and(|encoding| encoding.unit_size() == 2);
        // Most binary files are no text from the front on.
        let is_no_text = |len: usize| bytes.len() > len && Costs::of(&bytes[..len]).pieces(true).is_none();
        if !is_in_units && FRONTS.into_iter().any(is_no_text) {
            return;
        }
        let costs = Costs::of(bytes);
        let Some(split) = costs.pieces(!is_in_units) else { return };
        if let [(form, range)] = split.as_slice()
            && *form != Bytes
            && is_in_units
        {
            let is_marked = costs.begins(*form, range.start);
            if !is_marked || costs.has_line_of_bytes(*form, range) {
                self.certainty = self.certainty.min(costs.of_ends(*form, range));
            }
        }
        let Some(pieces) = pieces(&costs, &split, &options) else { return };
        let is_allowed = |piece: &Piece| piece.encoding.is_none_or(|encoding| options.allows(encoding));
        if !pieces.iter().all(is_allowed) {
            return;
        }
        self.set_pieces(pieces);
    }

    fn set_pieces(&mut self, pieces: Vec<Piece>) {
        self.certainty = pieces.iter().map(|piece| piece.certainty).min().unwrap_or(Certainty::Guess);
        (self.encoding, self.basis, self.mixed, self.joined) = (None, Basis::Joined, true, None);
        (self.bom, self.declaration, self.ill_formed, self.equivalent) = (None, None, None, None);
        (self.foreign, self.truncated, self.cut, self.first) = (None, false, 0, None);
        (self.pieces, self.more_pieces, self.utf7_runs) = (pieces, 0, None);
    }
}

/// The pieces of text whose encoding changes where it says so; `None` if all are in one encoding, or one is a guess.
fn of_sections(kind: Sections, bytes: &[u8], options: &Options) -> Option<Vec<Piece>> {
    let sections = kind.ranges(bytes)?;
    let open = sections.iter().filter(|(_, encoding)| encoding.is_none()).map(|(range, _)| range.clone());
    let mut found = match kind {
        Sections::Japanese | Sections::Cards | Sections::AfterBom => of_bytes(bytes, open, options),
        Sections::Mails => open.flat_map(|range| of_bytes(bytes, core::iter::once(range), options)).collect(),
    }
    .into_iter();
    let (mut pieces, mut line) = (Vec::new(), 1);
    for (range, encoding) in sections {
        let part = match encoding {
            Some(encoding) => Part::One(Some(encoding), Certainty::NearlyCertain),
            None => found.next()?,
        };
        line = part.push(&mut pieces, bytes, range, line);
    }
    let is_guess = |piece: &Piece| piece.encoding.is_none() || piece.certainty == Certainty::Guess;
    let known = |piece: &&Piece| piece.encoding != Some(Encoding::UsAscii);
    let mut encodings = pieces.iter().filter(known).map(|piece| piece.encoding);
    let first = encodings.next();
    (encodings.any(|other| Some(other) != first) && !pieces.iter().any(is_guess)).then_some(pieces)
}

/// The pieces of joined text; `None` if it is not joined.
fn pieces(costs: &Costs<'_>, split: &[(Form, Range<usize>)], options: &Options) -> Option<Vec<Piece>> {
    let bytes = costs.bytes;
    let is_units = |(form, _): &&(Form, Range<usize>)| *form != Bytes;
    // UTF-16 may end in the middle of a character.
    let is_cut = match split {
        [(form, units), (Bytes, last)] => match last.len() {
            // A line feed may have been appended, but not to CR.
            1 if bytes.ends_with(b"\n") => costs.unit(*form, units.end - 2) == Some(u16::from(b'\r')),
            1 | 3 => !bytes.ends_with(b"\n"),
            2 => costs.unit(*form, last.start).is_some_and(is_high),
            _ => false,
        },
        // The other byte order from the second byte of a BOM on.
        [(Bytes, first), _] => first.len() == 1 && Bom::of(bytes).is_some(),
        _ => false,
    };
    if split.len() < 2 || is_cut || !split.iter().any(|piece| is_units(&piece)) {
        return None;
    }
    let mut certainties = Vec::with_capacity(split.len());
    for (form, range) in split {
        certainties.push(match form {
            Bytes if !costs.are_text(range) => return None,
            // The rest of a unit or two, if the file does not begin and end at characters.
            Bytes if range.len() < SHORTEST && !costs.is_line(range) => Certainty::Guess,
            Bytes => Certainty::Certain,
            form => costs.of_units(*form, range)?,
        });
    }
    // A piece that is a guess needs a sure one in the same form.
    let is_known = |form: Form| {
        form == Bytes
            || split.iter().zip(&certainties).any(|((other, _), sure)| *other == form && *sure > Certainty::Guess)
    };
    if split.iter().zip(&certainties).any(|((form, _), sure)| *sure == Certainty::Guess && !is_known(*form)) {
        return None;
    }
    let of_bytes =
        of_bytes(bytes, split.iter().filter(|piece| !is_units(piece)).map(|(_, range)| range.clone()), options);
    let mut of_bytes = of_bytes.into_iter();
    let mut pieces: Vec<Piece> = Vec::with_capacity(split.len());
    // Of each part of the split, the last piece.
    let mut last: Vec<usize> = Vec::with_capacity(split.len());
    let mut line = 1;
    for ((form, range), sure) in split.iter().zip(certainties) {
        let (encoding, certainty) = match form {
            Bytes => match of_bytes.next() {
                Some(Part::One(encoding, detected)) => (encoding, detected.min(sure)),
                Some(parts @ Part::Several(_)) => {
                    let before = pieces.len();
                    line = parts.push(&mut pieces, bytes, range.clone(), line);
                    pieces[before..].iter_mut().for_each(|piece| piece.certainty = piece.certainty.min(sure));
                    last.push(pieces.len() - 1);
                    continue;
                }
                None => (None, Certainty::Guess),
            },
            Little => (Some(Encoding::Utf16Le), sure.max(Certainty::Likely).min(costs.of_ends(*form, range))),
            Big => (Some(Encoding::Utf16Be), sure.max(Certainty::Likely).min(costs.of_ends(*form, range))),
        };
        let first = line;
        line += match form {
            Bytes => bytes[range.clone()].iter().filter(|byte| **byte == b'\n').count() as u64,
            form => costs.text(*form, range, usize::MAX).iter().filter(|c| **c == '\n').count() as u64,
        };
        let lines = first..if form.ends_line(&bytes[..range.end]) { line } else { line + 1 };
        pieces.push(Piece { range: range.start as u64..range.end as u64, lines, encoding, certainty, is_cut: false });
        last.push(pieces.len() - 1);
    }
    for (last, pair) in last.into_iter().zip(split.windows(2)) {
        if !costs.is_sure(&pair[0], &pair[1]) {
            pieces[last].certainty = Certainty::Guess;
        }
    }
    Some(pieces)
}

/// A piece in bytes.
#[derive(Clone)]
enum Part {
    /// In one encoding; `None` if it is unknown.
    One(Option<Encoding>, Certainty),
    /// In UTF-8 and another encoding.
    Several(Vec<Piece>),
}

impl Part {
    const UNKNOWN: Part = Part::One(None, Certainty::Guess);

    fn of(found: Detection) -> Part {
        let is_fit = match found.basis {
            Basis::Ascii | Basis::WellFormed | Basis::Declared => true,
            // Each of its lines is whole.
            Basis::Escapes { .. } => found.encoding == Some(JAPANESE),
            Basis::Likeliest { is_well_formed } => is_well_formed,
            Basis::Damaged => {
                let is_mixed = found.mixed && found.cut == 0 && !found.truncated && found.more_pieces == 0;
                return if is_mixed { Part::Several(found.pieces) } else { Part::UNKNOWN };
            }
            _ => false,
        };
        match found.encoding.filter(|encoding| is_fit && !found.mixed && encoding.unit_size() == 1) {
            Some(encoding) => Part::One(Some(encoding), found.certainty),
            None => Part::UNKNOWN,
        }
    }

    /// Adds its pieces at `range`, the first byte of which is in `line`. Returns the line of the byte after it.
    fn push(self, pieces: &mut Vec<Piece>, bytes: &[u8], range: Range<usize>, line: u64) -> u64 {
        let text = &bytes[range.clone()];
        let next = line + text.iter().filter(|byte| **byte == b'\n').count() as u64;
        let (start, end) = (range.start as u64, range.end as u64);
        match self {
            Part::Several(parts) => pieces.extend(parts.into_iter().map(|part| Piece {
                range: part.range.start + start..part.range.end + start,
                lines: part.lines.start + line - 1..part.lines.end + line - 1,
                ..part
            })),
            Part::One(encoding, certainty) => {
                let lines = line..if text.ends_with(b"\n") { next } else { next + 1 };
                match pieces.last_mut() {
                    Some(last) if last.encoding == encoding && !last.is_cut => {
                        (last.range.end, last.lines.end) = (end, lines.end);
                        last.certainty = last.certainty.min(certainty);
                    }
                    _ => pieces.push(Piece { range: start..end, lines, encoding, certainty, is_cut: false }),
                }
            }
        }
        next
    }
}

/// The encodings of the pieces in bytes: detected together, or separately if that is a guess.
fn of_bytes(bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>, options: &Options) -> Vec<Part> {
    let ranges: Vec<Range<usize>> = ranges.collect();
    let detected = |ranges: &[Range<usize>]| {
        let mut detector = options.detector();
        ranges.iter().for_each(|range| detector.feed(&bytes[range.clone()]));
        Part::of(detector.finish())
    };
    let all = detected(&ranges);
    ranges
        .chunks(1)
        .map(|range| match all {
            _ if is_plain(&bytes[range[0].clone()]) => Part::One(Some(Encoding::UsAscii), Certainty::Certain),
            Part::One(Some(encoding), certainty) if certainty > Certainty::Guess => {
                Part::One(Some(encoding), certainty)
            }
            _ => detected(range),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::detect;
    use crate::repair::unite;
    use alloc::string::{String, ToString};
    use alloc::vec;

    const WIDE: [Encoding; 2] = [Encoding::Utf16Le, Encoding::Utf16Be];
    const MARK: &str = "\u{FEFF}";

    const TEXTS: [&str; 9] = [
        "*.tmp\nout/\n.cache/\n",
        "The tests ran for two minutes, and none of them failed.\r\n",
        "Тесты шли две минуты, и ни один не упал.\nПовторим завтра.\n",
        "Οι δοκιμές διήρκεσαν δύο λεπτά.\r\n",
        "测试运行了两分钟，全部通过。\n明天再运行一次。\n",
        "試験は二分で終わり、すべて成功しました。\r\n",
        "시험은 이 분 만에 끝났고 모두 통과했습니다.\n",
        "הבדיקות נמשכו שתי דקות.\n",
        "Prüfung beendet; Größe: 12 MB, Fälle: 340\r\n",
    ];

    fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
        match encoding {
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            other => other.encode(text).0.into_owned(),
        }
    }

    /// The text of bytes that are joined and of which all is sure.
    fn united(bytes: &[u8]) -> Option<String> {
        let found = detect(bytes);
        if found.basis() != Basis::Joined || found.certainty() == Certainty::Guess {
            return None;
        }
        let end = found.pieces().iter().try_fold(0, |at, piece| (piece.range.start == at).then_some(piece.range.end));
        assert_eq!(end, Some(bytes.len() as u64), "{found}");
        let mut text = Vec::new();
        unite(bytes, found.pieces(), |stretch| text.extend_from_slice(stretch.text()));
        Some(String::from_utf8(text).unwrap())
    }

    #[track_caller]
    fn assert_united(parts: &[(&str, Encoding)]) {
        let bytes: Vec<u8> = parts.iter().flat_map(|(text, encoding)| encoded(text, *encoding)).collect();
        let text: String = parts.iter().map(|(text, _)| text.trim_start_matches(MARK)).collect();
        assert_eq!(united(&bytes).as_deref(), Some(&*text), "{parts:?}: {}", detect(&bytes));
    }

    #[track_caller]
    fn assert_not_wrong(parts: &[(&str, Encoding)]) {
        let bytes: Vec<u8> = parts.iter().flat_map(|(text, encoding)| encoded(text, *encoding)).collect();
        let found = detect(&bytes);
        if found.certainty() > Certainty::Guess {
            assert_united(parts);
        }
    }

    #[test]
    fn half_a_unit_at_the_end_is_no_other_text() {
        for text in TEXTS {
            for wide in WIDE {
                for end in ["🎉", "end", "\r\n"] {
                    let bytes = encoded(&[MARK, text, end].concat(), wide);
                    let found = detect(&bytes[..bytes.len() - 1]);
                    assert_eq!(found.encoding(), Some(wide), "{found}");
                }
            }
        }
    }

    /// A transfer of UTF-16 as US-ASCII put CR before each byte of a line feed.
    #[test]
    fn utf_16_with_the_line_ends_of_bytes_is_a_guess() {
        for text in TEXTS {
            for wide in WIDE {
                for text in [[text, text].concat(), [MARK, text, text].concat()] {
                    let bytes: Vec<u8> = encoded(&text.replace('\r', ""), wide)
                        .into_iter()
                        .flat_map(|byte| if byte == b'\n' { vec![b'\r', byte] } else { vec![byte] })
                        .collect();
                    let found = detect(&bytes);
                    let is_open = found.certainty() == Certainty::Guess || found.basis() == Basis::NoText;
                    assert!(is_open, "{text} {wide}: {found}");
                }
            }
        }
    }

    #[test]
    fn utf_16_from_the_middle_of_a_unit_is_a_guess() {
        for text in TEXTS {
            for wide in WIDE {
                let bytes = encoded(&text.repeat(3), wide);
                for bytes in [&bytes[1..], &bytes[3..], &bytes[1..bytes.len() - 2]] {
                    let found = detect(bytes);
                    assert!(found.basis() != Basis::Joined || found.certainty() == Certainty::Guess, "{found}: {text}");
                }
            }
        }
    }

    #[test]
    fn the_pieces_of_joined_text_are_found() {
        for wide in WIDE {
            for first in TEXTS {
                for second in TEXTS {
                    assert_united(&[(first, Encoding::Utf8), (second, wide)]);
                    assert_united(&[(&[MARK, first].concat(), wide), (second, Encoding::Utf8)]);
                    let marked = [MARK, second].concat();
                    assert_united(&[(first, Encoding::Utf8), (&marked, wide)]);
                    assert_united(&[(&[MARK, first].concat(), wide), (&marked, wide)]);
                }
            }
        }
    }

    /// The front that is read first may end within a character.
    #[test]
    fn long_texts_are_split_too() {
        for wide in WIDE {
            for text in TEXTS {
                let repeats = FRONTS[0] / text.len() + 1;
                let long = text.repeat(repeats);
                for padding in ["", "1", "12", "123"] {
                    let first = [padding, &*long].concat();
                    assert_united(&[(&first, Encoding::Utf8), (&[MARK, text].concat(), wide)]);
                    assert_united(&[(&[MARK, &*first].concat(), wide), (text, Encoding::Utf8)]);
                    // Units at odd offsets are read, too.
                    let front = [padding, TEXTS[0]].concat();
                    assert_united(&[(&front, Encoding::Utf8), (&[MARK, &*long].concat(), wide)]);
                }
            }
        }
    }

    #[test]
    fn a_front_tells_what_is_no_text() {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let archive: Vec<u8> = (0..FRONTS[0]).map(|_| next()).collect();
        let dictionary: Vec<u8> = b"words\x02that\x05begin\0alike\n".repeat(FRONTS[0] / 20);
        for bytes in [archive, dictionary] {
            assert!(Costs::of(&bytes[..FRONTS[0]]).pieces(true).is_none());
        }
    }

    #[test]
    fn byte_orders_may_differ() {
        for first in TEXTS {
            for second in TEXTS {
                for (one, other) in [(WIDE[0], WIDE[1]), (WIDE[1], WIDE[0])] {
                    assert_united(&[(&[MARK, first].concat(), one), (&[MARK, second].concat(), other)]);
                }
            }
        }
    }

    #[test]
    fn bytes_may_be_in_an_older_encoding() {
        let old = |name: &str| Encoding::for_label(name).unwrap();
        let texts = [
            (TEXTS[2], old("windows-1251")),
            (TEXTS[2], old("KOI8-R")),
            (TEXTS[3], old("windows-1253")),
            (TEXTS[4], old("GBK")),
            (TEXTS[6], old("EUC-KR")),
            (TEXTS[8], old("windows-1252")),
        ];
        for (text, encoding) in texts {
            for wide in WIDE {
                let long = text.repeat(3);
                for other in [TEXTS[0], TEXTS[1], text] {
                    assert_united(&[(&long, encoding), (other, wide)]);
                    assert_united(&[(&[MARK, other].concat(), wide), (&long, encoding)]);
                }
            }
        }
    }

    #[test]
    fn bytes_may_be_utf_8_with_lines_in_an_older_encoding() {
        for (name, text) in [("windows-1251", TEXTS[2]), ("windows-1253", TEXTS[3]), ("windows-1252", TEXTS[8])] {
            let old = Encoding::for_label(name).unwrap();
            for wide in WIDE {
                let parts =
                    [(&*text.repeat(4), Encoding::Utf8), (&text.repeat(2), old), (text, Encoding::Utf8), (text, wide)];
                assert_united(&parts);
                assert_united(&[(&[MARK, text].concat(), wide), parts[0], parts[1]]);
            }
        }
    }

    #[test]
    fn several_pieces_stand_at_any_offset() {
        for wide in WIDE {
            for front in ["ab\n", "abc\n"] {
                for text in TEXTS {
                    let between = ["and then once more ", front].concat();
                    let parts = [(front, Encoding::Utf8), (text, wide), (&*between, Encoding::Utf8), (text, wide)];
                    match text.starts_with(['测', '試', '시']) {
                        // The letters of a short word are two ideographs.
                        true => assert_not_wrong(&parts),
                        false => assert_united(&parts),
                    }
                    let log = "08:15 started\n08:16 still running\n";
                    assert_united(&[(log, Encoding::Utf8), (text, wide), (log, Encoding::Utf8)]);
                }
            }
        }
    }

    #[test]
    fn a_line_end_of_the_other_width_is_a_piece() {
        for text in TEXTS {
            for wide in WIDE {
                assert_united(&[(text, Encoding::Utf8), ("\r\n", wide)]);
                for end in ["\n", "\r\n"] {
                    assert_united(&[(&[MARK, text].concat(), wide), (end, Encoding::Utf8)]);
                }
            }
        }
    }

    #[test]
    fn a_join_without_a_line_end_is_right_or_open() {
        let mut sure = 0;
        for wide in WIDE {
            for first in TEXTS {
                for second in TEXTS {
                    let first = first.trim_end();
                    for parts in [[(first, Encoding::Utf8), (second, wide)], [(first, wide), (second, Encoding::Utf8)]]
                    {
                        let bytes: Vec<u8> =
                            parts.iter().flat_map(|(text, encoding)| encoded(text, *encoding)).collect();
                        let found = united(&bytes);
                        sure += u32::from(found.is_some());
                        assert!(
                            found.is_none_or(|text| text == [first, second].concat()),
                            "{parts:?}: {}",
                            detect(&bytes)
                        );
                    }
                }
            }
        }
        assert!(sure > 90, "{sure}");
    }

    #[test]
    fn lines_count_in_pieces() {
        let bytes = [b"one\ntwo\n".as_slice(), &encoded("three\nfour\n", WIDE[0]), b"five"].concat();
        let found = detect(&bytes);
        assert_eq!(
            found.to_string(),
            "mixed (nearly certain: US-ASCII on lines 1–2, UTF-16LE on lines 3–4, US-ASCII on line 5)"
        );
        assert!(found.is_mixed() && found.encoding().is_none());
    }

    #[test]
    fn an_unknown_piece_is_told() {
        let bytes = [vec![0xC9; 40], b"\n".to_vec(), encoded("all of it is done\n", WIDE[0])].concat();
        assert_eq!(united(&bytes), None);
    }

    #[test]
    fn nul_bytes_in_text_are_no_units() {
        for bytes in [
            &b"cc\0c\0h\0c\0"[..],
            b"id\0jumps\0",
            b"a\0b\0",
            b"name\0city\0\nAna\0Rome\0\n",
            b"1,Ana\0\0\0\n2,Bo\0\0\0\0\n",
            b"one line of text\n\0",
            b"one line of text\0\n",
            b"padded to a length\n\0\0\0\0\0\0\0\0",
            b"\0\x05hello\0\x05world\0\x03and",
            b"\x05\0hello\x05\0world\x03\0and",
            b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0",
        ] {
            assert_ne!(detect(bytes).basis(), Basis::Joined, "{bytes:?}");
        }
    }

    #[test]
    fn excluded_encodings_are_not_named() {
        let bytes = [b"one\ntwo\n".as_slice(), &encoded("three\nfour\n", WIDE[0])].concat();
        assert_eq!(detect(&bytes).basis(), Basis::Joined);
        assert_ne!(Options::new().not([Encoding::Utf16Le]).detect(&bytes).basis(), Basis::Joined);
    }
}
