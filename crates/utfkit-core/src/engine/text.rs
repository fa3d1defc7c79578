//! Bytes as `str`.

use crate::engine::memory::str_from_well_formed;
use crate::engine::validate::validate_rfc3629;
use crate::error::Error;

/// Validates `bytes` and returns them as a string.
///
/// # Errors
///
/// The first ill-formed sequence. `valid_up_to` and `error_len` are equal to those
/// of [`core::str::from_utf8`].
///
/// ```
/// assert_eq!(utfkit::from_utf8("Grüße".as_bytes()), Ok("Grüße"));
/// ```
#[inline]
pub fn from_utf8(bytes: &[u8]) -> Result<&str, Error> {
    validate_rfc3629(bytes)?;
    // SAFETY: `validate_rfc3629` has just found `bytes` to be well-formed.
    Ok(unsafe { str_from_well_formed(bytes) })
}

/// The longest well-formed prefix of `bytes`.
#[cfg(feature = "legacy")]
pub(crate) fn well_formed_front(bytes: &[u8]) -> &str {
    front_and_error(bytes).0
}

/// The longest well-formed prefix of `bytes`, and the error after it.
pub(crate) fn front_and_error(bytes: &[u8]) -> (&str, Option<Error>) {
    let error = validate_rfc3629(bytes).err();
    let front = error.map_or(bytes, |error| &bytes[..error.valid_up_to()]);
    // SAFETY: `validate_rfc3629` has just found that everything before the
    // first ill-formed sequence is well-formed.
    (unsafe { str_from_well_formed(front) }, error)
}
