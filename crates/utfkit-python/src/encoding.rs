//! A string into bytes.

use std::cell::Cell;

use engine::internal::utf8::Utf8;
use engine::internal::utf16::is_low;
use engine::internal::{Form, PartWriter};
use engine::{Encoding, Policy, Status, Transcoder};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::around;
use crate::names::{Errors, Named};
use crate::tables;
use crate::unicode::{Array, Text, Unit, apart, as_bytes, bytes_filled_by};
use crate::widest::{FROM_SURROGATES, above_surrogates};
use crate::writing::Writing;

/// `string` in an encoding.
#[inline]
pub(crate) fn encode<'py>(
    string: &Bound<'py, PyString>,
    named: Named,
    errors: Errors<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    if let Some(bytes) = plain(string, named, errors)? {
        return Ok(bytes);
    }
    if named.with_bom {
        let rest = encode(string, Named::UTF_8, errors)?;
        return Ok(PyBytes::new(string.py(), &[b"\xEF\xBB\xBF", rest.as_bytes()].concat()));
    }
    let text = Text::of(string)?;
    Writing::new(named).encode(string, text, errors).map(|(bytes, _)| bytes)
}

/// `string` in an encoding where a pass or two make it, without exceptions and handlers of the program. `None`
/// for any other.
#[inline]
pub(crate) fn plain<'py>(
    string: &Bound<'py, PyString>,
    named: Named,
    errors: Errors<'_>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (py, text) = (string.py(), Text::of(string)?);
    let done = match (named, text) {
        (Named::UTF_8, Text::Ascii(units)) => return Ok(Some(PyBytes::new(py, units))),
        (Named::UTF_8, text) if errors != Errors::Strict && has_surrogates(text) => None,
        (Named::UTF_8, text) => to_utf8(py, text)?,
        _ => return plain_other(py, text, named, errors),
    };
    Ok(done.or_else(|| around(py, text, named.encoding, errors)))
}

fn around<'py>(py: Python<'py>, text: Text<'_>, encoding: Encoding, errors: Errors<'_>) -> Option<Bound<'py, PyBytes>> {
    if errors == Errors::Strict {
        return None;
    }
    with_spare(|out| {
        apart(py, text.len(), || around::encoded(text, encoding, errors, out))?;
        Some(PyBytes::new(py, out))
    })
}

/// Gives `work` an empty vector: to allocate memory takes a tenth of the time of a short text.
#[inline]
fn with_spare<T>(work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    let mut out = SPARE.take();
    let done = work(&mut out);
    if out.capacity() <= MOST_SPARE {
        out.clear();
        SPARE.set(out);
    }
    done
}

thread_local! {
    /// Memory for the next text.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

const MOST_SPARE: usize = 4096;

/// True if there is a surrogate in the first characters, so that UTF-8 need not be tried.
fn has_surrogates(text: Text<'_>) -> bool {
    const FIRST: usize = 512;
    match text {
        Text::Ascii(_) | Text::Latin1(_) => false,
        Text::Bmp(units) => around::has_surrogate(&units[..units.len().min(FIRST)]),
        Text::All(units) => around::has_surrogate(&units[..units.len().min(FIRST)]),
    }
}

#[inline(never)]
fn plain_other<'py>(
    py: Python<'py>,
    text: Text<'_>,
    named: Named,
    errors: Errors<'_>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match (named.encoding, text) {
        _ if named.with_bom => return Ok(None),
        (Encoding::Latin1, Text::Ascii(units) | Text::Latin1(units)) => return Ok(Some(PyBytes::new(py, units))),
        (Encoding::UsAscii, Text::Ascii(units)) => return Ok(Some(PyBytes::new(py, units))),
        _ => {}
    }
    if let Some(bytes) = unit_by_unit(py, text, named.encoding)? {
        return Ok(Some(bytes));
    }
    if let Some(bytes) = around(py, text, named.encoding, errors) {
        return Ok(Some(bytes));
    }
    if let Some(bytes) = by_library(py, text, named.encoding)? {
        return Ok(Some(bytes));
    }
    if errors == Errors::Strict || tables::bytes(named.encoding).is_some() {
        return Ok(None);
    }
    Ok(with_spare(|out| {
        apart(py, text.len(), || around::by_encoder(text, named.encoding, errors, None, true, out))?;
        Some(PyBytes::new(py, out))
    }))
}

