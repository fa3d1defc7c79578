//! The likeliest legacy encoding, and how sure that is.

use alloc::vec::Vec;

use super::encodings::{is_ebcdic, own_script, prior};
use crate::detect::certainty::Certainty;
use crate::line::is_single_byte;
use crate::model::{BIT, Evaluation, Script};
use utfkit_core::{Encoding, Legacy};

/// Below this margin, in bits, another reading is right once in a hundred times.
pub(in crate::detect) const CLOSE: u64 = 7;

/// The margin from which on signs are in the most common encoding.
pub(super) const LEAST: u64 = 2;

pub(super) const MOST_COMMON: Encoding = Encoding::Legacy(Legacy::Windows1252);

/// Fewer letters are no evidence among signs.
const FEW: u64 = 8;
/// Fewer signs are no box drawing.
const FEW_OF_BOXES: u64 = 4;
/// Fewer letters in different words are no evidence for a rare encoding.
const FEW_OF_RARE: u64 = 3;
/// Text in a script other than Latin has more different letters.
const FEW_KINDS: usize = 6;
const MANY_LETTERS: u64 = 24;
/// Fewer ideographs, kana or syllables are no evidence.
const FEW_OF_WIDE: u64 = 4;
const MANY_OF_WIDE: u64 = 64;
/// The margin at which a rare encoding is likely.
const CLOSE_TO_RARE: u64 = CLOSE + 3;
/// The prior of an encoding for which one letter is no evidence, in bits.
const UNUSUAL: u32 = 6;
/// The prior of a rare encoding, in bits.
pub(super) const RARE: u32 = 7;

/// The margin below which the letters speak against the declaration, in bits.
const AGREED: u64 = 32;
/// The penalty of every encoding but the declared one. Declarations are usually
/// right, but a Western name often comes with a template.
const UNDECLARED: u64 = 40 * BIT as u64;
const UNDECLARED_WESTERN: u64 = 12 * BIT as u64;

pub(in crate::detect) const fn undeclared_penalty(declared: Encoding) -> u64 {
    match declared {
        Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252) => UNDECLARED_WESTERN,
        _ => UNDECLARED,
    }
}

#[derive(Clone, Debug)]
pub(in crate::detect) struct Guess {
    pub(in crate::detect) encoding: Encoding,
    /// By how many bits the next different reading scores higher.
    pub(in crate::detect) margin: u64,
    /// The encoding of that reading.
    pub(in crate::detect) runner_up: Option<Encoding>,
    /// Other encodings in which the bytes are the same text.
    pub(in crate::detect) equivalent: Vec<Encoding>,
    /// True if the stream is well-formed in the encoding.
    pub(in crate::detect) is_well_formed: bool,
    /// True if no byte above 7F has a letter beside it.
    pub(in crate::detect) is_alone: bool,
    pub(in crate::detect) evaluation: Evaluation,
    pub(in crate::detect) kind: TextKind,
    /// The number of different bytes above 7F.
    pub(in crate::detect) kinds: usize,
    /// True for signs of box drawing that make no lines, and for other signs that are no text.
    pub(in crate::detect) has_loose_signs: bool,
    /// The other readings, the likeliest first, if they were asked for.
    pub(in crate::detect) readings: Vec<Reading>,
}

/// Another reading of the bytes.
#[derive(Clone, Debug)]
pub(in crate::detect) struct Reading {
    pub(in crate::detect) encoding: Encoding,
    /// Other encodings in which it is the same text.
    pub(in crate::detect) equivalent: Vec<Encoding>,
    /// By how much its score is higher than the best, in sixteenths of a bit.
    pub(in crate::detect) behind: u64,
    /// Without the priors that few letters add.
    pub(in crate::detect) behind_as_text: u64,
}

/// The kind of text that the bytes are in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::detect) enum TextKind {
    /// Text of one language.
    Text,
    /// A list of words in several languages.
    Words,
    /// Something without words, such as a table of characters.
    Fragments,
}

