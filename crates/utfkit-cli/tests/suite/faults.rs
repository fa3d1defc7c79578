//! A file system that fails: no file is lost, and no run claims more than it did.
//!
//! `faults.c` lets one system call of a run fail. Afterwards each file has its old
//! content or its new one, the status and the messages say the truth, and a run
//! without faults ends the work or takes it back.
//!
//! Of all calls that can fail, one in 193 does, and some of each command; `UTFKIT_FAULT_SHARE=1` tries each:
//! `UTFKIT_FAULT_SHARE=1 cargo test -p utfkit-cli --test suite faults:: -- --nocapture`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::common::Place;

/// One fault in this many is tried.
const USUALLY: usize = 193;

/// The kinds of calls, in the order of `faults.c`, each with the errors that it can fail with.
const KINDS: [(&str, &[(Error, &str)]); 18] = [
    ("write", &[(NO_SPACE, "once"), (QUOTA, "once"), (IO, "on"), (INTERRUPTED, "once"), (NONE, "short")]),
    ("sync", &[(IO, "once"), (NO_SPACE, "once"), (IO, "on")]),
    ("rename", &[(IO, "once"), (ACCESS, "once"), (IO, "on"), (IO, "late")]),
    ("link", &[(IO, "once"), (NO_SPACE, "once")]),
    ("unlink", &[(IO, "once"), (ACCESS, "on")]),
    ("open", &[(FILES, "once"), (ACCESS, "once"), (IO, "once"), (FILES, "on"), (INTERRUPTED, "once")]),
    ("read", &[(IO, "once"), (IO, "on"), (INTERRUPTED, "once"), (NONE, "short")]),
    ("stat", &[(IO, "once"), (ACCESS, "once"), (IO, "on")]),
    ("truncate", &[(IO, "once")]),
    ("mode", &[(IO, "once"), (ACCESS, "once")]),
    ("mkdir", &[(NO_SPACE, "once"), (ACCESS, "once")]),
    ("copy", &[(IO, "once"), (NO_SPACE, "once"), (NONE, "short")]),
    ("list", &[(IO, "once"), (IO, "on")]),
    ("attribute", &[(IO, "once"), (NO_SPACE, "once")]),
    ("lock", &[(IO, "once"), (INTERRUPTED, "once")]),
    ("time", &[(IO, "once")]),
    ("seek", &[(IO, "once")]),
    ("copy-fd", &[(FILES, "once")]),
];

/// The number of an error on Linux.
type Error = i32;
const NONE: Error = 0;
const INTERRUPTED: Error = 4;
const IO: Error = 5;
const ACCESS: Error = 13;
const FILES: Error = 24;
const NO_SPACE: Error = 28;
const QUOTA: Error = 122;

/// One fault of a run.
#[derive(Clone, Copy)]
struct Fault {
    kind: &'static str,
    at: u32,
    error: Error,
    how: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.kind, self.at, self.error, self.how)
    }
}

/// A file, the target of a link, or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Thing {
    content: Vec<u8>,
    mode: u32,
    /// Not of folders, and not of links.
    modified: Option<SystemTime>,
    inode: u64,
}

type Tree = BTreeMap<PathBuf, Thing>;

fn tree(folder: &Path) -> Tree {
    fn walk(folder: &Path, top: &Path, all: &mut Tree) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let found = fs::symlink_metadata(&path).unwrap();
            let content = match fs::read_link(&path) {
                Ok(target) => target.into_os_string().into_vec(),
                Err(_) if found.is_dir() => b"a folder".to_vec(),
                Err(_) => fs::read(&path).unwrap(),
            };
            let modified = found.is_file().then(|| found.modified().unwrap());
            let thing = Thing { content, mode: found.mode(), modified, inode: found.ino() };
            all.insert(path.strip_prefix(top).unwrap().to_owned(), thing);
            if found.is_dir() {
                walk(&path, top, all);
            }
        }
    }
    let mut all = Tree::new();
    walk(folder, folder, &mut all);
    all
}

fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap().as_bytes();
    name.starts_with(b".utfkit-") && name.ends_with(b".tmp")
}

fn same(a: &Tree, b: &Tree, to_the_time: bool) -> Result<(), String> {
    let of = |tree: &Tree| -> Vec<_> {
        let seen = |(path, thing): (&PathBuf, &Thing)| {
            (path.clone(), thing.content.clone(), thing.mode, thing.modified.filter(|_| to_the_time))
        };
        tree.iter().filter(|(path, _)| !is_temporary(path)).map(seen).collect()
    };
    let (a, b) = (of(a), of(b));
    match a == b {
        true => Ok(()),
        false => {
            let differ = a.iter().filter(|a| !b.contains(a)).chain(b.iter().filter(|b| !a.contains(b)));
            let named = differ.map(|(path, content, mode, time)| {
                format!("{} ({} bytes, {mode:o}, {time:?})", path.display(), content.len())
            });
            Err(named.collect::<Vec<_>>().join(", "))
        }
    }
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
}

const RUSSIAN: &str = "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом.\n";
const GERMAN: &str = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Größe überall, schöne Grüße!\n";

/// Files in several encodings and sizes, some of which must not change.
fn files(place: &Path) {
    let doubled = misread(GERMAN);
    let wide: Vec<u8> = format!("\u{FEFF}{GERMAN}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, content) in [
        ("russian.txt", encoded("KOI8-R", &RUSSIAN.repeat(4))),
        ("sub/long.txt", encoded("windows-1251", &RUSSIAN.repeat(1500))),
        ("sub/page.html", encoded("windows-1252", &format!("<meta charset=windows-1252>\n{}", GERMAN.repeat(9)))),
        ("sub/wide.txt", wide),
        ("sub/deep/doubled.txt", doubled.repeat(6).into_bytes()),
        ("fine.txt", GERMAN.as_bytes().to_vec()),
        ("binary", b"\x7FELF\x02\x01\x01\0\0\0\0\xFF\xFE".repeat(30)),
        (".ignore", b"ignored.txt\n".to_vec()),
        ("ignored.txt", encoded("KOI8-R", &RUSSIAN.repeat(5))),
        (".git/HEAD", b"ref: refs/heads/main\n".to_vec()),
        (".gitattributes", b"declared.txt binary\n".to_vec()),
        ("declared.txt", encoded("KOI8-R", &RUSSIAN.repeat(6))),
    ] {
        put(place, name, &content);
    }
    symlink("russian.txt", place.join("link")).unwrap();
}

/// UTF-8 that was taken for windows-1252.
fn misread(text: &str) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
}

/// Files in windows-1252 only.
fn latin(place: &Path) {
    for (name, times) in [("a.txt", 3), ("b.txt", 1500), ("sub/c.txt", 9)] {
        put(place, name, &encoded("windows-1252", &GERMAN.repeat(times)));
    }
    put(place, "fine.txt", b"US-ASCII\n");
}

/// UTF-8 with some damage.
fn damaged(place: &Path) {
    let damage = |times: usize| {
        let mut text = GERMAN.repeat(times).into_bytes();
        text.splice(20..20, *b"caf\xE9 ");
        text.extend_from_slice(misread(GERMAN).as_bytes());
        text
    };
    for (name, times) in [("a.txt", 3), ("b.txt", 1500), ("sub/c.txt", 9)] {
        put(place, name, &damage(times));
    }
    put(place, "fine.txt", GERMAN.as_bytes());
}

/// UTF-8 with CRLF, controls and BOMs, a few and many.
fn unruly(place: &Path) {
    let crlf = |times: usize| format!("\u{FEFF}{}\x01", GERMAN.replace('\n', "\r\n").repeat(times)).into_bytes();
    for (name, times) in [("a.txt", 3), ("b.txt", 1500), ("sub/c.txt", 9)] {
        put(place, name, &crlf(times));
    }
    put(place, "fine.txt", GERMAN.as_bytes());
}

