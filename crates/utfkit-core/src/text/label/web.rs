//! Labels of the web: the table of the Encoding Standard.

/// The name of the encoding that browsers use for `label`, by the Encoding Standard
/// of the WHATWG (section 4.2, "get an encoding"). Case and surrounding US-ASCII
/// white space are ignored, and nothing else: `utf_8` is not a label.
///
/// Many labels differ from IANA's registry: `us-ascii` and `iso-8859-1` are
/// windows-1252, `gb2312` is GBK, `utf-16` is UTF-16LE. Some (ISO-2022-KR, for
/// example) select `replacement`, which decodes everything to one U+FFFD because
/// decoding them is a security risk.
///
/// ```
/// use utfkit::label::web_label;
///
/// assert_eq!(web_label(" Latin1\n"), Some("windows-1252"));
/// assert_eq!(web_label("unicode-1-1-utf-8"), Some("UTF-8"));
/// assert_eq!(web_label("utf-7"), None);
/// ```
#[inline]
pub fn web_label(label: &str) -> Option<&'static str> {
    web_label_of_bytes(label.as_bytes())
}

/// [`web_label`] of bytes; bytes that are not UTF-8 are not a label.
#[inline]
pub(super) fn web_label_of_bytes(label: &[u8]) -> Option<&'static str> {
    let label = label.trim_ascii();
    let row = ROWS.iter().find(|(_, labels)| labels.iter().any(|known| label.eq_ignore_ascii_case(known.as_bytes())));
    row.map(|(name, _)| *name)
}

