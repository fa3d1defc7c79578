//! Encoding without the tables of `legacy-tables`: the code of a character is searched for
//! once and kept, so that only the first one of a kind is slow.

use core::sync::atomic::{AtomicU16, Ordering};

use super::Legacy;
use super::character::{encode, is_folded};
use super::lacking::{OnLacking, Run};
use crate::engine::scalar::ascii::ascii_prefix;

/// The codes of the characters up to U+FFFF.
static CODES: [[AtomicU16; 0x1_0000]; ENCODINGS] =
    [const { [const { AtomicU16::new(UNKNOWN) }; 0x1_0000] }; ENCODINGS];
const ENCODINGS: usize = 6;

/// The code was not searched for yet. No character but U+0000 has it.
const UNKNOWN: u16 = 0;
/// The encoding lacks the character. No code begins with FF.
const LACKING: u16 = 0xFFFF;
/// The code has more than two bytes.
const LONG: u16 = 0xFFFE;

/// The place of the codes of an encoding whose characters have up to two bytes, or more in
/// GB 18030.
fn place(legacy: Legacy) -> Option<&'static [AtomicU16; 0x1_0000]> {
    CODES.get(match legacy {
        Legacy::Big5 => 0,
        Legacy::EucJp => 1,
        Legacy::EucKr => 2,
        Legacy::ShiftJis => 3,
        Legacy::Gbk => 4,
        Legacy::Gb18030 => 5,
        _ => return None,
    })
}

/// As [`encode_run`](super::run::encode_run), of well-formed text. `None` if the codes of the
/// encoding are not kept.
pub(super) fn encode_run(legacy: Legacy, src: &str, dst: &mut [u8], on_lacking: OnLacking) -> Option<Run> {
    let codes = place(legacy)?;
    let mut run = Run::default();
    while let Some(c) = src[run.read..].chars().next() {
        let space = &mut dst[run.written..];
        if c.is_ascii() {
            let rest = &src.as_bytes()[run.read..];
            let len = ascii_prefix(&rest[..rest.len().min(space.len())]);
            if len == 0 {
                break;
            }
            space[..len].copy_from_slice(&rest[..len]);
            run.read += len;
            run.written += len;
            continue;
        }
        let code = code(legacy, codes, c);
        if code < LONG {
            let bytes = code.to_be_bytes();
            let bytes = if code < 0x100 { &bytes[1..] } else { &bytes[..] };
            let Some(place) = space.get_mut(..bytes.len()) else { break };
            place.copy_from_slice(bytes);
            run.written += bytes.len();
            run.read += c.len_utf8();
        } else if code == LONG {
            let Some(long) = encode(legacy, c.into()) else { break };
            let Some(place) = space.get_mut(..long.as_slice().len()) else { break };
            place.copy_from_slice(long.as_slice());
            run.written += long.as_slice().len();
            run.read += c.len_utf8();
        } else if !run.pass(c, b'?', dst, on_lacking) {
            break;
        }
    }
    Some(run)
}

/// The code, or [`LACKING`], or [`LONG`].
fn code(legacy: Legacy, codes: &[AtomicU16; 0x1_0000], c: char) -> u16 {
    let Some(entry) = codes.get(c as usize) else {
        return search(legacy, c);
    };
    // Entries do not depend on each other, and filling one in twice writes the same: no order
    // is needed.
    let mut code = entry.load(Ordering::Relaxed);
    if code == UNKNOWN {
        code = search(legacy, c);
        entry.store(code, Ordering::Relaxed);
    }
    code
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
