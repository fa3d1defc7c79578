//! Tells text that was meant from text that was misread.

use alloc::vec::Vec;
use core::ops::Range;

use super::crossing::crossing;
use super::item::Item;
use super::misreading::{Index, Misreadings};
use super::oddness::is_c1;
use crate::model::{LatinSet, Token, is_foreign_letter, is_letter, latin_languages};

/// More letters are no chance, whatever their languages.
const FEW_LETTERS: usize = 6;

/// True if an undoing of `line` is likely to be wrong: it found no more than chance would, it made a word of no
/// language, or the line is about the changed characters. `undone` are the words of the line after it.
#[inline(never)]
pub(super) fn is_meant(table: &Misreadings, line: &[Item], encodings: &[Index], undone: &[Item]) -> bool {
    if is_about(line, undone) {
        return true;
    }
    match *encodings {
        [index] => match crossing(index) {
            Some(crossing) => crossing.is_of_controls() && (are_named(line) || are_in_words(line)),
            None => {
                are_of_signs(line, undone) || is_chance(undone, |c| table.byte(index, c)) || are_of_no_language(undone)
            }
        },
        _ => are_of_signs(line, undone),
    }
}

/// True if `line` explains misread text: `{"Ã¤": "ä"}`, `â€™ -> ’`, `replace("Ã©", "e")`. Each changed character or
/// quoted word of `after` is in the line itself, too, or is quoted to be looked up or replaced.
#[inline(never)]
pub(super) fn is_about(line: &[Item], after: &[Item]) -> bool {
    let is_in_word = |item: &Item| item.is_undone || item.c.is_alphanumeric();
    let is_edge = |item: Option<&Item>| item.is_none_or(|item| !item.c.is_alphanumeric());
    let is_there = |word: &[Item]| {
        let is_same = |few: &[Item]| few.iter().zip(word).all(|(a, b)| a.c == b.c);
        line.windows(word.len())
            .enumerate()
            .any(|(at, few)| is_same(few) && is_edge(line[..at].last()) && is_edge(line[at + few.len()..].first()))
    };
    let replaces = || {
        let word = |few: &[Item]| few.iter().zip(b"replace").all(|(item, c)| item.c as u32 | 0x20 == u32::from(*c));
        line.windows(7).any(word)
    };
    let is_quote = |item: Option<&Item>| item.is_some_and(|item| matches!(item.c, '"' | '\'' | '`'));
    let is_quoted = |word: &Range<usize>| is_quote(after[..word.start].last()) && is_quote(after.get(word.end));
    let is_quotation = |c: char| matches!(c, '‘' | '’' | '“' | '”');
    let is_space = |item: Option<&Item>| item.is_some_and(|item| item.c == ' ');
    let is_apart = |word: &Range<usize>| is_space(after[..word.start].last()) && is_space(after.get(word.end));
    let is_key = |word: &Range<usize>| {
        let end = after.get(word.end + 1..).unwrap_or_default();
        let next = end.iter().find(|item| item.c != ' ').map_or(' ', |item| item.c);
        matches!(next, ':' | '=') && word.len() == 1
    };
    let (mut at, mut all) = (0, 0);
    while at < after.len() {
        let len = after[at..].iter().take_while(|item| is_in_word(item)).count();
        let word = at..at + len;
        at = word.end + 1;
        if !after[word.clone()].iter().any(|item| item.is_undone) {
            continue;
        }
        all += 1;
        let is_meant = match (is_quoted(&word), &after[word.clone()]) {
            (true, changed) => is_there(changed) || is_key(&word) || replaces(),
            // Of the words of a text, some may be misread. A letter alone is seldom one of them, and a quotation mark
            // is never alone.
            (false, [changed]) => {
                let is_named = || is_there(&[*changed]) || (is_quotation(changed.c) && is_apart(&word));
                is_beside(line, *changed) || (all <= FEW_LETTERS && is_named())
            }
            _ => false,
        };
        if !is_meant {
            return false;
        }
    }
    all > 0
}

