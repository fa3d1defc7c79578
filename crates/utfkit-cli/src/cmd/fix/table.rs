//! The plan, for people and for programs.
//!
//! A short plan has a row for each file. A longer one begins with sums, and has one row for all files
//! with the same encoding and the same change, with one of them as an example, so that the plan of any
//! folder fits on a page or two.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use utfkit::display_width as width;

use super::left::Left;
use super::planned::Planned;
use crate::console::Styles;
use crate::failure::perhaps;
use crate::printable::{Escaped, count, escaped_text};
use crate::report::{JsonPath, line};

/// The widest column of paths.
const WIDEST: usize = 40;
/// The number of files to change, and of those left alone, that are listed each.
const EACH: usize = 10;
/// The number of rows for groups.
const ROWS: usize = 9;
/// The number of reasons that are listed.
const REASONS: usize = 6;
/// The number of parts of a sum that are named.
const PARTS: usize = 6;

/// The plan for people. With `all`, each file has a row.
pub(super) fn text(
    to: &mut Vec<u8>,
    styles: Styles,
    all: bool,
    planned: &[(u64, Planned)],
    left: &[(u64, PathBuf, Left)],
) {
    let planned: Vec<&Planned> = planned.iter().map(|(_, planned)| planned).collect();
    if !all && planned.len() > EACH {
        sums(to, styles, &planned);
    }
    changes(to, styles, all, &planned);
    let left: Vec<Kept<'_>> = left.iter().map(|(_, path, left)| Kept { path, left }).collect();
    if !left.is_empty() && !planned.is_empty() {
        to.push(b'\n');
    }
    if all || left.len() <= EACH {
        each_left(to, styles, &left)
    } else {
        reasons(to, styles, &left)
    }
    if !all && planned.len().max(left.len()) > EACH {
        to.extend_from_slice(b"\n--all lists each file.\n");
    }
}

/// A file that is left alone.
#[derive(Clone, Copy)]
struct Kept<'a> {
    path: &'a Path,
    left: &'a Left,
}

/// Groups `items` by a key, in the order of the first of each group.
fn grouped<T: Copy, K: Hash + Eq>(items: &[T], key: impl Fn(T) -> K) -> Vec<Vec<T>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for item in items {
        let place = *places.entry(key(*item)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(*item);
    }
    groups
}

/// `402 ISO-8859-1, 107 EUC-KR, 12 others`: the largest parts first.
fn parts<T: Copy>(items: &[T], name: impl Fn(T) -> String) -> String {
    let mut groups = grouped(items, &name);
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let shown = if groups.len() <= PARTS + 1 { groups.len() } else { PARTS };
    let mut parts: Vec<_> = groups[..shown].iter().map(|group| format!("{} {}", group.len(), name(group[0]))).collect();
    let others: usize = groups[shown..].iter().map(Vec::len).sum();
    if others > 0 {
        parts.push(format!("{others} others"));
    }
    parts.join(", ")
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// The deepest folder above all of `paths`.
fn common<'a>(mut paths: impl Iterator<Item = &'a Path>) -> &'a Path {
    let first = paths.next().map_or(Path::new("."), folder);
    paths.fold(first, |common, path| {
        let above = common.ancestors().find(|above| path.starts_with(above));
        above.filter(|above| *above != Path::new("")).unwrap_or(Path::new("."))
    })
}

fn sums(to: &mut Vec<u8>, styles: Styles, planned: &[&Planned]) {
    let b = styles.name;
    let root = common(planned.iter().map(|planned| planned.path.as_path()));
    let below = |planned: &Planned| {
        let names = planned.path.strip_prefix(root).unwrap_or(&planned.path);
        let first = names.parent().and_then(|folders| folders.iter().next());
        format!("in {}", Escaped(&first.map_or(root.to_owned(), |first| root.join(first))))
    };
    // Writing to memory cannot fail.
    let _ = writeln!(to, "{b}{} to change{b:#}", count(planned.len() as u64, "file"));
    let _ = writeln!(to, "  by encoding: {}", parts(planned, |planned| planned.encoding.to_owned()));
    let _ = writeln!(to, "  by change: {}", parts(planned, |planned| planned.actions(None).join(" and ")));
    let folders = grouped(planned, below).len();
    if folders > 1 {
        let _ = writeln!(to, "  by folder: {}", parts(planned, below));
    }
    to.push(b'\n');
}

