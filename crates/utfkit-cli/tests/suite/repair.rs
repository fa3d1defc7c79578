//! `utfkit repair`.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use utfkit::Encoding;

use crate::common::{Place, all_cases};

const DAMAGED: &[u8] = b"gut\ncaf\xE9 \xE2\x82\xAC\n\xC0\xAF \xED\xA0\xBD\xED\xB8\x80\n";

#[test]
fn standard_output_gets_the_text_and_standard_error_one_line() {
    let place = Place::new();
    place.file("a", DAMAGED);
    let ran = place.run(&["repair", "a"]);
    let want = String::from_utf8_lossy(DAMAGED).into_owned();
    assert_eq!(
        (ran.status, ran.out(), ran.err.as_str()),
        (0, want.as_str(), "utfkit: a: repaired: 9 sequences replaced by U+FFFD\n")
    );
    let ran = place.pipe(&["repair", "-s", "--fallback", "cp1252", "--reinterpret"], DAMAGED.chunks(1));
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (0, "gut\ncafé €\n/ 😀\n", ""));
    let ran = place.run(&["repair", "--fallback", "latin1", "--reinterpret", "a", "a"]);
    assert_eq!(ran.out(), "gut\ncafé €\n/ 😀\n".repeat(2));
    assert!(ran.err.contains("a: repaired: 1 byte read as ISO-8859-1, 2 forms reinterpreted\n"), "{}", ran.err);
    // Nothing to do, nothing printed.
    let ran = place.feed(&["repair"], "Grüße".as_bytes());
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (0, "Grüße", ""));
}

#[test]
fn a_fallback_may_have_several_bytes_a_character() {
    let place = Place::new();
    for (name, text) in [
        ("Shift_JIS", "昨日はソースコードの表示を確認しました。"),
        ("EUC-JP", "昨日は図書館で本を読みました。"),
        ("GBK", "昨天我们在图书馆里看书，模型很有意思。"),
        ("gb18030", "昨天我们在图书馆里看书，模型很有意思。"),
        ("Big5", "昨天我們在圖書館裡看書，許多功能都很好。"),
        ("EUC-KR", "우리는 어제 도서관에서 책을 읽었습니다."),
    ] {
        let (line, _) = Encoding::for_label(name).unwrap().encode(text);
        for (before, after) in [("", "– naïve\n"), ("Größe\n", ""), ("x = ", "\n日本語 텍스트 漢字\n")] {
            let bytes =
                [before.as_bytes(), &line, if after.is_empty() { b"" } else { b"\n" }, after.as_bytes()].concat();
            let right = format!("{before}{text}{}{after}", if after.is_empty() { "" } else { "\n" });
            let ran = place.feed(&["repair", "-s", "--fallback", name], &bytes);
            assert_eq!((ran.status, ran.out()), (0, &*right), "{name}");
        }
    }
    let ran = place.run(&["repair", "--fallback", "ISO-2022-JP", "a"]);
    assert!(ran.status == 2 && ran.err.contains("utfkit convert -f ISO-2022-JP"), "{}", ran.err);
}

