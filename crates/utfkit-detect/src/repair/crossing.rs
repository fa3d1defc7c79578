//! Legacy text that was decoded with the wrong encoding and saved as UTF-8: `Ëó÷øèå` is
//! `Лучшие`, windows-1251 decoded as windows-1252.

use alloc::vec::Vec;

use super::item::{Blank, Item};
use super::misreading::{COLUMNS, COUNT, ENCODINGS, Index, Misreading, Misreadings, column};
use super::oddness::is_c1;
use super::undo::{Fit, Front};
use crate::detect::own_script;
use crate::line::{character, is_single_byte};
use crate::model::is_letter;
use utfkit_core::internal::Decoded;
use utfkit_core::internal::utf8::decode;
use utfkit_core::{Encoding, Legacy, Standard};

/// The encoding that a text was written in, and the one that it was decoded with.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    pub(super) read: Encoding,
    pub(super) written: Encoding,
    /// The negative log2-probability of the mistake, in bits.
    pub(super) prior: u32,
}

const fn of(read: Legacy, written: Legacy, prior: u32) -> Crossing {
    Crossing { read: Encoding::Legacy(read), written: Encoding::Legacy(written), prior }
}

const fn utf8(read: Legacy, prior: u32) -> Crossing {
    Crossing { read: Encoding::Legacy(read), written: Encoding::Utf8, prior }
}

const fn latin1(written: Legacy, prior: u32) -> Crossing {
    Crossing { read: Encoding::Latin1, written: Encoding::Legacy(written), prior }
}

const fn ibm437(written: Legacy, prior: u32) -> Crossing {
    Crossing { read: Encoding::Ibm437, written: Encoding::Legacy(written), prior }
}

const fn from_ibm437(read: Legacy, prior: u32) -> Crossing {
    Crossing { read: Encoding::Legacy(read), written: Encoding::Ibm437, prior }
}