/// Groups files with the same encoding and change into rows: a row for each file, for each folder, or for
/// all, whichever fits.
fn rows<'a>(planned: &[&'a Planned], all: bool) -> Vec<Vec<&'a Planned>> {
    if all || planned.len() <= EACH {
        return planned.iter().map(|planned| vec![*planned]).collect();
    }
    let kind = |planned: &'a Planned| (planned.encoding, planned.certainty, planned.actions(None));
    let by_folder = grouped(planned, |planned| (kind(planned), folder(&planned.path)));
    if by_folder.len() <= ROWS {
        return by_folder;
    }
    let mut rows = grouped(planned, kind);
    rows.sort_by_key(|row| std::cmp::Reverse(row.len()));
    rows
}

/// An example for a row, and the properties that its files share.
fn example(row: &[&Planned], example: &Planned, styles: Styles) -> String {
    let p = styles.path;
    if row.len() == 1 {
        return format!("{p}{}{p:#}", Escaped(&example.path));
    }
    let folder = common(row.iter().map(|planned| planned.path.as_path()));
    let extension = example.path.extension();
    let is_alike = row.iter().all(|other| other.path.extension() == extension);
    let below = example.path.strip_prefix(folder).unwrap_or(&example.path);
    match extension.filter(|_| is_alike) {
        Some(extension) if folder != Path::new(".") => {
            let extension = Escaped(Path::new(extension));
            format!("*.{extension} in {p}{}{p:#}, such as {}", Escaped(folder), Escaped(below))
        }
        _ => format!("such as {p}{}{p:#}", Escaped(&example.path)),
    }
}

fn changes(to: &mut Vec<u8>, styles: Styles, all: bool, planned: &[&Planned]) {
    let Styles { path: p, place: n, kind: k, name: b, .. } = styles;
    let rows = rows(planned, all);
    let is_each = rows.iter().all(|row| row.len() == 1);
    let shown = if is_each || rows.len() <= ROWS + 1 { rows.len() } else { ROWS };
    let (rows, hidden) = rows.split_at(shown);
    if rows.is_empty() {
        return;
    }
    let title = if is_each { "FILE" } else { "FILES" };
    let name = |row: &[&Planned]| match is_each {
        true => Escaped(&row[0].path).to_string(),
        false => format!("{:>5}", row.len()),
    };
    let column = |title: &str, texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0).max(width(title));
    let paths = column(title, &mut rows.iter().map(|row| width(&name(row)))).min(WIDEST);
    let found = column("FOUND", &mut rows.iter().map(|row| width(row[0].encoding)));
    let sure = column("SURE", &mut rows.iter().map(|row| width(row[0].certainty.name())));
    let pad = |text: &str, to: usize| " ".repeat(to.saturating_sub(width(text)));
    let margin = if is_each { "  " } else { "       " };
    // Writing to memory cannot fail.
    let _ = writeln!(
        to,
        "{b}{title}{}  FOUND{}  SURE{}  WILL{b:#}",
        pad(title, paths),
        pad("FOUND", found),
        pad("SURE", sure)
    );
    for row in rows {
        let (first, name) = (row[0], name(row));
        let sureness = first.certainty.name();
        let mut counts = BTreeMap::new();
        for (kind, n) in row.iter().flat_map(|planned| &planned.mended.changed) {
            *counts.entry(*kind).or_default() += n;
        }
        let _ = writeln!(
            to,
            "{p}{name}{p:#}{}  {n}{}{n:#}{}  {sureness}{}  {}",
            pad(&name, paths),
            first.encoding,
            pad(first.encoding, found),
            pad(sureness, sure),
            first.actions(Some(&counts)).join(", ")
        );
        // Of several, one that shows what happens.
        let shown = row.iter().find(|planned| planned.before != planned.after).unwrap_or(&row[0]);
        if !is_each {
            let _ = writeln!(to, "{margin}{}", example(row, shown, styles));
        }
        if shown.before != shown.after {
            let _ = writeln!(to, "{margin}{k}- {}{k:#}\n{margin}{n}+ {}{n:#}", shown.before, shown.after);
        }
    }
    let others: usize = hidden.iter().map(Vec::len).sum();
    if others > 0 {
        let _ = writeln!(to, "{others:>5}  in {}", count(hidden.len() as u64, "smaller group"));
    }
}

