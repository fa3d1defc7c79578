//! Splits tokens into words, ideographs and signs, with the scores that do not
//! depend on the language.

use super::tables::{LATIN, is_half_kana, is_misplaced_kana};
use super::token::{BIT, Kind, Meaning, Token};

/// Penalty for each change of case within a word, a capital at its beginning excepted.
const MIXED_CASE: u32 = 7 * BIT;
/// Penalty for a sign in an unlikely place, such as within a word.
const MISPLACED: u32 = 6 * BIT;
/// Penalty for a middle dot between letters that are not the same.
const MIDDLE_DOT: u32 = 8 * BIT;
/// Penalty for two scripts in one word.
const MIXED_SCRIPTS: u32 = 6 * BIT;
/// Penalty for a stretch of half-width katakana, which are rare.
const HALF_WIDTH: u32 = 3 * BIT;
/// The most that a repeated sign costs.
const REPEATED: u32 = 2 * BIT;
/// The expected score of a sign beyond US-ASCII.
const EXPECTED_SIGN: i64 = 10 * BIT as i64;
/// The expected score of a box-drawing character: most continue a line.
const EXPECTED_FRAME: i64 = 6 * BIT as i64;

/// The limit is checked after this many tokens.
const CHECK_EVERY: usize = 16;

/// Letters of one script.
pub(super) struct Word<'a> {
    pub(super) script: u8,
    pub(super) letters: &'a [Token],
    /// The number of letters beyond US-ASCII.
    pub(super) non_ascii: u32,
    pub(super) case_penalty: u32,
}

/// The score of a word.
#[derive(Clone, Copy)]
pub(super) struct WordScore {
    pub(super) score: u32,
    /// The mean score of words of this length in the language.
    pub(super) expected: u32,
}

impl Word<'_> {
    pub(super) fn len(&self) -> u32 {
        self.letters.len().try_into().unwrap_or(u32::MAX)
    }
}

/// Receives the parts of a text in order.
pub(super) trait Visitor<'a> {
    fn word(&mut self, word: &Word<'a>);

    /// An ideograph, kana or Hangul syllable.
    fn wide(&mut self, code: u16, begins_stretch: bool);

    /// A sign. `is_distinct` says that it counts as a character of the text, with
    /// `penalty`, how far it is from ordinary.
    fn sign(&mut self, score: u32, is_distinct: bool, penalty: i64);

    /// A penalty in every language.
    fn penalty(&mut self, score: u32);

    /// True to skip the rest.
    fn is_over_limit(&self) -> bool {
        false
    }
}

/// Visits a segment that comes after `previous`. Returns false if the visitor stopped.
pub(super) fn visit<'a>(tokens: &'a [Token], previous: Option<Token>, visitor: &mut impl Visitor<'a>) -> bool {
    let mut at = 0;
    let mut next_check = CHECK_EVERY;
    while let Some(&token) = tokens.get(at) {
        if at >= next_check {
            if visitor.is_over_limit() {
                return false;
            }
            next_check = at + CHECK_EVERY;
        }
        let previous = if at == 0 { previous } else { Some(tokens[at - 1]) };
        match token.meaning() {
            Meaning::Letter { script, .. } => at += visit_word(&tokens[at..], script, visitor),
            Meaning::Wide(code) => {
                let begins_stretch = !previous.is_some_and(Token::is_ideograph);
                let is_half_width = is_half_kana(code);
                let letter = previous.filter(|previous| begins_stretch && previous.is_letter());
                let letter_after = tokens.get(at + 1).filter(|next| next.is_letter());
                let has_small_after = letter_after.is_some_and(|next| !next.is_capital());
                if is_half_width {
                    let kana = previous.and_then(Token::ideograph);
                    let misplaced = u32::from(letter.is_some())
                        + u32::from(letter_after.is_some())
                        + u32::from(kana == Some(code))
                        + u32::from(is_misplaced_kana(code, kana));
                    let score = misplaced * MISPLACED + if begins_stretch { HALF_WIDTH } else { 0 };
                    visitor.sign(score, false, i64::from(misplaced * MISPLACED));
                } else {
                    if let Some(letter) = letter {
                        visitor.penalty(if letter.is_non_ascii() { MISPLACED } else { MISPLACED / 2 });
                    }
                    if has_small_after {
                        visitor.penalty(MISPLACED / 2);
                    }
                }
                visitor.wide(code, begins_stretch);
                at += 1;
            }
            // Most signs are spaces.
            Meaning::Sign { kind: Kind::Between, score } if !token.is_non_ascii() => {
                let score = if previous == Some(token) { u32::from(score).min(REPEATED) } else { score.into() };
                visitor.sign(score, false, 0);
                at += 1;
            }
            Meaning::Sign { kind, score } => {
                visit_sign(token, kind, score.into(), previous, tokens.get(at + 1).copied(), visitor);
                at += 1;
            }
        }
    }
    true
}

