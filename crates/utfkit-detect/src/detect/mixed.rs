//! UTF-8 with text in another encoding: which one, and how sure that is.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::certainty::Certainty;
use super::legacy::{CLOSE, Guess, Guessable, LegacyText, is_text, prior, undeclared_penalty};
use super::legacy::{guessable, is_ebcdic, own_script};
use super::lines::{CHANCE, Lines};
use super::odd_words::{has_broken_words, odd_words};
use super::options::Options;
use super::pool::{bytes_beyond_ascii, text, text_of, words_beyond_ascii, words_of};
use super::thin::is_thin;
use crate::line::{LONGEST, Words, character, decoded, is_single_byte};
use crate::model::{BIT, Evaluation, score_of};
use utfkit_core::internal::utf8::is_continuation;
use utfkit_core::{Encoding, from_utf8};

/// The bytes of lines in the other encoding that are scored to tell two readings apart.
const SCORED: usize = 2 * LONGEST;

/// Up to this many bytes, the language of the lines in UTF-8 is evidence.
const SHORT: usize = 1024;
/// The characters of those lines that are scored.
const NEIGHBOURS: usize = 600;
/// The penalty of another language than that of the neighbours.
const OTHER_LANGUAGE: u64 = 10 * BIT as u64;
/// The penalty of a character that the lines in UTF-8 do not have.
const NEW_CHARACTER: u64 = 4 * BIT as u64;
/// The gain of a word that they have too.
const KNOWN_WORD: u64 = 10 * BIT as u64;
/// The penalty of a cut character.
const CUT: u64 = 24 * BIT as u64;

/// By how many bits a word of UTF-8 is likelier in another encoding if it is one by chance.
const LIKELIER: i64 = 6;

/// A reading this far behind the best one is no rival.
const FAR: u64 = 64 * BIT as u64;

/// The lines in which bytes may be lost.
const FEW: u64 = 2;

/// The least gain, in bits, of text as UTF-8 over another encoding. The same text in UTF-8 and
/// in another encoding is far more than that apart.
const MIN_GAIN: i64 = 20;

/// The encoding of the lines that are not UTF-8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foreign {
    pub(super) encoding: Encoding,
    pub(super) certainty: Certainty,
    /// The certainty if all lines are in one encoding.
    pub(super) of_all: Certainty,
}

impl Foreign {
    pub(super) fn new(encoding: Encoding, certainty: Certainty) -> Foreign {
        Foreign { encoding, certainty, of_all: certainty }
    }
}

/// The lines that are not UTF-8, all of them together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// Their likeliest encoding.
    pub(super) foreign: Option<Foreign>,
    /// The one in which they are the nearest to text, even if they are none in it.
    pub(super) nearest: Option<Encoding>,
}

pub(super) fn rest(lines: &Lines, declared: Option<Encoding>, options: &Options) -> Rest {
    let guesses = guesses(lines, declared, options);
    let found = likeliest(lines, &guesses, declared, options);
    let nearest = guesses.first().map(|guess| guess.encoding);
    Rest { foreign: found.map(|found| unless_odd(lines, found, declared)), nearest }
}

/// A guess if the lines are odd in the encoding.
fn unless_odd(lines: &Lines, found: Foreign, declared: Option<Encoding>) -> Foreign {
    if are_damaged(lines, found.encoding) {
        return Foreign::new(found.encoding, Certainty::Guess);
    }
    let is_open = found.certainty == Certainty::Likely
        && declared != Some(found.encoding)
        && (are_odd(lines, found.encoding)
            || has_broken_words(&lines.blanked, found.encoding)
            || has_other_commas(lines, found.encoding)
            || has_known_character(lines, found.encoding)
            || is_thin(lines, found.encoding));
    if is_open { Foreign { certainty: Certainty::Guess, ..found } } else { found }
}

/// True if most of the words that are not UTF-8 is, in a multibyte encoding: a byte of them was lost. By chance, less
/// than a third is.
fn are_damaged(lines: &Lines, encoding: Encoding) -> bool {
    let (mut sequences, mut errors) = (0, 0);
    for chunk in lines.blanked.utf8_chunks() {
        sequences += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
    }
    !is_single_byte(encoding) && sequences >= 2 * errors
}

/// True if a third of the words that are not UTF-8 would have a sign next to a letter, where few texts have one.
fn are_odd(lines: &Lines, encoding: Encoding) -> bool {
    let odd = odd_words(&lines.blanked, encoding, None).len();
    let words = || lines.blanked.split(u8::is_ascii_whitespace).filter(|word| !word.is_ascii()).count();
    odd > 0 && 3 * odd >= words()
}

/// True if the text in UTF-8 has the letters of Romanian with a comma below, and the rest would have them with a
/// cedilla: ISO-8859-16 has the former where windows-1250 has the latter.
fn has_other_commas(lines: &Lines, encoding: Encoding) -> bool {
    let is_comma = |c: char| matches!(c, 'Ș'..='ț');
    let is_cedilla = |c: char| matches!(c, 'Ş' | 'ş' | 'Ţ' | 'ţ');
    let mut known = lines.utf8.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    known.any(is_comma) && text(&lines.foreign, encoding).is_some_and(|text| text.into_iter().any(is_cedilla))
}

