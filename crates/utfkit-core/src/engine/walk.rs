//! From any encoding to any other without a kernel: value by value through
//! the scalar codecs, with runs of US-ASCII taken at once.

use core::marker::PhantomData;

use crate::engine::progress::{OnError, Packed, Progress};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::ascii::Ascii;
use utfkit_forms::scalar::bytes::{Order, Serial, Unit};
use utfkit_forms::scalar::latin1::Latin1;
use utfkit_forms::scalar::utf8::Utf8;
use utfkit_forms::scalar::{Decode, Decoded, Encode, Form, REPLACEMENT};

/// An encoding in which a character of US-ASCII is a unit of one layout.
pub(crate) trait Transparent: Form<Unit = u8> {
    type Layout: Layout;
}

/// Units of `SIZE` bytes, of which those of US-ASCII are all zero but the byte at `AT`, which has the
/// character's number. Encodings with the same layout share the code for runs.
pub(crate) trait Layout {
    const SIZE: usize;
    const AT: usize;
}

/// A byte.
pub(crate) struct Byte;

impl Layout for Byte {
    const SIZE: usize = 1;
    const AT: usize = 0;
}

/// A unit `U` in the order `O`.
pub(crate) struct Units<U, O>(PhantomData<(U, O)>);

impl<U: Unit, O: Order> Layout for Units<U, O> {
    const SIZE: usize = U::SIZE;
    const AT: usize = if O::BIG { U::SIZE - 1 } else { 0 };
}

impl Transparent for Utf8 {
    type Layout = Byte;
}

impl Transparent for Latin1 {
    type Layout = Byte;
}

impl Transparent for Ascii {
    type Layout = Byte;
}

impl<F: Form<Unit: Unit>, O: Order> Transparent for Serial<F, O> {
    type Layout = Units<F::Unit, O>;
}

/// True if kernels take nearly all text, so that size counts here more than speed:
/// one function for all pairs calls the codecs by pointers. Elsewhere each pair has
/// a function with both codecs inlined.
const SMALL: bool = cfg!(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128"),
)) && !cfg!(utfkit_scalar);

/// How many characters of US-ASCII are converted at once. With fewer, the
/// compiler unrolls the loops of [`ascii_run`] before it sees that they are
/// vector code.
const ASCII_BLOCK: usize = 64;

/// [`ASCII_BLOCK`] near either end.
const SHORT: usize = 16;

/// A unit of `S`, its bytes taken as a little-endian number.
#[inline(always)]
fn wide<S: Layout>(unit: &[u8]) -> u32 {
    let mut bytes = [0; 4];
    bytes[..S::SIZE].copy_from_slice(unit);
    u32::from_le_bytes(bytes)
}