/// Visits the word at the front; returns its length.
fn visit_word<'a>(tokens: &'a [Token], script: u8, visitor: &mut impl Visitor<'a>) -> usize {
    let first = tokens[0];
    let (mut len, mut non_ascii, mut capitals) = (0, 0, 0);
    for &letter in tokens {
        if !letter.is_letter_like(first) {
            if letter.is_letter() {
                visitor.sign(MIXED_SCRIPTS, false, i64::from(MIXED_SCRIPTS));
            }
            break;
        }
        len += 1;
        non_ascii += u32::from(letter.is_non_ascii());
        capitals += usize::from(letter.is_capital());
    }
    let letters = &tokens[..len];
    let is_change = |pair: &&[Token]| pair[0].is_capital() != pair[1].is_capital();
    let changes = if capitals == 0 { 0 } else { letters.windows(2).filter(is_change).count() as u32 };
    let is_capitalized = first.is_capital() && letters.get(1).is_some_and(|second| !second.is_capital());
    let mut case_penalty = (changes - u32::from(is_capitalized)) * MIXED_CASE;
    case_penalty += match capitals {
        0 => BIT / 2,
        1 => 3 * BIT,
        n if n == len => 4 * BIT,
        _ => 5 * BIT,
    };
    let has_case = matches!(script, 1 | 2 | LATIN);
    visitor.word(&Word { script, letters, non_ascii, case_penalty: if has_case { case_penalty } else { 0 } });
    len
}

#[inline(always)]
fn visit_sign<'a>(
    token: Token,
    kind: Kind,
    mut score: u32,
    previous: Option<Token>,
    next: Option<Token>,
    visitor: &mut impl Visitor<'a>,
) {
    let is_letter = |token: Option<Token>| token.is_some_and(Token::is_letter);
    let is_within_word = is_letter(previous) && is_letter(next);
    let is_white = |token: Token| !token.is_non_ascii() && token.is_of(Kind::Between) && token.number() <= b' ';
    let is_box = |token: Option<Token>| token.is_some_and(|token| token.is_of(Kind::Frame) || token.is_of(Kind::Bar));
    let are_same = |a: Option<Token>, b: Option<Token>| a.zip(b).is_some_and(|(a, b)| a.number() == b.number());
    let (mut is_distinct, mut penalty) = (false, 0);
    match kind {
        Kind::Odd | Kind::Between => {}
        // Catalan has a middle dot between two `l`.
        Kind::Within if is_within_word && token.is_middle_dot() && !are_same(previous, next) => score += MIDDLE_DOT,
        Kind::Within if is_within_word => {}
        Kind::Within if token.is_leading() && is_letter(previous) => score += MISPLACED,
        Kind::Within => score += 2 * BIT,
        Kind::Frame | Kind::Bar if is_box(previous) => {
            match previous.map_or(Joint::Closed, |left| joint(left, token)) {
                Joint::Joined => score -= 4 * BIT,
                Joint::Closed => {}
                Joint::Open => score += MISPLACED,
            }
        }
        Kind::Frame | Kind::Bar if is_letter(previous) || (kind == Kind::Bar && is_letter(next)) => score += MISPLACED,
        Kind::Frame if !is_box(next) => score += MISPLACED,
        Kind::Outside if is_within_word => score += MISPLACED,
        Kind::Outside if token.is_leading() && is_letter(previous) => score += MISPLACED,
        Kind::Outside if token.is_trailing() && previous.is_none_or(is_white) => score += MISPLACED,
        Kind::National if is_within_word => {
            (is_distinct, penalty) = (true, i64::from(2 * MISPLACED));
            score += MISPLACED;
        }
        Kind::Wide => {
            let is_wide = |token: Option<Token>| token.is_some_and(Token::is_wide);
            let sides_alone = u32::from(!is_wide(previous)) + u32::from(!is_wide(next));
            score += sides_alone * 4 * BIT + if is_letter(previous) || is_letter(next) { MISPLACED } else { 0 };
        }
        _ => {}
    }
    // A line of the same sign.
    if kind != Kind::Odd && previous == Some(token) {
        score = score.min(REPEATED);
    }
    if token.is_non_ascii() {
        is_distinct = true;
        penalty +=
            i64::from(score) - if matches!(kind, Kind::Frame | Kind::Bar) { EXPECTED_FRAME } else { EXPECTED_SIGN };
    } else if kind == Kind::Odd {
        penalty += i64::from(score);
    }
    visitor.sign(score, is_distinct, penalty);
}

