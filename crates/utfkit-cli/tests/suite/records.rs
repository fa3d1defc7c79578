//! Texts in records: controls between fields are text, stray NUL is not, and two faults in one file
//! are mended in one run.

use crate::common::Place;

fn encoded(label: &str, text: &str) -> Vec<u8> {
    let (bytes, _, has_failed) = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text);
    assert!(!has_failed, "{label}: {text}");
    bytes.into_owned()
}

const GERMAN: [&str; 6] = [
    "Über den Dächern der Stadt läuten die Glocken zur späten Stunde.",
    "Die größte Brücke führt über den schmalen Fluß nach Süden.",
    "Jürgen hört gern Musik, während er das Frühstück zubereitet.",
    "Für die Prüfung müssen alle Schüler die Wörter üben.",
    "Der Bäcker verkauft täglich frische Brötchen und süße Stückchen.",
    "Im März blühen die ersten Blumen vor unserem schönen Haus.",
];
const RUSSIAN: [&str; 6] = [
    "Наступила осень, и листья на деревьях пожелтели.",
    "Вечером вся семья собирается за большим столом.",
    "Поезд прибывает на вокзал ровно в девять часов утра.",
    "Учитель попросил детей открыть учебники на новой странице.",
    "В библиотеке тихо, и никто не мешает читать книги.",
    "Завтра мы поедем на дачу и будем собирать яблоки.",
];

/// Fields and records with marks, as MARC, HL7, FIX, scales and `find -print0` have them.
fn records(lines: &[&str]) -> Vec<(&'static str, String)> {
    let joined = |between: &str, end: &str| lines.iter().map(|line| format!("{line}{between}1{end}")).collect();
    vec![
        ("marc", joined("\u{1F}a", "\u{1E}")),
        ("hl7", lines.iter().map(|line| format!("\u{B}MSH|^~\\&|{line}\r\u{1C}\r")).collect()),
        ("fix", lines.iter().map(|line| format!("8=FIX.4.2\u{1}58={line}\u{1}10=128\u{1}\n")).collect()),
        ("scale", lines.iter().map(|line| format!("\u{2}{line}\u{3}\r\n")).collect()),
        ("print0", joined("/x", "\0")),
        ("fixed", lines.iter().map(|line| format!("{line}{}", "\0".repeat(8))).collect()),
        ("padded", joined(",,", "\0\0\0\n")),
    ]
}

#[test]
fn controls_between_fields_made_a_text_binary() {
    for (label, lines) in [("windows-1252", GERMAN), ("windows-1251", RUSSIAN), ("koi8-r", RUSSIAN)] {
        for (name, text) in records(&lines) {
            let place = Place::new();
            let before = encoded(label, &text);
            place.file("data", &before);
            let detected = place.run(&["detect", "data"]);
            assert!(!detected.out().contains("binary"), "{name} {label} {}", detected.out());
            let plan = place.run(&["fix", "data"]);
            assert!(!plan.out().contains("binary"), "{name} {label} {}", plan.out());
            // Records with NUL may be no text: they are never changed without being asked.
            if text.contains('\0') {
                for args in [&["fix", "--yes"][..], &["repair", "--fallback", "auto", "--in-place"]] {
                    place.run(&[args, &["data"]].concat());
                    assert_eq!(place.read("data"), before, "{name} {label} {args:?}");
                }
            }
            let ran = place.run(&["fix", "--yes", "--trust", "likely", "data"]);
            assert_eq!(String::from_utf8_lossy(&place.read("data")), text, "{name} {label} {}", ran.out());
            place.run(&["undo"]);
            assert_eq!(place.read("data"), before, "{name} {label}");
        }
    }
}

