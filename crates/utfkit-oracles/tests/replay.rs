//! Runs the fuzzers' corpus through the targets, on stable.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use utfkit_oracles::{TARGETS, corpus};

/// The instruction set is global, so targets take turns.
static TURN: Mutex<()> = Mutex::new(());

fn replay(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("there is such a target");
    let inputs = corpus::read(name).unwrap_or_else(|e| panic!("{}: {e}", corpus::file(name).display()));
    assert!(inputs.len() >= 20, "{} inputs are too few for a corpus of {name}", inputs.len());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for input in &inputs {
        target.ask(input);
    }
}

/// Defines a test for each target, and a test that none is missing.
macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { replay(stringify!($name)); })*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

targets! {
    utf8 utf16 utf32 latin1 transcode legacy round_trip diagnose repair detect stream reader labels command
}

#[test]
fn each_target_has_a_fuzzer_and_a_corpus_and_a_test() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let files = |folder: &str, ending: &str| -> BTreeSet<String> {
        let folder = fuzz.join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let names = entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("it is text"));
        names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
    };
    let targets: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(targets, NAMES.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(targets, files("fuzz_targets", ".rs"));
    assert_eq!(targets, files("corpus", ".hex"));
}

/// Inputs of any length are accepted; missing bytes count as zero.
#[test]
fn every_target_takes_what_is_short() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for target in TARGETS {
        for len in 0..16 {
            target.ask(&[0xA5; 16][..len]);
            target.ask(&[0x00; 16][..len]);
        }
    }
}
