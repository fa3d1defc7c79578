//! UTF-16 and UTF-32: text in one byte order is not text in the other.
//!
//! In Latin text every other byte is 00, in most scripts it is the same byte, and in Chinese
//! or Korean one byte in ten is a control. So all but the shortest such texts have controls,
//! and text in bytes has none. If there are some, all byte orders are tried, and the code
//! points decide ([`Score`]).

use alloc::boxed::Box;

use super::joined::{Joined, Stretches};
use super::plausible::Score;
use super::window::WINDOW;
use utfkit_core::internal::utf16::{is_high, is_low, join};
use utfkit_core::{Encoding, ErrorKind, Standard};
use utfkit_diagnose::{Checker, Totals};

/// The bytes that are scored completely. One window in `SPARSE` of the rest is, in case
/// only the front is text.
const SCORED: u64 = 1 << 20;

const SPARSE: u64 = 16;

/// The stream in one byte order.
#[derive(Clone, Debug)]
struct Candidate {
    encoding: Encoding,
    checker: Checker,
    score: Score,
    /// A high surrogate at the end of the last window.
    high: Option<u16>,
    /// See [`Found::is_shifted`].
    is_shifted: bool,
    is_after_cr: bool,
}

/// The byte orders that are still possible.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    candidates: [Option<Box<Candidate>>; 4],
    stretches: Box<Stretches>,
    /// True if there is a BOM after the front.
    has_marks: bool,
    /// True if a unit is two bytes of text, of which the second ends a line.
    has_line_ends: bool,
}

/// The result for a byte order.
pub(super) struct Found {
    pub(super) encoding: Encoding,
    pub(super) totals: Totals,
    /// The number of code points scored.
    pub(super) values: u64,
    /// True if it is text, perhaps joined to something else.
    pub(super) is_text: bool,
    /// True if it is text as a whole.
    pub(super) is_plausible: bool,
    /// True for a share of rare code points that text hardly ever has.
    pub(super) is_doubtful: bool,
    /// True if it has rare code points, or several scripts.
    pub(super) is_uneven: bool,
    /// True if the code points may be numbers.
    pub(super) may_be_numbers: bool,
    /// True if CR was put before the byte of a line feed: from there on, it is shifted by a byte.
    pub(super) is_shifted: bool,
}

const ENCODINGS: [Encoding; 4] = [Encoding::Utf32Le, Encoding::Utf32Be, Encoding::Utf16Le, Encoding::Utf16Be];

impl Units {
    /// Tries all byte orders.
    pub(super) fn try_all(&mut self) {
        for (candidate, encoding) in self.candidates.iter_mut().zip(ENCODINGS) {
            *candidate = Some(Box::new(Candidate::new(encoding)));
        }
    }

    /// Tries the byte order of a BOM.
    pub(super) fn try_one(&mut self, encoding: Encoding) {
        self.candidates[0] = Some(Box::new(Candidate::new(encoding)));
    }

    /// True if no byte order is possible.
    pub(super) fn is_out(&self) -> bool {
        self.candidates.iter().all(Option::is_none)
    }

    /// Takes a window, of whole units unless it is the last. `before` is the number of bytes
    /// before it. [Prunes](Units::prune) what the code points exclude unless there `is_bom`.
    pub(super) fn window(&mut self, window: &[u8], before: u64, is_bom: bool) {
        if before < SCORED || (before / WINDOW as u64).is_multiple_of(SPARSE) {
            self.candidates.iter_mut().flatten().for_each(|candidate| candidate.read(window));
        }
        if !is_bom {
            self.prune_by(|candidate| candidate.score.is_text());
        }
        if self.candidates.iter().flatten().any(|candidate| candidate.encoding.unit_size() == 2) {
            self.stretches.window(window, before);
            self.look_for_joins(window, before == 0);
        }
        self.candidates.iter_mut().flatten().for_each(|candidate| candidate.checker.feed(window, |_| {}));
        if !is_bom {
            self.prune();
        }
    }

    fn look_for_joins(&mut self, window: &[u8], is_first: bool) {
        let units = window.as_chunks::<2>().0;
        let is_mark = |unit: &[u8; 2]| matches!(unit, [0xFF, 0xFE] | [0xFE, 0xFF]);
        self.has_marks |=
            units[usize::from(is_first && !units.is_empty())..].iter().fold(false, |is, unit| is | is_mark(unit));
        let is_line_end = |unit: &[u8; 2]| unit[1] == b'\n' && matches!(unit[0], b' '..=b'~' | b'\t' | b'\r' | b'\n');
        self.has_line_ends |= units.iter().fold(false, |is, unit| is | is_line_end(unit));
    }

