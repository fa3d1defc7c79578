//! Conversions into new vectors and strings give the results of those into slices of sufficient
//! size.

use std::fmt::Arguments;

use crate::common::check::answer;
use crate::common::conversions::{
    Conversion, Unit, Visitor, from_all_forms, from_latin1, from_utf8, from_utf16, from_utf32,
};
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_shards;
use utfkit::isa::Isa;
use utfkit_testkit::hex::show;
use utfkit_testkit::mutate;
use utfkit_testkit::patterns::ill_formed;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{CLASSES, MIXTURES, filler};

/// Checks the owned variant of each conversion.
struct Owned<'a> {
    isa: Isa,
    context: Arguments<'a>,
}

impl Visitor for Owned<'_> {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]) {
        let plan = conversion.plan(pieces);
        let expected = plan.answer(plan.output.len());
        let got = (conversion.owned)(src);
        let whole = got.as_ref().is_ok_and(|got| *got == plan.output) || got.is_err();
        let got_answer = answer(got.as_ref().map(Vec::len).map_err(|e| *e));
        assert!(
            whole && got_answer == expected,
            "{} owned::{}, {}\n got      {got_answer:?}, {}\n expected {expected:?}, {}\n source   {}",
            self.isa,
            conversion.name,
            self.context,
            show(got.as_deref().unwrap_or_default(), 0),
            show(&plan.output, 0),
            show(src, 0)
        );
    }
}

#[test]
fn vectors_of_text_of_every_length() {
    for_each_isa(|isa| {
        in_shards(301, |range| {
            for len in range {
                for mixture in MIXTURES {
                    let mut random = Random::new(len as u64);
                    let text = mixture.text(&mut random, len);
                    let mut owned = Owned { isa, context: format_args!("{len} code points of {}", mixture.name) };
                    from_all_forms(&text, &mut owned);

                    let mut bytes = text.clone().into_bytes();
                    mutate::bytes(&mut bytes, &mut random);
                    from_utf8(&bytes, &mut owned);
                    from_latin1(&bytes, &mut owned);
                    let mut units: Vec<u16> = text.encode_utf16().collect();
                    mutate::units16(&mut units, &mut random);
                    from_utf16(&units, &mut owned);
                    let mut units: Vec<u32> = text.chars().map(u32::from).collect();
                    mutate::units32(&mut units, &mut random);
                    from_utf32(&units, &mut owned);
                }
            }
        });
    });
}

#[test]
fn vectors_of_every_pattern() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(patterns.len(), |range| {
            for (pattern, i) in patterns[range.clone()].iter().zip(range) {
                for before in [0, 1, 15, 62, 63, 64, 65, 130] {
                    let mut random = Random::new(i as u64);
                    let class = CLASSES[(i + before) % CLASSES.len()];
                    let mut src = filler(Some(class), before, &mut random).into_bytes();
                    src.extend_from_slice(&pattern.bytes);
                    let mut owned = Owned { isa, context: format_args!("{} after {before} bytes", pattern.name) };
                    from_utf8(&src, &mut owned);
                    src.extend(filler(Some(class), 100, &mut random).bytes());
                    from_utf8(&src, &mut owned);
                }
            }
        });
    });
}

#[test]
fn strings_are_what_std_makes() {
    for_each_isa(|isa| {
        in_shards(300, |range| {
            for len in range {
                for mixture in MIXTURES {
                    let mut random = Random::new(len as u64);
                    let text = mixture.text(&mut random, len);
                    let mut units: Vec<u16> = text.encode_utf16().collect();
                    assert_eq!(utfkit::utf16_to_string(&units).as_ref(), Ok(&text), "{isa}: {units:04X?}");
                    let mut values: Vec<u32> = text.chars().map(u32::from).collect();
                    assert_eq!(utfkit::utf32_to_string(&values).as_ref(), Ok(&text), "{isa}: {values:X?}");
                    let expected: String = text.bytes().map(char::from).collect();
                    assert_eq!(utfkit::latin1_to_string(text.as_bytes()), expected, "{isa}: {text:?}");

                    mutate::units16(&mut units, &mut random);
                    let lossy = String::from_utf16_lossy(&units);
                    assert_eq!(utfkit::utf16_to_string_lossy(&units), lossy, "{isa}: {units:04X?}");
                    let strict = String::from_utf16(&units).ok();
                    assert_eq!(utfkit::utf16_to_string(&units).ok(), strict, "{isa}: {units:04X?}");
                    mutate::units32(&mut values, &mut random);
                    let strict: Option<String> = values.iter().map(|&value| char::from_u32(value)).collect();
                    assert_eq!(utfkit::utf32_to_string(&values).ok(), strict, "{isa}: {values:X?}");
                }
            }
        });
    });
}
