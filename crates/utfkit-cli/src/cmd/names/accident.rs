//! Names that are UTF-8 by accident.
//!
//! In UTF-8 the bytes of 目录 in GB18030 are `Ŀ¼`; one in ten short Chinese names is well-formed
//! UTF-8. Among names in GB18030 such a name is read in GB18030.

use unicode_script::{Script, UnicodeScript};

/// The script of names, if they are in one that is not Latin. Kanji and kana count as one, and so do Hangul and
/// hanja. For Latin encodings such accidents need a letter like Ã with a sign after it.
pub(super) fn script<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<Script> {
    let mut scripts = texts.into_iter().flat_map(|text| text.chars().filter_map(script_of));
    let first = scripts.next()?;
    let all = scripts.try_fold(first, |all, next| match (all, next) {
        _ if all == next => Some(all),
        (Script::Hangul, Script::Han) | (Script::Han, Script::Hangul) => Some(Script::Hangul),
        _ => None,
    })?;
    (all != Script::Latin).then_some(all)
}

/// True if `name` makes no words and `text`, which is `name` in the encoding of the names around it, makes words
/// in their `script`.
pub(super) fn is_one_of(script: Script, name: &str, text: &str) -> bool {
    is_words(text, script) && !name.chars().any(|c| belongs(c, script)) && is_odd(name)
}

/// The script of a letter beyond US-ASCII.
fn script_of(c: char) -> Option<Script> {
    match c.script() {
        _ if c.is_ascii() => None,
        Script::Common | Script::Inherited => None,
        Script::Hiragana | Script::Katakana | Script::Bopomofo => Some(Script::Han),
        script => Some(script),
    }
}

fn belongs(c: char, script: Script) -> bool {
    script_of(c).is_some_and(|found| found == script || (found, script) == (Script::Han, Script::Hangul))
}

/// True if all that is not US-ASCII is letters and digits of the script, with capitals as in words.
fn is_words(text: &str, script: Script) -> bool {
    let is_fitting = |c: char| match script_of(c) {
        Some(_) => belongs(c, script),
        None => c.is_ascii() || c.is_alphanumeric() || matches!(c, '\u{3000}'..='\u{301F}' | '\u{FF00}'..='\u{FF65}'),
    };
    let is_capital_inside = |pair: &[char]| pair[0].is_lowercase() && pair[1].is_uppercase();
    text.chars().all(is_fitting) && !text.chars().collect::<Vec<_>>().windows(2).any(is_capital_inside)
}

/// True for a name in which nothing beyond US-ASCII is part of a word, and something is in no living alphabet, or
/// where letters of two scripts, or letters and signs, adjoin.
fn is_odd(name: &str) -> bool {
    let chars: Vec<_> = name.chars().collect();
    let is_part = |pair: &[char]| match (pair[0].is_ascii(), pair[1].is_ascii()) {
        (true, false) => pair[0].is_ascii_alphabetic(),
        (false, true) => pair[1].is_ascii_alphabetic(),
        _ => false,
    };
    let is_clash = |pair: &[char]| match (pair[0], pair[1]) {
        (a, b) if a.is_ascii() || b.is_ascii() => false,
        (a, b) if a.is_alphabetic() && b.is_alphabetic() => script_of(a) != script_of(b),
        (a, b) => a.is_alphabetic() != b.is_alphabetic() && [a, b].iter().all(|c| !adjoins_words(*c)),
    };
    !chars.windows(2).any(is_part) && (chars.windows(2).any(is_clash) || chars.iter().any(|&c| is_unusual(c)))
}

