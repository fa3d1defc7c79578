//! The encoding of short texts, and of the shared texts in every encoding that can represent
//! them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use utfkit::bom::Bom;
use utfkit::detect::{Basis, Certainty, Detection, Detector, detect, detect_reader};
use utfkit::diagnose::Checker;
use utfkit::{Encoding, Legacy, Policy, Standard, Status, Transcoder};

/// The shared texts, with their names.
fn texts() -> Vec<(String, String)> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let data = std::env::var_os("UTFKIT_SHARED").map_or_else(beside, PathBuf::from).join("data");
    let mut texts = Vec::new();
    for folder in fs::read_dir(&data).into_iter().flatten().flatten() {
        for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let name = file.file_name().into_string().unwrap();
            texts.push((name, fs::read_to_string(file.path()).unwrap()));
        }
    }
    if texts.is_empty() {
        println!("skipped: there is no {}", data.display());
    }
    texts.sort();
    texts
}

/// `text` in `encoding`; `None` if a character is unrepresentable.
fn encoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    encoded_by(Policy::Strict, text, encoding)
}

fn encoded_by(policy: Policy, text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 4 * text.len() + 64];
    let step = Transcoder::new(Encoding::Utf8, encoding, policy).transcode(text.as_bytes(), &mut bytes, true);
    bytes.truncate(step.written);
    (step.status == Status::InputEmpty).then_some(bytes)
}

/// `bytes` decoded; `None` if they are ill-formed in `encoding`.
fn decoded(bytes: &[u8], encoding: Encoding) -> Option<String> {
    let mut text = vec![0; 4 * bytes.len() + 64];
    let step = Transcoder::new(encoding, Encoding::Utf8, Policy::Strict).transcode(bytes, &mut text, true);
    text.truncate(step.written);
    (step.status == Status::InputEmpty).then(|| String::from_utf8(text).unwrap())
}

fn cut(bytes: &[u8], size: usize) -> Detection {
    let mut detector = Detector::new();
    bytes.chunks(size).for_each(|chunk| detector.feed(chunk));
    detector.finish()
}

#[track_caller]
fn is(bytes: &[u8], name: Option<&str>, certainty: Certainty) -> Detection {
    let found = detect(bytes);
    assert_eq!((found.name(), found.certainty()), (name, certainty), "{:.40?}: {found}", bytes);
    found
}

const FORMS: [Encoding; 4] = [Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be];

#[test]
fn shared_texts_are_utf_8_whole_and_cut() {
    for (name, text) in texts() {
        for len in [text.len(), 10_000, 1000, 100] {
            let bytes = &text.as_bytes()[..len];
            let found = detect(bytes);
            let want = if bytes.is_ascii() { Encoding::UsAscii } else { Encoding::Utf8 };
            assert_eq!(found.encoding(), Some(want), "{name}, {len}: {found}");
            if len == text.len() {
                assert_eq!((found.certainty(), found.ill_formed()), (Certainty::Certain, Some(0)), "{name}: {found}");
            }
        }
    }
}

#[test]
fn shared_texts_are_known_in_units_of_two_and_four_bytes_whole_and_cut() {
    for (name, text) in texts() {
        for form in FORMS {
            let bytes = encoded(&text, form).unwrap();
            for len in [bytes.len(), 10_000, 1000, 100] {
                let found = detect(&bytes[..len]);
                assert_eq!(found.encoding(), Some(form), "{name}, {len} bytes of {form}: {found}");
                assert_eq!(found.bom().is_some(), text.starts_with('\u{FEFF}'), "{name}");
                let signed = [encoded("\u{FEFF}", form).unwrap(), bytes[..len].to_vec()].concat();
                let found = detect(&signed);
                assert_eq!(found.encoding(), Some(form), "{name}, {len} bytes of {form} with a BOM: {found}");
                assert_eq!(found.bom().and_then(Bom::encoding), Some(form));
                assert!(found.certainty() >= Certainty::NearlyCertain, "{name}: {found}");
            }
        }
    }
}

#[test]
fn short_texts_in_units_are_known() {
    for text in
        ["Hi", "a", "7\n", "Grüße", "Привет", "שלום", "مرحبا", "नमस्ते दुनिया", "日本語です。", "你好,世界\n", "안녕 세계"]
    {
        for form in FORMS {
            let found = detect(&encoded(text, form).unwrap());
            assert_eq!(found.encoding(), Some(form), "{text} in {form}: {found}");
        }
    }
}

