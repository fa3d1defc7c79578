//! `utfkit fix`, and past errors when files were changed in place.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, Ran, Random};

fn encoded(label: &str, text: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
}

fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";

fn xml(label: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"{label}\"?>\n<a>{}</a>\n", RUSSIAN.trim())
}

#[test]
fn it_plans_and_changes_nothing_until_it_is_told_to() {
    let place = Place::new();
    place.file("old/a.xml", encoded("windows-1251", &xml("windows-1251")));
    let raw: String = encoded("windows-1251", RUSSIAN)
        .iter()
        .take_while(|byte| **byte != b'\n')
        .fold(String::new(), |line, &byte| {
            line + &if byte.is_ascii() { char::from(byte).to_string() } else { format!("\\x{byte:02X}") }
        });
    let shown = format!("  - <a>{}…", &raw[..72 - 3]);
    place.file("old/b.txt", utf16le("\u{FEFF}Grüße\n"));
    place.file("old/c.txt", "Grüße\n");
    place.file("old/d.csv", "\u{FEFF}größer;kleiner\n");
    place.file("old/e.txt", "CafÃ© Ã©tÃ© dÃ©jÃ\u{A0} naÃ¯ve\n");
    place.file("old/f.bin", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0");
    place.file("old/g.txt", b"caf\xE9\n");
    let ran = place.portable(&["fix", "old"]);
    assert_eq!(
        ran.lines(),
        [
            "FILE       FOUND         SURE            WILL",
            "old/a.xml  windows-1251  nearly certain  convert, rewrite the label",
            &shown,
            &format!("  + <a>{}</a>", RUSSIAN.trim()),
            "old/b.txt  UTF-16LE      certain         convert, drop the BOM",
            "  - FF FE 47 00 72 00 FC 00 DF 00 65 00 0A 00",
            "  + Grüße",
            "old/d.csv  UTF-8         certain         drop the BOM",
            "  - \\u{feff}größer;kleiner",
            "  + größer;kleiner",
            "old/e.txt  UTF-8         nearly certain  undouble windows-1252",
            "  - CafÃ© Ã©tÃ© dÃ©jÃ\u{A0} naÃ¯ve",
            "  + Café été déjà naïve",
            "",
            "LEFT ALONE",
            "old/g.txt: windows-1252: likely; --trust likely converts it",
        ]
    );
    let counts = "4 files to change, 1 left alone, 1 in UTF-8 already, 1 binary file (with NUL bytes)";
    assert_eq!((ran.status, ran.err), (1, format!("utfkit: {counts}; nothing was changed, --yes does it\n")));
    assert_eq!(place.read("old/d.csv"), "\u{FEFF}größer;kleiner\n".as_bytes());
    for option in ["-j1", "-j7", "-n"] {
        assert_eq!(place.portable(&["fix", option, "old"]).out, ran.out);
    }
    assert_eq!(place.run(&["fix", "-n", "--yes", "old"]).status, 2);
    let before: Vec<_> =
        ["a.xml", "b.txt", "d.csv", "e.txt", "g.txt"].map(|name| place.read(&format!("old/{name}"))).into();
    let ran = place.portable(&["fix", "--yes", "old"]);
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (1, format!("utfkit: {counts}\nutfkit: 4 files changed; `utfkit undo` takes that back\n").as_str())
    );
    assert_eq!(place.read("old/a.xml"), xml("UTF-8").as_bytes());
    assert_eq!(place.read("old/b.txt"), "Grüße\n".as_bytes());
    assert_eq!(place.read("old/d.csv"), "größer;kleiner\n".as_bytes());
    assert_eq!(place.read("old/e.txt"), "Café été déjà naïve\n".as_bytes());
    assert_eq!(place.read("old/g.txt"), b"caf\xE9\n");
    assert_eq!(place.portable(&["undo", "-s"]).status, 0);
    let after: Vec<_> =
        ["a.xml", "b.txt", "d.csv", "e.txt", "g.txt"].map(|name| place.read(&format!("old/{name}"))).into();
    assert_eq!(before, after);
    let ran = place.run(&["fix", "--format", "jsonl", "old"]);
    let rows: Vec<serde_json::Value> = ran.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 5);
    let path = format!("old{}a.xml", std::path::MAIN_SEPARATOR);
    assert_eq!((&rows[0]["path"], &rows[0]["encoding"]), (&path.into(), &"windows-1251".into()));
    assert_eq!(rows[0]["actions"], serde_json::json!(["convert", "rewrite the label"]));
    assert!(rows[4]["left_alone"].as_str().unwrap().starts_with("likely"));
    let ran = place.portable(&["fix", "--yes", "--keep-bom", "old/d.csv", "old/c.txt"]);
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (0, "", "utfkit: 0 files to change, 2 in UTF-8 already\n"));
}

