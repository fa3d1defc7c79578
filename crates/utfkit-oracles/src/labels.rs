//! Labels, and their declarations in mail and HTTP headers, in documents and in
//! names of locales.
//!
//! Judges: `encoding_rs` for WHATWG labels, an independent comparison for other
//! labels, and the known content of generated headers and documents.

use std::borrow::Cow;
use std::ffi::OsStr;

use utfkit::Encoding;
use utfkit::label::{charset_of_content_type, charset_of_html, encoding_of_xml, web_label};
use utfkit::locale::{Codeset, codeset_of};

use crate::input::Input;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, which, ..] = input.choices;
    // A known label, a similar one, or the bytes of the input.
    let known = known(which);
    let text = String::from_utf8_lossy(input.body()).into_owned();
    match operation % 6 {
        0 => {
            is_read_right(&text);
            is_read_right(known);
            let slips = slipped(known, &mut input);
            is_read_right(&slips);
        }
        1 => content_type(&text, known),
        2 => html(input.body(), known),
        3 => xml(input.body(), known),
        4 => locale(input.body(), known),
        _ => {
            // A sequence of document fragments, which nest and break.
            let document = assembled(input.body());
            let found = charset_of_html(&document);
            assert!(found.is_none_or(|name| web_label(name).is_some() || name == "x-user-defined"), "{document:?}");
            let _ = encoding_of_xml(&document);
            let text = String::from_utf8_lossy(&document);
            if let Some(Cow::Borrowed(charset)) = charset_of_content_type(&text) {
                assert!(text.contains(charset));
            }
        }
    }
}

fn known(choice: u8) -> &'static str {
    let encoding = Encoding::ALL[usize::from(choice) % Encoding::ALL.len()];
    let labels = [encoding.name()].into_iter().chain(encoding.labels());
    let all: Vec<_> = labels.collect();
    all[usize::from(choice) / Encoding::ALL.len() % all.len()]
}

/// Changes the label by typing errors and insignificant characters.
fn slipped(label: &str, input: &mut Input<'_>) -> String {
    let mut bytes = label.as_bytes().to_vec();
    let random = &mut input.random;
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len() + 1);
        match random.below(4) {
            0 => bytes.insert(at, *random.pick(b"0-_ :.+")),
            1 => bytes.iter_mut().take(at).for_each(u8::make_ascii_uppercase),
            2 => bytes.insert(at, *random.pick(b"0189azLE")),
            _ => bytes.truncate(at),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The significant parts of a label (UTS #22, section 1.4), with numbers
/// compared as numbers.
fn folded(label: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = label;
    while let Some(first) = rest.chars().next() {
        let end = if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].trim_start_matches('0');
            parts.push(if number.is_empty() { "0" } else { number }.to_owned());
            end
        } else {
            if first.is_ascii_alphabetic() || !first.is_ascii() {
                parts.push(first.to_ascii_lowercase().to_string());
            }
            first.len_utf8()
        };
        rest = &rest[end..];
    }
    parts
}

fn is_read_right(label: &str) {
    let theirs = encoding_rs::Encoding::for_label(label.as_bytes());
    assert_eq!(web_label(label), theirs.map(encoding_rs::Encoding::name), "{label:?}");
    let expected = || {
        let label = folded(label).concat();
        Encoding::ALL.iter().copied().find(|encoding| {
            [encoding.name()].into_iter().chain(encoding.labels()).any(|known| folded(known).concat() == label)
        })
    };
    let switches = |(switching, _): &(&str, &str)| Encoding::for_label(switching) == Some(Encoding::Iso2022Utf8);
    match label.split_once('+').filter(switches) {
        None => assert_eq!(Encoding::for_label(label), expected(), "{label:?}"),
        Some((switching, outer)) => {
            let found = Encoding::for_label(label);
            let apart = (Encoding::for_label(switching), Encoding::for_label(outer));
            let may = matches!(apart, (Some(Encoding::Iso2022Utf8), Some(Encoding::Latin1 | Encoding::Legacy(_))));
            assert!(found.is_none() || may, "{label:?} {found:?} {apart:?}");
        }
    }
}

