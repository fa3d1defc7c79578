//! Text that was encoded twice, or misread in another way and encoded again.

use std::io;
use std::ops::ControlFlow;

use utfkit::detect::Certainty;
use utfkit::repair::{self, Evidence, Repairer, Stretch};

use super::planned::{Planned, Then};
use super::text::each_text;
use crate::misread::Misread;
use crate::reading::Replay;

/// The least number of places for which a text was surely encoded twice, or misread in another way.
const SURE: u64 = 3;
const SURE_MISREAD: u64 = 10;

/// Returns how the first place that was encoded twice was misread, and how sure that is.
pub(super) fn doubled(file: &mut Replay<'_>, evidence: Option<&Evidence>) -> io::Result<Option<(Misread, Certainty)>> {
    let Some(evidence) = evidence.filter(|evidence| !evidence.is_empty()) else { return Ok(None) };
    let mut places = Places::new(evidence);
    let read = file.each_until(|chunk| match places.feed(chunk) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })?;
    Ok(places.finish(read.is_continue()))
}

/// Finds the text that a second run would undo after the planned change.
pub(super) fn doubled_after(planned: &Planned, file: &mut Replay<'_>) -> io::Result<Option<Then>> {
    let mut survey = repair::Survey::new(&Then::options());
    each_text(planned, file, |text| survey.feed(text))?;
    let evidence = survey.finish();
    if evidence.is_empty() {
        return Ok(None);
    }
    let mut places = Places::new(&evidence);
    let mut is_sure = false;
    each_text(planned, file, |text| is_sure = is_sure || places.feed(text))?;
    let found = places.finish(!is_sure);
    Ok(found.map(|(misread, certainty)| Then { misread, certainty, evidence }))
}

/// Counts the places of a text that were encoded twice.
struct Places {
    repairer: Repairer,
    is_doubtful: bool,
    changes: u64,
    first: Option<Misread>,
}

impl Places {
    fn new(evidence: &Evidence) -> Places {
        let is_doubtful = evidence.is_doubtful();
        let repairer = Repairer::new(Then::options()).with_evidence(evidence.clone());
        Places { repairer, is_doubtful, changes: 0, first: None }
    }

    /// Returns true if there are enough.
    fn feed(&mut self, text: &[u8]) -> bool {
        let Places { repairer, changes, first, .. } = self;
        repairer.feed(text, |piece| take(changes, first, piece));
        self.are_many()
    }

    fn are_many(&self) -> bool {
        let many = |misread: Misread| if misread.is_doubled() { SURE } else { SURE_MISREAD };
        !self.is_doubtful && self.first.is_some_and(|misread| self.changes >= many(misread))
    }

    /// `is_end` says that all of the text was fed.
    fn finish(mut self, is_end: bool) -> Option<(Misread, Certainty)> {
        if is_end {
            let Places { repairer, changes, first, .. } = &mut self;
            repairer.finish(|piece| take(changes, first, piece));
        }
        let certainty = if self.are_many() { Certainty::NearlyCertain } else { Certainty::Likely };
        self.first.map(|misread| (misread, certainty))
    }
}

fn take(changes: &mut u64, first: &mut Option<Misread>, piece: Stretch<'_>) {
    if let Stretch::Changed(change) = piece {
        *changes += 1;
        *first = first.or(Misread::of(&change));
    }
}
