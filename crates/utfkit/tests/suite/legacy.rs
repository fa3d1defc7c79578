//! Legacy encodings: round trips of every character, ill-formed bytes and unrepresentable text,
//! at once and in chunks of any size with destinations of any size.

use crate::common::transcoding::{POLICIES, feed};
use utfkit::{Encoding, Legacy, Policy, Practice, Status, Transcoder};
use utfkit_testkit::random::Random;

/// The characters that `encoding` can represent.
fn characters(encoding: Encoding) -> Vec<char> {
    let values = (0..0x1_0000).chain([0x1_F600, 0x2_0000, 0x10_FFFF]).filter_map(char::from_u32);
    let mut transcoder = Transcoder::new(Encoding::Utf8, encoding, Policy::Strict);
    values
        .filter(|c| {
            transcoder.reset();
            let (mut utf8, mut out) = ([0; 4], [0; 16]);
            let step = transcoder.transcode(c.encode_utf8(&mut utf8).as_bytes(), &mut out, true);
            step.status == Status::InputEmpty
        })
        .collect()
}

fn whole(from: Encoding, to: Encoding, policy: Policy, src: &[u8]) -> (Vec<u8>, u64) {
    let mut transcoder = Transcoder::new(from, to, policy);
    let mut out = Vec::new();
    let step = transcoder.transcode_to_vec(src, &mut out, true);
    assert_eq!((step.status, step.read), (Status::InputEmpty, src.len()), "{from} to {to}");
    (out, transcoder.unrepresentable_count())
}

#[test]
fn every_character_comes_back() {
    for &legacy in Legacy::ALL {
        let encoding = Encoding::Legacy(legacy);
        let all = characters(encoding);
        let least = if legacy.is_single_byte() { 200 } else { 6900 };
        assert!(all.len() >= least, "{legacy}: {}", all.len());
        assert!(!legacy.is_single_byte() || all.len() <= 256);
        let text: String = all.iter().collect();
        let (bytes, lacking) = whole(Encoding::Utf8, encoding, Policy::Strict, text.as_bytes());
        assert_eq!(lacking, 0);
        let (back, _) = whole(encoding, Encoding::Utf8, Policy::Strict, &bytes);
        assert_eq!(String::from_utf8(back).unwrap(), text, "{legacy}");
        if legacy.is_ascii_compatible() {
            assert!(all.iter().take(128).copied().eq('\0'..='\x7F'), "{legacy}");
        }
    }
}

/// Cuts `src` into random chunks.
fn cut<'a>(src: &'a [u8], random: &mut Random) -> Vec<&'a [u8]> {
    let most = 1 + random.below(9);
    let (mut pieces, mut rest) = (Vec::new(), src);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(random.below(most + 1)));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn the_same_in_pieces(from: Encoding, to: Encoding, src: &[u8], random: &mut Random) {
    for (policy, _) in POLICIES {
        let expected = feed(&mut Transcoder::new(from, to, policy), &[src], 20 * src.len() + 64, true);
        let single: Vec<&[u8]> = src.chunks(1).collect();
        for pieces in [cut(src, random), single] {
            let capacity = 1 + random.below(40);
            let got = feed(&mut Transcoder::new(from, to, policy), &pieces, capacity, true);
            assert_eq!(got.output, expected.output, "{from} to {to}, {policy:?}, capacity {capacity}, {src:02X?}");
            assert_eq!(
                (got.reports.len(), got.had_errors),
                (expected.reports.len(), expected.had_errors),
                "{from} to {to}, {policy:?}, {src:02X?}"
            );
            for (got, expected) in got.reports.iter().zip(&expected.reports) {
                assert_eq!((got.offset, got.len), (expected.offset, expected.len), "{from} to {to}, {src:02X?}");
            }
        }
    }
}

