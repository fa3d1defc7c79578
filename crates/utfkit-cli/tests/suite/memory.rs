//! Memory stays bounded for input of any length and content.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, all_cases};

/// Limit in KiB. The command takes up to 20,000.
const MOST: u64 = 32 << 10;

/// Writes `block` repeatedly to the command until `bytes` bytes are written;
/// returns the peak memory in KiB.
fn peak(args: &[&str], block: &[u8], bytes: usize) -> u64 {
    let place = Place::new();
    let mut command = place.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut written = 0;
    while written < bytes {
        stdin.write_all(block).unwrap();
        written += block.len();
    }
    // A pipe holds at most 64 KiB, so nearly everything was read.
    let status = fs::read_to_string(status).unwrap();
    drop(stdin);
    child.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.expect("it runs").trim().trim_end_matches(" kB").parse().unwrap()
}

#[track_caller]
fn is_bounded(args: &[&str], block: &[u8], bytes: usize) {
    let peak = peak(args, block, bytes);
    assert!(peak < MOST, "{args:?}: {peak} KiB");
}

/// Random bytes without NUL, in which nothing is well-formed for long.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8 | 1
    };
    (0..len).map(|_| next()).collect()
}

#[test]
fn a_line_without_end_is_no_line_to_keep() {
    let zeros = vec![0; 1 << 20];
    for args in [
        &["check"][..],
        &["check", "--format", "jsonl"],
        &["check", "-j4", "-"],
        &["check", "--context"],
        &["count"],
        &["convert", "-f", "UTF-8", "-t", "UTF-16LE"],
        &["detect"],
        &["report"],
    ] {
        is_bounded(args, &zeros, 40 << 20);
    }
    is_bounded(&["check"], &b"a".repeat(1 << 20), 100 << 20);
    // Combining marks that share a column.
    is_bounded(&["count"], "\u{301}".repeat(1 << 16).as_bytes(), 16 << 20);
}

#[test]
fn findings_without_end_are_no_findings_to_keep() {
    let noise = noise(1 << 19);
    // One of lines, and one that is a document.
    let formats: &[&str] = if all_cases() { &["text", "jsonl", "json", "sarif", "github"] } else { &["text", "sarif"] };
    for format in formats {
        is_bounded(&["check", "--format", format], &noise, 3 << 20);
        // A document of 50 MB for 2^18 findings; lines of text are shorter, so 2^19.
        let (noise, bytes) = if *format == "text" { (&noise[..], 1 << 19) } else { (&noise[..1 << 18], 1 << 18) };
        is_bounded(&["check", "--format", format, "--max-errors", "0"], noise, bytes);
    }
    for args in [
        &["check", "--context", "--max-errors", "0"][..],
        &["count"],
        &["detect"],
        &["report"],
        &["inspect"],
        &["convert", "-t", "UTF-16LE", "--errors", "replace"],
        &["convert", "-t", "US-ASCII", "--errors", "escape"],
        &["convert", "-t", "UTF-8", "--errors", "skip"],
    ] {
        is_bounded(args, &noise, 1 << 19);
    }
}

fn all_sleep(process: u32) -> bool {
    fs::read_dir(format!("/proc/{process}/task")).unwrap().all(|thread| {
        // The process can have ended. Its state follows its name, which can
        // contain anything.
        let stat = fs::read_to_string(thread.unwrap().path().join("stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('S'))
    })
}

/// All other outputs wait for the first, which is printed slowly.
#[test]
fn what_waits_for_its_turn_is_bounded() {
    let place = Place::new();
    for number in 0..12 {
        place.file(format!("{number:02}"), noise(256 << 10));
    }
    let mut command = place.command(&["check", "-j4", "--max-errors", "0", "-", "."]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // All threads sleep in turn, repeatedly.
    let start = Instant::now();
    let mut looks = 0;
    while looks < 10 {
        assert!(start.elapsed() < Duration::from_secs(120), "it never waits");
        thread::sleep(Duration::from_millis(20));
        looks = if all_sleep(child.id()) { looks + 1 } else { 0 };
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < MOST, "{peak} KiB");
}
