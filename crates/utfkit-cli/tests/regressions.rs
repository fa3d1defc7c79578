//! What went wrong once, each by its name.

#![cfg(unix)]

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{Place, Ran};

/// Runs a line of shell, in which `$UTFKIT` is the command.
fn shell(place: &Place, line: &str) -> Ran {
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(place.path())
        .env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    output.into()
}

#[test]
fn a_name_of_300_mb_in_a_list_took_1_76_gb() {
    let place = Place::new();
    place.file("bad", b"\xFF");
    // 200 MiB of address space: the name alone would not fit.
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"ulimit -v 204800; exec "$UTFKIT" check -j 1 -l --files0-from -"#])
        .current_dir(place.path())
        .env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    let piece = vec![b'n'; 1 << 20];
    for _ in 0..300 {
        list.write_all(&piece).unwrap();
    }
    list.write_all(b"\0bad\0").unwrap();
    drop(list);
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.status, ran.out()), (2, "bad\n"), "{}", ran.err);
    assert_eq!(ran.err, "utfkit: -: holds a name of more than 131072 bytes\n");
}

#[test]
fn the_longest_name_in_a_list_is_a_name() {
    let place = Place::new();
    for (len, message) in [(131_072, "File name too long"), (131_073, "holds a name of more than")] {
        for end in ["", "\0"] {
            let list = "n".repeat(len) + end;
            let ran = place.feed(&["check", "--files0-from", "-"], list.as_bytes());
            assert!(ran.status == 2 && ran.err.contains(message), "{len} {end:?}: {}", &ran.err[..80]);
        }
    }
}

#[test]
fn help_that_could_not_be_printed_ended_with_0() {
    let place = Place::new();
    for what in ["--help", "-h", "check --help", "help", "--version", "list", "man", "completions bash"] {
        let ran = shell(&place, &format!("\"$UTFKIT\" {what} >/dev/full"));
        assert_eq!(ran.status, 2, "{what}: {}", ran.err);
        assert!(ran.err.contains("No space left on device"), "{what}: {}", ran.err);
        let closed = shell(&place, &format!("\"$UTFKIT\" {what} >&-"));
        assert_eq!(closed.status, 2, "{what}: {}", closed.err);
        assert!(closed.err.contains("standard output is closed"), "{what}: {}", closed.err);
        let gone = shell(&place, &format!("(\"$UTFKIT\" {what}; echo $? >&2) | true"));
        assert_eq!(gone.err, "0\n", "{what}");
    }
}

#[test]
fn output_to_a_closed_standard_output_was_lost_with_status_0() {
    let place = Place::new();
    place.file("a", "text\n");
    place.file("bad", b"\xFF");
    for what in ["convert -c a", "convert a", "repair bad", "count a", "detect a", "inspect a", "check bad", "report a"]
    {
        let ran = shell(&place, &format!("\"$UTFKIT\" {what} >&-"));
        assert_eq!(ran.status, 2, "{what}: {}", ran.err);
        assert!(ran.err.contains("standard output is closed"), "{what}: {}", ran.err);
    }
    // Nothing is lost here, whether the stream is closed or goes nowhere.
    for what in ["check a >&-", "check -q a >&-", "convert -t UTF-16 --in-place a >&-", "convert bad -c >/dev/null"] {
        let ran = shell(&place, &format!("\"$UTFKIT\" {what}"));
        assert_eq!(ran.status, 0, "{what}: {}", ran.err);
    }
}

#[test]
fn a_silent_conversion_reported_what_stopped_it() {
    let place = Place::new();
    place.file("bad", b"ok\xFF");
    for args in [
        &["convert", "-s", "bad"][..],
        &["convert", "-q", "bad"],
        &["convert", "-s", "-o", "out", "bad"],
        &["convert", "--silent", "--in-place", "bad"],
    ] {
        let ran = place.run(args);
        assert_eq!((ran.status, ran.err.as_str()), (1, ""), "{args:?}");
    }
    assert_eq!(place.names(), ["bad"]);
    // What is not about text is said all the same.
    let ran = place.run(&["convert", "-s", "nowhere"]);
    assert!(ran.status == 2 && ran.err.contains("No such file"), "{}", ran.err);
}