/// Text of which the encoding has most characters.
fn text(all: &[char], random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(60) {
        match random.below(8) {
            0 => text.push(*random.pick(&['Ж', '漢', '한', 'ф', '😀', '\u{FFFF}', '¥', '‾', '−', '€', 'ﾊ'])),
            1 => text.extend((0..random.below(80)).map(|i| char::from(b' ' + (i % 90) as u8))),
            2 => text.push(*random.pick(&['~', '\n', '\x0E', '\x1B', '?', '%'])),
            _ => text.push(*random.pick(all)),
        }
    }
    text
}

#[test]
fn unfitting_text_in_pieces() {
    let mut random = Random::new(18);
    for &legacy in Legacy::ALL {
        let encoding = Encoding::Legacy(legacy);
        let all = characters(encoding);
        for _ in 0..12 {
            let text = text(&all, &mut random);
            the_same_in_pieces(Encoding::Utf8, encoding, text.as_bytes(), &mut random);
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            the_same_in_pieces(Encoding::Utf16Le, encoding, &utf16, &mut random);
        }
    }
}

#[test]
fn damaged_bytes_in_pieces() {
    let mut random = Random::new(19);
    for &legacy in Legacy::ALL {
        let encoding = Encoding::Legacy(legacy);
        let all = characters(encoding);
        for _ in 0..12 {
            let skip = Policy::Skip;
            let (mut bytes, _) = whole(Encoding::Utf8, encoding, skip, text(&all, &mut random).as_bytes());
            for _ in 0..random.below(6) {
                let at = random.below(bytes.len() + 1);
                match random.below(3) {
                    0 => bytes.truncate(at),
                    1 => bytes.insert(at, random.below(256) as u8),
                    _ => {
                        let shift: [u8; 2] = **random.pick(&[b"~{", b"~}", b"~\n", b"\x0E\n", b"\x1B$"]);
                        bytes.splice(at..at, shift).for_each(drop);
                    }
                }
            }
            for to in [Encoding::Utf8, Encoding::Utf16Be, Encoding::Legacy(Legacy::Windows1252)] {
                the_same_in_pieces(encoding, to, &bytes, &mut random);
            }
        }
    }
}

/// The count is the same in a run and where the driver decides.
#[test]
fn what_is_lacking_is_counted_and_replaced() {
    let text = "aЖ漢😀 plain text that is long enough for a run of its own, and more of it Ж\n".repeat(100);
    for (legacy, lacking, one) in [
        (Legacy::Ibm850, 400, &b"a??? "[..]),
        (Legacy::Iso8859_9, 400, b"a??? "),
        (Legacy::Windows1252, 400, b"a??? "),
        (Legacy::ShiftJis, 100, b"a\x84\x47\x8A\xBF? "),
        (Legacy::Ibm037, 400, b"\x81\x6F\x6F\x6F\x40"),
        (Legacy::Hz, 200, b"a~{'(~}?? "),
    ] {
        let policy = Policy::Replace(Practice::MaximalSubpart);
        let (bytes, count) = whole(Encoding::Utf8, Encoding::Legacy(legacy), policy, text.as_bytes());
        assert!(bytes.starts_with(one), "{legacy} {:02X?}", &bytes[..12]);
        assert_eq!(count, lacking, "{legacy}");
        let (skipped, count) = whole(Encoding::Utf8, Encoding::Legacy(legacy), Policy::Skip, text.as_bytes());
        assert_eq!((skipped.len(), count), (bytes.len() - lacking as usize, lacking), "{legacy}");
    }
}

