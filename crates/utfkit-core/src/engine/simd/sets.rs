//! The instruction sets for which there are kernels, a row for each, and their detection: at run time with `std`,
//! by the compiler without it.

/// Gives the rows of all instruction sets, in ascending order of speed, to the macro `$to`: variant of
/// [`Isa`](super::isa::Isa) and token, module, bytes in a register, targets, features to detect.
macro_rules! sets {
    ($to:ident) => {
        $to! {
            /// x86 with SSSE3.
            Ssse3, ssse3, 16, [any(target_arch = "x86_64", target_arch = "x86")], ["ssse3"];
            /// x86 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
            Avx2, avx2, 32, [any(target_arch = "x86_64", target_arch = "x86")],
            ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"];
            /// x86 with AVX-512 F, BW, VL, VBMI and VBMI2, and what AVX2 asks for.
            /// Processors that have AVX-512 without VBMI2 use [`Isa::Avx2`].
            Avx512, avx512, 64, [any(target_arch = "x86_64", target_arch = "x86")],
            ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2"];
            /// AArch64 with NEON.
            // Every target for AArch64 but those without floating point has NEON. On a big-endian target the
            // order of lanes in a register differs from their order in memory.
            Neon, neon, 16, [all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")], [];
            /// WebAssembly with simd128.
            // A module that uses it cannot be loaded where it is missing.
            Simd128, simd128, 16, [all(target_arch = "wasm32", target_feature = "simd128")], [];
        }
    };
}
pub(crate) use sets;

/// The features of a set, once as a question to the processor, and once as
/// whether this build could ever say yes: if not, there is nothing to compile.
macro_rules! detection {
    ($($(#[$doc:meta])* $set:ident, $module:ident, $bytes:literal, [$($target:tt)*], [$($feature:tt)*];)*) => { $(
        #[cfg($($target)*)]
        pub(crate) mod $module {
            pub(crate) const POSSIBLE: bool = cfg!(feature = "std") || (true $(&& cfg!(target_feature = $feature))*);

            pub(crate) fn is_there() -> bool {
                #[cfg(feature = "std")]
                let answer = true $(&& std::is_x86_feature_detected!($feature))*;
                #[cfg(not(feature = "std"))]
                let answer = POSSIBLE;
                answer
            }
        }
    )* };
}
sets!(detection);
