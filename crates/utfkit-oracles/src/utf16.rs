//! UTF-16: validation, conversions from it, lengths and comparison, of units
//! and of bytes in both orders.
//!
//! Judges: the standard library, `encoding_rs`, the testkit's reference.

use utfkit::{Encoding, Policy, Practice, Transcoder};
use utfkit_testkit::utf16;

use crate::common::{check, conversions};
use crate::input::Input;
use crate::isas::on_each;
use crate::utf8::EveryCapacity;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let input = Input::new(data);
    let src = &input.units16()[..];
    let decoded = || char::decode_utf16(src.iter().copied());
    let pieces = utf16::pieces(src);
    let values = pieces.iter().map(|piece| piece.value().ok_or(src[piece.offset]));
    assert!(decoded().map(|c| c.map(u32::from).map_err(|e| e.unpaired_surrogate())).eq(values), "{src:04X?}");
    match input.choices[0] % 5 {
        0 | 1 => conversions::from_utf16(src, &mut EveryCapacity::new(4, input.choices)),
        2 => on_each(|isa| check::reads_utf16(isa, format_args!("fuzzed"), src)),
        3 => in_both_orders(src, input.choices[1]),
        _ => {
            let at = src.len() * usize::from(input.choices[1]) / 255;
            let (a, b) = src.split_at(at);
            orders(a, b);
            // A common prefix, since comparison is most likely wrong after one.
            let mut other = src.to_vec();
            if let Some(unit) = other.get_mut(at) {
                *unit ^= 1 << (input.choices[2] % 16);
            }
            orders(src, &other);
        }
    }
}

/// UTF-16 bytes to UTF-8, compared with `encoding_rs` and the standard library;
/// half a unit can remain at the end.
fn in_both_orders(src: &[u16], choice: u8) {
    let replace = Policy::Replace(Practice::MaximalSubpart);
    for (from, theirs, bytes) in [
        (Encoding::Utf16Le, encoding_rs::UTF_16LE, src.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>()),
        (Encoding::Utf16Be, encoding_rs::UTF_16BE, src.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>()),
    ] {
        let bytes = &bytes[..bytes.len() - usize::from(choice.is_multiple_of(4) && !bytes.is_empty())];
        let (expected, _) = theirs.decode_without_bom_handling(bytes);
        if bytes.len() % 2 == 0 {
            assert_eq!(expected, String::from_utf16_lossy(src));
        }
        on_each(|isa| {
            let mut text = Vec::new();
            let _ = Transcoder::new(from, Encoding::Utf8, replace).transcode_to_vec(bytes, &mut text, true);
            assert!(
                text == expected.as_bytes(),
                "{isa} {from} of {bytes:02X?}\n got      {text:02X?}\n expected {expected:?}"
            );
        });
    }
}

/// Compares by code point; a lone surrogate counts as one.
fn orders(a: &[u16], b: &[u16]) {
    let points = |src: &[u16]| -> Vec<u32> {
        let decoded = char::decode_utf16(src.iter().copied());
        decoded.map(|c| c.map_or_else(|e| e.unpaired_surrogate().into(), u32::from)).collect()
    };
    let expected = points(a).cmp(&points(b));
    assert_eq!(utfkit::compare_utf16(a, b), expected, "{a:04X?} {b:04X?}");
    let little = |src: &[u16]| src.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>();
    let big = |src: &[u16]| src.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>();
    assert_eq!(utfkit::compare_utf16_le(&little(a), &little(b)), expected, "{a:04X?} {b:04X?}");
    assert_eq!(utfkit::compare_utf16_be(&big(a), &big(b)), expected, "{a:04X?} {b:04X?}");
}
