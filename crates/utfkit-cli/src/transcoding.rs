//! Conversion of a chunk with a buffer that may be too small for it.

use std::io;

use utfkit::{Error, Status, Transcoder};

/// Transcodes all of `src`, filling `buf` again and again. `on` takes the source
/// and the output of each step. Returns the error that stopped the transcoder, if
/// one did.
pub(crate) fn transcode(
    transcoder: &mut Transcoder,
    src: &[u8],
    buf: &mut [u8],
    last: bool,
    mut on: impl FnMut(&[u8], &[u8]) -> io::Result<()>,
) -> io::Result<Option<Error>> {
    let mut at = 0;
    loop {
        let step = transcoder.transcode(&src[at..], buf, last);
        on(&src[at..at + step.read], &buf[..step.written])?;
        at += step.read;
        match step.status {
            Status::InputEmpty => return Ok(None),
            Status::OutputFull => {}
            Status::IllFormed(error) => return Ok(Some(error)),
        }
    }
}
