//! Characters of a reader do not depend on the cuts of its buffers, and errors of the reader
//! lose none.

use std::io::{self, BufRead, ErrorKind, Read};

use utfkit::{Encoding, Policy, Practice, Standard, TranscodeReader, Transcoder, chars, chars_lossy, read_char};
use utfkit_testkit::random::Random;

use crate::splits::{encodings, source};

/// A reader that returns these buffers in turn; before each one it fails with each of these
/// kinds.
#[derive(Debug)]
struct Buffers<'a> {
    buffers: Vec<&'a [u8]>,
    failures: &'a [ErrorKind],
    failed: usize,
}

impl<'a> Buffers<'a> {
    fn new(buffers: Vec<&'a [u8]>, failures: &'a [ErrorKind]) -> Buffers<'a> {
        Buffers { buffers: buffers.into_iter().filter(|buffer| !buffer.is_empty()).collect(), failures, failed: 0 }
    }

    /// `bytes`, cut where a bit of `cuts` is set.
    fn cut(bytes: &'a [u8], cuts: usize, failures: &'a [ErrorKind]) -> Buffers<'a> {
        let mut buffers = Vec::new();
        let mut start = 0;
        for at in 1..=bytes.len() {
            if at == bytes.len() || cuts.checked_shr(at as u32 - 1).is_some_and(|cuts| cuts & 1 == 1) {
                buffers.push(&bytes[start..at]);
                start = at;
            }
        }
        Buffers::new(buffers, failures)
    }
}

impl Read for Buffers<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(dst)?;
        self.consume(len);
        Ok(len)
    }
}

impl BufRead for Buffers<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some(&failure) = self.failures.get(self.failed) {
            self.failed += 1;
            return Err(failure.into());
        }
        Ok(self.buffers.first().copied().unwrap_or_default())
    }

    fn consume(&mut self, len: usize) {
        let Some(buffer) = self.buffers.first_mut() else {
            return assert_eq!(len, 0);
        };
        *buffer = &buffer[len..];
        if buffer.is_empty() {
            self.buffers.remove(0);
            self.failed = 0;
        }
    }
}

/// A character, or the offset and the length of an error.
type Found = Result<char, (usize, Option<usize>)>;

fn found(result: io::Result<char>) -> Found {
    result.map_err(|e| {
        assert_eq!(e.kind(), ErrorKind::InvalidData, "{e}");
        let error = e.get_ref().and_then(|e| e.downcast_ref::<utfkit::Error>()).expect("an error of utfkit");
        (error.offset(), error.error_len())
    })
}

/// The characters of a slice.
fn expected(bytes: &[u8]) -> Vec<Found> {
    let mut errors = utfkit::errors(bytes, Standard::Rfc3629).peekable();
    let of = |(start, _, c)| match errors.next_if(|error| error.offset() == start) {
        Some(error) => Err((start, error.error_len())),
        None => Ok(c),
    };
    utfkit::char_indices(bytes).map(of).collect()
}

const TEXTS: [&[u8]; 9] = [
    b"",
    b"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\x89",
    b"\xE2\x82\xF0\x9F\x8E\xE2\x82\xAC",
    b"\xF0\x9F\xF0\x9F\x8E\x89\x80a",
    b"\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80",
    b"\xF8\x88\x80\x80\x80\xFE\xC3\xA9",
    b"\xE0\x80\x80\xE0\xA0\x80\xC3",
    b"a\xEF\xBF\xBD\xEF\xBF\xF0\x9F\x8E",
    b"\xF0\x90\x80\x80\xF0\x8F\xBF\xE2\x82",
];

#[test]
fn no_cut_changes_a_character_or_the_place_of_an_error() {
    for text in TEXTS {
        let expected = expected(text);
        for cuts in 0..1 << text.len().saturating_sub(1) {
            let strict: Vec<Found> = chars(Buffers::cut(text, cuts, &[])).map(found).collect();
            assert_eq!(strict, expected, "{text:02X?} {cuts:b}");
            let lossy: io::Result<String> = chars_lossy(Buffers::cut(text, cuts, &[])).collect();
            assert_eq!(lossy.unwrap(), String::from_utf8_lossy(text), "{text:02X?} {cuts:b}");
        }
    }
}

