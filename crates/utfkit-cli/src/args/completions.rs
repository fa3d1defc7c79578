//! The arguments of `utfkit completions`.

use clap::Args as ClapArgs;
use clap_complete::Shell;

const COMPLETIONS: &str = "\
Examples:
  utfkit completions bash > ~/.local/share/bash-completion/completions/utfkit
  utfkit completions zsh > ~/.zfunc/_utfkit           a folder of $fpath
  utfkit completions fish > ~/.config/fish/completions/utfkit.fish
  utfkit completions powershell >> $PROFILE
  utfkit completions elvish >> ~/.config/elvish/rc.elv

The script completes subcommands, options, their values, and the names of
encodings. A new shell reads it.";

/// Print a script that completes this command's arguments in a shell
#[derive(ClapArgs, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
