//! Conformance tests of other projects for relatives of UTF-8, read from the folder `shared`; if
//! it is missing, these tests print that and pass.

use crate::common::converted::converted;
use serde_json::Value;
use std::path::Path;

use utfkit::{Encoding, Policy, Practice};
use utfkit_testkit::hex::parse;
use utfkit_testkit::shared::{say, vectors};
use utfkit_testkit::utf8;

/// The Hangul syllables of Unicode 1.1 in today's code points, ordered by the code points of
/// that time.
pub(crate) fn hangul_of_unicode_11(folder: &Path) -> Vec<u16> {
    let list = std::fs::read_to_string(folder.join("hangul_unicode11_to_unicode20.tsv")).expect("the list can be read");
    let mut syllables = Vec::new();
    for (line, old) in list.lines().filter(|line| !line.starts_with('#')).zip(0x3400..) {
        let mut fields = line.split('\t').map(|digits| u16::from_str_radix(digits, 16).expect("hexadecimal digits"));
        assert_eq!(fields.next(), Some(old));
        syllables.push(fields.next().expect("a second field"));
    }
    syllables
}

/// The output, and the offset and length of each error.
type Outcome = (Vec<u8>, Vec<(usize, usize)>);

/// Transcodes `chunks`.
fn feed(from: Encoding, to: Encoding, policy: Policy, chunks: &[&[u8]]) -> Outcome {
    // An empty chunk ends the stream.
    let (output, errors) = converted(from, to, policy, &[chunks, &[&[]]].concat());
    (output, errors.iter().map(|e| (e.offset(), e.len())).collect())
}

/// Transcodes `src` whole, and asserts that the result is the same byte by byte.
fn stream(from: Encoding, to: Encoding, policy: Policy, src: &[u8]) -> Outcome {
    let whole = feed(from, to, policy, &[src]);
    let bytes: Vec<&[u8]> = src.chunks(1).collect();
    assert_eq!(feed(from, to, policy, &bytes), whole, "{from:?} to {to:?}, {policy:?}: {src:02X?}");
    whole
}

/// Transcodes without an error.
fn convert(from: Encoding, to: Encoding, src: &[u8]) -> Vec<u8> {
    let (output, errors) = stream(from, to, Policy::Strict, src);
    assert_eq!(errors, [], "{from:?} to {to:?}: {src:02X?}");
    output
}

/// The values of big-endian UCS-4.
fn ucs4(bytes: &[u8]) -> Vec<u32> {
    let (units, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty(), "a part of a unit");
    units.iter().copied().map(u32::from_be_bytes).collect()
}

/// The code points of big-endian WTF-16.
fn wtf16(bytes: &[u8]) -> Vec<u32> {
    let (units, rest) = bytes.as_chunks::<2>();
    assert!(rest.is_empty(), "a part of a unit");
    char::decode_utf16(units.iter().copied().map(u16::from_be_bytes))
        .map(|unit| unit.map_or_else(|lone| lone.unpaired_surrogate().into(), u32::from))
        .collect()
}

/// The rows of `file`; none, and a printed line, if it is missing.
fn rows(file: &str, expected: usize) -> Vec<Value> {
    let Some(folder) = vectors() else {
        say(&format!("{file}: skipped, there is no folder with conformance cases"));
        return Vec::new();
    };
    let text = std::fs::read(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let rows: Vec<Value> = serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
    assert_eq!(rows.len(), expected, "{file} has other rows than before");
    rows
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("no text {key} in {row}"))
}

fn numbers(row: &Value, key: &str) -> Option<Vec<u32>> {
    let number = |value: &Value| value.as_u64().and_then(|value| u32::try_from(value).ok());
    let list = row.get(key)?.as_array().unwrap_or_else(|| panic!("{key} is not a list in {row}"));
    Some(list.iter().map(|value| number(value).unwrap_or_else(|| panic!("{value} in {row}"))).collect())
}

#[test]
fn cesu_8_and_modified_utf_8() {
    for row in rows("cesu8_mutf8.json", 113) {
        println!("{row}");
        let encoding = match text(&row, "enc") {
            "cesu-8" => Encoding::Cesu8,
            "mutf-8" => Encoding::Mutf8,
            other => panic!("{other}"),
        };
        let src = parse(text(&row, "hex"));
        let (output, errors) = stream(encoding, Encoding::Ucs4Be, Policy::Strict, &src);
        assert_eq!(row["valid"].as_bool(), Some(errors.is_empty()), "{row}");
        match numbers(&row, "codepoints") {
            Some(values) => {
                assert_eq!(ucs4(&output), values, "{row}");
                assert_eq!(convert(Encoding::Ucs4Be, encoding, &output), src, "{row}");
            }
            None => assert!(!errors.is_empty(), "{row}"),
        }
    }
}