/// True if the character that `changed` became is before or after it, with signs of US-ASCII between them.
fn is_beside(line: &[Item], changed: Item) -> bool {
    const APART: usize = 6;
    let end = line.partition_point(|item| item.end <= changed.end);
    let signs = |items: &[Item]| {
        let is_sign = |item: &&Item| item.c.is_ascii() && !item.c.is_ascii_alphanumeric();
        items.iter().take(APART).take_while(is_sign).count()
    };
    let is_same = |at: usize| line.get(at).is_some_and(|item| item.c == changed.c);
    let (after, mut before) = (signs(&line[end..]), end.saturating_sub(2 * APART)..end);
    (after > 0 && is_same(end + after)) || before.any(|at| is_same(at) && signs(&line[at + 1..end]) > 0)
}

/// True if a further undoing of `before` is of letters beside signs alone: `Р“` in `„Р“` is no `Г`.
#[inline(never)]
pub(super) fn is_further_of_signs(before: &[Item], after: &[Item]) -> bool {
    let before: Vec<Item> = before.iter().map(|item| Item { is_undone: false, ..*item }).collect();
    let is_kept = |item: &Item| {
        let at = before.partition_point(|other| other.end < item.end);
        before.get(at).is_some_and(|other| (other.end, other.c) == (item.end, item.c))
    };
    let is_further = |item: &Item| item.is_undone && !is_kept(item);
    let after: Vec<Item> = after.iter().map(|item| Item { is_undone: is_further(item), ..*item }).collect();
    // U+00A0 and controls are no signs of a text.
    let ends_in_sign = |item: &Item| {
        let end = before.partition_point(|other| other.end <= item.end);
        end.checked_sub(1).is_none_or(|last| !matches!(before[last].c, '\u{80}'..='\u{A0}'))
    };
    after.iter().filter(|item| item.is_undone).all(ends_in_sign) && are_of_signs(&before, &after)
}

/// True if each changed character was a letter beside a sign, which is not a letter of a word: `Å³`, `»Ä«`, `BLÅ®`,
/// `├Äpfel`.
fn are_of_signs(line: &[Item], after: &[Item]) -> bool {
    let is_of_word = |item: Option<&Item>| item.is_some_and(|item| item.is_undone || is_letter(item.c));
    let is_of_sign = |at: usize, item: &Item| {
        // Two characters of one byte each.
        let end = line.partition_point(|before| before.end <= item.end);
        let (true, [front @ .., lead, trail]) = (item.c < '\u{800}', &line[..end]) else { return false };
        let (lead, trail) = (lead.c, trail.c);
        // `after` lacks words in US-ASCII: its neighbours may be apart in the line.
        let is_at = |item: Option<&Item>, at: Option<&Item>| item.zip(at).is_some_and(|(a, b)| a.end == b.end);
        let before = after[..at].last().filter(|before| is_at(Some(before), front.last()));
        let next = after.get(at + 1).filter(|next| next.is_undone && is_at(Some(next), line.get(end + 1)));
        let is_followed = next.is_some() || (trail != ' ' && is_of_word(line.get(end)));
        let is_alone = !is_of_word(before) && !is_followed;
        // The letters of Western languages, and today's of Greek and Cyrillic, are words.
        let is_common = matches!(item.c, ..'\u{100}' | '\u{386}'..'\u{460}');
        let is_quoted = is_alone && matches!(trail, '”' | '“' | '’' | '‘' | '«' | '»' | '΄' | '´' | '…');
        let is_unit = is_alone && !is_common && !is_letter(trail);
        let is_brand = matches!(trail, '®' | '™')
            && !matches!(lead, 'Ã' | 'Â')
            && front.last().is_some_and(|item| item.c.is_ascii_uppercase())
            && !is_followed;
        if is_letter(lead) {
            return is_quoted || is_unit || is_brand;
        }
        let is_product = is_alone && (trail == '×' || (lead == '×' && trail == ' '));
        // In macintosh and code pages of DOS, a sign is the first byte.
        let is_quotation_mark = matches!(lead, '“' | '”' | '‘' | '’' | '«' | '»');
        let is_first = !is_of_word(before) && next.is_none();
        let is_branch = matches!(lead, '\u{2500}'..'\u{2580}') && trail.is_uppercase();
        // `Å` before a space, which may have been U+00A0, or between dashes.
        let is_single = is_alone && (!is_common || lead == '–');
        is_product || (is_first && is_letter(trail) && (is_quotation_mark || is_branch || is_single))
    };
    let mut undone = after.iter().enumerate().filter(|(_, item)| item.is_undone).peekable();
    undone.peek().is_some() && undone.all(|(at, item)| is_of_sign(at, item))
}

