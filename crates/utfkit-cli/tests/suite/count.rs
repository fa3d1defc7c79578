//! `utfkit count`.

use crate::common::{Place, Ran, shared};
use serde_json::{Value, json};

fn objects(ran: &Ran) -> Vec<Value> {
    ran.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Bytes, code points, lines, UTF-16 units, columns, ill-formed sequences.
fn counts(object: &Value) -> [u64; 6] {
    ["bytes", "code_points", "lines", "utf16_units", "columns", "ill_formed"].map(|name| object[name].as_u64().unwrap())
}

fn count(place: &Place, encoding: &str, input: &[u8]) -> [u64; 6] {
    let args = ["count", "--format", "jsonl", "--encoding", encoding];
    let whole = place.feed(&args, input);
    assert_eq!(whole.err, "");
    for size in [1, 5] {
        assert_eq!(place.pipe(&args, input.chunks(size)), whole, "{encoding} cut every {size}");
    }
    let [object] = objects(&whole).try_into().expect("one input, one object");
    let counts = counts(&object);
    assert_eq!(whole.status, i32::from(counts[5] > 0));
    counts
}

#[test]
fn people_get_a_table() {
    let place = Place::new();
    place.file("a.txt", "Grüße\n日本語 🎉\n");
    place.file("b.txt", b"caf\xE9 \xC0\xAF\n");
    let ran = place.run(&["count", "a.txt", "b.txt"]);
    let rows: Vec<Vec<&str>> = ran.lines().iter().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0].join(" "), "bytes code points lines UTF-16 units columns ill-formed path");
    assert_eq!(rows[1..3], [["23", "12", "2", "13", "9", "0", "a.txt"], ["8", "5", "1", "5", "6", "2", "b.txt"]]);
    assert_eq!(rows[3..], [["31", "17", "3", "18", "9", "2", "total"]]);
    let ends: Vec<_> = ran.lines().iter().map(|line| line.rfind("  ").unwrap()).collect();
    assert!(ends.iter().all(|&end| end == ends[0]), "aligned: {}", ran.out());
    assert_eq!((ran.status, ran.err.as_str()), (1, ""));
    let one = place.run(&["count", "a.txt"]);
    assert_eq!((one.status, one.lines().len()), (0, 2), "one file is its own total");
    assert!(!ran.out().contains('\x1b'));
    assert!(place.run(&["count", "--color", "always", "b.txt"]).out().contains('\x1b'));
}

#[test]
fn programs_get_objects() {
    let place = Place::new();
    place.file("a.txt", "é\n");
    place.file("b.txt", b"\xFFabc");
    let ran = place.run(&["count", "--format", "jsonl", "a.txt", "b.txt"]);
    assert_eq!(
        objects(&ran),
        [
            json!({"path": "a.txt", "bytes": 3, "code_points": 2, "lines": 1, "utf16_units": 2, "columns": 1, "ill_formed": 0}),
            json!({"path": "b.txt", "bytes": 4, "code_points": 3, "lines": 0, "utf16_units": 3, "columns": 4, "ill_formed": 1}),
            json!({"total": true, "files": 2, "bytes": 7, "code_points": 5, "lines": 1, "utf16_units": 5, "columns": 4,
                   "ill_formed": 1}),
        ]
    );
    assert_eq!(objects(&place.feed(&["count", "--format", "jsonl"], b""))[0]["path"], json!("-"));
}

#[test]
fn what_is_counted() {
    let place = Place::new();
    let utf8 = |input: &[u8]| count(&place, "UTF-8", input);
    assert_eq!(utf8(b""), [0; 6]);
    assert_eq!(utf8(b"no line feed"), [12, 12, 0, 12, 12, 0]);
    assert_eq!(utf8("\u{FEFF}x\r\n".as_bytes()), [6, 4, 1, 4, 1, 0], "the BOM is a character");
    assert_eq!(utf8("e\u{301}\tb".as_bytes()), [5, 4, 0, 4, 9, 0]);
    assert_eq!(utf8("👩\u{200D}🚀 1\u{FE0F}\u{20E3}\n".as_bytes())[4], 5, "two emoji of two columns, and a space");
    // A sequence that `check` reports once counts once and takes one column.
    assert_eq!(utf8(b"\xED\xA0\x80-\xF8\x88\x80\x80\x80-\xC0\xAF-\xE2\x82"), [15, 3, 0, 3, 7, 4]);
    assert_eq!(utf8("\u{FFFD}".as_bytes()), [3, 1, 0, 1, 1, 0], "U+FFFD itself is well-formed");
}

