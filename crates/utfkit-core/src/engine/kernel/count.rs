//! Counts and lengths: what each unit counts, summed.
//!
//! # The idea
//!
//! Every lane of a register counts for itself, one byte, or one unit, further
//! each time: a comparison gives 00 or FF, and to subtract FF is to add 1. So
//! a register of bytes costs two operations and nothing is moved between
//! lanes. Before a lane could pass 255 all of them are summed, as bytes,
//! whatever the width of a unit: a sum of bytes is one instruction, and the
//! upper bytes of wider lanes are still zero.
//!
//! The end of the source is padded with zeros, which count what the unit 0
//! counts; that is taken off again.

use super::lanes::{and_not, had_surrogate, lower16, none_of16, nonzero};
use core::marker::PhantomData;

use super::validate_utf16::{half_by_upper, halves, has_surrogate};
use crate::engine::memory::bytes_of;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::{Blocks, Simd};
use utfkit_forms::scalar::utf8::is_continuation;
use utfkit_forms::scalar::utf16::{is_high, is_low};

/// A quantity that is summed over units.
// Not all of it is used on every target.
#[allow(dead_code)]
pub(crate) trait Measure: Copy {
    /// The bytes of a unit.
    const UNIT: usize;
    /// The most that a unit counts.
    const MOST: usize;
    /// The count of `unit`, in native order: the definition.
    fn of(self, unit: &[u8]) -> usize;

    /// The lanes that count, where units are bytes that count one or nothing.
    #[inline(always)]
    fn which<S: Simd>(self, _: S, _: S::V) -> Option<S::C> {
        None
    }

    /// The count of the lanes from `from` on, by masks, where units are bytes.
    #[inline(always)]
    fn bits<S: Simd>(self, s: S, v: S::V, from: usize) -> usize {
        self.which(s, v).map_or(0, |which| (s.bits::<8>(which) >> from).count_ones() as usize)
    }

    /// Adds to each lane of `count` what the unit there counts.
    #[inline(always)]
    fn count<S: Simd>(self, s: S, v: S::V, count: S::V) -> S::V {
        self.which(s, v).map_or(count, |which| s.count::<8>(count, which))
    }
}

/// The sum of the counts of all units of `src`.
#[inline(always)]
pub(crate) fn total<M: Measure>(measure: M, src: &[u8]) -> usize {
    if src.is_empty() {
        return 0;
    }
    // Lanes of more than a byte are little-endian.
    if cfg!(target_endian = "big") && M::UNIT > 1 {
        Total::without(src, &mut [], measure)
    } else {
        run::<Total<M>>(src, &mut [], measure)
    }
}

/// Bytes that are not continuation bytes of UTF-8.
#[derive(Clone, Copy)]
pub(crate) struct Starts;

impl Measure for Starts {
    const UNIT: usize = 1;
    const MOST: usize = 1;

    #[inline(always)]
    fn of(self, unit: &[u8]) -> usize {
        usize::from(!is_continuation(unit[0]))
    }

    #[inline(always)]
    fn which<S: Simd>(self, s: S, v: S::V) -> Option<S::C> {
        // Signed, continuation bytes are the lowest there are: 80 to BF.
        Some(s.gt::<8>(v, s.splat(0xBF)))
    }
}

/// UTF-16 units of UTF-8: one for each byte that begins a character, two if it has four bytes.
#[derive(Clone, Copy)]
pub(crate) struct Utf16OfUtf8;

impl Measure for Utf16OfUtf8 {
    const UNIT: usize = 1;
    const MOST: usize = 2;

    #[inline(always)]
    fn of(self, unit: &[u8]) -> usize {
        usize::from(!is_continuation(unit[0])) + usize::from(unit[0] >= 0xF0)
    }

    #[inline(always)]
    fn bits<S: Simd>(self, s: S, v: S::V, from: usize) -> usize {
        Starts.bits(s, v, from) + (s.bits::<8>(s.ge(v, s.splat(0xF0))) >> from).count_ones() as usize
    }

    #[inline(always)]
    fn count<S: Simd>(self, s: S, v: S::V, count: S::V) -> S::V {
        // The count depends on the upper four bits of a byte.
        let counts = if S::WIDE_LOOKUP {
            // One instruction less.
            s.lookup64(&UTF16_BY_6, s.shr::<16, 2>(v))
        } else {
            s.lookup16(s.table16(&UTF16_BY_4), s.shr::<8, 4>(v))
        };
        s.add::<8>(count, counts)
    }
}

