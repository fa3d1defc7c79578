//! The gate of all commands, the plan for people, and what messages recommend.

use std::fs;

use crate::common::{Place, Ran, Random};

fn encoded(label: &str, text: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
}

const POLISH: &str = "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig.\n";
const RUSSIAN: &str = "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом.\n";
const KOREAN: &str = "오늘은 날씨가 좋아서 친구들과 함께 공원에서 산책을 했습니다.\n";

/// Lines of bytes that are words in no encoding, without controls.
fn unknown(lines: u64) -> Vec<u8> {
    let mut random = Random(lines);
    let mut text = Vec::new();
    for _ in 0..lines {
        text.extend_from_slice(b"row ");
        for _ in 0..24 {
            text.push(0xA1 + random.below(0x5E) as u8);
            text.push(b'0' + random.below(10) as u8);
        }
        text.push(b'\n');
    }
    text
}

/// The commands between backticks, of which `FILE` is `path`.
fn recommended(message: &str, path: &str) -> Vec<String> {
    message.split('`').skip(1).step_by(2).map(|command| command.replace("FILE", path)).collect()
}

#[test]
fn text_in_an_unknown_encoding_was_binary_and_not_said() {
    let place = Place::new();
    place.file("p/table", unknown(40));
    let plan = place.portable(&["fix", "p"]);
    assert_eq!((plan.status, plan.lines()[0]), (1, "LEFT ALONE"), "{} {}", plan.out(), plan.err);
    assert!(plan.lines()[1].starts_with("p/table: ") && !plan.out().contains("binary"), "{}", plan.out());
    assert_eq!(plan.err, "utfkit: 0 files to change, 1 left alone\n");
    let detected = place.portable(&["detect", "p"]);
    assert_eq!((detected.status, detected.lines().len(), detected.err.as_str()), (1, 1, ""), "{}", detected.out());
    let before = place.read("p/table");
    for args in [&["repair", "--in-place"][..], &["convert", "-f", "auto", "--in-place"], &["fix", "--yes"]] {
        let ran = place.portable(&[args, &["p"]].concat());
        assert_eq!((ran.status, place.read("p/table") == before), (1, true), "{args:?} {}", ran.err);
        assert!(
            ran.out().contains("p/table: ") || ran.err.contains("p/table: left as it was: "),
            "{args:?} {}",
            ran.err
        );
    }
}

