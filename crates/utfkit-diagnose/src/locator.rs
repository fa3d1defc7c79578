//! The line and column of the error that stopped a conversion.

use crate::finding::{Diagnosis, Finding};
use crate::naming::{LONGEST, Named, Rules, by_bom};
use crate::position::Position;
use utfkit_core::Encoding;
use utfkit_core::Standard;
use utfkit_core::internal::SmallBytes;
use utfkit_core::internal::{self, Decoded, Decoder};
use utfkit_core::{Error, ErrorKind};

/// The most bytes by which an error can precede the converter's place: the bytes
/// of a cut sequence that are pending in the converter.
const BACK: usize = internal::LONGEST;

/// Follows the source of a strict conversion and describes its error.
///
/// It counts lines on the way, because a pipe cannot be read again, and decodes
/// nothing until there is an error.
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
    /// The bytes of a BOM that have not arrived yet.
    skip: usize,
    /// Bytes of the stream that were not given to the converter.
    withheld: u64,
    /// The place [`BACK`] bytes before the end of the passed bytes.
    position: Position,
    /// A decoder at that place, for an encoding that only a decoder can count.
    follower: Follower,
    tail: SmallBytes<BACK>,
}

impl Locator {
    /// A locator at the start of a conversion from `source` to `target`.
    #[inline]
    pub fn new(source: Encoding, target: Encoding) -> Locator {
        Locator {
            rules: Rules::new(source, Standard::Rfc3629),
            target,
            settled: false,
            skip: 0,
            withheld: 0,
            position: Position::start(Rules::new(source, Standard::Rfc3629).encoding()),
            follower: Follower::new(source),
            tail: SmallBytes::new(),
        }
    }

    /// The same place in a stream whose bytes so far were US-ASCII, and are in `source`
    /// from here on: another conversion, which counts from 0.
    #[doc(hidden)]
    #[must_use]
    pub fn continued_in(self, source: Encoding) -> Locator {
        let new = Locator::new(source, self.target);
        Locator {
            settled: true,
            withheld: self.position.offset + self.tail.len() as u64,
            position: self.position.in_encoding(new.rules.encoding()),
            tail: self.tail,
            ..new
        }
    }

    /// Advances over `chunk`, which the converter took whole and without an
    /// error.
    #[inline]
    pub fn pass(&mut self, chunk: &[u8]) {
        let excess = (self.tail.len() + chunk.len()).saturating_sub(BACK);
        let of_tail = excess.min(self.tail.len());
        let (passed, rest) = chunk.split_at(excess - of_tail);
        if excess > 0 {
            let tail = self.tail;
            self.settle(tail.as_slice(), chunk);
            self.advance(&tail.as_slice()[..of_tail]);
            self.advance(passed);
        }
        self.tail.drop_front(of_tail);
        self.tail.push(rest);
    }

    /// Advances over bytes that were not given to the converter, such as a
    /// removed BOM. They count for offsets and columns.
    #[inline]
    pub fn skip(&mut self, withheld: &[u8]) {
        self.pass(withheld);
        self.withheld += withheld.len() as u64;
    }

    /// Describes `error`, which the converter reported within `chunk`, the bytes
    /// after the passed ones.
    ///
    /// `chunk` should extend eight bytes beyond the error, or to the end of the
    /// stream, so that the whole sequence is described.
    #[inline]
    pub fn locate(&mut self, error: &Error, chunk: &[u8]) -> Finding {
        let mut tail = self.tail;
        self.settle(tail.as_slice(), chunk);
        let offset = error.offset() as u64 + self.withheld;
        let before = offset.saturating_sub(self.position.offset + self.follower.pending.len() as u64);
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        let of_tail = before.min(tail.len());
        let of_chunk = (before - of_tail).min(chunk.len());
        self.advance(&tail.as_slice()[..of_tail]);
        self.advance(&chunk[..of_chunk]);
        // The bytes at the error, joined from the tail and the chunk.
        tail.drop_front(of_tail);
        let front: SmallBytes<{ BACK + LONGEST }> = tail.joined(&chunk[of_chunk..]);
        let front = front.as_slice();
        self.follower.end(front, &mut self.position);

        Finding {
            offset,
            line: self.position.line(),
            column: self.position.column(),
            diagnosis: self.diagnose(error, front),
        }
    }

