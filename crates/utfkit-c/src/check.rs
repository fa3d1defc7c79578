//! Every error of a text, with a message for a person.

use core::ffi::{c_char, c_void};
use std::io::Write;

use engine::Standard;
use engine::diagnose::{Checker, Finding};

use crate::encoding::{encoding, utfkit_encoding};
use crate::result::utfkit_kind;
use crate::slices::source;

/// An ill-formed sequence and its position.
#[repr(C)]
pub struct utfkit_finding {
    /// The position in bytes from the beginning of the text.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in code points.
    pub column: u64,
    /// The length of the sequence in bytes.
    pub length: usize,
    /// The kind of the error.
    pub kind: utfkit_kind,
    /// A message with line, column, bytes and rule, null-terminated. It is valid until the callback returns.
    pub message: *const c_char,
}

/// A callback that receives each finding, with the `context` of the call.
pub type utfkit_found = Option<unsafe extern "C" fn(context: *mut c_void, finding: *const utfkit_finding)>;

/// A streaming check.
pub struct utfkit_checker(Checker);

/// Creates a checker, which utfkit_checker_free releases. Returns null for an unknown encoding.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_checker_new(encoding: utfkit_encoding) -> *mut utfkit_checker {
    match self::encoding(encoding) {
        Some(encoding) => Box::into_raw(Box::new(utfkit_checker(Checker::new(encoding, Standard::Rfc3629)))),
        None => core::ptr::null_mut(),
    }
}

/// Releases a checker; null is ignored.
///
/// # Safety
///
/// - `checker` is null or comes from utfkit_checker_new.
/// - It has not been released, and is not used again.
/// - No other thread uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_checker_free(checker: *mut utfkit_checker) {
    if !checker.is_null() {
        // SAFETY: the caller promises that it comes from `Box::into_raw` in `utfkit_checker_new`, and that it is
        // released once.
        drop(unsafe { Box::from_raw(checker) });
    }
}

/// Checks the next piece of a text, and calls `found`, unless that is null, for each ill-formed sequence that
/// ends in it. `last` is true for the last piece. Returns the number of findings; 0 for invalid arguments.
///
/// # Safety
///
/// - `checker` is null or comes from utfkit_checker_new and has not been released.
/// - No other thread uses it during the call.
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
/// - `found` is null or can be called with `context`.
/// - `found` returns (no longjmp, no exception), and does not use the checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_checker_feed(
    checker: *mut utfkit_checker,
    src: *const u8,
    len: usize,
    last: bool,
    found: utfkit_found,
    context: *mut c_void,
) -> u64 {
    // SAFETY: it is null or points to a live checker that nothing else uses, by the caller's promises.
    let checker = unsafe { checker.as_mut() };
    // SAFETY: the caller promises it.
    let src = unsafe { source(src, len) };
    let (Some(utfkit_checker(checker)), Some(src)) = (checker, src) else { return 0 };
    let mut count = 0;
    let mut tell = |finding: &Finding| {
        count += 1;
        // SAFETY: the caller promises it.
        unsafe { call(found, context, finding) }
    };
    checker.feed(src, &mut tell);
    if last {
        checker.finish(&mut tell);
    }
    count
}

/// # Safety
///
/// `found` is null or can be called with `context`, and returns.
unsafe fn call(found: utfkit_found, context: *mut c_void, finding: &Finding) {
    let Some(found) = found else { return };
    let mut message = Vec::new();
    // Writing to a vector does not fail, and a message has no null in it.
    let _ = write!(message, "{finding}\0");
    let finding = utfkit_finding {
        offset: finding.offset(),
        line: finding.line(),
        column: finding.column(),
        length: finding.bytes().len(),
        kind: finding.kind().into(),
        message: message.as_ptr().cast(),
    };
    // SAFETY: the caller promises it; the finding and its message live until the callback returns.
    unsafe { found(context, &finding) }
}

/// Checks a whole text, as utfkit_checker_feed does.
///
/// # Safety
///
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
/// - `found` is null or can be called with `context`.
/// - `found` returns (no longjmp, no exception).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_check(
    encoding: utfkit_encoding,
    src: *const u8,
    len: usize,
    found: utfkit_found,
    context: *mut c_void,
) -> u64 {
    let Some(encoding) = self::encoding(encoding) else { return 0 };
    let mut checker = utfkit_checker(Checker::new(encoding, Standard::Rfc3629));
    // SAFETY: the checker is this function's own; the caller promises the rest.
    unsafe { utfkit_checker_feed(&mut checker, src, len, true, found, context) }
}
