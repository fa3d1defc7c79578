//! Peculiarities of Windows: files that others hold open, names of devices, long paths,
//! names in UTF-16, patterns, and the folder of logs.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, Ran, started};

const LATIN1: &[u8] = b"caf\xE9 \xE0 la carte\n";
const UTF8: &str = "café à la carte\n";

/// The commands that write over `a.txt`.
const WRITERS: [&[&str]; 5] = [
    &["convert", "-f", "latin1", "--in-place", "a.txt"],
    &["convert", "-f", "latin1", "-o", "a.txt", "a.txt"],
    &["fix", "--yes", "--trust", "likely", "a.txt"],
    &["repair", "--fallback", "latin1", "--in-place", "a.txt"],
    &["repair", "--fallback", "latin1", "-o", "a.txt", "a.txt"],
];

// <https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createfilew>
const FILE_SHARE_READ: u32 = 1;
const FILE_SHARE_WRITE: u32 = 2;

fn run_in(place: &Place, args: &[&OsStr]) -> Ran {
    place.command(&[]).args(args).output().unwrap().into()
}

#[test]
fn each_command_replaces_what_it_has_read() {
    for args in WRITERS {
        let place = Place::new();
        place.file("a.txt", LATIN1);
        let ran = place.run(args);
        assert_eq!((ran.status, place.read("a.txt")), (0, UTF8.into()), "{args:?}: {}", ran.err);
        assert!(ran.err.ends_with("1 file changed; `utfkit undo` takes that back\n"), "{args:?}: {}", ran.err);
        let ran = place.run(&["undo"]);
        assert_eq!((ran.status, place.read("a.txt")), (0, LATIN1.to_vec()), "{args:?}: {}", ran.err);
        assert_eq!(place.names(), ["a.txt"]);
    }
    // Long enough for a thread that reads ahead.
    let place = Place::new();
    place.file("a.txt", LATIN1.repeat(200_000));
    let ran = place.run(&["convert", "-f", "latin1", "--in-place", "a.txt"]);
    assert_eq!((ran.status, place.read("a.txt")), (0, UTF8.repeat(200_000).into()), "{}", ran.err);
}

#[test]
fn a_file_that_another_program_holds_is_said_and_left() {
    for shared in [0, FILE_SHARE_READ, FILE_SHARE_READ | FILE_SHARE_WRITE] {
        for args in WRITERS {
            let place = Place::new();
            let path = place.file("a.txt", LATIN1);
            let held = File::options().read(true).share_mode(shared).open(&path).unwrap();
            let ran = place.run(args);
            assert_eq!(ran.status, 2, "{args:?} {shared}: {}", ran.err);
            assert!(ran.err.contains("utfkit: a.txt: "), "{args:?} {shared}: {}", ran.err);
            assert!(!ran.err.contains("1 file changed"), "{args:?} {shared}: {}", ran.err);
            if shared != 0 {
                let why = "another program has it open; left as it was: close it there, and try again";
                assert!(ran.err.contains(why), "{args:?} {shared}: {}", ran.err);
            }
            drop(held);
            assert_eq!((place.read("a.txt"), place.names()), (LATIN1.to_vec(), vec!["a.txt".to_owned()]), "{args:?}");
            assert_eq!(place.run(args).status, 0, "{args:?}");
            // A file that was held can be undone later.
            let held = File::options().read(true).share_mode(shared).open(&path).unwrap();
            let ran = place.run(&["undo"]);
            assert_eq!(ran.status, 2, "{args:?} {shared}: {}", ran.err);
            assert!(
                ran.err.contains("0 files restored, 1 file not restored")
                    || ran.err.contains("0 files restored, 1 not restored"),
                "{}",
                ran.err
            );
            drop(held);
            assert_eq!((place.run(&["undo"]).status, place.read("a.txt")), (0, LATIN1.to_vec()), "{args:?}");
        }
    }
}