/// The pairs that programs confuse: encodings of Windows with each other, the encoding of a
/// language with that of Western Europe, Windows with DOS and the Macintosh. If two give the
/// same text, the first one counts. Sorted by the encoding that the text was decoded with.
pub(super) const CROSSINGS: &[Crossing] = {
    use Legacy as L;
    &[
        // Controls for punctuation. See `Crossing::is_of_controls`.
        latin1(L::Windows1252, 0),
        // ISO-8859-1 differs from windows-1252 in the controls.
        latin1(L::Windows1251, 4),
        latin1(L::Windows1250, 4),
        latin1(L::Windows1253, 4),
        latin1(L::Windows1254, 4),
        latin1(L::Windows1255, 4),
        latin1(L::Windows1256, 4),
        latin1(L::Windows1257, 4),
        latin1(L::Windows874, 4),
        latin1(L::Koi8R, 5),
        latin1(L::Koi8U, 6),
        latin1(L::Ibm866, 6),
        latin1(L::Ibm852, 10),
        latin1(L::Ibm850, 14),
        latin1(L::Ibm737, 8),
        latin1(L::Ibm862, 8),
        latin1(L::Macintosh, 20),
        latin1(L::XMacCe, 22),
        latin1(L::XMacCyrillic, 14),
        latin1(L::EucJp, 6),
        latin1(L::ShiftJis, 6),
        latin1(L::Gbk, 6),
        latin1(L::Big5, 6),
        latin1(L::EucKr, 6),
        of(L::Windows1252, L::Windows1251, 4),
        of(L::Windows1252, L::Windows1250, 4),
        of(L::Windows1252, L::Windows1253, 4),
        of(L::Windows1252, L::Windows1254, 4),
        of(L::Windows1252, L::Windows1255, 4),
        of(L::Windows1252, L::Windows1256, 4),
        of(L::Windows1252, L::Windows1257, 4),
        of(L::Windows1252, L::Windows874, 4),
        of(L::Windows1252, L::Iso8859_2, 5),
        of(L::Windows1252, L::Iso8859_5, 6),
        of(L::Windows1252, L::Iso8859_7, 5),
        of(L::Windows1252, L::Iso8859_13, 8),
        of(L::Windows1252, L::Koi8R, 5),
        of(L::Windows1252, L::Koi8U, 6),
        of(L::Windows1252, L::Ibm866, 6),
        of(L::Windows1252, L::Ibm850, 6),
        from_ibm437(L::Windows1252, 6),
        of(L::Windows1252, L::Ibm852, 8),
        of(L::Windows1252, L::Ibm857, 8),
        of(L::Windows1252, L::Ibm737, 8),
        of(L::Windows1252, L::Ibm862, 8),
        of(L::Windows1252, L::Ibm775, 14),
        of(L::Windows1252, L::Macintosh, 5),
        of(L::Windows1252, L::XMacCe, 8),
        of(L::Windows1252, L::XMacCyrillic, 14),
        of(L::Windows1252, L::EucJp, 6),
        of(L::Windows1252, L::ShiftJis, 6),
        of(L::Windows1252, L::Gbk, 6),
        of(L::Windows1252, L::Big5, 6),
        of(L::Windows1252, L::EucKr, 6),
        of(L::Windows1250, L::Windows1252, 5),
        of(L::Windows1250, L::Windows1251, 6),
        of(L::Windows1250, L::Koi8R, 8),
        of(L::Windows1250, L::Ibm866, 10),
        of(L::Windows1250, L::Windows1253, 8),
        of(L::Windows1250, L::Windows1254, 8),
        of(L::Windows1250, L::Windows1257, 8),
        of(L::Windows1250, L::Iso8859_2, 8),
        of(L::Windows1250, L::Ibm852, 8),
        of(L::Windows1250, L::ShiftJis, 10),
        of(L::Windows1250, L::Gbk, 10),
        of(L::Windows1251, L::Koi8R, 5),
        of(L::Windows1251, L::Koi8U, 6),
        of(L::Windows1251, L::Ibm866, 5),
        of(L::Windows1251, L::Iso8859_5, 6),
        of(L::Windows1251, L::XMacCyrillic, 14),
        of(L::Windows1251, L::Windows1252, 6),
        of(L::Windows1251, L::Windows1250, 8),
        of(L::Windows1251, L::Windows1257, 8),
        of(L::Windows1251, L::Windows1254, 10),
        of(L::Windows1251, L::Windows1253, 10),
        of(L::Windows1251, L::Windows1255, 10),
        of(L::Windows1251, L::EucJp, 10),
        of(L::Windows1251, L::ShiftJis, 10),
        of(L::Windows1251, L::Gbk, 10),
        of(L::Windows1253, L::Windows1252, 8),
        of(L::Windows1254, L::Windows1252, 8),
        of(L::Windows1255, L::Windows1252, 8),
        of(L::Windows1256, L::Windows1252, 8),
        of(L::Windows1257, L::Windows1252, 8),
        of(L::Iso8859_2, L::Windows1252, 8),
        of(L::Iso8859_2, L::Windows1250, 8),
        of(L::Koi8R, L::Windows1251, 5),
        of(L::Koi8R, L::Koi8U, 5),
        of(L::Koi8R, L::Ibm866, 8),
        of(L::Koi8R, L::Iso8859_5, 10),
        of(L::Ibm866, L::Windows1251, 5),
        of(L::Ibm866, L::Koi8R, 8),
        of(L::Ibm866, L::Windows1252, 10),
        of(L::XMacCyrillic, L::Windows1251, 8),
        of(L::Iso8859_5, L::Windows1251, 8),
        ibm437(L::Windows1252, 6),
        ibm437(L::Windows1251, 8),
        ibm437(L::Windows1253, 8),
        ibm437(L::Ibm866, 8),
        ibm437(L::Koi8R, 10),
        ibm437(L::Ibm852, 8),
        ibm437(L::Ibm737, 8),
        ibm437(L::Ibm862, 8),
        ibm437(L::ShiftJis, 10),
        ibm437(L::Gbk, 10),
        of(L::Ibm850, L::Windows1252, 6),
        of(L::Ibm850, L::Windows1251, 8),
        of(L::Ibm850, L::Windows1250, 8),
        of(L::Ibm850, L::Windows1254, 8),
        of(L::Ibm850, L::Ibm866, 8),
        of(L::Ibm850, L::Ibm852, 8),
        of(L::Ibm850, L::Ibm857, 8),
        of(L::Ibm852, L::Windows1250, 8),
        of(L::Ibm852, L::Windows1252, 8),
        of(L::Ibm857, L::Windows1254, 8),
        of(L::Ibm737, L::Windows1253, 8),
        of(L::Ibm862, L::Windows1255, 8),
        of(L::Ibm775, L::Windows1257, 14),
        of(L::Macintosh, L::Windows1252, 6),
        of(L::Macintosh, L::Windows1251, 8),
        of(L::Macintosh, L::Koi8R, 10),
        of(L::Macintosh, L::Ibm866, 12),
        of(L::Macintosh, L::Windows1253, 8),
        of(L::Macintosh, L::XMacGreek, 8),
        of(L::Macintosh, L::Windows1250, 8),
        of(L::Macintosh, L::XMacCe, 8),
        of(L::Macintosh, L::XMacCyrillic, 8),
        of(L::Macintosh, L::ShiftJis, 10),
        of(L::Macintosh, L::EucJp, 10),
        of(L::Macintosh, L::Gbk, 10),
        of(L::XMacCe, L::Windows1250, 20),
        utf8(L::Gbk, 2),
        utf8(L::ShiftJis, 2),
        utf8(L::Big5, 4),
        utf8(L::EucKr, 4),
    ]
};

