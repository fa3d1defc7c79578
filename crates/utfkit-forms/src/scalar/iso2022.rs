//! The way from ISO 2022 into UTF-8 and back, utf-8(7): `ESC % G` begins
//! UTF-8, `ESC % @` returns to the encoding before.
//!
//! ```text
//! 1B 25 47         begins UTF-8, RFC 3629
//! 1B 25 40         returns to the outer encoding
//! ```
//!
//! The outer encoding is the state at the beginning. It is ISO-8859-1, or any
//! other that has no states and US-ASCII as it is. Nothing else of ISO 2022
//! is read: every other escape sequence, even the one into UTF-8 without return
//! (`ESC % / G`), decodes as the characters of its bytes. A switch that changes
//! nothing is read and has no value.
//!
//! A text in which U+001B, `%` and `G` or `@` follow one another cannot be
//! written, for it would be read as a switch: the third of them is refused.

use super::utf8::Utf8;
use super::utf16::Utf16;
use super::{Decoded, Encoded, Form, ReadRun, Reader, WriteRun, Writer};
use crate::ErrorKind;

const ESC: u8 = 0x1B;

/// The first bytes of both sequences.
const DOOR: [u8; 2] = [ESC, b'%'];

/// Their last bytes.
const IN: u8 = b'G';
const OUT: u8 = b'@';

/// Reads text that switches between an outer encoding and UTF-8.
#[derive(Clone, Debug)]
pub struct Iso2022Reader<R> {
    inside: bool,
    outer: R,
}

impl<R> Iso2022Reader<R> {
    /// Begins outside, where `outer` reads.
    pub const fn new(outer: R) -> Iso2022Reader<R> {
        Iso2022Reader { inside: false, outer }
    }

    /// True if the next bytes are UTF-8, unless they are a switch.
    pub const fn is_inside(&self) -> bool {
        self.inside
    }
}

impl<R: Reader> Reader for Iso2022Reader<R> {
    #[inline]
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match *src {
            [ESC, b'%', to @ (IN | OUT), ..] => {
                self.inside = to == IN;
                return Decoded::StateChange { len: DOOR.len() + 1 };
            }
            [ESC] | [ESC, b'%'] if !last => {
                return Decoded::Unfinished { kind: ErrorKind::Truncated, len: src.len() };
            }
            _ => {}
        }
        if self.inside { Utf8::decode(src) } else { self.outer.decode(src, last) }
    }

    fn state(&self) -> u32 {
        u32::from(self.inside) | self.outer.state() << 1
    }

    fn set_state(&mut self, state: u32) {
        self.inside = state & 1 != 0;
        self.outer.set_state(state >> 1);
    }
}

/// Writes the outer encoding as long as that has the characters, and then
/// UTF-8 up to the end, where it goes back, and not at the end of a line or
/// wherever the outer encoding would do again: each way costs three bytes.
#[derive(Clone, Debug)]
pub struct Iso2022Writer<W> {
    inside: bool,
    /// How much of [`DOOR`] the last characters are.
    seen: usize,
    outer: W,
}

impl<W> Iso2022Writer<W> {
    /// Begins outside, where `outer` writes, four bytes a character at most.
    pub const fn new(outer: W) -> Iso2022Writer<W> {
        Iso2022Writer { inside: false, seen: 0, outer }
    }
}

impl<W: Writer> Writer for Iso2022Writer<W> {
    #[inline]
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        if self.seen == DOOR.len() && (value == u32::from(IN) || value == u32::from(OUT)) {
            return None;
        }
        let outside = if self.inside { None } else { self.outer.encode(value) };
        let bytes = match outside {
            Some(bytes) => bytes,
            None => {
                let bytes = Utf8::encode(value)?;
                if core::mem::replace(&mut self.inside, true) { bytes } else { switch(IN).then(bytes) }
            }
        };
        // ESC begins a new sequence anywhere.
        self.seen = match value {
            _ if value == u32::from(ESC) => 1,
            _ if self.seen == 1 && value == u32::from(DOOR[1]) => 2,
            _ => 0,
        };
        Some(bytes)
    }

    #[inline]
    fn finish(&mut self) -> Encoded<u8> {
        self.seen = 0;
        if core::mem::take(&mut self.inside) { switch(OUT) } else { Encoded::from_slice(&[]) }
    }

    fn state(&self) -> u32 {
        u32::from(self.inside) | (self.seen as u32) << 1 | self.outer.state() << 3
    }

    fn set_state(&mut self, state: u32) {
        self.inside = state & 1 != 0;
        self.seen = (state >> 1 & 3) as usize;
        self.outer.set_state(state >> 3);
    }
}

impl<R: Reader> ReadRun for Iso2022Reader<R> {
    #[inline]
    fn read_run(&mut self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        let (mut read, mut count) = (0, 0);
        while let Some(byte) = src.get(read)
            && *byte != ESC
            // For any character, so that no state of the outer encoding has to be taken back.
            && let Some(space) = units[count..].first_chunk_mut()
        {
            let rest = &src[read..];
            let decoded = if self.inside { Utf8::decode(rest) } else { self.outer.decode(rest, false) };
            let Decoded::Value { value, len } = decoded else { break };
            let Some(encoded) = Utf16::encode(value) else { break };
            let [first, second, ..] = *encoded.padded();
            *space = [first.to_le_bytes(), second.to_le_bytes()];
            read += len;
            count += encoded.as_slice().len();
        }
        (read, count)
    }
}

impl<W: Writer> WriteRun for Iso2022Writer<W> {
    #[inline]
    fn write_run(&mut self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        let (mut taken, mut written) = (0, 0);
        while self.seen == 0
            && let Some(unit) = units.get(taken)
            && let Some(space) = dst[written..].first_chunk_mut()
        {
            let value = u16::from_le_bytes(*unit).into();
            if value == u32::from(ESC) {
                break;
            }
            let encoded = if self.inside { Utf8::encode(value) } else { self.outer.encode(value) };
            let Some(encoded) = encoded else { break };
            *space = *encoded.padded();
            taken += 1;
            written += encoded.as_slice().len();
        }
        (taken, written)
    }
}

fn switch(to: u8) -> Encoded<u8> {
    Encoded::from_slice(&[DOOR[0], DOOR[1], to])
}
