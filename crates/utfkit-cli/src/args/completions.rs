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

The script completes subcommands, options, their values and names of encodings.
It takes effect in the next shell you start.";

/// Print a shell script that completes arguments of utfkit
#[derive(ClapArgs, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// Shell to complete in
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
