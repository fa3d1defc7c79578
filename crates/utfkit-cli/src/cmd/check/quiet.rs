//! `check --quiet` ends at the first ill-formed input.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::exit::Status;

/// The first inputs, by number, that are ill-formed and that could not be read. The status depends on the inputs
/// up to the first ill-formed one alone, so that it is the same for any number of threads.
pub(super) struct First {
    ill_formed: AtomicU64,
    failed: AtomicU64,
    is_wanted: bool,
}

impl First {
    pub(super) fn new(is_wanted: bool) -> First {
        First { ill_formed: AtomicU64::new(u64::MAX), failed: AtomicU64::new(u64::MAX), is_wanted }
    }

    /// True if the inputs that were not taken yet are of no interest.
    pub(super) fn is_known(&self) -> bool {
        self.is_wanted && self.ill_formed.load(Ordering::Relaxed) != u64::MAX
    }

    /// True if the input with this number is of no interest.
    pub(super) fn is_before(&self, number: u64) -> bool {
        self.is_wanted && self.ill_formed.load(Ordering::Relaxed) < number
    }

    pub(super) fn note(&self, number: u64, status: Status) -> Status {
        match status {
            Status::Well => {}
            Status::IllFormed => drop(self.ill_formed.fetch_min(number, Ordering::Relaxed)),
            Status::Failed => drop(self.failed.fetch_min(number, Ordering::Relaxed)),
        }
        status
    }

    pub(super) fn status(&self, all: Status) -> Status {
        let [ill_formed, failed] = [&self.ill_formed, &self.failed].map(|number| number.load(Ordering::Relaxed));
        if self.is_wanted && ill_formed < failed { Status::IllFormed } else { all }
    }
}

/// The inputs until [`First::is_known`].
pub(super) struct Until<'a, I> {
    pub(super) inputs: I,
    pub(super) first: &'a First,
}

impl<I: Iterator> Iterator for Until<'_, I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.first.is_known() { None } else { self.inputs.next() }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inputs.size_hint()
    }
}
