//! A run killed at any time leaves each file whole, old or new.
//!
//! `UTFKIT_KILLS` sets the number of kills for each signal and command line:
//! `UTFKIT_KILLS=500 cargo test -p utfkit-cli --test suite kill:: --
//! --nocapture`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, Random};

const FILES: usize = 60;

const KILL: i32 = 9;

/// A command line that changes files in place.
struct Case {
    args: &'static [&'static str],
    /// Content of file `n` before.
    old: fn(usize) -> Vec<u8>,
    /// Content of file `n` afterwards.
    new: fn(usize) -> Vec<u8>,
}

const CASES: &[Case] = &[
    Case { args: &["convert", "-f", "latin1", "-t", "UTF-8", "--in-place"], old: latin1, new: utf8 },
    Case { args: &["repair", "--fallback", "latin1", "-s", "--in-place"], old: latin1, new: utf8 },
];

/// From almost empty to several writes. Few lines change, because `repair` logs each change.
fn text(n: usize) -> String {
    format!("{n}: d\u{E9}j\u{E0} vu\n{}", "a line of US-ASCII\n".repeat(8)).repeat(1 + n % 7 * 80)
}

fn latin1(n: usize) -> Vec<u8> {
    text(n).chars().map(|c| c as u8).collect()
}

fn utf8(n: usize) -> Vec<u8> {
    text(n).into_bytes()
}

fn name(n: usize) -> String {
    format!("{n:03}.txt")
}

fn kills(number: i32) -> u32 {
    let few = if number == KILL { 4 } else { 1 };
    std::env::var("UTFKIT_KILLS").ok().map_or(few, |n| n.parse().expect("UTFKIT_KILLS is a number"))
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(".utfkit-") && name.ends_with(".tmp")
}

/// True if this process, and so its children, ignores a signal.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

