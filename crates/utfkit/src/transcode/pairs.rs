//! The table: for every pair of encodings the function that takes the certain
//! prefix, and the scalar codecs for what is not certain.
//!
//! A pair works as soon as both encodings have a scalar codec: [`walk`] is
//! then its row. A kernel for a pair is one line in [`prefix`] or [`lossy`].

use crate::encoding::Encoding;
use crate::kernel::Progress;
use crate::policy::{Policy, Practice};
use crate::scalar::ascii::Ascii;
use crate::scalar::bytes::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::scalar::latin1::Latin1;
use crate::scalar::utf8::Utf8;
use crate::scalar::{Decoded, Encoded, Form, REPLACEMENT};

/// Converts the longest well-formed prefix of the source that fits whole into
/// the destination. It stops before anything ill-formed, unfinished, lacking
/// in the target, or without room; both counts stand at a boundary between
/// characters. It may write anything behind what it counts as written.
///
/// A row that stops earlier is slow, not wrong: the driver takes one value by
/// the scalar codecs and calls again behind it.
pub(super) type Prefix = fn(&[u8], &mut [u8]) -> Progress;

/// The same, but writes U+FFFD, or `?` if the target lacks it, for each
/// maximal subpart of an ill-formed subsequence and `?` for each character
/// that the target lacks, goes on behind it, and says whether it did. It never
/// takes a sequence at the end of the source that more could complete, nor a
/// fault whose replacement has no room: the driver knows whether more comes.
pub(super) type Lossy = fn(&[u8], &mut [u8]) -> (Progress, bool);

/// The function for the certain prefix under the policy at hand.
#[derive(Clone, Copy)]
pub(super) enum Row {
    Prefix(Prefix),
    Lossy(Lossy),
}

/// All that the driver has to know of a pair of encodings.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) row: Row,
    pub(super) decode: fn(&[u8]) -> Decoded,
    pub(super) encode: fn(u32) -> Option<Encoded<u8>>,
    /// The bytes of a code unit of the source.
    pub(super) unit: usize,
}

/// The addresses of functions say nothing to a reader.
impl core::fmt::Debug for Pair {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pair").finish_non_exhaustive()
    }
}

/// An encoding that has a signature.
pub(super) struct Signed {
    /// The same without one, in little-endian order.
    pub(super) little: Encoding,
    /// U+FEFF in little-endian order; backwards it is the big-endian one.
    pub(super) signature: &'static [u8],
}

/// What `encoding` is made of if it has a signature.
pub(super) fn signed(encoding: Encoding) -> Option<Signed> {
    match encoding {
        Encoding::Utf16 => Some(Signed { little: Encoding::Utf16Le, signature: &[0xFF, 0xFE] }),
        Encoding::Utf32 => Some(Signed { little: Encoding::Utf32Le, signature: &[0xFF, 0xFE, 0, 0] }),
        _ => None,
    }
}

/// What the driver has to know of `from` and `to`. [`Encoding::Utf16`] and
/// [`Encoding::Utf32`] stand for what they are where no signature is: the
/// big-endian order as a source, and the little-endian one as a target, whose
/// signature the driver writes.
pub(super) fn pair(from: Encoding, to: Encoding, policy: Policy) -> Pair {
    let general = match from {
        Encoding::Utf8 => general_from::<Utf8>(to),
        Encoding::Utf16Le => general_from::<Utf16Le>(to),
        Encoding::Utf16Be | Encoding::Utf16 => general_from::<Utf16Be>(to),
        Encoding::Utf32Le => general_from::<Utf32Le>(to),
        Encoding::Utf32Be | Encoding::Utf32 => general_from::<Utf32Be>(to),
        Encoding::Latin1 => general_from::<Latin1>(to),
        Encoding::UsAscii => general_from::<Ascii>(to),
    };
    let lossy = match policy {
        Policy::Replace(Practice::MaximalSubpart) => lossy(from, to).map(Row::Lossy),
        _ => None,
    };
    let row = lossy.or_else(|| prefix(from, to).map(Row::Prefix)).unwrap_or(general.row);
    Pair { row, ..general }
}

fn general_from<S: Scheme>(to: Encoding) -> Pair {
    match to {
        Encoding::Utf8 => general::<S, Utf8>(),
        Encoding::Utf16Le | Encoding::Utf16 => general::<S, Utf16Le>(),
        Encoding::Utf16Be => general::<S, Utf16Be>(),
        Encoding::Utf32Le | Encoding::Utf32 => general::<S, Utf32Le>(),
        Encoding::Utf32Be => general::<S, Utf32Be>(),
        Encoding::Latin1 => general::<S, Latin1>(),
        Encoding::UsAscii => general::<S, Ascii>(),
    }
}

/// What every pair has, with a row made of the scalar codecs.
fn general<S: Scheme, D: Scheme>() -> Pair {
    Pair {
        row: Row::Prefix(|src, dst| walk::<S, D, false>(src, dst).0),
        decode: S::decode,
        encode: D::encode,
        unit: S::SIZE,
    }
}

/// The kernel of a pair, where there is one: a line for each, the answer a
/// [`Prefix`] that is faster than [`walk`].
fn prefix(_from: Encoding, _to: Encoding) -> Option<Prefix> {
    None
}

/// The lossy row of a pair, where there is one: for UTF-8, in which faults
/// may stand close together.
fn lossy(from: Encoding, to: Encoding) -> Option<Lossy> {
    match (from, to) {
        (Encoding::Utf8, Encoding::Utf8) => Some(walk::<Utf8, Utf8, true>),
        (Encoding::Utf8, Encoding::Utf16Le | Encoding::Utf16) => Some(walk::<Utf8, Utf16Le, true>),
        (Encoding::Utf8, Encoding::Utf16Be) => Some(walk::<Utf8, Utf16Be, true>),
        _ => None,
    }
}

