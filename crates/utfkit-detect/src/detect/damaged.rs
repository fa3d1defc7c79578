//! Letters of UTF-8 that lost a byte, in texts with lines in another encoding.

use alloc::vec::Vec;

use super::legacy::own_script;
use super::lines::Lines;
use crate::line::is_single_byte;
use crate::model::{BIT, Script, score_of};
use utfkit_core::Encoding;

/// The penalty of a lost byte.
const LOST: u64 = 6 * BIT as u64;

/// True if bytes that would be read in `encoding` are the rest of a letter of UTF-8 that lost a byte: they are in a
/// word of UTF-8, or the word is likelier with a letter of the text in their place, or odd.
pub(super) fn has_damaged_word(lines: &Lines, encoding: Encoding) -> bool {
    // Thai has sequences of UTF-8 by chance.
    if lines.lone_words.is_empty() || own_script(encoding) == Some(Script::Thai) {
        return false;
    }
    let mut known = Vec::new();
    for c in lines.utf8.utf8_chunks().flat_map(|chunk| chunk.valid().chars()) {
        if !c.is_ascii() && !known.contains(&c) {
            known.push(c);
        }
    }
    lines.lone_words.split(|byte| *byte == b'\n').any(|word| is_damaged(word, &known, encoding))
}

/// True if a word that is not UTF-8 seems to have lost a byte of one of these characters.
fn is_damaged(word: &[u8], known: &[char], encoding: Encoding) -> bool {
    let before = word.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let after = word.utf8_chunks().last().filter(|chunk| chunk.invalid().is_empty()).map_or("", |chunk| chunk.valid());
    let rest = &word[before.len()..word.len() - after.len()];
    let lost = known.iter().filter(|c| {
        let mut bytes = [0; 4];
        let bytes = c.encode_utf8(&mut bytes).as_bytes();
        bytes.len() == rest.len() + 1
            && (0..bytes.len()).any(|at| bytes[..at] == rest[..at] && bytes[at + 1..] == rest[at..])
    });
    // A part of a letter of two bytes, or of three.
    let (is_short, is_long) = match *rest {
        [0x80..0xC0 | 0xC2..0xE0] => (true, false),
        [0x80..0xC0 | 0xE0..0xF0, 0x80..0xC0] => (false, true),
        _ => (false, false),
    };
    let is_letter = |c: &char| !c.is_ascii() && c.is_alphabetic();
    let letters = || before.chars().chain(after.chars()).filter(is_letter);
    if letters().next().is_some() {
        // Multibyte text has sequences of UTF-8 by chance.
        let is_word = || letters().filter(|c| *c >= '\u{800}').count() > 1;
        return if is_single_byte(encoding) { is_short || lost.count() > 0 } else { is_long && is_word() };
    }
    let read = encoding.decode_without_bom_handling(word).0;
    let is_odd = |c: char| c.is_uppercase() || !(c.is_alphabetic() || matches!(c, '’' | '\u{AD}' | '·'));
    let is_small = |c: Option<char>| c.is_some_and(char::is_lowercase);
    if is_short
        && is_small(before.chars().next_back())
        && is_small(after.chars().next())
        && read.chars().any(|c| !c.is_ascii() && is_odd(c))
    {
        return true;
    }
    let limit = u64::MAX / 4;
    let score = |text: &mut dyn Iterator<Item = char>| score_of(&text.collect::<Vec<char>>(), limit).unwrap_or(limit);
    let with = |c: char| score(&mut before.chars().chain([c]).chain(after.chars()));
    let Some(likeliest) = lost.map(|c| with(*c)).min() else { return false };
    // In its line, nothing else closes or opens the quotation.
    let is_quotation_mark = |c: char| matches!(c, '‘' | '“' | '”' | '„' | '«' | '»' | '‹' | '›');
    let lost = if read.contains(is_quotation_mark) { 0 } else { LOST };
    likeliest + lost < score(&mut read.chars())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Certainty, detect};
    use alloc::string::ToString;

    /// Of the lines that are not UTF-8.
    fn certainty(utf8: &str, name: &str, old: &str, line: &[u8]) -> Option<Certainty> {
        let old = Encoding::for_label(name).unwrap().encode(old).0;
        detect(&[utf8.repeat(2).as_bytes(), &old, line].concat()).foreign_certainty()
    }

    /// In windows-1250, the last byte of `ł` is a quotation mark.
    #[test]
    fn a_letter_among_letters_of_us_ascii_may_have_lost_a_byte() {
        for (name, utf8, old, words) in [
            (
                "windows-1250",
                "Kočka spala na střeše a myš utekla do sklepa.\nKluk šel k řece, červená loďka čekala.\n",
                "Řidič zastavil až na konci ulice, protože neviděl.\n",
                ["kočky", "střecha", "červený"],
            ),
            (
                "windows-1254",
                "Çocuklar bahçede oynuyor, güneş parlıyor.\nÖnce ödev yapılacak, sonra gezi düşünülecek.\n",
                "Köpek kapının önünde uyuyor, kedi ağaca çıktı.\n",
                ["güzel", "çiçek", "büyük"],
            ),
            (
                "windows-1257",
                "Mėnulis švietė virš ežero, žmonės grįžo namo.\nVaikai ėjo į mokyklą, snigo ir buvo šalta.\n",
                "Senelė išvirė skanių koldūnų, tėvas kūrė krosnį.\n",
                ["mėnesio", "žemės", "šaltis"],
            ),
            (
                "windows-1255",
                "הילדים שיחקו בגינה עד הערב.\nהאיש הזקן ישב ליד החלון וקרא ספר.\n",
                "הרכבת האחרונה יצאה לפני שעה קלה.\n",
                ["מחברת", "שולחן", "חלונות"],
            ),
            (
                "EUC-KR",
                "아이들이 마당에서 놀고 있었습니다.\n할머니는 창가에 앉아 책을 읽으셨다.\n",
                "마지막 기차는 한 시간 전에 떠났습니다.\n",
                ["아이들은", "할머니가", "기차역에서"],
            ),
        ] {
            assert!(certainty(utf8, name, old, b"") > Some(Certainty::Guess), "{name}");
            for word in words {
                let first = word.bytes().position(|byte| !byte.is_ascii()).unwrap();
                let letter = &word[first..].chars().next().unwrap().to_string();
                let mut line = [word, " ", word.strip_prefix(letter).unwrap_or(word), "\n"].concat().into_bytes();
                for lost in 0..letter.len() {
                    let byte = line.remove(first + lost);
                    let bytes = [utf8.as_bytes(), &Encoding::for_label(name).unwrap().encode(old).0, &line].concat();
                    let found = detect(&[&bytes, utf8.as_bytes()].concat());
                    line.insert(first + lost, byte);
                    let is_open = found.foreign_certainty().is_none_or(|certainty| certainty == Certainty::Guess);
                    assert!(is_open || found.cut() > 0, "{word} {lost}: {found}");
                }
            }
        }
        // These are words of the old lines.
        for (name, utf8, old, word) in [
            (
                "windows-1250",
                "Późno wróciła, było już ciemno.\n",
                "Gdzieś zgubiła rękawiczki, a było zimno.\n",
                "zapłata",
            ),
            (
                "windows-1252",
                "Früh am Morgen öffnete sie die Tür für Ärzte.\n",
                "Gegen Mittag gehörte ihm das größte Stück.\n",
                "schön",
            ),
            (
                "windows-1252",
                "Très tôt l’été s’achève, où est passé Œdipe ?\n",
                "Le garçon à côté préfère la crème brûlée.\n",
                "l’ami",
            ),
        ] {
            let word = Encoding::for_label(name).unwrap().encode(word).0.into_owned();
            assert!(certainty(utf8, name, old, &[&word, &b" ok\n"[..]].concat()) > Some(Certainty::Guess), "{name}");
        }
    }
}
