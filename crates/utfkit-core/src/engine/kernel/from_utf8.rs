//! The driver that all conversions from UTF-8 share.
//!
//! A conversion from UTF-8 emits every value at its last byte, block after
//! block, and keeps no state but its place in source and destination. Its [`Emit`]
//! writes the units of the target.
//!
//! # Damaged text
//!
//! A block is first asked whether anything is ill-formed. If nothing is,
//! comparing bytes tells where characters end; if something is, the masks of
//! [`Marks`] do, and the errors are emitted as U+FFFD in the same pass.
//!
//! A branch on whether a block of damaged text has an error is unpredictable, and a wrong
//! prediction costs as much as a block. Where errors are close to each other there is no
//! branch: the masks are computed for every block until [`CALM`] of them had no error. After
//! [`FAR`] bytes without one they are computed for a single block only.

use super::utf8::{Before, Marks, OWN, Tables, bytes_before, front, is_ascii, is_ascii_block, lanes_from, window};
use super::validate_utf8::is_ascii_after;
use super::window::{Around, BLOCK, Edge, Window, ample, settle};
use crate::engine::progress::{OnError, Progress};
use crate::engine::simd::ops::{Blocks, Simd};
use utfkit_forms::scalar::utf8::is_continuation;

/// The target of a conversion from UTF-8.
pub(super) trait Emit<S: Simd> {
    /// The bytes that a character of US-ASCII takes.
    const UNIT: usize;
    /// The bytes that may be written for a block.
    const MOST: usize;
    /// The bytes that were written for a character of which 0, 1, 2 or 3 bytes
    /// were read.
    const BEGUN: [usize; 4];

    /// The bytes that may be written for a block at an end.
    const END_MOST: usize;

    /// Writes what a register of US-ASCII becomes to `out` from `at` on.
    fn widen_register(s: S, own: S::V, out: &mut [u8], at: usize);

    /// Writes what a block of US-ASCII becomes.
    #[inline(always)]
    fn widen(s: S, block: &[u8], out: &mut [u8]) {
        for part in 0..BLOCK / S::LANES {
            let lane = part * S::LANES;
            Self::widen_register(s, s.load(block, lane), out, Self::UNIT * lane);
        }
    }

    /// True if the block may have a character of four bytes and that makes a difference.
    fn has_four(s: S, window: &impl Around<S>) -> bool;

    /// Writes what the characters become that end in `lanes` of a block in which
    /// nothing is ill-formed. `four` says whether to look for characters of four
    /// bytes. Returns the bytes written.
    fn well_formed(s: S, window: &impl Around<S>, four: bool, lanes: u64, out: &mut [u8]) -> usize;

    /// Writes the same for a block at an end, or returns `None` if something in it is ill-formed.
    #[inline(always)]
    fn unless_ill_formed(
        s: S,
        tables: &Tables<S>,
        window: &impl Around<S>,
        lanes: u64,
        out: &mut [u8],
    ) -> Option<usize> {
        let four = Self::has_four(s, window);
        if tables.is_ill_formed(s, window) { None } else { Some(Self::well_formed(s, window, four, lanes, out)) }
    }

    /// [`well_formed`](Emit::well_formed) of a whole block, where [`Blocks::AT_ONCE`].
    ///
    /// With `ask`, the tables [of three](Tables::of_three), the block is also validated; none of the
    /// three bytes before it may be from F0 on. Returns `None` if it is ill-formed or has a
    /// character of four bytes; the output is garbage then. Without `ask` the block is
    /// well-formed and may have characters of four bytes.
    ///
    /// Validating in a separate pass would load all registers twice, a fifth more instructions.
    /// With characters of four bytes one pass would need too many registers.
    #[inline(always)]
    fn at_once(_: S, _ask: Option<&Tables<S>>, _: &Window, _out: &mut [u8]) -> Option<usize> {
        None
    }

    /// The most of [`back`](Emit::back).
    const BACK: usize = 0;

    /// The number of bytes already written that belong to an ill-formed sequence which ends in
    /// this block. They are overwritten.
    #[inline(always)]
    fn back(_: &Marks) -> usize {
        0
    }

    /// Writes a block with few errors, or returns `None` if [`marked`](Emit::marked) is faster. `from` begins with
    /// the block and may be longer, as may `out`. `recent` is the number of errors in the
    /// block plus half of `recent` of the block before. Returns the bytes written.
    #[inline(always)]
    fn spliced(_: S, _from: &[u8], _: &Marks, _recent: u32, _out: &mut [u8]) -> Option<usize> {
        None
    }

