//! Walks of folders, by the rules and the crate of ripgrep.

use std::env;
use std::path::Path;

use anyhow::Context;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{FileTypeDef, Types, TypesBuilder};
use ignore::{Walk, WalkBuilder};

use crate::args;
use crate::names::nearest_of;
use utfkit_gate::is_of_version_control;

/// The options that choose files in folders.
#[derive(Clone, Debug)]
pub(crate) struct Walker {
    overrides: Override,
    types: Types,
    max_depth: Option<usize>,
    follow: bool,
    hidden: bool,
    no_ignore: bool,
}

impl Walker {
    pub(crate) fn new(args: &args::Inputs) -> anyhow::Result<Walker> {
        Ok(Walker {
            overrides: overrides(&args.globs, &args.exclude)?,
            types: types(&args.types)?,
            max_depth: args.max_depth,
            follow: args.follow,
            hidden: args.hidden(),
            no_ignore: args.no_ignore(),
        })
    }

    /// Walks `folder` in the order of names. If the command `writes`, folders of
    /// version control are skipped.
    pub(crate) fn walk(&self, folder: &Path, writes: bool) -> Walk {
        let mut builder = WalkBuilder::new(folder);
        builder
            .standard_filters(!self.no_ignore)
            .hidden(!self.hidden)
            .overrides(self.overrides.clone())
            .types(self.types.clone())
            .max_depth(self.max_depth)
            .follow_links(self.follow)
            .sort_by_file_name(|a, b| a.cmp(b));
        if !self.no_ignore {
            builder.add_custom_ignore_filename(".rgignore");
        }
        if writes {
            builder.filter_entry(|entry| !is_of_version_control(entry.file_name()));
        }
        builder.build()
    }
}

/// Globs are relative to the current folder.
fn overrides(globs: &[String], exclude: &[String]) -> anyhow::Result<Override> {
    if globs.is_empty() && exclude.is_empty() {
        return Ok(Override::empty());
    }
    let mut builder = OverrideBuilder::new(env::current_dir()?);
    for glob in globs {
        builder.add(glob).context("--glob")?;
    }
    for glob in exclude {
        builder.add(&format!("!{glob}")).context("--exclude")?;
    }
    Ok(builder.build()?)
}

fn types(names: &[String]) -> anyhow::Result<Types> {
    if names.is_empty() {
        return Ok(Types::empty());
    }
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let known = builder.definitions();
    for name in names {
        if name != "all" && !known.iter().any(|kind| kind.name() == name) {
            let near = nearest_of(name, known.iter().map(FileTypeDef::name));
            let advice = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            anyhow::bail!(
                "--type: unknown file type {}{advice} (`utfkit list --types` prints all)",
                crate::printable::escaped_text(name)
            );
        }
        builder.select(name);
    }
    Ok(builder.build()?)
}

/// The types of `--type`, with their globs.
pub(crate) fn all_types() -> Vec<FileTypeDef> {
    TypesBuilder::new().add_defaults().definitions()
}
