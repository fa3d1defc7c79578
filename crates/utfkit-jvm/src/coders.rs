//! Charsets: a transcoder as `java.nio.charset` asks for it.
//!
//! A coder of Java reads from one buffer and writes to another, and leaves in the source what it has not decided: the
//! beginning of a character, which the caller will pass again with the bytes after it, or report as malformed at the
//! end. It leaves there, too, what does not fit into the destination. A [`Transcoder`] takes both. So the coder here
//! advances a copy of the transcoder, and keeps the copy only if all that it took is decided and delivered.
//!
//! Most of a source goes through in bulk: as many bytes as surely fit, in one call, with a copy made shortly before
//! the end of them, from which the end is converted again without its undecided bytes.

use std::sync::Mutex;

use engine::detect::Detector;
use engine::{Encoding, ErrorKind, Policy, Status, Transcoder};

use crate::decode::{encoding, utf16_for};
use crate::env::{Bytes, Chars, Env, Ints, Thrown};
use crate::handles::Handles;
use crate::report::pack;
use crate::value::{Value, memory};

static CODERS: Handles<Coder> = Handles::new();
static DETECTORS: Handles<Detector> = Handles::new();

/// As many bytes at the end of a source as can be undecided, and more.
const TAIL: usize = 16;
/// The most bytes that a few bytes of source become.
const SCRATCH: usize = 1024;
/// The most bytes of a source in one call.
const BULK: usize = 16 << 10;

/// What a step ends with. `utfkit.Coder` has the same numbers.
const UNDERFLOW: i32 = 0;
const OVERFLOW: i32 = 1;
const MALFORMED: i32 = 2;
const UNMAPPABLE: i32 = 3;

struct Coder {
    transcoder: Transcoder,
}

/// What a step did, in bytes.
struct Step {
    read: usize,
    end: i32,
    /// The length of the error.
    len: usize,
}

impl Coder {
    /// Converts `src` to the end of `dst`, up to `capacity` bytes there.
    fn step(&mut self, src: &[u8], dst: &mut Vec<u8>, capacity: usize) -> Result<Step, Thrown> {
        let mut at = 0;
        loop {
            let rest = &src[at..];
            if rest.is_empty() {
                return Ok(Step { read: at, end: UNDERFLOW, len: 0 });
            }
            let space = capacity - dst.len();
            let bulk = self.surely_fits(rest.len().min(BULK), space);
            let next = if bulk > 2 * TAIL { self.bulk(&rest[..bulk], dst)? } else { None };
            let Some(step) = next.map_or_else(|| self.one(rest, dst, space), |step| Ok(Some(step)))? else {
                return Ok(Step { read: at, end: UNDERFLOW, len: 0 });
            };
            at += step.read;
            if step.end != UNDERFLOW {
                return Ok(Step { read: at, ..step });
            }
        }
    }

    /// As many bytes of a source of `len` as fit into `space` bytes, whatever they are.
    fn surely_fits(&self, len: usize, space: usize) -> usize {
        let mut len = len;
        while len > 2 * TAIL && self.transcoder.max_len(len).is_none_or(|most| most > space) {
            len /= 2;
        }
        len
    }

