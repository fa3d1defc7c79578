//! `-z`: compressed files are decompressed by the programs of the system.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{Place, all_cases};

/// Extension, and the program that makes such a file.
const FORMATS: [(&str, &str); 6] =
    [("gz", "gzip"), ("zst", "zstd"), ("xz", "xz"), ("bz2", "bzip2"), ("lz4", "lz4"), ("lzma", "xz --format=lzma")];

const TEXT: &str = "Grüße aus Köln, größer, naïve café\n";

/// Compresses a file and returns the name of the new one; `None` if the program is missing.
fn compress(place: &Place, name: &str, (extension, program): (&str, &str)) -> Option<String> {
    let mut words = program.split(' ');
    let mut command = Command::new(words.next()?);
    let from = fs::File::open(place.path().join(name)).unwrap();
    let done = command.args(words).arg("-c").stdin(from).stderr(Stdio::null()).output();
    let Ok(done) = done else {
        eprintln!("skipped: there is no {program}");
        return None;
    };
    assert!(done.status.success(), "{program}");
    let new = format!("{name}.{extension}");
    place.file(&new, done.stdout);
    Some(new)
}

fn every_format(place: &Place, name: &str) -> Vec<String> {
    let made: Vec<_> = FORMATS.iter().filter_map(|&format| compress(place, name, format)).collect();
    assert!(made.iter().any(|name| name.ends_with(".gz")), "gzip is everywhere");
    made
}

#[test]
fn every_command_reads_each_format_as_the_text_in_it() {
    let place = Place::new();
    // An error far into the file, past the first chunk.
    place.file("a.txt", [TEXT.repeat(9000).as_bytes(), b"\xFFx\n", TEXT.as_bytes()].concat());
    let commands: [&[&str]; 9] = [
        &["check"],
        &["check", "--context", "--format", "text"],
        &["check", "--format", "json"],
        &["detect", "-v"],
        &["count"],
        &["inspect", "--range", "387000..+9"],
        &["convert", "-f", "UTF-8//REPLACE", "-s"],
        &["repair"],
        &["repair", "--undouble", "--diff"],
    ];
    let compressed = every_format(&place, "a.txt");
    for command in commands {
        let plain = place.run(&[command, &["a.txt"]].concat());
        for name in &compressed {
            let ran = place.run(&[&command[..1], &["-z"], &command[1..], &[name.as_str()]].concat());
            let named = |text: &str| text.replace(name.as_str(), "a.txt").replace("repair -z", "repair");
            assert_eq!(named(ran.out()), plain.out(), "{command:?} {name}");
            assert_eq!(named(&ran.err), plain.err, "{command:?} {name}");
            assert_eq!(ran.status, plain.status, "{command:?} {name}");
        }
    }
}

#[test]
fn every_encoding_is_read_from_a_compressed_file() {
    let place = Place::new();
    place.file("a", "a,b\nc,d\n".repeat(40));
    let list = place.run(&["list"]);
    let names: Vec<&str> = list.lines().into_iter().filter_map(|line| line.split_whitespace().next()).collect();
    let mut read = 0;
    for name in names {
        let made = place.run(&["convert", "-t", name, "-o", "b", "a"]);
        if made.status != 0 {
            continue;
        }
        let packed = compress(&place, "b", FORMATS[0]).unwrap();
        let ran = place.run(&["convert", "-z", "-f", name, &packed]);
        assert_eq!((ran.status, ran.out()), (0, "a,b\nc,d\n".repeat(40).as_str()), "{name}: {}", ran.err);
        read += 1;
    }
    assert!(read > 90, "{read}");
}

