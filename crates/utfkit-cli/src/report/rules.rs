//! The kinds of findings, each with a few words for who meets it the first
//! time.

use utfkit::ErrorKind;

/// What is to be known about a kind.
pub(super) struct Rule {
    pub(super) kind: ErrorKind,
    /// In a few words.
    pub(super) short: &'static str,
    /// What it is, where it comes from, and the clause that it breaks in UTF-8.
    pub(super) help: &'static str,
}

/// The place of `kind` among [`RULES`].
pub(super) fn index(kind: ErrorKind) -> Option<usize> {
    RULES.iter().position(|rule| rule.kind == kind)
}

/// Every kind that a check can find, in the order of reports.
pub(super) const RULES: [Rule; 15] = [
    Rule {
        kind: ErrorKind::Overlong,
        short: "More bytes than the code point needs",
        help: "Each code point has one form, the shortest. A longer one could smuggle a character past a check of \
               the bytes, as C0 AF does a slash. C0 and C1 never begin a form; E0 is not followed by 80-9F, nor F0 \
               by 80-8F (RFC 3629 section 3).",
    },
    Rule {
        kind: ErrorKind::Surrogate,
        short: "A surrogate, U+D800 to U+DFFF, in UTF-8 or UTF-32",
        help: "Surrogates are halves of pairs in UTF-16 and no characters. ED is not followed by A0-BF (RFC 3629 \
               section 3). Pairs of them, six bytes together, are CESU-8: utfkit convert -f CESU-8 reads it.",
    },
    Rule {
        kind: ErrorKind::TooLarge,
        short: "A value above U+10FFFF, or a form of five or six bytes",
        help: "Unicode ends at U+10FFFF and UTF-8 at four bytes: F4 is not followed by 90-BF, and F5-FD begin no \
               form (RFC 3629 section 3). RFC 2279 had longer ones: --standard rfc2279 takes them.",
    },
    Rule {
        kind: ErrorKind::InvalidByte,
        short: "A byte that can stand nowhere",
        help: "FE and FF are in no form of UTF-8, nor are F8-FD without the bytes that they announce (RFC 3629 \
               section 1). FF FE or FE FF in front is the signature of UTF-16. In US-ASCII it is any byte from 80.",
    },
    Rule {
        kind: ErrorKind::UnexpectedContinuation,
        short: "A continuation byte without a lead byte",
        help: "80-BF continue a sequence and begin none (RFC 3629 section 4). Text in windows-1252 or another \
               encoding of one byte a character has such bytes, and so has UTF-8 that was cut.",
    },
    Rule {
        kind: ErrorKind::MissingContinuation,
        short: "A lead byte without all of its continuation bytes",
        help: "C2-F4 announce how many bytes 80-BF follow (RFC 3629 section 4). A letter in windows-1252 or \
               ISO-8859-1 looks like that, and so does UTF-8 that was cut.",
    },
    Rule {
        kind: ErrorKind::Truncated,
        short: "The input ends inside a sequence",
        help: "More bytes could complete the last sequence (RFC 3629 section 4). The file was cut, or copied in \
               part.",
    },
    Rule {
        kind: ErrorKind::Noncharacter,
        short: "A noncharacter, where the standard in use refuses it",
        help: "U+FFFE and U+FFFF, with the standard no-noncharacters all 66 of them, are for use inside of programs \
               (Unicode Standard, D14). RFC 3629 takes them.",
    },
    Rule {
        kind: ErrorKind::UnpairedSurrogate,
        short: "A surrogate of UTF-16 without its other half",
        help: "A high surrogate, D800-DBFF, is followed by a low one, DC00-DFFF, and a low one follows a high one \
               (RFC 2781 section 2.2).",
    },
    Rule {
        kind: ErrorKind::InvalidSequence,
        short: "Bytes that are each allowed but together stand for nothing",
        help: "A pair that the encoding leaves empty, or an escape sequence that is none. The file may be in a \
               relative of the encoding, or damaged.",
    },
    Rule {
        kind: ErrorKind::EmptyShift,
        short: "The character that begins base64 with none behind it",
        help: "In UTF-7 a plus sign begins a run of base64; the sign itself is written +- (RFC 2152, rule 2).",
    },
    Rule {
        kind: ErrorKind::PartialUnit,
        short: "Base64 that ends inside a 16-bit unit",
        help: "A run of base64 holds whole units of UTF-16 (RFC 2152, rule 2).",
    },
    Rule {
        kind: ErrorKind::PaddingBits,
        short: "Base64 whose padding bits are not zero",
        help: "The bits behind the last unit of a run are zero (RFC 2152, rule 2).",
    },
    Rule {
        kind: ErrorKind::UnclosedShift,
        short: "Base64 that nothing closes where something has to",
        help: "In the name of a mailbox a minus sign ends each run of base64 (RFC 3501 section 5.1.3).",
    },
    Rule {
        kind: ErrorKind::NeedlessShift,
        short: "Base64 for what has to stand as it is, or a run behind another",
        help: "In the name of a mailbox printable US-ASCII represents itself, and runs of base64 are one \
               (RFC 3501 section 5.1.3).",
    },
];
