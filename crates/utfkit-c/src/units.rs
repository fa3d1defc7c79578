//! Validation, conversion and counting in native byte order.
//!
//! The macros below are tables: a row is the documentation of a function, its name and types, and the
//! function of the library that it calls. `ci/c-header.sh` has rustc expand them.

use engine::Error;

use crate::result::utfkit_result;
use crate::slices::{Unit, both, destination, source};

/// # Safety
///
/// The preconditions of [`source`].
unsafe fn validated<T: Unit>(src: *const T, len: usize, of: impl Fn(&[T]) -> Result<(), Error>) -> utfkit_result {
    // SAFETY: the caller promises it.
    match unsafe { source(src, len) } {
        Some(src) => of(src).map_or_else(|error| utfkit_result::error(&error), |()| utfkit_result::ok(len, 0)),
        None => utfkit_result::INVALID,
    }
}

/// # Safety
///
/// The preconditions of [`both`].
pub(crate) unsafe fn converted<S: Unit, D: Unit>(
    src: *const S,
    len: usize,
    dst: *mut D,
    capacity: usize,
    of: impl Fn(&[S], &mut [D]) -> Result<usize, Error>,
) -> utfkit_result {
    // SAFETY: the caller promises it.
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
/// The preconditions of [`source`].
unsafe fn counted<T: Unit>(src: *const T, len: usize, of: impl Fn(&[T]) -> usize) -> usize {
    // SAFETY: the caller promises it.
    unsafe { source(src, len) }.map_or(0, of)
}

macro_rules! validations {
    ($($(#[$doc:meta])* $name:ident($unit:ty) = $of:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// - `src` is null or points to `len` units that can be read.
        /// - Nothing writes to them during the call.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(src: *const $unit, len: usize) -> utfkit_result {
            // SAFETY: the caller promises it.
            unsafe { validated(src, len, $of) }
        }
    )* };
}

validations! {
    /// Validates UTF-8 (RFC 3629). Returns the first error.
    utfkit_validate_utf8(u8) = |src| engine::validate(src, engine::Standard::Rfc3629);
    /// Validates US-ASCII. Returns the first error.
    utfkit_validate_ascii(u8) = engine::validate_ascii;
    /// Validates UTF-16. Returns the first error.
    utfkit_validate_utf16(u16) = engine::validate_utf16;
    /// Validates UTF-32. Returns the first error.
    utfkit_validate_utf32(u32) = engine::validate_utf32;
}

macro_rules! conversions {
    ($($(#[$doc:meta])* $name:ident($from:ty => $to:ty) = $of:path;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// - `src` is null or points to `len` units that can be read.
        /// - Nothing writes to them during the call.
        /// - `dst` is null or points to `capacity` units that can be written.
        /// - Nothing else reads or writes those during the call.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            src: *const $from,
            len: usize,
            dst: *mut $to,
            capacity: usize,
        ) -> utfkit_result {
            // SAFETY: the caller promises it.
            unsafe { converted(src, len, dst, capacity, $of) }
        }
    )* };
}

conversions! {
    /// UTF-8 to UTF-16. Stops before the first error, and before a character that does not fit.
    utfkit_utf8_to_utf16(u8 => u16) = engine::utf8_to_utf16;
    /// UTF-8 to UTF-32. Stops before the first error, and before a character that does not fit.
    utfkit_utf8_to_utf32(u8 => u32) = engine::utf8_to_utf32;
    /// UTF-8 to ISO-8859-1. Stops before the first error, and before a character that ISO-8859-1 lacks
    /// or that does not fit.
    utfkit_utf8_to_latin1(u8 => u8) = engine::utf8_to_latin1;
    /// UTF-16 to UTF-8. Stops before the first error, and before a character that does not fit.
    utfkit_utf16_to_utf8(u16 => u8) = engine::utf16_to_utf8;
    /// UTF-16 to UTF-32. Stops before the first error, and before a character that does not fit.
    utfkit_utf16_to_utf32(u16 => u32) = engine::utf16_to_utf32;
    /// UTF-16 to ISO-8859-1. Stops before the first error, and before a character that ISO-8859-1 lacks
    /// or that does not fit.
    utfkit_utf16_to_latin1(u16 => u8) = engine::utf16_to_latin1;
    /// UTF-32 to UTF-8. Stops before the first error, and before a character that does not fit.
    utfkit_utf32_to_utf8(u32 => u8) = engine::utf32_to_utf8;
    /// UTF-32 to UTF-16. Stops before the first error, and before a character that does not fit.
    utfkit_utf32_to_utf16(u32 => u16) = engine::utf32_to_utf16;
    /// UTF-32 to ISO-8859-1. Stops before the first error, and before a character that ISO-8859-1 lacks
    /// or that does not fit.
    utfkit_utf32_to_latin1(u32 => u8) = engine::utf32_to_latin1;
    /// ISO-8859-1 to UTF-8. Stops before a character that does not fit.
    utfkit_latin1_to_utf8(u8 => u8) = engine::latin1_to_utf8;
    /// ISO-8859-1 to UTF-16. Stops before a character that does not fit.
    utfkit_latin1_to_utf16(u8 => u16) = engine::latin1_to_utf16;
    /// ISO-8859-1 to UTF-32. Stops before a character that does not fit.
    utfkit_latin1_to_utf32(u8 => u32) = engine::latin1_to_utf32;
    /// UTF-8 to UTF-16, with U+FFFD for each maximal subpart of an ill-formed sequence.
    utfkit_utf8_to_utf16_lossy(u8 => u16) = engine::utf8_to_utf16_lossy;
    /// UTF-16 to UTF-8, with U+FFFD for each unpaired surrogate.
    utfkit_utf16_to_utf8_lossy(u16 => u8) = engine::utf16_to_utf8_lossy;
    /// UTF-8 to UTF-8, with U+FFFD for each maximal subpart of an ill-formed sequence.
    utfkit_utf8_to_utf8_lossy(u8 => u8) = engine::utf8_to_utf8_lossy;
}

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident($unit:ty $(, $at:ident)?) = $of:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// - `src` is null or points to `len` units that can be read.
        /// - Nothing writes to them during the call.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(src: *const $unit, len: usize $(, $at: usize)?) -> usize {
            // SAFETY: the caller promises it.
            unsafe { counted(src, len, $of) }
        }
    )* };
}

