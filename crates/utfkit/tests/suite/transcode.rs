//! The transcoder compared with a model made of `core`'s decoders: every pair, policy, cut and
//! capacity.

use utfkit::{Encoding, Error, ErrorKind, Policy, Practice, Standard, Status, Transcoder};

const POLICIES: [Policy; 6] = [
    Policy::Strict,
    Policy::Replace(Practice::MaximalSubpart),
    Policy::Replace(Practice::PerUnit),
    Policy::Replace(Practice::PerSequence),
    Policy::Skip,
    Policy::Escape,
];

/// Encodings that `core` decodes, or that are trivial. `vectors_family.rs` and `pairs.rs` test
/// the others.
const MODELLED: &[Encoding] = &[
    Encoding::Utf8,
    Encoding::Utf16Le,
    Encoding::Utf16Be,
    Encoding::Utf16,
    Encoding::Utf32Le,
    Encoding::Utf32Be,
    Encoding::Utf32,
    Encoding::Latin1,
    Encoding::UsAscii,
];

const REPLACE: Policy = Policy::Replace(Practice::MaximalSubpart);

/// The result of a stream.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    output: Vec<u8>,
    errors: Vec<ErrorAt>,
    had_errors: bool,
}

/// An error without its kind, which may depend on the cut.
#[derive(Debug, PartialEq, Eq)]
struct ErrorAt {
    offset: usize,
    written: usize,
    len: usize,
    error_len: Option<usize>,
    unrepresentable: bool,
}

impl From<Error> for ErrorAt {
    fn from(e: Error) -> ErrorAt {
        ErrorAt {
            offset: e.offset(),
            written: e.written(),
            len: e.len(),
            error_len: e.error_len(),
            unrepresentable: e.kind() == ErrorKind::Unrepresentable,
        }
    }
}

// ---------------------------------------------------------------- the model

/// A piece of the source: a character or an error.
struct Piece {
    start: usize,
    len: usize,
    char: Option<char>,
    unfinished: bool,
}

fn pieces(from: Encoding, src: &[u8], whole_sequences: bool) -> Vec<Piece> {
    match from {
        Encoding::Utf8 => pieces_of_utf8(src, whole_sequences),
        Encoding::Utf16Le => pieces_of_utf16(src, 0, u16::from_le_bytes),
        Encoding::Utf16Be => pieces_of_utf16(src, 0, u16::from_be_bytes),
        Encoding::Utf16 => match src {
            [0xFF, 0xFE, ..] => pieces_of_utf16(src, 2, u16::from_le_bytes),
            [0xFE, 0xFF, ..] => pieces_of_utf16(src, 2, u16::from_be_bytes),
            _ => pieces_of_utf16(src, 0, u16::from_be_bytes),
        },
        Encoding::Utf32Le => pieces_of_utf32(src, 0, u32::from_le_bytes),
        Encoding::Utf32Be => pieces_of_utf32(src, 0, u32::from_be_bytes),
        Encoding::Utf32 => match src {
            [0xFF, 0xFE, 0, 0, ..] => pieces_of_utf32(src, 4, u32::from_le_bytes),
            [0, 0, 0xFE, 0xFF, ..] => pieces_of_utf32(src, 4, u32::from_be_bytes),
            _ => pieces_of_utf32(src, 0, u32::from_be_bytes),
        },
        _ => src
            .iter()
            .enumerate()
            .map(|(start, &b)| {
                let char = (from == Encoding::Latin1 || b < 0x80).then_some(char::from(b));
                Piece { start, len: 1, char, unfinished: false }
            })
            .collect(),
    }
}

fn pieces_of_utf8(src: &[u8], whole_sequences: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < src.len() {
        let rest = &src[start..];
        let chunk = rest.utf8_chunks().next().unwrap();
        for (at, c) in chunk.valid().char_indices() {
            pieces.push(Piece { start: start + at, len: c.len_utf8(), char: Some(c), unfinished: false });
        }
        start += chunk.valid().len();
        let rest = &src[start..];
        let Err(e) = std::str::from_utf8(rest) else { break };
        let unfinished = e.error_len().is_none();
        let mut len = e.error_len().unwrap_or(rest.len());
        if whole_sequences && !unfinished {
            len = named_sequence(rest);
        }
        pieces.push(Piece { start, len, char: None, unfinished });
        start += len;
    }
    pieces
}