/// The crossing with this index. Indices of crossings follow the indices of misreadings.
pub(super) fn crossing(index: Index) -> Option<&'static Crossing> {
    CROSSINGS.get(usize::from(index).checked_sub(COUNT)?)
}

/// See [`Misreadings::begins_utf8`].
const SEGMENTS_TRIED: usize = 3;
const CHARACTERS_TRIED: usize = 6;

/// All crossings with their indices.
pub(super) fn crossings() -> impl Iterator<Item = (Index, &'static Crossing)> {
    (COUNT as Index..).zip(CROSSINGS)
}

/// The crossings of text that was written in another encoding of the same script, and read in the same one.
pub(super) fn siblings(index: Index) -> Vec<Index> {
    let Some(own) = crossing(index).filter(|own| is_single_byte(own.written)) else { return Vec::new() };
    let is_sibling =
        |crossing: &Crossing| own.is_kin(crossing) && is_single_byte(crossing.written) && !crossing.is_of_controls();
    let all = crossings().filter(|(other, crossing)| *other != index && is_sibling(crossing));
    all.map(|(other, _)| other).collect()
}

/// The encoding that text was read in, for an index of a misreading or a crossing.
pub(super) fn misreading(index: Index) -> Misreading {
    match crossing(index) {
        Some(crossing) => Misreading { encoding: crossing.read, prior: crossing.prior },
        None => ENCODINGS[usize::from(index)],
    }
}

impl Crossing {
    /// True if both texts were read in the same encoding, and written in one for the same script.
    pub(super) fn is_kin(&self, other: &Crossing) -> bool {
        // They are taken for each other.
        let is_western = |encoding| matches!(encoding, Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252));
        let is_same_read = self.read == other.read || (is_western(self.read) && is_western(other.read));
        is_same_read && own_script(self.written) == own_script(other.written)
    }

    /// True for the crossing that only turns C1 controls into the punctuation of windows-1252.
    pub(super) fn is_of_controls(&self) -> bool {
        matches!((self.read, self.written), (Encoding::Latin1, Encoding::Legacy(Legacy::Windows1252)))
    }
}