/// True if the same bytes in a random order would have more sequences of UTF-8. `byte` returns the byte of a character
/// that was not undone.
fn is_chance(after: &[Item], byte: impl Fn(char) -> Option<u8>) -> bool {
    let (mut sequences, mut leads, mut continuations, mut all, mut stretches) = (0, 0, 0, 0, 0);
    let mut is_inside = false;
    for item in after {
        let (lead, others) = match byte(item.c) {
            _ if item.is_undone => (1, item.c.len_utf8() - 1),
            _ if item.c.is_ascii() => (0, 0),
            Some(0xC2..) => (1, 0),
            Some(0x80..0xC0) => (0, 1),
            _ => (0, 0),
        };
        sequences += usize::from(item.is_undone);
        (leads, continuations, all) = (leads + lead, continuations + others, all + lead + others);
        stretches += usize::from(lead + others > 0 && !is_inside);
        is_inside = lead + others > 0;
    }
    sequences * all * all < (all - stretches) * leads * continuations
}

/// True if most of the changed words have letters that no language of the model has together, or one has a
/// capital that no language has after a small letter: `fǬr`, of `fÃ¼r` in another encoding.
fn are_of_no_language(after: &[Item]) -> bool {
    let is_undone = |item: &&Item| item.is_undone;
    let is_odd = |pair: &[Item]| {
        pair[1].is_undone && pair[1].c.is_uppercase() && is_foreign_letter(pair[1].c) && pair[0].c.is_lowercase()
    };
    if after.windows(2).any(is_odd) {
        return true;
    }
    if after.iter().filter(is_undone).count() > FEW_LETTERS {
        return false;
    }
    let words = after.split(|item| !is_letter(item.c)).filter(|word| word.iter().any(|item| item.is_undone));
    let (mut all, mut odd) = (0, 0);
    for word in words {
        let languages = word.iter().filter(is_undone).fold(LatinSet::MAX, |set, item| set & latin_languages(item.c));
        all += 1;
        odd += usize::from(languages == 0 && word.iter().filter(is_undone).count() > 1);
    }
    2 * odd > all
}

