//! What looks at a file: the library, and what was asked for besides.

use utfkit::diagnose::{Ahead, Checker};

use super::changed::Lines;
use super::conventions::Scanner;
use crate::ordered::Ticket;
use crate::report::{Found, Report};

/// One file under check.
pub(super) struct Checking<'a> {
    pub(super) checker: Checker,
    pub(super) conventions: Option<Box<Scanner>>,
    /// The only ones whose findings count.
    pub(super) lines: Option<&'a Lines>,
    pub(super) report: Report<'a>,
}

impl Checking<'_> {
    /// Checks what comes next; nothing is the end.
    pub(super) fn feed(&mut self, bytes: &[u8], ticket: &mut Ticket<'_>) {
        let Checking { checker, conventions, lines, report } = self;
        if report.wants() {
            report.feed(ticket, bytes);
        }
        let counts = |found: &Found| lines.is_none_or(|lines| lines.contains(found.line()));
        let mut check = |found: &mut dyn FnMut(Found)| {
            let found = |finding: &_| found(Found::IllFormed(*finding));
            if bytes.is_empty() { checker.finish(found) } else { checker.feed(bytes, found) }
        };
        let Some(conventions) = conventions else {
            check(&mut |found| {
                if counts(&found) {
                    report.finding(ticket, &found);
                }
            });
            return;
        };
        // Two look at the same bytes, and what they find stands in one order.
        let mut all = Vec::new();
        check(&mut |found| all.push(found));
        conventions.feed(bytes, |item| all.push(Found::Other(item)));
        all.sort_by_key(Found::offset);
        all.iter().filter(|found| counts(found)).for_each(|found| report.finding(ticket, found));
    }

    /// The same for what `ahead` has looked at. Returns how many bytes that is.
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

    /// Whether somebody has to see every byte of the file.
    pub(super) fn needs_all(&self) -> bool {
        self.conventions.is_some() || self.report.wants()
    }

    /// Whether nothing more has to be read: for names and the status, one
    /// finding is enough.
    pub(super) fn is_decided(&self, ticket: &Ticket<'_>) -> bool {
        self.report.is_nothing() && self.report.findings() > 0 || ticket.is_stopped()
    }
}
