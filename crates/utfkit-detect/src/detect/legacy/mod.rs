//! The encodings from before Unicode, told apart by the likelihood of the text that
//! the bytes would be.

mod candidate;
mod encodings;
mod guess;
mod lists;
mod multibyte;
mod multibyte_forms;
mod part;
mod rank;
mod sample;
mod terminal;
mod tokens;

use encodings::is_iso_8859;
pub(crate) use encodings::own_script;
pub(super) use encodings::{Guessable, guessable, is_ascii_based, is_ebcdic, prior};
pub(super) use guess::{CLOSE, Guess, Reading, TextKind, is_text, undeclared_penalty};
pub(super) use multibyte_forms::min_errors;
pub(super) use part::ByteSet;
pub(super) use tokens::{ascii_tokens, token, tokens};

use super::controls::count;
use super::options::Options;
use crate::line::is_single_byte;
use crate::model::{Evaluation, Script};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use candidate::Stream;
use lists::{without_lists, without_repeats};
use multibyte::MultibyteErrors;
use rank::rank;
use sample::Sample;
use utfkit_core::{Encoding, Legacy};

/// A stream as text in a legacy encoding.
pub(super) struct LegacyText {
    sample: Sample,
    /// The bytes from the first window on that was [counted](LegacyText::window). Those
    /// before it are in the sample.
    bytes: ByteSet,
    errors: MultibyteErrors,
    /// True once the full sample has narrowed down the multibyte encodings, of which long streams are not counted in all.
    is_narrowed: bool,
    /// The likeliest encoding by that sample, if it is a multibyte one.
    multibyte: Option<Encoding>,
    /// True if the first window looks like EBCDIC.
    may_be_ebcdic: Option<bool>,
}

/// A text of this length has something between words.
const SHORT: usize = 32;
/// Words have fewer bytes, on the average.
const WORD: usize = 24;
/// In text, bytes differ by more from the one before, on the average.
const SMOOTH: usize = 12;

/// By chance, no text has so many characters of four bytes.
const FEW_OF_LONG: usize = 8;

/// Lines have fewer bytes, on the average.
const LINE: usize = 200;

/// Text of this length has more distinct bytes than a picture with these colours.
const PICTURE: usize = 128;
const COLOURS: usize = 10;

impl Default for LegacyText {
    fn default() -> LegacyText {
        LegacyText {
            sample: Sample::default(),
            bytes: ByteSet::empty(),
            errors: MultibyteErrors::default(),
            is_narrowed: false,
            multibyte: None,
            may_be_ebcdic: None,
        }
    }
}

impl LegacyText {
    /// Takes a window. `is_counted` says that the stream up to its end is not UTF-8 and
    /// looks like text; `is_for_terminal`, that it has controls of terminals.
    pub(super) fn window(
        &mut self,
        window: &[u8],
        has_non_ascii: bool,
        is_counted: bool,
        is_for_terminal: bool,
        options: &Options,
    ) {
        let is_read = is_counted || self.sample.takes_next();
        let shown = if is_for_terminal && has_non_ascii && is_read { terminal::shown(window) } else { Vec::new() };
        let window = if shown.is_empty() { window } else { &shown };
        let is_sampled = has_non_ascii && !self.sample.is_full();
        let unescaped = if is_sampled { terminal::unescaped(window) } else { None };
        let window = unescaped.as_deref().unwrap_or(window);
        self.begins_as_ebcdic(window);
        if !self.is_narrowed && self.sample.is_full() && !self.errors.may_keep_more() {
            self.is_narrowed = true;
            self.narrow(options);
        }
        if has_non_ascii {
            self.sample.window(window);
        } else {
            self.sample.skip();
        }
        if !is_counted {
            return;
        }
        self.bytes.add(window);
        // The window may begin within a character, though not after white space.
        let is_first = self.sample.bytes().len() <= window.len() && !self.sample.is_cut();
        self.errors.window(window, is_first, self.is_narrowed);
    }

