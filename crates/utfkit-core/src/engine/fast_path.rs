//! Fast paths: conversions of the prefix of a source whose result is certain. A kernel takes most
//! of it, [`walk`] what does not fit into whole blocks.
//!
//! Kernels know little-endian units only. Big-endian units are swapped a [`CHUNK`] at a time, in the
//! cache. Text without surrogates has kernels that swap.

use super::kernel::plain_units::{Orders, plain_units};
use super::kernel::swap::{copy_swapped, swap};
use super::kernel::utf8_to_utf8::mend;
use super::kernel::validate_utf8::{well_formed_prefix, well_formed_prefix_of_three};
use super::kernel::{copy_units, latin1, latin1_units};
use super::kernel::{utf8_to_utf16, utf8_to_utf32, utf16_to_utf8, utf16_to_utf32, utf32_to_utf8, utf32_to_utf16};
use super::progress::{OnError, Packed, Progress};
use super::walk::walk;
use utfkit_forms::scalar::LONGEST;
use utfkit_forms::scalar::ascii::ascii_prefix;
use utfkit_forms::scalar::bytes::{Little, Unit, Utf16Le, Utf32Le};
use utfkit_forms::scalar::latin1::Latin1;
use utfkit_forms::scalar::utf8::{Utf8, unfinished_tail};
use utfkit_forms::scalar::utf16::is_high;

/// Converts the longest prefix of the source that is certain and fits whole
/// into the destination: both counts are at a boundary between characters.
/// It may overwrite the rest of `dst`.
///
/// With [`OnError::Stop`] that is the longest well-formed prefix: up to
/// anything ill-formed, unfinished, or lacking in the target.
///
/// With [`OnError::Replace`] it writes U+FFFD, or `?` if the target lacks it,
/// for each maximal subpart of an ill-formed sequence, and `?` for each character
/// that the target lacks, and says so. Only a sequence at the end of the source
/// that more could complete it never takes: the caller knows whether more
/// comes.
///
/// A fast path that stops earlier is slow, not wrong.
pub(crate) type Convert = fn(&[u8], &mut [u8], OnError) -> Packed;

/// The fast path of a pair of encodings.
#[derive(Clone, Copy)]
pub(crate) struct FastPath {
    convert: Convert,
    /// The bytes of a unit, 1, 2 or 4, and whether it is big-endian.
    from: (u8, bool),
    to: (u8, bool),
    /// True if both ends are UTF-8, UTF-16 or UTF-32, so that text without surrogates may be
    /// converted by the kernels that swap.
    utf: bool,
}

impl FastPath {
    /// A fast path between units of the given sizes, 1, 2 or 4 bytes, each with `true` if they are
    /// big-endian.
    #[inline]
    pub(crate) const fn new(convert: Convert, from: (u8, bool), to: (u8, bool)) -> FastPath {
        FastPath { convert, from, to, utf: false }
    }

    /// Marks a fast path between UTF-8, UTF-16 and UTF-32.
    pub(crate) const fn of_utf(self) -> FastPath {
        FastPath { utf: true, ..self }
    }

    /// A fast path between units of the given sizes in native order.
    pub(crate) const fn native(convert: Convert, from: usize, to: usize) -> FastPath {
        let big = cfg!(target_endian = "big");
        FastPath::new(convert, (from as u8, big), (to as u8, big))
    }

    /// Converts as [`Convert`] says.
    #[inline]
    pub(crate) fn convert(self, src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
        let is_swapped = |(size, big): (u8, bool)| size > 1 && big;
        if !is_swapped(self.from) && !is_swapped(self.to) {
            (self.convert)(src, dst, on_error).unpack()
        } else if src.len() <= SHORT_CHUNK {
            self.in_chunks::<SHORT_CHUNK>(src, dst, on_error)
        } else {
            self.in_chunks::<CHUNK>(src, dst, on_error)
        }
    }

