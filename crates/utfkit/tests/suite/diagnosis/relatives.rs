//! Findings in encodings other than UTF-8.

use utfkit::diagnose::*;
use utfkit::*;

/// The messages of the findings in `src`, without positions.
fn messages(encoding: Encoding, src: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut checker = Checker::new(encoding, Standard::Rfc3629);
    checker.feed(src, |finding| found.push(finding.diagnosis().to_string()));
    checker.finish(|finding| found.push(finding.diagnosis().to_string()));
    found
}

#[test]
fn every_encoding_says_what_is_wrong() {
    for (encoding, src, expected) in [
        (
            Encoding::Cesu8,
            &b"\xF0\x9F\x98\x80"[..],
            "four-byte form of U+1F600 \"😀\", which must be a pair of surrogates: ED A0 BD ED B8 80 (UTR #26)",
        ),
        (Encoding::Cesu8, b"\xED\xA0\xBDa", "surrogate without its other half (UTR #26)"),
        (Encoding::Cesu8, b"\xC0\xAF", "two-byte form of U+002F \"/\", which must be 2F (UTR #26)"),
        (Encoding::Cesu8, b"\xFFa", "FF can stand nowhere in CESU-8: no form is longer than three bytes (UTR #26)"),
        (
            Encoding::Mutf8,
            b"a\0",
            "00 can stand nowhere in Modified-UTF-8, where U+0000 must be C0 80 (Java Virtual Machine Specification, 4.4.7)",
        ),
        // The Java specification has no such rule.
        (Encoding::Mutf8, b"\xED\xA0\xBDa", "surrogate without its other half (Unicode Standard, D76)"),
        (
            Encoding::Wtf8,
            b"\xED\xA0\xBD\xED\xB8\x80",
            "surrogate pair in six bytes for U+1F600 \"😀\", which must be F0 9F 98 80 (The WTF-8 encoding)",
        ),
        (
            Encoding::Unicode11Utf8,
            "가".as_bytes(),
            "U+AC00 \"가\", which Unicode 1.1 does not have: its Hangul is at U+3400 to U+4DFF (RFC 2279 section 5)",
        ),
        (Encoding::Ucs2Be, b"\xD8\0", "surrogate U+D800, which UCS-2 may not hold (ISO/IEC 10646-1:2000, UCS-2)"),
        (Encoding::Ucs4Be, b"\0\0\xD8\0", "surrogate U+D800, which UCS-4 may not hold (RFC 2279 section 1)"),
        (Encoding::Utf32Be, b"\0\0\xD8\0", "surrogate U+D800, which UTF-32 may not hold (Unicode Standard, D90)"),
        (Encoding::Utf32Be, b"\0\x11\0\0", "the value 110000 is above U+10FFFF (Unicode Standard, D90)"),
        (Encoding::Utf16Be, b"\xD8\0\0a", "high surrogate U+D800 that no low one follows (RFC 2781 section 2.2)"),
        (Encoding::Utf16Be, b"\xDC\0\0a", "low surrogate U+DC00 that follows no high one (RFC 2781 section 2.2)"),
        (Encoding::Utf16Be, b"a", "the input ends after 1 of the 2 bytes of a unit (Unicode Standard, D91)"),
        (
            Encoding::Utf16Be,
            b"\xD8\0\xDC",
            "the input ends after 3 of the 4 bytes of a surrogate pair (Unicode Standard, D91)",
        ),
        (Encoding::UsAscii, b"\xE9", "E9 in US-ASCII, which ends at 7F (RFC 20)"),
        (Encoding::Ucs4Le, b"\0\0\0\x80", "the value 80000000 has more than 31 bits (RFC 2279 section 1)"),
        (Encoding::Ucs4Le, b"\0\0\0", "the input ends after 3 of the 4 bytes of a unit (RFC 2279 section 1)"),
        (Encoding::Utf7, b"a\xE9", "E9 cannot stand as it is in UTF-7, but only in base64 (RFC 2152)"),
        (Encoding::Utf7, b"+!", "\"+\" with neither base64 nor \"-\" after it (RFC 2152)"),
        (Encoding::Utf7, b"+AG-", "a run of base64 ends here inside a unit of 16 bits (RFC 2152)"),
        (
            Encoding::Utf7,
            b"+AGF-",
            "the last digit of a run of base64 has bits after the last unit that are not zero (RFC 2152)",
        ),
        (Encoding::Utf7, b"+2AA-", "base64 of a surrogate without its other half (RFC 2152)"),
        (Encoding::Utf7, b"+AG", "the input ends inside a run of base64 (RFC 2152)"),
        (Encoding::ImapUtf7, b"&AOQ.", "no \"-\" closes the run of base64 that ends here (RFC 3501 section 5.1.3)"),
        (
            Encoding::ImapUtf7,
            b"&AOQ-&AOQ-",
            "a run of base64 directly after another, with which it has to be one (RFC 3501 section 5.1.3)",
        ),
        (Encoding::ImapUtf7, b"&AGE-", "base64 for a character that has to stand as it is (RFC 3501 section 5.1.3)"),
        (Encoding::Utf1, b"\xFE", "FE announces more than 31 bits (ISO-IR-178)"),
        (Encoding::Utf1, b"\xF7\x2F\xC4", "a surrogate, which UTF-1 may not hold (ISO-IR-178)"),
        (Encoding::Utf1, b"\xFD\xFF\xFF\xFF\xFF", "a value of more than 31 bits (ISO-IR-178)"),
        (Encoding::Utf1, b"\xF5", "the input ends after 1 of the 2 bytes that F5 announces (ISO-IR-178)"),
        (Encoding::Utf1, b"\xF6\x21", "the input ends after 2 of the 3 bytes that F6 announces (ISO-IR-178)"),
        (Encoding::Utf1, b"\xFB\x21", "the input ends after 2 of the 3 bytes that FB announces (ISO-IR-178)"),
        (Encoding::Utf1, b"\xFC\x21", "the input ends after 2 of the 5 bytes that FC announces (ISO-IR-178)"),
        (Encoding::Utf1, b"\xA1\n", "only 1 of the 2 bytes that A1 announces (ISO-IR-178)"),
        (Encoding::Iso2022Utf8, b"\x1B%G\xC0\xAF\x1B%@", "two-byte form of U+002F \"/\", which must be 2F (utf-8(7))"),
        #[cfg(feature = "legacy")]
        (
            Encoding::Iso2022Utf8In(utfkit::Legacy::Ibm866),
            b"\x1B%G\xC3",
            "the input ends after 1 of the 2 bytes that C3 announces (utf-8(7))",
        ),
        #[cfg(feature = "legacy")]
        (
            Encoding::Legacy(utfkit::Legacy::ShiftJis),
            b"\x81\xFF",
            "81 FF stands for no character of Shift_JIS (WHATWG Encoding Standard)",
        ),
        #[cfg(feature = "legacy")]
        (
            Encoding::Legacy(utfkit::Legacy::ShiftJis),
            b"\x81",
            "the input ends inside a character (WHATWG Encoding Standard)",
        ),
    ] {
        assert_eq!(messages(encoding, src).first().map(String::as_str), Some(expected), "{encoding} {src:02X?}");
    }
}
