//! Code units of 2 and 4 bytes, one by one: the fast path of short calls, which end before a kernel has paid for its
//! start, and the other side of a table.
//!
//! A fast path converts the front of its source and may stop at any character.
//! [`Conversion`](crate::conversion::Conversion) finds out why it stopped. Each returns the bytes read and written.

use utfkit::Encoding;
use utfkit::internal::utf8::encode_scalar;
use utfkit::internal::utf16::{Utf16, is_high, is_low, join};
use utfkit::internal::{Form, is_scalar_value};

/// The width and byte order of the code units of UTF-16, UTF-32, UCS-2 and UCS-4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Two bytes, little-endian.
    Two,
    /// Two bytes, big-endian.
    TwoBig,
    /// Four bytes, little-endian.
    Four,
    /// Four bytes, big-endian.
    FourBig,
}

impl Units {
    /// Returns the units of `encoding`, unless they are bytes.
    pub fn of(encoding: Encoding) -> Option<Units> {
        Some(match encoding {
            Encoding::Utf16Le | Encoding::Ucs2Le => Units::Two,
            Encoding::Utf16Be | Encoding::Ucs2Be => Units::TwoBig,
            Encoding::Utf32Le | Encoding::Ucs4Le => Units::Four,
            Encoding::Utf32Be | Encoding::Ucs4Be => Units::FourBig,
            _ => return None,
        })
    }

    /// Returns the units in the other byte order.
    pub fn swapped(self) -> Units {
        match self {
            Units::Two => Units::TwoBig,
            Units::TwoBig => Units::Two,
            Units::Four => Units::FourBig,
            Units::FourBig => Units::Four,
        }
    }

    /// Returns the bytes of a unit.
    pub fn size(self) -> usize {
        match self {
            Units::Two | Units::TwoBig => 2,
            Units::Four | Units::FourBig => 4,
        }
    }
}

/// Calls `each` with the index and the value of each unit of `src`, until it returns false. Returns the number of
/// calls that returned true.
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

/// Converts units to units. `pairs` tells of the source and of the target whether it has surrogate pairs.
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

/// The units of a block, which is converted without branches.
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
    let last = if F == 4 && T == 4 { u32::MAX } else { 0xFFFF };
    let is_one = |value: u32| is_scalar_value(value) & (value <= last);
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
        // One by one, up to a surrogate pair or an error.
        let ones = units.iter().zip(places.iter_mut()).take_while(|(unit, _)| is_one(load(**unit)));
        let count = ones.map(|(unit, place)| *place = store(load(*unit))).count();
        (units, places, written) = (&units[count..], &mut places[count..], written + count);
        let Some((value, rest)) = first(units, &load, reads_pairs).filter(|(value, _)| *value > 0xFFFF) else { break };
        let later = if T == 4 {
            let [place, later @ ..] = places else { break };
            *place = store(value);
            later
        } else {
            let ([first, second, later @ ..], true) = (places, writes_pairs) else { break };
            let Some(pair) = Utf16::encode(value) else { break };
            let &[high, low, ..] = pair.padded();
            (*first, *second) = (store(high.into()), store(low.into()));
            later
        };
        written += if T == 4 { 1 } else { 2 };
        (units, places) = (rest, later);
    }
    ((most - units.len()) * F, written * T)
}

/// Returns the first scalar value of `units` and the units after it.
#[inline(always)]
fn first<const F: usize>(
    units: &[[u8; F]],
    load: impl Fn([u8; F]) -> u32,
    has_pairs: bool,
) -> Option<(u32, &[[u8; F]])> {
    let (unit, rest) = units.split_first()?;
    let value = load(*unit);
    if F == 2
        && has_pairs
        && is_high(value as u16)
        && let Some((second, rest)) = rest.split_first()
    {
        let second = load(*second) as u16;
        return is_low(second).then(|| (join(value as u16, second), rest));
    }
    is_scalar_value(value).then_some((value, rest))
}

