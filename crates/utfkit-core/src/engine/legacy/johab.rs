//! Johab, KS X 1001 annex 3: code page 1361. US-ASCII, Hangul put together of
//! its letters, and the signs and hanja of KS X 1001 moved to where there is
//! space.
//!
//! ```text
//! Hangul      1iiiiimm mmmfffff   84–D3, initial, medial and final letter
//! signs       two rows of KS X 1001, 2121–2C7E, for each lead byte D9–DE
//! hanja       the same, 4A21–7D7E, for each lead byte E0–F9
//!             trail bytes 31–7E and 91–A0: the first row; A1–FE: the second
//! ```
//!
//! A letter alone has the filling of the other two. A consonant alone is written as
//! an initial letter, if it can be one.

use super::iso_2022_kr::{in_ks_x_1001, ks_x_1001};
use super::lacking::Run;
use crate::engine::progress::OnLacking;
use crate::engine::text::well_formed_front;
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::ascii::ascii_prefix;
use utfkit_forms::scalar::{Decoded, Encoded};

/// The filling, where a letter is missing.
const NO_INITIAL: u16 = 1;
const NO_MEDIAL: u16 = 2;
const NO_FINAL: u16 = 1;

/// U+3131–U+314E, the consonants in the order of Unicode: which of the initial
/// letters each is, from 1, and which of the final ones.
#[rustfmt::skip]
const CONSONANTS: [(u8, u8); 30] = [
    (1, 1), (2, 2), (0, 3), (3, 4), (0, 5), (0, 6), (4, 7), (5, 0), (6, 8), (0, 9),
    (0, 10), (0, 11), (0, 12), (0, 13), (0, 14), (0, 15), (7, 16), (8, 17), (9, 0), (0, 18),
    (10, 19), (11, 20), (12, 21), (13, 22), (14, 0), (15, 23), (16, 24), (17, 25), (18, 26), (19, 27),
];

const MEDIALS: u32 = 21;
/// With none.
const FINALS: u32 = 28;
const FIRST_SYLLABLE: u32 = 0xAC00;
const LAST_SYLLABLE: u32 = 0xD7A3;
const FIRST_CONSONANT: u32 = 0x3131;
const FIRST_VOWEL: u32 = 0x314F;

/// A letter by its five bits, from 0: `Some(None)` is the filling.
fn initial(bits: u16) -> Option<Option<u32>> {
    match bits {
        NO_INITIAL => Some(None),
        2..=20 => Some(Some((bits - 2).into())),
        _ => None,
    }
}

/// Two codes of eight have no letter.
fn medial(bits: u16) -> Option<Option<u32>> {
    match bits {
        NO_MEDIAL => Some(None),
        3..=29 if bits & 7 > 1 => Some(Some(u32::from(bits - 3 - 2 * (bits >> 3)))),
        _ => None,
    }
}

fn final_letter(bits: u16) -> Option<Option<u32>> {
    match bits {
        NO_FINAL => Some(None),
        2..=17 => Some(Some((bits - 2).into())),
        19..=29 => Some(Some((bits - 3).into())),
        _ => None,
    }
}

/// The other way round.
fn medial_bits(medial: u32) -> u32 {
    medial + 3 + 2 * ((medial + 1) / 6)
}

fn final_bits(last: u32) -> u32 {
    last + 2 + u32::from(last >= 16)
}

fn hangul(code: u16) -> Option<u32> {
    let letters = (initial(code >> 10 & 0x1F)?, medial(code >> 5 & 0x1F)?, final_letter(code & 0x1F)?);
    let consonant = |is_it: &dyn Fn(u8, u8) -> bool| {
        let at = CONSONANTS.iter().position(|(first, last)| is_it(*first, *last))?;
        Some(FIRST_CONSONANT + at as u32)
    };
    match letters {
        (Some(first), Some(middle), last) => {
            let last = if let Some(last) = last { last + 1 } else { 0 };
            Some(FIRST_SYLLABLE + (first * MEDIALS + middle) * FINALS + last)
        }
        (Some(first), None, None) => consonant(&|this, _| u32::from(this) == first + 1),
        (None, Some(middle), None) => Some(FIRST_VOWEL + middle),
        (None, None, Some(last)) => consonant(&|first, this| first == 0 && u32::from(this) == last + 1),
        _ => None,
    }
}

