//! The encoding that an HTML document declares.

use super::web::web_label_of_bytes;

/// The number of bytes that are scanned.
const LIMIT: usize = 1024;

/// The encoding that an HTML document declares in its first 1024 bytes, by its name
/// in the Encoding Standard; `None` if it declares none.
///
/// The HTML Standard calls this "prescan a byte stream to determine its encoding"
/// (section 13.2.3.2). The first `meta` element counts that has an attribute
/// `charset`, or `http-equiv="content-type"` with a charset in `content`;
/// comments, other tags and their attributes do not. Without such an element, an
/// XML declaration counts ("get an XML encoding").
///
/// Labels are looked up by [`web_label`](super::web_label). A document whose
/// declaration can be read byte by byte is not in UTF-16: a declaration of UTF-16
/// means UTF-8. x-user-defined means windows-1252, except in an XML declaration,
/// where the standard keeps it. The result is UTF-16 only if the document begins
/// with `<?x` in it.
///
/// One pass over at most 1024 bytes, without allocation.
///
/// ```
/// use utfkit::label::charset_of_html;
///
/// assert_eq!(charset_of_html(b"<!DOCTYPE html><meta charset=latin1>"), Some("windows-1252"));
/// assert_eq!(charset_of_html(b"<!-- <meta charset=latin1> -->"), None);
/// ```
#[inline]
pub fn charset_of_html(bytes: &[u8]) -> Option<&'static str> {
    let bytes = &bytes[..bytes.len().min(LIMIT)];
    if bytes.starts_with(b"<\0?\0x\0") {
        return Some("UTF-16LE");
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return Some("UTF-16BE");
    }
    // The end of the bytes ends the scan of tags, wherever it is.
    prescan(bytes, web_label_of_bytes).map(meant).or_else(|| xml_encoding(bytes))
}

/// The label of the first `meta` element whose charset `known` accepts, as `known` returns it. Elements are found
/// as by [`charset_of_html`]; this is for labels that the Encoding Standard lacks.
pub fn label_of_html<'a, T: Copy>(bytes: &'a [u8], known: impl Fn(&'a [u8]) -> Option<T>) -> Option<T> {
    prescan(&bytes[..bytes.len().min(LIMIT)], known)
}

/// Scans the tags, at most to the end of the bytes.
#[inline]
fn prescan<'a, T: Copy>(bytes: &'a [u8], known: impl Fn(&'a [u8]) -> Option<T>) -> Option<T> {
    let mut scan = Scan { bytes, at: 0 };
    loop {
        let rest = scan.rest();
        match rest {
            [] => return None,
            [b'<', b'!', b'-', b'-', ..] => {
                // The hyphens of `<!-->` also end it.
                scan.at += 2;
                scan.at += scan.rest().windows(3).position(|end| end == b"-->")? + 2;
            }
            [b'<', m, e, t, a, after, ..]
                if [*m, *e, *t, *a].eq_ignore_ascii_case(b"meta") && (is_space(*after) || *after == b'/') =>
            {
                scan.at += 5;
                let found = scan.meta(&known)?;
                if found.is_some() {
                    return found;
                }
            }
            [b'<', letter, ..] | [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                scan.at += rest.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
                while scan.attribute()?.is_some() {}
            }
            [b'<', b'!' | b'/' | b'?', ..] => scan.at += rest.iter().position(|byte| *byte == b'>')?,
            _ => {}
        }
        scan.at += 1;
    }
}

/// A place in the document. Methods return `None` at the end of the bytes.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// An attribute's name and value.
struct Attribute<'a> {
    name: &'a [u8],
    value: &'a [u8],
}

impl<'a> Scan<'a> {
    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes the bytes before the first one for which `ends` is true.
    #[inline]
    fn until(&mut self, ends: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let taken = &self.rest()[..self.rest().iter().position(|byte| ends(*byte))?];
        self.at += taken.len();
        Some(taken)
    }

