//! Labels: the encoding that a text declares.
//!
//! | declaration | |
//! |---|---|
//! | `Content-Type: text/plain; charset=UTF-8` | [`charset_of_content_type`] |
//! | `<?xml version="1.0" encoding="UTF-8"?>` | [`encoding_of_xml`] |
//! | `<meta charset="utf-8">` | [`charset_of_html`] |
//!
//! A label has two readings. [`Encoding::for_label`]
//! follows IANA's registry: `iso-8859-1` is ISO-8859-1. [`web_label`] follows
//! browsers, that is the Encoding Standard of the WHATWG: `iso-8859-1` is
//! windows-1252.
//!
//! These functions ignore BOMs. Where a BOM counts, ask [`bom`](crate::bom) first.

#[cfg(feature = "alloc")]
mod content_type;
pub(crate) mod html;
mod web;
mod xml;

#[cfg(feature = "alloc")]
pub use content_type::charset_of_content_type;
pub use html::charset_of_html;
#[cfg(all(test, feature = "legacy"))]
pub(crate) use web::ROWS as WEB_ROWS;
pub use web::web_label;
pub use xml::encoding_of_xml;

use crate::encoding::Encoding;

impl Encoding {
    /// The encoding that `label` names in IANA's reading, where `ISO-8859-1` is
    /// ISO-8859-1. Case does not matter, nor does anything but letters and
    /// digits, nor a zero before a number (RFC 2978 section 2.3; UTS #22
    /// section 1.4). It looks among [`ALL`](Encoding::ALL), so that the labels of
    /// `Legacy` need the feature `legacy`.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::for_label("iso_8859-1"), Some(Encoding::Latin1));
    /// assert_eq!(Encoding::for_label("utf-08"), Some(Encoding::Utf8));
    /// ```
    pub fn for_label(label: &str) -> Option<Encoding> {
        #[cfg(feature = "legacy")]
        if let Some((switching, outer)) = label.split_once('+')
            && same_label(switching, Encoding::Iso2022Utf8.name())
        {
            return match Encoding::for_label(outer)? {
                Encoding::Latin1 => Some(Encoding::Iso2022Utf8),
                Encoding::Legacy(legacy) if legacy.is_ascii_compatible() => Some(Encoding::Iso2022Utf8In(legacy)),
                _ => None,
            };
        }
        // Most labels differ in the first letter.
        let first = folded(label).next();
        let is_same = |other: &str| folded(other).next() == first && same_label(label, other);
        let named = |encoding: &Encoding| is_same(encoding.name()) || encoding.labels().any(is_same);
        Encoding::ALL.iter().copied().find(named)
    }

    /// The encoding that `label` names on the web, where `ISO-8859-1` and
    /// `US-ASCII` are windows-1252, and `UTF-16` is little-endian (WHATWG
    /// Encoding Standard, section 4.2). Case does not matter, nor does space
    /// around it.
    ///
    /// It exists with the feature `legacy` only, without which most labels of
    /// the web would name nothing: what it returns never depends on the features
    /// that another crate asks for. The name alone, without the encoding, is
    /// [`label::web_label`](crate::label::web_label), which is always there. A
    /// label of `replacement`, which decodes everything to one U+FFFD, names no
    /// encoding here.
    ///
    /// ```
    /// use utfkit::{Encoding, Legacy};
    ///
    /// assert_eq!(Encoding::for_web_label(" utf-16 "), Some(Encoding::Utf16Le));
    /// assert_eq!(Encoding::for_web_label("iso-8859-1"), Some(Encoding::Legacy(Legacy::Windows1252)));
    /// ```
    #[cfg(feature = "legacy")]
    pub fn for_web_label(label: &str) -> Option<Encoding> {
        let name = web_label(label)?;
        Encoding::ALL.iter().copied().find(|encoding| encoding.name() == name)
    }
}

/// True if two labels match: case is ignored (RFC 2978 section 2.3), and so are
/// US-ASCII characters other than letters and digits, and leading zeros of numbers
/// (Unicode Technical Standard #22, section 1.4). `ISO_8859-01` matches `iso88591`;
/// `utf-80` does not match `utf-8`.
///
/// No label has a character outside US-ASCII, so none is ignored.
#[inline]
pub(crate) fn same_label(a: &str, b: &str) -> bool {
    folded(a).eq(folded(b))
}

/// The significant bytes of a label, in lower case.
///
/// Numbers are found before characters are dropped: `8859-01` has two numbers, and
/// the zero leads the second one. A zero leads a number if a digit follows, so `0`
/// stays.
#[inline]
fn folded(label: &str) -> impl Iterator<Item = u8> {
    let bytes = label.as_bytes();
    let mut in_number = false;
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        let counts = match byte {
            b'0' if !in_number => !bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
            b'0'..=b'9' => true,
            _ => byte.is_ascii_alphabetic() || !byte.is_ascii(),
        };
        in_number = counts && byte.is_ascii_digit();
        counts.then(|| byte.to_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::same_label;

    #[test]
    fn case_punctuation_and_leading_zeros_do_not_count() {
        for (a, b) in [
            ("UTF-8", "utf8"),
            ("UTF-8", "u.t.f-008"),
            ("utf-08", "UTF-8"),
            (" utf 8\t", "UTF-8"),
            ("ISO_8859-01", "iso88591"),
            ("ISO_8859-1:1987", "iso 8859 1 1987"),
            ("cp-0932", "CP932"),
            ("x-0", "X0"),
            ("x-00", "X0"),
            ("", "--"),
        ] {
            assert!(same_label(a, b) && same_label(b, a), "{a} {b}");
        }
    }

    #[test]
    fn letters_and_digits_do() {
        for (a, b) in [
            ("utf-80", "utf-8"),
            ("ut8", "utf-8"),
            ("utf-8é", "utf-8"),
            ("utf-16", "utf-16le"),
            ("iso-8859-10", "iso-8859-1"),
            ("iso-8859-101", "iso-8859-11"),
            ("cp1250", "cp125"),
            ("", "0"),
        ] {
            assert!(!same_label(a, b) && !same_label(b, a), "{a} {b}");
        }
    }
}
