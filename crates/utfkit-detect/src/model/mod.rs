//! A character model of text, for comparing readings of the same bytes.
//!
//! A *score* is a negative log2-probability, in sixteenths of a bit
//! ([`BIT`]): the lower, the likelier. Every reading of some bytes accounts
//! for all of them, so scores compare across encodings: the reading with the
//! lowest score is the likeliest, and the margin to the next one says how
//! sure that is. The mean *penalty*, how far the score is above that of
//! ordinary text in the language, says whether it is text at all.
//!
//! - A word is scored by its letter bigrams, word boundaries included, in the
//!   language in which the whole text scores lowest, or in English. Unusual
//!   capitals add a penalty.
//! - An ideograph, kana or Hangul syllable is scored by its frequency.
//! - Signs have one score in all languages, and a penalty within words.
//!
//! The frequencies are in `model.bin`; [`tables`] documents the format.

mod alphabet;
mod ascii;
mod foreign;
mod fragments;
mod identify;
mod penalty;
mod scorer;
mod segments;
mod tables;
mod token;
mod unigrams;
mod visit;
mod word_list;

use alloc::vec::Vec;

pub(crate) use alphabet::{
    LatinSet, icelandic, is_foreign_letter, is_letter, is_rare_wide, latin_languages, wide_score,
};
pub(crate) use ascii::AsciiText;
pub(crate) use identify::{Identified, LanguageSet, identify};
pub(crate) use scorer::{Text, TextScore};
pub(crate) use segments::{SegmentEnd, Segments, segments, tokens_of, weighted_segments};
use tables::SCRIPTS;
pub(crate) use tables::is_rare_ideograph;
pub(crate) use token::{BIT, Kind, Meaning, Token};
pub(crate) use unigrams::{Languages, LetterCounts, Unigrams};
pub(crate) use word_list::WordScores;

/// The score of a text, and how ordinary the text is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evaluation {
    /// In sixteenths of a bit.
    pub(crate) score: u64,
    /// The number of letters and ideographs beyond US-ASCII.
    pub(crate) letters: u64,
    /// Of those, half-width katakana.
    pub(crate) half_width: u64,
    /// The number of those letters in distinct words, and of signs beyond
    /// US-ASCII.
    pub(crate) distinct: u64,
    /// By how much the score of the characters in `distinct` exceeds the mean of
    /// the language. Negative for text that is more ordinary than that.
    pub(crate) penalty: i64,
    /// By how much the distinct words with letters beyond US-ASCII exceed the mean of the
    /// language.
    pub(crate) word_excess: i64,
    /// The number of letters in those words.
    pub(crate) word_letters: i64,
    /// Of those, the letters of words that hardly exist: Latin ones of some length without a letter of
    /// US-ASCII, and those with a letter four times in a row.
    pub(crate) odd_letters: i64,
    /// The number of ideographs, kana and Hangul, of their stretches, and of kana and letters of Hangul
    /// among them.
    pub(crate) wide: u64,
    pub(crate) wide_stretches: u64,
    pub(crate) wide_letters: u64,
    /// The language with the lowest score; `None` without a word.
    #[cfg(test)]
    pub(crate) language: Option<&'static str>,
    /// The script of that language.
    pub(crate) script: Option<Script>,
}

/// A script that encodings were made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Thai,
    /// Ideographs, kana and Hangul.
    Wide,
}

impl Script {
    const ALL: [Script; SCRIPTS] =
        [Script::Latin, Script::Cyrillic, Script::Greek, Script::Hebrew, Script::Arabic, Script::Thai];
}

impl Evaluation {
    pub(crate) fn of(text: impl IntoIterator<Item = char>) -> Evaluation {
        Tokens::of(&text.into_iter().collect::<Vec<char>>()).evaluate()
    }

    /// The score in whole bits.
    pub(crate) fn bits(&self) -> u64 {
        self.score / u64::from(BIT)
    }

    /// The penalty per character beyond US-ASCII. Repeated words count once.
    pub(crate) fn mean_penalty(&self) -> i64 {
        self.penalty / i64::try_from(self.distinct.max(1)).unwrap_or(i64::MAX)
    }
}

/// The score of `text`; `None` if it exceeds `limit`.
pub(crate) fn score_of(text: &[char], limit: u64) -> Option<u64> {
    Tokens::of(text).score(limit)
}

/// Up to this many tokens, it takes longer to count letters than to add their scores one by one.
const FEW: usize = 48;

/// A text as tokens.
#[derive(Default)]
pub(crate) struct Tokens {
    tokens: Vec<Token>,
    ends: Vec<SegmentEnd>,
}

impl Tokens {
    pub(crate) fn of(text: &[char]) -> Tokens {
        let (tokens, ends) = tokens_of(text, &segments(text), Token::of);
        Tokens { tokens, ends }
    }

    /// The text of distinct words, each with a space after it. `None` if a byte has no token.
    pub(crate) fn of_words(words: &[u8], token: impl Fn(u8) -> Option<Token>) -> Option<Tokens> {
        let mut tokens: Vec<Token> = Vec::with_capacity(words.len());
        for byte in words {
            tokens.push(token(*byte)?);
        }
        let mut previous = None;
        let spaces = words.iter().enumerate().filter(|(_, byte)| **byte == b' ');
        let ends = spaces.map(|(at, _)| {
            let end = SegmentEnd { end: at + 1, previous, repeats: 1 };
            previous = Some(tokens[at]);
            end
        });
        Some(Tokens { ends: ends.collect(), tokens })
    }

    /// Replaces the tokens of the bytes of `words` that are not US-ASCII.
    pub(crate) fn replace(&mut self, words: &[u8], token: impl Fn(u8) -> Token) {
        for (own, byte) in self.tokens.iter_mut().zip(words).filter(|(_, byte)| !byte.is_ascii()) {
            *own = token(*byte);
        }
    }

