//! `utfkit repair --undouble` on real texts.

use std::collections::BTreeMap;
use std::fs;

use crate::common::{Place, shared};
use utfkit::repair::Fallback;
use utfkit::{Encoding, Legacy};

/// An encoding that UTF-8 was wrongly read in.
struct Charset {
    name: &'static str,
    table: Fallback,
}

impl Charset {
    fn new(name: &'static str) -> Charset {
        Charset { name, table: Fallback::new(Encoding::for_label(name).unwrap()).unwrap() }
    }

    /// Encodes `text` once more.
    fn read(&self, text: &str) -> String {
        text.bytes().map(|byte| self.table.read(byte)).collect()
    }

    /// True if `c` can be the result of reading `wanted`'s byte; in
    /// windows-1252 also the control character of the same value, as in
    /// ISO-8859-1.
    fn is(&self, c: char, wanted: char) -> bool {
        let control = |byte: u8| self.table.read(byte) == wanted && char::from(byte) == c;
        c == wanted || (self.name == "windows-1252" && (0x80..0xA0).any(control))
    }

    /// True if `original` is `fixed` with some characters encoded again, once or
    /// several times. `lost` accepts other results for a character.
    fn explains(&self, original: &[char], fixed: &[char], lost: impl Fn(char, char) -> bool + Copy) -> bool {
        let Some((first, rest)) = fixed.split_first() else { return original.is_empty() };
        if original.first().is_some_and(|c| folded(*c) == folded(*first)) && self.explains(&original[1..], rest, lost) {
            return true;
        }
        let mut form = first.to_string();
        for _ in 0..4 {
            form = self.read(&form);
            let chars: Vec<char> = form.chars().collect();
            let fits = |(c, wanted): (&char, &char)| self.is(*c, *wanted) || lost(*c, *wanted);
            if !first.is_ascii()
                && original.len() >= chars.len()
                && original.iter().zip(&chars).all(fits)
                && self.explains(&original[chars.len()..], rest, lost)
            {
                return true;
            }
        }
        false
    }
}

/// Quotation marks and ligatures, which the vectors also spell in other ways.
fn folded(c: char) -> String {
    match c {
        '‘' | '’' => "'".to_owned(),
        '“' | '”' | '„' => "\"".to_owned(),
        'ﬁ' => "fi".to_owned(),
        '，' => ",".to_owned(),
        c => c.to_string(),
    }
}

fn normalised(text: &str) -> String {
    text.chars().map(folded).collect()
}

struct Case {
    label: String,
    original: String,
    fixed: String,
    is_negative: bool,
}

fn cases() -> Option<Vec<Case>> {
    let text = fs::read_to_string(shared("vectors/ftfy_mojibake.json")?).unwrap();
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    let case = |value: &serde_json::Value| {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let label = text("label").unwrap();
        Case {
            // `å` is ambiguous: the expected text decides.
            is_negative: (value["set"] == "negative" || label.to_lowercase().contains("negative"))
                && !label.starts_with("Sort of negative"),
            label,
            original: text("original").unwrap(),
            fixed: text("fixed-encoding").or(text("fixed")).unwrap(),
        }
    };
    Some(all.as_array().unwrap().iter().map(case).collect())
}

