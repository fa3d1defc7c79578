//! UTF-32: each scalar value is one 32-bit unit (Unicode Standard, D90).

use super::{Decoded, Encoded, Form, is_scalar_value, is_surrogate};
use crate::ErrorKind;

/// UTF-32 in units of native order.
pub struct Utf32;

impl Form for Utf32 {
    type Unit = u32;

    #[inline(always)]
    fn decode(src: &[u32]) -> Decoded {
        let value = src[0];
        if is_scalar_value(value) {
            Decoded::Value { value, len: 1 }
        } else if is_surrogate(value) {
            Decoded::IllFormed { kind: ErrorKind::Surrogate, len: 1 }
        } else {
            Decoded::IllFormed { kind: ErrorKind::TooLarge, len: 1 }
        }
    }

    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u32>> {
        is_scalar_value(value).then(|| Encoded::from_slice(&[value]))
    }
}
