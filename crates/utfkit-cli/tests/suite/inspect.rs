//! `utfkit inspect`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{HOSTILE, Place};
use serde_json::Value;

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_row_tells_header_from_payload_and_names_the_character() {
    let place = Place::new();
    place.file("a", "Aé€😀\n\u{301}".as_bytes());
    let ran = place.run(&["inspect", "a"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(
        ran.lines(),
        [
            "offset  octets       bits                                     code         name",
            "     0  41           0|1000001                                U+0041   A   LATIN CAPITAL LETTER A",
            "     1  C3 A9        110|00011 10|101001                      U+00E9   é   LATIN SMALL LETTER E WITH ACUTE",
            "     3  E2 82 AC     1110|0010 10|000010 10|101100            U+20AC   €   EURO SIGN",
            "     6  F0 9F 98 80  11110|000 10|011111 10|011000 10|000000  U+1F600  😀  GRINNING FACE",
            "    10  0A           0|0001010                                U+000A       LINE FEED (LF)",
            "    11  CC 81        110|01100 10|000001                      U+0301   \u{25CC}\u{301}   COMBINING ACUTE ACCENT",
        ]
    );
}

#[test]
fn what_is_ill_formed_is_named_as_check_names_it() {
    let place = Place::new();
    place.file("a", b"a\xC0\xAF\xED\xA0\x80\x80\xFE\xF8\x88\x80\x80\x80\xE2\x82A\xC3");
    let ran = place.run(&["inspect", "--jsonl", "a"]);
    assert_eq!(ran.status, 1);
    let shown: Vec<_> = objects(ran.out()).into_iter().filter(|row| !row["kind"].is_null()).collect();
    let found: Vec<_> = objects(place.run(&["check", "--format", "jsonl", "a"]).out())
        .into_iter()
        .filter(|row| row["summary"].is_null())
        .collect();
    assert_eq!(shown.len(), 7);
    assert_eq!(shown.len(), found.len());
    for (row, finding) in shown.iter().zip(&found) {
        for key in ["path", "offset", "length", "bytes", "kind", "code_point", "message"] {
            assert_eq!(row[key], finding[key], "{key}");
        }
    }
    let bits: Vec<_> = shown.iter().map(|row| row["bits"].as_str().unwrap()).collect();
    assert_eq!(
        bits,
        [
            "110|00000 10|101111",
            "1110|1101 10|100000 10|000000",
            "10|000000",
            "11111110|",
            "111110|00 10|001000 10|000000 10|000000 10|000000",
            "1110|0010 10|000010",
            "110|00011",
        ]
    );
    let text = place.run(&["inspect", "a"]);
    let row = text.lines()[2];
    assert!(row.starts_with("     1  C0 AF     110|00000 10|101111"), "{row}");
    assert!(
        row.contains(r#"U+002F     overlong: two-byte form of U+002F "/", which must be 2F (RFC 3629 section 3)"#),
        "{row}"
    );
}

#[test]
fn json_has_every_field() {
    let place = Place::new();
    let ran = place.feed(&["inspect", "--jsonl"], "\u{430}\u{1b}".as_bytes());
    assert_eq!(
        ran.lines(),
        [
            r#"{"path":"-","offset":0,"length":2,"bytes":"d0b0","bits":"110|10000 10|110000","code_point":"U+0430","name":"CYRILLIC SMALL LETTER A","note":null,"script":"Cyrillic","character":"а","kind":null,"message":null}"#,
            r#"{"path":"-","offset":2,"length":1,"bytes":"1b","bits":"0|0011011","code_point":"U+001B","name":"ESCAPE (ESC)","note":"control","script":"Common","character":"\u001b","kind":null,"message":null}"#,
        ]
    );
}

#[test]
fn nothing_hostile_is_shown_raw() {
    let place = Place::new();
    let hostile = "\u{1b}[31m\u{9b}\u{202e}\u{200b}\u{feff}\u{e0041}\u{2028}";
    let name = format!("a{HOSTILE}");
    place.file(&name, hostile);
    for extra in [&["--jsonl"][..], &[]] {
        let ran = place.run(&[&["inspect", &name, &name], extra].concat());
        assert_eq!(ran.status, 0);
        let hostile = |c: char| c != '\n' && hostile.contains(c) && !c.is_ascii_graphic();
        assert!(!ran.out().contains(hostile), "{}", ran.out());
    }
}

#[test]
fn what_has_no_name_is_said_to_be_what_it_is() {
    let place = Place::new();
    let text = "\u{feff}\u{e000}\u{fffe}\u{378}\u{ac00}\u{4e00}\u{feff}";
    let ran = place.feed(&["inspect"], text.as_bytes());
    for (line, end) in ran.lines()[1..].iter().zip([
        "ZERO WIDTH NO-BREAK SPACE (here a BOM)",
        "(private use)",
        "(noncharacter)",
        "(unassigned in Unicode 17.0)",
        "가  HANGUL SYLLABLE GA",
        "一  CJK UNIFIED IDEOGRAPH-4E00",
        "ZERO WIDTH NO-BREAK SPACE",
    ]) {
        assert!(line.ends_with(end), "{line}");
    }
    let wtf8 = place.feed(&["inspect", "--encoding", "WTF-8"], b"\xED\xA0\x80");
    assert!(wtf8.status == 0 && wtf8.lines()[1].ends_with("U+D800  (high surrogate)"), "{}", wtf8.out());
}

#[test]
fn every_encoding_is_taken_apart() {
    let place = Place::new();
    place.file("utf-8", "é😀");
    for (encoding, rows) in [
        (
            "UTF-16",
            &[
                "11111111 11111110",
                "U+FEFF       (BOM: UTF-16LE follows)",
                "E9 00        11101001 00000000",
                "3D D8 00 DE  00111101 110110|00 00000000 110111|10  U+1F600  😀  GRINNING FACE",
            ][..],
        ),
        ("UTF-16BE", &["D8 3D DE 00  110110|00 00111101 110111|10 00000000  U+1F600"]),
        ("UTF-32BE", &["00 01 F6 00  00000000 00000001 11110110 00000000  U+1F600"]),
        (
            "CESU-8",
            &["ED A0 BD  11101101| 1010|0000 10|111101  U+1F600", "        ED B8 80  11101101| 1011|1000 10|000000"],
        ),
        ("UTF-7", &["     0  2B                     (state change: stands for no character)", "41 4F 6E  U+00E9"]),
        ("GB18030", &["94 39 FC 36  U+1F600  😀  GRINNING FACE"]),
    ] {
        let file = format!("as-{encoding}");
        place.run(&["convert", "-t", encoding, "-o", &file, "utf-8"]).is_silent_success();
        let ran = place.run(&["inspect", "--encoding", encoding, &file]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{encoding}");
        for row in rows {
            assert!(ran.out().contains(row), "{encoding}: {row}\n{}", ran.out());
        }
    }
    let legacy = place.feed(&["inspect", "--encoding", "windows-1252"], b"\x80");
    assert_eq!(legacy.lines()[1], "     0  80      U+20AC  €  EURO SIGN");
    let six = place.feed(&["inspect", "--standard", "rfc2279"], b"\xFD\xBF\xBF\xBF\xBF\xBF");
    assert_eq!(six.status, 0);
    assert_eq!(
        six.lines()[1],
        "     0  FD BF BF  1111110|1 10|111111 10|111111  U+7FFFFFFF  (above U+10FFFF: no code point of Unicode)"
    );
    // Accepts every name of the list and no other.
    for line in place.run(&["list"]).lines() {
        let name = line.split(' ').next().unwrap();
        let ran = place.feed(&["inspect", "--encoding", name], b"+A\xE9\x80\x1B%G\xED\xA0\x80\0\0\0\xFF");
        assert!(ran.status < 2 && ran.err.is_empty() && ran.lines().len() > 2, "{name}: {ran:?}");
    }
}

#[test]
fn a_range_shows_the_same_rows_as_the_whole() {
    let place = Place::new();
    let text = b"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xED\xA0\xBD\xED\xB8\x80\xC0\xAFz+AOk-.\n".repeat(3);
    place.file("a", &text);
    for encoding in ["UTF-8", "UTF-16", "CESU-8", "UTF-7", "Shift_JIS", "UTF-32LE"] {
        let base = ["inspect", "--jsonl", "--encoding", encoding];
        let all = objects(place.run(&[&base[..], &["a"]].concat()).out());
        for (start, end) in [(0, 5), (2, 3), (8, 20), (14, 15), (17, 18), (30, 1000), (40, 41)] {
            let range = format!("{start:#x}..{end}");
            let wanted: Vec<_> = all
                .iter()
                .filter(|row| {
                    let offset = row["offset"].as_u64().unwrap();
                    offset + row["length"].as_u64().unwrap() > start && offset < end
                })
                .map(|row| row["bytes"].clone())
                .collect();
            let args = [&base[..], &["--range", &range]].concat();
            let pipe = objects(place.pipe(&args, text.chunks(3)).out());
            let file = objects(place.run(&[&args[..], &["a"]].concat()).out());
            for rows in [file, pipe] {
                let shown: Vec<_> = rows.iter().map(|row| row["bytes"].clone()).collect();
                assert_eq!(shown, wanted, "{encoding} {range}");
            }
        }
    }
}

#[test]
fn a_range_says_where_it_really_begins_and_that_it_is_beyond_the_end() {
    let place = Place::new();
    place.file("a", "aé€");
    let ran = place.run(&["inspect", "--range", "2..3", "a"]);
    assert_eq!((ran.status, ran.lines().len()), (0, 2));
    assert!(ran.lines()[1].starts_with("     1  C3 A9 "));
    assert_eq!(ran.err, "utfkit: a: byte 2 is inside a sequence that begins at byte 1; shown from there\n");
    assert_eq!(place.run(&["inspect", "--range", "1..+1", "a"]).err, "");
    let beyond = place.run(&["inspect", "--range", "60..", "a"]);
    assert_eq!((beyond.status, beyond.out()), (2, ""));
    assert_eq!(beyond.err, "utfkit: a: has only 6 bytes, so there is no byte 60\n");
    assert_eq!(place.feed(&["inspect", "--range", "60.."], "aé€".as_bytes()).err, beyond.err.replace("a:", "-:"));
    place.run(&["inspect", "--range", "3..3", "a"]).is_silent_success();
    place.file("empty", "");
    place.run(&["inspect", "empty"]).is_silent_success();
}

#[test]
fn a_range_far_inside_a_large_file_is_there_at_once() {
    let place = Place::new();
    let file = std::fs::File::create(place.path().join("sparse")).unwrap();
    // A sparse file of 8 TiB: reading it would take an hour.
    if file.set_len(8 << 40).is_err() {
        println!("skipped: no file of this size here");
        return;
    }
    let ran = place.run(&["inspect", "--range", "0x7FFFFFFFFFE..", "sparse"]);
    assert_eq!(ran.lines()[1..].len(), 2, "{ran:?}");
    assert!(ran.lines()[2].starts_with("8796093022207  00      0|0000000  U+0000  NULL (NUL)"), "{ran:?}");
}

#[test]
fn several_files_have_headings_and_one_bad_one_stops_none() {
    let place = Place::new();
    place.file("a", "a");
    place.file("b", b"\xFF");
    place.file("sub/c", "c");
    let ran = place.run(&["inspect", "a", "missing", "sub", "b"]);
    assert_eq!(ran.status, 2);
    assert!(ran.out().starts_with("a:\noffset") && ran.out().contains("\n\nb:\noffset"), "{}", ran.out());
    assert!(ran.err.contains("utfkit: missing: ") && ran.err.contains("utfkit: sub: is a folder"), "{}", ran.err);
    assert!(ran.err.contains("`utfkit check` takes folders"));
}

#[test]
fn at_most_so_many_rows_and_how_to_go_on() {
    let place = Place::new();
    place.file("a", "aéb\u{20ac}");
    let ran = place.run(&["inspect", "--max", "2", "a"]);
    assert_eq!((ran.status, ran.lines().len()), (0, 3));
    assert_eq!(ran.err, "utfkit: a: stopped after 2 rows; continue with --range 3..\n");
    assert_eq!(place.run(&["inspect", "--max", "4", "a"]).err, "");
}

#[test]
fn the_bom_of_another_encoding_is_a_hint() {
    let place = Place::new();
    let ran = place.feed(&["inspect"], b"\xFF\xFEa\0");
    assert_eq!(ran.err, "utfkit: -: begins with the BOM of UTF-16: try --encoding UTF-16\n");
    assert_eq!(place.feed(&["inspect", "--encoding", "UTF-16"], b"\xFF\xFEa\0").err, "");
}

#[test]
fn a_pipe_of_any_length_can_be_left() {
    let place = Place::new();
    let mut command = place.command(&["inspect", "/dev/zero"]);
    if !std::path::Path::new("/dev/zero").exists() {
        return;
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    for _ in 0..1000 {
        line.clear();
        out.read_line(&mut line).unwrap();
    }
    assert!(line.contains("NULL (NUL)"), "{line}");
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn colours_tell_header_from_payload() {
    let place = Place::new();
    let plain = place.feed(&["inspect"], "é\u{80}".as_bytes());
    let coloured = place.feed(&["inspect", "--color", "always"], "é\u{80}".as_bytes());
    assert!(!plain.out().contains('\x1b'));
    assert!(coloured.out().contains("\x1b[38;5;133m110\x1b[0m|"), "{:?}", coloured.out());
    let mut stripped = String::new();
    for (at, part) in coloured.out().split('\x1b').enumerate() {
        stripped.push_str(if at == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(stripped, plain.out());
}

#[test]
fn a_terminal_without_utf_8_gets_ascii_in_columns() {
    let place = Place::new();
    place.file("a", "é日");
    let Some((status, text)) = place.on_a_terminal("C", r#""$UTFKIT" inspect a"#) else { return };
    assert_eq!(status, 0);
    assert!(text.is_ascii() && text.contains("U+65E5  CJK UNIFIED IDEOGRAPH-65E5"), "{text}");
    let (_, utf8) = place.on_a_terminal("C.UTF-8", r#""$UTFKIT" inspect a"#).unwrap();
    assert!(utf8.contains("U+65E5  日  CJK UNIFIED IDEOGRAPH-65E5"), "{utf8}");
}