#[test]
fn what_is_proved_and_what_is_likely() {
    use Certainty::*;
    is(b"", Some("US-ASCII"), Certain);
    is(b"plain\n", Some("US-ASCII"), Certain);
    is(b"\x1B[31mred\x1B[0m\n", Some("US-ASCII"), Certain);
    is("é".as_bytes(), Some("UTF-8"), Likely);
    is("日本語".as_bytes(), Some("UTF-8"), NearlyCertain);
    is("日本語, Grüße".as_bytes(), Some("UTF-8"), NearlyCertain);
    let found = is("Съешь ещё этих булок".as_bytes(), Some("UTF-8"), Certain);
    assert_eq!((found.sequences(), found.bits()), (17, 46));
    let found = is(b"\xEF\xBB\xBFa", Some("UTF-8"), Certain);
    assert_eq!(found.bom(), Some(Bom::Utf8));
}

#[test]
fn damage_is_named_and_counted() {
    use Certainty::*;
    let text = "Съешь ещё этих мягких французских булок, да выпей чаю\n";
    let found = is(&[text.as_bytes(), b"ab\xC0\xAFc\xFF"].concat(), Some("UTF-8"), NearlyCertain);
    assert_eq!((found.ill_formed(), found.basis()), (Some(2), Basis::Damaged));
    let place = found.first_error().unwrap();
    assert_eq!((place.line, place.column, place.offset), (2, 3, text.len() as u64 + 2));
    let found = is(&text.as_bytes()[..32], Some("UTF-8"), Likely);
    assert!(found.is_truncated() && found.to_string().contains("the end cuts"), "{found}");
    // One sequence of UTF-8 and one other byte are no evidence.
    assert_ne!(detect(b"caf\xC3\xA9 \xE9!").name(), Some("UTF-8"));
    is(b"caf\xC3", Some("UTF-8"), Guess);
}

#[test]
fn relatives_of_utf_8_are_told_apart() {
    for (bytes, name) in [
        (&b"a \xED\xA0\xBD\xED\xB8\x80 b"[..], "CESU-8"),
        (b"a\xC0\x80b \xC3\xA9", "Modified-UTF-8"),
        (b"\xC0\x80\xED\xA0\xBD\xED\xB8\x80 \xC3\xA9", "Modified-UTF-8"),
        (b"\xED\xA0\xBD.txt \xF0\x9F\x98\x80", "WTF-8"),
        (b"\xE9t\xE9 \x1B%G\xE2\x82\xAC\x1B%@ \xE9", "ISO-2022-UTF-8"),
    ] {
        let found = detect(bytes);
        assert_eq!((found.name(), found.ill_formed()), (Some(name), Some(0)), "{found}");
        let mut checker = Checker::new(found.encoding().unwrap(), Standard::Rfc3629);
        checker.feed(bytes, |_| {});
        checker.finish(|_| {});
        assert_eq!(checker.totals().findings(), 0, "{name} reads it");
        for size in [1, 2, 3, 5] {
            assert_eq!(cut(bytes, size).to_string(), found.to_string());
        }
    }
}

#[test]
fn encodings_of_seven_bits() {
    let found = is(b"\x1B$B$3$s$K$A$O\x1B(B, \x1B$B@$3&\x1B(B\n", Some("ISO-2022-JP"), Certainty::Certain);
    assert_eq!(decoded(b"\x1B$B@$3&\x1B(B", found.encoding().unwrap()).as_deref(), Some("世界"));
    let found = is(b"\x1B$)C\x0E>H3g\x0F\n", Some("ISO-2022-KR"), Certainty::NearlyCertain);
    assert_eq!(found.encoding(), Some(Encoding::Legacy(Legacy::Iso2022Kr)));
    let mixed = detect(b"Hi Mom -+Jjo--! +ZeVnLIqe-");
    assert_eq!(mixed.name(), Some("US-ASCII"));
    assert!(mixed.to_string().contains("reads as UTF-7 too, with 2 runs"), "{mixed}");
    for plain in ["a + b = c", "1+1=2, 2+2=4", "+AGE- is a", "for (;;) i++;", "C+++Ab"] {
        assert!(!detect(plain.as_bytes()).to_string().contains("UTF-7"), "{plain}");
    }
    is(b"+/v8-text", Some("UTF-7"), Certainty::NearlyCertain);
}

