//! Binary files and texts in many encodings, through every subcommand that
//! writes: only text changes, each text is converted correctly or left
//! unchanged, and the run can be undone.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{Place, Ran, Random, all_cases, is_superuser};

/// A binary kind: the start of the file, and the generator of the rest.
const KINDS: &[(&str, &[u8], Rest)] = &[
    ("random", b"", Rest::Bytes),
    ("random-without-nul.bin", b"", Rest::WithoutNul),
    ("zlib", b"\x78\x9C", Rest::Bytes),
    ("zlib-fast", b"\x78\x01", Rest::WithoutNul),
    ("deflate.raw", b"", Rest::WithoutNul),
    ("br", b"\x1B\x3C", Rest::WithoutNul),
    ("gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03", Rest::Bytes),
    ("bz2", b"BZh91AY&SY", Rest::WithoutNul),
    ("xz", b"\xFD7zXZ\0\0\x04", Rest::Bytes),
    ("zst", b"\x28\xB5\x2F\xFD", Rest::WithoutNul),
    ("lz4", b"\x04\x22\x4D\x18", Rest::Bytes),
    ("zip", b"PK\x03\x04\x14\0\0\0\x08\0", Rest::Bytes),
    ("7z", b"7z\xBC\xAF\x27\x1C\0\x04", Rest::Bytes),
    ("png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", Rest::Bytes),
    ("jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF", Rest::Bytes),
    ("jpg-without-nul", b"\xFF\xD8\xFF\xDB", Rest::WithoutNul),
    ("gif", b"GIF89a\x10\0\x10\0", Rest::Bytes),
    ("bmp", b"BM\x36\x10\0\0\0\0\0\0\x36\0\0\0", Rest::Pixels),
    ("wav", b"RIFF\x24\x10\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0", Rest::Sound),
    ("avi", b"RIFF\x24\x10\0\0AVI LIST", Rest::Bytes),
    ("pcm", b"", Rest::Sound),
    ("pbm", b"P4\n64 64\n", Rest::Pixels),
    ("pgm", b"P5\n64 64\n255\n", Rest::Pixels),
    ("ppm", b"P6\n# made\n64 64\n255\n", Rest::Pixels),
    ("mo", b"\xDE\x12\x04\x95\0\0\0\0\x02\0\0\0", Rest::Names),
    ("elf", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0", Rest::Names),
    ("class", b"\xCA\xFE\xBA\xBE\0\0\0\x34", Rest::Names),
    ("pyc", b"\xA7\r\r\n\0\0\0\0", Rest::Names),
    ("wasm", b"\0asm\x01\0\0\0", Rest::Bytes),
    ("sqlite", b"SQLite format 3\0\x10\0", Rest::Names),
    ("tar", b"notes.txt\0\0\0\0\0\0\0\0", Rest::Names),
    ("pdf", b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Length 300 >>\nstream\n", Rest::WithoutNul),
    ("woff", b"wOFF\0\x01\0\0", Rest::Bytes),
    ("ico", b"\0\0\x01\0\x01\0\x10\x10", Rest::Pixels),
    ("mp3", b"ID3\x03\0\0\0\0\0\x0F", Rest::WithoutNul),
    ("ogg", b"OggS\0\x02", Rest::Bytes),
    ("flac", b"fLaC\0\0\0\x22", Rest::Bytes),
    ("pack", b"PACK\0\0\0\x02\0\0\0\x03", Rest::Bytes),
    ("sig", b"\x88\x5E\x04\x13\x11\x02", Rest::WithoutNul),
    ("der", b"\x30\x82\x03\x1A\x30\x82", Rest::Bytes),
    ("text-front", b"", Rest::AfterText),
    ("wide-front", b"", Rest::AfterWideText),
    ("cut-text", b"# a comment\nkey = value\n", Rest::WithoutNul),
];

#[derive(Clone, Copy)]
enum Rest {
    Bytes,
    WithoutNul,
    /// A sine in 16-bit samples, as in RIFF and raw PCM.
    Sound,
    /// Few values, close to each other.
    Pixels,
    /// Words separated by NUL bytes and numbers.
    Names,
    AfterText,
    AfterWideText,
}

fn no_text(rest: Rest, front: &[u8], len: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = front.to_vec();
    match rest {
        Rest::Bytes => (0..len).for_each(|_| bytes.push(random.below(256) as u8)),
        Rest::WithoutNul => (0..len).for_each(|_| bytes.push(1 + random.below(255) as u8)),
        Rest::Sound => {
            let step = 0.01 + random.below(100) as f64 / 1000.0;
            for n in 0..len.max(600) {
                let sample = (n as f64 * step).sin() * 9000.0 + random.below(60) as f64;
                bytes.extend_from_slice(&(sample as i16).to_le_bytes());
            }
        }
        Rest::Pixels => {
            let mut value = random.below(256) as u8;
            for _ in 0..len {
                value = value.wrapping_add(random.below(7) as u8).wrapping_sub(3);
                bytes.push(value);
            }
        }
        Rest::Names => {
            while bytes.len() < len + 40 {
                bytes.extend_from_slice(b"caf\xE9 of names");
                bytes.extend_from_slice(&(random.below(1 << 20) as u32).to_le_bytes());
                bytes.push(0);
            }
        }
        Rest::AfterText => {
            bytes.extend_from_slice(&b"A line that anybody would read as text.\n".repeat(120));
            (0..len + 400).for_each(|_| bytes.push(1 + random.below(255) as u8));
        }
        Rest::AfterWideText => {
            let text = "UTF-16 first, and then something else. ".repeat(30);
            bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
            (0..len + 400).for_each(|_| bytes.push(random.below(256) as u8));
        }
    }
    bytes
}

/// Texts, with the legacy encodings that have their characters.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "Grüße aus Köln! Das Café „Zur Post“ hat wieder geöffnet, für 5 Tage. Über die Straße führt ein schöner Weg.\n\
         Ein Gruß von Jürgen und Bärbel, die früh übers Moor gehen müssen, weil es später dämmert.\n",
        &["windows-1252"],
    ),
    (
        "Le cœur déçu mais l’âme plutôt naïve, Louÿs rêva de crapaüter en canoë au delà des îles, près du mälström où\n\
         brûlent les novæ. À l’été, on préfère les fenêtres ouvertes et les forêts profondes.\n",
        &["windows-1252"],
    ),
    (
        "Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний даст мощный\n\
         толчок подъёму сельского хозяйства. В чащах юга жил бы цитрус? Да, но фальшивый экземпляр!\n",
        &["windows-1251", "KOI8-R", "ISO-8859-5", "IBM866"],
    ),
    (
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Η γρήγορη καφετιά αλεπού πήδηξε πάνω από το τεμπέλικο σκυλί, και ύστερα\n\
         κοιμήθηκε κάτω από το δέντρο μέχρι το πρωί.\n",
        &["windows-1253", "ISO-8859-7"],
    ),
    (
        "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig. Dość błazeństw, żrą mój pęk luźnych fig,\n\
         a później wszyscy poszli nad rzekę oglądać zachód słońca.\n",
        &["windows-1250", "ISO-8859-2"],
    ),
    (
        "色は匂へど散りぬるを、我が世誰ぞ常ならむ。有為の奥山今日越えて、浅き夢見じ酔ひもせず。これは日本語の文章です。\n\
         とても長い文を書いて、文字コードを調べます。ひらがなとカタカナと漢字があります。\n",
        &["Shift_JIS", "EUC-JP", "ISO-2022-JP"],
    ),
    (
        "火星是太阳系八大行星之一，它的英文名称来自罗马神话。这里有很多汉字，用来检查编码是不是正确的。我们今天去公园看花。\n",
        &["GBK"],
    ),
    (
        "다람쥐 헌 쳇바퀴에 타고파. 키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. 오늘은 날씨가 좋습니다.\n",
        &["EUC-KR"],
    ),
    (
        "דג סקרן שט בים מאוכזב ולפתע מצא חברה. זה טקסט בעברית שנועד לבדוק את הקידוד של הקובץ הזה היום.\n",
        &["windows-1255"],
    ),
];

