//! One character of the legacy encodings, by the tables of `encoding_rs`.

use super::Legacy;
use encoding_rs::{DecoderResult, EncoderResult};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::{Decoded, Encoded};

/// Decodes the sequence at the front of `src`, which begins with a byte from 80.
/// The second result is the second code point of the pairs of Big5 that have two; the
/// first one is then reported for the lead byte. The decoder gets the bytes one by
/// one until it produces a result.
pub(super) fn decode(legacy: Legacy, src: &[u8]) -> (Decoded, Option<u32>) {
    let Some(codec) = legacy.web() else {
        return (Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 }, None);
    };
    let mut decoder = codec.new_decoder_without_bom_handling();
    for (at, byte) in src.iter().enumerate() {
        let mut out = [0; 8];
        let (result, _, written) =
            decoder.decode_to_utf8_without_replacement(core::slice::from_ref(byte), &mut out, false);
        if let DecoderResult::Malformed(len, _) = result {
            let kind = if at == 0 { ErrorKind::InvalidByte } else { ErrorKind::InvalidSequence };
            return (Decoded::IllFormed { kind, len: len.into() }, None);
        }
        let mut values = core::str::from_utf8(&out[..written]).unwrap_or_default().chars().map(u32::from);
        if let Some(value) = values.next() {
            let second = values.next();
            return (Decoded::Value { value, len: if second.is_some() { at } else { at + 1 } }, second);
        }
    }
    (Decoded::Unfinished { kind: ErrorKind::Truncated, len: src.len() }, None)
}

/// The character of two bytes of an encoding of the Encoding Standard, where it is
/// one.
pub(super) fn pair(legacy: Legacy, bytes: [u8; 2]) -> Option<u32> {
    let mut decoder = legacy.web()?.new_decoder_without_bom_handling();
    let mut out = [0; 8];
    let (DecoderResult::InputEmpty, _, written) = decoder.decode_to_utf8_without_replacement(&bytes, &mut out, true)
    else {
        return None;
    };
    only(&out[..written])
}

/// The character of a text of one below U+10000. The decoder into UTF-16 would tell as much, and
/// is as large as the one into UTF-8, which is needed anyway.
pub(super) fn only(text: &[u8]) -> Option<u32> {
    let mut chars = core::str::from_utf8(text).ok()?.chars();
    let first = u32::from(chars.next()?);
    (first < 0x1_0000 && chars.next().is_none()).then_some(first)
}

/// True if the Encoding Standard writes `value` as another character: the yen sign as
/// a backslash, katakana of half width as katakana of full width. It would not be read
/// back, so here the encoding lacks it.
pub(super) const fn is_folded(legacy: Legacy, value: u32) -> bool {
    match legacy {
        Legacy::EucJp | Legacy::ShiftJis => matches!(value, 0xA5 | 0x203E | 0x2212),
        Legacy::Iso2022Jp => matches!(value, 0x2212 | 0xFF61..=0xFF9F),
        // Places for private use that GB 18030-2022 moved to real characters.
        Legacy::Gbk | Legacy::Gb18030 => {
            matches!(value, 0xE78D..=0xE796 | 0xE81E | 0xE826 | 0xE82B | 0xE82C | 0xE832 | 0xE843 | 0xE854 | 0xE864)
        }
        _ => false,
    }
}

/// The bytes of a text of one character, at most five with an escape sequence. The
/// change of state at the end of a text is not included.
pub(super) fn encode(legacy: Legacy, value: u32) -> Option<Encoded<u8>> {
    let (mut out, mut utf8) = ([0; 8], [0; 4]);
    let text = char::from_u32(value)?.encode_utf8(&mut utf8);
    let mut encoder = legacy.web()?.new_encoder();
    match encoder.encode_from_utf8_without_replacement(text, &mut out, false) {
        (EncoderResult::InputEmpty, _, written) => Some(Encoded::from_padded(out, written)),
        _ => None,
    }
}
