//! Detection.

use std::fmt;

use utfkit_core::{Encoding, Policy, Practice};
use utfkit_detect::detect::{Basis, Candidate, Certainty, DeclaredBy, Detection, Detector, Language, Options, Piece};

use crate::json::Json;
use crate::labels::list;
use crate::state::{Object, State};

/// The options in the first `len` bytes of the input, on three lines with commas between the names:
/// encodings that come into question, encodings that do not, languages. The error is an unknown
/// name.
fn options(state: &State, len: usize) -> Result<Options, String> {
    let text = core::str::from_utf8(state.given(len)).map_err(|error| error.to_string())?;
    let mut lines = text.split('\n');
    let mut next = || lines.next().unwrap_or("");
    let mut options = Options::new();
    let only = list(next())?;
    if !only.is_empty() {
        options = options.only(only);
    }
    options = options.not(list(next())?);
    for code in next().split(',').filter(|code| !code.is_empty()) {
        options = options.language([code.parse::<Language>().map_err(|_| code.to_owned())?]);
    }
    Ok(options)
}

/// [`options`], or -1 with the word in the note.
fn with_options(state: &mut State, len: usize, make: impl FnOnce(&mut State, Options) -> Object) -> isize {
    match options(state, len) {
        Ok(options) => {
            let object = make(state, options);
            state.keep(object).cast_signed()
        }
        Err(word) => {
            state.note = word;
            -1
        }
    }
}

/// Detects the encoding of the `len` bytes after the options, and leaves the facts that
/// [`more`] does not find. Returns the number of the detection, or -1.
pub(crate) fn at_once(state: &mut State, start: usize, len: usize) -> isize {
    with_options(state, start, |state, options| {
        let bytes = state.given(start + len);
        let found = options.detect(&bytes[start.min(bytes.len())..]);
        state.note.clear();
        write(&mut Json(&mut state.note), &found);
        Object::Detection(Box::new(found))
    })
}

pub(crate) fn begin(state: &mut State, len: usize) -> isize {
    with_options(state, len, |_, options| Object::Detector(Box::new(options.detector())))
}

pub(crate) fn push(state: &mut State, number: usize, len: usize) {
    let Some(Object::Detector(mut detector)) = state.take(number) else { return };
    detector.feed(state.given(len));
    state.put_back(number, Object::Detector(detector));
}

/// Ends the stream, whose place the detection takes, and leaves the same facts. Returns true if the text is short enough, and looks, as if it were joined of several: [`at_once`] finds the
/// pieces.
pub(crate) fn end(state: &mut State, number: usize) -> bool {
    let Some(Object::Detector(detector)) = state.take(number) else { return false };
    let found = Detector::finish(*detector);
    state.note.clear();
    write(&mut Json(&mut state.note), &found);
    let may_be_split = found.may_be_split();
    state.put_back(number, Object::Detection(Box::new(found)));
    may_be_split
}

/// Leaves what takes as long to find as the encoding: the confidence, the language and the
/// candidates.
pub(crate) fn more(state: &mut State, number: usize, candidates: usize) {
    let Some(Object::Detection(found)) = state.take(number) else { return };
    state.note.clear();
    Json(&mut state.note).within('{', '}', |json| {
        json.key("confidence").plain(Millionths::of(found.confidence()));
        json.key("language").maybe_text(found.language().map(Language::code));
        json.key("candidates").array(found.candidates().iter().take(candidates), write_candidate);
    });
    state.put_back(number, Object::Detection(found));
}

/// A stream that detects its encoding in the first `window` bytes that say something.
pub(crate) fn reader(state: &mut State, len: usize, window: usize) -> isize {
    with_options(state, len, |_, options| {
        let options = utfkit_io::Options::new().known(options).detect(window);
        Object::Reader(Box::new(options.errors(Policy::Replace(Practice::MaximalSubpart)).stream()))
    })
}

