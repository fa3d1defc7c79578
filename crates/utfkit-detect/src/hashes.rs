//! A set of the hashes of words.

use alloc::vec::Vec;

/// The hash of nothing.
pub(crate) const FNV_BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// Adds a part of a word to its hash, by FNV-1a.
pub(crate) fn mix(hash: u64, part: u64) -> u64 {
    (hash ^ part).wrapping_mul(0x0100_0000_01B3)
}

/// The hash of a word.
pub(crate) fn hash_of(word: &[u8]) -> u64 {
    word.iter().fold(FNV_BASIS, |hash, byte| mix(hash, (*byte).into()))
}

/// A hash table with linear probing.
#[derive(Default)]
pub(crate) struct Hashes {
    /// 0 is a free slot.
    slots: Vec<u64>,
    count: usize,
}

impl Hashes {
    /// Returns true if the hash is new.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        if 2 * self.count >= self.slots.len() {
            let old = core::mem::take(&mut self.slots);
            self.slots.resize((2 * old.len()).max(64), 0);
            old.into_iter().filter(|hash| *hash != 0).for_each(|hash| _ = self.put(hash));
        }
        let is_new = self.put(hash.max(1));
        self.count += usize::from(is_new);
        is_new
    }

    fn put(&mut self, hash: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] == hash {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = hash;
        true
    }
}
