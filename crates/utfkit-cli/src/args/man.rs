//! The arguments of `utfkit man`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueHint};

const MAN: &str = "\
Examples:
  utfkit man | man -l -
  utfkit man --output ~/.local/share/man/man1

The page of utfkit goes to standard output. With --output the folder gets it as
utfkit.1, and a page for each subcommand: utfkit-check.1 and so on. Then
`man utfkit` and `man utfkit-check` find them.";

/// Print the manual page, or write the pages of all subcommands into a folder
#[derive(ClapArgs, Debug)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// Write the pages into this folder, which is made if it is not there
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
}
