//! Bytes into a string.

use std::ffi::CString;
use std::fmt::Write;
use std::ops::ControlFlow;

use engine::diagnose::Diagnosis;
use engine::{Encoding, Error, ErrorKind, Policy, Practice, Standard, Status, Transcoder};
use pyo3::exceptions::{PyTypeError, PyUnicodeDecodeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::handlers::{Handler, as_wrong, position};
use crate::ill_formed::{SHORT, around_ascii, ill_formed_utf8, long_ill_formed_utf8, short_ill_formed_utf8};
use crate::names::{Errors, Named};
use crate::pieces::{Next, push_utf16};
use crate::replacing::{Replaced, Walk, replaced, stand_in};
use crate::strings::{
    Failure, short_ascii, string_of_ascii, string_of_pairs_by_table, string_of_table, string_of_utf8, string_of_utf16,
    string_of_utf32, well_formed,
};
use crate::tables;
use crate::unicode::{SIGNALS, Text, apart, in_steps, object_of, string_of_latin1, string_of_values};

pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The first piece after an error, in bytes; each one without an error is followed by a larger one.
pub(crate) const WINDOW: usize = 256;

/// Text, the number of bytes that it took, and the state of the decoder after them.
pub(crate) struct Part<'py> {
    pub(crate) text: Bound<'py, PyString>,
    pub(crate) taken: usize,
    pub(crate) state: u32,
}

/// The text of `src`.
#[inline]
pub(crate) fn decode<'py>(
    src: &Bound<'py, PyBytes>,
    named: Named,
    errors: Errors<'_>,
) -> PyResult<Bound<'py, PyString>> {
    if named != Named::UTF_8 {
        return decode_other(src, named, errors);
    }
    match utf_8_at_once(src, errors) {
        Ok(text) => Ok(text),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::IllFormed(_)) => Decoding::new(named).ill_formed(src.clone(), 0, errors).map(|part| part.text),
    }
}

/// The text of UTF-8, if it is well-formed, or short and the handler one that looks at one error at a time.
#[inline]
fn utf_8_at_once<'py>(src: &Bound<'py, PyBytes>, errors: Errors<'_>) -> Result<Bound<'py, PyString>, Failure> {
    let bytes = src.as_bytes();
    if errors != Errors::Strict
        && bytes.len() <= SHORT
        && !short_ascii(bytes)
        && let Some(text) = short_ill_formed_utf8(src.py(), bytes, errors)?
    {
        return Ok(text);
    }
    string_of_utf8(src.py(), bytes)
}

/// The text of `src` where a pass or two make it, without exceptions and handlers. `None` for any other.
#[inline]
pub(crate) fn plain<'py>(src: &Bound<'py, PyBytes>, named: Named, errors: Errors<'_>) -> Option<Bound<'py, PyString>> {
    if named != Named::UTF_8 {
        return plain_other(src, named, errors);
    }
    match utf_8_at_once(src, errors) {
        Ok(text) => Some(text),
        Err(Failure::IllFormed(_)) => long_ill_formed_utf8(src.py(), src.as_bytes(), errors).ok()?,
        Err(Failure::Python(_)) => None,
    }
}

