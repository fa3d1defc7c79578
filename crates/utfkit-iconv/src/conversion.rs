//! A conversion as glibc's `iconv` does it, on slices.
//!
//! glibc converts in two steps, from the source into UCS-4 in the order of the
//! machine, and from there into the target. The library does it in one. What is seen from
//! outside is the same except at an error, where it depends on the step that
//! finds it: the first one has space in abundance, and the second asks for
//! space before it looks at a character. [`Found`] says which step it is.

use utfkit::{Encoding, Error, ErrorKind};

use crate::charset::Charset;

/// A conversion between two encodings that are ours, and what it remembers
/// between two calls: whether a BOM is still to be read or written.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    from: Charset,
    to: Charset,
    /// The text has not begun: its BOM, if it has one, comes first.
    reads_bom: bool,
    /// Nothing is written, and a BOM is to come first.
    writes_bom: bool,
    /// The BOM said that the source is in the other byte order.
    is_swapped: bool,
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
    /// The second step drops it.
    Dropped,
}

impl Conversion {
    /// The conversion of `from` into `to`, at the beginning of a text.
    pub fn new(from: Charset, to: Charset) -> Conversion {
        Conversion { from, to, reads_bom: from.has_bom, writes_bom: to.has_bom, is_swapped: false }
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
                self.is_swapped |= other;
            }
            if src.len() == step.read {
                return step;
            }
        }
        let source = if self.is_swapped { self.from.swapped() } else { self.from };
        let from = source.encoding;
        let before = source.before_hole(&src[step.read..]).len() + step.read;
        let begin = step.read;
        if self.writes_bom && !self.write_bom(from, &src[..before], dst, &mut step) {
            self.reads_bom |= is_fresh && self.looks_again(step.end == End::Full);
            return step;
        }
        loop {
            let space = &mut dst[step.written..];
            let (done, is_hole) = self.without_holes(from, &src[step.read..before], space);
            let found = match done {
                Ok(written) => {
                    (step.read, step.written) = (before, step.written + written);
                    if before == src.len() {
                        return step;
                    }
                    Found::ByFirst
                }
                Err(error) => {
                    step.read += error.offset();
                    step.written += error.written();
                    match found(from, &error, &src[step.read..]) {
                        _ if is_hole => Found::BySecond,
                        Found::Dropped if self.has_space(from, src, dst, &step) => {
                            step.read += error.len();
                            continue;
                        }
                        found => found,
                    }
                }
            };
            let asks_first = match found {
                Found::Unfinished | Found::ByFirst => self.from.is_internal || self.to.is_internal,
                Found::NoSpace | Found::BySecond | Found::Dropped => true,
            };
            step.end = if asks_first && !self.has_space(from, src, dst, &step) { End::Full } else { end(found) };
            let by_second = !matches!(found, Found::ByFirst | Found::Unfinished);
            self.reads_bom |= is_fresh && self.looks_again(by_second && step.read == begin);
            return step;
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
    /// character, and as much of the source as it wants before that.
    fn has_space(&self, from: Encoding, src: &[u8], dst: &[u8], step: &Step) -> bool {
        // One kind of UCS-4 into another wants space first, but for one of the three.
        let is_ucs4 = |encoding| matches!(encoding, Encoding::Ucs4Le | Encoding::Ucs4Be);
        let is_copy = is_ucs4(from) && is_ucs4(self.to.encoding) && (self.from.is_internal || from == Encoding::Ucs4Be);
        let is_part = src.len() - step.read < from.unit_size() && !is_copy;
        dst.len() - step.written >= self.to.shortest() || is_part
    }

    /// Converts as the library does, but stops before what that writes as a hole of the
    /// target, and says whether it did.
    fn without_holes(&self, from: Encoding, src: &[u8], dst: &mut [u8]) -> (Result<usize, Error>, bool) {
        let done = from.convert(self.to.encoding, src, dst);
        if self.to.holes == 0 {
            return (done, false);
        }
        let written = done.map_or_else(|error| error.written(), |written| written);
        let before = self.to.before_hole(&dst[..written]).len();
        if before == written {
            return (done, false);
        }
        // With no more space it stops before the character that is the hole.
        (from.convert(self.to.encoding, src, &mut dst[..before]), true)
    }

    /// Writes the BOM, if there is a character to come after it. Returns whether
    /// to go on.
    fn write_bom(&mut self, from: Encoding, front: &[u8], dst: &mut [u8], step: &mut Step) -> bool {
        let front = &front[step.read..];
        if front.is_empty() && !self.from.is_internal {
            return true;
        }
        if let Err(error) = from.convert(UCS4, front, &mut [0; 4]) {
            let found = found(from, &error, front);
            if error.offset() == 0 && !self.from.is_internal && matches!(found, Found::ByFirst | Found::Unfinished) {
                step.end = end(found);
                return false;
            }
        }
        let bom = self.to.bom();
        let Some(space) = dst.get_mut(step.written..step.written + bom.len()) else {
            step.end = End::Full;
            return false;
        };
        space.copy_from_slice(bom);
        step.written += bom.len();
        self.writes_bom = false;
        true
    }
}

/// The order does not matter: it is not looked at.
const UCS4: Encoding = Encoding::Ucs4Le;

fn end(found: Found) -> End {
    match found {
        Found::Unfinished => End::Incomplete,
        Found::NoSpace => End::Full,
        Found::ByFirst | Found::BySecond | Found::Dropped => End::IllFormed,
    }
}

/// What glibc finds at the front of `rest`, where the library found `error`.
fn found(from: Encoding, error: &Error, rest: &[u8]) -> Found {
    match error.kind() {
        ErrorKind::OutputTooSmall => Found::NoSpace,
        ErrorKind::Unrepresentable if is_tag(from, &rest[..error.len().min(rest.len())]) => Found::Dropped,
        ErrorKind::Unrepresentable => Found::BySecond,
        _ if from == Encoding::Utf8 => utf8_found(rest),
        _ if error.error_len().is_none() => Found::Unfinished,
        ErrorKind::Surrogate if matches!(from, Encoding::Ucs4Le | Encoding::Ucs4Be) => Found::BySecond,
        _ => Found::ByFirst,
    }
}

/// Whether `character` is a tag, U+E0000–U+E007F, which glibc drops where the
/// target lacks it.
fn is_tag(from: Encoding, character: &[u8]) -> bool {
    let mut value = [0; 4];
    from.convert(UCS4, character, &mut value) == Ok(4) && u32::from_le_bytes(value) >> 7 == 0xE0000 >> 7
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
