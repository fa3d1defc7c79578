//! Detection with hints from the caller; candidates with probabilities; the language.

use utfkit::Encoding;
use utfkit::detect::{Basis, Certainty, Detection, Language, Options, detect};

/// The code of the language, the encoding, and a text.
const TEXTS: [(&str, &str, &str); 14] = [
    ("fr", "windows-1252", "Déjà, le facteur était passé près de l'église, où la cloche sonnait à peine."),
    ("de", "ISO-8859-1", "Während der Bäcker die Brötchen austrägt, hört er über den Dächern die Vögel."),
    ("pl", "windows-1250", "Wieczorem chłopiec znalazł w ogródku żółtego żółwia i zaniósł go do sąsiadów."),
    ("hu", "ISO-8859-2", "Az öreg kertész reggelente megöntözi a rózsákat, és közben fütyörészik."),
    ("tr", "windows-1254", "Küçük kız bahçedeki ağacın altında oturmuş, dedesinin anlattığı masalı dinliyordu."),
    ("lv", "windows-1257", "Vecāmāte šovakar cepa pīrāgus, un visa māja smaržoja pēc kūpinātas gaļas."),
    ("ru", "KOI8-R", "Старый рыбак чинил сети и рассказывал внуку о далёких островах."),
    ("uk", "windows-1251", "Бабуся щовечора розповідала онукам казки про їжака та його друзів."),
    ("el", "ISO-8859-7", "Ο γέρος ψαράς επισκεύαζε τα δίχτυα του και τραγουδούσε σιγανά."),
    ("he", "windows-1255", "הדייג הזקן תיקן את הרשתות וסיפר לנכדו על איים רחוקים מאוד."),
    ("th", "windows-874", "ชาวประมงเฒ่านั่งซ่อมแหและเล่าเรื่องเกาะที่อยู่ไกลให้หลานฟัง"),
    ("ja", "Shift_JIS", "年老いた漁師は網を繕いながら、遠い島の話を孫に聞かせていた。"),
    ("ko", "EUC-KR", "늙은 어부는 그물을 고치면서 손자에게 먼 섬의 이야기를 들려주었다."),
    ("zh-Hant", "Big5", "老漁夫一邊修補漁網，一邊對孫子說著遠方島嶼的故事。"),
];

fn encoding(name: &str) -> Encoding {
    Encoding::for_label(name).unwrap()
}

fn language(code: &str) -> Language {
    code.parse().unwrap()
}

fn encoded(text: &str, name: &str) -> Vec<u8> {
    encoding(name).encode(text).0.into_owned()
}

fn is_same_text(bytes: &[u8], a: Encoding, b: Encoding) -> bool {
    a.decode(bytes).0 == b.decode(bytes).0
}

#[test]
fn the_language_is_that_of_the_text_in_every_encoding() {
    for (code, name, text) in TEXTS {
        for name in [name, "UTF-8", "UTF-16", "UTF-16BE", "UTF-32LE"] {
            let found = detect(&encoded(text, name));
            assert_eq!(found.language(), Some(language(code)), "{name}: {found}");
        }
    }
    let english = "The old fisherman mended his nets and told the children about islands far away.\n";
    assert_eq!(detect(english.as_bytes()).language(), Some(language("en")));
    let page = format!(
        "<!doctype html>\n<div class=\"main\"><p lang=nl>{}</p></div>",
        "De oude visser herstelde zijn netten en vertelde over verre eilanden. "
    );
    assert_eq!(detect(page.as_bytes()).language(), Some(language("nl")));
}

#[test]
fn the_language_of_what_is_no_prose_is_open() {
    for bytes in [
        &b""[..],
        b"a",
        b"12:30 4,50 +5 % (2024-01-01)",
        b"x1=0x7F; y2=~x1&(z3<<4); q=w^k%v;",
        b"MIIEpAIBAAKCAQEAx3cHPQ7wYbXkZrJtqVnKzLdFgWmQpRsTuVwXyZ0123456789abcd",
        b"\x7FELF\x02\x01\x01\0\0\0\0\0",
        b"\xE9",
    ] {
        assert_eq!(detect(bytes).language(), None, "{bytes:?}");
    }
}

