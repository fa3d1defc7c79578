//! The arguments of `utfkit undo`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

const UNDO: &str = "\
Examples:
  utfkit undo                                     undo the last run here
  utfkit undo changes.jsonl                       undo the run with this log
  utfkit undo --root /srv/copy changes.jsonl      undo it in a copy of the folder

`fix`, `names`, and `convert` and `repair` with --in-place or with -o onto an
input write a log to the user's state folder ($XDG_STATE_HOME/utfkit, or
~/.local/state/utfkit), or to the file given with --log. Without LOG, the last run is undone whose files are in the
current folder or in a folder above or below it. Repeat the command to undo the
run before that.

The old content and modification time of each file, or its old name, are
restored; --verbose lists the files, sorted by name. A file that was changed
since the run is left alone and reported. Temporary files that an interrupted run
left beside the files are removed. Files are restored only below the folder of the
run, never through a symbolic link. A log from outside the state folder can
restore only files below the current folder that are not hidden, unless --root
names another folder.

Exit status: 0 everything was restored; 2 a file could not be restored.";

/// Undo the changes of repair, convert, fix and names
#[derive(ClapArgs, Debug)]
#[command(after_help = UNDO)]
pub(crate) struct Undo {
    /// Log of the run to undo [default: the last run here]
    #[arg(value_name = "LOG")]
    pub(crate) log: Option<PathBuf>,

    /// Restore the files below DIR instead of the folder of the run
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Do not print how many files were restored
    #[arg(short, long)]
    pub(crate) silent: bool,
}
