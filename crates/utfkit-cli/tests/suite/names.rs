//! `utfkit names` wherever it runs: names in Unicode that were misread, encoded twice or
//! decomposed become right, nothing is lost, and a run can be undone. Names of bytes, which
//! Unix alone has, are in `names_of_bytes`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, KOI8_R, SHIFT_JIS};
use encoding_rs::{WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1255, WINDOWS_1256};

use crate::common::{Place, all_cases, started};
#[cfg(unix)]
use crate::names_of_bytes::insensitive;

/// Names of a folder in the customary encoding of their language.
pub(crate) const LANGUAGES: [(&Encoding, &str); 13] = [
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

/// All paths below the folder, with the content of files and the targets of links.
pub(crate) fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let found = fs::symlink_metadata(&path).unwrap();
        if found.is_dir() {
            all.extend(tree(&path));
        }
        let content = match fs::read_link(&path) {
            Ok(target) => target.into_os_string().into_encoded_bytes(),
            Err(_) if found.is_dir() => b"folder".to_vec(),
            Err(_) => fs::read(&path).unwrap(),
        };
        all.insert(path, content);
    }
    all
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(crate) fn sorted(names: &str) -> Vec<String> {
    let mut names: Vec<_> = names.split('|').map(str::to_owned).collect();
    names.sort();
    names
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
    let plan = place.run(&["names", "-n", "--all", "d"]);
    assert_eq!((plan.status, tree(place.path()) == before), (1, true), "{}", plan.err);
    assert!(right.iter().all(|name| plan.out().contains(name)), "{}", plan.out());
    assert_eq!(place.run(&["names", "--dry-run", "--yes", "d"]).status, 2);
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

/// Names that were unpacked in the wrong code page and saved as UTF-8.
#[test]
fn names_of_an_archive_that_was_read_in_the_wrong_code_page_are_right_or_untouched() {
    use utfkit::Encoding;
    let [ja, zh, ru, pl] =
        [LANGUAGES[0].1, LANGUAGES[2].1, LANGUAGES[5].1, "Zażółć gęślą|jaźń.doc|Łódź źródło|święta ćwiczenia"];
    for (list, written, read, is_undone) in [
        (ja, "Shift_JIS", "IBM437", true),
        (ja, "Shift_JIS", "IBM850", false),
        (ja, "UTF-8", "IBM437", true),
        (zh, "GBK", "IBM437", true),
        (zh, "GBK", "ISO-8859-1", true),
        (ru, "IBM866", "IBM437", true),
        (ru, "IBM866", "ISO-8859-1", true),
        (ru, "IBM866", "macintosh", true),
        (ru, "windows-1251", "IBM437", true),
        (ru, "windows-1251", "IBM866", true),
        (ru, "windows-1251", "windows-1252", true),
        (ru, "UTF-8", "windows-1251", true),
        (ru, "KOI8-R", "ISO-8859-1", true),
        (pl, "IBM852", "IBM437", false),
    ] {
        let [from, to] = [written, read].map(|name| Encoding::for_label(name).unwrap());
        let place = Place::new();
        for name in list.split('|') {
            let (bytes, _) = from.encode(name);
            let (unpacked, _) = to.decode(&bytes);
            place.file(Path::new("z").join(&*unpacked), name);
        }
        let before = tree(place.path());
        let ran = place.run(&["names", "--yes", "z"]);
        for (path, content) in tree(&place.path().join("z")) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_right = name.as_bytes() == content;
            assert!(is_right || before.contains_key(&path), "{written} read as {read}: {name}");
            assert!(is_right || !is_undone, "{written} read as {read}: {name} stays: {}", ran.out());
        }
        assert_eq!(place.run(&["names", "--yes", "z"]).out().lines().filter(|line| line.contains(" in ")).count(), 0);
        if is_undone {
            assert!(ran.out().starts_with(&format!("{written} read as ")), "{}", ran.out());
            assert_eq!(place.run(&["undo"]).status, 0);
            assert_eq!(tree(place.path()), before);
        }
    }
}

#[test]
fn names_that_make_sense_are_never_touched() {
    let place = Place::new();
    // Each alone in a folder, with and without an ending; and all together.
    for (number, name) in LANGUAGES.iter().flat_map(|(_, list)| list.split('|')).enumerate() {
        place.file(Path::new(&format!("one/{number}")).join(name), "");
        place.file(Path::new("words").join(name.split(['.', ' ']).next().unwrap()), "");
    }
    for name in ["Ã", "ÃO", "São João", "PÃO DE AÇÚCAR", "AÇÃO", "Ð", "â€", "œuf", "×2", "Đặng", "Ñandú", "ÿ"]
    {
        place.file(Path::new("more").join(name), "");
    }
    for args in [&["names"][..], &["names", "--trust", "likely"]] {
        let ran = place.run(&[args, &["."]].concat());
        assert_eq!((ran.status, ran.out()), (0, ""), "{}", ran.err);
    }
}

