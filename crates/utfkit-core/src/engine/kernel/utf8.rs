//! Well-formedness of UTF-8, 64 bytes at a time.
//!
//! # The idea
//!
//! A kernel always advances by one block of 64 bytes, whatever is in them, so
//! that no address depends on the data and the work on one block overlaps with
//! the work on the next. A character may lie across blocks; each byte is
//! judged with its neighbours, read by loads at other offsets:
//!
//! ```text
//! prev3 prev2 prev1  own  next
//!   0     1     2     3     4    offset of lane 0 in the window of 68 bytes
//! ```
//!
//! Every value is handled at its last byte, the *own* byte of a lane: all its bits are within
//! reach there, and so is the byte that shows whether it ends.
//!
//! # Two questions
//!
//! *Is anything ill-formed?* ([`Tables::error`]) is asked of every block and
//! must be cheap. It is answered by classifying pairs of bytes (own, next):
//! see [`Tables`].
//!
//! *What exactly?* ([`Marks`]) is asked only of a block that has something
//! ill-formed. It is bit arithmetic on masks of 64 bits, one text for all
//! instruction sets:
//!
//! ```text
//! second = a lead's next byte is a continuation in the range for that lead
//! third  = second, one lane later, was of a lead from E0, and next continues
//! fourth = third, one lane later, was of a lead from F0, and next continues
//! ```
//!
//! Next is *accepted* if one of them holds. A lane is an *error* if own expects a byte and next
//! is not accepted, or if own is a continuation that was not accepted. An error is the last
//! byte of a maximal subpart, so that the errors of a text are the U+FFFD of its lossy form.
//!
//! # No state
//!
//! The verdict on a lane depends on the three bytes before own and on next,
//! and on nothing else, so a kernel keeps no state between blocks. The only
//! compromise: [`Tables::error`] sees pairs that begin in the block, and assumes that
//! the bytes before it are well-formed. Where they may not be, the second question is asked
//! at once ([`Before::is_doubtful`]).

use super::lanes::{and_not, nonzero};
use super::window::{Around, BLOCK, Edge, Window, inner};
use crate::engine::simd::ops::Simd;
use utfkit_forms::scalar::utf8::{is_continuation, second_range};

pub(crate) const PREV3: usize = 0;
pub(crate) const PREV2: usize = 1;
pub(crate) const PREV1: usize = 2;
pub(crate) const OWN: usize = 3;
pub(crate) const NEXT: usize = 4;

/// The window of the block at `at`, if it lies within `src`.
#[inline(always)]
pub(crate) fn window(src: &[u8], at: usize) -> Option<&Window> {
    inner(src, at, OWN)
}

/// The window of the first block, with zeros where `src` has nothing, and the
/// lanes that are in `src`.
///
/// Zeros are US-ASCII: they complete nothing and continue nothing.
#[inline(always)]
pub(crate) fn front<S: Simd>(s: S, src: &[u8]) -> (Edge<'_, S, OWN>, u64) {
    (Edge::<S, OWN>::front(s, src), lanes_in(src.len()))
}

/// The lanes of the block at `at` that are in `src`.
#[inline(always)]
pub(crate) fn lanes_from(src: &[u8], at: usize) -> u64 {
    lanes_in(src.len() - at)
}

#[inline(always)]
fn lanes_in(len: usize) -> u64 {
    if len < BLOCK { (1 << len) - 1 } else { !0 }
}

/// True if all own bytes are US-ASCII.
#[inline(always)]
pub(crate) fn is_ascii<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let mut all = window.load::<OWN>(s, 0);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, window.load::<OWN>(s, part * S::LANES));
    }
    !s.any_msb(all)
}

/// True if a block is US-ASCII.
#[inline(always)]
pub(crate) fn is_ascii_block<S: Simd>(s: S, block: &[u8]) -> bool {
    let mut all = s.load(block, 0);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, s.load(block, part * S::LANES));
    }
    !s.any_msb(all)
}

/// One byte in every lane, by name.
#[derive(Clone, Copy)]
pub(crate) struct Tables<S: Simd> {
    /// Wide look-up: by the low six bits of a lead, what its next byte may not be.
    wide: &'static [u8; 64],
    /// Narrow look-up: by the high nibble of own, the rules that may apply.
    first: S::V,
    /// By the high nibble of next, the rules that may apply.
    second: S::V,
    /// By the low nibble of own, the rules that may apply.
    low: S::V,
}