    /// True if [`mended_ascii`](Emit::mended_ascii) is implemented.
    const MENDS_ASCII: bool = false;

    /// Writes a block of US-ASCII and single bytes of `errors`, no two of them adjacent. `from` begins
    /// with the block and may be longer, as may `out`. Returns the bytes written, or
    /// `None` if the general code is faster.
    #[inline(always)]
    fn mended_ascii(_: S, _from: &[u8], _errors: u64, _out: &mut [u8]) -> Option<usize> {
        None
    }

    /// Writes what ends in `lanes`, and U+FFFD for the errors there. Returns the
    /// bytes written.
    fn marked(s: S, window: &impl Around<S>, marks: &Marks, lanes: u64, out: &mut [u8]) -> usize;
}

/// The greatest [`Emit::MOST`] of a block at an end: without [`Blocks::SPILL`], which only
/// [`Emit::at_once`] writes.
const MOST: usize = 4 * BLOCK;

/// Blocks without an error that end the suspicion of further ones.
const CALM: usize = 4;
/// The distance of errors in bytes from which on they are rare.
const FAR: usize = 8 * BLOCK;

/// Up to this value of `recent` (see [`Emit::spliced`]) errors are mostly single bytes; with ten or
/// more in a block they are not.
const FEW: u32 = 6;

/// Blocks of US-ASCII in a row that let one expect many more.
const MANY: usize = 8;

/// The number of US-ASCII characters, 1 to 64, up to the beginning of a cache line.
#[inline(always)]
fn to_line(out: &[u8], unit: usize) -> usize {
    let after = out.as_ptr().addr() % BLOCK;
    if after < unit { BLOCK } else { (BLOCK - after) / unit }.max(1)
}

/// True if neither the three bytes before the block nor its first one is from F0 on.
#[inline(always)]
fn is_after_three<S: Simd>(window: &Window) -> bool {
    // The upper four bits of each.
    let front = u32::from_le_bytes(Around::<S>::front(window));
    let upper_two = front & front << 1;
    upper_two & upper_two << 2 & 0x8080_8080 == 0
}

/// The lanes of a block after US-ASCII that are not US-ASCII, if there are any and no two are
/// adjacent: each is an error, whatever its value.
#[inline(always)]
fn alone<S: Simd>(s: S, window: &Window) -> Option<u64> {
    let mut others = 0;
    for part in 0..BLOCK / S::LANES {
        others |= s.msb(Around::<S>::load::<OWN>(window, s, part * S::LANES)) << (part * S::LANES);
    }
    // The next block looks back at the last lanes, and takes them for well-formed.
    let unfit = others & others >> 1 | others >> (BLOCK - OWN);
    (others != 0 && unfit == 0).then_some(others)
}

/// True if a kernel uses [`alone`]. With registers of 16 bytes, computing the marks first is faster.
#[inline(always)]
const fn mends_ascii<S: Simd, T: Emit<S>>() -> bool {
    T::MENDS_ASCII && S::LANES >= 32
}

/// Converts blocks as long as they are US-ASCII, and returns the bytes read.
#[inline(always)]
fn widen_blocks<S: Simd, T: Emit<S>>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut read = 0;
    for (block, out) in src.chunks_exact(BLOCK).zip(dst.chunks_exact_mut(T::UNIT * BLOCK)) {
        if !is_ascii_block(s, block) {
            break;
        }
        T::widen(s, block, out);
        read += BLOCK;
    }
    read
}

/// Converts a source of at most one block to its end. Returns the bytes written, or `None` if it is longer,
/// ill-formed, or `dst` has not the space for a block.
#[inline(always)]
pub(super) fn one_block<S: Simd, T: Emit<S>>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    if src.len() > BLOCK || dst.len() < T::END_MOST || is_continuation(*src.first()?) {
        return None;
    }
    let (window, lanes) = front(s, src);
    if is_ascii(s, &window) {
        for part in 0..src.len().div_ceil(S::LANES) {
            T::widen_register(s, window.load::<OWN>(s, part * S::LANES), dst, T::UNIT * part * S::LANES);
        }
        return Some(T::UNIT * src.len());
    }
    T::unless_ill_formed(s, &Tables::new(s), &window, lanes, dst)
}

