//! Findings, and the totals of a check.

use utfkit::diagnose::{Checker, Content, Diagnosis, Finding, Locator, Piece, Pieces};
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
        // Five octets: for the last code point, and for the next value.
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
    // Units of UTF-16 and UTF-32 are reported by their value.
    let d = Diagnosis::of(b"\x00\xD8a\0", Encoding::Utf16Le, Standard::Rfc3629).unwrap();
    assert_eq!((d.kind(), d.code_point()), (ErrorKind::UnpairedSurrogate, Some(0xD800)));
    let d = Diagnosis::of(b"\0\x11\0\0", Encoding::Utf32Be, Standard::Rfc3629).unwrap();
    assert_eq!((d.kind(), d.code_point()), (ErrorKind::TooLarge, None));
    let d = Diagnosis::of(b"\0\0\xD8\0", Encoding::Utf32Be, Standard::Rfc3629).unwrap();
    assert_eq!((d.kind(), d.code_point()), (ErrorKind::Surrogate, Some(0xD800)));
}

#[test]
fn the_last_code_point_is_a_noncharacter_and_not_too_large() {
    let d = Diagnosis::of("\u{10FFFF}".as_bytes(), Encoding::Utf8, Standard::NoNoncharacters).unwrap();
    assert_eq!((d.kind(), d.code_point()), (ErrorKind::Noncharacter, Some(0x10_FFFF)));
}

