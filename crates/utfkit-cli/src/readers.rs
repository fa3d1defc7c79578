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
    /// Texts in lower case, with one of which the file says itself how to read it.
    unless: &'static [&'static str],
    /// The reason to leave the file as it is.
    pub(crate) why: &'static str,
    pub(crate) wants: Wants,
}

/// How a program needs its files to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    /// In the encoding that they have.
    Encoding,
    /// In the encoding that they have, or in UTF-8 with a BOM.
    EncodingOrBom,
    /// With the BOM, if they have one.
    Bom,
    /// Unchanged, byte for byte.
    Bytes,
}

impl Wants {
    /// True if the program would misread the file in UTF-8.
    pub(crate) fn is_encoding(self) -> bool {
        self != Wants::Bom
    }

    /// True if the BOM tells the program that the file is UTF-8.
    pub(crate) fn is_bom(self) -> bool {
        matches!(self, Wants::EncodingOrBom | Wants::Bom)
    }
}

/// A file of any name and content.
const ANY: Reader = Reader { extensions: &[], has: &[], begins: &[], unless: &[], why: "", wants: Wants::Encoding };

const READERS: [Reader; 27] = [
    Reader {
        extensions: &["reg"],
        has: &["windows registry editor", "regedit4"],
        why: "regedit reads UTF-16 with a BOM, or the code page of Windows",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["inf", "adm"],
        has: &["[version]", "[strings]"],
        why: "Windows reads it in UTF-16 with a BOM, or in its code page",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["ps1", "psm1", "psd1"],
        why: "Windows PowerShell reads a file without a BOM in the code page of Windows",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["bat", "cmd"],
        why: "cmd reads it in the code page of the console",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["vbs", "vbe", "wsf", "hta"],
        why: "Windows Script Host reads UTF-16 with a BOM, or the code page of Windows",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["strings"],
        has: &["\" = \"", "\"=\"", " = \""],
        why: "Apple's tools read it in UTF-16",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader { extensions: &["nfo", "diz"], why: "its readers expect IBM437", wants: Wants::Encoding, ..ANY },
    Reader {
        extensions: &["rtf"],
        has: &["{\\rtf"],
        why: "RTF names its code page, and escapes what is beyond US-ASCII",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["properties"],
        has: &["=", ":"],
        why: "Java up to 8 reads it in ISO-8859-1; `native2ascii` makes escapes of what is beyond it",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["nsi", "nsh", "nlf"],
        why: "NSIS reads a file without a BOM in the code page of Windows",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["isl"],
        has: &["[langoptions]"],
        why: "Inno Setup reads a file without a BOM in the code page that it names (LanguageCodePage)",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["iss"],
        has: &["[setup]", "[code]", "[files]"],
        why: "older releases of Inno Setup read a script without a BOM in the code page of Windows",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["ahk"],
        why: "AutoHotkey 1.1 reads a script without a BOM in the code page of Windows",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["hhp", "hhc", "hhk"],
        has: &["[options]", "text/sitemap", "text/site properties"],
        why: "HTML Help reads it in the code page of its language",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["jsp", "jspf"],
        has: &["<%", "<jsp:"],
        unless: &["pageencoding", "contenttype", "<?xml", "<jsp:root"],
        why: "a page of JSP without a pageEncoding or a BOM is read in ISO-8859-1",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["jsp", "jspf"],
        has: &["contenttype=\"text/html\"", "contenttype='text/html'", "contenttype=\"text/xml\""],
        unless: &["pageencoding", "<?xml", "<jsp:root"],
        why: "a page of JSP without a pageEncoding or a BOM is read in ISO-8859-1",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["dxf"],
        has: &["section"],
        unless: &["ac1021", "ac1024", "ac1027", "ac1032"],
        why: "DXF before release 2007 is in the code page that $DWGCODEPAGE names",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["mif", "tab"],
        has: &["\ncharset \"", "\n!charset "],
        unless: &["charset \"utf-8\"", "!charset utf-8"],
        why: "MapInfo reads it in the code page that it names (Charset)",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["frm", "bas", "cls", "ctl", "pag", "dsr"],
        has: &["attribute vb_name"],
        why: "Visual Basic reads it in the code page of Windows",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["sln"],
        has: &["visual studio solution file"],
        why: "Visual Studio reads a solution without a BOM in the code page of Windows",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["ps", "eps", "epsi", "epsf", "pfa", "pro", "enc"],
        begins: &["%!"],
        why: "PostScript takes each byte of a string for a glyph",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["dat", "idx"],
        begins: &["iso8859-", "iso-8859-", "koi8-", "windows-125", "cp125", "microsoft-cp125", "tis620"],
        why: "MyThes finds words at offsets in bytes; a converted thesaurus needs a new index",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["dat"],
        has: &["\ncharset ", "\ncharset\t", "\nfollowup ", "\nfollowup\t", "\ncollapse_result "],
        why: "aspell reads it in the encoding of its language, which has a byte for each character",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["patch", "diff"],
        has: &["\n+++ ", "\n@@ ", "\n*** ", "\n--- "],
        why: "a patch has the bytes of the files that it changes",
        wants: Wants::Bytes,
        ..ANY
    },
    Reader {
        extensions: &["pas", "dpr", "dpk", "lpr", "pp"],
        has: &["unit ", "program ", "library ", "package ", "interface", "begin"],
        unless: &["{$codepage"],
        why: "Delphi and Free Pascal read a source without a BOM in the code page of the system",
        wants: Wants::EncodingOrBom,
        ..ANY
    },
    Reader {
        extensions: &["rc", "rc2"],
        unless: &["code_page"],
        why: "the resource compiler reads UTF-16, or the code page that a pragma names",
        wants: Wants::Encoding,
        ..ANY
    },
    Reader {
        extensions: &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl"],
        why: "Visual C++ reads a source without a BOM in the code page of Windows",
        wants: Wants::Bom,
        ..ANY
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
            && !reader.unless.iter().any(has)
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
        assert_eq!(of("a.diff", "Index: a\n--- a\n+++ b\n"), Some("patch"));
        assert_eq!(of("a.diff", "the difference"), None);
        assert_eq!(of("Main.pas", "unit Main;\n{$mode delphi}"), Some("pas"));
        assert_eq!(of("Main.pas", "{$CodePage cp1252}\nunit Main;"), None);
        assert_eq!(of("app.rc", "LANGUAGE 7, 1\n#pragma code_page(1252)\n"), None);
        assert_eq!(of("setup.iss", "#define X\n[Setup]\nAppName=X\n"), Some("iss"));
        assert_eq!(of("toc.hhc", "<LI> <OBJECT type=\"text/sitemap\">\n"), Some("hhp"));
        assert_eq!(of("index.jsp", "<% out.print(1); %>\n<p>"), Some("jsp"));
        assert_eq!(of("index.jsp", "<%@ page pageEncoding='koi8-r' %>\n<p>"), None);
        assert_eq!(of("index.jsp", "<%@ page contentType='text/html' %>\n<meta charset=koi8-r>"), Some("jsp"));
        let dxf = "  0\r\nSECTION\r\n  2\r\nHEADER\r\n  9\r\n$ACADVER\r\n  1\r\n";
        assert_eq!(of("plan.DXF", &format!("{dxf}AC1009\r\n")), Some("dxf"));
        assert_eq!(of("plan.dxf", &format!("{dxf}AC1021\r\n")), None);
        assert_eq!(of("streets.mif", "Version 300\nCharset \"WindowsLatin2\"\n"), Some("mif"));
        assert_eq!(of("streets.tab", "name\tlength\n"), None);
        assert_eq!(of("a.sln", "Microsoft Visual Studio Solution File, Format Version 9"), Some("sln"));
    }
}