#[test]
fn names_of_languages_are_codes_locales_and_english_names() {
    for (name, code) in [
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("de_AT.UTF-8@euro", "de"),
        ("Polish", "pl"),
        ("no", "nb"),
        ("zh-TW", "zh-Hant"),
        ("zh_hant_HK", "zh-Hant"),
        ("zh-CN", "zh-Hans"),
        ("zh", "zh"),
        ("sr-Latn-RS", "hr"),
        ("traditional chinese", "zh-Hant"),
    ] {
        assert_eq!(name.parse::<Language>().map(Language::code), Ok(code), "{name}");
    }
    for name in ["", "-", "xx", "klingon", "fr\u{301}", "frx"] {
        assert!(name.parse::<Language>().is_err(), "{name}");
    }
    let all: Vec<Language> = Language::all().collect();
    assert!(all.is_sorted_by(|a, b| a.code() < b.code()));
    for language in all {
        assert_eq!((language.code().parse(), language.name().parse()), (Ok(language), Ok(language)));
    }
}

#[test]
fn only_the_encodings_asked_for_are_named() {
    for (_, name, text) in TEXTS {
        let bytes = encoded(text, name);
        let only = [encoding(name), Encoding::Utf8];
        let found = Options::new().only(only).detect(&bytes);
        assert_eq!(found.encoding(), Some(only[0]), "{found}");
        assert!(found.certainty() >= Certainty::Likely && found.equivalent().is_none(), "{found}");
        for candidate in found.candidates() {
            assert!(only.contains(&candidate.encoding()) && candidate.equivalent().is_empty(), "{candidate:?}");
        }
        // Text that is certain in one encoding is not found in others.
        let others: Vec<Encoding> = ["KOI8-R", "EUC-JP", "IBM852", "UTF-16"]
            .into_iter()
            .map(encoding)
            .filter(|other| !is_same_text(&bytes, *other, only[0]))
            .collect();
        let found = Options::new().only(others.iter().copied()).detect(&bytes);
        assert!(found.encoding().is_none_or(|found| others.contains(&found)), "{found}");
        assert!(found.certainty() < Certainty::NearlyCertain, "{found}");
    }
    let found = Options::new().only([Encoding::Utf8, encoding("windows-1252")]).detect(b"d\xE9j\xE0 vu, d\xE9j\xE0 lu");
    assert!(!found.to_string().contains("ISO-8859-1"), "{found}");
}

#[test]
fn what_is_excluded_is_not_named() {
    for (_, name, text) in TEXTS {
        let bytes = encoded(text, name);
        let found = Options::new().not([encoding(name)]).detect(&bytes);
        assert_ne!(found.encoding(), Some(encoding(name)), "{found}");
        assert!(found.candidates().iter().all(|one| one.encoding() != encoding(name)));
        // A related encoding may read the text; any other is a guess at most.
        if let Some(other) = found.encoding() {
            let is_same = is_same_text(&bytes, other, encoding(name));
            assert!(is_same || found.certainty() == Certainty::Guess, "{name}: {found}");
        } else {
            assert_eq!(found.basis(), Basis::Unknown, "{name}: {found}");
        }
    }
}