/// The counts of [`Utf16OfUtf8`] by the upper bits of a byte.
const fn utf16_by_upper_bits<const N: usize>() -> [u8; N] {
    let mut counts = [0; N];
    let mut upper = 0;
    while upper < N {
        let byte = (upper * (256 / N)) as u8;
        counts[upper] = !is_continuation(byte) as u8 + (byte >= 0xF0) as u8;
        upper += 1;
    }
    counts
}

static UTF16_BY_6: [u8; 64] = utf16_by_upper_bits();
static UTF16_BY_4: [u8; 16] = utf16_by_upper_bits();

/// Controls of US-ASCII that are not white space: 00 to 1F without 09, 0A, 0C
/// and 0D. Text has hardly any.
#[derive(Clone, Copy)]
pub(crate) struct Controls;

impl Measure for Controls {
    const UNIT: usize = 1;
    const MOST: usize = 1;

    #[inline(always)]
    fn of(self, unit: &[u8]) -> usize {
        usize::from(unit[0] < 0x20 && !matches!(unit[0], b'\t' | b'\n' | 0x0C | b'\r'))
    }

    #[inline(always)]
    fn which<S: Simd>(self, s: S, v: S::V) -> Option<S::C> {
        // Bit 0 is for bytes from 00, bit 1 for bytes from 10; both halves must agree.
        let lower = s.lookup16(s.table16(&CONTROLS_BY_LOWER), s.and(v, s.splat(0x0F)));
        let upper = s.lookup16(s.table16(&CONTROLS_BY_UPPER), s.shr::<8, 4>(v));
        Some(nonzero(s, s.and(lower, upper)))
    }
}

static CONTROLS_BY_UPPER: [u8; 16] = [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// 1 where the byte below 10 is such a control, and 2 where the one above is.
static CONTROLS_BY_LOWER: [u8; 16] = {
    let mut of = [3; 16];
    let mut white = 0;
    while white < 4 {
        of[[0x9, 0xA, 0xC, 0xD][white]] = 2;
        white += 1;
    }
    of
};

/// Bytes that are not US-ASCII.
#[derive(Clone, Copy)]
pub(crate) struct NonAscii;

impl Measure for NonAscii {
    const UNIT: usize = 1;
    const MOST: usize = 1;

    #[inline(always)]
    fn of(self, unit: &[u8]) -> usize {
        usize::from(unit[0] >= 0x80)
    }

    #[inline(always)]
    fn which<S: Simd>(self, s: S, v: S::V) -> Option<S::C> {
        Some(s.gt::<8>(s.splat(0), v))
    }
}

/// Bytes other than this one.
#[derive(Clone, Copy)]
pub(crate) struct Other(pub(crate) u8);

impl Measure for Other {
    const UNIT: usize = 1;
    const MOST: usize = 1;

    #[inline(always)]
    fn of(self, unit: &[u8]) -> usize {
        usize::from(unit[0] != self.0)
    }

    #[inline(always)]
    fn which<S: Simd>(self, s: S, v: S::V) -> Option<S::C> {
        Some(nonzero(s, s.xor(v, s.splat(self.0))))
    }
}

/// 4 minus the UTF-8 length of a unit of UTF-32.
#[derive(Clone, Copy)]
pub(crate) struct BelowFour;

impl Measure for BelowFour {
    const UNIT: usize = 4;
    const MOST: usize = 3;

    #[inline(always)]
    fn of(self, unit: &[u8]) -> usize {
        let unit = u32::from_ne_bytes([unit[0], unit[1], unit[2], unit[3]]);
        usize::from(unit < 0x80) + usize::from(unit < 0x800) + usize::from(unit < 0x1_0000)
    }

    #[inline(always)]
    fn count<S: Simd>(self, s: S, v: S::V, count: S::V) -> S::V {
        [0x7F, 0x7FF, 0xFFFF]
            .into_iter()
            .fold(count, |count, most| s.count::<32>(count, s.same::<32>(s.and(v, s.splat32(!most)), s.splat(0))))
    }
}

struct Total<M>(PhantomData<M>);

impl<M: Measure> Kernel for Total<M> {
    type Arg = M;
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], measure: M) -> usize {
        sum(s, measure, src)
    }

    fn without(src: &[u8], _: &mut [u8], measure: M) -> usize {
        src.chunks_exact(M::UNIT).map(|unit| measure.of(unit)).sum()
    }
}