// Wide look-up. A lead is C0-FF: its low six bits are all of it. A next byte's
// high six bits tell the zones of continuations apart.
//
//   bit     7                 2        1        0
//   first   waits for a byte  A0-BF    90-9F    80-8F   forbidden
//   second  no continuation   A0-BF    90-9F    80-8F   it is
//
// So `first & second` is an error between lead and next: forbidden, or missing.
const WAITS: u8 = 0x80;
const ZONES: [(u8, u8, u8); 3] = [(0x80, 0x8F, 1), (0x90, 0x9F, 2), (0xA0, 0xBF, 4)];

/// With `four`, leads of four bytes are leads; else nothing may follow them.
const fn wide_first(four: bool) -> [u8; 64] {
    let mut table = [WAITS; 64];
    let mut i = 0;
    while i < 64 {
        let mut zone = 0;
        while zone < 3 {
            let (from, to, bit) = ZONES[zone];
            match second_range(0xC0 + i as u8) {
                Some((low, high)) if low <= from && to <= high && (four || i < 0x30) => {}
                _ => table[i] |= bit,
            }
            zone += 1;
        }
        i += 1;
    }
    table
}

static WIDE_FIRST: [u8; 64] = wide_first(true);
static WIDE_FIRST_OF_THREE: [u8; 64] = wide_first(false);

static WIDE_SECOND: [u8; 64] = {
    let mut table = [WAITS; 64];
    let mut zone = 0;
    while zone < 3 {
        let (from, to, bit) = ZONES[zone];
        let mut i = from >> 2;
        while i <= to >> 2 {
            table[i as usize] = bit;
            i += 1;
        }
        zone += 1;
    }
    table
};

// Narrow look-up, after Keiser and Lemire, "Validating UTF-8 in less than one
// instruction per byte" (2021): a rule is a set of pairs that can be told by
// three nibbles, and there are eight.
struct Rule {
    bit: u8,
    /// The high nibbles of own, a bit each; then its low, then next's high.
    high: u16,
    low: u16,
    next: u16,
}

const fn nibbles(from: u32, to: u32) -> u16 {
    ((1 << (to + 1)) - (1 << from)) as u16
}

const TWO_CONTINUATIONS: u8 = 0x80;
const TOO_SHORT: u8 = 0x01;
const TOO_LONG: u8 = 0x02;
const ANY: u16 = 0xFFFF;
const CONTINUATION: u16 = nibbles(0x8, 0xB);

const RULES: [Rule; 8] = [
    // A lead, and no continuation after it.
    Rule { bit: TOO_SHORT, high: nibbles(0xC, 0xF), low: ANY, next: !CONTINUATION },
    // US-ASCII, and a continuation after it.
    Rule { bit: TOO_LONG, high: nibbles(0x0, 0x7), low: ANY, next: CONTINUATION },
    // C0 and C1.
    Rule { bit: 0x04, high: nibbles(0xC, 0xC), low: nibbles(0x0, 0x1), next: CONTINUATION },
    // E0 80-9F.
    Rule { bit: 0x08, high: nibbles(0xE, 0xE), low: nibbles(0x0, 0x0), next: nibbles(0x8, 0x9) },
    // ED A0-BF.
    Rule { bit: 0x10, high: nibbles(0xE, 0xE), low: nibbles(0xD, 0xD), next: nibbles(0xA, 0xB) },
    // F4-FF 90-BF.
    Rule { bit: 0x20, high: nibbles(0xF, 0xF), low: nibbles(0x4, 0xF), next: nibbles(0x9, 0xB) },
    // F0 80-8F, F5-FF 80-8F.
    Rule { bit: 0x40, high: nibbles(0xF, 0xF), low: 1 | nibbles(0x5, 0xF), next: nibbles(0x8, 0x8) },
    // An error unless a lead two or three bytes back asks for it.
    Rule { bit: TWO_CONTINUATIONS, high: CONTINUATION, low: ANY, next: CONTINUATION },
];

/// [`RULES`] for forms of at most three bytes.
const RULES_OF_THREE: [Rule; 8] = {
    let mut rules = RULES;
    // F0-FF, whatever is after them, in place of the rules for some of them.
    rules[5] = Rule { bit: 0x20, high: nibbles(0xF, 0xF), low: ANY, next: ANY };
    rules[6] = Rule { bit: 0x40, high: 0, low: 0, next: 0 };
    rules
};

