//! A string into bytes, one character after another where the encoding lacks some: with exceptions and handlers.

use std::ffi::CStr;

use engine::internal::{Encoder, is_scalar_value};
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
    /// The encoding without a BOM.
    to: Encoding,
    encoder: Encoder,
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
    pub(crate) fn new(named: Named) -> Writing {
        let (to, bom) = split_bom(named.encoding);
        Writing { named, to, encoder: Encoder::new(to), last: true, bom, is_joined: false }
    }

    /// The conversion of a part, after the one that returned `state`.
    pub(crate) fn part(named: Named, last: bool, state: u32) -> Writing {
        let mut writing = Writing { last, ..Writing::new(named) };
        if state & START == 0 {
            writing.bom = b"";
        }
        writing.is_joined = state & JOINED != 0;
        writing.encoder.set_state(state >> NUMBER);
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
            return Ok(self.with_surrogates(py, text, at, out));
        }
        // Characters that are taken one by one: after one without a form the next is near, and the library
        // prepares memory for all that it is given.
        let mut near = if holds_back(self.named.encoding) { usize::MAX } else { 0 };
        let mut calls = 0_usize;
        while at < text.len() {
            if near == 0 {
                at = self.bulk(py, text, at, &mut out);
            }
            let Some(value) = text.at(at) else { break };
            if let Some(bytes) = self.encoder.encode(value) {
                out.extend_from_slice(bytes.as_slice());
                at += 1;
                near = near.saturating_sub(1);
                continue;
            }
            let mut lacking = Lacking { start: at, end: at + 1 };
            if self.takes_runs() {
                while text.at(lacking.end).is_some_and(|value| !self.has(value)) {
                    lacking.end += 1;
                }
            }
            at = self.handle(py, string, text, &lacking, &mut handler, &mut out)?;
            near = near.max(NEAR);
            calls += 1;
            if calls.is_multiple_of(CALLS) {
                py.check_signals()?;
            }
        }
        let was_held_back = holds_back(self.named.encoding) && self.end(&mut out);
        let joined = if was_held_back { JOINED } else { 0 };
        if self.last {
            self.end(&mut out);
        }
        Ok((PyBytes::new(py, &out), self.encoder.state() << NUMBER | joined))
    }

    /// The bytes of the characters from `at` on after those in `out`, in an encoding that has surrogates.
    fn with_surrogates<'py>(
        &self,
        py: Python<'py>,
        text: Text<'_>,
        at: usize,
        mut out: Vec<u8>,
    ) -> (Bound<'py, PyBytes>, u32) {
        let units = utf16_bytes(text, at);
        let mut transcoder = Transcoder::new(WTF16_NATIVE, self.to, Policy::Strict);
        let _ = apart(py, units.len(), || transcoder.transcode_to_vec(&units, &mut out, false));
        let before = out.len();
        let _ = transcoder.transcode_to_vec(&[], &mut out, true);
        let joined = if holds_back(self.named.encoding) && before < out.len() { JOINED } else { 0 };
        (PyBytes::new(py, &out), transcoder.target_state() << NUMBER | joined)
    }

    /// Writes the characters from `at` on by the library, up to one without a form. Returns its place, or the end.
    fn bulk(&mut self, py: Python<'_>, text: Text<'_>, mut at: usize, out: &mut Vec<u8>) -> usize {
        let transcoder = Transcoder::new(source(text), self.to, Policy::Strict);
        let mut transcoder = transcoder.with_target_state(self.encoder.state());
        let mut window = WINDOW;
        while at < text.len() {
            let end = at.saturating_add(window).min(text.len());
            let piece = text.bytes(at..end);
            let step = apart(py, piece.len(), || transcoder.transcode_to_vec(piece, out, false));
            if matches!(step.status, Status::IllFormed(_)) {
                at = (at + step.read / width(text)).saturating_sub(1);
                break;
            }
            at = end;
            window = window.saturating_mul(8);
        }
        self.encoder.set_state(transcoder.target_state());
        at
    }

    /// Writes what the encoder holds back, and the way to the first set of characters. Returns true
    /// if there was any of it.
    fn end(&mut self, out: &mut Vec<u8>) -> bool {
        let before = out.len();
        out.extend_from_slice(self.encoder.finish().as_slice());
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
            _ => self.encoder.clone().encode(value).is_some(),
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
            return match self.put(written.chars().map(u32::from), out) {
                true => Ok(lacking.end),
                false => Err(self.exception(py, object, text, lacking)?),
            };
        }
        let mut reason = self.reason(text, lacking);
        reason.push('\0');
        let reason = CStr::from_bytes_until_nul(reason.as_bytes()).unwrap_or_default();
        let exception = handler.exception(py, lacking.start, lacking.end, reason, |reason| {
            self.exception_for(py, object, lacking, reason.to_owned())
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
            let mut values = (0..replacement.len()).filter_map(|at| replacement.at(at));
            if !is_taken || !self.put(&mut values, out) {
                return Err(self.exception(py, object, text, lacking)?);
            }
        }
        Ok(next)
    }

    /// Writes a replacement. False if it lacks a form as well.
    fn put(&mut self, mut values: impl Iterator<Item = u32>, out: &mut Vec<u8>) -> bool {
        values.all(|value| match self.encoder.encode(value) {
            Some(bytes) => {
                out.extend_from_slice(bytes.as_slice());
                true
            }
            None => false,
        })
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
        let encoding = self.named.encoding;
        // By hand: a handler is called with each, and to format takes a fifth of that time.
        let mut reason = String::with_capacity(64);
        if !is_scalar_value(value) {
            reason.push_str("surrogate ");
        }
        reason.push_str("U+");
        let digits = 4.max((u32::BITS - value.leading_zeros()).div_ceil(4));
        reason.extend(
            (0..digits)
                .rev()
                .filter_map(|at| char::from_digit(value >> (4 * at) & 15, 16))
                .map(|c| c.to_ascii_uppercase()),
        );
        let is_cut = holds_back(encoding) && (encoding == Encoding::Wtf8 || is_scalar_value(value));
        reason.push_str(if is_cut { " cannot follow the part before it in " } else { " has no form in " });
        reason.push_str(encoding.name());
        reason
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

/// The characters after one without a form that are taken one by one.
const NEAR: usize = 64;

/// The errors after which signals are looked at.
const CALLS: usize = 4096;

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
