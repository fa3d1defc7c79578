//! Every ill-formed pattern at every offset from 0 to 130. Vector kernels miss errors mostly at
//! the end of a vector or of the input.

use crate::common::check;
use crate::common::every_isa::for_each_isa;
use crate::common::shards::{in_shards, in_share};
use utfkit_testkit::patterns::{Pattern, ill_formed};
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{Class, filler};

/// The text around the pattern: one class of characters, or all in turn.
const FILLERS: [Option<Class>; 5] = [Some(Class::Ascii), Some(Class::Two), Some(Class::Three), Some(Class::Four), None];

/// `before` bytes of text, the pattern, `after` bytes of text.
fn embed(pattern: &Pattern, class: Option<Class>, before: usize, after: usize, random: &mut Random) -> Vec<u8> {
    let mut text = filler(class, before, random).into_bytes();
    text.extend_from_slice(&pattern.bytes);
    // After the pattern, US-ASCII that fills up the length comes last, so that a lead byte
    // follows the pattern.
    let rest = filler(class, after, random);
    let ascii = rest.bytes().take_while(u8::is_ascii).count();
    text.extend_from_slice(&rest.as_bytes()[ascii..]);
    text.extend_from_slice(&rest.as_bytes()[..ascii]);
    text
}

#[test]
fn every_pattern_at_every_offset() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(patterns.len(), |range| {
            for (i, pattern) in patterns[range.clone()].iter().enumerate() {
                let mut random = Random::new((range.start + i) as u64);
                for before in 0..=130 {
                    for class in FILLERS {
                        // At the end, close to it, or at least one vector before it.
                        for after in [0, 1 + random.below([15, 145][before % 2])] {
                            let text = embed(pattern, class, before, after, &mut random);
                            let context = format_args!("{} after {before} bytes of {class:?}", pattern.name);
                            check::utf8(isa, context, &text);
                        }
                    }
                }
            }
        });
    });
}

/// Some kernels process several vectors at a time, but only inside longer text.
#[test]
fn every_pattern_amid_a_long_text() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(patterns.len(), |range| {
            for i in range {
                let pattern = &patterns[i];
                let mut random = Random::new(i as u64);
                for before in 131..=460 {
                    let class = FILLERS[(i + before) % FILLERS.len()];
                    let text = embed(pattern, class, before, 340 + random.below(260), &mut random);
                    let context = format_args!("{} after {before} bytes of {class:?}", pattern.name);
                    if (i + before / 5) % 6 == 0 {
                        check::utf8(isa, context, &text);
                    } else {
                        check::reads_utf8(isa, context, &text);
                    }
                }
            }
        });
    });
}

#[test]
fn two_patterns_in_one_text() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(20_000, |range| {
            for seed in range {
                let mut random = Random::new(seed as u64);
                let class = *random.pick(&FILLERS);
                let (first, second) = (random.pick(&patterns), random.pick(&patterns));
                let (before, between, after) = (random.below(131), random.below(131), random.below(80));
                let mut text = embed(first, class, before, between, &mut random);
                text.extend(embed(second, class, 0, after, &mut random));
                check::utf8(isa, format_args!("seed {seed}: {} and {}", first.name, second.name), &text);
            }
        });
    });
}

/// Sequences truncated by the end of the text, where kernels that look at the previous vector
/// are most likely to be wrong.
#[test]
fn every_character_cut_at_every_place_and_every_length() {
    for_each_isa(|isa| {
        for c in ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
            for before in in_share(0..=260) {
                for class in FILLERS {
                    let mut random = Random::new(before as u64);
                    let mut text = filler(class, before, &mut random).into_bytes();
                    for byte in &c.as_bytes()[..c.len() - 1] {
                        text.push(*byte);
                        check::utf8(isa, format_args!("{c:?} cut, after {before} bytes of {class:?}"), &text);
                    }
                }
            }
        }
    });
}
