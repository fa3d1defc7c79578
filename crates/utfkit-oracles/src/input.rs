//! The format of a fuzz input.
//!
//! ```text
//! byte 0..4   choices: the operation and its parameters
//! byte 4      bits 0 and 1: the kind of text; bits 2 to 7: number of ASCII
//!             letters before the text
//! byte 5, 6   seed for everything else: cuts, capacities, damage
//! byte 7..    the text, or its script
//! ```
//!
//! Text kinds 0 and 1 take the bytes as they are. Kinds 2 and 3 take them as a
//! script (`assemble.rs`), in which a fuzzer's small changes yield other text
//! of the same kind. Kind 3 repeats its text, so that it crosses the blocks of
//! the kernels in every phase. Missing bytes are zero.

use utfkit_testkit::random::Random;

use crate::assemble::assemble;
use crate::atoms;

/// Maximum length of the text; repeated text can be three times as long.
const LONGEST: usize = 160;

/// Number of bytes before the text.
const HEAD: usize = 7;

/// A parsed input.
#[derive(Debug)]
pub struct Input<'a> {
    /// Choices of the target.
    pub choices: [u8; 4],
    /// For all other decisions.
    pub random: Random,
    way: u8,
    first: usize,
    body: &'a [u8],
}

impl<'a> Input<'a> {
    /// Parses `data`.
    pub fn new(data: &'a [u8]) -> Input<'a> {
        let mut head = [0; HEAD];
        let (front, body) = data.split_at(data.len().min(HEAD));
        head[..front.len()].copy_from_slice(front);
        let [a, b, c, d, way, low, high] = head;
        Input {
            choices: [a, b, c, d],
            random: Random::new(u64::from(u16::from_le_bytes([low, high]))),
            way: way & 3,
            first: usize::from(way >> 2),
            body,
        }
    }

    /// The bytes after the header.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The text as bytes, possibly ill-formed in every encoding.
    pub fn bytes(&self) -> Vec<u8> {
        self.make(atoms::bytes(), |[byte]: [u8; 1]| byte)
    }

    /// The text as UTF-16, possibly ill-formed.
    pub fn units16(&self) -> Vec<u16> {
        self.make(atoms::units16(), u16::from_le_bytes)
    }

    /// The text as UTF-32, possibly ill-formed.
    pub fn units32(&self) -> Vec<u32> {
        self.make(atoms::units32(), u32::from_le_bytes)
    }

    /// The text, with U+FFFD for ill-formed sequences.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    fn make<U: Copy + From<u8>, const N: usize>(&self, atoms: &[Vec<U>], unit: fn([u8; N]) -> U) -> Vec<U> {
        let mut text: Vec<U> = vec![U::from(b'a'); self.first];
        if self.way < 2 {
            text.extend(self.body.as_chunks::<N>().0.iter().take(LONGEST).map(|bytes| unit(*bytes)));
            return text;
        }
        assemble(self.body, atoms, unit, &mut text, LONGEST);
        if self.way == 3 && !text.is_empty() {
            let times = 1 + LONGEST.div_ceil(text.len()).min(8);
            text = text.repeat(times);
            text.truncate(3 * LONGEST);
        }
        text
    }
}
