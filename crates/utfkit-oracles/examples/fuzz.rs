//! Fuzzes without coverage: random mutations of the corpus. Needs no nightly
//! compiler, and is several times faster than libFuzzer, whose counters slow
//! down every branch:
//!
//! ```sh
//! cargo run --release -p utfkit-oracles --example fuzz -- 60 1          # each target for 60 seconds, from seed 1
//! cargo run --release -p utfkit-oracles --example fuzz -- 60 1 utf8     # this one
//! ```
//!
//! The inputs depend only on the seed. Failures are printed.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, error, fs, process};

use utfkit_oracles::{FuzzTarget, TARGETS, corpus};
use utfkit_testkit::mutate;
use utfkit_testkit::random::Random;

/// Maximum length of an input.
const LONGEST: usize = 256;

/// Number of inputs between checks of the clock.
const BATCH: usize = 256;

fn main() -> Result<(), Box<dyn error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [seconds, seed, names @ ..] = &arguments[..] else {
        eprintln!("SECONDS, SEED, and the names of targets");
        process::exit(2)
    };
    let (seconds, seed) = (seconds.parse()?, seed.parse()?);
    let mut all = 0;
    for target in TARGETS.iter().filter(|target| names.is_empty() || names.iter().any(|name| name == target.name)) {
        let executions = run(target, Duration::from_secs(seconds), seed, &inputs(target)?);
        println!("{:12} {executions:12} executions", target.name);
        all += executions;
    }
    println!("{:12} {all:12} executions", "in all");
    Ok(())
}

/// The corpus, or the folder named by `UTFKIT_CORPUS`, with a folder for each
/// target.
fn inputs(target: &FuzzTarget) -> Result<Vec<Vec<u8>>, Box<dyn error::Error>> {
    let mut inputs = Vec::new();
    match env::var_os("UTFKIT_CORPUS") {
        Some(folder) => {
            for entry in fs::read_dir(Path::new(&folder).join(target.name))? {
                inputs.push(fs::read(entry?.path())?);
            }
            inputs.sort();
        }
        None => inputs = corpus::read(target.name)?,
    }
    Ok(inputs)
}

fn run(target: &FuzzTarget, time: Duration, seed: u64, inputs: &[Vec<u8>]) -> u64 {
    let mut random = Random::new(seed);
    let (start, mut executions) = (Instant::now(), 0);
    let mut input = Vec::new();
    while start.elapsed() < time {
        for _ in 0..BATCH {
            input.clear();
            if !inputs.is_empty() && !random.one_in(8) {
                input.extend_from_slice(random.pick::<Vec<u8>>(inputs));
            } else {
                let len = random.below(64);
                input.extend((0..len).map(|_| random.next_u64() as u8));
            }
            if !inputs.is_empty() && random.one_in(4) {
                // The start of one input and the end of another.
                let other = random.pick(inputs);
                input.truncate(random.below(input.len() + 1));
                input.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            mutate::bytes(&mut input, &mut random);
            // Header bytes more often than the text.
            let head = input.len().min(7);
            if head == 0 {
                continue;
            }
            for _ in 0..random.below(3) {
                input[random.below(head)] = random.next_u64() as u8;
            }
            input.truncate(LONGEST);
            target.ask(&input);
            executions += 1;
        }
    }
    executions
}
