//! Encoding without the tables of `legacy-tables`: the code of a character is searched for
//! once and kept, so that only the first one of a kind is slow.

use core::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use super::Legacy;
use super::character::{encode, is_folded};
use super::lacking::Run;
use super::learned_pairs::{OF_PAIRS, place_of_pairs};
use super::rows::SINGLE_BYTES;
use super::table::{AT_ONCE, copy_ascii, len_in_utf8};
use crate::engine::fast_path::{utf8_to_utf16, utf16_to_latin1};
use crate::engine::progress::OnError;
use crate::engine::progress::OnLacking;

/// The codes of the characters up to U+FFFF.
static CODES: [[AtomicU16; 0x1_0000]; OF_PAIRS.len()] =
    [const { [const { AtomicU16::new(UNKNOWN) }; 0x1_0000] }; OF_PAIRS.len()];

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

fn place(legacy: Legacy) -> Option<Kept> {
    match place_of_pairs(legacy) {
        Some(pairs) => CODES.get(pairs).map(Kept::Pairs),
        None => BYTES.get(legacy as usize).map(Kept::Bytes),
    }
}

/// As [`encode_run`](super::run::encode_run), of well-formed text. `None` if the codes of the
/// encoding are not kept. Characters go by way of UTF-16, into which there is a kernel.
pub(super) fn encode_run(legacy: Legacy, src: &str, dst: &mut [u8], on_lacking: OnLacking) -> Option<Run> {
    let kept = place(legacy)?;
    let mut run = Run::default();
    let mut units = [[0; 2]; AT_ONCE];
    loop {
        let (rest, space) = (&src.as_bytes()[run.read..], &mut dst[run.written..]);
        let ascii = copy_ascii(rest, space);
        run.read += ascii;
        run.written += ascii;
        let (rest, space) = (&rest[ascii..], &mut space[ascii..]);
        let piece = &rest[..rest.len().min(AT_ONCE)];
        let done = utf8_to_utf16(piece, units.as_flattened_mut(), OnError::Stop).unpack();
        let units = &units[..done.written / 2];
        let (taken, written) = kept.write(units, space);
        run.written += written;
        if taken == units.len() && taken > 0 {
            run.read += done.read;
            continue;
        }
        run.read += units[..taken].iter().map(len_in_utf8).sum::<usize>();
        // One that is not known yet, has a long code or none, or for which there is no space.
        let Some(c) = src[run.read..].chars().next() else { break };
        if !write_one(legacy, kept, c, dst, &mut run, on_lacking) {
            break;
        }
    }
    Some(run)
}

