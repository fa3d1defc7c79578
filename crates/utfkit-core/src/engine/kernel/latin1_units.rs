//! ISO-8859-1 to UTF-16 and UTF-32 and back: a unit a byte.
//!
//! Each unit becomes one unit, so the last array may overlap the one
//! before it, and a destination of exactly the result's size is filled at full
//! speed. Where it costs nothing this is plain code over arrays of constant
//! length, which compilers turn into vector instructions.

use core::marker::PhantomData;

use crate::engine::progress::Packed;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;
use utfkit_forms::scalar::bytes::{Little, Unit};

/// Converts from ISO-8859-1 to units `U`, as much as
/// fits.
#[inline]
pub(crate) fn widen<U: Unit + From<u8>>(src: &[u8], dst: &mut [u8]) -> Packed {
    let len = src.len().min(dst.len() / U::SIZE);
    let read = run::<Widen<U>>(&src[..len], &mut dst[..len * U::SIZE], ());
    Packed::new(read, read * U::SIZE)
}

/// Converts from units `U` to ISO-8859-1, as much as
/// fits, up to an array that has a unit above FF.
#[inline]
pub(crate) fn narrow<U: Unit + Into<u32>>(src: &[u8], dst: &mut [u8]) -> Packed {
    let len = dst.len().min(src.len() / U::SIZE);
    let written = run::<Narrow<U>>(&src[..len * U::SIZE], &mut dst[..len], ());
    Packed::new(written * U::SIZE, written)
}

/// The units of an array.
const LONG: usize = 128;
/// The units of an array in shorter texts. With less than this, compilers unroll the
/// loops before they see that they are vector code.
const MEDIUM: usize = 64;
/// The units of an array in the shortest texts.
const SHORT: usize = 8;

/// From here on arrays begin where a line of the cache does.
const ALIGNED: usize = 4096;
/// The bytes of a line of the cache.
const LINE: usize = 64;

/// The number of bytes before the first cache line that begins in `bytes`.
#[inline(always)]
fn to_line(bytes: &[u8]) -> usize {
    bytes.as_ptr().addr().wrapping_neg() % LINE
}

struct Widen<U>(PhantomData<U>);

impl<U: Unit + From<u8>> Kernel for Widen<U> {
    type Arg = ();
    /// The units converted.
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(_: S, src: &[u8], dst: &mut [u8], (): ()) -> usize {
        if src.len() >= ALIGNED {
            // The first array is partly written twice, such that the others
            // begin where a line of the cache does: up to 1.2 times as fast.
            widen_array::<U, LONG>(src, dst);
            let done = to_line(dst) / U::SIZE;
            widen_by::<U, LONG>(&src[done..], &mut dst[done * U::SIZE..]);
        } else if src.len() >= LONG {
            widen_by::<U, LONG>(src, dst);
        } else if src.len() >= MEDIUM {
            widen_by::<U, MEDIUM>(src, dst);
        } else if src.len() >= SHORT {
            widen_by::<U, SHORT>(src, dst);
        } else {
            widen_by::<U, 1>(src, dst);
        }
        src.len()
    }
}

#[inline(always)]
fn widen_by<U: Unit + From<u8>, const N: usize>(src: &[u8], dst: &mut [u8]) {
    for (from, to) in src.chunks_exact(N).zip(dst.chunks_exact_mut(N * U::SIZE)) {
        widen_array::<U, N>(from, to);
    }
    if !src.len().is_multiple_of(N) {
        let (from, to) = (src.len() - N, dst.len() - N * U::SIZE);
        widen_array::<U, N>(&src[from..], &mut dst[to..]);
    }
}

#[inline(always)]
fn widen_array<U: Unit + From<u8>, const N: usize>(src: &[u8], dst: &mut [u8]) {
    let (src, dst) = (&src[..N], &mut dst[..N * U::SIZE]);
    for (&from, to) in src.iter().zip(dst.chunks_exact_mut(U::SIZE)) {
        U::from(from).write::<Little>(to);
    }
}

struct Narrow<U>(PhantomData<U>);