/// The length of an ill-formed sequence as announced by its first byte.
fn named_sequence(src: &[u8]) -> usize {
    let announced = match src[0] {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        _ => return 1,
    };
    let there = 1 + src[1..].iter().take(announced - 1).take_while(|&&b| (0x80..0xC0).contains(&b)).count();
    if src[0] >= 0xF8 && there < announced { 1 } else { there }
}

fn pieces_of_utf16(src: &[u8], mut start: usize, unit: fn([u8; 2]) -> u16) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while start < src.len() {
        let rest = &src[start..];
        let units: Vec<u16> = rest.chunks_exact(2).take(2).map(|b| unit([b[0], b[1]])).collect();
        let piece = match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(c)) => Piece { start, len: 2 * c.len_utf16(), char: Some(c), unfinished: false },
            Some(Err(e)) if e.unpaired_surrogate() < 0xDC00 && rest.len() < 4 => {
                Piece { start, len: rest.len(), char: None, unfinished: true }
            }
            Some(Err(_)) => Piece { start, len: 2, char: None, unfinished: false },
            None => Piece { start, len: 1, char: None, unfinished: true },
        };
        start += piece.len;
        pieces.push(piece);
    }
    pieces
}

fn pieces_of_utf32(src: &[u8], start: usize, unit: fn([u8; 4]) -> u32) -> Vec<Piece> {
    let of = |(i, b): (usize, &[u8])| Piece {
        start: start + 4 * i,
        len: b.len(),
        char: <[u8; 4]>::try_from(b).ok().and_then(|b| char::from_u32(unit(b))),
        unfinished: b.len() < 4,
    };
    src[start..].chunks(4).enumerate().map(of).collect()
}

fn unit_size(encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 => 2,
        Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Utf32 => 4,
        _ => 1,
    }
}

fn encode(to: Encoding, c: char) -> Option<Vec<u8>> {
    let units = |of: fn(u16) -> [u8; 2]| c.encode_utf16(&mut [0; 2]).iter().flat_map(|&u| of(u)).collect();
    Some(match to {
        Encoding::Utf8 => c.to_string().into_bytes(),
        Encoding::Utf16Le | Encoding::Utf16 => units(u16::to_le_bytes),
        Encoding::Utf16Be => units(u16::to_be_bytes),
        Encoding::Utf32Le | Encoding::Utf32 => u32::from(c).to_le_bytes().to_vec(),
        Encoding::Utf32Be => u32::from(c).to_be_bytes().to_vec(),
        Encoding::UsAscii if !c.is_ascii() => return None,
        _ => vec![u8::try_from(u32::from(c)).ok()?],
    })
}

fn model(from: Encoding, to: Encoding, policy: Policy, src: &[u8]) -> Outcome {
    let mut result = Outcome::default();
    let bom: &[u8] = match to {
        Encoding::Utf16 => &[0xFF, 0xFE],
        Encoding::Utf32 => &[0xFF, 0xFE, 0, 0],
        _ => &[],
    };
    let write = |output: &mut Vec<u8>, text: &str| {
        for c in text.chars() {
            if output.is_empty() {
                output.extend(bom);
            }
            output.extend(encode(to, c).unwrap());
        }
    };
    for piece in pieces(from, src, policy == Policy::Replace(Practice::PerSequence)) {
        let Piece { start, len, char, unfinished } = piece;
        if let Some(c) = char
            && encode(to, c).is_some()
        {
            write(&mut result.output, &c.to_string());
            continue;
        }
        result.had_errors = true;
        let replacement = if encode(to, '\u{FFFD}').is_some() { "\u{FFFD}" } else { "?" };
        let out = &mut result.output;
        match (policy, char) {
            (Policy::Strict, _) => result.errors.push(ErrorAt {
                offset: start,
                written: out.len(),
                len,
                error_len: (!unfinished).then_some(len),
                unrepresentable: char.is_some(),
            }),
            (Policy::Replace(_), Some(_)) => write(out, "?"),
            (Policy::Replace(Practice::PerUnit), None) => {
                write(out, &replacement.repeat(len.div_ceil(unit_size(from))));
            }
            (Policy::Replace(_), None) => write(out, replacement),
            (Policy::Escape, Some(c)) => write(out, &format!("\\u{{{:X}}}", u32::from(c))),
            (Policy::Escape, None) => {
                src[start..start + len].iter().for_each(|b| write(out, &format!("\\x{b:02X}")));
            }
            _ => {}
        }
    }
    result
}