/// The table of one of the three nibbles: for each value, the bits of the rules that it fits.
const fn narrow(rules: &[Rule; 8], which: usize) -> [u8; 16] {
    let mut table = [0; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut i = 0;
        while i < rules.len() {
            let rule = &rules[i];
            let set = [rule.high, rule.low, rule.next][which];
            if set >> nibble & 1 == 1 {
                table[nibble] |= rule.bit;
            }
            i += 1;
        }
        nibble += 1;
    }
    table
}

static NARROW_HIGH: [u8; 16] = narrow(&RULES, 0);
static NARROW_LOW: [u8; 16] = narrow(&RULES, 1);
static NARROW_NEXT: [u8; 16] = narrow(&RULES, 2);
static NARROW_HIGH_OF_THREE: [u8; 16] = narrow(&RULES_OF_THREE, 0);
static NARROW_LOW_OF_THREE: [u8; 16] = narrow(&RULES_OF_THREE, 1);
static NARROW_NEXT_OF_THREE: [u8; 16] = narrow(&RULES_OF_THREE, 2);

impl<S: Simd> Tables<S> {
    #[inline(always)]
    pub(crate) fn new(s: S) -> Tables<S> {
        if S::WIDE_LOOKUP {
            Tables { wide: &WIDE_FIRST, first: s.splat(0), second: s.splat(0), low: s.splat(0) }
        } else {
            Tables {
                wide: &WIDE_FIRST,
                first: s.table16(&NARROW_HIGH),
                second: s.table16(&NARROW_NEXT),
                low: s.table16(&NARROW_LOW),
            }
        }
    }

    /// The tables by which a byte from F0 on is ill-formed, too: for CESU-8.
    #[inline(always)]
    pub(crate) fn of_three(s: S) -> Tables<S> {
        if S::WIDE_LOOKUP {
            Tables { wide: &WIDE_FIRST_OF_THREE, ..Tables::new(s) }
        } else {
            Tables {
                wide: &WIDE_FIRST_OF_THREE,
                first: s.table16(&NARROW_HIGH_OF_THREE),
                second: s.table16(&NARROW_NEXT_OF_THREE),
                low: s.table16(&NARROW_LOW_OF_THREE),
            }
        }
    }

    /// The rules that the pairs of `own` and `next` may break, if look-ups are
    /// narrow.
    #[inline(always)]
    fn rules(&self, s: S, own: S::V, next: S::V) -> S::V {
        let high = s.lookup16(self.first, s.shr::<8, 4>(own));
        let low = s.lookup16(self.low, s.and(own, s.splat(0x0F)));
        let second = s.lookup16(self.second, s.shr::<8, 4>(next));
        s.and(s.and(high, low), second)
    }

    /// Where `own` is a lead and `next` a continuation byte, but not one that
    /// this lead may have.
    #[inline(always)]
    fn out_of_range(&self, s: S, own: S::V, next: S::V) -> S::C {
        if S::WIDE_LOOKUP {
            // The result for a byte that is not a lead is masked by the caller.
            let first = s.lookup64(self.wide, own);
            let second = s.lookup64(&WIDE_SECOND, s.shr::<16, 2>(next));
            nonzero(s, and_not(s, s.splat(WAITS), s.and(first, second)))
        } else {
            let other = s.splat(TWO_CONTINUATIONS | TOO_SHORT | TOO_LONG);
            nonzero(s, and_not(s, other, self.rules(s, own, next)))
        }
    }

    /// Not zero in some lane if something in the block is ill-formed, provided
    /// that nothing was in the three bytes before it.
    #[inline(always)]
    pub(crate) fn error(&self, s: S, window: &impl Around<S>, part: usize) -> S::V {
        let at = part * S::LANES;
        let next = window.load::<NEXT>(s, at);
        let own = window.load::<OWN>(s, at);
        // Top bit set: a lead from E0 two bytes before next, a lead from F0
        // three bytes before it.
        let third = s.saturating_sub(window.load::<PREV1>(s, at), s.splat(0xE0 - 0x80));
        let fourth = s.saturating_sub(window.load::<PREV2>(s, at), s.splat(0xF0 - 0x80));
        let top = s.splat(0x80);
        if S::WIDE_LOOKUP {
            let lead = s.ge(own, s.splat(0xC0));
            let first = s.keep(lead, s.lookup64(self.wide, own));
            let second = s.lookup64(&WIDE_SECOND, s.shr::<16, 2>(next));
            let waits = s.or(first, s.or(third, fourth));
            let between = s.and(first, second);
            // Waiting for a continuation, or having one: exactly one of the
            // two is an error, and `second` says "no continuation".
            s.or(and_not(s, s.xor(waits, second), top), between)
        } else {
            let waits = s.and(s.or(third, fourth), top);
            s.xor(waits, self.rules(s, own, next))
        }
    }

