//! Bytes into a string.

use engine::diagnose::Diagnosis;
use engine::{Encoding, Error, Policy, Practice, Standard, Status, Transcoder};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyUnicodeDecodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::handlers::{Handler, position};
use crate::names::{Errors, Named};
use crate::tables;
use crate::unicode::{
    Failure, Text, apart, string_of_latin1, string_of_pairs_by_table, string_of_table, string_of_u16, string_of_utf8,
    string_of_utf16, string_of_utf32, string_of_values,
};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The text of `src`. What is well-formed takes the short ways.
#[inline]
pub(crate) fn decode<'py>(
    src: &Bound<'py, PyBytes>,
    named: Named,
    errors: Errors<'_>,
) -> PyResult<Bound<'py, PyString>> {
    let result = match named {
        Named::UTF_8 => string_of_utf8(src.py(), src.as_bytes()),
        _ => return decode_other(src, named, errors),
    };
    match result {
        Ok(text) => Ok(text),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::IllFormed) => Decoding::new(named, true).ill_formed(src.clone(), errors),
    }
}

#[inline(never)]
fn decode_other<'py>(src: &Bound<'py, PyBytes>, named: Named, errors: Errors<'_>) -> PyResult<Bound<'py, PyString>> {
    if named.with_bom {
        return match src.as_bytes().strip_prefix(BOM) {
            Some(rest) => decode(&PyBytes::new(src.py(), rest), Named::UTF_8, errors),
            None => decode(src, Named::UTF_8, errors),
        };
    }
    match at_once(src.py(), src.as_bytes(), named.encoding) {
        Some(Err(Failure::Python(error))) => Err(error),
        Some(Ok(text)) => Ok(text),
        Some(Err(Failure::IllFormed)) | None => Decoding::new(named, true).decode(src, errors),
    }
}

/// The text of `src` where there is a way that takes nothing but a pass or two.
fn at_once<'py>(py: Python<'py>, src: &[u8], encoding: Encoding) -> Option<Result<Bound<'py, PyString>, Failure>> {
    Some(match encoding {
        Encoding::Latin1 => string_of_latin1(py, src).map_err(Failure::from),
        Encoding::UsAscii if src.is_ascii() => string_of_latin1(py, src).map_err(Failure::from),
        // By the BOM, as one in a stated order.
        Encoding::Utf16 | Encoding::Utf32 => {
            let (encoding, bom) = order(encoding, src)?;
            string_of_units(py, &src[bom..], encoding)
        }
        // What has neither surrogates nor an error.
        Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf32Le | Encoding::Utf32Be => {
            string_of_units(py, src, encoding)
        }
        Encoding::Legacy(legacy) if legacy.is_single_byte() => string_of_table(py, src, tables::characters(legacy)?),
        Encoding::Legacy(legacy) => string_of_pairs_by_table(py, src, tables::read_pairs(legacy)?),
        _ => return None,
    })
}

/// A decoding, of which this may be a part.
pub(crate) struct Decoding {
    named: Named,
    transcoder: Transcoder,
    /// Nothing comes after it.
    last: bool,
}

impl Decoding {
    pub(crate) fn new(named: Named, last: bool) -> Decoding {
        Decoding { named, transcoder: transcoder(named.encoding, Policy::Strict), last }
    }

    /// Reads what came before, whose text is known already.
    pub(crate) fn after(mut self, before: &[u8]) -> Decoding {
        let mut read = 0;
        let mut text = Vec::new();
        while read < before.len() {
            let step = self.transcoder.transcode_to_vec(&before[read..], &mut text, false);
            read += step.read.max(1);
        }
        self
    }

