//! Memory to read into.

use std::ops::{Deref, DerefMut};

/// What a page of a file begins with is copied to where a page begins. A few
/// bytes further on, where a large vector begins, some processors take four
/// times as long to copy it: they mistake the page that is written for the one
/// that is read.
const PAGE: usize = 4096;

/// Memory from the beginning of a page on, zeros at first. Without any it is the
/// default.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    memory: Vec<u8>,
    begin: usize,
    len: usize,
}

impl Buffer {
    pub(crate) fn new(len: usize) -> Buffer {
        let memory = vec![0; len + PAGE];
        // Where that cannot be told, it is only slower.
        let begin = memory.as_ptr().align_offset(PAGE).min(PAGE);
        Buffer { memory, begin, len }
    }

    /// Makes it at least `len` bytes long. What it holds stays at the front.
    pub(crate) fn grow(&mut self, len: usize) {
        if self.len < len {
            let mut grown = Buffer::new(len);
            grown[..self.len].copy_from_slice(self);
            *self = grown;
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.begin..self.begin + self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.begin..self.begin + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_long_as_asked_and_begins_a_page() {
        for len in [0, 1, 4096, 100_000, 1 << 20] {
            let mut buffer = Buffer::new(len);
            assert_eq!((buffer.len(), buffer.as_ptr().addr() % PAGE), (len, 0));
            buffer.fill(1);
        }
    }

    #[test]
    fn it_keeps_what_it_holds_when_it_grows() {
        let mut buffer = Buffer::default();
        assert!(buffer.is_empty());
        buffer.grow(3);
        buffer.copy_from_slice(b"abc");
        buffer.grow(2);
        buffer.grow(5000);
        assert_eq!((buffer.len(), &buffer[..4], buffer.as_ptr().addr() % PAGE), (5000, &b"abc\0"[..], 0));
    }
}
