//! Fast paths from bytes to a string.
//!
//! A first pass finds the highest code point, which decides the width of the units
//! ([`crate::widest`]). The second pass writes them into the memory of the new string.

use engine::Error;
use engine::internal::{Characters, Highest};
use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::unicode::{Array, Spare, Unit, apart, string_filled_by, string_of_latin1, string_of_u16, string_of_values};
use crate::widest::{FROM_SURROGATES, Widest, above_surrogates, widest};

/// Why there is no string of some bytes.
pub(crate) enum Failure {
    /// They are ill-formed. Without the first error, a slower way has to find out where.
    IllFormed(Option<Error>),
    /// An exception of Python, no memory above all.
    Python(PyErr),
}

impl Failure {
    const ILL_FORMED: Failure = Failure::IllFormed(None);
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::IllFormed(Some(error))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

/// The string of text that the library has written.
pub(crate) fn well_formed(made: Result<Bound<'_, PyString>, Failure>) -> PyResult<Bound<'_, PyString>> {
    match made {
        Ok(text) => Ok(text),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::IllFormed(_)) => Err(PySystemError::new_err("the library wrote ill-formed text")),
    }
}

type Made<'py> = Result<Bound<'py, PyString>, Failure>;

/// As [`string_filled_by`], where `None` says that the source is ill-formed.
#[inline]
fn filled_by<'py, T: Unit>(
    py: Python<'py>,
    len: usize,
    most: u32,
    size: usize,
    fill: impl FnOnce(&mut Spare<'_, T>) -> Option<()> + Send,
) -> Made<'py> {
    string_filled_by(py, len, most, size, fill)?.ok_or(Failure::ILL_FORMED)
}

/// The string of UTF-8.
#[inline]
pub(crate) fn string_of_utf8<'py>(py: Python<'py>, src: &[u8]) -> Made<'py> {
    if src.len() > SHORT {
        return long_string_of_utf8(py, src);
    }
    if short_ascii(src) {
        return string_of_ascii(py, src);
    }
    short_string_of_utf8(py, src)
}

/// Up to this many bytes, one pass into an array and a copy are faster than two passes.
const SHORT: usize = 256;

fn short_string_of_utf8<'py>(py: Python<'py>, src: &[u8]) -> Made<'py> {
    let widest = Widest::by_highest(highest(src));
    match widest {
        // To search for the first error takes less time than to convert the text before it.
        Widest::IllFormed => Err(Failure::ILL_FORMED),
        Widest::All => {
            let mut space = Array::<u32, SHORT>::new();
            let values = space.units();
            let len = engine::utf8_to_utf32(src, values)?;
            copied(py, &values[..len], 0x10_FFFF)
        }
        Widest::Ascii | Widest::Latin1 | Widest::Bmp => {
            let mut space = Array::<u16, SHORT>::new();
            let units = space.units();
            let len = engine::utf8_to_utf16(src, units)?;
            string_of_some(py, &units[..len], if widest == Widest::Bmp { 0xFFFF } else { 0xFF })
        }
    }
}

/// The highest byte.
#[inline]
fn highest(src: &[u8]) -> u8 {
    let Some(last) = src.last_chunk::<16>() else { return src.iter().copied().max().unwrap_or(0) };
    let mut highest = *last;
    for some in src.as_chunks::<16>().0 {
        for (highest, byte) in highest.iter_mut().zip(some) {
            *highest = (*highest).max(*byte);
        }
    }
    highest.into_iter().max().unwrap_or(0)
}

/// The string of units of which each is a character, surrogates included.
pub(crate) fn string_of_bmp<'py>(py: Python<'py>, units: &[u16]) -> Made<'py> {
    string_of_some(py, units, units.iter().fold(0, |any, unit| any | unit))
}

/// As [`string_of_bmp`]; `any` has each bit that one of the units has, or is the highest of the class of the widest.
#[inline]
fn string_of_some<'py>(py: Python<'py>, units: &[u16], any: u16) -> Made<'py> {
    if units.len() < 2 {
        // Python has one string of each character below U+0100.
        return Ok(string_of_u16(py, units)?);
    }
    match any {
        0..=0x7F => one_by_one(py, units, 0x7F, |unit| unit as u8),
        0x80..=0xFF => one_by_one(py, units, 0xFF, |unit| unit as u8),
        _ => copied(py, units, 0xFFFF),
    }
}

