//! Folders: the options known from ripgrep.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Place;

/// The names of the ill-formed files found by `check` with `args`.
fn met(place: &Place, args: &[&str]) -> Vec<String> {
    let ran = place.portable(&[&["check", "-l"], args].concat());
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
fn iglob_is_glob_without_case_and_decides_after_it() {
    let place = tree();
    place.file("D.RS", b"x\xFFy");
    assert_eq!(met(&place, &["--iglob", "*.Rs", "--max-depth", "1", "."]), ["./D.RS", "./a.rs", "./skipped.rs"]);
    assert_eq!(met(&place, &["-g", "*.rs", "--max-depth", "1", "."]), ["./a.rs", "./skipped.rs"]);
    assert_eq!(met(&place, &["-g", "*.RS", "--iglob", "!d.*", "."]), Vec::<String>::new());
    let wrong = place.run(&["check", "--iglob", "a{b", "."]);
    assert!(wrong.status == 2 && wrong.err.contains("--iglob"), "{}", wrong.err);
}

#[test]
fn type_not_leaves_files_out() {
    let place = tree();
    assert_eq!(met(&place, &["--type-not", "rust", "."]), ["./b.py", "./src/deep/d.md"]);
    assert_eq!(met(&place, &["-T", "rust", "-T", "md", "."]), ["./b.py"]);
    // As in ripgrep, a type that is chosen is read even if hidden.
    let rust = ["./a.rs", "./src/.hidden.rs", "./src/c.rs", "./vendor/e.rs"];
    assert_eq!(met(&place, &["-t", "rust", "-t", "py", "-T", "py", "."]), rust);
    let wrong = place.run(&["check", "-T", "pyy", "."]);
    assert!(wrong.status == 2 && wrong.err.contains("--type-not") && wrong.err.contains("`py`?"), "{}", wrong.err);
}

#[test]
fn files_are_sorted_by_path_or_time_whatever_the_threads() {
    let place = Place::new();
    // The names are in another order than the times, and so are the folders.
    let names = ["t/c", "t/a/z", "t/b/y", "t/a/b/x", "t/d"];
    for (days, name) in names.iter().enumerate() {
        let file = fs::File::options().write(true).open(place.file(name, b"x\xFFy")).unwrap();
        let time = std::time::UNIX_EPOCH + Duration::from_secs(86_400 * (1 + days as u64));
        file.set_times(fs::FileTimes::new().set_modified(time).set_accessed(time)).unwrap();
    }
    let reversed: Vec<_> = names.iter().rev().copied().collect();
    for jobs in ["1", "7"] {
        let met = |args: &[&str]| met(&place, &[args, &["-j", jobs, "t"]].concat());
        assert_eq!(met(&["--sort", "path"]), ["t/a/b/x", "t/a/z", "t/b/y", "t/c", "t/d"]);
        assert_eq!(met(&["--sortr", "path"]), ["t/d", "t/c", "t/b/y", "t/a/z", "t/a/b/x"]);
        assert_eq!(met(&["--sort", "accessed"]).len(), 5);
        assert_eq!(met(&["--sort", "modified"]), names);
        assert_eq!(met(&["--sortr", "modified"]), reversed);
        assert_eq!(met(&["--sort", "created"]).len(), 5);
    }
    // The order of the arguments stays.
    assert_eq!(met(&place, &["--sort", "modified", "t/d", "t/b", "t/c"]), ["t/d", "t/b/y", "t/c"]);
    assert_eq!(place.run(&["check", "--sort", "modified", "--sortr", "path", "t"]).status, 2);
}

/// Windows has no such names.
#[cfg(unix)]
#[test]
fn names_that_end_with_nul_are_exact() {
    let place = Place::new();
    place.file("n/bad\nname", b"\xFF");
    place.file("n/good \u{1B}[31m", "fine");
    place.file("n/tab\t\\", b"\xFF");
    assert_eq!(place.run(&["check", "-l", "n"]).lines().len(), 2, "escaped: a name has one line");
    let ran = place.run(&["check", "-l", "-0", "n"]);
    assert_eq!((ran.status, ran.out()), (1, "n/bad\nname\0n/tab\t\\\0"));
    assert_eq!(place.run(&["check", "-i", "--null", "n"]).out(), "n/good \u{1B}[31m\0");
    let listed = place.shell("$UTFKIT check -l0 n | $UTFKIT check -l0 --files0-from - | xargs -0 rm").status().unwrap();
    assert!(listed.success());
    assert_eq!(fs::read_dir(place.path().join("n")).unwrap().count(), 1);
    for args in
        [&["check", "-0", "n"][..], &["check", "-q", "-0", "n"], &["check", "-l", "-0", "--format", "json", "n"]]
    {
        assert_eq!(place.run(args).status, 2, "{args:?}");
    }
}

/// Runs the command, which must end although its input does not.
#[cfg(unix)]
fn ends(place: &Place, line: &str) -> (i32, String) {
    let begin = Instant::now();
    let mut child = place.shell(line).stdout(Stdio::piped()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it waits: {line}");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let ran = child.wait_with_output().unwrap();
    (ran.status.code().unwrap(), String::from_utf8(ran.stdout).unwrap())
}

#[cfg(unix)]
#[test]
fn l_and_q_end_at_the_first_finding() {
    let place = Place::new();
    place.file("bad", b"\xFF");
    place.file("good", "");
    // The writer of the pipe never ends.
    let forever = "mkfifo pipe && { exec 3<>pipe; printf 'x\\377y' >&3; ";
    assert_eq!(ends(&place, &format!("{forever} $UTFKIT check -l bad pipe good; }}")), (1, "bad\npipe\n".to_owned()));
    // The file after it is not read at all.
    for jobs in ["1", "2", "9"] {
        let line = format!("rm -f pipe; {forever} $UTFKIT check -q -j {jobs} good bad pipe; }}");
        assert_eq!(ends(&place, &line), (1, String::new()), "{jobs}");
    }
}

#[test]
fn a_file_that_cannot_be_read_decides_the_status_of_q_wherever_it_is() {
    let place = Place::new();
    place.file("bad", b"\xFF");
    (0..300).for_each(|i| drop(place.file(format!("good/{i}"), "fine")));
    for jobs in ["1", "2", "8"] {
        let status = |paths: &[&str]| place.run(&[&["check", "-q", "-j", jobs], paths].concat()).status;
        for _ in 0..10 {
            assert_eq!(status(&["good", "bad", "missing", "good"]), 2);
            assert_eq!(status(&["good", "bad", "good"]), 1);
            assert_eq!(status(&["good", "missing", "good", "bad"]), 2);
            assert_eq!(status(&["good", "missing"]), 2);
            assert_eq!(status(&["good"]), 0);
        }
    }
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
    let detected = place.portable(&["detect", "-uuu", "-g", "*.dat", "."]);
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
        let args = ["--exclude", "src", "-g", "*.py", "--iglob", "*.RS", "--max-depth", "1", "-L", "--type-not", "md"];
        let args = [&args[..], &["--sort", "modified", "."]].concat();
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