#[test]
fn labels_in_the_text_are_rewritten_and_come_back() {
    let place = Place::new();
    let meta = format!("<html><head><meta charset=windows-1251></head>{RUSSIAN}</html>");
    let long = format!("{meta}{}", RUSSIAN.repeat(2000));
    let python = format!("#!/usr/bin/python\n# -*- coding: cp1251 -*-\n# {RUSSIAN}");
    let texts = [("a.html", meta), ("long.html", long), ("a.py", python), ("a.xml", xml("windows-1251"))];
    for (name, text) in &texts {
        place.file(name, encoded("windows-1251", text));
    }
    // Only the declaration is wrong.
    place.file("wrong.xml", xml("windows-1251"));
    place.file("wide.xml", utf16le(&format!("\u{FEFF}{}", xml("UTF-16"))));
    let ran = place.run(&["fix", "--yes", "."]);
    assert_eq!(ran.status, 0, "{} {}", ran.out(), ran.err);
    for (name, text) in &texts {
        let want = text.replace("cp1251", "utf-8");
        let want = want.replace("windows-1251", if name.ends_with("xml") { "UTF-8" } else { "utf-8" });
        assert!(place.read(name) == want.as_bytes(), "{name}");
    }
    assert_eq!(place.read("wrong.xml"), xml("UTF-8").as_bytes());
    assert_eq!(place.read("wide.xml"), xml("UTF-8").as_bytes());
    assert_eq!(place.run(&["undo", "-s"]).status, 0);
    for (name, text) in &texts {
        assert!(place.read(name) == encoded("windows-1251", text), "{name}");
    }
    assert_eq!(place.read("wrong.xml"), xml("windows-1251").as_bytes());
    assert_eq!(place.read("wide.xml"), utf16le(&format!("\u{FEFF}{}", xml("UTF-16"))));
}

#[test]
fn xml_in_another_encoding_was_converted_and_still_said_that_it_is() {
    let place = Place::new();
    place.file("a.xml", encoded("windows-1251", &xml("windows-1251")));
    let ran = place.run(&["convert", "-f", "auto", "--in-place", "a.xml"]);
    assert!(
        ran.err.contains("a.xml: still says encoding=\"windows-1251\"; `utfkit fix a.xml` rewrites that"),
        "{}",
        ran.err
    );
    assert_eq!(place.run(&["fix", "--yes", "-s", "a.xml"]).status, 0);
    assert_eq!(place.read("a.xml"), xml("UTF-8").as_bytes());
    let ran = place.run(&["convert", "-t", "windows-1251", "-o", "b.xml", "a.xml"]);
    assert!(ran.err.contains("b.xml: still says encoding=\"UTF-8\"; it is windows-1251 now"), "{}", ran.err);
}

#[test]
fn an_encoding_that_is_declared_and_not_known_was_overruled() {
    let place = Place::new();
    for (name, front) in [
        ("a.xml", "<?xml version=\"1.0\" encoding=\"IBM868\"?>\n<a>"),
        ("a.html", "<html><meta charset=ibm868>"),
        ("a.py", "# coding: cp868\n"),
    ] {
        let bytes = [front.as_bytes(), b"\xE7\xA8\xB7\xA0\xA3\xE5 \xA9\xA4\xA7 caf\xE9 d\xE9j\xE0\n"].concat();
        place.file(name, &bytes);
        for args in [
            &["convert", "-f", "auto", "--in-place"][..],
            &["repair", "--fallback", "windows-1252", "--in-place"],
            &["fix", "--yes", "--trust", "likely"],
        ] {
            let ran = place.run(&[args, &[name]].concat());
            assert_eq!((ran.status, place.read(name)), (1, bytes.clone()), "{name} {args:?} {}", ran.err);
        }
    }
}

#[test]
fn utf_8_was_encoded_a_second_time() {
    let place = Place::new();
    let text = "Grüße\n";
    place.file("a", text);
    for from in ["latin1", "windows-1252", "KOI8-R", "UTF-16LE"] {
        let ran = place.run(&["convert", "-f", from, "--in-place", "a"]);
        assert_eq!((ran.status, place.read("a")), (1, text.into()), "{from} {}", ran.err);
        assert_eq!(
            ran.err,
            "utfkit: a: left as it was: it is UTF-8 already, and would be encoded twice; --force does it\n"
        );
    }
    assert_eq!(place.run(&["convert", "-f", "latin1", "--in-place", "--force", "a"]).status, 0);
    assert_eq!(place.read("a"), "GrÃ¼Ã\u{9F}e\n".as_bytes());
}

