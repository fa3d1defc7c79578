//! All encodings that the bytes may be in, with probabilities.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::calibration::{Features, of_readings, of_utf8, others};
use super::certainty::Certainty;
use super::declaration::Declaration;
use super::detection::{Basis, Detection};
use super::kept::Kept;
use super::language::{Language, identified, language_of};
use super::legacy::{Guess, Reading, usable_declaration};
use crate::model::{BIT, LanguageSet};
use utfkit_core::Encoding;
use utfkit_core::bom::Bom;

/// Characters that the language is told from.
const ENOUGH: usize = 4 << 10;

/// An encoding that the bytes may be in. See [`Detection::candidates`].
#[derive(Clone, Debug)]
pub struct Candidate {
    encoding: Encoding,
    probability: f64,
    equivalent: Vec<Encoding>,
    /// The text whose language was not asked for yet.
    text: Text,
}

/// A text, from which a language is told.
#[derive(Clone, Debug)]
struct Text {
    kept: Option<Arc<Kept>>,
    bom: Option<Bom>,
}

impl Candidate {
    /// The encoding; of several in which the bytes are the same text, the most common.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The probability that the text in this encoding is the right one, from 0 to 1. Of
    /// candidates with 0.7, seven in ten are right.
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// Other encodings in which the bytes are the same text.
    pub fn equivalent(&self) -> &[Encoding] {
        &self.equivalent
    }

    /// The language of the text in this encoding. Each call finds it anew.
    pub fn language(&self) -> Option<Language> {
        self.text.language_in(self.encoding)
    }
}

impl Detection {
    /// The probability that the result is right, from 0 to 1: that of the encoding, and without
    /// one that the bytes are in none that the library knows. At least 0.95 for a result that is
    /// likely, and 0.99 above.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// assert!(detect("Grüße, 日本語, Съешь".as_bytes()).confidence() > 0.999);
    /// assert!(detect(b"\xE9\xE8\xE7").confidence() < 0.9);
    /// ```
    pub fn confidence(&self) -> f64 {
        let ranked = OnceCell::new();
        self.confidence_by(|| ranked.get_or_init(|| self.ranked()).as_ref())
    }

