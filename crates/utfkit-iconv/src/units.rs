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

    /// Those in the other order.
    pub fn swapped(self) -> Units {
        match self {
            Units::Two => Units::TwoBig,
            Units::TwoBig => Units::Two,
            Units::Four => Units::FourBig,
            Units::FourBig => Units::Four,
        }
    }

    /// The bytes of one.
    pub fn size(self) -> usize {
        match self {
            Units::Two | Units::TwoBig => 2,
            Units::Four | Units::FourBig => 4,
        }
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

/// Converts the front of `src`, as far as that is certain and there is space. Only
/// where `pairs` says so, of the source and the target, may two units of UTF-16 be a
/// character. Returns the bytes read and written.
pub fn convert(from: Units, to: Units, pairs: (bool, bool), src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match from {
        Units::Two => into(to, src, |unit| u16::from_le_bytes(unit).into(), pairs, dst),
        Units::TwoBig => into(to, src, |unit| u16::from_be_bytes(unit).into(), pairs, dst),
        Units::Four => into(to, src, u32::from_le_bytes, pairs, dst),
        Units::FourBig => into(to, src, u32::from_be_bytes, pairs, dst),
    }
}

#[inline(always)]
fn into<const F: usize>(
    to: Units,
    src: &[u8],
    load: impl Fn([u8; F]) -> u32,
    pairs: (bool, bool),
    dst: &mut [u8],
) -> (usize, usize) {
    match to {
        Units::Two => each(src, load, pairs, dst, |value| (value as u16).to_le_bytes()),
        Units::TwoBig => each(src, load, pairs, dst, |value| (value as u16).to_be_bytes()),
        Units::Four => each(src, load, pairs, dst, u32::to_le_bytes),
        Units::FourBig => each(src, load, pairs, dst, u32::to_be_bytes),
    }
}

/// So many units are converted at once.
const BLOCK: usize = 8;

#[inline(always)]
fn each<const F: usize, const T: usize>(
    src: &[u8],
    load: impl Fn([u8; F]) -> u32,
    (reads_pairs, writes_pairs): (bool, bool),
    dst: &mut [u8],
    store: impl Fn(u32) -> [u8; T],
) -> (usize, usize) {
    let ((units, _), (places, _)) = (src.as_chunks::<F>(), dst.as_chunks_mut::<T>());
    let is_one = |value: u32| {
        let last = if F == 4 && T == 4 { 0x10_FFFF } else { 0xFFFF };
        (value & 0xFFFF_F800 != 0xD800) & (value <= last)
    };
    let most = units.len();
    let (mut units, mut places, mut written) = (units, places, 0);
    loop {
        while let (Some((block, others)), Some(_)) = (units.split_first_chunk::<BLOCK>(), places.get(..BLOCK))
            && block.iter().fold(true, |all, unit| all & is_one(load(*unit)))
        {
            let (spaces, later) = places.split_at_mut(BLOCK);
            block.iter().zip(spaces).for_each(|(unit, place)| *place = store(load(*unit)));
            (units, places, written) = (others, later, written + BLOCK);
        }
        // Then one by one, until after what is none.
        let ones = units.iter().zip(places.iter_mut()).take_while(|(unit, _)| is_one(load(**unit)));
        let count = ones.map(|(unit, place)| *place = store(load(*unit))).count();
        (units, places, written) = (&units[count..], &mut places[count..], written + count);
        let ([unit, others @ ..], [place, later @ ..]) = (units, places) else { break };
        let mut value = load(*unit);
        let mut rest = others;
        if F == 2 {
            let ([second, others @ ..], true) = (others, reads_pairs && value < 0xDC00) else { break };
            let second = load(*second);
            if second & 0xFC00 != 0xDC00 {
                break;
            }
            value = pair(value, second);
            rest = others;
        }
        if !(0x1_0000..=0x10_FFFF).contains(&value) {
            break;
        }
        if T == 4 {
            *place = store(value);
            (places, written) = (later, written + 1);
        } else {
            let ([second, later @ ..], true) = (later, writes_pairs) else { break };
            *place = store(0xD7C0 + (value >> 10));
            *second = store(0xDC00 | value & 0x3FF);
            (places, written) = (later, written + 2);
        }
        units = rest;
    }
    ((most - units.len()) * F, written * T)
}

/// The character of a pair of surrogates.
fn pair(first: u32, second: u32) -> u32 {
    0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF)
}