#[test]
fn euc_jp_and_utf_16_without_a_bom_became_replacement_characters() {
    let place = Place::new();
    let japanese = "色は匂へど散りぬるを、我が世誰ぞ常ならむ。これは日本語の文章です。";
    place.file("e.txt", encoded("EUC-JP", japanese));
    place.file("w.txt", utf16le("Plain text in UTF-16, without a BOM.\n"));
    let ran = place.run(&["repair", "--in-place", "e.txt", "w.txt"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("`utfkit convert -f EUC-JP --in-place e.txt` makes UTF-8 of it"), "{}", ran.err);
    assert!(ran.err.contains("`utfkit convert -f UTF-16LE --in-place w.txt`"), "{}", ran.err);
    assert_eq!(place.read("e.txt"), encoded("EUC-JP", japanese));
}

#[test]
fn a_repository_was_entered_and_destroyed() {
    let place = Place::new();
    for name in [".git/description", ".hg/x", "sub/.svn/x", ".jj/x", "bare.git/description"] {
        place.file(name, b"caf\xE9\n");
    }
    place.file("bare.git/HEAD", "ref: refs/heads/main\n");
    place.file("bare.git/refs/x", "");
    place.file("bare.git/objects/x", "");
    place.file("a", b"caf\xE9\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(".git/description", place.path().join("link")).unwrap();
    for args in [
        &["repair", "--force", "-a", "--in-place", "--fallback", "latin1"][..],
        &["convert", "--force", "-a", "--in-place", "-f", "latin1"],
    ] {
        let names = [".git/description", ".hg", "bare.git", "sub/.svn/x", "link"];
        // The link is Unix's.
        let names = &names[..if cfg!(unix) { 5 } else { 4 }];
        for paths in [&["."][..], names] {
            let ran = place.run(&[args, &["--hidden", "--no-ignore"], paths].concat());
            for name in [".git/description", ".hg/x", "sub/.svn/x", ".jj/x", "bare.git/description"] {
                assert_eq!(place.read(name), b"caf\xE9\n", "{name} {args:?} {}", ran.err);
            }
            assert!(ran.status == 1 && ran.err.contains("belongs to version control"), "{}", ran.err);
        }
        assert_eq!(place.read("a"), "café\n".as_bytes());
        place.file("a", b"caf\xE9\n");
    }
}

#[test]
fn riff_pcm_pbm_and_bmp_looked_like_utf_16_at_first() {
    let place = Place::new();
    let sound: Vec<u8> = (0..4000)
        .flat_map(|n| ((f64::from(n) * 0.05).sin() * 60.0 + 90.0).round().to_le_bytes()[6..].to_vec())
        .collect();
    let near: Vec<u8> =
        (0..4000_u32).flat_map(|n| [b'a' + (n % 26) as u8, if n < 600 { 0 } else { (n % 251) as u8 }]).collect();
    for (name, bytes) in [
        ("a.wav", [b"RIFF\x24\0\0\0WAVEfmt ".as_slice(), &near].concat()),
        ("a.pcm", near.clone()),
        ("b.pcm", sound),
        ("a.pbm", [b"P4\n64 64\n".as_slice(), &near].concat()),
        ("a.bmp", [b"BM\x36\x10\0\0\0\0\0\0\x36\0\0\0".as_slice(), &near].concat()),
    ] {
        place.file(name, &bytes);
        for named in [name, "."] {
            let ran = place.run(&["convert", "-f", "auto", "--in-place", "-v", named]);
            assert!(place.read(name) == bytes, "{name}: {}", ran.err);
            assert!(!ran.err.contains("converted from"), "said of a file that was then skipped: {}", ran.err);
        }
        fs::remove_file(place.path().join(name)).unwrap();
    }
}

/// Applies what `repair --diff --undouble` prints for a file, and returns the file.
fn patched(place: &Place, text: &str) -> Option<Vec<u8>> {
    place.file("a", text);
    place.file("a.diff", place.run(&["repair", "--diff", "--undouble", "a"]).out);
    let patch = Command::new("patch").args(["--binary", "-p0", "-i", "a.diff"]).current_dir(place.path()).output();
    let Ok(patch) = patch else {
        println!("skipped: there is no `patch`");
        return None;
    };
    assert!(patch.status.success(), "{}", String::from_utf8_lossy(&patch.stdout));
    Some(place.read("a"))
}

#[test]
fn a_diff_without_a_line_feed_at_the_end_was_not_valid() {
    let place = Place::new();
    let text = "one\ntwo\nCafÃ© Ã©tÃ© dÃ©jÃ\u{A0} naÃ¯ve";
    place.file("a", text);
    let ran = place.run(&["repair", "--diff", "--undouble", "a"]);
    let mark = "\n\\ No newline at end of file\n";
    assert!(
        ran.out().contains(&format!("-CafÃ© Ã©tÃ© dÃ©jÃ\u{A0} naÃ¯ve{mark}+Café été déjà naïve{mark}")),
        "{}",
        ran.out()
    );
    let Some(now) = patched(&place, text) else { return };
    assert_eq!(now, "one\ntwo\nCafé été déjà naïve".as_bytes());
}

#[test]
fn a_diff_of_lines_of_windows_was_not_valid() {
    let place = Place::new();
    let (doubled, right) = ("CafÃ© Ã©tÃ© dÃ©jÃ\u{A0} naÃ¯ve", "Café été déjà naïve");
    for (before, after) in [("one\r\ntwo\r\n", "\r\nfour\r\n"), ("\r\n\r\n", "\r\n"), ("one\n", "\r"), ("", "\r\nx\n")]
    {
        let Some(now) = patched(&place, &[before, doubled, after].concat()) else { return };
        assert_eq!(String::from_utf8_lossy(&now), [before, right, after].concat());
    }
    // In the middle of a line it would overwrite the line.
    place.file("a", format!("{doubled}\r{doubled}\r\n"));
    let ran = place.run(&["repair", "--diff", "--undouble", "a"]);
    assert!(ran.out().contains(&format!("+{right}\\r{right}\r\n")), "{:?}", ran.out());
}

#[test]
fn on_a_terminal_it_asks() {
    let asks = |command: &str, answer: &str, is_done: bool| {
        let place = Place::new();
        place.file("old/a.txt", utf16le("\u{FEFF}Grüße\n"));
        let is_asked = !command.contains("--dry-run");
        let line = format!("\"$UTFKIT\" {command}");
        let mut command = Command::new("script");
        command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).current_dir(place.path());
        command.env("UTFKIT", env!("CARGO_BIN_EXE_utfkit")).env("XDG_STATE_HOME", place.state());
        command.env("SHELL", "/bin/sh").env("LC_ALL", "C.UTF-8").stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut child) = command.spawn() else {
            println!("skipped: there is no `script` of util-linux");
            return;
        };
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{answer}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.contains("Change this file? A log is kept"), is_asked, "{text}");
        assert_eq!(place.read("old/a.txt") == "Grüße\n".as_bytes(), is_done, "{answer} {text}");
        assert_eq!(text.contains("1 file changed"), is_done, "{text}");
    };
    thread::scope(|scope| {
        for (command, answer, is_done) in
            [("fix old", "n", false), ("fix old", "", false), ("fix --dry-run old", "y", false), ("fix old", "y", true)]
        {
            scope.spawn(move || asks(command, answer, is_done));
        }
    });
}

