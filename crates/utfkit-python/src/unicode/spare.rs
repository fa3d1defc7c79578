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

/// A cursor over uninitialised units, as [`std::io::BorrowedCursor`] over bytes.
///
/// Only this module's parent makes one, for a closure that is generic in `'a`. No
/// two of them have the same type, so a closure cannot exchange one for another,
/// and [`filled`](Self::filled) is true of the units that it was made of.
pub(crate) struct Spare<'a, T> {
    units: &'a mut [MaybeUninit<T>],
    /// At most the number of `units`. All before it are written.
    filled: usize,
    /// All units before it are initialised. It may be less than `filled`.
    initialised: usize,
}

impl<'a, T: Unit> Spare<'a, T> {
    pub(super) fn new(units: &'a mut [MaybeUninit<T>]) -> Spare<'a, T> {
        Spare { units, filled: 0, initialised: 0 }
    }

    /// The number of units written.
    pub(super) fn filled(&self) -> usize {
        self.filled
    }

    /// The next `len` units, or all that are left, for a function that takes
    /// initialised memory. Zeroes the units that no earlier call has zeroed.
    #[inline]
    pub(crate) fn initialised(&mut self, len: usize) -> &mut [T] {
        let start = self.filled.max(self.initialised);
        let end = self.filled.saturating_add(len).min(self.units.len());
        if start < end {
            let new = &mut self.units[start..end];
            // SAFETY: the pointer and the length are those of `new`, which is borrowed exclusively.
            unsafe { ptr::write_bytes(new.as_mut_ptr(), 0, new.len()) };
            self.initialised = end;
        }
        let next = ptr::from_mut(&mut self.units[self.filled..end]) as *mut [T];
        // SAFETY: `next` comes from an exclusive borrow of `self`. `MaybeUninit<T>` has the
        // layout of `T`, and each of these units is a `T`: before `start` by the invariants of
        // `filled` and `initialised`, from there on because zero is a value of a `Unit`.
        unsafe { &mut *next }
    }

    /// Counts the first `len` units that [`initialised`](Self::initialised) returned as written.
    #[inline]
    pub(crate) fn advance(&mut self, len: usize) {
        self.filled = self.filled.saturating_add(len).min(self.initialised.max(self.filled));
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
