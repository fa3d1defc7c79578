//! The relatives of UTF-8 on text without their special cases, compared with
//! UTF-8 or UTF-16.

use utfkit::{Encoding, Policy, Standard, Transcoder};

use super::stream::{NATIVE_UTF16, bytes_of, bytes_of_mut, pieces};
use super::{Conversion, Counted, Entry, Query};
use crate::goal::Goal;
use crate::peer::Peer;

const WTF16: Encoding = if cfg!(target_endian = "big") { Encoding::Wtf16Be } else { Encoding::Wtf16Le };

/// Text that CESU-8, Modified UTF-8 and WTF-8 encode like UTF-8.
fn plain(text: &str) -> String {
    text.chars().filter(|&c| c != '\0' && c <= '\u{FFFF}').collect()
}

fn convert(from: Encoding, to: Encoding, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    pieces(Transcoder::new(from, to, Policy::Strict), src, dst)
}

fn from_utf16(from: Encoding, to: Encoding, src: &[u16], dst: &mut [u8]) -> Option<usize> {
    convert(from, to, bytes_of(src), dst)
}

fn to_utf16(from: Encoding, src: &[u8], dst: &mut [u16]) -> Option<usize> {
    convert(from, NATIVE_UTF16, src, bytes_of_mut(dst)).map(|bytes| bytes / 2)
}

const fn decoding(name: &'static str, title: &'static str, entries: &'static [Entry<u8, u16>]) -> Conversion<u8, u16> {
    Conversion {
        name,
        title,
        goal: Goal::Relative,
        source: |text| Some(plain(text).into_bytes()),
        expected: |src| String::from_utf8_lossy(src).encode_utf16().collect(),
        growth: 1,
        entries,
    }
}

const fn encoding(name: &'static str, title: &'static str, entries: &'static [Entry<u16, u8>]) -> Conversion<u16, u8> {
    Conversion {
        name,
        title,
        goal: Goal::Relative,
        source: |text| Some(plain(text).encode_utf16().collect()),
        expected: |src| String::from_utf16_lossy(src).into_bytes(),
        growth: 3,
        entries,
    }
}

const fn same(name: &'static str, title: &'static str, entries: &'static [Entry<u8, u8>]) -> Conversion<u8, u8> {
    Conversion {
        name,
        title,
        goal: Goal::Relative,
        source: |text| Some(plain(text).into_bytes()),
        expected: <[u8]>::to_vec,
        growth: 3,
        entries,
    }
}

const UTF8_TO_UTF16: Entry<u8, u16> = Entry::exact(Peer::AsUnicode, |src, dst| to_utf16(Encoding::Utf8, src, dst));
const UTF16_TO_UTF8: Entry<u16, u8> =
    Entry::exact(Peer::AsUnicode, |src, dst| from_utf16(NATIVE_UTF16, Encoding::Utf8, src, dst));
const UTF8_TO_UTF8: Entry<u8, u8> =
    Entry::exact(Peer::AsUnicode, |src, dst| convert(Encoding::Utf8, Encoding::Utf8, src, dst));

pub(super) const CESU8_TO_UTF16: Conversion<u8, u16> = decoding(
    "cesu-8-16",
    "CESU-8 to UTF-16 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| to_utf16(Encoding::Cesu8, src, dst)), UTF8_TO_UTF16],
);

pub(super) const MUTF8_TO_UTF16: Conversion<u8, u16> = decoding(
    "mutf-8-16",
    "Modified UTF-8 to UTF-16 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| to_utf16(Encoding::Mutf8, src, dst)), UTF8_TO_UTF16],
);

pub(super) const WTF8_TO_UTF16: Conversion<u8, u16> = decoding(
    "wtf-8-16",
    "WTF-8 to UTF-16 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| to_utf16(Encoding::Wtf8, src, dst)), UTF8_TO_UTF16],
);

pub(super) const UTF16_TO_CESU8: Conversion<u16, u8> = encoding(
    "16-cesu-8",
    "UTF-16 to CESU-8 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| from_utf16(NATIVE_UTF16, Encoding::Cesu8, src, dst)), UTF16_TO_UTF8],
);

pub(super) const UTF16_TO_MUTF8: Conversion<u16, u8> = encoding(
    "16-mutf-8",
    "UTF-16 to Modified UTF-8 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| from_utf16(NATIVE_UTF16, Encoding::Mutf8, src, dst)), UTF16_TO_UTF8],
);

pub(super) const WTF16_TO_WTF8: Conversion<u16, u8> = encoding(
    "wtf-16-8",
    "WTF-16 to WTF-8 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| from_utf16(WTF16, Encoding::Wtf8, src, dst)), UTF16_TO_UTF8],
);

pub(super) const CESU8_TO_UTF8: Conversion<u8, u8> = same(
    "cesu-8-8",
    "CESU-8 to UTF-8 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| convert(Encoding::Cesu8, Encoding::Utf8, src, dst)), UTF8_TO_UTF8],
);

pub(super) const UTF8_TO_CESU8: Conversion<u8, u8> = same(
    "8-cesu-8",
    "UTF-8 to CESU-8 in pieces of 64 KiB",
    &[Entry::exact(Peer::Utfkit, |src, dst| convert(Encoding::Utf8, Encoding::Cesu8, src, dst)), UTF8_TO_UTF8],
);

fn valid_up_to(src: &[u8], standard: Standard) -> usize {
    utfkit::validate(src, standard).map_or_else(|e| e.valid_up_to(), |()| src.len())
}

const fn validation(name: &'static str, title: &'static str, entries: &'static [Counted<u8>]) -> Query<u8> {
    Query {
        name,
        title,
        goal: Goal::OtherStandard,
        source: |text| Some(text.as_bytes().to_vec()),
        expected: <[u8]>::len,
        entries,
    }
}

const BY_RFC3629: Counted<u8> = (Peer::AsUnicode, |src| valid_up_to(src, Standard::Rfc3629));

pub(super) const VALIDATE_RFC2279: Query<u8> = validation(
    "validate-2279",
    "Validate UTF-8 by RFC 2279",
    &[(Peer::Utfkit, |src| valid_up_to(src, Standard::Rfc2279)), BY_RFC3629],
);

pub(super) const VALIDATE_KUHN: Query<u8> = validation(
    "validate-kuhn",
    "Validate UTF-8 without U+FFFE and U+FFFF",
    &[(Peer::Utfkit, |src| valid_up_to(src, Standard::Kuhn)), BY_RFC3629],
);

pub(super) const VALIDATE_NO_NONCHARACTERS: Query<u8> = validation(
    "validate-nonchar",
    "Validate UTF-8 without noncharacters",
    &[(Peer::Utfkit, |src| valid_up_to(src, Standard::NoNoncharacters)), BY_RFC3629],
);
