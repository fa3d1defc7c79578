//! Findings.

use utfkit_core::{Encoding, Standard};
use utfkit_diagnose::{Checker, Finding};

use crate::json::Json;
use crate::state::{Object, State};

/// `standard` counts from 0 in the order of the documentation of [`Standard`].
pub(crate) fn begin(state: &mut State, encoding: usize, standard: usize) -> usize {
    // The module without conversions is built with `--cfg utfkit_utf8_only`.
    let known = if cfg!(feature = "convert") { Encoding::ALL.get(encoding).copied() } else { None };
    let encoding = known.unwrap_or(Encoding::Utf8);
    let standard = match standard {
        1 => Standard::Rfc2279,
        2 => Standard::Rfc2044,
        3 => Standard::Kuhn,
        4 => Standard::NoNoncharacters,
        _ => Standard::Rfc3629,
    };
    state.keep(Object::Checker(Box::new(Checker::new(encoding, standard))))
}

/// Takes the first `len` bytes of the input, or ends the stream if `last`, and leaves an array of
/// the first `limit` findings. All are counted.
pub(crate) fn push(state: &mut State, number: usize, len: usize, last: bool, limit: usize) {
    state.note.clear();
    let Some(Object::Checker(mut checker)) = state.take(number) else { return };
    let mut left = limit;
    let mut note = core::mem::take(&mut state.note);
    Json(&mut note).within('[', ']', |json| {
        let mut each = |finding: &Finding| {
            if left > 0 {
                left -= 1;
                write(json, finding);
            }
        };
        checker.feed(state.given(len), &mut each);
        if last {
            checker.finish(&mut each);
        }
    });
    state.note = note;
    state.put_back(number, Object::Checker(checker));
}

fn write(json: &mut Json<'_>, finding: &Finding) {
    let diagnosis = finding.diagnosis();
    json.comma();
    json.within('{', '}', |json| {
        json.key("offset").plain(finding.offset());
        json.key("length").plain(finding.bytes().len());
        json.key("line").plain(finding.line());
        json.key("column").plain(finding.column());
        json.key("bytes").hex(finding.bytes());
        json.key("kind").text(finding.kind());
        json.key("value").maybe(diagnosis.value());
        json.key("message").text(diagnosis);
    });
}

/// Leaves the counts.
pub(crate) fn totals(state: &mut State, number: usize) {
    state.note.clear();
    let Some(Object::Checker(checker)) = state.take(number) else { return };
    let totals = checker.totals();
    Json(&mut state.note).within('{', '}', |json| {
        json.key("bytes").plain(totals.bytes());
        json.key("codePoints").plain(totals.code_points());
        json.key("lines").plain(totals.lines());
        json.key("findings").plain(totals.findings());
        json.key("kinds").within('{', '}', |json| {
            for (kind, count) in totals.kinds() {
                json.key(kind.name()).plain(count);
            }
        });
    });
    state.put_back(number, Object::Checker(checker));
}
