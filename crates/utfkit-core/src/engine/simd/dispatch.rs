//! From the instruction set in use to the kernel compiled for it.

use super::isa::{self, Isa};
use super::ops::Simd;
use super::sets::{self, sets};

/// A vector algorithm, compiled once for each instruction set.
///
/// It has no fields: a value that holds the arguments would be passed through memory, where
/// arguments of their own are passed in registers.
// Only x86 has several instruction sets to choose from.
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]
pub(crate) trait Kernel: Sized {
    /// The argument besides source and destination, one or two registers large.
    // `Copy`, because of anything else the compiler asks at each call inside a kernel what is to be dropped if that
    // panics: without optimisation, an eighth of the time to compile all of them.
    type Arg: Copy;
    type Output: Copy + Default;

    /// The bytes of the narrowest registers of x86 for which the kernel is compiled. Few processors have
    /// registers of 16 bytes alone; the scalar codecs take the place of most kernels there.
    const NARROWEST: usize = 32;

    /// The bytes of the widest registers of x86 for which the kernel is compiled. On a processor with wider
    /// ones the code for these runs: where memory is the limit, or where few programs call it.
    const WIDEST: usize = 64;

    /// Runs with vector instructions. Must be `#[inline(always)]`, with all
    /// that it calls.
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], arg: Self::Arg) -> Self::Output;

    /// Runs where the kernel is not compiled for the instruction set in use. By default it does nothing.
    fn without(_: &[u8], _: &mut [u8], _: Self::Arg) -> Self::Output {
        Self::Output::default()
    }
}

/// Runs a kernel on the instruction set in use.
///
/// In a function that does nothing after it, this is a jump.
#[inline(always)]
pub(crate) fn run<K: Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
    run_entries(&const { Entries::of::<K>() }, src, dst, arg)
}

/// The kernel for one instruction set. To call it, the processor must have that set.
type Entry<A, O> = unsafe fn(&[u8], &mut [u8], A) -> O;

/// True if `K` is compiled for registers of this size.
const fn is_compiled<K: Kernel>(bytes: usize) -> bool {
    let narrowest = if cfg!(any(target_arch = "x86_64", target_arch = "x86")) { K::NARROWEST } else { 0 };
    narrowest <= bytes && bytes <= K::WIDEST && !cfg!(utfkit_scalar)
}

/// [`Entries`], the functions in which kernels are compiled, and the choice among them, from the rows of the
/// instruction sets.
macro_rules! dispatch {
    ($($(#[$doc:meta])* $set:ident, $module:ident, $bytes:literal, [$($target:tt)*], [$($feature:tt)*];)*) => {
        /// The machine code of a kernel, for [`run_entries`].
        pub(crate) struct Entries<A, O> {
            $(#[cfg($($target)*)] $module: Entry<A, O>,)*
            without: fn(&[u8], &mut [u8], A) -> O,
        }

        impl<A: Copy, O: Copy> Entries<A, O> {
            pub(crate) const fn of<K: Kernel<Arg = A, Output = O>>() -> Entries<A, O> {
                let entry: Entry<A, O> = K::without;
                $(
                    // A kernel is compiled only if it is named here. A set with wider registers than the kernel has
                    // runs the kernel of the set before it: it has all instructions of that set.
                    #[cfg($($target)*)]
                    let entry: Entry<A, O> = match is_compiled::<K>($bytes) && sets::$module::POSSIBLE {
                        true => compiled::$module::<K>,
                        false => entry,
                    };
                    #[cfg($($target)*)]
                    let $module = entry;
                )*
                let _ = entry;
                Entries { $(#[cfg($($target)*)] $module,)* without: K::without }
            }
        }

        mod compiled {
            $(
                /// # Safety
                ///
                /// The processor has the instruction set.
                // Not inlined: where every function may use the instructions, the kernel would be compiled into all
                // that call it, where the inlining gate does not see it.
                #[cfg($($target)*)]
                #[inline(never)]
                $(#[target_feature(enable = $feature)])*
                pub(super) unsafe fn $module<K: super::Kernel>(src: &[u8], dst: &mut [u8], arg: K::Arg) -> K::Output {
                    // SAFETY: the caller's promise.
                    K::vector(unsafe { crate::engine::simd::$module::$set::new() }, src, dst, arg)
                }
            )*
        }

        /// [`run_entries`] for every instruction set, and before one was chosen.
        #[cfg_attr(any(target_arch = "x86_64", target_arch = "x86"), cold, inline(never))]
        fn run_other<A: Copy, O: Copy>(entries: &Entries<A, O>, src: &[u8], dst: &mut [u8], arg: A) -> O {
            match isa::active() {
                $(
                    // SAFETY: `isa` lets a set be active only if it was found.
                    #[cfg($($target)*)]
                    Isa::$set if sets::$module::POSSIBLE => unsafe { (entries.$module)(src, dst, arg) },
                )*
                _ => (entries.without)(src, dst, arg),
            }
        }

        /// True if a kernel is compiled for the instruction set, or for one before it.
        #[cfg(test)]
        pub(crate) fn is_served<K: Kernel>(isa: Isa) -> bool {
            match isa {
                $(
                    #[cfg($($target)*)]
                    Isa::$set => is_compiled::<K>(if K::WIDEST < $bytes { K::WIDEST } else { $bytes }),
                )*
                _ => false,
            }
        }
    };
}
sets!(dispatch);

/// [`run`] with the machine code of a kernel.
///
/// A function that is inlined into other crates keeps its entries in a `static`: a kernel that is named by its type
/// would be compiled again in each of them, and one more call costs a short source a tenth of its time.
#[inline(always)]
pub(crate) fn run_entries<A: Copy, O: Copy>(entries: &Entries<A, O>, src: &[u8], dst: &mut [u8], arg: A) -> O {
    // In a build that tests the scalar codecs no kernel is compiled.
    if cfg!(utfkit_scalar) {
        return (entries.without)(src, dst, arg);
    }
    // Comparisons for the likeliest sets: a table of jumps costs a short source more.
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    if sets::avx512::POSSIBLE && isa::is_active(Isa::Avx512) {
        // SAFETY: `isa` lets a set be active only if it was found.
        return unsafe { (entries.avx512)(src, dst, arg) };
    } else if sets::avx2::POSSIBLE && isa::is_active(Isa::Avx2) {
        // SAFETY: as above.
        return unsafe { (entries.avx2)(src, dst, arg) };
    }
    run_other(entries, src, dst, arg)
}

/// True if the instruction set in use loads and stores any number of bytes at once, so that a kernel is the
/// fastest at every length; also before one was chosen, because a kernel chooses.
#[inline(always)]
pub(crate) fn takes_any_length() -> bool {
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    return !cfg!(utfkit_scalar) && sets::avx512::POSSIBLE && isa::may_be_active(Isa::Avx512);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    false
}
