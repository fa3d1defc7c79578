//! How strange a text is, in the language in which it costs least.

use alloc::vec::Vec;

use super::meter::{Cost, Reading, Text, Wides, elsewhere, in_language};
use super::model::{LATIN, THE_MODEL};
use super::token::{BIT, Token};
use super::walk::{Take, Word, walk};
use super::{Likelihood, list};

/// What a word costs, and what usual ones of its length do.
type OfWord<'a> = &'a dyn Fn(u8, &[Token]) -> (u32, u32);

/// What is strange about words.
#[derive(Default)]
struct Strangeness {
    /// Those with letters that are not US-ASCII, and their letters.
    fresh: i64,
    letters: i64,
    /// Those in US-ASCII alone, which are in every reading the same.
    plain: i64,
    plain_letters: i64,
}

impl Strangeness {
    /// Names and rare words are strange in any reading.
    fn of_latin(&self) -> i64 {
        if self.plain_letters == 0 {
            return self.fresh;
        }
        let usual = self.plain * self.letters / self.plain_letters;
        self.fresh - usual.clamp(0, self.letters * i64::from(3 * BIT))
    }
}

/// Looks at all of a text.
struct Look<'a> {
    of_word: OfWord<'a>,
    times: u64,
    known: Known,
    wides: Wides,
    letters: u64,
    fresh: u64,
    words: Strangeness,
    /// Of signs and capitals.
    signs: i64,
    count: u64,
}

impl Take<'_> for Look<'_> {
    fn word(&mut self, word: &Word<'_>) {
        self.count += self.times;
        self.letters += u64::from(word.above) * self.times;
        let len = i64::from(word.len());
        if word.above == 0 {
            let (cost, usual) = (self.of_word)(word.script, word.letters);
            self.words.plain += (i64::from(cost) - i64::from(usual)) * self.times.cast_signed();
            self.words.plain_letters += len * self.times.cast_signed();
            return;
        }
        // FNV-1a.
        let hash = word.letters.iter().fold(u64::from(word.script), |hash, letter| {
            (hash ^ u64::from(letter.number())).wrapping_mul(0x0100_0000_01B3)
        });
        if self.known.insert(hash) {
            let (cost, usual) = (self.of_word)(word.script, word.letters);
            self.fresh += u64::from(word.above);
            self.words.fresh += i64::from(cost) - i64::from(usual);
            self.words.letters += len;
            if word.case > 5 * BIT {
                self.signs += i64::from(word.case);
            }
        }
    }

    fn wide(&mut self, code: u16, begins: bool) {
        (self.letters, self.fresh) = (self.letters + self.times, self.fresh + self.times);
        self.wides.add(code, begins, self.times);
    }

    fn sign(&mut self, _: u32, is_fresh: bool, strange: i64) {
        self.fresh += if is_fresh { self.times } else { 0 };
        self.signs += strange * self.times.cast_signed();
    }

    fn common(&mut self, _: u32) {}
}

/// The hashes of words.
#[derive(Default)]
struct Known {
    /// At the place that the hash names, or at the next one that was free; 0 is free.
    places: Vec<u64>,
    count: usize,
}

impl Known {
    /// Whether a hash is new.
    fn insert(&mut self, hash: u64) -> bool {
        if 2 * self.count >= self.places.len() {
            let before = core::mem::take(&mut self.places);
            self.places.resize((2 * before.len()).max(64), 0);
            before.into_iter().filter(|hash| *hash != 0).for_each(|hash| _ = self.put(hash));
        }
        let is_new = self.put(hash.max(1));
        self.count += usize::from(is_new);
        is_new
    }

    fn put(&mut self, hash: u64) -> bool {
        let last = self.places.len() - 1;
        let mut at = (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & last;
        while self.places[at] != 0 {
            if self.places[at] == hash {
                return false;
            }
            at = (at + 1) & last;
        }
        self.places[at] = hash;
        true
    }
}

impl<'a> Text<'a> {
    fn look(&self, of_word: OfWord<'a>) -> Look<'a> {
        let mut look = Look {
            of_word,
            times: 1,
            known: Known::default(),
            wides: Wides::default(),
            letters: 0,
            fresh: 0,
            words: Strangeness::default(),
            signs: self.plain.strange,
            count: self.plain.count,
        };
        for (tokens, before, times) in self.pieces.each() {
            look.times = times;
            walk(tokens, before, &mut look);
        }
        look
    }

    /// All that is known of a text that costs so much.
    pub(crate) fn likelihood(&self, cost: Cost) -> Likelihood {
        let of_word = |script: u8, letters: &[Token]| {
            let len = u32::try_from(letters.len()).unwrap_or(u32::MAX);
            let (elsewhere, english) = elsewhere(script, letters);
            match cost.reading {
                Reading::None | Reading::Wide => (elsewhere, 4 * BIT * len),
                Reading::Language { number, is_reversed } => {
                    let language = &THE_MODEL.languages[usize::from(number)];
                    let cost = if is_reversed && language.script == script {
                        language.word(letters.iter().rev(), elsewhere)
                    } else {
                        in_language(number, script, letters, elsewhere, english)
                    };
                    (cost, language.fit * len)
                }
            }
        };
        let mut look = self.look(&of_word);
        let (wide, foreign) = if look.wides.is_none() { (0, 0) } else { (look.wides.least().1, look.wides.foreign()) };
        let strange = match cost.reading {
            Reading::None => 0,
            Reading::Wide => look.words.fresh + wide + look.wides.few(look.count).cast_signed(),
            Reading::Language { number, .. } => {
                let language = &THE_MODEL.languages[usize::from(number)];
                let words = if language.script == LATIN {
                    look.words.plain += self.plain.in_language(number).cast_signed()
                        - (u64::from(language.fit) * self.plain.letters).cast_signed();
                    look.words.plain_letters += self.plain.letters.cast_signed();
                    look.words.of_latin()
                } else {
                    look.words.fresh
                };
                words + wide + foreign.cast_signed()
            }
        };
        #[cfg(test)]
        let language = match cost.reading {
            Reading::None => None,
            Reading::Wide => Some(look.wides.language()),
            Reading::Language { number, .. } => Some(THE_MODEL.languages[usize::from(number)].name),
        };
        Likelihood {
            cost: cost.cost,
            letters: look.letters,
            fresh: look.fresh,
            strange: strange + look.signs,
            #[cfg(test)]
            language,
            script: cost.script(),
        }
    }

    /// The same where each word may be of another language. `cost` is what the text
    /// costs in one.
    pub(crate) fn likelihood_by_word(&self, of: u64, cost: Cost, words: &list::Words) -> Likelihood {
        let of_word = |script: u8, letters: &[Token]| words.of(script, letters);
        let mut look = self.look(&of_word);
        look.words.plain += self.plain.by_word(of_word).1;
        look.words.plain_letters += self.plain.letters.cast_signed();
        let (wide, foreign) = (look.wides.least().1, look.wides.foreign());
        Likelihood {
            cost: of,
            letters: look.letters,
            fresh: look.fresh,
            strange: look.words.of_latin() + wide + foreign.cast_signed() + look.signs,
            #[cfg(test)]
            language: None,
            script: cost.script(),
        }
    }
}
