//! The legacy encodings compared with `encoding_rs`: every short input, random
//! longer ones, cut anywhere.

use super::character::is_folded;
use super::*;
use crate::encoding::Encoding;
use crate::engine::progress::OnLacking;
use crate::engine::scalar::{Decoded, LONGEST, REPLACEMENT, Reader, Writer};
use crate::error::ErrorKind;
use crate::label::{WEB_ROWS, same_label};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use encoding_rs::{CoderResult, EncoderResult};

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The encodings of the Encoding Standard.
fn of_the_web() -> impl Iterator<Item = Legacy> {
    Legacy::ALL.iter().copied().filter(|legacy| legacy.web().is_some())
}

fn codec(legacy: Legacy) -> &'static encoding_rs::Encoding {
    legacy.web().unwrap()
}

/// `bytes` as `encoding_rs` decodes them, with U+FFFD.
fn theirs(legacy: Legacy, bytes: &[u8]) -> String {
    let mut decoder = codec(legacy).new_decoder_without_bom_handling();
    let mut out = alloc::vec![0; 3 * bytes.len() + 64];
    let (result, read, written, _) = decoder.decode_to_utf8(bytes, &mut out, true);
    assert_eq!((result, read), (CoderResult::InputEmpty, bytes.len()));
    String::from_utf8(out[..written].to_vec()).unwrap()
}

/// `pieces` as the reader decodes them, one after the other.
fn ours(legacy: Legacy, pieces: &[&[u8]]) -> String {
    let mut reader = LegacyReader::new(legacy);
    let mut text = String::new();
    let mut pending = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        let last = i + 1 == pieces.len();
        pending.extend_from_slice(piece);
        while !pending.is_empty() {
            let before = reader.clone();
            let (value, len) = match reader.decode(&pending, last) {
                Decoded::Value { value, len } => (Some(value), len),
                Decoded::StateChange { len } => (None, len),
                Decoded::IllFormed { len, .. } => (Some(REPLACEMENT), len),
                Decoded::Unfinished { len, .. } => {
                    assert!(len == pending.len() && len < LONGEST);
                    if !last {
                        assert_eq!(format!("{before:?}"), format!("{reader:?}"));
                        break;
                    }
                    (Some(REPLACEMENT), len)
                }
            };
            assert!((1..=pending.len()).contains(&len));
            text.extend(value.map(|value| char::from_u32(value).unwrap()));
            pending.drain(..len);
        }
    }
    text
}

fn same(legacy: Legacy, bytes: &[u8]) {
    assert_eq!(ours(legacy, &[bytes]), theirs(legacy, bytes), "{legacy} {bytes:02X?}");
}

/// The first answer of a new reader.
fn first(legacy: Legacy, bytes: &[u8]) -> Decoded {
    LegacyReader::new(legacy).decode(bytes, false)
}

#[test]
fn every_one_and_two_bytes() {
    for legacy in of_the_web() {
        for a in 0..=0xFF {
            same(legacy, &[a]);
            for b in 0..=0xFF {
                same(legacy, &[a, b]);
            }
        }
    }
}

/// With a third one that is a digit, a letter, a lead or trail byte, an error,
/// and nothing.
#[test]
fn more_bytes_in_encodings_that_have_them() {
    for legacy in [Legacy::Gb18030, Legacy::Gbk, Legacy::EucJp] {
        for a in 0x7F..=0xFF {
            for b in 0..=0xFF {
                for c in [0x00, 0x2F, 0x30, 0x39, 0x3A, 0x7F, 0x80, 0x81, 0xA0, 0xA1, 0xFE, 0xFF] {
                    same(legacy, &[a, b, c]);
                    same(legacy, &[a, b, c, 0x30]);
                    same(legacy, &[a, b, c, 0xA1]);
                }
            }
        }
    }
    for a in 0x80..=0xFF {
        for b in 0x80..=0xFF {
            same(Legacy::EucJp, &[0x8F, a, b]);
        }
    }
    for a in 0x81..=0xFE {
        for (b, c, d) in [(0x30, 0x81, 0x30), (0x39, 0xFE, 0x39), (0x31, 0xA4, 0x37), (0x35, 0xF4, 0x37)] {
            same(Legacy::Gb18030, &[a, b, c, d]);
        }
    }
}

