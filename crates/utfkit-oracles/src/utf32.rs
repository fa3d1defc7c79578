//! UTF-32: validation, conversions from it and lengths, of units and of bytes
//! in both orders.
//!
//! Judges: the standard library and the testkit's reference.

use utfkit::{Encoding, Policy, Practice, Transcoder};
use utfkit_testkit::utf32;

use crate::common::{check, conversions};
use crate::input::Input;
use crate::isas::on_each;
use crate::utf8::EveryCapacity;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let input = Input::new(data);
    let src = &input.units32()[..];
    let decoded = src.iter().map(|&unit| char::from_u32(unit));
    let pieces = utf32::pieces(src);
    let values = pieces.iter().map(|piece| piece.value().and_then(char::from_u32));
    assert!(decoded.clone().eq(values), "{src:08X?}");
    match input.choices[0] % 4 {
        0 | 1 => conversions::from_utf32(src, &mut EveryCapacity::new(3, input.choices)),
        2 => on_each(|isa| check::reads_utf32(isa, format_args!("fuzzed"), src)),
        _ => {
            let expected: String = decoded.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
            let replace = Policy::Replace(Practice::MaximalSubpart);
            let little: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            on_each(|isa| {
                for (from, bytes) in [(Encoding::Utf32Le, &little), (Encoding::Utf32Be, &big)] {
                    let mut text = Vec::new();
                    let _ = Transcoder::new(from, Encoding::Utf8, replace).transcode_to_vec(bytes, &mut text, true);
                    assert!(
                        text == expected.as_bytes(),
                        "{isa} {from} of {src:08X?}\n got      {text:02X?}\n expected {expected:?}"
                    );
                }
            });
        }
    }
}
