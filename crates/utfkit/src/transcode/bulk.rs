//! The quick way: as much of the source as is certain, straight into the
//! caller's destination.

use super::plain::Plain;
use crate::codec::{Source, Target};
use crate::kernel::Progress;
#[cfg(feature = "legacy")]
use crate::legacy::{self, Legacy};
use crate::row::Row;
use crate::scalar::ascii::ascii_prefix;
use crate::scalar::{Decoded, LONGEST};
#[cfg(feature = "legacy")]
use crate::text::well_formed_front;

/// How the certain prefix of a source is converted.
#[derive(Clone, Copy)]
pub(super) enum Bulk {
    /// By a row made for this pair.
    Row(Row),
    /// By the row of a pair that is the same for the text that `plain` finds in
    /// the source, and value by value in between.
    Like { plain: Option<Plain>, row: Row },
    /// The same, and `output` finds it in what the row has written. For text
    /// that the two are seldom different about, where there is less of that.
    Tried { plain: Plain, output: Plain, row: Row },
    /// By way of UTF-8, in small pieces, and value by value in between. One of
    /// the two legs is missing where the source or the target is UTF-8.
    #[cfg(feature = "legacy")]
    Via { first: Option<Leg>, second: Option<Leg> },
    /// Value by value.
    ByValue,
}

/// A conversion from or into UTF-8.
#[cfg(feature = "legacy")]
#[derive(Clone, Copy)]
pub(super) enum Leg {
    Row(Row),
    FromLegacy(Legacy),
    ToLegacy(Legacy),
}

#[cfg(feature = "legacy")]
impl Leg {
    fn convert(self, src: &[u8], dst: &mut [u8]) -> Progress {
        let (read, written) = match self {
            Leg::Row(row) => return row(src, dst),
            Leg::FromLegacy(legacy) => legacy::decode_run(legacy, src, dst),
            Leg::ToLegacy(legacy) => legacy::encode_run(legacy, well_formed_front(src), dst),
        };
        Progress { read, written, replaced: false }
    }
}

/// Bytes that are looked through, and then converted from the caches: more than
/// the first one has, because each piece costs a start and an end.
const PIECE: usize = 16 << 10;
/// The first of them.
const FIRST_PIECE: usize = 1024;

/// How far to go value by value, at least and at most, before the row is tried
/// again. Where it has gained little, the next one like that is near.
const SPAN: (usize, usize) = (32, 2048);

impl Bulk {
    /// Converts as [`Row`] says, with [`Stop`](crate::kernel::Stop): up to
    /// what is ill-formed, unfinished, lacking in the target, or has no room.
    /// Only a row of its own may have another policy. `source` and `target`
    /// stand behind it.
    #[inline]
    pub(super) fn convert(self, source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8]) -> Progress {
        match self {
            Bulk::Row(row) => row(src, dst),
            Bulk::Like { plain: None, row } => like(row, source, target, src, dst),
            Bulk::Like { plain: Some(plain), row } => {
                like(|src, dst| in_pieces(src, dst, |src, dst| row(&src[..plain(src)], dst)), source, target, src, dst)
            }
            Bulk::Tried { plain, output, row } => {
                let tried = |src: &[u8], dst: &mut [u8]| {
                    let done = row(src, dst);
                    if output(&dst[..done.written]) == done.written { done } else { row(&src[..plain(src)], dst) }
                };
                like(|src, dst| in_pieces(src, dst, tried), source, target, src, dst)
            }
            #[cfg(feature = "legacy")]
            Bulk::Via { first, second } => via(first, second, source, target, src, dst),
            Bulk::ByValue => by_value(source, target, src, dst, src.len()),
        }
    }
}

/// Converts by `row` as far as that goes, and value by value in between.
#[inline(never)]
fn like(
    row: impl Fn(&[u8], &mut [u8]) -> Progress,
    source: &mut Source,
    target: &mut Target,
    src: &[u8],
    dst: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    let mut span = SPAN.0;
    while done.read < src.len() {
        let mut gained = 0;
        if target.is_at_rest() {
            let step = row(&src[done.read..], &mut dst[done.written..]);
            gained = step.read;
            done.read += step.read;
            done.written += step.written;
        }
        span = if gained < span { SPAN.1.min(2 * span) } else { SPAN.0 };
        let step = by_value(source, target, &src[done.read..], &mut dst[done.written..], span);
        if step.read == 0 {
            break;
        }
        done.read += step.read;
        done.written += step.written;
    }
    done
}

