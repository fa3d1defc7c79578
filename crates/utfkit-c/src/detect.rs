//! Which encoding bytes are in.

use engine::detect::Certainty;

use crate::encoding::{UTFKIT_NONE, number, utfkit_encoding};
use crate::slices::{destination, source};

/// How sure a detection is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utfkit_certainty {
    /// Another encoding is as likely, or nearly.
    UTFKIT_GUESS = 0,
    /// It would be a surprise if not.
    UTFKIT_LIKELY = 1,
    /// By chance it is so in one of thousands.
    UTFKIT_NEARLY_CERTAIN = 2,
    /// Proved, or by chance so in one of a million.
    UTFKIT_CERTAIN = 3,
}

/// What bytes seem to be.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utfkit_detection {
    /// The encoding; UTFKIT_NONE if it is not text, or in one that cannot be read.
    pub encoding: utfkit_encoding,
    /// How sure that is.
    pub certainty: utfkit_certainty,
}

/// The encoding that bytes of unknown origin are in.
///
/// # Safety
///
/// There are `len` bytes at `src`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_detect(src: *const u8, len: usize) -> utfkit_detection {
    let nothing = utfkit_detection { encoding: UTFKIT_NONE, certainty: utfkit_certainty::UTFKIT_GUESS };
    // SAFETY: as the caller promises.
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

/// The forms of Unicode that the bytes can be, of UTF-8, UTF-16 and UTF-32 in both
/// orders: by a BOM that one, otherwise all that they are well-formed in. Writes at most
/// `capacity` of them to `found` and returns how many there are, at most 5.
///
/// # Safety
///
/// There are `len` bytes at `src`, and `capacity` numbers at `found` that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_detect_encodings(
    src: *const u8,
    len: usize,
    found: *mut utfkit_encoding,
    capacity: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { source(src, len) };
    // SAFETY: as the caller promises.
    let found = unsafe { destination(found, capacity) };
    let (Some(src), Some(found)) = (src, found) else { return 0 };
    let mut places = found.iter_mut();
    engine::detect_encodings(src)
        .map(|encoding| {
            if let Some(place) = places.next() {
                *place = number(encoding);
            }
        })
        .count()
}
