//! A record of numbers and texts in one `byte[]`, which costs one call and no object for each field.
//! `utfkit.Packed` reads it.

use crate::env::{Bytes, Env, Thrown};

/// The most bytes: a quarter of what an array holds, since each record becomes objects of several times its size.
const MOST: usize = 1 << 29;

#[derive(Default)]
pub(crate) struct Packed {
    bytes: Vec<u8>,
}

impl Packed {
    /// A number, in eight bytes, little-endian.
    pub(crate) fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// The length in four bytes, and the bytes.
    pub(crate) fn text(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(text);
    }

    /// Fails if this is more than Java can take apart.
    pub(crate) fn check(&self) -> Result<(), Thrown> {
        if self.bytes.len() > MOST {
            return Err(Thrown::out_of_memory("there are too many findings for one array: check the value in parts"));
        }
        Ok(())
    }

    pub(crate) fn to_java<'a>(&self, env: Env<'a>) -> Result<Option<Bytes<'a>>, Thrown> {
        env.bytes(&self.bytes)
    }
}