/// The same into UTF-8.
pub fn to_utf8(from: Units, pairs: bool, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    #[inline(always)]
    fn all<const F: usize>(src: &[u8], load: impl Fn([u8; F]) -> u32, pairs: bool, dst: &mut [u8]) -> (usize, usize) {
        let (mut units, _) = src.as_chunks::<F>();
        let (most, end) = (units.len(), dst.len());
        let mut rest = dst;
        while let (Some((block, others)), Some(spaces)) = (units.split_first_chunk::<BLOCK>(), rest.first_chunk_mut())
            && block.iter().fold(0, |all, unit| all | load(*unit)) < 0x80
        {
            *spaces = block.map(|unit| load(unit) as u8);
            (units, rest) = (others, &mut rest[BLOCK..]);
        }
        loop {
            // Four bytes have space for any character, and are written whatever comes after.
            while let ([unit, others @ ..], Some(space)) = (units, rest.first_chunk_mut::<4>()) {
                let value = load(*unit);
                let (bytes, len) = match value {
                    ..0x80 => (value, 1),
                    0x80..0x800 => (value >> 6 | value << 8 & 0x3F00 | 0x80C0, 2),
                    0xD800..0xE000 => break,
                    0x800..0x1_0000 => (value >> 12 | value << 2 & 0x3F00 | value << 16 & 0x3F_0000 | 0x80_80E0, 3),
                    0x1_0000..0x11_0000 => {
                        let upper = value >> 18 | value >> 4 & 0x3F00;
                        (upper | value << 10 & 0x3F_0000 | value << 24 & 0x3F00_0000 | 0x8080_80F0, 4)
                    }
                    _ => break,
                };
                *space = bytes.to_le_bytes();
                (units, rest) = (others, &mut rest[len..]);
            }
            let [unit, others @ ..] = units else { break };
            let (mut value, mut others) = (load(*unit), others);
            if F == 2 && value & 0xFC00 == 0xD800 && pairs {
                let [second, after @ ..] = others else { break };
                let second = load(*second);
                if second & 0xFC00 != 0xDC00 {
                    break;
                }
                (value, others) = (pair(value, second), after);
            }
            let Some(character) = char::from_u32(value) else { break };
            let Some(space) = rest.get_mut(..character.len_utf8()) else { break };
            let len = character.encode_utf8(space).len();
            (units, rest) = (others, &mut rest[len..]);
        }
        let written = end - rest.len();
        ((most - units.len()) * F, written)
    }
    match from {
        Units::Two => all(src, |unit| u16::from_le_bytes(unit).into(), pairs, dst),
        Units::TwoBig => all(src, |unit| u16::from_be_bytes(unit).into(), pairs, dst),
        Units::Four => all(src, u32::from_le_bytes, pairs, dst),
        Units::FourBig => all(src, u32::from_be_bytes, pairs, dst),
    }
}

/// Bytes of UTF-16 that are in the caches between two loops.
const BETWEEN: usize = 4096;

/// The same for a short call, in which clearing them takes its part of the time.
pub const SHORT: usize = 256;

/// Converts the front of `src`, which is UTF-8, by way of UTF-16: `each` converts the front of
/// that. Both return the bytes read and written.
pub fn of_utf8(src: &[u8], dst: &mut [u8], each: impl Fn(&[u8], &mut [u8]) -> (usize, usize)) -> (usize, usize) {
    if 2 * src.len() <= SHORT {
        of_utf8_between(&mut [0; SHORT], src, dst, each)
    } else {
        of_utf8_between(&mut [0; BETWEEN], src, dst, each)
    }
}

