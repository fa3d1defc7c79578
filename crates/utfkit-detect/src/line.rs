//! A line of UTF-8 in which some bytes are in another encoding.
//!
//! In a multibyte encoding the second byte of a character may be US-ASCII, and two bytes may
//! be well-formed UTF-8 by chance. So a line is read in words, which end before bytes that are
//! part of no other character; and of the words that are well-formed UTF-8, the model says
//! whether they are the likelier text in it or in the other encoding.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::Range;

use crate::model::{BIT, is_letter, score_of};
use utfkit_core::internal::utf8::{is_continuation, well_formed_len};
use utfkit_core::internal::{Decoded, Form, Ibm437};
use utfkit_core::{Encoding, from_utf8};

/// The most bytes of a line. Longer lines are read in parts.
pub(crate) const LONGEST: usize = 4096;

/// The penalty where a line goes from one encoding to the other: most lines are in one.
pub(crate) const SWITCH: u64 = 9 * BIT as u64;

/// The bytes of a line that are read in the other encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The ill-formed sequences alone: possible in an encoding with one byte per character.
    Sequences,
    /// The words with an ill-formed sequence.
    Words,
    /// These, and words whose characters of UTF-8 are all rare, if they are letters in the other encoding.
    RareWords,
    /// All words beyond US-ASCII.
    Line,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    Kept(&'a [u8]),
    /// Bytes in the other encoding. `is_whole` is false if some of them are ill-formed in it.
    Read {
        before: &'a [u8],
        after: Cow<'a, str>,
        is_whole: bool,
    },
}

/// The end of the line at the front of `bytes`, of a part of it if it is long; `None` if more
/// bytes may belong to it.
pub(crate) fn end(bytes: &[u8], last: bool) -> Option<usize> {
    let front = &bytes[..bytes.len().min(LONGEST)];
    if let Some(at) = front.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        return Some(at + 1);
    }
    if bytes.len() < LONGEST {
        return (last && !bytes.is_empty()).then_some(bytes.len());
    }
    let word = front.iter().rposition(|&byte| is_between(byte)).filter(|&at| at >= LONGEST / 2);
    Some(word.map_or_else(|| whole_characters(front), |at| at + 1))
}

/// The length of `bytes` without a character of UTF-8 that they begin at their end.
fn whole_characters(bytes: &[u8]) -> usize {
    let trail = bytes.iter().rev().take(3).take_while(|byte| is_continuation(**byte)).count();
    match bytes.len().checked_sub(trail + 1).map(|at| (at, well_formed_len(bytes[at]))) {
        Some((at, len)) if len > trail + 1 => at,
        _ => bytes.len(),
    }
}

/// True for bytes that are part of no character beyond US-ASCII: the second byte may be a
/// digit in GB18030, and is from 40 in others.
fn is_between(byte: u8) -> bool {
    byte < 0x30 || (0x3A..0x40).contains(&byte)
}

/// The BOM, which stays where the rest is in another encoding.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The words of a line and the separators between them, concatenated. A BOM at the begin is one.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (bom, rest) = line.split_at(if line.starts_with(BOM) { BOM.len() } else { 0 });
    let bom = Some(bom).filter(|bom| !bom.is_empty());
    bom.into_iter().chain(rest.chunk_by(|a, b| is_between(*a) == is_between(*b)))
}

/// The words of a line beyond US-ASCII.
pub(crate) fn words_beyond_ascii(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    core::iter::from_fn(move || {
        if from == 0 && line.starts_with(BOM) {
            from = BOM.len();
            return Some(0..from);
        }
        let first = from + line[from..].iter().position(|byte| !byte.is_ascii())?;
        let start = line[from..first].iter().rposition(|&byte| is_between(byte)).map_or(from, |at| from + at + 1);
        let end = line[first..].iter().position(|&byte| is_between(byte)).map_or(line.len(), |at| first + at);
        from = end;
        Some(start..end)
    })
}

