//! What the fuzzers of utfkit ask of it, and who judges the results.
//!
//! A *target* is a function of any bytes. It makes a question of them (which
//! operation, how the text is cut, how much space there is, which text), asks
//! the library, and panics unless independent judges answer the same: the
//! standard library, `encoding_rs`, the references of `utfkit-testkit`, which are
//! written from the standards, or the library itself asked in another way
//! (whole instead of in pieces, on another instruction set, there and back).
//!
//! The targets in `fuzz` hand libFuzzer's bytes to these functions, and need
//! a nightly compiler. Everything here needs none: `tests/replay.rs` runs what
//! the fuzzers kept, the *corpus*, on stable.
//!
//! What the bytes mean is written in [`input`]. Nothing but them decides what
//! happens, so that each failure can be seen again.

// The tables of conversions, schemes and policies, and the checks of a result
// against the reference, are those of the library's own tests.
#[path = "../../utfkit/tests/common/mod.rs"]
mod common;

// The command is not a library. Its definition of the arguments is included as it
// is: it needs nothing of the command but how names are read.
#[allow(dead_code, unused_imports, reason = "only the parser is of interest")]
#[path = "../../utfkit-cli/src/args/mod.rs"]
mod args;
#[path = "../../utfkit-cli/src/names.rs"]
mod names;

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
pub mod repair;
pub mod round_trip;
pub mod stream;
pub mod transcode;
pub mod utf16;
pub mod utf32;
pub mod utf8;

/// A target.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Its name: that of the program in `fuzz` and of the file with its corpus.
    pub name: &'static str,
    /// Panics if the library and a judge differ over these bytes.
    pub run: fn(&[u8]),
}

impl FuzzTarget {
    /// Runs it, and says which input it was if it panics.
    ///
    /// # Panics
    ///
    /// As [`run`](FuzzTarget::run) does.
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

/// Every target.
pub const TARGETS: [FuzzTarget; 13] = [
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
    FuzzTarget { name: "labels", run: labels::run },
    FuzzTarget { name: "command", run: command::run },
];
