//! The names of encodings that programs write into texts and that IANA's registry lacks.

use utfkit_core::Encoding;

/// Names, and labels of the same encodings. Case does not matter.
const NAMES: [(&str, &str); 76] = [
    // Emacs.
    ("iso-latin-1", "ISO-8859-1"),
    ("iso-latin-2", "ISO-8859-2"),
    ("iso-latin-3", "ISO-8859-3"),
    ("iso-latin-4", "ISO-8859-4"),
    ("iso-latin-5", "ISO-8859-9"),
    ("iso-latin-6", "ISO-8859-10"),
    ("iso-latin-7", "ISO-8859-13"),
    ("iso-latin-8", "ISO-8859-14"),
    ("iso-latin-9", "ISO-8859-15"),
    ("iso-latin-10", "ISO-8859-16"),
    ("latin-0", "ISO-8859-15"),
    ("cyrillic-koi8", "KOI8-R"),
    ("cyrillic-iso-8bit", "ISO-8859-5"),
    ("cyrillic-alternativnyj", "IBM866"),
    ("alternativnyj", "IBM866"),
    ("greek-iso-8bit", "ISO-8859-7"),
    ("hebrew-iso-8bit", "ISO-8859-8"),
    ("euc-japan", "EUC-JP"),
    ("euc-japan-1990", "EUC-JP"),
    ("japanese-iso-8bit", "EUC-JP"),
    ("japanese-shift-jis", "Shift_JIS"),
    ("euc-korea", "EUC-KR"),
    ("korean-iso-8bit", "EUC-KR"),
    ("euc-china", "GB2312"),
    ("chinese-iso-8bit", "GB2312"),
    ("chinese-gbk", "GBK"),
    ("chinese-gb18030", "GB18030"),
    ("chinese-big5", "Big5"),
    ("vietnamese-viscii", "VISCII"),
    ("thai-tis620", "TIS-620"),
    ("mule-utf-8", "UTF-8"),
    ("prefer-utf-8", "UTF-8"),
    ("utf-8-emacs", "UTF-8"),
    ("utf-8-auto", "UTF-8"),
    ("utf-8-with-signature", "UTF-8"),
    // TeX: inputenc, TeXShop.
    ("ansinew", "windows-1252"),
    ("applemac", "macintosh"),
    ("maccyr", "x-mac-cyrillic"),
    ("iso88595", "ISO-8859-5"),
    ("utf8x", "UTF-8"),
    ("cp437de", "IBM437"),
    ("IsoLatin", "ISO-8859-1"),
    ("IsoLatin1", "ISO-8859-1"),
    ("IsoLatin2", "ISO-8859-2"),
    ("IsoLatin5", "ISO-8859-9"),
    ("IsoLatin9", "ISO-8859-15"),
    ("MacOSRoman", "macintosh"),
    ("Western (Mac OS Roman)", "macintosh"),
    ("Mac Cyrillic", "x-mac-cyrillic"),
    ("Windows Cyrillic", "windows-1251"),
    ("Windows Latin 1", "windows-1252"),
    ("DOS Cyrillic", "IBM855"),
    ("DOS Russian", "IBM866"),
    ("UTF-8 Unicode", "UTF-8"),
    // hunspell.
    ("TIS620-2533", "TIS-620"),
    ("microsoft-cp1250", "windows-1250"),
    ("microsoft-cp1251", "windows-1251"),
    ("microsoft-cp1252", "windows-1252"),
    ("microsoft-cp1253", "windows-1253"),
    ("microsoft-cp1254", "windows-1254"),
    ("microsoft-cp1255", "windows-1255"),
    ("microsoft-cp1256", "windows-1256"),
    ("microsoft-cp1257", "windows-1257"),
    // Descriptions of PostScript printers.
    ("WindowsANSI", "windows-1252"),
    ("MacStandard", "macintosh"),
    ("JIS83-RKSJ", "Shift_JIS"),
    // Databases.
    ("eucjpms", "EUC-JP"),
    ("utf8mb3", "UTF-8"),
    ("SQL_ASCII", "US-ASCII"),
    // GEDCOM and others.
    ("ANSI", "windows-1252"),
    ("IBMPC", "IBM437"),
    ("ISO Latin-1", "ISO-8859-1"),
    ("ISO-Latin-1", "ISO-8859-1"),
    ("Latin-US (ASCII)", "US-ASCII"),
    ("UNICODE", "UTF-16"),
    // The template of gettext, until someone writes a name.
    ("CHARSET", "US-ASCII"),
];

/// The suffixes of Emacs for line ends.
const LINE_ENDS: [&str; 3] = ["-unix", "-dos", "-mac"];

/// The name without Emacs' suffix for line ends, and the suffix.
pub fn without_line_end(name: &str) -> (&str, &str) {
    let suffix = LINE_ENDS.iter().find(|end| {
        name.len()
            .checked_sub(end.len())
            .and_then(|at| name.get(at..))
            .is_some_and(|last| last.eq_ignore_ascii_case(end))
    });
    name.split_at(name.len() - suffix.map_or(0, |end| end.len()))
}

/// The encoding that a program means with `name`: a label of [`Encoding::for_label`], or a name
/// that Emacs, TeX, hunspell, or a database has for it.
///
/// ```
/// use utfkit::{Encoding, Legacy};
/// use utfkit::detect::encoding_of_program;
///
/// assert_eq!(encoding_of_program("ansinew"), Some(Encoding::Legacy(Legacy::Windows1252)));
/// assert_eq!(encoding_of_program("iso-latin-1-unix"), Some(Encoding::Latin1));
/// assert_eq!(encoding_of_program("ANSEL"), None);
/// ```
pub fn encoding_of_program(name: &str) -> Option<Encoding> {
    let of = |name: &str| {
        let known = NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        Encoding::for_label(known.map_or(name, |(_, label)| label))
    };
    of(name).or_else(|| {
        let (name, end) = without_line_end(name);
        if end.is_empty() { None } else { of(name) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_an_encoding() {
        for (name, label) in NAMES {
            let encoding = Encoding::for_label(label);
            assert!(encoding.is_some(), "{label}");
            assert_eq!(encoding_of_program(name), encoding, "{name}");
            assert_eq!(encoding_of_program(&alloc::format!("{name}-DOS")), encoding, "{name}");
            let known = Encoding::for_label(name);
            assert!(known.is_none_or(|known| Some(known) == encoding), "{name} is a label of another encoding");
        }
        for name in ["", "-unix", "ANSEL", "MARC-8", "ctext", "iso-2022-8", "euc-japan-", "latin-1-linux", "é-unix"] {
            assert_eq!(encoding_of_program(name), None, "{name}");
        }
    }
}
