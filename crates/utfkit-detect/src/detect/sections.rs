//! Texts that say themselves where their encoding changes: lines with the escape sequences of ISO-2022-JP among others,
//! mails in one file, each of which declares its own, documents of XML, properties of vCards, and UTF-8 after the BOM
//! of UTF-16.

use alloc::vec::Vec;
use core::ops::Range;

use super::declaration::{OPENING, declaration, find, in_a_line, is_field, starts_with, word};
use super::evidence::Evidence;
use super::names::encoding_of_program;
use utfkit_core::bom::Bom;
use utfkit_core::{Encoding, Legacy};

pub(super) const JAPANESE: Encoding = Encoding::Legacy(Legacy::Iso2022Jp);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sections {
    Japanese,
    /// Or documents.
    Mails,
    Cards,
    AfterBom,
}

/// By chance, one text in thousands is UTF-8 after its BOM.
const LEAST_SEQUENCES: u64 = 4;

/// A section with its encoding, if that needs no detection.
pub(super) type Section = (Range<usize>, Option<Encoding>);

impl Sections {
    pub(super) fn of(evidence: &Evidence) -> Option<Sections> {
        let has_escapes = evidence.escapes.has_japanese();
        let is_other = evidence.utf8.errors() > 0 || has_escapes;
        match evidence.utf8.non_ascii {
            0 => None,
            _ if evidence.controls.nulls == 0 && is_after_bom(evidence) => Some(Sections::AfterBom),
            _ if evidence.controls.nulls > 0 || !is_other => None,
            _ if are_mails(&evidence.opening) => Some(Sections::Mails),
            _ if starts_with(&evidence.opening, "begin:vcard") => Some(Sections::Cards),
            _ => Some(Sections::Japanese).filter(|_| has_escapes),
        }
    }

    /// The sections of `bytes`; `None` if one is not whole, or all say the same.
    pub(super) fn ranges(self, bytes: &[u8]) -> Option<Vec<Section>> {
        let sections = match self {
            Sections::Japanese => of_escapes(bytes)?,
            Sections::Mails => of_mails(bytes),
            Sections::Cards => of_cards(bytes)?,
            Sections::AfterBom => {
                let len = Bom::of(bytes)?.len();
                alloc::vec![(0..len, Bom::of(bytes)?.encoding()), (len..bytes.len(), None)]
            }
        };
        let is_open = |section: &&Section| section.1.is_none();
        let open = sections.iter().filter(is_open).map(|(range, _)| range.clone());
        // A mailbox may have thousands of mails, and most are in one encoding.
        if self == Sections::Mails && !declare_several(bytes, open) {
            return None;
        }
        Some(sections)
    }
}

/// True if all after the BOM of UTF-16 is UTF-8: a text was added to a file that had only the BOM.
fn is_after_bom(evidence: &Evidence) -> bool {
    let is_wide = matches!(Bom::of(&evidence.front), Some(Bom::Utf16Le | Bom::Utf16Be));
    // Both bytes of it are ill-formed.
    is_wide && evidence.utf8.errors() == 2 && evidence.utf8.sequences() >= LEAST_SEQUENCES
}

/// Lines in ISO-2022-JP, and the others. `None` if some line is not whole.
fn of_escapes(bytes: &[u8]) -> Option<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let range = start..start + line.len();
        start = range.end;
        let encoding = has_japanese(line).then_some(JAPANESE);
        if encoding.is_some() && (!line.is_ascii() || JAPANESE.decode_without_bom_handling(line).1) {
            return None;
        }
        match sections.last_mut() {
            Some((last, same)) if *same == encoding => last.end = range.end,
            _ => sections.push((range, encoding)),
        }
    }
    Some(sections)
}

/// True for US-ASCII. With ESC it may be in an encoding of seven bits.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && !bytes.contains(&0x1B)
}

/// True if an escape sequence switches to Japanese.
pub(super) fn has_japanese(line: &[u8]) -> bool {
    line.contains(&0x1B)
        && line
            .windows(3)
            .any(|bytes| matches!(bytes, [0x1B, b'$', b'@' | b'B'] | [0x1B, b'(', b'I']) || bytes == b"\x1B$(")
}

