//! Encodings by number, and conversion between any two.

use core::ffi::c_char;
use core::ptr::null;

use engine::Encoding;

use crate::result::{utfkit_kind, utfkit_result};
use crate::slices::{put, source};
use crate::units::converted;

/// An encoding: one of the constants, or a number from utfkit_encoding_for_label or utfkit_encoding_at.
/// Numbers without a constant may change between versions: do not store them.
pub type utfkit_encoding = u32;

/// No encoding.
pub const UTFKIT_NONE: utfkit_encoding = 0;
/// UTF-8, RFC 3629.
pub const UTFKIT_UTF8: utfkit_encoding = 1;
/// UTF-16, little-endian, no BOM.
pub const UTFKIT_UTF16LE: utfkit_encoding = 2;
/// UTF-16, big-endian, no BOM.
pub const UTFKIT_UTF16BE: utfkit_encoding = 3;
/// UTF-16 by its BOM, big-endian without one; written little-endian with a BOM.
pub const UTFKIT_UTF16: utfkit_encoding = 4;
/// UTF-32, little-endian, no BOM.
pub const UTFKIT_UTF32LE: utfkit_encoding = 5;
/// UTF-32, big-endian, no BOM.
pub const UTFKIT_UTF32BE: utfkit_encoding = 6;
/// UTF-32 by its BOM, big-endian without one; written little-endian with a BOM.
pub const UTFKIT_UTF32: utfkit_encoding = 7;
/// ISO-8859-1.
pub const UTFKIT_LATIN1: utfkit_encoding = 8;
/// US-ASCII.
pub const UTFKIT_ASCII: utfkit_encoding = 9;

/// The encodings that have a constant, in the order of their numbers from 1.
const FIXED: [Encoding; 9] = [
    Encoding::Utf8,
    Encoding::Utf16Le,
    Encoding::Utf16Be,
    Encoding::Utf16,
    Encoding::Utf32Le,
    Encoding::Utf32Be,
    Encoding::Utf32,
    Encoding::Latin1,
    Encoding::UsAscii,
];

/// The number of the first encoding in [`Encoding::ALL`].
const OTHERS: usize = 256;

pub(crate) fn number(encoding: Encoding) -> utfkit_encoding {
    if let Some(place) = FIXED.iter().position(|&fixed| fixed == encoding) {
        return place as u32 + 1;
    }
    Encoding::ALL.iter().position(|&other| other == encoding).map_or(UTFKIT_NONE, |place| (OTHERS + place) as u32)
}

pub(crate) fn encoding(number: utfkit_encoding) -> Option<Encoding> {
    let number = number as usize;
    let fixed = number.checked_sub(1).and_then(|place| FIXED.get(place));
    fixed.or_else(|| Encoding::ALL.get(number.checked_sub(OTHERS)?)).copied()
}

/// Returns the encoding with this IANA name or alias, in any case, or UTFKIT_NONE.
///
/// # Safety
///
/// - `label` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_encoding_for_label(label: *const c_char, len: usize) -> utfkit_encoding {
    // SAFETY: the caller promises it.
    let label = unsafe { source(label.cast::<u8>(), len) };
    let label = label.and_then(|label| core::str::from_utf8(label).ok());
    label.and_then(Encoding::for_label).map_or(UTFKIT_NONE, number)
}

/// Returns the number of encodings.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_encoding_count() -> usize {
    Encoding::ALL.len()
}

/// Returns the encoding at `index`, which is below utfkit_encoding_count; UTFKIT_NONE otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_encoding_at(index: usize) -> utfkit_encoding {
    Encoding::ALL.get(index).map_or(UTFKIT_NONE, |&encoding| number(encoding))
}

/// Returns the name of an encoding, and stores its length in `len` unless that is null. The name is static
/// and not null-terminated. Returns null and stores 0 for an unknown number.
///
/// # Safety
///
/// - `len` is null or points to a size_t that can be written.
/// - Nothing else reads or writes it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_encoding_name(encoding: utfkit_encoding, len: *mut usize) -> *const c_char {
    let name = self::encoding(encoding).map(Encoding::name);
    // SAFETY: the caller promises it.
    unsafe { put(len, name.map_or(0, str::len)) };
    name.map_or(null(), |name| name.as_ptr().cast())
}

/// Returns the bytes of a code unit: 1, 2 or 4, or 0 for an unknown number.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_encoding_unit_size(encoding: utfkit_encoding) -> usize {
    self::encoding(encoding).map_or(0, Encoding::unit_size)
}

/// Returns the encoding of the BOM at the front of `src`, and stores the length of the BOM in `bom_len`
/// unless that is null. Without a BOM, returns UTFKIT_NONE and stores 0.
///
/// # Safety
///
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
/// - `bom_len` is null or points to a size_t that can be written.
/// - Nothing else reads or writes it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_bom(src: *const u8, len: usize, bom_len: *mut usize) -> utfkit_encoding {
    // SAFETY: the caller promises it.
    let bom = unsafe { source(src, len) }.and_then(engine::bom::Bom::of);
    let found = bom.and_then(|bom| Some((bom.encoding()?, bom.len())));
    // SAFETY: the caller promises it.
    unsafe { put(bom_len, found.map_or(0, |(_, len)| len)) };
    found.map_or(UTFKIT_NONE, |(encoding, _)| number(encoding))
}

/// Converts a whole text between two encodings. Stops before the first error, and before a character that
/// the target lacks or that does not fit.
///
/// # Safety
///
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
/// - `dst` is null or points to `capacity` bytes that can be written.
/// - Nothing else reads or writes those during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_convert(
    from: utfkit_encoding,
    to: utfkit_encoding,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    capacity: usize,
) -> utfkit_result {
    let (Some(from), Some(to)) = (encoding(from), encoding(to)) else { return utfkit_result::INVALID };
    // SAFETY: the caller promises it.
    unsafe { converted(src, len, dst, capacity, |src, dst| from.convert(to, src, dst)) }
}

/// Validates a text in any encoding. Returns the first error. Numbers are in bytes.
///
/// # Safety
///
/// - `src` is null or points to `len` bytes that can be read.
/// - Nothing writes to them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_validate(encoding: utfkit_encoding, src: *const u8, len: usize) -> utfkit_result {
    // SAFETY: the caller promises it.
    let slice = unsafe { source(src, len) };
    let (Some(encoding), Some(src)) = (self::encoding(encoding), slice) else { return utfkit_result::INVALID };
    match encoding.validate(src) {
        Ok(()) => utfkit_result::ok(len, 0),
        Err(error) => utfkit_result::error(&error),
    }
}

/// Returns the name of a utfkit_kind, such as "missing-continuation", or "other". It is static and
/// null-terminated.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_kind_name(kind: u32) -> *const c_char {
    const NAMES: [&core::ffi::CStr; 17] = [
        c"none",
        c"unexpected-continuation",
        c"missing-continuation",
        c"overlong",
        c"surrogate",
        c"too-large",
        c"invalid-byte",
        c"truncated",
        c"unpaired-surrogate",
        c"noncharacter",
        c"invalid-sequence",
        c"empty-shift",
        c"partial-unit",
        c"padding-bits",
        c"unclosed-shift",
        c"needless-shift",
        c"unrepresentable",
    ];
    const { assert!(NAMES.len() == utfkit_kind::UTFKIT_UNREPRESENTABLE as usize + 1) };
    NAMES.get(kind as usize).unwrap_or(&c"other").as_ptr()
}

/// Returns the version of the library, null-terminated.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
