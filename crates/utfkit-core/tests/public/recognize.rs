//! Checks the chances that random bytes are UTF-8 by counting.

use utfkit_core::internal::utf8::{Utf8, is_continuation};
use utfkit_core::internal::{Decoded, Form};
use utfkit_core::{Verdict, recognize};

/// Its documentation has tables.
const SOURCE: &str = include_str!("../../src/utf8/recognize.rs");

fn is_whole(sequence: &[u8]) -> bool {
    matches!(Utf8::decode(sequence), Decoded::Value { len, .. } if len == sequence.len())
}

/// The number of well-formed sequences of 1 to 4 bytes of `alphabet`, by trying
/// each one; a fourth byte is any continuation byte and counted without a
/// trial.
fn sequences(alphabet: &[u8]) -> [u128; 5] {
    let mut counts = [0; 5];
    let tails = alphabet.iter().filter(|&&byte| is_continuation(byte)).count() as u128;
    for &a in alphabet {
        counts[1] += u128::from(is_whole(&[a]));
        for &b in alphabet {
            counts[2] += u128::from(is_whole(&[a, b]));
            for &c in alphabet {
                counts[3] += u128::from(is_whole(&[a, b, c]));
                counts[4] += tails * u128::from(is_whole(&[a, b, c, 0x80]));
            }
        }
    }
    counts
}

/// The number of well-formed strings of `len` bytes.
fn strings(sequences: &[u128; 5], len: usize) -> u128 {
    let mut counts = vec![1];
    for len in 1..=len {
        let count = (1..=len.min(4)).map(|last| sequences[last] * counts[len - last]).sum();
        counts.push(count);
    }
    counts[len]
}

fn any() -> Vec<u8> {
    (0x80..=0xFF).collect()
}

/// The bytes 80–FF that are letters in words: ƒŠŒŽšœžŸ, ªµº, À–ÿ without ×
/// and ÷.
fn letters_of_windows_1252() -> Vec<u8> {
    let mut letters = vec![0x83, 0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F];
    letters.extend((0xA0..=0xFF).filter(|&byte| char::from(byte).is_alphabetic()));
    letters
}

fn million(count: u128, of: u128) -> u128 {
    count * 1_000_000 / of
}

#[test]
fn the_table_of_runs_is_what_counting_gives() {
    let alphabets = [any(), letters_of_windows_1252(), (0xA1..=0xFE).collect()];
    let counts = alphabets.each_ref().map(|alphabet| sequences(alphabet));
    for len in [1, 2, 3, 4, 6, 8, 10] {
        let shares: Vec<_> = (0..3)
            .map(|i| million(strings(&counts[i], len), (alphabets[i].len() as u128).pow(len as u32)))
            .map(|share| format!(" {share} |"))
            .collect();
        let row = format!("/// | {len} |{}\n", shares.concat());
        assert!(SOURCE.contains(&row), "the table lacks {row}");
    }
}

#[test]
fn counting_sequences_counts_strings() {
    let counts = sequences(&any());
    for len in 1..=3 {
        let mut well_formed = 0;
        for number in 0..1_u32 << (7 * len) {
            let text: Vec<u8> = (0..len).map(|i| 0x80 | (number >> (7 * i)) as u8).collect();
            well_formed += u128::from(std::str::from_utf8(&text).is_ok());
        }
        assert_eq!(strings(&counts, len), well_formed, "{len} bytes");
    }
    // RFC 3629: all scalar values from U+10000 on take four bytes.
    assert_eq!(counts[4], 0x10_0000);
}

#[test]
fn a_sequence_begins_by_chance_in_77_of_512() {
    let counts = sequences(&any());
    let begun: u128 = (1..=4).map(|len| counts[len] << (7 * (4 - len))).sum();
    assert_eq!(begun * 512, 77 << 28);
    // The logarithm lies between 2733/1000 and 2734/1000.
    let ratio = 512_f64 / 77.0;
    assert!((2.733..2.734).contains(&ratio.log2()));
    assert_eq!(ratio.powi(4) as u32, 1954);
    assert_eq!(ratio.powi(11) as u64 / 1_000_000_000, 1);
}

