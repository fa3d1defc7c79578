//! The instruction sets: the operations that the kernels ask for. Nearly all
//! `unsafe` of the library lives here.

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) mod detect;
