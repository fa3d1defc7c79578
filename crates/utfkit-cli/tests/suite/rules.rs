//! Rules: `check` finds what breaks them, `fix` and `check --fix` mend it.
//!
//! The table of rules, encodings and line ends: `cargo test -p utfkit-cli --test
//! suite rules::a_table -- --nocapture`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use utfkit::{Encoding, Legacy, Policy, Transcoder};

use crate::common::{Place, Ran, all_cases, shared};

/// `text` in `encoding`, if that has all of it.
fn encoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let (mut bytes, mut transcoder) = (Vec::new(), Transcoder::new(Encoding::Utf8, encoding, Policy::Strict));
    let step = transcoder.transcode_to_vec(text.as_bytes(), &mut bytes, true);
    (step.read == text.len() && !transcoder.had_errors()).then_some(bytes)
}

fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    let (mut text, mut transcoder) = (Vec::new(), Transcoder::new(encoding, Encoding::Utf8, Policy::Strict));
    let _ = transcoder.transcode_to_vec(bytes, &mut text, true);
    assert!(!transcoder.had_errors(), "{encoding}: {bytes:X?}");
    String::from_utf8(text).unwrap()
}

/// A file as parts that are encoded one by one, so that the bytes of each are known.
struct File {
    bytes: Vec<u8>,
    /// The bytes after the rule; `None` where the bytes of lines cannot be told apart.
    mended: Option<Vec<u8>>,
    text: String,
    changes: usize,
}

/// The parts with their mended form. `None` if the encoding lacks some of it.
fn file(parts: &[(String, String)], encoding: Encoding) -> Option<File> {
    let exact = match encoding {
        Encoding::Utf16 => Encoding::Utf16Le,
        Encoding::Utf32 => Encoding::Utf32Be,
        other => other,
    };
    let is_korean = encoding == Encoding::Legacy(Legacy::Iso2022Kr);
    // A shift may not follow another: the text has to be encoded as a whole.
    let is_whole = encoding == Encoding::ImapUtf7;
    let text: String = parts.iter().map(|(_, new)| new.as_str()).collect();
    let old: String = parts.iter().map(|(old, _)| old.as_str()).collect();
    let changes = parts.iter().filter(|(old, new)| old != new).count();
    encoded(&old, encoding)?;
    encoded(&text, encoding)?;
    if is_whole {
        return Some(File { bytes: encoded(&old, encoding)?, mended: None, text, changes });
    }
    let front = match encoding {
        Encoding::Utf16 | Encoding::Utf32 => encoded("\u{FEFF}", exact)?,
        _ if is_korean => encoded("a", encoding)?[..4].to_vec(),
        _ => Vec::new(),
    };
    let part = |text: &str| {
        let bytes = encoded(text, exact)?;
        // Without the header of ISO-2022-KR.
        Some(if is_korean && !bytes.is_empty() { bytes[4..].to_vec() } else { bytes })
    };
    let all = |new: bool| {
        let parts = parts.iter().map(|(old, mended)| part(if new { mended } else { old }));
        Some([front.clone(), parts.collect::<Option<Vec<_>>>()?.concat()].concat())
    };
    let (bytes, mended) = (all(false)?, all(true)?);
    // Parts that are well-formed alone may not be so together.
    (decoded(&bytes, encoding) == old).then_some(File { bytes, mended: Some(mended), text, changes })
}

/// Words of many scripts; each encoding has some of them.
const WORDS: [&str; 14] = [
    "plain words",
    "caf\u{E9} na\u{EF}ve",
    "\u{15B}wi\u{105}t",
    "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}",
    "\u{3BA}\u{3B1}\u{3BB}\u{3AE}",
    "\u{5E9}\u{5DC}\u{5D5}\u{5DD}",
    "\u{633}\u{644}\u{627}\u{645}",
    "\u{E2A}\u{E27}",
    "\u{65E5}\u{672C}\u{8A9E}",
    "\u{4E2D}\u{6587}",
    "\u{D55C}\u{AD6D}",
    "\u{FF76}\u{FF85}",
    "ti\u{1EBF}ng",
    "\u{1F600}",
];

/// Lines of the words that the encoding has, five at least.
fn lines(encoding: Encoding) -> Vec<&'static str> {
    let has = WORDS.into_iter().filter(|word| encoded(word, encoding).is_some());
    has.cycle().take(7).collect()
}

