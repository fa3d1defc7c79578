//! Conformance tests of other projects, read from the folder `shared` next to the project or
//! from `UTFKIT_SHARED`. They are not part of the project: if they are missing, these tests
//! print that and pass.
//!
//! The rows of each file are counted, and skipped rows by their reason, so that a row that is no
//! longer run is noticed.

use std::collections::BTreeMap;

use crate::common::check;
use crate::common::every_isa::for_each_isa;
use crate::common::transcoding::{POLICIES, SCHEMES, compare, feed};
use serde_json::Value;
use utfkit::isa::Isa;
use utfkit::{Encoding, Policy, Practice, Standard, Transcoder};
use utfkit_testkit::hex::parse;
use utfkit_testkit::shared::{say, vectors as folder};
use utfkit_testkit::transcription::{Outcome, transcribe};

const LOSSY: Policy = Policy::Replace(Practice::MaximalSubpart);

/// Large enough for the result of any row.
const CAPACITY: usize = 1 << 16;

/// The number of rows run, and the number skipped for each reason.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    run: usize,
    left_out: BTreeMap<&'static str, usize>,
}

/// Ok if the row was run, or the reason why it is skipped.
type Verdict = Result<(), &'static str>;

/// Runs `row` on every row of `file`, on every instruction set. `run` rows must be run;
/// `left_out` has the number skipped for each reason.
fn rows(file: &str, run: usize, left_out: &[(&'static str, usize)], row: fn(Isa, &Value) -> Verdict) {
    let Some(folder) = folder() else {
        say(&format!("{file}: skipped, there is no folder with conformance cases"));
        return;
    };
    let text = std::fs::read(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let all: Value = serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
    let all = all.as_array().unwrap_or_else(|| panic!("{file} is not a list"));
    for_each_isa(|isa| {
        let mut tally = Tally::default();
        for value in all {
            // Shown if the row fails.
            println!("{isa} {file}: {value}");
            match row(isa, value) {
                Ok(()) => tally.run += 1,
                Err(reason) => *tally.left_out.entry(reason).or_default() += 1,
            }
        }
        if isa == Isa::Scalar {
            for (reason, count) in &tally.left_out {
                say(&format!("{file}: {count} rows of {} left out: {reason}", all.len()));
            }
        }
        let expected = Tally { run, left_out: left_out.iter().copied().collect() };
        assert_eq!(tally, expected, "{isa} {file}: other rows than before were run");
    });
}

fn text<'a>(row: &'a Value, key: &str) -> Option<&'a str> {
    row.get(key).map(|value| value.as_str().unwrap_or_else(|| panic!("{key} is not text in {row}")))
}

fn number(row: &Value, key: &str) -> Option<usize> {
    row.get(key).map(|value| value.as_u64().unwrap_or_else(|| panic!("{key} is not a number in {row}")) as usize)
}

fn flag(row: &Value, key: &str) -> Option<bool> {
    row.get(key).map(|value| value.as_bool().unwrap_or_else(|| panic!("{key} is not a flag in {row}")))
}

fn bytes(row: &Value, key: &str) -> Vec<u8> {
    parse(text(row, key).unwrap_or_else(|| panic!("no {key} in {row}")))
}

fn units(row: &Value, key: &str) -> Vec<u16> {
    let list = row[key].as_array().unwrap_or_else(|| panic!("{key} is not a list in {row}"));
    list.iter().map(|unit| u16::try_from(unit.as_u64().expect("a number")).expect("16 bits")).collect()
}

/// True if the row has a note that ends in these words.
fn notes(row: &Value, words: &str) -> bool {
    text(row, "note").is_some_and(|note| note.contains(words))
}

/// Transcodes `src` whole and byte by byte, and asserts that the results are equal.
fn stream(isa: Isa, from: Encoding, to: Encoding, policy: Policy, src: &[u8]) -> Outcome {
    let mut transcoder = Transcoder::new(from, to, policy);
    let whole = feed(&mut transcoder, &[src], CAPACITY, true);
    transcoder.reset();
    let chunks: Vec<&[u8]> = src.chunks(1).collect();
    let cut = feed(&mut transcoder, &chunks, CAPACITY, true);
    compare(isa, &transcoder, &chunks, CAPACITY, true, &cut, &whole);
    transcoder.reset();
    let cut = feed(&mut transcoder, &chunks, 1, true);
    compare(isa, &transcoder, &chunks, 1, true, &cut, &whole);
    whole
}

/// Checks for every row in UTF-8: all functions on the bytes, and each policy into UTF-16 and
/// back, whole and byte by byte, against the reference.
fn utf8_row(isa: Isa, src: &[u8]) {
    check::utf8(isa, format_args!("a conformance case"), src);
    for (policy, treatment) in POLICIES {
        for (to, scheme) in [SCHEMES[0], SCHEMES[1], SCHEMES[5]] {
            let got = stream(isa, Encoding::Utf8, to, policy, src);
            let expected = transcribe(SCHEMES[0].1, scheme, treatment, src);
            compare(isa, &Transcoder::new(Encoding::Utf8, to, policy), &[src], CAPACITY, false, &got, &expected);
        }
    }
}

/// True if `src` is UTF-8, by one-shot functions and by a stream.
fn is_utf8(isa: Isa, src: &[u8]) -> bool {
    let whole = utfkit::from_utf8(src).is_ok();
    let streamed = stream(isa, Encoding::Utf8, Encoding::Utf8, Policy::Strict, src);
    assert_eq!(whole, !streamed.had_errors, "{isa}: whole and in pieces");
    whole
}

/// Decodes with U+FFFD, by one-shot functions and by a stream.
fn lossy(isa: Isa, src: &[u8]) -> String {
    let whole = utfkit::from_utf8_lossy(src);
    let streamed = stream(isa, Encoding::Utf8, Encoding::Utf8, LOSSY, src);
    assert_eq!(streamed.output, whole.as_bytes(), "{isa}: whole and in pieces");
    whole.into_owned()
}

#[test]
fn bstr() {
    rows("bstr_utf8.json", 40, &[], |isa, row| {
        let src = bytes(row, "hex");
        utf8_row(isa, &src);
        let got = utfkit::validate(&src, Standard::Rfc3629);
        let streamed = stream(isa, Encoding::Utf8, Encoding::Utf16Le, Policy::Strict, &src);
        assert_eq!(flag(row, "valid"), Some(got.is_ok()), "{isa} {row}");
        let Err(e) = got else { return Ok(()) };
        let expected = match flag(row, "truncated_at_end") {
            Some(true) => None,
            _ => number(row, "error_len"),
        };
        assert_eq!(Some(e.offset()), number(row, "first_error_offset"), "{isa} {row}");
        assert_eq!(e.error_len(), expected, "{isa} {row}");
        assert_eq!((streamed.reports[0].offset, streamed.reports[0].error_len), (e.offset(), expected), "{isa} {row}");
        Ok(())
    });
}

#[test]
fn encoding_rs() {
    rows("encoding_rs.json", 133, &[], |isa, row| {
        match text(row, "enc").expect("an encoding") {
            "utf-8" => {
                let src = bytes(row, "hex");
                utf8_row(isa, &src);
                if let Some(valid) = flag(row, "valid") {
                    assert_eq!(is_utf8(isa, &src), valid, "{isa} {row}");
                }
                assert_eq!(Some(&*lossy(isa, &src)), text(row, "lossy"), "{isa} {row}");
            }
            "utf-16->utf-8" => encodes(isa, &units(row, "utf16"), &bytes(row, "expect_hex")),
            enc @ ("utf-16le" | "utf-16be") => {
                assert_eq!(flag(row, "bom_sniffed"), Some(true), "{row}");
                let src = bytes(row, "hex");
                // The decoder of these rows removes a BOM first.
                let (encoding, src) = match &src[..] {
                    [0xEF, 0xBB, 0xBF, rest @ ..] => (Encoding::Utf8, rest),
                    [0xFF, 0xFE, rest @ ..] => (Encoding::Utf16Le, rest),
                    [0xFE, 0xFF, rest @ ..] => (Encoding::Utf16Be, rest),
                    rest => (Encoding::for_label(enc).expect("a label"), rest),
                };
                let got = stream(isa, encoding, Encoding::Utf8, LOSSY, src);
                assert_eq!(str(&got.output), text(row, "lossy"), "{isa} {row}");
            }
            other => panic!("{other} in {row}"),
        }
        Ok(())
    });
}

fn str(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Encodes UTF-16 with U+FFFD for unpaired surrogates, whole and in chunks.
fn encodes(isa: Isa, src: &[u16], expected: &[u8]) {
    check::utf16(isa, format_args!("a conformance case"), src);
    let mut dst = vec![0; expected.len()];
    let got = utfkit::utf16_to_utf8_lossy(src, &mut dst);
    assert_eq!((got, &dst[..]), (Ok(expected.len()), expected), "{isa} {src:04X?}");
    let big: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let little: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    assert_eq!(stream(isa, Encoding::Utf16Be, Encoding::Utf8, LOSSY, &big).output, expected, "{isa} {src:04X?}");
    assert_eq!(stream(isa, Encoding::Utf16Le, Encoding::Utf8, LOSSY, &little).output, expected, "{isa} {src:04X?}");
}

const NO_VERDICT: &str = "UTF-16 kept for tests of detection: the source says nothing of it as UTF-8";

#[test]
fn json_test_suite() {
    rows("jsontestsuite.json", 114, &[(NO_VERDICT, 3)], |isa, row| {
        let src = bytes(row, "hex");
        let Some(valid) = flag(row, "valid") else { return Err(NO_VERDICT) };
        utf8_row(isa, &src);
        assert_eq!(is_utf8(isa, &src), valid, "{isa} {row}");
        Ok(())
    });
}

#[test]
fn toml_test() {
    rows("toml_test_encoding.json", 14, &[(NO_VERDICT, 3)], |isa, row| {
        let src = bytes(row, "hex");
        let valid = match flag(row, "valid") {
            Some(valid) => valid,
            None if notes(row, "well-formed UTF-8") => true,
            None => return Err(NO_VERDICT),
        };
        utf8_row(isa, &src);
        assert_eq!(is_utf8(isa, &src), valid, "{isa} {row}");
        Ok(())
    });
}

#[test]
fn kuhn() {
    rows("kuhn_utf8_test.json", 80, &[], |isa, row| {
        let src = bytes(row, "hex");
        utf8_row(isa, &src);
        let Some(valid) = flag(row, "valid") else {
            // The limits of the forms that RFC 3629 removed.
            assert!(notes(row, "ill-formed in RFC 3629"), "{row}");
            assert!(!is_utf8(isa, &src), "{isa} {row}");
            assert_eq!(utfkit::validate(&src, Standard::Rfc2279), Ok(()), "{isa} {row}");
            return Ok(());
        };
        assert_eq!(is_utf8(isa, &src), valid, "{isa} {row}");
        if let Some(count) = number(row, "malformed_count_kuhn") {
            // Kuhn's test counts sequences by their headers: a lead byte and its continuation
            // bytes, overlong or not, as RFC 2044 decodes them.
            let mut sequences = 0;
            let mut at = 0;
            while let Err(e) = utfkit::validate(&src[at..], Standard::Rfc2044) {
                sequences += 1;
                at += e.offset() + e.len();
            }
            assert_eq!(sequences, count, "{isa} {row}");
        }
        Ok(())
    });
}

#[test]
fn perl() {
    rows("perl_utf8decode.json", 142, &[], |isa, row| {
        let src = bytes(row, "hex");
        utf8_row(isa, &src);
        let Some(valid) = flag(row, "valid") else {
            // Perl's extended UTF-8 has values of more bits, and surrogates, as RFC 2044 does.
            assert!(notes(row, "perl-extended UTF-8 accepts; not RFC 3629"), "{row}");
            assert!(!is_utf8(isa, &src), "{isa} {row}");
            assert_eq!(utfkit::validate(&src, Standard::Rfc2044), Ok(()), "{isa} {row}");
            return Ok(());
        };
        assert_eq!(is_utf8(isa, &src), valid, "{isa} {row}");
        if valid {
            let list = row["perl_codepoints"].as_array().expect("a list");
            let expected: Vec<u32> = list.iter().map(|value| value.as_u64().expect("a number") as u32).collect();
            let mut dst = vec![0; utfkit::count_code_points(&src)];
            assert_eq!(utfkit::utf8_to_utf32(&src, &mut dst), Ok(expected.len()), "{isa} {row}");
            assert_eq!(dst, expected, "{isa} {row}");
            assert_eq!(str(&src), text(row, "text"), "{isa} {row}");
        }
        Ok(())
    });
}

#[test]
fn unicode_core_spec() {
    rows("unicode_core_spec_fffd.json", 5, &[], |isa, row| {
        let src = bytes(row, "hex");
        utf8_row(isa, &src);
        assert_eq!(Some(is_utf8(isa, &src)), flag(row, "valid"), "{isa} {row}");
        assert_eq!(Some(&*lossy(isa, &src)), text(row, "lossy"), "{isa} {row}");
        Ok(())
    });
}

#[test]
fn flenniken() {
    rows("utf8tests_flenniken.json", 216, &[], |isa, row| {
        let src = bytes(row, "hex");
        utf8_row(isa, &src);
        assert_eq!(Some(is_utf8(isa, &src)), flag(row, "valid"), "{isa} {row}");
        if let Some(expected) = text(row, "lossy") {
            assert_eq!(lossy(isa, &src), expected, "{isa} {row}");
        }
        if row.get("skip_hex").is_some() {
            let got = stream(isa, Encoding::Utf8, Encoding::Utf8, Policy::Skip, &src);
            assert_eq!(got.output, bytes(row, "skip_hex"), "{isa} {row}");
        }
        Ok(())
    });
}

/// The bytes that a decoder buffers at the end of a chunk: if the stream ends there, each of
/// them is escaped.
#[test]
fn exodus() {
    rows("exodus_unfinished_bytes.json", 221, &[], |isa, row| {
        let src = bytes(row, "hex");
        let from = Encoding::for_label(text(row, "enc").expect("an encoding")).expect("a label");
        let expected = number(row, "unfinished_bytes").expect("a number");
        if from == Encoding::Utf8 {
            utf8_row(isa, &src);
            let last = utfkit::errors(&src, Standard::Rfc3629).last();
            let open = last.filter(|e| e.error_len().is_none()).map_or(0, |e| e.len());
            assert_eq!(open, expected, "{isa} {row}");
        }
        let chunks: Vec<&[u8]> = src.chunks(1).collect();
        for chunks in [&[&src[..]][..], &chunks] {
            let mut transcoder = Transcoder::new(from, Encoding::Utf8, Policy::Escape);
            feed(&mut transcoder, chunks, CAPACITY, false);
            let rest = feed(&mut transcoder, &[], CAPACITY, true);
            assert_eq!(rest.output.len(), 4 * expected, "{isa} {row}: {}", rest.output.escape_ascii());
        }
        Ok(())
    });
}

/// Reasons to skip a row.
const NEEDS_LEGACY: &str = "Big5, which needs the feature legacy";
const TWICE_ENCODED: &str = "text that was encoded twice is well-formed, and nothing here undoes it";

#[test]
fn iconv() {
    rows("iconv_snippets.json", 13, &[], |isa, row| {
        let enc = text(row, "enc").expect("an encoding");
        let encoding = Encoding::for_label(enc).expect("a label");
        let (src, utf8) = (bytes(row, "hex"), bytes(row, "utf8_hex"));
        let got = stream(isa, encoding, Encoding::Utf8, Policy::Strict, &src);
        assert_eq!((&got.output, got.had_errors), (&utf8, false), "{isa} {row}");
        // The forms with a BOM are written little-endian.
        let back = stream(isa, Encoding::Utf8, encoding, Policy::Strict, &utf8);
        let again = stream(isa, encoding, Encoding::Utf8, Policy::Strict, &back.output);
        assert_eq!((&again.output, again.had_errors), (&utf8, false), "{isa} {row}");
        if !matches!(encoding, Encoding::Utf16 | Encoding::Utf32) {
            assert_eq!(back.output, src, "{isa} {row}");
        }
        Ok(())
    });
}

/// The `TextDecoder` of the Encoding Standard: a BOM is removed unless `ignoreBOM` is set, and a
/// call without `stream` ends the stream.
struct TextDecoder {
    transcoder: Transcoder,
    keep_bom: bool,
    /// Nothing was decoded yet.
    at_front: bool,
}

impl TextDecoder {
    /// The result of a call; `None` if it throws.
    fn decode(&mut self, chunks: &[&[u8]], more: bool) -> Option<String> {
        let got = feed(&mut self.transcoder, chunks, CAPACITY, !more);
        let mut text = String::from_utf8(got.output).expect("a transcoder into UTF-8 writes UTF-8");
        if self.at_front && !text.is_empty() {
            self.at_front = false;
            if !self.keep_bom && text.starts_with('\u{FEFF}') {
                text.remove(0);
            }
        }
        if !more {
            self.transcoder.reset();
            self.at_front = true;
        }
        got.reports.is_empty().then_some(text)
    }
}

#[test]
fn web_platform_tests() {
    let (read, left): (_, &[_]) = if cfg!(feature = "legacy") { (135, &[]) } else { (131, &[(NEEDS_LEGACY, 4)]) };
    rows("wpt_encoding_calls.json", read, left, |isa, row| {
        match text(row, "op") {
            Some("encode") => encodes(isa, &units(row, "utf16"), &bytes(row, "expect_hex")),
            Some("encodeInto") => encodes_into(isa, row),
            Some(other) => panic!("{other} in {row}"),
            None => {
                let enc = text(row, "enc").expect("an encoding");
                let name = utfkit::label::web_label(enc).expect("a label of the web");
                let Some(&encoding) = Encoding::ALL.iter().find(|encoding| encoding.name() == name) else {
                    return Err(NEEDS_LEGACY);
                };
                let policy = if flag(row, "fatal") == Some(true) { Policy::Strict } else { LOSSY };
                // Each call whole, and byte by byte.
                for by_byte in [false, true] {
                    let mut decoder = TextDecoder {
                        transcoder: Transcoder::new(encoding, Encoding::Utf8, policy),
                        keep_bom: flag(row, "ignoreBOM") == Some(true),
                        at_front: true,
                    };
                    calls(isa, row, &mut decoder, by_byte);
                }
            }
        }
        Ok(())
    });
}

fn calls(isa: Isa, row: &Value, decoder: &mut TextDecoder, by_byte: bool) {
    let mut total = String::new();
    for call in row["calls"].as_array().expect("a list") {
        let src = bytes(call, "hex");
        let chunks: Vec<&[u8]> = if by_byte { src.chunks(1).collect() } else { vec![&src] };
        let got = decoder.decode(&chunks, flag(call, "stream") == Some(true));
        assert_eq!(got.is_none(), flag(call, "throws") == Some(true), "{isa} {call} of {row}");
        let Some(got) = got else { continue };
        if let Some(expected) = text(call, "expect") {
            assert_eq!(got, expected, "{isa} {call} of {row}");
        }
        if let Some(other) = text(call, "expect_not") {
            assert_ne!(got, other, "{isa} {call} of {row}");
        }
        total.push_str(&got);
    }
    if let Some(expected) = text(row, "expect_total") {
        assert_eq!(total, expected, "{isa} {row}");
    }
}

/// `TextEncoder.encodeInto`: writes the whole characters that fit.
fn encodes_into(isa: Isa, row: &Value) {
    let (src, expected) = (units(row, "utf16"), bytes(row, "expect_hex"));
    let mut dst = vec![0; number(row, "dest_len").expect("a number")];
    let (read, written) = match utfkit::utf16_to_utf8_lossy(&src, &mut dst) {
        Ok(written) => (src.len(), written),
        Err(e) => (e.offset(), e.written()),
    };
    assert_eq!(Some(read), number(row, "read_units"), "{isa} {row}");
    assert_eq!(&dst[..written], expected, "{isa} {row}");
}

#[test]
fn kuhns_file() {
    let Some(folder) = folder() else {
        say("UTF-8-test.txt: skipped, there is no folder with conformance cases");
        return;
    };
    let src = std::fs::read(folder.join("UTF-8-test.txt")).expect("the file can be read");
    assert_eq!(src.len(), 22_781, "another edition of the file");
    for_each_isa(|isa| {
        utf8_row(isa, &src);
        let replaced = lossy(isa, &src).matches('\u{FFFD}').count();
        // The source has some U+FFFD of its own.
        let own = src.windows(3).filter(|bytes| bytes == b"\xEF\xBF\xBD").count();
        assert_eq!(utfkit::errors(&src, Standard::Rfc3629).count(), replaced - own, "{isa}");
    });
}

/// The files of other encodings in the folder.
#[test]
fn files_of_other_encodings_are_named() {
    const FILES: [(&str, usize); 1] = [("ftfy_mojibake.json", 161)];
    const READ: [&str; 19] = [
        "README.md",
        "UTF-8-test.txt",
        "bstr_utf8.json",
        "encoding_rs.json",
        "cesu8_mutf8.json",
        "hangul_unicode11_to_unicode20.tsv",
        "wtf8.json",
        "exodus_unfinished_bytes.json",
        "field",
        "iconv_snippets.json",
        "jsontestsuite.json",
        "utf1.json",
        "utf7_iconv_lite.json",
        "kuhn_utf8_test.json",
        "perl_utf8decode.json",
        "toml_test_encoding.json",
        "unicode_core_spec_fffd.json",
        "utf8tests_flenniken.json",
        "wpt_encoding_calls.json",
    ];
    let Some(folder) = folder() else { return };
    for (file, expected) in FILES {
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let count = match serde_json::from_str::<Value>(&text) {
            Ok(list) => list.as_array().expect("a list").len(),
            // A table; the line with the names of its columns begins with `#`.
            Err(_) => text.lines().filter(|line| !line.starts_with('#')).count(),
        };
        assert_eq!(count, expected, "{file}: other rows than before are left out");
        say(&format!("{file}: all {count} rows left out: {TWICE_ENCODED}"));
    }
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
        let known = READ.contains(&&*name) || FILES.iter().any(|(file, _)| *file == name);
        assert!(known, "{name} is new and no test reads it");
    }
}
