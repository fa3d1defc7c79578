//! Validation and replacement by U+FFFD.

use engine::{Encoding, Error, Policy, Practice, Transcoder, Utf8Validator};

use crate::env::{Bytes, Thrown};
use crate::output::Output;
use crate::packed::Packed;
use crate::value::Value;

/// The first error.
fn error(value: Value<'_>) -> Result<Option<Error>, Thrown> {
    let mut found = None;
    if value.is_short() {
        value.slices(|slice, _| {
            found = engine::from_utf8(slice).err();
            Ok(false)
        })?;
        return Ok(found);
    }
    let mut validator = Utf8Validator::new();
    value.slices(|slice, is_last| {
        found = validator.push(slice).err();
        if is_last && found.is_none() {
            found = std::mem::take(&mut validator).finish().err();
        }
        Ok(found.is_none())
    })?;
    // The end of a slice can hide the kind.
    let Some(hidden) = found else { return Ok(None) };
    let window = value.window(hidden.offset(), 8)?;
    Ok(Some(engine::from_utf8(&window).err().map_or(hidden, |error| error.shifted(hidden.offset()))))
}

pub(crate) fn is_valid(value: Value<'_>) -> Result<bool, Thrown> {
    if value.is_short() {
        let mut is_valid = false;
        value.slices(|slice, _| {
            is_valid = engine::from_utf8(slice).is_ok();
            Ok(false)
        })?;
        return Ok(is_valid);
    }
    Ok(error(value)?.is_none())
}

/// Offset, length and kind of the first error, or null.
pub(crate) fn first_error(value: Value<'_>) -> Result<Option<Bytes<'_>>, Thrown> {
    let Some(error) = error(value)? else { return Ok(None) };
    let mut packed = Packed::default();
    packed.number(error.offset() as u64);
    packed.number(error.len() as u64);
    packed.text(error.kind().name().as_bytes());
    packed.to_java(value.env())
}

/// The text with U+FFFD for each maximal subpart that is ill-formed, or null if there is none.
pub(crate) fn make_valid(value: Value<'_>) -> Result<Option<Bytes<'_>>, Thrown> {
    if value.is_short() {
        let mut made = None;
        value.slices(|slice, _| {
            if let std::borrow::Cow::Owned(text) = engine::from_utf8_lossy(slice) {
                made = value.env().bytes(text.as_bytes())?;
            }
            Ok(false)
        })?;
        return Ok(made);
    }
    if error(value)?.is_none() {
        return Ok(None);
    }
    let mut output = Output::default();
    let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Replace(Practice::MaximalSubpart));
    value.slices(|slice, is_last| {
        output.transcode(&mut transcoder, slice, is_last)?;
        Ok(true)
    })?;
    output.to_java(value.env())
}
