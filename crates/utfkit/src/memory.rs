//! Units as bytes: one of the listed places with `unsafe`.

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
