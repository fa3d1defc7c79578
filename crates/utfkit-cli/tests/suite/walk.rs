//! Folders: the options known from ripgrep.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Place;

/// The names of the ill-formed files found by `check` with `args`.
fn met(place: &Place, args: &[&str]) -> Vec<String> {
    let ran = place.run(&[&["check", "-l"], args].concat());
    assert!(ran.status <= 1, "{}", ran.err);
    ran.lines().iter().map(|line| (*line).to_owned()).collect()
}

/// A tree in which every file is ill-formed.
fn tree() -> Place {
    let place = Place::new();
    for name in ["a.rs", "b.py", "src/c.rs", "src/deep/d.md", "src/.hidden.rs", "skipped.rs", "vendor/e.rs"] {
        place.file(name, b"x\xFFy");
    }
    place.file("binary.dat", b"\x01\0\xFF\0\x02\x03");
    place.file(".rgignore", "skipped.rs\n");
    place
}

#[test]
fn globs_choose_files_and_exclude_leaves_them_out() {
    let place = tree();
    // As in ripgrep, files that match a glob are read even if hidden or
    // ignored.
    let all = ["./a.rs", "./skipped.rs", "./src/.hidden.rs", "./src/c.rs", "./vendor/e.rs"];
    assert_eq!(met(&place, &["-g", "*.rs", "."]), all);
    assert_eq!(
        met(&place, &["-g", "*.rs", "-g", "!vendor", "-g", "!.*", "."]),
        ["./a.rs", "./skipped.rs", "./src/c.rs"]
    );
    assert_eq!(met(&place, &["--glob", "!*.rs", "."]), ["./b.py", "./src/deep/d.md"]);
    assert_eq!(met(&place, &["--exclude", "vendor", "--exclude", "*.md", "."]), ["./a.rs", "./b.py", "./src/c.rs"]);
    assert_eq!(met(&place, &["--exclude", "src/deep/", "src"]), ["src/c.rs"]);
    assert_eq!(met(&place, &["--exclude", "*.rs", "a.rs"]), ["a.rs"], "what is named is read");
    let wrong = place.run(&["check", "-g", "a{b", "."]);
    assert!(wrong.status == 2 && wrong.err.contains("--glob"), "{}", wrong.err);
}

#[test]
fn types_are_those_of_ripgrep() {
    let place = tree();
    assert_eq!(met(&place, &["-t", "py", "--type", "md", "."]), ["./b.py", "./src/deep/d.md"]);
    let wrong = place.run(&["check", "-t", "markdwon", "."]);
    assert_eq!((wrong.status, wrong.out()), (2, ""));
    assert!(wrong.err.contains("did you mean `markdown`?") && wrong.err.contains("list --types"), "{}", wrong.err);
    let list = place.run(&["list", "--types"]);
    assert!(list.lines().contains(&"rust: *.rs"), "{}", list.out());
}

#[test]
fn max_depth_counts_as_find_and_ripgrep_do() {
    let place = tree();
    assert_eq!(met(&place, &["--max-depth", "1", "."]), ["./a.rs", "./b.py"]);
    assert_eq!(met(&place, &["--max-depth", "2", "."]), ["./a.rs", "./b.py", "./src/c.rs", "./vendor/e.rs"]);
}

#[test]
fn u_reads_more_each_time() {
    let place = tree();
    let all = ["./a.rs", "./b.py", "./skipped.rs", "./src/c.rs", "./src/deep/d.md", "./vendor/e.rs"];
    assert_eq!(met(&place, &["-u", "."]), all);
    assert_eq!(met(&place, &["--no-ignore", "."]), all);
    let hidden = met(&place, &["-uu", "."]);
    assert!(hidden.len() == 7 && hidden.contains(&"./src/.hidden.rs".to_owned()), "{hidden:?}");
    let binary = met(&place, &["-uuu", "."]);
    assert!(binary.len() == 8 && binary.contains(&"./binary.dat".to_owned()), "{binary:?}");
    let detected = place.run(&["detect", "-uuu", "-g", "*.dat", "."]);
    assert!(detected.out().starts_with("./binary.dat: "), "{detected:?}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_where_that_is_asked_for() {
    let place = tree();
    std::os::unix::fs::symlink("../src", place.path().join("vendor/link")).unwrap();
    std::os::unix::fs::symlink("..", place.path().join("src/loop")).unwrap();
    assert_eq!(met(&place, &["vendor"]), ["vendor/e.rs"]);
    std::fs::remove_file(place.path().join("src/loop")).unwrap();
    assert_eq!(met(&place, &["-L", "vendor"]), ["vendor/e.rs", "vendor/link/c.rs", "vendor/link/deep/d.md"]);
    std::os::unix::fs::symlink("..", place.path().join("src/loop")).unwrap();
    // A link to a parent folder is reported, not followed forever.
    let ran = place.run(&["check", "-l", "--follow", "src"]);
    assert!(ran.status == 2 && ran.err.contains("loop"), "{}", ran.err);
}

#[test]
fn every_subcommand_that_walks_knows_them() {
    let place = tree();
    for subcommand in [
        &["count"][..],
        &["detect"],
        &["report", "-o", "report.html"],
        &["convert", "-f", "latin1", "--in-place"],
        &["repair", "--dry-run"],
    ] {
        let args = ["--exclude", "src", "-g", "*.py", "-g", "*.rs", "--max-depth", "1", "-L", "."];
        let ran = place.run(&[subcommand, &args].concat());
        assert!(ran.status <= 1, "{subcommand:?}: {}", ran.err);
    }
    assert_eq!(place.read("a.rs"), "x\u{FF}y".as_bytes());
    assert_eq!(place.read("src/c.rs"), b"x\xFFy");
    // There, -t is iconv's; file types have only the long option.
    let ran = place.run(&["convert", "-f", "latin1", "-t", "UTF-8", "--type", "md", "--in-place", "."]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(place.read("src/deep/d.md"), "x\u{FF}y".as_bytes());
    assert_eq!(place.read("vendor/e.rs"), b"x\xFFy");
}

#[test]
fn a_pipe_named_editorconfig_made_everything_wait() {
    let place = Place::new();
    place.file("tree/.git/HEAD", "");
    place.file("tree/a", b"x\xFFy");
    for name in [".editorconfig", ".gitattributes", ".git/info/attributes"] {
        let path = place.path().join("tree").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
            println!("skipped: there is no `mkfifo`");
            return;
        }
        let mut child = place.command(&["check", "-l", "tree"]).stdout(Stdio::piped()).spawn().unwrap();
        let begin = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begin.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
                panic!("{name}: it waits");
            }
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(child.wait_with_output().unwrap().stdout, b"tree/a\n", "{name}");
        fs::remove_file(path).unwrap();
    }
}
