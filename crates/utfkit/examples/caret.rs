//! A line editor's caret, in a line that may be damaged: where it stops, and in which
//! column of the terminal.
//!
//! ```sh
//! cargo run --features width --example caret -- "naïve 👩‍🚀 日本"
//! ```
//!
//! It stops before each grapheme cluster, as `unicode-segmentation` finds them, and before
//! each maximal subpart of an ill-formed sequence.

use std::ffi::OsString;

use unicode_segmentation::UnicodeSegmentation;
use utfkit::{display_width_of_bytes, utf8_chunks};

/// A line and the place in it where text is inserted.
struct Line {
    bytes: Vec<u8>,
    caret: usize,
}

impl Line {
    /// The places where the caret may be, in ascending order.
    fn stops(&self) -> impl Iterator<Item = usize> {
        let pieces = utf8_chunks(&self.bytes).flat_map(|chunk| {
            let damage = if chunk.invalid().is_empty() { None } else { Some(chunk.invalid().len()) };
            chunk.valid().graphemes(true).map(str::len).chain(damage)
        });
        std::iter::once(0).chain(pieces.scan(0, |at, len| {
            *at += len;
            Some(*at)
        }))
    }

    fn right(&mut self) {
        let next = self.stops().find(|&stop| stop > self.caret);
        self.caret = next.unwrap_or(self.caret);
    }

    fn left(&mut self) {
        let before = self.stops().take_while(|&stop| stop < self.caret).last();
        self.caret = before.unwrap_or(self.caret);
    }

    fn backspace(&mut self) {
        let end = self.caret;
        self.left();
        self.bytes.drain(self.caret..end);
    }

    /// The column of the caret, from 0.
    fn column(&self) -> usize {
        display_width_of_bytes(&self.bytes[..self.caret])
    }

    fn show(&self) {
        println!("{}", String::from_utf8_lossy(&self.bytes));
        println!("{:width$}^ byte {}, column {}", "", self.caret, self.column(), width = self.column());
    }
}

fn main() {
    let line = std::env::args_os().nth(1).map_or_else(
        || b"e\xCC\x81 \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80\xE2\x82!".to_vec(),
        OsString::into_encoded_bytes,
    );
    let mut line = Line { bytes: line, caret: 0 };
    line.show();
    while line.caret < line.bytes.len() {
        line.right();
        line.show();
    }
    println!("backspace:");
    while line.caret > 0 {
        line.backspace();
        line.show();
    }
}
