//! Encodings of East Asia, by tables that are learned from the system's `iconv`: it is
//! asked for each character once, and its answer is remembered for the whole process. So what is
//! here gives the system's own answers, whatever its version, without tables in this
//! library and without allocating.
//!
//! Only encodings are here in which a character is the same wherever it stands. What
//! has not one or two bytes there, or lies beyond the Basic Multilingual Plane, and every
//! end of a call that is not the end of its source, is left to the system.

use core::ops::RangeInclusive;
use core::sync::atomic::{AtomicU16, Ordering::Relaxed};

use utfkit::Encoding;

use crate::charset::{Charset, charset};
use crate::units::{self, Units};

/// The names of each encoding, by which its tables are found.
const NAMES: [&[&str]; 12] = [
    &["EUC-JP", "EUCJP", "UJIS", "CSEUCPKDFMTJAPANESE", "OSF00030010"],
    &["EUC-JP-MS", "EUCJP-MS", "EUCJP-OPEN", "EUCJP-WIN"],
    &["SJIS", "SHIFT-JIS", "SHIFT_JIS", "MS_KANJI", "CSSHIFTJIS"],
    &["CP932", "WINDOWS-31J", "MS932", "SJIS-OPEN", "SJIS-WIN", "CSWINDOWS31J"],
    &["EUC-KR", "EUCKR", "CSEUCKR", "OSF0004000A"],
    &["UHC", "CP949", "MSCP949", "OSF100203B5"],
    &["JOHAB", "CP1361", "MSCP1361"],
    &["EUC-CN", "EUCCN", "GB2312", "CSGB2312", "CN-GB"],
    &["GBK", "CP936", "MS936", "WINDOWS-936", "GB13000"],
    &["GB18030"],
    &["BIG5", "BIG-FIVE", "BIGFIVE", "BIG-5", "CN-BIG5", "CP950"],
    &["EUC-TW", "EUCTW", "OSF0005000A"],
];

/// What is known of an encoding: in each place the complement of the answer, so that 0,
/// which all places hold at first, is what was not asked yet.
struct Table {
    /// The character of a byte.
    ones: [AtomicU16; 0x100],
    /// The character of two bytes, the first of which is 80 or above.
    twos: [AtomicU16; 0x8000],
    /// The byte or the two bytes of a character.
    bytes: [AtomicU16; 0x1_0000],
}

impl Table {
    const fn new() -> Table {
        Table {
            ones: [const { AtomicU16::new(0) }; 0x100],
            twos: [const { AtomicU16::new(0) }; 0x8000],
            bytes: [const { AtomicU16::new(0) }; 0x1_0000],
        }
    }
}

/// Pages that nobody writes to take no memory.
static TABLES: [Table; NAMES.len()] = [const { Table::new() }; NAMES.len()];

/// The complement of what `place` knows.
#[inline(always)]
fn known(place: &AtomicU16) -> Option<u16> {
    let value = place.load(Relaxed);
    (value != 0).then_some(!value)
}

/// How a call of the system's `iconv` ended.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// What it returned, or `errno`.
    pub returned: Result<usize, i32>,
    /// Bytes of the source that it took.
    pub read: usize,
    /// Bytes that it wrote.
    pub written: usize,
}

/// The other side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Other {
    Utf8,
    Units(Units),
}

/// A conversion that goes faster with what is learned.
#[derive(Clone, Copy)]
pub struct Learned {
    table: &'static Table,
    other: Other,
    /// The table's encoding is the source.
    reads: bool,
    /// US-ASCII is as it is there.
    is_ascii: bool,
}

/// So many characters of US-ASCII are converted at once.
const BLOCK: usize = 16;

/// How many characters of a call are asked for that cannot be remembered.
const ODD: usize = 16;

