//! The maximum length of the result of a [`Transcoder`].
//!
//! A character of a class has a least number of bytes in the source and a greatest
//! number in the target. Whatever the text is, the result is no longer
//! than if it consisted of the class for which the ratio is the worst one.

use super::transcoder::Transcoder;
use crate::encoding::Encoding;
#[cfg(feature = "legacy")]
use crate::engine::legacy::Legacy;
use crate::engine::row::{CLASSES, Lengths, NONE};
use crate::policy::Policy;

/// The most characters of an escape, for each class: `\u{7FF}`, `\u{10FFFF}`,
/// `&#2147483647;`.
const ESCAPE: [usize; CLASSES] = [6, 7, 8, 10, 13];

/// The most bytes of a character in `target`, for each class.
fn most(target: Encoding) -> [usize; CLASSES] {
    match target {
        #[cfg(feature = "legacy")]
        Encoding::Legacy(Legacy::Iso2022Jp) => [4, 8, 8, 8, 8],
        // With the header before it; with the shifts around it.
        #[cfg(feature = "legacy")]
        Encoding::Legacy(Legacy::Iso2022Kr) => [5, 7, 7, 7, 7],
        #[cfg(feature = "legacy")]
        Encoding::Legacy(Legacy::Hz) => [4; CLASSES],
        _ => target.row().lengths.most,
    }
}

/// The most bytes that an encoding with states writes at the end.
const FINISH: usize = 4;

impl Transcoder {
    /// The most bytes that [`transcode`](Self::transcode) writes for the next
    /// `len` bytes of source, the last of the stream or not, with pending bytes
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
        let Lengths { least: source, has_surrogates, .. } = self.from.row().lengths;
        let (target, has_all) = (most(self.to), self.to.row().lengths.has_all);
        let unit = self.from.unit_size();
        let ascii = target[0];
        let len = len.checked_add(self.input.len())?;

        let mut longest = 0;
        for class in 0..CLASSES {
            if source[class] == NONE {
                continue;
            }
            let lacking = match self.policy {
                _ if has_all && class < 4 && !(class == 2 && has_surrogates) => 0,
                Policy::Strict | Policy::Skip => 0,
                Policy::Replace(_) => ascii,
                Policy::Escape => ascii * ESCAPE[class],
            };
            longest = longest.max(scaled(len, target[class].max(lacking), source[class])?);
        }
        // An ill-formed sequence, and one of a part of a unit at the end.
        let (ill_formed, cut) = match self.policy {
            Policy::Strict | Policy::Skip => (0, 0),
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
    // The remainder is less than a character.
    (len / from).checked_mul(to)?.checked_add((len % from * to).div_ceil(from))
}