/// True if a control that is no apostrophe parts the last letter from a word: it is a letter, too.
fn are_in_words(line: &[Item]) -> bool {
    line.windows(4).any(|part| {
        let &[before, c, last, end] = part else { return false };
        let [before, c, last, end] = [before, c, last, end].map(|item| item.c);
        let is_consonant = last.is_ascii_lowercase() && !matches!(last, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
        before.is_lowercase() && is_c1(c) && c != '\u{92}' && is_consonant && !end.is_alphanumeric()
    })
}

/// True if the line names each of its C1 controls by its code point, as a table does: `0x80, // \u{80}`.
fn are_named(line: &[Item]) -> bool {
    let is_named = |c: char| {
        line.split(|item| !item.c.is_ascii_alphanumeric()).any(|word| {
            let (mut decimal, mut hex, mut is_hex) = (0_u32, 0_u32, false);
            for item in word {
                match item.c.to_digit(16) {
                    Some(digit) => {
                        is_hex |= hex == 0 && digit == 0;
                        decimal = decimal.wrapping_mul(10).wrapping_add(digit);
                        hex = hex << 4 | digit;
                    }
                    // The digits come after a letter.
                    None => (decimal, hex, is_hex) = (0, 0, true),
                }
            }
            let value = u32::from(c);
            decimal == value || (is_hex && hex == value)
        })
    };
    line.iter().map(|item| item.c).filter(|c| is_c1(*c)).all(is_named)
}

/// A bonus for the unchanged text if its runs are letters followed by a sign, or products:
/// `AMANHÃ…`, `Ã’s`, `T•Ø•R`, `5×£35`.
pub(super) fn intended_bonus(text: &[Item]) -> i64 {
    const AFTER: [char; 10] = ['’', '…', '”', '“', '»', '›', '–', '—', '•', '\u{A0}'];
    let is_intended = |run: &[Item]| {
        let run = &run[run.iter().position(|item| item.c.is_alphabetic() || item.c == '×').unwrap_or(0)..];
        matches!(run, [letter, sign] if letter.c.is_alphabetic() && AFTER.contains(&sign.c))
            // In windows-1255, a product sign and one more character are a Hebrew letter,
            // which does not come alone.
            || matches!(run, [times, _] if times.c == '×')
    };
    // Single characters and lower-case letters hardly ever fit an encoding.
    let is_word = |run: &[Item]| run.len() < 2 || run.iter().all(|item| item.c.is_lowercase());
    let runs = text.split(|item| item.c.is_ascii()).filter(|run| !is_word(run));
    if runs.clone().next().is_none() || !runs.clone().all(is_intended) {
        return 0;
    }
    // A word in capitals up to its end.
    let is_capital =
        |text: &[Item]| matches!(text, [a, b, c] if a.c.is_ascii_uppercase() && b.c.is_uppercase() && c.c == '\u{A0}');
    // `Ã•` is a common letter that was misread.
    let is_list = runs.clone().flatten().any(|item| item.c == '•') && !text.iter().any(|item| item.c == 'Ã');
    match runs.count() {
        _ if is_list => 100,
        1 if !text.windows(3).any(is_capital) => 10,
        _ => 20,
    }
}

/// True for a list of letters: in the order of their code points, capitals with their small letters, US-ASCII in its
/// order, or one letter again and again.
pub(super) fn is_alphabet(text: &[Item]) -> bool {
    let is_by = |step: u32| {
        move |few: &[Item]| {
            few.windows(2).all(|pair| !pair[0].c.is_ascii() && pair[1].c as u32 == pair[0].c as u32 + step)
        }
    };
    let is_rising = |few: &[Item]| few.is_sorted_by(|a, b| !a.c.is_ascii() && a.c < b.c);
    let is_of_ascii = |few: &[Item]| {
        few.iter().all(|item| item.c.is_ascii_alphabetic())
            && few.windows(2).all(|pair| pair[1].c as u32 == pair[0].c as u32 + 1)
    };
    let non_ascii = text.iter().filter(|item| !item.c.is_ascii()).count();
    let is_list = |few: &[Item]| 2 * few.len() >= non_ascii;
    text.split(|item| !item.c.is_alphabetic() || item.c.is_ascii()).any(|few| is_list(few) && has_both_cases(few))
        || text.windows(6).any(|few| is_list(few) && is_rising(few))
        || text.windows(4).any(is_by(1))
        || text.windows(4).any(is_by(0))
        || text.windows(7).any(is_rising)
        || text.windows(6).any(is_of_ascii)
}

/// True for at least three capitals, their small letters, and at most one other letter: `ÄÖÜäößü`.
fn has_both_cases(word: &[Item]) -> bool {
    let letters = || word.iter().map(|item| Token::of(item.c)).filter(|token| token.is_letter());
    let capitals = || letters().filter(|letter| letter.is_capital());
    let has_small =
        |capital: Token| letters().any(|letter| !letter.is_capital() && letter.meaning() == capital.meaning());
    let count = capitals().count();
    count > 2 && 2 * count + 1 >= word.len() && capitals().all(has_small)
}

/// The least number of letters of a word. Units and formulas have fewer: `kΩ`, `Σx`.
const WORD: usize = 3;

/// True if an undoing changed letters in words: signs would be no more likely than the letters that they were, and
/// single letters are a list of letters, or were symbols.
/// `were_letters` is the number of letters beyond US-ASCII before.
pub(super) fn are_words(were_letters: usize, before: &[Item], after: &[Item]) -> bool {
    // Every byte from A1 to DF is a katakana of half width.
    let is_full = |c: char| is_letter(c) && !matches!(c, '\u{FF61}'..='\u{FF9F}');
    let is_full_at = |at: usize| after.get(at).is_some_and(|item| is_full(item.c));
    // `µmol`, of which the other reading is the first letter of a word.
    let is_micro = |at: usize| before.len() == after.len() && before[at].c == 'µ' && !is_full_at(at.wrapping_sub(1));
    let len_of_word = |at: usize| {
        let back = (0..at).rev().take_while(|&at| is_full_at(at)).count();
        back + (at..after.len()).take_while(|&at| is_full_at(at)).count()
    };
    let (mut changed, mut letters, mut alone, mut are_letters) = (0, 0, 0, 0);
    for (at, item) in after.iter().enumerate().filter(|(_, item)| !item.c.is_ascii()) {
        let is_letter = is_full(item.c);
        are_letters += usize::from(is_letter);
        if item.is_undone {
            changed += 1;
            letters += u32::from(is_letter);
            let is_alone = is_letter && item.c < '\u{2E80}' && (len_of_word(at) < WORD || is_micro(at));
            alone += u32::from(is_alone);
        }
    }
    let keeps_letters = after.len() < before.len() || 8 * are_letters >= 7 * were_letters;
    4 * letters >= 3 * changed && 2 * alone <= letters && keeps_letters && has_kinds_or_word(after)
}

/// True if several different letters were changed, or one in a word of letters of US-ASCII: `XΣXΣ` may be meant.
fn has_kinds_or_word(after: &[Item]) -> bool {
    let mut changed = after.iter().filter(|item| item.is_undone).map(|item| item.c);
    let first = changed.next();
    let ascii = |word: &[Item]| word.iter().filter(|item| item.c.is_ascii_alphabetic()).count();
    let mut words = after.split(|item| !is_letter(item.c)).filter(|word| word.iter().any(|item| item.is_undone));
    changed.any(|c| Some(c) != first) || words.any(|word| ascii(word) > 2)
}

#[cfg(test)]
mod tests {
    use crate::repair::{Options, Repairer, Stretch, Survey};
    use alloc::string::String;
    use alloc::vec::Vec;
    use utfkit_core::Encoding;

    fn undone(text: &str) -> String {
        let options = Options::new().undouble(true);
        let mut survey = Survey::new(&options);
        survey.feed(text.as_bytes());
        let mut repairer = Repairer::new(options).with_evidence(survey.finish());
        let mut all = Vec::new();
        let mut take = |piece: Stretch<'_>| all.extend_from_slice(piece.text());
        repairer.feed(text.as_bytes(), &mut take);
        repairer.finish(&mut take);
        String::from_utf8(all).unwrap()
    }

    /// `Р“` is `Г` in windows-1251.
    #[test]
    fn a_letter_in_quotation_marks_is_undone_as_often_as_the_marks() {
        for text in [
            "Строка „Р“ пуста.\n",
            "Пункт „П“ и пункт „Л“\n",
            "Графа\t’Ш‘\tимя\nЧисла растут, люди поют.\n",
            "С…: о том, как всё началось\n",
            "Знак\tΔ®\tимя\nЧисла растут, люди поют.\n",
        ] {
            for name in ["windows-1251", "windows-1252", "windows-1250"] {
                let read = Encoding::for_label(name).unwrap();
                let misread = |text: &str| read.decode_without_bom_handling(text.as_bytes()).0.into_owned();
                let once = misread(text);
                for misread in [misread(&once), once] {
                    let found = undone(&misread);
                    assert!(found == text || found == misread, "{name} {found}");
                }
            }
            let read = Encoding::for_label("windows-1251").unwrap().decode_without_bom_handling(text.as_bytes()).0;
            assert_eq!(undone(&read), text);
        }
    }

    #[test]
    fn lists_of_letters_are_left() {
        for text in [
            "Casechars: [A-Za-zÄÖÜäößü]\nNot-Casechars: [^A-Za-zÄÖÜäößü]\nOtherchars: ÄÖÜäößü\n",
            "test of accents: àèéìòù ok",
        ] {
            assert_eq!(undone(text), text);
        }
    }

    #[test]
    fn symbols_and_formulas_are_left() {
        for text in [
            "Ω = 5 kΩ; ∆x ≤ 3 µm\n",
            "R1 = 47 kΩ, R2 = 1 MΩ, U ≥ 3 V, I ≤ 9 µA",
            "σ ≈ 0.5; π/2 ≤ φ; ε ≥ 0",
            "Dosis 12 µSv, 7 µSv/h ± 2 µSv",
            "T ≈ 31 °C; Σx ≥ Σy; α = 45°",
            "f(φ) = Φ·√2; τ ∞ δ",
        ] {
            for text in [text.into(), text.repeat(9), alloc::format!("Technical data\n{text}\nEnd\n")] {
                assert_eq!(undone(&text), text);
            }
        }
    }

    #[test]
    fn texts_about_misread_text_are_left() {
        for text in [
            "FIXES = {\"Ã¼\": \"ü\", \"Ã±\": \"ñ\"}\n",
            "| Ã¨ | è |\n| Ã§ | ç |\n| â€“ | – |\n",
            "s/Ã¶/ö/g\ns/ÃŸ/ß/g\n",
            "text = text.replace(\"â€™\", \"'\").replace('Ã©', 'e')\n",
            "Fichier affiché \"GenÃ¨ve\" au lieu de \"Genève\".\n",
            "  'Ã¥': 'aa',\n  'Ã¸': 'oe',\n",
        ] {
            assert_eq!(undone(text), text);
            assert_eq!(undone(&text.repeat(20)), text.repeat(20));
        }
        assert_eq!(undone("\"title\": \"GenÃ¨ve et ZÃ¼rich\"\n"), "\"title\": \"Genève et Zürich\"\n");
    }

    #[test]
    fn tables_of_controls_are_left() {
        for row in ["{}0x{x}, // {c}\n", "u00{x} '{c}'\n", "{d}\t{c}\n", "\\x{x}={c}\n"] {
            let row = |c: char| {
                let (hex, decimal) = (alloc::format!("{:02X}", c as u32), alloc::format!("{}", c as u32));
                row.replace("{x}", &hex)
                    .replace("{d}", &decimal)
                    .replace("{c}", c.encode_utf8(&mut [0; 4]))
                    .replace("{}", " ")
            };
            let table: String = ('\u{80}'..'\u{A0}').map(row).collect();
            assert_eq!(undone(&table), table);
        }
        // Other numbers name none.
        assert_eq!(undone("in 1992 they\u{92}d 0x41 \u{96} so"), "in 1992 they’d 0x41 – so");
    }

    /// Each column of a table may have been read in another encoding.
    #[test]
    fn cells_are_undone_beside_clean_ones() {
        for read in ["windows-1250", "windows-1251", "IBM437", "IBM850", "macintosh", "KOI8-R"] {
            let read = utfkit_core::Encoding::for_label(read).unwrap();
            for text in ["Größe und Gewicht schützen", "Цвет и размер", "Boyutları değiştirildiği için"]
            {
                let misread = read.decode_without_bom_handling(text.as_bytes()).0.into_owned();
                for around in ["@\t#\n", "#;@;12\n", "(3,'#','@')\n", "\"@\", \"#\"\n", "a|#|b|@\n"] {
                    for clean in ["für die Straße, ähnlich", "Жёлтый цвет, новый", "Şişli İlçesi"]
                    {
                        let of = |cell: &str| around.replace('#', clean).replace('@', cell);
                        let found = undone(&of(&misread).repeat(2));
                        assert_eq!(found, of(text).repeat(2), "{}", read.name());
                    }
                }
            }
        }
    }

    /// In words, as a manual has it.
    #[test]
    fn sentences_about_misread_text_are_left() {
        for text in [
            "Wer Ã¤ statt ä sieht, hat die Datei in der falschen Kodierung geladen.",
            "When the page shows Ã± where ñ should be, set the charset.",
            "Some mailers print â€œ and â€\u{9d} around a word.",
            "An apostrophe becomes â€™ in such an export.",
            "Å¡ au lieu de š : le fichier est en UTF-8.",
        ] {
            assert_eq!(undone(text), text);
            assert_eq!(undone(&alloc::format!("First line.\n{text}\nLast line.\n")).matches(text).count(), 1, "{text}");
        }
        // Words of a text that was misread, some of which are one letter.
        for (misread, text) in [
            ("La casa Ã¨ grande perchÃ© è nuova.", "La casa è grande perché è nuova."),
            ("Hij zei: â€œkomâ€\u{9d} en ging â€™s avonds weg.", "Hij zei: “kom” en ging ’s avonds weg."),
        ] {
            assert_eq!(undone(misread), text);
        }
    }

    /// With U+00A0 for the space, `áš ` would be `ᚠ`, and `áž ` a letter of Khmer.
    #[test]
    fn words_before_a_space_are_left_beside_misread_cells() {
        let read = utfkit_core::Encoding::for_label("windows-1252").unwrap();
        for clean in ["Lukáš Bareš", "stráž u brány", "koláž a montáž", "hned to znáš i ty", "éž mi jdeš na nervy"]
        {
            for text in ["Vysoká škola", "žluté květy", "sídlo firmy"] {
                let misread = read.decode_without_bom_handling(text.as_bytes()).0.into_owned();
                let of = |cell: &str| alloc::format!("1;{clean};{cell};12.5.2003\n2;{cell};{clean} 7;\n");
                assert_eq!(undone(&of(&misread).repeat(3)), of(text).repeat(3));
            }
        }
        // A lone letter of a text in ideographs is one that lost U+00A0.
        let text = "場所：工場、会場、市場、 場 1\n";
        let misread = read.decode_without_bom_handling(text.as_bytes()).0.replace('\u{A0}', " ");
        assert_eq!(undone(&misread), text);
    }

    #[test]
    fn a_plural_whose_space_does_not_break_is_a_word() {
        for (misread, text) in [
            ("NÃ£o vou Ã s compras amanhÃ£.", "Não vou às compras amanhã."),
            ("Ã s vezes Ã© assim, Ã s cinco nÃ£o.", "às vezes é assim, às cinco não."),
            ("Il va Ã sa maison, fermÃ©e Ã six heures.", "Il va à sa maison, fermée à six heures."),
            ("DÃ©cidÃ© Ã s'en aller.", "Décidé à s'en aller."),
        ] {
            assert_eq!(undone(misread), text);
        }
    }

    /// Each would be a letter in some encoding.
    #[test]
    fn cells_of_signs_are_left() {
        for text in ["Å³\tØ±0,05\t„Ö“\tΒ΄\n", "BLÅ®;5 × 3;Β΄;Å²\n", "№;Å³;ялинка;Ñ°;Đ”\n", "«Æ»,Β΄,kΩ,»Ä«\n"]
        {
            for text in [text.into(), text.repeat(3), alloc::format!("Größe;Länge\n{text}")] {
                assert_eq!(undone(&text), text);
            }
        }
    }

    #[test]
    fn what_any_bytes_have_by_chance_is_left() {
        let noise = "q^ŔGć˝ďĽŰ.k´ňöÉţŘcţĂelŮ¸J^ŃËRŢsÔ§8äWÖŞŔW¸Z^ÚÁtűŃl=˘ÓŘbą{PÚU_ÉŘHÜĆ×,¸lx]¸ËkŇ";
        let text = alloc::format!("Kto zamĂłwiĹ‚ herbatÄ™?\n{noise}\n");
        assert_eq!(undone(noise), noise);
        assert_eq!(undone(&text), alloc::format!("Kto zamówił herbatę?\n{noise}\n"));
    }

    /// Read as IBM850, each pair would be a letter that no language has there.
    #[test]
    fn capitals_of_no_language_within_words_are_left() {
        for text in ["die tã¼r führt hinaus", "bitte ã¼ben, dann zurã¼ck", "ein stã¼ck fã¼r mich"] {
            for text in [text.into(), text.repeat(3), alloc::format!("{text}\n{text}\n")] {
                assert_eq!(undone(&text), text);
            }
        }
    }

    /// The same words are no less evidence for a second encoding.
    #[test]
    fn lines_of_one_text_in_several_readings_are_all_undone() {
        let text = "Die Brücke über den Fluß wird für Fußgänger geöffnet.";
        let read = |name: &str| utfkit_core::Encoding::for_label(name).unwrap();
        let misread = |name: &str| read(name).decode_without_bom_handling(text.as_bytes()).0.into_owned();
        let names = ["windows-1252", "macintosh", "IBM437"];
        for (first, second) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let lines = [text.into(), misread(names[first]), misread(names[second]), text.into()].join("\n");
            assert_eq!(undone(&lines), [text; 4].join("\n"), "{} {}", names[first], names[second]);
        }
    }

    #[test]
    fn letters_that_no_language_has_together_are_left() {
        for text in ["Name[xx]=Å¨Ä\u{A0}¯Ä¡Å¢", "xÅµÄ§ yÄ§Å¢"] {
            assert_eq!(undone(text), text);
        }
        assert_eq!(undone("ÅšwiÄ™ta pĂ"), "Święta pĂ");
    }
}
