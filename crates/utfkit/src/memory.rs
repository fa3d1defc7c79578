//! Bytes in memory: units seen as bytes (one of the listed places with
//! `unsafe`), and short copies.

/// Units of 16 bits.
pub(crate) fn bytes_of_mut(units: &mut [u16]) -> &mut [u8] {
    let len = size_of_val(units);
    // SAFETY: the pointer and the `len` bytes from it on are those of `units`,
    // which the answer borrows as long and as exclusively; every byte of a
    // `u16` is initialised, every value of the bytes is a `u16`, and `u8` asks
    // for no alignment.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}

/// Units of 16 bits.
pub(crate) fn bytes_of(units: &[u16]) -> &[u8] {
    let len = size_of_val(units);
    // SAFETY: the pointer and the `len` bytes from it on are those of `units`,
    // which the answer borrows as long; every byte of a `u16` is initialised,
    // and `u8` asks for no alignment.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), len) }
}

/// Copies `from` to the front of `to`, which is not shorter: a few moves of
/// constant length that overlap, where a call would cost more than the copy.
#[inline(always)]
pub(crate) fn copy_short(from: &[u8], to: &mut [u8]) {
    let to = &mut to[..from.len()];
    if copied::<64>(from, to) || copied::<32>(from, to) || copied::<16>(from, to) {
        return;
    }
    if copied::<8>(from, to) || copied::<4>(from, to) || copied::<2>(from, to) || copied::<1>(from, to) {}
}

/// Copies by moves of `N` bytes, if there are `N` to `2 * N` bytes, or more.
#[inline(always)]
fn copied<const N: usize>(from: &[u8], to: &mut [u8]) -> bool {
    let mut rest = from;
    let mut room = &mut *to;
    while let (Some((first, behind)), Some((to, more))) =
        (rest.split_first_chunk::<N>(), room.split_first_chunk_mut::<N>())
    {
        *to = *first;
        rest = behind;
        room = more;
    }
    if let (Some(last), Some(to)) = (from.last_chunk::<N>(), to.last_chunk_mut::<N>()) {
        *to = *last;
        return true;
    }
    false
}
