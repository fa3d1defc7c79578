//! The messages of findings.

use utfkit::diagnose::*;
use utfkit::*;

fn of(src: &[u8], standard: Standard) -> String {
    let Some(d) = Diagnosis::of(src, Encoding::Utf8, standard) else { return String::new() };
    let bytes: Vec<String> = d.bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    format!("{}: {}: {d}", bytes.join(" "), d.kind())
}

/// All messages about UTF-8 by RFC 3629.
#[test]
fn every_error_says_why() {
    for (src, expected) in [
        // Overlong forms of each length.
        (&b"\xC0\x80"[..], "C0 80: overlong: two-byte form of U+0000, which must be 00 (RFC 3629 section 3)"),
        (b"\xC0\x8A", "C0 8A: overlong: two-byte form of U+000A, which must be 0A (RFC 3629 section 3)"),
        (b"\xE0\x80\x8A", "E0 80 8A: overlong: three-byte form of U+000A, which must be 0A (RFC 3629 section 3)"),
        (b"\xF0\x80\x80\x8A", "F0 80 80 8A: overlong: four-byte form of U+000A, which must be 0A (RFC 3629 section 3)"),
        (
            b"\xF8\x80\x80\x80\x8A",
            "F8 80 80 80 8A: too-large: five-byte form of U+000A, which must be 0A; \
             no form is longer than four bytes (RFC 3629 section 3)",
        ),
        (
            b"\xFC\x80\x80\x80\x80\x8A",
            "FC 80 80 80 80 8A: too-large: six-byte form of U+000A, which must be 0A; \
             no form is longer than four bytes (RFC 3629 section 3)",
        ),
        (b"\xC0\xAE\x2E\x2F", "C0 AE: overlong: two-byte form of U+002E \".\", which must be 2E (RFC 3629 section 3)"),
        (b"\xC1\xBF", "C1 BF: overlong: two-byte form of U+007F, which must be 7F (RFC 3629 section 3)"),
        (
            b"\xE0\x82\xA9",
            "E0 82 A9: overlong: three-byte form of U+00A9 \"©\", which must be C2 A9 (RFC 3629 section 3)",
        ),
        (
            b"\xF0\x82\x82\xAC",
            "F0 82 82 AC: overlong: four-byte form of U+20AC \"€\", which must be E2 82 AC (RFC 3629 section 3)",
        ),
        (
            b"\xF0\x8D\xA0\x80",
            "F0 8D A0 80: overlong: four-byte form of U+D800, which is a surrogate and has no form \
             (RFC 3629 section 3)",
        ),
        (
            b"\xF8\x80\x8D\xA0\x80",
            "F8 80 8D A0 80: too-large: five-byte form of U+D800, which is a surrogate and has no form; \
             no form is longer than four bytes (RFC 3629 section 3)",
        ),
        // Surrogates, single and paired.
        (b"\xED\xA0\x80", "ED A0 80: surrogate: surrogate U+D800, which UTF-8 may not hold (RFC 3629 section 3)"),
        (
            b"\xED\xBF\xBF\xED\xA0\x80",
            "ED BF BF: surrogate: surrogate U+DFFF, which UTF-8 may not hold (RFC 3629 section 3)",
        ),
        (
            b"\xED\xA0\x80\xED\xB0\x80",
            "ED A0 80: surrogate: surrogate U+D800, which UTF-8 may not hold; with ED B0 80 after it \
             the CESU-8 form of U+10000 \"\u{10000}\", which must be F0 90 80 80 (RFC 3629 section 3)",
        ),
        (
            b"\xED\xA0\xBD\xED\xB8\x80",
            "ED A0 BD: surrogate: surrogate U+D83D, which UTF-8 may not hold; with ED B8 80 after it \
             the CESU-8 form of U+1F600 \"😀\", which must be F0 9F 98 80 (RFC 3629 section 3)",
        ),
        // Values above U+10FFFF.
        (
            b"\xF4\x90\x80\x80",
            "F4 90 80 80: too-large: four-byte form of U+110000, which is above U+10FFFF (RFC 3629 section 3)",
        ),
        (
            b"\xF7\xBF\xBF\xBF",
            "F7 BF BF BF: too-large: four-byte form of U+1FFFFF, which is above U+10FFFF (RFC 3629 section 3)",
        ),
        (
            b"\xF8\x88\x80\x80\x80",
            "F8 88 80 80 80: too-large: five-byte form of U+200000, which is above U+10FFFF; \
             no form is longer than four bytes (RFC 3629 section 3)",
        ),
        (
            b"\xFD\xBF\xBF\xBF\xBF\xBF",
            "FD BF BF BF BF BF: too-large: six-byte form of U+7FFFFFFF, which is above U+10FFFF; \
             no form is longer than four bytes (RFC 3629 section 3)",
        ),
        // Bytes that never occur in UTF-8.
        (
            b"\xF8",
            "F8: invalid-byte: F8 can stand nowhere in UTF-8: it announces five bytes, \
             and no form is longer than four (RFC 3629 section 1)",
        ),
        (
            b"\xFD\x80\x80A",
            "FD: invalid-byte: FD can stand nowhere in UTF-8: it announces six bytes, \
             and no form is longer than four (RFC 3629 section 1)",
        ),
        (
            b"\xFE",
            "FE: invalid-byte: FE can stand nowhere in UTF-8: \
             it is neither a lead byte nor a continuation byte (RFC 3629 section 1)",
        ),
        (
            b"\xFF\x80",
            "FF: invalid-byte: FF can stand nowhere in UTF-8: \
             it is neither a lead byte nor a continuation byte (RFC 3629 section 1)",
        ),
        // Stray continuation bytes, missing ones, truncated sequences.
        (
            b"\x80",
            "80: unexpected-continuation: continuation byte 80 without a lead byte that asks for it \
             (RFC 3629 section 4)",
        ),
        (b"\xE2\x82A", "E2 82: missing-continuation: only 2 of the 3 bytes that E2 announces (RFC 3629 section 4)"),
        (b"\xE0A", "E0: missing-continuation: only 1 of the 3 bytes that E0 announces (RFC 3629 section 4)"),
        (
            b"\xC0A",
            "C0: missing-continuation: only 1 of the 2 bytes that C0 announces, \
             and C0 begins only overlong forms (RFC 3629 section 4)",
        ),
        (
            b"\xC1",
            "C1: missing-continuation: only 1 of the 2 bytes that C1 announces, \
             and C1 begins only overlong forms (RFC 3629 section 4)",
        ),
        (
            b"\xE0\x80A",
            "E0 80: missing-continuation: only 2 of the 3 bytes that E0 announces, \
             and E0 80 begins only overlong forms (RFC 3629 section 4)",
        ),
        (
            b"\xF0\x8F\xBFA",
            "F0 8F BF: missing-continuation: only 3 of the 4 bytes that F0 announces, \
             and F0 8F begins only overlong forms (RFC 3629 section 4)",
        ),
        (
            b"\xED\xA0",
            "ED A0: missing-continuation: only 2 of the 3 bytes that ED announces, \
             and ED A0 begins only surrogates (RFC 3629 section 4)",
        ),
        (
            b"\xF4\x90A",
            "F4 90: missing-continuation: only 2 of the 4 bytes that F4 announces, \
             and F4 90 begins only values above U+10FFFF (RFC 3629 section 4)",
        ),
        (
            b"\xF5\x80A",
            "F5 80: missing-continuation: only 2 of the 4 bytes that F5 announces, \
             and F5 begins only values above U+10FFFF (RFC 3629 section 4)",
        ),
        (
            b"\xF0\x9F\x98",
            "F0 9F 98: truncated: the input ends after 3 of the 4 bytes that F0 announces (RFC 3629 section 4)",
        ),
        // No error.
        (b"\xEF\xBF\xBF", ""),
        (b"", ""),
    ] {
        assert_eq!(of(src, Standard::Rfc3629), expected);
    }
}

