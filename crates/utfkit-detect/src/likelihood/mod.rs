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

mod letters;
mod list;
mod meter;
mod model;
mod pieces;
mod plain;
mod strange;
mod token;
mod walk;

use alloc::vec::Vec;

pub(crate) use letters::{Languages, Letters, Tally};
pub(crate) use list::Words;
pub(crate) use meter::{Cost, Text};
use model::SCRIPTS;
pub(crate) use pieces::{Cut, Pieces, pieces, tokens_of};
pub(crate) use plain::Plain;
pub(crate) use token::{BIT, Kind, Meaning, Token};

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
        let text: Vec<char> = text.into_iter().collect();
        let (tokens, cuts) = tokens_of(&text, &pieces(&text), Token::of);
        let plain = Plain::none();
        let text = text_of(Pieces { tokens: &tokens, cuts: &cuts }, &plain);
        text.cost(u64::MAX).map_or_else(Likelihood::default, |cost| text.likelihood(cost))
    }

    /// That alone, in [units](BIT); `None` if it is more than `most`.
    pub(crate) fn cost_of(text: &[char], most: u64) -> Option<u64> {
        let (tokens, cuts) = tokens_of(text, &pieces(text), Token::of);
        text_of(Pieces { tokens: &tokens, cuts: &cuts }, &Plain::none()).cost(most).map(|cost| cost.cost)
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

/// A text of such pieces, in the languages in which its letters cost least.
fn text_of<'a>(pieces: Pieces<'a>, plain: &'a Plain) -> Text<'a> {
    let (mut letters, mut tally) = (Letters::none(), Tally::none());
    for (tokens, _, times) in pieces.each() {
        tokens.iter().for_each(|token| tally.add(*token, u32::try_from(times).unwrap_or(u32::MAX)));
    }
    letters.add_all(&tally);
    Text { pieces, plain, languages: letters.languages().0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfkit_core::Encoding;

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
