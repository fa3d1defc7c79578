//! A few bytes that wait between two calls.

/// At most `N` bytes (fewer than 256), first in, first out.
#[derive(Clone)]
pub(super) struct Held<const N: usize> {
    bytes: [u8; N],
    start: u8,
    end: u8,
}

impl<const N: usize> Held<N> {
    pub(super) const fn new() -> Held<N> {
        const { assert!(N < 256) };
        Held { bytes: [0; N], start: 0, end: 0 }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start.into()..self.end.into()]
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.end - self.start)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub(super) fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
    }

    /// Holds `bytes` and nothing else.
    pub(super) fn set(&mut self, bytes: &[u8]) {
        self.clear();
        self.push(bytes);
    }

    /// Adds `bytes`. Callers push only while nothing was dropped, and never
    /// more than `N` in all.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let end = usize::from(self.end);
        self.bytes[end..end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len() as u8;
    }

    /// Drops the first `len` of the bytes held.
    pub(super) fn drop_front(&mut self, len: usize) {
        self.start += len as u8;
        if self.is_empty() {
            self.clear();
        }
    }
}

impl<const N: usize> core::fmt::Debug for Held<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}
