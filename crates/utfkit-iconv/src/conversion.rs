//! A conversion with the results of glibc's `iconv`, on slices.
//!
//! glibc converts in two steps, from the source to UCS-4 in native order and from there to the target. utfkit takes
//! one step. The difference shows only at an error, which depends on the step that finds it: the first has plenty of
//! space, the second asks for space before it looks at a character. `Found` names the step.

use utfkit::internal::Decoded;
use utfkit::internal::utf8::{decode, sequence};
use utfkit::internal::utf16::is_high;
use utfkit::{Encoding, Error, ErrorKind, Standard};

use crate::bytes::{Bytes, Other};
use crate::charset::Charset;
use crate::units::{self, Units};

/// A conversion between two encodings, and its state: a BOM that has yet to be read or written.
#[derive(Clone, Copy)]
pub struct Conversion {
    from: Charset,
    to: Charset,
    /// Faster than utfkit's kernels for a source of up to `fast_len` bytes.
    fast: FastPath,
    fast_len: usize,
    /// The text has not begun and may have a BOM.
    reads_bom: bool,
    /// Nothing is written, and a BOM comes first.
    writes_bom: bool,
    /// By its BOM, the source is in the other byte order.
    is_swapped: bool,
}

/// Converts the front of a source and may stop at any character.
#[derive(Clone, Copy)]
enum FastPath {
    Nothing,
    Read(&'static Bytes, Other<'static>),
    Write(&'static Bytes, Other<'static>),
    /// The booleans tell of the source and of the target whether it has surrogate pairs.
    Units(Units, Units, (bool, bool)),
    ToUtf8(Units, bool),
    OfAscii(Units),
}

impl FastPath {
    /// Returns the fast path and the most bytes for which it is faster than a kernel.
    fn of(from: Charset, to: Charset) -> (FastPath, usize) {
        let other = |charset: Charset| match charset.encoding {
            Encoding::Utf8 => Some(Other::Utf8),
            encoding => Units::of(encoding).map(Other::Units),
        };
        let most = kernels_above(from, to).min(kernels_above(to, from));
        match (Bytes::of(from), Bytes::of(to)) {
            (Some(reads), Some(writes)) => (FastPath::Read(reads, Other::Bytes(writes)), most),
            (Some(reads), None) => (other(to).map_or(FastPath::Nothing, |to| FastPath::Read(reads, to)), most),
            (None, Some(writes)) => (other(from).map_or(FastPath::Nothing, |from| FastPath::Write(writes, from)), most),
            (None, None) => {
                let way = match (Units::of(from.encoding), Units::of(to.encoding)) {
                    (Some(units), Some(into)) => FastPath::Units(units, into, (!from.is_ucs2(), !to.is_ucs2())),
                    (Some(units), None) => FastPath::ToUtf8(units, !from.is_ucs2()),
                    (None, Some(units)) => FastPath::OfAscii(units),
                    (None, None) => FastPath::Nothing,
                };
                (way, SHORT)
            }
        }
    }

    /// Returns the fast path of a source in the other byte order.
    fn swapped(self) -> FastPath {
        match self {
            FastPath::Write(bytes, Other::Units(from)) => FastPath::Write(bytes, Other::Units(from.swapped())),
            FastPath::Units(from, to, pairs) => FastPath::Units(from.swapped(), to, pairs),
            FastPath::ToUtf8(from, pairs) => FastPath::ToUtf8(from.swapped(), pairs),
            other => other,
        }
    }
}

/// The reason why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All of the source was converted.
    Done,
    /// `E2BIG`: the next character does not fit.
    Full,
    /// `EILSEQ`: the next sequence is ill-formed, or the target lacks the character.
    IllFormed,
    /// `EINVAL`: the source ends with an incomplete character.
    Incomplete,
}

/// The progress of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Bytes of the source.
    pub read: usize,
    /// Bytes of the target.
    pub written: usize,
    /// The reason why it ended.
    pub end: End,
}

/// The result of glibc's two steps at the position where utfkit's one step stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// The first step converts the character, and it does not fit for the second.
    NoSpace,
    /// The first step converts the character, and the second refuses it.
    BySecond,
    /// The first step refuses it.
    ByFirst,
    /// The first step waits for more bytes.
    Unfinished,
    /// The second step drops a character with this number of bytes.
    Dropped(usize),
}

impl Conversion {
    /// Creates a conversion at the beginning of a text.
    pub fn new(from: Charset, to: Charset) -> Conversion {
        let (fast, fast_len) = FastPath::of(from, to);
        Conversion { from, to, fast, fast_len, reads_bom: from.has_bom, writes_bom: to.has_bom, is_swapped: false }
    }

    /// Returns to the beginning of a text. No encoding here writes anything for that.
    pub fn reset(&mut self) {
        (self.reads_bom, self.writes_bom) = (self.from.has_bom, self.to.has_bom);
    }

