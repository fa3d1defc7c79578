//! C's pointers as slices: the one place that believes them.

use core::slice::{from_raw_parts, from_raw_parts_mut};

/// Whether `len` values at `start` can be a slice: not null, aligned, and not
/// longer than memory.
fn is_slice<T>(start: *const T, len: usize) -> bool {
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
    !start.is_null() && start.is_aligned() && bytes.is_some_and(|bytes| start.addr().checked_add(bytes).is_some())
}

/// `len` values at `start`. `None` if there cannot be as many; null with 0 is empty.
///
/// # Safety
///
/// Where `start` is not null there are `len` values that can be read and nobody writes
/// to for `'a`.
pub(crate) unsafe fn source<'a, T: Copy>(start: *const T, len: usize) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    // SAFETY: it is not null, aligned and within memory; the caller promises the values.
    is_slice(start, len).then(|| unsafe { from_raw_parts(start, len) })
}

/// The same for values that may be written.
///
/// # Safety
///
/// Where `start` is not null there are `len` values that can be written and that nobody else
/// reads or writes for `'a`.
pub(crate) unsafe fn destination<'a, T: Copy>(start: *mut T, len: usize) -> Option<&'a mut [T]> {
    if len == 0 {
        return Some(&mut []);
    }
    // SAFETY: it is not null, aligned and within memory; the caller promises the values.
    is_slice(start, len).then(|| unsafe { from_raw_parts_mut(start, len) })
}

/// A source and a destination, if both can be slices and share no byte.
///
/// # Safety
///
/// That of [`source`] and [`destination`], except that they may overlap.
pub(crate) unsafe fn both<'a, S: Copy, D: Copy>(
    src: *const S,
    src_len: usize,
    dst: *mut D,
    dst_len: usize,
) -> Option<(&'a [S], &'a mut [D])> {
    let (begin, other) = (src.addr(), dst.addr());
    let end = |begin: usize, len: usize, size: usize| begin.checked_add(len.checked_mul(size)?);
    let (src_end, dst_end) = (end(begin, src_len, size_of::<S>())?, end(other, dst_len, size_of::<D>())?);
    if src_len > 0 && dst_len > 0 && begin < dst_end && other < src_end {
        return None;
    }
    // SAFETY: as the caller promises; they do not overlap.
    let source = unsafe { source(src, src_len) }?;
    // SAFETY: as the caller promises; they do not overlap.
    let destination = unsafe { destination(dst, dst_len) }?;
    Some((source, destination))
}
