//! Faults that were found and mended, each under its name.

mod common;

use common::every_isa::for_each_isa;

/// A low surrogate in front of everything was reported as the next fault.
#[test]
fn validate_utf16_sees_a_low_surrogate_in_front() {
    for_each_isa(|isa| {
        for len in [1, 2, 23, 200] {
            let mut src = vec![0xD7FF; len];
            src[0] = 0xDCFD;
            src[len - 1] = 0xDCFD;
            let e = utfkit::validate_utf16(&src).unwrap_err();
            assert_eq!((e.offset(), e.error_len()), (0, Some(1)), "{isa}, {len} units");
        }
    });
}
