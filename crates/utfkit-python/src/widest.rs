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
    if is_ascii(src) {
        return (src.len(), Widest::Ascii);
    }
    let (mut count, mut highest) = (0, 0);
    // Piece by piece, so that the second look finds it in the cache.
    for piece in src.chunks(16 << 10) {
        let of_piece = engine::count_code_points(piece);
        count += of_piece;
        if highest < 0xC4 {
            highest = piece.iter().fold(highest, |highest: u8, byte| highest.max(*byte));
        } else if highest < 0xF0 && engine::utf16_len_from_utf8(piece) > of_piece {
            // Nothing but four bytes makes two units, and there is a kernel that counts those.
            highest = 0xF0;
        }
    }
    let widest = match highest {
        0..=0x7F => Widest::Ascii,
        // Not C0 and C1, which stand nowhere, nor 80 to BF alone: these fail as well.
        0x80..=0xC3 => Widest::Latin1,
        0xC4..=0xEF => Widest::Bmp,
        0xF0..=0xFF => Widest::All,
    };
    (count, widest)
}

/// Whether no byte is above 7F. Where one is, it is mostly near the front.
pub(crate) fn is_ascii(src: &[u8]) -> bool {
    src.chunks(256).all(<[u8]>::is_ascii)
}

/// Whether a surrogate is among `units`.
pub(crate) fn has_surrogates(units: &[u16]) -> bool {
    let least = |part: &[u16]| part.iter().fold(i16::MAX, |least, unit| least.min(above_surrogates(*unit)));
    units.chunks(4096).any(|part| least(part) < FROM_SURROGATES)
}

/// A unit as a number that is below [`FROM_SURROGATES`] for surrogates, the least of all, and for
/// no other: vectors have an instruction for the least of 16 bits with a sign.
#[inline(always)]
pub(crate) fn above_surrogates(unit: u16) -> i16 {
    unit.wrapping_sub(0xD800) as i16 ^ i16::MIN
}

pub(crate) const FROM_SURROGATES: i16 = i16::MIN + 0x800;

/// `units`, of UTF-32, into UTF-8: runs of US-ASCII at once, anything else one by one.
/// `None` if one is not a scalar value, or there is no space.
pub(crate) fn mostly_ascii(units: &[u32], dst: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    let (blocks, rest) = units.as_chunks::<8>();
    for block in blocks {
        let dst = dst.get_mut(written..)?;
        if block.iter().fold(0, |any, unit| any | unit) < 0x80 {
            let dst = dst.first_chunk_mut::<8>()?;
            for lane in 0..8 {
                dst[lane] = block[lane] as u8;
            }
            written += 8;
        } else {
            written += one_by_one(block, dst)?;
        }
    }
    Some(written + one_by_one(rest, dst.get_mut(written..)?)?)
}

#[inline]
fn one_by_one(units: &[u32], dst: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for unit in units {
        let c = char::from_u32(*unit)?;
        let dst = dst.get_mut(written..).filter(|dst| dst.len() >= c.len_utf8())?;
        written += c.encode_utf8(dst).len();
    }
    Some(written)
}
