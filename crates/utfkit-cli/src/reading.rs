//! How files are opened and read.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// The size of a read, in bytes: it fits into the second-level cache.
pub(crate) const CHUNK: usize = 128 << 10;

/// Opens a file for reading. If a FIFO has taken its name, this does not wait
/// for a writer.
#[cfg(unix)]
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    const AT_ONCE: i32 = rustix::fs::OFlags::NONBLOCK.bits() as i32;

    match File::options().read(true).custom_flags(AT_ONCE).open(path) {
        // A FIFO would have opened. Another process holds a lease on the file,
        // which a blocking `open` makes the kernel break.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => File::open(path),
        other => other,
    }
}

/// Opens a file for reading. A pipe of Windows has no name in a folder.
#[cfg(windows)]
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Standard input without a buffer.
pub(crate) fn stdin_file() -> io::Result<File> {
    #[cfg(unix)]
    let stdin = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let stdin = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
    Ok(stdin?.into())
}

/// True for a console of Windows. A file would read and write bytes in its code page,
/// where the standard library reads and writes UTF-8.
pub(crate) fn is_console(stream: &impl IsTerminal) -> bool {
    cfg!(windows) && stream.is_terminal()
}

/// Reads once, again after an interruption. Returns 0 at the end.
pub(crate) fn read_some(from: &mut (impl Read + ?Sized), buf: &mut [u8]) -> io::Result<usize> {
    again(|| from.read(buf))
}

/// Reads at `offset`. On Windows this moves the position of the handle: set it before you read
/// the handle sequentially again.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::unix::fs::FileExt;

    again(|| file.read_at(buf, offset))
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::windows::fs::FileExt;

    again(|| file.seek_read(buf, offset))
}

/// Copies `from` to an unnamed temporary file, so that it can be read twice.
pub(crate) fn spooled(from: &mut dyn Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(from, &mut file)?;
    file.flush()?;
    file.rewind()?;
    Ok(file)
}

/// Passes all of `from` to `to`, in chunks. Returns the number of bytes.
pub(crate) fn copy(
    from: &mut (impl Read + ?Sized),
    chunk: &mut [u8],
    mut to: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut copied = 0;
    loop {
        match read_some(from, chunk)? {
            0 => return Ok(copied),
            len => {
                to(&chunk[..len])?;
                copied += len as u64;
            }
        }
    }
}

/// Fills `buf`, and less of it only at the end.
pub(crate) fn read_full(from: &mut (impl Read + ?Sized), buf: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buf.len() {
        match read_some(from, &mut buf[len..])? {
            0 => break,
            more => len += more,
        }
    }
    Ok(len)
}

/// A file that is read from beginning to end several times. If it fits into the
/// buffer, only the first pass reads it.
pub(crate) struct Replay<'a> {
    file: &'a File,
    buffer: &'a mut [u8],
    /// The length of the file, once all of it is in `buffer`.
    held: Option<usize>,
}

impl Replay<'_> {
    pub(crate) fn new<'a>(file: &'a File, buffer: &'a mut [u8]) -> Replay<'a> {
        Replay { file, buffer, held: None }
    }

    pub(crate) fn file(&self) -> &File {
        self.file
    }

    /// The length of the file, if the buffer holds all of it.
    pub(crate) fn held(&self) -> Option<usize> {
        self.held
    }

    /// Passes the file to `on` in chunks, none of them empty.
    pub(crate) fn each(&mut self, mut on: impl FnMut(&[u8])) -> io::Result<()> {
        let done = self.each_until(|chunk| {
            on(chunk);
            ControlFlow::<Infallible>::Continue(())
        })?;
        match done {
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    /// Like [`each`](Replay::each), until `on` breaks.
    pub(crate) fn each_until<B>(&mut self, mut on: impl FnMut(&[u8]) -> ControlFlow<B>) -> io::Result<ControlFlow<B>> {
        if let Some(len) = self.held {
            return Ok(if len > 0 { on(&self.buffer[..len]) } else { ControlFlow::Continue(()) });
        }
        let mut file = self.file;
        file.rewind()?;
        let mut is_first = true;
        loop {
            let len = read_full(&mut file, self.buffer)?;
            let is_last = len < self.buffer.len();
            if is_first && is_last {
                self.held = Some(len);
            }
            if len > 0
                && let ControlFlow::Break(value) = on(&self.buffer[..len])
            {
                return Ok(ControlFlow::Break(value));
            }
            if is_last {
                return Ok(ControlFlow::Continue(()));
            }
            is_first = false;
        }
    }
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

    /// The bytes of a pass, and how many chunks they came in.
    fn pass(replay: &mut Replay<'_>) -> (Vec<u8>, usize) {
        let (mut all, mut chunks) = (Vec::new(), 0);
        let each = replay.each(|chunk| {
            all.extend_from_slice(chunk);
            chunks += 1;
        });
        each.unwrap();
        (all, chunks)
    }

    #[test]
    fn a_file_that_fits_into_the_buffer_is_read_once() {
        let file = tempfile::tempfile().unwrap();
        (&file).write_all(b"abc").unwrap();
        let mut buffer = [0; 4];
        let mut replay = Replay::new(&file, &mut buffer);
        assert_eq!((replay.held(), pass(&mut replay), replay.held()), (None, (b"abc".to_vec(), 1), Some(3)));
        // If the next pass read the file, it would see this.
        file.set_len(0).unwrap();
        assert_eq!(pass(&mut replay), (b"abc".to_vec(), 1));
    }

    #[test]
    fn a_longer_file_is_read_in_each_pass() {
        let file = tempfile::tempfile().unwrap();
        (&file).write_all(b"abcdefghi").unwrap();
        for (size, chunks) in [(1, 9), (4, 3), (9, 1)] {
            let mut buffer = vec![0; size];
            let mut replay = Replay::new(&file, &mut buffer);
            let first = replay.each_until(|chunk| ControlFlow::Break(chunk.to_vec())).unwrap();
            assert_eq!(first, ControlFlow::Break(b"abcdefghi"[..size].to_vec()));
            assert_eq!(pass(&mut replay), (b"abcdefghi".to_vec(), chunks));
            assert_eq!((pass(&mut replay).1, replay.held()), (chunks, None));
        }
    }

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