/// Pages in UTF-8 with lines, written for this test, in another encoding.
const MIXED: [(&str, &str, &str); 10] = [
    (
        "windows-1250",
        "Příliš pozdě přišel vlak.\nŽádný člověk tu není.\n",
        "Včera večer jsme šli pěšky přes most a viděli řeku.",
    ),
    (
        "windows-1251",
        "Сегодня хорошая погода.\nЗавтра будет дождь.\n",
        "Мы вчера вечером перешли через мост и увидели реку.",
    ),
    ("KOI8-R", "Сегодня хорошая погода.\nЗавтра будет дождь.\n", "Вчера вечером мы пешком перешли через мост."),
    ("IBM866", "Сегодня хорошая погода.\nЗавтра будет дождь.\n", "Правда ли, что трава там зеленее, чем у нас?"),
    (
        "windows-1252",
        "Überall schöne Gärten.\nDas Café öffnet früh.\n",
        "Gestern gingen wir über die Brücke zum schönen Fluß.",
    ),
    ("windows-1253", "Σήμερα έχει καλό καιρό.\nΑύριο θα βρέξει.\n", "Χθες το βράδυ περπατήσαμε στη γέφυρα."),
    (
        "windows-1254",
        "Bugün hava çok güzel.\nYarın yağmur yağacak.\n",
        "Dün akşam köprüden yürüyerek geçtik ve ışığı gördük.",
    ),
    ("Shift_JIS", "今日はいい天気です。\n明日は雨でしょう。\n", "昨日の夕方、私たちは歩いて橋を渡りました。"),
    ("GBK", "今天天气很好。\n明天会下雨。\n", "昨天晚上我们步行过桥，遇到了一位邻居。"),
    ("EUC-KR", "오늘은 날씨가 좋습니다.\n내일은 비가 올 것입니다.\n", "어제 저녁 우리는 걸어서 다리를 건넜습니다."),
];

#[test]
fn the_fallback_of_a_mixed_file_is_found() {
    for (name, page, line) in MIXED {
        let place = Place::new();
        let (foreign, _) = Encoding::for_label(name).unwrap().encode(line);
        let page = page.repeat(2);
        for (number, parts) in [
            [&foreign[..], b"\n", page.as_bytes(), b""],
            [page.as_bytes(), &foreign, b"\n", page.as_bytes()],
            [page.as_bytes(), &foreign, b"", b""],
        ]
        .into_iter()
        .enumerate()
        {
            let bytes = parts.concat();
            let right = parts.map(|part| if part == &foreign[..] { line.as_bytes() } else { part }).concat();
            let path = place.file("a", &bytes);
            // All say the same.
            let ran = place.run(&["detect", "a"]);
            let said = ran.out();
            assert!(said.starts_with("a: mixed (") && said.contains(&format!(" in {name} (")), "{said}");
            assert!(place.run(&["check", "a"]).err.contains(name), "{name} {number}");
            let ran = place.run(&["repair", "--fallback", "auto", "a"]);
            assert!((ran.status, ran.out().as_bytes()) == (0, &right), "{name} {number} {}", ran.err);
            assert!(ran.err.contains(&format!("read as {name} (")), "{}", ran.err);
            let ran = place.run(&["convert", "-f", "auto", "-o", "b", "a"]);
            assert!(ran.status != 0 && ran.err.contains("repair --fallback auto"), "{}", ran.err);
            let ran = place.run(&["fix", "--yes", "--trust", "likely", "a"]);
            assert!(fs::read(&path).unwrap() == right, "{name} {number} {}{}", ran.out(), ran.err);
            place.run(&["undo"]);
            assert!(fs::read(&path).unwrap() == bytes, "{name} {number}");
        }
    }
}

/// Some characters of other encodings are UTF-8 by chance: `CD AC` of GBK, and two of EUC-JP, which are
/// four bytes.
#[test]
fn a_file_in_one_encoding_is_read_in_it_as_a_whole() {
    for (name, text) in [
        ("GBK", "不同的版本有不同的说明。\n同\n请先阅读这些说明，然后安装软件。\n同意\n"),
        ("EUC-JP", "メッセージをイメージとして表示します。\nページをインストールする前に確認してください。\n"),
        ("windows-1252", "Ça coûte déjà 5 £, payé à l’hôtel.\nÂ¿ est une faute connue, répète-t-il.\n"),
    ] {
        let place = Place::new();
        let bytes = Encoding::for_label(name).unwrap().encode(&text.repeat(3)).0.into_owned();
        place.file("a.txt", &bytes);
        let ran = place.run(&["repair", "--in-place", "--fallback", "auto", "a.txt"]);
        assert_eq!(String::from_utf8(place.read("a.txt")).unwrap(), text.repeat(3), "{name} {}", ran.err);
        place.run(&["undo"]);
        place.run(&["fix", "--yes", "--trust", "likely", "a.txt"]);
        assert_eq!(String::from_utf8(place.read("a.txt")).unwrap(), text.repeat(3), "{name}");
    }
}

