//! How ill-formed input and characters that the target lacks are dealt with.

/// How many replacement characters an ill-formed stretch becomes.
///
/// ```
/// use utfkit::{Encoding, Policy, Practice, Transcoder};
///
/// // A surrogate in three bytes, and the first two bytes of a character.
/// let src = b"\xED\xA0\x80 \xE2\x82";
/// let replaced = |practice| {
///     let mut text = String::new();
///     let mut mend = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Replace(practice));
///     mend.transcode_to_string(src, &mut text, true).unwrap();
///     text
/// };
/// assert_eq!(replaced(Practice::MaximalSubpart), "\u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}");
/// assert_eq!(replaced(Practice::PerUnit), "\u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}\u{FFFD}");
/// assert_eq!(replaced(Practice::PerSequence), "\u{FFFD} \u{FFFD}");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Practice {
    /// One for each maximal subpart of an ill-formed subsequence, as the Unicode
    /// Standard recommends (section 3.9), the WHATWG Encoding Standard requires
    /// and [`String::from_utf8_lossy`] does.
    ///
    /// [`String::from_utf8_lossy`]: https://doc.rust-lang.org/std/string/struct.String.html#method.from_utf8_lossy
    #[default]
    MaximalSubpart,
    /// One for each ill-formed unit: in UTF-8 each byte, in UTF-16 and UTF-32
    /// each 16- or 32-bit unit (and a cut one at the end of the input).
    #[doc(alias = "PerByte")]
    PerUnit,
    /// One for each sequence as a person would name it: `C0 AF`, `ED A0 80`
    /// and `F8 88 80 80 80` are one each.
    PerSequence,
}

/// How a [`Transcoder`](crate::Transcoder) deals with ill-formed input and
/// with characters that the target encoding lacks.
///
/// ```
/// use utfkit::{Encoding, Policy, Practice, Transcoder};
///
/// let into_latin1 = |policy| {
///     let mut bytes = Vec::new();
///     let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Latin1, policy);
///     let _ = transcoder.transcode_to_vec(b"5 \xE2\x82\xAC\xFF!", &mut bytes, true);
///     bytes
/// };
/// assert_eq!(into_latin1(Policy::Strict), b"5 ");
/// assert_eq!(into_latin1(Policy::Replace(Practice::PerUnit)), b"5 ??!");
/// assert_eq!(into_latin1(Policy::Skip), b"5 !");
/// assert_eq!(into_latin1(Policy::Escape), br"5 \u{20AC}\xFF!");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// Stop and report. Nothing ill-formed ever reaches the output.
    #[default]
    Strict,
    /// Write U+FFFD for ill-formed sequences, and for surrogates and values above
    /// U+10FFFF that the target lacks. Write `?` for each character that the target
    /// lacks, and in place of U+FFFD where it lacks that.
    Replace(Practice),
    /// Write nothing for it.
    Skip,
    /// Write `\xNN` for each ill-formed byte and `\u{1F600}` for a character
    /// that the target lacks, or another [`EscapeForm`].
    Escape,
}

/// How [`Policy::Escape`] writes a character that the target lacks, here
/// U+20AC. An ill-formed byte is `\xNN` in every form.
///
/// ```
/// use utfkit::{Encoding, EscapeForm, Policy, Transcoder};
///
/// let mut latin1 = Transcoder::new(Encoding::Utf8, Encoding::Latin1, Policy::Escape).with_escape_form(EscapeForm::Xml);
/// let mut text = Vec::new();
/// let _ = latin1.transcode_to_vec("5 €".as_bytes(), &mut text, true);
/// assert_eq!(text, b"5 &#x20AC;");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EscapeForm {
    /// `\u{20AC}`, as in Rust, JavaScript and Swift.
    #[default]
    Braces,
    /// `&#x20AC;`, a character reference of XML and HTML.
    Xml,
    /// `\x{20AC}`, as in Perl.
    Hex,
    /// `&#8364;`, a decimal character reference of XML and HTML: what the
    /// Encoding Standard of the WHATWG has browsers write into forms.
    XmlDecimal,
}

impl EscapeForm {
    /// The base of the digits.
    pub(crate) const fn radix(self) -> u32 {
        match self {
            EscapeForm::XmlDecimal => 10,
            EscapeForm::Braces | EscapeForm::Xml | EscapeForm::Hex => 16,
        }
    }

    /// The text before and after the digits.
    pub(crate) const fn around(self) -> (&'static [u8], &'static [u8]) {
        match self {
            EscapeForm::Braces => (b"\\u{", b"}"),
            EscapeForm::Xml => (b"&#x", b";"),
            EscapeForm::Hex => (b"\\x{", b"}"),
            EscapeForm::XmlDecimal => (b"&#", b";"),
        }
    }
}