    /// Converts as much of `src` as fits into `dst`.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Step {
        let mut step = Step { read: 0, written: 0, end: End::Done };
        let mut is_fresh = false;
        // From the internal form, glibc takes a single step, which writes its BOM even before an empty text.
        if src.is_empty() && !(self.from.is_internal && self.writes_bom) {
            return step;
        }
        if self.reads_bom {
            let bom = self.from.bom();
            let Some(front) = src.get(..bom.len()) else { return Step { end: End::Incomplete, ..step } };
            self.reads_bom = false;
            is_fresh = true;
            let other = front.iter().eq(bom.iter().rev());
            if front == bom || other {
                step.read = bom.len();
                if other && !self.is_swapped {
                    self.is_swapped = true;
                    self.fast = self.fast.swapped();
                }
            }
            if src.len() == step.read {
                return step;
            }
        }
        let from = if self.is_swapped { self.from.swapped() } else { self.from };
        let begin = step.read;
        if self.writes_bom && !self.write_bom(from, &src[step.read..], dst, &mut step) {
            self.reads_bom |= is_fresh && self.looks_again(step.end == End::Full);
            return step;
        }
        loop {
            let (read, written) = self.fast(&src[step.read..], &mut dst[step.written..]);
            (step.read, step.written) = (step.read + read, step.written + written);
            if step.read == src.len() {
                return step;
            }
            let before = step.read + from.before_hole(&src[step.read..]);
            let found = if is_cut(from, &src[step.read..]) {
                Found::Unfinished
            } else {
                match self.up_to_hole(from, &src[step.read..before], &mut dst[step.written..]) {
                    Ok(written) => {
                        (step.read, step.written) = (before, step.written + written);
                        if before == src.len() {
                            return step;
                        }
                        Found::ByFirst
                    }
                    Err(Stop { error, is_hole }) => {
                        step.read += error.offset();
                        step.written += error.written();
                        found(from, self.to, error, is_hole, &src[step.read..])
                    }
                }
            };
            let asks_first = match found {
                Found::Unfinished | Found::ByFirst => self.from.is_internal || self.to.is_internal,
                Found::NoSpace | Found::BySecond | Found::Dropped(_) => true,
            };
            step.end = if asks_first && !self.has_space(src, dst, &step) { End::Full } else { end(found) };
            match found {
                Found::Dropped(len) if step.end != End::Full => {
                    step.read += len;
                    step.end = End::Done;
                }
                _ => {
                    let by_second = !matches!(found, Found::ByFirst | Found::Unfinished);
                    self.reads_bom |= is_fresh && self.looks_again(by_second && step.read == begin);
                    return step;
                }
            }
        }
    }

    /// True if glibc's decoder of UTF-16 looks for a BOM once more: after the second step took nothing of the first
    /// step's output. Decoders of encodings with characters of one length do not.
    fn looks_again(&self, took_nothing: bool) -> bool {
        let is_utf16 = matches!(self.from.encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        took_nothing && is_utf16 && !self.to.is_internal
    }

    /// True if there is the space that glibc wants before it looks at a character, or less of the source than it
    /// wants before that.
    fn has_space(&self, src: &[u8], dst: &[u8], step: &Step) -> bool {
        // UCS-4 to UCS-4 wants space first, except UCS-4LE to the internal form.
        let is_copy = self.from.is_ucs4()
            && self.to.is_ucs4()
            && (self.from.is_internal || self.from.encoding == Encoding::Ucs4Be);
        let is_part = src.len() - step.read < self.from.shortest() && !is_copy;
        dst.len() - step.written >= self.to.shortest() || is_part
    }

    /// Converts the front of `src` by the fast path. Returns the bytes read and written.
    fn fast(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if src.len() > self.fast_len {
            return (0, 0);
        }
        match self.fast {
            FastPath::Nothing => (0, 0),
            FastPath::Read(bytes, to) => bytes.read(to, src, dst),
            FastPath::Write(bytes, from) => bytes.write(from, src, dst),
            FastPath::Units(from, to, pairs) => units::convert(from, to, pairs, src, dst),
            FastPath::ToUtf8(from, pairs) => units::to_utf8(from, pairs, src, dst),
            FastPath::OfAscii(to) => units::of_ascii(to, src, dst),
        }
    }

    /// Converts by utfkit, up to a hole of the target.
    fn up_to_hole(&self, from: Charset, src: &[u8], dst: &mut [u8]) -> Result<usize, Stop> {
        let (reads, writes) = (from.nearest(self.to), self.to.nearest(from));
        let done = reads.convert(writes, src, dst);
        let written = done.unwrap_or_else(|error| error.written());
        let before = self.to.before_hole(&dst[..written]);
        if before == written {
            // If one unit fits, a surrogate pair did not.
            let is_hole = self.to.is_ucs2() && dst.len() - written >= 2;
            return done.map_err(|error| Stop { error, is_hole });
        }
        // With this capacity it stops before the character that is the hole.
        reads.convert(writes, src, &mut dst[..before]).map_err(|error| Stop { error, is_hole: true })
    }

    /// Writes the BOM, if a character of `front` follows it. Returns false if the call ends.
    fn write_bom(&mut self, from: Charset, front: &[u8], dst: &mut [u8], step: &mut Step) -> bool {
        if !self.from.is_internal {
            let front = &front[..from.before_hole(front)];
            if front.is_empty() {
                return true;
            }
            if let Err(error) = from.nearest(self.to).convert(UTF32, front, &mut [0; 4]) {
                let found = found(from, self.to, error, false, front);
                if error.offset() == 0 && matches!(found, Found::ByFirst | Found::Unfinished) {
                    step.end = end(found);
                    return false;
                }
            }
        }
        let bom = self.to.bom();
        let Some(space) = dst.get_mut(..bom.len()) else {
            step.end = End::Full;
            return false;
        };
        space.copy_from_slice(bom);
        step.written = bom.len();
        self.writes_bom = false;
        true
    }
}

