//! Whether a file is still what it was: a checksum of 64 bits against chance
//! and change, not against malice.

/// Each word is mixed into one of four lanes by steps that lose nothing, so one
/// changed word always shows.
#[derive(Clone, Debug)]
pub(super) struct Checksum {
    lanes: [u64; 4],
    /// The bytes that fill no block yet.
    rest: Vec<u8>,
    bytes: u64,
}

const BLOCK: usize = 32;
/// The odd number next to 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Checksum {
    pub(super) fn new() -> Checksum {
        Checksum { lanes: [1, 2, 3, 4], rest: Vec::with_capacity(BLOCK), bytes: 0 }
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if !self.rest.is_empty() {
            let taken = bytes.len().min(BLOCK - self.rest.len());
            self.rest.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if self.rest.len() < BLOCK {
                return;
            }
            let rest = std::mem::take(&mut self.rest);
            self.blocks(&rest);
        }
        let whole = bytes.len() - bytes.len() % BLOCK;
        self.blocks(&bytes[..whole]);
        self.rest.clear();
        self.rest.extend_from_slice(&bytes[whole..]);
    }

    fn blocks(&mut self, bytes: &[u8]) {
        for block in bytes.as_chunks::<BLOCK>().0 {
            for (lane, word) in self.lanes.iter_mut().zip(block.as_chunks::<8>().0) {
                *lane = mixed(*lane, u64::from_le_bytes(*word));
            }
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// As it stands in a log: 16 hexadecimal digits.
    pub(super) fn finish(mut self) -> String {
        let mut rest = std::mem::take(&mut self.rest);
        rest.resize(BLOCK, 0);
        self.blocks(&rest);
        let sum = self.lanes.into_iter().fold(self.bytes, mixed);
        format!("{sum:016x}")
    }
}

fn mixed(lane: u64, word: u64) -> u64 {
    let product = (lane ^ word).wrapping_mul(FACTOR);
    (product ^ product >> 29).rotate_left(23)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], cut: usize) -> String {
        let mut sum = Checksum::new();
        bytes.chunks(cut).for_each(|piece| sum.feed(piece));
        assert_eq!(sum.bytes(), bytes.len() as u64);
        sum.finish()
    }

    #[test]
    fn every_byte_counts_and_no_cut_does() {
        let text: Vec<u8> = (0..200).map(|i: u32| (i * i) as u8).collect();
        for len in 0..text.len() {
            let sum = of(&text[..len], 200);
            for cut in [1, 7, 31, 32, 33] {
                assert_eq!(of(&text[..len], cut), sum);
            }
            assert_ne!(of(&text[..len + 1], 200), sum);
            for at in 0..len {
                let mut other = text[..len].to_vec();
                other[at] ^= 0x80;
                assert_ne!(of(&other, 200), sum, "{at} of {len}");
            }
        }
        assert_ne!(of(b"\0", 1), of(b"\0\0", 1));
        assert_eq!(of(b"utfkit", 1), "8b1eaec8795e04f1", "logs that were written stay good");
    }
}
