//! `Checker`, `Pieces`, `Locator`, `Ahead`: kinds and positions of errors.
//!
//! Judges: for UTF-8, the standard library's chunks with an independent count
//! of lines and columns; for other encodings, the testkit's pieces; and the
//! library itself, fed in other pieces or through another API.

use utfkit::diagnose::{Checker, Content, Finding, Locator, Pieces, Totals};
use utfkit::{Encoding, ErrorKind, Policy, Standard, Status, Transcoder};
use utfkit_testkit::random::Random;
use utfkit_testkit::{scheme::Scheme, utf8};

use crate::common::check;
use crate::common::transcoding::SCHEMES;
use crate::input::Input;
use crate::isas::choose;
use crate::pieces::cut;
use crate::transcode::{any, source};

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, which, standard, isa] = input.choices;
    let (standard, _) = check::STANDARDS[usize::from(standard) % check::STANDARDS.len()];
    match operation & 3 {
        0 => {
            let src = input.bytes();
            let expected = by_hand(&src);
            let isa = choose(isa);
            let (found, totals) = fed(Encoding::Utf8, Standard::Rfc3629, &cut(&src, &mut input.random));
            let places: Vec<Place> = found.iter().map(place).collect();
            assert!(places == expected, "{isa} {src:02X?}\n got      {places:?}\n expected {expected:?}");
            adds_up(&src, &found, totals);
        }
        1 => {
            let (encoding, scheme) = SCHEMES[usize::from(which) % SCHEMES.len()];
            let src = source(&mut input, operation, encoding);
            choose(isa);
            stands_where_the_reference_stops(encoding, scheme, &src, &cut(&src, &mut input.random));
        }
        2 => {
            let encoding = any(which);
            let src = source(&mut input, operation, encoding);
            choose(isa);
            let whole = fed(encoding, standard, &[&src]);
            let pieces = cut(&src, &mut input.random);
            assert_eq!(fed(encoding, standard, &pieces), whole, "{encoding} {standard:?} {src:02X?}");
            let places: Vec<_> = whole.0.iter().map(|finding| (finding.offset(), *finding.diagnosis())).collect();
            assert_eq!(read(encoding, standard, &src), places, "{encoding} {standard:?} {src:02X?}");
            assert_eq!(joined(encoding, standard, &pieces), whole, "{encoding} {standard:?} {src:02X?}");
        }
        _ => {
            let encoding = any(which);
            let src = source(&mut input, operation, encoding);
            choose(isa);
            locates(encoding, &src, &mut input.random);
        }
    }
}

/// Offset, line, column and bytes.
type Place = (u64, u64, u64, Vec<u8>);

fn place(finding: &Finding) -> Place {
    (finding.offset(), finding.line(), finding.column(), finding.bytes().to_vec())
}

/// Feeds `pieces`; returns the findings and the totals.
fn fed(encoding: Encoding, standard: Standard, pieces: &[&[u8]]) -> (Vec<Finding>, Totals) {
    let mut checker = Checker::new(encoding, standard);
    let mut found = Vec::new();
    for piece in pieces {
        checker.feed(piece, |finding| found.push(*finding));
    }
    checker.finish(|finding| found.push(*finding));
    (found, checker.totals())
}

/// Like [`fed`], but every second piece is checked ahead.
fn joined(encoding: Encoding, standard: Standard, pieces: &[&[u8]]) -> (Vec<Finding>, Totals) {
    let mut checker = Checker::new(encoding, standard);
    let mut found = Vec::new();
    let mut before = 0;
    for (i, piece) in pieces.iter().enumerate() {
        // A piece can be checked ahead only if it begins at a code unit.
        let ahead = if i % 2 == 1 && before % encoding.unit_size() == 0 { checker.ahead() } else { None };
        let mut taken = 0;
        if let Some(mut ahead) = ahead
            && piece.len() % encoding.unit_size() == 0
            && ahead.feed(piece)
        {
            taken = checker.join(&ahead, |finding| found.push(*finding));
        }
        checker.feed(&piece[taken..], |finding| found.push(*finding));
        before += piece.len();
    }
    checker.finish(|finding| found.push(*finding));
    (found, checker.totals())
}

