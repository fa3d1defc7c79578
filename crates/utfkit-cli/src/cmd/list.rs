//! `utfkit list`: encodings and file types.

use std::io::{self, IsTerminal, Write};

use utfkit::Encoding;

use crate::args::List;
use crate::console::Console;
use crate::exit::Status;
use crate::report::{encoding_line, note};
use crate::walk::all_types;

pub(crate) fn subcommand(args: &List) -> anyhow::Result<Status> {
    if args.jsonl {
        let mut list = Vec::new();
        for &encoding in Encoding::ALL {
            encoding_line(&mut list, encoding);
        }
        Console::for_json().print(&list, &[])?;
        return Ok(Status::Well);
    }
    if args.notes {
        let mut list = Vec::new();
        for &encoding in Encoding::ALL {
            if let Some(note) = note(encoding) {
                writeln!(list, "{encoding}: {note}")?;
            }
        }
        Console::new().print(&list, &[])?;
        return Ok(Status::Well);
    }
    if args.types {
        let mut list = Vec::new();
        for kind in all_types() {
            writeln!(list, "{}: {}", kind.name(), kind.globs().join(", "))?;
        }
        Console::new().print(&list, &[])?;
        return Ok(Status::Well);
    }
    run()
}

/// Prints a line per encoding: its name, then its aliases. On a terminal the
/// names are padded to a column; for pipes, fields are separated by one blank.
pub(crate) fn run() -> anyhow::Result<Status> {
    let mut console = Console::new();
    let n = console.out_styles.name;
    let widest = Encoding::ALL.iter().map(|encoding| encoding.name().len()).max().unwrap_or_default();
    let width = if io::stdout().is_terminal() { widest + 1 } else { 0 };
    let mut list = Vec::new();
    for encoding in Encoding::ALL {
        let name = encoding.name();
        let labels: Vec<_> = encoding.labels().collect();
        let gap = if labels.is_empty() { 0 } else { width.saturating_sub(name.len()).max(1) };
        writeln!(list, "{n}{name}{n:#}{:gap$}{}", "", labels.join(" "))?;
    }
    console.print(&list, &[])?;
    Ok(Status::Well)
}
