//! The encodings of the Encoding Standard (WHATWG) that are not form of
//! Unicode: what text was written in before UTF-8.
//!
//! Their tables are those of the crate `encoding_rs`. Value by value there is
//! [`LegacyReader`] and [`LegacyWriter`], for much at once [`decode_run`] and
//! [`encode_run`], which may stop wherever they like.

mod character;
mod iso_2022_jp;
mod reader;
mod run;
mod single_byte;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use reader::LegacyReader;
pub(crate) use run::{decode_run, encode_run};
pub(crate) use writer::LegacyWriter;

use core::fmt;

/// An encoding from before UTF-8, as the Encoding Standard of the WHATWG
/// defines it. In all but ISO-2022-JP a byte below 80 that begins a character
/// is US-ASCII.
///
/// ```
/// use utfkit::Legacy;
///
/// assert_eq!(Legacy::ShiftJis.name(), "Shift_JIS");
/// assert!(Legacy::ShiftJis.labels().contains(&"cp932"));
/// ```
///
/// # What they are
///
/// The standard defines them as browsers read them. That is wider than what
/// their names say elsewhere: Big5 has the characters of Hong Kong, EUC-KR
/// those of code page 949, Shift_JIS is code page 932. Where a table leaves a
/// byte of 80 to 9F empty in the windows encodings, it is the control of that
/// number. A few sequences can be read that are never written; for four of
/// Big5 (`88 62`, `88 64`, `88 A3`, `88 A5`), which are two code points each,
/// nothing can be written at all.
///
/// Where the standard writes a character as another one (U+00A5 as 5C in
/// Shift_JIS and EUC-JP, katakana of half width as that of full width in
/// ISO-2022-JP, U+2212 as U+FF0D in all three, eighteen places for private use in
/// GBK and gb18030), the encoding lacks it here: what was written is what is read
/// back.
///
/// # Labels
///
/// [`labels`](Legacy::labels) are IANA's aliases and what programs call these
/// encodings. Some are, in IANA's registry, the names of smaller sets, which
/// everyone reads as the larger one; so they are here:
///
/// | IANA's | is read and written as |
/// |---|---|
/// | `ISO-8859-9`, `latin5` | windows-1254 |
/// | `TIS-620`, `ISO-8859-11` | windows-874 |
/// | `GB2312`, `GB_2312-80` | GBK |
/// | `KS_C_5601-1987` | EUC-KR |
/// | `Shift_JIS`, `Windows-31J` | Shift_JIS, as code page 932 |
/// | `Big5`, `Big5-HKSCS` | Big5 |
/// | `ISO-8859-6-E`, `ISO-8859-6-I` | ISO-8859-6 |
/// | `ISO-8859-8-E` | ISO-8859-8 |
///
/// The names of ISO-8859-1 and US-ASCII are not among the labels of
/// windows-1252: these are encodings of their own. Browsers take them for
/// windows-1252, and [`label::web_label`](crate::label::web_label) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Legacy {
    /// Cyrillic, code page 866 of DOS.
    Ibm866,
    /// Central European, Latin-2.
    Iso8859_2,
    /// South European, Latin-3.
    Iso8859_3,
    /// North European, Latin-4.
    Iso8859_4,
    /// Latin and Cyrillic.
    Iso8859_5,
    /// Latin and Arabic.
    Iso8859_6,
    /// Latin and Greek.
    Iso8859_7,
    /// Latin and Hebrew, in the order of display.
    Iso8859_8,
    /// Latin and Hebrew, in the order of reading. The bytes mean what they mean in
    /// ISO-8859-8.
    Iso8859_8I,
    /// Nordic, Latin-6.
    Iso8859_10,
    /// Baltic, Latin-7.
    Iso8859_13,
    /// Celtic, Latin-8.
    Iso8859_14,
    /// Western European with the euro sign, Latin-9.
    Iso8859_15,
    /// South-Eastern European, Latin-10.
    Iso8859_16,
    /// Russian, RFC 1489.
    Koi8R,
    /// Ukrainian, RFC 2319, with the Belarusian letter of KOI8-RU.
    Koi8U,
    /// Mac OS Roman.
    Macintosh,
    /// Thai.
    Windows874,
    /// Central European.
    Windows1250,
    /// Cyrillic.
    Windows1251,
    /// Western European. It is ISO-8859-1 except for the bytes 80 to 9F.
    Windows1252,
    /// Greek.
    Windows1253,
    /// Turkish.
    Windows1254,
    /// Hebrew.
    Windows1255,
    /// Arabic.
    Windows1256,
    /// Baltic.
    Windows1257,
    /// Vietnamese.
    Windows1258,
    /// Mac OS Cyrillic.
    XMacCyrillic,
    /// US-ASCII, and 80 to FF as U+F780 to U+F7FF.
    XUserDefined,
    /// Chinese, code page 936. Reads gb18030 as well.
    Gbk,
    /// Chinese, GB 18030-2022: every scalar value but U+E5E5.
    Gb18030,
    /// Chinese, traditional, with the supplement of Hong Kong.
    Big5,
    /// Japanese: JIS X 0201, JIS X 0208, and JIS X 0212 for reading.
    EucJp,
    /// Japanese, RFC 1468, with half-width katakana for reading. Seven bits and
    /// escape sequences: a state.
    Iso2022Jp,
    /// Japanese, code page 932.
    ShiftJis,
    /// Korean, code page 949.
    EucKr,
}

