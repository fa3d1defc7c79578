//! The legacy encodings compared with `encoding_rs`: every short input, random
//! longer ones, cut anywhere.

use encoding_rs::{CoderResult, EncoderResult};
use utfkit_core::{Encoding, ErrorKind, Legacy, Policy, Practice, Status, Transcoder};
use utfkit_testkit::random::Random;

/// The encodings of the Encoding Standard.
fn of_the_web() -> impl Iterator<Item = Legacy> {
    Legacy::ALL.iter().copied().filter(|legacy| legacy.web().is_some())
}

fn codec(legacy: Legacy) -> &'static encoding_rs::Encoding {
    legacy.web().unwrap()
}

fn has_states(legacy: Legacy) -> bool {
    legacy == Legacy::Iso2022Jp
}

/// `bytes` as `encoding_rs` decodes them, with U+FFFD.
fn theirs(legacy: Legacy, bytes: &[u8]) -> String {
    let mut decoder = codec(legacy).new_decoder_without_bom_handling();
    let mut out = vec![0; 3 * bytes.len() + 64];
    let (result, read, written, _) = decoder.decode_to_utf8(bytes, &mut out, true);
    assert_eq!((result, read), (CoderResult::InputEmpty, bytes.len()));
    String::from_utf8(out[..written].to_vec()).unwrap()
}

/// Appends what becomes of `src`.
fn add(transcoder: &mut Transcoder, src: &[u8], out: &mut Vec<u8>, last: bool) {
    assert_eq!(transcoder.transcode_to_vec(src, out, last).status, Status::InputEmpty);
}

/// `pieces` as they are decoded here, one after the other.
fn ours(legacy: Legacy, pieces: &[&[u8]]) -> String {
    let policy = Policy::Replace(Practice::MaximalSubpart);
    let mut transcoder = Transcoder::new(Encoding::Legacy(legacy), Encoding::Utf8, policy);
    let mut text = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        add(&mut transcoder, piece, &mut text, i + 1 == pieces.len());
    }
    String::from_utf8(text).unwrap()
}