// --------------------------------------------------------- the transcoder

/// Feeds `chunks` to the end with `capacity` bytes a call, and checks the guarantees of each
/// step.
fn run(transcoder: &mut Transcoder, chunks: &[&[u8]], capacity: usize) -> (Outcome, Vec<Error>) {
    let mut outcome = Outcome::default();
    let mut errors = Vec::new();
    let mut dst = vec![0xAA; capacity];
    for (i, chunk) in chunks.iter().enumerate() {
        let last = i + 1 == chunks.len();
        let mut src = *chunk;
        let mut idle = 0;
        loop {
            let step = transcoder.transcode(src, &mut dst, last);
            assert!(step.read <= src.len() && step.written <= capacity);
            outcome.output.extend(&dst[..step.written]);
            src = &src[step.read..];
            match step.status {
                Status::InputEmpty => {
                    assert!(src.is_empty());
                    break;
                }
                Status::OutputFull => {
                    idle = if step.read == 0 && step.written == 0 { idle + 1 } else { 0 };
                    assert_eq!(idle, 0, "no progress");
                }
                Status::IllFormed(e) => {
                    assert_eq!(e.written(), outcome.output.len(), "{e:?}");
                    assert_eq!(transcoder.policy(), Policy::Strict);
                    errors.push(e);
                    outcome.errors.push(e.into());
                }
            }
        }
    }
    outcome.had_errors = transcoder.had_errors();
    (outcome, errors)
}

fn check(from: Encoding, to: Encoding, policy: Policy, chunks: &[&[u8]], capacity: usize, expected: &Outcome) {
    let (found, _) = run(&mut Transcoder::new(from, to, policy), chunks, capacity);
    assert_eq!(&found, expected, "{from} to {to}, {policy:?}, capacity {capacity}, {chunks:02X?}");
}

/// Text and errors of all kinds, in the encoding `from`.
fn inputs(from: Encoding) -> Vec<Vec<u8>> {
    let text = "aé€\u{10FFFF}\u{FEFF}b";
    let utf8 = |b: &[u8]| b.to_vec();
    let units16 = |units: &[u16], tail: &[u8]| -> Vec<u8> {
        let bytes =
            units.iter().flat_map(|u| if from == Encoding::Utf16Le { u.to_le_bytes() } else { u.to_be_bytes() });
        bytes.chain(tail.iter().copied()).collect()
    };
    let units32 = |units: &[u32], tail: &[u8]| -> Vec<u8> {
        let bytes =
            units.iter().flat_map(|u| if from == Encoding::Utf32Le { u.to_le_bytes() } else { u.to_be_bytes() });
        bytes.chain(tail.iter().copied()).collect()
    };
    let utf16: Vec<u16> = text.encode_utf16().collect();
    let utf32: Vec<u32> = text.chars().map(u32::from).collect();
    match from {
        Encoding::Utf8 => vec![
            text.into(),
            utf8(b"a\xC0\xAFb\xE0\x80\x80c\xF0\x80\x80\x80\xED\xA0\x80"),
            utf8(b"\xF8\x88\x80\x80\x80\xF8\x88A\xFC\x84\x80\x80\x80\x80"),
            utf8(b"\xF0A\xF0\x90A\xF0\x90\x80A\xE2\x82A\xC2A\xC1A"),
            utf8(b"\x80\xBF\xFE\xFF\xF4\x90\x80\x80\xF5\x80\x80\x80\xF7"),
            utf8(b"\xF4\x8F\xBF\xBF\xF0\x9F\x92"),
            utf8(b"\xEF\xBB\xBFx\xFD\xBF\xBF\xBF\xBF"),
        ],
        Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 => vec![
            units16(&utf16, &[]),
            units16(&[0xFEFF, 0xD800, 0x61, 0xDC00, 0xD83D, 0xD83D, 0xDE00], &[0x41]),
            units16(&[0xFFFE, 0xD8, 0xD800], &[]),
            units16(&[0xD800, 0xDBFF], &[0xDC]),
            units16(&[0xDFFF, 0xFEFF, 0x20AC, 0xE9], &[0xFF]),
            vec![0xFE],
        ],
        Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Utf32 => vec![
            units32(&utf32, &[]),
            units32(&[0xFEFF, 0xD800, 0x11_0000, 0x61], &[0, 0]),
            units32(&[0xFFFE_0000, 0x6100_0000, 0x10_FFFF], &[0xFF]),
            units32(&[0xFFFF_FFFF, 0xDFFF, 0xFEFF], &[0, 0, 0]),
            vec![0, 0, 0xFE],
        ],
        _ => vec![b"abc\x7F\x80\xFF\xE9 \\x".to_vec()],
    }
}