impl Learned {
    /// The one of `from` into `to`, if one of them is an encoding of East Asia and the other one
    /// of Unicode without a BOM. The names are those of `iconv_open`; `ask` calls the system.
    pub fn new(from: &[u8], to: &[u8], ask: impl FnMut(&[u8], &mut [u8]) -> Answer) -> Option<Learned> {
        let (table, other, reads) = match (table(from), table(to)) {
            (Some(table), None) => (table, other(charset(to)?)?, true),
            (None, Some(table)) => (table, other(charset(from)?)?, false),
            _ => return None,
        };
        let learned = Learned { table, other, reads, is_ascii: false };
        Some(Learned { is_ascii: learned.is_ascii(ask), ..learned })
    }

    fn is_ascii(&self, mut ask: impl FnMut(&[u8], &mut [u8]) -> Answer) -> bool {
        let (mut bytes, mut text, mut made) = ([0; 128], [0; 512], [0; 512]);
        (0..).zip(&mut bytes).for_each(|(value, byte)| *byte = value);
        let Ok(len) = Encoding::UsAscii.convert(self.other.encoding(), &bytes, &mut text) else { return false };
        let (src, wanted) = if self.reads { (&bytes[..], &text[..len]) } else { (&text[..len], &bytes[..]) };
        let answer = ask(src, &mut made);
        answer.returned == Ok(0) && &made[..answer.written] == wanted
    }

    /// Converts as much of `src` as `dst` has space for; `ask` calls the system's `iconv` with
    /// both. Ends as that would have ended.
    pub fn convert(&self, src: &[u8], dst: &mut [u8], mut ask: impl FnMut(&[u8], &mut [u8]) -> Answer) -> Answer {
        let (mut read, mut written, mut odd) = (0, 0, 0);
        loop {
            let (known, made) = self.known(&src[read..], &mut dst[written..]);
            (read, written) = (read + known, written + made);
            if read == src.len() && read > 0 {
                return Answer { returned: Ok(0), read, written };
            }
            let Some((len, made)) = self.learn(&src[read..], &mut dst[written..], &mut odd, &mut ask) else { break };
            (read, written) = (read + len, written + made);
        }
        let answer = ask(&src[read..], &mut dst[written..]);
        Answer { read: read + answer.read, written: written + answer.written, ..answer }
    }

    /// Has the system convert the first character of `src` alone, and remembers it. Returns the bytes
    /// read and written; `None` where nothing is to be learned.
    fn learn(
        &self,
        src: &[u8],
        dst: &mut [u8],
        odd: &mut usize,
        mut ask: impl FnMut(&[u8], &mut [u8]) -> Answer,
    ) -> Option<(usize, usize)> {
        let mut made = [0; 8];
        // Where a character is cut, a byte more may make it whole.
        let (len, answer) = self
            .lengths(src)
            .map_while(|len| Some((len, ask(src.get(..len)?, &mut made))))
            .find(|(_, answer)| answer.returned != Err(libc::EINVAL))?;
        // glibc drops some characters.
        let Answer { returned: Ok(0), read, written: written @ 1.. } = answer else { return None };
        if read < len {
            return None;
        }
        let made = &made[..written];
        let (bytes, text) = if self.reads { (&src[..len], made) } else { (made, &src[..len]) };
        let value = self.other.only(text)?;
        let known = u16::try_from(value).ok().and_then(|value| match (bytes, self.reads) {
            (&[byte], true) => Some((&self.table.ones[usize::from(byte)], value)),
            (&[byte], false) => Some((&self.table.bytes[usize::from(value)], byte.into())),
            (&[lead @ 0x80..=0xFF, trail], true) => Some((&self.table.twos[pair(lead, trail)], value)),
            (&[lead @ 0x80..=0xFF, trail], false) => {
                Some((&self.table.bytes[usize::from(value)], u16::from_be_bytes([lead, trail])))
            }
            _ => None,
        });
        match known {
            Some((place, answer)) => place.store(!answer, Relaxed),
            // What cannot be remembered costs more than it saves where there is much of it.
            None if *odd == ODD => return None,
            None => *odd += 1,
        }
        dst.get_mut(..written)?.copy_from_slice(made);
        Some((len, written))
    }

