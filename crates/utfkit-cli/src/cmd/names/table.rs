//! The plan, for people and for programs.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use unicode_normalization::char::is_combining_mark;
use utfkit::detect::Certainty;

use super::judge::{At, Was};
use super::plan::{Action, Plan, Rename};
use crate::console::Styles;
use crate::paths::canonical;
use crate::printable::{Escaped, count, escaped_text};
use crate::report::{JsonPath, line};

/// The examples of each kind.
const SOME: usize = 3;

/// Sums, then examples of each kind, or with `all` every name.
pub(super) fn text(to: &mut Vec<u8>, styles: Styles, plan: &Plan, all: bool) {
    let Styles { path: p, place: n, kind: k, name: b, .. } = styles;
    let paths = Paths { plan, here: std::env::current_dir().and_then(|here| canonical(&here)).unwrap_or_default() };
    let mut kinds: BTreeMap<String, Vec<&Rename>> = BTreeMap::new();
    for rename in &plan.renames {
        kinds.entry(described(&rename.actions, rename.certainty)).or_default().push(rename);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, renames)| std::cmp::Reverse(renames.len()));
    // Writing to memory cannot fail.
    for (kind, mut renames) in kinds {
        renames.sort_by_key(|rename| rename.at);
        let mut folders: Vec<_> = renames.iter().map(|rename| rename.at.0).collect();
        folders.dedup();
        let _ = writeln!(
            to,
            "{b}{}{b:#}: {} in {}",
            kind,
            count(renames.len() as u64, "name"),
            count(folders.len() as u64, "folder")
        );
        let shown = if all { renames.len() } else { SOME };
        let mut last = None;
        for rename in &renames[..shown.min(renames.len())] {
            if last.replace(rename.at.0) != Some(rename.at.0) {
                let _ = writeln!(to, "  {p}{}{p:#}", paths.folder(rename.at));
            }
            // Two forms of a name look alike.
            let is_form = rename.actions.iter().any(|action| matches!(action, Action::Compose | Action::Decompose));
            let shown = |name: &Path| match is_form {
                true => with_marks(&Escaped(name).to_string()),
                false => Escaped(name).to_string(),
            };
            let (old, new) = (shown(Path::new(plan.old(rename.at))), shown(Path::new(&rename.new)));
            let _ = writeln!(to, "    {p}{old}{p:#}\n      {n}{new}{n:#}");
        }
        more(to, renames.len(), shown);
    }
    let mut reasons: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (at, why) in &plan.left {
        reasons.entry(why).or_default().push(*at);
    }
    if !reasons.is_empty() {
        let _ = writeln!(to, "{}{b}LEFT ALONE{b:#}", if plan.renames.is_empty() { "" } else { "\n" });
    }
    for (why, names) in reasons {
        let _ = writeln!(to, "{k}{}{k:#}: {}", escaped_text(why), count(names.len() as u64, "name"));
        let shown = if all { names.len() } else { SOME };
        for &at in &names[..shown.min(names.len())] {
            let _ = writeln!(to, "  {p}{}{p:#}", paths.of(at));
        }
        more(to, names.len(), shown);
    }
    if !plan.links.is_empty() {
        let _ = writeln!(to, "\n{b}LINKS that will lead nowhere{b:#}");
        for &at in &plan.links {
            let target = plan.folder(at).entries[at.1].link.as_deref().unwrap_or(Path::new(""));
            let _ = writeln!(to, "  {p}{}{p:#} -> {}", paths.of(at), Escaped(target));
        }
    }
}

fn more(to: &mut Vec<u8>, all: usize, shown: usize) {
    if all > shown {
        let _ = writeln!(to, "  … {} more; --all lists them", all - shown);
    }
}

/// Paths relative to the current folder, where they are below it.
struct Paths<'a> {
    plan: &'a Plan,
    here: PathBuf,
}

impl Paths<'_> {
    /// The folder of a name, with a slash.
    fn folder(&self, at: At) -> String {
        let path = &self.plan.folder(at).path;
        match path.strip_prefix(&self.here).unwrap_or(path) {
            path if path.as_os_str().is_empty() => "./".to_owned(),
            path if path == Path::new("/") => "/".to_owned(),
            path => format!("{}/", Escaped(path)),
        }
    }

    fn of(&self, at: At) -> String {
        let path = self.plan.path(at);
        Escaped(path.strip_prefix(&self.here).unwrap_or(&path)).to_string()
    }
}

/// With each combining mark as a number: `e\u{301}`.
fn with_marks(name: &str) -> String {
    name.chars().map(|c| if is_combining_mark(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// `windows-1251, nearly certain`
fn described(actions: &[Action], certainty: Certainty) -> String {
    let parts: Vec<_> = actions
        .iter()
        .map(|action| match action {
            Action::Convert(encoding) => format!("{encoding}, {}", certainty.name()),
            Action::Undouble(misread) => format!("{}, {}", Was::Misread(*misread), certainty.name()),
            Action::Compose => "decomposed".to_owned(),
            Action::Decompose => "composed".to_owned(),
            Action::Escape => "not portable".to_owned(),
        })
        .collect();
    parts.join("; ")
}

/// `12 names to change, 3 left alone, 407 in UTF-8 already`
pub(super) fn counts(plan: &Plan) -> String {
    let mut parts = vec![format!("{} to change", count(plan.renames.len() as u64, "name"))];
    let fine = plan.names.saturating_sub((plan.renames.len() + plan.left.len()) as u64);
    for (n, what) in [
        (plan.left.len() as u64, "left alone"),
        (fine, "in UTF-8 already"),
        (plan.decomposed, "decomposed (--nfc composes them)"),
        (plan.tree.mounts, "mounted file systems not entered"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    parts.join(", ")
}

#[derive(Default, Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    path: JsonPath,
    new: Option<&'a str>,
    /// The encoding that the name is in, or was wrongly read in.
    encoding: Option<&'static str>,
    /// The encoding that a name was in before it was wrongly read.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'static str>,
    certainty: Option<&'static str>,
    actions: Vec<&'static str>,
    left_alone: Option<&'a str>,
    /// The target of a symbolic link that names an old name.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<JsonPath>,
}

pub(super) fn jsonl(to: &mut Vec<u8>, plan: &Plan) {
    let planned = plan.renames.iter().map(|rename| {
        let row = Row {
            new: Some(&rename.new),
            encoding: rename.actions.iter().find_map(|action| Some(action.encoding()?.name())),
            written: rename.actions.iter().find_map(|action| Some(action.written()?.name())),
            certainty: Some(rename.certainty.name()),
            actions: rename.actions.iter().map(|action| action.name()).collect(),
            ..Row::default()
        };
        (rename.at, row)
    });
    let left = plan.left.iter().map(|(at, why)| (*at, Row { left_alone: Some(why), ..Row::default() }));
    let links = plan.links.iter().map(|&at| {
        let target = plan.folder(at).entries[at.1].link.as_deref().map(JsonPath::new);
        (at, Row { target, ..Row::default() })
    });
    let mut rows: Vec<_> = planned.chain(left).chain(links).collect();
    rows.sort_by_key(|(at, _)| *at);
    for (at, row) in rows {
        line(to, &Row { path: JsonPath::new(&plan.path(at)), ..row });
    }
}
