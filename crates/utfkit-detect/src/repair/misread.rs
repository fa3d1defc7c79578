//! Single bytes that were read in some encoding.

use utfkit_core::Encoding;
use utfkit_core::internal::{Decoded, Form, Ibm437};

/// The character of a byte in a single-byte encoding.
pub(super) fn character(encoding: Encoding, byte: u8) -> Option<char> {
    let value = match encoding {
        Encoding::Legacy(legacy) => legacy.value(byte),
        Encoding::Ibm437 => match Ibm437::decode(&[byte]) {
            Decoded::Value { value, .. } => Some(value),
            _ => None,
        },
        _ => Some(byte.into()),
    };
    value.and_then(char::from_u32)
}

/// True for a control of ISO 6429, which no text has.
pub(super) fn is_c1(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9F}')
}
