//! Text that was encoded twice, or misread in another way and encoded again.

use std::collections::HashSet;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use utfkit::detect::Certainty;
use utfkit::repair::{self, Evidence, Repairer, Stretch};

use super::planned::{Planned, Then};
use super::text::each_text;
use crate::misread::Misread;
use crate::quoted::Quotes;
use crate::reading::Replay;

/// The least number of places for which a text was surely encoded twice, or misread in another way.
const SURE: u64 = 3;
const SURE_MISREAD: u64 = 10;

/// The maximum number of words of an example, and of its places in a text that is neither a program nor a document.
const FEW_WORDS: usize = 8;
const FEW_PLACES: u64 = 8;
/// The most words that are remembered.
const MAX_WORDS: usize = 1 << 14;

/// Returns how the first place that was encoded twice was misread, and how sure that is.
pub(super) fn doubled(
    path: &Path,
    file: &mut Replay<'_>,
    evidence: Option<&Evidence>,
) -> io::Result<Option<(Misread, Certainty)>> {
    let Some(evidence) = evidence.filter(|evidence| !evidence.is_empty()) else { return Ok(None) };
    let mut places = Places::new(path, evidence);
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
    let mut places = Places::new(&planned.path, &evidence);
    let mut is_sure = false;
    each_text(planned, file, |text| is_sure = is_sure || places.feed(text))?;
    let found = places.finish(!is_sure);
    Ok(found.map(|(misread, certainty)| Then { misread, certainty, evidence }))
}

/// Counts the places of a text that look encoded twice.
struct Places {
    repairer: Repairer,
    is_doubtful: bool,
    seen: Seen,
}

/// Evidence that misread text is an example, as in a test or a bug report: it is quoted, or the same words occur in
/// their right form. In data both forms are usual: some rows are right, others were misread.
struct Seen {
    quotes: Quotes,
    first: Option<Misread>,
    /// The number of changes that are not quoted.
    changes: u64,
    /// The word so far, in its right form.
    word: String,
    /// True if a part of it was misread.
    is_misread: bool,
    misread: HashSet<String>,
    right: HashSet<String>,
}

impl Places {
    fn new(path: &Path, evidence: &Evidence) -> Places {
        let seen = Seen {
            quotes: Quotes::of(path),
            first: None,
            changes: 0,
            word: String::new(),
            is_misread: false,
            misread: HashSet::new(),
            right: HashSet::new(),
        };
        let is_doubtful = evidence.is_doubtful();
        Places { repairer: Repairer::new(Then::options()).with_evidence(evidence.clone()), is_doubtful, seen }
    }

    /// Returns true if no more is needed.
    fn feed(&mut self, text: &[u8]) -> bool {
        let Places { repairer, seen, .. } = self;
        repairer.feed(text, |piece| seen.take(piece));
        self.seen.misread.len() > FEW_WORDS && self.is_sure()
    }

    fn is_sure(&self) -> bool {
        let many = |misread: Misread| if misread.is_doubled() { SURE } else { SURE_MISREAD };
        let seen = &self.seen;
        !self.is_doubtful && seen.first.is_some_and(|misread| seen.changes >= many(misread)) && !seen.has_right_words()
    }

    /// `is_end` says that all of the text was fed.
    fn finish(mut self, is_end: bool) -> Option<(Misread, Certainty)> {
        if is_end {
            let Places { repairer, seen, .. } = &mut self;
            repairer.finish(|piece| seen.take(piece));
            seen.end_word();
        }
        let certainty = if self.is_sure() { Certainty::NearlyCertain } else { Certainty::Likely };
        self.seen.first.map(|misread| (misread, certainty))
    }
}

impl Seen {
    fn take(&mut self, piece: Stretch<'_>) {
        let before = match piece {
            Stretch::Kept(text) => text,
            Stretch::Changed(change) => {
                self.first = self.first.or(Misread::of(&change));
                self.changes += u64::from(!self.quotes.is_open());
                change.before
            }
        };
        self.quotes.feed(before);
        for c in String::from_utf8_lossy(piece.text()).chars() {
            if c.is_alphanumeric() {
                self.word.push(c);
                self.is_misread |= !c.is_ascii() && matches!(piece, Stretch::Changed(_));
            } else {
                self.end_word();
            }
        }
    }

    fn end_word(&mut self) {
        let words = if self.is_misread { &mut self.misread } else { &mut self.right };
        if !self.word.is_ascii() && words.len() < MAX_WORDS && !words.contains(&self.word) {
            words.insert(mem::take(&mut self.word));
        }
        self.word.clear();
        self.is_misread = false;
    }

    /// True if few words were misread, and the text has all of them in their right form, too.
    fn has_right_words(&self) -> bool {
        let is_told = self.quotes.has_marks() || self.changes <= FEW_PLACES;
        is_told && (1..=FEW_WORDS).contains(&self.misread.len()) && self.misread.is_subset(&self.right)
    }
}
