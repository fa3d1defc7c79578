//! Results of a run.

/// A line of the report: a kernel at a place.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) kernel: &'static str,
    pub(crate) place: String,
    /// Number of windows tested.
    pub(crate) windows: u64,
    /// Number of results that differ from the table's.
    pub(crate) mismatches: u64,
    pub(crate) first: Option<String>,
}

impl Line {
    pub(crate) fn new(kernel: &'static str, place: String) -> Line {
        Line { kernel, place, windows: 0, mismatches: 0, first: None }
    }

    /// Counts a mismatch; `what` describes it.
    #[cold]
    pub(crate) fn mismatch(&mut self, what: impl FnOnce() -> String) {
        self.mismatches += 1;
        if self.first.is_none() {
            self.first = Some(what());
        }
    }

    pub(crate) fn add(&mut self, other: &Line) {
        self.windows += other.windows;
        self.mismatches += other.mismatches;
        if self.first.is_none() {
            self.first.clone_from(&other.first);
        }
    }
}

/// Formats a number in groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_be_read() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1 000"), (1 << 32, "4 294 967 296")] {
            assert_eq!(grouped(number), text);
        }
    }
}
