//! Lenient decoding.

use utfkit::diagnose::*;

#[test]
fn what_was_hidden_is_shown() {
    for (bytes, expected) in [
        (&b""[..], ""),
        ("Grüße, 日本語 😀".as_bytes(), "Grüße, 日本語 😀"),
        // RFC 3629 section 10.
        (b"\x2F\xC0\xAE\x2E\x2F", "/../"),
        (b"a\xC0\x80b", "a\0b"),
        // The five overlong forms of U+000A in Kuhn's text.
        (b"\xC0\x8A\xE0\x80\x8A\xF0\x80\x80\x8A\xF8\x80\x80\x80\x8A\xFC\x80\x80\x80\x80\x8A", "\n\n\n\n\n"),
        (b"\xE0\x83\xA9\xED\xA0\xBD\xED\xB8\x80.", "é😀."),
        (b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80", "\u{FFFD}😀"),
        (b"\xED\xB8\x80\xED\xA0\xBD", "\u{FFFD}\u{FFFD}"),
        (b"\xF0\x8D\xA0\xBD", "\u{FFFD}"),
        (b"\xF5\x80\x80\x80x\xFE\xFF", "\u{FFFD}x\u{FFFD}\u{FFFD}"),
        (b"\xE2\x82A\x80\xE2\x82", "\u{FFFD}A\u{FFFD}\u{FFFD}"),
    ] {
        assert_eq!(lenient_reading(bytes), expected, "{bytes:02X?}");
    }
}

/// In all strings of three bytes, well-formed sequences are unchanged and
/// U+FFFD replaces only ill-formed ones.
#[test]
fn well_formed_text_is_itself() {
    const BYTES: [u8; 14] = [0x00, 0x41, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xFC];
    for a in BYTES {
        for b in BYTES {
            for c in BYTES {
                for bytes in [&[a, b, c][..], &[a, b, c, 0x80, 0x80, 0x80], &[0x41, a, b, 0x42, c]] {
                    let text = lenient_reading(bytes);
                    match core::str::from_utf8(bytes) {
                        Ok(same) => assert_eq!(text, same),
                        Err(_) => assert_ne!(text.as_bytes(), bytes),
                    }
                    let ascii =
                        |bytes: &[u8]| bytes.iter().copied().filter(u8::is_ascii_alphabetic).collect::<Vec<_>>();
                    assert!(ascii(text.as_bytes()).len() >= ascii(bytes).len(), "{bytes:02X?} {text:?}");
                }
            }
        }
    }
}
