//! Texts in which one or two different bytes are the only evidence for an encoding.

use alloc::vec::Vec;

use super::cut::Context;
use super::legacy::{guessable, is_ebcdic};
use super::lines::Lines;
use super::pool::{bytes_beyond_ascii, text, words_beyond_ascii};
use crate::line::{character, is_single_byte};
use crate::model::{BIT, score_of};
use utfkit_core::Encoding;

/// The most different bytes beyond US-ASCII that are thin evidence.
const THIN: usize = 2;
/// A file with fewer bytes is a field or two.
const FEW_BYTES: usize = 40;
/// The most by which another reading may be less likely and still be right, if all of its letters are letters of the
/// text in UTF-8.
const MAY_BE_RIGHT: u64 = 20 * BIT as u64;

/// True if the lines beside UTF-8 have only one or two different bytes, and these may be something else: letters of the
/// text in UTF-8, in another encoding; a sign that few texts have; or the beginning of a character.
#[inline(never)]
pub(super) fn is_thin(lines: &Lines, encoding: Encoding) -> bool {
    let bytes = bytes_beyond_ascii(&lines.blanked);
    if bytes.len() > THIN || !is_single_byte(encoding) {
        return false;
    }
    if lines.doubtful_lines == lines.foreign_lines
        || bytes.iter().any(|byte| character(encoding, *byte).is_some_and(is_rare_sign))
    {
        return true;
    }
    let known: Vec<char> = lines.utf8.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).collect();
    let is_known = |c: char| c.is_ascii() || known.contains(&c) || c.to_lowercase().any(|c| known.contains(&c));
    let Some(own) = text(&lines.blanked, encoding) else { return false };
    let has_sign = has_sign_in_word(&own);
    let score = |text: &[char]| score_of(text, u64::MAX / 8).unwrap_or(u64::MAX / 8);
    let best = score(&words_beyond_ascii(&own));
    let others = guessable().filter(|other| is_single_byte(other.encoding) && !is_ebcdic(other.encoding));
    others.filter_map(|other| text(&lines.blanked, other.encoding)).any(|other| {
        if other == own || !are_words(&other) {
            return false;
        }
        let behind = score(&words_beyond_ascii(&other)).saturating_sub(best);
        let is_known = || words_beyond_ascii(&other).into_iter().all(is_known);
        let is_latin = || other.iter().all(|c| *c < '\u{250}');
        (has_sign && behind == 0 && is_latin()) || ((has_sign || behind <= MAY_BE_RIGHT) && is_known())
    })
}

/// True if a text has only one byte beyond US-ASCII, and that is a sign or a letter that few texts have there, or ends
/// a field of a short text, where a character of UTF-8 may have been cut.
pub(super) fn is_one_byte(text: &[u8], encoding: Encoding) -> bool {
    let mut others = text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii());
    let (Some((at, byte)), None) = (others.next(), others.next()) else { return false };
    let is_field = text.len() < FEW_BYTES && matches!(text.get(at + 1), Some(b'<' | b'"' | b',' | b';'));
    let is_cut = is_field && Context::new(text, false).is_unfinished(at, 1);
    let next = || text.get(at + 1).copied().unwrap_or(b' ').to_ascii_lowercase();
    let is_odd = |c: char| match c {
        // A quotation that is not closed.
        '‘' => next().is_ascii_alphabetic(),
        // In Spanish, it is before a vowel: `Gdañsk` is in another encoding.
        'ñ' => !matches!(next(), b'a' | b'e' | b'i' | b'o' | b'u' | b'-'),
        c => is_rare_sign(c),
    };
    is_cut || is_single_byte(encoding) && character(encoding, *byte).is_some_and(is_odd)
}

/// True for a sign that few texts have alone.
fn is_rare_sign(c: char) -> bool {
    matches!(c, '‰' | '¨' | '¸' | 'ˆ' | '˜' | '‡' | '¦' | '¬' | '¤' | '¯')
}

/// True if a sign beyond US-ASCII precedes a letter or follows a lower-case one.
fn has_sign_in_word(text: &[char]) -> bool {
    let is_sign = |c: char| !c.is_ascii() && !c.is_alphanumeric();
    text.windows(2)
        .any(|pair| is_sign(pair[0]) && pair[1].is_alphabetic() || pair[0].is_lowercase() && is_sign(pair[1]))
}

/// True if all characters beyond US-ASCII are letters, and no capital follows a lower-case letter.
fn are_words(text: &[char]) -> bool {
    text.iter().all(|c| c.is_ascii() || c.is_alphabetic())
        && !text.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
}

#[cfg(test)]
mod tests {
    use crate::detect::{Certainty, Detection, detect};
    use utfkit_core::Encoding;

    fn of(utf8: &str, old: &[u8]) -> Detection {
        detect(&[utf8.as_bytes(), old, utf8.as_bytes()].concat())
    }

