//! UTF-16 and UTF-32 as bytes in a stated order: the modules [`le`] and [`be`].

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

#[cfg(feature = "alloc")]
use super::transcoder::{Status, Transcoder};
use super::whole::convert;
use crate::encoding::Encoding;
use crate::engine::scalar::utf16::is_high;
use crate::error::{Error, ErrorKind};
use crate::policy::{Policy, Practice};
use crate::{count_utf16, utf8_len_from_utf16, validate_utf16, validate_utf32};

const LOSSY: Policy = Policy::Replace(Practice::MaximalSubpart);

/// Units that are seen at once in the order of the machine: they stay in the
/// first cache.
const UNITS: usize = 1024;

/// Gives `each` the units of `src` in the order of the machine, some at a time,
/// with their place in `src`, until it returns false. Surrogate pairs are not
/// separated.
#[inline]
fn for_units16(src: &[u8], big: bool, each: &mut dyn FnMut(usize, &[u16]) -> bool) {
    let (bytes, _) = src.as_chunks::<2>();
    let mut units = [0; UNITS];
    let mut at = 0;
    while at < bytes.len() {
        let mut len = UNITS.min(bytes.len() - at);
        // Two loops without a branch, each of which becomes vector code.
        let pairs = units.iter_mut().zip(&bytes[at..at + len]);
        if big {
            pairs.for_each(|(to, from)| *to = u16::from_be_bytes(*from));
        } else {
            pairs.for_each(|(to, from)| *to = u16::from_le_bytes(*from));
        }
        if at + len < bytes.len() && is_high(units[len - 1]) {
            len -= 1;
        }
        if !each(2 * at, &units[..len]) {
            return;
        }
        at += len;
    }
}

/// What an error in some units is in bytes of which there are `len`.
#[inline]
fn in_bytes(error: Error, at: usize, size: usize, len: usize) -> Error {
    let offset = at + size * error.offset();
    match error.error_len() {
        // A part of the next unit belongs to it.
        None if !len.is_multiple_of(size) => Error::unfinished(offset, len - offset, ErrorKind::Truncated),
        None => Error::unfinished(offset, size * error.len(), error.kind()),
        Some(units) => Error::new(offset, size * units, error.kind()),
    }
}

#[inline]
fn validate16(src: &[u8], big: bool) -> Result<(), Error> {
    let mut found = Ok(());
    for_units16(src, big, &mut |at, units| {
        found = validate_utf16(units).map_err(|error| in_bytes(error, at, 2, src.len()));
        found.is_ok()
    });
    found.and_then(|()| whole_units(src, 2))
}

#[inline]
fn validate32(src: &[u8], big: bool) -> Result<(), Error> {
    let mut units = [0; UNITS];
    for (i, bytes) in src.as_chunks::<4>().0.chunks(UNITS).enumerate() {
        let pairs = units.iter_mut().zip(bytes);
        if big {
            pairs.for_each(|(to, from)| *to = u32::from_be_bytes(*from));
        } else {
            pairs.for_each(|(to, from)| *to = u32::from_le_bytes(*from));
        }
        validate_utf32(&units[..bytes.len()]).map_err(|error| in_bytes(error, 4 * UNITS * i, 4, src.len()))?;
    }
    whole_units(src, 4)
}

/// An error if a part of a unit is left at the end.
#[inline]
fn whole_units(src: &[u8], size: usize) -> Result<(), Error> {
    match src.len() % size {
        0 => Ok(()),
        rest => Err(Error::unfinished(src.len() - rest, rest, ErrorKind::Truncated)),
    }
}

/// The sum of `of` over the units of `src`, and `cut` for a part of a unit at
/// the end, which is one ill-formed sequence with a high surrogate before it.
#[inline]
fn sum16(src: &[u8], big: bool, of: fn(&[u16]) -> usize, cut: usize) -> usize {
    let (mut sum, mut high) = (0, false);
    for_units16(src, big, &mut |_, units| {
        sum += of(units);
        high = units.last().is_some_and(|&last| is_high(last));
        true
    });
    if src.len().is_multiple_of(2) || high { sum } else { sum + cut }
}

#[cfg(feature = "alloc")]
#[inline]
fn to_string(from: Encoding, policy: Policy, src: &[u8]) -> Result<String, Error> {
    let mut text = String::new();
    match Transcoder::new(from, Encoding::Utf8, policy).transcode_to_string(src, &mut text, true) {
        Ok(step) => match step.status {
            Status::IllFormed(error) => Err(error),
            Status::InputEmpty | Status::OutputFull => Ok(text),
        },
        // The target is UTF-8 and no call was made before.
        Err(_) => Ok(text),
    }
}

#[cfg(feature = "alloc")]
#[inline]
fn of_str(to: Encoding, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A string has nothing ill-formed, and UTF-16 every character.
    let _ = Transcoder::new(Encoding::Utf8, to, Policy::Strict).transcode_to_vec(text.as_bytes(), &mut bytes, true);
    bytes
}

