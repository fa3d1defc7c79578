//! The plan, for people and for programs.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use utfkit::detect::Certainty;

use super::plan::{Action, Plan, Rename};
use crate::console::Styles;
use crate::printable::{Escaped, count, escaped_text};
use crate::report::{JsonPath, line};

/// The examples of each kind.
const SOME: usize = 3;

/// Sums, then examples of each kind, or with `all` every name.
pub(super) fn text(to: &mut Vec<u8>, styles: Styles, plan: &Plan, all: bool) {
    let Styles { path: p, place: n, kind: k, name: b, .. } = styles;
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
        for rename in &renames[..shown.min(renames.len())] {
            let _ = writeln!(
                to,
                "  {p}{}{p:#}\n    {n}{}{n:#}",
                shown_path(plan, rename.at),
                Escaped(Path::new(&rename.new))
            );
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
            let _ = writeln!(to, "  {p}{}{p:#}", shown_path(plan, at));
        }
        more(to, names.len(), shown);
    }
    if !plan.links.is_empty() {
        let _ = writeln!(to, "\n{b}LINKS that will lead nowhere{b:#}");
        for &at in &plan.links {
            let target = plan.folder(at).entries[at.1].link.as_deref().unwrap_or(Path::new(""));
            let _ = writeln!(to, "  {p}{}{p:#} -> {}", shown_path(plan, at), Escaped(target));
        }
    }
}

fn more(to: &mut Vec<u8>, all: usize, shown: usize) {
    if all > shown {
        let _ = writeln!(to, "  … {} more; --all lists them", all - shown);
    }
}

fn shown_path(plan: &Plan, at: super::judge::At) -> String {
    let path = plan.path(at);
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    Escaped(path.strip_prefix(&here).unwrap_or(&path)).to_string()
}

/// `windows-1251, nearly certain`
fn described(actions: &[Action], certainty: Certainty) -> String {
    let parts: Vec<_> = actions
        .iter()
        .map(|action| match action {
            Action::Convert(encoding) => format!("{encoding}, {}", certainty.name()),
            Action::Undouble(encoding) => format!("UTF-8 read as {encoding} and encoded again, {}", certainty.name()),
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
    encoding: Option<&'static str>,
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
