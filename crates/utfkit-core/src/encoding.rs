//! The registry of encodings: a row each.

use core::fmt;

use crate::engine::codec::{Codec, Source, Target};
#[cfg(feature = "legacy")]
use crate::engine::legacy::{Legacy, LegacyReader, LegacyWriter};
use crate::engine::row::{Clause, Form, Kernels, Lengths, Order, Row};
use crate::engine::special::Special;
use utfkit_forms::Standard;
use utfkit_forms::scalar;
use utfkit_forms::scalar::iso2022::{Iso2022Reader, Iso2022Writer};
use utfkit_forms::scalar::wtf8::{Wtf8Reader, Wtf8Writer};
use utfkit_forms::scalar::wtf16::{Wtf16Bytes, Wtf16Reader};
use utfkit_forms::scalar::{bytes, stateless, utf7_variants, utf8_standards};

/// Makes the enum of the encodings, [`Encoding::row`], and the list of [`OWN`]
/// from one row for each.
macro_rules! encodings {
    ($(#[$of_enum:meta])* ; $($(#[$doc:meta])* $encoding:ident => $row:expr;)*) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Encoding {
            $($(#[$doc])* $encoding,)*
            /// An encoding from before Unicode, of the feature `legacy`.
            ///
            /// Errors: `InvalidByte`, `InvalidSequence`. It lacks most characters, and
            /// characters that would be written as another one or as a shift.
            #[cfg(feature = "legacy")]
            Legacy(Legacy),
            /// [`Iso2022Utf8`](Encoding::Iso2022Utf8) with another encoding than
            /// ISO-8859-1 outside of UTF-8. Its labels are `ISO-2022-UTF-8+` and one of
            /// that encoding. It is not among [`ALL`](Encoding::ALL). With one that is
            /// not [compatible with US-ASCII](Legacy::is_ascii_compatible), which has
            /// switches of its own or none to be found, it is
            /// [`Iso2022Utf8`](Encoding::Iso2022Utf8).
            #[cfg(feature = "legacy")]
            Iso2022Utf8In(Legacy),
        }

        /// The encodings of this library, in the order of listings.
        const OWN: &[Encoding] = &[$(Encoding::$encoding),*];

        impl Encoding {
            pub(crate) const fn row(self) -> &'static Row {
                match self {
                    $(Encoding::$encoding => {
                        static ROW: Row = $row;
                        &ROW
                    })*
                    #[cfg(feature = "legacy")]
                    Encoding::Legacy(_) => {
                        static ROW: Row = Row { lengths: Lengths::LEGACY, ..Row::BYTE };
                        &ROW
                    }
                    #[cfg(feature = "legacy")]
                    Encoding::Iso2022Utf8In(_) => {
                        static ROW: Row = Row { lengths: Lengths::ISO_2022_IN, kind_at_hand: None, ..ISO_2022 };
                        &ROW
                    }
                }
            }
        }
    };
}

encodings! {
    /// An encoding: how a sequence of characters becomes a sequence of bytes.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::for_label("utf_16be"), Some(Encoding::Utf16Be));
    /// assert_eq!(Encoding::Utf16Be.name(), "UTF-16BE");
    /// ```
    ///
    /// Each lists the [kinds](crate::ErrorKind) of error in it and the characters
    /// that it lacks. A sequence that the end of the input cuts is `Truncated` in all
    /// of them, and a character that the target lacks
    /// [`Unrepresentable`](crate::ErrorKind::Unrepresentable). The
    /// [`Policy`](crate::Policy) says how either is treated.
    ;

    /// UTF-8, RFC 3629.
    ///
    /// Errors: `Overlong`, `Surrogate`, `TooLarge`, `InvalidByte`,
    /// `UnexpectedContinuation`, `MissingContinuation`. It lacks surrogates, and
    /// values above U+10FFFF.
    Utf8 => Row {
        name: "UTF-8",
        labels: &["csUTF8", "utf8", "u8", "utf-8-sig", "utf-8-bom", "utf8mb4", "cp65001", "65001"],
        codec: Codec::ascii::<scalar::utf8::Utf8>(),
        kernels: Kernels::Own(Form::Utf8, Order::Little),
        clause: Clause::Utf8(Standard::Rfc3629),
        ..Row::UTF8
    };
    /// UTF-16, little-endian, no BOM: U+FEFF is a character.
    ///
    /// Errors: `UnpairedSurrogate`. It lacks surrogates, and values above U+10FFFF.
    Utf16Le => Row {
        name: "UTF-16LE",
        labels: &["csUTF16LE", "cp1200", "1200"],
        codec: Codec::form::<bytes::Utf16Le>(),
        kernels: Kernels::Own(Form::Utf16, Order::Little),
        ..UTF16
    };
    /// UTF-16, big-endian, no BOM: U+FEFF is a character.
    ///
    /// Errors: `UnpairedSurrogate`. It lacks surrogates, and values above U+10FFFF.
    Utf16Be => Row {
        name: "UTF-16BE",
        labels: &["csUTF16BE", "cp1201", "1201"],
        codec: Codec::form::<bytes::Utf16Be>(),
        kernels: Kernels::Own(Form::Utf16, Order::Big),
        ..UTF16
    };
    /// UTF-16 by its BOM, big-endian without one (RFC 2781 section 4.3).
    /// Encodes little-endian with a BOM.
    ///
    /// Errors: `UnpairedSurrogate`. It lacks surrogates, and values above U+10FFFF.
    Utf16 => Row {
        name: "UTF-16",
        labels: &["csUTF16", "u16"],
        codec: Codec {
            source: Codec::form::<bytes::Utf16Be>().source,
            target: Codec::form::<bytes::Utf16Le>().target,
        },
        kernels: Kernels::Own(Form::Utf16, Order::Bom),
        ..UTF16
    };
    /// UTF-32, little-endian, no BOM: U+FEFF is a character.
    ///
    /// Errors: `Surrogate`, `TooLarge`. It lacks surrogates, and values above
    /// U+10FFFF.
    Utf32Le => Row {
        name: "UTF-32LE",
        labels: &["csUTF32LE", "cp12000", "12000"],
        codec: Codec::form::<bytes::Utf32Le>(),
        kernels: Kernels::Own(Form::Utf32, Order::Little),
        ..UTF32
    };
    /// UTF-32, big-endian, no BOM: U+FEFF is a character.
    ///
    /// Errors: `Surrogate`, `TooLarge`. It lacks surrogates, and values above
    /// U+10FFFF.
    Utf32Be => Row {
        name: "UTF-32BE",
        labels: &["csUTF32BE", "cp12001", "12001"],
        codec: Codec::form::<bytes::Utf32Be>(),
        kernels: Kernels::Own(Form::Utf32, Order::Big),
        ..UTF32
    };
    /// UTF-32 by its BOM, big-endian without one (Unicode Standard, D101). Encodes
    /// little-endian with a BOM.
    ///
    /// Errors: `Surrogate`, `TooLarge`. It lacks surrogates, and values above
    /// U+10FFFF.
    Utf32 => Row {
        name: "UTF-32",
        labels: &["csUTF32", "u32"],
        codec: Codec {
            source: Codec::form::<bytes::Utf32Be>().source,
            target: Codec::form::<bytes::Utf32Le>().target,
        },
        kernels: Kernels::Own(Form::Utf32, Order::Bom),
        ..UTF32
    };
    /// ISO-8859-1: the byte is the code point. Not windows-1252.
    ///
    /// No errors. It lacks characters above U+00FF.
    Latin1 => Row {
        name: "ISO-8859-1",
        labels: &[
            "ISO_8859-1:1987", "iso-ir-100", "ISO_8859-1", "latin1", "l1", "IBM819", "CP819", "csISOLatin1",
            "latin", "iso8859", "8859", "8859_1", "819", "cp28591", "28591",
        ],
        codec: Codec::ascii::<scalar::latin1::Latin1>(),
        lengths: Lengths::LATIN1,
        kernels: Kernels::Own(Form::Latin1, Order::Little),
        clause: Clause::Of("ISO/IEC 8859-1"),
        ..Row::BYTE
    };
    /// US-ASCII: seven bits.
    ///
    /// Errors: `InvalidByte`. It lacks characters above U+007F.
    UsAscii => Row {
        name: "US-ASCII",
        labels: &[
            "iso-ir-6", "ANSI_X3.4-1968", "ANSI_X3.4-1986", "ISO_646.irv:1991", "ISO646-US", "us", "IBM367", "cp367",
            "csASCII", "ASCII", "646", "cp20127", "20127",
        ],
        codec: Codec::ascii::<scalar::ascii::Ascii>(),
        lengths: Lengths::ASCII,
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::NON_ASCII),
        clause: Clause::Of("RFC 20"),
        ..Row::BYTE
    };
    /// IBM437, code page 437 of the IBM PC: US-ASCII, controls included, and 128
    /// characters after it.
    ///
    /// No errors. It lacks all other characters.
    Ibm437 => Row {
        name: "IBM437",
        labels: &["cp437", "437", "csPC8CodePage437", "dos", "DOS-437"],
        codec: Codec::ascii::<scalar::ibm437::Ibm437>(),
        clause: Clause::Of("IBM code page 437"),
        ..Row::BYTE
    };
    /// UTF-7, RFC 2152. The optional direct characters of the RFC are written in
    /// base64, which gets through wherever UTF-7 does.
    ///
    /// Errors: `InvalidByte`, `EmptyShift`, `PartialUnit`, `PaddingBits`,
    /// `UnpairedSurrogate`. It lacks surrogates, and values above U+10FFFF.
    Utf7 => Row {
        name: "UTF-7",
        labels: &["csUTF7", "cp65000", "65000"],
        codec: Codec::utf7(&utf7_variants::RFC_2152),
        ..UTF7
    };
    /// UTF-7, RFC 2152, with the optional direct characters as they are. It
    /// reads the same as [`Utf7`](Encoding::Utf7).
    Utf7Optional => Row {
        name: "X-UTF-7-OPTIONAL",
        labels: &["UTF-7-OPTIONAL"],
        codec: Codec::utf7(&utf7_variants::RFC_2152_OPTIONAL),
        ..UTF7
    };
    /// The variant of UTF-7 that names mailboxes, RFC 3501 section 5.1.3: for
    /// each text there is one way to write it, and no other is read.
    ///
    /// Errors: as in [`Utf7`](Encoding::Utf7), `UnclosedShift`, `NeedlessShift`.
    ImapUtf7 => Row {
        name: "UTF-7-IMAP",
        labels: &["IMAP-mailbox-name", "csUTF7IMAP"],
        codec: Codec::utf7(&utf7_variants::IMAP),
        clause: Clause::Of("RFC 3501 section 5.1.3"),
        ..UTF7
    };
    /// UTF-1, ISO-IR-178: the predecessor of UTF-8, with 31 bits.
    ///
    /// Errors: `InvalidByte`, `MissingContinuation`, `Surrogate`, `TooLarge`. It
    /// lacks surrogates.
    Utf1 => Row {
        name: "ISO-10646-UTF-1",
        labels: &["UTF-1", "csISO10646UTF1", "ISO-IR-178"],
        codec: Codec::ascii::<scalar::utf1::Utf1>(),
        lengths: Lengths::UTF1,
        clause: Clause::Of("ISO-IR-178"),
        ..Row::BYTE
    };
    /// UCS-2, least significant byte first: one 16-bit unit a character.
    ///
    /// Errors: `Surrogate`. It lacks surrogates, and values above U+FFFF.
    Ucs2Le => Row {
        name: "UCS-2LE",
        codec: Codec::form::<scalar::ucs2::Ucs2Le>(),
        kernels: Kernels::Shared(Form::Utf16, Order::Little, Special::SUPPLEMENTARY),
        ..UCS2
    };
    /// UCS-2, most significant byte first, as ISO/IEC 10646 means it where it does
    /// not say.
    ///
    /// Errors: `Surrogate`. It lacks surrogates, and values above U+FFFF.
    Ucs2Be => Row {
        name: "ISO-10646-UCS-2",
        labels: &["UCS-2", "UCS-2BE", "csUnicode"],
        codec: Codec::form::<scalar::ucs2::Ucs2Be>(),
        kernels: Kernels::Shared(Form::Utf16, Order::Big, Special::SUPPLEMENTARY),
        ..UCS2
    };
    /// UCS-4, least significant byte first: 31 bits (RFC 2279 section 1).
    ///
    /// Errors: `Surrogate`, `TooLarge` above 7FFFFFFF. It lacks surrogates.
    Ucs4Le => Row {
        name: "UCS-4LE",
        codec: Codec::form::<scalar::ucs4::Ucs4Le>(),
        kernels: Kernels::Shared(Form::Utf32, Order::Little, Special::NOTHING),
        clause: Clause::Of("RFC 2279 section 1"),
        ..UTF32
    };
    /// UCS-4, most significant byte first, as ISO/IEC 10646 means it where it does
    /// not say.
    ///
    /// Errors: `Surrogate`, `TooLarge` above 7FFFFFFF. It lacks surrogates.
    Ucs4Be => Row {
        name: "ISO-10646-UCS-4",
        labels: &["UCS-4", "UCS-4BE", "csUCS4"],
        codec: Codec::form::<scalar::ucs4::Ucs4Be>(),
        kernels: Kernels::Shared(Form::Utf32, Order::Big, Special::NOTHING),
        clause: Clause::Of("RFC 2279 section 1"),
        ..UTF32
    };
    /// UTF-8 of RFC 2279: 31 bits in up to six bytes, shortest form only.
    ///
    /// Errors: as in [`Utf8`](Encoding::Utf8) without `TooLarge`. It lacks
    /// surrogates, and values above 7FFFFFFF.
    Utf8Rfc2279 => Row {
        name: "UTF-8-RFC2279",
        codec: Codec::ascii::<utf8_standards::Utf8Rfc2279>(),
        lengths: Lengths::UTF8_OF_SIX,
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::NOTHING),
        clause: Clause::Utf8(Standard::Rfc2279),
        kind_at_hand: Some(|bytes, kind| scalar::utf8::doomed_kind(bytes, Standard::Rfc2279).unwrap_or(kind)),
        ..Row::UTF8
    };
    /// UTF-8 of RFC 2044, whose decoding algorithm takes every form of a value
    /// and the surrogates too. **For reading old data only**: a check of the
    /// bytes says nothing about the characters.
    ///
    /// Errors: `InvalidByte`, `UnexpectedContinuation`, `MissingContinuation`. It
    /// lacks values above 7FFFFFFF.
    Utf8Rfc2044 => Row {
        name: "UTF-8-RFC2044",
        codec: Codec::ascii::<utf8_standards::Utf8Rfc2044>(),
        lengths: Lengths::UTF8_OF_SIX.with_surrogates(),
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::NOTHING),
        clause: Clause::Utf8(Standard::Rfc2044),
        kind_at_hand: Some(|_, kind| kind),
        ..Row::UTF8
    };
    /// UTF-8 without U+FFFE and U+FFFF, as Kuhn's definition and utf-8(7) ask.
    ///
    /// Errors: as in [`Utf8`](Encoding::Utf8), `Noncharacter`. It lacks
    /// surrogates, values above U+10FFFF, and these noncharacters.
    Utf8Kuhn => Row {
        name: "UTF-8-Kuhn",
        codec: Codec::ascii::<utf8_standards::Utf8Kuhn>(),
        lengths: Lengths::UTF8_WITH_GAPS,
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::KUHN),
        clause: Clause::Utf8(Standard::Kuhn),
        ..Row::UTF8
    };
    /// UTF-8 without the 66 noncharacters (Unicode Standard, D14).
    ///
    /// Errors: as in [`Utf8`](Encoding::Utf8), `Noncharacter`. It lacks
    /// surrogates, values above U+10FFFF, and these noncharacters.
    Utf8NoNoncharacters => Row {
        name: "UTF-8-NO-NONCHARACTERS",
        codec: Codec::ascii::<utf8_standards::Utf8NoNoncharacters>(),
        lengths: Lengths::UTF8_WITH_GAPS,
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::NONCHARACTERS),
        clause: Clause::Utf8(Standard::NoNoncharacters),
        ..Row::UTF8
    };
    /// UTF-8 with the Hangul of Unicode 1.1 (RFC 2279 section 5): its syllables
    /// at U+3400–U+4DFF are the ones of today at U+AC00–U+D7A3.
    ///
    /// Errors: as in [`Utf8`](Encoding::Utf8), `InvalidSequence` for
    /// U+AC00–U+D7A3. It lacks U+3400–U+4DFF, and the Hangul that came later.
    Unicode11Utf8 => Row {
        name: "UNICODE-1-1-UTF-8",
        codec: Codec::ascii::<scalar::unicode11::Unicode11>(),
        lengths: Lengths::UTF8_WITH_GAPS,
        clause: Clause::Of("RFC 2279 section 5"),
        ..Row::UTF8
    };
    /// CESU-8, UTR #26: UTF-8 in which a supplementary character is a pair of
    /// surrogates of three bytes each.
    ///
    /// Errors: as in [`Utf8`](Encoding::Utf8), `UnpairedSurrogate`; `InvalidByte`
    /// for forms of four bytes. It lacks surrogates.
    Cesu8 => Row {
        name: "CESU-8",
        labels: &["csCESU8", "csCESU-8"],
        codec: Codec::ascii::<scalar::cesu8::Cesu8>(),
        lengths: Lengths::CESU8,
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::SUPPLEMENTARY),
        clause: Clause::Of("UTR #26"),
        kind_at_hand: Some(|_, kind| kind),
        ..Row::UTF8
    };
    /// Java's modified UTF-8: [`Cesu8`](Encoding::Cesu8) in which U+0000 is
    /// `C0 80` (Java Virtual Machine Specification, 4.4.7).
    ///
    /// Errors: as in CESU-8; `InvalidByte` for 00. It lacks surrogates.
    Mutf8 => Row {
        name: "Modified-UTF-8",
        labels: &["MUTF-8", "Java-Modified-UTF-8"],
        // 00 is not U+0000.
        codec: Codec::form::<scalar::mutf8::Mutf8>(),
        lengths: Lengths::MUTF8,
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::SUPPLEMENTARY.or(Special::NUL)),
        clause: Clause::Of("Java Virtual Machine Specification, 4.4.7"),
        kind_at_hand: Some(|_, kind| kind),
        ..Row::UTF8
    };
    /// WTF-8: UTF-8 that may have surrogates that are not paired.
    ///
    /// Errors: as in [`Utf8`](Encoding::Utf8), but `Surrogate` only for a pair.
    /// It lacks values above U+10FFFF.
    Wtf8 => Row {
        name: "WTF-8",
        codec: Codec { source: Source::Wtf8(Wtf8Reader), target: Target::Wtf8(Wtf8Writer::new()) },
        lengths: Lengths::UTF8.with_surrogates(),
        kernels: Kernels::Shared(Form::Utf8, Order::Little, Special::NOTHING),
        clause: Clause::Of("The WTF-8 encoding"),
        kind_at_hand: Some(|_, kind| kind),
        ..Row::UTF8
    };
    /// UTF-16 that may have surrogates that are not paired, little-endian: the
    /// names of files on Windows. It corresponds to [`Wtf8`](Encoding::Wtf8).
    ///
    /// No errors. It lacks values above U+10FFFF.
    Wtf16Le => Row {
        name: "WTF-16LE",
        codec: Codec {
            source: Source::Wtf16Le(Wtf16Reader::new()),
            target: Codec::form::<Wtf16Bytes<bytes::Little>>().target,
        },
        kernels: Kernels::Shared(Form::Utf16, Order::Little, Special::NOTHING),
        ..WTF16
    };
    /// [`Wtf16Le`](Encoding::Wtf16Le), but big-endian.
    Wtf16Be => Row {
        name: "WTF-16BE",
        codec: Codec {
            source: Source::Wtf16Be(Wtf16Reader::new()),
            target: Codec::form::<Wtf16Bytes<bytes::Big>>().target,
        },
        kernels: Kernels::Shared(Form::Utf16, Order::Big, Special::NOTHING),
        ..WTF16
    };
    /// ISO-8859-1 in which `ESC % G` switches into UTF-8 and `ESC % @` back
    /// (utf-8(7), "Application notes"). Other escape sequences of ISO 2022 are
    /// the characters they consist of.
    ///
    /// Errors: as in [`Utf8`](Encoding::Utf8), where it is UTF-8. It lacks
    /// U+001B `%` `G` or `@` in a row, which would switch.
    Iso2022Utf8 => ISO_2022;
}

