//! Conventions of a project (BOM, line ends, normalization, bidirectional
//! controls), their declaration, and `--changed`.

use std::process::Command;

use crate::common::{Place, Ran};
use serde_json::Value;

const TROJAN: &str = "let a = \"\u{202E}x\u{2069}\";\r\ncafe\u{301}\n";

/// The kind and line of each finding.
fn found(place: &Place, args: &[&str]) -> Vec<(u64, String)> {
    let ran = place.run(&[&["check", "--format", "jsonl"], args].concat());
    assert!(ran.status <= 1, "{}", ran.err);
    let objects = ran.lines().iter().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
    let findings = objects.iter().filter(|object| object.get("kind").is_some());
    findings.map(|f| (f["line"].as_u64().unwrap(), f["kind"].as_str().unwrap().to_owned())).collect()
}

fn kinds(found: &[(u64, String)]) -> Vec<&str> {
    found.iter().map(|(_, kind)| kind.as_str()).collect()
}

fn git(place: &Place, args: &[&str]) -> bool {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(place.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output();
    let done = output.is_ok_and(|output| output.status.success());
    if !done {
        println!("skipped: git {args:?} cannot be run");
    }
    done
}

#[test]
fn each_convention_is_off_unless_it_is_asked_for() {
    let place = Place::new();
    place.file("a.txt", format!("\u{FEFF}{TROJAN}"));
    place.run(&["check", "a.txt"]).is_silent_success();
    place.run(&["check", "--bom", "allow", "a.txt"]).is_silent_success();
    assert_eq!(kinds(&found(&place, &["--bom", "forbid", "a.txt"])), ["bom"]);
    assert_eq!(kinds(&found(&place, &["--bom", "require", "a.txt"])), [""; 0]);
    assert_eq!(kinds(&found(&place, &["--bidi", "a.txt"])), ["bidi-control", "bidi-control"]);
    assert_eq!(found(&place, &["--eol", "lf", "a.txt"]), [(1, "line-end".to_owned())]);
    assert_eq!(found(&place, &["--eol", "crlf", "a.txt"]), [(2, "line-end".to_owned())]);
    assert_eq!(found(&place, &["--nfc", "a.txt"]), [(2, "not-nfc".to_owned())]);
    let ran = place.run(&["check", "-l", "--bidi", "a.txt"]);
    assert_eq!((ran.status, ran.out()), (1, "a.txt\n"));
    assert_eq!(place.run(&["check", "-q", "--nfc", "a.txt"]).status, 1);
    assert_eq!(place.run(&["check", "-i", "--eol", "lf", "a.txt"]).out(), "");
}

#[test]
fn they_are_findings_like_any_other_in_every_format() {
    let place = Place::new();
    place.file("a.txt", [b"a\xFF\r\n", "b\u{202E}\n".as_bytes()].concat());
    let args = ["--bom", "require", "--eol", "lf", "--bidi", "a.txt"];
    let expected = ["missing-bom", "invalid-byte", "line-end", "bidi-control"];
    assert_eq!(kinds(&found(&place, &args)), expected);
    let run = |format: &str| place.run(&[&["check", "--format", format], &args[..]].concat());
    let text = run("text");
    assert_eq!(
        text.out(),
        "a.txt:1:1: byte 0: missing-bom: the text should begin with a byte order mark (BOM)\n\
         a.txt:1:2: byte 1: FF: invalid-byte: FF can stand nowhere in UTF-8: it is neither a lead byte nor a \
         continuation byte (RFC 3629 section 1)\n\
         a.txt:1:3: byte 2: 0D 0A: line-end: the line ends with CRLF, not LF\n\
         a.txt:2:2: byte 5: E2 80 AE: bidi-control: U+202E RIGHT-TO-LEFT OVERRIDE reorders what is shown, not what is \
         read (UTS 55)\n"
    );
    let summary = "a.txt: 4 findings: 1 invalid-byte, 1 missing-bom, 1 line-end, 1 bidi-control";
    assert!(text.err.starts_with(summary), "{}", text.err);
    let json: Value = serde_json::from_str(run("json").out()).unwrap();
    assert_eq!(json["totals"]["kinds"]["line-end"], 1);
    assert_eq!((&json["totals"]["ill_formed"], &json["totals"]["findings"]), (&1.into(), &4.into()));
    let sarif: Value = serde_json::from_str(run("sarif").out()).unwrap();
    let (rules, results) = (&sarif["runs"][0]["tool"]["driver"]["rules"], &sarif["runs"][0]["results"]);
    for (result, kind) in results.as_array().unwrap().iter().zip(expected) {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!((&result["ruleId"], &rule["id"]), (&kind.into(), &kind.into()));
    }
    let github = run("github");
    assert!(github.out().contains("::error file=a.txt,line=1,col=3,title=line-end::byte 2: 0D 0A: line-end: "));
    assert!(github.out().contains("title=missing-bom::byte 0: missing-bom: "), "{}", github.out());
    let context = place.run(&[&["check", "--context"], &args[..]].concat());
    let marked = ["    1 | <>a<FF><0D 0A>\n      | ^^ ^^^^^^^^^^^\n", "    2 | b<E2 80 AE>\n      |  ^^^^^^^^^^\n"];
    for lines in marked {
        assert!(context.out().contains(lines), "{}", context.out());
    }
}

#[test]
fn conventions_hold_across_chunks_and_threads() {
    let place = Place::new();
    let text = TROJAN.repeat(100);
    place.file("a.txt", &text);
    let args = ["check", "--format", "jsonl", "--max-errors", "0", "--eol", "lf", "--nfc", "--bidi", "--bom=forbid"];
    let whole = place.run(&[&args[..], &["a.txt"]].concat());
    let mut small = place.command(&[&args[..], &["-j", "4", "a.txt"]].concat());
    let small: Ran = small.env("UTFKIT_TEST_STRETCH", "1").output().unwrap().into();
    assert_eq!(small, whole);
    assert_eq!(whole.lines().len(), 401);
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
    let piped = place.pipe(&[&args[..], &["-"]].concat(), bytes);
    assert_eq!(piped.lines().len(), 401);
}

#[test]
fn declared_encodings_are_those_that_are_checked() {
    let place = Place::new();
    let utf16: Vec<u8> = "\u{FEFF}ein Gr\u{FC}\u{DF}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.file("strings.txt", &utf16);
    place.file("old.c", b"gr\xFC\xDFe\n");
    assert_eq!(place.portable(&["check", "."]).status, 1);
    place.file(".editorconfig", "root = true\n[*.c]\ncharset = latin1\n");
    assert_eq!(place.portable(&["check", "-l", "."]).out(), "./strings.txt\n");
    place.file(".gitattributes", "*.txt working-tree-encoding=UTF-16 eol=lf\n*.dat binary\n");
    // In an unpacked archive too, where no `.git` is.
    place.portable(&["check", "."]).is_silent_success();
    if !git(&place, &["init", "-q"]) {
        return;
    }
    place.portable(&["check", "."]).is_silent_success();
    place.portable(&["check", "strings.txt", "old.c"]).is_silent_success();
    // The command line overrides declarations.
    assert_eq!(place.portable(&["check", "-l", "-f", "UTF-8", "."]).out(), "./old.c\n./strings.txt\n");
    // A file must be well-formed in its declared encoding.
    place.file("strings.txt", [&utf16[..], b"\x00\xD8a\0"].concat());
    assert_eq!(kinds(&found(&place, &["strings.txt"])), ["unpaired-surrogate"]);
    place.file("x.dat", b"text, it seems \xFF");
    let ran = place.portable(&["check", "-l", "."]);
    assert_eq!(ran.out(), "./strings.txt\n");
    assert!(
        ran.err
            .contains("skipped 1 binary file (declared in .gitattributes); -v names it; to check it anyway, name it\n"),
        "{}",
        ran.err
    );
    assert_eq!(place.portable(&["check", "-l", "x.dat"]).out(), "x.dat\n", "what is named is checked");
    for subcommand in [&["convert", "-f", "latin1", "--in-place"][..], &["repair", "--in-place"], &["count"]] {
        place.portable(&[subcommand, &["-g", "*.dat", "."]].concat());
        assert_eq!(place.read("x.dat"), b"text, it seems \xFF", "{subcommand:?}");
    }
    place.file(".gitattributes", "*.txt working-tree-encoding=KLINGON\n");
    let ran = place.portable(&["check", "strings.txt"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("strings.txt: .gitattributes declares the encoding KLINGON"), "{}", ran.err);
}

#[test]
fn what_is_declared_of_a_file_is_an_exception_from_what_is_asked_of_all() {
    let place = Place::new();
    place.file(".editorconfig", "root=true\n[*.ps1]\ncharset=utf-8-bom\nend_of_line=crlf\n");
    place.file("a.ps1", "\u{FEFF}a\r\n");
    place.file("b.ps1", "b\n");
    place.file("c.sh", "\u{FEFF}c\r\n");
    let ran = place.run(&["check", "--bom", "forbid", "--eol", "lf", "."]);
    let lines: Vec<_> = ran.lines().iter().map(|line| line.rsplit(": ").nth(1).unwrap().to_owned()).collect();
    assert_eq!(lines, ["missing-bom", "line-end", "bom", "line-end"], "{}", ran.out());
    assert!(!ran.out().contains("a.ps1"), "{}", ran.out());
}

#[test]
fn only_new_lines_count_where_that_is_asked_for() {
    let place = Place::new();
    place.file("old.txt", b"good\nbad \xFF\ngood\n");
    place.file("same.txt", b"bad \xFF\n");
    if !git(&place, &["init", "-q"]) {
        return;
    }
    // Before the first commit, every staged line is new.
    assert!(git(&place, &["add", "."]));
    assert_eq!(place.run(&["check", "-l", "--changed"]).out(), "./old.txt\n./same.txt\n");
    assert!(git(&place, &["commit", "-qm", "one"]));
    place.run(&["check", "--changed"]).is_silent_success();
    assert_eq!(place.run(&["check", "-q", "."]).status, 1);
    // Staged and unstaged lines, a name that git quotes, and a new file.
    place.file("old.txt", b"good\nbad \xFF\ngood\nnew \xFE\r\n");
    place.file("sub/na\"me \u{E9}.txt", b"++ \xFF\n@@ -1 +1 @@\n");
    place.file("untracked.txt", b"\xFF");
    assert!(git(&place, &["add", "sub"]));
    let expected = [(4, "invalid-byte".to_owned()), (1, "invalid-byte".to_owned())];
    assert_eq!(found(&place, &["--changed"]), expected);
    assert_eq!(found(&place, &["--changed", "old.txt", "same.txt"]), expected[..1]);
    assert_eq!(found(&place, &["--changed=HEAD", "--eol", "lf", "old.txt"]).len(), 2);
    let inside = place.command(&["check", "--changed", "-l"]).current_dir(place.path().join("sub")).output().unwrap();
    assert_eq!(Ran::from(inside).lines(), ["./na\"me \u{E9}.txt"]);
    let summary = place.run(&["check", "--changed", "old.txt"]);
    assert!(summary.err.starts_with("old.txt: 1 ill-formed sequence: 1 invalid-byte"), "{}", summary.err);
    // Since another commit.
    assert!(git(&place, &["commit", "-qam", "two"]));
    place.run(&["check", "--changed"]).is_silent_success();
    assert_eq!(found(&place, &["--changed=HEAD~1"]), expected);
    for (base, message) in
        [("nowhere", "--changed=nowhere: no such commit"), ("--output=x", "--changed=--output=x is not a commit")]
    {
        let wrong = place.run(&["check", &format!("--changed={base}")]);
        assert!(wrong.status == 2 && wrong.err.contains(message), "{}", wrong.err);
    }
    assert!(!place.path().join("x").exists());
}

#[cfg(unix)]
#[test]
fn a_link_that_became_a_file_is_new_and_a_deleted_one_is_none() {
    let place = Place::new();
    place.file("a.txt", b"gone \xFF\n");
    place.file("z.txt", b"old \xFF\n");
    std::os::unix::fs::symlink("z.txt", place.path().join("link")).unwrap();
    if !git(&place, &["init", "-q"]) {
        return;
    }
    assert!(git(&place, &["add", "."]) && git(&place, &["commit", "-qm", "one"]));
    std::fs::remove_file(place.path().join("link")).unwrap();
    std::fs::remove_file(place.path().join("a.txt")).unwrap();
    place.file("link", b"new \xFF\n");
    place.file("z.txt", b"old \xFF\nnew \xFE\n");
    let ran = place.run(&["check", "--changed"]);
    let lines: Vec<_> = ran.lines().iter().map(|line| line.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(lines, ["./link:1:5", "./z.txt:2:5"]);
}

#[test]
fn outside_of_a_repository_there_is_nothing_new() {
    let place = Place::new();
    place.file("a.txt", "a");
    let ran = place.command(&["check", "--changed", "a.txt"]).env("GIT_CEILING_DIRECTORIES", "/").output().unwrap();
    let ran = Ran::from(ran);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("not a git repository") || ran.err.contains("git"), "{}", ran.err);
    let without = place.command(&["check", "--changed"]).env("PATH", "").output().unwrap();
    let without = Ran::from(without);
    assert!(without.status == 2 && without.err.contains("needs git"), "{}", without.err);
}

/// Nearly every sequence of bytes is well-formed in such encodings.
#[test]
fn a_file_in_another_encoding_than_the_declared_one_is_found() {
    let place = Place::new();
    place.file(".editorconfig", "root = true\n[*.u16]\ncharset = utf-16le\n[*.l1]\ncharset = latin1\n[*.cyr]\ncharset = windows-1251\n[*.bom]\ncharset = utf-8-bom\n");
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    for (name, text, found) in [
        ("a.u16", "Übergröße, früh am Abend\n\n".into(), &["wrong-encoding"][..]),
        ("a.odd.u16", "Übergröße, früh am Abend\n".into(), &["truncated", "wrong-encoding"]),
        ("b.u16", units("\u{FEFF}Привет, мир\n"), &["wrong-encoding"]),
        ("c.u16", b"plain\n".to_vec(), &["wrong-encoding"]),
        ("d.u16", vec![], &[]),
        ("e.l1", "Übergröße, früh am Abend\n".into(), &["wrong-encoding"]),
        ("f.l1", b"gr\xFC\xDFe\n".to_vec(), &[]),
        ("g.l1", b"plain\n".to_vec(), &[]),
        ("h.cyr", "Как дела сегодня?\n".into(), &["wrong-encoding"]),
        ("i.bom", "Übergröße\n".into(), &["missing-bom"]),
        ("j.bom", vec![], &[]),
    ] {
        place.file(name, text);
        let ran = place.run(&["check", name]);
        let kinds: Vec<_> = ran.lines().iter().map(|line| line.rsplit(": ").nth(1).unwrap().to_owned()).collect();
        assert_eq!(kinds, found, "{name}: {}", ran.err);
        if *found == ["wrong-encoding"] {
            assert!(ran.out().contains(": the text is "), "{name}: {}", ran.out());
            assert!(ran.out().contains(", and declared to be "), "{name}: {}", ran.out());
            assert!(ran.err.ends_with(&format!("try: utfkit fix {name}\n")), "{name}: {}", ran.err);
        }
        assert_eq!(ran.status, i32::from(!found.is_empty()), "{name}");
        let is_to_fix = place.run(&["fix", "--trust", "likely", name]).status == 1;
        assert_eq!(is_to_fix, !found.is_empty(), "`fix` agrees about {name}");
        assert_eq!(place.run(&["check", "-q", name]).status, ran.status, "{name}");
        // The user knows better.
        place.run(&["check", "-f", "latin1", name]).is_silent_success();
    }
    assert_eq!(place.portable(&["check", "-l", "."]).lines().len(), 7);
}
