//! Declarations in `.gitattributes` and `.editorconfig`.
//!
//! Used are `binary`, `text`, `working-tree-encoding` and `eol` of the first,
//! `charset` and `end_of_line` of the second. `text` without `eol` means the line
//! ends of the system. If both name an encoding, git's
//! wins, since git converts by it. Each folder is read once.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;

use ec4rs::{ConfigParser, Section};
use utfkit::Encoding;

use crate::args::{BomRule, LineEnd};
use crate::gitattributes::{Attributes, Settings};
use crate::lock::Lock;
use crate::names::encoding;
use crate::paths::canonical;
use crate::printable::{Escaped, escaped_text, words};
use crate::reading::open_at_once;

/// The limits of a file of declarations and of a line in it, in bytes. Git has the
/// same limit for lines. A compiled pattern takes far more memory than its text.
const LARGEST: u64 = 128 << 10;
const LONGEST_LINE: usize = 2048;

/// The declarations for one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    /// Its encoding, or a message if the name is unknown.
    pub(crate) encoding: Option<Result<Encoding, String>>,
    /// A message about a name in `.editorconfig` that is unknown.
    pub(crate) ignored: Option<String>,
    /// The BOM in that encoding. Never [`BomRule::Declared`].
    pub(crate) bom: Option<BomRule>,
    pub(crate) eol: Option<LineEnd>,
    /// Git writes its line ends as the system has them, unless `eol` says another.
    pub(crate) is_git_text: bool,
    pub(crate) binary: bool,
    /// Why a file of declarations could not be read.
    pub(crate) unread: Option<String>,
}

impl Declared {
    /// Ignores the declared BOM if the user names another encoding than the declared one.
    pub(crate) fn read_in(&mut self, encoding: Encoding) {
        if self.encoding != Some(Ok(encoding)) {
            self.bom = None;
        }
    }
}

/// The declarations for all files, read on demand.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// Folders under the paths asked for, and under their canonical paths.
    folders: Lock<HashMap<PathBuf, Arc<Folder>>>,
    /// The path and the folder of the last file: the next is often in the same one.
    last: Lock<Option<(Vec<u8>, Arc<Folder>)>>,
}

/// A folder with its declarations.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    above: Option<Arc<Folder>>,
    editorconfig: Option<Editorconfig>,
    attributes: Option<Attributes>,
    info: Option<Attributes>,
    /// The top of a git repository.
    is_top: bool,
    /// Neither this folder nor one above declares anything.
    silent: bool,
    unread: Option<String>,
}

struct Editorconfig {
    root: bool,
    sections: Vec<Section>,
}

impl std::fmt::Debug for Editorconfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Editorconfig").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Declarations {
    /// The declarations for the file at `path`, which need not exist.
    pub(crate) fn of(&self, path: &Path) -> Declared {
        let bytes = path.as_os_str().as_encoded_bytes();
        let separator = bytes.iter().rposition(|byte| is_separator(char::from(*byte)));
        let (front, name) = bytes.split_at(separator.map_or(0, |at| at + 1));
        let mut last = self.last.lock();
        let folder = match &*last {
            Some((of, folder)) if of == front && !matches!(name, b"" | b"." | b"..") => Arc::clone(folder),
            _ => {
                let parent = path.parent().filter(|folder| *folder != Path::new(""));
                let parent = parent.unwrap_or(Path::new("."));
                let folder = match self.folder(parent) {
                    Ok(folder) => folder,
                    Err(error) => return Declared { unread: told(parent, &error), ..Declared::default() },
                };
                *last = Some((front.to_vec(), Arc::clone(&folder)));
                folder
            }
        };
        drop(last);
        if folder.silent {
            return Declared::default();
        }
        path.file_name().map(|name| folder.declared(name)).unwrap_or_default()
    }

    fn folder(&self, path: &Path) -> io::Result<Arc<Folder>> {
        if let Some(folder) = self.lock().get(path) {
            return Ok(Arc::clone(folder));
        }
        let folder = self.real_folder(&canonical(path)?);
        self.lock().insert(path.to_owned(), Arc::clone(&folder));
        Ok(folder)
    }

    /// `path` is canonical.
    fn real_folder(&self, path: &Path) -> Arc<Folder> {
        if let Some(folder) = self.lock().get(path) {
            return Arc::clone(folder);
        }
        let above = path.parent().map(|above| self.real_folder(above));
        let folder = Arc::new(Folder::new(path, above));
        self.lock().insert(path.to_owned(), Arc::clone(&folder));
        folder
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Arc<Folder>>> {
        self.folders.lock()
    }
}