/// Registers that share a turn of the loop, each with lanes of its own to
/// count in: one after the other in the same lanes would have to wait.
const GROUP: usize = 4;

/// From here on registers are loaded from addresses that are their multiples:
/// others reach into two lines of the cache.
const LONG: usize = 4096;

#[inline(always)]
fn sum<S: Simd, M: Measure>(s: S, measure: M, src: &[u8]) -> usize {
    if const { !S::Blocks::AT_ONCE && M::UNIT == 1 } && src.len() <= SHORT * S::LANES {
        return sum_of_few(s, measure, src);
    }
    // The bytes after which a lane could overflow.
    let run = S::LANES * (255 / M::MOST / GROUP * GROUP);
    let mut sum = 0;
    let mut src = src;
    if src.len() >= LONG
        && let Some((front, rest)) = src.split_at_checked(src.as_ptr().align_offset(S::LANES))
        && front.len() % M::UNIT == 0
    {
        let own = head(s, src, 0, front.len());
        sum = s.sum(measure.count(s, own, s.splat(0))) - (S::LANES - front.len()) / M::UNIT * measure.of(&[0; 4]);
        src = rest;
    }
    if const { S::IS_BLOCK && M::UNIT == 1 && M::MOST == 1 } {
        return sum + sum_of_bits(s, measure, src);
    }
    while src.len() >= run {
        let (front, rest) = src.split_at(run);
        sum += s.sum(count_whole(s, measure, front).0);
        src = rest;
    }
    // A run is not full here: there is space in the lanes for one more.
    let (count, rest) = count_whole(s, measure, src);
    sum + sum_after(s, measure, src, rest.len(), count)
}

/// The registers of the longest source that is summed one by one.
const SHORT: usize = 4;

/// [`sum`] of [`SHORT`] registers at most, by the bits of masks: to sum lanes takes longer than a
/// few comparisons.
#[inline(always)]
fn sum_of_few<S: Simd, M: Measure>(s: S, measure: M, src: &[u8]) -> usize {
    let (whole, last) = src.split_at(src.len().saturating_sub(1) / S::LANES * S::LANES);
    let mut sum = match src.len().checked_sub(S::LANES) {
        // Without the lanes that were counted before it.
        Some(from) if !S::IS_BLOCK => measure.bits(s, s.load(src, from), S::LANES - last.len()),
        // The padding counts as the unit 0.
        _ => measure.bits(s, s.load_padded(last, 0), 0) - measure.of(&[0]) * (S::LANES - last.len()),
    };
    for register in whole.chunks_exact(S::LANES) {
        sum += measure.bits(s, s.load(register, 0), 0);
    }
    sum
}

/// [`sum`] of bytes that count one or nothing, where a comparison gives a mask: counting bits runs
/// in parallel to the comparisons, where turning the mask into lanes would wait for them.
#[inline(always)]
fn sum_of_bits<S: Simd, M: Measure>(s: S, measure: M, src: &[u8]) -> usize {
    let mut sum = 0;
    let mut groups = src.chunks_exact(GROUP * S::LANES);
    for group in &mut groups {
        for part in 0..GROUP {
            sum += measure.bits(s, s.load(group, part * S::LANES), 0);
        }
    }
    match groups.remainder() {
        [] => sum,
        rest => sum + sum_of_few(s, measure, rest),
    }
}

/// The lanes of `count`, and what the last `len` bytes of `src` count, fewer than a register.
#[inline(always)]
fn sum_after<S: Simd, M: Measure>(s: S, measure: M, src: &[u8], len: usize, count: S::V) -> usize {
    let count = measure.count(s, last(s, src, len), count);
    s.sum(count) - (S::LANES - len) / M::UNIT * measure.of(&[0; 4])
}

/// The last `len` bytes of `src`, fewer than a register, and zeros: before them, if those are
/// there to be loaded with them.
#[inline(always)]
fn last<S: Simd>(s: S, src: &[u8], len: usize) -> S::V {
    match src.len().checked_sub(S::LANES) {
        Some(from) if !S::IS_BLOCK => s.and(s.load(src, from), s.load(&LAST, 64 - S::LANES + len)),
        _ => s.load_padded(&src[src.len() - len..], 0),
    }
}

