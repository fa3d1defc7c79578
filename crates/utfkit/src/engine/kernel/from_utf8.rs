//! The way through UTF-8 that all conversions from it share.
//!
//! A conversion from UTF-8 emits every value at its last byte, block after
//! block, and keeps nothing but its place in source and destination. What it
//! emits is up to its [`Target`].
//!
//! # Damaged text
//!
//! A block is first asked whether anything is ill-formed. If nothing is,
//! comparing bytes tells where characters end; if something is, the masks of
//! [`Marks`] do, and the faults are emitted as U+FFFD in the same pass.
//!
//! Whether a block of damaged text has a fault is anybody's guess, and the
//! processor's too: a branch guessed wrong costs as much as a block. So where
//! faults are close to each other the question is left out, and the masks are
//! made for every block until [`CALM`] of them had none. Where the last damage
//! is [`FAR`] away, only for the one block.

use super::utf8::{Before, Marks, OWN, Tables, bytes_before, front, is_ascii, is_ascii_block, tail, window};
use super::window::{Around, BLOCK, Window};
use super::{OnFault, Progress};
use crate::engine::scalar::utf8::is_continuation;
use crate::engine::simd::ops::Simd;

/// What is made of UTF-8.
pub(super) trait Target<S: Simd> {
    /// The bytes that a character of US-ASCII takes.
    const UNIT: usize;
    /// The bytes that may be written for a block.
    const ROOM: usize;
    /// The bytes, at the most, that were written for a character before it is
    /// known whether it is well-formed.
    const BACK: usize = 0;
    /// The bytes that were written for a character of which 0, 1, 2 or 3 bytes
    /// were read.
    const BEGUN: [usize; 4];

    /// Writes what a block of US-ASCII becomes.
    fn widen(s: S, block: &[u8], out: &mut [u8]);

    /// Whether a character of four bytes may be in the block, if that makes a
    /// difference.
    fn has_four(s: S, window: &impl Around<S>) -> bool;