impl Folder {
    fn new(path: &Path, above: Option<Arc<Folder>>) -> Folder {
        let git = path.join(".git");
        let is_top = git.try_exists();
        let mut unread = is_top.as_ref().err().and_then(|error| told(&git, error));
        let mut front = |path: &Path| {
            front(path).unwrap_or_else(|error| {
                unread = unread.take().or_else(|| told(path, &error));
                None
            })
        };
        let is_top = is_top.unwrap_or(false);
        let editorconfig = front(&path.join(".editorconfig")).and_then(|text| Editorconfig::new(&text));
        let mut attributes = |path: &Path| front(path).map(|text| Attributes::new(&text));
        let info = if is_top { attributes(&git.join("info/attributes")) } else { None };
        let attributes = attributes(&path.join(".gitattributes"));
        let is_silent = editorconfig.is_none() && attributes.is_none() && info.is_none() && unread.is_none();
        let silent = is_silent && above.as_ref().is_none_or(|above| above.silent);
        Folder { path: path.to_owned(), above, editorconfig, attributes, info, is_top, silent, unread }
    }

    fn above(&self) -> impl Iterator<Item = &Folder> {
        std::iter::successors(Some(self), |folder| folder.above.as_deref())
    }

    fn declared(&self, name: &OsStr) -> Declared {
        let path = self.path.join(name);
        let unread = self.above().find_map(|folder| folder.unread.clone());
        let mut declared = Declared { unread, ..Declared::default() };
        self.by_editorconfig(&path, &mut declared);
        self.by_git(&path, &mut declared);
        declared
    }

    fn by_editorconfig(&self, path: &Path, declared: &mut Declared) {
        let mut files = Vec::new();
        for folder in self.above() {
            let Some(config) = &folder.editorconfig else { continue };
            files.push((folder, config));
            if config.root {
                break;
            }
        }
        let (mut charset, mut end_of_line) = (String::new(), String::new());
        for (folder, config) in files.into_iter().rev() {
            let Ok(below) = path.strip_prefix(&folder.path) else { continue };
            for section in config.sections.iter().filter(|section| section.applies_to(below)) {
                let lower = |key| Some(section.props().get_raw_for_key(key).into_option()?.to_ascii_lowercase());
                charset = lower("charset").unwrap_or(charset);
                end_of_line = lower("end_of_line").unwrap_or(end_of_line);
            }
        }
        match charset.as_str() {
            "" | "unset" => {}
            "utf-8-bom" => {
                declared.encoding = Some(Ok(Encoding::Utf8));
                declared.bom = Some(BomRule::Require);
            }
            name => match encoding(name) {
                Ok(encoding) => declared.encoding = Some(Ok(encoding)),
                // Editors ignore an unknown name. A comment after a value is a part of it.
                Err(error) => {
                    let name = escaped_text(name);
                    declared.ignored = Some(format!(".editorconfig declares the encoding {name}: {error}"));
                }
            },
        }
        if let Some(Ok(Encoding::Utf16Le | Encoding::Utf16Be)) = declared.encoding {
            // Editors write both.
            declared.bom = Some(BomRule::Allow);
        }
        declared.eol = eol(&end_of_line);
    }