/// The output of `repair --undouble` for each text.
fn undone(texts: &[&str]) -> Vec<String> {
    let place = Place::new();
    for (number, text) in texts.iter().enumerate() {
        place.file(format!("in/{number}"), text);
    }
    let ran = place.run(&["repair", "-s", "--undouble", "--in-place", "in"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    (0..texts.len()).map(|number| String::from_utf8(place.read(&format!("in/{number}"))).unwrap()).collect()
}

/// Reasons why a text is not a pure double encoding through windows-1252 or
/// ISO-8859-1.
fn cause(case: &Case) -> String {
    let (original, fixed): (Vec<char>, Vec<char>) = (case.original.chars().collect(), case.fixed.chars().collect());
    let nothing = |_, _| false;
    if normalised(&case.original) == normalised(&case.fixed) || case.label.contains("hopeless") {
        return "nothing to undo".to_owned();
    }
    if case.label.contains("Afrikaans") || case.label.contains("digraphs") {
        return "a ligature, not an encoding".to_owned();
    }
    let western = Charset::new("windows-1252");
    if western.explains(&original, &fixed, nothing) {
        return "pure".to_owned();
    }
    if case.original.contains('&') && case.original.contains(';') {
        return "HTML".to_owned();
    }
    if case.original.contains("\u{ED}\u{A0}\u{BD}") {
        return "CESU-8".to_owned();
    }
    if case.fixed.contains('\u{FFFD}') {
        return "lossy: U+FFFD or ? inside".to_owned();
    }
    let names = ["macintosh", "IBM437", "windows-1250", "windows-1251", "windows-1257", "ISO-8859-2"];
    for charset in names.map(Charset::new) {
        if charset.explains(&original, &fixed, nothing) {
            return format!("another charset: {}", charset.name);
        }
    }
    let space = |c: char, wanted: char| c == ' ' && wanted == '\u{A0}';
    for charset in ["windows-1252", "windows-1250", "windows-1251", "windows-1257"].map(Charset::new) {
        if charset.explains(&original, &fixed, space) {
            return "a space where U+00A0 was".to_owned();
        }
    }
    if case.original.chars().any(|c| matches!(c, '\u{80}'..='\u{9F}')) {
        return "C1 controls, or several encodings".to_owned();
    }
    "letters lost, or several encodings".to_owned()
}

#[test]
fn the_vectors_come_out_right_where_they_can() {
    let Some(cases) = cases() else { return };
    let originals: Vec<&str> = cases.iter().map(|case| case.original.as_str()).collect();
    let mut causes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut right, mut all_right, mut negative) = (0, 0, 0);
    for (case, undone) in cases.iter().zip(undone(&originals)) {
        if case.is_negative {
            negative += 1;
            // One has controls in place of punctuation, which is all that is undone in it.
            let has_controls = case.label == "Mostly negative: we only need to fix C1 control characters";
            assert_eq!(undone, if has_controls { &case.fixed[..] } else { &case.original[..] }, "{}", case.label);
            continue;
        }
        let cause = cause(case);
        let is_right = normalised(&undone) == normalised(&case.fixed);
        all_right += usize::from(is_right);
        if cause == "pure" {
            right += usize::from(is_right);
        }
        if !is_right {
            println!("{cause}: {}\n  {:?}\n  {undone:?}\n  {:?}", case.label, case.original, case.fixed);
        }
        *causes.entry(cause).or_default() += 1;
    }
    println!("{negative} negative; of the pure ones {right} right; {causes:#?}");
    assert!(right * 10 >= causes["pure"] * 9);
    let listed: Vec<(&str, usize)> = causes.iter().map(|(cause, count)| (cause.as_str(), *count)).collect();
    let known = vec![
        ("C1 controls, or several encodings", 8),
        ("CESU-8", 3),
        ("a space where U+00A0 was", 9),
        ("another charset: IBM437", 4),
        ("another charset: ISO-8859-2", 1),
        ("another charset: macintosh", 9),
        ("another charset: windows-1250", 6),
        ("another charset: windows-1251", 5),
        ("letters lost, or several encodings", 7),
        ("lossy: U+FFFD or ? inside", 13),
        ("nothing to undo", 6),
        ("pure", 46),
    ];
    assert_eq!((negative, right, listed), (44, 43, known));
    // All texts, whatever encoding they were read in.
    assert!(all_right >= 84, "{all_right}");
}

#[test]
fn what_is_right_is_left() {
    let Some(cases) = cases() else { return };
    // Other tools leave one unchanged.
    let are_right = |case: &&Case| !case.label.starts_with("Sort of negative");
    let fixed: Vec<&str> = cases.iter().filter(are_right).map(|case| case.fixed.as_str()).collect();
    for (fixed, undone) in fixed.iter().zip(undone(&fixed)) {
        assert_eq!(undone, *fixed);
    }
    let Some(data) = shared("data") else { return };
    let place = Place::new();
    let ran = place.run(&["repair", "--dry-run", "--undouble", data.to_str().unwrap()]);
    ran.is_silent_success();
}

#[test]
fn real_texts_come_back_from_two_and_three_layers() {
    let Some(data) = shared("data") else { return };
    let western = Charset::new("windows-1252");
    let latin = Fallback::new(Encoding::Latin1).unwrap();
    let german = "Grüße aus Köln: Straßenmäuse, Öl & Übermut – „schön“, sagte sie… 5 €\n";
    let mut texts = vec![german.repeat(20)];
    for folder in fs::read_dir(data).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            texts.push(text.chars().take(20_000).collect());
        }
    }
    let mut garbled = Vec::new();
    for text in &texts {
        let twice = western.read(text);
        garbled.push(western.read(&twice));
        garbled.push(twice.bytes().map(|byte| latin.read(byte)).collect());
        garbled.push(western.read(&garbled[garbled.len() - 2]));
        garbled.push(twice);
    }
    let garbled: Vec<&str> = garbled.iter().map(String::as_str).collect();
    for (number, undone) in undone(&garbled).into_iter().enumerate() {
        assert!(undone == texts[number / 4], "{}", texts[number / 4].chars().take(60).collect::<String>());
    }
    // From a pipe, which is also read twice.
    let ran = Place::new().pipe(&["repair", "-s", "--undouble"], garbled[0].as_bytes().chunks(1000));
    assert_eq!((ran.status, ran.out()), (0, texts[0].as_str()));
    assert_eq!(Fallback::new(Encoding::Legacy(Legacy::Windows1252)).unwrap().read(0x81), '\u{81}');
}