#[test]
fn the_others_are_changed_where_one_is_held() {
    let place = Place::new();
    let paths: Vec<PathBuf> = (0..4).map(|n| place.file(format!("{n}.txt"), LATIN1)).collect();
    let held = File::options().read(true).share_mode(FILE_SHARE_READ).open(&paths[2]).unwrap();
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.ends_with("3 files changed; `utfkit undo` takes that back\n"), "{}", ran.err);
    drop(held);
    for (n, path) in paths.iter().enumerate() {
        assert_eq!(fs::read(path).unwrap(), if n == 2 { LATIN1 } else { UTF8.as_bytes() }, "{n}");
    }
}

#[test]
fn a_read_only_file_stays() {
    for args in WRITERS {
        let place = Place::new();
        let path = place.file("a.txt", LATIN1);
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).unwrap();
        let ran = place.run(args);
        assert_eq!((ran.status, place.read("a.txt")), (2, LATIN1.to_vec()), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("a.txt: it is read-only, or not yours to write"), "{args:?}: {}", ran.err);
        #[allow(clippy::permissions_set_readonly_false)]
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions).unwrap();
    }
}

#[test]
fn names_of_devices_are_devices_or_refused() {
    let place = Place::new();
    place.file("a.txt", LATIN1);
    for name in ["NUL", "nul", r".\NUL"] {
        place.run(&["convert", "-f", "latin1", "-o", name, "a.txt"]).is_silent_success();
        assert_eq!(place.run(&["repair", "-o", name, "a.txt"]).status, 0, "{name}");
    }
    // Where this is the name of a file, as on Windows 11, it is written.
    let ran = place.run(&["convert", "-f", "latin1", "-o", "nul.txt", "a.txt"]);
    match fs::read_dir(place.path()).unwrap().count() {
        1 => {
            assert!(ran.status == 2 && ran.err.contains("nul.txt: Windows keeps this name for a device"), "{}", ran.err)
        }
        _ => assert_eq!((ran.status, place.read("nul.txt")), (0, UTF8.into())),
    }
    let ran = place.run(&["count", "NUL"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

/// A path of more than 400 characters, of folders that exist.
fn long(place: &Place) -> PathBuf {
    let mut folder = place.path().to_owned();
    while folder.as_os_str().len() < 400 {
        folder.push("a folder with a long name, and others in it");
        // Also creates them without `\\?\`.
        fs::create_dir(&folder).unwrap();
    }
    folder
}

#[test]
fn paths_may_have_more_than_400_characters() {
    let place = Place::new();
    let folder = long(&place);
    let path = folder.join("a.txt");
    let name = path.as_os_str();
    fs::write(&path, LATIN1).unwrap();
    assert!(path.as_os_str().len() > 400 && path.is_absolute());
    for args in [
        &["convert", "-f", "latin1", "--in-place"][..],
        &["fix", "--yes", "--trust", "likely"],
        &["repair", "--fallback", "latin1", "--in-place"],
    ] {
        let mut words: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        words.push(name);
        let ran = run_in(&place, &words);
        assert_eq!((ran.status, fs::read(&path).unwrap()), (0, UTF8.into()), "{args:?}: {}", ran.err);
        let ran = place.run(&["undo"]);
        assert_eq!((ran.status, fs::read(&path).unwrap()), (0, LATIN1.to_vec()), "{args:?}: {}", ran.err);
    }
    // A new file, and one found by a walk.
    let new = folder.join("new.txt");
    let words = ["convert", "-f", "latin1", "-o"].map(OsStr::new);
    let ran = run_in(&place, &[&words[..], &[new.as_os_str(), name]].concat());
    assert_eq!((ran.status, fs::read(&new).unwrap()), (0, UTF8.into()), "{}", ran.err);
    assert_eq!(place.run(&["check", "-l", "."]).lines().len(), 1);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
    assert_eq!((ran.status, fs::read(&path).unwrap()), (0, UTF8.into()), "{}", ran.err);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn names_in_japanese_and_cyrillic() {
    for name in ["日本語 表.txt", "Содержание.txt", "ΰἑ ﷺ 𠮷.txt"] {
        let place = Place::new();
        place.file(name, LATIN1);
        let ran = place.run(&["check", "-l", name]);
        assert_eq!((ran.status, ran.out()), (1, format!("{name}\n").as_str()));
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
        assert_eq!((ran.status, place.read(name)), (0, UTF8.into()), "{}", ran.err);
        assert!(ran.out().contains(name), "{}", ran.out());
        let ran = place.run(&["undo", "-v"]);
        assert_eq!((ran.status, place.read(name)), (0, LATIN1.to_vec()), "{}", ran.err);
        assert!(ran.err.starts_with(&format!("utfkit: {name}: restored")), "{}", ran.err);
    }
}

/// Names are any units of 16 bits.
#[test]
fn names_that_are_not_unicode() {
    let place = Place::new();
    let name = OsString::from_wide(&[u16::from(b'a'), 0xD800, u16::from(b'.'), u16::from(b't')]);
    let path = place.path().join(&name);
    if fs::write(&path, LATIN1).is_err()
        || fs::read_dir(place.path()).unwrap().next().unwrap().unwrap().file_name() != name
    {
        println!("skipped: the file system has no such names");
        return;
    }
    let ran = run_in(&place, &["check".as_ref(), "-l".as_ref(), &name]);
    assert_eq!((ran.status, ran.out()), (1, "a\\u{d800}.t\n"));
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
    assert_eq!((ran.status, fs::read(&path).unwrap()), (0, UTF8.into()), "{}", ran.err);
    let ran = place.run(&["undo"]);
    assert_eq!((ran.status, fs::read(&path).unwrap()), (0, LATIN1.to_vec()), "{}", ran.err);
}

#[test]
fn the_program_expands_patterns() {
    let place = Place::new();
    for name in ["b.txt", "a.TXT", "a.md", ".c.txt", "folder/d.txt", "[x].txt"] {
        place.file(name, LATIN1);
    }
    let found = |args: &[&str]| {
        let ran = place.run(&[&["check", "-l"], args].concat());
        assert_eq!(ran.status, 1, "{args:?}: {}", ran.err);
        ran.out().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(&["*.txt"]), ["[x].txt", "a.TXT", "b.txt"]);
    assert_eq!(found(&["?.txt", "a.md"]), ["a.TXT", "b.txt", "a.md"]);
    assert_eq!(found(&[r"fold*\*.txt"]), [r"folder\d.txt"]);
    assert_eq!(found(&["[x].*"]), ["[x].txt"]);
    // Patterns in options are not expanded.
    assert_eq!(found(&["-g", "*.md", "."]), [r".\a.md"]);
    let ran = place.run(&["check", "*.rst"]);
    assert_eq!((ran.status, ran.err.as_str()), (2, "utfkit: *.rst: no file matches\n"));
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "*.txt"]);
    assert_eq!((ran.status, place.read("b.txt"), place.read("a.md")), (0, UTF8.into(), LATIN1.to_vec()), "{}", ran.err);
    assert_eq!((place.run(&["undo"]).status, place.read("b.txt")), (0, LATIN1.to_vec()));
}

#[test]
fn an_advised_command_names_a_path_with_backslashes() {
    let place = Place::new();
    place.file("folder/a.txt", LATIN1);
    let ran = place.run(&["check", r"folder\a.txt"]);
    let advised = ran.err.split("; try: utfkit ").nth(1).unwrap_or_else(|| panic!("{}", ran.err));
    let ran = place.run(&advised.split_whitespace().collect::<Vec<_>>());
    assert_eq!((ran.status, ran.out()), (0, UTF8), "{advised}: {}", ran.err);
}

#[test]
fn standard_input_is_detected_from_a_pipe_and_from_a_file() {
    let place = Place::new();
    let path = place.file("a.txt", LATIN1);
    assert_eq!(place.feed(&["convert", "-f", "auto"], LATIN1).out(), UTF8);
    let ran: Ran = place.command(&["convert", "-f", "auto"]).stdin(File::open(path).unwrap()).output().unwrap().into();
    assert_eq!((ran.status, ran.out()), (0, UTF8), "{}", ran.err);
}

#[test]
fn logs_are_in_the_local_application_data() {
    let place = Place::new();
    place.file("a.txt", LATIN1);
    let local = place.path().join("local");
    let run = |args: &[&str]| -> Ran {
        let mut command = place.command(args);
        command.env_remove("XDG_STATE_HOME").env("LOCALAPPDATA", &local).output().unwrap().into()
    };
    assert_eq!(run(&["fix", "--yes", "--trust", "likely", "a.txt"]).status, 0);
    assert_eq!(fs::read_dir(local.join("utfkit")).unwrap().count(), 1);
    assert_eq!((run(&["undo"]).status, place.read("a.txt")), (0, LATIN1.to_vec()));
}

#[test]
fn two_runs_at_once_on_one_file() {
    for round in 0..20 {
        let place = Place::new();
        let text = LATIN1.repeat(1 + round * 500);
        place.file("a.txt", &text);
        let runs: Vec<_> = (0..2)
            .map(|_| {
                let mut command = place.command(&["fix", "--yes", "--trust", "likely", "a.txt"]);
                command.stdout(Stdio::piped()).stderr(Stdio::piped());
                started(command)
            })
            .collect();
        let ran: Vec<Ran> = runs.into_iter().map(|run| run.wait_with_output().unwrap().into()).collect();
        let changed = ran.iter().filter(|ran| ran.err.contains("1 file changed")).count();
        assert!(changed > 0 && ran.iter().all(|ran| ran.status == 0 || ran.err.contains("left as it was")), "{ran:?}");
        assert_eq!(
            (place.read("a.txt"), place.names()),
            (UTF8.repeat(1 + round * 500).into(), vec!["a.txt".to_owned()])
        );
    }
}

#[test]
fn a_run_that_was_killed_is_undone() {
    const FILES: usize = 300;
    let place = Place::new();
    let content = |n: usize| [LATIN1, format!("{n}\n").as_bytes()].concat().repeat(200);
    for n in 0..FILES {
        place.file(format!("{n}.txt"), content(n));
    }
    let changed = || (0..FILES).filter(|&n| place.read(&format!("{n}.txt")) != content(n)).count();
    let mut child = place.command(&["fix", "--yes", "--trust", "likely", "."]);
    child.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = started(child);
    let begun = Instant::now();
    while changed() < 5 && begun.elapsed() < Duration::from_secs(120) {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let by_then = changed();
    println!("{by_then} of {FILES} were changed");
    assert!(by_then >= 5);
    let ran = place.run(&["undo"]);
    assert_eq!((ran.status, changed()), (0, 0), "{}", ran.err);
    // It also removes what the killed run was writing.
    assert!(place.names().iter().all(|name| name.ends_with(".txt")), "{:?}", place.names());
}

/// Attributes of a file on Windows.
#[test]
fn a_hidden_file_stays_hidden() {
    use std::os::windows::fs::MetadataExt;

    const FILE_ATTRIBUTE_HIDDEN: u32 = 2;
    const FILE_ATTRIBUTE_TEMPORARY: u32 = 0x100;
    let attributes = |path: &Path| fs::metadata(path).unwrap().file_attributes();
    for args in WRITERS {
        let place = Place::new();
        let path = place.path().join("a.txt");
        let mut file =
            File::options().write(true).create_new(true).attributes(FILE_ATTRIBUTE_HIDDEN).open(&path).unwrap();
        std::io::Write::write_all(&mut file, LATIN1).unwrap();
        drop(file);
        let before = attributes(&path);
        if before & FILE_ATTRIBUTE_HIDDEN == 0 {
            println!("skipped: the file system keeps no such attribute");
            return;
        }
        let ran = place.run(args);
        assert_eq!((ran.status, attributes(&path)), (0, before), "{args:?}: {}", ran.err);
        assert_eq!(attributes(&path) & FILE_ATTRIBUTE_TEMPORARY, 0);
    }
}
