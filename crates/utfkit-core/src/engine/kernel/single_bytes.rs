//! Encodings of one byte a character, by the table of their characters: to UTF-16 and ISO-8859-1.
//!
//! # The idea
//!
//! A table in a register has 16 entries, or 64. So a byte is looked up in all tables of the half that it
//! is in, and its upper bits choose among the results. Characters have two bytes, which are looked up one by one.

use core::marker::PhantomData;

use super::lanes::widen;
use crate::engine::memory::bytes_of_mut;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// The characters of an encoding with a byte a character, each up to U+FFFF.
pub struct Characters {
    units: [u16; 256],
    /// Their lower and their upper bytes, by halves of the table.
    low: [[u8; 128]; 2],
    high: [[u8; 128]; 2],
    /// The lower half is US-ASCII.
    has_ascii: bool,
}

/// The class of the highest character of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Highest {
    /// Below U+0080.
    Ascii,
    /// Below U+0100.
    Latin1,
    /// From U+0100 on.
    Above,
}

impl Characters {
    /// The characters of the bytes 00 to FF.
    pub fn new(units: [u16; 256]) -> Characters {
        let (mut low, mut high) = ([[0; 128]; 2], [[0; 128]; 2]);
        for (at, unit) in units.into_iter().enumerate() {
            [low[at / 128][at % 128], high[at / 128][at % 128]] = unit.to_le_bytes();
        }
        let has_ascii = (0..0x80).eq(units[..0x80].iter().copied());
        Characters { units, low, high, has_ascii }
    }

    /// True if the bytes below 80 are US-ASCII.
    #[inline]
    pub fn has_ascii(&self) -> bool {
        self.has_ascii
    }

    /// The character of a byte.
    #[inline]
    pub fn of(&self, byte: u8) -> u16 {
        self.units[usize::from(byte)]
    }

    /// Writes the characters of `src` up to its end or that of `dst`.
    #[inline]
    pub fn to_utf16(&self, src: &[u8], dst: &mut [u16]) {
        if src.len() <= LEAST || !self.long_to_utf16(src, dst) {
            for (to, byte) in dst.iter_mut().zip(src) {
                *to = self.of(*byte);
            }
        }
    }

    #[inline(never)]
    fn long_to_utf16(&self, src: &[u8], dst: &mut [u16]) -> bool {
        let len = src.len().min(dst.len());
        run::<ToUtf16<'_>>(&src[..len], bytes_of_mut(&mut dst[..len]), self)
    }

    /// Writes the lower bytes of the characters of `src` up to its end or that of `dst`. Returns the class of the
    /// highest character.
    pub fn to_latin1(&self, src: &[u8], dst: &mut [u8]) -> Highest {
        let len = src.len().min(dst.len());
        if let Some(highest) = run::<ToLatin1<'_>>(&src[..len], &mut dst[..len], self) {
            return highest;
        }
        let mut any = 0;
        for (to, byte) in dst.iter_mut().zip(src) {
            let unit = self.of(*byte);
            any |= unit;
            *to = unit as u8;
        }
        match any {
            0..=0x7F => Highest::Ascii,
            0x80..=0xFF => Highest::Latin1,
            _ => Highest::Above,
        }
    }
}

/// Up to this many bytes the kernel takes longer than a loop.
const LEAST: usize = 64;

struct ToUtf16<'a>(PhantomData<&'a Characters>);

impl<'a> Kernel for ToUtf16<'a> {
    type Arg = &'a Characters;
    /// True if it has converted all. Shorter texts than a register it leaves as they are.
    type Output = bool;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], characters: &Characters) -> bool {
        if src.len() < S::LANES {
            return false;
        }
        if characters.has_ascii {
            units::<S, true>(s, src, dst, characters);
        } else {
            units::<S, false>(s, src, dst, characters);
        }
        true
    }
}

#[inline(always)]
fn units<S: Simd, const ASCII: bool>(s: S, src: &[u8], dst: &mut [u8], characters: &Characters) {
    let mut at = 0;
    while at + 2 * S::LANES <= src.len() {
        some_units::<S, ASCII, 2>(s, src, dst, at, characters);
        at += 2 * S::LANES;
    }
    // The last registers may overlap those before them.
    while at < src.len() {
        at = at.min(src.len() - S::LANES);
        some_units::<S, ASCII, 1>(s, src, dst, at, characters);
        at += S::LANES;
    }
}

