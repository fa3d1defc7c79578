//! A stream as a sequence of pieces.

use crate::finding::Diagnosis;
use crate::naming::{Rules, by_bom};
use utfkit_core::Encoding;
use utfkit_core::Standard;
use utfkit_core::internal::SmallBytes;
use utfkit_core::internal::utf8::announced_len;
use utfkit_core::internal::{Decoded, Decoder, LONGEST, is_like_utf8, is_self_synchronizing, is_surrogate};

/// Iterates over a stream: characters, ill-formed sequences, and bytes that
/// encode no character.
///
/// The ill-formed sequences are those that a [`Checker`](crate::Checker) finds.
/// It keeps no bytes: the caller holds the next ones in one slice and advances
/// after each piece.
///
/// Cost: one call of a scalar decoder per piece. It is meant for display; to
/// convert, use a [`Transcoder`](utfkit_core::Transcoder).
///
/// ```
/// use utfkit::diagnose::{Content, Pieces};
/// use utfkit::{Encoding, ErrorKind, Standard};
///
/// let mut src = b"\xC3\xA9\xC0\xAF".as_slice();
/// let mut pieces = Pieces::new(Encoding::Utf8, Standard::Rfc3629);
///
/// let piece = pieces.read(src, true).unwrap();
/// assert_eq!((piece.bytes(), piece.content()), (&b"\xC3\xA9"[..], Content::CodePoint(0xE9)));
/// // 110|00011 10|101001
/// assert_eq!(piece.header_bits(), Some(&[3, 2][..]));
///
/// src = &src[piece.bytes().len()..];
/// let Content::IllFormed(diagnosis) = pieces.read(src, true).unwrap().content() else { panic!() };
/// assert_eq!((diagnosis.kind(), diagnosis.code_point()), (ErrorKind::Overlong, Some(0x2F)));
/// ```
#[derive(Clone, Debug)]
pub struct Pieces {
    rules: Rules,
    /// The decoder, for an encoding that is read value by value.
    source: Decoder,
    /// True once the front of the stream has decided the byte order.
    settled: bool,
    /// The character of a pair whose first half was the last piece.
    first_half: Option<char>,
}

/// The content of a [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A well-formed code point. It is above U+10FFFF or a surrogate only in
    /// encodings that have these.
    CodePoint(u32),
    /// The BOM of UTF-16 or UTF-32, which is no part of the text, and the encoding
    /// that it selects.
    Bom(Encoding),
    /// Bytes that encode no character: a state change of UTF-7 or ISO 2022.
    StateChange,
    /// An ill-formed sequence.
    IllFormed(Diagnosis),
}

/// Bytes that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    bytes: SmallBytes<LONGEST>,
    headers: Option<SmallBytes<LONGEST>>,
    content: Content,
}

impl Piece {
    #[inline]
    fn new(encoding: Encoding, src: &[u8], len: usize, content: Content) -> Piece {
        let bytes = SmallBytes::of(&src[..len.min(src.len())]);
        let mut headers = [0; LONGEST];
        let has_headers = headers_of(encoding, bytes.as_slice(), content, &mut headers);
        let headers = has_headers.then(|| SmallBytes::of(&headers[..bytes.len()]));
        Piece { bytes, headers, content }
    }

    /// The bytes, at least one.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The meaning of the bytes.
    #[inline]
    pub fn content(&self) -> Content {
        self.content
    }

    /// The code point, also of an ill-formed sequence that spells one.
    #[inline]
    pub fn code_point(&self) -> Option<u32> {
        match self.content {
            Content::CodePoint(value) => Some(value),
            Content::IllFormed(diagnosis) => diagnosis.code_point(),
            Content::Bom(_) => Some(0xFEFF),
            Content::StateChange => None,
        }
    }

    /// For each byte, the number of its most significant bits that are header:
    /// `110` of a lead byte, `10` of a continuation byte, `110110` of a high
    /// surrogate. The other bits are payload. For an ill-formed sequence these
    /// are the bits that the bytes claim.
    ///
    /// `None` where bits of bytes are not bits of the value: in UTF-7, UTF-1, and
    /// encodings from before Unicode other than US-ASCII and ISO-8859-1.
    #[inline]
    pub fn header_bits(&self) -> Option<&[u8]> {
        self.headers.as_ref().map(SmallBytes::as_slice)
    }
}

impl Pieces {
    /// With this many bytes [`read`](Pieces::read) always returns a piece.
    pub const LOOK_AHEAD: usize = LONGEST;

    /// The pieces of a stream in `encoding`. `standard` applies to UTF-8 alone.
    #[inline]
    pub fn new(encoding: Encoding, standard: Standard) -> Pieces {
        Pieces {
            rules: Rules::new(encoding, standard),
            source: Decoder::new(encoding),
            settled: !encoding.has_bom(),
            first_half: None,
        }
    }

    /// Decides the byte order from `front`, the first four bytes of the stream or
    /// all of them, for a caller who begins to read further on. U+FEFF is then a
    /// character.
    ///
    /// ```
    /// use utfkit::diagnose::{Content, Pieces};
    /// use utfkit::{Encoding, Standard};
    ///
    /// let src = b"\xFF\xFEa\0b\0";
    /// let mut pieces = Pieces::new(Encoding::Utf16, Standard::Rfc3629);
    /// pieces.settle(&src[..4]);
    /// assert_eq!(pieces.read(&src[4..], true).unwrap().content(), Content::CodePoint(0x62));
    /// ```
    #[inline]
    #[doc(hidden)]
    pub fn settle(&mut self, front: &[u8]) {
        if let (false, Some((encoding, _))) = (self.settled, by_bom(self.rules.encoding(), front, true)) {
            self.rules = self.rules.in_encoding(encoding);
            self.settled = true;
        }
    }

