//! `utfkit detect`.

use crate::common::{HOSTILE, Place, Ran, shared};
use serde_json::{Value, json};

fn objects(ran: &Ran) -> Vec<Value> {
    ran.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn people_get_a_line_with_the_reason_and_how_sure() {
    let place = Place::new();
    place.file("a.txt", "Grüße, 日本語, Съешь\n");
    place.file("b.txt", "plain\n");
    place.file("c.txt", b"H\0i\0 \0U\0T\0F\0\n\0");
    place.file("d.txt", b"\xEF\xBB\xBFcaf\xC3\xA9 na\xC3\xAFve\n\xE2\x82!");
    let ran = place.run(&["detect", "a.txt", "b.txt", "c.txt"]);
    assert_eq!(
        ran.lines(),
        [
            "a.txt: UTF-8 (certain: 10 sequences of several bytes, all well-formed; by chance 1 in 2^27)",
            "b.txt: US-ASCII (certain: no byte is above 7F, so that it is UTF-8 as well)",
            "c.txt: UTF-16LE (likely: 7 code points that make text, and none in the other byte order)",
        ]
    );
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let ran = place.run(&["detect", "d.txt"]);
    assert_eq!(
        ran.out(),
        "d.txt: UTF-8 (nearly certain: 3 well-formed sequences of several bytes, with 1 cut character \
         on line 2, column 1 (byte 16); BOM EF BB BF)\n"
    );
    assert_eq!(ran.status, 1, "ill-formed input was found");
    assert!(place.run(&["detect", "--color", "always", "a.txt"]).out().contains("\x1B["));
    assert!(place.run(&["detect", "-v", "c.txt"]).out().contains("[14 bytes, 7 of them NUL, 0 other controls]"));
}

#[test]
fn programs_get_an_object_or_a_mime_name() {
    let place = Place::new();
    place.file("a.xml", "\u{FEFF}<?xml version='1.0' encoding='ISO-8859-2'?><a>ё</a>");
    place.file("b.bin", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0");
    let ran = place.run(&["detect", "--format", "jsonl", "a.xml", "b.bin"]);
    let found = objects(&ran);
    assert_eq!(
        found[0],
        json!({"path": "a.xml", "encoding": "UTF-8", "bom": "UTF-8", "certainty": "certain", "declared": "ISO-8859-2",
               "reason": "2 sequences of several bytes, all well-formed; by chance 1 in 2^5; BOM EF BB BF; \
                          but it declares ISO-8859-2",
               "confidence": 0.996992, "language": null, "contradicted": true, "bytes": 55, "sequences": 2,
               "ill_formed": 0, "bits": 5})
    );
    assert_eq!((&found[1]["encoding"], &found[1]["ill_formed"], ran.status), (&Value::Null, &Value::Null, 1));
    let ran = place.run(&["detect", "--mime", "a.xml", "b.bin"]);
    assert_eq!(ran.out(), "a.xml: utf-8\nb.bin: binary\n");
    assert_eq!(place.run(&["detect", "--mime", "--format", "jsonl", "a.xml"]).status, 2);
}

#[test]
fn a_pipe_is_read_whole_however_it_comes() {
    let place = Place::new();
    let text = [&"Grüße aus Köln, ".repeat(3000).into_bytes()[..], b"\xFF"].concat();
    let whole = place.feed(&["detect"], &text);
    assert!(whole.out().starts_with("-: UTF-8 (nearly certain: ") && whole.status == 1, "{}", whole.out());
    for size in [777, 16_384, 40_000] {
        assert_eq!(place.pipe(&["detect", "-"], text.chunks(size)), whole);
    }
    assert_eq!(place.feed(&["detect"], b"").out(), "-: US-ASCII (certain: empty, without a byte in any encoding)\n");
}

#[test]
fn folders_are_walked_without_what_is_no_text() {
    let place = Place::new();
    place.file("p/a.txt", b"H\0i\0,\0 \0y\0o\0u\0");
    place.file("p/b.bin", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0");
    place.file("p/c.txt", b"Gr\xFC\xDFe aus K\xF6ln\n");
    let ran = place.portable(&["detect", "--mime", "p"]);
    assert_eq!((ran.status, ran.out()), (0, "p/a.txt: utf-16le\np/c.txt: windows-1252\n"), "UTF-16 is not binary");
    assert_eq!(
        ran.err,
        "utfkit: skipped 1 binary file (with NUL bytes); -v names it; to classify it anyway, name it\n"
    );
    assert!(place.portable(&["detect", "-v", "p"]).err.starts_with("utfkit: p/b.bin: binary, skipped (NUL at byte"));
    let ran = place.portable(&["detect", "p/b.bin", "missing", "p/c.txt"]);
    assert_eq!((ran.status, ran.lines().len()), (2, 2), "the others are answered");
    assert!(ran.err.starts_with("utfkit: missing: "), "{}", ran.err);
    for threads in ["1", "8"] {
        assert_eq!(place.portable(&["detect", "-j", threads, "p/b.bin", "missing", "p/c.txt"]), ran);
    }
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    let place = Place::new();
    place.file(format!("a{HOSTILE}.xml"), "<?xml version='1.0' encoding='\u{1B}[31mX'?><a>ё</a>");
    for args in [&["detect", "."][..], &["detect", "--mime", "."], &["detect", "--format", "jsonl", "."]] {
        let ran = place.run(args);
        assert!(!ran.out().contains(['\x1B', '\u{202E}']) && ran.lines().len() == 1, "{}", ran.out());
    }
}

#[test]
fn shared_texts_are_utf_8() {
    let Some(data) = shared("data") else { return };
    let ran = Place::new().run(&["detect", "--format", "jsonl", data.to_str().unwrap()]);
    let found = objects(&ran);
    assert!(ran.status == 0 && found.len() >= 10, "{}", ran.err);
    for file in found {
        let text = std::fs::read_to_string(file["path"].as_str().unwrap()).unwrap();
        let want = if text.is_ascii() { "US-ASCII" } else { "UTF-8" };
        assert_eq!((&file["encoding"], &file["certainty"]), (&json!(want), &json!("certain")), "{file}");
        assert_eq!((&file["bytes"], &file["ill_formed"]), (&json!(text.len()), &json!(0)));
    }
}

#[test]
fn help_names_every_member_of_an_object() {
    let place = Place::new();
    let help = place.run(&["detect", "--help"]);
    let shown = &objects(&place.feed(&["detect", "--format", "jsonl", "--candidates", "1"], b"x"))[0];
    for member in shown.as_object().unwrap().keys() {
        assert!(help.out().contains(&format!("\n  {member} ")), "{member}");
    }
}

/// Written for this test, in windows-1252.
const SPANISH: &[u8] =
    b"El se\xF1or N\xFA\xF1ez dijo que los ni\xF1os hab\xEDan cruzado el r\xEDo y que despu\xE9s durmieron all\xED.\n";

#[test]
fn only_encodings_that_were_asked_for_are_named() {
    let place = Place::new();
    place.file("es.txt", SPANISH);
    place.file("en.txt", "plain\n");
    let ran = place.run(&["detect", "--only", "windows-1252,utf-8", "es.txt", "en.txt"]);
    assert!(ran.lines()[0].starts_with("es.txt: windows-1252 (") && !ran.out().contains("ISO-8859-1"), "{}", ran.out());
    assert!(ran.lines()[1].starts_with("en.txt: UTF-8 (certain: "), "{}", ran.out());
    assert_eq!(ran.status, 0);
    let ran = place.run(&["detect", "--not", "cp1252", "--not", "latin1", "--mime", "es.txt"]);
    assert!(ran.status == 0 && !ran.out().contains("1252") && !ran.out().contains("8859-1\n"), "{}", ran.out());
    let ran = place.run(&["detect", "--only", "utf-8,utf-16,shift_jis", "es.txt"]);
    assert_eq!(ran.out(), "es.txt: unknown (text in none of the encodings that were asked for)\n");
    assert_eq!(ran.status, 1);
    // `web:` before a name reads it as a browser does, here too.
    assert_eq!(place.run(&["detect", "--only", "web:latin1", "--mime", "es.txt"]).out(), "es.txt: windows-1252\n");
}

/// Well-formed UTF-8 is not mixed with another encoding.
#[test]
fn utf_8_that_is_excluded_is_not_mixed() {
    let place = Place::new();
    place.file("a.txt", "Größe\n");
    for args in [&["--not", "UTF-8"][..], &["--only", "windows-1251,KOI8-R"]] {
        let ran = place.run(&[&["detect"], args, &["a.txt"]].concat());
        assert!(!ran.out().contains("mixed") && !ran.out().contains("UTF-8,"), "{}", ran.out());
    }
}

/// Browsers read a page that is labelled so in windows-1252.
#[test]
fn a_label_of_iso_8859_1_does_not_contradict_windows_1252() {
    let place = Place::new();
    place.file("a.py", b"# -*- coding: iso-8859-1 -*-\n# \x84Gr\xF6\xDFe\x93 \x96 sch\xF6n\n");
    let ran = place.run(&["detect", "a.py"]);
    assert!(ran.out().contains("declared, and every byte fits; the label is iso-8859-1)"), "{}", ran.out());
}

#[test]
fn a_language_makes_its_encodings_likelier() {
    let place = Place::new();
    // A word of four letters, in KOI8-R.
    place.file("a.txt", b"\xD3\xC5\xCC\xC1");
    assert_eq!(place.run(&["detect", "--mime", "--language", "ru", "a.txt"]).out(), "a.txt: koi8-r\n");
    place.file("es.txt", SPANISH);
    for told in ["es", "ru,ja", "Greek", "zh-Hant"] {
        let ran = place.run(&["detect", "--language", told, "es.txt"]);
        assert!(
            ran.out().starts_with("es.txt: windows-1252 (") && ran.out().ends_with("), Spanish\n"),
            "{}",
            ran.out()
        );
    }
    assert!(place.run(&["detect", "-v", "es.txt"]).out().contains("), Spanish ["));
}

#[test]
fn candidates_stand_below_the_file_the_likeliest_first() {
    let place = Place::new();
    place.file("es.txt", SPANISH);
    let ran = place.run(&["detect", "--candidates", "3", "es.txt"]);
    let lines = ran.lines();
    assert!(lines.len() == 4 && lines[0].ends_with("), Spanish"), "{}", ran.out());
    let percent = |line: &str| {
        let number = line.split('%').next().unwrap().trim_start_matches([' ', '<', '>']).trim();
        number.parse::<f64>().unwrap()
    };
    assert!(lines[1].contains(" %  windows-1252, Spanish (ISO-8859-1, ") && percent(lines[1]) > 95.0, "{}", lines[1]);
    assert!(percent(lines[2]) >= percent(lines[3]), "{}", ran.out());
    let found = &objects(&place.run(&["detect", "--candidates", "2", "--format", "jsonl", "es.txt"]))[0];
    let candidates = found["candidates"].as_array().unwrap();
    assert_eq!((candidates.len(), &found["language"]), (2, &json!("es")), "{found}");
    assert_eq!(candidates[0]["encoding"], "windows-1252");
    assert_eq!(candidates[0]["probability"], found["confidence"]);
    assert!(candidates[0]["alike"].as_array().unwrap().contains(&json!("ISO-8859-1")));
    assert!(objects(&place.run(&["detect", "--format", "jsonl", "es.txt"]))[0].get("candidates").is_none());
    for wrong in [&["--candidates", "0"][..], &["--candidates", "many"], &["--mime", "--candidates", "2"]] {
        assert_eq!(place.run(&[&["detect"], wrong, &["es.txt"]].concat()).status, 2, "{wrong:?}");
    }
}

#[test]
fn a_wrong_name_is_answered_with_a_near_one() {
    let place = Place::new();
    for (args, advice) in [
        (["--only", "utf-8,windows-1522"], "did you mean `windows-1252`?"),
        (["--not", "Shfit_JIS"], "did you mean `Shift_JIS`?"),
        (["--language", "de,Frnech"], "did you mean `French`?"),
        (["--language", "klingon"], "unknown language"),
    ] {
        let ran = place.run(&[&["detect"], &args[..], &["a.txt"]].concat());
        assert!(ran.status == 2 && ran.err.contains(advice), "{}", ran.err);
    }
}

#[test]
fn the_pieces_of_a_joined_file_are_listed() {
    let place = Place::new();
    let wide: Vec<u8> = "Größe: 12 MB\r\nEnde\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bytes = ["первая строка\n".as_bytes(), &wide, b"last\n"].concat();
    place.file("a", &bytes);
    let said = "mixed (nearly certain: UTF-8 on line 1, UTF-16LE on lines 2–3, US-ASCII on line 4)";
    assert_eq!(place.run(&["detect", "a"]).out(), format!("a: {said}\n"));
    let ran = place.feed(&["detect"], &bytes);
    assert_eq!((ran.out(), ran.status), (&*format!("-: {said}\n"), 1));
    let found = &objects(&place.run(&["detect", "--format", "jsonl", "a"]))[0];
    let pieces: Vec<_> = found["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| {
            json!([piece["offset"], piece["length"], piece["first_line"], piece["last_line"], piece["encoding"]])
        })
        .collect();
    assert_eq!(
        pieces,
        [json!([0, 26, 1, 1, "UTF-8"]), json!([26, 40, 2, 3, "UTF-16LE"]), json!([66, 5, 4, 4, "US-ASCII"])]
    );
    assert_eq!((&found["encoding"], &found["mixed"]), (&Value::Null, &json!(true)));
}

/// Every command says the same encoding, and how sure it is.
#[test]
fn commands_agree_about_a_file() {
    let (polish, russian) = ("Zażółć gęślą jaźń w Łodzi.\n", "Письмо отправлено в среду.\n");
    let wide: Vec<u8> = "Ответ пришёл утром.\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (old_polish, _, _) = encoding_rs::WINDOWS_1250.encode("Wróćmy do łąki, gdzie śpią żółwie.\n");
    let row = |n: usize| match n % 7 {
        3 => encoding_rs::WINDOWS_1252.encode("('Größe für Äpfel')").0.into_owned(),
        _ => "('Größe für Äpfel')".into(),
    };
    let cut = &russian.as_bytes()[..19];
    // The name, the bytes, their encoding, and its certainty.
    let files = [
        ("mixed.txt", [polish.repeat(6).as_bytes(), &old_polish, polish.as_bytes()].concat(), "windows-1250", "likely"),
        ("line.sql", (0..40).map(row).collect::<Vec<_>>().join(&b","[..]), "windows-1252", "likely"),
        ("joined.txt", [russian.as_bytes(), &wide].concat(), "UTF-16LE", "nearly certain"),
        (
            "old.txt",
            encoding_rs::WINDOWS_1251.encode(&russian.repeat(5)).0.into_owned(),
            "windows-1251",
            "nearly certain",
        ),
        (
            "declared.html",
            encoding_rs::ISO_8859_2.encode("<meta charset=\"iso-8859-2\"><p>Zażółć gęślą jaźń</p>\n").0.into_owned(),
            "ISO-8859-2",
            "nearly certain",
        ),
        (
            "cut.csv",
            [russian.repeat(5).as_bytes(), cut, b"\xD0,5\n", russian.as_bytes()].concat(),
            "cut character",
            "nearly certain",
        ),
    ];
    for (name, bytes, encoding, sure) in files {
        let place = Place::new();
        place.file(name, &bytes);
        let detected = place.run(&["detect", name]).out().to_owned();
        assert!(detected.contains(encoding) && detected.contains(sure), "{detected}");
        let checked = place.run(&["check", name]).err;
        let repaired = place.run(&["repair", "--fallback", "auto", "-n", name]).err;
        let planned = place.run(&["fix", "--trust", "likely", name]).out().to_owned();
        place.run(&["report", "-o", "report.html", name]);
        let reported = String::from_utf8(place.read("report.html")).unwrap();
        if name == "joined.txt" {
            // It has no byte that is ill-formed in UTF-8.
            assert_eq!(checked, "");
        } else {
            let hint = checked.lines().last().unwrap_or_default().rsplit("; try: ").next().unwrap_or_default();
            assert!(checked.contains(encoding) && reported.contains(hint), "{name}: {checked}");
            assert!(hint.starts_with("utfkit "), "{checked}");
        }
        match name {
            "cut.csv" => {
                assert!(planned.contains("cut"), "{planned}");
                assert!(repaired.contains("1 sequence replaced"), "{repaired}");
            }
            _ => {
                assert!(planned.contains(encoding) && planned.contains(sure), "{name}: {planned}");
                assert!(repaired.contains(&format!("read as {encoding} ({sure})")), "{name}: {repaired}");
            }
        }
    }
}
