//! Random well-formed text.

use crate::random::Random;

/// Code points by length in UTF-8. Two-byte code points in ISO-8859-1 have a
/// class of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// U+0000–U+007F.
    Ascii,
    /// U+0080–U+00FF.
    Latin1,
    /// U+0080–U+07FF.
    Two,
    /// U+0800–U+FFFF without the surrogates.
    Three,
    /// U+10000–U+10FFFF.
    Four,
}

/// Every class.
pub const CLASSES: [Class; 5] = [Class::Ascii, Class::Latin1, Class::Two, Class::Three, Class::Four];

impl Class {
    /// A random code point of the class. One in eight is at an edge, where
    /// carries and comparisons are most likely wrong.
    pub fn sample(self, random: &mut Random) -> char {
        let edge = random.one_in(8);
        let value = match self {
            Class::Ascii if edge => *random.pick(&[0x00, 0x0A, 0x20, 0x7F]),
            Class::Ascii => random.between(0x20, 0x7E),
            Class::Latin1 if edge => *random.pick(&[0x80, 0xA0, 0xBF, 0xC0, 0xFF]),
            Class::Latin1 => random.between(0x80, 0xFF),
            Class::Two if edge => *random.pick(&[0x80, 0xBF, 0xC0, 0xFF, 0x100, 0x13F, 0x7C0, 0x7FF]),
            Class::Two => random.between(0x80, 0x7FF),
            Class::Three if edge => {
                *random.pick(&[0x800, 0x83F, 0xFFF, 0x1000, 0xCFFF, 0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF])
            }
            // Includes ranges of real text: CJK, punctuation, Hangul.
            Class::Three => match random.below(4) {
                0 => random.between(0x800, 0xD7FF),
                1 => random.between(0x2000, 0x20CF),
                2 => random.between(0xE000, 0xFFFF),
                _ => random.between(0x4E00, 0x9FFF),
            },
            Class::Four if edge => {
                *random.pick(&[0x1_0000, 0x1_003F, 0x1_FFFF, 0x3_FFFF, 0x4_0000, 0xF_FFFF, 0x10_0000, 0x10_FFFF])
            }
            Class::Four => match random.below(2) {
                0 => random.between(0x1_0000, 0x10_FFFF),
                _ => random.between(0x1_F300, 0x1_FAFF),
            },
        };
        char::from_u32(value).expect("the ranges hold scalar values only")
    }
}

/// Parameters of random text.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    /// The name, for failure messages.
    pub name: &'static str,
    /// Relative frequency of each of [`CLASSES`].
    pub weights: [usize; 5],
    /// Average number of consecutive code points of one class.
    pub run: usize,
}

/// The mixtures used by tests.
pub const MIXTURES: [Mixture; 12] = [
    Mixture { name: "ASCII", weights: [1, 0, 0, 0, 0], run: 1 },
    Mixture { name: "Latin-1", weights: [0, 1, 0, 0, 0], run: 1 },
    Mixture { name: "two bytes", weights: [0, 0, 1, 0, 0], run: 1 },
    Mixture { name: "three bytes", weights: [0, 0, 0, 1, 0], run: 1 },
    Mixture { name: "four bytes", weights: [0, 0, 0, 0, 1], run: 1 },
    Mixture { name: "French", weights: [20, 2, 0, 1, 0], run: 1 },
    Mixture { name: "Cyrillic", weights: [1, 0, 6, 0, 0], run: 3 },
    Mixture { name: "Chinese among ASCII", weights: [1, 0, 0, 2, 0], run: 12 },
    Mixture { name: "emoji among ASCII", weights: [8, 0, 0, 0, 1], run: 4 },
    Mixture { name: "up to U+FFFF", weights: [1, 1, 1, 1, 0], run: 1 },
    Mixture { name: "everything", weights: [1, 1, 1, 1, 1], run: 1 },
    Mixture { name: "everything in runs", weights: [1, 1, 1, 1, 1], run: 25 },
];

impl Mixture {
    fn class(&self, random: &mut Random) -> Class {
        let mut at = random.below(self.weights.iter().sum());
        for (class, &weight) in CLASSES.iter().zip(&self.weights) {
            if at < weight {
                return *class;
            }
            at -= weight;
        }
        unreachable!("`at` is below the sum of the weights")
    }

    /// Generates `count` code points.
    pub fn text(&self, random: &mut Random, count: usize) -> String {
        let mut class = self.class(random);
        (0..count)
            .map(|_| {
                if random.one_in(self.run) {
                    class = self.class(random);
                }
                class.sample(random)
            })
            .collect()
    }
}

/// Generates exactly `len` bytes of UTF-8: code points of `class`, or of all
/// classes in turn, after ASCII padding.
pub fn filler(class: Option<Class>, len: usize, random: &mut Random) -> String {
    let mut body = String::new();
    let mut turn = 0;
    loop {
        let c = class.unwrap_or(CLASSES[turn % CLASSES.len()]).sample(random);
        if body.len() + c.len_utf8() > len {
            break;
        }
        body.push(c);
        turn += 1;
    }
    let mut all: String = (0..len - body.len()).map(|_| Class::Ascii.sample(random)).collect();
    all.push_str(&body);
    all
}

/// The last character boundary of `text` up to `at`.
pub fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
