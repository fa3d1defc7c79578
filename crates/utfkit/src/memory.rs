//! Bytes in memory: units seen as bytes (one of the listed places with
//! `unsafe`), and short copies.

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
