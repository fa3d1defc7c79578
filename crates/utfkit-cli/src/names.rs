//! Names of encodings on the command line.
//!
//! A name is IANA's, or with the prefix `web:` a label of the WHATWG Encoding
//! Standard. The two differ: `ISO-8859-1` is ISO-8859-1 as the former and
//! windows-1252 as the latter.

use utfkit::Encoding;
use utfkit::detect::Language;
use utfkit::label::web_label;

/// The prefix of WHATWG labels.
const WEB: &str = "web";

/// Parses the name of an encoding. The error says what is wrong and what to try.
pub fn encoding(name: &str) -> Result<Encoding, String> {
    let known = match web_part(name) {
        Some(label) => Encoding::for_web_label(label),
        None => Encoding::for_label(name),
    };
    known.ok_or_else(|| unknown(name))
}

/// Parses the code or the English name of a language. The error says what to try.
pub(crate) fn language(name: &str) -> Result<Language, String> {
    name.parse().map_err(|_| {
        let known = Language::all().flat_map(|language| [language.code(), language.name()]);
        match nearest_of(name, known) {
            Some(near) => format!("unknown language; did you mean `{near}`?"),
            None => "unknown language; a code of two letters such as `fr`, or an English name, is expected".to_owned(),
        }
    })
}

/// The label after `web:`.
fn web_part(name: &str) -> Option<&str> {
    let (prefix, label) = name.split_once(':')?;
    prefix.eq_ignore_ascii_case(WEB).then_some(label)
}

fn unknown(name: &str) -> String {
    let reason = match web_part(name) {
        Some(label) if web_label(label).is_some() => {
            // A label of `replacement`, which decodes nothing.
            "browsers refuse to decode this encoding".to_owned()
        }
        Some(label) => match Encoding::for_label(label) {
            Some(known) => format!("browsers do not support it; did you mean `{known}`, without `web:`?"),
            None => match nearest(label, |label| Encoding::for_web_label(label).is_some()) {
                Some(near) => format!("unknown encoding; did you mean `web:{near}`?"),
                None => "unknown encoding".to_owned(),
            },
        },
        None => match (outside_of_utf8(name), Encoding::for_web_label(name), nearest(name, |_| true)) {
            (Some(reason), ..) => reason,
            (_, Some(known), _) => {
                format!("unknown encoding; browsers take it for {known}: did you mean `web:{}`?", name.trim_ascii())
            }
            (.., Some(near)) => format!("unknown encoding; did you mean `{near}`?"),
            _ => "unknown encoding".to_owned(),
        },
    };
    format!("{reason} (see `utfkit list`)")
}

/// The error for an unusable `ISO-2022-UTF-8+…`, if `name` has that form.
fn outside_of_utf8(name: &str) -> Option<String> {
    let (switching, outer) = name.split_once('+')?;
    if Encoding::for_label(switching) != Some(Encoding::Iso2022Utf8) {
        return None;
    }
    Some(match Encoding::for_label(outer) {
        Some(outer) => format!(
            "{outer} cannot be combined with ISO-2022-UTF-8; \
             only legacy encodings that contain US-ASCII unchanged can, such as ISO-8859-1"
        ),
        None => match nearest(outer, |_| true) {
            Some(near) => format!("unknown encoding after `+`; did you mean `{near}`?"),
            None => "unknown encoding after `+`".to_owned(),
        },
    })
}

/// The label closest to `name`, if it could be a typing error.
fn nearest(name: &str, wanted: impl Fn(&str) -> bool) -> Option<&'static str> {
    let labels = Encoding::ALL.iter().flat_map(|encoding| [encoding.name()].into_iter().chain(encoding.labels()));
    nearest_of(name, labels.filter(|label| wanted(label)))
}

/// The one of `known` closest to `name`, if it could be a typing error.
pub(crate) fn nearest_of<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = folded(name);
    // Longer names are far from every label, shorter ones close to many.
    if !(3..=80).contains(&name.len()) {
        return None;
    }
    let slips = (name.len() / 3).min(2);
    let near = known.map(|known| (strsim::levenshtein(&folded(known), &name), known));
    near.filter(|(distance, _)| *distance <= slips).min_by_key(|(distance, _)| *distance).map(|(_, label)| label)
}

/// The letters and digits of a label, in lower case.
fn folded(label: &str) -> String {
    label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> &'static str {
        encoding(name).unwrap().name()
    }

    #[test]
    fn two_readings() {
        assert_eq!((named("iso-8859-1"), named("web:iso-8859-1")), ("ISO-8859-1", "windows-1252"));
        assert_eq!((named("us-ascii"), named("Web: ascii ")), ("US-ASCII", "windows-1252"));
        assert_eq!((named("UTF-16"), named("WEB:UTF-16")), ("UTF-16", "UTF-16LE"));
        assert_eq!(named("ISO_8859-1:1987"), "ISO-8859-1", "a colon alone is not a prefix");
    }

    #[test]
    fn an_unknown_language_gets_advice() {
        assert_eq!(language("FR_ca").unwrap().name(), "French");
        for (name, advice) in
            [("Frnech", "did you mean `French`?"), ("klingon", "a code of two letters"), ("", "a code of two letters")]
        {
            let error = language(name).unwrap_err();
            assert!(error.contains(advice), "{name}: {error}");
        }
    }

    #[test]
    fn an_unknown_name_gets_advice() {
        for (name, advice) in [
            ("klingon", "unknown encoding ("),
            ("", "unknown encoding ("),
            ("web:", "unknown encoding ("),
            ("utf-9", "unknown encoding; did you mean `UTF-8`?"),
            ("Shfit_JIS", "did you mean `Shift_JIS`?"),
            ("windows-1522", "did you mean `windows-1252`?"),
            ("latni1", "did you mean `latin1`?"),
            ("web:latni1", "did you mean `web:latin1`?"),
            ("unicode", "browsers take it for UTF-16LE: did you mean `web:unicode`?"),
            ("web:utf-7", "did you mean `UTF-7`, without `web:`?"),
            ("web:iso-2022-kr", "browsers refuse"),
            ("iso-2022-utf-8+utf-16", "UTF-16 cannot be combined with ISO-2022-UTF-8"),
            ("iso-2022-utf-8+iso-2022-jp", "ISO-2022-JP cannot be combined"),
            ("iso-2022-utf-8+koi8x", "after `+`; did you mean `KOI8-R`?"),
        ] {
            let error = encoding(name).unwrap_err();
            assert!(error.contains(advice) && error.contains("`utfkit list`"), "{name}: {error}");
        }
        assert!(encoding(&"a".repeat(100_000)).is_err());
    }
}
