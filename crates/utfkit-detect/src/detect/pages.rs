//! Lines in several older encodings: a file that was edited on two systems, or joined of two files.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::certainty::Certainty;
use super::language::{Language, language_of};
use super::legacy::{CLOSE, Guessable, LegacyText, guessable, is_ebcdic, own_script, prior};
use super::line_costs::{Lines, SURE};
use super::odd_lines::{CHANCE, OddLine, chars, odd_lines};
use super::odd_words::{has_line_of_two_scripts, odd_words};
use super::options::Options;
use super::piece::Piece;
use crate::hashes::{Hashes, hash_of};
use crate::line::{SWITCH, is_single_byte};
use crate::model::{BIT, LanguageSet, score_of};
use utfkit_core::Encoding;

/// The least gain of lines in another encoding, in bits. Ideographs that are rare in one encoding are
/// common in another by chance.
const MIN_GAIN: u64 = 20;
const MIN_GAIN_OF_WIDE: u64 = 40;
/// Over a guess, which may be wrong for all lines.
const MIN_GAIN_OF_GUESS: u64 = 60;
/// The least gain of a line in an encoding of another script.
const MIN_GAIN_OF_FOREIGN: u32 = 24;
/// The odd lines that are read in all encodings.
const MOST_FOREIGN: usize = 8;
/// The gain without switches from which on there may be such lines.
const DOUBTFUL: u64 = 5;
/// The same of words with signs for letters.
const DOUBTFUL_OF_WORDS: u64 = 12;
/// The least gain of a word with a sign for a letter, in bits.
const MIN_GAIN_OF_WORD: u32 = 1;
/// More of them have such a gain by chance.
const MOST_WORDS: usize = 64;
/// More encodings are no text.
const MOST: usize = 3;
/// The characters that the language is told from.
const TOLD: usize = 320;

/// The older encodings of a text.
#[derive(Clone, Debug)]
pub(super) struct Pages(Vec<Page>);

/// The result of the search for lines in another older encoding.
pub(super) enum Others {
    None,
    /// A word or two are likelier in one, which happens by chance.
    Hint,
    /// A line is far likelier in an encoding of another script, which is no piece: any bytes are letters in one.
    Foreign,
    /// There may be such lines.
    Doubt,
    Pages(Pages),
}

impl Others {
    /// The most that is certain of one encoding for all lines.
    pub(super) fn certainty(&self) -> Certainty {
        match self {
            Others::None => Certainty::Certain,
            Others::Hint => Certainty::Likely,
            Others::Foreign | Others::Doubt | Others::Pages(_) => Certainty::Guess,
        }
    }

    pub(super) fn pages(self) -> Option<Pages> {
        if let Others::Pages(pages) = self { Some(pages) } else { None }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) encoding: Encoding,
    pub(super) certainty: Certainty,
}

/// The parts of a verdict that lines in another older encoding may change.
#[derive(Clone, Copy)]
pub(super) struct Open {
    /// The certainty, which is no guess yet.
    pub(super) certainty: bool,
    /// The certainty, by a hint or a line in an encoding of another script.
    pub(super) by_hints: bool,
    /// The pieces.
    pub(super) pages: bool,
}