    /// True if the result may be several texts.
    pub(super) fn has_joins(&self, found: &Found) -> bool {
        self.has_marks || self.has_line_ends || found.is_uneven
    }

    /// Drops sizes in which neither byte order is better, such as US-ASCII with a NUL, which is
    /// Chinese in both. Not for a BOM.
    fn prune(&mut self) {
        self.prune_by(Candidate::is_possible);
    }

    fn prune_by(&mut self, is_possible: impl Fn(&Candidate) -> bool) {
        for orders in self.candidates.chunks_mut(2) {
            if let [Some(a), Some(b)] = orders
                && !(is_possible(a) && a.score.outdoes(&b.score))
                && !(is_possible(b) && b.score.outdoes(&a.score))
            {
                orders.fill(None);
            }
        }
    }

    /// The byte order that is text and better than the other.
    pub(super) fn best(&mut self) -> Option<Found> {
        for candidate in self.candidates.iter_mut().flatten() {
            candidate.checker.finish(|_| {});
        }
        let text = |size: usize| {
            let of_size = |candidate: &&Candidate| candidate.encoding.unit_size() == size;
            let one = self.candidates.iter().flatten().map(Box::as_ref).filter(of_size);
            let mut one = one.filter(|candidate| candidate.is_possible() && (size < 4 || candidate.is_whole()));
            one.find(|candidate| {
                let mut others = self.candidates.iter().flatten().map(Box::as_ref).filter(of_size);
                others.all(|other| other.encoding == candidate.encoding || candidate.score.outdoes(&other.score))
            })
        };
        text(4).or_else(|| text(2)).map(Candidate::found)
    }

    /// The place where a stream of `len` bytes in UTF-16 is joined to other bytes.
    pub(super) fn joined(&mut self, encoding: Encoding, len: u64) -> Option<Joined> {
        self.stretches.joined(encoding, len)
    }

    /// The byte order of the BOM, text or not.
    pub(super) fn named(&mut self) -> Option<Found> {
        let candidate = self.candidates[0].as_deref_mut()?;
        candidate.checker.finish(|_| {});
        Some(candidate.found())
    }
}

impl Candidate {
    fn new(encoding: Encoding) -> Candidate {
        let checker = Checker::new(encoding, Standard::Rfc3629);
        Candidate { encoding, checker, score: Score::default(), high: None, is_shifted: false, is_after_cr: false }
    }

    fn found(&self) -> Found {
        Found {
            encoding: self.encoding,
            totals: self.checker.totals(),
            values: self.score.values(),
            is_text: self.is_possible(),
            is_plausible: self.score.is_plausible(),
            is_doubtful: self.score.is_doubtful(),
            is_uneven: self.score.is_uneven(),
            may_be_numbers: self.score.may_be_numbers(),
            is_shifted: self.is_shifted,
        }
    }

    /// Mostly text, with at most one error in 16 code points.
    fn is_possible(&self) -> bool {
        let totals = self.checker.totals();
        self.score.is_text() && totals.findings() <= totals.code_points() / 16 + 1
    }

    /// No error but a truncated unit. For 32 bits: tables of small numbers are code points
    /// too, but their magic number is not.
    fn is_whole(&self) -> bool {
        let totals = self.checker.totals();
        totals.findings() == totals.of_kind(ErrorKind::Truncated)
    }

    fn read(&mut self, window: &[u8]) {
        match self.encoding {
            Encoding::Utf32Le => window.as_chunks().0.iter().for_each(|unit| self.read32(u32::from_le_bytes(*unit))),
            Encoding::Utf32Be => window.as_chunks().0.iter().for_each(|unit| self.read32(u32::from_be_bytes(*unit))),
            Encoding::Utf16Le => window.as_chunks().0.iter().for_each(|unit| self.read16(u16::from_le_bytes(*unit))),
            _ => window.as_chunks().0.iter().for_each(|unit| self.read16(u16::from_be_bytes(*unit))),
        }
    }

    fn read32(&mut self, unit: u32) {
        match char::from_u32(unit) {
            Some(_) => self.score.add(unit),
            None => self.score.add_ill_formed(),
        }
    }

    fn read16(&mut self, unit: u16) {
        // In UTF-16LE the two bytes are a unit, which is no character. In UTF-16BE they are in two.
        self.is_shifted |= unit == 0x0A0D || (self.is_after_cr && unit >> 8 == 0x0A);
        self.is_after_cr = unit == 0x0D;
        match self.high.take() {
            Some(high) if is_low(unit) => return self.score.add(join(high, unit)),
            Some(_) => self.score.add_ill_formed(),
            None => {}
        }
        if is_high(unit) {
            self.high = Some(unit);
        } else if is_low(unit) {
            self.score.add_ill_formed();
        } else {
            self.score.add(unit.into());
        }
    }
}
