//! From the instruction set in use to the kernel compiled for it.

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::detect;
use super::ops::Simd;
use crate::isa::{self, Isa};

/// A vector algorithm, compiled once for each instruction set.
///
/// It has no fields: a value that holds the arguments would be passed through memory, where
/// arguments of their own are passed in registers.
// Only x86 has several instruction sets to choose from.
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]
pub(crate) trait Kernel: Sized {
    /// The argument besides source and destination, one or two registers large.
    type Arg;
    type Output;

    /// The bytes of the narrowest registers of x86 for which the kernel is compiled. Few processors have
    /// registers of 16 bytes alone; the scalar codecs take the place of most kernels there.
    const NARROWEST: usize = 32;

    /// The bytes of the widest registers of x86 for which the kernel is compiled. On a processor with wider
    /// ones the code for these runs: where memory is the limit, or where few programs call it.
    const WIDEST: usize = 64;

    /// Runs with vector instructions. Must be `#[inline(always)]`, with all
    /// that it calls.
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], arg: Self::Arg) -> Self::Output;
}

/// The result of a kernel where there is none: it has done nothing.
#[inline(always)]
pub(crate) fn nothing<A, T: Default>(_: &[u8], _: &mut [u8], _: A) -> T {
    T::default()
}

/// Runs a kernel on the instruction set in use, or `without` if there is no kernel for that.
///
/// In a function that does nothing after it, this is a jump.
#[inline(always)]
pub(crate) fn run<K: Kernel>(
    src: &[u8],
    dst: &mut [u8],
    arg: K::Arg,
    without: impl FnOnce(&[u8], &mut [u8], K::Arg) -> K::Output,
) -> K::Output {
    run_entries::<K>(&const { Entries::of::<K>() }, src, dst, arg, without)
}

/// The machine code of a kernel, for [`run_entries`].
pub(crate) struct Entries<A, O> {
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    avx512: Entry<A, O>,
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    avx2: Entry<A, O>,
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    ssse3: Entry<A, O>,
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    kernel: fn(&[u8], &mut [u8], A) -> O,
}

/// The kernel for one instruction set. To call it, the processor must have that set.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
type Entry<A, O> = unsafe fn(&[u8], &mut [u8], A) -> O;

impl<A, O> Entries<A, O> {
    pub(crate) const fn of<K: Kernel<Arg = A, Output = O>>() -> Entries<A, O> {
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        return Entries {
            // A kernel that is not named here is not compiled.
            avx512: if K::WIDEST >= 64 && detect::AVX512 { x86::avx512::<K> } else { none::<K> },
            avx2: if detect::AVX2 { x86::avx2::<K> } else { none::<K> },
            ssse3: if K::NARROWEST <= 16 && detect::SSSE3 { x86::ssse3::<K> } else { none::<K> },
        };
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        return Entries { kernel: aarch64::neon::<K> };
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return Entries { kernel: wasm32::simd128::<K> };
        #[cfg(not(any(
            target_arch = "x86_64",
            target_arch = "x86",
            all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        Entries { kernel: none::<K> }
    }
}

/// [`run`] with the machine code of `entries`, which is that of `K`.
///
/// A function that is inlined into other crates keeps its entries in a `static`: a kernel that is named by its type
/// would be compiled again in each of them, and one more call costs a short source a tenth of its time.
#[inline(always)]
pub(crate) fn run_entries<K: Kernel>(
    entries: &Entries<K::Arg, K::Output>,
    src: &[u8],
    dst: &mut [u8],
    arg: K::Arg,
    without: impl FnOnce(&[u8], &mut [u8], K::Arg) -> K::Output,
) -> K::Output {
    // In a build that tests the scalar codecs no kernel is compiled.
    if cfg!(utfkit_scalar) {
        return without(src, dst, arg);
    }
    // Comparisons for the likeliest sets: a table of jumps costs a short source more.
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    if K::WIDEST >= 64 && detect::AVX512 && isa::is_active(Isa::Avx512) {
        // SAFETY: `isa` lets a set be active only if `detect` found it.
        return unsafe { (entries.avx512)(src, dst, arg) };
    } else if detect::AVX2 && (isa::is_active(Isa::Avx2) || K::WIDEST < 64 && isa::is_active(Isa::Avx512)) {
        // SAFETY: as above; `detect` finds AVX-512 only where it finds AVX2.
        return unsafe { (entries.avx2)(src, dst, arg) };
    }
    run_other::<K>(entries, src, dst, arg, without)
}