/// A text and its encoded bytes.
struct Text {
    bytes: Vec<u8>,
    utf8: String,
}

fn texts() -> BTreeMap<String, Text> {
    let mut texts = BTreeMap::new();
    let mut put = |name: String, bytes: Vec<u8>, utf8: &str| {
        texts.insert(name, Text { bytes, utf8: utf8.to_owned() });
    };
    let repetitions: &[usize] = if all_cases() { &[1, 2, 3, 4, 5, 6, 7] } else { &[1, 5] };
    for &times in repetitions {
        for (number, (text, encodings)) in TEXTS.iter().enumerate() {
            let text = text.repeat(times);
            for label in *encodings {
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
                let (bytes, _, lossy) = encoding.encode(&text);
                assert!(!lossy, "{label}");
                put(format!("text/{number}-{times}.{label}.txt"), bytes.into_owned(), &text);
            }
            let wide = |order: fn(u16) -> [u8; 2], bom: &str| -> Vec<u8> {
                format!("{bom}{text}").encode_utf16().flat_map(order).collect()
            };
            if number < 3 {
                put(format!("text/{number}-{times}.utf-16le-bom.txt"), wide(u16::to_le_bytes, "\u{FEFF}"), &text);
                put(format!("text/{number}-{times}.utf-16be-bom.txt"), wide(u16::to_be_bytes, "\u{FEFF}"), &text);
                put(format!("text/{number}-{times}.utf-16le.txt"), wide(u16::to_le_bytes, ""), &text);
            }
            put(format!("text/{number}-{times}.utf-8.txt"), text.clone().into_bytes(), &text);
            if number == 0 {
                put(format!("text/{number}-{times}.bom.txt"), format!("\u{FEFF}{text}").into_bytes(), &text);
            }
        }
    }
    texts
}