/// Converts a source of two to four blocks to its end. Returns the bytes written, or `None` if it is ill-formed or
/// `dst` is too short for whole blocks.
#[inline(always)]
pub(super) fn some_blocks<S: Simd, T: Emit<S>>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    if dst.len() < T::END_MOST || is_continuation(*src.first()?) {
        return None;
    }
    if is_ascii_block(s, src.get(..BLOCK)?) && is_ascii_after(s, src) {
        return end_of_ascii::<S, T>(s, src, dst);
    }
    let tables = Tables::new(s);
    let (mut at, mut written) = (0, 0);
    while at < src.len() {
        let (window, lanes) = (Edge::<S, OWN>::at(s, src, at), lanes_from(src, at));
        let out = dst.get_mut(written..)?;
        if out.len() < T::END_MOST {
            return None;
        }
        written += T::unless_ill_formed(s, &tables, &window, lanes, out)?;
        at += BLOCK;
    }
    Some(written)
}

/// Writes US-ASCII, a register or more of it, of which the last one may overlap the one before it. Returns the bytes
/// written, or `None` if they do not fit.
#[inline(always)]
fn end_of_ascii<S: Simd, T: Emit<S>>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (last, out) = (src.len().checked_sub(S::LANES)?, dst.get_mut(..T::UNIT * src.len())?);
    let mut at = 0;
    while at < last {
        T::widen_register(s, s.load(src, at), out, T::UNIT * at);
        at += S::LANES;
    }
    T::widen_register(s, s.load(src, last), out, T::UNIT * last);
    Some(out.len())
}

/// Where a conversion is between two blocks.
struct Place {
    at: usize,
    written: usize,
    replaced: bool,
    /// True if the next block needs [`Marks`].
    doubtful: bool,
    /// Up to where text was damaged.
    damaged: usize,
}

/// The reason why a conversion stops before its end.
enum Halt {
    /// Something ill-formed that begins here.
    Error(usize),
    /// No space for the next block, or no way through it.
    Full,
}

/// Converts all of `src`, or the longest prefix that is well-formed (if errors
/// are to stop it) and fits; what stops it is for the scalar codec to find
/// within the next [`BLOCK`] bytes.
#[inline(always)]
pub(super) fn convert<S: Simd, T: Emit<S>>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
    let Some(&first) = src.first() else { return Progress::default() };
    let tables = Tables::new(s);
    let mut place = Place { at: 0, written: 0, replaced: false, doubtful: is_continuation(first), damaged: 0 };
    while place.at < src.len() {
        if !place.doubtful {
            place.well_formed::<S, T>(s, &tables, src, dst, on_error);
        }
        // Something may be ill-formed, or it is a block at an end.
        if S::MENDS && on_error == OnError::Replace && place.damaged::<S, T>(s, &tables, src, dst) {
            continue;
        }
        if place.at >= src.len() {
            break;
        }
        match place.block::<S, T>(s, &tables, src, dst, on_error) {
            Ok(()) => {}
            Err(Halt::Error(at)) => return place.progress(at),
            Err(Halt::Full) => return place.back_to_boundary(src, &T::BEGUN),
        }
    }
    place.progress(src.len())
}

