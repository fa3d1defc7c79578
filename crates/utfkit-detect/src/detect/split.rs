//! Splits bytes in which UTF-16 is joined to other text.
//!
//! The likeliest sequence of pieces is found by dynamic programming over the bytes: each byte of a
//! piece in bytes and each unit of a piece in UTF-16 costs some bits, and so does each join, least at
//! a BOM and at the start of a line. A join is sure if no other place near it costs nearly as little.

use alloc::vec::Vec;
use core::ops::Range;

use super::certainty::Certainty;
use super::detection::{Basis, Detection};
use super::options::Options;
use super::piece::Piece;
use super::plausible::{Kind, kind};
use crate::model::{BIT, Evaluation, wide_score};
use utfkit_core::Encoding;
use utfkit_core::internal::utf16::{is_high, is_low};

/// Longer streams are not split: a byte of memory is needed for each of theirs.
const LONGEST: usize = 64 << 20;
/// More pieces are no joined texts.
const MOST: usize = 1 << 16;

/// The costs of joins, in bits.
const AT_BOM: u32 = 6;
const AT_LINE: u32 = 16;
const ANYWHERE: u32 = 36;
/// The cost of what text does not contain.
const NEVER: u32 = 40;
/// The least cost of a unit that is rare in text.
const RARE: u32 = 18;
/// The number of bytes of UTF-16 before and after a join that may not be rare.
const EDGE: usize = 8;
/// The most that text costs per byte, in any encoding, and the distance in bytes at which that is
/// checked.
const MOST_PER_BYTE: u32 = 11;
const ENOUGH: usize = 2048;

/// The least difference in bits between a sure join and one at any place near it.
const LEAST_MARGIN: i64 = 8;
/// A line end says that much of a join, and less of one before or after bytes in an older encoding.
const MOST_BY_LINE: i64 = 13;
const MOST_BY_LINE_OF_OLD: i64 = 9;
/// The cost of a letter of another script than most of a piece.
const FOREIGN: i64 = 6;
/// The distance in units up to which other places are tried.
const NEAR: usize = 8;
/// The least number of units for which UTF-16 is nearly certain.
const SURE_UNITS: usize = 8;
/// A piece of fewer bytes may be half a character.
const SHORTEST: usize = 4;
/// The characters of a piece that are evaluated.
const EVALUATED: usize = 512;
/// The mean penalty up to which characters are text, in bits.
const MOST_PENALTY: i64 = 10;

/// How the bytes of a piece are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Bytes,
    Little,
    Big,
}

use Form::{Big, Bytes, Little};

impl Form {
    const ALL: [Form; 3] = [Bytes, Little, Big];

    /// The bytes of a unit.
    fn size(self) -> usize {
        if self == Bytes { 1 } else { 2 }
    }

    fn bom(self) -> &'static [u8] {
        match self {
            Bytes => b"\xEF\xBB\xBF",
            Little => b"\xFF\xFE",
            Big => b"\xFE\xFF",
        }
    }

    /// True if `front` ends with a line feed.
    fn ends_line(self, front: &[u8]) -> bool {
        front.ends_with(match self {
            Bytes => b"\n",
            Little => b"\n\0",
            Big => b"\0\n",
        })
    }

    fn unit(self, unit: [u8; 2]) -> u16 {
        if self == Little { u16::from_le_bytes(unit) } else { u16::from_be_bytes(unit) }
    }
}

/// The bytes, and their costs.
struct Costs<'a> {
    bytes: &'a [u8],
    /// For each byte, its place in a well-formed sequence of UTF-8: 0 if it is in none.
    sequences: Vec<u8>,
}

