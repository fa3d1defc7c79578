//! `utfkit report`.

use crate::common::Place;

/// A tree in several encodings, with damage and hostile names.
fn tree() -> Place {
    let place = Place::new();
    place.file("t/ascii.c", "int main;\r\n");
    place.file("t/empty", "");
    place.file("t/greek", "Ελλάδα\n");
    place.file("t/mixed", "日本\r\nжук\n");
    place.file("t/signed", "\u{FEFF}é\n");
    place.file("t/u16", utf16("\u{FEFF}Grüße\n"));
    place.file("t/u16-bad", [utf16("\u{FEFF}abcdef\n"), b"\x00\xD8x\0".to_vec()].concat());
    place.file("t/latin", b"caf\xE9 d\xE9j\xE0 vu and more");
    place.file("t/overlong", b"GET /..\xC0\xAF<b>&\n");
    place.file("t/prog", b"\x7FELF\0\0\0\x01\xFF");
    place
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The count in the chart row with this label.
#[track_caller]
fn count(page: &str, label: &str) -> String {
    let row = page.split("<tr><th scope=\"row\">").find(|row| {
        row.strip_prefix(label).is_some_and(|rest| rest.starts_with("<small>") || rest.starts_with("<div"))
    });
    let row = row.unwrap_or_else(|| panic!("no row {label}"));
    row.split("<td>").nth(1).unwrap().split('<').next().unwrap().to_owned()
}

#[test]
fn a_page_counts_encodings_kinds_scripts_and_line_ends() {
    let place = tree();
    let ran = place.portable(&["report", "t"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.err.contains("skipped 1 binary file (with NUL bytes); -v names it; to read it anyway, name it\n"),
        "{}",
        ran.err
    );
    let page = ran.out();
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">") && page.ends_with("</html>\n"));
    assert!(page.contains("3 of 9 files are ill-formed."), "{page}");
    for (label, expected) in [
        ("US-ASCII", "1"),
        ("UTF-8", "2"),
        ("UTF-8 with BOM", "1"),
        ("UTF-16LE", "1"),
        ("UTF-16LE, damaged", "1"),
        ("windows-1252", "1"),
        ("not UTF-8; perhaps EUC-KR", "1"),
        ("empty", "1"),
        ("overlong", "1"),
        ("missing-continuation", "3"),
        ("unpaired-surrogate", "1"),
        ("Greek", "6"),
        ("Cyrillic", "3"),
        ("Han", "2"),
        ("LF", "5"),
        ("CRLF", "1"),
        ("mixed", "1"),
    ] {
        assert_eq!(count(page, label), expected, "{label}");
    }
    assert!(page.contains("In windows-1252: é (2), à (1). Try: <code>utfkit repair --fallback windows-1252 t/latin"));
}

#[test]
fn a_finding_has_its_place_bytes_code_point_message_and_line() {
    let place = tree();
    let ran = place.run(&["report", "t/overlong", "t/u16-bad"]);
    let page = ran.out();
    assert!(
        page.contains(
            "<tr><td>1:8</td><td>7</td><td><code>C0 AF</code></td><td>U+002F</td><td><b>overlong</b>: two-byte form \
             of U+002F &quot;/&quot;, which must be 2F (RFC 3629 section 3)</td></tr>"
        ),
        "{page}"
    );
    assert!(page.contains("<span>1</span> GET /..<mark>C0 AF</mark>&lt;b&gt;&amp;\n"), "{page}");
    assert!(page.contains("<td>2:1</td><td>16</td><td><code>00 D8</code></td><td>U+D800</td>"), "{page}");
    assert!(page.contains("<span>2</span> <mark>00 D8</mark>x\n"), "{page}");
}

/// Windows has no such names.
#[cfg(unix)]
#[test]
fn nothing_hostile_reaches_the_page() {
    let place = Place::new();
    place.file("t/<script>alert(1)&", b"<img src=x onerror=alert(1)>\x1B[2J\xE2\x80\xAE\xFF\x07\n");
    place.file("t/a\x1B\n\u{202E}\"'", "gut");
    let ran = place.run(&["report", "--title", "<i>\u{202E}\x07", "t", "<missing>"]);
    let page = ran.out();
    assert_eq!(ran.status, 2);
    for raw in ["<script", "<img", "<i>\\", "<missing", "\x1B", "\x07", "\u{202E}"] {
        assert!(!page.contains(raw), "{raw:?}");
    }
    assert!(page.contains("t/&lt;script&gt;alert(1)&amp;"), "{page}");
    assert!(page.contains("<title>&lt;i&gt;\\u{202e}\\u{7}</title>"), "{page}");
    assert!(page.contains(r"t/a\u{1b}\n\u{202e}&quot;&#39;"), "{page}");
    assert!(page.contains(r"&lt;img src=x onerror=alert(1)&gt;\u{1b}[2J\u{202e}<mark>FF</mark>\u{7}"), "{page}");
    assert!(page.contains("<li><bdi>&lt;missing&gt;: "), "{page}");
}

