//! `utfkit names`: names become UTF-8, nothing is lost, and a run can be undone.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, KOI8_R, SHIFT_JIS};
use encoding_rs::{WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1255, WINDOWS_1256};

use crate::common::Place;

/// Names of a folder in the customary encoding of their language.
const LANGUAGES: [(&Encoding, &str); 13] = [
    (SHIFT_JIS, "旅行の思い出.jpg|去年の書類.txt|家族の写真 2.png|日記帳.doc|お知らせ.pdf|町内会の名簿.xls"),
    (EUC_JP, "旅行の思い出.jpg|去年の書類.txt|家族の写真 2.png|日記帳.doc|お知らせ.pdf|町内会の名簿.xls"),
    (GBK, "去年的照片.jpg|家庭成员名单.txt|学习笔记.doc|回忆录 第二章.txt|通知大家.pdf|旅行计划.xls"),
    (BIG5, "去年的照片.jpg|家庭成員名單.txt|學習筆記.doc|回憶錄 第二章.txt|通知書.pdf|旅行計畫.xls"),
    (EUC_KR, "작년 사진.jpg|가족 명단.txt|공부한 내용.doc|회고록 2장.txt|알림.pdf|여행 계획.xls"),
    (WINDOWS_1251, "Прошлогодние снимки.jpg|Список родственников.txt|Дневник.doc|Объявление.pdf|Поездка.xls"),
    (KOI8_R, "Прошлогодние снимки.jpg|Список родственников.txt|Дневник.doc|Объявление.pdf|Поездка.xls"),
    (WINDOWS_1250, "Loňské fotky.jpg|Příbuzní a přátelé.txt|Deník ze školy.doc|Vyhláška č. 5.pdf|Výlet k řece.xls"),
    (WINDOWS_1252, "Mémoires d'été.txt|Photos de Noël à la forêt.jpg|Le château des évêques.doc|Réunion générale.pdf"),
    (WINDOWS_1253, "Περσινές εικόνες.jpg|Κατάλογος συγγενών.txt|Ημερολόγιο ταξιδιού.doc|Ανακοίνωση.pdf|Εκδρομή.xls"),
    (WINDOWS_1255, "תמונות משנה שעברה.jpg|רשימת קרובים.txt|יומן מסע.doc|הודעה לתושבים.pdf|טיול משפחתי.xls"),
    (WINDOWS_1256, "صور السنة الماضية.jpg|قائمة الأقارب.txt|يوميات السفر.doc|إعلان للسكان.pdf|رحلة عائلية.xls"),
    (WINDOWS_874, "ภาพถ่ายปีที่แล้ว.jpg|รายชื่อญาติ.txt|บันทึกการเดินทาง.doc|ประกาศ.pdf|แผนท่องเที่ยว.xls"),
];

fn bytes(encoding: &'static Encoding, name: &str) -> OsString {
    let (bytes, _, lossy) = encoding.encode(name);
    assert!(!lossy, "{name} in {}", encoding.name());
    OsString::from_vec(bytes.into_owned())
}

