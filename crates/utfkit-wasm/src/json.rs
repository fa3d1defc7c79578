//! JSON, as much of it as the results need.

use core::fmt::{Display, Write};

/// Writes an array or an object into a string.
pub(crate) struct Json<'a>(pub(crate) &'a mut String);

impl Json<'_> {
    /// Writes `open`, the parts that `parts` writes, and `close`.
    pub(crate) fn within(&mut self, open: char, close: char, parts: impl FnOnce(&mut Json<'_>)) {
        self.0.push(open);
        parts(self);
        self.0.push(close);
    }

    pub(crate) fn array<T>(&mut self, of: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Json<'_>, T)) {
        self.within('[', ']', |json| {
            for one in of {
                json.comma();
                each(json, one);
            }
        });
    }

    /// The name of a member, whose value has to follow.
    pub(crate) fn key(&mut self, name: &str) -> &mut Self {
        self.comma();
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
        self
    }

    /// A number, `true` or `false`.
    pub(crate) fn plain(&mut self, value: impl Display) {
        let _ = write!(self.0, "{value}");
    }

    pub(crate) fn text(&mut self, value: impl Display) {
        self.0.push('"');
        let _ = write!(Escaped(self.0), "{value}");
        self.0.push('"');
    }

    pub(crate) fn maybe_text(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.text(value),
            None => self.0.push_str("null"),
        }
    }

    pub(crate) fn maybe(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.plain(value),
            None => self.0.push_str("null"),
        }
    }

    pub(crate) fn hex(&mut self, bytes: &[u8]) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        self.0.push('"');
        for byte in bytes {
            self.0.push(DIGITS[usize::from(byte >> 4)].into());
            self.0.push(DIGITS[usize::from(byte & 15)].into());
        }
        self.0.push('"');
    }

    pub(crate) fn comma(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with(['[', '{', ':', ',']) {
            self.0.push(',');
        }
    }
}

/// Escapes what a string of JSON may not hold (RFC 8259 section 7).
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for c in text.chars() {
            match c {
                '"' | '\\' => {
                    self.0.push('\\');
                    self.0.push(c);
                }
                '\0'..='\x1F' => write!(self.0, "\\u{:04x}", u32::from(c))?,
                _ => self.0.push(c),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_and_members_separated() {
        let mut out = String::new();
        let mut json = Json(&mut out);
        json.within('{', '}', |json| {
            json.key("a").text("\"\\\n\u{1F600}[");
            json.key("b").array([1, 2], |json, n| json.plain(n));
            json.key("c").array([[0xC0, 0xAF]], |json, bytes| json.hex(&bytes));
            json.key("d").maybe_text(None::<&str>);
            json.key("e").array(["{", ","], |json, text| json.text(text));
        });
        assert_eq!(out, r#"{"a":"\"\\\u000a😀[","b":[1,2],"c":["c0af"],"d":null,"e":["{",","]}"#);
    }
}
