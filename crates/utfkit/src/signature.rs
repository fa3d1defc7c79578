//! The signature: U+FEFF in front of a text, as it is in each encoding, and
//! what it means where (RFC 3629 section 6).
//!
//! ```
//! use utfkit::signature::{Signature, SignaturePolicy};
//!
//! let file = b"\xEF\xBB\xBFtext";
//! assert_eq!(Signature::of(file), Some(Signature::Utf8));
//!
//! // Nothing says what is in a file: the signature does, and is no part of it.
//! assert_eq!(SignaturePolicy::Unlabelled.split(file), (Some(Signature::Utf8), &b"text"[..]));
//! // A protocol that knows UTF-8 alone: U+FEFF is the character it is.
//! assert_eq!(SignaturePolicy::AlwaysUtf8.split(file), (None, &file[..]));
//! ```
//!
//! U+FEFF anywhere else than at the very beginning is ZERO WIDTH NO-BREAK
//! SPACE and nothing else. So of two of them in front the second is text.

use core::fmt;

use crate::encoding::Encoding;
#[cfg(feature = "legacy")]
use crate::legacy::Legacy;

/// U+FEFF in front of a text, in one of the encodings that can be known by it.
///
/// Some of these are encodings that this library does not read; they have a
/// name all the same, so that a person can be told.
///
/// A signature is a hint. The bytes of UTF-7's are US-ASCII, the others' are
/// text in ISO-8859-1 (`ï»¿`, `÷dL`), if not likely text. Do not let a hint
/// from the bytes outdo what a protocol states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Signature {
    /// `EF BB BF`: UTF-8 (RFC 3629 section 6).
    Utf8,
    /// `FF FE`, not followed by `00 00`: UTF-16, little-endian.
    Utf16Le,
    /// `FE FF`: UTF-16, big-endian (RFC 2781 section 3.2).
    Utf16Be,
    /// `FF FE 00 00`: UTF-32, little-endian.
    Utf32Le,
    /// `00 00 FE FF`: UTF-32, big-endian (Unicode Standard, section 3.10).
    Utf32Be,
    /// `2B 2F 76` and one of `38`, `39`, `2B`, `2F`: UTF-7 (RFC 2152). The
    /// last two bits of the fourth byte belong to what comes after U+FEFF.
    Utf7,
    /// `F7 64 4C`: UTF-1.
    Utf1,
    /// `0E FE FF`: the Standard Compression Scheme (Unicode Technical
    /// Standard #6).
    Scsu,
    /// `FB EE 28`: BOCU-1 (Unicode Technical Note #6).
    Bocu1,
    /// `DD 73 66 73`: UTF-EBCDIC (Unicode Technical Report #16).
    UtfEbcdic,
    /// `84 31 95 33`: GB18030.
    Gb18030,
}