fn every_pair() -> impl Iterator<Item = (Encoding, Encoding)> {
    MODELLED.iter().flat_map(|&from| MODELLED.iter().map(move |&to| (from, to)))
}

const CAPACITIES: [usize; 7] = [1, 2, 3, 4, 5, 7, 64];

// -------------------------------------------------------------------- tests

#[test]
fn every_cut_and_every_room_give_what_the_model_says() {
    for (from, to) in every_pair() {
        for src in inputs(from) {
            for policy in POLICIES {
                let expected = model(from, to, policy, &src);
                check(from, to, policy, &[&src], 4096, &expected);
                let bytes: Vec<&[u8]> = src.chunks(1).collect();
                for capacity in CAPACITIES {
                    check(from, to, policy, &bytes, capacity, &expected);
                    for i in 0..=src.len() {
                        for j in i..=src.len() {
                            check(from, to, policy, &[&src[..i], &src[i..j], &src[j..]], capacity, &expected);
                        }
                    }
                }
            }
        }
    }
}

/// A small generator (xorshift); the tests need variety, not quality.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

#[test]
fn random_streams_give_what_the_model_says() {
    const BYTES: &[u8] =
        b"\x00\x00aZ\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE2\xED\xEF\xF0\xF3\xF4\xF5\xF8\xFB\
        \xFC\xFD\xFE\xFF\xD8\xDC\xDB\x01\x10\xDF";
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for round in 0..4000 {
        for &from in MODELLED {
            let len = dice.roll(40);
            let mut src: Vec<u8> = (0..len).map(|_| BYTES[dice.roll(BYTES.len())]).collect();
            if round % 4 == 0 {
                src.extend(inputs(from).swap_remove(0).repeat(1 + dice.roll(12)));
            }
            if round % 8 == 0 {
                // Long runs of US-ASCII take a code path of their own.
                let run: Vec<u8> = encode(from, 'q').unwrap().repeat(30 + dice.roll(80));
                let at = src.len() / 4 * 4;
                src.splice(at..at, run);
            }
            let to = MODELLED[dice.roll(MODELLED.len())];
            let policy = POLICIES[dice.roll(POLICIES.len())];
            let expected = model(from, to, policy, &src);
            check(from, to, policy, &[&src], 1 + dice.roll(400), &expected);
            let mut chunks = Vec::new();
            let mut rest = &src[..];
            while !rest.is_empty() {
                let (chunk, after) = rest.split_at(dice.roll(rest.len().min(90) + 1));
                chunks.push(chunk);
                rest = after;
            }
            chunks.push(rest);
            check(from, to, policy, &chunks, 1 + dice.roll(100), &expected);
        }
    }
}