/// A row: the encoding, its name, its other labels, and what knows its tables.
struct Row {
    legacy: Legacy,
    name: &'static str,
    labels: &'static [&'static str],
    codec: &'static encoding_rs::Encoding,
}

const ROWS: &[Row] = &[
    Row {
        legacy: Legacy::Ibm866,
        name: "IBM866",
        labels: &["cp866", "866", "csIBM866"],
        codec: &encoding_rs::IBM866_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_2,
        name: "ISO-8859-2",
        labels: &["ISO_8859-2:1987", "iso-ir-101", "latin2", "l2", "csISOLatin2"],
        codec: &encoding_rs::ISO_8859_2_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_3,
        name: "ISO-8859-3",
        labels: &["ISO_8859-3:1988", "iso-ir-109", "latin3", "l3", "csISOLatin3"],
        codec: &encoding_rs::ISO_8859_3_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_4,
        name: "ISO-8859-4",
        labels: &["ISO_8859-4:1988", "iso-ir-110", "latin4", "l4", "csISOLatin4"],
        codec: &encoding_rs::ISO_8859_4_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_5,
        name: "ISO-8859-5",
        labels: &["ISO_8859-5:1988", "iso-ir-144", "cyrillic", "csISOLatinCyrillic"],
        codec: &encoding_rs::ISO_8859_5_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_6,
        name: "ISO-8859-6",
        labels: &[
            "ISO_8859-6:1987",
            "iso-ir-127",
            "ECMA-114",
            "ASMO-708",
            "arabic",
            "csISOLatinArabic",
            "ISO_8859-6-E",
            "csISO88596E",
            "ISO_8859-6-I",
            "csISO88596I",
        ],
        codec: &encoding_rs::ISO_8859_6_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_7,
        name: "ISO-8859-7",
        labels: &[
            "ISO_8859-7:1987",
            "iso-ir-126",
            "ELOT_928",
            "ECMA-118",
            "greek",
            "greek8",
            "csISOLatinGreek",
            "sun_eu_greek",
        ],
        codec: &encoding_rs::ISO_8859_7_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_8,
        name: "ISO-8859-8",
        labels: &[
            "ISO_8859-8:1988",
            "iso-ir-138",
            "hebrew",
            "csISOLatinHebrew",
            "ISO_8859-8-E",
            "csISO88598E",
            "visual",
        ],
        codec: &encoding_rs::ISO_8859_8_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_8I,
        name: "ISO-8859-8-I",
        labels: &["csISO88598I", "logical"],
        codec: &encoding_rs::ISO_8859_8_I_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_10,
        name: "ISO-8859-10",
        labels: &["ISO_8859-10:1992", "iso-ir-157", "latin6", "l6", "csISOLatin6"],
        codec: &encoding_rs::ISO_8859_10_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_13,
        name: "ISO-8859-13",
        labels: &["iso-ir-179", "latin7", "l7", "csISO885913"],
        codec: &encoding_rs::ISO_8859_13_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_14,
        name: "ISO-8859-14",
        labels: &["ISO_8859-14:1998", "iso-ir-199", "latin8", "l8", "iso-celtic", "csISO885914"],
        codec: &encoding_rs::ISO_8859_14_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_15,
        name: "ISO-8859-15",
        labels: &["iso-ir-203", "Latin-9", "l9", "csISO885915", "csISOLatin9"],
        codec: &encoding_rs::ISO_8859_15_INIT,
    },
    Row {
        legacy: Legacy::Iso8859_16,
        name: "ISO-8859-16",
        labels: &["ISO_8859-16:2001", "iso-ir-226", "latin10", "l10", "csISO885916"],
        codec: &encoding_rs::ISO_8859_16_INIT,
    },
    Row {
        legacy: Legacy::Koi8R,
        name: "KOI8-R",
        labels: &["koi", "koi8", "csKOI8R"],
        codec: &encoding_rs::KOI8_R_INIT,
    },
    Row { legacy: Legacy::Koi8U, name: "KOI8-U", labels: &["KOI8-RU", "csKOI8U"], codec: &encoding_rs::KOI8_U_INIT },
    Row {
        legacy: Legacy::Macintosh,
        name: "macintosh",
        labels: &["mac", "MacRoman", "x-mac-roman", "csMacintosh"],
        codec: &encoding_rs::MACINTOSH_INIT,
    },
    Row {
        legacy: Legacy::Windows874,
        name: "windows-874",
        labels: &["CP874", "dos-874", "cswindows874", "TIS-620", "csTIS620", "ISO-8859-11"],
        codec: &encoding_rs::WINDOWS_874_INIT,
    },
    Row {
        legacy: Legacy::Windows1250,
        name: "windows-1250",
        labels: &["CP1250", "x-cp1250", "MS-EE", "cswindows1250"],
        codec: &encoding_rs::WINDOWS_1250_INIT,
    },
    Row {
        legacy: Legacy::Windows1251,
        name: "windows-1251",
        labels: &["CP1251", "x-cp1251", "MS-CYRL", "cswindows1251"],
        codec: &encoding_rs::WINDOWS_1251_INIT,
    },
    Row {
        legacy: Legacy::Windows1252,
        name: "windows-1252",
        labels: &["CP1252", "x-cp1252", "MS-ANSI", "cswindows1252"],
        codec: &encoding_rs::WINDOWS_1252_INIT,
    },
    Row {
        legacy: Legacy::Windows1253,
        name: "windows-1253",
        labels: &["CP1253", "x-cp1253", "MS-GREEK", "cswindows1253"],
        codec: &encoding_rs::WINDOWS_1253_INIT,
    },
    Row {
        legacy: Legacy::Windows1254,
        name: "windows-1254",
        labels: &[
            "CP1254",
            "x-cp1254",
            "MS-TURK",
            "cswindows1254",
            "ISO-8859-9",
            "ISO_8859-9:1989",
            "iso-ir-148",
            "latin5",
            "l5",
            "csISOLatin5",
        ],
        codec: &encoding_rs::WINDOWS_1254_INIT,
    },
    Row {
        legacy: Legacy::Windows1255,
        name: "windows-1255",
        labels: &["CP1255", "x-cp1255", "MS-HEBR", "cswindows1255"],
        codec: &encoding_rs::WINDOWS_1255_INIT,
    },
    Row {
        legacy: Legacy::Windows1256,
        name: "windows-1256",
        labels: &["CP1256", "x-cp1256", "MS-ARAB", "cswindows1256"],
        codec: &encoding_rs::WINDOWS_1256_INIT,
    },
    Row {
        legacy: Legacy::Windows1257,
        name: "windows-1257",
        labels: &["CP1257", "x-cp1257", "WinBaltRim", "cswindows1257"],
        codec: &encoding_rs::WINDOWS_1257_INIT,
    },
    Row {
        legacy: Legacy::Windows1258,
        name: "windows-1258",
        labels: &["CP1258", "x-cp1258", "cswindows1258"],
        codec: &encoding_rs::WINDOWS_1258_INIT,
    },
    Row {
        legacy: Legacy::XMacCyrillic,
        name: "x-mac-cyrillic",
        labels: &["MacCyrillic", "x-mac-ukrainian"],
        codec: &encoding_rs::X_MAC_CYRILLIC_INIT,
    },
    Row { legacy: Legacy::XUserDefined, name: "x-user-defined", labels: &[], codec: &encoding_rs::X_USER_DEFINED_INIT },
    Row {
        legacy: Legacy::Gbk,
        name: "GBK",
        labels: &[
            "CP936",
            "MS936",
            "windows-936",
            "x-gbk",
            "csGBK",
            "GB2312",
            "csGB2312",
            "EUC-CN",
            "GB_2312-80",
            "iso-ir-58",
            "chinese",
            "csISO58GB231280",
        ],
        codec: &encoding_rs::GBK_INIT,
    },
    Row { legacy: Legacy::Gb18030, name: "gb18030", labels: &["csGB18030"], codec: &encoding_rs::GB18030_INIT },
    Row {
        legacy: Legacy::Big5,
        name: "Big5",
        labels: &["cn-big5", "x-x-big5", "csBig5", "Big5-HKSCS", "csBig5HKSCS"],
        codec: &encoding_rs::BIG5_INIT,
    },
    Row {
        legacy: Legacy::EucJp,
        name: "EUC-JP",
        labels: &["Extended_UNIX_Code_Packed_Format_for_Japanese", "csEUCPkdFmtJapanese", "x-euc-jp", "ujis"],
        codec: &encoding_rs::EUC_JP_INIT,
    },
    Row {
        legacy: Legacy::Iso2022Jp,
        name: "ISO-2022-JP",
        labels: &["csISO2022JP"],
        codec: &encoding_rs::ISO_2022_JP_INIT,
    },
    Row {
        legacy: Legacy::ShiftJis,
        name: "Shift_JIS",
        labels: &["MS_Kanji", "sjis", "x-sjis", "csShiftJIS", "Windows-31J", "csWindows31J", "cp932", "ms932"],
        codec: &encoding_rs::SHIFT_JIS_INIT,
    },
    Row {
        legacy: Legacy::EucKr,
        name: "EUC-KR",
        labels: &[
            "csEUCKR",
            "windows-949",
            "CP949",
            "MS949",
            "UHC",
            "KS_C_5601-1987",
            "KS_C_5601-1989",
            "KSC_5601",
            "iso-ir-149",
            "korean",
            "csKSC56011987",
        ],
        codec: &encoding_rs::EUC_KR_INIT,
    },
];

