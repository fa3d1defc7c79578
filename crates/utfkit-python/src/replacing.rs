//! Ill-formed text, error by error.
//!
//! To prepare a conversion by the library, and memory for its text, takes as long as to convert some hundred
//! characters. After an error the next one is usually near, so the characters after it are taken one by one.

use std::ops::ControlFlow;

use engine::internal::{Decoded, Decoder, is_scalar_value};
use engine::{Encoding, ErrorKind, Legacy};
use pyo3::prelude::*;

use crate::decoding::{Decoding, has_surrogates};
use crate::ill_formed::escape;
use crate::names::Errors;
use crate::pieces::{Next, Pieces};
use crate::tables::{self, Forms, Openings};
use crate::unicode::{SIGNALS, in_steps};

/// Code points, the number of bytes that they took, and the state of the decoder after them.
pub(crate) struct Replaced {
    pub(crate) values: Vec<u32>,
    pub(crate) taken: usize,
    pub(crate) state: u32,
}

/// The text of `src`, with the handlers that look at one error alone. `None` for another encoding or handler, where
/// memory is short, and where the handler refuses an error: the exception is made elsewhere.
pub(crate) fn replaced(
    py: Python<'_>,
    src: &[u8],
    decoding: Decoding,
    errors: Errors<'_>,
) -> PyResult<Option<Replaced>> {
    match errors {
        // The library has these, too.
        Errors::Replace | Errors::Ignore if src.len() <= LONGEST => {}
        Errors::BackslashReplace | Errors::SurrogateEscape => {}
        _ => return Ok(None),
    }
    let encoding = decoding.named.encoding;
    // Halves of a pair with an error between them stay two, and not all that UTF-8 lacks is an error.
    if has_surrogates(encoding) || encoding == Encoding::Utf8Rfc2044 || encoding.has_bom() {
        return Ok(None);
    }
    let (mut at, mut values) = (0, Vec::new());
    if values.try_reserve(src.len() / encoding.unit_size() + 16).is_err() {
        return Ok(None);
    }
    let mut walk = Walk::new(decoding);
    let end = in_steps(py, src.len(), || {
        let from = at;
        while at - from < SIGNALS {
            at = match walk.next(src, at, &mut values) {
                Next::Piece { at } => at,
                Next::End { at } => return ControlFlow::Break(Some(at)),
                Next::IllFormed { start, len, .. } => {
                    let ill_formed = src.get(start..start + len);
                    match ill_formed.and_then(|bytes| stand_in(bytes, errors, &mut values)) {
                        Some(taken) => start + taken,
                        None => return ControlFlow::Break(None),
                    }
                }
            };
        }
        ControlFlow::Continue(())
    })?;
    Ok(end.map(|taken| Replaced { values, taken, state: walk.state() }))
}

/// Code points take up to four times the memory of the source. Longer text is converted by way of UTF-8, if possible.
const LONGEST: usize = 32 << 20;

/// The number of bytes without an error after which the next error is probably far.
const CLEAN: usize = 128;

/// The conversion of text after errors.
pub(crate) struct Walk {
    decoding: Decoding,
    decoder: Decoder,
    /// The tables of an encoding of one or two bytes a character.
    tables: Option<(Legacy, &'static Forms, &'static Openings)>,
    /// The conversion by the library, where no error is near.
    pieces: Option<Pieces>,
}

impl Walk {
    pub(crate) fn new(decoding: Decoding) -> Walk {
        let encoding = decoding.named.encoding;
        let mut decoder = Decoder::new(encoding);
        decoder.set_state(decoding.state);
        let tables = match encoding {
            Encoding::Legacy(legacy) => tables::read_pairs(legacy)
                .zip(tables::openings(legacy))
                .map(|(characters, openings)| (legacy, characters, openings)),
            _ => None,
        };
        let pieces = goes_by_pieces(encoding).then(|| Pieces::new(decoding));
        Walk { decoding, decoder, tables, pieces }
    }

    /// The state after the last step.
    pub(crate) fn state(&self) -> u32 {
        self.pieces.as_ref().map_or_else(|| self.decoder.state(), Pieces::state)
    }

    /// The number of bytes from `at` on that [`next`](Walk::next) will look at.
    pub(crate) fn len_of(&self, src: &[u8], at: usize) -> usize {
        self.pieces.as_ref().map_or(CLEAN, |pieces| pieces.len_of(src, at))
    }

