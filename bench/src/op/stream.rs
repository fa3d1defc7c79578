//! `Transcoder` in pieces, compared with one call for the whole input and with
//! the peer that has a stream.

use encoding_rs::{CoderResult, DecoderResult, UTF_8};
use utfkit::{Encoding, Policy, Practice, Status, Transcoder};

use super::{Conversion, Entry, lossy};
use crate::goal::Goal;
use crate::peer::Peer;

/// Bytes of source per call.
const CHUNK: usize = 64 << 10;

pub(super) const NATIVE_UTF16: Encoding =
    if cfg!(target_endian = "big") { Encoding::Utf16Be } else { Encoding::Utf16Le };

/// UTF-16 as bytes in native order.
pub(super) fn bytes_of(units: &[u16]) -> &[u8] {
    // SAFETY: bytes have no alignment, and any initialized memory is bytes.
    let (head, bytes, tail) = unsafe { units.align_to::<u8>() };
    debug_assert!(head.is_empty() && tail.is_empty());
    bytes
}

pub(super) fn bytes_of_mut(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: as above, and any two bytes are a `u16`.
    let (head, bytes, tail) = unsafe { units.align_to_mut::<u8>() };
    debug_assert!(head.is_empty() && tail.is_empty());
    bytes
}

/// The chunks of `src`, with a flag for the last.
fn chunks<S>(src: &[S], size: usize) -> impl Iterator<Item = (&[S], bool)> {
    let count = src.len().div_ceil(size);
    src.chunks(size).enumerate().map(move |(i, chunk)| (chunk, i + 1 == count))
}

/// The bytes written; `None` unless every chunk was consumed whole.
pub(super) fn pieces(mut transcoder: Transcoder, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut total = 0;
    for (chunk, last) in chunks(src, CHUNK) {
        let step = transcoder.transcode(chunk, &mut dst[total..], last);
        if step.status != Status::InputEmpty {
            return None;
        }
        total += step.written;
    }
    Some(total)
}

fn decode(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let mut total = 0;
    for (chunk, last) in chunks(src, CHUNK) {
        let (result, _, written) = decoder.decode_to_utf16_without_replacement(chunk, &mut dst[total..], last);
        if result != DecoderResult::InputEmpty {
            return None;
        }
        total += written;
    }
    Some(total)
}

fn encode(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    let mut encoder = UTF_8.new_encoder();
    let mut total = 0;
    for (chunk, last) in chunks(src, CHUNK / 2) {
        let (result, _, written, _) = encoder.encode_from_utf16(chunk, &mut dst[total..], last);
        if result != CoderResult::InputEmpty {
            return None;
        }
        total += written;
    }
    Some(total)
}

fn repair(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let mut total = 0;
    for (chunk, last) in chunks(src, CHUNK) {
        let (result, _, written, _) = decoder.decode_to_utf8(chunk, &mut dst[total..], last);
        if result != CoderResult::InputEmpty {
            return None;
        }
        total += written;
    }
    Some(total)
}

pub(super) const UTF8_TO_UTF16: Conversion<u8, u16> = Conversion {
    name: "stream-8-16",
    title: "Transcoder, UTF-8 to UTF-16 in pieces of 64 KiB",
    goal: Goal::Stream,
    source: |text| Some(text.as_bytes().to_vec()),
    expected: |src| String::from_utf8_lossy(src).encode_utf16().collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| {
            let transcoder = Transcoder::new(Encoding::Utf8, NATIVE_UTF16, Policy::Strict);
            pieces(transcoder, src, bytes_of_mut(dst)).map(|bytes| bytes / 2)
        }),
        Entry::exact(Peer::OneShot, |src, dst| utfkit::utf8_to_utf16(src, dst).ok()),
        Entry::generous(Peer::EncodingRsDecoder, decode),
    ],
};

pub(super) const UTF16_TO_UTF8: Conversion<u16, u8> = Conversion {
    name: "stream-16-8",
    title: "Transcoder, UTF-16 to UTF-8 in pieces of 64 KiB",
    goal: Goal::Stream,
    source: |text| Some(text.encode_utf16().collect()),
    expected: |src| String::from_utf16_lossy(src).into_bytes(),
    growth: 3,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| {
            pieces(Transcoder::new(NATIVE_UTF16, Encoding::Utf8, Policy::Strict), bytes_of(src), dst)
        }),
        Entry::exact(Peer::OneShot, |src, dst| utfkit::utf16_to_utf8(src, dst).ok()),
        Entry::generous(Peer::EncodingRsDecoder, encode),
    ],
};

pub(super) const REPAIR: Conversion<u8, u8> = Conversion {
    name: "stream-8-8/100",
    title: "Transcoder, UTF-8 repaired in pieces of 64 KiB, 1 byte bad in 100",
    goal: Goal::Stream,
    source: |text| lossy::utf8(text, 100),
    expected: |src| String::from_utf8_lossy(src).into_owned().into_bytes(),
    growth: 3,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| {
            let policy = Policy::Replace(Practice::MaximalSubpart);
            pieces(Transcoder::new(Encoding::Utf8, Encoding::Utf8, policy), src, dst)
        }),
        Entry::exact(Peer::OneShot, |src, dst| utfkit::utf8_to_utf8_lossy(src, dst).ok()),
        Entry::generous(Peer::EncodingRsDecoder, repair),
    ],
};