/// True if no byte is above 7F. A call of a kernel would take longer.
#[inline]
pub(crate) fn short_ascii(src: &[u8]) -> bool {
    let (words, rest) = src.as_chunks::<8>();
    let mut all = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    for byte in rest {
        all |= u64::from(*byte);
    }
    all & 0x8080_8080_8080_8080 == 0
}

/// The string of bytes below 80.
#[inline]
pub(crate) fn string_of_ascii<'py>(py: Python<'py>, src: &[u8]) -> Made<'py> {
    if src.len() < 2 {
        // Python has one string of each of these.
        return Ok(string_of_latin1(py, src)?);
    }
    copied(py, src, 0x7F)
}

#[inline(never)]
fn long_string_of_utf8<'py>(py: Python<'py>, src: &[u8]) -> Made<'py> {
    if src.len() >= LONG
        && seems_ascii(src)
        && let Some(text) = string_of_long_ascii(py, src)?
    {
        return Ok(text);
    }
    // A byte takes a fifth of the time that its conversion takes.
    let (len, widest) = apart(py, src.len() / 4, || widest(src));
    if len == 0 {
        // Continuation bytes alone.
        return Err(Failure::ILL_FORMED);
    }
    match widest {
        Widest::Ascii => string_of_ascii(py, src),
        Widest::Latin1 => converted::<u8>(py, src, len, 0xFF, engine::utf8_to_latin1),
        Widest::Bmp => converted::<u16>(py, src, len, 0xFFFF, engine::utf8_to_utf16),
        Widest::All => converted::<u32>(py, src, len, 0x10_FFFF, engine::utf8_to_utf32),
        Widest::IllFormed => Err(Failure::ILL_FORMED),
    }
}

/// From this many bytes on, US-ASCII is validated while it is copied: a second pass over the source would wait for
/// memory.
const LONG: usize = 16 << 10;

/// True if some bytes in each eighth of a long source are US-ASCII.
fn seems_ascii(src: &[u8]) -> bool {
    src.chunks(src.len().div_ceil(8)).all(|part| short_ascii(part.first_chunk::<64>().unwrap_or(&[0; 64])))
}

/// The string of US-ASCII. `None` if there is another byte: all that was copied is copied for nothing then.
#[inline(never)]
fn string_of_long_ascii<'py>(py: Python<'py>, src: &[u8]) -> PyResult<Option<Bound<'py, PyString>>> {
    string_filled_by(py, src.len(), 0x7F, src.len(), |spare| {
        src.chunks(LONG).try_for_each(|part| {
            spare.write_with(|dst| engine::utf8_to_latin1(part, dst).ok().filter(|len| *len == part.len()))
        })
    })
}

/// A string of `len` units that `convert` writes.
fn converted<'py, T: Unit>(
    py: Python<'py>,
    src: &[u8],
    len: usize,
    most: u32,
    convert: fn(&[u8], &mut [T]) -> Result<usize, Error>,
) -> Made<'py> {
    let mut wrong = None;
    let made = filled_by(py, len, most, src.len(), |spare| {
        spare.write_with(|dst| convert(src, dst).map_err(|error| wrong = Some(error)).ok())
    });
    match made {
        Err(Failure::IllFormed(_)) => Err(Failure::IllFormed(wrong)),
        made => made,
    }
}

/// The string of UTF-16; `unit` reads a unit in its byte order.
pub(crate) fn string_of_utf16<'py>(py: Python<'py>, src: &[u8], unit: impl Fn([u8; 2]) -> u16 + Sync) -> Made<'py> {
    let (units, rest) = src.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Failure::ILL_FORMED);
    }
    let (any, least) = apart(py, src.len(), || {
        units.iter().fold((0, i16::MAX), |(any, least), bytes| {
            let value = unit(*bytes);
            (any | value, least.min(above_surrogates(value)))
        })
    });
    if least < FROM_SURROGATES {
        return string_of_pairs(py, apart(py, src.len(), || units.iter().map(|bytes| unit(*bytes)).collect()));
    }
    match any {
        _ if units.len() < 2 => Ok(string_of_u16(py, &units.iter().map(|bytes| unit(*bytes)).collect::<Vec<_>>())?),
        0..=0x7F => one_by_one(py, units, 0x7F, |bytes| unit(bytes) as u8),
        0x80..=0xFF => one_by_one(py, units, 0xFF, |bytes| unit(bytes) as u8),
        _ => one_by_one(py, units, 0xFFFF, unit),
    }
}

/// The string of UTF-16 with surrogates.
fn string_of_pairs<'py>(py: Python<'py>, src: Vec<u16>) -> Made<'py> {
    let size = 2 * src.len();
    let len = apart(py, size, || engine::utf32_len_from_utf16(&src));
    filled_by(py, len, 0x10_FFFF, size, |spare| spare.write_with(|dst| engine::utf16_to_utf32(&src, dst).ok()))
}