/// The `len` bytes of `src` from `at` on, fewer than a register but at the front of one, and zeros after them.
#[inline(always)]
fn head<S: Simd>(s: S, src: &[u8], at: usize, len: usize) -> S::V {
    and_not(s, s.load(&LAST, 64 - len), s.load(src, at))
}

/// Zeros, then ones: which lanes of a register are the last ones.
static LAST: [u8; 128] = {
    let mut mask = [0; 128];
    let mut lane = 64;
    while lane < 128 {
        mask[lane] = 0xFF;
        lane += 1;
    }
    mask
};

/// Counts the whole registers of a run, and returns the bytes after them
/// too.
#[inline(always)]
fn count_whole<S: Simd, M: Measure>(s: S, measure: M, run: &[u8]) -> (S::V, &[u8]) {
    let (mut count, mut rest) = (s.splat(0), run);
    // Of fewer the processor would have to foresee the end of one loop more.
    if run.len() >= 2 * GROUP * S::LANES {
        let mut groups = run.chunks_exact(GROUP * S::LANES);
        let mut counts = [count; GROUP];
        for group in &mut groups {
            for (part, count) in counts.iter_mut().enumerate() {
                *count = measure.count(s, s.load(group, part * S::LANES), *count);
            }
        }
        for of_part in counts {
            count = s.add::<8>(count, of_part);
        }
        rest = groups.remainder();
    }
    let mut registers = rest.chunks_exact(S::LANES);
    for register in &mut registers {
        count = measure.count(s, s.load(register, 0), count);
    }
    (count, registers.remainder())
}

/// The number of bytes of `src` that are not continuation bytes, and the highest byte, or any of US-ASCII
/// if all are.
pub(crate) fn starts_and_highest(src: &[u8]) -> (usize, u8) {
    run::<StartsAndHighest>(src, &mut [], ())
}

struct StartsAndHighest;

impl Kernel for StartsAndHighest {
    type Arg = ();
    type Output = (usize, u8);
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], (): ()) -> (usize, u8) {
        let mut count = ascii_front(s, src);
        let mut all = [s.splat(0); GROUP];
        // The second look finds it in the first cache.
        for piece in src[count..].chunks(LONG) {
            count += sum(s, Starts, piece);
            all = highest(s, piece, all);
        }
        let [mut of_all, others @ ..] = all;
        for other in others {
            of_all = higher(s, of_all, other);
        }
        let (mut lanes, mut most) = ([0; 64], 0);
        s.store(of_all, &mut lanes, 0);
        for lane in lanes {
            most = if lane > most { lane } else { most };
        }
        (count, most)
    }

    fn without(src: &[u8], _: &mut [u8], (): ()) -> (usize, u8) {
        (src.iter().filter(|byte| !is_continuation(**byte)).count(), src.iter().copied().max().unwrap_or_default())
    }
}

/// The length of the US-ASCII prefix in whole groups.
#[inline(always)]
fn ascii_front<S: Simd>(s: S, src: &[u8]) -> usize {
    let mut len = 0;
    for group in src.chunks_exact(GROUP * S::LANES) {
        let mut any = s.load(group, 0);
        for part in 1..GROUP {
            any = s.or(any, s.load(group, part * S::LANES));
        }
        if s.any_msb(any) {
            break;
        }
        len += group.len();
    }
    len
}

/// The highest byte of each lane, in `all` or in `src`.
#[inline(always)]
fn highest<S: Simd>(s: S, src: &[u8], mut all: [S::V; GROUP]) -> [S::V; GROUP] {
    let mut groups = src.chunks_exact(GROUP * S::LANES);
    for group in &mut groups {
        for (part, highest) in all.iter_mut().enumerate() {
            *highest = higher(s, *highest, s.load(group, part * S::LANES));
        }
    }
    let mut registers = groups.remainder().chunks_exact(S::LANES);
    for register in &mut registers {
        all[0] = higher(s, all[0], s.load(register, 0));
    }
    all[1] = higher(s, all[1], s.load_padded(registers.remainder(), 0));
    all
}

/// The higher byte of each lane.
#[inline(always)]
fn higher<S: Simd>(s: S, a: S::V, b: S::V) -> S::V {
    s.add::<8>(a, s.saturating_sub(b, a))
}