#[test]
fn the_table_of_damage_is_what_the_binomial_gives() {
    let chance = |of: u32| {
        let mut choose = 1.0;
        let mut sum = 0.0;
        for errors in 0..=of / 3 {
            sum += choose * (77_f64 / 512.0).powi((of - errors) as i32) * (435_f64 / 512.0).powi(errors as i32);
            choose = choose * f64::from(of - errors) / f64::from(errors + 1);
        }
        format!(" {} |", (sum * 1e6) as u32)
    };
    let row: String = [3, 6, 12, 24].map(chance).concat();
    assert!(SOURCE.contains(&format!("/// |{row}\n")), "the table lacks {row}");
}

#[test]
fn every_short_string_is_counted_as_the_standard_library_sees_it() {
    let bytes = [0x00, 0x61, 0x80, 0xA9, 0xC3, 0xE2, 0xED, 0xF0, 0x9F, 0xFF];
    for len in 0..6 {
        for number in 0..10_usize.pow(len) {
            let text: Vec<u8> = (0..len).map(|place| bytes[number / 10_usize.pow(place) % 10]).collect();
            let (mut sequences, mut errors, mut ascii) = (0, 0, 0);
            for chunk in text.utf8_chunks() {
                sequences += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
                ascii += chunk.valid().chars().filter(char::is_ascii).count();
                errors += usize::from(!chunk.invalid().is_empty());
            }
            let found = recognize(&text);
            let unfinished = std::str::from_utf8(&text[text.len() - trailing(&text)..])
                .is_err_and(|e| e.valid_up_to() == 0 && e.error_len().is_none());
            assert_eq!(found.is_unfinished(), unfinished, "{text:02X?}");
            assert_eq!(found.errors(), errors - usize::from(unfinished), "{text:02X?}");
            assert_eq!((found.sequences(), found.ascii()), (sequences, ascii), "{text:02X?}");
            assert_eq!(found.nulls(), text.iter().filter(|&&byte| byte == 0).count());
        }
    }
}

/// The length of the last chunk's ill-formed part.
fn trailing(text: &[u8]) -> usize {
    text.utf8_chunks().last().map_or(0, |chunk| chunk.invalid().len())
}

#[test]
fn verdicts() {
    use Verdict::*;
    let cases: [(&[u8], Verdict); 10] = [
        (b"", Ascii),
        (b"a\0", Ascii),
        (b"\xEF\xBB\xBF", Utf8),
        ("ж".as_bytes(), Utf8),
        // A letter of ISO-8859-1 at the end, or a truncated sequence.
        (b"caf\xC3", Other),
        (b"caf\xE9!", Other),
        ("Съешь".as_bytes(), Utf8),
        // A word in KOI8-R, then in windows-1251.
        (b"\xF3\xDF\xC5\xDB\xD8", Other),
        (b"\xD1\xFA\xE5\xF8\xFC", Other),
        (b"\xC3\xA9\xC3\xA9\xC3\xA9\xFF\xC3", DamagedUtf8),
    ];
    for (bytes, verdict) in cases {
        assert_eq!(recognize(bytes).verdict(), verdict, "{bytes:02X?}");
    }
    assert!(recognize(b"\xEF\xBB\xBFa").has_bom());
    assert!(!recognize(b"a\xEF\xBB\xBF").has_bom());
}

#[test]
fn bits_are_rounded_down() {
    for (sequences, bits) in [(0, 0), (1, 2), (3, 8), (4, 10), (999, 2730), (1000, 2733), (1001, 2735)] {
        assert_eq!(recognize("é".repeat(sequences).as_bytes()).bits(), bits);
    }
}
