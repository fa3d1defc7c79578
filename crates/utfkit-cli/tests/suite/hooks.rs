//! The pre-commit hooks, run as pre-commit does.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Place, Ran};

pub(crate) fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// PATH with these folders first.
pub(crate) fn path_with(folders: &[&Path]) -> OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.iter().map(|folder| folder.to_path_buf()).chain(env::split_paths(&rest))).unwrap()
}

pub(crate) fn binaries() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_utfkit")).parent().unwrap()
}

fn git(place: &Place, args: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(place.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

pub(crate) fn is_here(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

/// The values of `key` in a YAML file with one key per line.
pub(crate) fn values(yaml: &str, key: &str) -> Vec<String> {
    let key = format!("{key}: ");
    let lines = yaml.lines().map(|line| line.trim_start().trim_start_matches("- "));
    lines.filter_map(|line| line.strip_prefix(&key)).map(|value| value.trim_matches('"').to_owned()).collect()
}

/// Files with good and bad lines.
fn files() -> Place {
    let place = Place::new();
    place.file("old.txt", b"old \xFF\nnew\n");
    place.file("trojan.rs", "let a = 1; // \u{202E}\n");
    place
}

/// A repository with a commit, and these files staged.
fn repository() -> Place {
    let place = files();
    let new = place.read("old.txt");
    place.file("old.txt", b"old \xFF\n");
    git(&place, &["init", "-q"]);
    git(&place, &["add", "old.txt"]);
    git(&place, &["commit", "-qm", "one"]);
    place.file("old.txt", new);
    git(&place, &["add", "."]);
    place
}

#[test]
fn the_files_are_yaml() {
    let line = "import sys, yaml\nfor name in sys.argv[1:]: yaml.safe_load(open(name))";
    let names = [".pre-commit-hooks.yaml", "action.yml"];
    let output = Command::new("python3").args(["-c", line]).args(names).current_dir(root()).output();
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) if !String::from_utf8_lossy(&output.stderr).contains("No module named") => {
            panic!("{}", String::from_utf8_lossy(&output.stderr))
        }
        _ => println!("skipped: there is no Python with yaml"),
    }
}

/// Runs a hook like pre-commit: the entry, then the names of staged files.
#[test]
fn each_hook_finds_what_it_says() {
    let has_git = is_here("git");
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let ids = values(&hooks, "id");
    let entries: HashMap<_, _> = ids.iter().zip(values(&hooks, "entry")).collect();
    assert_eq!((ids.len(), entries.len()), (4, 4), "{hooks}");
    println!("the entries are run as pre-commit runs them, after the names of the staged files");
    for (id, bad) in [
        ("utfkit-check", &["old.txt"][..]),
        ("utfkit-check-changed", &[]),
        ("utfkit-check-bidi", &["old.txt", "trojan.rs"]),
    ] {
        if id == "utfkit-check-changed" && !has_git {
            println!("skipped: {id}");
            continue;
        }
        let place = if has_git { repository() } else { files() };
        let mut words = entries[&id.to_owned()].split(' ');
        let ran: Ran = Command::new(words.next().unwrap())
            .args(words)
            .args(["old.txt", "trojan.rs"])
            .current_dir(place.path())
            .env("PATH", path_with(&[binaries()]))
            .output()
            .unwrap()
            .into();
        assert_eq!(ran.status, i32::from(!bad.is_empty()), "{id}: {}", ran.err);
        let found: Vec<_> = ran.lines().iter().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(found, bad, "{id}");
    }
}

/// The hook that mends: pre-commit fails because the files changed, and passes the next time.
#[test]
fn the_hook_that_mends_leaves_nothing_to_mend() {
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let entry = values(&hooks, "entry").pop().unwrap();
    let place = Place::new();
    place.file(".editorconfig", "root = true\n[*]\ncharset = utf-8\nend_of_line = lf\n");
    place.file("a.txt", "\u{FEFF}one\r\n");
    place.file("b.txt", "a\0 line of text\n");
    place.file("c.txt", "fine\n");
    let words: Vec<&str> = entry.split(' ').skip(1).chain(["--controls", "a.txt", "b.txt", "c.txt"]).collect();
    for _ in 0..2 {
        let ran = place.run(&words);
        assert_eq!(ran.status, 0, "{}{}", ran.out(), ran.err);
        assert_eq!((place.read("a.txt"), place.read("b.txt")), (b"one\n".to_vec(), b"a line of text\n".to_vec()));
    }
}

/// Runs the hooks with pre-commit itself, if installed, and the command that is built here:
/// ci/release-test.sh has pre-commit build it.
#[test]
fn pre_commit_runs_the_hooks() {
    if !is_here("git") || !is_here("pre-commit") {
        return;
    }
    // pre-commit takes the committed state of a repository.
    let hooks = Place::new();
    let given = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    hooks.file(".pre-commit-hooks.yaml", given.replace("language: python", "language: system"));
    git(&hooks, &["init", "-q"]);
    git(&hooks, &["add", "."]);
    git(&hooks, &["commit", "-qm", "hooks"]);
    for (id, status, part) in [
        ("utfkit-check", 1, "old.txt:1:5: byte 4: FF: invalid-byte"),
        ("utfkit-check-changed", 0, "Passed"),
        ("utfkit-check-bidi", 1, "trojan.rs:1:15: byte 14: E2 80 AE: bidi-control"),
    ] {
        let place = repository();
        let ran: Ran = Command::new("pre-commit")
            .args(["try-repo", "--color", "never", hooks.path().to_str().unwrap(), id, "--all-files"])
            .current_dir(place.path())
            .env("PATH", path_with(&[binaries()]))
            .env("PRE_COMMIT_HOME", hooks.path().join("home"))
            .output()
            .unwrap()
            .into();
        assert_eq!(ran.status, status, "{id}: {}{}", ran.out(), ran.err);
        assert!(ran.out().contains(part), "{id}: {}", ran.out());
    }
}
