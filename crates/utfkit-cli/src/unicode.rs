//! Names, scripts and printable shapes of code points.

use unicode_script::{Script, UnicodeScript};
use utfkit::display_width;

/// The Unicode version of the names.
pub(crate) const VERSION: &str = "17.0";

/// The name of a code point, or a note in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Called {
    /// The name; for controls, from ISO/IEC 6429 or Unicode's aliases.
    pub(crate) name: Option<String>,
    /// A description if there is no name, or if the name alone is not enough.
    pub(crate) note: Option<&'static str>,
}

/// The name of `value`, which need not be a code point.
pub(crate) fn called(value: u32) -> Called {
    let noted = |note| Called { name: None, note: Some(note) };
    let Some(c) = char::from_u32(value) else {
        return noted(match value {
            0xD800..=0xDBFF => "high surrogate",
            0xDC00..=0xDFFF => "low surrogate",
            _ => "above U+10FFFF: no code point of Unicode",
        });
    };
    if let Some(control) = control(c) {
        return Called { name: Some(control.to_owned()), note: Some("control") };
    }
    if let Some(name) = unicode_names2::name(c) {
        return Called { name: Some(name.to_string()), note: None };
    }
    match value {
        0xFDD0..=0xFDEF => noted("noncharacter"),
        _ if value & 0xFFFE == 0xFFFE => noted("noncharacter"),
        0xE000..=0xF8FF | 0xF_0000.. => noted("private use"),
        // The one range named by rule (Unicode Standard, NR2) that
        // `unicode_names2` lacks.
        0x1_7000..=0x1_87FF | 0x1_8D00..=0x1_8D7F if c.script() == Script::Tangut => {
            Called { name: Some(format!("TANGUT IDEOGRAPH-{value:X}")), note: None }
        }
        _ => noted("unassigned in Unicode 17.0"),
    }
}

/// The long name of the script of `value`, if it has one.
pub(crate) fn script(value: u32) -> Option<&'static str> {
    match char::from_u32(value)?.script() {
        Script::Unknown => None,
        script => Some(script.full_name()),
    }
}

/// `c` in printable form: combining marks on a dotted circle. `None` for
/// invisible characters.
pub(crate) fn shape(c: char) -> Option<String> {
    // Rust escapes characters that are invisible or combine with others.
    let is_alone = matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1;
    match called(c.into()) {
        Called { name: Some(_), note: None } if is_alone && display_width(c.encode_utf8(&mut [0; 4])) > 0 => {
            Some(c.to_string())
        }
        Called { name: Some(_), note: None } if is_mark(c) => Some(format!("\u{25CC}{c}")),
        _ => None,
    }
}

/// True if `c` combines with the character before it.
fn is_mark(c: char) -> bool {
    display_width(&format!("\u{25CC}{c}")) == 1 && c.script() != Script::Common
}

/// The name and abbreviation of a control, from ISO/IEC 6429 or else Unicode's
/// aliases.
fn control(c: char) -> Option<&'static str> {
    match u32::from(c) {
        value @ 0..=0x1F => Some(C0[value as usize]),
        0x7F => Some("DELETE (DEL)"),
        value @ 0x80..=0x9F => Some(C1[value as usize - 0x80]),
        _ => None,
    }
}

const C0: [&str; 32] = [
    "NULL (NUL)",
    "START OF HEADING (SOH)",
    "START OF TEXT (STX)",
    "END OF TEXT (ETX)",
    "END OF TRANSMISSION (EOT)",
    "ENQUIRY (ENQ)",
    "ACKNOWLEDGE (ACK)",
    "ALERT (BEL)",
    "BACKSPACE (BS)",
    "CHARACTER TABULATION (HT)",
    "LINE FEED (LF)",
    "LINE TABULATION (VT)",
    "FORM FEED (FF)",
    "CARRIAGE RETURN (CR)",
    "SHIFT OUT (SO)",
    "SHIFT IN (SI)",
    "DATA LINK ESCAPE (DLE)",
    "DEVICE CONTROL ONE (DC1)",
    "DEVICE CONTROL TWO (DC2)",
    "DEVICE CONTROL THREE (DC3)",
    "DEVICE CONTROL FOUR (DC4)",
    "NEGATIVE ACKNOWLEDGE (NAK)",
    "SYNCHRONOUS IDLE (SYN)",
    "END OF TRANSMISSION BLOCK (ETB)",
    "CANCEL (CAN)",
    "END OF MEDIUM (EM)",
    "SUBSTITUTE (SUB)",
    "ESCAPE (ESC)",
    "INFORMATION SEPARATOR FOUR (FS)",
    "INFORMATION SEPARATOR THREE (GS)",
    "INFORMATION SEPARATOR TWO (RS)",
    "INFORMATION SEPARATOR ONE (US)",
];