/// Takes the first `len` bytes of the input; the output has the text. Returns true if the stream
/// is in no encoding; the note then says why.
pub(crate) fn reader_push(state: &mut State, number: usize, len: usize, last: bool) -> bool {
    let Some(Object::Reader(mut reader)) = state.take(number) else { return false };
    state.output.clear();
    let mut output = core::mem::take(&mut state.output);
    let mut failure = None;
    match reader.push(state.given(len)) {
        Ok(text) => output.extend_from_slice(text.as_bytes()),
        Err(error) => failure = Some(error),
    }
    if last && failure.is_none() {
        match reader.finish() {
            Ok(text) => output.extend_from_slice(text.as_bytes()),
            Err(error) => failure = Some(error),
        }
    }
    state.numbers[1] = output.len() as f64;
    state.output = output;
    state.note.clear();
    match &failure {
        Some(error) => state.note.push_str(&error.to_string()),
        None => {
            let report = reader.report();
            Json(&mut state.note).within('{', '}', |json| {
                json.key("encoding").maybe_text(report.encoding());
                json.key("bom").maybe_text(report.bom());
                json.key("certainty").maybe_text(report.certainty());
                json.key("errors").plain(report.errors());
            });
        }
    }
    state.put_back(number, Object::Reader(reader));
    failure.is_some()
}

fn write(json: &mut Json<'_>, found: &Detection) {
    let certainty = found.certainty();
    json.within('{', '}', |json| {
        json.key("encoding").maybe_text(found.name());
        json.key("certainty").text(certainty);
        json.key("isCertain").plain(matches!(certainty, Certainty::Certain | Certainty::NearlyCertain));
        json.key("reason").text(found.reason());
        json.key("bom").maybe_text(found.bom());
        json.key("declared").maybe_text(found.declaration().map(|declaration| declaration.label()));
        json.key("declaredBy").maybe_text(found.declaration().map(|declaration| by(declaration.by())));
        json.key("isContradicted").plain(found.is_contradicted());
        json.key("isBinary").plain(found.basis() == Basis::NoText);
        json.key("isMixed").plain(found.is_mixed());
        json.key("bytes").plain(found.bytes());
        json.key("sequences").plain(found.sequences());
        json.key("illFormed").maybe(found.ill_formed());
        json.key("nulls").plain(found.nulls());
        json.key("bits").plain(found.bits());
        json.key("equivalent").maybe_text(found.equivalent());
        json.key("foreign").maybe_text(found.foreign());
        json.key("foreignCertainty").maybe_text(found.foreign_certainty());
        json.key("pieces").array(found.pieces(), write_piece);
        json.key("morePieces").plain(found.more_pieces());
    });
}

/// A probability to six digits: more are noise. What writes any `f64` is 5 kB.
struct Millionths(u32);

impl Millionths {
    fn of(probability: f64) -> Millionths {
        Millionths((probability * 1e6).round() as u32)
    }
}

impl fmt::Display for Millionths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}e-6", self.0)
    }
}

fn by(by: DeclaredBy) -> &'static str {
    match by {
        DeclaredBy::Xml => "xml",
        DeclaredBy::Html => "html",
        DeclaredBy::Css => "css",
        DeclaredBy::Cookie => "cookie",
        DeclaredBy::Modeline => "modeline",
        _ => "line",
    }
}

fn write_piece(json: &mut Json<'_>, piece: &Piece) {
    json.within('{', '}', |json| {
        json.key("offset").plain(piece.range.start);
        json.key("length").plain(piece.range.end - piece.range.start);
        json.key("firstLine").plain(piece.lines.start);
        json.key("lastLine").plain(piece.lines.end - 1);
        json.key("encoding").maybe_text(piece.encoding);
        json.key("certainty").text(piece.certainty);
        json.key("isCut").plain(piece.is_cut);
    });
}

fn write_candidate(json: &mut Json<'_>, candidate: &Candidate) {
    json.within('{', '}', |json| {
        json.key("encoding").text(candidate.encoding());
        json.key("alike").array(candidate.equivalent(), |json, &encoding: &Encoding| json.text(encoding));
        json.key("probability").plain(Millionths::of(candidate.probability()));
        json.key("language").maybe_text(candidate.language().map(Language::code));
    });
}