#[test]
fn the_encoding_is_detected_on_the_way() {
    let place = Place::new();
    let text = TEXT.repeat(5000);
    place.file("w.txt", text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<_>>());
    place.file("u.txt", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    for name in every_format(&place, "w.txt").iter().chain(&every_format(&place, "u.txt")) {
        let ran = place.run(&["convert", "-z", "-f", "auto", name]);
        assert_eq!((ran.status, ran.out() == text), (0, true), "{name}: {}", ran.err);
    }
    let ran = place.run(&["check", "-z", "w.txt.gz"]);
    assert!(ran.err.contains("try: utfkit repair -z --fallback windows-1252 w.txt.gz"), "{}", ran.err);
}

#[test]
fn a_folder_is_read_with_what_is_compressed_in_it() {
    let place = Place::new();
    place.file("f/a.txt", TEXT);
    place.file("f/b.txt", b"\xFF\n");
    place.file("f/tar", [b"text".as_slice(), &[0; 600]].concat());
    compress(&place, "f/a.txt", FORMATS[0]).unwrap();
    compress(&place, "f/b.txt", FORMATS[0]).unwrap();
    compress(&place, "f/tar", FORMATS[0]).unwrap();
    fs::remove_file(place.path().join("f/tar")).unwrap();
    let ran = place.run(&["check", "f"]);
    assert_eq!(ran.lines().len(), 1);
    assert!(ran.err.contains("skipped 3 binary files"), "{}", ran.err);
    let ran = place.run(&["check", "-z", "f"]);
    let at: Vec<_> = ran.lines().iter().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(at, ["f/b.txt:1:1", "f/b.txt.gz:1:1"]);
    assert!(ran.err.contains("skipped 1 binary file (with NUL bytes)"), "{}", ran.err);
    let ran = place.run(&["detect", "-z", "f"]);
    assert!(ran.lines()[1].starts_with("f/a.txt.gz: UTF-8 (nearly certain"), "{}", ran.out());
    // A tar archive of a walk is not text, in any command.
    for command in ["detect", "count", "repair"] {
        let ran = place.run(&[command, "-z", "f"]);
        assert!(ran.err.contains("skipped 1 binary file"), "{command}: {}", ran.err);
    }
    let ran = place.run(&["convert", "-z", "-f", "auto", "f", "-g", "*.gz", "-g", "!b*"]);
    assert_eq!((ran.status, ran.out()), (0, TEXT), "{}", ran.err);
    assert!(ran.err.contains("skipped 1 binary file"), "{}", ran.err);
}

#[test]
fn what_cannot_be_decompressed_is_never_taken_for_text() {
    let place = Place::new();
    place.file("a.txt", TEXT.repeat(9000));
    place.file("plain.gz", TEXT);
    place.file("empty.gz", "");
    place.file("empty.lz4", "");
    let mut bad = vec![
        ("plain.gz".to_owned(), "cannot be decompressed: gzip: "),
        ("empty.gz".to_owned(), "cannot be decompressed: it is empty"),
        ("empty.lz4".to_owned(), "cannot be decompressed: it is empty"),
    ];
    for name in every_format(&place, "a.txt") {
        let bytes = place.read(&name);
        let cut = format!("cut.{name}");
        place.file(&cut, &bytes[..bytes.len() * 2 / 3]);
        bad.push((cut, "cannot be decompressed: "));
        // LZMA has no sum of its content.
        if !name.ends_with(".lzma") {
            let mut other = bytes.clone();
            let last = other.len() - 3;
            other[last] ^= 0x55;
            let corrupt = format!("corrupt.{name}");
            place.file(&corrupt, other);
            bad.push((corrupt, "cannot be decompressed: "));
        }
    }
    let commands: [&[&str]; 11] = [
        &["check"],
        &["check", "-q"],
        &["check", "--format", "json"],
        &["detect"],
        &["count"],
        &["inspect"],
        &["convert"],
        &["convert", "-f", "auto"],
        &["convert", "-o", "out"],
        &["repair"],
        &["repair", "--undouble", "-o", "out"],
    ];
    for (row, command) in commands.into_iter().enumerate() {
        for (column, (name, why)) in bad.iter().enumerate() {
            // A third of the files by each command, other ones by the next.
            if !all_cases() && (row + column) % 3 > 0 {
                continue;
            }
            let ran = place.run(&[command, &["-z", name.as_str()]].concat());
            assert_eq!(ran.status, 2, "{command:?} {name}: {}", ran.err);
            let is_told = ran.err.contains(&format!("{name}: {why}"));
            assert!(is_told || command.contains(&"-q"), "{command:?} {name}: {}", ran.err);
            assert!(!place.path().join("out").exists(), "{command:?} {name}");
        }
    }
    // The good files of the same run are done.
    let ran = place.run(&["check", "-z", "plain.gz", "a.txt.gz", "cut.a.txt.gz"]);
    assert_eq!((ran.status, ran.err.lines().count()), (2, 2), "{}", ran.err);
}

#[test]
fn a_missing_program_is_named() {
    let place = Place::new();
    place.file("a.txt", TEXT);
    compress(&place, "a.txt", FORMATS[0]).unwrap();
    for command in ["check", "detect", "count", "inspect", "convert", "repair"] {
        let output = place.command(&[command, "-z", "a.txt.gz"]).env("PATH", place.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        let err = String::from_utf8(output.stderr).unwrap();
        let why = "a.txt.gz: cannot be decompressed: that needs gzip, which is not installed";
        assert!(err.contains(why), "{command}: {err}");
    }
}

#[test]
fn a_compressed_file_is_not_written() {
    let place = Place::new();
    place.file("a.txt", b"K\xF6ln\n".repeat(40));
    let name = compress(&place, "a.txt", FORMATS[0]).unwrap();
    let before = place.read(&name);
    std::os::unix::fs::symlink(&name, place.path().join("link")).unwrap();
    let z = "-z reads compressed files and writes none";
    for args in [
        &["convert", "-z", "-f", "auto", "--in-place", "a.txt.gz"] as &[&str],
        &["convert", "-z", "-f", "auto", "-o", "a.txt.gz", "a.txt.gz"],
        &["convert", "-z", "-f", "auto", "-o", "new.gz", "a.txt.gz"],
        &["convert", "-z", "-f", "latin1", "-o", "link", "a.txt.gz", "a.txt"],
        &["convert", "-z", "-f", "auto", "-o", "link", "a.txt.gz", "a.txt"],
        &["repair", "-z", "--in-place", "a.txt.gz"],
        &["repair", "-z", "-o", "a.txt.gz", "a.txt.gz"],
        &["repair", "-z", "-o", "link", "a.txt.gz", "a.txt"],
        &["check", "-z", "--fix", "--yes", "a.txt.gz"],
    ] {
        let ran = place.run(args);
        assert!(ran.status > 0 && ran.err.contains(z), "{args:?}: {} {}", ran.status, ran.err);
        assert_eq!(place.names(), ["a.txt", "a.txt.gz", "link"], "{args:?}");
        assert!(place.read(&name) == before, "{args:?}");
    }
    // Without -z, a compressed file is not text.
    for args in [
        &["fix", "--yes", "a.txt.gz"] as &[&str],
        &["convert", "-f", "auto", "--in-place", "a.txt.gz"],
        &["repair", "--fallback", "auto", "--in-place", "a.txt.gz"],
    ] {
        let ran = place.run(args);
        let said = format!("{}{}", ran.out(), ran.err);
        assert!(ran.status > 0 && said.contains("binary"), "{args:?}: {said}");
        assert!(place.read(&name) == before, "{args:?}");
    }
}

#[test]
fn check_says_that_a_file_is_compressed() {
    let place = Place::new();
    place.file("a.txt", TEXT.repeat(40));
    let name = compress(&place, "a.txt", FORMATS[0]).unwrap();
    let ran = place.run(&["check", &name]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("compressed (gzip); try: utfkit check -z a.txt.gz"), "{}", ran.err);
    fs::rename(place.path().join(name), place.path().join("a.dump")).unwrap();
    let ran = place.run(&["check", "a.dump"]);
    assert!(ran.err.contains("compressed (gzip); try: gzip -dc <a.dump | utfkit check"), "{}", ran.err);
}

#[test]
fn standard_input_has_no_name() {
    let place = Place::new();
    for command in ["check", "detect", "count", "inspect", "convert", "repair"] {
        for args in [&[command, "-z"] as &[&str], &[command, "-z", "-"]] {
            let ran = place.feed(args, TEXT.as_bytes());
            assert_eq!((ran.status, ran.out()), (2, ""), "{args:?}");
            assert!(ran.err.contains("standard input has none"), "{args:?}: {}", ran.err);
        }
    }
}

/// A name is no option of the program, and a pipe is decompressed too.
#[test]
fn names_are_not_options() {
    let place = Place::new();
    place.file("a.txt", TEXT);
    let name = compress(&place, "a.txt", FORMATS[0]).unwrap();
    fs::copy(place.path().join(&name), place.path().join("--help.gz")).unwrap();
    let ran = place.run(&["convert", "-z", "--", "--help.gz"]);
    assert_eq!((ran.status, ran.out()), (0, TEXT), "{}", ran.err);
    let shell = "mkfifo p.gz && (cat a.txt.gz >p.gz &) && \"$UTFKIT\" count -z p.gz";
    let output = place.shell(shell).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