/// A folder with all files, in a git repository if `git` is installed.
struct Folder {
    place: Place,
    binaries: BTreeMap<String, Vec<u8>>,
    texts: BTreeMap<String, Text>,
    has_git: bool,
}

/// The state that undo must restore.
type Before = BTreeMap<PathBuf, (Vec<u8>, SystemTime, u32, u32, Option<Vec<u8>>)>;

impl Folder {
    fn new(seed: u64) -> Folder {
        let place = Place::new();
        let mut random = Random(seed);
        let mut binaries = BTreeMap::new();
        let files = if all_cases() { 26 } else { 3 };
        for (kind, front, rest) in KINDS {
            for n in 0..files {
                let len = if n % 8 == 0 { 5000 } else { 30 + random.below(270) as usize };
                let name = format!("binary/{kind}/{n}.{kind}");
                binaries.insert(name, no_text(*rest, front, len, &mut random));
            }
        }
        let texts = texts();
        let all = binaries.iter().chain(texts.iter().map(|(name, text)| (name, &text.bytes)));
        let past = SystemTime::UNIX_EPOCH + Duration::new(1_111_111_111, 123_456_700);
        for (number, (name, bytes)) in all.enumerate() {
            let path = place.file(name, bytes);
            let _ = xattr::set(&path, "user.note", format!("{number}").as_bytes());
            fs::set_permissions(&path, PermissionsExt::from_mode([0o644, 0o600, 0o755][number % 3])).unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
        }
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            command.current_dir(place.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
            command.output().is_ok_and(|output| output.status.success())
        };
        let has_git = git(&["init", "-q"]) && git(&["add", "-A"]) && git(&["commit", "-qm", "as it was"]);
        if !has_git {
            println!("skipped: there is no `git`, so no repository is tried");
        }
        Folder { place, binaries, texts, has_git }
    }

    fn state(&self) -> Before {
        let names = self.binaries.keys().chain(self.texts.keys());
        let of = |name: &String| {
            let path = self.place.path().join(name);
            let metadata = fs::metadata(&path).unwrap();
            let note = xattr::get(&path, "user.note").ok().flatten();
            (fs::read(&path).unwrap(), metadata.modified().unwrap(), metadata.mode(), metadata.uid(), note)
        };
        names.map(|name| (PathBuf::from(name), of(name))).collect()
    }

    fn run(&self, args: &[&str], as_nobody: bool) -> Ran {
        if as_nobody { self.place.as_nobody(args).unwrap() } else { self.place.run(args) }
    }

