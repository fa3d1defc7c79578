//! `-f auto`: the encoding is detected from the whole file, and on the way in a pipe.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use utfkit::Encoding;
use utfkit::detect::{Basis, Certainty, Detection, Detector, Piece};
use utfkit::io::{Decision, Options, Window};
use utfkit::repair;

use super::conversion::Conversion;
use super::plan::Plan;
use crate::binaries::NotText;
use crate::buffer::Buffer;
use crate::console::complain;
use crate::failure::{AtPath, Failure, Unreadable};
use crate::feed::{Feed, Stream};
use crate::gate::no_text;
use crate::input::Input;
use crate::printable::{Escaped, argument};
use crate::reading::{CHUNK, Replay, read_some, spooled};
use crate::sink::Sink;
use crate::survey::{joined, mends_mixed, split, unite, with_bom};

/// Converts a pipe, which is read once. US-ASCII passes at once; the encoding is that of
/// a window from the first other byte on. Returns the reason if it was found by a walk,
/// as a compressed file is, and is not text.
pub(super) fn piped(
    conversion: &mut Conversion<'_>,
    input: &Input,
    stream: Stream,
    buffer: &mut Buffer,
    sink: &mut Sink,
    ahead: bool,
) -> Result<Option<NotText>, Failure> {
    let path = input.path();
    let options = Options::new().detect(Options::WINDOW);
    let (plan, mut window, mut ascii) = (conversion.plan(), Window::new(), None);
    buffer.grow(CHUNK);
    let (found, held, ended) = loop {
        let len = stream.read(buffer).reading(path)?;
        let ended = len == 0;
        let plain = window.pass(&buffer[..len]);
        let mut texts = vec![buffer[..plain].to_vec()];
        let mut decision = window.fill(&buffer[plain..len], &options);
        while let Decision::Ascii(text) = decision {
            texts.push(text);
            decision = window.fill(&[], &options);
        }
        for text in texts.iter().filter(|text| !text.is_empty()) {
            let ascii = match &mut ascii {
                Some(ascii) => ascii,
                none => none.insert(conversion.begin_ascii(sink).writing(path)?),
            };
            conversion.pass_ascii(ascii, text, sink).writing(path)?;
        }
        if ended {
            decision = window.finish(&options);
        }
        if let Decision::Found(found, held) = decision {
            break (found, held, ended);
        }
    };
    let from = match joined(&found) {
        Ok(Some((pieces, _))) if ended && ascii.is_none() => {
            let mut text = Vec::new();
            repair::unite(&held, pieces, |stretch| text.extend_from_slice(stretch.text()));
            told(plan, input, &found, |message| complain(&message));
            let mut feed = Feed::after(&text, stream.clone(), std::mem::take(buffer), false);
            conversion.convert(input, Encoding::Utf8, stream.file(), &mut feed, sink)?;
            *buffer = feed.into_buffer();
            return Ok(None);
        }
        _ if !input.is_named() && found.encoding().is_none() && ascii.is_none() => {
            let front = spooled(&mut &*held).reading(path)?;
            match no_text(&found, &mut Replay::new(&front, buffer)).reading(path)? {
                Some(why) => return Ok(Some(why)),
                None => readable(&found, path)?,
            }
        }
        _ => readable(&found, path)?,
    };
    told(plan, input, &found, |message| complain(&message));
    let mut feed = Feed::after(&held, stream.clone(), std::mem::take(buffer), ahead);
    match ascii {
        Some(ascii) => conversion.after_ascii(path, ascii, from, &mut feed, sink)?,
        None => drop(conversion.convert(input, with_bom(from, &found), stream.file(), &mut feed, sink)?),
    }
    *buffer = feed.into_buffer();
    Ok(None)
}

/// The encoding that was found, if all of the text is in it.
fn readable(found: &Detection, path: &Path) -> Result<Encoding, Failure> {
    let unreadable = |why| Err(Unreadable::new(path, &io::Error::other(why)).into());
    let Some(encoding) = found.encoding().filter(|_| found.basis() != Basis::Joined) else {
        let advice = "its encoding is unsupported or unknown; if you know it, name it with -f";
        return unreadable(format!("{found}: {advice}"));
    };
    if found.is_mixed() {
        return unreadable(format!("{found}; {}", mends_mixed(found, argument(path))));
    }
    Ok(encoding)
}

/// Says from which encoding the input is converted, if that was asked for or is a guess.
fn told(plan: &Plan, input: &Input, found: &Detection, mut say: impl FnMut(String)) {
    if plan.verbose || (found.certainty() == Certainty::Guess && !plan.silent) {
        say(format!("{}: converted from {found}", Escaped(input.path())));
    }
}

/// The file to read, and its encoding: that of the plan, or the detected one.
/// Instead of the encoding, the reason if the input was found by a walk and is not text.
pub(super) fn source(
    plan: &Plan,
    input: &Input,
    file: Arc<File>,
    buffer: &mut Buffer,
    say: impl FnMut(String),
) -> Result<(Arc<File>, Result<Encoding, NotText>), Failure> {
    if let Some(from) = plan.from {
        return Ok((file, Ok(from)));
    }
    let path = input.path();
    let found = detected(&file, buffer).reading(path)?;
    let pieces = joined(&found).ok().flatten();
    if !input.is_named()
        && (pieces.is_some() || found.encoding().is_none())
        && let Some(why) = no_text(&found, &mut Replay::new(&file, buffer)).reading(path)?
    {
        return Ok((file, Err(why)));
    }
    if let Some((pieces, _)) = pieces {
        told(plan, input, &found, say);
        let text = united(&mut Replay::new(&file, buffer), pieces).reading(path)?;
        return Ok((Arc::new(text), Ok(Encoding::Utf8)));
    }
    let encoding = readable(&found, path)?;
    told(plan, input, &found, say);
    Ok((file, Ok(with_bom(encoding, &found))))
}

/// Reads `file` to its end, and rewinds it.
fn detected(file: &File, buffer: &mut Buffer) -> io::Result<Detection> {
    buffer.grow(CHUNK);
    let mut detector = Detector::new();
    let mut from = file;
    let origin = from.stream_position()?;
    loop {
        let len = read_some(&mut from, buffer)?;
        if len == 0 {
            break;
        }
        detector.feed(&buffer[..len]);
    }
    let mut found = detector.finish();
    split(&mut found, &mut Replay::new(file, buffer))?;
    from.seek(SeekFrom::Start(origin))?;
    Ok(found)
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