/// True if a word that is not UTF-8 has a character of three bytes that the text in UTF-8 has, too: the words of some
/// scripts have no space between them.
fn has_known_character(lines: &Lines, encoding: Encoding) -> bool {
    let known = lines.utf8.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|c| *c >= '\u{800}');
    let mut inner = lines.blanked.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|c| *c >= '\u{800}');
    is_single_byte(encoding) && inner.any(|c| known.clone().any(|other| c == other))
}

fn likeliest(lines: &Lines, guesses: &[Guess], declared: Option<Encoding>, options: &Options) -> Option<Foreign> {
    let guess = guesses.first()?;
    let certainty = guess.certainty();
    let alone = guess.is_text().then_some(Foreign::new(guess.encoding, certainty));
    if certainty == Certainty::NearlyCertain || lines.foreign.len() > SHORT {
        return alone;
    }
    let Some(Beside { foreign: beside, text, margin }) = with_neighbours(lines, guesses, declared, options) else {
        return alone;
    };
    let agrees = alone.is_some_and(|alone| self::text(&lines.foreign, alone.encoding) == Some(text));
    // Two verdicts that differ are less than one.
    let is_sure = if beside.certainty > Certainty::Guess {
        agrees || guess.margin < CLOSE
    } else {
        agrees && margin >= CLOSE / 2
    };
    match alone {
        _ if beside.certainty > Certainty::Guess && is_sure => Some(beside),
        Some(alone) if is_sure => Some(alone),
        _ => alone.map(|alone| Foreign::new(alone.encoding, Certainty::Guess)),
    }
}

/// The reading of a few lines as text of the same file as the lines in UTF-8.
struct Beside {
    foreign: Foreign,
    text: Vec<char>,
    /// In bits.
    margin: u64,
}

/// The lines as an encoding reads them.
struct Read {
    encoding: Encoding,
    /// Among the encodings in their order.
    place: usize,
    /// Of the bytes from 80 in them; nothing in a multibyte encoding.
    characters: String,
    text: Vec<char>,
    /// The score as more text of the file with the lines in UTF-8, and the gain of words that occur in both.
    beside: (u64, u64),
    score: u64,
}

/// A line that is read in several encodings.
struct Line<'a> {
    words: Words<'a>,
    /// Its bytes from 80.
    bytes: Vec<u8>,
    /// Its texts, by the characters of these bytes in encodings with one byte per character.
    known: Vec<(Vec<Option<char>>, Vec<char>)>,
}

impl<'a> Line<'a> {
    fn of(words: Words<'a>) -> Line<'a> {
        Line { bytes: bytes_beyond_ascii(words.line()), words, known: Vec::new() }
    }

    fn text(&mut self, encoding: Encoding) -> Cow<'_, [char]> {
        if !is_single_byte(encoding) {
            return self.words.text(encoding).text.into();
        }
        let characters: Vec<Option<char>> = self.bytes.iter().map(|byte| character(encoding, *byte)).collect();
        let at = self.known.iter().position(|(known, _)| *known == characters).unwrap_or_else(|| {
            self.known.push((characters, self.words.text(encoding).text));
            self.known.len() - 1
        });
        (&self.known[at].1[..]).into()
    }
}