    /// The text of `src`.
    pub(crate) fn decode<'py>(
        mut self,
        src: &Bound<'py, PyBytes>,
        errors: Errors<'_>,
    ) -> PyResult<Bound<'py, PyString>> {
        let (py, bytes) = (src.py(), src.as_bytes());
        let before = self.transcoder.clone();
        let mut text = Vec::new();
        let step = apart(py, bytes.len(), || self.transcoder.transcode_to_vec(bytes, &mut text, self.last));
        if matches!(step.status, Status::InputEmpty) {
            return string_of_pivot(py, &text);
        }
        Decoding { transcoder: before, ..self }.ill_formed(src.clone(), errors)
    }

    /// The same where something is ill-formed.
    fn ill_formed<'py>(mut self, src: Bound<'py, PyBytes>, errors: Errors<'_>) -> PyResult<Bound<'py, PyString>> {
        let py = src.py();
        if self.named == Named::UTF_8
            && let Some(text) = ill_formed_utf8(py, src.as_bytes(), errors)?
        {
            return Ok(text);
        }
        let policy = match errors {
            Errors::Replace => Policy::Replace(Practice::MaximalSubpart),
            Errors::Ignore => Policy::Skip,
            _ => return self.handled(src, errors),
        };
        if self.named.has_state() {
            // It has read something: with its policy it cannot be made anew.
            return self.handled(src, errors);
        }
        self.transcoder = transcoder(self.named.encoding, policy);
        let bytes = src.as_bytes();
        let mut text = Vec::new();
        let _ = apart(py, bytes.len(), || self.transcoder.transcode_to_vec(bytes, &mut text, self.last));
        string_of_pivot(py, &text)
    }

    /// The same, error by error.
    fn handled<'py>(mut self, src: Bound<'py, PyBytes>, errors: Errors<'_>) -> PyResult<Bound<'py, PyString>> {
        let py = src.py();
        let mut src = src;
        if errors == Errors::Strict && self.named == Named::UTF_8 {
            // The conversion has said that there is one.
            let bytes = src.as_bytes();
            if let Err(error) = apart(py, bytes.len(), || engine::from_utf8(bytes).map(|_| ())) {
                return Err(exception(py, self.named, &src, &Place::of(error, error.offset()))?);
            }
        }
        let mut handler = Handler::new(errors);
        let (mut out, mut text, mut at) = (Vec::new(), Vec::new(), 0);
        loop {
            let bytes = src.as_bytes();
            text.clear();
            let rest = bytes.get(at..).unwrap_or_default();
            let step = apart(py, rest.len(), || self.transcoder.transcode_to_vec(rest, &mut text, self.last));
            push_pivot(&mut out, &text);
            let Status::IllFormed(error) = step.status else { break };
            let end = at + step.read;
            let place = Place::of(error, end.saturating_sub(error.len()));
            match handler.errors {
                Errors::Ignore => {}
                Errors::Replace => out.push(0xFFFD),
                Errors::BackslashReplace => {
                    for byte in &bytes[place.start..place.end] {
                        out.extend(escape(*byte).map(u32::from));
                    }
                }
                Errors::SurrogateEscape => {
                    // Those that have a surrogate of their own.
                    let escaped = bytes[place.start..place.end].iter().take_while(|byte| **byte >= 0x80);
                    let before = out.len();
                    out.extend(escaped.map(|byte| 0xDC00 + u32::from(*byte)));
                    let count = out.len() - before;
                    if count == 0 {
                        return Err(exception(py, self.named, &src, &place)?);
                    }
                    at = place.start + count;
                    continue;
                }
                _ => {
                    let exception = exception(py, self.named, &src, &place)?;
                    let (replacement, next, object) = handler.decoded(py, exception, &place)?;
                    push_string(&mut out, &replacement)?;
                    if !object.is(&src) {
                        src = object;
                    }
                    at = position(next, src.as_bytes().len())?;
                    continue;
                }
            }
            at = place.end;
        }
        string_of_values(py, out)
    }
}

/// Where an error is, in a whole.
pub(crate) struct Place {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) error: Error,
}

impl Place {
    fn of(error: Error, start: usize) -> Place {
        Place { start, end: start + error.len(), error }
    }
}

