//! Sequences of UTF-8 that nothing could complete.

use utfkit_core::internal::Decoded;
use utfkit_core::internal::utf8::{Sequence, announced_len, decode, doomed_kind, encode_31_bits, sequence};
use utfkit_core::{ErrorKind, Standard};

/// Against the decoder: a front is doomed if no continuation is
/// well-formed.
#[test]
fn doomed_fronts_have_no_completion() {
    const STANDARDS: [Standard; 5] =
        [Standard::Rfc3629, Standard::Rfc2279, Standard::Rfc2044, Standard::Kuhn, Standard::NoNoncharacters];
    const TAILS: [u8; 12] = [0x80, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF];
    for standard in STANDARDS {
        for lead in 0xC0..=0xFD {
            for second in [None].into_iter().chain(TAILS.map(Some)) {
                let front: Vec<u8> = [lead].into_iter().chain(second).collect();
                let need = announced_len(lead);
                let mut completions = Vec::from([front.clone()]);
                while completions[0].len() < need {
                    completions = completions
                        .iter()
                        .flat_map(|c| {
                            let ends = if c.len() == 1 { &TAILS[..] } else { &[0x80, 0xBF] };
                            ends.iter().map(|&end| [&c[..], &[end]].concat())
                        })
                        .collect();
                }
                let allowed = |c: &Vec<u8>| {
                    // Of a noncharacter's sequence, another would be allowed.
                    let refused = Decoded::IllFormed { kind: ErrorKind::Noncharacter, len: need };
                    matches!(decode(c, standard), Decoded::Value { .. }) || decode(c, standard) == refused
                };
                let doomed = doomed_kind(&front, standard);
                assert_eq!(doomed.is_none(), completions.iter().any(allowed), "{front:02X?} {standard:?}");
                // And a complete one is of that kind.
                for c in &completions {
                    if let (Some(kind), Decoded::IllFormed { kind: found, .. }) = (doomed, decode(c, standard)) {
                        assert_eq!(found, kind, "{c:02X?} {standard:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_well_formed_sequence_has_the_one_error_left_to_it() {
    for value in [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF] {
        let bytes = encode_31_bits(value);
        let expected =
            Sequence { len: bytes.as_slice().len(), kind: ErrorKind::Noncharacter, value: Some(value), open: false };
        assert_eq!(sequence(bytes.as_slice()), expected, "{value:X}");
    }
}

#[test]
fn the_whole_sequence_of_a_code_point_is_not_doomed() {
    for value in [0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF] {
        assert_eq!(doomed_kind(encode_31_bits(value).as_slice(), Standard::Rfc3629), None, "{value:X}");
    }
    assert_eq!(doomed_kind(encode_31_bits(0x11_0000).as_slice(), Standard::Rfc3629), Some(ErrorKind::TooLarge));
}

#[test]
fn fe_and_ff_begin_nothing_that_could_be_doomed() {
    for byte in (0x80..=0xBF).chain([0xFE, 0xFF, 0x00, 0x7F]) {
        assert_eq!(doomed_kind(&[byte], Standard::Rfc3629), None);
    }
    assert_eq!(doomed_kind(&[], Standard::Rfc3629), None);
}
