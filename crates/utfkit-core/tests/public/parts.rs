//! Texts written in parts by encodings with states.

use utfkit_core::internal::PartWriter;
use utfkit_core::{Encoding, Policy, Status, Transcoder};

const TEXTS: [&str; 11] = ["a~", "中文", "あ", "한글", "\n", "\u{A5}\\\u{203E}", "é+-&", "中a文", "", "😀€", "b"];

/// The encodings in which the meaning of bytes depends on those before them: writing ends in another state, or
/// something is held back until the end.
fn with_states() -> Vec<Encoding> {
    let ends = |encoding, text: &str, last| {
        let (mut transcoder, mut bytes) = (Transcoder::new(Encoding::Utf8, encoding, Policy::Skip), Vec::new());
        let _ = transcoder.transcode_to_vec(text.as_bytes(), &mut bytes, last);
        (transcoder.target_state(), bytes)
    };
    let has_states = |encoding: &Encoding| {
        TEXTS.iter().any(|text| {
            let (state, bytes) = ends(*encoding, text, false);
            state != 0 || bytes != ends(*encoding, text, true).1
        })
    };
    let all = Encoding::ALL.iter().copied();
    #[cfg(feature = "legacy")]
    let all = all.chain([Encoding::Iso2022Utf8In(utfkit_core::Legacy::Windows1252)]);
    all.filter(has_states).collect()
}

/// Each part after those before it, with and without what returns to the first set.
#[test]
fn parts_are_those_of_a_transcoder() {
    let encodings = with_states();
    assert!(encodings.len() >= if cfg!(feature = "legacy") { 8 } else { 4 }, "{encodings:?}");
    for encoding in encodings {
        let mut written = 0;
        for ends in [false, true] {
            let mut state = 0;
            for text in TEXTS {
                let units: Vec<[u8; 2]> = text.encode_utf16().map(u16::to_le_bytes).collect();
                let (mut expected, mut dst) = (Vec::new(), [0; 100]);
                let mut transcoder =
                    Transcoder::new(Encoding::Utf16Le, encoding, Policy::Strict).with_target_state(state);
                let step = transcoder.transcode_to_vec(units.as_flattened(), &mut expected, ends);
                let mut writer = PartWriter::new(encoding);
                writer.set_state(state);
                let Some(mut len) = writer.write(&units, &mut dst) else {
                    assert!(matches!(step.status, Status::IllFormed(_)), "{encoding} {text}");
                    continue;
                };
                assert_eq!(step.status, Status::InputEmpty, "{encoding} {text}");
                if ends {
                    len += writer.finish(&mut dst[len..]).unwrap();
                }
                assert_eq!(
                    (&dst[..len], writer.state()),
                    (&expected[..], transcoder.target_state()),
                    "{encoding} {text}"
                );
                state = writer.state();
                written += 1;
                if !units.is_empty() {
                    let mut writer = PartWriter::new(encoding);
                    assert_eq!(writer.write(&units, &mut []), None, "{encoding} {text}");
                }
            }
        }
        assert!(written > 5, "{encoding} {written}");
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    assert_eq!(PartWriter::new(Encoding::Utf8).write(&[*b"a\0"], &mut [0; 20]), None);
    assert_eq!(PartWriter::new(Encoding::Utf7).write(&[[0, 0xD8]], &mut [0; 20]), None);
    let mut writer = PartWriter::new(Encoding::Utf7);
    assert_eq!(writer.write(&[[0xE9, 0]], &mut [0; 20]), Some(3));
    assert_eq!(writer.finish(&mut [0; 1]), None);
}
