//! A lower bound of the errors in multibyte encodings, by the ranges of their bytes alone.

use utfkit_core::{Encoding, Legacy};

/// Roles of a byte in a character.
const LEAD: u8 = 1;
const TRAIL: u8 = 2;
const SINGLE: u8 = 4;

/// The roles of each byte, from inclusive ranges.
const fn roles(ranges: &[(u8, u8, u8)]) -> [u8; 256] {
    let mut roles = [0; 256];
    let mut i = 0;
    while i < ranges.len() {
        let (first, last, role) = ranges[i];
        let mut byte = first as usize;
        while byte <= last as usize {
            roles[byte] |= role;
            byte += 1;
        }
        i += 1;
    }
    roles
}

static SHIFT_JIS: [u8; 256] = roles(&[
    (0x81, 0x9F, LEAD),
    (0xE0, 0xFC, LEAD),
    (0x40, 0x7E, TRAIL),
    (0x80, 0xFC, TRAIL),
    (0x80, 0x80, SINGLE),
    (0xA1, 0xDF, SINGLE),
]);
static EUC_JP: [u8; 256] = roles(&[(0x8E, 0x8F, LEAD), (0xA1, 0xFE, LEAD | TRAIL)]);
static GBK: [u8; 256] = roles(&[(0x81, 0xFE, LEAD), (0x40, 0x7E, TRAIL), (0x80, 0xFE, TRAIL), (0x80, 0x80, SINGLE)]);
static BIG5: [u8; 256] = roles(&[(0x81, 0xFE, LEAD), (0x40, 0x7E, TRAIL), (0xA1, 0xFE, TRAIL)]);
static EUC_KR: [u8; 256] = roles(&[(0x81, 0xFE, LEAD), (0x41, 0xFE, TRAIL)]);
static JOHAB: [u8; 256] =
    roles(&[(0x84, 0xD3, LEAD), (0xD9, 0xDE, LEAD), (0xE0, 0xF9, LEAD), (0x31, 0x7E, TRAIL), (0x81, 0xFE, TRAIL)]);

/// Counts sequences of `bytes`, which begin at a character, that are ill-formed in an
/// encoding: at least those whose bytes are out of range, not unassigned pairs. Every
/// sequence ends where the decoder ends it, so that both continue at the same byte.
/// Stops counting above `limit`.
pub(in crate::detect) fn min_errors(encoding: Encoding, bytes: &[u8], limit: u64) -> u64 {
    let Encoding::Legacy(legacy) = encoding else { return 0 };
    let roles = match legacy {
        Legacy::ShiftJis => &SHIFT_JIS,
        Legacy::EucJp => &EUC_JP,
        Legacy::Gbk | Legacy::Gb18030 => &GBK,
        Legacy::Big5 => &BIG5,
        Legacy::EucKr => &EUC_KR,
        Legacy::Johab => &JOHAB,
        _ => return 0,
    };
    let is = |role: u8, byte: u8| roles[usize::from(byte)] & role != 0;
    let mut count = 0;
    let mut at = 0;
    while let Some(&lead) = bytes.get(at)
        && count <= limit
    {
        let Some(&trail) = bytes.get(at + 1).filter(|_| is(LEAD, lead)) else {
            // Truncated by the end.
            let is_lead = is(LEAD, lead);
            count += u64::from(!lead.is_ascii() && !is_lead && !is(SINGLE, lead));
            at += 1;
            continue;
        };
        at += match (legacy, &bytes[at..]) {
            (Legacy::EucJp, [0x8F, 0xA1..=0xFE, 0xA1..=0xFE, ..] | [0x8F, 0xA1..=0xFE]) => 3,
            (Legacy::EucJp, [0x8F, 0xA1..=0xFE, third, ..]) => {
                count += 1;
                if third.is_ascii() { 2 } else { 3 }
            }
            _ if is(TRAIL, trail) => 2,
            (Legacy::Gbk | Legacy::Gb18030, [_, 0x30..=0x39, 0x81..=0xFE, 0x30..=0x39, ..]) => 4,
            (Legacy::Gbk | Legacy::Gb18030, rest @ ([_, 0x30..=0x39, 0x81..=0xFE] | [_, 0x30..=0x39])) => rest.len(),
            _ => {
                count += 1;
                if trail.is_ascii() { 1 } else { 2 }
            }
        };
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use utfkit_core::{Policy, Status, Transcoder};

    /// The errors that the decoder finds; a truncated character is none.
    fn ill_formed(encoding: Encoding, mut src: &[u8]) -> u64 {
        let mut decoder = Transcoder::new(encoding, Encoding::Utf8, Policy::Strict);
        let mut out = [0; 4096];
        let mut count = 0;
        loop {
            let step = decoder.transcode(src, &mut out, false);
            src = &src[step.read..];
            match step.status {
                Status::OutputFull => {}
                Status::InputEmpty => return count,
                Status::IllFormed(_) => count += 1,
            }
        }
    }

    #[test]
    fn no_more_than_the_decoder_finds() {
        let labels = ["Shift_JIS", "EUC-JP", "GBK", "gb18030", "Big5", "EUC-KR", "Johab"];
        let mut state = 7_u32;
        let mut some = [0; 7];
        for round in 0..2000 {
            let bytes: Vec<u8> = (0..round % 40 + 2)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let byte = (state >> 24) as u8;
                    // Of US-ASCII only trail bytes matter.
                    if byte < 0x60 { [b'0', b' ', b'a', 0x7F][usize::from(byte) % 4] } else { byte }
                })
                .collect();
            for (label, some) in labels.into_iter().zip(&mut some) {
                let encoding = Encoding::for_label(label).unwrap();
                let (least, all) = (min_errors(encoding, &bytes, u64::MAX), ill_formed(encoding, &bytes));
                assert!(least <= all, "{label} {bytes:02X?}: {least} {all}");
                *some += least;
            }
        }
        assert!(some.into_iter().all(|count| count > 1000), "{some:?}");
    }
}