    /// [`error`](Tables::error) by the tables [of three](Tables::of_three), with narrow look-ups, if none of the three bytes
    /// before the block is from F0 on.
    #[inline(always)]
    pub(crate) fn error_of_three(&self, s: S, window: &impl Around<S>, part: usize) -> S::V {
        let at = part * S::LANES;
        let third = s.saturating_sub(window.load::<PREV1>(s, at), s.splat(0xE0 - 0x80));
        let rules = self.rules(s, window.load::<OWN>(s, at), window.load::<NEXT>(s, at));
        s.xor(s.and(third, s.splat(0x80)), rules)
    }

    /// True if the block is ill-formed, provided that the three bytes before it are not.
    #[inline(always)]
    pub(crate) fn is_ill_formed<W: Around<S>>(&self, s: S, window: &W) -> bool {
        // Of a window in registers the loop would make one in memory; of any other it is half as much to compile.
        let apart = const { S::LANES != 32 || W::IN_REGISTERS };
        for first in (0..BLOCK / S::LANES).step_by(S::TOGETHER) {
            let mut error = if apart { self.error(s, window, first) } else { s.splat(0) };
            if const { S::TOGETHER > 1 } {
                for part in first + usize::from(apart)..first + S::TOGETHER {
                    error = s.or(error, self.error(s, window, part));
                }
            }
            if s.any_nonzero(error) {
                return true;
            }
        }
        false
    }
}

/// The position, 2, 3 or 4, of the first byte of a block in a sequence that begins before it; 0 if
/// it continues none. The argument is the first four bytes of the window.
#[inline(always)]
pub(crate) fn belongs([prev3, prev2, prev1, own]: [u8; 4]) -> usize {
    let pair = |lead: u8, next: u8| {
        lead >= 0xC0 && WIDE_FIRST[(lead & 0x3F) as usize] & WIDE_SECOND[(next >> 2) as usize] == 0
    };
    let goes_on = is_continuation(own);
    let second = pair(prev1, own);
    let third = goes_on & (prev2 >= 0xE0) & pair(prev2, prev1);
    let fourth = goes_on & is_continuation(prev1) & (prev3 >= 0xF0) & pair(prev3, prev2);
    2 * usize::from(second) + 3 * usize::from(third) + 4 * usize::from(fourth)
}

/// The number of bytes before `at` that belong to the sequence of the byte at `at`, which may be
/// the end of `src`.
pub(crate) fn bytes_before(src: &[u8], at: usize) -> usize {
    let byte = |i: usize| (at + i).checked_sub(OWN).and_then(|at| src.get(at)).copied().unwrap_or(0);
    belongs(core::array::from_fn(byte)).saturating_sub(1)
}

/// The end of the block before: 1 or 0 each.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    /// The first own byte is a continuation byte.
    follows: u64,
    /// And it is accepted as the second, the third or the fourth byte of a
    /// sequence.
    second: u64,
    third: u64,
    fourth: u64,
    /// One of the three bytes before it is an error.
    error: u64,
}

impl Before {
    /// The bytes before the block in `window`, the first three of which are well-formed or
    /// have an error.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(_: S, window: &impl Around<S>) -> Before {
        let front = window.front();
        let belongs = belongs(front);
        let is = |n| u64::from(belongs == n);
        Before { follows: is_continuation(front[OWN]).into(), second: is(2), third: is(3), fourth: is(4), error: 0 }
    }

    /// A block of US-ASCII before one that begins with `own`.
    #[inline(always)]
    pub(crate) fn after_ascii(own: u8) -> Before {
        Before { follows: is_continuation(own).into(), second: 0, third: 0, fourth: 0, error: 0 }
    }

    /// True if [`Tables::is_ill_formed`] may be wrong about the block: it begins with a
    /// continuation byte that was not accepted, or the three bytes before it have an error.
    #[inline(always)]
    pub(crate) fn is_doubtful(&self) -> bool {
        self.follows & !(self.second | self.third | self.fourth) | self.error != 0
    }
}

