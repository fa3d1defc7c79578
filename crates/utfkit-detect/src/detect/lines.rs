//! The lines of a stream that is not well-formed UTF-8, sorted into UTF-8 and the rest.
//!
//! Reading begins at the first ill-formed sequence: the text before it is UTF-8, of which a few lines are kept.

use alloc::vec::Vec;
use core::ops::Range;

use super::controls::{count, first_beyond_ascii};
use super::cut::Context;
use super::piece::Place;
use crate::line::{BOM, LONGEST, end, parts, words_beyond_ascii};
use utfkit_core::from_utf8;
use utfkit_core::internal::ascii_prefix;
use utfkit_core::internal::utf8::{is_continuation, read_leniently, well_formed_len};

/// The bytes of lines in the other encoding that are kept.
const FOREIGN: usize = 8 << 10;
/// The bytes of UTF-8 that are kept.
const UTF8: usize = 2 << 10;
/// The pieces that are kept.
const PIECES: usize = 256;
/// The bytes of a line before the window of the first ill-formed sequence.
const TAIL: usize = 1024;
/// After this many lines, windows with hardly any UTF-8 are not read.
const ENOUGH: u64 = 64;

/// In a multibyte encoding, fewer sequences of UTF-8 than one in so many errors are chance.
pub(super) const CHANCE: u64 = 3;

/// The contents of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// US-ASCII and UTF-8.
    Utf8,
    Foreign,
    /// A part of a character.
    Cut,
}

/// Consecutive bytes of the same contents.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) contents: Contents,
    pub(super) range: Range<u64>,
    pub(super) lines: Range<u64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    is_begun: bool,
    /// True for the line that ends the stream.
    is_last: bool,
    /// The line that the last window did not end.
    pending: Vec<u8>,
    /// The offset and the number of the next line.
    offset: u64,
    number: u64,
    /// The offsets of cut characters that were not met yet.
    cuts: Vec<u64>,
    /// The offset up to which these are known.
    looked_at: u64,
    /// Lines with bytes that are not UTF-8.
    pub(super) foreign: Vec<u8>,
    /// These lines with spaces in place of the words in UTF-8.
    pub(super) blanked: Vec<u8>,
    /// Lines and words of UTF-8 beyond US-ASCII.
    pub(super) utf8: Vec<u8>,
    /// Those without a character of three bytes or more.
    pub(super) narrow: Vec<u8>,
    /// Words of lines in UTF-8 with letters of US-ASCII next to letters of another script, each once.
    pub(super) of_two_scripts: Vec<u8>,
    pub(super) foreign_lines: u64,
    /// Parts of characters that were cut, in lines without anything else that is ill-formed.
    pub(super) cut: u64,
    pub(super) cut_lines: Vec<u8>,
    /// True if the end of the stream cuts a character as the text has others, after lines in another encoding.
    pub(super) is_cut_at_end: bool,
    /// Words with the only bytes of their line that are not UTF-8, and no more than a letter that lost a byte has.
    pub(super) lone_words: Vec<u8>,
    /// Lines whose only bytes beyond US-ASCII may begin a character, and are in no word.
    pub(super) doubtful_lines: u64,
    /// Lines with words of both.
    pub(super) mixed_lines: u64,
    /// The first byte that is not UTF-8 and the one before, if it may begin a character that the end of a file cut, to
    /// which another file was joined.
    pub(super) joint: Option<[u8; 2]>,
    /// True if that line has UTF-8 before it, and no line after it has any.
    pub(super) is_after_utf8: bool,
    pub(super) runs: Vec<Run>,
    /// The contents of the last run, kept or not.
    last: Option<Contents>,
    /// The number of runs that were not kept.
    pub(super) more: u64,
}

/// Facts about a window.
pub(super) struct Window<'a> {
    pub(super) bytes: &'a [u8],
    /// The number of bytes before it.
    pub(super) before: u64,
    /// The ill-formed and the well-formed sequences in it.
    pub(super) errors: u64,
    pub(super) sequences: u64,
    /// The first ill-formed sequence of the stream.
    pub(super) first: Option<Place>,
    /// True if the stream is well-formed in a multibyte encoding, where a sequence of UTF-8 is chance.
    pub(super) is_multibyte: bool,
    /// The offset up to which cut characters are known.
    pub(super) looked_at: u64,
}