/// True for text whose letters and signs make no words, as that of a name in another encoding: 가족 in EUC-KR is
/// `°،ء·` in windows-1256, and Deník in windows-1250 is `Denيk`.
pub(super) fn is_jumbled(text: &str) -> bool {
    // Greek, Cyrillic, Hebrew and Arabic are written with spaces, so that no Latin word adjoins theirs.
    let is_spaced = |c: char| matches!(c, '\u{370}'..='\u{52F}' | '\u{590}'..='\u{6FF}');
    let is_sign = |c: char| matches!(c, '\u{80}'..='\u{BF}') && !c.is_alphabetic() && c != '\u{A0}';
    let is_quote = |c: char| matches!(c, '«' | '»' | '·');
    let is_inside =
        |c: char| matches!(c, '\u{A1}'..='\u{BF}' | '\u{2010}'..='\u{2044}' | '€' | '™') && !"’·–—".contains(c);
    let is_letter = |c: char| !c.is_ascii() && c.is_alphabetic();
    let chars: Vec<_> = text.chars().collect();
    let is_word = |a: char, b: char| a.is_alphabetic() && b.is_alphabetic() && (is_letter(a) || is_letter(b));
    let has_sign_inside = chars.windows(3).any(|c| is_inside(c[1]) && is_word(c[0], c[2]));
    let is_box = |c: &char| matches!(c, '\u{2500}'..='\u{259F}');
    has_sign_inside
        || chars.iter().any(is_box)
        || chars.windows(2).any(|pair| match (is_sign(pair[0]), is_sign(pair[1])) {
            (true, true) => true,
            (true, false) => !is_quote(pair[0]) && is_letter(pair[1]),
            (false, true) => !is_quote(pair[1]) && is_letter(pair[0]),
            _ => {
                let latin = pair.iter().any(|c| c.script() == Script::Latin);
                latin && pair.iter().any(|c| is_spaced(*c))
            }
        })
}

/// True for marks on letters, punctuation, and signs that stand before or after words.
fn adjoins_words(c: char) -> bool {
    c.script() == Script::Inherited
        || matches!(c, '\u{2000}'..='\u{206F}' | '\u{20A0}'..='\u{20CF}' | '\u{2100}'..='\u{214F}')
        || "«»¿¡·°§©®£¥".contains(c)
}

/// True for characters that hardly any name has: letters in no alphabet in use, controls, rare signs.
fn is_unusual(c: char) -> bool {
    let is_usual = match c {
        '\0'..='\x7F' => true,
        '\u{80}'..='\u{9F}' | '\u{138}' | '\u{13F}' | '\u{140}' | '\u{149}' | '\u{17F}' => false,
        '\u{A0}'..='\u{17F}' | '\u{192}' | '\u{1A0}' | '\u{1A1}' | '\u{1AF}' | '\u{1B0}' | '\u{218}'..='\u{21B}' => {
            true
        }
        '\u{180}'..='\u{36F}' => matches!(c, '\u{1CD}'..='\u{1DC}' | '\u{2C6}'..='\u{2DD}' | '\u{300}'..='\u{36F}'),
        '\u{460}'..='\u{489}' | '\u{500}'..='\u{52F}' => false,
        // Of these blocks a few arrows, squares and stars are in use.
        '\u{2440}'..='\u{245F}' | '\u{2980}'..='\u{2AFF}' => false,
        '\u{2B00}'..='\u{2BFF}' => {
            matches!(c, '\u{2B05}'..='\u{2B07}' | '\u{2B1B}' | '\u{2B1C}' | '\u{2B50}' | '\u{2B55}')
        }
        _ => matches!(
            c.script(),
            Script::Common
                | Script::Inherited
                | Script::Latin
                | Script::Greek
                | Script::Cyrillic
                | Script::Armenian
                | Script::Hebrew
                | Script::Arabic
                | Script::Devanagari
                | Script::Bengali
                | Script::Gurmukhi
                | Script::Gujarati
                | Script::Oriya
                | Script::Tamil
                | Script::Telugu
                | Script::Kannada
                | Script::Malayalam
                | Script::Sinhala
                | Script::Thai
                | Script::Lao
                | Script::Tibetan
                | Script::Myanmar
                | Script::Georgian
                | Script::Ethiopic
                | Script::Khmer
                | Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Bopomofo
                | Script::Hangul
        ),
    };
    !is_usual
}

