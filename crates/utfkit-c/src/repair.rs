//! Repair of ill-formed UTF-8.

use engine::repair::{Fallback, Options};

use crate::encoding::{UTFKIT_NONE, encoding, utfkit_encoding};
use crate::result::{utfkit_result, utfkit_status};
use crate::slices::both;

/// Also undo double encoding: text that was encoded as UTF-8 twice.
pub const UTFKIT_UNDOUBLE: u32 = 1;
/// Also decode overlong forms and surrogate pairs.
pub const UTFKIT_REINTERPRET: u32 = 2;

/// Repairs UTF-8. Well-formed sequences stay; each ill-formed byte is decoded as `fallback`, a single-byte
/// encoding, or becomes U+FFFD if that is UTFKIT_NONE. `options` is a sum of UTFKIT_UNDOUBLE and
/// UTFKIT_REINTERPRET, or 0. If the result does not fit, nothing is written, the status is
/// UTFKIT_NO_SPACE, and `length` is the capacity needed.
///
/// # Safety
///
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
/// - `dst` is null or points to `capacity` bytes that can be written.
/// - Nothing else reads or writes those during the call.
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
    // SAFETY: the caller promises it.
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