impl Lines {
    /// Takes a window, and the offsets of cut characters.
    pub(super) fn window(&mut self, window: &Window<'_>, cuts: &mut Vec<u64>) {
        if !self.is_begun {
            if window.first.is_none() {
                self.keep_lines(window);
                self.keep_tail(window.bytes);
                return;
            }
            self.begin(window);
        }
        self.cuts.append(cuts);
        self.looked_at = window.looked_at;
        let is_known = self.foreign_lines >= ENOUGH && window.errors >= ENOUGH;
        let share = if window.is_multibyte { CHANCE } else { 4 };
        if is_known && window.sequences < window.errors / share {
            self.skip(window);
            return;
        }
        let mut bytes = window.bytes;
        if !self.pending.is_empty() {
            let mut line = core::mem::take(&mut self.pending);
            let len = line.len();
            line.extend_from_slice(&bytes[..bytes.len().min(LONGEST)]);
            let Some(at) = end(&line, false) else {
                self.pending = line;
                return;
            };
            // A part of a long line may end before the window.
            if at < len {
                self.line(&line[..at]);
                line.drain(..at);
                line.truncate(len - at);
                self.pending = line;
                return self.window(&Window { first: window.first, ..*window }, &mut Vec::new());
            }
            self.line(&line[..at]);
            bytes = &bytes[at - len..];
        }
        while let Some(at) = end(bytes, false) {
            self.line(&bytes[..at]);
            bytes = &bytes[at..];
            bytes = &bytes[self.ascii_lines(bytes)..];
        }
        self.pending.extend_from_slice(bytes);
    }

    pub(super) fn finish(&mut self) {
        let line = core::mem::take(&mut self.pending);
        let mut bytes = &line[..];
        while let Some(at) = end(bytes, true).filter(|_| self.is_begun) {
            self.is_last = at == bytes.len();
            self.line(&bytes[..at]);
            bytes = &bytes[at..];
        }
    }

    /// Keeps the first lines beyond US-ASCII of a window in UTF-8: a long text may have all of its UTF-8 before the
    /// first ill-formed sequence.
    fn keep_lines(&mut self, window: &Window<'_>) {
        let is_end = |byte: &u8| *byte == b'\n';
        let mut rest = if window.sequences > 0 { window.bytes } else { &[] };
        while self.utf8.len() < UTF8
            && let Some(first) = first_beyond_ascii(rest)
            && let Some(len) = rest[first..].iter().position(is_end)
        {
            let (line, after) = rest.split_at(first + len);
            let start = line[..first].iter().rposition(is_end).map_or(0, |at| at + 1);
            // The first line of a window may begin within a character.
            if from_utf8(&line[start..]).is_ok() {
                self.keep_utf8(&line[start..]);
            }
            rest = after;
        }
    }

    fn keep_tail(&mut self, window: &[u8]) {
        let tail = &window[window.len().saturating_sub(TAIL)..];
        let line = tail.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
        // Without a line end, it may begin within a character.
        let is_within = |byte: &&u8| line == 0 && tail.len() < window.len() && is_continuation(**byte);
        let line = line + tail.iter().take_while(is_within).count();
        self.pending.clear();
        self.pending.extend_from_slice(&tail[line..]);
    }

    fn begin(&mut self, window: &Window<'_>) {
        self.is_begun = true;
        self.offset = window.before - self.pending.len() as u64;
        let Some(first) = window.first else { return };
        let before =
            first.offset.checked_sub(window.before).and_then(|at| window.bytes.get(..usize::try_from(at).ok()?));
        self.number = first.line.saturating_sub(before.map_or(0, line_ends)).max(1);
        if self.offset > 0 {
            self.push(Contents::Utf8, 0..self.offset, 1..self.number + 1);
        }
    }

    /// Takes a window that is in the other encoding.
    fn skip(&mut self, window: &Window<'_>) {
        self.pending.clear();
        self.cuts.clear();
        let end = window.before + window.bytes.len() as u64;
        let number = self.number + line_ends(window.bytes);
        self.push(Contents::Foreign, self.offset..end, self.number..number + 1);
        (self.offset, self.number) = (end, number);
    }