impl Pages {
    /// The encodings of `text`, most of which is in `first`. A result that would change nothing is `Others::None`.
    pub(super) fn of(text: &[u8], first: Page, open: Open, options: &Options) -> Others {
        if !open.certainty && !open.pages {
            return Others::None;
        }
        let Page { encoding, certainty } = first;
        let mut odd = odd_lines(text, encoding);
        // A hint changes nothing less certain.
        let has_alphabet = own_script(encoding).is_none() && certainty > Certainty::Likely;
        let mut language = || language_of(&chars(encoding, &text[..text.len().min(TOLD)]), LanguageSet::default());
        let mut known = has_alphabet.then(&mut language);
        let words = if open.certainty { odd_words(text, encoding, known.flatten()) } else { Vec::new() };
        let is_sure = certainty > Certainty::Guess;
        let has_two_scripts = || is_sure && has_line_of_two_scripts(text, encoding);
        if odd.is_empty() && words.is_empty() {
            return if open.by_hints && has_two_scripts() { Others::Foreign } else { Others::None };
        }
        let language = *known.get_or_insert_with(language);
        let mut pages = alloc::vec![first];
        let mut without = None;
        while pages.len() < MOST && without.is_none() {
            match another(&mut odd, first, language, options) {
                Ok(page) => pages.push(page),
                Err(others) => without = Some(others),
            }
        }
        let is_one = pages.len() == 1;
        let is_settled = without.is_none();
        let others = match without {
            Some(Others::None) if is_one => hint(text, &words, encoding, language, options),
            Some(Others::Doubt) => Others::Doubt,
            _ => Others::Pages(Pages(pages.clone())),
        };
        // A doubt says as much, and is no piece either.
        let may_be_foreign = match &others {
            Others::Pages(_) => !is_settled && (open.pages || !open.by_hints),
            Others::Doubt => open.certainty && !open.by_hints,
            _ => open.by_hints,
        };
        let is_foreign = || (is_one && has_two_scripts()) || (is_sure && has_foreign_line(&odd, &pages, options));
        if may_be_foreign && is_foreign() { Others::Foreign } else { others }
    }

    /// The pieces of `bytes` in these encodings, and UTF-8 where a line is well-formed. `None` if all is
    /// in one of them.
    pub(super) fn pieces(&self, bytes: &[u8], options: &Options) -> Option<Vec<Piece>> {
        let mut encodings: Vec<Encoding> = self.0.iter().map(|page| page.encoding).collect();
        encodings.push(Encoding::Utf8);
        let lines = Lines::of(bytes, &encodings)?;
        let states = lines.states(encodings.len());
        let mut pieces: Vec<(usize, Piece)> = Vec::new();
        let (mut start, mut number) = (0, 1);
        let mut pools = alloc::vec![Vec::new(); encodings.len()];
        for (line, state) in bytes.split_inclusive(|byte| *byte == b'\n').zip(states) {
            let (state, margin) = state?;
            let range = start as u64..(start + line.len()) as u64;
            start += line.len();
            if !line.is_ascii() {
                pools[state].extend_from_slice(line);
            }
            let certainty = of_margin(margin);
            let end = number + u64::from(line.ends_with(b"\n"));
            let lines = number..number + 1;
            number = end;
            match pieces.last_mut() {
                Some((last, piece)) if *last == state => {
                    (piece.range.end, piece.lines.end) = (range.end, lines.end);
                    piece.certainty = piece.certainty.min(certainty);
                }
                _ => pieces
                    .push((state, Piece { range, lines, encoding: Some(encodings[state]), certainty, is_cut: false })),
            }
        }
        if pools.iter().filter(|pool| !pool.is_empty()).count() < 2 {
            return None;
        }
        for (page, pool) in self.0.iter().zip(&pools) {
            let certainty = of_pool(pool, *page, options);
            let of_page = pieces.iter_mut().filter(|(_, piece)| piece.encoding == Some(page.encoding));
            of_page.for_each(|(_, piece)| piece.certainty = piece.certainty.min(certainty));
        }
        Some(pieces.into_iter().map(|(_, piece)| piece).collect())
    }
}

/// The encoding in which odd lines gain most, which are taken out.
fn another(odd: &mut Vec<OddLine>, first: Page, language: Option<Language>, options: &Options) -> Result<Page, Others> {
    let mut readings: Vec<Reading> = Vec::new();
    let mut without = Others::None;
    for candidate in rivals(first.encoding, language, options, false) {
        let encoding = candidate.encoding;
        let mut gains: Vec<u64> = odd.iter().map(|line| line.gain_in(encoding, 0)).collect();
        let prior = u64::from((candidate.prior + options.prior(encoding)) * BIT);
        let beyond_chance = gains.iter().map(|gain| gain.saturating_sub(CHANCE * u64::from(BIT))).sum::<u64>();
        if beyond_chance >= prior + DOUBTFUL * u64::from(BIT) {
            without = Others::Doubt;
        }
        gains.iter_mut().for_each(|gain| *gain = gain.saturating_sub(SWITCH));
        let gain = gains.iter().sum::<u64>().saturating_sub(prior);
        if gain > 0 {
            readings.push(Reading { encoding, gain, gains });
        }
    }
    readings.sort_by_key(|reading| Reverse(reading.gain));
    let Some(best) = readings.first() else { return Err(without) };
    let next = readings.iter().find(|other| best.differs(other, odd)).map_or(0, |other| other.gain);
    let (encoding, gain, margin) = (best.encoding, best.gain / u64::from(BIT), (best.gain - next) / u64::from(BIT));
    let least = match first.certainty {
        Certainty::Guess => MIN_GAIN_OF_GUESS,
        _ if is_single_byte(encoding) => MIN_GAIN,
        _ => MIN_GAIN_OF_WIDE,
    };
    if gain < least {
        return Err(without);
    }
    let mut gains = best.gains.iter();
    odd.retain(|_| gains.next() == Some(&0));
    let least = if prior(encoding).is_some_and(|prior| prior >= 7) { CLOSE + 3 } else { CLOSE };
    let certainty = if margin < least { Certainty::Guess } else { of_margin(margin) };
    Ok(Page { encoding, certainty })
}

