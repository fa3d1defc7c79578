//! Unusual files, and files that change during a run: nothing is lost, and the
//! result is reported. `files_of_unix` has what only Unix has.

use std::fs;
use std::io::{Seek, SeekFrom};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::common::{Place, Ran, missing, started};

/// "é" in ISO-8859-1 and in UTF-8.
pub(crate) const LATIN1: &[u8] = b"\xE9";
pub(crate) const UTF8: &[u8] = "é".as_bytes();

pub(crate) const IN_PLACE: [&str; 4] = ["convert", "-f", "latin1", "--in-place"];

pub(crate) fn convert(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&IN_PLACE, args].concat())
}

#[test]
fn a_file_named_twice_is_converted_once() {
    let place = Place::new();
    place.file("a", LATIN1);
    // On Windows not everybody may make links, and case makes no difference.
    #[cfg(unix)]
    std::os::unix::fs::symlink("a", place.path().join("link")).unwrap();
    let again = if cfg!(unix) { "link" } else { "A" };
    let ran = convert(&place, &["a", "./a", again, "missing/a", "a"]);
    assert_eq!(place.read("a"), UTF8);
    assert_eq!((ran.status, ran.err.matches("named twice, converted once").count()), (2, 3), "{}", ran.err);
    assert!(ran.err.contains("missing/a: "), "{}", ran.err);
    // Also with a list, and with a folder and a file in it.
    place.file("list", b"b\0b\0");
    place.file("b", LATIN1);
    assert_eq!(convert(&place, &["--files0-from", "list"]).status, 0);
    assert_eq!(place.read("b"), UTF8);
    place.file("folder/c", LATIN1);
    assert_eq!(convert(&place, &["folder", "folder/c", "folder"]).status, 0);
    assert_eq!(place.read("folder/c"), UTF8);
    #[cfg(unix)]
    assert!(fs::symlink_metadata(place.path().join("link")).unwrap().is_symlink());
}

#[test]
fn hard_links_are_converted_once_each_and_reported() {
    let place = Place::new();
    place.file("a", LATIN1);
    fs::hard_link(place.path().join("a"), place.path().join("b")).unwrap();
    fs::hard_link(place.path().join("a"), place.path().join("c")).unwrap();
    let ran = convert(&place, &["-j1", "a", "b"]);
    assert_eq!((ran.status, place.read("a"), place.read("b")), (0, UTF8.to_vec(), UTF8.to_vec()));
    assert_eq!(place.read("c"), LATIN1);
    assert!(ran.err.contains("2 other hard links keep the old content"), "{}", ran.err);
    assert!(ran.err.contains("1 other hard link keeps the old content"), "{}", ran.err);
}

/// Another one if the file was replaced by one with the same time.
#[cfg(unix)]
fn identity(file: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(windows)]
fn identity(file: &fs::Metadata) -> u64 {
    std::os::windows::fs::MetadataExt::creation_time(file)
}

#[test]
fn a_file_that_would_not_change_is_not_written() {
    let place = Place::new();
    let long = "only letters, and a line of them\n".repeat(200_000);
    let past = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (name, args, content) in [
        ("ascii", &["-f", "latin1"][..], long.as_bytes()),
        ("utf8", &["-f", "UTF-8"], "é€🎉".as_bytes()),
        ("cut", &["-f", "UTF-16LE", "-t", "UTF-16LE"], b"\x3D\xD8\x89\xDF"),
        ("signed", &["--bom", "add"], b"\xEF\xBB\xBFx"),
        ("empty", &["-t", "UTF-16LE"], b""),
    ] {
        let path = place.file(name, content);
        fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
        let before = fs::metadata(&path).unwrap();
        place.run(&[&["convert", "--in-place=.bak"], args, &[name]].concat()).is_silent_success();
        let after = fs::metadata(&path).unwrap();
        assert_eq!((after.modified().unwrap(), identity(&after)), (past, identity(&before)), "{name}");
    }
    assert!(!place.names().iter().any(|name| name.ends_with(".bak")), "no change, no backup");
    // A change at the end, or output that is only shorter, is written.
    let path = place.file("late", [long.as_bytes(), LATIN1].concat());
    convert(&place, &["late"]).is_silent_success();
    assert!(fs::read(path).unwrap() == [long.as_bytes(), UTF8].concat());
    place.file("bom", b"\xEF\xBB\xBF");
    place.run(&["convert", "--in-place", "--bom", "remove", "bom"]).is_silent_success();
    assert_eq!(place.read("bom"), b"");
    place.file("short", b"ab\xFF");
    assert_eq!(place.run(&["convert", "--in-place", "-c", "short"]).status, 0);
    assert_eq!(place.read("short"), b"ab");
}