/// The names and the ends of five files: for each line, and for the last one.
const ENDS: [(&str, [&str; 3], bool); 5] = [
    ("lf", ["\n", "\n", "\n"], true),
    ("crlf", ["\r\n", "\r\n", "\r\n"], true),
    ("mixed", ["\n", "\r\n", "\n"], true),
    ("cr", ["\r", "\n", "\r"], true),
    ("open", ["\r\n", "\n", "\r"], false),
];

/// The parts of a file for a rule: each line in parts, with their mended form.
fn parts(rule: &str, lines: &[&str], ends: ([&str; 3], bool)) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let change = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    for (at, line) in lines.iter().enumerate() {
        let is_odd = at % 3 == 1;
        all.push(change(line, line));
        match rule {
            "--bom=remove" if is_odd => all.push(change("\u{FEFF}", "")),
            "--nfc" if is_odd => all.push(change("e\u{301}", "\u{E9}")),
            "--controls=remove" if is_odd => all.extend([change("\0", ""), change("b", "b"), change("\u{1}", "")]),
            "--controls=escape" if is_odd => all.push(change("\0", "\\u{0}")),
            _ => {}
        }
        let end = ends.0[at % 3];
        if at + 1 == lines.len() && !ends.1 {
            break;
        }
        all.push(match rule {
            "--eol=lf" => change(end, "\n"),
            "--eol=crlf" => change(end, "\r\n"),
            _ => change(end, end),
        });
    }
    all
}

const RULES: [&str; 6] = ["--eol=lf", "--eol=crlf", "--nfc", "--bom=remove", "--controls=remove", "--controls=escape"];

/// Each file is declared to be in its encoding, and stays in it: fixed, checked, fixed again, undone.
#[test]
fn a_table_of_rules_and_encodings_and_line_ends() {
    let encodings: Vec<Encoding> = Encoding::ALL.to_vec();
    let mut table: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let (mut files, mut changed) = (0, 0);
    for (column, rule) in RULES.into_iter().enumerate() {
        let place = Place::new();
        let mut config = "root = true\n".to_owned();
        let mut made = Vec::new();
        for (row, &encoding) in encodings.iter().enumerate() {
            config.push_str(&format!("[*.e{row}]\ncharset = {encoding}\n"));
            for (number, (name, ends, is_closed)) in ENDS.into_iter().enumerate() {
                // Two of the five in each cell of the table, other ones in the next.
                if !all_cases() && (row + column + number) % 5 >= 2 {
                    continue;
                }
                let parts = parts(rule, &lines(encoding), (ends, is_closed));
                let Some(file) = file(&parts, encoding) else { continue };
                let path = format!("{name}.e{row}");
                place.file(&path, &file.bytes);
                made.push((row, encoding, path, file));
            }
        }
        place.file(".editorconfig", config);
        // UTF-8 would lose its BOM, and US-ASCII may be read as an encoding with states.
        let args = [rule, "-a", "--bom=keep", "."];
        let args: Vec<&str> = if rule.starts_with("--bom") { vec![rule, "-a", "."] } else { args.to_vec() };
        let run = |front: &[&str]| place.run(&[front, &args[..]].concat());
        let fixed = run(&["fix", "--yes", "--silent"]);
        assert!(fixed.status == 0, "{rule}: {}{}", fixed.out(), fixed.err);
        for (row, encoding, path, file) in &made {
            let new = place.read(path);
            if let Some(mended) = &file.mended {
                assert_eq!(&new, mended, "{rule} {path} {encoding}: {:?}", String::from_utf8_lossy(&file.bytes));
            }
            assert_eq!(decoded(&new, *encoding), file.text, "{rule} {path} {encoding}");
            *table.entry((*row, column)).or_default() += 1;
            files += 1;
            changed += file.changes;
        }
        let check: Vec<&str> = args.iter().copied().filter(|arg| *arg != "-a").collect();
        let checked = place.run(&[&["check"], &check[..]].concat());
        assert_eq!((checked.status, checked.out()), (0, ""), "{rule}");
        let again = run(&["fix", "--yes"]);
        assert!(again.status == 0 && again.out().is_empty(), "{rule}: {}{}", again.out(), again.err);
        let undone = place.run(&["undo"]);
        assert_eq!(undone.status, 0, "{rule}: {}", undone.err);
        for (_, encoding, path, file) in &made {
            assert_eq!(place.read(path), file.bytes, "{rule} {path} {encoding}");
        }
    }
    println!("{:24}{}", "", RULES.map(|rule| format!("{:>19}", rule.trim_start_matches('-'))).concat());
    for (row, encoding) in encodings.iter().enumerate() {
        let cells = (0..RULES.len()).map(|column| match table.get(&(row, column)) {
            Some(n) => format!("{n:>19}"),
            None => format!("{:>19}", "-"),
        });
        println!("{:24}{}", encoding.name(), cells.collect::<String>());
        assert!(table.contains_key(&(row, 0)), "no line ends in {encoding}");
    }
    println!(
        "{files} files in {} encodings, {changed} places mended: fixed, clean, fixed again without a change, undone",
        encodings.len()
    );
    assert!(files > if all_cases() { 2000 } else { 800 }, "{files}");
}

