//! Output on a terminal whose locale is not UTF-8.

use crate::common::Place;
use serde_json::Value;

const UTF8: &str = "C.UTF-8";

#[test]
fn findings_are_escaped_where_the_locale_is_not_utf_8() {
    let place = Place::new();
    place.file("ä", b"x\xE0\x83\xA9 and caf\xE9, na\xEFve");
    let Some(plain) = place.on_a_terminal("C", r#""$UTFKIT" check ä"#) else { return };
    assert_eq!(plain.0, 1);
    assert!(plain.1.starts_with(r#"\u{e4}:1:2: byte 1: E0 83 A9: overlong: three-byte form of U+00E9 "\u{e9}", "#));
    assert!(plain.1.is_ascii(), "{}", plain.1);
    for locale in [UTF8, "de_DE.utf8"] {
        let (status, utf8) = place.on_a_terminal(locale, r#""$UTFKIT" check ä"#).unwrap();
        assert!(status == 1 && utf8.starts_with("ä:1:2: ") && utf8.contains("U+00E9 \"é\""), "{utf8}");
        assert_eq!(utf8.replace('é', r"\u{e9}").replace('ä', r"\u{e4}").replace('ï', r"\u{ef}"), plain.1);
    }
}

#[test]
fn so_are_names_hints_and_messages() {
    let place = Place::new();
    place.file("ö", b"d\xE9j\xE0 vu and caf\xE9");
    place.file("gut", "gut");
    for (command, ascii, utf8) in [
        (r#""$UTFKIT" check -l ."#, r"./\u{f6}", "./ö"),
        (r#""$UTFKIT" check ö"#, r"in windows-1252: \u{e9} (2), \u{e0} (1)", "in windows-1252: é (2), à (1)"),
        (r#""$UTFKIT" check nä"#, r"utfkit: n\u{e4}: ", "utfkit: nä: "),
        (r#""$UTFKIT" convert ö"#, r"\u{f6}:1:2: byte 1: ", "ö:1:2: byte 1: "),
        (r#""$UTFKIT" convert -o nä/x gut"#, r"utfkit: n\u{e4}/x: ", "utfkit: nä/x: "),
        (r#""$UTFKIT" count ö gut"#, r"  \u{f6}", "  ö"),
        (r#""$UTFKIT" check --encoding kö"#, r"'k\u{f6}'", "'kö'"),
        (r#""$UTFKIT" convert ö >out"#, r"\u{f6}:1:2: byte 1: ", "ö:1:2: byte 1: "),
    ] {
        let Some((_, text)) = place.on_a_terminal("C", command) else { return };
        assert!(text.contains(ascii) && text.is_ascii(), "{command}: {text}");
        let (_, text) = place.on_a_terminal(UTF8, command).unwrap();
        assert!(text.contains(utf8), "{command}: {text}");
    }
}

#[test]
fn json_stays_json() {
    let place = Place::new();
    place.file("ä🎉", b"\xE0\x83\xA9");
    for command in [r#""$UTFKIT" check --format jsonl ."#, r#""$UTFKIT" count --format jsonl ."#] {
        let Some((_, text)) = place.on_a_terminal("C", command) else { return };
        assert!(text.is_ascii() && text.contains(r"\u00e4\ud83c\udf89"), "{text}");
        let (_, utf8) = place.on_a_terminal(UTF8, command).unwrap();
        let parsed = |text: &str| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
        assert_eq!(parsed(&text), parsed(&utf8));
        assert!(utf8.contains("ä🎉"), "{utf8}");
    }
}

#[test]
fn data_pipes_and_files_get_all_as_it_is() {
    let place = Place::new();
    place.file("ä", b"\xE0\x83\xA9");
    place.file("text", "é €\n");
    let Some(data) = place.on_a_terminal("C", r#""$UTFKIT" convert text"#) else { return };
    assert_eq!(data, (0, "é €\n".to_owned()), "what convert writes is data");
    for command in [r#""$UTFKIT" check ä | cat"#, r#""$UTFKIT" check ä 2>err >out; cat out err"#] {
        let (_, text) = place.on_a_terminal("C", command).unwrap();
        assert!(text.contains("ä:1:1: byte 0: E0 83 A9: overlong: three-byte form of U+00E9 \"é\""), "{text}");
    }
}

#[test]
fn arguments_cannot_steer_the_terminal() {
    let place = Place::new();
    let ran = place.run(&["check", "--\x1b[31m\u{202E}ä"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains(r"--\u{202e}ä") && !ran.err.contains('\x1b'), "{}", ran.err);
    let ran = place.run(&["check", "--encoding", "k\u{9B}31m"]);
    assert!(ran.err.contains(r"k\u{9b}31m"), "{}", ran.err);
    let command = r#""$UTFKIT" check "$(printf -- '--\033[31m')ä""#;
    let Some((status, text)) = place.on_a_terminal("C", command) else { return };
    assert!(status == 2 && text.contains(r"--\u{e4}") && !text.contains('\x1b'), "{text}");
}

#[test]
fn help_is_ascii() {
    let place = Place::new();
    for command in ["check", "convert", "count", "report", "list"] {
        for help in ["-h", "--help"] {
            let ran = place.run(&[command, help]);
            assert!(ran.status == 0 && ran.out.is_ascii() && ran.err.is_empty(), "{command} {help}");
        }
    }
    assert!(place.run(&["--help"]).out.is_ascii() && place.run(&["list"]).out.is_ascii());
}
