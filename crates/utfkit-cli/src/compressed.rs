//! Compressed files: as in ripgrep, a program of the system decompresses each, by the
//! extension of its name.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};

use grep_cli::{CommandReader, CommandReaderBuilder, resolve_binary};

use crate::printable::escaped_text;
use crate::progress;

/// A format of compression.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// In lower case.
    extensions: &'static [&'static str],
    /// The first bytes of a file, if the format has any of its own.
    magic: &'static [u8],
    program: &'static str,
    /// With these arguments, the program decompresses standard input to standard output.
    args: &'static [&'static str],
}

const FORMATS: [Format; 8] = [
    Format { extensions: &["gz", "tgz"], magic: b"\x1F\x8B", program: "gzip", args: &["-d", "-c"] },
    Format { extensions: &["zst", "zstd"], magic: b"\x28\xB5\x2F\xFD", program: "zstd", args: &["-q", "-d", "-c"] },
    Format { extensions: &["xz", "txz"], magic: b"\xFD7zXZ\0", program: "xz", args: &["-d", "-c"] },
    Format { extensions: &["bz2", "tbz2"], magic: b"BZh", program: "bzip2", args: &["-d", "-c"] },
    Format { extensions: &["lz4"], magic: b"\x04\x22\x4D\x18", program: "lz4", args: &["-d", "-c"] },
    Format { extensions: &["lzma"], magic: b"\x5D\0\0", program: "xz", args: &["--format=lzma", "-d", "-c"] },
    Format { extensions: &["br"], magic: b"", program: "brotli", args: &["-d", "-c"] },
    // Of compress(1), which gzip reads.
    Format { extensions: &["z"], magic: b"\x1F\x9D", program: "gzip", args: &["-d", "-c"] },
];

/// The format of a file with this name.
pub(crate) fn format(path: &Path) -> Option<&'static Format> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str()))
}

/// The format of a file that begins with `front`.
pub(crate) fn begun(front: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|format| !format.magic.is_empty() && front.starts_with(format.magic))
}

impl Format {
    pub(crate) fn program(&self) -> &'static str {
        self.program
    }

    /// Starts to decompress `file`.
    pub(crate) fn open(&'static self, file: File) -> io::Result<Unpacked> {
        // The program gets the open file: a name that looks like an option does no harm, and the
        // file cannot be exchanged meanwhile.
        let place = file.try_clone()?;
        // Every format has a header. Some programs take a file without any bytes.
        let metadata = file.metadata()?;
        if metadata.is_file() && metadata.len() == 0 {
            return Err(io::Error::other("cannot be decompressed: it is empty, so it is cut or was never compressed"));
        }
        let start = || {
            let program = resolve_binary(self.program).map_err(io::Error::from)?;
            let mut command = Command::new(program);
            command.args(self.args).stdin(Stdio::from(file));
            CommandReaderBuilder::new().build(&mut command).map_err(io::Error::from)
        };
        let reader = start().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.missing(),
            _ => io::Error::new(
                error.kind(),
                format!("cannot be decompressed: {} does not start: {error}", self.program),
            ),
        })?;
        Ok(Unpacked { format: self, reader, place, at: 0, failed: None })
    }

    fn missing(&self) -> io::Error {
        let place = if cfg!(windows) { "found in PATH" } else { "installed" };
        io::Error::other(format!("cannot be decompressed: that needs {}, which is not {place}", self.program))
    }
}

/// The content of a compressed file. At its end, a failure of the program is an error.
#[derive(Debug)]
pub(crate) struct Unpacked {
    format: &'static Format,
    reader: CommandReader,
    /// Shares its position with the program.
    place: File,
    at: u64,
    /// The error of the last read. Further reads return it again, not an end.
    failed: Option<String>,
}

impl Read for Unpacked {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let result = match &self.failed {
            Some(why) => Err(io::Error::other(why.clone())),
            None => self.reader.read(buf).map_err(|error| match error.kind() {
                io::ErrorKind::Interrupted => error,
                _ => {
                    let why = format!("cannot be decompressed: {}", self.reason(&error));
                    self.failed = Some(why.clone());
                    io::Error::other(why)
                }
            }),
        };
        if let Ok(at) = self.place.stream_position() {
            progress::read(usize::try_from(at.saturating_sub(self.at)).unwrap_or(0));
            self.at = at;
        }
        result
    }
}

impl Unpacked {
    /// The compressed file. Its position belongs to the program.
    pub(crate) fn compressed(&self) -> &File {
        &self.place
    }

    /// The message of the program, in one line that is safe on a terminal.
    fn reason(&self, error: &io::Error) -> String {
        let program = self.format.program;
        let said = error.to_string();
        // The crate frames it with lines of hyphens.
        let is_text = |line: &&str| !line.is_empty() && !line.bytes().all(|byte| byte == b'-');
        let lines: Vec<_> = said.lines().map(str::trim).filter(is_text).take(3).collect();
        match lines[..] {
            [] | ["<stderr is empty>"] => format!("{program} failed without a message"),
            [first, ..] if first.starts_with(program) => escaped_text(&lines.join("; ")),
            _ => format!("{program}: {}", escaped_text(&lines.join("; "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides() {
        let program = |name: &str| format(Path::new(name)).map(|format| format.program);
        assert_eq!(program("a.csv.gz"), Some("gzip"));
        assert_eq!(program("dir.gz/A.GZ"), Some("gzip"));
        assert_eq!(program("dir.gz/a"), None);
        assert_eq!(program("a.zst"), Some("zstd"));
        assert_eq!(program("a.Z"), Some("gzip"));
        assert_eq!(program("gz"), None);
        assert_eq!(program(".gz"), None);
        assert_eq!(program("-"), None);
    }

    #[test]
    fn formats_begin_with_magic_numbers() {
        assert_eq!(begun(b"\x1F\x8B\x08").map(Format::program), Some("gzip"));
        assert_eq!(begun(b"BZh91AY").map(Format::program), Some("bzip2"));
        assert_eq!(begun(b""), None);
        assert_eq!(begun(b"text"), None);
    }
}