/// Counts of a text that exclude most crossings at once.
pub(super) struct Profile {
    /// The number of characters beyond US-ASCII, and the number in each column of the table.
    all: u32,
    known: [u32; COLUMNS],
    /// Characters next to another one beyond US-ASCII, and next to a letter of US-ASCII.
    adjacent: u32,
    glued: u32,
    /// The distinct characters with their counts.
    distinct: Vec<(char, u32)>,
    pub(super) has_wide: bool,
    pub(super) has_controls: bool,
}

impl Profile {
    /// False if the text cannot come from this crossing, or hardly.
    pub(super) fn suits(&self, table: &Misreadings, crossing: &Crossing) -> bool {
        if crossing.is_of_controls() {
            return self.has_controls;
        }
        let is_read = match column(crossing.read) {
            Some(column) => 4 * self.known[usize::from(column)] >= 3 * self.all,
            None => self.has_wide,
        };
        // ISO-8859-1 and windows-1252 differ in 80 to 9F.
        let is_latin1 = crossing.read == Encoding::Latin1;
        let is_multibyte = !is_single_byte(crossing.written) && crossing.written != Encoding::Utf8;
        if !is_read || (is_latin1 && !self.has_controls) {
            return false;
        }
        if crossing.written == Encoding::Utf8 {
            return true;
        }
        if is_multibyte {
            return 4 * self.adjacent >= self.all;
        }
        // Latin letters occur next to US-ASCII letters, letters of other scripts do not.
        let is_latin = own_script(crossing.written).is_none();
        if if is_latin { 4 * self.glued < self.all } else { 2 * self.glued > self.all } {
            return false;
        }
        let Some(column) = column(crossing.read) else { return false };
        let letters = self.distinct.iter().filter(|(c, _)| {
            let read = table.byte(column, *c).and_then(|byte| character(crossing.written, byte));
            read.is_some_and(is_letter)
        });
        2 * letters.map(|(_, count)| *count).sum::<u32>() >= self.all
    }
}

impl Misreadings {
    pub(super) fn profile(&self, text: &[Item]) -> Profile {
        let mut profile = Profile {
            all: 0,
            known: [0; COLUMNS],
            adjacent: 0,
            glued: 0,
            distinct: Vec::new(),
            has_wide: false,
            has_controls: false,
        };
        let mut before = ' ';
        for (at, item) in text.iter().enumerate() {
            if !item.c.is_ascii() {
                let after = text.get(at + 1).map_or(' ', |next| next.c);
                profile.all += 1;
                profile.adjacent += u32::from(!before.is_ascii());
                profile.glued += u32::from(before.is_ascii_alphabetic() || after.is_ascii_alphabetic());
                match profile.distinct.iter_mut().find(|(c, _)| *c == item.c) {
                    Some((_, count)) => *count += 1,
                    None => profile.distinct.push((item.c, 1)),
                }
            }
            before = item.c;
        }
        for &(c, count) in &profile.distinct {
            profile.has_wide |= c >= '\u{2E80}';
            profile.has_controls |= is_c1(c);
            for (known, byte) in profile.known.iter_mut().zip(self.bytes_of(c)) {
                *known += if *byte == 0 { 0 } else { count };
            }
        }
        profile
    }

    /// Undoes a crossing in the runs that fit, into `to`. See [`Misreadings::undo`].
    pub(super) fn cross(&self, crossing: &Crossing, from: &[Item], cut: bool, to: &mut Vec<Item>) -> Fit {
        to.clear();
        to.reserve(from.len());
        match crossing.written {
            _ if crossing.is_of_controls() => controls(from, to),
            written if is_single_byte(written) => self.cross_single_bytes(crossing.read, written, from, to),
            _ => self.cross_segments(crossing, from, cut, to),
        }
    }

