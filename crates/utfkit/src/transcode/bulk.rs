//! The quick way: as much of the source as is certain, straight into the
//! caller's destination.

use super::plain::Plain;
use crate::codec::{Source, Target};
use crate::kernel::Progress;
use crate::row::Row;
use crate::scalar::ascii::ascii_prefix;
use crate::scalar::{Decoded, LONGEST};

/// How the certain prefix of a source is converted.
#[derive(Clone, Copy)]
pub(super) enum Bulk {
    /// By a row made for this pair.
    Row(Row),
    /// By the row of a pair that is the same for the text that `plain` finds,
    /// and value by value in between.
    Like { plain: Option<Plain>, row: Row },
    /// Value by value.
    ByValue,
}

/// Bytes that are looked through and converted from the first cache.
const PIECE: usize = 8 << 10;

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
            Bulk::Like { plain, row } => like(plain, row, source, target, src, dst),
            Bulk::ByValue => by_value(source, target, src, dst, src.len()),
        }
    }
}

#[inline(never)]
fn like(
    plain: Option<Plain>,
    row: Row,
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
            let rest = &src[done.read..];
            let piece = plain.map_or(rest, |_| &rest[..rest.len().min(PIECE)]);
            let certain = plain.map_or(piece, |plain| &piece[..plain(piece)]);
            let step = row(certain, &mut dst[done.written..]);
            gained = step.read;
            done.read += step.read;
            done.written += step.written;
            // Was it the cut that stopped it, perhaps?
            if certain.len() < rest.len() && certain.len() == PIECE && gained + LONGEST > PIECE {
                continue;
            }
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

/// Converts value by value, until `enough` bytes are read.
#[inline(never)]
fn by_value(source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8], enough: usize) -> Progress {
    let mut done = Progress::default();
    while done.read < src.len().min(enough) {
        // What comes of a value that has no room is to be forgotten.
        if source.is_ascii_transparent() && target.is_ascii_transparent() {
            let (from, to) = (&src[done.read..], &mut dst[done.written..]);
            let len = ascii_prefix(&from[..from.len().min(to.len())]);
            to[..len].copy_from_slice(&from[..len]);
            done.read += len;
            done.written += len;
            if len > 0 {
                continue;
            }
        }
        let mut reader = source.clone();
        match reader.decode(&src[done.read..], false) {
            Decoded::Value { value, len } => {
                let mut writer = target.clone();
                let Some(encoded) = writer.encode(value) else { break };
                let bytes = encoded.as_slice();
                let Some(room) = dst.get_mut(done.written..done.written + bytes.len()) else { break };
                room.copy_from_slice(bytes);
                *target = writer;
                done.written += bytes.len();
                done.read += len;
            }
            Decoded::Shift { len } => done.read += len,
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => break,
        }
        *source = reader;
    }
    done
}

/// The addresses of functions say nothing to a reader.
impl core::fmt::Debug for Bulk {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Bulk").finish_non_exhaustive()
    }
}