/// Without a declaration a file becomes UTF-8.
#[test]
fn a_file_that_becomes_utf_8_is_mended_on_the_way() {
    let french = "Les \u{E9}l\u{E8}ves \u{E9}taient tr\u{E8}s press\u{E9}s de rentrer \u{E0} l'\u{E9}cole apr\u{E8}s l'\u{E9}t\u{E9}.\r\n";
    let japanese = "\u{5B66}\u{751F}\u{306F}\u{6BCE}\u{65E5}\u{5B66}\u{6821}\u{306B}\u{884C}\u{304D}\u{307E}\u{3059}\u{3002}\u{3068}\u{3066}\u{3082}\u{697D}\u{3057}\u{3044}\u{3067}\u{3059}\u{3002}\r\n";
    let of = |name: &str| Encoding::for_label(name).unwrap();
    for (text, encoding) in [
        (french, of("UTF-16")),
        (french, of("UTF-32")),
        (french, of("windows-1252")),
        (japanese, of("Shift_JIS")),
        (japanese, of("EUC-JP")),
        (japanese, of("ISO-2022-JP")),
        (japanese, of("UTF-16")),
    ] {
        let place = Place::new();
        let text = text.repeat(20);
        let bytes = encoded(&text, encoding).unwrap();
        place.file("a.txt", &bytes);
        let args = ["fix", "--yes", "--eol", "lf", "--trust", "likely", "."];
        let ran = place.run(&args);
        assert_eq!(ran.status, 0, "{encoding}: {}{}", ran.out(), ran.err);
        assert!(ran.out().contains("20 line ends to LF"), "{encoding}: {}", ran.out());
        assert_eq!(String::from_utf8(place.read("a.txt")).unwrap(), text.replace('\r', ""), "{encoding}");
        let again = place.run(&args);
        assert!(again.status == 0 && again.out().is_empty(), "{encoding}: {}", again.out());
        assert_eq!(place.run(&["undo"]).status, 0);
        assert_eq!(place.read("a.txt"), bytes, "{encoding}");
    }
}

/// The plan shows a line as it will be, after the conversion and the rules.
#[test]
fn the_sample_of_a_conversion_shows_the_rules_too() {
    let place = Place::new();
    let line = "Die Gr\u{F6}\u{DF}e der Stra\u{DF}e ist f\u{FC}r die \u{DC}berpr\u{FC}fung gr\u{F6}\u{DF}er als \u{FC}blich.\r\n";
    let text = line.replace(" ist", " i\0st") + &line.repeat(19);
    place.file("a.txt", encoded(&text, Encoding::for_label("windows-1252").unwrap()).unwrap());
    let ran = place.run(&["fix", "-a", "--controls=remove", "--eol=lf", "a.txt"]);
    assert!(ran.out().contains("  + Die Gr\u{F6}\u{DF}e der Stra\u{DF}e ist f"), "{}", ran.out());
}

