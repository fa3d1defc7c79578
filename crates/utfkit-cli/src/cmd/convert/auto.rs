//! `-f auto`: the encoding of an input is what all of it says.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::Arc;

use utfkit::Encoding;
use utfkit::detect::{Certainty, Detection, Detector};

use super::conversion::Failure;
use super::plan::Plan;
use crate::buffer::Buffer;
use crate::gate::with_bom;
use crate::input::{Input, Unreadable};
use crate::reading::{CHUNK, read_some};
use crate::report::Escaped;

/// What to read of `file`, and in which encoding it is: that of the plan, or
/// what is found out. A pipe is kept in a file without a name meanwhile.
/// Without an encoding it was met on a walk and is not a text.
pub(super) fn source(
    plan: &Plan,
    input: &Input,
    file: Arc<File>,
    buffer: &mut Buffer,
    mut say: impl FnMut(String),
) -> Result<(Arc<File>, Option<Encoding>), Failure> {
    if plan.from.is_some() {
        return Ok((file, plan.from));
    }
    let unreadable = |error: io::Error| Failure::Unreadable(Unreadable::new(input.path(), &error));
    let (file, found) = look_through(file, buffer).map_err(unreadable)?;
    let name = Escaped(input.path());
    let Some(encoding) = found.encoding() else {
        if found.name().is_none() && !input.is_named() {
            if plan.verbose {
                say(format!("{name}: binary, skipped"));
            }
            return Ok((file, None));
        }
        let advice = "its encoding cannot be read, or it has none; if you know it, name it with -f";
        return Err(unreadable(io::Error::other(format!("{found}: {advice}"))));
    };
    if found.is_mixed() {
        let advice = "these would be garbled; `utfkit repair --fallback NAME` leaves them alone, \
                      and -f NAME converts all of it";
        return Err(unreadable(io::Error::other(format!("{found}: {advice}"))));
    }
    if plan.verbose || (found.certainty() == Certainty::Guess && !plan.silent) {
        say(format!("{name}: converted from {found}"));
    }
    Ok((file, Some(with_bom(encoding, &found))))
}

/// Reads `file` to its end. The result reads the same from its beginning on.
fn look_through(file: Arc<File>, buffer: &mut Buffer) -> io::Result<(Arc<File>, Detection)> {
    buffer.grow(CHUNK);
    let mut detector = Detector::new();
    let (mut from, mut spool) = (&*file, None);
    let origin = if file.metadata()?.is_file() {
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
    (&*again).seek(SeekFrom::Start(origin))?;
    Ok((again, detector.finish()))
}
