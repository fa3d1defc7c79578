//! How likely a text is: one model for whatever decides between readings of the
//! same bytes.
//!
//! Text costs bits: as many as say which of all texts it is. Readings of the same
//! bytes can be compared by them, whatever encodings they are in, as each explains
//! all of the bytes. The reading that costs least is the likeliest; by how
//! much, says how sure that is; and what it costs beside other text in its
//! language, whether it is text at all.
//!
//! A word costs what its letters do, each after the one before it, in the language
//! in which all words together cost least, or in English; what begins or ends a word
//! counts as well, and where its capitals stand. An ideograph, kana or Hangul
//! costs what it does alone. Signs have one cost in all languages, more where they
//! stand within words. The tables stand in `model.bin`: see [`model`].

// Detection and repair look at different parts of it.
#![cfg_attr(not(all(feature = "detect", feature = "repair")), allow(dead_code))]

mod model;
mod token;

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use model::{ARABIC, HEBREW, LATIN, Language, SCRIPTS, THE_MODEL};
pub(crate) use token::{BIT, Kind, Token};

/// What a text costs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Likelihood {
    /// All of it, in [units](BIT).
    pub(crate) cost: u64,
    /// Letters and ideographs that are not US-ASCII.
    pub(crate) letters: u64,
    /// Those of them in words that were not there before, and signs that are not US-ASCII.
    pub(crate) fresh: u64,
    /// What these cost more than those in text of the language do in the mean; less
    /// is below 0.
    pub(crate) strange: i64,
    /// The language in which it costs least, if there is a word.
    #[cfg(test)]
    pub(crate) language: Option<&'static str>,
    /// Its script.
    pub(crate) script: Option<Script>,
}

/// A script, as far as encodings differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Thai,
    /// Of Chinese, Japanese and Korean.
    Wide,
}

impl Script {
    const ALL: [Script; SCRIPTS] =
        [Script::Latin, Script::Cyrillic, Script::Greek, Script::Hebrew, Script::Arabic, Script::Thai];
}

impl Likelihood {
    /// What `text` costs.
    pub(crate) fn of(text: impl IntoIterator<Item = char>) -> Likelihood {
        let tokens: Vec<Token> = text.into_iter().map(Token::of).collect();
        Likelihood::of_tokens(&tokens)
    }

    /// The same of tokens.
    pub(crate) fn of_tokens(tokens: &[Token]) -> Likelihood {
        Text::new(tokens).likelihood()
    }

    /// The same of tokens, of which each word may be of another language.
    pub(crate) fn by_word(tokens: &[Token]) -> Likelihood {
        Text::new(tokens).by_word()
    }

    /// All of it, in bits.
    pub(crate) fn bits(&self) -> u64 {
        self.cost / u64::from(BIT)
    }

    /// What is strange about each character that is not US-ASCII, in units: 0 is
    /// usual text. A word counts once, however often a text has it.
    pub(crate) fn strangeness(&self) -> i64 {
        self.strange / i64::try_from(self.fresh.max(1)).unwrap_or(i64::MAX)
    }
}

/// A word.
#[derive(Clone, Copy)]
struct Word {
    from: usize,
    to: usize,
    script: u8,
    /// How many of its letters are not US-ASCII.
    above: u32,
    /// It has such letters, and was not there before.
    is_fresh: bool,
    /// What it costs where it is a word of another language.
    elsewhere: u32,
}

impl Word {
    fn len(&self) -> u32 {
        (self.to - self.from).try_into().unwrap_or(u32::MAX)
    }
}