#[test]
fn what_hz_and_its_like_mean() {
    let read = |legacy, bytes: &[u8]| {
        let policy = Policy::Replace(Practice::MaximalSubpart);
        String::from_utf8(whole(Encoding::Legacy(legacy), Encoding::Utf8, policy, bytes).0).unwrap()
    };
    let write = |legacy, text: &str| whole(Encoding::Utf8, Encoding::Legacy(legacy), Policy::Strict, text.as_bytes()).0;
    // The example of RFC 1843.
    let (text, bytes) = ("己所不欲，勿施於人。", &b"~{<:Ky2;S{#,NpJ)l6HK!#~}"[..]);
    assert_eq!(read(Legacy::Hz, bytes), text);
    assert_eq!(write(Legacy::Hz, text), bytes);
    assert_eq!(write(Legacy::Hz, "a~b"), b"a~~b");
    assert_eq!(read(Legacy::Hz, b"a~~b~\nc"), "a~bc");
    // A line that is not closed leaves the next one intact.
    assert_eq!(read(Legacy::Hz, b"~{<:\nabc"), "己\nabc");
    assert_eq!(read(Legacy::Hz, b"~{<"), "\u{FFFD}");
    assert_eq!(read(Legacy::Hz, b"a~"), "a\u{FFFD}");
    assert_eq!(read(Legacy::Hz, b"~}\x80"), "\u{FFFD}}\u{FFFD}");

    let (text, bytes) = ("안녕 a\n", &b"\x1B$)C\x0E>H3g\x0F a\n"[..]);
    assert_eq!(write(Legacy::Iso2022Kr, text), bytes);
    assert_eq!(read(Legacy::Iso2022Kr, bytes), text);
    assert_eq!(read(Legacy::Iso2022Kr, b"\x1B$)C\x0E>H 3g\nab"), "안 녕\nab");
    assert_eq!(read(Legacy::Iso2022Kr, b"\x1B$)\x0E>"), "\u{FFFD}$)\u{FFFD}");

    // KS X 1001 annex 3: 가 consists of the letters ㄱ and ㅏ.
    assert_eq!(write(Legacy::Johab, "가각힣ㄱㄳㅏ伽\\"), b"\x88\x61\x88\x62\xD3\xBD\x88\x41\x84\x44\x84\x61\xE0\x31\\");
    assert_eq!(
        read(Legacy::Johab, b"\x88\x61\x88\x62\xD3\xBD\xE0\x31\\\xFF\x88\x20\x88"),
        "가각힣伽\\\u{FFFD}\u{FFFD} \u{FFFD}"
    );
}

#[test]
fn names_that_people_write() {
    for (label, name) in [
        ("1252", "windows-1252"),
        ("win1252", "windows-1252"),
        ("cp1252", "windows-1252"),
        ("latin1", "ISO-8859-1"),
        ("8859_1", "ISO-8859-1"),
        ("mac", "macintosh"),
        ("mac_latin2", "x-mac-ce"),
        ("mac-centraleurope", "x-mac-ce"),
        ("dos", "IBM437"),
        ("850", "IBM850"),
        ("cp858", "IBM00858"),
        ("PC-Multilingual-850+euro", "IBM00858"),
        ("utf-8-sig", "UTF-8"),
        ("cp65001", "UTF-8"),
        ("latin5", "ISO-8859-9"),
        ("iso-8859-11", "ISO-8859-11"),
        ("tis620", "TIS-620"),
        ("cp037", "IBM037"),
        ("ebcdic-cp-be", "IBM500"),
        ("hz", "HZ-GB-2312"),
        ("iso2022_kr", "ISO-2022-KR"),
        ("cp1361", "Johab"),
        ("koi8_t", "KOI8-T"),
        ("cp949", "EUC-KR"),
    ] {
        assert_eq!(Encoding::for_label(label).map(Encoding::name), Some(name), "{label}");
    }
    assert_eq!(Encoding::for_label("PC-Multilingual-850"), None);
    for label in ["ISO-2022-UTF-8+EBCDIC-CP-US", "ISO-2022-UTF-8+HZ", "ISO-2022-UTF-8+VISCII"] {
        assert_eq!(Encoding::for_label(label), None, "{label}");
    }
    for (label, web) in [("iso-8859-9", "windows-1254"), ("tis-620", "windows-874"), ("koi8-ru", "KOI8-U")] {
        assert_eq!(Encoding::for_web_label(label).map(Encoding::name), Some(web));
    }
}
