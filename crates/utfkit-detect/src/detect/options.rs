//! The options of detection.

use alloc::vec::Vec;

use super::language::Language;
use crate::model::LanguageSet;
use utfkit_core::Encoding;

/// The encodings that come into question, and the languages that the text may be in.
///
/// ```
/// use utfkit::Encoding;
/// use utfkit::detect::Options;
///
/// let bytes = b"\xC4\xE5 \xEA\xF0\xE0\xF1\xE0"; // of four letters and two
/// let koi8_r = Encoding::for_label("KOI8-R");
/// let found = Options::new().only(koi8_r).detect(bytes);
/// assert_eq!(found.encoding(), koi8_r);
/// let found = Options::new().only([Encoding::Utf8, Encoding::Utf16]).detect(bytes);
/// assert_eq!(found.encoding(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    only: Option<Vec<Encoding>>,
    not: Vec<Encoding>,
    languages: Vec<Language>,
    /// Of the model.
    of_model: LanguageSet,
}

/// The penalty, in bits, of an encoding that is not customary for the languages told, and of
/// text in another language: a dozen letters outweigh both.
const NOT_CUSTOMARY: u32 = 8;
const OTHER_LANGUAGE: u32 = 4;

impl Options {
    /// Nothing is known.
    pub fn new() -> Options {
        Options::default()
    }

    /// The encoding is one of these. Bytes that are text in none of them are in none. Of UTF-16
    /// and UTF-32 both byte orders are meant. Called again, adds to them.
    #[must_use]
    pub fn only(mut self, encodings: impl IntoIterator<Item = Encoding>) -> Options {
        self.only.get_or_insert_default().extend(encodings);
        self
    }

    /// The encoding is none of these.
    #[must_use]
    pub fn not(mut self, encodings: impl IntoIterator<Item = Encoding>) -> Options {
        self.not.extend(encodings);
        self
    }

    /// The text is probably in one of these languages. That is a prior, not a condition:
    /// encodings that are customary for them become likelier, and none is excluded.
    ///
    /// ```
    /// use utfkit::detect::{Language, Options, detect};
    ///
    /// let bytes = b"\xCA\xE1\xEB\xE7";
    /// let greek: Language = "el".parse()?;
    /// assert_eq!(Options::new().language([greek]).detect(bytes).name(), Some("windows-1253"));
    /// # Ok::<(), utfkit::detect::UnknownLanguage>(())
    /// ```
    #[must_use]
    pub fn language(mut self, languages: impl IntoIterator<Item = Language>) -> Options {
        for language in languages {
            self.languages.push(language);
            language.add_to(&mut self.of_model);
        }
        self
    }

    /// True unless the encoding is excluded.
    #[inline]
    pub(super) fn allows(&self, encoding: Encoding) -> bool {
        let is_among = |list: &[Encoding]| list.iter().any(|&one| covers(one, encoding));
        self.only.as_deref().is_none_or(is_among) && !is_among(&self.not)
    }

    /// True if any encoding is excluded.
    pub(super) fn is_restrictive(&self) -> bool {
        self.only.is_some() || !self.not.is_empty()
    }

    /// True if the encoding is one of a list.
    pub(super) fn is_listed(&self) -> bool {
        self.only.is_some()
    }

    /// The prior of an encoding in these languages, in bits.
    pub(super) fn prior(&self, encoding: Encoding) -> u32 {
        let is_customary = |language: &Language| language.is_customary(encoding);
        if self.languages.is_empty() || self.languages.iter().any(is_customary) { 0 } else { NOT_CUSTOMARY }
    }

    /// The languages, with the prior of all others in bits.
    pub(super) fn languages(&self) -> Option<(LanguageSet, u32)> {
        if self.of_model.is_empty() { None } else { Some((self.of_model, OTHER_LANGUAGE)) }
    }
}

/// True if someone who names the first means the second.
fn covers(named: Encoding, encoding: Encoding) -> bool {
    use Encoding::{Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le};
    named == encoding || matches!((named, encoding), (Utf16, Utf16Le | Utf16Be) | (Utf32, Utf32Le | Utf32Be))
}
