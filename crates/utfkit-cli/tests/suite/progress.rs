//! The progress bar: only on a terminal, after a second, and hidden for other
//! output.

use std::io::Read;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, Ran};

const UTF8: &str = "C.UTF-8";

/// Environment of a terminal that can show a bar.
fn with_a_bar(line: &str) -> String {
    format!("export TERM=xterm; {line}")
}

/// The output of `line` on a terminal that can show a bar.
fn shown(place: &Place, line: &str) -> Option<String> {
    place.on_a_terminal(UTF8, &with_a_bar(line)).map(|(_, text)| text)
}

/// Shell code that waits for the next signs of [`shown_step_by_step`].
const WAIT: &str = "until test -e go; do sleep 0.01; done; rm go";

/// The output of `line` on a terminal that can show a bar. At each wait, the
/// line continues once the terminal has received all of the next `signs`, in
/// order, after the previous ones. So the test works at any speed of the
/// machine.
fn shown_step_by_step(place: &Place, line: &str, signs: &[&[&str]]) -> Option<String> {
    let mut child = place.terminal(UTF8, &with_a_bar(line))?.stdout(Stdio::piped()).spawn().unwrap();
    let mut terminal = child.stdout.take().unwrap();
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut block = [0; 4096];
        while let Some(len) = terminal.read(&mut block).ok().filter(|&len| len > 0) {
            sender.send(block[..len].to_vec()).unwrap();
        }
    });
    let (mut bytes, mut from, mut missing) = (Vec::new(), 0, None);
    'steps: for signs in signs {
        for sign in *signs {
            loop {
                if let Some(at) = find(&bytes[from..], sign) {
                    from += at + sign.len();
                    break;
                }
                match receiver.recv_timeout(Duration::from_secs(120)) {
                    Ok(more) => bytes.extend(more),
                    Err(_) => {
                        missing = Some(*sign);
                        child.kill().unwrap();
                        break 'steps;
                    }
                }
            }
        }
        let go = place.file("go", "");
        // The shell removes the file when it continues.
        while go.exists() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(5));
        }
    }
    bytes.extend(receiver.iter().flatten());
    reader.join().unwrap();
    child.wait().unwrap();
    let text = String::from_utf8(bytes).expect("what is printed is UTF-8").replace("\r\n", "\n");
    assert_eq!(missing, None, "{line}: never came: {text:?}");
    Some(text)
}

fn find(bytes: &[u8], sign: &str) -> Option<usize> {
    bytes.windows(sign.len()).position(|window| window == sign.as_bytes())
}

#[test]
fn slow_work_has_a_bar_on_a_terminal() {
    let lines = [
        r#""$UTFKIT" check"#,
        r#""$UTFKIT" check --color never >out"#,
        r#""$UTFKIT" count >out"#,
        r#""$UTFKIT" convert >out"#,
        r#""$UTFKIT" convert -o out"#,
    ];
    let check = |line: &str| {
        let place = Place::new();
        let slow = format!(r"(printf 'a\n'; {WAIT}; printf b) | {line}");
        let Some(text) = shown_step_by_step(&place, &slow, &[&["2 B, ", " B/s, "]]) else { return };
        let elapsed = text.split(" B/s, ").nth(1).unwrap();
        let seconds: u32 = elapsed[..elapsed.find('s').unwrap()].parse().unwrap();
        assert!(seconds >= 1, "{line}: {text:?}");
        assert!(text.is_ascii() && !text.contains("\x1b[3"), "no colour, no symbols: {text:?}");
        // The bar is removed at the end.
        assert!(text.ends_with("\r\x1b[2K"), "{line}: {text:?}");
        if line.contains("convert") {
            assert_eq!(place.read("out"), b"a\nb");
        }
    };
    thread::scope(|scope| {
        for line in lines {
            scope.spawn(move || check(line));
        }
    });
}

#[test]
fn what_is_quick_has_none() {
    let place = Place::new();
    place.file("file", "text\n");
    for _ in 0..100 {
        let start = Instant::now();
        let Some(text) = shown(&place, r#""$UTFKIT" check file"#) else { return };
        // On a busy machine, a short run can take a second.
        if start.elapsed() < Duration::from_secs(1) {
            assert_eq!(text, "");
            return;
        }
    }
    panic!("it always takes a second to check a file of five bytes");
}

const SLOW: &str = "(printf 'a\\n'; sleep 1.4; printf b)";

#[test]
fn what_is_asked_to_be_quiet_or_would_be_mixed_with_it_has_none() {
    let place = Place::new();
    let lines = [
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
        // Without a terminal there is not a byte.
        let mut command = place.shell(&format!(r#"{SLOW} | "$UTFKIT" check"#));
        let ran: Ran = command.env("TERM", "xterm").output().unwrap().into();
        ran.is_silent_success();
    });
}

#[test]
fn findings_stand_on_lines_of_their_own() {
    let place = Place::new();
    let line = format!(r#"(printf '\377\n'; {WAIT}; printf '\376\n'; {WAIT}; printf '\375') | "$UTFKIT" check"#);
    let Some(text) = shown_step_by_step(&place, &line, &[&[" B/s, "], &["-:2:1", " B/s, "]]) else { return };
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
    // No bar is drawn while findings cannot be written. So the reader waits for
    // more than a second, then reads a little at a time until the bar appears.
    let slow = "(head -c 1; sleep 1.2; until test -e go; do head -c 50000; sleep 0.01; done; rm go; cat) >/dev/null";
    let shown = |inputs: &str, signs: &[&str]| {
        let place = Place::new();
        place.file("a/bad", b"\xFF\n".repeat(200_000));
        place.file("a/good", "text\n".repeat(20_000));
        let line = format!(r#""$UTFKIT" check --max-errors 0 --format jsonl {inputs} | {slow}"#);
        shown_step_by_step(&place, &line, &[signs])
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let Some(text) = shown("a/bad a/good", &["[=", " of 488.28 KiB, ", " left"]) else { return };
            assert!(!text.contains(" files, "), "{text:?}");
        });
        let Some(text) = shown("a", &[" in 2 files, "]) else { return };
        assert!(!text.contains(" left"), "{text:?}");
    });
}