#[test]
fn a_file_whose_reader_wants_its_encoding_is_repaired_only_by_name() {
    let german = "Größe wählen, schöne Grüße aus Köln\r\n";
    let of = |label: &str, text: &str| Encoding::for_label(label).unwrap().encode(text).0.into_owned();
    for (name, front, label) in [
        ("a.bat", "@echo off\r\necho ", "IBM850"),
        ("a.vbs", "MsgBox ", "windows-1252"),
        ("a.ps1", "Write-Host ", "windows-1252"),
        ("a.reg", "REGEDIT4\r\n\r\n", "windows-1252"),
        ("a.properties", "titel=", "ISO-8859-1"),
        ("a.inf", "[Strings]\r\nName=", "windows-1252"),
        ("a.nfo", "", "IBM437"),
    ] {
        let place = Place::new();
        let bytes = of(label, &format!("{front}{german}"));
        place.file(name, &bytes);
        for path in [name, "."] {
            let ran = place.run(&["repair", "--in-place", "--fallback", "auto", path]);
            assert_eq!(place.read(name), bytes, "{name} {}", ran.err);
            assert!(
                ran.status == 1 && ran.err.contains("makes UTF-8 of it all the same"),
                "{name} {} {}",
                ran.status,
                ran.err
            );
        }
        let ran = place.run(&["repair", "--in-place", "--fallback", label, name]);
        assert_eq!(place.read(name), format!("{front}{german}").into_bytes(), "{name} {}", ran.err);
    }
}

#[test]
fn a_guess_is_no_fallback() {
    let place = Place::new();
    let bytes = ["日本語の文です。\n".as_bytes(), b"x \xFA\xFB y\n"].concat();
    let path = place.file("a", &bytes);
    let ran = place.run(&["repair", "--in-place", "--fallback", "auto", "a"]);
    assert!(ran.status == 1 && ran.err.contains("--fallback"), "{}", ran.err);
    assert!(fs::read(path).unwrap() == bytes);
}

#[test]
fn the_advice_for_cut_characters_mends_them_and_nothing_else() {
    let place = Place::new();
    let few = place.file("few.json", b"{\"name\":\"see you \xF0\x9F\x98\",\"n\":3}\n");
    let ran = place.run(&["fix", "few.json"]);
    assert!(ran.out().contains("`utfkit repair --in-place --force FILE`"), "{}", ran.out());
    place.run(&["repair", "--in-place", "--force", "few.json"]);
    assert_eq!(fs::read_to_string(few).unwrap(), "{\"name\":\"see you \u{FFFD}\",\"n\":3}\n");
    // Lines in another encoding would be replaced, too.
    let old = utfkit::Encoding::for_label("windows-1251").unwrap();
    let mut bytes = "Сегодня утром мы встретили старого друга на вокзале.\n".repeat(9).into_bytes();
    bytes.extend(b"id,\xD0\n");
    bytes.extend(old.encode("Он рассказал, что вернулся домой насовсем.\n").0.iter());
    place.file("both.txt", &bytes);
    for command in [&["fix", "both.txt"][..], &["repair", "--fallback", "auto", "--in-place", "both.txt"]] {
        let ran = place.run(command);
        let said = [ran.out(), &ran.err].concat();
        assert!(said.contains("other bytes are windows-1251; `utfkit repair --diff --fallback windows-1251"), "{said}");
    }
}

