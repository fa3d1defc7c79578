//! What people and programs read.

mod console;
mod counts;
mod hint;
mod jsonl;
mod printable;
mod text;

pub(crate) use console::{Console, Styles, complain, skipped_binaries, wrong_usage};
pub(crate) use counts::{CountReport, Counts};
pub(crate) use jsonl::{JsonPath, Jsonl, hex, line};
pub(crate) use printable::{Escaped, escaped_text};
pub(crate) use text::{Text, finding_line};
