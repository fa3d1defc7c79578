//! Functions on units in memory, in the order of the machine.

use engine::Error;

use crate::result::utfkit_result;
use crate::slices::{both, destination, source};

/// # Safety
///
/// That of [`source`].
unsafe fn validated<T: Copy>(src: *const T, len: usize, of: impl Fn(&[T]) -> Result<(), Error>) -> utfkit_result {
    // SAFETY: as the caller promises.
    match unsafe { source(src, len) } {
        Some(src) => of(src).map_or_else(|error| utfkit_result::error(&error), |()| utfkit_result::ok(len, 0)),
        None => utfkit_result::INVALID,
    }
}

/// # Safety
///
/// That of [`both`].
pub(crate) unsafe fn converted<S: Copy, D: Copy>(
    src: *const S,
    len: usize,
    dst: *mut D,
    capacity: usize,
    of: impl Fn(&[S], &mut [D]) -> Result<usize, Error>,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    match unsafe { both(src, len, dst, capacity) } {
        Some((src, dst)) => match of(src, dst) {
            Ok(written) => utfkit_result::ok(len, written),
            Err(error) => utfkit_result::error(&error),
        },
        None => utfkit_result::INVALID,
    }
}

/// # Safety
///
/// That of [`source`].
pub(crate) unsafe fn counted<T: Copy>(src: *const T, len: usize, of: impl Fn(&[T]) -> usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { source(src, len) }.map_or(0, of)
}

/// Whether `src` is well-formed UTF-8 (RFC 3629); if not, where and what is the first error.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_validate_utf8(src: *const u8, len: usize) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { validated(src, len, |src| engine::validate(src, engine::Standard::Rfc3629)) }
}

/// Whether `src` is well-formed US-ASCII; if not, where and what is the first error.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_validate_ascii(src: *const u8, len: usize) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { validated(src, len, engine::validate_ascii) }
}

/// Whether `src` is well-formed UTF-16; if not, where and what is the first error.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_validate_utf16(src: *const u16, len: usize) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { validated(src, len, engine::validate_utf16) }
}

/// Whether `src` is well-formed UTF-32; if not, where and what is the first error.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_validate_utf32(src: *const u32, len: usize) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { validated(src, len, engine::validate_utf32) }
}

/// UTF-8 to UTF-16. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_to_utf16(
    src: *const u8,
    len: usize,
    dst: *mut u16,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf8_to_utf16) }
}

/// UTF-8 to UTF-32. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_to_utf32(
    src: *const u8,
    len: usize,
    dst: *mut u32,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf8_to_utf32) }
}

/// UTF-8 to ISO-8859-1. Stops before what is ill-formed, and before what that lacks, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_to_latin1(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf8_to_latin1) }
}

/// UTF-16 to UTF-8. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf16_to_utf8(
    src: *const u16,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf16_to_utf8) }
}

/// UTF-16 to UTF-32. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf16_to_utf32(
    src: *const u16,
    len: usize,
    dst: *mut u32,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf16_to_utf32) }
}

/// UTF-16 to ISO-8859-1. Stops before what is ill-formed, and before what that lacks, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf16_to_latin1(
    src: *const u16,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf16_to_latin1) }
}

/// UTF-32 to UTF-8. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf32_to_utf8(
    src: *const u32,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf32_to_utf8) }
}

/// UTF-32 to UTF-16. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf32_to_utf16(
    src: *const u32,
    len: usize,
    dst: *mut u16,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf32_to_utf16) }
}

/// UTF-32 to ISO-8859-1. Stops before what is ill-formed, and before what that lacks, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf32_to_latin1(
    src: *const u32,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf32_to_latin1) }
}

/// ISO-8859-1 to UTF-8. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_latin1_to_utf8(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::latin1_to_utf8) }
}

/// ISO-8859-1 to UTF-16. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_latin1_to_utf16(
    src: *const u8,
    len: usize,
    dst: *mut u16,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::latin1_to_utf16) }
}

