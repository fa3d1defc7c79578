//! Words that are odd in an older encoding, and may be in another one.

use alloc::vec::Vec;

use super::language::Language;
use super::legacy::{ByteSet, own_script};
use crate::hashes::{Hashes, hash_of};
use crate::line::{character, decoded, is_single_byte};
use crate::model::LanguageSet;
use utfkit_core::Encoding;

/// The least number of words in US-ASCII of a line in which a letter of another script is odd.
const ASCII_WORDS: u32 = 3;
/// The letters of `dam²`.
const LONGEST_UNIT: usize = 3;

/// The class of a byte in a single-byte encoding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    Letter,
    /// A letter that the language lacks.
    Foreign,
    /// Odd next to a letter.
    Sign,
    /// Odd next to a letter in a line with an odd number of them.
    QuotationMark,
    /// Odd after a letter.
    Opening,
    /// Odd after a letter, and before a word of more letters than a unit of length has.
    Fraction,
    /// Odd after a word of more letters than a unit of length has.
    Superscript,
    /// Odd between two letters.
    Dash,
    Other,
}

impl Byte {
    fn of(c: char, language: Option<LanguageSet>) -> Byte {
        match c {
            '\u{A0}' | '’' | '…' | '—' => Byte::Other,
            '„' | '“' | '”' | '«' | '»' | '‹' | '›' => Byte::QuotationMark,
            '‘' => Byte::Opening,
            '¼' | '½' | '¾' => Byte::Fraction,
            '–' => Byte::Dash,
            '¹' | '²' | '³' => Byte::Superscript,
            // Accents without a letter.
            '\u{2B0}'..'\u{300}' => Byte::Sign,
            _ if c.is_alphabetic() => match language {
                Some(language) if !c.is_ascii() && !language.uses(c) => Byte::Foreign,
                _ => Byte::Letter,
            },
            // Marks that combine with letters belong to them.
            '\u{80}'..'\u{300}' | '\u{2000}'.. if !c.is_numeric() => Byte::Sign,
            _ => Byte::Other,
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Byte::Letter | Byte::Foreign)
    }
}

/// True if a line of words in US-ASCII has a letter of another script, or a control, between small letters of one of
/// them, and no word in that script: `Heute frьh` is in another encoding.
#[inline(never)]
pub(super) fn has_line_of_two_scripts(text: &[u8], encoding: Encoding) -> bool {
    let is_latin = own_script(encoding).is_none();
    let is_other = |c: char| !c.is_ascii() && !is_latin && c.is_alphabetic() || matches!(c, '\u{80}'..'\u{A0}');
    let class = |c: char| match c {
        'a'..='z' => InWord::Small,
        'A'..='Z' => InWord::Capital,
        _ if is_other(c) => InWord::Other,
        _ => InWord::None,
    };
    // The columns of a table may be from several systems.
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'"' | b'\t' | b';');
    let mut lines = text.split(is_end).filter(|line| !line.is_ascii());
    if !is_single_byte(encoding) {
        return lines.any(|line| is_of_two_scripts(decoded(line, encoding).0.chars().map(class)));
    }
    let is_in_text = ByteSet::of(text);
    let table: [InWord; 256] = core::array::from_fn(|byte| {
        let c = if is_in_text.contains(byte as u8) { character(encoding, byte as u8) } else { None };
        c.map_or(InWord::None, class)
    });
    // Most Latin texts have no other character.
    let has_other = table.contains(&InWord::Other);
    has_other && lines.any(|line| is_of_two_scripts(line.iter().map(|byte| table[usize::from(*byte)])))
}

/// What a character is to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InWord {
    /// A letter of US-ASCII.
    Small,
    Capital,
    /// A letter of another script, or a control in the place of one.
    Other,
    None,
}

