//! Repair.

use utfkit_core::Encoding;
use utfkit_detect::detect::detect;
use utfkit_detect::repair::{self, Change, Fallback, Options, Repairer, Stretch, Survey};

use crate::json::Json;
use crate::state::{Object, State};

/// A repair, which reads the whole text once before it begins if its options want that.
pub(crate) struct Repair {
    options: Options,
    survey: Option<Survey>,
    repairer: Option<Repairer>,
}

/// The option that the flags do not name: bytes that are ill-formed are read in this encoding.
const UNDOUBLE: usize = 1;
const REINTERPRET: usize = 2;
const REJOIN: usize = 4;
const BY_LINE: usize = 8;
const REPLACEMENT: usize = 16;

/// Begins a repair with the options that the bits of `flags` name. The first `len` bytes of the
/// input are a line with the label of the fallback, or none, and after it the replacement.
/// Returns -1 if the label is unknown, or names no encoding that can be one.
pub(crate) fn begin(state: &mut State, flags: usize, len: usize) -> isize {
    let text = core::str::from_utf8(state.given(len)).unwrap_or("");
    let (label, replacement) = text.split_once('\n').unwrap_or((text, ""));
    let has = |flag| flags & flag != 0;
    let mut options =
        Options::new().undouble(has(UNDOUBLE)).reinterpret(has(REINTERPRET)).rejoin(has(REJOIN)).by_line(has(BY_LINE));
    if has(REPLACEMENT) {
        options = options.replacement(replacement);
    }
    if !label.is_empty() {
        match Encoding::for_label(label).and_then(Fallback::new) {
            Some(fallback) => options = options.fallback(fallback),
            None => return -1,
        }
    }
    let survey = options.wants_evidence().then(|| Survey::new(&options));
    state.keep(Object::Repair(Box::new(Repair { options, survey, repairer: None }))).cast_signed()
}

/// Takes the next part of the text for the first pass.
pub(crate) fn survey(state: &mut State, number: usize, len: usize) {
    let Some(Object::Repair(mut repair)) = state.take(number) else { return };
    if let Some(survey) = &mut repair.survey {
        survey.feed(state.given(len));
    }
    state.put_back(number, Object::Repair(repair));
}

/// Ends the first pass. Returns true if the second one is likely to restore text.
pub(crate) fn survey_end(state: &mut State, number: usize) -> bool {
    let Some(Object::Repair(mut repair)) = state.take(number) else { return false };
    let has_evidence = repair.begin();
    state.put_back(number, Object::Repair(repair));
    has_evidence
}

impl Repair {
    /// Begins the second pass, if that is not done. Returns true if the first one found something.
    fn begin(&mut self) -> bool {
        let mut repairer = Repairer::new(self.options.clone());
        let Some(survey) = self.survey.take() else {
            self.repairer.get_or_insert(repairer);
            return false;
        };
        let evidence = survey.finish();
        let has_evidence = !evidence.is_empty();
        repairer = repairer.with_evidence(evidence);
        self.repairer = Some(repairer);
        has_evidence
    }
}

/// Takes the next part of the text for the second pass, or its end. The output has the repaired
/// text and the note the first `limit` changes.
pub(crate) fn push(state: &mut State, number: usize, len: usize, last: bool, limit: usize) {
    let Some(Object::Repair(mut repair)) = state.take(number) else { return };
    if repair.repairer.is_none() {
        repair.begin();
    }
    let Some(repairer) = &mut repair.repairer else { return };
    collect(state, limit, |bytes, take| {
        repairer.feed(&bytes[..len.min(bytes.len())], &mut *take);
        if last {
            repairer.finish(take);
        }
    });
    state.put_back(number, Object::Repair(repair));
}

/// Makes one text of the first `len` bytes of the input, which are joined of several. Returns true,
/// and makes none, if the bytes are not, or of more pieces than are listed.
pub(crate) fn unite(state: &mut State, len: usize, limit: usize) -> bool {
    let found = detect(state.given(len));
    let end = found.pieces().last().map_or(0, |piece| piece.range.end);
    if !found.is_mixed() || found.more_pieces() > 0 || end != found.bytes() {
        return true;
    }
    collect(state, limit, |bytes, take| repair::unite(&bytes[..len.min(bytes.len())], found.pieces(), take));
    false
}

/// Leaves the text of the stretches that `work` finds in the input, and the changes.
fn collect(state: &mut State, limit: usize, work: impl FnOnce(&[u8], &mut dyn FnMut(Stretch<'_>))) {
    let (mut output, mut note) = (core::mem::take(&mut state.output), core::mem::take(&mut state.note));
    output.clear();
    note.clear();
    let mut count = 0;
    Json(&mut note).within('[', ']', |json| {
        work(&state.input, &mut |stretch| {
            output.extend_from_slice(stretch.text());
            if let Stretch::Changed(change) = stretch {
                if count < limit {
                    write(json, &change);
                }
                count += 1;
            }
        });
    });
    state.numbers[1] = output.len() as f64;
    state.numbers[2] = count as f64;
    state.output = output;
    state.note = note;
}

fn write(json: &mut Json<'_>, change: &Change<'_>) {
    json.comma();
    json.within('{', '}', |json| {
        json.key("offset").plain(change.offset);
        json.key("kind").text(change.kind);
        json.key("before").hex(change.before);
        json.key("after").text(change.after);
        json.key("count").plain(change.count);
        json.key("encoding").maybe_text(change.encoding());
        json.key("written").maybe_text(change.written());
        json.key("layers").plain(change.layers());
    });
}
