//! What people and programs read.

mod console;
mod counts;
mod detected;
mod hint;
mod jsonl;
mod pieces;
mod printable;
mod text;

pub(crate) use console::{Console, Styles, complain, skipped_binaries, wrong_usage};
pub(crate) use counts::{CountReport, Counts};
pub(crate) use detected::DetectReport;
pub(crate) use jsonl::Jsonl;
pub(crate) use pieces::{PieceReport, encoding_line};
pub(crate) use printable::{Escaped, escaped_text};
pub(crate) use text::{Text, finding_line};
