//! The output of `utfkit check` in every format, and the lines that it shows.

use crate::common::{Place, missing};
use serde_json::{Value, json};

/// A well-formed file, two ill-formed ones, and a missing one.
fn place() -> Place {
    let place = Place::new();
    place.file("good.txt", "gut\n");
    place.file("a b.txt", b"\xC3\xA9\n\xC0\xAF\xFF\n");
    place.file("latin.txt", b"caf\xE9, d\xE9j\xE0 vu and more\n");
    place
}

const FILES: [&str; 4] = ["good.txt", "a b.txt", "missing", "latin.txt"];

fn run(place: &Place, args: &[&str]) -> (i32, Value) {
    let ran = place.run(&[&["check", "--format"], args].concat());
    (ran.status, serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out())))
}

#[test]
fn json_is_one_document() {
    let place = place();
    let (status, document) = run(&place, &[&["json", "--max-errors", "1"], &FILES[..]].concat());
    assert_eq!(status, 2);
    let files = document["files"].as_array().unwrap();
    let paths: Vec<_> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, FILES);
    assert_eq!(files[0]["findings"], json!([]));
    assert_eq!(
        files[1],
        json!({"path": "a b.txt",
               "findings": [{"offset": 3, "length": 2, "line": 2, "column": 1, "bytes": "c0af", "kind": "overlong",
                             "code_point": "U+002F",
                             "message": "two-byte form of U+002F \"/\", which must be 2F (RFC 3629 section 3)"}],
               "summary": {"bytes": 7, "code_points": 3, "lines": 2, "findings": 2, "shown": 1,
                           "kinds": {"overlong": 1, "invalid-byte": 1}}})
    );
    assert!(files[2]["error"].as_str().unwrap().starts_with(&missing()) && files[2].get("summary").is_none());
    assert_eq!(files[3]["summary"]["hint"]["try"], json!("utfkit repair --fallback windows-1252 latin.txt"));
    assert_eq!(
        document["totals"],
        json!({"files": 3, "ill_formed": 2, "unreadable": 1, "bytes": 34, "findings": 5, "shown": 2, "skipped": 0,
               "kinds": {"overlong": 1, "invalid-byte": 1, "missing-continuation": 3}})
    );
}

#[test]
fn json_and_sarif_are_whole_whatever_there_is() {
    let place = place();
    for format in ["json", "sarif"] {
        for files in [&["good.txt"][..], &["missing"], &["missing", "missing"], &["--files0-from", "good.txt"]] {
            run(&place, &[&[format], files].concat());
        }
    }
    std::fs::create_dir(place.path().join("none")).unwrap();
    assert_eq!(run(&place, &["json", "none"]).1["files"], json!([]));
    assert_eq!(run(&place, &["sarif", "none"]).1["runs"][0]["results"], json!([]));
}

#[test]
fn many_files_on_many_threads_are_one_document_in_order() {
    let place = Place::new();
    for i in 0..36 {
        place.file(format!("t/{i:02}"), b"x\n\xFF".repeat(if i % 7 == 0 { 800 } else { i % 2 }));
    }
    place.file("t/30.bin", b"\0");
    for format in ["json", "sarif", "github", "jsonl"] {
        let one = place.run(&["check", "--format", format, "--max-errors", "0", "-j", "1", "t", "missing"]);
        let many = place.run(&["check", "--format", format, "--max-errors", "0", "-j", "4", "t", "missing"]);
        assert!(one == many, "{format}");
    }
    let (status, document) = run(&place, &["json", "t", "missing"]);
    assert_eq!((status, document["files"].as_array().unwrap().len()), (2, 37));
    assert_eq!(document["totals"]["skipped"], json!(1));
}