#[test]
fn every_pair_of_jis_x_0208_and_every_byte_in_every_set() {
    for escape in [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"\x1B$A"] {
        for a in 0..=0xFF {
            same(Legacy::Iso2022Jp, &[escape, &[a][..]].concat());
            for b in 0..=0xFF {
                same(Legacy::Iso2022Jp, &[escape, &[a, b][..]].concat());
            }
        }
    }
}

/// Pieces that are likely to mean something in one encoding or another.
fn likely(legacy: Legacy, random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.below(24) {
        match random.below(8) {
            0 => bytes.push(random.below(256) as u8),
            1 => bytes.push(random.pick(b"a\n\\~0@B(J$I\x0E\x0F\x1B\x7F")),
            2 if legacy.has_states() => {
                bytes.extend(random.pick(&[b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"]));
            }
            2 => bytes.extend([0x81 + random.below(126) as u8, 0x30 + random.below(10) as u8]),
            3 => bytes.extend(random.pick(&[[0x88, 0x62], [0x88, 0x64], [0x88, 0xA3], [0x88, 0xA5], [0x8F, 0xA2]])),
            _ if legacy.has_states() => bytes.push(0x21 + random.below(0x5E) as u8),
            _ => bytes.push(0x80 + random.below(128) as u8),
        }
    }
    bytes
}

#[test]
fn random_bytes_cut_anywhere() {
    let mut random = Random(1);
    for legacy in of_the_web() {
        let rounds = if legacy.is_single_byte() { 300 } else { 6_000 };
        for _ in 0..rounds {
            let bytes = likely(legacy, &mut random);
            let expected = theirs(legacy, &bytes);
            let (a, b) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
            let (a, b) = (a.min(b), a.max(b));
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            for pieces in [&[&bytes[..]][..], &[&bytes[..a], &bytes[a..b], &bytes[b..]], &single, &[&bytes, &[]]] {
                assert_eq!(ours(legacy, pieces), expected, "{legacy} {pieces:02X?}");
            }
        }
    }
}

#[test]
fn kinds_and_lengths() {
    use ErrorKind::{InvalidByte, InvalidSequence, Truncated};
    let ill = |kind, len| Decoded::IllFormed { kind, len };
    let cut = |len| Decoded::Unfinished { kind: Truncated, len };
    for (legacy, bytes, expected) in [
        (Legacy::Windows1253, &b"\xAA"[..], ill(InvalidByte, 1)),
        (Legacy::ShiftJis, b"\xA0\x40", ill(InvalidByte, 1)),
        (Legacy::ShiftJis, b"\x81\x20", ill(InvalidSequence, 1)),
        (Legacy::ShiftJis, b"\x81\xFD", ill(InvalidSequence, 2)),
        (Legacy::ShiftJis, b"\x81", cut(1)),
        (Legacy::EucJp, b"\x8F\xA1\x41", ill(InvalidSequence, 2)),
        (Legacy::EucJp, b"\x8F\xA1\xA1", ill(InvalidSequence, 3)),
        (Legacy::EucJp, b"\x8F\xA1", cut(2)),
        (Legacy::Gb18030, b"\xFF", ill(InvalidByte, 1)),
        (Legacy::Gb18030, b"\x81\x30\x81\x3A", ill(InvalidSequence, 1)),
        (Legacy::Gb18030, b"\x81\x30\x30", ill(InvalidSequence, 1)),
        (Legacy::Gb18030, b"\xFE\x39\xFE\x39", ill(InvalidSequence, 4)),
        (Legacy::Gb18030, b"\x81\x30\x81", cut(3)),
        (Legacy::Gb18030, b"\x84\x31\x95\x33", Decoded::Value { value: 0xFEFF, len: 4 }),
        (Legacy::Iso2022Jp, b"\x1B$B", Decoded::StateChange { len: 3 }),
        (Legacy::Iso2022Jp, b"\x1B$A", ill(InvalidSequence, 1)),
        (Legacy::Iso2022Jp, b"\x1B$", cut(2)),
        (Legacy::Iso2022Jp, b"\x80", ill(InvalidByte, 1)),
        (Legacy::Iso2022Jp, b"\x0E", ill(InvalidByte, 1)),
    ] {
        assert_eq!(first(legacy, bytes), expected, "{legacy} {bytes:02X?}");
    }
    let mut reader = LegacyReader::new(Legacy::Iso2022Jp);
    assert_eq!(reader.decode(b"\x1B$B\x1B(B", true), Decoded::StateChange { len: 3 });
    assert_eq!(reader.decode(b"\x1B(B", true), ill(InvalidSequence, 3));
    assert_eq!(reader.decode(b"\x1B$", true), ill(InvalidSequence, 1));
    assert_eq!(reader.decode(b"$", true), Decoded::Value { value: 0x24, len: 1 });
}

#[test]
fn four_pairs_of_big5_are_two_code_points() {
    for (bytes, values) in [
        ([0x88, 0x62], [0xCA, 0x304]),
        ([0x88, 0x64], [0xCA, 0x30C]),
        ([0x88, 0xA3], [0xEA, 0x304]),
        ([0x88, 0xA5], [0xEA, 0x30C]),
    ] {
        let mut reader = LegacyReader::new(Legacy::Big5);
        assert_eq!(reader.decode(&bytes, false), Decoded::Value { value: values[0], len: 1 });
        assert_eq!(reader.clone().decode_run(&bytes[1..], &mut [0; 16]), (0, 0));
        assert_eq!(reader.decode(&bytes[1..], false), Decoded::Value { value: values[1], len: 1 });
        assert_eq!(reader.clone().decode_run(b"a", &mut [0; 16]), (1, 1));
        assert_eq!(LegacyWriter::new(Legacy::Big5).encode(values[1]), None);
    }
}

/// A byte below 80 that is not part of the ill-formed sequence is read again, also in
/// a later piece.
#[test]
fn an_ill_formed_pair_of_big5_spares_us_ascii() {
    let big5 = |pieces: &[&[u8]]| ours(Legacy::Big5, pieces);
    assert_eq!(big5(&[b"\x81\x40"]), "\u{FFFD}@");
    assert_eq!(big5(&[b"\x81", b"\x40"]), "\u{FFFD}@");
    assert_eq!(big5(&[b"\x81\x81"]), "\u{FFFD}");
    assert_eq!(big5(&[b"\x87\x87\x40"]), "\u{FFFD}@");
    assert_eq!(big5(&[b"\x81", b""]), "\u{FFFD}");
}

#[test]
fn the_windows_encodings_have_the_controls() {
    for legacy in Legacy::ALL.iter().filter(|legacy| legacy.name().starts_with("windows-")) {
        for byte in 0x80..=0x9F {
            let Decoded::Value { value, .. } = first(*legacy, &[byte]) else { panic!("{legacy} {byte:02X}") };
            assert!(value == u32::from(byte) || value > 0x9F, "{legacy} {byte:02X}");
        }
    }
}

/// The bytes of a character alone, by `encoding_rs`, without what ends a text;
/// `None` too if another character has them.
fn encoded(legacy: Legacy, c: char) -> Option<Vec<u8>> {
    if is_folded(legacy, c.into()) {
        return None;
    }
    let mut out = [0; 16];
    let (result, _, written) =
        codec(legacy).new_encoder().encode_from_utf8_without_replacement(c.encode_utf8(&mut [0; 4]), &mut out, false);
    (result == EncoderResult::InputEmpty).then(|| out[..written].to_vec())
}

#[test]
fn no_character_is_written_as_another() {
    for legacy in of_the_web() {
        for c in ('\0'..='\u{FFFF}').chain(['\u{1F600}', '\u{2000B}', '\u{E0001}', '\u{10FFFF}']) {
            let text = c.encode_utf8(&mut [0; 4]).to_owned();
            let (mut bytes, mut encoder) = ([0; 16], codec(legacy).new_encoder());
            let (result, _, len) = encoder.encode_from_utf8_without_replacement(&text, &mut bytes, true);
            if result != EncoderResult::InputEmpty {
                continue;
            }
            let (bytes, back) = (&bytes[..len], theirs(legacy, &bytes[..len]));
            assert_eq!(is_folded(legacy, c.into()), back != text, "{legacy} {c:?} {bytes:02X?} {back:?}");
        }
    }
}

#[test]
fn every_character_is_written_alike() {
    for legacy in of_the_web() {
        let beyond = (0x1_0000..0x11_0000).step_by(if legacy.is_single_byte() { 0x1003 } else { 0x11 });
        for c in (0..0x1_0000).chain(beyond).filter_map(char::from_u32) {
            let mut writer = LegacyWriter::new(legacy);
            let bytes = writer.encode(c.into());
            assert_eq!(bytes.as_ref().map(|bytes| bytes.as_slice()), encoded(legacy, c).as_deref(), "{legacy} {c:?}");
        }
        for value in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
            assert_eq!(LegacyWriter::new(legacy).encode(value), None);
        }
    }
}

/// Characters that any of the encodings may have.
fn text(random: &mut Random) -> String {
    let len = random.below(40);
    (0..len)
        .filter_map(|_| {
            char::from_u32(match random.below(6) {
                0 => random.below(0x80) as u32,
                1 => random.pick(&[0xA5, 0x203E, 0x5C, 0x7E, 0x2212, 0xFF61, 0xFF9F, 0x20AC, 0x1_F600]),
                2 => random.below(0x600) as u32,
                3 => 0x3040 + random.below(0xC0) as u32,
                4 => 0x4E00 + random.below(0x5200) as u32,
                _ => random.below(0x1_0000) as u32,
            })
        })
        .collect()
}

#[test]
fn texts_are_written_alike_and_read_back() {
    let mut random = Random(2);
    for legacy in of_the_web() {
        for _ in 0..500 {
            let text: String = text(&mut random).chars().filter(|c| encoded(legacy, *c).is_some()).collect();
            let mut writer = LegacyWriter::new(legacy);
            let mut bytes = Vec::new();
            for c in text.chars() {
                bytes.extend_from_slice(writer.encode(c.into()).unwrap().as_slice());
                // A lacking character changes nothing.
                assert_eq!(writer.encode(0xD800), None);
                assert_eq!(writer.encode(0x10_FFFF).is_some(), legacy == Legacy::Gb18030);
            }
            bytes.extend_from_slice(writer.finish().as_slice());
            assert_eq!(writer.finish().as_slice(), b"");
            let expected = codec(legacy).new_encoder().encode_all(&text);
            assert_eq!(bytes, expected, "{legacy} {text:?}");
            assert_eq!(ours(legacy, &[&bytes]), theirs(legacy, &bytes));
        }
    }
}

/// A whole text by `encoding_rs`, its end included.
trait EncodeAll {
    fn encode_all(self, text: &str) -> Vec<u8>;
}

impl EncodeAll for encoding_rs::Encoder {
    fn encode_all(mut self, text: &str) -> Vec<u8> {
        let mut out = alloc::vec![0; 8 * text.len() + 16];
        let (result, read, written) = self.encode_from_utf8_without_replacement(text, &mut out, true);
        assert_eq!((result, read), (EncoderResult::InputEmpty, text.len()));
        out.truncate(written);
        out
    }
}

/// The well-formed front of `bytes` by the reader, and its length.
fn certain(legacy: Legacy, bytes: &[u8]) -> (String, usize) {
    let mut reader = LegacyReader::new(legacy);
    let (mut text, mut read) = (String::new(), 0);
    while read < bytes.len()
        && let Decoded::Value { value, len } = reader.decode(&bytes[read..], false)
    {
        text.push(char::from_u32(value).unwrap());
        read += len;
    }
    (text, read)
}

#[test]
fn runs_are_decoded_into_any_space() {
    let mut random = Random(3);
    let mut dst = [0; 256];
    for legacy in of_the_web().filter(|legacy| !legacy.has_states()) {
        for _ in 0..200 {
            let bytes = likely(legacy, &mut random);
            let (text, len) = certain(legacy, &bytes);
            for space in 0..=text.len() + 8 {
                let (read, written) = LegacyReader::new(legacy).decode_run(&bytes, &mut dst[..space]);
                assert!(read <= len && written <= space);
                // Both ends are boundaries, and the text between is right.
                assert_eq!(certain(legacy, &bytes[..read]), (text[..written].into(), read), "{legacy} {bytes:02X?}");
                assert!(dst[..written] == text.as_bytes()[..written]);
                // Hardly a character is left for lack of space.
                assert!(read == len || space < written + 8, "{legacy} {bytes:02X?} {space}: {read} {written}");
            }
        }
    }
}

#[test]
fn runs_are_encoded_into_any_space() {
    let mut random = Random(4);
    let mut dst = [0; 256];
    for legacy in of_the_web().filter(|legacy| !legacy.has_states()) {
        for _ in 0..200 {
            let text = text(&mut random);
            let len = text.find(|c| encoded(legacy, c).is_none()).unwrap_or(text.len());
            for space in 0..=2 * text.len() + 8 {
                let (read, written) =
                    LegacyWriter::new(legacy).encode_run(text.as_bytes(), &mut dst[..space], OnLacking::Stop);
                assert!(read <= len && written <= space);
                assert_eq!(dst[..written], codec(legacy).new_encoder().encode_all(&text[..read]), "{legacy} {text:?}");
                assert!(read == len || space < written + 8, "{legacy} {text:?} {space}: {read} {written}");
            }
        }
    }
}

#[test]
fn long_runs() {
    for legacy in of_the_web().filter(|legacy| !legacy.has_states()) {
        let text: String = "US-ASCII, then é Ж あ 漢 한 €".chars().filter(|c| encoded(legacy, *c).is_some()).collect();
        let text = text.repeat(500);
        let mut bytes = alloc::vec![0; 4 * text.len()];
        let (read, written) = LegacyWriter::new(legacy).encode_run(text.as_bytes(), &mut bytes, OnLacking::Stop);
        assert_eq!(read, text.len());
        let mut utf8 = alloc::vec![0; 3 * written + 16];
        assert_eq!(LegacyReader::new(legacy).decode_run(&bytes[..written], &mut utf8), (written, text.len()));
        assert_eq!(&utf8[..text.len()], text.as_bytes());
    }
}

/// The labels that IANA gives to one encoding and browsers to a larger one, with
/// their encoding here.
const OTHERS_ON_THE_WEB: &[(&str, &[&str])] = &[
    (
        "ISO-8859-1",
        &[
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso-8859-1",
            "iso-ir-100",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin1",
        ],
    ),
    ("US-ASCII", &["ansi_x3.4-1968", "ascii", "us-ascii"]),
    (
        "ISO-8859-9",
        &[
            "csisolatin5",
            "iso-8859-9",
            "iso-ir-148",
            "iso8859-9",
            "iso88599",
            "iso_8859-9",
            "iso_8859-9:1989",
            "l5",
            "latin5",
        ],
    ),
    ("ISO-8859-11", &["iso-8859-11", "iso8859-11", "iso885911"]),
    ("TIS-620", &["tis-620"]),
    ("KOI8-RU", &["koi8-ru"]),
];

#[test]
fn no_label_means_two_encodings() {
    let mut seen: Vec<(&str, Encoding)> = Vec::new();
    for &encoding in Encoding::ALL {
        for label in [encoding.name()].into_iter().chain(encoding.labels()) {
            for (other, of) in &seen {
                assert!(*of == encoding || !same_label(other, label), "{encoding} {label}, {of} {other}");
            }
            seen.push((label, encoding));
            assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
        }
    }
}

#[test]
fn every_label_of_the_web_is_there() {
    for legacy in of_the_web() {
        assert_eq!(codec(legacy).name(), legacy.name());
    }
    for (name, labels) in WEB_ROWS {
        if ["UTF-8", "UTF-16LE", "UTF-16BE", "replacement"].contains(name) {
            continue;
        }
        for label in *labels {
            let other = OTHERS_ON_THE_WEB.iter().find(|(_, labels)| labels.contains(label));
            let expected = other.map_or(*name, |(name, _)| name);
            assert_eq!(Encoding::for_label(label).map(Encoding::name), Some(expected), "{label}");
            assert_eq!(Encoding::for_web_label(label).map(Encoding::name), Some(*name), "{label}");
        }
    }
}
