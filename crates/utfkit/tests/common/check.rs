//! Checks results of the library against the reference and against std.

use std::borrow::Cow;
use std::fmt::Arguments;

use utfkit::isa::Isa;
use utfkit::{Error, Standard};
use utfkit_testkit::hex::show;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::plan::Answer;
use utfkit_testkit::{latin1, utf8, utf16, utf32};

use super::conversions::{self, Conversion, Unit, Visitor};

/// The canaries on each side of a destination: more than any vector.
const MARGIN: usize = 128;

/// Converts a result of the library to the reference's type.
pub(crate) fn answer(result: Result<usize, Error>) -> Answer {
    match result {
        Ok(written) => Answer::Done(written),
        Err(e) => Answer::Stopped {
            offset: e.offset(),
            written: e.written(),
            len: e.len(),
            error_len: e.error_len(),
            kind: e.kind().name(),
        },
    }
}

/// Asserts that `got` and the beginning of `dst` are as expected.
#[allow(clippy::too_many_arguments, reason = "all of it stands in the message")]
pub(crate) fn compare<S: Unit, D: Unit>(
    isa: Isa,
    conversion: &Conversion<S, D>,
    context: Arguments<'_>,
    src: &[S],
    capacity: usize,
    got: Answer,
    dst: &[D],
    expected: Answer,
    output: &[D],
) {
    let name = conversion.name;
    assert!(
        got == expected,
        "{isa} {name}, {context}, capacity {capacity} units\n got      {got:?}\n expected {expected:?}\n source   {}",
        show(src, offset(expected).min(offset(got))),
    );
    let output = &output[..expected.written()];
    let dst = &dst[..expected.written()];
    if dst != output {
        let at = dst.iter().zip(output).take_while(|(a, b)| a == b).count();
        panic!(
            "{isa} {name}, {context}, capacity {capacity} units: output unit {at} is wrong\n got      {}\n expected {}\n source   {}",
            show(dst, at),
            show(output, at),
            show(src, at * src.len() / output.len()),
        );
    }
}

fn offset(answer: Answer) -> usize {
    match answer {
        Answer::Done(_) => usize::MAX,
        Answer::Stopped { offset, .. } => offset,
    }
}

/// Runs `conversion` into `capacity` units between canaries, and checks the result, the output
/// and the canaries.
pub(crate) fn converts<S: Unit, D: Unit>(
    isa: Isa,
    conversion: &Conversion<S, D>,
    context: Arguments<'_>,
    src: &[S],
    capacity: usize,
    expected: Answer,
    output: &[D],
) {
    // The destination begins at another alignment for each source.
    let start = MARGIN + src.len() % 61;
    let canaries = [D::CANARY; MARGIN + 61];
    let mut memory = vec![D::CANARY; start + capacity + MARGIN];
    let got = answer((conversion.run)(src, &mut memory[start..start + capacity]));
    compare(isa, conversion, context, src, capacity, got, &memory[start..start + capacity], expected, output);
    let (before, rest) = memory.split_at(start);
    let after = &rest[capacity..];
    // The loops below find the unit; a comparison of slices is faster.
    if *before == canaries[..start] && *after == canaries[..MARGIN] {
        return;
    }
    if let Some(at) = after.iter().position(|unit| *unit != D::CANARY) {
        panic!(
            "{isa} {}, {context}: wrote {at} units after a destination of {capacity}\n source {}",
            conversion.name,
            show(src, src.len())
        );
    }
    if let Some(at) = before.iter().rposition(|unit| *unit != D::CANARY) {
        panic!(
            "{isa} {}, {context}: wrote {} units before a destination of {capacity}\n source {}",
            conversion.name,
            start - at,
            show(src, 0)
        );
    }
}

/// Runs each conversion into a destination of exactly the size it needs.
pub(crate) struct Exact<'a> {
    pub(crate) isa: Isa,
    pub(crate) context: Arguments<'a>,
}

impl Visitor for Exact<'_> {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]) {
        let plan = conversion.plan(pieces);
        let capacity = plan.output.len();
        converts(self.isa, conversion, self.context, src, capacity, plan.answer(capacity), &plan.output);
    }
}