#[test]
fn boms_of_encodings_that_nobody_reads_are_named() {
    for bom in [Bom::Scsu, Bom::Bocu1, Bom::UtfEbcdic] {
        let found = detect(&[bom.bytes(), b"\xC1\xF0 text"].concat());
        assert_eq!((found.name(), found.encoding()), (Some(bom.name()), None), "{found}");
        assert_eq!(found.bom(), Some(bom));
    }
    for form in FORMS {
        let alone = encoded("\u{FEFF}", form).unwrap();
        is(&alone, Some(form.name()), Certainty::Certain);
    }
}

#[test]
fn no_text_is_no_encoding() {
    let mut state = 1_u64;
    let mut random = |len: usize| -> Vec<u8> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        (0..len).map(|_| next()).collect()
    };
    for len in [256, 1000, 20_000, 100_000] {
        for _ in 0..20 {
            let bytes = random(len);
            assert_eq!(detect(&bytes).name(), None, "{len}: {}", detect(&bytes));
        }
    }
    let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0";
    let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0\x40\x10\0\0\0\0\0\0";
    let tar = [b"name.txt".as_slice(), &[0; 92], b"0000644\0", &[0; 400], b"content\n", &[0; 504]].concat();
    let numbers: Vec<u8> = (0..1000_u32).flat_map(u32::to_le_bytes).collect();
    for bytes in [&png[..], gzip, elf, &tar, &numbers, &[0; 100], b"\0"] {
        assert_eq!(detect(bytes).name(), None, "{}", detect(bytes));
    }
}

#[test]
fn nul_bytes_between_names_are_text() {
    let found = is(b"./src/main.rs\0./src/lib.rs\0./README.md\0", Some("US-ASCII"), Certainty::Likely);
    assert_eq!(found.nulls(), 3);
    assert!(found.to_string().contains("3 NUL bytes"), "{found}");
    assert_eq!(detect("./schön\0./größer\0./日本\0".as_bytes()).name(), Some("UTF-8"));
    assert_eq!(detect(b"8=FIX.4.2\x019=65\x0135=A\x0149=SERVER\x0156=CLIENT\x01").name(), Some("US-ASCII"));
}

#[test]
fn legacy_text_with_a_nul_is_weighed() {
    let found = detect(&["the quality of m\u{e9}moires, ".repeat(40).as_bytes(), b"\0"].concat());
    assert_eq!(found.name(), Some("UTF-8"), "{found}");
    let latin = encoded(&"les mémoires “à côté” ".repeat(40), Encoding::Legacy(Legacy::Windows1252)).unwrap();
    for text in [[&latin[..], b"\0"].concat(), [b"\0", &latin[..]].concat()] {
        let found = detect(&text);
        assert_eq!(found.name(), Some("windows-1252"), "{found}");
        assert_ne!(found.equivalent(), Some(Encoding::Latin1), "{found}");
    }
}

#[test]
fn text_with_controls_in_it_is_not_taken_in_pairs() {
    for text in [
        &b"<img src=x onerror=alert(1)>\x1B[2J\xE2\x80\xAE\xFF\x07\n"[..],
        b"\x1B[31mERROR\x1B[0m d\xE9j\xE0 vu, not found\n",
        b"one field\x1Fand another\x1F\xE9\x1E",
        b"name\0value\0caf\xE9\0another value\0",
    ] {
        for text in [text.to_vec(), text.repeat(50), text[1..].to_vec()] {
            let found = detect(&text);
            assert!(!found.name().is_some_and(|name| name.starts_with("UTF-16")), "{found}: {text:?}");
        }
    }
}

#[test]
fn much_legacy_text_is_likely_what_it_is_like() {
    let line = "Съешь же ещё этих мягких французских булок, да выпей чаю. ";
    let text = encoded(&line.repeat(2000), Encoding::Legacy(Legacy::Windows1251)).unwrap();
    for front in ["".as_bytes(), b"\xEF\xBB\xBF"] {
        let found = detect(&[front, &text].concat());
        assert_eq!((found.name(), found.certainty()), (Some("windows-1251"), Certainty::Likely), "{found}");
        assert_eq!((found.sequences(), found.ill_formed()), (0, None));
    }
}

