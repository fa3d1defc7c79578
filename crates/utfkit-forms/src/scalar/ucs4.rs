//! UCS-4 (ISO/IEC 10646-1, 13.2): each value of 31 bits is one 32-bit unit,
//! whether or not it is above U+10FFFF. A pair of surrogates has to be converted
//! to its character first (RFC 2279 section 2): D800–DFFF are errors here.

use super::bytes::{Big, Little, Serial};
use super::{Decoded, Encoded, Form, is_surrogate};
use crate::ErrorKind;

/// UCS-4 in units of native order.
pub struct Ucs4;

/// UCS-4, least significant byte first.
pub type Ucs4Le = Serial<Ucs4, Little>;
/// UCS-4, most significant byte first.
pub type Ucs4Be = Serial<Ucs4, Big>;

/// The largest value of 31 bits.
pub(crate) const MAX_31_BITS: u32 = 0x7FFF_FFFF;

impl Form for Ucs4 {
    type Unit = u32;

    #[inline(always)]
    fn decode(src: &[u32]) -> Decoded {
        let value = src[0];
        if value > MAX_31_BITS {
            Decoded::IllFormed { kind: ErrorKind::TooLarge, len: 1 }
        } else if is_surrogate(value) {
            Decoded::IllFormed { kind: ErrorKind::Surrogate, len: 1 }
        } else {
            Decoded::Value { value, len: 1 }
        }
    }

    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u32>> {
        (value <= MAX_31_BITS && !is_surrogate(value)).then(|| Encoded::from_slice(&[value]))
    }
}
