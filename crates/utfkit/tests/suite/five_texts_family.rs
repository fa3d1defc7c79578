//! The examples and checkable statements of the five texts that define UTF-8 about related
//! encodings: UCS-2 and UCS-4, UTF-8 of 31 bits, the Hangul of Unicode 1.1, ISO 2022, UTF-7. A
//! module for each text; the rest is in `five_texts`.

use utfkit::{Encoding, Error, ErrorKind, Policy, Status, Transcoder};

/// Parses hexadecimal bytes separated by spaces.
fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hexadecimal")).collect()
}

/// Converts all of `src` strictly.
fn converted(from: Encoding, to: Encoding, src: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    match Transcoder::new(from, to, Policy::Strict).transcode_to_vec(src, &mut out, true).status {
        Status::IllFormed(error) => Err(error),
        _ => Ok(out),
    }
}

/// Asserts that the two are the same text, in both directions.
#[track_caller]
fn are_the_same(one: Encoding, hex: &str, other: Encoding, other_hex: &str) {
    assert_eq!(converted(one, other, &bytes(hex)), Ok(bytes(other_hex)), "{one} to {other}");
    assert_eq!(converted(other, one, &bytes(other_hex)), Ok(bytes(hex)), "{other} to {one}");
}

#[track_caller]
fn is_refused(from: Encoding, hex: &str, kind: ErrorKind) {
    let error = converted(from, Encoding::Ucs4Be, &bytes(hex)).expect_err("it must not be read");
    assert_eq!((error.offset(), error.kind()), (0, kind), "{from}: {hex}");
}

/// The table of RFC 2044, RFC 2279 section 2, utf-8(7) and Kuhn's text: the first and the last
/// value of each row, in UCS-4 and in UTF-8.
const TABLE: [(&str, &str); 12] = [
    ("00 00 00 00", "00"),
    ("00 00 00 7F", "7F"),
    ("00 00 00 80", "C2 80"),
    ("00 00 07 FF", "DF BF"),
    ("00 00 08 00", "E0 A0 80"),
    ("00 00 FF FF", "EF BF BF"),
    ("00 01 00 00", "F0 90 80 80"),
    ("00 1F FF FF", "F7 BF BF BF"),
    ("00 20 00 00", "F8 88 80 80 80"),
    ("03 FF FF FF", "FB BF BF BF BF"),
    ("04 00 00 00", "FC 84 80 80 80 80"),
    ("7F FF FF FF", "FD BF BF BF BF BF"),
];

/// "hangugeo" in Unicode 1.1 and in the RFCs.
const HANGUGEO: (&str, &str) = ("E3 B2 A2 E3 91 B6 E3 A5 B1", "ED 95 9C EA B5 AD EC 96 B4");

mod rfc3629 {
    use super::*;

    /// "moved and expanded the Korean Hangul block, thereby making any previous
    /// data containing Hangul characters invalid under the new version"
    #[test]
    fn section_5_korean_mess() {
        let (then, now) = HANGUGEO;
        are_the_same(Encoding::Unicode11Utf8, then, Encoding::Utf8, now);
        // Without the label it reads as CJK ideographs.
        let misread = converted(Encoding::Utf8, Encoding::Utf16Be, &bytes(then));
        assert_eq!(misread, Ok(bytes("3C A2 34 76 39 71")));
    }

    /// "UTF-8, UCS-2, UTF-16, UCS-4 and UTF-32": the example of section 7 in each.
    #[test]
    fn section_1_encoding_forms() {
        let utf8 = "41 E2 89 A2 CE 91 2E";
        are_the_same(Encoding::Utf8, utf8, Encoding::Ucs2Be, "00 41 22 62 03 91 00 2E");
        are_the_same(Encoding::Utf8, utf8, Encoding::Utf16Be, "00 41 22 62 03 91 00 2E");
        let four = "00 00 00 41 00 00 22 62 00 00 03 91 00 00 00 2E";
        are_the_same(Encoding::Utf8, utf8, Encoding::Ucs4Be, four);
        are_the_same(Encoding::Utf8, utf8, Encoding::Utf32Be, four);
    }