#[test]
fn a_stray_nul_in_old_text_has_a_way_out() {
    let place = Place::new();
    let lines = RUSSIAN.join("\n");
    let hole = format!("{lines}\n{}{lines}\n", "\0".repeat(60));
    let stray = format!("{lines}\0\n");
    let mixed = [lines.as_bytes(), b"\na\0b\n", &encoded("windows-1251", &lines)].concat();
    let whole = [lines.as_bytes(), b"\na\0b\n", lines.as_bytes()].concat();
    for (name, before, after) in [
        ("hole", encoded("windows-1251", &hole), hole.into_bytes()),
        ("stray", encoded("windows-1251", &stray), stray.into_bytes()),
        ("mixed", mixed, whole),
    ] {
        place.file(name, &before);
        let plan = place.run(&["fix", "--yes", name]);
        assert_eq!((plan.status, place.read(name) == before), (1, true), "{name} {}", plan.out());
        let line = plan.lines().into_iter().find(|line| line.contains(": binary: NUL at byte ")).unwrap_or_default();
        let advice = line.rsplit("; ").next().unwrap_or_default().strip_suffix(" treats it as text");
        let advice: Vec<&str> = advice.unwrap_or_else(|| panic!("{name} {}", plan.out())).split(' ').collect();
        place.run(&[&["fix", "--yes"], &advice[..], &[name]].concat());
        assert_eq!(String::from_utf8_lossy(&place.read(name)), String::from_utf8_lossy(&after), "{name} {advice:?}");
        place.run(&["undo"]);
        assert_eq!(place.read(name), before, "{name}");
    }
}

#[test]
fn stray_nul_goes_with_controls_that_are_removed_from_old_text() {
    let place = Place::new();
    let text = GERMAN.join("\n") + "\n";
    for (name, with) in [("one", text.replace("Musik", "Mus\0ik")), ("rows", text.replace('\n', "\0\0\n"))] {
        let before = encoded("windows-1252", &with);
        place.file(name, &before);
        place.run(&["fix", "--yes", "--trust", "likely", "--controls", "remove", name]);
        assert_eq!(String::from_utf8_lossy(&place.read(name)), text, "{name}");
        place.run(&["undo"]);
        assert_eq!(place.read(name), before, "{name}");
    }
}

#[test]
fn utf_8_with_nul_is_utf_8() {
    let place = Place::new();
    place.file("hole", format!("{}\n{}{}\n", GERMAN[0], "\0".repeat(50), GERMAN[1]));
    let ran = place.run(&["fix", "hole"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "utfkit: 0 files to change, 1 in UTF-8 already\n"), "{}", ran.out());
}

#[test]
fn nobody_is_told_to_take_a_picture_for_text() {
    let place = Place::new();
    let text = encoded("windows-1251", &RUSSIAN.join("\n"));
    for magic in [&b"\x89PNG\r\n\x1A\n"[..], b"%PDF-1.4\n", b"P4\n64 64\n", b"RIFF\x20\x20\x20\x20WAVE"] {
        let before = [magic, &text].concat();
        place.file("file", &before);
        for args in
            [&["fix"][..], &["repair", "--in-place", "--fallback", "auto"], &["convert", "-f", "auto", "--in-place"]]
        {
            let ran = place.run(&[args, &["file"]].concat());
            let said = ran.out().to_owned() + &ran.err;
            assert!(said.contains("binary: it begins like ") && !said.contains("-a "), "{args:?} {said}");
            assert_eq!(place.read("file"), before, "{args:?}");
        }
    }
}

/// UTF-8 that was read as windows-1252 and encoded again.
fn doubled(text: &str) -> String {
    text.bytes().map(|byte| encoding_rs::WINDOWS_1252.decode(&[byte]).0.into_owned()).collect()
}