impl Signature {
    /// Every signature, each before those that it begins with.
    pub const ALL: &'static [Signature] = &[
        Signature::Utf32Le,
        Signature::Utf32Be,
        Signature::Utf8,
        Signature::Utf16Le,
        Signature::Utf16Be,
        Signature::Utf7,
        Signature::Utf1,
        Signature::Scsu,
        Signature::Bocu1,
        Signature::UtfEbcdic,
        Signature::Gb18030,
    ];

    /// The most bytes that [`of`](Signature::of) and
    /// [`split`](SignaturePolicy::split) look at. Ask them about the first
    /// piece of a stream when it has as many, or is all there is.
    pub const LONGEST: usize = 5;

    /// The signature at the beginning of `bytes`, the longest that fits.
    ///
    /// `FF FE 00 00` is UTF-32. It could be UTF-16 whose first character is
    /// U+0000, but a text seldom begins so, and UTF-32 has no other signature.
    /// Whoever knows better states the encoding and does not ask.
    ///
    /// ```
    /// use utfkit::signature::Signature;
    ///
    /// assert_eq!(Signature::of(&[0xFF, 0xFE, b'a', 0]), Some(Signature::Utf16Le));
    /// assert_eq!(Signature::of(&[0xFF, 0xFE, 0, 0]), Some(Signature::Utf32Le));
    /// assert_eq!(Signature::of(b"+/v8-text"), Some(Signature::Utf7));
    /// assert_eq!(Signature::of(b"text"), None);
    /// ```
    pub fn of(bytes: &[u8]) -> Option<Signature> {
        Signature::ALL.iter().copied().find(|signature| signature.begins(bytes))
    }

    /// The bytes of the signature, as they are written. For UTF-7 they are
    /// `2B 2F 76 38 2D`, with the end of the run of base64.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Signature::Utf8 => &[0xEF, 0xBB, 0xBF],
            Signature::Utf16Le => &[0xFF, 0xFE],
            Signature::Utf16Be => &[0xFE, 0xFF],
            Signature::Utf32Le => &[0xFF, 0xFE, 0, 0],
            Signature::Utf32Be => &[0, 0, 0xFE, 0xFF],
            Signature::Utf7 => b"+/v8-",
            Signature::Utf1 => &[0xF7, 0x64, 0x4C],
            Signature::Scsu => &[0x0E, 0xFE, 0xFF],
            Signature::Bocu1 => &[0xFB, 0xEE, 0x28],
            Signature::UtfEbcdic => &[0xDD, 0x73, 0x66, 0x73],
            Signature::Gb18030 => &[0x84, 0x31, 0x95, 0x33],
        }
    }

    /// How many [`bytes`](Signature::bytes) it has: 2 to 5.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        self.bytes().len()
    }

    /// The name of the encoding.
    pub const fn name(self) -> &'static str {
        match self {
            Signature::Utf8 => "UTF-8",
            Signature::Utf16Le => "UTF-16LE",
            Signature::Utf16Be => "UTF-16BE",
            Signature::Utf32Le => "UTF-32LE",
            Signature::Utf32Be => "UTF-32BE",
            Signature::Utf7 => "UTF-7",
            Signature::Utf1 => "UTF-1",
            Signature::Scsu => "SCSU",
            Signature::Bocu1 => "BOCU-1",
            Signature::UtfEbcdic => "UTF-EBCDIC",
            Signature::Gb18030 => "gb18030",
        }
    }

    /// The encoding, where it can be read: SCSU, BOCU-1 and UTF-EBCDIC cannot,
    /// and GB 18030 only with the feature `legacy`.
    ///
    /// ```
    /// use utfkit::Encoding;
    /// use utfkit::signature::Signature;
    ///
    /// let found = Signature::of(b"\xFF\xFEa\0");
    /// assert_eq!(found.and_then(Signature::encoding), Some(Encoding::Utf16Le));
    /// ```
    pub const fn encoding(self) -> Option<Encoding> {
        Some(match self {
            Signature::Utf8 => Encoding::Utf8,
            Signature::Utf16Le => Encoding::Utf16Le,
            Signature::Utf16Be => Encoding::Utf16Be,
            Signature::Utf32Le => Encoding::Utf32Le,
            Signature::Utf32Be => Encoding::Utf32Be,
            Signature::Utf7 => Encoding::Utf7,
            Signature::Utf1 => Encoding::Utf1,
            #[cfg(feature = "legacy")]
            Signature::Gb18030 => Encoding::Legacy(Legacy::Gb18030),
            _ => return None,
        })
    }

    /// Whether `bytes` begin with it.
    fn begins(self, bytes: &[u8]) -> bool {
        match self {
            Signature::Utf7 => matches!(bytes, [b'+', b'/', b'v', b'8' | b'9' | b'+' | b'/', ..]),
            _ => bytes.starts_with(self.bytes()),
        }
    }

    /// `bytes` without the signature that they begin with.
    ///
    /// In UTF-7 it can be cut off only where the run of base64 ends with it:
    /// by `-`, by another character that is no base64, or with the text.
    /// Otherwise nothing is cut off, and the first character that comes out of
    /// the decoder is U+FEFF.
    fn cut_from(self, bytes: &[u8]) -> &[u8] {
        let len = match (self, bytes) {
            (Signature::Utf7, [_, _, _, b'8', b'-', ..]) => 5,
            (Signature::Utf7, [_, _, _, b'8', next, ..]) if !is_base64(*next) => 4,
            (Signature::Utf7, [_, _, _, b'8']) => 4,
            (Signature::Utf7, _) => 0,
            _ => self.len(),
        };
        &bytes[len..]
    }
}

