//! The adaptors of readers and writers with an operation that writes more than their buffers hold.

use std::io::{self, Read, Write};
use utfkit_core::internal::step;
use utfkit_core::{Status, Step};
use utfkit_io::internal::{Operation, Reader, Writer};

/// More bytes than a buffer holds.
const MUCH: usize = (16 << 10) + 1;

/// Makes of each byte more than the buffer has space for.
struct Repeat {
    byte: u8,
    left: usize,
}

impl Operation for Repeat {
    fn run(&mut self, src: &[u8], dst: &mut [u8], _last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        loop {
            let len = self.left.min(dst.len() - written);
            dst[written..written + len].fill(self.byte);
            written += len;
            self.left -= len;
            if self.left > 0 {
                return step(read, written, Status::OutputFull);
            }
            let Some(&byte) = src.get(read) else {
                return step(read, written, Status::InputEmpty);
            };
            (self.byte, self.left) = (byte, MUCH);
            read += 1;
        }
    }
}

const EACH: Repeat = Repeat { byte: 0, left: 0 };

fn expected(src: &[u8]) -> Vec<u8> {
    src.iter().flat_map(|&byte| std::iter::repeat_n(byte, MUCH)).collect()
}

#[test]
fn an_operation_that_writes_more_than_a_buffer_is_read_to_its_end() {
    for len in [1, 1000, 16 << 10, 48 << 10] {
        let mut reader = Reader::new(&b"abc"[..], EACH);
        let (mut found, mut buf) = (Vec::new(), vec![0; len]);
        loop {
            match reader.read(&mut buf).unwrap() {
                0 => break,
                len => found.extend_from_slice(&buf[..len]),
            }
        }
        assert!(found == expected(b"abc"), "{len}");
    }
}

#[test]
fn a_call_of_write_writes_all_that_the_operation_gives() {
    let mut writer = Writer::new(Vec::new(), EACH);
    assert_eq!(writer.write(b"ab").unwrap(), 2);
    assert!(writer.inner == expected(b"ab"));
    assert_eq!(writer.write(b"").unwrap(), 0);
    writer.end().unwrap();
    assert!(writer.inner == expected(b"ab"));
}

/// Takes nothing in its first two calls.
struct Blocked(u32, Vec<u8>);

impl Write for Blocked {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0 += 1;
        if self.0 <= 2 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.1.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn flush_writes_what_the_operation_kept_for_lack_of_space() {
    let mut writer = Writer::new(Blocked(0, Vec::new()), EACH);
    assert_eq!(writer.write(b"ab").unwrap(), 1);
    assert_eq!(writer.flush().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    writer.flush().unwrap();
    assert!(writer.inner.1 == expected(b"a"));
    assert_eq!(writer.write(b"b").unwrap(), 1);
    assert!(writer.inner.1 == expected(b"ab"));
}