/// A word in a script that the language does not have: the switch, and each letter.
const SWITCH: u32 = 10 * BIT;
const FOREIGN: u32 = 7 * BIT;
/// An English word in another language.
const ENGLISH: u32 = 5 * BIT;
/// A letter that the language lacks, beside what it costs that there is one.
const LACKING: u32 = 6 * BIT;
/// A capital after a small letter, or a small letter after two capitals.
const MIXED: u32 = 7 * BIT;
/// A sign where none is, such as within a word.
const MISPLACED: u32 = 6 * BIT;
/// Scripts that meet within a word.
const MEETING: u32 = 6 * BIT;
/// What a sign that is not US-ASCII costs in usual text.
const USUAL_SIGN: i64 = 10 * BIT as i64;
/// And a sign of frames, where most are of a line.
const USUAL_FRAME: i64 = 6 * BIT as i64;
/// A word in a language of its own, beside others in others.
const OF_ITS_OWN: u32 = 3 * BIT;
/// The text as one stored in the order of display.
const REVERSED: u64 = 6 * BIT as u64;
/// How many languages are tried to the end.
const TRIED: usize = 4;

/// A text taken apart.
struct Text<'a> {
    tokens: &'a [Token],
    words: Vec<Word>,
    wide: Vec<u16>,
    /// How many stretches of them there are.
    stretches: u64,
    /// What costs the same in every language.
    common: u64,
    letters: u64,
    fresh: u64,
    /// The words with letters that are not US-ASCII, by a hash.
    known: BTreeSet<u64>,
    /// Of signs.
    strange: i64,
}

impl<'a> Text<'a> {
    fn new(tokens: &'a [Token]) -> Text<'a> {
        let mut text = Text {
            tokens,
            words: Vec::new(),
            wide: Vec::new(),
            stretches: 0,
            common: 0,
            letters: 0,
            fresh: 0,
            known: BTreeSet::new(),
            strange: 0,
        };
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            match token {
                Token::Letter { script, .. } => at = text.word(at, script),
                Token::Wide(code) => {
                    (text.letters, text.fresh) = (text.letters + 1, text.fresh + 1);
                    text.wide.push(code);
                    let neighbour = |at: Option<usize>| at.and_then(|at| tokens.get(at));
                    let (before, after) = (neighbour(at.checked_sub(1)), neighbour(Some(at + 1)));
                    if !matches!(before, Some(Token::Wide(_))) {
                        text.stretches += 1;
                        // In the midst of a word of letters.
                        if let Some(Token::Letter { is_above, .. }) = before {
                            text.common += u64::from(if *is_above { MISPLACED } else { MISPLACED / 2 });
                        }
                    }
                    if let Some(Token::Letter { is_capital: false, .. }) = after {
                        text.common += u64::from(MISPLACED / 2);
                    }
                    at += 1;
                }
                Token::Sign { .. } => {
                    text.sign(at);
                    at += 1;
                }
            }
        }
        text
    }

    /// Takes the word that begins at `from`; returns where it ends.
    fn word(&mut self, from: usize, script: u8) -> usize {
        let mut word = Word { from, to: from, script, above: 0, is_fresh: false, elsewhere: 0 };
        let (mut capitals, mut case) = (0, 0);
        let mut before = false;
        let mut english = 0;
        let mut place = 0;
        let mut hash = u64::from(script);
        for token in &self.tokens[from..] {
            let &Token::Letter { script: of, number, is_capital, is_above } = token else { break };
            if of != script {
                self.common += u64::from(MEETING);
                break;
            }
            let inside = word.to > from;
            if inside && is_capital != before && !(word.to == from + 1 && before) {
                case += MIXED;
            }
            hash = (hash ^ u64::from(number)).wrapping_mul(0x0100_0000_01B3);
            capitals += u32::from(is_capital);
            word.above += u32::from(is_above);
            word.to += 1;
            before = is_capital;
            if script == LATIN {
                let language = &THE_MODEL.languages[0];
                let now = language.place(number);
                english += language.pair(place, now) + if now == 1 { LACKING } else { 0 };
                place = now;
            }
        }
        case += match capitals {
            0 => BIT / 2,
            1 => 3 * BIT,
            // Capitals all through.
            n if n == word.len() => 4 * BIT,
            _ => 5 * BIT,
        };
        if matches!(script, 1 | 2 | LATIN) {
            self.common += u64::from(case);
        }
        let foreign = SWITCH + FOREIGN * word.len();
        word.elsewhere = foreign;
        if script == LATIN {
            word.elsewhere = foreign.min(english + THE_MODEL.languages[0].pair(place, 0) + ENGLISH);
        }
        self.letters += u64::from(word.above);
        if word.above > 0 && self.known.insert(hash) {
            word.is_fresh = true;
            self.fresh += u64::from(word.above);
        }
        if word.is_fresh && case > 5 * BIT && matches!(script, 1 | 2 | LATIN) {
            self.strange += i64::from(case);
        }
        self.words.push(word);
        word.to
    }