/// Names that are not UTF-8.
fn named(place: &Path) {
    for (folder, name) in [
        ("Mémoires d'été", "Photos de Noël à la forêt.jpg"),
        ("Mémoires d'été", "Réunion générale.pdf"),
        ("Mémoires d'été/Le château", "Les évêques.doc"),
        ("plain", "Élève à l'école.txt"),
        ("plain", "name"),
    ] {
        let path: PathBuf = [folder, name].iter().flat_map(|part| part.split('/')).map(latin_name).collect();
        let path = place.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
}

fn latin_name(name: &str) -> OsString {
    OsString::from_vec(encoded("windows-1252", name))
}

fn put(place: &Path, name: &str, content: &[u8]) {
    let path = place.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let past = SystemTime::UNIX_EPOCH + Duration::new(1_111_111_111, 123_456_700);
    fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
}

/// A command that writes.
struct Writer {
    args: &'static [&'static str],
    files: fn(&Path),
    /// Names change instead of contents.
    renames: bool,
}

const WRITERS: [Writer; 8] = [
    Writer { args: &["fix", "--yes", "."], files, renames: false },
    Writer { args: &["fix", "--yes", "--log", "log.jsonl", "."], files, renames: false },
    Writer { args: &["convert", "-f", "windows-1252", "--in-place", "."], files: latin, renames: false },
    Writer { args: &["convert", "-f", "windows-1252", "--in-place=.bak", "."], files: latin, renames: false },
    Writer { args: &["convert", "-f", "auto", "--trust", "likely", "--in-place", "."], files: latin, renames: false },
    Writer {
        args: &["repair", "--in-place", "--undouble", "--fallback", "windows-1252", "."],
        files: damaged,
        renames: false,
    },
    Writer { args: &["names", "--yes", "--from", "windows-1252", "."], files: named, renames: true },
    Writer {
        args: &["check", "--fix", "--yes", "--eol", "lf", "--controls", "remove", "--bom", "remove", "."],
        files: unruly,
        renames: false,
    },
];

struct Tested {
    place: Place,
    library: PathBuf,
    /// A folder for the counts.
    counts: tempfile::TempDir,
}

/// The status, the output and the files of a run.
struct Run {
    status: Option<i32>,
    err: String,
    /// The calls of each kind, and then the faults.
    counts: Vec<u32>,
}

impl Tested {
    /// Prints a message and returns `None` where no call can be made to fail.
    fn new() -> Option<Tested> {
        let counts = tempfile::tempdir().unwrap();
        let library = counts.path().join("faults.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/faults.c");
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).output();
        match compiled {
            Ok(output) if output.status.success() => {}
            Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => {
                println!("skipped: there is no C compiler: {error}");
                return None;
            }
        }
        let tested = Tested { place: Place::new(), library, counts };
        let run = tested.run(&["version"], Some(Fault { kind: "none", at: 0, error: NONE, how: "once" }));
        if run.counts.iter().all(|&count| count == 0) {
            println!("skipped: this system does not let a process filter its calls (seccomp)");
            return None;
        }
        Some(tested)
    }

    fn run(&self, args: &[&str], fault: Option<Fault>) -> Run {
        let mut command = self.place.command(args);
        let counts = self.counts.path().join("counts");
        if let Some(fault) = fault {
            let _ = fs::remove_file(&counts);
            command.env("LD_PRELOAD", &self.library).env("UTFKIT_FAULT", fault.to_string());
            command.env("UTFKIT_FAULT_COUNTS", &counts);
        }
        let output = command.stdout(Stdio::null()).output().unwrap();
        let counts = fault.map(|_| fs::read(&counts).unwrap()).unwrap_or_default();
        let counts = counts.as_chunks::<4>().0.iter().map(|&bytes| u32::from_ne_bytes(bytes)).collect();
        Run { status: output.status.code(), err: String::from_utf8_lossy(&output.stderr).into_owned(), counts }
    }

    fn tree(&self) -> Tree {
        let mut tree = tree(self.place.path());
        tree.retain(|path, _| !path.starts_with("log.jsonl") && !path.starts_with("log.jsonl.undone"));
        tree
    }

    /// The files as `writer` finds them, and no log.
    fn begin(&self, writer: &Writer) {
        for folder in [self.place.path(), self.place.state()] {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if fs::symlink_metadata(&path).unwrap().is_dir() {
                    fs::remove_dir_all(path).unwrap();
                } else {
                    fs::remove_file(path).unwrap();
                }
            }
        }
        (writer.files)(self.place.path());
    }

    fn undo(&self, writer: &Writer, fault: Option<Fault>) -> Run {
        let mut args = vec!["undo"];
        args.extend(writer.args.contains(&"--log").then_some("log.jsonl"));
        self.run(&args, fault)
    }
}

