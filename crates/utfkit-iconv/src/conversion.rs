//! A conversion as glibc's `iconv` does it, on slices.
//!
//! glibc converts in two steps, from the source into UCS-4 in the order of the
//! machine, and from there into the target. The library does it in one. What is seen from
//! outside is the same except at an error, where it depends on the step that
//! finds it: the first one has space in abundance, and the second asks for
//! space before it looks at a character. `Found` says which step it is.

use utfkit::{Encoding, Error, ErrorKind};

use crate::bytes::{Bytes, Other};
use crate::charset::Charset;
use crate::units::{self, Units};

/// A conversion between two encodings that are ours, and what it remembers
/// between two calls: whether a BOM is still to be read or written.
#[derive(Clone, Copy)]
pub struct Conversion {
    from: Charset,
    to: Charset,
    /// What is faster than the library for up to so many bytes.
    certain: Certain,
    most: usize,
    /// The text has not begun: its BOM, if it has one, comes first.
    reads_bom: bool,
    /// Nothing is written, and a BOM is to come first.
    writes_bom: bool,
    /// The BOM said that the source is in the other byte order.
    is_swapped: bool,
}

/// A way to convert as far as there is no doubt.
#[derive(Clone, Copy)]
enum Certain {
    Nothing,
    Read(&'static Bytes, Other<'static>),
    Write(&'static Bytes, Other<'static>),
    /// Units into units, and where two of them may be a character.
    Units(Units, Units, (bool, bool)),
    ToUtf8(Units, bool),
    OfAscii(Units),
}

impl Certain {
    /// The one of `from` into `to`, and the most bytes for which it is faster than a kernel.
    fn of(from: Charset, to: Charset) -> (Certain, usize) {
        let other = |charset: Charset| match charset.encoding {
            Encoding::Utf8 => Some(Other::Utf8),
            encoding => Units::of(encoding).map(Other::Units),
        };
        let most = kernels_above(from, to).min(kernels_above(to, from));
        match (Bytes::of(from), Bytes::of(to)) {
            (Some(reads), Some(writes)) => (Certain::Read(reads, Other::Bytes(writes)), most),
            (Some(reads), None) => (other(to).map_or(Certain::Nothing, |to| Certain::Read(reads, to)), most),
            (None, Some(writes)) => (other(from).map_or(Certain::Nothing, |from| Certain::Write(writes, from)), most),
            (None, None) => {
                let way = match (Units::of(from.encoding), Units::of(to.encoding)) {
                    (Some(units), Some(into)) => Certain::Units(units, into, (!from.is_ucs2(), !to.is_ucs2())),
                    (Some(units), None) => Certain::ToUtf8(units, !from.is_ucs2()),
                    (None, Some(units)) => Certain::OfAscii(units),
                    (None, None) => Certain::Nothing,
                };
                (way, SHORT)
            }
        }
    }

    /// The same of a source in the other byte order.
    fn swapped(self) -> Certain {
        match self {
            Certain::Write(bytes, Other::Units(from)) => Certain::Write(bytes, Other::Units(from.swapped())),
            Certain::Units(from, to, pairs) => Certain::Units(from.swapped(), to, pairs),
            Certain::ToUtf8(from, pairs) => Certain::ToUtf8(from.swapped(), pairs),
            other => other,
        }
    }
}

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All of the source was converted.
    Done,
    /// `E2BIG`: there is no space for the next character.
    Full,
    /// `EILSEQ`: what comes next is ill-formed, or the target lacks it.
    IllFormed,
    /// `EINVAL`: the source ends inside a character.
    Incomplete,
}

/// How far a call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Bytes of the source that were converted.
    pub read: usize,
    /// Bytes of the target.
    pub written: usize,
    /// Why it went no further.
    pub end: End,
}

/// What glibc's two steps make of the place where ours stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// The first step converts it, the second has no space.
    NoSpace,
    /// The first step converts it, the second refuses it.
    BySecond,
    /// The first step refuses it.
    ByFirst,
    /// The first step wants more.
    Unfinished,
    /// The second step drops a character of so many bytes.
    Dropped(usize),
}

impl Conversion {
    /// The conversion of `from` into `to`, at the beginning of a text.
    pub fn new(from: Charset, to: Charset) -> Conversion {
        let (certain, most) = Certain::of(from, to);
        Conversion { from, to, certain, most, reads_bom: from.has_bom, writes_bom: to.has_bom, is_swapped: false }
    }

    /// Goes back to the beginning of a text. No encoding here has anything to
    /// write for that.
    pub fn reset(&mut self) {
        (self.reads_bom, self.writes_bom) = (self.from.has_bom, self.to.has_bom);
    }

    /// Converts as much of `src` as `dst` has space for.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Step {
        let mut step = Step { read: 0, written: 0, end: End::Done };
        let mut is_fresh = false;
        // A single step writes its BOM whatever there is.
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
                    self.certain = self.certain.swapped();
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
            let (read, written) = self.certain(&src[step.read..], &mut dst[step.written..]);
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

