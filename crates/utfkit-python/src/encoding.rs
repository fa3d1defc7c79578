//! A string into bytes.

use std::cell::Cell;

use engine::internal::utf8::Utf8;
use engine::internal::utf16::is_low;
use engine::internal::{Form, is_scalar_value};
use engine::{Encoding, Policy, Status, Transcoder};
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::around;
use crate::decoding::{WINDOW, WTF16_NATIVE, has_pairs};
use crate::handlers::{Handler, as_wrong, position};
use crate::names::{Errors, Named};
use crate::tables;
use crate::unicode::{Text, Unit, apart, bytes_filled_by};
use crate::widest::{FROM_SURROGATES, above_surrogates};

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
    Writing::new(named, text).encode(string, text, errors).map(|(bytes, _)| bytes)
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
    // To allocate memory takes a tenth of the time of a short text.
    let mut out = SPARE.take();
    let done = apart(py, text.len(), || around::encoded(text, encoding, errors, &mut out));
    let bytes = done.map(|()| PyBytes::new(py, &out));
    if out.capacity() <= MOST_SPARE {
        out.clear();
        SPARE.set(out);
    }
    bytes
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
        Text::Bmp(units) => units.iter().take(FIRST).fold(false, |any, unit| any | (unit & 0xF800 == 0xD800)),
        Text::All(units) => units.iter().take(FIRST).fold(false, |any, unit| any | (unit & 0xFFFF_F800 == 0xD800)),
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
    by_library(py, text, named.encoding)
}

/// Text without surrogates and lacking characters, by the library: from UTF-8 and UTF-16 it is many times as
/// fast as from units. Characters without a form are found in the units.
fn by_library<'py>(py: Python<'py>, text: Text<'_>, encoding: Encoding) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if matches!(encoding, Encoding::UsAscii | Encoding::Latin1) || !split_bom(encoding).1.is_empty() {
        return Ok(None);
    }
    let utf8;
    let (from, src) = match text {
        Text::Bmp(units) if units.iter().map(|unit| above_surrogates(*unit)).min() < Some(FROM_SURROGATES) => {
            return Ok(None);
        }
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
        (
            Text::Ascii(units) | Text::Latin1(units),
            Encoding::Utf16 | Encoding::Utf16Le | Encoding::Utf32 | Encoding::Utf32Le,
        ) if units.len() >= LONG => by_kernel(py, units, encoding),
        (Text::Ascii(units) | Text::Latin1(units), _) => units_written(py, units, encoding),
        (Text::Bmp(units), _) => units_written(py, units, encoding),
        (Text::All(units), _) => units_written(py, units, encoding),
    }
}

/// From this many characters on, a kernel takes less time than a loop.
const LONG: usize = 4096;

/// UTF-16 or UTF-32 of characters below U+0100.
fn by_kernel<'py>(py: Python<'py>, units: &[u8], encoding: Encoding) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (order, bom) = split_bom(encoding);
    let len = units.len().checked_mul(order.unit_size()).and_then(|len| len.checked_add(bom.len()));
    let Some(len) = len else { return Ok(None) };
    bytes_filled_by(py, len, |spare| {
        spare.append(bom);
        spare.write_with(|dst| Encoding::Latin1.convert(order, units, dst).ok())
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
    let (len, lacks) = apart(py, size_of_val(units), || {
        units.iter().map(|unit| entry(*unit)).fold((0, false), |(len, lacks), entry| {
            (len + 1 + usize::from(entry > 0xFF), lacks | (entry == tables::NONE))
        })
    });
    if lacks {
        return Ok(None);
    }
    bytes_filled_by(py, len, |spare| {
        for unit in units {
            let [first, second] = entry(*unit).to_be_bytes();
            if first != 0 {
                spare.push(first)?;
            }
            spare.push(second)?;
        }
        Some(())
    })
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
    match text {
        Text::Ascii(units) => Ok(Some(PyBytes::new(py, units))),
        Text::Latin1(units) => {
            written(py, units, 2, engine::utf8_len_from_latin1, |units, dst| engine::latin1_to_utf8(units, dst).ok())
        }
        Text::Bmp(units) => written(py, units, 3, engine::utf8_len_from_utf16, |units, dst| {
            let written = engine::utf16_to_utf8(units, dst).ok()?;
            // Two surrogates in a row are not a pair here, and would be one character.
            let count = engine::count_code_points(dst.get(..written)?);
            (count == units.len()).then_some(written)
        }),
        Text::All(units) => {
            written(py, units, 4, engine::utf8_len_from_utf32, |units, dst| engine::utf32_to_utf8(units, dst).ok())
        }
    }
}

/// UTF-8 that `write` writes, at most `most` bytes a unit. `len` counts the bytes.
fn written<'py, T: Unit + Into<u32>>(
    py: Python<'py>,
    units: &[T],
    most: usize,
    len: fn(&[T]) -> usize,
    write: impl Fn(&[T], &mut [u8]) -> Option<usize> + Sync,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let all = most * units.len();
    let len = match all {
        _ if units.len() <= SHORTEST => return Ok(shortest(py, units)),
        // A copy takes less time than counting.
        0..=256 => return Ok(copied::<256>(py, |dst| write(units, dst))),
        257..=384 => return Ok(copied::<384>(py, |dst| write(units, dst))),
        385..=512 => return Ok(copied::<512>(py, |dst| write(units, dst))),
        513..=1024 => return Ok(copied::<1024>(py, |dst| write(units, dst))),
        // To give back the rest takes less time than to count.
        2049..=LONGEST => all,
        _ => apart(py, all, || len(units)),
    };
    bytes_filled_by(py, len, |spare| spare.write_with(|dst| write(units, dst)))
}