#[test]
fn jsonl_names_what_could_not_be_read() {
    let place = place();
    let ran = place.run(&["check", "--format", "jsonl", "missing", "good.txt"]);
    let first: Value = serde_json::from_str(ran.lines()[0]).unwrap();
    assert_eq!((ran.status, &first["path"], ran.lines().len()), (2, &json!("missing"), 2));
    assert!(first["error"].as_str().unwrap().starts_with(&missing()), "{first}");
    assert!(ran.err.starts_with("utfkit: missing: "), "{}", ran.err);
}

/// The requirements of the SARIF 2.1.0 schema for the parts in use.
mod schema {
    use serde_json::Value;

    fn members<'a>(value: &'a Value, required: &[&str], allowed: &[&str]) -> &'a serde_json::Map<String, Value> {
        let object = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
        for name in required {
            assert!(object.contains_key(*name), "{name} is missing: {value}");
        }
        for name in object.keys() {
            assert!(required.contains(&name.as_str()) || allowed.contains(&name.as_str()), "{name}: {value}");
        }
        object
    }

    fn each(value: &Value) -> impl Iterator<Item = &Value> {
        value.as_array().unwrap_or_else(|| panic!("no array: {value}")).iter()
    }

    fn text(value: &Value) -> &str {
        value.as_str().unwrap_or_else(|| panic!("no string: {value}"))
    }

    fn at_least(value: Option<&Value>, least: u64) {
        if let Some(value) = value {
            assert!(value.as_u64().is_some_and(|number| number >= least), "{value}");
        }
    }

    fn message(value: &Value) {
        let object = members(value, &[], &["text", "id", "markdown", "arguments", "properties"]);
        assert!(object.contains_key("text") || object.contains_key("id"), "{value}");
    }

    /// The message of a result, which must end like a sentence.
    fn sentence(value: &Value) {
        message(value);
        assert!(text(&value["text"]).ends_with('.'), "{value}");
    }

    fn level(value: &Value) {
        assert!(["none", "note", "warning", "error"].contains(&text(value)), "{value}");
    }

    /// The characters that RFC 3986, appendix A, allows.
    fn uri_reference(value: &Value) {
        let uri = text(value);
        let bytes = uri.as_bytes();
        for (i, byte) in bytes.iter().enumerate() {
            match byte {
                b'%' => assert!(bytes[i + 1..].len() >= 2 && bytes[i + 1..i + 3].iter().all(u8::is_ascii_hexdigit)),
                byte => assert!(byte.is_ascii_alphanumeric() || b"-._~/:".contains(byte), "{uri}"),
            }
        }
        let first = uri.split('/').next().unwrap();
        assert!(!first.contains(':') || first == "file:", "{uri}");
    }

    fn physical_location(value: &Value) {
        let object = members(value, &["artifactLocation"], &["region"]);
        uri_reference(&members(&object["artifactLocation"], &["uri"], &["uriBaseId", "index"])["uri"]);
        if let Some(region) = object.get("region") {
            let of_text = ["startLine", "startColumn", "endLine", "endColumn"];
            let of_bytes = ["byteOffset", "byteLength", "charOffset", "charLength"];
            let region = members(region, &[], &[of_text, of_bytes].concat());
            of_text.iter().for_each(|name| at_least(region.get(*name), 1));
            of_bytes.iter().for_each(|name| at_least(region.get(*name), 0));
        }
    }

    fn locations(value: Option<&Value>) {
        for location in value.into_iter().flat_map(each) {
            physical_location(&members(location, &["physicalLocation"], &[])["physicalLocation"]);
        }
    }

    pub(super) fn check(document: &Value) {
        let log = members(document, &["version", "runs"], &["$schema"]);
        assert_eq!(text(&log["version"]), "2.1.0");
        for run in each(&log["runs"]) {
            let optional = ["results", "artifacts", "invocations", "columnKind", "defaultEncoding", "properties"];
            let run = members(run, &["tool"], &optional);
            assert!(["utf16CodeUnits", "unicodeCodePoints"].contains(&text(&run["columnKind"])));
            let driver = &members(&run["tool"], &["driver"], &[])["driver"];
            let driver = members(driver, &["name"], &["version", "semanticVersion", "informationUri", "rules"]);
            // From the manifest, or an existing address: the page of an
            // unpublished crate does not exist.
            let information = text(&driver["informationUri"]);
            assert!(information.starts_with("https://") && !information.contains("docs.rs"), "{information}");
            let mut ids = Vec::new();
            for rule in each(&driver["rules"]) {
                let texts = ["shortDescription", "fullDescription", "help"];
                let optional = [&texts[..], &["name", "helpUri", "defaultConfiguration"]].concat();
                let rule = members(rule, &["id"], &optional);
                // Warnings of Microsoft's validator: texts without a period,
                // and names that only repeat the identifier.
                for name in texts {
                    assert!(text(&members(&rule[name], &["text"], &["markdown"])["text"]).ends_with('.'), "{rule:?}");
                }
                assert!(text(&rule["helpUri"]).starts_with("https://"));
                assert!(!text(&rule["name"]).eq_ignore_ascii_case(text(&rule["id"])), "{rule:?}");
                level(&members(&rule["defaultConfiguration"], &[], &["level"])["level"]);
                assert!(!ids.contains(&text(&rule["id"])), "{rule:?}");
                ids.push(text(&rule["id"]));
            }
            for result in each(&run["results"]) {
                let optional = ["ruleId", "ruleIndex", "level", "locations", "properties"];
                let result = members(result, &["message"], &optional);
                sentence(&result["message"]);
                level(&result["level"]);
                locations(result.get("locations"));
                let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
                assert_eq!(text(&result["ruleId"]), ids[index]);
            }
            for artifact in each(&run["artifacts"]) {
                let artifact = members(artifact, &[], &["location", "length", "properties"]);
                uri_reference(&members(&artifact["location"], &["uri"], &[])["uri"]);
                assert!(artifact["properties"].is_object());
                at_least(artifact.get("length"), 0);
            }
            for invocation in each(&run["invocations"]) {
                let optional = ["exitCode", "toolExecutionNotifications"];
                let invocation = members(invocation, &["executionSuccessful"], &optional);
                assert!(invocation["executionSuccessful"].is_boolean() && invocation["exitCode"].is_i64());
                for notification in each(&invocation["toolExecutionNotifications"]) {
                    let notification = members(notification, &["message"], &["level", "locations"]);
                    message(&notification["message"]);
                    level(&notification["level"]);
                    locations(notification.get("locations"));
                }
            }
        }
    }
}

