//! Tells text from binary data by its characters, after decoding.
//!
//! A single-byte encoding decodes any file without an error. Text differs from
//! other data in the order of its characters: letters are next to letters of the
//! same script, capitals begin words, punctuation ends them, and control
//! characters are rare. In compressed data, every second pair breaks one of these
//! rules.

use unicode_script::{Script, UnicodeScript};

/// The number of characters that are also judged separately: a text followed by
/// binary data is not text.
const WINDOW: u64 = 4096;

const ESCAPE: char = '\u{1B}';

/// Counts of characters and of pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    chars: u64,
    /// Control characters that text does not contain, including NUL.
    controls: u64,
    /// Pairs with a doubtful character beyond US-ASCII.
    pairs: u64,
    /// Pairs that do not occur in text.
    odd: u64,
    /// Symbols between two letters that do not occur inside words.
    inside: u64,
    /// Capitals after lowercase letters, and other pairs that do not occur in words.
    misplaced: u64,
}

/// Judges characters that are fed in pieces.
#[derive(Clone, Debug, Default)]
pub struct Plausible {
    all: Counts,
    window: Counts,
    /// A window of [`WINDOW`] characters was not text.
    bad_window: bool,
    nuls: u64,
    last: Option<(char, Class, bool)>,
    /// The last character is a symbol that does not occur inside words, after a letter.
    in_word: bool,
    /// The last character was U+001A, which ends text on DOS.
    ends_in_sub: bool,
    /// The last ESC was followed by `]`, and no BEL came since, which ends such a sequence.
    is_in_osc: bool,
    /// The last character with each low byte, and its class: a text has few characters beyond US-ASCII.
    known: Vec<(char, Class)>,
}

/// Why characters are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The number of control characters.
    Controls(u64),
    /// The order of the characters.
    Order,
}