/// True for the front of mails in one file, or of one with several parts.
fn are_mails(opening: &[u8]) -> bool {
    let mut lines = opening.split(|byte| *byte == b'\n');
    let Some(first) = lines.next() else { return false };
    let is_mailbox = first.starts_with(b"From ") && lines.next().is_some_and(is_field);
    is_mailbox
        || opening.starts_with(XML)
        || opening.starts_with(NEWS)
        || (is_field(first) && find(opening, "boundary=").is_some())
}

const XML: &[u8] = b"<?xml ";
/// The line before an article in a batch of news.
const NEWS: &[u8] = b"#! rnews ";

/// True if the texts at these places declare different encodings.
fn declare_several(bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> bool {
    let mut declared = ranges.map(|range| {
        let text = &bytes[range.start..range.end.min(range.start + OPENING)];
        declaration(text).or_else(|| in_a_line(text)).and_then(|declaration| declaration.encoding())
    });
    let first = declared.next();
    declared.any(|other| Some(other) != first)
}

/// The mails of a mailbox, and their parts.
fn of_mails(bytes: &[u8]) -> Vec<Section> {
    let mut sections = Vec::new();
    let (mut start, mut at, mut is_after_blank) = (0, 0, true);
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        let is_mail = (is_after_blank && line.starts_with(b"From ") && is_field(next)) || line.starts_with(XML);
        let is_part = (line.starts_with(b"--") && starts_with(next, "content-")) || line.starts_with(NEWS);
        is_after_blank = line.trim_ascii().is_empty();
        // The first line of a part is the one after its boundary.
        let begin = if is_part { at + line.len() } else { at };
        if (is_mail || is_part) && begin > start {
            sections.push((start..begin, None));
            start = begin;
        }
        at += line.len();
    }
    sections.push((start..bytes.len(), None));
    // Sections in US-ASCII need no detection.
    for (range, encoding) in &mut sections {
        *encoding = is_plain(&bytes[range.clone()]).then_some(Encoding::UsAscii);
    }
    sections
}

