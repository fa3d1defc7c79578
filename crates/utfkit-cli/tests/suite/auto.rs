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