#[test]
fn only_a_surrogate_of_three_octets_has_a_mate() {
    let pair = Some('\u{10000}');
    assert_eq!(of(b"\xED\xA0\x80\xED\xB0\x80").pair(), pair);
    let (found, _) = check(Encoding::Utf8, b"\xED\xA0\x80\xED\xB0\x80\xED\xB0\x80");
    assert_eq!(found.iter().map(|f| f.diagnosis().pair()).collect::<Vec<_>>(), [pair, pair, None]);
    // A low surrogate first; a pair with a space between; a pair of four-octet forms.
    for src in [&b"\xED\xB0\x80\xED\xA0\x80"[..], b"\xED\xA0\x80 \xED\xB0\x80", b"\xF0\x8D\xA0\x80\xF0\x8D\xB0\x80"] {
        let (found, _) = check(Encoding::Utf8, src);
        assert!(found.iter().all(|f| f.diagnosis().pair().is_none()), "{src:02X?}");
    }
    // Only the low surrogate that follows a high one completes a pair.
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

/// UTF-16 is searched for surrogates in blocks: blocks full of them.
#[test]
fn blocks_of_nothing_but_surrogates_are_errors_each() {
    for (encoding, unit) in [
        (Encoding::Utf16Be, b"\xD8\x00"),
        (Encoding::Utf16Be, b"\xDF\xFF"),
        (Encoding::Utf16Le, b"\x00\xD8"),
        (Encoding::Utf16Le, b"\xFF\xDF"),
    ] {
        let (found, _) = check(encoding, &unit.repeat(100));
        assert_eq!(found.len(), 100, "{encoding} {unit:02X?}");
    }
}

#[test]
fn a_clause_is_that_of_the_standard_that_forbids_it() {
    for (encoding, standard, src, clause) in [
        (Encoding::Utf8, Standard::Rfc3629, &b"\xFF"[..], "(RFC 3629 section 1)"),
        (Encoding::Utf8, Standard::Rfc3629, b"\x80", "(RFC 3629 section 4)"),
        (Encoding::Utf8, Standard::Rfc3629, b"\xC3a", "(RFC 3629 section 4)"),
        (Encoding::Utf8, Standard::Rfc3629, b"\xC3", "(RFC 3629 section 4)"),
        (Encoding::Utf8, Standard::Rfc3629, b"\xC0\x80", "(RFC 3629 section 3)"),
        (Encoding::Utf8, Standard::Rfc2279, b"\xC0\x80", "(RFC 2279 section 2)"),
        (Encoding::Utf8, Standard::Rfc2279, b"\xFF", "(RFC 2279 section 1)"),
        (Encoding::Utf8, Standard::Rfc2044, b"\xFF", "(RFC 2044 section 1)"),
        (Encoding::Utf8, Standard::Rfc2044, b"\x80", "(RFC 2044 section 2)"),
        (Encoding::Utf8, Standard::Kuhn, b"\xEF\xBF\xBF", "(\"What is UTF-8?\")"),
        (Encoding::Utf8, Standard::NoNoncharacters, b"\xEF\xBF\xBF", "(Unicode Standard, D14)"),
        (Encoding::Utf16Le, Standard::Rfc3629, b"a", "(Unicode Standard, D91)"),
        (Encoding::Utf16Le, Standard::Rfc3629, b"\x00\xDC", "(RFC 2781 section 2.2)"),
        (Encoding::Utf32Le, Standard::Rfc3629, b"\x00\xDC\0\0", "(Unicode Standard, D90)"),
        (Encoding::UsAscii, Standard::Rfc3629, b"\xE9", "(RFC 20)"),
        (Encoding::Cesu8, Standard::Rfc3629, b"\xFF", "(UTR #26)"),
        (Encoding::Iso2022Utf8, Standard::Rfc3629, b"\x1B%G\xFF", "(utf-8(7))"),
    ] {
        let mut found = Vec::new();
        let mut checker = Checker::new(encoding, standard);
        checker.feed(src, |finding| found.push(finding.to_string()));
        checker.finish(|finding| found.push(finding.to_string()));
        assert!(found[0].ends_with(clause), "{encoding} {standard:?} {}", found[0]);
    }
}

fn pieces(encoding: Encoding, src: &[u8]) -> Vec<Piece> {
    let mut pieces = Pieces::new(encoding, Standard::Rfc3629);
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(piece) = pieces.read(&src[at..], true) {
        at += piece.bytes().len();
        all.push(piece);
    }
    all
}

#[test]
fn a_piece_says_its_code_point_and_its_header_bits() {
    let of = |encoding, src: &[u8]| -> Vec<(Option<u32>, Option<Vec<u8>>)> {
        pieces(encoding, src).iter().map(|p| (p.code_point(), p.header_bits().map(<[u8]>::to_vec))).collect()
    };
    let bits = |bits: &[u8]| Some(bits.to_vec());
    assert_eq!(
        of(Encoding::Utf8, b"a\xC3\xA9\xC0\xAF\xFF"),
        [(Some(0x61), bits(&[1])), (Some(0xE9), bits(&[3, 2])), (Some(0x2F), bits(&[3, 2])), (None, bits(&[8]))]
    );
    assert_eq!(
        of(Encoding::Utf16, b"\xFF\xFEa\0\x3D\xD8\x00\xDE"),
        [(Some(0xFEFF), bits(&[0, 0])), (Some(0x61), bits(&[0, 0])), (Some(0x1_F600), bits(&[0, 6, 0, 6]))]
    );
    assert_eq!(
        of(Encoding::Utf32, b"\0\0\xFE\xFF\0\0\0a"),
        [(Some(0xFEFF), bits(&[0; 4])), (Some(0x61), bits(&[0; 4]))]
    );
    // Only UTF-8 has headers, and a switch has no code point.
    assert_eq!(
        of(Encoding::Iso2022Utf8, b"\xE9\x1B%G\xC3\xA9\xFF\x1B%@"),
        [(Some(0xE9), None), (None, None), (Some(0xE9), bits(&[3, 2])), (None, bits(&[8])), (None, None)]
    );
    assert_eq!(of(Encoding::Ucs2Be, b"\0a"), [(Some(0x61), bits(&[0, 0]))]);
    assert_eq!(of(Encoding::Latin1, b"\xE9"), [(Some(0xE9), bits(&[0]))]);
    assert_eq!(of(Encoding::UsAscii, b"a"), [(Some(0x61), bits(&[1]))]);
    assert_eq!(of(Encoding::Utf7, b"a+-"), [(Some(0x61), None), (Some(0x2B), None)]);
    // A low surrogate alone, after a complete pair.
    let pair: Vec<_> =
        pieces(Encoding::Utf8, b"\xED\xA0\x80\xED\xB0\x80\xED\xB0\x80").iter().map(Piece::content).collect();
    let of_pair = |content: &Content| match content {
        Content::IllFormed(diagnosis) => diagnosis.pair(),
        _ => panic!("{content:?}"),
    };
    assert_eq!(pair.iter().map(of_pair).collect::<Vec<_>>(), [Some('\u{10000}'), Some('\u{10000}'), None]);
}

#[test]
fn the_front_of_a_stream_decides_as_soon_as_it_is_there() {
    let new = |encoding| Pieces::new(encoding, Standard::Rfc3629);
    let bom = |encoding, src: &[u8]| new(encoding).read(src, false).map(|piece| piece.content());
    assert_eq!(bom(Encoding::Utf16, b"\xFE"), None);
    assert_eq!(bom(Encoding::Utf16, b"\xFE\xFF"), Some(Content::Bom(Encoding::Utf16Be)));
    assert_eq!(bom(Encoding::Utf32, b"\0\0\xFE"), None);
    assert_eq!(bom(Encoding::Utf32, b"\0\0\xFE\xFF"), Some(Content::Bom(Encoding::Utf32Be)));
    assert_eq!(bom(Encoding::Utf32, b"\xFF\xFE\0\0"), Some(Content::Bom(Encoding::Utf32Le)));

    // `settle` sets the byte order by bytes read before.
    let mut pieces = new(Encoding::Utf16);
    pieces.settle(b"\xFF\xFEa\0");
    assert_eq!(pieces.read(b"\xFE\xFF", true).unwrap().content(), Content::CodePoint(0xFFFE));
    assert_eq!(pieces.read(b"a\0", true).unwrap().content(), Content::CodePoint(0x61));
}

#[test]
fn who_looks_back_is_told_how_far() {
    let look_back = |encoding| Pieces::new(encoding, Standard::Rfc3629).look_back();
    for encoding in [Encoding::Iso2022Utf8, Encoding::Utf7, Encoding::Utf7Optional, Encoding::ImapUtf7, Encoding::Utf1]
    {
        assert_eq!(look_back(encoding), None, "{encoding}");
    }
    for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf32Be, Encoding::Cesu8, Encoding::Latin1] {
        assert_eq!(look_back(encoding), Some(12), "{encoding}");
    }
    #[cfg(feature = "legacy")]
    {
        use utfkit::Legacy;
        assert_eq!(look_back(Encoding::Iso2022Utf8In(Legacy::Windows1252)), None);
        assert_eq!(look_back(Encoding::Legacy(Legacy::ShiftJis)), None);
        assert_eq!(look_back(Encoding::Legacy(Legacy::Windows1252)), Some(12));
    }
}

/// A BOM that the caller removed counts for offsets and columns of findings, but not for the
/// offsets of the converter.
#[test]
fn a_bom_that_was_taken_away_counts_for_offsets_and_columns() {
    let src = b"a\nbc\xC0\xAF";
    let error = utfkit::from_utf8(src).unwrap_err();
    for cut in 0..=4 {
        let mut locator = Locator::new(Encoding::Utf8, Encoding::Utf8);
        locator.skip(b"\xEF\xBB\xBF");
        locator.pass(&src[..cut]);
        let finding = locator.locate(&error, &src[cut..]);
        assert_eq!((finding.offset(), finding.line(), finding.column()), (7, 2, 3), "{cut}");
    }
    let error = utfkit::from_utf8(b"\xC0\xAF").unwrap_err();
    let mut locator = Locator::new(Encoding::Utf8, Encoding::Utf8);
    locator.skip(b"\xEF\xBB\xBF");
    let finding = locator.locate(&error, b"\xC0\xAF");
    assert_eq!((finding.offset(), finding.line(), finding.column()), (3, 1, 2));
}