fn is_of_two_scripts(line: impl Iterator<Item = InWord>) -> bool {
    let (mut ascii, mut mixed) = (0, 0);
    // Of a word: its letters of US-ASCII, the small ones of them, the others, whether the first one is of US-ASCII, and
    // whether the last one is small.
    let (mut letters, mut small, mut others, mut begins, mut ends) = (0, 0, 0, false, false);
    for class in line.chain([InWord::None]) {
        if class != InWord::None {
            ends = class == InWord::Small;
            begins = if letters + others == 0 { class != InWord::Other } else { begins };
            letters += u32::from(class != InWord::Other);
            small += u32::from(ends);
            others += u32::from(class == InWord::Other);
            continue;
        }
        match others {
            0 => ascii += u32::from(letters > 1),
            1 | 2 if small > 0 => mixed += u32::from(begins && ends && small > 1),
            _ => return false,
        }
        (letters, small, others) = (0, 0, 0);
    }
    mixed > 0 && ascii >= ASCII_WORDS
}

/// True if a third of the words beyond US-ASCII have a sign after a letter, or one in a hundred has it within small
/// letters, where no language has one: in the encoding of the text that byte is a letter, and perhaps none that is
/// known here is it.
pub(super) fn has_broken_words(text: &[u8], encoding: Encoding) -> bool {
    if !is_single_byte(encoding) {
        return has_katakana_among_ideographs(text, encoding);
    }
    let is_in_text = ByteSet::of(text);
    let table: [char; 256] = core::array::from_fn(|byte| {
        let c = if is_in_text.contains(byte as u8) { character(encoding, byte as u8) } else { None };
        c.unwrap_or(' ')
    });
    let of = |byte: &u8| table[usize::from(*byte)];
    let may_be_sign = table.map(|c| !c.is_ascii() && (!c.is_alphabetic() || matches!(c, 'µ' | 'º')));
    // Most texts have only letters.
    if !may_be_sign.contains(&true) {
        return false;
    }
    if has_open_quotation_marks(text, of) {
        return true;
    }
    // A quotation mark within a word closes a quotation only if others open some.
    let has = |c: char| (0x80..=0xFF).any(|byte| is_in_text.contains(byte) && of(&byte) == c);
    let are_alone = ['“', '”', '„'].into_iter().filter(|c| has(*c)).count() == 1;
    let (has_left, has_right) = (has('‹'), has('›'));
    let is_unpaired = |c: char| {
        let other = match c {
            '«' => '»',
            '»' => '«',
            '‚' | '’' => '‘',
            '‘' => '’',
            _ => return false,
        };
        !has(other)
    };
    let (mut words, mut broken, mut torn) = (0, 0, 0);
    for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_ascii()) {
        let is_letter = |at: usize| word.get(at).is_some_and(|byte| of(byte).is_alphabetic());
        let is_small = |at: usize| word.get(at).is_some_and(|byte| of(byte).is_lowercase());
        let signs = (0..word.len()).filter(|at| may_be_sign[usize::from(word[*at])]);
        let is_sign = |at: usize| {
            let c = of(&word[at]);
            let is_inside = || is_letter(at + 1);
            let is_after = |c: char| match c {
                '„' | '•' | '§' => true,
                '‹' => !has_right,
                '›' => !has_left,
                _ => is_no_letter(c),
            };
            let is_after_digit = || {
                word[at - 1].is_ascii_digit()
                    && match c {
                        '›' => !has_left,
                        '»' => is_unpaired(c) && !is_inside(),
                        _ => c == '¦',
                    }
            };
            if word.len() == 1 {
                return is_unpaired(c);
            }
            at > 0 && (is_letter(at - 1) && (is_after(c) || is_mark(c) && is_inside()) || is_after_digit())
        };
        let is_first = |at: usize| at == 0 || b"<>([{\"'=/,;:".contains(&word[at - 1]);
        let are_next_small = |at: usize| (at + 1..at + LONGEST_UNIT + 2).all(is_small);
        let are_last_small = |at: usize| at >= LONGEST_UNIT && (at - LONGEST_UNIT..at).all(is_small);
        let is_within = |at: usize| {
            let is_superscript = |at: usize| word.get(at).is_some_and(|byte| matches!(of(byte), '¹' | '²' | '³'));
            let end = (at..).find(|at| !is_superscript(*at)).unwrap_or(at);
            let is_between = || at > 0 && is_small(at - 1) && is_small(at + 1);
            match of(&word[at]) {
                '¿' | '¡' => false,
                '†' | '‡' | '™' => is_first(at) && are_next_small(at),
                '„' | '‚' | '•' | '›' => is_between(),
                c @ ('“' | '”') => {
                    let is_other = |at: &usize| word.get(*at).is_none_or(|byte| of(byte) != c);
                    let end = (at..).find(is_other).unwrap_or(at);
                    are_alone && at > 0 && is_small(at - 1) && is_small(end)
                }
                c @ ('«' | '»') if is_first(at) && is_unpaired(c) => is_small(at + 1) && is_small(at + 2),
                // The first note is 1.
                '²' | '³' if at > LONGEST_UNIT && !has('¹') => (at - LONGEST_UNIT - 1..at).all(is_letter),
                // `n°s` is the plural of `n°`.
                'µ' | '°' | 'º' => is_between() && (is_small(at + 2) || (at > 1 && is_small(at - 2))),
                '€' => are_last_small(at),
                c if is_no_letter(c) || c == '§' => {
                    is_between()
                        || ((c < '±' || c.is_numeric()) && are_last_small(at))
                        || (is_first(at) && (c.is_numeric() || matches!(c, '§' | '¨' | '¸')) && are_next_small(at))
                }
                _ => end > at && are_last_small(at) && is_small(end),
            }
        };
        words += 1;
        broken += u32::from(signs.clone().any(is_sign));
        torn += u32::from(signs.into_iter().any(is_within));
    }
    (broken > 0 && 3 * broken >= words) || (torn > 0 && 100 * torn >= words)
}

