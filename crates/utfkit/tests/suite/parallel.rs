//! Slices large enough for several threads, compared with one thread. The module's unit tests
//! cover short ones and all cuts.

use std::num::NonZeroUsize;

use utfkit::{Standard, conversion, validate_parallel};
use utfkit_testkit::random::Random;
use utfkit_testkit::text::Mixture;

/// More than two parts, and a multiple of no block.
const SIZE: usize = (9 << 20) + 12345;
const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn text() -> Vec<u8> {
    let mixture = Mixture { name: "everything", weights: [1, 1, 1, 1, 1], run: 3 };
    let period = mixture.text(&mut Random::new(1), 10_007).into_bytes();
    let mut text = period.repeat(SIZE / period.len());
    text.resize(SIZE, b'a');
    text
}

#[test]
fn errors_around_the_cut_and_little_capacity() {
    let mut src = text();
    let full = utfkit::utf16_len_from_utf8(&src);
    let (mut one, mut two) = (vec![0u16; full], vec![0u16; full]);
    assert_eq!(conversion::UTF8_TO_UTF16.convert_parallel(&src, &mut two, TWO), utfkit::utf8_to_utf16(&src, &mut one));
    assert!(one == two, "the units differ");

    let middle = SIZE / 2;
    for at in [0, 1000, middle - 5, middle - 3, middle - 2, middle - 1, middle, middle + 1, middle + 4, SIZE - 1] {
        for bad in [0x80, 0xFF, 0xF0] {
            let before = std::mem::replace(&mut src[at], bad);
            let error = utfkit::validate(&src, Standard::Rfc3629);
            assert_eq!(validate_parallel(&src, TWO), error, "{bad:X} at {at}");
            let error = utfkit::utf8_to_utf16(&src, &mut one);
            assert_eq!(conversion::UTF8_TO_UTF16.convert_parallel(&src, &mut two, TWO), error, "{bad:X} at {at}");
            src[at] = before;
        }
    }
    let half = utfkit::utf16_len_from_utf8(&src[..middle]);
    for capacity in [0, 100, half - 1, half, half + 1, full - 1] {
        let error = utfkit::utf8_to_utf16(&src, &mut one[..capacity]);
        assert_eq!(
            conversion::UTF8_TO_UTF16.convert_parallel(&src, &mut two[..capacity], TWO),
            error,
            "capacity {capacity}"
        );
    }
}

#[test]
fn the_other_forms() {
    let src = text();
    let text = str::from_utf8(&src).unwrap();
    let mut utf16: Vec<u16> = text.encode_utf16().collect();
    let utf32: Vec<u32> = text.chars().map(u32::from).collect();
    let mut bytes = vec![0; SIZE];
    assert_eq!(conversion::UTF16_TO_UTF8.convert_parallel(&utf16, &mut bytes, TWO), Ok(SIZE));
    assert!(bytes == src, "UTF-8 of UTF-16");
    bytes.fill(0);
    assert_eq!(conversion::UTF32_TO_UTF8.convert_parallel(&utf32, &mut bytes, TWO), Ok(SIZE));
    assert!(bytes == src, "UTF-8 of UTF-32");
    let mut values = vec![0; utf32.len()];
    assert_eq!(conversion::UTF8_TO_UTF32.convert_parallel(&src, &mut values, TWO), Ok(utf32.len()));
    assert!(values == utf32, "UTF-32 of UTF-8");

    for unit in utf16.iter_mut().step_by(1001) {
        *unit = 0xDBFF;
    }
    let lossy = String::from_utf16_lossy(&utf16).into_bytes();
    let mut bytes = vec![0; lossy.len()];
    assert_eq!(conversion::UTF16_TO_UTF8_LOSSY.convert_parallel(&utf16, &mut bytes, TWO), Ok(lossy.len()));
    assert!(bytes == lossy, "UTF-8 of damaged UTF-16");
}
