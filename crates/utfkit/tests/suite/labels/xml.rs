//! The encoding of an XML declaration.

use utfkit::label::encoding_of_xml;

#[test]
fn declarations() {
    for (xml, expected) in [
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", Some("UTF-8")),
        ("<?xml version='1.0' encoding='x-sjis' standalone='yes'?>", Some("x-sjis")),
        ("<?xml\tversion = \"1.0\"\r\n\tencoding\n=\n\"ISO-8859-2\" ?>", Some("ISO-8859-2")),
        // A text declaration has no version.
        ("<?xml encoding='windows-1252'?>", Some("windows-1252")),
        ("<?xml version='1.0'?>", None),
        ("<?xml version='1.0'?><a encoding='x'/>", None),
        ("<?xml version='encoding=\"a\"' encoding='b'?>", Some("b")),
        ("<?xml version='1.0'encoding='b'?>", None),
        ("<?xml version='1.0' encoding=b?>", None),
        ("<?xml version='1.0' encoding='b\"?>", None),
        ("<?xml version='1.0' encoding=''?>", None),
        ("<?xml version='1.0' encoding='8859'?>", None),
        ("<?xml version='1.0' encoding='a b'?>", None),
        ("<?xml version='1.0' encoding='é'?>", None),
        ("<?xml version='1.0' ENCODING='b'?>", None),
        ("<?xml-stylesheet encoding='b'?>", None),
        ("<?XML encoding='b'?>", None),
        (" <?xml encoding='b'?>", None),
        ("<a/>", None),
        ("", None),
        ("<?xml version='1.0' encoding='UTF-16'?>", None),
        ("<?xml version='1.0' encoding='ISO-10646-UCS-2'?>", None),
        ("<?xml version='1.0' encoding='utf_32be'?>", None),
        ("<?xml version='1.0' encoding='UTF-7'?>", Some("UTF-7")),
    ] {
        assert_eq!(encoding_of_xml(xml.as_bytes()), expected, "{xml}");
    }
}

#[test]
fn a_cut_declaration_names_nothing_else() {
    let xml = b"<?xml version='1.0' encoding='UTF-8'?><a/>";
    for len in 0..xml.len() {
        let expected = (len >= 36).then_some("UTF-8");
        assert_eq!(encoding_of_xml(&xml[..len]), expected, "{len}");
    }
}

#[test]
fn wide_units() {
    for (bytes, expected) in [
        (&b"\0<\0?\0x"[..], Some("UTF-16BE")),
        (b"<\0?\0", Some("UTF-16LE")),
        (b"\0\0\0<\0\0\0?", Some("UTF-32BE")),
        (b"<\0\0\0?\0\0\0", Some("UTF-32LE")),
        // UTF-32 in the orders 2143 and 3412, and UTF-16 without a declaration.
        (b"\0\0<\0", None),
        (b"\0<\0\0", None),
        (b"<\0a\0", None),
        (b"<\0?", None),
        // BOMs are ignored.
        (b"\xFF\xFE<\0?\0", None),
        (b"\xEF\xBB\xBF<?xml encoding='a'?>", None),
    ] {
        assert_eq!(encoding_of_xml(bytes), expected, "{bytes:02X?}");
    }
}

#[test]
fn nothing_is_too_long() {
    for piece in [" ", "a", "=", "'", " a=''", "\"", "\0", " encoding", "\u{FF}"] {
        let long = piece.repeat(1 << 18);
        for front in ["<?xml", "<?xml ", "<?xml encoding", "<?xml encoding='"] {
            assert_eq!(encoding_of_xml(std::format!("{front}{long}").as_bytes()), None);
        }
    }
}
