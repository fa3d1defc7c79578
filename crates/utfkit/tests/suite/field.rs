//! The encodings of files made after public reports.
//!
//! They are in the folder `vectors/field` of the shared data, whose README.md names the reports
//! and the right results.

use std::fs;

use utfkit::detect::{Basis, detect};

use utfkit_testkit::shared::vectors;

/// The files in each encoding; `None` for files in several.
const FILES: &[(Option<&str>, &[&str])] = &[
    (Some("ISO-8859-1"), &["22-latin1.po", "24-doc.tex"]),
    (Some("Big5"), &["27-big5-short.txt", "27-big5.txt"]),
    (Some("CESU-8"), &["32-cesu8.csv"]),
    (Some("EUC-KR"), &["27-euckr.c", "27-euckr.txt"]),
    (Some("GBK"), &["07-zh-gbk.cue", "07-zh-hans-gbk.cue", "27-gb2312.h", "27-gbk4.txt", "37-gb2312-gbk.eml"]),
    (Some("HZ-GB-2312"), &["34-hz.txt"]),
    (Some("IBM437"), &["25-de-cp850.bat", "49-ctrlz.txt"]),
    (Some("IBM866"), &["25-ru-cp866.bat"]),
    (Some("ISO-2022-JP"), &["34-iso2022jp.eml"]),
    (Some("ISO-2022-KR"), &["34-iso2022kr.txt"]),
    (Some("Shift_JIS"), &["08-ja-halfkana.csv", "08-ja-sjis.cue"]),
    (Some("US-ASCII"), &["10-bush.txt", "23-decl16-ascii.xml"]),
    (Some("UTF-16BE"), &["10-u16be-nobom.txt"]),
    (
        Some("UTF-16LE"),
        &[
            "10-u16le-nobom-short.txt",
            "10-u16le-nobom-zh.txt",
            "10-u16le-nobom.csv",
            "11-u16le-bom.tsv",
            "15-requirements.txt",
        ],
    ),
    (
        Some("UTF-8"),
        &[
            "09-No.txt",
            "09-degC.txt",
            "09-ellipsis.sh",
            "09-foo.txt",
            "09-hour.txt",
            "09-one-e.cue",
            "09-sect.txt",
            "09-test-ru.txt",
            "13-mostly-utf8.csv",
            "17-aa-start.txt",
            "17-cp437-names.txt",
            "17-draber.txt",
            "17-emoji-1254.txt",
            "17-gbk.cfg",
            "17-hebrew-1255.csv",
            "17-istanbul.txt",
            "17-koenig-mac.txt",
            "17-koi8r.txt",
            "17-riga.txt",
            "17-sjis.bat",
            "17-triple.txt",
            "18-c1.txt",
            "19-dump.sql",
            "20-split.ged",
            "22-decl8859-2-isutf8.po",
            "23-decl16.xml",
            "25-ja-utf8.bat",
            "31-boundary.txt",
            "33-cut-field.csv",
            "33-trunc.csv",
            "37-8859-2-utf8.eml",
            "37-usascii-utf8.eml",
            "42-mac-1252.txt",
            "42-tags-mixed.txt",
            "42-tags.txt",
            "44-fffd.json",
            "46-vi.txt",
            "47-lossy.txt",
            "50-mixed-1250.txt",
            "51-doublebom.txt",
            "51-mojibom.csv",
        ],
    ),
    (Some("macintosh"), &["26-pt-mac.csv"]),
    (Some("windows-1250"), &["05-pl-cp1250.txt", "05-sk-cp1250.txt", "36-decl-wrong.html"]),
    (Some("windows-1251"), &["01-bg-cp1251.txt", "02-ru-cp1251-caps.txt", "02-ru-cp1251.txt"]),
    (
        Some("windows-1252"),
        &[
            "01-fr-cp1252.txt",
            "06-fr-latin1.m3u",
            "21-ansi.ged",
            "28-short-0.txt",
            "28-short-1.txt",
            "28-short-2.txt",
            "28-short-3.txt",
            "28-short-4.txt",
            "28-short-5.txt",
            "28-short-6.txt",
            "29-eau.txt",
            "40-latin1.csv",
        ],
    ),
    (Some("windows-1254"), &["03-tr-cp1254.srt"]),
    (Some("windows-1256"), &["04-ar-cp1256.srt"]),
    (Some("windows-1258"), &["46-vi-cp1258.txt"]),
    (Some("windows-874"), &["35-th-tis620.srt"]),
    (None, &["12-ps-append.gitignore", "12-ps-append2.txt"]),
];

/// Files without an expected verdict here: binary data, several encodings of which none
/// prevails, an encoding that the library lacks, or a verdict that is wrong today.
const OTHERS: &[&str] = &[
    "12-log-u16be.log",
    "13-so-10009753.txt",
    "14-cat-boms.csv",
    "21-ansel.ged",
    "38-mixed.diff",
    "41-line3.txt",
    "48-nul.csv",
];

#[test]
fn files_after_public_reports_are_in_their_encoding() {
    let Some(folder) = vectors().map(|folder| folder.join("field")).filter(|folder| folder.is_dir()) else { return };
    for (expected, files) in FILES {
        for file in *files {
            let found = detect(&fs::read(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}")));
            assert_eq!(found.name(), *expected, "{file}: {found}");
            assert!(expected.is_some() || found.basis() == Basis::Joined, "{file}: {found}");
        }
    }
    for entry in fs::read_dir(&folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        let is_known = FILES.iter().any(|(_, files)| files.contains(&&*name)) || OTHERS.contains(&&*name);
        assert!(is_known || entry.path().is_dir() || name.ends_with(".md"), "{name} is in no table");
    }
}