    /// Takes the whole lines in US-ASCII at the front of `bytes`, and returns their length.
    fn ascii_lines(&mut self, bytes: &[u8]) -> usize {
        let ascii = &bytes[..ascii_prefix(bytes)];
        let Some(last) = ascii.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) else { return 0 };
        let lines = &ascii[..=last];
        let (start, number) = (self.offset, self.number);
        self.offset += lines.len() as u64;
        self.number += line_ends(lines);
        let last_number = self.number - u64::from(lines.ends_with(b"\n"));
        self.push(Contents::Utf8, start..self.offset, number..last_number + 1);
        lines.len()
    }

    /// Takes a line, or a part of it.
    fn line(&mut self, line: &[u8]) {
        if let Some(rest) = line.strip_prefix(BOM).filter(|rest| !rest.is_empty()) {
            let bom = self.offset..self.offset + BOM.len() as u64;
            self.offset = bom.end;
            self.push(Contents::Utf8, bom, self.number..self.number + 1);
            return self.line(rest);
        }
        let (start, number) = (self.offset, self.number);
        let end = start + line.len() as u64;
        self.offset = end;
        self.number += u64::from(line.ends_with(b"\n"));
        let lines = number..number + 1;
        if let Ok(text) = from_utf8(line) {
            if !text.is_ascii() {
                self.is_after_utf8 = false;
                self.keep_utf8(line);
                self.keep_odd(text);
            }
            return self.push(Contents::Utf8, start..end, lines);
        }
        let mut cuts = 0;
        while cuts < self.cuts.len() && self.cuts[cuts] < end {
            cuts += 1;
        }
        let cuts: Vec<u64> = self.cuts.drain(..cuts).collect();
        let mut errors = without_forms(line, ill_formed(line), self.is_last);
        let context = Context::new(line, false);
        let is_cut = |at: usize, len: usize| {
            let place = start + at as u64;
            cuts.contains(&place) || place >= self.looked_at && context.is_cut(at, len)
        };
        let ends = |at: usize, len: usize| self.is_last && at + len == line.len() && well_formed_len(line[at]) > len;
        let mut cut = Vec::new();
        let other = loop {
            match errors.next() {
                Some((at, len)) if is_cut(at, len) || !cut.is_empty() && ends(at, len) => cut.push((at, len)),
                other => break other,
            }
        };
        // It would be read in the encoding of the other lines.
        let is_end = |(at, len): (usize, usize)| ends(at, len) && self.utf8.contains(&line[at]);
        self.is_cut_at_end =
            self.is_last && self.foreign_lines > 0 && cut.is_empty() && ill_formed(line).next().is_some_and(is_end);
        if self.is_cut_at_end {
            cut.extend(ill_formed(line));
        }
        let Some((at, len)) = other.filter(|_| !self.is_cut_at_end) else {
            if !cut.is_empty() {
                self.cut += cut.len() as u64;
                keep(&mut self.cut_lines, line, UTF8);
            }
            let mut done = start;
            for (at, len) in cut {
                let at = start + at as u64;
                self.push(Contents::Utf8, done..at, lines.clone());
                done = at + len as u64;
                self.push(Contents::Cut, at..done, lines.clone());
            }
            return self.push(Contents::Utf8, done..end, lines);
        };
        if self.foreign_lines == 0 {
            let (at, len) = cut.first().copied().unwrap_or((at, len));
            let before = &line[..at];
            let is_next = |next: &u8| !b" \t\r\n.,;:!?)".contains(next);
            if well_formed_len(line[at]) > len && line.get(at + len).is_some_and(is_next) {
                self.joint = Some([before.last().copied().unwrap_or(b'\n'), line[at]]);
                self.is_after_utf8 = !before.is_ascii();
            }
        }
        self.foreign_lines += 1;
        let mut end_of_run = at + len;
        let is_run = errors.all(|(at, len)| core::mem::replace(&mut end_of_run, at + len) == at);
        if cut.is_empty() && is_run && end_of_run - at < 4 {
            self.keep_lone(line, at..end_of_run);
        }
        if cut.is_empty() && is_run && end_of_run == at + len {
            let (before, after) = (&line[..at], &line[at + len..]);
            // All else in the line is UTF-8.
            let is_rest = before.is_ascii() || after.trim_ascii().is_empty();
            // A letter of its own may begin a longer word.
            let is_word = |before: &[u8]| before.last().is_some_and(u8::is_ascii_alphabetic);
            let is_alone = is_rest && after.is_ascii() && !(is_word(before) && is_word(&before[..before.len() - 1]));
            self.doubtful_lines += u64::from(is_alone && context.is_unfinished(at, len));
        }
        let (mut foreign, mut blanked, mut done) = (None::<Range<usize>>, Vec::new(), 0);
        for word in words_beyond_ascii(line) {
            let bytes = &line[word.clone()];
            // Most are short, and ill-formed at their first character beyond US-ASCII.
            if str::from_utf8(bytes).is_err() {
                foreign = Some(foreign.map_or(word.start, |range| range.start)..word.end);
                let mut at = word.start;
                for part in parts(bytes) {
                    if !part.is_ascii() && str::from_utf8(part).is_ok() {
                        blanked.extend_from_slice(&line[done..at]);
                        blanked.push(b' ');
                        done = at + part.len();
                    }
                    at += part.len();
                }
                continue;
            }
            // A repeated word may be UTF-8 by one chance.
            if self.utf8.len() < UTF8 && !self.utf8.windows(bytes.len()).any(|known| known == bytes) {
                self.keep_utf8(bytes);
            }
            blanked.extend_from_slice(&line[done..word.start]);
            blanked.push(b' ');
            done = word.end;
        }
        let has_utf8 = done > 0;
        self.mixed_lines += u64::from(has_utf8);
        keep(&mut self.foreign, line, FOREIGN);
        blanked.extend_from_slice(&line[done..]);
        keep(&mut self.blanked, &blanked, FOREIGN);
        // UTF-8 goes on in the line.
        self.is_after_utf8 &= foreign.as_ref().is_none_or(|foreign| done <= foreign.end);
        let range = match foreign {
            Some(range) if has_utf8 => start + range.start as u64..start + range.end as u64,
            _ => start..end,
        };
        self.push(Contents::Utf8, start..range.start, lines.clone());
        self.push(Contents::Foreign, range.clone(), lines.clone());
        self.push(Contents::Utf8, range.end..end, lines);
    }

    fn keep_utf8(&mut self, bytes: &[u8]) {
        keep(&mut self.utf8, bytes, UTF8);
        if bytes.iter().all(|byte| *byte < 0xE0) {
            keep(&mut self.narrow, bytes, UTF8);
        }
    }

    /// Keeps the word of a line around bytes that are not UTF-8.
    fn keep_lone(&mut self, line: &[u8], run: Range<usize>) {
        let is_between = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphabetic();
        let start = line[..run.start].iter().rposition(is_between).map_or(0, |at| at + 1);
        let word = &line[start..];
        let end = word[run.end - start..].iter().position(is_between).map_or(word.len(), |len| run.end - start + len);
        let word = &word[..end];
        // Alone in a line of US-ASCII, they are a word.
        let is_in_text = word.len() > run.len() || !line[..run.start].is_ascii() || !line[run.end..].is_ascii();
        // A word that was cut would seem damaged.
        let has_space = self.lone_words.len() + word.len() < UTF8;
        if is_in_text && has_space && !self.lone_words.split(|byte| *byte == b'\n').any(|known| known == word) {
            keep(&mut self.lone_words, word, UTF8);
        }
    }

    fn keep_odd(&mut self, text: &str) {
        // Other letters of two bytes.
        let is_other = |c: char| matches!(c, '\u{250}'..'\u{800}') && c.is_alphabetic();
        let is_full = self.of_two_scripts.len() >= UTF8;
        if is_full || !text.bytes().any(|byte| matches!(byte, 0xC9..0xE0)) {
            return;
        }
        for word in text.split(|c: char| !c.is_alphabetic()) {
            // `kΩ`, `Δx`.
            if word.bytes().filter(u8::is_ascii).count() < 2 {
                continue;
            }
            let pairs = || word.chars().zip(word.chars().skip(1));
            let is_odd = pairs().any(|(a, b)| a.is_ascii() && is_other(b) || is_other(a) && b.is_ascii());
            if is_odd && !self.of_two_scripts.split(|byte| *byte == b'\n').any(|known| known == word.as_bytes()) {
                keep(&mut self.of_two_scripts, word.as_bytes(), UTF8);
            }
        }
    }

    fn push(&mut self, contents: Contents, range: Range<u64>, lines: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let continues = self.last.replace(contents) == Some(contents);
        if !continues && self.runs.len() < PIECES {
            self.runs.push(Run { contents, range, lines });
        } else if !continues {
            self.more += 1;
        } else if self.more == 0
            && let Some(last) = self.runs.last_mut()
        {
            (last.range.end, last.lines.end) = (range.end, lines.end);
        }
    }
}

