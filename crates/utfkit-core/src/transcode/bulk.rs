//! The fast path: the certain prefix of the source, straight into the caller's
//! destination.

use super::special::Search;
use crate::engine::codec::{Source, Target};
use crate::engine::fast_path::FastPath;
use crate::engine::progress::{OnError, OnLacking, Progress};
use crate::engine::walk::{by_value as by_form, put};
use utfkit_forms::scalar::ascii::ascii_prefix;
use utfkit_forms::scalar::{Decode, Decoded, Encode, LONGEST};

/// How the certain prefix of a source is converted.
#[derive(Clone, Copy)]
pub(super) enum Bulk {
    /// By the fast path made for this pair.
    Exact { path: FastPath, on_error: OnError },
    /// By the fast path of a pair that is the same for the text that `search`
    /// finds in the source, and value by value in between.
    Compatible { search: Option<Search>, path: FastPath },
    /// As `Compatible`, but the fast path converts first and `output` searches its
    /// result. For text without special characters, if the result is shorter than the
    /// source.
    Tried { search: Search, output: Search, path: FastPath },
    /// By way of UTF-8, in small chunks, and value by value in between. One of
    /// the two legs is missing where the source or the target is UTF-8, or where there is a
    /// shorter way.
    Via { first: Option<Leg>, second: Option<Leg> },
    /// Value by value.
    ByValue,
}

/// A conversion from or into UTF-8.
#[derive(Clone, Copy)]
pub(super) enum Leg {
    Path(FastPath),
    ReadUtf8,
    ReadUtf16,
    WriteUtf8(OnLacking),
    WriteUtf16(OnLacking),
}

impl Leg {
    fn convert(self, source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8]) -> Progress {
        let (read, written) = match self {
            Leg::Path(path) => return path.convert(src, dst, OnError::Stop),
            Leg::ReadUtf8 => source.read_utf8(src, dst),
            Leg::ReadUtf16 => source.read_utf16(src, dst),
            Leg::WriteUtf8(on_lacking) => target.write_utf8(src, dst, on_lacking),
            Leg::WriteUtf16(on_lacking) => target.write_utf16(src, dst, on_lacking),
        };
        Progress { read, written, replaced: false }
    }
}

/// Bytes that are looked through, and then converted from the caches: more than
/// the first one has, because each chunk costs a start and an end.
const CHUNK: usize = 16 << 10;
/// The first of them.
const FIRST_CHUNK: usize = 1024;

/// How far to go value by value, at least and at most, before the fast path is tried
/// again. Where it has gained little, the next such place is near.
const SPAN: (usize, usize) = (32, 2048);

/// An error after fewer bytes than these is near.
pub(super) const NEAR: usize = 16;

impl Bulk {
    /// Converts up to [`NEAR`] bytes, or up to an error, value by value where that takes less time than
    /// [`convert`](Bulk::convert).
    #[inline(never)]
    pub(super) fn near(self, source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8]) -> Progress {
        match self {
            Bulk::Via { first: Some(Leg::ReadUtf16), second: None } => self.convert(source, target, src, dst),
            _ => by_value(source, target, src, dst, NEAR),
        }
    }

    /// Converts as [`Convert`](crate::engine::fast_path::Convert) says, with
    /// [`OnError::Stop`]: up to an ill-formed or unfinished sequence, a character that
    /// the target lacks, or one that does not fit. Only an exact fast path may have
    /// another policy. `source` and `target` have the states after it.
    #[inline]
    pub(super) fn convert(self, source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8]) -> Progress {
        match self {
            Bulk::Exact { path, on_error } => path.convert(src, dst, on_error),
            Bulk::Compatible { search: None, path } => {
                alternating(&|src, dst| path.convert(src, dst, OnError::Stop), source, target, src, dst)
            }
            Bulk::Compatible { search: Some(search), path } => {
                let cut = |src: &[u8], dst: &mut [u8]| up_to_special(search, path, src, dst);
                alternating(&|src, dst| in_chunks(src, dst, &cut), source, target, src, dst)
            }
            Bulk::Tried { search, output, path } => {
                let tried = |src: &[u8], dst: &mut [u8]| {
                    let done = path.convert(src, dst, OnError::Stop);
                    if output.prefix(&dst[..done.written]) == done.written {
                        done
                    } else {
                        up_to_special(search, path, src, dst)
                    }
                };
                alternating(&|src, dst| in_chunks(src, dst, &tried), source, target, src, dst)
            }
            Bulk::Via { first, second } => via(first, second, source, target, src, dst),
            Bulk::ByValue => by_value(source, target, src, dst, src.len()),
        }
    }
}