/// How two characters of box drawing meet, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    /// A line runs from one to the other.
    Joined,
    /// No line of either points to the other.
    Closed,
    /// A line ends, or another kind of line goes on.
    Open,
}

fn joint(left: Token, right: Token) -> Joint {
    let [a, b] = [left, right].map(|token| arms(token.box_drawing()));
    match (a, b) {
        (None, _) | (_, None) => Joint::Joined,
        (Some((_, 0)), Some((0, _))) => Joint::Closed,
        (Some((_, to)), Some((from, _))) if to == from => Joint::Joined,
        _ => Joint::Open,
    }
}

/// The lines of a character of box drawing to the left and to the right: none, single or double. `None` for shades and
/// others that meet anything.
const fn arms(low: u8) -> Option<(u8, u8)> {
    Some(match low {
        // ─ ┬ ┴ ┼ ╥ ╨ ╫
        0x00 | 0x2C | 0x34 | 0x3C | 0x65 | 0x68 | 0x6B => (1, 1),
        // │ ║
        0x02 | 0x51 => (0, 0),
        // ┌ └ ├ ╓ ╙ ╟
        0x0C | 0x14 | 0x1C | 0x53 | 0x59 | 0x5F => (0, 1),
        // ┐ ┘ ┤ ╖ ╜ ╢
        0x10 | 0x18 | 0x24 | 0x56 | 0x5C | 0x62 => (1, 0),
        // ═ ╤ ╦ ╧ ╩ ╪ ╬
        0x50 | 0x64 | 0x66 | 0x67 | 0x69 | 0x6A | 0x6C => (2, 2),
        // ╒ ╔ ╘ ╚ ╞ ╠
        0x52 | 0x54 | 0x58 | 0x5A | 0x5E | 0x60 => (0, 2),
        // ╕ ╗ ╛ ╝ ╡ ╣
        0x55 | 0x57 | 0x5B | 0x5D | 0x61 | 0x63 => (2, 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_boxes_join_and_those_of_other_text_do_not() {
        let joint_of = |pair: &str| {
            let tokens: alloc::vec::Vec<Token> = pair.chars().map(Token::of).collect();
            joint(tokens[0], tokens[1])
        };
        for pair in ["──", "┌─", "─┐", "══", "╔═", "═╗", "├┤", "┼┼", "╞═", "░░", "▒│", "█▄"]
        {
            assert_eq!(joint_of(pair), Joint::Joined, "{pair}");
        }
        for pair in ["││", "│┌", "┐┌", "║║", "┘│", "╣╠"] {
            assert_eq!(joint_of(pair), Joint::Closed, "{pair}");
        }
        for pair in ["─│", "─═", "┌╠", "╗─", "║═", "┐─"] {
            assert_eq!(joint_of(pair), Joint::Open, "{pair}");
        }
    }
}