/// The string of an encoding of one byte a character, by its table.
pub(crate) fn string_of_table<'py>(py: Python<'py>, src: &[u8], table: &Characters) -> Made<'py> {
    let as_utf16 = || {
        filled_by(py, src.len(), 0xFFFF, src.len(), |spare| {
            spare.write_with(|dst| {
                table.to_utf16(src, dst);
                Some(src.len())
            })
        })
    };
    // Text of other scripts than Latin shows that soon, and needs no pass to find its highest character.
    if src.len() >= 2 && src.iter().take(PROBED).any(|byte| table.of(*byte) > 0xFF) {
        return as_utf16();
    }
    if src.len() <= SHORT {
        let mut space = Array::<u16, SHORT>::new();
        let units = &mut space.units()[..src.len()];
        table.to_utf16(src, units);
        return string_of_bmp(py, units);
    }
    if table.has_ascii() && widest(src).1 == Widest::Ascii {
        return string_of_ascii(py, src);
    }
    let (text, highest) = latin1_of_table(py, src, table, 0xFF)?;
    match highest {
        Highest::Ascii => latin1_of_table(py, src, table, 0x7F).map(|(text, _)| text),
        Highest::Latin1 => Ok(text),
        Highest::Above => as_utf16(),
    }
}

/// The bytes of which [`string_of_table`] looks at the characters first.
const PROBED: usize = 32;

/// The string of the lower bytes of the characters, and the class of the highest character.
fn latin1_of_table<'py>(
    py: Python<'py>,
    src: &[u8],
    table: &Characters,
    most: u32,
) -> Result<(Bound<'py, PyString>, Highest), Failure> {
    let mut highest = Highest::Above;
    let text = filled_by(py, src.len(), most, src.len(), |spare| {
        spare.write_with(|dst| {
            highest = table.to_latin1(src, dst);
            Some(src.len())
        })
    })?;
    Ok((text, highest))
}

/// The string of an encoding of one or two bytes a character, by a table of
/// [`crate::tables::read_pairs`], and the number of bytes read: all, or, unless `last`, all but
/// the lead byte at the end.
pub(crate) fn string_of_pairs_by_table<'py>(
    py: Python<'py>,
    src: &[u8],
    table: &[u16; 0x1_0000],
    last: bool,
) -> Result<(Bound<'py, PyString>, usize), Failure> {
    if src.len() > MOST_AT_ONCE {
        return long_string_of_pairs(py, src, table, last);
    }
    let (mut short, mut long) = (Array::<u16, SHORT_PAIRS>::new(), Vec::new());
    let units = match src.len() {
        0..=SHORT_PAIRS => short.units(),
        len => {
            // At most one character a byte.
            long.resize(len, 0);
            &mut long[..]
        }
    };
    let Some((len, any, taken)) = apart(py, src.len(), || units_by_table(src, table, units, last)) else {
        return Err(Failure::ILL_FORMED);
    };
    Ok((string_of_some(py, &units[..len], any)?, taken))
}

/// Up to this many bytes, units on the stack take less time than a vector.
const SHORT_PAIRS: usize = 1024;
/// Up to this many bytes, all units are held beside the string: one pass and a copy take less time than two passes.
const MOST_AT_ONCE: usize = 4 << 20;

/// Writes the units of `src` and returns how many, the bits that some of them have, and the bytes read. `units` is at
/// least as long as `src`.
fn units_by_table(src: &[u8], table: &[u16; 0x1_0000], units: &mut [u16], last: bool) -> Option<(usize, u16, usize)> {
    let (mut rest, mut len, mut any) = (src, 0, 0);
    while !rest.is_empty() {
        // A byte that is a character alone begins no pair of the table. The places below 8000 are of such bytes.
        while let Some((pair, next)) = rest.split_first_chunk()
            && let pair @ 0x8000.. = u16::from_be_bytes(*pair)
            && let unit @ 1.. = table[usize::from(pair)]
        {
            *units.get_mut(len)? = unit;
            any |= unit;
            (len, rest) = (len + 1, next);
        }
        while let (Some(front), Some(space)) = (rest.first_chunk::<8>(), units[len..].first_chunk_mut::<8>())
            && u64::from_ne_bytes(*front) & 0x8080_8080_8080_8080 == 0
        {
            *space = front.map(u16::from);
            (len, rest) = (len + 8, &rest[8..]);
        }
        let before = rest.len();
        let Some(unit) = next_by_table(&mut rest, table) else {
            return match before {
                0 => Some((len, any, src.len())),
                1 if !last => Some((len, any, src.len() - 1)),
                _ => None,
            };
        };
        *units.get_mut(len)? = unit;
        any |= unit;
        len += 1;
    }
    Some((len, any, src.len()))
}