    /// Keeps the multibyte encodings that the sample suggests.
    fn narrow(&mut self, options: &Options) {
        if !self.errors.count_pending() {
            return;
        }
        let Some(guess) = self.guess(None, options) else { return };
        self.errors.retain(|encoding| {
            guess.encoding == encoding || guess.runner_up == Some(encoding) || guess.equivalent.contains(&encoding)
        });
        self.multibyte = Some(guess.encoding).filter(|encoding| !is_single_byte(*encoding));
    }

    /// True if a long stream is well-formed so far in the multibyte encoding that its sample suggests.
    pub(super) fn is_multibyte(&self) -> bool {
        self.multibyte.is_some_and(|encoding| self.errors.are_none(encoding))
    }

    /// True if the first window looks like EBCDIC.
    pub(super) fn begins_as_ebcdic(&mut self, window: &[u8]) -> bool {
        *self.may_be_ebcdic.get_or_insert_with(|| looks_like_ebcdic(window))
    }

    /// True if the stream looks like EBCDIC, whose line ends are controls of US-ASCII.
    pub(super) fn may_be_ebcdic(&self) -> bool {
        self.may_be_ebcdic == Some(true)
    }

    /// The likeliest encoding; `Some` if the stream has bytes above 7F.
    pub(super) fn guess(&self, declared: Option<Encoding>, options: &Options) -> Option<Guess> {
        self.guess_by(&self.words(), declared, options)
    }

    /// [`guess`](LegacyText::guess) with the [words](LegacyText::words) of the sample given.
    pub(super) fn guess_by(&self, words: &[u8], declared: Option<Encoding>, options: &Options) -> Option<Guess> {
        let mut bytes = self.bytes.clone();
        bytes.add(self.sample.bytes());
        let cache = multibyte::ErrorCache::default();
        let errors = |encoding| if is_single_byte(encoding) { Some(0) } else { self.errors.of(encoding, &cache) };
        let may_be = |encoding| self.errors.may_be(encoding, &cache);
        let stream = Stream {
            bytes: &bytes,
            is_sampled: self.sample.is_cut(),
            may_be_ebcdic: self.may_be_ebcdic() || declared.is_some_and(is_ebcdic),
            may_be: &may_be,
            errors: &errors,
            declared,
            options,
        };
        rank(words, &stream)
    }

