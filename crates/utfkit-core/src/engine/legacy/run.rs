//! Many characters at once, at the speed of `encoding_rs`.

use super::character::is_folded;
use super::lacking::Run;
use super::single_byte::{value, values};
use super::{Legacy, johab, table};
use crate::engine::fast_path::latin1_to_utf8;
use crate::engine::progress::{OnError, OnLacking};
use crate::engine::text::well_formed_front;
use encoding_rs::{DecoderResult, EncoderResult};

/// Decodes the front of `src` into UTF-8 in `dst`. Returns the bytes read
/// and written: both end with a character. It stops before an ill-formed or
/// unfinished sequence; for lack of space it may stop a few bytes early. The rest of
/// `dst` is unspecified.
///
/// In an encoding with states nothing is read.
pub(super) fn decode_run(legacy: Legacy, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if let Some(page) = legacy.page() {
        return page.decode_run(src, dst);
    }
    if matches!(legacy, Legacy::Johab) {
        return johab::decode_run(src, dst);
    }
    if !cfg!(target_family = "wasm") && matches!(legacy, Legacy::Windows1252) && src.len() >= WORTH_A_KERNEL {
        return windows_1252(src, dst);
    }
    by_table_or_codec(legacy, src, dst)
}

/// As [`decode_run`], of an encoding of the Encoding Standard.
fn by_table_or_codec(legacy: Legacy, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if legacy.is_single_byte() && is_worth_a_table(src) {
        return table::to_utf8(&values(legacy), legacy.is_ascii_compatible(), src, dst);
    }
    #[cfg(not(feature = "legacy-tables"))]
    if let Some(learned) = super::learned_pairs::Learned::new(legacy) {
        return learned.to_utf8(src, dst);
    }
    let Some(codec) = legacy.web().filter(|_| !legacy.has_states()) else {
        return (0, 0);
    };
    let mut decoder = codec.new_decoder_without_bom_handling();
    let (result, read, written) = decoder.decode_to_utf8_without_replacement(src, dst, false);
    let left = match result {
        // The bytes at error, and those after it that it was told by.
        DecoderResult::Malformed(len, more) => len + more,
        // The decoder may have taken the beginning of a character: how much of
        // it, it says when there is no more.
        DecoderResult::InputEmpty | DecoderResult::OutputFull => {
            match decoder.decode_to_utf8_without_replacement(&[], &mut [0; 16], true) {
                (DecoderResult::Malformed(len, more), ..) => len + more,
                _ => 0,
            }
        }
    };
    (read - usize::from(left), written)
}

/// The least number of bytes from windows-1252 that a kernel converts. In WebAssembly a table is as fast.
const WORTH_A_KERNEL: usize = 512;

/// Decodes windows-1252. It is ISO-8859-1 but for 80 to 9F, which long stretches of a text lack.
fn windows_1252(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let (rest, space) = (&src[read..], &mut dst[written..]);
        let is_latin1 = |block: &&[u8]| !block.iter().fold(false, |any, byte| any | (byte & 0xE0 == 0x80));
        let len = |blocks: usize| rest.len().min(blocks * WORTH_A_KERNEL);
        let latin1 = len(rest.chunks(WORTH_A_KERNEL).take_while(is_latin1).count());
        let (asked, done) = if latin1 > 0 {
            let done = latin1_to_utf8(&rest[..latin1], space, OnError::Stop).unpack();
            (latin1, (done.read, done.written))
        } else {
            let other = len(rest.chunks(WORTH_A_KERNEL).take_while(|block| !is_latin1(block)).count());
            (other, by_table_or_codec(Legacy::Windows1252, &rest[..other], space))
        };
        (read, written) = (read + done.0, written + done.1);
        if done.0 < asked {
            break;
        }
    }
    (read, written)
}

/// The least number of bytes for which all values of a table are looked up.
const WORTH_A_TABLE: usize = 256;

/// True if the table is faster than the codec, which copies US-ASCII fast where it has vectors:
/// not in WebAssembly.
fn is_worth_a_table(src: &[u8]) -> bool {
    let Some(front) = src.first_chunk::<WORTH_A_TABLE>() else { return false };
    cfg!(target_family = "wasm") || front.iter().filter(|byte| **byte >= 0x80).count() >= WORTH_A_TABLE / 4
}

/// True for encodings that [`decode_to_utf16`] decodes.
pub(super) const fn decodes_to_utf16(legacy: Legacy) -> bool {
    legacy.is_single_byte() || encodes_utf16(legacy)
}

/// True for encodings into which [`encode_utf16`] encodes.
pub(super) const fn encodes_utf16(legacy: Legacy) -> bool {
    legacy.has_states() || cfg!(not(feature = "legacy-tables")) && legacy.web().is_some()
}

/// As [`decode_run`], into UTF-16LE and for encodings that [`decodes_to_utf16`] names.
pub(super) fn decode_to_utf16(legacy: Legacy, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    #[cfg(not(feature = "legacy-tables"))]
    if let Some(learned) = super::learned_pairs::Learned::new(legacy) {
        return learned.to_utf16(src, dst);
    }
    let read = match legacy.page() {
        Some(page) => table::to_utf16(page.values(), src, dst),
        None if !cfg!(target_family = "wasm") && src.len() < WORTH_A_TABLE => short_to_utf16(legacy, src, dst),
        None => table::to_utf16(&values(legacy), src, dst),
    };
    (read, 2 * read)
}

/// As [`table::to_utf16`], without a table.
fn short_to_utf16(legacy: Legacy, src: &[u8], dst: &mut [u8]) -> usize {
    let mut read = 0;
    for (byte, unit) in src.iter().zip(dst.as_chunks_mut::<2>().0) {
        let Some(value) = value(legacy, *byte) else { break };
        *unit = (value as u16).to_le_bytes();
        read += 1;
    }
    read
}

