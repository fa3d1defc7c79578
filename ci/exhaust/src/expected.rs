//! The expected results for a group of windows, from the table of RFC 3629
//! section 4.
//!
//! The table is `RFC_3629` of the testkit, a row for each line of the ABNF.
//! Neither is derived from the library.

use utfkit_testkit::piece::Piece;
use utfkit_testkit::{utf8, utf16};

/// The ASCII character around windows.
pub(crate) const SEPARATOR: u8 = b'.';

/// Maximum length of a window.
pub(crate) const LONGEST: usize = 8;

/// The offset of the first error in the window, and its `error_len`.
pub(crate) type FirstError = Option<(usize, Option<usize>)>;

/// A window and its expected results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) bytes: [u8; LONGEST],
    /// The first error before ASCII, and at the end of the text.
    pub(crate) within: FirstError,
    pub(crate) at_end: FirstError,
    values: [u32; LONGEST],
    len: usize,
    units: [u16; LONGEST],
    len16: usize,
    /// Number of values before the first that ISO-8859-1 lacks.
    narrow: usize,
}

impl Window {
    /// The values before the error.
    pub(crate) fn values(&self) -> &[u32] {
        &self.values[..self.len]
    }

    /// The values before the error in UTF-16.
    pub(crate) fn units(&self) -> &[u16] {
        &self.units[..self.len16]
    }

    /// The expected output in ISO-8859-1 and the position of the first wider
    /// character or error.
    pub(crate) fn latin1(&self, at_end: bool) -> (&[u32], FirstError) {
        let error = if at_end { self.at_end } else { self.within };
        if self.narrow == self.len {
            return (self.values(), error);
        }
        let len = |&value: &u32| char::from_u32(value).map_or(0, char::len_utf8);
        let offset = self.values[..self.narrow].iter().map(len).sum();
        (&self.values[..self.narrow], Some((offset, Some(len(&self.values[self.narrow])))))
    }

    /// Number of bytes that determine the verdict: up to one after the error.
    fn settled(&self) -> Option<usize> {
        let (offset, len) = self.within?;
        Some(offset + len? + 1)
    }
}

/// A group of windows, separately and concatenated with separators.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) len: usize,
    pub(crate) windows: Vec<Window>,
    pub(crate) all: Text,
    /// The well-formed windows.
    pub(crate) sound: Text,
    /// All windows, one in each block of 64 bytes, without expected output.
    pub(crate) sparse: Text,
    /// Total number of errors.
    pub(crate) errors: usize,
    pieces: Vec<Piece>,
    rest: Vec<Piece>,
    wide: Vec<u16>,
}

/// A text with its expected outputs, after [`FRONT`] ASCII characters.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) windows: u64,
    pub(crate) src: Vec<u8>,
    pub(crate) utf8: Vec<u8>,
    pub(crate) utf16: Vec<u16>,
    pub(crate) utf32: Vec<u32>,
}

/// The size of a block in bytes: the number of offsets at which windows are
/// tried.
pub(crate) const FRONT: usize = 64;

impl Text {
    fn begin(&mut self) {
        self.windows = 0;
        self.src.clear();
        self.utf8.clear();
        self.utf16.clear();
        self.utf32.clear();
        for i in 0..FRONT {
            let byte = b'a' + (i % 26) as u8;
            self.src.push(byte);
            self.value(byte.into());
        }
    }

    fn value(&mut self, value: u32) {
        utf8::encode(value, &mut self.utf8);
        utf16::encode(value, &mut self.utf16);
        self.utf32.push(value);
    }

    /// Appends a window with its separator. `pieces` are its decoded form.
    fn push(&mut self, src: &[u8], pieces: &[Piece]) {
        self.windows += 1;
        self.src.extend_from_slice(src);
        for piece in pieces {
            self.value(piece.value().unwrap_or(0xFFFD));
        }
    }
}

fn first_error(pieces: &[Piece]) -> FirstError {
    pieces.iter().find(|piece| piece.error().is_some()).map(|piece| (piece.offset, piece.error_len()))
}

/// The forms of a group that are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Each window separately.
    pub(crate) one_by_one: bool,
    /// All windows in one text.
    pub(crate) in_text: bool,
    /// One window per block.
    pub(crate) sparse: bool,
}