/// The properties of vCards, each with its continuation lines. `None` if one is not in the encoding that it declares.
fn of_cards(bytes: &[u8]) -> Option<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut start, mut encoding) = (0, None);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let range = start..start + line.len();
        start = range.end;
        let is_next = matches!(line.first(), Some(b' ' | b'\t'));
        if !is_next {
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
            encoding = find(name, ";charset=").and_then(|at| word(&name[at + 9..])).and_then(encoding_of_program);
        }
        let known = encoding.filter(|_| !line.is_ascii());
        if known.is_some_and(|encoding| encoding.decode_without_bom_handling(line).1) {
            return None;
        }
        match sections.last_mut() {
            // US-ASCII is the same in all.
            Some((last, same)) if line.is_ascii() || *same == known => last.end = range.end,
            _ => sections.push((range, known)),
        }
    }
    Some(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Basis, Certainty, Detection, detect};
    use crate::repair::unite;
    use alloc::format;
    use alloc::string::String;

    fn encoded(name: &str, text: &str) -> Vec<u8> {
        let (bytes, is_lossy) = Encoding::for_label(name).unwrap().encode(text);
        assert!(!is_lossy, "{name}: {text}");
        bytes.into_owned()
    }

    fn united(bytes: &[u8]) -> (Detection, String) {
        let found = detect(bytes);
        let mut text = Vec::new();
        unite(bytes, found.pieces(), |stretch| text.extend_from_slice(stretch.text()));
        (found, String::from_utf8(text).unwrap_or_default())
    }

    const LINES: [&str; 4] = [
        "会議は午後三時から第二会議室で行います。\n",
        "資料は前日までに配布してください。\n",
        "ご不明な点は総務部の中村までお問い合わせください。\n",
        "写真の提出期限は来週の金曜日です。\n",
    ];

    #[test]
    fn lines_of_iso_2022_jp_are_pieces_among_others() {
        for name in ["UTF-8", "Shift_JIS", "EUC-JP"] {
            for which in 1..15 {
                let parts = LINES.iter().enumerate().map(|(at, line)| match which >> at & 1 {
                    0 => encoded(name, line),
                    _ => encoded("ISO-2022-JP", line),
                });
                let bytes: Vec<u8> = parts.flatten().collect();
                let (found, text) = united(&bytes);
                assert_eq!(found.basis(), Basis::Joined, "{name} {which}: {found}");
                assert!(found.certainty() >= Certainty::Likely, "{name} {which}: {found}");
                assert_eq!(text, LINES.concat(), "{name} {which}: {found}");
            }
        }
    }

    /// The escape sequence back was lost, or bytes of another encoding are in between.
    #[test]
    fn a_line_that_is_not_whole_leaves_the_encoding_open() {
        for name in ["Shift_JIS", "EUC-JP"] {
            let mut japanese = encoded("ISO-2022-JP", LINES[0].trim_end());
            japanese.truncate(japanese.len() - 3);
            for end in [&b"\n"[..], b"\x93\xFA\x1B(B\n"] {
                let bytes = [&*japanese, end, &encoded(name, &LINES.concat())].concat();
                let found = detect(&bytes);
                assert_eq!(found.certainty(), Certainty::Guess, "{found}");
            }
        }
        // UTF-8 is proved.
        let bytes = [b"\x1B$B%F%9%H\n", LINES[1].as_bytes()].concat();
        assert_eq!(detect(&bytes).encoding(), Some(Encoding::Utf8));
    }

    #[test]
    fn utf_8_after_the_bom_of_utf_16_is_a_piece() {
        for bom in [b"\xFF\xFE", b"\xFE\xFF"] {
            for text in ["Größe: über fünf Meter, schön\r\n", "Дождь шёл всю ночь.\n", "測試執行了兩分鐘。"]
            {
                let (found, united) = united(&[bom, text.as_bytes()].concat());
                assert_eq!(found.basis(), Basis::Joined, "{found}");
                assert!(found.certainty() >= Certainty::NearlyCertain, "{found}");
                assert_eq!(united, text);
            }
            // UTF-16 as it should be.
            let units: Vec<u8> = "\u{FEFF}日本語の本文".encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(detect(&units).encoding(), Some(Encoding::Utf16Le));
        }
    }

    fn mail(name: &str, text: &str) -> Vec<u8> {
        let head = format!(
            "From ann@example.org Tue Feb  6 08:30:00 2001\nSubject: notes\nContent-Type: text/plain; charset={name}\n\n"
        );
        [head.as_bytes(), &encoded(name, text), b"\n"].concat()
    }

    const MAILS: [(&str, &str); 7] = [
        ("ISO-8859-1", "Le théâtre rouvre jeudi, les billets sont à l'entrée.\n"),
        ("KOI8-R", "Привет! Завтра приеду вечерним поездом.\n"),
        ("ISO-8859-2", "Zítra přijedu večerním vlakem, čekejte prosím.\n"),
        ("windows-1251", "Спасибо, книгу получил вчера.\n"),
        ("ISO-2022-JP", "明日の会議は中止になりました。\n"),
        ("EUC-KR", "내일 회의는 취소되었습니다.\n"),
        ("UTF-8", "Das Büro schließt früher.\n"),
    ];

    #[test]
    fn each_mail_of_a_mailbox_is_in_the_encoding_that_it_declares() {
        for (at, (first, text)) in MAILS.into_iter().enumerate() {
            for (second, other) in MAILS.into_iter().skip(at + 1) {
                let bytes = [mail(first, text), mail(second, other), mail("US-ASCII", "Hello\n")].concat();
                let (found, united) = united(&bytes);
                assert_eq!(found.basis(), Basis::Joined, "{first} {second}: {found}");
                assert!(found.certainty() >= Certainty::NearlyCertain, "{first} {second}: {found}");
                assert!(united.contains(text) && united.contains(other), "{first} {second}: {united}");
            }
        }
    }

    #[test]
    fn each_part_of_a_mail_is_in_the_encoding_that_it_declares() {
        let part = |name: &str, text: &str| {
            let head = format!("--=_next\nContent-Type: text/plain; charset=\"{name}\"\n\n");
            [head.as_bytes(), &encoded(name, text), b"\n"].concat()
        };
        let head = "Subject: both\nMIME-Version: 1.0\nContent-Type: multipart/mixed;\n boundary=\"=_next\"\n\n";
        let [(first, text), (second, other), ..] = MAILS;
        let bytes = [head.as_bytes(), &part(first, text), &part(second, other), b"--=_next--\n"].concat();
        let (found, united) = united(&bytes);
        assert!(found.certainty() >= Certainty::NearlyCertain, "{found}");
        assert!(united.contains(text) && united.contains(other), "{united}");
    }

    #[test]
    fn documents_and_cards_are_in_the_encodings_that_they_declare() {
        for (at, (first, text)) in MAILS.into_iter().enumerate() {
            for (second, other) in MAILS.into_iter().skip(at + 1).filter(|(name, _)| !name.starts_with("ISO-2022")) {
                let document = |name: &str, text: &str| {
                    let head = format!("<?xml version=\"1.0\" encoding=\"{name}\"?>\n<p>");
                    [head.as_bytes(), &encoded(name, text), b"</p>\n"].concat()
                };
                let card = |name: &str, text: &str| {
                    let head = format!("BEGIN:VCARD\nVERSION:2.1\nNOTE;CHARSET={name}:");
                    [head.as_bytes(), &encoded(name, text), b"TEL;HOME:12 34 56\nEND:VCARD\n"].concat()
                };
                if first.starts_with("ISO-2022") {
                    continue;
                }
                for bytes in [
                    [document(first, text), document(second, other)].concat(),
                    [card(first, text), card(second, other), card(first, text)].concat(),
                ] {
                    let (found, united) = united(&bytes);
                    assert_eq!(found.basis(), Basis::Joined, "{first} {second}: {found}");
                    assert!(found.certainty() >= Certainty::NearlyCertain, "{first} {second}: {found}");
                    assert!(united.contains(text) && united.contains(other), "{first} {second}: {united}");
                }
            }
        }
    }

    /// A property in another encoding than it declares.
    #[test]
    fn cards_that_do_not_fit_are_no_pieces() {
        let note = encoded("windows-1251", "Спасибо, книгу получил вчера.\n");
        let bytes =
            [b"BEGIN:VCARD\nNOTE;CHARSET=UTF-8:", &*note, b"FN;CHARSET=UTF-8:J\xC3\xB6rg\nEND:VCARD\n"].concat();
        assert_ne!(detect(&bytes).basis(), Basis::Joined);
    }

    #[test]
    fn mails_in_one_encoding_are_in_one_piece() {
        let bytes =
            [mail(MAILS[1].0, MAILS[1].1), mail("US-ASCII", "Hello\n"), mail(MAILS[1].0, "Всё хорошо.\n")].concat();
        let found = detect(&bytes);
        assert_eq!((found.encoding(), found.pieces().len()), (Encoding::for_label("KOI8-R"), 0), "{found}");
    }

    #[test]
    fn each_article_of_a_batch_is_in_the_encoding_that_it_declares() {
        let article = |name: &str, text: &str| {
            let text = encoded(name, text);
            let head = format!("Path: news!not\nSubject: one\nContent-Type: text/plain; charset={name}\n\n");
            let size = head.len() + text.len();
            [format!("#! rnews {size}\n").as_bytes(), head.as_bytes(), &text].concat()
        };
        for (at, (first, text)) in MAILS.into_iter().enumerate() {
            for (second, other) in MAILS.into_iter().skip(at + 1) {
                let (found, united) = united(&[article(first, text), article(second, other)].concat());
                assert_eq!(found.basis(), Basis::Joined, "{first} {second}: {found}");
                assert!(found.certainty() >= Certainty::NearlyCertain, "{first} {second}: {found}");
                assert!(united.contains(text) && united.contains(other), "{first} {second}: {united}");
            }
        }
    }
}
