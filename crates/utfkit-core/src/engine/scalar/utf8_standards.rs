//! The definitions of UTF-8 other than RFC 3629 as encodings. [`utf8::decode`]
//! reads all of them.

use super::ucs4::MAX_31_BITS;
use super::utf8::{self, Utf8, encode_31_bits};
use super::{Decoded, Encoded, Form, is_surrogate};
use crate::standard::Standard;

/// UTF-8 of RFC 2279: values of 31 bits in up to six octets.
pub(crate) struct Utf8Rfc2279;

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
pub(crate) struct Utf8Rfc2044;

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
pub(crate) struct Utf8NoNoncharacters;

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
pub(crate) struct Utf8Kuhn;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scalar::fed::{Stateless, by, every_value_comes_back, for_each_string, pieces, stateless};
    use utfkit_testkit::scheme::Scheme;

    const RFC_2279: Stateless<Utf8Rfc2279> = stateless();
    const RFC_2044: Stateless<Utf8Rfc2044> = stateless();
    const KUHN: Stateless<Utf8Kuhn> = stateless();

    #[test]
    fn strings_decode_as_the_reference_says() {
        let bytes = [
            0x41, 0x80, 0x84, 0x88, 0x8F, 0x90, 0xA0, 0xBE, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF8, 0xFC,
            0xFE, 0xFF,
        ];
        for_each_string(&bytes, 4, |src| {
            assert_eq!(pieces(&RFC_2279, src), Scheme::Utf8Rfc2279.pieces(src), "{src:02X?}");
            assert_eq!(pieces(&RFC_2044, src), Scheme::Utf8Rfc2044.pieces(src), "{src:02X?}");
            assert_eq!(pieces(&KUHN, src), Scheme::Utf8Kuhn.pieces(src), "{src:02X?}");
        });
    }

    #[test]
    fn every_value_is_written_and_read() {
        every_value_comes_back(&RFC_2279, &RFC_2279, by(Scheme::Utf8Rfc2279));
        every_value_comes_back(&RFC_2044, &RFC_2044, by(Scheme::Utf8Rfc2044));
        every_value_comes_back(&KUHN, &KUHN, by(Scheme::Utf8Kuhn));
    }

    #[test]
    fn they_differ_in_surrogates_and_in_noncharacters() {
        assert_eq!(Utf8Rfc2044::encode(0xD800), Some(Encoded::from_slice(&[0xED, 0xA0, 0x80])));
        assert_eq!(Utf8Rfc2279::encode(0xD800), None);
        assert_eq!(Utf8Kuhn::encode(0xFFFE), None);
        assert_eq!(Utf8Rfc2279::encode(0xFFFE), Some(Encoded::from_slice(&[0xEF, 0xBF, 0xBE])));
    }
}