/// The definitions of UTF-8, with their references.
pub(crate) static STANDARDS: [(Standard, &utf8::Definition); 5] = [
    (Standard::Rfc3629, &utf8::RFC_3629),
    (Standard::Rfc2279, &utf8::RFC_2279),
    (Standard::Rfc2044, &utf8::RFC_2044),
    (Standard::Kuhn, &utf8::KUHN),
    (Standard::NoNoncharacters, &utf8::NO_NONCHARACTERS),
];

/// Checks `validate` and `errors` by one definition of UTF-8.
pub(crate) fn finds_errors(
    isa: Isa,
    context: Arguments<'_>,
    src: &[u8],
    (standard, definition): (Standard, &utf8::Definition),
) {
    let pieces = utf8::pieces(src, definition);
    let mut wanted = pieces.iter().filter(|piece| piece.error().is_some());
    let first = utfkit::validate(src, standard).err();
    is_error(isa, format_args!("validate {standard:?}"), context, src, first, wanted.clone().next());
    let mut errors = utfkit::errors(src, standard);
    loop {
        let (got, expected) = (errors.next(), wanted.next());
        is_error(isa, format_args!("errors {standard:?}"), context, src, got, expected);
        let (Some(got), Some(expected)) = (got, expected) else { break };
        if standard == Standard::Rfc3629 {
            let (got, expected) = (got.sequence(src), expected.offset..utf8::sequence_end(src, expected));
            assert!(
                got == expected,
                "{isa} Error::sequence, {context}\n got      {got:?}\n expected {expected:?}\n source   {}",
                show(src, expected.start)
            );
        }
    }
    assert_eq!(
        errors.next(),
        None,
        "{isa} errors {standard:?}, {context}: goes on after its end\n source {}",
        show(src, src.len())
    );
}

/// Checks all functions that read UTF-8, except the conversions.
pub(crate) fn reads_utf8(isa: Isa, context: Arguments<'_>, src: &[u8]) {
    finds_errors(isa, context, src, STANDARDS[0]);

    let std = std::str::from_utf8(src);
    let got = utfkit::from_utf8(src);
    assert!(
        got.map_err(|e| (e.valid_up_to(), e.error_len())) == std.map_err(|e| (e.valid_up_to(), e.error_len())),
        "{isa} from_utf8, {context}\n got      {got:?}\n expected {std:?}\n source   {}",
        show(src, std.map_or_else(|e| e.valid_up_to(), |_| 0))
    );

    let got = utfkit::from_utf8_lossy(src);
    let expected = String::from_utf8_lossy(src);
    assert!(
        got == expected && matches!(got, Cow::Borrowed(_)) == std.is_ok(),
        "{isa} from_utf8_lossy, {context}\n got      {got:?}\n expected {expected:?}\n source   {}",
        show(src, 0)
    );

    // These count lead bytes only, so they need no well-formed text.
    let leads = src.iter().filter(|byte| !(0x80..=0xBF).contains(*byte)).count();
    let fours = src.iter().filter(|byte| **byte >= 0xF0).count();
    is_number(isa, format_args!("count_code_points"), context, src, utfkit::count_code_points(src), leads);
    is_number(isa, format_args!("utf16_len_from_utf8"), context, src, utfkit::utf16_len_from_utf8(src), leads + fours);
    if let Ok(text) = std {
        is_number(isa, format_args!("count_code_points"), context, src, leads, text.chars().count());
        is_number(isa, format_args!("utf16_len_from_utf8"), context, src, leads + fours, text.encode_utf16().count());
    }
}

/// Checks all functions that read UTF-16, except the conversions.
pub(crate) fn reads_utf16(isa: Isa, context: Arguments<'_>, src: &[u16]) {
    let pieces = utf16::pieces(src);
    let first = pieces.iter().find(|piece| piece.error().is_some());
    is_error(isa, format_args!("validate_utf16"), context, src, utfkit::validate_utf16(src).err(), first);
    let lossy: usize = char::decode_utf16(src.iter().copied()).map(|c| c.unwrap_or('\u{FFFD}').len_utf8()).sum();
    is_number(isa, format_args!("utf8_len_from_utf16"), context, src, utfkit::utf8_len_from_utf16(src), lossy);
}