/// A folder that takes `A` and `a` for one name.
#[cfg(windows)]
fn insensitive(place: &Place) -> Option<((), PathBuf)> {
    let folder = place.file("f/A", "").parent().unwrap().to_owned();
    let is_one = folder.join("a").exists();
    fs::remove_file(folder.join("A")).unwrap();
    if !is_one {
        println!("skipped: A and a are two names here");
    }
    is_one.then_some(((), folder))
}

#[test]
fn nothing_is_lost_where_case_makes_no_difference() {
    let place = Place::new();
    let Some((_mounted, folder)) = insensitive(&place) else { return };
    // One would become the other but for case.
    let decomposed = [("noël", "Noe\u{308}l"), ("élève", "E\u{301}le\u{300}ve"), ("café", "Cafe\u{301}")];
    for name in decomposed.iter().map(|(_, old)| *old).chain(["ÉLAN.txt", "e\u{301}lan.txt"]) {
        fs::write(folder.join(name), name).unwrap();
    }
    // Such a file system may also change the case of names.
    let files = || {
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_lowercase();
        tree(&folder).iter().map(|(path, content)| (name(path), content.clone())).collect::<BTreeMap<_, _>>()
    };
    let before = files();
    let ran = place.run(&["names", "--yes", "--nfc", folder.to_str().unwrap()]);
    let after = files();
    let said = format!("{}{}", ran.out(), ran.err);
    for (new, old) in decomposed.iter().chain(&[("élan.txt", "ÉLAN.txt"), ("e\u{301}lan.txt", "e\u{301}lan.txt")]) {
        assert_eq!(after.get(*new).map(Vec::as_slice), Some(old.as_bytes()), "{said}");
    }
    assert_eq!((after.len(), ran.status > 0), (before.len(), true), "{said}");
    let mut undo = place.command(&["undo"]);
    let undone = undo.current_dir(&folder).output().unwrap();
    assert!(undone.status.success(), "{undone:?}");
    assert_eq!(files(), before);
}

/// A name in windows-1251. Windows has no names of bytes: there it is one that was read as windows-1252.
fn old(name: &str) -> OsString {
    let (bytes, _, _) = WINDOWS_1251.encode(name);
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.into_owned());
    #[cfg(windows)]
    WINDOWS_1252.decode_without_bom_handling(&bytes).0.into_owned().into()
}

/// Old names: enough of them for a run to take a while.
fn many(place: &Place, folders: usize) -> BTreeMap<PathBuf, Vec<u8>> {
    for folder in 0..folders {
        for (i, name) in LANGUAGES[5].1.split('|').enumerate() {
            let folder = old(&format!("Папка {folder}"));
            place.file(Path::new("k").join(&folder).join(old(name)), i.to_string());
        }
    }
    tree(place.path())
}

fn right_names(folder: &Path) -> usize {
    let is_right =
        |name: &OsStr| name == "k" || name.to_str().is_some_and(|name| name.contains(|c| ('а'..='я').contains(&c)));
    tree(folder).keys().filter(|path| is_right(path.file_name().unwrap())).count()
}

