//! Files whose readers want one encoding, by their extensions: in UTF-8, or without a BOM, their
//! programs would misread them.

use std::path::Path;

/// A kind of file, and how its programs read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reader {
    extensions: &'static [&'static str],
    /// Texts in lower case, one of which the front of the file must contain. For extensions that
    /// other files have as well.
    has: &'static [&'static str],
    /// Texts in lower case, with one of which the file must begin.
    begins: &'static [&'static str],
    /// The reason to leave the file as it is.
    pub(crate) why: &'static str,
    /// The BOM tells the program that the file is UTF-8.
    pub(crate) wants_bom: bool,
}

const READERS: [Reader; 16] = [
    Reader {
        extensions: &["reg"],
        has: &["windows registry editor", "regedit4"],
        begins: &[],
        why: "regedit reads UTF-16 with a BOM, or the code page of Windows",
        wants_bom: true,
    },
    Reader {
        extensions: &["inf", "adm"],
        has: &["[version]", "[strings]"],
        begins: &[],
        why: "Windows reads it in UTF-16 with a BOM, or in its code page",
        wants_bom: true,
    },
    Reader {
        extensions: &["ps1", "psm1", "psd1"],
        has: &[],
        begins: &[],
        why: "Windows PowerShell reads a file without a BOM in the code page of Windows",
        wants_bom: true,
    },
    Reader {
        extensions: &["bat", "cmd"],
        has: &[],
        begins: &[],
        why: "cmd reads it in the code page of the console",
        wants_bom: false,
    },
    Reader {
        extensions: &["vbs", "vbe", "wsf", "hta"],
        has: &[],
        begins: &[],
        why: "Windows Script Host reads UTF-16 with a BOM, or the code page of Windows",
        wants_bom: false,
    },
    Reader {
        extensions: &["strings"],
        has: &["\" = \"", "\"=\"", " = \""],
        begins: &[],
        why: "Apple's tools read it in UTF-16",
        wants_bom: true,
    },
    Reader { extensions: &["nfo", "diz"], has: &[], begins: &[], why: "its readers expect IBM437", wants_bom: false },
    Reader {
        extensions: &["rtf"],
        has: &["{\\rtf"],
        begins: &[],
        why: "RTF names its code page, and escapes what is beyond US-ASCII",
        wants_bom: false,
    },
    Reader {
        extensions: &["properties"],
        has: &["=", ":"],
        begins: &[],
        why: "Java up to 8 reads it in ISO-8859-1; `native2ascii` makes escapes of what is beyond it",
        wants_bom: false,
    },
    Reader {
        extensions: &["nsi", "nsh", "nlf"],
        has: &[],
        begins: &[],
        why: "NSIS reads a file without a BOM in the code page of Windows",
        wants_bom: true,
    },
    Reader {
        extensions: &["isl"],
        has: &["[langoptions]"],
        begins: &[],
        why: "Inno Setup reads a file without a BOM in the code page that it names (LanguageCodePage)",
        wants_bom: true,
    },
    Reader {
        extensions: &["frm", "bas", "cls", "ctl", "pag", "dsr"],
        has: &["attribute vb_name"],
        begins: &[],
        why: "Visual Basic reads it in the code page of Windows",
        wants_bom: false,
    },
    Reader {
        extensions: &["sln"],
        has: &["visual studio solution file"],
        begins: &[],
        why: "Visual Studio reads a solution without a BOM in the code page of Windows",
        wants_bom: true,
    },
    Reader {
        extensions: &["ps", "eps", "epsi", "epsf", "pfa", "pro", "enc"],
        has: &[],
        begins: &["%!"],
        why: "PostScript takes each byte of a string for a glyph",
        wants_bom: false,
    },
    Reader {
        extensions: &["dat", "idx"],
        has: &[],
        begins: &["iso8859-", "iso-8859-", "koi8-", "windows-125", "cp125", "microsoft-cp125", "tis620"],
        why: "MyThes finds words at offsets in bytes; a converted thesaurus needs a new index",
        wants_bom: false,
    },
    Reader {
        extensions: &["dat"],
        has: &["\ncharset ", "\ncharset\t", "\nfollowup ", "\nfollowup\t", "\ncollapse_result "],
        begins: &[],
        why: "aspell reads it in the encoding of its language, which has a byte for each character",
        wants_bom: false,
    },
];

impl Reader {
    /// True if the content shows that the file is one of the kind.
    pub(crate) fn is_marked(&self) -> bool {
        !(self.has.is_empty() && self.begins.is_empty())
    }
}

/// The reader of the file at `path`. `front` is the front of its text in UTF-8.
pub(crate) fn reader(path: &Path, front: &[u8]) -> Option<Reader> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let lower = front.to_ascii_lowercase();
    let has = |word: &&str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
    let begins = |word: &&str| lower.starts_with(word.as_bytes());
    let is_of = |reader: &&Reader| {
        reader.extensions.contains(&extension.as_str())
            && (reader.has.is_empty() || reader.has.iter().any(has))
            && (reader.begins.is_empty() || reader.begins.iter().any(begins))
    };
    READERS.iter().find(is_of).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_known_by_extension_and_content() {
        let of = |name: &str, front: &str| reader(Path::new(name), front.as_bytes()).map(|reader| reader.extensions[0]);
        assert_eq!(of("a.REG", "Windows Registry Editor Version 5.00\r\n"), Some("reg"));
        assert_eq!(of("a.reg", "a region"), None);
        assert_eq!(of("dir/x.Ps1", ""), Some("ps1"));
        assert_eq!(of("Localizable.strings", "\"a\" = \"b\";"), Some("strings"));
        assert_eq!(of("words.strings", "violin\nviola\n"), None);
        assert_eq!(of("a.properties", "a=b"), Some("properties"));
        assert_eq!(of("bat", ""), None);
        assert_eq!(of("logo.eps", "%!PS-Adobe-3.0 EPSF-3.0\n"), Some("ps"));
        assert_eq!(of("notes.ps", "P.S. %!\n"), None);
        assert_eq!(of("th_fr_FR.dat", "ISO8859-15\nabaisse|1\n"), Some("dat"));
        assert_eq!(of("sl_phonet.dat", "version 1\nfollowup 0\n"), Some("dat"));
        assert_eq!(of("points.dat", "ISO 8859\n1|1\n"), None);
        assert_eq!(of("German.isl", "[LangOptions]\nLanguageCodePage=1252\n"), Some("isl"));
        assert_eq!(of("Form1.frm", "VERSION 5.00\nAttribute VB_Name = \"Form1\"\n"), Some("frm"));
        assert_eq!(of("article.cls", "\\ProvidesClass{article}\n"), None);
        assert_eq!(of("a.sln", "Microsoft Visual Studio Solution File, Format Version 9"), Some("sln"));
    }
}