/// Converts `LEN` units if all of them are US-ASCII, and says whether. The
/// loops have a constant number of turns and no exits: they become vector
/// code.
#[inline(always)]
fn ascii_run<S: Layout, D: Layout, const LEN: usize>(src: &[u8], dst: &mut [u8]) -> bool {
    let (src, dst) = (&src[..LEN * S::SIZE], &mut dst[..LEN * D::SIZE]);
    // Loops and no adaptors with closures, which would be compiled for each pair.
    let mut seen = 0;
    if S::SIZE == 1 {
        let mut bytes = 0;
        for byte in src {
            bytes |= byte;
        }
        seen = u32::from(bytes);
    } else {
        for unit in src.chunks_exact(S::SIZE) {
            seen |= wide::<S>(unit);
        }
    }
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

/// Converts the runs of `LEN` at the front. Returns the units converted.
#[inline(always)]
fn runs_of<S: Layout, D: Layout, const LEN: usize>(src: &[u8], dst: &mut [u8]) -> usize {
    let mut runs = src.chunks_exact(LEN * S::SIZE).zip(dst.chunks_exact_mut(LEN * D::SIZE));
    let mut len = 0;
    while let Some((units, space)) = runs.next()
        && ascii_run::<S, D, LEN>(units, space)
    {
        len += LEN;
    }
    len
}

/// US-ASCII at the front in runs, out of the way of the loop that calls it.
/// Returns the units converted.
#[inline(never)]
fn ascii_runs<S: Layout, D: Layout>(src: &[u8], dst: &mut [u8]) -> usize {
    let len = if SMALL { 0 } else { runs_of::<S, D, ASCII_BLOCK>(src, dst) };
    len + runs_of::<S, D, SHORT>(&src[len * S::SIZE..], &mut dst[len * D::SIZE..])
}

/// Two encodings between which to walk.
#[derive(Clone, Copy)]
struct Pair {
    decode: Decode,
    encode: Encode,
    ascii_runs: fn(&[u8], &mut [u8]) -> usize,
    /// The bytes of a unit.
    from: usize,
    to: usize,
}

impl Pair {
    #[inline(always)]
    fn of<S: Transparent, D: Transparent>() -> Pair {
        Pair {
            decode: S::decode,
            encode: D::encode,
            ascii_runs: ascii_runs::<S::Layout, D::Layout>,
            from: S::Layout::SIZE,
            to: D::Layout::SIZE,
        }
    }
}

/// The codecs of both encodings, value by value, with US-ASCII in runs: what
/// [`Convert`](crate::engine::fast_path::Convert) asks for.
pub(crate) fn walk<S: Transparent, D: Transparent>(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let pair = Pair::of::<S, D>();
    if SMALL { walk_by_pointers(pair, src, dst, on_error) } else { walk_between(pair, src, dst, on_error) }
}

#[inline(never)]
fn walk_by_pointers(pair: Pair, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    walk_between(pair, src, dst, on_error)
}

#[inline(always)]
fn walk_between(pair: Pair, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let replace = on_error == OnError::Replace;
    let Progress { mut read, mut written, .. } = Progress::default();
    let mut replaced = false;
    // Runs are looked for where a character of US-ASCII was; where none was found,
    // not until after it.
    let mut look_from = 0;
    while read < src.len() {
        let (value, len, mut error) = match (pair.decode)(&src[read..]) {
            Decoded::Value { value, len } => (value, len, false),
            Decoded::IllFormed { len, .. } if replace => (REPLACEMENT, len, true),
            Decoded::StateChange { .. } | Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => break,
        };
        let mut encoded = (pair.encode)(value);
        if encoded.is_none() {
            error = true;
            if replace {
                encoded = (pair.encode)(u32::from(b'?'));
            }
        }
        let Some(encoded) = encoded else { break };
        let bytes = encoded.as_slice();
        // A copy of constant length is one store.
        if let Some(space) = dst.get_mut(written..written + encoded.padded().len()) {
            space.copy_from_slice(encoded.padded());
        } else if let Some(space) = dst.get_mut(written..written + bytes.len()) {
            space.copy_from_slice(bytes);
        } else {
            break;
        }
        read += len;
        written += bytes.len();
        replaced |= error;
        if value < 0x80 && read >= look_from {
            let units = (pair.ascii_runs)(&src[read..], &mut dst[written..]);
            read += units * pair.from;
            written += units * pair.to;
            look_from = read + if units == 0 { ASCII_BLOCK } else { SHORT } * pair.from;
        }
    }
    Progress { read, written, replaced }.into()
}

/// The reason why [`by_value`] stopped before the end of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    IllFormed { kind: ErrorKind, len: usize },
    Unfinished { kind: ErrorKind, len: usize },
    Lacking { len: usize },
    Full,
}

/// Converts one value after the other, with nothing around it: where it is rare
/// or short. Returns what stopped it, if it did not come to the end.
pub(crate) fn by_value(
    decode: Decode,
    encode: Encode,
    src: &[u8],
    dst: &mut [u8],
    done: &mut Progress,
    enough: usize,
) -> Option<Stop> {
    while done.read < enough {
        let (value, len) = match decode(&src[done.read..]) {
            Decoded::Value { value, len } => (value, len),
            Decoded::StateChange { len } => {
                done.read += len;
                continue;
            }
            Decoded::IllFormed { kind, len } => return Some(Stop::IllFormed { kind, len }),
            Decoded::Unfinished { kind, len } => return Some(Stop::Unfinished { kind, len }),
        };
        let Some(bytes) = encode(value) else { return Some(Stop::Lacking { len }) };
        if !put(bytes.as_slice(), dst, done) {
            return Some(Stop::Full);
        }
        done.read += len;
    }
    None
}

