//! UTF-7 in bulk: the codecs of `scalar/utf7.rs` in loops that keep their state in
//! registers and copy direct characters.

use crate::engine::progress::Progress;
use crate::engine::scalar::utf7::{Utf7Reader, Utf7Writer};
use crate::engine::scalar::utf7_variants::Variant;
use crate::engine::scalar::{Decode, Decoded, Encode, Reader, Writer};
use crate::engine::walk::{put, put_padded};

/// Copies the front of `src`, up to `enough`, as long as `stands` is true of the
/// byte and there is space.
#[inline(always)]
fn copy_direct(src: &[u8], dst: &mut [u8], done: &mut Progress, enough: usize, stands: fn(u8) -> bool) {
    let (from, to) = (&src[done.read..enough], &mut dst[done.written..]);
    let len = from.iter().zip(&*to).take_while(|(byte, _)| stands(**byte)).count();
    to[..len].copy_from_slice(&from[..len]);
    done.read += len;
    done.written += len;
}

/// Converts UTF-7 until `enough` bytes are read, or to an error, a value that
/// `encode` lacks, or one that does not fit. `is_ascii` is true if `encode` writes
/// US-ASCII unchanged.
pub(super) fn decode_run<V: Variant>(
    reader: &mut Utf7Reader<V>,
    src: &[u8],
    dst: &mut [u8],
    encode: Encode,
    is_ascii: bool,
    done: &mut Progress,
    enough: usize,
) {
    while done.read < enough {
        if is_ascii && reader.is_direct() && V::reads(src[done.read]) {
            copy_direct(src, dst, done, enough, V::reads);
        }
        if done.read >= enough {
            return;
        }
        let before = reader.clone();
        let len = match reader.decode(&src[done.read..], false) {
            Decoded::Value { value, len } => encode(value).filter(|bytes| put_padded(bytes, dst, done)).map(|_| len),
            Decoded::StateChange { len } => Some(len),
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => None,
        };
        let Some(len) = len else {
            *reader = before;
            return;
        };
        done.read += len;
    }
}

/// Converts into UTF-7 as [`decode_run`] does from it. `is_ascii` is true if
/// `decode` reads US-ASCII unchanged.
pub(super) fn encode_run<V: Variant>(
    writer: &mut Utf7Writer<V>,
    src: &[u8],
    dst: &mut [u8],
    decode: Decode,
    is_ascii: bool,
    done: &mut Progress,
    enough: usize,
) {
    while done.read < enough {
        if is_ascii && writer.is_at_rest() && V::writes(src[done.read]) {
            copy_direct(src, dst, done, enough, V::writes);
        }
        if done.read >= enough {
            return;
        }
        let (value, len) = match decode(&src[done.read..]) {
            Decoded::Value { value, len } => (value, len),
            Decoded::StateChange { len } => {
                done.read += len;
                continue;
            }
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => return,
        };
        let before = writer.clone();
        let in_run = match value {
            0x80..0xD800 | 0xE000..0x1_0000 => writer.unit_in_run(value),
            _ => None,
        };
        let is_put = match in_run {
            Some((digits, len)) => put_digits(digits, len, dst, done),
            None => writer.encode(value).is_some_and(|bytes| put_padded(&bytes, dst, done)),
        };
        if !is_put {
            *writer = before;
            return;
        }
        done.read += len;
    }
}

/// Writes `len` of `digits`, all three in one store where they fit.
#[inline(always)]
fn put_digits(digits: [u8; 3], len: usize, dst: &mut [u8], done: &mut Progress) -> bool {
    match dst.get_mut(done.written..).and_then(|dst| dst.first_chunk_mut()) {
        Some(space) => {
            *space = digits;
            done.written += len;
            true
        }
        None => put(&digits[..len], dst, done),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scalar::Form;
    use crate::engine::scalar::ascii::Ascii;
    use crate::engine::scalar::utf7_variants::{Imap, Rfc2152, Rfc2152Optional};
    use crate::engine::scalar::utf8::Utf8;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Converts by two runs, of which the first has `space` bytes, and returns all that they wrote.
    fn by_runs(src: &[u8], space: usize, mut run: impl FnMut(&[u8], &mut [u8], &mut Progress)) -> Vec<u8> {
        let mut all = Vec::new();
        let mut read = 0;
        for space in [space, 6 * src.len() + 8] {
            let (mut dst, mut done) = (vec![0; space], Progress::default());
            run(&src[read..], &mut dst, &mut done);
            read += done.read;
            all.extend(&dst[..done.written]);
        }
        assert_eq!(read, src.len());
        all
    }

    fn runs<V: Variant>(text: &str) {
        let mut by_value = Utf7Writer::<V>::new();
        let mut expected = Vec::new();
        for value in text.chars() {
            expected.extend(by_value.encode(value.into()).expect("a scalar value").as_slice());
        }
        let end = by_value.finish();
        for space in 0..expected.len() + 9 {
            let mut writer = Utf7Writer::<V>::new();
            let written = by_runs(text.as_bytes(), space, |src, dst, done| {
                encode_run(&mut writer, src, dst, Utf8::decode, true, done, src.len());
            });
            assert_eq!((written, writer.finish().as_slice()), (expected.clone(), end.as_slice()), "{text:?} {space}");
        }
        // Followed by what makes every value before it certain.
        let src = [&expected[..], end.as_slice(), b" "].concat();
        for space in 0..text.len() + 9 {
            let mut reader = Utf7Reader::<V>::new();
            let read = by_runs(&src, space, |src, dst, done| {
                decode_run(&mut reader, src, dst, Utf8::encode, true, done, src.len());
            });
            assert_eq!(read, [text.as_bytes(), b" "].concat(), "{text:?} {space}");
            assert!(reader.is_direct());
        }
    }

    #[test]
    fn a_run_converts_what_its_values_do_in_any_space() {
        for text in
            ["", "plain", "A≢Α.", "Hi Mom -☺-!", "日本語", "a+-&b", "é é-é+é&é/é", "a😀b😀😀", "1 + 1 = 2 ~\\ ü"]
        {
            runs::<Rfc2152>(text);
            runs::<Rfc2152Optional>(text);
            runs::<Imap>(text);
        }
    }

    #[test]
    fn a_run_stops_before_what_is_ill_formed() {
        for (src, read) in [(&b"abc\x80"[..], 3), (b"ab+AOk\xFF", 6), (b"+2AA-", 1), (b"+AOl", 1), (b"a+", 1)] {
            let (mut dst, mut done) = ([0; 64], Progress::default());
            let mut reader = Utf7Reader::<Rfc2152>::new();
            decode_run(&mut reader, src, &mut dst, Utf8::encode, true, &mut done, src.len());
            assert_eq!(done.read, read, "{src:?}");
        }
        let (mut dst, mut done) = ([0; 64], Progress::default());
        let mut writer = Utf7Writer::<Rfc2152>::new();
        encode_run(&mut writer, "é\u{0}".as_bytes(), &mut dst, Ascii::decode, true, &mut done, 3);
        assert_eq!((done.read, done.written), (0, 0));
    }
}
