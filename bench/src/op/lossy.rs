//! Replacement of ill-formed sequences, at different error rates.

use bstr::ByteSlice;
use utfkit::Standard;

use super::{Conversion, Counted, Entry, Query};
use crate::goal::Goal;
#[cfg(target_os = "wasi")]
use crate::peer::node;
use crate::peer::{Peer, encoding_rs, std};
use crate::random::Random;

/// Units left undamaged at both ends, since in repeated text an error must not
/// span two periods.
const WHOLE: usize = 4;

/// Overwrites one unit in `rate`, at random, with a result of `bad`.
fn damage<S>(mut units: Vec<S>, rate: u32, bad: fn(&mut Random) -> S) -> Option<Vec<S>> {
    let mut random = Random::new(u64::from(rate));
    let end = units.len().saturating_sub(WHOLE);
    for unit in units.get_mut(WHOLE..end).into_iter().flatten() {
        if random.below(rate) == 0 {
            *unit = bad(&mut random);
        }
    }
    Some(units)
}

pub(super) fn utf8(text: &str, rate: u32) -> Option<Vec<u8>> {
    damage(text.as_bytes().to_vec(), rate, |random| 0x80 + random.below(0x80) as u8)
}

fn utf16(text: &str, rate: u32) -> Option<Vec<u16>> {
    damage(text.encode_utf16().collect(), rate, |random| 0xD800 + random.below(0x800) as u16)
}

const BY_UTF8: &[Entry<u8, u8>] = &[
    Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf8_to_utf8_lossy(src, dst).ok()),
    Entry::exact(Peer::Std, std::utf8_to_utf8_lossy),
    Entry::generous(Peer::EncodingRsDecoder, encoding_rs::decode_to_utf8),
    Entry::exact(Peer::Bstr, |src, dst| {
        std::copy_chunks(src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid())), dst)
    }),
];

const fn to_utf8(
    name: &'static str,
    title: &'static str,
    rate: u32,
    source: fn(&str) -> Option<Vec<u8>>,
) -> Conversion<u8, u8> {
    Conversion {
        name,
        title,
        goal: Goal::Lossy(rate),
        source,
        expected: |src| String::from_utf8_lossy(src).into_owned().into_bytes(),
        growth: 3,
        entries: BY_UTF8,
    }
}

pub(super) const TO_UTF8: [Conversion<u8, u8>; 4] = [
    to_utf8("lossy-8-8/clean", "UTF-8 to UTF-8, lossy, nothing bad", 0, |text| Some(text.as_bytes().to_vec())),
    to_utf8("lossy-8-8/1000", "UTF-8 to UTF-8, lossy, 1 byte bad in 1000", 1000, |text| utf8(text, 1000)),
    to_utf8("lossy-8-8/100", "UTF-8 to UTF-8, lossy, 1 byte bad in 100", 100, |text| utf8(text, 100)),
    to_utf8("lossy-8-8/10", "UTF-8 to UTF-8, lossy, 1 byte bad in 10", 10, |text| utf8(text, 10)),
];

const BY_UTF16: &[Entry<u8, u16>] = &[
    Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf8_to_utf16_lossy(src, dst).ok()),
    Entry::exact(Peer::Std, std::utf8_to_utf16_lossy),
    Entry::generous(Peer::EncodingRs, encoding_rs::utf8_to_utf16_lossy),
    Entry::generous(Peer::EncodingRsDecoder, encoding_rs::decode_to_utf16),
    #[cfg(target_os = "wasi")]
    Entry::exact(Peer::Node, node::utf8_to_utf16_lossy),
];

const fn to_utf16(
    name: &'static str,
    title: &'static str,
    rate: u32,
    source: fn(&str) -> Option<Vec<u8>>,
) -> Conversion<u8, u16> {
    Conversion {
        name,
        title,
        goal: Goal::Lossy(rate),
        source,
        expected: |src| String::from_utf8_lossy(src).encode_utf16().collect(),
        growth: 1,
        entries: BY_UTF16,
    }
}

pub(super) const TO_UTF16: [Conversion<u8, u16>; 4] = [
    to_utf16("lossy-8-16/clean", "UTF-8 to UTF-16, lossy, nothing bad", 0, |text| Some(text.as_bytes().to_vec())),
    to_utf16("lossy-8-16/1000", "UTF-8 to UTF-16, lossy, 1 byte bad in 1000", 1000, |text| utf8(text, 1000)),
    to_utf16("lossy-8-16/100", "UTF-8 to UTF-16, lossy, 1 byte bad in 100", 100, |text| utf8(text, 100)),
    to_utf16("lossy-8-16/10", "UTF-8 to UTF-16, lossy, 1 byte bad in 10", 10, |text| utf8(text, 10)),
];

