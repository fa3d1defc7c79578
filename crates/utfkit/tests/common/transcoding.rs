//! A stream through a `Transcoder`, in chunks and with little space, against
//! the testkit's account of what becomes of it.

use utfkit::isa::Isa;
use utfkit::{Encoding, Policy, Practice, Status, Transcoder};
use utfkit_testkit::hex::show;
use utfkit_testkit::scheme::Scheme;
use utfkit_testkit::transcription::{Outcome, Report, Treatment};

/// The encodings: the library's name and the reference's.
pub(crate) const SCHEMES: &[(Encoding, Scheme)] = &[
    (Encoding::Utf8, Scheme::Utf8),
    (Encoding::Utf16Le, Scheme::Utf16Le),
    (Encoding::Utf16Be, Scheme::Utf16Be),
    (Encoding::Utf16, Scheme::Utf16),
    (Encoding::Utf32Le, Scheme::Utf32Le),
    (Encoding::Utf32Be, Scheme::Utf32Be),
    (Encoding::Utf32, Scheme::Utf32),
    (Encoding::Latin1, Scheme::Latin1),
    (Encoding::UsAscii, Scheme::UsAscii),
    (Encoding::Ibm437, Scheme::Ibm437),
    (Encoding::Utf7, Scheme::Utf7),
    (Encoding::Utf7Optional, Scheme::Utf7Optional),
    (Encoding::ImapUtf7, Scheme::ImapUtf7),
    (Encoding::Utf1, Scheme::Utf1),
    (Encoding::Ucs2Le, Scheme::Ucs2Le),
    (Encoding::Ucs2Be, Scheme::Ucs2Be),
    (Encoding::Ucs4Le, Scheme::Ucs4Le),
    (Encoding::Ucs4Be, Scheme::Ucs4Be),
    (Encoding::Utf8Rfc2279, Scheme::Utf8Rfc2279),
    (Encoding::Utf8Rfc2044, Scheme::Utf8Rfc2044),
    (Encoding::Utf8Kuhn, Scheme::Utf8Kuhn),
    (Encoding::Utf8NoNoncharacters, Scheme::Utf8NoNoncharacters),
    (Encoding::Cesu8, Scheme::Cesu8),
    (Encoding::Mutf8, Scheme::Mutf8),
    (Encoding::Wtf8, Scheme::Wtf8),
    (Encoding::Wtf16Le, Scheme::Wtf16Le),
    (Encoding::Wtf16Be, Scheme::Wtf16Be),
    (Encoding::Iso2022Utf8, Scheme::Iso2022Utf8),
];

/// The policies: the library's name and the reference's.
pub(crate) const POLICIES: [(Policy, Treatment); 6] = [
    (Policy::Strict, Treatment::Report),
    (Policy::Replace(Practice::MaximalSubpart), Treatment::ReplaceSubparts),
    (Policy::Replace(Practice::PerByte), Treatment::ReplaceUnits),
    (Policy::Replace(Practice::PerSequence), Treatment::ReplaceSequences),
    (Policy::Skip, Treatment::Skip),
    (Policy::Escape, Treatment::Escape),
];

/// What lies after the destination of each call.
const CANARY: u8 = 0xA5;

/// Feeds `chunks` to `transcoder`, each call with `capacity` bytes of destination,
/// and gathers everything. `last` says that nothing follows the last chunk.
pub(crate) fn feed(transcoder: &mut Transcoder, chunks: &[&[u8]], capacity: usize, last: bool) -> Outcome {
    let mut outcome = Outcome::default();
    let mut memory = vec![CANARY; capacity + 64];
    // Without chunks there is still an end to be told.
    let chunks = if chunks.is_empty() { &[&[][..]] } else { chunks };
    for (i, chunk) in chunks.iter().enumerate() {
        let mut rest = *chunk;
        loop {
            let step = transcoder.transcode(rest, &mut memory[..capacity], last && i + 1 == chunks.len());
            assert!(step.read <= rest.len() && step.written <= capacity, "{step:?} of {} and {capacity}", rest.len());
            outcome.output.extend_from_slice(&memory[..step.written]);
            let had_something = !rest.is_empty();
            rest = &rest[step.read..];
            match step.status {
                Status::InputEmpty => {
                    assert!(rest.is_empty(), "{step:?} leaves {} bytes", rest.len());
                    break;
                }
                Status::OutputFull => {
                    assert!(
                        step.read + step.written > 0,
                        "no progress with {had_something} and a capacity of {capacity}"
                    );
                }
                Status::IllFormed(e) => outcome.reports.push(Report {
                    offset: e.offset(),
                    written: e.written(),
                    len: e.len(),
                    error_len: e.error_len(),
                    kind: e.kind().name(),
                }),
            }
        }
    }
    assert!(memory[capacity..].iter().all(|byte| *byte == CANARY), "a call wrote after its capacity of {capacity}");
    outcome.had_errors = transcoder.had_errors();
    outcome
}

/// Fails unless the stream becomes what was expected. `cut` says that chunks
/// end within sequences, which the names of errors may depend on, and nothing
/// else.
pub(crate) fn compare(
    isa: Isa,
    transcoder: &Transcoder,
    chunks: &[&[u8]],
    capacity: usize,
    cut: bool,
    got: &Outcome,
    expected: &Outcome,
) {
    let same = |got: &Report, expected: &Report| {
        let blind = |report: &Report| Report { kind: "", ..*report };
        // Only what is ill-formed has names that depend on a cut.
        let kind =
            got.kind == expected.kind || cut && got.kind != "unrepresentable" && expected.kind != "unrepresentable";
        kind && blind(got) == blind(expected)
    };
    let reports = got.reports.len() == expected.reports.len()
        && got.reports.iter().zip(&expected.reports).all(|(got, expected)| same(got, expected));
    if reports && got.output == expected.output && got.had_errors == expected.had_errors {
        return;
    }
    let at = got.output.iter().zip(&expected.output).take_while(|(a, b)| a == b).count();
    let src = chunks.concat();
    let lengths: Vec<_> = chunks.iter().take(40).map(|chunk| chunk.len()).collect();
    panic!(
        "{isa} {:?} to {:?}, {:?}, chunks of {lengths:?} bytes, capacity {capacity}: differs at byte {at} of the output\n got      {}\n          errors {}, {:?}\n expected {}\n          errors {}, {:?}\n source   {}",
        transcoder.source_encoding(),
        transcoder.target_encoding(),
        transcoder.policy(),
        show(&got.output, at),
        got.had_errors,
        &got.reports[..got.reports.len().min(20)],
        show(&expected.output, at),
        expected.had_errors,
        &expected.reports[..expected.reports.len().min(20)],
        show(&src, at * src.len() / expected.output.len().max(1)),
    );
}