/// Appends `bytes`, if they fit.
#[inline(always)]
pub(crate) fn put(bytes: &[u8], dst: &mut [u8], done: &mut Progress) -> bool {
    let Some(space) = dst.get_mut(done.written..done.written + bytes.len()) else { return false };
    space.copy_from_slice(bytes);
    done.written += bytes.len();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use utfkit_forms::scalar::bytes::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};

    /// The functions to compare, by pointers: the test is compiled once for all pairs.
    #[derive(Clone, Copy)]
    struct Case {
        pair: Pair,
        /// The codec of the source, the other way.
        source: Encode,
        walk: fn(&[u8], &mut [u8], OnError) -> Packed,
    }

    /// The result by the codecs, one value after the other.
    fn expected(pair: Pair, src: &[u8], space: usize, on_error: OnError) -> (Vec<u8>, Progress) {
        let replace = on_error == OnError::Replace;
        let (mut written, mut read, mut replaced) = (Vec::new(), 0, false);
        while read < src.len() {
            let (value, len, ill_formed) = match (pair.decode)(&src[read..]) {
                Decoded::Value { value, len } => (value, len, false),
                Decoded::IllFormed { len, .. } if replace => (REPLACEMENT, len, true),
                _ => break,
            };
            let (encoded, lacking) = match (pair.encode)(value) {
                None if replace => ((pair.encode)(0x3F), true),
                encoded => (encoded, false),
            };
            let Some(encoded) = encoded.filter(|encoded| encoded.as_slice().len() <= space - written.len()) else {
                break;
            };
            written.extend(encoded.as_slice());
            read += len;
            replaced |= ill_formed || lacking;
        }
        let progress = Progress { read, written: written.len(), replaced };
        (written, progress)
    }

    #[track_caller]
    fn agree(case: Case, src: &[u8], space: usize, on_error: OnError) {
        let (expected, progress) = expected(case.pair, src, space, on_error);
        let mut dst = vec![0xA5; space];
        assert_eq!((case.walk)(src, &mut dst, on_error).unpack(), progress, "{src:02X?} in {space} bytes");
        assert_eq!(dst[..progress.written], expected, "{src:02X?} in {space} bytes");
    }

    fn pair<S: Transparent, D: Transparent>() {
        compare(Case { pair: Pair::of::<S, D>(), source: S::encode, walk: walk::<S, D> });
    }

    fn compare(case: Case) {
        let Pair { from, to, .. } = case.pair;
        // Each unit that differs from US-ASCII in one bit or in few, so often
        // that every run is made of nothing else.
        let singly = (0..8 * from).map(|bit| 1 << bit);
        for unit in (0x7C..0x8C).chain(0xFA..0x104).chain(singly.clone()).chain(singly.map(|bit| bit | 0x41)) {
            let bytes = u32::to_le_bytes(unit)[..from].repeat(70);
            let swapped: Vec<u8> = bytes.chunks(from).flat_map(|unit| unit.iter().rev().copied()).collect();
            for src in [bytes, swapped] {
                agree(case, &src, 6 * src.len(), OnError::Stop);
                agree(case, &src, 6 * src.len(), OnError::Replace);
            }
        }
        // Both ends near, and a character above US-ASCII at every place.
        for len in (0..18).chain(30..34).chain(62..67).chain(78..82).chain([128, 129]) {
            for at in 0..=len {
                let text = (0..len).map(|i| if i == at { 0xE9 } else { 0x41 + i as u32 % 26 });
                let mut src = Vec::new();
                for value in text {
                    src.extend((case.source)(value).or((case.source)(0x7F)).unwrap().as_slice());
                }
                agree(case, &src, to * len + 8, OnError::Stop);
                agree(case, &src, to * at, OnError::Stop);
                agree(case, &src, to * at + 1, OnError::Stop);
            }
        }
    }

    fn into_all<S: Transparent>() {
        pair::<S, Utf8>();
        pair::<S, Latin1>();
        pair::<S, Ascii>();
        pair::<S, Utf16Le>();
        pair::<S, Utf16Be>();
        pair::<S, Utf32Le>();
        pair::<S, Utf32Be>();
    }

    #[test]
    fn runs_and_values_of_one_byte_agree() {
        into_all::<Utf8>();
        into_all::<Latin1>();
        into_all::<Ascii>();
    }

    #[test]
    fn runs_and_values_of_two_bytes_agree() {
        into_all::<Utf16Le>();
        into_all::<Utf16Be>();
    }

    #[test]
    fn runs_and_values_of_four_bytes_agree() {
        into_all::<Utf32Le>();
        into_all::<Utf32Be>();
    }
}
