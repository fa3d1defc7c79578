//! The steps of the GitHub action, run as GitHub does.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::common::{Place, Ran};
use crate::hooks::{binaries, is_here, path_with, root, values};

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