fn each_left(to: &mut Vec<u8>, styles: Styles, left: &[Kept<'_>]) {
    let Styles { path: p, name: b, .. } = styles;
    if left.is_empty() {
        return;
    }
    let _ = writeln!(to, "{b}LEFT ALONE{b:#}");
    for Kept { path, left } in left {
        let found = left.found.map(|(name, _)| format!("{name}: ")).unwrap_or_default();
        let _ = writeln!(to, "{p}{}{p:#}: {found}{}", Escaped(path), escaped_text(&left.text()));
    }
}

/// The reason, without numbers in it.
fn reason(left: &Left) -> String {
    let mut reason = String::with_capacity(left.why.len());
    for part in left.why.split_inclusive(|c: char| !c.is_ascii_digit()) {
        match part.trim_start_matches(|c: char| c.is_ascii_digit()) {
            rest if rest.len() < part.len() && !rest.starts_with(char::is_alphanumeric) => {
                reason.push('N');
                reason.push_str(rest);
            }
            _ => reason.push_str(part),
        }
    }
    reason
}

/// Files that are left alone, by reason.
fn reasons(to: &mut Vec<u8>, styles: Styles, left: &[Kept<'_>]) {
    let Styles { path: p, name: b, .. } = styles;
    let _ = writeln!(to, "{b}LEFT ALONE: {}{b:#}", count(left.len() as u64, "file"));
    // Advice that names the encoding differs where the reason does not.
    let mut groups = grouped(left, |kept| reason(kept.left));
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let shown = if groups.len() <= REASONS + 1 { groups.len() } else { REASONS };
    for group in &groups[..shown] {
        let Kept { path, left } = group[0];
        let is_one = group.iter().all(|kept| kept.left.why == left.why);
        let why = if is_one { left.why.clone() } else { reason(left) };
        let is_advised_alike = group.iter().all(|kept| kept.left.advice == left.advice);
        let advice = match (is_advised_alike, left.found) {
            (true, _) => left.advice.clone(),
            (false, Some((name, _))) => left.advice.replace(name, "NAME"),
            (false, None) => String::new(),
        };
        let and = if advice.is_empty() { "" } else { "; " };
        let _ = writeln!(to, "{:>5}  {}{and}{}", group.len(), escaped_text(&why), escaped_text(&advice));
        let named: Vec<_> = group.iter().copied().filter(|kept| kept.left.found.is_some()).collect();
        let mut encodings = parts(&named, |kept| kept.left.found.map_or("", |(name, _)| name).to_owned());
        if encodings.is_empty() {
            encodings = perhaps(&left.readings).trim_start_matches(", ").to_owned();
            let _ = writeln!(
                to,
                "       such as {p}{}{p:#}{}{encodings}",
                Escaped(path),
                if encodings.is_empty() { "" } else { ": " }
            );
        } else {
            let _ = writeln!(to, "       {encodings}; such as {p}{}{p:#}", Escaped(path));
        }
    }
    let others: usize = groups[shown..].iter().map(Vec::len).sum();
    if others > 0 {
        let _ = writeln!(to, "{others:>5}  for {} other reasons", groups.len() - shown);
    }
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    path: JsonPath,
    encoding: Option<&'a str>,
    certainty: Option<&'a str>,
    actions: Vec<String>,
    /// The number of breaches of rules that are mended, by kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'a BTreeMap<&'static str, u64>>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    left_alone: Option<String>,
    /// The encodings that a file may be in, if it is left alone without one.
    perhaps: Option<&'a [&'static str]>,
}

pub(super) fn jsonl(to: &mut Vec<u8>, planned: &[(u64, Planned)], left: &[(u64, PathBuf, Left)]) {
    let planned = planned.iter().map(|(number, planned)| {
        let row = Row {
            path: JsonPath::new(&planned.path),
            encoding: Some(planned.encoding),
            certainty: Some(planned.certainty.name()),
            actions: planned.actions(None),
            rules: Some(&planned.mended.changed).filter(|changed| !changed.is_empty()),
            before: Some(&planned.before),
            after: Some(&planned.after),
            left_alone: None,
            perhaps: None,
        };
        (*number, row)
    });
    let left = left.iter().map(|(number, path, left)| {
        let row = Row {
            path: JsonPath::new(path),
            encoding: left.found.map(|(name, _)| name),
            certainty: left.found.map(|(_, certainty)| certainty.name()),
            actions: Vec::new(),
            rules: None,
            before: None,
            after: None,
            left_alone: Some(left.message(path)),
            perhaps: Some(&left.readings),
        };
        (*number, row)
    });
    let mut rows: Vec<_> = planned.chain(left).collect();
    rows.sort_by_key(|(number, _)| *number);
    rows.iter().for_each(|(_, row)| line(to, row));
}

/// `3 files to change, 1 left alone, 12 in UTF-8 already, 4 binary files (with NUL bytes)`
pub(super) fn counts(planned: u64, left: u64, [fine, declared]: [u64; 2], binary: Option<String>) -> String {
    let mut parts = vec![format!("{} to change", count(planned, "file"))];
    for (n, what) in [(left, "left alone"), (fine, "in UTF-8 already"), (declared, "in the declared encoding")] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    parts.extend(binary);
    parts.join(", ")
}