impl<'a> Costs<'a> {
    fn of(bytes: &'a [u8]) -> Costs<'a> {
        let mut sequences = alloc::vec![0; bytes.len()];
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                if !c.is_ascii() {
                    sequences[at..at + c.len_utf8()].fill(c.len_utf8() as u8);
                }
                at += c.len_utf8();
            }
            at += chunk.invalid().len();
        }
        Costs { bytes, sequences }
    }

    /// The cost of the byte at `at` as a byte.
    fn byte(&self, at: usize) -> u32 {
        let is_high = |at: usize| self.bytes.get(at).is_some_and(|byte| *byte >= 0x80);
        match self.bytes[at] {
            b'a'..=b'z' | b' ' => 5,
            b'\t' | b'\n' | b'\r' | b'!'..=b'~' => 6,
            0x08 | 0x0C | 0x1B => 10,
            0x1A if at + 1 == self.bytes.len() => 10,
            0 => NEVER,
            0x01..=0x1F | 0x7F => 20,
            0x80.. if self.sequences[at] == 2 => 5,
            0x80.. if self.sequences[at] > 2 => 4,
            // Letters of other alphabets and characters of two bytes follow each other.
            0x80.. if is_high(at + 1) || (at > 0 && is_high(at - 1)) => 7,
            0x80.. => 9,
        }
    }

    /// The unit at `at`; `None` at the end.
    fn unit(&self, form: Form, at: usize) -> Option<u16> {
        let unit = self.bytes.get(at..at + 2)?;
        Some(form.unit([unit[0], unit[1]]))
    }

    /// The cost of the unit at `at`.
    fn wide(&self, form: Form, at: usize) -> u32 {
        let Some(unit) = self.unit(form, at) else { return NEVER };
        // A line end in the other byte order is a letter of Gurmukhi.
        let letter = |at| self.unit(form, at).filter(|unit| unit & 0xFF != 0).map(|unit| kind(unit.into()));
        let before = || at.checked_sub(2).and_then(letter);
        let after = || letter(at + 2);
        match unit {
            0x61..=0x7A | 0x20 => 6,
            0x09 | 0x0A | 0x0D | 0x21..=0x7E => 7,
            0xFEFF => AT_BOM,
            _ if is_high(unit) && self.unit(form, at + 2).is_some_and(is_low) => 10,
            _ if is_low(unit) && at >= 2 && self.unit(form, at - 2).is_some_and(is_high) => 10,
            _ if is_high(unit) || is_low(unit) => NEVER,
            _ => match kind(unit.into()) {
                Kind::Odd | Kind::Never => NEVER,
                Kind::Rare => RARE,
                Kind::Ascii => 7,
                Kind::Shared => match unit {
                    ..0x250 => 9,
                    0x2010..=0x2026 | 0x3000..=0x3002 | 0x3008..=0x3011 | 0xFF01..=0xFF5E => 11,
                    _ => 16,
                },
                script => {
                    let c = char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER);
                    let is_in_a_row = before() == Some(script) || after() == Some(script);
                    let is_line_end = self.bytes[at + 1] == b'\n';
                    let wide = wide_score(c).clamp(6, RARE);
                    match (unit, is_in_a_row) {
                        // Bytes with a line end.
                        (_, false) if is_line_end && self.bytes[at].is_ascii_whitespace() => NEVER,
                        (_, false) if is_line_end && self.bytes[at].is_ascii_graphic() => 34,
                        (0x2E80.., true)
                            if is_line_end && self.bytes[at].is_ascii_graphic() && after() != Some(script) =>
                        {
                            wide + 10
                        }
                        (0x2E80.., true) => wide + 1,
                        (_, true) => 9,
                        (0x2E80.., false) => wide + 4,
                        (0x700.., false) if !c.is_alphanumeric() => 28,
                        (0x700.., false) => 20,
                        (_, false) => 14,
                    }
                }
            },
        }
    }

    fn cost(&self, form: Form, at: usize) -> u32 {
        if form == Bytes { self.byte(at) } else { self.wide(form, at) }
    }

    /// The cost of a join before `at`, where `before` ends and `form` begins.
    fn join(&self, before: Form, form: Form, at: usize) -> u32 {
        let front = &self.bytes[..at];
        let is_line = before.ends_line(front);
        match () {
            () if self.bytes[at..].starts_with(form.bom()) => AT_BOM,
            () if is_line => AT_LINE,
            () => ANYWHERE,
        }
    }

    /// The likeliest pieces, with their forms. `None` if the bytes are no text.
    fn pieces(&self) -> Option<Vec<(Form, Range<usize>)>> {
        let len = self.bytes.len();
        // The costs up to a place, by the last form, and from which form each came.
        let mut ring = [[u32::MAX; 3]; 3];
        ring[0] = [0; 3];
        let mut came = alloc::vec![0_u8; len + 1];
        let mut offset = 0_u32;
        for at in 0..len {
            let here = ring[at % 3];
            let least = here.into_iter().min().unwrap_or(u32::MAX);
            if at >= ENOUGH && at.is_multiple_of(ENOUGH) {
                offset = offset.saturating_add(least);
                ring.as_flattened_mut().iter_mut().filter(|cost| **cost != u32::MAX).for_each(|cost| {
                    *cost = cost.saturating_sub(least);
                });
                if offset / MOST_PER_BYTE > u32::try_from(at).unwrap_or(u32::MAX) {
                    return None;
                }
            }
            let here = ring[at % 3];
            ring[at % 3] = [u32::MAX; 3];
            for (to, form) in Form::ALL.into_iter().enumerate() {
                let (mut best, mut from) = (here[to], to);
                for (other, before) in Form::ALL.into_iter().enumerate().filter(|(other, _)| *other != to) {
                    // No join is cheaper than that.
                    if at > 0 && here[other].saturating_add(AT_BOM) < best {
                        let cost = here[other].saturating_add(self.join(before, form, at));
                        (best, from) = if cost < best { (cost, other) } else { (best, from) };
                    }
                }
                if best == u32::MAX {
                    continue;
                }
                let end = at + form.size();
                if end <= len {
                    ring[end % 3][to] = best.saturating_add(self.cost(form, at));
                    came[end] |= (from as u8) << (2 * to);
                }
            }
        }
        let last = ring[len % 3];
        let mut form = (0..3).min_by_key(|form| last[*form])?;
        let mut pieces: Vec<(Form, Range<usize>)> = Vec::new();
        let mut at = len;
        while at > 0 {
            let start = at.checked_sub(Form::ALL[form].size())?;
            match pieces.last_mut() {
                Some((last, range)) if *last == Form::ALL[form] && !self.begins_line(*last, at) => range.start = start,
                _ => pieces.push((Form::ALL[form], start..at)),
            }
            if pieces.len() > MOST {
                return None;
            }
            form = usize::from(came[at] >> (2 * form) & 3);
            at = start;
        }
        pieces.reverse();
        Some(pieces)
    }

    /// True if a BOM begins a line at `at`: another text begins.
    fn begins_line(&self, form: Form, at: usize) -> bool {
        self.begins(form, at) && form.ends_line(&self.bytes[..at])
    }

    fn begins(&self, form: Form, at: usize) -> bool {
        form != Bytes && self.bytes[at..].starts_with(form.bom())
    }

    /// True if the join between two pieces costs less than one at any other place near it.
    fn is_sure(&self, (before, first): &(Form, Range<usize>), (form, second): &(Form, Range<usize>)) -> bool {
        let (before, form) = (*before, *form);
        let here = i64::from(self.join(before, form, first.end));
        let mains = (self.main(before, first), self.main(form, second));
        let is_dearer = |is_later: bool| {
            let mut cost = 0;
            for by in 1..=NEAR {
                let (unit, place) = match is_later {
                    true => (first.end + 2 * by - 2, first.end + 2 * by),
                    false if first.len() > 2 * by => (first.end - 2 * by, first.end - 2 * by),
                    false => break,
                };
                if place >= second.end {
                    break;
                }
                let of = |form: Form, main: Option<Kind>| -> i64 {
                    let costs = (unit..unit + 2).step_by(form.size()).map(|at| i64::from(self.cost(form, at)));
                    let kind = self.unit(form, unit).map(|unit| kind(unit.into()));
                    let is_foreign = form != Bytes && matches!(kind, Some(Kind::Letter(_))) && kind != main;
                    costs.sum::<i64>() + if is_foreign { FOREIGN } else { 0 }
                };
                let more = of(before, mains.0) - of(form, mains.1);
                cost += if is_later { more } else { -more };
                let has_old = (before == Bytes || form == Bytes)
                    && (unit..unit + 2).any(|at| self.bytes[at] >= 0x80 && self.sequences[at] == 0);
                let by_line = if has_old { MOST_BY_LINE_OF_OLD } else { MOST_BY_LINE };
                let join = i64::from(self.join(before, form, place)).min(here + by_line);
                if cost + join < here + LEAST_MARGIN {
                    return false;
                }
            }
            true
        };
        let is_edge_clear = |form: Form, from: usize, to: usize| {
            form == Bytes || (from..to).step_by(2).all(|at| self.wide(form, at) < RARE)
        };
        let is_clear = is_edge_clear(form, second.start, second.end.min(second.start + EDGE))
            && is_edge_clear(before, first.start.max(first.end.saturating_sub(EDGE)), first.end);
        before == form || (is_clear && is_dearer(true) && is_dearer(false))
    }

    /// The script of most letters of a piece in UTF-16; `None` if that is Latin.
    fn main(&self, form: Form, range: &Range<usize>) -> Option<Kind> {
        if form == Bytes {
            return None;
        }
        let mut counts: Vec<(Option<Kind>, usize)> = Vec::new();
        for unit in self.bytes[range.clone()].as_chunks().0.iter().map(|unit| form.unit(*unit)) {
            let script = match kind(unit.into()) {
                letter @ Kind::Letter(_) => Some(letter),
                _ if char::from_u32(unit.into()).is_some_and(char::is_alphabetic) => None,
                _ => continue,
            };
            match counts.iter_mut().find(|(known, _)| *known == script) {
                Some((_, count)) => *count += 1,
                None => counts.push((script, 1)),
            }
        }
        counts.into_iter().max_by_key(|(_, count)| *count).and_then(|(script, _)| script)
    }

    /// The text of a piece in UTF-16, without its BOM.
    fn text(&self, form: Form, range: &Range<usize>, most: usize) -> Vec<char> {
        let mark = if self.begins(form, range.start) { 2 } else { 0 };
        let units = self.bytes[range.start + mark..range.end].as_chunks().0.iter().map(|unit| form.unit(*unit));
        char::decode_utf16(units.take(most)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }

    /// How sure UTF-16 can be whose ends may be a word or two in bytes.
    fn of_ends(&self, form: Form, range: &Range<usize>) -> Certainty {
        if self.has_line_of_bytes(form, range) {
            return Certainty::Guess;
        }
        let mut costs = range.clone().step_by(2).map(|at| self.wide(form, at)).filter(|cost| !matches!(cost, 6 | 7));
        let (first, last) = (costs.next().unwrap_or(0), costs.next_back().unwrap_or(0));
        match first.max(last) {
            28.. => Certainty::Guess,
            14.. => Certainty::Likely,
            _ => Certainty::Certain,
        }
    }

    /// True if UTF-16 without a BOM begins with what may be a line of US-ASCII, or ends with one.
    fn has_line_of_bytes(&self, form: Form, range: &Range<usize>) -> bool {
        let bytes = &self.bytes[range.clone()];
        let is_line = |line: &[u8]| {
            let words = line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            words.is_some_and(|words| !words.is_empty() && words.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t')))
        };
        let first = bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
        let last = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let last = last.iter().rposition(|byte| *byte == b'\n').map_or(bytes, |at| {
            // The rest of the unit with the line feed.
            bytes.get(at + if form == Little { 2 } else { 1 }..).unwrap_or_default()
        });
        (!self.begins(form, range.start) && is_line(first)) || is_line(last)
    }

    /// True if a piece in bytes ends with a line end, and the text before it does.
    fn is_line(&self, range: &Range<usize>) -> bool {
        let before = &self.bytes[..range.start];
        let begins_line = before.is_empty() || [Bytes, Little, Big].into_iter().any(|form| form.ends_line(before));
        begins_line && Bytes.ends_line(&self.bytes[range.clone()])
    }

    /// True if a piece in bytes has nothing in it that is no text.
    fn are_text(&self, range: &Range<usize>) -> bool {
        range.clone().all(|at| self.byte(at) < 20)
    }

    /// How sure it is that a piece is in UTF-16. `None` if it is no text.
    fn of_units(&self, form: Form, range: &Range<usize>) -> Option<Certainty> {
        let all = self.bytes[range.clone()].as_chunks::<2>().0.len();
        let costs = || range.clone().step_by(2).map(|at| self.wide(form, at));
        if costs().any(|cost| cost >= NEVER) || 8 * costs().filter(|cost| *cost >= RARE).count() > all {
            return None;
        }
        let text = self.text(form, range, EVALUATED);
        let is_wide = text.iter().any(|c| *c >= '\u{2E80}');
        if is_wide && Evaluation::of(text.iter().copied()).mean_penalty() > MOST_PENALTY * i64::from(BIT) {
            return None;
        }
        let is_marked = self.begins(form, range.start);
        // Fields of a letter that end with NUL are no units. One unit is a byte before a NUL.
        let has_line_end = range.clone().step_by(2).any(|at| self.unit(form, at) == Some(0x0A));
        let is_in_line = !is_marked && !has_line_end;
        match text.len() {
            0 | 1 if !is_marked => Some(Certainty::Guess),
            _ if is_in_line && Form::ALL.into_iter().any(|before| before.ends_line(&self.bytes[..range.start])) => {
                Some(Certainty::Likely)
            }
            _ if is_in_line => Some(Certainty::Guess),
            SURE_UNITS.. => Some(Certainty::NearlyCertain),
            _ if is_marked || text.iter().all(|c| matches!(c, '\r' | '\n')) => Some(Certainty::NearlyCertain),
            _ => Some(Certainty::Likely),
        }
    }
}

/// True if the bytes may be several texts, of which one is in UTF-16.
fn may_be_joined(found: &Detection) -> bool {
    match found.encoding {
        Some(Encoding::Utf16Le | Encoding::Utf16Be) => found.ill_formed.is_some_and(|n| n > 0) || found.has_joins,
        Some(encoding) if encoding.unit_size() > 1 => false,
        _ => found.joined.is_some() || found.nulls > 1,
    }
}

impl Detection {
    /// True if the bytes may be UTF-16 joined to other text, or lines in several older encodings: then
    /// [`split`](Detection::split) finds the pieces. [`detect`](super::detect()) has done so.
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
        self.basis != Basis::Joined && self.bytes <= LONGEST as u64 && (self.pages.is_some() || may_be_joined(self))
    }

    /// Finds the pieces of joined text. `bytes` is the whole input of the detection.
    pub fn split(&mut self, bytes: &[u8]) {
        let options = self.kept.as_ref().map(|kept| kept.options.clone()).unwrap_or_default();
        if !self.may_be_split() || bytes.len() as u64 != self.bytes {
            return;
        }
        if let Some(pages) = self.pages.take() {
            if let Some(pieces) = pages.pieces(bytes, &options) {
                self.set_pieces(pieces);
            }
            return;
        }
        let costs = Costs::of(bytes);
        let Some(split) = costs.pieces() else { return };
        if let [(form, range)] = split.as_slice()
            && *form != Bytes
            && self.encoding.is_some_and(|encoding| encoding.unit_size() == 2)
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

/// The pieces of joined text; `None` if it is not joined.
fn pieces(costs: &Costs<'_>, split: &[(Form, Range<usize>)], options: &Options) -> Option<Vec<Piece>> {
    let bytes = costs.bytes;
    let is_units = |(form, _): &&(Form, Range<usize>)| *form != Bytes;
    // UTF-16 may end in the middle of a character.
    let is_cut = match split {
        [(form, _), (Bytes, last)] if !bytes.ends_with(b"\n") => match last.len() {
            1 | 3 => true,
            2 => costs.unit(*form, last.start).is_some_and(is_high),
            _ => false,
        },
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
    let mut line = 1;
    for ((form, range), sure) in split.iter().zip(certainties) {
        let (encoding, certainty) = match form {
            Bytes => {
                let (encoding, detected) = of_bytes.next().unwrap_or((None, Certainty::Guess));
                (encoding, detected.min(sure))
            }
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
    }
    for (n, pair) in split.windows(2).enumerate() {
        if !costs.is_sure(&pair[0], &pair[1]) {
            pieces[n].certainty = Certainty::Guess;
        }
    }
    Some(pieces)
}

/// The encodings of the pieces in bytes: detected together, or separately if that is a guess.
fn of_bytes(
    bytes: &[u8],
    ranges: impl Iterator<Item = Range<usize>>,
    options: &Options,
) -> Vec<(Option<Encoding>, Certainty)> {
    let ranges: Vec<Range<usize>> = ranges.collect();
    let detected = |ranges: &[Range<usize>]| {
        let mut detector = options.detector();
        ranges.iter().for_each(|range| detector.feed(&bytes[range.clone()]));
        let found = detector.finish();
        let is_fit = match found.basis {
            Basis::Ascii | Basis::WellFormed | Basis::Declared => true,
            Basis::Likeliest { is_well_formed } => is_well_formed,
            _ => false,
        };
        match found.encoding.filter(|encoding| is_fit && !found.mixed && encoding.unit_size() == 1) {
            Some(encoding) => (Some(encoding), found.certainty),
            None => (None, Certainty::Guess),
        }
    };
    // With ESC it may be in an encoding of seven bits.
    let is_plain = |range: &[Range<usize>]| bytes[range[0].clone()].iter().all(|byte| byte.is_ascii() && *byte != 0x1B);
    let all = detected(&ranges);
    ranges
        .chunks(1)
        .map(|range| match all.1 {
            _ if is_plain(range) => (Some(Encoding::UsAscii), Certainty::Certain),
            Certainty::Guess => detected(range),
            _ => all,
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
                let bytes = encoded(&[MARK, text, "🎉"].concat(), wide);
                let found = detect(&bytes[..bytes.len() - 1]);
                assert_eq!(found.encoding(), Some(wide), "{found}");
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
