//! The bytes of UTF-8 in lanes of 16 and of 32 bits, for all conversions to UTF-8.
//!
//! All bytes of a lane are computed in the same way, whatever its length in UTF-8; the bytes that
//! it does not have are dropped when it is written.
//!
//! ```text
//! value                         bytes
//! 00000 00000000 0xxxxxxx                                  0xxxxxxx
//! 00000 00000yyy yyxxxxxx                         110yyyyy 10xxxxxx
//! 00000 zzzzyyyy yyxxxxxx                1110zzzz 10yyyyyy 10xxxxxx
//! uuuuu zzzzyyyy yyxxxxxx       11110uuu 10uuzzzz 10yyyyyy 10xxxxxx
//! ```

use super::lanes::{and_not, none_of16};
use crate::engine::simd::ops::{Blocks, Simd};

/// Writes the bytes of units of 16 bits below U+0800 to `out` from `at` on.
/// Returns how many; a register of them may be overwritten.
#[inline(always)]
pub(super) fn emit_pairs<S: Simd>(s: S, units: S::V, out: &mut [u8], at: usize) -> usize {
    let (pairs, one) = pairs(s, units);
    s.emit_pairs(pairs, one, out, at)
}

/// The two bytes of units below U+0800, and which of them have one.
#[inline(always)]
fn pairs<S: Simd>(s: S, units: S::V) -> (S::V, S::C) {
    let one = none_of16(s, units, 0xFF80);
    let two = s.or(s.fold16(s.shl::<16, 2>(units)), s.splat16(0x80C0));
    (s.select::<16>(one, s.shl::<16, 8>(units), two), one)
}

/// [`pairs`] without blending, which takes three operations on some processors, for
/// [`Blocks::emit_two_of_pairs`]: a byte of US-ASCII is less than any other.
#[inline(always)]
fn pairs_by_least<S: Simd>(s: S, units: S::V) -> (S::V, S::V) {
    let is_two = s.select::<16>(s.gt::<16>(units, s.splat16(0x7F)), s.splat(0xFF), s.splat(0));
    let two = s.or(s.fold16(s.shl::<16, 2>(units)), s.splat16(0x80C0));
    (S::Blocks::lesser(s, two, s.or(s.shl::<16, 8>(units), is_two)), is_two)
}

/// The greatest length in UTF-8 of the units of a block, if they are scalar values of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ascii,
    Pairs,
    Triples,
    /// They are not, or have more.
    Other,
}

/// After how many blocks of US-ASCII the loop for more of them is worth it: to
/// leave it after one or two costs more than it gains (wiki-french: 1.1 times
/// as fast, AVX-512 and AVX2).
pub(super) const ASCII_ROW: u32 = 8;

/// Writes the bytes of a register of units of 16 bits to `out` from `at` on, and
/// returns how many. Two registers of them may be overwritten.
#[inline(always)]
pub(super) fn emit<S: Simd>(s: S, kind: Kind, units: S::V, out: &mut [u8], at: usize) -> usize {
    match kind {
        Kind::Ascii => {
            s.narrow(units, out, at);
            S::LANES / 2
        }
        Kind::Pairs => emit_pairs(s, units, out, at),
        // (Three-byte text, AVX-512.)
        _ if S::COMPRESS => {
            let lower = s.emit_quads(quads(s, s.spread::<16, false>(units), false), out, at);
            lower + s.emit_quads(quads(s, s.spread::<16, true>(units), false), out, at + lower)
        }
        _ => Triples::new(s, units).emit(s, out, at),
    }
}

/// [`emit`] of two registers, one after the other, where [`Blocks::BY_TWOS`].
#[inline(always)]
pub(super) fn emit_two<S: Simd>(s: S, kind: Kind, units: [S::V; 2], out: &mut [u8], at: usize) -> usize {
    match kind {
        Kind::Ascii => {
            s.store(s.narrow16(units), out, at);
            S::LANES
        }
        Kind::Pairs => {
            let (mut pairs, mut two) = (units, units);
            for i in 0..2 {
                (pairs[i], two[i]) = pairs_by_least(s, units[i]);
            }
            S::Blocks::emit_two_of_pairs(s, pairs, two, out, at)
        }
        _ => {
            let (mut upper, mut lower, mut classes) = (units, units, units);
            for i in 0..2 {
                (upper[i], lower[i], classes[i]) = classed(s, units[i]);
            }
            S::Blocks::emit_classes(s, upper, lower, classes, out, at)
        }
    }
}

