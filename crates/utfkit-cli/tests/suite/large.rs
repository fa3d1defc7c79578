//! A file checked on several threads gives the same report as on one.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::{Place, Ran};

/// Sequences whose report must not depend on a cut inside them.
const PIECES: [&[u8]; 12] = [
    "ß".as_bytes(),
    "€".as_bytes(),
    "🎉".as_bytes(),
    b"\n",
    b"\xC0\xAF",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80",
    b"\xFD\xBF\xBF\xBF\xBF\xBF",
    b"\xF0\x9F\x8E",
    b"\xE2\x82",
    b"\x80\x80\x80\x80\x80\x80\x80",
    b"\xFF",
];
/// Size of a read in units of four bytes. A thread takes twice as many.
const UNITS: usize = 8;
const STRETCH: usize = 8 * UNITS;

const FORMATS: [&str; 5] = ["text", "jsonl", "json", "sarif", "github"];

fn run(place: &Place, args: &[&str], stdin: Option<&Path>, units: usize) -> Ran {
    let mut command = place.command(args);
    command.env("UTFKIT_TEST_STRETCH", units.to_string());
    if let Some(path) = stdin {
        command.stdin(File::open(path).unwrap());
    }
    command.output().unwrap().into()
}

/// Runs on one thread and on four, with stretches of several sizes.
#[track_caller]
fn agree(place: &Place, args: &[&str], stdin: Option<&Path>) -> Ran {
    let one = run(place, &[&["-j1"], args].concat(), stdin, UNITS);
    for units in [1, 5, UNITS] {
        let four = run(place, &[&["-j4"], args].concat(), stdin, units);
        assert_eq!(four, one, "{args:?}, {units} units");
    }
    one
}

/// Text in which `piece` begins `before` bytes before each border.
fn around_borders(piece: &[u8], before: usize, stretches: usize) -> Vec<u8> {
    let mut text = b"some words\nand more, ".repeat(stretches * STRETCH / 21 + 1);
    for border in 1..stretches {
        let at = border * STRETCH - before;
        text[at..at + piece.len()].copy_from_slice(piece);
    }
    text
}

#[test]
fn errors_around_borders_are_told_alike_in_all_formats() {
    let place = Place::new();
    for (number, piece) in PIECES.iter().enumerate() {
        for before in 0..=piece.len().min(7) {
            place.file(format!("{number}-{before}"), around_borders(piece, before, 6));
        }
    }
    for format in FORMATS {
        let ran = agree(&place, &["check", "--format", format, "."], None);
        assert_eq!(ran.status, 1, "{format}: {}", ran.err);
        assert!(ran.out.len() > 10_000, "{format}");
        agree(&place, &["check", "--format", format, "--max-errors", "2", "."], None);
        agree(&place, &["check", "--format", format, "5-3"], None);
    }
    for flag in ["-q", "-l", "-i"] {
        assert_eq!(agree(&place, &["check", flag, "."], None).status, 1);
    }
    for standard in ["rfc2279", "rfc2044", "kuhn"] {
        agree(&place, &["check", "--standard", standard, "--max-errors", "0", "."], None);
    }
    assert_eq!(agree(&place, &["check", "0-1", "1-1", "2-2"], None).out(), "");
}

#[test]
fn so_are_those_anywhere_in_one_file() {
    let mut seed = 3u32;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    let place = Place::new();
    for rare in [2, 40, 1000] {
        let mut text = Vec::new();
        while text.len() < 40_000 {
            let dirty = random(rare) == 0;
            text.extend_from_slice(PIECES[random(if dirty { PIECES.len() } else { 4 })]);
        }
        let file = place.file("file", &text);
        let ran = agree(&place, &["check", "--format", "jsonl", "--max-errors", "0", "file"], None);
        assert_eq!(ran.status, 1);
        let summary = format!(r#""summary":true,"bytes":{},"#, text.len());
        assert!(ran.lines().last().unwrap().contains(&summary), "{summary}");
        // A file as standard input is checked like any file.
        agree(&place, &["check", "--max-errors", "7"], Some(&file));
        let cut: Vec<u8> = text.iter().copied().take(text.len() / 4 * 4 + 1).collect();
        place.file("cut", cut);
        for encoding in ["UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "US-ASCII", "ISO-8859-1", "CESU-8"] {
            agree(&place, &["check", "--encoding", encoding, "cut"], None);
        }
    }
}

#[test]
fn the_usual_stretches_too() {
    let place = Place::new();
    let mut text = "Ein längerer Text, 🎉 mit Zeilen.\n".repeat(13 << 20 >> 5).into_bytes();
    let args = ["check", "--format", "jsonl", "file"];
    for at in [None, Some(12_000_000), Some((128 << 10) + (4 << 20) - 1), Some(131_071)] {
        if let Some(at) = at {
            text[at] = 0xFF;
        }
        place.file("file", &text);
        let one = place.run(&[&args[..], &["-j1"]].concat());
        assert_eq!(one.status, i32::from(at.is_some()));
        for threads in ["-j2", "-j7"] {
            assert_eq!(place.run(&[&args[..], &[threads]].concat()), one);
        }
    }
}

#[cfg(unix)]
#[test]
fn standard_input_is_left_at_its_end() {
    let place = Place::new();
    place.file("file", "words\n".repeat(2 << 20));
    // The file position is at the end afterwards.
    let output = place.shell(r#"("$UTFKIT" check -j4; cat) <file"#).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    // Bytes read before are not read again.
    place.file("file", [b"\xFF\n".to_vec(), b"words\n".repeat(2 << 20)].concat());
    let output = place.shell(r#"(read line; "$UTFKIT" check -j4 --format jsonl) <file"#).output().unwrap();
    let summary = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{summary}");
    assert!(summary.contains(&format!(r#""bytes":{},"#, 12 << 20)), "{summary}");
}

/// The run ends, whatever happens to the file.
#[test]
fn a_file_that_grows_and_shrinks_meanwhile_is_no_trap() {
    let place = Place::new();
    let path = place.file("file", vec![b'a'; 12 << 20]);
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = OpenOptions::new().write(true).open(&path).unwrap();
            let mut len = 1u64;
            while !ended.load(Ordering::Relaxed) {
                len = len * 31 % 12_582_917;
                file.set_len(len).unwrap();
                file.set_len(12 << 20).unwrap();
                file.write_all(b"\n").unwrap();
            }
        });
        for args in [["-j4", "--format=text"], ["-j2", "--format=jsonl"], ["-j4", "-q"]] {
            for _ in 0..4 {
                let ran = place.run(&["check", args[0], args[1], "file"]);
                assert_eq!((ran.status, ran.err.as_str()), (0, ""));
            }
        }
        ended.store(true, Ordering::Relaxed);
    });
    fs::remove_file(path).unwrap();
}