    /// In how many bytes of `rest` to look for the next character.
    fn lengths(&self, rest: &[u8]) -> RangeInclusive<usize> {
        let first = rest.first().copied().unwrap_or_default();
        match self.other {
            _ if self.reads => 1..=4,
            Other::Utf8 => utf8_len(first)..=utf8_len(first),
            Other::Units(units) => units.size()..=4,
        }
    }

    /// Converts the front of `src`, as far as that is known and there is space. Returns the bytes
    /// read and written.
    fn known(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match (self.other, self.reads) {
            (Other::Utf8, true) => self.write_utf8(src, dst),
            (Other::Utf8, false) => self.read_utf8(src, dst),
            (Other::Units(Units::Two), true) => self.write_units(src, dst, u16::to_le_bytes),
            (Other::Units(Units::TwoBig), true) => self.write_units(src, dst, u16::to_be_bytes),
            (Other::Units(Units::Four), true) => self.write_units(src, dst, |value| u32::from(value).to_le_bytes()),
            (Other::Units(Units::FourBig), true) => self.write_units(src, dst, |value| u32::from(value).to_be_bytes()),
            (Other::Units(Units::Two), false) => self.read_units(src, dst, |unit| u16::from_le_bytes(unit).into()),
            (Other::Units(Units::TwoBig), false) => self.read_units(src, dst, |unit| u16::from_be_bytes(unit).into()),
            (Other::Units(Units::Four), false) => self.read_units(src, dst, u32::from_le_bytes),
            (Other::Units(Units::FourBig), false) => self.read_units(src, dst, u32::from_be_bytes),
        }
    }

    /// The first character of `src`, if it is one of two bytes and known, and what comes after it.
    #[inline(always)]
    fn read<'a>(&self, src: &'a [u8]) -> Option<(u16, &'a [u8])> {
        let (&[lead, trail], rest) = src.split_first_chunk()?;
        if lead < 0x80 {
            return None;
        }
        known(&self.table.twos[pair(lead, trail)]).map(|value| (value, rest))
    }

    /// The character of `byte`, if it is known.
    #[inline(always)]
    fn one(&self, byte: u8) -> Option<u16> {
        if self.is_ascii && byte < 0x80 { Some(byte.into()) } else { known(&self.table.ones[usize::from(byte)]) }
    }

    fn write_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let same = self.same(src, dst);
        let (src, dst) = (&src[same..], &mut dst[same..]);
        let (read, written) = units::into_utf8(src, dst, |src, dst| self.write_units(src, dst, u16::to_le_bytes));
        (same + read, same + written)
    }

    #[inline(always)]
    fn write_units<const N: usize>(&self, src: &[u8], dst: &mut [u8], unit: impl Fn(u16) -> [u8; N]) -> (usize, usize) {
        let (places, _) = dst.as_chunks_mut::<N>();
        let (mut rest, mut count) = (src, 0);
        loop {
            for place in &mut places[count..] {
                let Some((value, others)) = self.read(rest) else { break };
                *place = unit(value);
                (rest, count) = (others, count + 1);
            }
            let before = count;
            while let (Some((block, others)), Some(spaces)) =
                (rest.split_first_chunk(), places[count..].first_chunk_mut())
                && self.is_ascii_block(block)
            {
                *spaces = block.map(|byte| unit(byte.into()));
                (rest, count) = (others, count + BLOCK);
            }
            // What is left of a word, until there may be a block again.
            for place in places[count..].iter_mut().take(BLOCK) {
                let Some((&byte, others)) = rest.split_first() else { break };
                let Some(value) = self.one(byte) else { break };
                *place = unit(value);
                (rest, count) = (others, count + 1);
            }
            if count == before {
                break;
            }
        }
        (src.len() - rest.len(), N * count)
    }

    #[inline(always)]
    fn is_ascii_block(&self, block: &[u8; BLOCK]) -> bool {
        // One look says so mostly of what is not.
        (block[0] | block[BLOCK / 2] | block[BLOCK - 1]) < 0x80 && self.is_ascii && block.is_ascii()
    }

    fn read_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let same = self.same(src, dst);
        let (src, dst) = (&src[same..], &mut dst[same..]);
        let value = |unit| u32::from(u16::from_le_bytes(unit));
        let (read, written) = units::of_utf8(src, dst, |units, dst| self.read_units(units, dst, value));
        (same + read, same + written)
    }

    #[inline(always)]
    fn read_units<const N: usize>(&self, src: &[u8], dst: &mut [u8], value: impl Fn([u8; N]) -> u32) -> (usize, usize) {
        if self.is_ascii
            && src.len() <= units::SHORT
            && let (read @ 1.., written) = units::bytes_below(0x80, src, &value, dst)
        {
            return (read, written);
        }
        let (units, _) = src.as_chunks::<N>();
        let known = |value: u32| known(self.table.bytes.get(value as usize)?);
        let (mut rest, mut written) = (units, 0);
        loop {
            while let (Some((unit, others)), Some(space)) = (rest.split_first(), dst[written..].first_chunk_mut())
                && let Some(bytes @ 0x100..) = known(value(*unit))
            {
                *space = bytes.to_be_bytes();
                (rest, written) = (others, written + 2);
            }
            let before = written;
            while let (Some((block, others)), Some(space)) =
                (rest.split_first_chunk::<BLOCK>(), dst[written..].first_chunk_mut())
                && (value(block[0]) | value(block[BLOCK / 2]) | value(block[BLOCK - 1])) < 0x80
                && self.is_ascii
                && block.iter().fold(0, |all, unit| all | value(*unit)) < 0x80
            {
                *space = block.map(|unit| value(unit) as u8);
                (rest, written) = (others, written + BLOCK);
            }
            for place in dst[written..].iter_mut().take(BLOCK) {
                let Some((unit, others)) = rest.split_first() else { break };
                let value = value(*unit);
                let byte = if self.is_ascii && value < 0x80 { Some(value as u16) } else { known(value) };
                let Some(byte @ ..0x100) = byte else { break };
                *place = byte as u8;
                (rest, written) = (others, written + 1);
            }
            if written == before {
                break;
            }
        }
        (N * (units.len() - rest.len()), written)
    }

    /// Copies blocks of US-ASCII. Returns their length.
    #[inline(always)]
    fn same(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let ((blocks, _), (spaces, _)) = (src.as_chunks(), dst.as_chunks_mut());
        let both = blocks.iter().zip(spaces).take_while(|(block, _)| self.is_ascii_block(block));
        BLOCK * both.map(|(block, space)| *space = *block).count()
    }
}