/// Kills runs at random times until `UTFKIT_FIX_KILLS` runs of `fix` and of
/// `undo` each have died halfway, on `UTFKIT_FIX_FILES` files.
#[test]
fn killed_at_any_moment_each_file_is_old_or_new_and_the_next_run_ends_the_work() {
    const FIX: &[&str] = &["fix", "--yes", "-s", "tree"];
    const UNDO: &[&str] = &["undo", "-s"];
    let number = |name: &str, few: u64| std::env::var(name).map_or(few, |n| n.parse().expect("a number"));
    let (kills, files) = (number("UTFKIT_FIX_KILLS", 3), number("UTFKIT_FIX_FILES", 120));
    let place = Place::new();
    // Some files need several writes; the others are small, so that runs are
    // short.
    let lines = |n: u64| if n.is_multiple_of(20) { 2000 } else { 1 + n % 7 * 9 };
    let text = |n: u64| format!("{n}: déjà vu, größer\n").repeat(lines(n) as usize);
    let old: Vec<Vec<u8>> = (0..files).map(|n| utf16le(&format!("\u{FEFF}{}", text(n)))).collect();
    let new: Vec<Vec<u8>> = (0..files).map(|n| text(n).into_bytes()).collect();
    let name = |n: u64| format!("tree/{n:04}.txt");
    (0..files).for_each(|n| drop(place.file(name(n), &old[n as usize])));
    // Number of new files; `None` if a file is neither old nor new.
    let count = || -> u64 {
        let is_new = |n: u64| {
            let now = fs::read(place.path().join(name(n))).expect("no file is ever lost");
            assert!(now == old[n as usize] || now == new[n as usize], "{}: neither old nor new", name(n));
            now == new[n as usize]
        };
        (0..files).map(|n| u64::from(is_new(n))).sum()
    };
    let mut random = Random(std::process::id().into());
    // `fix` examines all files before it writes; once it has a log, it writes.
    let writes = || fs::read_dir(place.state().join("utfkit")).is_ok_and(|mut logs| logs.next().is_some());
    let spawn = |args: &[&str]| place.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let timed = |args: &[&str]| {
        let mut child = spawn(args);
        while !writes() {
            thread::sleep(Duration::from_micros(200));
        }
        let start = Instant::now();
        assert!(child.wait().unwrap().success());
        start.elapsed().as_micros() as u64
    };
    let (mut of_fix, mut of_undo) = (timed(FIX), timed(UNDO));
    let mut kill = |args: &[&str], whole: &mut u64| -> bool {
        let mut child = spawn(args);
        while !writes() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(Duration::from_micros(random.below(*whole)));
        let _ = child.kill();
        let killed = !child.wait().unwrap().success();
        let done = count();
        // The timed run can have been slower or faster because of other load.
        if !killed {
            *whole -= *whole / 4;
        } else if done == 0 || done == files {
            *whole += *whole / 4;
        }
        killed && done > 0 && done < files
    };
    fs::remove_dir_all(place.state().join("utfkit")).unwrap();
    let (mut runs, mut in_fix, mut in_undo) = (0, 0, 0);
    while in_fix < kills || in_undo < kills {
        runs += 1;
        assert!(runs <= 100 * kills, "after {runs} runs of each {in_fix} and {in_undo} died in the middle");
        in_fix += u64::from(kill(FIX, &mut of_fix));
        assert_eq!(place.run(FIX).status, 0);
        assert_eq!(count(), files, "a second run ends the work");
        in_undo += u64::from(kill(UNDO, &mut of_undo));
        // The work can have been completed by two runs, or by one that was not
        // killed.
        while count() > 0 {
            let ran: Ran = place.run(UNDO);
            assert_eq!(ran.status, 0, "{}", ran.err);
        }
        let left: Vec<_> = fs::read_dir(place.path().join("tree")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left.len() as u64, files, "{left:?}");
        // Remaining logs belong to runs that were undone.
        fs::remove_dir_all(place.state().join("utfkit")).unwrap();
    }
    println!("{files} files, {runs} runs of each: {in_fix} of fix and {in_undo} of undo were killed in the middle");
}

