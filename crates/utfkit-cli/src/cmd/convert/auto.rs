//! `-f auto`: the encoding is detected from the whole input.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::Arc;

use utfkit::Encoding;
use utfkit::detect::{Basis, Certainty, Detection, Detector, Piece};

use super::plan::Plan;
use crate::binaries::NotText;
use crate::buffer::Buffer;
use crate::failure::{AtPath, Failure, Unreadable};
use crate::gate::no_text;
use crate::input::Input;
use crate::paths::is_regular;
use crate::printable::{Escaped, argument};
use crate::reading::{CHUNK, Replay, read_some};
use crate::survey::{joined, mends_mixed, split, unite, with_bom};

/// The file to read, and its encoding: that of the plan, or the detected one. A
/// pipe is copied to an unnamed file for that. Instead of the encoding, the reason if
/// the input was found by a walk and is not text.
pub(super) fn source(
    plan: &Plan,
    input: &Input,
    file: Arc<File>,
    buffer: &mut Buffer,
    mut say: impl FnMut(String),
) -> Result<(Arc<File>, Result<Encoding, NotText>), Failure> {
    if let Some(from) = plan.from {
        return Ok((file, Ok(from)));
    }
    let unreadable = |why| Err(Unreadable::new(input.path(), &io::Error::other(why)).into());
    let (file, found) = detected(file, buffer).reading(input.path())?;
    let name = Escaped(input.path());
    if let Ok(Some((pieces, _))) = joined(&found) {
        if let Some(why) =
            no_text(&found, &mut Replay::new(&file, buffer)).reading(input.path())?.filter(|_| !input.is_named())
        {
            return Ok((file, Err(why)));
        }
        if plan.verbose {
            say(format!("{name}: converted from {found}"));
        }
        let text = united(&mut Replay::new(&file, buffer), pieces).reading(input.path())?;
        return Ok((Arc::new(text), Ok(Encoding::Utf8)));
    }
    let Some(encoding) = found.encoding().filter(|_| found.basis() != Basis::Joined) else {
        if !input.is_named()
            && let Some(why) = no_text(&found, &mut Replay::new(&file, buffer)).reading(input.path())?
        {
            return Ok((file, Err(why)));
        }
        let advice = "its encoding is unsupported or unknown; if you know it, name it with -f";
        return unreadable(format!("{found}: {advice}"));
    };
    if found.is_mixed() {
        return unreadable(format!("{found}; {}", mends_mixed(&found, argument(input.path()))));
    }
    if plan.verbose || (found.certainty() == Certainty::Guess && !plan.silent) {
        say(format!("{name}: converted from {found}"));
    }
    Ok((file, Ok(with_bom(encoding, &found))))
}

/// Reads `file` to its end. Returns a file with the same content, rewound.
fn detected(file: Arc<File>, buffer: &mut Buffer) -> io::Result<(Arc<File>, Detection)> {
    buffer.grow(CHUNK);
    let mut detector = Detector::new();
    let (mut from, mut spool) = (&*file, None);
    let origin = if is_regular(&file)? {
        from.stream_position()?
    } else {
        spool = Some(tempfile::tempfile()?);
        0
    };
    loop {
        let len = read_some(&mut from, buffer)?;
        if len == 0 {
            break;
        }
        detector.feed(&buffer[..len]);
        if let Some(spool) = &mut spool {
            spool.write_all(&buffer[..len])?;
        }
    }
    let again = spool.map_or(file, Arc::new);
    let mut found = detector.finish();
    split(&mut found, &mut Replay::new(&again, buffer))?;
    (&*again).seek(SeekFrom::Start(origin))?;
    Ok((again, found))
}

/// The text of joined pieces, in UTF-8, in an unnamed file.
pub(super) fn united(file: &mut Replay<'_>, pieces: &[Piece]) -> io::Result<File> {
    let (mut text, mut written) = (tempfile::tempfile()?, Ok(()));
    unite(file, pieces, |stretch| {
        if written.is_ok() {
            written = text.write_all(stretch.text());
        }
    })?;
    written?;
    text.rewind()?;
    Ok(text)
}