#[test]
fn old_lines_and_doubled_lines_needed_two_runs() {
    let place = Place::new();
    let line = |text: &str| text.to_owned() + "\n";
    let wanted = [&RUSSIAN[..], &RUSSIAN[..3], &RUSSIAN[3..]].concat().into_iter().map(line).collect::<String>();
    let old: String = RUSSIAN[..3].iter().copied().map(line).collect();
    let twice: String = RUSSIAN[3..].iter().map(|text| line(&doubled(text))).collect();
    let clean: String = RUSSIAN.iter().copied().map(line).collect();
    let before = [clean.as_bytes(), &encoded("windows-1251", &old), twice.as_bytes()].concat();
    place.file("a.txt", &before);
    let plan = place.run(&["fix", "a.txt"]);
    assert!(plan.lines()[1].ends_with("repair (windows-1251), undouble windows-1252"), "{}", plan.out());
    place.run(&["fix", "--yes", "a.txt"]);
    assert_eq!(String::from_utf8_lossy(&place.read("a.txt")), wanted);
    place.run(&["undo"]);
    assert_eq!(place.read("a.txt"), before);

    // UTF-16 with doubled lines.
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let before = units(&format!("\u{FEFF}{clean}{twice}"));
    place.file("b.txt", &before);
    place.run(&["fix", "--yes", "b.txt"]);
    let wanted: String = RUSSIAN.iter().chain(&RUSSIAN[3..]).copied().map(line).collect();
    assert_eq!(String::from_utf8_lossy(&place.read("b.txt")), wanted);
    place.run(&["undo"]);
    assert_eq!(place.read("b.txt"), before);
}

#[test]
fn a_bom_that_was_encoded_twice_needed_two_runs_or_was_left() {
    let place = Place::new();
    for (number, text) in GERMAN.iter().chain(&RUSSIAN).chain(&["Θα έρθουμε αύριο", "ガラスの窓"]).enumerate()
    {
        let name = format!("{number}.txt");
        let text = format!("{text}\n{}\n", GERMAN[1]);
        for (rest, wanted) in [(text.clone(), text.clone()), (doubled(&text), text)] {
            let before = doubled("\u{FEFF}") + &rest;
            place.file(&name, &before);
            let plan = place.run(&["fix", "--trust", "likely", &name]);
            assert!(plan.out().contains("drop the BOM"), "{}", plan.out());
            place.run(&["fix", "--trust", "likely", "--yes", &name]);
            assert_eq!(String::from_utf8_lossy(&place.read(&name)), wanted, "{before}");
            place.run(&["undo"]);
            assert_eq!(String::from_utf8_lossy(&place.read(&name)), before);
        }
    }
    // Text about such a BOM.
    for text in ["ï»¿ is a BOM\n", "ï»¿, Größe\n"] {
        place.file("about.txt", text);
        place.run(&["fix", "--yes", "about.txt"]);
        assert_eq!(String::from_utf8_lossy(&place.read("about.txt")), text);
    }
}

#[test]
fn a_file_that_others_say_is_old_is_left_alone() {
    let place = Place::new();
    let page = encoded("windows-1252", &format!("<html><body>{}</body></html>\n", GERMAN.join("\n")));
    let code = encoded("windows-1252", &GERMAN.map(|line| format!("# {line}\n")).concat());
    place.file("site/.htaccess", "AddDefaultCharset ISO-8859-1\n");
    place.file("site/de/index.html", &page);
    place.file("pkg/DESCRIPTION", "Package: pkg\nEncoding: latin1\n");
    place.file("pkg/R/zzz.R", &code);
    for (file, before, by) in [("site/de/index.html", &page, ".htaccess"), ("pkg/R/zzz.R", &code, "DESCRIPTION")] {
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
        assert!(ran.out().contains(by) && ran.out().contains("--force"), "{}", ran.out());
        assert_eq!(&place.read(file), before, "{file}");
        let ran = place.run(&["convert", "-f", "windows-1252", "--in-place", file]);
        assert!(ran.err.contains("it is UTF-8 now, and ") && ran.err.contains(by), "{}", ran.err);
        place.run(&["undo"]);
        assert_eq!(&place.read(file), before, "{file}");
    }
    // A server that says UTF-8 is no reason to leave them.
    place.file("site/.htaccess", "AddDefaultCharset UTF-8\n");
    place.run(&["fix", "--yes", "--trust", "likely", "site"]);
    assert!(String::from_utf8(place.read("site/de/index.html")).is_ok());
}