/// Converts units to UTF-8. `pairs` tells whether the source has surrogate pairs.
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
            // Any character fits into four bytes. All four are written, and the next character overwrites the rest.
            while let ([unit, others @ ..], Some(space)) = (units, rest.first_chunk_mut::<4>()) {
                let value = load(*unit);
                // Two arms, so that short characters are not compared with surrogates.
                let (bytes, len) = match value {
                    ..0x800 => encode_scalar(value),
                    _ if char::from_u32(value).is_some() => encode_scalar(value),
                    _ => break,
                };
                *space = bytes;
                (units, rest) = (others, &mut rest[len..]);
            }
            let Some((value, others)) = first(units, &load, pairs) else { break };
            let (bytes, len) = encode_scalar(value);
            if let Some(space) = rest.first_chunk_mut() {
                *space = bytes;
            } else if let Some(space) = rest.get_mut(..len) {
                space.copy_from_slice(&bytes[..len]);
            } else {
                break;
            }
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

/// The bytes of UTF-16 between the two steps of a conversion, few enough for the first-level cache.
const BETWEEN: usize = 4096;

/// `BETWEEN` for a short call, in which clearing more would take a part of the time.
pub const SHORT: usize = 256;

/// Calls `convert` with a buffer for the UTF-16 of a source of `len` bytes, or of its pieces.
#[inline(always)]
fn with_buffer(len: usize, mut convert: impl FnMut(&mut [u8]) -> (usize, usize)) -> (usize, usize) {
    if 2 * len <= SHORT { convert(&mut [0; SHORT]) } else { convert(&mut [0; BETWEEN]) }
}

/// Converts UTF-8 by way of UTF-16, which `each` converts. It may stop anywhere, and returns the bytes read and
/// written.
pub fn of_utf8(src: &[u8], dst: &mut [u8], each: impl Fn(&[u8], &mut [u8]) -> (usize, usize)) -> (usize, usize) {
    with_buffer(src.len(), |between| of_utf8_between(between, src, dst, &each))
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
        // An incomplete character would be diagnosed.
        let piece = utfkit::trim_partial_utf8(rest);
        let (came, units) = match Encoding::Utf8.convert(Encoding::Utf16Le, piece, between) {
            Ok(len) => (piece.len(), len),
            Err(error) => (error.offset(), error.written()),
        };
        let (taken, made) = each(&between[..units], &mut dst[written..]);
        written += made;
        if taken < units {
            // Converts again to find out how much of the source the units taken are.
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

/// Converts to UTF-8 by way of UTF-16, to which `each` converts the front of its source.
pub fn into_utf8(src: &[u8], dst: &mut [u8], each: impl Fn(&[u8], &mut [u8]) -> (usize, usize)) -> (usize, usize) {
    with_buffer(src.len(), |between| into_utf8_between(between, src, dst, &each))
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

/// Converts units to bytes of the same value, if all units are below `limit` and fit; otherwise nothing.
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

/// [`bytes_below`] for any units. `limit` is a power of two.
pub fn to_bytes_below(limit: u32, from: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match from {
        Units::Two => bytes_below(limit, src, |unit| u16::from_le_bytes(unit).into(), dst),
        Units::TwoBig => bytes_below(limit, src, |unit| u16::from_be_bytes(unit).into(), dst),
        Units::Four => bytes_below(limit, src, u32::from_le_bytes, dst),
        Units::FourBig => bytes_below(limit, src, u32::from_be_bytes, dst),
    }
}

/// Converts US-ASCII to units, if `src` has nothing else. For other UTF-8, the kernels are as fast.
pub fn of_ascii(to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if src.is_ascii() { of_latin1(to, src, dst) } else { (0, 0) }
}

/// Converts ISO-8859-1 to units.
pub fn of_latin1(to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let count = widen(to, src, dst, u16::from);
    (count, count * to.size())
}

/// The unit of a byte that is not mapped.
pub const NOTHING: u16 = 0xFFFF;

/// Writes the unit `of` each byte, up to one that is [`NOTHING`]. Returns their number.
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
