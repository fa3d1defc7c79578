//! The stream as UTF-8 or one of its relatives.

use alloc::vec::Vec;
use core::ops::Range;

use utfkit_core::internal::utf8::is_continuation;
use utfkit_core::internal::{Decoded, utf8};
use utfkit_core::{Encoding, ErrorKind, Standard};
use utfkit_core::{count_code_points, utf8_len_from_latin1, utf16_len_from_utf8};
use utfkit_diagnose::{Checker, Finding};

use super::controls::first_beyond_ascii;
use super::cut::Context;
use super::piece::Place;

/// After this many errors, and fewer sequences than a quarter of them, it is not UTF-8.
const HOPELESS: u64 = 4096;

#[derive(Clone, Debug)]
pub(super) struct Utf8 {
    checker: Checker,
    /// The number of bytes fed to it.
    checked: u64,
    /// The rest, counted without diagnosis.
    counted: Counts,
    /// True if it is not UTF-8. The rest was not read.
    pub(super) given_up: bool,
    /// The number of bytes from 80.
    pub(super) non_ascii: u64,
    /// The number of sequences of four bytes.
    four: u64,
    /// Surrogates that are half of a pair.
    paired: u64,
    /// Surrogates that are not.
    lone: u64,
    /// U+0000 as C0 80.
    long_nulls: u64,
    /// 1 if the end truncates a sequence.
    pub(super) truncated: u64,
    /// Beginnings and ends of characters.
    pub(super) cut: u64,
    /// Sequences that may be a letter of another encoding as well.
    pub(super) doubtful: u64,
    /// Those, and beginnings of other characters in such places.
    pub(super) unfinished: u64,
    /// Characters of which both parts are there, and the ill-formed sequences that these are.
    pub(super) parted: u64,
    pub(super) parted_errors: u64,
    /// The offsets of sequences that [`Lines`](super::lines::Lines) has not met yet.
    pub(super) cuts: Vec<u64>,
    /// The offset up to which all ill-formed sequences of the window were looked at.
    pub(super) looked_at: u64,
    pub(super) first: Option<Place>,
}

impl Utf8 {
    pub(super) fn new() -> Utf8 {
        Utf8 {
            checker: Checker::new(Encoding::Utf8, Standard::Rfc3629),
            checked: 0,
            counted: Counts::default(),
            given_up: false,
            non_ascii: 0,
            four: 0,
            paired: 0,
            lone: 0,
            long_nulls: 0,
            truncated: 0,
            cut: 0,
            doubtful: 0,
            unfinished: 0,
            parted: 0,
            parted_errors: 0,
            cuts: Vec::new(),
            looked_at: 0,
            first: None,
        }
    }

    pub(super) fn window(&mut self, window: &[u8]) {
        let non_ascii = (utf8_len_from_latin1(window) - window.len()) as u64;
        self.non_ascii += non_ascii;
        if self.given_up {
            return;
        }
        self.looked_at = self.checked + self.counted.bytes;
        if non_ascii > 0 {
            self.four += (utf16_len_from_utf8(window) - count_code_points(window)) as u64;
        }
        let mut at = 0;
        if non_ascii == 0 || !begins_ill_formed(window, self.checked == 0) {
            let offset = self.checked;
            let mut parts = Vec::new();
            let each = if non_ascii == 0 { window.len() } else { PART };
            // After many errors, the rest is counted.
            while at < window.len() && !(parts.len() == LOOKED_AT && self.is_beyond_relatives()) {
                let to = window.len().min(at + each);
                self.feed(&window[at..to], &mut parts);
                at = to;
            }
            self.look_at(window, 0, offset, &parts);
            if at < window.len() {
                at = self.count(window, at);
                self.feed(&window[at..], &mut parts);
            }
        } else {
            at = self.count(window, 0);
            self.check(window, at..window.len());
        }
        self.given_up = self.errors() >= HOPELESS && self.errors() / 4 > self.sequences();
    }

    /// Diagnoses errors in a part of a window.
    fn check(&mut self, window: &[u8], part: Range<usize>) {
        let (offset, start) = (self.checked, part.start);
        let mut parts = Vec::new();
        self.feed(&window[part], &mut parts);
        self.look_at(window, start, offset, &parts);
    }

    /// Diagnoses errors in some bytes, and adds the first ones that may be parts of characters.
    fn feed(&mut self, bytes: &[u8], parts: &mut Vec<(u64, usize)>) {
        let start = self.checked + self.counted.bytes;
        self.checked += bytes.len() as u64;
        let Utf8 { checker, paired, lone, long_nulls, truncated, first, .. } = self;
        checker.feed(bytes, |finding| {
            let may_be_cut =
                matches!(finding.kind(), ErrorKind::MissingContinuation | ErrorKind::UnexpectedContinuation);
            if may_be_cut && parts.len() < LOOKED_AT {
                parts.push((finding.offset(), finding.bytes().len()));
            }
            note(finding, paired, lone, long_nulls, truncated, first);
        });
        if self.looked_at == start && parts.len() < LOOKED_AT {
            self.looked_at = self.checked + self.counted.bytes;
        }
    }

