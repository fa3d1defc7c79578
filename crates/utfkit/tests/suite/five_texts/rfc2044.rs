//! RFC 2044, by section.

use super::*;

/// "Character values from 0000 0000 to 0000 007F ... correspond to octets 00
/// to 7F"
#[test]
fn section_1_us_ascii() {
    let ascii: Vec<u8> = (0..=0x7F).collect();
    assert_eq!(validate(&ascii, Standard::Rfc2044), Ok(()));
    assert_eq!(conversion::UTF8_TO_UTF32.to_vec(&ascii), Ok((0..=0x7F).collect()));
}

/// "The octet values FE and FF never appear."
#[test]
fn section_1_fe_and_ff_never_appear() {
    is_refused(&[0xFE], &[Standard::Rfc2044]);
    is_refused(&[0xFF, 0x80, 0x80, 0x80, 0x80, 0x80], &[Standard::Rfc2044]);
}

/// The table: the header gives the length, 1 to 6 octets, whatever the other bits.
#[test]
fn section_2_table() {
    for_each_isa(|isa| {
        for len in 1..=6 {
            let bits = [7, 11, 16, 21, 26, 31][len - 1];
            for value in [0, 1, (1 << (bits - 1)) - 1, 1 << (bits - 1), ((1u64 << bits) - 1) as u32] {
                let octets = in_form(value, len);
                assert_eq!(validate(&octets, Standard::Rfc2044), Ok(()), "{isa}: {octets:02X?}");
                for cut in 1..len {
                    let error = validate(&octets[..cut], Standard::Rfc2044).unwrap_err();
                    assert_eq!((error.len(), error.error_len()), (cut, None), "{isa}: {octets:02X?}");
                }
            }
        }
    });
}

/// "UCS-2 values between D800 and DFFF ... need special treatment"
#[test]
fn section_2_utf16_is_undone() {
    assert_eq!(conversion::UTF16_TO_UTF8.to_vec(&[0xD83D, 0xDE00]), Ok(bytes("F0 9F 98 80")));
}

/// The decoding steps only use the number of octets: they decode the forms that the later RFCs
/// warn of.
#[test]
fn section_2_decoding_steps_do_not_protect() {
    for src in ["C0 80", "2F C0 AE 2E 2F", "ED A1 8C ED BE B4", "FC 80 80 80 80 8A"] {
        assert_eq!(validate(&bytes(src), Standard::Rfc2044), Ok(()), "{src}");
        is_refused(&bytes(src), &SHORTEST);
    }
}

#[test]
fn section_3_not_identical_to_alpha() {
    are_the_same("41 E2 89 A2 CE 91 2E", &[0x41, 0x2262, 0x391, 0x2E]);
}

#[test]
fn section_3_hi_mom() {
    are_the_same("48 69 20 4D 6F 6D 20 E2 98 BA 21", &[0x48, 0x69, 0x20, 0x4D, 0x6F, 0x6D, 0x20, 0x263A, 0x21]);
}

#[test]
fn section_3_nihongo() {
    are_the_same("E6 97 A5 E6 9C AC E8 AA 9E", &[0x65E5, 0x672C, 0x8A9E]);
}

/// "The proposed charset parameter value is "UTF-8"."
#[test]
fn mime_registrations_charset() {
    assert_eq!(Encoding::for_label("UTF-8"), Some(Encoding::Utf8));
}
