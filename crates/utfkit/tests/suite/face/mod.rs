//! Functions other than conversions of slices: whole texts, strings, streams into units, byte
//! orders, pieces of ill-formed text.

mod byte_order;
mod decode;
mod into;
mod pieces;
mod types;
mod units;

use utfkit_testkit::mutate;
use utfkit_testkit::patterns::ill_formed;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::MIXTURES;

/// Texts of every mixture in several lengths, intact and damaged, and every ill-formed pattern
/// inside text.
fn samples() -> Vec<Vec<u8>> {
    let mut samples = Vec::new();
    for len in [0, 1, 2, 3, 7, 20, 64, 131, 300] {
        for mixture in MIXTURES {
            let mut random = Random::new(len as u64);
            let mut bytes = mixture.text(&mut random, len).into_bytes();
            samples.push(bytes.clone());
            mutate::bytes(&mut bytes, &mut random);
            samples.push(bytes);
        }
    }
    for (i, pattern) in ill_formed().iter().enumerate() {
        let before = ["", "a", "€uro and 63 bytes before what is wrong, which is a whole block"][i % 3];
        samples.push([before.as_bytes(), &pattern.bytes].concat());
        samples.push([before.as_bytes(), &pattern.bytes, "é after it".as_bytes()].concat());
    }
    samples
}