    /// Writes what the characters become that end in `lanes` of a block in
    /// which nothing is ill-formed. `four` says whether to look for characters
    /// of four bytes. Answers with the bytes written, or `None` if there is not
    /// the room.
    fn well_formed(s: S, window: &impl Around<S>, four: bool, lanes: u64, out: Room<'_>) -> Option<usize>;

    /// Writes what ends in `lanes`, and U+FFFD for the faults there. So many
    /// bytes are `there` already, up to [`BACK`](Target::BACK); those that are
    /// part of a fault it takes back. Answers with the bytes that then are
    /// there, or `None` if there is not the room.
    fn marked(s: S, window: &impl Around<S>, marks: &Marks, lanes: u64, out: Room<'_>, there: usize) -> Option<usize>;
}

/// Where a block goes.
pub(super) enum Room<'a> {
    /// There is room for whatever it becomes ([`Target::ROOM`]).
    Ample(&'a mut [u8]),
    Scarce(&'a mut [u8]),
}

/// Blocks without a fault that end the suspicion of further ones.
const CALM: usize = 4;
/// The distance of faults in bytes from which on they are rare.
const FAR: usize = 8 * BLOCK;

/// Blocks of US-ASCII in a row that let one expect many more.
const RUN: usize = 8;

/// How many characters of US-ASCII, of one to 64, lead to the beginning of a
/// line of the cache.
#[inline(always)]
fn to_line(out: &[u8], unit: usize) -> usize {
    let behind = out.as_ptr().addr() % BLOCK;
    if behind < unit { BLOCK } else { (BLOCK - behind) / unit }.max(1)
}

/// Where a conversion is between two blocks.
struct Run {
    at: usize,
    written: usize,
    replaced: bool,
    /// Whether the next block must be looked at closely.
    doubtful: bool,
    /// Up to where text was damaged.
    damaged: usize,
}

/// What stops a conversion before its end.
enum Halt {
    /// Something ill-formed that begins here.
    Fault(usize),
    /// Want of room for the next block.
    Full,
}

/// Converts all of `src`, or the longest prefix that is well-formed (if faults
/// are to stop it) and has room; what stops it is for the scalar codec to find
/// within the next [`BLOCK`] bytes.
#[inline(always)]
pub(super) fn convert<S: Simd, F: OnFault, T: Target<S>>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let Some(&first) = src.first() else { return Progress::default() };
    let tables = Tables::new(s);
    let mut run = Run { at: 0, written: 0, replaced: false, doubtful: is_continuation(first), damaged: 0 };
    while run.at < src.len() {
        if !run.doubtful {
            run.well_formed::<S, T>(s, &tables, src, dst);
        }
        // Something may be ill-formed, or it is a block at an end.
        if !F::STOP {
            if run.at - run.damaged <= FAR && run.damaged::<S, T>(s, &tables, src, dst) {
                continue;
            }
            if let Some(window) = window(src, run.at)
                && let Some(start) = run.written.checked_sub(T::BACK)
                && let Some(out) = dst.get_mut(start..run.written + T::ROOM)
                && run.block::<S, T>(s, &tables, window, !0, Room::Ample(out), T::BACK).is_ok()
            {
                run.damaged = run.at;
                continue;
            }
        } else if let Some(window) = window(src, run.at)
            && let Some(out) = dst.get_mut(run.written..run.written + T::ROOM)
        {
            match run.until_fault::<S, T>(s, &tables, window, !0, Room::Ample(out)) {
                Err(Halt::Fault(at)) => return run.progress(at),
                _ => continue,
            }
        }
        if run.at >= src.len() {
            break;
        }
        // A block at an end of `src` or of `dst`.
        let halt = if run.at == 0 {
            let (window, lanes) = front(s, src);
            run.edge::<S, F, T>(s, &tables, &window, lanes, dst)
        } else {
            let (window, lanes) = tail(s, src, run.at);
            run.edge::<S, F, T>(s, &tables, &window, lanes, dst)
        };
        match halt {
            Ok(()) => {}
            Err(Halt::Fault(at)) => return run.progress(at),
            Err(Halt::Full) => return run.back_to_boundary(src, &T::BEGUN),
        }
    }
    run.progress(src.len())
}

impl Run {
    /// Converts blocks as long as nothing is ill-formed, and they are inside
    /// the source and have room for whatever they become.
    #[inline(always)]
    fn well_formed<S: Simd, T: Target<S>>(&mut self, s: S, tables: &Tables<S>, src: &[u8], dst: &mut [u8]) {
        let Some(mut from) = self.at.checked_sub(OWN).and_then(|at| src.get(at..)) else { return };
        let mut out = &mut dst[self.written..];
        let (left, room) = (from.len(), out.len());
        while let Some(window) = from.first_chunk::<{ size_of::<Window>() }>()
            && let Some(ample) = out.get_mut(..T::ROOM)
        {
            if is_ascii(s, window) {
                T::widen(s, &window[OWN..], ample);
                from = &from[BLOCK..];
                out = &mut out[T::UNIT * BLOCK..];
                let mut run = 1;
                while let Some(block) = from[OWN..].first_chunk::<BLOCK>()
                    && let Some(ample) = out.get_mut(..T::UNIT * BLOCK)
                    && is_ascii_block(s, block)
                {
                    T::widen(s, block, ample);
                    run += 1;
                    // Many in a row: the next one begins where a line of the
                    // cache does, or each store takes two of them.
                    let step = if run == RUN { to_line(ample, T::UNIT) } else { BLOCK };
                    from = &from[step..];
                    out = &mut out[T::UNIT * step..];
                }
                if from.get(OWN).is_some_and(|&b| is_continuation(b)) {
                    self.doubtful = true;
                    break;
                }
                continue;
            }
            if tables.is_faulty(s, window) {
                break;
            }
            if T::has_four(s, window) {
                // Which of the next blocks have one is not to be guessed either:
                // until eight had none, they are taken to have one.
                let mut fours = 1u32 << 8;
                while fours != 0
                    && let Some(window) = from.first_chunk::<{ size_of::<Window>() }>()
                    && let Some(ample) = out.get_mut(..T::ROOM)
                    && !tables.is_faulty(s, window)
                {
                    fours = fours >> 1 | u32::from(T::has_four(s, window)) << 8;
                    let written = T::well_formed(s, window, true, !0, Room::Ample(ample)).unwrap_or_default();
                    from = &from[BLOCK..];
                    out = &mut out[written..];
                }
                continue;
            }
            let written = T::well_formed(s, window, false, !0, Room::Ample(ample)).unwrap_or_default();
            from = &from[BLOCK..];
            out = &mut out[written..];
        }
        self.at += left - from.len();
        self.written += room - out.len();
    }

    /// Converts blocks of damaged text, [`CALM`] at a time, until they seem to
    /// be well-formed again, as long as they are inside the source and have
    /// room for whatever they become. Answers whether it was any.
    #[inline(always)]
    fn damaged<S: Simd, T: Target<S>>(&mut self, s: S, tables: &Tables<S>, src: &[u8], dst: &mut [u8]) -> bool {
        let Some(first) = window(src, self.at) else { return false };
        let mut from = &src[self.at - OWN..];
        let Some(mut out) = self.written.checked_sub(T::BACK).and_then(|at| dst.get_mut(at..)) else { return false };
        let (left, room) = (from.len(), out.len());
        let mut before = Before::new(s, first);
        let mut faults = 1;
        while faults != 0
            && let Some(group) = from.first_chunk::<{ CALM * BLOCK + size_of::<Window>() - BLOCK }>()
            && out.len() >= T::BACK + CALM * T::ROOM
        {
            faults = 0;
            for block in 0..CALM {
                let Some(window) = group[block * BLOCK..].first_chunk::<{ size_of::<Window>() }>() else { break };
                let Some(ample) = out.get_mut(..T::BACK + T::ROOM) else { break };
                let marks = Marks::new(s, tables, window, before);
                let written = T::marked(s, window, &marks, !0, Room::Ample(ample), T::BACK).unwrap_or_default();
                out = &mut out[written - T::BACK..];
                faults |= marks.fault;
                before = marks.before_next();
            }
            from = &from[CALM * BLOCK..];
            self.replaced |= faults != 0;
        }
        if left == from.len() {
            return false;
        }
        self.at += left - from.len();
        self.damaged = self.at;
        self.written += room - out.len();
        self.doubtful = before.is_doubtful();
        true
    }

    /// Converts one block that may be ill-formed, up to the first fault. It
    /// takes nothing back: only a target without [`BACK`](Target::BACK) can
    /// stop at faults.
    #[inline(always)]
    fn until_fault<S: Simd, T: Target<S>>(
        &mut self,
        s: S,
        tables: &Tables<S>,
        window: &impl Around<S>,
        mut lanes: u64,
        out: Room<'_>,
    ) -> Result<(), Halt> {
        let marks = Marks::new(s, tables, window, Before::new(s, window));
        let fault = marks.fault & lanes;
        let lane = fault.trailing_zeros();
        if fault != 0 {
            lanes &= (1 << lane) - 1;
        }
        self.written += T::marked(s, window, &marks, lanes, out, 0).ok_or(Halt::Full)?;
        if fault != 0 {
            return Err(Halt::Fault(marks.start(self.at, lane)));
        }
        self.doubtful = marks.before_next().is_doubtful();
        self.at += BLOCK;
        Ok(())
    }

    /// Converts one block at an end of the source or of the destination.
    #[inline(always)]
    fn edge<S: Simd, F: OnFault, T: Target<S>>(
        &mut self,
        s: S,
        tables: &Tables<S>,
        window: &impl Around<S>,
        lanes: u64,
        dst: &mut [u8],
    ) -> Result<(), Halt> {
        if self.doubtful || tables.is_faulty(s, window) {
            if F::STOP {
                let out = Room::Scarce(dst.get_mut(self.written..).unwrap_or_default());
                return self.until_fault::<S, T>(s, tables, window, lanes, out);
            }
            let there = self.written.min(T::BACK);
            let out = Room::Scarce(dst.get_mut(self.written - there..).unwrap_or_default());
            return self.block::<S, T>(s, tables, window, lanes, out, there);
        }
        let out = Room::Scarce(dst.get_mut(self.written..).unwrap_or_default());
        let four = T::has_four(s, window);
        self.written += T::well_formed(s, window, four, lanes, out).ok_or(Halt::Full)?;
        self.at += BLOCK;
        Ok(())
    }

    /// Converts one block that may be ill-formed. Of what was written, so many
    /// bytes are `there` in front.
    #[inline(always)]
    fn block<S: Simd, T: Target<S>>(
        &mut self,
        s: S,
        tables: &Tables<S>,
        window: &impl Around<S>,
        lanes: u64,
        out: Room<'_>,
        there: usize,
    ) -> Result<(), Halt> {
        let marks = Marks::new(s, tables, window, Before::new(s, window));
        let written = T::marked(s, window, &marks, lanes, out, there).ok_or(Halt::Full)?;
        self.written = self.written - there + written;
        self.replaced |= marks.fault & lanes != 0;
        self.doubtful = marks.before_next().is_doubtful();
        self.at += BLOCK;
        Ok(())
    }

    fn progress(&self, read: usize) -> Progress {
        Progress { read, written: self.written, replaced: self.replaced }
    }

    /// The progress when the next block found no room: up to the character to
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
    if S::LANES == 64 { mask } else { mask & ((1 << S::LANES) - 1) }
}