/// The likeliest encoding of a few lines. The lines in UTF-8 say which language and which words to expect. Encodings
/// that are far behind without them are not tried.
fn with_neighbours(lines: &Lines, guesses: &[Guess], declared: Option<Encoding>, options: &Options) -> Option<Beside> {
    let all: Vec<char> = lines.utf8.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).collect();
    if all.is_empty() {
        return None;
    }
    let known_words = distinct_words(&all);
    let mut known = all.clone();
    known.sort_unstable();
    // Signs are in every language.
    let has_language = all.iter().any(|c| !c.is_ascii() && c.is_alphabetic());
    let neighbours = if has_language { &all[..all.len().min(NEIGHBOURS)] } else { &[] };
    let limit = u64::MAX / 4;
    let of_neighbours = score_of(neighbours, limit).unwrap_or(limit) + OTHER_LANGUAGE;
    // `None` if the penalty exceeds the gain by more than `most`.
    let beside = |text: &[char], most: u64| {
        let mut new: Vec<char> =
            text.iter().copied().filter(|c| !c.is_ascii() && known.binary_search(c).is_err()).collect();
        new.sort_unstable();
        new.dedup();
        let words = distinct_words(text).iter().filter(|word| known_words.binary_search(word).is_ok()).count() as u64;
        let (of_new, gain) = (NEW_CHARACTER * new.len() as u64, KNOWN_WORD * words);
        let most = (most + gain).checked_sub(of_new)?;
        let together: Vec<char> = neighbours.iter().chain(text).copied().collect();
        let together = score_of(&together, most);
        let most = together.unwrap_or(most);
        let apart = most.checked_sub(of_neighbours).and_then(|most| score_of(text, most));
        let penalty = apart.map(|apart| apart + of_neighbours).or(together)?;
        Some((penalty + of_new, gain))
    };
    let bytes = bytes_beyond_ascii(&lines.foreign);
    let mut foreign: Vec<Line<'_>> = words_of(&lines.foreign).into_iter().map(Line::of).collect();
    let mut read: Vec<Read> = Vec::new();
    let is_near = |encoding| guesses.iter().any(|guess| guess.has_read(encoding)) && options.allows(encoding);
    let candidates = guessable().filter(|candidate| !is_ebcdic(candidate.encoding) && is_near(candidate.encoding));
    let mut candidates: Vec<(usize, Guessable)> = candidates.enumerate().collect();
    candidates.sort_by_key(|(_, candidate)| guesses.first().map(|guess| guess.encoding) != Some(candidate.encoding));
    let mut lowest = limit;
    for (place, candidate) in candidates {
        let encoding = candidate.encoding;
        let undeclared = declared.filter(|&declared| declared != encoding).map_or(0, undeclared_penalty);
        let prior = u64::from(candidate.prior * BIT) + undeclared;
        let characters =
            if is_single_byte(encoding) { decoded(&bytes, encoding).0.into_owned() } else { String::new() };
        let is_same = |other: &&Read| !characters.is_empty() && other.characters == characters;
        let (text, beside) = match read.iter().find(is_same) {
            Some(other) => (other.text.clone(), other.beside),
            None => {
                let Some(text) = text_of(foreign.iter_mut().map(|line| line.text(encoding))) else { continue };
                let Some(beside) = (lowest + FAR).checked_sub(prior).and_then(|most| beside(&text, most)) else {
                    continue;
                };
                (text, beside)
            }
        };
        let (penalty, gain) = beside;
        let score = (penalty + prior).saturating_sub(gain);
        lowest = lowest.min(score);
        read.push(Read { characters, text, beside, encoding, place, score });
    }
    read.sort_by_key(|read| (read.score, read.place));
    let Read { score: best, encoding, text, .. } = read.first()?;
    let next = read.iter().find(|other| other.text != *text).map_or(limit, |other| other.score);
    let words: Vec<char> = words_beyond_ascii(text);
    let is_text = is_text(*encoding, &Evaluation::of(words));
    // A few letters of a rare encoding have to say more.
    let least = CLOSE.max(2 * u64::from(prior(*encoding).unwrap_or_default()) + 3);
    let margin = (next - best) / u64::from(BIT);
    let is_likely = margin >= least;
    let certainty = if is_text && is_likely { Certainty::Likely } else { Certainty::Guess };
    let encoding = *encoding;
    Some(Beside { foreign: Foreign::new(encoding, certainty), text: read.swap_remove(0).text, margin })
}

/// The words of three letters and more with one beyond US-ASCII, in order.
fn distinct_words(text: &[char]) -> Vec<&[char]> {
    let words = text.split(|c| !c.is_alphanumeric()).filter(|word| word.len() > 2 && !word.iter().all(char::is_ascii));
    let mut words: Vec<&[char]> = words.collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// True if the lines that seem to have cut characters are likelier text in `encoding`.
pub(super) fn are_foreign(lines: &Lines, encoding: Encoding) -> bool {
    let cut_lines = &lines.cut_lines[..];
    if cut_lines.is_empty() || lines.is_cut_at_end {
        return false;
    }
    if text(cut_lines, encoding).is_none() {
        return false;
    }
    let words = words_of(cut_lines);
    // A single letter is hardly a word, and no word is in two encodings.
    let (mut ends_word, mut is_cut) = (false, false);
    for chunk in cut_lines.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()) {
        if let Some(letter) = chunk.valid().chars().next_back().filter(|c| c.is_alphabetic()) {
            ends_word |= letter.is_ascii();
            // Nor does a capital follow a small letter.
            let is_capital = |byte: &u8| character(encoding, *byte).is_some_and(char::is_uppercase);
            is_cut |= !letter.is_ascii() || letter.is_lowercase() && chunk.invalid().first().is_some_and(is_capital);
        }
    }
    if is_cut || !ends_word {
        return false;
    }
    let limit = u64::MAX / 4;
    let of_line = |line: &[u8]| {
        let kept: Vec<char> = line.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).collect();
        score_of(&kept, limit).unwrap_or(limit)
    };
    let as_cut =
        cut_lines.split_inclusive(|byte| *byte == b'\n').map(of_line).fold(CUT * lines.cut, u64::saturating_add);
    total(&words, encoding) < as_cut
}

/// True if some line may be read wrong where the others are read in `encoding`: a byte that may be the beginning of
/// a character, or a character of UTF-8 that may be a different one of two bytes.
pub(super) fn has_doubtful_line(lines: &Lines, encoding: Encoding) -> bool {
    if lines.doubtful_lines > 0 {
        return true;
    }
    if is_single_byte(encoding) {
        return false;
    }
    let has_wide = lines.utf8.iter().any(|byte| *byte >= 0xE0);
    let is_letter = |c: char| !c.is_ascii() && (c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36F}'));
    let may_be_other =
        |line: &[u8]| from_utf8(line).is_ok_and(|utf8| utf8.chars().any(is_letter)) && text(line, encoding).is_some();
    has_wide && lines.narrow.split_inclusive(|byte| *byte == b'\n').any(may_be_other)
}