impl Plausible {
    /// Takes the next characters. If they are not `doubtful`, they are known to be
    /// text, and only their pairs with doubtful characters count.
    pub fn feed(&mut self, text: &str, doubtful: bool) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some((ESCAPE, ..)) = self.last
                && let Some(len) = sequence_len(rest)
            {
                self.skip(len as u64 - 1);
                self.last = None;
                self.take(' ', doubtful);
                rest = &rest[len..];
                continue;
            }
            // Fast path: within US-ASCII, only controls count.
            let run = rest.bytes().position(|byte| !matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r'));
            let run = run.unwrap_or(rest.len());
            if run > 2 {
                self.take(first, doubtful);
                self.skip(run as u64 - 2);
                self.last = None;
                self.take(char::from(rest.as_bytes()[run - 1]), doubtful);
                rest = &rest[run..];
            } else {
                self.take(first, doubtful);
                rest = &rest[first.len_utf8()..];
            }
        }
    }

    fn skip(&mut self, chars: u64) {
        self.all.chars += chars;
        self.window.chars += chars;
        self.ends_in_sub = false;
    }

    fn class(&mut self, c: char) -> Class {
        if c.is_ascii() {
            return Class::of(c);
        }
        if self.known.is_empty() {
            self.known = vec![('\0', Class::Control); 256];
        }
        let known = &mut self.known[c as usize & 0xFF];
        if known.0 != c {
            *known = (c, Class::of(c));
        }
        known.1
    }

    fn take(&mut self, c: char, doubtful: bool) {
        let is_begun = self.last.is_some_and(|(before, ..)| (before, c) == (ESCAPE, ']'));
        self.is_in_osc = (self.is_in_osc || is_begun) && c != ESCAPE;
        let is_end = c == '\u{7}' && std::mem::take(&mut self.is_in_osc);
        let class = if is_end { Class::Space } else { self.class(c) };
        let mut counts = Counts { chars: 1, ..Counts::default() };
        counts.controls = u64::from(class == Class::Control && doubtful);
        self.nuls += u64::from(c == '\0');
        if let Some((before, before_class, before_doubtful)) = self.last
            && (doubtful || before_doubtful)
            && !(c.is_ascii() && before.is_ascii())
        {
            counts.pairs = 1;
            counts.odd = u64::from(is_odd((before, before_class), (c, class)));
            let is_letter = |class| matches!(class, Class::Letter(..));
            // These quotation marks precede a word.
            let is_closed = is_letter(before_class) && matches!(c, '‚' | '„');
            let in_word = is_letter(before_class) && is_letter(class) && counts.odd > 0;
            counts.misplaced = u64::from(is_closed || in_word);
            counts.inside = u64::from(self.in_word && is_letter(class));
            self.in_word = is_letter(before_class) && is_never_inside(c);
        } else {
            self.in_word = false;
        }
        for sum in [&mut self.all, &mut self.window] {
            sum.chars += counts.chars;
            sum.controls += counts.controls;
            sum.pairs += counts.pairs;
            sum.odd += counts.odd;
            sum.inside += counts.inside;
            sum.misplaced += counts.misplaced;
        }
        self.last = Some((c, class, doubtful));
        self.ends_in_sub = c == '\u{1A}' && doubtful;
        if self.window.chars >= WINDOW {
            self.end_window();
        }
    }

    fn end_window(&mut self) {
        let Counts { controls, pairs, odd, inside, .. } = self.window;
        let odd = odd + inside;
        self.bad_window |= controls > WINDOW / 64 || (pairs >= 64 && odd * 2 > pairs);
        self.window = Counts::default();
    }

    /// The number of characters U+0000.
    pub fn nuls(&self) -> u64 {
        self.nuls
    }

    /// The reason against text, if there is one. The limits are lower if the encoding
    /// was `guessed`, so that a related encoding is noticed.
    pub fn lack(&self, guessed: bool) -> Option<Lack> {
        let Counts { chars, controls, .. } = self.all;
        let controls = controls - u64::from(self.ends_in_sub);
        if controls * 512 > chars {
            return Some(Lack::Controls(controls));
        }
        self.lacks_order(guessed).then_some(Lack::Order)
    }

    /// True if the order of the characters is not that of text, whatever the number of controls.
    pub fn lacks_order(&self, guessed: bool) -> bool {
        let Counts { pairs, odd, inside, misplaced, .. } = self.all;
        // A word or two may break the rules.
        let odd = odd + inside;
        let is_odd = match guessed {
            true => odd * 20 > pairs || inside * 500 > pairs || misplaced * 100 > pairs,
            false => odd * 8 > pairs && odd > 2,
        };
        self.bad_window || is_odd
    }
}

/// The length of a control sequence of a terminal after its ESC, such as `[1;31m`: its last letter is no part of the
/// word after it.
fn sequence_len(rest: &str) -> Option<usize> {
    let parameters = rest.strip_prefix('[')?;
    let end = parameters.bytes().position(|byte| !matches!(byte, b' '..=b'?'))?;
    matches!(parameters.as_bytes()[end], b'@'..=b'~').then_some(end + 2)
}