/// As [`encode_run`], from UTF-16LE and for encodings that [`encodes_utf16`] names.
#[cfg(not(feature = "legacy-tables"))]
pub(super) use super::learned::encode_units as encode_utf16;
#[cfg(feature = "legacy-tables")]
pub(super) fn encode_utf16(_: Legacy, _: &[u8], _: &mut [u8], _: OnLacking) -> Run {
    Run::default()
}

/// Encodes the front of `src`, which is UTF-8, into `dst`. The bytes read and written
/// end with a character. It stops before an ill-formed or unfinished sequence; for
/// lack of space it may stop a few bytes early. The rest of `dst` is unspecified.
///
/// In an encoding with states nothing is read.
pub(super) fn encode_run(legacy: Legacy, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> Run {
    let mut run = Run::default();
    if let Some(page) = legacy.page() {
        return page.encode_run(src, dst, on_lacking);
    }
    if matches!(legacy, Legacy::Johab) {
        return johab::encode_run(src, dst, on_lacking);
    }
    let Some(codec) = legacy.web().filter(|_| !legacy.has_states()) else {
        return run;
    };
    let src = well_formed_front(src);
    #[cfg(not(feature = "legacy-tables"))]
    if let Some(run) = super::learned::encode_run(legacy, src, dst, on_lacking) {
        return run;
    }
    let mut encoder = codec.new_encoder();
    let mut certain = first_folded(legacy, src, 0);
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(&src[run.read..certain], &mut dst[run.written..], true);
        run.read += read;
        run.written += written;
        let lacking = match result {
            EncoderResult::Unmappable(c) => {
                run.read -= c.len_utf8();
                Some(c)
            }
            EncoderResult::InputEmpty => src[certain..].chars().next(),
            EncoderResult::OutputFull => None,
        };
        let Some(c) = lacking else { return run };
        if !run.pass(c, b'?', dst, on_lacking) {
            return run;
        }
        if run.read > certain {
            certain = first_folded(legacy, src, run.read);
        }
    }
}

/// The bytes that are looked through at once.
const BLOCK: usize = 64;

/// The offset of the first character from `from` on that is [folded](is_folded), or
/// the end.
fn first_folded(legacy: Legacy, src: &str, from: usize) -> usize {
    // They begin with one of two bytes, which are rare: a block that has none is
    // dealt with in a few instructions.
    let leads = match legacy {
        Legacy::EucJp | Legacy::ShiftJis => [0xC2, 0xE2],
        Legacy::Gbk | Legacy::Gb18030 => [0xEE, 0xEE],
        _ => return src.len(),
    };
    let is_lead = |byte: &u8| (*byte == leads[0]) | (*byte == leads[1]);
    let has_lead = |block: &[u8; BLOCK]| block.iter().fold(false, |any, byte| any | is_lead(byte));
    for (block, start) in src.as_bytes()[from..].chunks(BLOCK).zip((from..).step_by(BLOCK)) {
        let has_one = match <&[u8; BLOCK]>::try_from(block).ok() {
            Some(block) => has_lead(block),
            None => {
                let mut padded = [0; BLOCK];
                padded[..block.len()].copy_from_slice(block);
                has_lead(&padded)
            }
        };
        if !has_one {
            continue;
        }
        for (word, start) in block.chunks(8).zip((start..).step_by(8)) {
            if !word.iter().fold(false, |any, byte| any | is_lead(byte)) {
                continue;
            }
            for (at, _) in word.iter().enumerate().filter(|(_, byte)| is_lead(byte)) {
                let c = src.get(start + at..).and_then(|rest| rest.chars().next());
                if c.is_some_and(|c| is_folded(legacy, c.into())) {
                    return start + at;
                }
            }
        }
    }
    src.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// Stretches without the bytes from 80 to 9F go by a kernel, the others by a table or the codec.
    #[test]
    fn windows_1252_in_stretches_is_as_by_single_bytes() {
        let by_bytes = |bytes: &[u8]| -> String {
            bytes.iter().map(|&byte| Legacy::Windows1252.value(byte).and_then(char::from_u32).unwrap()).collect()
        };
        let dense = [b'a', b' ', 0xE9, b'\n', 0xFF, 0xA0, b'z'];
        let sparse = *b"Le caf\xE9 est ferm\xE9 le lundi.\n";
        for (len, letters) in [511, 512, 513, 1024, 1025, 1600, 4096, 6000]
            .into_iter()
            .flat_map(|len| [(len, &dense[..]), (len, &sparse)])
        {
            for marks in [&[][..], &[0], &[len - 1], &[510, 511], &[len / 2], &[300, 1000, 5000]] {
                let mut bytes: Vec<u8> = letters.iter().copied().cycle().take(len).collect();
                for (&at, mark) in marks.iter().zip([0x80, 0x93, 0x9F]) {
                    if at < len {
                        bytes[at] = mark;
                    }
                }
                let text = by_bytes(&bytes);
                let mut dst = alloc::vec![0; 3 * len];
                let (read, written) = decode_run(Legacy::Windows1252, &bytes, &mut dst);
                assert_eq!((read, &dst[..written]), (len, text.as_bytes()), "{len} {marks:?}");
                // It stops at most a few bytes early where there is too little space.
                let space = text.len() / 2;
                let (read, written) = decode_run(Legacy::Windows1252, &bytes, &mut dst[..space]);
                assert_eq!(&dst[..written], &text.as_bytes()[..written], "{len} {marks:?}");
                assert_eq!(by_bytes(&bytes[..read]).len(), written, "{len} {marks:?}");
                assert!(written + 16 >= space, "{len} {marks:?}: {written} of {space}");
            }
        }
    }
}