#[test]
fn repairs_as_the_standard_library_does() {
    let mut dice = Dice(42);
    for _ in 0..20_000 {
        let len = dice.roll(24);
        let src: Vec<u8> = (0..len).map(|_| dice.roll(256) as u8 | if dice.roll(3) > 0 { 0x80 } else { 0 }).collect();
        let (found, _) = run(&mut Transcoder::new(Encoding::Utf8, Encoding::Utf8, REPLACE), &[&src], 4096);
        assert_eq!(found.output, String::from_utf8_lossy(&src).as_bytes(), "{src:02X?}");
    }
}

#[test]
fn every_scalar_value_goes_everywhere_and_back() {
    let all: String = ('\0'..=char::MAX).collect();
    for &to in MODELLED {
        let text: String = all.chars().filter(|&c| encode(to, c).is_some()).collect();
        let (there, errors) =
            run(&mut Transcoder::new(Encoding::Utf8, to, Policy::Strict), &[text.as_bytes()], 1 << 16);
        assert!(errors.is_empty());
        let (back, errors) = run(&mut Transcoder::new(to, Encoding::Utf8, Policy::Strict), &[&there.output], 1 << 16);
        assert!(errors.is_empty());
        assert!(back.output == text.as_bytes(), "{to}");
    }
}

#[test]
fn kinds_are_those_of_validation_where_the_bytes_are_at_hand() {
    for src in inputs(Encoding::Utf8) {
        let (_, errors) = run(&mut Transcoder::new(Encoding::Utf8, Encoding::Utf16Le, Policy::Strict), &[&src], 4096);
        let expected: Vec<_> = utfkit::errors(&src, Standard::Rfc3629).map(|e| (e.offset(), e.kind())).collect();
        let found: Vec<_> = errors.iter().map(|e| (e.offset(), e.kind())).collect();
        assert_eq!(found, expected, "{src:02X?}");
    }
}

#[test]
fn kinds_are_forced_where_the_bytes_end_early() {
    use ErrorKind::*;
    let cases: [(&[u8], ErrorKind); 12] = [
        (b"\xC0", Overlong),
        (b"\xC1", Overlong),
        (b"\xE0\x80", Overlong),
        (b"\xF0\x8F", Overlong),
        (b"\xF0\x80\x80", Overlong),
        (b"\xED\xA0", Surrogate),
        (b"\xF4\x90", TooLarge),
        (b"\xF5", TooLarge),
        (b"\xF8\x88", TooLarge),
        (b"\xFD", TooLarge),
        (b"\xFE", InvalidByte),
        (b"\x80", UnexpectedContinuation),
    ];
    for (src, kind) in cases {
        for cut in 0..src.len() {
            let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
            let calls = [&src[..cut], &src[cut..]].map(|part| t.transcode(part, &mut [0; 8], false).status);
            let first =
                calls.into_iter().find_map(|status| if let Status::IllFormed(e) = status { Some(e) } else { None });
            let e = first.expect("an error that is certain");
            assert_eq!((e.offset(), e.kind(), e.error_len()), (0, kind, Some(1)), "{src:02X?} at {cut}");
        }
    }
}

#[test]
fn an_error_is_dealt_with_as_soon_as_it_is_certain() {
    let fed = |calls: &[(&[u8], &str)]| {
        let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf8, REPLACE);
        for (i, (src, expected)) in calls.iter().enumerate() {
            let mut dst = [0; 32];
            let step = t.transcode(src, &mut dst, i + 1 == calls.len());
            assert_eq!(step.status, Status::InputEmpty);
            assert_eq!(std::str::from_utf8(&dst[..step.written]).unwrap(), *expected, "call {i}");
        }
    };
    fed(&[(b"\xC1", "\u{FFFD}"), (b"\xBF", "\u{FFFD}"), (b"", "")]);
    fed(&[(b"\xF5", "\u{FFFD}"), (b"A", "A")]);
    fed(&[(b"\xF0", ""), (b"A", "\u{FFFD}A")]);
    fed(&[(b"\xF0", ""), (b"A\xF0", "\u{FFFD}A"), (b"A", "\u{FFFD}A")]);
    fed(&[(b"\xF0\x90", ""), (b"A", "\u{FFFD}A")]);
    fed(&[(b"\xE0", ""), (b"\x80", "\u{FFFD}\u{FFFD}"), (b"", "")]);
    fed(&[(b"\xED\xA0", "\u{FFFD}\u{FFFD}"), (b"\x80", "\u{FFFD}")]);
    fed(&[(b"\xF0\x9F", ""), (b"\x92", ""), (b"", "\u{FFFD}")]);
    fed(&[(b"\xF0\x9F\x92", ""), (b"\xA9x", "\u{1F4A9}x")]);
}