/// The class of a character, for pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Space,
    Control,
    /// Unassigned, for private use, or U+FFFD.
    Unknown,
    Letter(Script, Case),
    Digit,
    /// Punctuation and symbols that occur next to letters.
    Soft,
    /// Other symbols.
    Hard,
    /// Combines with the character before it.
    Mark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    None,
    Lower,
    Upper,
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            '\t' | '\n' | '\r' | '\u{C}' | ' ' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{3000}' => Class::Space,
            // ESC begins colours of terminals, BACKSPACE underlines, and UNIT SEPARATOR and
            // DELETE structure Info files. Decoders remove SHIFT OUT and SHIFT IN.
            '\u{8}' | '\u{1B}' | '\u{1F}' | '\u{7F}' => Class::Space,
            _ if c.is_control() => Class::Control,
            '0'..='9' => Class::Digit,
            _ if c.is_ascii_alphabetic() => {
                Class::Letter(Script::Latin, if c.is_ascii_lowercase() { Case::Lower } else { Case::Upper })
            }
            _ if c.is_ascii() => Class::Soft,
            '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => Class::Unknown,
            '²' | '³' | '¹' | '¼' | '½' | '¾' => Class::Digit,
            // `µS` is no word.
            'ª' | 'º' | 'µ' => Class::Soft,
            _ => Class::of_other(c),
        }
    }

    /// The class of a character beyond US-ASCII and the digits of ISO-8859-1. Kana, ideographs and Hangul are too many
    /// to be remembered.
    fn of_other(c: char) -> Class {
        match c {
            '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => {
                Class::Letter(Script::Han, Case::None)
            }
            c => Class::by_script(c),
        }
    }

    fn by_script(c: char) -> Class {
        let script = c.script();
        match script {
            Script::Unknown => Class::Unknown,
            Script::Inherited => Class::Mark,
            _ if c.is_alphabetic() => {
                let case = match () {
                    () if c.is_lowercase() => Case::Lower,
                    () if c.is_uppercase() => Case::Upper,
                    () => Case::None,
                };
                Class::Letter(family(script), case)
            }
            Script::Common => match c {
                '¡' | '§' | '©' | '«' | '\u{AD}' | '®' | '°' | '´' | '·' | '»' | '¿' => Class::Soft,
                '\u{2010}'..='\u{2027}' | '\u{2030}' | '\u{2032}'..='\u{203A}' | '€' | '™' | '№' => Class::Soft,
                '\u{3001}'..='\u{303F}' | '\u{30FB}' | '\u{30FC}' | '\u{FF00}'..='\u{FFEF}' => Class::Soft,
                '،' | '؛' | '؟' | 'ـ' | '\u{964}' | '\u{965}' | '\u{200B}'..='\u{200F}' | '\u{FEFF}' => Class::Soft,
                _ => Class::Hard,
            },
            // Vowel signs and digits of a script occur next to its letters.
            _ => Class::Letter(family(script), Case::None),
        }
    }
}

/// Merges scripts that are written together.
fn family(script: Script) -> Script {
    match script {
        Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo => Script::Han,
        other => other,
    }
}

/// True if two characters do not follow each other in text.
fn is_odd(before: (char, Class), after: (char, Class)) -> bool {
    use Class::{Control, Digit, Hard, Letter, Mark, Soft, Space, Unknown};
    match (before.1, after.1) {
        (Control | Unknown, _) | (_, Control | Unknown) => true,
        (Letter(a, case_a), Letter(b, case_b)) => {
            let mixed = a != b && !(is_uncased(a) || is_uncased(b));
            // Hebrew letters that occur only at the end of a word.
            let is_final = b == Script::Hebrew && matches!(before.0, 'ך' | 'ם' | 'ן' | 'ף' | 'ץ');
            mixed || is_final || (case_a == Case::Lower && case_b == Case::Upper)
        }
        // `é2` is not a word, `é²` may be. Scripts without case have numbers in words.
        (Letter(script, _), Digit) => !is_uncased(script) && !matches!(after.0, '¹' | '²' | '³'),
        (Digit, Letter(script, _)) => !is_uncased(script),
        (Letter(script, _), Hard) | (Hard, Letter(script, _)) => !is_uncased(script),
        (Hard, Hard) => before.0 != after.0 && !(is_drawn(before.0) && is_drawn(after.0)),
        (Hard, Soft) | (Soft, Hard) => !(before.0.is_ascii() || after.0.is_ascii()),
        (Space, Mark) => true,
        _ => false,
    }
}

/// Symbols at code points where related encodings have letters.
fn is_never_inside(c: char) -> bool {
    matches!(c, '¡' | '¢' | '¤' | '¥' | '¦' | '¨' | '«' | '¬' | '¯' | '¶' | '¸' | '»'..='¿')
        || matches!(c, 'ˆ' | '˜' | '‚' | '„' | '†' | '‡' | '‰' | '‹' | '›')
}

/// Scripts without case, whose text contains Latin words and symbols.
fn is_uncased(script: Script) -> bool {
    !matches!(script, Script::Latin | Script::Greek | Script::Cyrillic | Script::Armenian)
}