#[inline(always)]
fn some_units<S: Simd, const ASCII: bool, const N: usize>(
    s: S,
    src: &[u8],
    dst: &mut [u8],
    at: usize,
    characters: &Characters,
) {
    let bytes: [S::V; N] = load(s, src, at);
    if ASCII && !any_above(s, bytes) {
        for (i, bytes) in bytes.into_iter().enumerate() {
            widen(s, bytes, dst, 2 * (at + i * S::LANES));
        }
        return;
    }
    let low = look_up::<S, ASCII, N>(s, &characters.low, bytes);
    let high = look_up::<S, false, N>(s, &characters.high, bytes);
    for i in 0..N {
        let at = 2 * (at + i * S::LANES);
        let front = s.or(s.spread::<8, false>(low[i]), s.shl::<16, 8>(s.spread::<8, false>(high[i])));
        let back = s.or(s.spread::<8, true>(low[i]), s.shl::<16, 8>(s.spread::<8, true>(high[i])));
        s.store(front, dst, at);
        s.store(back, dst, at + S::LANES);
    }
}

struct ToLatin1<'a>(PhantomData<&'a Characters>);

impl<'a> Kernel for ToLatin1<'a> {
    type Arg = &'a Characters;
    /// `None` for texts that are shorter than a register, of which nothing is converted.
    type Output = Option<Highest>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], characters: &Characters) -> Option<Highest> {
        if src.len() < S::LANES {
            return None;
        }
        let (low, high) = if characters.has_ascii {
            latin1::<S, true>(s, src, dst, characters)
        } else {
            latin1::<S, false>(s, src, dst, characters)
        };
        Some(match s.any_msb(low) {
            _ if s.any_nonzero(high) => Highest::Above,
            true => Highest::Latin1,
            false => Highest::Ascii,
        })
    }
}

/// Returns all bits that some lower or some upper byte has.
#[inline(always)]
fn latin1<S: Simd, const ASCII: bool>(s: S, src: &[u8], dst: &mut [u8], characters: &Characters) -> (S::V, S::V) {
    let mut seen = (s.splat(0), s.splat(0));
    let mut at = 0;
    while at + 2 * S::LANES <= src.len() {
        some_latin1::<S, ASCII, 2>(s, src, dst, at, characters, &mut seen);
        at += 2 * S::LANES;
    }
    while at < src.len() {
        at = at.min(src.len() - S::LANES);
        some_latin1::<S, ASCII, 1>(s, src, dst, at, characters, &mut seen);
        at += S::LANES;
    }
    seen
}

#[inline(always)]
fn some_latin1<S: Simd, const ASCII: bool, const N: usize>(
    s: S,
    src: &[u8],
    dst: &mut [u8],
    at: usize,
    characters: &Characters,
    seen: &mut (S::V, S::V),
) {
    let mut bytes: [S::V; N] = load(s, src, at);
    if !ASCII || any_above(s, bytes) {
        let high = look_up::<S, false, N>(s, &characters.high, bytes);
        bytes = look_up::<S, ASCII, N>(s, &characters.low, bytes);
        for i in 0..N {
            *seen = (s.or(seen.0, bytes[i]), s.or(seen.1, high[i]));
        }
    }
    for (i, bytes) in bytes.into_iter().enumerate() {
        s.store(bytes, dst, at + i * S::LANES);
    }
}

#[inline(always)]
fn load<S: Simd, const N: usize>(s: S, src: &[u8], at: usize) -> [S::V; N] {
    let mut bytes = [s.splat(0); N];
    for (i, bytes) in bytes.iter_mut().enumerate() {
        *bytes = s.load(src, at + i * S::LANES);
    }
    bytes
}

/// True if a byte is above 7F.
#[inline(always)]
fn any_above<S: Simd, const N: usize>(s: S, bytes: [S::V; N]) -> bool {
    let mut all = s.splat(0);
    for bytes in bytes {
        all = s.or(all, bytes);
    }
    s.any_msb(all)
}