/// Checks all functions that read UTF-32, except the conversions.
pub(crate) fn reads_utf32(isa: Isa, context: Arguments<'_>, src: &[u32]) {
    let pieces = utf32::pieces(src);
    let first = pieces.iter().find(|piece| piece.error().is_some());
    is_error(isa, format_args!("validate_utf32"), context, src, utfkit::validate_utf32(src).err(), first);
    let len = src
        .iter()
        .map(|unit| match unit {
            0..=0x7F => 1,
            0x80..=0x7FF => 2,
            0x800..=0xFFFF => 3,
            0x1_0000.. => 4,
        })
        .sum();
    is_number(isa, format_args!("utf8_len_from_utf32"), context, src, utfkit::utf8_len_from_utf32(src), len);
}

/// Checks all functions that read ISO-8859-1, except the conversions.
pub(crate) fn reads_latin1(isa: Isa, context: Arguments<'_>, src: &[u8]) {
    let len = latin1::pieces(src).iter().filter_map(Piece::value).map(|v| if v < 0x80 { 1 } else { 2 }).sum();
    is_number(isa, format_args!("utf8_len_from_latin1"), context, src, utfkit::utf8_len_from_latin1(src), len);
}

fn is_number<S: Unit>(isa: Isa, name: Arguments<'_>, context: Arguments<'_>, src: &[S], got: usize, expected: usize) {
    assert!(
        got == expected,
        "{isa} {name}, {context}\n got      {got}\n expected {expected}\n source   {}",
        show(src, 0)
    );
}

/// Asserts that the error is that of this piece.
fn is_error<S: Unit>(
    isa: Isa,
    name: Arguments<'_>,
    context: Arguments<'_>,
    src: &[S],
    got: Option<Error>,
    expected: Option<&Piece>,
) {
    let got = got.map(|e| (e.offset(), e.len(), e.error_len(), e.kind().name()));
    let expected =
        expected.map(|p| (p.offset, p.len, p.error_len(), p.error().expect("the caller passes errors").kind));
    assert!(
        got == expected,
        "{isa} {name}, {context}\n got      {got:?}\n expected {expected:?}\n source   {}",
        show(src, expected.map_or(0, |e| e.0)),
    );
}

/// Checks all functions that read UTF-8.
pub(crate) fn utf8(isa: Isa, context: Arguments<'_>, src: &[u8]) {
    reads_utf8(isa, context, src);
    conversions::from_utf8(src, &mut Exact { isa, context });
}

/// Checks all functions that read UTF-16.
pub(crate) fn utf16(isa: Isa, context: Arguments<'_>, src: &[u16]) {
    reads_utf16(isa, context, src);
    conversions::from_utf16(src, &mut Exact { isa, context });
}

/// Checks all functions that read UTF-32.
pub(crate) fn utf32(isa: Isa, context: Arguments<'_>, src: &[u32]) {
    reads_utf32(isa, context, src);
    conversions::from_utf32(src, &mut Exact { isa, context });
}

/// Checks all functions that read ISO-8859-1.
pub(crate) fn latin1(isa: Isa, context: Arguments<'_>, src: &[u8]) {
    reads_latin1(isa, context, src);
    conversions::from_latin1(src, &mut Exact { isa, context });
}

/// Checks all functions, with `text` in each form that can hold it.
pub(crate) fn text(isa: Isa, context: Arguments<'_>, text: &str) {
    utf8(isa, context, text.as_bytes());
    utf16(isa, context, &text.encode_utf16().collect::<Vec<_>>());
    utf32(isa, context, &text.chars().map(u32::from).collect::<Vec<_>>());
    if let Ok(bytes) = text.chars().map(|c| u8::try_from(u32::from(c))).collect::<Result<Vec<_>, _>>() {
        latin1(isa, context, &bytes);
    }
}
