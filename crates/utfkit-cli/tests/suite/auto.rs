//! `utfkit convert -f auto`.

use crate::common::Place;

const TEXT: &str = "Grüße aus Köln, мир, 日本語 🎉\n";

fn utf16le(text: &str, bom: bool) -> Vec<u8> {
    let units = bom.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn each_input_is_read_as_what_it_is() {
    let place = Place::new();
    place.file("a", TEXT);
    place.file("b", utf16le(TEXT, true));
    place.file("c", utf16le(TEXT, false));
    place.file("d", b"Gr\xFC\xDFe aus K\xF6ln\n");
    let ran = place.run(&["convert", "-f", "auto", "a", "b", "c", "d", "a"]);
    assert_eq!(ran.out(), format!("{TEXT}{TEXT}{TEXT}Grüße aus Köln\n{TEXT}"));
    assert_eq!(ran.status, 0);
    // The output has a single BOM.
    let ran = place.run(&["convert", "-f", "auto", "-t", "UTF-16", "a", "b", "-s"]);
    assert_eq!((ran.out, ran.err.as_str()), (utf16le(&format!("{TEXT}{TEXT}"), true), ""));
}

#[test]
fn a_pipe_is_read_once_and_converted_whole() {
    let place = Place::new();
    let text = TEXT.repeat(10_000);
    let ran = place.feed(&["convert", "-f", "auto"], &utf16le(&text, false));
    assert_eq!((ran.status, ran.out(), ran.err.as_str()), (0, text.as_str(), ""));
    let ran = place.feed(&["convert", "-f", "auto"], b"");
    ran.is_silent_success();
}

/// A pipe gives the text that a file of its bytes gives, with US-ASCII before them or not.
#[test]
fn a_pipe_is_converted_as_a_file_is() {
    let place = Place::new();
    let words = |language: &str| -> String {
        match language {
            "windows-1251" | "KOI8-R" => "Привет, мир! Это строка текста, и ещё одна.\n",
            "Shift_JIS" | "EUC-JP" | "ISO-2022-JP" => "東京の天気は晴れです。明日も晴れでしょう。\n",
            "GB18030" => "北京的天气很好，我们去公园吧。\n",
            "Big5" => "台北的天氣很好，我們去公園吧。\n",
            "EUC-KR" => "서울의 날씨는 맑습니다. 내일도 맑겠습니다.\n",
            _ => "Schöne Grüße aus Köln, für später: Äpfel über Öfen.\n",
        }
        .repeat(40)
    };
    let encodings = [
        "windows-1252",
        "windows-1251",
        "KOI8-R",
        "Shift_JIS",
        "EUC-JP",
        "ISO-2022-JP",
        "GB18030",
        "Big5",
        "EUC-KR",
        "UTF-8",
    ];
    for encoding in encodings {
        // Longer than what a pipe holds back, and than a read.
        for ascii in [0, 3, 2000, 300_000] {
            let text = [&"plain\n".repeat(ascii / 6), words(encoding).as_str()].concat();
            place.file("utf8", &text);
            let bytes = place.run(&["convert", "-t", encoding, "utf8"]).out;
            place.file("a", &bytes);
            for to in ["UTF-8", "UTF-16", "UTF-8//IGNORE"] {
                let file = place.run(&["convert", "-f", "auto", "-t", to, "a"]);
                let pipe = place.feed(&["convert", "-f", "auto", "-t", to], &bytes);
                assert_eq!((file.status, pipe.status), (0, 0), "{encoding} {ascii}: {} {}", file.err, pipe.err);
                assert!(file.out == pipe.out, "{encoding} after {ascii} to {to}");
            }
            assert!(place.feed(&["convert", "-f", "auto"], &bytes).out == text.as_bytes(), "{encoding} after {ascii}");
        }
    }
}

/// An error after the window has its place in the pipe, and a BOM is written once.
#[test]
fn an_error_in_a_pipe_has_its_place() {
    let place = Place::new();
    let mut bytes = "plain\n".repeat(1000).into_bytes();
    bytes.extend("Größe, 日本\n".repeat(200_000).into_bytes());
    let at = bytes.len() + "ab".len();
    bytes.extend(b"ab\xE9\n");
    let ran = place.feed(&["convert", "-f", "auto"], &bytes);
    let expected = format!("-:201001:3: byte {at}: E9: missing-continuation: ");
    assert!(ran.status == 1 && ran.err.contains(&expected), "{}", ran.err);
    assert!(ran.out == bytes[..at]);
    // A character that the target lacks.
    let text = ["plain\n".repeat(1000), "Schöne Grüße für später: 5 €\n".repeat(3)].concat();
    let ran = place.feed(&["convert", "-f", "auto", "-t", "latin1"], text.as_bytes());
    let expected = "-:1001:28: byte 6032: E2 82 AC: unrepresentable: U+20AC";
    assert!(ran.status == 1 && ran.err.contains(expected), "{}", ran.err);
    let ran = place.feed(&["convert", "-f", "auto", "-t", "UTF-16"], text.as_bytes());
    assert!(ran.out == utf16le(&text, true));
    // Replacements are counted.
    let ran = place.feed(&["convert", "-f", "auto", "-t", "UTF-8//REPLACE"], &bytes);
    assert!(ran.err.contains("1 ill-formed sequence"), "{}", ran.err);
}

#[test]
fn a_pipe_that_no_encoding_reads_is_refused() {
    let place = Place::new();
    let mixed = ["Größe, schöne Grüße\n".repeat(20).as_bytes(), b"Gr\xF6\xDFe und sch\xF6ne Gr\xFC\xDFe\n"].concat();
    let ran = place.feed(&["convert", "-f", "auto"], &mixed);
    assert!(ran.status == 2 && ran.err.contains("`utfkit repair --fallback auto -`"), "{}", ran.err);
    let ran = place.feed(&["convert", "-f", "auto"], b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0");
    assert!(ran.status == 2 && ran.err.contains("name it with -f"), "{}", ran.err);
    // UTF-16 that a shell appended is read where all is at hand.
    let joined = [b"first line of a log\r\n".repeat(3), utf16le("zweite Zeile, größer\r\n", true)].concat();
    place.file("a", &joined);
    let (file, pipe) = (place.run(&["convert", "-f", "auto", "a"]), place.feed(&["convert", "-f", "auto"], &joined));
    assert_eq!((file.status, pipe.status), (0, 0), "{} {}", file.err, pipe.err);
    assert_eq!(file.out(), pipe.out());
}

#[test]
fn what_is_no_text_is_left_alone() {
    let place = Place::new();
    let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0";
    place.file("tree/tool", elf);
    place.file("tree/old.txt", b"Gr\xFC\xDFe\n");
    place.file("tree/wide.txt", utf16le(TEXT, true));
    place.file("tree/new.txt", TEXT);
    let ran = place.run(&["convert", "-f", "auto", "--in-place", "tree"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.err.contains("skipped 1 binary file (with NUL bytes); -v names it\n"), "{}", ran.err);
    assert_eq!(place.read("tree/tool"), elf);
    assert_eq!(place.read("tree/old.txt"), b"Gr\xFC\xDFe\n");
    assert_eq!((place.read("tree/wide.txt"), place.read("tree/new.txt")), (TEXT.into(), TEXT.into()));
    // As a named file it is an error, with advice.
    let ran = place.run(&["convert", "-f", "auto", "tree/tool"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.starts_with("utfkit: tree/tool: ") && ran.err.contains("name it with -f"), "{}", ran.err);
    assert!(ran.out.is_empty());
}

#[test]
fn damaged_utf_8_is_not_garbled() {
    let place = Place::new();
    let damaged = b"na\xC3\xAFve \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E, caf\xE9 d\xE9j\xE0 vu, \xE9t\xE9 \xC0\xAF";
    let path = place.file("a", damaged);
    let ran = place.run(&["convert", "-f", "auto", "--in-place", "a"]);
    assert_eq!((ran.status, std::fs::read(path).unwrap().as_slice()), (1, &damaged[..]));
    assert!(
        ran.err.contains("4 well-formed sequences of UTF-8") && ran.err.contains("utfkit repair --fallback"),
        "{}",
        ran.err
    );
    // A named encoding is accepted.
    assert_eq!(place.run(&["convert", "-f", "windows-1252", "a"]).status, 0);
}

#[test]
fn auto_in_place_wrote_over_what_was_only_a_guess() {
    let place = Place::new();
    let text = "чай\n";
    let (guess, likely) = (b"\xE9\xE8\xFE\n".to_vec(), encoding_rs::KOI8_R.encode(text).0.into_owned());
    place.file("guess", &guess);
    place.file("likely", &likely);
    place.file("sure", utf16le(TEXT, true));
    let ran = place.run(&["convert", "-f", "auto", "--in-place", "guess", "likely", "sure"]);
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.said(),
        "utfkit: guess: left as it was: it may be windows-1253, which is a guess; if it is right, \
         `utfkit convert -f windows-1253 --in-place guess`\n\
         utfkit: likely: left as it was: it is likely KOI8-R, but not sure; `--trust likely` converts it\n"
    );
    assert_eq!((place.read("guess"), place.read("likely")), (guess.clone(), likely.clone()));
    assert_eq!(place.read("sure"), TEXT.as_bytes());
    // The output is the only copy, so it is treated like --in-place.
    let ran = place.run(&["convert", "-f", "auto", "-o", "likely", "likely"]);
    assert!(ran.status == 1 && ran.err.contains("`--trust likely` converts it"), "{}", ran.err);
    assert_eq!(place.read("likely"), likely);
    // A new output file can be thrown away.
    assert_eq!(place.run(&["convert", "-f", "auto", "-o", "other", "guess"]).status, 0);
    assert_eq!(place.read("other"), "ιθώ\n".as_bytes());
    // The recommended command works.
    let ran = place.run(&["convert", "-f", "auto", "--trust", "likely", "--in-place", "guess", "likely", "sure"]);
    assert_eq!((ran.status, place.read("guess"), place.read("likely")), (1, guess, text.into()), "{}", ran.err);
    assert_eq!(place.run(&["convert", "-f", "windows-1253", "--in-place", "guess"]).status, 0);
    assert_eq!(place.read("guess"), "ιθώ\n".as_bytes());
    // UTF-8 so short that it is only likely is still UTF-8.
    place.file("short", "é\n");
    let ran = place.run(&["convert", "-f", "auto", "-t", "UTF-16LE", "--in-place", "short"]);
    assert_eq!((ran.status, place.read("short")), (0, utf16le("é\n", false)), "{}", ran.err);
}

#[test]
fn what_was_found_is_said_when_asked_for() {
    let place = Place::new();
    place.file("a", TEXT);
    let ran = place.run(&["convert", "-v", "-f", "auto", "a"]);
    assert!(ran.err.starts_with("utfkit: a: converted from UTF-8 ("), "{}", ran.err);
    place.run(&["convert", "-f", "auto", "-o", "b", "a"]).is_silent_success();
}

#[test]
fn damage_is_found_on_its_line() {
    let place = Place::new();
    let mut text = TEXT.repeat(20).into_bytes();
    let offset = text.len();
    text.extend_from_slice(b"\xFF end\n");
    text.extend_from_slice(TEXT.repeat(20).as_bytes());
    place.file("a", &text);
    let ran = place.run(&["convert", "-f", "auto", "a"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains(&format!("a:21:1: byte {offset}: FF: invalid-byte")), "{}", ran.err);
}

#[test]
fn the_target_has_to_be_named() {
    let ran = Place::new().run(&["convert", "-t", "auto"]);
    assert!(
        ran.status == 2 && ran.err.contains("auto works only for the input: name the encoding of the output"),
        "{}",
        ran.err
    );
}

/// Files whose pieces are in several encodings, and their text.
fn joined() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let wide = |text: &str| utf16le(text, false);
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let old = |text: &str| encoding_rs::WINDOWS_1251.encode(text).0.into_owned();
    let russian = "Резервная копия создана вчера вечером.\n";
    vec![
        ("ignore", [b"*.bak\nobj/\n".to_vec(), wide("packages/\r\n")].concat(), "*.bak\nobj/\npackages/\r\n"),
        (
            "marked",
            [russian.as_bytes().to_vec(), utf16le("Готово.\r\n", true)].concat(),
            "Резервная копия создана вчера вечером.\nГотово.\r\n",
        ),
        (
            "cmd",
            [utf16le("日志已保存到新的文件夹。\r\n", true), b"ECHO is on.\r\n".to_vec()].concat(),
            "日志已保存到新的文件夹。\r\nECHO is on.\r\n",
        ),
        (
            "old",
            [old(&russian.repeat(3)), utf16le("Проверка завершена без ошибок.\r\n", false)].concat(),
            "Резервная копия создана вчера вечером.\nРезервная копия создана вчера вечером.\n\
             Резервная копия создана вчера вечером.\nПроверка завершена без ошибок.\r\n",
        ),
        (
            "orders",
            [utf16le("Αντίγραφο ασφαλείας\n", true), big("\u{FEFF}Τέλος της εργασίας\n")].concat(),
            "Αντίγραφο ασφαλείας\nΤέλος της εργασίας\n",
        ),
        (
            "log",
            [b"09:00 up\n09:01 ok\n".to_vec(), wide("09:02 Überlauf\r\n"), b"09:03 up\n".to_vec()].concat(),
            "09:00 up\n09:01 ok\n09:02 Überlauf\r\n09:03 up\n",
        ),
        ("end", [b"one line and no more\n".to_vec(), wide("\r\n")].concat(), "one line and no more\n\r\n"),
    ]
}

#[test]
fn each_piece_of_a_joined_file_is_read_in_its_encoding() {
    for (name, bytes, text) in joined() {
        for args in [
            &["convert", "-f", "auto", "--in-place", name][..],
            &["repair", "--fallback", "auto", "--in-place", name],
            &["fix", "--yes", name],
        ] {
            let place = Place::new();
            place.file(name, &bytes);
            let ran = place.run(args);
            assert_eq!(
                (ran.status, String::from_utf8(place.read(name)).as_deref()),
                (0, Ok(text)),
                "{args:?}: {}",
                ran.err
            );
            let ran = place.run(&["undo"]);
            assert_eq!((ran.status, place.read(name)), (0, bytes.clone()), "{args:?}: {}", ran.err);
        }
        let place = Place::new();
        place.file(name, &bytes);
        assert_eq!(place.run(&["convert", "-f", "auto", name]).out(), text);
        assert_eq!(place.run(&["repair", "--fallback", "auto", name]).out(), text);
        assert_eq!(place.feed(&["convert", "-f", "auto"], &bytes).out(), text);
        place.run(&["convert", "-f", "auto", "-o", name, name]).is_silent_success();
        assert_eq!(String::from_utf8(place.read(name)).as_deref(), Ok(text));
    }
}

/// Surrogate pairs of CESU-8 are characters, and a surrogate alone is none.
#[test]
fn relatives_of_utf_8_lose_nothing_in_a_repair() {
    let line = "Die Fähre fährt spät über den Öresund.\n";
    let with = |bytes: &[u8]| [line.as_bytes(), b"gr\xC3\xBC\xC3\x9Fe ", bytes, b"!\n", line.as_bytes()].concat();
    let pair = with(b"\xED\xA0\xBC\xED\xBD\x95");
    for args in [&["repair", "--fallback", "auto", "--in-place", "a"][..], &["fix", "--yes", "a"]] {
        let place = Place::new();
        place.file("a", &pair);
        place.run(args);
        assert_eq!(String::from_utf8(place.read("a")).unwrap(), format!("{line}grüße \u{1F355}!\n{line}"), "{args:?}");
    }
    for text in [with(b"\xED\xA0\xBC"), b"a \xED\xA0\xBC;b\n".to_vec()] {
        let place = Place::new();
        place.file("a", &text);
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "a"]);
        assert!(ran.out().contains("1 surrogate without a pair, which UTF-8 cannot hold"), "{}", ran.out());
        assert_eq!((ran.status, place.read("a")), (1, text));
    }
}

#[test]
fn a_joined_file_is_converted_into_any_encoding() {
    let place = Place::new();
    for (name, bytes, text) in joined() {
        place.file(name, &bytes);
        let ran = place.run(&["convert", "-f", "auto", "-t", "UTF-16LE", name]);
        assert_eq!((ran.status, ran.out), (0, utf16le(text, false)), "{name}: {}", ran.err);
    }
    let (name, bytes, _) = &joined()[2];
    let ran = place.run(&["convert", "-f", "auto", "-t", "windows-1252", "--in-place", name]);
    assert_eq!((ran.status, &place.read(name)), (1, bytes), "{}", ran.err);
}

#[test]
fn a_piece_in_an_unknown_encoding_is_left_alone() {
    let place = Place::new();
    let bytes = [b"\xC9\xC9\xC9\xC9\xC9\xC9\xC9\xC9\n".to_vec(), utf16le("Überlauf gemeldet\r\n", true)].concat();
    place.file("a", &bytes);
    for args in [
        &["convert", "-f", "auto", "--in-place", "a"][..],
        &["repair", "--fallback", "auto", "--in-place", "a"],
        &["fix", "--yes", "--trust", "likely", "a"],
    ] {
        let ran = place.run(args);
        let all = [ran.out(), &ran.err].concat();
        assert!(ran.status == 1 && all.contains("joined of several encodings"), "{args:?}: {all}");
        assert_eq!(place.read("a"), bytes, "{args:?}");
    }
}

#[test]
fn a_file_that_is_declared_to_have_a_bom_gets_one() {
    let place = Place::new();
    place.file(".editorconfig", "root = true\n[*.csv]\ncharset = utf-8-bom\n");
    let old = b"Nom;Pr\xE9nom\nLef\xE8vre;Ren\xE9\nB\xE9rard;No\xEBl\n";
    let text = "Nom;Prénom\nLefèvre;René\nBérard;Noël\n";
    let marked = |text: &str| ["\u{FEFF}", text].concat();
    for (args, name, bytes, expected) in [
        (&["-f", "auto", "--trust", "likely"][..], "a.csv", old.to_vec(), marked(text)),
        (&["-f", "ISO-8859-1"], "b.csv", old.to_vec(), marked(text)),
        (&["-f", "UTF-16"], "c.csv", utf16le(text, true), marked(text)),
        (&["-f", "auto"], "d.csv", utf16le(text, true), marked(text)),
        (&["-f", "ISO-8859-1", "--bom", "remove"], "e.csv", old.to_vec(), text.to_owned()),
        (&["-f", "ISO-8859-1"], "f.txt", old.to_vec(), text.to_owned()),
    ] {
        place.file(name, &bytes);
        let ran = place.run(&[&["convert", "--in-place"], args, &[name]].concat());
        assert_eq!((ran.status, place.read(name)), (0, expected.into_bytes()), "{name}: {}", ran.err);
    }
}

#[test]
fn a_byte_that_utf_16_lacks_is_named() {
    let place = Place::new();
    let text = "Die Lieferung kommt am Dienstag.\r\nBitte prüfen Sie die Rechnung.\r\nVielen Dank für Ihre Hilfe.\r\n";
    let mut bytes = utf16le(text, true);
    bytes.remove(101);
    place.file("a", &bytes);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "a"]);
    let all = [ran.out(), &ran.err].concat();
    assert!(all.contains("a byte of UTF-16LE is missing or one too many, on line 2 at byte 100 or near it"), "{all}");
    assert_eq!((ran.status, place.read("a")), (1, bytes));
}

#[test]
fn binaries_are_not_taken_for_joined_text() {
    let place = Place::new();
    let fields: Vec<u8> = (0..40_u16).flat_map(|n| (n * 700).to_le_bytes()).collect();
    let wide = utf16le("Fixed File Info", false);
    let binaries = [
        [b"RIFF\x64\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec(), fields.clone()].concat(),
        [b"name\0size\0date\0".to_vec(), fields.clone(), b"the end\n".to_vec()].concat(),
        [b"\x34\x03\0\0".to_vec(), wide.clone(), vec![0; 6], wide.clone(), vec![0; 3]].concat(),
        [b"a text of a line\n".to_vec(), wide, vec![0; 9], fields].concat(),
        b"\0\x05hello\0\x05world\0\x03and\0\x02so".to_vec(),
    ];
    for (n, bytes) in binaries.iter().enumerate() {
        place.file("a", bytes);
        for args in [
            &["convert", "-f", "auto", "--trust", "likely", "--in-place", "a"][..],
            &["repair", "--fallback", "auto", "--in-place", "a"],
            &["fix", "--yes", "--trust", "likely", "a"],
        ] {
            place.run(args);
            assert_eq!(&place.read("a"), bytes, "{n}: {args:?}");
        }
    }
}
