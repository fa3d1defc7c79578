//! Exhaustive: every scalar value, every string of up to three bytes, every boundary case of
//! four.

use std::fmt::Arguments;

use crate::common::check::{self, Exact};
use crate::common::conversions::{Conversion, Unit, Visitor, from_all_forms};
use crate::common::every_isa::for_each_isa;
use crate::common::shards::{in_shards, in_share};
use utfkit::Standard;
use utfkit::isa::Isa;
use utfkit_testkit::hex::show;
use utfkit_testkit::patterns::BOUNDARY_BYTES;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::text::boundary;
use utfkit_testkit::utf8;

/// All scalar values in order.
fn scalar_values() -> Vec<char> {
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    assert_eq!(all.len(), 1_112_064);
    all
}

#[test]
fn every_scalar_value_alone() {
    let all = scalar_values();
    for_each_isa(|isa| {
        in_shards(all.len(), |range| {
            for &c in &all[range] {
                let mut exact = Exact { isa, context: format_args!("{c:?} alone") };
                from_all_forms(c.encode_utf8(&mut [0; 4]), &mut exact);
            }
        });
    });
}

#[test]
fn every_scalar_value_among_its_neighbours() {
    let all = scalar_values();
    for_each_isa(|isa| {
        // 257 is odd, so that the values move within a vector from one text to the next.
        in_shards(all.len().div_ceil(257), |range| {
            for i in range {
                let values = &all[i * 257..all.len().min((i + 1) * 257)];
                let text: String = values.iter().collect();
                check::text(isa, format_args!("the values from {:?}", values[0]), &text);
            }
        });
    });
}

#[test]
fn every_scalar_value_amid_ascii() {
    let all = scalar_values();
    for_each_isa(|isa| {
        in_shards(all.len().div_ceil(61), |range| {
            for i in range {
                let values = &all[i * 61..all.len().min((i + 1) * 61)];
                // 0 to 3 letters between two values.
                let text: String =
                    values.iter().enumerate().flat_map(|(n, &c)| "abc"[..(n + i) % 4].chars().chain([c])).collect();
                check::text(isa, format_args!("the values from {:?} amid ASCII", values[0]), &text);
            }
        });
    });
}

#[test]
fn every_string_of_up_to_two_bytes() {
    for_each_isa(|isa| {
        check::utf8(isa, format_args!("empty"), &[]);
        check::latin1(isa, format_args!("empty"), &[]);
        for a in in_share(0..=255) {
            check::utf8(isa, format_args!("one byte"), &[a]);
            check::latin1(isa, format_args!("one byte"), &[a]);
            for b in 0..=255 {
                check::utf8(isa, format_args!("two bytes"), &[a, b]);
                check::latin1(isa, format_args!("two bytes"), &[a, b]);
            }
        }
    });
}

#[test]
fn every_string_of_three_bytes() {
    for_each_isa(|isa| {
        in_shards(1 << 24, |range| {
            let mut lean = Lean::default();
            for n in range {
                let [_, src @ ..] = (n as u32).to_be_bytes();
                // After US-ASCII the rest is a string of two bytes, so three of its characters
                // suffice.
                if src[0] >= 0x80 || matches!(src[0], 0x00 | 0x41 | 0x7F) {
                    lean.check(isa, &src);
                }
            }
        });
    });
}

/// The checks of [`check::utf8`] for millions of short strings: without allocations, and with
/// one expected result for all conversions.
#[derive(Default)]
struct Lean {
    pieces: Vec<Piece>,
    utf8: Vec<u8>,
    utf16: Vec<u16>,
}

impl Lean {
    fn check(&mut self, isa: Isa, src: &[u8]) {
        utf8::pieces_into(src, &utf8::RFC_3629, &mut self.pieces);
        let same = |got: Option<utfkit::Error>, piece: Option<&Piece>| match (got, piece) {
            (None, None) => true,
            (Some(e), Some(p)) => (e.offset(), e.len(), e.error_len()) == (p.offset, p.len, p.error_len()),
            _ => false,
        };
        let fail = |name: &str, got: Arguments<'_>| -> ! {
            panic!("{isa} {name}\n got      {got}\n expected {:?}\n source   {}", self.pieces, show(src, 0))
        };