/// Whether `byte` is a character of base64, RFC 2045 section 6.8.
const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The three kinds of text in a protocol, or anywhere else, that RFC 3629
/// section 6 tells apart. They decide what U+FEFF in front is.
///
/// | | a signature | U+FEFF in front is |
/// |---|---|---|
/// | [`AlwaysUtf8`](SignaturePolicy::AlwaysUtf8) | should be forbidden | ZERO WIDTH NO-BREAK SPACE |
/// | [`Labelled`](SignaturePolicy::Labelled) | should be forbidden | ZERO WIDTH NO-BREAK SPACE |
/// | [`Unlabelled`](SignaturePolicy::Unlabelled) | should not be forbidden | a signature |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignaturePolicy {
    /// The protocol says that the text is always UTF-8 (first case of
    /// section 6): there is nothing for a signature to tell.
    AlwaysUtf8,
    /// The protocol states the encoding of each text, and whoever writes it is
    /// in a position to state it properly (second case of section 6).
    Labelled,
    /// Nothing states the encoding, or one cannot rely on it, or a ban could
    /// not be enforced: files, and what is made of them, as the bodies of mail
    /// and of HTTP (third case of section 6).
    Unlabelled,
}

/// What to do about the signature of a text that is passed on.
///
/// Section 6 of RFC 3629 recommends to keep it, or to ignore it where it is in
/// the way (as in display), and to strip it only where that is needed, as
/// between two texts that are put together: a digital signature or a count may
/// rely on every character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SignatureTreatment {
    /// Leave it as it is, there or not.
    #[default]
    Keep,
    /// Take it off if it is there.
    Strip,
    /// Put it there unless it is.
    Add,
}

impl SignaturePolicy {
    /// Whether U+FEFF must not stand in front as a signature.
    pub const fn forbids(self) -> bool {
        matches!(self, SignaturePolicy::AlwaysUtf8 | SignaturePolicy::Labelled)
    }

    /// Whether a signature may be put in front of a text.
    pub const fn may_add(self) -> bool {
        !self.forbids()
    }

    /// The signature of a text, if it can have one, and the text without it.
    ///
    /// Where a signature is forbidden the answer is none, and U+FEFF in front
    /// is part of the text: section 6 says that it must be understood as ZERO
    /// WIDTH NO-BREAK SPACE.
    ///
    /// The text begins behind the signature. There is one exception, a
    /// signature of UTF-7 whose base64 goes on behind U+FEFF (`+/v9`, `+/v+`,
    /// `+/v/`, and `+/v8` with more base64): it has no end between two bytes.
    /// The text is then whole, and U+FEFF the first character of it.
    ///
    /// `bytes` are the beginning of the text, [`Signature::LONGEST`] bytes of
    /// it or all there are.
    ///
    /// ```
    /// use utfkit::signature::{Signature, SignaturePolicy};
    ///
    /// let twice = b"\xFE\xFF\xFE\xFF\0a";
    /// let (signature, text) = SignaturePolicy::Unlabelled.split(twice);
    /// assert_eq!((signature, text), (Some(Signature::Utf16Be), &b"\xFE\xFF\0a"[..]));
    /// ```
    pub fn split(self, bytes: &[u8]) -> (Option<Signature>, &[u8]) {
        if self.forbids() {
            return (None, bytes);
        }
        match Signature::of(bytes) {
            Some(signature) => (Some(signature), signature.cut_from(bytes)),
            None => (None, bytes),
        }
    }

