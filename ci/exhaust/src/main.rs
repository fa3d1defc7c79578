//! Runs every window of four bytes through every kernel, on every instruction
//! set of this machine, and compares with the table of RFC 3629.
//!
//! ```text
//! cargo run --release -p utfkit-exhaust                      # hours on one core
//! cargo run --release -p utfkit-exhaust -- --level quick     # seconds
//! cargo run --release -p utfkit-exhaust -- --isa avx2 --only =validate --at 62 -j 2
//! ```
//!
//! # Sufficiency of windows
//!
//! The verdict on a byte depends on the three bytes before it and the byte
//! after it, and kernels keep no other state (see `kernel/utf8.rs`). So a
//! window of four bytes at an offset of every kind covers all behaviour.
//! Windows are surrounded by US-ASCII; longer windows, of one byte per class,
//! show that this loses nothing.
//!
//! # Two kinds of tests
//!
//! A strict function returns one verdict per call, so each window is a call of
//! its own ([`single`]). A lossy function shows all verdicts in its output, so
//! hundreds of windows share a text, which is run at every offset in a block
//! ([`dense`]): a hundred times faster. Expected results are computed once per
//! group of windows from the testkit's table ([`expected`]) and used for all
//! functions and offsets.

#![forbid(unsafe_code)]

mod alphabet;
mod dense;
mod expected;
mod job;
mod single;
mod tally;
mod units;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use job::{Job, Level, jobs};
use tally::{Line, grouped};
use utfkit::isa::{self, Isa};

/// Runs the kernels of utfkit over every window of four bytes.
#[derive(Parser)]
struct Arguments {
    /// Extent of the run.
    #[arg(long, value_enum, default_value_t = Level::Default)]
    level: Level,
    /// Instruction set [default: each one of this machine, in turn].
    #[arg(long, value_name = "NAME")]
    isa: Vec<Isa>,
    /// Only functions whose name contains PART; `=validate` selects one by its full name.
    #[arg(long, value_name = "PART", default_value = "")]
    only: String,
    /// Only jobs whose name contains PART, such as "4 bytes".
    #[arg(long, value_name = "PART", default_value = "")]
    job: String,
    /// Only windows after this number of bytes.
    #[arg(long, value_name = "BYTES")]
    at: Vec<usize>,
    /// Number of threads.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Stop starting work after N minutes, and report the part that was done.
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let available: Vec<Isa> = isa::available().collect();
    let chosen = if arguments.isa.is_empty() { available } else { arguments.isa };
    println!("utfkit-exhaust, level {:?}, on {chosen:?}", arguments.level);
    let start = Instant::now();
    let until = arguments.minutes.map(|minutes| start + Duration::from_secs(60 * minutes));
    let mut total = Line::new("", String::new());
    let mut cut = 0;
    for isa in chosen {
        if let Err(error) = isa::set(isa) {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
        for mut job in jobs(arguments.level, isa == Isa::Scalar) {
            if !job.name.contains(&arguments.job) || !job.only(&arguments.only, &arguments.at) {
                continue;
            }
            let begun = Instant::now();
            let (done, lines) = run(&job, isa, arguments.threads, until);
            let whole = done == job.groups();
            cut += usize::from(!whole);
            let what = if whole { "all".to_owned() } else { format!("the first {done} of {} groups of", job.groups()) };
            println!("{isa}: {what} {}, {:.0} s", job.name, begun.elapsed().as_secs_f64());
            for line in &lines {
                print(line);
                total.add(line);
            }
        }
    }
    println!(
        "{} windows judged, {} mismatches, {:.0} s{}",
        grouped(total.windows),
        grouped(total.mismatches),
        start.elapsed().as_secs_f64(),
        if cut == 0 { String::new() } else { format!("; {cut} jobs were cut short") },
    );
    if total.mismatches > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

fn print(line: &Line) {
    println!(
        "  {:>19} windows, {} mismatches  {}, {}",
        grouped(line.windows),
        line.mismatches,
        line.kernel,
        line.place
    );
    if let Some(first) = &line.first {
        println!("  the first: {first}");
    }
}

/// Runs `job` on several threads. Returns the number of groups completed,
/// counted from the first, and the results.
fn run(job: &Job, isa: Isa, threads: usize, until: Option<Instant>) -> (usize, Vec<Line>) {
    const EACH: usize = 64;
    let groups = job.groups();
    let next = AtomicUsize::new(0);
    let total = Mutex::new(job.lines());
    let begun = Instant::now();
    let said = Mutex::new(begun);
    let work = || {
        let mut worker = job.worker();
        while until.is_none_or(|until| Instant::now() < until) {
            let first = next.fetch_add(EACH, Ordering::Relaxed);
            if first >= groups {
                break;
            }
            for group in first..groups.min(first + EACH) {
                job.run(group, &mut worker);
            }
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            if said.elapsed() > Duration::from_secs(30) {
                *said = Instant::now();
                let part = first as f64 / groups as f64;
                eprintln!("{isa}, {}: {:.1} %, {:.0} s", job.name, 100.0 * part, begun.elapsed().as_secs_f64());
            }
        }
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        total.iter_mut().zip(&worker.lines).for_each(|(line, found)| line.add(found));
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let lines = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    (next.into_inner().min(groups), lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick level, which runs with the tests.
    #[test]
    fn the_quick_level_finds_nothing() {
        for isa in isa::available() {
            isa::set(isa).expect("it is available");
            for job in jobs(Level::Quick, isa == Isa::Scalar) {
                let (done, lines) = run(&job, isa, thread::available_parallelism().map_or(1, usize::from), None);
                assert_eq!(done, job.groups());
                for line in lines {
                    assert!(line.windows > 0, "{isa}: {line:?}");
                    assert_eq!(line.mismatches, 0, "{isa}: {line:?}");
                }
            }
        }
    }
}
