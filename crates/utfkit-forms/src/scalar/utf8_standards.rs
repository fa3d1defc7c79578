//! The definitions of UTF-8 other than RFC 3629 as encodings. [`utf8::decode`]
//! reads all of them.

use super::ucs4::MAX_31_BITS;
use super::utf8::{self, Utf8, encode_31_bits};
use super::{Decoded, Encoded, Form, is_surrogate};
use crate::Standard;

/// UTF-8 of RFC 2279: values of 31 bits in up to six octets.
pub struct Utf8Rfc2279;

impl Form for Utf8Rfc2279 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        utf8::decode(src, Standard::Rfc2279)
    }

    /// Section 2. A surrogate has to be undone, with its other half, before it
    /// is encoded; alone it cannot be.
    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        (value <= MAX_31_BITS && !is_surrogate(value)).then(|| encode_31_bits(value))
    }
}

/// UTF-8 of RFC 2044: values of 31 bits in up to six octets.
pub struct Utf8Rfc2044;

impl Form for Utf8Rfc2044 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        utf8::decode(src, Standard::Rfc2044)
    }

    /// Section 2, the algorithm for UCS-4: the shortest form of every value of
    /// 31 bits. It says that a pair of surrogates in UCS-2 must be undone,
    /// which was done when UTF-16 was decoded, and nothing of a surrogate that
    /// comes alone. That is written as the value that it is, so that all that
    /// this encoding reads it can write.
    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        (value <= MAX_31_BITS).then(|| encode_31_bits(value))
    }
}

/// UTF-8 of RFC 3629 without the 66 noncharacters (Unicode Standard, D14).
pub struct Utf8NoNoncharacters;

impl Form for Utf8NoNoncharacters {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        utf8::decode(src, Standard::NoNoncharacters)
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        if Standard::NoNoncharacters.refuses(value) { None } else { Utf8::encode(value) }
    }
}

/// Kuhn's UTF-8 and that of utf-8(7): RFC 3629 without U+FFFE and U+FFFF.
pub struct Utf8Kuhn;

impl Form for Utf8Kuhn {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        utf8::decode(src, Standard::Kuhn)
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        if Standard::Kuhn.refuses(value) { None } else { Utf8::encode(value) }
    }
}