#[test]
fn with_an_encoding_files_stay_in_it_and_others_are_left() {
    let place = Place::new();
    let bytes = encoded("\u{FEFF}gr\u{FC}n\r\nblau\n", Encoding::Utf16Be).unwrap();
    place.file("wide.txt", &bytes);
    place.file("utf8.txt", "gr\u{FC}n und blau und wei\u{DF}\r\n");
    let ran = place.run(&["fix", "--yes", "-f", "UTF-16", "--eol", "lf", "."]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out().contains("utf8.txt: it is not UTF-16;"), "{}", ran.out());
    assert_eq!(place.read("wide.txt"), encoded("\u{FEFF}gr\u{FC}n\nblau\n", Encoding::Utf16Be).unwrap());
    assert_eq!(place.read("utf8.txt"), "gr\u{FC}n und blau und wei\u{DF}\r\n".as_bytes());
    // The BOM is only removed where that is asked for.
    let ran = place.run(&["fix", "--yes", "-f", "UTF-8", "--eol", "lf", "utf8.txt"]);
    assert_eq!((ran.status, place.read("utf8.txt")), (0, "gr\u{FC}n und blau und wei\u{DF}\n".into()));
    let none = place.run(&["fix", "-f", "UTF-16", "."]);
    assert!(none.status == 2 && none.err.contains("needs a rule such as --eol lf"), "{}", none.err);
}

/// `fix` dropped the first BOM of joined files and left the others, as invisible characters.
#[test]
fn joined_files_kept_a_bom_at_the_start_of_lines() {
    let place = Place::new();
    let parts = ["Maße;Größe\n1;2\n", "Straße;3\n", "a word\u{FEFF}joiner\r\n", "plain\n"];
    let joined: String = parts.map(|part| format!("\u{FEFF}{part}")).concat();
    let files = [
        ("a.csv", joined.clone().into_bytes(), parts.concat()),
        ("b.txt", encoded(&joined, Encoding::Utf16Le).unwrap(), parts.concat()),
        // It has no BOM at the start and needs no other change.
        ("c.txt", "Größe\n\u{FEFF}Straße\n".into(), "Größe\n\u{FEFF}Straße\n".into()),
    ];
    files.iter().for_each(|(name, bytes, _)| drop(place.file(name, bytes)));
    let plan = place.run(&["fix", "--all", "."]);
    assert!(plan.out().contains("drop the BOM, remove 3 BOMs"), "{}", plan.out());
    let all: String = files.iter().map(|(.., new)| new.as_str()).collect();
    assert_eq!(place.run(&["fix", "--yes", "."]).status, 0);
    let now: String = files.iter().map(|(name, ..)| String::from_utf8(place.read(name)).unwrap()).collect();
    assert_eq!(now, all);
    assert_eq!(place.run(&["fix", "."]).status, 0);
    assert_eq!(place.run(&["undo"]).status, 0);
    files.iter().for_each(|(name, bytes, _)| assert_eq!(&place.read(name), bytes, "{name}"));
    for bom in ["--bom=keep", "--bom=add"] {
        place.run(&["fix", "--yes", bom, "a.csv"]);
        assert_eq!(place.read("a.csv"), joined.as_bytes(), "{bom}");
    }
}

/// The cases of the field that are about rules: rows 12a, 14, 44, 48 and 51a.
#[test]
fn the_rows_of_the_field_come_out_right() {
    let Some(field) = shared("vectors/field") else { return };
    let place = Place::new();
    for name in ["12-log-u16be.log", "14-cat-boms.csv", "44-fffd.json", "48-nul.csv", "51-doublebom.txt"] {
        place.file(name, fs::read(field.join(name)).unwrap());
    }
    let rules = ["--bom=forbid", "--controls", "--replacement", "."];
    let ran = place.run(&[&["check"], &rules[..]].concat());
    let count = |kind: &str| ran.lines().iter().filter(|line| line.contains(&format!(": {kind}: "))).count();
    assert_eq!((count("bom"), count("control"), count("replacement-character")), (5, 10, 2), "{}", ran.out());
    let ran = place.run(&["check", "--fix", "--yes", rules[0], rules[1], rules[2], rules[3]]);
    assert_eq!(ran.status, 1, "what cannot be mended is left");
    assert_eq!(ran.lines().iter().filter(|line| line.contains(": replacement-character: ")).count(), 2);
    for (name, text) in [
        ("14-cat-boms.csv", "TEST 1\nTEST 2\nTEST 3\n"),
        ("48-nul.csv", "id,name\n1,Anna\n2,Paul\n"),
        ("51-doublebom.txt", "id;name\n1;x\n"),
    ] {
        assert_eq!(String::from_utf8(place.read(name)).unwrap(), text, "{name}");
    }
    assert!(String::from_utf8(place.read("12-log-u16be.log")).unwrap().contains("Client ZZZ8104 not found"));
    // A plain `fix` drops all BOMs at the start in one run.
    let place = Place::new();
    place.file("a.txt", "\u{FEFF}\u{FEFF}\u{FEFF}a\n");
    assert_eq!((place.run(&["fix", "--yes", "a.txt"]).status, place.read("a.txt")), (0, b"a\n".to_vec()));
}

