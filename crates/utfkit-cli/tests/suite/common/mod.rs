//! Runs the command as a user does.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;

use tempfile::TempDir;

/// A folder of its own, in which the command runs.
pub(crate) struct Place {
    folder: TempDir,
    /// Where the logs are kept.
    state: TempDir,
    /// A copy of the command that everybody may run.
    copy: OnceLock<TempDir>,
}

/// What a run did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn out(&self) -> &str {
        std::str::from_utf8(&self.out).expect("what is printed is UTF-8")
    }

    pub(crate) fn lines(&self) -> Vec<&str> {
        self.out().lines().collect()
    }

    /// Status 0 and not a word, except how a run that changed files is taken
    /// back.
    #[track_caller]
    pub(crate) fn is_silent_success(&self) {
        assert_eq!((self.status, self.out(), self.said()), (0, "", ""));
    }

    /// Standard error without the line that says how the run is taken back.
    pub(crate) fn said(&self) -> &str {
        let all = self.err.as_str();
        let before = all.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
        if all[before..].ends_with("` takes that back\n") { &all[..before] } else { all }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code().expect("no signal"),
            out: output.stdout,
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Place {
    pub(crate) fn new() -> Place {
        let state = tempfile::tempdir().expect("a temporary folder");
        // Somebody else may have to keep logs there.
        #[cfg(unix)]
        fs::set_permissions(state.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        Place { folder: tempfile::tempdir().expect("a temporary folder"), state, copy: OnceLock::new() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What `XDG_STATE_HOME` is for the command.
    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }

    /// Writes a file, and the folders it needs.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    /// The names of all files here, to see that nothing was left behind.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(self.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = program(env!("CARGO_BIN_EXE_utfkit"));
        command.current_dir(self.path()).args(args).stdin(Stdio::null());
        command.env("XDG_STATE_HOME", self.state());
        command
    }

    /// A line of shell in which `$UTFKIT` is the command.
    pub(crate) fn shell(&self, line: &str) -> Command {
        let mut command = program("sh");
        command.args(["-c", line]).current_dir(self.path()).env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"));
        command.env("XDG_STATE_HOME", self.state());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().unwrap().into()
    }

    /// Runs as somebody whom modes hold back, also where the tests run as the
    /// superuser; or says why not.
    #[cfg(unix)]
    pub(crate) fn as_nobody(&self, args: &[&str]) -> Option<Ran> {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::process::CommandExt;

        if !is_superuser() {
            return Some(self.run(args));
        }
        let copy = self.copy.get_or_init(|| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
            // Not by this process: what another test starts meanwhile would inherit
            // the copy open for writing, and as long as it is, nothing can run it.
            let copied =
                Command::new("cp").arg(env!("CARGO_BIN_EXE_utfkit")).arg(folder.path().join("utfkit")).status();
            assert!(copied.unwrap().success());
            folder
        });
        let mut command = program(copy.path().join("utfkit"));
        command.args(args).env("XDG_STATE_HOME", self.state()).current_dir(self.path()).stdin(Stdio::null());
        match command.uid(NOBODY).gid(NOBODY).output() {
            Ok(output) => Some(output.into()),
            Err(error) => {
                println!("skipped: nothing can run as nobody: {error}");
                None
            }
        }
    }

    /// All that is here belongs to nobody.
    #[cfg(unix)]
    pub(crate) fn give_to_nobody(&self) {
        let owner = format!("{NOBODY}:{NOBODY}");
        let given = Command::new("chown").args(["-R", &owner]).arg(self.path()).status().unwrap();
        assert!(given.success(), "{given}");
    }

    /// Runs with standard input from a pipe that gets `chunks` one at a time.
    pub(crate) fn pipe<'a>(&self, args: &[&str], chunks: impl IntoIterator<Item = &'a [u8]>) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = thread::spawn(move || child.wait_with_output().unwrap());
        for chunk in chunks {
            // The command may have had enough.
            if stdin.write_all(chunk).is_err() {
                break;
            }
        }
        drop(stdin);
        output.join().unwrap().into()
    }

    /// Runs a line of shell, in which `$UTFKIT` is the command, with a terminal
    /// for all three streams. Returns the status and what the terminal got.
    /// Without the `script` of util-linux it says so.
    pub(crate) fn on_a_terminal(&self, locale: &str, line: &str) -> Option<(i32, String)> {
        let output = self.terminal(locale, line)?.output().unwrap();
        let text = String::from_utf8(output.stdout).expect("what is printed is UTF-8");
        Some((output.status.code().expect("no signal"), text.replace("\r\n", "\n")))
    }

    /// What runs a line of shell on a terminal, and writes on its standard
    /// output what the terminal gets.
    pub(crate) fn terminal(&self, locale: &str, line: &str) -> Option<Command> {
        let version = Command::new("script").arg("--version").output();
        if !version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).contains("util-linux")) {
            println!("skipped: there is no `script` of util-linux");
            return None;
        }
        let mut command = program("script");
        command
            .args(["--quiet", "--flush", "--return", "--command", line, "/dev/null"])
            .current_dir(self.path())
            .envs([
                ("SHELL", "/bin/sh"),
                ("UTFKIT", env!("CARGO_BIN_EXE_utfkit")),
                ("LC_ALL", locale),
                ("NO_COLOR", "1"),
                // No bar, however long it takes on a busy machine.
                ("TERM", "dumb"),
            ])
            .env("XDG_STATE_HOME", self.state())
            .stdin(Stdio::null());
        Some(command)
    }

    pub(crate) fn feed(&self, args: &[&str], input: &[u8]) -> Ran {
        self.pipe(args, [input])
    }
}

/// Whom the system has for those who own nothing.
#[cfg(unix)]
const NOBODY: u32 = 65534;

/// Whether modes do not hold the tests back.
#[cfg(unix)]
pub(crate) fn is_superuser() -> bool {
    use std::os::unix::fs::MetadataExt;
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// A program that knows nothing of the colours that whoever runs the tests wants.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// The folder of shared texts and vectors beside the project, or where
/// UTFKIT_SHARED says. Without it a test says so and passes.
pub(crate) fn shared(part: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("UTFKIT_SHARED").map_or_else(beside, PathBuf::from).join(part);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: there is no {}", path.display());
    None
}

/// A sequence that nobody would mistake for a pattern (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit.max(1)
    }
}
