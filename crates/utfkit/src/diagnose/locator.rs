//! From the error that stopped a conversion to the line it stands on.

use super::finding::{Diagnosis, Finding};
use super::naming::{LONGEST, Named, Rules, by_signature};
use super::position::Position;
use crate::encoding::Encoding;
use crate::error::{Error, ErrorKind};
use crate::scalar::Decoded;
use crate::standard::Standard;

/// How far behind a converter's place its error can begin, at most: what it
/// holds of a cut sequence.
const BACK: usize = 8;

/// Follows the source of a strict conversion, and names what stopped it.
///
/// It counts lines as it goes, because a pipe cannot be read again, and decodes
/// nothing until there is something to report.
///
/// ```
/// use utfkit::diagnose::Locator;
/// use utfkit::{Encoding, Policy, Status, Transcoder};
///
/// let src = b"caf\xC3\xA9\n5 \xE2\x82\xAC\n";
/// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Latin1, Policy::Strict);
/// let mut locator = Locator::new(Encoding::Utf8, Encoding::Latin1);
/// let mut out = [0; 64];
/// let step = transcoder.transcode(src, &mut out, true);
/// let Status::IllFormed(error) = step.status else { panic!() };
/// assert_eq!(
///     locator.locate(&error, src).to_string(),
///     "2:3: byte 8: E2 82 AC: unrepresentable: U+20AC \"€\" is not in ISO-8859-1"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Locator {
    rules: Rules,
    target: Encoding,
    settled: bool,
    /// The bytes of a signature that are still to come.
    skip: usize,
    /// Bytes of the stream that the converter was not given.
    withheld: u64,
    /// Stands [`BACK`] bytes behind the end of what was passed.
    position: Position,
    tail: [u8; BACK],
    tail_len: usize,
}

impl Locator {
    /// At the start of a conversion from `source` to `target`.
    pub fn new(source: Encoding, target: Encoding) -> Locator {
        Locator {
            rules: Rules { encoding: source, standard: Standard::Rfc3629 },
            target,
            settled: false,
            skip: 0,
            withheld: 0,
            position: Position::start(source),
            tail: [0; BACK],
            tail_len: 0,
        }
    }

    /// Goes on behind `chunk`, of which the converter took every byte without
    /// an error.
    pub fn pass(&mut self, chunk: &[u8]) {
        let excess = (self.tail_len + chunk.len()).saturating_sub(BACK);
        let of_tail = excess.min(self.tail_len);
        let of_chunk = excess - of_tail;
        if excess > 0 {
            let tail = self.tail;
            self.settle(&tail[..self.tail_len], chunk);
            self.advance(&tail[..of_tail]);
            self.advance(&chunk[..of_chunk]);
        }
        self.tail.copy_within(of_tail..self.tail_len, 0);
        self.tail_len -= of_tail;
        let rest = &chunk[of_chunk..];
        self.tail[self.tail_len..self.tail_len + rest.len()].copy_from_slice(rest);
        self.tail_len += rest.len();
    }

    /// Goes on behind bytes that the converter was not given, a signature
    /// that was taken away: they count for offsets and columns.
    pub fn skip(&mut self, withheld: &[u8]) {
        self.pass(withheld);
        self.withheld += withheld.len() as u64;
    }

    /// Names `error`, which the converter reported within `chunk`, the bytes
    /// behind those that were passed.
    ///
    /// `chunk` should go on for eight bytes behind the error, or to the end of
    /// the stream: a sequence that is cut there is named by what is there.
    pub fn locate(&mut self, error: &Error, chunk: &[u8]) -> Finding {
        let tail = self.tail;
        let tail = &tail[..self.tail_len];
        self.settle(tail, chunk);
        let offset = error.offset() as u64 + self.withheld;
        let before = offset.saturating_sub(self.position.offset);
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        let of_tail = before.min(tail.len());
        let of_chunk = (before - of_tail).min(chunk.len());
        self.advance(&tail[..of_tail]);
        self.advance(&chunk[..of_chunk]);
        // What is at the error, of the tail and of the chunk, in one piece.
        let mut front = [0; BACK + LONGEST];
        let (rest, more) = (&tail[of_tail..], &chunk[of_chunk..]);
        let more = &more[..more.len().min(front.len() - rest.len())];
        front[..rest.len()].copy_from_slice(rest);
        front[rest.len()..rest.len() + more.len()].copy_from_slice(more);
        let front = &front[..rest.len() + more.len()];

        Finding {
            offset,
            line: self.position.line(),
            column: self.position.column(),
            diagnosis: self.diagnose(error, front),
        }
    }

    fn diagnose(&self, error: &Error, front: &[u8]) -> Diagnosis {
        let plain = Named { len: error.len(), kind: error.kind(), value: None, open: false };
        if front.is_empty() {
            return Diagnosis::new(self.rules, plain, front);
        }
        if error.kind() == ErrorKind::Unrepresentable {
            let value = match self.rules.decode(front) {
                Decoded::Value { value, .. } => Some(value),
                _ => None,
            };
            return Diagnosis::unrepresentable(self.rules, Named { value, ..plain }, front, self.target);
        }
        Diagnosis::new(self.rules, self.rules.name(front).unwrap_or(plain), front)
    }

    /// Lets the front of the stream decide the byte order, once.
    fn settle(&mut self, tail: &[u8], chunk: &[u8]) {
        if self.settled {
            return;
        }
        self.settled = true;
        let mut front = [0; 4];
        let mut len = 0;
        for (to, from) in front.iter_mut().zip(tail.iter().chain(chunk)) {
            *to = *from;
            len += 1;
        }
        if let Some((encoding, signature)) = by_signature(self.rules.encoding, &front[..len], true) {
            self.rules.encoding = encoding;
            self.position = Position::start(encoding);
            self.skip = signature;
        }
    }

    fn advance(&mut self, bytes: &[u8]) {
        let signature = self.skip.min(bytes.len());
        self.skip -= signature;
        self.position.pass_signature(signature);
        self.position.advance(&bytes[signature..]);
    }
}
