//! Which lines are new, by `git diff`.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

use crate::input::path_from_bytes;
use crate::report::escaped_text;

/// The lines of each file that are not in a commit.
#[derive(Debug)]
pub(super) struct Changed {
    /// By absolute name, without symbolic links on the way to it.
    files: HashMap<PathBuf, Lines>,
    root: PathBuf,
}

/// The new lines of a file, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines(Vec<RangeInclusive<u64>>);

impl Lines {
    pub(super) fn contains(&self, line: u64) -> bool {
        let at = self.0.partition_point(|lines| *lines.end() < line);
        self.0.get(at).is_some_and(|lines| lines.contains(&line))
    }
}

impl Changed {
    /// What has changed in the repository around the current folder since
    /// `base`, staged or not.
    pub(super) fn since(base: &str) -> anyhow::Result<Changed> {
        ensure!(!base.starts_with('-'), "--changed={base} does not name a commit");
        let root = git(&["rev-parse", "--show-toplevel"], "--changed: git")?;
        let root = path_from(root.strip_suffix(b"\n").unwrap_or(&root))?;
        let root = fs::canonicalize(&root).unwrap_or(root);
        let base = match git(&["rev-parse", "--verify", "--quiet", &format!("{base}^{{tree}}")], "") {
            Ok(tree) => String::from_utf8(tree)?.trim_end().to_owned(),
            // Before the first commit everything is new.
            Err(_) if base == "HEAD" => {
                String::from_utf8(git(&["hash-object", "-t", "tree", "--stdin"], "git")?)?.trim_end().to_owned()
            }
            Err(_) => bail!("--changed={}: git knows no such commit", escaped_text(base)),
        };
        // Names in the headers of a diff are quoted and would have to be read
        // again. They are taken from a list instead, which has the same order.
        let names = git(&[&DIFF[..], &["--name-status", "-z", &base, "--"]].concat(), "git")?;
        let mut names = names.split(|&byte| byte == 0);
        let mut lines = lines(&[&DIFF[..], &["--unified=0", &base, "--"]].concat())?.into_iter();
        let mut files = HashMap::new();
        while let (Some(status), Some(name)) = (names.next(), names.next()) {
            if status == b"T" {
                // What was a link is a file now: one is taken away, one is new.
                lines.next();
            }
            let lines = lines.next().context("the files changed while git compared them: try again")?;
            files.insert(root.join(path_from(name)?), lines);
        }
        ensure!(lines.next().is_none(), "the files changed while git compared them: try again");
        Ok(Changed { files, root })
    }

    /// The new lines of a file; `None` if there are none.
    ///
    /// # Errors
    ///
    /// The file is not in the repository, or not there.
    pub(super) fn lines(&self, path: &Path) -> std::io::Result<Option<&Lines>> {
        // Of the file itself git keeps the link, not what it points to.
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let name = match path.file_name() {
            Some(name) => fs::canonicalize(folder)?.join(name),
            None => fs::canonicalize(path)?,
        };
        if !name.starts_with(&self.root) {
            return Err(std::io::Error::other("is outside of the repository, so git cannot say what is new in it"));
        }
        Ok(self.files.get(&name))
    }
}

/// The diff of what there is, as it is: nothing that a configuration names is
/// run.
const DIFF: [&str; 8] = [
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-relative",
    "--ignore-submodules",
    "--diff-filter=du",
];

fn command(args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(args).stdin(Stdio::null());
    command
}

/// What git prints.
fn git(args: &[&str], who: &str) -> anyhow::Result<Vec<u8>> {
    let output = command(args).output().context("--changed needs git, which cannot be run")?;
    if !output.status.success() {
        bail!("{who} says: {}", escaped_text(String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    Ok(output.stdout)
}

/// The new lines of each file of a diff, in its order. It can be longer than
/// memory, so it is read as it comes.
fn lines(args: &[&str]) -> anyhow::Result<Vec<Lines>> {
    let mut child = command(args).stdout(Stdio::piped()).spawn().context("--changed needs git, which cannot be run")?;
    let mut files: Vec<Lines> = Vec::new();
    if let Some(diff) = child.stdout.take() {
        let mut diff = BufReader::new(diff);
        let mut line = Vec::new();
        loop {
            line.clear();
            // Of a line, only the front counts.
            if diff.by_ref().take(256).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            if line.last() != Some(&b'\n') {
                diff.skip_until(b'\n')?;
            }
            // A line of text begins with a sign.
            if line.starts_with(b"diff --git ") {
                files.push(Lines::default());
            } else if let (Some(file), Some(lines)) = (files.last_mut(), new_lines(&line))
                && !lines.is_empty()
            {
                file.0.push(lines);
            }
        }
    }
    ensure!(child.wait()?.success(), "git diff failed");
    Ok(files)
}

/// The lines that `@@ -A,B +C,D @@` adds.
fn new_lines(header: &[u8]) -> Option<RangeInclusive<u64>> {
    let range = header.strip_prefix(b"@@ -")?.split(|&byte| byte == b' ').nth(1)?;
    let range = std::str::from_utf8(range.strip_prefix(b"+")?).ok()?;
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    let (start, count): (u64, u64) = (start.parse().ok()?, count.parse().ok()?);
    Some(start..=(start + count).checked_sub(1)?)
}

fn path_from(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    path_from_bytes(bytes.to_vec()).context("git names a file whose name is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_hunks() {
        for (header, expected) in [
            ("@@ -0,0 +1,3 @@\n", Some(1..=3)),
            ("@@ -5 +7 @@ fn main() {\n", Some(7..=7)),
            ("@@ -5,2 +4,0 @@\n", Some(RangeInclusive::new(4, 3))),
            ("@@ -1 +0,0 @@\n", None),
            ("+@@ -1 +1 @@\n", None),
            ("@@ -1 1 @@\n", None),
        ] {
            assert_eq!(new_lines(header.as_bytes()), expected, "{header}");
        }
    }

    #[test]
    fn lines_are_found_in_their_ranges() {
        let lines = Lines(vec![2..=2, 5..=9, 20..=21]);
        let contained: Vec<_> = (0..30).filter(|&line| lines.contains(line)).collect();
        assert_eq!(contained, [2, 5, 6, 7, 8, 9, 20, 21]);
    }
}
