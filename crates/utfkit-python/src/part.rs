//! One part of a text after the other, for Python's incremental codecs.
//!
//! A codec of Python can name its state (`getstate`) and return to it later, in another object
//! or another process: a file that is read with `tell` and `seek` does so for each piece. So
//! nothing is remembered here. Each call takes the state after the part before, a
//! number, and returns the next one ([`crate::incremental`] has the objects).
//!
//! - Decoding takes whole characters. The caller keeps the bytes of one that is not complete
//!   and brings them again. Of a run of base64 in UTF-7, which has characters that end inside a
//!   byte, nothing is taken before its end, as by Python's own decoder.
//! - Encoding takes everything (see [`crate::encoding::holds_back`]).

use engine::Encoding;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::decoding::{BOM, Decoding, Part, order};
use crate::encoding::{NEUTRAL, START, encode, is_alone, part_with_handler, plain_part, split_bom, unit_by_unit};
use crate::names::{self, Errors, Named};
use crate::source::bytes_of;
use crate::unicode::Text;
use crate::writing::Writing;

/// The state of a decoder after a BOM of the byte order in which [`encoded`] does not write. After the other BOM the
/// state is [`NEUTRAL`], and before the place for a BOM it is [`START`].
const SWAPPED: u32 = 2;

/// The first state of a decoder. `io.TextIOWrapper` goes to [`NEUTRAL`] at a position in a file that it has written.
pub(crate) fn first_state(named: Named) -> u32 {
    if named.with_bom || named.encoding.has_bom() { START } else { NEUTRAL }
}

/// The text of the complete characters of `data`, the number of bytes that it took, and the next
/// state. `None` is the first one.
#[pyfunction]
pub(crate) fn decode_part<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &Bound<'py, PyAny>,
    last: bool,
    state: Option<u32>,
) -> PyResult<(Bound<'py, PyString>, usize, u32)> {
    let named = names::encoding(Some(encoding))?;
    let state = state.unwrap_or_else(|| first_state(named));
    decoded(&*bytes_of(data)?, named, Errors::of(Some(errors))?, last, state)
}

/// As [`decode_part`].
pub(crate) fn decoded<'py>(
    data: &Bound<'py, PyBytes>,
    named: Named,
    errors: Errors<'_>,
    last: bool,
    state: u32,
) -> PyResult<(Bound<'py, PyString>, usize, u32)> {
    let (py, bytes) = (data.py(), data.as_bytes());

    if named.with_bom || named.encoding.has_bom() {
        let Some((named, start)) = begun(named, bytes, state, last) else {
            return Ok((PyString::new(py, ""), 0, state));
        };
        if named == Named::UTF_8 && start > 0 {
            // As by Python, the exception has the bytes after the BOM.
            let rest = PyBytes::new(py, &bytes[start..]);
            let Part { text, taken, .. } = Decoding::part(named, last, 0).decode(&rest, 0, errors)?;
            return Ok((text, start + taken, NEUTRAL));
        }
        let Part { text, taken, .. } = Decoding::part(named, last, 0).decode(data, start, errors)?;
        let swapped = matches!(named.encoding, Encoding::Utf16Be | Encoding::Utf32Be);
        return Ok((text, taken, if swapped { SWAPPED } else { NEUTRAL }));
    }
    if matches!(named.encoding, Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7) && !last {
        let len = before_open_run(bytes, named.encoding == Encoding::ImapUtf7);
        let front = if len == bytes.len() { data.clone() } else { PyBytes::new(py, &bytes[..len]) };
        let Part { text, state, .. } = Decoding::part(named, true, state).decode(&front, 0, errors)?;
        return Ok((text, len, state));
    }
    let Part { text, taken, state } = Decoding::part(named, last, state).decode(data, 0, errors)?;
    Ok((text, taken, state))
}

/// The encoding after a BOM, and the length of that in `bytes`. `None` if it is not known yet.
fn begun(named: Named, bytes: &[u8], state: u32, last: bool) -> Option<(Named, usize)> {
    let stated = |encoding| Named { encoding, with_bom: false };
    let named = match (named.encoding, state) {
        (Encoding::Utf16, SWAPPED) => stated(Encoding::Utf16Be),
        (Encoding::Utf32, SWAPPED) => stated(Encoding::Utf32Be),
        (Encoding::Utf16, START) if bytes.len() < 2 && !last => return None,
        (Encoding::Utf32, START) if bytes.len() < 4 && !last => return None,
        (Encoding::Utf16 | Encoding::Utf32, START) => {
            return order(named.encoding, bytes).map(|(order, bom)| (stated(order), bom));
        }
        (Encoding::Utf16 | Encoding::Utf32, _) => stated(split_bom(named.encoding).0),
        (_, START) if bytes.starts_with(BOM) => return Some((Named::UTF_8, BOM.len())),
        (_, START) if BOM.starts_with(bytes) && !last => return None,
        _ => Named::UTF_8,
    };
    Some((named, 0))
}

/// The start of the run of base64 that may continue after `bytes`, or their length. A run that
/// ends with the shift of another one belongs to it: the shift makes it an error.
fn before_open_run(bytes: &[u8], imap: bool) -> usize {
    let (shift, other) = if imap { (b'&', b',') } else { (b'+', b'/') };
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == other;
    let mut at = 0;
    while let Some(before) = bytes[at..].iter().position(|byte| *byte == shift) {
        let start = at + before;
        at = start;
        while bytes.get(at) == Some(&shift) {
            match bytes[at + 1..].iter().position(|byte| !is_base64(*byte)) {
                Some(len) => at += 1 + len,
                None => return start,
            }
        }
        at += usize::from(bytes[at] == b'-');
    }
    bytes.len()
}

/// `text` in an encoding, after the part before, and the next state. The first one is
/// [`START`].
#[pyfunction]
pub(crate) fn encode_part<'py>(
    text: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &Bound<'py, PyAny>,
    last: bool,
    state: u32,
) -> PyResult<(Bound<'py, PyBytes>, u32)> {
    encoded(names::string(text, "text")?, names::encoding(Some(encoding))?, Errors::of(Some(errors))?, last, state)
}

/// As [`encode_part`].
pub(crate) fn encoded<'py>(
    string: &Bound<'py, PyString>,
    named: Named,
    errors: Errors<'_>,
    last: bool,
    state: u32,
) -> PyResult<(Bound<'py, PyBytes>, u32)> {
    if named.with_bom {
        let named = if state & START != 0 { named } else { Named::UTF_8 };
        return Ok((encode(string, named, errors)?, NEUTRAL));
    }
    if is_alone(named) {
        return Ok((encode(string, named, errors)?, state));
    }
    let text = Text::of(string)?;
    if text.len() == 0 && !last && !named.encoding.has_bom() {
        return Ok((PyBytes::new(string.py(), b""), state));
    }
    if named.encoding.has_bom() {
        let encoding = if state & START != 0 { named.encoding } else { split_bom(named.encoding).0 };
        if let Some(bytes) = unit_by_unit(string.py(), text, encoding)? {
            return Ok((bytes, NEUTRAL));
        }
    } else if let Some(done) = plain_part(string.py(), text, named.encoding, last, state)? {
        return Ok(done);
    } else if let Some(done) = part_with_handler(string.py(), text, named.encoding, errors, last, state) {
        return Ok(done);
    }
    Writing::part(named, last, state).encode(string, text, errors)
}