/// True if a third of the ideographs and katakana of half width are next to the other kind: these are words, and
/// ideographs follow hardly any of them. In Greek EBCDIC, letters are one or the other.
fn has_katakana_among_ideographs(text: &[u8], encoding: Encoding) -> bool {
    let (mut changes, mut all, mut before) = (0, 0, None);
    for c in decoded(text, encoding).0.chars() {
        let is_katakana = matches!(c, '\u{FF61}'..='\u{FF9F}');
        if !is_katakana && !matches!(c, '\u{4E00}'..='\u{9FFF}') {
            before = None;
            continue;
        }
        all += 1;
        changes += u32::from(before.replace(is_katakana).is_some_and(|before| before != is_katakana));
    }
    3 * changes > all
}

/// True for quotation marks before small letters, if no text has one after a word: `„ven` is in another encoding.
fn has_open_quotation_marks(text: &[u8], of: impl Fn(&u8) -> char) -> bool {
    let is_mark = |byte: &u8| matches!(of(byte), '„' | '“' | '”');
    let is_space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let mut has_open = false;
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii() && is_mark(byte)) {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        if !is_space(before) && !before.is_some_and(|byte| b"<>([{\"'=/".contains(byte)) {
            return false;
        }
        has_open |=
            text[at + 1..].iter().take(LONGEST_UNIT).filter(|byte| of(byte).is_lowercase()).count() == LONGEST_UNIT;
    }
    has_open
}

/// True for a sign that is no punctuation, unit or trade mark.
fn is_no_letter(c: char) -> bool {
    matches!(c, '¡'..='¦' | '¨' | '¬' | '¯' | '±' | '¶' | '¸' | '¼'..='¿' | '×' | '÷' | '\u{2190}'..='\u{25FF}')
}

/// True for a sign that may follow a word, but is not in it.
fn is_mark(c: char) -> bool {
    matches!(c, '§' | '©' | '®' | '«' | '»' | '°' | '²' | '³' | '¹')
}

