//! Bugs that were fixed, a test for each.

#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::process::{Command, Stdio};

#[cfg(unix)]
use crate::common::Ran;
use crate::common::{Place, missing};

/// Runs a shell command in which `$UTFKIT` is the command.
#[cfg(unix)]
fn shell(place: &Place, line: &str) -> Ran {
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(place.path())
        .env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    output.into()
}

#[test]
#[cfg(unix)]
fn a_name_of_300_mb_in_a_list_took_1_76_gb() {
    let place = Place::new();
    place.file("bad", b"\xFF");
    // 200 MiB of address space: less than the name needs.
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"ulimit -v 204800; exec "$UTFKIT" check -j 1 -l --files0-from -"#])
        .current_dir(place.path())
        .env("UTFKIT", env!("CARGO_BIN_EXE_utfkit"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    let piece = vec![b'n'; 1 << 20];
    for _ in 0..300 {
        list.write_all(&piece).unwrap();
    }
    list.write_all(b"\0bad\0").unwrap();
    drop(list);
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.status, ran.out()), (2, "bad\n"), "{}", ran.err);
    assert_eq!(ran.err, "utfkit: -: holds a name of more than 131072 bytes\n");
}

#[test]
fn the_longest_name_in_a_list_is_a_name() {
    // The longest path of Windows has 32,767 units, and it has several messages for longer names.
    let (longest, too_long) = if cfg!(windows) { (32_000, "nnnn: ") } else { (131_072, "File name too long") };
    let place = Place::new();
    for (len, message) in [(longest, too_long), (131_073, "holds a name of more than")] {
        for end in ["", "\0"] {
            let list = "n".repeat(len) + end;
            let ran = place.feed(&["check", "--files0-from", "-"], list.as_bytes());
            assert!(ran.status == 2 && ran.err.contains(message), "{len} {end:?}: {:.80}", ran.err);
        }
    }
}

#[test]
#[cfg(unix)]
fn help_that_could_not_be_printed_ended_with_0() {
    let place = Place::new();
    for what in ["--help", "-h", "check --help", "help", "--version", "list", "man", "completions bash"] {
        let ran = shell(&place, &format!("\"$UTFKIT\" {what} >/dev/full"));
        assert_eq!(ran.status, 2, "{what}: {}", ran.err);
        assert!(ran.err.contains("No space left on device"), "{what}: {}", ran.err);
        let closed = shell(&place, &format!("\"$UTFKIT\" {what} >&-"));
        assert_eq!(closed.status, 2, "{what}: {}", closed.err);
        assert!(closed.err.contains("standard output is closed"), "{what}: {}", closed.err);
        let gone = shell(&place, &format!("(\"$UTFKIT\" {what}; echo $? >&2) | true"));
        assert_eq!(gone.err, "0\n", "{what}");
    }
}

#[test]
#[cfg(unix)]
fn output_to_a_closed_standard_output_was_lost_with_status_0() {
    let place = Place::new();
    place.file("a", "text\n");
    place.file("bad", b"\xFF");
    for what in ["convert -c a", "convert a", "repair bad", "count a", "detect a", "inspect a", "check bad", "report a"]
    {
        let ran = shell(&place, &format!("\"$UTFKIT\" {what} >&-"));
        assert_eq!(ran.status, 2, "{what}: {}", ran.err);
        assert!(ran.err.contains("standard output is closed"), "{what}: {}", ran.err);
    }
    // No data is lost if the stream is closed or discarded.
    for what in ["check a >&-", "check -q a >&-", "convert -t UTF-16 --in-place a >&-", "convert bad -c >/dev/null"] {
        let ran = shell(&place, &format!("\"$UTFKIT\" {what}"));
        assert_eq!(ran.status, 0, "{what}: {}", ran.err);
    }
}

#[test]
fn a_silent_conversion_reported_what_stopped_it() {
    let place = Place::new();
    place.file("bad", b"ok\xFF");
    for args in [
        &["convert", "-s", "bad"][..],
        &["convert", "-q", "bad"],
        &["convert", "-s", "-o", "out", "bad"],
        &["convert", "--silent", "--in-place", "bad"],
    ] {
        let ran = place.run(args);
        assert_eq!((ran.status, ran.err.as_str()), (1, ""), "{args:?}");
    }
    assert_eq!(place.names(), ["bad"]);
    // Messages that are not about text are printed anyway.
    let ran = place.run(&["convert", "-s", "nowhere"]);
    assert!(ran.status == 2 && ran.err.contains(&missing()), "{}", ran.err);
}

/// The start of a gettext catalogue: a magic number and tables of lengths and
/// offsets. Most of these values are valid code points.
fn catalogue() -> Vec<u8> {
    let (count, mut offset) = (150, 28 + 16 * 150_u32);
    let mut units = vec![0x9504_12DE, 0, count, 28, 28 + 8 * count, 0, 28 + 16 * count];
    for i in 0..2 * count {
        let len = 32 + (i * 37) % 90;
        units.extend([len, offset]);
        offset += len + 1;
    }
    let text = "Die Datei konnte nicht ge\u{F6}ffnet werden\0".repeat(300).replace('\u{F6}', "\u{FFFD}");
    let text: Vec<u8> = text.bytes().map(|byte| if byte >= 0x80 { 0xF6 } else { byte }).collect();
    units.into_iter().flat_map(u32::to_le_bytes).chain(text).collect()
}