/// The end cuts a letter, and a line has one letter in another encoding.
#[test]
fn a_letter_of_an_old_line_is_not_replaced_with_the_end() {
    let place = Place::new();
    for (name, old, end) in [
        ("windows-1257", "Senas tiltas per upę uždarytas.\n", "Rytoj bus šal"),
        ("windows-1252", "Étienne est parti tard.\n", "Demain, il fera froid et gris, dit-elle à l"),
        (
            "IBM850",
            "Die Wagen fahren nicht mehr, alles ist gesperrt, leider für lange.\n",
            "Morgen wird es kühler und regn",
        ),
    ] {
        let old = Encoding::for_label(name).unwrap().encode(old).0.into_owned();
        let text = "Žmonės laukė, più tardi, für später, près du café.\n".repeat(4);
        let bytes = [text.as_bytes(), &old, end.as_bytes(), b"\xC3"].concat();
        let path = place.file("end.txt", &bytes);
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "end.txt"]);
        assert!(fs::read(&path).unwrap() == bytes, "{name}: {}", ran.out());
    }
}

#[test]
fn cut_characters_are_joined_replaced_or_dropped() {
    let place = Place::new();
    let gedcom = b"0 HEAD\n1 NOTE Star\xC3\xBD most v Lu\xC4\n2 CONC \x8Dkovicich, \xC5\x99eka\n";
    let path = place.file("a.ged", gedcom);
    place.run(&["fix", "--yes", "a.ged"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "0 HEAD\n1 NOTE Starý most v Luč\n2 CONC kovicich, řeka\n");
    place.run(&["undo"]);
    assert!(fs::read(&path).unwrap() == gedcom);
    let cut = "id;text\n1;\"Всё хорошо, спасибо за помощ".as_bytes();
    let bytes = [cut, b"\xD1\";ok\n2;\"", "Очень рада".as_bytes(), b"\";ok\n"].concat();
    let path = place.file("b.csv", &bytes);
    let ran = place.run(&["fix", "--yes", "b.csv"]);
    assert!(fs::read(&path).unwrap() == bytes && ran.out().contains("are cut off; --trust likely"), "{}", ran.out());
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "b.csv"]);
    assert!(ran.out().contains("replace cut characters by U+FFFD"), "{}", ran.out());
    assert_eq!(fs::read(&path).unwrap(), String::from_utf8_lossy(&bytes).as_bytes());
    let again = place.run(&["fix", "--yes", "--trust", "likely", "b.csv"]);
    assert!(again.err.contains("0 files to change"), "{}", again.err);
    place.run(&["undo"]);
    assert!(fs::read(&path).unwrap() == bytes);
    // A buffer that begins and ends within a character.
    let middle = &"Привет, как дела?\nВсё хорошо, спасибо.\n".repeat(5).into_bytes()[1..];
    let buffer = place.file("c.txt", &middle[..middle.len() - 4]);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "c.txt"]);
    let text = String::from_utf8_lossy(&middle[..middle.len() - 4]).into_owned();
    assert_eq!(fs::read_to_string(buffer).unwrap(), text, "{}", ran.out());
    for (args, text) in [
        (&["repair"][..], "помощ\u{FFFD}\""),
        (&["repair", "--replacement", ""], "помощ\""),
        (&["repair", "--fallback", "auto"], "помощ\u{FFFD}\""),
    ] {
        let ran = place.feed(args, &bytes);
        assert!(ran.status == 0 && ran.out().contains(text), "{args:?} {}", ran.out());
    }
    let hint = place.run(&["check", "b.csv"]).err;
    assert!(hint.contains("1 cut character; try: utfkit repair b.csv"), "{hint}");
}

