//! The bar: on a terminal only, after a second, and never in the way.

#![cfg(unix)]

mod common;

use std::process::Command;
use std::thread;

use common::{Place, Ran};

const UTF8: &str = "C.UTF-8";

/// What `line` shows on a terminal that can show a bar.
fn shown(place: &Place, line: &str) -> Option<String> {
    let line = format!("export TERM=xterm; {line}");
    place.on_a_terminal(UTF8, &line).map(|(_, text)| text)
}

const SLOW: &str = "(printf 'a\\n'; sleep 1.4; printf b)";

#[test]
fn slow_work_has_a_bar_on_a_terminal() {
    let place = Place::new();
    let lines = [
        format!(r#"{SLOW} | "$UTFKIT" check"#),
        format!(r#"{SLOW} | "$UTFKIT" check --color never >out"#),
        format!(r#"{SLOW} | "$UTFKIT" count >out"#),
        format!(r#"{SLOW} | "$UTFKIT" convert >out"#),
        format!(r#"{SLOW} | "$UTFKIT" convert -o out2"#),
    ];
    let all: Vec<_> = thread::scope(|scope| {
        let runs: Vec<_> = lines.iter().map(|line| scope.spawn(|| shown(&place, line))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    for (line, text) in lines.iter().zip(all) {
        let Some(text) = text else { return };
        assert!(text.contains("2 B, ") && text.contains(" B/s, 1s"), "{line}: {text:?}");
        assert!(text.is_ascii() && !text.contains("\x1b[3"), "no colour, no symbols: {text:?}");
        // It is gone at the end.
        assert!(text.ends_with("\r\x1b[2K"), "{line}: {text:?}");
    }
    assert_eq!(place.read("out2"), b"a\nb");
}

#[test]
fn what_is_quick_asked_to_be_quiet_or_would_be_mixed_with_it_has_none() {
    let place = Place::new();
    place.file("file", "text\n");
    let lines = [
        (r#""$UTFKIT" check file"#.to_owned(), ""),
        (format!(r#"{SLOW} | "$UTFKIT" check -q"#), ""),
        (format!(r#"{SLOW} | "$UTFKIT" convert"#), "a\nb"),
        (format!(r#"{SLOW} | "$UTFKIT" check 2>err"#), ""),
        (format!(r#"{SLOW} | TERM=dumb "$UTFKIT" check"#), ""),
    ];
    thread::scope(|scope| {
        for (line, expected) in &lines {
            let place = &place;
            scope.spawn(move || {
                let Some(text) = shown(place, line) else { return };
                assert_eq!(&text, expected, "{line}");
            });
        }
    });
}

#[test]
fn without_a_terminal_there_is_not_a_byte() {
    let line = format!(r#"{SLOW} | "{}" check"#, env!("CARGO_BIN_EXE_utfkit"));
    let ran: Ran = Command::new("sh").args(["-c", &line]).env("TERM", "xterm").output().unwrap().into();
    ran.is_silent_success();
}

#[test]
fn findings_stand_on_lines_of_their_own() {
    let place = Place::new();
    let line = r#"(printf '\377\n'; sleep 1.4; printf '\376\n'; sleep 0.4; printf '\375') | "$UTFKIT" check"#;
    let Some(text) = shown(&place, line) else { return };
    let lines: Vec<_> = text
        .lines()
        .map(|line| line.rsplit("\r\x1b[2K").next().unwrap())
        .filter(|line| line.starts_with("-:"))
        .map(|line| line.split(": ").take(3).collect::<Vec<_>>().join(": "))
        .collect();
    assert_eq!(lines[..3], ["-:1:1: byte 0: FF", "-:2:1: byte 2: FE", "-:3:1: byte 4: FD"], "{text:?}");
    assert_eq!(lines.len(), 4, "and the summary: {text:?}");
    assert!(text.find("B/s").unwrap() < text.find("-:2:1").unwrap(), "the bar came first: {text:?}");
}

#[test]
fn named_files_have_a_total_and_folders_a_number_of_files() {
    let place = Place::new();
    place.file("a/bad", b"\xFF\n".repeat(20_000));
    place.file("a/good", "text\n".repeat(20_000));
    // The reader takes its time, so the work does too.
    let slow = "| (sleep 1.4; cat >/dev/null)";
    let named = format!(r#""$UTFKIT" check --max-errors 0 --format jsonl a/bad a/good {slow}"#);
    let Some(text) = shown(&place, &named) else { return };
    assert!(text.contains(" of 136.72 KiB, ") && text.contains(" left") && text.contains("[="), "{text:?}");
    let folder = format!(r#""$UTFKIT" check --max-errors 0 --format jsonl a {slow}"#);
    let text = shown(&place, &folder).unwrap();
    assert!(text.contains(" in 2 files, ") && !text.contains(" left"), "{text:?}");
}
