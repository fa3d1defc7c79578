//! The examples of README.md, here and in the package for crates.io, print the output
//! shown there.
//!
//! Each `console` block runs in a new folder with a copy of `examples`. Lines
//! that begin with `$ ` are shell commands; the lines after each are its
//! standard output and standard error combined.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{Place, program};

/// A command and its expected output.
#[derive(Debug, Default)]
struct Shown {
    command: String,
    output: String,
}

/// The `console` blocks of a Markdown text.
fn blocks(text: &str) -> Vec<Vec<Shown>> {
    let (mut blocks, mut inside) = (Vec::new(), false);
    for line in text.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) if line == "```console" => {
                inside = true;
                blocks.push(Vec::new());
            }
            (false, _) => {}
            (true, _) if line == "```" => inside = false,
            (true, command) => {
                let block: &mut Vec<Shown> = blocks.last_mut().unwrap();
                match command {
                    Some(command) => block.push(Shown { command: command.to_owned(), output: String::new() }),
                    None => {
                        let shown = block.last_mut().expect("a block begins with a command");
                        shown.output.push_str(line);
                        shown.output.push('\n');
                    }
                }
            }
        }
    }
    blocks
}

fn run(place: &Place, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_utfkit")).parent().unwrap();
    let path = env::join_paths(
        [binary.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    let output = program("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(place.path())
        .env("PATH", path.unwrap())
        .env("NO_COLOR", "1")
        .env("XDG_STATE_HOME", place.state())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).expect("what is printed is UTF-8")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shows_what_is_printed(blocks: &[Vec<Shown>]) {
    for block in blocks {
        let place = Place::new();
        for example in fs::read_dir(root().join("examples")).unwrap() {
            let example = example.unwrap();
            place.file(Path::new("examples").join(example.file_name()), fs::read(example.path()).unwrap());
        }
        for Shown { command, output } in block {
            assert_eq!(run(&place, command), *output, "$ {command}");
        }
    }
}

#[test]
fn the_readme_of_the_package_shows_what_is_printed() {
    let blocks = blocks(include_str!("../../README.md"));
    assert!(!blocks.is_empty());
    shows_what_is_printed(&blocks);
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks = blocks(&readme);
    shows_what_is_printed(&blocks);
    let commands: Vec<_> = blocks.iter().flatten().map(|shown| shown.command.as_str()).collect();
    // Every subcommand has an example.
    let help = Place::new().run(&["--help"]);
    let listed = help.out().split_once("Commands:").unwrap().1.split_once("\n\n").unwrap().0;
    for subcommand in listed.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        let shown = format!("utfkit {subcommand}");
        assert!(commands.iter().any(|command| command.contains(&shown)), "README.md does not show `{shown}`");
    }
}