#[test]
fn a_declaration_is_heard_where_nothing_proves_otherwise() {
    let found = detect("<?xml version='1.0' encoding='ISO-8859-1'?><a>ё</a>".as_bytes());
    assert!(found.name() == Some("UTF-8") && found.is_contradicted(), "{found}");
    assert!(found.to_string().contains("but it declares ISO-8859-1"), "{found}");
    let found = detect(b"# coding: latin-1\nprint('caf\xE9')\n");
    assert_eq!((found.name(), found.basis()), (Some("ISO-8859-1"), Basis::Declared), "{found}");
    let found = detect(b"# coding: iso-8859-2\nprint('\xB1\xE6')\n");
    assert_eq!((found.name(), found.basis()), (Some("ISO-8859-2"), Basis::Declared), "{found}");
    // The declaration is wrong: the text is not Japanese.
    let found = detect(b"# coding: shift_jis\n'caf\xE9', 'na\xEFve \xFF'\n");
    assert_ne!(found.name(), Some("Shift_JIS"), "{found}");
    // A declaration in a template says Western, but the text is Russian.
    let russian = encoded("Съешь же ещё этих мягких французских булок", Encoding::Legacy(Legacy::Windows1251)).unwrap();
    let found = detect(&[b"<meta charset=iso-8859-1>", &russian[..]].concat());
    assert!(found.name() == Some("windows-1251") && found.is_contradicted(), "{found}");
    let found = detect(b"<?xml version='1.0' encoding='utf-8'?><a/>");
    assert!(found.name() == Some("US-ASCII") && !found.is_contradicted(), "{found}");
}

#[test]
fn any_cut_gives_the_same_answer() {
    let mut inputs: Vec<Vec<u8>> = vec![
        b"\x1B$B$3$s\x1B(B \x1B$B@$3&\x1B(B".to_vec(),
        b"Hi Mom -+Jjo--! +ZeVnLIqe-".to_vec(),
        encoded("日本語です。", Encoding::Utf16Be).unwrap(),
        "Grüße ".repeat(4000).into_bytes(),
        [&vec![b'a'; 16_383][..], b"\x1B%G\xE2\x82\xAC\x1B%@\xE9"].concat(),
        [&vec![b'a'; 16_383][..], "ж".as_bytes()].concat(),
        [&vec![b'a'; 16_383][..], b"\xE9t\xE9"].concat(),
        [&vec![b'a'; 16_382][..], b"\xED\xA0\xBD\xED\xB8\x80"].concat(),
    ];
    let texts = texts();
    for (_, text) in texts.iter().take(3) {
        let cut: String = text.chars().take(30_000).collect();
        inputs.extend([Encoding::Utf16Le, Encoding::Legacy(Legacy::Gb18030)].iter().filter_map(|&e| encoded(&cut, e)));
    }
    for input in &inputs {
        let whole = detect(input).to_string();
        for size in [1, 7, 4095, 16_384, 16_385, 100_000] {
            assert_eq!(cut(input, size).to_string(), whole, "cut every {size}");
        }
        assert_eq!(detect_reader(&input[..]).unwrap().to_string(), whole);
    }
}

#[test]
fn damage_after_gibibytes_of_text_is_seen() {
    let text = "Grüße aus Köln, ".repeat(4096).into_bytes();
    let mut detector = Detector::new();
    (0..64).for_each(|_| detector.feed(&text));
    detector.feed(b"\xFF");
    let found = detector.finish();
    assert_eq!((found.name(), found.ill_formed()), (Some("UTF-8"), Some(1)), "{found}");
    assert_eq!(found.first_error().map(|place| place.offset), Some(64 * text.len() as u64));
}

/// Cyrillic in GBK is well-formed Big5, in rare characters.
#[test]
fn cyrillic_in_gbk_is_no_chinese() {
    let text = "Марс — четвёртая по удалённости от Солнца и седьмая по размеру планета Солнечной системы. ";
    let bytes = encoded_by(Policy::Strict, &text.repeat(1300), Encoding::Legacy(Legacy::Gbk)).unwrap();
    assert_eq!(detect(&bytes).name(), Some("GBK"));
    assert_eq!(detect(&bytes[..200]).name(), Some("GBK"));
}

