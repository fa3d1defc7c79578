//! Counts of a few bytes.

use utfkit_core::{count_code_points, utf16_len_from_utf8};

/// More bytes than are counted in words.
const MANY: usize = 32;

/// Every class of bytes at every place of a source that is counted in words
/// or by a kernel, ill-formed or not.
#[test]
fn few_bytes_count_what_many_count() {
    const CLASSES: [u8; 8] = [0x00, 0x7F, 0x80, 0xBF, 0xC2, 0xEF, 0xF0, 0xFF];
    for len in 0..MANY {
        for at in 0..len {
            for (byte, other) in CLASSES.into_iter().flat_map(|byte| CLASSES.map(|other| (byte, other))) {
                let mut src = [other; MANY];
                src[at] = byte;
                let src = &src[..len];
                let starts = src.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
                let of_four = src.iter().filter(|byte| **byte >= 0xF0).count();
                assert_eq!(count_code_points(src), starts, "{src:02X?}");
                assert_eq!(utf16_len_from_utf8(src), starts + of_four, "{src:02X?}");
            }
        }
    }
}