/// Converts by `path` up to what `search` finds.
fn up_to_special(search: Search, path: FastPath, src: &[u8], dst: &mut [u8]) -> Progress {
    match search.prefix(src) {
        0 => Progress::default(),
        len => path.convert(&src[..len], dst, OnError::Stop),
    }
}

/// A fast path, perhaps with something around it.
type Path<'a> = &'a dyn Fn(&[u8], &mut [u8]) -> Progress;

/// Converts by `path` as far as that goes, and value by value in between.
fn alternating(path: Path<'_>, source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    let mut span = SPAN.0;
    while done.read < src.len() {
        let mut gained = 0;
        if target.is_at_rest() {
            let step = path(&src[done.read..], &mut dst[done.written..]);
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

/// Converts chunk by chunk, as long as `path` takes a whole one except for a
/// character that the cut has cut. Chunks are small at first: where something
/// is in the way, the next such thing is near.
fn in_chunks(src: &[u8], dst: &mut [u8], path: Path<'_>) -> Progress {
    let mut done = Progress::default();
    let mut size = FIRST_CHUNK;
    loop {
        let rest = &src[done.read..];
        let chunk = &rest[..rest.len().min(size)];
        let step = path(chunk, &mut dst[done.written..]);
        done.read += step.read;
        done.written += step.written;
        if chunk.len() == rest.len() || step.read + LONGEST < size {
            return done;
        }
        size = CHUNK.min(16 * size);
    }
}

/// The bytes that go by way of UTF-8 at once, and the first of them: a leg looks
/// through all that it is given before it converts any, and where something is
/// lacking or ill-formed, the next such thing is near.
const BETWEEN: usize = 4 << 10;
const FIRST_BETWEEN: usize = 64;
/// The same where one leg writes to the target itself.
const AT_ONCE: usize = 64 << 10;

#[inline(never)]
fn via(
    first: Option<Leg>,
    second: Option<Leg>,
    source: &mut Source,
    target: &mut Target,
    src: &[u8],
    dst: &mut [u8],
) -> Progress {
    let mut done = Progress::default();
    let mut size = FIRST_BETWEEN;
    while done.read < src.len() {
        let (rest, space) = (&src[done.read..], &mut dst[done.written..]);
        // No more than has space, by and by, if a byte becomes a byte.
        let len = rest.len().min(size).min(space.len());
        let chunk = &rest[..if first.is_none() { before_a_character(rest, len) } else { len }];
        let (step, is_full) = match (first, second) {
            (Some(leg), None) | (None, Some(leg)) => (leg.convert(source, target, chunk, space), false),
            // Clearing the memory for a long chunk takes longer than converting a short one.
            (Some(first), Some(second)) if len <= FIRST_BETWEEN => {
                by_both((first, second), &mut [0; 4 * FIRST_BETWEEN], source, target, chunk, space)
            }
            (Some(first), Some(second)) => by_both((first, second), &mut [0; BETWEEN], source, target, chunk, space),
            (None, None) => (Progress::default(), false),
        };
        done = done.then(step);
        let is_one = first.is_none() || second.is_none();
        size = if is_one { AT_ONCE } else { BETWEEN }.min(4 * size);
        if !is_full && step.read > 0 && step.read + LONGEST < chunk.len() {
            // It was not the cut that stopped it: the caller decides about the next value.
            break;
        }
        if step.read == 0 {
            let step = by_value(source, target, rest, &mut dst[done.written..], SPAN.0);
            if step.read == 0 {
                break;
            }
            done = done.then(step);
        }
    }
    done
}

/// `len`, or the few bytes less that do not cut a character of UTF-8 there: a
/// leg would stop there.
fn before_a_character(src: &[u8], len: usize) -> usize {
    let is_inside = |at: &usize| src.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (len.saturating_sub(3)..=len).rev().find(|at| !is_inside(at)).unwrap_or(len)
}

/// Converts `chunk` by one leg into `between`, and from there by the other. Says whether `between` had no space for all
/// of it.
fn by_both(
    (first, second): (Leg, Leg),
    between: &mut [u8],
    source: &mut Source,
    target: &mut Target,
    chunk: &[u8],
    dst: &mut [u8],
) -> (Progress, bool) {
    let before = (source.clone(), target.clone());
    let came = first.convert(source, target, chunk, between);
    let is_full = between.len() - came.written < FIRST_BETWEEN;
    let went = second.convert(source, target, &between[..came.written], dst);
    if went.read == came.written {
        return (Progress { read: came.read, ..went }, is_full);
    }
    // The place in the source where the second leg stopped is unknown.
    (*source, *target) = before;
    (by_value(source, target, chunk, dst, came.read), is_full)
}

/// Converts value by value, until `enough` bytes are read.
#[inline(never)]
fn by_value(source: &mut Source, target: &mut Target, src: &[u8], dst: &mut [u8], enough: usize) -> Progress {
    let enough = src.len().min(enough);
    let mut done = Progress::default();
    if let (Some(decode), Some(encode)) = (source.form(), target.form()) {
        let transparent = source.is_ascii_transparent() && target.is_ascii_transparent();
        if !transparent {
            let _ = by_form(decode, encode, src, dst, &mut done, enough);
            return done;
        }
        while done.read < enough && (put_ascii(src, dst, &mut done) || put_one(decode, encode, src, dst, &mut done)) {}
        return done;
    }
    while done.read < enough {
        if source.is_ascii_transparent() && target.is_ascii_transparent() && put_ascii(src, dst, &mut done) {
            continue;
        }
        // The states after a value that does not fit are dropped.
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
            Decoded::StateChange { len } => done.read += len,
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => break,
        }
        *source = reader;
    }
    done
}

/// Converts the next value, if that is certain and fits.
#[inline(always)]
fn put_one(decode: Decode, encode: Encode, src: &[u8], dst: &mut [u8], done: &mut Progress) -> bool {
    let next = done.read + 1;
    by_form(decode, encode, src, dst, done, next).is_none()
}

/// Copies the US-ASCII that comes next, as far as there is space. Returns
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

// The derived implementation would print addresses of functions.
impl core::fmt::Debug for Bulk {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Bulk").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::bulk;
    use super::*;
    use crate::encoding::Encoding::{self, *};
    use crate::policy::Policy;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::cell::RefCell;

    /// The lengths that a fast path is given which leaves `left` bytes of a chunk of
    /// more than a kilobyte, and the bytes read in all.
    fn chunks(len: usize, left: usize) -> (Vec<usize>, usize) {
        let seen = RefCell::new(Vec::new());
        let path = |src: &[u8], dst: &mut [u8]| {
            seen.borrow_mut().push(src.len());
            let read = if src.len() < FIRST_CHUNK { src.len() } else { src.len() - left };
            dst[..read].copy_from_slice(&src[..read]);
            Progress { read, written: read, replaced: false }
        };
        let src: Vec<u8> = (0..len).map(|i| i as u8).collect();
        let mut dst = vec![0; len];
        let done = in_chunks(&src, &mut dst, &path);
        assert_eq!((done.read, &dst[..done.written]), (done.written, &src[..done.read]));
        (seen.into_inner(), done.read)
    }

    #[test]
    fn chunks_grow_until_something_is_in_the_way() {
        assert_eq!(chunks(40_000, 0), (vec![1024, 16384, 16384, 6208], 40_000));
        assert_eq!(chunks(10, 0), (vec![10], 10));
        assert_eq!(chunks(1024, 0), (vec![1024], 1024));
        // A character that the cut has cut, and more than one.
        assert_eq!(chunks(20_000, LONGEST), (vec![1024, 16384, 2592 + 2 * LONGEST], 20_000 - LONGEST));
        assert_eq!(chunks(20_000, LONGEST + 1), (vec![1024], 1023 - LONGEST));
    }

    /// Where a fast path is asked that takes `gain` bytes each time.
    fn asked(gain: usize, len: usize) -> Vec<usize> {
        let at = RefCell::new(Vec::new());
        let src = vec![0xE9; len];
        let path = |rest: &[u8], dst: &mut [u8]| {
            at.borrow_mut().push(len - rest.len());
            let read = gain.min(rest.len());
            for to in dst[..2 * read].chunks_exact_mut(2) {
                to.copy_from_slice("é".as_bytes());
            }
            Progress { read, written: 2 * read, replaced: false }
        };
        let mut dst = vec![0; 2 * len];
        let done = alternating(&path, &mut Latin1.source(), &mut Utf8.target(), &src, &mut dst);
        assert_eq!((done.read, done.written), (len, 2 * len));
        assert_eq!(dst, "é".repeat(len).as_bytes());
        at.into_inner()
    }

    #[test]
    fn a_fast_path_that_gains_little_is_tried_less_often() {
        assert_eq!(asked(0, 8000), [0, 64, 192, 448, 960, 1984, 4032, 6080]);
        assert_eq!(asked(31, 500), [0, 95, 254]);
        assert_eq!(asked(32, 300), [0, 64, 128, 192, 256]);
        assert_eq!(asked(100, 300), [0, 132, 264]);
    }

    #[track_caller]
    fn takes_all(from: Encoding, to: Encoding, src: &[u8], expected: &[u8]) {
        let mut dst = vec![0; expected.len()];
        let done = bulk(from, to, Policy::Strict).convert(&mut from.source(), &mut to.target(), src, &mut dst);
        assert_eq!(
            (done.read, done.written, done.replaced),
            (src.len(), expected.len(), false),
            "{from} to {to}, {} bytes",
            src.len()
        );
        assert_eq!(dst, expected, "{from} to {to}");
    }

    /// The driver would continue where the fast path ends: this tests the fast path.
    #[test]
    fn the_quick_way_goes_to_the_end_of_a_clean_text() {
        for n in [1, 3, 20, 999, 3000] {
            let text = "aé€".repeat(n);
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let utf7 = b"a+AOkgrA-".repeat(n);
            for from in [Utf8, Cesu8, Mutf8, Utf8Kuhn, Utf8Rfc2279] {
                takes_all(from, Utf16Le, text.as_bytes(), &utf16);
                takes_all(Utf16Le, from, &utf16, text.as_bytes());
                takes_all(from, Wtf8, text.as_bytes(), text.as_bytes());
            }
            takes_all(Utf16Le, UsAscii, &b"a\0".repeat(n), &b"a".repeat(n));
            takes_all(Utf7, Utf8, &utf7, text.as_bytes());
            #[cfg(feature = "legacy")]
            {
                use crate::Legacy::{Iso8859_15, Windows1252};
                let windows = b"a\xE9\x80".repeat(n);
                let latin9 = b"a\xE9\xA4".repeat(n);
                takes_all(Encoding::Legacy(Windows1252), Utf8, &windows, text.as_bytes());
                takes_all(Encoding::Legacy(Windows1252), Utf16Le, &windows, &utf16);
                takes_all(Encoding::Legacy(Windows1252), Encoding::Legacy(Iso8859_15), &windows, &latin9);
                takes_all(Utf8, Encoding::Legacy(Windows1252), text.as_bytes(), &windows);
            }
        }
    }
}
