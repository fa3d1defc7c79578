//! One part of a text after the other: what Python's incremental codecs ask for.
//!
//! A codec of Python can say where it stands (`getstate`), and go back there later: a
//! file that is read with `tell` and `seek` does that with every piece. So here is no
//! object that remembers. Each call takes the *state* and returns the next one:
//! bytes, or text, that bring a new codec to the same place.
//!
//! - Decoding takes whole characters only; what is begun the caller keeps and brings again.
//!   The state is the BOM that said the byte order, or the escape sequences in force and the
//!   character after them.
//! - UTF-7 has bits of a character in the middle of a byte. Nothing is taken of a run of base64
//!   before its end, as by Python's own decoder.
//! - Encoding takes everything. The state is the text since the last character that leaves
//!   nothing pending: a letter or digit of US-ASCII, or a space.

use engine::diagnose::{Content, Pieces};
use engine::{Encoding, Policy, Practice, Standard, Transcoder};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::decoding::{Decoding, decode};
use crate::encoding::{Writing, encode};
use crate::names::{self, Errors, Named};
use crate::source::bytes_of;
use crate::unicode::Text;

/// The text of what is complete in `data`, how many bytes that are, and the next state.
#[pyfunction]
pub(crate) fn decode_part<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &Bound<'py, PyAny>,
    last: bool,
    state: &Bound<'py, PyBytes>,
) -> PyResult<(Bound<'py, PyString>, usize, Bound<'py, PyBytes>)> {
    let py = data.py();
    let named = names::encoding(Some(encoding))?;
    let errors = Errors::of(Some(errors))?;
    let data = bytes_of(data)?;
    let bytes = data.as_bytes();
    let taken =
        |len: usize| if len == bytes.len() { data.clone().into_owned() } else { PyBytes::new(py, &bytes[..len]) };
    let before = state.as_bytes();

    if named.with_bom {
        let is_begun = !before.is_empty() || bytes.len() >= 3 || !b"\xEF\xBB\xBF".starts_with(bytes);
        if !is_begun && !last {
            return Ok((PyString::new(py, ""), 0, state.clone()));
        }
        let bom = if before.is_empty() && bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let rest = PyBytes::new(py, &bytes[bom..]);
        let (text, len, _) = plain_part(&rest, Named::UTF_8, errors, last).map(|(text, len)| (text, len, ()))?;
        return Ok((text, bom + len, PyBytes::new(py, b"b")));
    }
    match named.encoding {
        Encoding::Utf16 | Encoding::Utf32 => {
            let Some((order, bom)) = order(named.encoding, bytes, before, last) else {
                return Ok((PyString::new(py, ""), 0, state.clone()));
            };
            let rest = PyBytes::new(py, &bytes[bom..]);
            let (text, len) = plain_part(&rest, Named { encoding: order, with_bom: false }, errors, last)?;
            let little = matches!(order, Encoding::Utf16Le | Encoding::Utf32Le);
            Ok((text, bom + len, PyBytes::new(py, if little { b"l" } else { b"b" })))
        }
        Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => {
            let imap = named.encoding == Encoding::ImapUtf7;
            let len = if last { bytes.len() } else { before_open_run(bytes, imap) };
            Ok((decode(&taken(len), named, errors)?, len, state.clone()))
        }
        _ if named.has_state() => {
            let len = if last { bytes.len() } else { complete(named.encoding, before, bytes) };
            let text = Decoding::new(named, last).after(before).decode(&taken(len), errors)?;
            let next = switches(named.encoding, &[before, &bytes[..len]].concat());
            Ok((text, len, PyBytes::new(py, &next)))
        }
        _ => plain_part(&data, named, errors, last).map(|(text, len)| (text, len, state.clone())),
    }
}