/// Ill-formed UTF-8, chunk by chunk, by those handlers that look at nothing else.
fn ill_formed_utf8<'py>(py: Python<'py>, src: &[u8], errors: Errors<'_>) -> PyResult<Option<Bound<'py, PyString>>> {
    let text = match errors {
        Errors::Replace => apart(py, src.len(), || engine::conversion::UTF8_TO_UTF8_LOSSY.to_vec(src).unwrap_or_default()),
        Errors::Ignore | Errors::BackslashReplace => apart(py, src.len(), || {
            let mut out = Vec::with_capacity(src.len());
            for (valid, invalid) in pieces(src) {
                out.extend_from_slice(valid);
                if errors == Errors::BackslashReplace {
                    invalid.iter().for_each(|byte| out.extend_from_slice(&escape(*byte)));
                }
            }
            out
        }),
        Errors::SurrogateEscape => {
            if let Some(units) = apart(py, src.len(), || escaped_to_utf16(src)) {
                return string_of_u16(py, &units).map(Some);
            }
            let values = apart(py, src.len(), || {
                // No more than a character a byte.
                let (mut values, mut len) = (vec![0; src.len()], 0);
                for (valid, invalid) in pieces(src) {
                    len += engine::utf8_to_utf32(valid, values.get_mut(len..)?).ok()?;
                    for (value, byte) in values.get_mut(len..)?.iter_mut().zip(invalid) {
                        *value = 0xDC00 + u32::from(*byte);
                    }
                    len += invalid.len();
                }
                values.truncate(len);
                Some(values)
            });
            return values.map(|values| string_of_values(py, values)).transpose();
        }
        _ => return Ok(None),
    };
    string_of_pivot(py, &text).map(Some)
}

/// What is well-formed, and after each piece of it what is not. All errors are found in one pass:
/// to begin a search after each takes three times as long.
fn pieces(src: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut from = 0;
    let ends = engine::errors(src, Standard::Rfc3629).map(|error| (error.offset(), error.offset() + error.len()));
    ends.chain([(src.len(), src.len())]).map(move |(start, end)| {
        let valid = &src[from..start];
        from = end;
        (valid, &src[start..end])
    })
}

/// Ill-formed bytes as surrogates, in UTF-16: if there are no others.
fn escaped_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    let (mut units, mut len) = (vec![0; src.len()], 0);
    for (valid, invalid) in pieces(src) {
        let rest = units.get_mut(len..)?;
        let written = engine::utf8_to_utf16(valid, rest).ok()?;
        if rest[..written].iter().fold(false, |has, unit| has | (unit & 0xF800 == 0xD800)) {
            return None;
        }
        for (unit, byte) in rest.get_mut(written..)?.iter_mut().zip(invalid) {
            *unit = 0xDC00 + u16::from(*byte);
        }
        len += written + invalid.len();
    }
    units.truncate(len);
    Some(units)
}

/// A byte as Python writes one that it cannot read.
fn escape(byte: u8) -> [u8; 4] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    [b'\\', b'x', digit(byte >> 4), digit(byte & 0xF)]
}

/// To UTF-8, or, from an encoding that can have surrogates, as a string can, to WTF-8.
fn transcoder(from: Encoding, policy: Policy) -> Transcoder {
    let to = match from {
        Encoding::Wtf8 | Encoding::Wtf16Le | Encoding::Wtf16Be | Encoding::Utf8Rfc2044 => Encoding::Wtf8,
        _ => Encoding::Utf8,
    };
    Transcoder::new(from, to, policy)
}

/// The byte order that a BOM says, and how long it is; big-endian without one.
fn order(encoding: Encoding, bytes: &[u8]) -> Option<(Encoding, usize)> {
    Some(match (encoding, bytes) {
        (Encoding::Utf16, [0xFF, 0xFE, ..]) => (Encoding::Utf16Le, 2),
        (Encoding::Utf16, [0xFE, 0xFF, ..]) => (Encoding::Utf16Be, 2),
        (Encoding::Utf16, _) => (Encoding::Utf16Be, 0),
        (Encoding::Utf32, [0xFF, 0xFE, 0, 0, ..]) => (Encoding::Utf32Le, 4),
        (Encoding::Utf32, [0, 0, 0xFE, 0xFF, ..]) => (Encoding::Utf32Be, 4),
        (Encoding::Utf32, _) => (Encoding::Utf32Be, 0),
        _ => return None,
    })
}

/// Well-formed UTF-16 and UTF-32 in a stated order.
fn string_of_units<'py>(py: Python<'py>, src: &[u8], encoding: Encoding) -> Result<Bound<'py, PyString>, Failure> {
    match encoding {
        Encoding::Utf16Le => string_of_utf16(py, src, u16::from_le_bytes),
        Encoding::Utf16Be => string_of_utf16(py, src, u16::from_be_bytes),
        Encoding::Utf32Le => string_of_utf32(py, src, u32::from_le_bytes),
        _ => string_of_utf32(py, src, u32::from_be_bytes),
    }
}