// The common part of the rows of a form.

const UTF16: Row = Row {
    unit: 2,
    lengths: Lengths::UTF16,
    clause: Clause::Units("RFC 2781 section 2.2", "Unicode Standard, D91"),
    ..Row::BYTE
};

const WTF16: Row =
    Row { lengths: Lengths::UTF16.with_surrogates(), clause: Clause::Of("The WTF-8 encoding, section 3"), ..UTF16 };

const UCS2: Row = Row { lengths: Lengths::UCS2, clause: Clause::Of("ISO/IEC 10646-1:2000, UCS-2"), ..UTF16 };

const UTF32: Row = Row { unit: 4, lengths: Lengths::UTF32, clause: Clause::Of("Unicode Standard, D90"), ..Row::BYTE };

const ISO_2022: Row = Row {
    name: "ISO-2022-UTF-8",
    codec: Codec {
        source: Source::Iso2022(Iso2022Reader::new(stateless())),
        target: Target::Iso2022(Iso2022Writer::new(stateless())),
    },
    lengths: Lengths::ISO_2022,
    clause: Clause::Of("utf-8(7)"),
    ..Row::UTF8
};

const UTF7: Row = Row { lengths: Lengths::UTF7, clause: Clause::Of("RFC 2152"), ..Row::BYTE };

