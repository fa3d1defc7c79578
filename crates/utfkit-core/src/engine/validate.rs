//! Validation, and the first error.

use crate::engine::kernel::validate_utf8::{check, first_error_from, well_formed_prefix};
use crate::engine::kernel::{validate_utf16, validate_utf32};
use crate::engine::memory::bytes_of;
use crate::engine::noncharacter::first_noncharacter;
use crate::error::Error;
use utfkit_forms::ErrorKind;
use utfkit_forms::Standard;
use utfkit_forms::scalar::utf16::Utf16;
use utfkit_forms::scalar::utf32::Utf32;
use utfkit_forms::scalar::{Decoded, Form, utf8};

/// Checks that `bytes` are UTF-8 as `standard` defines it.
///
/// All standards run at the speed of RFC 3629, except that [`Standard::Kuhn`] and
/// [`Standard::NoNoncharacters`] read the bytes a second time, and that sequences
/// which only RFC 2279 and RFC 2044 allow are read value by value.
///
/// # Errors
///
/// The first ill-formed sequence: offset, length of its maximal subpart, kind.
///
/// ```
/// use utfkit::{ErrorKind, Standard, validate};
///
/// let e = validate(b"/\xC0\xAE./", Standard::Rfc3629).unwrap_err(); // RFC 3629 section 10
/// assert_eq!((e.offset(), e.len(), e.kind()), (1, 1, ErrorKind::Overlong));
/// assert!(validate(b"\xFD\xBF\xBF\xBF\xBF\xBF", Standard::Rfc2279).is_ok());
///
/// let e = validate("a\u{FDD0}".as_bytes(), Standard::NoNoncharacters).unwrap_err();
/// assert_eq!((e.offset(), e.len(), e.kind()), (1, 3, ErrorKind::Noncharacter));
/// ```
#[inline]
pub fn validate(bytes: &[u8], standard: Standard) -> Result<(), Error> {
    if standard.refuses_noncharacters() {
        return validate_without_noncharacters(bytes, standard);
    }
    // RFC 2279 and RFC 2044 allow everything that RFC 3629 allows.
    validated(bytes, standard)
}

/// [`validate`] by RFC 3629.
#[inline(always)]
pub(crate) fn validate_rfc3629(bytes: &[u8]) -> Result<(), Error> {
    validated(bytes, Standard::Rfc3629)
}

/// [`validate`] by a standard that allows noncharacters, always inlined: for a
/// short source one more call takes time, and so does a result that has to go
/// through memory.
#[inline(always)]
fn validated(bytes: &[u8], standard: Standard) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    check(bytes).or_else(|at| error_from(bytes, at, standard))
}

/// The first error, from the block at `at` on.
#[cold]
#[inline(never)]
fn error_from(bytes: &[u8], at: usize, standard: Standard) -> Result<(), Error> {
    let sure = first_error_from(bytes, at);
    if sure == bytes.len() { Ok(()) } else { utf8_error(bytes, sure, standard) }
}

/// Checks that `bytes` are US-ASCII.
///
/// [`<[u8]>::is_ascii`](slice::is_ascii) of the standard library is as fast where
/// the place does not matter.
///
/// # Errors
///
/// The first byte 80–FF.
///
/// ```
/// assert_eq!(utfkit::validate_ascii(b"cafe"), Ok(()));
/// let e = utfkit::validate_ascii(b"caf\xE9").unwrap_err();
/// assert_eq!((e.offset(), e.kind()), (3, utfkit::ErrorKind::InvalidByte));
/// ```
pub fn validate_ascii(bytes: &[u8]) -> Result<(), Error> {
    /// Bytes tested at once; small enough to search the part that fails.
    const AT_ONCE: usize = 256;
    let ascii: usize = bytes.chunks(AT_ONCE).take_while(|bytes| bytes.is_ascii()).map(<[u8]>::len).sum();
    match bytes[ascii..].iter().position(|byte| !byte.is_ascii()) {
        None => Ok(()),
        Some(at) => Err(Error::new(ascii + at, 1, ErrorKind::InvalidByte)),
    }
}

/// Checks that `src`, in native order, is UTF-16: that every surrogate is half of
/// a pair (RFC 2781 section 2.2).
///
/// # Errors
///
/// The first unpaired surrogate. `error_len` is `None` for a high surrogate at the
/// end of `src`.
///
/// ```
/// let e = utfkit::validate_utf16(&[0x61, 0xDC00]).unwrap_err();
/// assert_eq!((e.offset(), e.kind()), (1, utfkit::ErrorKind::UnpairedSurrogate));
/// ```
#[inline]
pub fn validate_utf16(src: &[u16]) -> Result<(), Error> {
    if src.is_empty() {
        return Ok(());
    }
    let sure = validate_utf16::well_formed_prefix(bytes_of(src)) / size_of::<u16>();
    if sure == src.len() { Ok(()) } else { utf16_error(src, sure) }
}