        let mut errors = self.pieces.iter().filter(|p| p.error().is_some());
        let error = errors.clone().next();
        let got = utfkit::validate(src, Standard::Rfc3629).err();
        if !same(got, error) {
            fail("validate", format_args!("{got:?}"));
        }
        if error.is_some() {
            for got in utfkit::errors(src, Standard::Rfc3629) {
                if !same(Some(got), errors.next()) {
                    fail("errors", format_args!("{got:?}"));
                }
            }
            if errors.next().is_some() {
                fail("errors", format_args!("fewer"));
            }
        }

        self.utf8.clear();
        self.utf16.clear();
        for value in self.pieces.iter().map(|p| p.value().unwrap_or(0xFFFD)) {
            utf8::encode(value, &mut self.utf8);
            utfkit_testkit::utf16::encode(value, &mut self.utf16);
        }
        let (mut to8, mut to16, mut to32) = ([0xA5; 16], [0xA5A5; 16], [0xA5A5_A5A5; 16]);

        let exact = &mut to8[..self.utf8.len()];
        if utfkit::utf8_to_utf8_lossy(src, exact) != Ok(self.utf8.len()) || exact != self.utf8 {
            fail("utf8_to_utf8_lossy", format_args!("{exact:02X?}"));
        }
        let exact = &mut to16[..self.utf16.len()];
        if utfkit::utf8_to_utf16_lossy(src, exact) != Ok(self.utf16.len()) || exact != self.utf16 {
            fail("utf8_to_utf16_lossy", format_args!("{exact:04X?}"));
        }
        // Three bytes hold no surrogate pair: a character is one unit, in UTF-16 as in UTF-32.
        let prefix = self.pieces.iter().take_while(|p| p.value().is_some()).count();
        let values = || self.pieces[..prefix].iter().filter_map(Piece::value);
        let ends_right = |got: Result<usize, utfkit::Error>, written: usize| match got {
            Ok(n) => error.is_none() && n == written,
            Err(e) => same(Some(e), error) && e.written() == written,
        };

        let exact = &mut to16[..prefix];
        let got = utfkit::utf8_to_utf16(src, exact);
        if !ends_right(got, prefix) || !exact.iter().map(|&u| u32::from(u)).eq(values()) {
            fail("utf8_to_utf16", format_args!("{got:?} {exact:04X?}"));
        }
        let exact = &mut to32[..prefix];
        let got = utfkit::utf8_to_utf32(src, exact);
        if !ends_right(got, prefix) || !exact.iter().copied().eq(values()) {
            fail("utf8_to_utf32", format_args!("{got:?} {exact:04X?}"));
        }
        let narrow = values().take_while(|&v| v <= 0xFF).count();
        let exact = &mut to8[..narrow];
        let got = utfkit::utf8_to_latin1(src, exact);
        let right = match self.pieces.get(narrow) {
            Some(wide) if wide.value().is_some() => got.is_err_and(|e| {
                (e.kind(), e.offset(), e.len(), e.written())
                    == (utfkit::ErrorKind::Unrepresentable, wide.offset, wide.len, narrow)
            }),
            _ => ends_right(got, narrow),
        };
        if !right || !exact.iter().map(|&b| u32::from(b)).eq(values().take(narrow)) {
            fail("utf8_to_latin1", format_args!("{got:?} {exact:02X?}"));
        }
    }
}

#[test]
fn every_string_of_three_bytes_within_a_text() {
    for_each_isa(|isa| {
        in_shards(1 << 24, |range| {
            let mut text = [b'.'; 160];
            for n in range {
                let [_, src @ ..] = (n as u32).to_be_bytes();
                // The offset varies from 0 to 130.
                let at = n * 7 % 131;
                text[at..at + 3].copy_from_slice(&src);
                let got = utfkit::from_utf8(&text).map_err(|e| (e.valid_up_to(), e.error_len()));
                let expected = std::str::from_utf8(&text).map_err(|e| (e.valid_up_to(), e.error_len()));
                assert!(
                    got == expected,
                    "{isa} from_utf8\n got      {got:?}\n expected {expected:?}\n source   {}",
                    show(&text, at)
                );
                text[at..at + 3].fill(b'.');
            }
        });
    });
}

