//! Checking a part of a stream before the bytes that precede it are known.

use super::checker::Checker;
use super::finding::Finding;
use super::naming::{LONGEST, Rules};
use crate::encoding::Encoding;
use crate::engine::scalar::utf8::is_continuation;
use crate::engine::scalar::utf16::is_low;
use crate::engine::small_bytes::SmallBytes;

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
        let Rules { encoding, standard } = self.rules;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::{Finding, Totals};
    use crate::standard::Standard;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    fn sequential(encoding: Encoding, standard: Standard, src: &[u8]) -> (Vec<String>, Totals) {
        let mut lines = Vec::new();
        let mut checker = Checker::new(encoding, standard);
        checker.feed(src, |f| lines.push(f.to_string()));
        checker.finish(|f| lines.push(f.to_string()));
        (lines, checker.totals())
    }

    /// Findings over parts of `stretch` bytes, each fed in chunks of `piece`.
    fn joined(
        encoding: Encoding,
        standard: Standard,
        src: &[u8],
        stretch: usize,
        piece: usize,
    ) -> (Vec<String>, Totals) {
        let mut lines = Vec::new();
        let mut push = |f: &Finding| lines.push(f.to_string());
        let mut checker = Checker::new(encoding, standard);
        for bytes in src.chunks(stretch) {
            let mut ahead = checker.ahead().expect("an encoding without states");
            let _ = bytes.chunks(piece).all(|chunk| ahead.feed(chunk));
            assert!(ahead.taken() <= bytes.len());
            let taken = checker.join(&ahead, &mut push);
            checker.feed(&bytes[taken..], &mut push);
        }
        checker.finish(&mut push);
        (lines, checker.totals())
    }

    #[test]
    fn stretches_joined_are_the_stream() {
        let pieces: [&[u8]; 12] = [
            "aß€🎉\n".as_bytes(),
            b"\n",
            b"\x80\x80\x80\x80\x80\x80\x80\x80",
            b"\xC0\xAF",
            b"\xED\xA0\xBD\xED\xB8\x80",
            b"\xED\xA0\xBD",
            b"\xED\xB8\x80",
            b"\xFD\xBF\xBF\xBF\xBF\xBF",
            b"\xFC\x80",
            b"\xF0\x9F\x8E",
            b"\x3D\xD8\x00\xDE",
            b"\0\0\xDE\xD8\0",
        ];
        let mut seed = 7u32;
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % below
        };
        for round in 0..60 {
            let mut src = Vec::new();
            while src.len() < 90 {
                let dirty = random(4) < round % 4;
                src.extend_from_slice(pieces[if dirty { random(12) } else { random(2) }]);
            }
            for encoding in [
                Encoding::Utf8,
                Encoding::UsAscii,
                Encoding::Latin1,
                Encoding::Utf16Le,
                Encoding::Utf16Be,
                Encoding::Utf32Le,
                Encoding::Utf32Be,
            ] {
                let standards = [Standard::Rfc3629, Standard::Rfc2279, Standard::Rfc2044, Standard::Kuhn];
                for standard in standards.into_iter().take(if encoding == Encoding::Utf8 { 4 } else { 1 }) {
                    let whole = sequential(encoding, standard, &src);
                    for stretch in (4..44).step_by(4).chain([5, 7, 9].into_iter().filter(|_| encoding.unit_size() == 1))
                    {
                        for piece in [1, 3, 4, stretch] {
                            let parts = joined(encoding, standard, &src, stretch, piece);
                            assert_eq!(parts, whole, "{encoding} {standard:?} {src:02X?} in {stretch}, {piece}");
                        }
                    }
                }
            }
        }
    }

    /// The head may itself arrive in chunks.
    #[test]
    fn a_head_in_pieces_is_taken() {
        let text = "🎉 1\n2";
        for (encoding, src, cut) in [
            (Encoding::Utf8, text.as_bytes().to_vec(), 1),
            (Encoding::Utf16Le, text.encode_utf16().flat_map(u16::to_le_bytes).collect(), 2),
            (Encoding::Utf16Be, text.encode_utf16().flat_map(u16::to_be_bytes).collect(), 2),
        ] {
            let (front, back) = src.split_at(cut);
            let mut checker = Checker::new(encoding, Standard::Rfc3629);
            checker.feed(front, |f| panic!("{f}"));
            let mut ahead = checker.ahead().expect("an encoding without states");
            assert!(back.chunks(cut).all(|chunk| ahead.feed(chunk)), "{encoding}");
            assert_eq!(
                (ahead.taken(), checker.join(&ahead, |f| panic!("{f}"))),
                (back.len(), back.len()),
                "{encoding}"
            );
            checker.finish(|f| panic!("{f}"));
            assert_eq!((checker.totals().lines(), checker.totals().code_points()), (1, 5), "{encoding}");
        }
    }

    #[test]
    fn what_depends_on_what_stands_before_has_no_ahead() {
        for encoding in [Encoding::Utf16, Encoding::Utf32, Encoding::Utf7, Encoding::Cesu8] {
            assert!(Checker::new(encoding, Standard::Rfc3629).ahead().is_none(), "{encoding}");
        }
        let mut checker = Checker::new(Encoding::Utf16, Standard::Rfc3629);
        checker.feed(b"\xFF\xFEa\0", |_| ());
        let mut ahead = checker.ahead().expect("the byte order is decided");
        assert!(ahead.feed(b"\n\0b\0"));
        assert_eq!(checker.join(&ahead, |_| ()), 4);
        assert_eq!((checker.totals().bytes(), checker.totals().lines(), checker.totals().code_points()), (8, 1, 3));
    }
}
