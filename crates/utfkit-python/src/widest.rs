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
    if engine::validate_ascii(src).is_ok() {
        return (src.len(), Widest::Ascii);
    }
    let (mut count, mut highest) = (0, 0);
    // Piece by piece, so that the second look finds it in the cache.
    for piece in src.chunks(16 << 10) {
        highest = piece.iter().fold(highest, |highest: u8, byte| highest.max(*byte));
        count += engine::count_code_points(piece);
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

/// How many bytes of UTF-8 characters up to U+FFFF take, and whether surrogates are among
/// them, each of which counts 3. Two of them are not a pair: a string that has one has it
/// as one character above U+FFFF.
pub(crate) fn utf8_len(units: &[u16]) -> (usize, bool) {
    let (mut len, mut has_surrogates) = (units.len(), false);
    for part in units.chunks(8 * 0x7FFF) {
        let (blocks, rest) = part.as_chunks::<8>();
        let (mut counts, mut surrogates) = ([0_u16; 8], [0_u16; 8]);
        for block in blocks {
            for lane in 0..8 {
                let unit = block[lane];
                counts[lane] += u16::from(unit & 0xFF80 != 0) + u16::from(unit & 0xF800 != 0);
                surrogates[lane] |= u16::from(unit & 0xF800 == 0xD800);
            }
        }
        for lane in 0..8 {
            len += usize::from(counts[lane]);
            has_surrogates |= surrogates[lane] != 0;
        }
        for &unit in rest {
            len += usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
            has_surrogates |= unit & 0xF800 == 0xD800;
        }
    }
    (len, has_surrogates)
}

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
