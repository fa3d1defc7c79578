//! Output formats of the subcommands, for people and for programs.

mod console;
mod context;
mod counts;
mod detected;
mod encoding;
mod findings;
mod github;
mod hint;
mod html;
mod json;
mod jsonl;
mod model;
mod page;
mod pieces;
mod printable;
mod rules;
mod sarif;
mod text;

pub(crate) use console::{Console, Styles, complain, skipped_binaries, wrong_usage};
pub(crate) use counts::{CountReport, Counts};
pub(crate) use detected::DetectReport;
pub(crate) use encoding::{FRONT, wide};
pub(crate) use findings::{Report, Reports};
pub(crate) use hint::argument;
pub(crate) use jsonl::{JsonPath, line};
pub(crate) use model::{BIDI_CONTROL, BOM, Found, Item, LINE_END, MISSING_BOM, NOT_NFC, code, hex};
pub(crate) use page::{FileDetails, Page};
pub(crate) use pieces::{PieceReport, encoding_line, note};
pub(crate) use printable::{Escaped, escaped_text};
pub(crate) use text::finding_line;