/// True for the ignored file, if it may have been changed all the same: right after the command has opened the list
/// of ignored files, the crate `ignore` opens it again, and takes it for empty if that fails.
fn is_ignored(path: &Path, fault: Fault) -> bool {
    matches!(fault.kind, "stat" | "open" | "read") && path == Path::new("ignored.txt")
}

fn without_ignored(tree: &Tree, fault: Fault) -> Tree {
    tree.clone().into_iter().filter(|(path, _)| !is_ignored(path, fault)).collect()
}

/// Asserts that a run with a fault lost nothing and told the truth. `old` and `new` are the trees
/// without and with its work.
fn check(
    run: &Run,
    fault: Fault,
    writer: &Writer,
    [old, new, now]: [&Tree; 3],
    verb: &str,
    top: &str,
) -> Result<(), String> {
    let status = run.status.ok_or("ended by a signal")?;
    let is_done = same(&without_ignored(now, fault), &without_ignored(new, fault), false).is_ok();
    let mut changed = 0;
    if writer.renames {
        let contents = |tree: &Tree| {
            let mut all: Vec<_> = tree.values().map(|thing| (thing.inode, thing.content.clone())).collect();
            all.sort();
            all
        };
        if contents(old) != contents(now) {
            return Err("a file is lost".to_owned());
        }
        let name_of = |tree: &Tree, inode: u64| {
            let found = tree.iter().find(|(_, thing)| thing.inode == inode);
            found.map(|(path, _)| path.file_name().unwrap().to_owned())
        };
        for (path, thing) in old {
            changed += usize::from(name_of(now, thing.inode).as_deref() != path.file_name());
        }
    } else {
        for (path, thing) in now {
            let (old, new) = (old.get(path), new.get(path));
            let is = |other: Option<&Thing>| other.is_some_and(|other| other.content == thing.content);
            if is_temporary(path) {
                if fault.kind != "unlink" {
                    return Err(format!("{} stays", path.display()));
                }
                continue;
            }
            if !is(old) && !is(new) && !is_ignored(path, fault) {
                return Err(format!("{} has neither its old content nor its new one", path.display()));
            }
            if [old, new].into_iter().flatten().any(|other| other.mode != thing.mode) {
                return Err(format!("{} has another mode", path.display()));
            }
            changed += usize::from(old.is_some() && !is(old));
        }
        if let Some(path) = old.keys().filter(|path| new.contains_key(*path)).find(|path| !now.contains_key(*path)) {
            return Err(format!("{} is lost", path.display()));
        }
    }
    if status == 0 && !is_done {
        return Err("status 0, though not all is done".to_owned());
    }
    let is_harmless = fault.error == INTERRUPTED && matches!(fault.kind, "read" | "write") || fault.how == "short";
    if is_harmless && (status, is_done) != (0, true) {
        return Err("it could have gone on".to_owned());
    }
    if status == 0 && matches!(fault.kind, "sync" | "write") && !is_harmless {
        return Err("status 0, though the data may not be on the disk".to_owned());
    }
    let said = run.err.lines().find_map(|line| {
        let (number, rest) = line.strip_prefix("utfkit: ")?.split_once(' ')?;
        number.parse::<usize>().ok().filter(|_| rest.contains(verb))
    });
    let said = said.unwrap_or(0);
    if said != changed {
        return Err(format!("{changed} changed, and it says {said}"));
    }
    if run.err.contains("os error") || run.err.contains("PathBuf") {
        return Err("a number of the system".to_owned());
    }
    if status == 2 {
        let names = old.keys().chain(new.keys()).map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
        let mut names: Vec<_> = names.collect();
        names.extend(
            [".: ", "./", "the log", ".jsonl", "/utfkit: ", "ignore: ", "exclude: ", "standard output", top]
                .map(str::to_owned),
        );
        let is_named = |line: &str| {
            names.iter().any(|name| line.contains(name.as_str()))
                || line.contains("\\x")
                || line.contains("current folder")
        };
        let errors = ["nput/output error", "o space left", "uota exceeded", "oo many open", "ermission denied", "rror"];
        let is_error = |line: &&str| errors.iter().any(|error| line.contains(error));
        if let Some(line) = run.err.lines().filter(is_error).find(|line| !is_named(line)) {
            return Err(format!("without a name: {line}"));
        }
        if !run.err.lines().any(is_named) {
            return Err("no reason".to_owned());
        }
    }
    Ok(())
}

