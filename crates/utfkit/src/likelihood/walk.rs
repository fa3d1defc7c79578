//! Words and signs of a text, one after the other.

use alloc::vec::Vec;

use super::model::LATIN;
use super::token::{BIT, Kind, Token};

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

/// Takes a piece, the token before it, and how often both are there; returns whether
/// to go on.
pub(crate) type TakePiece<'a> = dyn FnMut(&[Token], Option<Token>, u64) -> bool + 'a;

/// A text in pieces.
pub(crate) trait Pieces {
    /// Calls `take` with each piece. It ends with white space, so that what comes after
    /// changes nothing.
    fn each(&self, take: &mut TakePiece<'_>);
}

/// A word.
pub(super) struct Word<'a> {
    pub(super) script: u8,
    /// Its letters.
    pub(super) numbers: &'a [u8],
    /// How many of them are not US-ASCII.
    pub(super) above: u32,
    /// What its capitals cost.
    pub(super) case: u32,
}

impl Word<'_> {
    pub(super) fn len(&self) -> u32 {
        self.numbers.len().try_into().unwrap_or(u32::MAX)
    }
}

/// Who takes what a text is made of.
pub(super) trait Take {
    fn word(&mut self, word: &Word<'_>);

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
/// interest. `numbers` is for the letters of a word.
pub(super) fn walk(tokens: &[Token], before: Option<Token>, numbers: &mut Vec<u8>, take: &mut impl Take) -> bool {
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
        match token {
            Token::Letter { script, .. } => at += word(&tokens[at..], script, numbers, take),
            Token::Wide(code) => {
                let begins = !matches!(before, Some(Token::Wide(_)));
                if begins && let Some(Token::Letter { is_above, .. }) = before {
                    // In the midst of a word of letters.
                    take.common(if is_above { MISPLACED } else { MISPLACED / 2 });
                }
                if let Some(Token::Letter { is_capital: false, .. }) = tokens.get(at + 1) {
                    take.common(MISPLACED / 2);
                }
                take.wide(code, begins);
                at += 1;
            }
            Token::Sign { .. } => {
                sign(token, before, tokens.get(at + 1).copied(), take);
                at += 1;
            }
        }
    }
    true
}

/// Takes the word that begins there; returns its length.
fn word(tokens: &[Token], script: u8, numbers: &mut Vec<u8>, take: &mut impl Take) -> usize {
    numbers.clear();
    let (mut capitals, mut case, mut above) = (0, 0, 0);
    let mut before = false;
    for token in tokens {
        let &Token::Letter { script: of, number, is_capital, is_above } = token else { break };
        if of != script {
            take.common(MEETING);
            break;
        }
        if is_capital != before && !numbers.is_empty() && !(numbers.len() == 1 && before) {
            case += MIXED;
        }
        capitals += usize::from(is_capital);
        above += u32::from(is_above);
        before = is_capital;
        numbers.push(number);
    }
    case += match capitals {
        0 => BIT / 2,
        1 => 3 * BIT,
        // Capitals all through.
        n if n == numbers.len() => 4 * BIT,
        _ => 5 * BIT,
    };
    let has_case = matches!(script, 1 | 2 | LATIN);
    take.word(&Word { script, numbers, above, case: if has_case { case } else { 0 } });
    numbers.len()
}

/// Takes a sign.
#[inline]
fn sign(token: Token, before: Option<Token>, after: Option<Token>, take: &mut impl Take) {
    let Token::Sign { kind, cost, is_above, which } = token else { return };
    let mut cost = u32::from(cost);
    let is_letter = |token: Option<Token>| matches!(token, Some(Token::Letter { .. }));
    let is = |token: Option<Token>, such: Kind| matches!(token, Some(Token::Sign { kind, .. }) if kind == such);
    let within = is_letter(before) && is_letter(after);
    let (mut is_fresh, mut strange) = (false, 0);
    match kind {
        Kind::Odd | Kind::Between => {}
        Kind::Within if within => {}
        Kind::Within => cost += 2 * BIT,
        Kind::Frame if is(before, Kind::Frame) => cost = 8 * BIT,
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
    if kind != Kind::Odd && matches!(before, Some(Token::Sign { which: same, .. }) if same == which) {
        cost = cost.min(2 * BIT);
    }
    if is_above {
        is_fresh = true;
        strange += i64::from(cost) - if kind == Kind::Frame { USUAL_FRAME } else { USUAL_SIGN };
    } else if kind == Kind::Odd {
        strange += i64::from(cost);
    }
    take.sign(cost, is_fresh, strange);
}
