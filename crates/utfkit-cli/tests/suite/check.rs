//! `utfkit check`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{Place, shared};
use serde_json::{Value, json};

#[test]
fn a_finding_is_one_line_of_the_agreed_form() {
    let place = Place::new();
    place.file("a.txt", b"ok line one, 24 bytes...\nabcdef\xC0\xAF");
    let ran = place.run(&["check", "a.txt"]);
    assert_eq!(
        ran.out(),
        "a.txt:2:7: byte 31: C0 AF: overlong: two-byte form of U+002F \"/\", which must be 2F (RFC 3629 section 3)\n"
    );
    assert_eq!((ran.status, ran.err.as_str()), (1, "a.txt: 1 ill-formed sequence: 1 overlong\n"));
}

#[test]
fn every_kind_is_named_with_the_clause_it_breaks() {
    let place = Place::new();
    for (bytes, line) in [
        (&b"\xED\xA0\x80"[..], "ED A0 80: surrogate: surrogate U+D800, which UTF-8 may not hold (RFC 3629 section 3)"),
        (
            b"\xF4\x90\x80\x80",
            "F4 90 80 80: too-large: four-byte form of U+110000, which is above U+10FFFF (RFC 3629 section 3)",
        ),
        (
            b"\xF8\x80\x80\x80\xAF",
            "F8 80 80 80 AF: too-large: five-byte form of U+002F \"/\", which must be 2F; \
             no form is longer than four bytes (RFC 3629 section 3)",
        ),
        (
            b"\xFF",
            "FF: invalid-byte: FF can stand nowhere in UTF-8: it is neither a lead byte nor a continuation byte \
             (RFC 3629 section 1)",
        ),
        (
            b"\x80",
            "80: unexpected-continuation: continuation byte 80 without a lead byte that asks for it (RFC 3629 section 4)",
        ),
        (b"\xE2\x82A", "E2 82: missing-continuation: only 2 of the 3 bytes that E2 announces (RFC 3629 section 4)"),
        (
            b"\xF0\x9F\x98",
            "F0 9F 98: truncated: the input ends after 3 of the 4 bytes that F0 announces (RFC 3629 section 4)",
        ),
        (b"\xC0\x8A", "C0 8A: overlong: two-byte form of U+000A, which must be 0A (RFC 3629 section 3)"),
        (b"\xC1\xBF", "C1 BF: overlong: two-byte form of U+007F, which must be 7F (RFC 3629 section 3)"),
        (
            b"\xF0\x8D\xA0\x80",
            "F0 8D A0 80: overlong: four-byte form of U+D800, which is a surrogate and has no form (RFC 3629 section 3)",
        ),
        (
            b"\xE0\x83\xA9",
            "E0 83 A9: overlong: three-byte form of U+00E9 \"é\", which must be C3 A9 (RFC 3629 section 3)",
        ),
    ] {
        let ran = place.feed(&["check"], bytes);
        assert_eq!(ran.lines(), [format!("-:1:1: byte 0: {line}")]);
        assert_eq!(ran.status, 1);
    }
}

#[test]
fn the_standard_decides() {
    let place = Place::new();
    let six = b"\xFD\xBF\xBF\xBF\xBF\xBF";
    assert_eq!(place.feed(&["check"], six).status, 1);
    place.feed(&["check", "--standard", "rfc2279"], six).is_silent_success();
    place.feed(&["check", "--standard", "rfc2044"], b"\xC0\xAF").is_silent_success();
    let ran = place.feed(&["check", "--standard", "rfc2279"], b"\xC0\xAF");
    assert!(ran.out().ends_with("which must be 2F (RFC 2279 section 2)\n"), "{}", ran.out());
    place.feed(&["check"], b"\xEF\xBF\xBE").is_silent_success();
    let ran = place.feed(&["check", "--standard", "kuhn"], b"\xEF\xBF\xBE");
    assert!(ran.out().contains("EF BF BE: noncharacter: noncharacter U+FFFE"), "{}", ran.out());
    place.feed(&["check", "--standard", "kuhn"], b"\xEF\xB7\x90").is_silent_success();
    let ran = place.feed(&["check", "--standard", "no-noncharacters"], b"\xEF\xB7\x90");
    assert!(ran.out().contains("EF B7 90: noncharacter: noncharacter U+FDD0"), "{}", ran.out());
}

