//! Conversions in pieces.

use core::ptr::null_mut;

use engine::{Policy, Practice, Status, Transcoder};

use crate::encoding::{encoding, utfkit_encoding};
use crate::result::{utfkit_result, utfkit_status};
use crate::slices::both;

/// What happens to ill-formed sequences and to characters that the target lacks.
pub type utfkit_policy = u32;
/// Stop and report.
pub const UTFKIT_STRICT: utfkit_policy = 0;
/// Write U+FFFD, or ? where the target lacks that.
pub const UTFKIT_REPLACE: utfkit_policy = 1;
/// Write nothing.
pub const UTFKIT_SKIP: utfkit_policy = 2;
/// Write \xNN for a byte and \u{NNNN} for a character.
pub const UTFKIT_ESCAPE: utfkit_policy = 3;

/// A conversion from any encoding into any other, in pieces.
pub struct utfkit_transcoder(Transcoder);

/// A new conversion; null if an argument names nothing. To be given to
/// utfkit_transcoder_free.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_transcoder_new(
    from: utfkit_encoding,
    to: utfkit_encoding,
    policy: utfkit_policy,
) -> *mut utfkit_transcoder {
    let policy = match policy {
        UTFKIT_STRICT => Policy::Strict,
        UTFKIT_REPLACE => Policy::Replace(Practice::MaximalSubpart),
        UTFKIT_SKIP => Policy::Skip,
        UTFKIT_ESCAPE => Policy::Escape,
        _ => return null_mut(),
    };
    let (Some(from), Some(to)) = (encoding(from), encoding(to)) else { return null_mut() };
    Box::into_raw(Box::new(utfkit_transcoder(Transcoder::new(from, to, policy))))
}

/// Ends a conversion. Null is nothing to end.
///
/// # Safety
///
/// It is null or comes from utfkit_transcoder_new, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcoder_free(transcoder: *mut utfkit_transcoder) {
    if !transcoder.is_null() {
        // SAFETY: it was made by `Box::into_raw`, and the caller promises that this is its end.
        drop(unsafe { Box::from_raw(transcoder) });
    }
}

/// Goes back to the beginning of a stream.
///
/// # Safety
///
/// It is null or comes from utfkit_transcoder_new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcoder_reset(transcoder: *mut utfkit_transcoder) {
    // SAFETY: null, or as the caller promises.
    if let Some(transcoder) = unsafe { transcoder.as_mut() } {
        transcoder.0.reset();
    }
}

/// Whether anything so far was ill-formed or lacking in the target.
///
/// # Safety
///
/// It is null or comes from utfkit_transcoder_new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcoder_had_errors(transcoder: *const utfkit_transcoder) -> bool {
    // SAFETY: null, or as the caller promises.
    unsafe { transcoder.as_ref() }.is_some_and(|transcoder| transcoder.0.had_errors())
}

/// Converts as much of `src` as `dst` has space for; `last` says that nothing
/// follows. UTFKIT_OK: all was taken, though the beginning of a character may be
/// kept until the next call. UTFKIT_NO_SPACE: empty the destination and call
/// again with the rest. UTFKIT_ILL_FORMED (only with UTFKIT_STRICT): `read` is
/// after the error, and a call with the rest goes on there.
///
/// # Safety
///
/// The transcoder is null or comes from utfkit_transcoder_new; there are `len` bytes at
/// `src`, and `capacity` at `dst` that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcode(
    transcoder: *mut utfkit_transcoder,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    capacity: usize,
    last: bool,
) -> utfkit_result {
    // SAFETY: null, or as the caller promises.
    let transcoder = unsafe { transcoder.as_mut() };
    // SAFETY: as the caller promises.
    let slices = unsafe { both(src, len, dst, capacity) };
    let (Some(transcoder), Some((src, dst))) = (transcoder, slices) else { return utfkit_result::INVALID };
    let step = transcoder.0.transcode(src, dst, last);
    let done = utfkit_result::ok(step.read, step.written);
    match step.status {
        Status::InputEmpty => done,
        Status::OutputFull => utfkit_result { status: utfkit_status::UTFKIT_NO_SPACE, ..done },
        Status::IllFormed(error) => {
            utfkit_result { read: step.read, written: step.written, ..utfkit_result::error(&error) }
        }
    }
}