fn string_of_pivot<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match string_of_utf8(py, text) {
        Ok(text) => Ok(text),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::IllFormed) => {
            let mut values = Vec::new();
            push_pivot(&mut values, text);
            string_of_values(py, values)
        }
    }
}

/// Adds the values of `text`, in UTF-8 or WTF-8.
fn push_pivot(out: &mut Vec<u32>, text: &[u8]) {
    for chunk in engine::utf8_chunks(text) {
        let valid = chunk.valid().as_bytes();
        let (start, count) = (out.len(), engine::count_code_points(valid));
        out.resize(start + count, 0);
        let written = engine::utf8_to_utf32(valid, &mut out[start..]).unwrap_or(0);
        out.truncate(start + written);
        // A surrogate of WTF-8 is reported byte by byte.
        for byte in chunk.invalid() {
            match (byte, out.last_mut()) {
                (0xED, _) => out.push(u32::MAX),
                (0xA0..=0xBF, Some(last)) if *last == u32::MAX => *last = 0xFFFF_0000 | u32::from(byte & 0x3F),
                (0x80..=0xBF, Some(last)) if *last >= 0xFFFF_0000 => {
                    *last = 0xD000 | (*last & 0x3F) << 6 | u32::from(byte & 0x3F);
                }
                _ => out.push(0xFFFD),
            }
        }
    }
}

fn push_string(out: &mut Vec<u32>, string: &Bound<'_, PyString>) -> PyResult<()> {
    match Text::of(string)? {
        Text::Ascii(units) | Text::Latin1(units) => out.extend(units.iter().copied().map(u32::from)),
        Text::Bmp(units) => out.extend(units.iter().copied().map(u32::from)),
        Text::All(units) => out.extend_from_slice(units),
    }
    Ok(())
}

/// The exception for an error: Python's places, the library's words.
fn exception<'py>(py: Python<'py>, named: Named, src: &Bound<'py, PyBytes>, place: &Place) -> PyResult<PyErr> {
    let kind = py.get_type::<PyUnicodeDecodeError>();
    let reason = reason(named.encoding, src.as_bytes(), place);
    let exception = kind.call1((named.name(), src, place.start, place.end, reason))?;
    Ok(PyErr::from_value(exception))
}

fn reason(encoding: Encoding, src: &[u8], place: &Place) -> String {
    // What depends on the bytes before cannot be named from here.
    let alone = !Named { encoding, with_bom: false }.has_state();
    let diagnosis = src.get(place.start..).filter(|_| alone);
    match diagnosis.and_then(|rest| Diagnosis::of(&rest[..rest.len().min(64)], encoding, Standard::Rfc3629)) {
        Some(diagnosis) => diagnosis.to_string(),
        None => place.error.kind().name().replace('-', " "),
    }
}

impl Handler<'_> {
    /// What a registered handler returns: text, where to go on, and in which bytes.
    fn decoded<'py>(
        &mut self,
        py: Python<'py>,
        exception: PyErr,
        place: &Place,
    ) -> PyResult<(Bound<'py, PyString>, isize, Bound<'py, PyBytes>)> {
        let exception = self.exception(py, exception, place.start, place.end)?;
        let result = self.call(py, &exception)?;
        let wrong = || PyTypeError::new_err("decoding error handler must return (str, int) tuple");
        let pair = result.cast::<PyTuple>().map_err(|_| wrong())?;
        if pair.len() != 2 {
            return Err(wrong());
        }
        let text = pair.get_item(0)?.cast_into::<PyString>().map_err(|_| wrong())?;
        let next = pair.get_item(1)?.extract::<isize>().map_err(|error| as_wrong(py, error, wrong()))?;
        let object = exception.getattr("object")?;
        let object =
            object.cast_into::<PyBytes>().map_err(|_| PyTypeError::new_err("object attribute must be bytes"))?;
        Ok((text, next, object))
    }
}

/// A number that is out of bounds stays that; what is not a number is of the wrong type.
pub(crate) fn as_wrong(py: Python<'_>, error: PyErr, wrong: PyErr) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) { wrong } else { PyIndexError::new_err(error.to_string()) }
}