    fn cross_single_bytes(&self, read: Encoding, written: Encoding, from: &[Item], to: &mut Vec<Item>) -> Fit {
        let mut fit = Fit::default();
        let Some(column) = column(read) else { return fit };
        let mut rest = from;
        while let Some(first) = rest.first() {
            if first.c.is_ascii() {
                to.push(*first);
                rest = &rest[1..];
                continue;
            }
            let len = rest.iter().position(|item| item.c.is_ascii()).unwrap_or(rest.len());
            let (run, after) = rest.split_at(len);
            rest = after;
            let mark = to.len();
            let mut changed = 0;
            let fits = run.iter().all(|item| {
                let byte = self.byte_read(read, column, item.c);
                let c = byte.and_then(|byte| character(written, byte)).filter(|c| !is_c1(*c));
                let Some(c) = c else { return false };
                changed += usize::from(c != item.c);
                to.push(Item { c, is_undone: item.is_undone || c != item.c, ..*item });
                true
            });
            if !fits {
                to.truncate(mark);
                to.extend_from_slice(run);
                fit.others += 1;
            } else if changed > 0 {
                fit.runs += 1;
                fit.sequences += changed;
            }
        }
        fit
    }

    /// True if most of a text that may have been a crossing are sequences: the rest of it lost bytes. With controls for
    /// punctuation, it has one of three characters by chance, not two.
    pub(super) fn is_doubled(&self, crossing: &Crossing, text: &[Item]) -> bool {
        let Some(index) = column(crossing.read).filter(|index| usize::from(*index) < COUNT) else { return false };
        // Two bytes of another encoding may be a sequence by chance.
        if !is_single_byte(crossing.written) {
            return false;
        }
        let (mut sequences, mut wide, mut others, mut at) = (0, 0, 0, 0);
        while at < text.len() {
            match self.front(index, &text[at..]) {
                Front::Sequence { len, .. } => {
                    sequences += 1;
                    wide += usize::from(len > 2);
                    at += len;
                }
                _ => {
                    others += usize::from(self.byte(index, text[at].c).is_some());
                    at += 1;
                }
            }
        }
        sequences > others.max(1) || (crossing.is_of_controls() && wide > 1)
    }

    /// True if one of the first segments begins with UTF-8, encoded back in `read`.
    pub(super) fn begins_utf8(&self, read: Encoding, text: &[Item]) -> bool {
        let is_between = |item: &Item| item.c <= ' ' || is_lost(item.c);
        let segments = text.split(is_between).filter(|segment| segment.iter().any(|item| !item.c.is_ascii()));
        segments.take(SEGMENTS_TRIED).any(|segment| {
            let from = segment.iter().position(|item| !item.c.is_ascii()).unwrap_or(0);
            let mut bytes = Vec::new();
            let all = segment[from..].iter().take(CHARACTERS_TRIED).all(|item| self.bytes(read, item.c, &mut bytes));
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                match decode(rest, Standard::Rfc3629) {
                    Decoded::Value { len, .. } => rest = &rest[len..],
                    Decoded::Unfinished { .. } => break,
                    _ => return false,
                }
            }
            all || rest.len() < bytes.len()
        })
    }

    /// The bytes of a character in the encoding that it was read in.
    fn bytes(&self, read: Encoding, c: char, to: &mut Vec<u8>) -> bool {
        if c.is_ascii() {
            to.push(c as u8);
            return true;
        }
        if let Some(column) = column(read) {
            let byte = self.byte_read(read, column, c);
            to.extend(byte);
            return byte.is_some();
        }
        let mut text = [0; 4];
        let (bytes, is_lossy) = read.encode(c.encode_utf8(&mut text));
        if is_lossy {
            return false;
        }
        to.extend_from_slice(&bytes);
        true
    }

    /// The byte that was read as `c`. ISO-8859-1 and windows-1252 are taken for each other: a text
    /// without controls does not tell which of them it was.
    fn byte_read(&self, read: Encoding, column: Index, c: char) -> Option<u8> {
        let is_western = read == Encoding::Legacy(Legacy::Windows1252);
        self.byte(column, c).or_else(|| u8::try_from(u32::from(c)).ok().filter(|_| is_western && is_c1(c)))
    }

    /// Undoes a crossing in which one of the encodings has several bytes per character. A
    /// *segment* is a stretch without white space; in UTF-8 parts of it may fit.
    fn cross_segments(&self, crossing: &Crossing, from: &[Item], cut: bool, to: &mut Vec<Item>) -> Fit {
        let mut fit = Fit::default();
        let mut rest = from;
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        while let Some(first) = rest.first() {
            bytes.clear();
            ends.clear();
            for item in rest.iter().take_while(|item| item.c > ' ') {
                if !self.bytes(crossing.read, item.c, &mut bytes) {
                    break;
                }
                ends.push(bytes.len());
            }
            if ends.is_empty() {
                // A lost character is no evidence against the rest.
                let may_be_lost = crossing.written == Encoding::Utf8;
                let is_excused = first.c.is_ascii() || (may_be_lost && is_lost(first.c));
                fit.others += usize::from(!is_excused);
                to.push(*first);
                rest = &rest[1..];
                continue;
            }
            let (segment, after) = rest.split_at(ends.len());
            let is_last = after.is_empty();
            rest = after;
            if segment.iter().all(|item| item.c.is_ascii()) {
                to.extend_from_slice(segment);
                continue;
            }
            match crossing.written {
                Encoding::Utf8 => {
                    let next = rest.first().map(|item| item.c);
                    from_utf8(segment, next, &ends, &bytes, cut && is_last, to, &mut fit);
                }
                written => from_multibyte(written, segment, &ends, &bytes, cut && is_last, to, &mut fit),
            }
        }
        fit
    }
}