/// Up to this many bytes are asked for before it is known how many are needed: allocators take
/// larger ones from the system and give them back.
const LONGEST: usize = 120 << 10;

fn copied<'py, const MOST: usize>(
    py: Python<'py>,
    write: impl FnOnce(&mut [u8]) -> Option<usize>,
) -> Option<Bound<'py, PyBytes>> {
    let mut space = [0; MOST];
    let len = write(&mut space)?;
    Some(PyBytes::new(py, space.get(..len)?))
}

/// Up to this many characters the scalar codec is faster than a kernel.
const SHORTEST: usize = 14;

fn shortest<'py, T: Copy + Into<u32>>(py: Python<'py>, units: &[T]) -> Option<Bound<'py, PyBytes>> {
    // Each store writes all eight bytes of an `Encoded`, and the next one overwrites the filling.
    let (mut out, mut len) = ([0; 4 * SHORTEST + 4], 0);
    for unit in units {
        let encoded = Utf8::encode((*unit).into())?;
        *out.get_mut(len..)?.first_chunk_mut()? = *encoded.padded();
        len += encoded.as_slice().len();
    }
    Some(PyBytes::new(py, out.get(..len)?))
}

/// The conversion of a string, or of a part of a text, into an encoding.
pub(crate) struct Writing {
    named: Named,
    transcoder: Transcoder,
    /// Nothing follows.
    last: bool,
    /// Written before anything else: also before the text of an error handler, and where there is
    /// no text at all, as by Python's codecs.
    bom: &'static [u8],
    /// The part before ended with something after which a part cannot begin with everything.
    is_joined: bool,
}

/// The states of an incremental encoder, which are its `getstate()`: bit 0 says that nothing is
/// written yet, bit 1 is [`Writing::is_joined`], and from bit 2 on is the library's number.
/// `io.TextIOWrapper` goes to [`NEUTRAL`] where it appends to a file.
pub(crate) const START: u32 = 1;
pub(crate) const NEUTRAL: u32 = 0;
const JOINED: u32 = 2;
const NUMBER: u32 = 2;

/// UTF-16 and UTF-32 are written in one order, after a BOM.
pub(crate) fn split_bom(encoding: Encoding) -> (Encoding, &'static [u8]) {
    match encoding {
        Encoding::Utf16 => (Encoding::Utf16Le, b"\xFF\xFE"),
        Encoding::Utf32 => (Encoding::Utf32Le, b"\xFF\xFE\0\0"),
        encoding => (encoding, b""),
    }
}

/// The units of a string, as an encoding.
fn source(text: Text<'_>) -> Encoding {
    match text {
        Text::Ascii(_) => Encoding::Utf8,
        Text::Latin1(_) => Encoding::Latin1,
        Text::Bmp(_) if cfg!(target_endian = "little") => Encoding::Ucs2Le,
        Text::Bmp(_) => Encoding::Ucs2Be,
        Text::All(_) => Encoding::UTF32_NATIVE,
    }
}

