//! The encoding that the environment selects (utf-8(7), Application notes).
//!
//! On Unix the environment determines the encoding of the terminal, of file names
//! and of plain text. In C that is `setlocale(LC_CTYPE, "")` followed by
//! `nl_langinfo(CODESET)`. This module reads the same variables (POSIX, Base
//! Definitions, section 8.2): the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is
//! not empty. It does not check that the system has the locale; C falls back to
//! US-ASCII if not.
//!
//! ```
//! use utfkit::locale;
//!
//! let say = if locale::is_utf8() { "naïve" } else { "naive" };
//! # assert!(say.starts_with("na"));
//! ```

use alloc::string::String;
use core::fmt;
use std::env;
use std::ffi::OsStr;

use utfkit_core::Encoding;

/// The encoding of a locale.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codeset {
    /// UTF-8.
    Utf8,
    /// US-ASCII: the locale is `C` or `POSIX`, or none is set.
    UsAscii,
    /// Another encoding, as the locale spells it: `ISO-8859-15` in
    /// `de_DE.ISO-8859-15@euro`.
    Named(String),
    /// A locale that does not name its encoding, such as `de_DE`. The system's table
    /// of locales assigns one, usually an old one of 8 bits.
    Unstated,
}

impl Codeset {
    /// True for UTF-8.
    #[inline]
    pub fn is_utf8(&self) -> bool {
        *self == Codeset::Utf8
    }

    /// The name as `nl_langinfo(CODESET)` returns it: `UTF-8`, and `ANSI_X3.4-1968` for
    /// US-ASCII. Other names are returned as the locale spells them; `None` if it names
    /// no encoding.
    ///
    /// ```
    /// use utfkit::locale::Codeset;
    ///
    /// assert_eq!(Codeset::UsAscii.name(), Some("ANSI_X3.4-1968"));
    /// ```
    #[inline]
    pub fn name(&self) -> Option<&str> {
        match self {
            Codeset::Utf8 => Some("UTF-8"),
            Codeset::UsAscii => Some("ANSI_X3.4-1968"),
            Codeset::Named(name) => Some(name),
            Codeset::Unstated => None,
        }
    }

    /// The [`Encoding`] of that name ([`Encoding::for_label`]), if this library has it.
    ///
    /// ```
    /// use utfkit::{Encoding, locale::Codeset};
    ///
    /// assert_eq!(Codeset::Utf8.encoding(), Some(Encoding::Utf8));
    /// assert_eq!(Codeset::Named("ISO8859-1".into()).encoding(), Some(Encoding::Latin1));
    /// ```
    #[inline]
    pub fn encoding(&self) -> Option<Encoding> {
        Encoding::for_label(self.name()?)
    }
}

/// Writes the name; nothing for [`Codeset::Unstated`].
impl fmt::Display for Codeset {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or_default())
    }
}

/// The encoding of the locale that the environment selects.
///
/// ```
/// let codeset = utfkit::locale::codeset();
/// println!("this terminal uses {codeset}");
/// assert_eq!(codeset.is_utf8(), utfkit::locale::is_utf8());
/// ```
#[inline]
pub fn codeset() -> Codeset {
    let [all, ctype, lang] = ["LC_ALL", "LC_CTYPE", "LANG"].map(env::var_os);
    codeset_of(all.as_deref(), ctype.as_deref(), lang.as_deref())
}

/// True if the environment selects UTF-8, which utf-8(7) tests by
/// `strcmp(nl_langinfo(CODESET), "UTF-8") == 0`.
#[inline]
pub fn is_utf8() -> bool {
    codeset().is_utf8()
}

