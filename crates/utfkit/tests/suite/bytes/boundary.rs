//! Boundaries of characters in UTF-8 that may be ill-formed.

use utfkit::*;

/// One byte of each class in the table of well-formed sequences.
const BYTES: [u8; 20] = [
    0x00, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
    0xFF,
];

/// Calls `check` with every string of up to `len` of these bytes.
fn for_each_string(len: usize, check: impl Fn(&[u8])) {
    let mut digits = vec![0; len];
    loop {
        let text: Vec<u8> = digits.iter().map(|&digit: &usize| BYTES[digit]).collect();
        (0..=len).for_each(|len| check(&text[..len]));
        let Some(place) = digits.iter().position(|&digit| digit + 1 < BYTES.len()) else { return };
        digits[..place].fill(0);
        digits[place] += 1;
    }
}

/// The boundaries between pieces according to the standard library.
fn places(bytes: &[u8]) -> Vec<usize> {
    let mut places = vec![0];
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            at += c.len_utf8();
            places.push(at);
        }
        if !chunk.invalid().is_empty() {
            at += chunk.invalid().len();
            places.push(at);
        }
    }
    places
}

fn check(bytes: &[u8]) {
    let places = places(bytes);
    assert_eq!(places.len() - 1, String::from_utf8_lossy(bytes).chars().count());
    for at in 0..bytes.len() + 3 {
        assert_eq!(is_boundary(bytes, at), places.contains(&at), "{bytes:02X?} {at}");
        let next = places.iter().find(|&&place| place > at).map_or(bytes.len(), |&place| place);
        assert_eq!(next_boundary(bytes, at), next, "{bytes:02X?} {at}");
        let previous = places.iter().rfind(|&&place| place < at).map_or(0, |&place| place);
        assert_eq!(previous_boundary(bytes, at), previous, "{bytes:02X?} {at}");

        let mut again = at.min(bytes.len());
        while bytes.get(again).is_some_and(|byte| matches!(byte, 0x80..=0xC1 | 0xF5..)) {
            again += 1;
        }
        assert_eq!(resynchronize(bytes, at), again, "{bytes:02X?} {at}");
        assert!(is_boundary(bytes, again), "{bytes:02X?} {at}");
    }
}

#[test]
fn every_short_string_has_the_pieces_of_the_standard_library() {
    for_each_string(4, check);
}

#[test]
fn long_runs_are_told_apart_by_the_bytes_nearby() {
    check(&[0x80; 12]);
    check(&[0xF0; 12]);
    check(b"\xF0\x9F\x8E\x89\x80\x80\x80\x80\xF0\x9F\x8E\x89\xF0\x9F\x8E");
    check("aé€🎉".repeat(3).as_bytes());
}

#[test]
fn the_ends_of_the_index_range_are_no_trouble() {
    assert_eq!(next_boundary(b"a", usize::MAX), 1);
    assert_eq!(previous_boundary(b"a", usize::MAX), 1);
    assert_eq!(resynchronize(b"a", usize::MAX), 1);
    assert!(!is_boundary(b"a", usize::MAX));
    assert_eq!((next_boundary(b"", 0), previous_boundary(b"", 0), resynchronize(b"", 0)), (0, 0, 0));
}