/// The length in UTF-8 of the UTF-16 in `src`, in native order.
///
/// Three a unit, less what units below U+0800 and pairs of surrogates do not
/// take. Two registers of units are made one of bytes that says of each unit
/// how many bytes below three it takes ([`Simd::lookup_above7`]):
///
/// ```text
/// unit               >> 7, at most FF   + 70, at most FF   table[lower nibble]
/// 0000-007F          00                 70                 2
/// 0080-07FF          01-0F              71-7F              1
/// 0800-FFFF          10-FF              80-FF              0, by the top bit
/// ```
///
/// Pairs are looked for only from a group of registers with a surrogate to the
/// end of eight groups without a pair. Whether there is a surrogate shows in the
/// least of the units, moved such that the surrogates come first:
///
/// ```text
/// D800-DFFF  + A800 =  8000-87FF, signed the lowest
/// ```
#[inline(always)]
pub(crate) fn utf8_len_from_utf16(src: &[u16]) -> usize {
    if src.is_empty() {
        return 0;
    }
    if cfg!(target_endian = "big") {
        Utf8Len::without(bytes_of(src), &mut [], ())
    } else {
        run::<Utf8Len>(bytes_of(src), &mut [], ())
    }
}

struct Utf8Len;

impl Kernel for Utf8Len {
    type Arg = ();
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], (): ()) -> usize {
        3 * (src.len() / 2) - sum_below_three(s, src)
    }

    fn without(src: &[u8], _: &mut [u8], (): ()) -> usize {
        let units = || src.as_chunks().0.iter().map(|unit| u16::from_ne_bytes(*unit));
        let pairs = units().zip(units().skip(1)).filter(|(a, b)| is_high(*a) && is_low(*b)).count();
        3 * units().len() - units().map(below_three).sum::<usize>() - 2 * pairs
    }
}

