//! What the bytes of an input mean.
//!
//! ```text
//! byte 0..4   choices: the operation, then what that asks for
//! byte 4      how the text is made, in its two lowest bits, and how many bytes
//!             of US-ASCII come first, in the others
//! byte 5, 6   the seed of everything else: cuts, capacities, damage
//! byte 7..    the text, or the script that makes it
//! ```
//!
//! Of the four ways to make the text the first two take the bytes as they are.
//! In the others they are a script (`assemble.rs`), which a fuzzer's
//! small changes turn into other text of the same kind; in the last one its text
//! comes several times, so that it crosses the blocks of the kernels in every
//! phase. What is missing of an input is zero.

use utfkit_testkit::random::Random;

use crate::assemble::assemble;
use crate::atoms;

/// The longest text; what is repeated may be three times as long.
const LONGEST: usize = 160;

/// The bytes before the text.
const HEAD: usize = 7;

/// An input, taken apart.
#[derive(Debug)]
pub struct Input<'a> {
    /// What the target asks for.
    pub choices: [u8; 4],
    /// For everything that has no choice of its own.
    pub random: Random,
    way: u8,
    first: usize,
    body: &'a [u8],
}

impl<'a> Input<'a> {
    /// What `data` means.
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

    /// The bytes after the head.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The text as bytes, which may be ill-formed in every encoding.
    pub fn bytes(&self) -> Vec<u8> {
        self.make(atoms::bytes(), |[byte]: [u8; 1]| byte)
    }

    /// The text as UTF-16, which may be ill-formed.
    pub fn units16(&self) -> Vec<u16> {
        self.make(atoms::units16(), u16::from_le_bytes)
    }

    /// The text as UTF-32, which may be ill-formed.
    pub fn units32(&self) -> Vec<u32> {
        self.make(atoms::units32(), u32::from_le_bytes)
    }

    /// The text, with U+FFFD for what is ill-formed.
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
