//! The arguments of `utfkit undo`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

const UNDO: &str = "\
Examples:
  utfkit undo                                     take back the last run here
  utfkit undo changes.jsonl                       the run that has this log
  utfkit undo --root /srv/copy changes.jsonl      the same in a copy of the folder

`repair --in-place`, `convert --in-place` and `fix` keep a log in the user's
state folder ($XDG_STATE_HOME/utfkit, or ~/.local/state/utfkit), or where --log
says. Without a name the log of the last run is taken whose files lie in the
current folder, or in one above or below it; again, and the run before is taken
back.

A file gets its old content and its old time of modification, if it is still as
the run left it; what was changed since is left alone, and that is said. Files
are restored only below the folder of the run, and never through a symbolic
link. A log that is not in the state folder is believed only about files below
the current folder that are not hidden; --root DIR says what it may restore.

Exit status: 0 all is as it was; 2 a file could not be restored.";

/// Take back what repair, convert and fix changed
#[derive(ClapArgs, Debug)]
#[command(after_help = UNDO)]
pub(crate) struct Undo {
    /// The log of the run; without one, that of the last run here
    #[arg(value_name = "LOG")]
    pub(crate) log: Option<PathBuf>,

    /// Restore below DIR, which takes the place of the folder of the run
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Do not say which files were restored
    #[arg(short, long)]
    pub(crate) silent: bool,
}