/// A module for each order: tables of one-line calls.
macro_rules! byte_order {
    ($module:ident, $order:literal, $utf16:ident, $utf32:ident, $big:literal, $euro:literal, $pair:literal) => {
        #[doc = concat!("UTF-16 and UTF-32 as bytes, ", $order, ".")]
        ///
        /// As the functions of the same names at the root of the crate, where
        /// units are in the order of the machine; lengths and offsets of UTF-16
        /// and UTF-32 count bytes here, which need not be aligned. Bytes at the
        /// end that are not whole unit are
        /// [`Truncated`](crate::ErrorKind::Truncated). U+FEFF is a character:
        /// [`Encoding::decode`](crate::Encoding::decode) and
        /// [`Encoding::for_bom`](crate::Encoding::for_bom) know BOMs.
        ///
        /// ```
        #[doc = concat!("use utfkit::", stringify!($module), ";")]
        ///
        /// let mut bytes = [0; 8];
        #[doc = concat!("let n = ", stringify!($module), "::utf8_to_utf16(\"€\".as_bytes(), &mut bytes)?;")]
        #[doc = concat!("assert_eq!(&bytes[..n], ", $euro, ");")]
        #[doc = concat!("assert_eq!(", stringify!($module), "::utf16_to_string(", $pair, ")?, \"🎉\");")]
        #[doc = concat!("assert_eq!(", stringify!($module), "::validate_utf16(b\"a\").unwrap_err().error_len(), None);")]
        /// # Ok::<(), utfkit::Error>(())
        /// ```
        ///
        /// # Cost
        ///
        /// A conversion costs some twenty nanoseconds more than the function of
        /// the same name at the root, and the same for each byte. Validation and
        /// lengths are slower than there: the units are brought into the order of
        /// the machine first, a thousand at a time.
        pub mod $module {
            use super::*;

            /// Checks UTF-16: every surrogate has its other half.
            #[inline]
            pub fn validate_utf16(src: &[u8]) -> Result<(), Error> {
                validate16(src, $big)
            }

            /// Checks UTF-32: no surrogates, nothing above U+10FFFF.
            #[inline]
            pub fn validate_utf32(src: &[u8]) -> Result<(), Error> {
                validate32(src, $big)
            }

            /// How many bytes of UTF-8 the UTF-16 in `src` becomes.
            #[inline]
            pub fn utf8_len_from_utf16(src: &[u8]) -> usize {
                sum16(src, $big, super::utf8_len_from_utf16, 3)
            }

            /// How many code points the UTF-16 in `src` holds.
            #[inline]
            pub fn count_utf16(src: &[u8]) -> usize {
                sum16(src, $big, super::count_utf16, 1)
            }

            /// UTF-16 to a string.
            #[cfg(feature = "alloc")]
            #[inline]
            pub fn utf16_to_string(src: &[u8]) -> Result<String, Error> {
                to_string(Encoding::$utf16, Policy::Strict, src)
            }

            /// UTF-16 to a string, with U+FFFD for what is ill-formed.
            #[cfg(feature = "alloc")]
            #[inline]
            pub fn utf16_to_string_lossy(src: &[u8]) -> String {
                to_string(Encoding::$utf16, LOSSY, src).unwrap_or_default()
            }

            /// A string to UTF-16.
            #[cfg(feature = "alloc")]
            #[inline]
            pub fn str_to_utf16(text: &str) -> Vec<u8> {
                of_str(Encoding::$utf16, text)
            }

            byte_order! { $utf16 $utf32
                utf8_to_utf16: Utf8, $utf16, Policy::Strict, "UTF-8 to UTF-16.";
                utf16_to_utf8: $utf16, Utf8, Policy::Strict, "UTF-16 to UTF-8.";
                utf8_to_utf32: Utf8, $utf32, Policy::Strict, "UTF-8 to UTF-32.";
                utf32_to_utf8: $utf32, Utf8, Policy::Strict, "UTF-32 to UTF-8.";
                utf16_to_utf32: $utf16, $utf32, Policy::Strict, "UTF-16 to UTF-32.";
                utf32_to_utf16: $utf32, $utf16, Policy::Strict, "UTF-32 to UTF-16.";
                latin1_to_utf16: Latin1, $utf16, Policy::Strict, "ISO-8859-1 to UTF-16.";
                utf16_to_latin1: $utf16, Latin1, Policy::Strict, "UTF-16 to ISO-8859-1.";
                latin1_to_utf32: Latin1, $utf32, Policy::Strict, "ISO-8859-1 to UTF-32.";
                utf32_to_latin1: $utf32, Latin1, Policy::Strict, "UTF-32 to ISO-8859-1.";
                utf8_to_utf16_lossy: Utf8, $utf16, LOSSY, "UTF-8 to UTF-16, with U+FFFD for what is ill-formed.";
                utf16_to_utf8_lossy: $utf16, Utf8, LOSSY, "UTF-16 to UTF-8, with U+FFFD for what is ill-formed.";
            }
        }
    };
    ($utf16:ident $utf32:ident $($name:ident: $from:ident, $to:ident, $policy:expr, $what:literal;)*) => {
        $(
            #[doc = $what]
            #[doc = concat!("Returns the bytes written. See [`", stringify!($name), "`](crate::", stringify!($name), ").")]
            #[inline]
            pub fn $name(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
                convert(Encoding::$from, Encoding::$to, $policy, src, dst)
            }
        )*
    };
}

byte_order!(
    le,
    "least significant byte first",
    Utf16Le,
    Utf32Le,
    false,
    "b\"\\xAC\\x20\"",
    "b\"\\x3C\\xD8\\x89\\xDF\""
);
byte_order!(be, "most significant byte first", Utf16Be, Utf32Be, true, "b\"\\x20\\xAC\"", "b\"\\xD8\\x3C\\xDF\\x89\"");