fn hangul_code(value: u32) -> Option<u32> {
    let code = |first: u32, middle: u32, last: u32| 0x8000 | first << 10 | middle << 5 | last;
    let (no_initial, no_medial, no_final) = (NO_INITIAL.into(), NO_MEDIAL.into(), NO_FINAL.into());
    Some(match value {
        FIRST_SYLLABLE..=LAST_SYLLABLE => {
            let (syllable, last) = ((value - FIRST_SYLLABLE) / FINALS, (value - FIRST_SYLLABLE) % FINALS);
            let last = if last == 0 { no_final } else { final_bits(last - 1) };
            code(syllable / MEDIALS + 2, medial_bits(syllable % MEDIALS), last)
        }
        FIRST_CONSONANT..FIRST_VOWEL => match CONSONANTS[(value - FIRST_CONSONANT) as usize] {
            (0, last) => code(no_initial, no_medial, final_bits(u32::from(last) - 1)),
            (first, _) => code(u32::from(first) + 1, no_medial, no_final),
        },
        FIRST_VOWEL..0x3164 => code(no_initial, medial_bits(value - FIRST_VOWEL), no_final),
        _ => return None,
    })
}

/// The character of two bytes, the first from 80.
fn pair(lead: u8, trail: u8) -> Option<u32> {
    if lead <= 0xD3 {
        return hangul(u16::from_be_bytes([lead, trail]));
    }
    let first_row = match lead {
        0xD9..=0xDE => 2 * (lead - 0xD9) + 0x21,
        0xE0..=0xF9 => 2 * (lead - 0xE0) + 0x4A,
        _ => return None,
    };
    let (row, cell) = match trail {
        0x31..=0x7E => (first_row, trail - 0x31 + 0x21),
        0x91..=0xA0 => (first_row, trail - 0x91 + 0x6F),
        0xA1..=0xFE => (first_row + 1, trail & 0x7F),
        _ => return None,
    };
    // The letters that Hangul above has.
    ks_x_1001(row, cell).filter(|value| !(FIRST_CONSONANT..0x3164).contains(value))
}

/// Decodes the front of `src`, which is not empty.
pub(super) fn decode(src: &[u8]) -> Decoded {
    match *src {
        [byte @ 0..=0x7F, ..] => Decoded::Value { value: byte.into(), len: 1 },
        [0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9] => Decoded::Unfinished { kind: ErrorKind::Truncated, len: 1 },
        [lead @ (0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9), trail, ..] => match pair(lead, trail) {
            Some(value) => Decoded::Value { value, len: 2 },
            // US-ASCII is spared, as in EUC-KR.
            None => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: if trail < 0x80 { 1 } else { 2 } },
        },
        _ => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
    }
}

/// The bytes of `value`.
pub(super) fn encode(value: u32) -> Option<Encoded<u8>> {
    if value < 0x80 {
        return Some(Encoded::from_slice(&[value as u8]));
    }
    if let Some(code) = hangul_code(value) {
        return Some(Encoded::from_slice(&[(code >> 8) as u8, code as u8]));
    }
    let [row, cell] = in_ks_x_1001(value)?;
    let (lead, first_row) = match row {
        0x21..=0x2C => (0xD9 + (row - 0x21) / 2, 0x21),
        0x4A..=0x7D => (0xE0 + (row - 0x4A) / 2, 0x4A),
        _ => return None,
    };
    let trail = match (row - first_row) % 2 {
        1 => cell | 0x80,
        _ if cell < 0x6F => cell - 0x21 + 0x31,
        _ => cell - 0x6F + 0x91,
    };
    Some(Encoded::from_slice(&[lead, trail]))
}

/// See [`decode_run`](super::run::decode_run).
pub(super) fn decode_run(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let ascii = copy_ascii(&src[read..], &mut dst[written..]);
        (read, written) = (read + ascii, written + ascii);
        if read == src.len() {
            break;
        }
        let Decoded::Value { value, len } = decode(&src[read..]) else { break };
        let Some(c) = char::from_u32(value) else { break };
        let Some(space) = dst.get_mut(written..written + c.len_utf8()) else { break };
        c.encode_utf8(space);
        (read, written) = (read + len, written + c.len_utf8());
    }
    (read, written)
}

/// See [`encode_run`](super::run::encode_run).
pub(super) fn encode_run(src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> Run {
    let src = well_formed_front(src);
    let mut run = Run::default();
    loop {
        let ascii = copy_ascii(&src.as_bytes()[run.read..], &mut dst[run.written..]);
        run.read += ascii;
        run.written += ascii;
        let Some(c) = src[run.read..].chars().next() else { return run };
        match encode(c.into()) {
            Some(bytes) => {
                let bytes = bytes.as_slice();
                let Some(space) = dst.get_mut(run.written..run.written + bytes.len()) else { return run };
                space.copy_from_slice(bytes);
                run.read += c.len_utf8();
                run.written += bytes.len();
            }
            None if run.pass(c, b'?', dst, on_lacking) => {}
            None => return run,
        }
    }
}

fn copy_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    let len = ascii_prefix(&src[..src.len().min(dst.len())]);
    dst[..len].copy_from_slice(&src[..len]);
    len
}
