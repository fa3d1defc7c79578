//! Whether the processor has what a set of kernels needs: asked at run time
//! with `std`, answered by the compiler without it.

macro_rules! have {
    ($($feature:tt)+) => {{
        #[cfg(feature = "std")]
        let answer = true $(&& std::is_x86_feature_detected!($feature))+;
        #[cfg(not(feature = "std"))]
        let answer = true $(&& cfg!(target_feature = $feature))+;
        answer
    }};
}

pub(crate) fn ssse3() -> bool {
    have!("ssse3")
}

pub(crate) fn avx2() -> bool {
    have!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt")
}

pub(crate) fn avx512() -> bool {
    avx2() && have!("avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2")
}
