//! `utfkit names`: makes UTF-8 of the names of files and folders.
//!
//! First all names are judged, and the plan is shown. If the user agrees, the files and folders
//! are renamed, the deepest folders first.

mod accident;
mod apply;
mod judge;
mod plan;
mod portable;
mod table;
mod tree;

use std::path::PathBuf;

use crate::args::{Global, Names, NamesFormat};
use crate::confined::Root;
use crate::console::{Console, agreed, complain};
use crate::exit::Status;
use crate::log::Log;
use crate::paths::folder_of;
use plan::Plan;
use tree::Tree;

pub(crate) use apply::restore;

pub(crate) fn run(args: &Names, global: &Global) -> anyhow::Result<Status> {
    let tree = match Tree::of(&args.paths, args.max_depth.unwrap_or(usize::MAX)) {
        Ok(tree) => tree,
        Err(failure) => anyhow::bail!("{failure}"),
    };
    let plan = Plan::of(tree, args);
    let mut console = if args.format == NamesFormat::Jsonl { Console::for_json() } else { Console::new() };
    let mut out = Vec::new();
    match args.format {
        NamesFormat::Jsonl => table::jsonl(&mut out, &plan),
        NamesFormat::Text => table::text(&mut out, console.out_styles, &plan, args.all || global.verbose),
    }
    console.print(&out, &[])?;
    drop(console);
    plan.tree.failures.iter().for_each(|failure| complain(&failure.to_string()));
    let mut status = if plan.tree.failures.is_empty() { Status::Well } else { Status::Failed };
    if !plan.left.is_empty() {
        status = status.max(Status::IllFormed);
    }
    let counts = table::counts(&plan);
    let wanted = !plan.renames.is_empty() && (args.yes || !args.dry_run && agreed(&question(&counts, &plan, args))?);
    if !wanted {
        let hint = if plan.renames.is_empty() { "" } else { "; nothing was changed, --yes does it" };
        if !args.silent {
            complain(&format!("{counts}{hint}"));
        }
        return Ok(if plan.renames.is_empty() { status } else { status.max(Status::IllFormed) });
    }
    // A named folder may be renamed itself, so the folder above it is the one of the log.
    let folders: Vec<PathBuf> = args
        .paths
        .iter()
        .map(|path| match path.file_name() {
            Some(_) => folder_of(path),
            None => path.clone(),
        })
        .collect();
    let folder = crate::log::common_folder(&folders)?;
    let log = if args.no_log { None } else { Some(Log::within("names", args.log.as_ref(), &folder)?) };
    let root = Root::new(&folder, false)?;
    let (changed, result) = apply::apply(&plan, &root, log.as_ref(), complain);
    if !args.silent && args.yes {
        complain(&counts);
    }
    log.and_then(|log| log.finish(changed, "name")).filter(|_| !args.silent).iter().for_each(|line| complain(line));
    Ok(status.max(result))
}

fn question(counts: &str, plan: &Plan, args: &Names) -> String {
    let these = match plan.renames.len() {
        1 => "this name".to_owned(),
        n => format!("these {n} names"),
    };
    let log = if args.no_log { "No log is kept." } else { "A log is kept, and `utfkit undo` takes it back." };
    format!("{counts}.\nChange {these}? {log}")
}
