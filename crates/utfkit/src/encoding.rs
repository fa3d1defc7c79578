//! The registry of encodings: one row each.

use core::fmt;

/// An encoding: how a sequence of characters becomes a sequence of bytes.
///
/// ```
/// use utfkit::Encoding;
///
/// assert_eq!(Encoding::for_label("utf_16be"), Some(Encoding::Utf16Be));
/// assert_eq!(Encoding::Utf16Be.name(), "UTF-16BE");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8, RFC 3629.
    Utf8,
    /// UTF-16, little-endian, no signature: U+FEFF is the character it is.
    Utf16Le,
    /// UTF-16, big-endian, no signature: U+FEFF is the character it is.
    Utf16Be,
    /// UTF-16 by its signature, big-endian without one (RFC 2781 section 4.3).
    /// Encodes little-endian with a signature.
    Utf16,
    /// UTF-32, little-endian, no signature: U+FEFF is the character it is.
    Utf32Le,
    /// UTF-32, big-endian, no signature: U+FEFF is the character it is.
    Utf32Be,
    /// UTF-32 by its signature, big-endian without one (Unicode Standard,
    /// D101). Encodes little-endian with a signature.
    Utf32,
    /// ISO-8859-1: the byte is the code point. Not windows-1252.
    Latin1,
    /// US-ASCII: seven bits.
    UsAscii,
    /// UTF-7, RFC 2152. What that calls optional direct characters is written
    /// in base64, which gets through wherever UTF-7 does.
    Utf7,
    /// UTF-7, RFC 2152, with the optional direct characters as they are. It
    /// reads what [`Utf7`](Encoding::Utf7) reads.
    Utf7Optional,
    /// The variant of UTF-7 that names mailboxes, RFC 3501 section 5.1.3: for
    /// each text there is one way to write it, and no other is read.
    ImapUtf7,
    /// UTF-1, ISO-IR-178: what UTF-8 replaced. It holds 31 bits without the
    /// surrogates.
    Utf1,
}

/// A row: IANA's name (or, where it has none, the usual one), and the other
/// labels.
struct Row(&'static str, &'static [&'static str]);

/// The registry. The compiler names what is missing in it.
const fn row(encoding: Encoding) -> Row {
    match encoding {
        Encoding::Utf8 => Row("UTF-8", &["csUTF8", "utf8"]),
        Encoding::Utf16Le => Row("UTF-16LE", &["csUTF16LE"]),
        Encoding::Utf16Be => Row("UTF-16BE", &["csUTF16BE"]),
        Encoding::Utf16 => Row("UTF-16", &["csUTF16"]),
        Encoding::Utf32Le => Row("UTF-32LE", &["csUTF32LE"]),
        Encoding::Utf32Be => Row("UTF-32BE", &["csUTF32BE"]),
        Encoding::Utf32 => Row("UTF-32", &["csUTF32"]),
        Encoding::Latin1 => Row(
            "ISO-8859-1",
            &["ISO_8859-1:1987", "iso-ir-100", "ISO_8859-1", "latin1", "l1", "IBM819", "CP819", "csISOLatin1"],
        ),
        Encoding::UsAscii => Row(
            "US-ASCII",
            &[
                "iso-ir-6",
                "ANSI_X3.4-1968",
                "ANSI_X3.4-1986",
                "ISO_646.irv:1991",
                "ISO646-US",
                "us",
                "IBM367",
                "cp367",
                "csASCII",
                "ASCII",
            ],
        ),
        Encoding::Utf7 => Row("UTF-7", &["csUTF7"]),
        Encoding::Utf7Optional => Row("X-UTF-7-OPTIONAL", &["UTF-7-OPTIONAL"]),
        Encoding::ImapUtf7 => Row("UTF-7-IMAP", &["IMAP-mailbox-name", "csUTF7IMAP"]),
        Encoding::Utf1 => Row("ISO-10646-UTF-1", &["UTF-1", "csISO10646UTF1", "ISO-IR-178"]),
    }
}

impl Encoding {
    /// Every encoding, in the order of listings.
    pub const ALL: &'static [Encoding] = &[
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Utf16,
        Encoding::Utf32Le,
        Encoding::Utf32Be,
        Encoding::Utf32,
        Encoding::Latin1,
        Encoding::UsAscii,
        Encoding::Utf7,
        Encoding::Utf7Optional,
        Encoding::ImapUtf7,
        Encoding::Utf1,
    ];

    /// The name that IANA prefers for use in MIME; for what is not registered
    /// there, the usual one.
    pub const fn name(self) -> &'static str {
        row(self).0
    }

    /// The other labels under which [`for_label`](Encoding::for_label) knows
    /// it: IANA's aliases, and a few that programs use.
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        row(self).1.iter().copied()
    }

    /// The bytes of a code unit: 1, 2 or 4.
    pub const fn unit_size(self) -> usize {
        match self {
            Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 => 2,
            Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Utf32 => 4,
            _ => 1,
        }
    }

    /// Whether its sequences have the shape of UTF-8, so that a faulty one is
    /// named as there.
    pub(crate) const fn is_like_utf8(self) -> bool {
        matches!(self, Encoding::Utf8)
    }

    /// Whether it reads and writes a signature, U+FEFF, that is no part of the
    /// text. In the others U+FEFF is the character it is.
    pub const fn has_signature(self) -> bool {
        matches!(self, Encoding::Utf16 | Encoding::Utf32)
    }

    /// The encoding that `label` names. Case does not matter; `-` and `_` are
    /// alike and may be missing; space around the label is ignored.
    pub fn for_label(label: &str) -> Option<Encoding> {
        let named = |encoding: &Encoding| {
            let Row(name, others) = row(*encoding);
            matches(label, name) || others.iter().any(|other| matches(label, other))
        };
        Encoding::ALL.iter().copied().find(named)
    }
}

fn matches(a: &str, b: &str) -> bool {
    folded(a).eq(folded(b))
}

/// The characters of a label that count, in lower case.
fn folded(label: &str) -> impl Iterator<Item = u8> {
    label.trim_ascii().bytes().filter(|b| !matches!(b, b'-' | b'_')).map(|b| b.to_ascii_lowercase())
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
