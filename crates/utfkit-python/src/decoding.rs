//! Bytes into a string.

use std::ffi::CString;
use std::fmt::Write;
use std::ops::ControlFlow;

use engine::diagnose::Diagnosis;
use engine::internal::utf8::{Utf8, decode_scalar};
use engine::internal::{Decoded, Form};
use engine::{Encoding, Error, ErrorKind, Policy, Practice, Standard, Status, Transcoder};
use pyo3::exceptions::{PySystemError, PyTypeError, PyUnicodeDecodeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::handlers::{Handler, as_wrong, position};
use crate::names::{Errors, Named};
use crate::pieces::{Next, push_utf16};
use crate::replacing::{Replaced, Walk, replaced, stand_in};
use crate::strings::{
    Failure, one_by_one, short_ascii, string_of_ascii, string_of_bmp, string_of_pairs_by_table, string_of_table,
    string_of_utf8, string_of_utf16, string_of_utf32,
};
use crate::tables;
use crate::unicode::{Array, SIGNALS, Text, apart, in_steps, object_of, string_of_latin1, string_of_values};

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
        loop {
            if at.abs_diff(looked) >= SIGNALS {
                py.check_signals()?;
                looked = at;
            }
            let bytes = src.as_bytes();
            let place = match apart(py, walk.len_of(bytes, at), || walk.next(bytes, at, &mut out)) {
                Next::End { at } => {
                    return Ok(Part { text: string_of_values(py, out)?, taken: at, state: walk.state() });
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

/// The text of US-ASCII with other bytes, each of which is an error. `None` for other handlers.
fn around_ascii<'py>(py: Python<'py>, src: &[u8], errors: Errors<'_>) -> Option<Result<Bound<'py, PyString>, Failure>> {
    let or = |other: fn(u8) -> u16| {
        one_by_one(py, src, 0xFFFF, move |byte: u8| if byte.is_ascii() { byte.into() } else { other(byte) })
    };
    Some(match errors {
        Errors::Replace => or(|_| 0xFFFD),
        Errors::SurrogateEscape => or(|byte| 0xDC00 + u16::from(byte)),
        Errors::Ignore | Errors::BackslashReplace => {
            let text = apart(py, src.len(), || {
                let mut text = Vec::with_capacity(src.len());
                for run in src.chunk_by(|one, other| one.is_ascii() == other.is_ascii()) {
                    match errors {
                        _ if run[0].is_ascii() => text.extend_from_slice(run),
                        Errors::BackslashReplace => text.extend(run.iter().flat_map(|byte| escape(*byte))),
                        _ => {}
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
fn ill_formed_utf8<'py>(py: Python<'py>, src: &[u8], errors: Errors<'_>) -> PyResult<Option<Bound<'py, PyString>>> {
    if src.len() <= SHORT
        && let Some(text) = short_ill_formed_utf8(py, src, errors)?
    {
        return Ok(Some(text));
    }
    long_ill_formed_utf8(py, src, errors)
}

/// As [`ill_formed_utf8`], for any length and all characters.
fn long_ill_formed_utf8<'py>(
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
const SHORT: usize = 256;
/// From this many bytes on, a kernel takes less time than one character after the other.
const LONG: usize = 48;
/// The same before the first error, at which the kernel fails. That takes as long as some 20 characters.
const LONG_BEFORE: usize = 64;

/// As [`ill_formed_utf8`], for the handlers that write at most a unit for each byte and text up to U+FFFF. The text
/// may also be well-formed.
fn short_ill_formed_utf8<'py>(
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

/// The string of text that the library has written.
fn well_formed(made: Result<Bound<'_, PyString>, Failure>) -> PyResult<Bound<'_, PyString>> {
    match made {
        Ok(text) => Ok(text),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::IllFormed(_)) => Err(PySystemError::new_err("the library wrote ill-formed text")),
    }
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
