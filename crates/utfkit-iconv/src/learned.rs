//! East Asian encodings, by tables that are learned from the system's `iconv`.
//!
//! The first conversion of a character in a process asks the system, and a table keeps its answer. So the answers are
//! the system's own in every version of it, this library needs no tables for them, and nothing is allocated.
//!
//! The encodings are stateless. The system converts every character that does not have one or two bytes, or that is
//! not in the Basic Multilingual Plane, and it ends every call that stops before the end of its source.

use core::ops::RangeInclusive;
use core::sync::atomic::{AtomicU16, Ordering::Relaxed};

use utfkit::Encoding;

use crate::charset::{Charset, charset};
use crate::units::{self, Units};

/// The names of each encoding. Its index is that of its [`TABLES`].
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

/// The answers about an encoding. An entry is the complement of the answer, or 0 if the system was not asked yet.
struct Table {
    /// The character of a byte.
    ones: [AtomicU16; 0x100],
    /// The character of two bytes, of which the first is at least 80.
    twos: [AtomicU16; 0x8000],
    /// The one or two bytes of a character.
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

/// Pages that are not written take no memory.
static TABLES: [Table; NAMES.len()] = [const { Table::new() }; NAMES.len()];

/// Returns the answer in `place`, if there is one.
#[inline(always)]
fn known(place: &AtomicU16) -> Option<u16> {
    let value = place.load(Relaxed);
    (value != 0).then_some(!value)
}

/// The result of a call of the system's `iconv`.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The value returned, or `errno`.
    pub returned: Result<usize, i32>,
    /// Bytes of the source.
    pub read: usize,
    /// Bytes of the target.
    pub written: usize,
}

/// The other encoding of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Other {
    Utf8,
    Units(Units),
}

/// A conversion with a learned table.
#[derive(Clone, Copy)]
pub struct Learned {
    table: &'static Table,
    other: Other,
    /// True if the source is in the table's encoding.
    reads: bool,
    /// True if bytes below 80 are US-ASCII in it.
    is_ascii: bool,
}

/// The US-ASCII characters of a block.
const BLOCK: usize = 16;

/// The most characters per call to ask for that a table cannot keep.
const ODD: usize = 16;

impl Learned {
    /// Returns the conversion, if one of the names is an East Asian encoding and the other an encoding of Unicode
    /// without a BOM. The names are arguments of `iconv_open`; `ask` calls the system.
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

    /// Converts as much of `src` as fits into `dst`; `ask` calls the system's `iconv`. Ends as that would.
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

    /// Has the system convert the first character of `src`, and keeps the answer. Returns the bytes read and written;
    /// `None` if there is nothing to learn.
    fn learn(
        &self,
        src: &[u8],
        dst: &mut [u8],
        odd: &mut usize,
        mut ask: impl FnMut(&[u8], &mut [u8]) -> Answer,
    ) -> Option<(usize, usize)> {
        let mut made = [0; 8];
        // One byte more may complete the character.
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
            // Many characters that a table cannot keep would cost more than the others save.
            None if *odd == ODD => return None,
            None => *odd += 1,
        }
        dst.get_mut(..written)?.copy_from_slice(made);
        Some((len, written))
    }

    /// The possible lengths of the next character of `rest`.
    fn lengths(&self, rest: &[u8]) -> RangeInclusive<usize> {
        match self.other {
            _ if self.reads => 1..=4,
            Other::Utf8 => {
                let len = utfkit::next_boundary(rest, 0);
                len..=len
            }
            Other::Units(units) => units.size()..=4,
        }
    }

    /// Converts the known characters at the front of `src`, as far as they fit. Returns the bytes read and written.
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

    /// Returns the first character of `src`, if it has two bytes and is known, and the bytes after it.
    #[inline(always)]
    fn read<'a>(&self, src: &'a [u8]) -> Option<(u16, &'a [u8])> {
        let (&[lead, trail], rest) = src.split_first_chunk()?;
        if lead < 0x80 {
            return None;
        }
        known(&self.table.twos[pair(lead, trail)]).map(|value| (value, rest))
    }

    /// Returns the character of `byte`, if it is known.
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
            // The rest of a word, until a block is possible again.
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
        // The first comparison rejects most blocks that are not US-ASCII.
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

/// The index of two bytes.
#[inline(always)]
fn pair(lead: u8, trail: u8) -> usize {
    usize::from(lead & 0x7F) << 8 | usize::from(trail)
}

/// Returns the table of the encoding called `name`.
fn table(name: &[u8]) -> Option<&'static Table> {
    let name = name.strip_suffix(b"//").or_else(|| name.strip_suffix(b"/")).unwrap_or(name);
    let place = NAMES.iter().position(|names| names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name)))?;
    Some(&TABLES[place])
}

/// Returns `charset` as the other encoding.
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

    /// Returns the character of `text`, if it is exactly one.
    fn only(self, text: &[u8]) -> Option<u32> {
        let mut value = [0; 4];
        let len = self.encoding().convert(Encoding::Utf32Le, text, &mut value).ok()?;
        (len == 4).then(|| u32::from_le_bytes(value))
    }
}
