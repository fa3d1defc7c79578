//! encoding_rs: its `mem` functions, and its decoder for replacement.

use encoding_rs::{CoderResult, Encoding, UTF_8, mem};

pub(crate) fn valid_up_to(src: &[u8]) -> usize {
    Encoding::utf8_valid_up_to(src)
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    mem::convert_utf8_to_utf16_without_replacement(src, dst)
}

/// encoding_rs has no strict conversion. This one replaces; the validation that
/// would make it strict is omitted in its favour.
pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    Some(mem::convert_utf16_to_utf8(src, dst))
}

pub(crate) fn utf16_valid_up_to(src: &[u16]) -> usize {
    mem::utf16_valid_up_to(src)
}

pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    Some(mem::convert_latin1_to_utf8(src, dst))
}

/// Its conversion to Latin-1 assumes that the text fits, so the check is part
/// of the work.
pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    mem::is_utf8_latin1(src).then(|| mem::convert_utf8_to_latin1_lossy(src, dst))
}

pub(crate) fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    mem::convert_latin1_to_utf16(src, dst);
    Some(src.len())
}

pub(crate) fn utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    mem::is_utf16_latin1(src).then(|| {
        mem::convert_utf16_to_latin1_lossy(src, dst);
        src.len()
    })
}

pub(crate) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    Some(mem::convert_utf8_to_utf16(src, dst))
}

pub(crate) fn decode_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    let (result, _, written, _) = UTF_8.new_decoder_without_bom_handling().decode_to_utf16(src, dst, true);
    (result == CoderResult::InputEmpty).then_some(written)
}

pub(crate) fn decode_to_utf8(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (result, _, written, _) = UTF_8.new_decoder_without_bom_handling().decode_to_utf8(src, dst, true);
    (result == CoderResult::InputEmpty).then_some(written)
}

pub(crate) fn decoded_len(src: &[u8]) -> usize {
    UTF_8.decode_without_bom_handling(src).0.len()
}
