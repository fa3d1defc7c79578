//! Characters of UTF-8 that a byte limit or a line breaker cut.

use core::cell::{Cell, OnceCell};

use crate::halves::{Halves, LONGEST, Parts, parts};
use utfkit_core::internal::utf8::{is_continuation, well_formed_len};

/// The lengths, in bytes, of lines that may be records of a fixed width.
const SHORTEST_RECORD: usize = 16;
const LONGEST_RECORD: usize = 512;

/// A lead byte that begins more characters of a window than this is usual in the text.
const MANY: usize = 4;

/// A window around an ill-formed sequence.
pub(super) struct Context<'a> {
    window: &'a [u8],
    /// True if the stream begins with it.
    is_front: bool,
    /// How often each lead byte begins a well-formed sequence, up to 255, once it is asked for.
    leads: OnceCell<[u8; 256]>,
    /// The last line that was compared with others, or a part of it, and the result.
    record: Cell<(usize, usize, bool)>,
}

impl<'a> Context<'a> {
    pub(super) fn new(window: &'a [u8], is_front: bool) -> Context<'a> {
        Context { window, is_front, leads: OnceCell::new(), record: Cell::new((0, 0, false)) }
    }

    fn has_lead(&self, lead: u8) -> bool {
        self.leads()[usize::from(lead)] > 0
    }

    /// True if a letter has a lead byte that no other one has, in a text with letters of another lead byte.
    fn is_foreign(&self, lead: u8) -> bool {
        !lead.is_ascii() && self.leads()[usize::from(lead)] == 1 && self.leads().iter().any(|count| *count > 2)
    }

    fn has_lead_of(&self, mut leads: core::ops::RangeInclusive<u8>) -> bool {
        leads.any(|lead| self.has_lead(lead))
    }

    fn leads(&self) -> &[u8; 256] {
        self.leads.get_or_init(|| {
            let (window, mut leads) = (self.window, [0; 256]);
            for at in 0..window.len() {
                let len = well_formed_len(window[at]);
                if len > 1
                    && let Some(trail) = window.get(at + 1..at + len)
                    && trail.iter().copied().all(is_continuation)
                {
                    let count: &mut u8 = &mut leads[usize::from(window[at])];
                    *count = count.saturating_add(1);
                }
            }
            leads
        })
    }

    /// True if the ill-formed sequence at `at` is the beginning or the end of a character,
    /// rather than letters in another encoding.
    pub(super) fn is_cut(&self, at: usize, len: usize) -> bool {
        let Some(bytes) = self.window.get(at..at + len) else { return false };
        let before = &self.window[..at];
        let after = &self.window[at + len..];
        match bytes {
            _ if self.halves(at).is_some_and(|halves| halves.first == len) => true,
            [lead, rest @ ..] if well_formed_len(*lead) > len && rest.iter().copied().all(is_continuation) => {
                (is_apart(before, after, len) && (self.is_known(at, len) || self.is_beginning(*lead, rest, before)))
                    || (self.is_in_record(at) && self.has_lead(*lead))
            }
            // The checker reports each alone.
            [byte] if is_continuation(*byte) => self.is_end(at, before),
            _ => false,
        }
    }

    /// True in a line among others of the same number of bytes: a table of fixed width, in which a field is cut where
    /// the next one begins.
    #[inline(never)]
    fn is_in_record(&self, at: usize) -> bool {
        let (start, end, is_known) = self.record.get();
        if (start..end).contains(&at) {
            return is_known;
        }
        let (before, after) = self.window.split_at(at);
        let is_end = |byte: &u8| *byte == b'\n';
        let near = |bytes: &[u8]| bytes.iter().take(LONGEST_RECORD).position(is_end);
        let start = before.iter().rev().take(LONGEST_RECORD).position(is_end).map(|len| at - len);
        // A longer line may begin anywhere before.
        let known_from = start.unwrap_or(at.saturating_sub(LONGEST_RECORD));
        let start = start.unwrap_or(0);
        let Some(end) = near(after).map(|end| at + end) else { return false };
        let len = end - start;
        // The line itself, and others before and after it.
        let is_line = |step: usize| {
            let from = (start + step * (len + 1)).checked_sub(3 * (len + 1))?;
            (from == 0 || self.window.get(from - 1) == Some(&b'\n')).then_some(())?;
            near(self.window.get(from..)?).filter(|end| *end == len)
        };
        let is_record = (SHORTEST_RECORD..LONGEST_RECORD).contains(&len) && (0..7).filter_map(is_line).count() > 2;
        self.record.set((known_from, end, is_record));
        is_record
    }

    /// True if it is a beginning in its place, of a character as the text has others.
    pub(super) fn may_be_cut(&self, at: usize, len: usize) -> bool {
        self.is_unfinished(at, len) && self.has_lead(self.window[at])
    }

    /// True if it is a beginning in its place.
    pub(super) fn is_unfinished(&self, at: usize, len: usize) -> bool {
        let Some(&[lead, ref rest @ ..]) = self.window.get(at..at + len) else { return false };
        well_formed_len(lead) > len
            && rest.iter().copied().all(is_continuation)
            && is_apart(&self.window[..at], &self.window[at + len..], len)
    }

    /// True if a stream may end within the character at `at`.
    pub(super) fn may_end(&self, at: usize, len: usize) -> bool {
        self.is_cut(at, len) || self.may_be_cut(at, len)
    }

    /// The parts of a character whose first byte is at `at`.
    pub(super) fn halves(&self, at: usize) -> Option<Halves> {
        match parts(self.window.get(at..)?, true) {
            Parts::Halves(halves) => Some(halves),
            Parts::Nothing | Parts::Open => None,
        }
    }

    /// True if the part of a character at `at` is the beginning of a whole one elsewhere, after
    /// the same byte if it is a lead byte alone.
    fn is_known(&self, at: usize, len: usize) -> bool {
        let from = if len == 1 { at.checked_sub(1) } else { Some(at) };
        let Some(part) = from.map(|from| &self.window[from..at + len]) else { return false };
        let Some(&lead) = self.window.get(at) else { return false };
        self.has_lead(lead)
            && self
                .window
                .windows(part.len() + 1)
                .any(|known| known.starts_with(part) && known.last().copied().is_some_and(is_continuation))
    }

    /// `rest` is the part of the trail that is there.
    fn is_beginning(&self, lead: u8, rest: &[u8], before: &[u8]) -> bool {
        // A letter and a quotation mark, in windows-1252.
        let is_sign = |byte: &u8| matches!(byte, 0x80 | 0x85 | 0x8B | 0x91..=0x97 | 0x9B | 0xA0 | 0xAB | 0xB4 | 0xBB);
        match rest {
            [] => {}
            [sign] if is_sign(sign) => {}
            _ => return lead < 0xE0 || self.may_have(lead, before),
        }
        // The script of the character before.
        if let Some(other) = last_lead(before) {
            return match lead {
                _ if self.is_foreign(other) => false,
                ..0xE0 => lead.abs_diff(other) <= 2,
                _ => other >= 0xE0 && self.has_lead(lead),
            };
        }
        let is_capital = matches!(lead, 0xC2..=0xDE);
        match before.last() {
            Some(letter) if letter.is_ascii_lowercase() => {
                matches!(lead, 0xC2..=0xC5) || (matches!(lead, 0xCE..=0xD1) && self.has_lead(lead))
            }
            // `T` of `Tür`, after a word in small letters.
            Some(letter) if letter.is_ascii_alphabetic() => {
                matches!(before, [.., small, b' ', _] if small.is_ascii_lowercase())
                    && is_capital
                    && usize::from(self.leads()[usize::from(lead)]) > MANY
            }
            // A letter that is no word.
            _ => self.has_lead(lead) && (is_capital || matches!(lead, 0xE2 | 0xE3 | 0xF0)),
        }
    }

    /// True if a text may have a character of three bytes or more with this lead byte after `before`: signs and emoji
    /// are in every text, letters and ideographs are not among Latin letters.
    fn may_have(&self, lead: u8, before: &[u8]) -> bool {
        match lead {
            0xE2 | 0xEF.. => true,
            0xE3..=0xED if self.has_lead_of(0xE3..=0xED) => true,
            0xE0 | 0xE1 if self.has_lead_of(0xE0..=0xE1) => true,
            _ => !self.has_lead_of(0..=0xFF) && !before.last().is_some_and(u8::is_ascii_alphabetic),
        }
    }

    /// True for the rest of a character that stands at the front of the stream, right before
    /// another character, or after the beginning of one that a line break cut.
    fn is_end(&self, at: usize, before: &[u8]) -> bool {
        let trail = before.iter().rev().take_while(|byte| is_continuation(**byte)).count();
        let more = self.window[at..].iter().take_while(|byte| is_continuation(**byte)).count();
        let start = at - trail;
        if trail + more > 3 || self.window[..start].last().is_some_and(|&byte| !byte.is_ascii()) {
            return false;
        }
        let next = self.window.get(at + more).copied().unwrap_or(b' ');
        if self.is_front && start == 0 {
            let rest = &self.window[at + more..];
            let first = rest[..rest.len().min(4)].utf8_chunks().next();
            let is_next_whole = first.is_none_or(|chunk| !chunk.valid().is_empty());
            return is_next_whole && !self.is_foreign(next) && self.has_lead_of(0..=0xFF);
        }
        if self.window[..start].last().is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        // Once is here.
        if well_formed_len(next) > 2 && self.leads()[usize::from(next)] > 1 {
            return true;
        }
        let from = start.saturating_sub(LONGEST);
        let is_second =
            |at: usize| self.halves(at).is_some_and(|Halves { first, between, .. }| at + first + between == start);
        if (from..start).any(is_second) {
            return true;
        }
        // Its beginning is at the end of the line before.
        let near = &self.window[start.saturating_sub(80)..start];
        let mut ends = (0..near.len()).filter(|&end| matches!(near[end], b'\n' | b'\r'));
        ends.any(|end| {
            let line = &near[..end];
            let part = line.iter().rev().take_while(|byte| is_continuation(**byte)).count();
            let lead = line.len().checked_sub(part + 1).map_or(0, |at| line[at]);
            well_formed_len(lead) == 1 + part + trail + more && line.len() > part
        })
    }
}

/// True if a word may end within a character between these: next to other bytes, `len` of them are
/// a word in another encoding.
fn is_apart(before: &[u8], after: &[u8], len: usize) -> bool {
    let is_at_end = match after {
        // One of a sentence is not.
        [b' ', next, ..] if len == 1 => !next.is_ascii_alphanumeric() && next.is_ascii(),
        [b'\t', ..] => before.last() != Some(&b'\t'),
        [next, ..] => !next.is_ascii_alphabetic(),
        [] => true,
    };
    let is_before_ascii = after.first().is_none_or(u8::is_ascii);
    // A sign or an ideograph may follow.
    let is_alone =
        before.last().is_none_or(u8::is_ascii) || last_lead(before).is_some_and(|lead| is_before_ascii || lead >= 0xE0);
    is_at_end && is_alone && after.first().is_none_or(|next| next.is_ascii() || (len > 1 && *next >= 0xE0))
}

/// The lead byte of the character beyond US-ASCII that `before` ends with.
fn last_lead(before: &[u8]) -> Option<u8> {
    let trail = before.iter().rev().take(3).take_while(|byte| is_continuation(**byte)).count();
    let lead = *before.get(before.len().checked_sub(trail + 1)?)?;
    (trail > 0 && well_formed_len(lead) == trail + 1).then_some(lead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Basis, Certainty, detect};
    use alloc::vec::Vec;
    use utfkit_core::Encoding;

    /// UTF-8 with a `|` in place of each lost byte.
    fn with_cuts(parts: &[(&str, usize)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &(text, lost) in parts {
            bytes.extend_from_slice(&text.as_bytes()[..text.len() - lost]);
        }
        bytes
    }

    #[test]
    fn records_are_the_same_in_whatever_order_they_are_asked_for() {
        let records = b"0123456789 abcdefghij ABCDEFGHIJ\n".repeat(4);
        let window = [&records[..], &b"a long line ".repeat(150), b"\n", &records, b"short\n"].concat();
        let alone = |at: usize| Context::new(&window, false).is_in_record(at);
        let all: Vec<bool> = (0..window.len()).map(alone).collect();
        assert!(all[40] && !all[1000] && all[window.len() - 40]);
        let context = Context::new(&window, false);
        let forth = (0..window.len()).step_by(5);
        for at in forth.clone().chain(forth.rev()).chain((0..window.len()).map(|at| at * 613 % window.len())) {
            assert_eq!(context.is_in_record(at), all[at], "{at}");
        }
    }

    #[test]
    fn a_character_cut_in_us_ascii_is_a_guess_at_utf_8() {
        for bytes in [
            &b"pokra\xC4"[..],
            b"<li>Moj sused preda\xC5</li>\n",
            b"id;title\n7;el a\xC3;x\n",
            b"He paid 5 \xE2\x82\n",
            b"a tab in the end\t: perch\xC3\t9\n",
        ] {
            let found = detect(bytes);
            assert_eq!(found.encoding(), Some(Encoding::Utf8), "{found}");
            assert_eq!((found.basis(), found.certainty()), (Basis::Damaged, Certainty::Guess), "{found}");
        }
        // Letters at the ends of words, and dashes of the Macintosh.
        let dashes = b"We walked\xD1 slowly\xD1 home, and slept\xD1 too long.\n";
        for bytes in [&dashes[..], b"un caf\xE9", b"IRM\xC3;1\n", b"S\xC4\n", b"no. 5\xB0\n", b"tir\xF3, cay\xF3\n"] {
            assert_ne!(detect(bytes).encoding(), Some(Encoding::Utf8));
        }
    }

    #[test]
    fn cut_characters_are_utf_8() {
        for (parts, cut) in [
            (
                &[
                    ("name;note\n\"Ирина\";\"Очень хороший товар", 0),
                    ("о", 1),
                    ("\";5\n\"Олег\";\"всё пришло\";4\n", 0),
                ][..],
                1,
            ),
            (&[("<p>Τα νέα", 1), ("</p>\n<p>Καλημέρα σας</p>\n", 0)], 1),
            (&[("1,\"lovely 😀 thanks 🚀", 2), ("\",5\n2,\"ok 👍\",4\n", 0)], 1),
            (&[("今日は天気がいい", 1), ("\n明日も晴れ", 2), ("\nそうです。\n", 0)], 2),
            (&[("\"nice – and then –", 2), ("\",7\n\"fine – yes\",8\n", 0)], 1),
            (&[("1 NOTE Žilina – Lučen", 0), ("č", 1), ("\n1 NOTE šťastný člověk\n", 0)], 1),
            (&[("שלום עולם ושו", 1), (",\nבוקר טוב,\n", 0)], 1),
        ] {
            let found = detect(&with_cuts(parts));
            assert_eq!((found.encoding(), found.basis()), (Some(Encoding::Utf8), Basis::Damaged), "{parts:?} {found}");
            assert_eq!((found.cut(), found.ill_formed()), (cut, Some(cut)), "{parts:?} {found}");
            assert!(found.certainty() >= Certainty::Likely, "{parts:?} {found}");
        }
        // Both halves, and the end alone.
        let found = detect("1 NOTE Příbuzní z Bo\u{17E}".as_bytes().split_last().unwrap().1);
        assert!(found.is_truncated());
        let mut bytes = "1 NOTE Příbuzní z Bro\u{17E}".as_bytes().to_vec();
        let last = bytes.pop().unwrap();
        bytes.extend_from_slice(b"\n2 CONC ");
        bytes.push(last);
        bytes.extend_from_slice("any\n1 NOTE řeka\n".as_bytes());
        assert_eq!((detect(&bytes).cut(), detect(&bytes).ill_formed()), (2, Some(2)), "{}", detect(&bytes));
        let found = detect(&"本語の本と日本語の歌\n".as_bytes()[1..]);
        assert_eq!((found.encoding(), found.cut()), (Some(Encoding::Utf8), 2), "{found}");
    }

    #[test]
    fn the_parts_of_a_character_are_one_of_utf_8() {
        // One line and few letters, with either half next to US-ASCII.
        for text in [
            "1 NOTE ostala je u ku\u{107}i i čekala",
            "dziś w ogr\u{F3}dku, Łódź",
            "Μια μέρα θα \u{3AD}ρθω",
            "pies\u{131}n\u{131} söyle",
        ] {
            for break_ in ["\n2 CONC ", "\r\n", "\n ", "\",\""] {
                for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
                    let (front, back) = text.as_bytes().split_at(at + c.len_utf8() - 1);
                    let bytes = [front, break_.as_bytes(), back, b" kraj\n"].concat();
                    let found = detect(&bytes);
                    assert_eq!((found.encoding(), found.cut()), (Some(Encoding::Utf8), 2), "{text} {break_:?} {found}");
                    assert!(found.certainty() >= Certainty::Likely, "{text} {break_:?} {found}");
                }
            }
        }
    }

    /// A window ends where nothing is ill-formed.
    #[test]
    fn characters_are_cut_anywhere_in_long_texts() {
        const TEXTS: [(&str, &[u8]); 5] = [
            ("Поезд ушёл рано утром, и мы опоздали.\n", b"\xD0\n"),
            ("Το τρένο έφυγε νωρίς το πρωί.\n", b"\xCF\",4\n"),
            ("列車は朝早く出発しました。\n", b"\xE3\x81\n"),
            ("Pociąg odjechał wcześnie rano.\n", b"\xC5\n2 CONC \x9Bwit\n"),
            ("so early 🚂 – and we missed it 😀\n", b"\xF0\x9F\x98\",5\n"),
        ];
        for (line, cut) in TEXTS {
            for edge in [16 << 10, 48 << 10, 128 << 10] {
                for start in edge - 9..edge + 3 {
                    let count = start / line.len() - 1;
                    let front = [line.repeat(count), "x".repeat(start - count * line.len() - 1), "\n".into()].concat();
                    let bytes = [front.as_bytes(), cut, line.repeat(3).as_bytes()].concat();
                    let found = detect(&bytes);
                    let is_fit = found.encoding() == Some(Encoding::Utf8) && Some(found.cut()) == found.ill_formed();
                    assert!(is_fit && found.certainty() >= Certainty::Likely, "{line}{start} {found}");
                }
            }
        }
    }

    #[test]
    fn a_part_of_a_stream_begins_and_ends_within_characters() {
        let text = "вывода сокета перед записью. В асинхронном режиме при появлении данных чтение";
        for from in [1, 3, 5] {
            let bytes = text.as_bytes();
            let found = detect(&bytes[from..bytes.len() - 1]);
            assert_eq!((found.encoding(), found.foreign()), (Some(Encoding::Utf8), None), "{from} {found}");
        }
    }

    #[test]
    fn a_character_cut_in_a_text_without_others_is_no_more_than_a_guess() {
        for bytes in [&b"<td>Le syst\xC3</td>\n"[..], b"superutilisateur du r\xC3,\"5\"\n"] {
            assert!(detect(bytes).certainty() <= Certainty::Guess, "{}", detect(bytes));
        }
    }

    #[test]
    fn a_beginning_that_the_text_has_elsewhere_is_cut() {
        for (parts, cut) in [
            (&[("Người dịch: Phan Vinh Thị", 1), (",\"5\"\nThoát với trạng thái xác định bởi\n", 0)][..], 1),
            (&[("\"la fin de l’année, qu’il", 0), ("’", 2), ("\",3\n\"c’est l’été\",4\n", 0)], 1),
        ] {
            let found = detect(&with_cuts(parts));
            assert_eq!((found.encoding(), found.cut()), (Some(Encoding::Utf8), cut), "{parts:?} {found}");
            assert_eq!(found.foreign(), None, "{parts:?} {found}");
        }
    }

    /// In windows-1251 the first byte of a Cyrillic letter is `Р` or `С`.
    #[test]
    fn the_end_of_a_file_with_old_lines_is_cut() {
        let old = [
            (
                "windows-1251",
                "Вечером шёл мелкий дождь.\nПотом стало тихо",
                "Старый дом у реки стоял пустым много лет.\n",
            ),
            (
                "windows-1250",
                "Żółty liść spadł na łąkę.\nPóźniej był świt",
                "Gęś pływała wśród trzcin, gdzie rósł tatarak.\n",
            ),
            ("windows-1253", "Το βράδυ έβρεχε λίγο.\nΎστερα ησύχασε", "Το παλιό σπίτι ήταν άδειο για πολλά χρόνια.\n"),
        ];
        for (name, text, line) in old {
            let line = Encoding::for_label(name).unwrap().encode(line).0;
            let whole = [text.as_bytes(), b"\n", &line, text.as_bytes()].concat();
            let found = detect(&whole);
            assert_eq!((found.foreign(), found.cut()), (Encoding::for_label(name), 0), "{found}");
            let last = whole.len() - text.len() + text.find('\n').unwrap() + 1;
            for len in (last..whole.len()).filter(|len| is_continuation(whole[*len])) {
                let found = detect(&whole[..len]);
                let is_guess = found.foreign_certainty().is_none_or(|certainty| certainty == Certainty::Guess);
                assert!(found.cut() == 1 || is_guess, "{name} {len} {found}");
            }
        }
    }

    /// No word is in two encodings.
    #[test]
    fn a_letter_that_lost_a_byte_leaves_old_lines_a_guess() {
        let line = Encoding::for_label("windows-1251").unwrap().encode("Старый дом у реки стоял пустым много лет.\n").0;
        let text = "Вечером шёл мелкий дождь.\nПотом стало тихо и тепло.\n";
        let with = |damaged: &str, lost: usize| {
            let mut damaged = damaged.as_bytes().to_vec();
            damaged.remove(lost);
            [text.as_bytes(), &line, &damaged, text.as_bytes()].concat()
        };
        // Within a word, at its end and at its front.
        for (damaged, lost) in [("Утром снова дождь.\n", 4), ("Утром дожди шли.\n", 20), ("Утром шли дожди.\n", 12)]
        {
            let found = detect(&with(damaged, lost));
            assert!(found.foreign_certainty().is_none_or(|certainty| certainty == Certainty::Guess), "{lost} {found}");
        }
        let whole = [text.as_bytes(), &line, text.as_bytes()].concat();
        assert!(detect(&whole).foreign_certainty() > Some(Certainty::Guess));
    }

    #[test]
    fn a_word_is_cut_after_its_capital() {
        for (text, cut) in [
            ("Im Körbchen für Größeres lag früher müde Wolle.\n", &b"Er wohnt neben der M\xC3\n"[..]),
            ("Båten låg på stranden när ån frös på vintern.\n", b"\"de gick ut till H\xC3\",3\n"),
        ] {
            let found = detect(&[text.as_bytes(), cut, text.as_bytes()].concat());
            assert_eq!((found.encoding(), found.cut(), found.foreign()), (Some(Encoding::Utf8), 1, None), "{found}");
        }
        // All in capitals.
        let found = detect(&["Größe für Übergrößen, früher grün.\n".as_bytes(), b"NOVA LISTA DE M\xC3\n"].concat());
        assert!(found.certainty() <= Certainty::Guess || found.cut() == 0, "{found}");
    }

    #[test]
    fn a_line_in_another_encoding_is_read_in_it() {
        let page = "# Список задач – todo\n* größer – naïve €\n* 日本語の文\n".repeat(3);
        for (name, line) in [
            (
                "windows-1250",
                "Wczoraj wieczorem poszliśmy pieszo przez most i spotkaliśmy sąsiada, który źle się czuł.",
            ),
            ("windows-1251", "Вчера вечером мы пешком перешли через мост и встретили соседа."),
            ("windows-1253", "Χθες το βράδυ περπατήσαμε στη γέφυρα και συναντήσαμε τον γείτονα."),
            ("windows-1255", "אתמול בערב הלכנו ברגל על הגשר ופגשנו את השכן."),
            ("windows-1252", "Hier soir, nous sommes allés à pied près du pont, où un garçon était assis."),
            ("windows-1252", "Gestern Abend gingen wir über die Brücke zum schönen Haus der Müllers."),
        ] {
            let line = Encoding::for_label(name).unwrap().encode(line).0;
            let bytes = [page.as_bytes(), &line, b"\n", page.as_bytes()].concat();
            let found = detect(&bytes);
            assert_eq!((found.encoding(), found.basis()), (Some(Encoding::Utf8), Basis::Damaged), "{name} {found}");
            assert_eq!(found.foreign().map(Encoding::name), Some(name), "{found}");
        }
        let found = detect(&[page.as_bytes(), b"cr\xE8me br\xFBl\xE9e\n"].concat());
        assert_eq!(found.foreign().map(Encoding::name), Some("windows-1252"));
        assert_eq!(detect(page.as_bytes()).foreign(), None);
    }

    /// Hangul in Slovak, an ideograph in Polish, Cyrillic in Faroese, Khmer in Hebrew.
    #[test]
    fn letters_of_another_script_are_not_cut() {
        for (text, word) in [
            ("Stlačte kláves, prosím.\nPíše sa aj malé š.\n", &b"hol\xED\x9A "[..]),
            ("Wartość bufora jest za duża.\nSprawdź jeszcze raz.\n", b"d\xB3ugo\xE6\x8D "),
            ("Høgur tindur, blátt hav.\nSólin skínur á fjøllini.\n", b"seti\xD0 "),
            ("אני הולך הביתה עכשיו.\nהשמש זורחת היום.\n", b"\xA2\xAB\xE1\x9F\xA0 "),
        ] {
            let bytes = [text.as_bytes(), word, b"ok\n", text.as_bytes()].concat();
            assert_eq!(detect(&bytes).cut(), 0, "{text}: {}", detect(&bytes));
        }
    }

    /// In the one the rest of `é` is before a word, in the other `©` before a year.
    #[test]
    fn a_part_of_a_character_alone_leaves_the_encoding_open() {
        for bytes in [
            &b"\xA9 la prima riga del testo\n"[..],
            b"\xB6fnen Sie die Datei\n",
            b"\x8Deka je hlboka \xF0\x9F\x98",
            b"\"UVO\xC4\",3\n",
            b"2\tx\tlinea\t\xC3\n",
            b"\"7. \xE6\",y\n",
        ] {
            assert!(detect(bytes).certainty() <= Certainty::Guess, "{}", detect(bytes));
        }
        for bytes in [&b"\xA92014 Example Press\n"[..], b"\x95 one item\n", b"\xBFQu\xE9 hora es?\n"] {
            assert!(detect(bytes).certainty() >= Certainty::Likely, "{}", detect(bytes));
        }
    }

    #[test]
    fn letters_of_another_encoding_are_not_cut() {
        for line in [
            &b"caf\xE9 au lait, d\xE9j\xE0 vu"[..],
            b"il va \xE0 Paris, o\xF9 \xE9 bom",
            b"\x93hello\x94 \x96 it\x92s caf\xE9\x94, A\xD1O",
            b"Gr\xFC\xDFe, Spa\xDF, \xD6l",
            b"\xC5re og \xC6ble, p\xE5",
            b"\xEF\xF0\xE8\xE2\xE5\xF2 \xE2\xF1\xE5\xEC",
            b"100 \xB0C, 5 \xB5m, \xA9 2001",
        ] {
            let mut bytes = "Größe: 5 €, ça va, naïve – été, “ok”\n".repeat(3).into_bytes();
            bytes.extend_from_slice(line);
            bytes.extend_from_slice("\nFrüher war alles schöner – más año.\n".as_bytes());
            let found = detect(&bytes);
            assert_eq!(found.cut(), 0, "{line:02X?} {found}");
        }
    }

    #[test]
    fn characters_of_several_scripts_are_no_cut_text() {
        for name in ["Перов <p@example.org>, юли 2011.\n", "Серов <s@example.org>, юли 1999\n"] {
            let old = Encoding::for_label("IBM866").unwrap().encode(name).0;
            let found = detect(&old);
            assert!(found.encoding() != Some(Encoding::Utf8) || found.certainty() == Certainty::Guess, "{found}");
        }
    }

    #[test]
    fn fields_of_equal_width_are_cut_before_the_next_one() {
        let rows = [
            ("0001", "Schlüsselübergabe", "Möhrenweg"),
            ("0002", "Würfelbecherschä", "Gänseweide"),
            ("0003", "Brückengeländer", "Unterstraß"),
            ("0004", "Öllampengehäuse", "Hühnerhof"),
        ];
        let mut bytes = Vec::new();
        for (number, name, street) in rows {
            bytes.extend_from_slice(number.as_bytes());
            for (field, width) in [(name, 17), (street, 10)] {
                let field = field.as_bytes();
                bytes.extend_from_slice(&field[..field.len().min(width)]);
                bytes.resize(bytes.len() + width - field.len().min(width), b' ');
            }
            bytes.extend_from_slice(b"x\r\n");
        }
        let found = detect(&bytes);
        assert_eq!((found.encoding(), found.cut()), (Some(Encoding::Utf8), found.ill_formed().unwrap()), "{found}");
        assert!(found.cut() > 0, "{found}");
    }
}
