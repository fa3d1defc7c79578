//! Tells text in an unknown encoding from data that is not text.

use std::io;
use std::ops::ControlFlow;

use utfkit::detect::{Basis, Detection};
use utfkit::diagnose::Checker;
use utfkit::{Encoding, Policy, Practice, Standard, Transcoder};
use utfkit_gate::magic;

use crate::binaries::NotText;
use crate::reading::Replay;
use crate::transcoding::transcode;

/// The limit of the mean length of a line, in bytes, above which a file has no
/// lines. A paragraph on one line is shorter.
const LONGEST_MEAN: u64 = 1024;

/// The reason why `file`, in which `found` was detected, is not text. `None` if it is
/// text, even in an unknown encoding.
pub(crate) fn no_text(found: &Detection, file: &mut Replay<'_>) -> io::Result<Option<NotText>> {
    if !matches!(found.basis(), Basis::NoText | Basis::Unknown | Basis::Joined) {
        return Ok(None);
    }
    let of_front = |front: &[u8]| ControlFlow::Break(magic::format(&front[..front.len().min(magic::FRONT)]));
    if let ControlFlow::Break(Some(format)) = file.each_until(of_front)? {
        return Ok(Some(NotText::Format(format.name)));
    }
    // A part that is UTF-16 has NUL bytes.
    if found.is_mixed() {
        return Ok(None);
    }
    if found.nulls() > 0 {
        return nul(file).map(Some);
    }
    let lines = Lines::of(file)?;
    let controls = lines.foreign(found.controls());
    Ok(match () {
        () if controls * lines.share() > found.bytes() => Some(NotText::Controls(controls)),
        // A declaration is no noise.
        () if found.declaration().is_some() || lines.are_text() => None,
        () => Some(NotText::Noise),
    })
}

/// The first NUL of a file that has one.
pub(super) fn nul(file: &mut Replay<'_>) -> io::Result<NotText> {
    let mut at = 0;
    let found = file.each_until(|chunk| match memchr::memchr(0, chunk) {
        Some(nul) => ControlFlow::Break(at + nul as u64),
        None => {
            at += chunk.len() as u64;
            ControlFlow::Continue(())
        }
    })?;
    Ok(NotText::Nul(found.break_value().unwrap_or(at)))
}

/// UTF-8 with NUL and other controls in it that text does not need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stray {
    /// It is text apart from these: it has lines, and few of them.
    pub(crate) is_sure: bool,
    /// They are rare enough for an encoding in which every byte is a character.
    pub(crate) is_rare: bool,
    pub(crate) is_ascii: bool,
    /// All of them are NUL.
    pub(crate) are_nuls: bool,
}

/// Counts the controls of a file.
struct Strays {
    checker: Checker,
    bytes: u64,
    ends: u64,
    nuls: u64,
    others: u64,
    /// The number of places with one or more in a row.
    places: u64,
    is_inside: bool,
}

impl Strays {
    fn new() -> Strays {
        let checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
        Strays { checker, bytes: 0, ends: 0, nuls: 0, others: 0, places: 0, is_inside: false }
    }

    fn feed(&mut self, chunk: &[u8]) {
        self.checker.feed(chunk, |_| ());
        self.bytes += chunk.len() as u64;
        for &byte in chunk {
            self.ends += u64::from(byte == b'\n' || byte == b'\r');
            let is_stray = is_stray(byte.into());
            self.nuls += u64::from(byte == 0);
            self.others += u64::from(is_stray && byte != 0);
            self.places += u64::from(is_stray && !self.is_inside);
            self.is_inside = is_stray;
        }
    }

    /// `None` if it is not UTF-8, or has no such controls.
    fn finish(&self) -> Option<Stray> {
        let totals = self.checker.totals();
        let all = self.nuls + self.others;
        let has_lines = self.ends > 0 && self.bytes / self.ends <= LONGEST_MEAN;
        let is_sure = has_lines && self.places * STRAY <= self.bytes && all * 2 <= self.bytes;
        (totals.findings() == 0 && all > 0).then(|| Stray {
            is_sure,
            is_rare: is_sure && self.places * RARE <= self.bytes,
            is_ascii: totals.code_points() == self.bytes,
            are_nuls: self.others == 0,
        })
    }
}

/// The least number of bytes per place with stray controls in text. Tables of numbers have fewer.
const STRAY: u64 = 8;
const RARE: u64 = 64;

/// True for a control that text does not need.
pub(super) fn is_stray(c: char) -> bool {
    c < ' ' && !matches!(c, '\t' | '\n' | '\r' | '\u{C}' | '\u{1B}')
}