/// As [`plain`], in any other encoding than UTF-8.
fn plain_other<'py>(src: &Bound<'py, PyBytes>, named: Named, errors: Errors<'_>) -> Option<Bound<'py, PyString>> {
    let (py, bytes) = (src.py(), src.as_bytes());
    match named.encoding {
        _ if named.with_bom => None,
        Encoding::Latin1 => string_of_latin1(py, bytes).ok(),
        Encoding::UsAscii => bytes.is_ascii().then(|| string_of_ascii(py, bytes).ok())?,
        encoding => {
            let (encoding, start) = order(encoding, bytes).unwrap_or((encoding, 0));
            let decoding = Decoding::new(Named { encoding, with_bom: false });
            let part = match at_once(py, &bytes[start..], encoding, true) {
                Some(Ok((text, _))) => return Some(text),
                Some(Err(Failure::Python(_))) => return None,
                Some(Err(Failure::IllFormed(_))) => None,
                None => decoding.converted(src, start, Policy::Strict).ok()?,
            };
            match part {
                Some(part) => Some(part.text),
                None => decoding.replaced(src, start, errors).ok()?.map(|part| part.text),
            }
        }
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
    let (encoding, start) = order(named.encoding, src.as_bytes()).unwrap_or((named.encoding, 0));
    Decoding::new(Named { encoding, with_bom: false }).decode(src, start, errors).map(|part| part.text)
}

/// The text at the front of `src`, and its length in bytes, where a pass or two make it. `None`
/// where there is no such way. Unless `last`, the source may end inside a character, which is
/// left out.
fn at_once<'py>(
    py: Python<'py>,
    src: &[u8],
    encoding: Encoding,
    last: bool,
) -> Option<Result<(Bound<'py, PyString>, usize), Failure>> {
    let whole = match encoding {
        _ if last => src,
        Encoding::Utf8 => engine::trim_partial_utf8(src),
        Encoding::Utf16Le => trim_utf16(src, u16::from_le_bytes),
        Encoding::Utf16Be => trim_utf16(src, u16::from_be_bytes),
        Encoding::Utf32Le | Encoding::Utf32Be => src.as_chunks::<4>().0.as_flattened(),
        _ => src,
    };
    let text = match encoding {
        Encoding::Utf8 => string_of_utf8(py, whole),
        Encoding::Latin1 => string_of_latin1(py, src).map_err(Failure::from),
        Encoding::UsAscii if src.is_ascii() => string_of_ascii(py, src),
        Encoding::Utf16Le => string_of_utf16(py, whole, u16::from_le_bytes),
        Encoding::Utf16Be => string_of_utf16(py, whole, u16::from_be_bytes),
        Encoding::Utf32Le => string_of_utf32(py, whole, u32::from_le_bytes),
        Encoding::Utf32Be => string_of_utf32(py, whole, u32::from_be_bytes),
        encoding if tables::is_single_byte(encoding) => string_of_table(py, src, tables::characters(encoding)?),
        Encoding::Legacy(legacy) => return Some(string_of_pairs_by_table(py, src, tables::read_pairs(legacy)?, last)),
        _ => return None,
    };
    Some(text.map(|text| (text, whole.len())))
}

/// `src` without the beginning of a unit or of a pair of surrogates at its end.
fn trim_utf16(src: &[u8], unit: impl Fn([u8; 2]) -> u16) -> &[u8] {
    let (units, _) = src.as_chunks::<2>();
    match units {
        [front @ .., end] if engine::internal::utf16::is_high(unit(*end)) => front.as_flattened(),
        units => units.as_flattened(),
    }
}

/// The conversion of bytes, or of a part of a text, into a string.
#[derive(Clone, Copy)]
pub(crate) struct Decoding {
    pub(crate) named: Named,
    pub(crate) state: u32,
    /// Nothing follows.
    pub(crate) last: bool,
}

impl Decoding {
    /// The conversion of a whole text. Its encoding has a stated byte order.
    pub(crate) fn new(named: Named) -> Decoding {
        Decoding::part(named, true, 0)
    }

    /// The conversion of a part, after the one that returned `state`.
    pub(crate) fn part(named: Named, last: bool, state: u32) -> Decoding {
        Decoding { named, state, last }
    }

    /// To WTF-16 from an encoding that can have surrogates, to UTF-16 where the library has that way, or to UTF-8.
    pub(crate) fn transcoder(&self, policy: Policy) -> Transcoder {
        let to = match self.named.encoding {
            encoding if has_surrogates(encoding) => WTF16_NATIVE,
            _ if self.named.has_state() => Encoding::UTF16_NATIVE,
            _ => Encoding::Utf8,
        };
        Transcoder::new(self.named.encoding, to, policy).with_source_state(self.state)
    }

