//! Files that say in which encoding a program reads other files: the configuration of a web server,
//! the description of a package of R, the project of a compiler or an editor. They are wrong as soon as
//! one of the others is UTF-8.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use regex::bytes::Regex;
use utfkit::Encoding;
use utfkit::detect::encoding_of_program;

use crate::lock::Lock;
use crate::printable::{Escaped, escaped_text};

/// A file that names the encoding of others.
struct Server {
    /// Its name.
    name: &'static str,
    /// The folders above the other file in which it is looked for: 1 is the folder of the file.
    levels: std::ops::RangeInclusive<usize>,
    /// The extensions of the other files.
    of: &'static [&'static str],
    /// A line with the name of the encoding, and perhaps with the extensions that it is about.
    pattern: &'static str,
    regex: OnceLock<Option<Regex>>,
    /// The program that reads the other files.
    reader: &'static str,
}

const fn server(
    name: &'static str,
    levels: std::ops::RangeInclusive<usize>,
    of: &'static [&'static str],
    pattern: &'static str,
    reader: &'static str,
) -> Server {
    Server { name, levels, of, pattern, regex: OnceLock::new(), reader }
}

const NAME: &str = "([A-Za-z0-9][A-Za-z0-9._:-]*)";
/// The limit of such a file, in bytes.
const LARGEST: u64 = 1 << 20;

const SOURCES_OF_C: &[&str] = &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "m"];
/// Files that editors open in the encoding of a project.
const EDITED: &[&str] = &[
    "java",
    "properties",
    "xml",
    "txt",
    "html",
    "htm",
    "css",
    "js",
    "c",
    "cpp",
    "h",
    "cs",
    "php",
    "py",
    "rb",
    "pl",
    "sql",
    "md",
    "csv",
    "tex",
    "ini",
    "vb",
    "pas",
    "kt",
    "jsp",
];

