//! Page-aligned buffers.

use std::ops::{Deref, DerefMut};

/// The page size. Reads copy from page-aligned kernel memory. If the target has a
/// small offset within its page, as large vectors do, some processors copy four
/// times slower, because of false store-to-load dependencies (4K aliasing).
const PAGE: usize = 4096;

/// A zeroed buffer that starts at a page boundary. The default is empty.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    memory: Vec<u8>,
    begin: usize,
    len: usize,
}

impl Buffer {
    pub(crate) fn new(len: usize) -> Buffer {
        let memory = vec![0; len + PAGE];
        // Without alignment it is only slower.
        let begin = memory.as_ptr().align_offset(PAGE).min(PAGE);
        Buffer { memory, begin, len }
    }

    /// Grows the buffer to at least `len` bytes and keeps its content.
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
