//! Findings of streams in chunks.

use utfkit::diagnose::*;
use utfkit::*;
use utfkit_testkit::utf8;

fn check(encoding: Encoding, standard: Standard, src: &[u8], cut: usize) -> (Vec<String>, Totals) {
    let mut lines = Vec::new();
    let mut checker = Checker::new(encoding, standard);
    for chunk in src.chunks(cut.max(1)) {
        checker.feed(chunk, |f| lines.push(f.to_string()));
    }
    checker.finish(|f| lines.push(f.to_string()));
    if standard == Standard::Rfc3629 {
        assert!(findings_in(src, encoding).map(|f| f.to_string()).eq(lines.iter().cloned()), "{encoding} {src:02X?}");
    }
    (lines, checker.totals())
}

/// The findings in `src`, as `offset-len kind`, which every cut must give.
fn short(encoding: Encoding, standard: Standard, src: &[u8]) -> Vec<String> {
    let whole = check(encoding, standard, src, src.len());
    for cut in 1..src.len() {
        assert_eq!(check(encoding, standard, src, cut), whole, "{src:02X?} cut every {cut}");
    }
    assert_eq!(whole.1.bytes(), src.len() as u64);
    assert_eq!(whole.1.findings(), whole.0.len() as u64);
    let mut short = Vec::new();
    let mut checker = Checker::new(encoding, standard);
    let mut push = |f: &Finding| short.push(format!("{}-{} {}", f.offset(), f.bytes().len(), f.kind()));
    checker.feed(src, &mut push);
    checker.finish(&mut push);
    short
}

fn utf8(src: &[u8]) -> Vec<String> {
    short(Encoding::Utf8, Standard::Rfc3629, src)
}

#[test]
fn one_finding_for_what_a_person_names_once() {
    assert_eq!(utf8(b"a\xC0\xAFb"), ["1-2 overlong"]);
    assert_eq!(utf8(b"\xED\xA0\x80\xED\xB0\x80"), ["0-3 surrogate", "3-3 surrogate"]);
    for src in [
        &b"\xED\xA0\xBD\xED\xB8\x80\xED\xB8\x80"[..],
        b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80 \xED\xB8\x80",
        b"a\xED\xA0\xBD\xED\xB8A\xED\xA0\xBD\xED\xB8",
        b"a\xED\xA0\xBD\xED",
        b"a\xED\xA0\xBD",
        b"a\xED\xA0\xBD\xED\xB8",
        b"\xED\xA0\xBD\xED\x9F\xBF\xED\xB8\x80",
        b"\xED\xA0\xBD\xC0\xAF\xED\xB8\x80",
    ] {
        assert!(!utf8(src).is_empty());
        for standard in [Standard::Rfc2279, Standard::Kuhn, Standard::Rfc2044, Standard::NoNoncharacters] {
            short(Encoding::Utf8, standard, src);
        }
    }
    let pair = b"x\xED\xA0\xBD\xED\xB8\x80";
    let lines = check(Encoding::Utf8, Standard::Rfc3629, pair, 1).0;
    assert!(lines[0].contains("; with ED B8 80 after it the CESU-8 form of U+1F600"), "{lines:?}");
    assert!(lines[1].contains("; with ED A0 BD before it the CESU-8 form of U+1F600"), "{lines:?}");
    assert_eq!(utf8(b"\x80\xBF"), ["0-1 unexpected-continuation", "1-1 unexpected-continuation"]);
    assert_eq!(utf8(b"\xF8\x88\x80\x80\x80\xFD\xBF\xBF\xBF\xBF\xBF."), ["0-5 too-large", "5-6 too-large"]);
    assert_eq!(utf8(b"\xF4\x90\x80\x80"), ["0-4 too-large"]);
    assert_eq!(utf8(b"\xF8 \xFE\xFF"), ["0-1 invalid-byte", "2-1 invalid-byte", "3-1 invalid-byte"]);
    assert_eq!(utf8(b"\xE2\x82A"), ["0-2 missing-continuation"]);
    assert_eq!(utf8(b"\xE0\x80A"), ["0-2 missing-continuation"]);
    assert_eq!(utf8(b"\xE2\x82"), ["0-2 truncated"]);
    assert_eq!(utf8(b"\xE0\x80"), ["0-2 missing-continuation"]);
    assert_eq!(utf8(b"\xC0"), ["0-1 missing-continuation"]);
    assert_eq!(utf8(b"\xF0\x9F\x8E\xF0\x9F\x8E\x89"), ["0-3 missing-continuation"]);
    let loose: Vec<_> = (1..4).map(|at| format!("{at}-1 unexpected-continuation")).collect();
    assert_eq!(utf8(b"\xF8\x80\x80\x80")[1..], loose);
}