impl<U: Unit + Into<u32>> Kernel for Narrow<U> {
    type Arg = ();
    /// The units converted.
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> usize {
        if dst.len() >= LONG {
            narrow_long::<S, U>(s, src, dst)
        } else if dst.len() >= MEDIUM {
            narrow_short::<U, MEDIUM>(src, dst)
        } else if dst.len() >= SHORT {
            narrow_short::<U, SHORT>(src, dst)
        } else {
            narrow_short::<U, 1>(src, dst)
        }
    }
}

/// Returns the units before the first array that has one above FF.
///
/// Compilers do this in more steps than there need be, and are 1.4 times as
/// slow with 32 bytes in a register.
#[inline(always)]
fn narrow_long<S: Simd, U: Unit>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut len = 0;
    if dst.len() >= ALIGNED {
        if !narrow_array::<S, U>(s, src, dst) {
            return 0;
        }
        // As in `Widen`. With a register as long as a line, the loads gain more
        // than the stores.
        len = if S::LANES == LINE { to_line(src) / U::SIZE } else { to_line(dst) };
    }
    for (from, to) in src[len * U::SIZE..].chunks_exact(LONG * U::SIZE).zip(dst[len..].chunks_exact_mut(LONG)) {
        if !narrow_array::<S, U>(s, from, to) {
            return len;
        }
        len += LONG;
    }
    if len < dst.len() {
        let (from, to) = (src.len() - LONG * U::SIZE, dst.len() - LONG);
        if narrow_array::<S, U>(s, &src[from..], &mut dst[to..]) {
            len = dst.len();
        }
    }
    len
}

/// Says whether all units are below U+0100; writes anything if not.
#[inline(always)]
fn narrow_array<S: Simd, U: Unit>(s: S, src: &[u8], dst: &mut [u8]) -> bool {
    let (src, dst) = (&src[..LONG * U::SIZE], &mut dst[..LONG]);
    let mut seen = s.splat(0);
    for part in 0..LONG / S::LANES {
        let at = part * S::LANES;
        let from = &src[at * U::SIZE..(at + S::LANES) * U::SIZE];
        let bytes = if U::SIZE == 2 {
            let units = [s.load(from, 0), s.load(from, S::LANES)];
            seen = s.or(seen, s.or(units[0], units[1]));
            s.narrow16(units)
        } else {
            let mut units = [s.splat(0); 4];
            for (i, unit) in units.iter_mut().enumerate() {
                *unit = s.load(from, i * S::LANES);
                seen = s.or(seen, *unit);
            }
            s.narrow32(units)
        };
        s.store(bytes, dst, at);
    }
    let above = if U::SIZE == 2 { s.splat16(0xFF00) } else { s.splat32(0xFFFF_FF00) };
    !s.any_nonzero(s.and(seen, above))
}

/// [`narrow_long`] for fewer units, plain code.
#[inline(always)]
fn narrow_short<U: Unit + Into<u32>, const N: usize>(src: &[u8], dst: &mut [u8]) -> usize {
    let mut len = 0;
    for (from, to) in src.chunks_exact(N * U::SIZE).zip(dst.chunks_exact_mut(N)) {
        if !narrow_units::<U, N>(from, to) {
            return len;
        }
        len += N;
    }
    if len < dst.len() {
        let (from, to) = (src.len() - N * U::SIZE, dst.len() - N);
        if narrow_units::<U, N>(&src[from..], &mut dst[to..]) {
            len = dst.len();
        }
    }
    len
}

/// [`narrow_array`] for `N` units, plain code.
#[inline(always)]
fn narrow_units<U: Unit + Into<u32>, const N: usize>(src: &[u8], dst: &mut [u8]) -> bool {
    let (src, dst) = (&src[..N * U::SIZE], &mut dst[..N]);
    let mut seen = 0;
    for (from, to) in src.chunks_exact(U::SIZE).zip(dst) {
        let unit: u32 = U::read::<Little>(from).into();
        seen |= unit;
        *to = unit as u8;
    }
    seen <= 0xFF
}
