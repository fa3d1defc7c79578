//! How likely it is that a group of characters was encoded twice, and how likely
//! that it was meant as it is.
//!
//! Points speak for a change. They are given for sequences that hardly any text
//! has:
//!
//! | points | for |
//! |---|---|
//! | 3 | one of the five controls that windows-1252 leaves empty; `â€`, `â‚¬`, `â„¢`; four characters that are one |
//! | 2 | a capital letter after a small one; a symbol with a letter after it; an `œ`, a currency or a fraction after an accented small letter |
//! | 1 | `Ã` or `Â`; either of them alone before a symbol; a quotation mark inside of a word; a letter as the result that fits its neighbours |
//! | 1 | each further sequence, up to three |
//! | −1 | a letter as the result that no everyday alphabet has, or of another script than the letter beside it |
//! | −2 | a small letter between capitals; an ideograph beside a Latin letter; a character for private use |
//!
//! From 3 on it is certain, with 2 likely, below that doubtful; below −2 it is
//! never done. Two characters that stand alone are never certain.

use super::windows_1252::Windows1252;

/// Bytes that are one character if they are read as UTF-8.
pub(super) struct Sequence<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) result: char,
}

/// How much speaks for undoing a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Never,
    Doubtful,
    Likely,
    Certain,
}

/// Judges a group between two characters.
pub(super) fn judge(table: &Windows1252, group: &[Sequence<'_>], before: Option<char>, after: Option<char>) -> Verdict {
    let (mut best, mut worst) = (i32::MIN, 0);
    for (at, sequence) in group.iter().enumerate() {
        let first = |sequence: &Sequence<'_>| table.character(sequence.bytes[0]);
        let last = |sequence: &Sequence<'_>| table.character(sequence.bytes[sequence.bytes.len() - 1]);
        let place = Place {
            before: at.checked_sub(1).map_or(before, |at| group.get(at).map(last)),
            after: group.get(at + 1).map_or(after, |next| Some(first(next))),
            // There are no words inside of a group.
            in_latin: (at == 0 && is_latin(before)) || (at + 1 == group.len() && is_latin(after)),
        };
        let Some(points) = place.points(table, sequence) else { return Verdict::Never };
        best = best.max(points);
        worst = worst.min(points);
    }
    let alone = group.len() < 2;
    let points = if alone { best } else { best + worst + (group.len() - 1).min(3) as i32 };
    match points {
        ..-2 => Verdict::Never,
        -2..=1 => Verdict::Doubtful,
        2 => Verdict::Likely,
        _ if alone && group.iter().all(|sequence| sequence.bytes.len() == 2) => Verdict::Likely,
        _ => Verdict::Certain,
    }
}

/// The neighbours of a sequence.
struct Place {
    before: Option<char>,
    after: Option<char>,
    /// A Latin letter of the text stands beside it.
    in_latin: bool,
}

/// How a character from 80 to BF goes with the letter before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// May stand between words: `’ … – — ·`, a space.
    Joins,
    Opens,
    Closes,
    /// May end a word, and does not stand inside of one: `™ ° ²`.
    Marks,
    /// Does not stand after a letter: currencies, fractions.
    Odd,
    Small,
    Capital,
    /// windows-1252 has nothing there.
    Control,
}

fn kind(c: char) -> Kind {
    match c {
        '’' | '…' | '–' | '—' | '·' | '\u{A0}' | '\u{AD}' => Kind::Joins,
        '‘' | '“' | '„' | '‚' | '«' | '‹' | '¡' | '¿' => Kind::Opens,
        '”' | '»' | '›' => Kind::Closes,
        '™' | '®' | '©' | '°' | '²' | '³' | '¹' | 'ª' | 'º' | '§' | '´' | '¨' | '†' | '‡' | '•' => {
            Kind::Marks
        }
        'š' | 'ž' | 'œ' => Kind::Small,
        'Š' | 'Ž' | 'Œ' | 'Ÿ' => Kind::Capital,
        c if c.is_control() => Kind::Control,
        _ => Kind::Odd,
    }
}

fn is_small(c: Option<char>) -> bool {
    c.is_some_and(char::is_lowercase)
}

fn is_capital(c: Option<char>) -> bool {
    c.is_some_and(char::is_uppercase)
}

fn is_letter(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphabetic)
}

fn is_latin(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '\u{C0}'..='\u{24F}' if c.is_alphabetic()))
}

impl Place {
    /// `None` if the result is not a character that text could have.
    fn points(&self, table: &Windows1252, sequence: &Sequence<'_>) -> Option<i32> {
        let points = match *sequence.bytes {
            [lead, second] => self.of_two(table.character(lead), table.character(second), sequence.result),
            [lead, second, third] => {
                let [lead, second, third] = [lead, second, third].map(|byte| table.character(byte));
                self.of_three(lead, second, third, sequence.result)
            }
            _ => self.of_four(table, sequence),
        };
        Some(points + self.of_result(sequence.result)?)
    }