#[test]
fn each_standard_has_its_own_errors() {
    let src = b"\xC0\xAF\xED\xA0\x80\xF8\x88\x80\x80\x80\xF8\x80\x80\x80\x80\xEF\xBF\xBE\xFC\x84\x80A\xFE";
    assert_eq!(
        short(Encoding::Utf8, Standard::Rfc2279, src),
        ["0-2 overlong", "2-3 surrogate", "10-5 overlong", "18-3 missing-continuation", "22-1 invalid-byte"]
    );
    assert_eq!(short(Encoding::Utf8, Standard::Rfc2044, src), ["18-3 missing-continuation", "22-1 invalid-byte"]);
    assert_eq!(short(Encoding::Utf8, Standard::Kuhn, b"\xEF\xBF\xBE\xEF\xBF\xBD"), ["0-3 noncharacter"]);
    assert_eq!(short(Encoding::Utf8, Standard::Rfc2279, b"\xF8\x80\x80\x80"), ["0-4 missing-continuation"]);
}

#[test]
fn units_of_two_and_four_bytes() {
    let standard = Standard::Rfc3629;
    let found = |encoding, src: &[u8]| short(encoding, standard, src);
    assert_eq!(
        found(Encoding::Utf16Le, b"a\0\x00\xD8b\0\x00\xDC"),
        ["2-2 unpaired-surrogate", "6-2 unpaired-surrogate"]
    );
    assert_eq!(found(Encoding::Utf16Be, b"\xD8\x3D\xDE\x00\xD8\x3D"), ["4-2 unpaired-surrogate"]);
    assert_eq!(found(Encoding::Utf16, b"\xFF\xFEa\0\0\xDC"), ["4-2 unpaired-surrogate"]);
    assert_eq!(found(Encoding::Utf16, b"\0a\xDC\0"), ["2-2 unpaired-surrogate"]);
    assert_eq!(found(Encoding::Utf16, b"\xFF\xFEa"), ["2-1 truncated"]);
    assert_eq!(found(Encoding::Utf16, b"a"), ["0-1 truncated"]);
    assert_eq!(found(Encoding::Utf16Be, b"\xD8\x3D\xDE"), ["0-3 truncated"]);
    assert_eq!(
        found(Encoding::Utf32Be, b"\0\0\xD8\0\0\x11\0\0\0"),
        ["0-4 surrogate", "4-4 too-large", "8-1 truncated"]
    );
    assert_eq!(found(Encoding::Utf32, b"\xFF\xFE\0\0a\0\0\0\0\0\x11\0"), ["8-4 too-large"]);
    assert_eq!(found(Encoding::UsAscii, b"caf\xE9"), ["3-1 invalid-byte"]);
    assert_eq!(found(Encoding::Latin1, b"caf\xE9"), [""; 0]);
}