    /// The text of `src` from `start` on.
    pub(crate) fn decode<'py>(
        self,
        src: &Bound<'py, PyBytes>,
        start: usize,
        errors: Errors<'_>,
    ) -> PyResult<Part<'py>> {
        let py = src.py();
        match at_once(py, &src.as_bytes()[start..], self.named.encoding, self.last) {
            Some(Ok((text, len))) => return Ok(Part { text, taken: start + len, state: self.state }),
            Some(Err(Failure::Python(error))) => return Err(error),
            Some(Err(Failure::IllFormed(_))) | None => {}
        }
        if self.named != Named::UTF_8
            && let Some(part) = self.converted(src, start, Policy::Strict)?
        {
            return Ok(part);
        }
        self.ill_formed(src.clone(), start, errors)
    }

    /// The text of `src` from `start` on by the library. `None` if it stops at an error.
    fn converted<'py>(&self, src: &Bound<'py, PyBytes>, start: usize, policy: Policy) -> PyResult<Option<Part<'py>>> {
        let (py, bytes) = (src.py(), &src.as_bytes()[start..]);
        let (mut transcoder, mut text, mut rest) = (self.transcoder(policy), Vec::new(), bytes);
        let is_read = in_steps(py, bytes.len(), || {
            let (some, after) = rest.split_at(rest.len().min(SIGNALS));
            rest = after;
            let step = transcoder.transcode_to_vec(some, &mut text, self.last && rest.is_empty());
            match matches!(step.status, Status::InputEmpty) {
                true if !rest.is_empty() => ControlFlow::Continue(()),
                is_read => ControlFlow::Break(is_read),
            }
        })?;
        if !is_read {
            return Ok(None);
        }
        let text = if has_surrogates(self.named.encoding) {
            let mut values = Vec::new();
            push_utf16(&mut values, &text);
            string_of_values(py, values)?
        } else if self.named.has_state() {
            well_formed(string_of_utf16(py, &text, u16::from_ne_bytes))?
        } else {
            well_formed(string_of_utf8(py, &text))?
        };
        let taken = start + bytes.len() - transcoder.undecided_len();
        Ok(Some(Part { text, taken, state: transcoder.source_state() }))
    }

    /// As [`replaced`], the text of `src` from `start` on.
    fn replaced<'py>(
        &self,
        src: &Bound<'py, PyBytes>,
        start: usize,
        errors: Errors<'_>,
    ) -> PyResult<Option<Part<'py>>> {
        let py = src.py();
        let bytes = src.as_bytes().get(start..).unwrap_or_default();
        let part = |done: Replaced| {
            let text = string_of_values(py, done.values)?;
            Ok(Part { text, taken: start + done.taken, state: done.state })
        };
        replaced(py, bytes, *self, errors)?.map(part).transpose()
    }

    /// The text of `src` from `start` on, where it is ill-formed.
    fn ill_formed<'py>(self, src: Bound<'py, PyBytes>, start: usize, errors: Errors<'_>) -> PyResult<Part<'py>> {
        let py = src.py();
        if self.named == Named::UTF_8 {
            let bytes = src.as_bytes().get(start..).unwrap_or_default();
            if errors == Errors::Replace
                && bytes.len() > SIGNALS
                && let Some(part) = self.converted(&src, start, Policy::Replace(Practice::MaximalSubpart))?
            {
                return Ok(part);
            }
            let whole = if self.last { bytes } else { engine::trim_partial_utf8(bytes) };
            if let Some(text) = ill_formed_utf8(py, whole, errors)? {
                return Ok(Part { text, taken: start + whole.len(), state: self.state });
            }
        }
        if self.named.encoding == Encoding::UsAscii
            && let Some(text) = around_ascii(py, src.as_bytes().get(start..).unwrap_or_default(), errors)
        {
            return Ok(Part { text: well_formed(text)?, taken: src.as_bytes().len(), state: self.state });
        }
        if let Some(part) = self.replaced(&src, start, errors)? {
            return Ok(part);
        }
        let policy = match errors {
            // Not all that UTF-8 lacks is an error.
            _ if self.named.encoding == Encoding::Utf8Rfc2044 => return self.handled(src, start, errors),
            // Halves of a pair with an error between them stay two.
            Errors::Ignore if has_surrogates(self.named.encoding) => return self.handled(src, start, errors),
            Errors::Replace => Policy::Replace(Practice::MaximalSubpart),
            Errors::Ignore => Policy::Skip,
            _ => return self.handled(src, start, errors),
        };
        match self.converted(&src, start, policy)? {
            Some(part) => Ok(part),
            None => self.handled(src, start, errors),
        }
    }

    /// The text of `src` from `start` on, error by error.
    fn handled<'py>(self, src: Bound<'py, PyBytes>, start: usize, errors: Errors<'_>) -> PyResult<Part<'py>> {
        let py = src.py();
        let mut src = src;
        if errors == Errors::Strict && self.named == Named::UTF_8 && self.last {
            let bytes = &src.as_bytes()[start..];
            if let Err(error) = apart(py, bytes.len(), || engine::from_utf8(bytes).map(|_| ())) {
                return Err(exception(py, self.named, &src, &Place::of(error, start + error.offset()))?);
            }
        }
        let mut handler = Handler::new(errors);
        let (mut out, mut at, mut looked) = (Vec::new(), start, start);
        let mut walk = Walk::new(self);
        // A handler may change the bytes. Where no character can be cut at the end, none of the old ones are left.
        let takes_all = self.last
            || matches!(self.named.encoding, Encoding::UsAscii | Encoding::Latin1)
            || tables::is_single_byte(self.named.encoding);
        let len = src.as_bytes().len();
        loop {
            if at.abs_diff(looked) >= SIGNALS {
                py.check_signals()?;
                looked = at;
            }
            let bytes = src.as_bytes();
            let place = match apart(py, walk.len_of(bytes, at), || walk.next(bytes, at, &mut out)) {
                Next::End { at } => {
                    let taken = if takes_all { len } else { at };
                    return Ok(Part { text: string_of_values(py, out)?, taken, state: walk.state() });
                }
                Next::Piece { at: next } => {
                    at = next;
                    continue;
                }
                Next::IllFormed { start, len, kind } => Place { start, end: start + len, kind },
            };
            let ill_formed = bytes.get(place.start..place.end).unwrap_or_default();
            match handler.errors {
                // Each is a value of RFC 2044, also beside its other half.
                _ if self.named.encoding == Encoding::Utf8Rfc2044
                    && surrogate(self.named.encoding, ill_formed).is_some() =>
                {
                    out.extend(surrogate(self.named.encoding, ill_formed));
                }
                Errors::Replace | Errors::Ignore | Errors::BackslashReplace | Errors::SurrogateEscape => {
                    let Some(count) = stand_in(ill_formed, handler.errors, &mut out) else {
                        return Err(exception(py, self.named, &src, &place)?);
                    };
                    at = place.start + count;
                    continue;
                }
                Errors::SurrogatePass if surrogate(self.named.encoding, ill_formed).is_some() => {
                    out.extend(surrogate(self.named.encoding, ill_formed));
                }
                _ => {
                    if !self.last && self.is_cut_surrogate(&bytes[place.start..]) {
                        return Ok(Part { text: string_of_values(py, out)?, taken: place.start, state: walk.state() });
                    }
                    let (replacement, next, object) = handler.decoded(py, self.named, &src, &place)?;
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
    }

    /// How many bytes are converted at once after an error, because there may be many and each conversion
    /// prepares memory for all of its text. A run of base64 is not cut: its state has no number.
    pub(crate) fn window(&self) -> usize {
        match self.named.encoding {
            Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => usize::MAX,
            _ => WINDOW,
        }
    }

    /// True if all that is left is the front of a surrogate in UTF-8. That is an error at once,
    /// but Python's `surrogatepass` wants all of it.
    fn is_cut_surrogate(&self, rest: &[u8]) -> bool {
        self.named == Named::UTF_8 && matches!(rest, [0xED] | [0xED, 0xA0..=0xBF])
    }
}

/// An error and its place in the whole source.
pub(crate) struct Place {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: ErrorKind,
}

impl Place {
    fn of(error: Error, start: usize) -> Place {
        Place { start, end: start + error.len(), kind: error.kind() }
    }
}

pub(crate) const WTF16_NATIVE: Encoding =
    if cfg!(target_endian = "little") { Encoding::Wtf16Le } else { Encoding::Wtf16Be };

/// True for the encodings in which a surrogate is a code point like others.
pub(crate) fn has_surrogates(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Wtf8 | Encoding::Wtf16Le | Encoding::Wtf16Be)
}

/// True for the encodings whose surrogates have three bytes each, paired or, as Java writes them, alone.
/// Python's handler `surrogatepass` does not know them.
pub(crate) fn has_pairs(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Cesu8 | Encoding::Mutf8)
}