#[test]
fn other_encodings_are_checked_too() {
    let place = Place::new();
    let ran = place.feed(&["check", "--encoding", "utf-16le"], b"a\0\n\0\x00\xDCb");
    assert_eq!(
        ran.lines(),
        [
            "-:2:1: byte 4: 00 DC: unpaired-surrogate: low surrogate U+DC00 that follows no high one (RFC 2781 section 2.2)",
            "-:2:2: byte 6: 62: truncated: the input ends after 1 of the 2 bytes of a unit (Unicode Standard, D91)",
        ]
    );
    let ran = place.feed(&["check", "--encoding", "us-ascii"], b"caf\xE9");
    assert_eq!(ran.lines(), ["-:1:4: byte 3: E9: invalid-byte: E9 in US-ASCII, which ends at 7F (RFC 20)"]);
    place.feed(&["check", "--encoding", "UTF-16"], b"\xFF\xFEa\0").is_silent_success();
    let ran = place.feed(&["check", "--encoding", "klingon"], b"");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("utfkit list"), "{}", ran.err);
}

/// `LINE:COLUMN OFFSET BYTES KIND` of each finding.
fn places(place: &Place, encoding: &str, input: &[u8]) -> Vec<String> {
    let args = ["check", "--format", "jsonl", "--encoding", encoding];
    let ran = place.feed(&args, input);
    assert_eq!(place.pipe(&args, input.chunks(1)), ran, "{encoding}");
    let mut found = objects(&ran.lines());
    let summary = found.pop().unwrap();
    assert_eq!((&summary["findings"], ran.status), (&json!(found.len()), i32::from(!found.is_empty())));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let short =
        |f: &Value| format!("{}:{} {} {} {}", f["line"], f["column"], f["offset"], text(&f["bytes"]), text(&f["kind"]));
    found.iter().map(short).collect()
}

#[test]
fn lines_and_columns_count_characters_whatever_their_bytes() {
    let place = Place::new();
    for (encoding, input, want) in [
        // Two characters in one run of base64, then padding that is not zero.
        ("UTF-7", &b"ok\n+ZeVnLA- +AGF-\n\x80"[..], &["2:5 15 46 padding-bits", "3:1 18 80 invalid-byte"][..]),
        ("UTF-7", b"+2AA-x", &["1:1 1 324141 unpaired-surrogate"]),
        (
            "Shift_JIS",
            b"a\n\x93\xFA\x96\x7B\x82 z\xFF\x82",
            &["2:3 6 82 invalid-sequence", "2:6 9 ff invalid-byte", "2:7 10 82 truncated"],
        ),
        ("ISO-2022-UTF-8", b"\xE9\n\x1B%G\xC3\xA9\xC3\x1B%@\xC3", &["2:2 7 c3 missing-continuation"]),
        ("web:latin1", b"\x81\xFF", &[]),
        ("windows-1253", b"\n \xD2", &["2:2 2 d2 invalid-byte"]),
        ("UCS-2", b"\0a\xD8\x3D", &["1:2 2 d83d surrogate"]),
        ("CESU-8", b"\xED\xA0\xBC\xED\xBE\x89\xED\xA0\xBC", &["1:2 6 eda0bc unpaired-surrogate"]),
    ] {
        assert_eq!(places(&place, encoding, input), want, "{encoding}");
    }
}

#[test]
fn an_unknown_encoding_gets_advice() {
    let place = Place::new();
    for (name, advice) in [
        ("web:utf-7", "did you mean `UTF-7`"),
        ("unicode", "did you mean `web:unicode`"),
        ("Shfit_JIS", "did you mean `Shift_JIS`"),
        ("klingon", "`utfkit list`"),
    ] {
        let ran = place.run(&["check", "--encoding", name]);
        assert!(ran.status == 2 && ran.err.contains(advice), "{name}: {}", ran.err);
    }
}