/// How many encodings have a byte a character. They come first.
const SINGLE_BYTES: usize = Legacy::XUserDefined as usize + 1;

impl Legacy {
    /// Every one of them: first those with a byte a character, then the others.
    pub const ALL: &'static [Legacy] = &{
        let mut all = [Legacy::Ibm866; ROWS.len()];
        let mut i = 0;
        while i < ROWS.len() {
            assert!(ROWS[i].legacy as usize == i, "the rows stand in the order of the enum");
            all[i] = ROWS[i].legacy;
            i += 1;
        }
        all
    };

    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The name that the Encoding Standard and, except for the `x-` ones, IANA
    /// have for it.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Its other labels. What they are to say, and which are missing, stands
    /// [above](Legacy#labels).
    pub const fn labels(self) -> &'static [&'static str] {
        self.row().labels
    }

    /// Whether every character is one byte.
    pub const fn is_single_byte(self) -> bool {
        (self as usize) < SINGLE_BYTES
    }

    /// Whether a byte means something else after a state change: ISO-2022-JP alone.
    pub(crate) const fn has_states(self) -> bool {
        matches!(self, Legacy::Iso2022Jp)
    }

    const fn codec(self) -> &'static encoding_rs::Encoding {
        self.row().codec
    }
}

impl fmt::Display for Legacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
