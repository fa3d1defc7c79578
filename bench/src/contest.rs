//! Measures one cell: competitors take turns at the same work.
//!
//! Each round times each competitor once. Rounds start with different
//! competitors, so that disturbances affect all of them. The best round counts,
//! since disturbances only add time.

use std::time::{Duration, Instant};

use utfkit::isa::{self, Isa};

use crate::peer::Peer;

/// A competitor and, for utfkit, its instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) peer: Peer,
    pub(crate) isa: Option<Isa>,
}

/// The prepared work of a cell.
pub(crate) trait Contest {
    fn columns(&self) -> &[Column];
    /// Bytes of input per run.
    fn bytes(&self) -> usize;
    /// Calls per run.
    fn calls(&self) -> usize;
    /// Runs the competitor once and compares its result with that of std; the
    /// error describes the difference.
    fn check(&mut self, column: usize) -> Result<(), String>;
    fn run(&mut self, column: usize, times: u32);
}

/// The effort of a measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) rounds: u32,
    /// Minimum duration of a sample.
    pub(crate) sample: Duration,
    /// No further round starts after this time.
    pub(crate) budget: Duration,
}

/// Minimum number of rounds, whatever the budget.
const LEAST_ROUNDS: u32 = 3;

/// A peer slower than the fastest by this factor gets no more than
/// `LEAST_ROUNDS` rounds. It would take most of the time, and its exact figure
/// does not matter.
const HOPELESS: f64 = 12.0;

/// Seconds per run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    pub(crate) best: f64,
    pub(crate) median: f64,
}

/// Checks every competitor, then times them.
pub(crate) fn measure(contest: &mut dyn Contest, plan: &Plan) -> Result<Vec<Figure>, String> {
    let start = Instant::now();
    let columns = contest.columns().to_vec();
    for (i, column) in columns.iter().enumerate() {
        choose(*column);
        contest.check(i).map_err(|why| format!("{}: {why}", column.peer.name()))?;
    }

    // The last calibration run counts as a sample, since for very large inputs
    // it takes a third of the budget.
    let mut runs = Vec::new();
    let mut samples = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        choose(*column);
        let (times, taken) = calibrate(contest, i, plan.sample);
        runs.push(times);
        samples.push(vec![taken]);
    }
    let fastest = samples.iter().map(|samples| samples[0]).fold(f64::INFINITY, f64::min);
    let hopeless = |i: usize| columns[i].peer != Peer::Utfkit && samples[i][0] > HOPELESS * fastest;
    let hopeless: Vec<bool> = (0..columns.len()).map(hopeless).collect();

    for round in 1..plan.rounds {
        let late = start.elapsed() > plan.budget;
        if round >= LEAST_ROUNDS && late {
            break;
        }
        for turn in 0..columns.len() {
            let i = (turn + round as usize) % columns.len();
            if hopeless[i] && (late || round >= LEAST_ROUNDS) {
                continue;
            }
            choose(columns[i]);
            let seconds = time(contest, i, runs[i]).as_secs_f64();
            samples[i].push(seconds / f64::from(runs[i]));
        }
    }
    Ok(samples.iter_mut().map(|samples| figure(samples)).collect())
}

fn choose(column: Column) {
    if let Some(isa) = column.isa {
        isa::set(isa).expect("the options let only available instruction sets through");
    }
}

fn time(contest: &mut dyn Contest, column: usize, times: u32) -> Duration {
    let start = Instant::now();
    contest.run(column, times);
    start.elapsed()
}

/// The number of runs in a sample, and the time of one run.
fn calibrate(contest: &mut dyn Contest, column: usize, sample: Duration) -> (u32, f64) {
    let mut times = 1;
    loop {
        let taken = time(contest, column, times);
        if taken >= sample || times >= 1 << 28 {
            return (times, taken.as_secs_f64() / f64::from(times));
        }
        let wanted = sample.as_secs_f64() / taken.as_secs_f64().max(1e-9) * 1.1;
        times = (f64::from(times) * wanted.clamp(1.5, 16.0)).ceil() as u32;
    }
}

fn figure(samples: &mut [f64]) -> Figure {
    samples.sort_by(f64::total_cmp);
    Figure { best: samples[0], median: samples[samples.len() / 2] }
}