const C1: [&str; 32] = [
    "PADDING CHARACTER (PAD)",
    "HIGH OCTET PRESET (HOP)",
    "BREAK PERMITTED HERE (BPH)",
    "NO BREAK HERE (NBH)",
    "INDEX (IND)",
    "NEXT LINE (NEL)",
    "START OF SELECTED AREA (SSA)",
    "END OF SELECTED AREA (ESA)",
    "CHARACTER TABULATION SET (HTS)",
    "CHARACTER TABULATION WITH JUSTIFICATION (HTJ)",
    "LINE TABULATION SET (VTS)",
    "PARTIAL LINE FORWARD (PLD)",
    "PARTIAL LINE BACKWARD (PLU)",
    "REVERSE LINE FEED (RI)",
    "SINGLE SHIFT TWO (SS2)",
    "SINGLE SHIFT THREE (SS3)",
    "DEVICE CONTROL STRING (DCS)",
    "PRIVATE USE ONE (PU1)",
    "PRIVATE USE TWO (PU2)",
    "SET TRANSMIT STATE (STS)",
    "CANCEL CHARACTER (CCH)",
    "MESSAGE WAITING (MW)",
    "START OF GUARDED AREA (SPA)",
    "END OF GUARDED AREA (EPA)",
    "START OF STRING (SOS)",
    "SINGLE GRAPHIC CHARACTER INTRODUCER (SGC)",
    "SINGLE CHARACTER INTRODUCER (SCI)",
    "CONTROL SEQUENCE INTRODUCER (CSI)",
    "STRING TERMINATOR (ST)",
    "OPERATING SYSTEM COMMAND (OSC)",
    "PRIVACY MESSAGE (PM)",
    "APPLICATION PROGRAM COMMAND (APC)",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn name(value: u32) -> String {
        let Called { name, note } = called(value);
        name.or(note.map(|note| format!("({note})"))).unwrap()
    }

    #[test]
    fn every_kind_of_code_point_is_called_something() {
        for (value, expected) in [
            (0x0A, "LINE FEED (LF)"),
            (0x7F, "DELETE (DEL)"),
            (0x80, "PADDING CHARACTER (PAD)"),
            (0x9B, "CONTROL SEQUENCE INTRODUCER (CSI)"),
            (0x9F, "APPLICATION PROGRAM COMMAND (APC)"),
            (0xFC, "LATIN SMALL LETTER U WITH DIAERESIS"),
            (0xAC00, "HANGUL SYLLABLE GA"),
            (0xD7A3, "HANGUL SYLLABLE HIH"),
            (0x4E00, "CJK UNIFIED IDEOGRAPH-4E00"),
            (0x2_0000, "CJK UNIFIED IDEOGRAPH-20000"),
            (0xF900, "CJK COMPATIBILITY IDEOGRAPH-F900"),
            (0x1_7000, "TANGUT IDEOGRAPH-17000"),
            (0x1_8800, "TANGUT COMPONENT-001"),
            (0x1_B170, "NUSHU CHARACTER-1B170"),
            (0x1F600, "GRINNING FACE"),
            (0xE000, "(private use)"),
            (0x10_FFFD, "(private use)"),
            (0xFDD0, "(noncharacter)"),
            (0xFFFF, "(noncharacter)"),
            (0x10_FFFE, "(noncharacter)"),
            (0x0378, "(unassigned in Unicode 17.0)"),
            (0xD800, "(high surrogate)"),
            (0xDFFF, "(low surrogate)"),
            (0x7FFF_FFFF, "(above U+10FFFF: no code point of Unicode)"),
        ] {
            assert_eq!(name(value), expected, "{value:X}");
        }
        for value in 0..=0x10_FFFF {
            let Called { name, note } = called(value);
            assert!(name.is_some() || note.is_some());
        }
    }

    /// Fails if `unicode_names2` is of another version.
    #[test]
    fn the_names_are_of_the_version_that_is_said() {
        assert_eq!(VERSION, "17.0");
        assert_eq!(name(0x1_0940), "SIDETIC LETTER N01", "new in 17.0");
        // The scripts are of a later version than the names.
        assert!(unicode_script::UNICODE_VERSION.0 > 17);
        let later = (0..0x3_0000).filter_map(char::from_u32);
        assert!(
            later
                .into_iter()
                .any(|c| c.script() != Script::Unknown && called(c.into()).note == Some("unassigned in Unicode 17.0"))
        );
    }

    #[test]
    fn only_what_has_a_shape_is_shown() {
        for (c, expected) in [
            ('a', Some("a")),
            ('"', Some("\"")),
            ('é', Some("é")),
            ('日', Some("日")),
            ('😀', Some("😀")),
            ('א', Some("א")),
            ('\u{301}', Some("\u{25CC}\u{301}")),
            ('\u{5B0}', Some("\u{25CC}\u{5B0}")),
            ('\n', None),
            ('\u{9B}', None),
            ('\u{202E}', None),
            ('\u{200B}', None),
            ('\u{2028}', None),
            ('\u{FEFF}', None),
            ('\u{E0041}', None),
            ('\u{E000}', None),
            ('\u{378}', None),
            ('\u{FFFF}', None),
        ] {
            assert_eq!(shape(c).as_deref(), expected, "{c:?}");
        }
    }

    #[test]
    fn scripts_have_their_long_names() {
        assert_eq!((script(0x61), script(0x430), script(0x378)), (Some("Latin"), Some("Cyrillic"), None));
        assert_eq!((script(0x20), script(0xD800), script(0x11_0000)), (Some("Common"), None, None));
    }
}
