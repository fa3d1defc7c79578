//! windows-1252, there and back.

use super::fallback::Fallback;
use crate::encoding::Encoding;
use crate::engine::legacy::Legacy;

/// windows-1252, in which a byte that it leaves empty is the control of that
/// number: so it contains ISO-8859-1 too, which differs in controls alone.
#[derive(Clone, Debug)]
pub(super) struct Windows1252 {
    /// The characters of 80 to 9F.
    low: [char; 32],
}

impl Windows1252 {
    pub(super) fn new() -> Windows1252 {
        let table = Fallback::new(Encoding::Legacy(Legacy::Windows1252));
        let mut low = ['\0'; 32];
        for (c, byte) in low.iter_mut().zip(0x80..) {
            *c = table.as_ref().map_or(char::from(byte), |table| table.read(byte));
        }
        Windows1252 { low }
    }

    /// The byte from 80 on that was read as `c`.
    #[inline]
    pub(super) fn byte(&self, c: char) -> Option<u8> {
        match u32::from(c) {
            value @ 0x80..=0xFF => Some(value as u8),
            // Œ is the first of the others, ™ the last.
            0x152..=0x2122 => self.low.iter().position(|low| *low == c).map(|at| 0x80 + at as u8),
            _ => None,
        }
    }

    /// The character of `byte` in windows-1252, also if it was read as
    /// ISO-8859-1. The five empty places are controls.
    pub(super) fn character(&self, byte: u8) -> char {
        match byte {
            0x80..=0x9F => self.low[usize::from(byte & 0x1F)],
            _ => byte.into(),
        }
    }
}
