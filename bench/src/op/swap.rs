//! UTF-16 to the other byte order, with validation.

use utfkit::{Encoding, Policy, Status, Transcoder};

use super::stream::{bytes_of, bytes_of_mut};
use super::{Conversion, Entry};
use crate::goal::Goal;
use crate::peer::{Peer, simdutf, std};

const NATIVE_AND_OTHER: (Encoding, Encoding) = match cfg!(target_endian = "big") {
    true => (Encoding::Utf16Be, Encoding::Utf16Le),
    false => (Encoding::Utf16Le, Encoding::Utf16Be),
};

fn swap(src: &[u16], dst: &mut [u16]) -> Option<usize> {
    let mut transcoder = Transcoder::new(NATIVE_AND_OTHER.0, NATIVE_AND_OTHER.1, Policy::Strict);
    let step = transcoder.transcode(bytes_of(src), bytes_of_mut(dst), true);
    (step.status == Status::InputEmpty).then_some(step.written / 2)
}

pub(super) const UTF16: Conversion<u16, u16> = Conversion {
    name: "16-swap",
    title: "UTF-16 in the other byte order (Transcoder)",
    goal: Goal::Par,
    source: |text| Some(text.encode_utf16().collect()),
    expected: |src| src.iter().map(|unit| unit.swap_bytes()).collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, swap),
        Entry::exact(Peer::Std, std::utf16_swapped),
        Entry::exact(Peer::Simdutf, simdutf::utf16_swapped),
    ],
};
