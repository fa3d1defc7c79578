//! A string into bytes.

use engine::{Encoding, Legacy, Policy, Status, Transcoder};
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::decoding::as_wrong;
use crate::handlers::{Handler, position};
use crate::names::{Errors, Named};
use crate::tables;
use crate::unicode::{Text, apart, bytes_written_by};

/// `string` in an encoding. Text that has a form there takes the short ways.
#[inline]
pub(crate) fn encode<'py>(
    string: &Bound<'py, PyString>,
    named: Named,
    errors: Errors<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, text) = (string.py(), Text::of(string)?);
    let done = match (named, text) {
        (Named::UTF_8, Text::Ascii(units)) => return Ok(PyBytes::new(py, units)),
        (Named::UTF_8, text) => to_utf8(py, text)?,
        _ => return encode_other(string, text, named, errors),
    };
    match done {
        Some(bytes) => Ok(bytes),
        None => Writing::new(named, text, true).encode(string, text, errors),
    }
}

#[inline(never)]
fn encode_other<'py>(
    string: &Bound<'py, PyString>,
    text: Text<'_>,
    named: Named,
    errors: Errors<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = string.py();
    match (named.encoding, text) {
        (Encoding::Latin1, Text::Ascii(units) | Text::Latin1(units)) => return Ok(PyBytes::new(py, units)),
        (Encoding::UsAscii, Text::Ascii(units)) => return Ok(PyBytes::new(py, units)),
        _ => {}
    }
    if let Some(bytes) = unit_by_unit(py, text, named.encoding)? {
        return Ok(bytes);
    }
    if let (Encoding::Legacy(_), Some(text)) = (named.encoding, to_utf8(py, text)?) {
        // From UTF-8 the library is many times as fast as from units; what lacks a form is
        // looked for in the units.
        let (src, mut out) = (text.as_bytes(), Vec::new());
        let mut transcoder = Transcoder::new(Encoding::Utf8, named.encoding, Policy::Strict);
        if let Status::InputEmpty = apart(py, src.len(), || transcoder.transcode_to_vec(src, &mut out, true)).status {
            return Ok(PyBytes::new(py, &out));
        }
    }
    if named.with_bom {
        let rest = encode(string, Named::UTF_8, errors)?;
        return Ok(PyBytes::new(py, &[b"\xEF\xBB\xBF", rest.as_bytes()].concat()));
    }
    Writing::new(named, text, true).encode(string, text, errors)
}

/// Text whose every character is a unit of the same size, as most is in UTF-16 and UTF-32, or
/// is in a table. Of any other nothing.
fn unit_by_unit<'py>(py: Python<'py>, text: Text<'_>, encoding: Encoding) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match (text, encoding) {
        (Text::Ascii(units) | Text::Latin1(units), Encoding::Legacy(legacy)) => by_table(py, units, legacy),
        (Text::Bmp(units), Encoding::Legacy(legacy)) => by_table(py, units, legacy),
        (Text::All(_), Encoding::Legacy(_)) => Ok(None),
        (Text::Ascii(units) | Text::Latin1(units), _) => units_written(py, units, encoding),
        (Text::Bmp(units), _) => units_written(py, units, encoding),
        (Text::All(units), _) => units_written(py, units, encoding),
    }
}

fn units_written<'py, T: Copy + Into<u32> + Sync>(
    py: Python<'py>,
    units: &[T],
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match encoding {
        Encoding::Utf16Le => each(py, units, 0xFFFF, |value| (value as u16).to_le_bytes()),
        Encoding::Utf16Be => each(py, units, 0xFFFF, |value| (value as u16).to_be_bytes()),
        Encoding::Utf32Le => each(py, units, 0x10_FFFF, u32::to_le_bytes),
        Encoding::Utf32Be => each(py, units, 0x10_FFFF, u32::to_be_bytes),
        _ => Ok(None),
    }
}