    #[test]
    fn a_byte_that_may_be_a_letter_is_a_guess() {
        for (utf8, old) in [
            ("Älven är bred vid Örnsköldsvik.\nVi åker båt över ön.\n", &b"den \x85stra stranden\n"[..]),
            ("La reunión terminó según lo previsto.\nÁngel llegó después.\n", b"vivo en Montill\x97\n"),
            ("Hommikul tõusis udu, ja öösel sadas.\nMõni läks ära.\n", b"t\xE4rini vajub\n"),
            ("Zmeškal vlak, preto prišiel neskôr.\nStarý dom stojí.\n", b"mal\xF9 dom\n"),
            ("Il treno è in ritardo.\nPerò arriverà più tardi.\n", b"25 \x89 12\n"),
        ] {
            let found = of(utf8, old);
            assert!(found.foreign_certainty() <= Some(Certainty::Guess), "{utf8}: {found}");
        }
    }

    #[test]
    fn a_byte_that_is_nothing_else_is_likely() {
        for (utf8, old) in [
            ("Der Zug fährt über die Brücke.\nSchöne Grüße!\n", &b"eine gro\xDFe Stra\xDFe\n"[..]),
            ("La fête commence après le dîner.\nDéjà minuit.\n", b"le caf\xE9 du coin\n"),
        ] {
            let found = of(utf8, old);
            assert!(found.foreign_certainty() >= Some(Certainty::Likely), "{utf8}: {found}");
        }
    }

    /// A vowel of Thai is a character of its own.
    #[test]
    fn a_word_of_which_a_part_is_utf_8_is_a_guess() {
        let thai = Encoding::for_label("windows-874").unwrap();
        let [before, old, after] = ["รถไฟออกแปดโมงเช้าวันนี้ เราจะไปตลาด ร้า", "นมีปล", "า พรุ่งนี้เช้า\n"];
        let found = detect(&[before.as_bytes(), &thai.encode(old).0, after.as_bytes()].concat());
        assert!(found.foreign_certainty() <= Some(Certainty::Guess), "{found}");
    }

    #[test]
    fn a_letter_that_ends_a_word_in_a_sentence_is_not_cut() {
        let text = "Ktoś dawno temu zgubił klucz w ogródku.\nChłopiec spał.\nOgień zgasł.\nGdzieś śpiewał ptak.\n";
        let found = of(text, b"to jest ko\xC4 i pies\n");
        assert_eq!(found.cut(), 0, "{found}");
        // At the end of a field it is.
        let found = of(text, b"Kup list\xC5\n");
        assert_eq!(found.cut(), 1, "{found}");
    }

    #[test]
    fn half_width_katakana_is_in_one_encoding() {
        for (name, text) in [
            ("Shift_JIS", "ﾚｲｿﾞｳｺ,ﾀﾞｲﾄﾞｺﾛ,ﾏｸﾗ,70\n"),
            ("Shift_JIS", "ﾖｺﾊﾏ,ﾄｹｲ,ｶﾜｻｷ,35\n"),
            ("EUC-JP", "ﾂｸｴ,ﾎﾝﾀﾞﾅ,ﾃﾚﾋﾞ,92\n"),
            ("EUC-JP", "ｽｲﾊﾝｷ,ﾌﾄﾝ,ﾖｺﾊﾏ,95\n"),
        ] {
            let encoding = Encoding::for_label(name).unwrap();
            let found = detect(&encoding.encode(text).0);
            assert_eq!((found.encoding(), found.is_mixed()), (Some(encoding), false), "{text} {found}");
            assert!(found.certainty() >= Certainty::Likely, "{text} {found}");
        }
    }

    #[test]
    fn signs_of_a_short_line_are_signs() {
        for line in
            [&b"don\x92t"[..], b"I didn\xB4t see it\n", b"isn\x92t\n", b"\xA9 1998 Fabrikam\n", b"\xA9 Contoso\n"]
        {
            let found = detect(line);
            assert_eq!(found.encoding().map(Encoding::name), Some("windows-1252"), "{found}");
            assert_eq!(found.certainty(), Certainty::Likely, "{found}");
        }
    }

    /// `Lubań` in windows-1250 and `æbler` in IBM865 read as `Lubañ` and `‘bler` in windows-1252.
    #[test]
    fn a_letter_or_a_quotation_mark_that_no_word_has_there_is_a_guess() {
        for line in [&b"Luba\xF1\n"[..], b"port=bada\xF1\n", b"to kurve \x91bler til salg\n"] {
            assert!(detect(line).certainty() <= Certainty::Guess, "{}", detect(line));
        }
        for line in [&b"El a\xF1o pasado\n"[..], b"una pi\xF1a madura\n", b"The \x91old\x92 town\n"] {
            assert!(detect(line).certainty() >= Certainty::Likely, "{}", detect(line));
        }
    }
}