/// Windows-1252's punctuation for the controls at its bytes.
fn controls(from: &[Item], to: &mut Vec<Item>) -> Fit {
    let mut fit = Fit::default();
    let windows = Encoding::Legacy(Legacy::Windows1252);
    for (at, item) in from.iter().enumerate() {
        let c = u8::try_from(u32::from(item.c)).ok().filter(|_| is_c1(item.c));
        let Some(byte) = c else {
            to.push(*item);
            continue;
        };
        let next = from.get(at + 1).map(|next| next.c);
        let previous = at.checked_sub(1).map(|at| from[at].c);
        let is_other = match byte {
            // CSI begins an escape sequence, NEL ends a line.
            0x9B => next.is_none_or(|next| next.is_ascii_digit() || matches!(next, ';' | '?' | 'K' | 'J' | 'm' | 'H')),
            // Opening quotes follow no letter.
            0x82 | 0x84 => previous.is_some_and(char::is_alphanumeric),
            // Signs of which few are next to a letter: `est\u{87}` was read from the Macintosh.
            0x86..=0x89 | 0x98 => previous.is_some_and(char::is_alphabetic) || next.is_some_and(char::is_alphabetic),
            0x80 | 0x99 => next.is_some_and(char::is_alphabetic),
            0x85 => {
                previous.is_none_or(char::is_whitespace)
                    || next.is_some_and(|next| next.is_alphanumeric() && !next.is_lowercase())
            }
            _ => false,
        };
        match character(windows, byte) {
            Some(c) if !is_c1(c) && !is_other => {
                to.push(Item { c, is_undone: true, ..*item });
                fit.runs += 1;
                fit.sequences += 1;
            }
            _ => {
                to.push(*item);
                fit.others += 1;
            }
        }
    }
    fit
}

