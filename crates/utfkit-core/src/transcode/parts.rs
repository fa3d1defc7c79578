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