    fn by_git(&self, path: &Path, declared: &mut Declared) {
        let mut folders: Vec<&Folder> = Vec::new();
        for folder in self.above() {
            folders.push(folder);
            if folder.is_top {
                break;
            }
        }
        // An unpacked archive or a copy without `.git`: its top is the topmost folder that has attributes.
        while let Some(last) = folders.last()
            && !last.is_top
            && last.attributes.is_none()
        {
            folders.pop();
        }
        let Some(&top) = folders.last() else { return };
        // Later files override earlier ones: from the top folder down, then .git/info.
        let files = folders.iter().rev().map(|folder| (*folder, &folder.attributes)).chain([(top, &top.info)]);
        let macros = top.attributes.iter().chain(&top.info).collect::<Vec<_>>();
        let mut settings = Settings::default();
        for (folder, attributes) in files {
            if let (Some(attributes), Ok(below)) = (attributes, path.strip_prefix(&folder.path)) {
                attributes.apply(below, &macros, &mut settings);
            }
        }
        declared.binary = settings.is_binary();
        // Git converts no line ends of a file with `-text`.
        if let Some(end) = settings.value("eol").filter(|_| settings.text() != Some(false)) {
            declared.eol = eol(end);
        }
        declared.is_git_text = settings.text() == Some(true);
        if let Some(name) = settings.value("working-tree-encoding") {
            // Names that only git has.
            let (plain, bom) = match name.to_ascii_uppercase().strip_suffix("-BOM") {
                Some("UTF-16LE") => ("UTF-16LE", Some(BomRule::Require)),
                Some("UTF-16BE") => ("UTF-16BE", Some(BomRule::Require)),
                _ => (name, None),
            };
            let encoding = encoding(plain);
            declared.ignored = None;
            declared.bom = match encoding {
                // Git refuses these with a BOM,
                Ok(Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf32Le | Encoding::Utf32Be) => {
                    bom.or(Some(BomRule::Forbid))
                }
                // and these without.
                Ok(Encoding::Utf16 | Encoding::Utf32) => Some(BomRule::Require),
                _ => None,
            };
            declared.encoding = Some(
                encoding
                    .map_err(|error| format!(".gitattributes declares the encoding {}: {error}", escaped_text(name))),
            );
        }
    }
}

fn eol(name: &str) -> Option<LineEnd> {
    match name {
        "lf" => Some(LineEnd::Lf),
        "crlf" => Some(LineEnd::CrLf),
        "cr" => Some(LineEnd::Cr),
        _ => None,
    }
}

/// The content of a regular file, up to the limits.
fn front(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match open_at_once(path) {
        Ok(file) if file.metadata()?.is_file() => file,
        // A socket cannot be opened.
        Err(error) if fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) => return Err(error),
        Err(error) if fs::metadata(path).is_err_and(|error| !is_absent(&error)) => return Err(error),
        _ => return Ok(None),
    };
    let mut text = Vec::new();
    file.take(LARGEST).read_to_end(&mut text)?;
    let lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.len() <= LONGEST_LINE);
    Ok(Some(lines.flatten().copied().collect()))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Why `path` could not be read, unless it does not exist, or its folder may not be searched: then no file in that
/// can be read.
fn told(path: &Path, error: &io::Error) -> Option<String> {
    let is_closed = || error.kind() == io::ErrorKind::PermissionDenied && fs::symlink_metadata(path).is_err();
    (!is_absent(error) && !is_closed()).then(|| format!("{} cannot be read: {}", Escaped(path), words(error)))
}

impl Editorconfig {
    fn new(text: &[u8]) -> Option<Editorconfig> {
        let text: String = String::from_utf8_lossy(text).split_inclusive('\n').map(with_negations).collect();
        let parser = ConfigParser::new(io::Cursor::new(text)).ok()?;
        let root = parser.is_root;
        Some(Editorconfig { root, sections: parser.map_while(Result::ok).collect() })
    }
}

