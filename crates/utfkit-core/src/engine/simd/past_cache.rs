//! Memory written without going through the caches.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m128i, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm_sfence, _mm_stream_si128};

/// The bytes of a line of the cache.
pub(crate) const LINE: usize = 64;

/// A destination that is written from front to back by streaming stores, whole
/// lines of the cache at a time: such a line is not fetched before it is
/// overwritten, and nothing else has to leave the cache for it.
///
/// It borrows the destination until `drop`, which has the fence that must come between
/// streaming stores and other accesses. Elsewhere than on x86-64 it copies.
pub(crate) struct PastCache<'a> {
    rest: &'a mut [u8],
}

impl<'a> PastCache<'a> {
    /// Begins at the front of `dst`.
    #[inline]
    pub(crate) fn new(dst: &'a mut [u8]) -> PastCache<'a> {
        PastCache { rest: dst }
    }

    /// The number of bytes left.
    #[inline]
    pub(crate) fn space(&self) -> usize {
        self.rest.len()
    }

    /// Writes `bytes` and returns true if they fit. Fast for whole lines at the beginning of a line.
    #[inline]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> bool {
        let Some((to, rest)) = core::mem::take(&mut self.rest).split_at_mut_checked(bytes.len()) else { return false };
        self.rest = rest;
        // SAFETY: a `Line` is an array of bytes, so that any bytes are a valid `Line` and the reverse.
        match unsafe { to.align_to_mut::<Line>() } {
            ([], lines, []) => stream(bytes, lines),
            _ => to.copy_from_slice(bytes),
        }
        true
    }
}

/// A line of the cache: that it begins with one is what its type says.
#[repr(C, align(64))]
struct Line([u8; LINE]);

impl Drop for PastCache<'_> {
    #[inline]
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: x86-64 has SSE.
        unsafe {
            _mm_sfence();
        }
    }
}

/// Copies `from` to `to`, which are of the same length.
///
/// Only for a [`PastCache`], whose `drop` has the fence that streaming stores
/// ask for.
#[inline]
fn stream(from: &[u8], to: &mut [Line]) {
    for (from, to) in from.as_chunks::<LINE>().0.iter().zip(to) {
        #[cfg(target_arch = "x86_64")]
        for (from, to) in from.as_chunks::<16>().0.iter().zip(to.0.as_chunks_mut::<16>().0) {
            // SAFETY: `from` has 16 bytes to read, at any alignment; x86-64 has
            // SSE2.
            let v = unsafe { _mm_loadu_si128(from.as_ptr().cast::<__m128i>()) };
            // SAFETY: `to` has 16 bytes to write, at a multiple of 16 from the
            // beginning of a `Line`, whose alignment is 64. The one caller
            // lends them from a `PastCache`, so that nothing touches them
            // before its `drop`, with the fence that they ask for; no
            // `PastCache` is ever forgotten.
            unsafe { _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>(), v) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            to.0 = *from;
        }
    }
}

/// Prefetches up to `len` bytes of `bytes` from `at` on.
#[inline]
pub(crate) fn prefetch(bytes: &[u8], at: usize, len: usize) {
    let Some(ahead) = bytes.get(at..) else { return };
    #[cfg(target_arch = "x86_64")]
    for line in ahead[..len.min(ahead.len())].chunks(LINE) {
        // SAFETY: a prefetch reads nothing, whatever the address; x86-64 has
        // SSE.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (ahead, len);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_there() {
        let from: [u8; 4 * LINE] = core::array::from_fn(|i| i as u8);
        let mut to = [0xA5; 8 * LINE];
        let aligned = to.as_ptr().align_offset(LINE);
        for (start, len) in [(aligned, 2 * LINE), (aligned + 1, LINE), (aligned, 5), (aligned, 0), (aligned, 4 * LINE)]
        {
            to.fill(0xA5);
            let mut past = PastCache::new(&mut to[start..start + len + 3]);
            assert!(past.write(&from[..len]));
            assert_eq!(past.space(), 3);
            assert!(!past.write(&from[..4]));
            drop(past);
            assert_eq!(to[start..start + len], from[..len]);
            assert!(to[..start].iter().chain(&to[start + len..]).all(|&byte| byte == 0xA5));
        }
        prefetch(&from, 0, 1000);
        prefetch(&from, 1000, 1);
    }
}
