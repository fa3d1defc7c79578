//! The standard library: the slowest competitor and the judge of the others.

/// Puts `units` into `dst` and counts them; `None` if they do not fit.
pub(crate) fn collect<D>(units: impl Iterator<Item = D>, dst: &mut [D]) -> Option<usize> {
    let mut written = 0;
    for unit in units {
        *dst.get_mut(written)? = unit;
        written += 1;
    }
    Some(written)
}

/// Puts `c` into `dst` at `written`.
fn push(c: char, dst: &mut [u8], written: &mut usize) -> Option<()> {
    let room = dst.get_mut(*written..)?;
    if room.len() < c.len_utf8() {
        return None;
    }
    *written += c.encode_utf8(room).len();
    Some(())
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    collect(core::str::from_utf8(src).ok()?.encode_utf16(), dst)
}

pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> Option<usize> {
    collect(core::str::from_utf8(src).ok()?.chars().map(u32::from), dst)
}

pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for c in char::decode_utf16(src.iter().copied()) {
        push(c.ok()?, dst, &mut written)?;
    }
    Some(written)
}