#[test]
fn hz_and_iso_2022_are_not_us_ascii() {
    let chinese = "一个人在河边走路，看见很多鱼。\n";
    let korean = "어제 저녁 우리는 걸어서 다리를 건넜습니다.\n";
    for (text, legacy) in [(chinese, Legacy::Hz), (korean, Legacy::Iso2022Kr)] {
        let bytes = encoded_by(Policy::Strict, &text.repeat(3), Encoding::Legacy(legacy)).unwrap();
        assert!(bytes.is_ascii());
        let found = detect(&bytes);
        assert_eq!(found.name(), Some(legacy.name()), "{found}");
        assert!(found.certainty() >= Certainty::Likely);
    }
    for plain in ["a ~{b}~ c, \\~{n}~}", "cp ~{one,two} . && ls ~}", "~{}~}"] {
        assert_eq!(detect(plain.as_bytes()).name(), Some("US-ASCII"), "{plain}");
    }
}

#[test]
fn what_is_text_in_no_encoding_is_unknown() {
    // French in HP's ROMAN8, and a declared encoding that is not supported.
    let mut roman8 = Vec::new();
    for c in
        "L’été passé, la fenêtre du château était fermée à clé, après l'orage; où était le garçon? ".repeat(4).chars()
    {
        match c {
            'é' => roman8.push(0xC5),
            'ê' => roman8.push(0xC1),
            'è' => roman8.push(0xC9),
            'â' => roman8.push(0xC0),
            'à' => roman8.push(0xC8),
            'ù' => roman8.push(0xCB),
            'ç' => roman8.push(0xB5),
            c => roman8.push(if c.is_ascii() { c as u8 } else { b'\'' }),
        }
    }
    let declared = b"<?xml version='1.0' encoding='x-nothing'?><a>\xE9t\xE9</a>";
    for bytes in [&roman8[..], declared] {
        let found = detect(bytes);
        assert_eq!((found.encoding(), found.basis()), (None, Basis::Unknown), "{found}");
        assert!(found.to_string().starts_with("unknown (likely: not UTF-8"), "{found}");
    }
    assert!(detect(declared).to_string().contains("x-nothing"));
}

#[test]
fn one_ill_formed_unit_of_utf_32_is_enough_for_doubt() {
    let mut bytes: Vec<u8> = "Grüße aus Köln".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    assert_eq!(detect(&bytes).certainty(), Certainty::Certain);
    bytes.extend(b"\x01\x02");
    assert!(detect(&bytes).certainty() <= Certainty::Likely, "{}", detect(&bytes));
}

/// Each certainty is right as often as documented: on parts of texts that are not in the
/// training data, in every single-byte and double-byte encoding that has all their characters.
#[test]
fn how_sure_it_is_is_how_often_it_is_right() {
    let mut shares: BTreeMap<Certainty, [u32; 2]> = BTreeMap::new();
    let mut none = 0;
    for (name, text) in texts().iter().filter(|(name, _)| !name.contains("Lipsum")) {
        let characters: Vec<char> = text.chars().collect();
        for (len, at) in [(60, 7), (60, 13), (300, 5), (300, 11), (3000, 3)] {
            let piece: String = characters.iter().skip(characters.len() * at / 16).take(len).collect();
            for legacy in Legacy::ALL.iter().filter(|legacy| legacy.is_ascii_compatible()) {
                let encoding = Encoding::Legacy(*legacy);
                let Some(bytes) = encoded(&piece, encoding).filter(|bytes| !bytes.is_ascii()) else { continue };
                let found = detect(&bytes);
                let Some(guess) = found.encoding() else {
                    none += 1;
                    continue;
                };
                let is_right = decoded(&bytes, guess).as_deref() == Some(&piece);
                if !is_right && found.certainty() > Certainty::Guess {
                    println!("{name} in {legacy}, {len}: {found}");
                }
                let share = shares.entry(found.certainty()).or_default();
                share[0] += u32::from(is_right);
                share[1] += 1;
            }
        }
    }
    println!("right, of: {shares:?}; none: {none}");
    let of = |certainty| shares.get(&certainty).copied().unwrap_or_default();
    let [likely, all] = of(Certainty::Likely);
    assert!(likely * 100 >= all * 95, "{likely} of {all}");
    let [nearly, all] = of(Certainty::NearlyCertain);
    assert!(nearly * 1000 >= all * 999, "{nearly} of {all}");
}