#[test]
fn a_list_that_fits_nothing_is_the_reason() {
    let text = TEXTS[0].2;
    for (bytes, only) in [
        (encoded(text, "UTF-8"), vec!["KOI8-R", "Big5"]),
        (encoded(text, "UTF-16"), vec!["UTF-8", "windows-1252"]),
        (encoded(text, "UTF-16LE"), vec!["UTF-8", "windows-1252"]),
        (encoded(text, "windows-1252"), vec!["UTF-8", "UTF-16", "UTF-32"]),
        (encoded(text, "windows-1252"), vec!["UTF-8", "EUC-KR"]),
        (b"plain".to_vec(), vec!["UTF-16", "IBM037"]),
        (b"\x1B$B$3$s\x1B(B".to_vec(), vec!["UTF-16"]),
    ] {
        let found = Options::new().only(only.iter().map(|name| encoding(name))).detect(&bytes);
        assert_eq!((found.encoding(), found.basis()), (None, Basis::Unknown), "{only:?}: {found}");
        assert_eq!(found.reason().to_string(), "text in none of the encodings that were asked for", "{only:?}");
    }
    // Noise is no text, whatever the options.
    let noise: Vec<u8> = (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert_eq!(Options::new().only([Encoding::Utf8]).detect(&noise).encoding(), None);
}

#[test]
fn us_ascii_goes_by_the_name_that_was_asked_for() {
    let name = |options: Options| options.detect(b"plain text\n").name();
    assert_eq!(name(Options::new().only(["windows-1252", "UTF-8"].map(encoding))), Some("UTF-8"));
    assert_eq!(name(Options::new().only(["IBM866", "KOI8-R", "UTF-16"].map(encoding))), Some("KOI8-R"));
    assert_eq!(name(Options::new().not([Encoding::UsAscii])), Some("UTF-8"));
    assert_eq!(Options::new().only([encoding("Big5")]).detect(b"").name(), Some("Big5"));
    // Escape sequences are US-ASCII if their encoding is excluded.
    let japanese = encoded("日本", "ISO-2022-JP");
    assert_eq!(Options::new().only([Encoding::Utf8]).detect(&japanese).name(), Some("UTF-8"));
}

#[test]
fn byte_orders_belong_to_the_form_that_was_asked_for() {
    for name in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        let bytes = encoded("Ein Satz, lang genug für jede Reihenfolge.", name);
        let form = encoding(&name[..6]);
        assert_eq!(Options::new().only([form]).detect(&bytes).name(), Some(name));
        assert_eq!(Options::new().not([form]).detect(&bytes).encoding(), None);
    }
}

#[test]
fn a_language_is_a_prior_and_no_condition() {
    // Short words fit many encodings, so the hint decides.
    for (code, text, name) in [
        ("el", "Και", "windows-1253"),
        ("is", "það", "windows-1252"),
        ("tr", "şu", "windows-1254"),
        ("ru", "Это", "windows-1251"),
        ("ru", "это", "KOI8-R"),
        ("he", "זה", "windows-1255"),
        ("pl", "też", "windows-1250"),
        ("hu", "nő", "ISO-8859-2"),
    ] {
        let bytes = encoded(text, name);
        let found = Options::new().language([language(code)]).detect(&bytes);
        assert!(is_same_text(&bytes, found.encoding().unwrap(), encoding(name)), "{code}: {found}");
    }
    // Letters that are clear outweigh the hint.
    for (_, name, text) in TEXTS {
        let bytes = encoded(text, name);
        for code in ["fr", "ru", "ja", "ar", "vi"] {
            let found = Options::new().language([language(code)]).detect(&bytes);
            assert!(is_same_text(&bytes, found.encoding().unwrap(), encoding(name)), "{name} told {code}: {found}");
        }
    }
}

#[test]
fn the_result_with_options_does_not_depend_on_the_chunks() {
    let options = Options::new().not([encoding("KOI8-R")]).language([language("bg")]);
    let text = TEXTS[6].2.repeat(400);
    for name in ["KOI8-U", "windows-1251", "UTF-8"] {
        let bytes = encoded(&text, name);
        let whole = options.detect(&bytes);
        for size in [1, 777, 16_384] {
            let mut detector = options.detector();
            bytes.chunks(size).for_each(|chunk| detector.feed(chunk));
            let found = detector.finish();
            assert_eq!((found.to_string(), found.confidence()), (whole.to_string(), whole.confidence()));
            assert_eq!(found.language(), whole.language());
        }
    }
}

fn probabilities(found: &Detection) -> Vec<f64> {
    found.candidates().iter().map(|candidate| candidate.probability()).collect()
}

