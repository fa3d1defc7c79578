//! How many characters some UTF-8 has, and how wide the widest of them is.

/// The widest character, by what a string needs for it (PEP 393).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Widest {
    /// Below U+0080.
    Ascii,
    /// Below U+0100.
    Latin1,
    /// Below U+10000.
    Bmp,
    /// Any.
    All,
}

/// Both, for well-formed text. For any other it is what the lead bytes promise; the
/// conversion, which checks the text, then fails.
///
/// A character is the longer the wider it is, so the highest byte tells: C2 and C3 lead
/// to U+00FF, those up to EF to U+FFFF.
pub(crate) fn widest(src: &[u8]) -> (usize, Widest) {
    let (count, highest) = engine::count_code_points_and_highest(src);
    let widest = match highest {
        0..=0x7F => Widest::Ascii,
        // Not C0 and C1, which stand nowhere, nor 80 to BF alone: these fail as well.
        0x80..=0xC3 => Widest::Latin1,
        0xC4..=0xEF => Widest::Bmp,
        0xF0..=0xFF => Widest::All,
    };
    (count, widest)
}

/// A unit as a number that is below [`FROM_SURROGATES`] for surrogates, the least of all, and for
/// no other: vectors have an instruction for the least of 16 bits with a sign.
#[inline(always)]
pub(crate) fn above_surrogates(unit: u16) -> i16 {
    unit.wrapping_sub(0xD800) as i16 ^ i16::MIN
}

pub(crate) const FROM_SURROGATES: i16 = i16::MIN + 0x800;
