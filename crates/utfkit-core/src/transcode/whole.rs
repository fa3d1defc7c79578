//! A whole text in one call: any encoding to a string and back, and the
//! BOM at its beginning.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

use super::transcoder::{Status, Transcoder};
#[cfg(feature = "alloc")]
use crate::convert::from_utf8_lossy;
use crate::encoding::Encoding;
#[cfg(feature = "alloc")]
use crate::engine::text::from_utf8;
use crate::error::Error;
#[cfg(feature = "alloc")]
use crate::policy::EscapeForm;
use crate::policy::{Policy, Practice};
use utfkit_forms::ErrorKind;

/// All of `src` in `dst`, as the functions on slices of units convert it.
#[inline]
fn convert(from: Encoding, to: Encoding, policy: Policy, src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    let mut transcoder = Transcoder::new(from, to, policy);
    let step = transcoder.transcode(src, dst, true);
    match step.status {
        Status::InputEmpty => Ok(step.written),
        Status::IllFormed(error) => Err(error),
        Status::OutputFull => {
            // The character that was read last did not fit. If it was the first
            // one, a part of it is in `dst`, which is not counted.
            let written = if transcoder.torn { 0 } else { step.written };
            let at = transcoder.offset - transcoder.decided;
            Err(Error::new(at, 0, ErrorKind::OutputTooSmall).with_written(written))
        }
    }
}

impl Encoding {
    /// Converts a whole text in this encoding into another one, in memory of
    /// yours. Returns the number of bytes written;
    /// [`Transcoder::max_len`] says how many are always enough.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// let mut dst = [0; 8];
    /// let n = Encoding::Latin1.convert(Encoding::Utf16Be, b"\xE9!", &mut dst)?;
    /// assert_eq!(dst[..n], [0, 0xE9, 0, b'!']);
    /// # Ok::<(), utfkit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, the first character that `to` lacks, or
    /// [`OutputTooSmall`](ErrorKind::OutputTooSmall). All that comes before it
    /// is in `dst`: [`written`](Error::written) ends with a whole character, and
    /// [`offset`](Error::offset) is where the next one begins in `src`. For
    /// encodings without states a call with the rest continues there.
    ///
    /// # Cost
    ///
    /// That of a [`Transcoder`], which is made for the call. It allocates
    /// nothing.
    #[inline]
    pub fn convert(self, to: Encoding, src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
        convert(self, to, Policy::Strict, src, dst)
    }

    /// [`convert`](Self::convert) with U+FFFD in place of ill-formed sequences, and `?`
    /// where `to` lacks a character.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// let mut dst = [0; 8];
    /// let n = Encoding::Utf16Le.convert_lossy(Encoding::Utf8, b"a\0\0\xDC", &mut dst)?;
    /// assert_eq!(&dst[..n], "a\u{FFFD}".as_bytes());
    /// # Ok::<(), utfkit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`OutputTooSmall`](ErrorKind::OutputTooSmall) alone.
    #[inline]
    pub fn convert_lossy(self, to: Encoding, src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
        convert(self, to, Policy::Replace(Practice::MaximalSubpart), src, dst)
    }