    /// Converts chunk by chunk, swapping.
    #[inline(never)]
    fn in_chunks<const CHUNK: usize>(self, src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
        let mut swapped = [0; CHUNK];
        let mut done = Progress::default();
        loop {
            let (read, written) = self.plain(&src[done.read..], &mut dst[done.written..]);
            done.read += read;
            done.written += written;
            let rest = &src[done.read..];
            let mut chunk = &rest[..rest.len().min(CHUNK)];
            let len = chunk.len();
            if let (from @ 2.., true) = self.from {
                copy_swapped(from.into(), chunk, &mut swapped[..len]);
                chunk = &swapped[..len];
            }
            let out = &mut dst[done.written..];
            let step = (self.convert)(chunk, out, on_error).unpack();
            if let (to @ 2.., true) = self.to {
                swap(to.into(), &mut out[..step.written]);
            }
            done = done.then(step);
            // Was it the cut that stopped it, perhaps?
            if len == rest.len() || step.read + LONGEST < len {
                return done;
            }
        }
    }

    /// Converts text without surrogates by the kernels that swap. Returns the bytes read and
    /// written.
    fn plain(self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let orders = Orders { from_big: self.from.1, to_big: self.to.1 };
        match (usize::from(self.from.0), usize::from(self.to.0)) {
            (1, to) => {
                let front = if self.utf { ascii_prefix(src) } else { src.len() };
                widen_big(to, &src[..front], dst)
            }
            _ if !self.utf => (0, 0),
            (2, 1) => utf16_to_utf8::plain_utf16_be_to_utf8(src, dst),
            (4, 1) => utf32_to_utf8::plain_utf32_be_to_utf8(src, dst),
            sizes => plain_units(sizes, orders, src, dst),
        }
    }
}

/// Writes ISO-8859-1, all but the last byte that fits, as big-endian units of `to`
/// bytes: of such units all bytes but one are zero, so that they are
/// little-endian units, `to - 1` bytes further on.
fn widen_big(to: usize, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let fit = src.len().min(dst.len() / to);
    let Some(units) = fit.checked_sub(1) else { return (0, 0) };
    let shift = to - 1;
    dst[..shift].fill(0);
    let out = &mut dst[shift..shift + units * to];
    let done = if to == 2 {
        latin1_units::widen::<u16>(&src[..units], out)
    } else {
        latin1_units::widen::<u32>(&src[..units], out)
    };
    let Progress { read, written, .. } = done.unpack();
    (read, written)
}

/// The bytes of a source that are swapped at once: together with what becomes of
/// them they fit into the first cache. And the most of a short one.
const CHUNK: usize = 6 << 10;
const SHORT_CHUNK: usize = 256;

/// Converts the rest after `done` value by value.
#[inline(always)]
fn then(done: Packed, walk: Convert, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    if done.is_all_of(src.len()) {
        return done;
    }
    let Progress { read, written, .. } = done.unpack();
    done.then(walk(&src[read..], &mut dst[written..], on_error))
}

/// The UTF-8 in `src` whose result does not depend on what follows: with replacement, all but an
/// unfinished sequence at the end.
#[inline(always)]
fn certain8(src: &[u8], on_error: OnError) -> &[u8] {
    match on_error {
        OnError::Stop => src,
        OnError::Replace => &src[..src.len() - unfinished_tail(src)],
    }
}

/// [`certain8`] for UTF-16: all but a high surrogate at the end.
#[inline(always)]
fn certain16(src: &[u8], on_error: OnError) -> &[u8] {
    let whole = &src[..src.len() & !1];
    match whole.last_chunk::<2>() {
        Some(last) if on_error == OnError::Replace && is_high(u16::read::<Little>(last)) => &whole[..whole.len() - 2],
        _ => whole,
    }
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let certain = certain8(src, on_error);
    then(utf8_to_utf16::utf8_to_utf16(certain, dst, on_error), walk::<Utf8, Utf16Le>, certain, dst, on_error)
}

pub(crate) fn utf16_to_utf8(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let certain = certain16(src, on_error);
    then(utf16_to_utf8::utf16_to_utf8(certain, dst, on_error), walk::<Utf16Le, Utf8>, certain, dst, on_error)
}

pub(crate) fn latin1_to_latin1(src: &[u8], dst: &mut [u8], _: OnError) -> Packed {
    let len = src.len().min(dst.len());
    dst[..len].copy_from_slice(&src[..len]);
    Packed::new(len, len)
}

pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    then(latin1::latin1_to_utf8(src, dst), walk::<Latin1, Utf8>, src, dst, on_error)
}

pub(crate) fn latin1_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    then(latin1_units::widen::<u16>(src, dst), walk::<Latin1, Utf16Le>, src, dst, on_error)
}

pub(crate) fn latin1_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    then(latin1_units::widen::<u32>(src, dst), walk::<Latin1, Utf32Le>, src, dst, on_error)
}

/// UTF-8 to ISO-8859-1, for [`OnError::Stop`].
pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    then(latin1::utf8_to_latin1(src, dst), walk::<Utf8, Latin1>, src, dst, on_error)
}

/// UTF-16 to ISO-8859-1, for [`OnError::Stop`].
pub(crate) fn utf16_to_latin1(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    then(latin1_units::narrow::<u16>(src, dst), walk::<Utf16Le, Latin1>, src, dst, on_error)
}

/// UTF-32 to ISO-8859-1, for [`OnError::Stop`].
pub(crate) fn utf32_to_latin1(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    then(latin1_units::narrow::<u32>(src, dst), walk::<Utf32Le, Latin1>, src, dst, on_error)
}

pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let certain = certain8(src, on_error);
    then(utf8_to_utf32::utf8_to_utf32(certain, dst, on_error), walk::<Utf8, Utf32Le>, certain, dst, on_error)
}

pub(crate) fn utf32_to_utf8(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let whole = &src[..src.len() & !3];
    then(utf32_to_utf8::utf32_to_utf8(whole, dst, on_error), walk::<Utf32Le, Utf8>, whole, dst, on_error)
}

pub(crate) fn utf32_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let whole = &src[..src.len() & !3];
    then(utf32_to_utf16::utf32_to_utf16(whole, dst, on_error), walk::<Utf32Le, Utf16Le>, whole, dst, on_error)
}

pub(crate) fn utf16_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let certain = certain16(src, on_error);
    then(utf16_to_utf32::utf16_to_utf32(certain, dst, on_error), walk::<Utf16Le, Utf32Le>, certain, dst, on_error)
}

pub(crate) fn utf16_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let certain = certain16(src, on_error);
    then(copy_units::utf16_to_utf16(certain, dst, on_error), walk::<Utf16Le, Utf16Le>, certain, dst, on_error)
}

pub(crate) fn utf32_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let whole = &src[..src.len() & !3];
    then(copy_units::utf32_to_utf32(whole, dst, on_error), walk::<Utf32Le, Utf32Le>, whole, dst, on_error)
}

/// Bytes that are validated, then copied from the cache.
const COPIED: usize = 8192;

pub(crate) fn utf8_to_utf8(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let done = copy(well_formed_prefix, src, dst);
    match on_error {
        OnError::Stop => done,
        OnError::Replace => then(done, mended, src, dst, on_error),
    }
}

/// UTF-8 without forms of four bytes to itself, for [`OnError::Stop`].
pub(crate) fn utf8_of_three_to_itself(src: &[u8], dst: &mut [u8], _: OnError) -> Packed {
    copy(well_formed_prefix_of_three, src, dst)
}

/// Copies what `prefix` says that is at the start.
fn copy(prefix: fn(&[u8]) -> usize, src: &[u8], dst: &mut [u8]) -> Packed {
    let mut done = 0;
    loop {
        let (from, to) = (&src[done..], &mut dst[done..]);
        let chunk = from.len().min(to.len()).min(COPIED);
        let len = prefix(&from[..chunk]);
        to[..len].copy_from_slice(&from[..len]);
        done += len;
        // Was it the cut that stopped it, perhaps?
        if len == 0 || len + 3 < chunk || chunk == from.len() {
            return Packed::new(done, done);
        }
    }
}

/// UTF-8 that is damaged to itself, for [`OnError::Replace`].
fn mended(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let certain = certain8(src, on_error);
    then(mend(certain, dst), walk::<Utf8, Utf8>, certain, dst, on_error)
}