/// A line with a control in each `[!x]`, since ec4rs takes a class of one character for that character.
fn with_negations(line: &str) -> String {
    let (mut made, mut rest) = (String::with_capacity(line.len() + 1), line);
    while let Some(at) = rest.find("[!").filter(|_| line.trim_start().starts_with('[')) {
        let (front, class) = rest.split_at(at + 2);
        made.push_str(front);
        rest = class;
        let mut chars = class.chars();
        if let (Some(c), Some(']')) = (chars.next(), chars.next())
            && !matches!(c, ']' | '\\')
        {
            made.extend([c, '\u{1}']);
            rest = &class[c.len_utf8()..];
        }
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_one_character_is_negated() {
        let declared = |glob: &str, name: &str| {
            let place = tree(&[(".editorconfig", &format!("root=true\n[{glob}]\ncharset=latin1\n"))]);
            Declarations::default().of(&place.path().join(name)).encoding.is_some()
        };
        for (glob, name, matches) in [
            ("[!q].txt", "q.txt", false),
            ("[!q].txt", "r.txt", true),
            ("[!q]*.md", "r1.md", true),
            ("x[!7].log", "x7.log", false),
            ("x[!7].log", "x8.log", true),
            ("[!qr].txt", "s.txt", true),
            ("[!qr].txt", "r.txt", false),
            ("[q].txt", "q.txt", true),
            ("[!é].txt", "é.txt", false),
            ("[!é].txt", "e.txt", true),
        ] {
            assert_eq!(declared(glob, name), matches, "{glob} {name}");
        }
    }

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        place
    }

    fn names(declared: &Declared) -> Option<&'static str> {
        declared.encoding.as_ref().map(|encoding| encoding.as_ref().unwrap().name())
    }

    #[test]
    fn editorconfig_counts_up_to_the_root() {
        let place = tree(&[
            (".editorconfig", "root = true\n[*]\ncharset = latin1\nend_of_line = lf\n[*.bat]\nend_of_line = CRLF\n"),
            (
                "a/.editorconfig",
                "[*.{txt,md}]\ncharset = UTF-8-BOM\n[old/**]\ncharset=utf-16le\n[x]\ncharset = klingon",
            ),
            ("a/old/c/keep", ""),
            ("b/.editorconfig", "root = true\n[d/*]\ncharset = utf-8\n"),
        ]);
        let declarations = Declarations::default();
        let of = |name: &str| declarations.of(&place.path().join(name));
        assert_eq!((names(&of("x.c")), of("x.c").eol), (Some("ISO-8859-1"), Some(LineEnd::Lf)));
        assert_eq!(of("x.bat").eol, Some(LineEnd::CrLf));
        assert_eq!((names(&of("a/x.md")), of("a/x.md").bom), (Some("UTF-8"), Some(BomRule::Require)));
        assert_eq!((names(&of("a/old/c/d")), of("a/old/c/d").bom), (Some("UTF-16LE"), Some(BomRule::Allow)));
        assert_eq!(of("a/x").encoding, None, "the name of no encoding");
        assert_eq!(of("b/x.c"), Declared::default());
    }

    #[test]
    fn attributes_count_with_and_without_a_repository() {
        let attributes = "*.txt working-tree-encoding=UTF-16LE-BOM eol=crlf\n*.dat binary\n/top.txt !working-tree-encoding\n\
                          *.k working-tree-encoding=klingon";
        let files = [
            (".gitattributes", attributes),
            ("sub/.gitattributes", "*.dat text\nold.txt working-tree-encoding=SHIFT-JIS"),
            (".editorconfig", "root=true\n[*]\ncharset=utf-8\n"),
            ("sub/.editorconfig", ""),
        ];
        let place = tree(&files);
        let of = |declarations: &Declarations, name: &str| declarations.of(&place.path().join(name));
        let outside = Declarations::default();
        assert_eq!(names(&of(&outside, "a.txt")), Some("UTF-16LE"));
        assert_eq!(names(&of(&outside, "sub/old.txt")), Some("Shift_JIS"));
        assert_eq!(["a.dat", "sub/a.dat", "sub/i.dat"].map(|name| of(&outside, name).binary), [true, false, false]);
        fs::create_dir_all(place.path().join(".git/info")).unwrap();
        fs::write(place.path().join(".git/info/attributes"), "last.dat -binary text\nsub/i.dat -text").unwrap();
        let inside = Declarations::default();
        let a = of(&inside, "sub/a.txt");
        assert_eq!((names(&a), a.bom, a.eol), (Some("UTF-16LE"), Some(BomRule::Require), Some(LineEnd::CrLf)));
        assert_eq!(names(&of(&inside, "sub/old.txt")), Some("Shift_JIS"));
        assert_eq!(names(&of(&inside, "top.txt")), Some("UTF-8"));
        let binary: Vec<_> =
            ["a.dat", "sub/a.dat", "sub/i.dat", "last.dat"].map(|name| of(&inside, name).binary).into();
        assert_eq!(binary, [true, false, true, false]);
        let unknown = of(&inside, "a.k").encoding.unwrap().unwrap_err();
        assert!(unknown.contains("klingon") && unknown.contains("unknown"), "{unknown}");
    }
}
