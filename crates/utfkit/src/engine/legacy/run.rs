//! Much at once, as fast as `encoding_rs` is.

use super::Legacy;
use super::character::is_folded;
use crate::utf8::text::well_formed_front;
use encoding_rs::{DecoderResult, EncoderResult};

/// Decodes the front of `src` into UTF-8 in `dst`. Returns the bytes read
/// and written: both end with a character. Before what is ill-formed or
/// unfinished it stops; for lack of space it may stop a few bytes early. What
/// lies after in `dst` is unspecified.
///
/// An encoding with states has no run: nothing is read.
pub(crate) fn decode_run(legacy: Legacy, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if let Some(page) = legacy.page() {
        return page.decode_run(src, dst);
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

/// Encodes the front of `src`, which is UTF-8, into `dst`. Returns the bytes
/// read and written: both end with a character. Before one that the encoding
/// lacks, and before what is ill-formed or unfinished, it stops; for lack of space it may stop a few bytes early. What lies after
/// in `dst` is unspecified.
///
/// An encoding with states has no run: nothing is read.
pub(crate) fn encode_run(legacy: Legacy, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if let Some(page) = legacy.page() {
        return page.encode_run(src, dst);
    }
    let Some(codec) = legacy.web().filter(|_| !legacy.has_states()) else {
        return (0, 0);
    };
    let src = well_formed_front(src);
    let certain = match legacy {
        Legacy::EucJp | Legacy::ShiftJis | Legacy::Gbk | Legacy::Gb18030 => {
            src.find(|c| is_folded(legacy, u32::from(c))).map_or(src, |at| &src[..at])
        }
        _ => src,
    };
    let mut encoder = codec.new_encoder();
    match encoder.encode_from_utf8_without_replacement(certain, dst, true) {
        (EncoderResult::Unmappable(lacking), read, written) => (read - lacking.len_utf8(), written),
        (_, read, written) => (read, written),
    }
}