#[test]
fn other_encodings_are_counted_as_their_characters() {
    let place = Place::new();
    for (encoding, input, want) in [
        ("UTF-16", &b"\xFF\xFEa\0\xE5\x65\n\0"[..], [8, 3, 1, 3, 3, 0]),
        ("UTF-16BE", b"\xFE\xFF\0a\xD8\x3D\xDE\x00\xDC\x00!", [11, 3, 0, 4, 5, 2]),
        ("latin1", b"\xE9\xE8\n", [3, 3, 1, 3, 2, 0]),
        ("Shift_JIS", b"\x93\xFA\x96\x7B\n\x82!", [7, 4, 1, 4, 4, 1]),
        ("web:latin1", b"\x93\xE9\x94", [3, 3, 0, 3, 3, 0]),
        ("UTF-7", b"Hi +ZeVnLA-\n+2DzfiQ-", [20, 7, 1, 8, 7, 0]),
        ("ISO-2022-UTF-8", b"\xE9\x1B%G\xE2\x82\xAC\x1B%@\xE9", [11, 3, 0, 3, 3, 0]),
        ("CESU-8", b"\xED\xA0\xBC\xED\xBE\x89", [6, 1, 0, 2, 2, 0]),
    ] {
        assert_eq!(count(&place, encoding, input), want, "{encoding}");
    }
    let ran = place.feed(&["count", "--encoding", "klingon"], b"");
    assert!(ran.status == 2 && ran.err.contains("utfkit list"), "{}", ran.err);
}

#[test]
fn a_long_line_is_the_same_however_it_comes() {
    let place = Place::new();
    // Far more than 64 KiB without ASCII.
    let input = "日本語e\u{301}é".repeat(20_000) + &"日👩\u{200D}🚀".repeat(30_000);
    let args = ["count", "--format", "jsonl"];
    let whole = place.feed(&args, input.as_bytes());
    let found = counts(&objects(&whole)[0]);
    assert_eq!(found[..3], [input.len() as u64, input.chars().count() as u64, 0]);
    assert_eq!(found[3], input.encode_utf16().count() as u64);
    // Up to two extra columns for each cut emoji.
    let columns = 20_000 * 8 + 30_000 * 4;
    assert!((columns..=columns + 2 * (input.len() as u64 / 65_000)).contains(&found[4]), "{}", found[4]);
    for size in [4093, 65_537] {
        assert_eq!(place.pipe(&args, input.as_bytes().chunks(size)), whole);
    }
}

#[test]
fn statuses_and_what_is_skipped() {
    let place = Place::new();
    place.file("p/program", b"\x7FELF\0\xFF");
    place.file("p/text", "gut");
    place.file("p/more", "gut");
    let ran = place.portable(&["count", "p"]);
    assert_eq!((ran.status, ran.lines().len()), (0, 4), "titles, two files, a total: {}", ran.out());
    assert!(
        ran.err.contains("skipped 1 binary file (with NUL bytes); -v names it; to count it anyway, name it\n"),
        "{}",
        ran.err
    );
    assert!(place.portable(&["count", "-v", "p"]).err.starts_with("utfkit: p/program: binary, skipped (NUL at byte"));
    let ran = place.portable(&["count", "p/program", "missing", "p/text"]);
    assert_eq!((ran.status, ran.lines().len()), (2, 4), "the others are counted");
    assert!(ran.err.starts_with("utfkit: missing: "), "{}", ran.err);
    for threads in ["1", "2", "8"] {
        assert_eq!(place.portable(&["count", "-j", threads, "p/program", "missing", "p/text"]), ran);
    }
}

#[test]
fn the_shared_texts_are_counted_as_the_standard_library_has_them() {
    let Some(data) = shared("data") else { return };
    let ran = Place::new().run(&["count", "--format", "jsonl", data.to_str().unwrap()]);
    let found = objects(&ran);
    let (total, files) = found.split_last().unwrap();
    assert_eq!((ran.status, &total["files"]), (0, &json!(files.len())));
    let mut sums = [0; 4];
    for file in files {
        let text = std::fs::read_to_string(file["path"].as_str().unwrap()).unwrap();
        let want = [text.len(), text.chars().count(), text.matches('\n').count(), text.encode_utf16().count()];
        let want = want.map(|n| n as u64);
        assert_eq!(counts(file)[..4], want, "{}", file["path"]);
        sums.iter_mut().zip(want).for_each(|(sum, n)| *sum += n);
    }
    assert_eq!(counts(total)[..4], sums);
    assert_eq!(Some(counts(total)[4]), files.iter().map(|file| counts(file)[4]).max());
}