/// All paths below the folder, with the content of files and the targets of links.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let found = fs::symlink_metadata(&path).unwrap();
        if found.is_dir() {
            all.extend(tree(&path));
        }
        let content = match fs::read_link(&path) {
            Ok(target) => target.into_os_string().into_vec(),
            Err(_) if found.is_dir() => b"folder".to_vec(),
            Err(_) => fs::read(&path).unwrap(),
        };
        all.insert(path, content);
    }
    all
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn sorted(names: &str) -> Vec<String> {
    let mut names: Vec<_> = names.split('|').map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn the_names_of_each_language_become_utf_8_and_are_taken_back() {
    for (encoding, list) in LANGUAGES {
        let place = Place::new();
        for name in list.split('|') {
            place.file(Path::new("old").join(bytes(encoding, name)), name);
        }
        let before = tree(place.path());
        let plan = place.run(&["names", "old"]);
        assert_eq!((plan.status, tree(place.path()) == before), (1, true), "only a plan");
        let ran = place.run(&["names", "--yes", "--trust", "likely", "old"]);
        assert_eq!(ran.status, 0, "{}: {}{}", encoding.name(), ran.out(), ran.err);
        assert_eq!(names(&place.path().join("old")), sorted(list), "{}", encoding.name());
        assert_eq!(place.run(&["names", "old"]).status, 0, "a second run has nothing to do");
        let undone = place.run(&["undo"]);
        assert_eq!((undone.status, tree(place.path()) == before), (0, true), "{}", undone.err);
    }
}

#[test]
fn a_folder_with_one_name_is_read_as_the_folders_around_it() {
    for (encoding, list) in LANGUAGES {
        let place = Place::new();
        let (first, rest) = list.split_once('|').unwrap();
        place.file(Path::new("all/alone").join(bytes(encoding, first)), "");
        for name in rest.split('|') {
            place.file(Path::new("all/many").join(bytes(encoding, name)), "");
        }
        let ran = place.run(&["names", "--yes", "--trust", "likely", "all"]);
        assert_eq!(ran.status, 0, "{}: {}", encoding.name(), ran.out());
        assert_eq!(names(&place.path().join("all/alone")), [first], "{}", encoding.name());
    }
}

#[test]
fn two_encodings_side_by_side_stay_apart() {
    for (i, (encoding, list)) in LANGUAGES.iter().enumerate() {
        let (other, others) = LANGUAGES[(i + 5) % LANGUAGES.len()];
        let place = Place::new();
        list.split('|').for_each(|name| drop(place.file(Path::new("a/one").join(bytes(encoding, name)), "")));
        others.split('|').for_each(|name| drop(place.file(Path::new("a/two").join(bytes(other, name)), "")));
        let ran = place.run(&["names", "--yes", "--trust", "likely", "a"]);
        assert_eq!(ran.status, 0, "{} and {}: {}", encoding.name(), other.name(), ran.out());
        assert_eq!(names(&place.path().join("a/one")), sorted(list));
        assert_eq!(names(&place.path().join("a/two")), sorted(others));
    }
}

#[test]
fn the_encoding_can_be_named() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b"x/\x8D\xAE\xA2\xEB\xA9.txt"), "");
    assert_eq!(place.run(&["names", "x"]).status, 1);
    assert_eq!(place.run(&["names", "--yes", "--from", "IBM866", "x"]).status, 0);
    assert_eq!(names(&place.path().join("x")), ["Новый.txt"]);
    // What is UTF-8 stays, whatever is named.
    assert_eq!(place.run(&["names", "--yes", "--from", "KOI8-R", "x"]).status, 0);
    assert_eq!(names(&place.path().join("x")), ["Новый.txt"]);
    let wrong = place.run(&["names", "--from", "koi9", "x"]);
    assert!(wrong.status == 2 && wrong.err.contains("did you mean"), "{}", wrong.err);
}

#[test]
fn names_that_were_encoded_twice_are_decoded() {
    let place = Place::new();
    let right = ["Überschwemmung.txt", "Früchte & Gemüse.jpg", "Café Zürich.doc", "Schlußverkauf.pdf"];
    for name in right {
        let doubled: String = name.bytes().map(char::from).collect();
        let doubled = doubled.replace('\u{9C}', "œ").replace('\u{9F}', "Ÿ");
        place.file(Path::new("d").join(doubled), "");
    }
    let before = tree(place.path());
    let ran = place.run(&["names", "--yes", "d"]);
    assert_eq!((ran.status, names(&place.path().join("d"))), (0, sorted(&right.join("|"))), "{}", ran.out());
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(tree(place.path()), before);
}

#[test]
fn names_that_are_right_stay() {
    let place = Place::new();
    for (_, list) in LANGUAGES {
        list.split('|').for_each(|name| drop(place.file(Path::new("all").join(name), "")));
    }
    for name in ["AMANHÃ", "Ángel", "naïve", "½", "Ω", "a\u{301}", "25 m²", "💾"] {
        place.file(Path::new("all").join(name), "");
    }
    let ran = place.run(&["names", "all"]);
    assert_eq!((ran.status, ran.out()), (0, ""));
    assert!(ran.err.contains("1 decomposed (--nfc composes them)"), "{}", ran.err);
}