    /// The encoding that the attributes of a `meta` element declare.
    #[inline]
    fn meta<T: Copy>(&mut self, known: impl Fn(&'a [u8]) -> Option<T>) -> Option<Option<T>> {
        let (mut seen_pragma, mut seen_content, mut seen_charset) = (false, false, false);
        let mut got_pragma = false;
        let mut need_pragma = None;
        // `Some(None)` is a label of no encoding, after which `content` does not
        // count.
        let mut charset = None;
        while let Some(attribute) = self.attribute()? {
            // Of attributes with one name the first counts.
            if attribute.is("http-equiv", &mut seen_pragma) {
                got_pragma = attribute.value.eq_ignore_ascii_case(b"content-type");
            } else if attribute.is("content", &mut seen_content) {
                if charset.is_none()
                    && let Some(found) = label_of_content(attribute.value).and_then(&known)
                {
                    charset = Some(Some(found));
                    need_pragma = Some(true);
                }
            } else if attribute.is("charset", &mut seen_charset) {
                charset = Some(known(attribute.value));
                need_pragma = Some(false);
            }
        }
        Some(match need_pragma {
            None => None,
            Some(true) if !got_pragma => None,
            Some(_) => charset.flatten(),
        })
    }

    /// "Get an attribute": `Some(None)` if there are no more.
    #[inline]
    fn attribute(&mut self) -> Option<Option<Attribute<'a>>> {
        self.until(|byte| !is_space(byte) && byte != b'/')?;
        if self.byte()? == b'>' {
            return Some(None);
        }
        let start = self.at;
        // An equals sign at the beginning of a name belongs to it.
        self.at += 1;
        self.until(|byte| is_space(byte) || matches!(byte, b'=' | b'/' | b'>'))?;
        let name = &self.bytes[start..self.at];
        self.until(|byte| !is_space(byte))?;
        if self.byte()? != b'=' {
            return Some(Some(Attribute { name, value: &[] }));
        }
        self.at += 1;
        self.until(|byte| !is_space(byte))?;
        let value = match self.byte()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.until(|byte| byte == quote)?;
                self.at += 1;
                value
            }
            _ => self.until(|byte| is_space(byte) || byte == b'>')?,
        };
        Some(Some(Attribute { name, value }))
    }
}

impl Attribute<'_> {
    /// True for the first attribute of this name.
    #[inline]
    fn is(&self, name: &str, seen: &mut bool) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes()) && !core::mem::replace(seen, true)
    }
}

/// "Extracting a character encoding from a `meta` element": the charset in the value
/// of its attribute `content`.
#[inline]
fn label_of_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    let value = loop {
        let word = rest.windows(7).position(|word| word.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[word + 7..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            break value.trim_ascii_start();
        }
    };
    Some(match value {
        // Without a closing quotation mark there is no charset.
        [quote @ (b'"' | b'\''), value @ ..] => &value[..value.iter().position(|byte| byte == quote)?],
        _ => &value[..value.iter().position(|byte| is_space(*byte) || *byte == b';').unwrap_or(value.len())],
    })
}

/// The encoding that a `meta` element means by a label.
#[inline]
fn meant(name: &'static str) -> &'static str {
    if name == "x-user-defined" { "windows-1252" } else { not_utf_16(name) }
}

/// "Get an XML encoding", which is more lenient than XML.
#[inline]
fn xml_encoding(bytes: &[u8]) -> Option<&'static str> {
    const WORD: &[u8] = b"encoding";
    let rest = bytes.strip_prefix(b"<?xml")?;
    if !rest.contains(&b'>') {
        return None;
    }
    let rest = &rest[rest.windows(WORD.len()).position(|word| word == WORD)? + WORD.len()..];
    let rest = skip_low(skip_low(rest).strip_prefix(b"=")?);
    let (&quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..rest.iter().position(|byte| *byte == quote)?];
    if label.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    web_label_of_bytes(label).map(not_utf_16)
}

/// `bytes` without leading white space and controls.
#[inline]
fn skip_low(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().position(|byte| *byte > b' ').unwrap_or(bytes.len())..]
}

/// A document that was read byte by byte is not in UTF-16.
#[inline]
fn not_utf_16(name: &'static str) -> &'static str {
    if matches!(name, "UTF-16LE" | "UTF-16BE") { "UTF-8" } else { name }
}

/// White space of HTML.
#[inline]
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}