/// [`plain_part`] with the handlers that look at one character at a time, in an encoding that holds nothing back.
pub(crate) fn part_with_handler<'py>(
    py: Python<'py>,
    text: Text<'_>,
    encoding: Encoding,
    errors: Errors<'_>,
    last: bool,
    state: u32,
) -> Option<(Bound<'py, PyBytes>, u32)> {
    with_spare(|out| {
        let from = Some(state >> NUMBER);
        let next = apart(py, text.len(), || around::by_encoder(text, encoding, errors, from, last, out))?;
        Some((PyBytes::new(py, out), next << NUMBER))
    })
}

/// Text without surrogates and lacking characters, by the library: from UTF-8 and UTF-16 it is many times as
/// fast as from units. Characters without a form are found in the units.
fn by_library<'py>(py: Python<'py>, text: Text<'_>, encoding: Encoding) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if matches!(encoding, Encoding::UsAscii | Encoding::Latin1) || !split_bom(encoding).1.is_empty() {
        return Ok(None);
    }
    if (Named { encoding, with_bom: false }).has_state() {
        return Ok(by_encoder(py, &text, encoding, true, START).map(|(bytes, _)| bytes));
    }
    let utf8;
    let (from, src) = match text {
        Text::Bmp(units) if around::has_surrogate(units) => return Ok(None),
        Text::Bmp(_) => (Encoding::UTF16_NATIVE, text.bytes(0..text.len())),
        Text::Ascii(units) => (Encoding::Utf8, units),
        text => {
            let Some(bytes) = to_utf8(py, text)? else { return Ok(None) };
            utf8 = bytes;
            (Encoding::Utf8, utf8.as_bytes())
        }
    };
    let (mut transcoder, mut out) = (Transcoder::new(from, encoding, Policy::Strict), Vec::new());
    let step = apart(py, src.len(), || transcoder.transcode_to_vec(src, &mut out, true));
    Ok(matches!(step.status, Status::InputEmpty).then(|| PyBytes::new(py, &out)))
}

/// A part of a text in an encoding with states, and the state after it. `None` for text with surrogates and lacking
/// characters, and where it cannot follow the part before.
#[inline]
pub(crate) fn plain_part<'py>(
    py: Python<'py>,
    text: Text<'_>,
    encoding: Encoding,
    last: bool,
    state: u32,
) -> PyResult<Option<(Bound<'py, PyBytes>, u32)>> {
    if !can_begin_with(encoding, state & JOINED != 0, text) {
        return Ok(None);
    }
    if encoding == Encoding::Wtf8 {
        return Ok(to_utf8(py, text)?.map(|bytes| (bytes, NEUTRAL)));
    }
    Ok(by_encoder(py, &text, encoding, last, state))
}

/// [`plain_part`] by way of UTF-16. For a line of text, a transcoder takes longer to make than the line to encode.
fn by_encoder<'py>(
    py: Python<'py>,
    text: &Text<'_>,
    encoding: Encoding,
    last: bool,
    state: u32,
) -> Option<(Bound<'py, PyBytes>, u32)> {
    const AT_ONCE: usize = 1024;
    if cfg!(target_endian = "big") {
        // Units of UTF-16LE are wanted. `Writing` takes any.
        return None;
    }
    let mut writer = PartWriter::new(encoding);
    if state >> NUMBER != 0 {
        writer.set_state(state >> NUMBER);
    }
    let mut wide = Array::<u16, AT_ONCE>::new();
    // Enough for characters of which each changes the set.
    let mut space = Array::<u8, { 8 * (AT_ONCE + 1) }>::new();
    let (wide, space) = (wide.units(), space.units());
    // The last piece is in `space`, those before it are in `out`.
    let (mut len, mut out) = (0, Vec::new());
    let joined = apart(py, text.len(), || {
        let mut write = |units: &[[u8; 2]]| {
            if len > 0 {
                if out.is_empty() {
                    out.reserve(text.len() + text.bytes(0..text.len()).len());
                }
                out.extend_from_slice(space.get(..len)?);
            }
            len = writer.write(units, space)?;
            Some(())
        };
        match *text {
            Text::Ascii(units) | Text::Latin1(units) => {
                for some in units.chunks(AT_ONCE) {
                    let wide = wide.get_mut(..some.len())?;
                    wide.iter_mut().zip(some).for_each(|(to, unit)| *to = u16::from(*unit));
                    write(as_bytes(wide).as_chunks().0)?;
                }
            }
            Text::Bmp(units) if around::has_surrogate(units) => return None,
            Text::Bmp(units) => as_bytes(units).as_chunks().0.chunks(AT_ONCE).try_for_each(write)?,
            Text::All(units) => {
                for some in units.chunks(AT_ONCE / 2) {
                    let len = engine::utf32_to_utf16(some, wide).ok()?;
                    write(as_bytes(wide.get(..len)?).as_chunks().0)?;
                }
            }
        }
        if !last && !holds_back(encoding) {
            return Some(0);
        }
        let end = writer.finish(space.get_mut(len..)?)?;
        len += end;
        Some(if holds_back(encoding) && end > 0 { JOINED } else { 0 })
    })?;
    let mut bytes = space.get(..len)?;
    if !out.is_empty() {
        out.extend_from_slice(bytes);
        bytes = &out;
    }
    Some((PyBytes::new(py, bytes), writer.state() << NUMBER | joined))
}

