//! Transcoders that start from the state of another one.

use utfkit::{Encoding, Policy, Practice, Transcoder};

const REPLACE: Policy = Policy::Replace(Practice::MaximalSubpart);

/// All sequences of `count` pieces.
#[cfg(feature = "legacy")]
fn sequences(pieces: &[&'static [u8]], count: u32) -> impl Iterator<Item = Vec<&'static [u8]>> {
    let pieces = pieces.to_vec();
    (0..pieces.len().pow(count))
        .map(move |number| (0..count).map(|place| pieces[number / pieces.len().pow(place) % pieces.len()]).collect())
}

/// Every encoding, cut after each character, in both directions. A new encoding needs no example
/// here.
#[test]
fn every_encoding_continues_from_a_state() {
    const PIECES: [&str; 8] = ["a", "~", "&", "\n", "é", "中", "あ", "한"];
    let mut with_states = 0;
    for &encoding in Encoding::ALL {
        // Each transcoder writes its own BOM, or buffers bits that are not part of the state.
        let is_left_to_others = matches!(encoding, Encoding::Utf16 | Encoding::Utf32)
            || PIECES.iter().any(|piece| {
                let (mut part, mut bytes) = (Transcoder::new(Encoding::Utf8, encoding, REPLACE), Vec::new());
                let _ = part.transcode_to_vec(piece.as_bytes(), &mut bytes, false);
                let len = bytes.len();
                part.target_state() == 0 && {
                    let _ = part.transcode_to_vec(&[], &mut bytes, true);
                    bytes.len() > len
                }
            });
        if is_left_to_others {
            continue;
        }
        let mut changes_state = false;
        for number in 0..PIECES.len().pow(2) {
            let pieces = [PIECES[number / PIECES.len()], PIECES[number % PIECES.len()], "a"];
            let mut bytes = Vec::new();
            let _ = Transcoder::new(Encoding::Utf8, encoding, REPLACE).transcode_to_vec(
                pieces.concat().as_bytes(),
                &mut bytes,
                true,
            );
            let (mut parts, mut state) = (Vec::new(), 0);
            let mut cuts = vec![0];
            for (i, piece) in pieces.iter().enumerate() {
                let mut part = Transcoder::new(Encoding::Utf8, encoding, REPLACE).with_target_state(state);
                let _ = part.transcode_to_vec(piece.as_bytes(), &mut parts, i + 1 == pieces.len());
                state = part.target_state();
                changes_state |= state != 0;
                cuts.push(parts.len());
            }
            assert_eq!(parts, bytes, "{encoding} {pieces:?}");

            let mut text = Vec::new();
            let _ = Transcoder::new(encoding, Encoding::Utf8, REPLACE).transcode_to_vec(&bytes, &mut text, true);
            let (mut parts, mut state) = (Vec::new(), 0);
            for cut in cuts.windows(2) {
                let mut part = Transcoder::new(encoding, Encoding::Utf8, REPLACE).with_source_state(state);
                let _ = part.transcode_to_vec(&bytes[cut[0]..cut[1]], &mut parts, cut[1] == bytes.len());
                assert_eq!(part.undecided_len(), 0, "{encoding} {pieces:?}");
                state = part.source_state();
            }
            assert_eq!(parts, text, "{encoding} {pieces:?}");
        }
        with_states += usize::from(changes_state);
    }
    assert!(with_states >= if cfg!(feature = "legacy") { 4 } else { 1 }, "{with_states}");
}

/// Encodings with several character sets.
#[test]
#[cfg(feature = "legacy")]
fn another_transcoder_continues_from_a_state() {
    use utfkit::Legacy::{Big5, Hz, Iso2022Jp, Iso2022Kr};
    let cases: [(Encoding, &[&[u8]]); 6] = [
        (Encoding::Legacy(Iso2022Jp), &[b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$B", b"0!", b"\\\\"]),
        (Encoding::Legacy(Iso2022Kr), &[b"\x1B$)C", b"\x0E", b"\x0F", b"0!", b"\n"]),
        (Encoding::Legacy(Hz), &[b"~{", b"~}", b"VP", b"\n", b"~~ "]),
        (Encoding::Iso2022Utf8, &[b"\x1B%G", b"\x1B%@", b"\xC3\xA9", b"\xFF"]),
        (Encoding::Iso2022Utf8In(Big5), &[b"\x1B%G", b"\x1B%@", b"\xA4\xA4", b"a"]),
        (Encoding::ImapUtf7, &[b"&AOk-", b"&-", b"a", b"-"]),
    ];
    for (encoding, pieces) in cases {
        for sequence in sequences(pieces, 5) {
            let mut text = Vec::new();
            let mut whole = Transcoder::new(encoding, Encoding::Utf8, REPLACE);
            let _ = whole.transcode_to_vec(&sequence.concat(), &mut text, false);
            let (mut parts, mut state) = (Vec::new(), 0);
            for piece in &sequence {
                let mut part = Transcoder::new(encoding, Encoding::Utf8, REPLACE).with_source_state(state);
                let _ = part.transcode_to_vec(piece, &mut parts, false);
                assert_eq!(part.undecided_len(), 0, "{encoding} {sequence:02X?}");
                state = part.source_state();
            }
            assert_eq!(parts, text, "{encoding} {sequence:02X?}");
            if encoding == Encoding::ImapUtf7 {
                // The encoder buffers bits.
                continue;
            }
            let (mut bytes, mut parts, mut state) = (Vec::new(), Vec::new(), 0);
            let _ = Transcoder::new(Encoding::Utf8, encoding, REPLACE).transcode_to_vec(&text, &mut bytes, true);
            for c in String::from_utf8(text).unwrap().chars() {
                let mut part = Transcoder::new(Encoding::Utf8, encoding, REPLACE).with_target_state(state);
                let _ = part.transcode_to_vec(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut parts, false);
                state = part.target_state();
            }
            let mut end = Transcoder::new(Encoding::Utf8, encoding, REPLACE).with_target_state(state);
            let _ = end.transcode_to_vec(&[], &mut parts, true);
            assert_eq!(parts, bytes, "{encoding} {sequence:02X?}");
        }
    }
}
