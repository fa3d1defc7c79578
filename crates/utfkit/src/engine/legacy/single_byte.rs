//! The encodings with a byte a character: a table of 128 entries each, filled
//! in as they are asked for.

use super::Legacy;
use core::sync::atomic::{AtomicU16, Ordering};

/// How many such encodings there are. They come first in [`Legacy`].
pub(super) const COUNT: usize = Legacy::XUserDefined as usize + 1;

/// The code points of the bytes from 80. All are below U+FFFF, and none is
/// U+0000.
static VALUES: [[AtomicU16; 128]; COUNT] = [const { [const { AtomicU16::new(UNKNOWN) }; 128] }; COUNT];

/// Nobody has asked for the entry yet.
const UNKNOWN: u16 = 0;

/// The byte stands for nothing.
const NOTHING: u16 = 0xFFFF;

/// What `byte`, which is 80 or more, stands for in an encoding of this kind.
pub(super) fn value(legacy: Legacy, byte: u8) -> Option<u32> {
    let entry = &VALUES[legacy as usize][usize::from(byte & 0x7F)];
    // Entries do not depend on each other, and whoever fills one in twice
    // writes the same: no order is needed.
    let mut value = entry.load(Ordering::Relaxed);
    if value == UNKNOWN {
        value = look_up(legacy, byte);
        entry.store(value, Ordering::Relaxed);
    }
    (value != NOTHING).then_some(value.into())
}

#[cold]
fn look_up(legacy: Legacy, byte: u8) -> u16 {
    let mut decoder = legacy.codec().new_decoder_without_bom_handling();
    let mut out = [0; 4];
    match decoder.decode_to_utf16_without_replacement(&[byte], &mut out, true) {
        (encoding_rs::DecoderResult::InputEmpty, _, 1) => out[0],
        _ => NOTHING,
    }
}