#[test]
fn sarif_is_what_the_schema_asks_for() {
    let place = place();
    let (status, document) = run(&place, &[&["sarif", "--max-errors", "1"], &FILES[..]].concat());
    schema::check(&document);
    let run_ = &document["runs"][0];
    let results = run_["results"].as_array().unwrap();
    assert_eq!((status, results.len()), (2, 2));
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"],
        json!({"artifactLocation": {"uri": "a%20b.txt"},
               "region": {"startLine": 2, "startColumn": 1, "endColumn": 2, "byteOffset": 3, "byteLength": 2}})
    );
    assert_eq!(results[0]["properties"], json!({"bytes": "c0af", "codePoint": "U+002F"}));
    assert_eq!((&run_["columnKind"], &results[0]["ruleId"]), (&json!("unicodeCodePoints"), &json!("overlong")));
    let invocation = &run_["invocations"][0];
    assert_eq!((&invocation["exitCode"], &invocation["executionSuccessful"]), (&json!(2), &json!(false)));
    let notes = invocation["toolExecutionNotifications"].as_array().unwrap();
    let at = |note: &Value| note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert_eq!((notes.len(), at(&notes[0])), (2, json!("missing")));
    assert!(notes[1]["message"]["text"].as_str().unwrap().starts_with("3 more findings are not listed"));
    let hint = &run_["artifacts"][1]["properties"]["summary"]["hint"];
    assert_eq!(hint["encoding"], json!("windows-1252"));

    let (status, document) = run(&place, &["sarif", "good.txt"]);
    schema::check(&document);
    let invocation = &document["runs"][0]["invocations"][0];
    assert_eq!((status, &invocation["executionSuccessful"], &invocation["exitCode"]), (0, &json!(true), &json!(0)));

    // Every kind of error in every encoding has a rule.
    for (encoding, bytes) in
        [("UTF-7", &b"+2AA-x +ZeVnLA- +AGF-\n\x80"[..]), ("Shift_JIS", b"\x82 z\xFF\x82"), ("UTF-16LE", b"\x00\xDCb")]
    {
        let ran = place.feed(&["check", "--format", "sarif", "--encoding", encoding], bytes);
        let document: Value = serde_json::from_slice(&ran.out).unwrap();
        schema::check(&document);
        assert!(!document["runs"][0]["results"].as_array().unwrap().is_empty());
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8_are_exact_in_sarif() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    if std::fs::write(place.path().join(std::ffi::OsStr::from_bytes(b"caf\xE9 #?\x1B:")), b"\xFF").is_err() {
        println!("skipped: this file system wants names in UTF-8");
        return;
    }
    let (_, document) = run(&place, &["sarif", "."]);
    schema::check(&document);
    let location = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(location, &json!({"uri": "caf%E9%20%23%3F%1B%3A"}));
}

