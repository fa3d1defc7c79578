//! The legacy encodings: a row each.

use super::page::Page;
use core::fmt;

/// A row: the name, the source of the characters, and the other labels.
struct Row {
    name: &'static str,
    tables: Tables,
    labels: &'static [&'static str],
}

/// The source of the characters of an encoding.
#[derive(Clone, Copy)]
enum Tables {
    /// The Encoding Standard's tables, in `encoding_rs`.
    Web(&'static encoding_rs::Encoding),
    /// A code page of this library.
    Page(&'static Page),
    Johab,
    Iso2022Kr,
    Hz,
}

/// Makes the enum and the table of its rows. `web X` is a codec of `encoding_rs`,
/// `page` the code page of the same name in `data/code_pages.bin`.
macro_rules! legacy {
    (@tables $name:literal web $codec:ident) => { Tables::Web(&encoding_rs::$codec) };
    (@tables $name:literal page) => { Tables::Page(const { &Page::named($name) }) };
    (@tables $name:literal $own:ident) => { Tables::$own };
    (
        $(#[$of_enum:meta])* ;
        $($(#[$doc:meta])* $legacy:ident: $name:literal, $($tables:ident)+, [$($label:literal),* $(,)?];)*
    ) => {
        $(#[$of_enum])*
        #[cfg(feature = "legacy")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Legacy {
            $($(#[$doc])* $legacy,)*
        }

        const ROWS: &[Row] =
            &[$(Row { name: $name, tables: legacy!(@tables $name $($tables)+), labels: &[$($label),*] }),*];

        impl Legacy {
            /// Every one of them: first those with a byte a character, then the others.
            pub const ALL: &'static [Legacy] = &[$(Legacy::$legacy),*];
        }
    };
}

legacy! {
    /// An encoding from before UTF-8: the legacy encodings of the WHATWG's Encoding
    /// Standard, as it defines them, and the code pages of DOS, the Macintosh and EBCDIC,
    /// and others, as IANA registers them or their makers publish them. In
    /// [most](Legacy::is_ascii_compatible) a byte below 80 that begins a character is
    /// US-ASCII.
    ///
    /// ```
    /// use utfkit::Legacy;
    ///
    /// assert_eq!(Legacy::ShiftJis.name(), "Shift_JIS");
    /// assert!(Legacy::ShiftJis.labels().contains(&"cp932"));
    /// ```
    ///
    /// # Definitions
    ///
    /// The Encoding Standard defines its encodings as browsers read them. That is
    /// wider than their names say elsewhere: Big5 has the characters of Hong Kong, EUC-KR
    /// is code page 949, and Shift_JIS is code page 932. Where a table leaves a
    /// byte of 80 to 9F empty in the windows encodings, it is the control of that
    /// number. A few sequences can be read that are never written; for four of
    /// Big5 (`88 62`, `88 64`, `88 A3`, `88 A5`), which are two code points each,
    /// nothing can be written at all.
    ///
    /// Where the standard writes a character as another one (U+00A5 as 5C in
    /// Shift_JIS and EUC-JP, katakana of half width as that of full width in
    /// ISO-2022-JP, U+2212 as U+FF0D in all three, eighteen places for private use in
    /// GBK and gb18030), the encoding lacks it here, so that text is read back as it was
    /// written.
    ///
    /// The others agree byte by byte with the tables that the Unicode Consortium
    /// published, and with what the C library and ICU have, except where
    /// [`note`](Legacy::note) says which characters, and why. In the code pages of
    /// IBM the bytes 1A, 1C and 7F are as in US-ASCII; ICU has IBM's order of them.
    ///
    /// # Labels
    ///
    /// [`labels`](Legacy::labels) are IANA's aliases and what programs call these
    /// encodings. Some are, in IANA's registry, the names of smaller sets, which
    /// everyone reads as the larger one; so they are here:
    ///
    /// | IANA's | is read and written as |
    /// |---|---|
    /// | `GB2312`, `GB_2312-80` | GBK |
    /// | `KS_C_5601-1987` | EUC-KR |
    /// | `Shift_JIS`, `Windows-31J` | Shift_JIS, as code page 932 |
    /// | `Big5`, `Big5-HKSCS` | Big5 |
    /// | `ISO-8859-6-E`, `ISO-8859-6-I` | ISO-8859-6 |
    /// | `ISO-8859-8-E` | ISO-8859-8 |
    ///
    /// ISO-8859-1 and US-ASCII are not labels of windows-1252, ISO-8859-9 is none of
    /// windows-1254, ISO-8859-11 and TIS-620 are none of windows-874, and KOI8-RU is none
    /// of KOI8-U: these are encodings of their own. Browsers take them for the larger ones, and
    /// [`label::web_label`](crate::label::web_label) does.
    ;

    /// Arabic, code page 720 of DOS.
    Ibm720: "IBM720", page, ["cp720", "720", "DOS-720", "windows-720"];
    /// Greek, code page 737 of DOS.
    Ibm737: "IBM737", page, ["cp737", "737", "DOS-737"];
    /// Baltic, code page 775 of DOS.
    Ibm775: "IBM775", page, ["cp775", "775", "csPC775Baltic", "DOS-775"];
    /// Western European, code page 850 of DOS, Latin-1.
    Ibm850: "IBM850", page, ["cp850", "850", "csPC850Multilingual", "DOS-850"];
    /// Central European, code page 852 of DOS, Latin-2.
    Ibm852: "IBM852", page, ["cp852", "852", "csPCp852", "DOS-852"];
    /// Cyrillic, code page 855 of DOS.
    Ibm855: "IBM855", page, ["cp855", "855", "csIBM855", "DOS-855"];
    /// Turkish, code page 857 of DOS.
    Ibm857: "IBM857", page, ["cp857", "857", "csIBM857", "DOS-857"];
    /// [`Ibm850`](Legacy::Ibm850) with the euro sign at D5, code page 858 of DOS.
    Ibm858: "IBM00858", page, ["CCSID00858", "CP00858", "858", "PC-Multilingual-850+euro", "csIBM00858", "DOS-858"];
    /// Portuguese, code page 860 of DOS.
    Ibm860: "IBM860", page, ["cp860", "860", "csIBM860", "DOS-860"];
    /// Icelandic, code page 861 of DOS.
    Ibm861: "IBM861", page, ["cp861", "861", "cp-is", "csIBM861", "DOS-861"];
    /// Hebrew, code page 862 of DOS.
    Ibm862: "IBM862", page, ["cp862", "862", "csPC862LatinHebrew", "DOS-862"];
    /// Canadian French, code page 863 of DOS.
    Ibm863: "IBM863", page, ["cp863", "863", "csIBM863", "DOS-863"];
    /// Arabic, code page 864 of DOS: letters in their shapes. 25 is U+066A, so
    /// that it lacks the percent sign.
    Ibm864: "IBM864", page, ["cp864", "864", "csIBM864", "DOS-864"];
    /// Nordic, code page 865 of DOS.
    Ibm865: "IBM865", page, ["cp865", "865", "csIBM865", "DOS-865"];
    /// Cyrillic, code page 866 of DOS.
    Ibm866: "IBM866", web IBM866_INIT, ["cp866", "866", "csIBM866", "dos-866"];
    /// Greek, code page 869 of DOS.
    Ibm869: "IBM869", page, ["cp869", "869", "cp-gr", "csIBM869", "DOS-869"];
    /// Ukrainian, code page 1125 of DOS.
    Ibm1125: "IBM1125", page, ["cp1125", "1125", "cp866u", "ruscii"];
    /// Central European, Latin-2.
    Iso8859_2: "ISO-8859-2", web ISO_8859_2_INIT, [
        "ISO_8859-2:1987", "iso-ir-101", "latin2", "l2", "csISOLatin2", "8859_2", "cp28592", "28592",
    ];
    /// South European, Latin-3.
    Iso8859_3: "ISO-8859-3", web ISO_8859_3_INIT, [
        "ISO_8859-3:1988", "iso-ir-109", "latin3", "l3", "csISOLatin3", "8859_3", "cp28593", "28593",
    ];
    /// North European, Latin-4.
    Iso8859_4: "ISO-8859-4", web ISO_8859_4_INIT, [
        "ISO_8859-4:1988", "iso-ir-110", "latin4", "l4", "csISOLatin4", "8859_4", "cp28594", "28594",
    ];
    /// Latin and Cyrillic.
    Iso8859_5: "ISO-8859-5", web ISO_8859_5_INIT, [
        "ISO_8859-5:1988", "iso-ir-144", "cyrillic", "csISOLatinCyrillic", "8859_5", "cp28595", "28595",
    ];
    /// Latin and Arabic.
    Iso8859_6: "ISO-8859-6", web ISO_8859_6_INIT, [
        "ISO_8859-6:1987", "iso-ir-127", "ECMA-114", "ASMO-708", "arabic", "csISOLatinArabic", "ISO_8859-6-E",
        "csISO88596E", "ISO_8859-6-I", "csISO88596I", "8859_6", "cp28596", "28596",
    ];
    /// Latin and Greek.
    Iso8859_7: "ISO-8859-7", web ISO_8859_7_INIT, [
        "ISO_8859-7:1987", "iso-ir-126", "ELOT_928", "ECMA-118", "greek", "greek8", "csISOLatinGreek",
        "sun_eu_greek", "8859_7", "cp28597", "28597",
    ];
    /// Latin and Hebrew, in the order of display.
    Iso8859_8: "ISO-8859-8", web ISO_8859_8_INIT, [
        "ISO_8859-8:1988", "iso-ir-138", "hebrew", "csISOLatinHebrew", "ISO_8859-8-E", "csISO88598E", "visual",
        "8859_8", "cp28598", "28598",
    ];
    /// Latin and Hebrew, in the order of reading, with the bytes of ISO-8859-8.
    Iso8859_8I: "ISO-8859-8-I", web ISO_8859_8_I_INIT, ["csISO88598I", "logical", "cp38598", "38598"];
    /// Turkish, Latin-5: 80 to 9F are controls.
    Iso8859_9: "ISO-8859-9", page, [
        "ISO_8859-9:1989", "iso-ir-148", "latin5", "l5", "csISOLatin5", "8859_9", "cp28599", "28599",
    ];
    /// Nordic, Latin-6.
    Iso8859_10: "ISO-8859-10", web ISO_8859_10_INIT, [
        "ISO_8859-10:1992", "iso-ir-157", "latin6", "l6", "csISOLatin6", "8859_10",
    ];
    /// Thai: TIS-620 with the no-break space, and controls at 80 to 9F.
    Iso8859_11: "ISO-8859-11", page, ["ISO_8859-11:2001", "8859_11", "thai"];
    /// Baltic, Latin-7.
    Iso8859_13: "ISO-8859-13", web ISO_8859_13_INIT, [
        "iso-ir-179", "latin7", "l7", "csISO885913", "8859_13", "cp28603", "28603",
    ];
    /// Celtic, Latin-8.
    Iso8859_14: "ISO-8859-14", web ISO_8859_14_INIT, [
        "ISO_8859-14:1998", "iso-ir-199", "latin8", "l8", "iso-celtic", "csISO885914", "8859_14",
    ];
    /// Western European with the euro sign, Latin-9.
    Iso8859_15: "ISO-8859-15", web ISO_8859_15_INIT, [
        "iso-ir-203", "Latin-9", "l9", "csISO885915", "csISOLatin9", "8859_15", "cp28605", "28605",
    ];
    /// South-Eastern European, Latin-10.
    Iso8859_16: "ISO-8859-16", web ISO_8859_16_INIT, [
        "ISO_8859-16:2001", "iso-ir-226", "latin10", "l10", "csISO885916", "8859_16",
    ];
    /// Russian, RFC 1489.
    Koi8R: "KOI8-R", web KOI8_R_INIT, ["koi", "koi8", "csKOI8R", "cp20866", "20866"];
    /// Ukrainian, RFC 2319, with the Belarusian letter of KOI8-RU.
    Koi8U: "KOI8-U", web KOI8_U_INIT, ["csKOI8U", "cp21866", "21866"];
    /// Ukrainian, Belarusian and Russian.
    Koi8Ru: "KOI8-RU", page, [];
    /// Tajik.
    Koi8T: "KOI8-T", page, [];
    /// Mac OS Roman.
    Macintosh: "macintosh", web MACINTOSH_INIT, ["mac", "MacRoman", "x-mac-roman", "csMacintosh", "cp10000", "10000"];
    /// Mac OS Central European.
    XMacCe: "x-mac-ce", page, [
        "MacCE", "MacCentralEurope", "x-MacCentralEurope", "MacCentralEurRoman", "x-mac-centraleurroman",
        "mac-latin2", "cp10029", "10029",
    ];
    /// Mac OS Croatian.
    XMacCroatian: "x-mac-croatian", page, ["MacCroatian", "cp10082", "10082"];
    /// Mac OS Cyrillic.
    XMacCyrillic: "x-mac-cyrillic", web X_MAC_CYRILLIC_INIT, [
        "MacCyrillic", "x-mac-ukrainian", "MacCy", "MAC-UK", "MacUkrainian", "x-MacUkraine", "cp10007", "10007",
    ];
    /// Mac OS Greek.
    XMacGreek: "x-mac-greek", page, ["MacGreek", "MacGr", "cp10006", "10006"];
    /// Mac OS Icelandic.
    XMacIcelandic: "x-mac-icelandic", page, [
        "MacIcelandic", "MacIceland", "x-MacIceland", "MAC-IS", "cp10079", "10079",
    ];
    /// Mac OS Romanian.
    XMacRomanian: "x-mac-romanian", page, ["MacRomanian", "MacRomania", "x-MacRomania", "cp10010", "10010"];
    /// Mac OS Turkish.
    XMacTurkish: "x-mac-turkish", page, ["MacTurkish", "MacTr", "cp10081", "10081"];
    /// Thai, TIS 620-2533: nothing at 80 to A0.
    Tis620: "TIS-620", page, ["TIS620.2529-1", "TIS620.2533-0", "TIS620-0", "iso-ir-166", "csTIS620"];
    /// Vietnamese, RFC 1456: six letters replace controls of US-ASCII.
    Viscii: "VISCII", page, ["VISCII1.1-1", "csVISCII"];
    /// Thai.
    Windows874: "windows-874", web WINDOWS_874_INIT, ["CP874", "dos-874", "cswindows874", "874", "win874", "ms874"];
    /// Central European.
    Windows1250: "windows-1250", web WINDOWS_1250_INIT, [
        "CP1250", "x-cp1250", "MS-EE", "cswindows1250", "1250", "win1250", "ms1250",
    ];
    /// Cyrillic.
    Windows1251: "windows-1251", web WINDOWS_1251_INIT, [
        "CP1251", "x-cp1251", "MS-CYRL", "cswindows1251", "1251", "win1251", "ms1251",
    ];
    /// Western European. It is ISO-8859-1 except for the bytes 80 to 9F.
    Windows1252: "windows-1252", web WINDOWS_1252_INIT, [
        "CP1252", "x-cp1252", "MS-ANSI", "cswindows1252", "1252", "win1252", "ms1252",
    ];
    /// Greek.
    Windows1253: "windows-1253", web WINDOWS_1253_INIT, [
        "CP1253", "x-cp1253", "MS-GREEK", "cswindows1253", "1253", "win1253", "ms1253",
    ];
    /// Turkish.
    Windows1254: "windows-1254", web WINDOWS_1254_INIT, [
        "CP1254", "x-cp1254", "MS-TURK", "cswindows1254", "1254", "win1254", "ms1254",
    ];
    /// Hebrew.
    Windows1255: "windows-1255", web WINDOWS_1255_INIT, [
        "CP1255", "x-cp1255", "MS-HEBR", "cswindows1255", "1255", "win1255", "ms1255",
    ];
    /// Arabic.
    Windows1256: "windows-1256", web WINDOWS_1256_INIT, [
        "CP1256", "x-cp1256", "MS-ARAB", "cswindows1256", "1256", "win1256", "ms1256",
    ];
    /// Baltic.
    Windows1257: "windows-1257", web WINDOWS_1257_INIT, [
        "CP1257", "x-cp1257", "WinBaltRim", "cswindows1257", "1257", "win1257", "ms1257",
    ];
    /// Vietnamese.
    Windows1258: "windows-1258", web WINDOWS_1258_INIT, [
        "CP1258", "x-cp1258", "cswindows1258", "1258", "win1258", "ms1258",
    ];
    /// US-ASCII, and 80 to FF as U+F780 to U+F7FF.
    XUserDefined: "x-user-defined", web X_USER_DEFINED_INIT, [];
    /// EBCDIC of North America, code page 37 of IBM: the characters of ISO-8859-1.
    Ibm037: "IBM037", page, [
        "cp037", "037", "ebcdic-cp-us", "ebcdic-cp-ca", "ebcdic-cp-wt", "ebcdic-cp-nl", "csIBM037",
    ];
    /// EBCDIC, international, code page 500 of IBM: the characters of ISO-8859-1.
    Ibm500: "IBM500", page, ["cp500", "500", "ebcdic-cp-be", "ebcdic-cp-ch", "ebcdic-international", "csIBM500"];
    /// EBCDIC of Unix on mainframes, code page 1047 of IBM: the characters of
    /// ISO-8859-1.
    Ibm1047: "IBM1047", page, ["cp1047", "1047", "csIBM1047"];
    /// Chinese, code page 936. Reads gb18030 as well.
    Gbk: "GBK", web GBK_INIT, [
        "CP936", "MS936", "windows-936", "x-gbk", "csGBK", "GB2312", "csGB2312", "EUC-CN", "GB_2312-80",
        "iso-ir-58", "chinese", "csISO58GB231280", "936",
    ];
    /// Chinese, GB 18030-2022: every scalar value but U+E5E5.
    Gb18030: "gb18030", web GB18030_INIT, ["csGB18030", "cp54936", "54936"];
    /// Chinese, traditional, with the supplement of Hong Kong.
    Big5: "Big5", web BIG5_INIT, ["cn-big5", "x-x-big5", "csBig5", "Big5-HKSCS", "csBig5HKSCS", "cp950", "950", "ms950"];
    /// Japanese: JIS X 0201, JIS X 0208, and JIS X 0212 for reading.
    EucJp: "EUC-JP", web EUC_JP_INIT, [
        "Extended_UNIX_Code_Packed_Format_for_Japanese", "csEUCPkdFmtJapanese", "x-euc-jp", "ujis", "cp51932",
        "51932",
    ];
    /// Japanese, RFC 1468, with half-width katakana for reading. Seven bits and
    /// escape sequences: a state.
    Iso2022Jp: "ISO-2022-JP", web ISO_2022_JP_INIT, ["csISO2022JP", "cp50220", "50220"];
    /// Japanese, code page 932.
    ShiftJis: "Shift_JIS", web SHIFT_JIS_INIT, [
        "MS_Kanji", "sjis", "x-sjis", "csShiftJIS", "Windows-31J", "csWindows31J", "cp932", "ms932", "932",
    ];
    /// Korean, code page 949.
    EucKr: "EUC-KR", web EUC_KR_INIT, [
        "csEUCKR", "windows-949", "CP949", "MS949", "UHC", "KS_C_5601-1987", "KS_C_5601-1989", "KSC_5601",
        "iso-ir-149", "korean", "csKSC56011987", "949",
    ];
    /// Korean, KS X 1001 annex 3, code page 1361: Hangul put together of letters.
    Johab: "Johab", Johab, ["cp1361", "1361", "ms1361", "x-Johab", "KSC_5601-1992"];
    /// Korean, RFC 1557: KS X 1001 in seven bits, with a header and shifts.
    Iso2022Kr: "ISO-2022-KR", Iso2022Kr, ["csISO2022KR", "cp50225", "50225"];
    /// Chinese, RFC 1843: GB 2312 in seven bits, with shifts.
    Hz: "HZ-GB-2312", Hz, ["HZ", "HZ-GB", "cp52936", "52936"];
}

/// The number of encodings with a byte a character. They come first.
pub(super) const SINGLE_BYTES: usize = Legacy::Ibm1047 as usize + 1;

impl Legacy {
    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The name of the Encoding Standard and, but for the `x-` ones, of IANA.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Its other labels: see [above](Legacy#labels).
    pub const fn labels(self) -> &'static [&'static str] {
        self.row().labels
    }

    /// The standard that defines it.
    pub(crate) const fn standard(self) -> &'static str {
        match self.row().tables {
            Tables::Web(_) => "WHATWG Encoding Standard",
            Tables::Page(_) => self.row().name,
            Tables::Hz => "RFC 1843",
            Tables::Iso2022Kr => "RFC 1557",
            Tables::Johab => "KS X 1001, annex 3",
        }
    }

    /// True if every character is one byte.
    pub const fn is_single_byte(self) -> bool {
        (self as usize) < SINGLE_BYTES
    }

    /// True if a byte below 80 at the start of a character is US-ASCII, and US-ASCII
    /// is those bytes: all but EBCDIC, VISCII, IBM864 and the encodings with escape
    /// sequences.
    ///
    /// ```
    /// use utfkit::Legacy;
    ///
    /// assert!(Legacy::Ibm850.is_ascii_compatible() && Legacy::ShiftJis.is_ascii_compatible());
    /// assert!(!Legacy::Ibm037.is_ascii_compatible() && !Legacy::Iso2022Jp.is_ascii_compatible());
    /// ```
    pub const fn is_ascii_compatible(self) -> bool {
        match self.row().tables {
            Tables::Page(page) => page.is_ascii(),
            _ => !self.has_states(),
        }
    }

    /// True if a byte means something else after a change of state.
    pub(crate) const fn has_states(self) -> bool {
        matches!(self, Legacy::Iso2022Jp | Legacy::Iso2022Kr | Legacy::Hz)
    }

    /// Its code page, if it is one of this library.
    pub(super) const fn page(self) -> Option<&'static Page> {
        match self.row().tables {
            Tables::Page(page) => Some(page),
            _ => None,
        }
    }

    /// The codec of an encoding of the Encoding Standard.
    #[doc(hidden)]
    pub const fn web(self) -> Option<&'static encoding_rs::Encoding> {
        match self.row().tables {
            Tables::Web(codec) => Some(codec),
            _ => None,
        }
    }
}

impl fmt::Display for Legacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