fn line_ends(bytes: &[u8]) -> u64 {
    count(bytes, |byte| byte == b'\n') as u64
}

/// The offsets and lengths of the maximal subparts.
fn ill_formed(line: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    let chunks = line.utf8_chunks().map(move |chunk| {
        let start = at + chunk.valid().len();
        at = start + chunk.invalid().len();
        (start, chunk.invalid().len())
    });
    chunks.filter(|(_, len)| *len > 0)
}

/// Leaves out errors of UTF-8 that are no text in another encoding: overlong forms and surrogates
/// with nothing around them, and the beginning of a character at the end of the stream.
fn without_forms(
    line: &[u8],
    errors: impl Iterator<Item = (usize, usize)>,
    is_last: bool,
) -> impl Iterator<Item = (usize, usize)> {
    let mut done = 0;
    let mut is_form = move |(at, len): (usize, usize)| {
        let is_first = at == 0 || at == done || line[at - 1].is_ascii();
        if at >= done && is_first {
            let form = form(&line[at..]);
            let is_alone = line.get(at + form).is_none_or(|byte| byte.is_ascii() || *byte >= 0xC0);
            done = if is_alone { at + form } else { done };
        }
        let ends = || is_last && at + len == line.len();
        at < done || (ends() && (len > 1 || Context::new(line, false).may_end(at, len)))
    };
    errors.filter(move |&error| !is_form(error))
}