    /// Looks at parts of characters in a window, of which the checker was at `offset` at `start`.
    fn look_at(&mut self, window: &[u8], start: usize, offset: u64, parts: &[(u64, usize)]) {
        if parts.is_empty() {
            return;
        }
        let context = Context::new(window, offset == 0);
        for &(place, len) in parts {
            // It may begin in the window before.
            let Some(at) = place.checked_sub(offset).and_then(|at| usize::try_from(at).ok()) else { continue };
            let at = start + at;
            if context.is_cut(at, len) {
                self.cut += 1;
                self.cuts.push(place + self.counted.bytes);
                if let Some(halves) = context.halves(at).filter(|halves| halves.first == len) {
                    self.parted += 1;
                    self.parted_errors += 1 + halves.rest as u64;
                }
            } else {
                self.doubtful += u64::from(context.may_be_cut(at, len));
                self.unfinished += u64::from(context.is_unfinished(at, len));
            }
        }
    }

    /// Counts a window with many errors from `at` on, and returns how much of it is done. Diagnoses are needed
    /// only until an error is found that no relative of UTF-8 allows.
    fn count(&mut self, window: &[u8], mut at: usize) -> usize {
        let Some(end) = window.iter().rposition(|&byte| !is_continuation(byte)).filter(|end| *end >= at) else {
            return at;
        };
        let first = first_beyond_ascii(window).unwrap_or(end);
        // Diagnoses a part, and completes the sequence pending in the checker.
        let mut to = if self.is_beyond_relatives() { 0 } else { first + NAMED };
        while at < to || self.checker.totals().bytes() < self.checked {
            let from = to.max(at + 1);
            let next = window[..end].iter().skip(from).position(|&byte| !is_continuation(byte));
            let Some(next) = next else { return at };
            to = from + next;
            self.check(window, at..to);
            at = to;
        }
        if !self.is_beyond_relatives() {
            return at;
        }
        self.counted.add(window, at, end);
        end
    }

    /// True if an error is one in every relative of UTF-8.
    fn is_beyond_relatives(&self) -> bool {
        self.errors() > self.paired + self.lone + self.long_nulls
    }

    pub(super) fn finish(&mut self) {
        let Utf8 { checker, paired, lone, long_nulls, truncated, first, .. } = self;
        if !self.given_up {
            checker.finish(|finding| note(finding, paired, lone, long_nulls, truncated, first));
        }
    }

    /// Well-formed sequences of several bytes; 0 if the rest was not read.
    pub(super) fn sequences(&self) -> u64 {
        if self.given_up {
            return 0;
        }
        let totals = self.checker.totals();
        // Bytes pending in the checker begin a sequence, and are above 7F.
        let non_ascii = self.non_ascii - self.counted.non_ascii;
        totals.code_points().saturating_sub(totals.bytes().saturating_sub(non_ascii)) + self.counted.sequences
    }

    pub(super) fn errors(&self) -> u64 {
        self.checker.totals().findings() + self.counted.ill_formed
    }

    /// The relative of UTF-8 in which nothing is ill-formed.
    pub(super) fn relative(&self) -> Option<Encoding> {
        if self.given_up || self.errors() == 0 || self.is_beyond_relatives() {
            return None;
        }
        match (self.paired, self.lone, self.long_nulls) {
            // WTF-8 adds only lone surrogates.
            (0, _, 0) => Some(Encoding::Wtf8),
            // CESU-8 and Modified UTF-8 have surrogates for every sequence of four bytes.
            (_, 0, 0) if self.four == 0 => Some(Encoding::Cesu8),
            (_, 0, _) if self.four == 0 => Some(Encoding::Mutf8),
            _ => None,
        }
    }

    pub(super) fn pairs(&self) -> u64 {
        self.paired / 2
    }

    pub(super) fn lone(&self) -> u64 {
        self.lone
    }

    pub(super) fn long_nulls(&self) -> u64 {
        self.long_nulls
    }
}

/// The ill-formed sequences of a window that may be cut characters.
const LOOKED_AT: usize = 64;

/// The bytes that are diagnosed at once.
const PART: usize = 512;

/// The number of bytes diagnosed from the first error on.
const NAMED: usize = 64;

/// True if the first character beyond US-ASCII is ill-formed. At the front of a stream it may be cut.
fn begins_ill_formed(window: &[u8], is_front: bool) -> bool {
    let rest = if is_front { window.iter().take(3).take_while(|byte| is_continuation(**byte)).count() } else { 0 };
    let window = &window[rest..];
    first_beyond_ascii(window)
        .is_some_and(|at| matches!(utf8::decode(&window[at..], Standard::Rfc3629), Decoded::IllFormed { .. }))
}

