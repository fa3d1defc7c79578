//! Detection of encodings.

use engine::detect::Certainty;

use crate::encoding::{UTFKIT_NONE, number, utfkit_encoding};
use crate::slices::{both, source};

/// The confidence of a detection.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utfkit_certainty {
    /// Another encoding is about as likely.
    UTFKIT_GUESS = 0,
    /// Another encoding would be a surprise.
    UTFKIT_LIKELY = 1,
    /// Wrong by chance in one of thousands.
    UTFKIT_NEARLY_CERTAIN = 2,
    /// Proved, or wrong by chance in one of a million.
    UTFKIT_CERTAIN = 3,
}

/// A detected encoding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utfkit_detection {
    /// The encoding; UTFKIT_NONE if the bytes are not text, or in an encoding that cannot be decoded.
    pub encoding: utfkit_encoding,
    /// The confidence in it.
    pub certainty: utfkit_certainty,
}

/// Detects the encoding of a text.
///
/// # Safety
///
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_detect(src: *const u8, len: usize) -> utfkit_detection {
    let nothing = utfkit_detection { encoding: UTFKIT_NONE, certainty: utfkit_certainty::UTFKIT_GUESS };
    // SAFETY: the caller promises it.
    let Some(src) = (unsafe { source(src, len) }) else { return nothing };
    let detection = engine::detect::detect(src);
    let certainty = match detection.certainty() {
        Certainty::Guess => utfkit_certainty::UTFKIT_GUESS,
        Certainty::Likely => utfkit_certainty::UTFKIT_LIKELY,
        Certainty::NearlyCertain => utfkit_certainty::UTFKIT_NEARLY_CERTAIN,
        Certainty::Certain => utfkit_certainty::UTFKIT_CERTAIN,
    };
    utfkit_detection { encoding: detection.encoding().map_or(UTFKIT_NONE, number), certainty }
}

/// Finds the forms of Unicode in which a text is well-formed, among UTF-8 and both byte orders of UTF-16 and
/// UTF-32; a BOM leaves one. Writes at most `capacity` of them to `found`, and returns their number, at most 5.
///
/// # Safety
///
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
/// - `found` is null or points to `capacity` numbers that can be written.
/// - Nothing else reads or writes those during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_detect_encodings(
    src: *const u8,
    len: usize,
    found: *mut utfkit_encoding,
    capacity: usize,
) -> usize {
    // SAFETY: the caller promises it.
    let Some((src, found)) = (unsafe { both(src, len, found, capacity) }) else { return 0 };
    let mut places = found.iter_mut();
    engine::detect_encodings(src)
        .map(|encoding| {
            if let Some(place) = places.next() {
                *place = number(encoding);
            }
        })
        .count()
}
