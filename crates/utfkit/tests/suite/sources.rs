//! The state that a transcoder keeps between calls and between sources, and characters that its
//! target lacks.

use utfkit::{Encoding, ErrorKind, EscapeForm, Policy, Practice, Status, Transcoder};

#[test]
fn a_first_unit_that_is_no_bom_is_not_held() {
    for (from, src) in [(Encoding::Utf16, &b"\0a"[..]), (Encoding::Utf32, b"\0\0\0a")] {
        let mut t = Transcoder::new(from, Encoding::Utf8, Policy::Strict);
        let mut dst = [0; 8];
        let step = t.transcode(src, &mut dst, false);
        assert_eq!((step.status, &dst[..step.written]), (Status::InputEmpty, &b"a"[..]), "{from}");
    }
}

#[test]
fn another_source_goes_on_in_the_same_output() {
    let mut dst = [0; 64];
    let mut t = Transcoder::new(Encoding::Utf16, Encoding::Utf16Le, Policy::Escape).with_escape_form(EscapeForm::Xml);
    assert_eq!(t.transcode(b"\xFE\xFF\0a\xD8", &mut dst, false).written, 2);
    // Each source has its own byte order, and pending bytes are dropped.
    t.next_source();
    let step = t.transcode(b"\xFF\xFEb\0", &mut dst, true);
    assert_eq!(&dst[..step.written], b"b\0");
    assert!(!t.had_errors());
    t.next_source_in(Encoding::Latin1);
    assert_eq!(
        (t.source_encoding(), t.target_encoding(), t.policy()),
        (Encoding::Latin1, Encoding::Utf16Le, Policy::Escape)
    );

    // The target's BOM is written once, and counts continue.
    let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf16, Policy::Strict);
    assert_eq!(t.transcode(b"a", &mut dst, true).written, 4);
    t.next_source();
    assert_eq!(t.transcode(b"b", &mut dst, true).written, 2);
    t.next_source_in(Encoding::UsAscii);
    let Status::IllFormed(e) = t.transcode(b"c\xE9", &mut dst, true).status else { panic!("E9 is not US-ASCII") };
    assert_eq!((e.offset(), e.written()), (1, 8));
    t.next_source();
    assert!(t.had_errors());

    let mut t = Transcoder::new(Encoding::Utf8, Encoding::UsAscii, Policy::Escape).with_escape_form(EscapeForm::Xml);
    let _ = t.transcode("é".as_bytes(), &mut dst, true);
    t.next_source_in(Encoding::Latin1);
    let step = t.transcode(b"\xE9", &mut dst, true);
    assert_eq!(&dst[..step.written], b"&#xE9;");
    assert_eq!(t.unrepresentable_count(), 2);
    t.reset();
    assert_eq!((t.unrepresentable_count(), t.source_encoding()), (0, Encoding::Latin1));
    let step = t.transcode(b"\xE9", &mut dst, true);
    assert_eq!(&dst[..step.written], b"&#xE9;");

    // The state of the target continues, too.
    let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf7, Policy::Strict);
    let first = t.transcode("é".as_bytes(), &mut dst, false).written;
    t.next_source();
    let second = t.transcode("é".as_bytes(), &mut dst[first..], true).written;
    assert_eq!(&dst[..first + second], b"+AOkA6Q-");
}

/// Four pairs of bytes in Big5 are a letter and a mark: the transcoder writes both before it
/// reads on.
#[test]
#[cfg(feature = "legacy")]
fn a_pair_of_big5_is_two_code_points_wherever_the_room_ends() {
    use utfkit::Legacy;
    let src = b"ab\x88\x62\x88\xA5c\x88\x64\x88\xA3\x88\x62de\xA4\x40".repeat(3);
    let expected = "ab\u{CA}\u{304}\u{EA}\u{30C}c\u{CA}\u{30C}\u{EA}\u{304}\u{CA}\u{304}de一".repeat(3);
    for capacity in 1..40 {
        for chunk in [1, 2, 3, src.len()] {
            let mut t = Transcoder::new(Encoding::Legacy(Legacy::Big5), Encoding::Utf8, Policy::Strict);
            let (mut found, mut dst) = (Vec::new(), vec![0; capacity]);
            for (at, part) in src.chunks(chunk).enumerate() {
                let last = (at + 1) * chunk >= src.len();
                let mut rest = part;
                loop {
                    let step = t.transcode(rest, &mut dst, last);
                    found.extend(&dst[..step.written]);
                    rest = &rest[step.read..];
                    match step.status {
                        Status::InputEmpty => break,
                        Status::OutputFull => {}
                        Status::IllFormed(e) => panic!("{e}"),
                    }
                }
            }
            assert_eq!(String::from_utf8(found).unwrap(), expected, "{capacity} {chunk}");
        }
    }
}

