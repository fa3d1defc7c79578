//! Every example and every checkable statement of the five texts that define UTF-8, a test each,
//! in a file for each text. The name begins with the section, or with the heading where sections
//! have no number.
//!
//! Tests that need related encodings (UCS-2, UCS-4, 31 bits, Unicode 1.1, ISO 2022) are in
//! `five_texts_family.rs`.

mod rfc2044;
mod rfc2279;
mod rfc3629;
mod utf_8_7;
mod what_is_utf_8;

use crate::common::every_isa::for_each_isa;
use utfkit::diagnose::{Checker, Diagnosis, lenient_reading};
use utfkit::{Encoding, ErrorKind, Policy, Standard, Status, Transcoder, conversion, errors, from_utf8, validate};
use utfkit_testkit::random::Random;

const ALL: [Standard; 5] =
    [Standard::Rfc3629, Standard::Kuhn, Standard::NoNoncharacters, Standard::Rfc2279, Standard::Rfc2044];

/// The standards that require the shortest form.
const SHORTEST: [Standard; 4] = [Standard::Rfc3629, Standard::Kuhn, Standard::NoNoncharacters, Standard::Rfc2279];

/// Parses hexadecimal bytes separated by spaces.
fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hexadecimal")).collect()
}

/// Encodes a character number by the steps of the texts: the number of octets from the table,
/// header bits, and six bits an octet from the last one on.
fn by_the_steps(value: u32) -> Vec<u8> {
    let rows =
        [(0x7F, 0x00), (0x7FF, 0xC0), (0xFFFF, 0xE0), (0x1F_FFFF, 0xF0), (0x3FF_FFFF, 0xF8), (0x7FFF_FFFF, 0xFC)];
    let row = rows.iter().position(|&(last, _)| value <= last).expect("31 bits");
    let mut octets = vec![0x80; row + 1];
    octets[0] = rows[row].1;
    let mut rest = value;
    for octet in octets.iter_mut().skip(1).rev() {
        *octet |= (rest % 64) as u8;
        rest /= 64;
    }
    octets[0] |= rest as u8;
    octets
}

/// `value` in a form of `len` octets, shortest or not.
fn in_form(value: u32, len: usize) -> Vec<u8> {
    let header = [0x00, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC][len - 1];
    let mut octets: Vec<u8> = (0..len).rev().map(|i| 0x80 | (value >> (6 * i) & 0x3F) as u8).collect();
    octets[0] = header | (value >> (6 * (len - 1))) as u8;
    octets
}

fn scalar_values() -> impl Iterator<Item = u32> {
    (0..0xD800).chain(0xE000..0x11_0000)
}

/// Converts all of `src` strictly.
fn converted(from: Encoding, to: Encoding, src: &[u8]) -> Result<Vec<u8>, utfkit::Error> {
    let mut out = Vec::new();
    match Transcoder::new(from, to, Policy::Strict).transcode_to_vec(src, &mut out, true).status {
        Status::IllFormed(error) => Err(error),
        _ => Ok(out),
    }
}

/// Asserts that `hex` and `values` are the same text, in both directions and on every
/// instruction set.
#[track_caller]
fn are_the_same(hex: &str, values: &[u32]) {
    let octets = bytes(hex);
    for_each_isa(|isa| {
        for standard in ALL {
            assert_eq!(validate(&octets, standard), Ok(()), "{isa} {standard:?}");
        }
        assert_eq!(conversion::UTF8_TO_UTF32.to_vec(&octets).as_deref(), Ok(values), "{isa}");
        assert_eq!(conversion::UTF32_TO_UTF8.to_vec(values).as_ref(), Ok(&octets), "{isa}");
        let units = conversion::UTF8_TO_UTF16.to_vec(&octets).expect("well-formed");
        assert_eq!(conversion::UTF16_TO_UTF8.to_vec(&units).as_ref(), Ok(&octets), "{isa}");
        for wide in [Encoding::Utf16Be, Encoding::Utf16Le, Encoding::Utf32Be, Encoding::Utf32Le] {
            let there = converted(Encoding::Utf8, wide, &octets).expect("well-formed");
            assert_eq!(converted(wide, Encoding::Utf8, &there).as_ref(), Ok(&octets), "{isa} {wide}");
        }
    });
}

/// Asserts that no function that decodes UTF-8 strictly accepts anything in `src`.
#[track_caller]
fn is_refused(src: &[u8], standards: &[Standard]) {
    for_each_isa(|isa| {
        for &standard in standards {
            assert!(validate(src, standard).is_err(), "{isa} {standard:?}: {src:02X?}");
            assert!(errors(src, standard).next().is_some(), "{isa} {standard:?}: {src:02X?}");
        }
        if standards.contains(&Standard::Rfc3629) {
            assert!(from_utf8(src).is_err(), "{isa}: {src:02X?}");
            assert!(conversion::UTF8_TO_UTF16.to_vec(src).is_err(), "{isa}: {src:02X?}");
            assert!(conversion::UTF8_TO_UTF32.to_vec(src).is_err(), "{isa}: {src:02X?}");
            assert!(converted(Encoding::Utf8, Encoding::Utf16Be, src).is_err(), "{isa}: {src:02X?}");
        }
    });
}