    /// The encoding that the BOM at the beginning of `bytes` names and the
    /// length of the BOM, by the Encoding Standard of the WHATWG ("BOM sniff",
    /// section 6): UTF-8, UTF-16BE and UTF-16LE, and no other. `FF FE 00 00` is
    /// UTF-16LE there, whose text begins with U+0000; [`Bom::of`](crate::bom::Bom::of)
    /// takes it for UTF-32LE and knows more encodings.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::for_bom(b"\xEF\xBB\xBFtext"), Some((Encoding::Utf8, 3)));
    /// assert_eq!(Encoding::for_bom(b"\xFF\xFE\0\0"), Some((Encoding::Utf16Le, 2)));
    /// assert_eq!(Encoding::for_bom(b"text"), None);
    /// ```
    #[doc(alias = "bom_sniff")]
    #[inline]
    pub const fn for_bom(bytes: &[u8]) -> Option<(Encoding, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((Encoding::Utf8, 3)),
            [0xFE, 0xFF, ..] => Some((Encoding::Utf16Be, 2)),
            [0xFF, 0xFE, ..] => Some((Encoding::Utf16Le, 2)),
            _ => None,
        }
    }

    /// `bytes` as text, and whether anything was replaced. A BOM of UTF-8,
    /// UTF-16LE or UTF-16BE outdoes `self` ([`for_bom`](Self::for_bom)) and is
    /// no part of the text: "decode" of the Encoding Standard.
    ///
    /// Ill-formed sequences become U+FFFD, one for each maximal subpart. Borrowed where the bytes are the
    /// text: well-formed UTF-8, and US-ASCII in any encoding that writes it as
    /// such.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::Latin1.decode(b"caf\xE9"), (Cow::Borrowed("café"), false));
    /// assert_eq!(Encoding::Latin1.decode(b"\xEF\xBB\xBFcaf\xC3\xA9").0, "café");
    /// assert_eq!(Encoding::Utf8.decode(b"caf\xE9"), (Cow::Borrowed("caf\u{FFFD}"), true));
    /// assert!(matches!(Encoding::Latin1.decode(b"cafe"), (Cow::Borrowed("cafe"), false)));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use = "the second value says whether anything was replaced"]
    #[inline]
    pub fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        match Encoding::for_bom(bytes) {
            Some((encoding, len)) => encoding.decode_without_bom_handling(&bytes[len..]),
            None => self.decode_without_bom_handling(bytes),
        }
    }

    /// [`decode`](Self::decode) where only the BOM of `self` is taken off: for
    /// UTF-8, and for UTF-16 and UTF-32 with a stated order. Any other U+FEFF is
    /// text.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::Utf8.decode_with_bom_removal(b"\xEF\xBB\xBFa").0, "a");
    /// assert_eq!(Encoding::Latin1.decode_with_bom_removal(b"\xEF\xBB\xBFa").0, "ï»¿a");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use = "the second value says whether anything was replaced"]
    #[inline]
    pub fn decode_with_bom_removal(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        let bom: &[u8] = match self {
            Encoding::Utf8 => b"\xEF\xBB\xBF",
            Encoding::Utf16Le => b"\xFF\xFE",
            Encoding::Utf16Be => b"\xFE\xFF",
            Encoding::Utf32Le => b"\xFF\xFE\0\0",
            Encoding::Utf32Be => b"\0\0\xFE\xFF",
            _ => &[],
        };
        self.decode_without_bom_handling(bytes.strip_prefix(bom).unwrap_or(bytes))
    }

    /// [`decode`](Self::decode) where U+FEFF at the beginning is the character it
    /// is. In [`Utf16`](Self::Utf16) and [`Utf32`](Self::Utf32) alone, which
    /// [have one](Self::has_bom), it is read as their BOM.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::Utf8.decode_without_bom_handling(b"\xEF\xBB\xBFa").0, "\u{FEFF}a");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use = "the second value says whether anything was replaced"]
    #[inline]
    pub fn decode_without_bom_handling(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        match self.borrowed(bytes) {
            Some(text) => (Cow::Borrowed(text), false),
            None if self == Encoding::Utf8 => (from_utf8_lossy(bytes), true),
            None => {
                let (text, replaced, _) = self.text_of(bytes, Policy::Replace(Practice::MaximalSubpart));
                (Cow::Owned(text), replaced)
            }
        }
    }

    /// Decodes well-formed `bytes`. U+FEFF at the beginning is the character it is.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence.
    ///
    /// ```
    /// use utfkit::{Encoding, ErrorKind};
    ///
    /// assert_eq!(Encoding::Utf16Le.decode_strict(b"\xAC\x20").as_deref(), Ok("€"));
    /// let error = Encoding::Utf16Le.decode_strict(b"\x00\xD8").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (0, ErrorKind::UnpairedSurrogate));
    /// ```
    #[cfg(feature = "alloc")]
    #[doc(alias = "decode_without_bom_handling_and_without_replacement")]
    #[inline]
    pub fn decode_strict(self, bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
        if self == Encoding::Utf8 {
            return from_utf8(bytes).map(Cow::Borrowed);
        }
        if let Some(text) = self.borrowed(bytes) {
            return Ok(Cow::Borrowed(text));
        }
        match self.text_of(bytes, Policy::Strict) {
            (_, _, Status::IllFormed(error)) => Err(error),
            (text, ..) => Ok(Cow::Owned(text)),
        }
    }

    /// `text` in this encoding, and whether it lacks a character. For each such
    /// there is a decimal character reference of HTML, `&#128512;`, as browsers
    /// write it into forms.
    ///
    /// Borrowed where the bytes equal those of `text`. No BOM is written, except
    /// by [`Utf16`](Self::Utf16) and [`Utf32`](Self::Utf32), which
    /// [have one](Self::has_bom).
    ///
    /// Two things differ from `encoding_rs`: UTF-16 is written as UTF-16, not as
    /// UTF-8, and a character that the Encoding Standard writes as another one
    /// (see `Legacy`) becomes a reference too, because nothing
    /// is written that is not read back.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::Latin1.encode("café"), (Cow::Borrowed(&b"caf\xE9"[..]), false));
    /// assert_eq!(Encoding::Latin1.encode("😀").0, &b"&#128512;"[..]);
    /// assert!(Encoding::Latin1.encode("😀").1);
    /// assert!(matches!(Encoding::Latin1.encode("cafe"), (Cow::Borrowed(b"cafe"), false)));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use = "the second value says whether a character was lacking"]
    #[inline]
    pub fn encode(self, text: &str) -> (Cow<'_, [u8]>, bool) {
        let bytes = text.as_bytes();
        if self == Encoding::Utf8 || self.target().is_ascii_transparent() && bytes.is_ascii() {
            return (Cow::Borrowed(bytes), false);
        }
        let transcoder = Transcoder::new(Encoding::Utf8, self, Policy::Escape);
        let mut transcoder = transcoder.with_escape_form(EscapeForm::XmlDecimal);
        let mut encoded = Vec::new();
        // Nothing is ill-formed and nothing is reported with this policy.
        let _ = transcoder.transcode_to_vec(bytes, &mut encoded, true);
        (Cow::Owned(encoded), transcoder.had_errors())
    }

    /// `bytes` as a string, if they are the text in UTF-8, too.
    #[cfg(feature = "alloc")]
    #[inline]
    fn borrowed(self, bytes: &[u8]) -> Option<&str> {
        let alike = self == Encoding::Utf8 || self.source().is_ascii_transparent() && bytes.is_ascii();
        alike.then(|| from_utf8(bytes).ok()).flatten()
    }

    /// `bytes` as text by `policy`, whether anything was wrong, and how it ended.
    #[cfg(feature = "alloc")]
    #[inline]
    fn text_of(self, bytes: &[u8], policy: Policy) -> (String, bool, Status) {
        let mut transcoder = Transcoder::new(self, Encoding::Utf8, policy);
        let mut text = String::new();
        let step = transcoder.transcode_to_string(bytes, &mut text, true);
        // The target is UTF-8 and no call was made before.
        let status = step.map_or(Status::OutputFull, |step| step.status);
        (text, transcoder.had_errors(), status)
    }
}
