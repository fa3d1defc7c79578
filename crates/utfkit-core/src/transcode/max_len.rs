//! How long the result of a [`Transcoder`] can get.
//!
//! A character of a class takes at least so many bytes in the source and at
//! most so many in the target. Whatever the text is, the result is no longer
//! than if it consisted of the class for which the ratio is the worst one.

use super::transcoder::Transcoder;
use crate::encoding::Encoding;
#[cfg(feature = "legacy")]
use crate::engine::legacy::Legacy;
use crate::policy::{Policy, Practice};

/// Up to U+007F, U+07FF, U+FFFF, U+10FFFF, and 7FFFFFFF.
const CLASSES: usize = 5;

/// There is no such character in the source.
const NONE: usize = usize::MAX;

/// The most characters of an escape, for each class: `\u{7FF}`, `\u{10FFFF}`,
/// `&#2147483647;`.
const ESCAPE: [usize; CLASSES] = [6, 7, 8, 10, 13];

/// The least bytes of a character in `source`, for each class.
fn least(source: Encoding) -> [usize; CLASSES] {
    match source {
        Encoding::Utf8
        | Encoding::Utf8Kuhn
        | Encoding::Utf8NoNoncharacters
        | Encoding::Unicode11Utf8
        | Encoding::Wtf8 => [1, 2, 3, 4, NONE],
        Encoding::Utf8Rfc2279 | Encoding::Utf8Rfc2044 => [1, 2, 3, 4, 4],
        Encoding::Cesu8 | Encoding::Mutf8 => [1, 2, 3, 6, NONE],
        Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 | Encoding::Wtf16Le | Encoding::Wtf16Be => {
            [2, 2, 2, 4, NONE]
        }
        Encoding::Ucs2Le | Encoding::Ucs2Be => [2, 2, 2, NONE, NONE],
        Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Utf32 | Encoding::Ucs4Le | Encoding::Ucs4Be => [4; CLASSES],
        Encoding::Latin1 => [1, 1, NONE, NONE, NONE],
        Encoding::UsAscii => [1, NONE, NONE, NONE, NONE],
        Encoding::Ibm437 => [1, 1, 1, NONE, NONE],
        Encoding::Utf1 => [1, 1, 2, 3, 5],
        // In base64 a unit takes 16 of 6 bits a byte.
        Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => [1, 2, 2, 5, NONE],
        Encoding::Iso2022Utf8 => [1, 1, 3, 4, NONE],
        // Big5 has characters of the fourth class in two bytes.
        #[cfg(feature = "legacy")]
        Encoding::Legacy(_) | Encoding::Iso2022Utf8In(_) => [1, 1, 1, 2, NONE],
    }
}

/// The most bytes of a character in `target`, for each class, and whether the
/// target has every one of the first four classes.
fn most(target: Encoding) -> ([usize; CLASSES], bool) {
    match target {
        Encoding::Utf8 => ([1, 2, 3, 4, 4], true),
        Encoding::Utf8Kuhn | Encoding::Utf8NoNoncharacters | Encoding::Unicode11Utf8 => ([1, 2, 3, 4, 4], false),
        Encoding::Wtf8 => ([1, 2, 3, 4, 4], true),
        Encoding::Utf8Rfc2279 | Encoding::Utf8Rfc2044 => ([1, 2, 3, 4, 6], true),
        Encoding::Cesu8 => ([1, 2, 3, 6, 6], true),
        Encoding::Mutf8 => ([2, 2, 3, 6, 6], true),
        Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 | Encoding::Wtf16Le | Encoding::Wtf16Be => {
            ([2, 2, 2, 4, 4], true)
        }
        Encoding::Ucs2Le | Encoding::Ucs2Be => ([2; CLASSES], false),
        Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Utf32 | Encoding::Ucs4Le | Encoding::Ucs4Be => {
            ([4; CLASSES], true)
        }
        Encoding::Latin1 | Encoding::UsAscii | Encoding::Ibm437 => ([1; CLASSES], false),
        Encoding::Utf1 => ([1, 2, 3, 5, 5], true),
        // `+`, base64 of one unit or two, `-`.
        Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => ([5, 5, 5, 8, 8], true),
        // The switches of three bytes before and after it.
        Encoding::Iso2022Utf8 => ([7, 8, 9, 10, 10], false),
        #[cfg(feature = "legacy")]
        Encoding::Iso2022Utf8In(_) => ([10; CLASSES], false),
        #[cfg(feature = "legacy")]
        Encoding::Legacy(Legacy::Iso2022Jp) => ([4, 8, 8, 8, 8], false),
        // With the header before it; with the shifts around it.
        #[cfg(feature = "legacy")]
        Encoding::Legacy(Legacy::Iso2022Kr) => ([5, 7, 7, 7, 7], false),
        #[cfg(feature = "legacy")]
        Encoding::Legacy(Legacy::Hz) => ([4; CLASSES], false),
        #[cfg(feature = "legacy")]
        Encoding::Legacy(_) => ([1, 4, 4, 4, 4], false),
    }
}

