//! ISO-8859-1: conversions from it and back, and lengths.
//!
//! Judges: the standard library, `encoding_rs::mem`, the testkit's reference.

use crate::common::{check, conversions};
use crate::input::Input;
use crate::isas::on_each;
use crate::utf8::EveryCapacity;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let input = Input::new(data);
    let src = &input.bytes()[..];
    match input.choices[0] % 3 {
        0 => conversions::from_latin1(src, &mut EveryCapacity::new(3, input.choices)),
        1 => on_each(|isa| check::reads_latin1(isa, format_args!("fuzzed"), src)),
        _ => {
            let text: String = src.iter().map(|byte| char::from(*byte)).collect();
            assert_eq!(text, encoding_rs::mem::decode_latin1(src));
            let units: Vec<u16> = src.iter().map(|byte| u16::from(*byte)).collect();
            let values: Vec<u32> = src.iter().map(|byte| u32::from(*byte)).collect();
            on_each(|isa| {
                assert_eq!(utfkit::latin1_to_string(src), text, "{isa}");
                assert_eq!(utfkit::conversion::LATIN1_TO_UTF16.to_vec(src).as_ref(), Ok(&units), "{isa}");
                assert_eq!(utfkit::conversion::LATIN1_TO_UTF32.to_vec(src).as_ref(), Ok(&values), "{isa}");
                assert_eq!(utfkit::conversion::UTF8_TO_LATIN1.to_vec(text.as_bytes()).as_deref(), Ok(src), "{isa}");
                assert_eq!(utfkit::conversion::UTF16_TO_LATIN1.to_vec(&units).as_deref(), Ok(src), "{isa}");
                assert_eq!(utfkit::conversion::UTF32_TO_LATIN1.to_vec(&values).as_deref(), Ok(src), "{isa}");
            });
        }
    }
}