/// The encodings' names with their labels, in the spelling and order of the
/// standard.
pub(crate) const ROWS: &[(&str, &[&str])] = &[
    ("UTF-8", &["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"]),
    ("IBM866", &["866", "cp866", "csibm866", "ibm866"]),
    (
        "ISO-8859-2",
        &[
            "csisolatin2",
            "iso-8859-2",
            "iso-ir-101",
            "iso8859-2",
            "iso88592",
            "iso_8859-2",
            "iso_8859-2:1987",
            "l2",
            "latin2",
        ],
    ),
    (
        "ISO-8859-3",
        &[
            "csisolatin3",
            "iso-8859-3",
            "iso-ir-109",
            "iso8859-3",
            "iso88593",
            "iso_8859-3",
            "iso_8859-3:1988",
            "l3",
            "latin3",
        ],
    ),
    (
        "ISO-8859-4",
        &[
            "csisolatin4",
            "iso-8859-4",
            "iso-ir-110",
            "iso8859-4",
            "iso88594",
            "iso_8859-4",
            "iso_8859-4:1988",
            "l4",
            "latin4",
        ],
    ),
    (
        "ISO-8859-5",
        &[
            "csisolatincyrillic",
            "cyrillic",
            "iso-8859-5",
            "iso-ir-144",
            "iso8859-5",
            "iso88595",
            "iso_8859-5",
            "iso_8859-5:1988",
        ],
    ),
    (
        "ISO-8859-6",
        &[
            "arabic",
            "asmo-708",
            "csiso88596e",
            "csiso88596i",
            "csisolatinarabic",
            "ecma-114",
            "iso-8859-6",
            "iso-8859-6-e",
            "iso-8859-6-i",
            "iso-ir-127",
            "iso8859-6",
            "iso88596",
            "iso_8859-6",
            "iso_8859-6:1987",
        ],
    ),
    (
        "ISO-8859-7",
        &[
            "csisolatingreek",
            "ecma-118",
            "elot_928",
            "greek",
            "greek8",
            "iso-8859-7",
            "iso-ir-126",
            "iso8859-7",
            "iso88597",
            "iso_8859-7",
            "iso_8859-7:1987",
            "sun_eu_greek",
        ],
    ),
    (
        "ISO-8859-8",
        &[
            "csiso88598e",
            "csisolatinhebrew",
            "hebrew",
            "iso-8859-8",
            "iso-8859-8-e",
            "iso-ir-138",
            "iso8859-8",
            "iso88598",
            "iso_8859-8",
            "iso_8859-8:1988",
            "visual",
        ],
    ),
    ("ISO-8859-8-I", &["csiso88598i", "iso-8859-8-i", "logical"]),
    ("ISO-8859-10", &["csisolatin6", "iso-8859-10", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6"]),
    ("ISO-8859-13", &["iso-8859-13", "iso8859-13", "iso885913"]),
    ("ISO-8859-14", &["iso-8859-14", "iso8859-14", "iso885914"]),
    ("ISO-8859-15", &["csisolatin9", "iso-8859-15", "iso8859-15", "iso885915", "iso_8859-15", "l9"]),
    ("ISO-8859-16", &["iso-8859-16"]),
    ("KOI8-R", &["cskoi8r", "koi", "koi8", "koi8-r", "koi8_r"]),
    ("KOI8-U", &["koi8-ru", "koi8-u"]),
    ("macintosh", &["csmacintosh", "mac", "macintosh", "x-mac-roman"]),
    ("windows-874", &["dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620", "windows-874"]),
    ("windows-1250", &["cp1250", "windows-1250", "x-cp1250"]),
    ("windows-1251", &["cp1251", "windows-1251", "x-cp1251"]),
    (
        "windows-1252",
        &[
            "ansi_x3.4-1968",
            "ascii",
            "cp1252",
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso-8859-1",
            "iso-ir-100",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin1",
            "us-ascii",
            "windows-1252",
            "x-cp1252",
        ],
    ),
    ("windows-1253", &["cp1253", "windows-1253", "x-cp1253"]),
    (
        "windows-1254",
        &[
            "cp1254",
            "csisolatin5",
            "iso-8859-9",
            "iso-ir-148",
            "iso8859-9",
            "iso88599",
            "iso_8859-9",
            "iso_8859-9:1989",
            "l5",
            "latin5",
            "windows-1254",
            "x-cp1254",
        ],
    ),
    ("windows-1255", &["cp1255", "windows-1255", "x-cp1255"]),
    ("windows-1256", &["cp1256", "windows-1256", "x-cp1256"]),
    ("windows-1257", &["cp1257", "windows-1257", "x-cp1257"]),
    ("windows-1258", &["cp1258", "windows-1258", "x-cp1258"]),
    ("x-mac-cyrillic", &["x-mac-cyrillic", "x-mac-ukrainian"]),
    (
        "GBK",
        &["chinese", "csgb2312", "csiso58gb231280", "gb2312", "gb_2312", "gb_2312-80", "gbk", "iso-ir-58", "x-gbk"],
    ),
    ("gb18030", &["gb18030"]),
    ("Big5", &["big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5"]),
    ("EUC-JP", &["cseucpkdfmtjapanese", "euc-jp", "x-euc-jp"]),
    ("ISO-2022-JP", &["csiso2022jp", "iso-2022-jp"]),
    ("Shift_JIS", &["csshiftjis", "ms932", "ms_kanji", "shift-jis", "shift_jis", "sjis", "windows-31j", "x-sjis"]),
    (
        "EUC-KR",
        &[
            "cseuckr",
            "csksc56011987",
            "euc-kr",
            "iso-ir-149",
            "korean",
            "ks_c_5601-1987",
            "ks_c_5601-1989",
            "ksc5601",
            "ksc_5601",
            "windows-949",
        ],
    ),
    ("replacement", &["csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr", "replacement"]),
    ("UTF-16BE", &["unicodefffe", "utf-16be"]),
    ("UTF-16LE", &["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"]),
    ("x-user-defined", &["x-user-defined"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_label_of_itself_and_no_label_stands_twice() {
        for (name, labels) in ROWS {
            assert_eq!(web_label(name), Some(*name));
            for label in *labels {
                assert_eq!(ROWS.iter().flat_map(|row| row.1).filter(|other| *other == label).count(), 1, "{label}");
                assert_eq!(web_label(label), Some(*name));
                assert_eq!(web_label(&alloc::format!("\t\n\x0C\r {} ", label.to_uppercase())), Some(*name));
            }
        }
        // The counts of the standard.
        assert_eq!((ROWS.len(), ROWS.iter().map(|row| row.1.len()).sum::<usize>()), (40, 228));
    }

    #[test]
    fn nothing_else_is_folded() {
        for label in
            ["", " ", "utf_8", "utf 8", "utf-08", "\u{A0}utf-8", "utf-8\u{A0}", "\x0Butf-8", "utf-8\0", "utf-7"]
        {
            assert_eq!(web_label(label), None, "{label:?}");
        }
        assert_eq!(web_label_of_bytes(b"utf-8\xFF"), None);
    }

    /// Every label, and every string one edit away from one: a character removed,
    /// doubled or changed.
    #[cfg(feature = "legacy")]
    #[test]
    fn another_implementation_agrees() {
        let same = |label: &[u8]| {
            let theirs = encoding_rs::Encoding::for_label(label).map(|encoding| encoding.name());
            assert_eq!(web_label_of_bytes(label), theirs, "{:?}", alloc::string::String::from_utf8_lossy(label));
        };
        for label in ROWS.iter().flat_map(|row| row.1) {
            let label = label.as_bytes();
            assert!(encoding_rs::Encoding::for_label(label).is_some());
            same(label);
            for at in 0..label.len() {
                same(&[&label[..at], &label[at + 1..]].concat());
                same(&[&label[..=at], &label[at..]].concat());
                for other in 0..=0xFF {
                    same(&[&label[..at], &[other], &label[at + 1..]].concat());
                    same(&[&label[..at], &[other], &label[at..]].concat());
                }
            }
            for after in 0..=0xFF {
                same(&[label, &[after]].concat());
            }
        }
    }
}
