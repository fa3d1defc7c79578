//! Converts a whole source with a `Transcoder`, in chunks of any size.

use utfkit::{Encoding, Error, Policy, Status, Transcoder};

/// Converts `chunks`; returns the output and the errors.
pub(crate) fn converted(from: Encoding, to: Encoding, policy: Policy, chunks: &[&[u8]]) -> (Vec<u8>, Vec<Error>) {
    let mut transcoder = Transcoder::new(from, to, policy);
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    // An empty source still has an end.
    let chunks = if chunks.is_empty() { &[&[][..]] } else { chunks };
    for (i, chunk) in chunks.iter().enumerate() {
        let mut rest = *chunk;
        loop {
            let step = transcoder.transcode_to_vec(rest, &mut out, i + 1 == chunks.len());
            rest = &rest[step.read..];
            match step.status {
                Status::IllFormed(error) => errors.push(error),
                status => {
                    assert_eq!((status, rest), (Status::InputEmpty, &[][..]), "{from} to {to}: {chunks:02X?}");
                    break;
                }
            }
        }
    }
    if policy == Policy::Strict {
        assert_eq!(transcoder.had_errors(), !errors.is_empty(), "{from} to {to}: {chunks:02X?}");
    }
    (out, errors)
}
