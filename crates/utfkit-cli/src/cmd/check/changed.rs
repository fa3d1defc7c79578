//! Lines that are new according to `git diff`.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

use crate::paths::{canonical, path_from_bytes};
use crate::printable::escaped_text;

/// The new lines of each changed file.
#[derive(Debug)]
pub(super) struct Changed {
    /// By absolute path; parent folders have no symbolic links.
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
    /// Asks git for the changes since `base`, staged or not, in the repository of
    /// the current folder.
    pub(super) fn since(base: &str) -> anyhow::Result<Changed> {
        ensure!(!base.starts_with('-'), "--changed={base} is not a commit");
        let root = git(&["rev-parse", "--show-toplevel"], "--changed: git")?;
        let root = path_from(root.strip_suffix(b"\n").unwrap_or(&root))?;
        let root = canonical(&root).unwrap_or(root);
        let base = match git(&["rev-parse", "--verify", "--quiet", &format!("{base}^{{tree}}")], "") {
            Ok(tree) => String::from_utf8(tree)?.trim_end().to_owned(),
            // Before the first commit, compare with the empty tree.
            Err(_) if base == "HEAD" => {
                String::from_utf8(git(&["hash-object", "-t", "tree", "--stdin"], "git")?)?.trim_end().to_owned()
            }
            Err(_) => bail!("--changed={}: no such commit", escaped_text(base)),
        };
        // Paths come from --name-status, which has the same order, because those
        // in diff headers are quoted.
        let names = git(&[&DIFF[..], &["--name-status", "-z", &base, "--"]].concat(), "git")?;
        let mut names = names.split(|&byte| byte == 0);
        let mut lines = lines(&[&DIFF[..], &["--unified=0", &base, "--"]].concat())?.into_iter();
        let mut files = HashMap::new();
        while let (Some(status), Some(name)) = (names.next(), names.next()) {
            if status == b"T" {
                // A type change has two entries in the diff; the second is the new file.
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
    /// Fails if the file is outside of the repository or does not exist.
    pub(super) fn lines(&self, path: &Path) -> std::io::Result<Option<&Lines>> {
        // Git tracks a symbolic link itself, so only the folder is resolved.
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let name = match path.file_name() {
            Some(name) => canonical(folder)?.join(name),
            None => canonical(path)?,
        };
        if !name.starts_with(&self.root) {
            return Err(std::io::Error::other(
                "not in the repository of the current folder, so --changed cannot check it",
            ));
        }
        Ok(self.files.get(&name))
    }
}

/// Options for a plain diff of the working tree, which ignore the configuration
/// and run no external programs.
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

/// Runs git and returns its output.
fn git(args: &[&str], who: &str) -> anyhow::Result<Vec<u8>> {
    let output = command(args).output().context("--changed needs git, which could not be run")?;
    if !output.status.success() {
        bail!("{who} says: {}", escaped_text(String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    Ok(output.stdout)
}

/// The new lines of each file, in the order of the diff. The diff can be larger
/// than memory, so it is streamed.
fn lines(args: &[&str]) -> anyhow::Result<Vec<Lines>> {
    let mut child =
        command(args).stdout(Stdio::piped()).spawn().context("--changed needs git, which could not be run")?;
    let mut files: Vec<Lines> = Vec::new();
    if let Some(diff) = child.stdout.take() {
        let mut diff = BufReader::new(diff);
        let mut line = Vec::new();
        loop {
            line.clear();
            // Only the start of a line is needed.
            if diff.by_ref().take(256).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            if line.last() != Some(&b'\n') {
                diff.skip_until(b'\n')?;
            }
            // Lines of content begin with `+`, `-` or a blank.
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

/// The lines added by a hunk `@@ -A,B +C,D @@`.
fn new_lines(header: &[u8]) -> Option<RangeInclusive<u64>> {
    let range = header.strip_prefix(b"@@ -")?.split(|&byte| byte == b' ').nth(1)?;
    let range = std::str::from_utf8(range.strip_prefix(b"+")?).ok()?;
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    let (start, count): (u64, u64) = (start.parse().ok()?, count.parse().ok()?);
    Some(start..=(start + count).checked_sub(1)?)
}

fn path_from(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    path_from_bytes(bytes.to_vec()).context("git lists a file whose name is not valid Unicode")
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
