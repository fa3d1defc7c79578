//! Files as only Unix has them: modes, owners, pipes, devices, names of bytes, full disks and
//! signals.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, Ran};
use crate::files::{IN_PLACE, LATIN1, UTF8, convert};

/// Runs a shell command in which `$UTFKIT` is the command.
fn shell(place: &Place, line: &str) -> Ran {
    place.shell(line).stdin(Stdio::null()).output().unwrap().into()
}

fn mode(path: impl AsRef<Path>, mode: u32) {
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
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