    /// Where the second step has taken nothing of what the first one made, glibc's
    /// decoder of UTF-16 forgets that it has begun, and takes a BOM once more. In
    /// encodings whose characters are all as long as each other it does not.
    fn looks_again(&self, took_nothing: bool) -> bool {
        let is_utf16 = matches!(self.from.encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        took_nothing && is_utf16 && !self.to.is_internal
    }

    /// Whether there is as much space as glibc wants before it looks at a
    /// character, or less of the source than it wants before that.
    fn has_space(&self, src: &[u8], dst: &[u8], step: &Step) -> bool {
        // One kind of UCS-4 into another wants space first, except UCS-4LE into that of the machine.
        let is_copy = self.from.is_ucs4()
            && self.to.is_ucs4()
            && (self.from.is_internal || self.from.encoding == Encoding::Ucs4Be);
        let is_part = src.len() - step.read < self.from.shortest() && !is_copy;
        dst.len() - step.written >= self.to.shortest() || is_part
    }

    /// Converts the front of `src` in a way that is faster than the library's, if there is one,
    /// as far as that goes. Returns the bytes read and written.
    fn certain(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if src.len() > self.most {
            return (0, 0);
        }
        match self.certain {
            Certain::Nothing => (0, 0),
            Certain::Read(bytes, to) => bytes.read(to, src, dst),
            Certain::Write(bytes, from) => bytes.write(from, src, dst),
            Certain::Units(from, to, pairs) => units::convert(from, to, pairs, src, dst),
            Certain::ToUtf8(from, pairs) => units::to_utf8(from, pairs, src, dst),
            Certain::OfAscii(to) => units::of_ascii(to, src, dst),
        }
    }

    /// Converts as the library does, but stops before what is a hole in the target.
    fn up_to_hole(&self, from: Charset, src: &[u8], dst: &mut [u8]) -> Result<usize, Stop> {
        let (reads, writes) = (from.nearest(self.to), self.to.nearest(from));
        let done = reads.convert(writes, src, dst);
        let written = done.unwrap_or_else(|error| error.written());
        let before = self.to.before_hole(&dst[..written]);
        if before == written {
            // One unit more had space: it was a pair that had none.
            let is_hole = self.to.is_ucs2() && dst.len() - written >= 2;
            return done.map_err(|error| Stop { error, is_hole });
        }
        // With no more space it stops before the character that is the hole.
        reads.convert(writes, src, &mut dst[..before]).map_err(|error| Stop { error, is_hole: true })
    }

    /// Writes the BOM, if there is a character in `front` to come after it. Returns
    /// whether to go on.
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

/// For how many bytes a table is faster than the library, which has kernels between some of them.
fn kernels_above(bytes: Charset, other: Charset) -> usize {
    match bytes.encoding {
        _ if other.is_single_byte() => usize::MAX,
        Encoding::Latin1 if other.shortest() == 1 => 0,
        Encoding::Latin1 => SHORT,
        Encoding::UsAscii if other.shortest() < 4 => SHORT,
        _ => usize::MAX,
    }
}

/// The most bytes for which a kernel costs more than it saves.
const SHORT: usize = 128;

/// Whether `rest` is only a part of a character: calls end so often, and this is sooner
/// seen than converted.
fn is_cut(from: Charset, rest: &[u8]) -> bool {
    let first = |of: fn([u8; 2]) -> u16| rest.first_chunk().is_none_or(|unit| of(*unit) & 0xFC00 == 0xD800);
    match Units::of(from.encoding) {
        Some(Units::Four | Units::FourBig) => rest.len() < 4,
        _ if from.is_ucs2() => rest.len() < 2,
        Some(Units::Two) => rest.len() < 4 && first(u16::from_le_bytes),
        Some(Units::TwoBig) => rest.len() < 4 && first(u16::from_be_bytes),
        None => from.encoding == Encoding::Utf8 && utfkit::trim_partial_utf8(rest).is_empty(),
    }
}

/// Where the library stopped, or the second step does.
struct Stop {
    error: Error,
    /// The next character is a hole in the target.
    is_hole: bool,
}

/// In an order that [`first`] knows.
const UTF32: Encoding = Encoding::Utf32Le;

fn end(found: Found) -> End {
    match found {
        Found::Unfinished => End::Incomplete,
        Found::NoSpace => End::Full,
        Found::ByFirst | Found::BySecond | Found::Dropped(_) => End::IllFormed,
    }
}

/// What glibc finds at the front of `rest`, where the library found `error`.
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
        // The second step refuses what has no more than 31 bits.
        _ if from.is_ucs4() => {
            let highest = if from.encoding == Encoding::Ucs4Be { rest[0] } else { rest[3] };
            if highest < 0x80 { Found::BySecond } else { Found::ByFirst }
        }
        _ => Found::ByFirst,
    }
}

/// The first character of `bytes` and its length.
fn first(encoding: Encoding, bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value = [0; 4];
    let len = match encoding.convert(UTF32, bytes, &mut value) {
        Ok(4) => bytes.len(),
        Err(error) if error.written() == 4 => error.offset(),
        _ => return None,
    };
    Some((u32::from_le_bytes(value), len))
}

/// What glibc's decoder of UTF-8 makes of an ill-formed sequence at the front of
/// `rest`. A lead byte is judged by its header bits, and waits for its
/// continuation bytes whatever these are; only then is the value looked at, and
/// those above U+10FFFF go on to the second step.
fn utf8_found(rest: &[u8]) -> Found {
    let (len, least) = match rest.first() {
        Some(0xC2..=0xDF) => (2, 0x80),
        Some(0xE0..=0xEF) => (3, 0x800),
        Some(0xF0..=0xF7) => (4, 0x1_0000),
        Some(0xF8..=0xFB) => (5, 0x20_0000),
        Some(0xFC..=0xFD) => (6, 0x400_0000),
        _ => return Found::ByFirst,
    };
    let continued = rest[1..].iter().take(len - 1).take_while(|&&byte| byte & 0xC0 == 0x80).count();
    if 1 + continued == rest.len() && rest.len() < len {
        return Found::Unfinished;
    }
    let header = 0x7F_u32 >> len;
    let value = rest[1..=continued]
        .iter()
        .fold(u32::from(rest[0]) & header, |value, &byte| value << 6 | u32::from(byte & 0x3F));
    if 1 + continued == len && value >= least && !(0xD800..0xE000).contains(&value) {
        Found::BySecond
    } else {
        Found::ByFirst
    }
}