    /// Converts many bytes. `None` if none of them is decided.
    fn bulk(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<Option<Step>, Thrown> {
        let before = dst.len();
        let (front, tail) = src.split_at(src.len() - TAIL);
        let most = self.transcoder.max_len(src.len()).unwrap_or(0);
        dst.try_reserve(most).map_err(|_| Thrown::out_of_memory("no memory for the text"))?;
        dst.resize(before + most, 0);
        let mut next = self.transcoder.clone();
        let first = next.transcode(front, &mut dst[before..], false);
        if let Some(step) = self.error(&first, 0) {
            dst.truncate(before + first.written);
            self.transcoder = next;
            return Ok(Some(step));
        }
        let middle = before + first.written;
        let mut end = next.clone();
        let mut second = end.transcode(tail, &mut dst[middle..], false);
        let undecided = end.undecided_len();
        if undecided != 0 && second.status == Status::InputEmpty {
            // Bytes of the front may be among them if a character is longer than the tail, which none is.
            let Some(decided) = tail.len().checked_sub(undecided) else {
                dst.truncate(before);
                return Ok(None);
            };
            end = next;
            second = end.transcode(&tail[..decided], &mut dst[middle..], false);
        }
        dst.truncate(middle + second.written);
        self.transcoder = end;
        let step = self.error(&second, front.len());
        Ok(Some(step.unwrap_or(Step { read: front.len() + second.read, end: UNDERFLOW, len: 0 })))
    }

    /// Converts the next character, or the few that are decided together. `None` if the source ends before that.
    fn one(&mut self, src: &[u8], dst: &mut Vec<u8>, space: usize) -> Result<Option<Step>, Thrown> {
        let mut scratch = [0; SCRATCH];
        let unit = self.transcoder.source_encoding().unit_size();
        for len in (unit..=src.len().min(2 * TAIL)).step_by(unit) {
            let mut next = self.transcoder.clone();
            let step = next.transcode(&src[..len], &mut scratch, false);
            if step.status == Status::OutputFull {
                return Err(Thrown::New(c"java/lang/IllegalStateException", "a character of a thousand bytes".to_owned()));
            }
            let error = self.error(&step, 0);
            if error.is_none() && next.undecided_len() != 0 {
                continue;
            }
            if step.written > space {
                return Ok(Some(Step { read: 0, end: OVERFLOW, len: 0 }));
            }
            dst.extend_from_slice(&scratch[..step.written]);
            self.transcoder = next;
            return Ok(Some(error.unwrap_or(Step { read: len, end: UNDERFLOW, len: 0 })));
        }
        Ok(None)
    }

    /// The step that an error ends: before the error, which the caller skips.
    fn error(&self, step: &engine::Step, before: usize) -> Option<Step> {
        let Status::IllFormed(error) = step.status else { return None };
        let end = if error.kind() == ErrorKind::Unrepresentable { UNMAPPABLE } else { MALFORMED };
        let len = error.len();
        Some(Step { read: (before + step.read).saturating_sub(len), end, len })
    }

    /// Ends the stream: what the target writes last, or an error that only the end shows.
    fn finish(&mut self, dst: &mut Vec<u8>, space: usize) -> Result<Step, Thrown> {
        let mut scratch = [0; SCRATCH];
        let mut next = self.transcoder.clone();
        let step = next.transcode(&[], &mut scratch, true);
        if step.written > space {
            return Ok(Step { read: 0, end: OVERFLOW, len: 0 });
        }
        dst.extend_from_slice(&scratch[..step.written]);
        self.transcoder = next;
        Ok(self.error(&step, 0).unwrap_or(Step { read: 0, end: UNDERFLOW, len: 0 }))
    }
}

fn number(len: i32) -> Result<usize, Thrown> {
    usize::try_from(len).map_err(|_| Thrown::New(c"java/lang/IndexOutOfBoundsException", len.to_string()))
}

/// A new decoder or encoder.
pub(crate) fn new(number: i32, decodes: bool) -> Result<i64, Thrown> {
    let encoding = encoding(number)?;
    let units = utf16_for(encoding);
    let (from, to) = if decodes { (encoding, units) } else { (units, encoding) };
    CODERS.insert(Coder { transcoder: Transcoder::new(from, to, Policy::Strict) })
}

pub(crate) fn reset(handle: i64) -> Result<(), Thrown> {
    CODERS.with(handle, |coder| {
        coder.transcoder.reset();
        Ok(())
    })
}

pub(crate) fn free(handle: i64) -> Result<(), Thrown> {
    CODERS.remove(handle).map(drop)
}

/// Decodes bytes into units, and reports what was read, what was written, the end and the length of an error. Without
/// bytes at the end of a stream.
pub(crate) fn decode<'a>(
    env: Env<'a>,
    handle: i64,
    src: Value<'a>,
    chars: Chars<'a>,
    capacity: i32,
    ends: bool,
    report: Ints<'a>,
) -> Result<(), Thrown> {
    let bytes = src.window(0, src.len())?;
    let mut made = Vec::new();
    let step = CODERS.with(handle, |coder| coder.run(&bytes, &mut made, 2 * number(capacity)?, ends))?;
    let units: Vec<u16> = made.as_chunks().0.iter().map(|unit| u16::from_ne_bytes(*unit)).collect();
    env.write_chars(chars, 0, &units)?;
    env.write_ints(report, &[step.read as i32, units.len() as i32, step.end, step.len as i32])
}

/// Encodes units into bytes, and reports the same, lengths of the source in units.
pub(crate) fn encode<'a>(
    env: Env<'a>,
    handle: i64,
    chars: Chars<'a>,
    len: i32,
    dst: Bytes<'a>,
    capacity: i32,
    ends: bool,
    report: Ints<'a>,
) -> Result<(), Thrown> {
    let mut units = vec![0_u16; number(len)?.min(BULK)];
    env.read_chars(chars, 0, &mut units)?;
    let mut bytes = memory(2 * units.len())?;
    bytes.as_chunks_mut().0.iter_mut().zip(&units).for_each(|(to, unit)| *to = unit.to_ne_bytes());
    let mut made = Vec::new();
    let step = CODERS.with(handle, |coder| coder.run(&bytes, &mut made, number(capacity)?, ends))?;
    env.write(dst, 0, &made)?;
    env.write_ints(report, &[(step.read / 2) as i32, made.len() as i32, step.end, step.len.div_ceil(2) as i32])
}

impl Coder {
    fn run(&mut self, src: &[u8], made: &mut Vec<u8>, capacity: usize, ends: bool) -> Result<Step, Thrown> {
        if ends { self.finish(made, capacity) } else { self.step(src, made, capacity) }
    }
}

pub(crate) fn detector() -> Result<i64, Thrown> {
    DETECTORS.insert(Detector::new())
}

pub(crate) fn feed(handle: i64, value: Value<'_>) -> Result<(), Thrown> {
    DETECTORS.with(handle, |detector| {
        value.slices(|slice, _| {
            detector.feed(slice);
            Ok(true)
        })
    })
}

/// The detection, with which the detector is closed.
pub(crate) fn detected(env: Env<'_>, handle: i64) -> Result<Option<Bytes<'_>>, Thrown> {
    let closed = || Thrown::New(c"java/lang/IllegalStateException", "it is closed".to_owned());
    let detector = DETECTORS.remove(handle)?.ok_or_else(closed)?;
    // Another thread that feeds it at this moment still has it.
    let detector = std::sync::Arc::into_inner(detector).ok_or_else(closed)?;
    let detector = Mutex::into_inner(detector).map_err(|_| closed())?;
    pack(&detector.finish()).to_java(env)
}

pub(crate) fn drop_detector(handle: i64) -> Result<(), Thrown> {
    DETECTORS.remove(handle).map(drop)
}

/// The most units for a byte of source, and the most bytes for a unit.
pub(crate) fn ratios(encoding: Encoding) -> (usize, usize) {
    let most = |from: Encoding, to, len| Transcoder::new(from, to, Policy::Strict).max_len(len).unwrap_or(64);
    let units = utf16_for(encoding);
    (most(encoding, units, 1).div_ceil(2), most(units, encoding, 2))
}