/// True if a file in UTF-8 that was cut within a character may end before the first byte in `encoding`, where a file in
/// that one begins: it is in a word with UTF-8, or it is no small letter of the same script after one.
pub(super) fn has_joint(lines: &Lines, encoding: Encoding) -> bool {
    let Some([before, lead]) = lines.joint else { return false };
    let is_latin = own_script(encoding).is_none();
    let is_other = |c: char| match c {
        '\u{2500}'..='\u{25FF}' => true,
        c if is_latin => c.is_uppercase() && before.is_ascii_lowercase(),
        c => c.is_alphabetic(),
    };
    let is_odd = || before.is_ascii_alphabetic() && character(encoding, lead).is_some_and(is_other);
    !before.is_ascii() || lines.is_after_utf8 || is_odd()
}

/// True if each byte that is not UTF-8 may be the rest of a character that the text has elsewhere, and of which the
/// other byte was lost, or is within a word in UTF-8.
pub(super) fn are_rests(lines: &Lines) -> bool {
    let mut chunks = lines.foreign.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        let before = chunk.valid().bytes().last().unwrap_or(b'\n');
        let next = chunks.peek().and_then(|next| next.valid().bytes().next()).unwrap_or(b'\n');
        let is_known = |rest: u8| {
            lines.utf8.windows(3).any(|known| {
                let [is_like, is_other] = [known[0], before].map(|byte| byte.is_ascii_alphabetic());
                is_like == is_other && known[1..].contains(&rest) && !known[1].is_ascii() && is_continuation(known[2])
            })
        };
        match *chunk.invalid() {
            [] => {}
            [rest] if (!before.is_ascii() && !next.is_ascii()) || is_known(rest) => {}
            _ => return false,
        }
    }
    lines.foreign_lines <= FEW
}

/// True if a line that is UTF-8 by chance is likelier in `encoding`, as the other lines are: `Jiޒ` is `Jiří` in
/// x-mac-ce.
pub(super) fn has_chance_line(lines: &Lines, encoding: Encoding) -> bool {
    let is_likelier = |word: &[u8]| gain_of(word, &[encoding]).is_some_and(|gain| gain <= -LIKELIER);
    is_single_byte(encoding) && lines.of_two_scripts.split(|byte| *byte == b'\n').any(is_likelier)
}

/// The guesses at the lines and at the words in them that are not UTF-8, the likelier first.
fn guesses(lines: &Lines, declared: Option<Encoding>, options: &Options) -> Vec<Guess> {
    let Some(whole) = of_pool(&lines.foreign, declared, options) else { return Vec::new() };
    if lines.mixed_lines == 0 {
        return alloc::vec![whole];
    }
    // Words of UTF-8 may be chance, or be foreign to the rest of their line.
    let Some(words) = of_pool(&lines.blanked, declared, options) else { return alloc::vec![whole] };
    let is_whole = if whole.encoding == words.encoding {
        (words.is_text(), words.margin) <= (whole.is_text(), whole.margin)
    } else if whole.equivalent.contains(&words.encoding) {
        prior(whole.encoding) <= prior(words.encoding)
    } else {
        let pool = words_of(&lines.foreign[..lines.foreign.len().min(SCORED)]);
        total(&pool, whole.encoding) <= total(&pool, words.encoding)
    };
    if is_whole { alloc::vec![whole, words] } else { alloc::vec![words, whole] }
}

fn of_pool(pool: &[u8], declared: Option<Encoding>, options: &Options) -> Option<Guess> {
    let mut text = LegacyText::default();
    text.window(pool, !pool.is_ascii(), true, false, options);
    text.guess(declared, options)
}

/// The score of lines in which each is read as is likeliest.
fn total(lines: &[Words<'_>], encoding: Encoding) -> u64 {
    let scores = lines.iter().map(|line| line.score(encoding));
    scores.fold(u64::from(prior(encoding).unwrap_or_default() * BIT), u64::saturating_add)
}

/// By how many bits the lines and words that are UTF-8 are likelier as such than in any of
/// these encodings; `None` if there are none.
pub(super) fn gain(lines: &Lines, encodings: &[Encoding]) -> Option<i64> {
    gain_of(&lines.utf8, encodings)
}

/// By how many bits `utf8` is likelier as UTF-8 than in any of these encodings; `None` if it has no character.
#[inline(never)]
pub(super) fn gain_of(utf8: &[u8], encodings: &[Encoding]) -> Option<i64> {
    // The last character may be cut.
    let text: Vec<char> = utf8.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).collect();
    if text.is_empty() || encodings.is_empty() {
        return None;
    }
    let limit = u64::MAX / 4;
    let as_utf8 = score_of(&text, limit).unwrap_or(limit);
    let as_others = encodings.iter().map(|encoding| {
        let text: Vec<char> = encoding.decode_without_bom_handling(utf8).0.chars().collect();
        score_of(&text, limit).unwrap_or(limit)
    });
    let difference = as_others.min().unwrap_or(limit).cast_signed() - as_utf8.cast_signed();
    Some(difference / i64::from(BIT))
}