/// True if the instruction set in use loads and stores any number of bytes at once, so that a kernel is the
/// fastest at every length; also before one was chosen, because a kernel chooses.
#[inline(always)]
pub(crate) fn takes_any_length() -> bool {
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    return !cfg!(utfkit_scalar) && detect::AVX512 && isa::may_be_active(Isa::Avx512);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    false
}

/// [`run_entries`] for every instruction set, and before one was chosen.
#[cfg_attr(any(target_arch = "x86_64", target_arch = "x86"), cold, inline(never))]
fn run_other<K: Kernel>(
    entries: &Entries<K::Arg, K::Output>,
    src: &[u8],
    dst: &mut [u8],
    arg: K::Arg,
    without: impl FnOnce(&[u8], &mut [u8], K::Arg) -> K::Output,
) -> K::Output {
    match isa::active() {
        // SAFETY: `isa` lets a set be active only if `detect` found it.
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Isa::Avx512 if K::WIDEST >= 64 && detect::AVX512 => unsafe { (entries.avx512)(src, dst, arg) },
        // SAFETY: as above; `detect` finds AVX-512 only where it finds AVX2.
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Isa::Avx2 | Isa::Avx512 if detect::AVX2 => unsafe { (entries.avx2)(src, dst, arg) },
        // SAFETY: as above.
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Isa::Ssse3 if K::NARROWEST <= 16 && detect::SSSE3 => unsafe { (entries.ssse3)(src, dst, arg) },
        #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
        Isa::Neon | Isa::Simd128 => (entries.kernel)(src, dst, arg),
        _ => without(src, dst, arg),
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86 {
    use super::Kernel;
    use crate::engine::simd::avx2::Avx2;
    use crate::engine::simd::avx512::Avx512;
    use crate::engine::simd::ssse3::Ssse3;

    /// # Safety
    ///
    /// [`detect::avx512`](crate::engine::simd::detect::avx512) is true.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) unsafe fn avx512<K: Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
        // SAFETY: the caller's promise.
        K::vector(unsafe { Avx512::new() }, src, dst, arg)
    }

    /// # Safety
    ///
    /// [`detect::avx2`](crate::engine::simd::detect::avx2) is true.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) unsafe fn avx2<K: Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
        // SAFETY: the caller's promise.
        K::vector(unsafe { Avx2::new() }, src, dst, arg)
    }

    /// # Safety
    ///
    /// [`detect::ssse3`](crate::engine::simd::detect::ssse3) is true.
    #[target_feature(enable = "ssse3")]
    pub(super) unsafe fn ssse3<K: Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
        // SAFETY: the caller's promise.
        K::vector(unsafe { Ssse3::new() }, src, dst, arg)
    }
}

/// In place of a kernel that is never called.
#[cfg_attr(any(target_arch = "wasm32", target_arch = "aarch64"), allow(dead_code))]
#[allow(clippy::unreachable)]
fn none<K: Kernel>(_: &[u8], _: &mut [u8], _: K::Arg) -> K::Output {
    unreachable!("a kernel that was not compiled")
}

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64 {
    use super::Kernel;
    use crate::engine::simd::neon::Neon;

    // Not inlined: every function may use NEON, so the kernel would be compiled into all that call it, where the inlining
    // gate does not see it.

    #[inline(never)]
    pub(super) fn neon<K: Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
        K::vector(Neon, src, dst, arg)
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32 {
    use super::Kernel;
    use crate::engine::simd::simd128::Simd128;

    #[inline(never)]
    pub(super) fn simd128<K: Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
        K::vector(Simd128, src, dst, arg)
    }
}