/// True if an odd line is UTF-8, or far likelier in an encoding of another script or language.
#[inline(never)]
fn has_foreign_line(odd: &[OddLine], pages: &[Page], options: &Options) -> bool {
    let least = MIN_GAIN_OF_FOREIGN + 2 * (odd.len() as u32 + 1).ilog2();
    let is_foreign = |line: &&OddLine| {
        let is_utf8 = line.bytes.utf8_chunks().all(|chunk| chunk.invalid().is_empty());
        let gains_in = |candidate: Guessable| {
            let is_page = pages.iter().any(|page| page.encoding == candidate.encoding);
            let least = u64::from((least + candidate.prior) * BIT);
            !is_page && line.gain_in(candidate.encoding, least) >= least
        };
        is_utf8 || rivals(pages[0].encoding, None, options, true).any(gains_in)
    };
    odd.iter()
        .filter(|line| line.penalty >= i64::from(MIN_GAIN_OF_FOREIGN * BIT))
        .take(MOST_FOREIGN)
        .any(|line| is_foreign(&line))
}

/// The encodings that lines of a text in `first` may be in. They are of the same script, unless any is asked for: any
/// bytes are letters in some other one.
fn rivals(
    first: Encoding,
    language: Option<Language>,
    options: &Options,
    of_any_script: bool,
) -> impl Iterator<Item = Guessable> {
    guessable().filter(move |candidate| {
        let encoding = candidate.encoding;
        let is_customary = language.is_none_or(|language| language.in_any_script().is_customary(encoding));
        let is_alike = of_any_script || own_script(encoding) == own_script(first);
        encoding != first && is_alike && !is_ebcdic(encoding) && is_customary && options.allows(encoding)
    })
}

/// Looks for words that are likelier in another encoding, in which they are letters throughout. If most words of the
/// text are odd, the prior of that encoding counts, too. A word gains as much by chance; several hardly do.
fn hint(text: &[u8], words: &[&[u8]], first: Encoding, language: Option<Language>, options: &Options) -> Others {
    if words.is_empty() || words.len() > MOST_WORDS {
        return Others::None;
    }
    let mut known = Hashes::default();
    let all = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_ascii());
    let is_most = 2 * words.len() >= all.filter(|word| known.insert(hash_of(word))).count();
    let score = |text: &[char]| score_of(text, u64::MAX / 8).unwrap_or(u64::MAX / 8);
    let least = u64::from((MIN_GAIN_OF_WORD + words.len().ilog2()) * BIT);
    let words: Vec<(&[u8], u64)> = words.iter().map(|word| (*word, score(&chars(first, word)))).collect();
    let mut is_hint = false;
    for candidate in rivals(first, language, options, false) {
        let prior = u64::from((candidate.prior + options.prior(candidate.encoding)) * BIT);
        let gains = words.iter().filter_map(|(word, own)| {
            let other = chars(candidate.encoding, word);
            let is_word = other.iter().all(|c| c.is_ascii() || c.is_alphabetic());
            is_word.then(|| own.saturating_sub(score(&other)))
        });
        let mut beyond_chance = 0;
        for gain in gains {
            is_hint |= gain >= least + if is_most { prior } else { 0 };
            beyond_chance += gain.saturating_sub(CHANCE * u64::from(BIT));
        }
        if beyond_chance >= prior + DOUBTFUL_OF_WORDS * u64::from(BIT) {
            return Others::Doubt;
        }
    }
    match (is_hint, is_most) {
        (false, _) => Others::None,
        (true, false) => Others::Hint,
        (true, true) => Others::Doubt,
    }
}

