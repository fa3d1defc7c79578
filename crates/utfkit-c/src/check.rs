//! Every error of a text, as a person wants to read it.

use core::ffi::{c_char, c_void};
use std::io::Write;

use engine::Standard;
use engine::diagnose::{Checker, Finding};

use crate::encoding::{encoding, utfkit_encoding};
use crate::result::utfkit_kind;
use crate::slices::source;

/// An ill-formed sequence and where it stands.
#[repr(C)]
pub struct utfkit_finding {
    /// The number of bytes before it.
    pub offset: u64,
    /// The line it stands on, from 1.
    pub line: u64,
    /// The column it stands at, from 1, in code points.
    pub column: u64,
    /// The bytes of the sequence.
    pub length: usize,
    /// What is wrong.
    pub kind: utfkit_kind,
    /// The same in words, with line, column, bytes and rule, ended by a null. It lives
    /// until the function that it is given to returns.
    pub message: *const c_char,
}

/// Takes a finding; `context` is what was given with it. It must return: no
/// longjmp, no exception.
pub type utfkit_found = Option<unsafe extern "C" fn(context: *mut c_void, finding: *const utfkit_finding)>;

/// A check in pieces.
pub struct utfkit_checker(Checker);

/// A new check; null if there is no such encoding. To be given to utfkit_checker_free.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_checker_new(encoding: utfkit_encoding) -> *mut utfkit_checker {
    match self::encoding(encoding) {
        Some(encoding) => Box::into_raw(Box::new(utfkit_checker(Checker::new(encoding, Standard::Rfc3629)))),
        None => core::ptr::null_mut(),
    }
}

/// Ends a check. Null is nothing to end.
///
/// # Safety
///
/// It is null or comes from utfkit_checker_new, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_checker_free(checker: *mut utfkit_checker) {
    if !checker.is_null() {
        // SAFETY: it was made by `Box::into_raw`, and the caller promises that this is its end.
        drop(unsafe { Box::from_raw(checker) });
    }
}

/// Checks the next piece, the last one if `last`, and calls `found`, unless that is null, for each
/// ill-formed sequence that ends in it. Returns how many there were; 0 for arguments that cannot be.
///
/// # Safety
///
/// The checker is null or comes from utfkit_checker_new; there are `len` bytes at `src`;
/// `found` may be called with `context` and does not use the checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_checker_feed(
    checker: *mut utfkit_checker,
    src: *const u8,
    len: usize,
    last: bool,
    found: utfkit_found,
    context: *mut c_void,
) -> u64 {
    // SAFETY: null, or as the caller promises.
    let checker = unsafe { checker.as_mut() };
    // SAFETY: as the caller promises.
    let src = unsafe { source(src, len) };
    let (Some(utfkit_checker(checker)), Some(src)) = (checker, src) else { return 0 };
    let mut count = 0;
    let mut tell = |finding: &Finding| {
        count += 1;
        // SAFETY: as the caller promises.
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
/// `found` may be called with `context`.
unsafe fn call(found: utfkit_found, context: *mut c_void, finding: &Finding) {
    let Some(found) = found else { return };
    let mut message = Vec::new();
    // A vector takes everything, and a message has no null in it.
    let _ = write!(message, "{finding}\0");
    let finding = utfkit_finding {
        offset: finding.offset(),
        line: finding.line(),
        column: finding.column(),
        length: finding.bytes().len(),
        kind: finding.kind().into(),
        message: message.as_ptr().cast(),
    };
    // SAFETY: as the caller promises; the finding and its message live until it returns.
    unsafe { found(context, &finding) }
}

/// Checks a whole text: utfkit_checker_feed in one call.
///
/// # Safety
///
/// There are `len` bytes at `src`; `found` may be called with `context`.
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
    // SAFETY: as the caller promises.
    unsafe { utfkit_checker_feed(&mut checker, src, len, true, found, context) }
}