/// As [`encode_run`], of UTF-16LE. It stops before a lone surrogate.
pub(super) fn encode_units(legacy: Legacy, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> Run {
    let mut run = Run::default();
    let Some(kept) = place(legacy) else { return run };
    let units = src.as_chunks::<2>().0;
    loop {
        let ascii = copy_ascii_units(&units[run.read / 2..], &mut dst[run.written..]);
        run.read += 2 * ascii;
        run.written += ascii;
        let rest = &units[run.read / 2..];
        // A piece, after which there may be US-ASCII again.
        let piece = &rest[..rest.len().min(AT_ONCE)];
        let (taken, written) = kept.write(piece, &mut dst[run.written..]);
        run.read += 2 * taken;
        run.written += written;
        if taken > 0 && taken == piece.len() {
            continue;
        }
        let mut next = rest[taken..].iter().take(2).map(|unit| u16::from_le_bytes(*unit));
        let Some(Ok(c)) = char::decode_utf16(&mut next).next() else { return run };
        let read = run.read + 2 * c.len_utf16();
        if !write_one(legacy, kept, c, dst, &mut run, on_lacking) {
            return run;
        }
        run.read = read;
    }
}

/// Copies the US-ASCII at the front, if there is enough to be worth it.
fn copy_ascii_units(units: &[[u8; 2]], dst: &mut [u8]) -> usize {
    let is_ascii = |block: &[[u8; 2]; 32]| block.iter().fold(0, |all, unit| all | u16::from_le_bytes(*unit)) < 0x80;
    let blocks = units.as_chunks().0.iter().take_while(|block| is_ascii(block)).count();
    utf16_to_latin1(units[..32 * blocks].as_flattened(), dst, OnError::Stop).unpack().written
}

impl Kept {
    /// Writes the codes of the units at the front that are known. Returns how many these are, and
    /// the number of bytes written. The rest of `dst` is unspecified.
    fn write(self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        match self {
            Kept::Pairs(codes) => write_pairs(codes, units, dst),
            Kept::Bytes(bytes) => write_bytes(bytes, units, dst),
        }
    }
}

fn write_pairs(codes: &[AtomicU16; 0x1_0000], units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    let mut written = 0;
    for (taken, unit) in units.iter().enumerate() {
        let code = codes[usize::from(u16::from_le_bytes(*unit))].load(Ordering::Relaxed);
        let Some(to) = dst[written..].first_chunk_mut().filter(|_| code != UNKNOWN && code < LONG) else {
            return (taken, written);
        };
        // The second byte of one is written over.
        let is_pair = code > 0xFF;
        *to = if is_pair { code } else { code << 8 }.to_be_bytes();
        written += 1 + usize::from(is_pair);
    }
    (units.len(), written)
}

fn write_bytes(bytes: &[AtomicU32; 256], units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    // Four at a time, without a branch for each: compilers seldom unroll where they optimise for size.
    let mut taken = 0;
    for (units, to) in units.as_chunks::<4>().0.iter().zip(dst.as_chunks_mut::<4>().0) {
        let [a, b, c, d] = *units;
        let [a, b, c, d] = [byte(bytes, a), byte(bytes, b), byte(bytes, c), byte(bytes, d)];
        if a | b | c | d > 0xFF {
            break;
        }
        *to = [a as u8, b as u8, c as u8, d as u8];
        taken += 4;
    }
    for (unit, to) in units[taken..].iter().zip(&mut dst[taken..]) {
        let byte = byte(bytes, *unit);
        if byte > 0xFF {
            break;
        }
        *to = byte as u8;
        taken += 1;
    }
    (taken, taken)
}

/// The byte of a unit, or more than FF if it is not known.
#[inline(always)]
fn byte(bytes: &[AtomicU32; 256], unit: [u8; 2]) -> u32 {
    let unit = u32::from(u16::from_le_bytes(unit));
    // The character is in the higher bits.
    let known = bytes[unit as usize & 0xFF].load(Ordering::Relaxed) ^ unit << 8;
    if unit < 0x80 { unit } else { known }
}

/// Writes a character, or does with it as `on_lacking` says. Returns false if the run ends before
/// it.
#[inline(never)]
fn write_one(legacy: Legacy, kept: Kept, c: char, dst: &mut [u8], run: &mut Run, on_lacking: OnLacking) -> bool {
    let code = code(legacy, kept, c);
    let (short, long);
    let bytes = match code {
        LACKING => return run.pass(c, b'?', dst, on_lacking),
        LONG => {
            long = encode(legacy, c.into());
            long.as_ref().map_or(&[][..], |long| long.as_slice())
        }
        _ => {
            short = code.to_be_bytes();
            &short[usize::from(code < 0x100)..]
        }
    };
    let Some(to) = dst.get_mut(run.written..run.written + bytes.len()) else { return false };
    to.copy_from_slice(bytes);
    run.written += bytes.len();
    run.read += c.len_utf8();
    true
}

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
        Kept::Bytes(_) if c.is_ascii() => c as u16,
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
    use alloc::vec::Vec;

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
                    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                    let mut by_units = vec![0; 16];
                    let other = encode_units(legacy, &units, &mut by_units, OnLacking::Stop);
                    assert_eq!((other.written, other.stopped_by), (run.written, run.stopped_by), "{legacy} {c:?}");
                    assert_eq!(by_units[..run.written], dst[..run.written], "{legacy} {c:?}");
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
