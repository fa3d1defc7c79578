//! A stream as a sequence of pieces.

use super::finding::Diagnosis;
use super::naming::{Rules, by_bom};
use crate::encoding::Encoding;
use crate::engine::codec::Source;
use crate::engine::scalar::utf8::announced_len;
use crate::engine::scalar::{Decoded, LONGEST, is_surrogate};
use crate::engine::small_bytes::SmallBytes;
use crate::standard::Standard;

/// Iterates over a stream: characters, ill-formed sequences, and bytes that
/// encode no character.
///
/// The ill-formed sequences are those that a [`Checker`](super::Checker) finds.
/// It keeps no bytes: the caller holds the next ones in one slice and advances
/// after each piece.
///
/// Cost: one call of a scalar decoder per piece. It is meant for display; to
/// convert, use a [`Transcoder`](crate::Transcoder).
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
    source: Source,
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
            source: encoding.source(),
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
        if let (false, Some((encoding, _))) = (self.settled, by_bom(self.rules.encoding, front, true)) {
            self.rules.encoding = encoding;
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
        match self.rules.encoding {
            Encoding::Iso2022Utf8 | Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 | Encoding::Utf1 => {
                None
            }
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => legacy.is_single_byte().then_some(TWO),
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(_) => None,
            _ => Some(TWO),
        }
    }

    /// Returns the piece at the front of `src`; `last` says that nothing follows.
    ///
    /// `None`, without a change of state, if `src` is empty or if more bytes are
    /// needed, which is never the case with [`LOOK_AHEAD`](Pieces::LOOK_AHEAD)
    /// bytes or with `last`.
    #[inline]
    pub fn read(&mut self, src: &[u8], last: bool) -> Option<Piece> {
        if !self.settled {
            let (encoding, bom) = by_bom(self.rules.encoding, src, last)?;
            self.rules.encoding = encoding;
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
        Some(Piece::new(self.rules.encoding, src, len, content))
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
        _ if encoding.is_like_utf8() => utf8_headers(bytes, headers),
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

#[cfg(test)]
mod tests {
    use super::super::{Checker, Finding};
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    /// All pieces of `src`, read with as few bytes at a time as possible.
    fn pieces(mut pieces: Pieces, src: &[u8]) -> Vec<(usize, Piece)> {
        let (mut all, mut at, mut len) = (Vec::new(), 0, 0);
        loop {
            let end = src.len().min(at + len);
            match pieces.read(&src[at..end], end == src.len()) {
                Some(piece) => {
                    assert!(src[at..].starts_with(piece.bytes()) && !piece.bytes().is_empty());
                    all.push((at, piece));
                    at += piece.bytes().len();
                    len = 0;
                }
                None if end == src.len() => {
                    assert_eq!(at, src.len());
                    return all;
                }
                None => {
                    assert!(len < Pieces::LOOK_AHEAD, "{at} of {src:02X?}");
                    len += 1;
                }
            }
        }
    }

    fn of(encoding: Encoding, src: &[u8]) -> Vec<(usize, Piece)> {
        pieces(Pieces::new(encoding, Standard::Rfc3629), src)
    }

    /// Bytes that have a meaning in some encoding.
    fn noise(state: &mut u32, len: usize) -> Vec<u8> {
        const BYTES: &[u8; 32] =
            b"+-&A\x80\xBF\xE2\x82\xAC\xED\xA0\xB0\xED\x9F\xF0\x9F\xF4\x90\xF8\xFD\xC0\xC3\xD8\xDC\0\0\x1B%G@$B";
        let mut next = || {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            BYTES[(*state >> 27) as usize]
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn errors_are_the_findings_of_a_check() {
        let mut state = 1;
        for &encoding in Encoding::ALL {
            for len in (0..200).chain([1000]) {
                let src = noise(&mut state, len);
                let mut found = Vec::new();
                let mut push = |f: &Finding| found.push((f.offset() as usize, f.diagnosis().to_string()));
                let mut checker = Checker::new(encoding, Standard::Rfc3629);
                checker.feed(&src, &mut push);
                checker.finish(&mut push);
                let all = of(encoding, &src);
                let errors: Vec<(usize, String)> = all
                    .iter()
                    .filter_map(|(at, piece)| match piece.content() {
                        Content::IllFormed(diagnosis) => Some((*at, diagnosis.to_string())),
                        _ => None,
                    })
                    .collect();
                assert_eq!(errors, found, "{encoding} {src:02X?}");
                let values = all.iter().filter(|(_, piece)| matches!(piece.content(), Content::CodePoint(_))).count();
                assert_eq!(values as u64, checker.totals().code_points());
            }
        }
    }

    #[test]
    fn a_few_bytes_back_are_enough() {
        let mut state = 7;
        let mut tried = 0;
        for &encoding in Encoding::ALL {
            let Some(back) = Pieces::new(encoding, Standard::Rfc3629).look_back() else { continue };
            tried += 1;
            for _ in 0..50 {
                let src = noise(&mut state, 64);
                let all = of(encoding, &src);
                for at in (0..=src.len()).step_by(encoding.unit_size()) {
                    let start = at.saturating_sub(back);
                    let mut later = Pieces::new(encoding, Standard::Rfc3629);
                    later.settle(&src[..4]);
                    if start == 0 {
                        later = Pieces::new(encoding, Standard::Rfc3629);
                    }
                    let reached: Vec<_> = pieces(later, &src[start..])
                        .into_iter()
                        .map(|(offset, piece)| (start + offset, piece))
                        .filter(|(offset, piece)| offset + piece.bytes().len() > at)
                        .collect();
                    let true_ones: Vec<_> =
                        all.iter().filter(|(offset, piece)| offset + piece.bytes().len() > at).copied().collect();
                    assert_eq!(reached, true_ones, "{encoding} from {at} of {src:02X?}");
                }
            }
        }
        assert!(tried > 20);
        for encoding in [Encoding::Utf7, Encoding::Utf1, Encoding::Iso2022Utf8] {
            assert_eq!(Pieces::new(encoding, Standard::Rfc3629).look_back(), None);
        }
    }

    fn split(encoding: Encoding, standard: Standard, src: &[u8]) -> String {
        let piece = Pieces::new(encoding, standard).read(src, true).unwrap();
        let Some(headers) = piece.header_bits() else { return "none".into() };
        let bytes = piece.bytes().iter().zip(headers).map(|(byte, &header)| {
            let bits = format!("{byte:08b}");
            format!("{}|{}", &bits[..header.into()], &bits[header.into()..])
        });
        bytes.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn headers_are_told_from_payload() {
        let utf8 = |src| split(Encoding::Utf8, Standard::Rfc3629, src);
        assert_eq!(utf8(b"G"), "0|1000111");
        assert_eq!(utf8("é".as_bytes()), "110|00011 10|101001");
        assert_eq!(utf8("€".as_bytes()), "1110|0010 10|000010 10|101100");
        assert_eq!(utf8("😀".as_bytes()), "11110|000 10|011111 10|011000 10|000000");
        assert_eq!(utf8(b"\xC0\xAF"), "110|00000 10|101111");
        assert_eq!(utf8(b"\xED\xA0\xBDx"), "1110|1101 10|100000 10|111101");
        assert_eq!(utf8(b"\x80"), "10|000000");
        assert_eq!(
            (utf8(b"\xFE"), utf8(b"\xFF"), utf8(b"\xFC")),
            ("11111110|".into(), "11111111|".into(), "1111110|0".into())
        );
        let six = b"\xFD\xBF\xBF\xBF\xBF\xBF";
        assert_eq!(
            split(Encoding::Utf8, Standard::Rfc2279, six),
            "1111110|1 10|111111 10|111111 10|111111 10|111111 10|111111"
        );
        let of = |encoding, src| split(encoding, Standard::Rfc3629, src);
        assert_eq!(of(Encoding::Utf16Be, b"\xD8\x3D\xDE\x00"), "110110|00 |00111101 110111|10 |00000000");
        assert_eq!(of(Encoding::Utf16Le, b"\x3D\xD8\x00\xDE"), "|00111101 110110|00 |00000000 110111|10");
        assert_eq!(of(Encoding::Utf16, b"\xFF\xFE"), "|11111111 |11111110");
        assert_eq!(of(Encoding::Utf16Le, b"G\0"), "|01000111 |00000000");
        assert_eq!(
            of(Encoding::Cesu8, b"\xED\xA0\xBD\xED\xB8\x80"),
            "11101101| 1010|0000 10|111101 11101101| 1011|1000 10|000000"
        );
        assert_eq!(of(Encoding::Mutf8, b"\xC0\x80"), "110|00000 10|000000");
        assert_eq!(of(Encoding::UsAscii, b"\xE9"), "1|1101001");
        assert_eq!(of(Encoding::Latin1, b"\xE9"), "|11101001");
        for encoding in [Encoding::Utf7, Encoding::Ibm437, Encoding::Utf1, Encoding::Iso2022Utf8] {
            assert_eq!(of(encoding, b"A"), "none", "{encoding}");
        }
    }

    #[test]
    fn what_is_no_text_is_shown_too() {
        let contents =
            |encoding, src| of(encoding, src).into_iter().map(|(_, piece)| piece.content()).collect::<Vec<_>>();
        assert_eq!(
            contents(Encoding::Utf16, b"\xFE\xFF\0a"),
            [Content::Bom(Encoding::Utf16Be), Content::CodePoint(0x61)]
        );
        assert_eq!(contents(Encoding::Utf16, b"\0a"), [Content::CodePoint(0x61)]);
        assert_eq!(
            contents(Encoding::Utf7, b"+AOk-."),
            [Content::StateChange, Content::CodePoint(0xE9), Content::StateChange, Content::CodePoint(0x2E)]
        );
        assert_eq!(contents(Encoding::Iso2022Utf8, b"\x1B%G"), [Content::StateChange]);
        assert!(contents(Encoding::Utf16, b"").is_empty());
    }
}
