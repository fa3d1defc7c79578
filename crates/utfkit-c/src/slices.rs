//! C's pointers as Rust's slices, in one place.
//!
//! Null, alignment, length and overlap are checked here. That the memory is there, and that nothing else uses
//! it, is a precondition of each exported function.
//!
//! A destination may be memory that the C program never wrote. `from_raw_parts_mut` asks for initialised
//! values, and finds them: this library is object code to its callers, so no compiler sees both sides, and to
//! Rust every byte has the value that is in memory. Any such value is one of a [`Unit`].

use core::slice::{from_raw_parts, from_raw_parts_mut};

/// A code unit, or the number of an encoding.
///
/// # Safety
///
/// Every pattern of bits is a value of the type, and it has no padding.
pub(crate) unsafe trait Unit: Copy {}

// SAFETY: an integer has no padding, and every pattern of bits is one.
unsafe impl Unit for u8 {}
// SAFETY: as above.
unsafe impl Unit for u16 {}
// SAFETY: as above.
unsafe impl Unit for u32 {}

/// True if `start` is not null and aligned, and `len` values from there on take at most `isize::MAX` bytes and
/// do not reach around the end of the address space.
fn is_slice<T>(start: *const T, len: usize) -> bool {
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
    !start.is_null() && start.is_aligned() && bytes.is_some_and(|bytes| start.addr().checked_add(bytes).is_some())
}

/// The `len` units at `start`; `None` if they cannot be a slice. Length 0 is an empty slice, wherever `start`
/// points.
///
/// # Safety
///
/// - `start` is null, or points to `len` units of one object that can be read for `'a`.
/// - Nothing writes to them for `'a`.
pub(crate) unsafe fn source<'a, T: Unit>(start: *const T, len: usize) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    if !is_slice(start, len) {
        return None;
    }
    // SAFETY: `is_slice` has checked null, alignment and size. The caller promises `len` units that can be read
    // and are not written; their bits are values, by `Unit`.
    Some(unsafe { from_raw_parts(start, len) })
}

/// [`source`] for units that can be written.
///
/// # Safety
///
/// - `start` is null, or points to `len` units of one object that can be read and written for `'a`.
/// - Nothing else reads or writes them for `'a`.
pub(crate) unsafe fn destination<'a, T: Unit>(start: *mut T, len: usize) -> Option<&'a mut [T]> {
    if len == 0 {
        return Some(&mut []);
    }
    if !is_slice(start, len) {
        return None;
    }
    // SAFETY: `is_slice` has checked null, alignment and size. The caller promises `len` units that can be
    // written and that nothing else uses; their bits are values, by `Unit`.
    Some(unsafe { from_raw_parts_mut(start, len) })
}

/// A source and a destination; `None` if either cannot be a slice or if they share a byte.
///
/// # Safety
///
/// The preconditions of [`source`] and [`destination`], except that the two may overlap.
pub(crate) unsafe fn both<'a, S: Unit, D: Unit>(
    src: *const S,
    src_len: usize,
    dst: *mut D,
    dst_len: usize,
) -> Option<(&'a [S], &'a mut [D])> {
    let end = |start: usize, len: usize, size: usize| start.checked_add(len.checked_mul(size)?);
    let src_end = end(src.addr(), src_len, size_of::<S>())?;
    let dst_end = end(dst.addr(), dst_len, size_of::<D>())?;
    if src_len > 0 && dst_len > 0 && src.addr() < dst_end && dst.addr() < src_end {
        return None;
    }
    // SAFETY: the caller promises it, and the destination shares no byte with it.
    let source = unsafe { source(src, src_len) }?;
    // SAFETY: the caller promises it, and the source shares no byte with it.
    let destination = unsafe { destination(dst, dst_len) }?;
    Some((source, destination))
}

/// Writes `value` to `place`, unless that is null or not aligned.
///
/// # Safety
///
/// - `place` is null, not aligned, or points to a `T` that can be written.
/// - Nothing else reads or writes that `T` meanwhile.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() && place.is_aligned() {
        // SAFETY: it is aligned, and the caller promises that it can be written.
        unsafe { place.write(value) };
    }
}