/// The same for an encoding without states.
fn plain_part<'py>(
    data: &Bound<'py, PyBytes>,
    named: Named,
    errors: Errors<'_>,
    last: bool,
) -> PyResult<(Bound<'py, PyString>, usize)> {
    let bytes = data.as_bytes();
    let len = match named.encoding {
        _ if last => bytes.len(),
        // The front of a surrogate is an error at once, unless a handler may want all of it.
        Encoding::Utf8 if matches!((errors, bytes), (Errors::Other(_), [.., 0xED, 0xA0..=0xBF])) => bytes.len() - 2,
        Encoding::Utf8 => engine::trim_partial_utf8(bytes).len(),
        Encoding::Latin1 | Encoding::UsAscii | Encoding::Ibm437 => bytes.len(),
        Encoding::Legacy(legacy) if legacy.is_single_byte() => bytes.len(),
        encoding => complete(encoding, b"", bytes),
    };
    let text = match len == bytes.len() {
        true => decode(data, named, errors)?,
        false => decode(&PyBytes::new(data.py(), &bytes[..len]), named, errors)?,
    };
    Ok((text, len))
}

/// The byte order, and how long the BOM is. `None` if that is not known yet.
fn order(encoding: Encoding, bytes: &[u8], state: &[u8], last: bool) -> Option<(Encoding, usize)> {
    let (little, big, size) = match encoding {
        Encoding::Utf16 => (Encoding::Utf16Le, Encoding::Utf16Be, 2),
        _ => (Encoding::Utf32Le, Encoding::Utf32Be, 4),
    };
    match state {
        b"l" => return Some((little, 0)),
        b"b" => return Some((big, 0)),
        _ => {}
    }
    if bytes.len() < size {
        return last.then_some((big, 0));
    }
    Some(match (size, bytes) {
        (2, [0xFF, 0xFE, ..]) | (4, [0xFF, 0xFE, 0, 0, ..]) => (little, size),
        (2, [0xFE, 0xFF, ..]) | (4, [0, 0, 0xFE, 0xFF, ..]) => (big, size),
        _ => (big, 0),
    })
}

/// Where the last run of base64 begins, if it may go on: everything before it is complete. Of
/// names of mailboxes, in which a run may not follow another, where the last runs in a row begin.
fn before_open_run(bytes: &[u8], imap: bool) -> usize {
    let (shift, other) = if imap { (b'&', b',') } else { (b'+', b'/') };
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == other;
    let (mut at, mut in_a_row) = (0, None);
    while at < bytes.len() {
        if bytes[at] != shift {
            in_a_row = None;
            at += 1;
            continue;
        }
        let start = *in_a_row.get_or_insert(at);
        at += 1;
        while at < bytes.len() && is_base64(bytes[at]) {
            at += 1;
        }
        if at == bytes.len() {
            return start;
        }
        if bytes[at] == b'-' {
            at += 1;
        }
        if !imap {
            in_a_row = None;
        }
    }
    in_a_row.unwrap_or(bytes.len())
}

/// No sequence that more bytes could complete is longer.
const LONGEST: usize = 16;

/// How many bytes at the front are complete: the most after which a decoder has nothing
/// pending. If the text ended there, that would change nothing.
fn complete(encoding: Encoding, before: &[u8], bytes: &[u8]) -> usize {
    let mut decoder = Transcoder::new(encoding, Encoding::Wtf8, Policy::Replace(Practice::MaximalSubpart));
    let mut text = Vec::new();
    let _ = decoder.transcode_to_vec(before, &mut text, false);
    text.clear();
    let mut len = bytes.len().saturating_sub(LONGEST);
    let mut out = [0; 4096];
    let mut front = &bytes[..len];
    while !front.is_empty() {
        front = &front[decoder.transcode(front, &mut out, false).read..];
    }
    // Nor is this a place where anything ends.
    let mut complete = None;
    loop {
        let _ = decoder.transcode_to_vec(&[], &mut text, false);
        text.clear();
        let mut ended = decoder.clone();
        let _ = ended.transcode_to_vec(&[], &mut text, true);
        if text.is_empty() {
            complete = Some(len);
        }
        text.clear();
        let Some(byte) = bytes.get(len..len + 1) else { break };
        let _ = decoder.transcode_to_vec(byte, &mut text, false);
        text.clear();
        len += 1;
    }
    complete.unwrap_or(0)
}