/// Text whose every character has one unit, as most has in UTF-16 and UTF-32, or an entry in a
/// table. `None` for any other.
pub(crate) fn unit_by_unit<'py>(
    py: Python<'py>,
    text: Text<'_>,
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match (text, encoding) {
        (Text::Ascii(units) | Text::Latin1(units), Encoding::Legacy(_) | Encoding::Ibm437) => {
            by_table(py, units, encoding)
        }
        (Text::Bmp(units), Encoding::Legacy(_) | Encoding::Ibm437) => by_table(py, units, encoding),
        (Text::All(_), Encoding::Legacy(_) | Encoding::Ibm437) => Ok(None),
        (Text::Ascii(units) | Text::Latin1(units), _) if units.len() >= LONG && split_bom(encoding).0 == WIDE[0] => {
            widened(py, units, encoding, engine::latin1_to_utf16)
        }
        (Text::Ascii(units) | Text::Latin1(units), _) if units.len() >= LONG && split_bom(encoding).0 == WIDE[1] => {
            widened(py, units, encoding, engine::latin1_to_utf32)
        }
        (Text::Ascii(units) | Text::Latin1(units), _) => units_written(py, units, encoding),
        (Text::Bmp(units), _) if split_bom(encoding).0 == WIDE[0] => same_units(py, units, encoding),
        (Text::Bmp(units), _) => units_written(py, units, encoding),
        (Text::All(units), Encoding::Utf16 | Encoding::Utf16Le | Encoding::Utf16Be) => {
            let (order, bom) = split_bom(encoding);
            if units.len() <= SHORT_PAIRS {
                return Ok(short_utf16(py, units, order, bom));
            }
            let len = 2 * engine::utf16_len_from_utf32(units) + bom.len();
            converted(py, len, bom, Encoding::UTF32_NATIVE, order, text.bytes(0..units.len()))
        }
        (Text::All(units), _) => units_written(py, units, encoding),
    }
}

/// Up to this many characters the kernel alone takes less time than a way for all encodings.
const SHORT_PAIRS: usize = 256;

/// UTF-16 of a short text, with its BOM if there is one. `None` if there is a surrogate.
fn short_utf16<'py>(py: Python<'py>, units: &[u32], order: Encoding, bom: &[u8]) -> Option<Bound<'py, PyBytes>> {
    let mut space = Array::<u16, { 1 + 2 * SHORT_PAIRS }>::new();
    let (out, start) = (space.units(), bom.len() / 2);
    out[0] = 0xFEFF;
    let len = start + engine::utf32_to_utf16(units, &mut out[start..]).ok()?;
    if order != Encoding::UTF16_NATIVE {
        out[..len].iter_mut().for_each(|unit| *unit = unit.swap_bytes());
    }
    Some(PyBytes::new(py, as_bytes(&out[..len])))
}

