//! Two names of one file are recognized on every system: a file that would be overwritten is
//! judged first, and the message says so.

use std::fs;
use std::process::Stdio;

use crate::common::Place;

/// Likely windows-1252, which is not sure enough to write over the only copy.
const GUESS: &[u8] = b"caf\xE9 na\xEFve r\xE9sum\xE9 \xE0 la carte\n";
const READ: &str = "café naïve résumé à la carte\n";
/// Ill-formed, and no text.
const BINARY: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\xFF\xE9";

/// A place with a file and a second name of it.
fn linked(content: &[u8]) -> Place {
    let place = Place::new();
    let path = place.file("file.txt", content);
    fs::hard_link(path, place.path().join("twin.txt")).unwrap();
    place
}

#[test]
fn a_guess_is_never_written_over_the_only_copy() {
    for (output, input) in
        [("file.txt", "file.txt"), ("./file.txt", "file.txt"), ("twin.txt", "file.txt"), ("file.txt", "twin.txt")]
    {
        for (command, content) in [
            (&["convert", "-f", "auto"][..], GUESS),
            (&["convert", "-f", "latin1"], BINARY),
            (&["repair", "--fallback", "auto"], BINARY),
            (&["repair"], BINARY),
        ] {
            let place = linked(content);
            let ran = place.run(&[command, &["-o", output, input]].concat());
            assert_eq!(ran.status, 1, "{command:?} {output} {input}: {}", ran.err);
            assert!(ran.err.contains("left as it was"), "{}", ran.err);
            assert_eq!(
                (place.read("file.txt"), place.read("twin.txt")),
                (content.to_vec(), content.to_vec()),
                "{command:?} {output} {input}"
            );
            assert_eq!(place.names(), ["file.txt", "twin.txt"]);
        }
    }
    // One of several inputs, of which `-o` makes one file.
    let place = linked(GUESS);
    place.file("other.txt", "abc\n");
    let ran = place.run(&["convert", "-f", "auto", "-o", "twin.txt", "other.txt", "file.txt"]);
    assert_eq!((ran.status, place.read("file.txt"), place.read("twin.txt")), (1, GUESS.to_vec(), GUESS.to_vec()));
}

/// The name of a file in another case is the same file where the system says so.
#[test]
fn a_guess_is_never_written_over_the_only_copy_under_a_name_in_another_case() {
    let place = Place::new();
    place.file("file.txt", GUESS);
    if fs::metadata(place.path().join("FILE.TXT")).is_err() {
        println!("skipped: here these are two files");
        return;
    }
    let ran = place.run(&["convert", "-f", "auto", "-o", "FILE.TXT", "file.txt"]);
    assert_eq!((ran.status, place.read("file.txt")), (1, GUESS.to_vec()), "{}", ran.err);
}

#[test]
fn a_second_name_keeps_the_old_content_and_that_is_said() {
    for args in [
        &["convert", "-f", "latin1", "--in-place", "file.txt"][..],
        &["convert", "-f", "latin1", "-o", "file.txt", "file.txt"],
        &["convert", "-f", "latin1", "-o", "file.txt", "twin.txt"],
        &["fix", "--yes", "--trust", "likely", "file.txt"],
        &["repair", "--in-place", "--fallback", "latin1", "file.txt"],
    ] {
        let place = linked(GUESS);
        let ran = place.run(args);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        assert!(ran.err.contains("file.txt: replaced; 1 other hard link keeps the old content\n"), "{}", ran.err);
        assert_eq!((place.read("file.txt"), place.read("twin.txt")), (READ.into(), GUESS.to_vec()), "{args:?}");
        let ran = place.run(&["undo"]);
        assert_eq!((ran.status, place.read("file.txt")), (0, GUESS.to_vec()), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_file_named_twice_is_written_once() {
    let place = Place::new();
    let names = ["a.txt", "./a.txt", "a.txt"];
    for (command, verb) in [
        (&["convert", "-f", "latin1", "--in-place"][..], "converted"),
        (&["repair", "--fallback", "latin1", "--in-place"], "repaired"),
    ] {
        place.file("a.txt", b"\xE9\n");
        let ran = place.run(&[command, &names].concat());
        assert_eq!((ran.status, place.read("a.txt")), (0, "é\n".into()), "{}", ran.err);
        let twice = format!("named twice, {verb} once");
        assert_eq!(ran.err.matches(&twice).count(), 2, "{}", ran.err);
    }
}

/// A run that was killed leaves the backup as a second name of the file.
#[test]
fn a_backup_that_is_a_link_to_the_file_is_no_other_file() {
    let place = Place::new();
    let path = place.file("a.txt", b"\xE9\n");
    fs::hard_link(&path, place.path().join("a.txt.bak")).unwrap();
    let ran = place.run(&["convert", "-f", "latin1", "--in-place=.bak", "a.txt"]);
    assert_eq!((ran.status, ran.said()), (0, ""));
    assert_eq!((place.read("a.txt"), place.read("a.txt.bak")), ("é\n".into(), b"\xE9\n".to_vec()));
    // Another file of that name is not the file.
    place.file("b.txt", b"\xE9\n");
    place.file("b.txt.bak", b"\xE8\n");
    let ran = place.run(&["convert", "-f", "latin1", "--in-place=.bak", "b.txt"]);
    assert_eq!((ran.status, place.read("b.txt"), place.read("b.txt.bak")), (2, b"\xE9\n".to_vec(), b"\xE8\n".to_vec()));
    assert!(ran.err.contains("b.txt.bak exists with other content"), "{}", ran.err);
}

/// It would read its own output without end.
#[test]
fn a_file_is_not_appended_to_itself() {
    let place = linked("é\n".as_bytes());
    for input in ["file.txt", "twin.txt"] {
        let out = fs::File::options().append(true).open(place.path().join("file.txt")).unwrap();
        let ran =
            place.command(&["convert", "-t", "latin1", input]).stdout(out).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!((ran.status.code(), place.read("file.txt")), (Some(2), "é\n".into()), "{err}");
        assert!(err.contains("standard output goes to this file"), "{err}");
    }
}

#[test]
fn names_that_change_places_are_told_apart_and_come_back() {
    // The name in its canonical form is free, so that the file gets it, and loses it again.
    let place = Place::new();
    place.file("cafe\u{301}.txt", "1");
    let ran = place.run(&["names", "--nfc", "--yes", "."]);
    assert_eq!((ran.status, place.names()), (0, vec!["caf\u{E9}.txt".to_owned()]), "{}", ran.err);
    let ran = place.run(&["undo"]);
    assert_eq!((ran.status, place.names()), (0, vec!["cafe\u{301}.txt".to_owned()]), "{}", ran.err);
    // It is taken by then: neither is written over.
    assert_eq!(place.run(&["names", "--nfc", "--yes", "."]).status, 0);
    place.file("cafe\u{301}.txt", "2");
    let ran = place.run(&["undo"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert_eq!((place.read("caf\u{E9}.txt"), place.read("cafe\u{301}.txt")), (b"1".to_vec(), b"2".to_vec()));
}
