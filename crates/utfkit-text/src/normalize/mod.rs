//! Normalization (Unicode Standard Annex #15), and equality by it.
//!
//! RFC 3629 section 10: "Security may also be impacted by a characteristic of
//! several character encodings, including UTF-8: the 'same thing' (as far as a
//! user can tell) can be represented by several distinct character sequences."
//!
//! The tables and the algorithm for text in memory are those of the crate
//! `unicode-normalization`. The same for a stream is here: its iterators take
//! the end of a piece for the end of the text.

#[cfg(feature = "std")]
mod engine;
#[cfg(feature = "std")]
mod segment;
#[cfg(feature = "std")]
mod stream;

#[cfg(feature = "std")]
pub use stream::{NormalizeReader, NormalizeWriter};

use alloc::borrow::Cow;
use core::fmt;

use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfd, is_nfkc, is_nfkd};

use utfkit_core::internal::common_prefix;

/// One of the four normalization forms (Unicode Standard Annex #15, section
/// 1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NormalizationForm {
    /// Canonical composition: é is one code point. RFC 5198 asks for it on the
    /// Internet.
    #[default]
    Nfc,
    /// Canonical decomposition: é is an e and an accent.
    Nfd,
    /// Compatibility decomposition, then canonical composition: ﬁ is f and i,
    /// ² is 2. It loses differences that may matter to a reader.
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

impl NormalizationForm {
    /// All four.
    pub const ALL: [NormalizationForm; 4] =
        [NormalizationForm::Nfc, NormalizationForm::Nfd, NormalizationForm::Nfkc, NormalizationForm::Nfkd];

    /// The version of Unicode whose tables are used. A code point that it does
    /// not have yet is left as it is.
    pub const UNICODE_VERSION: (u8, u8, u8) = unicode_normalization::UNICODE_VERSION;

    /// The name, as `NFC`.
    pub const fn name(self) -> &'static str {
        match self {
            NormalizationForm::Nfc => "NFC",
            NormalizationForm::Nfd => "NFD",
            NormalizationForm::Nfkc => "NFKC",
            NormalizationForm::Nfkd => "NFKD",
        }
    }

    /// The form that `label` names. Case does not matter.
    ///
    /// ```
    /// use utfkit::NormalizationForm;
    ///
    /// assert_eq!(NormalizationForm::for_label("nfc"), Some(NormalizationForm::Nfc));
    /// ```
    pub fn for_label(label: &str) -> Option<NormalizationForm> {
        NormalizationForm::ALL.into_iter().find(|form| form.name().eq_ignore_ascii_case(label))
    }
}

impl fmt::Display for NormalizationForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether `text` is normalized.
///
/// Cost: linear. Quick for text that is surely normalized, which most text in
/// NFC is (Annex #15, section 9).
///
/// ```
/// use utfkit::{NormalizationForm::*, is_normalized};
///
/// assert!(is_normalized("é", Nfc) && !is_normalized("é", Nfd));
/// assert!(is_normalized("e\u{301}", Nfd) && !is_normalized("e\u{301}", Nfc));
/// ```
pub fn is_normalized(text: &str, form: NormalizationForm) -> bool {
    text.is_ascii()
        || match form {
            NormalizationForm::Nfc => is_nfc(text),
            NormalizationForm::Nfd => is_nfd(text),
            NormalizationForm::Nfkc => is_nfkc(text),
            NormalizationForm::Nfkd => is_nfkd(text),
        }
}

/// `text` normalized; itself if it is normalized already, and then nothing is
/// allocated.
///
/// This is the form exactly, however many combining marks follow each other.
/// For text of unknown length and origin there is `NormalizeReader` (feature
/// `std`), whose memory is bounded.
///
/// ```
/// use std::borrow::Cow;
/// use utfkit::{NormalizationForm::*, normalize};
///
/// assert_eq!(normalize("e\u{301}", Nfc), "é");
/// assert_eq!(normalize("ﬁn²", Nfkc), "fin2");
/// assert!(matches!(normalize("café", Nfc), Cow::Borrowed("café")));
/// ```
pub fn normalize(text: &str, form: NormalizationForm) -> Cow<'_, str> {
    if is_normalized(text, form) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(match form {
        NormalizationForm::Nfc => text.nfc().collect(),
        NormalizationForm::Nfd => text.nfd().collect(),
        NormalizationForm::Nfkc => text.nfkc().collect(),
        NormalizationForm::Nfkd => text.nfkd().collect(),
    })
}

