//! `utfkit convert`.

use std::fs;

use crate::common::{Place, all_cases, shared};

const TEXT: &str = "Grüße, мир!\n日本語 🎉 \u{FEFF} \u{10FFFF}\n";
const NAMES: [&str; 5] = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"];

/// `text` encoded by the standard library.
fn encode(text: &str, name: &str) -> Vec<u8> {
    match name {
        "UTF-8" => text.into(),
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        "UTF-32BE" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        _ => unreachable!(),
    }
}

#[test]
fn every_pair_from_files_and_from_pipes_cut_at_odd_places() {
    let place = Place::new();
    let long = TEXT.repeat(3000);
    for from in NAMES {
        let input = encode(&long, from);
        place.file("in", &input);
        for to in NAMES {
            let want = encode(&long, to);
            let ran = place.run(&["convert", "-f", from, "-t", to, "in"]);
            assert_eq!((ran.status, ran.err.as_str()), (0, ""));
            assert!(ran.out == want, "{from} to {to}");
            let ran = place.pipe(&["convert", "-f", from, "-t", to], input.chunks(4093));
            assert!(ran.status == 0 && ran.out == want, "{from} to {to} from a pipe");
        }
    }
}

#[test]
fn the_shared_texts_survive_every_pair() {
    let Some(data) = shared("data") else { return };
    let place = Place::new();
    let folders = fs::read_dir(data).unwrap().map(|folder| folder.unwrap().path());
    let files: Vec<_> =
        folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|file| file.unwrap().path()).collect();
    for (number, file) in files.iter().enumerate() {
        let text = fs::read_to_string(file).unwrap();
        for (row, from) in NAMES.into_iter().enumerate() {
            // Each pair takes one text in four, and another pair the next.
            let pairs =
                NAMES.into_iter().enumerate().filter(|(column, _)| all_cases() || (number + row + column) % 4 == 0);
            place.file("in", encode(&text, from));
            for (_, to) in pairs {
                assert!(
                    place.run(&["convert", "-f", from, "-t", to, "in"]).out == encode(&text, to),
                    "{from} {to} {}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn signed_encodings_read_and_write_a_bom() {
    let place = Place::new();
    let text = "aé🎉";
    let signed = [b"\xFF\xFE".as_slice(), &encode(text, "UTF-16LE")].concat();
    assert_eq!(place.feed(&["convert", "-t", "UTF-16"], text.as_bytes()).out, signed);
    assert_eq!(place.feed(&["convert", "-f", "UTF-16"], &signed).out(), text);
    assert_eq!(place.feed(&["convert", "-f", "UTF-16"], &encode(text, "UTF-16BE")).out(), text);
    // Encodings with an explicit byte order keep U+FEFF as a character.
    let kept = place.feed(&["convert", "-f", "UTF-16LE"], &signed);
    assert_eq!(kept.out(), format!("\u{FEFF}{text}"));
}

#[test]
fn several_inputs_become_one_output_with_one_bom() {
    let place = Place::new();
    place.file("a", b"\xFE\xFF\0a");
    place.file("b", b"\xFF\xFEb\0");
    let args = ["convert", "-f", "UTF-16", "-t", "UTF-16", "a", "b", "-"];
    assert_eq!(place.feed(&args, b"\0c").out, b"\xFF\xFEa\0b\0c\0");
}

#[test]
fn bom_is_kept_added_or_removed() {
    let place = Place::new();
    let with = "\u{FEFF}é".as_bytes();
    let without = "é".as_bytes();
    let run = |bom: &str, input: &[u8]| place.feed(&["convert", "--bom", bom], input).out;
    assert_eq!((run("keep", with), run("keep", without)), (with.to_vec(), without.to_vec()));
    assert_eq!((run("add", with), run("add", without)), (with.to_vec(), with.to_vec()));
    assert_eq!((run("remove", with), run("remove", without)), (without.to_vec(), without.to_vec()));
    assert_eq!(place.pipe(&["convert", "--bom", "remove", "-t", "latin1"], with.chunks(1)).out, b"\xE9");
    assert_eq!(place.feed(&["convert", "--bom", "add", "-t", "UTF-16BE"], without).out, b"\xFE\xFF\0\xE9");
    assert_eq!(place.feed(&["convert", "--bom", "add", "-t", "UTF-16"], with).out, b"\xFF\xFE\xE9\0");
    assert_eq!(run("remove", b"\xEF\xBB"), b"", "a part of a BOM is ill-formed and none");
    assert_eq!(place.feed(&["convert", "--bom", "add", "-t", "latin1"], without).status, 2);
    let ran = place.feed(&["convert", "--bom", "remove", "-t", "UTF-16"], without);
    assert!(ran.status == 2 && ran.err.contains("UTF-16LE"), "{}", ran.err);
}

#[test]
fn strict_stops_with_the_line_that_check_prints() {
    let place = Place::new();
    let input = b"\xEF\xBB\xBFgut\nna ja \xC0\xAF und \xFF";
    place.file("a", input);
    let line = place.run(&["check", "a"]).lines()[0].to_owned();
    for args in [&["convert", "-t", "UTF-16LE", "a"][..], &["convert", "--bom", "remove", "-t", "UTF-16LE", "a"]] {
        let ran = place.run(args);
        assert_eq!((ran.status, ran.err.trim_end()), (1, line.as_str()));
        assert!(ran.out.ends_with(b"j\0a\0 \0"), "the good part is there");
    }
    let pipe = |args: &[&str], input: &[u8]| {
        let one = place.pipe(args, input.chunks(1));
        assert_eq!(one, place.feed(args, input));
        one.err
    };
    // The sequence is reported whole, even if its bytes arrive one at a time.
    let err = pipe(&["convert", "-t", "UTF-32"], b"x\n\xFC\x84\x80\x80\x80\x80!");
    assert!(err.starts_with("-:2:1: byte 2: FC 84 80 80 80 80: too-large: "), "{err}");
    let err = pipe(&["convert", "-f", "UTF-16BE"], b"\0a\0\n\0b\xD8\x00\0c");
    assert!(err.starts_with("-:2:2: byte 6: D8 00: unpaired-surrogate: high surrogate U+D800"), "{err}");
    let err = pipe(&["convert", "-t", "latin1"], "gut\n5 €\n".as_bytes());
    assert_eq!(err, "-:2:3: byte 6: E2 82 AC: unrepresentable: U+20AC \"€\" is not in ISO-8859-1\n");
    let err = pipe(&["convert", "-f", "UTF-8"], b"ab\xE2\x82");
    assert!(err.starts_with("-:1:3: byte 2: E2 82: truncated: "), "{err}");
}

#[test]
fn strict_stops_far_into_a_stream() {
    let place = Place::new();
    let mut input = "Zeile äöü\n".repeat(50_000).into_bytes();
    let offset = input.len() + 3;
    input.extend_from_slice(b"abc\xED\xA0\x80");
    let want = format!("-:50001:4: byte {offset}: ED A0 80: surrogate: ");
    for chunk in [input.len(), 4091] {
        let ran = place.pipe(&["convert", "-t", "UTF-16"], input.chunks(chunk));
        assert!(ran.status == 1 && ran.err.starts_with(&want), "{}", ran.err);
    }
}

#[test]
fn policies_that_were_asked_for_end_well_and_are_counted() {
    let place = Place::new();
    let input = b"a\xE2\x82b \xF8\x88\x80\x80\x80 \xE2\x82\xAC";
    let run = |args: &[&str]| {
        let ran = place.feed(&[&["convert"], args].concat(), input);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        (String::from_utf8(ran.out).unwrap(), ran.err)
    };
    let (text, err) = run(&["--errors", "replace"]);
    assert_eq!(text, String::from_utf8_lossy(input));
    assert_eq!(err, "utfkit: replaced: 2 ill-formed sequences\n");
    assert_eq!(run(&["--errors", "replace", "--practice", "per-sequence"]).0, "a\u{FFFD}b \u{FFFD} €");
    for name in ["per-unit", "per-byte"] {
        assert_eq!(run(&["--errors", "replace", "--practice", name]).0.matches('\u{FFFD}').count(), 7);
    }
    assert_eq!(run(&["-t", "UTF-8//REPLACE"]).0, text);
    for skip in [&["--errors", "skip"][..], &["-c"], &["-t", "utf8//IGNORE"], &["-f", "utf8//ignore"]] {
        assert_eq!(run(skip), ("ab  €".to_owned(), "utfkit: left out: 2 ill-formed sequences\n".to_owned()));
    }
    assert_eq!(run(&["-c", "-s"]), ("ab  €".to_owned(), String::new()));
    let (text, err) = run(&["--errors", "escape", "-t", "US-ASCII"]);
    assert_eq!(text, r"a\xE2\x82b \xF8\x88\x80\x80\x80 \u{20AC}");
    assert_eq!(err, "utfkit: escaped: 2 ill-formed sequences, 1 character that US-ASCII lacks\n");
    let ran = place.feed(&["convert", "--errors", "replace"], "gut".as_bytes());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "nothing happened, nothing to say");
}

#[test]
fn the_command_line_knows_iconv() {
    let place = Place::new();
    let latin = |args: &[&str]| place.feed(&[&["convert"], args].concat(), b"\xE9").out().to_owned();
    assert_eq!(latin(&["--from-code=LATIN1", "--to-code=utf_8"]), "é");
    assert_eq!(latin(&["-f", "iso8859-1", "-t", "UTF8"]), "é");
    assert_eq!(place.run(&["convert", "-l"]), place.run(&["list"]));
    for (args, hint) in [
        (&["-t", "ASCII//TRANSLIT"][..], "//REPLACE"),
        (&["-f", "klingon"], "utfkit list"),
        (&["--practice", "per-byte"], "--errors replace"),
        (&["-c", "--errors", "strict"], "cannot be used with"),
        (&["-o", "x", "--in-place"], "cannot be used with"),
    ] {
        let ran = place.feed(&[&["convert"], args].concat(), b"");
        assert!(ran.status == 2 && ran.err.contains(hint), "{args:?}: {}", ran.err);
    }
}

#[test]
fn an_empty_name_is_the_locales_encoding() {
    let place = Place::new();
    place.file("latin1", b"\xE9");
    let run = |locale: &str| {
        let ran: crate::common::Ran =
            place.command(&["convert", "-f", "", "latin1"]).env("LC_ALL", locale).output().unwrap().into();
        (ran.status, ran.out, ran.err)
    };
    assert_eq!(run("de_DE.ISO-8859-1"), (0, "é".into(), String::new()));
    assert!(run("C.UTF-8").2.contains("missing-continuation") || run("C.UTF-8").2.contains("truncated"));
    assert!(run("C").2.contains("US-ASCII, which ends at 7F"));
    for (locale, advice) in [
        ("de_DE", "means the locale's encoding, but the locale has none: name one"),
        ("xx.klingon", "means the locale's encoding, but klingon is not supported: name one"),
    ] {
        let (status, _, err) = run(locale);
        assert!(status == 2 && err.contains(advice), "{err}");
    }
}

#[test]
fn a_folder_becomes_one_output_and_in_place_each_file_its_own() {
    let place = Place::new();
    for (name, content) in [("b", &b"\xE9"[..]), ("a/c", b"\xE8"), ("d", b"\0\xE9"), (".hidden", b"\xEA")] {
        place.file(format!("tree/{name}"), content);
    }
    let skipped = "utfkit: skipped 1 binary file (with NUL bytes); -v names it; to convert it anyway, name it\n";
    // In place, a named one is refused too.
    let named = "utfkit: skipped 1 binary file (with NUL bytes)\n";
    let ran = place.portable(&["convert", "-f", "latin1", "tree"]);
    assert_eq!((ran.status, ran.out(), ran.said()), (0, "èé", skipped));
    let ran = place.portable(&["convert", "-f", "latin1", "--in-place", "-v", "tree"]);
    assert_eq!(
        (ran.status, ran.said()),
        (0, format!("utfkit: tree/d: binary, skipped (NUL at byte 0)\n{named}").as_str())
    );
    for (name, content) in [("b", "é".as_bytes()), ("a/c", "è".as_bytes()), ("d", b"\0\xE9"), (".hidden", b"\xEA")] {
        assert_eq!(place.read(&format!("tree/{name}")), content, "{name}");
    }
    // Named files are not skipped.
    let ran = place.portable(&["convert", "-f", "latin1", "--in-place", "tree/d", "tree/.hidden"]);
    assert!(
        ran.status == 1 && ran.err.contains("tree/d: left as it was: binary: NUL at byte 0; -a treats it as text\n"),
        "{}",
        ran.err
    );
    place.portable(&["convert", "-f", "latin1", "--in-place", "-a", "tree/d"]).is_silent_success();
    assert_eq!((place.read("tree/d"), place.read("tree/.hidden")), ("\0é".into(), "ê".into()));
}

#[test]
fn an_output_file_is_written_whole_or_not_at_all() {
    let place = Place::new();
    place.file("good", "é");
    place.file("bad", b"gut \xFF");
    place.file("out", "old");
    let ran = place.run(&["convert", "-t", "latin1", "-o", "out", "bad"]);
    assert_eq!((ran.status, ran.out()), (1, ""));
    assert_eq!(place.read("out"), b"old");
    assert_eq!(place.run(&["convert", "-t", "latin1", "-o", "out", "good", "missing"]).status, 2);
    assert_eq!(place.read("out"), b"old");
    assert_eq!(place.names(), ["bad", "good", "out"], "nothing is left behind");

    place.run(&["convert", "-t", "latin1", "-o", "out", "good"]).is_silent_success();
    assert_eq!(place.read("out"), b"\xE9");
    place.run(&["convert", "-o", "new", "good"]).is_silent_success();
    assert_eq!(place.read("new"), "é".as_bytes());
    // Input and output are the same file.
    place.run(&["convert", "-t", "UTF-16LE", "-o", "good", "good"]).is_silent_success();
    assert_eq!(place.read("good"), b"\xE9\0");
    assert_eq!(place.names(), ["bad", "good", "new", "out"]);
    let ran = place.run(&["convert", "-o", "nowhere/out", "good"]);
    assert!(ran.status == 2 && ran.err.starts_with("utfkit: nowhere/out: "), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn mode_links_and_devices() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    place.file("in", "é");
    let real = place.file("folder/real", "old");
    fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
    symlink("folder/real", place.path().join("link")).unwrap();
    symlink("folder/later", place.path().join("dangling")).unwrap();
    place.run(&["convert", "-t", "latin1", "-o", "link", "in"]).is_silent_success();
    assert!(fs::symlink_metadata(place.path().join("link")).unwrap().is_symlink());
    assert_eq!(place.read("folder/real"), b"\xE9");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    place.run(&["convert", "-o", "dangling", "in"]).is_silent_success();
    assert_eq!(place.read("folder/later"), "é".as_bytes());
    place.run(&["convert", "-o", "/dev/null", "in"]).is_silent_success();

    fs::hard_link(place.path().join("in"), place.path().join("twin")).unwrap();
    let ran = place.run(&["convert", "-t", "latin1", "-o", "in", "in"]);
    assert!(ran.status == 0 && ran.err.contains("hard link"), "{}", ran.err);
    assert_eq!((place.read("in"), place.read("twin")), (b"\xE9".to_vec(), "é".into()));
}

#[test]
fn in_place_writes_each_file_over_itself() {
    let place = Place::new();
    place.file("a", b"\xE9");
    place.file("b", b"\xE8");
    place.run(&["convert", "-f", "latin1", "--in-place=.bak", "a", "b"]).is_silent_success();
    assert_eq!((place.read("a"), place.read("a.bak")), ("é".into(), b"\xE9".to_vec()));
    assert_eq!(place.read("b"), "è".as_bytes());
    place.file("bad", b"\xFF");
    let ran = place.run(&["convert", "-t", "UTF-16BE", "--in-place", "a", "bad", "b"]);
    assert_eq!(ran.status, 1);
    assert_eq!(
        (place.read("a"), place.read("bad"), place.read("b")),
        (b"\0\xE9".to_vec(), b"\xFF".to_vec(), b"\0\xE8".to_vec())
    );
    assert_eq!(place.names(), ["a", "a.bak", "b", "b.bak", "bad"]);
    assert_eq!(place.feed(&["convert", "--in-place"], b"x").status, 2);
}

#[test]
fn a_missing_input_does_not_stop_the_others() {
    let place = Place::new();
    place.file("a", "a");
    let ran = place.run(&["convert", "missing", "a"]);
    assert_eq!((ran.status, ran.out()), (2, "a"));
    assert!(ran.err.starts_with("utfkit: missing: "), "{}", ran.err);
}

#[test]
fn nothing_becomes_nothing() {
    let place = Place::new();
    for to in ["UTF-8", "UTF-16", "UTF-32BE", "latin1"] {
        place.feed(&["convert", "-t", to], b"").is_silent_success();
    }
}

/// The output of a silent, successful conversion, which must not depend on how
/// the input is cut.
fn converted(place: &Place, args: &[&str], input: &[u8]) -> Vec<u8> {
    let args = [&["convert"], args].concat();
    let whole = place.feed(&args, input);
    assert_eq!((whole.status, whole.err.as_str()), (0, ""), "{args:?}");
    for size in [1, 3, 61] {
        if input.len() / size < 2000 {
            assert_eq!(place.pipe(&args, input.chunks(size)), whole, "{args:?} cut every {size}");
        }
    }
    whole.out
}

#[test]
fn encodings_with_states_and_tables_both_ways() {
    let place = Place::new();
    for (encoding, text, bytes) in [
        ("UTF-7", "Hi \u{263A}.\nA\u{2262}\u{391}. \u{1F389} 1+1", &b"Hi +Jjo.\nA+ImIDkQ. +2DzfiQ 1+-1"[..]),
        ("UTF-7-IMAP", "~peter/日本語&", b"~peter/&ZeVnLIqe-&-"),
        ("CESU-8", "a🎉", b"a\xED\xA0\xBC\xED\xBE\x89"),
        ("Modified-UTF-8", "\0🎉", b"\xC0\x80\xED\xA0\xBC\xED\xBE\x89"),
        ("UCS-2", "a€", b"\0a\x20\xAC"),
        ("UCS-4LE", "a🎉", b"a\0\0\0\x89\xF3\x01\0"),
        ("Shift_JIS", "日本語\n", b"\x93\xFA\x96\x7B\x8C\xEA\n"),
        ("EUC-KR", "한", b"\xC7\xD1"),
        ("ISO-2022-JP", "日本\n", b"\x1B$BF|K\\\x1B(B\n"),
        ("KOI8-R", "мир", b"\xCD\xC9\xD2"),
        ("windows-1252", "“é”", b"\x93\xE9\x94"),
        ("ISO-8859-1", "\u{93}é", b"\x93\xE9"),
        ("web:ISO-8859-1", "“é", b"\x93\xE9"),
        ("ISO-2022-UTF-8", "é", b"\xE9"),
    ] {
        let written = converted(&place, &["-t", encoding], text.as_bytes());
        assert_eq!(written, bytes, "{encoding}");
        assert_eq!(converted(&place, &["-f", encoding], &written), text.as_bytes(), "{encoding}");
    }
    // The UTF-7 of other encoders is read as well (RFC 2152).
    assert_eq!(converted(&place, &["-f", "UTF-7"], b"Hi Mom -+Jjo--!"), "Hi Mom -\u{263A}-!".as_bytes());
    assert_eq!(converted(&place, &["-f", "UTF-7"], b"A+ImIDkQ."), "A\u{2262}\u{391}.".as_bytes());
}

#[test]
fn utf_8_by_escape_sequences() {
    let place = Place::new();
    let mixed = b"h\xE9 \x1B%G\xE2\x82\xAC\x1B%@ \xE9\n";
    assert_eq!(converted(&place, &["-f", "ISO-2022-UTF-8"], mixed), "hé € é\n".as_bytes());
    let written = converted(&place, &["-t", "ISO-2022-UTF-8"], "hé € é\n".as_bytes());
    assert!(written.starts_with(b"h\xE9 \x1B%G\xE2\x82\xAC") && written.ends_with(b"\x1B%@"), "{written:02X?}");
    assert_eq!(converted(&place, &["-f", "ISO-2022-UTF-8"], &written), "hé € é\n".as_bytes());
    let koi8 = b"\xCD\xC9\xD2 \x1B%G\xE2\x82\xAC\x1B%@";
    assert_eq!(converted(&place, &["-f", "ISO-2022-UTF-8+KOI8-R"], koi8), "мир €".as_bytes());
}

#[test]
fn shift_jis_from_a_pipe_that_is_cut_inside_of_characters() {
    let place = Place::new();
    let text = "日本語、ｱｲｳ abc ソ表\n".repeat(5000);
    let (sjis, ..) = encoding_rs::SHIFT_JIS.encode(&text);
    for size in [7, 4093, 65_537] {
        let ran = place.pipe(&["convert", "-f", "Shift_JIS"], sjis.chunks(size));
        assert!(ran.status == 0 && ran.err.is_empty() && ran.out == text.as_bytes(), "cut every {size}");
        let ran = place.pipe(&["convert", "-t", "sjis"], text.as_bytes().chunks(size));
        assert!(ran.status == 0 && ran.err.is_empty() && ran.out == *sjis, "cut every {size}");
    }
}

#[test]
fn strict_names_offset_and_kind_in_every_encoding() {
    let place = Place::new();
    for (from, to, input, out, start) in [
        ("UTF-7", "UTF-8", &b"ok\nab+AGF-b"[..], &b"ok\naba"[..], "-:2:4: byte 8: 46: padding-bits: "),
        ("UTF-7", "UTF-8", b"ok\nab+2AA-b", b"ok\nab", "-:2:3: byte 6: 32 41 41: unpaired-surrogate: "),
        ("UTF-7", "UTF-8", b"ab\x80", b"ab", "-:1:3: byte 2: 80: invalid-byte: "),
        (
            "UTF-8",
            "UCS-2",
            "a\nb🎉".as_bytes(),
            b"\0a\0\n\0b",
            "-:2:2: byte 3: F0 9F 8E 89: unrepresentable: U+1F389 \"🎉\" is not in ",
        ),
        ("CESU-8", "UTF-8", "é🎉".as_bytes(), "é".as_bytes(), "-:1:2: byte 2: F0 9F 8E 89: invalid-byte: "),
        ("Shift_JIS", "UTF-8", b"a\n\x93\xFA\x82 ", "a\n日".as_bytes(), "-:2:2: byte 4: 82: invalid-sequence: "),
        ("ISO-2022-UTF-8", "UTF-8", b"\xE9\x1B%G\xFF", "é".as_bytes(), "-:1:2: byte 4: FF: invalid-byte: "),
        ("UTF-8", "KOI8-R", "ж€".as_bytes(), b"\xD6", "-:1:2: byte 2: E2 82 AC: unrepresentable: "),
        ("UTF-8", "web:latin1", "“ж".as_bytes(), b"\x93", "-:1:2: byte 3: D0 B6: unrepresentable: "),
        ("UTF-8-RFC2044", "UTF-8", b"\xC0\xAF\xED\xA0\x80", b"/", "-:1:2: byte 2: ED A0 80: unrepresentable: "),
    ] {
        let ran = place.feed(&["convert", "-f", from, "-t", to], input);
        assert!(ran.status == 1 && ran.err.starts_with(start), "{from} to {to}: {}", ran.err);
        assert_eq!(ran.out, out, "{from} to {to}: the good part");
        let same = place.pipe(&["convert", "-f", from, "-t", to], input.chunks(1));
        assert_eq!((same.status, same.out, same.err), (1, ran.out, ran.err), "{from} to {to} in pieces");
    }
}

#[test]
fn what_a_charset_lacks_is_escaped_or_replaced() {
    let place = Place::new();
    let input = "ж\u{20AC} \u{1F389}".bytes().chain([0xFF]).collect::<Vec<_>>();
    for (args, want) in [
        (&["escape"][..], &b"\xD6\\u{20AC} \\u{1F389}\\xFF"[..]),
        (&["escape", "--escape-form", "braces"], b"\xD6\\u{20AC} \\u{1F389}\\xFF"),
        (&["escape", "--escape-form", "xml"], b"\xD6&#x20AC; &#x1F389;\\xFF"),
        (&["escape", "--escape-form", "xml-decimal"], b"\xD6&#8364; &#127881;\\xFF"),
        (&["escape", "--escape-form", "hex"], b"\xD6\\x{20AC} \\x{1F389}\\xFF"),
        (&["replace"], b"\xD6? ??"),
        (&["skip"], b"\xD6 "),
    ] {
        let ran = place.feed(&[&["convert", "-t", "KOI8-R", "--errors"], args].concat(), &input);
        assert_eq!((ran.status, ran.out.as_slice()), (0, want), "{args:?}");
        assert!(ran.err.ends_with("1 ill-formed sequence, 2 characters that KOI8-R lacks\n"), "{}", ran.err);
    }
    // Escapes are encoded like other text, also in UTF-7 and UTF-16.
    let ran = place.feed(&["convert", "-t", "UTF-16BE", "--errors", "escape"], b"\xFF");
    assert_eq!(ran.out, b"\0\\\0x\0F\0F");
    let ran = place.feed(&["convert", "-t", "KOI8-R", "--escape-form", "xml"], b"");
    assert!(ran.status == 2 && ran.err.contains("--errors escape"), "{}", ran.err);
}

#[test]
fn a_name_can_ask_for_a_bom() {
    let place = Place::new();
    place.file("plain", "ä\n");
    place.file("with", "\u{FEFF}ä\n");
    for (args, file, expected) in [
        (["-f", "utf-8", "-t", "utf-8-sig"], "plain", "\u{FEFF}ä\n"),
        (["-f", "utf-8", "-t", "UTF_8_SIG"], "with", "\u{FEFF}ä\n"),
        (["-f", "utf-8-sig", "-t", "utf-8"], "with", "ä\n"),
        (["-f", "utf-8-sig", "-t", "utf-8"], "plain", "ä\n"),
        (["-f", "utf-8-sig", "-t", "utf-8-bom"], "with", "\u{FEFF}ä\n"),
    ] {
        let run = place.run(&[&["convert"][..], &args, &[file]].concat());
        assert_eq!((run.status, run.out()), (0, expected), "{args:?} {file}");
    }
    let kept = place.run(&["convert", "-f", "utf-8-sig", "-t", "utf-16le", "--bom", "keep", "with"]);
    assert_eq!(kept.out, b"\xE4\0\n\0");
}

#[test]
fn code_pages_are_read_and_written() {
    let place = Place::new();
    place.file("dos", b"Gr\x81\xE1e\n");
    assert_eq!(place.run(&["convert", "-f", "850", "dos"]).out(), "Grüße\n");
    place.file("host", b"\xC8\x85\x93\x93\x96\x25");
    assert_eq!(place.run(&["convert", "-f", "cp037", "host"]).out(), "Hello\n");
    place.file("text", "a – b\n");
    let lacking = place.run(&["convert", "-t", "IBM850", "text"]);
    assert!(lacking.status == 1 && lacking.err.contains("U+2013"), "{}", lacking.err);
    assert_eq!(place.run(&["convert", "-t", "IBM850", "--errors", "replace", "text"]).out(), "a ? b\n");
    place.file("turkish", b"\x93\xFE");
    assert_eq!(place.run(&["convert", "-f", "iso-8859-9", "turkish"]).out(), "\u{93}ş");
    assert_eq!(place.run(&["convert", "-f", "web:iso-8859-9", "turkish"]).out(), "“ş");
    let notes = place.run(&["list", "--notes"]);
    assert!(notes.lines().iter().any(|line| line.starts_with("Shift_JIS: ") && line.contains("U+FF5E")));
    let json = place.run(&["list", "--jsonl"]);
    assert!(json.lines().iter().any(|line| line.contains("\"Johab\"") && line.contains("\"note\":\"code page 1361")));
}