/// Writes the one byte, or the two, that a table has for each unit, unless it has none.
fn by_table<'py, T: Copy + Into<u16> + Sync>(
    py: Python<'py>,
    units: &[T],
    legacy: Legacy,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let Some(table) = tables::bytes(legacy) else { return Ok(None) };
    let entry = |unit: &T| table[usize::from((*unit).into())];
    if legacy.is_single_byte() {
        return bytes_written_by(py, units.len(), |dst| {
            let mut any = 0;
            for (to, unit) in dst.iter_mut().zip(units) {
                let byte = entry(unit);
                any |= byte;
                *to = byte as u8;
            }
            // All entries but `NONE` are bytes.
            (any <= 0xFF).then_some(units.len())
        });
    }
    let (len, lacks) = apart(py, size_of_val(units), || {
        units.iter().map(entry).fold((0, false), |(len, lacks), entry| {
            (len + 1 + usize::from(entry > 0xFF), lacks | (entry == tables::NONE))
        })
    });
    if lacks {
        return Ok(None);
    }
    bytes_written_by(py, len, |dst| {
        let mut at = 0;
        for entry in units.iter().map(entry) {
            let [first, second] = entry.to_be_bytes();
            if first != 0 {
                *dst.get_mut(at)? = first;
                at += 1;
            }
            *dst.get_mut(at)? = second;
            at += 1;
        }
        Some(at)
    })
}

/// Writes `N` bytes for each unit, unless one is above `most` or a surrogate.
fn each<'py, T: Copy + Into<u32> + Sync, const N: usize>(
    py: Python<'py>,
    units: &[T],
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
    let Some(len) = units.len().checked_mul(N) else { return Ok(None) };
    bytes_written_by(py, len, |dst| {
        let (places, _) = dst.as_chunks_mut::<N>();
        for (place, unit) in places.iter_mut().zip(units) {
            *place = bytes((*unit).into());
        }
        Some(len)
    })
}

/// UTF-8 of text without surrogates; of any other nothing.
pub(crate) fn to_utf8<'py>(py: Python<'py>, text: Text<'_>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match text {
        Text::Ascii(units) => Ok(Some(PyBytes::new(py, units))),
        Text::Latin1(units) if units.len() <= SHORTEST => Ok(shortest_to_utf8(py, units)),
        Text::Bmp(units) if units.len() <= SHORTEST => Ok(shortest_to_utf8(py, units)),
        Text::All(units) if units.len() <= SHORTEST => Ok(shortest_to_utf8(py, units)),
        Text::Latin1(units) => {
            let len = || engine::utf8_len_from_latin1(units);
            filled(py, 2 * units.len(), len, |dst| engine::latin1_to_utf8(units, dst).ok())
        }
        Text::Bmp(units) => {
            let len = || engine::utf8_len_from_utf16(units);
            filled(py, 3 * units.len(), len, |dst| {
                let written = engine::utf16_to_utf8(units, dst).ok()?;
                // Two surrogates in a row are not a pair here, and would be one character.
                let count = engine::count_code_points(dst.get(..written)?);
                (count == units.len()).then_some(written)
            })
        }
        Text::All(units) => {
            let len = || engine::utf8_len_from_utf32(units);
            filled(py, 4 * units.len(), len, |dst| engine::utf32_to_utf8(units, dst).ok())
        }
    }
}

/// Bytes, `most` at the most, that `write` writes; `len` counts how many.
fn filled<'py>(
    py: Python<'py>,
    most: usize,
    len: impl FnOnce() -> usize + Send,
    write: impl FnOnce(&mut [u8]) -> Option<usize> + Send,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    // To count them takes longer than to copy them where they are few.
    match most {
        0..=256 => Ok(copied::<256>(py, write)),
        257..=384 => Ok(copied::<384>(py, write)),
        385..=512 => Ok(copied::<512>(py, write)),
        513..=1024 => Ok(copied::<1024>(py, write)),
        // To give back what is left over takes less time than to count.
        2049..=LONGEST => bytes_written_by(py, most, write),
        _ => bytes_written_by(py, apart(py, most, len), write),
    }
}

