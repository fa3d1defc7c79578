//! The chunks of ill-formed text, and streams that are only validated.

use utfkit::{Error, ErrorKind, Utf8Validator};
use utfkit_testkit::utf8;

use super::samples;
use crate::common::every_isa::for_each_isa;

#[test]
fn chunks_are_those_of_std() {
    let samples = samples();
    for_each_isa(|isa| {
        for src in &samples {
            let ours = utfkit::utf8_chunks(src).map(|chunk| (chunk.valid(), chunk.invalid()));
            let theirs = src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid()));
            assert!(ours.eq(theirs), "{isa} {src:02X?}");
        }
    });
}

#[test]
fn characters_are_those_of_the_reference_from_both_ends() {
    for src in samples() {
        let expected: Vec<_> = utf8::pieces(&src, &utf8::RFC_3629)
            .iter()
            .map(|piece| {
                let c = piece.value().map_or('\u{FFFD}', |value| char::from_u32(value).expect("a scalar value"));
                (piece.offset, piece.offset + piece.len, c)
            })
            .collect();
        assert!(utfkit::char_indices(&src).eq(expected.iter().copied()), "{src:02X?}");
        assert!(utfkit::char_indices(&src).rev().eq(expected.iter().rev().copied()), "{src:02X?}");

        let mut from_both = utfkit::char_indices(&src);
        let (mut front, mut back) = (Vec::new(), Vec::new());
        while let Some(c) = from_both.next() {
            front.push(c);
            back.extend(from_both.next_back());
        }
        front.extend(back.into_iter().rev());
        assert_eq!(front, expected, "{src:02X?}");
        let (least, most) = utfkit::char_indices(&src).size_hint();
        assert!(least <= expected.len() && Some(expected.len()) <= most);
    }
}

/// The result of a validator that is fed these pieces.
fn pushed(pieces: &[&[u8]]) -> Result<(), Error> {
    let mut validator = Utf8Validator::new();
    for piece in pieces {
        if let Err(error) = validator.push(piece) {
            assert_eq!(validator.push(b"more"), Err(error), "an error stays");
            assert_eq!(validator.finish(), Err(error), "to the end");
            return Err(error);
        }
    }
    validator.finish()
}

#[test]
fn a_stream_in_pieces_is_judged_as_a_whole() {
    let samples = samples();
    let place = |result: Result<(), Error>| result.map_err(|e| (e.offset(), e.len(), e.error_len()));
    for_each_isa(|isa| {
        for src in samples.iter().filter(|src| src.len() < 200) {
            let whole = utfkit::from_utf8(src).map(drop);
            assert_eq!(pushed(&[src]), whole, "{isa} {src:02X?}");
            let bytes: Vec<&[u8]> = src.chunks(1).collect();
            assert_eq!(place(pushed(&bytes)), place(whole), "{isa} byte by byte {src:02X?}");
            for at in 0..=src.len() {
                let (a, b) = src.split_at(at);
                assert_eq!(place(pushed(&[a, b])), place(whole), "{isa} cut at {at} {src:02X?}");
                assert_eq!(place(pushed(&[a, b"", b])), place(whole), "{isa} nothing at {at} {src:02X?}");
            }
        }
    });
}

#[test]
fn what_is_left_of_a_cut_text_is_its_whole_characters() {
    for src in samples() {
        for at in 0..=src.len().min(150) {
            let cut = &src[..at];
            let unfinished = match std::str::from_utf8(cut.utf8_chunks().last().map_or(b"", |chunk| chunk.invalid())) {
                Err(e) if e.error_len().is_none() => {
                    cut.len() - cut.utf8_chunks().last().map_or(0, |c| c.invalid().len())
                }
                _ => cut.len(),
            };
            assert_eq!(utfkit::trim_partial_utf8(cut), &cut[..unfinished], "{cut:02X?}");
        }
    }
}

#[test]
fn the_first_byte_that_is_not_us_ascii() {
    for len in [0, 1, 255, 256, 257, 700] {
        assert_eq!(utfkit::validate_ascii(&vec![b'a'; len]), Ok(()));
        for at in (0..len).step_by(7) {
            let mut bytes = vec![b'a'; len];
            bytes[at] = 0x80;
            bytes[len - 1] = 0xFF;
            let e = utfkit::validate_ascii(&bytes).unwrap_err();
            assert_eq!((e.offset(), e.len(), e.kind()), (at, 1, ErrorKind::InvalidByte));
        }
    }
}
