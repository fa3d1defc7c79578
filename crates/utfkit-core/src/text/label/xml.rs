//! The encoding that an XML document declares.

/// The label in the XML or text declaration at the beginning of `bytes` (XML 1.0,
/// productions 23 and 77), or the encoding of its first characters (appendix F.1).
/// `None` if there is no declaration or none that names an encoding: the document
/// is then in UTF-8, or its encoding is stated elsewhere (section 4.3.3).
///
/// - If the declaration is in US-ASCII, the result is its label, as written.
/// - If `<?` is in UTF-16, or `<` in UTF-32, the result is `UTF-16LE`, `UTF-16BE`,
///   `UTF-32LE` or `UTF-32BE`, whatever the declaration names: it could not name
///   the order.
///
/// A declaration in US-ASCII that names UTF-16, UTF-32 or one of their ancestors is an
/// error (section 4.3.3), and the result is `None`.
///
/// `bytes` begin where the document does and should contain the whole declaration.
/// The result is `None` if they begin with a BOM, which says more. One pass over
/// the declaration.
///
/// ```
/// use utfkit::label::encoding_of_xml;
///
/// assert_eq!(encoding_of_xml(b"<?xml version='1.0' encoding='EUC-JP'?><a/>"), Some("EUC-JP"));
/// assert_eq!(encoding_of_xml(b"<\0?\0x\0m\0l\0"), Some("UTF-16LE"));
/// assert_eq!(encoding_of_xml(b"<?xml version='1.0'?><a/>"), None);
/// ```
#[inline]
pub fn encoding_of_xml(bytes: &[u8]) -> Option<&str> {
    match bytes {
        [0, 0, 0, b'<', ..] => return Some("UTF-32BE"),
        [b'<', 0, 0, 0, ..] => return Some("UTF-32LE"),
        [0, b'<', 0, b'?', ..] => return Some("UTF-16BE"),
        [b'<', 0, b'?', 0, ..] => return Some("UTF-16LE"),
        _ => {}
    }
    let mut rest = bytes.strip_prefix(b"<?xml")?;
    loop {
        // White space precedes each attribute of a declaration; values are quoted.
        let attribute = rest.trim_ascii_start();
        if attribute.len() == rest.len() {
            return None;
        }
        let name = attribute.iter().position(|byte| !byte.is_ascii_alphabetic())?;
        let (name, after) = attribute.split_at(name);
        let value = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let (&quote, value) = value.split_first()?;
        if name.is_empty() || !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let end = value.iter().position(|byte| *byte == quote || *byte == b'>')?;
        if value[end] != quote {
            return None;
        }
        if name == b"encoding" {
            return label(&value[..end]);
        }
        rest = &value[end + 1..];
    }
}

/// `bytes` as a label, if they are one (production 81) that can be true.
#[inline]
fn label(bytes: &[u8]) -> Option<&str> {
    let is_name = bytes.first()?.is_ascii_alphabetic()
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
    let label = core::str::from_utf8(bytes).ok()?;
    let wide = ["utf16", "utf32", "ucs2", "ucs4", "csutf16", "csutf32", "iso10646ucs", "csunicode"];
    let begins = |wide: &&str| super::folded(label).take(wide.len()).eq(wide.bytes());
    (is_name && !wide.iter().any(begins)).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::encoding_of_xml;

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
            // UTF-32 in unused orders, UTF-16 without a declaration.
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
                assert_eq!(encoding_of_xml(alloc::format!("{front}{long}").as_bytes()), None);
            }
        }
    }
}
