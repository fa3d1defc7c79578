//! Runs the command as a user does.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
#[cfg(unix)]
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// Part of a name that would do harm on a terminal. Windows has no control characters in names.
pub(crate) const HOSTILE: &str = if cfg!(windows) { "\u{202E}" } else { "\x1B[31m" };

/// The system's message for a missing file: `ENOENT` has the number of `ERROR_FILE_NOT_FOUND`.
pub(crate) fn missing() -> String {
    let error = std::io::Error::from_raw_os_error(2).to_string();
    error.split(" (os error").next().unwrap_or_default().to_owned()
}

/// True with `UTFKIT_TEST_SHARE=1`, which asks for every case. Otherwise long
/// tests make fewer files of each kind.
pub(crate) fn all_cases() -> bool {
    std::env::var_os("UTFKIT_TEST_SHARE").is_some_and(|share| share == "1")
}

/// A temporary folder in which the command runs.
pub(crate) struct Place {
    folder: TempDir,
    /// The folder of logs.
    state: TempDir,
    /// A copy of the command that every user may run.
    #[cfg(unix)]
    copy: OnceLock<TempDir>,
}

/// The result of a run.
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

    /// Asserts status 0 and no output except the note on how to undo the run.
    #[track_caller]
    pub(crate) fn is_silent_success(&self) {
        assert_eq!((self.status, self.out(), self.said()), (0, "", ""));
    }

    /// Standard error without the note on how to undo the run.
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
        // Other users may have to write logs there.
        #[cfg(unix)]
        fs::set_permissions(state.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        Place {
            folder: tempfile::tempdir().expect("a temporary folder"),
            state,
            #[cfg(unix)]
            copy: OnceLock::new(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The value of `XDG_STATE_HOME` for the command.
    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }

    /// Writes a file, creating its folders.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    /// The names of all files, to detect leftovers.
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

    /// A shell command in which `$UTFKIT` is the command.
    #[cfg(unix)]
    pub(crate) fn shell(&self, line: &str) -> Command {
        let mut command = program("sh");
        command.args(["-c", line]).current_dir(self.path()).env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"));
        command.env("XDG_STATE_HOME", self.state());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_in("", args)
    }

    /// Runs in a folder below.
    pub(crate) fn run_in(&self, folder: impl AsRef<Path>, args: &[&str]) -> Ran {
        // Wine does not start each of thousands of programs.
        const INTERNAL: i32 = 1359;
        let start = || self.command(args).current_dir(self.path().join(&folder)).output();
        let mut output = start();
        for _ in 0..9 {
            match output {
                Err(error) if cfg!(windows) && error.raw_os_error() == Some(INTERNAL) => {
                    thread::sleep(Duration::from_millis(200));
                    output = start();
                }
                _ => break,
            }
        }
        output.unwrap().into()
    }

    /// Runs, and replaces backslashes in paths by slashes on Windows.
    pub(crate) fn portable(&self, args: &[&str]) -> Ran {
        let mut ran = self.run(args);
        if cfg!(windows) {
            let out = std::mem::take(&mut ran.out);
            ran.out = match String::from_utf8(out) {
                Ok(out) => slashes(&out).into_bytes(),
                Err(error) => error.into_bytes(),
            };
            ran.err = slashes(&ran.err);
        }
        ran
    }

    /// Runs without superuser rights, even if the tests have them; prints a
    /// message if that is impossible.
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
            // Not copied by this process: a child started meanwhile by another
            // test would inherit the open file, and a file open for writing
            // cannot be executed.
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

    /// Makes an unprivileged user the owner of everything here.
    #[cfg(unix)]
    pub(crate) fn give_to_nobody(&self) {
        let owner = format!("{NOBODY}:{NOBODY}");
        let given = Command::new("chown").args(["-R", &owner]).arg(self.path()).status().unwrap();
        assert!(given.success(), "{given}");
    }

    /// Runs with standard input from a pipe that receives `chunks` one at a
    /// time.
    pub(crate) fn pipe<'a>(&self, args: &[&str], chunks: impl IntoIterator<Item = &'a [u8]>) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = thread::spawn(move || child.wait_with_output().unwrap());
        for chunk in chunks {
            // The command can have ended.
            if stdin.write_all(chunk).is_err() {
                break;
            }
        }
        drop(stdin);
        output.join().unwrap().into()
    }

    /// Runs a shell command in which `$UTFKIT` is the command, on a terminal.
    /// Returns the status and the output. Prints a message and returns `None`
    /// without the `script` of util-linux.
    pub(crate) fn on_a_terminal(&self, locale: &str, line: &str) -> Option<(i32, String)> {
        let output = self.terminal(locale, line)?.output().unwrap();
        let text = String::from_utf8(output.stdout).expect("what is printed is UTF-8");
        Some((output.status.code().expect("no signal"), text.replace("\r\n", "\n")))
    }

    /// A command that runs a shell command on a terminal and copies the
    /// terminal's output to its standard output.
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
                // No bar, even on a slow machine.
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

/// Replaces each `\` that begins no escape.
fn slashes(text: &str) -> String {
    let is_escape = |rest: &str| {
        let hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
        rest.starts_with("u{")
            || rest.starts_with('…')
            || (rest.starts_with('x') && hex(rest.as_bytes().get(1)) && hex(rest.as_bytes().get(2)))
    };
    let mut parts = text.split('\\');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |made, part| made + if is_escape(part) { "\\" } else { "/" } + part)
}

/// The user and group ID of the unprivileged user.
#[cfg(unix)]
const NOBODY: u32 = 65534;

/// True if file modes do not restrict the tests.
#[cfg(unix)]
pub(crate) fn is_superuser() -> bool {
    use std::os::unix::fs::MetadataExt;
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// A command without the environment variables that control colour.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// Starts a program. Wine now and then cannot while another one is being started or ends.
pub(crate) fn started(mut command: Command) -> Child {
    const ERROR_INTERNAL_ERROR: i32 = 1359;
    for _ in 0..20 {
        match command.spawn() {
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(ERROR_INTERNAL_ERROR) => {
                thread::sleep(Duration::from_millis(50));
            }
            child => return child.unwrap(),
        }
    }
    command.spawn().unwrap()
}

/// The folder `shared` next to the project, or the folder named by
/// UTFKIT_SHARED. Tests skip with a message if it is missing.
pub(crate) fn shared(part: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("UTFKIT_SHARED").map_or_else(beside, PathBuf::from).join(part);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: there is no {}", path.display());
    None
}

/// A pseudo-random sequence (splitmix64).
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