    /// Asserts that only text changed, and correctly.
    fn check(&self, what: &str) -> usize {
        for (name, bytes) in &self.binaries {
            assert!(self.place.read(name) == *bytes, "{what}: {name} was changed");
        }
        let mut right = 0;
        for (name, text) in &self.texts {
            let now = self.place.read(name);
            let now = now.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&now);
            let is_right = now == text.utf8.as_bytes();
            right += usize::from(is_right && self.place.read(name) != text.bytes);
            let untouched = self.place.read(name) == text.bytes;
            assert!(
                is_right || untouched,
                "{what}: {name} is now {}",
                String::from_utf8_lossy(&now[..now.len().min(200)])
            );
        }
        if self.has_git {
            let mut fsck = Command::new("git");
            // The repository can belong to another user.
            fsck.current_dir(self.place.path()).args(["-c", "safe.directory=*", "fsck", "--strict"]);
            let fsck = fsck.output().unwrap();
            assert!(fsck.status.success(), "{what}: {}", String::from_utf8_lossy(&fsck.stderr));
        }
        right
    }
}

const RUNS: &[&[&str]] = &[
    &["repair", "--in-place"],
    &["repair", "--in-place", "--undouble", "--fallback", "windows-1252"],
    &["convert", "-f", "auto", "--in-place"],
    &["fix", "--yes"],
    &["fix", "--yes", "--trust", "likely"],
];

/// Every run, each undone afterwards. `as_nobody` runs without superuser
/// rights; only the superuser can try both.
fn run_all(seed: u64, by_name: bool, as_nobody: bool) {
    if as_nobody && !is_superuser() {
        println!("skipped: the other tests run as somebody else than the superuser");
        return;
    }
    let folder = Folder::new(seed);
    if as_nobody {
        folder.place.give_to_nobody();
    }
    let (binaries, texts) = (folder.binaries.len(), folder.texts.len());
    println!("{binaries} binary files of {} kinds, {texts} texts", KINDS.len());
    let before = folder.state();
    let mut names: Vec<String> = match by_name {
        true => folder.binaries.keys().chain(folder.texts.keys()).cloned().collect(),
        false => vec![".".to_owned()],
    };
    if by_name && folder.has_git {
        names.extend([".git/index".to_owned(), ".git/HEAD".to_owned()]);
    }
    for run in RUNS {
        let mut args: Vec<&str> = run.to_vec();
        args.extend(["--hidden", "--no-ignore"]);
        args.extend(names.iter().map(String::as_str));
        let ran = folder.run(&args, as_nobody);
        assert!(ran.status < 2, "{run:?}: {}", ran.err);
        let right = folder.check(&format!("{run:?}"));
        println!("{run:?} by name {by_name}, as nobody {as_nobody}: {right} texts made UTF-8");
        if run[0] == "fix" || run.contains(&"auto") {
            assert!(right >= 30, "{run:?} did nothing: {}", ran.err);
        }
        if right > 0 {
            let undone = folder.run(&["undo", "-s"], as_nobody);
            assert_eq!((undone.status, undone.err.as_str()), (0, ""), "{run:?}");
        }
        let after = folder.state();
        for (path, state) in &before {
            assert!(
                after[path] == *state,
                "{run:?}: {} is not what it was: {:?} {:?}",
                path.display(),
                &state.1,
                &after[path].1
            );
        }
    }
}

#[test]
fn what_is_no_text_is_never_touched_on_a_walk() {
    run_all(1, false, false);
}

#[test]
fn what_is_no_text_is_never_touched_by_name() {
    run_all(2, true, false);
}

#[test]
fn what_is_no_text_is_never_touched_on_a_walk_by_nobody() {
    run_all(4, false, true);
}

#[test]
fn what_is_no_text_is_never_touched_by_name_by_nobody() {
    run_all(5, true, true);
}

#[test]
fn small_random_files_are_hardly_ever_taken_for_text() {
    let place = Place::new();
    let mut random = Random(3);
    for n in 0..if all_cases() { 2000 } else { 500 } {
        let bytes = no_text(Rest::WithoutNul, b"", 30 + random.below(270) as usize, &mut random);
        place.file(format!("{n}"), bytes);
    }
    for run in RUNS {
        let ran = place.run(&[run, &["-s", "."][..]].concat());
        assert!(ran.status < 2, "{}", ran.err);
        let log = fs::read_dir(place.state().join("utfkit"));
        let changed = log.map(|logs| logs.count()).unwrap_or(0);
        assert_eq!(changed, 0, "{run:?} changed something: {}", ran.err);
    }
}