/// Box drawing, blocks and shapes occur next to each other.
fn is_drawn(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{25FF}') || u32::from(c) >= 0x1_F000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lack(text: &str) -> Option<Lack> {
        let mut plausible = Plausible::default();
        plausible.feed(text, true);
        plausible.lack(false)
    }

    #[test]
    fn ideographs_are_of_the_class_that_their_script_says() {
        for c in ('\u{3040}'..='\u{30FF}').chain('\u{4DFF}'..='\u{A000}').chain('\u{ABFF}'..='\u{D7A4}') {
            assert_eq!(Class::of_other(c), Class::by_script(c), "{c:?}");
        }
    }

    #[test]
    fn text_is_plausible() {
        for text in [
            "",
            "é",
            "plain text",
            "Grüße aus Köln! Das Café „Zur Post“ hat 5 € – «так»\n",
            "Ein Gruß, Jürgen; 20°C, 3×4 = 12; Übergröße ÄÖÜ Straße; ¿Qué? ¡Sí!",
            "Съешь же ещё этих мягких французских булок, да выпей чаю № 5",
            "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
            "שלום עולם 123",
            "火星是太阳系八大行星之一。它的英文名Mars是罗马神话。",
            "こんにちは世界。カタカナ ABC 123",
            "안녕하세요 세계",
            "สวัสดีชาวโลก 12",
            "┌──┐\n│ah│\n└──┘",
            "\u{1B}[1mé\u{1B}[0m a\u{8}_",
        ] {
            assert_eq!(lack(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_text_is_not() {
        assert_eq!(lack("x\u{1}y"), Some(Lack::Controls(1)));
        assert_eq!(lack("é\u{93}quoted\u{94}"), Some(Lack::Controls(2)));
        assert_eq!(lack("Ü¼ºþ¤€Ã«µÞ¢ß×ƒ‹ñ¥Øœ±¬Ê7Ù"), Some(Lack::Order));
        // Text followed by binary data.
        let mut long = "a line of text\n".repeat(10_000);
        long.push_str(&"Ü¼¤þ¤€Ã«µÞ¢ß×ƒ¶ñ¥Ø".repeat(500));
        assert_eq!(lack(&long), Some(Lack::Order));
        assert_eq!(lack("text of DOS\r\n\u{1A}"), None);
    }

    #[test]
    fn what_is_guessed_has_to_read_well() {
        let guessed = |text: &str| {
            let mut plausible = Plausible::default();
            plausible.feed(text, true);
            plausible.lack(true)
        };
        for text in [
            "Zeit;Temp °C;Leitw. µS/cm;µV\n1;2;3;4\n",
            "Grüße aus Köln, „Zur Post“ – 5 €",
            "Съешь же ещё этих мягких булок",
            "שלום עולם",
            "naïve",
        ] {
            assert_eq!(guessed(text), None, "{text}");
        }
        // IBM437 and ISO-8859-15 as windows-1252, code page 10007 as windows-1251,
        // windows-1251 as windows-1255.
        for text in [
            "des pages li‚es",
            "ipal non connect‚ (suite)",
            "le c½ur des étés",
            "персецути при еуЯ лЯ.",
            "טןסףל המכמנ סטע",
        ] {
            assert_eq!(guessed(text), Some(Lack::Order), "{text}");
        }
    }

    #[test]
    fn the_end_of_an_escape_sequence_is_no_letter() {
        for line in ["\u{1B}[1;32mÉcran éteint à midi\u{1B}[0m\n", "\u{1B}[31mΤο τρένο\u{1B}[m\u{1B}[KΆργησε\n"]
        {
            let mut plausible = Plausible::default();
            plausible.feed(&line.repeat(9), true);
            assert_eq!(plausible.lack(true), None, "{line:?}");
        }
        let mut plausible = Plausible::default();
        plausible.feed(&"x[31mΤο xΤ mΈ \u{1B}[31".repeat(9), true);
        assert_eq!(plausible.lack(true), Some(Lack::Order));
    }

    #[test]
    fn what_is_known_is_not_judged() {
        let mut plausible = Plausible::default();
        plausible.feed(&"NicolÃ¡s ".repeat(50), false);
        assert_eq!(plausible.lack(false), None);
        plausible.feed("é", true);
        assert_eq!(plausible.lack(false), None);
    }
}
