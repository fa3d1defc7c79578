//! Fuzz targets of utfkit, with independent judges of the results.
//!
//! A *target* is a function of arbitrary bytes. It derives a test case from
//! them (operation, text, cuts, capacity), calls the library, and panics unless
//! independent judges agree with the result: the standard library,
//! `encoding_rs`, the references of `utfkit-testkit`, or the library itself
//! called in another way (whole instead of in pieces, on another instruction
//! set, there and back).
//!
//! The programs in `fuzz` pass libFuzzer's bytes to these functions and need a
//! nightly compiler. This crate does not: `tests/replay.rs` runs the fuzzers'
//! *corpus* on stable.
//!
//! [`input`] describes the format of the bytes. A test case depends on nothing
//! else, so failures are reproducible.

// The tables of conversions, schemes and policies, and the comparison with the
// reference, are shared with the library's own tests.
#[path = "../../utfkit/tests/common/mod.rs"]
mod common;

mod assemble;
mod atoms;
pub mod corpus;
pub mod input;
mod isas;
mod pieces;

pub mod command;
pub mod detect;
pub mod diagnose;
pub mod labels;
pub mod latin1;
pub mod legacy;
pub mod reader;
pub mod repair;
pub mod round_trip;
pub mod stream;
pub mod transcode;
pub mod utf16;
pub mod utf32;
pub mod utf8;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// The name of the program in `fuzz` and of the corpus file.
    pub name: &'static str,
    /// Panics if the library and a judge disagree.
    pub run: fn(&[u8]),
}

impl FuzzTarget {
    /// Runs the target and prints the input if it panics.
    ///
    /// # Panics
    ///
    /// If [`run`](FuzzTarget::run) panics.
    pub fn ask(&self, input: &[u8]) {
        struct Asked<'a>(&'a str, &'a [u8]);
        impl Drop for Asked<'_> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    eprintln!("FAILED: the target {} and the input {}", self.0, utfkit_testkit::hex::digits(self.1));
                }
            }
        }
        let _asked = Asked(self.name, input);
        (self.run)(input);
    }
}

/// All targets.
pub const TARGETS: [FuzzTarget; 14] = [
    FuzzTarget { name: "utf8", run: utf8::run },
    FuzzTarget { name: "utf16", run: utf16::run },
    FuzzTarget { name: "utf32", run: utf32::run },
    FuzzTarget { name: "latin1", run: latin1::run },
    FuzzTarget { name: "transcode", run: transcode::run },
    FuzzTarget { name: "legacy", run: legacy::run },
    FuzzTarget { name: "round_trip", run: round_trip::run },
    FuzzTarget { name: "diagnose", run: diagnose::run },
    FuzzTarget { name: "repair", run: repair::run },
    FuzzTarget { name: "detect", run: detect::run },
    FuzzTarget { name: "stream", run: stream::run },
    FuzzTarget { name: "reader", run: reader::run },
    FuzzTarget { name: "labels", run: labels::run },
    FuzzTarget { name: "command", run: command::run },
];