#[test]
fn the_status_is_that_of_the_worst_file() {
    let place = Place::new();
    place.file("good", "gut\n");
    place.file("bad", b"\xFF");
    place.run(&["check", "good"]).is_silent_success();
    assert_eq!(place.run(&["check", "good", "bad"]).status, 1);
    let ran = place.run(&["check", "missing", "bad", "good"]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.lines().len(), 1, "the others are still checked");
    assert!(ran.err.starts_with("utfkit: missing: "), "{}", ran.err);
    assert_eq!(place.run(&["check", "--no-such-option"]).status, 2);
    assert_eq!(place.run(&[]).status, 2);
}

#[test]
fn quiet_and_names() {
    let place = Place::new();
    place.file("good", "gut\n");
    place.file("bad", b"\xFF");
    let ran = place.run(&["check", "-q", "bad", "good", "missing"]);
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (2, "", ""));
    let ran = place.run(&["check", "-q", "bad", "good"]);
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (1, "", ""));
    let ran = place.run(&["check", "-l", "bad", "good"]);
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (1, "bad\n", ""));
    let ran = place.run(&["check", "-i", "bad", "good"]);
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (1, "good\n", ""));
}

#[test]
fn standard_input_is_the_default_and_a_name() {
    let place = Place::new();
    place.file("a", b"\xFF");
    assert_eq!(place.feed(&["check"], b"\xFE").lines(), place.feed(&["check", "-"], b"\xFE").lines());
    let ran = place.feed(&["check", "a", "-"], b"ok \xFE");
    let names: Vec<_> = ran.lines().iter().map(|l| l.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(names, ["a:1:1", "-:1:4"]);
}

#[test]
fn pipes_are_the_same_however_they_are_cut() {
    let place = Place::new();
    let mut input = Vec::new();
    for i in 0..2000 {
        input.extend_from_slice("Zeile mit Umläuten, 日本語 und 🎉\n".as_bytes());
        input.extend_from_slice([&b"\xC0\xAF"[..], b"\xF0\x9F", b"\xED\xA0\x80x", b"\xFC\x84\x80\x80\x80\x80"][i % 4]);
    }
    let args = ["check", "--max-errors", "0"];
    let whole = place.feed(&args, &input);
    assert_eq!(whole.lines().len(), 2000);
    for size in [7, 64, 4093] {
        assert_eq!(place.pipe(&args, input.chunks(size)), whole);
    }
}

#[test]
fn folders_are_walked_in_order_on_any_number_of_threads() {
    let place = Place::new();
    let mut expected = Vec::new();
    for folder in ["a", "b", "b/c"] {
        for i in 0..40 {
            place.file(format!("tree/{folder}/{i:02}"), b"x\n\xFF".repeat(if i % 7 == 0 { 3000 } else { 1 }));
        }
    }
    // Sorted by name in each folder: the files of b precede the folder b/c.
    for folder in ["a", "b", "b/c"] {
        expected.extend((0..40).map(|i| format!("tree/{folder}/{i:02}")));
    }
    let one = place.portable(&["check", "-j", "1", "--max-errors", "0", "tree"]);
    assert_eq!(one.status, 1);
    for threads in ["2", "8", "0"] {
        assert_eq!(place.portable(&["check", "-j", threads, "--max-errors", "0", "tree"]), one);
    }
    assert_eq!(place.portable(&["check", "-l", "tree"]).lines(), expected);
    expected.rotate_left(40);
    assert_eq!(place.portable(&["check", "-l", "tree/b", "tree/a"]).lines(), expected);
}

#[test]
fn a_walk_leaves_out_what_ripgrep_would() {
    let place = Place::new();
    place.file("p/.gitignore", "ignored\n");
    for name in ["p/ignored", "p/.hidden", "p/seen"] {
        place.file(name, b"\xFF");
    }
    let names = |args: &[&str]| place.portable(&[&["check", "-l"], args].concat()).out().to_owned();
    assert_eq!(names(&["p"]), "p/ignored\np/seen\n", ".gitignore counts inside a repository");
    std::fs::create_dir(place.path().join("p/.git")).unwrap();
    assert_eq!(names(&["p"]), "p/seen\n");
    assert_eq!(names(&["--no-ignore", "p"]), "p/ignored\np/seen\n");
    assert_eq!(names(&["--hidden", "p"]), "p/.hidden\np/seen\n");
    assert_eq!(names(&["p/ignored", "p/.hidden"]), "p/ignored\np/.hidden\n", "what is named is checked");
}

#[test]
fn utf_16_in_a_tree_is_text_that_is_not_utf_8() {
    let place = Place::new();
    let wide: Vec<u8> = "naïve text, and more".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.file("tree/wide.txt", wide);
    place.file("tree/good.txt", "naïve");
    let ran = place.portable(&["check", "-l", "tree"]);
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (1, "tree/wide.txt\n", ""));
    let ran = place.portable(&["check", "tree"]);
    assert!(ran.err.contains("looks like UTF-16LE"), "{}", ran.err);
    place.portable(&["check", "--encoding", "UTF-16LE", "tree/wide.txt"]).is_silent_success();
}