#[test]
fn per_sequence_waits_for_the_whole_sequence_only() {
    let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Replace(Practice::PerSequence));
    let mut dst = [0; 32];
    for (src, written) in [(&b"\xFC"[..], 0), (b"\x84\x80", 0), (b"\x80\x80", 0), (b"\x80A", 4), (b"\xF8\x80A", 7)] {
        let step = t.transcode(src, &mut dst, false);
        assert_eq!((step.read, step.written, step.status), (src.len(), written, Status::InputEmpty), "{src:02X?}");
    }
}

#[test]
fn practices_count_as_their_tables_say() {
    // The source, then the number of replacements per maximal subpart, byte and sequence.
    let utf8: [(&[u8], [usize; 3]); 12] = [
        (b"\xC0\xAF", [2, 2, 1]),
        (b"\xE0\x80\xBF", [3, 3, 1]),
        (b"\xED\xA0\x80", [3, 3, 1]),
        (b"\xF4\x91\x92\x93", [4, 4, 1]),
        (b"\xF8\x88\x80\x80\x80", [5, 5, 1]),
        (b"\xFC\x84\x80\x80\x80\x80", [6, 6, 1]),
        (b"\xF8\x88\x80A", [3, 3, 3]),
        (b"\xE2\x82", [1, 2, 1]),
        (b"\xF0\x9F\x92A", [1, 3, 1]),
        (b"\xF0\x80\x80A", [3, 3, 1]),
        (b"\xFF\xFE\x80", [3, 3, 3]),
        (b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBFA", [4, 8, 4]), // Unicode Standard, table 3-11
    ];
    let utf16: [(&[u8], [usize; 3]); 4] = [
        (b"\xD8\x00\x00A", [1, 1, 1]),
        (b"\xD8\x00A", [1, 2, 1]),
        (b"A", [1, 1, 1]),
        (b"\xDC\x00\xD8\x00\xD8\x00", [3, 3, 3]),
    ];
    let utf32: [(&[u8], [usize; 3]); 2] =
        [(b"\x00\x00\xD8\x00\x00\x11\x00\x00", [2, 2, 2]), (b"\x00\x00\x00A\x00\x00", [1, 1, 1])];
    let practices = [Practice::MaximalSubpart, Practice::PerUnit, Practice::PerSequence];
    for (from, cases) in [(Encoding::Utf8, &utf8[..]), (Encoding::Utf16Be, &utf16[..]), (Encoding::Utf32Be, &utf32[..])]
    {
        for (src, counts) in cases {
            for (practice, &count) in practices.iter().zip(counts) {
                let (found, _) =
                    run(&mut Transcoder::new(from, Encoding::Utf32Be, Policy::Replace(*practice)), &[src], 100);
                let replacements = found.output.chunks(4).filter(|u| u == b"\x00\x00\xFF\xFD").count();
                assert_eq!(replacements, count, "{from} {practice:?} {src:02X?}");
            }
        }
    }
}

#[test]
fn escapes_are_in_upper_case_without_padding() {
    let escaped = |from, to, src: &[u8]| {
        let (found, _) = run(&mut Transcoder::new(from, to, Policy::Escape), &[src], 100);
        String::from_utf8(found.output).unwrap()
    };
    let src = "é€\u{1F600}\u{10FFFF}\u{80}".as_bytes();
    assert_eq!(escaped(Encoding::Utf8, Encoding::UsAscii, src), "\\u{E9}\\u{20AC}\\u{1F600}\\u{10FFFF}\\u{80}");
    assert_eq!(escaped(Encoding::Utf8, Encoding::Utf8, b"a\xED\xA0\x80\n"), "a\\xED\\xA0\\x80\n");
    assert_eq!(escaped(Encoding::Utf16Be, Encoding::Utf8, b"\xD8\x0A\0a"), "\\xD8\\x0Aa");
}

#[test]
fn replacement_is_a_question_mark_where_the_target_lacks_it() {
    for to in [Encoding::Latin1, Encoding::UsAscii] {
        let (found, _) = run(&mut Transcoder::new(Encoding::Utf8, to, REPLACE), &["€\u{FFFD}".as_bytes(), b"\xFF!"], 9);
        assert_eq!(found.output, b"???!");
        assert!(found.had_errors);
    }
}

#[test]
fn boms_are_taken_and_given() {
    let to_utf8 = |from, src: &[u8]| run(&mut Transcoder::new(from, Encoding::Utf8, REPLACE), &[src], 100).0.output;
    assert_eq!(to_utf8(Encoding::Utf16, b"\xFF\xFEa\0"), b"a");
    assert_eq!(to_utf8(Encoding::Utf16, b"\xFE\xFF\0a"), b"a");
    assert_eq!(to_utf8(Encoding::Utf16, b"\0a"), b"a");
    assert_eq!(to_utf8(Encoding::Utf16, b"\xFF\xFE\xFF\xFEa\0"), "\u{FEFF}a".as_bytes());
    assert_eq!(to_utf8(Encoding::Utf16, b"\xFF\xFE"), b"");
    assert_eq!(to_utf8(Encoding::Utf16, b"\xFF"), "\u{FFFD}".as_bytes());
    assert_eq!(to_utf8(Encoding::Utf16Le, b"\xFF\xFEa\0"), "\u{FEFF}a".as_bytes());
    assert_eq!(to_utf8(Encoding::Utf16Be, b"\xFE\xFF\0a"), "\u{FEFF}a".as_bytes());
    assert_eq!(to_utf8(Encoding::Utf32, b"\xFF\xFE\0\0a\0\0\0"), b"a");
    assert_eq!(to_utf8(Encoding::Utf32, b"\0\0\xFE\xFF\0\0\0a"), b"a");
    assert_eq!(to_utf8(Encoding::Utf32, b"\0\0\0a"), b"a");
    assert_eq!(to_utf8(Encoding::Utf8, b"\xEF\xBB\xBFa"), b"\xEF\xBB\xBFa");

    let from_utf8 = |to, src: &[u8]| run(&mut Transcoder::new(Encoding::Utf8, to, Policy::Skip), &[src], 100).0.output;
    assert_eq!(from_utf8(Encoding::Utf16, b"a"), b"\xFF\xFEa\0");
    assert_eq!(from_utf8(Encoding::Utf32, b"a"), b"\xFF\xFE\0\0a\0\0\0");
    assert_eq!(from_utf8(Encoding::Utf16, "\u{FEFF}".as_bytes()), b"\xFF\xFE\xFF\xFE");
    // As in iconv, no text has no BOM.
    assert_eq!(from_utf8(Encoding::Utf16, b""), b"");
    assert_eq!(from_utf8(Encoding::Utf32, b"\xFF"), b"");
}

#[test]
fn a_strict_stream_goes_on_after_an_error() {
    let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be, Policy::Strict);
    let mut dst = [0; 64];
    let step = t.transcode(b"\xE2", &mut dst, false);
    assert_eq!((step.read, step.written, step.status), (1, 0, Status::InputEmpty));
    // The whole sequence was taken by earlier calls.
    let step = t.transcode(b"ab\xF0\x90c", &mut dst, false);
    let Status::IllFormed(e) = step.status else { panic!("{step:?}") };
    assert_eq!((step.read, e.offset(), e.len(), e.written()), (0, 0, 1, 0));
    let step = t.transcode(b"ab\xF0\x90c", &mut dst, false);
    let Status::IllFormed(e) = step.status else { panic!("{step:?}") };
    assert_eq!((step.read, step.written, e.offset(), e.error_len(), e.written()), (4, 4, 3, Some(2), 4));
    assert_eq!(t.transcode(b"c\xE2\x82", &mut dst, false).status, Status::InputEmpty);
    let step = t.transcode(b"", &mut dst, true);
    let Status::IllFormed(e) = step.status else { panic!("{step:?}") };
    assert_eq!((e.offset(), e.len(), e.error_len(), e.kind()), (6, 2, None, ErrorKind::Truncated));
    let step = t.transcode(b"", &mut dst, true);
    assert_eq!((step.read, step.written, step.status), (0, 0, Status::InputEmpty));
    assert!(t.had_errors());
}

