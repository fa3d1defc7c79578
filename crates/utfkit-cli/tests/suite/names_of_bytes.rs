//! `utfkit names` where names are bytes: names in any encoding become UTF-8, nothing is
//! lost, and a run can be undone.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use encoding_rs::{BIG5, EUC_JP, Encoding, GBK, IBM866};

use crate::common::{Place, is_superuser};
use crate::names::{LANGUAGES, names, sorted, tree};

fn bytes(encoding: &'static Encoding, name: &str) -> OsString {
    let (bytes, _, lossy) = encoding.encode(name);
    assert!(!lossy, "{name} in {}", encoding.name());
    OsString::from_vec(bytes.into_owned())
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
    // Names in UTF-8 stay, whatever encoding is named.
    assert_eq!(place.run(&["names", "--yes", "--from", "KOI8-R", "x"]).status, 0);
    assert_eq!(names(&place.path().join("x")), ["Новый.txt"]);
    let wrong = place.run(&["names", "--from", "koi9", "x"]);
    assert!(wrong.status == 2 && wrong.err.contains("did you mean"), "{}", wrong.err);
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
fn a_name_may_grow_to_255_bytes_and_no_further() {
    let place = Place::new();
    for more in [0, 1] {
        place.file(OsString::from_vec([b"g/".as_slice(), &[0xE4; 127], &vec![b'a'; 1 + more]].concat()), "");
    }
    let ran = place.run(&["names", "--yes", "--from", "ISO-8859-1", "g"]);
    assert!(ran.status == 1 && ran.out().contains("its name would have 256 bytes, and 255 is the limit"), "{ran:?}");
    assert!(place.path().join("g").join("ä".repeat(127) + "a").exists());
}

#[test]
fn convmv_gives_the_same_names() {
    let Ok(found) = Command::new("convmv").arg("--list").output() else {
        println!("skipped: there is no convmv");
        return;
    };
    let known = String::from_utf8_lossy(&found.stdout).to_lowercase();
    let mut compared = 0;
    for (encoding, list) in LANGUAGES {
        let name = encoding.name().to_lowercase().replace("windows-", "cp").replace("gbk", "cp936");
        if !known.lines().any(|line| line.trim() == name) {
            println!("convmv does not know {name}");
            continue;
        }
        let places = [Place::new(), Place::new()];
        for place in &places {
            for name in list.split('|') {
                // A folder too, and names that are UTF-8 or decomposed.
                place.file(Path::new("t").join(bytes(encoding, name)), name);
                place.file(Path::new("t/below").join(bytes(encoding, &format!("1 {name}"))).join("x"), name);
            }
            place.file("t/é", "");
            place.file("t/n/Cafe\u{301}", "");
        }
        let ours = places[0].run(&["names", "--yes", "--trust", "likely", "t"]);
        assert_eq!(ours.status, 0, "{name}: {}", ours.out());
        let convmv = |args: &[&str]| {
            let mut command = Command::new("convmv");
            let ran = command.args(args).args(["-r", "--notest", "t"]).current_dir(places[1].path()).output().unwrap();
            assert!(ran.status.success(), "{name}: {ran:?}");
        };
        convmv(&["-f", &name, "-t", "utf8"]);
        let below = |place: &Place| {
            tree(&place.path().join("t"))
                .into_iter()
                .map(|(path, content)| (path.strip_prefix(place.path()).unwrap().to_owned(), content))
                .collect::<Vec<_>>()
        };
        assert_eq!(below(&places[0]), below(&places[1]), "{name}");
        assert_eq!(places[0].run(&["names", "--yes", "--nfc", "t"]).status, 0);
        convmv(&["-f", "utf8", "-t", "utf8", "--nfc"]);
        assert_eq!(below(&places[0]), below(&places[1]), "{name}, NFC");
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}

/// 目录 in GB18030 is `Ŀ¼` in UTF-8.
#[test]
fn a_name_that_is_utf_8_by_accident_is_read_as_those_beside_it() {
    for (encoding, list, accidents) in [
        (GBK, LANGUAGES[2].1, "目录.txt|庐山|平原.jpg"),
        (BIG5, LANGUAGES[3].1, "翻譯"),
        (EUC_JP, LANGUAGES[1].1, "任務.txt|探測 3"),
        (IBM866, LANGUAGES[5].1, "том 1.txt|том 2.txt"),
    ] {
        let place = Place::new();
        for name in list.split('|').chain(accidents.split('|')) {
            place.file(Path::new("a").join(bytes(encoding, name)), name);
            assert!(!accidents.split('|').any(|other| other == name) || bytes(encoding, name).to_str().is_some());
        }
        // A single such name is left alone, and so is a name that makes sense in UTF-8.
        place.file(Path::new("alone").join(bytes(encoding, accidents.split('|').next().unwrap())), "");
        place.file("a/été", "été");
        place.file("a/★ 1", "★ 1");
        let before = tree(place.path());
        let ran = place.run(&["names", "--yes", "--trust", "likely", "."]);
        assert_eq!(ran.status, 0, "{}", ran.out());
        for (path, content) in tree(&place.path().join("a")) {
            assert_eq!(path.file_name().unwrap().as_bytes(), content, "{}", encoding.name());
        }
        assert!(tree(&place.path().join("alone")).keys().all(|path| before.contains_key(path)));
        assert_eq!(place.run(&["names", "."]).status, 0);
        assert_eq!(place.run(&["undo"]).status, 0);
        assert_eq!(tree(place.path()), before);
    }
}

#[test]
fn names_of_several_encodings_in_one_folder_are_right_or_untouched() {
    for (i, (encoding, list)) in LANGUAGES.iter().enumerate() {
        for step in 1..LANGUAGES.len() {
            let (other, others) = LANGUAGES[(i + step) % LANGUAGES.len()];
            let place = Place::new();
            for (encoding, list) in [(*encoding, *list), (other, others)] {
                list.split('|').for_each(|name| drop(place.file(Path::new("m").join(bytes(encoding, name)), name)));
            }
            let before = tree(place.path());
            assert!(place.run(&["names", "--yes", "m"]).status < 2);
            for (path, content) in tree(&place.path().join("m")) {
                let is_right = path.file_name().unwrap().as_bytes() == content;
                let name = path.display();
                assert!(is_right || before.contains_key(&path), "{} and {}: {name}", encoding.name(), other.name());
            }
        }
    }
}

#[test]
fn a_name_of_one_letter_is_right_or_untouched() {
    for name in ["é", "É", "ü.txt", "ß", "1 à", "я", "Ж", "あ", "中", "한", "λ", "ş", "ł"] {
        for (encoding, _) in LANGUAGES {
            let (raw, _, lossy) = encoding.encode(name);
            if lossy {
                continue;
            }
            let place = Place::new();
            let raw = OsString::from_vec(raw.into_owned());
            place.file(Path::new("s").join(&raw), "");
            assert!(place.run(&["names", "--yes", "s"]).status < 2);
            let now = fs::read_dir(place.path().join("s")).unwrap().next().unwrap().unwrap().file_name();
            assert!(now == raw || now == name, "{name} in {}: {}", encoding.name(), now.display());
        }
    }
}

/// A file system that is unmounted when dropped.
pub(crate) struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

fn is_done(command: &str, args: &[&OsStr]) -> bool {
    Command::new(command).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

/// Mounts something at `at`, or prints that the test is skipped.
fn mounted(at: &Path, args: &[&str]) -> Option<Mounted> {
    let args: Vec<_> = args.iter().map(OsStr::new).chain([at.as_os_str()]).collect();
    if is_superuser() && is_done("mount", &args) {
        return Some(Mounted(at.to_owned()));
    }
    println!("skipped: nothing can be mounted");
    None
}

#[test]
fn mounted_file_systems_are_entered_only_if_named() {
    let place = Place::new();
    for name in [&b"elsewhere/\xE4"[..], b"t/\xF6", b"t/\xFC/x", b"t/part/x", b"t/\xEB"] {
        place.file(OsStr::from_bytes(name), "");
    }
    let at = |name: &[u8]| place.path().join(OsStr::from_bytes(name));
    let other = at(b"elsewhere");
    let Some(_other) = mounted(&at(b"t/\xFC"), &["-t", "tmpfs", "tmpfs"]) else { return };
    // A part of the same file system, which has the same device; and a file.
    let Some(_same) = mounted(&at(b"t/part"), &["--bind", other.to_str().unwrap()]) else { return };
    let Some(_file) = mounted(&at(b"t/\xEB"), &["--bind", "/dev/null"]) else { return };
    place.file(OsStr::from_bytes(b"t/\xFC/\xE0"), "");
    let ran = place.run(&["names", "--yes", "--from", "latin1", "t"]);
    assert!(ran.status == 1 && ran.err.contains("2 mounted file systems not entered"), "{}", ran.err);
    assert!(ran.out().contains("a file system is mounted there: 2 names"), "{}", ran.out());
    assert!(at("t/ö".as_bytes()).exists() && at(b"t/\xFC/\xE0").exists() && at(b"elsewhere/\xE4").exists());
    let mut named = place.command(&["names", "--yes", "--from", "latin1", "t/part"]);
    assert_eq!(named.arg(OsStr::from_bytes(b"t/\xFC")).status().unwrap().code(), Some(1));
    assert!(at(b"t/\xFC/\xC3\xA0").exists() && at("elsewhere/ä".as_bytes()).exists());
}

/// A file system that takes `A` and `a` for one name, mounted in `place`.
pub(crate) fn insensitive(place: &Place) -> Option<(Mounted, PathBuf)> {
    if !is_superuser() {
        println!("skipped: nothing can be mounted");
        return None;
    }
    let image = place.file("image", "");
    let at = place.path().join("disk");
    fs::create_dir(&at).unwrap();
    fs::File::options().write(true).open(&image).unwrap().set_len(32 << 20).unwrap();
    let (image, disk) = (image.as_os_str(), at.as_os_str());
    let folder = at.join("f");
    let words = |words: &'static str| words.split(' ').map(OsStr::new).collect::<Vec<_>>();
    for (make, options, mount, mount_options) in [
        ("mkfs.ext4", "-q -O casefold", "mount", "-o loop"),
        ("mkfs.vfat", "-F 32", "mount", "-o loop,utf8"),
        ("mkntfs", "-F -Q -q", "lowntfs-3g", "-o ignore_case"),
    ] {
        let mount_args = [words(mount_options), vec![image, disk]].concat();
        if is_done(make, &[words(options), vec![image]].concat()) && is_done(mount, &mount_args) {
            let mounted = Mounted(at.clone());
            fs::create_dir(&folder).unwrap();
            let _ = is_done("chattr", &[OsStr::new("+F"), folder.as_os_str()]);
            fs::write(folder.join("A"), "").unwrap();
            if folder.join("a").exists() {
                fs::remove_file(folder.join("a")).unwrap();
                return Some((mounted, folder));
            }
        }
    }
    println!("skipped: no file system here takes A and a for one name");
    None
}

#[test]
fn links_of_all_kinds_are_renamed_but_not_followed_and_lead_where_they_led() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b"l/Gr\xF6\xDFe/Ma\xDF.txt"), "");
    place.file("l/plain/x", "");
    let old = OsStr::from_bytes(b"Gr\xF6\xDFe");
    let absolute = place.path().canonicalize().unwrap().join("l").join(old);
    for (name, target) in [
        (&b"l/to-folder"[..], old),
        (b"l/plain/up", OsStr::from_bytes(b"../Gr\xF6\xDFe/Ma\xDF.txt")),
        (b"l/absolute", absolute.as_os_str()),
        (b"l/dangling", OsStr::new("nowhere")),
        (b"l/l\xFCcke", OsStr::new("plain/x")),
        (b"l/loop", OsStr::new("loop")),
    ] {
        symlink(target, place.path().join(OsStr::from_bytes(name))).unwrap();
    }
    let before = tree(place.path());
    let ran = place.run(&["names", "--yes", "--from", "latin1", "l"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let links: Vec<_> =
        ran.lines().into_iter().filter_map(|line| line.trim().split_once(" -> ")).map(|l| l.0).collect();
    assert_eq!(links, ["l/absolute", "l/to-folder", "l/plain/up"], "{}", ran.out());
    assert_eq!(fs::read_link(place.path().join("l/lücke")).unwrap(), Path::new("plain/x"));
    assert_eq!(fs::read_link(place.path().join("l/to-folder")).unwrap(), old);
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
fn a_hidden_folder_is_entered_if_named_and_version_control_never() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b".h/\xE4"), "");
    place.file(OsStr::from_bytes(b".h/.git/\xE4"), "");
    let ran = place.run(&["names", "--yes", "--from", "latin1", ".h", ".h/.git"]);
    assert!(ran.status == 2 && ran.err.contains(".h/.git: it belongs to version control"), "{}", ran.err);
    assert!(place.path().join(".h/ä").exists());
    assert!(place.path().join(OsStr::from_bytes(b".h/.git/\xE4")).exists());
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
    let again = place.run(&["names", "--yes", "--portable", "p"]);
    assert_eq!((again.status, names(&place.path().join("p")).as_slice()), (1, &all.map(str::to_owned)[..]));
}

