//! The codecs, the kernels, the instruction sets.

pub(crate) mod codec;
pub(crate) mod fast_path;
pub(crate) mod kernel;
#[cfg(feature = "legacy")]
pub(crate) mod legacy;
#[allow(unsafe_code)]
pub(crate) mod memory;
pub(crate) mod noncharacter;
pub(crate) mod progress;
pub(crate) mod row;
#[allow(unsafe_code)]
pub(crate) mod simd;
pub(crate) mod small_bytes;
pub(crate) mod special;
#[allow(unsafe_code)]
pub(crate) mod text;
pub(crate) mod units;
pub(crate) mod validate;
pub(crate) mod walk;