    /// Counts the sign at `at`.
    fn sign(&mut self, at: usize) {
        let Token::Sign { kind, cost, is_above, which } = self.tokens[at] else { return };
        let mut cost = u32::from(cost);
        let neighbour = |at: usize| self.tokens.get(at).copied();
        let before = at.checked_sub(1).and_then(neighbour);
        let after = neighbour(at + 1);
        let is_letter = |token: Option<Token>| matches!(token, Some(Token::Letter { .. }));
        let is = |token: Option<Token>, such: Kind| matches!(token, Some(Token::Sign { kind, .. }) if kind == such);
        let within = is_letter(before) && is_letter(after);
        match kind {
            Kind::Odd | Kind::Between => {}
            Kind::Within if within => {}
            Kind::Within => cost += 2 * BIT,
            Kind::Frame if is(before, Kind::Frame) => cost = 8 * BIT,
            Kind::Frame if is_letter(before) || is_letter(after) => cost += MISPLACED,
            Kind::Outside if within => cost += MISPLACED,
            Kind::National if within => {
                self.fresh += 1;
                self.strange += i64::from(2 * MISPLACED);
                cost += MISPLACED;
            }
            Kind::National => {}
            Kind::Wide => {
                // Among its like.
                let is_wide = |token: Option<Token>| token.is_some_and(Token::is_wide);
                let alone = u32::from(!is_wide(before)) + u32::from(!is_wide(after));
                cost += alone * 5 * BIT + if is_letter(before) || is_letter(after) { MISPLACED } else { 0 };
            }
            _ => {}
        }
        // A line of it.
        if kind != Kind::Odd && matches!(before, Some(Token::Sign { which: same, .. }) if same == which) {
            cost = cost.min(2 * BIT);
        }
        self.common += u64::from(cost);
        if is_above {
            self.fresh += 1;
            self.strange += i64::from(cost) - if kind == Kind::Frame { USUAL_FRAME } else { USUAL_SIGN };
        } else if kind == Kind::Odd {
            self.strange += i64::from(cost);
        }
    }

    /// What the text costs, and how strange it is, where each word may be of a language
    /// of its own, as in a list of names.
    fn by_word(&self) -> Likelihood {
        let (mut sum, mut strange) = (0, Strangeness::default());
        for word in &self.words {
            let tokens = &self.tokens[word.from..word.to];
            let languages = THE_MODEL.languages.iter().filter(|language| language.script == word.script);
            let costs =
                languages.map(|language| (language.word(tokens.iter()) + OF_ITS_OWN, language.fit * word.len()));
            let (cost, usual) = costs.min().unwrap_or((word.elsewhere, 0));
            sum += u64::from(cost);
            strange.add(word, i64::from(cost) - i64::from(usual));
        }
        let (_, wide, odd) = self.wide_costs();
        let wide = wide + self.foreign();
        Likelihood {
            cost: sum + wide + self.common,
            strange: strange.of_latin() + odd + self.foreign().cast_signed() + self.strange,
            ..self.likelihood()
        }
    }