#[test]
fn no_room_and_no_input_never_hang() {
    for (from, to) in every_pair() {
        for policy in POLICIES {
            for src in inputs(from) {
                let mut t = Transcoder::new(from, to, policy);
                let step = t.transcode(&[], &mut [], false);
                assert_eq!((step.read, step.written, step.status), (0, 0, Status::InputEmpty));
                let mut rest = &src[..];
                for _ in 0..3 * src.len() + 3 {
                    let step = t.transcode(rest, &mut [], true);
                    assert_eq!(step.written, 0);
                    rest = &rest[step.read..];
                }
                // Without capacity nothing is lost.
                let taken = src.len() - rest.len();
                let expected = model(from, to, policy, &src);
                if expected.errors.is_empty() {
                    let mut t = Transcoder::new(from, to, policy);
                    let step = t.transcode(&src, &mut [], true);
                    let (found, _) = run(&mut t, &[&src[step.read..]], 5);
                    assert_eq!(found.output, expected.output, "{taken}");
                }
            }
        }
    }
}

#[test]
fn characters_stay_whole_where_there_is_room_for_one() {
    let text = "aé€\u{1F600}".repeat(9);
    for capacity in 4..20 {
        let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
        let (mut src, mut dst) = (text.as_bytes(), vec![0; capacity]);
        while !src.is_empty() {
            let step = t.transcode(src, &mut dst, true);
            assert!(std::str::from_utf8(&dst[..step.written]).is_ok());
            src = &src[step.read..];
        }
    }
}