#[test]
fn binary_files_are_skipped_on_a_walk_and_said_so() {
    let place = Place::new();
    place.file("p/program", b"\x7FELF\0\xFF");
    place.file("p/text", "gut");
    let ran = place.portable(&["check", "p"]);
    assert_eq!((ran.status, ran.out()), (0, ""));
    assert!(
        ran.err.contains("skipped 1 binary file (with NUL bytes); -v names it; to check it anyway, name it\n"),
        "{}",
        ran.err
    );
    let ran = place.portable(&["check", "-v", "p"]);
    assert!(ran.err.starts_with("utfkit: p/program: binary, skipped (NUL at byte"), "{}", ran.err);
    assert_eq!(place.portable(&["check", "p/program"]).lines().len(), 1);
    let ran = place.portable(&["check", "--encoding", "UTF-16LE", "p"]);
    assert!(!ran.err.contains("skipped"), "NUL bytes are usual in UTF-16: {}", ran.err);
}

#[test]
fn names_come_from_a_list() {
    let place = Place::new();
    // Windows has no line ends in names.
    let (name, shown) = if cfg!(windows) { ("one\u{2028}two", "one\\u{2028}two") } else { ("one\ntwo", "one\\ntwo") };
    place.file(name, b"\xFF");
    place.file("three", b"\xFE");
    let list = format!("{name}\0three");
    place.file("list", &list);
    let want = [shown, "three"];
    assert_eq!(place.run(&["check", "-l", "--files0-from", "list"]).lines(), want);
    assert_eq!(place.feed(&["check", "-l", "--files0-from", "-"], list.as_bytes()).lines(), want);
    let ran = place.feed(&["check", "-l", "--files0-from", "-"], b"-\0\0three\0");
    assert_eq!((ran.status, ran.out()), (2, "three\n"));
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    assert_eq!(place.run(&["check", "--files0-from", "missing"]).status, 2);
    assert_eq!(place.run(&["check", "--files0-from", "list", "three"]).status, 2);
}

#[test]
fn findings_beyond_the_limit_are_counted() {
    let place = Place::new();
    place.file("a", b"\xFF\n".repeat(250));
    let ran = place.run(&["check", "a"]);
    assert_eq!(ran.lines().len(), 100);
    assert!(ran.err.starts_with("a: 250 ill-formed sequences: 250 invalid-byte"), "{}", ran.err);
    assert_eq!(place.run(&["check", "--max-errors", "7", "a"]).lines().len(), 7);
    assert_eq!(place.run(&["check", "--max-errors", "0", "a"]).lines().len(), 250);
}