counts! {
    /// Returns the number of code points of UTF-8.
    utfkit_count_code_points(u8) = engine::count_code_points;
    /// Returns the number of code points of UTF-16.
    utfkit_count_utf16(u16) = engine::count_utf16;
    /// Returns the units of UTF-16 that UTF-8 converts to; exact if it is well-formed.
    utfkit_utf16_len_from_utf8(u8) = engine::utf16_len_from_utf8;
    /// Returns the bytes of UTF-8 that UTF-16 converts to; an unpaired surrogate counts as U+FFFD.
    utfkit_utf8_len_from_utf16(u16) = engine::utf8_len_from_utf16;
    /// Returns the bytes of UTF-8 that UTF-32 converts to.
    utfkit_utf8_len_from_utf32(u32) = engine::utf8_len_from_utf32;
    /// Returns the bytes of UTF-8 that ISO-8859-1 converts to.
    utfkit_utf8_len_from_latin1(u8) = engine::utf8_len_from_latin1;
    /// Returns the units of UTF-16 that UTF-32 converts to.
    utfkit_utf16_len_from_utf32(u32) = engine::utf16_len_from_utf32;
    /// Returns the units of UTF-32 that UTF-16 converts to.
    utfkit_utf32_len_from_utf16(u16) = engine::utf32_len_from_utf16;
    /// Returns the length of UTF-8 without an incomplete character at its end.
    utfkit_trim_partial_utf8(u8) = |src| engine::trim_partial_utf8(src).len();
    /// Returns the length of UTF-16 without a high surrogate at its end.
    utfkit_trim_partial_utf16(u16) = |src| engine::trim_partial_utf16(src).len();
    /// Returns the end of the character or error at `at` in UTF-8; `len` at the end.
    utfkit_next_boundary(u8, at) = |src| engine::next_boundary(src, at.min(src.len()));
    /// Returns the beginning of the character or error before `at` in UTF-8.
    utfkit_previous_boundary(u8, at) = |src| engine::previous_boundary(src, at.min(src.len()));
    /// Returns the first position from `at` on in UTF-8 at which a character can begin.
    utfkit_resynchronize(u8, at) = |src| engine::resynchronize(src, at.min(src.len()));
}

/// Returns true if a character or an error of UTF-8 begins at `at`, or if `at` is `len`.
///
/// # Safety
///
/// - `src` is null or points to `len` units that can be read.
/// - Nothing writes to them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_is_boundary(src: *const u8, len: usize, at: usize) -> bool {
    // SAFETY: the caller promises it.
    unsafe { source(src, len) }.is_some_and(|src| at <= src.len() && engine::is_boundary(src, at))
}

/// Writes U+FFFD over each unpaired surrogate. Returns their number.
///
/// # Safety
///
/// - `units` is null or points to `len` units that can be read and written.
/// - Nothing else reads or writes them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_to_well_formed_utf16(units: *mut u16, len: usize) -> usize {
    // SAFETY: the caller promises it.
    unsafe { destination(units, len) }.map_or(0, engine::to_well_formed_utf16)
}

/// Swaps the bytes of each unit. Returns the number of units.
///
/// # Safety
///
/// - `units` is null or points to `len` units that can be read and written.
/// - Nothing else reads or writes them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_swap_utf16_bytes(units: *mut u16, len: usize) -> usize {
    // SAFETY: the caller promises it.
    let Some(units) = (unsafe { destination(units, len) }) else { return 0 };
    engine::swap_utf16_bytes(units);
    len
}
