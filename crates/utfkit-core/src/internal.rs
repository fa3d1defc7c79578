//! Parts of the codec that the other crates of this workspace share, so that no
//! encoding form is defined twice. Not covered by semantic versioning: use the
//! public functions.

#[cfg(feature = "legacy")]
pub use crate::engine::kernel::single_bytes::{Characters, Highest};
pub use crate::engine::scalar::ascii::ascii_prefix;
pub use crate::engine::scalar::ibm437::Ibm437;
pub use crate::engine::scalar::{Decoded, Encoded, Form, LONGEST, is_scalar_value};
pub use crate::engine::small_bytes::SmallBytes;
pub use crate::label::html::label_of_html;
pub use crate::text::order::common_prefix;
#[cfg(feature = "std")]
pub use crate::transcode::adaptor::{Operation, Reader, Writer, reader, writer};
pub use crate::transcode::{ErrorCount, PartWriter};

/// UTF-8, one value at a time.
pub mod utf8 {
    pub use crate::engine::scalar::short::{decode_utf8 as decode_scalar, encode_utf8 as encode_scalar};
    pub use crate::engine::scalar::utf8::{
        Sequence, Utf8, awaits_low_surrogate, cesu8_pair, decode, is_continuation, read_leniently, sequence,
        sequence_of, split_well_formed, well_formed_len,
    };
}

/// UTF-16, one value at a time.
pub mod utf16 {
    pub use crate::engine::scalar::utf16::{Utf16, is_high, is_low, join};
}

/// Counts the controls of US-ASCII that are not white space: 00 to 1F without
/// 09, 0A, 0C and 0D.
#[inline]
pub fn count_controls(bytes: &[u8]) -> usize {
    use crate::engine::kernel::count::{Controls, total};
    total(Controls, bytes)
}

/// A [`Step`](crate::Step), which other crates cannot build.
#[inline]
pub fn step(read: usize, written: usize, status: crate::Status) -> crate::Step {
    crate::Step { read, written, status }
}
