//! `Transcoder`: any pair, policy, cut and capacity.
//!
//! Judges: the testkit's transcription for the encodings that it knows;
//! otherwise the library itself, given the whole input.

use utfkit::{Encoding, EscapeForm, Legacy, Policy, Status, Transcoder};
use utfkit_testkit::mutate;
use utfkit_testkit::random::Random;
use utfkit_testkit::scheme::Scheme;
use utfkit_testkit::transcription::{Outcome, transcribe};

use crate::common::transcoding::{POLICIES, SCHEMES, compare, feed};
use crate::input::Input;
use crate::isas::choose;
use crate::pieces::cut;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, from, to, policy] = input.choices;
    let (policy, treatment) = POLICIES[usize::from(policy) % POLICIES.len()];
    if operation % 4 < 3 {
        let from = SCHEMES[usize::from(from) % SCHEMES.len()];
        let to = SCHEMES[usize::from(to) % SCHEMES.len()];
        let src = source(&mut input, operation, from.0);
        let pair = Pair { from, to, policy };
        let isas = input.random.next_u64() as u8;
        pair.is_as_the_reference_says(isas, &src, &mut input.random, &transcribe(from.1, to.1, treatment, &src));
    } else {
        let (from, to) = (any(from), any(to));
        let src = source(&mut input, operation, from);
        choose(operation >> 4);
        whole_and_in_pieces(from, to, policy, &src, &mut input.random);
    }
}

/// Any encoding: one of the list, or ISO-2022-UTF-8 combined with a legacy
/// encoding.
pub(crate) fn any(choice: u8) -> Encoding {
    let choice = usize::from(choice);
    match Encoding::ALL.get(choice % (Encoding::ALL.len() + 8)) {
        Some(encoding) => *encoding,
        None => Encoding::for_label(&format!("ISO-2022-UTF-8+{}", Legacy::ALL[choice % Legacy::ALL.len()]))
            .unwrap_or(Encoding::Iso2022Utf8),
    }
}

/// The bytes of the text, or its encoding, possibly damaged.
pub(crate) fn source(input: &mut Input<'_>, choice: u8, encoding: Encoding) -> Vec<u8> {
    let mut src = input.bytes();
    let way = choice >> 2 & 3;
    if way > 0 {
        let text = String::from_utf8_lossy(&src);
        let mut encoded = Vec::new();
        let _ = Transcoder::new(Encoding::Utf8, encoding, Policy::Skip).transcode_to_vec(
            text.as_bytes(),
            &mut encoded,
            true,
        );
        src = encoded;
    }
    if way > 1 {
        mutate::bytes(&mut src, &mut input.random);
    }
    src
}

struct Pair {
    from: (Encoding, Scheme),
    to: (Encoding, Scheme),
    policy: Policy,
}

impl Pair {
    fn is_as_the_reference_says(&self, isas: u8, src: &[u8], random: &mut Random, expected: &Outcome) {
        let mut transcoder = Transcoder::new(self.from.0, self.to.0, self.policy);
        let pieces = cut(src, random);
        let capacity = capacity(random);
        for (choice, pieces, capacity) in
            [(isas, &[src][..], 4 * expected.output.len() + 64), (isas >> 4, &pieces[..], capacity)]
        {
            let isa = choose(choice);
            transcoder.reset();
            let got = feed(&mut transcoder, pieces, capacity, true);
            compare(isa, &transcoder, pieces, capacity, pieces.len() > 1, &got, expected);
        }
    }
}

/// The capacity of each call, often tiny.
pub(crate) fn capacity(random: &mut Random) -> usize {
    1 + match random.below(4) {
        0 => random.below(8),
        1 => random.below(70),
        _ => random.below(700),
    }
}

/// Compares whole input with pieces.
fn whole_and_in_pieces(from: Encoding, to: Encoding, policy: Policy, src: &[u8], random: &mut Random) {
    let form = [EscapeForm::Braces, EscapeForm::Xml, EscapeForm::Hex, EscapeForm::XmlDecimal][random.below(4)];
    let new = || Transcoder::new(from, to, policy).with_escape_form(form);
    let (mut one, mut other) = (new(), new());
    let expected = feed(&mut one, &[src], 16 * src.len() + 256, true);
    let pieces = cut(src, random);
    let got = feed(&mut other, &pieces, capacity(random), true);
    let isa = utfkit::isa::active();
    compare(isa, &other, &pieces, 0, true, &got, &expected);
    assert_eq!(one.unrepresentable_count(), other.unrepresentable_count(), "{from} to {to}");

    // Growing vectors are another kind of destination.
    let (mut third, mut output, mut read) = (new(), Vec::new(), 0);
    loop {
        let step = third.transcode_to_vec(&src[read..], &mut output, true);
        read += step.read;
        match step.status {
            Status::InputEmpty => break,
            Status::IllFormed(_) => {}
            Status::OutputFull => panic!("{from} to {to}: a vector is large enough"),
        }
    }
    assert_eq!((read, &output), (src.len(), &expected.output), "{isa} {from} to {to}, {policy:?}: {src:02X?}");
}