    /// True if the sample has lines, with `is_ascii` mostly of US-ASCII.
    pub(super) fn has_lines(&self, is_ascii: bool) -> bool {
        let sample = self.sample.bytes();
        let lines = count(sample, |byte| byte == b'\n' || byte == b'\r');
        let printable = count(sample, |byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
        sample.len() < LINE * (lines + 1) && (!is_ascii || 3 * printable > 2 * sample.len())
    }

    /// True for bytes without anything between words, which are no text of letters: such as
    /// sound in 8 bits, where each byte is near the one before.
    pub(super) fn is_raw(&self, guess: &Guess) -> bool {
        let sample = self.sample.bytes();
        let lines = count(sample, |byte| byte == b'\n' || byte == b'\r');
        let mut counts = [0; 256];
        sample.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        // A picture of a few colours.
        let kinds = counts.iter().filter(|count| **count > 0).count();
        let has_space = counts[..=usize::from(b' ')].iter().any(|count| *count > 0);
        let is_repeated_phrase = guess.is_well_formed && guess.is_multibyte();
        if sample.len() >= PICTURE && kinds <= if has_space { 3 } else { COLOURS } && !is_repeated_phrase {
            return true;
        }
        if sample.len() < SHORT || lines * LINE > sample.len() {
            return false;
        }
        // One long word, such as a compound.
        if sample.len() < 4 * WORD && guess.is_text() {
            return false;
        }
        // A filler, such as silence. The first byte of hiragana is as frequent, but seldom doubled.
        let repeats = || sample.windows(2).filter(|pair| pair[0] == pair[1] && pair[0] >= 0x80).count();
        if lines == 0 && counts[0x80..].iter().any(|count| 2 * count > sample.len()) && 4 * repeats() > sample.len() {
            return true;
        }
        let steps: usize = sample.windows(2).map(|pair| usize::from(pair[0].abs_diff(pair[1]))).sum();
        let between: usize = counts[..usize::from(b'A')].iter().sum();
        if between * WORD > sample.len() {
            return steps < SMOOTH * sample.len();
        }
        let Evaluation { script, letters, distinct, .. } = guess.evaluation;
        let has_words_apart = !matches!(script, Some(Script::Thai | Script::Wide));
        has_words_apart || steps < SMOOTH * sample.len() || 2 * letters < distinct
    }

    /// True if the text is well-formed in GB18030 and has characters of four bytes, which hardly any other text has by
    /// chance: letters of all scripts, in which it is not the text that the encoding was made for.
    pub(super) fn has_long_characters(&self, guess: &Guess) -> bool {
        let is_long = |bytes: &&[u8]| matches!(bytes, [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9']);
        let is_chinese = matches!(guess.encoding, Encoding::Legacy(Legacy::Gbk | Legacy::Gb18030));
        is_chinese && guess.is_well_formed && self.sample.bytes().windows(4).filter(is_long).count() >= FEW_OF_LONG
    }

    pub(super) fn sample(&self) -> &[u8] {
        self.sample.bytes()
    }

    /// The sample without lists of letters, and without lines that repeat a sign.
    pub(super) fn words(&self) -> Cow<'_, [u8]> {
        without_repeats(without_lists(self.sample.bytes()))
    }

    /// True if the stream has a byte from 80 to 9F.
    pub(super) fn has_c1(&self) -> bool {
        self.bytes.contains_any(0x80..=0x9F) || self.sample.bytes().iter().any(|byte| (0x80..=0x9F).contains(byte))
    }
}

/// The declared encoding, if it is one that is guessed at.
pub(super) fn usable_declaration(declared: Option<Encoding>, text: &LegacyText, options: &Options) -> Option<Encoding> {
    let declared = declared.map(|declared| match declared {
        declared if !text.has_c1() => declared,
        // ISO 8859 has controls at 80 to 9F, where text labelled so has the punctuation of Windows.
        Encoding::Latin1 | Encoding::Legacy(Legacy::Iso8859_15) => Encoding::Legacy(Legacy::Windows1252),
        Encoding::Legacy(Legacy::Iso8859_9) => Encoding::Legacy(Legacy::Windows1254),
        Encoding::Legacy(Legacy::Iso8859_8) => Encoding::Legacy(Legacy::Windows1255),
        Encoding::Legacy(Legacy::Iso8859_11 | Legacy::Tis620) => Encoding::Legacy(Legacy::Windows874),
        declared => declared,
    });
    // Other parts of ISO 8859 have letters where the code pages of Windows do not.
    let is_other = |declared: Encoding| text.has_c1() && is_iso_8859(declared);
    let declared = declared.filter(|&declared| !is_other(declared));
    declared.filter(|&declared| prior(declared).is_some() && options.allows(declared))
}

/// The most common encoding that is a superset of US-ASCII and is not excluded.
pub(super) fn superset_of_ascii(options: &Options) -> Option<Encoding> {
    let legacy =
        guessable().filter(|guessable| is_ascii_based(guessable.encoding) && options.allows(guessable.encoding));
    let legacy = legacy.min_by_key(|guessable| guessable.prior).map(|guessable| guessable.encoding);
    let own = [Encoding::UsAscii, Encoding::Utf8].into_iter().find(|encoding| options.allows(*encoding));
    let relatives = [Encoding::Cesu8, Encoding::Mutf8, Encoding::Wtf8];
    own.or(legacy).or_else(|| relatives.into_iter().find(|encoding| options.allows(*encoding)))
}

/// True if most bytes are spaces or small letters of EBCDIC and few are of US-ASCII; or if nearly
/// all are capitals, digits and spaces of EBCDIC, as in records.
fn looks_like_ebcdic(window: &[u8]) -> bool {
    let front = &window[..window.len().min(4096)];
    // Without branches, so that it vectorizes.
    let in_ebcdic = |byte: u8| {
        (byte == 0x40) | (byte.wrapping_sub(0x81) < 9) | (byte.wrapping_sub(0x91) < 9) | (byte.wrapping_sub(0xA2) < 8)
    };
    let in_ascii =
        |byte: u8| [b' ', b'e', b'i', b'r', b's', b't'].iter().fold(false, |is_any, letter| is_any | (byte == *letter));
    // Text in US-ASCII has enough of these in its first lines.
    let mut common = 0;
    let is_ascii = front.chunks(255).any(|part| {
        common += count(part, in_ascii);
        20 * common >= front.len()
    });
    if is_ascii {
        return false;
    }
    let is_in_record = |byte: u8| {
        let is_capital = (byte.wrapping_sub(0xC1) < 9) | (byte.wrapping_sub(0xD1) < 9) | (byte.wrapping_sub(0xE2) < 8);
        is_capital | (byte.wrapping_sub(0xF0) < 10) | (byte == 0x40) | (byte == 0x05) | (byte == 0x15) | (byte == 0x25)
    };
    let is_record =
        || count(front, |byte| byte == 0x40) * 20 > front.len() && count(front, is_in_record) * 8 > front.len() * 7;
    count(front, in_ebcdic) * 5 > front.len() * 2 || is_record()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn guessed(bytes: &[u8]) -> Guess {
        let mut legacy = LegacyText::default();
        for window in bytes.chunks(16 << 10) {
            legacy.window(window, !window.is_ascii(), true, false, &Options::default());
        }
        legacy.guess(None, &Options::default()).unwrap()
    }

    #[test]
    fn a_byte_far_from_the_sample_still_excludes() {
        let russian = "Все люди рождаются свободными и равными в своём достоинстве. ".repeat(2000);
        let koi8_r = Encoding::for_label("KOI8-R").unwrap();
        let (bytes, _) = koi8_r.encode(&russian);
        assert_eq!(guessed(&bytes).encoding, koi8_r);
        // ISO-8859-6 leaves most bytes unassigned.
        let arabic = "يولد جميع الناس أحراراً ومتساوين في الكرامة والحقوق. ".repeat(2000);
        let iso = Encoding::for_label("ISO-8859-6").unwrap();
        let mut bytes = iso.encode(&arabic).0.into_owned();
        assert_eq!(guessed(&bytes).encoding, iso);
        let at = bytes.len() - 20_000;
        bytes[at] = 0xFF;
        assert_ne!(guessed(&bytes).encoding, iso);
    }

    #[test]
    fn ill_formed_bytes_far_from_the_sample_are_found() {
        let japanese =
            "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n".repeat(1500);
        let shift_jis = Encoding::for_label("Shift_JIS").unwrap();
        let mut bytes = shift_jis.encode(&japanese).0.into_owned();
        let found = guessed(&bytes);
        assert!(found.encoding == shift_jis && found.is_well_formed, "{found:?}");
        let at = bytes.len() - 30_001;
        bytes[at] = 0xFF;
        let found = guessed(&bytes);
        assert!(found.encoding == shift_jis && !found.is_well_formed, "{found:?}");
    }

    #[test]
    fn text_with_designations_of_iso_2022_is_no_more_than_a_guess() {
        use crate::detect::{Certainty, detect};
        let line = "Ceva \u{1B}-Bă oferit, și \u{1B}-A apoi încă un rând cu țesături.\n";
        let bytes = Encoding::for_label("ISO-8859-16").unwrap().encode(line).0;
        for before in [0, 5_000] {
            let found = detect(&[&b"plain\n".repeat(before)[..], &bytes, &bytes].concat());
            assert_eq!(found.certainty(), Certainty::Guess, "{found}");
        }
    }

    #[test]
    fn an_accent_by_itself_was_likely() {
        use crate::detect::{Certainty, detect};
        for table in [&b"\xB8\tMINUS SIGN\n"[..], b"key 12: \xA8 (dead)\n", b"the sign \xAF"] {
            assert_eq!(detect(table).certainty(), Certainty::Guess, "{}", detect(table));
        }
        assert_eq!(detect(b"we can\xB4t say so\n").certainty(), Certainty::Likely);
    }

    #[test]
    fn pictures_are_no_text() {
        use crate::detect::{Basis, detect};
        let road = b"GGGhh\xE4hhGGG.GG".repeat(16);
        let pole = b"\n\n\n\n\xFA\n\xFA\n".repeat(32);
        for picture in [road, pole] {
            assert_eq!(detect(&picture).basis(), Basis::NoText);
        }
        let column = "Ä\nÖ\nß\n".repeat(40);
        let column = Encoding::for_label("windows-1252").unwrap().encode(&column).0;
        assert_ne!(detect(&column).basis(), Basis::NoText);
    }

    #[test]
    fn a_table_of_numbers_that_begins_as_a_bom_is_no_text() {
        use crate::detect::{Basis, detect};
        // For each byte a code point in the order of big-endian bytes, after the mark FF FE.
        let numbers = (0..0xF0_u16).flat_map(|byte| [byte, if byte < 0xA0 { byte } else { 0xD8 + byte % 8 }]);
        let table: Vec<u8> = [0xFF, 0xFE].into_iter().chain(numbers.flat_map(u16::to_be_bytes)).collect();
        let found = detect(&table);
        assert!(found.basis() == Basis::NoText && found.encoding().is_none(), "{found}");
    }

    #[test]
    fn koi8_r_and_koi8_u_are_equivalent_without_ukrainian() {
        let koi8_r = Encoding::for_label("KOI8-R").unwrap();
        let found = guessed(&koi8_r.encode("Все люди рождаются свободными и равными").0);
        assert_eq!(found.encoding, koi8_r);
        assert!(found.equivalent.contains(&Encoding::for_label("KOI8-U").unwrap()));
        let koi8_u = Encoding::for_label("KOI8-U").unwrap();
        let found = guessed(&koi8_u.encode("Всі люди народжуються вільними і рівними у своїй гідності").0);
        assert_eq!(found.encoding, koi8_u);
        assert!(!found.equivalent.contains(&koi8_r));
    }

    #[test]
    fn short_text_in_ebcdic_is_text() {
        use crate::detect::{Basis, Certainty, detect};
        for text in [
            "Die Übung läßt sich jederzeit wiederholen, größere Änderungen gehen verloren.",
            "Le système vérifie d'abord la clé, puis il écrit le résumé à la fin du journal.",
            "Il perché è scritto più avanti: può darsi che la città non sia così lontana.",
        ] {
            for name in ["IBM037", "IBM500", "IBM1047"] {
                let encoding = Encoding::for_label(name).unwrap();
                let bytes = encoding.encode(text).0;
                let found = detect(&bytes);
                let is_right = found.encoding().is_some_and(|found| found.decode(&bytes).0 == text);
                assert!(matches!(found.basis(), Basis::Likeliest { .. }), "{text} {found}");
                assert!(is_right || found.certainty() == Certainty::Guess, "{text} {found}");
            }
        }
    }

    #[test]
    fn records_in_ebcdic_are_no_data() {
        use crate::detect::{Basis, detect};
        let text = "KUNDE\t00412\tMÜLLER GEBÜHR 12,50\nKUNDE\t00413\tSCHRÖDER GEBÜHR 10,00\n".repeat(4);
        let found = detect(&Encoding::for_label("IBM037").unwrap().encode(&text).0);
        assert_ne!(found.basis(), Basis::NoText, "{found}");
    }

    #[test]
    fn controls_of_iso_8859_are_no_rival_of_windows() {
        use crate::detect::{Certainty, Options, detect};
        for (name, text) in [
            ("windows-1254", "Akşam çay içtik… Komşular “iyi geceler” dedi, sonra ışıkları söndürdük ve uyuduk.\n"),
            ("windows-1253", "Το βράδυ ήπιαμε τσάι… Οι γείτονες είπαν “καληνύχτα” και μετά κοιμηθήκαμε όλοι.\n"),
            ("windows-874", "เมื่อคืนเราดื่มชา… เพื่อนบ้านพูดว่า “ราตรีสวัสดิ์” แล้วพวกเราก็เข้านอน\n"),
        ] {
            let encoding = Encoding::for_label(name).unwrap();
            let bytes = encoding.encode(text).0;
            let found = detect(&bytes);
            assert!(found.encoding() == Some(encoding) && found.certainty() >= Certainty::Likely, "{found}");
            assert!(!found.candidates().iter().any(|candidate| is_iso_8859(candidate.encoding())), "{found}");
        }
        // In x-mac-croatian, only the slip is another character.
        let text = "Broj posjetilaca se definiše na mreži, za svaki korisnički račun posebno. Među njima se računaju \
                    samo različite adrese, što smanjuje ukupan zbroj. Veličina slanja označava količinu podataka, \
                    čiji dio može biti veći od poslanog. Noću su brojke niže nego tijekom dana, a ljeti još i više. ";
        let mut slip = Encoding::for_label("ISO-8859-2").unwrap().encode(text).0.into_owned();
        slip.extend_from_slice(b"To nije podr\x9Eano.\n");
        let found = detect(&slip);
        assert!(found.encoding().is_none() || found.certainty() == Certainty::Guess, "{found}");
        let latin1 = Options::new().only([Encoding::Latin1]).detect(b"caf\xE9\x85 na\xEFve, d\xE9j\xE0 vu");
        assert_eq!(latin1.encoding(), Some(Encoding::Latin1), "{latin1}");
    }

    #[test]
    fn line_ends_of_ebcdic_are_no_marks_of_records() {
        use crate::detect::detect;
        let text = "Il treno è in ritardo di un'ora.\nPerché non è già partito?\nIl capotreno è là, accanto al binario.\n\
                    La città è più lontana di così.\nChi può aspettare, aspetti.\nLunedì farà bel tempo.\n";
        let encoding = Encoding::for_label("IBM1047").unwrap();
        let bytes = encoding.encode(text).0;
        let found = detect(&bytes);
        assert_eq!(found.encoding().map(|found| found.decode(&bytes).0), Some(text.into()), "{found}");
    }

    #[test]
    fn scattered_boxes_are_no_drawing() {
        use crate::detect::{Certainty, detect};
        let found = detect(b"usage: tool -o, --out=[\xC1\xB2\xCA\xD7\xBC\xC9]\nalso writes a header");
        assert_eq!(found.certainty(), Certainty::Guess, "{found}");
        let found = detect(b"\xC9\xCD\xCD\xCD\xBB\n\xBA OK\xBA\n\xC8\xCD\xCD\xCD\xBC\n");
        assert_eq!((found.name(), found.certainty()), (Some("IBM437"), Certainty::Likely), "{found}");
    }

    #[test]
    fn what_reads_alike_by_chance_is_a_guess() {
        use crate::detect::{Certainty, detect};
        let encoded = |name: &str, text: &str| Encoding::for_label(name).unwrap().encode(text).0.into_owned();
        let alphabet: Vec<String> = ('А'..='Я').map(|c| [c.to_string(), "\n".to_string()].concat()).collect();
        let jamo: Vec<String> = ('ㄱ'..='ㅎ').map(|c| [c.to_string(), " x\n".to_string()].concat()).collect();
        for bytes in [
            // The points of a picture.
            encoded("windows-1255", &"77777ששש777ןןןןן\n7777ןןן77ששןן77\n".repeat(8)),
            encoded("windows-1252", &"sssssössss\nssssööössss\nsssöööössss\n".repeat(4)),
            // A table, in the order of its codes.
            encoded("EUC-KR", &jamo.concat()),
            encoded("windows-1251", &alphabet.concat()),
            // The escape sequence says what F2 is.
            b"Ky\x1B-D\xF2to 1.4 - Sh\x1B-D\xF2jo\nT\x1B-D\xF2ky\x1B-D\xF2\n".to_vec(),
            // One foreign word.
            [&b"Sent by "[..], &encoded("windows-1253", "Θεσσαλονίκη"), b" in the spring of 1999.\n"].concat(),
            [&b"Sent by "[..], &encoded("EUC-JP", "東京"), b" in the spring of 1999.\n"].concat(),
            [&b"Sent by "[..], &encoded("EUC-KR", "김철수"), b" in the spring of 1999.\n"].concat(),
            b"id,name\n1,\xA9alb\n2,\xA9ART\n3,\xA9chp\n4,\xA9day\n".to_vec(),
        ] {
            let found = detect(&bytes);
            assert!(found.certainty() <= Certainty::Likely, "{found}");
            let is_wrong = found.encoding().is_some_and(|found| found != Encoding::Legacy(Legacy::Windows1252));
            assert!(!is_wrong || found.certainty() == Certainty::Guess, "{found}");
        }
    }

    /// Latin letters that Western encodings lack, or katakana of half width by themselves, are no words of these.
    #[test]
    fn the_letters_of_a_language_without_its_words_are_a_guess() {
        use crate::detect::{Certainty, detect};
        let greek = |text: &str| Encoding::for_label("ISO-8859-7").unwrap().encode(text).0.into_owned();
        for bytes in [
            b"# names of places\nbrad: br\xE3du\ncopou: cop\xE2u\nmotru: m\xF4tru\n".to_vec(),
            greek("# rules\nΠΠ-   _\nΠ     Π\nΣΣ-   _\nΣΖ    Ζ\nΡΡ-   _\nΡ     Ρ\n"),
            greek("# rules\nΛΛ-   _\nΛ     Λ\nΜΜ-   _\nΜ     Μ\nΝΝ-   _\nΝ     Ν\nΞ     Ξ\n"),
        ] {
            let found = detect(&bytes);
            let is_other = |name| found.encoding() == Encoding::for_label(name);
            let is_wrong = is_other("windows-1258") || is_other("Shift_JIS");
            assert!(!is_wrong || found.certainty() == Certainty::Guess, "{found}");
        }
    }

    /// Letters of other scripts have four bytes in GB18030, and are no Chinese text.
    #[test]
    fn several_scripts_in_gb18030_are_text() {
        use crate::detect::{Certainty, detect};
        let text = "图书馆周一闭馆，周二开放。\nBibliothèque fermée le lundi, réouverture après-midi.\n\
                    ห้องสมุดปิดวันจันทร์\n도서관은 월요일에 쉽니다.\nالمكتبة مغلقة يوم الاثنين\n";
        let encoding = Encoding::for_label("gb18030").unwrap();
        let bytes = encoding.encode(text).0;
        let found = detect(&bytes);
        assert!(found.encoding() == Some(encoding) && found.certainty() >= Certainty::Likely, "{found}");
    }

    #[test]
    fn a_label_of_us_ascii_is_no_evidence_for_the_code_page_of_windows() {
        use crate::detect::{Certainty, detect};
        for (name, text) in [("IBM850", "Précédent"), ("windows-1250", "Nastaveń"), ("windows-1251", "Далее")] {
            let head = b"<html><head><meta http-equiv=Content-Type content='text/html; charset=us-ascii'>\n<title>";
            let bytes =
                [head, &*Encoding::for_label(name).unwrap().encode(text).0, b"</title></head></html>\n"].concat();
            let found = detect(&bytes);
            assert!(found.certainty() < Certainty::NearlyCertain, "{name}: {found}");
        }
    }
}
