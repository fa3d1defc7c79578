//! Uninitialised memory of a new object, filled from the front.

use std::mem::MaybeUninit;
use std::ptr;

/// A code unit of a string or of bytes.
///
/// # Safety
///
/// The type has no padding, and every bit pattern is a value of it.
pub(crate) unsafe trait Unit: Copy + Send + Sync {}

// SAFETY: an integer type has no padding, and each of its bit patterns is valid
// (Reference, "Type layout" and "Behavior considered undefined").
unsafe impl Unit for u8 {}
// SAFETY: as for `u8`.
unsafe impl Unit for u16 {}
// SAFETY: as for `u8`.
unsafe impl Unit for u32 {}

/// Gives each unit some value, for a function that takes initialised memory and only writes to it.
///
/// Zeros would take 10 to 18 % of the time of a conversion of 256 bytes or more.
fn initialise<T: Unit>(units: &mut [MaybeUninit<T>]) -> &mut [T] {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    // SAFETY: to the compiler, inline assembly is a black box with its interface (Reference, "Inline
    // assembly", Rules). This block gets a pointer to `units`, which are borrowed exclusively, and has
    // neither `nomem` nor `readonly`, so it may write to them: it stores an unspecified value in each.
    // The bytes that the memory has are such values already, so that it needs no instruction. This is
    // a write, not a look at the old content, as unsafe-code-guidelines issue 527 asks.
    unsafe {
        std::arch::asm!("/* {0} */", in(reg) units.as_mut_ptr(), options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: the pointer and the length come from `units`, which are borrowed exclusively.
    unsafe {
        ptr::write_bytes(units.as_mut_ptr(), 0, units.len());
    }
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, all units have a value now, and every bit
    // pattern is one of a `Unit`. The result borrows them as `units` does.
    unsafe { &mut *(ptr::from_mut(units) as *mut [T]) }
}

/// Units on the stack. Each has some value: see [`initialise`].
pub(crate) struct Array<T, const N: usize>([MaybeUninit<T>; N]);

impl<T: Unit, const N: usize> Array<T, N> {
    #[inline(always)]
    pub(crate) fn new() -> Array<T, N> {
        Array([const { MaybeUninit::uninit() }; N])
    }

    #[inline(always)]
    pub(crate) fn units(&mut self) -> &mut [T] {
        initialise(&mut self.0)
    }
}

/// A cursor over uninitialised units, as [`std::io::BorrowedCursor`] over bytes.
///
/// Only this module's parent makes one, for a closure that is generic in `'a`. No
/// two of them have the same type, so a closure cannot exchange one for another,
/// and [`filled`](Self::filled) is true of the units that it was made of.
pub(crate) struct Spare<'a, T> {
    units: &'a mut [MaybeUninit<T>],
    /// At most the number of `units`. All before it are written.
    filled: usize,
}

impl<'a, T: Unit> Spare<'a, T> {
    pub(super) fn new(units: &'a mut [MaybeUninit<T>]) -> Spare<'a, T> {
        Spare { units, filled: 0 }
    }

    /// The number of units written.
    pub(super) fn filled(&self) -> usize {
        self.filled
    }

    /// Appends the units that `write` writes to the memory that is left: it returns their number.
    #[inline]
    pub(crate) fn write_with(&mut self, write: impl FnOnce(&mut [T]) -> Option<usize>) -> Option<()> {
        let rest = initialise(&mut self.units[self.filled..]);
        let written = write(rest)?.min(rest.len());
        self.filled += written;
        Some(())
    }

    /// Appends `units`, as far as there is space.
    #[inline(always)]
    pub(crate) fn append(&mut self, units: &[T]) {
        let spare = &mut self.units[self.filled..];
        let len = spare.len().min(units.len());
        // SAFETY: both pointers are those of slices of at least `len` units, `spare` is borrowed
        // exclusively, and `MaybeUninit<T>` has the layout of `T`.
        unsafe { ptr::copy_nonoverlapping(units.as_ptr(), spare.as_mut_ptr().cast(), len) };
        self.filled += len;
    }

    /// Appends a unit. `None` if there is no space.
    #[inline(always)]
    pub(crate) fn push(&mut self, unit: T) -> Option<()> {
        self.units.get_mut(self.filled)?.write(unit);
        self.filled += 1;
        Some(())
    }

    /// Appends `unit(from)` for each of `src`, as far as there is space.
    #[inline(always)]
    pub(crate) fn extend<S: Copy>(&mut self, src: &[S], mut unit: impl FnMut(S) -> T) {
        let units = &mut self.units[self.filled..];
        let len = units.len().min(src.len());
        for (to, from) in units.iter_mut().zip(src) {
            to.write(unit(*from));
        }
        self.filled += len;
    }
}

impl Spare<'_, u8> {
    /// [`write_with`](Self::write_with) in units of several bytes. `None` also if the memory is not aligned for them.
    #[inline]
    pub(crate) fn write_wide_with<T: Unit>(&mut self, write: impl FnOnce(&mut [T]) -> Option<usize>) -> Option<()> {
        // SAFETY: bytes of any value, and uninitialised ones, are a `MaybeUninit<T>`.
        let (before, units, _) = unsafe { self.units[self.filled..].align_to_mut::<MaybeUninit<T>>() };
        if !before.is_empty() {
            return None;
        }
        let written = write(initialise(units))?.min(units.len());
        self.filled += written * size_of::<T>();
        Some(())
    }

    /// Appends `bytes(from)` for each of `src`, as far as there is space.
    #[inline(always)]
    pub(crate) fn extend_arrays<S: Copy, const N: usize>(&mut self, src: &[S], bytes: impl Fn(S) -> [u8; N]) {
        let (places, _) = self.units[self.filled..].as_chunks_mut::<N>();
        let len = places.len().min(src.len());
        for (place, from) in places.iter_mut().zip(src) {
            *place = bytes(*from).map(MaybeUninit::new);
        }
        self.filled += N * len;
    }
}