impl Place {
    /// Converts blocks while they are well-formed, inside the source, and have ample space. With
    /// [`OnError::Replace`] also US-ASCII with single errors.
    #[inline(always)]
    fn well_formed<S: Simd, T: Emit<S>>(
        &mut self,
        s: S,
        tables: &Tables<S>,
        src: &[u8],
        dst: &mut [u8],
        on_error: OnError,
    ) {
        let Some(mut from) = self.at.checked_sub(OWN).and_then(|at| src.get(at..)) else { return };
        let mut out = &mut dst[self.written..];
        let (left, space) = (from.len(), out.len());
        let of_three = Tables::of_three(s);
        // True if the block before was validated by these tables.
        let mut after_three = false;
        'text: loop {
            if from[OWN - 1].is_ascii() {
                if const { mends_ascii::<S, T>() } && on_error == OnError::Replace {
                    (from, out) = self.mended_ascii::<S, T>(s, from, out);
                }
                if from.get(OWN).is_some_and(|&b| is_continuation(b)) {
                    self.doubtful = true;
                    break;
                }
            }
            while let Some(window) = from.first_chunk::<{ size_of::<Window>() }>()
                && let Some(ample) = out.get_mut(..T::MOST)
            {
                if is_ascii(s, window) {
                    T::widen(s, &window[OWN..], ample);
                    // By one number for both places, as long as it lasts: with two
                    // more of each kind the loop would wait for the stack.
                    let (ascii, wide) = (&from[OWN..], &mut *out);
                    let (mut done, mut in_a_row) = (BLOCK, 1);
                    if S::Blocks::AT_ONCE {
                        done += widen_blocks::<S, T>(s, &ascii[BLOCK..], &mut wide[T::UNIT * BLOCK..]);
                    }
                    while !S::Blocks::AT_ONCE
                        && let Some(block) = ascii.get(done..done + BLOCK)
                        && let Some(ample) = wide.get_mut(T::UNIT * done..T::UNIT * (done + BLOCK))
                        && is_ascii_block(s, block)
                    {
                        T::widen(s, block, ample);
                        in_a_row += 1;
                        // Many in a row: the next one begins where a line of the
                        // cache does, or each store takes two of them.
                        done += if in_a_row == MANY { to_line(ample, T::UNIT) } else { BLOCK };
                    }
                    from = &from[done..];
                    out = &mut out[T::UNIT * done..];
                    continue 'text;
                }
                if S::Blocks::AT_ONCE
                    && (after_three || is_after_three::<S>(window))
                    && let Some(written) = T::at_once(s, Some(&of_three), window, ample)
                {
                    after_three = true;
                    from = &from[BLOCK..];
                    out = &mut out[written..];
                    continue;
                }
                after_three = false;
                if tables.is_ill_formed(s, window) {
                    break;
                }
                if !T::has_four(s, window) {
                    let written = T::well_formed(s, window, false, !0, ample);
                    from = &from[BLOCK..];
                    out = &mut out[written..];
                    continue;
                }
                // Unpredictable as well: until eight blocks had no character of four bytes,
                // each is taken to have one.
                let mut fours = 1u32 << 8;
                while fours != 0
                    && let Some(window) = from.first_chunk::<{ size_of::<Window>() }>()
                    && let Some(ample) = out.get_mut(..T::MOST)
                    && !tables.is_ill_formed(s, window)
                {
                    fours = fours >> 1 | u32::from(T::has_four(s, window)) << 8;
                    let written = if S::Blocks::AT_ONCE {
                        T::at_once(s, None, window, ample).unwrap_or_default()
                    } else {
                        T::well_formed(s, window, true, !0, ample)
                    };
                    from = &from[BLOCK..];
                    out = &mut out[written..];
                }
            }
            break;
        }
        self.at += left - from.len();
        self.written += space - out.len();
    }

    /// Converts blocks after US-ASCII while they have only US-ASCII and single errors ([`alone`]). Returns the
    /// rest of source and destination.
    #[inline(always)]
    fn mended_ascii<'a, 'b, S: Simd, T: Emit<S>>(
        &mut self,
        s: S,
        mut from: &'a [u8],
        mut out: &'b mut [u8],
    ) -> (&'a [u8], &'b mut [u8]) {
        while let Some(window) = from.first_chunk::<{ size_of::<Window>() }>()
            && let Some(ample) = out.get_mut(..T::MOST)
            && let Some(errors) = alone(s, window)
            && let Some(written) = T::mended_ascii(s, &from[OWN..], errors, ample)
        {
            self.replaced = true;
            from = &from[BLOCK..];
            out = &mut out[written..];
        }
        (from, out)
    }

    /// Converts blocks of damaged text as long as they are inside the source and
    /// have space for whatever they become: until one had no damage where that is
    /// rare, otherwise until [`CALM`] in a row had none. Returns whether there were any.
    #[inline(always)]
    fn damaged<S: Simd, T: Emit<S>>(&mut self, s: S, tables: &Tables<S>, src: &[u8], dst: &mut [u8]) -> bool {
        let Some(first) = window(src, self.at) else { return false };
        let mut from = &src[self.at - OWN..];
        let Some(mut out) = self.written.checked_sub(T::BACK).and_then(|at| dst.get_mut(at..)) else { return false };
        let (left, space) = (from.len(), out.len());
        let calm = if self.at - self.damaged <= FAR { CALM } else { 1 };
        let mut before = Before::new(s, first);
        let (mut to_go, mut recent, mut errors) = (calm, 0, 0);
        // A choice between two numbers, and no branch: see above.
        while to_go != 0
            && let Some(window) = from.first_chunk::<{ size_of::<Window>() }>()
            && let Some(ample) = out.get_mut(..T::BACK + T::MOST)
        {
            // With registers of 16 bytes marks cost more than a wrong prediction, and most
            // damaged text is US-ASCII.
            if S::IS_NARROW && is_ascii(s, window) {
                T::widen(s, &window[OWN..], &mut ample[T::BACK..]);
                out = &mut out[T::UNIT * BLOCK..];
                from = &from[BLOCK..];
                to_go -= 1;
                recent /= 2;
                before = Before::after_ascii(window[OWN + BLOCK]);
                continue;
            }
            let marks = Marks::new(s, tables, window, before);
            let start = T::BACK - T::back(&marks).min(T::BACK);
            recent = recent / 2 + marks.error.count_ones();
            let spliced =
                if S::COMPRESS { None } else { T::spliced(s, &from[OWN..], &marks, recent, &mut ample[start..]) };
            let written = match spliced {
                Some(written) => written,
                None => T::marked(s, window, &marks, !0, &mut ample[start..]),
            };
            out = &mut out[start + written - T::BACK..];
            from = &from[BLOCK..];
            to_go = if marks.error != 0 { calm } else { to_go - 1 };
            errors |= marks.error;
            before = marks.before_next();
            if const { mends_ascii::<S, T>() } {
                // Back to `mended_ascii` where errors are mostly single bytes.
                to_go = if (recent <= FEW) & marks.is_ascii() { 0 } else { to_go };
            }
        }
        let blocks = (left - from.len()) / BLOCK;
        if blocks == 0 {
            return false;
        }
        self.written += space - out.len();
        self.at += blocks * BLOCK;
        if errors != 0 {
            self.replaced = true;
            self.damaged = self.at;
        }
        self.doubtful = before.is_doubtful();
        true
    }

    /// Converts one block, wherever it is and whatever is in it: all that the
    /// loops above leave. It stops at an error if errors are to stop it, which
    /// only a target can that takes nothing [back](Emit::back).
    #[inline(always)]
    fn block<S: Simd, T: Emit<S>>(
        &mut self,
        s: S,
        tables: &Tables<S>,
        src: &[u8],
        dst: &mut [u8],
        on_error: OnError,
    ) -> Result<(), Halt> {
        let window = &Edge::<S, OWN>::at(s, src, self.at);
        let mut lanes = lanes_from(src, self.at);
        let out = dst.get_mut(self.written..).unwrap_or_default();
        let own = &src[self.at..src.len().min(self.at + BLOCK)];
        if !self.doubtful
            && own.len() >= S::LANES
            && is_ascii(s, window)
            && let Some(written) = end_of_ascii::<S, T>(s, own, out)
        {
            self.written += written;
            self.at += BLOCK;
            self.doubtful = src.get(self.at).is_some_and(|&next| is_continuation(next));
            return Ok(());
        }
        // A target that overwrites bytes reads damaged text only, where few blocks are well-formed.
        if !self.doubtful && const { !S::MENDS || T::BACK == 0 } {
            let mut spare = None;
            let to = ample::<MOST>(out, &mut spare, T::END_MOST);
            if let Some(written) = T::unless_ill_formed(s, tables, window, lanes, to) {
                self.written += settle(s, &spare, written, out).ok_or(Halt::Full)?;
                self.at += BLOCK;
                return Ok(());
            }
        }
        if !S::MENDS {
            return Err(Halt::Full);
        }
        let marks = Marks::new(s, tables, window, Before::new(s, window));
        let errors = marks.error & lanes;
        let stop = errors != 0 && on_error == OnError::Stop;
        if stop {
            lanes &= (1 << errors.trailing_zeros()) - 1;
        }
        let start = self.written - T::back(&marks).min(self.written);
        let (out, mut spare) = (dst.get_mut(start..).unwrap_or_default(), None);
        let written = T::marked(s, window, &marks, lanes, ample::<MOST>(out, &mut spare, T::END_MOST));
        settle(s, &spare, written, out).ok_or(Halt::Full)?;
        self.written = start + written;
        if stop {
            return Err(Halt::Error(marks.start(self.at, errors.trailing_zeros())));
        }
        if errors != 0 {
            self.replaced = true;
            self.damaged = self.at + BLOCK;
        }
        self.doubtful = marks.before_next().is_doubtful();
        self.at += BLOCK;
        Ok(())
    }

    fn progress(&self, read: usize) -> Progress {
        Progress { read, written: self.written, replaced: self.replaced }
    }

    /// The progress when the next block found no space: up to the character to
    /// which its first byte belongs.
    #[cold]
    fn back_to_boundary(&self, src: &[u8], begun: &[usize; 4]) -> Progress {
        let back = bytes_before(src, self.at);
        let written = self.written - begun[back & 3];
        Progress { read: self.at - back, written, replaced: self.replaced }
    }
}

/// The bits of `mask` for the lanes of one part of a block.
#[inline(always)]
pub(super) fn part_of<S: Simd>(mask: u64, part: usize) -> u64 {
    let mask = mask >> (part * S::LANES);
    if S::IS_BLOCK { mask } else { mask & ((1 << S::LANES) - 1) }
}
