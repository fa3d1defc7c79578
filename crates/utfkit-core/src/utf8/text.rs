//! Bytes as `str`.

use crate::engine::memory::str_from_well_formed;
use crate::error::Error;
use crate::utf8::validate::validate_rfc3629;

/// `bytes` as a string, if they are UTF-8 (RFC 3629).
///
/// # Errors
///
/// The first ill-formed sequence. `valid_up_to` and `error_len` are those of
/// [`core::str::from_utf8`].
///
/// ```
/// assert_eq!(utfkit::from_utf8("Grüße".as_bytes()), Ok("Grüße"));
/// ```
#[inline]
pub fn from_utf8(bytes: &[u8]) -> Result<&str, Error> {
    validate_rfc3629(bytes)?;
    // SAFETY: `validate_rfc3629` has just found them to be well-formed.
    Ok(unsafe { str_from_well_formed(bytes) })
}

/// The longest well-formed prefix of `bytes`.
#[cfg(feature = "legacy")]
pub(crate) fn well_formed_front(bytes: &[u8]) -> &str {
    front_and_error(bytes).0
}

/// As much of the beginning of `bytes` as is well-formed, and what stopped it.
pub(crate) fn front_and_error(bytes: &[u8]) -> (&str, Option<Error>) {
    let error = validate_rfc3629(bytes).err();
    let front = error.map_or(bytes, |error| &bytes[..error.valid_up_to()]);
    // SAFETY: before the first ill-formed sequence, which `validate_rfc3629`
    // has just found, all is well-formed.
    (unsafe { str_from_well_formed(front) }, error)
}
