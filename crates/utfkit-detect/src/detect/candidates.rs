//! All encodings that the bytes may be in, with probabilities.

use alloc::vec::Vec;

use super::calibration::{Features, of_readings, of_utf8, others};
use super::certainty::Certainty;
use super::declaration::Declaration;
use super::detection::{Basis, Detection};
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
    language: Option<Language>,
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

    /// The language of the text in this encoding.
    pub fn language(&self) -> Option<Language> {
        self.language
    }
}

impl Detection {
    /// The probability that the result is right, from 0 to 1: that of the encoding, and without
    /// one that the bytes are in none that the library knows. At least 0.95 for a result that is
    /// likely, and 0.99 above. For a legacy encoding, each call ranks all encodings once more.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// assert!(detect("Grüße, 日本語, Съешь".as_bytes()).confidence() > 0.999);
    /// assert!(detect(b"\xE9\xE8\xE7").confidence() < 0.9);
    /// ```
    pub fn confidence(&self) -> f64 {
        if !self.is_legacy() || self.mixed {
            return match self.basis {
                Basis::WellFormed if self.joined.is_none() => of_utf8(self.sequences),
                Basis::Damaged if self.certainty == Certainty::Guess => 0.9,
                _ => by_certainty(self.certainty),
            };
        }
        let Some(Ranked { guess, probabilities }) = self.ranked() else { return by_certainty(self.certainty) };
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
    /// Each call ranks all encodings once more, which takes some milliseconds at most.
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
        if let Some(encoding) = self.encoding {
            let equivalent = self.equivalent.into_iter().collect();
            found.push(Candidate { encoding, probability: self.confidence(), equivalent, language: None });
        }
        let is_proved = !self.is_legacy() && found.first().is_some_and(|answer| answer.probability >= 0.9999);
        if !is_proved && self.basis != Basis::NoText && self.joined.is_none() {
            self.add_readings(&mut found);
        }
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        for candidate in &mut found {
            candidate.language = language_of(&self.text_in(candidate.encoding), self.told());
        }
        found
    }

    /// Adds the legacy readings, except one that gives the same text as an encoding in `found`.
    fn add_readings(&self, found: &mut Vec<Candidate>) {
        let Some(Ranked { guess, probabilities }) = self.ranked() else { return };
        // If the bytes prove the answer, it leaves little.
        let left = found.first().map_or(1.0, |answer| 1.0 - answer.probability);
        let left = if self.is_legacy() { 1.0 } else { left };
        let others = guess.readings.into_iter().map(|reading| (reading.encoding, reading.equivalent));
        let readings = core::iter::once((guess.encoding, guess.equivalent)).chain(others);
        for ((encoding, mut equivalent), probability) in readings.zip(probabilities) {
            match found.first_mut() {
                Some(answer) if answer.encoding == encoding || equivalent.contains(&answer.encoding) => {
                    equivalent.insert(0, encoding);
                    equivalent.retain(|other| *other != answer.encoding);
                    answer.equivalent = equivalent;
                }
                _ if !self.is_allowed(encoding) => {}
                _ => found.push(Candidate { encoding, probability: left * probability, equivalent, language: None }),
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
        let guess = kept.legacy.readings(declared, &kept.options)?;
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
        language_of(&self.text_in(self.encoding?), self.told())
    }

    /// The languages that the caller expects.
    fn told(&self) -> LanguageSet {
        self.kept.as_ref().and_then(|kept| kept.options.languages()).map_or(LanguageSet::default(), |(told, _)| told)
    }

    /// The characters from which the language is told.
    fn text_in(&self, encoding: Encoding) -> Vec<char> {
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
        let found = identified(&self.text_in(self.encoding?), self.told())?;
        Some((found.name, found.margin, found.letters, found.excess))
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