/// The state changes in `bytes`, each where it comes last, with the character after it: what
/// an encoding with states remembers. Without these characters the changes would follow each
/// other directly, which ISO-2022-JP takes for an error.
fn switches(encoding: Encoding, mut bytes: &[u8]) -> Vec<u8> {
    let mut pieces = Pieces::new(encoding, Standard::Rfc3629);
    let mut changes: Vec<(&[u8], &[u8])> = Vec::new();
    while let Some(piece) = pieces.read(bytes, true) {
        let len = piece.bytes().len().clamp(1, bytes.len());
        let (front, rest) = bytes.split_at(len);
        bytes = rest;
        match (piece.content(), changes.last_mut()) {
            (Content::StateChange, _) => {
                changes.retain(|(change, _)| *change != front);
                changes.push((front, b""));
            }
            (_, Some((_, next))) if next.is_empty() => *next = front,
            _ => {}
        }
    }
    changes.iter().flat_map(|(change, next)| [*change, *next]).collect::<Vec<_>>().concat()
}

/// `text` in an encoding, after what came before, and the next state.
#[pyfunction]
pub(crate) fn encode_part<'py>(
    text: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &Bound<'py, PyAny>,
    last: bool,
    state: &Bound<'py, PyString>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyString>)> {
    let named = names::encoding(Some(encoding))?;
    let errors = Errors::of(Some(errors))?;
    let string = names::string(text, "text")?;
    let takes_pairs = matches!(named.encoding, Encoding::Wtf8);
    if !named.has_state() && !takes_pairs {
        return Ok((encode(string, named, errors)?, state.clone()));
    }
    if named.with_bom {
        let named = if state.is_empty()? { named } else { Named::UTF_8 };
        return Ok((encode(string, named, errors)?, PyString::new(text.py(), " ")));
    }
    let (before, text) = (Text::of(state)?, Text::of(string)?);
    let bytes = Writing::new(named, text, last).after(before, text).encode(string, text, errors)?;
    // Once in UTF-8 it stays there, to the end.
    let outside = |at: usize| text.at(at).filter(|value| *value > 0xFF).and_then(char::from_u32);
    let next = if matches!(named.encoding, Encoding::Iso2022Utf8 | Encoding::Iso2022Utf8In(_)) && !last {
        match (before.at(0).filter(|value| *value > 0xFF), (0..text.len()).find_map(outside)) {
            (None, Some(outside)) => PyString::new(string.py(), outside.encode_utf8(&mut [0; 4])),
            _ => state.clone(),
        }
    } else if last || named.encoding.has_bom() {
        // Something was written, and nothing is pending.
        PyString::new(string.py(), " ")
    } else {
        let whole = state.add(string)?.cast_into::<PyString>()?;
        let rest = {
            let whole = Text::of(&whole)?;
            let is_resting = |at: &usize| match whole.at(*at).and_then(char::from_u32) {
                // In names of mailboxes the ends of lines are base64.
                Some('\r' | '\n') => named.encoding != Encoding::ImapUtf7,
                Some(c) => c.is_ascii_alphanumeric() || c == ' ',
                None => false,
            };
            (0..whole.len()).rev().find(is_resting).unwrap_or(0)
        };
        if rest == 0 { whole } else { whole.get_item(slice(string.py(), rest)?)?.cast_into::<PyString>()? }
    };
    Ok((bytes, next))
}

/// `[start:]`
fn slice(py: Python<'_>, start: usize) -> PyResult<Bound<'_, PyAny>> {
    py.get_type::<pyo3::types::PySlice>().call1((start, py.None()))
}