#[test]
fn github_gets_workflow_commands() {
    let place = place();
    // Windows has no colon in names.
    let (name, escaped) =
        if cfg!(windows) { ("x,y1%.txt", "x%2Cy1%25.txt") } else { ("x,y:1%.txt", "x%2Cy%3A1%25.txt") };
    place.file(name, b"\x80");
    let path = format!("./{name}");
    let ran = place.run(&["check", "--format", "github", "--max-errors", "1", "a b.txt", &path, "missing"]);
    assert_eq!(
        ran.lines()[..2],
        [
            "::error file=a b.txt,line=2,col=1,title=overlong::byte 3: C0 AF: overlong: two-byte form of U+002F \"/\", \
             which must be 2F (RFC 3629 section 3)",
            &format!(
                "::error file={escaped},line=1,col=1,title=unexpected-continuation::byte 0: 80: \
                 unexpected-continuation: continuation byte 80 without a lead byte that asks for it (RFC 3629 section 4)"
            ),
        ]
    );
    assert!(ran.lines()[2].starts_with(&format!("::error file=missing::{}", missing())), "{}", ran.out());
    assert!(ran.err.starts_with("a b.txt: 2 ill-formed sequences: 1 overlong, 1 invalid-byte (the first 1 shown"));
    assert!(place.feed(&["check", "--format", "github"], b"\xFF").out().starts_with("::error line=1,col=1,title="));
}

#[test]
fn names_alone_and_silence_are_the_same_in_every_format() {
    let place = place();
    for format in ["text", "json", "jsonl", "sarif", "github"] {
        let ran = place.run(&["check", "-q", "--format", format, "a b.txt", "missing"]);
        assert_eq!((ran.status, ran.out(), ran.err.as_str()), (2, "", ""), "{format}");
        for names in ["-l", "-i"] {
            let ran = place.run(&["check", names, "--format", format, "a b.txt"]);
            if format == "text" {
                assert_eq!(ran.status, 1);
            } else {
                assert_eq!((ran.status, ran.out()), (2, ""));
                assert!(ran.err.contains("-l and -i print one name per line and take no --format"), "{}", ran.err);
            }
        }
    }
    let ran = place.run(&["check", "--context", "--format", "json", "a b.txt"]);
    assert!(ran.status == 2 && ran.err.contains("--context works only with --format text"), "{}", ran.err);
    assert_eq!(place.run(&["check", "--context", "-l", "a b.txt"]).status, 2);
}

