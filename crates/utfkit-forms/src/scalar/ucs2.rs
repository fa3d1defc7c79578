//! UCS-2 (ISO/IEC 10646-1, 13.1): each character of the Basic Multilingual
//! Plane is one 16-bit unit. The units D800–DFFF belong to UTF-16 and are
//! errors here.

use super::bytes::{Big, Little, Serial};
use super::{Decoded, Encoded, Form, is_surrogate};
use crate::ErrorKind;

/// UCS-2 in units of native order.
pub struct Ucs2;

/// UCS-2, least significant byte first.
pub type Ucs2Le = Serial<Ucs2, Little>;
/// UCS-2, most significant byte first.
pub type Ucs2Be = Serial<Ucs2, Big>;

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
