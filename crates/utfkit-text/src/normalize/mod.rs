//! Normalization (Unicode Standard Annex #15), and equality under it.
//!
//! RFC 3629 section 10: "Security may also be impacted by a characteristic of
//! several character encodings, including UTF-8: the 'same thing' (as far as a
//! user can tell) can be represented by several distinct character sequences."
//!
//! Text in memory is normalized by the crate `unicode-normalization`. Its iterators
//! take the end of a chunk for the end of the text, so streams have an
//! implementation here.

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
    /// Compatibility decomposition, then canonical composition: ﬁ becomes fi,
    /// ² becomes 2. It loses differences that may matter to a reader.
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

impl NormalizationForm {
    /// All four forms.
    pub const ALL: [NormalizationForm; 4] =
        [NormalizationForm::Nfc, NormalizationForm::Nfd, NormalizationForm::Nfkc, NormalizationForm::Nfkd];

    /// The version of Unicode of the tables. Code points that are unassigned in it
    /// are not changed.
    pub const UNICODE_VERSION: (u8, u8, u8) = unicode_normalization::UNICODE_VERSION;

    /// The name, such as `NFC`.
    pub const fn name(self) -> &'static str {
        match self {
            NormalizationForm::Nfc => "NFC",
            NormalizationForm::Nfd => "NFD",
            NormalizationForm::Nfkc => "NFKC",
            NormalizationForm::Nfkd => "NFKD",
        }
    }

    /// The form named `label`, in any case.
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

/// Returns true if `text` is in this form.
///
/// Cost: linear, and fast for text that is certainly normalized (Annex #15, section
/// 9), as most text is in NFC.
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

/// Normalizes `text`. Borrows it, without an allocation, if it is in this form
/// already.
///
/// Memory is not bounded: a run of combining marks is sorted as a whole. For text
/// of unknown origin use `NormalizeReader` (feature `std`).
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

/// Returns true if `a` and `b` are canonically equivalent (Unicode Standard, D70;
/// RFC 3629 section 10).
///
/// Texts that only look equal (Latin a and Cyrillic а) are not, and neither are
/// texts that differ in case or in compatibility characters.
///
/// Cost: the common prefix is skipped by byte, the rest is decomposed on the fly.
/// Allocates only for a character with more than four combining marks.
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
    // The common prefix need not be decomposed, even if marks after it are
    // reordered with its own: sorting is stable within a class, so each class
    // begins with equal marks in both texts.
    a[same..].nfd().eq(b[same..].nfd())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::{string::String, vec::Vec};

    /// Characters that interact: starters, marks of several classes, and characters
    /// that decompose or compose.
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

    /// The text number `number`: a string of `len` [`CHARS`].
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
