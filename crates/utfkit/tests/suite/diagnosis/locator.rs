//! Line and column of an error.

use utfkit::diagnose::*;
use utfkit::*;

/// The first finding of a conversion whose source arrives in chunks of `cut` bytes.
fn first(from: Encoding, to: Encoding, src: &[u8], cut: usize) -> Option<String> {
    let mut transcoder = Transcoder::new(from, to, Policy::Strict);
    let mut locator = Locator::new(from, to);
    let mut at = 0;
    loop {
        let end = src.len().min(at + cut);
        let (mut read, mut out) = (at, [0; 64]);
        loop {
            let step = transcoder.transcode(&src[read..end], &mut out, end == src.len());
            read += step.read;
            match step.status {
                Status::OutputFull => {}
                Status::InputEmpty => break,
                Status::IllFormed(error) => {
                    return Some(locator.locate(&error, &src[at..src.len().min(read + 10)]).to_string());
                }
            }
        }
        locator.pass(&src[at..end]);
        at = end;
        if at == src.len() {
            return None;
        }
    }
}

#[test]
fn the_cut_of_the_source_does_not_matter() {
    use Encoding::{Cesu8, Latin1, Ucs2Le, UsAscii, Utf7, Utf8, Utf16, Utf16Be, Utf32, Utf32Le, Wtf8, Wtf16Le};
    for (from, to, src, start) in [
        (Utf8, Utf16Be, "äö\nü\u{10FFFF}".as_bytes().to_vec(), None),
        (
            Utf8,
            Utf16Be,
            b"ab\xED\xA1\x8C\xED\xBE\xB4cd".to_vec(),
            Some(
                "1:3: byte 2: ED A1 8C: surrogate: surrogate U+D84C, which UTF-8 may not hold; \
                 with ED BE B4 after it the CESU-8 form of U+233B4",
            ),
        ),
        (Utf8, Utf16Be, b"\xED\xA0\x80".to_vec(), Some("1:1: byte 0: ED A0 80: surrogate")),
        (Utf8, Utf8, b"Zeile\n12345678901234567890\xC0\xAFxxxxxxxxx".to_vec(), Some("2:21: byte 26: C0 AF: overlong")),
        (Utf8, Latin1, "é\né€!".as_bytes().to_vec(), Some("2:2: byte 5: E2 82 AC: unrepresentable")),
        (Latin1, UsAscii, b"abc\n\nd\xE9".to_vec(), Some("3:2: byte 6: E9: unrepresentable")),
        (Utf16, Utf8, b"\xFF\xFEa\0\n\0b\0c\0\x00\xDCd\0".to_vec(), Some("2:3: byte 10: 00 DC: unpaired")),
        (Utf16, Utf8, b"\xDC\x00".to_vec(), Some("1:1: byte 0: DC 00: unpaired")),
        (Utf16Be, Utf8, b"\0\n\xD8\x3D\xDE\x00\xD8\x3D\0a".to_vec(), Some("2:2: byte 6: D8 3D: unpaired")),
        (Utf32Le, Utf8, b"a\0\0\0\0\xD8\0\0".to_vec(), Some("1:2: byte 4: 00 D8 00 00: surrogate")),
        (Ucs2Le, Utf8, b"a\0a\0a\0a\0a\0x".to_vec(), Some("1:6: byte 10: 78: truncated: the input ends after 1 of")),
        (Utf7, Utf8, b"ok\nab+2AA-b".to_vec(), Some("2:3: byte 6: 32 41 41: unpaired-surrogate")),
        (Utf7, Utf8, b"ok\nab+AGF-b".to_vec(), Some("2:4: byte 8: 46: padding-bits")),
        (
            Cesu8,
            Utf8,
            b"\n\xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBDx".to_vec(),
            Some("2:2: byte 7: ED A0 BD: unpaired-surrogate"),
        ),
        (
            Wtf8,
            Utf8,
            b"a\xED\xA0\xBDx".to_vec(),
            Some("1:2: byte 1: ED A0 BD: unrepresentable: U+D83D is not in UTF-8"),
        ),
        (Wtf16Le, Utf8, b"a\0\x3D\xD8".to_vec(), Some("1:2: byte 2: 3D D8: unrepresentable: U+D83D is not in UTF-8")),
        (Utf32, Utf16, b"\0\0\xFE\xFF\0\0\0\x0A\0\x11\0\0".to_vec(), Some("2:1: byte 8: 00 11 00 00: too-large")),
        // Four bytes a character, all representable in ISO-8859-1 except the last.
        #[cfg(feature = "legacy")]
        (
            Encoding::Legacy(utfkit::Legacy::Gb18030),
            Latin1,
            b"\x81\x30\x8B\x37\n\x81\x30\x8B\x37\x81\x30\x8B\x37\x81\x30\x8B\x37\x81\x39\xEF\x30".to_vec(),
            Some("2:4: byte 17: 81 39 EF 30: unrepresentable: U+"),
        ),
    ] {
        let whole = first(from, to, &src, src.len());
        assert_eq!(whole.is_some(), start.is_some());
        let (whole_line, start) = (whole.clone().unwrap_or_default(), start.unwrap_or_default());
        assert!(whole_line.starts_with(start), "{whole_line}");
        for cut in 1..src.len() {
            assert_eq!(first(from, to, &src, cut), whole, "{from} cut every {cut}");
        }
    }
}