/// Encodings that `chardetng` supports and many texts can be written in.
const LEGACY: [Legacy; 20] = [
    Legacy::Windows1250,
    Legacy::Windows1251,
    Legacy::Windows1252,
    Legacy::Windows1253,
    Legacy::Windows1254,
    Legacy::Windows1255,
    Legacy::Windows1256,
    Legacy::Windows1257,
    Legacy::Windows1258,
    Legacy::Iso8859_2,
    Legacy::Iso8859_5,
    Legacy::Iso8859_6,
    Legacy::Iso8859_8,
    Legacy::Koi8R,
    Legacy::Ibm866,
    Legacy::Gbk,
    Legacy::Big5,
    Legacy::EucJp,
    Legacy::ShiftJis,
    Legacy::EucKr,
];

fn chardetng_alone(bytes: &[u8]) -> Option<Encoding> {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    Encoding::for_web_label(detector.guess(None, chardetng::Utf8Detection::Allow).name())
}

#[test]
fn legacy_texts_are_known_no_worse_than_by_chardetng_alone() {
    beside_chardetng([100, 1000, 5000]);
}

#[test]
#[ignore = "takes minutes"]
fn long_legacy_texts_are_known_no_worse_than_by_chardetng_alone() {
    beside_chardetng([10_000, 50_000, usize::MAX]);
}

/// The first characters of each text, in every encoding that has nearly all of them. A result is
/// right if it decodes to the text.
fn beside_chardetng(lengths: [usize; 3]) {
    let mut table: BTreeMap<&str, [[u32; 3]; 3]> = BTreeMap::new();
    let mut worse = Vec::new();
    for (name, text) in texts() {
        for (legacy, (at, len)) in LEGACY.iter().flat_map(|l| lengths.iter().enumerate().map(move |x| (l, x))) {
            let encoding = Encoding::Legacy(*legacy);
            let part: String = text.chars().take(*len).collect();
            // A few characters that the encoding lacks are left out.
            let bytes = encoded_by(Policy::Skip, &part, encoding).unwrap();
            let held = decoded(&bytes, encoding).unwrap();
            if held.is_ascii() || held.chars().count() * 100 < part.chars().count() * 99 {
                continue;
            }
            let right =
                |guess: Option<Encoding>| guess.and_then(|guess| decoded(&bytes, guess)).as_deref() == Some(&held);
            let found = detect(&bytes);
            let (ours, theirs) = (right(found.encoding()), right(chardetng_alone(&bytes)));
            let cell = &mut table.entry(legacy.name()).or_default()[at];
            cell[0] += 1;
            cell[1] += u32::from(ours);
            cell[2] += u32::from(theirs);
            if theirs && !ours {
                worse.push(format!("{name} in {legacy}, {len}: {found}"));
            }
        }
    }
    println!("utfkit, chardetng, of: {lengths:?} characters");
    for (name, row) in &table {
        let cells = row.map(|[of, ours, theirs]| format!("{:>16}", format!("{ours} {theirs} {of}")));
        println!("{name:<14}{}", cells.concat());
    }
    assert!(worse.is_empty(), "{worse:#?}");
}

#[test]
fn hebrew_in_ebcdic_is_not_us_ascii() {
    // Code page 424 has Hebrew letters where US-ASCII has capitals. A text, and a list of its
    // words.
    let text = *b"ST@BXQ@ADU@XFTDF@BXQ@HFhQW@FiFFQU@BbhSU@FBGSFQFqQEU";
    let words = text.map(|byte| if byte == b'@' { b'%' } else { byte });
    for bytes in [text, words] {
        let found = detect(&bytes);
        assert_eq!((found.encoding(), found.basis()), (None, Basis::Unknown), "{found}");
    }
    // Hebrew in a URL is US-ASCII.
    let url = "%D7%9B%D7%9C%D7%91%D7%A0%D7%99%D7%90%D7%93%D7%9D";
    assert_eq!(detect(url.as_bytes()).encoding(), Some(Encoding::UsAscii));
}

