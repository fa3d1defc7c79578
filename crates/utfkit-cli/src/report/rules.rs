//! Descriptions of the kinds of findings, for readers who see one for the first
//! time.

use utfkit::ErrorKind;

use super::model::{BIDI_CONTROL, BOM, CONTROL, LINE_END, MISSING_BOM, NOT_NFC, REPLACEMENT, WRONG_ENCODING};

pub(super) struct Rule {
    /// The kind's name in findings.
    pub(super) id: &'static str,
    /// The kind's name in camel case: SARIF requires it to differ from the id.
    pub(super) name: &'static str,
    /// Where the rule is defined.
    pub(super) uri: &'static str,
    /// Summary in a few words, without a full stop.
    pub(super) short: &'static str,
    /// Explanation: meaning, usual cause, and section of the standard.
    pub(super) help: &'static str,
}

/// The index of `kind` in [`RULES`].
pub(super) fn index(kind: &str) -> Option<usize> {
    RULES.iter().position(|rule| rule.id == kind)
}

/// Every kind that a check can find, in the order used by reports.
pub(super) const RULES: [Rule; 23] = [
    Rule {
        id: ErrorKind::Overlong.name(),
        name: "OverlongForm",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-3",
        short: "More bytes than the code point needs",
        help: "Only the shortest form of a code point is valid. A longer form can smuggle a character past a \
               byte-level filter, as C0 AF does with a slash. C0 and C1 never begin a sequence; E0 is never \
               followed by 80-9F, nor F0 by 80-8F (RFC 3629 section 3).",
    },
    Rule {
        id: ErrorKind::Surrogate.name(),
        name: "EncodedSurrogate",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-3",
        short: "A surrogate, U+D800 to U+DFFF, in UTF-8 or UTF-32",
        help: "Surrogates are halves of UTF-16 pairs, not characters. ED is never followed by A0-BF (RFC 3629 \
               section 3). Pairs of two three-byte sequences are CESU-8: utfkit convert -f CESU-8 reads it.",
    },
    Rule {
        id: ErrorKind::TooLarge.name(),
        name: "ValueTooLarge",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-3",
        short: "A value above U+10FFFF, or a form of five or six bytes",
        help: "Unicode ends at U+10FFFF and UTF-8 at four bytes: F4 is never followed by 90-BF, and F5-FD never \
               begin a sequence (RFC 3629 section 3). --standard rfc2279 accepts the longer forms of RFC 2279.",
    },
    Rule {
        id: ErrorKind::InvalidByte.name(),
        name: "ByteInNoForm",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "A byte that is never valid",
        help: "FE and FF never occur in UTF-8, nor do F8-FD without their continuation bytes (RFC 3629 section 1). \
               FF FE or FE FF at the start is the BOM of UTF-16. In US-ASCII, every byte from 80 on is invalid.",
    },
    Rule {
        id: ErrorKind::UnexpectedContinuation.name(),
        name: "LoneContinuationByte",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "A continuation byte without a lead byte",
        help: "80-BF continue a sequence and never begin one (RFC 3629 section 4). They are common in text in \
               windows-1252 or another single-byte encoding, and in UTF-8 that was cut.",
    },
    Rule {
        id: ErrorKind::MissingContinuation.name(),
        name: "IncompleteSequence",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "A lead byte without all of its continuation bytes",
        help: "C2-F4 are followed by one to three bytes 80-BF (RFC 3629 section 4). A letter in windows-1252 or \
               ISO-8859-1 looks like this, and so does UTF-8 that was cut.",
    },
    Rule {
        id: ErrorKind::Truncated.name(),
        name: "TruncatedInput",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "The input ends inside a sequence",
        help: "More bytes could complete the last sequence (RFC 3629 section 4). The file was probably cut or \
               copied only in part.",
    },
    Rule {
        id: ErrorKind::Noncharacter.name(),
        name: "NoncharacterRefused",
        uri: "https://www.unicode.org/faq/private_use.html#noncharacters",
        short: "A noncharacter, which --standard forbids",
        help: "Noncharacters are for internal use by programs (Unicode Standard, D14). --standard kuhn forbids \
               U+FFFE and U+FFFF, no-noncharacters all 66. RFC 3629 allows them.",
    },
    Rule {
        id: ErrorKind::UnpairedSurrogate.name(),
        name: "SurrogateWithoutMate",
        uri: "https://www.rfc-editor.org/rfc/rfc2781#section-2.2",
        short: "A UTF-16 surrogate without its other half",
        help: "A high surrogate, D800-DBFF, must be followed by a low one, DC00-DFFF, and a low one must follow a \
               high one (RFC 2781 section 2.2).",
    },
    Rule {
        id: ErrorKind::InvalidSequence.name(),
        name: "BytesWithoutCharacter",
        uri: "https://encoding.spec.whatwg.org/",
        short: "Bytes that are valid one by one but not together",
        help: "A pair of bytes without a character in the encoding, or an unknown escape sequence. The file may be \
               damaged or in a related encoding.",
    },
    Rule {
        id: ErrorKind::EmptyShift.name(),
        name: "ShiftWithoutText",
        uri: "https://www.rfc-editor.org/rfc/rfc2152",
        short: "The character that begins base64, with no base64 after it",
        help: "In UTF-7 a plus sign begins a run of base64; a literal plus sign is +- (RFC 2152, rule 2).",
    },
    Rule {
        id: ErrorKind::PartialUnit.name(),
        name: "Base64EndsInsideUnit",
        uri: "https://www.rfc-editor.org/rfc/rfc2152",
        short: "Base64 that ends inside a 16-bit unit",
        help: "A run of base64 must contain whole UTF-16 units (RFC 2152, rule 2).",
    },
    Rule {
        id: ErrorKind::PaddingBits.name(),
        name: "Base64PaddingNotZero",
        uri: "https://www.rfc-editor.org/rfc/rfc2152",
        short: "Base64 whose padding bits are not zero",
        help: "The bits after the last unit of a run must be zero (RFC 2152, rule 2).",
    },
    Rule {
        id: ErrorKind::UnclosedShift.name(),
        name: "ShiftNotClosed",
        uri: "https://www.rfc-editor.org/rfc/rfc3501#section-5.1.3",
        short: "Base64 without the minus sign that must close it",
        help: "In a mailbox name, a minus sign ends each run of base64 (RFC 3501 section 5.1.3).",
    },
    Rule {
        id: ErrorKind::NeedlessShift.name(),
        name: "ShiftNotNeeded",
        uri: "https://www.rfc-editor.org/rfc/rfc3501#section-5.1.3",
        short: "Base64 for printable US-ASCII, or two adjacent runs",
        help: "In a mailbox name, printable US-ASCII represents itself, and adjacent runs of base64 must be merged \
               (RFC 3501 section 5.1.3).",
    },
    Rule {
        id: BOM,
        name: "ByteOrderMarkFound",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-6",
        short: "A byte order mark (BOM) where none is wanted",
        help: "UTF-8 needs no BOM, and many programs fail on EF BB BF at the start of a script or data file. \
               Inside a text, a BOM shows that files with BOMs were joined. Reported by --bom forbid; utfkit fix \
               --bom remove removes it.",
    },
    Rule {
        id: MISSING_BOM,
        name: "ByteOrderMarkMissing",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-6",
        short: "No byte order mark (BOM) where one is wanted",
        help: "Some programs recognize UTF-8 only if it begins with EF BB BF. Reported by --bom require; utfkit fix \
               --bom add writes it.",
    },
    Rule {
        id: LINE_END,
        name: "OtherLineEnd",
        uri: "https://www.unicode.org/reports/tr14/#BK",
        short: "A line end other than the required one",
        help: "Lines end with LF on Unix, with CRLF on Windows, and with CR on old Macintoshes. Reported by --eol; \
               utfkit fix --eol mends it.",
    },
    Rule {
        id: NOT_NFC,
        name: "NotNormalized",
        uri: "https://www.unicode.org/reports/tr15/",
        short: "Text that is not in Normalization Form C",
        help: "An accented letter can be one code point, or a letter and a combining mark. Both look the same but do \
               not compare equal in names and searches (UAX #15). Reported by --nfc; utfkit fix --nfc composes it.",
    },
    Rule {
        id: BIDI_CONTROL,
        name: "BidirectionalControl",
        uri: "https://www.unicode.org/reports/tr55/",
        short: "A control character that changes the order in which text is displayed",
        help: "U+202A to U+202E and U+2066 to U+2069 reorder displayed text, but not for a compiler: source code can \
               look different from what runs (\"Trojan Source\", UTS #55). Reported by --bidi.",
    },
    Rule {
        id: CONTROL,
        name: "ControlCharacter",
        uri: "https://www.unicode.org/charts/PDF/U0000.pdf",
        short: "A control character that text does not need",
        help: "Text needs TAB, LF, CR and FF, and logs have ESC. NUL and the other controls below U+0020 are left by \
               padding, other programs and damage; databases and XML refuse them. Reported by --controls; utfkit \
               fix --controls remove or escape mends it.",
    },
    Rule {
        id: REPLACEMENT,
        name: "ReplacementCharacterFound",
        uri: "https://www.unicode.org/charts/PDF/UFFF0.pdf",
        short: "U+FFFD, which stands for a character that was lost",
        help: "A program wrote U+FFFD in place of bytes that it could not read. They are gone from this file: only the \
               source of the text has them. Reported by --replacement.",
    },
    Rule {
        id: WRONG_ENCODING,
        name: "NotTheDeclaredEncoding",
        uri: "https://spec.editorconfig.org/#supported-pairs",
        short: "Text in another encoding than the declared one",
        help: "The charset of .editorconfig or the working-tree-encoding of .gitattributes names an encoding that the \
               file is not in. Editors and Git read other characters from it. utfkit fix converts the file.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_not_the_ids() {
        for Rule { id, name, short, help, uri } in &RULES {
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && name.starts_with(char::is_uppercase));
            assert!(!name.eq_ignore_ascii_case(&id.replace('-', "")), "{id}");
            assert!(!short.ends_with('.') && help.ends_with('.') && uri.starts_with("https://"), "{id}");
        }
    }
}