static SERVERS: [Server; 16] = [
    server(
        ".htaccess",
        1..=16,
        &["html", "htm", "shtml", "txt"],
        r#"(?im-u)^[ \t]*AddDefaultCharset[ \t]+"?NAME"?[ \t]*\r?$"#,
        "the web server",
    ),
    server(".htaccess", 1..=16, &[], r#"(?im-u)^[ \t]*AddCharset[ \t]+"?NAME"?[ \t]+([^#\r\n]*)"#, "the web server"),
    server("DESCRIPTION", 2..=2, &["r", "s", "q", "rd"], r"(?m-u)^Encoding:[ \t]*NAME[ \t]*\r?$", "R"),
    server(
        ".htaccess",
        1..=16,
        &["php", "php3", "php4", "php5", "phtml", "inc"],
        r#"(?im-u)^[ \t]*php_(?:admin_)?value[ \t]+default_charset[ \t]+["']?NAME["']?[ \t]*\r?$"#,
        "the web server",
    ),
    server(
        "web.config",
        1..=16,
        &["aspx", "ascx", "asmx", "ashx", "asax", "master", "cshtml", "vbhtml"],
        r#"(?-u)\bfileEncoding="NAME""#,
        "ASP.NET",
    ),
    server("pom.xml", 1..=16, &["java"], r"(?-u)<(?:project\.build\.sourceEncoding|encoding)>\s*NAME\s*</", "Maven"),
    server("build.gradle", 1..=16, &["java"], r#"(?m-u)\boptions\.encoding[ \t]*=[ \t]*["']NAME["']"#, "Gradle"),
    server("build.gradle.kts", 1..=16, &["java"], r#"(?m-u)\boptions\.encoding[ \t]*=[ \t]*"NAME""#, "Gradle"),
    server("build.xml", 1..=16, &["java"], r#"(?-u)<javac\b[^>]*\bencoding="NAME""#, "Ant"),
    server(
        "nbproject/project.properties",
        1..=16,
        &["java", "properties", "php", "c", "cpp", "h"],
        r"(?m-u)^source\.encoding=NAME[ \t]*\r?$",
        "NetBeans",
    ),
    server(
        ".settings/org.eclipse.core.resources.prefs",
        1..=16,
        EDITED,
        r"(?m-u)^encoding/<project>=NAME[ \t]*\r?$",
        "Eclipse",
    ),
    server(".idea/encodings.xml", 1..=16, EDITED, r#"(?-u)<file url="PROJECT" charset="NAME""#, "the editor"),
    server(".vscode/settings.json", 1..=16, EDITED, r#"(?-u)"files\.encoding"\s*:\s*"NAME""#, "the editor"),
    server("CMakeLists.txt", 1..=16, SOURCES_OF_C, r"(?-u)(?:-finput-charset=|/source-charset:)NAME", "the compiler"),
    server("Makefile", 1..=16, SOURCES_OF_C, r"(?-u)(?:-finput-charset=|/source-charset:)NAME", "the compiler"),
    server("conf.py", 1..=16, &["rst", "txt"], r#"(?m-u)^source_encoding[ \t]*=[ \t]*["']NAME["']"#, "Sphinx"),
];

impl Server {
    fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(&self.pattern.replace("NAME", NAME)).ok()).as_ref()
    }

    /// The encoding that `text` names for files with `extension`, as it is written there.
    fn named(&self, text: &[u8], extension: &str) -> Option<String> {
        let is_of = |list: &str| {
            list.split_ascii_whitespace().any(|of| of.trim_matches('"').trim_start_matches('.') == extension)
        };
        let found = self.regex()?.captures_iter(text).find(|captures| match captures.get(2) {
            Some(list) => is_of(&String::from_utf8_lossy(list.as_bytes()).to_ascii_lowercase()),
            None => self.of.contains(&extension),
        })?;
        Some(String::from_utf8_lossy(&found[1]).into_owned())
    }
}

impl Served {
    /// `.htaccess says that the web server reads it in ISO-8859-1`
    pub(crate) fn why(&self) -> String {
        format!("{} says that {} reads it in {}", Escaped(&self.by), self.reader, escaped_text(&self.name))
    }
}

/// A file that says how another is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Served {
    pub(crate) by: PathBuf,
    /// The encoding, as it is written there.
    pub(crate) name: String,
    pub(crate) reader: &'static str,
}

/// Looks for such files, and reads each once.
#[derive(Debug, Default)]
pub(crate) struct Servers {
    texts: Lock<HashMap<PathBuf, Option<Vec<u8>>>>,
}

impl Servers {
    /// The nearest file that says that `path` is read in another encoding than UTF-8.
    pub(crate) fn of(&self, path: &Path) -> Option<Served> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        // A path that is relative ends at the folder where the command runs.
        let folders: Vec<&Path> = path.ancestors().skip(1).collect();
        SERVERS.iter().find_map(|server| {
            if !server.of.is_empty() && !server.of.contains(&extension.as_str()) {
                return None;
            }
            let levels = folders.iter().enumerate().filter(|(at, _)| server.levels.contains(&(at + 1)));
            for (_, folder) in levels {
                let by = folder.join(server.name);
                // The label of one that is converted itself is rewritten.
                let text = self.text(&by).filter(|text| text.is_ascii() || server.name != "DESCRIPTION");
                if let Some(name) = text.and_then(|text| server.named(&text, &extension)) {
                    // `AddDefaultCharset Off` names none.
                    let encoding = encoding_of_program(&name).or_else(|| Encoding::for_web_label(&name));
                    let is_other = encoding.is_some_and(|is| !matches!(is, Encoding::Utf8 | Encoding::UsAscii));
                    return is_other.then_some(Served { by, name, reader: server.reader });
                }
            }
            None
        })
    }

    fn text(&self, path: &Path) -> Option<Vec<u8>> {
        let mut texts = self.texts.lock();
        texts.entry(path.to_owned()).or_insert_with(|| read(path)).clone()
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST { None } else { fs::read(path).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_decides() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("site/de/old")).unwrap();
        fs::create_dir_all(at("pkg/R")).unwrap();
        fs::write(at("site/.htaccess"), "# pages\nAddDefaultCharset ISO-8859-1\nAddCharset EUC-JP .ja .jp\n").unwrap();
        fs::write(at("site/de/old/.htaccess"), "AddDefaultCharset \"UTF-8\"\n").unwrap();
        fs::write(at("pkg/DESCRIPTION"), "Package: pkg\nEncoding: latin1\n").unwrap();
        let servers = Servers::default();
        let named = |path: &str| servers.of(&at(path)).map(|served| served.name);
        assert_eq!(named("site/index.html").as_deref(), Some("ISO-8859-1"));
        assert_eq!(named("site/de/index.HTM").as_deref(), Some("ISO-8859-1"));
        assert_eq!(named("site/de/index.ja").as_deref(), Some("EUC-JP"));
        assert_eq!(named("site/de/old/index.html"), None);
        assert_eq!(named("site/script.py"), None);
        assert_eq!(named("pkg/R/zzz.R").as_deref(), Some("latin1"));
        assert_eq!(named("pkg/zzz.R"), None);
        assert_eq!(named("pkg/R/deep/zzz.R"), None);
    }

    #[test]
    fn projects_name_the_encoding_of_their_sources() {
        for (by, text, of, name) in [
            (".htaccess", "php_value default_charset \"windows-1250\"\n", "a.php", "windows-1250"),
            ("web.config", "<globalization fileEncoding=\"iso-8859-2\" />", "a.aspx", "iso-8859-2"),
            ("pom.xml", "<configuration><encoding>ISO-8859-15</encoding></configuration>", "src/A.java", "ISO-8859-15"),
            ("build.gradle", "compileJava.options.encoding = 'Cp1252'\n", "src/main/java/A.java", "Cp1252"),
            ("build.gradle.kts", "tasks { options.encoding = \"Cp1252\" }", "src/A.java", "Cp1252"),
            ("build.xml", "<javac srcdir=\"src\" encoding=\"EUC-JP\">", "src/A.java", "EUC-JP"),
            ("nbproject/project.properties", "source.encoding=windows-1251\n", "src/A.java", "windows-1251"),
            (".idea/encodings.xml", "<file url=\"PROJECT\" charset=\"GBK\" />", "src/a.py", "GBK"),
            (".vscode/settings.json", "{\"files.encoding\": \"windows1252\"}", "notes/a.txt", "windows1252"),
            (".vscode/settings.json", "{\"files.encoding\": \"iso88592\"}", "a.sql", "iso88592"),
            (".vscode/settings.json", "{\"files.encoding\": \"shiftjis\"}", "a.cs", "shiftjis"),
            ("CMakeLists.txt", "add_compile_options(-finput-charset=latin1)", "lib/a.cc", "latin1"),
            ("Makefile", "CFLAGS += -O2 -finput-charset=cp850\n", "a.h", "cp850"),
            ("conf.py", "source_encoding = 'latin-1'\n", "intro/a.rst", "latin-1"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let at = |path: &str| folder.path().join(path);
            fs::create_dir_all(at(by).parent().unwrap()).unwrap();
            fs::write(at(by), text).unwrap();
            let served = Servers::default().of(&at(of)).map(|served| served.name);
            assert_eq!(served.as_deref(), Some(name), "{by}");
            assert_eq!(Servers::default().of(&at("a.png")), None, "{by}");
        }
    }

    #[test]
    fn every_pattern_is_a_regular_expression() {
        for server in &SERVERS {
            assert!(server.regex().is_some(), "{}", server.pattern);
        }
    }
}
