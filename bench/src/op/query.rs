//! Operations that return a number.

use std::hint::black_box;

use super::{Operation, columns};
use crate::contest::{Column, Contest};
use crate::goal::Goal;
use crate::options::Options;
use crate::peer::Peer;
use crate::text::Text;

/// A competitor and its function.
pub(crate) type Counted<S> = (Peer, fn(&[S]) -> usize);

pub(crate) struct Query<S: 'static> {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) goal: Goal,
    /// Makes the source from a piece of text.
    pub(crate) source: fn(&str) -> Option<Vec<S>>,
    /// The expected result, by std. It must be proportional to the source's
    /// length.
    pub(crate) expected: fn(&[S]) -> usize,
    pub(crate) entries: &'static [Counted<S>],
}

impl<S: Copy + 'static> Operation for Query<S> {
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
        let expected = periods.iter().map(|period| (self.expected)(period) * text.times).collect();
        let sources = periods.iter().map(|period| period.repeat(text.times)).collect();
        let (columns, indices) = columns(self.entries, |entry| entry.0, options);
        let calls = indices.iter().map(|&i| self.entries[i].1).collect();
        Some(Box::new(Cell { columns, calls, sources, expected }))
    }
}

struct Cell<S> {
    columns: Vec<Column>,
    calls: Vec<fn(&[S]) -> usize>,
    sources: Vec<Vec<S>>,
    expected: Vec<usize>,
}

impl<S> Contest for Cell<S> {
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
        for (source, &expected) in self.sources.iter().zip(&self.expected) {
            let result = (self.calls[column])(source);
            if result != expected {
                return Err(format!("returned {result}, not {expected}"));
            }
        }
        Ok(())
    }

    fn run(&mut self, column: usize, times: u32) {
        let call = self.calls[column];
        for _ in 0..times {
            for source in &self.sources {
                black_box(call(black_box(source)));
            }
        }
    }
}
