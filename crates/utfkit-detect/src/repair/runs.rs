//! Runs of bytes with the high bit set.

use utfkit_core::internal::ascii_prefix;

/// The most bytes of a line and of a run. Longer ones are cut.
pub(super) const MAX_LINE: usize = 4096;

/// The high bit of each byte.
pub(super) const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// The length of the prefix whose bytes have the high bit set (`all` is [`HIGH`]) or clear
/// (`all` is 0).
pub(super) fn prefix(bytes: &[u8], all: u64) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let others = (u64::from_le_bytes(*word) ^ all) & HIGH;
        if others != 0 {
            return 8 * at + others.trailing_zeros() as usize / 8;
        }
        // A long prefix of US-ASCII, usually.
        if at == 7 && all == 0 {
            return 64 + ascii_prefix(&bytes[64..]);
        }
    }
    let is_other = |byte: &u8| (*byte >= 0x80) != (all == HIGH);
    8 * words.len() + rest.iter().position(is_other).unwrap_or(rest.len())
}

/// The runs of bytes beyond US-ASCII.
pub(super) fn runs(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = line;
    core::iter::from_fn(move || {
        let from = &rest[prefix(rest, 0)..];
        let (run, after) = from.split_at(prefix(from, HIGH));
        rest = after;
        (!run.is_empty()).then_some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn a_prefix_ends_at_the_first_other_byte() {
        for len in 0..150 {
            for (all, same, other) in [(0, b'a', 0x80_u8), (HIGH, 0xFF, 0x7F)] {
                let mut bytes = vec![same; len];
                assert_eq!(prefix(&bytes, all), len);
                for at in (0..len).rev() {
                    bytes[at] = other;
                    assert_eq!(prefix(&bytes, all), at, "{len}");
                }
            }
        }
    }

    #[test]
    fn runs_are_the_stretches_beyond_ascii() {
        for line in ["", "plain", "é", "aé", "éa", "Zwölf Boxkämpfer – jagen 語語 x", "äöü ß.…"] {
            let expected: Vec<&[u8]> = line.as_bytes().split(u8::is_ascii).filter(|run| !run.is_empty()).collect();
            assert_eq!(runs(line.as_bytes()).collect::<Vec<_>>(), expected, "{line}");
        }
    }
}
