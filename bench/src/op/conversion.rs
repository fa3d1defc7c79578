//! Operations that write units to the caller's memory.

use std::fmt::Debug;
use std::hint::black_box;

use super::{Operation, columns};
use crate::contest::{Column, Contest};
use crate::goal::Goal;
use crate::options::Options;
use crate::peer::Peer;
use crate::text::Text;

/// A competitor's requirement for the destination's capacity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capacity {
    Exact,
    /// The maximum length of a result for this source length.
    Generous,
}

/// Converts source to destination and returns the units written; `None` if the
/// source is ill-formed or the result does not fit.
pub(crate) type Call<S, D> = fn(&[S], &mut [D]) -> Option<usize>;

pub(crate) struct Entry<S, D> {
    pub(crate) peer: Peer,
    pub(crate) capacity: Capacity,
    pub(crate) call: Call<S, D>,
}

impl<S, D> Entry<S, D> {
    pub(crate) const fn exact(peer: Peer, call: Call<S, D>) -> Self {
        Entry { peer, capacity: Capacity::Exact, call }
    }

    pub(crate) const fn generous(peer: Peer, call: Call<S, D>) -> Self {
        Entry { peer, capacity: Capacity::Generous, call }
    }
}

pub(crate) struct Conversion<S: 'static, D: 'static> {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) goal: Goal,
    /// Makes the source from a piece of text.
    pub(crate) source: fn(&str) -> Option<Vec<S>>,
    /// The expected result, by std.
    pub(crate) expected: fn(&[S]) -> Vec<D>,
    /// Maximum number of target units per source unit.
    pub(crate) growth: usize,
    pub(crate) entries: &'static [Entry<S, D>],
}

/// Extra capacity of a generous destination, in units.
const SLACK: usize = 64;

impl<S: Copy + 'static, D: Copy + Default + PartialEq + Debug + 'static> Operation for Conversion<S, D> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn goal(&self) -> Goal {
        self.goal
    }

    fn contest(&self, text: &Text, options: &Options) -> Option<Box<dyn Contest>> {
        let periods: Vec<Vec<S>> = text.pieces.iter().map(|piece| (self.source)(piece)).collect::<Option<_>>()?;
        let expected: Vec<Vec<D>> = periods.iter().map(|period| (self.expected)(period)).collect();
        let sources: Vec<Vec<S>> = periods.iter().map(|period| period.repeat(text.times)).collect();

        let size = |i: usize| match options.exact {
            true => expected[i].len() * text.times,
            false => sources[i].len() * self.growth + SLACK,
        };
        let longest = (0..sources.len()).map(size).max().unwrap_or(0);
        let sizes = (0..sources.len()).map(size).collect();
        let (columns, indices) = columns(self.entries, |entry| entry.peer, options);
        let kept = |index: &usize| !options.exact || self.entries[*index].capacity == Capacity::Exact;
        let (columns, indices): (Vec<_>, Vec<_>) = columns.into_iter().zip(indices).filter(|(_, i)| kept(i)).unzip();
        let calls = indices.iter().map(|&i| self.entries[i].call).collect();
        Some(Box::new(Cell {
            columns,
            calls,
            sources,
            expected,
            times: text.times,
            sizes,
            dst: vec![D::default(); longest],
        }))
    }
}

struct Cell<S, D> {
    columns: Vec<Column>,
    calls: Vec<Call<S, D>>,
    sources: Vec<Vec<S>>,
    /// The expected result for one period of each source.
    expected: Vec<Vec<D>>,
    /// Number of periods in a source.
    times: usize,
    /// Capacity passed to each call.
    sizes: Vec<usize>,
    /// Shared by all competitors, for equal cache state and alignment.
    dst: Vec<D>,
}

impl<S: Copy, D: Copy + Default + PartialEq + Debug> Contest for Cell<S, D> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn bytes(&self) -> usize {
        self.sources.iter().map(|source| size_of_val(source.as_slice())).sum()
    }

    fn calls(&self) -> usize {
        self.sources.len()
    }

    fn check(&mut self, column: usize) -> Result<(), String> {
        for ((source, expected), &size) in self.sources.iter().zip(&self.expected).zip(&self.sizes) {
            self.dst[..size].fill(D::default());
            let written = (self.calls[column])(source, &mut self.dst[..size]).ok_or("calls the text ill-formed")?;
            let right = expected.len() * self.times;
            if written != right {
                return Err(format!("wrote {written} units, not {right}"));
            }
            let periods = self.dst[..written].chunks(expected.len().max(1));
            for (number, period) in periods.enumerate() {
                if let Some(at) = (0..expected.len()).find(|&i| period[i] != expected[i]) {
                    let unit = number * expected.len() + at;
                    return Err(format!("unit {unit} is {:?}, not {:?}", period[at], expected[at]));
                }
            }
        }
        Ok(())
    }

    fn run(&mut self, column: usize, times: u32) {
        let call = self.calls[column];
        for _ in 0..times {
            for (source, &size) in self.sources.iter().zip(&self.sizes) {
                black_box(call(black_box(source), black_box(&mut self.dst[..size])));
            }
        }
    }
}
