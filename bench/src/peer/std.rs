//! The standard library: the slowest competitor, and the judge of the others.

/// Copies `units` to `dst` and returns their number; `None` if they do not fit.
pub(crate) fn collect<D>(units: impl Iterator<Item = D>, dst: &mut [D]) -> Option<usize> {
    let mut written = 0;
    for unit in units {
        *dst.get_mut(written)? = unit;
        written += 1;
    }
    Some(written)
}

/// Writes `c` to `dst` at `written`.
fn push(c: char, dst: &mut [u8], written: &mut usize) -> Option<()> {
    let spare = dst.get_mut(*written..)?;
    if spare.len() < c.len_utf8() {
        return None;
    }
    *written += c.encode_utf8(spare).len();
    Some(())
}

/// Encodes `values` into `dst`; `None` if one is ill-formed or does not fit.
fn to_utf8(values: impl Iterator<Item = Option<char>>, dst: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for c in values {
        push(c?, dst, &mut written)?;
    }
    Some(written)
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    collect(core::str::from_utf8(src).ok()?.encode_utf16(), dst)
}

pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> Option<usize> {
    collect(core::str::from_utf8(src).ok()?.chars().map(u32::from), dst)
}

pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    to_utf8(char::decode_utf16(src.iter().copied()).map(Result::ok), dst)
}

pub(crate) fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> Option<usize> {
    to_utf8(src.iter().map(|&value| char::from_u32(value)), dst)
}

pub(crate) fn utf16_swapped(src: &[u16], dst: &mut [u16]) -> Option<usize> {
    if char::decode_utf16(src.iter().copied()).any(|c| c.is_err()) {
        return None;
    }
    collect(src.iter().map(|unit| unit.swap_bytes()), dst)
}

pub(crate) fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> Option<usize> {
    let mut written = 0;
    for c in char::decode_utf16(src.iter().copied()) {
        *dst.get_mut(written)? = c.ok()?.into();
        written += 1;
    }
    Some(written)
}

pub(crate) fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> Option<usize> {
    let mut written = 0;
    for &value in src {
        let c = char::from_u32(value)?;
        written += c.encode_utf16(dst.get_mut(written..written + c.len_utf16())?).len();
    }
    Some(written)
}

pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    to_utf8(src.iter().map(|&byte| Some(char::from(byte))), dst)
}

pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for c in core::str::from_utf8(src).ok()?.chars() {
        *dst.get_mut(written)? = u8::try_from(c).ok()?;
        written += 1;
    }
    Some(written)
}

/// Latin-1 to wider units of the same value.
pub(crate) fn widen<D: From<u8>>(src: &[u8], dst: &mut [D]) -> Option<usize> {
    let dst = dst.get_mut(..src.len())?;
    for (to, &from) in dst.iter_mut().zip(src) {
        *to = from.into();
    }
    Some(src.len())
}

/// Wider units to Latin-1.
pub(crate) fn narrow<S: Copy + TryInto<u8>>(src: &[S], dst: &mut [u8]) -> Option<usize> {
    let dst = dst.get_mut(..src.len())?;
    for (to, &from) in dst.iter_mut().zip(src) {
        *to = from.try_into().ok()?;
    }
    Some(src.len())
}

pub(crate) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    copy_chunks(src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid())), dst)
}

/// Copies well-formed runs, with U+FFFD for each ill-formed sequence between
/// them.
pub(crate) fn copy_chunks<'a>(chunks: impl Iterator<Item = (&'a str, &'a [u8])>, dst: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for (valid, invalid) in chunks {
        dst.get_mut(written..written + valid.len())?.copy_from_slice(valid.as_bytes());
        written += valid.len();
        if !invalid.is_empty() {
            push(char::REPLACEMENT_CHARACTER, dst, &mut written)?;
        }
    }
    Some(written)
}

pub(crate) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    let mut written = 0;
    for chunk in src.utf8_chunks() {
        written += collect(chunk.valid().encode_utf16(), dst.get_mut(written..)?)?;
        if !chunk.invalid().is_empty() {
            *dst.get_mut(written)? = 0xFFFD;
            written += 1;
        }
    }
    Some(written)
}

pub(crate) fn utf16_to_utf8_lossy(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    let values = char::decode_utf16(src.iter().copied());
    to_utf8(values.map(|value| Some(value.unwrap_or(char::REPLACEMENT_CHARACTER))), dst)
}

pub(crate) fn errors(src: &[u8]) -> usize {
    src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count()
}

pub(crate) fn error_bytes(src: &[u8]) -> usize {
    src.utf8_chunks().map(|chunk| chunk.invalid().len()).sum()
}

/// The text as `str`, without the cost of validation.
fn text(src: &[u8]) -> &str {
    // SAFETY: counts and lengths are measured on well-formed texts only; their
    // sources are made from a `str` (`source` in `op::length`).
    unsafe { core::str::from_utf8_unchecked(src) }
}

pub(crate) fn count_code_points(src: &[u8]) -> usize {
    text(src).chars().count()
}

pub(crate) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    text(src).chars().map(char::len_utf16).sum()
}

pub(crate) fn utf8_len_from_utf16(src: &[u16]) -> usize {
    char::decode_utf16(src.iter().copied()).map(|c| c.map_or(3, char::len_utf8)).sum()
}

pub(crate) fn utf8_len_from_utf32(src: &[u32]) -> usize {
    src.iter().map(|&value| char::from_u32(value).map_or(3, char::len_utf8)).sum()
}

pub(crate) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    src.len() + src.iter().filter(|byte| !byte.is_ascii()).count()
}

/// The length of a well-formed source.
pub(crate) fn utf16_valid_len(src: &[u16]) -> usize {
    if char::decode_utf16(src.iter().copied()).all(|c| c.is_ok()) { src.len() } else { usize::MAX }
}

pub(crate) fn utf32_valid_len(src: &[u32]) -> usize {
    if src.iter().all(|&value| char::from_u32(value).is_some()) { src.len() } else { usize::MAX }
}
