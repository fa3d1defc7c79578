//! A string into bytes, one character after another where the encoding lacks some: with exceptions and handlers.

use engine::internal::is_scalar_value;
use engine::{Encoding, Policy, Status, Transcoder};
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::decoding::{WINDOW, WTF16_NATIVE, has_pairs};
use crate::encoding::{JOINED, NUMBER, START, can_begin_with, holds_back, split_bom};
use crate::handlers::{Handler, as_wrong, position};
use crate::names::{Errors, Named};
use crate::tables;
use crate::unicode::{Text, apart};

/// The conversion of a string, or of a part of a text, into an encoding.
pub(crate) struct Writing {
    named: Named,
    transcoder: Transcoder,
    /// Nothing follows.
    last: bool,
    /// Written before anything else: also before the text of an error handler, and where there is
    /// no text at all, as by Python's codecs.
    bom: &'static [u8],
    /// See [`JOINED`].
    is_joined: bool,
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
        if !can_begin_with(self.named.encoding, self.is_joined, text) {
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
        let reason = self.reason(text, lacking);
        let exception = handler.exception(py, lacking.start, lacking.end, reason, |reason| {
            self.exception_for(py, object, lacking, reason)
        })?;
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
            let is_taken = !out.is_empty() || can_begin_with(self.named.encoding, self.is_joined, replacement);
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
        let reason = self.reason(text, lacking);
        self.exception_for(py, object, lacking, reason).map(PyErr::from_value)
    }

    fn exception_for<'py>(
        &self,
        py: Python<'py>,
        object: &Bound<'py, PyString>,
        lacking: &Lacking,
        reason: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let exception = py.get_type::<PyUnicodeEncodeError>();
        exception.call1((self.named.name(), object, lacking.start, lacking.end, reason))
    }

    fn reason(&self, text: Text<'_>, lacking: &Lacking) -> String {
        let value = text.at(lacking.start).unwrap_or_default();
        let kind = if is_scalar_value(value) { "U+" } else { "surrogate U+" };
        match self.named.encoding {
            encoding if holds_back(encoding) && (encoding == Encoding::Wtf8 || is_scalar_value(value)) => {
                format!("{kind}{value:04X} cannot follow the part before it in {}", encoding.name())
            }
            encoding => format!("{kind}{value:04X} has no form in {}", encoding.name()),
        }
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
