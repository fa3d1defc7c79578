//! Conversion in pieces.

use core::ptr::null_mut;

use engine::{Policy, Practice, Status, Transcoder};

use crate::encoding::{encoding, utfkit_encoding};
use crate::result::{utfkit_result, utfkit_status};
use crate::slices::both;

/// How to handle ill-formed sequences and characters that the target lacks.
pub type utfkit_policy = u32;
/// Stop and report.
pub const UTFKIT_STRICT: utfkit_policy = 0;
/// Write U+FFFD, or ? if the target lacks it.
pub const UTFKIT_REPLACE: utfkit_policy = 1;
/// Skip them.
pub const UTFKIT_SKIP: utfkit_policy = 2;
/// Write \xNN for a byte and \u{NNNN} for a character.
pub const UTFKIT_ESCAPE: utfkit_policy = 3;

/// A streaming conversion between two encodings.
pub struct utfkit_transcoder(Transcoder);

/// Creates a transcoder, which utfkit_transcoder_free releases. Returns null for an unknown encoding or policy.
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

/// Releases a transcoder; null is ignored.
///
/// # Safety
///
/// - `transcoder` is null or comes from utfkit_transcoder_new.
/// - It has not been released, and is not used again.
/// - No other thread uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcoder_free(transcoder: *mut utfkit_transcoder) {
    if !transcoder.is_null() {
        // SAFETY: the caller promises that it comes from `Box::into_raw` in `utfkit_transcoder_new`, and that it
        // is released once.
        drop(unsafe { Box::from_raw(transcoder) });
    }
}

/// Returns a transcoder to its initial state, for another stream.
///
/// # Safety
///
/// - `transcoder` is null or comes from utfkit_transcoder_new and has not been released.
/// - No other thread uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcoder_reset(transcoder: *mut utfkit_transcoder) {
    // SAFETY: it is null or points to a live transcoder that nothing else uses, by the caller's promises.
    if let Some(transcoder) = unsafe { transcoder.as_mut() } {
        transcoder.0.reset();
    }
}

/// Returns true if the stream so far had an ill-formed sequence or a character that the target lacks.
///
/// # Safety
///
/// - `transcoder` is null or comes from utfkit_transcoder_new and has not been released.
/// - No other thread uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcoder_had_errors(transcoder: *const utfkit_transcoder) -> bool {
    // SAFETY: it is null or points to a live transcoder that nothing changes, by the caller's promises.
    unsafe { transcoder.as_ref() }.is_some_and(|transcoder| transcoder.0.had_errors())
}

/// Converts as much of `src` as fits into `dst`. `last` is true for the last piece of the stream.
/// UTFKIT_OK: all of `src` was read; an incomplete character at its end is kept for the next call.
/// UTFKIT_NO_SPACE: call again with the rest of `src` and an empty destination. UTFKIT_ILL_FORMED, with
/// UTFKIT_STRICT alone: `read` is after the error; call again with the rest to continue.
///
/// # Safety
///
/// - `transcoder` is null or comes from utfkit_transcoder_new and has not been released.
/// - No other thread uses it during the call.
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
/// - `dst` is null or points to `capacity` bytes that can be written.
/// - Nothing else reads or writes those during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_transcode(
    transcoder: *mut utfkit_transcoder,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    capacity: usize,
    last: bool,
) -> utfkit_result {
    // SAFETY: it is null or points to a live transcoder that nothing else uses, by the caller's promises.
    let transcoder = unsafe { transcoder.as_mut() };
    // SAFETY: the caller promises it.
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