#[derive(Default)]
struct Counts {
    tried: usize,
    /// Runs in which the call that should fail was made.
    met: usize,
    told: usize,
}

fn share() -> usize {
    std::env::var("UTFKIT_FAULT_SHARE").map_or(USUALLY, |n| n.parse().expect("UTFKIT_FAULT_SHARE is a number"))
}

/// The faults of a run with this number of calls.
fn faults(calls: &[u32]) -> Vec<Fault> {
    let mut all = Vec::new();
    for ((kind, errors), &count) in KINDS.iter().zip(calls) {
        for at in 1..=count {
            all.extend(errors.iter().map(|&(error, how)| Fault { kind, at, error, how }));
        }
    }
    all
}

const COUNTING: Fault = Fault { kind: "none", at: 0, error: NONE, how: "once" };

/// Runs `writer` with one fault after another. With `undoes`, the faults are in the runs that
/// undo it.
fn each_fault(number: usize, writer: &Writer, undoes: bool) {
    let Some(tested) = Tested::new() else { return };
    let mut args = writer.args.to_vec();
    args.push("-j1");
    let share = share();
    tested.begin(writer);
    let old = tested.tree();
    let mut run = tested.run(&args, Some(COUNTING));
    let new = tested.tree();
    assert!(run.err.contains(" changed; `utfkit undo"), "{:?}: {}", writer.args, run.err);
    assert!(old.keys().chain(new.keys()).count() > 0 && same(&old, &new, false).is_err());
    let usual = run.status;
    if undoes {
        run = tested.undo(writer, Some(COUNTING));
    }
    let backups = writer.args.contains(&"--in-place=.bak");
    let without_backups = |mut tree: Tree| {
        tree.retain(|path, _| !(backups && path.extension().is_some_and(|end| end == "bak")));
        tree
    };
    let start = if undoes { &old } else { &new };
    assert_eq!(same(start, &tested.tree(), false), Ok(()));
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    let faults = faults(&run.counts);
    // Some of each, however few there are.
    let share = share.min(faults.len() / 6).max(1);
    for fault in faults.into_iter().skip(number % share).step_by(share) {
        tested.begin(writer);
        let old = tested.tree();
        if undoes {
            assert_eq!(tested.run(&args, None).status, usual);
        }
        let start = tested.tree();
        let (run, [from, to], verb) = match undoes {
            true => (tested.undo(writer, Some(fault)), [&start, &old], " restored"),
            false => (tested.run(&args, Some(fault)), [&old, &new], " changed; `"),
        };
        counts.tried += 1;
        counts.met += usize::from(run.counts.last() != Some(&0));
        counts.told += usize::from(run.status != usual && run.status != Some(0));
        let now = tested.tree();
        let top = tested.place.path().file_name().unwrap().to_str().unwrap();
        let mut done = check(&run, fault, writer, [from, to, &now], verb, top);
        // A log is never written over, so a second run would refuse.
        let is_repeated = undoes || counts.tried % 2 == 0 && !writer.args.contains(&"--log");
        if done.is_ok() && is_repeated {
            // A run without faults ends the work.
            let again = if undoes { tested.undo(writer, None) } else { tested.run(&args, None) };
            let (now, to) = (without_ignored(&tested.tree(), fault), without_ignored(to, fault));
            done = same(&now, &to, undoes).map_err(|differ| format!("again: {differ}: {}", again.err));
        }
        if done.is_ok() && !undoes {
            // Undo takes back one run or both.
            let mut said = String::new();
            for _ in 0..2 {
                if same(&without_backups(tested.tree()), &old, true).is_err() {
                    said = tested.undo(writer, None).err;
                }
            }
            done =
                same(&without_backups(tested.tree()), &old, true).map_err(|differ| format!("undo: {differ}: {said}"));
        }
        if let Err(why) = done {
            wrong.push(format!("{fault}: {why}: status {:?}: {}", run.status, run.err));
        }
    }
    let undo = if undoes { "undo of " } else { "" };
    println!(
        "{undo}{:?}: {} faults tried, {} met, {} told; {} wrong",
        writer.args,
        counts.tried,
        counts.met,
        counts.told,
        wrong.len()
    );
    assert!(wrong.is_empty(), "{:?}:\n{}", writer.args, wrong.join("\n"));
}