/// The bytes of US-ASCII at the front of `text`, which begins with one: up to eight at a time, as words are short.
fn ascii_run(text: &[u8]) -> usize {
    match text.first_chunk::<8>() {
        Some(word) => match u64::from_le_bytes(*word) & 0x8080_8080_8080_8080 {
            0 => 8,
            above => above.trailing_zeros() as usize / 8,
        },
        None => 1,
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    sequences: u64,
    ill_formed: u64,
    bytes: u64,
    /// Those from 80.
    non_ascii: u64,
}

impl Counts {
    /// Counts like the checker, where nothing is pending.
    fn add(&mut self, window: &[u8], mut at: usize, end: usize) {
        self.bytes += (end - at) as u64;
        while at < end {
            let (byte, next) = (window[at], window[at + 1]);
            let len = match byte {
                0..=0x7F => {
                    at += ascii_run(&window[at..end]);
                    continue;
                }
                0x80..=0xBF => 1,
                _ if !is_continuation(next) => 1,
                _ => {
                    let src = &window[at..];
                    match utf8::decode(src, Standard::Rfc3629) {
                        Decoded::Value { len, .. } => {
                            self.sequences += 1;
                            self.non_ascii += len as u64;
                            at += len;
                            continue;
                        }
                        Decoded::IllFormed { kind, len } => utf8::sequence_of(src, kind).len.max(len),
                        // Only the end of the window truncates.
                        _ => 1,
                    }
                }
            };
            self.ill_formed += 1;
            self.non_ascii += len as u64;
            at += len;
        }
    }
}

fn note(
    finding: &Finding,
    paired: &mut u64,
    lone: &mut u64,
    long_nulls: &mut u64,
    truncated: &mut u64,
    first: &mut Option<Place>,
) {
    first.get_or_insert(Place { offset: finding.offset(), line: finding.line(), column: finding.column() });
    match finding.kind() {
        ErrorKind::Surrogate if finding.diagnosis().pair().is_some() => *paired += 1,
        ErrorKind::Surrogate => *lone += 1,
        ErrorKind::Overlong if finding.bytes() == b"\xC0\x80" => *long_nulls += 1,
        ErrorKind::Truncated => *truncated += 1,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequences and errors that the checker finds.
    fn checked(bytes: &[u8]) -> (u64, u64) {
        let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
        checker.feed(bytes, |_| {});
        checker.finish(|_| {});
        let totals = checker.totals();
        let ascii = bytes.iter().filter(|byte| byte.is_ascii()).count() as u64;
        (totals.code_points() - ascii, totals.findings())
    }

    #[test]
    fn counts_are_those_of_the_checker() {
        let pieces: [&[u8]; 22] = [
            b"a",
            b" ",
            b"\xE9",
            b"\x80",
            b"\xC3\xA9",
            b"\xC0\x80",
            b"\xE2\x82",
            b"\xE2\x82\xAC",
            b"\xED\xA0\xBD",
            b"\xED\xB8\x80",
            b"\xF0\x9F\x98\x80",
            b"\xF0\x9F",
            b"\xF4\x90\x80\x80",
            b"\xF8\x80\x80\x80\x80",
            b"\xFC\x80",
            b"\xFF",
            b"\xFE\x80",
            b"\xE0\x80\x80",
            b"\xC1",
            b"\xF5\x80\x80\x80",
            b"\xCF\xD0\xE8",
            b"\xEF\xBF\xBF",
        ];
        let mut state = 1_u32;
        let mut random = |n: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % n
        };
        let mut counted = 0;
        for round in 0..3000 {
            let mut bytes = Vec::new();
            (0..20 + round % 200).for_each(|_| bytes.extend_from_slice(pieces[random(pieces.len())]));
            let mut utf8 = Utf8::new();
            let each = 1 + random(2 * bytes.len());
            bytes.chunks(each).for_each(|window| utf8.window(window));
            utf8.finish();
            assert_eq!((utf8.sequences(), utf8.errors()), checked(&bytes), "{bytes:02X?} by {each}");
            counted += utf8.counted.ill_formed;
        }
        assert!(counted > 10_000, "{counted}");
    }

    /// Windows with many errors are counted, and not seen by the checker.
    #[test]
    fn characters_are_cut_where_they_stand_after_a_window_that_was_counted() {
        use crate::detect::detect;
        let old = b"Le ch\xE2teau pr\xE8s de la for\xEAt a \xE9t\xE9 rest\xE9 ferm\xE9.\n".repeat(400);
        let utf8 = "Der Bäcker öffnet früh, und die Brötchen für Müllers liegen fertig über der Theke.\n".repeat(900);
        let mut bytes = [&old, utf8.as_bytes()].concat();
        let mut expected = Vec::new();
        for _ in 0..3 {
            bytes.extend_from_slice(&["Доброе ут".as_bytes(), b"\xD1\n"].concat());
            expected.push(bytes.len() as u64 - 2);
            bytes.extend_from_slice(utf8.as_bytes());
        }
        let found = detect(&bytes);
        let cut = found.pieces().iter().filter(|piece| piece.is_cut).map(|piece| piece.range.start);
        assert_eq!(cut.collect::<Vec<u64>>(), expected, "{found}");
    }
}