#[test]
fn in_place_writes_only_what_changes() {
    let place = Place::new();
    let good = place.file("good", "Grüße\n");
    place.file("sub/bad", DAMAGED);
    place.file("sub/binary", b"a\0\xFF");
    place.file("utf16", b"\xFF\xFEa\0");
    let before = fs::metadata(&good).unwrap();
    let ran = place.portable(&["repair", "--in-place=.old", "--fallback", "cp1252", "good", "sub"]);
    assert_eq!(ran.status, 0);
    assert!(ran.err.contains("sub/bad: repaired: 9 bytes read as windows-1252\n"), "{}", ran.err);
    assert!(ran.err.contains("skipped 1 binary file"), "{}", ran.err);
    let after = fs::metadata(&good).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(before.ino(), after.ino());
    }
    assert_eq!(place.names(), ["good", "sub", "utf16"]);
    assert_eq!(place.read("sub/bad.old"), DAMAGED);
    assert_eq!(place.read("sub/bad"), "gut\ncafé €\nÀ¯ í\u{A0}½í¸€\n".as_bytes());
    let ran = place.portable(&["repair", "--in-place", "utf16"]);
    assert!(ran.status == 1 && ran.err.contains("utfkit convert -f UTF-16 "), "{}", ran.err);
    assert_eq!(place.read("utf16"), b"\xFF\xFEa\0");
    let ran = place.portable(&["repair", "--in-place", "missing", "sub/bad.old"]);
    assert!(ran.status == 2 && ran.err.contains("missing: "), "{}", ran.err);
    assert!(std::str::from_utf8(&place.read("sub/bad.old")).is_ok(), "one missing file does not stop the others");
    assert_eq!(place.feed(&["repair", "--in-place"], b"\xFF").status, 2);
    // A file with several names is repaired once.
    for _ in 0..10 {
        place.file("good", DAMAGED);
        let ran = place.portable(&["repair", "--in-place", "-j4", "good", "./good", "sub/../good", "good"]);
        assert_eq!((ran.status, ran.err.matches("repaired: 9").count()), (0, 1), "{}", ran.err);
    }
}

#[test]
fn a_dry_run_says_a_line_a_change_and_writes_nothing() {
    let place = Place::new();
    place.file("a", DAMAGED);
    place.file("b", "Grüße, AMANHÃ…\n");
    place.file("c", "NicolÃ¡s\n");
    let args = ["repair", "--dry-run", "--fallback", "cp1252", "--reinterpret", "--undouble", "a", "b", "c"];
    let ran = place.run(&args);
    assert_eq!(
        ran.lines(),
        [
            r#"a:2: byte 7: fallback: E9 -> "é""#,
            r#"a:3: byte 13: reinterpreted: C0 AF -> "/""#,
            r#"a:3: byte 16: reinterpreted: ED A0 BD ED B8 80 -> "😀""#,
            r#"c:1: byte 5: undoubled (windows-1252): "Ã¡" -> "á""#,
        ]
    );
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("c: would be repaired: 1 double encoding undone (windows-1252)\n"), "{}", ran.err);
    assert_eq!(place.run(&["repair", "-n", "b"]).status, 0);
    assert_eq!(place.run(&["repair", "-n", "--in-place", "a"]).status, 1);
    assert_eq!((place.read("a").as_slice(), place.names().len()), (DAMAGED, 3));
    // The content of a file cannot control the terminal.
    let ran = place.feed(&["repair", "--reinterpret", "-n"], b"\xC0\x9B[31m");
    assert_eq!(ran.out(), "-:1: byte 0: reinterpreted: C0 9B -> \"\\u{1b}\"\n");
}

#[test]
fn a_named_fallback_mends_what_no_encoding_explains_where_that_is_rare() {
    // Few ill-formed bytes among many lines of US-ASCII: one in 93 bytes, or
    // one in 46.
    let text = |lines: usize| {
        let mut text: Vec<Vec<u8>> = (0..lines).map(|number| format!("line {number}\n").into()).collect();
        text[lines / 5] = b"caf\xE9 \x1B[0m\n".to_vec();
        text[lines / 2] = b"a\xC0\x8Ab\n".to_vec();
        text[lines / 2 + 2] = b"\xFF\n".to_vec();
        text.push(b"end\xFF".to_vec());
        text.concat()
    };
    let place = Place::new();
    place.file("rare", text(70));
    place.file("frequent", text(30));
    let ran = place.run(&["repair", "--in-place", "--no-log", "--fallback", "cp1252", "rare"]);
    assert!(ran.status == 0 && ran.err.contains("rare: repaired: 5 bytes read as windows-1252\n"), "{}", ran.err);
    let ran = place.run(&["repair", "--in-place", "--no-log", "--fallback", "cp1252", "frequent"]);
    assert!(ran.status == 1 && ran.err.contains("in no known encoding; --force"), "{}", ran.err);
    assert_eq!(place.read("frequent"), text(30));
}