    fn likelihood(&self) -> Likelihood {
        let (mut cost, mut strange, mut language, mut script) = (u64::MAX, 0, None, None);
        let wide = self.wide_costs();
        let mut take = |(new, odd): (u64, i64), name, of| {
            if new < cost {
                (cost, strange, language, script) = (new, odd, Some(name), Some(of));
            }
        };
        // With ideographs, the language is the one in which these cost least.
        let (name, wide_cost, wide_strange) = wide;
        if !self.wide.is_empty() {
            // Where there are hardly any, they are not what the text is written in.
            let few = (self.words.len() as u64 / 4).saturating_sub(self.stretches).min(4) * u64::from(ENGLISH);
            let (own, odd) = self.elsewhere();
            take((own + wide_cost + few, odd + wide_strange + few.cast_signed()), name, Script::Wide);
        }
        let foreign = self.foreign();
        for language in self.languages().into_iter().flatten() {
            // Single ideographs in another language are read by the others' table.
            let (own, odd) = self.in_language(language, false);
            let wide_here = (wide_cost + foreign, wide_strange + i64::try_from(foreign).unwrap_or(i64::MAX));
            let script = Script::ALL[usize::from(language.script)];
            take((own + wide_here.0, odd + wide_here.1), language.name, script);
            if matches!(language.script, HEBREW | ARABIC) {
                let (own, odd) = self.in_language(language, true);
                take((own + wide_here.0 + REVERSED, odd + wide_here.1), language.name, script);
            }
        }
        if language.is_none() {
            cost = 0;
        }
        Likelihood {
            cost: cost + self.common,
            letters: self.letters,
            fresh: self.fresh,
            strange: strange + self.strange,
            #[cfg(test)]
            language,
            script,
        }
    }

    /// What ideographs in another language cost beside themselves.
    fn foreign(&self) -> u64 {
        self.stretches * u64::from(SWITCH) + self.wide.len() as u64 * u64::from(ENGLISH)
    }

    /// The language of ideographs in which they cost least, what they cost, and how
    /// strange that is.
    fn wide_costs(&self) -> (&'static str, u64, i64) {
        let cost = |wide: &model::Wide| self.wide.iter().map(|&code| u64::from(wide.cost(code.into()))).sum::<u64>();
        let costs = THE_MODEL.wide.iter().map(|wide| (wide, cost(wide)));
        costs.min_by_key(|(_, cost)| *cost).map_or(("", 0, 0), |(wide, cost)| {
            let usual = u64::from(wide.fit) * self.wide.len() as u64;
            (wide.name, cost, cost.cast_signed() - usual.cast_signed())
        })
    }

    /// All words as words from elsewhere.
    fn elsewhere(&self) -> (u64, i64) {
        self.words.iter().fold((0, 0), |(sum, strange), word| {
            let odd = if word.is_fresh { i64::from(word.elsewhere) - i64::from(4 * BIT * word.len()) } else { 0 };
            (sum + u64::from(word.elsewhere), strange + odd)
        })
    }