/// Sends `signal` to runs at random times.
fn kill_again_and_again(signal: &str, number: i32) {
    for row in CASES {
        let place = Place::new();
        let mut random = Random(u64::from(std::process::id()) << 8 | number as u64);
        let (old, new): (Vec<_>, Vec<_>) = (0..FILES).map(|n| ((row.old)(n), (row.new)(n))).unzip();
        let mut args: Vec<_> = row.args.to_vec();
        args.push(".");
        let fresh = |done: &BTreeSet<usize>| done.iter().for_each(|&n| drop(place.file(name(n), &old[n])));
        let mut done: BTreeSet<usize> = (0..FILES).collect();
        fresh(&done);
        // The duration of a whole run determines the time of the kill.
        let start = Instant::now();
        place.run(&args).is_silent_success();
        let mut latest = u64::try_from(start.elapsed().as_micros()).unwrap();
        let (mut tries, mut ended_by_it, mut cut_short, mut left) = (0, 0, 0, 0);
        // A shell starts background processes with SIGINT ignored, and the
        // command respects that.
        let (wanted, ignored) = (kills(number), is_ignored(number));
        while ended_by_it < wanted && tries < if ignored { wanted } else { 50 * wanted } {
            tries += 1;
            fresh(&done);
            let mut child = place.command(&args).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_micros(random.below(latest)));
            assert!(
                std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().is_ok(),
                "there is no `kill`"
            );
            let status = child.wait().unwrap();
            assert!(status.signal() == Some(number) || status.success(), "{status}");
            if status.success() {
                // Too late: the first run took longer because of other load.
                latest -= latest / 4;
            } else {
                ended_by_it += 1;
            }

            let names = place.names();
            done.clear();
            for n in 0..FILES {
                let now = fs::read(place.path().join(name(n))).expect("no file is ever lost");
                if now == new[n] {
                    done.insert(n);
                } else {
                    assert!(now == old[n], "{}: neither the old text nor the new one", name(n));
                }
            }
            cut_short += u32::from(!done.is_empty() && done.len() < FILES);
            let (temporary, others): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| is_temporary(name));
            assert_eq!(others.len(), FILES, "nothing else is there: {others:?}");
            // Including the temporary files of earlier kills.
            left = temporary.len();
            if number != KILL {
                assert_eq!(temporary, [""; 0], "an orderly signal leaves no temporary file");
            }
        }
        if ignored {
            println!("skipped: {signal} is ignored by who runs this test");
        } else {
            assert!(ended_by_it == wanted, "of {tries} times {signal} ended it only {ended_by_it} times");
        }
        fresh(&done);
        let ran = place.run(&[&args[..], &["--clean"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(!place.names().iter().any(|name| is_temporary(name)), "{:?}", place.names());
        assert_eq!(ran.err.contains("removed"), left > 0, "{left} left: {}", ran.err);
        for (n, new) in new.iter().enumerate() {
            assert!(fs::read(place.path().join(name(n))).unwrap() == *new, "{}", name(n));
        }
        println!(
            "{:?}: {tries} times {signal}: {ended_by_it} ended by it, {cut_short} with some files done, \
             {left} temporary files left, then removed",
            row.args,
        );
    }
}

#[test]
fn killed_it_leaves_each_file_whole_and_what_is_left_can_be_cleaned() {
    kill_again_and_again("-KILL", KILL);
}

#[test]
fn interrupted_it_leaves_nothing_behind() {
    kill_again_and_again("-INT", 2);
}

#[test]
fn terminated_it_leaves_nothing_behind() {
    kill_again_and_again("-TERM", 15);
}

#[test]
fn hung_up_it_leaves_nothing_behind() {
    kill_again_and_again("-HUP", 1);
}

const RUSSIAN: &str = "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом.\n";

fn koi8(text: &str) -> Vec<u8> {
    encoding_rs::KOI8_R.encode(text).0.into_owned()
}

/// Makes files in KOI8-R.
fn texts(place: &Place) {
    for n in 0..FILES {
        place.file(format!("t/{}/{n:03}.txt", n % 3), koi8(&format!("{n}\n{}", RUSSIAN.repeat(2 + n % 7 * 20))));
    }
}

/// Makes files and folders with names in KOI8-R.
fn names(place: &Place) {
    for n in 0..FILES {
        let path = koi8(&format!("t/папка {}/ещё одна/файл {n:03}.txt", n % 3));
        place.file(OsStr::from_bytes(&path), format!("{n}"));
    }
}

/// The files by their names, and the names of temporary files.
fn files(place: &Place) -> (BTreeMap<OsString, Vec<u8>>, Vec<OsString>) {
    let (mut files, mut temporary) = (BTreeMap::new(), Vec::new());
    let mut folders = vec![place.path().join("t")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(place.path()).unwrap().as_os_str().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if is_temporary(&path.file_name().unwrap().to_string_lossy()) {
                temporary.push(name);
            } else {
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    (files, temporary)
}

/// Kills runs of `args`, or with `undoes` runs of `undo` after them. Then the next run ends the work, or `undo` takes
/// it back.
fn killed_another_run_goes_on(args: &[&str], make: fn(&Place), undoes: bool) {
    let mut random = Random(u64::from(std::process::id()) << 8 | u64::from(undoes));
    let place = Place::new();
    let clear = || drop(fs::remove_dir_all(place.path().join("t")));
    make(&place);
    let (old, _) = files(&place);
    let mut latest = 0;
    let mut measure = |args: &[&str]| {
        let start = Instant::now();
        let ran = place.run(args);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        latest = u64::try_from(start.elapsed().as_micros()).unwrap();
    };
    measure(args);
    let (new, _) = files(&place);
    if undoes {
        measure(&["undo"]);
    }
    let (from, to) = if undoes { (&new, &old) } else { (&old, &new) };
    let killed = if undoes { &["undo"][..] } else { args };
    let is = |now: &BTreeMap<OsString, Vec<u8>>, of: &BTreeMap<OsString, Vec<u8>>| now.iter().eq(of);
    let contents = |files: &BTreeMap<OsString, Vec<u8>>| files.values().cloned().collect::<BTreeSet<_>>();
    let (wanted, mut tries, mut ended, mut cut_short, mut left) = (kills(KILL), 0, 0, 0, 0);
    while ended < wanted && tries < 50 * wanted {
        tries += 1;
        clear();
        make(&place);
        if undoes {
            assert_eq!(place.run(args).status, 0);
        }
        let mut child = place.command(killed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The first part of a run only plans.
        let late = if tries % 2 == 0 { latest } else { latest / 3 };
        thread::sleep(Duration::from_micros(latest - random.below(late)));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.signal() == Some(KILL) {
            ended += 1;
        } else {
            assert!(status.success(), "{status}");
            latest -= latest / 4;
        }
        let (now, temporary) = files(&place);
        assert_eq!(now.len(), FILES, "no file is lost, and none is added");
        if new.keys().eq(old.keys()) {
            for (name, content) in &now {
                assert!(content == &old[name] || content == &new[name], "{}", name.to_string_lossy());
            }
        } else {
            assert!(contents(&now) == contents(&old));
        }
        cut_short += u32::from(!is(&now, from) && !is(&now, to));
        left += temporary.len();
        // Both have to work at any time: before the first run has a log, and after its end.
        let next = if undoes || tries % 2 == 0 { killed } else { &["undo"][..] };
        let ran = place.run(next);
        let (now, still) = files(&place);
        if next == killed {
            let has_nothing_to_do = undoes && ran.err.contains("there is no run to undo");
            assert!(ran.status == 0 || has_nothing_to_do, "{next:?} {}", ran.err);
            assert!(is(&now, to), "{next:?}: {}", ran.err);
        } else {
            assert!(is(&now, &old), "{next:?}: {}", ran.err);
        }
        if next[0] == "undo" {
            // It removes them, where it restores.
            still.iter().for_each(|name| drop(fs::remove_file(place.path().join(name))));
        } else if !temporary.is_empty() {
            assert!(ran.err.contains("a run that was killed left"), "{}", ran.err);
            for message in ran.err.lines().filter(|line| line.contains("was killed")) {
                let command = message.split('`').nth(1).unwrap();
                let args: Vec<_> = command.split(' ').skip(1).collect();
                assert_eq!(place.run(&args).status, 0, "{command}");
            }
            assert_eq!(files(&place).1, [""; 0], "{}", ran.err);
        }
    }
    assert!(ended == wanted, "of {tries} times it was killed only {ended} times");
    println!(
        "{killed:?}: {tries} times killed: {ended} ended by it, {cut_short} with some files done, {left} temporary files left"
    );
}

#[test]
fn killed_fix_goes_on() {
    killed_another_run_goes_on(&["fix", "--yes", "t"], texts, false);
}

#[test]
fn killed_names_goes_on() {
    killed_another_run_goes_on(&["names", "--yes", "--from", "KOI8-R", "t"], names, false);
}

#[test]
fn killed_undo_goes_on() {
    killed_another_run_goes_on(&["fix", "--yes", "-s", "t"], texts, true);
}

#[test]
fn killed_undo_of_names_goes_on() {
    killed_another_run_goes_on(&["names", "--yes", "-s", "--from", "KOI8-R", "t"], names, true);
}