/// True if the sequences of UTF-8 may be characters of two bytes in a multibyte encoding, in which
/// all of the text is well-formed. A tenth of all pairs of bytes from A1 on are such sequences, and
/// a longer one is not a whole number of pairs.
pub(super) fn may_be_chance(lines: &Lines, sequences: u64, errors: u64) -> bool {
    let mut characters = lines.utf8.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    sequences < errors / CHANCE && characters.all(|c| c < '\u{800}')
}

/// True if the sequences of UTF-8 may be words of Thai in a single-byte encoding. Its letters are from A1 on, and not
/// beside letters of US-ASCII.
pub(super) fn may_be_chance_in_thai(lines: &Lines) -> bool {
    let is_mixed_word = |pair: &[u8]| pair.iter().any(u8::is_ascii_alphabetic) && !pair.is_ascii();
    !lines.utf8.iter().any(|byte| matches!(byte, 0x80..=0xA0)) && !lines.utf8.windows(2).any(is_mixed_word)
}

/// True if a stream in which UTF-8 does not prevail has some.
pub(super) fn is_mixed(gain: Option<i64>) -> bool {
    gain.is_some_and(|gain| gain >= MIN_GAIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::detect;
    use utfkit_core::Legacy;

    fn foreign_certainty(utf8: &str, name: &str, old: &str, odd_line: &[u8]) -> Option<Certainty> {
        let mut bytes = utf8.repeat(2).into_bytes();
        bytes.extend_from_slice(&Encoding::for_label(name).unwrap().encode(old).0);
        bytes.extend_from_slice(odd_line);
        let found = detect(&bytes);
        assert!(found.is_mixed(), "{found}");
        found.foreign_certainty()
    }

    const GREEK: (&str, &str) = (
        "Το μαγαζί ανοίγει στις εννέα το πρωί.\nΗ θάλασσα ήταν ήσυχη όλη τη μέρα.\nΟι φίλοι μας έφτασαν χθες το βράδυ.\n",
        "Ο κήπος έχει πολλά δέντρα και λουλούδια.\nΤο βιβλίο είναι πάνω στο τραπέζι.\nΘα πάμε εκδρομή στο βουνό.\n",
    );
    const CHINESE: (&str, &str) = (
        "商店早上九点开门。\n海面整天都很平静。\n我们的朋友昨天晚上到了。\n",
        "花园里有很多树和花。\n书放在桌子上。\n我们要去山上郊游，请带上雨伞。\n",
    );

    /// `長` alone is `Ĺ` in UTF-8.
    #[test]
    fn a_long_text_in_a_multibyte_encoding_has_no_lines_of_utf_8_but_those_after_it() {
        let encoding = Encoding::for_label("EUC-JP").unwrap();
        let old = |text: &str| encoding.encode(text).0.repeat(2000);
        let found = detect(&old("図書館の 長 は本を数えました。とても 長 い一日でした。\n"));
        assert!(found.encoding() == Some(encoding) && !found.is_mixed(), "{found}");
        let utf8 = "昨日は図書館で本を読みました。\n".repeat(300);
        let found = detect(&[&old("図書館の人は本を数えました。とても静かな一日でした。\n"), utf8.as_bytes()].concat());
        let pieces: Vec<_> = found.pieces().iter().map(|piece| (piece.encoding, piece.lines.clone())).collect();
        assert_eq!(pieces, [(Some(encoding), 1..2001), (Some(Encoding::Utf8), 2001..2301)], "{found}");
    }

    /// The lead of the next letter would be a letter in the other encoding.
    #[test]
    fn characters_that_were_cut_are_not_in_the_encoding_of_another_line() {
        let texts = [
            ("KOI8-R", "Новая школа открылась рядом с парком", "Ветер утих только к утру, и стало тепло."),
            ("windows-1251", "Выставка продлится до конца сентября", "Лодка медленно плыла вдоль берега."),
            ("windows-1256", "المدرسة الجديدة قريبة من الحديقة", "وصلت الرسالة بعد أسبوع من إرسالها"),
            ("windows-1255", "בית הספר החדש נמצא ליד הפארק", "המכתב הגיע שבוע אחרי שנשלח"),
            ("windows-1253", "Το νέο σχολείο είναι δίπλα στο πάρκο", "Το γράμμα έφτασε μια εβδομάδα αργότερα."),
            ("windows-874", "โรงเรียนใหม่อยู่ใกล้สวนสาธารณะ", "จดหมายมาถึงช้าไปหนึ่งสัปดาห์"),
        ];
        for (name, text, old) in texts {
            let encoding = Encoding::for_label(name).unwrap();
            let mut bytes = Vec::new();
            let mut cut = 0;
            for len in 15..27 {
                let field = &text.as_bytes()[..len];
                cut += u64::from(from_utf8(field).is_err());
                bytes.extend_from_slice(&[field, b"\n"].concat());
            }
            bytes.extend_from_slice(&encoding.encode(old).0);
            bytes.push(b'\n');
            let found = detect(&bytes);
            assert!(cut > 3 && found.cut() == cut, "{name}: {found}");
        }
    }

    /// With every end of line, and none at the end of the text.
    #[test]
    fn lines_in_us_ascii_between_others_are_counted() {
        let old = b"Die Gr\xF6\xDFe \xE4ndert sich sp\xE4ter, sagten die Sch\xFCler.\n";
        for ascii in [&b"plain\n"[..], b"plain\r\nmore\r\n\r\n", b"\n\n\n\nplain\nplain\n", b"plain\rmore\r", b"plain"]
        {
            let utf8 = "Übermorgen fährt die Bahn wieder pünktlich über die Brücke.\n".repeat(3);
            let bytes = [utf8.as_bytes(), ascii, b"\n", old, ascii, b"\nplain\n", old, ascii].concat();
            let found = detect(&bytes);
            let mut foreign = found.pieces().iter().filter(|piece| piece.encoding != Some(Encoding::Utf8));
            let starts: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(old)).collect();
            for start in starts {
                let Some(piece) = foreign.next() else { panic!("{found}") };
                let number = 1 + bytes[..start].iter().filter(|byte| **byte == b'\n').count() as u64;
                assert_eq!((piece.range.start, &piece.lines), (start as u64, &(number..number + 1)), "{found}");
            }
            assert_eq!(foreign.count(), 0, "{found}");
            let all = found.pieces().windows(2).all(|pair| pair[0].range.end == pair[1].range.start);
            let last = 1 + bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            let end = found.pieces().last().map(|piece| (piece.range.end, piece.lines.end));
            let ends_with_line = u64::from(!bytes.ends_with(b"\n"));
            assert!(all && end == Some((bytes.len() as u64, last + ends_with_line)), "{found} {end:?} {last}");
        }
    }

    #[test]
    fn a_long_text_is_mixed_wherever_its_utf_8_is() {
        let western = Encoding::for_label("windows-1252").unwrap();
        let [utf8, old] = ["Thanks to Ondřej Dvořák for the fix.\n", "Thanks to Håkon Grønås for the report.\n"];
        for lines in [1, 100, 5_000, 20_000] {
            let others = "Nobody has looked at this line of the log so far.\n".repeat(lines);
            let old = western.encode(old).0;
            for text in [
                [utf8.as_bytes(), others.as_bytes(), &old].concat(),
                [&*old, others.as_bytes(), utf8.as_bytes()].concat(),
            ] {
                let found = detect(&text);
                assert_eq!((found.is_mixed(), found.foreign()), (true, Some(western)), "{lines} lines: {found}");
                assert!(found.foreign_certainty() >= Some(Certainty::Likely), "{lines} lines: {found}");
            }
        }
    }

    /// A fraction in a word, an opening quote of which nothing is quoted, and a cedilla where the rest has a comma.
    #[test]
    fn words_of_no_language_leave_the_encoding_open() {
        for (utf8, odd) in [
            (
                "Täna õhtul läheme öösel metsa jalutama.\nMüüja ütles hinna.\n",
                &b"ehit\xE4ja v\xF5\xBEras pl\xF5\xB9\xB9id\n"[..],
            ),
            ("Dat is één van de mogelijkheden.\nZoals geïnstalleerd.\n", b"niet \x82\x82n van hen\n"),
            (
                "Această opțiune șterge fișierul.\nPutești încă o dată.\n",
                b"num\xE3rul urm\xE3tor de ore\xBAe \xBAi \xFE\xE3ri\n",
            ),
        ] {
            let found = detect(&[utf8.as_bytes(), odd].concat());
            assert!(found.foreign_certainty() <= Some(Certainty::Guess), "{utf8}: {found}");
        }
    }

    /// Converted, such a word would be encoded twice.
    #[test]
    fn a_word_of_utf_8_in_an_older_encoding_leaves_that_open() {
        for (name, old, word) in [
            ("IBM857", "Öğleden sonra yağmur yağacağı için maçı yarına aldılar, şimdilik bekliyoruz.\n", "güneş\n"),
            ("windows-1250", "Wysłaliśmy paczkę we wtorek, więc dojdzie później niż zwykle.\n", "Łódź\n"),
            ("ISO-8859-2", "Wysłaliśmy paczkę we wtorek, więc dojdzie później niż zwykle.\n", "wciąż\n"),
            ("IBM852", "Příští týden bude úřad otevřen déle než obvykle, přijďte včas.\n", "7;ústí;ano\n"),
            ("x-mac-ce", "Příští týden bude úřad otevřen déle než obvykle, přijďte včas.\n", "7;také;ano\n"),
            ("IBM437", "Wir müssen den Schlüssel für das große Gebäude zurückgeben.\n", "Übergabe\n"),
            ("macintosh", "På lördag åker vi till sjön och badar, om vädret är skönt.\n", "Öberg\n"),
            ("IBM866", "Завтра утром поезд отправится с третьего пути.\n", "3;к;12\n"),
            ("ISO-8859-5", "Завтра утром поезд отправится с третьего пути.\n", "3;к;12\n"),
        ] {
            let encoding = Encoding::for_label(name).unwrap();
            let old = encoding.encode(old).0.into_owned();
            let alone = detect(&old);
            assert_eq!(alone.encoding(), Some(encoding), "{alone}");
            assert!(alone.certainty() >= Certainty::Likely, "{alone}");
            let found = detect(&[&old, word.as_bytes()].concat());
            let is_open = found.certainty() == Certainty::Guess || found.is_mixed();
            assert!(is_open, "{name}, {word}: {found}");
        }
    }

    /// The bytes of `Jiří Dvořák` in x-mac-ce are UTF-8.
    #[test]
    fn a_line_that_is_utf_8_by_chance_leaves_the_others_open() {
        let utf8 = "Příští týden bude úřad otevřen déle.\nŽádost podejte včas, děkujeme.\n";
        let old = "Zařízení přestalo fungovat\nNáhradní díl byl vyměněn\n";
        for (name, chance) in [("x-mac-ce", "Jiří Dvořák\n"), ("x-mac-ce", "u dveří\n")] {
            let chance = Encoding::for_label(name).unwrap().encode(chance).0.into_owned();
            assert!(core::str::from_utf8(&chance).is_ok());
            assert_eq!(foreign_certainty(utf8, name, old, b""), Some(Certainty::NearlyCertain));
            let mixed = [utf8.as_bytes(), &Encoding::for_label(name).unwrap().encode(old).0, &chance].concat();
            assert_eq!(detect(&mixed).foreign_certainty(), Some(Certainty::Guess), "{chance:02X?}");
        }
        for (line, certainty) in
            [("Δx = 5 μm, kΩ\n", Certainty::NearlyCertain), ("Русский\n", Certainty::NearlyCertain)]
        {
            assert_eq!(foreign_certainty(utf8, "x-mac-ce", old, line.as_bytes()), Some(certainty), "{line}");
        }
    }

    #[test]
    fn a_line_that_may_be_cut_leaves_the_others_likely() {
        let (utf8, old) = GREEK;
        assert_eq!(foreign_certainty(utf8, "windows-1253", old, b"y;\n"), Some(Certainty::NearlyCertain));
        assert_eq!(foreign_certainty(utf8, "windows-1253", old, b"y;\xC5\n"), Some(Certainty::Likely));
        let cut = ["Η πόλη ".as_bytes(), b"\xC5\n"].concat();
        assert_eq!(foreign_certainty(utf8, "windows-1253", old, &cut), Some(Certainty::Likely));
    }

    /// All of the word would be in Shift_JIS: katakana of half width.
    #[test]
    fn a_word_that_lost_a_byte_is_in_no_multibyte_encoding() {
        for (text, word) in [
            ("السوق مفتوح كل يوم حتى المساء.\nوصل القطار إلى المدينة مبكرا.\n", "المعلومات"),
            ("Рынок открыт каждый день до вечера.\nПоезд пришёл в город рано.\n", "расписание"),
            ("השוק פתוח כל יום עד הערב.\nהרכבת הגיעה לעיר מוקדם.\n", "ההזדמנויות"),
        ] {
            for lost in [3, 4, 5, 6] {
                let mut bytes = [text, word, "\n"].concat().repeat(2).into_bytes();
                bytes.remove(text.len() + lost);
                let found = detect(&bytes);
                let is_known = found.foreign().is_some_and(|foreign| !is_single_byte(foreign));
                assert!(!is_known || found.foreign_certainty() == Some(Certainty::Guess), "{word} {lost}: {found}");
            }
        }
    }

    /// Words of two letters, or of a vowel and two consonants, may be one character of UTF-8.
    #[test]
    fn words_of_thai_that_are_utf_8_by_chance_are_no_mixture() {
        let text = "ร้านอาหารเปิดทุกวัน ยกเว้นวันจันทร์\nเด็กนักเรียนกำลังเล่นฟุตบอลอยู่ที่สนาม\n";
        let encoding = Encoding::for_label("windows-874").unwrap();
        for words in ["รถ\nแบบ\nแขก\nโชค\nเขต\nแถบ\n", "ลด แจก แทบ โบก เดช เพจ\n"]
        {
            for times in 1..4 {
                let thai = [text, words].concat().repeat(times);
                let found = detect(&encoding.encode(&thai).0);
                assert_eq!((found.encoding(), found.is_mixed()), (Some(encoding), false), "{found}");
            }
        }
        // In UTF-8 they are a mixture, and so is another language.
        for other in ["รถโดยสารออกทุกชั่วโมง\n", "Le café est fermé\n"] {
            let old = encoding.encode(&text.repeat(2)).0.into_owned();
            let found = detect(&[&old, other.repeat(3).as_bytes()].concat());
            assert!(found.is_mixed(), "{other}: {found}");
        }
    }

    /// Two bytes of GBK may be a character of UTF-8.
    #[test]
    fn a_character_alone_that_may_be_another_leaves_the_others_likely() {
        let (utf8, old) = CHINESE;
        let long = utf8.repeat(50);
        assert_eq!(foreign_certainty(&long, "GBK", old, "name: \u{36C} -\n".as_bytes()), Some(Certainty::Likely));
        for (line, certainty) in [
            ("* 3 \u{D7} 4\n", Certainty::NearlyCertain),
            ("name: \u{36C} -\n", Certainty::Likely),
            ("name: \u{431}\n", Certainty::Likely),
        ] {
            assert_eq!(foreign_certainty(utf8, "GBK", old, line.as_bytes()), Some(certainty), "{line}");
        }
    }

    /// The end of a file cut the last letter of the first text, and another file was joined without a line end.
    #[test]
    fn a_text_that_may_begin_after_half_a_character_is_left() {
        let first = [
            "Die Lampen im Flur sind noch immer nicht repariert, schöne Gru",
            "Прибывший поезд стоит на втором пути и отправляется через де",
            "Το εστιατόριο κλείνει τη Δευτέρα και ανοίγει πάλι την Τετά",
            "Ikkunat on pesty ja lattiat lakaistu, työt jatkuvat ä",
        ];
        let halves: [&[u8]; 4] = [b"\xC3", b"\xD1", b"\xCF", b"\xC3"];
        let second = [
            ("windows-1252", "Når båden lægger til kaj, går vi straks i land.\nSå køber vi fisk på øen.\n"),
            ("windows-1251", "Наступило тёплое утро, и дети побежали к реке.\nВода была холодной.\n"),
            ("windows-1250", "Když začalo pršet, všichni běželi domů.\nVečer už zase svítily hvězdy.\n"),
            ("windows-874", "พรุ่งนี้เช้าเราจะไปตลาดน้ำด้วยกัน\nอากาศเย็นสบายดีมาก\n"),
        ];
        for (text, half) in first.into_iter().zip(halves) {
            for (name, old) in second {
                let old = Encoding::for_label(name).unwrap().encode(old).0;
                let bytes = [text.as_bytes(), b"\n", text.as_bytes(), half, &old].concat();
                let found = detect(&bytes);
                let is_open = found.foreign_certainty().is_none_or(|certainty| certainty == Certainty::Guess);
                assert!(is_open, "{text} {name}: {found}");
            }
        }
    }

    #[test]
    fn a_byte_that_may_be_the_rest_of_a_letter_is_no_evidence() {
        for (text, lost) in [
            ("Včeraj popoldne je deževalo, začelo pa se je že zjutraj. Kovček čaka na peronu.\n", "č"),
            ("Ключі лежать на столі, а їх ніхто не бере. Він є там, де й був.\n", "є"),
            ("Gdzieś w głębi lasu płynie wąski strumień, a nad nim stoi młyn.\n", "ą"),
        ] {
            let at = text.rfind(lost).unwrap();
            for byte in 0..lost.len() {
                let mut bytes = text.repeat(3).into_bytes();
                bytes.remove(2 * text.len() + at + byte);
                let found = detect(&bytes);
                let is_open = found.foreign_certainty().is_none_or(|certainty| certainty == Certainty::Guess);
                assert!(is_open && found.encoding() == Some(Encoding::Utf8), "{lost} {byte}: {found}");
            }
        }
    }

    /// A column of a table that is from another system.
    #[test]
    fn words_of_utf_8_between_others_of_a_row_are_kept() {
        use crate::repair::{Fallback, Options, repair};
        let encoding = Encoding::for_label("windows-1250").unwrap();
        let read = Fallback::new(encoding).unwrap();
        for word in ["Таблица", "Ключи", "Δίκτυο", "Μνήμη", "מסמכים", "Сервер"] {
            let cells = ["7;\"Nie można otworzyć pliku, ponieważ dysk jest pełny\"", "\"Błąd\"\n"];
            let [first, last] = cells.map(|cell| encoding.encode(cell).0);
            let row = [&*first, b";\"", word.as_bytes(), b"\";", &last].concat();
            let expected = [cells[0], ";\"", word, "\";", cells[1]].concat();
            assert_eq!(repair(&row, &Options::new().fallback(read.clone())), expected);
        }
    }

    /// `только`, `список` and `там` in IBM866 may be UTF-8.
    #[test]
    fn a_sentence_of_which_words_are_utf_8_by_chance_is_in_one_encoding() {
        for text in [
            "Там был только список гостей.",
            "Это не сноска, а только список цветов.",
            "Не так сильно, там уже теплее.",
            "Только сам сперва скажи, кто там.",
        ] {
            let encoding = Encoding::Legacy(Legacy::Ibm866);
            let found = detect(&encoding.encode(text).0);
            assert_eq!((found.encoding(), found.is_mixed()), (Some(encoding), false), "{text}: {found}");
            assert!(found.certainty() >= Certainty::Likely, "{text}: {found}");
        }
    }
}