/// The place of two bytes.
#[inline(always)]
fn pair(lead: u8, trail: u8) -> usize {
    usize::from(lead & 0x7F) << 8 | usize::from(trail)
}

/// How many bytes a character has that begins with `lead`, as far as there is such a one.
fn utf8_len(lead: u8) -> usize {
    match lead {
        ..0xC2 => 1,
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}

/// The tables of the encoding called `name`.
fn table(name: &[u8]) -> Option<&'static Table> {
    let name = name.strip_suffix(b"//").or_else(|| name.strip_suffix(b"/")).unwrap_or(name);
    let place = NAMES.iter().position(|names| names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name)))?;
    Some(&TABLES[place])
}

/// `charset` as the other side.
fn other(charset: Charset) -> Option<Other> {
    match charset.encoding {
        _ if charset.has_bom => None,
        Encoding::Utf8 => Some(Other::Utf8),
        encoding => Units::of(encoding).map(Other::Units),
    }
}

impl Other {
    fn encoding(self) -> Encoding {
        match self {
            Other::Utf8 => Encoding::Utf8,
            Other::Units(Units::Two) => Encoding::Utf16Le,
            Other::Units(Units::TwoBig) => Encoding::Utf16Be,
            Other::Units(Units::Four) => Encoding::Utf32Le,
            Other::Units(Units::FourBig) => Encoding::Utf32Be,
        }
    }

    /// The character that `text` is, if it is one.
    fn only(self, text: &[u8]) -> Option<u32> {
        let mut value = [0; 4];
        let len = self.encoding().convert(Encoding::Utf32Le, text, &mut value).ok()?;
        (len == 4).then(|| u32::from_le_bytes(value))
    }
}