/// Blocks without a surrogate are skipped. Each error here follows such blocks; some errors
/// share a block.
#[test]
fn unpaired_surrogates_far_inside_utf_16() {
    for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
        let order = if encoding == Encoding::Utf16Le { u16::to_le_bytes } else { u16::to_be_bytes };
        for at in [0, 31, 32, 2047, 2048, 4100, 9000] {
            for errors in [&[0][..], &[0, 1], &[0, 7, 8, 40]] {
                let mut units = [0x41D8; 10_000];
                errors.iter().for_each(|error| units[at + error] = 0xDC41);
                let src: Vec<u8> = units.into_iter().flat_map(order).collect();
                let mut found = Vec::new();
                let mut checker = Checker::new(encoding, Standard::Rfc3629);
                checker.feed(&src, |f| found.push(f.offset()));
                let expected: Vec<_> = errors.iter().map(|error| 2 * (at + error) as u64).collect();
                assert_eq!(found, expected, "{encoding}");
            }
        }
    }
}

#[test]
fn lines_and_columns() {
    let src = "é\n\u{FEFF}x\r\n".bytes().chain(*b"\xFF\xC0\xAFa\x80\n\x80").collect::<Vec<_>>();
    let (lines, totals) = check(Encoding::Utf8, Standard::Rfc3629, &src, 1);
    let places: Vec<_> = lines.iter().map(|l| l.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["3:1", "3:2", "3:4", "4:1"]);
    assert_eq!((totals.lines(), totals.code_points()), (3, 8));

    let src: Vec<u8> = "ab\nc".encode_utf16().chain([0xD800]).flat_map(u16::to_le_bytes).collect();
    let (lines, _) = check(Encoding::Utf16Le, Standard::Rfc3629, &src, 3);
    assert_eq!(
        lines,
        ["2:2: byte 8: 00 D8: unpaired-surrogate: \
          high surrogate U+D800 that no low one follows (RFC 2781 section 2.2)"]
    );
}

/// Text with scattered errors, compared with a count that decodes one sequence at a time.
#[test]
fn long_streams_agree_with_a_naive_count() {
    let mut seed = 1u32;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    let pieces: [&[u8]; 12] = [
        b"plain text, ",
        "schön ".as_bytes(),
        "日本".as_bytes(),
        "🎉".as_bytes(),
        b"\n",
        b"\xC0\xAF",
        b"\xFF",
        b"\xE2\x82",
        b"\xF0\x9F",
        b"\xED\xA0\x80\xED\xB0\x80",
        b"\xFC\x84\x80\x80\x80\x80",
        b"\xF8\x80",
    ];
    for rare in [1, 30, 3000] {
        let mut src = Vec::new();
        while src.len() < 100_000 {
            let dirty = random(rare) == 0;
            src.extend_from_slice(pieces[if dirty { random(12) } else { random(5) }]);
        }
        let (whole, totals) = check(Encoding::Utf8, Standard::Rfc3629, &src, src.len());

        let (mut at, mut line, mut column, mut naive) = (0, 1, 1, Vec::new());
        for piece in utf8::pieces(&src, &utf8::RFC_3629) {
            if piece.offset < at {
                continue;
            }
            if piece.error().is_some() {
                naive.push(format!("{line}:{column}: byte {at}"));
            }
            (line, column) = if src[at] == b'\n' { (line + 1, 1) } else { (line, column + 1) };
            at = if piece.error().is_some() { utf8::sequence_end(&src, &piece) } else { at + piece.len };
        }
        let places: Vec<_> = whole.iter().map(|l| l.splitn(3, ": ").take(2).collect::<Vec<_>>().join(": ")).collect();
        assert_eq!(places, naive);
        assert!(totals.findings() <= errors(&src, Standard::Rfc3629).count() as u64);

        for cut in [1, 2, 3, 7, 63, 64, 65, 4096, (16 << 10) - 1, (16 << 10) + 1] {
            assert_eq!(check(Encoding::Utf8, Standard::Rfc3629, &src, cut), (whole.clone(), totals), "cut {cut}");
        }
    }
}
