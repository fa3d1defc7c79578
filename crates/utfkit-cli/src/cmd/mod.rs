//! The subcommands, one file each.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod detect;
pub(crate) mod fix;
pub(crate) mod inspect;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod names;
pub(crate) mod repair;
pub(crate) mod report;
pub(crate) mod undo;
pub(crate) mod version;
