//! Reads that an interruption does not end, of files that nobody waits for, and
//! what is read at once.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// The bytes that are read at once: they stay in the second cache.
pub(crate) const CHUNK: usize = 128 << 10;

/// Opens what should be a file, and does not wait where it is a pipe by now
/// that nobody writes to.
#[cfg(unix)]
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    const AT_ONCE: i32 = rustix::fs::OFlags::NONBLOCK.bits() as i32;

    match File::options().read(true).custom_flags(AT_ONCE).open(path) {
        // Not a pipe, which opens at once, but a file on which somebody has a
        // lease. The system takes that back, and asks no one else.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => File::open(path),
        other => other,
    }
}

#[cfg(not(unix))]
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Reads what comes next, as much as there is at once; nothing is the end.
pub(crate) fn read_some(from: &mut (impl Read + ?Sized), buf: &mut [u8]) -> io::Result<usize> {
    again(|| from.read(buf))
}

/// Reads what stands at `offset`, wherever others read.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::unix::fs::FileExt;

    again(|| file.read_at(buf, offset))
}

#[cfg(not(unix))]
pub(crate) fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// All that `from` has, in a file without a name, to be read twice.
pub(crate) fn spooled(from: &mut dyn Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(from, &mut file)?;
    file.flush()?;
    file.rewind()?;
    Ok(file)
}

fn again(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_is_no_end() {
        struct Interrupted(u32);

        impl Read for Interrupted {
            fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                if self.0 < 3 { Err(io::ErrorKind::Interrupted.into()) } else { (&b"ab"[..]).read(buf) }
            }
        }

        let mut buf = [0; 4];
        assert_eq!((read_some(&mut Interrupted(0), &mut buf).unwrap(), &buf[..2]), (2, &b"ab"[..]));
    }
}
