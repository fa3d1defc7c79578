//! Slices next to inaccessible pages, so that an access out of bounds ends the
//! process.
//!
//! ```text
//! | no access | len bytes, a whole number of pages | no access |
//! ```
//!
//! Unix only, except for the trait. This is the only file of the testkit with
//! `unsafe`.

#[cfg(unix)]
use std::ptr;

/// An integer type.
///
/// # Safety
///
/// Every bit pattern must be a value of the type, and its alignment must divide
/// the page size.
pub unsafe trait Plain: Copy {}

// SAFETY: every bit pattern is an integer; the alignment is 1.
unsafe impl Plain for u8 {}
// SAFETY: every bit pattern is an integer; the alignment is at most 2.
unsafe impl Plain for u16 {}
// SAFETY: every bit pattern is an integer; the alignment is at most 4.
unsafe impl Plain for u32 {}

/// The position of a slice in its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Directly after the first guard page.
    Start,
    /// Directly before the last guard page.
    End,
}

/// Both positions.
pub const PLACES: [Place; 2] = [Place::Start, Place::End];

/// Memory between two inaccessible pages.
#[cfg(unix)]
#[derive(Debug)]
pub struct Guarded {
    map: *mut libc::c_void,
    page: usize,
    len: usize,
}

#[cfg(unix)]
impl Guarded {
    /// Allocates memory for slices of up to `bytes` bytes.
    ///
    /// # Panics
    ///
    /// If the allocation fails.
    pub fn new(bytes: usize) -> Guarded {
        // SAFETY: sysconf has no preconditions.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a system has a page size");
        let len = bytes.max(1).next_multiple_of(page);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: maps new memory at an address of the system's choice, which
        // replaces no mapping.
        let map = unsafe { libc::mmap(ptr::null_mut(), len + 2 * page, libc::PROT_NONE, flags, -1, 0) };
        assert!(map != libc::MAP_FAILED, "no memory: {}", std::io::Error::last_os_error());
        let guarded = Guarded { map, page, len };
        // SAFETY: the range lies in the mapping just made, after its first
        // page and before its last, and nothing refers to it yet.
        let answer = unsafe { libc::mprotect(guarded.first().cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(answer, 0, "no access: {}", std::io::Error::last_os_error());
        guarded
    }

    /// The first accessible byte.
    fn first(&self) -> *mut u8 {
        // Safe arithmetic; the result is inside the mapping.
        self.map.cast::<u8>().wrapping_add(self.page)
    }

    /// A slice of `len` units, with the content left by earlier uses.
    ///
    /// # Panics
    ///
    /// If the slice is larger than the memory.
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

    /// Copies `units` to `place`.
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

    /// The exit status of a child process that reads the byte at `address`.
    fn child_ends(address: *const u8) -> libc::c_int {
        // SAFETY: the child calls only `_exit`, which is safe after a fork of a
        // process with threads.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: `address` is inside the mapping of the caller. If it is
            // inaccessible, the child ends, as intended.
            unsafe { ptr::read_volatile(address) };
            // SAFETY: _exit has no preconditions.
            unsafe { libc::_exit(0) };
        }
        assert!(child > 0, "no child: {}", std::io::Error::last_os_error());
        let mut status = 0;
        // SAFETY: `status` is valid for writes.
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