#[test]
fn every_standard_says_why() {
    use Standard::{Kuhn, NoNoncharacters, Rfc2044, Rfc2279};
    for (standard, src, expected) in [
        (
            Rfc2279,
            &b"\xF8\x80\x80\x80\x8A"[..],
            "F8 80 80 80 8A: overlong: five-byte form of U+000A, which must be 0A (RFC 2279 section 2)",
        ),
        (
            Rfc2279,
            b"\xFC\x80\x88\x80\x80\x80",
            "FC 80 88 80 80 80: overlong: six-byte form of U+200000, which must be F8 88 80 80 80 \
             (RFC 2279 section 2)",
        ),
        (
            Rfc2279,
            b"\xF8\x87A",
            "F8 87: missing-continuation: only 2 of the 5 bytes that F8 announces, \
             and F8 87 begins only overlong forms (RFC 2279 section 2)",
        ),
        (Rfc2279, b"\xF5A", "F5: missing-continuation: only 1 of the 4 bytes that F5 announces (RFC 2279 section 2)"),
        (
            Rfc2279,
            b"\xED\xA1\x8C\xED\xBE\xB4",
            "ED A1 8C: surrogate: surrogate U+D84C, which UTF-8 may not hold; with ED BE B4 after it \
             the CESU-8 form of U+233B4 \"\u{233B4}\", which must be F0 A3 8E B4 (RFC 2279 section 2)",
        ),
        (
            Rfc2279,
            b"\xFE",
            "FE: invalid-byte: FE can stand nowhere in UTF-8: \
             it is neither a lead byte nor a continuation byte (RFC 2279 section 1)",
        ),
        (Rfc2044, b"\xC0A", "C0: missing-continuation: only 1 of the 2 bytes that C0 announces (RFC 2044 section 2)"),
        (Rfc2044, b"\xC0\x8A", ""),
        (
            Kuhn,
            b"\xEF\xBF\xBE",
            "EF BF BE: noncharacter: noncharacter U+FFFE, which plain text may not hold (\"What is UTF-8?\")",
        ),
        (
            Kuhn,
            b"\xF0\x8F\xBF\xBE",
            "F0 8F BF BE: overlong: four-byte form of U+FFFE, which is a noncharacter and has no form \
             (RFC 3629 section 3)",
        ),
        (Kuhn, b"\xEF\xB7\x90", ""),
    ] {
        assert_eq!(of(src, standard), expected);
    }
    let d = Diagnosis::of(b"\xEF\xB7\x90", Encoding::Utf8, NoNoncharacters).unwrap();
    assert!(d.to_string().starts_with("noncharacter U+FDD0, which plain text may not hold ("), "{d}");
    let d = Diagnosis::of(b"\xED\xA1\xBF\xED\xBF\xBE", Encoding::Utf8, NoNoncharacters).unwrap();
    assert!(d.to_string().contains("the CESU-8 form of U+2FFFE, which is a noncharacter and has no form ("), "{d}");
}
