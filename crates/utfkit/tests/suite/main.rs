//! The tests of the library in one program, which is faster to compile and link than several.
//! Only [guard] is separate: the system ends it if a kernel accesses memory out of bounds.
//!
//! `cargo test -p utfkit --all-features --test suite patterns::` runs one module.
//!
//! [guard]: ../guard/main.rs

#[path = "../common/mod.rs"]
mod common;

mod api;
#[cfg(feature = "detect")]
mod asked;
mod bytes;
mod capacity;
#[cfg(feature = "std")]
mod characters;
mod chunks;
mod counts;
mod definitions;
#[cfg(feature = "detect")]
mod detect;
mod diagnose;
mod diagnosis;
mod exhaustive;
mod face;
#[cfg(feature = "detect")]
mod field;
mod five_texts;
mod five_texts_family;
mod labels;
mod laws;
#[cfg(feature = "legacy")]
mod legacy;
mod noncharacters;
#[cfg(all(feature = "detect", feature = "legacy"))]
mod odd_texts;
mod owned;
mod packed_data;
mod pairs;
#[cfg(feature = "parallel")]
mod parallel;
#[cfg(all(feature = "std", feature = "detect"))]
mod parsers;
mod patterns;
mod random;
#[cfg(all(feature = "std", feature = "detect", feature = "repair"))]
mod reader;
mod regressions;
mod relatives;
mod sources;
mod splits;
mod standards;
mod states;
#[cfg(feature = "std")]
mod stream;
mod surrogates;
mod transcode;
mod vectors;
mod vectors_family;
mod vectors_utf7;
