//! encoding_rs: its `mem` functions, and its decoder where it replaces.

use encoding_rs::{Encoding, mem};

pub(crate) fn valid_up_to(src: &[u8]) -> usize {
    Encoding::utf8_valid_up_to(src)
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    mem::convert_utf8_to_utf16_without_replacement(src, dst)
}

/// It has no strict form: this one replaces, and the pass that would make it
/// strict is left out in its favour.
pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    Some(mem::convert_utf16_to_utf8(src, dst))
}
