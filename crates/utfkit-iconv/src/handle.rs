//! The object that an `iconv_t` of this library points to, and how to tell it from one of the C library.
//!
//! A program can hold an `iconv_t` that was not opened here, because its call of `iconv_open` went past this
//! library. In glibc an `iconv_t` points to a `struct __gconv_info` (`<gconv.h>`), whose first field is a
//! `size_t`, the number of conversion steps. A [`Handle`] has a mark there that is no such number.
//!
//! In other C libraries an `iconv_t` need not be a pointer (in musl it is an integer), so nothing may be read
//! through it. There a list of the open handles decides.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::conversion::Conversion;
use crate::learned::Learned;
use crate::system::{Descriptor, FAILED, System};

/// The first field of every [`Handle`]: more steps than memory has room for.
const MARK: usize = u64::from_ne_bytes(*b"utfkit\0i") as usize;

/// The object behind an `iconv_t` of this library.
#[repr(C)]
pub(crate) struct Handle {
    mark: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Converted here. True if source and target are one encoding.
    Ours(Conversion, bool),
    /// Passed to the system's functions, with their own conversion.
    System(&'static System, Descriptor),
    /// Passed to the system's functions, except for the characters learned from them.
    Learned(&'static System, Descriptor, Learned),
}

/// The implementation that an `iconv_t` belongs to.
pub(crate) enum Owner<'a> {
    /// It is null or -1.
    Nobody,
    /// It was opened by [`create`].
    Ours(&'a mut Handle),
    /// It was opened by the C library.
    System,
}

/// True if a foreign `iconv_t` can be told by its first field.
const HAS_MARKS: bool = cfg!(target_env = "gnu");

/// The addresses of the open handles, unless marks are enough.
static OPEN: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

fn open() -> MutexGuard<'static, BTreeSet<usize>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a handle, which [`release`] frees; `None` if memory is exhausted.
pub(crate) fn create(kind: Kind) -> Option<Descriptor> {
    // SAFETY: a handle is not of size zero.
    let place = unsafe { alloc(Layout::new::<Handle>()) }.cast::<Handle>();
    if place.is_null() {
        return None;
    }
    // SAFETY: the memory was allocated with the size and alignment of a handle, and nothing else has it.
    unsafe { place.write(Handle { mark: MARK, kind }) };
    if !HAS_MARKS {
        open().insert(place.addr());
    }
    Some(place.cast())
}

/// Finds out who opened `cd`.
///
/// # Safety
///
/// - `cd` is null, -1, or comes from [`create`] or an `iconv_open` of the C library.
/// - It has not been closed.
/// - Nothing else uses it for `'a`.
pub(crate) unsafe fn owner<'a>(cd: Descriptor) -> Owner<'a> {
    if cd.is_null() || cd == FAILED {
        return Owner::Nobody;
    }
    let is_ours = if HAS_MARKS {
        // SAFETY: in glibc, `cd` points to a `Handle` or to a `__gconv_info`. Both are live, aligned as `malloc`
        // does it, and begin with an initialised `size_t`.
        unsafe { cd.cast::<usize>().read() == MARK }
    } else {
        open().contains(&cd.addr())
    };
    if !is_ours {
        return Owner::System;
    }
    // SAFETY: `create` has made the handle, and the caller promises that it is not closed and not in use.
    Owner::Ours(unsafe { &mut *cd.cast::<Handle>() })
}

/// Frees a handle.
///
/// # Safety
///
/// - `cd` comes from [`create`] and has not been released.
/// - It is not used again.
pub(crate) unsafe fn release(cd: Descriptor) {
    if !HAS_MARKS {
        open().remove(&cd.addr());
    }
    let handle = cd.cast::<Handle>();
    // SAFETY: it points to a live handle, so its field is in bounds.
    let mark = unsafe { &raw mut (*handle).mark };
    // SAFETY: it is a field of a live handle that nothing else uses. A later object in this memory has no mark.
    unsafe { mark.write(0) };
    // SAFETY: `create` has allocated it with this layout, and the caller promises that it is not used again.
    unsafe { dealloc(cd.cast(), Layout::new::<Handle>()) };
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use super::*;
    use crate::charset::charset;

    #[test]
    fn a_handle_is_told_from_a_foreign_descriptor() {
        let utf8 = charset(b"UTF-8").unwrap();
        let cd = create(Kind::Ours(Conversion::new(utf8, utf8), true)).unwrap();
        // SAFETY: it was created above, and nothing else uses it.
        assert!(matches!(unsafe { owner(cd) }, Owner::Ours(_)));
        // A `__gconv_info` of glibc, an integer of musl.
        let mut steps = [3_usize, 0];
        let foreign = if HAS_MARKS { steps.as_mut_ptr().cast() } else { ptr::without_provenance_mut(0x1_0001) };
        // SAFETY: it stands for an open descriptor of the C library, and nothing else uses it.
        assert!(matches!(unsafe { owner(foreign) }, Owner::System));
        // SAFETY: it was created above, and is not used again.
        unsafe { release(cd) };
        assert!(HAS_MARKS || open().is_empty());
    }
}