/// The number of encodings of the feature `legacy`.
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
        match self {
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => legacy.name(),
            _ => self.row().name,
        }
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
        let labels = match self {
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => legacy.labels(),
            _ => self.row().labels,
        };
        labels.iter().copied()
    }

    /// The number of bytes of a code unit: 1, 2 or 4.
    pub const fn unit_size(self) -> usize {
        self.row().unit
    }

    /// True if its sequences have the shape of UTF-8, whose errors are named by the
    /// whole sequence.
    pub(crate) const fn is_like_utf8(self) -> bool {
        self.row().kind_at_hand.is_some()
    }

    /// The decoder at the beginning of a stream. That of [`Utf16`](Encoding::Utf16)
    /// and [`Utf32`](Encoding::Utf32) is for text without a BOM: big-endian.
    // Out of line: where this is inlined, all codecs that it names are compiled.
    #[inline(never)]
    pub(crate) fn source(self) -> Source {
        match self {
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => Source::Legacy(LegacyReader::new(legacy)),
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(legacy) if legacy.is_ascii_compatible() => {
                Source::Iso2022In(Iso2022Reader::new(LegacyReader::new(legacy)))
            }
            _ => self.row().codec.source.clone(),
        }
    }

    /// The encoder at the beginning of a stream. That of [`Utf16`](Encoding::Utf16)
    /// and [`Utf32`](Encoding::Utf32) is little-endian, for the text after the BOM.
    #[inline(never)]
    pub(crate) fn target(self) -> Target {
        match self {
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => Target::Legacy(LegacyWriter::new(legacy)),
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(legacy) if legacy.is_ascii_compatible() => {
                Target::Iso2022In(Iso2022Writer::new(LegacyWriter::new(legacy)))
            }
            _ => self.row().codec.target.clone(),
        }
    }

    /// True if it reads and writes a BOM, U+FEFF, that is not part of the text. In
    /// the others U+FEFF is a character.
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
}

/// Writes the [name](Encoding::name), and for `Iso2022Utf8In` the label of which it is a
/// part: what [`FromStr`](core::str::FromStr) reads.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(legacy) if legacy.is_ascii_compatible() => {
                write!(f, "{}+{}", self.name(), legacy.name())
            }
            _ => f.write_str(self.name()),
        }
    }
}