#[cold]
#[inline(never)]
fn utf16_error(src: &[u16], sure: usize) -> Result<(), Error> {
    first_error(src, sure, Utf16::decode)
}

/// Checks that `src`, in native order, is UTF-32: no surrogates, nothing above
/// U+10FFFF (Unicode Standard, D90).
///
/// # Errors
///
/// The first surrogate or value above U+10FFFF.
///
/// ```
/// let e = utfkit::validate_utf32(&[0x61, 0x11_0000]).unwrap_err();
/// assert_eq!((e.offset(), e.kind()), (1, utfkit::ErrorKind::TooLarge));
/// ```
pub fn validate_utf32(src: &[u32]) -> Result<(), Error> {
    let sure = validate_utf32::well_formed_prefix(src);
    if sure == src.len() { Ok(()) } else { first_error(src, sure, Utf32::decode) }
}

/// Bytes validated before they are searched for noncharacters, so that they are
/// still in the first-level cache. The first chunk is shorter: a caller who
/// continues after each error should not pay for bytes far beyond the next one.
const CHUNK: usize = 16 * 1024;
const FIRST_CHUNK: usize = 256;

/// [`validate`] by a standard that refuses noncharacters: RFC 3629's kernel,
/// then a look for noncharacters, chunk by chunk.
#[inline(never)]
fn validate_without_noncharacters(bytes: &[u8], standard: Standard) -> Result<(), Error> {
    let (mut at, mut chunk) = (0, FIRST_CHUNK);
    while at < bytes.len() {
        let end = piece_end(bytes, at, chunk);
        let sure = at + well_formed_prefix(&bytes[at..end]);
        if let Some(before) = first_noncharacter(&bytes[at..sure], standard) {
            return first_error(bytes, at + before, |src| utf8::decode(src, standard));
        }
        if sure < end {
            return first_error(bytes, sure, |src| utf8::decode(src, standard));
        }
        (at, chunk) = (end, CHUNK.min(4 * chunk));
    }
    Ok(())
}

/// The end of a chunk of about `len` bytes from `at` that cuts no character: no
/// continuation byte follows it. Of four adjacent continuation bytes the last
/// belongs to no character, so any cut is right there.
fn piece_end(bytes: &[u8], at: usize, len: usize) -> usize {
    let end = at + len;
    if end >= bytes.len() {
        return bytes.len();
    }
    (end - 3..=end).rev().find(|&end| !utf8::is_continuation(bytes[end])).unwrap_or(end)
}

/// The most bytes decoded value by value before the kernel is tried again.
const LONGEST_WALK: usize = 256;

/// The first error from `at` on, a boundary where the kernel stopped at an error
/// of RFC 3629.
#[cold]
fn utf8_error(bytes: &[u8], mut at: usize, standard: Standard) -> Result<(), Error> {
    // Sequences that only the older standards allow occur in clusters, so
    // the walk doubles where the kernel makes little progress.
    let mut walk = 1;
    while at < bytes.len() {
        let until = bytes.len().min(at + walk);
        while at < until {
            if bytes[at].is_ascii() {
                at += 1;
                continue;
            }
            match utf8::decode(&bytes[at..], standard) {
                Decoded::Value { len, .. } | Decoded::StateChange { len } => at += len,
                Decoded::IllFormed { kind, len } => return Err(Error::new(at, len, kind)),
                Decoded::Unfinished { kind, len } => return Err(Error::unfinished(at, len, kind)),
            }
        }
        let sure = well_formed_prefix(&bytes[at..]);
        at += sure;
        walk = if sure < LONGEST_WALK { LONGEST_WALK.min(4 * walk) } else { 1 };
    }
    Ok(())
}

/// The first error from `at` on, which is a boundary between characters.
pub fn first_error<U>(src: &[U], mut at: usize, decode: impl Fn(&[U]) -> Decoded) -> Result<(), Error> {
    while at < src.len() {
        match decode(&src[at..]) {
            Decoded::Value { len, .. } | Decoded::StateChange { len } => at += len,
            Decoded::IllFormed { kind, len } => return Err(Error::new(at, len, kind)),
            Decoded::Unfinished { kind, len } => return Err(Error::unfinished(at, len, kind)),
        }
    }
    Ok(())
}

/// The error by RFC 3629 at `at`, of which a kernel found the maximal subpart of
/// `len` bytes.
pub(crate) fn error_at(bytes: &[u8], at: usize, len: usize) -> Option<Error> {
    match bytes.get(at + len) {
        Some(&next) if !utf8::is_continuation(next) => Some(Error::new(at, len, utf8::broken_kind(bytes[at]))),
        _ => first_error(bytes, at, |src| utf8::decode(src, Standard::Rfc3629)).err(),
    }
}
