//! UTF-16 in place, lengths, and vectors that become strings.

use utfkit::conversion::{UTF8_TO_UTF8_LOSSY, UTF8_TO_UTF16_LOSSY, UTF16_TO_UTF8_LOSSY};
use utfkit::{
    max_utf8_len_from_latin1, max_utf8_len_from_utf8_lossy, max_utf8_len_from_utf16, max_utf8_len_from_utf32,
};
use utfkit::{max_utf16_len_from_utf8, max_utf16_len_from_utf32};
use utfkit_testkit::mutate;
use utfkit_testkit::random::Random;

use super::samples;
use crate::common::every_isa::for_each_isa;

/// The samples in UTF-16, damaged as UTF-16.
fn utf16_samples() -> Vec<Vec<u16>> {
    let units = samples().into_iter().enumerate().flat_map(|(i, sample)| {
        let units: Vec<u16> = String::from_utf8_lossy(&sample).encode_utf16().collect();
        let mut damaged = units.clone();
        mutate::units16(&mut damaged, &mut Random::new(i as u64));
        [units, damaged]
    });
    units.chain([vec![0xD800; 200], vec![0xDC00; 200], vec![0xDC00, 0xD800, 0xDC00, 0xD800]]).collect()
}

#[test]
fn unpaired_surrogates_become_replacement_characters_in_place() {
    let samples = utf16_samples();
    for_each_isa(|isa| {
        for units in &samples {
            let expected: Vec<u16> = String::from_utf16_lossy(units).encode_utf16().collect();
            let unpaired = char::decode_utf16(units.iter().copied()).filter(Result::is_err).count();
            let mut fixed = units.clone();
            assert_eq!(utfkit::to_well_formed_utf16(&mut fixed), unpaired, "{isa} {units:04X?}");
            assert_eq!(fixed, expected, "{isa} {units:04X?}");
            assert_eq!(utfkit::to_well_formed_utf16(&mut fixed), 0);
        }
    });
}

#[test]
fn units_are_swapped_and_trimmed() {
    for units in utf16_samples() {
        let mut swapped = units.clone();
        utfkit::swap_utf16_bytes(&mut swapped);
        assert!(swapped.iter().map(|unit| unit.to_le_bytes()).eq(units.iter().map(|unit| unit.to_be_bytes())));
        let cut = usize::from(units.last().is_some_and(|last| (0xD800..0xDC00).contains(last)));
        assert_eq!(utfkit::trim_partial_utf16(&units), &units[..units.len() - cut]);
    }
}

#[test]
fn lengths_are_those_of_std() {
    for units in utf16_samples() {
        let text = String::from_utf16_lossy(&units);
        assert_eq!(utfkit::utf32_len_from_utf16(&units), text.chars().count());
        assert_eq!(utfkit::count_utf16(&units), text.chars().count());
        let values: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(utfkit::utf16_len_from_utf32(&values), text.encode_utf16().count());
        assert!(text.len() <= max_utf8_len_from_utf16(units.len()).expect("it is short"));
        assert!(text.len() <= max_utf8_len_from_utf32(values.len()).expect("it is short"));
    }
    assert_eq!(utfkit::utf16_len_from_utf32(&[0x11_0000]), 2, "as the kernel for well-formed text counts");
    // The worst case of each form needs the whole length.
    assert_eq!(max_utf8_len_from_utf16(2), UTF16_TO_UTF8_LOSSY.to_vec(&[0xD800; 2]).map(|worst| worst.len()).ok());
    assert_eq!(max_utf8_len_from_utf32(2), Some("🎉🎉".len()));
    assert_eq!(max_utf16_len_from_utf32(2), Some("🎉🎉".encode_utf16().count()));
    assert_eq!(max_utf8_len_from_latin1(2), Some("éé".len()));
    assert_eq!(max_utf16_len_from_utf8(2), UTF8_TO_UTF16_LOSSY.to_vec(b"\xFF\xFF").map(|worst| worst.len()).ok());
    assert_eq!(max_utf8_len_from_utf8_lossy(2), UTF8_TO_UTF8_LOSSY.to_vec(b"\xFF\xFF").map(|worst| worst.len()).ok());
    for max in [max_utf8_len_from_utf16, max_utf8_len_from_utf32, max_utf16_len_from_utf32, max_utf8_len_from_latin1] {
        assert_eq!(max(usize::MAX / 2 + 1), None);
    }
}

/// Long texts are counted in parts; a pair across two parts counts as a pair.
#[test]
fn pairs_are_counted_wherever_they_lie_in_a_long_text() {
    for before in [0, 1, 2, 3] {
        let text = ["a".repeat(before), "🎉".repeat(50_000)].concat();
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(utfkit::count_utf16(&units), before + 50_000);
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(utfkit::Encoding::Utf16Be.count_code_points(&bytes), before + 50_000);
        assert_eq!(utfkit::Encoding::Utf16Be.utf8_len(&bytes), text.len());
    }
}

#[test]
fn vectors_become_strings_without_a_copy() {
    for_each_isa(|isa| {
        for sample in samples() {
            let place = sample.as_ptr();
            let expected = String::from_utf8(sample.clone());
            match utfkit::string_from_utf8(sample.clone()) {
                Ok(text) => assert_eq!(Ok(text), expected, "{isa}"),
                Err(e) => {
                    let theirs = expected.expect_err("ours is one").utf8_error();
                    assert_eq!(
                        (e.error().valid_up_to(), e.error().error_len()),
                        (theirs.valid_up_to(), theirs.error_len())
                    );
                    assert_eq!((e.as_bytes(), e.to_string()), (&sample[..], e.error().to_string()));
                    assert_eq!(e.clone().into_string_lossy(), String::from_utf8_lossy(&sample));
                    assert_eq!(e.into_bytes(), sample);
                }
            }
            let lossy = String::from_utf8_lossy(&sample).into_owned();
            let is_text = std::str::from_utf8(&sample).is_ok();
            let text = utfkit::string_from_utf8_lossy(sample);
            assert_eq!(text, lossy, "{isa}");
            assert!(!is_text || text.as_ptr() == place, "{isa}: {text:?} was copied");
        }
    });
}

/// The text is so ill-formed that the result outgrows its first capacity more than once.
#[test]
fn a_long_ruin_is_mended_whole() {
    let src = b"\xFF".repeat(200_000);
    assert_eq!(utfkit::string_from_utf8_lossy(src), "\u{FFFD}".repeat(200_000));
}