#[test]
fn a_hint_says_what_to_do_next() {
    let place = Place::new();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let utf32 = |text: &str| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect::<Vec<u8>>();
    place.file("signed", utf16("\u{FEFF}Grüße\n"));
    place.file("unsigned", utf16("Grüße, naïve and more\n"));
    place.file("utf32", utf32("Grüße\n"));
    place.file("cesu", b"text \xED\xA0\xBD\xED\xB8\x80\n".repeat(3));
    place.file("it's latin", b"caf\xE9, d\xE9j\xE0 vu and more\n");
    for (file, hint) in [
        ("signed", "; looks like UTF-16LE; try: utfkit convert -f UTF-16 signed"),
        ("unsigned", "; looks like UTF-16LE; try: utfkit convert -f UTF-16LE unsigned"),
        ("utf32", "; looks like UTF-32BE; try: utfkit convert -f UTF-32BE utf32"),
        (
            "cesu",
            "; surrogate pairs as in CESU-8; try: utfkit convert -f CESU-8 cesu \
             (or, if it has four-byte forms too, utfkit repair --reinterpret cesu)",
        ),
        ("it's latin", "; in windows-1252: é (2), à (1); try: utfkit repair --fallback windows-1252 FILE"),
    ] {
        let ran = place.run(&["check", file]);
        assert!(ran.err.trim_end().ends_with(hint), "{}", ran.err);
        // The recommended command works, if this command has it.
        if let Some(args) = hint.split("try: utfkit ").nth(1).filter(|args| args.starts_with("convert")) {
            let args: Vec<_> = args.split(" (or").next().unwrap().split(' ').collect();
            let ran = place.run(&args);
            assert!(ran.status == 0 && !ran.out().starts_with('\u{FEFF}'), "{args:?}: {}", ran.err);
        }
        // From a pipe, in pieces.
        let piped = place.pipe(&["check"], place.read(file).chunks(3));
        let reason = hint.split("; try").next().unwrap();
        assert!(piped.err.contains(reason), "{}", piped.err);
    }
    for damaged in [&b"text \xC0\xAF"[..], b"\xFF\xFE text of UTF-8", b"one \xED\xA0\x80 surrogate", b"\0\xFF\0\xFE"] {
        let ran = place.feed(&["check"], damaged);
        assert!(!ran.err.contains("try: utfkit convert"), "{}", ran.err);
    }
}

#[test]
fn context_marks_the_bytes_under_their_line() {
    let place = Place::new();
    place.file(
        "a",
        b"ok\n\tint x = \"\xFF\xFE \xE6\x97\xA5\xE6\x9C\xACe\xCC\x81\x1B\xE2\x80\xAE \xED\xA0\xBD\"; \r\nx\xC0\x80",
    );
    let ran = place.run(&["check", "--context", "a"]);
    let lines: Vec<_> = ran.lines().into_iter().filter(|line| !line.starts_with("a:")).collect();
    assert_eq!(
        lines,
        [
            "    2 |     int x = \"<FF><FE> 日本e\u{301}\\u{1b}\\u{202e} <ED A0 BD>\"; ",
            "      |              ^^^^^^^^                     ^^^^^^^^^^",
            "    3 | x<C0 80>",
            "      |  ^^^^^^^",
        ],
        "{}",
        ran.out()
    );
    // Without the excerpts, the output is unchanged.
    let findings: Vec<_> = ran.lines().into_iter().filter(|line| line.starts_with("a:")).collect();
    assert_eq!(place.run(&["check", "a"]).lines(), findings);
    assert!(ran.lines()[3].starts_with("    2 | "), "a line stands after its last finding: {}", ran.out());
    let coloured = place.run(&["check", "--context", "--color", "always", "a"]);
    assert!(coloured.out().contains("\x1b[31m<FF>\x1b[0m"), "{:?}", coloured.out());
}