/// The stray controls of a file in `encoding` that has some.
pub(super) fn stray(file: &mut Replay<'_>, encoding: Encoding) -> io::Result<Option<Stray>> {
    let mut strays = Strays::new();
    if encoding == Encoding::Utf8 {
        file.each(|chunk| strays.feed(chunk))?;
    } else {
        let mut transcoder = Transcoder::new(encoding, Encoding::Utf8, Policy::Replace(Practice::MaximalSubpart));
        let mut buf = vec![0; 64 << 10];
        let mut take = |chunk: &[u8], last| {
            // The policy replaces, so no step stops.
            let _ = transcode(&mut transcoder, chunk, &mut buf, last, |_, text| {
                strays.feed(text);
                Ok(())
            });
        };
        file.each(|chunk| take(chunk, false))?;
        take(&[], true);
    }
    strays.checker.finish(|_| ());
    Ok(strays.finish())
}

/// True if a file that begins like this is surely text apart from some stray controls.
pub(crate) fn begins_with_strays(front: &[u8]) -> bool {
    let mut strays = Strays::new();
    strays.feed(front);
    magic::format(&front[..front.len().min(magic::FRONT)]).is_none()
        && strays.finish().is_some_and(|stray| stray.is_sure)
}

/// The shape of a file, whatever its encoding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    bytes: u64,
    ends: u64,
    /// White space and printable characters of US-ASCII.
    ascii: u64,
    spaces: u64,
    /// U+001F and U+007F, which Info files have at the ends of nodes and of entries.
    marks: u64,
}

impl Lines {
    pub(super) fn of(file: &mut Replay<'_>) -> io::Result<Lines> {
        let mut lines = Lines::default();
        file.each(|chunk| lines.feed(chunk))?;
        Ok(lines)
    }

    /// Counts the lines of a text in UTF-8.
    pub(super) fn of_text(text: &[u8]) -> Lines {
        let mut lines = Lines::default();
        lines.feed(text);
        lines
    }

    fn feed(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        self.ends += count(chunk, |byte| matches!(byte, b'\n' | b'\r'));
        self.ascii += count(chunk, |byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
        self.spaces += count(chunk, |byte| byte == b' ');
        self.marks += count(chunk, |byte| matches!(byte, 0x1F | 0x7F));
    }

    /// The number of `controls` in the file that text does not contain.
    pub(super) fn foreign(self, controls: u64) -> u64 {
        if self.has_lines() { controls.saturating_sub(self.marks) } else { controls }
    }

    /// Text has fewer than one such control in this number of bytes: some lines or pages end with
    /// one.
    pub(super) fn share(self) -> u64 {
        if self.has_lines() { 128 } else { 512 }
    }

    /// True if text may have this number of `controls` in the encoding, of which `raw` are bytes below
    /// 20: chats and screens have some for colours and symbols. The others are bytes from 80 on,
    /// which may be letters in another encoding.
    pub(super) fn may_have(self, controls: u64, raw: u64) -> bool {
        self.has_lines() && (raw == 0 || (controls <= raw && controls * self.share() <= self.bytes))
    }

    pub(super) fn are_text(self) -> bool {
        // A sentence or two without a line end is less likely noise than a long file is.
        let share = if self.bytes < 256 { 3 * self.ascii } else { 4 * self.ascii / 3 };
        self.has_lines() || share >= self.bytes
    }

    /// True if words or phrases are apart, or the file is a word or two.
    pub(super) fn has_spaces(self) -> bool {
        self.bytes < 64 || self.spaces * 100 >= self.bytes
    }

    pub(super) fn has_lines(self) -> bool {
        self.ends > 0 && self.bytes / self.ends <= LONGEST_MEAN
    }
}

/// Counts bytes, in parts whose count fits in a byte, so that it vectorizes.
#[inline(always)]
fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> u64 {
    bytes.chunks(255).map(|part| u64::from(part.iter().map(|byte| u8::from(is_counted(*byte))).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_lines_or_is_mostly_ascii() {
        assert!(Lines::of_text(b"\xE1\xE2\xE3\n\xE4\n").are_text());
        assert!(Lines::of_text(b"a minified script with one \xFF").are_text());
        assert!(!Lines::of_text(&[b"\x80\x7F\x81~".as_slice(); 200].concat()).are_text());
        let loud = [vec![0x9C; 5000], b"\n".to_vec(), vec![0x6D; 1000]].concat();
        assert!(!Lines::of_text(&loud).are_text() && Lines::of_text(&loud[4900..5300]).has_lines());
    }
}