#[test]
fn fix_loses_nothing() {
    each_fault(0, &WRITERS[0], false);
}

#[test]
fn fix_with_a_named_log_loses_nothing() {
    each_fault(1, &WRITERS[1], false);
}

#[test]
fn convert_loses_nothing() {
    each_fault(2, &WRITERS[2], false);
}

#[test]
fn convert_with_backups_loses_nothing() {
    each_fault(3, &WRITERS[3], false);
}

#[test]
fn convert_from_a_detected_encoding_loses_nothing() {
    each_fault(4, &WRITERS[4], false);
}

#[test]
fn repair_loses_nothing() {
    each_fault(5, &WRITERS[5], false);
}

#[test]
fn names_loses_nothing() {
    each_fault(6, &WRITERS[6], false);
}

#[test]
fn check_that_fixes_loses_nothing() {
    each_fault(11, &WRITERS[7], false);
}

#[test]
fn undo_of_check_that_fixes_loses_nothing() {
    each_fault(12, &WRITERS[7], true);
}

#[test]
fn undo_of_fix_loses_nothing() {
    each_fault(7, &WRITERS[0], true);
}

#[test]
fn undo_of_convert_loses_nothing() {
    each_fault(8, &WRITERS[2], true);
}

#[test]
fn undo_of_repair_loses_nothing() {
    each_fault(9, &WRITERS[5], true);
}

#[test]
fn undo_of_names_loses_nothing() {
    each_fault(10, &WRITERS[6], true);
}

/// The changes of `writer`, and what each run of it with `fault` says.
fn with(tested: &Tested, writer: &Writer, fault: &str) -> (usize, Run) {
    let [kind, at, error, how] = fault.split(':').collect::<Vec<_>>()[..] else { panic!("{fault}") };
    let kind = KINDS.iter().find(|(name, _)| *name == kind).unwrap().0;
    let how = ["once", "on", "late"].into_iter().find(|name| *name == how).unwrap();
    tested.begin(writer);
    let old = tested.tree();
    let args = [writer.args, &["-j1"]].concat();
    let run = tested.run(&args, Some(Fault { kind, at: at.parse().unwrap(), error: error.parse().unwrap(), how }));
    let now = tested.tree();
    (old.iter().filter(|(path, thing)| now.get(*path).map(|now| &now.content) != Some(&thing.content)).count(), run)
}

#[test]
fn a_run_that_changed_nothing_claimed_to() {
    let Some(tested) = Tested::new() else { return };
    for writer in &WRITERS {
        let (changed, run) = with(&tested, writer, "rename:1:5:on");
        assert_eq!((changed, run.status), (0, Some(2)), "{:?}: {}", writer.args, run.err);
        assert!(!run.err.contains(" changed; `"), "{:?}: {}", writer.args, run.err);
        // The log cannot get out of the way either, so it is the one that is undone.
        let undo = tested.undo(writer, None);
        assert!(
            undo.err.contains(if writer.renames { "0 names restored" } else { "0 files restored" }),
            "{}",
            undo.err
        );
    }
}