#[test]
fn after_kill_9_undo_or_a_second_run_ends_the_work() {
    let place = Place::new();
    // Wine needs a minute for a round of 150 folders.
    let (rounds, folders) = if cfg!(windows) { (4, 30) } else { (16, if all_cases() { 150 } else { 50 }) };
    let before = many(&place, folders);
    let mut ends = [0, 0];
    for round in 0..rounds {
        let mut command = place.command(&["names", "--yes", "k"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = started(command);
        // Until some names have changed, which are the deepest.
        let names = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let folders = || names(&place.path().join("k")).collect::<Vec<_>>();
        let changed = || folders().iter().flat_map(|folder| names(folder)).any(|path| !before.contains_key(&path));
        while round % 4 > 0 && child.try_wait().unwrap().is_none() && !changed() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(round / 4));
        child.kill().unwrap();
        ends[usize::from(child.wait().unwrap().success())] += 1;
        if round % 2 == 0 {
            let again = place.run(&["names", "--yes", "k"]);
            assert_eq!(again.status, 0, "{}{}", again.out(), again.err);
            let after = tree(place.path());
            assert_eq!((after.len(), right_names(place.path())), (before.len(), before.len()), "{:?}", again.err);
        }
        // The first takes back the second run, the next the one that was killed.
        while tree(place.path()) != before {
            let undone = place.run(&["undo"]);
            assert_eq!(undone.status, 0, "round {round}: {}", undone.err);
        }
    }
    println!("{} of {rounds} runs were killed before their end", ends[0]);
}

#[test]
fn two_runs_at_once_lose_nothing() {
    let place = Place::new();
    let before = many(&place, if cfg!(windows) { 30 } else { 100 });
    let runs = [(); 2].map(|()| {
        let mut command = place.command(&["names", "--yes", "k"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        started(command)
    });
    let ends = runs.map(|run| run.wait_with_output().unwrap());
    let after = tree(place.path());
    let said = ends.map(|end| String::from_utf8(end.stderr).unwrap()).concat();
    assert_eq!((after.len(), right_names(place.path())), (before.len(), before.len()), "{said}");
    for _ in 0..2 {
        if tree(place.path()) != before {
            place.run(&["undo"]);
        }
    }
    assert_eq!(tree(place.path()), before, "{said}");
}

/// The names of a folder that were read as windows-1252, in windows-1251.
fn misread(place: &Place, folder: &str) -> Vec<String> {
    let names: Vec<String> = LANGUAGES[5].1.split('|').map(str::to_owned).collect();
    for name in &names {
        let (bytes, _, _) = WINDOWS_1251.encode(name);
        let (read, _) = WINDOWS_1252.decode_without_bom_handling(&bytes);
        place.file(Path::new(folder).join(&*read), name);
    }
    names
}

#[test]
fn hidden_folders_are_entered_if_named_and_version_control_never() {
    let place = Place::new();
    for folder in [".hidden", "t/.hidden", "t/.git", "t/open"] {
        misread(&place, folder);
    }
    let ran = place.run(&["names", "--yes", "t", ".hidden", "t/.git"]);
    assert!(ran.status == 2 && ran.err.contains("it belongs to version control"), "{}", ran.err);
    let is_right = |folder: &str| names(&place.path().join(folder)) == sorted(LANGUAGES[5].1);
    assert_eq!([".hidden", "t/open", "t/.hidden", "t/.git"].map(is_right), [true, true, false, false], "{}", ran.out());
}

#[test]
fn a_plan_names_each_change_for_people_and_programs() {
    let place = Place::new();
    let right = misread(&place, "j");
    let before = tree(place.path());
    let shown = place.run(&["names", "--all", "j"]);
    assert!(shown.status == 1 && shown.out().starts_with("windows-1251 read as windows-1252"), "{}", shown.out());
    let ran = place.run(&["names", "--format", "jsonl", "j"]);
    let rows: Vec<serde_json::Value> = ran.lines().iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    let mut new: Vec<_> = rows.iter().map(|row| row["new"].as_str().unwrap()).collect();
    new.sort_unstable();
    assert_eq!(new, sorted(&right.join("|")), "{}", ran.out());
    assert!(right.iter().all(|name| shown.out().contains(name)), "{}", shown.out());
    assert_eq!(tree(place.path()), before);
}

/// Where case makes no difference, the file with the other case keeps its name.
#[test]
fn no_name_is_taken_from_another_file_that_has_it_in_another_case() {
    let place = Place::new();
    let Some((_mounted, folder)) = insensitive(&place) else { return };
    misread(&place, folder.strip_prefix(place.path()).unwrap().to_str().unwrap());
    let name = LANGUAGES[5].1.split('|').next().unwrap();
    let other = name.to_uppercase();
    fs::write(folder.join(&other), "there").unwrap();
    let before = tree(&folder);
    let ran = place.run(&["names", "--yes", folder.to_str().unwrap()]);
    assert_eq!(ran.status, 1, "{}{}", ran.out(), ran.err);
    let why = format!("another name there is taken for \"{name}\", which differs in case or form");
    assert!(ran.out().contains(&why) && ran.err.contains("4 names changed"), "{}{}", ran.out(), ran.err);
    let after = tree(&folder);
    assert_eq!(after.len(), before.len(), "{}", ran.out());
    assert!(after.values().any(|content| content == b"there"));
    assert_eq!(after.values().filter(|content| *content == name.as_bytes()).count(), 1);
}

/// Of UTF-16 units on Windows, and of bytes elsewhere.
#[test]
fn a_name_may_have_255_units_and_no_more() {
    let place = Place::new();
    let (fits, unit) = if cfg!(windows) { (253, "UTF-16 units") } else { (252, "bytes") };
    fs::create_dir(place.path().join("g")).unwrap();
    for length in [fits, fits + 1] {
        // Decomposed it is longer by one unit.
        let path = place.path().join(format!("g/\u{E9}{}", "a".repeat(length)));
        if cfg!(windows) && fs::write(&path, "").is_err() {
            println!("skipped: names are shorter here, as under Wine, which counts bytes");
            return;
        }
        fs::write(path, "").unwrap();
    }
    let ran = place.run(&["names", "--yes", "--nfd", "g"]);
    let why = format!("its name would have 256 {unit}, and 255 is the limit");
    assert!(ran.status == 1 && ran.out().contains(&why), "{}{}", ran.out(), ran.err);
    let mut now = names(&place.path().join("g"));
    now.sort_by_key(String::len);
    let decomposed = now.iter().filter(|name| name.starts_with("e\u{301}")).count();
    assert_eq!((now.len(), decomposed), (2, 1), "{now:?}");
}