/// Whether there are surrogates among the characters of `source`, which hardly
/// any target has.
fn may_be_surrogates(source: Encoding) -> bool {
    matches!(source, Encoding::Utf8Rfc2044 | Encoding::Wtf8 | Encoding::Wtf16Le | Encoding::Wtf16Be)
}

/// What an encoding with states writes at the end.
const FINISH: usize = 4;

impl Transcoder {
    /// The most bytes that [`transcode`](Self::transcode) writes for the next
    /// `len` bytes of source, the last of the stream or not, with what it holds
    /// from before. `None` if that does not fit into a `usize`.
    ///
    /// A destination of that size never gets
    /// [`OutputFull`](crate::Status::OutputFull). It depends on the two encodings
    /// and the policy, not on a text: for most text far less is enough.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Transcoder};
    ///
    /// let to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Le, Policy::Strict);
    /// assert_eq!(to_utf16.max_len(100), Some(200));
    /// let to_utf8 = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8, Policy::Strict);
    /// assert_eq!(to_utf8.max_len(100), Some(150));
    /// assert_eq!(to_utf8.max_len(usize::MAX), None);
    /// ```
    #[doc(alias = "max_utf8_buffer_length")]
    #[doc(alias = "max_utf16_buffer_length")]
    #[doc(alias = "max_buffer_length_from_utf8_without_replacement")]
    pub fn max_len(&self, len: usize) -> Option<usize> {
        let source = least(self.from);
        let (target, is_whole) = most(self.to);
        let unit = self.from.unit_size();
        let ascii = target[0];
        let len = len.checked_add(self.input.len())?;

        let mut longest = 0;
        for class in 0..CLASSES {
            if source[class] == NONE {
                continue;
            }
            let lacking = match self.policy {
                _ if is_whole && class < 4 && !(class == 2 && may_be_surrogates(self.from)) => 0,
                Policy::Strict | Policy::Skip => 0,
                Policy::Replace(_) => ascii,
                Policy::Escape => ascii * ESCAPE[class],
            };
            longest = longest.max(scaled(len, target[class].max(lacking), source[class])?);
        }
        // An ill-formed sequence, and one of a part of a unit at the end.
        let (ill_formed, cut) = match self.policy {
            Policy::Strict | Policy::Skip => (0, 0),
            Policy::Replace(Practice::PerByte) => (scaled(len, target[2], unit)?, target[2]),
            Policy::Replace(_) => (scaled(len, target[2], unit)?, target[2]),
            Policy::Escape => (len.checked_mul(4 * ascii)?, 0),
        };
        longest = longest.max(ill_formed).checked_add(if unit > 1 { cut } else { 0 })?;
        let bom = if self.bom_due { self.to.unit_size() } else { 0 };
        let finish = if target[0] > 2 && self.to.unit_size() == 1 { FINISH } else { 0 };
        longest.checked_add(self.output.len() + bom + finish)
    }
}

/// The bytes of `len` bytes of which `from` become `to`.
fn scaled(len: usize, to: usize, from: usize) -> Option<usize> {
    // What is left of a division is less than a character.
    (len / from).checked_mul(to)?.checked_add((len % from * to).div_ceil(from))
}