/// A reading of all odd lines.
struct Reading {
    encoding: Encoding,
    /// Over the encoding of most of the file, in sixteenths of a bit: of all lines, and of each.
    gain: u64,
    gains: Vec<u64>,
}

impl Reading {
    /// True if the lines that gain something are another text.
    fn differs(&self, other: &Reading, odd: &[OddLine]) -> bool {
        let gaining = odd.iter().zip(&self.gains).filter(|(_, gain)| **gain > 0);
        gaining.map(|(line, _)| &line.bytes).any(|bytes| chars(self.encoding, bytes) != chars(other.encoding, bytes))
    }
}

fn of_margin(bits: u64) -> Certainty {
    match bits {
        SURE.. => Certainty::NearlyCertain,
        CLOSE.. => Certainty::Likely,
        _ => Certainty::Guess,
    }
}

/// The certainty of an encoding for its lines: that of the lines alone, if it is higher. A guess if these are surely
/// in another one.
fn of_pool(pool: &[u8], page: Page, options: &Options) -> Certainty {
    let mut text = LegacyText::default();
    text.window(pool, true, true, false, options);
    let Some(guess) = text.guess(None, options) else { return page.certainty };
    let is_same = guess.encoding == page.encoding || guess.equivalent.contains(&page.encoding);
    match guess.certainty() {
        certainty if is_same => certainty.max(page.certainty),
        Certainty::NearlyCertain => Certainty::Guess,
        _ => page.certainty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Basis, Detection, detect};
    use crate::repair::unite;
    use alloc::string::String;

    /// Languages, two encodings of each, and sentences.
    const TEXTS: [(&str, &str, [&str; 8]); 6] = [
        (
            "windows-1251",
            "IBM866",
            [
                "Завтра утром поезд отправится с опозданием.",
                "Билеты можно купить в кассе на первом этаже.",
                "Пассажиры ждут на платформе уже целый час.",
                "Дождь шёл всю ночь, и дорогу размыло.",
                "Соседи помогли нам донести тяжёлые чемоданы.",
                "Вечером мы пили чай и смотрели старый фильм.",
                "На рынке продают яблоки, груши и сливы.",
                "Учитель попросил прочитать рассказ ещё раз.",
            ],
        ),
        (
            "windows-1251",
            "KOI8-R",
            [
                "Новый мост через реку откроют к осени.",
                "Рыбаки вернулись с хорошим уловом.",
                "Почтальон принёс письмо из соседнего города.",
                "Дети строили крепость из мокрого снега.",
                "Старый дом на углу давно никто не красил.",
                "Бабушка испекла пирог с капустой.",
                "Врач посоветовал больше гулять пешком.",
                "Концерт начнётся сразу после ужина.",
            ],
        ),
        (
            "windows-1253",
            "IBM737",
            [
                "Το τρένο φεύγει αύριο πολύ νωρίς το πρωί.",
                "Οι επιβάτες περιμένουν στην αποβάθρα.",
                "Έβρεχε όλη τη νύχτα και ο δρόμος έκλεισε.",
                "Οι γείτονες μας βοήθησαν με τις βαλίτσες.",
                "Στην αγορά πουλάνε μήλα και δαμάσκηνα.",
                "Ο δάσκαλος ζήτησε να διαβάσουμε ξανά.",
                "Το βράδυ ήπιαμε τσάι και είδαμε μια ταινία.",
                "Η γιαγιά έφτιαξε πίτα με σπανάκι.",
            ],
        ),
        (
            "windows-1250",
            "IBM852",
            [
                "Zítra ráno vlak přijede s velkým zpožděním.",
                "Cestující čekají na nástupišti už celou hodinu.",
                "Celou noc pršelo a cesta je úplně rozbahněná.",
                "Sousedé nám pomohli odnést těžké kufry.",
                "Na trhu prodávají jablka, hrušky a švestky.",
                "Učitelka požádala žáky, ať příběh přečtou znovu.",
                "Večer jsme pili čaj a dívali se na starý film.",
                "Babička upekla koláč se zelím a smetanou.",
            ],
        ),
        (
            "windows-1254",
            "IBM857",
            [
                "Yarın sabah tren büyük bir gecikmeyle kalkacak.",
                "Yolcular bir saattir peronda bekliyorlar.",
                "Bütün gece yağmur yağdı ve yol çöktü.",
                "Komşular ağır bavulları taşımamıza yardım etti.",
                "Pazarda elma, armut ve erik satılıyor.",
                "Öğretmen öyküyü bir kez daha okumamızı istedi.",
                "Akşam çay içip eski bir film seyrettik.",
                "Büyükannem ıspanaklı börek pişirdi.",
            ],
        ),
        (
            "EUC-JP",
            "Shift_JIS",
            [
                "明日の朝、列車はかなり遅れて出発します。",
                "乗客はもう一時間もホームで待っています。",
                "一晩中雨が降って、道が崩れました。",
                "隣の人が重い荷物を運ぶのを手伝ってくれた。",
                "市場ではりんごや梨を売っています。",
                "先生はもう一度読むようにと言いました。",
                "夜はお茶を飲みながら古い映画を見た。",
                "祖母が野菜のパイを焼いてくれました。",
            ],
        ),
    ];

    fn encoding(name: &str) -> Encoding {
        Encoding::for_label(name).unwrap()
    }

    /// A line in an encoding of another script, and one of Latin letters in a text of other ones.
    #[test]
    fn a_line_of_another_script_makes_the_encoding_a_guess() {
        let texts = [
            ("windows-1250", "Vlak odjíždí zítra v šest hodin ráno.\nPříští stanice je až za řekou.\n"),
            ("windows-1251", "Поезд уходит завтра в шесть утра.\nСледующая станция за рекой.\n"),
            ("KOI8-R", "Мы долго ждали автобуса под дождём.\nПотом пошли пешком через лес.\n"),
            ("windows-1253", "Το τρένο φεύγει αύριο στις έξι.\nΟ επόμενος σταθμός είναι μακριά.\n"),
            ("windows-1255", "הרכבת יוצאת מחר בשש בבוקר.\nהתחנה הבאה נמצאת מעבר לנהר.\n"),
            ("windows-874", "รถไฟออกพรุ่งนี้ตอนหกโมงเช้า\nสถานีต่อไปอยู่ข้ามแม่น้ำ\n"),
            ("GBK", "火车明天早上六点出发。\n下一站在河的对岸。\n"),
            ("EUC-KR", "기차는 내일 아침 여섯 시에 떠납니다.\n다음 역은 강 건너편에 있습니다.\n"),
        ];
        for (first, main) in texts {
            for (second, line) in texts {
                let line = line.split_inclusive('\n').next().unwrap_or(line);
                let (main, line) = (encoding(first).encode(main).0, encoding(second).encode(line).0);
                for times in [2, 9] {
                    let bytes = [&main.repeat(times)[..], &line].concat();
                    let found = detect(&bytes);
                    let is_one = found.certainty() > Certainty::Guess && found.encoding().is_some();
                    assert!(first == second || !is_one, "{first} {second} {times}: {found}");
                }
                assert!(first != second || detect(&main.repeat(9)).certainty() > Certainty::Guess, "{first}");
            }
            let line = encoding("windows-1252").encode("Wir kommen morgen später zurück als geplant.\n").0;
            let bytes = [&encoding(first).encode(main).0.repeat(3)[..], &line].concat();
            let is_latin = first == "windows-1250";
            assert!(is_latin || detect(&bytes).certainty() == Certainty::Guess, "{first}: {}", detect(&bytes));
        }
    }

    /// The lines with those numbers in the second encoding, and after some in UTF-8 if wanted.
    fn made(
        (first, second, lines): (&str, &str, [&str; 8]),
        is_second: impl Fn(usize) -> bool,
        has_utf8: bool,
    ) -> (Vec<u8>, String) {
        let (mut bytes, mut text) = (Vec::new(), String::new());
        let in_utf8 = if has_utf8 { &lines[4..] } else { &[] };
        for line in in_utf8 {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
            text.push_str(line);
            text.push('\n');
        }
        for (number, line) in lines.iter().enumerate() {
            let name = if is_second(number) { second } else { first };
            bytes.extend_from_slice(&encoding(name).encode(line).0);
            bytes.push(b'\n');
            text.push_str(line);
            text.push('\n');
        }
        (bytes, text)
    }

    /// The text of bytes in several encodings, and how sure it is.
    fn read(bytes: &[u8]) -> (String, Certainty) {
        let found = detect(bytes);
        let mut text = Vec::new();
        match found.basis() {
            Basis::Damaged => return (String::new(), found.foreign_certainty().unwrap_or(Certainty::Guess)),
            Basis::Unknown => return (String::new(), Certainty::Guess),
            _ => {}
        }
        match (found.basis(), found.encoding()) {
            (Basis::Joined, _) => unite(bytes, found.pieces(), |stretch| text.extend_from_slice(stretch.text())),
            (_, Some(encoding)) => text.extend_from_slice(encoding.decode(bytes).0.as_bytes()),
            (_, None) => {}
        }
        (String::from_utf8_lossy(&text).into_owned(), found.certainty())
    }

    #[test]
    fn lines_in_two_code_pages_are_right_or_a_guess() {
        let mut right = 0;
        for texts in TEXTS {
            let shapes: [fn(usize) -> bool; 4] = [|n| n == 7, |n| n == 3, |n| n >= 4, |n| n == 2 || n > 5];
            for is_second in shapes {
                for has_utf8 in [false, true] {
                    let (bytes, text) = made(texts, is_second, has_utf8);
                    let (found, certainty) = read(&bytes);
                    assert!(found == text || certainty == Certainty::Guess, "{}: {found}", detect(&bytes));
                    right += u32::from(found == text && certainty > Certainty::Guess);
                }
            }
        }
        assert!(right >= 36, "{right}");
    }

    /// Records of data are no lines, whatever bytes they have.
    #[test]
    fn bytes_with_nul_are_not_split() {
        for texts in TEXTS {
            let (mut bytes, _) = made(texts, |n| n >= 4, false);
            assert_eq!(detect(&bytes).basis(), Basis::Joined, "{}", detect(&bytes));
            bytes.extend(b"\x07\0\0\0\x0B\0");
            let found = detect(&bytes);
            assert!(found.basis() != Basis::Joined && found.certainty() < Certainty::NearlyCertain, "{found}");
        }
    }

    #[test]
    fn lines_in_one_code_page_are_not_split() {
        for (first, second, lines) in TEXTS {
            for name in [first, second] {
                let (bytes, text) = made((name, name, lines), |_| false, false);
                assert_eq!(read(&bytes), (text, Certainty::NearlyCertain), "{name}: {}", detect(&bytes));
            }
        }
    }

    #[test]
    fn a_word_out_of_place_is_no_other_encoding() {
        for (encoding_name, text) in [
            (
                "IBM437",
                "Después corrija también la línea siguiente, según la lección:\n---> Laa vacaa saltóó soobree laa luuuuna.\nAsí está mejor, ¿no? Después pulse la tecla de más arriba y continúe aquí.\n",
            ),
            (
                "EUC-KR",
                "제목: ㄱ ㅏ ㄴ ㅏ 다 라 마 였 을 걸\n오늘은 날씨가 좋아서 산책을 했습니다.\n내일은 비가 온다고 합니다.\n",
            ),
            ("GBK", "啊啊啊啊啊啊啊啊啊啊\n今天天气很好，我们去公园散步。\n明天可能会下雨，请带上雨伞。\n"),
        ] {
            let bytes = encoding(encoding_name).encode(text).0;
            let found = detect(&bytes);
            assert!(!found.is_mixed(), "{found}");
            assert_eq!(
                found.encoding().map(|found| found.decode(&bytes).0.into_owned()).as_deref(),
                Some(text),
                "{found}"
            );
        }
    }

    #[test]
    fn a_line_of_a_long_text_is_found() {
        let (first, second, lines) = TEXTS[0];
        let mut bytes = Vec::new();
        for number in 0..100 {
            let name = if number == 60 { second } else { first };
            bytes.extend_from_slice(&encoding(name).encode(lines[number % 7]).0);
            bytes.extend_from_slice(b"\n");
        }
        let found = detect(&bytes);
        let pieces: Vec<_> = found.pieces().iter().map(|piece| (piece.lines.clone(), piece.encoding)).collect();
        let [first, second] = [first, second].map(|name| Some(encoding(name)));
        assert_eq!(pieces, [(1..61, first), (61..62, second), (62..101, first)], "{found}");
    }

    const GERMAN: (&str, &str) = (
        "windows-1252",
        "Der Zug fährt morgen früh mit großer Verspätung.\nDie Gäste warten schon über eine Stunde.\nDer Weg war nach \
         dem Regen völlig gesperrt.\nUnsere Nachbarn haben die Koffer für uns getragen.\nAuf dem Markt gibt es Äpfel \
         und Nüsse.\nDer Lehrer möchte die Geschichte noch einmal hören.\n",
    );
    const POLISH: (&str, &str) = (
        "windows-1250",
        "Jutro rano pociąg odjedzie z dużym opóźnieniem.\nPodróżni czekają już całą godzinę.\nPrzez całą noc padał \
         deszcz.\nSąsiedzi pomogli nam nieść ciężkie walizki.\nNa rynku sprzedają jabłka i śliwki.\nNauczyciel \
         poprosił, żeby jeszcze raz przeczytać powieść.\n",
    );

    const CZECH: (&str, &str) = (
        "windows-1250",
        "Zítra ráno vlak odjede s velkým zpožděním.\nCestující čekají už celou hodinu na nástupišti.\nCelou noc pršelo \
         a cesta je rozbahněná.\nSousedé nám pomohli odnést těžké kufry.\nNa trhu prodávají jablka a hrušky.\n",
    );
    const SPANISH: (&str, &str) = (
        "IBM850",
        "El tren llegará mañana con mucho retraso.\nLos viajeros esperan desde hace más de una hora en el \
         andén.\nToda la noche llovió y el camino quedó cortado.\nEl niño pidió que leyéramos otra vez el cuento.\n",
    );

    fn with_line((name, text): (&str, &str), of_line: &str, line: &str) -> Detection {
        let mut bytes = encoding(name).encode(text).0.into_owned();
        bytes.extend_from_slice(&encoding(of_line).encode(line).0);
        detect(&bytes)
    }

    #[test]
    fn a_word_with_a_sign_for_a_letter_leaves_a_text_likely() {
        for (text, name, line) in [
            (GERMAN, "IBM850", "ändert nichts an der Sache"),
            (GERMAN, "IBM850", "öffnet den Laden um neun"),
            (POLISH, "ISO-8859-2", "Poszukujemy starszą kuchnię"),
            (POLISH, "ISO-8859-2", "kupuje nową książkę"),
            (SPANISH, "windows-1252", "el tejado del balcón"),
        ] {
            let found = with_line(text, name, line);
            assert!(found.certainty() <= Certainty::Likely, "{line}: {found}");
        }
    }

    /// Each would be a letter in the encoding of the other lines, too: together they are no chance.
    #[test]
    fn several_words_with_signs_for_letters_leave_a_text_a_guess() {
        for (text, name, line) in [
            (POLISH, "ISO-8859-2", "śpij, śnij i nieś książkę stąd ścieżką wąską"),
            (POLISH, "IBM852", "leworęczny, praworęczny, oburęczny"),
            (SPANISH, "windows-1252", "la opción, la estación, la canción y el avión"),
        ] {
            let found = with_line(text, name, line);
            assert_eq!(found.certainty(), Certainty::Guess, "{line}: {found}");
        }
    }

    /// A letter that the language lacks, or an accent by itself, is one of its letters in the other encoding.
    #[test]
    fn letters_of_no_word_in_the_language_leave_a_text_likely() {
        let polish = [
            POLISH.1,
            "Wieczorem piliśmy herbatę i oglądaliśmy stary film.\nBabcia upiekła placek z kapustą i grzybami.\n\
             Rzeka wylała i zalała pobliskie łąki.\nListonosz przyniósł dziś rano dwa listy.\nKot śpi na \
             ciepłym piecu.\nMłodsza siostra uczy się grać na skrzypcach.\nJesienią liście żółkną i spadają.\n",
        ]
        .concat();
        let czech = [
            CZECH.1,
            "Večer jsme pili čaj a dívali se na film.\nBabička upekla koláč se zelím.\nŘeka se vylila a \
             zatopila louky.\nListonoš dnes přinesl dva dopisy.\nKočka spí na teplé peci.\nMladší sestra se \
             učí hrát na housle.\nNa podzim listí žloutne a padá.\nDěti si hrají na zahradě za domem.\n",
        ]
        .concat();
        for (text, name, line) in [
            (&polish, "ISO-8859-2", "woda ze źródła"),
            (&polish, "ISO-8859-2", "adres źródłowy"),
            (&czech, "IBM852", "hledejte v sídle"),
            (&czech, "IBM852", "seznam bydlišť"),
        ] {
            assert_eq!(with_line(("windows-1250", text), "UTF-8", "").certainty(), Certainty::NearlyCertain);
            let found = with_line(("windows-1250", text), name, line);
            assert!(found.certainty() <= Certainty::Likely, "{line}: {found}");
        }
    }

    #[test]
    fn a_line_of_one_chinese_encoding_is_no_text_in_another() {
        let text = "明天早上的火車會晚點很久。\n旅客們已經在月台上等了一個小時。\n昨天下了一整夜的雨，路都壞了。\n\
                    鄰居幫我們搬那些很重的箱子。\n市場上賣蘋果和梨子。\n老師請學生再讀一遍這個故事。\n";
        let found = with_line(("Big5", text), "GBK", "原始格式需要資料");
        assert!(found.certainty() <= Certainty::Likely || found.is_mixed(), "{found}");
    }

    #[test]
    fn lines_that_are_surely_in_another_encoding_make_their_own_a_guess() {
        let utf8 = "明日の朝、列車はかなり遅れて出発します。\n乗客はもう一時間もホームで待っています。\n\
                    一晩中雨が降って、道が崩れました。\n隣の人が重い荷物を運ぶのを手伝ってくれた。\n";
        for line in ["市場ではりんごや梨を売っています。\n", "設定ファイルを開けません\n"]
        {
            let [old, other] = [("Shift_JIS", line), ("EUC-JP", "データベースを別のサーバーで作成してください\n")]
                .map(|(name, line)| encoding(name).encode(line).0);
            let found = detect(&[utf8.as_bytes(), &old, &other].concat());
            let right = ["Shift_JIS", "EUC-JP", "UTF-8"];
            let is_wrong = |piece: &Piece| piece.encoding.is_some_and(|encoding| !right.contains(&encoding.name()));
            let all = found.pieces().iter().filter(|piece| is_wrong(piece));
            assert!(all.clone().all(|piece| piece.certainty == Certainty::Guess), "{found}");
            assert!(found.certainty() == Certainty::Guess || all.count() == 0, "{found}");
        }
    }

    #[test]
    fn a_sign_for_the_only_letter_is_a_guess() {
        for line in [&b"Hello Chlo\x8E, see you soon.\n"[..], b"# Jos\x8E Mu\x96oz\n", b"by Ana\x95s in 1998\n"] {
            let found = detect(line);
            assert!(found.certainty() == Certainty::Guess || found.name() == Some("macintosh"), "{found}");
        }
    }

    #[test]
    fn usual_signs_beside_letters_leave_a_text_nearly_certain() {
        for (text, line) in [
            (GERMAN, "Der „Garten“ ist schön, sagte er… „Ja“, rief sie, z.\u{A0}B. Größe – oder so."),
            (GERMAN, "Er hat’s geöffnet: »Bücher« und «Hefte»."),
            (POLISH, "Dom „Różany” stoi w\u{A0}lesie…"),
        ] {
            let found = with_line(text, text.0, line);
            assert_eq!(found.certainty(), Certainty::NearlyCertain, "{line}: {found}");
        }
    }
}