#[test]
fn devices_with_endings_dots_and_spaces_and_forms_are_not_portable() {
    let place = Place::new();
    let names = [
        ("aux.txt", "aux_.txt"),
        ("NUL.tar.gz", "NUL_.tar.gz"),
        ("com1", "com1_"),
        ("LPT9.log", "LPT9_.log"),
        ("con .c", "con _.c"),
        ("two..", "two%2E%2E"),
        ("space ", "space%20"),
        ("dot/x. . ", "dot/x%2E%20%2E%20"),
        ("a\\b", "a%5Cb"),
        ("tab\t", "tab%09"),
    ];
    names.iter().for_each(|(old, _)| drop(place.file(Path::new("p").join(old), "")));
    let kept = ["Caf\u{E9}", "Cafe\u{301}", "Stra\u{DF}e", "STRASSE", "com10", "auxiliary.txt", "100%"];
    kept.iter().for_each(|name| drop(place.file(Path::new("p").join(name), "")));
    let before = tree(place.path());
    let ran = place.run(&["names", "--yes", "--portable", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.out());
    for name in names.iter().map(|(_, new)| new).chain(&kept) {
        assert!(place.path().join("p").join(name).exists(), "{name}: {}", ran.out());
    }
    assert!(ran.out().contains("Windows takes it and \"Caf"), "{}", ran.out());
    assert!(!ran.out().contains("STRASSE"), "ß is not SS there: {}", ran.out());
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(tree(place.path()), before);
}

#[test]
fn names_with_line_feeds_and_escapes_are_shown_safely() {
    let place = Place::new();
    place.file(OsStr::from_bytes(b"s/\x1B[31m\xFC\nx\xE4.txt"), "");
    let ran = place.run(&["names", "--yes", "--from", "latin1", "s"]);
    assert!(ran.status == 0 && !ran.out.contains(&0x1B), "{}", ran.out());
    assert!(place.path().join("s/\u{1B}[31mü\nxä.txt").exists());
    // Characters that change the direction of text are shown as numbers: in names, reasons and
    // questions.
    let place = Place::new();
    place.file("s/Cafe\u{301} \u{202E}gpj.exe", "");
    place.file("s/\u{2066}Noe\u{308}l\u{2069}\u{9B}31m", "");
    for args in [&["names", "--nfc", "s"][..], &["names", "--all", "--nfc", "s"], &["names", "--portable", "s"]] {
        let ran = place.run(args);
        let shown = ran.out().to_owned() + &ran.err;
        assert!(!shown.contains(['\u{202E}', '\u{2066}', '\u{2069}', '\u{9B}', '\u{1B}']), "{shown}");
    }
    assert!(place.run(&["names", "--nfc", "s"]).out().contains("Café \\u{202e}gpj.exe"));
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