#[test]
fn candidates_are_ranked_and_add_up_to_no_more_than_one() {
    let mut cases: Vec<Vec<u8>> = TEXTS.iter().map(|(_, name, text)| encoded(text, name)).collect();
    cases.extend(TEXTS.iter().map(|(_, _, text)| encoded(text, "UTF-8")));
    cases.extend(
        [&b"\xE9"[..], b"a\xE9\xE8 b\xC4", b"\xC3\xA9", b"plain", b"", b"H\0i\0", b"\xA4\xA2"].map(<[u8]>::to_vec),
    );
    for bytes in cases {
        let found = detect(&bytes);
        let all = probabilities(&found);
        assert!(all.is_sorted_by(|a, b| a >= b) && all.iter().all(|p| (0.0..=1.0).contains(p)), "{found} {all:?}");
        assert!(all.iter().sum::<f64>() <= 1.0 + 1e-9, "{found} {all:?}");
        let first = &found.candidates()[0];
        assert_eq!((Some(first.encoding()), first.probability()), (found.encoding(), found.confidence()), "{found}");
        // No two candidates read the bytes the same way.
        let texts: Vec<String> =
            found.candidates().iter().map(|one| one.encoding().decode(&bytes).0.into_owned()).collect();
        for (at, text) in texts.iter().enumerate() {
            assert!(!texts[..at].contains(text), "{found}: {text}");
        }
        for candidate in found.candidates() {
            for other in candidate.equivalent() {
                assert!(is_same_text(&bytes, candidate.encoding(), *other), "{candidate:?}");
            }
        }
    }
}

#[test]
fn the_right_one_is_among_the_candidates_of_a_doubtful_text() {
    for (text, name) in
        [("é", "windows-1252"), ("Åse", "macintosh"), ("да", "KOI8-R"), ("ż", "ISO-8859-2"), ("中", "GBK")]
    {
        let bytes = encoded(text, name);
        let found = detect(&bytes);
        let candidates = found.candidates();
        assert!(
            candidates.iter().any(|one| is_same_text(&bytes, one.encoding(), encoding(name))),
            "{name}: {candidates:?}"
        );
        assert!(found.confidence() < 0.99, "{found} {}", found.confidence());
    }
}

#[test]
fn an_unknown_text_has_its_nearest_readings() {
    // ANSEL, which libraries use, is declared but not supported.
    let bytes = b"<?xml version='1.0' encoding='ANSEL'?><n>J\xE8urgen M\xE8uller, Ren\xE2e</n>";
    let found = detect(bytes);
    assert_eq!((found.encoding(), found.basis()), (None, Basis::Unknown), "{found}");
    let all = probabilities(&found);
    assert!(!all.is_empty() && (found.confidence() + all.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{all:?}");
    assert!(detect(b"\x7FELF\x02\x01\x01\0\0\0\0\0").candidates().is_empty());
}

/// The probabilities of the other readings of a mixture summed to one, and that of the answer
/// came on top.
#[test]
fn probabilities_of_short_mixtures_summed_to_more_than_one() {
    let mut random = 1_u64;
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let mut mixed = 0;
    for _ in 0..3000 {
        let len = below(16);
        let pieces = (0..len).map(|_| match below(4) {
            0 => vec![0x80 + below(0x80) as u8],
            1 => vec![0x20 + below(0x5F) as u8],
            _ => vec![0xC2 + below(4) as u8, 0x80 + below(0x40) as u8],
        });
        let found = detect(&pieces.collect::<Vec<_>>().concat());
        let candidates = found.candidates();
        let sum: f64 = candidates.iter().map(|candidate| candidate.probability()).sum();
        assert!(sum <= 1.0 + 1e-9, "{found}: {sum}");
        assert!(candidates.is_sorted_by(|a, b| a.probability() >= b.probability()), "{found}");
        mixed += usize::from(found.is_mixed());
    }
    assert!(mixed > 100, "{mixed}");
}