/// Undoes the parts of a segment that begin and end with characters of both encodings.
/// `next` is the character after it.
fn from_utf8(
    segment: &[Item],
    next: Option<char>,
    ends: &[usize],
    bytes: &[u8],
    cut: bool,
    to: &mut Vec<Item>,
    fit: &mut Fit,
) {
    // The number of characters of the segment that are done, and of their bytes.
    let (mut done, mut start) = (0, 0);
    let (mut good, mut bad) = (0, 0);
    while done < segment.len() {
        let mark = to.len();
        let (mut at, mut last) = (start, done);
        // A part: sequences of UTF-8 until the end of one is that of a character.
        let end = loop {
            let Some(front) = bytes.get(at..).filter(|front| !front.is_empty()) else { break None };
            match decode(front, Standard::Rfc3629) {
                Decoded::Value { value, len } => {
                    at += len;
                    to.extend(char::from_u32(value).map(|c| Item { c, end: 0, is_undone: true, blank: Blank::None }));
                }
                _ => break None,
            }
            while ends[last] < at {
                last += 1;
            }
            if ends[last] == at {
                break Some(last);
            }
        };
        let has_undone = to[mark..].iter().any(|item| !item.c.is_ascii());
        match end {
            Some(last) if has_undone => {
                to[mark..].iter_mut().for_each(|item| item.end = segment[last].end);
                good += to.len() - mark;
                (done, start) = (last + 1, at);
            }
            Some(last) => {
                to.truncate(mark);
                to.extend_from_slice(&segment[done..=last]);
                (done, start) = (last + 1, at);
            }
            None => {
                to.truncate(mark);
                if cut && bytes.len() - at < 4 && segment.len() - done <= 4 {
                    fit.open = segment.len() - done;
                    break;
                }
                to.push(segment[done]);
                bad += usize::from(!segment[done].c.is_ascii());
                (done, start) = (done + 1, ends[done]);
            }
        }
    }
    // A segment that lost a byte is no evidence against the rest.
    let is_lossy = next.is_some_and(is_lost) || segment.iter().any(|item| item.c == '?');
    fit.runs += good;
    fit.sequences += good;
    fit.others += if is_lossy { 0 } else { bad };
}

/// Undoes a whole segment, or nothing of it.
fn from_multibyte(
    written: Encoding,
    segment: &[Item],
    ends: &[usize],
    bytes: &[u8],
    cut: bool,
    to: &mut Vec<Item>,
    fit: &mut Fit,
) {
    let mark = to.len();
    let (mut at, mut done, mut changed) = (0, 0, 0);
    while at < bytes.len() {
        let len = sequence_len(written, &bytes[at..]);
        let Some(sequence) = bytes.get(at..at + len) else { break };
        let last = ends.partition_point(|end| *end < at + len);
        if len == 1 && sequence[0] < 0x80 {
            to.push(segment[done]);
        } else {
            let (text, is_lossy) = written.decode(sequence);
            let mut characters = text.chars();
            let (Some(c), None, false) = (characters.next(), characters.next(), is_lossy || is_private(&text)) else {
                break;
            };
            changed += 1;
            to.push(Item { c, end: segment[last].end, is_undone: true, blank: Blank::None });
        }
        at += len;
        done = last + 1;
    }
    if at < bytes.len() && cut && bytes.len() - at < 4 && changed > 0 {
        fit.open = segment.len() - done;
    } else if at < bytes.len() {
        to.truncate(mark);
        to.extend_from_slice(segment);
        fit.others += 1;
        return;
    }
    if changed > 0 {
        fit.runs += 1;
        fit.sequences += changed;
    }
}

/// True for the characters that decoders write for unassigned bytes.
fn is_lost(c: char) -> bool {
    matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}')
}

fn is_private(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}'))
}

/// The length of the sequence at the front, by its first bytes.
fn sequence_len(encoding: Encoding, front: &[u8]) -> usize {
    let Encoding::Legacy(legacy) = encoding else { return 1 };
    match (legacy, front[0]) {
        (_, 0..=0x7F) => 1,
        (Legacy::ShiftJis, 0x80 | 0xA0..=0xDF | 0xFD | 0xFE | 0xFF) => 1,
        (Legacy::EucJp, 0x8F) => 3,
        (Legacy::Gbk | Legacy::Gb18030, 0x81..=0xFE) if front.get(1).is_some_and(u8::is_ascii_digit) => 4,
        _ => 2,
    }
}