impl Guess {
    /// True if the penalty is in the range of text in the language.
    pub(in crate::detect) fn is_text(&self) -> bool {
        // Stricter where another reading is as likely: both may be wrong.
        let is_close =
            self.margin < CLOSE && self.kind == TextKind::Text && self.evaluation.script == Some(Script::Latin);
        let quarters = match (is_ebcdic(self.encoding), is_close) {
            // Only the accents of these tell the readings apart; spaces and letters say that it is text.
            (true, false) => 8,
            (false, true) => 3,
            _ => 4,
        };
        excess_penalty(self.encoding, &self.evaluation, quarters) <= 0 && has_words(&self.evaluation, Limit::Text)
    }

    /// True for the encoding and for those of the readings that are not far behind.
    pub(in crate::detect) fn has_read(&self, encoding: Encoding) -> bool {
        let is_of = |first: Encoding, equivalent: &[Encoding]| first == encoding || equivalent.contains(&encoding);
        is_of(self.encoding, &self.equivalent)
            || self.readings.iter().any(|reading| is_of(reading.encoding, &reading.equivalent))
    }

    /// True for letters of one script that make no words.
    pub(super) fn is_nearly_text(&self) -> bool {
        self.is_plausible() && has_words(&self.evaluation, Limit::Fragments)
    }

    /// True if the penalty is at most twice that of text: enough where something else says that it
    /// is text.
    pub(in crate::detect) fn is_plausible(&self) -> bool {
        excess_penalty(self.encoding, &self.evaluation, 8) <= 0
    }

    /// The mean penalty, as a share of that which is allowed for text.
    pub(in crate::detect) fn relative_penalty(&self) -> f64 {
        let limit = self.evaluation.mean_penalty() - excess_penalty(self.encoding, &self.evaluation, 4);
        self.evaluation.mean_penalty() as f64 / limit as f64
    }

    /// True for an encoding of Chinese, Japanese or Korean.
    pub(in crate::detect) fn is_multibyte(&self) -> bool {
        !is_single_byte(self.encoding)
    }

    /// True if the guess would be likely without the declaration for it.
    pub(in crate::detect) fn is_likely_undeclared(&self) -> bool {
        self.margin >= undeclared_penalty(self.encoding) / u64::from(BIT) + CLOSE
    }

    /// True if the letters do not speak against the declaration, which is not a Western one that
    /// came with a template.
    pub(in crate::detect) fn is_meant(&self, declared: Encoding) -> bool {
        let is_western = undeclared_penalty(declared) == UNDECLARED_WESTERN;
        if is_western { self.is_text() && self.margin >= CLOSE } else { self.is_plausible() && self.margin >= AGREED }
    }

    /// True if most of the text beyond US-ASCII is signs, which a table or markup repeats: that is
    /// evidence only for the most common encoding, and for box drawing.
    fn is_mostly_signs(&self) -> bool {
        let Evaluation { letters, distinct, .. } = self.evaluation;
        self.kind == TextKind::Text && letters < FEW && 2 * letters < distinct
    }

    /// The margin from which on the guess is likely.
    fn likely_margin(&self) -> Option<u64> {
        let Evaluation { letters, distinct, .. } = self.evaluation;
        match self.encoding {
            _ if self.is_no_prose() => None,
            MOST_COMMON if letters == 0 && self.kind == TextKind::Text => (!self.has_loose_signs).then_some(LEAST),
            MOST_COMMON => Some(CLOSE),
            Encoding::Ibm437 if self.is_mostly_signs() => {
                (distinct >= FEW_OF_BOXES && !self.has_loose_signs).then_some(CLOSE)
            }
            _ if self.is_mostly_signs() || self.has_too_few_letters() => None,
            // More evidence for what hardly anyone uses.
            _ if self.is_rare() => (distinct >= FEW_OF_RARE).then_some(CLOSE_TO_RARE),
            _ => Some(CLOSE),
        }
    }

    /// True for characters that are in no words, in whatever encoding.
    fn is_no_prose(&self) -> bool {
        let Evaluation { distinct, odd_letters, word_letters, wide, wide_stretches, wide_letters, half_width, .. } =
            self.evaluation;
        // One by one, as in tables: the order of a table is the same in several encodings.
        let are_apart =
            8 * wide_stretches > 7 * wide && 2 * wide_letters > wide || half_width == wide && 2 * wide_stretches > wide;
        self.kind == TextKind::Fragments
            || 2 * odd_letters > word_letters
            || are_apart
            || self.is_multibyte() && distinct < FEW_OF_WIDE
    }