#[test]
fn catalogues_of_gettext_were_damaged_utf_32_nearly_certain() {
    let place = Place::new();
    let catalogue = catalogue();
    place.file("de.mo", &catalogue);
    place.file("front.mo", &catalogue[..1024]);
    for name in ["de.mo", "front.mo"] {
        assert!(place.run(&["detect", name]).out().contains(": binary ("), "{}", place.run(&["detect", name]).out());
    }
    let ran = place.run(&["check", "."]);
    assert_eq!((ran.status, ran.out()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("skipped 2 binary files"), "{}", ran.err);
    // UTF-32 with an incomplete unit is still text.
    let text: Vec<u8> = "Gr\u{FC}\u{DF}e aus K\u{F6}ln".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    place.file("cut.txt", &text[..text.len() - 1]);
    assert!(place.run(&["detect", "cut.txt"]).out().starts_with("cut.txt: UTF-32LE ("));
}

#[test]
fn a_table_of_numbers_at_the_front_was_utf_16() {
    let place = Place::new();
    // The first 1,024 bytes are Latin letters; the rest is not text.
    let mut bytes: Vec<u8> = (0..512_u16).flat_map(|i| (0x61 + i % 26).to_be_bytes()).collect();
    bytes.extend((0..4096_u32).flat_map(|i| (i.wrapping_mul(0x9E37_79B9)).to_be_bytes()));
    place.file("table.bin", &bytes);
    let ran = place.run(&["check", "."]);
    assert_eq!((ran.status, ran.out()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("skipped 1 binary file"), "{}", ran.err);
}

#[test]
fn a_value_above_10ffff_had_no_name_in_json() {
    let place = Place::new();
    place.file("a", b"\xF4\x90\x80\x80");
    let ran = place.run(&["check", "--format", "jsonl", "a"]);
    assert!(ran.out().contains("\"code_point\":\"U+110000\""), "{}", ran.out());
    assert!(place.run(&["check", "a"]).out().contains("four-byte form of U+110000,"));
}

#[test]
#[cfg(unix)]
fn braces_in_an_editorconfig_took_a_minute_and_patterns_of_git_a_gigabyte() {
    let place = Place::new();
    place.file("a.txt", "a\n");
    place.file(".git/HEAD", "");
    let patterns: String = (0..100_000).map(|i| format!("a/*[a-z]?{i}*/**/b text\n")).collect();
    place.file(".gitattributes", patterns);
    place.file(".editorconfig", format!("[{}]\ncharset = latin1\n", "{".repeat(3_000_000)));
    // 600 MiB of address space, 30 seconds of CPU time.
    let ran = shell(&place, r#"ulimit -v 614400; ulimit -t 30; exec "$UTFKIT" check -j 1 a.txt"#);
    ran.is_silent_success();
}

/// The bytes of a text in an encoding of the library.
fn encoded(name: &str, text: &str) -> Vec<u8> {
    let (bytes, is_lossy) = utfkit::Encoding::for_label(name).unwrap().encode(text);
    assert!(!is_lossy, "{name}: {text}");
    bytes.into_owned()
}

/// The result of `fix --yes`, which `undo` takes back and a second run does not change.
fn fixed(place: &Place, name: &str, bytes: &[u8], trust: &str) -> String {
    place.file(name, bytes);
    let ran = place.run(&["fix", "--yes", "--trust", trust, name]);
    assert!(ran.err.contains("1 file changed"), "{}{}", ran.out(), ran.err);
    let text = place.read(name);
    let again = place.run(&["fix", "--yes", "--trust", trust, name]);
    assert!(again.err.contains("0 files to change"), "{}{}", again.out(), again.err);
    assert_eq!(place.read(name), text);
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(place.read(name), bytes);
    String::from_utf8(text).unwrap()
}

#[test]
fn a_mailbox_of_mails_in_several_encodings_was_refused() {
    let mails = [
        ("ISO-8859-1", "La forêt était calme, et le garçon dormait déjà.\n"),
        ("KOI8-R", "Посылка пришла вчера, спасибо большое.\n"),
        ("ISO-2022-JP", "来月の予定をお知らせください。\n"),
    ];
    let mail = |name: &str, text: &str| {
        let head =
            format!("From bob@example.org Fri Mar  2 11:00:00 2001\nContent-Type: text/plain; charset={name}\n\n");
        [head.as_bytes(), &encoded(name, text), b"\n"].concat()
    };
    let place = Place::new();
    let bytes: Vec<u8> = mails.iter().flat_map(|(name, text)| mail(name, text)).collect();
    let text: String = mails.iter().map(|(_, text)| String::from_utf8(mail("utf-8", text)).unwrap()).collect();
    assert_eq!(fixed(&place, "inbox", &bytes, "nearly-certain"), text);
}

#[test]
fn lines_in_iso_2022_jp_kept_their_escape_sequences_nearly_certain() {
    let lines = ["午後から雨が降るそうです。\n", "傘を忘れないでください。\n", "駅前の店で待っています。\n"];
    for name in ["EUC-JP", "Shift_JIS", "UTF-8"] {
        let place = Place::new();
        let bytes = [encoded(name, lines[0]), encoded("ISO-2022-JP", lines[1]), encoded(name, lines[2])].concat();
        assert_eq!(fixed(&place, "log.txt", &bytes, "nearly-certain"), lines.concat(), "{name}");
    }
}

#[test]
fn a_text_in_ebcdic_was_said_to_have_no_words_in_any_encoding() {
    let text = "Vi har modtaget Deres ordre af tredje maj, og varerne bliver sendt på mandag.\n\
                Hvis De ønsker en anden dag, så ring til os på det nummer, som står øverst på brevet.\n\
                Prisen er uændret i år, og De får en rabat på fem procent, når De køber ti kasser.\n";
    let place = Place::new();
    assert_eq!(fixed(&place, "brev", &encoded("IBM037", text), "likely"), text);
}