    /// Calls `f` with the text in `languages`, and the score; `None` if that exceeds `limit`.
    fn scored<T>(
        &self,
        limit: u64,
        languages: &dyn Fn() -> Languages,
        f: impl FnOnce(Text<'_>, TextScore) -> T,
    ) -> Option<T> {
        let ascii = AsciiText::empty();
        let text = Text { segments: self.segments(), ascii: &ascii, languages: Languages::default(), is_part: false };
        // In most other encodings, signs and capitals exceed the limit.
        let shared = text.shared(limit)?;
        let text = Text { languages: languages(), ..text };
        text.score_with(&shared, limit).map(|score| f(text, score))
    }

    /// The scores of the letters.
    pub(crate) fn unigrams(&self) -> Unigrams {
        let mut unigrams = Unigrams::none();
        if self.tokens.len() > FEW {
            let mut letters = Letters::default();
            letters.add(self);
            unigrams.add_all(&letters.0);
            return unigrams;
        }
        for segment in self.segments().each() {
            let repeats = u32::try_from(segment.repeats).unwrap_or(u32::MAX);
            segment.tokens.iter().for_each(|token| unigrams.add(*token, repeats));
        }
        unigrams
    }

    /// The languages that the letters suggest.
    fn languages(&self) -> Languages {
        self.unigrams().ranked().languages
    }

    fn segments(&self) -> Segments<'_> {
        Segments { tokens: &self.tokens, ends: &self.ends }
    }

    /// `None` if the score exceeds `limit`.
    pub(crate) fn score(&self, limit: u64) -> Option<u64> {
        self.scored(limit, &|| self.languages(), |_, text| text.score)
    }

    pub(crate) fn evaluate(&self) -> Evaluation {
        self.evaluate_within(u64::MAX, &|| self.languages()).unwrap_or_default()
    }

    /// As text in these languages; `None` if the score exceeds `limit`.
    pub(crate) fn evaluate_within(&self, limit: u64, languages: &dyn Fn() -> Languages) -> Option<Evaluation> {
        self.scored(limit, languages, |text, score| text.evaluate(score))
    }

    /// As text in the languages that the letters suggest, if `is_wanted` is true of that, and of the text in the first
    /// of these `languages`.
    pub(crate) fn evaluate_if(
        &self,
        languages: Languages,
        is_wanted: impl Fn(&Evaluation) -> bool,
    ) -> Option<Evaluation> {
        let languages = core::array::from_fn(|place| if place == 0 { languages[0] } else { None });
        let ascii = AsciiText::empty();
        let text = Text { segments: self.segments(), ascii: &ascii, languages, is_part: false };
        let shared = text.shared(u64::MAX)?;
        let first = text.score_with(&shared, u64::MAX)?;
        let evaluation = text.evaluate(first);
        if !is_wanted(&evaluation) {
            return None;
        }
        let text = Text { languages: self.languages(), ..text };
        let own = text.score_with(&shared, u64::MAX)?;
        if own == first {
            return Some(evaluation);
        }
        Some(text.evaluate(own)).filter(is_wanted)
    }

    /// The score as a part of a longer text in these languages; `None` if it exceeds `limit`.
    pub(crate) fn score_of_part(&self, languages: Languages, limit: u64) -> Option<u64> {
        let text = Text { segments: self.segments(), ascii: &AsciiText::empty(), languages, is_part: true };
        text.score(limit).map(|text| text.score)
    }
}

/// The letters of some texts.
#[derive(Default)]
pub(crate) struct Letters(LetterCounts);

impl Letters {
    pub(crate) fn add(&mut self, text: &Tokens) {
        for segment in text.segments().each() {
            let repeats = u32::try_from(segment.repeats).unwrap_or(u32::MAX);
            segment.tokens.iter().for_each(|token| self.0.add(*token, repeats));
        }
    }

    /// The languages that they suggest.
    pub(crate) fn languages(&self) -> Languages {
        let mut unigrams = Unigrams::none();
        unigrams.add_all(&self.0);
        unigrams.ranked().languages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfkit_core::Encoding;

    /// Written for this test.
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
    fn sentences_are_ordinary_text_in_their_languages() {
        for (name, sentence) in SENTENCES {
            let found = Evaluation::of(sentence.chars());
            assert_eq!(found.language, Some(name), "{sentence}: {found:?}");
            assert!(found.mean_penalty() < 10 * i64::from(BIT), "{sentence}: {found:?}");
        }
    }

    #[test]
    fn other_readings_score_higher() {
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
                let (is, seems) = (Evaluation::of(sentence.chars()), Evaluation::of(read.chars()));
                assert!(is.bits() + 20 < seems.bits(), "{sentence} {is:?} {read} {seems:?}");
            }
        }
    }

    #[test]
    fn controls_have_a_penalty() {
        let controls = Evaluation::of(('\u{80}'..'\u{A0}').cycle().take(100));
        assert!(controls.mean_penalty() > 10 * i64::from(BIT), "{controls:?}");
        let empty = Evaluation::of([]);
        assert_eq!((empty.score, empty.distinct, empty.language), (0, 0, None));
        assert_eq!(Evaluation::of("1, 2; 3".chars()).language, None);
    }

    #[test]
    fn text_in_visual_order_is_text() {
        let he = SENTENCES.iter().find(|(name, _)| *name == "he").unwrap().1;
        let (forth, back) = (Evaluation::of(he.chars()), Evaluation::of(he.chars().rev()));
        assert!(back.bits() < forth.bits() + 20, "{forth:?} {back:?}");
    }
}
