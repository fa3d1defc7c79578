//! Names that Windows takes (Microsoft's "Naming Files, Paths, and Namespaces").

use unicode_normalization::UnicodeNormalization;

/// The names of devices, in any case, with or without an extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
const NUMBERED: [&str; 2] = ["com", "lpt"];

/// The name with `%XX` for what Windows refuses in it, and `_` after the name of a device.
pub(super) fn escaped(name: &str) -> String {
    let is_refused = |c: char| c < ' ' || r#"<>:"\|?*"#.contains(c);
    let mut escaped = String::with_capacity(name.len());
    let kept = name.trim_end_matches(['.', ' ']).len();
    for (at, c) in name.char_indices() {
        if is_refused(c) || at >= kept {
            escaped.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    let stem = escaped.split('.').next().unwrap_or_default();
    if is_device(stem.trim_end()) {
        escaped.insert(stem.len(), '_');
    }
    escaped
}

fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    DEVICES.contains(&stem.as_str())
        || NUMBERED.iter().any(|device| {
            let number = stem.strip_prefix(device).map(|number| number.chars().collect::<Vec<_>>());
            matches!(number.as_deref(), Some(['1'..='9' | '\u{B9}' | '\u{B2}' | '\u{B3}']))
        })
}

/// Equal for names that Windows or macOS takes for one. ß is not SS there.
pub(super) fn folded(name: &str) -> String {
    name.nfc().map(upper).collect()
}

fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_windows_refuses_is_escaped_and_nothing_else() {
        for (name, portable) in [
            ("a:b", "a%3Ab"),
            ("why?", "why%3F"),
            (r#"<"|\*>"#, "%3C%22%7C%5C%2A%3E"),
            ("tab\t", "tab%09"),
            ("end. .", "end%2E%20%2E"),
            ("...", "%2E%2E%2E"),
            ("con", "con_"),
            ("Aux.h", "Aux_.h"),
            ("com1.tar.gz", "com1_.tar.gz"),
            ("COM²", "COM²_"),
            ("con .txt", "con _.txt"),
            ("com0", "com0"),
            ("console", "console"),
            ("100%", "100%"),
            ("Größe .txt", "Größe .txt"),
        ] {
            assert_eq!(escaped(name), portable);
            assert_eq!(escaped(portable), portable, "once is enough");
        }
    }

    #[test]
    fn case_and_form_do_not_tell_names_apart() {
        assert_eq!(folded("Ärger.TXT"), folded("ärger.txt"));
        assert_ne!(folded("Straße"), folded("STRASSE"));
        assert_eq!(folded("É"), folded("e\u{301}"));
        assert_ne!(folded("e"), folded("é"));
    }
}
