//! Words and signs of a text, one after the other.

use super::model::LATIN;
use super::token::{BIT, Kind, Meaning, Token};

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

/// After so many tokens it is asked whether to go on.
const ASKED: usize = 16;

/// A word.
pub(super) struct Word<'a> {
    pub(super) script: u8,
    pub(super) letters: &'a [Token],
    /// How many of them are not US-ASCII.
    pub(super) above: u32,
    /// What its capitals cost.
    pub(super) case: u32,
}

impl Word<'_> {
    pub(super) fn len(&self) -> u32 {
        self.letters.len().try_into().unwrap_or(u32::MAX)
    }
}

/// Who takes what a text is made of.
pub(super) trait Take<'a> {
    fn word(&mut self, word: &Word<'a>);

    /// An ideograph, kana or Hangul; whether a stretch of them begins.
    fn wide(&mut self, code: u16, begins: bool);

    /// A sign: its cost, whether it counts as a letter, and what is strange about it.
    fn sign(&mut self, cost: u32, is_fresh: bool, strange: i64);

    /// What costs the same in every language.
    fn common(&mut self, cost: u32);

    /// Whether the rest is of no interest.
    fn is_enough(&self) -> bool {
        false
    }
}

/// Takes a piece apart that stands after `before`; returns whether all of it was of
/// interest.
pub(super) fn walk<'a>(tokens: &'a [Token], before: Option<Token>, take: &mut impl Take<'a>) -> bool {
    let mut at = 0;
    let mut asked = ASKED;
    while let Some(&token) = tokens.get(at) {
        if at >= asked {
            if take.is_enough() {
                return false;
            }
            asked = at + ASKED;
        }
        let before = if at == 0 { before } else { Some(tokens[at - 1]) };
        match token.meaning() {
            Meaning::Letter { script, .. } => at += word(&tokens[at..], script, take),
            Meaning::Wide(code) => {
                let begins = !before.is_some_and(Token::is_ideograph);
                if begins && let Some(before) = before.filter(|before| before.is_letter()) {
                    // In the midst of a word of letters.
                    take.common(if before.is_above() { MISPLACED } else { MISPLACED / 2 });
                }
                if tokens.get(at + 1).is_some_and(|after| after.is_letter() && !after.is_capital()) {
                    take.common(MISPLACED / 2);
                }
                take.wide(code, begins);
                at += 1;
            }
            Meaning::Sign { kind, cost } => {
                sign(token, kind, cost.into(), before, tokens.get(at + 1).copied(), take);
                at += 1;
            }
        }
    }
    true
}

/// Takes the word that begins there; returns its length.
fn word<'a>(tokens: &'a [Token], script: u8, take: &mut impl Take<'a>) -> usize {
    let first = tokens[0];
    let len = tokens.iter().position(|token| !token.is_letter_like(first)).unwrap_or(tokens.len());
    if tokens.get(len).is_some_and(|after| after.is_letter()) {
        take.common(MEETING);
    }
    let letters = &tokens[..len];
    let (mut above, mut capitals, mut changes) = (0, 0, 0);
    let mut before = first;
    for &letter in letters {
        above += u32::from(letter.is_above());
        capitals += usize::from(letter.is_capital());
        changes += u32::from(letter.is_capital() != before.is_capital());
        before = letter;
    }
    // The first one is often a capital alone.
    let begins = first.is_capital() && letters.get(1).is_some_and(|second| !second.is_capital());
    let mut case = (changes - u32::from(begins)) * MIXED;
    case += match capitals {
        0 => BIT / 2,
        1 => 3 * BIT,
        // Capitals all through.
        n if n == len => 4 * BIT,
        _ => 5 * BIT,
    };
    let has_case = matches!(script, 1 | 2 | LATIN);
    take.word(&Word { script, letters, above, case: if has_case { case } else { 0 } });
    len
}

/// Takes a sign.
#[inline]
fn sign<'a>(
    token: Token,
    kind: Kind,
    mut cost: u32,
    before: Option<Token>,
    after: Option<Token>,
    take: &mut impl Take<'a>,
) {
    let is_letter = |token: Option<Token>| token.is_some_and(Token::is_letter);
    let within = is_letter(before) && is_letter(after);
    let (mut is_fresh, mut strange) = (false, 0);
    match kind {
        Kind::Odd | Kind::Between => {}
        Kind::Within if within => {}
        Kind::Within => cost += 2 * BIT,
        Kind::Frame if before.is_some_and(|before| before.is_of(Kind::Frame)) => cost = 8 * BIT,
        Kind::Frame if is_letter(before) || is_letter(after) => cost += MISPLACED,
        Kind::Outside if within => cost += MISPLACED,
        Kind::National if within => {
            (is_fresh, strange) = (true, i64::from(2 * MISPLACED));
            cost += MISPLACED;
        }
        Kind::Wide => {
            // Among its like.
            let is_wide = |token: Option<Token>| token.is_some_and(Token::is_wide);
            let alone = u32::from(!is_wide(before)) + u32::from(!is_wide(after));
            cost += alone * 5 * BIT + if is_letter(before) || is_letter(after) { MISPLACED } else { 0 };
        }
        _ => {}
    }
    // A line of it.
    let is_same = |before: Token| before.is_sign() && before.number() == token.number();
    if kind != Kind::Odd && before.is_some_and(is_same) {
        cost = cost.min(2 * BIT);
    }
    if token.is_above() {
        is_fresh = true;
        strange += i64::from(cost) - if kind == Kind::Frame { USUAL_FRAME } else { USUAL_SIGN };
    } else if kind == Kind::Odd {
        strange += i64::from(cost);
    }
    take.sign(cost, is_fresh, strange);
}