#[test]
fn wtf_8() {
    let mut left_out = 0;
    for row in rows("wtf8.json", 49) {
        println!("{row}");
        let codepoints = numbers(&row, "codepoints");
        let decode = |policy, chunks: &[&[u8]]| feed(Encoding::Wtf8, Encoding::Wtf16Be, policy, chunks);
        match text(&row, "op") {
            "from_utf16" => {
                let units = numbers(&row, "utf16").expect("a list");
                let src: Vec<u8> = units.iter().flat_map(|&unit| (unit as u16).to_be_bytes()).collect();
                let bytes = convert(Encoding::Wtf16Be, Encoding::Wtf8, &src);
                assert_eq!(bytes, parse(text(&row, "expect_hex")), "{row}");
                assert_eq!(convert(Encoding::Wtf8, Encoding::Wtf16Be, &bytes), src, "{row}");
            }
            "stream" => {
                let chunks: Vec<Vec<u8>> = row["chunks_hex"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|hex| parse(hex.as_str().unwrap()))
                    .collect();
                let chunks: Vec<&[u8]> = chunks.iter().map(|chunk| &chunk[..]).collect();
                let (output, _) = decode(Policy::Replace(Practice::MaximalSubpart), &chunks);
                assert_eq!(Some(wtf16(&output)), codepoints, "{row}");
            }
            // The expected result lacks U+FEFF at the front, which is a character in these
            // encodings.
            "decode" if text(&row, "note").contains("leading BOM stripped") => left_out += 1,
            "decode" => {
                let src = parse(text(&row, "hex"));
                let (output, errors) = stream(Encoding::Wtf8, Encoding::Wtf16Be, Policy::Strict, &src);
                if let Some(valid) = row.get("valid") {
                    assert_eq!(valid.as_bool(), Some(errors.is_empty()), "{row}");
                }
                if let Some(offset) = row.get("first_error_offset") {
                    assert_eq!(offset.as_u64(), Some(errors[0].0 as u64), "{row}");
                }
                match codepoints {
                    Some(values) if errors.is_empty() => {
                        assert_eq!(wtf16(&output), values, "{row}");
                        assert_eq!(convert(Encoding::Wtf16Be, Encoding::Wtf8, &output), src, "{row}");
                    }
                    Some(values) => {
                        assert!(text(&row, "note").contains("replaces EACH byte"), "{row}");
                        let (output, _) = decode(Policy::Replace(Practice::PerUnit), &[&src]);
                        assert_eq!(wtf16(&output), values, "{row}");
                    }
                    None => assert!(!errors.is_empty(), "{row}"),
                }
            }
            other => panic!("{other} in {row}"),
        }
    }
    assert_eq!(left_out, usize::from(vectors().is_some()), "rows left out");
}

/// All code points of the list in both directions.
#[test]
fn hangul_of_unicode_1_1() {
    let Some(folder) = vectors() else {
        say("hangul_unicode11_to_unicode20.tsv: skipped, there is no folder with conformance cases");
        return;
    };
    let syllables = hangul_of_unicode_11(&folder);
    let mut then: Vec<Option<u32>> = (0..=0x10_FFFF).map(|value| char::from_u32(value).map(u32::from)).collect();
    then[0x3400..=0x4DFF].fill(None);
    then[0xAC00..=0xD7A3].fill(None);
    for (old, &new) in (0x3400..).zip(&syllables) {
        then[usize::from(new)] = Some(old);
    }
    let (mut all, mut values, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    for (value, then) in (0_u32..).zip(&then).filter(|(value, _)| char::from_u32(*value).is_some()) {
        all.extend(value.to_be_bytes());
        if let Some(then) = *then {
            values.extend(value.to_be_bytes());
            utf8::encode(then, &mut bytes);
        }
    }
    let (from, to) = (Encoding::Ucs4Be, Encoding::Unicode11Utf8);
    assert!(feed(from, to, Policy::Skip, &[&all]).0 == bytes, "what has no place then is left out");
    assert!(feed(to, from, Policy::Strict, &[&bytes]) == (values, Vec::new()), "everything comes back");
    // Each of today's syllables is one error of three bytes.
    let today: String = ('가'..='힣').collect();
    let expected: Vec<(usize, usize)> = (0..today.chars().count()).map(|i| (3 * i, 3)).collect();
    assert!(feed(to, from, Policy::Strict, &[today.as_bytes()]) == (Vec::new(), expected));
}
