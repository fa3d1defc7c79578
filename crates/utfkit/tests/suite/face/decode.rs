//! One-shot decoding and encoding, compared with the testkit, and with encoding_rs where it has
//! the encoding.

use std::borrow::Cow;

use utfkit::Encoding;
use utfkit_testkit::scheme::Scheme;
use utfkit_testkit::transcription::{Treatment, transcribe};

use super::samples;
use crate::common::every_isa::for_each_isa;
#[cfg(feature = "legacy")]
use crate::common::shards::in_share;
use crate::common::transcoding::SCHEMES;

#[test]
fn every_encoding_decodes_as_the_reference() {
    let samples = samples();
    for_each_isa(|isa| {
        for &(encoding, scheme) in SCHEMES.iter() {
            for sample in samples.iter().filter(|sample| sample.len() < 300) {
                for src in [sample.clone(), transcribe(Scheme::Utf8, scheme, Treatment::Skip, sample).output] {
                    let expected = transcribe(scheme, Scheme::Utf8, Treatment::ReplaceSubparts, &src);
                    let (text, had_errors) = encoding.decode_without_bom_handling(&src);
                    let context = format!("{isa} {encoding} {src:02X?}");
                    assert_eq!(text.as_bytes(), expected.output, "{context}");
                    assert_eq!(had_errors, expected.had_errors, "{context}");
                    let strict = encoding.decode_strict(&src);
                    assert_eq!(strict.ok(), (!had_errors).then_some(text), "{context}");
                    let first = scheme.pieces(&src).into_iter().find(|piece| piece.error().is_some());
                    let found = encoding.validate(&src).err();
                    assert_eq!(found.map(|e| (e.offset(), e.len())), first.map(|e| (e.offset, e.len)), "{context}");
                    assert_eq!(encoding.utf8_len(&src), expected.output.len(), "{context}");
                }
            }
        }
    });
}

#[test]
fn every_encoding_writes_references_for_what_it_lacks() {
    for &(encoding, scheme) in SCHEMES.iter() {
        // With states, the bytes of a character depend on the one before.
        if scheme.has_states() {
            continue;
        }
        for sample in samples() {
            let text = String::from_utf8_lossy(&sample);
            let (mut expected, mut lacking) = (Vec::new(), false);
            if !text.is_empty() {
                expected.extend(scheme.bom());
            }
            for c in text.chars() {
                if !scheme.encode(c.into(), &mut expected) {
                    lacking = true;
                    let reference = format!("&#{};", u32::from(c));
                    assert!(reference.chars().all(|c| scheme.encode(c.into(), &mut expected)));
                }
            }
            let (bytes, lacked) = encoding.encode(&text);
            assert_eq!((&bytes[..], lacked), (&expected[..], lacking), "{encoding} {text:?}");
        }
    }
}

#[test]
fn encodings_with_states_read_back_what_they_write() {
    for encoding in [Encoding::Utf7, Encoding::Utf7Optional, Encoding::Wtf8, Encoding::Iso2022Utf8] {
        for sample in samples() {
            let text = String::from_utf8_lossy(&sample).replace('\u{1B}', "");
            let (bytes, lacked) = encoding.encode(&text);
            assert!(!lacked, "{encoding} {text:?}");
            assert_eq!(encoding.decode_without_bom_handling(&bytes), (Cow::Borrowed(&*text), false), "{encoding}");
        }
    }
}

#[test]
fn us_ascii_is_borrowed_where_it_is_the_text() {
    for &encoding in Encoding::ALL {
        let (text, bytes) = (encoding.decode(b"plain text").0, encoding.encode("plain text").0);
        let is_same = |c: char| *encoding.encode(c.encode_utf8(&mut [0; 4])).0 == [c as u8];
        let by_value = matches!(encoding, Encoding::Iso2022Utf8 | Encoding::Wtf8);
        let expected = ('\0'..='\x7F').all(is_same) && !by_value;
        assert_eq!(matches!(text, Cow::Borrowed(_)), expected, "{encoding}");
        assert_eq!(matches!(bytes, Cow::Borrowed(_)), expected, "{encoding}");
    }
}

#[test]
fn boms_are_taken_as_the_encoding_standard_says() {
    let boms =
        [(&b"\xEF\xBB\xBF"[..], Encoding::Utf8), (b"\xFF\xFE", Encoding::Utf16Le), (b"\xFE\xFF", Encoding::Utf16Be)];
    for (bom, named) in boms {
        assert_eq!(Encoding::for_bom(bom), Some((named, bom.len())));
        assert_eq!(Encoding::for_bom(&bom[..bom.len() - 1]), None);
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Latin1, Encoding::Utf32Be] {
            let bytes = [bom, &named.encode("aé").0].concat();
            assert_eq!(encoding.decode(&bytes), (Cow::Borrowed("aé"), false), "{encoding} {named}");
        }
        let bytes = [bom, bom, &named.encode("a").0].concat();
        assert_eq!(named.decode(&bytes).0, "\u{FEFF}a");
        assert_eq!(named.decode_with_bom_removal(&bytes).0, "\u{FEFF}a");
        assert_eq!(named.decode_without_bom_handling(&bytes).0, "\u{FEFF}\u{FEFF}a");
    }
    assert_eq!(Encoding::for_bom(b"\xFF\xFE\0\0"), Some((Encoding::Utf16Le, 2)));
    assert_eq!(Encoding::Utf8.decode(b"\xFF\xFE\0\0").0, "\0");
    assert_eq!(Encoding::Utf32Le.decode_with_bom_removal(b"\xFF\xFE\0\0a\0\0\0").0, "a");
}

#[cfg(feature = "legacy")]
#[test]
fn legacy_encodings_decode_as_encoding_rs() {
    let of_name = |name: &str| encoding_rs::Encoding::for_label(name.as_bytes());
    for &encoding in Encoding::ALL {
        let is_unicode = matches!(encoding, Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be);
        if !is_unicode && !matches!(encoding, Encoding::Legacy(_)) {
            continue;
        }
        // Only encodings of the Encoding Standard.
        let Some(theirs) = of_name(encoding.name()).filter(|theirs| theirs.name() == encoding.name()) else {
            continue;
        };
        for (i, sample) in in_share(samples().iter().enumerate()) {
            // Only some cases begin with a BOM.
            let boms = [&b""[..], b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
            for bom in &boms[..if i % 16 == 0 { 4 } else { 1 }] {
                let src = [bom, &sample[..]].concat();
                let (text, _, had_errors) = theirs.decode(&src);
                assert_eq!(encoding.decode(&src), (text, had_errors), "{encoding} {src:02X?}");
                let expected = theirs.decode_with_bom_removal(&src);
                assert_eq!(encoding.decode_with_bom_removal(&src), expected, "{encoding} {src:02X?}");
                let expected = theirs.decode_without_bom_handling(&src);
                assert_eq!(encoding.decode_without_bom_handling(&src), expected, "{encoding} {src:02X?}");
                let expected = theirs.decode_without_bom_handling_and_without_replacement(&src);
                let got = encoding.decode_strict(&src).ok();
                assert_eq!(got, expected, "{encoding} {src:02X?}");
            }
        }
    }
}
