//! Legacy encodings, compared with `encoding_rs`, whole and streamed. Those
//! that `encoding_rs` lacks are compared with themselves, fed byte by byte.

use encoding_rs::{CoderResult, EncoderResult};
use utfkit::{Encoding, Legacy, Policy, Practice, Transcoder};

use crate::common::transcoding::feed;
use crate::input::Input;
use crate::isas::choose;
use crate::pieces::cut;
use crate::transcode::{capacity, source};

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, which, isa, _] = input.choices;
    let legacy = Legacy::ALL[usize::from(which) % Legacy::ALL.len()];
    let isa = choose(isa);
    let replace = Policy::Replace(Practice::MaximalSubpart);
    let theirs = encoding_rs::Encoding::for_label(legacy.name().as_bytes());
    let Some(theirs) = theirs.filter(|theirs| theirs.name() == legacy.name()) else {
        return alone(&mut input, operation, legacy, replace);
    };
    let (src, from, to, expected) = if operation % 2 == 0 {
        let src = source(&mut input, operation, Encoding::Legacy(legacy));
        let expected = decoded(theirs, &src, &cut(&src, &mut input.random));
        (src, Encoding::Legacy(legacy), Encoding::Utf8, expected.into_bytes())
    } else {
        let text = input.text();
        let expected = encoded(theirs, &text);
        (text.into_bytes(), Encoding::Utf8, Encoding::Legacy(legacy), expected)
    };
    for _ in 0..2 {
        let pieces = cut(&src, &mut input.random);
        let capacity = capacity(&mut input.random);
        let got = feed(&mut Transcoder::new(from, to, replace), &pieces, capacity, true).output;
        assert!(
            got == expected,
            "{isa} {from} to {to}, pieces of {:?} bytes, capacity {capacity}, of {src:02X?}\n got      {got:02X?}\n expected {expected:02X?}",
            pieces.iter().map(|piece| piece.len()).collect::<Vec<_>>(),
        );
    }
}

/// Checks an encoding that `encoding_rs` lacks: whole input, which takes fast
/// paths, gives the same result as single bytes, and output decodes to the
/// input.
fn alone(input: &mut Input<'_>, operation: u8, legacy: Legacy, replace: Policy) {
    let encoding = Encoding::Legacy(legacy);
    let (src, from, to) = match operation % 2 {
        0 => (source(input, operation, encoding), encoding, Encoding::Utf8),
        _ => (input.text().into_bytes(), Encoding::Utf8, encoding),
    };
    let single: Vec<&[u8]> = src.chunks(1).collect();
    let expected = feed(&mut Transcoder::new(from, to, replace), &single, 16, true);
    for _ in 0..2 {
        let pieces = cut(&src, &mut input.random);
        let capacity = capacity(&mut input.random);
        let got = feed(&mut Transcoder::new(from, to, replace), &pieces, capacity, true).output;
        assert_eq!(got, expected.output, "{from} to {to}, capacity {capacity}, of {src:02X?}");
    }
    if to == encoding && !expected.had_errors {
        let back = feed(&mut Transcoder::new(encoding, Encoding::Utf8, replace), &[&expected.output], 64, true);
        assert_eq!(back.output, src, "{legacy}");
    }
}

/// Decodes `pieces` with `encoding_rs`.
fn decoded(theirs: &'static encoding_rs::Encoding, src: &[u8], pieces: &[&[u8]]) -> String {
    let mut decoder = theirs.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(3 * src.len() + 64);
    for piece in pieces {
        let (result, read, _) = decoder.decode_to_string(piece, &mut text, false);
        assert_eq!((result, read), (CoderResult::InputEmpty, piece.len()));
    }
    let (result, ..) = decoder.decode_to_string(&[], &mut text, true);
    assert_eq!(result, CoderResult::InputEmpty);
    text
}

/// Encodes with `encoding_rs`, with `?` for characters that it lacks or that do
/// not round-trip.
fn encoded(theirs: &'static encoding_rs::Encoding, text: &str) -> Vec<u8> {
    let text: String = text.chars().map(|c| if c.is_ascii() || has(theirs, c) { c } else { '?' }).collect();
    let mut encoder = theirs.new_encoder();
    let mut out = vec![0; 8 * text.len() + 64];
    let (mut at, mut written) = (0, 0);
    loop {
        let (result, read, more) = encoder.encode_from_utf8_without_replacement(&text[at..], &mut out[written..], true);
        at += read;
        written += more;
        match result {
            EncoderResult::InputEmpty => break,
            EncoderResult::OutputFull => panic!("eight bytes a byte are enough"),
            // ISO-2022-JP rejects controls that would switch character sets.
            EncoderResult::Unmappable(_) => {
                let (result, _, more) = encoder.encode_from_utf8_without_replacement("?", &mut out[written..], false);
                assert_eq!(result, EncoderResult::InputEmpty);
                written += more;
            }
        }
    }
    out.truncate(written);
    out
}

/// True if `c` round-trips.
fn has(theirs: &'static encoding_rs::Encoding, c: char) -> bool {
    let (mut one, mut other) = ([0; 4], [0; 16]);
    let text = c.encode_utf8(&mut one);
    let (result, _, len) = theirs.new_encoder().encode_from_utf8_without_replacement(text, &mut other, true);
    result == EncoderResult::InputEmpty
        && theirs.decode_without_bom_handling_and_without_replacement(&other[..len]).as_deref() == Some(&*text)
}
