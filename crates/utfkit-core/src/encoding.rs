//! The registry of encodings: one row each.

use core::fmt;

#[cfg(feature = "legacy")]
use crate::engine::legacy::Legacy;
use crate::label::same_label;
#[cfg(feature = "legacy")]
use crate::label::web_label;

/// An encoding: how a sequence of characters becomes a sequence of bytes.
///
/// ```
/// use utfkit::Encoding;
///
/// assert_eq!(Encoding::for_label("utf_16be"), Some(Encoding::Utf16Be));
/// assert_eq!(Encoding::Utf16Be.name(), "UTF-16BE");
/// ```
///
/// # What each refuses
///
/// An ill-formed sequence is reported, or replaced by U+FFFD (by `?` where the
/// target lacks that), or skipped, or escaped, as the [`Policy`](crate::Policy)
/// says; a character that the target lacks is
/// [`Unrepresentable`](crate::ErrorKind::Unrepresentable).
///
/// | encoding | ill-formed | lacks |
/// |---|---|---|
/// | UTF-8 | `Overlong`, `Surrogate`, `TooLarge`, `InvalidByte`, `UnexpectedContinuation`, `MissingContinuation` | surrogates, above U+10FFFF |
/// | by RFC 2279 | the same without `TooLarge` | surrogates, above 7FFFFFFF |
/// | by RFC 2044 | `InvalidByte`, `UnexpectedContinuation`, `MissingContinuation` | above 7FFFFFFF |
/// | by Kuhn, without noncharacters | as UTF-8, and `Noncharacter` | those noncharacters too |
/// | with the Hangul of Unicode 1.1 | as UTF-8, and `InvalidSequence` for U+AC00–U+D7A3 | U+3400–U+4DFF, and the Hangul that came later |
/// | CESU-8, Modified UTF-8 | as UTF-8; `UnpairedSurrogate`; `InvalidByte` for forms of four bytes, in Modified UTF-8 for 00 | surrogates |
/// | WTF-8 | as UTF-8, but `Surrogate` only for a pair | above U+10FFFF |
/// | UTF-16 | `UnpairedSurrogate` | surrogates, above U+10FFFF |
/// | WTF-16 | nothing | above U+10FFFF |
/// | UTF-32 | `Surrogate`, `TooLarge` | surrogates, above U+10FFFF |
/// | UCS-2 | `Surrogate` | above U+FFFF |
/// | UCS-4 | `Surrogate`, `TooLarge` above 7FFFFFFF | surrogates |
/// | UTF-7 | `InvalidByte`, `EmptyShift`, `PartialUnit`, `PaddingBits`, `UnpairedSurrogate` | surrogates, above U+10FFFF |
/// | mailbox names | the same, and `UnclosedShift`, `NeedlessShift` | the same |
/// | UTF-1 | `InvalidByte`, `MissingContinuation`, `Surrogate`, `TooLarge` | surrogates |
/// | ISO-8859-1, IBM437 | nothing | all other characters |
/// | US-ASCII | `InvalidByte` | above U+007F |
/// | ISO-2022-UTF-8 | as UTF-8, where it is UTF-8 | U+001B `%` `G` or `@` in a row, which would switch |
/// | the legacy encodings | `InvalidByte`, `InvalidSequence` | all other characters, and those that would be written as another one or as a shift |
///
/// A sequence cut by the end of the input is `Truncated`, in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8, RFC 3629.
    Utf8,
    /// UTF-16, little-endian, no BOM: U+FEFF is a character.
    Utf16Le,
    /// UTF-16, big-endian, no BOM: U+FEFF is a character.
    Utf16Be,
    /// UTF-16 by its BOM, big-endian without one (RFC 2781 section 4.3).
    /// Encodes little-endian with a BOM.
    Utf16,
    /// UTF-32, little-endian, no BOM: U+FEFF is a character.
    Utf32Le,
    /// UTF-32, big-endian, no BOM: U+FEFF is a character.
    Utf32Be,
    /// UTF-32 by its BOM, big-endian without one (Unicode Standard,
    /// D101). Encodes little-endian with a BOM.
    Utf32,
    /// ISO-8859-1: the byte is the code point. Not windows-1252.
    Latin1,
    /// US-ASCII: seven bits.
    UsAscii,
    /// IBM437, code page 437 of the IBM PC: US-ASCII, controls included, and 128
    /// characters after it.
    Ibm437,
    /// UTF-7, RFC 2152. The optional direct characters of the RFC are written in
    /// base64, which gets through wherever UTF-7 does.
    Utf7,
    /// UTF-7, RFC 2152, with the optional direct characters as they are. It
    /// reads the same as [`Utf7`](Encoding::Utf7).
    Utf7Optional,
    /// The variant of UTF-7 that names mailboxes, RFC 3501 section 5.1.3: for
    /// each text there is one way to write it, and no other is read.
    ImapUtf7,
    /// UTF-1, ISO-IR-178: the predecessor of UTF-8. It has 31 bits without the
    /// surrogates.
    Utf1,
    /// UCS-2, least significant byte first: one 16-bit unit a character,
    /// so U+0000–U+FFFF without the surrogates.
    Ucs2Le,
    /// UCS-2, most significant byte first, as ISO/IEC 10646 means it where it does
    /// not say.
    Ucs2Be,
    /// UCS-4, least significant byte first: 31 bits (RFC 2279 section 1)
    /// without the surrogates.
    Ucs4Le,
    /// UCS-4, most significant byte first, as ISO/IEC 10646 means it where it does
    /// not say.
    Ucs4Be,
    /// UTF-8 of RFC 2279: 31 bits in up to six bytes, shortest form only,
    /// without the surrogates.
    Utf8Rfc2279,
    /// UTF-8 of RFC 2044, whose decoding algorithm takes every form of a value
    /// and the surrogates too. **For reading old data only**: a check of the
    /// bytes says nothing about the characters.
    Utf8Rfc2044,
    /// UTF-8 without U+FFFE and U+FFFF, as "What is UTF-8?" and utf-8(7) ask.
    Utf8Kuhn,
    /// UTF-8 without the 66 noncharacters (Unicode Standard, D14).
    Utf8NoNoncharacters,
    /// UTF-8 with the Hangul of Unicode 1.1 (RFC 2279 section 5): its syllables
    /// at U+3400–U+4DFF are the ones of today at U+AC00–U+D7A3.
    Unicode11Utf8,
    /// CESU-8, UTR #26: UTF-8 in which a supplementary character is a pair of
    /// surrogates of three bytes each.
    Cesu8,
    /// Java's modified UTF-8: [`Cesu8`](Encoding::Cesu8) in which U+0000 is
    /// `C0 80` (Java Virtual Machine Specification, 4.4.7).
    Mutf8,
    /// WTF-8: UTF-8 that may have surrogates that are not paired.
    Wtf8,
    /// UTF-16 that may have surrogates that are not paired, little-endian: the
    /// names of files on Windows. It corresponds to [`Wtf8`](Encoding::Wtf8).
    Wtf16Le,
    /// The same, big-endian.
    Wtf16Be,
    /// ISO-8859-1 in which `ESC % G` switches into UTF-8 and `ESC % @` back
    /// (utf-8(7), "Application notes"). Other escape sequences of ISO 2022 are
    /// the characters they consist of.
    Iso2022Utf8,
    /// An encoding from before Unicode, of the feature `legacy`.
    #[cfg(feature = "legacy")]
    Legacy(Legacy),
    /// [`Iso2022Utf8`](Encoding::Iso2022Utf8) with another encoding than
    /// ISO-8859-1 outside of UTF-8. Its labels are `ISO-2022-UTF-8+` and one of
    /// that encoding. It is not among [`ALL`](Encoding::ALL). With one that is
    /// not [compatible with US-ASCII](Legacy::is_ascii_compatible), which has
    /// switches of its own or none to be found, it is the same as with
    /// ISO-8859-1.
    #[cfg(feature = "legacy")]
    Iso2022Utf8In(Legacy),
}