/// A file in the encoding that the repository declares for it is left as it is.
#[test]
fn declared_encodings_are_obeyed() {
    let place = Place::new();
    place.file(
        "a/.editorconfig",
        "root = true\n[*.c]\ncharset = latin1\n[*.txt]\ncharset = utf-16le\n[*.csv]\ncharset = utf-8-bom\n",
    );
    place.file("a/old.c", encoded("windows-1252", "/* Größe, Länge, Höhe und Übergröße */\n"));
    place.file("a/wide.txt", utf16le("Größe, Länge, Höhe\n"));
    place.file("a/table.csv", "\u{FEFF}Größe;Länge\n");
    place.file("a/not.c", "/* Ő, which Latin-1 lacks */\n");
    let before: Vec<_> =
        ["old.c", "wide.txt", "table.csv", "not.c"].map(|name| place.read(&format!("a/{name}"))).into();
    let ran = place.portable(&["fix", "--yes", "--trust", "likely", "a"]);
    assert_eq!(
        ran.lines()[1],
        "a/not.c: UTF-8: it is declared to be ISO-8859-1, which lacks a character of it (byte 3 of its text in UTF-8)"
    );
    assert!(ran.err.contains("2 in the declared encoding"), "{}", ran.err);
    place.portable(&["convert", "-f", "auto", "--trust", "likely", "--in-place", "a/old.c", "a/wide.txt"]);
    place.portable(&["repair", "--in-place", "--fallback", "windows-1252", "a/old.c"]);
    let after: Vec<_> = ["old.c", "wide.txt", "table.csv", "not.c"].map(|name| place.read(&format!("a/{name}"))).into();
    assert_eq!(before, after);
    // A named encoding is the user's decision.
    place.portable(&["convert", "-f", "latin1", "--in-place", "a/old.c"]);
    assert_eq!(place.read("a/old.c"), "/* Größe, Länge, Höhe und Übergröße */\n".as_bytes());
}