    #[inline]
    fn diagnose(&self, error: &Error, front: &[u8]) -> Diagnosis {
        let plain = Named { len: error.len(), kind: error.kind(), value: None, open: false };
        if front.is_empty() {
            return Diagnosis::new(self.rules, plain, front);
        }
        if error.kind() == ErrorKind::Unrepresentable {
            let value = match self.decode(front) {
                Decoded::Value { value, .. } => Some(value),
                _ => None,
            };
            return Diagnosis::unrepresentable(self.rules, Named { value, ..plain }, front, self.target);
        }
        let named = self.rules.name_decoded(self.decode(front), front, self.follower.source.is_inside());
        Diagnosis::new(self.rules, named.unwrap_or(plain), front).paired(front, None)
    }

    #[inline]
    fn decode(&self, front: &[u8]) -> Decoded {
        match self.rules.by_value() {
            true => self.follower.source.clone().decode(front, true),
            false => self.rules.decode(front),
        }
    }

    /// Decides the byte order from the front of the stream, once.
    #[inline]
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
        if let Some((encoding, bom)) = by_bom(self.rules.encoding(), &front[..len], true) {
            self.rules = self.rules.in_encoding(encoding);
            self.position = Position::start(encoding);
            self.skip = bom;
        }
    }

    #[inline]
    fn advance(&mut self, bytes: &[u8]) {
        let bom = self.skip.min(bytes.len());
        self.skip -= bom;
        self.position.skip(bom);
        if self.rules.by_value() {
            self.follower.advance(&bytes[bom..], &mut self.position);
        } else {
            self.position.advance(&bytes[bom..]);
        }
    }
}

/// Decodes the passed bytes to count them.
#[derive(Clone, Debug)]
struct Follower {
    source: Decoder,
    /// The beginning of an unfinished sequence.
    pending: SmallBytes<BACK>,
}

impl Follower {
    #[inline]
    fn new(encoding: Encoding) -> Follower {
        Follower { source: Decoder::new(encoding), pending: SmallBytes::new() }
    }

    /// Advances over `bytes`, which contain no error.
    #[inline]
    fn advance(&mut self, mut bytes: &[u8], position: &mut Position) {
        while !self.pending.is_empty() {
            if bytes.is_empty() {
                return;
            }
            let pending = self.pending.len();
            let joined: SmallBytes<BACK> = self.pending.joined(bytes);
            let joined = joined.as_slice();
            // A full buffer always suffices for a decision; `last` tells that to
            // the decoder.
            let done = self.pass(joined, pending, joined.len() == BACK, position);
            if done < pending {
                self.pending.set(&joined[done..]);
                bytes = &bytes[joined.len() - pending..];
            } else {
                self.pending.clear();
                bytes = &bytes[done - pending..];
            }
        }
        let done = self.pass(bytes, bytes.len(), false, position);
        self.pending = SmallBytes::of(&bytes[done..]);
    }

    /// The error at `after` shows that the pending bytes are complete.
    #[inline]
    fn end(&mut self, after: &[u8], position: &mut Position) {
        let joined: SmallBytes<{ 2 * BACK + LONGEST }> = self.pending.joined(after);
        self.pass(joined.as_slice(), self.pending.len(), true, position);
        self.pending.clear();
    }

    /// Counts the characters of `bytes` that begin before `until`. Returns the
    /// start of the first one not counted.
    #[inline]
    fn pass(&mut self, bytes: &[u8], until: usize, last: bool, position: &mut Position) -> usize {
        let mut at = 0;
        while at < until {
            match self.source.decode(&bytes[at..], last) {
                Decoded::Value { value, len } => {
                    position.pass_value(value, len);
                    at += len;
                }
                Decoded::StateChange { len } => {
                    position.skip(len);
                    at += len;
                }
                Decoded::Unfinished { .. } if !last => break,
                Decoded::IllFormed { len, .. } | Decoded::Unfinished { len, .. } => {
                    position.pass_ill_formed(len);
                    at += len;
                }
            }
        }
        at
    }
}
