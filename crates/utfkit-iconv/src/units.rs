//! Code units of a fixed width, read and written one by one: for short calls, which
//! a kernel costs more than it saves, and for the other side of a table.

use utfkit::Encoding;

/// The bytes of the encodings of UTF-16 and UTF-32 and their like: a width and an
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Two bytes, the least significant one first.
    Two,
    /// Two bytes, the most significant one first.
    TwoBig,
    /// Four bytes, the least significant one first.
    Four,
    /// Four bytes, the most significant one first.
    FourBig,
}

impl Units {
    /// Those of `encoding`, if it has such.
    pub fn of(encoding: Encoding) -> Option<Units> {
        Some(match encoding {
            Encoding::Utf16Le | Encoding::Ucs2Le => Units::Two,
            Encoding::Utf16Be | Encoding::Ucs2Be => Units::TwoBig,
            Encoding::Utf32Le | Encoding::Ucs4Le => Units::Four,
            Encoding::Utf32Be | Encoding::Ucs4Be => Units::FourBig,
            _ => return None,
        })
    }
}

/// Reads the units of `src` and gives them to `each` with the number of those before, until it
/// returns false. Returns the number that it took.
#[inline(always)]
pub fn read(units: Units, src: &[u8], mut each: impl FnMut(usize, u32) -> bool) -> usize {
    #[inline(always)]
    fn all<const N: usize>(
        src: &[u8],
        of: impl Fn([u8; N]) -> u32,
        each: &mut impl FnMut(usize, u32) -> bool,
    ) -> usize {
        let (units, _) = src.as_chunks::<N>();
        units.iter().enumerate().position(|(i, unit)| !each(i, of(*unit))).unwrap_or(units.len())
    }
    match units {
        Units::Two => all::<2>(src, |unit| u16::from_le_bytes(unit).into(), &mut each),
        Units::TwoBig => all::<2>(src, |unit| u16::from_be_bytes(unit).into(), &mut each),
        Units::Four => all::<4>(src, u32::from_le_bytes, &mut each),
        Units::FourBig => all::<4>(src, u32::from_be_bytes, &mut each),
    }
}

/// Converts the front of `src`: characters that are one unit on both sides, as
/// far as there is space. Returns the bytes read and written.
pub fn convert(from: Units, to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let size = |units| if matches!(units, Units::Two | Units::TwoBig) { 2 } else { 4 };
    let len = (src.len() / size(from)).min(dst.len() / size(to));
    let (src, dst) = (&src[..len * size(from)], &mut dst[..len * size(to)]);
    // Where a unit is not a character by itself, that is found out elsewhere.
    let last = if size(from) == 4 && size(to) == 4 { 0x10_FFFF } else { 0xFFFF };
    let is_plain = |value: u32| value < 0xD800 || (0xE000..=last).contains(&value);
    let count = match to {
        Units::Two => pair(from, src, dst, is_plain, |value| (value as u16).to_le_bytes()),
        Units::TwoBig => pair(from, src, dst, is_plain, |value| (value as u16).to_be_bytes()),
        Units::Four => pair(from, src, dst, is_plain, u32::to_le_bytes),
        Units::FourBig => pair(from, src, dst, is_plain, u32::to_be_bytes),
    };
    (count * size(from), count * size(to))
}

#[inline(always)]
fn pair<const N: usize>(
    from: Units,
    src: &[u8],
    dst: &mut [u8],
    is_plain: impl Fn(u32) -> bool,
    of: impl Fn(u32) -> [u8; N],
) -> usize {
    let (places, _) = dst.as_chunks_mut::<N>();
    read(from, src, |i, value| {
        let Some(place) = places.get_mut(i).filter(|_| is_plain(value)) else { return false };
        *place = of(value);
        true
    })
}

/// The same into UTF-8.
pub fn to_utf8(from: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let size = if matches!(from, Units::Two | Units::TwoBig) { 2 } else { 4 };
    let mut written = 0;
    let count = read(from, src, |_, value| {
        let Some(rest) = dst.get_mut(written..) else { return false };
        if value < 0x80 {
            let Some(place) = rest.first_mut() else { return false };
            *place = value as u8;
            written += 1;
            return true;
        }
        let Some(character) = char::from_u32(value).filter(|character| character.len_utf8() <= rest.len()) else {
            return false;
        };
        written += character.encode_utf8(rest).len();
        true
    });
    (size * count, written)
}

/// The same of US-ASCII, as long as nothing else is in `src`: the library's kernels
/// are as fast for other UTF-8.
pub fn of_ascii(to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if !src.is_ascii() {
        return (0, 0);
    }
    let count = widen(to, src, dst, |byte| Some(byte.into()));
    (count, count * if matches!(to, Units::Two | Units::TwoBig) { 2 } else { 4 })
}

/// Writes a unit for each byte of `src`, until `of` has none for it or there is no
/// space. Returns their number.
#[inline(always)]
pub fn widen(to: Units, src: &[u8], dst: &mut [u8], of: impl Fn(u8) -> Option<u16>) -> usize {
    #[inline(always)]
    fn all<const N: usize>(
        src: &[u8],
        dst: &mut [u8],
        of: impl Fn(u8) -> Option<u16>,
        bytes: impl Fn(u16) -> [u8; N],
    ) -> usize {
        let (places, _) = dst.as_chunks_mut::<N>();
        for (i, (byte, place)) in src.iter().zip(places).enumerate() {
            let Some(value) = of(*byte) else { return i };
            *place = bytes(value);
        }
        src.len().min(dst.len() / N)
    }
    match to {
        Units::Two => all(src, dst, of, u16::to_le_bytes),
        Units::TwoBig => all(src, dst, of, u16::to_be_bytes),
        Units::Four => all(src, dst, of, |value| u32::from(value).to_le_bytes()),
        Units::FourBig => all(src, dst, of, |value| u32::from(value).to_be_bytes()),
    }
}
