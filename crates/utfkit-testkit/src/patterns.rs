//! Every kind of ill-formed UTF-8, in every length.

use crate::random::Random;

/// Bytes at which RFC 3629's rules change, and some between.
pub const BOUNDARY_BYTES: [u8; 29] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFC, 0xFE, 0xFF,
];

/// An ill-formed sequence with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The kind of error.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// All patterns. Each is ill-formed in any context, except that continuation
/// bytes could complete some of the `cut` patterns.
pub fn ill_formed() -> Vec<Pattern> {
    let mut all = Vec::new();
    let mut add = |name: &str, bytes: &[u8]| {
        let name = format!("{name} {bytes:02X?}");
        all.push(Pattern { name, bytes: bytes.to_vec() });
    };

    // Lone continuation bytes: 1 to 5, and one too many after a character.
    for n in 1..=5 {
        for byte in [0x80, 0xBF] {
            add("lone continuation", &vec![byte; n]);
        }
    }
    for byte in [0x8F, 0x90, 0x9F, 0xA0] {
        add("lone continuation", &[byte]);
    }
    for bytes in ["A\u{E9}", "\u{E9}", "\u{20AC}", "\u{1F600}", "A"] {
        for more in [&[0x80][..], &[0xBF], &[0x80, 0xBF]] {
            add("one continuation too many", &[bytes.as_bytes(), more].concat());
        }
    }

    // Each lead byte at the edge of a row of the grammar with 0 to n-1 of its
    // continuation bytes (lowest and highest), followed by nothing, ASCII,
    // another lead byte, or FF.
    for (lead, second, n) in [
        (0xC2, [0x80, 0xBF], 2),
        (0xDF, [0x80, 0xBF], 2),
        (0xE0, [0xA0, 0xBF], 3),
        (0xE1, [0x80, 0xBF], 3),
        (0xEC, [0x80, 0xBF], 3),
        (0xED, [0x80, 0x9F], 3),
        (0xEE, [0x80, 0xBF], 3),
        (0xEF, [0x80, 0xBF], 3),
        (0xF0, [0x90, 0xBF], 4),
        (0xF1, [0x80, 0xBF], 4),
        (0xF3, [0x80, 0xBF], 4),
        (0xF4, [0x80, 0x8F], 4),
    ] {
        for have in 1..n {
            for (i, &second) in second.iter().enumerate().take(if have == 1 { 1 } else { 2 }) {
                let mut cut = vec![lead, second, [0x80, 0xBF][i], 0x80];
                cut.truncate(have);
                add("cut", &cut);
                for next in ["A", "\u{E9}", "\u{20AC}", "\u{1F600}"] {
                    add("cut before a character", &[&cut, next.as_bytes()].concat());
                }
                add("cut before FF", &[&cut[..], &[0xFF]].concat());
                add("cut twice", &[&cut[..], &cut[..]].concat());
            }
        }
    }

    // Overlong forms, from the lowest to the highest value, whole and
    // truncated.
    for sequence in [
        &[0xC0, 0x80][..],
        &[0xC0, 0xAF],
        &[0xC0, 0xBF],
        &[0xC1, 0x80],
        &[0xC1, 0xBF],
        &[0xE0, 0x80, 0x80],
        &[0xE0, 0x80, 0xAF],
        &[0xE0, 0x81, 0xBF],
        &[0xE0, 0x9F, 0xBF],
        &[0xF0, 0x80, 0x80, 0x80],
        &[0xF0, 0x80, 0x80, 0xAF],
        &[0xF0, 0x82, 0x82, 0xAC],
        &[0xF0, 0x8F, 0xBF, 0xBF],
        &[0xF8, 0x80, 0x80, 0x80, 0x80],
        &[0xF8, 0x87, 0xBF, 0xBF, 0xBF],
        &[0xFC, 0x80, 0x80, 0x80, 0x80, 0x80],
        &[0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF],
    ] {
        for len in 1..=sequence.len() {
            // E0 and F0 alone are `cut` patterns.
            if len > 1 || !matches!(sequence[0], 0xE0 | 0xF0) {
                add("overlong", &sequence[..len]);
            }
        }
    }

    // Surrogates: the ends of both ranges, pairs, and truncated ones.
    for sequence in [
        &[0xED, 0xA0, 0x80][..],
        &[0xED, 0xAD, 0xBF],
        &[0xED, 0xAF, 0xBF],
        &[0xED, 0xB0, 0x80],
        &[0xED, 0xBF, 0xBF],
        &[0xED, 0xA0],
        &[0xED, 0xBF],
        &[0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
        &[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
    ] {
        add("surrogate", sequence);
    }

    // Above U+10FFFF: lowest and highest value of each form, whole and
    // truncated.
    for sequence in [
        &[0xF4, 0x90, 0x80, 0x80][..],
        &[0xF4, 0xBF, 0xBF, 0xBF],
        &[0xF5, 0x80, 0x80, 0x80],
        &[0xF6, 0x80, 0x80, 0x80],
        &[0xF7, 0xBF, 0xBF, 0xBF],
        &[0xF8, 0x88, 0x80, 0x80, 0x80],
        &[0xF9, 0x80, 0x80, 0x80, 0x80],
        &[0xFA, 0x80, 0x80, 0x80, 0x80],
        &[0xFB, 0xBF, 0xBF, 0xBF, 0xBF],
        &[0xFC, 0x84, 0x80, 0x80, 0x80, 0x80],
        &[0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF],
    ] {
        for len in 1..=sequence.len() {
            // F4 alone can be completed, so it is a `cut` pattern.
            if len > 1 || sequence[0] != 0xF4 {
                add("too large", &sequence[..len]);
            }
        }
    }

    // Bytes that are never valid.
    for bytes in [
        &[0xFE][..],
        &[0xFF],
        &[0xFE, 0xFE, 0xFF, 0xFF],
        &[0xFE, 0x83, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF],
        &[0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
        &[0xFF, 0xFE],
        &[0xFE, 0xFF],
    ] {
        add("no lead byte", bytes);
    }

    // An invalid byte in place of each continuation byte.
    for (sequence, at) in [
        (&[0xC3, 0x28][..], 1),
        (&[0xE2, 0x28, 0xA1], 1),
        (&[0xE2, 0x82, 0x28], 2),
        (&[0xF0, 0x28, 0x8C, 0xBC], 1),
        (&[0xF0, 0x90, 0x28, 0xBC], 2),
        (&[0xF0, 0x90, 0x8C, 0x28], 3),
    ] {
        for byte in [0x28, 0x7F, 0xC0, 0xC1, 0xF5, 0xFF] {
            let mut sequence = sequence.to_vec();
            sequence[at] = byte;
            add("broken", &sequence);
        }
    }

    // Several errors in a row, after the Unicode Standard, tables 3-8 to 3-11.
    add("several", b"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82A");
    add("several", b"\xED\xA0\x80\xED\xBF\xBF\xED\xAFA");
    add("several", b"\xF4\x91\x92\x93\xFFA\x80\xBFB");
    add("several", b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBFA");

    all.sort_by(|a, b| a.bytes.cmp(&b.bytes));
    all.dedup_by(|a, b| a.bytes == b.bytes);
    all
}

/// A random pattern.
pub fn any<'a>(patterns: &'a [Pattern], random: &mut Random) -> &'a Pattern {
    random.pick(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_ill_formed_between_characters() {
        for Pattern { name, bytes } in ill_formed() {
            for around in ["", "A", "\u{E9}", "\u{20AC}", "\u{1F600}"] {
                let text = [around.as_bytes(), &bytes, around.as_bytes()].concat();
                assert!(core::str::from_utf8(&text).is_err(), "{name} between {around:?}");
            }
        }
    }
}