#[test]
fn a_long_line_of_korean_is_text() {
    let place = Place::new();
    let record = r#"{"number":41,"kind":"notice","text":"회의실 예약"},"#;
    let text = ["[", &record.repeat(900), "{}]"].concat();
    let bytes = encoded("EUC-KR", &text);
    place.file("rows.json", bytes);
    let ran = place.run(&["fix", "--yes", "rows.json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(place.read("rows.json"), text.as_bytes());
}

#[test]
fn a_file_is_binary_for_a_reason() {
    let place = Place::new();
    let noise: Vec<u8> = (0..900_u32).map(|n| 0x80 + (n * n % 7) as u8 * (n % 3) as u8).collect();
    let controls: Vec<u8> = (0..900_u32).map(|n| (n * 7919 % 251) as u8 | 1).collect();
    for (name, bytes, why) in [
        ("zero", &b"abc\0\xFF\xFE\xFD"[..], "NUL at byte 3"),
        ("picture", b"\x89PNG\r\n\x1A\n\xFF\xFE", "it begins like image/png"),
        ("noise", &noise, "no lines, and no words in any encoding"),
        ("controls", &controls, " control characters"),
    ] {
        place.file(format!("{name}/file"), bytes);
        for args in
            [&["fix", "-v"][..], &["repair", "-v", "--in-place"], &["convert", "-v", "-f", "auto", "--in-place"]]
        {
            let ran = place.portable(&[args, &[name]].concat());
            assert_eq!(ran.status, 0, "{args:?} {}", ran.err);
            let line = ran.err.lines().next().unwrap();
            assert!(line.starts_with(&format!("utfkit: {name}/file: binary, skipped (")), "{args:?} {}", ran.err);
            assert!(line.contains(why), "{args:?} {}", ran.err);
            assert_eq!(place.read(&format!("{name}/file")), bytes);
        }
    }
    let ran = place.portable(&["fix", "."]);
    assert!(
        ran.err.contains(
            "4 binary files (1 with NUL bytes, 1 in a known format, 1 with many control characters, 1 without lines or words)"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn a_was_recommended_where_it_changes_nothing() {
    let place = Place::new();
    let mut advised = 0;
    let texts = [
        encoded("windows-1250", &POLISH.repeat(4)),
        // NUL, in text that is certain otherwise.
        [POLISH.repeat(4).as_bytes(), b"\0"].concat(),
        [&encoded("windows-1250", &POLISH.repeat(9))[..], b"\0"].concat(),
        unknown(5),
        b"\x7FELF\x02\x01\x01\0\0\0\0\xFF".to_vec(),
        b"\x00\x01\x02\x03".to_vec(),
        [POLISH.as_bytes(), &[1, 2, 3, 4, 5, 6, 7, 0x12, 0x13]].concat(),
    ];
    for text in &texts {
        for args in [
            &["fix", "--yes"][..],
            &["repair", "--in-place", "--fallback", "windows-1250"],
            &["convert", "-f", "windows-1250", "--in-place"],
            &["convert", "-f", "auto", "--in-place"],
        ] {
            let path = place.file("file", text);
            let without = place.run(&[args, &["file"]].concat());
            let all = without.out().to_owned() + &without.err;
            let is_changed = fs::read(&path).unwrap() != *text;
            fs::write(&path, text).unwrap();
            let with = place.run(&[args, &["-a", "file"]].concat());
            if all.contains("-a treats it as text") {
                advised += 1;
                assert!(
                    !is_changed && fs::read(&path).unwrap() != *text,
                    "{args:?}: -a did nothing: {all} {}",
                    with.err
                );
                assert_ne!(with.err, without.err);
            }
            assert!(!(with.out().to_owned() + &with.err).contains("-a treats"), "{args:?} {}", with.err);
        }
    }
    assert!(advised >= 4, "{advised}");
}

#[test]
fn much_of_a_word_list_became_replacement_characters() {
    let place = Place::new();
    // UTF-8 with a flag of one byte after each word.
    let words: Vec<u8> = "łódź gęś żółw chrząszcz źdźbło\n"
        .repeat(300)
        .split_inclusive(' ')
        .enumerate()
        .flat_map(|(n, word)| [word.trim_end().as_bytes(), b"/", &[0xC1 + (n % 50) as u8], b"\n"].concat())
        .collect();
    place.file("pl/words.dic", &words);
    let ran = place.portable(&["repair", "--in-place", "pl"]);
    assert_eq!((ran.status, place.read("pl/words.dic") == words), (1, true), "{}", ran.err);
    assert!(ran.err.contains("pl/words.dic: left as it was: "), "{}", ran.err);
    let ran = place.portable(&["repair", "--in-place", "--force", "pl"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("replaced by U+FFFD") && place.read("pl/words.dic") != words, "{}", ran.err);
    assert_eq!(place.portable(&["undo"]).status, 0);
    assert!(place.read("pl/words.dic") == words);
}

#[test]
fn a_plan_of_many_files_is_sums_and_groups() {
    let place = Place::new();
    for n in 0..40 {
        place.file(format!("old/ko/{n:02}.html"), encoded("EUC-KR", &KOREAN.repeat(3)));
        place.file(format!("old/ru/{n:02}.txt"), encoded("windows-1251", &RUSSIAN.repeat(5 + n)));
    }
    place.file("old/new.txt", "\u{FEFF}Grüße\n");
    for n in 0..12 {
        place.file(format!("old/left/{n:02}.txt"), unknown(5 + n));
        place.file(format!("old/bin/{n}"), b"\x7FELF\x02\x01\x01\0\0\0\0\xFF");
    }
    let korean = KOREAN.trim();
    let raw: String = encoded("EUC-KR", KOREAN)[..10].iter().map(|byte| format!("\\x{byte:02X}")).collect();
    let ran = place.portable(&["fix", "old"]);
    let lines = ran.lines();
    assert_eq!(
        lines[..8],
        [
            "81 files to change",
            "  by encoding: 40 EUC-KR, 40 windows-1251, 1 UTF-8",
            "  by change: 80 convert, 1 drop the BOM",
            "  by folder: 40 in old/ko, 40 in old/ru, 1 in old",
            "",
            "FILES  FOUND         SURE            WILL",
            "   40  EUC-KR        nearly certain  convert",
            "       *.html in old/ko, such as 00.html",
        ],
        "{}",
        ran.out()
    );
    assert!(lines[8].starts_with(&format!("       - {}", &raw[..8])), "{}", lines[8]);
    assert_eq!(lines[9], format!("       + {korean}"));
    assert_eq!(
        [lines[10], lines[11], lines[14], lines[15]],
        [
            "    1  UTF-8         certain         drop the BOM",
            "       old/new.txt",
            "   40  windows-1251  nearly certain  convert",
            "       *.txt in old/ru, such as 00.txt"
        ]
    );
    assert_eq!(lines[18..20], ["", "LEFT ALONE: 12 files"], "{}", ran.out());
    assert!(lines[21].contains("such as old/left/00.txt"), "{}", ran.out());
    assert_eq!(*lines.last().unwrap(), "--all lists each file.");
    assert_eq!(
        ran.err,
        "utfkit: 81 files to change, 12 left alone, 12 binary files (with NUL bytes); nothing was changed, --yes does it\n"
    );
    for threads in ["-j1", "-j5"] {
        assert_eq!(place.portable(&["fix", threads, "old"]).out, ran.out);
    }
    let all = place.portable(&["fix", "--all", "old"]);
    for name in ["old/ko/39.html", "old/ru/17.txt", "old/left/11.txt"] {
        assert_eq!(all.out().matches(name).count(), 1, "{name}");
    }
    // Programs get an object for each file.
    let json = place.portable(&["fix", "--format", "jsonl", "old"]);
    assert_eq!(json.lines().len(), 93);
}

#[test]
fn a_plan_of_thousands_of_files_fits_on_a_page_or_two() {
    let place = Place::new();
    let encodings = ["EUC-KR", "IBM866", "windows-1250", "UTF-16LE", "Shift_JIS", "KOI8-R", "GBK", "windows-1251"];
    let texts = [KOREAN, RUSSIAN, POLISH, POLISH, "日本語の文章です。今日は天気がいいですね。散歩に行きましょう。\n"];
    for n in 0..600_usize {
        let (label, text) = (encodings[n % 8], texts[n % 5].repeat(1 + n % 4));
        let bytes = match label {
            "UTF-16LE" => format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
            label => encoded(label, &text),
        };
        place.file(format!("old/{}/{}/{n}.{}", n % 7, n % 11, ["txt", "c", "html"][n % 3]), bytes);
        place.file(format!("old/x/{n}"), [unknown(1 + n as u64 % 5), b"caf\xE9 ".repeat(n % 3)].concat());
    }
    let ran = place.run(&["fix", "old"]);
    assert!((20..=60).contains(&ran.lines().len()), "{} lines\n{}", ran.lines().len(), ran.out());
}

#[test]
fn undo_says_a_sum_and_lists_files_in_order() {
    let place = Place::new();
    for n in 0..30 {
        place.file(format!("t/{n:02}"), encoded("windows-1251", RUSSIAN));
    }
    assert_eq!(place.portable(&["convert", "-f", "windows-1251", "--in-place", "t"]).status, 0);
    fs::write(place.path().join("t/07"), "changed\n").unwrap();
    let ran = place.portable(&["undo", "-v"]);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!((ran.status, lines.len()), (2, 31), "{}", ran.err);
    assert!(lines[..30].is_sorted() && lines[7] == "utfkit: t/07: changed since the run, so skipped", "{}", ran.err);
    assert_eq!(lines[30], "utfkit: 29 files restored, 1 not restored");
    fs::write(place.path().join("t/07"), RUSSIAN).unwrap();
    let ran = place.portable(&["undo"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "utfkit: 1 file restored, 29 as before the run already\n"));
}

#[test]
fn a_long_plan_is_shown_in_the_pager() {
    let place = Place::new();
    for n in 0..9 {
        place.file(format!("old/{n}.txt"), encoded("EUC-KR", &KOREAN.repeat(3)));
    }
    let line = |pager: &str, rows: u32| {
        format!("stty rows {rows} cols 80; export TERM=xterm PAGER='{pager}'; \"$UTFKIT\" fix old </dev/null")
    };
    let Some((_, paged)) = place.on_a_terminal("C.UTF-8", &line("sed s/^/paged:/", 10)) else { return };
    assert!(paged.contains("paged:old/8.txt"), "{paged}");
    for (pager, rows) in [("sed s/^/paged:/", 100), ("", 10), ("cat", 10), ("no-such-pager-here", 10)] {
        let (_, text) = place.on_a_terminal("C.UTF-8", &line(pager, rows)).unwrap();
        assert!(!text.contains("paged:") && text.contains("old/8.txt"), "{pager} {rows}: {text}");
    }
    #[cfg(unix)]
    let piped: Ran = place.shell("PAGER=false TERM=xterm \"$UTFKIT\" fix old | cat").output().unwrap().into();
    #[cfg(unix)]
    assert!(piped.out().contains("old/8.txt"), "{}", piped.out());
}

#[test]
fn what_is_recommended_does_what_it_says() {
    let place = Place::new();
    let utf16: Vec<u8> = POLISH.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let likely = b"Gr\xFC\xDFe\n".to_vec();
    let mixed = [POLISH.repeat(8).as_bytes(), &encoded("windows-1250", &POLISH.repeat(8))].concat();
    let cut = [POLISH.repeat(3).as_bytes(), b"\xC5"].concat();
    let labelled =
        encoded("windows-1251", "# coding: cp1251\n# Съешь же ещё этих мягких французских булок, да выпей чаю.\n");
    let (mut tried, mut kinds) = (0, std::collections::BTreeSet::new());
    for (text, runs) in [
        (utf16, &[&["repair", "--in-place"][..]][..]),
        (encoded("EUC-KR", &KOREAN.repeat(3)), &[&["repair", "--in-place"]]),
        (
            encoded("windows-1251", &RUSSIAN.repeat(3)),
            &[&["repair", "--in-place"], &["convert", "-f", "auto", "--in-place"]],
        ),
        (likely, &[&["fix", "--yes"], &["convert", "-f", "auto", "--in-place"], &["repair", "--in-place"]]),
        (b"\xE9\xE8\xE7\n".to_vec(), &[&["fix", "--yes"], &["convert", "-f", "auto", "--in-place"]]),
        (mixed, &[&["fix", "--yes"], &["convert", "-f", "auto", "--in-place"]]),
        (cut, &[&["fix", "--yes"]]),
        (labelled, &[&["convert", "-f", "auto", "--in-place"], &["convert", "-f", "windows-1251", "--in-place"]]),
    ] {
        for run in runs {
            let path = place.file("file.txt", &text);
            let ran = place.run(&[*run, &["file.txt"]].concat());
            let said = ran.out().to_owned() + &ran.err;
            let before = fs::read(&path).unwrap();
            for command in recommended(&said, "file.txt") {
                if !(command.starts_with("utfkit ") || command.starts_with('-')) || command == "utfkit undo" {
                    continue;
                }
                let mut args: Vec<&str> = command.split(' ').collect();
                match args[0] {
                    "utfkit" => drop(args.remove(0)),
                    // An option to add.
                    _ => args = [*run, &args, &["file.txt"]].concat(),
                }
                if args.contains(&"NAME") {
                    continue;
                }
                if args[0] == "fix" && !args.contains(&"--yes") {
                    args.push("--yes");
                }
                fs::write(&path, &before).unwrap();
                let done = place.run(&args);
                let is_written = fs::read(&path).unwrap() != before;
                let shows = matches!(args[0], "check") || args.contains(&"--diff");
                assert!(
                    if shows { !done.out.is_empty() && !is_written } else { is_written && done.status == 0 },
                    "{command}, of:\n{said}\nsays:\n{}{}",
                    done.out(),
                    done.err
                );
                tried += 1;
                kinds.insert(args[0].to_owned());
            }
            // Options that are named without backticks.
            for option in ["--trust likely", "--force"] {
                if said.contains(&format!("; {option} ")) {
                    fs::write(&path, &before).unwrap();
                    let args: Vec<&str> = run.iter().copied().chain(option.split(' ')).chain(["file.txt"]).collect();
                    let done = place.run(&args);
                    assert!(
                        fs::read(&path).unwrap() != before,
                        "{option}, of:\n{said}\nsays:\n{}{}",
                        done.out(),
                        done.err
                    );
                    tried += 1;
                }
            }
        }
    }
    assert!(tried >= 10 && kinds.len() >= 3, "{tried} {kinds:?}");
}

#[cfg(unix)]
#[test]
fn lists_of_ignored_files_are_bounded() {
    let place = Place::new();
    place.file("a/.git/HEAD", "");
    place.file("a/sub/file", "x\n");
    place.file("a/file", "x\n");
    let fifo = std::process::Command::new("mkfifo").arg(place.path().join("a/sub/.gitignore")).status();
    assert!(fifo.unwrap().success());
    let ran = place.run(&["check", "-i", "a"]);
    assert_eq!((ran.status, ran.out()), (2, "a/file\n"), "{}", ran.err);
    assert!(ran.err.starts_with("utfkit: a/sub/.gitignore: ") && ran.err.contains("--no-ignore"), "{}", ran.err);
    assert_eq!(place.run(&["check", "-i", "--no-ignore", "a"]).out(), "a/file\na/sub/file\n");
    fs::remove_file(place.path().join("a/sub/.gitignore")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", place.path().join("a/.ignore")).unwrap();
    for folder in ["a", "a/sub"] {
        let ran = place.run(&["check", "-i", folder]);
        assert!(ran.status == 2 && ran.out().is_empty() && ran.err.contains(".ignore: "), "{folder} {}", ran.err);
    }
    fs::remove_file(place.path().join("a/.ignore")).unwrap();
    place.file("a/.rgignore", "x".repeat(300_000));
    assert_eq!(place.run(&["count", "a"]).status, 2);
    fs::remove_file(place.path().join("a/.rgignore")).unwrap();
    // A worktree of git, whose lists are elsewhere.
    let fifo = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(place.path().join(name)).status();
        assert!(made.unwrap().success());
    };
    let top = place.path().display();
    place.file("tree/file", "x\n");
    place.file("tree/.git", format!("gitdir: {top}/private\n"));
    place.file("private/HEAD", "");
    fifo("private/commondir");
    let refused = |what: &str| {
        let ran = place.run(&["check", "-i", "tree"]);
        assert_eq!((ran.status, ran.out()), (2, ""), "{what} {}", ran.err);
        assert!(ran.err.contains(what), "{what} {}", ran.err);
    };
    refused("private/commondir: ");
    fs::remove_file(place.path().join("private/commondir")).unwrap();
    assert_eq!(place.run(&["check", "-i", "tree"]).out(), "tree/file\n");
    for common in [format!("{top}/common"), "../common".to_owned()] {
        place.file("private/commondir", &common);
        place.file("common/info/other", "");
        assert_eq!(place.run(&["check", "-i", "tree"]).out(), "tree/file\n");
        fifo("common/info/exclude");
        refused("common/info/exclude: ");
        fs::remove_file(place.path().join("common/info/exclude")).unwrap();
    }
    place.file("tree/.git", format!("gitdir: {}\n", "x".repeat(300_000)));
    refused("tree/.git: ");
}

#[cfg(unix)]
#[test]
fn a_file_behind_two_links_was_planned_twice() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let text = encoded("windows-1251", &RUSSIAN.repeat(4));
    place.file("else/text", &text);
    place.file("tree/keep", "x\n");
    for link in ["one", "two"] {
        symlink("../else/text", place.path().join("tree").join(link)).unwrap();
    }
    let ran = place.run(&["fix", "-L", "--yes", "tree"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("1 file to change"), "{}", ran.err);
    assert_ne!(place.read("else/text"), text);
    let undone = place.run(&["undo"]);
    assert_eq!((undone.status, place.read("else/text") == text), (0, true), "{}", undone.err);
}

#[test]
fn fix_removes_what_killed_runs_left() {
    let place = Place::new();
    place.file("t/a", "x\n");
    place.file("t/.utfkit-abcdefABC123.tmp", "left");
    let ran = place.run(&["fix", "--clean", "t"]);
    assert_eq!((ran.status, fs::read_dir(place.path().join("t")).unwrap().count()), (0, 1), "{}", ran.err);
    assert!(ran.err.contains("removed 1 temporary file"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_searched_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.file("closed/a", "x\n");
    place.file("b/a", "x\n");
    place.give_to_nobody();
    for mode in [0o000, 0o444] {
        fs::set_permissions(place.path().join("closed"), PermissionsExt::from_mode(mode)).unwrap();
        for command in ["check", "count", "fix", "repair --in-place"] {
            let args: Vec<_> = command.split(' ').chain(["."]).collect();
            let Some(ran) = place.as_nobody(&args) else { return };
            assert_eq!(ran.status, 2, "{command} {mode:o} {}", ran.err);
            let said =
                if mode == 0 { "closed: cannot be read: permission denied" } else { "closed/a: Permission denied" };
            assert!(ran.err.to_lowercase().contains(&said.to_lowercase()), "{command} {mode:o} {}", ran.err);
        }
    }
    fs::set_permissions(place.path().join("closed"), PermissionsExt::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn errors_of_the_system_name_the_file_and_what_was_done() {
    let place = Place::new();
    std::os::unix::fs::symlink("nowhere", place.path().join("dangling")).unwrap();
    let ran = place.run(&["check", "-L", "."]);
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (2, "utfkit: ./dangling: a symbolic link to a file that does not exist\n")
    );
    place.file("a", "x\n");
    for command in [
        "list",
        "man",
        "completions bash",
        "--help",
        "detect a",
        "count a",
        "report a",
        "convert a",
        "repair a",
        "inspect a",
    ] {
        let ran: Ran = place.shell(&format!("\"$UTFKIT\" {command} >/dev/full")).output().unwrap().into();
        assert!(ran.status == 2 && ran.err.starts_with("utfkit: standard output"), "{command}: {}", ran.err);
        assert!(!ran.err.contains("os error"), "{command}: {}", ran.err);
    }
    for command in ["check", "count", "detect", "inspect", "report", "convert", "repair"] {
        let ran = place.run(&[command, "/proc/self/mem"]);
        let said = "utfkit: /proc/self/mem: cannot be read: Input/output error\n";
        assert!(ran.status == 2 && ran.err.starts_with(said), "{command}: {}", ran.err);
    }
}

/// The commands that it recommends do as it says.
#[test]
fn standard_input_cannot_be_fixed_and_something_else_can() {
    let place = Place::new();
    let text = encoded("windows-1251", &RUSSIAN.repeat(4));
    for args in [&["fix"][..], &["fix", "-"], &["fix", "--yes", "-"]] {
        let ran = place.feed(args, &text);
        assert_eq!((ran.status, ran.out()), (2, ""), "{args:?}");
        let commands = recommended(&ran.err, "-");
        assert_eq!(commands, ["utfkit convert -f auto", "utfkit repair"], "{}", ran.err);
        assert!(!ran.err.contains("--in-place"), "{}", ran.err);
        let made = place.feed(&["convert", "-f", "auto"], &text);
        assert_eq!((made.status, made.out()), (0, &RUSSIAN.repeat(4)[..]), "{}", made.err);
        assert_eq!(place.feed(&["repair", "-s"], b"caf\xE9\n").out(), "caf\u{FFFD}\n");
    }
}

/// Some look like text. Once, those made all others likely.
#[test]
fn bytes_of_chance_are_no_evidence_for_each_other() {
    let place = Place::new();
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u8
    };
    for n in 0..200 {
        let bytes: Vec<u8> = (0..2 + n % 12).map(|_| next()).collect();
        place.file(format!("p/{n:03}.sig"), bytes);
    }
    let detected = place.portable(&["detect", "p"]);
    assert!(!detected.out().contains("beside"), "{}", detected.out());
    let likely = detected.lines().into_iter().filter(|line| line.contains("(likely: not UTF-8")).count();
    assert!(likely < 20, "{likely}: {}", detected.out());
}

#[test]
fn files_beside_a_file_are_evidence() {
    let place = Place::new();
    for n in 0..6 {
        place.file(format!("p/ru/{n}.txt"), encoded("KOI8-R", &RUSSIAN.repeat(3 + n)));
    }
    // Too short to be told apart from Hebrew.
    let short = encoded("KOI8-R", "ФИО: Ян\n");
    for name in ["p/ru/0a.txt", "p/ru/z.txt", "p/ru/other.c", "p/alone/a.txt"] {
        place.file(name, &short);
    }
    let noise = [&b"\x7FELF\x02\x01\x01\0\0\0\0"[..], &short].concat();
    place.file("p/ru/program.txt", &noise);
    let of = |ran: &Ran, name: &str| {
        let line = ran.lines().into_iter().find(|line| line.starts_with(&format!("{name}: ")));
        line.unwrap_or_else(|| panic!("{name} {}", ran.out())).to_owned()
    };
    let detected = place.portable(&["detect", "p"]);
    for name in ["p/ru/0a.txt", "p/ru/z.txt"] {
        assert_eq!(of(&detected, name), format!("{name}: KOI8-R (likely: as 6 files beside it)"));
    }
    for name in ["p/ru/other.c", "p/alone/a.txt"] {
        assert!(!of(&detected, name).contains("beside"), "{}", detected.out());
    }
    assert!(!detected.out().contains("program"), "{}", detected.out());
    assert!(!place.portable(&["detect", "p/ru/z.txt"]).out().contains("beside"), "a named file is judged by itself");
    for threads in ["-j1", "-j2", "-j9"] {
        assert_eq!(place.portable(&["detect", threads, "p"]).out, detected.out);
    }
    let plan = place.portable(&["fix", "p"]);
    assert!(of(&plan, "p/ru/z.txt").contains("KOI8-R: likely, as 6 files beside it; --trust likely"), "{}", plan.out());
    let ran = place.portable(&["fix", "--yes", "--trust", "likely", "p"]);
    assert_eq!(place.read("p/ru/z.txt"), "ФИО: Ян\n".as_bytes(), "{} {}", ran.out(), ran.err);
    assert!(place.read("p/ru/program.txt") == noise && place.read("p/ru/other.c") == short);
    assert_eq!(place.portable(&["undo"]).status, 0);
    let ran = place.portable(&["convert", "-f", "auto", "--in-place", "p/ru"]);
    assert!(ran.err.contains("p/ru/z.txt: left as it was: it is likely KOI8-R, as 6 files beside it; "), "{}", ran.err);
    assert_eq!(place.portable(&["undo"]).status, 0);
    assert!(place.read("p/ru/z.txt") == short && place.read("p/ru/0.txt") == encoded("KOI8-R", &RUSSIAN.repeat(3)));
}

/// Letters that are likely are no sign.
#[test]
fn a_sentence_that_is_likely_by_itself_is_not_in_the_encoding_of_its_folder() {
    let encoded = |name: &str, text: &str| utfkit::Encoding::for_label(name).unwrap().encode(text).0.into_owned();
    let place = Place::new();
    for n in 0..20 {
        let text = format!("Die Brücke über den Fluß wird nächstes Jahr für {n} Wochen geschlossen.\n");
        place.file(format!("p/{n}.txt"), encoded("windows-1252", &text.repeat(3)));
    }
    for (encoding, text) in
        [("windows-1250", "Konec mostu je dál než začátek.\n"), ("windows-1250", "Druhá část je krásná.\n")]
    {
        let bytes = encoded(encoding, text);
        place.file("p/z.txt", &bytes);
        let alone = place.portable(&["detect", "p/z.txt"]);
        assert!(alone.out().contains(&format!("{encoding} (likely")), "{}", alone.out());
        place.portable(&["fix", "--yes", "--trust", "likely", "p"]);
        let got = place.read("p/z.txt");
        assert!(got == text.as_bytes() || got == bytes, "{}", String::from_utf8_lossy(&got));
        place.portable(&["undo"]);
    }
}

/// A sign or a word is likely in the code page of Windows, and likelier in the encoding of all others.
#[test]
fn a_word_that_is_likely_by_itself_is_in_the_encoding_of_its_folder() {
    let encoded = |name: &str, text: &str| utfkit::Encoding::for_label(name).unwrap().encode(text).0.into_owned();
    let sentence = "Il perché è più avanti: la città non è così lontana, però già si può dire di sì.\n";
    for (encoding, word) in
        [("macintosh", "Così\n"), ("macintosh", "età, 5\n"), ("IBM850", "5 § 12\n"), ("IBM850", "più\n")]
    {
        let place = Place::new();
        for n in 0..5 {
            place.file(format!("p/{n}.txt"), encoded(encoding, &sentence.repeat(3 + n)));
        }
        let alone = encoded(encoding, word);
        place.file("p/z.txt", &alone);
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "p"]);
        let got = place.read("p/z.txt");
        assert!(
            got == word.as_bytes() || got == alone,
            "{encoding} {word}: {} {}",
            String::from_utf8_lossy(&got),
            ran.err
        );
    }
}

/// Files that were converted no longer counted for those after them.
#[test]
fn what_a_run_converts_is_evidence_for_its_other_files() {
    let short = encoded("KOI8-R", "ФИО: Ян\n");
    for threads in ["-j1", "-j2", "-j9"] {
        let place = Place::new();
        for n in 0..5 {
            // Some are longer than the part that is read.
            place.file(format!("p/{n}.txt"), encoded("KOI8-R", &RUSSIAN.repeat(3 + 400 * n)));
        }
        for name in ["p/00.txt", "p/3a.txt", "p/z.txt"] {
            place.file(name, &short);
        }
        let args = ["convert", threads, "-f", "auto", "--trust", "likely", "--in-place", "p"];
        let ran = place.portable(&args);
        assert_eq!(ran.status, 0, "{threads} {}", ran.err);
        for name in ["p/00.txt", "p/3a.txt", "p/z.txt"] {
            assert_eq!(place.read(name), "ФИО: Ян\n".as_bytes(), "{threads} {name} {}", ran.err);
        }
        assert_eq!(place.run(&["undo"]).status, 0);
        let ran = place.portable(&["convert", threads, "-f", "auto", "--in-place", "p"]);
        for name in ["p/00.txt", "p/3a.txt", "p/z.txt"] {
            let said = format!("{name}: left as it was: it is likely KOI8-R, as 5 files beside it; ");
            assert!(ran.err.contains(&said), "{threads} {}", ran.err);
        }
    }
}

#[test]
fn two_encodings_beside_a_file_are_no_evidence() {
    let place = Place::new();
    for n in 0..4 {
        place.file(format!("p/{n}.txt"), encoded("KOI8-R", &RUSSIAN.repeat(3 + n)));
        place.file(format!("p/a{n}.txt"), encoded("windows-1251", &RUSSIAN.repeat(3 + n)));
    }
    place.file("p/z.txt", encoded("KOI8-R", "ФИО: Ян\n"));
    let ran = place.run(&["detect", "p"]);
    assert!(!ran.out().contains("beside"), "{}", ran.out());
}

/// The example is a line that changes, however late in the file, and each promise can be kept.
#[test]
fn the_plan_shows_a_line_that_changes() {
    let place = Place::new();
    let front = "plain text without anything else in it\n".repeat(900);
    place.file("late.txt", [front.as_bytes(), &encoded("windows-1250", &POLISH.repeat(9))].concat());
    place
        .file("torn.txt", [&front[..front.len() - 20], &"é".repeat(40), "\n", &"GrÃ¶ÃŸe, schÃ¶n\n".repeat(9)].concat());
    for name in ["late.txt", "torn.txt"] {
        let ran = place.run(&["fix", "--trust", "likely", name]);
        let shown = |sign: &str| ran.out().lines().find_map(|line| line.strip_prefix(sign)).map(str::to_owned);
        let (before, after) = (shown("  - "), shown("  + "));
        assert!(before.is_some() && after.as_ref().is_some_and(|after| !after.is_empty()), "{name} {}", ran.out());
        assert_ne!(before, after, "{name}");
    }
    let cut: Vec<u8> = "\u{FEFF}Übersicht der Preise".encode_utf16().flat_map(u16::to_le_bytes).chain([0x21]).collect();
    place.file("cut.txt", &cut);
    let ran = place.run(&["fix", "cut.txt"]);
    assert!(ran.out().contains("LEFT ALONE") && ran.out().contains("1 ill-formed sequence"), "{}", ran.out());
    place.run(&["convert", "-f", "UTF-16", "--errors", "replace", "--in-place", "cut.txt"]);
    assert_eq!(String::from_utf8(place.read("cut.txt")).unwrap(), "Übersicht der Preise\u{FFFD}");
}

/// A change beyond the 72nd character of its line was not in the example, and a text of one line had
/// no example.
#[test]
fn a_change_far_from_the_start_of_its_line_is_shown() {
    let place = Place::new();
    let plain = "Der Zug kam an und alle stiegen aus. ".repeat(4);
    let german = format!("{plain}Die Tür der Küche führte früher über den Hof.\n");
    place.file("german.txt", encoded("windows-1252", &german));
    let doubled = "{\"a\":\"BogotÃ¡\",\"b\":\"CÃ³rdoba\"},";
    place.file("one.json", format!("[{}{}0]", "{\"a\":\"Quito\"},".repeat(9000), doubled.repeat(9000)));
    place.file("short.json", format!("[{}{}0]", "{\"a\":\"Lima\"},".repeat(20), doubled.repeat(20)));
    let ran = place.portable(&["fix", "--trust", "likely", "."]);
    let shown: Vec<_> = ran.lines().into_iter().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(
        shown,
        [
            "  - … alle stiegen aus. Die T\\xFCr der K\\xFCche f\\xFChrte fr\\xFCher \\xFCber …",
            "  + … alle stiegen aus. Die Tür der Küche führte früher über den Hof.",
            "  - …\"a\":\"Quito\"},{\"a\":\"BogotÃ¡\",\"b\":\"CÃ³rdoba\"},{\"a\":\"BogotÃ¡\",\"b\":\"CÃ³rdob…",
            "  + …\"a\":\"Quito\"},{\"a\":\"Bogotá\",\"b\":\"Córdoba\"},{\"a\":\"Bogotá\",\"b\":\"Córdoba\"},…",
            "  - …{\"a\":\"Lima\"},{\"a\":\"BogotÃ¡\",\"b\":\"CÃ³rdoba\"},{\"a\":\"BogotÃ¡\",\"b\":\"CÃ³rdob…",
            "  + …{\"a\":\"Lima\"},{\"a\":\"Bogotá\",\"b\":\"Córdoba\"},{\"a\":\"Bogotá\",\"b\":\"Córdoba\"},…",
        ]
    );
}
