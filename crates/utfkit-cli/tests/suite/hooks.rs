//! The pre-commit hooks and the GitHub action, run as their hosts do.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Place, Ran};

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// PATH with these folders first.
fn path_with(folders: &[&Path]) -> OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.iter().map(|folder| folder.to_path_buf()).chain(env::split_paths(&rest))).unwrap()
}

fn binaries() -> &'static Path {
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

fn is_here(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

/// The values of `key` in a YAML file with one key per line.
fn values(yaml: &str, key: &str) -> Vec<String> {
    let key = format!("{key}: ");
    let lines = yaml.lines().map(|line| line.trim_start().trim_start_matches("- "));
    lines.filter_map(|line| line.strip_prefix(&key)).map(|value| value.trim_matches('"').to_owned()).collect()
}

/// A repository with a commit, and a staged file with good and bad lines.
fn repository() -> Place {
    let place = Place::new();
    place.file("old.txt", b"old \xFF\n");
    git(&place, &["init", "-q"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-qm", "one"]);
    place.file("old.txt", b"old \xFF\nnew\n");
    place.file("trojan.rs", "let a = 1; // \u{202E}\n");
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
    if !is_here("git") {
        return;
    }
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
        let place = repository();
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

/// A step of a composite action.
#[derive(Debug, Default)]
struct Step {
    env: Vec<(String, String)>,
    script: String,
}

/// The steps of the action, with these inputs.
fn steps(action: &str, inputs: &[(&str, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut in_script, mut in_env) = (false, false);
    for line in action.lines().skip_while(|line| line.trim() != "steps:").skip(1) {
        let (depth, text) = (line.len() - line.trim_start().len(), line.trim());
        if text.starts_with("- name:") {
            steps.push(Step::default());
        }
        let Some(step) = steps.last_mut() else { continue };
        if depth <= 6 {
            in_script = text == "run: |";
            in_env = text == "env:";
        } else if in_script {
            step.script.push_str(&line[8..]);
            step.script.push('\n');
        } else if in_env {
            let (name, value) = text.split_once(": ").unwrap();
            let mut value = value.to_owned();
            for (name, given) in inputs {
                value = value.replace(&format!("${{{{ inputs.{name} }}}}"), given);
            }
            for (name, given) in [("server_url", "https://example.org"), ("action_repository", "OWNER/utfkit")] {
                value = value.replace(&format!("${{{{ github.{name} }}}}"), given);
            }
            assert!(!value.contains("${{"), "{value}");
            step.env.push((name.to_owned(), value));
        }
    }
    assert!(steps.len() == 2 && steps.iter().all(|step| !step.script.is_empty()), "{steps:?}");
    steps
}

impl Step {
    /// Runs a step as GitHub does for `shell: bash`.
    fn run(&self, place: &Place, path: OsString) -> Ran {
        Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &self.script])
            .current_dir(place.path())
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .env("PATH", path)
            .env("GITHUB_ACTION_PATH", root())
            .env("GITHUB_PATH", place.path().join("github_path"))
            .env("RUNNER_TEMP", place.path().join("temp"))
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64")
            .output()
            .unwrap()
            .into()
    }
}

#[test]
fn the_steps_of_the_action_check_what_they_are_given() {
    if !is_here("bash") {
        return;
    }
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let defaults: Vec<_> = values(&action, "default");
    assert_eq!(defaults, [".", "", ""], "the defaults of paths, args and releases");
    let place = Place::new();
    place.file("src/a.txt", b"a\xFFb\r\n");
    place.file("two words/b.txt", "b\u{202E}\n");
    let path = || path_with(&[binaries()]);
    let run = |paths: &str, args: &str| {
        let steps = steps(&action, &[("paths", paths), ("args", args), ("releases", "")]);
        let installed = steps[0].run(&place, path());
        assert_eq!((installed.status, installed.out(), installed.err.as_str()), (0, "", ""));
        steps[1].run(&place, path())
    };
    let ran = run(".", "");
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(
        ran.out().starts_with("::error file=src/a.txt,line=1,col=2,title=invalid-byte::byte 1: FF: "),
        "{}",
        ran.out()
    );
    assert_eq!(ran.lines().len(), 1);
    assert_eq!(run("two words\n", "").status, 0);
    let both = run("two words\nsrc/a.txt\n", "--bidi --eol lf");
    let titles: Vec<_> = both.lines().iter().map(|line| line.split("title=").nth(1).unwrap()).collect();
    assert_eq!(both.status, 1);
    for (title, expected) in titles.iter().zip(["bidi-control::", "invalid-byte::", "line-end::"]) {
        assert!(title.starts_with(expected), "{title}");
    }
    // A path is never parsed as an option.
    let odd = run("--version", "");
    assert!(odd.status == 2 && odd.err.contains("--version: No such file"), "{}", odd.err);
}

/// Runs the first step of the action where there is no command, with an archive of these bytes (if
/// any) and the checksum of those, and a `cargo` that records its arguments: installing takes minutes.
fn installed(archive: Option<&[u8]>, listed: &[u8]) -> (Place, Ran) {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let place = Place::new();
    let cargo = place.file("bin/cargo", "#!/bin/sh\nprintf '%s\\n' \"$@\" >asked\n");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let folder = format!("utfkit-{}-x86_64-unknown-linux-gnu", env!("CARGO_PKG_VERSION"));
    let name = format!("{folder}.tar.gz");
    // Only the script knows the name of the archive.
    place.file(format!("listed/{name}"), listed);
    if let Some(archive) = archive {
        place.file(format!("releases/{name}"), archive);
    }
    fs::create_dir_all(place.path().join("releases")).unwrap();
    let sums = "cd listed && sha256sum *.tar.gz >../releases/SHA256SUMS";
    assert!(Command::new("sh").args(["-c", sums]).current_dir(place.path()).status().unwrap().success());
    let rest: Vec<_> = env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .filter(|folder| !folder.join("utfkit").exists())
        .collect();
    let path = env::join_paths([place.path().join("bin")].into_iter().chain(rest)).unwrap();
    let releases = format!("file://{}/releases", place.path().display());
    let ran = steps(&action, &[("paths", "."), ("args", ""), ("releases", &releases)])[0].run(&place, path);
    (place, ran)
}

/// An archive with a command that prints a word.
fn packed() -> Vec<u8> {
    let place = Place::new();
    let folder = format!("utfkit-{}-x86_64-unknown-linux-gnu", env!("CARGO_PKG_VERSION"));
    place.file(format!("{folder}/utfkit"), "#!/bin/sh\necho released\n");
    let line = format!("chmod +x {folder}/utfkit && tar -czf archive {folder}");
    assert!(Command::new("sh").args(["-c", &line]).current_dir(place.path()).status().unwrap().success());
    place.read("archive")
}

#[test]
fn the_action_fetches_the_archive_of_its_version() {
    if !is_here("bash") || !is_here("curl") {
        return;
    }
    let archive = packed();
    let (place, ran) = installed(Some(&archive), &archive);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out());
    let bin = String::from_utf8(place.read("github_path")).unwrap();
    let output = Command::new(Path::new(bin.trim_end()).join("utfkit")).output().unwrap();
    assert_eq!(output.stdout, b"released\n");
    assert!(!place.path().join("temp/utfkit/asked").exists(), "cargo was asked");
}

#[test]
fn the_action_refuses_an_archive_with_another_checksum() {
    if !is_here("bash") || !is_here("curl") {
        return;
    }
    let (place, ran) = installed(Some(&packed()), b"another");
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out().contains("is not the file that SHA256SUMS lists"), "{}", ran.out());
    assert!(!place.path().join("temp/utfkit/bin/utfkit").exists());
}

#[test]
fn the_action_builds_its_own_sources_where_there_is_no_archive() {
    if !is_here("bash") {
        return;
    }
    let (place, ran) = installed(None, b"none");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let asked = String::from_utf8(place.read("temp/utfkit/asked")).unwrap();
    let asked: Vec<_> = asked.lines().collect();
    assert_eq!(asked[..3], ["install", "--locked", "--path"]);
    let manifest = fs::read_to_string(Path::new(asked[3]).join("Cargo.toml")).unwrap();
    assert!(manifest.contains("name = \"utfkit\""), "{manifest}");
    let bin = String::from_utf8(place.read("github_path")).unwrap();
    assert_eq!(bin.trim_end(), Path::new(asked[5]).join("bin").to_str().unwrap());
}
