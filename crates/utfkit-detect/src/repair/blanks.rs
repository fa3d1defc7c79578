//! Spaces in doubled text that may be U+00A0, the last byte of a character.
//!
//! The last byte of `à` is A0, read as U+00A0. Many programs replace U+00A0 by a space, and several
//! spaces by one. So `bÃ n` was `bàn`, but `Ã la` was `à la`: the first space belongs to the character,
//! the second separates words. The language model scores both readings, and other such spaces in the
//! text show whether spaces were merged.

use alloc::vec::Vec;

use super::item::{Blank, Item};
use super::search::score;

/// The number of characters on each side of a space that are scored, with the rest of their words.
const AROUND: usize = 48;
/// The lead in bits that one word needs over two.
const ONE_WORD: i64 = 8;
/// [`ONE_WORD`] in capitals, which the model knows little about.
const ONE_WORD_OF_CAPITALS: i64 = 20;
/// The lead in bits that two words need over one.
const TWO_WORDS: i64 = 2;
/// [`TWO_WORDS`] for the word `à`.
const A_WORD: i64 = -3;
/// The lead in bits from which a place shows that spaces were merged.
const TWO_WORDS_OF_TEXT: i64 = 4;
/// The most places of a text that are counted.
const ENOUGH: u32 = 64;

/// Counts of the places in a text, which show whether spaces were merged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blanks {
    /// Characters with two spaces after them.
    two: u32,
    /// Characters at the end of a word, with one space after them.
    after: u32,
    /// All places that were counted.
    all: u32,
    /// Sequences that lost a byte and have no space for it.
    broken: u32,
}

impl Blanks {
    /// Adds the places of a line, in which some sequences are `broken`.
    pub(super) fn add(&mut self, items: &[Item], broken: usize) {
        self.broken = (self.broken as usize + broken).min(ENOUGH as usize) as u32;
        for at in (0..items.len()).filter(|at| items[*at].blank != Blank::None) {
            if self.all == ENOUGH {
                return;
            }
            self.all += 1;
            if items[at].blank == Blank::Two {
                self.two += 1;
            } else if is_between_letters(items, at) && lead(items, at) >= TWO_WORDS_OF_TEXT {
                self.after += 1;
            }
        }
    }

