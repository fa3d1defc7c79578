//! Text piece by piece, up to an error and after it.

use engine::{ErrorKind, Policy, Status, Transcoder};

use crate::decoding::{Decoding, has_surrogates};

/// The conversion of one piece after another into code points.
pub(crate) struct Pieces {
    decoding: Decoding,
    transcoder: Transcoder,
    text: Vec<u8>,
    window: usize,
}

/// The result of one step.
pub(crate) enum Next {
    /// A piece, and more from `at` on.
    Piece { at: usize },
    /// The last piece; a character that is cut at the end, from `at` on, is not taken.
    End { at: usize },
    /// An error of `len` bytes at `start`, after the text before it.
    IllFormed { start: usize, len: usize, kind: ErrorKind },
}

impl Pieces {
    pub(crate) fn new(decoding: Decoding) -> Pieces {
        let transcoder = decoding.transcoder(Policy::Strict);
        Pieces { window: decoding.window(), decoding, transcoder, text: Vec::new() }
    }

    /// The state after the last step.
    pub(crate) fn state(&self) -> u32 {
        self.transcoder.source_state()
    }

    /// The number of bytes from `at` on that [`next`](Pieces::next) will look at.
    pub(crate) fn len_of(&self, src: &[u8], at: usize) -> usize {
        src.len().saturating_sub(at).min(self.window)
    }

    /// Appends the text of the next piece, which begins at `at`, to `out`.
    pub(crate) fn next(&mut self, src: &[u8], at: usize, out: &mut Vec<u32>) -> Next {
        let encoding = self.decoding.named.encoding;
        let push = if has_surrogates(encoding) || self.decoding.named.has_state() { push_utf16 } else { push_utf8 };
        self.text.clear();
        let rest = src.get(at..).unwrap_or_default();
        let piece = &rest[..rest.len().min(self.window)];
        let is_all = piece.len() == rest.len();
        let step = self.transcoder.transcode_to_vec(piece, &mut self.text, self.decoding.last && is_all);
        push(out, &self.text);
        if let Status::IllFormed(error) = step.status {
            self.window = self.decoding.window();
            let start = (at + step.read).saturating_sub(error.len());
            return Next::IllFormed { start, len: error.len(), kind: error.kind() };
        }
        let taken = at + piece.len() - self.transcoder.undecided_len();
        if is_all {
            return Next::End { at: taken };
        }
        // The beginning of a character is read again, in a larger piece.
        let state = self.transcoder.source_state();
        self.transcoder = self.decoding.transcoder(Policy::Strict).with_source_state(state);
        self.window = self.window.saturating_mul(8);
        Next::Piece { at: taken }
    }
}

/// Appends the code points of well-formed UTF-8.
fn push_utf8(out: &mut Vec<u32>, text: &[u8]) {
    let start = out.len();
    out.resize(start + engine::count_code_points(text), 0);
    let written = engine::utf8_to_utf32(text, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}

/// Appends the code points of UTF-16 in native byte order, surrogates without their other half
/// included.
pub(crate) fn push_utf16(out: &mut Vec<u32>, text: &[u8]) {
    let units = text.as_chunks::<2>().0.iter().map(|bytes| u16::from_ne_bytes(*bytes));
    out.extend(char::decode_utf16(units).map(|c| c.map_or_else(|error| error.unpaired_surrogate().into(), u32::from)));
}