#[test]
fn names_from_many_countries_are_known() {
    // Each name is of another language; read as one language they would look odd in any
    // encoding.
    let western = [
        "José García",
        "Björn Müller",
        "François Lefèvre",
        "Jürgen Groß",
        "Søren Sørensen",
        "Åse Lindström",
        "João Gonçalves",
        "Zoë Peeters",
        "Iñigo Núñez",
        "Günther Weiß",
        "Niccolò Fabbri",
        "Måns Åkesson",
        "Anaïs Côté",
        "Raúl Jiménez",
        "Zürich",
        "Tromsø",
        "Logroño",
        "Besançon",
        "Jyväskylä",
        "Århus",
    ];
    let central = [
        "Łukasz Wójcik",
        "Jiří Dvořák",
        "Kovács Gábor",
        "Žižek",
        "Győr",
        "Łódź",
        "Plzeň",
        "Müller",
        "Čapek",
        "Škoda",
        "Szabó",
        "Wałęsa",
        "Dąbrowski",
        "Śląsk",
        "Hradec Králové",
    ];
    let cases: [(&[&str], &[&str]); 2] =
        [(&western, &["windows-1252", "macintosh", "IBM850"]), (&central, &["windows-1250", "ISO-8859-2"])];
    for (names, encodings) in cases {
        for label in encodings {
            let encoding = Encoding::for_label(label).unwrap();
            let bytes = encoded(&names.join("\n"), encoding).unwrap();
            let found = detect(&bytes);
            assert_eq!(found.encoding(), Some(encoding), "{label}: {found}");
            // It is never more certain than that.
            assert!(found.certainty() <= Certainty::Likely, "{label}: {found}");
        }
    }
}

/// Symbols in UTF-8 without letters do not tell the language: a wrong guess turned `é` into `È`.
#[test]
fn signs_in_utf_8_are_in_no_language() {
    for (before, after) in [
        ("Hôtel du Cygne, 3 étages", "£"),
        ("Señor Ibáñez, pago", "€"),
        ("Müller, Größe", "°C"),
        ("Bibliothèque, rue René", "“”"),
    ] {
        let other = (0..30).map(|n| format!("{n};Item {n};{}{after}\n", 20 + n)).collect::<String>();
        let (old, _) = Encoding::Legacy(Legacy::Windows1252).encode(before);
        let line = [&old[..], b";4", after.as_bytes(), b"\n"].concat();
        let found = detect(&[other.as_bytes(), &line].concat());
        let said = (found.foreign(), found.foreign_certainty());
        assert_eq!(said, (Some(Encoding::Legacy(Legacy::Windows1252)), Some(Certainty::Likely)), "{before}: {found}");
    }
}

#[test]
fn the_end_of_a_file_of_dos_makes_no_guess_of_it() {
    for text in [
        "Öffnen Sie bitte das Menü und wählen Sie „Schließen“.\r\n",
        "Größe: 3 Stück\r\nMaß für Möbel\r\n",
        "Déjà payé, à bientôt à l'hôtel.\r\n",
    ] {
        let (bytes, _) = Encoding::Legacy(Legacy::Ibm850).encode(text);
        for end in ["", "\x1A", "\x1A\x1A\x1A\x1A"] {
            let found = detect(&[&bytes[..], end.as_bytes()].concat());
            assert_eq!(found.certainty(), Certainty::Likely, "{text} {end:?} {found}");
            assert_eq!(found.controls(), 0, "{text} {end:?} {found}");
        }
    }
}

/// GB 18030 covers all planes; the unassigned ones hold no text.
#[test]
fn planes_without_characters_are_no_text() {
    for text in ["日本語のテキスト", "東京の天気予報です", "漢字とかなの文章"] {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let found = detect(&bytes);
        let is_right = found.encoding() == Some(Encoding::Utf16Le);
        assert!(is_right || found.certainty() == Certainty::Guess, "{text}: {found}");
    }
}

/// A single letter in words that another language has is not likely to be in a rare encoding.
#[test]
fn one_letter_is_no_evidence_for_an_unusual_encoding() {
    for word in [&b"\xE7a va"[..], b"na\xEFve", b"Zo\xEB", b"\xC6r\xF8", b"vid\xE9o", b"cr\xE8me br\xFBl\xE9e"] {
        for (front, after) in [("name,value\nitem 1,", "\nitem 2,none\n"), ("", ""), ("a\nb\n", "\nc\n")] {
            let found = detect(&[front.as_bytes(), word, after.as_bytes()].concat());
            let is_western =
                found.encoding().is_some_and(|found| found.decode(word).0 == Encoding::Latin1.decode(word).0);
            assert!(is_western || found.certainty() == Certainty::Guess, "{front:?} {found}");
        }
    }
}
