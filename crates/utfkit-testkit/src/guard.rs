//! Slices that end at a page which cannot be touched, or begin after one:
//! reading or writing beside them ends the process at once.
//!
//! ```text
//! | no access | len bytes, a whole number of pages | no access |
//! ```
//!
//! Only on Unix, except for what a slice may be of. This is the one file of the
//! testkit with `unsafe`.

#[cfg(unix)]
use std::ptr;

/// A number for which every pattern of bits is a value.
///
/// # Safety
///
/// Every pattern of bits, all zeros included, must be a value of the type, and
/// its alignment must divide the size of a page.
pub unsafe trait Plain: Copy {}

// SAFETY: every pattern of bits is a number; the alignment is 1.
unsafe impl Plain for u8 {}
// SAFETY: every pattern of bits is a number; the alignment is at most 2.
unsafe impl Plain for u16 {}
// SAFETY: every pattern of bits is a number; the alignment is at most 4.
unsafe impl Plain for u32 {}

/// Where in the pages a slice lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Right after the page before.
    Start,
    /// Right before the page after.
    End,
}

/// Both places.
pub const PLACES: [Place; 2] = [Place::Start, Place::End];

/// Memory between two pages that cannot be touched.
#[cfg(unix)]
#[derive(Debug)]
pub struct Guarded {
    map: *mut libc::c_void,
    page: usize,
    len: usize,
}

#[cfg(unix)]
impl Guarded {
    /// Memory for slices of up to `bytes` bytes.
    ///
    /// # Panics
    ///
    /// If the system gives none.
    pub fn new(bytes: usize) -> Guarded {
        // SAFETY: sysconf has no preconditions.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a system has a page size");
        let len = bytes.max(1).next_multiple_of(page);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: asks for new memory at an address of the system's choice,
        // which overlays nothing.
        let map = unsafe { libc::mmap(ptr::null_mut(), len + 2 * page, libc::PROT_NONE, flags, -1, 0) };
        assert!(map != libc::MAP_FAILED, "no memory: {}", std::io::Error::last_os_error());
        let guarded = Guarded { map, page, len };
        // SAFETY: the range lies in the mapping just made, after its first
        // page and before its last, and nothing refers to it yet.
        let answer = unsafe { libc::mprotect(guarded.first().cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(answer, 0, "no access: {}", std::io::Error::last_os_error());
        guarded
    }

    /// The first byte that can be touched.
    fn first(&self) -> *mut u8 {
        // `wrapping_add`, which asks for nothing; the result is in the mapping.
        self.map.cast::<u8>().wrapping_add(self.page)
    }

    /// `len` units at `place`, with whatever was written there before.
    ///
    /// # Panics
    ///
    /// If there is not so much memory.
    pub fn slice<T: Plain>(&mut self, place: Place, len: usize) -> &mut [T] {
        let bytes = len * size_of::<T>();
        assert!(bytes <= self.len, "{bytes} bytes of {}", self.len);
        let start = match place {
            Place::Start => self.first(),
            Place::End => self.first().wrapping_add(self.len - bytes),
        };
        // SAFETY: `start` and `bytes` bytes from it lie between the guard
        // pages, which are readable, writable, zeroed by mmap and live as long
        // as `self`, which the slice borrows alone. Both ends of that range
        // are page boundaries and `bytes` a multiple of the size of `T`, so
        // that `start` is aligned; `T: Plain` takes any bits.
        unsafe { std::slice::from_raw_parts_mut(start.cast::<T>(), len) }
    }

    /// A copy of `units` at `place`.
    pub fn copy<T: Plain>(&mut self, place: Place, units: &[T]) -> &mut [T] {
        let slice = self.slice(place, units.len());
        slice.copy_from_slice(units);
        slice
    }
}

#[cfg(unix)]
impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: `map` and the length are those of the mapping that `new`
        // made, and no slice outlives `self`.
        unsafe { libc::munmap(self.map, self.len + 2 * self.page) };
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// How a child process ends that reads the byte at `address`.
    fn child_ends(address: *const u8) -> libc::c_int {
        // SAFETY: the child calls nothing but `_exit`, which a fork of a
        // process with threads may do.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: `address` is inside the mapping of the caller. Where it
            // cannot be read, the child ends, which is what is asked.
            unsafe { ptr::read_volatile(address) };
            // SAFETY: _exit has no preconditions.
            unsafe { libc::_exit(0) };
        }
        assert!(child > 0, "no child: {}", std::io::Error::last_os_error());
        let mut status = 0;
        // SAFETY: `status` is a place for what waitpid writes.
        let ended = unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!(ended, child);
        status
    }

    #[test]
    fn both_sides_are_guarded() {
        let mut memory = Guarded::new(5000);
        for place in PLACES {
            let slice = memory.slice::<u8>(place, 100).as_ptr_range();
            let outside = match place {
                Place::Start => slice.start.wrapping_sub(1),
                Place::End => slice.end,
            };
            for inside in [slice.start, slice.end.wrapping_sub(1)] {
                assert_eq!(child_ends(inside), 0, "{place:?}: a byte inside the slice ends the process");
            }
            assert!(libc::WIFSIGNALED(child_ends(outside)), "{place:?}: a byte beside the slice can be read");
        }
    }
}