#[test]
fn the_summary_reads_windows_1252() {
    let place = Place::new();
    let ran = place.feed(&["check"], b"caf\xE9, d\xE9j\xE0 vu, \x93na\xEFve\x94\n");
    assert!(ran.err.contains("in windows-1252: é (2), "), "{}", ran.err);
    let ran = place.feed(&["check"], b"text text \xC0\xAF text");
    assert!(!ran.err.contains("windows"), "{}", ran.err);
}

fn objects(lines: &[&str]) -> Vec<Value> {
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn jsonl_has_an_object_for_each_finding_and_each_file() {
    let place = Place::new();
    place.file("a.txt", b"\xC3\xA9\n\xC0\xAF\xFF");
    place.file("b.txt", "gut");
    let ran = place.run(&["check", "--format", "jsonl", "a.txt", "b.txt"]);
    assert_eq!((ran.status, ran.err.as_str()), (1, ""));
    let found = objects(&ran.lines());
    assert_eq!(
        found[0],
        json!({"path": "a.txt", "offset": 3, "length": 2, "line": 2, "column": 1, "bytes": "c0af",
               "kind": "overlong", "code_point": "U+002F",
               "message": "two-byte form of U+002F \"/\", which must be 2F (RFC 3629 section 3)"})
    );
    assert_eq!((&found[1]["kind"], &found[1]["code_point"]), (&json!("invalid-byte"), &Value::Null));
    assert_eq!(
        found[2],
        json!({"path": "a.txt", "summary": true, "bytes": 6, "code_points": 2, "lines": 1, "findings": 2,
               "shown": 2, "kinds": {"overlong": 1, "invalid-byte": 1}})
    );
    assert_eq!((&found[3]["path"], &found[3]["findings"]), (&json!("b.txt"), &json!(0)));

    let ran = place.run(&["check", "--format", "jsonl", "--max-errors", "1", "a.txt"]);
    let found = objects(&ran.lines());
    assert_eq!((found.len(), &found[1]["findings"], &found[1]["shown"]), (2, &json!(2), &json!(1)));
}

#[cfg(unix)]
#[test]
fn hostile_names_do_not_reach_the_terminal() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    place.file("a\x1b[31m\nb", b"\xFF");
    let ran = place.run(&["check", "."]);
    assert!(ran.out().starts_with(r"./a\u{1b}[31m\nb:1:1: byte 0: "), "{}", ran.out());
    let ran = place.run(&["check", "--format", "jsonl", "."]);
    assert_eq!(objects(&ran.lines())[0]["path"], json!("./a\x1b[31m\nb"), "JSON has its own escapes");
    place.file("\u{9B}31m\u{202E}\x7F", "gut");
    let ran = place.run(&["check", "--format", "jsonl", "\u{9B}31m\u{202E}\x7F"]);
    assert!(ran.out().starts_with(r#"{"path":"\u009b31m\u202e\u007f","#), "{}", ran.out());
    assert_eq!(objects(&ran.lines())[0]["path"], json!("\u{9B}31m\u{202E}\x7F"));
    // The only control of US-ASCII that JSON does not escape.
    place.file("a\x7Fb", "gut");
    let ran = place.run(&["check", "--format", "jsonl", "a\x7Fb"]);
    assert!(ran.out().starts_with(r#"{"path":"a\u007fb","#), "{}", ran.out());

    let place = Place::new();
    let name = OsStr::from_bytes(b"caf\xE9");
    if std::fs::write(place.path().join(name), b"\xFF").is_err() {
        println!("skipped: this file system wants names in UTF-8");
        return;
    }
    let ran = place.run(&["check", "."]);
    assert!(ran.out().starts_with(r"./caf\xE9:1:1: "), "{}", ran.out());
    let found = objects(&place.run(&["check", "--format", "jsonl", "."]).lines());
    assert_eq!((&found[0]["path"], &found[0]["path_bytes"]), (&json!("./caf\u{FFFD}"), &json!("2e2f636166e9")));
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_does_not_stop_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let secret = place.file("p/b", "x");
    place.file("p/a", b"\xFF");
    place.file("p/c", b"\xFF");
    std::fs::set_permissions(&secret, PermissionsExt::from_mode(0o000)).unwrap();
    if std::fs::File::open(&secret).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    let ran = place.run(&["check", "-l", "p"]);
    assert_eq!((ran.status, ran.out()), (2, "p/a\np/c\n"));
    assert!(ran.err.starts_with("utfkit: p/b: "), "{}", ran.err);
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let place = Place::new();
    place.file("a", b"\xFF\n".repeat(200_000));
    let mut child = place
        .command(&["check", "--max-errors", "0", "a"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("a:1:1: "), "{line}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn colour_only_where_it_is_wanted() {
    let place = Place::new();
    place.file("a", b"\xFF");
    assert!(!place.run(&["check", "a"]).out().contains('\x1b'));
    let ran = place.run(&["check", "--color", "always", "a"]);
    assert!(ran.out().contains('\x1b') && ran.err.contains('\x1b'));
    assert!(!place.run(&["check", "--color", "never", "a"]).out().contains('\x1b'));
}

#[test]
fn every_instruction_set_finds_the_same() {
    let place = Place::new();
    place.file("a", [&b"text "[..], "日本語 ".as_bytes(), b"\xE2\x82 \xF8\x88\x80\x80\x80\n"].concat().repeat(500));
    let best = place.run(&["check", "--max-errors", "0", "a"]);
    assert_eq!(best.lines().len(), 1000);
    let version = place.run(&["--version", "--verbose"]);
    let sets = version.lines()[1].strip_prefix("instruction sets: ").unwrap().to_owned();
    for isa in sets.split(' ') {
        assert_eq!(place.run(&["check", "--isa", isa, "--max-errors", "0", "a"]), best, "{isa}");
    }
    assert_eq!(place.run(&["check", "--isa", "abacus", "a"]).status, 2);
}

#[test]
fn version_and_list() {
    let place = Place::new();
    let version = format!("utfkit {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(place.run(&["--version"]).out(), version);
    let verbose = place.run(&["-V", "-v"]);
    assert!(verbose.out().starts_with(&version) && verbose.out().contains("in use: "), "{}", verbose.out());
    let list = place.run(&["list"]);
    assert_eq!(list.lines()[0].split(' ').next(), Some("UTF-8"));
    assert!(list.lines().iter().any(|line| line.starts_with("ISO-8859-1 ") && line.contains(" latin1")));
    assert!(list.lines().iter().any(|line| line.starts_with("Shift_JIS ") && line.contains(" sjis")));
    for command in ["check", "convert", "count", "list"] {
        let help = place.run(&[command, "--help"]);
        assert!(help.status == 0 && help.out().contains("Examples:"), "{command}");
        for name in ["web:ISO-8859-1", "ISO-2022-UTF-8+KOI8-R", "UTF-8-RFC2044"] {
            assert!(help.out().contains(name), "{command}: {name}");
        }
    }
}

#[test]
fn the_shared_texts_are_well_formed() {
    let (Some(data), place) = (shared("data"), Place::new()) else { return };
    place.run(&["check", data.to_str().unwrap()]).is_silent_success();
}

#[test]
fn kuhns_test_has_its_findings_on_the_right_lines() {
    let Some(path) = shared("vectors/UTF-8-test.txt") else { return };
    let content = std::fs::read(&path).unwrap();
    let ran = Place::new().run(&["check", "--max-errors", "0", path.to_str().unwrap()]);
    assert_eq!(ran.status, 1);
    let mut found: Vec<usize> = ran
        .lines()
        .iter()
        .map(|line| line.rsplit_once(": byte").unwrap().0.rsplit(':').nth(1).unwrap().parse().unwrap())
        .collect();
    // The ill-formed lines according to the standard library.
    let lines = content.split(|&b| b == b'\n').enumerate();
    let bad: Vec<usize> = lines.filter(|(_, line)| str::from_utf8(line).is_err()).map(|(i, _)| i + 1).collect();
    let on = |line: usize| found.iter().filter(|&&l| l == line).count();
    // Sections 3.1.1, 3.1.9 (the first of four), 3.4 (its five- and six-octet
    // forms are an invalid byte and lone continuation bytes), 4.1.1, 4.1.5,
    // 5.1.1 and 5.2.1.
    let section = |name: &str| 1 + content.split(|&b| b == b'\n').position(|l| l.starts_with(name.as_bytes())).unwrap();
    assert_eq!(on(section("3.1.1 ")), 1);
    assert_eq!(on(section("3.1.9 ") + 2), 16);
    assert_eq!(on(section("3.3.3 ")), 1);
    assert_eq!(on(section("4.1.1 ")), 1);
    assert_eq!(on(section("4.1.5 ")), 1);
    assert_eq!(on(section("5.1.1 ")), 1);
    assert_eq!(on(section("5.2.1 ")), 2);
    found.dedup();
    assert_eq!(found, bad);
}

/// Converts `text` to the encoding `name`.
fn in_encoding(place: &Place, name: &str, text: &str) -> Vec<u8> {
    let ran = place.feed(&["convert", "-t", name], text.as_bytes());
    assert_eq!(ran.status, 0, "{name}: {}", ran.err);
    ran.out
}

#[test]
fn a_hint_names_every_encoding_that_detect_knows() {
    let place = Place::new();
    let japanese =
        "\u{706B}\u{661F}\u{306F}\u{592A}\u{967D}\u{7CFB}\u{306E}\u{60D1}\u{661F}\u{3067}\u{3059}\u{3002}\n".repeat(20);
    let chinese =
        "\u{706B}\u{661F}\u{662F}\u{592A}\u{9633}\u{7CFB}\u{516B}\u{5927}\u{884C}\u{661F}\u{4E4B}\u{4E00}\u{3002}\n"
            .repeat(20);
    let russian = "\u{421}\u{44A}\u{435}\u{448}\u{44C} \u{436}\u{435} \u{435}\u{449}\u{451} \u{44D}\u{442}\u{438}\u{445} \u{43C}\u{44F}\u{433}\u{43A}\u{438}\u{445} \u{444}\u{440}\u{430}\u{43D}\u{446}\u{443}\u{437}\u{441}\u{43A}\u{438}\u{445} \u{431}\u{443}\u{43B}\u{43E}\u{43A}\n".repeat(20);
    for (name, text) in [
        ("Shift_JIS", &japanese),
        ("EUC-JP", &japanese),
        ("KOI8-R", &russian),
        ("windows-1251", &russian),
        ("GB18030", &chinese),
    ] {
        place.file("old.txt", in_encoding(&place, name, text));
        let detected =
            place.run(&["detect", "--mime", "old.txt"]).out().trim_start_matches("old.txt: ").trim().to_owned();
        let ran = place.run(&["check", "--max-errors", "1", "old.txt"]);
        let hint = ran.err.split("; try: utfkit convert -f ").nth(1).unwrap_or_else(|| panic!("{name}: {}", ran.err));
        assert_eq!(hint.to_ascii_lowercase(), format!("{detected} old.txt\n"), "{name}");
        // Again in a file read in many chunks, after well-formed text.
        place.file("long.txt", [vec![b'a'; 1 << 20], in_encoding(&place, name, text)].concat());
        let long = place.run(&["check", "--max-errors", "1", "long.txt"]);
        assert!(long.err.contains("; try: utfkit convert -f "), "{name}: {}", long.err);
    }
    // A declaration counts even if its encoding is not supported.
    let declared = [
        &b"<?xml version='1.0' encoding='IBM868'?>\n"[..],
        &in_encoding(&place, "windows-1252", &"Gr\u{FC}\u{DF}e und mehr\n".repeat(9)),
    ];
    place.file("declared.xml", declared.concat());
    assert!(!place.run(&["check", "declared.xml"]).err.contains("try: "));
    // Damage is not taken for another encoding, whatever its bytes.
    place.file("damaged.txt", [russian.as_bytes(), b"\xFF\xC0\xAF\n"].concat());
    let damaged = place.run(&["check", "damaged.txt"]);
    assert!(!damaged.err.contains("try: "), "{}", damaged.err);
}