/// The surrogate that three bytes are in CESU-8, modified UTF-8 and RFC 2044.
fn surrogate(encoding: Encoding, bytes: &[u8]) -> Option<u32> {
    match *bytes {
        [0xED, second @ 0xA0..=0xBF, third] if has_pairs(encoding) || encoding == Encoding::Utf8Rfc2044 => {
            Some(0xD000 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F))
        }
        _ => None,
    }
}

/// The byte order by the BOM, and the length of that; big-endian without one. `None` for an
/// encoding with a stated order, or without any.
pub(crate) fn order(encoding: Encoding, bytes: &[u8]) -> Option<(Encoding, usize)> {
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

fn push_string(out: &mut Vec<u32>, string: &Bound<'_, PyString>) -> PyResult<()> {
    let text = Text::of(string)?;
    out.extend((0..text.len()).filter_map(|at| text.at(at)));
    Ok(())
}

/// The exception for an error: the place as Python has it, the reason in the library's words.
fn exception<'py>(py: Python<'py>, named: Named, src: &Bound<'py, PyBytes>, place: &Place) -> PyResult<PyErr> {
    exception_object(py, named, src, place).map(PyErr::from_value)
}

fn exception_object<'py>(
    py: Python<'py>,
    named: Named,
    src: &Bound<'py, PyBytes>,
    place: &Place,
) -> PyResult<Bound<'py, PyAny>> {
    exception_for(py, named, src, place, reason(named.encoding, src.as_bytes(), place))
}

