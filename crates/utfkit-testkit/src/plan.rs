//! What a conversion has to answer, for a destination of any size.

use crate::piece::{Piece, What};

/// The whole of a conversion: what it writes if there is space, and where it
/// stops.
#[derive(Clone, Debug)]
pub struct Plan<D> {
    /// For each piece that is written: where it begins in the source, and how
    /// long the output is after it.
    moves: Vec<(usize, usize)>,
    /// Everything that is written.
    pub output: Vec<D>,
    /// The piece that cannot be written, and what is wrong with it.
    stop: Option<(Piece, &'static str)>,
}

/// What a conversion returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Everything was converted; so much was written.
    Done(usize),
    /// It stopped.
    Stopped {
        /// At this source unit.
        offset: usize,
        /// With so much written.
        written: usize,
        /// So long is what it stopped at.
        len: usize,
        /// After so many units a decoder goes on.
        error_len: Option<usize>,
        /// What is wrong.
        kind: &'static str,
    },
}

impl Answer {
    /// How much was written, in either case.
    pub fn written(&self) -> usize {
        match *self {
            Answer::Done(written) | Answer::Stopped { written, .. } => written,
        }
    }
}

/// Plans the conversion of `pieces`. `encode` appends a value or returns false
/// if the target lacks it; `lossy` writes U+FFFD for each error.
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
    /// The result for a destination of `capacity` units: as many whole characters
    /// as fit, and of "too small" and "ill-formed" what comes first.
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
