//! Byte order marks.

use utfkit::bom::*;

const POLICIES: [BomPolicy; 3] = [BomPolicy::AlwaysUtf8, BomPolicy::Labelled, BomPolicy::Unlabelled];

#[test]
fn each_is_found_by_its_own_bytes_alone_and_before_text() {
    for &bom in Bom::ALL {
        let mut text = [0x41; 9];
        text[..bom.len()].copy_from_slice(bom.bytes());
        assert_eq!(Bom::of(&text), Some(bom));
        assert_eq!(Bom::of(bom.bytes()), Some(bom));
        assert_eq!(BomPolicy::Unlabelled.split(&text), (Some(bom), &text[bom.len()..]));
        assert!((2..=Bom::LONGEST).contains(&bom.len()));
    }
}

#[test]
fn fewer_bytes_are_none() {
    for &bom in Bom::ALL {
        // Four of UTF-7's five bytes identify it; UTF-32LE's BOM begins with UTF-16LE's.
        let least = if bom == Bom::Utf7 { 4 } else { bom.len() };
        for len in 0..least {
            let expected = (bom == Bom::Utf32Le && len >= 2).then_some(Bom::Utf16Le);
            assert_eq!(Bom::of(&bom.bytes()[..len]), expected, "{bom} {len}");
        }
    }
}

#[test]
fn no_more_than_five_bytes_count() {
    let mut state = 1_u32;
    for _ in 0..100_000 {
        let mut bytes = [0; 12];
        for byte in &mut bytes {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = b"+/v89-\xFF\xFE\0\xEF\xBB\xBF\xF7\x64\x4C\x0E"[(state >> 28) as usize];
        }
        let few = &bytes[..Bom::LONGEST];
        assert_eq!(Bom::of(&bytes), Bom::of(few));
        let (all, short) = (BomPolicy::Unlabelled.split(&bytes), BomPolicy::Unlabelled.split(few));
        assert_eq!(bytes.len() - all.1.len(), few.len() - short.1.len(), "{bytes:02X?}");
    }
}

#[test]
fn utf_7_is_cut_where_its_base64_ends() {
    let rest = |text: &'static [u8]| {
        let (bom, rest) = BomPolicy::Unlabelled.split(text);
        assert_eq!(bom, Some(Bom::Utf7));
        rest
    };
    assert_eq!(rest(b"+/v8-a"), b"a");
    assert_eq!(rest(b"+/v8--"), b"-");
    assert_eq!(rest(b"+/v8 a"), b" a");
    assert_eq!(rest(b"+/v8"), b"");
    for whole in [&b"+/v8AGE-"[..], b"+/v9", b"+/v9 ", b"+/v+-", b"+/v//"] {
        assert_eq!(rest(whole), whole);
    }
    assert_eq!(Bom::of(b"+/v"), None);
    assert_eq!(Bom::of(b"+/v7-"), None);
}

#[test]
fn a_ban_makes_it_a_character() {
    for policy in POLICIES {
        for &bom in Bom::ALL {
            for text in [bom.bytes(), b"text", b""] {
                let (found, rest) = policy.split(text);
                assert_eq!(found.is_none(), policy.forbids() || Bom::of(text).is_none());
                assert_eq!(text.len() - rest.len(), found.map_or(0, Bom::len));
                for treatment in [BomTreatment::Keep, BomTreatment::Strip, BomTreatment::Add] {
                    let (front, rest) = policy.apply(treatment, bom, text);
                    let has_one = text == bom.bytes();
                    let expected: (&[u8], &[u8]) = match treatment {
                        _ if policy.forbids() => (b"", text),
                        BomTreatment::Strip if has_one => (b"", b""),
                        BomTreatment::Add if !has_one => (bom.bytes(), text),
                        _ => (b"", text),
                    };
                    assert_eq!((front, rest), expected);
                }
            }
        }
    }
}

#[test]
fn the_stated_encoding_settles_the_ambiguity() {
    let text = [0xFF, 0xFE, 0, 0, b'a', 0];
    let strip = |bom| BomPolicy::Unlabelled.apply(BomTreatment::Strip, bom, &text).1.len();
    assert_eq!((strip(Bom::Utf16Le), strip(Bom::Utf32Le)), (4, 2));
}