    /// What a text becomes under `treatment`: what to write first, and what
    /// to write then. `signature` is that of the encoding that the text is in.
    ///
    /// Where a signature is forbidden, and always to keep it, that is nothing
    /// and the text: U+FEFF in front is then a character, which nobody may
    /// take away, and none may be put there.
    ///
    /// ```
    /// use utfkit::signature::{Signature, SignaturePolicy, SignatureTreatment};
    ///
    /// let add = |policy: SignaturePolicy, text| policy.apply(SignatureTreatment::Add, Signature::Utf8, text);
    /// assert_eq!(add(SignaturePolicy::Unlabelled, b"text"), (&b"\xEF\xBB\xBF"[..], &b"text"[..]));
    /// assert_eq!(add(SignaturePolicy::Labelled, b"text"), (&b""[..], &b"text"[..]));
    /// ```
    pub fn apply(self, treatment: SignatureTreatment, signature: Signature, bytes: &[u8]) -> (&'static [u8], &[u8]) {
        let there = signature.begins(bytes);
        match treatment {
            SignatureTreatment::Strip if !self.forbids() && there => (&[], signature.cut_from(bytes)),
            SignatureTreatment::Add if self.may_add() && !there => (signature.bytes(), bytes),
            _ => (&[], bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICIES: [SignaturePolicy; 3] =
        [SignaturePolicy::AlwaysUtf8, SignaturePolicy::Labelled, SignaturePolicy::Unlabelled];

    #[test]
    fn each_is_found_by_its_own_bytes_alone_and_before_text() {
        for &signature in Signature::ALL {
            let mut text = [0x41; 9];
            text[..signature.len()].copy_from_slice(signature.bytes());
            assert_eq!(Signature::of(&text), Some(signature));
            assert_eq!(Signature::of(signature.bytes()), Some(signature));
            assert_eq!(SignaturePolicy::Unlabelled.split(&text), (Some(signature), &text[signature.len()..]));
            assert!((2..=Signature::LONGEST).contains(&signature.len()));
        }
    }

    #[test]
    fn fewer_bytes_are_none() {
        for &signature in Signature::ALL {
            // UTF-7's is known by four of its five bytes, UTF-32LE's begins with UTF-16LE's.
            let least = if signature == Signature::Utf7 { 4 } else { signature.len() };
            for len in 0..least {
                let expected = (signature == Signature::Utf32Le && len >= 2).then_some(Signature::Utf16Le);
                assert_eq!(Signature::of(&signature.bytes()[..len]), expected, "{signature} {len}");
            }
        }
    }

    #[test]
    fn no_more_than_five_bytes_count() {
        let mut state = 1_u32;
        for _ in 0..100_000 {
            let mut bytes = [0; 12];
            for byte in &mut bytes {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = b"+/v89-\xFF\xFE\0\xEF\xBB\xBF\xF7\x64\x4C\x0E"[(state >> 28) as usize];
            }
            let few = &bytes[..Signature::LONGEST];
            assert_eq!(Signature::of(&bytes), Signature::of(few));
            let (all, short) = (SignaturePolicy::Unlabelled.split(&bytes), SignaturePolicy::Unlabelled.split(few));
            assert_eq!(bytes.len() - all.1.len(), few.len() - short.1.len(), "{bytes:02X?}");
        }
    }

    #[test]
    fn utf_7_is_cut_where_its_base64_ends() {
        let rest = |text: &'static [u8]| {
            let (signature, rest) = SignaturePolicy::Unlabelled.split(text);
            assert_eq!(signature, Some(Signature::Utf7));
            rest
        };
        assert_eq!(rest(b"+/v8-a"), b"a");
        assert_eq!(rest(b"+/v8--"), b"-");
        assert_eq!(rest(b"+/v8 a"), b" a");
        assert_eq!(rest(b"+/v8"), b"");
        for whole in [&b"+/v8AGE-"[..], b"+/v9", b"+/v9 ", b"+/v+-", b"+/v//"] {
            assert_eq!(rest(whole), whole);
        }
        assert_eq!(Signature::of(b"+/v"), None);
        assert_eq!(Signature::of(b"+/v7-"), None);
    }

    #[test]
    fn a_ban_makes_it_a_character() {
        for policy in POLICIES {
            for &signature in Signature::ALL {
                for text in [signature.bytes(), b"text", b""] {
                    let (found, rest) = policy.split(text);
                    assert_eq!(found.is_none(), policy.forbids() || Signature::of(text).is_none());
                    assert_eq!(text.len() - rest.len(), found.map_or(0, Signature::len));
                    for treatment in [SignatureTreatment::Keep, SignatureTreatment::Strip, SignatureTreatment::Add] {
                        let (front, rest) = policy.apply(treatment, signature, text);
                        let has_one = text == signature.bytes();
                        let expected: (&[u8], &[u8]) = match treatment {
                            _ if policy.forbids() => (b"", text),
                            SignatureTreatment::Strip if has_one => (b"", b""),
                            SignatureTreatment::Add if !has_one => (signature.bytes(), text),
                            _ => (b"", text),
                        };
                        assert_eq!((front, rest), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn the_stated_encoding_settles_the_ambiguity() {
        let text = [0xFF, 0xFE, 0, 0, b'a', 0];
        let strip = |signature| SignaturePolicy::Unlabelled.apply(SignatureTreatment::Strip, signature, &text).1.len();
        assert_eq!((strip(Signature::Utf16Le), strip(Signature::Utf32Le)), (4, 2));
    }
}
