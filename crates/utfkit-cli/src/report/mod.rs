//! Output formats of the subcommands, for people and for programs.

mod context;
mod counts;
mod detected;
mod findings;
mod github;
mod hint;
mod html;
mod json;
mod jsonl;
mod model;
mod page;
mod pieces;
mod rules;
mod sarif;
mod text;

pub(crate) use counts::{CountReport, Counts};
pub(crate) use detected::{DetectReport, nearest};
pub(crate) use findings::{Report, Reports};
pub(crate) use jsonl::{JsonPath, line};
pub(crate) use model::{
    BIDI_CONTROL, BOM, CONTROL, Found, Item, LINE_END, MISSING_BOM, NOT_NFC, REPLACEMENT, code, hex, unhex,
};
pub(crate) use page::{FileDetails, Page};
pub(crate) use pieces::{PieceReport, encoding_line, note};
pub(crate) use text::finding_line;
