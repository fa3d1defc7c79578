//! A place in a stream: bytes, lines, columns, code points.

use crate::naming::checked;
use utfkit_core::internal::SmallBytes;
use utfkit_core::internal::count_line_feeds;
use utfkit_core::internal::utf16::is_low;
use utfkit_core::{Encoding, count_code_points};

/// A place in a stream, counted over all bytes before it.
///
/// Well-formed text is counted without decoding: a code point is a byte that is
/// not a continuation byte, a 16-bit unit that is not a low surrogate, or a 32-bit
/// unit. The loop has no branch, and a cut inside a character is harmless.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// Determines the size of a unit.
    encoding: Encoding,
    pub(crate) offset: u64,
    /// The number of line ends.
    pub(crate) lines: u64,
    /// Code points and ill-formed sequences before this place on its line.
    before: u64,
    /// Well-formed code points of the whole stream.
    pub(crate) code_points: u64,
    /// The bytes of an incomplete unit.
    pending: SmallBytes<4>,
}

impl Position {
    /// The start of a stream in `encoding`, whose byte order is decided.
    #[inline]
    pub(crate) fn start(encoding: Encoding) -> Position {
        Position { encoding, offset: 0, lines: 0, before: 0, code_points: 0, pending: SmallBytes::new() }
    }

    /// The same place in a stream that is in `encoding` from here on.
    #[inline]
    pub(crate) fn in_encoding(self, encoding: Encoding) -> Position {
        Position { encoding, ..self }
    }

    #[inline]
    pub(crate) fn line(&self) -> u64 {
        self.lines + 1
    }

    #[inline]
    pub(crate) fn column(&self) -> u64 {
        self.before + 1
    }

    /// Advances over well-formed `bytes`. In an encoding whose code points
    /// [`pass_value`](Self::pass_value) counts, each byte is one.
    #[inline]
    pub(crate) fn advance(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        match checked(self.encoding) {
            Encoding::Utf8 => self.advance_bytes(bytes, count_code_points),
            Encoding::Utf16Le => self.advance_units(bytes, |b| u16::from_le_bytes(b).into(), starts_utf16),
            Encoding::Utf16Be | Encoding::Utf16 => {
                self.advance_units(bytes, |b| u16::from_be_bytes(b).into(), starts_utf16);
            }
            Encoding::Utf32Le => self.advance_units(bytes, u32::from_le_bytes, |_| true),
            Encoding::Utf32Be | Encoding::Utf32 => self.advance_units(bytes, u32::from_be_bytes, |_| true),
            // Each byte is a code point, or the decoder counts them.
            _ => self.advance_bytes(bytes, <[u8]>::len),
        }
    }

    /// Advances over an ill-formed sequence of `len` bytes: one column.
    #[inline]
    pub(crate) fn pass_ill_formed(&mut self, len: usize) {
        self.offset += len as u64;
        self.before += 1;
    }

    /// Advances over a code point of `len` bytes.
    #[inline]
    pub(crate) fn pass_value(&mut self, value: u32, len: usize) {
        self.offset += len as u64;
        let end = usize::from(value == LINE_FEED);
        self.passed(end, 1, 1 - end);
    }

    /// Advances over `len` bytes that are no part of the text: a BOM, a state
    /// change.
    #[inline]
    pub(crate) fn skip(&mut self, len: usize) {
        self.offset += len as u64;
    }

    /// Advances over the bytes that `next` has counted from 0.
    #[inline]
    pub(crate) fn join(&mut self, next: &Position) {
        self.offset += next.offset;
        self.before = next.before + if next.lines == 0 { self.before } else { 0 };
        self.lines += next.lines;
        self.code_points += next.code_points;
        self.pending = next.pending;
    }

    #[inline]
    fn advance_bytes(&mut self, bytes: &[u8], code_points: fn(&[u8]) -> usize) {
        let (ends, all) = (count_line_feeds(bytes), code_points(bytes));
        if ends == 0 {
            self.passed(0, all, all);
        } else {
            self.passed(ends, all, code_points(&bytes[last_line(bytes)..]));
        }
    }

    fn advance_units<const SIZE: usize>(
        &mut self,
        mut bytes: &[u8],
        unit: impl Fn([u8; SIZE]) -> u32 + Copy,
        starts: impl Fn(u32) -> bool + Copy,
    ) {
        if !self.pending.is_empty() {
            let joined: SmallBytes<SIZE> = self.pending.joined(bytes);
            let Ok(one) = joined.as_slice().try_into() else {
                return self.pending.set(joined.as_slice());
            };
            bytes = &bytes[SIZE - self.pending.len()..];
            self.advance_whole_units(&[one], unit, starts);
        }
        let (units, rest) = bytes.as_chunks::<SIZE>();
        self.advance_whole_units(units, unit, starts);
        self.pending.set(rest);
    }

