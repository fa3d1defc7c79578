//! What a finding and the totals of a check answer, one question at a time.

use utfkit::diagnose::{Checker, Diagnosis, Finding, Locator};
use utfkit::{Encoding, ErrorKind, Policy, Standard, Status, Transcoder};

fn of(src: &[u8]) -> Diagnosis {
    Diagnosis::of(src, Encoding::Utf8, Standard::Rfc3629).unwrap()
}

fn check(encoding: Encoding, src: &[u8]) -> (Vec<Finding>, Checker) {
    let mut found = Vec::new();
    let mut checker = Checker::new(encoding, Standard::Rfc3629);
    checker.feed(src, |finding| found.push(*finding));
    checker.finish(|finding| found.push(*finding));
    (found, checker)
}

#[test]
fn a_code_point_is_what_the_bits_spell_up_to_10ffff() {
    for (src, kind, code_point) in [
        (&b"\xC0\xAF"[..], ErrorKind::Overlong, Some(0x2F)),
        (b"\xE0\x80\x80", ErrorKind::Overlong, Some(0)),
        (b"\xED\xBF\xBF", ErrorKind::Surrogate, Some(0xDFFF)),
        // Five octets for the last code point, and for the value behind it.
        (b"\xF8\x84\x8F\xBF\xBF", ErrorKind::TooLarge, Some(0x10_FFFF)),
        (b"\xF8\x84\x90\x80\x80", ErrorKind::TooLarge, None),
        (b"\xF4\x90\x80\x80", ErrorKind::TooLarge, None),
        (b"\xFD\xBF\xBF\xBF\xBF\xBF", ErrorKind::TooLarge, None),
        (b"\x80", ErrorKind::UnexpectedContinuation, None),
        (b"\xE2\x82a", ErrorKind::MissingContinuation, None),
        (b"\xE2\x82", ErrorKind::Truncated, None),
        (b"\xFF", ErrorKind::InvalidByte, None),
    ] {
        let d = of(src);
        assert_eq!((d.kind(), d.code_point(), d.pair()), (kind, code_point, None), "{src:02X?}");
        let (found, _) = check(Encoding::Utf8, src);
        assert_eq!((found[0].kind(), *found[0].diagnosis(), found[0].bytes()), (kind, d, d.bytes()), "{src:02X?}");
    }
    // Units of UTF-16 and UTF-32 are what they are.
    let d = Diagnosis::of(b"\x00\xD8a\0", Encoding::Utf16Le, Standard::Rfc3629).unwrap();
    assert_eq!((d.kind(), d.code_point()), (ErrorKind::UnpairedSurrogate, Some(0xD800)));
    let d = Diagnosis::of(b"\0\x11\0\0", Encoding::Utf32Be, Standard::Rfc3629).unwrap();
    assert_eq!((d.kind(), d.code_point()), (ErrorKind::TooLarge, None));
}

#[test]
fn only_a_surrogate_of_three_octets_has_a_mate() {
    let pair = Some('\u{10000}');
    assert_eq!(of(b"\xED\xA0\x80\xED\xB0\x80").pair(), pair);
    let (found, _) = check(Encoding::Utf8, b"\xED\xA0\x80\xED\xB0\x80\xED\xB0\x80");
    assert_eq!(found.iter().map(|f| f.diagnosis().pair()).collect::<Vec<_>>(), [pair, pair, None]);
    // A low one first, a pair with something between, a pair in four octets.
    for src in [&b"\xED\xB0\x80\xED\xA0\x80"[..], b"\xED\xA0\x80 \xED\xB0\x80", b"\xF0\x8D\xA0\x80\xF0\x8D\xB0\x80"] {
        let (found, _) = check(Encoding::Utf8, src);
        assert!(found.iter().all(|f| f.diagnosis().pair().is_none()), "{src:02X?}");
    }
    // Behind the first half stands the second, and not what else there is.
    let (found, _) = check(Encoding::Utf8, b"\xED\xA0\x80\xED\xB0\x80\xC0\xAF\xED\xB0\x81");
    assert_eq!(found.iter().map(|f| f.diagnosis().pair()).collect::<Vec<_>>(), [pair, pair, None, None]);
}

#[test]
fn totals_count_each_kind_by_itself() {
    let src = b"a\xFF\xFEb\xC0\xAF\n\x80\xED\xA0\x80\n\xF4\x90\x80\x80c\xC3";
    let (found, checker) = check(Encoding::Utf8, src);
    let totals = checker.totals();
    let expected = [
        (ErrorKind::InvalidByte, 2),
        (ErrorKind::Overlong, 1),
        (ErrorKind::UnexpectedContinuation, 1),
        (ErrorKind::Surrogate, 1),
        (ErrorKind::TooLarge, 1),
        (ErrorKind::Truncated, 1),
    ];
    for (kind, count) in expected {
        assert_eq!(totals.of_kind(kind), count, "{kind}");
        assert!(totals.kinds().any(|entry| entry == (kind, count)), "{kind}");
    }
    for kind in [ErrorKind::MissingContinuation, ErrorKind::Noncharacter, ErrorKind::Unrepresentable] {
        assert_eq!(totals.of_kind(kind), 0, "{kind}");
    }
    assert_eq!(totals.kinds().count(), expected.len());
    assert_eq!((totals.findings(), found.len()), (7, 7));
    assert_eq!((totals.bytes(), totals.lines(), totals.code_points()), (src.len() as u64, 2, 5));
}

#[test]
fn a_finding_is_a_line() {
    let (found, _) = check(Encoding::Utf8, b"ab\n\xC3\xA9\xC0\xAF");
    let f = found[0];
    assert_eq!((f.offset(), f.line(), f.column()), (5, 2, 2));
    assert_eq!(
        f.to_string(),
        "2:2: byte 5: C0 AF: overlong: two-byte form of U+002F \"/\", which must be 2F (RFC 3629 section 3)"
    );
}

#[test]
fn what_a_converter_reports_is_located() {
    let src = "a\n5 € b".as_bytes();
    let mut converter = Transcoder::new(Encoding::Utf8, Encoding::Latin1, Policy::Strict);
    let Status::IllFormed(error) = converter.transcode(src, &mut [0; 16], true).status else { panic!("no euro there") };
    let mut locator = Locator::new(Encoding::Utf8, Encoding::Latin1);
    let finding = locator.locate(&error, src);
    assert_eq!((finding.offset(), finding.line(), finding.column()), (4, 2, 3));
    assert_eq!((finding.kind(), finding.diagnosis().code_point()), (ErrorKind::Unrepresentable, Some(0x20AC)));
    assert_eq!(finding.to_string(), "2:3: byte 4: E2 82 AC: unrepresentable: U+20AC \"€\" is not in ISO-8859-1");
}