#[test]
fn nobody_keeps_what_is_somebody_elses() {
    // Owner and group of a world-writable file.
    let place = Place::new();
    let path = place.file("a", b"Gr\xFC\xDFe\n");
    if fs::metadata(&path).unwrap().uid() != 0 {
        println!("skipped: only the superuser can give a file away");
        return;
    }
    std::os::unix::fs::chown(&path, Some(12), Some(34)).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o664)).unwrap();
    assert_eq!(place.run(&["convert", "-f", "latin1", "--in-place", "a"]).status, 0);
    let now = fs::metadata(&path).unwrap();
    assert_eq!((now.uid(), now.gid(), now.mode() & 0o7777), (12, 34, 0o664));
}

/// `-o` onto the input is as good as `--in-place`.
#[test]
fn what_is_written_over_itself_is_logged_and_never_on_a_guess() {
    let text = b"Gr\xFC\xDFe und sch\xF6n\n";
    for args in [
        &["convert", "-f", "latin1", "-o", "a", "a"][..],
        &["convert", "-f", "latin1", "-o", "./a", "link"],
        &["convert", "-f", "latin1", "-o", "link", "a"],
        &["convert", "-f", "latin1", "-o", "a", "b", "a"],
        &["repair", "-s", "--fallback", "latin1", "-o", "a", "a"],
        &["repair", "-s", "--fallback", "latin1", "-o", "a", "b", "a"],
    ] {
        let place = Place::new();
        let path = place.file("a", text);
        place.file("b", "first\n");
        std::os::unix::fs::symlink("a", place.path().join("link")).unwrap();
        let past = SystemTime::UNIX_EPOCH + Duration::new(1_111_111_111, 123_456_700);
        fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
        let ran = place.run(args);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        let made = if args.contains(&"b") { "first\nGrüße und schön\n" } else { "Grüße und schön\n" };
        assert_eq!(String::from_utf8(place.read("a")).unwrap(), made, "{args:?}");
        let is_silent = args.contains(&"-s");
        assert!(
            is_silent || ran.err == "utfkit: 1 file changed; `utfkit undo` takes that back\n",
            "{args:?}: {}",
            ran.err
        );
        let undone = place.run(&["undo"]);
        assert_eq!((undone.status, &place.read("a")[..]), (0, &text[..]), "{args:?}: {}", undone.err);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), past, "{args:?}");
        let none = place.run(&[&args[..1], &["--no-log"], &args[1..]].concat());
        assert_eq!((none.status, none.said()), (0, none.err.as_str()), "{args:?}");
        assert!(place.run(&["undo"]).err.contains("there is no run to undo"), "{args:?}");
    }
    let place = Place::new();
    place.file("a", text);
    place.file("b", "first\n");
    for args in [&["convert", "-f", "auto", "-o", "a", "a"][..], &["convert", "-f", "auto", "-o", "a", "b", "a"]] {
        let ran = place.run(args);
        assert_eq!((ran.status, &place.read("a")[..]), (1, &text[..]), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("a: left as it was: "), "{args:?}: {}", ran.err);
    }
    // Another file is written as ever.
    assert_eq!(place.run(&["convert", "-f", "latin1", "-o", "b", "a"]).status, 0);
    assert!(place.run(&["undo"]).err.contains("there is no run to undo"));
}

/// A declaration may be in a file that cannot be read.
#[test]
fn a_declaration_that_cannot_be_read_is_not_taken_for_none() {
    let text = encoding_rs::KOI8_R.encode(&TEXTS[2].0.repeat(3)).0.into_owned();
    for (name, named) in [(".gitattributes", true), (".editorconfig", true), (".ignore", false), (".gitignore", false)]
    {
        let place = Place::new();
        place.file(".git/HEAD", "ref: refs/heads/main\n");
        place.file("a.txt", &text);
        place.file(name, "a.txt\n");
        place.give_to_nobody();
        fs::set_permissions(place.path().join(name), PermissionsExt::from_mode(0o000)).unwrap();
        for args in [&["fix", "--yes"][..], &["convert", "-f", "KOI8-R", "--in-place"], &["repair", "--in-place"]] {
            for path in [".", "a.txt"] {
                if path != "." && !named {
                    continue;
                }
                let Some(ran) = place.as_nobody(&[args, &[path]].concat()) else { return };
                assert_eq!((ran.status, place.read("a.txt") == text), (2, true), "{name} {args:?}: {}", ran.err);
                assert!(ran.err.contains(name), "{name} {args:?}: {}", ran.err);
            }
        }
    }
}