    /// "allows encoding character numbers up to U+7FFFFFFF, yielding sequences
    /// of up to 6 bytes"
    #[test]
    fn section_10_six_bytes() {
        let six = bytes("FD BF BF BF BF BF");
        assert_eq!(converted(Encoding::Utf8Rfc2279, Encoding::Ucs4Be, &six), Ok(bytes("7F FF FF FF")));
        assert!(converted(Encoding::Utf8, Encoding::Ucs4Be, &six).is_err());
        // Values above U+10FFFF exist in no other encoding.
        for to in [Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf32Be, Encoding::Ucs2Be] {
            let error = converted(Encoding::Utf8Rfc2279, to, &six).expect_err("it has no such value");
            assert_eq!((error.offset(), error.kind()), (0, ErrorKind::Unrepresentable), "{to}");
        }
    }
}

mod rfc2279 {
    use super::*;

    /// "The lexicographic sorting order of UCS-4 strings is preserved."
    #[test]
    fn section_1_sorting_order() {
        assert!(TABLE.is_sorted_by_key(|(ucs4, _)| bytes(ucs4)));
        assert!(TABLE.is_sorted_by_key(|(_, utf8)| bytes(utf8)));
        let mut values: Vec<u32> = (0..2000u32).map(|i| i.wrapping_mul(0x9E37_79B1) >> (1 + i % 25)).collect();
        values.retain(|value| !(0xD800..=0xDFFF).contains(value));
        values.sort_unstable();
        let octets: Vec<_> = values
            .iter()
            .map(|value| converted(Encoding::Ucs4Be, Encoding::Utf8Rfc2279, &value.to_be_bytes()).expect("31 bits"))
            .collect();
        assert!(octets.is_sorted());
    }

    /// "Round-trip conversion is easy between UTF-8 and either of UCS-4, UCS-2."
    #[test]
    fn section_1_round_trip() {
        let bmp: Vec<u8> = (0..=0xFFFFu16).filter(|unit| unit & 0xF800 != 0xD800).flat_map(u16::to_be_bytes).collect();
        let utf8 = converted(Encoding::Ucs2Be, Encoding::Utf8Rfc2279, &bmp).expect("no surrogates");
        assert_eq!(converted(Encoding::Utf8Rfc2279, Encoding::Ucs2Be, &utf8), Ok(bmp));
    }

    /// "using only octets with the high-order bit clear": UTF-7.
    #[test]
    fn section_1_utf7_is_mail_safe() {
        let text = "Hi Mom ☺! 日本語 \u{233B4}";
        let mail = converted(Encoding::Utf8, Encoding::Utf7, text.as_bytes()).expect("UTF-7 has everything");
        assert!(mail.is_ascii());
        assert_eq!(converted(Encoding::Utf7, Encoding::Utf8, &mail), Ok(text.as_bytes().to_vec()));
    }

    /// "UTF-1 has only historical interest"
    #[test]
    fn section_1_utf1() {
        let text = "A≢Α. 日本語 \u{233B4}";
        let old = converted(Encoding::Utf8, Encoding::Utf1, text.as_bytes()).expect("UTF-1 has everything");
        assert_ne!(old, text.as_bytes());
        assert_eq!(converted(Encoding::Utf1, Encoding::Utf8, &old), Ok(text.as_bytes().to_vec()));
    }

    #[test]
    fn section_2_table() {
        for (ucs4, utf8) in TABLE {
            are_the_same(Encoding::Ucs4Be, ucs4, Encoding::Utf8Rfc2279, utf8);
        }
    }

    /// "simply extending each UCS-2 character with two zero-valued octets"
    #[test]
    fn section_2_ucs2_by_ucs4() {
        for unit in [0x0000u16, 0x007F, 0x0080, 0x07FF, 0x0800, 0x2262, 0xD7FF, 0xE000, 0xFFFF] {
            let [high, low] = unit.to_be_bytes();
            let by_ucs2 = converted(Encoding::Ucs2Be, Encoding::Utf8Rfc2279, &[high, low]);
            let by_ucs4 = converted(Encoding::Ucs4Be, Encoding::Utf8Rfc2279, &[0, 0, high, low]);
            assert!(by_ucs2.is_ok());
            assert_eq!(by_ucs2, by_ucs4, "{unit:X}");
        }
    }

    /// "the UTF-16 transformation must be undone, yielding a UCS-4 character"
    #[test]
    fn section_2_utf16_is_undone() {
        are_the_same(Encoding::Utf16Be, "D8 4C DF B4", Encoding::Utf8Rfc2279, "F0 A3 8E B4");
        are_the_same(Encoding::Utf16Be, "D8 4C DF B4", Encoding::Ucs4Be, "00 02 33 B4");
        is_refused(Encoding::Utf8Rfc2279, "ED A1 8C ED BE B4", ErrorKind::Surrogate);
        is_refused(Encoding::Ucs2Be, "D8 4C DF B4", ErrorKind::Surrogate);
    }