    /// True if the letters may be letters in another encoding by chance. Rare encodings need more of them.
    fn has_too_few_letters(&self) -> bool {
        let Evaluation { letters, distinct, .. } = self.evaluation;
        let prior = prior(self.encoding);
        let script = own_script(self.encoding);
        // The language of the rest may not have a single letter.
        let is_single = distinct < 2 && prior.is_some_and(|prior| prior >= UNUSUAL)
            || self.kinds < 2 && prior.is_some_and(|prior| prior > RARE + 1);
        // Such as the points of a picture.
        let are_repeated =
            script.is_some() && !self.is_multibyte() && self.kinds < FEW_KINDS && letters >= MANY_LETTERS;
        // Most bytes beyond US-ASCII are letters in these, in any order.
        let is_dense = script == Some(Script::Thai)
            || self.is_rare() && script.is_some()
            || self.encoding == Encoding::Legacy(Legacy::Viscii);
        is_single || are_repeated || is_dense && (distinct < FEW || distinct < 2 * FEW && self.margin < 2 * CLOSE)
    }

    fn is_rare(&self) -> bool {
        !is_ebcdic(self.encoding) && prior(self.encoding).is_none_or(|prior| prior >= RARE)
    }

    pub(in crate::detect) fn certainty(&self) -> Certainty {
        let is_likely = self.is_well_formed && self.likely_margin().is_some_and(|margin| self.margin >= margin);
        let is_plain = self.kind == TextKind::Text && is_plain_text(self.encoding, &self.evaluation);
        // Letters of other encodings may be a run of half-width katakana.
        let is_half_width = self.encoding == Encoding::Legacy(Legacy::ShiftJis)
            && self.evaluation.half_width == self.evaluation.letters;
        match self.margin {
            40.. if is_likely && is_plain && !is_half_width => Certainty::NearlyCertain,
            _ if is_likely => Certainty::Likely,
            _ => Certainty::Guess,
        }
    }
}

/// True if the penalty is in the range of text in the language.
pub(in crate::detect) fn is_text(encoding: Encoding, evaluation: &Evaluation) -> bool {
    excess_penalty(encoding, evaluation, 4) <= 0
}

/// By how much the mean penalty exceeds `quarters / 4` of the limit. The limit is the
/// 99th percentile of text read in the right encoding; short text varies more.
fn excess_penalty(encoding: Encoding, evaluation: &Evaluation, quarters: i64) -> i64 {
    let distinct = i64::try_from(evaluation.distinct.max(1)).unwrap_or(i64::MAX);
    let (each, total) = match evaluation.script {
        _ if is_ebcdic(encoding) => (32, 64),
        Some(Script::Wide) => (76, 320),
        Some(Script::Latin) | None => (80, 480),
        Some(_) => (28, 300),
    };
    evaluation.mean_penalty() - (each + total / distinct) * quarters / 4
}

/// True for text of more than a few letters, with at most half of the penalty allowed.
pub(super) fn is_plain_text(encoding: Encoding, evaluation: &Evaluation) -> bool {
    evaluation.distinct >= 8 && excess_penalty(encoding, evaluation, 2) <= 0 && has_words(evaluation, Limit::Plain)
}

/// How far words may be from words of the language.
#[derive(Clone, Copy)]
enum Limit {
    Plain,
    Text,
    Fragments,
}

/// True if the words with letters beyond US-ASCII are words: bytes that are no text, and letters
/// without words, exceed the mean score of a letter by three bits and more.
fn has_words(evaluation: &Evaluation, limit: Limit) -> bool {
    // Frames and arrows are more than the letters in a manual, too.
    let is_signs = evaluation.script == Some(Script::Wide)
        && 2 * evaluation.letters < evaluation.distinct
        && evaluation.letters < MANY_OF_WIDE;
    let (each, any) = match limit {
        Limit::Plain => (24, 128),
        Limit::Text => (36, 400),
        Limit::Fragments => (68, 400),
    };
    !is_signs && evaluation.word_excess <= each * evaluation.word_letters + any
}
