//! Detection of instruction sets: at run time with `std`, by the compiler without it.

/// The features of a set, once as a question to the processor, and once as
/// whether this build could ever say yes: if not, there is nothing to compile.
macro_rules! set {
    ($name:ident, $possible:ident, $($feature:tt)+) => {
        pub(crate) const $possible: bool = cfg!(feature = "std") || (true $(&& cfg!(target_feature = $feature))+);

        pub(crate) fn $name() -> bool {
            #[cfg(feature = "std")]
            let answer = true $(&& std::is_x86_feature_detected!($feature))+;
            #[cfg(not(feature = "std"))]
            let answer = $possible;
            answer
        }
    };
}

set!(ssse3, SSSE3, "ssse3");
set!(avx2, AVX2, "avx2" "bmi1" "bmi2" "lzcnt" "popcnt");
set!(avx512, AVX512, "avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2");