/// Whether `a` and `b` are canonically equivalent: the same text to its
/// reader, however it is composed (Unicode Standard, D70; RFC 3629 section 10).
///
/// Texts that merely look the same (Latin a and Cyrillic а) are not equal, nor
/// those that differ in case or in compatibility characters.
///
/// Cost: the common beginning is skipped by byte, the rest decomposed on the way; it allocates only for a character with more than four
/// combining marks.
///
/// ```
/// use utfkit::normalized_eq;
///
/// assert!(normalized_eq("café", "cafe\u{301}"));
/// assert!(normalized_eq("\u{212B}", "Å")); // the Ångström sign
/// assert!(!normalized_eq("ﬁ", "fi"));
/// ```
pub fn normalized_eq(a: &str, b: &str) -> bool {
    let mut same = common_prefix(a.as_bytes(), b.as_bytes());
    if same == a.len() && same == b.len() {
        return true;
    }
    while !a.is_char_boundary(same) || !b.is_char_boundary(same) {
        same -= 1;
    }
    // The common beginning need not be decomposed, even where marks after
    // it change places with its own: sorting keeps the order within a class, so
    // each class begins with the same marks in both.
    a[same..].nfd().eq(b[same..].nfd())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::{string::String, vec::Vec};

    /// Characters that meet each other: starters, marks of several classes,
    /// characters that decompose, and that compose with those before them.
    pub(super) const CHARS: [char; 24] = [
        'a',
        'e',
        'é',
        'ẹ',
        '\u{301}',
        '\u{323}',
        '\u{344}',
        '\u{34F}',
        '\u{345}',
        '\u{212B}',
        'ﬁ',
        '\u{FF9E}',
        '\u{1100}',
        '\u{1161}',
        '\u{11A8}',
        '가',
        '각',
        '\u{958}',
        '\u{93C}',
        '\u{F73}',
        '\u{FDFA}',
        '\u{1D15E}',
        '\u{9C7}',
        '\u{9BE}',
    ];

    /// Texts by number: strings of [`CHARS`] without an end.
    pub(super) fn text(mut number: u64, len: usize) -> String {
        (0..len)
            .map(|_| {
                number = number.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                CHARS[(number >> 33) as usize % CHARS.len()]
            })
            .collect()
    }

    #[test]
    fn the_examples_of_annex_15() {
        use NormalizationForm::*;
        // Figures 3 to 6: source, NFD, NFC, NFKD, NFKC.
        let cases = [
            ("\u{212B}", "A\u{30A}", "\u{C5}", "A\u{30A}", "\u{C5}"),
            ("\u{2126}", "\u{3A9}", "\u{3A9}", "\u{3A9}", "\u{3A9}"),
            ("\u{1E69}", "s\u{323}\u{307}", "\u{1E69}", "s\u{323}\u{307}", "\u{1E69}"),
            ("\u{1E0B}\u{323}", "d\u{323}\u{307}", "\u{1E0D}\u{307}", "d\u{323}\u{307}", "\u{1E0D}\u{307}"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}", "q\u{323}\u{307}", "q\u{323}\u{307}", "q\u{323}\u{307}"),
            ("\u{FB01}", "\u{FB01}", "\u{FB01}", "fi", "fi"),
            ("2\u{2075}", "2\u{2075}", "2\u{2075}", "25", "25"),
            ("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}", "\u{1E9B}\u{323}", "s\u{323}\u{307}", "\u{1E69}"),
        ];
        for (source, nfd, nfc, nfkd, nfkc) in cases {
            for (form, expected) in [(Nfd, nfd), (Nfc, nfc), (Nfkd, nfkd), (Nfkc, nfkc)] {
                assert_eq!(normalize(source, form), expected, "{source} {form}");
                assert_eq!(is_normalized(source, form), source == expected, "{source} {form}");
                assert_eq!(matches!(normalize(source, form), Cow::Borrowed(_)), source == expected);
                assert!(is_normalized(expected, form));
            }
            assert!(normalized_eq(source, nfd) && normalized_eq(nfc, source));
            assert_eq!(normalized_eq(source, nfkd), nfd == nfkd);
        }
    }

    #[test]
    fn equality_is_that_of_the_decomposed_texts() {
        let texts: Vec<String> = (0..300).map(|number| text(number, 1 + number as usize % 4)).collect();
        let forms = |text: &str| [text.into(), text.nfd().collect::<String>(), text.nfc().collect()];
        let mut equal = 0;
        for a in &texts {
            for b in &texts {
                for (a, b) in forms(a).iter().zip(forms(b).iter().rev()) {
                    let expected = a.nfd().collect::<String>() == b.nfd().collect::<String>();
                    assert_eq!(normalized_eq(a, b), expected, "{a:?} {b:?}");
                    equal += usize::from(expected && a != b);
                }
            }
        }
        assert!(equal > 100);
    }

    #[test]
    fn what_is_the_same_before_it_does_not_matter() {
        for before in ["", "a", "日本語", "e\u{301}", "\u{301}", "\u{323}", "\u{F73}", "\u{1100}"] {
            for number in 0..200 {
                let (a, b) = (text(number, 3), text(number + 1, 2));
                let (a, b) = (before.repeat(70) + &a, before.repeat(70) + &b);
                let expected = a.nfd().eq(b.nfd());
                assert_eq!(normalized_eq(&a, &b), expected, "{a:?} {b:?}");
                assert!(normalized_eq(&a, &normalize(&a, NormalizationForm::Nfc)), "{a:?}");
                assert!(normalized_eq(&normalize(&a, NormalizationForm::Nfd), &a), "{a:?}");
            }
        }
    }

    #[test]
    fn names() {
        for form in NormalizationForm::ALL {
            assert_eq!(NormalizationForm::for_label(form.name()), Some(form));
        }
        assert_eq!(NormalizationForm::for_label("nfq"), None);
        assert_eq!(NormalizationForm::default().name(), "NFC");
    }
}
