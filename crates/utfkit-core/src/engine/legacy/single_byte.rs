//! The encodings of the Encoding Standard with a byte a character: a table of
//! 128 entries each, filled in as they are asked for.

use super::character::only;
use super::rows::{Legacy, SINGLE_BYTES};
use super::table::NOTHING;
use core::sync::atomic::{AtomicU16, Ordering};

/// The code points of the bytes from 80. All are below U+FFFF, and none is
/// U+0000.
static VALUES: [[AtomicU16; 128]; SINGLE_BYTES] = [const { [const { AtomicU16::new(UNKNOWN) }; 128] }; SINGLE_BYTES];

/// The entry was not asked for yet.
const UNKNOWN: u16 = 0;

impl Legacy {
    /// The code point of `byte`, if every character is one byte.
    #[doc(hidden)]
    pub fn value(self, byte: u8) -> Option<u32> {
        if self.is_single_byte() { value(self, byte) } else { None }
    }
}

/// The code point of `byte` in an encoding with a byte a character.
pub(super) fn value(legacy: Legacy, byte: u8) -> Option<u32> {
    if let Some(page) = legacy.page() {
        return page.value(byte);
    }
    if byte < 0x80 {
        return Some(byte.into());
    }
    let value = unit(legacy, byte);
    (value != NOTHING).then_some(value.into())
}

/// The code points of all bytes, of an encoding of the Encoding Standard.
pub(super) fn values(legacy: Legacy) -> [u16; 256] {
    let mut values = [0; 256];
    for (byte, value) in (0..=0xFF).zip(&mut values) {
        *value = if byte < 0x80 { byte.into() } else { unit(legacy, byte) };
    }
    values
}

/// The code point of a byte from 80, or [`NOTHING`].
fn unit(legacy: Legacy, byte: u8) -> u16 {
    let entry = &VALUES[legacy as usize][usize::from(byte & 0x7F)];
    // Entries do not depend on each other, and filling one in twice
    // writes the same: no order is needed.
    let mut value = entry.load(Ordering::Relaxed);
    if value == UNKNOWN {
        value = look_up(legacy, byte);
        entry.store(value, Ordering::Relaxed);
    }
    value
}

#[cold]
fn look_up(legacy: Legacy, byte: u8) -> u16 {
    let Some(codec) = legacy.web() else { return NOTHING };
    let mut decoder = codec.new_decoder_without_bom_handling();
    let mut out = [0; 8];
    match decoder.decode_to_utf8_without_replacement(&[byte], &mut out, true) {
        (encoding_rs::DecoderResult::InputEmpty, _, len) => only(&out[..len]).map_or(NOTHING, |value| value as u16),
        _ => NOTHING,
    }
}
