//! The number of characters of UTF-8 and the width of its widest one.

/// The classes of characters by the width that a string needs (PEP 393).
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
    /// There is a byte that is in no character.
    IllFormed,
}

impl Widest {
    /// The class in well-formed text with this highest byte, because lead bytes have the order of the characters: up
    /// to C3 they lead to U+00FF, up to EF to U+FFFF.
    #[inline]
    pub(crate) fn by_highest(highest: u8) -> Widest {
        match highest {
            0..=0x7F => Widest::Ascii,
            // C0, C1 and 80 to BF without a lead byte fail later.
            0x80..=0xC3 => Widest::Latin1,
            0xC4..=0xEF => Widest::Bmp,
            0xF0..=0xF4 => Widest::All,
            0xF5..=0xFF => Widest::IllFormed,
        }
    }
}

/// The number of characters and the class of the widest one, if the text is well-formed. For
/// ill-formed text both are wrong, and the conversion, which checks the text, fails.
pub(crate) fn widest(src: &[u8]) -> (usize, Widest) {
    let (count, highest) = engine::count_code_points_and_highest(src);
    (count, Widest::by_highest(highest))
}

/// Maps the surrogates, and no other units, to the numbers below [`FROM_SURROGATES`]: vector
/// instruction sets have a minimum of signed 16-bit lanes.
#[inline(always)]
pub(crate) fn above_surrogates(unit: u16) -> i16 {
    unit.wrapping_sub(0xD800) as i16 ^ i16::MIN
}

pub(crate) const FROM_SURROGATES: i16 = i16::MIN + 0x800;
