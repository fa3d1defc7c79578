//! Unusual files, and files that change during a run: nothing is lost, and the
//! result is reported.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{Place, Ran};

/// "é" in ISO-8859-1 and in UTF-8.
const LATIN1: &[u8] = b"\xE9";
const UTF8: &[u8] = "é".as_bytes();

const IN_PLACE: [&str; 4] = ["convert", "-f", "latin1", "--in-place"];

fn convert(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&IN_PLACE, args].concat())
}

/// Runs a shell command in which `$UTFKIT` is the command.
fn shell(place: &Place, line: &str) -> Ran {
    place.shell(line).stdin(Stdio::null()).output().unwrap().into()
}

fn mode(path: impl AsRef<Path>, mode: u32) {
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn a_file_named_twice_is_converted_once() {
    let place = Place::new();
    place.file("a", LATIN1);
    symlink("a", place.path().join("link")).unwrap();
    let ran = convert(&place, &["a", "./a", "link", "missing/a", "a"]);
    assert_eq!(place.read("a"), UTF8);
    assert_eq!((ran.status, ran.err.matches("named twice, converted once").count()), (2, 3), "{}", ran.err);
    assert!(ran.err.contains("missing/a: No such file"), "{}", ran.err);
    // Also with a list, and with a folder and a file in it.
    place.file("list", b"b\0b\0");
    place.file("b", LATIN1);
    assert_eq!(convert(&place, &["--files0-from", "list"]).status, 0);
    assert_eq!(place.read("b"), UTF8);
    place.file("folder/c", LATIN1);
    assert_eq!(convert(&place, &["folder", "folder/c", "folder"]).status, 0);
    assert_eq!(place.read("folder/c"), UTF8);
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
        assert_eq!((after.modified().unwrap(), after.ino()), (past, before.ino()), "{name}");
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
    mode(&path, 0o640);
    let old = fs::metadata(&path).unwrap();
    convert(&place, &["a"]).is_silent_success();
    place.file("a", LATIN1);
    place.run(&["convert", "-f", "latin1", "--in-place=.bak", "a"]).is_silent_success();
    assert_eq!((place.read("a"), place.read("a.bak")), (UTF8.to_vec(), LATIN1.to_vec()));
    assert_eq!(fs::metadata(place.path().join("a.bak")).unwrap().mode(), old.mode());
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

#[test]
fn a_full_disk_leaves_the_old_file() {
    let place = Place::new();
    let text = "d\u{E9}j\u{E0} vu\n".repeat(20_000);
    let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
    place.file("a", &latin1);
    for (what, line) in [
        ("a limit that is told", r#"ulimit -f 1; trap "" XFSZ; exec "$UTFKIT" convert -f latin1 --in-place a"#),
        ("a limit that kills", r#"ulimit -f 1; exec "$UTFKIT" convert -f latin1 --in-place a"#),
        ("an output", r#"ulimit -f 1; exec "$UTFKIT" convert -f latin1 -o b a"#),
    ] {
        let ran = shell(&place, line);
        assert!(ran.status == 2 && ran.err.contains("ulimit -f"), "{what}: {ran:?}");
        assert!(place.read("a") == latin1 && place.names() == ["a"], "{what}: {:?}", place.names());
    }
    let ran = shell(
        &place,
        r#"mkdir full && exec unshare -rm sh -c 'mount -t tmpfs -o size=256k none full && cp a full/a || exit 77
           "$UTFKIT" convert -f latin1 --in-place full/a; status=$?
           cmp a full/a && ls -A full && exit $status'"#,
    );
    if ran.status == 77 || ran.err.contains("unshare") {
        println!("skipped: nothing can be mounted here: {}", ran.err);
        return;
    }
    assert_eq!((ran.status, ran.out()), (2, "a\n"), "{}", ran.err);
    assert!(ran.err.contains("No space left") && ran.err.contains("free some space"), "{}", ran.err);
}

#[test]
fn a_read_only_file_or_folder_says_what_to_do() {
    let place = Place::new();
    mode(place.path(), 0o777);
    let file = place.file("a", LATIN1);
    mode(&file, 0o444);
    let Some(ran) = place.as_nobody(&[&IN_PLACE[..], &["a"]].concat()) else { return };
    assert!(ran.status == 2 && ran.err.contains("chmod u+w"), "{}", ran.err);
    let folder = place.file("folder/b", LATIN1).parent().unwrap().to_owned();
    mode(folder.join("b"), 0o666);
    mode(&folder, 0o555);
    let ran = place.as_nobody(&[&IN_PLACE[..], &["folder/b"]].concat()).unwrap();
    assert!(ran.status == 2 && ran.err.contains("you are not allowed to write in its folder"), "{}", ran.err);
    let ran = place.as_nobody(&["convert", "-f", "latin1", "-o", "folder/new", "folder/b"]).unwrap();
    assert!(ran.status == 2 && ran.err.contains("you are not allowed to write in its folder"), "{}", ran.err);
    mode(&folder, 0o755);
    assert_eq!((place.read("a"), place.read("folder/b")), (LATIN1.to_vec(), LATIN1.to_vec()));
    // A file that would not change can be read-only.
    mode(place.file("same", "x"), 0o444);
    place.as_nobody(&[&IN_PLACE[..], &["same"]].concat()).unwrap().is_silent_success();
    // An unreadable file cannot be written either, and does not stop the run.
    mode(place.file("secret", LATIN1), 0);
    mode(place.file("open", LATIN1), 0o666);
    let ran = place.as_nobody(&[&IN_PLACE[..], &["secret", "open"]].concat()).unwrap();
    assert!(ran.status == 2 && ran.err.contains("secret: Permission denied"), "{}", ran.err);
    // The new file would have another owner.
    let own = fs::metadata(place.path().join("open")).unwrap().uid() != 0;
    if !own {
        assert!(ran.err.contains("open: its group cannot be kept") && ran.err.contains("--force"), "{}", ran.err);
        assert_eq!(place.read("open"), LATIN1);
        place.as_nobody(&[&IN_PLACE[..], &["--force", "open"]].concat()).unwrap().is_silent_success();
    }
    assert_eq!(place.read("open"), UTF8);
}

/// Starts a slow conversion of the file `a` in place and calls `meddle` once it
/// has begun. If it has ended by then, tries again with a file twice as long,
/// since the necessary length depends on the machine's load.
fn meddling(place: &Place, meddle: impl Fn()) -> Ran {
    let mut latin1 = b"ab\xE9\n".repeat(4_000_000);
    while latin1.len() < 2_000_000_000 {
        place.file("a", &latin1);
        let mut command = place.command(&[&IN_PLACE[..], &["-j1", "a"]].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
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
    let path = place.path().join("a");
    let ran = meddling(&place, || {
        let mut file = fs::File::options().append(true).open(&path).unwrap();
        std::io::Write::write_all(&mut file, b"more").unwrap();
    });
    assert!(ran.status == 2 && ran.err.contains("a: changed while it was read; left as it was"), "{}", ran.err);
    assert!(place.read("a").ends_with(b"more") && place.names() == ["a"], "{:?}", place.names());
    // A new file, created meanwhile.
    let ran = meddling(&place, || fs::rename(place.file("b", "new"), &path).unwrap());
    assert!(ran.status == 2 && ran.err.contains("changed while it was read"), "{}", ran.err);
    assert_eq!((place.read("a"), place.names()), (b"new".to_vec(), vec!["a".to_owned()]));
    let ran = meddling(&place, || fs::remove_file(&path).unwrap());
    assert!(ran.status == 2 && ran.err.contains("changed while it was read"), "{}", ran.err);
    assert_eq!(place.names(), [""; 0], "what was removed does not come back");
    let ran = convert(&place, &["gone", "-v"]);
    assert!(ran.status == 2 && ran.err.starts_with("utfkit: gone: No such file"), "{}", ran.err);
}

#[test]
fn pipes_and_devices() {
    let place = Place::new();
    place.file("in", UTF8);
    if !Command::new("mkfifo").arg(place.path().join("fifo")).status().is_ok_and(|status| status.success()) {
        println!("skipped: there is no `mkfifo`");
        return;
    }
    // A FIFO without a reader or writer: must not block.
    let ran = convert(&place, &["fifo", "/dev/null"]);
    assert!(ran.status == 2 && ran.err.matches("not a regular file").count() == 2, "{}", ran.err);
    assert!(ran.err.contains("write with -o"), "{}", ran.err);
    let ran = shell(&place, r#"cat fifo & "$UTFKIT" convert -t UTF-16BE -o fifo in; wait"#);
    assert_eq!((ran.status, ran.out.as_slice()), (0, &b"\0\xE9"[..]), "{}", ran.err);
    let ran = shell(&place, r#"cat in > fifo & exec "$UTFKIT" convert -t UTF-16BE fifo"#);
    assert_eq!((ran.status, ran.out.as_slice()), (0, &b"\0\xE9"[..]), "{}", ran.err);
    if Path::new("/dev/full").exists() {
        for line in [r#""$UTFKIT" convert -o /dev/full in"#, r#""$UTFKIT" convert in > /dev/full"#] {
            let ran = shell(&place, line);
            assert!(ran.status == 2 && ran.err.contains("No space left on device"), "{line}: {}", ran.err);
        }
    }
    shell(&place, r#""$UTFKIT" convert -o /dev/null in"#).is_silent_success();
    // Standard output by name: its content is kept.
    let ran = shell(&place, r#"printf 'first ' > out; "$UTFKIT" convert -o /dev/stdout in >> out; cat out"#);
    assert_eq!((ran.status, ran.out()), (0, "first é"));
    assert_eq!(shell(&place, r#""$UTFKIT" convert -o /dev/stdout in | cat"#).out(), "é");
    let ran = shell(&place, r#""$UTFKIT" convert in in in | head -c 0"#);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(place.names(), ["fifo", "in", "out"]);
}

#[test]
fn names_that_are_not_utf_8() {
    let place = Place::new();
    let path = place.path().join(OsStr::from_bytes(b"caf\xE9\x1B"));
    if fs::write(&path, LATIN1).is_err() {
        println!("skipped: this file system has only names in UTF-8");
        return;
    }
    place.run(&["convert", "-f", "latin1", "--in-place=.bak", "."]).is_silent_success();
    assert_eq!(fs::read(&path).unwrap(), UTF8);
    assert_eq!(fs::read(place.path().join(OsStr::from_bytes(b"caf\xE9\x1B.bak"))).unwrap(), LATIN1);
    let mut command = place.command(&["convert", "-t", "US-ASCII", "--in-place"]);
    let ran: Ran = command.arg(&path).output().unwrap().into();
    assert!(ran.status == 1 && ran.err.contains(r"caf\xE9\u{1b}:1:1: byte 0: C3 A9: unrepresentable"), "{}", ran.err);
    let ran: Ran = place.command(&["convert", "-o"]).arg(&path).arg(&path).output().unwrap().into();
    ran.is_silent_success();
}

#[test]
fn the_output_among_the_inputs() {
    let place = Place::new();
    place.file("a", LATIN1);
    place.file("b", LATIN1);
    place.run(&["convert", "-f", "latin1", "-o", "a", "b", "a"]).is_silent_success();
    assert_eq!(place.read("a"), "éé".as_bytes());
    // Appending a file to itself would never end.
    let ran = shell(&place, r#""$UTFKIT" convert a >> a"#);
    assert!(ran.status == 2 && ran.err.contains("--in-place"), "{}", ran.err);
    assert_eq!(place.read("a"), "éé".as_bytes());
    let ran = shell(&place, r#""$UTFKIT" convert < a >> a"#);
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
        let ran = place.run(&["convert", "-t", "UTF-16BE", "--in-place", threads, "."]);
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
    let text = "Zeile äöü € 🎉\n".repeat(400_000);
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
    let want = format!("a:400001:3: byte {}: FF: invalid-byte: ", text.len() + 2);
    assert!(ran.status == 1 && ran.err.starts_with(&want), "{}", ran.err);
    assert!(place.read("a") == bad && place.names() == ["a", "b"]);
    // After another process has read the start, from a file as from a pipe.
    let ran = shell(&place, r#"{ dd bs=4 count=1 > c 2> c; "$UTFKIT" convert -t UTF-16LE > b; } < a"#);
    let piped = shell(&place, r#"tail -c +5 a | "$UTFKIT" convert -t UTF-16LE > c"#);
    assert_eq!((ran.status, &ran.err), (1, &piped.err));
    assert!(place.read("b") == place.read("c"), "the good part");
    assert!(piped.err.starts_with(&format!("-:400001:3: byte {}: FF", text.len() - 2)), "{}", piped.err);
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

#[test]
fn a_run_that_was_told_to_ignore_a_hangup_goes_on() {
    let Ok(status) = fs::read_to_string("/proc/self/status") else {
        println!("skipped: only Linux says what is ignored");
        return;
    };
    // Signals that this process ignores, as under nohup, are also ignored by
    // its children.
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a line of what is ignored");
    let told_so_itself = u64::from_str_radix(ignored.trim(), 16).expect("a set of signals") & 1 == 1;
    let place = Place::new();
    for (line, survives) in [
        (r#"trap "" HUP; exec "$UTFKIT" convert -f latin1 -o out"#, true),
        (r#"exec "$UTFKIT" convert -f latin1 -o out"#, false),
    ] {
        if told_so_itself && !survives {
            println!("skipped: who is not told to, as this test was");
            continue;
        }
        let mut child = place.shell(line).stdin(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while !place.names().iter().any(|name| name.starts_with(".utfkit-")) {
            assert!(start.elapsed() < Duration::from_secs(60), "it does not begin");
            thread::sleep(Duration::from_millis(1));
        }
        assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
        // `wait` closes the child's standard input. At its end the run would
        // finish and replace "out" before the signal.
        let mut stdin = child.stdin.take().unwrap();
        if survives {
            std::io::Write::write_all(&mut stdin, LATIN1).unwrap();
            drop(stdin);
            assert!(child.wait().unwrap().success());
        } else {
            assert_eq!(child.wait().unwrap().signal(), Some(1), "it ends by the very signal");
            drop(stdin);
        }
        assert_eq!((place.read("out"), place.names()), (UTF8.to_vec(), vec!["out".to_owned()]));
    }
}