#[test]
fn the_normalization_form_changes_if_asked() {
    let place = Place::new();
    place.file("n/Ca\u{301}diz.txt", "1");
    place.file("n/I\u{308}le/Noe\u{308}l.txt", "2");
    let before = tree(place.path());
    assert_eq!(place.run(&["names", "--yes", "--nfc", "n"]).status, 0);
    assert_eq!(
        (place.read("n/C\u{E1}diz.txt"), place.read("n/\u{CF}le/No\u{EB}l.txt")),
        (b"1".to_vec(), b"2".to_vec())
    );
    assert_eq!(place.run(&["names", "--nfc", "n"]).status, 0);
    assert_eq!(place.run(&["names", "--yes", "--nfd", "n"]).status, 0);
    assert_eq!(tree(place.path()), before);
    assert_eq!(place.run(&["names", "--nfc", "--nfd", "n"]).status, 2);
}

#[test]
fn no_name_is_taken_from_another_file() {
    let place = Place::new();
    // One name exists, two become one, and one is too long.
    place.file("c/é.txt", "there");
    place.file(OsStr::from_bytes(b"c/\xE9.txt"), "other");
    place.file("c/o\u{308}", "decomposed");
    place.file(OsStr::from_bytes(b"c/\xF6"), "one byte");
    place.file(OsString::from_vec([b"c/".as_slice(), &[0xE4; 130]].concat()), "long");
    let before = tree(place.path());
    let ran = place.run(&["names", "--yes", "--nfc", "--from", "ISO-8859-1", "c"]);
    assert_eq!((ran.status, tree(place.path()) == before), (1, true), "{}", ran.out());
    for why in ["there is a \"é.txt\" already", "two names would become \"ö\"", "its name would have 260 bytes"] {
        assert!(ran.out().contains(why), "{why}: {}", ran.out());
    }
}

#[test]
fn a_name_that_another_gives_up_is_free() {
    // `Ã©` was encoded twice and becomes `é`; the byte C3 A9 in Latin-1 is `Ã©` too.
    let place = Place::new();
    let first = OsString::from_vec(b"chain/caf\xC3\x83\xC2\xA9 \xC3\x83\xC2\xA0 la carte".to_vec());
    place.file(&first, "first");
    for name in ["thÃ©", "pÃ¢tÃ©", "dÃ©jÃ\u{A0} vu", "mÃ¨re"] {
        place.file(Path::new("chain").join(name), name);
    }
    place.file("chain/cafÃ\u{83}Â© Ã\u{83}Â\u{A0} la carte", "second");
    let before = tree(place.path());
    let ran = place.run(&["names", "--yes", "chain"]);
    assert!(ran.status < 2, "{}", ran.err);
    assert_eq!(tree(place.path()).len(), before.len());
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(tree(place.path()), before);
}

#[test]
fn hidden_folders_and_version_control_are_not_entered_and_links_not_followed() {
    let place = Place::new();
    for folder in ["t/.git", "t/.hidden", "elsewhere"] {
        place.file(Path::new(folder).join(OsStr::from_bytes(b"Stra\xDFe")), "");
    }
    place.file(OsStr::from_bytes(b"t/Gr\xF6\xDFe/Ma\xDF.txt"), "");
    symlink("../elsewhere", place.path().join("t/away")).unwrap();
    symlink(OsStr::from_bytes(b"Gr\xF6\xDFe/Ma\xDF.txt"), place.path().join("t/link")).unwrap();
    let ran = place.run(&["names", "--yes", "--from", "latin1", "t"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(place.path().join("t/Größe/Maß.txt").exists());
    for folder in ["t/.git", "t/.hidden", "elsewhere"] {
        assert!(place.path().join(folder).join(OsStr::from_bytes(b"Stra\xDFe")).exists(), "{folder}");
    }
    assert!(ran.out().contains("t/link -> Gr\\xF6\\xDFe/Ma\\xDF.txt"), "the link is named: {}", ran.out());
}

#[test]
fn a_named_path_is_renamed_itself() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b"M\xFCll/\xC4pfel"), "");
    place.file(OsStr::from_bytes(b"B\xE4ume"), "");
    let before = tree(place.path());
    let mut command = place.command(&["names", "--yes", "--from", "latin1"]);
    command.arg(OsStr::from_bytes(b"M\xFCll"));
    assert!(command.status().unwrap().success());
    assert!(place.path().join("Müll/Äpfel").exists());
    assert!(place.path().join(OsStr::from_bytes(b"B\xE4ume")).exists(), "its neighbour was not named");
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(tree(place.path()), before);
}