/// The plan and the result are the same; then the rest is reported.
#[test]
fn check_fix_does_what_fix_does() {
    let make = || {
        let place = Place::new();
        place.file("a.txt", "\u{FEFF}a\r\ncafe\u{301}\0 and more\n");
        place.file("b.txt", "lost \u{FFFD}\n\u{202E}\n");
        place.file("c.txt", b"gr\xFC\xDFe aus M\xFCnchen, sch\xF6ne Gr\xFC\xDFe\r\n");
        place
    };
    let rules = ["--bom=remove", "--eol=lf", "--nfc", "--controls=remove", "--replacement", "--bidi", "."];
    let (one, other) = (make(), make());
    let fix = one.run(&[&["fix"], &rules[..]].concat());
    let check = other.run(&[&["check", "--fix"], &rules[..]].concat());
    assert!(check.out().starts_with(fix.out()) && check.err.starts_with(&fix.err), "{}{}", check.out(), fix.out());
    assert_eq!((fix.status, check.status), (1, 1));
    assert!(fix.out().contains("drop the BOM, remove 1 control, 1 line end to LF, 1 sequence to NFC"), "{}", fix.out());
    let left = "b.txt: UTF-8: 1 bidirectional control, which only a person can judge; 1 U+FFFD for lost text, which \
                cannot be mended";
    assert!(fix.out().contains(left), "{}", fix.out());
    let fix = one.run(&[&["fix", "--yes"], &rules[..]].concat());
    let check = other.run(&[&["check", "--fix", "--yes"], &rules[..]].concat());
    assert!(check.out().starts_with(fix.out()), "{}{}", check.out(), fix.out());
    for name in ["a.txt", "b.txt", "c.txt"] {
        assert_eq!(one.read(name), other.read(name), "{name}");
    }
    assert_eq!(one.read("a.txt"), "a\ncaf\u{E9} and more\n".as_bytes());
    assert_eq!((fix.status, check.status), (1, 1));
    let quiet = other.run(&[&["check", "--fix", "--yes", "--format=jsonl"], &rules[..]].concat());
    assert!(quiet.lines().iter().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{}", quiet.out());
    // Without what cannot be mended, all is well.
    assert_eq!(other.run(&["check", "--fix", "--yes", "--eol=lf", "--nfc", "a.txt"]).status, 0);
    for (args, message) in [
        (&["check", "--fix", "--format=json", "."][..], "--fix needs --yes"),
        (&["check", "--yes", "."], "add --fix"),
        (&["check", "--fix", "-"], "standard input cannot be changed in place"),
    ] {
        let ran = other.run(args);
        assert!(ran.status == 2 && ran.err.contains(message), "{args:?}: {}", ran.err);
    }
    let place = Place::new();
    place.file("a.txt", "a\0 line of text\n");
    let ran = place.run(&["check", "--fix", "--yes", "--controls", "escape", "a.txt"]);
    assert_eq!((ran.status, place.read("a.txt")), (0, b"a\\u{0} line of text\n".to_vec()), "{}", ran.err);
}

#[test]
fn what_is_declared_decides_the_line_end() {
    let place = Place::new();
    fs::create_dir(place.path().join(".git")).unwrap();
    place.file(".editorconfig", "root = true\n[*.bat]\nend_of_line = crlf\n[*.mac]\nend_of_line = cr\n[*.u16]\ncharset = utf-16le\n[*.b]\ncharset = utf-8-bom\n[*.n]\ncharset = utf-8\n");
    place.file(".gitattributes", "*.sh text eol=lf\n*.txt text=auto\n*.raw -text eol=lf\n");
    let text = "one\r\ntwo\nthree\r\n";
    for name in ["a.bat", "a.mac", "a.sh", "a.txt", "a.raw", "a.md"] {
        place.file(name, text);
    }
    place.file("a.u16", encoded(text, Encoding::Utf16Le).unwrap());
    place.file("a.b", "b\n");
    place.file("a.n", "\u{FEFF}n\n");
    place.run(&["fix", "--yes", "--eol", "declared", "--bom", "declared", "-uu", "."]);
    let native = if cfg!(windows) { "\r\n" } else { "\n" };
    for (name, end) in [("a.bat", "\r\n"), ("a.mac", "\r"), ("a.sh", "\n"), ("a.txt", native)] {
        let expected = text.replace("\r\n", "\n").replace('\n', end);
        assert_eq!(String::from_utf8(place.read(name)).unwrap(), expected, "{name}");
    }
    for name in ["a.raw", "a.md"] {
        assert_eq!(place.read(name), text.as_bytes(), "{name}");
    }
    assert_eq!((place.read("a.b"), place.read("a.n")), ("\u{FEFF}b\n".into(), b"n\n".to_vec()));
    // A declaration overrides the line end that is asked of all files.
    let ran = place.portable(&["check", "--eol", "lf", "-l", "."]);
    let found = if cfg!(windows) { &["./a.md", "./a.txt", "./a.u16"][..] } else { &["./a.md", "./a.u16"] };
    assert_eq!(ran.lines(), found, "what Git takes for binary is skipped: {}", ran.err);
    place.run(&["fix", "--yes", "--eol", "lf", "."]);
    assert_eq!(place.read("a.u16"), encoded(&text.replace('\r', ""), Encoding::Utf16Le).unwrap());
}

/// A character that the encoding lacks in its composed form is left, and said to be.
#[test]
fn what_an_encoding_lacks_is_left_and_said() {
    let place = Place::new();
    place.file(".editorconfig", "root = true\n[*.txt]\ncharset = euc-jp\n[*.vi]\ncharset = windows-1258\n");
    place.file("a.txt", encoded("1 \u{212B}\r\n", Encoding::for_label("EUC-JP").unwrap()).unwrap());
    // U+1EBF is in no code page; U+00E9 is in this one.
    place.file("b.vi", b"e\xEC\r\nti\xEA\xECng\r\n");
    let ran = place.run(&["fix", "--yes", "--nfc", "--eol=lf", "."]);
    assert_eq!(ran.status, 1);
    assert!(ran.out().contains("1 sequence whose NFC EUC-JP lacks") && ran.out().contains("NFC windows-1258 lacks"));
    assert_eq!(place.read("b.vi"), b"\xE9\nti\xEA\xECng\n");
    assert_eq!(place.run(&["check", "--nfc", "--eol=lf", "."]).lines().len(), 2);
}

/// A rule is no way around the gate.
#[test]
fn binaries_stay_refused_whatever_rules_are_asked_for() {
    let place = Place::new();
    let mut made: Vec<(String, Vec<u8>)> = Vec::new();
    let mut tar = vec![0; 512];
    tar[..5].copy_from_slice(b"a.txt");
    tar[257..263].copy_from_slice(b"ustar\0");
    tar.extend_from_slice(b"text in an archive\r\n");
    tar.resize(10240, 0);
    made.push(("a.tar".into(), tar));
    made.push(("list0".into(), b"a.txt\0b.txt\0c.txt\0".to_vec()));
    made.push(("table".into(), (0u32..400).flat_map(|n| (n % 100).to_le_bytes()).collect()));
    made.push(("shorts".into(), (0u16..4000).flat_map(|n| (n % 128).to_le_bytes()).collect()));
    made.push(("exe".into(), fs::read(env!("CARGO_BIN_EXE_utfkit")).unwrap()[..200_000].to_vec()));
    for folder in ["/usr/share/terminfo/x", "/lib/terminfo/x", "/usr/lib/locale/C.utf8"] {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.path().is_file()) {
            made.push((format!("t-{}", entry.file_name().to_string_lossy()), fs::read(entry.path()).unwrap()));
        }
    }
    for (name, bytes) in &made {
        place.file(name, bytes);
    }
    let rules = ["--controls=remove", "--eol=lf", "--bom=remove", "--nfc", "."];
    let ran = place.run(&[&["fix", "--yes"], &rules[..]].concat());
    assert!(ran.err.contains("0 files to change"), "{}{}", ran.out(), ran.err);
    // Also in an encoding that has a character for every byte.
    let ran = place.run(&[&["fix", "--yes", "-f", "latin1"], &rules[..]].concat());
    assert!(ran.err.contains("0 files to change"), "{}{}", ran.out(), ran.err);
    for (name, bytes) in &made {
        assert_eq!(&place.read(name), bytes, "{name}");
    }
    assert_eq!(place.run(&["check", "--controls", "."]).out(), "", "they are skipped");
    // -a says that it is text.
    let list = place.run(&["fix", "--controls=remove", "list0"]);
    assert!(list.out().contains("-a treats it as text"), "{}", list.out());
    place.run(&["fix", "--yes", "-a", "--controls=remove", "list0"]);
    assert_eq!(place.read("list0"), b"a.txtb.txtc.txt");
}

