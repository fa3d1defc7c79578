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

/// Writes to `dst` the units that `next` returns, until it returns none or there
/// is no space. Returns their number.
#[inline(always)]
pub fn write(units: Units, dst: &mut [u8], mut next: impl FnMut(usize) -> Option<u32>) -> usize {
    #[inline(always)]
    fn all<const N: usize>(
        dst: &mut [u8],
        of: impl Fn(u32) -> [u8; N],
        next: &mut impl FnMut(usize) -> Option<u32>,
    ) -> usize {
        let (places, _) = dst.as_chunks_mut::<N>();
        for (i, place) in places.iter_mut().enumerate() {
            let Some(value) = next(i) else { return i };
            *place = of(value);
        }
        places.len()
    }
    match units {
        Units::Two => all::<2>(dst, |value| (value as u16).to_le_bytes(), &mut next),
        Units::TwoBig => all::<2>(dst, |value| (value as u16).to_be_bytes(), &mut next),
        Units::Four => all::<4>(dst, u32::to_le_bytes, &mut next),
        Units::FourBig => all::<4>(dst, u32::to_be_bytes, &mut next),
    }
}

/// Converts the front of `src`: characters of the Basic Multilingual Plane, as
/// far as there is space. Returns the bytes read and written.
pub fn convert(from: Units, to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let size = |units| if matches!(units, Units::Two | Units::TwoBig) { 2 } else { 4 };
    let len = (src.len() / size(from)).min(dst.len() / size(to));
    let (src, dst) = (&src[..len * size(from)], &mut dst[..len * size(to)]);
    let is_plain = |value: u32| value < 0xD800 || (0xE000..0x1_0000).contains(&value);
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
