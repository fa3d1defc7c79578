//! Runs streams through a `Transcoder`, in chunks and with small destinations, and compares the
//! result with the testkit's model.

use std::sync::LazyLock;

use utfkit::isa::Isa;
use utfkit::{Encoding, Policy, Practice, Status, Transcoder};
use utfkit_testkit::hex::show;
use utfkit_testkit::scheme::Scheme;
use utfkit_testkit::transcription::{Outcome, Report, Treatment};

/// The encodings, with their references.
pub(crate) static SCHEMES: LazyLock<Vec<(Encoding, Scheme)>> = LazyLock::new(|| {
    let named = |scheme: &Scheme| Encoding::ALL.iter().find(|encoding| encoding.name() == scheme.name());
    Scheme::ALL.iter().map(|scheme| (*named(scheme).expect("an encoding of that name"), *scheme)).collect()
});

/// The policies, with their references.
pub(crate) const POLICIES: [(Policy, Treatment); 6] = [
    (Policy::Strict, Treatment::Report),
    (Policy::Replace(Practice::MaximalSubpart), Treatment::ReplaceSubparts),
    (Policy::Replace(Practice::PerUnit), Treatment::ReplaceUnits),
    (Policy::Replace(Practice::PerSequence), Treatment::ReplaceSequences),
    (Policy::Skip, Treatment::Skip),
    (Policy::Escape, Treatment::Escape),
];

/// Fills the memory after each destination.
const CANARY: u8 = 0xA5;

/// Feeds `chunks` to `transcoder` with `capacity` bytes of destination a call, and collects the
/// results. With `last`, the last chunk ends the stream.
pub(crate) fn feed(transcoder: &mut Transcoder, chunks: &[&[u8]], capacity: usize, last: bool) -> Outcome {
    let mut outcome = Outcome::default();
    let mut memory = vec![CANARY; capacity + 64];
    // An empty source still has an end.
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

/// Asserts that the outcome is as expected. With `cut`, chunks end inside sequences, so kinds of
/// errors may differ, but nothing else.
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
        // A cut can only change the kind of an ill-formed sequence.
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
