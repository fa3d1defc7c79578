//! Memory seen as something else: units as bytes, bytes as text (one of the
//! listed places with `unsafe`), and short copies.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// An integer of any size: memory that is seen as bytes and as units again.
///
/// # Safety
///
/// Every byte of a value is initialised (it has no padding), and every value of
/// its bytes is a value of the type.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: an integer has no padding, and every pattern of bits is one.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u16 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}

/// The bytes of `units`, in the order of this machine.
#[inline(always)]
pub(crate) fn bytes_of_mut<U: Plain>(units: &mut [U]) -> &mut [u8] {
    let len = size_of_val(units);
    // SAFETY: the pointer and the `len` bytes from it on belong to `units`,
    // which the result borrows as long and as exclusively; `U: Plain` says that
    // every byte is initialised and may have any value, and `u8` asks for no
    // alignment.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}

/// The bytes of `units`, in the order of this machine.
#[inline(always)]
pub(crate) fn bytes_of<U: Plain>(units: &[U]) -> &[u8] {
    let len = size_of_val(units);
    // SAFETY: the pointer and the `len` bytes from it on belong to `units`,
    // which the result borrows as long; `U: Plain` says that every byte is
    // initialised, and `u8` asks for no alignment.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), len) }
}

/// `bytes` as text.
///
/// # Safety
///
/// `bytes` are well-formed by RFC 3629.
#[inline(always)]
pub(crate) unsafe fn str_from_well_formed(bytes: &[u8]) -> &str {
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    // SAFETY: the caller promises what `str` asks for.
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

/// `bytes` as text.
///
/// # Safety
///
/// `bytes` are well-formed by RFC 3629.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) unsafe fn string_from_well_formed(bytes: Vec<u8>) -> String {
    debug_assert!(core::str::from_utf8(&bytes).is_ok());
    // SAFETY: the caller promises what `String` asks for.
    unsafe { String::from_utf8_unchecked(bytes) }
}

/// The `len` bytes from `at` on. For kernels, which ask for bytes so often that
/// without optimisation the checks are a third of them: compiled once there.
#[inline]
pub(crate) fn bytes_at(bytes: &[u8], at: usize, len: usize) -> &[u8] {
    &bytes[at..at + len]
}

/// [`bytes_of`] for writing.
#[inline]
pub(crate) fn bytes_at_mut(bytes: &mut [u8], at: usize, len: usize) -> &mut [u8] {
    &mut bytes[at..at + len]
}

/// Bytes that begin where a line of the cache does.
///
/// A kernel that has such bytes on its stack has its registers there at their
/// multiples too, where each load of one that is not takes two lines.
#[repr(C, align(64))]
pub(crate) struct Aligned<const N: usize>(pub(crate) [u8; N]);

/// Copies `from`, at most 256 bytes, to the front of `to`, which is not
/// shorter: two moves that overlap, where a call would cost more than the copy.
#[inline(always)]
pub(crate) fn copy_short(from: &[u8], to: &mut [u8]) {
    debug_assert!(from.len() <= 256);
    let to = &mut to[..from.len()];
    let _ = copy_ends::<128>(from, to)
        || copy_ends::<64>(from, to)
        || copy_ends::<32>(from, to)
        || copy_ends::<16>(from, to)
        || copy_ends::<8>(from, to)
        || copy_ends::<4>(from, to)
        || copy_ends::<2>(from, to)
        || copy_ends::<1>(from, to);
}

/// Copies the first and the last `N` bytes, if there are `N`.
#[inline]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else { return false };
    if let Some(to) = to.first_chunk_mut() {
        *to = *first;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = *last;
    }
    true
}

/// Fewer than 16 bytes, the first one lowest, and zeros above them: two loads
/// that overlap. Copied into each kernel where the code is optimised, and compiled
/// once where it is not.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn short_word(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (len & 15) - 64);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (len & 7) - 32);
        return (u64::from(u32::from_le_bytes(*first)) | last).into();
    }
    let Some(&last) = bytes.last() else { return 0 };
    let last = u32::from(last) << (8 * ((len - 1) & 3));
    (u32::from(bytes[0]) | u32::from(bytes[len / 2]) << (8 * ((len / 2) & 1)) | last).into()
}