impl Group {
    /// Decodes `strings`, each of `len` bytes, by the table.
    pub(crate) fn judge(&mut self, strings: &[u8], len: usize, wanted: Wanted) {
        self.len = len;
        self.windows.clear();
        if wanted.one_by_one {
            strings.chunks_exact(len).for_each(|string| self.judge_alone(string));
        }
        self.all.begin();
        self.sound.begin();
        self.sparse.begin();
        self.errors = 0;
        if wanted.in_text || wanted.sparse {
            let (mut before, mut settled) = ([0; LONGEST], 0);
            for string in strings.chunks_exact(len) {
                // Pieces determined by the common prefix with the previous
                // string are kept: values, and errors including the next byte.
                let common = string.iter().zip(&before).take_while(|(a, b)| a == b).count();
                let is_settled = |piece: &Piece| {
                    piece.offset + piece.len + usize::from(piece.value().is_none()) <= common.min(settled)
                };
                let keep = self.pieces.iter().take_while(|piece| is_settled(piece)).count();
                let from = keep.checked_sub(1).map_or(0, |last| self.pieces[last].offset + self.pieces[last].len);
                self.pieces.truncate(keep);
                let mut padded = [SEPARATOR; LONGEST + 1];
                padded[..len].copy_from_slice(string);
                utf8::pieces_into(&padded[from..len + 1], &utf8::RFC_3629, &mut self.rest);
                self.pieces.extend(self.rest.iter().map(|&piece| Piece { offset: from + piece.offset, ..piece }));
                let errors = self.pieces.iter().filter(|piece| piece.value().is_none()).count();
                self.errors += errors;
                if wanted.in_text {
                    self.all.push(&padded[..len + 1], &self.pieces);
                    if errors == 0 {
                        self.sound.push(&padded[..len + 1], &self.pieces);
                    }
                }
                if wanted.sparse {
                    self.sparse.windows += 1;
                    self.sparse.src.extend_from_slice(string);
                    self.sparse.src.resize(self.sparse.src.len() + FRONT - len, SEPARATOR);
                }
                before[..len].copy_from_slice(string);
                settled = len;
            }
            self.pieces.clear();
        }
    }

    fn judge_alone(&mut self, string: &[u8]) {
        let len = string.len();
        let mut padded = [SEPARATOR; LONGEST + 1];
        padded[..len].copy_from_slice(string);
        let bytes = *padded.first_chunk().expect("it is one byte longer");
        if let Some(before) = self.windows.last()
            && let Some(settled) = before.settled()
            && settled <= len
            && before.bytes[..settled] == bytes[..settled]
        {
            let same = Window { bytes, ..before.clone() };
            self.windows.push(same);
            return;
        }
        utf8::pieces_into(&padded[..len + 1], &utf8::RFC_3629, &mut self.rest);
        let within = first_error(&self.rest);
        let end = within.map_or(len, |(offset, _)| offset);
        let (mut values, mut count) = ([0; LONGEST], 0);
        for value in self.rest.iter().filter(|piece| piece.offset < end).filter_map(Piece::value) {
            values[count] = value;
            count += 1;
        }
        let narrow = values[..count].iter().take_while(|&&value| value <= 0xFF).count();
        self.wide.clear();
        values[..count].iter().for_each(|&value| utf16::encode(value, &mut self.wide));
        let mut units = [0; LONGEST];
        units[..self.wide.len()].copy_from_slice(&self.wide);
        utf8::pieces_into(string, &utf8::RFC_3629, &mut self.rest);
        let at_end = first_error(&self.rest);
        let len16 = self.wide.len();
        self.windows.push(Window { bytes, within, at_end, values, len: count, units, len16, narrow });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::{Alphabet, Strings};

    /// Results kept from one string to the next equal a fresh decoding.
    #[test]
    fn what_is_settled_is_the_same() {
        let strings = Strings::new(Alphabet::classes(), 4);
        let (mut bytes, mut group) = (Vec::new(), Group::default());
        for i in 0..strings.groups() {
            strings.group(i, &mut bytes);
            group.judge(&bytes, 4, Wanted { one_by_one: true, in_text: true, sparse: true });
            for (window, string) in group.windows.iter().zip(bytes.chunks_exact(4)) {
                let mut alone = Group::default();
                alone.judge(string, 4, Wanted { one_by_one: true, in_text: false, sparse: false });
                assert_eq!(*window, alone.windows[0]);
            }
            let pieces = utf8::pieces(&group.all.src, &utf8::RFC_3629);
            let values: Vec<u32> = pieces.iter().map(|piece| piece.value().unwrap_or(0xFFFD)).collect();
            assert_eq!(group.all.utf32, values);
            let errors = |pieces: &[Piece]| pieces.iter().filter(|piece| piece.value().is_none()).count();
            assert_eq!(group.errors, errors(&pieces));
            assert_eq!(group.errors, errors(&utf8::pieces(&group.sparse.src, &utf8::RFC_3629)));
        }
    }
}
