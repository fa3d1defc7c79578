//! UTF-16 and UTF-32 as bytes in a stated order.

use utfkit::{Encoding, Error, be, le};
use utfkit_testkit::plan::plan;
use utfkit_testkit::scheme::Scheme;

use super::samples;
use crate::common::check::answer;
use crate::common::every_isa::for_each_isa;

type Convert = fn(&[u8], &mut [u8]) -> Result<usize, Error>;

/// Name, function, source, target, whether it replaces.
type Case = (&'static str, Convert, Scheme, Scheme, bool);

macro_rules! rows {
    ($order:ident, $utf16:ident, $utf32:ident) => {
        [
            ("utf8_to_utf16", $order::utf8_to_utf16, Scheme::Utf8, Scheme::$utf16, false),
            ("utf16_to_utf8", $order::utf16_to_utf8, Scheme::$utf16, Scheme::Utf8, false),
            ("utf8_to_utf32", $order::utf8_to_utf32, Scheme::Utf8, Scheme::$utf32, false),
            ("utf32_to_utf8", $order::utf32_to_utf8, Scheme::$utf32, Scheme::Utf8, false),
            ("utf16_to_utf32", $order::utf16_to_utf32, Scheme::$utf16, Scheme::$utf32, false),
            ("utf32_to_utf16", $order::utf32_to_utf16, Scheme::$utf32, Scheme::$utf16, false),
            ("latin1_to_utf16", $order::latin1_to_utf16, Scheme::Latin1, Scheme::$utf16, false),
            ("utf16_to_latin1", $order::utf16_to_latin1, Scheme::$utf16, Scheme::Latin1, false),
            ("latin1_to_utf32", $order::latin1_to_utf32, Scheme::Latin1, Scheme::$utf32, false),
            ("utf32_to_latin1", $order::utf32_to_latin1, Scheme::$utf32, Scheme::Latin1, false),
            ("utf8_to_utf16_lossy", $order::utf8_to_utf16_lossy, Scheme::Utf8, Scheme::$utf16, true),
            ("utf16_to_utf8_lossy", $order::utf16_to_utf8_lossy, Scheme::$utf16, Scheme::Utf8, true),
        ]
    };
}

const LITTLE: [Case; 12] = rows!(le, Utf16Le, Utf32Le);
const BIG: [Case; 12] = rows!(be, Utf16Be, Utf32Be);

/// `bytes` read as UTF-8, in `scheme`, with an odd byte or a surrogate now and
/// then.
fn in_scheme(bytes: &[u8], scheme: Scheme) -> Vec<u8> {
    if matches!(scheme, Scheme::Utf8 | Scheme::Latin1) {
        return bytes.to_vec();
    }
    let mut out = Vec::new();
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| assert!(scheme.encode(c.into(), &mut out)));
        // What is ill-formed in UTF-8 becomes units that may be so too.
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
        for (name, convert, from, to, lossy) in LITTLE.into_iter().chain(BIG) {
            for (i, sample) in samples.iter().enumerate() {
                let src = in_scheme(sample, from);
                let plan = plan(&from.pieces(&src), lossy, |value, out| to.encode(value, out));
                let whole = plan.output.len();
                let some = [0, 1, 2, 3, 4, 5, 6, 7, whole / 2, whole.saturating_sub(1), whole, whole + 9];
                for capacity in some {
                    let mut dst = vec![0xA5; capacity];
                    let got = answer(convert(&src, &mut dst));
                    let expected = plan.answer(capacity);
                    assert_eq!(got, expected, "{isa} {name} {from:?} {to:?} {i}, {capacity} bytes: {src:02X?}");
                    assert_eq!(dst[..got.written()], plan.output[..got.written()], "{isa} {name} {i} {capacity}");
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
            type Validate = fn(&[u8]) -> Result<(), Error>;
            let rows: [(Scheme, Validate); 4] = [
                (Scheme::Utf16Le, le::validate_utf16),
                (Scheme::Utf16Be, be::validate_utf16),
                (Scheme::Utf32Le, le::validate_utf32),
                (Scheme::Utf32Be, be::validate_utf32),
            ];
            for (scheme, validate) in rows {
                let src = in_scheme(sample, scheme);
                let expected = plan(&scheme.pieces(&src), false, unit).answer(0);
                assert_eq!(answer(validate(&src).map(|()| 0)), expected, "{isa} {scheme:?} {src:02X?}");
            }
            type Measure = fn(&[u8]) -> usize;
            let rows: [(Scheme, Measure, Measure); 2] = [
                (Scheme::Utf16Le, le::utf8_len_from_utf16, le::count_utf16),
                (Scheme::Utf16Be, be::utf8_len_from_utf16, be::count_utf16),
            ];
            for (scheme, len, count) in rows {
                let src = in_scheme(sample, scheme);
                let pieces = scheme.pieces(&src);
                let plan = plan(&pieces, true, |value, out| Scheme::Utf8.encode(value, out));
                assert_eq!(len(&src), plan.output.len(), "{isa} {scheme:?} {src:02X?}");
                assert_eq!(count(&src), pieces.len(), "{isa} {scheme:?} {src:02X?}");
            }
        }
    });
}

#[test]
fn strings_of_either_order() {
    for sample in samples() {
        let text = String::from_utf8_lossy(&sample);
        assert_eq!(le::utf16_to_string(&le::str_to_utf16(&text)).as_deref(), Ok(&*text));
        assert_eq!(be::utf16_to_string(&be::str_to_utf16(&text)).as_deref(), Ok(&*text));
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(le::str_to_utf16(&text), units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>());
        assert_eq!(be::str_to_utf16(&text), units.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>());
    }
    assert_eq!(le::utf16_to_string_lossy(b"a\0\0\xD8b\0"), "a\u{FFFD}b");
    assert_eq!(be::utf16_to_string_lossy(b"\0a\xD8"), "a\u{FFFD}");
    assert_eq!(le::utf16_to_string(b"a\0\0\xD8").unwrap_err().offset(), 2);
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