fn of_utf8_between(
    between: &mut [u8],
    src: &[u8],
    dst: &mut [u8],
    each: impl Fn(&[u8], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() && written < dst.len() {
        let rest = &src[read..src.len().min(read + between.len() / 2)];
        // No character is cut, which would be looked into.
        let piece = utfkit::trim_partial_utf8(rest);
        let (came, units) = match Encoding::Utf8.convert(Encoding::Utf16Le, piece, between) {
            Ok(len) => (piece.len(), len),
            Err(error) => (error.offset(), error.written()),
        };
        let (taken, made) = each(&between[..units], &mut dst[written..]);
        written += made;
        if taken < units {
            // As far as there is space for what was converted.
            let kept = Encoding::Utf8.convert(Encoding::Utf16Le, piece, &mut between[..taken]);
            return (read + kept.map_or_else(|error| error.offset(), |_| piece.len()), written);
        }
        read += came;
        if came < piece.len() || came == 0 {
            break;
        }
    }
    (read, written)
}

/// The same into UTF-8: `each` converts the front of `src` into UTF-16.
pub fn into_utf8(src: &[u8], dst: &mut [u8], each: impl Fn(&[u8], &mut [u8]) -> (usize, usize)) -> (usize, usize) {
    if 2 * src.len() <= SHORT {
        into_utf8_between(&mut [0; SHORT], src, dst, each)
    } else {
        into_utf8_between(&mut [0; BETWEEN], src, dst, each)
    }
}

fn into_utf8_between(
    between: &mut [u8],
    src: &[u8],
    dst: &mut [u8],
    each: impl Fn(&[u8], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let (taken, units) = each(&src[read..], between);
        match Encoding::Utf16Le.convert(Encoding::Utf8, &between[..units], &mut dst[written..]) {
            Ok(len) => (read, written) = (read + taken, written + len),
            Err(error) => {
                let (taken, _) = each(&src[read..], &mut between[..error.offset()]);
                return (read + taken, written + error.written());
            }
        }
        if units < between.len() {
            break;
        }
    }
    (read, written)
}

/// Writes units as bytes, if all of `src` is below `limit` and there is space; else
/// nothing. Returns the bytes read and written.
#[inline(always)]
pub fn bytes_below<const F: usize>(
    limit: u32,
    src: &[u8],
    load: impl Fn([u8; F]) -> u32,
    dst: &mut [u8],
) -> (usize, usize) {
    let (units, _) = src.as_chunks::<F>();
    if units.len() > dst.len() || units.iter().fold(0, |all, unit| all | load(*unit)) >= limit {
        return (0, 0);
    }
    units.iter().zip(dst).for_each(|(unit, place)| *place = load(*unit) as u8);
    (units.len() * F, units.len())
}

/// The same of units of any kind: `limit` is a power of two.
pub fn to_bytes_below(limit: u32, from: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match from {
        Units::Two => bytes_below(limit, src, |unit| u16::from_le_bytes(unit).into(), dst),
        Units::TwoBig => bytes_below(limit, src, |unit| u16::from_be_bytes(unit).into(), dst),
        Units::Four => bytes_below(limit, src, u32::from_le_bytes, dst),
        Units::FourBig => bytes_below(limit, src, u32::from_be_bytes, dst),
    }
}

/// The same of US-ASCII, as long as nothing else is in `src`: the library's kernels
/// are as fast for other UTF-8.
pub fn of_ascii(to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if src.is_ascii() { of_latin1(to, src, dst) } else { (0, 0) }
}

/// The same of ISO-8859-1.
pub fn of_latin1(to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let count = widen(to, src, dst, u16::from);
    (count, count * to.size())
}

/// What a byte that is not a character becomes.
pub const NOTHING: u16 = 0xFFFF;

/// Writes a unit for each byte of `src`, until `of` makes [`NOTHING`] of it or there is no
/// space. Returns their number.
#[inline(always)]
pub fn widen(to: Units, src: &[u8], dst: &mut [u8], of: impl Fn(u8) -> u16) -> usize {
    #[inline(always)]
    fn all<const N: usize>(
        src: &[u8],
        dst: &mut [u8],
        of: impl Fn(u8) -> u16,
        bytes: impl Fn(u16) -> [u8; N],
    ) -> usize {
        let (places, _) = dst.as_chunks_mut::<N>();
        let len = src.len().min(places.len());
        let (src, places) = (&src[..len], &mut places[..len]);
        let ((eights, _), (spaces, _)) = (src.as_chunks::<8>(), places.as_chunks_mut::<8>());
        let mut done = 0;
        for (eight, space) in eights.iter().zip(spaces) {
            let values = eight.map(&of);
            if values.contains(&NOTHING) {
                break;
            }
            *space = values.map(&bytes);
            done += 8;
        }
        for (byte, place) in src[done..].iter().zip(&mut places[done..]) {
            let value = of(*byte);
            if value == NOTHING {
                break;
            }
            *place = bytes(value);
            done += 1;
        }
        done
    }
    match to {
        Units::Two => all(src, dst, of, u16::to_le_bytes),
        Units::TwoBig => all(src, dst, of, u16::to_be_bytes),
        Units::Four => all(src, dst, of, |value| u32::from(value).to_le_bytes()),
        Units::FourBig => all(src, dst, of, |value| u32::from(value).to_be_bytes()),
    }
}