/// An encoding in which a character of US-ASCII is a unit of `SIZE` bytes,
/// all zero but the one at `AT`, which has its number.
trait Scheme: Form<Unit = u8> {
    const SIZE: usize;
    const AT: usize;
}

macro_rules! schemes {
    ($($form:ty: $size:literal, $at:literal;)*) => {
        $(impl Scheme for $form {
            const SIZE: usize = $size;
            const AT: usize = $at;
        })*
    };
}

schemes! {
    Utf8: 1, 0;
    Utf16Le: 2, 0;
    Utf16Be: 2, 1;
    Utf32Le: 4, 0;
    Utf32Be: 4, 3;
    Latin1: 1, 0;
    Ascii: 1, 0;
}

/// How many characters of US-ASCII are converted at once. With fewer, the
/// compiler unrolls the loops of [`ascii_run`] before it sees that they are
/// vector code.
const RUN: usize = 64;

/// The same where either end is near.
const SHORT_RUN: usize = 16;

/// A unit of `S`, its bytes taken as a little-endian number.
#[inline(always)]
fn wide<S: Scheme>(unit: &[u8]) -> u32 {
    let mut bytes = [0; 4];
    bytes[..S::SIZE].copy_from_slice(unit);
    u32::from_le_bytes(bytes)
}

/// Converts `LEN` units if all of them are US-ASCII, and says whether. The
/// loops have a constant number of turns and no exits: they become vector
/// code.
#[inline(always)]
fn ascii_run<S: Scheme, D: Scheme, const LEN: usize>(src: &[u8], dst: &mut [u8]) -> bool {
    let (src, dst) = (&src[..LEN * S::SIZE], &mut dst[..LEN * D::SIZE]);
    let seen = if S::SIZE == 1 {
        u32::from(src.iter().fold(0, |seen, byte| seen | byte))
    } else {
        src.chunks_exact(S::SIZE).fold(0, |seen, unit| seen | wide::<S>(unit))
    };
    if seen & !(0x7F << (8 * S::AT)) != 0 {
        return false;
    }
    if S::SIZE == D::SIZE && S::AT == D::AT {
        dst.copy_from_slice(src);
        return true;
    }
    for (from, to) in src.chunks_exact(S::SIZE).zip(dst.chunks_exact_mut(D::SIZE)) {
        let number = wide::<S>(from) >> (8 * S::AT);
        let number = number << (8 * D::AT);
        match D::SIZE {
            1 => to[0] = number as u8,
            2 => to.copy_from_slice(&(number as u16).to_le_bytes()),
            _ => to.copy_from_slice(&number.to_le_bytes()),
        }
    }
    true
}

/// As many short runs as there are at the front, out of the way of the loop
/// that calls it. Answers with the units converted.
#[inline(never)]
fn short_ascii_runs<S: Scheme, D: Scheme>(src: &[u8], dst: &mut [u8]) -> usize {
    let mut runs = src.chunks_exact(SHORT_RUN * S::SIZE).zip(dst.chunks_exact_mut(SHORT_RUN * D::SIZE));
    let mut len = 0;
    while let Some((units, room)) = runs.next()
        && ascii_run::<S, D, SHORT_RUN>(units, room)
    {
        len += SHORT_RUN;
    }
    len
}

/// The codecs of both encodings, value by value, with US-ASCII in runs: see
/// [`Prefix`] and, for `LOSSY`, [`Lossy`].
fn walk<S: Scheme, D: Scheme, const LOSSY: bool>(src: &[u8], dst: &mut [u8]) -> (Progress, bool) {
    let Progress { mut read, mut written, .. } = Progress::default();
    let mut replaced = false;
    // Where a run was not all US-ASCII, none is looked for until behind it.
    let mut look_from = 0;
    while read < src.len() {
        if read >= look_from {
            if let Some(units) = src.get(read..read + RUN * S::SIZE)
                && let Some(room) = dst.get_mut(written..written + RUN * D::SIZE)
            {
                if ascii_run::<S, D, RUN>(units, room) {
                    read += RUN * S::SIZE;
                    written += RUN * D::SIZE;
                    continue;
                }
                look_from = read + RUN * S::SIZE;
            } else {
                let short = short_ascii_runs::<S, D>(&src[read..], &mut dst[written..]);
                read += short * S::SIZE;
                written += short * D::SIZE;
                look_from = src.len().min(read + SHORT_RUN * S::SIZE);
                continue;
            }
        }
        let (value, len, mut fault) = match S::decode(&src[read..]) {
            Decoded::Value { value, len } => (value, len, false),
            Decoded::IllFormed { len, .. } if LOSSY => (REPLACEMENT, len, true),
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => break,
        };
        let encoded = D::encode(value).or_else(|| {
            fault = true;
            if LOSSY { D::encode(u32::from(b'?')) } else { None }
        });
        let Some(encoded) = encoded else { break };
        let bytes = encoded.as_slice();
        // A copy of constant length is one store.
        if let Some(room) = dst.get_mut(written..written + encoded.padded().len()) {
            room.copy_from_slice(encoded.padded());
        } else if let Some(room) = dst.get_mut(written..written + bytes.len()) {
            room.copy_from_slice(bytes);
        } else {
            break;
        }
        read += len;
        written += bytes.len();
        replaced |= fault;
    }
    (Progress { read, written, replaced }, replaced)
}
