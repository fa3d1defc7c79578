//! The costs of bytes and units as text, and of joins, and the sequence of pieces with the least.

use alloc::vec::Vec;
use core::ops::Range;

use super::certainty::Certainty;
use super::plausible::{Kind, kind};
use crate::model::{BIT, Evaluation, wide_score};
use utfkit_core::internal::utf16::{is_high, is_low};

/// More pieces are no joined texts.
const MOST: usize = 1 << 16;

/// The costs of joins, in bits.
const AT_BOM: u32 = 6;
const AT_LINE: u32 = 16;
const ANYWHERE: u32 = 36;
/// The cost of what text does not contain.
const NEVER: u32 = 40;
/// The cost of a control that is no text in bytes.
const CONTROL: u32 = 20;
/// The least cost of a unit that is rare in text.
const RARE: u32 = 18;
/// The number of bytes of UTF-16 before and after a join that may not be rare.
const EDGE: usize = 8;
/// The most that text costs per byte, in any encoding, and the distance in bytes at which that is
/// checked. Programs and archives cost from 8 to 11 bits.
const MOST_PER_BYTE: u32 = 9;
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
/// The characters of a piece that are evaluated.
const EVALUATED: usize = 512;
/// The mean penalty up to which characters are text, in bits.
const MOST_PENALTY: i64 = 10;

/// How the bytes of a piece are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
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
    pub(super) fn ends_line(self, front: &[u8]) -> bool {
        front.ends_with(match self {
            Bytes => b"\n",
            Little => b"\n\0",
            Big => b"\0\n",
        })
    }

    pub(super) fn unit(self, unit: [u8; 2]) -> u16 {
        if self == Little { u16::from_le_bytes(unit) } else { u16::from_be_bytes(unit) }
    }
}

/// The bytes, and their costs.
pub(super) struct Costs<'a> {
    pub(super) bytes: &'a [u8],
    /// For each byte, its place in a well-formed sequence of UTF-8: 0 if it is in none.
    sequences: Vec<u8>,
}

impl<'a> Costs<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Costs<'a> {
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
            0x01..=0x1F | 0x7F => CONTROL,
            0x80.. if self.sequences[at] == 2 => 5,
            0x80.. if self.sequences[at] > 2 => 4,
            // Letters of other alphabets and characters of two bytes follow each other.
            0x80.. if is_high(at + 1) || (at > 0 && is_high(at - 1)) => 7,
            0x80.. => 9,
        }
    }

    /// The unit at `at`; `None` at the end.
    pub(super) fn unit(&self, form: Form, at: usize) -> Option<u16> {
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
                    let wide = || wide_score(c).clamp(6, RARE);
                    match (unit, is_in_a_row) {
                        // Bytes with a line end.
                        (_, false) if is_line_end && self.bytes[at].is_ascii_whitespace() => NEVER,
                        (_, false) if is_line_end && self.bytes[at].is_ascii_graphic() => 34,
                        (0x2E80.., true)
                            if is_line_end && self.bytes[at].is_ascii_graphic() && after() != Some(script) =>
                        {
                            wide() + 10
                        }
                        (0x2E80.., true) => wide() + 1,
                        (_, true) => 9,
                        (0x2E80.., false) => wide() + 4,
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
        match () {
            () if self.bytes[at..].starts_with(form.bom()) => AT_BOM,
            () if before.ends_line(&self.bytes[..at]) => AT_LINE,
            () => ANYWHERE,
        }
    }

    /// The least that a join before `at` costs.
    fn least_join(&self, at: usize) -> u32 {
        match (at.checked_sub(1).map(|before| self.bytes[before]), self.bytes[at]) {
            (_, 0xEF | 0xFE | 0xFF) => AT_BOM,
            (Some(b'\n' | 0), _) => AT_LINE,
            _ => ANYWHERE,
        }
    }

    /// The likeliest pieces, with their forms. `None` if the bytes are no text, or, with `is_strict`, if one of the
    /// pieces has something in it that is none.
    pub(super) fn pieces(&self, is_strict: bool) -> Option<Vec<(Form, Range<usize>)>> {
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
                // A unit may be across this place.
                let is_flawed = |to| (0..3).all(|form| self.has_flaw(&came, form, at - ENOUGH, to));
                if is_strict && is_flawed(at) && is_flawed(at - 1) {
                    return None;
                }
            }
            let here = ring[at % 3];
            ring[at % 3] = [u32::MAX; 3];
            let least_join = self.least_join(at);
            for (to, form) in Form::ALL.into_iter().enumerate() {
                let (mut best, mut from) = (here[to], to);
                for (other, before) in Form::ALL.into_iter().enumerate().filter(|(other, _)| *other != to) {
                    if at > 0 && here[other].saturating_add(least_join) < best {
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

    /// True if something is no text on the way from `start` to `at` that ends in a form, by its number.
    fn has_flaw(&self, came: &[u8], mut form: usize, start: usize, mut at: usize) -> bool {
        while let Some(before) = at.checked_sub(Form::ALL[form].size()).filter(|before| *before >= start) {
            if self.is_flaw(Form::ALL[form], before) {
                return true;
            }
            form = usize::from(came[at] >> (2 * form) & 3);
            at = before;
        }
        false
    }

    /// True for a byte or a unit that is in no text.
    fn is_flaw(&self, form: Form, at: usize) -> bool {
        self.cost(form, at) >= if form == Bytes { CONTROL } else { NEVER }
    }

    /// True if a BOM begins a line at `at`: another text begins.
    fn begins_line(&self, form: Form, at: usize) -> bool {
        self.begins(form, at) && form.ends_line(&self.bytes[..at])
    }

    pub(super) fn begins(&self, form: Form, at: usize) -> bool {
        form != Bytes && self.bytes[at..].starts_with(form.bom())
    }

    /// True if the join between two pieces costs less than one at any other place near it.
    pub(super) fn is_sure(
        &self,
        (before, first): &(Form, Range<usize>),
        (form, second): &(Form, Range<usize>),
    ) -> bool {
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
    pub(super) fn text(&self, form: Form, range: &Range<usize>, most: usize) -> Vec<char> {
        let mark = if self.begins(form, range.start) { 2 } else { 0 };
        let units = self.bytes[range.start + mark..range.end].as_chunks().0.iter().map(|unit| form.unit(*unit));
        char::decode_utf16(units.take(most)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }

    /// How sure UTF-16 can be whose ends may be a word or two in bytes.
    pub(super) fn of_ends(&self, form: Form, range: &Range<usize>) -> Certainty {
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
    pub(super) fn has_line_of_bytes(&self, form: Form, range: &Range<usize>) -> bool {
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
    pub(super) fn is_line(&self, range: &Range<usize>) -> bool {
        let before = &self.bytes[..range.start];
        let begins_line = before.is_empty() || [Bytes, Little, Big].into_iter().any(|form| form.ends_line(before));
        begins_line && Bytes.ends_line(&self.bytes[range.clone()])
    }

    /// True if a piece in bytes has nothing in it that is no text.
    pub(super) fn are_text(&self, range: &Range<usize>) -> bool {
        !range.clone().any(|at| self.is_flaw(Bytes, at))
    }

    /// How sure it is that a piece is in UTF-16. `None` if it is no text.
    pub(super) fn of_units(&self, form: Form, range: &Range<usize>) -> Option<Certainty> {
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