/// ISO-8859-1 to UTF-32. Stops before what is ill-formed, and before what has no space.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_latin1_to_utf32(
    src: *const u8,
    len: usize,
    dst: *mut u32,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::latin1_to_utf32) }
}

/// UTF-8 to UTF-16, with U+FFFD for each maximal subpart of what is ill-formed.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_to_utf16_lossy(
    src: *const u8,
    len: usize,
    dst: *mut u16,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf8_to_utf16_lossy) }
}

/// UTF-16 to UTF-8, with U+FFFD for each maximal subpart of what is ill-formed.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf16_to_utf8_lossy(
    src: *const u16,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf16_to_utf8_lossy) }
}

/// UTF-8 to UTF-8, with U+FFFD for each maximal subpart of what is ill-formed.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_to_utf8_lossy(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, engine::utf8_to_utf8_lossy) }
}

/// How many code points the UTF-8 in `src` has.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_count_code_points(src: *const u8, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::count_code_points) }
}

/// How many code points the UTF-16 in `src` has.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_count_utf16(src: *const u16, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::count_utf16) }
}

/// How many units of UTF-16 the UTF-8 in `src` becomes. Exact if it is well-formed.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf16_len_from_utf8(src: *const u8, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::utf16_len_from_utf8) }
}

/// How many bytes of UTF-8 the UTF-16 in `src` becomes; an unpaired surrogate counts as U+FFFD.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_len_from_utf16(src: *const u16, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::utf8_len_from_utf16) }
}

/// How many bytes of UTF-8 the UTF-32 in `src` becomes.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_len_from_utf32(src: *const u32, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::utf8_len_from_utf32) }
}

/// How many bytes of UTF-8 the ISO-8859-1 in `src` becomes.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf8_len_from_latin1(src: *const u8, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::utf8_len_from_latin1) }
}

/// How many units of UTF-16 the UTF-32 in `src` becomes.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf16_len_from_utf32(src: *const u32, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::utf16_len_from_utf32) }
}

/// How many values of UTF-32 the UTF-16 in `src` becomes.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_utf32_len_from_utf16(src: *const u16, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, engine::utf32_len_from_utf16) }
}

/// How many of `len` bytes of UTF-8 are left without a character that is cut at the end.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_trim_partial_utf8(src: *const u8, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, |src| engine::trim_partial_utf8(src).len()) }
}

/// How many of `len` units are left without a high surrogate at the end.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_trim_partial_utf16(src: *const u16, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, |src| engine::trim_partial_utf16(src).len()) }
}

/// The place after the character or error at `at` in UTF-8 that may be damaged; `len` at the end.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_next_boundary(src: *const u8, len: usize, at: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, |src| engine::next_boundary(src, at.min(src.len()))) }
}

/// The place before `at` where a character or an error begins.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_previous_boundary(src: *const u8, len: usize, at: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, |src| engine::previous_boundary(src, at.min(src.len()))) }
}

/// The first place from `at` on where a character can begin.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_resynchronize(src: *const u8, len: usize, at: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, |src| engine::resynchronize(src, at.min(src.len()))) }
}

/// Whether a character or an error begins at `at`, or the text ends there.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_is_boundary(src: *const u8, len: usize, at: usize) -> bool {
    // SAFETY: as the caller promises.
    unsafe { counted(src, len, |src| (at <= src.len() && engine::is_boundary(src, at)).into()) == 1 }
}

/// Writes U+FFFD over each surrogate without its other half. Returns how many there were.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_to_well_formed_utf16(units: *mut u16, len: usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { destination(units, len) }.map_or(0, engine::to_well_formed_utf16)
}

/// Changes the byte order of each unit. Returns how many units there are.
///
/// # Safety
///
/// The pointers come with what can be read and written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_swap_utf16_bytes(units: *mut u16, len: usize) -> usize {
    // SAFETY: as the caller promises.
    let Some(units) = (unsafe { destination(units, len) }) else { return 0 };
    engine::swap_utf16_bytes(units);
    len
}
