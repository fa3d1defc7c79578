//! Bytes with errors into a string, by the handlers that look at one error at a time.

use std::ops::ControlFlow;

use engine::Standard;
use engine::internal::utf8::{Utf8, decode_scalar};
use engine::internal::{Decoded, Form};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::around::below_only;
use crate::names::Errors;
use crate::strings::{Failure, one_by_one, string_of_ascii, string_of_bmp, string_of_utf8, well_formed};
use crate::unicode::{Array, SIGNALS, apart, in_steps, string_of_latin1, string_of_values};

/// The text of US-ASCII with other bytes, each of which is an error. `None` for other handlers.
pub(crate) fn around_ascii<'py>(
    py: Python<'py>,
    src: &[u8],
    errors: Errors<'_>,
) -> Option<Result<Bound<'py, PyString>, Failure>> {
    let or = |other: fn(u8) -> u16| {
        one_by_one(py, src, 0xFFFF, move |byte: u8| if byte.is_ascii() { byte.into() } else { other(byte) })
    };
    Some(match errors {
        Errors::Replace => or(|_| 0xFFFD),
        Errors::SurrogateEscape => or(|byte| 0xDC00 + u16::from(byte)),
        Errors::Ignore => {
            let mut text = Vec::new();
            apart(py, src.len(), || below_only::<u8, 0x80>(src, errors, &mut text));
            string_of_ascii(py, &text)
        }
        Errors::BackslashReplace => {
            let text = apart(py, src.len(), || {
                let mut text = Vec::with_capacity(src.len());
                for run in src.chunk_by(|one, other| one.is_ascii() == other.is_ascii()) {
                    if run[0].is_ascii() {
                        text.extend_from_slice(run);
                    } else {
                        text.extend(run.iter().flat_map(|byte| escape(*byte)));
                    }
                }
                text
            });
            string_of_ascii(py, &text)
        }
        _ => return None,
    })
}

/// The text of ill-formed UTF-8, by the handlers that look at one error at a time. `None` for
/// others.
pub(crate) fn ill_formed_utf8<'py>(
    py: Python<'py>,
    src: &[u8],
    errors: Errors<'_>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    if src.len() <= SHORT
        && let Some(text) = short_ill_formed_utf8(py, src, errors)?
    {
        return Ok(Some(text));
    }
    long_ill_formed_utf8(py, src, errors)
}

/// As [`ill_formed_utf8`], for any length and all characters.
pub(crate) fn long_ill_formed_utf8<'py>(
    py: Python<'py>,
    src: &[u8],
    errors: Errors<'_>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let text = match errors {
        Errors::Replace => {
            apart(py, src.len(), || engine::conversion::UTF8_TO_UTF8_LOSSY.to_vec(src).unwrap_or_default())
        }
        Errors::Ignore | Errors::BackslashReplace => {
            let mut out = Vec::with_capacity(src.len());
            by_piece(py, src, |valid, invalid| {
                out.extend_from_slice(valid);
                if errors == Errors::BackslashReplace {
                    invalid.iter().for_each(|byte| out.extend_from_slice(&escape(*byte)));
                }
                Some(())
            })?;
            out
        }
        Errors::SurrogateEscape => {
            // At most one unit a byte.
            let (mut short, mut long) = (Array::<u16, SHORT_ESCAPED>::new(), Vec::new());
            let units = match src.len() {
                0..=SHORT_ESCAPED => short.units(),
                len => {
                    long.resize(len, 0);
                    &mut long[..]
                }
            };
            if let Some(len) = escaped_to_utf16(py, src, units)? {
                return well_formed(string_of_bmp(py, &units[..len])).map(Some);
            }
            // At most one character a byte.
            let (mut values, mut len) = (vec![0; src.len()], 0);
            let is_read = by_piece(py, src, |valid, invalid| {
                len += engine::utf8_to_utf32(valid, values.get_mut(len..)?).ok()?;
                for (value, byte) in values.get_mut(len..)?.iter_mut().zip(invalid) {
                    *value = 0xDC00 + u32::from(*byte);
                }
                len += invalid.len();
                Some(())
            })?;
            values.truncate(len);
            return is_read.map(|()| string_of_values(py, values)).transpose();
        }
        _ => return Ok(None),
    };
    well_formed(string_of_utf8(py, &text)).map(Some)
}

