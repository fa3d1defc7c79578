//! UCS-2 (ISO/IEC 10646-1, 13.1): each character of the Basic Multilingual
//! Plane is one 16-bit unit. The units D800–DFFF belong to UTF-16 and are
//! errors here.

use super::bytes::{Big, Little, Serial};
use super::{Decoded, Encoded, Form, is_surrogate};
use crate::error::ErrorKind;

/// UCS-2 in units of native order.
pub(crate) struct Ucs2;

/// UCS-2, least significant byte first.
pub(crate) type Ucs2Le = Serial<Ucs2, Little>;
/// UCS-2, most significant byte first.
pub(crate) type Ucs2Be = Serial<Ucs2, Big>;

impl Form for Ucs2 {
    type Unit = u16;

    #[inline(always)]
    fn decode(src: &[u16]) -> Decoded {
        match u32::from(src[0]) {
            value if is_surrogate(value) => Decoded::IllFormed { kind: ErrorKind::Surrogate, len: 1 },
            value => Decoded::Value { value, len: 1 },
        }
    }

    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u16>> {
        let unit = u16::try_from(value).ok()?;
        (!is_surrogate(value)).then(|| Encoded::from_slice(&[unit]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scalar::fed::{by, every_value_comes_back, for_each_string, pieces, stateless};
    use utfkit_testkit::scheme::Scheme;

    #[test]
    fn strings_decode_as_the_reference_says() {
        for_each_string(&[0x00, 0x41, 0xD7, 0xD8, 0xDC, 0xDF, 0xE0, 0xFF], 5, |src| {
            assert_eq!(pieces(&stateless::<Ucs2Le>(), src), Scheme::Ucs2Le.pieces(src), "{src:02X?}");
            assert_eq!(pieces(&stateless::<Ucs2Be>(), src), Scheme::Ucs2Be.pieces(src), "{src:02X?}");
        });
    }

    #[test]
    fn every_value_is_written_and_read() {
        every_value_comes_back(&stateless::<Ucs2Le>(), &stateless::<Ucs2Le>(), by(Scheme::Ucs2Le));
        every_value_comes_back(&stateless::<Ucs2Be>(), &stateless::<Ucs2Be>(), by(Scheme::Ucs2Be));
    }
}