#[test]
fn nothing_is_lost_where_the_reader_fails() {
    let failures = [ErrorKind::WouldBlock, ErrorKind::Interrupted, ErrorKind::Other];
    for text in TEXTS {
        let expected = expected(text);
        for cuts in 0..1 << text.len().saturating_sub(1) {
            let mut failed = 0;
            let mut results = chars(Buffers::cut(text, cuts, &failures)).filter(|result| {
                let passed_on = result.as_ref().is_err_and(|e| failures.contains(&e.kind()));
                failed += usize::from(passed_on);
                !passed_on
            });
            assert_eq!(results.by_ref().map(found).collect::<Vec<_>>(), expected, "{text:02X?} {cuts:b}");
            drop(results);
            // All errors but `Interrupted` are returned, before each buffer and at the end.
            let buffers = Buffers::cut(text, cuts, &[]).buffers.len();
            assert_eq!(failed, 2 * (buffers + 1), "{text:02X?} {cuts:b}");
        }
    }
}

#[test]
fn one_character_is_read_and_nothing_after_it() {
    for text in TEXTS {
        let ends = utfkit::char_indices(text).map(|(_, end, _)| end);
        for cuts in 0..1 << text.len().saturating_sub(1) {
            let mut reader = Buffers::cut(text, cuts, &[]);
            for end in ends.clone() {
                let c = read_char(&mut reader);
                assert_eq!(c.ok().flatten().is_none(), {
                    let start = utfkit::previous_boundary(text, end);
                    utfkit::from_utf8(&text[start..end]).is_err()
                });
                assert_eq!(reader.buffers.concat(), text[end..], "{text:02X?} {cuts:b} {end}");
            }
            assert_eq!(read_char(&mut reader).unwrap(), None);
        }
    }
}

/// A reader that decodes bytes in any encoding.
fn reader(bytes: &[u8], encoding: Encoding, policy: Policy, cuts: usize) -> impl BufRead {
    TranscodeReader::new(Buffers::cut(bytes, cuts, &[]), Transcoder::new(encoding, Encoding::Utf8, policy))
}

#[test]
fn every_encoding_by_every_policy_comes_through() {
    let mut random = Random::new(1);
    for encoding in encodings() {
        for _ in 0..20 {
            let src = source(encoding, &mut random);
            let cuts = random.next_u64() as usize;
            for practice in [Practice::MaximalSubpart, Practice::PerUnit, Practice::PerSequence] {
                for policy in [Policy::Replace(practice), Policy::Skip, Policy::Escape] {
                    let mut whole = Vec::new();
                    let _ = Transcoder::new(encoding, Encoding::Utf8, policy).transcode_to_vec(&src, &mut whole, true);
                    let text: io::Result<String> = chars(reader(&src, encoding, policy, cuts)).collect();
                    assert_eq!(text.unwrap().as_bytes(), whole, "{encoding} {policy:?} {src:02X?}");
                }
            }
            let first = encoding.validate(&src).err().map(|error| error.offset());
            let strict = chars(reader(&src, encoding, Policy::Strict, cuts)).find_map(|result| found(result).err());
            // A surrogate, which UTF-8 cannot hold, is an error of the target.
            match (first, strict) {
                (Some(first), Some((offset, _))) => assert!(offset <= first, "{encoding} {src:02X?}"),
                (first, strict) => assert!(first.is_none(), "{encoding} {src:02X?} {first:?} {strict:?}"),
            }
        }
    }
}

#[test]
fn a_buffer_of_the_adaptor_that_ends_inside_a_character_changes_nothing() {
    for front in 0..4 {
        let text = format!("{}{}", "a".repeat(front), "€🎉".repeat(10_000));
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let reader = reader(&utf16, Encoding::Utf16Le, Policy::Strict, 0);
        assert!(chars(reader).map(Result::unwrap).eq(text.chars()), "{front}");
    }
}