/// The most bytes for which a table is faster than utfkit, which has kernels for some pairs.
fn kernels_above(bytes: Charset, other: Charset) -> usize {
    match bytes.encoding {
        _ if other.is_single_byte() => usize::MAX,
        Encoding::Latin1 if other.shortest() == 1 => 0,
        Encoding::Latin1 => SHORT,
        Encoding::UsAscii if other.shortest() < 4 => SHORT,
        _ => usize::MAX,
    }
}

/// The most bytes for which the start of a kernel costs more than it saves.
const SHORT: usize = 128;

/// True if `rest` is an incomplete character. Many calls end so, and this is faster than a conversion.
fn is_cut(from: Charset, rest: &[u8]) -> bool {
    let first = |of: fn([u8; 2]) -> u16| rest.first_chunk().is_none_or(|unit| is_high(of(*unit)));
    match Units::of(from.encoding) {
        Some(Units::Four | Units::FourBig) => rest.len() < 4,
        _ if from.is_ucs2() => rest.len() < 2,
        Some(Units::Two) => rest.len() < 4 && first(u16::from_le_bytes),
        Some(Units::TwoBig) => rest.len() < 4 && first(u16::from_be_bytes),
        None => from.encoding == Encoding::Utf8 && utfkit::trim_partial_utf8(rest).is_empty(),
    }
}

/// The error at which utfkit or glibc's second step stopped.
struct Stop {
    error: Error,
    /// True if the next character is a hole of the target.
    is_hole: bool,
}

/// The byte order of [`first`].
const UTF32: Encoding = Encoding::Utf32Le;

fn end(found: Found) -> End {
    match found {
        Found::Unfinished => End::Incomplete,
        Found::NoSpace => End::Full,
        Found::ByFirst | Found::BySecond | Found::Dropped(_) => End::IllFormed,
    }
}

/// Returns the result of glibc at the front of `rest`, where utfkit found `error`.
fn found(from: Charset, to: Charset, error: Error, is_hole: bool, rest: &[u8]) -> Found {
    match error.kind() {
        ErrorKind::OutputTooSmall if !is_hole => Found::NoSpace,
        // glibc drops tags that the target lacks.
        ErrorKind::OutputTooSmall | ErrorKind::Unrepresentable => match first(from.nearest(to), rest) {
            Some((0xE0000..=0xE007F, len)) => Found::Dropped(len),
            _ => Found::BySecond,
        },
        _ if from.encoding == Encoding::Utf8 => utf8_found(rest),
        _ if error.error_len().is_none() => Found::Unfinished,
        // The second step refuses a value of up to 31 bits, the first a larger one.
        _ if from.is_ucs4() => {
            let highest = if from.encoding == Encoding::Ucs4Be { rest[0] } else { rest[3] };
            if highest < 0x80 { Found::BySecond } else { Found::ByFirst }
        }
        _ => Found::ByFirst,
    }
}

/// Returns the first character of `bytes` and its length.
fn first(encoding: Encoding, bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value = [0; 4];
    let len = match encoding.convert(UTF32, bytes, &mut value) {
        Ok(4) => bytes.len(),
        Err(error) if error.written() == 4 => error.offset(),
        _ => return None,
    };
    Some((u32::from_le_bytes(value), len))
}

/// Classifies an ill-formed sequence at the front of `rest` as glibc's decoder of UTF-8 does. It waits for the
/// continuation bytes that a lead byte announces, then checks the value, and passes values above U+10FFFF to the
/// second step.
fn utf8_found(rest: &[u8]) -> Found {
    // C0 and C1 are refused without their continuation byte.
    if sequence(rest).open && !matches!(rest[0], 0xC0 | 0xC1) {
        return Found::Unfinished;
    }
    match decode(rest, Standard::Rfc2279) {
        Decoded::Value { .. } => Found::BySecond,
        _ => Found::ByFirst,
    }
}