#[cfg(test)]
mod tests {
    use utfkit::Encoding;

    use super::*;

    #[test]
    fn jumbles_are_told_from_words() {
        for text in [
            "°،ء· ¸ي´ـ.txt",
            "°¡Á·",
            "¸í´Ü",
            "’¬“ΰ‰ο‚Μ–Ό•λ.xls",
            "“ϊ‹L’ .doc",
            "╬к╦╡",
            "Ã¼Ã",
            "\u{92}ú",
            "Denيk ze ڑkoly",
            "Fуr",
            "Käαse",
        ] {
            assert!(is_jumbled(text), "{text}");
        }
        for text in [
            "l’été",
            "«Été» 2",
            "n°5",
            "25 m²",
            "Größe©",
            "œuvre – fin",
            "½ kg",
            "Ñandú·Ñ",
            "100 °C",
            "a ± b",
            "CD版",
            "MP3 файл",
            "ไทยTV",
        ] {
            assert!(!is_jumbled(text), "{text}");
        }
    }

    fn is_accident(encoding: &str, script: Script, bytes: &[u8]) -> bool {
        let text = Encoding::for_label(encoding).unwrap().decode_strict(bytes);
        text.is_ok_and(|text| is_one_of(script, std::str::from_utf8(bytes).unwrap(), &text))
    }

    #[test]
    fn accidents_are_known_by_the_letters_that_they_would_have() {
        for (encoding, script, text) in [
            ("GB18030", Script::Han, "目录.txt"),
            ("GB18030", Script::Han, "庐山 2019.jpg"),
            ("GB18030", Script::Han, "平原.jpg"),
            ("GB18030", Script::Han, "危石"),
            ("EUC-JP", Script::Han, "探測 3"),
            ("EUC-JP", Script::Han, "任務.txt"),
            ("Big5", Script::Han, "翻譯.doc"),
            ("Shift_JIS", Script::Han, "ﾄｱﾂｽ.txt"),
            ("IBM866", Script::Cyrillic, "том 1.txt"),
            ("IBM866", Script::Cyrillic, "раб.doc"),
        ] {
            let encoding = Encoding::for_label(encoding).unwrap();
            let (bytes, _) = encoding.encode(text);
            if let Ok(name) = std::str::from_utf8(&bytes) {
                assert!(is_one_of(script, name, text), "{text}: {name}");
            } else {
                panic!("{text} is no accident");
            }
        }
    }

    #[test]
    fn what_is_a_word_or_a_sign_in_utf_8_stays() {
        let words = "été|Ünal|ÄÖÜ|É.txt|Лето|отчёт 2|Ελλάδα|שלום|سلام|ภาพ|हिन्दी|한글|写真|かな|★ 1|😀|→|½|25 m²|№ 5|Foo®|«да»|\
                     naïve|Ł|ß|Ørsted|日本|Ψ|λ|Ω.txt|☺|⭐ 1|⬛|€ 5|100 €|Ş|ğ";
        let encodings = [
            ("GB18030", Script::Han),
            ("EUC-JP", Script::Han),
            ("Shift_JIS", Script::Han),
            ("Big5", Script::Han),
            ("EUC-KR", Script::Hangul),
            ("IBM866", Script::Cyrillic),
            ("windows-1251", Script::Cyrillic),
            ("KOI8-R", Script::Cyrillic),
            ("windows-1253", Script::Greek),
            ("windows-1255", Script::Hebrew),
            ("windows-874", Script::Thai),
        ];
        for (encoding, script) in encodings {
            for word in words.split('|') {
                assert!(!is_accident(encoding, script, word.as_bytes()), "{word} in {encoding}");
            }
        }
    }
}