/// Converts piece by piece, as long as `row` takes a whole one but for a
/// character that the cut has cut. Pieces are small at first: where something
/// is in the way, the next such thing is near.
#[inline(always)]
fn in_pieces(src: &[u8], dst: &mut [u8], row: impl Fn(&[u8], &mut [u8]) -> Progress) -> Progress {
    let mut done = Progress::default();
    let mut size = FIRST_PIECE;
    loop {
        let rest = &src[done.read..];
        let piece = &rest[..rest.len().min(size)];
        let step = row(piece, &mut dst[done.written..]);
        done.read += step.read;
        done.written += step.written;
        if piece.len() == rest.len() || step.read + LONGEST < size {
            return done;
        }
        size = PIECE.min(16 * size);
    }
}

/// The bytes of UTF-8 between two legs.
#[cfg(feature = "legacy")]
const BETWEEN: usize = 4 << 10;

#[cfg(feature = "legacy")]
#[inline(never)]
fn via(
    first: Option<Leg>,
    second: Option<Leg>,
    source: &mut Source,
    target: &mut Target,
    src: &[u8],
    dst: &mut [u8],
) -> Progress {
    let mut between = [0; BETWEEN];
    let mut done = Progress::default();
    while done.read < src.len() {
        let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
        // No more than has room, by and by, if a byte becomes a byte.
        let piece = &rest[..rest.len().min(BETWEEN).min(room.len())];
        let mut step = Progress::default();
        if source.is_at_rest() && target.is_at_rest() {
            step = match (first, second) {
                (Some(leg), None) | (None, Some(leg)) => leg.convert(piece, room),
                (Some(first), Some(second)) => {
                    let came = first.convert(piece, &mut between);
                    let went = second.convert(&between[..came.written], room);
                    // Where in the source the second leg stopped, nobody
                    // knows.
                    if went.read == came.written {
                        Progress { read: came.read, ..went }
                    } else {
                        by_value(source, target, piece, room, came.read)
                    }
                }
                (None, None) => Progress::default(),
            };
        }
        if step.read == 0 {
            step = by_value(source, target, rest, room, SPAN.0);
        }
        if step.read == 0 {
            break;
        }
        done.read += step.read;
        done.written += step.written;
    }
    done
}

/// Converts value by value, until `enough` bytes are read.
#[inline(never)]
fn by_value(source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8], enough: usize) -> Progress {
    let enough = src.len().min(enough);
    let mut done = Progress::default();
    if let (Some(decode), Some(encode)) = (source.form(), target.form()) {
        let transparent = source.is_ascii_transparent() && target.is_ascii_transparent();
        while done.read < enough {
            if transparent && put_ascii(src, dst, &mut done) {
                continue;
            }
            let Decoded::Value { value, len } = decode(&src[done.read..]) else { break };
            let Some(bytes) = encode(value) else { break };
            if !put(bytes.as_slice(), dst, &mut done) {
                break;
            }
            done.read += len;
        }
        return done;
    }
    while done.read < enough {
        if source.is_ascii_transparent() && target.is_ascii_transparent() && put_ascii(src, dst, &mut done) {
            continue;
        }
        // What comes of a value that has no room is to be forgotten.
        let mut reader = source.clone();
        match reader.decode(&src[done.read..], false) {
            Decoded::Value { value, len } => {
                let mut writer = target.clone();
                let Some(bytes) = writer.encode(value) else { break };
                if !put(bytes.as_slice(), dst, &mut done) {
                    break;
                }
                *target = writer;
                done.read += len;
            }
            Decoded::Shift { len } => done.read += len,
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => break,
        }
        *source = reader;
    }
    done
}

/// Writes `bytes` behind what is written, if there is room.
#[inline(always)]
fn put(bytes: &[u8], dst: &mut [u8], done: &mut Progress) -> bool {
    let Some(room) = dst.get_mut(done.written..done.written + bytes.len()) else { return false };
    room.copy_from_slice(bytes);
    done.written += bytes.len();
    true
}

/// Copies the US-ASCII that comes next, as far as there is room. Answers
/// whether there was any.
#[inline(always)]
fn put_ascii(src: &[u8], dst: &mut [u8], done: &mut Progress) -> bool {
    let (from, to) = (&src[done.read..], &mut dst[done.written..]);
    if !from[0].is_ascii() {
        return false;
    }
    let len = ascii_prefix(&from[..from.len().min(to.len())]);
    to[..len].copy_from_slice(&from[..len]);
    done.read += len;
    done.written += len;
    len > 0
}

/// The addresses of functions say nothing to a reader.
impl core::fmt::Debug for Bulk {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Bulk").finish_non_exhaustive()
    }
}