/// Up to this many bytes one pass into an array takes less time than those of the kernels over all of the text.
pub(crate) const SHORT: usize = 256;
/// From this many bytes on, a kernel takes less time than one character after the other.
const LONG: usize = 48;
/// The same before the first error, at which the kernel fails. That takes as long as some 20 characters.
const LONG_BEFORE: usize = 64;

/// As [`ill_formed_utf8`], for the handlers that write at most a unit for each byte and text up to U+FFFF. The text
/// may also be well-formed.
pub(crate) fn short_ill_formed_utf8<'py>(
    py: Python<'py>,
    src: &[u8],
    errors: Errors<'_>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    if !matches!(errors, Errors::Replace | Errors::Ignore | Errors::SurrogateEscape) {
        return Ok(None);
    }
    if errors == Errors::Ignore {
        let mut kept = Array::<u8, SHORT>::new();
        let kept = kept.units();
        if let Some(len) = ascii_of(src, kept) {
            return string_of_latin1(py, &kept[..len]).map(Some);
        }
    }
    let mut space = Array::<u16, SHORT>::new();
    let (units, mut len, mut rest) = (space.units(), 0, src);
    // Where the kernel has stopped soon, the next error is near, and it waits until no more bytes than these are left.
    let (mut kernel_from, mut long) = (src.len(), LONG_BEFORE);
    while !rest.is_empty() {
        if rest[0].is_ascii() {
            take_ascii::<32>(&mut rest, units, &mut len);
            take_ascii::<8>(&mut rest, units, &mut len);
            if rest.is_empty() {
                break;
            }
        }
        if (long..=kernel_from).contains(&rest.len()) && matches!(rest[0], 0xC2..=0xEF) {
            let (written, read) = match engine::utf8_to_utf16(rest, &mut units[len..]) {
                Ok(written) => (written, rest.len()),
                Err(error) => (error.written(), error.offset()),
            };
            let converted = &units[len..len + written];
            if converted.iter().fold(false, |any, unit| any | (unit & 0xF800 == 0xD800)) {
                return Ok(None);
            }
            (len, rest) = (len + written, &rest[read..]);
            if rest.is_empty() {
                break;
            }
            if read < LONG {
                kernel_from = rest.len().saturating_sub(2 * LONG);
            }
        }
        let before = rest.len();
        while let Some((value @ ..=0xFFFF, taken)) = decode_scalar(rest) {
            units[len] = value as u16;
            (len, rest) = (len + 1, &rest[taken..]);
            if value < 0x80 {
                // More of it may follow.
                break;
            }
        }
        if rest.len() < before {
            continue;
        }
        let taken = match Utf8::decode(rest) {
            Decoded::Value { value, len: taken } => {
                let Ok(unit) = u16::try_from(value) else { return Ok(None) };
                units[len] = unit;
                len += 1;
                taken
            }
            Decoded::StateChange { len } => len,
            Decoded::IllFormed { len: invalid, .. } | Decoded::Unfinished { len: invalid, .. } => {
                long = LONG;
                match errors {
                    Errors::Replace => {
                        units[len] = 0xFFFD;
                        len += 1;
                    }
                    Errors::SurrogateEscape => {
                        for byte in &rest[..invalid] {
                            units[len] = 0xDC00 + u16::from(*byte);
                            len += 1;
                        }
                    }
                    _ => {}
                }
                invalid
            }
        };
        rest = &rest[taken..];
    }
    well_formed(string_of_bmp(py, &units[..len])).map(Some)
}