/// Up to how many bytes may be asked for without knowing how many it will be: allocators take what
/// is larger from the system and give it back.
const LONGEST: usize = 120 << 10;

fn copied<'py, const MOST: usize>(
    py: Python<'py>,
    write: impl FnOnce(&mut [u8]) -> Option<usize>,
) -> Option<Bound<'py, PyBytes>> {
    let mut space = [0; MOST];
    let len = write(&mut space)?;
    Some(PyBytes::new(py, space.get(..len)?))
}

/// Up to how many characters a kernel takes longer than one after the other.
const SHORTEST: usize = 24;

fn shortest_to_utf8<'py, T: Copy + Into<u32>>(py: Python<'py>, units: &[T]) -> Option<Bound<'py, PyBytes>> {
    // Of each character four bytes are written, whichever are meant.
    let (mut out, mut len) = ([0; 4 * SHORTEST], 0);
    for unit in units {
        let value: u32 = (*unit).into();
        let (bytes, count) = match value {
            0..0x80 => (value, 1),
            0x80..0x800 => (0x80C0 | value >> 6 | (value & 0x3F) << 8, 2),
            0xD800..0xE000 => return None,
            0x800..0x1_0000 => (0x80_80E0 | value >> 12 | (value >> 6 & 0x3F) << 8 | (value & 0x3F) << 16, 3),
            0x1_0000..0x11_0000 => {
                let front = value >> 18 | (value >> 12 & 0x3F) << 8;
                (0x8080_80F0 | front | (value >> 6 & 0x3F) << 16 | (value & 0x3F) << 24, 4)
            }
            _ => return None,
        };
        *out.get_mut(len..)?.first_chunk_mut::<4>()? = bytes.to_le_bytes();
        len += count;
    }
    Some(PyBytes::new(py, out.get(..len)?))
}

/// An encoding, of which this may be a part.
pub(crate) struct Writing {
    named: Named,
    transcoder: Transcoder,
    /// Nothing comes after it.
    last: bool,
    /// What is written before anything else: also before what an error handler writes, and where
    /// there is no text at all, as Python's codecs do.
    bom: &'static [u8],
}

