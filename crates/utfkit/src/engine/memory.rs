//! Memory seen as something else: units as bytes, bytes as text (one of the
//! listed places with `unsafe`), and short copies.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// An integer of any size.
pub(crate) trait Plain: Copy {}

impl Plain for u8 {}
impl Plain for u16 {}
impl Plain for u32 {}

/// The bytes of `units`, in the order of this machine.
#[inline(always)]
pub(crate) fn bytes_of_mut<U: Plain>(units: &mut [U]) -> &mut [u8] {
    let len = size_of_val(units);
    // SAFETY: the pointer and the `len` bytes from it on are those of `units`,
    // which the answer borrows as long and as exclusively; every byte of an
    // integer is initialised, every value of its bytes is one of the integer,
    // and `u8` asks for no alignment.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}

/// The bytes of `units`, in the order of this machine.
#[inline(always)]
pub(crate) fn bytes_of<U: Plain>(units: &[U]) -> &[u8] {
    let len = size_of_val(units);
    // SAFETY: the pointer and the `len` bytes from it on are those of `units`,
    // which the answer borrows as long; every byte of an integer is
    // initialised, and `u8` asks for no alignment.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), len) }
}

/// `bytes`, which the caller has found to be well-formed by RFC 3629.
#[inline(always)]
pub(crate) fn str_from_well_formed(bytes: &[u8]) -> &str {
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    // SAFETY: the one caller, `from_utf8`, passes what `validate` has found to
    // be well-formed, which is what `str` asks for.
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

/// `bytes`, which an encoder of RFC 3629 wrote.
#[cfg(feature = "alloc")]
pub(crate) fn string_from_well_formed(bytes: Vec<u8>) -> String {
    debug_assert!(core::str::from_utf8(&bytes).is_ok());
    // SAFETY: every caller passes whole characters that the conversion to UTF-8
    // of one of our forms wrote, which is what `String` asks for.
    unsafe { String::from_utf8_unchecked(bytes) }
}

/// Copies `from`, at most 128 bytes, to the front of `to`, which is not
/// shorter: two moves that overlap, where a call would cost more than the copy.
#[inline(always)]
pub(crate) fn copy_short(from: &[u8], to: &mut [u8]) {
    debug_assert!(from.len() <= 128);
    let to = &mut to[..from.len()];
    let _ = copy_ends::<64>(from, to)
        || copy_ends::<32>(from, to)
        || copy_ends::<16>(from, to)
        || copy_ends::<8>(from, to)
        || copy_ends::<4>(from, to)
        || copy_ends::<2>(from, to)
        || copy_ends::<1>(from, to);
}

/// Copies the first and the last `N` bytes, if there are so many.
#[inline(always)]
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
/// that overlap.
#[inline(always)]
pub(crate) fn short_word(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (len & 15) - 64);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (len & 7) - 32);
        return (u64::from(u32::from_le_bytes(*first)) | last).into();
    }
    let [Some(&first), Some(&middle), Some(&last)] = [bytes.first(), bytes.get(len / 2), bytes.last()] else {
        return 0;
    };
    let last = u32::from(last) << (8 * ((len - 1) & 3));
    (u32::from(first) | u32::from(middle) << (8 * ((len / 2) & 1)) | last).into()
}
