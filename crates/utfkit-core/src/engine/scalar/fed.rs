//! Codecs as a driver feeds them, for their tests: whole, in pieces, and held
//! to the contracts of [`Reader`] and [`Writer`].

extern crate std;

use std::vec::Vec;

use super::{Decoded, LONGEST, Reader, Writer};
pub(super) use super::{Stateless, stateless};
use utfkit_testkit::piece::{IllFormed, Piece, What};
use utfkit_testkit::scheme::Scheme;

/// All of `src`, which comes in chunks of `chunk` bytes.
fn in_chunks<R: Reader>(mut reader: R, src: &[u8], chunk: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut at, mut there) = (0, chunk.min(src.len()));
    while at < src.len() {
        let last = there == src.len();
        let rest = &src[at..there];
        let decoded = if rest.is_empty() { None } else { Some(reader.decode(rest, last)) };
        let (len, what) = match decoded {
            None => (0, None),
            Some(Decoded::Unfinished { .. }) if !last => {
                assert!(rest.len() < LONGEST, "not decided by {rest:02X?}");
                (0, None)
            }
            Some(Decoded::Unfinished { kind, len }) => {
                assert_eq!(len, rest.len(), "{rest:02X?}");
                (len, Some(What::IllFormed(IllFormed { kind: kind.name(), open: true })))
            }
            Some(Decoded::IllFormed { kind, len }) => {
                (len, Some(What::IllFormed(IllFormed { kind: kind.name(), open: false })))
            }
            Some(Decoded::Value { value, len }) => (len, Some(What::Value(value))),
            Some(Decoded::StateChange { len }) => {
                assert!(1 <= len && len <= rest.len(), "a state change of {len} in {rest:02X?}");
                at += len;
                continue;
            }
        };
        match what {
            None => there = src.len().min(there + chunk),
            Some(what) => {
                assert!(1 <= len && len <= rest.len(), "{what:?} of {len} in {rest:02X?}");
                pieces.push(Piece { offset: at, len, what });
                at += len;
            }
        }
    }
    pieces
}

/// All of `src`, whole, after a look at whether it is the same in pieces: only
/// the names of errors may differ.
pub(super) fn pieces<R: Reader>(reader: &R, src: &[u8]) -> Vec<Piece> {
    let whole = in_chunks(reader.clone(), src, src.len());
    let blind = |piece: &Piece| (piece.offset, piece.len, piece.value(), piece.error_len());
    for chunk in [1, 2, 3, 5] {
        let cut = in_chunks(reader.clone(), src, chunk);
        assert!(whole.iter().map(blind).eq(cut.iter().map(blind)), "{src:02X?}: {whole:?}, in pieces {cut:?}");
    }
    whole
}

/// The values of `src`, `None` for each error.
pub(super) fn values<R: Reader>(reader: &R, src: &[u8]) -> Vec<Option<u32>> {
    pieces(reader, src).iter().map(Piece::value).collect()
}

/// The bytes of `values`, `None` if one of them is lacking.
pub(super) fn written<W: Writer>(writer: &W, values: &[u32]) -> Option<Vec<u8>> {
    let mut writer = writer.clone();
    let mut bytes = Vec::new();
    for &value in values {
        bytes.extend_from_slice(writer.encode(value)?.as_slice());
    }
    bytes.extend_from_slice(writer.finish().as_slice());
    assert!(writer.finish().as_slice().is_empty(), "what was finished is finished again");
    Some(bytes)
}

/// Every string of up to `len` of the bytes of `alphabet`.
pub(super) fn for_each_string(alphabet: &[u8], len: u32, mut look: impl FnMut(&[u8])) {
    for len in 1..=len {
        for number in 0..alphabet.len().pow(len) {
            let mut rest = number;
            let mut string = [0; 8];
            for byte in &mut string[..len as usize] {
                *byte = alphabet[rest % alphabet.len()];
                rest /= alphabet.len();
            }
            look(&string[..len as usize]);
        }
    }
}

/// The bytes of a value by the reference.
pub(super) fn by(scheme: Scheme) -> impl Fn(u32) -> Option<Vec<u8>> {
    move |value| {
        let mut bytes = Vec::new();
        scheme.encode(value, &mut bytes).then_some(bytes)
    }
}

/// Fails unless every code point, and some values beyond, are written as
/// `expected` says and read back, alone and between others.
pub(super) fn every_value_comes_back<R: Reader, W: Writer>(
    reader: &R,
    writer: &W,
    expected: impl Fn(u32) -> Option<Vec<u8>>,
) {
    let beyond = [0x11_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];
    for value in (0..=0x10_FFFF).chain(beyond) {
        let bytes = written(writer, &[value]);
        assert_eq!(bytes, expected(value), "{value:X}");
        if let Some(bytes) = bytes {
            let whole = in_chunks(reader.clone(), &bytes, bytes.len());
            assert_eq!(whole.iter().map(Piece::value).collect::<Vec<_>>(), [Some(value)], "{value:X}: {bytes:02X?}");
            // Cuts cost time.
            if value < 0x1_0100 || value % 509 == 0 {
                let between = written(writer, &[0x61, value, 0x7A]).expect("a, the value and z");
                assert_eq!(values(reader, &between), [0x61, value, 0x7A].map(Some), "{value:X}: {between:02X?}");
            }
        }
    }
}