/// UTF-16 and UTF-32 are written in one order, after a BOM.
fn split_bom(encoding: Encoding) -> (Encoding, &'static [u8]) {
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

const WTF16_NATIVE: Encoding = if cfg!(target_endian = "little") { Encoding::Wtf16Le } else { Encoding::Wtf16Be };

impl Writing {
    pub(crate) fn new(named: Named, text: Text<'_>, last: bool) -> Writing {
        let from = if takes_surrogates(named.encoding) { WTF16_NATIVE } else { source(text) };
        let (to, bom) = split_bom(named.encoding);
        Writing { named, transcoder: Transcoder::new(from, to, Policy::Strict), last, bom }
    }

    /// Writes what came before, whose bytes are known already.
    pub(crate) fn after(mut self, before: Text<'_>, text: Text<'_>) -> Writing {
        if before.len() > 0 {
            self.bom = b"";
        }
        if takes_surrogates(self.named.encoding) {
            // A first half waits for the other one, in the same source.
            let _ = self.transcoder.transcode_to_vec(&utf16_bytes(before), &mut Vec::new(), false);
            return self;
        }
        self.transcoder.next_source_in(source(before));
        let bytes = before.bytes(0..before.len());
        let (mut read, mut out) = (0, Vec::new());
        while read < bytes.len() {
            read += self.transcoder.transcode_to_vec(&bytes[read..], &mut out, false).read.max(1);
        }
        self.transcoder.next_source_in(source(text));
        self
    }

    pub(crate) fn encode<'py>(
        mut self,
        string: &Bound<'py, PyString>,
        text: Text<'_>,
        errors: Errors<'_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = string.py();
        let mut out = self.bom.to_vec();
        if takes_surrogates(self.named.encoding) {
            let units = utf16_bytes(text);
            let _ = apart(py, units.len(), || self.transcoder.transcode_to_vec(&units, &mut out, self.last));
            return Ok(PyBytes::new(py, &out));
        }
        let (mut handler, mut at) = (Handler::new(errors), 0);
        let width = width(text);
        loop {
            let rest = text.bytes(at..text.len());
            let step = apart(py, rest.len(), || self.transcoder.transcode_to_vec(rest, &mut out, self.last));
            if !matches!(step.status, Status::IllFormed(_)) {
                break;
            }
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
        Ok(PyBytes::new(py, &out))
    }

    /// Whether characters that lack a form are reported together, as by Python: not by its
    /// codecs of UTF-16, UTF-32 and those of several bytes.
    fn takes_runs(&self) -> bool {
        match self.named.encoding {
            Encoding::Legacy(legacy) => legacy.is_single_byte(),
            encoding => encoding.unit_size() == 1,
        }
    }

    /// Whether a character has a form.
    fn has(&self, value: u32) -> bool {
        let mut transcoder = Transcoder::new(Encoding::UTF32_NATIVE, self.named.encoding, Policy::Strict);
        let step = transcoder.transcode_to_vec(&value.to_ne_bytes(), &mut Vec::new(), false);
        !matches!(step.status, Status::IllFormed(_))
    }

    /// Writes something for what lacks a form. Returns where to go on.
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
            Errors::SurrogateEscape if self.named.encoding.unit_size() == 1 => {
                // Up to one that is not such a byte, which is then an error by itself.
                let before = out.len();
                out.extend(values.take_while(|value| matches!(value, 0xDC80..=0xDCFF)).map(|value| value as u8));
                let count = out.len() - before;
                // By those of Python that have a table, all or none.
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
            out.extend_from_slice(bytes.as_bytes());
        } else {
            let replacement = replacement.cast::<PyString>().map_err(|_| wrong())?;
            let replacement = Text::of(replacement)?;
            if !self.put(source(replacement), replacement.bytes(0..replacement.len()), out) {
                return Err(self.exception(py, object, text, lacking)?);
            }
        }
        Ok(next)
    }

    /// Writes a replacement, unless it lacks a form as well.
    fn put(&mut self, from: Encoding, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        self.transcoder.next_source_in(from);
        let step = self.transcoder.transcode_to_vec(bytes, out, false);
        !matches!(step.status, Status::IllFormed(_))
    }

    /// The exception for what lacks a form.
    fn exception<'py>(
        &self,
        py: Python<'py>,
        object: &Bound<'py, PyString>,
        text: Text<'_>,
        lacking: &Lacking,
    ) -> PyResult<PyErr> {
        let value = text.at(lacking.start).unwrap_or_default();
        let what = if value & 0xFFFF_F800 == 0xD800 { "surrogate U+" } else { "U+" };
        let reason = format!("{what}{value:04X} has no form in {}", self.named.encoding.name());
        let kind = py.get_type::<PyUnicodeEncodeError>();
        let exception = kind.call1((self.named.name(), object, lacking.start, lacking.end, reason))?;
        Ok(PyErr::from_value(exception))
    }
}

/// Characters that lack a form.
struct Lacking {
    start: usize,
    end: usize,
}

/// As Python writes a character in US-ASCII.
fn escaped(value: u32) -> String {
    match value {
        0..=0xFF => format!("\\x{value:02x}"),
        0x100..=0xFFFF => format!("\\u{value:04x}"),
        _ => format!("\\U{value:08x}"),
    }
}

/// The units of a string in UTF-16, surrogates as they are.
fn utf16_bytes(text: Text<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() * 2);
    let mut put = |unit: u32| bytes.extend_from_slice(&(unit as u16).to_ne_bytes());
    for value in (0..text.len()).filter_map(|at| text.at(at)) {
        match value {
            0..=0xFFFF => put(value),
            _ => {
                let value = value - 0x1_0000;
                put(0xD800 + (value >> 10));
                put(0xDC00 + (value & 0x3FF));
            }
        }
    }
    bytes
}
