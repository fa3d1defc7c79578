//! The expected result of a conversion, for a destination of any size.

use crate::piece::{Piece, What};

/// A conversion into unlimited space, up to the first error.
#[derive(Clone, Debug)]
pub struct Plan<D> {
    /// For each converted piece, its offset in the source and the length of the
    /// output after it.
    moves: Vec<(usize, usize)>,
    /// The whole output.
    pub output: Vec<D>,
    /// The piece at which the conversion stops, and the kind of error.
    stop: Option<(Piece, &'static str)>,
}

/// The result of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Success, with the number of units written.
    Done(usize),
    /// An error.
    Stopped {
        /// Offset in source units.
        offset: usize,
        /// Number of units written.
        written: usize,
        /// Length of the ill-formed sequence.
        len: usize,
        /// Number of units to skip.
        error_len: Option<usize>,
        /// Kind of error.
        kind: &'static str,
    },
}

impl Answer {
    /// Number of units written.
    pub fn written(&self) -> usize {
        match *self {
            Answer::Done(written) | Answer::Stopped { written, .. } => written,
        }
    }
}

/// Plans the conversion of `pieces`. `encode` appends a value, or returns false
/// if the target lacks it. `lossy` replaces each error with U+FFFD.
pub fn plan<D>(pieces: &[Piece], lossy: bool, encode: impl Fn(u32, &mut Vec<D>) -> bool) -> Plan<D> {
    let mut plan = Plan { moves: Vec::with_capacity(pieces.len()), output: Vec::new(), stop: None };
    for piece in pieces {
        let value = match piece.what {
            What::Value(value) => value,
            What::StateChange => continue,
            What::IllFormed(_) if lossy => 0xFFFD,
            What::IllFormed(error) => {
                plan.stop = Some((*piece, error.kind));
                break;
            }
        };
        if !encode(value, &mut plan.output) {
            plan.stop = Some((*piece, "unrepresentable"));
            break;
        }
        plan.moves.push((piece.offset, plan.output.len()));
    }
    plan
}

impl<D> Plan<D> {
    /// The result for a destination of `capacity` units. Only whole characters
    /// are written; whichever of "too small" and "ill-formed" occurs first is
    /// reported.
    pub fn answer(&self, capacity: usize) -> Answer {
        let fit = self.moves.partition_point(|&(_, end)| end <= capacity);
        let written = fit.checked_sub(1).map_or(0, |last| self.moves[last].1);
        if let Some(&(offset, _)) = self.moves.get(fit) {
            return Answer::Stopped { offset, written, len: 0, error_len: Some(0), kind: "output-too-small" };
        }
        match self.stop {
            None => Answer::Done(written),
            Some((piece, kind)) => {
                Answer::Stopped { offset: piece.offset, written, len: piece.len, error_len: piece.error_len(), kind }
            }
        }
    }
}
