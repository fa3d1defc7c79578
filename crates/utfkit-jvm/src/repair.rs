//! Repair.

use std::borrow::Cow;

use engine::repair::{Fallback, Options};

use crate::decode::encoding;
use crate::env::{Bytes, Thrown};
use crate::value::Value;

/// Also undo double encoding. `utfkit.RepairOptions` has the same numbers.
const UNDOUBLE: i32 = 1;
/// Also decode overlong forms and surrogate pairs.
const REINTERPRET: i32 = 2;

/// True if an encoding can be a fallback.
pub(crate) fn is_fallback(number: i32) -> Result<bool, Thrown> {
    Ok(Fallback::new(encoding(number)?).is_some())
}

/// The repaired text, or null if the value stays. `fallback` is the number of an encoding, or negative for U+FFFD.
pub(crate) fn repair(value: Value<'_>, fallback: i32, flags: i32) -> Result<Option<Bytes<'_>>, Thrown> {
    let mut options = Options::new().undouble(flags & UNDOUBLE != 0).reinterpret(flags & REINTERPRET != 0);
    if fallback >= 0 {
        let encoding = encoding(fallback)?;
        let Some(fallback) = Fallback::new(encoding) else {
            return Err(Thrown::illegal_argument(format!("{encoding} cannot be a fallback")));
        };
        options = options.fallback(fallback);
    }
    value.whole(|bytes| match engine::repair::repair(bytes, &options) {
        Cow::Borrowed(_) => Ok(None),
        Cow::Owned(text) if text.as_bytes() == bytes => Ok(None),
        Cow::Owned(text) => value.env().bytes(text.as_bytes()),
    })
}