/// The expected findings in UTF-8, from the standard library's chunks.
fn by_hand(src: &[u8]) -> Vec<Place> {
    let errors = utf8::pieces(src, &utf8::RFC_3629);
    let (mut at, mut line, mut column, mut skipped_to) = (0, 1, 1, 0);
    let mut found = Vec::new();
    for chunk in src.utf8_chunks() {
        for c in chunk.valid().chars() {
            column += 1;
            if c == '\n' {
                (line, column) = (line + 1, 1);
            }
        }
        at += chunk.valid().len();
        if chunk.invalid().is_empty() {
            continue;
        }
        if at >= skipped_to {
            let piece = errors[errors.partition_point(|piece| piece.offset < at)];
            assert_eq!((piece.offset, piece.len), (at, chunk.invalid().len()), "{src:02X?}");
            skipped_to = utf8::sequence_end(src, &piece);
            found.push((at as u64, line, column, src[at..skipped_to].to_vec()));
            column += 1;
        }
        at += chunk.invalid().len();
    }
    found
}

/// The totals agree with the findings.
fn adds_up(src: &[u8], found: &[Finding], totals: Totals) {
    let code_points = String::from_utf8_lossy(src).chars().count() - utf8_errors(src);
    assert_eq!(totals.bytes(), src.len() as u64, "{src:02X?}");
    assert_eq!(totals.code_points(), code_points as u64, "{src:02X?}");
    assert_eq!(totals.lines(), src.iter().filter(|byte| **byte == b'\n').count() as u64, "{src:02X?}");
    assert_eq!(totals.findings(), found.len() as u64, "{src:02X?}");
    for (kind, count) in totals.kinds() {
        assert_eq!(count, found.iter().filter(|finding| finding.kind() == kind).count() as u64, "{kind} {src:02X?}");
    }
}

fn utf8_errors(src: &[u8]) -> usize {
    src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count()
}

/// Findings begin at errors of the reference, the first at the first error;
/// there are none if and only if the reference has none.
fn stands_where_the_reference_stops(encoding: Encoding, scheme: Scheme, src: &[u8], pieces: &[&[u8]]) {
    let errors: Vec<u64> =
        scheme.pieces(src).iter().filter(|piece| piece.error().is_some()).map(|piece| piece.offset as u64).collect();
    let (found, totals) = fed(encoding, Standard::Rfc3629, pieces);
    let places: Vec<u64> = found.iter().map(Finding::offset).collect();
    assert_eq!(places.first(), errors.first(), "{encoding} {src:02X?}");
    assert!(
        places.iter().all(|place| errors.binary_search(place).is_ok()),
        "{encoding} {places:?} {errors:?} {src:02X?}"
    );
    assert_eq!((totals.bytes(), totals.findings()), (src.len() as u64, found.len() as u64), "{encoding} {src:02X?}");
}

/// Returns the ill-formed pieces, and asserts that the pieces cover the source.
fn read(encoding: Encoding, standard: Standard, src: &[u8]) -> Vec<(u64, utfkit::diagnose::Diagnosis)> {
    let mut pieces = Pieces::new(encoding, standard);
    let (mut at, mut found) = (0, Vec::new());
    while let Some(piece) = pieces.read(&src[at..], true) {
        assert!(!piece.bytes().is_empty() && src[at..].starts_with(piece.bytes()), "{encoding} at {at} of {src:02X?}");
        if let Content::IllFormed(diagnosis) = piece.content() {
            found.push((at as u64, diagnosis));
        }
        at += piece.bytes().len();
    }
    assert_eq!(at, src.len(), "{encoding} {src:02X?}");
    found
}

/// A conversion stops at the first finding of the check.
fn locates(encoding: Encoding, src: &[u8], random: &mut Random) {
    // A target that can encode every character and has no BOM.
    let target = Encoding::Utf8Rfc2044;
    let mut transcoder = Transcoder::new(encoding, target, Policy::Strict);
    let mut locator = Locator::new(encoding, target);
    let (found, _) = fed(encoding, Standard::Rfc3629, &[src]);
    let mut buf = vec![0; 16 * src.len() + 64];
    let mut at = 0;
    for piece in cut(src, random) {
        let step = transcoder.transcode(piece, &mut buf, at + piece.len() == src.len());
        match step.status {
            Status::InputEmpty => locator.pass(piece),
            Status::IllFormed(error) => {
                assert_ne!(error.kind(), ErrorKind::Unrepresentable, "{encoding} {src:02X?}");
                let located = locator.locate(&error, &src[at..]);
                let expected = found.first().map(place);
                assert_eq!(Some(place(&located)), expected, "{encoding} {src:02X?}");
                return;
            }
            Status::OutputFull => panic!("{encoding}: no text grows so much: {src:02X?}"),
        }
        at += piece.len();
    }
    // An empty stream has no last piece.
    assert!(found.is_empty(), "{encoding} {found:?} {src:02X?}");
}
