//! Ill-formed UTF-8 made well-formed.

use engine::repair::{Fallback, Options};

use crate::encoding::{UTFKIT_NONE, encoding, utfkit_encoding};
use crate::result::{utfkit_result, utfkit_status};
use crate::slices::both;

/// Also undo what was encoded as UTF-8 twice.
pub const UTFKIT_UNDOUBLE: u32 = 1;
/// Also read overlong forms and surrogate pairs as what they stand for.
pub const UTFKIT_REINTERPRET: u32 = 2;

/// Repairs UTF-8: what is well-formed stays, bytes that are not are read as
/// `fallback`, an encoding of a byte a character (UTFKIT_NONE: they become U+FFFD). `options` is a
/// sum of UTFKIT_UNDOUBLE and UTFKIT_REINTERPRET, or 0. The source is read as a
/// whole: with UTFKIT_NO_SPACE nothing is written, and `length` is the
/// capacity that would be enough.
///
/// # Safety
///
/// There are `len` bytes at `src`, and `capacity` at `dst` that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_repair(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    capacity: usize,
    fallback: utfkit_encoding,
    options: u32,
) -> utfkit_result {
    if options & !(UTFKIT_UNDOUBLE | UTFKIT_REINTERPRET) != 0 {
        return utfkit_result::INVALID;
    }
    let mut chosen =
        Options::new().undouble(options & UTFKIT_UNDOUBLE != 0).reinterpret(options & UTFKIT_REINTERPRET != 0);
    if fallback != UTFKIT_NONE {
        let Some(fallback) = encoding(fallback).and_then(Fallback::new) else { return utfkit_result::INVALID };
        chosen = chosen.fallback(fallback);
    }
    // SAFETY: as the caller promises.
    let Some((src, dst)) = (unsafe { both(src, len, dst, capacity) }) else { return utfkit_result::INVALID };
    let text = engine::repair::repair(src, &chosen);
    match dst.get_mut(..text.len()) {
        Some(space) => {
            space.copy_from_slice(text.as_bytes());
            utfkit_result::ok(len, text.len())
        }
        None => utfkit_result { status: utfkit_status::UTFKIT_NO_SPACE, length: text.len(), ..utfkit_result::INVALID },
    }
}