/// Changes are logged one by one where that is shorter than the old content.
#[test]
fn the_log_of_a_few_changes_is_short() {
    let place = Place::new();
    let text = "a line of text that is fine as it is\n".repeat(50_000) + "and one\r\n";
    place.file("a.txt", &text);
    let ran = place.run(&["fix", "--yes", "--eol=lf", "--log=log.jsonl", "a.txt"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(place.read("log.jsonl").len() < 2000);
    assert_eq!(place.run(&["undo", "log.jsonl"]).status, 0);
    assert_eq!(place.read("a.txt"), text.as_bytes());
}

/// Removing a character can make its neighbours a pair.
#[test]
fn one_run_is_enough_where_a_removal_joins_characters() {
    let place = Place::new();
    place.file("a.txt", "cafe\0\u{301} is a word\r\0\n\u{FEFF}and a\u{FEFF}\u{30A} second line of text\n");
    let args = ["fix", "--yes", "--controls=remove", "--bom=remove", "--eol=lf", "--nfc", "a.txt"];
    assert_eq!(place.run(&args).status, 0);
    assert_eq!(place.read("a.txt"), "caf\u{E9} is a word\nand \u{E5} second line of text\n".as_bytes());
    assert_eq!(place.run(&args).out(), "");
    // These Tibetan vowels are starters that decompose into marks, which are then sorted.
    place.file("b.txt", "\u{F40}\u{F74}\u{F73}\n");
    assert_eq!(place.run(&["fix", "--yes", "--nfc", "b.txt"]).status, 0);
    assert_eq!(place.read("b.txt"), "\u{F40}\u{F71}\u{F72}\u{F74}\n".as_bytes());
}

#[test]
fn every_format_knows_the_findings() {
    let place = Place::new();
    place.file("a.txt", "a\0 line \u{FFFD}\n");
    let run = |format: &str| place.run(&["check", "--controls", "--replacement", "--format", format, "a.txt"]);
    let text: Ran = run("text");
    assert_eq!(
        text.out(),
        "a.txt:1:2: byte 1: 00: control: U+0000 NULL (NUL) is no part of text\n\
         a.txt:1:9: byte 8: EF BF BD: replacement-character: U+FFFD stands for text that was lost when the file was made\n"
    );
    assert!(text.err.contains("2 findings: 1 control, 1 replacement-character"), "{}", text.err);
    let sarif: Value = serde_json::from_str(run("sarif").out()).unwrap();
    let (rules, results) = (&sarif["runs"][0]["tool"]["driver"]["rules"], &sarif["runs"][0]["results"]);
    for (result, kind) in results.as_array().unwrap().iter().zip(["control", "replacement-character"]) {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], kind);
    }
    let json: Value = serde_json::from_str(run("json").out()).unwrap();
    assert_eq!(json["totals"]["kinds"]["control"], 1);
    assert!(run("github").out().contains("title=replacement-character::"));
    let first: Value = serde_json::from_str(run("jsonl").lines()[0]).unwrap();
    assert_eq!(
        (&first["kind"], &first["code_point"], &first["bytes"]),
        (&"control".into(), &"U+0000".into(), &"00".into())
    );
    let plan = place.run(&["fix", "--controls=escape", "--format=jsonl", "a.txt"]);
    let plan: Value = serde_json::from_str(plan.lines()[0]).unwrap();
    assert_eq!((&plan["rules"]["control"], &plan["actions"][0]), (&1.into(), &"escape controls".into()));
    assert_eq!((&plan["before"], &plan["after"]), (&"a<00> line \u{FFFD}".into(), &"a\\u{0} line \u{FFFD}".into()));
    assert!(Path::new(plan["path"].as_str().unwrap()).ends_with("a.txt"));
}