/// Editors ignore such a name, but the file may be in the encoding that its author meant.
#[test]
fn a_name_in_an_editorconfig_that_is_unknown_keeps_the_file() {
    let place = Place::new();
    let text = "Größe, Länge, Höhe und Übergröße der Straße\n";
    for charset in ["pt154-x", "latin1 ; for the old editor", "latin1 # for the old editor"] {
        place.file(".editorconfig", format!("root = true\n[*]\ncharset = {charset}\n"));
        place.file("a.txt", encoded("windows-1252", text));
        place.file("b.txt", text);
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "a.txt", "b.txt"]);
        assert!(ran.out().contains(".editorconfig declares the encoding"), "{}", ran.out());
        assert_eq!(place.read("a.txt"), encoded("windows-1252", text), "{charset}");
        place.run(&["convert", "-f", "auto", "--trust", "likely", "--in-place", "a.txt"]);
        assert_eq!(place.read("a.txt"), encoded("windows-1252", text), "{charset}");
        assert_eq!(place.run(&["check", "a.txt"]).status, 1);
        place.run(&["check", "b.txt"]).is_silent_success();
        assert!(place.run(&["fix", "b.txt"]).err.contains("1 in UTF-8 already"));
        place.run(&["fix", "--yes", "--force", "--trust", "likely", "a.txt"]);
        assert_eq!(place.read("a.txt"), text.as_bytes(), "{charset}");
    }
}

/// Git refuses UTF-16LE with a BOM, and UTF-16 without. Wine has no Git.
#[cfg(unix)]
#[test]
fn the_bom_that_git_wants_is_written_or_removed() {
    let text = "Übergröße, früh am Abend\n";
    let units = |text: &str, to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let (le, be) = (units(text, u16::to_le_bytes), units(text, u16::to_be_bytes));
    let with_bom = |bytes: &[u8], bom: &[u8]| [bom, bytes].concat();
    let (le_bom, be_bom) = (with_bom(&le, b"\xFF\xFE"), with_bom(&be, b"\xFE\xFF"));
    for (encoding, before, after, action) in [
        ("UTF-16LE", &le_bom, &le, "remove 1 BOM"),
        ("UTF-16BE", &be_bom, &be, "remove 1 BOM"),
        ("UTF-16LE", &be_bom, &le, "convert to UTF-16LE, drop the BOM"),
        ("UTF-16", &le, &le_bom, "add the BOM"),
        ("UTF-16LE-BOM", &le, &le_bom, "add the BOM"),
        ("UTF-16LE-BOM", &be_bom, &le_bom, "convert to UTF-16LE"),
    ] {
        let place = Place::new();
        let git = |args: &[&str]| Command::new("git").current_dir(place.path()).args(args).output().expect("git");
        git(&["init", "-q"]);
        place.file(".gitattributes", format!("*.txt text working-tree-encoding={encoding}\n"));
        place.file("a.txt", before);
        assert_eq!(place.run(&["check", "a.txt"]).status, 1, "{encoding}");
        let ran = place.run(&["fix", "--yes", "a.txt"]);
        assert!(ran.lines()[1].ends_with(&format!("  {action}")), "{encoding}: {}", ran.out());
        assert_eq!(place.read("a.txt"), *after, "{encoding}");
        assert!(git(&["add", "a.txt"]).status.success(), "{encoding}");
        place.run(&["check", "a.txt"]).is_silent_success();
        assert_eq!(place.run(&["fix", "a.txt"]).status, 0, "{encoding}");
        assert_eq!(place.run(&["undo"]).status, 0);
        assert_eq!(place.read("a.txt"), *before, "{encoding}");
    }
}

/// Wine has no Git.
#[cfg(unix)]
#[test]
fn a_file_that_is_not_what_is_declared_becomes_it() {
    let place = Place::new();
    place.file(
        ".editorconfig",
        "root = true\n[*.c]\ncharset = latin1\n[*.txt]\ncharset = utf-16le\n[*.csv]\ncharset = utf-8-bom\n",
    );
    place.file(".gitattributes", "*.rc working-tree-encoding=UTF-16LE-BOM\n*.jp working-tree-encoding=EUC-JP\n");
    let text = "Größe, Länge, Höhe und Übergröße der Straße\n";
    let with_bom = |text: &str| utf16le(&format!("\u{FEFF}{text}"));
    let files = [
        ("a.c", text.as_bytes().to_vec(), encoded("windows-1252", text)),
        ("b.txt", encoded("windows-1252", text), with_bom(text)),
        ("c.csv", text.as_bytes().to_vec(), format!("\u{FEFF}{text}").into_bytes()),
        ("d.csv", b"plain\n".to_vec(), "\u{FEFF}plain\n".into()),
        ("e.rc", text.as_bytes().to_vec(), with_bom(text)),
        ("f.rc", utf16le("abc\n"), with_bom("abc\n")),
        (
            "g.jp",
            encoded("shift_jis", "資料を送ります。ご確認ください。\n"),
            encoded("euc-jp", "資料を送ります。ご確認ください。\n"),
        ),
        ("h.c", with_bom(text), encoded("windows-1252", text)),
    ];
    let git = |args: &[&str]| {
        let out = Command::new("git").current_dir(place.path()).args(args).output().expect("git");
        (
            out.status.success(),
            String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr),
        )
    };
    git(&["init", "-q"]);
    for (name, before, _) in &files {
        place.file(name, before);
    }
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
    assert_eq!(ran.status, 0, "{} {}", ran.out(), ran.err);
    for (name, _, after) in &files {
        assert_eq!(place.read(name), *after, "{name}");
    }
    assert_eq!(git(&["add", "-A"]), (true, String::new()));
    assert_eq!(git(&["diff"]), (true, String::new()));
    let again = place.run(&["fix", "."]);
    assert!(again.err.starts_with("utfkit: 0 files to change"), "{} {}", again.out(), again.err);
    assert_eq!(place.run(&["undo"]).status, 0);
    for (name, before, _) in &files {
        assert_eq!(place.read(name), *before, "{name}");
    }
    let ran = place.run(&["repair", "--in-place", "a.c"]);
    assert!(ran.err.contains("`utfkit fix a.c` mends that"), "{}", ran.err);
}