/// The bytes of a unit of a string.
fn width(text: Text<'_>) -> usize {
    match text {
        Text::Ascii(_) | Text::Latin1(_) => 1,
        Text::Bmp(_) => 2,
        Text::All(_) => 4,
    }
}

fn takes_surrogates(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Wtf8 | Encoding::Wtf16Le | Encoding::Wtf16Be)
}

/// True for the encodings whose encoder holds bits or a surrogate back until it knows the next
/// character. A part of a text is written to its end all the same, because `io.TextIOWrapper`
/// does not say which part is the last.
pub(crate) fn holds_back(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 | Encoding::Wtf8)
}

impl Writing {
    /// The conversion of a whole string.
    pub(crate) fn new(named: Named, text: Text<'_>) -> Writing {
        let from = if takes_surrogates(named.encoding) { WTF16_NATIVE } else { source(text) };
        let (to, bom) = split_bom(named.encoding);
        let transcoder = Transcoder::new(from, to, Policy::Strict);
        Writing { named, transcoder, last: true, bom, is_joined: false }
    }

    /// The conversion of a part, after the one that returned `state`.
    pub(crate) fn part(named: Named, text: Text<'_>, last: bool, state: u32) -> Writing {
        let mut writing = Writing { last, ..Writing::new(named, text) };
        if state & START == 0 {
            writing.bom = b"";
        }
        if state == NEUTRAL {
            // Somewhere in a file, after its header.
            writing.put(Encoding::UsAscii, b"a", &mut Vec::new());
        }
        writing.is_joined = state & JOINED != 0;
        writing.transcoder = writing.transcoder.with_target_state(state >> NUMBER);
        writing
    }

