//! Encoding without the tables of `legacy-tables`: the code of a character is searched for
//! once and kept, so that only the first one of a kind is slow.

use core::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use super::Legacy;
use super::character::{encode, is_folded};
use super::lacking::{OnLacking, Run};
use super::rows::SINGLE_BYTES;
use super::table::copy_ascii;

/// The codes of the characters up to U+FFFF.
static CODES: [[AtomicU16; 0x1_0000]; ENCODINGS] = [const { [const { AtomicU16::new(UNKNOWN) }; 0x1_0000] }; ENCODINGS];
const ENCODINGS: usize = 6;

/// The code was not searched for yet. No character but U+0000 has it.
const UNKNOWN: u16 = 0;
/// The encoding lacks the character. No code begins with FF.
const LACKING: u16 = 0xFFFF;
/// The code has more than two bytes.
const LONG: u16 = 0xFFFE;

/// Characters with their byte in the lowest eight bits, by the last eight bits of the character:
/// those of an encoding with a byte a character seldom meet.
static BYTES: [[AtomicU32; 256]; SINGLE_BYTES] = [const { [const { AtomicU32::new(0) }; 256] }; SINGLE_BYTES];

/// Where the codes of an encoding are kept.
#[derive(Clone, Copy)]
enum Kept {
    Pairs(&'static [AtomicU16; 0x1_0000]),
    Bytes(&'static [AtomicU32; 256]),
}

/// The place of an encoding whose characters have up to two bytes, or more in GB 18030.
fn place(legacy: Legacy) -> Option<Kept> {
    let pairs = match legacy {
        Legacy::Big5 => 0,
        Legacy::EucJp => 1,
        Legacy::EucKr => 2,
        Legacy::ShiftJis => 3,
        Legacy::Gbk => 4,
        Legacy::Gb18030 => 5,
        _ => return BYTES.get(legacy as usize).map(Kept::Bytes),
    };
    CODES.get(pairs).map(Kept::Pairs)
}

/// As [`encode_run`](super::run::encode_run), of well-formed text. `None` if the codes of the
/// encoding are not kept.
pub(super) fn encode_run(legacy: Legacy, src: &str, dst: &mut [u8], on_lacking: OnLacking) -> Option<Run> {
    let kept = place(legacy)?;
    let mut run = Run::default();
    loop {
        run_of_codes(legacy, kept, src.as_bytes(), dst, &mut run);
        let Some(c) = src.get(run.read..).and_then(|rest| rest.chars().next()) else { break };
        let code = code(legacy, kept, c);
        if code < LONG {
            // There is no space for it.
            break;
        } else if code == LONG {
            let Some(long) = encode(legacy, c.into()) else { break };
            let Some(place) = dst.get_mut(run.written..).and_then(|dst| dst.get_mut(..long.as_slice().len())) else {
                break;
            };
            place.copy_from_slice(long.as_slice());
            run.written += long.as_slice().len();
            run.read += c.len_utf8();
        } else if !run.pass(c, b'?', dst, on_lacking) {
            break;
        }
    }
    Some(run)
}

/// Writes characters of one byte or two, up to another one or the end of the space. `src` is
/// well-formed UTF-8.
fn run_of_codes(legacy: Legacy, kept: Kept, src: &[u8], dst: &mut [u8], run: &mut Run) {
    let (mut read, mut written) = (run.read, run.written);
    loop {
        let ascii = copy_ascii(&src[read..], &mut dst[written..]);
        (read, written) = (read + ascii, written + ascii);
        // Before the next look at what may be a run of US-ASCII.
        for _ in 0..BETWEEN_RUNS {
            let (c, len) = match src[read..] {
                [a @ ..0x80, ..] => (u32::from(a), 1),
                [a @ ..0xE0, b, ..] => (u32::from(a & 0x1F) << 6 | u32::from(b & 0x3F), 2),
                [a @ ..0xF0, b, c, ..] => {
                    (u32::from(a & 0x0F) << 12 | u32::from(b & 0x3F) << 6 | u32::from(c & 0x3F), 3)
                }
                _ => {
                    (run.read, run.written) = (read, written);
                    return;
                }
            };
            let code = match char::from_u32(c) {
                Some(_) if c < 0x80 => c as u16,
                Some(c) => code(legacy, kept, c),
                None => LACKING,
            };
            match (code, &mut dst[written..]) {
                (0..0x100, [to, ..]) => {
                    *to = code as u8;
                    written += 1;
                }
                (0x100..LONG, [first, second, ..]) => {
                    [*first, *second] = code.to_be_bytes();
                    written += 2;
                }
                _ => {
                    (run.read, run.written) = (read, written);
                    return;
                }
            }
            read += len;
        }
    }
}

/// The characters after which the next run of US-ASCII is looked for.
const BETWEEN_RUNS: usize = 64;

/// The code, or [`LACKING`], or [`LONG`].
#[inline]
fn code(legacy: Legacy, kept: Kept, c: char) -> u16 {
    // Entries do not depend on each other, and filling one in twice writes the same: no order
    // is needed.
    match kept {
        Kept::Pairs(codes) => {
            let Some(entry) = codes.get(c as usize) else {
                return search(legacy, c);
            };
            let mut code = entry.load(Ordering::Relaxed);
            if code == UNKNOWN {
                code = search(legacy, c);
                entry.store(code, Ordering::Relaxed);
            }
            code
        }
        Kept::Bytes(bytes) => {
            let entry = &bytes[c as usize & 0xFF];
            let known = entry.load(Ordering::Relaxed);
            if known >> 8 == u32::from(c) {
                return known as u16 & 0xFF;
            }
            let code = search(legacy, c);
            if code < 0x100 {
                entry.store(u32::from(c) << 8 | u32::from(code), Ordering::Relaxed);
            }
            code
        }
    }
}

#[cold]
fn search(legacy: Legacy, c: char) -> u16 {
    let Some(bytes) = encode(legacy, c.into()).filter(|_| !is_folded(legacy, c.into())) else {
        return LACKING;
    };
    match *bytes.as_slice() {
        [byte] => byte.into(),
        [lead, trail] => u16::from_be_bytes([lead, trail]),
        _ => LONG,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// As the encoder of `encoding_rs` writes each character, and again when it is known.
    #[test]
    fn every_character_has_the_code_that_the_encoder_gives_it() {
        let legacies = Legacy::ALL.iter().filter(|legacy| place(**legacy).is_some() && legacy.page().is_none());
        for &legacy in legacies {
            let step = if matches!(legacy, Legacy::Big5 | Legacy::Gb18030) { 7 } else { 31 };
            let often = ('\u{80}'..='\u{2FF}').chain(('\u{300}'..=char::MAX).step_by(step));
            for c in often.chain(['€', '—', '漢', '가', '\u{E7C7}']) {
                let expected = encode(legacy, c.into()).filter(|_| !is_folded(legacy, c.into()));
                let text = alloc::format!("a{c}b");
                for _ in 0..2 {
                    let mut dst = vec![0; 16];
                    let run = encode_run(legacy, &text, &mut dst, OnLacking::Stop).unwrap_or_default();
                    match expected {
                        Some(code) => {
                            let all = [b"a", code.as_slice(), b"b"].concat();
                            assert_eq!((run.read, &dst[..run.written]), (text.len(), &all[..]), "{legacy} {c:?}");
                        }
                        None => assert_eq!((run.read, run.stopped_by), (1, Some(c.into())), "{legacy} {c:?}"),
                    }
                }
            }
        }
    }
}