/// Copies the US-ASCII of short text and returns its length. `None` if there is another character.
fn ascii_of(src: &[u8], kept: &mut [u8]) -> Option<usize> {
    let (mut len, mut rest) = (0, src);
    loop {
        while let (Some(front), Some(space)) = (rest.first_chunk::<16>(), kept[len..].first_chunk_mut::<16>())
            && front.iter().fold(0, |all, byte| all | byte) < 0x80
        {
            *space = *front;
            (len, rest) = (len + 16, &rest[16..]);
        }
        while let Some((byte, next)) = rest.split_first()
            && byte.is_ascii()
        {
            kept[len] = *byte;
            (len, rest) = (len + 1, next);
        }
        if rest.is_empty() {
            return Some(len);
        }
        match Utf8::decode(rest) {
            Decoded::IllFormed { len: invalid, .. } | Decoded::Unfinished { len: invalid, .. } => {
                rest = &rest[invalid..];
            }
            Decoded::Value { .. } | Decoded::StateChange { .. } => return None,
        }
    }
}

/// Takes the US-ASCII at the front of `src`, by `N` bytes, into `units` from `len` on.
#[inline(always)]
fn take_ascii<const N: usize>(src: &mut &[u8], units: &mut [u16], len: &mut usize) {
    while let (Some(front), Some(space)) = (src.first_chunk::<N>(), units[*len..].first_chunk_mut::<N>())
        && front.iter().fold(0, |all, byte| all | byte) < 0x80
    {
        *space = front.map(u16::from);
        (*len, *src) = (*len + N, &src[N..]);
    }
}

/// Well-formed text, each with the ill-formed sequence after it. All errors are found in one pass:
/// a new search after each takes three times as long.
fn pieces(src: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut from = 0;
    let ends = engine::errors(src, Standard::Rfc3629).map(|error| (error.offset(), error.offset() + error.len()));
    ends.chain([(src.len(), src.len())]).map(move |(start, end)| {
        let valid = &src[from..start];
        from = end;
        (valid, &src[start..end])
    })
}

/// Up to this many bytes, units on the stack take less time than a vector.
const SHORT_ESCAPED: usize = 1024;

/// Passes each of [`pieces`] to `take`, until that returns `None`.
fn by_piece(
    py: Python<'_>,
    src: &[u8],
    mut take: impl FnMut(&[u8], &[u8]) -> Option<()> + Send,
) -> PyResult<Option<()>> {
    let mut pieces = pieces(src);
    in_steps(py, src.len(), || {
        let mut len = 0;
        for (valid, invalid) in pieces.by_ref() {
            if take(valid, invalid).is_none() {
                return ControlFlow::Break(None);
            }
            len += valid.len() + invalid.len();
            if len >= SIGNALS {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(Some(()))
    })
}

/// Writes UTF-16 with a surrogate for each ill-formed byte and returns its length. `None` if there are other surrogates.
fn escaped_to_utf16(py: Python<'_>, src: &[u8], units: &mut [u16]) -> PyResult<Option<usize>> {
    let mut len = 0;
    let is_read = by_piece(py, src, |valid, invalid| {
        let rest = units.get_mut(len..)?;
        let written = engine::utf8_to_utf16(valid, rest).ok()?;
        if rest[..written].iter().fold(false, |has, unit| has | (unit & 0xF800 == 0xD800)) {
            return None;
        }
        for (unit, byte) in rest.get_mut(written..)?.iter_mut().zip(invalid) {
            *unit = 0xDC00 + u16::from(*byte);
        }
        len += written + invalid.len();
        Some(())
    })?;
    Ok(is_read.map(|()| len))
}

/// A byte as Python writes one that it cannot decode.
pub(crate) fn escape(byte: u8) -> [u8; 4] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    [b'\\', b'x', digit(byte >> 4), digit(byte & 0xF)]
}
