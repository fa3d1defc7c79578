//! The pieces of a stream: characters, switches and errors.

use utfkit::diagnose::*;
use utfkit::*;

/// All pieces of `src`, fed as few bytes at a time as possible.
fn pieces(mut pieces: Pieces, src: &[u8]) -> Vec<(usize, Piece)> {
    let (mut all, mut at, mut len) = (Vec::new(), 0, 0);
    loop {
        let end = src.len().min(at + len);
        match pieces.read(&src[at..end], end == src.len()) {
            Some(piece) => {
                assert!(src[at..].starts_with(piece.bytes()) && !piece.bytes().is_empty());
                all.push((at, piece));
                at += piece.bytes().len();
                len = 0;
            }
            None if end == src.len() => {
                assert_eq!(at, src.len());
                return all;
            }
            None => {
                assert!(len < Pieces::LOOK_AHEAD, "{at} of {src:02X?}");
                len += 1;
            }
        }
    }
}

fn of(encoding: Encoding, src: &[u8]) -> Vec<(usize, Piece)> {
    pieces(Pieces::new(encoding, Standard::Rfc3629), src)
}

/// Random bytes, most with a meaning in some encoding.
fn noise(state: &mut u32, len: usize) -> Vec<u8> {
    const BYTES: &[u8; 32] =
        b"+-&A\x80\xBF\xE2\x82\xAC\xED\xA0\xB0\xED\x9F\xF0\x9F\xF4\x90\xF8\xFD\xC0\xC3\xD8\xDC\0\0\x1B%G@$B";
    let mut next = || {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        BYTES[(*state >> 27) as usize]
    };
    (0..len).map(|_| next()).collect()
}

#[test]
fn errors_are_the_findings_of_a_check() {
    let mut state = 1;
    for &encoding in Encoding::ALL {
        for len in (0..200).chain([1000]) {
            let src = noise(&mut state, len);
            let mut found = Vec::new();
            let mut push = |f: &Finding| found.push((f.offset() as usize, f.diagnosis().to_string()));
            let mut checker = Checker::new(encoding, Standard::Rfc3629);
            checker.feed(&src, &mut push);
            checker.finish(&mut push);
            let all = of(encoding, &src);
            let errors: Vec<(usize, String)> = all
                .iter()
                .filter_map(|(at, piece)| match piece.content() {
                    Content::IllFormed(diagnosis) => Some((*at, diagnosis.to_string())),
                    _ => None,
                })
                .collect();
            assert_eq!(errors, found, "{encoding} {src:02X?}");
            let values = all.iter().filter(|(_, piece)| matches!(piece.content(), Content::CodePoint(_))).count();
            assert_eq!(values as u64, checker.totals().code_points());
        }
    }
}

#[test]
fn a_few_bytes_back_are_enough() {
    let mut state = 7;
    let mut tried = 0;
    for &encoding in Encoding::ALL {
        let Some(back) = Pieces::new(encoding, Standard::Rfc3629).look_back() else { continue };
        tried += 1;
        for _ in 0..50 {
            let src = noise(&mut state, 64);
            let all = of(encoding, &src);
            for at in (0..=src.len()).step_by(encoding.unit_size()) {
                let start = at.saturating_sub(back);
                let mut later = Pieces::new(encoding, Standard::Rfc3629);
                later.settle(&src[..4]);
                if start == 0 {
                    later = Pieces::new(encoding, Standard::Rfc3629);
                }
                let reached: Vec<_> = pieces(later, &src[start..])
                    .into_iter()
                    .map(|(offset, piece)| (start + offset, piece))
                    .filter(|(offset, piece)| offset + piece.bytes().len() > at)
                    .collect();
                let true_ones: Vec<_> =
                    all.iter().filter(|(offset, piece)| offset + piece.bytes().len() > at).copied().collect();
                assert_eq!(reached, true_ones, "{encoding} from {at} of {src:02X?}");
            }
        }
    }
    assert!(tried > 20);
    for encoding in [Encoding::Utf7, Encoding::Utf1, Encoding::Iso2022Utf8] {
        assert_eq!(Pieces::new(encoding, Standard::Rfc3629).look_back(), None);
    }
}

