//! Rows: from the bytes of one encoding to those of another, as far as the
//! outcome is certain. A kernel takes the bulk, [`walk`] what the kernel left
//! for want of room.

use crate::engine::kernel::utf8_to_utf8::mend;
use crate::engine::kernel::utf8_to_utf16 as kernel_8_16;
use crate::engine::kernel::utf8_to_utf32 as kernel_8_32;
use crate::engine::kernel::utf16_to_utf8 as kernel_16_8;
use crate::engine::kernel::utf16_to_utf32 as kernel_16_32;
use crate::engine::kernel::utf32_to_utf8 as kernel_32_8;
use crate::engine::kernel::utf32_to_utf16 as kernel_32_16;
use crate::engine::kernel::validate_utf8::{well_formed_prefix, well_formed_prefix_of_three};
use crate::engine::kernel::{OnFault, Progress, Replace, Stop, latin1, latin1_units, reorder};
use crate::engine::scalar::bytes::{Order, Scheme as Serial, Unit};
use crate::engine::scalar::latin1::Latin1;
use crate::engine::scalar::utf8::{self, Utf8};
use crate::engine::scalar::utf16::{Utf16, is_high};
use crate::engine::scalar::utf32::Utf32;
use crate::engine::walk::walk;

/// Converts the longest prefix of the source that is certain and fits whole
/// into the destination: both counts stand at a boundary between characters.
/// It may write anything in `dst` behind what it counts as written.
///
/// With [`Stop`](crate::engine::kernel::Stop) that is the longest well-formed prefix:
/// up to anything ill-formed, unfinished, or lacking in the target.
///
/// With [`Replace`](crate::engine::kernel::Replace) it writes U+FFFD, or `?` if the
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
#[inline(always)]
pub(crate) fn utf8_to_utf16<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    match kernel_8_16::short::<O>(src, &mut *dst) {
        Some(written) => Progress { read: src.len(), written, replaced: false },
        None => long_utf8_to_utf16::<O, F>(src, dst),
    }
}

/// The same for all that is not short and well-formed. Out of line: a short
/// source is not to bear what it needs.
#[inline(never)]
pub(crate) fn long_utf8_to_utf16<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
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
#[inline(always)]
pub(crate) fn utf16_to_utf8<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    match kernel_16_8::short::<O>(src, &mut *dst) {
        Some(written) => Progress { read: src.len(), written, replaced: false },
        None => long_utf16_to_utf8::<O, F>(src, dst),
    }
}

/// The same for all that is not short and well-formed, out of line as well.
#[inline(never)]
pub(crate) fn long_utf16_to_utf8<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    let certain = certain16::<O, F>(src);
    let done = kernel_16_8::utf16_to_utf8::<O, F>(certain, dst);
    then(done, walk::<Serial<Utf16, O>, Utf8, F>, certain, dst)
}

/// A [`Row`]: ISO-8859-1 to itself.
pub(crate) fn latin1_to_latin1(src: &[u8], dst: &mut [u8]) -> Progress {
    let len = src.len().min(dst.len());
    dst[..len].copy_from_slice(&src[..len]);
    Progress { read: len, written: len, replaced: false }
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
    let done = copy(well_formed_prefix, src, dst);
    if F::STOP { done } else { then(done, mended, src, dst) }
}

/// A [`Row`] for [`Stop`]: UTF-8 without forms of four bytes to itself.
pub(crate) fn utf8_of_three_to_itself(src: &[u8], dst: &mut [u8]) -> Progress {
    copy(well_formed_prefix_of_three, src, dst)
}

/// Copies what `prefix` says that is at the front.
#[inline(always)]
fn copy(prefix: impl Fn(&[u8]) -> usize, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    loop {
        let (from, to) = (&src[done.read..], &mut dst[done.written..]);
        let piece = from.len().min(to.len()).min(PIECE);
        let len = prefix(&from[..piece]);
        to[..len].copy_from_slice(&from[..len]);
        done.read += len;
        done.written += len;
        // Was it the cut that stopped it, perhaps?
        if len == 0 || len + 3 < piece || piece == from.len() {
            return done;
        }
    }
}

/// A [`Row`] for [`Replace`] of UTF-8 that is damaged.
fn mended(src: &[u8], dst: &mut [u8]) -> Progress {
    let certain = &src[..src.len() - utf8::unfinished_tail(src)];
    then(mend(certain, dst), walk::<Utf8, Utf8, Replace>, certain, dst)
}
