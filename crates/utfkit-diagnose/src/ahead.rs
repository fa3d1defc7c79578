//! Checking a part of a stream before the bytes that precede it are known.

use crate::checker::Checker;
use crate::finding::Finding;
use crate::naming::LONGEST;
use utfkit_core::Encoding;
use utfkit_core::internal::SmallBytes;
use utfkit_core::internal::utf8::is_continuation;
use utfkit_core::internal::utf16::is_low;

/// Checks a part of a stream before a [`Checker`] reaches it, on another thread.
///
/// It stops at the first error. [`Checker::join`] takes over everything before
/// that error and continues there, so the result equals that of one checker that
/// was fed the whole stream, wherever the parts were cut.
///
/// # Cost
///
/// That of a [`Checker`] on well-formed text; joining costs next to nothing.
///
/// ```
/// use utfkit::diagnose::{Ahead, Checker};
/// use utfkit::{Encoding, Standard};
///
/// // Cut inside the sequence E2 82 AC.
/// let (front, back) = (b"10 \xE2\x82", b"\xAC\n20 \xC0\xAF\n");
/// let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
/// let mut ahead = checker.ahead().unwrap();
/// assert!(ahead.feed(&back[..4]));
/// assert!(!ahead.feed(&back[4..])); // contains an error, so nothing of it was taken
///
/// let mut places = Vec::new();
/// checker.feed(front, |_| ());
/// let taken = checker.join(&ahead, |_| ());
/// checker.feed(&back[taken..], |finding| places.push((finding.line(), finding.column())));
/// assert_eq!((taken, places), (4, vec![(2, 4)]));
/// ```
#[derive(Clone, Debug)]
pub struct Ahead {
    encoding: Encoding,
    /// The bytes that end a character which began before this part.
    head: SmallBytes<LONGEST>,
    /// True once the head is complete.
    begun: bool,
    /// True once an error was met.
    ended: bool,
    /// Checks from the end of the head to the first error.
    checker: Checker,
    taken: usize,
}

impl Ahead {
    /// `checker` has seen nothing, and its encoding needs no context.
    #[inline]
    fn new(encoding: Encoding, checker: Checker) -> Ahead {
        Ahead { encoding, head: SmallBytes::new(), begun: false, ended: false, checker, taken: 0 }
    }

    /// Checks the next bytes. Returns false if they contain an error or may
    /// contain one; then it takes nothing of `chunk` or of any later chunk.
    #[must_use = "false says that something is wrong, or could be"]
    #[inline]
    pub fn feed(&mut self, chunk: &[u8]) -> bool {
        if self.ended {
            return false;
        }
        let before = (self.head, self.checker.clone());
        let mut rest = chunk;
        if !self.begun {
            while self.head.len() < LONGEST && self.continues(rest) {
                let (unit, after) = rest.split_at(self.encoding.unit_size());
                self.head.push(unit);
                rest = after;
            }
            self.begun = !rest.is_empty();
        }
        self.checker.feed(rest, |_| self.ended = true);
        if self.ended {
            (self.head, self.checker) = before;
        } else {
            self.taken += chunk.len();
        }
        !self.ended
    }

    /// The number of bytes taken.
    #[inline]
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// True if `bytes` begin inside a character that started before them.
    #[inline]
    fn continues(&self, bytes: &[u8]) -> bool {
        match (self.encoding, bytes) {
            (Encoding::UsAscii | Encoding::Latin1, _) => false,
            (Encoding::Utf16Le, &[low, high, ..]) => self.head.is_empty() && is_low(u16::from_le_bytes([low, high])),
            (Encoding::Utf16Be, &[high, low, ..]) => self.head.is_empty() && is_low(u16::from_be_bytes([high, low])),
            (Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf32Le | Encoding::Utf32Be, _) => false,
            (_, &[byte, ..]) => is_continuation(byte),
            (_, []) => false,
        }
    }
}

impl Checker {
    /// Returns a checker for a later part of this stream, which must begin at a
    /// unit boundary.
    ///
    /// `None` if the meaning of its bytes depends on earlier bytes: in an
    /// encoding with states, and before the front of the stream has decided the
    /// byte order.
    #[inline]
    #[doc(hidden)]
    pub fn ahead(&self) -> Option<Ahead> {
        let (encoding, standard) = (self.rules.encoding(), self.rules.standard);
        let decided = self.settled || !encoding.has_bom();
        (decided && !self.rules.by_value()).then(|| Ahead::new(encoding, Checker::new(encoding, standard)))
    }

    /// Takes over the bytes that `ahead` has checked, as if they were fed. `ahead`
    /// must be of this stream and begin where the last byte that was fed ends.
    ///
    /// Returns the number of these bytes; feed the bytes after them next. After
    /// an error at the cut that is nearly all of the part.
    #[inline]
    #[doc(hidden)]
    pub fn join(&mut self, ahead: &Ahead, found: impl FnMut(&Finding)) -> usize {
        let before = ahead.head.len();
        if before > 0 {
            self.feed(ahead.head.as_slice(), found);
        }
        let other = &ahead.checker;
        if !self.pending.is_empty() || self.rules != other.rules {
            return before;
        }
        self.settled |= other.settled;
        self.position.join(&other.position);
        self.pending = other.pending;
        ahead.taken()
    }
}