/// The roles of the bytes of a block, a bit for each lane.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    /// Next is accepted as the second, the third or the fourth byte of the
    /// sequence of own.
    pub(crate) next_second: u64,
    pub(crate) next_third: u64,
    pub(crate) next_fourth: u64,
    /// Own is the second, the third or the fourth byte of its sequence.
    pub(crate) second: u64,
    pub(crate) third: u64,
    pub(crate) fourth: u64,
    /// Next is a continuation byte.
    follows: u64,
    /// Own ends a maximal subpart of something ill-formed.
    pub(crate) error: u64,
}

impl Marks {
    /// True if the block has only US-ASCII and errors.
    #[inline(always)]
    pub(crate) fn is_ascii(&self) -> bool {
        self.next_second | self.second == 0
    }

    /// The marks of the block in `window`.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(s: S, tables: &Tables<S>, window: &impl Around<S>, before: Before) -> Marks {
        let (mut lead, mut of_three, mut of_four, mut follows, mut out_of_range) = (0, 0, 0, 0, 0);
        for part in 0..BLOCK / S::LANES {
            let at = part * S::LANES;
            let own = window.load::<OWN>(s, at);
            let next = window.load::<NEXT>(s, at);
            lead |= s.bits::<8>(s.ge(own, s.splat(0xC0))) << at;
            // Of the leads before own.
            of_three |= s.bits::<8>(s.ge(window.load::<PREV1>(s, at), s.splat(0xE0))) << at;
            of_four |= s.bits::<8>(s.ge(window.load::<PREV2>(s, at), s.splat(0xF0))) << at;
            follows |= s.bits::<8>(s.gt::<8>(s.splat(0xC0), next)) << at;
            out_of_range |= s.bits::<8>(tables.out_of_range(s, own, next)) << at;
        }
        let continuation = follows << 1 | before.follows;

        let next_second = lead & follows & !out_of_range;
        let second = next_second << 1 | before.second;
        let waits_for_third = second & of_three;
        let next_third = waits_for_third & follows;
        let third = next_third << 1 | before.third;
        let waits_for_fourth = third & of_four;
        let next_fourth = waits_for_fourth & follows;
        let fourth = next_fourth << 1 | before.fourth;

        let waits = lead | waits_for_third | waits_for_fourth;
        let accepted = next_second | next_third | next_fourth;
        let stray = continuation & !(second | third | fourth);
        let error = waits & !accepted | stray;
        Marks { next_second, next_third, next_fourth, second, third, fourth, follows, error }
    }

    /// The end of this block, for the next one.
    #[inline(always)]
    pub(crate) fn before_next(&self) -> Before {
        let last = |mask: u64| mask >> (BLOCK - 1);
        Before {
            follows: last(self.follows),
            second: last(self.next_second),
            third: last(self.next_third),
            fourth: last(self.next_fourth),
            error: self.error >> (BLOCK - 3),
        }
    }

    /// Where the sequence begins whose last byte is the own byte of `lane` of
    /// the block at `at`.
    #[inline(always)]
    pub(crate) fn start(&self, at: usize, lane: u32) -> usize {
        let has = |mask: u64| (mask >> lane & 1) as usize;
        at + lane as usize - has(self.second) - 2 * has(self.third) - 3 * has(self.fourth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfkit_forms::scalar::utf8::Utf8;
    use utfkit_forms::scalar::{Decoded, Form};

    /// [`belongs`] by decoding: the last byte of `bytes` belongs to the sequence that begins at
    /// the nearest byte before it that is not a continuation, unless that sequence is broken
    /// before it.
    fn belongs_by_decoding(bytes: [u8; 4]) -> usize {
        let Some(lead) = bytes[..3].iter().rposition(|&b| !is_continuation(b)) else { return 0 };
        let sequence = &bytes[lead..];
        match Utf8::decode(sequence) {
            Decoded::Value { len, .. } | Decoded::Unfinished { len, .. } if len == sequence.len() && len > 1 => len,
            _ => 0,
        }
    }

    #[test]
    fn belonging_is_what_decoding_says() {
        let classes = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC];
        let classes = || classes.into_iter().chain([0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF]);
        for (a, b) in classes().flat_map(|a| classes().map(move |b| (a, b))) {
            for (c, d) in classes().flat_map(|c| classes().map(move |d| (c, d))) {
                let bytes = [a, b, c, d];
                assert_eq!(belongs(bytes), belongs_by_decoding(bytes), "{bytes:02X?}");
            }
        }
    }
}
