//! The output of a transcoder, which has to fit into an array of Java.

use engine::{Status, Transcoder};

use crate::env::{Bytes, Env, Thrown};

/// The bytes that are written at once.
const STEP: usize = 16 << 10;
/// The longest array that every virtual machine makes.
const MOST: usize = i32::MAX as usize - 8;

#[derive(Default)]
pub(crate) struct Output {
    bytes: Vec<u8>,
}

impl Output {
    /// Appends what a transcoder makes of `src`, and returns its error, if it is strict.
    pub(crate) fn transcode(
        &mut self,
        transcoder: &mut Transcoder,
        mut src: &[u8],
        is_last: bool,
    ) -> Result<Option<engine::Error>, Thrown> {
        loop {
            let start = self.bytes.len();
            self.reserve(src.len().min(STEP) + 128)?;
            self.bytes.resize(start + src.len().min(STEP) + 128, 0);
            let step = transcoder.transcode(src, &mut self.bytes[start..], is_last);
            self.bytes.truncate(start + step.written);
            src = &src[step.read..];
            match step.status {
                Status::OutputFull => {}
                Status::InputEmpty => return Ok(None),
                Status::IllFormed(error) => return Ok(Some(error)),
            }
        }
    }

    fn reserve(&mut self, more: usize) -> Result<(), Thrown> {
        if self.bytes.len() + more > MOST {
            return Err(Thrown::out_of_memory("the text is longer than an array of Java can be"));
        }
        self.bytes.try_reserve(more).map_err(|_| Thrown::out_of_memory("no memory for the text"))
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn to_java<'a>(&self, env: Env<'a>) -> Result<Option<Bytes<'a>>, Thrown> {
        env.bytes(&self.bytes)
    }
}