    /// Those languages in which the letters alone cost least.
    fn languages(&self) -> [Option<&'static Language>; TRIED] {
        let mut counts = [[0_u32; 256]; SCRIPTS];
        for word in &self.words {
            for token in &self.tokens[word.from..word.to] {
                if let Token::Letter { script, number, .. } = token {
                    counts[usize::from(*script)][usize::from(*number)] += 1;
                }
            }
        }
        let in_script: [u64; SCRIPTS] = core::array::from_fn(|i| counts[i].iter().map(|&n| u64::from(n)).sum());
        let mut best: [(u64, Option<&'static Language>); TRIED] = [(u64::MAX, None); TRIED];
        for language in &THE_MODEL.languages {
            if in_script[usize::from(language.script)] == 0 {
                continue;
            }
            let mut cost: u64 = 0;
            for (script, &letters) in in_script.iter().enumerate() {
                if script == usize::from(language.script) {
                    for (number, &count) in counts[script].iter().enumerate().filter(|(_, count)| **count > 0) {
                        let number = u8::try_from(number).unwrap_or(0);
                        let lacking = if language.place(number) == 1 { LACKING } else { 0 };
                        cost += u64::from(count) * u64::from(language.single(number) + lacking);
                    }
                } else {
                    let each = if script == usize::from(LATIN) { 5 * BIT } else { 9 * BIT };
                    cost += letters * u64::from(each);
                }
            }
            if let Some(at) = best.iter().position(|(other, _)| cost < *other) {
                best[at..].rotate_right(1);
                best[at] = (cost, Some(language));
            }
        }
        best.map(|(_, language)| language)
    }

    /// What the words cost in a language, and what is strange about those with
    /// letters that are not US-ASCII.
    fn in_language(&self, language: &Language, reversed: bool) -> (u64, i64) {
        let (mut sum, mut strange) = (0, Strangeness::default());
        for word in &self.words {
            let mut cost = word.elsewhere;
            if word.script == language.script {
                let tokens = &self.tokens[word.from..word.to];
                let own = if reversed { language.word(tokens.iter().rev()) } else { language.word(tokens.iter()) };
                cost = cost.min(own);
            }
            sum += u64::from(cost);
            strange.add(word, i64::from(cost) - i64::from(language.fit * word.len()));
        }
        (sum, if language.script == LATIN { strange.of_latin() } else { strange.fresh })
    }
}

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
    /// Takes a word that costs so much more than usual.
    fn add(&mut self, word: &Word, odd: i64) {
        if word.is_fresh {
            self.fresh += odd;
            self.letters += i64::from(word.len());
        } else if word.above == 0 {
            self.plain += odd;
            self.plain_letters += i64::from(word.len());
        }
    }

    /// Names and rare words are strange in any reading.
    fn of_latin(&self) -> i64 {
        if self.plain_letters == 0 {
            return self.fresh;
        }
        let usual = self.plain * self.letters / self.plain_letters;
        self.fresh - usual.clamp(0, self.letters * i64::from(3 * BIT))
    }
}

impl Language {
    /// What a word costs.
    fn word<'t>(&self, letters: impl Iterator<Item = &'t Token>) -> u32 {
        let (mut cost, mut place) = (0, 0);
        for token in letters {
            if let &Token::Letter { number, .. } = token {
                let now = self.place(number);
                cost += self.pair(place, now) + if now == 1 { LACKING } else { 0 };
                place = now;
            }
        }
        cost + self.pair(place, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;

    /// Sentences of everyday kinds, written for this test.
    const SENTENCES: [(&str, &str); 24] = [
        ("de", "Die Schülerin hörte gestern Abend noch ein wenig Musik und schlief dann früh ein."),
        ("fr", "Nous avons mangé à la fenêtre, où l’été était déjà fini; le garçon riait très fort."),
        ("es", "Mañana el niño irá con su tía al jardín, donde están los árboles más viejos."),
        ("pt", "As crianças não estavam à espera de que a avó trouxesse o pão e as maçãs."),
        ("cs", "Včera večer jsme šli pěšky přes most a potkali jsme příjemného souseda."),
        ("pl", "Wczoraj wieczorem poszliśmy pieszo przez most i spotkaliśmy miłego sąsiada."),
        ("hu", "Tegnap este gyalog mentünk át a hídon, és találkoztunk egy kedves szomszéddal."),
        ("ro", "Aseară am mers pe jos peste pod și ne-am întâlnit cu o vecină drăguță."),
        ("tr", "Dün akşam köprüden yürüyerek geçtik ve iyi kalpli bir komşuyla karşılaştık."),
        ("lt", "Vakar vakare ėjome pėsčiomis per tiltą ir sutikome malonų kaimyną."),
        ("lv", "Vakar vakarā mēs gājām kājām pāri tiltam un satikām jauku kaimiņu."),
        ("et", "Eile õhtul kõndisime üle silla ja kohtasime ühte väga sõbralikku naabrit."),
        ("is", "Í gærkvöldi gengum við yfir brúna og hittum þar vingjarnlegan nágranna."),
        ("ru", "Вчера вечером мы пешком перешли через мост и встретили приятного соседа."),
        ("uk", "Учора ввечері ми пішки перейшли через міст і зустріли приємного сусіда."),
        ("bg", "Снощи минахме пеша по моста и срещнахме един приятен съсед."),
        ("el", "Χθες το βράδυ περάσαμε με τα πόδια τη γέφυρα και συναντήσαμε έναν γείτονα."),
        ("he", "אתמול בערב הלכנו ברגל על הגשר ופגשנו שכן נחמד מאוד."),
        ("ar", "مشينا مساء أمس فوق الجسر والتقينا بجار لطيف جدا."),
        ("th", "เมื่อวานตอนเย็นเราเดินข้ามสะพานและพบเพื่อนบ้านที่ใจดี"),
        ("vi", "Tối hôm qua chúng tôi đi bộ qua cầu và gặp một người hàng xóm tốt bụng."),
        ("ja", "昨日の夕方、私たちは歩いて橋を渡り、親切な隣人に会いました。"),
        ("ko", "어제 저녁 우리는 걸어서 다리를 건너 친절한 이웃을 만났습니다."),
        ("zh-Hans", "昨天晚上我们步行过桥，遇到了一位和蔼的邻居。"),
    ];

    #[test]
    fn sentences_are_usual_text_in_their_languages() {
        for (name, sentence) in SENTENCES {
            let found = Likelihood::of(sentence.chars());
            assert_eq!(found.language, Some(name), "{sentence}: {found:?}");
            assert!(found.strangeness() < 10 * i64::from(BIT), "{sentence}: {found:?}");
        }
    }

    #[cfg(feature = "legacy")]
    #[test]
    fn the_same_bytes_read_otherwise_cost_more() {
        for (wrong, right, languages) in [
            ("windows-1252", "windows-1251", &["ru", "uk", "bg"][..]),
            ("KOI8-R", "windows-1251", &["ru", "bg"]),
            ("windows-1252", "windows-1250", &["cs", "pl", "ro"]),
            ("windows-1250", "windows-1252", &["fr", "es", "pt", "is"]),
            ("macintosh", "windows-1252", &["fr", "es", "de", "is"]),
            ("windows-1252", "macintosh", &["fr", "es", "de"]),
            ("windows-1257", "windows-1254", &["tr"]),
            ("EUC-KR", "EUC-JP", &["ja"]),
            ("GBK", "EUC-KR", &["ko"]),
            ("windows-1252", "Shift_JIS", &["ja"]),
        ] {
            let [wrong, right] = [wrong, right].map(|name| Encoding::for_label(name).unwrap());
            for (_, sentence) in SENTENCES.iter().filter(|(name, _)| languages.contains(name)) {
                let (bytes, _) = right.encode(sentence);
                let read = wrong.decode(&bytes).0;
                let (is, seems) = (Likelihood::of(sentence.chars()), Likelihood::of(read.chars()));
                assert!(is.bits() + 20 < seems.bits(), "{sentence} {is:?} {read} {seems:?}");
            }
        }
    }

    #[test]
    fn what_is_no_text_is_strange() {
        let controls = Likelihood::of(('\u{80}'..'\u{A0}').cycle().take(100));
        assert!(controls.strangeness() > 10 * i64::from(BIT), "{controls:?}");
        let empty = Likelihood::of([]);
        assert_eq!((empty.cost, empty.fresh, empty.language), (0, 0, None));
        assert_eq!(Likelihood::of("1, 2; 3".chars()).language, None);
    }

    #[test]
    fn a_text_in_the_order_of_display_is_text() {
        let he = SENTENCES.iter().find(|(name, _)| *name == "he").unwrap().1;
        let (forth, back) = (Likelihood::of(he.chars()), Likelihood::of(he.chars().rev()));
        assert!(back.bits() < forth.bits() + 20, "{forth:?} {back:?}");
    }
}
