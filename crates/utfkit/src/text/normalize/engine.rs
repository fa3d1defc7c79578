//! Normalization of UTF-8 that comes in any pieces: decoding, places of
//! faults, and segments.

use alloc::string::String;
use core::str;

use super::NormalizationForm;
use super::segment::Segment;
use crate::engine::scalar::utf8::{Utf8, sequence};
use crate::engine::scalar::{Decoded, Form, LONGEST};
use crate::error::Error;
use crate::utf8::text::from_utf8;

/// The most bytes that [`Engine::push`] takes at once. They become eleven
/// times as many at most (U+FDFA in NFKD), and the output is held in memory.
const PIECE: usize = 4096;

/// Bytes in, normalized text out.
pub(super) struct Engine {
    segment: Segment,
    /// Bytes that were taken and not decoded: their sequence is unfinished, or
    /// it is ill-formed and what is wrong with it depends on what follows.
    held: [u8; LONGEST],
    held_len: usize,
    /// Bytes of the stream before those.
    read: usize,
    /// Bytes of normalized text so far.
    written: usize,
}

impl Engine {
    pub(super) fn new(form: NormalizationForm) -> Engine {
        Engine { segment: Segment::new(form), held: [0; LONGEST], held_len: 0, read: 0, written: 0 }
    }

    /// Takes bytes from the front of `src`, and appends to `out` what is
    /// final. Answers with the bytes taken, and the fault behind them, whose
    /// offset and `written` count from the start of the stream.
    ///
    /// Takes at least one byte or answers with a fault, if there are bytes or
    /// `last` says that nothing follows and some are held. When all of them
    /// are taken and `last` is set, the text is ended.
    ///
    /// A fault ends a segment: what is behind it is normalized by itself.
    pub(super) fn push(&mut self, src: &[u8], last: bool, out: &mut String) -> (usize, Option<Error>) {
        let before = out.len();
        let (taken, fault) = self.decode(src, last, out);
        if fault.is_some() || (last && taken == src.len() && self.held_len == 0) {
            self.segment.end(out);
        }
        self.written += out.len() - before;
        (taken, fault.map(|fault| fault.with_written(self.written)))
    }

    fn decode(&mut self, src: &[u8], last: bool, out: &mut String) -> (usize, Option<Error>) {
        if self.held_len > 0 {
            return self.decode_held(src, last, out);
        }
        let piece = &src[..src.len().min(PIECE)];
        let Err(error) = from_utf8(piece).map(|text| self.segment.push(text, out)) else {
            self.read += piece.len();
            return (piece.len(), None);
        };
        let (text, rest) = piece.split_at(error.offset());
        self.segment.push(from_utf8(text).unwrap_or_default(), out);
        self.read += text.len();
        if sequence(rest).open && !(last && piece.len() == src.len()) {
            self.hold(rest);
            return (piece.len(), None);
        }
        let fault = error.shifted(self.read - text.len());
        self.read += error.len();
        (text.len() + error.len(), Some(fault))
    }

    /// Decodes one sequence that begins in the bytes held.
    fn decode_held(&mut self, src: &[u8], last: bool, out: &mut String) -> (usize, Option<Error>) {
        let held_len = self.held_len;
        let mut bytes = self.held;
        let more = src.len().min(LONGEST - held_len);
        bytes[held_len..held_len + more].copy_from_slice(&src[..more]);
        let bytes = &bytes[..held_len + more];
        let (len, fault) = match Utf8::decode(bytes) {
            Decoded::Value { len, .. } | Decoded::Shift { len } => {
                self.segment.push(str::from_utf8(&bytes[..len]).unwrap_or_default(), out);
                (len, None)
            }
            Decoded::Unfinished { kind, len } if last => (len, Some(Error::unfinished(self.read, len, kind))),
            Decoded::IllFormed { kind, len } if last || !sequence(bytes).open => {
                (len, Some(Error::new(self.read, len, kind)))
            }
            // An open sequence goes to the end of the bytes, and the longest is
            // shorter than they could be: all of `src` is in them.
            Decoded::Unfinished { .. } | Decoded::IllFormed { .. } => {
                self.hold(bytes);
                return (more, None);
            }
        };
        self.read += len;
        self.hold(bytes.get(len..held_len).unwrap_or_default());
        (len.saturating_sub(held_len), fault)
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.held_len = bytes.len();
        self.held[..bytes.len()].copy_from_slice(bytes);
    }
}
