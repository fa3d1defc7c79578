//! UNICODE-1-1-UTF-8, RFC 2279 section 5: UTF-8 with the Hangul syllables of
//! Unicode 1.1, before Amendment 5 of ISO/IEC 10646 moved them.
//!
//! ```text
//! Unicode 1.1      today
//! U+3400–U+4DFF    6,656 of the syllables U+AC00–U+D7A3
//! U+AC00–U+D7A3    nothing was there
//! all others       the same
//! ```
//!
//! The sequences of U+3400–U+4DFF decode to syllables, and the sequences of
//! U+AC00–U+D7A3 are errors. The syllables that Unicode 1.1 lacked, and
//! today's U+3400–U+4DFF, which are CJK ideographs, cannot be written.

use super::utf8::Utf8;
use super::{Decoded, Encoded, Form};
use crate::ErrorKind;

/// UNICODE-1-1-UTF-8.
pub struct Unicode11;

/// The first Hangul syllable of Unicode 1.1 and the last one.
const THEN: (u32, u32) = (0x3400, 0x4DFF);

/// The first Hangul syllable of today and the last one.
const NOW: (u32, u32) = (0xAC00, 0xD7A3);

/// The syllables of Unicode 1.1 as they are today, in the order of their code points
/// then. Written by `data/hangul11.py`.
static HANGUL: [u16; (THEN.1 - THEN.0 + 1) as usize] = {
    let (units, rest) = include_bytes!("../../data/hangul11.bin").as_chunks::<2>();
    assert!(rest.is_empty() && units.len() == HANGUL.len());
    let (mut syllables, mut i) = ([0; HANGUL.len()], 0);
    while i < units.len() {
        syllables[i] = u16::from_le_bytes(units[i]);
        i += 1;
    }
    syllables
};

impl Form for Unicode11 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        match Utf8::decode(src) {
            Decoded::Value { value, len } if within(value, THEN) => {
                Decoded::Value { value: HANGUL[(value - THEN.0) as usize].into(), len }
            }
            Decoded::Value { value, len } if within(value, NOW) => {
                Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len }
            }
            other => other,
        }
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        if within(value, NOW) {
            Utf8::encode(THEN.0 + place(value as u16)? as u32)
        } else if within(value, THEN) {
            None
        } else {
            Utf8::encode(value)
        }
    }
}

const fn within(value: u32, (first, last): (u32, u32)) -> bool {
    first <= value && value <= last
}

/// The index of `syllable` in the table.
///
/// Unicode 1.1 had the syllables in three alphabetical lists, one after the
/// other, and a few out of place at the end. So the table is its own index: a
/// search by halves in each ascending run, some sixty comparisons, and no
/// second table in addition to the 13,312 bytes of this one.
fn place(syllable: u16) -> Option<usize> {
    RUNS.windows(2).find_map(|run| {
        let within_run = HANGUL[run[0]..run[1]].binary_search(&syllable).ok()?;
        Some(run[0] + within_run)
    })
}

/// Where an ascending run of the table begins, and its end.
const RUNS: [usize; RUN_COUNT + 1] = {
    let mut runs = [0; RUN_COUNT + 1];
    let (mut run, mut i) = (1, 1);
    while i < HANGUL.len() {
        if HANGUL[i] < HANGUL[i - 1] {
            runs[run] = i;
            run += 1;
        }
        i += 1;
    }
    runs[run] = HANGUL.len();
    runs
};

const RUN_COUNT: usize = {
    let (mut count, mut i) = (1, 1);
    while i < HANGUL.len() {
        count += (HANGUL[i] < HANGUL[i - 1]) as usize;
        i += 1;
    }
    count
};