/// The length of the overlong form or the surrogate at the front; 0 if there is none.
fn form(bytes: &[u8]) -> usize {
    match *bytes {
        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => 3,
        _ => match read_leniently(bytes) {
            (Some(_), len) => len,
            (None, _) => 0,
        },
    }
}

/// Appends a line or word, if there is space for it.
fn keep(to: &mut Vec<u8>, bytes: &[u8], most: usize) {
    let bytes = &bytes[..bytes.len().min(most.saturating_sub(to.len()))];
    to.extend_from_slice(bytes);
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        to.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::{Certainty, detect};
    use alloc::vec::Vec;
    use utfkit_core::Encoding;

    fn old(name: &str, text: &str) -> Vec<u8> {
        Encoding::for_label(name).unwrap().encode(text).0.into_owned()
    }

    /// Of a window, only the first ill-formed sequences are looked at one by one.
    #[test]
    fn a_character_is_cut_after_many_lines_in_another_encoding() {
        for (name, text, line, field) in [
            (
                "windows-1251",
                "Мы поздно вернулись домой из театра.",
                "Ключи лежали на полке у двери.",
                "Соседи купили новый стол",
            ),
            (
                "windows-1253",
                "Γυρίσαμε αργά στο σπίτι από το θέατρο.",
                "Τα κλειδιά ήταν στο ράφι.",
                "Οι γείτονες αγόρασαν τραπέζι",
            ),
            ("windows-1256", "عدنا متأخرين إلى البيت من المسرح.", "كانت المفاتيح على الرف.", "اشترى الجيران طاولة"),
            (
                "windows-1252",
                "Très tôt, l’été s’est achevé.",
                "La clé était posée là-bas, près du café.",
                "Le vieux château a été fermé",
            ),
        ] {
            for cut in [1, 2] {
                let mut bytes = [&old(name, text)[..], b"\n"].concat().repeat(12);
                bytes.splice(0..0, [line.as_bytes(), b"\n"].concat());
                bytes.extend_from_slice(b"7,\"");
                let start = bytes.len();
                let last = field.char_indices().filter(|(_, c)| !c.is_ascii()).nth_back(cut).unwrap().0;
                bytes.extend_from_slice(&field.as_bytes()[..=last]);
                bytes.extend_from_slice(b"\",5\n");
                bytes.extend_from_slice(&[line, "\n"].concat().repeat(30).into_bytes());
                let found = detect(&bytes);
                let place = (start + last) as u64;
                let is_cut = found.pieces().iter().any(|piece| piece.is_cut && piece.range.start == place);
                assert!(is_cut && found.cut() == 1, "{field} {cut}: {found} {:?}", found.pieces());
            }
        }
    }

    #[test]
    fn a_line_may_be_in_two_encodings_if_utf_8_goes_on() {
        for (name, before, odd, after) in [
            ("windows-1251", "Поезд опоздал на час", "Пассажиры ждали на перроне и пили чай", "Потом пошёл снег"),
            ("KOI8-R", "Поезд опоздал на час", "Пассажиры ждали на перроне и пили чай", "Потом пошёл снег"),
            ("windows-1253", "Το τρένο άργησε", "Οι επιβάτες περίμεναν και έπιναν τσάι", "Μετά χιόνισε"),
            (
                "windows-1250",
                "Pociąg się spóźnił",
                "Podróżni czekali na peronie i pili herbatę, mżyło",
                "Później spadł śnieg",
            ),
        ] {
            let bytes = [before.as_bytes(), b"; ", &old(name, odd), b"; ", after.as_bytes(), b"\n"].concat();
            let found = detect(&bytes);
            assert_eq!(found.foreign().map(Encoding::name), Some(name), "{found}");
            assert!(found.foreign_certainty() >= Some(Certainty::Likely), "{name}: {found}");
        }
    }
}
