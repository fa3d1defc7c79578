//! The code page numbers of Windows.

use utfkit::Encoding;

/// The number and the name in Microsoft's list.
#[rustfmt::skip]
const LISTED: &[(u16, &str)] = &[
    (37, "IBM037"), (437, "IBM437"), (500, "IBM500"), (720, "DOS-720"), (737, "ibm737"), (775, "ibm775"),
    (850, "ibm850"), (852, "ibm852"), (855, "IBM855"), (857, "ibm857"), (858, "IBM00858"), (860, "IBM860"),
    (861, "ibm861"), (862, "DOS-862"), (863, "IBM863"), (864, "IBM864"), (865, "IBM865"), (866, "cp866"),
    (869, "ibm869"), (874, "windows-874"), (932, "shift_jis"), (936, "gb2312"), (949, "ks_c_5601-1987"),
    (950, "big5"), (1047, "IBM1047"), (1200, "utf-16le"), (1201, "utf-16be"), (1250, "windows-1250"),
    (1251, "windows-1251"), (1252, "windows-1252"), (1253, "windows-1253"), (1254, "windows-1254"),
    (1255, "windows-1255"), (1256, "windows-1256"), (1257, "windows-1257"), (1258, "windows-1258"), (1361, "Johab"),
    (10000, "macintosh"), (10006, "x-mac-greek"), (10007, "x-mac-cyrillic"), (10010, "x-mac-romanian"),
    (10017, "x-mac-ukrainian"), (10029, "x-mac-ce"), (10079, "x-mac-icelandic"), (10081, "x-mac-turkish"),
    (10082, "x-mac-croatian"), (12000, "utf-32le"), (12001, "utf-32BE"), (20127, "us-ascii"), (20866, "koi8-r"),
    (20936, "gb2312"), (20949, "korean"), (21866, "koi8-u"), (28591, "iso-8859-1"), (28592, "iso-8859-2"),
    (28593, "iso-8859-3"), (28594, "iso-8859-4"), (28595, "iso-8859-5"), (28596, "iso-8859-6"),
    (28597, "iso-8859-7"), (28598, "iso-8859-8"), (28599, "iso-8859-9"), (28603, "iso-8859-13"),
    (28605, "iso-8859-15"), (38598, "iso-8859-8-i"), (50220, "iso-2022-jp"), (50221, "csISO2022JP"),
    (50222, "iso-2022-jp"), (50225, "iso-2022-kr"), (51932, "euc-jp"), (51936, "EUC-CN"), (51949, "euc-kr"),
    (52936, "hz-gb-2312"), (54936, "GB18030"), (65000, "utf-7"), (65001, "utf-8"),
];

#[test]
fn numbers_name_what_microsofts_list_names() {
    for &(number, name) in LISTED {
        assert_eq!(Encoding::for_code_page(number), Encoding::for_label(name), "{number} {name}");
    }
    for number in 0..=u16::MAX {
        let listed = LISTED.iter().any(|&(other, _)| other == number);
        assert!(listed || Encoding::for_code_page(number).is_none(), "{number} is not in the list");
    }
}

#[test]
fn the_number_of_an_encoding_comes_back() {
    let mut with = 0;
    for &encoding in Encoding::ALL {
        let Some(number) = encoding.code_page() else { continue };
        assert_eq!(Encoding::for_code_page(number), Some(encoding), "{number}");
        with += 1;
    }
    assert_eq!(with, if cfg!(feature = "legacy") { 69 } else { 9 });
    for encoding in [Encoding::Utf16, Encoding::Utf32, Encoding::Wtf16Le, Encoding::Utf7Optional, Encoding::Cesu8] {
        assert_eq!(encoding.code_page(), None, "{encoding}");
    }
}

/// Labels with numbers that Windows lacks are IBM's.
#[test]
fn labels_and_numbers_agree() {
    let mut others = Vec::new();
    for &encoding in Encoding::ALL {
        for number in encoding.labels().filter_map(|label| label.strip_prefix("cp")?.parse().ok()) {
            match Encoding::for_code_page(number) {
                Some(other) => assert_eq!(other, encoding, "{number}"),
                None => others.push(number),
            }
        }
    }
    others.retain(|number| ![367, 819, 1125].contains(number));
    assert!(others.is_empty(), "{others:?}");
}
