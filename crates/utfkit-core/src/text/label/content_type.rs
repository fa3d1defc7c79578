//! The `charset` parameter of a media type, as in the `Content-Type` field of mail
//! and HTTP.

use alloc::borrow::Cow;
use alloc::string::String;

/// The value of the parameter `charset` of a `Content-Type` field; `None` if
/// there is none, or if the field does not begin with `type/subtype`.
///
/// `value` is the part after the colon: `text/html; charset=utf-8`. The syntax is
/// that of RFC 2045 section 5.1, with white space and comments between any two
/// tokens, and of RFC 9110 section 8.3, which forbids both. A value that fits
/// neither is read by the MIME Sniffing Standard of the WHATWG (section 4.4): an
/// ill-formed parameter is skipped, an unterminated quoted string extends to the
/// end, and the first `charset` with a value counts, in any case.
///
/// The result borrows from `value` unless it contains a quoted pair (`\-`). It may
/// be the label of no encoding. One pass over `value`.
///
/// ```
/// use utfkit::label::charset_of_content_type;
///
/// let charset = charset_of_content_type("text/html; x=\";\"; Charset = \"utf-8\" (as always)");
/// assert_eq!(charset.as_deref(), Some("utf-8"));
/// assert_eq!(charset_of_content_type("text/html"), None);
/// ```
#[inline]
#[cfg(feature = "alloc")]
pub fn charset_of_content_type(value: &str) -> Option<Cow<'_, str>> {
    let mut rest = Rest(value);
    let top = rest.token();
    if !rest.eat('/') {
        return None;
    }
    let sub = rest.token();
    if !is_token(top) || !is_token(sub) {
        return None;
    }
    loop {
        // Skip characters that belong to no parameter.
        rest.until(|c| c == ';');
        if !rest.eat(';') {
            return None;
        }
        let name = rest.token();
        if !rest.eat('=') {
            continue;
        }
        rest.skip_space();
        let value = if rest.eat('"') { Some(rest.quoted()) } else { rest.value() };
        rest.skip_space();
        if name.eq_ignore_ascii_case("charset") && value.is_some() {
            return value;
        }
    }
}

/// The unread part.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    #[inline]
    fn eat(&mut self, expected: char) -> bool {
        match self.0.strip_prefix(expected) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Takes everything before the first character for which `ends` is true.
    #[inline]
    fn until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) = self.0.split_at(self.0.find(ends).unwrap_or(self.0.len()));
        self.0 = rest;
        taken
    }

    /// A token, perhaps empty, with the space around it. It may contain characters
    /// that no token may have.
    #[inline]
    fn token(&mut self) -> &'a str {
        self.skip_space();
        let token = self.until(|c| is_space(c) || matches!(c, '/' | ';' | '=' | '('));
        self.skip_space();
        token
    }

    /// An unquoted value. `ISO_8859-1:1987` is not a token, but is understood.
    #[inline]
    fn value(&mut self) -> Option<Cow<'a, str>> {
        let value = self.until(|c| is_space(c) || matches!(c, ';' | '('));
        (!value.is_empty()).then_some(Cow::Borrowed(value))
    }

    /// The rest of a quoted string, after its first quotation mark.
    #[inline]
    fn quoted(&mut self) -> Cow<'a, str> {
        let plain = self.until(|c| matches!(c, '"' | '\\'));
        if !self.0.starts_with('\\') {
            self.eat('"');
            return Cow::Borrowed(plain);
        }
        let mut value = String::from(plain);
        while self.eat('\\') {
            let mut chars = self.0.chars();
            value.push(chars.next().unwrap_or('\\'));
            self.0 = chars.as_str();
            value.push_str(self.until(|c| matches!(c, '"' | '\\')));
        }
        self.eat('"');
        Cow::Owned(value)
    }

    /// White space and comments. An unterminated comment extends to the end.
    #[inline]
    fn skip_space(&mut self) {
        self.until(|c| !is_space(c));
        while self.0.starts_with('(') {
            let mut depth = 0_usize;
            let mut escaped = false;
            let end = self.0.bytes().position(|byte| {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            // A parenthesis is one byte, so a boundary follows it.
            self.0 = end.map_or("", |end| &self.0[end + 1..]);
            self.until(|c| !is_space(c));
        }
    }
}

/// White space between tokens, folded lines included.
#[inline]
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// True if `text` is a token (RFC 2045 section 5.1).
#[inline]
fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_graphic() && !br#"()<>@,;:\"/[]?="#.contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}
