//! ISO/IEC 8859-1 with the C0 and C1 controls, IANA's ISO-8859-1: the byte is
//! the code point. It is not windows-1252.

use super::{Decoded, Encoded, Form};

/// ISO-8859-1.
pub struct Latin1;

impl Form for Latin1 {
    type Unit = u8;

    #[inline(always)]
    fn decode(src: &[u8]) -> Decoded {
        Decoded::Value { value: src[0].into(), len: 1 }
    }

    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        u8::try_from(value).ok().map(|byte| Encoded::from_slice(&[byte]))
    }
}
