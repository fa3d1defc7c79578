//! The subcommands, one file each.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod list;
pub(crate) mod repair;
pub(crate) mod version;
