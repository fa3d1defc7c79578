//! The instruction sets: the operations that the kernels ask for. Nearly all
//! `unsafe` of the library lives here.

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) mod avx2;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) mod avx512;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) mod detect;
pub(crate) mod dispatch;
pub(crate) mod ops;
pub(crate) mod past_cache;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) mod ssse3;