#[test]
fn the_carets_stand_under_what_they_mark() {
    let place = Place::new();
    for lead in ["", "a", "é", "日本", "e\u{301}", "👩\u{200D}🚀", "\t", "한글 ", "\u{7}"] {
        let ran = place.feed(&["check", "--context"], &[lead.as_bytes(), b"\xC0\xAF end"].concat());
        let lines = ran.lines();
        let before = lines[1].split("<C0 AF>").next().unwrap();
        let blank = lines[2].split('^').next().unwrap();
        assert_eq!(utfkit::display_width(before), blank.len(), "{lead:?}: {}", ran.out());
        assert_eq!(lines[2].trim_start_matches([' ', '|']), "^".repeat(7));
    }
}

#[test]
fn a_long_line_is_cut_to_a_window() {
    let place = Place::new();
    let mut text = "日".repeat(100_000).into_bytes();
    text.extend_from_slice(b"\xFF");
    text.extend("é".repeat(100_000).bytes());
    text.extend(b"\xC0\xAF".repeat(1000));
    text.extend_from_slice(b"end\n");
    let ran = place.feed(&["check", "--context", "--max-errors", "0"], &text);
    assert_eq!(ran.lines().iter().filter(|line| line.starts_with("-:")).count(), 1001);
    for line in ran.lines() {
        assert!(utfkit::display_width(line) < 170, "{line}");
    }
    let lines = ran.lines();
    assert_eq!(lines[1], format!("    1 | ...{}<FF>{}...", "日".repeat(24), "é".repeat(40)));
    assert!(lines[lines.len() - 2].ends_with("<C0 AF>end"), "{}", lines[lines.len() - 2]);
    assert_eq!(ran.out().matches('^').count(), 4 + 7 * 1000, "each finding is marked once");
}

#[test]
fn context_is_the_same_however_the_input_is_cut() {
    let place = Place::new();
    let mut utf8 = Vec::new();
    for i in 0..60 {
        utf8.extend_from_slice("Zeile mit Umläuten, 日本語 und 🎉\r\n".as_bytes());
        utf8.extend_from_slice(
            [&b"\xC0\xAF"[..], b"\xF0\x9F", b"\xED\xA0\xBD\xED\xB8\x80x", b"\xFC\x84\x80\x80\x80\x80"][i % 4],
        );
        utf8.extend(std::iter::repeat_n(b'x', i * 7 % 150));
    }
    let utf16: Vec<u8> =
        "\u{FEFF}ab\u{E9}\n🎉x".encode_utf16().chain([0xDC00, 0x61, 0xD800]).flat_map(u16::to_be_bytes).collect();
    let jis = b"a\n\x93\xFA\x96\x7B\x82 z\xFF\x82".to_vec();
    let limits: [&[&str]; 2] = [&["check", "--context"], &["check", "--context", "--max-errors", "3"]];
    for (encoding, input) in [("UTF-8", utf8), ("UTF-16", utf16), ("Shift_JIS", jis)] {
        for args in limits {
            let args = [args, &["--encoding", encoding]].concat();
            let whole = place.feed(&args, &input);
            assert!(whole.out().contains('^'), "{}", whole.out());
            for size in [1, 5, 64, 4093] {
                assert_eq!(place.pipe(&args, input.chunks(size)), whole, "{encoding} {size}");
            }
        }
    }
    let ran = place.feed(&["check", "--context", "--encoding", "Shift_JIS"], b"\x93\xFA\x82 z");
    assert_eq!(ran.lines()[1..], ["    1 | 日<82> z", "      |   ^^^^"]);
}

#[cfg(unix)]
#[test]
fn context_fits_a_terminal_that_shows_no_utf_8() {
    let place = Place::new();
    place.file("a", b"x \xC3\xA9\xFF\n");
    let Some((_, text)) = place.on_a_terminal("C", r#""$UTFKIT" check --context a"#) else { return };
    assert!(text.contains("    1 | x \\u{e9}<FF>\n      |         ^^^^\n"), "{text}");
}