#[test]
fn a_backup_is_whole_and_never_overwritten() {
    let place = Place::new();
    let path = place.file("a", LATIN1);
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let old = fs::metadata(&path).unwrap().permissions();
    convert(&place, &["a"]).is_silent_success();
    place.file("a", LATIN1);
    place.run(&["convert", "-f", "latin1", "--in-place=.bak", "a"]).is_silent_success();
    assert_eq!((place.read("a"), place.read("a.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    assert_eq!(fs::metadata(place.path().join("a.bak")).unwrap().permissions(), old);
    // Repeating a run by mistake would lose the original.
    let ran = place.run(&["convert", "-f", "latin1", "--in-place=.bak", "a"]);
    assert!(ran.status == 1 && ran.err.contains("a: left as it was: it is UTF-8 already"), "{}", ran.err);
    let ran = place.run(&["convert", "-f", "latin1", "--in-place=.bak", "--force", "a"]);
    assert!(ran.status == 2 && ran.err.starts_with("utfkit: a: a.bak exists with other content"), "{}", ran.err);
    assert_eq!((place.read("a"), place.read("a.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    // A backup with the same content, from a killed run or made by hand.
    for link in [true, false] {
        fs::remove_file(place.path().join("b.bak")).unwrap_or_default();
        let path = place.file("b", LATIN1);
        match link {
            true => fs::hard_link(&path, place.path().join("b.bak")).unwrap(),
            false => drop(place.file("b.bak", LATIN1)),
        }
        place.run(&["convert", "-f", "latin1", "--in-place=.bak", "b"]).is_silent_success();
        assert_eq!((place.read("b"), place.read("b.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    }
    let ran = place.run(&["convert", "--in-place=/x", "a"]);
    assert!(ran.status == 2 && ran.err.contains("separator"), "{}", ran.err);
    // Backups in folders are not inputs.
    place.file("tree/c", LATIN1);
    place.run(&["convert", "-f", "latin1", "--in-place=.bak", "tree"]).is_silent_success();
    let ran = place.run(&["convert", "-f", "UTF-8", "--in-place=.bak", "tree"]);
    assert_eq!((ran.status, ran.said()), (0, "utfkit: skipped 1 backup (.bak); to convert it anyway, name it\n"));
}

/// Starts a slow conversion of the file `a` in place and calls `meddle` once it
/// has begun. If it has ended by then, tries again with a file twice as long,
/// since the necessary length depends on the machine's load.
fn meddling(place: &Place, meddle: impl Fn()) -> Ran {
    let mut latin1 = b"ab\xE9\n".repeat(1_000_000);
    while latin1.len() < 2_000_000_000 {
        place.file("a", &latin1);
        let mut command = place.command(&[&IN_PLACE[..], &["-j1", "a"]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = started(command);
        while !place.names().iter().any(|name| name.starts_with(".utfkit-")) && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_micros(50));
        }
        meddle();
        let ran: Ran = child.wait_with_output().unwrap().into();
        if ran.status != 0 {
            return ran;
        }
        latin1.extend_from_within(..);
    }
    panic!("it is always done at once");
}

#[test]
fn a_file_that_changes_or_vanishes_while_it_is_read_is_left_alone() {
    let place = Place::new();
    let ran = convert(&place, &["gone", "-v"]);
    assert!(ran.status == 2 && ran.err.starts_with(&format!("utfkit: gone: {}", missing())), "{}", ran.err);
    let path = place.path().join("a");
    let ran = meddling(&place, || {
        let mut file = fs::File::options().append(true).open(&path).unwrap();
        std::io::Write::write_all(&mut file, b"more").unwrap();
    });
    assert!(ran.status == 2 && ran.err.contains("a: changed while it was read; left as it was"), "{}", ran.err);
    assert!(place.read("a").ends_with(b"more") && place.names() == ["a"], "{:?}", place.names());
    // Windows replaces and removes no file that is open.
    if cfg!(windows) {
        return;
    }
    // A new file, created meanwhile.
    let ran = meddling(&place, || fs::rename(place.file("b", "new"), &path).unwrap());
    assert!(ran.status == 2 && ran.err.contains("changed while it was read"), "{}", ran.err);
    assert_eq!((place.read("a"), place.names()), (b"new".to_vec(), vec!["a".to_owned()]));
    let ran = meddling(&place, || fs::remove_file(&path).unwrap());
    assert!(ran.status == 2 && ran.err.contains("changed while it was read"), "{}", ran.err);
    assert_eq!(place.names(), [""; 0], "what was removed does not come back");
}

#[test]
fn the_output_among_the_inputs() {
    let place = Place::new();
    place.file("a", LATIN1);
    place.file("b", LATIN1);
    place.run(&["convert", "-f", "latin1", "-o", "a", "b", "a"]).is_silent_success();
    assert_eq!(place.read("a"), "éé".as_bytes());
    // Appending a file to itself would never end.
    let open = || fs::File::options().append(true).open(place.path().join("a")).unwrap();
    let ran: Ran = place.command(&["convert", "a"]).stdout(open()).output().unwrap().into();
    assert!(ran.status == 2 && ran.err.contains("--in-place"), "{}", ran.err);
    assert_eq!(place.read("a"), "éé".as_bytes());
    let read = fs::File::open(place.path().join("a")).unwrap();
    let ran: Ran = place.command(&["convert"]).stdin(read).stdout(open()).output().unwrap().into();
    assert_eq!((ran.status, place.read("a")), (2, "éé".into()), "{}", ran.err);
    // Any number of times, since nothing is written.
    assert_eq!(place.run(&["convert", "a", "a"]).out(), "éééé");
    let ran = place.run(&["convert", "-o", ".", "a"]);
    assert!(ran.status == 2 && ran.err.contains("is a folder: name a file in it"), "{}", ran.err);
    let ran = place.run(&["convert", "-o", "no/where", "a"]);
    assert!(ran.status == 2 && ran.err.contains("its folder does not exist"), "{}", ran.err);
    assert_eq!(place.names(), ["a", "b"]);
}

#[test]
fn many_files_at_once_report_in_order_and_none_stops_the_others() {
    let place = Place::new();
    for n in 0..60 {
        place.file(format!("{n:02}"), if n % 3 == 0 { &b"ok\n\xFF"[..] } else { "é\n".as_bytes() });
    }
    for threads in ["-j1", "-j8"] {
        let ran = place.portable(&["convert", "-t", "UTF-16BE", "--in-place", threads, "."]);
        let bad: Vec<_> = ran.err.lines().filter(|line| line.contains(": invalid-byte: ")).collect();
        let want: Vec<_> = (0..60).step_by(3).map(|n| format!("./{n:02}:2:1: byte 3: FF: ")).collect();
        assert_eq!((ran.status, bad.len()), (1, 20));
        assert!(bad.iter().zip(&want).all(|(line, start)| line.starts_with(start)), "{bad:?}");
        for n in 0..60 {
            let want = if n % 3 == 0 { &b"ok\n\xFF"[..] } else { b"\0\xE9\0\n" };
            assert_eq!(place.read(&format!("{n:02}")), want);
        }
        (0..60).filter(|n| n % 3 != 0).for_each(|n| drop(place.file(format!("{n:02}"), "é\n")));
    }
}

#[test]
fn a_large_file_goes_through_threads_and_comes_out_the_same() {
    let place = Place::new();
    let text = "Zeile äöü € 🎉\n".repeat(250_000);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.file("a", &text);
    for threads in ["-j1", "-j4"] {
        place.run(&["convert", threads, "-t", "UTF-16LE", "-o", "b", "a"]).is_silent_success();
        assert!(place.read("b") == utf16, "{threads}");
        place.run(&["convert", threads, "-f", "UTF-16LE", "--in-place", "b"]).is_silent_success();
        assert!(place.read("b") == text.as_bytes(), "{threads}");
    }
    assert!(place.pipe(&["convert", "-t", "UTF-16LE"], text.as_bytes().chunks(50_000)).out == utf16);
    // A late error is reported at its offset, and the file is left unchanged.
    let bad = [text.as_bytes(), b"ab\xFF", text.as_bytes()].concat();
    place.file("a", &bad);
    let ran = place.run(&["convert", "-t", "UTF-16LE", "--in-place", "a"]);
    let want = format!("a:250001:3: byte {}: FF: invalid-byte: ", text.len() + 2);
    assert!(ran.status == 1 && ran.err.starts_with(&want), "{}", ran.err);
    assert!(place.read("a") == bad && place.names() == ["a", "b"]);
    // After another process has read the start, from a file as from a pipe.
    let mut rest = fs::File::open(place.path().join("a")).unwrap();
    rest.seek(SeekFrom::Start(4)).unwrap();
    let written = fs::File::create(place.path().join("b")).unwrap();
    let mut command = place.command(&["convert", "-t", "UTF-16LE"]);
    let ran: Ran = command.stdin(rest).stdout(written).output().unwrap().into();
    let piped = place.pipe(&["convert", "-t", "UTF-16LE"], bad[4..].chunks(50_000));
    assert_eq!((ran.status, &ran.err), (1, &piped.err));
    assert!(place.read("b") == piped.out, "the good part");
    assert!(piped.err.starts_with(&format!("-:250001:3: byte {}: FF", text.len() - 2)), "{}", piped.err);
}

#[test]
fn what_a_killed_run_left_is_removed_when_asked_for() {
    let place = Place::new();
    place.file("folder/a", LATIN1);
    let left = |place: &Place| {
        place.file("folder/.utfkit-0123456789ab.tmp", "half");
        place.file("folder/.utfkit-notes.tmp", "somebody's");
    };
    left(&place);
    // Not asked for, it is mentioned, with what removes it.
    place.file("folder/b", LATIN1);
    for args in [
        &["convert", "-s", "-f", "latin1", "--in-place", "folder/a"][..],
        &["convert", "-s", "-f", "latin1", "-o", "folder/c", "folder/b"],
        &["repair", "-s", "--in-place", "folder"],
        &["fix", "-s", "folder"],
        &["fix", "-s", "--yes", "folder/a"],
    ] {
        let ran = place.run(args);
        let said = "utfkit: folder: a run that was killed left 1 temporary file here; \
                    `utfkit fix --clean folder` removes it\n";
        assert!(ran.err.contains(said), "{args:?} {}", ran.err);
        assert!(place.path().join("folder/.utfkit-0123456789ab.tmp").exists(), "{args:?}");
    }
    let ran = place.run(&["fix", "-s", "--clean", "folder"]);
    assert!(ran.err.contains("removed 1 temporary file") && !ran.err.contains("killed"), "{}", ran.err);
    assert!(!place.path().join("folder/.utfkit-0123456789ab.tmp").exists());
    fs::remove_file(place.path().join("folder/b")).unwrap();
    fs::remove_file(place.path().join("folder/c")).unwrap();
    // Where a folder has nothing else in it.
    place.file("alone/.utfkit-0123456789ab.tmp", "half");
    let ran = place.run(&["fix", "alone"]);
    assert!(ran.err.contains("`utfkit fix --clean alone` removes it"), "{}", ran.err);
    assert_eq!(place.run(&["fix", "--clean", "alone"]).status, 0);
    assert_eq!(fs::read_dir(place.path().join("alone")).unwrap().count(), 0);
    // `undo` removes it where it restores.
    place.file("undone/a", LATIN1);
    convert(&place, &["undone/a"]).is_silent_success();
    place.file("undone/.utfkit-0123456789ab.tmp", "half");
    let ran = place.run(&["undo"]);
    assert_eq!(ran.err, "utfkit: 1 file restored\nutfkit: removed 1 temporary file that an earlier run had left\n");
    for args in [
        &["convert", "--clean", "--in-place", "folder"][..],
        &["convert", "--clean", "-o", "folder/b", "folder/a"],
        &["convert", "--clean", "--in-place", "folder/a", "folder/b"],
    ] {
        left(&place);
        let ran = place.run(args);
        let said = "utfkit: removed 1 temporary file that an earlier run had left\n";
        assert_eq!((ran.status, ran.said()), (0, said), "{args:?}");
        assert!(!place.path().join("folder/.utfkit-0123456789ab.tmp").exists(), "{args:?}");
        assert!(place.path().join("folder/.utfkit-notes.tmp").exists(), "{args:?}");
    }
    let ran = place.run(&["convert", "--clean", "folder/a"]);
    assert!(ran.status == 2 && ran.err.contains("--in-place or -o"), "{}", ran.err);
    // Files of a living process are kept.
    left(&place);
    let held = fs::File::open(place.path().join("folder/.utfkit-0123456789ab.tmp")).unwrap();
    held.lock().unwrap();
    place.run(&["convert", "--clean", "--in-place", "folder/a"]).is_silent_success();
    assert!(place.path().join("folder/.utfkit-0123456789ab.tmp").exists());
}