/// The entry of each byte. With `ASCII`, a byte below 80 is its own entry.
#[inline(always)]
fn look_up<S: Simd, const ASCII: bool, const N: usize>(
    s: S,
    [lower, upper]: &[[u8; 128]; 2],
    bytes: [S::V; N],
) -> [S::V; N] {
    let of_upper = in_half(s, upper, bytes);
    let of_lower = if ASCII { bytes } else { in_half(s, lower, bytes) };
    let mut found = bytes;
    for (i, found) in found.iter_mut().enumerate() {
        *found = s.select::<8>(s.ge(bytes[i], s.splat(0x80)), of_upper[i], of_lower[i]);
    }
    found
}

/// The entry of the lower seven bits of each byte.
#[inline(always)]
fn in_half<S: Simd, const N: usize>(s: S, table: &[u8; 128], bytes: [S::V; N]) -> [S::V; N] {
    let mut found = bytes;
    if S::WIDE_LOOKUP {
        let tables = table.as_chunks::<64>().0;
        for found in &mut found {
            let index = *found;
            let is_upper = s.gt::<8>(s.splat(0), s.shl::<16, 1>(index));
            *found = s.select::<8>(is_upper, s.lookup64(&tables[1], index), s.lookup64(&tables[0], index));
        }
        return found;
    }
    // Closures would not be inlined into the function that enables the instructions.
    let tables = table.as_chunks::<16>().0;
    for i in 0..N {
        let byte = bytes[i];
        let index = s.and(byte, s.splat(0x0F));
        let mut all = [index; 8];
        for (entry, table) in all.iter_mut().zip(tables) {
            *entry = s.lookup16(s.table16(table), index);
        }
        let bit4 = s.gt::<8>(s.splat(0), s.shl::<16, 3>(byte));
        for pair in 0..4 {
            all[pair] = s.select::<8>(bit4, all[2 * pair + 1], all[2 * pair]);
        }
        let bit5 = s.gt::<8>(s.splat(0), s.shl::<16, 2>(byte));
        let lower = s.select::<8>(bit5, all[1], all[0]);
        let upper = s.select::<8>(bit5, all[3], all[2]);
        let bit6 = s.gt::<8>(s.splat(0), s.shl::<16, 1>(byte));
        found[i] = s.select::<8>(bit6, upper, lower);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::isa;

    /// Every length and every byte, of tables with and without US-ASCII.
    #[test]
    fn characters_are_those_of_the_table() {
        let ascii: [u16; 256] = core::array::from_fn(|i| if i < 0x80 { i as u16 } else { (i * 0x0135) as u16 });
        let latin: [u16; 256] = core::array::from_fn(|i| if i < 0x80 { i as u16 } else { (i ^ 0x55) as u16 | 0x80 });
        let other: [u16; 256] = core::array::from_fn(|i| (i * 0x9D + 7) as u16);
        let seven: [u16; 256] = core::array::from_fn(|i| (i * 5 % 128) as u16);
        let bytes: Vec<u8> = (0..700_usize).map(|i| ((i * 0x5B) ^ (i >> 3)) as u8).collect();
        let before = isa::active();
        for table in [ascii, latin, other, seven] {
            let characters = Characters::new(table);
            for set in isa::available() {
                isa::set(set).unwrap();
                for len in (0..=bytes.len()).filter(|len| *len < 300 || len % 37 == 0) {
                    for src in [&bytes[..len], &vec![b'a'; len], &vec![0xE9; len]] {
                        let expected: Vec<u16> = src.iter().map(|byte| table[usize::from(*byte)]).collect();
                        let mut units = vec![0xABCD; len + 1];
                        characters.to_utf16(src, &mut units[..len]);
                        assert_eq!(units[..len], expected, "{set} {len}");
                        assert_eq!(units[len], 0xABCD);
                        let mut lower = vec![0xEE; len + 1];
                        let highest = characters.to_latin1(src, &mut lower[..len]);
                        let low: Vec<u8> = expected.iter().map(|unit| *unit as u8).collect();
                        assert_eq!(lower[..len], low, "{set} {len}");
                        assert_eq!(lower[len], 0xEE);
                        let class = match expected.iter().max() {
                            None | Some(..=0x7F) => Highest::Ascii,
                            Some(..=0xFF) => Highest::Latin1,
                            Some(_) => Highest::Above,
                        };
                        assert_eq!(highest, class, "{set} {len}");
                    }
                }
            }
        }
        isa::set(before).unwrap();
    }
}
