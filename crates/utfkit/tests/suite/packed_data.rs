//! The packed tables in `crates/utfkit-core/data` are the output of their scripts.

use utfkit_testkit::shared::{say, vectors};

use crate::vectors_family::hangul_of_unicode_11;

const HANGUL: &[u8] = include_bytes!("../../../utfkit-forms/data/hangul11.bin");
const CODE_PAGES: &[u8] = include_bytes!("../../../utfkit-core/data/code_pages.bin");

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// Guards against accidental changes: the scripts compare the tables with their sources, which
/// not every machine has.
#[test]
fn the_tables_are_those_that_were_compared() {
    const ADVICE: &str = "if the script beside it compares it and finds no difference, the left sum is the new one";
    assert_eq!(checksum(HANGUL), 0x5FB2_0FC4_8CAE_7A10, "hangul11.bin: {ADVICE}");
    assert_eq!(checksum(CODE_PAGES), 0x4BC1_7375_540F_D1D8, "code_pages.bin: {ADVICE}");
}

#[test]
fn the_hangul_of_unicode_1_1_is_what_the_list_says() {
    let Some(folder) = vectors() else {
        say("packed_data: skipped, there is no list of syllables");
        return;
    };
    let syllables: Vec<u8> = hangul_of_unicode_11(&folder).into_iter().flat_map(u16::to_le_bytes).collect();
    assert_eq!(syllables, HANGUL, "data/hangul11.py writes the table anew");
}