fn same(legacy: Legacy, bytes: &[u8]) {
    let expected = theirs(legacy, bytes);
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    for pieces in [&[bytes][..], &single] {
        assert_eq!(ours(legacy, pieces), expected, "{legacy} {pieces:02X?}");
    }
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
    let three_and_four = |legacy| {
        for a in 0x7F..=0xFF {
            for b in 0..=0xFF {
                for c in [0x00, 0x2F, 0x30, 0x39, 0x3A, 0x7F, 0x80, 0x81, 0xA0, 0xA1, 0xFE, 0xFF] {
                    same(legacy, &[a, b, c]);
                    same(legacy, &[a, b, c, 0x30]);
                    same(legacy, &[a, b, c, 0xA1]);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for legacy in [Legacy::Gb18030, Legacy::Gbk, Legacy::EucJp] {
            scope.spawn(move || three_and_four(legacy));
        }
    });
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
            1 => bytes.push(*random.pick(b"a\n\\~0@B(J$I\x0E\x0F\x1B\x7F")),
            2 if has_states(legacy) => {
                bytes.extend(*random.pick(&[b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"]));
            }
            2 => bytes.extend([0x81 + random.below(126) as u8, 0x30 + random.below(10) as u8]),
            3 => bytes.extend(*random.pick(&[[0x88, 0x62], [0x88, 0x64], [0x88, 0xA3], [0x88, 0xA5], [0x8F, 0xA2]])),
            _ if has_states(legacy) => bytes.push(0x21 + random.below(0x5E) as u8),
            _ => bytes.push(0x80 + random.below(128) as u8),
        }
    }
    bytes
}

#[test]
fn random_bytes_cut_anywhere() {
    let mut random = Random::new(1);
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

/// The first error of `bytes`: kind, length, and true if more bytes could complete it.
fn first_error(legacy: Legacy, bytes: &[u8]) -> Option<(ErrorKind, usize, bool)> {
    let mut transcoder = Transcoder::new(Encoding::Legacy(legacy), Encoding::Utf8, Policy::Strict);
    match transcoder.transcode(bytes, &mut [0; 64], true).status {
        Status::IllFormed(e) => Some((e.kind(), e.len(), e.error_len().is_none())),
        _ => None,
    }
}

#[test]
fn kinds_and_lengths() {
    use ErrorKind::{InvalidByte, InvalidSequence, Truncated};
    for (legacy, bytes, kind, len) in [
        (Legacy::Windows1253, &b"\xAA"[..], InvalidByte, 1),
        (Legacy::ShiftJis, b"\xA0\x40", InvalidByte, 1),
        (Legacy::ShiftJis, b"\x81\x20", InvalidSequence, 1),
        (Legacy::ShiftJis, b"\x81\xFD", InvalidSequence, 2),
        (Legacy::ShiftJis, b"\x81", Truncated, 1),
        (Legacy::EucJp, b"\x8F\xA1\x41", InvalidSequence, 2),
        (Legacy::EucJp, b"\x8F\xA1\xA1", InvalidSequence, 3),
        (Legacy::EucJp, b"\x8F\xA1", Truncated, 2),
        (Legacy::Gb18030, b"\xFF", InvalidByte, 1),
        (Legacy::Gb18030, b"\x81\x30\x81\x3A", InvalidSequence, 1),
        (Legacy::Gb18030, b"\x81\x30\x30", InvalidSequence, 1),
        (Legacy::Gb18030, b"\xFE\x39\xFE\x39", InvalidSequence, 4),
        (Legacy::Gb18030, b"\x81\x30\x81", Truncated, 3),
        (Legacy::Iso2022Jp, b"\x1B$A", InvalidSequence, 1),
        (Legacy::Iso2022Jp, b"\x1B$", InvalidSequence, 1),
        (Legacy::Iso2022Jp, b"\x1B$B\x1B(B", InvalidSequence, 3),
        (Legacy::Iso2022Jp, b"\x80", InvalidByte, 1),
        (Legacy::Iso2022Jp, b"\x0E", InvalidByte, 1),
    ] {
        assert_eq!(first_error(legacy, bytes), Some((kind, len, kind == Truncated)), "{legacy} {bytes:02X?}");
    }
    assert_eq!(ours(Legacy::Gb18030, &[b"\x84\x31\x95\x33"]), "\u{FEFF}");
    // The rest of an escape sequence that is none is text.
    assert_eq!(ours(Legacy::Iso2022Jp, &[b"\x1B$"]), "\u{FFFD}$");
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
    for &legacy in Legacy::ALL.iter().filter(|legacy| legacy.name().starts_with("windows-")) {
        for byte in 0x80..=0x9F {
            let text = ours(legacy, &[&[byte]]);
            let value = text.chars().next().map_or(0, u32::from);
            assert!(value == u32::from(byte) || value > 0x9F && value != 0xFFFD, "{legacy} {byte:02X}");
        }
    }
}

/// A whole text by `encoding_rs`, its end included; `None` if a character is lacking.
fn encoded(legacy: Legacy, text: &str) -> Option<Vec<u8>> {
    let mut out = vec![0; 8 * text.len() + 16];
    let mut encoder = codec(legacy).new_encoder();
    let (result, _, written) = encoder.encode_from_utf8_without_replacement(text, &mut out, true);
    out.truncate(written);
    (result == EncoderResult::InputEmpty).then_some(out)
}

/// The bytes of a character alone; `None` also if `encoding_rs` writes it as another character.
fn encoded_alone(legacy: Legacy, c: char) -> Option<Vec<u8>> {
    let text = c.encode_utf8(&mut [0; 4]).to_string();
    encoded(legacy, &text).filter(|bytes| theirs(legacy, bytes) == text)
}

/// `text` in the encoding, fed in chunks, without the characters that it lacks.
fn written(legacy: Legacy, text: &str, chunk: usize) -> Vec<u8> {
    let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Legacy(legacy), Policy::Skip);
    let mut bytes = Vec::new();
    for part in text.as_bytes().chunks(chunk) {
        add(&mut transcoder, part, &mut bytes, false);
    }
    add(&mut transcoder, &[], &mut bytes, true);
    bytes
}

#[test]
fn every_character_is_written_alike() {
    for legacy in of_the_web() {
        let beyond = (0x1_0000..0x11_0000).step_by(if legacy.is_single_byte() { 0x1003 } else { 0x11 });
        for c in (0..0x1_0000).chain(beyond).filter_map(char::from_u32) {
            let expected = encoded_alone(legacy, c).unwrap_or_default();
            let text = c.encode_utf8(&mut [0; 4]).to_string();
            assert_eq!(written(legacy, &text, 1), expected, "{legacy} {c:?}");
            assert_eq!(written(legacy, &text, 4), expected, "{legacy} {c:?}");
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
                1 => *random.pick(&[0xA5, 0x203E, 0x5C, 0x7E, 0x2212, 0xFF61, 0xFF9F, 0x20AC, 0x1_F600]),
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
    let mut random = Random::new(2);
    for legacy in of_the_web() {
        for _ in 0..500 {
            let text: String = text(&mut random).chars().filter(|c| encoded_alone(legacy, *c).is_some()).collect();
            let expected = encoded(legacy, &text).unwrap();
            // A lacking character changes nothing.
            let lacking = if legacy == Legacy::Gb18030 { "" } else { "\u{10FFFF}" };
            let with_lacking: String = text.chars().flat_map(|c| [c.to_string(), lacking.into()]).collect();
            for chunk in [1, usize::MAX] {
                assert_eq!(written(legacy, &text, chunk), expected, "{legacy} {text:?}");
                assert_eq!(written(legacy, &with_lacking, chunk), expected, "{legacy} {text:?}");
            }
            assert_eq!(ours(legacy, &[&expected]), theirs(legacy, &expected));
        }
    }
}

/// Converts `src`, whose well-formed front becomes `expected`, into each space, and the rest into enough.
fn into_any_space(from: Encoding, to: Encoding, src: &[u8], expected: &[u8]) {
    let mut dst = vec![0; 2 * expected.len() + 32];
    for space in 0..=expected.len() + 8 {
        let mut transcoder = Transcoder::new(from, to, Policy::Strict);
        let step = transcoder.transcode(src, &mut dst[..space], true);
        let all = step.written == expected.len();
        assert!(all || space < step.written + 8, "{from} to {to}: {src:02X?} {space} {step:?}");
        let mut len = step.written;
        if step.status == Status::OutputFull {
            len += transcoder.transcode(&src[step.read..], &mut dst[len..], true).written;
        }
        assert_eq!(dst[..len], *expected, "{from} to {to}: {src:02X?} {space} {step:?}");
    }
}

/// The well-formed front of `bytes`.
fn certain(legacy: Legacy, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 3 * bytes.len() + 64];
    let mut decoder = codec(legacy).new_decoder_without_bom_handling();
    let (_, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut out, true);
    out.truncate(written);
    out
}

#[test]
fn bytes_are_decoded_into_any_space() {
    let mut random = Random::new(3);
    for legacy in of_the_web() {
        for _ in 0..200 {
            let bytes = likely(legacy, &mut random);
            into_any_space(Encoding::Legacy(legacy), Encoding::Utf8, &bytes, &certain(legacy, &bytes));
        }
    }
}

#[test]
fn text_is_encoded_into_any_space() {
    let mut random = Random::new(4);
    for legacy in of_the_web().filter(|legacy| !has_states(*legacy)) {
        for _ in 0..200 {
            let text = text(&mut random);
            let len = text.find(|c| encoded_alone(legacy, c).is_none()).unwrap_or(text.len());
            let expected = encoded(legacy, &text[..len]).unwrap();
            into_any_space(Encoding::Utf8, Encoding::Legacy(legacy), text.as_bytes(), &expected);
        }
    }
}

#[test]
fn long_text() {
    for legacy in of_the_web() {
        let text = "US-ASCII, then é Ж あ 漢 한 €";
        let text: String = text.chars().filter(|c| encoded_alone(legacy, *c).is_some()).collect();
        let text = text.repeat(500);
        let bytes = written(legacy, &text, usize::MAX);
        assert_eq!(Some(&bytes), encoded(legacy, &text).as_ref(), "{legacy}");
        assert_eq!(ours(legacy, &[&bytes]), text, "{legacy}");
    }
}