/// A file over which another is mounted cannot be replaced.
#[test]
fn a_rename_that_failed_was_counted_as_a_change() {
    let place = Place::new();
    place.file("a.txt", b"Gr\xFC\xDFe aus K\xF6ln\n");
    place.file("names/caf\u{e9}", "");
    let line = r#"exec unshare -rm sh -c '
        mount --bind a.txt a.txt || exit 77
        for command in "convert -f latin1 --in-place" "repair --in-place --fallback latin1" "fix --yes --trust likely"; do
            $UTFKIT $command a.txt 2>&1 >/dev/null
            echo "status $?"
        done
        $UTFKIT undo 2>&1
        echo "status $?"
    '"#;
    let ran: Ran = place.shell(line).output().unwrap().into();
    if ran.status == 77 || ran.err.contains("unshare") {
        println!("skipped: nothing can be mounted here: {}", ran.err);
        return;
    }
    assert!(!ran.out().contains("changed"), "{}", ran.out());
    assert_eq!(ran.out().matches("a.txt: cannot be written: ").count(), 3, "{}", ran.out());
    assert_eq!(ran.out().matches("status 2\n").count(), 4, "{}", ran.out());
    // The logs of nothing are no runs.
    assert!(ran.out().contains("there is no run to undo in this folder"), "{}", ran.out());
}

#[test]
fn access_control_lists_and_extended_attributes_stay() {
    let place = Place::new();
    let path = place.file("a", b"Gr\xFC\xDFe\n");
    // user::rw-, user:12:rw-, group::r--, mask::rw-, other::---
    let list: Vec<u8> = [
        &2u32.to_le_bytes()[..],
        &[1, 0, 6, 0, 255, 255, 255, 255],
        &[2, 0, 6, 0, 12, 0, 0, 0],
        &[4, 0, 4, 0, 255, 255, 255, 255],
        &[16, 0, 6, 0, 255, 255, 255, 255],
        &[32, 0, 0, 0, 255, 255, 255, 255],
    ]
    .concat();
    if xattr::set(&path, "user.origin", b"here").is_err() {
        println!("skipped: this file system has no extended attributes");
        return;
    }
    let has_lists = xattr::set(&path, "system.posix_acl_access", &list).is_ok();
    let check = |what: &str, path: &Path| {
        assert_eq!(xattr::get(path, "user.origin").unwrap().as_deref(), Some(&b"here"[..]), "{what}");
        if has_lists {
            assert_eq!(xattr::get(path, "system.posix_acl_access").unwrap().as_ref(), Some(&list), "{what}");
        }
    };
    assert_eq!(place.run(&["convert", "-f", "latin1", "--in-place", "a"]).status, 0);
    assert_eq!(place.read("a"), "Grüße\n".as_bytes());
    check("convert", &path);
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(place.read("a"), b"Gr\xFC\xDFe\n");
    check("undo", &path);
    assert_eq!(place.run(&["repair", "--fallback", "windows-1252", "--in-place", "a"]).status, 0);
    check("repair", &path);
}

#[test]
fn a_terabyte_of_nothing_was_read_to_its_end() {
    let place = Place::new();
    let file = fs::File::create(place.path().join("image")).unwrap();
    if file.set_len(1 << 40).is_err() {
        println!("skipped: this file system has no file of that size");
        return;
    }
    drop(file);
    for run in [RUNS[0], RUNS[2], RUNS[3], &["convert", "-f", "latin1", "--in-place"]] {
        for name in ["image", "."] {
            let mut child = place.command(run).arg(name).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let begin = Instant::now();
            while child.try_wait().unwrap().is_none() {
                if begin.elapsed() > Duration::from_secs(60) {
                    child.kill().unwrap();
                    panic!("{run:?} {name}: it reads all of it");
                }
                thread::sleep(Duration::from_millis(5));
            }
            assert_eq!(child.wait().unwrap().code(), Some(i32::from(name != ".")), "{run:?} {name}");
        }
    }
}