/// The upper and lower bytes and the classes, for [`Blocks::emit_classes`], of units none of which is a surrogate,
/// where bytes are moved by a table.
///
/// The length of a unit in UTF-8 is two bits of the index of the table:
///
/// ```text
/// unit         unit, at most FF     unit >> 4, at most FF
/// 0000-007F    00-7F                00-07
/// 0080-07FF    80-FF                08-7F
/// 0800-FFFF    anything             80-FF
/// ```
///
/// No blending here either.
#[inline(always)]
fn classed<S: Simd>(s: S, units: S::V) -> (S::V, S::V, S::V) {
    let turns = s.table16(&[8, 0, 9, 1, 10, 2, 11, 3, 12, 4, 13, 5, 14, 6, 15, 7]);
    let classes = s.lookup16(s.pack16(units, s.shr::<16, 4>(units)), turns);
    // Added and not or-ed, or the compiler would make it blending again.
    let of_two = s.select::<16>(none_of16(s, units, 0xF800), s.splat16(0x4000), s.splat(0));
    let upper = s.add::<16>(s.or(s.fold16(s.shr::<16, 4>(units)), s.splat16(0x80E0)), of_two);
    (upper, lower_of_three(s, units), classes)
}

/// The byte of US-ASCII, and the third of three.
#[inline(always)]
fn lower_of_three<S: Simd>(s: S, units: S::V) -> S::V {
    let twice = s.lookup16(units, s.table16(&[0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14]));
    s.or(s.and(twice, s.splat16(0x3FFF)), s.splat16(0x8000))
}

/// The kind of a block, where [`Blocks::AT_ONCE`]: `greatest` is the greatest unit or any number with the
/// same top bit.
#[inline(always)]
pub(super) fn kind_of_block<S: Simd>(s: S, units: [S::V; 4], greatest: u32) -> Kind {
    if greatest < 0x80 {
        return Kind::Ascii;
    }
    if greatest < 0x800 {
        return Kind::Pairs;
    }
    if greatest > 0xFFFF {
        return Kind::Other;
    }
    // The upper bytes of surrogates are D8 to DF.
    let moved = |[_, upper]: [S::V; 2]| s.add::<8>(upper, s.splat(0xD8_u8.wrapping_neg()));
    let least = S::Blocks::least(
        s,
        moved(S::Blocks::planes16(s, units[0], units[1])),
        moved(S::Blocks::planes16(s, units[2], units[3])),
    );
    if least < 8 { Kind::Other } else { Kind::Triples }
}

/// Writes the bytes of a block of units, and returns how many, where a block is
/// written at once. A plane of bytes is made for each byte that a unit may take:
///
/// ```text
/// lower        upper       first       second      third
/// 0xxxxxxx     00000000    -           -           0xxxxxxx
/// yyxxxxxx     00000yyy    -           110yyyyy    10xxxxxx
/// yyxxxxxx     zzzzyyyy    1110zzzz    10yyyyyy    10xxxxxx
/// ```
#[inline(always)]
pub(super) fn emit_block<S: Simd>(s: S, kind: Kind, units: [S::V; 4], out: &mut [u8; 128]) -> usize {
    match kind {
        Kind::Ascii => ascii_block(s, units, out),
        Kind::Pairs => pairs_block(s, units, out),
        _ => triples_block(s, units, out),
    }
}

#[inline(always)]
fn ascii_block<S: Simd>(s: S, units: [S::V; 4], out: &mut [u8; 128]) -> usize {
    s.store(s.narrow16([units[0], units[1]]), out, 0);
    s.store(s.narrow16([units[2], units[3]]), out, S::LANES);
    2 * S::LANES
}

#[inline(always)]
fn pairs_block<S: Simd>(s: S, units: [S::V; 4], out: &mut [u8; 128]) -> usize {
    let none = s.splat(0);
    let (mut first, mut second, mut one) = ([none; 2], [none; 2], [none; 2]);
    for i in 0..2 {
        let [lower, upper] = S::Blocks::planes16(s, units[2 * i], units[2 * i + 1]);
        let y = S::Blocks::insert::<2>(s, s.shr::<8, 6>(lower), upper);
        let is_one = s.ge(s.splat(1), y);
        first[i] = s.or(y, s.splat(0xC0));
        second[i] = s.select::<8>(is_one, lower, S::Blocks::insert::<6>(s, lower, s.splat(2)));
        one[i] = s.keep(is_one, s.splat(0xFF));
    }
    S::Blocks::emit_pairs(s, first, second, one, out)
}

#[inline(always)]
fn triples_block<S: Simd>(s: S, units: [S::V; 4], out: &mut [u8; 128]) -> usize {
    let none = s.splat(0);
    let (mut first, mut second, mut third) = ([none; 2], [none; 2], [none; 2]);
    let (mut one, mut two) = ([none; 2], [none; 2]);
    for i in 0..2 {
        let [lower, upper] = S::Blocks::planes16(s, units[2 * i], units[2 * i + 1]);
        let y = S::Blocks::insert::<2>(s, s.shr::<8, 6>(lower), upper);
        let is_two = s.ge(s.splat(7), upper);
        two[i] = s.keep(is_two, s.splat(0xFF));
        // Of a unit from U+0800 on, y may be as little.
        one[i] = s.keep(s.ge(s.splat(1), y), two[i]);
        first[i] = s.or(s.shr::<8, 4>(upper), s.splat(0xE0));
        // 11 above the y of two bytes, 10 above that of three.
        second[i] = S::Blocks::insert::<6>(s, y, s.count::<8>(s.splat(2), is_two));
        third[i] = s.or(s.and(one[i], lower), and_not(s, one[i], S::Blocks::insert::<6>(s, lower, s.splat(2))));
    }
    S::Blocks::emit_triples(s, [first, second, third], two, one, out)
}