    /// Decides for each such space whether it belongs to its character or separates words. Where neither
    /// is likely enough, the character is replaced by the original ones in `line`.
    pub(super) fn settle(&self, items: &mut Vec<Item>, line: &[Item]) {
        let mut at = 0;
        while at < items.len() {
            let blank = items[at].blank;
            let is_inside = match blank {
                Blank::None => Some(true),
                // If bytes A0 were removed, a space is none of them.
                _ if 4 * self.broken > self.all => None,
                Blank::Two => Some(true),
                Blank::Inside | Blank::After => self.is_inside(items, at),
            };
            match (blank, is_inside) {
                (Blank::After, Some(true)) => items[at].end = items.remove(at + 1).end,
                (Blank::Inside, Some(false)) => {
                    let space = Item { c: ' ', is_undone: false, blank: Blank::None, ..items[at] };
                    items[at].end -= 1;
                    items.insert(at + 1, space);
                }
                (_, None) => {
                    let from = at - usize::from(is_undone_by_half(&items[..=at]));
                    let start = from.checked_sub(1).map_or(0, |before| items[before].end);
                    let end = items[at].end;
                    let was = line.iter().filter(|item| item.end > start && item.end <= end);
                    items.splice(from..=at, was.copied().collect::<Vec<_>>());
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// True if the space belongs to the character, false if it separates words; `None` if undecided.
    fn is_inside(&self, items: &[Item], at: usize) -> Option<bool> {
        let after = next(items, at);
        let Some(next) = items.get(after) else { return Some(true) };
        if is_undone_by_half(&items[..=at]) {
            return None;
        }
        let are_kept = self.two > 4 * self.after;
        if are_kept || items[at].c == '\u{A0}' || next.c <= ' ' {
            return Some(true);
        }
        if !is_between_letters(items, at) {
            return match next.c {
                ',' | ')' | ']' => Some(true),
                '.' if items.get(after + 1).is_none_or(|next| next.c != '.') => Some(true),
                // French has a space before them.
                '!' | '?' if self.after == 0 => Some(true),
                '0'..='9' if self.two == 0 && items[at].c.is_lowercase() => Some(false),
                '(' | '[' if self.two == 0 && self.after > 0 => Some(false),
                _ => None,
            };
        }
        if (items[at].c, next.c) == ('à', 's') && items.get(after + 1).is_none_or(|next| next.c <= ' ') {
            return Some(true);
        }
        // Text in ideographs has no spaces, but for that of some people.
        if is_ideograph(items[at].c) && is_ideograph(next.c) {
            return (!has_spaced_ideographs(items)).then_some(true);
        }
        let is_capital = |at: usize| items.get(at).is_some_and(|item| item.c.is_uppercase());
        let is_alone = !at.checked_sub(1).is_some_and(|before| items[before].c.is_alphanumeric());
        // A capital alone is seldom a word.
        if is_alone && is_capital(at) && next.c.is_lowercase() {
            return (lead(items, at) <= A_WORD).then_some(true);
        }
        let two_words = if is_alone && items[at].c == 'à' { A_WORD } else { TWO_WORDS };
        // After a letter that is open, a capital is in the same word.
        let is_after_open =
            matches!(items[..at], [.., open, space] if space.c == ' ' && !open.c.is_ascii() && !open.is_undone);
        let is_inside = is_after_open || is_capital(at.wrapping_sub(1));
        let are_capitals = is_inside && is_capital(at) && is_capital(after);
        let one_word = if are_capitals { ONE_WORD_OF_CAPITALS } else { ONE_WORD };
        match lead(items, at) {
            lead if lead >= two_words && !is_without_spaces(items[at].c) => Some(false),
            lead if lead <= -one_word => Some(true),
            _ => None,
        }
    }
}

/// True for `Ă` and U+00A0 at the end: `à` as the doubled text had it, which needs another undoing.
fn is_undone_by_half(items: &[Item]) -> bool {
    let [before @ .., lead, last] = items else { return false };
    last.c == '\u{A0}'
        && lead.is_undone
        && lead.c.is_uppercase()
        && (matches!(lead.c, 'Ã' | 'Ă') || before.last().is_some_and(|item| item.c.is_lowercase()))
}

/// The index of the character after the space.
fn next(items: &[Item], at: usize) -> usize {
    at + 1 + usize::from(items[at].blank == Blank::After)
}

fn is_between_letters(items: &[Item], at: usize) -> bool {
    items[at].c.is_alphabetic() && items.get(next(items, at)).is_some_and(|next| next.c.is_alphabetic())
}

/// True for letters of scripts that write words together.
fn is_without_spaces(c: char) -> bool {
    is_ideograph(c) || matches!(c, '\u{E00}'..'\u{1100}')
}

/// True for ideographs and for kana and signs among them, not for Hangul.
fn is_ideograph(c: char) -> bool {
    c >= '\u{2E80}' && !matches!(c, '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7A3}')
}

fn has_spaced_ideographs(items: &[Item]) -> bool {
    items.windows(3).any(|few| {
        few[1].c == ' ' && [few[0], few[2]].iter().all(|item| is_ideograph(item.c) && item.blank == Blank::None)
    })
}

/// The lead in bits of two words over one.
fn lead(items: &[Item], at: usize) -> i64 {
    let is_white = |item: &Item| item.c <= ' ';
    let next = next(items, at);
    let start = items[..at.saturating_sub(AROUND)].iter().rposition(is_white).map_or(0, |at| at + 1);
    let far = (next + AROUND).min(items.len());
    let end = items[far..].iter().position(is_white).map_or(items.len(), |len| far + len);
    let one = [&items[start..=at], &items[next..end]].concat();
    let two = [&items[start..=at], &[Item { c: ' ', ..items[at] }], &items[next..end]].concat();
    score(&one) - score(&two)
}

#[cfg(test)]
mod tests {
    use super::super::{Options, repair};
    use alloc::string::String;
    use utfkit_core::Encoding;

    fn misread(text: &str, name: &str) -> String {
        let read = Encoding::for_label(name).unwrap();
        read.decode_without_bom_handling(text.as_bytes()).0.into_owned()
    }

    fn undone(text: &str) -> String {
        repair(text.as_bytes(), &Options::new().undouble(true)).into_owned()
    }

    const TEXTS: [&str; 6] = [
        "Dnes večer přijede Šimon a přiveze dřevo.\nŠkola začíná až příští týden.\n",
        "Buổi sáng chúng tôi làm bánh và uống nước.\nNgười bán hàng cười vui vẻ.\n",
        "Šiandien važiuojame prie ežero.\nVaikai žaidžia šalia namų, o Šarūnė miega.\n",
        "Разговор начался рано.\nРыба плавает в реке, рядом растёт Роза.\n",
        "Παρακαλώ περίμενε εδώ.\nΠού πήγε ο Πέτρος σήμερα;\n",
        "Рано вранці ми пішли до річки.\nРоман приніс хліб і сіль.\n",
    ];

    #[test]
    fn a_letter_that_ends_in_a_space_is_of_its_word() {
        for text in TEXTS {
            for name in ["windows-1252", "windows-1250", "ISO-8859-1"] {
                for times in 1..3 {
                    let read = (0..times).fold(String::from(text), |text, _| misread(&text, name));
                    assert_eq!(undone(&read.replace('\u{A0}', " ")), text, "{name} {times}");
                }
            }
        }
    }

    #[test]
    fn a_space_that_was_made_of_two_parts_words() {
        for text in [
            "Il était à la maison, prêt à partir à 8 heures.\nElle a donné à sa mère un déjà vieux livre.\n",
            "La qualità del caffè è buona.\nQuesta città ha più università di quella.\n",
        ] {
            let read = misread(text, "windows-1252").replace("\u{A0} ", " ").replace('\u{A0}', " ");
            assert_eq!(undone(&read), text);
        }
    }

    /// Two spaces elsewhere show that none was lost.
    #[test]
    fn what_is_open_is_told_by_other_lines_or_left() {
        let open = "Un lieu là-bas, près de l'étang.\n";
        let read = misread(open, "windows-1252").replace('\u{A0}', " ");
        assert_eq!(undone(&read), open.replace("à-", "Ã -"));
        let told = [open, "Il est né à Paris, près de là où elle est née à Lyon.\n"].concat();
        assert_eq!(undone(&misread(&told, "windows-1252").replace('\u{A0}', " ")), told);
    }

    /// The neighbours of a space may be words that another chain explains.
    #[test]
    fn a_second_run_parts_the_words_that_the_first_one_left() {
        let left = [
            "Domani la squadra partirÄ‚Â verso il porto più vicino.\n",
            "Il treno (velocitÄ‚Â media).\n",
            "della torre antica ritroverÄ‚Â pace dopo il freddo, la pioggia e il\n",
            "1. Porta il motore in modalitÄ‚Â invernale: poi attendi\n",
            "Le loro attivitÄ‚Â serali, quando è stata chiusa la scuola.\n",
            "tornare alla pagina prima (e non dirÄ‚Â né bene né male). Poi\n",
        ]
        .concat();
        let found = undone(&left);
        for (word, next) in [("partir", "verso"), ("velocit", "media"), ("attivit", "serali"), ("dir", "né")] {
            let places = ["à", "Ä‚Â"].map(|letter| [word, letter, " ", next].concat());
            assert!(places.iter().any(|place| found.contains(place)), "{found}");
        }
        assert_eq!(undone(&found), found);
    }

    #[test]
    fn spaces_between_words_of_korean_and_spaced_ideographs_remain() {
        let korean = "아침에 학교로 갈 수 있다.\n이제 우리는 비가 와도 할 일을 한다.\n\
                      오늘 저녁에 볼 영화가 많고 이미 표를 샀다.\n";
        let chinese = "如果 你 不熟悉 这个 城市, 下面 的 地图 可能 有用.\n他 每天 早上 在 公园 里 读 报纸.\n";
        for text in [korean, chinese] {
            let read = misread(text, "windows-1252");
            assert_eq!(undone(&read.replace('\u{A0}', " ")), text);
            let found = undone(&read.replace("\u{A0} ", " ").replace('\u{A0}', " "));
            let spaces = |text: &str| text.matches(' ').count();
            assert_eq!(spaces(&found), spaces(text), "{found}");
        }
        let ideographs = "如果你不熟悉这个城市，下面的地图可能有用。\n他每天早上在公园里读报纸，里面的新闻有趣。\n";
        assert_eq!(undone(&misread(ideographs, "windows-1252").replace('\u{A0}', " ")), ideographs);
    }

    /// `Š` is a letter that the text is about, and `ВИБІР` has two letters whose space is lost.
    #[test]
    fn a_capital_alone_is_joined_where_the_model_agrees() {
        for (text, joined) in [
            ("Pārvietojiet bultu virs Š vārdā Šoks.\nVārds Šoks sākas ar Š vai s.\n", "Švārdā"),
            ("Крок 2: ВИБІР ТОВАРУ ДЛЯ ПРОДАЖУ\nДалі відбувається ВИБІР ТКАНИНИ і кольору.\n", "РТ"),
        ] {
            let times = 1 + usize::from(joined == "РТ");
            let read = (0..times).fold(String::from(text), |text, _| misread(&text, "windows-1252"));
            let found = undone(&read.replace("\u{A0} ", " ").replace('\u{A0}', " "));
            assert!(!found.contains(joined), "{found}");
        }
    }

    /// With bytes A0 removed, the space after `제` is none of them, and the rest of a sequence is no other encoding.
    #[test]
    fn text_that_lost_its_bytes_is_undone_to_no_other_letters() {
        let korean = "이제 우리는 비가 와도 할 일을 한다.\n전체 목록을 저장하면 명령 두 개가 출력된다.\n\
                      그리고 일전까지 법률이 확정된 뒤에, 대통령이 정한다.\n";
        let chinese = "* [大流士火星曆](/wiki/Darian \"大流士火星曆\")\n\"火星運河\")」，用來灌溉[植物](/wiki/Plant\n";
        let hebrew = "הספר החדש של הסופרת, נמצא אצל חברים למדתי.\nאנחנו אוכלים לחם כל בוקר, ושותים תה.\n";
        for (text, name, times) in [
            (korean, "windows-1253", 1),
            (korean, "windows-1251", 1),
            (korean, "ISO-8859-1", 1),
            (chinese, "windows-1252", 2),
            (chinese, "windows-1254", 2),
            (hebrew, "ISO-8859-1", 2),
        ] {
            let read = (0..times).fold(String::from(text), |text, _| misread(&text, name)).replace('\u{A0}', "");
            let mut found = read.clone();
            for _ in 0..2 {
                found = undone(&found);
                let is_known = |c: char| c.is_ascii() || read.contains(c) || text.contains(c);
                assert!(found.chars().all(is_known), "{name} {found}");
            }
        }
    }

    /// `Ã` alone would be a letter of Romanian in code pages of DOS.
    #[test]
    fn letters_that_lost_a_byte_are_of_no_other_encoding() {
        for text in [
            "El caràcter següent és així.\nMés ràpid que ahir, això és veritat.\n",
            "La città è più bella di così.\nQuesta novità avrà l'età giusta.\n",
        ] {
            for lost in ["", " "] {
                let read = misread(text, "windows-1252").replace('\u{A0}', lost);
                let found = undone(&[&read, "El primer car\u{C3} cter equivocat.\n", &read].concat());
                assert!(!found.contains('ă'), "{found}");
            }
        }
    }
}
