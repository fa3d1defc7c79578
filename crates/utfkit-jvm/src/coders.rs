//! Charsets: a transcoder as `java.nio.charset` asks for it.
//!
//! A coder of Java reads from one buffer and writes to another. It leaves undecided bytes in the source: the beginning
//! of a character, which the caller passes again with the bytes after it, or reports as malformed at the end. A [`Transcoder`] takes these bytes, so the coder remembers how many of the next source it has seen already.
//!
//! It also leaves bytes there whose text does not fit into the destination. The coder converts a number of bytes that
//! fits in any case at once. If even one byte may not fit, it is tried on a copy of the transcoder.

use std::sync::Mutex;

use engine::detect::Detector;
use engine::{Encoding, Error, ErrorKind, Policy, Status, Transcoder};

use crate::decode::{encoding, utf16_for};
use crate::env::{Bytes, Chars, Env, Ints, Thrown};
use crate::handles::Handles;
use crate::report::pack;
use crate::value::{Value, memory};

static CODERS: Handles<Coder> = Handles::new();
static DETECTORS: Handles<Detector> = Handles::new();

/// The most bytes that one unit of source becomes, with pending ones.
const SCRATCH: usize = 256;
/// The most bytes of a source in one call.
const BULK: usize = 16 << 10;

/// The ends of a step. `utfkit.Coder` has the same numbers.
const UNDERFLOW: i32 = 0;
const OVERFLOW: i32 = 1;
const MALFORMED: i32 = 2;
const UNMAPPABLE: i32 = 3;

struct Coder {
    transcoder: Transcoder,
    /// The bytes at the front of the next source that the transcoder has.
    held: usize,
    encodes: bool,
}

/// The result of a step, in bytes.
struct Step {
    read: usize,
    end: i32,
    /// The length of the error.
    len: usize,
}

impl Coder {
    /// Converts `src` to the end of `dst`, up to `capacity` bytes there.
    fn step(&mut self, src: &[u8], dst: &mut Vec<u8>, capacity: usize) -> Result<Step, Thrown> {
        let mut fed = self.held.min(src.len());
        let mut end = UNDERFLOW;
        let mut error = None;
        while fed < src.len() && end == UNDERFLOW {
            let space = capacity - dst.len();
            let bulk = self.surely_fits((src.len() - fed).min(BULK), space);
            let step = if bulk == 0 { self.one(&src[fed..], dst, space) } else { self.bulk(&src[fed..][..bulk], dst)? };
            let Some(step) = step else {
                end = OVERFLOW;
                break;
            };
            fed += step.read;
            match step.status {
                Status::InputEmpty => {}
                Status::IllFormed(found) if found.kind() == ErrorKind::Unrepresentable => end = UNMAPPABLE,
                Status::IllFormed(_) => end = MALFORMED,
                Status::OutputFull => {
                    let message = "more is written than a destination can need".to_owned();
                    return Err(Thrown::New(c"java/lang/IllegalStateException", message));
                }
            }
            if let Status::IllFormed(found) = step.status {
                error = Some(found);
            }
        }
        // The bytes after an error, too, may have been seen.
        let undecided = self.transcoder.undecided_len();
        let len = error.map_or(0, |error: Error| error.len());
        self.held = undecided;
        if self.encodes && error.is_some() {
            // The caller encodes a replacement before the undecided units, so they are given back. UTF-16 has no state.
            self.transcoder.next_source();
            self.held = 0;
        }
        Ok(Step { read: fed.saturating_sub(undecided + len), end, len })
    }

    /// A number of bytes, at most `len`, that fits into `space` bytes whatever they are; perhaps 0.
    fn surely_fits(&self, len: usize, space: usize) -> usize {
        let mut len = len;
        while len > 0 && self.transcoder.max_len(len).is_none_or(|most| most > space) {
            len /= 2;
        }
        len
    }

    fn bulk(&mut self, src: &[u8], dst: &mut Vec<u8>) -> Result<Option<engine::Step>, Thrown> {
        let before = dst.len();
        let most = self.transcoder.max_len(src.len()).unwrap_or(0);
        dst.try_reserve(most).map_err(|_| Thrown::out_of_memory("no memory for the text"))?;
        dst.resize(before + most, 0);
        let step = self.transcoder.transcode(src, &mut dst[before..], false);
        dst.truncate(before + step.written);
        Ok(Some(step))
    }

    /// Converts one unit. `None` if the result does not fit.
    fn one(&mut self, src: &[u8], dst: &mut Vec<u8>, space: usize) -> Option<engine::Step> {
        let mut scratch = [0; SCRATCH];
        let mut next = self.transcoder.clone();
        let unit = next.source_encoding().unit_size().min(src.len());
        let step = next.transcode(&src[..unit], &mut scratch, false);
        if step.written > space {
            return None;
        }
        dst.extend_from_slice(&scratch[..step.written]);
        self.transcoder = next;
        Some(step)
    }

    /// Ends the stream: writes the last bytes of the target, or finds an error that only the end shows.
    fn finish(&mut self, dst: &mut Vec<u8>, space: usize) -> Step {
        let mut scratch = [0; SCRATCH];
        let mut next = self.transcoder.clone();
        // The caller has reported the bytes left in the source.
        if self.held > 0 {
            next.next_source();
        }
        let step = next.transcode(&[], &mut scratch, true);
        if step.written > space {
            return Step { read: 0, end: OVERFLOW, len: 0 };
        }
        dst.extend_from_slice(&scratch[..step.written]);
        self.transcoder = next;
        self.held = 0;
        match step.status {
            Status::IllFormed(error) => Step { read: 0, end: MALFORMED, len: error.len() },
            _ => Step { read: 0, end: UNDERFLOW, len: 0 },
        }
    }

    fn run(&mut self, src: &[u8], made: &mut Vec<u8>, capacity: usize, ends: bool) -> Result<Step, Thrown> {
        if ends { Ok(self.finish(made, capacity)) } else { self.step(src, made, capacity) }
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
    CODERS.insert(Coder { transcoder: Transcoder::new(from, to, Policy::Strict), held: 0, encodes: !decodes })
}

pub(crate) fn reset(handle: i64) -> Result<(), Thrown> {
    CODERS.with(handle, |coder| {
        coder.transcoder.reset();
        coder.held = 0;
        Ok(())
    })
}

pub(crate) fn free(handle: i64) -> Result<(), Thrown> {
    CODERS.remove(handle).map(drop)
}

/// Decodes bytes into units, and reports the number of bytes read, of units written, the end, and the length of an
/// error. With `ends`, which comes without bytes, it ends the stream.
pub(crate) fn decode<'a>(
    env: Env<'a>,
    handle: i64,
    src: Value<'a>,
    (chars, capacity): (Chars<'a>, i32),
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
    (chars, len): (Chars<'a>, i32),
    (dst, capacity): (Bytes<'a>, i32),
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