fn split(encoding: Encoding, standard: Standard, src: &[u8]) -> String {
    let piece = Pieces::new(encoding, standard).read(src, true).unwrap();
    let Some(headers) = piece.header_bits() else { return "none".into() };
    let bytes = piece.bytes().iter().zip(headers).map(|(byte, &header)| {
        let bits = format!("{byte:08b}");
        format!("{}|{}", &bits[..header.into()], &bits[header.into()..])
    });
    bytes.collect::<Vec<_>>().join(" ")
}

#[test]
fn headers_are_told_from_payload() {
    let utf8 = |src| split(Encoding::Utf8, Standard::Rfc3629, src);
    assert_eq!(utf8(b"G"), "0|1000111");
    assert_eq!(utf8("é".as_bytes()), "110|00011 10|101001");
    assert_eq!(utf8("€".as_bytes()), "1110|0010 10|000010 10|101100");
    assert_eq!(utf8("😀".as_bytes()), "11110|000 10|011111 10|011000 10|000000");
    assert_eq!(utf8(b"\xC0\xAF"), "110|00000 10|101111");
    assert_eq!(utf8(b"\xED\xA0\xBDx"), "1110|1101 10|100000 10|111101");
    assert_eq!(utf8(b"\x80"), "10|000000");
    assert_eq!(
        (utf8(b"\xFE"), utf8(b"\xFF"), utf8(b"\xFC")),
        ("11111110|".into(), "11111111|".into(), "1111110|0".into())
    );
    let six = b"\xFD\xBF\xBF\xBF\xBF\xBF";
    assert_eq!(
        split(Encoding::Utf8, Standard::Rfc2279, six),
        "1111110|1 10|111111 10|111111 10|111111 10|111111 10|111111"
    );
    let of = |encoding, src| split(encoding, Standard::Rfc3629, src);
    assert_eq!(of(Encoding::Utf16Be, b"\xD8\x3D\xDE\x00"), "110110|00 |00111101 110111|10 |00000000");
    assert_eq!(of(Encoding::Utf16Le, b"\x3D\xD8\x00\xDE"), "|00111101 110110|00 |00000000 110111|10");
    assert_eq!(of(Encoding::Utf16, b"\xFF\xFE"), "|11111111 |11111110");
    assert_eq!(of(Encoding::Utf16Le, b"G\0"), "|01000111 |00000000");
    assert_eq!(
        of(Encoding::Cesu8, b"\xED\xA0\xBD\xED\xB8\x80"),
        "11101101| 1010|0000 10|111101 11101101| 1011|1000 10|000000"
    );
    assert_eq!(of(Encoding::Mutf8, b"\xC0\x80"), "110|00000 10|000000");
    assert_eq!(of(Encoding::UsAscii, b"\xE9"), "1|1101001");
    assert_eq!(of(Encoding::Latin1, b"\xE9"), "|11101001");
    for encoding in [Encoding::Utf7, Encoding::Ibm437, Encoding::Utf1, Encoding::Iso2022Utf8] {
        assert_eq!(of(encoding, b"A"), "none", "{encoding}");
    }
}

#[test]
fn what_is_no_text_is_shown_too() {
    let contents = |encoding, src| of(encoding, src).into_iter().map(|(_, piece)| piece.content()).collect::<Vec<_>>();
    assert_eq!(contents(Encoding::Utf16, b"\xFE\xFF\0a"), [Content::Bom(Encoding::Utf16Be), Content::CodePoint(0x61)]);
    assert_eq!(contents(Encoding::Utf16, b"\0a"), [Content::CodePoint(0x61)]);
    assert_eq!(
        contents(Encoding::Utf7, b"+AOk-."),
        [Content::StateChange, Content::CodePoint(0xE9), Content::StateChange, Content::CodePoint(0x2E)]
    );
    assert_eq!(contents(Encoding::Iso2022Utf8, b"\x1B%G"), [Content::StateChange]);
    assert!(contents(Encoding::Utf16, b"").is_empty());
}
