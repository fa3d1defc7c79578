//! Encodings by number, and conversions between any two.

use core::ffi::c_char;
use core::ptr::null;

use engine::{Encoding, Error, ErrorKind, Policy, Status, Transcoder};

use crate::result::{utfkit_kind, utfkit_result};
use crate::slices::source;
use crate::units::converted;

/// An encoding: one of the constants, or what utfkit_encoding_for_label returns.
/// Numbers above the constants may be others in another version: do not store them.
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

/// Those that have constants, in their order.
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

/// The first number of the others.
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

/// The encoding that `label` names in IANA's reading, whatever its case;
/// UTFKIT_NONE if it names none.
///
/// # Safety
///
/// There are `len` bytes at `label`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_encoding_for_label(label: *const c_char, len: usize) -> utfkit_encoding {
    // SAFETY: as the caller promises.
    let label = unsafe { source(label.cast::<u8>(), len) };
    let label = label.and_then(|label| core::str::from_utf8(label).ok());
    label.and_then(Encoding::for_label).map_or(UTFKIT_NONE, number)
}

/// The number of encodings that utfkit_encoding_at knows.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_encoding_count() -> usize {
    Encoding::ALL.len()
}

/// The encoding at `index` in a listing; UTFKIT_NONE beyond its end.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_encoding_at(index: usize) -> utfkit_encoding {
    Encoding::ALL.get(index).map_or(UTFKIT_NONE, |&encoding| number(encoding))
}

/// The name of an encoding, which lives as long as the program; its length goes to `len`
/// if that is not null. It does not end with a null. Null for UTFKIT_NONE and what is unknown.
///
/// # Safety
///
/// `len` is null or a place for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_encoding_name(encoding: utfkit_encoding, len: *mut usize) -> *const c_char {
    let name = self::encoding(encoding).map(Encoding::name);
    // SAFETY: null, or as the caller promises.
    if let Some(len) = unsafe { len.as_mut() } {
        *len = name.map_or(0, str::len);
    }
    name.map_or(null(), |name| name.as_ptr().cast())
}

/// The bytes of a code unit: 1, 2 or 4; 0 for what is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_encoding_unit_size(encoding: utfkit_encoding) -> usize {
    self::encoding(encoding).map_or(0, Encoding::unit_size)
}

/// The encoding that the BOM at the front of `src` names, and the length of the BOM in
/// `bom_len` if that is not null. UTFKIT_NONE and 0 if there is none.
///
/// # Safety
///
/// There are `len` bytes at `src`; `bom_len` is null or a place for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_bom(src: *const u8, len: usize, bom_len: *mut usize) -> utfkit_encoding {
    // SAFETY: as the caller promises.
    let bom = unsafe { source(src, len) }.and_then(engine::bom::Bom::of);
    let found = bom.and_then(|bom| Some((bom.encoding()?, bom.len())));
    // SAFETY: null, or as the caller promises.
    if let Some(place) = unsafe { bom_len.as_mut() } {
        *place = found.map_or(0, |(_, len)| len);
    }
    found.map_or(UTFKIT_NONE, |(encoding, _)| number(encoding))
}

/// A whole text in bytes from any encoding into any other. Stops before what is
/// ill-formed, lacking or has no space.
///
/// # Safety
///
/// There are `len` bytes at `src`, and `capacity` at `dst` that may be written.
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
    // SAFETY: as the caller promises.
    unsafe { converted(src, len, dst, capacity, |src, dst| from.convert(to, src, dst)) }
}

/// Whether bytes are well-formed in any encoding; if not, where and what is the first
/// error. Numbers are in bytes.
///
/// # Safety
///
/// There are `len` bytes at `src`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfkit_validate(encoding: utfkit_encoding, src: *const u8, len: usize) -> utfkit_result {
    // SAFETY: as the caller promises.
    let slice = unsafe { source(src, len) };
    let (Some(encoding), Some(src)) = (self::encoding(encoding), slice) else { return utfkit_result::INVALID };
    let error = match encoding {
        Encoding::Utf8 => engine::validate(src, engine::Standard::Rfc3629).err(),
        Encoding::Utf16Le => engine::le::validate_utf16(src).err(),
        Encoding::Utf16Be => engine::be::validate_utf16(src).err(),
        Encoding::Utf32Le => engine::le::validate_utf32(src).err(),
        Encoding::Utf32Be => engine::be::validate_utf32(src).err(),
        Encoding::UsAscii => engine::validate_ascii(src).err(),
        other => first_error(other, src),
    };
    error.map_or(utfkit_result::ok(len, 0), |error| utfkit_result { written: 0, ..utfkit_result::error(&error) })
}

/// By converting it, piece by piece, into UTF-8 of RFC 2279, which has whatever an encoding has.
fn first_error(encoding: Encoding, src: &[u8]) -> Option<Error> {
    let mut transcoder = Transcoder::new(encoding, Encoding::Utf8Rfc2279, Policy::Strict);
    let (mut read, mut piece) = (0, [0; 1024]);
    loop {
        let step = transcoder.transcode(&src[read..], &mut piece, true);
        read += step.read;
        match step.status {
            Status::InputEmpty => return None,
            Status::OutputFull => {}
            // WTF-8 and WTF-16 have surrogates, which are not wrong there.
            Status::IllFormed(error) if error.kind() == ErrorKind::Unrepresentable => {}
            Status::IllFormed(error) => return Some(error),
        }
    }
}

/// The name of a kind of error, as "missing-continuation", ended by a null.
/// It lives as long as the program. Any other number is "other".
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

/// The version of the library, ended by a null.
#[unsafe(no_mangle)]
pub extern "C" fn utfkit_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
