//! Which characters of an encoding are others elsewhere, and why.

use super::Legacy;

impl Legacy {
    /// Which of its characters the C library, ICU or IANA's source have as others
    /// under its name, and why it has them as it has. `None` if they agree, apart
    /// from what [`Legacy`] says of all.
    ///
    /// ```
    /// use utfkit::Legacy;
    ///
    /// assert!(Legacy::ShiftJis.note().is_some_and(|note| note.contains("U+FF5E")));
    /// assert_eq!(Legacy::Iso8859_9.note(), None);
    /// ```
    pub const fn note(self) -> Option<&'static str> {
        Some(match self {
            Legacy::ShiftJis => {
                "as browsers and Windows (code page 932) read it, because files are written with that. \
                 5C and 7E are U+005C and U+007E, in JIS X 0201 U+00A5 and U+203E. 81 60, 81 61, 81 7C, 81 91, \
                 81 92 and 81 CA are U+FF5E, U+2225, U+FF0D, U+FFE0, U+FFE1 and U+FFE2, in the tables of JIS X 0208 \
                 U+301C, U+2016, U+2212, U+00A2, U+00A3 and U+00AC. The characters of NEC (87 40 to 87 9C, \
                 ED 40 to EE FC) and IBM (FA 40 to FC 4B) and the places for private use (F0 40 to F9 FC) are there"
            }
            Legacy::EucJp => {
                "as browsers read it, which agrees with Shift_JIS. A1 C1, A1 C2, A1 DD, A1 F1, A1 F2 and A2 CC are \
                 U+FF5E, U+2225, U+FF0D, U+FFE0, U+FFE1 and U+FFE2, in the tables of JIS X 0208 U+301C, U+2016, \
                 U+2212, U+00A2, U+00A3 and U+00AC. The characters of NEC (rows 13 and 89 to 92) are there; those of \
                 JIS X 0212, after 8F, are read and not written"
            }
            Legacy::Iso2022Jp => {
                "as browsers read it: the characters that EUC-JP has as others are the same ones here, and katakana of \
                 half width are read and not written"
            }
            Legacy::Gbk => {
                "as browsers read it, also by the name GB2312, because what is called GB2312 has characters of GBK in \
                 it. A1 A4 and A1 AA are U+00B7 and U+2014, in some tables of GB 2312 U+30FB and U+2015. 80 is the \
                 euro sign, as in code page 936. The four bytes of gb18030 are read and not written"
            }
            Legacy::Hz => {
                "GB 2312 as in GBK: 21 24 and 21 2A are U+00B7 and U+2014, in some tables of GB 2312 U+30FB and U+2015. \
                 The characters that only GBK has are not read; ICU reads and writes them"
            }
            Legacy::EucKr => {
                "code page 949, as browsers read it, because files are written with that: all 11172 syllables of Hangul, \
                 where EUC-KR proper has 2350"
            }
            Legacy::Johab => {
                "code page 1361: 5C is U+005C, in the C library U+20A9. Letters alone are read in the one way in which \
                 they are written"
            }
            Legacy::Iso2022Kr => {
                "KS X 1001 as in EUC-KR; 21 24, 21 2A, 21 2D, 22 26 and 22 41 are other characters in ICU. A line begins \
                 in US-ASCII, also after one that was not closed"
            }
            Legacy::Big5 => "as browsers read it: with the characters of Hong Kong, and those of E-TEN",
            Legacy::Koi8U => {
                "as browsers read it: AE and BE are the Belarusian U+045E and U+040E, as in KOI8-RU; in RFC 2319 they are \
                 U+255D and U+256C"
            }
            Legacy::Macintosh => {
                "Apple's table, as browsers read it: DB is the euro sign, before 1998 U+00A4; C6 and F0 are U+2206 and \
                 U+F8FF, in the C library U+0394 and U+E01E"
            }
            Legacy::XMacCyrillic => {
                "Apple's table, as browsers read it: FF is the euro sign, before 1998 and in the C library U+00A4"
            }
            Legacy::XMacIcelandic => "Apple's table; the C library's MAC-IS differs from it at twelve bytes",
            Legacy::Ibm720 => {
                "80, 81, 84, 86, 8D, 8E, 8F and 90 are empty; on Windows they are controls. 1A, 1C and 7F are US-ASCII's"
            }
            Legacy::Ibm852 => "AA is U+00AC, which ICU leaves empty",
            Legacy::Ibm860 | Legacy::Ibm861 | Legacy::Ibm862 | Legacy::Ibm863 | Legacy::Ibm865 => {
                "E6 is U+00B5, in ICU U+03BC"
            }
            Legacy::Ibm864 => {
                "25 is U+066A, as IBM defined it first, so that there is no percent sign; in ICU it is U+0025. D7, D8 \
                 and F1 are U+FEC1, U+FEC5 and U+0651, in ICU U+FEC3, U+FEC7 and U+FE7C; 9F is empty, in ICU U+200B"
            }
            Legacy::Ibm869 => "88 and EF are U+00B7 and U+0384, in ICU U+0387 and U+00B4",
            Legacy::Ibm1125 => "FA and FB are U+00B7 and U+221A, as in IBM866; in ICU U+00F7 and U+00B1",
            Legacy::Tis620 => "80 to A0 are empty; ICU reads code page 874 under this name",
            _ => return None,
        })
    }
}