/// Asserts that elements are balanced and load nothing.
#[test]
fn the_page_is_whole_and_stands_alone() {
    let place = tree();
    let page = place.run(&["report", "t", "missing"]).out().to_owned();
    for word in ["http:", "https:", "src=", "url(", "@import", "<script", "<link", "javascript"] {
        assert!(!page.contains(word), "{word}");
    }
    let mut open: Vec<&str> = Vec::new();
    let body = page.split_once("</style>").unwrap();
    let markup = [body.0.split_once("<style>").unwrap().0, body.1].map(|part| part.split('<').skip(1));
    for tag in markup.into_iter().flatten() {
        let tag = tag.split('>').next().unwrap();
        let name = tag.split(' ').next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if name == "!DOCTYPE" || name == "meta" => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for id in page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
        assert!(page.contains(&format!("aria-labelledby=\"{id}\"")), "{id}");
    }
}

#[test]
fn the_status_is_that_of_check() {
    let place = tree();
    let ran = place.run(&["report", "t/greek", "-o", "good.html"]);
    ran.is_silent_success();
    assert!(String::from_utf8(place.read("good.html")).unwrap().contains("The file is well-formed."));
    assert_eq!(place.run(&["report", "t/latin", "-o", "bad.html"]).status, 1);
    let ran = place.run(&["report", "t/latin", "missing", "-o", "bad.html"]);
    assert_eq!((ran.status, ran.out()), (2, ""));
    assert!(ran.err.starts_with("utfkit: missing: "), "{}", ran.err);
    assert!(String::from_utf8(place.read("bad.html")).unwrap().contains("1 file could not be read."));
    let ran = place.feed(&["report", "-o", "-"], b"\xFF");
    assert!(ran.status == 1 && ran.out().contains("<bdi>-</bdi>"), "{}", ran.out());
}

#[test]
fn a_page_that_cannot_be_written_is_said_before_anything_is_read() {
    let place = tree();
    let ran = place.run(&["report", "t", "-o", "no/such/folder.html"]);
    assert_eq!((ran.status, ran.out()), (2, ""));
    assert!(ran.err.starts_with("utfkit: no/such/folder.html: ") && !ran.err.contains("skipped"), "{}", ran.err);
    assert_eq!(place.names(), ["t"]);
    assert_eq!(place.run(&["report", "--max-errors", "0", "t"]).status, 2);
    assert_eq!(place.run(&["report", "--max-errors", "101", "t"]).status, 2);
}

#[test]
fn what_is_listed_is_bounded_and_the_rest_counted() {
    let place = Place::new();
    for i in 0..103 {
        place.file(format!("t/{i:03}"), b"\xFF\n".repeat(if i == 50 { 30 } else { 1 }));
    }
    let ran = place.portable(&["report", "t"]);
    let page = ran.out();
    assert_eq!(page.matches("<details class=\"file\"").count(), 100);
    assert!(
        page.find("<bdi>t/050</bdi>").unwrap() < page.find("<bdi>t/000</bdi>").unwrap(),
        "the worst one comes first"
    );
    assert!(page.contains("More ill-formed files") && page.contains("<summary>3 files</summary>"));
    assert!(page.contains("10 findings not listed."), "{page}");
    assert!(page.contains("<th scope=\"row\"><bdi>t/102</bdi></th>"));
    assert_eq!(place.portable(&["report", "-j", "1", "t"]), ran);
    assert_eq!(place.portable(&["report", "-j", "7", "t"]), ran);
}

#[test]
fn a_pipe_is_the_same_however_it_is_cut() {
    let place = Place::new();
    for text in [
        [utf16("\u{FEFF}Grüße\r\nжук\n").repeat(40), b"\x00\xDC".to_vec()].concat(),
        "日本語 text\r\n".repeat(300).into_bytes().into_iter().chain(*b"\xED\xA0\x80 \xE2\x82").collect(),
    ] {
        let whole = place.feed(&["report"], &text);
        assert_eq!(whole.status, 1);
        for size in [1, 7, 1023] {
            assert_eq!(place.pipe(&["report"], text.chunks(size)), whole, "{size}");
        }
    }
}

#[test]
fn declared_encodings_are_those_that_a_page_is_about() {
    let place = Place::new();
    place.file(
        ".editorconfig",
        "root = true\n[*.l1]\ncharset = latin1\n[*.u16]\ncharset = utf-16le\n[*.bom]\ncharset = utf-8-bom\n",
    );
    for (name, text) in [
        ("a.l1", b"gr\xFC\xDFe\n".to_vec()),
        ("b.l1", "Übergröße, früh am Abend\n".into()),
        ("c.u16", utf16("\u{FEFF}Grüße\n")),
        ("d.u16", utf16("Grüße\n")),
        ("e.u16", "Übergröße, früh am Abend\n\n".into()),
        ("f.bom", "\u{FEFF}é\n".into()),
        ("g.bom", "é\n".into()),
        ("h.txt", b"gr\xFC\xDFe\n".to_vec()),
    ] {
        place.file(name, text);
        let checked = place.run(&["check", name]);
        let ran = place.run(&["report", name]);
        assert_eq!(ran.status, checked.status, "{name}: {}", ran.out());
        for kind in ["wrong-encoding", "missing-bom", "missing-continuation"] {
            let is_in = ran.out().contains(&format!("<b>{kind}</b>"));
            assert_eq!(is_in, checked.out().contains(&format!(": {kind}: ")), "{name} {kind}");
        }
    }
    assert_eq!(count(place.run(&["report", "."]).out(), "ISO-8859-1"), "1");
    assert!(place.run(&["report", "b.l1"]).out().contains("<code>utfkit fix b.l1</code>"));
}
