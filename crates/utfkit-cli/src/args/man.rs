//! The arguments of `utfkit man`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueHint};

const MAN: &str = "\
Examples:
  utfkit man | man -l -
  utfkit man --output ~/.local/share/man/man1

The manual page of utfkit is printed to standard output. With --output it is
written to DIR/utfkit.1, along with a page for each subcommand (utfkit-check.1
and so on), where `man utfkit` and `man utfkit-check` can find them.";

/// Print the manual page, or write all manual pages to a folder
#[derive(ClapArgs, Debug)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// Write the pages to this folder; it is created if needed
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
}