    fn of_two(&self, lead: char, second: char, result: char) -> i32 {
        let Place { before, after, .. } = *self;
        let kind = kind(second);
        let follows = is_letter(after);
        let odd = match kind {
            Kind::Control => 3,
            Kind::Marks | Kind::Odd if follows => 2,
            Kind::Odd if matches!(second, '¤' | '¦' | '¬' | '¯' | '¶' | '¸' | 'ƒ' | 'ˆ' | '˜') => 1,
            Kind::Opens | Kind::Closes if follows => 1,
            Kind::Small if is_capital(before) => 1,
            Kind::Capital if is_small(after) => 1,
            _ => 0,
        };
        let frequent = matches!(lead, 'Ã' | 'Â');
        let mut points = odd + i32::from(frequent);
        if is_small(before) && lead.is_uppercase() {
            points += 2;
        }
        if before.is_some_and(|c| c.is_ascii_digit()) && !matches!(lead, 'Å' | '×') {
            points += 1;
        }
        let symbol = matches!(kind, Kind::Marks | Kind::Odd) && !matches!(second, '´' | '¨');
        // `à` as a word of its own, whose second byte is a space too.
        let word = lead == 'Ã' && second == '\u{A0}' && after.is_some_and(char::is_whitespace);
        if frequent && (symbol || word) && !is_letter(before) {
            points += 1;
        }
        let asked = odd > 0 || (lead == 'Ã' && kind == Kind::Marks);
        if asked && self.fits(result) {
            points += 1;
        }
        if result.is_lowercase() && is_capital(before) && is_capital(after) {
            points -= 2;
        }
        points
    }

    fn of_three(&self, lead: char, second: char, third: char, result: char) -> i32 {
        let Place { after, .. } = *self;
        let (first_kind, last_kind) = (kind(second), kind(third));
        let slavic = matches!(lead, 'á' | 'é' | 'í' | 'ä') && matches!(second, 'š' | 'ž');
        let mut points = match (lead, second) {
            ('â', '€') => 3,
            // The euro sign and the trade mark: no quotation opens there.
            ('â', '‚') if third == '¬' => 3,
            ('â', '„') if third == '¢' => 3,
            ('ï', '¿' | '»' | '¼') | ('â', '™') => 2,
            (_, 'ª' | 'º') => 1,
            _ => match first_kind {
                Kind::Control => 3,
                Kind::Odd | Kind::Capital => 2,
                Kind::Small if !slavic => 2,
                _ => 0,
            },
        };
        // After these anything may begin; but a symbol is not a quotation.
        let begins = matches!(first_kind, Kind::Joins | Kind::Opens);
        points += match last_kind {
            Kind::Control => 3,
            Kind::Odd if first_kind == Kind::Opens => 2,
            Kind::Odd | Kind::Small | Kind::Capital if !begins => 2,
            Kind::Closes | Kind::Marks if is_letter(after) => 2,
            Kind::Opens if is_letter(after) && !begins => 1,
            _ => 0,
        };
        if points > 0 && is_latin(Some(result)) | matches!(result, '\u{1E00}'..='\u{1EFF}') && self.fits(result) {
            points += 1;
        }
        points
    }

    fn of_four(&self, table: &Windows1252, sequence: &Sequence<'_>) -> i32 {
        let mut after = sequence.bytes[1..].iter().map(|byte| kind(table.character(*byte)));
        let plausible = after.all(|kind| matches!(kind, Kind::Joins | Kind::Opens | Kind::Closes | Kind::Marks));
        if plausible && is_letter(self.before) { 0 } else { 3 }
    }

    /// Whether `result` is a letter that makes a word with its neighbours.
    fn fits(&self, result: char) -> bool {
        let Place { before, after, .. } = *self;
        if result.is_lowercase() {
            return is_small(after) || (is_small(before) && !is_capital(after));
        }
        result.is_uppercase()
            && (is_capital(after)
                || (is_capital(before) && !is_small(after))
                || (!is_letter(before) && is_small(after)))
    }

    /// The points for the result itself; `None` if it is not a character.
    fn of_result(&self, result: char) -> Option<i32> {
        let latin = self.in_latin;
        match u32::from(result) {
            // New controls are in no text.
            0x80..=0x9F => Some(-1),
            value if value & 0xFFFE == 0xFFFE || matches!(value, 0xFDD0..=0xFDEF | 0x4_0000..=0xD_FFFF) => None,
            0xE000..=0xF8FF | 0xF_0000.. => Some(-2),
            0x218..=0x21B => Some(0),
            0x180..=0x36F => Some(-1),
            0x400..=0x7FF if latin => Some(-1),
            0x1E00..=0x2BFF | 0x3000..=0x303F | 0xFE00..=0xFFFD => Some(0),
            0x800..=0xDFFF if latin => Some(-2),
            _ => Some(0),
        }
    }
}
