//! Conformance tests of other projects for UTF-7, IMAP's variant of it and UTF-1, from the same
//! folder as in `vectors.rs`. Every row is run, or skipped for a reason and counted.

use crate::common::converted::converted;
use serde_json::Value;
use utfkit::{Encoding, ErrorKind, Policy};
use utfkit_testkit::hex::parse;
use utfkit_testkit::shared::{say, vectors};

/// Runs `row` on every row of `file`. It returns false for the rows that it skips, `left_out.0`
/// in number, for the reason `left_out.1`.
fn rows(file: &str, run: usize, left_out: (usize, &str), row: impl Fn(&Value) -> bool) {
    let Some(folder) = vectors() else {
        say(&format!("{file}: skipped, there is no folder with conformance cases"));
        return;
    };
    let text = std::fs::read(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let all: Vec<Value> = serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
    let ran = all
        .iter()
        .filter(|value| {
            // Shown if the row fails.
            println!("{file}: {value}");
            row(value)
        })
        .count();
    assert_eq!((ran, all.len() - ran), (run, left_out.0), "{file}: other rows than before were run");
    if left_out.0 > 0 {
        say(&format!("{file}: {} rows of {} left out: {}", left_out.0, all.len(), left_out.1));
    }
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("no {key} in {row}"))
}

fn bytes(row: &Value, key: &str) -> Vec<u8> {
    parse(text(row, key))
}

/// The code points of a row in UTF-32BE.
fn code_points(row: &Value) -> Vec<u8> {
    let list = row["codepoints"].as_array().unwrap_or_else(|| panic!("no code points in {row}"));
    list.iter().flat_map(|value| (value.as_u64().expect("a number") as u32).to_be_bytes()).collect()
}

/// Converts `src` whole, byte by byte and in two parts at every offset; asserts that the results
/// are equal. Returns the output and the first error.
fn convert(from: Encoding, to: Encoding, src: &[u8]) -> (Vec<u8>, Option<(usize, usize, ErrorKind)>) {
    let run = |chunks: &[&[u8]]| {
        let (out, errors) = converted(from, to, Policy::Strict, chunks);
        (out, errors.first().map(|e| (e.offset(), e.len(), e.kind())))
    };
    let whole = run(&[src]);
    assert_eq!(run(&src.chunks(1).chain([&[][..]]).collect::<Vec<_>>()), whole, "{from:?} to {to:?} by byte");
    // Long ones only at their front.
    for at in 0..src.len().min(100) {
        assert_eq!(run(&[&src[..at], &src[at..]]), whole, "{from:?} to {to:?} cut at {at}");
    }
    whole
}

fn encoding(row: &Value) -> Option<Encoding> {
    match text(row, "enc").to_ascii_lowercase().as_str() {
        "utf-7" => Some(Encoding::Utf7),
        "utf-7-imap" => Some(Encoding::ImapUtf7),
        "utf-1" => Some(Encoding::Utf1),
        _ => None,
    }
}

const ENDS_EVERY_RUN: &str =
    "a run is written with `-` at its end though what follows ends it, which RFC 2152 allows and does not ask for";

#[test]
fn iconv_lite() {
    rows("utf7_iconv_lite.json", 57, (2, ENDS_EVERY_RUN), |row| {
        let encoding = encoding(row).expect("UTF-7");
        let points = code_points(row);
        match text(row, "op") {
            "encode" => {
                let expected = bytes(row, "expect_hex");
                assert_eq!(convert(encoding, Encoding::Utf32Be, &expected), (points.clone(), None), "{row}");
                let (out, error) = convert(Encoding::Utf32Be, encoding, &points);
                assert_eq!(error, None, "{row}");
                // Two rows have a run of base64 before `.` and `'`.
                if encoding == Encoding::Utf7 && expected.windows(2).any(|pair| matches!(pair, b"-." | b"-'")) {
                    let mut shorter = expected.clone();
                    let at = expected.windows(2).position(|pair| matches!(pair, b"-." | b"-'")).expect("it has one");
                    shorter.remove(at);
                    assert_eq!(out, shorter, "{row}");
                    return false;
                }
                assert_eq!(out, expected, "{row}");
            }
            "decode" => {
                let src = bytes(row, "hex");
                assert_eq!(convert(encoding, Encoding::Utf32Be, &src), (points.clone(), None), "{row}");
                if encoding == Encoding::Utf7 {
                    // The two variants differ in encoding only.
                    assert_eq!(convert(Encoding::Utf7Optional, Encoding::Utf32Be, &src), (points, None), "{row}");
                }
            }
            other => panic!("{other} in {row}"),
        }
        true
    });
}

#[test]
fn utf_1() {
    rows("utf1.json", 12, (0, ""), |row| {
        let src = bytes(row, "hex");
        let (out, error) = convert(Encoding::Utf1, Encoding::Utf32Be, &src);
        if row["valid"].as_bool().expect("a verdict") {
            assert_eq!((&out, error), (&code_points(row), None), "{row}");
            assert_eq!(convert(Encoding::Utf32Be, Encoding::Utf1, &out), (src, None), "{row}");
            return true;
        }
        let expected = match text(row, "note") {
            note if note.ends_with("incomplete") => (0, 2, ErrorKind::Truncated),
            note if note.ends_with("forbidden continuation") => (0, 1, ErrorKind::MissingContinuation),
            other => panic!("{other} in {row}"),
        };
        assert_eq!(error, Some(expected), "{row}");
        true
    });
}
