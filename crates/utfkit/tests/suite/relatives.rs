//! Encodings that share the kernels of another one: a character that the two encode differently,
//! at every offset of a short text and at many offsets of a text longer than a kernel's step, on
//! every instruction set.

use crate::common::converted::converted;
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_share;
use utfkit::{Encoding, ErrorKind, Policy};

/// Converts `src`; returns the output and the offsets of errors.
fn convert(from: Encoding, to: Encoding, src: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let (out, errors) = converted(from, to, Policy::Strict, &[src]);
    let lacking = errors.iter().map(|error| {
        assert_eq!(error.kind(), ErrorKind::Unrepresentable, "{from} to {to}: {error}");
        error.offset()
    });
    (out, lacking.collect())
}

const PAIRS: [(Encoding, Encoding); 24] = [
    (Encoding::Cesu8, Encoding::Utf8),
    (Encoding::Cesu8, Encoding::Utf16Le),
    (Encoding::Cesu8, Encoding::Utf32Be),
    (Encoding::Utf8, Encoding::Cesu8),
    (Encoding::Utf16Le, Encoding::Cesu8),
    (Encoding::Utf16Be, Encoding::Cesu8),
    (Encoding::Mutf8, Encoding::Utf8),
    (Encoding::Mutf8, Encoding::Utf16Be),
    (Encoding::Utf8, Encoding::Mutf8),
    (Encoding::Utf16Le, Encoding::Mutf8),
    (Encoding::Utf16Be, Encoding::Mutf8),
    (Encoding::Wtf8, Encoding::Wtf16Le),
    (Encoding::Wtf16Be, Encoding::Wtf8),
    (Encoding::Utf8, Encoding::Ucs2Le),
    (Encoding::Utf16Be, Encoding::Ucs2Be),
    (Encoding::Ucs2Le, Encoding::Utf8),
    (Encoding::Ucs4Be, Encoding::Utf8Rfc2279),
    (Encoding::Utf8, Encoding::UsAscii),
    (Encoding::Utf16Le, Encoding::UsAscii),
    (Encoding::Utf8, Encoding::Utf8Kuhn),
    (Encoding::Utf16Le, Encoding::Utf8Kuhn),
    (Encoding::Utf8, Encoding::Utf8NoNoncharacters),
    (Encoding::Utf16Be, Encoding::Utf8NoNoncharacters),
    (Encoding::Utf8Rfc2279, Encoding::Ucs4Le),
];

#[test]
fn one_character_that_differs_is_seen_wherever_it_is() {
    let special = ['\0', '🎉', '\u{FFFE}', '\u{FDD0}', '\u{3FFFF}', 'é', '\u{FEFF}', '\u{DF}', '\u{E000}'];
    for_each_isa(|isa| {
        for (i, (from, to)) in PAIRS.into_iter().enumerate() {
            let in_from = |c: char| {
                let (bytes, lacking) = convert(Encoding::Utf8, from, c.to_string().as_bytes());
                lacking.is_empty().then_some(bytes)
            };
            for (j, c) in special.into_iter().enumerate() {
                let Some(different) = in_from(c) else { continue };
                let filler = in_from(['a', 'ж', '世'][(i + j) % 3]).expect("every encoding has it");
                let plain = in_from('b').expect("every encoding has it");
                // A text of one character is converted by the scalar codecs.
                let alone = [&different, &plain, &filler].map(|bytes| convert(from, to, bytes));
                // Also after the first piece of 1 KiB. The steps share no factor with the length
                // of a register.
                for (len, step) in [(40usize, 1), (600, 13), (2_000, 47)] {
                    for at in in_share((0..len).step_by(step).chain(len.saturating_sub(3)..len)) {
                        let characters: Vec<Vec<u8>> = (0..len)
                            .map(|k| match k {
                                _ if k == at => different.clone(),
                                _ if k % 7 == 0 => plain.clone(),
                                _ => filler.clone(),
                            })
                            .collect();
                        let src = characters.concat();
                        let got = convert(from, to, &src);
                        let (mut out, mut lacking, mut offset) = (Vec::new(), Vec::new(), 0);
                        for (k, bytes) in characters.iter().enumerate() {
                            let (written, lacks) = match k {
                                _ if k == at => &alone[0],
                                _ if k % 7 == 0 => &alone[1],
                                _ => &alone[2],
                            };
                            out.extend_from_slice(written);
                            lacking.extend(lacks.iter().map(|_| offset));
                            offset += bytes.len();
                        }
                        assert!(got.1 == lacking, "{isa} {from} to {to}, {c:?} at {at} of {len}: {:?}", got.1);
                        assert!(got.0 == out, "{isa} {from} to {to}, {c:?} at {at} of {len}");
                    }
                }
            }
        }
    });
}