/// `bom` and `src`, which is in the encoding `from`, in `to`: `len` bytes. `None` if it lacks a character.
fn converted<'py>(
    py: Python<'py>,
    len: usize,
    bom: &'static [u8],
    from: Encoding,
    to: Encoding,
    src: &[u8],
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    bytes_filled_by(py, len, |spare| {
        spare.append(bom);
        spare.write_with(|dst| from.convert(to, src, dst).ok())
    })
}

/// UTF-16 and UTF-32 in the order of the processor.
const WIDE: [Encoding; 2] = [Encoding::UTF16_NATIVE, Encoding::UTF32_NATIVE];

/// From this many characters on, a kernel takes less time than a loop.
const LONG: usize = 32;

/// Characters below U+0100 in one of [`WIDE`].
fn widened<'py, T: Unit>(
    py: Python<'py>,
    units: &[u8],
    encoding: Encoding,
    widen: fn(&[u8], &mut [T]) -> Result<usize, engine::Error>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (_, bom) = split_bom(encoding);
    let len = units.len().checked_mul(size_of::<T>()).and_then(|len| len.checked_add(bom.len()));
    let Some(len) = len else { return Ok(None) };
    bytes_filled_by(py, len, |spare| {
        spare.append(bom);
        spare.write_wide_with(|dst| widen(units, dst).ok())
    })
}

/// A BOM, if the encoding has one, and the units. `None` if one is a surrogate.
fn same_units<'py>(py: Python<'py>, units: &[u16], encoding: Encoding) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (_, bom) = split_bom(encoding);
    let least = apart(py, size_of_val(units), || units.iter().map(|unit| above_surrogates(*unit)).min());
    if least < Some(FROM_SURROGATES) {
        return Ok(None);
    }
    bytes_filled_by(py, size_of_val(units) + bom.len(), |spare| {
        spare.append(bom);
        spare.append(as_bytes(units));
        Some(())
    })
}

fn units_written<'py, T: Copy + Into<u32> + Sync>(
    py: Python<'py>,
    units: &[T],
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (order, bom) = split_bom(encoding);
    match order {
        Encoding::Utf16Le => each(py, units, bom, 0xFFFF, |value| (value as u16).to_le_bytes()),
        Encoding::Utf16Be => each(py, units, bom, 0xFFFF, |value| (value as u16).to_be_bytes()),
        Encoding::Utf32Le => each(py, units, bom, 0x10_FFFF, u32::to_le_bytes),
        Encoding::Utf32Be => each(py, units, bom, 0x10_FFFF, u32::to_be_bytes),
        _ => Ok(None),
    }
}

/// Writes the one byte or the two that a table has for each unit. `None` if it lacks one.
fn by_table<'py, T: Copy + Into<u16> + Sync>(
    py: Python<'py>,
    units: &[T],
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let Some(table) = tables::bytes(encoding) else { return Ok(None) };
    let entry = |unit: T| table[usize::from(unit.into())];
    if tables::is_single_byte(encoding) {
        return bytes_filled_by(py, units.len(), |spare| {
            let mut any = 0;
            spare.extend(units, |unit| {
                let byte = entry(unit);
                any |= byte;
                byte as u8
            });
            // All entries but `NONE` are bytes.
            (any <= 0xFF).then_some(())
        });
    }
    // Without branches: in mixed text they would be unpredictable.
    let mut lacks = false;
    let write = |dst: &mut [u8], lacks_any: &mut bool| {
        let (mut len, mut lacks) = (0, false);
        for unit in units {
            let entry = entry(*unit);
            let is_two = entry > 0xFF;
            let bytes = if is_two { entry.to_be_bytes() } else { [entry as u8, 0] };
            // The second byte of a character of one is overwritten by the next one.
            *dst.get_mut(len..)?.first_chunk_mut()? = bytes;
            len += 1 + usize::from(is_two);
            lacks |= entry == tables::NONE;
        }
        *lacks_any = lacks;
        (!lacks).then_some(len)
    };
    let all = 2 * units.len();
    if all <= SHORT {
        let mut space = Array::<u8, SHORT>::new();
        let space = space.units();
        return Ok(write(space, &mut lacks).and_then(|len| Some(PyBytes::new(py, space.get(..len)?))));
    }
    let count = |units: &[T]| units.iter().fold(1, |len, unit| len + 1 + usize::from(entry(*unit) > 0xFF));
    let len = if all <= LONGEST { all } else { likely_len(units, count).min(all) };
    let bytes = bytes_filled_by(py, len, |spare| spare.write_with(|dst| write(dst, &mut lacks)))?;
    if bytes.is_some() || lacks || len == all {
        return Ok(bytes);
    }
    let len = apart(py, all, || count(units));
    bytes_filled_by(py, len, |spare| spare.write_with(|dst| write(dst, &mut lacks)))
}

