//! From the instruction set in use to the kernel compiled for it.

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use super::detect;
use super::ops::Simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128::Simd128;
use crate::isa::{self, Isa};

/// A vector algorithm, compiled once for each instruction set.
///
/// It has no fields: what it is called with goes in registers, where a value
/// that holds it would go through memory, and a short source would feel that.
// Only x86 has several instruction sets to choose from.
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]
pub(crate) trait Kernel: Sized {
    /// What it has to know besides source and destination: a register or two.
    type Arg;
    type Output;

    /// Whether it is worth having for SSSE3, at which few processors end. The
    /// scalar codecs do what it would have done.
    const ON_SSSE3: bool = false;

    /// Whether AVX-512 gains something over AVX2, which is there as well: not
    /// where the memory is what is waited for.
    const ON_AVX512: bool = true;

    /// Runs with vector instructions. Must be `#[inline(always)]`, with all
    /// that it calls.
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], arg: Self::Arg) -> Self::Output;

    /// The kernel for one set. What these are by themselves is compiled in each
    /// crate that asks for them; see [`compiled_here`].
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    const AVX512: Entry<Self::Arg, Self::Output> = x86::avx512::<Self>;
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    const AVX2: Entry<Self::Arg, Self::Output> = x86::avx2::<Self>;
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    const SSSE3: Entry<Self::Arg, Self::Output> = x86::ssse3::<Self>;
}

/// A kernel for a set, to be called where the processor has that set.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) type Entry<A, O> = unsafe fn(&[u8], &mut [u8], A) -> O;

/// In an `impl` of [`Kernel`]: has it compiled in this crate, once, wherever it is
/// run from. For what short sources go through, whose dispatch is inlined into
/// other crates: a call between it and the kernel takes a tenth of the time.
macro_rules! compiled_here {
    ($kernel:ident, $arg:ty, $output:ty) => {
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        const AVX512: $crate::engine::simd::dispatch::Entry<$arg, $output> = {
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx512(src: &[u8], dst: &mut [u8], arg: $arg) -> $output {
                $kernel::vector($crate::engine::simd::dispatch::avx512_here(), src, dst, arg)
            }
            avx512
        };
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        const AVX2: $crate::engine::simd::dispatch::Entry<$arg, $output> = {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2(src: &[u8], dst: &mut [u8], arg: $arg) -> $output {
                $kernel::vector($crate::engine::simd::dispatch::avx2_here(), src, dst, arg)
            }
            avx2
        };
    };
    ($kernel:ident, $arg:ty, $output:ty, on ssse3) => {
        compiled_here!($kernel, $arg, $output);
        const ON_SSSE3: bool = true;
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        const SSSE3: $crate::engine::simd::dispatch::Entry<$arg, $output> = {
            #[target_feature(enable = "ssse3")]
            fn ssse3(src: &[u8], dst: &mut [u8], arg: $arg) -> $output {
                $kernel::vector($crate::engine::simd::dispatch::ssse3_here(), src, dst, arg)
            }
            ssse3
        };
    };
}
pub(crate) use compiled_here;

/// The token, in a function that enables the instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(crate) fn avx512_here() -> super::avx512::Avx512 {
    // SAFETY: this function enables all that the token stands for, so that it may
    // be called only where the processor has it.
    unsafe { super::avx512::Avx512::new() }
}

/// The same.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(crate) fn avx2_here() -> super::avx2::Avx2 {
    // SAFETY: as above.
    unsafe { super::avx2::Avx2::new() }
}

/// The same.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
#[target_feature(enable = "ssse3")]
#[inline]
pub(crate) fn ssse3_here() -> super::ssse3::Ssse3 {
    // SAFETY: as above.
    unsafe { super::ssse3::Ssse3::new() }
}

/// What [`run`] returns where a kernel that does as much as it likes does nothing.
#[inline(always)]
pub(crate) fn nothing<A, T: Default>(_: &[u8], _: &mut [u8], _: A) -> T {
    T::default()
}

/// Runs a kernel on the instruction set in use, or `without`, if there is none
/// for that.
///
/// Where the function that calls this does nothing after it, this is a jump, so
/// that a kernel is one call away from where its result is looked at.
#[inline(always)]
pub(crate) fn run<K: Kernel>(
    src: &[u8],
    dst: &mut [u8],
    arg: K::Arg,
    without: impl FnOnce(&[u8], &mut [u8], K::Arg) -> K::Output,
) -> K::Output {
    // Where the scalar codecs are what is tested, no kernel is compiled, and
    // none for a set that this build can never find.
    if cfg!(utfkit_scalar) {
        return without(src, dst, arg);
    }
    // The likeliest ones by a question each: going by a table of jumps costs a
    // short input more.
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    if K::ON_AVX512 && detect::AVX512 && isa::is_active(Isa::Avx512) {
        // SAFETY: `isa` lets a set be active only if `detect` found it.
        return unsafe { K::AVX512(src, dst, arg) };
    } else if detect::AVX2 && (isa::is_active(Isa::Avx2) || !K::ON_AVX512 && isa::is_active(Isa::Avx512)) {
        // SAFETY: as above; `detect` finds AVX-512 only where it finds AVX2.
        return unsafe { K::AVX2(src, dst, arg) };
    }
    run_other::<K>(src, dst, arg, without)
}

/// Whether the instruction set in use loads and stores any number of bytes at once, so
/// that a kernel is the best way for the fewest. Yes before one was chosen: a kernel chooses.
#[inline(always)]
pub(crate) fn has_masks() -> bool {
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    return !cfg!(utfkit_scalar) && detect::AVX512 && isa::may_be_active(Isa::Avx512);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    false
}

/// [`run`] for every instruction set, also before one was chosen.
#[cfg_attr(any(target_arch = "x86_64", target_arch = "x86"), cold, inline(never))]
fn run_other<K: Kernel>(
    src: &[u8],
    dst: &mut [u8],
    arg: K::Arg,
    without: impl FnOnce(&[u8], &mut [u8], K::Arg) -> K::Output,
) -> K::Output {
    match isa::active() {
        // SAFETY: `isa` lets a set be active only if `detect` found it.
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Isa::Avx512 if K::ON_AVX512 && detect::AVX512 => unsafe { K::AVX512(src, dst, arg) },
        // SAFETY: as above; `detect` finds AVX-512 only where it finds AVX2.
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Isa::Avx2 | Isa::Avx512 if detect::AVX2 => unsafe { K::AVX2(src, dst, arg) },
        // SAFETY: as above.
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        Isa::Ssse3 if K::ON_SSSE3 && detect::SSSE3 => unsafe { K::SSSE3(src, dst, arg) },
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Isa::Neon => aarch64::neon::<K>(src, dst, arg),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Isa::Simd128 => K::vector(Simd128, src, dst, arg),
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

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64 {
    use super::Kernel;
    use crate::engine::simd::neon::Neon;

    // Every function may use NEON, so this one could vanish in those that
    // call it: the code of a kernel would stand there many times, and the
    // inlining gate would not see it as one.

    #[inline(never)]
    pub(super) fn neon<K: Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
        K::vector(Neon, src, dst, arg)
    }
}
