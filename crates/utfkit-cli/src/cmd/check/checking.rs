//! The check of one file: errors found by the library, and breaches of rules.

use utfkit::Encoding;
use utfkit::detect::Detector;
use utfkit::diagnose::{Ahead, Checker};

use super::changed::Lines;
use crate::args::BomRule;
use crate::ordered::Ticket;
use crate::report::{Found, Item, Report};
use crate::rules::Scan;

/// One file under check.
pub(super) struct Checking<'a> {
    pub(super) checker: Checker,
    pub(super) rules: Option<Box<Scan>>,
    /// The BOM that is declared with the encoding, unless a rule is about it.
    pub(super) bom: Option<BomRule>,
    /// For a file whose declared encoding has nearly every sequence of bytes.
    pub(super) detector: Option<Box<Detector>>,
    /// If given, only findings on these lines are reported.
    pub(super) lines: Option<&'a Lines>,
    pub(super) report: Report<'a>,
}

impl Checking<'_> {
    /// Checks the next bytes; an empty slice ends the file.
    pub(super) fn feed(&mut self, bytes: &[u8], ticket: &mut Ticket<'_>) {
        let Checking { checker, rules, detector, lines, report, .. } = self;
        if let Some(detector) = detector {
            detector.feed(bytes);
        }
        if report.wants() {
            report.feed(ticket, bytes);
        }
        let counts = |found: &Found| lines.is_none_or(|lines| lines.contains(found.line()));
        let mut check = |found: &mut dyn FnMut(Found)| {
            let found = |finding: &_| found(Found::IllFormed(*finding));
            if bytes.is_empty() { checker.finish(found) } else { checker.feed(bytes, found) }
        };
        let Some(rules) = rules else {
            check(&mut |found| {
                if counts(&found) {
                    report.finding(ticket, &found);
                }
            });
            return;
        };
        // Findings of the checker and of the rules, in order of offset.
        let mut all = Vec::new();
        check(&mut |found| all.push(found));
        rules.find(bytes, |item| all.push(Found::Other(item)));
        all.sort_by_key(Found::offset);
        all.iter().filter(|found| counts(found)).for_each(|found| report.finding(ticket, found));
    }

    /// Takes the findings of `ahead` and returns the number of bytes they cover.
    pub(super) fn join(&mut self, ahead: &Ahead, ticket: &mut Ticket<'_>) -> usize {
        let Checking { checker, lines, report, .. } = self;
        checker.join(ahead, |finding| {
            if lines.is_none_or(|lines| lines.contains(finding.line())) {
                report.finding(ticket, &Found::IllFormed(*finding));
            }
        })
    }

    pub(super) fn ahead(&self) -> Option<Ahead> {
        self.checker.ahead()
    }

    /// True if every byte has to pass through [`feed`](Self::feed).
    pub(super) fn needs_all(&self) -> bool {
        self.rules.is_some() || self.detector.is_some() || self.report.wants()
    }

    /// Reports a file that is in another encoding than the declared one, or lacks the BOM.
    pub(super) fn compare(&mut self, encoding: Encoding, ticket: &mut Ticket<'_>) {
        let Some(found) = self.detector.take().map(|detector| detector.finish()) else { return };
        if let Some(item) = Item::of_declared(&found, encoding, self.bom) {
            self.report.finding(ticket, &Found::OfFile(item));
            self.report.mended_by_fix(&found);
        }
    }

    /// True if no more has to be read: without a report of single findings, one
    /// is enough.
    pub(super) fn is_decided(&self, ticket: &Ticket<'_>) -> bool {
        self.report.is_nothing() && self.report.findings() > 0 || ticket.is_stopped()
    }
}
