//! The driver of the conversions between slices.
//!
//! A source of at most one block goes through the kernel for one block, or through the scalar codec if it is so short
//! that putting a block together would take longer. A longer one goes through the fast path of its pair
//! ([`crate::engine::fast_path`]). The scalar codecs of both ends find what stopped either before the end of the source.

use super::large;
use crate::engine::fast_path::{Convert, FastPath};
use crate::engine::kernel::window::BLOCK;
use crate::engine::memory::{Aligned, Plain, bytes_of, bytes_of_mut, copy_short};
use crate::engine::progress::{OnError, Packed};
use crate::engine::simd::dispatch::takes_any_length;
use crate::engine::walk::{Stop, by_value, put};
use crate::error::Error;
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::bytes::{Native, Serial};
use utfkit_forms::scalar::latin1::Latin1;
use utfkit_forms::scalar::utf8::Utf8;
use utfkit_forms::scalar::utf16::Utf16;
use utfkit_forms::scalar::utf32::Utf32;
use utfkit_forms::scalar::{Decode, Encode};
use utfkit_forms::scalar::{Form, REPLACEMENT, short};

/// Converts a short source to its end: `scalar` is the pair's function in [`short`], `kernel` its kernel for a few
/// blocks. Returns the units written, or `None` if the source is longer, ill-formed, or does not fit.
#[inline(always)]
pub(super) fn short<S: Plain, D: Plain>(
    src: &[S],
    dst: &mut [D],
    scalar: fn(&[S], &mut [D]) -> Option<usize>,
    kernel: impl FnOnce(&[u8], &mut [u8]) -> Option<usize>,
) -> Option<usize> {
    // The constant comes first: a branch on the length of a string cannot be predicted.
    if !takes_any_length() && src.len() <= short::MAX {
        scalar(src, dst)
    } else if src.is_empty() {
        Some(0)
    } else if cfg!(target_endian = "little") {
        Some(kernel(bytes_of(src), bytes_of_mut(dst))? / size_of::<D>())
    } else {
        None
    }
}

/// [`short`] of at most one block into a destination that is shorter than what a kernel may write: by way of a buffer.
#[inline(always)]
pub(super) fn scarce<S: Plain, D: Plain>(
    src: &[S],
    dst: &mut [D],
    kernel: impl FnOnce(&[u8], &mut [u8]) -> Option<usize>,
) -> Option<usize> {
    let (src, dst) = (bytes_of(src), bytes_of_mut(dst));
    if src.len() > BLOCK || src.is_empty() || dst.len() >= 4 * BLOCK || cfg!(target_endian = "big") {
        return None;
    }
    let Aligned(buffer) = &mut Aligned([0; 4 * BLOCK]);
    let written = kernel(src, buffer)?;
    copy_short(&buffer[..written], dst.get_mut(..written)?);
    Some(written / size_of::<D>())
}

/// One of the forms that are converted here, in native order.
pub(super) struct End {
    /// The bytes of a unit are `1 << shift`: a division by what only the program
    /// knows would be felt by a short source.
    shift: u32,
    decode: Decode,
    encode: Encode,
}

type NativeUtf16 = Serial<Utf16, Native>;
type NativeUtf32 = Serial<Utf32, Native>;

pub(super) static UTF8: End = End { shift: 0, decode: Utf8::decode, encode: Utf8::encode };
pub(super) static UTF16: End = End { shift: 1, decode: NativeUtf16::decode, encode: NativeUtf16::encode };
pub(super) static UTF32: End = End { shift: 2, decode: NativeUtf32::decode, encode: NativeUtf32::encode };
pub(super) static LATIN1: End = End { shift: 0, decode: Latin1::decode, encode: Latin1::encode };

/// Converts by the fast path, and finds out by the scalar codecs what stopped
/// it. Inlined into each conversion, whose fast path is then called directly.
#[inline(always)]
pub(super) fn convert(
    ends: (&End, &End),
    path: Convert,
    src: &[u8],
    dst: &mut [u8],
    on_error: OnError,
) -> Result<usize, Error> {
    let (from, to) = ends;
    if src.is_empty() {
        return Ok(0);
    }
    if cfg!(target_endian = "big") || large::is_large(src.len() >> from.shift, 1 << from.shift, 1 << to.shift) {
        return convert_large(ends, path, src, dst, on_error);
    }
    let done = path(src, dst, on_error);
    if done.is_all_of(src.len()) {
        Ok(done.unpack().written >> to.shift)
    } else {
        finish(ends, done, src, dst, on_error)
    }
}

/// [`convert`] for sources larger than the caches and for big-endian machines.
#[inline(never)]
fn convert_large(
    (from, to): (&End, &End),
    path: Convert,
    src: &[u8],
    dst: &mut [u8],
    on_error: OnError,
) -> Result<usize, Error> {
    let sizes = (1 << from.shift, 1 << to.shift);
    let path = FastPath::native(path, sizes.0, sizes.1);
    let done = if large::is_large(src.len() >> from.shift, sizes.0, sizes.1) {
        large::convert(path, sizes.0, sizes.1, src, dst, on_error)
    } else {
        path.convert(src, dst, on_error)
    };
    finish((from, to), done.into(), src, dst, on_error)
}

/// Converts the rest after `done` value by value, up to what stops it.
#[inline(never)]
fn finish(
    (from, to): (&End, &End),
    done: Packed,
    src: &[u8],
    dst: &mut [u8],
    on_error: OnError,
) -> Result<usize, Error> {
    let mut done = done.unpack();
    while done.read < src.len() {
        let error = match by_value(from.decode, to.encode, src, dst, &mut done, src.len()) {
            None => break,
            Some(Stop::IllFormed { len, .. } | Stop::Unfinished { len, .. }) if on_error == OnError::Replace => {
                match (to.encode)(REPLACEMENT) {
                    Some(replacement) if put(replacement.as_slice(), dst, &mut done) => {
                        done.read += len;
                        continue;
                    }
                    _ => Error::new(done.read >> from.shift, 0, ErrorKind::OutputTooSmall),
                }
            }
            Some(Stop::IllFormed { kind, len }) => Error::new(done.read >> from.shift, len >> from.shift, kind),
            Some(Stop::Unfinished { kind, len }) => Error::unfinished(done.read >> from.shift, len >> from.shift, kind),
            Some(Stop::Lacking { len }) => {
                Error::new(done.read >> from.shift, len >> from.shift, ErrorKind::Unrepresentable)
            }
            Some(Stop::Full) => Error::new(done.read >> from.shift, 0, ErrorKind::OutputTooSmall),
        };
        return Err(error.with_written(done.written >> to.shift));
    }
    Ok(done.written >> to.shift)
}
