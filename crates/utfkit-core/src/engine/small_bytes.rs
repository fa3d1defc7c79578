//! A few bytes by value: a cut sequence that waits for its end, an encoded
//! character that waits for space.

use core::fmt;

/// At most `N` bytes (fewer than 256), first in, first out.
#[derive(Clone, Copy)]
pub struct SmallBytes<const N: usize> {
    bytes: [u8; N],
    start: u8,
    end: u8,
}

impl<const N: usize> SmallBytes<N> {
    #[allow(clippy::new_without_default)]
    pub const fn new() -> SmallBytes<N> {
        const { assert!(N < 256) };
        SmallBytes { bytes: [0; N], start: 0, end: 0 }
    }

    /// The first `N` of `bytes`, or all if there are fewer.
    pub fn of(bytes: &[u8]) -> SmallBytes<N> {
        let mut all = SmallBytes::new();
        all.push(&bytes[..bytes.len().min(N)]);
        all
    }

    /// These bytes, at most `M`, and the front of `next` that there is
    /// space for.
    pub fn joined<const M: usize>(&self, next: &[u8]) -> SmallBytes<M> {
        let mut all = SmallBytes::of(self.as_slice());
        all.push(&next[..next.len().min(M - all.len())]);
        all
    }

    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start.into()..self.end.into()]
    }

    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.end - self.start)
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
    }

    /// Becomes `bytes`, which are at most `N`.
    pub fn set(&mut self, bytes: &[u8]) {
        self.clear();
        self.push(bytes);
    }

    /// Adds `bytes`. Callers see to it that there are never more than `N`.
    pub fn push(&mut self, bytes: &[u8]) {
        if usize::from(self.end) + bytes.len() > N {
            self.bytes.copy_within(usize::from(self.start)..usize::from(self.end), 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        let end = usize::from(self.end);
        self.bytes[end..end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len() as u8;
    }

    /// Drops the first `len` bytes, which must exist.
    pub fn drop_front(&mut self, len: usize) {
        self.start += len as u8;
        if self.is_empty() {
            self.clear();
        }
    }
}

impl<const N: usize> PartialEq for SmallBytes<N> {
    fn eq(&self, other: &SmallBytes<N>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<const N: usize> Eq for SmallBytes<N> {}

impl<const N: usize> fmt::Debug for SmallBytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}
