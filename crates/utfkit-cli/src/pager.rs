//! Shows long output on a terminal in the user's pager, as git does.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use terminal_size::{Height, terminal_size_of};

use crate::console::Console;

/// Prints `text` to standard output. If that is a terminal and has fewer lines, the
/// pager shows it: `$PAGER`, or less. An empty `$PAGER` means none, as does `cat`.
pub(crate) fn print(console: &mut Console, text: &[u8]) -> io::Result<()> {
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    let is_long = io::stdout().is_terminal() && rows().is_some_and(|rows| lines >= rows);
    if is_long && show(&console.shown(text)) { Ok(()) } else { console.print(text, &[]) }
}

/// The number of lines of the terminal.
fn rows() -> Option<usize> {
    let (_, Height(rows)) = terminal_size_of(io::stdout())?;
    (rows > 0).then_some(usize::from(rows))
}

/// Returns false if there is no pager, or it cannot be started. On Windows, only shells
/// such as that of git have one, and `TERM`.
fn show(text: &[u8]) -> bool {
    let pager = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    if matches!(pager.trim(), "" | "cat") || env::var_os("TERM").is_none_or(|term| term == "dumb") {
        return false;
    }
    let mut command = Command::new("sh");
    // The shell has no exit status of its own that tells a missing pager from others,
    // so it is looked for first.
    command.args(["-c", &format!("command -v {} >/dev/null || exit 127; {pager}", program(&pager))]);
    command.stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // Quits if all fits, shows colours, leaves the text on the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // The user may quit before the end.
        let _ = stdin.write_all(text);
    }
    child.wait().is_ok_and(|status| status.code() != Some(127))
}

/// The first word of the command, past assignments.
fn program(pager: &str) -> &str {
    pager.split_whitespace().find(|word| !word.contains('=')).unwrap_or(pager)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_has_a_program() {
        for (pager, name) in
            [("less", "less"), ("less -R", "less"), ("LESS=R less", "less"), ("/bin/more", "/bin/more")]
        {
            assert_eq!(program(pager), name);
        }
    }
}