    /// "If the UTF-8 sequence is no more than three octets long, decoding can
    /// proceed directly to UCS-2."
    #[test]
    fn section_2_three_octets_are_ucs2() {
        are_the_same(Encoding::Utf8Rfc2279, "7F DF BF EF BF BF", Encoding::Ucs2Be, "00 7F 07 FF FF FF");
        let error = converted(Encoding::Utf8Rfc2279, Encoding::Ucs2Be, &bytes("F0 90 80 80")).expect_err("four octets");
        assert_eq!(error.kind(), ErrorKind::Unrepresentable);
    }

    /// "the invalid UTF-8 sequence C0 80"
    #[test]
    fn section_2_c0_80() {
        is_refused(Encoding::Utf8Rfc2279, "C0 80", ErrorKind::Overlong);
    }

    /// "any previous data containing Hangul characters invalid under the new
    /// version"
    #[test]
    fn section_3_korean_mess() {
        // Today's syllables were unassigned.
        let error =
            converted(Encoding::Unicode11Utf8, Encoding::Utf8, &bytes(HANGUGEO.1)).expect_err("nothing was there");
        assert_eq!(error.offset(), 0);
    }

    #[test]
    fn section_4_examples() {
        for (utf8, ucs2) in [
            ("41 E2 89 A2 CE 91 2E", "00 41 22 62 03 91 00 2E"),
            ("ED 95 9C EA B5 AD EC 96 B4", "D5 5C AD 6D C5 B4"),
            ("E6 97 A5 E6 9C AC E8 AA 9E", "65 E5 67 2C 8A 9E"),
        ] {
            are_the_same(Encoding::Utf8Rfc2279, utf8, Encoding::Ucs2Be, ucs2);
        }
    }

    /// "UNICODE-1-1-UTF-8 ... for the exclusive purpose of labelling text data
    /// containing Hangul syllables encoded to UTF-8 without taking into account
    /// Amendment 5"
    #[test]
    fn section_5_unicode_1_1_utf_8() {
        assert_eq!(Encoding::for_label("UNICODE-1-1-UTF-8"), Some(Encoding::Unicode11Utf8));
        are_the_same(Encoding::Unicode11Utf8, HANGUGEO.0, Encoding::Utf8, HANGUGEO.1);
        // Text without Hangul is the same in both.
        let plain = "41 E2 89 A2 CE 91 2E E6 97 A5";
        are_the_same(Encoding::Unicode11Utf8, plain, Encoding::Utf8, plain);
    }

    #[test]
    fn section_6_illegal_sequences() {
        is_refused(Encoding::Utf8Rfc2279, "C0 80", ErrorKind::Overlong);
        let error = converted(Encoding::Utf8Rfc2279, Encoding::Ucs4Be, &bytes("2F C0 AE 2E 2F")).expect_err("overlong");
        assert_eq!((error.offset(), error.kind()), (1, ErrorKind::Overlong));
    }
}

mod rfc2044 {
    use super::*;

    #[test]
    fn section_1_fe_and_ff_never_appear() {
        for hex in ["FE", "FF", "FE 80 80 80 80 80"] {
            is_refused(Encoding::Utf8Rfc2044, hex, ErrorKind::InvalidByte);
        }
    }

    #[test]
    fn section_2_table() {
        for (ucs4, utf8) in TABLE {
            are_the_same(Encoding::Ucs4Be, ucs4, Encoding::Utf8Rfc2044, utf8);
        }
    }

    /// Decoding takes the bits as they are; encoding writes the shortest form.
    #[test]
    fn section_2_steps() {
        for (long, short) in [
            ("C0 80", "00"),
            ("2F C0 AE 2E 2F", "2F 2E 2E 2F"),
            ("E0 80 8A", "0A"),
            ("FC 80 80 80 80 8A", "0A"),
            ("F8 80 82 89 A2", "E2 89 A2"),
        ] {
            assert_eq!(
                converted(Encoding::Utf8Rfc2044, Encoding::Utf8Rfc2044, &bytes(long)),
                Ok(bytes(short)),
                "{long}"
            );
        }
    }

