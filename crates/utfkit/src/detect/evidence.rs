//! What the bytes are as UTF-8, and what those are that are none.

use crate::convert::length::{count_code_points, utf8_len_from_latin1, utf16_len_from_utf8};
use crate::diagnose::{Checker, Finding};
use crate::encoding::Encoding;
use crate::error::ErrorKind;
use crate::standard::Standard;

use super::detection::Place;

/// So many faults, and fewer than a quarter as many sequences, are not UTF-8,
/// whatever comes.
const HOPELESS: u64 = 4096;

/// A stream as UTF-8.
#[derive(Clone, Debug)]
pub(super) struct Utf8 {
    checker: Checker,
    /// Nobody looks any more: it is not UTF-8.
    pub(super) given_up: bool,
    /// Bytes from 80 on.
    pub(super) above: u64,
    /// Sequences of four bytes.
    four: u64,
    /// Surrogates that are half of a pair, each three bytes.
    paired: u64,
    /// Surrogates that are not.
    lone: u64,
    /// U+0000 as C0 80.
    long_nulls: u64,
    /// The end cuts a sequence: 1.
    pub(super) truncated: u64,
    pub(super) first: Option<Place>,
}

impl Utf8 {
    pub(super) fn new() -> Utf8 {
        Utf8 {
            checker: Checker::new(Encoding::Utf8, Standard::Rfc3629),
            given_up: false,
            above: 0,
            four: 0,
            paired: 0,
            lone: 0,
            long_nulls: 0,
            truncated: 0,
            first: None,
        }
    }

    pub(super) fn window(&mut self, window: &[u8]) {
        let above = (utf8_len_from_latin1(window) - window.len()) as u64;
        self.above += above;
        if self.given_up {
            return;
        }
        if above > 0 {
            self.four += (utf16_len_from_utf8(window) - count_code_points(window)) as u64;
        }
        let Utf8 { checker, paired, lone, long_nulls, truncated, first, .. } = self;
        checker.feed(window, |finding| note(finding, paired, lone, long_nulls, truncated, first));
        self.given_up = self.faults() >= HOPELESS && self.faults() / 4 > self.sequences();
    }

    pub(super) fn finish(&mut self) {
        let Utf8 { checker, paired, lone, long_nulls, truncated, first, .. } = self;
        if !self.given_up {
            checker.finish(|finding| note(finding, paired, lone, long_nulls, truncated, first));
        }
    }

    /// Well-formed sequences of more than one byte; 0 where nobody looks any
    /// more, as some were not seen.
    pub(super) fn sequences(&self) -> u64 {
        if self.given_up {
            return 0;
        }
        let totals = self.checker.totals();
        // What the checker holds is the beginning of a sequence, and above 7F.
        totals.code_points().saturating_sub(totals.bytes().saturating_sub(self.above))
    }

    /// Sequences that are ill-formed, as a person names them.
    pub(super) fn faults(&self) -> u64 {
        self.checker.totals().findings()
    }

    /// The relative of UTF-8 in which nothing is ill-formed.
    pub(super) fn relative(&self) -> Option<Encoding> {
        if self.given_up || self.faults() == 0 || self.faults() != self.paired + self.lone + self.long_nulls {
            return None;
        }
        match (self.paired, self.lone, self.long_nulls) {
            // A surrogate alone is all that WTF-8 has more.
            (0, _, 0) => Some(Encoding::Wtf8),
            // The others have surrogates for every sequence of four bytes.
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