/// A row: IANA's name (or, where it has none, the usual one), and the other
/// labels.
struct Row(&'static str, &'static [&'static str]);

/// Makes a listing and the row of each encoding. One list for both, so that
/// neither can lack an encoding that the other has.
macro_rules! registry {
    ($($encoding:ident: $name:literal, $labels:expr;)*) => {
        /// Those of this library, in the order of listings.
        const OWN: &[Encoding] = &[$(Encoding::$encoding),*];

        /// The row of an encoding. Where the compiler says here that a pattern
        /// is not covered, its row in the registry is missing.
        const fn row(encoding: Encoding) -> Row {
            match encoding {
                $(Encoding::$encoding => Row($name, &$labels),)*
                #[cfg(feature = "legacy")]
                Encoding::Iso2022Utf8In(_) => row(Encoding::Iso2022Utf8),
                #[cfg(feature = "legacy")]
                Encoding::Legacy(legacy) => Row(legacy.name(), legacy.labels()),
            }
        }
    };
}

// The registry, in the order of listings: name, other labels.
registry! {
    Utf8: "UTF-8", ["csUTF8", "utf8", "u8", "utf-8-sig", "utf-8-bom", "utf8mb4", "cp65001", "65001"];
    Utf16Le: "UTF-16LE", ["csUTF16LE", "cp1200", "1200"];
    Utf16Be: "UTF-16BE", ["csUTF16BE", "cp1201", "1201"];
    Utf16: "UTF-16", ["csUTF16", "u16"];
    Utf32Le: "UTF-32LE", ["csUTF32LE", "cp12000", "12000"];
    Utf32Be: "UTF-32BE", ["csUTF32BE", "cp12001", "12001"];
    Utf32: "UTF-32", ["csUTF32", "u32"];
    Latin1: "ISO-8859-1", [
        "ISO_8859-1:1987", "iso-ir-100", "ISO_8859-1", "latin1", "l1", "IBM819", "CP819", "csISOLatin1",
        "latin", "iso8859", "8859", "8859_1", "819", "cp28591", "28591",
    ];
    UsAscii: "US-ASCII", [
        "iso-ir-6", "ANSI_X3.4-1968", "ANSI_X3.4-1986", "ISO_646.irv:1991", "ISO646-US", "us", "IBM367", "cp367",
        "csASCII", "ASCII", "646", "cp20127", "20127",
    ];
    Ibm437: "IBM437", ["cp437", "437", "csPC8CodePage437", "dos", "DOS-437"];
    Utf7: "UTF-7", ["csUTF7"];
    Utf7Optional: "X-UTF-7-OPTIONAL", ["UTF-7-OPTIONAL"];
    ImapUtf7: "UTF-7-IMAP", ["IMAP-mailbox-name", "csUTF7IMAP"];
    Utf1: "ISO-10646-UTF-1", ["UTF-1", "csISO10646UTF1", "ISO-IR-178"];
    Ucs2Le: "UCS-2LE", [];
    Ucs2Be: "ISO-10646-UCS-2", ["UCS-2", "UCS-2BE", "csUnicode"];
    Ucs4Le: "UCS-4LE", [];
    Ucs4Be: "ISO-10646-UCS-4", ["UCS-4", "UCS-4BE", "csUCS4"];
    Utf8Rfc2279: "UTF-8-RFC2279", [];
    Utf8Rfc2044: "UTF-8-RFC2044", [];
    Utf8Kuhn: "UTF-8-Kuhn", [];
    Utf8NoNoncharacters: "UTF-8-NO-NONCHARACTERS", [];
    Unicode11Utf8: "UNICODE-1-1-UTF-8", [];
    Cesu8: "CESU-8", ["csCESU8", "csCESU-8"];
    Mutf8: "Modified-UTF-8", ["MUTF-8", "Java-Modified-UTF-8"];
    Wtf8: "WTF-8", [];
    Wtf16Le: "WTF-16LE", [];
    Wtf16Be: "WTF-16BE", [];
    Iso2022Utf8: "ISO-2022-UTF-8", [];
}

/// How many come with the feature `legacy`.
#[cfg(feature = "legacy")]
const LEGACY: usize = Legacy::ALL.len();
#[cfg(not(feature = "legacy"))]
const LEGACY: usize = 0;

impl Encoding {
    /// Every encoding, in the order of listings.
    pub const ALL: &'static [Encoding] = &{
        let mut all = [Encoding::Utf8; OWN.len() + LEGACY];
        let mut i = 0;
        while i < OWN.len() {
            all[i] = OWN[i];
            i += 1;
        }
        #[cfg(feature = "legacy")]
        while i < all.len() {
            all[i] = Encoding::Legacy(Legacy::ALL[i - OWN.len()]);
            i += 1;
        }
        all
    };

    /// UTF-16 in the order of this machine, without a BOM: the bytes of `&[u16]`.
    pub const UTF16_NATIVE: Encoding =
        if cfg!(target_endian = "little") { Encoding::Utf16Le } else { Encoding::Utf16Be };

    /// UTF-32 in the order of this machine, without a BOM: the bytes of `&[u32]`.
    pub const UTF32_NATIVE: Encoding =
        if cfg!(target_endian = "little") { Encoding::Utf32Le } else { Encoding::Utf32Be };

    /// The name that IANA prefers for use in MIME; for an encoding that is not
    /// registered there, the usual one.
    pub const fn name(self) -> &'static str {
        row(self).0
    }

    /// The other labels under which [`for_label`](Encoding::for_label) knows
    /// it: IANA's aliases, and a few that programs use.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert!(Encoding::Latin1.labels().any(|label| label == "latin1"));
    /// for encoding in Encoding::ALL {
    ///     assert!(encoding.labels().all(|label| Encoding::for_label(label) == Some(*encoding)));
    /// }
    /// ```
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        row(self).1.iter().copied()
    }

    /// The number of bytes of a code unit: 1, 2 or 4.
    pub const fn unit_size(self) -> usize {
        match self {
            Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 => 2,
            Encoding::Wtf16Le | Encoding::Wtf16Be | Encoding::Ucs2Le | Encoding::Ucs2Be => 2,
            Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Utf32 => 4,
            Encoding::Ucs4Le | Encoding::Ucs4Be => 4,
            _ => 1,
        }
    }

    /// Whether its sequences have the shape of UTF-8, so that an ill-formed one is
    /// named as there.
    pub(crate) const fn is_like_utf8(self) -> bool {
        matches!(
            self,
            Encoding::Utf8
                | Encoding::Utf8Rfc2279
                | Encoding::Utf8Rfc2044
                | Encoding::Utf8Kuhn
                | Encoding::Utf8NoNoncharacters
                | Encoding::Unicode11Utf8
                | Encoding::Cesu8
                | Encoding::Mutf8
                | Encoding::Wtf8
                // An ill-formed sequence is UTF-8: ISO-8859-1 has none.
                | Encoding::Iso2022Utf8
        )
    }

    /// Whether it reads and writes a BOM, U+FEFF, that is not part of the
    /// text. In the others U+FEFF is a character.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert!(Encoding::Utf16.has_bom() && !Encoding::Utf16Le.has_bom());
    /// assert_eq!(Encoding::Utf16.encode("a").0[..], *b"\xFF\xFEa\0");
    /// assert_eq!(Encoding::Utf16Le.encode("a").0[..], *b"a\0");
    /// ```
    pub const fn has_bom(self) -> bool {
        matches!(self, Encoding::Utf16 | Encoding::Utf32)
    }

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
        let named = |encoding: &Encoding| {
            let Row(name, others) = row(*encoding);
            same_label(label, name) || others.iter().any(|other| same_label(label, other))
        };
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

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