/// Only UCS-4 and UTF-8 by RFC 2044 and RFC 2279 have 31 bits.
#[test]
fn what_is_above_10ffff_goes_into_31_bits_only() {
    use Encoding::*;
    for value in [0x11_0000_u32, 0x1F_FFFF, 0x3FF_FFFF, 0x7FFF_FFFF] {
        for to in [
            Utf8,
            Utf8Kuhn,
            Utf8NoNoncharacters,
            Unicode11Utf8,
            Utf16,
            Utf16Le,
            Utf16Be,
            Utf32,
            Utf32Le,
            Utf32Be,
            Latin1,
            UsAscii,
            Ibm437,
            Utf7,
            Utf7Optional,
            ImapUtf7,
            Cesu8,
            Mutf8,
            Wtf8,
            Wtf16Le,
            Wtf16Be,
            Ucs2Le,
            Ucs2Be,
            Iso2022Utf8,
        ] {
            let mut t = Transcoder::new(Ucs4Be, to, Policy::Strict);
            let step = t.transcode(&value.to_be_bytes(), &mut [0; 16], true);
            let Status::IllFormed(e) = step.status else { panic!("{value:X} in {to}") };
            assert_eq!((e.kind(), e.len(), step.written), (ErrorKind::Unrepresentable, 4, 0), "{value:X} in {to}");
        }
        for to in [Ucs4Le, Utf8Rfc2279, Utf8Rfc2044, Utf1] {
            let (mut there, mut back) = ([0; 16], [0; 16]);
            let len =
                Transcoder::new(Ucs4Be, to, Policy::Strict).transcode(&value.to_be_bytes(), &mut there, true).written;
            let step = Transcoder::new(to, Ucs4Be, Policy::Strict).transcode(&there[..len], &mut back, true);
            assert_eq!((step.status, &back[..step.written]), (Status::InputEmpty, &value.to_be_bytes()[..]), "{to}");
        }
    }
}

#[test]
fn characters_that_the_target_lacks_are_counted() {
    for policy in [Policy::Strict, Policy::Replace(Practice::MaximalSubpart), Policy::Skip, Policy::Escape] {
        let mut t = Transcoder::new(Encoding::Utf8, Encoding::UsAscii, policy);
        let (mut src, mut dst) = (&b"a\xE2\x82\xACb\xF0\x9F\x98\x80\xC3\xA9\xFF"[..], [0; 64]);
        while !src.is_empty() {
            src = &src[t.transcode(src, &mut dst, true).read..];
        }
        assert_eq!(t.unrepresentable_count(), 3, "{policy:?}");
    }
}

/// Tables are converted by way of UTF-8 in pieces of four kilobytes; the position of an
/// unrepresentable character in a piece has to be found again. Cyrillic letters are 10 higher in
/// windows-1251 than in ISO-8859-5.
#[test]
#[cfg(feature = "legacy")]
fn what_a_second_table_lacks_is_found_where_it_is() {
    use utfkit::Legacy;
    let (from, to) = (Encoding::Legacy(Legacy::Windows1251), Encoding::Legacy(Legacy::Iso8859_5));
    for len in [1, 40, 4095, 4096, 4097, 9000] {
        let letters: Vec<u8> = (0..len).map(|i| if i % 7 < 3 { 0xC0 + (i % 61) as u8 } else { b'a' }).collect();
        let there: Vec<u8> = letters.iter().map(|&b| if b < 0x80 { b } else { b - 0x10 }).collect();
        for at in [0, 1, 17, 33, 39, 2000, 4094, 4095, 4096, 4097, 8191, 8999].into_iter().filter(|&at| at < len) {
            // U+2026
            let mut src = letters.clone();
            src[at] = 0x85;
            let mut dst = vec![0; len + 8];
            let mut t = Transcoder::new(from, to, Policy::Strict);
            let Status::IllFormed(e) = t.transcode(&src, &mut dst, true).status else { panic!("{at} of {len}") };
            assert_eq!((e.kind(), e.offset(), e.written()), (ErrorKind::Unrepresentable, at, at), "of {len}");
            assert_eq!(dst[..at], there[..at]);

            let mut expected = there.clone();
            expected[at] = b'?';
            let mut t = Transcoder::new(from, to, Policy::Replace(Practice::MaximalSubpart));
            let step = t.transcode(&src, &mut dst, true);
            assert_eq!((step.read, step.written, t.unrepresentable_count()), (len, len, 1), "{at} of {len}");
            assert_eq!(dst[..len], expected);
        }
    }
}