#[test]
fn what_windows_refuses_is_escaped_and_what_it_confuses_reported() {
    let place = Place::new();
    for name in ["10:30.log", "aux.c", "end.", "why?.txt", "Readme", "README", "fine.txt"] {
        place.file(Path::new("p").join(name), name);
    }
    let ran = place.run(&["names", "--yes", "--portable", "p"]);
    assert_eq!(ran.status, 1);
    assert!(ran.out().contains("Windows takes it and \"README\" for one name"), "{}", ran.out());
    let all = ["10%3A30.log", "README", "Readme", "aux_.c", "end%2E", "fine.txt", "why%3F.txt"];
    assert_eq!(names(&place.path().join("p")), all);
}

#[test]
fn names_with_line_feeds_and_escapes_are_shown_safely() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b"s/\x1B[31m\xFC\nx\xE4.txt"), "");
    let ran = place.run(&["names", "--yes", "--from", "latin1", "s"]);
    assert!(ran.status == 0 && !ran.out.contains(&0x1B), "{}", ran.out());
    assert!(place.path().join("s/\u{1B}[31mü\nxä.txt").exists());
}

#[test]
fn the_plan_is_one_object_a_name_for_programs() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b"j/Gr\xFC\xDFe"), "");
    let ran = place.run(&["names", "--format", "jsonl", "--from", "latin1", "j"]);
    let row: serde_json::Value = serde_json::from_str(ran.out()).unwrap();
    let path = place.path().canonicalize().unwrap();
    assert!(row["path"].as_str().unwrap().starts_with(path.to_str().unwrap()));
    assert_eq!(
        (&row["new"], &row["encoding"], &row["actions"][0]),
        (&"Grüße".into(), &"ISO-8859-1".into(), &"convert".into())
    );
}

#[test]
fn a_log_from_elsewhere_cannot_rename_outside_of_its_folder() {
    let place = Place::new();
    place.file("in/now", "");
    place.file("out", "");
    symlink("..", place.path().join("in/up")).unwrap();
    let folder = place.path().canonicalize().unwrap().join("in");
    for (path, to) in
        [("../new", "out"), ("up/new", "out"), ("a", "../out"), ("a/..", "now"), (".git/x", "now"), ("b", "")]
    {
        let log = format!(
            "{{\"log\":\"utfkit\",\"version\":2,\"command\":\"names\",\"path\":\"{}\"}}\n\
             {{\"path\":\"{path}\",\"rename\":true,\"to\":\"{to}\"}}\n",
            folder.display()
        );
        place.file("log.jsonl", log);
        let before = tree(place.path());
        let ran = place.run(&["undo", "log.jsonl"]);
        assert_eq!((ran.status, tree(place.path()) == before), (2, true), "{path} {to}: {}", ran.err);
    }
}

#[test]
fn a_folder_that_takes_no_name_is_reported_and_the_rest_is_done() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b"r/shut/\xE4"), "");
    place.file(OsStr::from_bytes(b"r/open/\xE4"), "");
    for folder in ["r/shut", "r/open", "r"] {
        let mode = if folder == "r/shut" { 0o555 } else { 0o777 };
        fs::set_permissions(place.path().join(folder), std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    }
    fs::set_permissions(place.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let Some(ran) = place.as_nobody(&["names", "--yes", "--from", "latin1", "r"]) else { return };
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("not renamed to ä: Permission denied"), "{}", ran.err);
    assert!(ran.err.contains("1 name changed"), "only what was done is counted: {}", ran.err);
    assert!(place.path().join("r/open/ä").exists());
}