fn content_type(text: &str, label: &str) {
    let found = charset_of_content_type(text);
    if let Some(Cow::Borrowed(charset)) = &found {
        assert!(text.contains(charset), "{text:?}");
    }
    for field in [
        format!("text/html; charset={label}"),
        format!("text/html;charset=\"{label}\""),
        format!("text/html; a=b; CharSet = \"{label}\" (nothing more)"),
    ] {
        assert_eq!(charset_of_content_type(&field).as_deref(), Some(label), "{field}");
    }
}

fn html(body: &[u8], label: &str) {
    let expected = match web_label(label) {
        Some("UTF-16LE" | "UTF-16BE") => Some("UTF-8"),
        Some("x-user-defined") => Some("windows-1252"),
        other => other,
    };
    for document in [
        format!("<!DOCTYPE html><html><head><meta charset=\"{label}\">"),
        format!("<meta content='text/html; charset={label}' http-equiv=content-type>"),
        format!("<!-- <meta charset=utf-8> --><p class='a'><META CharSet={label} />"),
    ] {
        assert_eq!(charset_of_html(document.as_bytes()), expected, "{document}");
        // Text after a declaration does not change it.
        let longer = [document.as_bytes(), body].concat();
        if expected.is_some() {
            assert_eq!(charset_of_html(&longer), expected, "{longer:?}");
        }
    }
    let found = charset_of_html(body);
    assert!(found.is_none_or(|name| web_label(name).is_some()), "{body:02X?} {found:?}");
    assert_eq!(found, charset_of_html(&body[..body.len().min(1024)]));
}

fn xml(body: &[u8], label: &str) {
    // XML 1.0, production 81: a letter, then letters, digits and three
    // punctuation marks.
    let is_name = label.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let document = [format!("<?xml version='1.0' encoding=\"{label}\"?>").as_bytes(), body].concat();
    let found = encoding_of_xml(&document);
    assert!(found.is_none() || found == Some(label), "{document:?}");
    if is_name && Encoding::for_label(label).is_some_and(|encoding| encoding.unit_size() == 1) {
        assert_eq!(found, Some(label), "{document:?}");
    }
    if let Some(found) = encoding_of_xml(body) {
        let units = ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"];
        assert!(
            units.contains(&found) || body.windows(found.len()).any(|part| part == found.as_bytes()),
            "{body:02X?}"
        );
    }
}

fn locale(body: &[u8], label: &str) {
    let text = String::from_utf8_lossy(body);
    let value = |text: &str| codeset_of(None, Some(OsStr::new("")), Some(OsStr::new(text)));
    let found = value(&text);
    assert_eq!(found.is_utf8(), found.name() == Some("UTF-8"), "{text:?} {found:?}");
    assert_eq!(
        codeset_of(Some(OsStr::new(&*text)), Some(OsStr::new("C")), None),
        if text.is_empty() { Codeset::UsAscii } else { found },
        "{text:?}"
    );
    let named = value(&format!("de_DE.{label}@euro"));
    if Encoding::for_label(label) == Some(Encoding::Utf8) {
        assert!(named.name().is_some());
    } else {
        let name = label.split('@').next().unwrap_or_default();
        assert_eq!(named, Codeset::Named(name.into()), "{label}");
    }
}

/// Fragments of documents and headers.
const PARTS: [&[u8]; 32] = [
    b"<meta ",
    b"<META\n",
    b"charset=",
    b"\"",
    b"'",
    b">",
    b"/>",
    b"<!--",
    b"-->",
    b"<!-->",
    b"http-equiv=",
    b"content-type",
    b"content=",
    b"text/html;",
    b" ",
    b"utf-8",
    b"utf-16",
    b"x-user-defined",
    b"latin1",
    b"<?xml ",
    b"encoding=",
    b"?>",
    b"</p ",
    b"<!DOCTYPE html>",
    b"\0",
    b"<?",
    b"(",
    b")",
    b"\\",
    b";",
    b"version='1.0'",
    b"=",
];

fn assembled(script: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in script.iter().take(200) {
        match PARTS.get(usize::from(byte)) {
            Some(part) => out.extend_from_slice(part),
            None => out.push(byte),
        }
    }
    out
}