/// Splits a word where two characters of three bytes and more, or punctuation of ideographs, begin or end: scripts
/// without spaces have words of UTF-8 next to others.
pub(crate) fn parts(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = word;
    core::iter::from_fn(move || {
        let first = ideographs(rest);
        let len = match first {
            0 => (1..rest.len()).find(|&at| rest[at] >= 0xE0 && ideographs(&rest[at..]) > 0).unwrap_or(rest.len()),
            len => len,
        };
        let (part, after) = rest.split_at(len);
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// The length of the characters of three bytes and more at the front, if there are two of them or one is punctuation
/// of ideographs. The planes from the fourth on are empty: there, two characters of EUC-JP make one by chance.
fn ideographs(bytes: &[u8]) -> usize {
    let (mut at, mut count) = (0, 0);
    while let Some(&lead @ 0xE0..=0xF0) = bytes.get(at)
        && let len = well_formed_len(lead)
        && let Some(character) = bytes.get(at..at + len)
        && is_character(character)
    {
        // The bytes of `、`, `。` and `，` are rare characters of the older encodings.
        let is_sign = matches!(
            character,
            [0xE3, 0x80, 0x81..=0x91] | [0xEF, 0xBC, 0x81..=0x8F | 0x9A..=0x9F] | [0xEF, 0xB8, 0xB0..=0xBF]
        );
        (at, count) = (at + len, count + if is_sign { 2 } else { 1 });
    }
    if count > 1 { at } else { 0 }
}

/// True for a well-formed character of three bytes or more.
fn is_character(bytes: &[u8]) -> bool {
    let (second, rest) = match *bytes {
        [0xE0, second, ref rest @ ..] => ((0xA0..=0xBF).contains(&second), rest),
        [0xED, second, ref rest @ ..] => ((0x80..=0x9F).contains(&second), rest),
        [0xF0, second, ref rest @ ..] => ((0x90..=0xBF).contains(&second), rest),
        [0xE1..=0xEF, second, ref rest @ ..] => (is_continuation(second), rest),
        _ => return false,
    };
    second && rest.iter().copied().all(is_continuation)
}

/// True for encodings with one byte per character.
pub(crate) fn is_single_byte(encoding: Encoding) -> bool {
    match encoding {
        Encoding::Latin1 | Encoding::Ibm437 => true,
        Encoding::Legacy(legacy) => legacy.is_single_byte(),
        _ => false,
    }
}

/// The character of a byte in an encoding with one byte per character.
pub(crate) fn character(encoding: Encoding, byte: u8) -> Option<char> {
    let value = match encoding {
        Encoding::Legacy(legacy) => legacy.value(byte)?,
        Encoding::Ibm437 => match Ibm437::decode(&[byte]) {
            Decoded::Value { value, .. } => value,
            _ => return None,
        },
        _ => byte.into(),
    };
    char::from_u32(value)
}

/// The bytes as text in an encoding, and whether some of them are ill-formed in it.
pub(crate) fn decoded(bytes: &[u8], encoding: Encoding) -> (Cow<'_, str>, bool) {
    if !is_single_byte(encoding) {
        return encoding.decode_without_bom_handling(bytes);
    }
    // For a word this is faster than a decoder.
    let mut has_errors = false;
    let mut text = String::with_capacity(2 * bytes.len());
    for &byte in bytes {
        let c = character(encoding, byte);
        has_errors |= c.is_none();
        text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    (Cow::Owned(text), has_errors)
}

/// A line in words, which are found once for all encodings that it is read in.
pub(crate) struct Words<'a> {
    line: &'a [u8],
    words: Vec<Word<'a>>,
    /// True if a character beyond US-ASCII is well-formed UTF-8.
    has_utf8: bool,
}

struct Word<'a> {
    bytes: &'a [u8],
    /// `None` if it is ill-formed as UTF-8.
    text: Option<&'a str>,
    /// From the first byte beyond US-ASCII to the last one.
    beyond_ascii: Range<usize>,
    /// True if all characters beyond US-ASCII are rare as UTF-8. Computed when it is asked for.
    is_rare: OnceCell<bool>,
}

impl<'a> Words<'a> {
    pub(crate) fn of(line: &'a [u8]) -> Words<'a> {
        let has_utf8 = line.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
        Words { line, words: words(line).flat_map(parts).map(Word::of).collect(), has_utf8 }
    }

    pub(crate) fn line(&self) -> &'a [u8] {
        self.line
    }

    /// The likeliest extent in a line that is not well-formed UTF-8.
    pub(crate) fn extent(&self, encoding: Encoding) -> Extent {
        self.likeliest(encoding).1
    }

    /// The text of the line, read with the likeliest extent.
    pub(crate) fn text(&self, encoding: Encoding) -> LineText {
        self.likeliest(encoding).0
    }

    /// The score of that text.
    pub(crate) fn score(&self, encoding: Encoding) -> u64 {
        let (text, _, score) = self.likeliest(encoding);
        score.unwrap_or_else(|| text.score())
    }

    /// The text and its extent, and the score if others were tried.
    fn likeliest(&self, encoding: Encoding) -> (LineText, Extent, Option<u64>) {
        let is_single_byte = is_single_byte(encoding);
        let least = if is_single_byte { Extent::Sequences } else { Extent::Words };
        let (mut best, mut extent, mut score) = (self.text_with(encoding, least), least, None);
        let others = match is_single_byte {
            _ if !self.has_utf8 => &[][..],
            true => &[Extent::Words, Extent::RareWords, Extent::Line],
            false => &[Extent::RareWords, Extent::Line],
        };
        for &other_extent in others {
            let other = self.text_with(encoding, other_extent);
            if other.text == best.text {
                continue;
            }
            let best_score = *score.get_or_insert_with(|| best.score());
            if let Some(other_score) = other.score_below(best_score) {
                (best, extent, score) = (other, other_extent, Some(other_score));
            }
        }
        (best, extent, score)
    }

    fn text_with(&self, encoding: Encoding, extent: Extent) -> LineText {
        let mut text = LineText { text: Vec::with_capacity(self.line.len()), ..LineText::default() };
        self.read(encoding, extent, |part| text.add(part));
        text
    }

    /// Calls `on` with the parts of the line, of which some are read in `encoding`.
    pub(crate) fn read(&self, encoding: Encoding, extent: Extent, mut on: impl FnMut(Part<'a>)) {
        let mut part = |bytes: &'a [u8], is_read: bool| {
            if bytes.is_empty() {
            } else if is_read {
                let (after, has_errors) = decoded(bytes, encoding);
                on(Part::Read { before: bytes, after, is_whole: !has_errors });
            } else {
                on(Part::Kept(bytes));
            }
        };
        if extent == Extent::Sequences {
            for chunk in self.line.utf8_chunks() {
                part(chunk.valid().as_bytes(), false);
                part(chunk.invalid(), true);
            }
            return;
        }
        for word in &self.words {
            let is_read = match extent {
                Extent::Line => !word.beyond_ascii.is_empty() && word.bytes != BOM && !word.is_framed(encoding),
                Extent::RareWords => word.text.is_none() || word.is_rare_beside(encoding),
                Extent::Sequences | Extent::Words => word.text.is_none(),
            };
            if !is_read {
                part(word.bytes, false);
                continue;
            }
            let Range { start, end } = word.beyond_ascii;
            // In a multibyte encoding, the byte after it may be the second byte of a character.
            let end = if is_single_byte(encoding) { end } else { word.bytes.len() };
            part(&word.bytes[..start], false);
            part(&word.bytes[start..end], true);
            part(&word.bytes[end..], false);
        }
    }
}

/// The bytes of three letters of UTF-8.
const ROW: usize = 6;

/// The least mean score of rare characters, in bits.
const RARE: u64 = 15;

impl<'a> Word<'a> {
    fn of(bytes: &'a [u8]) -> Word<'a> {
        let is_beyond = |byte: &u8| !byte.is_ascii();
        let start = bytes.iter().position(is_beyond).unwrap_or(bytes.len());
        let end = bytes.iter().rposition(is_beyond).map_or(bytes.len(), |at| at + 1);
        Word { bytes, text: from_utf8(bytes).ok(), beyond_ascii: start..end, is_rare: OnceCell::new() }
    }

    /// True if all characters beyond US-ASCII are rare as UTF-8, and the word is letters in `encoding`.
    fn is_rare_beside(&self, encoding: Encoding) -> bool {
        if self.beyond_ascii.is_empty() || !*self.is_rare.get_or_init(|| self.is_rare()) {
            return false;
        }
        let (read, has_errors) = decoded(self.bytes, encoding);
        !has_errors && read.chars().all(|c| c.is_ascii() || c.is_alphanumeric())
    }

    /// True if letters of UTF-8 would be box drawing among letters in `encoding`, or three and more in a row would have
    /// signs among them.
    fn is_framed(&self, encoding: Encoding) -> bool {
        let are_letters = |text: &str| text.chars().all(|c| c.is_ascii() || c.is_alphabetic());
        if !self.text.is_some_and(are_letters) {
            return false;
        }
        let has_ascii = self.bytes.iter().any(u8::is_ascii_alphabetic);
        let is_row = self.beyond_ascii.len() >= ROW && !self.bytes[self.beyond_ascii.clone()].iter().any(u8::is_ascii);
        let is_odd = |c: char| match c {
            '\u{2500}'..='\u{259F}' => has_ascii || is_row,
            c => is_row && !c.is_ascii() && !c.is_alphanumeric(),
        };
        decoded(self.bytes, encoding).0.chars().any(is_odd)
    }

    fn is_rare(&self) -> bool {
        let characters = self.text.unwrap_or_default().chars().filter(|c| !c.is_ascii());
        let text: Vec<char> = characters.collect();
        let least = RARE * u64::from(BIT) * text.len() as u64;
        self.bytes != BOM && score_of(&text, u64::MAX).is_none_or(|score| score >= least)
    }
}

/// A line as text.
#[derive(Default)]
pub(crate) struct LineText {
    pub(crate) text: Vec<char>,
    /// How often the encoding changes from one character beyond US-ASCII to the next.
    switches: u64,
    /// True if the last character beyond US-ASCII was read in the other encoding.
    last_is_read: Option<bool>,
}

impl LineText {
    fn add(&mut self, part: Part<'_>) {
        let from = self.text.len();
        let is_read = match part {
            Part::Kept(bytes) => {
                self.text.extend(from_utf8(bytes).unwrap_or_default().chars());
                (!bytes.is_ascii()).then_some(false)
            }
            Part::Read { after, .. } => {
                self.text.extend(after.chars());
                Some(true)
            }
        };
        if let Some(is_read) = is_read
            && self.last_is_read.replace(is_read).is_some_and(|last| last != is_read)
        {
            let kept = if is_read { from - 1 } else { from };
            // Next to ill-formed bytes, a letter of no language is more of them.
            let is_strange = |c: &char| matches!(c, '\u{800}'..'\u{2000}') && !is_letter(*c);
            let is_torn = self.text.get(kept).is_some_and(is_strange);
            self.switches += 1 + u64::from(is_torn);
        }
    }

    /// The negative log2-probability, in sixteenths of a bit.
    pub(crate) fn score(&self) -> u64 {
        score_of(&self.text, u64::MAX).unwrap_or(u64::MAX / 4) + SWITCH * self.switches
    }

    /// The score, if it is below `limit`.
    fn score_below(&self, limit: u64) -> Option<u64> {
        let of_switches = SWITCH * self.switches;
        Some(score_of(&self.text, limit.checked_sub(of_switches + 1)?)? + of_switches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(line: &[u8], encoding: &str) -> String {
        let encoding = Encoding::for_label(encoding).unwrap();
        Words::of(line).text(encoding).text.into_iter().collect()
    }

    fn encoded(text: &str, encoding: &str) -> Vec<u8> {
        Encoding::for_label(encoding).unwrap().encode(text).0.into_owned()
    }

    #[test]
    fn bytes_are_the_text_that_the_decoder_makes_of_them() {
        let all: Vec<u8> = (0..=0xFF).collect();
        for &encoding in Encoding::ALL {
            for byte in &all {
                let bytes = [b'a', *byte];
                assert_eq!(decoded(&bytes, encoding), encoding.decode_without_bom_handling(&bytes), "{encoding:?}");
            }
            assert_eq!(decoded(&all, encoding), encoding.decode_without_bom_handling(&all), "{encoding:?}");
        }
    }

    #[test]
    fn a_line_is_in_one_encoding() {
        for (encoding, line) in [
            ("IBM866", "Правда ли, что трава на той стороне реки зеленее?\n"),
            ("Shift_JIS", "テスト表示のソート機能を確認しました。\n"),
            ("GBK", "我们在图书馆里看书，模型很有意思。\n"),
            ("EUC-KR", "우리는 어제 도서관에서 책을 읽었습니다.\n"),
            ("Big5", "我們昨天在圖書館裡看書，許多功能都很好。\n"),
            ("EUC-JP", "昨日は図書館で本を読みました。とても面白かったです。\n"),
            ("windows-1251", "Мы вчера читали книги в библиотеке.\n"),
            ("windows-1252", "Où est passé le garçon? Là-bas, près de l’église.\n"),
        ] {
            assert_eq!(read_all(&encoded(line, encoding), encoding), line);
        }
    }

    #[test]
    fn words_of_utf_8_in_a_line_are_kept() {
        for (encoding, before, word, after) in [
            ("windows-1252", "größer als ", "früher", " – schöner"),
            ("windows-1250", "název: ", "příliš", "; žluťoučký kůň"),
            ("windows-1251", "имя=", "Наташа", ", город=Москва"),
            ("IBM866", "имя=", "Наташа", ", город=Москва"),
            ("Shift_JIS", "名前=", "ソート表示", ", 場所=東京"),
            ("GBK", "姓名=", "张伟", ", 城市=北京市"),
            ("EUC-KR", "이름=", "김철수", ", 도시=서울시"),
        ] {
            let line = [before.as_bytes(), &encoded(word, encoding), after.as_bytes()].concat();
            assert_eq!(read_all(&line, encoding), [before, word, after].concat(), "{encoding}");
        }
    }

    #[test]
    fn words_next_to_utf_8_without_a_space_are_read_alone() {
        for (encoding, before, word, after) in [
            ("GBK", "请先阅读这一章，", "然后再运行", "这些命令，您就能够很容易地将它打开。"),
            ("Shift_JIS", "実際のアドレスは", "元々のファイル", "の値と異なることがあります。"),
        ] {
            let line = [before.as_bytes(), &encoded(word, encoding), after.as_bytes()].concat();
            assert_eq!(read_all(&line, encoding), [before, word, after].concat(), "{encoding}");
        }
    }

    #[test]
    fn a_word_next_to_one_sign_of_utf_8_is_read_alone() {
        for (encoding, before, word, after) in [
            ("GBK", "先检查输入的数据", "然后删除重复的行", "，Vim 会提示。"),
            ("EUC-JP", "画面の色は", "設定で変更できます", "。次の章へ"),
            ("Shift_JIS", "この命令", "を実行すると", "、list が出ます"),
            ("EUC-KR", "이 값은", "설정에서", "。다음"),
        ] {
            let line = [before.as_bytes(), &encoded(word, encoding), after.as_bytes()].concat();
            assert_eq!(read_all(&line, encoding), [before, word, after].concat(), "{encoding}");
        }
    }

    /// `แชท` is `E1 AA B7` in windows-874, which is a character of no language in UTF-8.
    #[test]
    fn a_letter_of_no_language_next_to_other_bytes_is_read() {
        let line = ["ราคา ".as_bytes(), &encoded("แชร์พืช\n", "windows-874")].concat();
        assert_eq!(read_all(&line, "windows-874"), "ราคา แชร์พืช\n");
        let line = ["ราคา ".as_bytes(), &encoded("แชทออนไลน์\n", "windows-874")].concat();
        assert_eq!(read_all(&line, "windows-874"), "ราคา แชทออนไลน์\n");
    }

    #[test]
    fn words_that_are_utf_8_by_chance_are_read() {
        for (encoding, before, text) in [
            ("windows-1251", "- Дерево біля хати | ", "Ці слова"),
            ("windows-1251", "- Дерево росте | ", "про нові дії усіх"),
            ("windows-874", "- ต้นไม้อยู่ข้างบ้าน | ", "ติดตั้งแพกเกจใหม่"),
            ("GBK", "- 房子旁边有一棵树 | ", "水果 同 蔬菜"),
        ] {
            let bytes = encoded(text, encoding);
            assert!(
                words(&bytes).flat_map(parts).any(|part| !part.is_ascii() && from_utf8(part).is_ok()),
                "{encoding}"
            );
            let line = [before.as_bytes(), &bytes, b"\n"].concat();
            assert_eq!(read_all(&line, encoding), [before, text, "\n"].concat(), "{encoding}");
        }
    }

    #[test]
    fn letters_are_no_box_drawing_among_letters() {
        for (encoding, word, after) in [
            ("IBM775", "Ļaudis", ";tēvs sēdēja zālē pie krāsns, ārā snieg;mēs ēdām zupu"),
            ("IBM852", "Łukasz", ";zażółcić gęśle, źdźbło, ćma, żółw;późną nocą pełnią"),
            ("IBM857", "Şeker", ";yağmur yağdı, güneş açtı, çiçek böceği;öğüt dağıttı"),
        ] {
            let line = [word.as_bytes(), &encoded(after, encoding)].concat();
            assert_eq!(read_all(&line, encoding), [word, after].concat(), "{encoding}");
        }
    }

    #[test]
    fn long_lines_end_between_words() {
        let line = "数据 ".repeat(LONGEST);
        let mut rest = line.as_bytes();
        while let Some(at) = end(rest, true) {
            assert!(at <= LONGEST && from_utf8(&rest[..at]).is_ok());
            rest = &rest[at..];
        }
        assert!(rest.is_empty());
        assert_eq!((end(b"ab\r\nc", false), end(b"ab", false), end(b"ab", true)), (Some(3), None, Some(2)));
    }
}