#[test]
fn reset_begins_anew() {
    let mut t = Transcoder::new(Encoding::Utf16, Encoding::Utf16, REPLACE);
    let mut dst = [0; 16];
    for _ in 0..2 {
        let step = t.transcode(b"\xFF\xFEa\0\0", &mut dst, false);
        assert_eq!(&dst[..step.written], b"\xFF\xFEa\0");
        assert!(!t.had_errors());
        t.reset();
    }
    assert_eq!((t.source_encoding(), t.target_encoding(), t.policy()), (Encoding::Utf16, Encoding::Utf16, REPLACE));
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut t = Transcoder::new(Encoding::Utf8, Encoding::Utf8, REPLACE);
    let mut dst = [0; 16];
    assert_eq!(t.transcode(b"\xE2\x82", &mut dst, false).written, 0);
    let mut other = t.clone();
    assert_eq!(t.transcode(b"\xAC", &mut dst, true).written, 3);
    assert_eq!(&dst[..3], "€".as_bytes());
    assert_eq!(other.transcode(b"x", &mut dst, true).written, 4);
    assert_eq!(&dst[..4], "\u{FFFD}x".as_bytes());
}

#[test]
#[cfg(feature = "alloc")]
fn a_vector_grows_as_it_must() {
    for (from, to) in every_pair() {
        for policy in POLICIES {
            for src in inputs(from) {
                let src = src.repeat(20);
                let expected = model(from, to, policy, &src);
                let mut t = Transcoder::new(from, to, policy);
                let (mut found, mut rest, mut errors) = (b"before".to_vec(), &src[..], Vec::<ErrorAt>::new());
                loop {
                    let before = found.len();
                    let step = t.transcode_to_vec(rest, &mut found, true);
                    assert_eq!(step.written, found.len() - before);
                    rest = &rest[step.read..];
                    match step.status {
                        Status::IllFormed(e) => errors.push(e.into()),
                        status => break assert_eq!(status, Status::InputEmpty),
                    }
                }
                assert!(rest.is_empty());
                assert_eq!(&found[b"before".len()..], expected.output);
                assert_eq!(errors, expected.errors);
            }
        }
    }
}