    /// "If the UTF-8 sequence is no more than three octets long, decoding can
    /// proceed directly to UCS-2"
    #[test]
    fn section_3_examples_in_ucs2() {
        for (utf8, ucs2) in [
            ("41 E2 89 A2 CE 91 2E", "00 41 22 62 03 91 00 2E"),
            ("48 69 20 4D 6F 6D 20 E2 98 BA 21", "00 48 00 69 00 20 00 4D 00 6F 00 6D 00 20 26 3A 00 21"),
            ("E6 97 A5 E6 9C AC E8 AA 9E", "65 E5 67 2C 8A 9E"),
        ] {
            are_the_same(Encoding::Utf8Rfc2044, utf8, Encoding::Ucs2Be, ucs2);
        }
    }
}

/// utf-8(7), by its headings.
mod utf_8_7 {
    use super::*;

    /// "Such strings can contain—as part of many 16-bit characters—bytes such as
    /// '\0' or '/'"
    #[test]
    fn description_bytes_with_a_meaning() {
        let wide = converted(Encoding::Utf8, Encoding::Ucs2Be, "\u{2F00}\u{100}".as_bytes()).expect("in the BMP");
        assert_eq!(wide, [b'/', 0, 1, 0]);
        let wider = converted(Encoding::Utf8, Encoding::Ucs4Be, "\u{2F00}".as_bytes()).expect("31 bits");
        assert_eq!(wider, [0, 0, b'/', 0]);
    }

    #[test]
    fn encoding_table() {
        for (ucs4, utf8) in TABLE {
            are_the_same(Encoding::Ucs4Be, ucs4, Encoding::Utf8Rfc2279, utf8);
        }
    }

    /// "0xd800–0xdfff (UTF-16 surrogates) as well as 0xfffe and 0xffff ... should not appear in
    /// conforming UTF-8 streams": neither decoded nor encoded.
    #[test]
    fn encoding_surrogates_fffe_ffff() {
        is_refused(Encoding::Utf8Kuhn, "ED A0 80", ErrorKind::Surrogate);
        for (utf8, ucs2) in [("EF BF BE", "FF FE"), ("EF BF BF", "FF FF")] {
            is_refused(Encoding::Utf8Kuhn, utf8, ErrorKind::Noncharacter);
            let error = converted(Encoding::Ucs2Be, Encoding::Utf8Kuhn, &bytes(ucs2)).expect_err("refused");
            assert_eq!(error.kind(), ErrorKind::Unrepresentable, "{ucs2}");
        }
        are_the_same(Encoding::Utf8Kuhn, "EF BF BD", Encoding::Ucs2Be, "FF FD");
    }

    #[test]
    fn examples() {
        are_the_same(Encoding::Utf8Kuhn, "C2 A9", Encoding::Ucs2Be, "00 A9");
        are_the_same(Encoding::Utf8Kuhn, "E2 89 A0", Encoding::Ucs4Be, "00 00 22 60");
    }

    /// "The official ESC sequence to switch from an ISO 2022 encoding scheme ...
    /// to UTF-8 is ESC % G. The corresponding return sequence ... is ESC % @."
    #[test]
    fn application_notes_iso_2022() {
        let src = b"a \x1B%G\xE2\x89\xA0 \xC2\xA9\x1B%@ z";
        assert_eq!(converted(Encoding::Iso2022Utf8, Encoding::Utf8, src), Ok("a ≠ © z".as_bytes().to_vec()));
        let back = converted(Encoding::Utf8, Encoding::Iso2022Utf8, "≠".as_bytes());
        assert_eq!(back, Ok(b"\x1B%G\xE2\x89\xA0\x1B%@".to_vec()));
        // Before the switch these bytes are two characters.
        let outside = converted(Encoding::Iso2022Utf8, Encoding::Utf16Be, b"\xC2\xA9\x1B%G\xC2\xA9");
        assert_eq!(outside, Ok(bytes("00 C2 00 A9 00 A9")));
    }

    /// "Other ISO 2022 sequences ... are not applicable in UTF-8 mode.": they do not switch.
    #[test]
    fn application_notes_other_sequences() {
        let src = b"\x1B%G\x1B(B\xC2\xA9";
        assert_eq!(converted(Encoding::Iso2022Utf8, Encoding::Utf8, src), Ok(b"\x1B(B\xC2\xA9".to_vec()));
    }

    /// "a program might check only for the ASCII version of "/" or ";" or NUL"
    #[test]
    fn security() {
        for hex in ["C0 AF", "E0 80 AF", "C0 BB", "E0 80 BB", "C0 80", "E0 80 80", "F0 80 80 AF"] {
            for encoding in [Encoding::Utf8, Encoding::Utf8Kuhn, Encoding::Utf8Rfc2279] {
                is_refused(encoding, hex, ErrorKind::Overlong);
            }
        }
    }
}

