//! A [`Transcoder`] that writes into a vector, a string, or units of UTF-16.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::fmt;

#[cfg(feature = "alloc")]
use super::transcoder::{DECISION, Status};
use super::transcoder::{Step, Transcoder};
#[cfg(feature = "alloc")]
use crate::convert::conversion::GROWTH;
use crate::encoding::Encoding;
#[cfg(all(feature = "alloc", feature = "legacy"))]
use crate::engine::legacy::Legacy;
use crate::engine::memory::bytes_of_mut;
#[cfg(feature = "alloc")]
use crate::engine::memory::string_from_well_formed;
#[cfg(feature = "alloc")]
use utfkit_forms::scalar::utf8::is_continuation;

impl Transcoder {
    /// Converts all of `src` and appends it to `dst`. As
    /// [`transcode`](Self::transcode), but the status is never
    /// [`OutputFull`](Status::OutputFull).
    ///
    /// # Errors
    ///
    /// With [`Policy::Strict`](crate::Policy::Strict), [`Status::IllFormed`]:
    /// everything before the ill-formed sequence has been appended.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Status, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Latin1, Encoding::Utf8, Policy::Strict);
    /// let mut text = Vec::new();
    /// let step = transcoder.transcode_to_vec(b"caf\xE9", &mut text, true);
    /// assert_eq!((step.status, &text[..]), (Status::InputEmpty, "café".as_bytes()));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn transcode_to_vec(&mut self, src: &[u8], dst: &mut Vec<u8>, last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        let mut likely = self.likely_len(src.len());
        dst.reserve(likely);
        loop {
            // In pieces, because memory is filled with zeros before it is
            // written. Each has space for any decision, so that no character
            // is torn apart.
            let start = dst.len();
            let space = likely.min(GROWTH);
            dst.resize(start.saturating_add(space), 0);
            let step = self.transcode(&src[read..], &mut dst[start..], last);
            dst.truncate(start + step.written);
            read += step.read;
            written += step.written;
            if step.status != Status::OutputFull {
                return Step { read, written, status: step.status };
            }
            likely = self.likely_len(src.len() - read);
        }
    }

    /// A guess that is enough for most text: a unit for each unit, and half of that more where
    /// words have shifts around them. Not [`max_len`](Self::max_len), of which most would be for
    /// nothing.
    #[cfg(feature = "alloc")]
    fn likely_len(&self, len: usize) -> usize {
        // Units have 1, 2 or 4 bytes, and a division takes as long as a short text.
        let units = (len >> self.from.unit_size().trailing_zeros()).saturating_mul(self.to.unit_size());
        let shifts = if has_shifts(self.to) { len >> 1 } else { 0 };
        units.max(len).saturating_add(shifts).saturating_add(DECISION)
    }

    /// Converts all of `src`, whose target is [`Encoding::Utf8`], and appends it
    /// to `dst`, without validating it again.
    ///
    /// # Errors
    ///
    /// [`WrongTarget`] if the target is another encoding, or if an earlier call
    /// of [`transcode`](Self::transcode) wrote a part of a character because its
    /// destination was too small for the whole. The step reports ill-formed
    /// sequences, as [`transcode`](Self::transcode) does.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Transcoder};
    ///
    /// let mut to_utf8 = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8, Policy::default());
    /// let mut text = String::from("5 ");
    /// let step = to_utf8.transcode_to_string(&[0xAC, 0x20], &mut text, true)?;
    /// assert_eq!((step.read, text.as_str()), (2, "5 €"));
    /// # Ok::<(), utfkit::WrongTarget>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[doc(alias = "decode_to_string")]
    pub fn transcode_to_string(&mut self, src: &[u8], dst: &mut String, last: bool) -> Result<Step, WrongTarget> {
        let torn = self.output.as_slice().first().is_some_and(|&byte| is_continuation(byte));
        if self.to != Encoding::Utf8 || torn {
            return Err(WrongTarget);
        }
        let mut bytes = core::mem::take(dst).into_bytes();
        let step = self.transcode_to_vec(src, &mut bytes, last);
        // SAFETY: the old content is text. The appended bytes are whole
        // characters of UTF-8: that is the target, a decision writes whole ones
        // and is never cut because there is always space for one, the fast paths
        // write whole ones too, and the first of them was not begun by an
        // earlier call, which `torn` says.
        *dst = unsafe { string_from_well_formed(bytes) };
        Ok(step)
    }

    /// As [`transcode`](Self::transcode), into units of UTF-16: the target is
    /// [`Encoding::UTF16_NATIVE`]. [`written`](Step::written) counts units.
    ///
    /// A character of two units is torn apart only if `dst` has one.
    ///
    /// # Errors
    ///
    /// [`WrongTarget`] if the target is another encoding, or if an earlier call
    /// of [`transcode`](Self::transcode) wrote a part of a unit.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Status, Transcoder};
    ///
    /// let mut to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::UTF16_NATIVE, Policy::default());
    /// let mut units = [0; 4];
    /// let step = to_utf16.transcode_to_utf16("a🎉".as_bytes(), &mut units, true)?;
    /// assert_eq!((step.read, step.status), (5, Status::InputEmpty));
    /// assert_eq!(units[..step.written], [0x61, 0xD83C, 0xDF89]);
    /// # Ok::<(), utfkit::WrongTarget>(())
    /// ```
    #[doc(alias = "decode_to_utf16")]
    pub fn transcode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> Result<Step, WrongTarget> {
        if self.to != Encoding::UTF16_NATIVE || !self.output.len().is_multiple_of(size_of::<u16>()) {
            return Err(WrongTarget);
        }
        let step = self.transcode(src, bytes_of_mut(dst), last);
        Ok(Step { written: step.written / size_of::<u16>(), ..step })
    }
}

/// True for encodings with shifts around each word that is not US-ASCII, or around each run of Japanese.
#[cfg(feature = "alloc")]
fn has_shifts(encoding: Encoding) -> bool {
    match encoding {
        Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => true,
        #[cfg(feature = "legacy")]
        Encoding::Legacy(legacy) => matches!(legacy, Legacy::Iso2022Jp | Legacy::Iso2022Kr),
        _ => false,
    }
}

/// The target of a [`Transcoder`] is not the one that the call writes, or a
/// character of it is written in part.
///
/// ```
/// use utfkit::{Encoding, Policy, Transcoder};
///
/// let mut transcoder = Transcoder::new(Encoding::Latin1, Encoding::Utf16Be, Policy::Strict);
/// assert!(transcoder.transcode_to_string(b"caf\xE9", &mut String::new(), true).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongTarget;

impl fmt::Display for WrongTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the transcoder has another target, or has written a part of a character")
    }
}

impl core::error::Error for WrongTarget {}