    /// Appends the text from `at` on to `out`, up to an error, or some of it.
    pub(crate) fn next(&mut self, src: &[u8], at: usize, out: &mut Vec<u32>) -> Next {
        let encoding = self.decoding.named.encoding;
        if let Some(pieces) = &mut self.pieces {
            let next = pieces.next(src, at, out);
            if !matches!(next, Next::Piece { .. }) && !goes_by_pieces(encoding) {
                self.decoder.set_state(pieces.state());
                self.pieces = None;
            }
            return next;
        }
        let (from, mut at) = (at, at);
        while at < src.len() {
            if at - from >= CLEAN && self.has_number() {
                self.pieces = Some(Pieces::new(Decoding { state: self.decoder.state(), ..self.decoding }));
                return Next::Piece { at };
            }
            if self.decoder.is_ascii_transparent() {
                let some = &src[at..src.len().min(at + CLEAN)];
                let taken = match self.tables {
                    Some((_, characters, _)) => by_table(some, characters, out),
                    None => ascii(some, out),
                };
                if taken > 0 {
                    at += taken;
                    continue;
                }
                if let Some((legacy, _, openings)) = self.tables
                    && let Some(pair) = src[at..].first_chunk()
                    && let Some((len, kind)) = openings.error(legacy, *pair)
                {
                    return Next::IllFormed { start: at, len, kind };
                }
            }
            match self.decoder.decode(&src[at..], self.decoding.last) {
                Decoded::Value { value, len } if is_scalar_value(value) => {
                    out.push(value);
                    at += len;
                }
                Decoded::Value { len, .. } => {
                    return Next::IllFormed { start: at, len, kind: ErrorKind::Unrepresentable };
                }
                Decoded::StateChange { len } => at += len,
                Decoded::Unfinished { .. } if !self.decoding.last => break,
                Decoded::Unfinished { len, kind } | Decoded::IllFormed { len, kind } => {
                    return Next::IllFormed { start: at, len, kind };
                }
            }
        }
        Next::End { at }
    }

    /// True if the state of the decoder is its number, and nothing else: not in a run of base64, or inside of a
    /// pair of Big5 that is two characters.
    fn has_number(&self) -> bool {
        match self.decoding.named.encoding {
            Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => false,
            _ => self.decoding.named.has_state() || self.decoder.is_initial(),
        }
    }
}

/// True for the encodings whose errors and surrogates a decoder of one value does not name as a
/// transcoder does.
fn goes_by_pieces(encoding: Encoding) -> bool {
    match encoding {
        Encoding::Utf8Rfc2044 | Encoding::Iso2022Utf8 | Encoding::Iso2022Utf8In(_) => true,
        encoding => has_surrogates(encoding) || encoding.has_bom(),
    }
}

/// Takes the characters of US-ASCII, and returns their number.
#[inline]
fn ascii(src: &[u8], out: &mut Vec<u32>) -> usize {
    let len = src.iter().position(|byte| !byte.is_ascii()).unwrap_or(src.len());
    out.extend(src[..len].iter().map(|byte| u32::from(*byte)));
    len
}

/// Takes characters of one byte or two, as long as the table has them, and returns the number of bytes.
#[inline]
fn by_table(src: &[u8], table: &Forms, out: &mut Vec<u32>) -> usize {
    let mut rest = src;
    while let Some((first, next)) = rest.split_first() {
        let (mut value, mut after) = (u16::from(*first), next);
        if value >= 0x80 {
            value = table[usize::from(*first)];
            if value == 0 {
                let Some((second, next)) = next.split_first() else { break };
                value = table[usize::from(u16::from_be_bytes([*first, *second]))];
                after = next;
            }
            if value == 0 {
                break;
            }
        }
        out.push(value.into());
        rest = after;
    }
    src.len() - rest.len()
}

/// Appends the replacement of an ill-formed sequence. Returns the number of its bytes that are replaced, or `None` if
/// the handler refuses it.
#[inline]
pub(crate) fn stand_in(ill_formed: &[u8], errors: Errors<'_>, values: &mut Vec<u32>) -> Option<usize> {
    match errors {
        Errors::Replace => values.push(0xFFFD),
        Errors::BackslashReplace => values.extend(ill_formed.iter().flat_map(|byte| escape(*byte)).map(u32::from)),
        Errors::SurrogateEscape => {
            // Bytes of US-ASCII have no surrogate.
            let count = ill_formed.iter().take_while(|byte| **byte >= 0x80).count();
            values.extend(ill_formed[..count].iter().map(|byte| 0xDC00 + u32::from(*byte)));
            return (count > 0).then_some(count);
        }
        _ => {}
    }
    Some(ill_formed.len())
}
