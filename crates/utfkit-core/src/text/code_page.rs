//! Code pages: the numbers that Windows has for encodings, by Microsoft's list, "Code
//! Page Identifiers".

use crate::encoding::Encoding;

/// Numbers of IBM that are not in the list. The other labels `cp…` are.
const OF_IBM: [u16; 3] = [367, 819, 1125];

impl Encoding {
    /// The number that Windows has for this encoding, as `GetACP` and `GetOEMCP`
    /// return it and `MultiByteToWideChar` takes it. `None` for what is not in
    /// Microsoft's list, such as [`Utf16`](Encoding::Utf16) with its BOM. IBM's numbers
    /// of encodings that Windows does not have, such as 1125, are among the
    /// [labels](Encoding::labels).
    ///
    /// Cost: a look at each label.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::Utf8.code_page(), Some(65001));
    /// assert_eq!(Encoding::Utf16.code_page(), None);
    /// ```
    pub fn code_page(self) -> Option<u16> {
        let number = |label: &str| match label.split_at_checked(2)? {
            (front, number) if front.eq_ignore_ascii_case("cp") => number.parse().ok(),
            _ => None,
        };
        self.labels().filter_map(number).find(|number| !OF_IBM.contains(number))
    }

    /// The encoding of a code page of Windows: for every number that
    /// [`code_page`](Encoding::code_page) returns, and for others that name the same
    /// encoding or a part of it: 50221 and 50222 ISO-2022-JP, 20936 and 51936 GBK, 20949
    /// and 51949 EUC-KR, 10017 x-mac-cyrillic. `None` for all others; most need the
    /// feature `legacy`.
    ///
    /// 0 to 3 and 42 are no code pages: they ask Windows for the one that is set.
    ///
    /// Cost: a search through all labels, some microseconds.
    ///
    /// ```
    /// use utfkit::{Encoding, Legacy};
    ///
    /// assert_eq!(Encoding::for_code_page(65001), Some(Encoding::Utf8));
    /// assert_eq!(Encoding::for_code_page(1252), Some(Encoding::Legacy(Legacy::Windows1252)));
    /// assert_eq!(Encoding::for_code_page(0), None);
    /// ```
    pub fn for_code_page(code_page: u16) -> Option<Encoding> {
        // Not 708, in which Windows has French letters in ASMO 708, and not 20932,
        // where it writes JIS X 0212 in two bytes.
        let own = match code_page {
            10017 => 10007,
            20936 | 51936 => 936,
            20949 | 51949 => 949,
            50221 | 50222 => 50220,
            other => other,
        };
        Encoding::ALL.iter().copied().find(|encoding| encoding.code_page() == Some(own))
    }
}
