//! UTF-16 and UTF-32 as bytes in a stated order.

use utfkit::Encoding;
use utfkit_testkit::plan::plan;
use utfkit_testkit::scheme::Scheme;

use super::samples;
use crate::common::check::answer;
use crate::common::every_isa::for_each_isa;

/// The encodings of each byte order and those that have none, with their references.
const FORMS: [[(Encoding, Scheme); 4]; 2] = [
    [
        (Encoding::Utf8, Scheme::Utf8),
        (Encoding::Latin1, Scheme::Latin1),
        (Encoding::Utf16Le, Scheme::Utf16Le),
        (Encoding::Utf32Le, Scheme::Utf32Le),
    ],
    [
        (Encoding::Utf8, Scheme::Utf8),
        (Encoding::Latin1, Scheme::Latin1),
        (Encoding::Utf16Be, Scheme::Utf16Be),
        (Encoding::Utf32Be, Scheme::Utf32Be),
    ],
];

/// Decodes `bytes` as UTF-8 and encodes them in `scheme`, with odd bytes and surrogates here and
/// there.
fn in_scheme(bytes: &[u8], scheme: Scheme) -> Vec<u8> {
    if matches!(scheme, Scheme::Utf8 | Scheme::Latin1) {
        return bytes.to_vec();
    }
    let mut out = Vec::new();
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| assert!(scheme.encode(c.into(), &mut out)));
        // Ill-formed UTF-8 becomes units that may be ill-formed.
        match chunk.invalid() {
            [] => {}
            [0xE0..=0xFF, ..] => out.extend([0xD8; 2]),
            [0xC0..=0xDF, ..] => out.extend([0xDC; 4]),
            [0xA0..=0xBF, ..] if bytes.len().is_multiple_of(3) => out.push(0xD8),
            _ => out.extend([0xD8, 0, 0, 0xD8]),
        }
    }
    out
}

#[test]
fn conversions_are_those_of_the_reference_in_any_capacity() {
    let samples = samples();
    for_each_isa(|isa| {
        let pairs = FORMS.iter().flat_map(|forms| forms.iter().flat_map(|from| forms.iter().map(move |to| (from, to))));
        for ((&(from, source), &(to, target)), lossy) in pairs.flat_map(|pair| [(pair, false), (pair, true)]) {
            // ISO-8859-1 replaces by `?`, which the plan does not model.
            if lossy && to == Encoding::Latin1 {
                continue;
            }
            for (i, sample) in samples.iter().enumerate() {
                let src = in_scheme(sample, source);
                let plan = plan(&source.pieces(&src), lossy, |value, out| target.encode(value, out));
                let whole = plan.output.len();
                let some = [0, 1, 2, 3, 4, 5, 6, 7, whole / 2, whole.saturating_sub(1), whole, whole + 9];
                for capacity in some {
                    let mut dst = vec![0xA5; capacity];
                    let got = answer(match lossy {
                        true => from.convert_lossy(to, &src, &mut dst),
                        false => from.convert(to, &src, &mut dst),
                    });
                    let expected = plan.answer(capacity);
                    assert_eq!(got, expected, "{isa} {from} {to} {lossy} {i}, {capacity} bytes: {src:02X?}");
                    assert_eq!(dst[..got.written()], plan.output[..got.written()], "{isa} {from} {to} {i} {capacity}");
                }
            }
        }
    });
}

#[test]
fn validation_and_lengths_are_those_of_the_reference() {
    let long = "a€🎉".repeat(1500);
    let mut samples = samples();
    samples.push(long.as_bytes().to_vec());
    samples.push([long.as_bytes(), b"\xE0", long.as_bytes()].concat());
    samples.push([&long.as_bytes()[3..], b"a"].concat());
    let unit = |value, _: &mut Vec<u8>| value <= 0x10_FFFF;
    for_each_isa(|isa| {
        for sample in &samples {
            for &(encoding, scheme) in FORMS.iter().flatten() {
                let src = in_scheme(sample, scheme);
                let expected = plan(&scheme.pieces(&src), false, unit).answer(0);
                assert_eq!(answer(encoding.validate(&src).map(|()| 0)), expected, "{isa} {encoding} {src:02X?}");
            }
            for &(encoding, scheme) in FORMS.iter().flatten() {
                let src = in_scheme(sample, scheme);
                let pieces = scheme.pieces(&src);
                let plan = plan(&pieces, true, |value, out| Scheme::Utf8.encode(value, out));
                assert_eq!(encoding.utf8_len(&src), plan.output.len(), "{isa} {encoding} {src:02X?}");
                assert_eq!(encoding.count_code_points(&src), pieces.len(), "{isa} {encoding} {src:02X?}");
            }
        }
    });
}

#[test]
fn strings_of_either_order() {
    for sample in samples() {
        let text = String::from_utf8_lossy(&sample);
        for (encoding, bytes) in [
            (Encoding::Utf16Le, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
            (Encoding::Utf16Be, text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ] {
            assert_eq!(encoding.encode(&text).0, bytes);
            assert_eq!(encoding.decode_strict(&bytes).as_deref(), Ok(&*text));
        }
    }
    assert_eq!(Encoding::Utf16Le.decode_without_bom_handling(b"a\0\0\xD8b\0").0, "a\u{FFFD}b");
    assert_eq!(Encoding::Utf16Be.decode_without_bom_handling(b"\0a\xD8").0, "a\u{FFFD}");
    assert_eq!(Encoding::Utf16Le.decode_strict(b"a\0\0\xD8").unwrap_err().offset(), 2);
}

#[test]
fn forms_that_bytes_can_be() {
    let forms = [
        (Encoding::Utf8, Scheme::Utf8),
        (Encoding::Utf16Le, Scheme::Utf16Le),
        (Encoding::Utf16Be, Scheme::Utf16Be),
        (Encoding::Utf32Le, Scheme::Utf32Le),
        (Encoding::Utf32Be, Scheme::Utf32Be),
    ];
    for sample in samples() {
        for (_, scheme) in forms {
            let src = in_scheme(&sample, scheme);
            let with_bom = [&b"\xFF\xFE\0\0"[..], b"\0\0\xFE\xFF", b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
            if with_bom.iter().any(|bom| src.starts_with(bom)) {
                continue;
            }
            let can_be = |scheme: Scheme| scheme.pieces(&src).iter().all(|piece| piece.error().is_none());
            let expected = forms.into_iter().filter(|&(_, scheme)| can_be(scheme)).map(|(encoding, _)| encoding);
            assert!(utfkit::detect_encodings(&src).eq(expected), "{src:02X?}");
        }
    }
    assert!(utfkit::detect_encodings(b"\xFF\xFE\0\0a\0\0\0").eq([Encoding::Utf32Le]));
    assert!(utfkit::detect_encodings(b"\xEF\xBB\xBF\xFF").eq([Encoding::Utf8]));
}
