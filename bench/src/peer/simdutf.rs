//! simdutf (C++), through the crate `simdutf`.
//!
//! It neither takes nor checks the capacity of the destination.

use std::ops::Not;

use simdutf::ErrorCode;

/// The version of the C++ library in the crate version pinned in `Cargo.toml`.
pub(crate) const BUNDLED: &str = "7.7.1";

/// The value of `SIMDUTF_FORCE_IMPLEMENTATION` for an instruction set.
pub(crate) fn implementation(isa: utfkit::isa::Isa) -> Option<&'static str> {
    use utfkit::isa::Isa;
    match isa {
        Isa::Scalar => Some("fallback"),
        Isa::Ssse3 => Some("westmere"),
        Isa::Avx2 => Some("haswell"),
        Isa::Avx512 => Some("icelake"),
        _ => None,
    }
}

/// The signature of its conversions.
type Convert<S, D> = unsafe fn(*const S, usize, *mut D) -> usize;

/// It returns 0 for an ill-formed source as well as for an empty one.
#[inline(always)]
fn convert<S, D>(call: Convert<S, D>, src: &[S], dst: &mut [D]) -> Option<usize> {
    // SAFETY: both pointers come from live slices that do not overlap, and
    // `Conversion::contest` gives every destination at least the capacity of
    // the expected result, which std computes before any call.
    let written = unsafe { call(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    (written == 0 && !src.is_empty()).not().then_some(written)
}

pub(crate) fn valid_len(src: &[u8]) -> usize {
    if simdutf::validate_utf8(src) { src.len() } else { usize::MAX }
}

pub(crate) fn valid_up_to(src: &[u8]) -> usize {
    let result = simdutf::validate_utf8_with_errors(src);
    if result.error == ErrorCode::Success { src.len() } else { result.count }
}

pub(crate) fn utf16_valid_len(src: &[u16]) -> usize {
    if simdutf::validate_utf16(src) { src.len() } else { usize::MAX }
}

pub(crate) fn utf32_valid_len(src: &[u32]) -> usize {
    if simdutf::validate_utf32(src) { src.len() } else { usize::MAX }
}

/// It swaps without validation, so validate first.
pub(crate) fn utf16_swapped(src: &[u16], dst: &mut [u16]) -> Option<usize> {
    if !simdutf::validate_utf16(src) || dst.len() < src.len() {
        return None;
    }
    // SAFETY: both pointers come from live slices that do not overlap, and the
    // destination was checked to be as long as the source.
    unsafe { simdutf::change_endianness_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    Some(src.len())
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    convert(simdutf::convert_utf8_to_utf16, src, dst)
}

pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> Option<usize> {
    convert(simdutf::convert_utf8_to_utf32, src, dst)
}

pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    convert(simdutf::convert_utf8_to_latin1, src, dst)
}

pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    convert(simdutf::convert_utf16_to_utf8, src, dst)
}

pub(crate) fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> Option<usize> {
    convert(simdutf::convert_utf16_to_utf32, src, dst)
}

pub(crate) fn utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    convert(simdutf::convert_utf16_to_latin1, src, dst)
}

pub(crate) fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> Option<usize> {
    convert(simdutf::convert_utf32_to_utf8, src, dst)
}

pub(crate) fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> Option<usize> {
    convert(simdutf::convert_utf32_to_utf16, src, dst)
}

pub(crate) fn utf32_to_latin1(src: &[u32], dst: &mut [u8]) -> Option<usize> {
    convert(simdutf::convert_utf32_to_latin1, src, dst)
}

pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    convert(simdutf::convert_latin1_to_utf8, src, dst)
}

pub(crate) fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    convert(simdutf::convert_latin1_to_utf16, src, dst)
}

pub(crate) fn latin1_to_utf32(src: &[u8], dst: &mut [u32]) -> Option<usize> {
    convert(simdutf::convert_latin1_to_utf32, src, dst)
}