/// All strings of four bytes over the bytes at which a rule changes.
fn boundary_fours(range: std::ops::Range<usize>, mut test: impl FnMut(usize, [u8; 4])) {
    let n = BOUNDARY_BYTES.len();
    for i in range {
        test(i, [i / (n * n * n), i / (n * n) % n, i / n % n, i % n].map(|at| BOUNDARY_BYTES[at]));
    }
}

#[test]
fn every_boundary_string_of_four_bytes() {
    for_each_isa(|isa| {
        in_shards(BOUNDARY_BYTES.len().pow(4), |range| {
            boundary_fours(range, |_, src| check::utf8(isa, format_args!("four bytes"), &src));
        });
    });
}

#[test]
fn every_boundary_string_of_four_bytes_within_a_text() {
    for_each_isa(|isa| {
        in_shards(BOUNDARY_BYTES.len().pow(4), |range| {
            let ascii = "ASCII of some length, to fill a vector of sixty-four bytes, and so on.";
            let cyrillic = "двухбайтные знаки заполняют вектор так же хорошо, как и всё другое";
            boundary_fours(range, |i, src| {
                // Around the ends of vectors of 16, 32 and 64 bytes.
                let end = [16, 32, 64][i % 3];
                let filler = [ascii, cyrillic][i / 3 % 2];
                let before = boundary(filler, end - i / 6 % 5);
                let after = boundary(cyrillic, i % 37);
                let text = [&filler.as_bytes()[..before], &src, &cyrillic.as_bytes()[..after]].concat();
                let context = format_args!("{src:02X?} at {before}");
                if i / 30 % 2 == 0 {
                    check::utf8(isa, context, &text);
                } else {
                    check::reads_utf8(isa, context, &text);
                }
            });
        });
    });
}

#[test]
fn every_utf16_unit_and_every_boundary_string_of_four() {
    const EDGES: [u16; 14] =
        [0x00, 0x41, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
    for_each_isa(|isa| {
        for unit in in_share(0..=0xFFFF) {
            check::utf16(isa, format_args!("one unit"), &[unit]);
        }
        for a in EDGES {
            for b in EDGES {
                for c in EDGES {
                    for d in EDGES {
                        check::utf16(isa, format_args!("four units"), &[a, b, c, d]);
                    }
                }
            }
        }
    });
}

#[test]
fn every_boundary_value_of_utf32() {
    const EDGES: [u32; 22] = [
        0,
        0x7F,
        0x80,
        0xFF,
        0x100,
        0x7FF,
        0x800,
        0xD7FF,
        0xD800,
        0xDBFF,
        0xDC00,
        0xDFFF,
        0xE000,
        0xFFFF,
        0x1_0000,
        0x10_FFFF,
        0x11_0000,
        0x1F_FFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0041,
        0xFFFF_FFFF,
    ];
    for_each_isa(|isa| {
        for a in EDGES {
            for b in EDGES {
                for c in EDGES {
                    check::utf32(isa, format_args!("three units"), &[a, b, c]);
                }
            }
        }
    });
}

/// All 2³² strings of four bytes, each inside a text. Takes minutes: `cargo test --release -p
/// utfkit --test suite four_bytes_within_a_text -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn every_string_of_four_bytes_within_a_text() {
    for_each_isa(|isa| {
        in_shards(1 << 16, |range| {
            let mut text = [b'.'; 80];
            for high in range {
                for low in 0..1 << 16 {
                    let src = ((high << 16 | low) as u32).to_be_bytes();
                    let at = low % 77;
                    text[at..at + 4].copy_from_slice(&src);
                    let got = utfkit::from_utf8(&text).map_err(|e| (e.valid_up_to(), e.error_len()));
                    let expected = std::str::from_utf8(&text).map_err(|e| (e.valid_up_to(), e.error_len()));
                    assert!(got == expected, "{isa} {src:02X?} at {at}\n got {got:?}\n expected {expected:?}");
                    text[at..at + 4].fill(b'.');
                }
            }
        });
    });
}

/// Counts the conversions that it visits.
struct Counter(usize);

impl Visitor for Counter {
    fn visit<S: Unit, D: Unit>(&mut self, _: &Conversion<S, D>, _: &[S], _: &[Piece]) {
        self.0 += 1;
    }
}

#[test]
fn the_table_has_every_conversion() {
    let mut counter = Counter(0);
    from_all_forms("", &mut counter);
    assert_eq!(counter.0, 15, "twelve conversions and three lossy ones");
}
