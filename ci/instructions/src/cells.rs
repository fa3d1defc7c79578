//! The measured cells: every operation on every text.

use std::hint::black_box;

use utfkit::Standard;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::Mixture;

/// The texts, by the most common length of characters in UTF-8. All are
/// generated, identically on every machine.
pub(crate) const TEXTS: [Mixture; 4] = [
    Mixture { name: "ascii", weights: [1, 0, 0, 0, 0], run: 1 },
    Mixture { name: "two", weights: [1, 0, 6, 0, 0], run: 1 },
    Mixture { name: "three", weights: [1, 0, 0, 12, 0], run: 1 },
    Mixture { name: "four", weights: [4, 0, 2, 2, 1], run: 3 },
];

/// Approximate size of a text in bytes: many blocks, but within the L1 cache.
const SIZE: usize = 16 << 10;

/// An operation on a text: its name, the size of its source in bytes, and the
/// call.
pub(crate) struct Cell {
    pub(crate) operation: &'static str,
    pub(crate) text: &'static str,
    pub(crate) bytes: usize,
    pub(crate) call: Box<dyn FnMut()>,
}

/// A text in every form, with buffers for results.
struct Forms {
    name: &'static str,
    utf8: Vec<u8>,
    utf16: Vec<u16>,
    utf32: Vec<u32>,
    /// The text with a letter of ISO-8859-1 in place of each character that it
    /// lacks.
    latin1: Vec<u8>,
    latin1_utf8: Vec<u8>,
    /// UTF-8 with one non-ASCII byte in a hundred.
    damaged: Vec<u8>,
}

impl Forms {
    fn new(mixture: &Mixture) -> Forms {
        let mut random = Random::new(1);
        let mut text = String::new();
        while text.len() < SIZE {
            text.push_str(&mixture.text(&mut random, 64));
        }
        let latin1: Vec<u8> = text.chars().map(|c| if c < '\u{80}' { c as u8 } else { 0xC0 | c as u8 }).collect();
        let mut damaged = text.clone().into_bytes();
        for byte in &mut damaged {
            if random.one_in(100) {
                *byte = 0x80 + random.below(0x80) as u8;
            }
        }
        Forms {
            name: mixture.name,
            utf16: text.encode_utf16().collect(),
            utf32: text.chars().map(u32::from).collect(),
            latin1_utf8: latin1.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes(),
            latin1,
            damaged,
            utf8: text.into_bytes(),
        }
    }

    fn cell<S: 'static>(&self, operation: &'static str, src: Vec<S>, call: impl Fn(&[S]) -> bool + 'static) -> Cell {
        let bytes = size_of_val(src.as_slice());
        let call = move || assert!(black_box(call(black_box(&src))), "{operation} takes the text for ill-formed");
        Cell { operation, text: self.name, bytes, call: Box::new(call) }
    }

    fn conversion<S: Clone + 'static, D: Copy + Default + 'static>(
        &self,
        operation: &'static str,
        src: &[S],
        convert: fn(&[S], &mut [D]) -> Result<usize, utfkit::Error>,
    ) -> Cell {
        let mut dst = vec![D::default(); 4 * src.len()];
        let src = src.to_vec();
        let bytes = size_of_val(src.as_slice());
        let call = move || {
            let done = convert(black_box(&src), black_box(&mut dst));
            assert!(done.is_ok(), "{operation} takes the text for ill-formed");
        };
        Cell { operation, text: self.name, bytes, call: Box::new(call) }
    }
}

/// All cells, grouped by operation.
pub(crate) fn cells() -> Vec<Cell> {
    let texts = TEXTS.each_ref().map(Forms::new);
    let operations: [fn(&Forms) -> Cell; 14] = [
        |t| t.cell("validate", t.utf8.clone(), |src| utfkit::validate(src, Standard::Rfc3629).is_ok()),
        |t| t.cell("validate-16", t.utf16.clone(), |src| utfkit::validate_utf16(src).is_ok()),
        |t| t.conversion("8-16", &t.utf8, utfkit::utf8_to_utf16),
        |t| t.conversion("16-8", &t.utf16, utfkit::utf16_to_utf8),
        |t| t.conversion("8-32", &t.utf8, utfkit::utf8_to_utf32),
        |t| t.conversion("32-8", &t.utf32, utfkit::utf32_to_utf8),
        |t| t.conversion("16-32", &t.utf16, utfkit::utf16_to_utf32),
        |t| t.conversion("32-16", &t.utf32, utfkit::utf32_to_utf16),
        |t| t.conversion("latin1-8", &t.latin1, utfkit::latin1_to_utf8),
        |t| t.conversion("8-latin1", &t.latin1_utf8, utfkit::utf8_to_latin1),
        |t| t.conversion("lossy-8-16/100", &t.damaged, utfkit::utf8_to_utf16_lossy),
        |t| t.conversion("lossy-8-8/100", &t.damaged, utfkit::utf8_to_utf8_lossy),
        |t| t.cell("count", t.utf8.clone(), |src| utfkit::count_code_points(src) > 0),
        |t| t.cell("length-8-16", t.utf8.clone(), |src| utfkit::utf16_len_from_utf8(src) > 0),
    ];
    operations.iter().flat_map(|operation| texts.iter().map(operation)).collect()
}