fn exception_for<'py>(
    py: Python<'py>,
    named: Named,
    src: &Bound<'py, PyBytes>,
    place: &Place,
    reason: String,
) -> PyResult<Bound<'py, PyAny>> {
    let kind = py.get_type::<PyUnicodeDecodeError>();
    match named {
        Named::UTF_8 => kind.call1((intern!(py, "utf-8"), src, place.start, place.end, reason)),
        named => kind.call1((named.name(), src, place.start, place.end, reason)),
    }
}

/// The exception for the first error of UTF-8, which may be known already. `None` if there is no error.
#[cold]
pub(crate) fn utf_8_exception<'py>(
    src: &Bound<'py, PyBytes>,
    known: Option<Error>,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (py, bytes) = (src.py(), src.as_bytes());
    let search = || apart(py, bytes.len(), || engine::from_utf8(bytes).map(|_| ())).err();
    let is_of_the_text =
        |error: &Error| !matches!(error.kind(), ErrorKind::OutputTooSmall | ErrorKind::Unrepresentable);
    let error = known.filter(is_of_the_text).or_else(search)?;
    Some(exception_object(py, Named::UTF_8, src, &Place::of(error, error.offset())))
}

fn reason(encoding: Encoding, src: &[u8], place: &Place) -> String {
    match diagnosis(encoding, src, place) {
        Some(diagnosis) => described(&diagnosis),
        None => short_reason(place),
    }
}

/// What is wrong, where the bytes alone tell.
fn diagnosis(encoding: Encoding, src: &[u8], place: &Place) -> Option<Diagnosis> {
    if (Named { encoding, with_bom: false }).has_state() {
        return None;
    }
    let rest = src.get(place.start..)?;
    Diagnosis::of(&rest[..rest.len().min(64)], encoding, Standard::Rfc3629)
}

fn described(diagnosis: &Diagnosis) -> String {
    // Most are shorter, and to grow takes as long as to write one.
    let mut text = String::with_capacity(128);
    let _ = write!(text, "{diagnosis}");
    text
}

fn short_reason(place: &Place) -> String {
    match place.kind {
        ErrorKind::Unrepresentable => "a value above U+10FFFF, which no string has".to_owned(),
        kind => kind.name().replace('-', " "),
    }
}

impl Handler<'_> {
    /// The text that a registered handler returns, where the source continues, and in which
    /// bytes.
    fn decoded<'py>(
        &mut self,
        py: Python<'py>,
        named: Named,
        src: &Bound<'py, PyBytes>,
        place: &Place,
    ) -> PyResult<(Bound<'py, PyString>, isize, Bound<'py, PyBytes>)> {
        let diagnosis = diagnosis(named.encoding, src.as_bytes(), place);
        let text = match self.last.take() {
            Some((last, text)) if Some(last) == diagnosis => text,
            // Without a null byte, which no description has.
            _ => CString::new(diagnosis.as_ref().map_or_else(|| short_reason(place), described))?,
        };
        let new = |reason: &str| exception_for(py, named, src, place, reason.to_owned());
        let exception = self.exception(py, place.start, place.end, &text, new)?;
        self.last = diagnosis.map(|diagnosis| (diagnosis, text));
        let result = self.call(py, &exception)?;
        let wrong = || PyTypeError::new_err("decoding error handler must return (str, int) tuple");
        let pair = result.cast::<PyTuple>().map_err(|_| wrong())?;
        if pair.len() != 2 {
            return Err(wrong());
        }
        let text = pair.get_item(0)?.cast_into::<PyString>().map_err(|_| wrong())?;
        let next = pair.get_item(1)?.extract::<isize>().map_err(|error| as_wrong(py, error, wrong()))?;
        let object = object_of(&exception)?;
        Ok((text, next, object))
    }
}
