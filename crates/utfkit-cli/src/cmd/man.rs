//! `utfkit man`: the manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::{ArgAction, Command, CommandFactory};

use crate::args::{Args, Man};
use crate::exit::Status;
use crate::printable::Escaped;
use crate::stdout;

pub(crate) fn run(args: &Man) -> anyhow::Result<Status> {
    match &args.output {
        None => {
            stdout::print(&page(command())?)?;
        }
        Some(folder) => write_all(folder)?,
    }
    Ok(Status::Well)
}

/// The command line with everything that the pages show.
fn command() -> Command {
    let mut command = Args::command().disable_help_subcommand(true).subcommand_value_name("command");
    // Adds the global options and the full name to each subcommand.
    command.build();
    // Pages show the options that `-h` hides.
    let all = |command: Command| command.mut_args(|option| option.hide_short_help(false));
    all(command).mut_subcommands(all)
}

fn write_all(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{}: cannot create the folder", Escaped(folder)))?;
    let command = command();
    for page_of in std::iter::once(&command).chain(command.get_subcommands()) {
        let path = folder.join(format!("{}.1", page_of.get_display_name().unwrap_or(page_of.get_name())));
        fs::write(&path, page(page_of.clone())?).with_context(|| format!("{}", Escaped(&path)))?;
    }
    Ok(())
}

/// Renders a page in the man(7) format.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let after = command.get_after_long_help().or_else(|| command.get_after_help()).map(ToString::to_string);
    let has_subcommands = command.has_subcommands();
    let name = command.get_display_name().unwrap_or(command.get_name()).to_uppercase();
    let synopsis = synopsis(&command);
    let man = clap_mangen::Man::new(command);
    let mut page = Vec::new();
    // clap_mangen omits the quotes around the empty date, which would shift the
    // fields after it.
    let version = env!("CARGO_PKG_VERSION");
    writeln!(page, ".TH \"{}\" \"1\" \"\" \"utfkit {version}\" \"User Commands\"", escaped(&name))?;
    man.render_name_section(&mut page)?;
    page.extend(synopsis.bytes());
    man.render_description_section(&mut page)?;
    if has_subcommands {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    sections(&mut page, &after.unwrap_or_default());
    page.extend(b".SH \"SEE ALSO\"\n");
    let also = if has_subcommands { "iconv(1), utf-8(7)" } else { "utfkit(1)" };
    writeln!(page, "{}", escaped(also))?;
    Ok(page)
}

/// The synopsis: the options with their values, then the operands.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let mut synopsis = format!(".SH SYNOPSIS\n\\fB{}\\fR", escaped(name));
    let options = command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set());
    for option in options {
        let short = option.get_short().map(|short| format!("-{short}"));
        let names = short.into_iter().chain(option.get_long().map(|long| format!("--{long}")));
        let names: Vec<_> = names.map(|name| format!("\\fB{}\\fR", escaped(&name))).collect();
        let value = option.get_value_names().filter(|_| option.get_action().takes_values());
        let value = value.and_then(|names| names.first()).map(|value| format!("\\fI{}\\fR", escaped(value)));
        let value = match value {
            Some(value) if option.is_require_equals_set() => format!("[={value}]"),
            Some(value) => format!(" {value}"),
            None => String::new(),
        };
        synopsis.push_str(&format!(" [{}{value}]", names.join("|")));
    }
    for operand in command.get_positionals() {
        let name = operand.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
        let more = if matches!(operand.get_action(), ArgAction::Append) { "..." } else { "" };
        let operand = if operand.is_required_set() { name.to_owned() } else { format!("[{name}]") };
        synopsis.push_str(&format!(" \\fI{}\\fR{more}", escaped(&operand)));
    }
    if command.has_subcommands() {
        synopsis.push_str(" \\fIcommand\\fR ...");
    }
    synopsis + "\n"
}

/// Renders the text below the options in `--help`. `Heading:` lines become
/// sections; other lines are kept as they are.
fn sections(page: &mut Vec<u8>, text: &str) {
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let first = paragraph.lines().next().unwrap_or_default();
        let (heading, rest) = match first.split_once(':') {
            _ if first.starts_with(' ') => (None, paragraph),
            Some((heading, "")) => (Some(heading), paragraph[first.len()..].trim_start_matches('\n')),
            Some((heading @ "Exit status", _)) => (Some(heading), paragraph[heading.len() + 1..].trim_start()),
            _ => (Some("Notes"), paragraph),
        };
        let mut lines = String::new();
        match heading {
            // Adjacent notes share a section.
            Some("Notes") if page.ends_with(NOTES_END.as_bytes()) => lines.push_str(".PP\n"),
            Some(heading) => lines.push_str(&format!(".SH \"{}\"\n", escaped(&heading.to_uppercase()))),
            None => lines.push_str(".PP\n"),
        }
        lines.push_str(".nf\n");
        for line in rest.lines() {
            lines.push_str(&escaped(line));
            lines.push('\n');
        }
        let end = if heading == Some("Notes") { NOTES_END } else { ".fi\n" };
        lines.push_str(end);
        page.extend(lines.bytes());
    }
}

/// The end of a paragraph of notes; the comment marks it for the next paragraph.
const NOTES_END: &str = ".fi\n.\\\" notes\n";

/// Escapes a line for man(7).
fn escaped(line: &str) -> String {
    let mut escaped = String::new();
    if line.starts_with(['.', '\'']) {
        escaped.push_str("\\&");
    }
    for c in line.chars() {
        match c {
            '\\' => escaped.push_str("\\(rs"),
            // man(7) turns these into typographic characters, which would break
            // commands copied from the page.
            '-' => escaped.push_str("\\-"),
            '\'' => escaped.push_str("\\(aq"),
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(command: Command) -> String {
        String::from_utf8(page(command).unwrap()).unwrap()
    }

    #[test]
    fn each_page_has_its_examples_under_their_own_heading() {
        let command = command();
        for page_of in std::iter::once(&command).chain(command.get_subcommands()) {
            let page = text(page_of.clone());
            assert!(page.is_ascii() && page.contains(".SH \"EXAMPLES\"\n.nf\n  utfkit "), "{page}");
            assert!(!page.contains("EXTRA") && page.contains(".SH NAME\n"), "{page}");
            assert_eq!(page.matches("\n.nf").count(), page.matches("\n.fi").count());
        }
    }

    #[test]
    fn text_stays_what_it_is() {
        assert_eq!(escaped(r"a\b -c 'd' `e`"), r"a\(rsb \-c \(aqd\(aq \(gae\(ga");
        assert_eq!(escaped(".x"), "\\&.x");
        let mut page = Vec::new();
        sections(&mut page, "Examples:\n  run\n\nOne.\n\nTwo.\n\nExit status: 0 well\nand good.\n\nNames:\n  A\n\n  B");
        assert_eq!(
            String::from_utf8(page).unwrap(),
            ".SH \"EXAMPLES\"\n.nf\n  run\n.fi\n\
             .SH \"NOTES\"\n.nf\nOne.\n.fi\n.\\\" notes\n.PP\n.nf\nTwo.\n.fi\n.\\\" notes\n\
             .SH \"EXIT STATUS\"\n.nf\n0 well\nand good.\n.fi\n\
             .SH \"NAMES\"\n.nf\n  A\n.fi\n.PP\n.nf\n  B\n.fi\n"
        );
    }
}
