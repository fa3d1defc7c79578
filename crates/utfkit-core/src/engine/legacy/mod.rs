//! What text was written in before UTF-8: the encodings of the Encoding Standard
//! (WHATWG) that are not form of Unicode, and those that other files are in.
//!
//! The tables of the first are those of the crate `encoding_rs`, the others have
//! their own: a [`Page`] in `pages.rs` for a byte a character. `rows.rs` says
//! which has what. Value by value there is
//! [`LegacyReader`] and [`LegacyWriter`], for much at once [`decode_run`] and
//! [`LegacyWriter::encode_run`], which may stop wherever they like.

mod character;
mod hz;
mod iso_2022_jp;
mod iso_2022_kr;
mod johab;
mod notes;
mod page;
mod pages;
mod reader;
mod rows;
mod run;
mod single_byte;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use reader::LegacyReader;
pub(crate) use run::{OnLacking, decode_run};
pub(crate) use writer::LegacyWriter;

use core::fmt;
use page::Page;
use rows::{ROWS, Row, Tables};

/// An encoding from before UTF-8: those of the Encoding Standard of the WHATWG,
/// as that defines them, and the code pages of DOS, the Macintosh and EBCDIC,
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
/// # What they are
///
/// The Encoding Standard defines its encodings as browsers read them. That is
/// wider than what their names say elsewhere: Big5 has the characters of Hong Kong, EUC-KR
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
/// The others agree byte by byte with the tables that the Unicode Consortium
/// published, and with what the C library and ICU have, except where
/// [`note`](Legacy::note) says which characters, and why. In the code pages of
/// IBM the bytes 1A, 1C and 7F are those of US-ASCII; ICU has IBM's order of them.
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
/// The names of ISO-8859-1 and US-ASCII are not among the labels of
/// windows-1252, those of ISO-8859-9 not among those of windows-1254, of
/// ISO-8859-11 and TIS-620 not of windows-874, of KOI8-RU not of KOI8-U: these are
/// encodings of their own. Browsers take them for the larger ones, and
/// [`label::web_label`](crate::label::web_label) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Legacy {
    /// Arabic, code page 720 of DOS.
    Ibm720,
    /// Greek, code page 737 of DOS.
    Ibm737,
    /// Baltic, code page 775 of DOS.
    Ibm775,
    /// Western European, code page 850 of DOS, Latin-1.
    Ibm850,
    /// Central European, code page 852 of DOS, Latin-2.
    Ibm852,
    /// Cyrillic, code page 855 of DOS.
    Ibm855,
    /// Turkish, code page 857 of DOS.
    Ibm857,
    /// [`Ibm850`](Legacy::Ibm850) with the euro sign at D5, code page 858 of DOS.
    Ibm858,
    /// Portuguese, code page 860 of DOS.
    Ibm860,
    /// Icelandic, code page 861 of DOS.
    Ibm861,
    /// Hebrew, code page 862 of DOS.
    Ibm862,
    /// Canadian French, code page 863 of DOS.
    Ibm863,
    /// Arabic, code page 864 of DOS: letters in their shapes. 25 is U+066A, so
    /// that it lacks the percent sign.
    Ibm864,
    /// Nordic, code page 865 of DOS.
    Ibm865,
    /// Cyrillic, code page 866 of DOS.
    Ibm866,
    /// Greek, code page 869 of DOS.
    Ibm869,
    /// Ukrainian, code page 1125 of DOS.
    Ibm1125,
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
    /// Turkish, Latin-5: 80 to 9F are controls.
    Iso8859_9,
    /// Nordic, Latin-6.
    Iso8859_10,
    /// Thai: TIS-620 with the no-break space, and controls at 80 to 9F.
    Iso8859_11,
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
    /// Ukrainian, Belarusian and Russian.
    Koi8Ru,
    /// Tajik.
    Koi8T,
    /// Mac OS Roman.
    Macintosh,
    /// Mac OS Central European.
    XMacCe,
    /// Mac OS Croatian.
    XMacCroatian,
    /// Mac OS Cyrillic.
    XMacCyrillic,
    /// Mac OS Greek.
    XMacGreek,
    /// Mac OS Icelandic.
    XMacIcelandic,
    /// Mac OS Romanian.
    XMacRomanian,
    /// Mac OS Turkish.
    XMacTurkish,
    /// Thai, TIS 620-2533: nothing at 80 to A0.
    Tis620,
    /// Vietnamese, RFC 1456: six letters stand at controls of US-ASCII.
    Viscii,
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
    /// US-ASCII, and 80 to FF as U+F780 to U+F7FF.
    XUserDefined,
    /// EBCDIC of North America, code page 37 of IBM: the characters of ISO-8859-1.
    Ibm037,
    /// EBCDIC, international, code page 500 of IBM: the characters of ISO-8859-1.
    Ibm500,
    /// EBCDIC of Unix on mainframes, code page 1047 of IBM: the characters of
    /// ISO-8859-1.
    Ibm1047,
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
    /// Korean, KS X 1001 annex 3, code page 1361: Hangul put together of letters.
    Johab,
    /// Korean, RFC 1557: KS X 1001 in seven bits, with a header and shifts.
    Iso2022Kr,
    /// Chinese, RFC 1843: GB 2312 in seven bits, with shifts.
    Hz,
}

/// How many encodings have a byte a character. They come first.
const SINGLE_BYTES: usize = Legacy::Ibm1047 as usize + 1;

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

    /// Where its rules stand.
    pub(crate) const fn standard(self) -> &'static str {
        match self.row().tables {
            Tables::Web(_) => "WHATWG Encoding Standard",
            Tables::Page(_) => self.row().name,
            Tables::Hz => "RFC 1843",
            Tables::Iso2022Kr => "RFC 1557",
            Tables::Johab => "KS X 1001, annex 3",
        }
    }

    /// Whether every character is one byte.
    pub const fn is_single_byte(self) -> bool {
        (self as usize) < SINGLE_BYTES
    }

    /// Whether a byte below 80 that begins a character is the one of US-ASCII,
    /// and each character of US-ASCII is that byte: all but EBCDIC, VISCII,
    /// IBM864 and those with escape sequences.
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

    /// Whether a byte means something else after a state change.
    pub(crate) const fn has_states(self) -> bool {
        matches!(self, Legacy::Iso2022Jp | Legacy::Iso2022Kr | Legacy::Hz)
    }

    /// What `byte` stands for, if every character is one byte.
    #[doc(hidden)]
    pub fn value(self, byte: u8) -> Option<u32> {
        if self.is_single_byte() { single_byte::value(self, byte) } else { None }
    }

    /// Its code page, if it is one of this library.
    const fn page(self) -> Option<&'static Page> {
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
