//! Well-formed text, made to a recipe.

use crate::random::Random;

/// The code points that are as long in UTF-8; of those of two bytes, the ones
/// that ISO-8859-1 has are a class of their own.
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
    /// A code point of the class; one in eight is at an edge of it, where
    /// carries and comparisons go wrong first.
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
            // What real text has of them: CJK, punctuation, Hangul.
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

/// A recipe for text.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    /// Its name, for failure messages.
    pub name: &'static str,
    /// How often each of [`CLASSES`] comes.
    pub weights: [usize; 5],
    /// How many code points of one class follow each other on average.
    pub run: usize,
}

/// The recipes that the tests go through.
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

    /// Text of `count` code points.
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

/// Exactly `len` bytes of UTF-8: code points of `class`, or of all classes in
/// turn without one, with ASCII before them to make up the length.
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

/// The greatest boundary between characters of `text` up to `at`.
pub fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
