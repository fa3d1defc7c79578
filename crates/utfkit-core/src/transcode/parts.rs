//! One part of a text after another in an encoding with states, from UTF-16.
//!
//! For a line of text, a [`Transcoder`](super::Transcoder) takes longer to make than the line to write.

use crate::encoding::Encoding;
use crate::engine::codec::Target;
use crate::engine::progress::OnLacking;

/// The encoder of an encoding with states.
#[derive(Clone, Debug)]
pub struct PartWriter {
    target: Target,
}

impl PartWriter {
    /// The encoder at the beginning of a stream.
    // No more than this: each other copy of an encoder takes as long as to write some characters.
    pub fn new(encoding: Encoding) -> PartWriter {
        PartWriter { target: encoding.target() }
    }

    /// Goes to the state after output that ended in `state`, a
    /// [`target_state`](super::Transcoder::target_state).
    pub fn set_state(&mut self, state: u32) {
        self.target.set_state(state);
    }

    /// Writes units of UTF-16LE and returns the number of bytes. `None` if one is a lone surrogate or lacking,
    /// or if there might be too little space: nothing more can be written then. `None` also for an encoding
    /// that is not written from UTF-16.
    #[inline]
    pub fn write(&mut self, units: &[[u8; 2]], dst: &mut [u8]) -> Option<usize> {
        let src = units.as_flattened();
        let (taken, written) = self.target.write_utf16(src, dst, OnLacking::Stop);
        (taken == src.len()).then_some(written)
    }

    /// Writes the pending digits of base64, or the escape sequence that returns to the first character set. Returns
    /// the number of bytes, or `None` if there is too little space.
    pub fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let end = self.target.finish();
        dst.get_mut(..end.as_slice().len())?.copy_from_slice(end.as_slice());
        Some(end.as_slice().len())
    }

    /// The state of the output.
    #[inline]
    pub fn state(&self) -> u32 {
        self.target.state()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;
    use crate::transcode::{Status, Transcoder};
    use alloc::vec::Vec;

    /// Each part after those before it, with and without what returns to the first set.
    #[test]
    fn parts_are_those_of_a_transcoder() {
        let encodings = [Encoding::Utf7, Encoding::Utf7Optional, Encoding::ImapUtf7, Encoding::Iso2022Utf8].into_iter();
        #[cfg(feature = "legacy")]
        let encodings = encodings.chain([
            Encoding::Legacy(crate::Legacy::Hz),
            Encoding::Legacy(crate::Legacy::Iso2022Jp),
            Encoding::Legacy(crate::Legacy::Iso2022Kr),
            Encoding::Iso2022Utf8In(crate::Legacy::Windows1252),
        ]);
        let mut written = 0;
        for encoding in encodings {
            for ends in [false, true] {
                let mut state = 0;
                for text in ["a~", "中文", "あ", "한글", "\n", "\u{A5}\\\u{203E}", "é+-&", "中a文", "", "😀€", "b"]
                {
                    let units: Vec<[u8; 2]> = text.encode_utf16().map(u16::to_le_bytes).collect();
                    let (mut expected, mut dst) = (Vec::new(), [0; 100]);
                    let mut transcoder =
                        Transcoder::new(Encoding::Utf16Le, encoding, Policy::Strict).with_target_state(state);
                    let step = transcoder.transcode_to_vec(units.as_flattened(), &mut expected, ends);
                    let mut writer = PartWriter::new(encoding);
                    writer.set_state(state);
                    let Some(mut len) = writer.write(&units, &mut dst) else {
                        assert!(matches!(step.status, Status::IllFormed(_)), "{encoding} {text}");
                        continue;
                    };
                    assert_eq!(step.status, Status::InputEmpty, "{encoding} {text}");
                    if ends {
                        len += writer.finish(&mut dst[len..]).unwrap();
                    }
                    assert_eq!(
                        (&dst[..len], writer.state()),
                        (&expected[..], transcoder.target_state()),
                        "{encoding} {text}"
                    );
                    state = writer.state();
                    written += 1;
                    if !units.is_empty() {
                        let mut writer = PartWriter::new(encoding);
                        assert_eq!(writer.write(&units, &mut []), None, "{encoding} {text}");
                    }
                }
            }
        }
        assert!(written > 50, "{written}");
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        assert_eq!(PartWriter::new(Encoding::Utf8).write(&[*b"a\0"], &mut [0; 20]), None);
        assert_eq!(PartWriter::new(Encoding::Utf7).write(&[[0, 0xD8]], &mut [0; 20]), None);
        let mut writer = PartWriter::new(Encoding::Utf7);
        assert_eq!(writer.write(&[[0xE9, 0]], &mut [0; 20]), Some(3));
        assert_eq!(writer.finish(&mut [0; 1]), None);
    }
}
