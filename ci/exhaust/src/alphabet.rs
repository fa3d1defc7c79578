//! The windows: all strings of a given length over an alphabet of bytes.

use utfkit_testkit::patterns::BOUNDARY_BYTES;

/// The bytes of windows, most significant first, so that a run that is cut
/// short has covered lead bytes.
#[derive(Clone, Debug)]
pub(crate) struct Alphabet {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Alphabet {
    /// All 256 bytes.
    pub(crate) fn every_byte() -> Alphabet {
        Alphabet { name: "every byte", bytes: (0xC0..=0xFF).chain(0x80..=0xBF).chain(0x00..=0x7F).collect() }
    }

    /// Both sides of each boundary in the tables of RFC 3629, of headers, and
    /// of the kernels, which use nibbles and the six high bits.
    pub(crate) fn borders() -> Alphabet {
        let mut bytes = BOUNDARY_BYTES.to_vec();
        bytes.extend([0xCF, 0xD0, 0xFB, 0xFD]);
        bytes.sort_unstable_by(|a, b| b.cmp(a));
        Alphabet { name: "borders", bytes }
    }

    /// One byte of each class distinguished by RFC 3629 section 4; bytes that
    /// occur in no rule form one class.
    pub(crate) fn classes() -> Alphabet {
        let bytes = vec![0xF4, 0xF1, 0xF0, 0xED, 0xE1, 0xE0, 0xC2, 0xFF, 0xC0, 0x80, 0x90, 0xA0, 0x41];
        Alphabet { name: "classes", bytes }
    }
}

/// All strings of `len` bytes over an alphabet, in groups that share all but
/// the last bytes.
#[derive(Clone, Debug)]
pub(crate) struct Strings {
    pub(crate) alphabet: Alphabet,
    pub(crate) len: usize,
    /// Number of last bytes that vary within a group.
    varying: usize,
}

impl Strings {
    pub(crate) fn new(alphabet: Alphabet, len: usize) -> Strings {
        // A group of a few hundred strings makes a text of about a kilobyte.
        let varying = if alphabet.bytes.len() > 64 { 1 } else { 2 };
        assert!(len > varying, "a group has a prefix");
        Strings { alphabet, len, varying }
    }

    pub(crate) fn groups(&self) -> usize {
        self.alphabet.bytes.len().pow((self.len - self.varying) as u32)
    }

    /// The strings of a group, concatenated.
    pub(crate) fn group(&self, group: usize, strings: &mut Vec<u8>) {
        let bytes = &self.alphabet.bytes;
        let size = bytes.len().pow(self.varying as u32);
        strings.clear();
        for i in group * size..(group + 1) * size {
            for place in (0..self.len).rev() {
                strings.push(bytes[i / bytes.len().pow(place as u32) % bytes.len()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use utfkit_testkit::utf8;

    #[test]
    fn every_string_is_there_once() {
        for (alphabet, len) in
            [(Alphabet::every_byte(), 2), (Alphabet::borders(), 3), (Alphabet::classes(), 3), (Alphabet::classes(), 4)]
        {
            let n = alphabet.bytes.len();
            let strings = Strings::new(alphabet, len);
            let mut all = HashSet::new();
            let mut group = Vec::new();
            for i in 0..strings.groups() {
                strings.group(i, &mut group);
                all.extend(group.chunks_exact(len).map(<[u8]>::to_vec));
            }
            assert_eq!(all.len(), n.pow(len as u32));
        }
    }

    /// Bytes of one class are interchangeable: the table gives the same result
    /// in every context.
    #[test]
    fn the_classes_are_all_that_the_table_tells_apart() {
        let classes = Alphabet::classes().bytes;
        let behaviour = |byte: u8| {
            let mut seen = Vec::new();
            for &a in &classes {
                for &b in &classes {
                    for &c in &classes {
                        for src in [[byte, a, b, c], [a, byte, b, c], [a, b, byte, c], [a, b, c, byte]] {
                            let pieces = utf8::pieces(&src, &utf8::RFC_3629);
                            seen.extend(pieces.iter().map(|p| (p.offset, p.len, p.value().is_some(), p.error_len())));
                        }
                    }
                }
            }
            seen
        };
        let known: Vec<_> = classes.iter().map(|&byte| behaviour(byte)).collect();
        for byte in 0..=0xFF {
            let same = known.iter().filter(|&known| *known == behaviour(byte)).count();
            // FF and C0 both occur in no rule.
            assert!(same == 1 || same == 2, "{byte:02X} is like {same} of the classes");
        }
    }
}
