//! Rows: from the bytes of one encoding to those of another, as far as the
//! outcome is certain. A kernel takes the bulk, [`walk`] what the kernel left
//! for want of room.

use crate::kernel::utf8_to_utf16 as kernel_8_16;
use crate::kernel::utf8_to_utf32 as kernel_8_32;
use crate::kernel::utf16_to_utf8 as kernel_16_8;
use crate::kernel::utf16_to_utf32 as kernel_16_32;
use crate::kernel::utf32_to_utf8 as kernel_32_8;
use crate::kernel::utf32_to_utf16 as kernel_32_16;
use crate::kernel::validate_utf8::well_formed_prefix;
use crate::kernel::{OnFault, Progress, Replace, Stop, latin1, latin1_units, reorder};
use crate::scalar::bytes::{Little, Order, Scheme as Serial, Unit};
use crate::scalar::latin1::Latin1;
use crate::scalar::utf8::{self, Utf8};
use crate::scalar::utf16::{Utf16, is_high};
use crate::scalar::utf32::Utf32;
use crate::walk::walk;

/// Converts the longest prefix of the source that is certain and fits whole
/// into the destination: both counts stand at a boundary between characters.
/// It may write anything in `dst` behind what it counts as written.
///
/// With [`Stop`](crate::kernel::Stop) that is the longest well-formed prefix:
/// up to anything ill-formed, unfinished, or lacking in the target.
///
/// With [`Replace`](crate::kernel::Replace) it writes U+FFFD, or `?` if the
/// target lacks it, for each maximal subpart of what is ill-formed, and `?`
/// for each character that the target lacks, and says so. Only a sequence at
/// the end of the source that more could complete it never takes: the caller
/// knows whether more comes.
///
/// A row that stops earlier is slow, not wrong.
pub(crate) type Row = fn(&[u8], &mut [u8]) -> Progress;

/// Goes on behind `done`.
#[inline(always)]
fn then(done: Progress, row: Row, src: &[u8], dst: &mut [u8]) -> Progress {
    if done.read == src.len() {
        return done;
    }
    let more = row(&src[done.read..], &mut dst[done.written..]);
    Progress {
        read: done.read + more.read,
        written: done.written + more.written,
        replaced: done.replaced | more.replaced,
    }
}

/// A [`Row`]: UTF-8 to UTF-16.
pub(crate) fn utf8_to_utf16<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let certain = if F::STOP { src } else { &src[..src.len() - utf8::unfinished_tail(src)] };
    let done = kernel_8_16::utf8_to_utf16::<O, F>(certain, dst);
    then(done, walk::<Utf8, Serial<Utf16, O>, F>, certain, dst)
}

/// The units of UTF-16 in `src` of which what follows cannot change anything:
/// with replacement, all but a high surrogate at the end.
#[inline(always)]
fn certain16<O: Order, F: OnFault>(src: &[u8]) -> &[u8] {
    let whole = &src[..src.len() & !1];
    match whole.last_chunk::<2>() {
        Some(last) if !F::STOP && is_high(u16::read::<O>(last)) => &whole[..whole.len() - 2],
        _ => whole,
    }
}

/// A [`Row`]: UTF-16 to UTF-8.
pub(crate) fn utf16_to_utf8<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let certain = certain16::<O, F>(src);
    let done = kernel_16_8::utf16_to_utf8::<O, F>(certain, dst);
    then(done, walk::<Serial<Utf16, O>, Utf8, F>, certain, dst)
}

/// A [`Row`]: ISO-8859-1 to UTF-8.
pub(crate) fn latin1_to_utf8<F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    then(latin1::latin1_to_utf8(src, dst), walk::<Latin1, Utf8, F>, src, dst)
}

/// A [`Row`]: ISO-8859-1 to UTF-16.
pub(crate) fn latin1_to_utf16<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    then(latin1_units::widen::<u16, O>(src, dst), walk::<Latin1, Serial<Utf16, O>, F>, src, dst)
}

/// A [`Row`]: ISO-8859-1 to UTF-32.
pub(crate) fn latin1_to_utf32<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    then(latin1_units::widen::<u32, O>(src, dst), walk::<Latin1, Serial<Utf32, O>, F>, src, dst)
}

/// A [`Row`] for [`Stop`]: UTF-8 to ISO-8859-1.
pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Progress {
    then(latin1::utf8_to_latin1(src, dst), walk::<Utf8, Latin1, Stop>, src, dst)
}

/// A [`Row`] for [`Stop`]: UTF-16 to ISO-8859-1.
pub(crate) fn utf16_to_latin1<O: Order>(src: &[u8], dst: &mut [u8]) -> Progress {
    then(latin1_units::narrow::<u16, O>(src, dst), walk::<Serial<Utf16, O>, Latin1, Stop>, src, dst)
}

