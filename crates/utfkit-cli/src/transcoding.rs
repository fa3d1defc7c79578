//! Conversion of a chunk with a buffer that may be too small for it.

use std::io;

use utfkit::{Error, Status, Transcoder};

/// Transcodes `src` in as many steps as `buf` needs. `on` takes the bytes that a
/// step read and those that it wrote. Returns the error at which the transcoder
/// stopped, if it did.
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
