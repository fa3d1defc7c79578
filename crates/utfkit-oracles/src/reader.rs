//! The reader of `utfkit::io`: bytes in any encoding, stated or detected in windows of any size, in pieces of any
//! length, as UTF-8.
//!
//! Judges: a conversion of the whole in the encoding that the reader reports, and the reader itself with the
//! whole at once.

use std::io::{self, ErrorKind, Read};

use utfkit::bom::BomPolicy;
use utfkit::detect::Certainty;
use utfkit::io::{Options, ReadError, Report, Utf8Reader};
use utfkit::repair::Fallback;
use utfkit::{Encoding, Policy};
use utfkit_testkit::random::Random;

use crate::common::converted::converted;
use crate::common::transcoding::POLICIES;
use crate::input::Input;
use crate::isas::choose;
use crate::pieces::cut;
use crate::stream::Moody;
use crate::transcode::{any, source};

/// More bytes than a small window has, and fewer than the usual one.
const LONG: usize = 9_000;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, which, how, policy] = input.choices;
    choose(operation >> 4);
    let encoding = any(which);
    let mut src = source(&mut input, operation, encoding);
    if how >> 6 > 0 && !src.is_empty() {
        // Long texts, and US-ASCII before others.
        let times = LONG.div_ceil(src.len()) >> (how >> 6 & 1);
        let front = b"plain text, a line of it\n".repeat(if how >> 6 == 3 { 60 } else { 0 });
        src = [front, src.repeat(times.max(1))].concat();
    }
    let (policy, _) = POLICIES[usize::from(policy) % POLICIES.len()];
    let mut options = Options::new().errors(policy);
    let is_stated = how & 7 == 0;
    if is_stated {
        options = options.encoding(encoding);
    } else if how & 7 > 1 {
        options = options.detect(*input.random.pick(&[0, 1024, 3000, Options::WINDOW]));
        if how & 8 > 0 {
            options = options.at_least(*input.random.pick(&[Certainty::Likely, Certainty::Certain]));
        }
    }
    if how & 16 > 0 {
        options = options.bom(BomPolicy::Labelled);
    }
    let fallback = (how & 32 > 0).then(|| any(which.wrapping_add(how))).and_then(Fallback::new);
    if let Some(fallback) = &fallback {
        options = options.fallback(fallback.clone());
    }

    let whole = in_pieces(options.clone(), &[&src]);
    let pieces = cut(&src, &mut input.random);
    assert_eq!(in_pieces(options.clone(), &pieces), whole, "in pieces, {options:?}: {src:02X?}");
    let read = by_reader(options.clone(), &src, &input, &mut input.random.clone());
    assert_eq!(read, whole, "by the reader, {options:?}: {src:02X?}");
    if fallback.is_none() {
        as_converted(&whole, policy, is_stated, &src);
    }
}

/// The text, the error, and the report.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    text: String,
    error: Option<String>,
    encoding: Option<Encoding>,
    errors: (u64, Option<u64>),
    in_fallback: u64,
    /// The length of the BOM that was removed.
    bom: usize,
    certainty: Option<Certainty>,
    /// The number of bytes taken. After an error the rest of a piece is.
    bytes: Option<u64>,
}

fn outcome(text: String, error: Option<&ReadError>, report: &Report) -> Outcome {
    Outcome {
        text,
        error: error.map(|error| match error {
            // Which kind a lead byte is can depend on how much follows it.
            ReadError::IllFormed(error) => format!("{} bytes at {}", error.len(), error.offset()),
            other => format!("{other:?}"),
        }),
        encoding: report.encoding(),
        errors: (report.errors(), report.first_error()),
        in_fallback: report.in_fallback(),
        bom: report.bom().map_or(0, |bom| bom.bytes().len()),
        certainty: report.certainty(),
        bytes: error.is_none().then_some(report.bytes()),
    }
}

fn in_pieces(options: Options, pieces: &[&[u8]]) -> Outcome {
    let mut stream = options.stream();
    let mut text = String::new();
    for piece in pieces {
        match stream.push(piece) {
            Ok(more) => text += more,
            Err(error) => {
                text += stream.text();
                assert_eq!(stream.push(b"more").unwrap_err().to_string(), error.to_string());
                return outcome(text, Some(&error), stream.report());
            }
        }
    }
    match stream.finish() {
        Ok(more) => {
            text += more;
            assert_eq!(stream.finish().ok(), Some(""));
            outcome(text, None, stream.report())
        }
        Err(error) => {
            text += stream.text();
            outcome(text, Some(&error), stream.report())
        }
    }
}

/// Reads through short reads, interruptions and errors of the system.
fn by_reader(options: Options, src: &[u8], input: &Input<'_>, random: &mut Random) -> Outcome {
    let mut reader: Utf8Reader<Moody> = options.reader(Moody::new(src, input));
    let (mut out, mut failed) = (Vec::new(), None);
    let mut buf = vec![0; *random.pick(&[1, 7, 100, 1 << 15])];
    loop {
        match reader.read(&mut buf) {
            Ok(0) => break,
            Ok(len) => out.extend_from_slice(&buf[..len]),
            Err(error) => {
                if let Some(of_text) = of_text(&error) {
                    failed = Some(of_text);
                    break;
                }
            }
        }
    }
    let text = String::from_utf8(out).expect("a reader gives well-formed text");
    outcome(text, failed.as_ref(), reader.report())
}

/// The error, unless it is one of the system.
fn of_text(error: &io::Error) -> Option<ReadError> {
    let inner = error.get_ref()?;
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    match (inner.downcast_ref::<utfkit::Error>(), inner.downcast_ref::<ReadError>()) {
        (Some(error), _) => Some(ReadError::IllFormed(*error)),
        (_, Some(error)) => Some(error.clone()),
        (None, None) => panic!("an unknown error: {error}"),
    }
}

/// Asserts that the text is that of a conversion from the encoding that is reported.
fn as_converted(found: &Outcome, policy: Policy, is_stated: bool, src: &[u8]) {
    let Some(encoding) = found.encoding else {
        // No encoding was found. Only US-ASCII was passed on.
        assert!(found.error.is_some() && found.text.is_ascii(), "{found:?} {src:02X?}");
        assert!(src.starts_with(found.text.as_bytes()), "{found:?} {src:02X?}");
        return;
    };
    let from = if encoding == Encoding::UsAscii && !is_stated { Encoding::Utf8 } else { encoding };
    let (text, errors) = converted(from, Encoding::Utf8, policy, &[&src[found.bom..]]);
    match errors.first() {
        Some(error) if policy == Policy::Strict => {
            let at = error.offset() + found.bom;
            assert_eq!(found.errors, (1, Some(at as u64)), "{found:?} {src:02X?}");
            assert!(text.starts_with(found.text.as_bytes()), "{found:?} {src:02X?}");
            // The text before the error is all of it.
            let (before, _) = converted(from, Encoding::Utf8, policy, &[&src[found.bom..at]]);
            let missing = before.len().saturating_sub(found.text.len());
            assert!(missing == 0 || before.is_empty(), "{missing} bytes are missing: {found:?} {src:02X?}");
        }
        _ => {
            assert_eq!(found.error, None, "{src:02X?}");
            assert_eq!(found.text.as_bytes(), text, "{found:?} {src:02X?}");
        }
    }
}