/// The encoding for given values of `LC_ALL`, `LC_CTYPE` and `LANG`.
///
/// The encoding's name is between the first `.` and the following `@`. UTF-8's name
/// matches in any case and with any punctuation, as in the C library: `utf8` equals
/// `UTF-8`. A value that is this name alone also selects UTF-8: some systems set
/// `LC_CTYPE=UTF-8`.
///
/// ```
/// use utfkit::locale::{Codeset, codeset_of};
///
/// let lang = |value: &'static str| codeset_of(None, Some("".as_ref()), Some(value.as_ref()));
/// assert_eq!(lang("en_GB.UTF-8"), Codeset::Utf8);
/// assert_eq!(lang("C"), Codeset::UsAscii);
/// assert_eq!(lang("de_DE.ISO-8859-15@euro"), Codeset::Named("ISO-8859-15".into()));
/// assert_eq!(lang("de_DE@euro"), Codeset::Unstated);
/// ```
#[inline]
pub fn codeset_of(lc_all: Option<&OsStr>, lc_ctype: Option<&OsStr>, lang: Option<&OsStr>) -> Codeset {
    let Some(locale) = [lc_all, lc_ctype, lang].into_iter().flatten().find(|value| !value.is_empty()) else {
        return Codeset::UsAscii;
    };
    let locale = locale.as_encoded_bytes();
    let (name, codeset) = match locale.iter().position(|&byte| byte == b'.') {
        Some(dot) => (&locale[..dot], without_modifier(&locale[dot + 1..])),
        None => (without_modifier(locale), &[][..]),
    };
    if !codeset.is_empty() {
        return if names_utf8(codeset) {
            Codeset::Utf8
        } else {
            Codeset::Named(String::from_utf8_lossy(codeset).into_owned())
        };
    }
    match name {
        b"C" | b"POSIX" => Codeset::UsAscii,
        _ if names_utf8(name) => Codeset::Utf8,
        _ => Codeset::Unstated,
    }
}

/// The part before the first `@`.
#[inline]
fn without_modifier(value: &[u8]) -> &[u8] {
    value.split(|&byte| byte == b'@').next().unwrap_or_default()
}

#[inline]
fn names_utf8(codeset: &[u8]) -> bool {
    codeset.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).eq(*b"utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: [&str; 3]) -> Codeset {
        let [all, ctype, lang] = values.map(|value| (value != "unset").then(|| OsStr::new(value)));
        codeset_of(all, ctype, lang)
    }

    fn named(name: &str) -> Codeset {
        Codeset::Named(name.into())
    }

    #[test]
    fn the_first_that_is_not_empty_counts() {
        assert_eq!(of(["C", "en_GB.UTF-8", "en_GB.UTF-8"]), Codeset::UsAscii);
        assert_eq!(of(["", "en_GB.UTF-8", "C"]), Codeset::Utf8);
        assert_eq!(of(["unset", "unset", "en_GB.UTF-8"]), Codeset::Utf8);
        assert_eq!(of(["unset", "ja_JP.eucJP", "en_GB.UTF-8"]), named("eucJP"));
        assert_eq!(of(["unset", "unset", "unset"]), Codeset::UsAscii);
        assert_eq!(of(["", "", ""]), Codeset::UsAscii);
    }

    #[test]
    fn every_way_to_write_it() {
        let cases = [
            ("C.UTF-8", Codeset::Utf8),
            ("C.utf8", Codeset::Utf8),
            ("en_US.UTF8", Codeset::Utf8),
            ("en_US.utf-8@euro", Codeset::Utf8),
            ("sr_RS.UTF-8@latin", Codeset::Utf8),
            ("UTF-8", Codeset::Utf8),
            ("POSIX", Codeset::UsAscii),
            ("C@x", Codeset::UsAscii),
            ("C.", Codeset::UsAscii),
            ("C.ISO-8859-1", named("ISO-8859-1")),
            ("de_DE", Codeset::Unstated),
            ("de_DE.", Codeset::Unstated),
            ("de_DE.@euro", Codeset::Unstated),
            ("ru_RU.KOI8-R", named("KOI8-R")),
            ("x@y.UTF-8", Codeset::Utf8),
            ("en_US.UTF-16", named("UTF-16")),
            ("en_US.UTF-88", named("UTF-88")),
            ("en_US.UTF-7", named("UTF-7")),
            (".", Codeset::Unstated),
            ("@", Codeset::Unstated),
        ];
        for (value, codeset) in cases {
            assert_eq!(of(["unset", "unset", value]), codeset, "{value}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_no_text_is_not_lost() {
        use std::os::unix::ffi::OsStrExt;
        let value = OsStr::from_bytes(b"a\xFF.\xFE@\xFD");
        assert_eq!(codeset_of(Some(value), None, None), named("\u{FFFD}"));
    }

    #[test]
    fn names_and_encodings() {
        assert_eq!(Codeset::Utf8.name(), Some("UTF-8"));
        assert_eq!(Codeset::Unstated.name(), None);
        assert_eq!(Codeset::UsAscii.encoding(), Some(Encoding::UsAscii));
        assert_eq!(named("UTF-16LE").encoding(), Some(Encoding::Utf16Le));
        assert_eq!(named("no-such").encoding(), None);
        assert_eq!(Codeset::Unstated.encoding(), None);
        assert_eq!(is_utf8(), codeset().is_utf8());
    }
}