    /// The bytes of `text`, which is that of `string`, and the state after it.
    pub(crate) fn encode<'py>(
        mut self,
        string: &Bound<'py, PyString>,
        text: Text<'_>,
        errors: Errors<'_>,
    ) -> PyResult<(Bound<'py, PyBytes>, u32)> {
        let py = string.py();
        let mut out = self.bom.to_vec();
        let mut handler = Handler::new(errors);
        let mut at = 0;
        if !self.can_begin_with(text) {
            at = self.handle(py, string, text, &Lacking { start: 0, end: 1 }, &mut handler, &mut out)?;
        }
        if takes_surrogates(self.named.encoding) {
            self.transcoder.next_source_in(WTF16_NATIVE);
            let units = utf16_bytes(text, at);
            let _ = apart(py, units.len(), || self.transcoder.transcode_to_vec(&units, &mut out, false));
        } else {
            self.transcoder.next_source_in(source(text));
            let width = width(text);
            let mut window = WINDOW;
            loop {
                let end = at.saturating_add(window).min(text.len());
                let piece = text.bytes(at..end);
                let step = apart(py, piece.len(), || self.transcoder.transcode_to_vec(piece, &mut out, false));
                if !matches!(step.status, Status::IllFormed(_)) {
                    if end == text.len() {
                        break;
                    }
                    at = end;
                    window = window.saturating_mul(8);
                    continue;
                }
                window = WINDOW;
                let start = (at + step.read / width).saturating_sub(1);
                let mut lacking = Lacking { start, end: start + 1 };
                if self.takes_runs() {
                    while text.at(lacking.end).is_some_and(|value| !self.has(value)) {
                        lacking.end += 1;
                    }
                }
                at = self.handle(py, string, text, &lacking, &mut handler, &mut out)?;
                self.transcoder.next_source_in(source(text));
            }
        }
        let was_held_back = holds_back(self.named.encoding) && self.end(&mut out);
        let joined = if was_held_back { JOINED } else { 0 };
        if self.last {
            self.end(&mut out);
        }
        Ok((PyBytes::new(py, &out), self.transcoder.target_state() << NUMBER | joined))
    }

    /// Writes what the encoder holds back, and the way to the first set of characters. Returns true
    /// if there was any of it.
    fn end(&mut self, out: &mut Vec<u8>) -> bool {
        let before = out.len();
        let _ = self.transcoder.transcode_to_vec(&[], out, true);
        before < out.len()
    }

    /// False where a part cannot begin with `text`: with base64 in the name of a mailbox, directly
    /// after base64 (RFC 3501 section 5.1.3), and in WTF-8 with the second half of a pair of which
    /// the first is written already.
    fn can_begin_with(&self, text: Text<'_>) -> bool {
        let Some(first) = text.at(0).filter(|_| self.is_joined) else { return true };
        match self.named.encoding {
            Encoding::ImapUtf7 => matches!(first, 0x20..=0x7E),
            Encoding::Wtf8 => u16::try_from(first).map_or(true, |unit| !is_low(unit)),
            _ => true,
        }
    }

    /// True if characters without a form are reported together, as Python does except in UTF-16,
    /// UTF-32 and encodings of several bytes.
    fn takes_runs(&self) -> bool {
        match self.named.encoding {
            Encoding::Legacy(legacy) => legacy.is_single_byte(),
            encoding => encoding.unit_size() == 1,
        }
    }

    /// True if a character has a form.
    fn has(&self, value: u32) -> bool {
        match self.named.encoding {
            Encoding::UsAscii => value < 0x80,
            Encoding::Latin1 => value < 0x100,
            Encoding::Utf8 => is_scalar_value(value),
            encoding if tables::is_single_byte(encoding) => {
                let table = tables::bytes(encoding).zip(u16::try_from(value).ok());
                table.is_some_and(|(table, unit)| table[usize::from(unit)] != tables::NONE)
            }
            encoding => {
                let mut transcoder = Transcoder::new(Encoding::UTF32_NATIVE, encoding, Policy::Strict);
                let step = transcoder.transcode_to_vec(&value.to_ne_bytes(), &mut Vec::new(), false);
                !matches!(step.status, Status::IllFormed(_))
            }
        }
    }

    /// Writes the replacement of characters without a form. Returns where the text continues.
    fn handle<'py>(
        &mut self,
        py: Python<'py>,
        object: &Bound<'py, PyString>,
        text: Text<'_>,
        lacking: &Lacking,
        handler: &mut Handler<'_>,
        out: &mut Vec<u8>,
    ) -> PyResult<usize> {
        let values = (lacking.start..lacking.end).filter_map(|at| text.at(at));
        let written: Option<String> = match handler.errors {
            Errors::Ignore => Some(String::new()),
            Errors::Replace => Some(values.map(|_| '?').collect()),
            Errors::BackslashReplace => Some(values.map(escaped).collect()),
            Errors::XmlCharRefReplace => Some(values.map(|value| format!("&#{value};")).collect()),
            Errors::SurrogatePass if surrogate_form(self.named.encoding, 0xD800).is_some() => {
                for value in values {
                    let Some((bytes, len)) = surrogate_form(self.named.encoding, value) else { break };
                    self.put_bytes(&bytes[..len], out);
                }
                return Ok(lacking.end);
            }
            Errors::SurrogateEscape if self.named.encoding.unit_size() == 1 => {
                // The first character that is no escaped byte is an error of its own.
                let bytes: Vec<u8> =
                    values.take_while(|value| matches!(value, 0xDC80..=0xDCFF)).map(|value| value as u8).collect();
                let count = bytes.len();
                self.put_bytes(&bytes, out);
                // Python's codecs with a table take all or none.
                let is_table = matches!(self.named.encoding, Encoding::Legacy(_) | Encoding::Ibm437);
                return match count {
                    _ if is_table && count < lacking.end - lacking.start => {
                        Err(self.exception(py, object, text, lacking)?)
                    }
                    0 => Err(self.exception(py, object, text, lacking)?),
                    count => Ok(lacking.start + count),
                };
            }
            _ => None,
        };
        if let Some(written) = written {
            return match self.put(Encoding::Utf8, written.as_bytes(), out) {
                true => Ok(lacking.end),
                false => Err(self.exception(py, object, text, lacking)?),
            };
        }
        let exception = self.exception(py, object, text, lacking)?;
        let exception = handler.exception(py, exception, lacking.start, lacking.end)?;
        let result = handler.call(py, &exception)?;
        let wrong = || PyTypeError::new_err("encoding error handler must return (str/bytes, int) tuple");
        let pair = result.cast::<PyTuple>().map_err(|_| wrong())?;
        if pair.len() != 2 {
            return Err(wrong());
        }
        let replacement = pair.get_item(0)?;
        let next = pair.get_item(1)?.extract::<isize>().map_err(|error| as_wrong(py, error, wrong()))?;
        let next = position(next, text.len())?;
        if let Ok(bytes) = replacement.cast::<PyBytes>() {
            if bytes.as_bytes().len() % self.named.encoding.unit_size() != 0 {
                return Err(self.exception(py, object, text, lacking)?);
            }
            self.put_bytes(bytes.as_bytes(), out);
        } else {
            let replacement = replacement.cast::<PyString>().map_err(|_| wrong())?;
            let replacement = Text::of(replacement)?;
            let is_taken = !out.is_empty() || self.can_begin_with(replacement);
            if !is_taken || !self.put(source(replacement), replacement.bytes(0..replacement.len()), out) {
                return Err(self.exception(py, object, text, lacking)?);
            }
        }
        Ok(next)
    }

    /// Writes a replacement. False if it lacks a form as well.
    fn put(&mut self, from: Encoding, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        self.transcoder.next_source_in(from);
        let step = self.transcoder.transcode_to_vec(bytes, out, false);
        !matches!(step.status, Status::IllFormed(_))
    }

    /// Writes bytes as they are, outside of base64.
    fn put_bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if holds_back(self.named.encoding) && !bytes.is_empty() {
            self.end(out);
        }
        out.extend_from_slice(bytes);
    }

    /// The exception for characters without a form.
    fn exception<'py>(
        &self,
        py: Python<'py>,
        object: &Bound<'py, PyString>,
        text: Text<'_>,
        lacking: &Lacking,
    ) -> PyResult<PyErr> {
        let value = text.at(lacking.start).unwrap_or_default();
        let kind = if is_scalar_value(value) { "U+" } else { "surrogate U+" };
        let reason = match self.named.encoding {
            encoding if holds_back(encoding) && (encoding == Encoding::Wtf8 || is_scalar_value(value)) => {
                format!("{kind}{value:04X} cannot follow the part before it in {}", encoding.name())
            }
            encoding => format!("{kind}{value:04X} has no form in {}", encoding.name()),
        };
        let exception = py.get_type::<PyUnicodeEncodeError>();
        let exception = exception.call1((self.named.name(), object, lacking.start, lacking.end, reason))?;
        Ok(PyErr::from_value(exception))
    }
}

