//! Checksums of whole files.

use std::fs::File;
use std::io;

use sha2::{Digest, Sha256};

use crate::reading::{CHUNK, Replay};

/// SHA-256 and the number of bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checksum {
    sum: Sha256,
    bytes: u64,
}

impl Checksum {
    /// The checksum of a whole file.
    pub(crate) fn of(file: &File) -> io::Result<Checksum> {
        let mut sum = Checksum::default();
        Replay::new(file, &mut vec![0; CHUNK]).each(|chunk| sum.feed(chunk))?;
        Ok(sum)
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// 64 hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        crate::report::hex(&self.sum.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_one_that_others_know() {
        let mut sum = Checksum::default();
        sum.feed(b"a");
        sum.feed(b"bc");
        // FIPS 180-4's first example.
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((sum.bytes(), sum.finish().as_str()), (3, known));
    }
}