#[test]
fn a_diff_shows_the_lines_around_each_change() {
    let place = Place::new();
    let mut text = Vec::new();
    for number in 1..=2000 {
        match number {
            5 => text.extend_from_slice(b"caf\xE9 \x1B[0m\n"),
            1000 => text.extend_from_slice(b"a\xC0\x8Ab\n"),
            1002 => text.extend_from_slice(b"\xFF\n"),
            _ => text.extend_from_slice(format!("line {number}\n").as_bytes()),
        }
    }
    text.extend_from_slice(b"end\xFF");
    place.file("a", &text);
    let args = ["repair", "--diff", "--reinterpret", "--fallback", "cp1252", "a"];
    let ran = place.run(&args);
    let want = "\
--- a
+++ a (repaired)
@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-caf\\xE9 \\u{1b}[0m
+café \\u{1b}[0m
 line 6
 line 7
 line 8
@@ -997,9 +997,10 @@
 line 997
 line 998
 line 999
-a\\xC0\\x8Ab
+a
+b
 line 1001
-\\xFF
+ÿ
 line 1003
 line 1004
 line 1005
@@ -1998,4 +1999,4 @@
 line 1998
 line 1999
 line 2000
-end\\xFF
\\ No newline at end of file
+endÿ
\\ No newline at end of file
";
    assert_eq!((ran.status, ran.out()), (1, want));
    assert_eq!(place.read("a"), text);
    assert_eq!(place.pipe(&args[..5], text.chunks(77)).out().lines().skip(2).collect::<Vec<_>>(), ran.lines()[2..]);
    // With an output, the diff is printed and the file written.
    let both = place.run(&["repair", "--diff", "--reinterpret", "--fallback", "cp1252", "--in-place", "a"]);
    assert_eq!((both.status, both.out()), (0, want));
    assert!(std::str::from_utf8(&place.read("a")).is_ok());
    // A very long line is shown in pieces.
    let long = [vec![b'x'; 100_000], vec![0xFF], vec![b'y'; 100_000]].concat();
    let ran = place.feed(&["repair", "--diff"], &long);
    assert!(ran.out().contains("\\xFFyy") && ran.out.len() < 60_000, "{}", ran.out.len());
}

/// The content that the logs below restore.
fn hostile() -> Vec<Vec<u8>> {
    let mut state = 7u64;
    let mut files = vec![DAMAGED.to_vec(), b"\xFF".to_vec(), "n\u{C3}\u{192}\u{C2}\u{A9}\n".as_bytes().to_vec()];
    for len in [100, 5000, 300_000] {
        let bytes = (0..len).map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            match state >> 60 {
                0 => (state >> 40) as u8 | 0x80,
                _ => (state >> 40) as u8 & 0x7F,
            }
        });
        files.push(bytes.collect());
    }
    files
}