/// The words in which a sign beyond US-ASCII is next to a letter, where few texts have one, or which have a letter
/// that the language lacks; each once.
pub(super) fn odd_words(text: &[u8], encoding: Encoding, language: Option<Language>) -> Vec<&[u8]> {
    let (mut found, mut known) = (Vec::new(), Hashes::default());
    if !is_single_byte(encoding) {
        return found;
    }
    let language = language.map(|language| {
        let mut set = LanguageSet::default();
        language.add_to(&mut set);
        set
    });
    let is_in_text = ByteSet::of(text);
    let class = |byte: u8| match is_in_text.contains(byte) {
        true => Byte::of(character(encoding, byte).unwrap_or(char::REPLACEMENT_CHARACTER), language),
        false => Byte::Other,
    };
    let table: [Byte; 256] = core::array::from_fn(|byte| class(byte as u8));
    let of = |at: Option<&u8>| at.map_or(Byte::Other, |byte| table[usize::from(*byte)]);
    let is_mark = |byte: &&u8| of(Some(byte)) == Byte::QuotationMark;
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii()) {
        let mut are_paired = None;
        for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_ascii()) {
            let are_letters = |from: usize, to: usize| {
                word.get(from..to).is_some_and(|some| some.iter().all(|byte| of(Some(byte)).is_letter()))
            };
            let is_letter_after_marks = |at: usize| {
                let next = word[at..].iter().map(|byte| of(Some(byte))).find(|next| *next != Byte::QuotationMark);
                next.is_some_and(Byte::is_letter)
            };
            let mut is_odd = |at: usize| {
                let before = at.checked_sub(1).is_some_and(|at| of(word.get(at)).is_letter());
                let after = of(word.get(at + 1)).is_letter();
                match of(word.get(at)) {
                    Byte::QuotationMark if before && is_letter_after_marks(at) => true,
                    Byte::QuotationMark => {
                        (before || after)
                            && !*are_paired.get_or_insert_with(|| line.iter().filter(is_mark).count() % 2 == 0)
                    }
                    Byte::Sign => before || after,
                    Byte::Opening => before,
                    Byte::Fraction => before || are_letters(at + 1, at + 2 + LONGEST_UNIT),
                    Byte::Superscript => at > LONGEST_UNIT && are_letters(at - LONGEST_UNIT - 1, at),
                    Byte::Dash => before && after,
                    Byte::Foreign => true,
                    Byte::Letter | Byte::Other => false,
                }
            };
            if (0..word.len()).any(&mut is_odd) && known.insert(hash_of(word)) {
                found.push(word);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_begins_with_half_a_quotation_is_broken() {
        let encoding = Encoding::for_label("x-mac-cyrillic").unwrap();
        for (text, is_broken) in [("\u{AB}има и лето\n", true), ("\u{AB}зима\u{BB} и лето\n", false)] {
            let bytes = encoding.encode(text).0;
            assert_eq!(has_broken_words(&bytes, encoding), is_broken, "{text}");
        }
    }

    /// ž, å and ç of code pages of DOS are signs in windows-1252.
    #[test]
    fn a_word_that_begins_with_a_sign_of_paragraphs_or_notes_is_broken() {
        let encoding = Encoding::for_label("windows-1252").unwrap();
        for text in [
            &b"Trg \xA7rtava 2\n"[..],
            b"\x86terst\xE5ende\n",
            b"A \x87evre sorunlar\xFD\n",
            b"Det \x94nskas\n",
            b"\x84ven, \x94dem\n",
            b"<td>\x87aklar</td>\n",
            b"7;\x86terst\xE5ende;28\n",
            b"name=\"\xA7ivot\"\n",
            b"Kevadel on vesi j\x94\x94ge\n",
        ] {
            assert!(has_broken_words(text, encoding), "{text:02X?}");
        }
        for text in [
            &b"nach \xA7 5 und \xA7\xA7 7, \xA75a\n"[..],
            b"\x86 1901, \x86Smith, Smith\x86 et al., (\x861901)\n",
            b"(\xA75a), 3;\xA712;x\n",
            b"Han sa \x94ja\x94.\n",
            b"\x84nein, so\nnicht\x93\n",
        ] {
            assert!(!has_broken_words(text, encoding), "{text:02X?}");
        }
    }

    /// ä, é, ö and ò of code pages of DOS are signs in windows-1252, ø of windows-1252 is one in IBM850, and я of
    /// windows-1251 in x-mac-cyrillic.
    #[test]
    fn a_word_with_a_sign_among_its_letters_is_broken() {
        let is_broken = |name: &str, text: &[u8]| has_broken_words(text, Encoding::for_label(name).unwrap());
        for (name, text) in [
            ("windows-1252", &b"Die Stra\xE1e w\x84re l\x84nger als man denkt\n"[..]),
            ("windows-1252", b"un r\x82gime sp\x82cial\n"),
            ("windows-1252", b"Zw\x94lf K\x94rbe\n"),
            ("windows-1252", b"e per\x95 non lo far\x95\n"),
            ("windows-1252", b"en gr\x9Bn tr\x9Bje, Bod\x9B\n"),
            ("windows-1252", b"H\xE5kon sp\xF8rger; desv\xE6rre t\xB5nker han\n"),
            ("windows-1252", b"\xA8iroka \xA8uma\n"),
            ("IBM850", b"en gr\xF8n tr\xF8je\n"),
            ("macintosh", b"H\x8Akon h\xA1rer godt\n"),
        ] {
            assert!(is_broken(name, text), "{name} {text:02X?}");
        }
        for text in [
            &b"Sie sagte \x84ja\x93und ging, \x84so\x93 und \x84so\x93.\n"[..],
            b"les n\xB0s 3 et 4, 20 \xB0C, 15 \xB5m, 1\xBA\n",
            b"\x95eins \x95zwei\n\x95 drei\n",
            b"\x8Bso\x9B und \x8Bso\x9B\n",
            b"\x9Bso\x8B und \x9Bso\x8B\n",
            b"100\x80 oder 5 \x80, Euro/\x80\n",
        ] {
            assert!(!is_broken("windows-1252", text), "{text:02X?}");
        }
    }

    #[test]
    fn katakana_of_half_width_are_words_of_their_own() {
        let encoding = Encoding::for_label("shift_jis").unwrap();
        let is_broken = |text: &str| has_broken_words(&encoding.encode(text).0, encoding);
        assert!(is_broken("ｼｾ完惘ｻｬｷ沁@懸魁ｻ咫鍵ｳ軒ｮ咫姦ｱｪｻ埀哮"));
        assert!(!is_broken("ﾌﾘｺﾐ手数料,ｼｽﾃﾑ部,ﾃﾞｰﾀ処理ｾﾝﾀｰ"));
        assert!(!is_broken("東京都千代田区ｶﾝﾀﾞ"));
        assert!(!is_broken("plain"));
    }

    /// ł, ¢ and the like: an upper note after a word needs a first one.
    #[test]
    fn notes_and_quotation_marks_without_their_first_are_broken() {
        let is_broken = |text: &[u8]| has_broken_words(text, Encoding::for_label("windows-1252").unwrap());
        assert!(is_broken(b"Rafa\xB3 Nowak\n"));
        assert!(is_broken(b"costs 75\x9B, or 80\x9B with milk\n"));
        for odd in [
            &b"the 2\xBB second\n"[..],
            b"5\xA6 edition\n",
            b"N\xA7 12\n",
            b"\xAB a pint\n",
            b"\x82 vero\n",
            b"so \x92 or\n",
        ] {
            assert!(is_broken(odd), "{odd:02X?}");
        }
        assert!(!is_broken(b"\xAB bon \xBB, \x91 so \x92, \xA7 5, Art.\xA7\xA7 7\n"));
        assert!(!is_broken(b"Erstens\xB9, zweitens\xB2, drittens\xB3\n"));
        assert!(!is_broken(b"25 m\xB2, 30 km\xB2 und 4 dm\xB3\n"));
        assert!(!is_broken(b"\x8Bbis 1990\x9B\n"));
    }

    #[test]
    fn letters_of_another_script_in_the_words_of_a_cell_are_odd() {
        for (name, word) in [("windows-1253", "Κλειδί"), ("KOI8-R", "Ключ"), ("windows-1251", "Стол")] {
            let encoding = Encoding::for_label(name).unwrap();
            let word = encoding.encode(word).0;
            let row = [b"4,\"", &*word, b"\",\"Die Schl\xFCssel liegen bei der Hausmeisterin im Hof\"\n"].concat();
            assert!(has_line_of_two_scripts(&row, encoding), "{name}");
        }
    }
}