    /// How many bytes before an offset to begin so that the pieces after the
    /// offset are those of the whole stream; both are multiples of the unit.
    /// `None` if the meaning of bytes depends on all earlier ones.
    ///
    /// Pieces that end at or before the offset may differ.
    #[inline]
    #[doc(hidden)]
    pub fn look_back(&self) -> Option<usize> {
        // The longest sequence, plus a sequence that a start inside another one
        // could misread: six bytes each.
        const TWO: usize = 12;
        is_self_synchronizing(self.rules.encoding()).then_some(TWO)
    }

    /// True if the bytes after the last piece are read as at the beginning of a stream: always,
    /// except between the shifts of an encoding with states and inside a sequence that is
    /// several characters.
    #[inline]
    #[doc(hidden)]
    pub fn is_initial(&self) -> bool {
        !self.rules.by_value() || self.source.is_initial()
    }

    /// Returns the piece at the front of `src`; `last` says that nothing follows.
    ///
    /// `None`, without a change of state, if `src` is empty or if more bytes are
    /// needed, which is never the case with [`LOOK_AHEAD`](Pieces::LOOK_AHEAD)
    /// bytes or with `last`.
    #[inline]
    pub fn read(&mut self, src: &[u8], last: bool) -> Option<Piece> {
        if !self.settled {
            let (encoding, bom) = by_bom(self.rules.encoding(), src, last)?;
            self.rules = self.rules.in_encoding(encoding);
            self.settled = true;
            if bom > 0 {
                return Some(Piece::new(encoding, src, bom, Content::Bom(encoding)));
            }
        }
        if src.is_empty() {
            return None;
        }
        let decoded = match self.rules.by_value() {
            true => self.source.decode(src, last),
            false => self.rules.decode(src),
        };
        let (content, len) = match decoded {
            Decoded::Value { value, len } => (Content::CodePoint(value), len),
            Decoded::StateChange { len } => (Content::StateChange, len),
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => {
                let inside = self.source.is_inside();
                let named = self.rules.name_decoded(decoded, src, inside).filter(|named| last || !named.open)?;
                let diagnosis = Diagnosis::new(self.rules, named, src);
                let diagnosis = match self.rules.by_value() {
                    true => diagnosis,
                    false => diagnosis.paired(src, self.first_half),
                };
                (Content::IllFormed(diagnosis), named.len)
            }
        };
        self.first_half = match content {
            Content::IllFormed(diagnosis) => diagnosis.first_half(),
            _ => None,
        };
        Some(Piece::new(self.rules.encoding(), src, len, content))
    }
}

/// Writes the header bits of each byte to `headers`. Returns false if bytes
/// have none.
#[inline]
fn headers_of(encoding: Encoding, bytes: &[u8], content: Content, headers: &mut [u8; LONGEST]) -> bool {
    match encoding {
        Encoding::Iso2022Utf8 => {
            // Outside UTF-8 each byte is a well-formed character.
            let inside = bytes.len() > 1 || matches!(content, Content::IllFormed(_));
            if content == Content::StateChange || !inside {
                return false;
            }
            utf8_headers(bytes, headers);
        }
        Encoding::Cesu8 | Encoding::Mutf8 => {
            utf8_headers(bytes, headers);
            // UTR #26: the first two bytes of a surrogate hold the bits that make it
            // one.
            for (at, pair) in bytes.windows(2).enumerate() {
                if let [0xED, 0xA0..=0xBF] = pair {
                    headers[at..at + 2].copy_from_slice(&[8, 4]);
                }
            }
        }
        _ if is_like_utf8(encoding) => utf8_headers(bytes, headers),
        Encoding::UsAscii => headers[..bytes.len()].fill(1),
        Encoding::Utf16Le | Encoding::Wtf16Le => utf16_headers(bytes, 1, headers),
        Encoding::Utf16Be | Encoding::Utf16 | Encoding::Wtf16Be => utf16_headers(bytes, 0, headers),
        Encoding::Latin1 => {}
        _ => return encoding.unit_size() > 1,
    }
    true
}

/// RFC 2279 section 2; FE and FF are all header.
#[inline]
fn utf8_headers(bytes: &[u8], headers: &mut [u8; LONGEST]) {
    for (&byte, header) in bytes.iter().zip(headers) {
        *header = match byte {
            0x80..=0xBF => 2,
            _ if announced_len(byte) == 0 => 8,
            _ => byte.leading_ones() as u8 + 1,
        };
    }
}

/// RFC 2781 section 2.1. `high` is the index of the more significant byte of a
/// unit.
#[inline]
fn utf16_headers(bytes: &[u8], high: usize, headers: &mut [u8; LONGEST]) {
    for (unit, header) in bytes.as_chunks::<2>().0.iter().zip(headers.as_chunks_mut::<2>().0) {
        if is_surrogate(u32::from(unit[high]) << 8) {
            header[high] = 6;
        }
    }
}