#[test]
fn chats_and_screens_are_text() {
    let place = Place::new();
    let plain =
        "Rendez-vous \u{E0} la gare apr\u{E8}s No\u{EB}l, o\u{F9} le caf\u{E9} est bon et la g\u{EA}ne oubli\u{E9}e.\n";
    let chat = format!(
        "Le caf\u{E9} est \u{2}ferm\u{E9}\u{2} jusqu'\u{E0} l'\u{E9}t\u{E9}, d\u{E9}sol\u{E9}.\n{}",
        plain.repeat(5)
    );
    let bytes: Vec<u8> = chat.chars().map(|c| c as u32 as u8).collect();
    place.file("irc.log", &bytes);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "irc.log"]);
    assert_eq!(place.read("irc.log"), chat.as_bytes(), "{}", ran.err);
    // Controls that only a wrong reading has do not make text binary.
    let bytes = b"\xB8\xC0\xB8\xEC\xA4\xCE\xC6\xFE\xCC\xE7\x8F\xFE\xD8\x8F\xFE\xD4\xAF\xDA\n".repeat(20);
    place.file("jisx0213.txt", &bytes);
    let ran = place.run(&["fix", "--yes", "jisx0213.txt"]);
    assert!(!ran.err.contains("binary") && !ran.out().contains("binary"), "{}{}", ran.out(), ran.err);
    assert_eq!(place.read("jisx0213.txt"), bytes);
}

/// Rows of a file of one line, of which only some were encoded twice: each is judged as a line is.
#[test]
fn rows_in_one_line_are_judged_like_lines() {
    const CZECH: &[&str] = &[
        "Červený „traktor“ čeká u staré hájovny.",
        "Příliš žluťoučký kůň úpěl ďábelské ódy.",
        "Vyhledávání skončilo, výsledky najdete níže.",
        "Účet nebyl založen, zkuste to znovu později.",
    ];
    const RUSSIAN: &[&str] = &[
        "Не удалось открыть указанный файл.",
        "Проверьте настройки и повторите попытку.",
        "Список получателей пуст, письмо не отправлено.",
        "Изменения вступят в силу после перезапуска.",
    ];
    const GERMAN: &[&str] = &["Größe geändert", "Übermäßig schön", "Für später gemerkt", "Ärger über Öl"];
    for (label, texts) in [("windows-1250", CZECH), ("windows-1251", RUSSIAN), ("windows-1252", GERMAN)] {
        let read = |text: &str| -> String {
            encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().decode(text.as_bytes()).0.into_owned()
        };
        for (open, between, close) in [
            ("INSERT INTO t VALUES (1,'", "'),(1,'", "');\n"),
            ("[{\"a\":\"", "\"},{\"a\":\"", "\"}]\n"),
            ("<table><tr><td>", "</td></tr><tr><td>", "</td></tr></table>\n"),
        ] {
            for every in [2, 5] {
                let rows = |is_doubled: bool| -> String {
                    let all = (0..40).map(|row| {
                        let text = texts[(row / 2 + row) % texts.len()];
                        if is_doubled && row % every == 0 { read(text) } else { text.to_owned() }
                    });
                    format!("{open}{}{close}", all.collect::<Vec<_>>().join(between))
                };
                let place = Place::new();
                place.file("dump", rows(true));
                let ran = place.run(&["fix", "--yes", "--trust", "likely", "dump"]);
                let got = String::from_utf8(place.read("dump")).unwrap();
                assert!(got == rows(false), "{label} {between} {every}\n{}{}\n{got}", ran.out(), ran.err);
            }
        }
    }
}