/// The bytes of units of 16 bits, for [`Simd::emit_triples`].
pub(super) struct Triples<S: Simd> {
    /// The first and the second byte of three.
    pub(super) upper: S::V,
    /// The one of US-ASCII, the third of three.
    pub(super) lower: S::V,
    pub(super) one: S::C,
    pub(super) two: S::C,
}

impl<S: Simd> Triples<S> {
    /// Of units none of which is a surrogate.
    #[inline(always)]
    pub(super) fn new(s: S, units: S::V) -> Triples<S> {
        let (one, two) = (none_of16(s, units, 0xFF80), none_of16(s, units, 0xF800));
        let header = s.select::<16>(two, s.splat16(0xC0E0), s.splat16(0x80E0));
        Triples { upper: s.or(s.fold16(s.shr::<16, 4>(units)), header), lower: lower_of_three(s, units), one, two }
    }

    /// Writes the bytes to `out` from `at` on, and returns how many. Two
    /// registers of them may be overwritten.
    #[inline(always)]
    pub(super) fn emit(self, s: S, out: &mut [u8], at: usize) -> usize {
        s.emit_triples(self.upper, self.lower, self.one, self.two, out, at)
    }
}

/// The bytes of scalar values in lanes of 32 bits, for [`Simd::emit_quads`]. Bytes that a value does not have
/// are FF, which is in no UTF-8.
#[inline(always)]
pub(super) fn quads<S: Simd>(s: S, units: S::V, four: bool) -> S::V {
    let (two, three) = (s.gt::<32>(units, s.splat32(0x7F)), s.gt::<32>(units, s.splat32(0x7FF)));
    let fields = s.and(s.sixes(units), s.select::<32>(two, s.splat(0x3F), s.splat(0xFF)));
    let mut header = s.select::<32>(two, s.splat32(0x80C0_FFFF), s.splat32(0x00FF_FFFF));
    header = s.select::<32>(three, s.splat32(0x8080_E0FF), header);
    if four {
        header = s.select::<32>(s.gt::<32>(units, s.splat32(0xFFFF)), s.splat32(0x8080_80F0), header);
    }
    s.or(fields, header)
}

/// Writes the bytes of two registers of scalar values in lanes of 32 bits to `out` from `at` on, and returns how
/// many. Two registers may be overwritten.
#[inline(always)]
pub(super) fn emit_scalars<S: Simd>(s: S, units: [S::V; 2], out: &mut [u8], at: usize) -> usize {
    if S::Blocks::BY_TWOS {
        let (mut bytes, mut odd, mut two) = (units, units, units);
        for i in 0..2 {
            (bytes[i], odd[i], two[i]) = quads_by_twos(s, units[i]);
        }
        return S::Blocks::emit_two_of_quads(s, bytes, odd, two, out, at);
    }
    let lower = s.emit_quads(quads(s, units[0], true), out, at);
    lower + s.emit_quads(quads(s, units[1], true), out, at + lower)
}

/// The bytes of scalar values in lanes of 32 bits, `odd` and `two`, for [`Blocks::emit_two_of_quads`].
///
/// ```text
/// value          bytes left out    odd    two
/// to 00007F      3                 yes    yes
/// to 0007FF      2                 -      yes
/// to 00FFFF      1                 yes    -
/// above          0                 -      -
/// ```
#[inline(always)]
fn quads_by_twos<S: Simd>(s: S, units: S::V) -> (S::V, S::V, S::V) {
    let (one, two) = (s.gt::<32>(s.splat32(0x80), units), s.gt::<32>(s.splat32(0x800), units));
    let three = s.gt::<32>(s.splat32(0x1_0000), units);
    let header = s.select::<32>(three, s.splat32(0x8080_E0F0), s.splat32(0x8080_80F0));
    let header = s.select::<32>(two, s.splat32(0x80C0_E0F0), header);
    let sixes = s.sixes(units);
    let bytes = s.select::<32>(one, sixes, s.or(s.and(sixes, s.splat(0x3F)), header));
    let two = lanes(s, two);
    (bytes, s.xor(s.xor(lanes(s, one), two), lanes(s, three)), two)
}

/// FF in the lanes of 32 bits where the condition holds, 0 elsewhere.
#[inline(always)]
fn lanes<S: Simd>(s: S, c: S::C) -> S::V {
    s.select::<32>(c, s.splat(0xFF), s.splat(0))
}
