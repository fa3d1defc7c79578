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