/// A surrogate in an encoding that has a place for it, and the number of bytes. The first half of a pair and
/// the second are two, as Python writes them.
fn surrogate_form(encoding: Encoding, value: u32) -> Option<([u8; 4], usize)> {
    let [low, high, ..] = value.to_le_bytes();
    Some(match encoding {
        _ if !(0xD800..0xE000).contains(&value) => return None,
        Encoding::Utf16 | Encoding::Utf16Le => ([low, high, 0, 0], 2),
        Encoding::Utf16Be => ([high, low, 0, 0], 2),
        Encoding::Utf32 | Encoding::Utf32Le => (value.to_le_bytes(), 4),
        Encoding::Utf32Be => (value.to_be_bytes(), 4),
        encoding if encoding == Encoding::Utf8 || has_pairs(encoding) => {
            ([0xED, 0x80 | (value >> 6 & 0x3F) as u8, 0x80 | (value & 0x3F) as u8, 0], 3)
        }
        _ => return None,
    })
}

/// Characters without a form.
struct Lacking {
    start: usize,
    end: usize,
}

/// A character as Python writes it in US-ASCII.
fn escaped(value: u32) -> String {
    match value {
        0..=0xFF => format!("\\x{value:02x}"),
        0x100..=0xFFFF => format!("\\u{value:04x}"),
        _ => format!("\\U{value:08x}"),
    }
}

/// UTF-16 of the characters from `start` on, and a unit for each surrogate.
fn utf16_bytes(text: Text<'_>, start: usize) -> Vec<u8> {
    if let Text::Bmp(_) = text {
        return text.bytes(start..text.len()).to_vec();
    }
    let mut bytes = Vec::with_capacity((text.len() - start) * 2);
    let mut put = |unit: u16| bytes.extend_from_slice(&unit.to_ne_bytes());
    for value in (start..text.len()).filter_map(|at| text.at(at)) {
        match char::from_u32(value) {
            Some(c) => c.encode_utf16(&mut [0; 2]).iter().copied().for_each(&mut put),
            None => put(value as u16),
        }
    }
    bytes
}