/// Writes `bom` and `N` bytes for each unit. `None` if one is above `most` or a surrogate.
fn each<'py, T: Copy + Into<u32> + Sync, const N: usize>(
    py: Python<'py>,
    units: &[T],
    bom: &'static [u8],
    most: u32,
    bytes: impl Fn(u32) -> [u8; N] + Sync,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let fits = |unit: &T| {
        let value = (*unit).into();
        (value & 0xFFFF_F800 != 0xD800) & (value <= most)
    };
    if !units.chunks(4096).all(|part| part.iter().fold(true, |all, unit| all & fits(unit))) {
        return Ok(None);
    }
    let Some(len) = units.len().checked_mul(N).and_then(|len| len.checked_add(bom.len())) else { return Ok(None) };
    bytes_filled_by(py, len, |spare| {
        spare.append(bom);
        spare.extend_arrays(units, |unit| bytes(unit.into()));
        Some(())
    })
}

/// UTF-8 of text without surrogates. `None` for any other.
pub(crate) fn to_utf8<'py>(py: Python<'py>, text: Text<'_>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match short_to_utf8(text, |bytes| PyBytes::new(py, bytes)) {
        Some(bytes) => Ok(Some(bytes)),
        None => long_to_utf8(py, text),
    }
}

/// Passes the UTF-8 of a short text without surrogates to `take`. `None` for any other text, and for US-ASCII.
#[inline(never)]
pub(crate) fn short_to_utf8<T>(text: Text<'_>, take: impl FnOnce(&[u8]) -> T) -> Option<T> {
    let mut space = Array::<u8, { SHORT + SPILL }>::new();
    let space = space.units();
    let len = match text {
        Text::Latin1(units) if units.len() <= SHORTEST => shortest(units, space),
        Text::Bmp(units) if units.len() <= SHORTEST => shortest(units, space),
        Text::All(units) if units.len() <= SHORTEST_PAIRS => shortest(units, space),
        Text::Latin1(units) if 2 * units.len() <= SHORT => engine::latin1_to_utf8(units, space).ok(),
        Text::Bmp(units) if 3 * units.len() <= SHORT => engine::ucs2_to_utf8(units, space),
        Text::All(units) if 4 * units.len() <= SHORT => engine::utf32_to_utf8(units, space).ok(),
        _ => None,
    };
    space.get(..len?).map(take)
}

/// The most bytes of a short text.
const SHORT: usize = 2048;

/// Up to this many characters the scalar codec is faster than a kernel.
const SHORTEST: usize = 8;
/// [`SHORTEST`] of text with characters above U+FFFF.
const SHORTEST_PAIRS: usize = 5;

#[inline(always)]
fn shortest<T: Copy + Into<u32>>(units: &[T], out: &mut [u8]) -> Option<usize> {
    let mut len = 0;
    for unit in units {
        let encoded = Utf8::encode((*unit).into())?;
        // All eight bytes of an `Encoded`; the next one overwrites the filling.
        *out.get_mut(len..)?.first_chunk_mut()? = *encoded.padded();
        len += encoded.as_slice().len();
    }
    Some(len)
}

/// As [`to_utf8`], for any length.
#[inline(never)]
fn long_to_utf8<'py>(py: Python<'py>, text: Text<'_>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match text {
        Text::Ascii(units) => Ok(Some(PyBytes::new(py, units))),
        Text::Latin1(units) => {
            written(py, units, 2, engine::utf8_len_from_latin1, |units, dst| engine::latin1_to_utf8(units, dst).ok())
        }
        Text::Bmp(units) => written(py, units, 3, engine::utf8_len_from_utf16, engine::ucs2_to_utf8),
        Text::All(units) => {
            written(py, units, 4, engine::utf8_len_from_utf32, |units, dst| engine::utf32_to_utf8(units, dst).ok())
        }
    }
}