/// The bytes of UTF-8 below three that a unit takes, by its upper nine bits.
static BELOW_THREE: [u8; 16] = [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// The bytes of the unit before.
const PREV: usize = 2;

/// 3 minus the UTF-8 length of `unit`, which is taken for no surrogate.
#[inline(always)]
fn below_three(unit: u16) -> usize {
    usize::from(unit < 0x80) + usize::from(unit < 0x800)
}

/// [`below_three`] of all units, and 2 for each pair.
///
/// Each unit is examined with the unit before it; the first one has none.
#[inline(always)]
fn sum_below_three<S: Simd>(s: S, src: &[u8]) -> usize {
    if !S::Blocks::AT_ONCE
        && src.len() <= FEW
        && let Some(sum) = few_below_three(s, src)
    {
        return sum;
    }
    if S::Blocks::AT_ONCE && src.len() >= STEP {
        let done = src.len() / STEP * STEP;
        let last = u16::from_ne_bytes([src[done - PREV], src[done - 1]]);
        // The last unit is examined again, with the unit after it.
        return steps_below_three(s, &src[..done]) + units_below_three(s, &src[done - PREV..]) - below_three(last);
    }
    units_below_three(s, src)
}

/// The bytes of the longest source that is counted register by register. A lane counts at most 2 for each.
const FEW: usize = 512;

/// [`sum_below_three`] of at most [`FEW`] bytes. Surrogates are detected in the same pass and
/// counted in another, because few strings have any; without masks the result is `None` then.
#[inline(always)]
fn few_below_three<S: Simd>(s: S, src: &[u8]) -> Option<usize> {
    let (whole, end) = src.split_at(src.len().saturating_sub(1) / S::LANES * S::LANES);
    let units = last(s, src, end.len());
    // The padding counts as the unit 0.
    let padding = (S::LANES - end.len()) / 2 * below_three(0);
    let mut lowest = lower16(s, s.splat(0), units);
    let mut sum = 0;
    if S::IS_BLOCK {
        // To sum lanes takes longer than some comparisons.
        let below = |units| {
            let (one, two) = (s.bits::<16>(none_of16(s, units, 0xFF80)), s.bits::<16>(none_of16(s, units, 0xF800)));
            (one | two << (S::LANES / 2)).count_ones() as usize
        };
        sum += below(units);
        for register in whole.chunks_exact(S::LANES) {
            let units = s.load(register, 0);
            sum += below(units);
            lowest = lower16(s, lowest, units);
        }
    } else {
        // The second operand of a single register counts nothing.
        let none = s.splat(0xFF);
        let mut count = s.lookup_above7(&BELOW_THREE, units, none);
        for register in whole.chunks_exact(S::LANES) {
            let units = s.load(register, 0);
            count = count_below_three(s, units, none, count);
            lowest = lower16(s, lowest, units);
        }
        sum += s.sum(count);
    }
    let sum = sum - padding;
    if !had_surrogate(s, lowest) {
        Some(sum)
    } else if S::IS_BLOCK {
        Some(sum + 2 * pairs_in_few(s, src))
    } else {
        None
    }
}

/// The pairs of surrogates, by masks too.
#[inline(always)]
fn pairs_in_few<S: Simd>(s: S, src: &[u8]) -> usize {
    let (mut pairs, mut high_before) = (0, 0);
    for register in src.chunks(S::LANES) {
        let (high, low) = halves(s, s.load_padded(register, 0));
        pairs += ((high << 1 | high_before) & low).count_ones() as usize;
        high_before = high >> (S::LANES / 2 - 1);
    }
    pairs
}

/// The bytes that share a question where masks of bits are dear. Each lane counts
/// 4 for them at the most, as it does for a group.
const STEP: usize = 128;

/// [`sum_below_three`] for whole steps, where [`Blocks::AT_ONCE`]: surrogates are recognised by their
/// upper bytes, in half the registers.
#[inline(always)]
fn steps_below_three<S: Simd>(s: S, src: &[u8]) -> usize {
    let zero = s.splat(0);
    let mut sum = 0;
    // The last units of the step before that are high surrogates.
    let mut high = zero;
    // The number of steps in which surrogates are counted without asking whether there are any: one step had some.
    let mut wary = 0;
    for run in src.chunks(GROUPS * STEP) {
        let (mut counts, mut pairs) = ([zero; 2], zero);
        for step in run.chunks_exact(STEP) {
            let mut upper = [zero; 4];
            for (i, upper) in upper.iter_mut().enumerate() {
                let (a, b) = (s.load(step, 32 * i), s.load(step, 32 * i + 16));
                counts[i % 2] = s.add::<8>(counts[i % 2], s.lookup_above7(&BELOW_THREE, a, b));
                [_, *upper] = S::Blocks::planes16(s, a, b);
            }
            if wary == 0 && has_upper_of_surrogate(s, upper) {
                wary = 8;
            }
            if wary > 0 {
                wary -= 1;
                for upper in upper {
                    let before = high;
                    high = half_by_upper(s, upper, 0xD8);
                    let low = half_by_upper(s, upper, 0xDC);
                    // FF is -1.
                    pairs = s.add::<8>(pairs, s.and(low, s.across::<-1>(before, high)));
                }
            } else {
                high = zero;
            }
        }
        let pairs = s.add::<8>(s.xor(pairs, s.splat(0xFF)), s.splat(1));
        sum += s.sum(counts[0]) + s.sum(counts[1]) + 2 * s.sum(pairs);
    }
    sum
}

/// True if one of these upper bytes belongs to a surrogate (D8 to DF).
#[inline(always)]
fn has_upper_of_surrogate<S: Simd>(s: S, upper: [S::V; 4]) -> bool {
    let moved = |upper| s.add::<8>(upper, s.splat(0xD8_u8.wrapping_neg()));
    let two = |a, b| S::Blocks::lesser(s, moved(a), moved(b));
    S::Blocks::least(s, two(upper[0], upper[1]), two(upper[2], upper[3])) < 8
}

#[inline(always)]
fn units_below_three<S: Simd>(s: S, src: &[u8]) -> usize {
    let Some(&first) = src.first_chunk() else { return 0 };
    let mut sum = below_three(u16::from_ne_bytes(first));
    let zero = s.splat(0);
    let (mut counts, mut pairs) = ([zero; 2], [zero; 2]);
    let (mut at, mut groups, mut padding) = (PREV, 0, 0);
    // More in a group where there is more to be asked of it than of a mask.
    let in_group = if S::LANES == 32 { 2 * GROUP } else { GROUP };
    // Where a register takes half a line of the cache, every other one would take two lines if they did not begin
    // where it does: the first one is counted in part.
    if const { S::LANES == 32 } && src.len() >= LONG {
        let len = (src[PREV..].as_ptr().addr().wrapping_neg() % S::LANES) & !1;
        let own = head(s, src, PREV, len);
        counts[0] = count_below_three(s, own, s.splat(0xFF), counts[0]);
        pairs[0] = count_pairs(s, head(s, src, 0, len), own, pairs[0]);
        padding = (S::LANES - len) / 2 * below_three(0);
        (at, groups) = (PREV + len, in_group / GROUP);
    }
    let mut look_for_pairs = false;
    let mut before = pairs;
    while let Some(group) = src.get(at - PREV..at + in_group * S::LANES) {
        for two in 0..in_group / 2 {
            let a = s.load(group, PREV + 2 * two * S::LANES);
            let b = s.load(group, PREV + (2 * two + 1) * S::LANES);
            counts[two % 2] = count_below_three(s, a, b, counts[two % 2]);
        }
        for four in 0..in_group / GROUP {
            look_for_pairs = look_for_pairs || has_surrogate(s, &group[PREV + four * GROUP * S::LANES..]);
        }
        if look_for_pairs {
            for part in 0..in_group {
                let own = s.load(group, PREV + part * S::LANES);
                let prev = s.load(group, part * S::LANES);
                pairs[part % 2] = count_pairs(s, prev, own, pairs[part % 2]);
            }
        }
        at += in_group * S::LANES;
        groups += in_group / GROUP;
        if look_for_pairs && groups % 8 == 0 {
            let found = s.or(s.xor(pairs[0], before[0]), s.xor(pairs[1], before[1]));
            look_for_pairs = s.any_nonzero(found);
            before = pairs;
        }
        if groups + in_group / GROUP > GROUPS {
            sum += s.sum(s.add::<8>(counts[0], counts[1])) + 2 * s.sum(s.add::<8>(pairs[0], pairs[1]));
            (counts, pairs, before, groups) = ([zero; 2], [zero; 2], [zero; 2], 0);
        }
    }
    // The second operand of a single register counts nothing.
    let none = s.splat(0xFF);
    while let Some(register) = src.get(at - PREV..at + S::LANES) {
        let own = s.load(register, PREV);
        counts[0] = count_below_three(s, own, none, counts[0]);
        pairs[0] = count_pairs(s, s.load(register, 0), own, pairs[0]);
        at += S::LANES;
    }
    if at < src.len() {
        let (own, prev) = last_with_prev(s, src, src.len() - at);
        counts[1] = count_below_three(s, own, none, counts[1]);
        pairs[1] = count_pairs(s, prev, own, pairs[1]);
        padding += (S::LANES - (src.len() - at)) / 2 * below_three(0);
    }
    let (count, pair) = (s.add::<8>(counts[0], counts[1]), s.add::<8>(pairs[0], pairs[1]));
    if groups == 0 {
        // A lane cannot overflow with so short a source.
        return sum + s.sum(s.add::<8>(count, s.add::<8>(pair, pair))) - padding;
    }
    sum + s.sum(count) + 2 * s.sum(pair) - padding
}

/// The last `len` bytes of `src`, units fewer than a register, and in the same lanes the unit before
/// each; zeros in the others.
#[inline(always)]
fn last_with_prev<S: Simd>(s: S, src: &[u8], len: usize) -> (S::V, S::V) {
    let prev = &src[..src.len() - PREV];
    if prev.len() >= S::LANES {
        return (last(s, src, len), last(s, prev, len));
    }
    let from = prev.len() - len;
    (s.load_padded(&src[from + PREV..], 0), s.load_padded(&prev[from..], 0))
}

/// Groups after which the lanes are summed, which then are at 4 a group and,
/// after the last one, at 2 for each of four registers more.
const GROUPS: usize = (255 - 8) / 4;

/// Adds to the lanes of `count` how many bytes fewer than three the units of
/// both registers become.
#[inline(always)]
fn count_below_three<S: Simd>(s: S, a: S::V, b: S::V, count: S::V) -> S::V {
    s.add::<8>(count, s.lookup_above7(&BELOW_THREE, a, b))
}

/// Adds 1 to each lane of `count` where a pair ends.
#[inline(always)]
fn count_pairs<S: Simd>(s: S, prev: S::V, own: S::V, count: S::V) -> S::V {
    let (not_high, not_low) = (s.xor(prev, s.splat16(0xD800)), s.xor(own, s.splat16(0xDC00)));
    s.count::<16>(count, none_of16(s, s.or(not_high, not_low), 0xFC00))
}