#[test]
fn controls_of_iso_8859_1_are_undone_with_the_letters_around_them() {
    let place = Place::new();
    let text = "Список редакторів\nавтори (1993–2022), усі права захищено\nгоден „для всіх“ користувачів\n";
    let misread: String = encoded("windows-1251", text).iter().map(|byte| char::from(*byte)).collect();
    place.file("a.txt", &misread);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "a.txt"]);
    assert_eq!(String::from_utf8(place.read("a.txt")).unwrap(), text, "{}", ran.err);
}

#[test]
fn a_bom_before_another_encoding_is_no_part_of_it() {
    for (label, text) in [
        ("windows-1252", "Müller, Größe\nÜbung für später, schöne Grüße\n"),
        ("windows-1251", "Невозможно создать массив путей\nПроверьте настройки\n"),
        ("windows-1250", "Chyba při čtení souboru\nPříliš žluťoučký kůň\n"),
        ("Shift_JIS", "日本語の文章をここに書きます。\n表示の設定を確認してください。\n"),
        ("EUC-KR", "오늘은 날씨가 좋습니다.\n내일은 비가 올 것입니다.\n"),
    ] {
        let place = Place::new();
        let bytes = [b"\xEF\xBB\xBF", &encoded(label, text)[..]].concat();
        place.file("a.csv", &bytes);
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "a.csv"]);
        assert_eq!(String::from_utf8_lossy(&place.read("a.csv")), text, "{label} {}{}", ran.out(), ran.err);
        place.run(&["undo"]);
        assert_eq!(place.read("a.csv"), bytes, "{label}");
    }
}

#[test]
fn the_title_of_a_terminal_is_no_binary_data() {
    for (label, text) in [
        ("windows-1252", "Größe geändert, schöne Grüße"),
        ("windows-1251", "Сборка проекта «Север» завершена успешно, ошибок нет"),
        ("Shift_JIS", "処理が正常に終了しました。"),
    ] {
        let place = Place::new();
        let line = |n: usize| format!("\x1B]0;step {n}\x07\x1B[32m{text}\x1B[0m\n");
        let log: String = (0..6).map(line).collect();
        place.file("build.log", encoded(label, &log));
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "build.log"]);
        assert_eq!(String::from_utf8_lossy(&place.read("build.log")), log, "{label} {}{}", ran.out(), ran.err);
    }
}

/// The command that a message recommends changes the file.
#[test]
fn a_cut_character_at_the_end_gets_advice_that_works() {
    for text in ["Kaffee im Café um fünf.\nDas war ", "One line\nand — another one\n"] {
        let place = Place::new();
        let bytes = [text.as_bytes(), b"\xE2"].concat();
        place.file("a.txt", &bytes);
        let ran = place.run(&["fix", "a.txt"]);
        let advised = if ran.out().contains("--trust likely") || ran.err.contains("--trust likely") {
            place.run(&["fix", "--yes", "--trust", "likely", "a.txt"])
        } else {
            assert!(format!("{}{}", ran.out(), ran.err).contains("repair --in-place"), "{}{}", ran.out(), ran.err);
            place.run(&["repair", "--in-place", "a.txt"])
        };
        assert_eq!(
            String::from_utf8_lossy(&place.read("a.txt")),
            format!("{text}\u{FFFD}"),
            "{}{}",
            advised.out(),
            advised.err
        );
    }
}

/// A program that keeps text in UTF-16 wrote some characters, another one the others.
#[test]
fn pairs_of_surrogates_among_characters_of_four_bytes_are_joined() {
    let place = Place::new();
    let pairs = |text: &str| -> Vec<u8> {
        let unit = |unit: u16| [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8];
        text.encode_utf16().flat_map(unit).collect()
    };
    let line = "noitw\t𩝐 größer und später 🙂\n".repeat(40);
    let before = [line.as_bytes(), "noitwn\t".as_bytes(), &pairs("𩞄𠀋"), b"\n", line.as_bytes()].concat();
    place.file("a.cin", &before);
    let ran = place.run(&["fix", "--yes", "."]);
    assert_eq!(ran.status, 0, "{}{}", ran.out(), ran.err);
    assert_eq!(String::from_utf8(place.read("a.cin")).unwrap(), format!("{line}noitwn\t𩞄𠀋\n{line}"));
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(place.read("a.cin"), before);
    // A half alone is no character, and an overlong form is no pair.
    for damage in [&b"\xED\xA1\xA5"[..], b"\xED\xA1\xA5\xED\xBE\x84 \xED\xBE\x84", b"\xED\xA1\xA5\xED\xBE\x84 \xC0\xAF"]
    {
        let before = [line.as_bytes(), damage, b"\n", line.as_bytes()].concat();
        place.file("a.cin", &before);
        place.run(&["fix", "--yes", "."]);
        assert_eq!(place.read("a.cin"), before, "{damage:02X?}");
    }
}