/// As [`string_of_pairs_by_table`], without memory for the units. A first pass counts them.
fn long_string_of_pairs<'py>(
    py: Python<'py>,
    src: &[u8],
    table: &[u16; 0x1_0000],
    last: bool,
) -> Result<(Bound<'py, PyString>, usize), Failure> {
    let counted = apart(py, src.len(), || {
        let (mut rest, mut len, mut any) = (src, 0, 0);
        while !rest.is_empty() {
            let before = rest;
            match next_by_table(&mut rest, table) {
                Some(unit) => any |= unit,
                None if before.len() == 1 && !last => return Some((len, any, src.len() - 1)),
                None => return None,
            }
            len += 1;
        }
        Some((len, any, src.len()))
    });
    let Some((len, any, taken)) = counted else { return Err(Failure::ILL_FORMED) };
    let mut rest = src;
    let mut read = || next_by_table(&mut rest, table).unwrap_or_default();
    let text = match any {
        0..=0x7F => filled_by(py, len, 0x7F, src.len(), |spare| (0..len).try_for_each(|_| spare.push(read() as u8))),
        0x80..=0xFF => filled_by(py, len, 0xFF, src.len(), |spare| (0..len).try_for_each(|_| spare.push(read() as u8))),
        _ => filled_by(py, len, 0xFFFF, src.len(), |spare| (0..len).try_for_each(|_| spare.push(read()))),
    }?;
    Ok((text, taken))
}

/// Takes the next character.
#[inline(always)]
fn next_by_table(src: &mut &[u8], table: &[u16; 0x1_0000]) -> Option<u16> {
    let (first, rest) = src.split_first()?;
    let mut unit = u16::from(*first);
    *src = rest;
    if unit >= 0x80 {
        unit = table[usize::from(*first)];
        if unit == 0 {
            let (second, rest) = rest.split_first()?;
            unit = table[usize::from(u16::from_be_bytes([*first, *second]))];
            *src = rest;
        }
        if unit == 0 {
            return None;
        }
    }
    Some(unit)
}

/// The string of UTF-32; `unit` reads a unit in its byte order.
pub(crate) fn string_of_utf32<'py>(py: Python<'py>, src: &[u8], unit: impl Fn([u8; 4]) -> u32 + Sync) -> Made<'py> {
    let (units, rest) = src.as_chunks::<4>();
    let (any, wrong) = apart(py, src.len(), || {
        units.iter().fold((0, 0), |(any, wrong), bytes| {
            let value = unit(*bytes);
            // From 0 to 10F7FF for scalar values, and above it for all others.
            let moved = (value ^ 0xD800).wrapping_sub(0x800);
            (any | value, wrong | moved | 0x10_F7FF_u32.wrapping_sub(moved))
        })
    });
    if !rest.is_empty() || wrong >> 31 != 0 {
        return Err(Failure::ILL_FORMED);
    }
    match any {
        _ if units.len() < 2 => Ok(string_of_values(py, units.iter().map(|bytes| unit(*bytes)).collect())?),
        0..=0x7F => one_by_one(py, units, 0x7F, |bytes| unit(bytes) as u8),
        0x80..=0xFF => one_by_one(py, units, 0xFF, |bytes| unit(bytes) as u8),
        0x100..=0xFFFF => one_by_one(py, units, 0xFFFF, |bytes| unit(bytes) as u16),
        _ => one_by_one(py, units, 0x10_FFFF, unit),
    }
}

/// The string of `units`.
#[inline]
fn copied<'py, T: Unit>(py: Python<'py>, units: &[T], most: u32) -> Made<'py> {
    filled_by(py, units.len(), most, size_of_val(units), |spare| {
        spare.append(units);
        Some(())
    })
}

/// A string with a unit for each of `src`.
pub(crate) fn one_by_one<'py, S: Copy + Sync, T: Unit>(
    py: Python<'py>,
    src: &[S],
    most: u32,
    unit: impl Fn(S) -> T + Sync,
) -> Made<'py> {
    filled_by(py, src.len(), most, size_of_val(src), |spare| {
        spare.extend(src, &unit);
        Some(())
    })
}