    fn confidence_by<'a>(&self, ranked: impl FnOnce() -> Option<&'a Ranked>) -> f64 {
        if !self.is_legacy() || self.mixed {
            return match self.basis {
                Basis::WellFormed if self.joined.is_none() => of_utf8(self.sequences),
                Basis::Damaged if self.certainty == Certainty::Guess => 0.9,
                _ => by_certainty(self.certainty),
            };
        }
        let Some(Ranked { guess, probabilities }) = ranked() else { return by_certainty(self.certainty) };
        match self.encoding {
            Some(_) => probabilities.first().copied().unwrap_or(0.0),
            None if !self.is_allowed(guess.encoding) => 1.0 - probabilities.iter().skip(1).sum::<f64>(),
            None => 1.0 - probabilities.iter().sum::<f64>(),
        }
    }

    /// All encodings in which the bytes make text, the likeliest first: after the
    /// [encoding](Detection::encoding) the other readings, and for a text in no known encoding
    /// the nearest ones. The rest to 1 is the probability that none is right. Empty for
    /// bytes that are not text.
    ///
    /// For UTF-8 and its relatives, each call ranks the legacy encodings, which takes some milliseconds at most.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// let found = detect(b"\xCA\xF0\xE0\xF1\xED\xE0\xFF \xEF\xEB\xEE\xF9\xE0\xE4\xFC");
    /// let candidates = found.candidates();
    /// assert_eq!(candidates[0].encoding().name(), "windows-1251");
    /// assert!(candidates.is_sorted_by(|a, b| a.probability() >= b.probability()));
    /// assert!(candidates.iter().map(|candidate| candidate.probability()).sum::<f64>() <= 1.0);
    /// ```
    pub fn candidates(&self) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let once = OnceCell::new();
        let ranked = || once.get_or_init(|| self.ranked()).as_ref();
        if let Some(encoding) = self.encoding {
            let equivalent = self.equivalent.into_iter().collect();
            found.push(Candidate { encoding, probability: self.confidence_by(ranked), equivalent, text: self.text() });
        }
        let is_proved = !self.is_legacy() && found.first().is_some_and(|answer| answer.probability >= 0.9999);
        if !is_proved && self.basis != Basis::NoText && self.joined.is_none() {
            ranked().into_iter().for_each(|ranked| self.add_readings(ranked, &mut found));
        }
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        found
    }

    /// Adds the legacy readings, except one that gives the same text as an encoding in `found`.
    fn add_readings(&self, ranked: &Ranked, found: &mut Vec<Candidate>) {
        let Ranked { guess, probabilities } = ranked;
        // An answer that is not among the readings, or has another probability, leaves them the rest.
        let is_read = self.is_legacy() && !self.mixed;
        let left = if is_read { 1.0 } else { found.first().map_or(1.0, |answer| 1.0 - answer.probability) };
        let others = guess.readings.iter().map(|reading| (reading.encoding, &reading.equivalent));
        let readings = core::iter::once((guess.encoding, &guess.equivalent)).chain(others);
        for ((encoding, equivalent), probability) in readings.zip(probabilities) {
            let mut equivalent = equivalent.clone();
            match found.first_mut() {
                Some(answer) if answer.encoding == encoding || equivalent.contains(&answer.encoding) => {
                    equivalent.insert(0, encoding);
                    equivalent.retain(|other| *other != answer.encoding);
                    answer.equivalent = equivalent;
                }
                _ if !self.is_allowed(encoding) => {}
                _ => found.push(Candidate { encoding, probability: left * probability, equivalent, text: self.text() }),
            }
        }
    }

    fn is_allowed(&self, encoding: Encoding) -> bool {
        self.kept.as_ref().is_none_or(|kept| kept.options.allows(encoding))
    }

    /// True if the encoding is a guess at a legacy one.
    fn is_legacy(&self) -> bool {
        matches!(self.basis, Basis::Declared | Basis::Likeliest { .. } | Basis::Unknown) && self.joined.is_none()
    }

    fn ranked(&self) -> Option<Ranked> {
        let kept = self.kept.as_ref()?;
        let declared = self.declaration.as_ref().and_then(Declaration::encoding);
        let declared = usable_declaration(declared, &kept.legacy, &kept.options);
        let known = kept.guess.as_ref().filter(|(with, _)| *with == declared);
        let guess = match known {
            Some((_, guess)) => guess.clone(),
            None => kept.legacy.guess(declared, &kept.options)?,
        };
        let mut probabilities = of_readings(&guess, self.certainty == Certainty::Guess && self.encoding.is_some());
        if let Some((best, others)) = probabilities.split_first_mut()
            && let least = least(self.certainty)
            && *best < least
            && self.encoding.is_some()
        {
            others.iter_mut().for_each(|other| *other *= (1.0 - least) / (1.0 - *best));
            *best = least;
        }
        Some(Ranked { probabilities, guess })
    }

    /// The language of the text; `None` if it is open, or the encoding is.
    ///
    /// It is told from the front of the text, or from the surroundings of characters beyond
    /// US-ASCII, at most four thousand characters. Each call does that once more.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// let found = detect(b"D\xE9j\xE0 les enfants \xE9taient \xE0 l'\xE9cole, o\xF9 ils apprenaient.");
    /// assert_eq!(found.language().map(|language| language.name()), Some("French"));
    /// assert_eq!(detect(b"x = y + 1").language(), None);
    /// ```
    pub fn language(&self) -> Option<Language> {
        self.text().language_in(self.encoding?)
    }

    fn text(&self) -> Text {
        Text { kept: self.kept.clone(), bom: self.bom }
    }

    /// For `model/calibrate.py`: the features, and by how many bits the other readings are behind.
    #[doc(hidden)]
    pub fn features(&self) -> Option<(Features, [f64; 7], Vec<f64>)> {
        let guess = self.ranked()?.guess;
        let is_guess = self.certainty == Certainty::Guess && self.encoding.is_some();
        let behind_of = |reading: &Reading| if is_guess { reading.behind } else { reading.behind_as_text };
        let behind = guess.readings.iter().map(|reading| behind_of(reading) as f64 / f64::from(BIT)).collect();
        Some((Features::of(&guess), others(&guess), behind))
    }

    /// For `model/calibrate.py`: the language with its margin, letters and excess, open or not.
    #[doc(hidden)]
    pub fn language_features(&self) -> Option<(&'static str, u64, u64, i64)> {
        let text = self.text();
        let found = identified(&text.chars(self.encoding?), text.told())?;
        Some((found.name, found.margin, found.letters, found.excess))
    }
}

impl Text {
    fn language_in(&self, encoding: Encoding) -> Option<Language> {
        language_of(&self.chars(encoding), self.told())
    }

    /// The languages that the caller expects.
    fn told(&self) -> LanguageSet {
        self.kept.as_ref().and_then(|kept| kept.options.languages()).map_or(LanguageSet::default(), |(told, _)| told)
    }

    /// The characters from which the language is told.
    fn chars(&self, encoding: Encoding) -> Vec<char> {
        let Some(kept) = &self.kept else { return Vec::new() };
        let sample = kept.legacy.sample();
        // The sample leaves out text far from characters beyond US-ASCII.
        let is_sampled = encoding.unit_size() == 1 && sample.len() > kept.front.len();
        let bytes = if is_sampled { sample } else { &kept.front[..] };
        let bytes = bytes.strip_prefix(self.bom.map_or(&[][..], Bom::bytes)).unwrap_or(bytes);
        let bytes = &bytes[..bytes.len().min(ENOUGH)];
        let bytes = &bytes[..bytes.len() - bytes.len() % encoding.unit_size()];
        encoding.decode(bytes).0.chars().filter(|c| *c != char::REPLACEMENT_CHARACTER).collect()
    }
}

/// The legacy readings.
struct Ranked {
    guess: Guess,
    /// Of the best and the others.
    probabilities: Vec<f64>,
}

/// The least confidence in a likely result: evidence other than the scores of the readings may have made it so, such
/// as that a sign in US-ASCII is from the code page of Windows.
fn least(certainty: Certainty) -> f64 {
    match certainty {
        Certainty::Certain | Certainty::NearlyCertain => 0.99,
        Certainty::Likely => 0.95,
        Certainty::Guess => 0.0,
    }
}

/// The confidence in a result that is no guess at a legacy encoding.
fn by_certainty(certainty: Certainty) -> f64 {
    match certainty {
        Certainty::Certain => 0.999_999,
        Certainty::NearlyCertain => 0.9995,
        Certainty::Likely => 0.97,
        Certainty::Guess => 0.6,
    }
}
