//! The kinds of findings, each with a few words for who meets it the first
//! time.

use utfkit::ErrorKind;

use super::model::{BIDI_CONTROL, BOM, LINE_END, MISSING_BOM, NOT_NFC};

/// What is to be known about a kind.
pub(super) struct Rule {
    /// The kind of a finding.
    pub(super) id: &'static str,
    /// The same for programs that show both, as a word of its own.
    pub(super) name: &'static str,
    /// Where the rule is defined.
    pub(super) uri: &'static str,
    /// In a few words.
    pub(super) short: &'static str,
    /// What it is, where it comes from, and the section of the standard that it breaks.
    pub(super) help: &'static str,
}

/// The place of `kind` among [`RULES`].
pub(super) fn index(kind: &str) -> Option<usize> {
    RULES.iter().position(|rule| rule.id == kind)
}

/// Every kind that a check can find, in the order of reports.
pub(super) const RULES: [Rule; 20] = [
    Rule {
        id: ErrorKind::Overlong.name(),
        name: "OverlongForm",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-3",
        short: "More bytes than the code point needs",
        help: "Each code point has one form, the shortest. A longer one could smuggle a character past a check of \
               the bytes, as C0 AF does a slash. C0 and C1 never begin a form; E0 is not followed by 80-9F, nor F0 \
               by 80-8F (RFC 3629 section 3).",
    },
    Rule {
        id: ErrorKind::Surrogate.name(),
        name: "EncodedSurrogate",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-3",
        short: "A surrogate, U+D800 to U+DFFF, in UTF-8 or UTF-32",
        help: "Surrogates are halves of pairs in UTF-16 and no characters. ED is not followed by A0-BF (RFC 3629 \
               section 3). Pairs of them, six bytes together, are CESU-8: utfkit convert -f CESU-8 reads it.",
    },
    Rule {
        id: ErrorKind::TooLarge.name(),
        name: "ValueTooLarge",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-3",
        short: "A value above U+10FFFF, or a form of five or six bytes",
        help: "Unicode ends at U+10FFFF and UTF-8 at four bytes: F4 is not followed by 90-BF, and F5-FD begin no \
               form (RFC 3629 section 3). RFC 2279 had longer ones: --standard rfc2279 takes them.",
    },
    Rule {
        id: ErrorKind::InvalidByte.name(),
        name: "ByteInNoForm",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "A byte that can stand nowhere",
        help: "FE and FF are in no form of UTF-8, nor are F8-FD without the bytes that they announce (RFC 3629 \
               section 1). FF FE or FE FF at the start is the BOM of UTF-16. In US-ASCII it is any byte from 80.",
    },
    Rule {
        id: ErrorKind::UnexpectedContinuation.name(),
        name: "LoneContinuationByte",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "A continuation byte without a lead byte",
        help: "80-BF continue a sequence and begin none (RFC 3629 section 4). Text in windows-1252 or another \
               encoding of one byte a character has such bytes, and so has UTF-8 that was cut.",
    },
    Rule {
        id: ErrorKind::MissingContinuation.name(),
        name: "IncompleteSequence",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "A lead byte without all of its continuation bytes",
        help: "C2-F4 announce how many bytes 80-BF follow (RFC 3629 section 4). A letter in windows-1252 or \
               ISO-8859-1 looks like that, and so does UTF-8 that was cut.",
    },
    Rule {
        id: ErrorKind::Truncated.name(),
        name: "TruncatedInput",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-4",
        short: "The input ends inside a sequence",
        help: "More bytes could complete the last sequence (RFC 3629 section 4). The file was cut, or copied in \
               part.",
    },
    Rule {
        id: ErrorKind::Noncharacter.name(),
        name: "NoncharacterRefused",
        uri: "https://www.unicode.org/faq/private_use.html#noncharacters",
        short: "A noncharacter, where the standard in use refuses it",
        help: "U+FFFE and U+FFFF, with the standard no-noncharacters all 66 of them, are for use inside of programs \
               (Unicode Standard, D14). RFC 3629 takes them.",
    },
    Rule {
        id: ErrorKind::UnpairedSurrogate.name(),
        name: "SurrogateWithoutMate",
        uri: "https://www.rfc-editor.org/rfc/rfc2781#section-2.2",
        short: "A surrogate of UTF-16 without its other half",
        help: "A high surrogate, D800-DBFF, is followed by a low one, DC00-DFFF, and a low one follows a high one \
               (RFC 2781 section 2.2).",
    },
    Rule {
        id: ErrorKind::InvalidSequence.name(),
        name: "BytesWithoutCharacter",
        uri: "https://encoding.spec.whatwg.org/",
        short: "Bytes that are each allowed but together stand for nothing",
        help: "A pair that the encoding leaves empty, or an escape sequence that is none. The file may be in a \
               relative of the encoding, or damaged.",
    },
    Rule {
        id: ErrorKind::EmptyShift.name(),
        name: "ShiftWithoutText",
        uri: "https://www.rfc-editor.org/rfc/rfc2152",
        short: "The character that begins base64 with none after it",
        help: "In UTF-7 a plus sign begins a run of base64; the sign itself is written +- (RFC 2152, rule 2).",
    },
    Rule {
        id: ErrorKind::PartialUnit.name(),
        name: "Base64EndsInsideUnit",
        uri: "https://www.rfc-editor.org/rfc/rfc2152",
        short: "Base64 that ends inside a 16-bit unit",
        help: "A run of base64 holds whole units of UTF-16 (RFC 2152, rule 2).",
    },
    Rule {
        id: ErrorKind::PaddingBits.name(),
        name: "Base64PaddingNotZero",
        uri: "https://www.rfc-editor.org/rfc/rfc2152",
        short: "Base64 whose padding bits are not zero",
        help: "The bits after the last unit of a run are zero (RFC 2152, rule 2).",
    },
    Rule {
        id: ErrorKind::UnclosedShift.name(),
        name: "ShiftNotClosed",
        uri: "https://www.rfc-editor.org/rfc/rfc3501#section-5.1.3",
        short: "Base64 that nothing closes where something has to",
        help: "In the name of a mailbox a minus sign ends each run of base64 (RFC 3501 section 5.1.3).",
    },
    Rule {
        id: ErrorKind::NeedlessShift.name(),
        name: "ShiftNotNeeded",
        uri: "https://www.rfc-editor.org/rfc/rfc3501#section-5.1.3",
        short: "Base64 for what has to stand as it is, or a run after another",
        help: "In the name of a mailbox printable US-ASCII represents itself, and runs of base64 are one \
               (RFC 3501 section 5.1.3).",
    },
    Rule {
        id: BOM,
        name: "ByteOrderMarkFound",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-6",
        short: "A byte order mark (BOM) where none is wanted",
        help: "UTF-8 needs no BOM, and EF BB BF at the start of a script or of data is a character that many \
               programs trip over. Asked for by --bom forbid; utfkit convert --bom remove takes it away.",
    },
    Rule {
        id: MISSING_BOM,
        name: "ByteOrderMarkMissing",
        uri: "https://www.rfc-editor.org/rfc/rfc3629#section-6",
        short: "No byte order mark (BOM) where one is wanted",
        help: "Some programs take text for UTF-8 only if it begins with EF BB BF. Asked for by --bom require; \
               utfkit convert --bom add writes it.",
    },
    Rule {
        id: LINE_END,
        name: "OtherLineEnd",
        uri: "https://www.unicode.org/reports/tr14/#BK",
        short: "A line that ends in another way than the others should",
        help: "Lines end with LF on Unix and with CRLF on Windows; CR alone ended them on old Macintoshes. Asked for \
               by --eol lf or --eol crlf.",
    },
    Rule {
        id: NOT_NFC,
        name: "NotNormalized",
        uri: "https://www.unicode.org/reports/tr15/",
        short: "Text that is not in Normalization Form C",
        help: "The same character can be written as one code point or as a letter and a combining mark. They look \
               alike and do not compare equal, in names and in searches (UAX #15). Asked for by --nfc.",
    },
    Rule {
        id: BIDI_CONTROL,
        name: "BidirectionalControl",
        uri: "https://www.unicode.org/reports/tr55/",
        short: "A control that changes the order in which text is shown",
        help: "U+202A to U+202E and U+2066 to U+2069 reorder what a reader sees, not what a compiler reads: source \
               can do something else than it shows (\"Trojan Source\", UTS #55). Asked for by --bidi.",
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