/// A network file system can rename and say that it failed.
#[test]
fn a_rename_that_happened_counts_whatever_the_system_says() {
    let Some(tested) = Tested::new() else { return };
    for writer in &WRITERS {
        let usual = with(&tested, writer, "rename:99:5:once").1;
        let (_, run) = with(&tested, writer, "rename:1:5:late");
        assert_eq!((run.status, &run.err), (usual.status, &usual.err), "{:?}", writer.args);
        let undo = tested.undo(writer, Some(Fault { kind: "rename", at: 1, error: IO, how: "late" }));
        assert!(undo.status == Some(0) && !undo.err.contains("rror"), "{:?}: {}", writer.args, undo.err);
    }
}

/// The folder that the names were relative to was found twice, and could differ.
#[test]
fn names_were_logged_below_another_folder() {
    let Some(tested) = Tested::new() else { return };
    let writer = &WRITERS[6];
    let calls = with(&tested, writer, "rename:99:5:once").1.counts[7];
    for at in 1..=calls {
        let (_, run) = with(&tested, writer, &format!("stat:{at}:5:once"));
        tested.undo(writer, None);
        let undone = tested.tree();
        tested.begin(writer);
        assert_eq!(same(&tested.tree(), &undone, false), Ok(()), "{at}: {}", run.err);
    }
}

#[test]
fn after_a_failed_sync_of_the_log_nothing_more_was_refused() {
    let Some(tested) = Tested::new() else { return };
    // After those of new folders, the first two are of the new log and its folder.
    let syncs = with(&tested, &WRITERS[2], "rename:1:5:on").1.counts[1];
    let mut refused = 0;
    for at in 1..=syncs {
        let (changed, run) = with(&tested, &WRITERS[2], &format!("sync:{at}:5:once"));
        assert_eq!(run.status, Some(2), "{at}: {}", run.err);
        if run.err.contains("the log: could not be synced to the disk") {
            refused += 1;
            assert_eq!(run.err.matches("the log: could not be synced").count(), 3 - changed, "{at}: {}", run.err);
        }
    }
    assert!(refused > 0);
}

#[test]
fn a_failed_sync_of_a_folder_was_not_said() {
    let Some(tested) = Tested::new() else { return };
    let mut folders = 0;
    for writer in [&WRITERS[3], &WRITERS[5]] {
        let syncs = with(&tested, writer, "rename:99:5:once").1.counts[1];
        for at in 1..=syncs {
            let (_, run) = with(&tested, writer, &format!("sync:{at}:28:once"));
            assert_eq!(run.status, Some(2), "{:?} {at}: {}", writer.args, run.err);
            folders += usize::from(run.err.contains(": could not be synced to the disk: No space left on device; "));
        }
    }
    assert!(folders >= 4, "{folders}");
}

#[test]
fn undo_said_that_there_was_no_run_where_it_could_not_read_the_logs() {
    let Some(tested) = Tested::new() else { return };
    let writer = &WRITERS[2];
    for kind in ["list", "open", "read"] {
        tested.begin(writer);
        assert_eq!(tested.run(writer.args, None).status, Some(0));
        let reads = tested.undo(writer, Some(Fault { kind, at: 1_000_000, error: IO, how: "once" })).counts;
        let reads = reads[KINDS.iter().position(|(name, _)| *name == kind).unwrap()];
        for at in 1..=reads.min(12) {
            tested.begin(writer);
            assert_eq!(tested.run(writer.args, None).status, Some(0));
            let undo = tested.undo(writer, Some(Fault { kind, at, error: IO, how: "on" }));
            assert!(!undo.err.contains("there is no run to undo"), "{kind}:{at}: {}", undo.err);
        }
    }
}