/// UTF-8 that `write` writes, at most `most` bytes a unit. `len_of` counts the bytes.
#[inline(never)]
fn written<'py, T: Unit + Into<u32>>(
    py: Python<'py>,
    units: &[T],
    most: usize,
    len_of: fn(&[T]) -> usize,
    write: impl Fn(&[T], &mut [u8]) -> Option<usize> + Sync,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let all = most * units.len();
    if all <= COPIED {
        // A copy takes less time than counting.
        let mut space = Array::<u8, { COPIED + SPILL }>::new();
        let space = space.units();
        return Ok(write(units, space).and_then(|len| Some(PyBytes::new(py, space.get(..len)?))));
    }
    let mut len = all + SPILL;
    // To give back what a shorter text did not need takes less time than to count.
    if all > LONGEST {
        let likely = likely_len(units, len_of);
        if let Some(bytes) = bytes_filled_by(py, likely, |spare| spare.write_with(|dst| write(units, dst)))? {
            return Ok(Some(bytes));
        }
        len = apart(py, all, || len_of(units)) + SPILL;
    }
    bytes_filled_by(py, len, |spare| spare.write_with(|dst| write(units, dst)))
}

/// The most bytes that are copied from the stack.
const COPIED: usize = 4096;

/// Estimates the number of bytes of a long text from a sixteenth of it, taken from many places. For most texts the
/// result is a little too high. To count all of the bytes would take a sixth of the time of the conversion.
fn likely_len<T: Copy>(units: &[T], len: impl Fn(&[T]) -> usize) -> usize {
    const PIECES: usize = 32;
    let all = units.len() / PIECES;
    let counted: usize = units.chunks_exact(all).map(|chunk| len(&chunk[..all / 16])).sum();
    let likely = 16 * counted;
    likely + likely / 32 + SPILL
}

/// The bytes after the text that let a kernel write its last block in place, and not to a buffer of its own.
pub(crate) const SPILL: usize = 128;

/// Up to this many bytes are asked for before it is known how many are needed: allocators take
/// larger ones from the system and give them back.
const LONGEST: usize = 120 << 10;

/// The states of an incremental encoder, which are its `getstate()`: bit 0 says that nothing is
/// written yet, bit 1 ([`JOINED`]) that the part before ended
/// with something after which a part cannot begin with everything, and from bit 2 on is the library's number.
/// `io.TextIOWrapper` goes to [`NEUTRAL`] where it appends to a file.
pub(crate) const START: u32 = 1;
pub(crate) const NEUTRAL: u32 = 0;
pub(crate) const JOINED: u32 = 2;
pub(crate) const NUMBER: u32 = 2;

/// UTF-16 and UTF-32 are written in one order, after a BOM.
pub(crate) fn split_bom(encoding: Encoding) -> (Encoding, &'static [u8]) {
    match encoding {
        Encoding::Utf16 => (Encoding::Utf16Le, b"\xFF\xFE"),
        Encoding::Utf32 => (Encoding::Utf32Le, b"\xFF\xFE\0\0"),
        encoding => (encoding, b""),
    }
}

/// True for the encodings whose encoder holds bits or a surrogate back until it knows the next
/// character. A part of a text is written to its end all the same, because `io.TextIOWrapper`
/// does not say which part is the last.
pub(crate) fn holds_back(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 | Encoding::Wtf8)
}

/// True if a part of a text is encoded as a text of its own.
pub(crate) fn is_alone(named: Named) -> bool {
    !named.has_state() && !holds_back(named.encoding)
}

/// False where a part cannot begin with `text` after one that is joined to it ([`JOINED`]): with base64 in the
/// name of a mailbox, directly after base64 (RFC 3501 section 5.1.3), and in WTF-8 with the second half of a pair
/// of which the first is written already.
#[inline]
pub(crate) fn can_begin_with(encoding: Encoding, is_joined: bool, text: Text<'_>) -> bool {
    if !is_joined {
        return true;
    }
    let Some(first) = text.at(0) else { return true };
    match encoding {
        Encoding::ImapUtf7 => matches!(first, 0x20..=0x7E),
        Encoding::Wtf8 => u16::try_from(first).map_or(true, |unit| !is_low(unit)),
        _ => true,
    }
}
