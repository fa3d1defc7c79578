//! The evidence of a whole text about the groups in it.

use super::Options;
use super::plausible::Verdict;
use super::scan::{Event, Scanner};
use super::undouble::{LAYERS, Part, parts, runs};
use super::windows_1252::Windows1252;

/// The counts of a [`Survey`]. Without one, only certain groups are undone.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    layers: [Layer; LAYERS],
    /// It comes from a survey.
    is_known: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Layer {
    certain: u64,
    likely: u64,
    doubtful: u64,
    /// Characters beyond US-ASCII that are in no group.
    others: u64,
}

impl Evidence {
    /// Whether such a group of a layer is to be undone.
    pub(super) fn allows(&self, verdict: Verdict, layer: usize) -> bool {
        let (Some(counts), true) = (self.layers.get(layer), self.is_known) else {
            return verdict == Verdict::Certain && layer < LAYERS;
        };
        // Text that was not a group before is not one now.
        let others: u64 = self.layers[..=layer].iter().map(|layer| layer.others).sum();
        let evidence = counts.certain + counts.likely;
        match verdict {
            Verdict::Certain => true,
            Verdict::Likely => evidence >= 2 || others == 0,
            Verdict::Doubtful => evidence > counts.doubtful && others.saturating_mul(4) <= evidence,
            Verdict::Never => false,
        }
    }
}

/// Reads a whole text before it is repaired and counts the evidence for and
/// against undoing likely and doubtful groups.
///
/// ```
/// use utfkit::repair::{Options, Stretch, Repairer, Survey};
///
/// let options = Options::new().undouble(true);
/// let bytes = "Å™eka, pÅ™Ã­pad, dÅ¯m".as_bytes();
///
/// let mut survey = Survey::new(&options);
/// survey.feed(bytes);
/// let mut repairer = Repairer::new(options).with_evidence(survey.finish());
///
/// let mut text = Vec::new();
/// let mut take = |piece: Stretch<'_>| text.extend_from_slice(piece.text());
/// repairer.feed(bytes, &mut take);
/// repairer.finish(&mut take);
/// assert_eq!(String::from_utf8(text).unwrap(), "řeka, případ, dům");
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    scanner: Scanner,
    table: Windows1252,
    evidence: Evidence,
}

impl Survey {
    /// A survey for a repair with these options.
    pub fn new(options: &Options) -> Survey {
        Survey {
            scanner: Scanner::new(true, options.reinterpret),
            table: Windows1252::new(),
            evidence: Evidence { is_known: true, ..Evidence::default() },
        }
    }

    /// Takes the next bytes of the text.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.take(chunk, false);
    }

    /// Ends the text, and returns the evidence.
    pub fn finish(mut self) -> Evidence {
        self.take(&[], true);
        self.evidence
    }

    fn take(&mut self, chunk: &[u8], last: bool) {
        let Survey { scanner, table, evidence } = self;
        scanner.feed(chunk, last, &mut |event| match event {
            Event::Text(text) => evidence.layers[0].others += others(text),
            Event::Run { text, before, after } => count(table, text, before, after, 0, evidence),
            Event::IllFormed { .. } => {}
        });
    }
}

/// Counts the groups of a run, and those of the deeper layers.
fn count(
    table: &Windows1252,
    run: &str,
    before: Option<char>,
    after: Option<char>,
    layer: usize,
    evidence: &mut Evidence,
) {
    parts(table, run, before, after, |part| {
        let Some(counts) = evidence.layers.get_mut(layer) else { return };
        match part {
            Part::Rest(text) => counts.others += others(text.as_bytes()),
            Part::Group { verdict: Verdict::Doubtful, .. } => counts.doubtful += 1,
            Part::Group { text, verdict: Verdict::Never, .. } => counts.others += others(text.as_bytes()),
            Part::Group { decoded, verdict, .. } => {
                match verdict {
                    Verdict::Certain => counts.certain += 1,
                    _ => counts.likely += 1,
                }
                let deeper = layer + 1;
                runs(table, &decoded, before, after, |text, is_run, before, after| {
                    match evidence.layers.get_mut(deeper) {
                        Some(_) if is_run => count(table, text, before, after, deeper, evidence),
                        Some(counts) => counts.others += others(text.as_bytes()),
                        None => {}
                    }
                });
            }
        }
    });
}

/// The characters beyond US-ASCII, except those that say nothing: U+FFFD and
/// U+FEFF.
fn others(text: &[u8]) -> u64 {
    let leads = text.iter().filter(|byte| **byte >= 0xC0).count();
    let silent = match text.contains(&0xEF) {
        true => text.windows(3).filter(|c| matches!(c, [0xEF, 0xBF, 0xBD] | [0xEF, 0xBB, 0xBF])).count(),
        false => 0,
    };
    leads.saturating_sub(silent) as u64
}
