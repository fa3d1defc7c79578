//! UTF-8: validation, conversions from it, counts, boundaries.
//!
//! Judges: the standard library, `encoding_rs::mem`, and the testkit's
//! reference, which is itself compared with the standard library.

use utfkit::Verdict;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::utf8;

use crate::common::check;
use crate::common::conversions::{self, Conversion, Unit, Visitor};
use crate::input::Input;
use crate::isas::on_each;
use crate::pieces::assert_agrees_with_std;

/// Runs one of the conversions on each instruction set, with enough capacity
/// and with a capacity given by `choice`, which can be too small.
pub(crate) struct EveryCapacity {
    /// The number of conversions before the chosen one.
    before: u8,
    choice: u8,
}

impl EveryCapacity {
    /// Chooses one of `count` conversions.
    pub(crate) fn new(count: u8, [_, choice, which, _]: [u8; 4]) -> EveryCapacity {
        EveryCapacity { before: which % count, choice }
    }
}

impl Visitor for EveryCapacity {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]) {
        let now = self.before == 0;
        self.before = self.before.wrapping_sub(1);
        if !now {
            return;
        }
        let plan = conversion.plan(pieces);
        let enough = plan.output.len();
        // Slightly too small, a fraction, or more than enough.
        let other = match self.choice {
            0..=15 => enough.saturating_sub(self.choice.into()),
            16..=199 => enough * usize::from(self.choice) / 200,
            _ => enough + usize::from(self.choice),
        };
        on_each(|isa| {
            for capacity in [enough, other] {
                check::converts(
                    isa,
                    conversion,
                    format_args!("fuzzed"),
                    src,
                    capacity,
                    plan.answer(capacity),
                    &plan.output,
                );
            }
            let owned = (conversion.owned)(src);
            let answer = check::answer(owned.as_ref().map(Vec::len).map_err(|e| *e));
            let expected = plan.answer(enough);
            assert_eq!(answer, expected, "{isa} {} into a vector", conversion.name);
            if let Ok(owned) = owned {
                assert_eq!(owned, plan.output, "{isa} {} into a vector", conversion.name);
            }
        });
    }
}

/// See the [module](self).
pub fn run(data: &[u8]) {
    let input = Input::new(data);
    let src = &input.bytes()[..];
    let pieces = utf8::pieces(src, &utf8::RFC_3629);
    assert_agrees_with_std(src, &pieces);
    match input.choices[0] % 5 {
        0 | 1 => conversions::from_utf8(src, &mut EveryCapacity::new(5, input.choices)),
        2 => on_each(|isa| check::reads_utf8(isa, format_args!("fuzzed"), src)),
        3 => {
            let standard = check::STANDARDS[usize::from(input.choices[1]) % check::STANDARDS.len()];
            on_each(|isa| check::finds_errors(isa, format_args!("fuzzed"), src, standard));
            as_encoding_rs_does(src);
        }
        _ => {
            on_each(|_| recognizes(src, &pieces));
            finds_boundaries(src, &pieces);
        }
    }
}

/// Compares lossy conversions and the test for ISO-8859-1 with `encoding_rs`.
fn as_encoding_rs_does(src: &[u8]) {
    use encoding_rs::mem;
    let mut units = vec![0; src.len() + 1];
    let len = mem::convert_utf8_to_utf16(src, &mut units);
    let latin1 = mem::is_utf8_latin1(src);
    let valid = encoding_rs::Encoding::utf8_valid_up_to(src);
    on_each(|isa| {
        assert_eq!(utfkit::conversion::UTF8_TO_UTF16_LOSSY.to_vec(src).as_deref(), Ok(&units[..len]), "{isa}");
        assert_eq!(utfkit::conversion::UTF8_TO_LATIN1.to_vec(src).is_ok(), latin1, "{isa}");
        assert_eq!(utfkit::from_utf8(src).map_or_else(|e| e.offset(), str::len), valid, "{isa}");
    });
}

/// Compares the counts of `recognize` with the reference.
fn recognizes(src: &[u8], pieces: &[Piece]) {
    let found = utfkit::recognize(src);
    let sequences = pieces.iter().filter(|piece| piece.value().is_some_and(|value| value > 0x7F)).count();
    let errors = pieces.iter().filter(|piece| piece.error().is_some_and(|error| !error.open)).count();
    assert_eq!((found.sequences(), found.errors()), (sequences, errors), "{src:02X?}");
    assert_eq!(found.ascii(), src.iter().filter(|byte| byte.is_ascii()).count(), "{src:02X?}");
    assert_eq!(found.nulls(), src.iter().filter(|byte| **byte == 0).count(), "{src:02X?}");
    let whole = std::str::from_utf8(src).err().is_none_or(|e| e.error_len().is_none());
    assert_eq!(found.errors() == 0, whole, "{src:02X?}");
    assert_eq!(found.verdict() == Verdict::Ascii, src.is_ascii(), "{src:02X?}");
    assert_eq!(found.has_bom(), src.starts_with("\u{FEFF}".as_bytes()), "{src:02X?}");
}

/// Boundaries are the offsets of pieces and the end.
fn finds_boundaries(src: &[u8], pieces: &[Piece]) {
    let mut starts: Vec<usize> = pieces.iter().map(|piece| piece.offset).collect();
    starts.push(src.len());
    let (mut before, mut after) = (0, 0);
    for at in 0..=src.len() {
        while after < starts.len() && starts[after] <= at {
            after += 1;
        }
        while before + 1 < starts.len() && starts[before + 1] < at {
            before += 1;
        }
        let previous = if starts[before] < at { starts[before] } else { 0 };
        assert_eq!(utfkit::is_boundary(src, at), starts.binary_search(&at).is_ok(), "{at} in {src:02X?}");
        assert_eq!(
            utfkit::next_boundary(src, at),
            starts.get(after).copied().unwrap_or(src.len()),
            "{at} in {src:02X?}"
        );
        assert_eq!(utfkit::previous_boundary(src, at), previous, "{at} in {src:02X?}");
        let begins = |byte: u8| matches!(byte, 0x00..=0x7F | 0xC2..=0xF4);
        let next = (at..src.len()).find(|&at| begins(src[at])).unwrap_or(src.len());
        assert_eq!(utfkit::resynchronize(src, at), next, "{at} in {src:02X?}");
    }
}
