//! Names of encodings and of error handlers.

use std::collections::HashMap;
use std::mem::discriminant;
use std::sync::{PoisonError, RwLock};

use engine::Encoding;
use pyo3::exceptions::{PyLookupError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::unicode::Text;

/// An encoding as Python names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) encoding: Encoding,
    /// `utf-8-sig`: U+FEFF at the front is a BOM, and is written.
    pub(crate) with_bom: bool,
}

impl Named {
    pub(crate) const UTF_8: Named = Named { encoding: Encoding::Utf8, with_bom: false };

    /// The name in exceptions: in lower case, as Python has it.
    pub(crate) fn name(self) -> String {
        if self.with_bom { "utf-8-sig".to_owned() } else { self.encoding.name().to_ascii_lowercase() }
    }

    /// True if the meaning of a byte, or the form of a character, depends on what came before.
    pub(crate) fn has_state(self) -> bool {
        use engine::Legacy::{Hz, Iso2022Jp, Iso2022Kr};
        match self.encoding {
            Encoding::Utf16 | Encoding::Utf32 => true,
            Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => true,
            Encoding::Iso2022Utf8 | Encoding::Iso2022Utf8In(_) => true,
            Encoding::Legacy(legacy) => matches!(legacy, Hz | Iso2022Jp | Iso2022Kr),
            _ => self.with_bom,
        }
    }
}

/// A cache, because a lookup takes as long as a short conversion.
static KNOWN: RwLock<Option<HashMap<String, Option<Named>>>> = RwLock::new(None);

/// A bound on the cache: a program with more names is trying them out.
const MOST: usize = 1000;

/// The encoding for a name.
pub(crate) fn find(name: &str) -> Option<Named> {
    if let Some(encoding) = usual(name.as_bytes()) {
        return Some(Named { encoding, with_bom: false });
    }
    if let Some(known) = &*KNOWN.read().unwrap_or_else(PoisonError::into_inner)
        && let Some(named) = known.get(name)
    {
        return *named;
    }
    let named = look_up(name);
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if known.len() < MOST {
        known.insert(name.to_owned(), named);
    }
    named
}

/// The names of most calls, as Python spells them. A look into the cache takes a fifth of the time of a
/// short text.
#[inline]
fn usual(name: &[u8]) -> Option<Encoding> {
    Some(match name {
        b"utf-8" | b"utf8" | b"UTF-8" | b"utf_8" => Encoding::Utf8,
        b"latin-1" | b"latin1" | b"iso-8859-1" => Encoding::Latin1,
        b"ascii" | b"us-ascii" => Encoding::UsAscii,
        b"utf-16" | b"utf16" => Encoding::Utf16,
        b"utf-32" | b"utf32" => Encoding::Utf32,
        b"utf-16-le" | b"utf-16le" => Encoding::Utf16Le,
        b"utf-16-be" | b"utf-16be" => Encoding::Utf16Be,
        _ => return None,
    })
}

fn look_up(name: &str) -> Option<Named> {
    // The prefix under which our codecs are registered.
    let name = match name.get(..7) {
        Some(front) if front.eq_ignore_ascii_case("utfkit-") || front.eq_ignore_ascii_case("utfkit_") => &name[7..],
        _ => name,
    };
    let encoding = Encoding::for_label(name)?;
    // Labels differ in letters and digits only.
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    Some(Named { encoding, with_bom: matches!(&plain[..], "utf8sig" | "utf8bom") })
}

/// The encoding that an argument names by one of the usual names.
#[inline]
pub(crate) fn usual_encoding(name: &Bound<'_, PyAny>) -> Option<Encoding> {
    let name = name.cast::<PyString>().ok()?;
    match Text::of(name) {
        Ok(Text::Ascii(name)) => usual(name),
        _ => None,
    }
}

/// The encoding that an argument names.
#[inline]
pub(crate) fn encoding(name: Option<&Bound<'_, PyAny>>) -> PyResult<Named> {
    let Some(name) = name else { return Ok(Named::UTF_8) };
    match usual_encoding(name) {
        Some(encoding) => Ok(Named { encoding, with_bom: false }),
        None => rare_encoding(name),
    }
}

#[inline(never)]
fn rare_encoding(name: &Bound<'_, PyAny>) -> PyResult<Named> {
    let label = string(name, "encoding")?.to_string_lossy();
    find(&label).ok_or_else(|| PyLookupError::new_err(format!("unknown encoding: {label}")))
}

/// An argument that is a string.
pub(crate) fn string<'a, 'py>(value: &'a Bound<'py, PyAny>, what: &str) -> PyResult<&'a Bound<'py, PyString>> {
    value.cast::<PyString>().or_else(|_| {
        let found = value.get_type().name()?;
        Err(PyTypeError::new_err(format!("'{what}' must be str, not {found}")))
    })
}

/// The way to deal with an error.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Errors<'a> {
    Strict,
    Ignore,
    Replace,
    BackslashReplace,
    SurrogateEscape,
    XmlCharRefReplace,
    SurrogatePass,
    /// The handler registered under this name. Not its text, with whose length this would not fit into two registers.
    Other(&'a Py<PyString>),
}

impl PartialEq for Errors<'_> {
    #[inline]
    fn eq(&self, other: &Errors<'_>) -> bool {
        match (self, other) {
            (Errors::Other(name), Errors::Other(other)) => name.is(*other),
            _ => discriminant(self) == discriminant(other),
        }
    }
}

impl<'a> Errors<'a> {
    pub(crate) fn of(name: Option<&'a Bound<'_, PyAny>>) -> PyResult<Errors<'a>> {
        let Some(name) = name else { return Ok(Errors::Strict) };
        let name = string(name, "errors")?;
        if let Text::Ascii(name) = Text::of(name)?
            && let Some(errors) = Errors::usual(name)
        {
            return Ok(errors);
        }
        name.to_str()?;
        Ok(Errors::Other(name.as_unbound()))
    }

    #[inline]
    fn usual(name: &[u8]) -> Option<Errors<'a>> {
        Some(match name {
            b"strict" => Errors::Strict,
            b"ignore" => Errors::Ignore,
            b"replace" => Errors::Replace,
            b"backslashreplace" => Errors::BackslashReplace,
            b"surrogateescape" => Errors::SurrogateEscape,
            b"xmlcharrefreplace" => Errors::XmlCharRefReplace,
            b"surrogatepass" => Errors::SurrogatePass,
            _ => return None,
        })
    }

    /// A number for each of the usual handlers, and [`OTHER`](Errors::OTHER).
    pub(crate) fn number(self) -> u8 {
        match self {
            Errors::Strict => 0,
            Errors::Ignore => 1,
            Errors::Replace => 2,
            Errors::BackslashReplace => 3,
            Errors::SurrogateEscape => 4,
            Errors::XmlCharRefReplace => 5,
            Errors::SurrogatePass => 6,
            Errors::Other(_) => Errors::OTHER,
        }
    }

    pub(crate) const OTHER: u8 = u8::MAX;

    /// The handler with that [`number`](Errors::number). `None` for [`OTHER`](Errors::OTHER).
    #[inline]
    pub(crate) fn numbered(number: u8) -> Option<Errors<'a>> {
        Some(match number {
            0 => Errors::Strict,
            1 => Errors::Ignore,
            2 => Errors::Replace,
            3 => Errors::BackslashReplace,
            4 => Errors::SurrogateEscape,
            5 => Errors::XmlCharRefReplace,
            6 => Errors::SurrogatePass,
            _ => return None,
        })
    }
}