/// A [`Row`] for [`Stop`]: UTF-32 to ISO-8859-1.
pub(crate) fn utf32_to_latin1<O: Order>(src: &[u8], dst: &mut [u8]) -> Progress {
    then(latin1_units::narrow::<u32, O>(src, dst), walk::<Serial<Utf32, O>, Latin1, Stop>, src, dst)
}

/// A [`Row`]: UTF-8 to UTF-32.
pub(crate) fn utf8_to_utf32<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let certain = if F::STOP { src } else { &src[..src.len() - utf8::unfinished_tail(src)] };
    let done = kernel_8_32::utf8_to_utf32::<O, F>(certain, dst);
    then(done, walk::<Utf8, Serial<Utf32, O>, F>, certain, dst)
}

/// A [`Row`]: UTF-32 to UTF-8.
pub(crate) fn utf32_to_utf8<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let whole = &src[..src.len() & !3];
    let done = kernel_32_8::utf32_to_utf8::<O, F>(whole, dst);
    then(done, walk::<Serial<Utf32, O>, Utf8, F>, whole, dst)
}

/// A [`Row`]: UTF-32 in the byte order `I` to UTF-16 in the byte order `O`.
pub(crate) fn utf32_to_utf16<I: Order, O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let whole = &src[..src.len() & !3];
    let done = kernel_32_16::utf32_to_utf16::<I, O, F>(whole, dst);
    then(done, walk::<Serial<Utf32, I>, Serial<Utf16, O>, F>, whole, dst)
}

/// A [`Row`]: UTF-16 in the byte order `I` to UTF-32 in the byte order `O`.
pub(crate) fn utf16_to_utf32<I: Order, O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let certain = certain16::<I, F>(src);
    let done = kernel_16_32::utf16_to_utf32::<I, O, F>(certain, dst);
    then(done, walk::<Serial<Utf16, I>, Serial<Utf32, O>, F>, certain, dst)
}

/// A [`Row`]: UTF-16 in the byte order `I` to the byte order `O`.
pub(crate) fn utf16_to_utf16<I: Order, O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let certain = certain16::<I, F>(src);
    let done = reorder::utf16_to_utf16::<I, O, F>(certain, dst);
    then(done, walk::<Serial<Utf16, I>, Serial<Utf16, O>, F>, certain, dst)
}

/// A [`Row`]: UTF-32 in the byte order `I` to the byte order `O`.
pub(crate) fn utf32_to_utf32<I: Order, O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let whole = &src[..src.len() & !3];
    let done = reorder::utf32_to_utf32::<I, O, F>(whole, dst);
    then(done, walk::<Serial<Utf32, I>, Serial<Utf32, O>, F>, whole, dst)
}

/// Bytes that are validated, then copied from the cache.
const PIECE: usize = 8192;

/// A [`Row`]: UTF-8 to itself.
pub(crate) fn utf8_to_utf8<F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    // How much of what is damaged to mend at once: the more, the closer the
    // faults are.
    let mut reach = LEAST_REACH;
    loop {
        let (from, to) = (&src[done.read..], &mut dst[done.written..]);
        let piece = from.len().min(to.len()).min(PIECE);
        let len = well_formed_prefix(&from[..piece]);
        to[..len].copy_from_slice(&from[..len]);
        done.read += len;
        done.written += len;
        if len > 0 && len + 3 >= piece && piece < from.len() {
            // It was the cut that stopped it, perhaps.
            continue;
        }
        if F::STOP {
            return done;
        }
        // Something ill-formed, or a character that has no room.
        reach = if len < reach { reach.saturating_mul(2).min(DAMAGED) } else { LEAST_REACH };
        let mended = mend(&src[done.read..], &mut dst[done.written..], reach);
        if mended.read == 0 {
            return done;
        }
        done.read += mended.read;
        done.written += mended.written;
        done.replaced |= mended.replaced;
    }
}

/// The source bytes that go through UTF-16 at once, at the most (their units
/// are in the first cache) and at the least (one block).
const DAMAGED: usize = 1024;
const LEAST_REACH: usize = 64;

/// A [`Row`] for [`Replace`] of the first `reach` bytes of damaged UTF-8.
///
/// By way of UTF-16: the kernel that makes it replaces any number of faults in
/// one pass, and what it makes is well-formed. Where there is not room for the
/// worst, the scalar codec takes the first fault alone.
fn mend(src: &[u8], dst: &mut [u8], reach: usize) -> Progress {
    let len = src.len().min(reach).min(dst.len() / 3);
    if len >= LEAST_REACH {
        let mut units = [0; 2 * DAMAGED];
        let to = utf8_to_utf16::<Little, Replace>(&src[..len], &mut units);
        let from = utf16_to_utf8::<Little, Stop>(&units[..to.written], dst);
        if to.read > 0 && from.read == to.written {
            return Progress { written: from.written, ..to };
        }
    }
    walk::<Utf8, Utf8, Replace>(&src[..src.len().min(8)], dst)
}