const BY_FROM_UTF16: &[Entry<u16, u8>] = &[
    Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf16_to_utf8_lossy(src, dst).ok()),
    Entry::exact(Peer::Std, std::utf16_to_utf8_lossy),
    Entry::generous(Peer::EncodingRs, encoding_rs::utf16_to_utf8),
];

const fn from_utf16(
    name: &'static str,
    title: &'static str,
    source: fn(&str) -> Option<Vec<u16>>,
) -> Conversion<u16, u8> {
    Conversion {
        name,
        title,
        goal: Goal::Par,
        source,
        expected: |src| String::from_utf16_lossy(src).into_bytes(),
        growth: 3,
        entries: BY_FROM_UTF16,
    }
}

pub(super) const FROM_UTF16: [Conversion<u16, u8>; 2] = [
    from_utf16("lossy-16-8/clean", "UTF-16 to UTF-8, lossy, nothing bad", |text| Some(text.encode_utf16().collect())),
    from_utf16("lossy-16-8/100", "UTF-16 to UTF-8, lossy, 1 unit in 100 a surrogate", |text| utf16(text, 100)),
];

const BY_OWNED: &[Counted<u8>] = &[
    (Peer::Utfkit, |src| utfkit::from_utf8_lossy(src).len()),
    (Peer::Std, |src| String::from_utf8_lossy(src).len()),
    (Peer::EncodingRs, encoding_rs::decoded_len),
    (Peer::Bstr, |src| src.to_str_lossy().len()),
];

/// `from_utf8_lossy`, which borrows well-formed text and allocates otherwise.
/// Only the length of the result is checked.
const fn owned(name: &'static str, title: &'static str, source: fn(&str) -> Option<Vec<u8>>) -> Query<u8> {
    Query {
        name,
        title,
        goal: Goal::Par,
        source,
        expected: |src| String::from_utf8_lossy(src).len(),
        entries: BY_OWNED,
    }
}

pub(super) const OWNED: [Query<u8>; 2] = [
    owned("lossy-cow/clean", "`from_utf8_lossy`, nothing bad", |text| Some(text.as_bytes().to_vec())),
    owned("lossy-cow/100", "`from_utf8_lossy`, 1 byte bad in 100", |text| utf8(text, 100)),
];

const BY_ERRORS: &[Counted<u8>] = &[
    (Peer::Utfkit, |src| utfkit::errors(src, Standard::Rfc3629).count()),
    (Peer::Std, std::errors),
    (Peer::Bstr, |src| src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count()),
];

const fn errors(name: &'static str, title: &'static str, source: fn(&str) -> Option<Vec<u8>>) -> Query<u8> {
    Query { name, title, goal: Goal::Par, source, expected: std::errors, entries: BY_ERRORS }
}

const BY_ERROR_BYTES: &[Counted<u8>] = &[
    (Peer::Utfkit, |src| utfkit::errors(src, Standard::Rfc3629).map(|e| e.len()).sum()),
    (Peer::Std, std::error_bytes),
    (Peer::Bstr, |src| src.utf8_chunks().map(|chunk| chunk.invalid().len()).sum()),
];

/// Also asks each error for its length, unlike a mere count.
const fn error_bytes(name: &'static str, title: &'static str, source: fn(&str) -> Option<Vec<u8>>) -> Query<u8> {
    Query { name, title, goal: Goal::Par, source, expected: std::error_bytes, entries: BY_ERROR_BYTES }
}

pub(super) const ERRORS: [Query<u8>; 6] = [
    errors("errors/clean", "Count the errors of UTF-8, nothing bad", |text| Some(text.as_bytes().to_vec())),
    errors("errors/1000", "Count the errors of UTF-8, 1 byte bad in 1000", |text| utf8(text, 1000)),
    errors("errors/100", "Count the errors of UTF-8, 1 byte bad in 100", |text| utf8(text, 100)),
    errors("errors/10", "Count the errors of UTF-8, 1 byte bad in 10", |text| utf8(text, 10)),
    error_bytes("errors-len/100", "Add up the bytes of the errors of UTF-8, 1 byte bad in 100", |text| utf8(text, 100)),
    error_bytes("errors-len/10", "Add up the bytes of the errors of UTF-8, 1 byte bad in 10", |text| utf8(text, 10)),
];
