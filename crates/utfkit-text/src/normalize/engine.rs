//! Normalization of a stream of UTF-8: decoding, offsets of errors, segments.

use alloc::string::String;
use core::str;

use super::NormalizationForm;
use super::segment::Segment;
use utfkit_core::Error;
use utfkit_core::from_utf8;
use utfkit_core::internal::SmallBytes;
use utfkit_core::internal::utf8::{Utf8, sequence};
use utfkit_core::internal::{Decoded, Form, LONGEST, step};
use utfkit_core::{Status, Step};
use utfkit_io::internal::Operation;

/// The most bytes that [`Normalizer::push`] takes at once. Their output, at most
/// eleven times as long (U+FDFA in NFKD), is buffered.
const CHUNK: usize = 1024;

/// Takes bytes and returns normalized text.
pub(super) struct Normalizer {
    segment: Segment,
    /// Bytes taken but not decoded: an unfinished sequence, or an ill-formed one
    /// whose kind depends on the next bytes.
    pending: SmallBytes<LONGEST>,
    /// The number of bytes of the stream before the pending ones.
    read: usize,
    /// The number of bytes of normalized text so far.
    written: usize,
    /// Normalized text; the first `given` bytes of it were returned.
    text: String,
    given: usize,
    /// The error that follows that text.
    error: Option<Error>,
}

impl Operation for Normalizer {
    /// Errors are those of RFC 3629; offset and `written` count from the start of
    /// the stream. An error ends a segment, so the text after it is normalized
    /// separately.
    fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        let status = loop {
            let len = self.give(&mut dst[written..]);
            written += len;
            if self.given < self.text.len() {
                break Status::OutputFull;
            }
            if let Some(error) = self.error.take() {
                break Status::IllFormed(error);
            }
            read += self.push(&src[read..], last);
            if read == src.len() && self.text.is_empty() && self.error.is_none() {
                break Status::InputEmpty;
            }
        };
        step(read, written, status)
    }
}

impl Normalizer {
    pub(super) fn new(form: NormalizationForm) -> Normalizer {
        Normalizer {
            segment: Segment::new(form),
            pending: SmallBytes::new(),
            read: 0,
            written: 0,
            text: String::new(),
            given: 0,
            error: None,
        }
    }

    /// Moves text to `dst` up to its capacity. Returns the number of bytes.
    fn give(&mut self, dst: &mut [u8]) -> usize {
        let rest = &self.text.as_bytes()[self.given..];
        let len = rest.len().min(dst.len());
        dst[..len].copy_from_slice(&rest[..len]);
        self.given += len;
        len
    }

    /// Takes bytes from the front of `src`. `text`, all of which was returned,
    /// becomes the next final text, and `error` the error after it. Returns the
    /// number of bytes taken.
    ///
    /// Takes at least one byte or finds an error, if there are bytes, or if some
    /// are pending and `last` is set. Once all are taken and `last` is set, the
    /// text is ended.
    fn push(&mut self, src: &[u8], last: bool) -> usize {
        let mut out = core::mem::take(&mut self.text);
        out.clear();
        self.given = 0;
        let (taken, error) = self.decode(src, last, &mut out);
        if error.is_some() || (last && taken == src.len() && self.pending.is_empty()) {
            self.segment.end(&mut out);
        }
        self.written += out.len();
        self.error = error.map(|error| error.with_written(self.written));
        self.text = out;
        taken
    }

    fn decode(&mut self, src: &[u8], last: bool, out: &mut String) -> (usize, Option<Error>) {
        if !self.pending.is_empty() {
            return self.decode_pending(src, last, out);
        }
        let chunk = &src[..src.len().min(CHUNK)];
        let Err(error) = from_utf8(chunk).map(|text| self.segment.push(text, out)) else {
            self.read += chunk.len();
            return (chunk.len(), None);
        };
        let (text, rest) = chunk.split_at(error.offset());
        self.segment.push(from_utf8(text).unwrap_or_default(), out);
        self.read += text.len();
        if sequence(rest).open && !(last && chunk.len() == src.len()) {
            self.pending.set(rest);
            return (chunk.len(), None);
        }
        let error_here = error.shifted(self.read - text.len());
        self.read += error.len();
        (text.len() + error.len(), Some(error_here))
    }

    /// Decodes one sequence that begins in the pending bytes.
    fn decode_pending(&mut self, src: &[u8], last: bool, out: &mut String) -> (usize, Option<Error>) {
        let pending = self.pending.len();
        let joined: SmallBytes<LONGEST> = self.pending.joined(src);
        let bytes = joined.as_slice();
        let (len, error) = match Utf8::decode(bytes) {
            Decoded::Value { len, .. } | Decoded::StateChange { len } => {
                self.segment.push(str::from_utf8(&bytes[..len]).unwrap_or_default(), out);
                (len, None)
            }
            Decoded::Unfinished { kind, len } if last => (len, Some(Error::unfinished(self.read, len, kind))),
            Decoded::IllFormed { kind, len } if last || !sequence(bytes).open => {
                (len, Some(Error::new(self.read, len, kind)))
            }
            // The bytes hold more than the longest sequence, so an open sequence
            // includes all of `src`.
            Decoded::Unfinished { .. } | Decoded::IllFormed { .. } => {
                self.pending = joined;
                return (bytes.len() - pending, None);
            }
        };
        self.read += len;
        self.pending.drop_front(len.min(pending));
        (len.saturating_sub(pending), error)
    }
}