#[test]
fn undo_restores_the_original_bytes() {
    let place = Place::new();
    let files = hostile();
    for (number, bytes) in files.iter().enumerate() {
        place.file(format!("in/{number}"), bytes);
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        place.file(std::ffi::OsStr::from_bytes(b"in/caf\xE9\n"), b"\xE9");
    }
    for (number, options) in [&[][..], &["--fallback", "cp1252"], &["--reinterpret", "--undouble"]].iter().enumerate() {
        let log = format!("{number}.jsonl");
        let ran = place.portable(
            &[&["repair", "-s", "--in-place", "-a", "--force", "--no-ignore", "--log", &log, "in"], *options].concat(),
        );
        assert_eq!((ran.status, ran.err.replace("skipped", "").contains("utfkit: in")), (0, false), "{}", ran.err);
        assert_eq!(place.portable(&["check", "-q", "in"]).status, 0, "{options:?}");
        let ran = place.portable(&["repair", "-v", "--undo", &log]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(ran.err.contains("in/0: restored ("), "{}", ran.err);
        for (number, bytes) in files.iter().enumerate() {
            assert!(place.read(&format!("in/{number}")) == *bytes, "{options:?} {number}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let odd = place.path().join(std::ffi::OsStr::from_bytes(b"in/caf\xE9\n"));
            assert_eq!(fs::read(odd).unwrap(), b"\xE9");
            assert!(ran.err.contains(r"in/caf\xE9\n: restored (1 change undone)"), "{}", ran.err);
        }
        let again = place.portable(&["repair", "-v", "--undo", &log]);
        assert!(again.status == 0 && again.err.contains("in/0: is as it was before the run"), "{}", again.err);
    }
}

#[test]
fn undo_works_for_an_output_and_for_a_pipe() {
    let place = Place::new();
    place.file("a", DAMAGED);
    assert_eq!(place.run(&["repair", "-s", "-o", "b", "--log", "b.log", "a"]).status, 0);
    assert_eq!(place.run(&["repair", "--undo", "b.log"]).status, 0);
    assert_eq!((place.read("a"), place.read("b")), (DAMAGED.to_vec(), DAMAGED.to_vec()));
    let repaired = place.feed(&["repair", "-s", "--log", "p.log"], DAMAGED).out;
    let ran = place.feed(&["repair", "-s", "--undo", "p.log"], &repaired);
    assert_eq!((ran.status, ran.out), (0, DAMAGED.to_vec()));
    // A log restores one output.
    let ran = place.run(&["repair", "--log", "c.log", "a", "a"]);
    assert!(ran.status == 2 && ran.err.contains("--in-place"), "{}", ran.err);
    // The input can be the output.
    assert_eq!(place.run(&["repair", "-s", "-o", "a", "a"]).status, 0);
    assert!(std::str::from_utf8(&place.read("a")).is_ok());
}

#[test]
fn undo_refuses_what_is_not_as_the_repair_left_it() {
    let place = Place::new();
    place.file("a", DAMAGED);
    place.file("b", DAMAGED);
    assert_eq!(place.run(&["repair", "-s", "--in-place", "--log", "log", "a", "b"]).status, 0);
    let mut changed = place.read("a");
    changed[0] = b'G';
    place.file("a", &changed);
    let ran = place.run(&["repair", "--undo", "log"]);
    assert!(ran.status == 2 && ran.err.contains("a: changed since the run, so skipped"), "{}", ran.err);
    assert_eq!((place.read("a"), place.read("b")), (changed, DAMAGED.to_vec()));
    fs::remove_file(place.path().join("a")).unwrap();
    let ran = place.run(&["repair", "--undo", "log"]);
    assert!(ran.status == 2 && ran.err.contains("the run was in "), "{}", ran.err);
}

#[test]
fn a_log_is_never_written_over_and_a_damaged_one_harms_nothing() {
    let place = Place::new();
    place.file("a", DAMAGED);
    let args = ["repair", "-s", "--in-place", "--log", "log", "a"];
    place.file("log", "mine");
    let ran = place.run(&args);
    assert!(ran.status == 2 && ran.err.contains("never written over"), "{}", ran.err);
    assert_eq!((place.read("a").as_slice(), place.read("log").as_slice()), (DAMAGED, &b"mine"[..]));
    let ran = place.run(&["repair", "--undo", "log"]);
    assert!(ran.status == 2 && ran.err.contains("log: "), "{}", ran.err);
    fs::remove_file(place.path().join("log")).unwrap();
    assert_eq!(place.run(&args).status, 0);
    let (log, repaired) = (place.read("log"), place.read("a"));
    let text = String::from_utf8(log.clone()).unwrap();
    let first: serde_json::Value = serde_json::from_str(text.lines().nth(2).unwrap()).unwrap();
    assert_eq!(first["path"], "a");
    assert_eq!((first["offset"].as_u64(), first["before"].as_str()), (Some(7), Some("e9")));
    for damaged in [
        text.replace("\"e9\"", "\"e8\""),
        text.replace("efbfbd", "efbfbe"),
        text.replace("\"repaired_offset\":7", "\"repaired_offset\":99999"),
        text.replace("\"before\":\"e9\"", "\"before\":\"e\""),
        text.lines().take(3).map(|line| line.to_owned() + "\n").collect(),
    ] {
        place.file("log", &damaged);
        let ran = place.run(&["repair", "--undo", "log"]);
        assert!(ran.status == 2 && ran.err.contains("log"), "{damaged} {}", ran.err);
        assert!(place.read("a") == repaired, "{damaged}");
    }
    // Cut anywhere, a log restores the file or leaves it, never anything else.
    for cut in (0..log.len()).step_by(if all_cases() { 1 } else { 7 }) {
        place.file("log", &log[..cut]);
        place.file("a", &repaired);
        let ran = place.run(&["repair", "--undo", "log"]);
        let now = place.read("a");
        assert!(now == repaired || (now == DAMAGED && ran.status == 0), "{cut}");
        if cut % 35 != 0 {
            continue;
        }
        assert_eq!(place.names(), ["a", "log"], "no temporary file is left");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    place.file("a", b"caf\xE9 au lait\n".repeat(200_000));
    for args in ["repair -s a", "repair -n a", "repair --diff -s a"] {
        let mut command = place.command(&args.split(' ').collect::<Vec<_>>());
        let mut child: std::process::Child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code().map(|code| code < 2), output.stderr.len()), (Some(true), 0), "{args}");
    }
}

#[test]
fn the_euro_and_the_trade_mark_come_back_without_other_evidence() {
    let place = Place::new();
    for (twice, once) in [("5 â‚¬, naïve\n", "5 €, naïve\n"), ("Acmeâ„¢, façade\n", "Acme™, façade\n")]
    {
        let ran = place.feed(&["repair", "-s", "--undouble"], twice.as_bytes());
        assert_eq!((ran.status, ran.out()), (0, once));
    }
    for text in ["il va là „¢“", "voilà ‚¬‘", "là‚ dit-il"] {
        let ran = place.feed(&["repair", "-s", "--undouble"], text.as_bytes());
        assert_eq!((ran.status, ran.out()), (0, text));
    }
}

/// Bytes in an encoding that the survey cannot name are kept, and a cut character is in no code page.
#[test]
fn bytes_of_unknown_or_mixed_origin_are_refused_by_auto() {
    let place = Place::new();
    let russian = "Сегодня утром мы гуляли по лесу и собирали грибы.\n";
    let old =
        Encoding::for_label("windows-1251").unwrap().encode("Вечером все вернулись домой усталыми.\n").0.into_owned();
    let cut = [russian.repeat(8).as_bytes(), b"x,\xD0\n", &old, russian.as_bytes(), &old].concat();
    let unknown = ["Größe und Übung\n".repeat(12).as_bytes(), b"a \xFA\xFB\xFE\xFF b\n"].concat();
    let units: Vec<u8> = "\u{FEFF}Größe\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [("cut", &cut), ("unknown", &unknown), ("units", &units)] {
        place.file(name, bytes);
        for arguments in [&["--in-place"][..], &[]] {
            let ran = place.run(&[&["repair", "--fallback", "auto", name][..], arguments].concat());
            assert!(ran.status != 0 && ran.out().is_empty(), "{name} {arguments:?} {} {}", ran.status, ran.err);
            assert_eq!(place.read(name), *bytes, "{name}");
        }
    }
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "cut"]);
    assert_eq!(place.read("cut"), cut, "{}", ran.err);
}