/// "What is UTF-8?" by Markus Kuhn, by paragraph.
mod what_is_utf_8 {
    use super::*;

    /// "An ASCII or Latin-1 file can be transformed into a UCS-2 file by simply
    /// inserting a 0x00 byte before every ASCII byte."
    #[test]
    fn ucs2_inserts_one_zero_byte() {
        let latin1: Vec<u8> = (0..=0xFF).collect();
        let inserted: Vec<u8> = latin1.iter().flat_map(|&byte| [0, byte]).collect();
        assert_eq!(converted(Encoding::Latin1, Encoding::Ucs2Be, &latin1).as_ref(), Ok(&inserted));
        assert_eq!(converted(Encoding::Ucs2Be, Encoding::Latin1, &inserted), Ok(latin1));
        let (ascii, inserted): (Vec<u8>, Vec<u8>) = ((0..=0x7F).collect(), inserted[..256].to_vec());
        assert_eq!(converted(Encoding::UsAscii, Encoding::Ucs2Be, &ascii), Ok(inserted));
    }

    /// "If we want to have a UCS-4 file, we have to insert three 0x00 bytes
    /// instead before every ASCII byte."
    #[test]
    fn ucs4_inserts_three_zero_bytes() {
        let latin1: Vec<u8> = (0..=0xFF).collect();
        let inserted: Vec<u8> = latin1.iter().flat_map(|&byte| [0, 0, 0, byte]).collect();
        assert_eq!(converted(Encoding::Latin1, Encoding::Ucs4Be, &latin1).as_ref(), Ok(&inserted));
        assert_eq!(converted(Encoding::Ucs4Be, Encoding::Latin1, &inserted), Ok(latin1));
    }

    /// "The sorting order of Bigendian UCS-4 byte strings is preserved."
    #[test]
    fn properties_sorting_order() {
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for (first, _) in TABLE {
            texts.push(bytes(first));
            for (second, _) in TABLE {
                texts.push([bytes(first), bytes(second)].concat());
            }
        }
        texts.sort();
        let utf8: Vec<_> = texts
            .iter()
            .map(|ucs4| converted(Encoding::Ucs4Be, Encoding::Utf8Rfc2279, ucs4).expect("31 bits"))
            .collect();
        assert!(utf8.is_sorted());
    }

    /// "All possible 2^31 UCS codes can be encoded.", in a sample of equal steps.
    #[test]
    fn properties_all_codes() {
        let codes: Vec<u32> =
            (0..0x8000_0000u32).step_by(65_521).filter(|value| !(0xD800..=0xDFFF).contains(value)).collect();
        let ucs4: Vec<u8> = codes.iter().flat_map(|value| value.to_be_bytes()).collect();
        let utf8 = converted(Encoding::Ucs4Be, Encoding::Utf8Rfc2279, &ucs4).expect("31 bits");
        assert_eq!(converted(Encoding::Utf8Rfc2279, Encoding::Ucs4Be, &utf8), Ok(ucs4));
    }

    #[test]
    fn byte_sequences() {
        for (ucs4, utf8) in TABLE {
            are_the_same(Encoding::Ucs4Be, ucs4, Encoding::Utf8Rfc2279, utf8);
        }
    }

    /// The five overlong forms of U+000A, which only RFC 2044's algorithm decodes.
    #[test]
    fn five_overlong_forms_of_line_feed() {
        for hex in ["C0 8A", "E0 80 8A", "F0 80 80 8A", "F8 80 80 80 8A", "FC 80 80 80 80 8A"] {
            is_refused(Encoding::Utf8Rfc2279, hex, ErrorKind::Overlong);
            assert!(converted(Encoding::Utf8Kuhn, Encoding::Ucs4Be, &bytes(hex)).is_err(), "{hex}");
            assert!(converted(Encoding::Utf8, Encoding::Ucs4Be, &bytes(hex)).is_err(), "{hex}");
            let read = converted(Encoding::Utf8Rfc2044, Encoding::Ucs4Be, &bytes(hex));
            assert_eq!(read, Ok(bytes("00 00 00 0A")), "{hex}");
        }
    }

    /// "must not occur in normal UTF-8 or UCS-4 data": surrogates.
    #[test]
    fn surrogates_in_ucs4() {
        for hex in ["00 00 D8 00", "00 00 DF FF"] {
            is_refused(Encoding::Ucs4Be, hex, ErrorKind::Surrogate);
        }
        is_refused(Encoding::Utf8Kuhn, "ED A0 80", ErrorKind::Surrogate);
    }
}