    fn advance_whole_units<const SIZE: usize>(
        &mut self,
        units: &[[u8; SIZE]],
        unit: impl Fn([u8; SIZE]) -> u32 + Copy,
        starts: impl Fn(u32) -> bool + Copy,
    ) {
        let (ends, all) = count_units(units, unit, starts);
        if ends == 0 {
            self.passed(0, all, all);
        } else {
            let start = units.iter().rposition(|&u| unit(u) == LINE_FEED).map_or(0, |at| at + 1);
            self.passed(ends, all, count_units(&units[start..], unit, starts).1);
        }
    }

    /// Adds `ends` line ends and `all` code points, `after` of them after the last
    /// line end.
    #[inline]
    fn passed(&mut self, ends: usize, all: usize, after: usize) {
        self.lines += ends as u64;
        self.code_points += all as u64;
        self.before = after as u64 + if ends == 0 { self.before } else { 0 };
    }
}

const LINE_FEED: u32 = 0x0A;

#[inline]
fn starts_utf16(unit: u32) -> bool {
    !is_low(unit as u16)
}

/// Counts line feeds, and units that begin a code point.
fn count_units<const SIZE: usize>(
    units: &[[u8; SIZE]],
    unit: impl Fn([u8; SIZE]) -> u32,
    starts: impl Fn(u32) -> bool,
) -> (usize, usize) {
    let (mut ends, mut code_points) = (0, 0);
    for run in units.chunks(u16::MAX as usize) {
        let (mut run_ends, mut run_starts) = (0u16, 0u16);
        for &bytes in run {
            let value = unit(bytes);
            run_ends += u16::from(value == LINE_FEED);
            run_starts += u16::from(starts(value));
        }
        ends += usize::from(run_ends);
        code_points += usize::from(run_starts);
    }
    (ends, code_points)
}

/// The offset of the last line of `bytes`. Searches from the end, a block at a
/// time, because lines are short and chunks are long.
#[inline]
fn last_line(bytes: &[u8]) -> usize {
    let mut end = bytes.len();
    for block in bytes.rchunks(256) {
        let start = end - block.len();
        if block.contains(&b'\n') {
            return block.iter().rposition(|&b| b == b'\n').map_or(start, |at| start + at + 1);
        }
        end = start;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn places(encoding: Encoding, bytes: &[u8], cut: usize) -> (u64, u64, u64, u64) {
        let mut position = Position::start(encoding);
        for chunk in bytes.chunks(cut) {
            position.advance(chunk);
        }
        (position.offset, position.line(), position.column(), position.code_points)
    }

    #[test]
    fn every_encoding_and_every_cut_counts_alike() {
        let text =
            "Grüße\nаб\n\n日本語\u{10A}\u{A0A}🎉 und noch etwas, das lang ist, damit Blöcke voll werden".repeat(40);
        let tail = text.rsplit('\n').next().unwrap();
        let lines = 1 + text.matches('\n').count() as u64;
        let (column, all) = (1 + tail.chars().count() as u64, text.chars().count() as u64);

        let utf16 = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<_>>();
        let utf32 = |order: fn(u32) -> [u8; 4]| text.chars().map(u32::from).flat_map(order).collect::<Vec<_>>();
        for (encoding, bytes) in [
            (Encoding::Utf8, text.as_bytes().to_vec()),
            (Encoding::Utf16Le, utf16(u16::to_le_bytes)),
            (Encoding::Utf16Be, utf16(u16::to_be_bytes)),
            (Encoding::Utf32Le, utf32(u32::to_le_bytes)),
            (Encoding::Utf32Be, utf32(u32::to_be_bytes)),
        ] {
            for cut in [1, 2, 3, 5, 7, 31, 64, 1000, bytes.len()] {
                assert_eq!(places(encoding, &bytes, cut), (bytes.len() as u64, lines, column, all), "{encoding} {cut}");
            }
        }
    }

    #[test]
    fn lanes_do_not_overflow() {
        let bytes = [b'\n'; 3 * 32 * 255 + 17];
        assert_eq!(places(Encoding::Latin1, &bytes, bytes.len()).1, bytes.len() as u64 + 1);
    }
}
