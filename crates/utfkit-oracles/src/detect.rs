//! Detection: the result does not depend on the pieces, and its counts are
//! right.
//!
//! Judges: the standard library for UTF-8, independent counts, `encoding_rs`
//! for BOMs, and the library itself, fed in pieces.

use utfkit::Encoding;
use utfkit::bom::Bom;
use utfkit::detect::{Basis, Detector, detect};

use crate::input::Input;
use crate::isas::choose;
use crate::pieces::cut;
use crate::transcode::{any, source};

/// More bytes than the detector examines at once.
const LONG: usize = 40_000;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, which, isas, long] = input.choices;
    let mut src = source(&mut input, operation, any(which));
    if long == 0xFF && !src.is_empty() {
        src = src.repeat(LONG.div_ceil(src.len()));
    }
    choose(isas);
    let found = detect(&src);
    // The second result can come from another instruction set.
    choose(isas >> 4);
    let mut detector = Detector::new();
    for piece in cut(&src, &mut input.random) {
        detector.feed(piece);
    }
    let mut in_pieces = detector.finish();
    // Only the whole input can be split; `detect` has it.
    in_pieces.split(&src);
    assert_eq!(format!("{in_pieces:?}"), format!("{found:?}"), "{src:02X?}");
    assert!(!found.to_string().is_empty());

    let utf8 = std::str::from_utf8(&src);
    let count = |such: fn(&u8) -> bool| src.iter().filter(|byte| such(byte)).count() as u64;
    assert_eq!((found.bytes(), found.nulls()), (src.len() as u64, count(|byte| *byte == 0)), "{src:02X?}");
    match found.basis() {
        Basis::Empty => assert!(src.is_empty()),
        Basis::Ascii => assert!(src.is_ascii(), "{src:02X?}"),
        Basis::WellFormed => {
            assert!(utf8.is_ok() || found.is_truncated(), "{found:?} {src:02X?}");
            assert!(!src.is_ascii(), "{src:02X?}");
        }
        Basis::Damaged => assert!(utf8.is_err(), "{found:?} {src:02X?}"),
        _ => {}
    }
    if let (Some(Encoding::Utf8), Some(ill_formed)) = (found.encoding(), found.ill_formed()) {
        assert_eq!(ill_formed == 0, utf8.is_ok(), "{found:?} {src:02X?}");
        let first = found.first_error().map(|place| place.offset);
        assert_eq!(first, utf8.err().map(|e| e.valid_up_to() as u64), "{found:?} {src:02X?}");
    }
    // `encoding_rs` knows three BOMs and takes the BOM of UTF-32LE for
    // UTF-16LE.
    let theirs = encoding_rs::Encoding::for_bom(&src).map(|(encoding, _)| encoding.name());
    let ours = Bom::of(&src).and_then(Bom::encoding).map(Encoding::name);
    match ours {
        Some("UTF-8" | "UTF-16LE" | "UTF-16BE") => assert_eq!(theirs, ours, "{src:02X?}"),
        Some("UTF-32LE") => assert_eq!(theirs, Some("UTF-16LE"), "{src:02X?}"),
        _ => assert_eq!(theirs, None, "{src:02X?}"),
    }
}
