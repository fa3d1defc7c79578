//! The visible part of a text: without colours of terminals, with struck-over letters once,
//! and with line breaks for `\n`.

use alloc::vec::Vec;

use crate::detect::controls::{position, position_by};

const ESC: u8 = 0x1B;
const BEL: u8 = 0x07;
const BACKSPACE: u8 = 0x08;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// A longer sequence is none.
const LONGEST: usize = 256;

/// The text without escape sequences, shifts and what a backspace takes back. A sequence that
/// moves the cursor becomes a space.
pub(super) fn shown(text: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(text.len());
    let mut rest = text;
    let is_special = |byte: u8| (byte == ESC) | (byte == BACKSPACE) | (byte == SHIFT_OUT) | (byte == SHIFT_IN);
    loop {
        let (plain, special) = rest.split_at(position_by(rest, is_special).unwrap_or(rest.len()));
        shown.extend_from_slice(plain);
        let [first, after @ ..] = special else { break };
        rest = after;
        match *first {
            ESC => {
                let Sequence { len, moves } = sequence(after);
                rest = &after[len..];
                if moves {
                    shown.push(b' ');
                }
            }
            BACKSPACE => {
                let struck = shown.pop();
                // Man pages underline with `_` before or after the letter.
                if let (Some(struck), [b'_', after @ ..]) = (struck, rest)
                    && struck != b'_'
                {
                    shown.push(struck);
                    rest = after;
                }
            }
            _ => {}
        }
    }
    shown
}

/// The text with a space for the letter of each `\n`, `\r` and `\t` before a word, as tables of
/// messages have them; `None` without any. A backslash after a byte above 7F may be the second
/// half of an ideograph.
pub(super) fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut unescaped: Option<Vec<u8>> = None;
    let mut from = 0;
    while let Some(at) = position(&text[from..], b'\\').map(|at| from + at) {
        from = at + 1;
        let is_after_ascii = at.checked_sub(1).is_none_or(|before| text[before].is_ascii());
        if let [b'n' | b'r' | b't', next, ..] = text[from..]
            && is_after_ascii
            && (next.is_ascii_alphabetic() || !next.is_ascii())
        {
            unescaped.get_or_insert_with(|| text.to_vec())[from] = b' ';
        }
    }
    unescaped
}

/// An escape sequence of ECMA-48.
struct Sequence {
    /// Without the ESC.
    len: usize,
    /// True if the following text is elsewhere on the screen.
    moves: bool,
}

/// The sequence after an ESC.
fn sequence(after: &[u8]) -> Sequence {
    let none = Sequence { len: 0, moves: false };
    let near = &after[..after.len().min(LONGEST)];
    match near {
        [b'[', parameters @ ..] => {
            let Some(end) = parameters.iter().position(|byte| !(0x20..0x40).contains(byte)) else { return none };
            match parameters[end] {
                // Colours, and erasing the rest of the line.
                b'm' | b'K' => Sequence { len: end + 2, moves: false },
                0x40..0x7F => Sequence { len: end + 2, moves: true },
                _ => none,
            }
        }
        // Titles and links: up to BEL or ESC \.
        [b']', string @ ..] => match string.iter().position(|byte| matches!(*byte, BEL | ESC)) {
            Some(end) if string[end] == BEL => Sequence { len: end + 2, moves: false },
            Some(end) if string.get(end + 1) == Some(&b'\\') => Sequence { len: end + 3, moves: false },
            _ => none,
        },
        [0x20..0x30, 0x30..0x7F, ..] => Sequence { len: 2, moves: false },
        [0x30..0x7F, ..] => Sequence { len: 1, moves: false },
        _ => none,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_escapes_are_no_part_of_words() {
        for (text, expected) in [
            (&b"oggi\\nper\\tch\xE9\\r\\n"[..], Some(&b"oggi\\ per\\ ch\xE9\\r\\n"[..])),
            (b"\\n\xE9t\xE9", Some(b"\\ \xE9t\xE9")),
            (b"\x83\\n\x83\x5Cta C:\\", None),
            (b"", None),
        ] {
            assert_eq!(unescaped(text).as_deref(), expected, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn colours_and_overstrikes_leave_the_words() {
        for (text, expected) in [
            (&b"\x1b[1;32mgr\xFCn\x1b[0m \x1b[Kja"[..], &b"gr\xFCn ja"[..]),
            (b"a\x1b[5;1Hb", b"a b"),
            (b"\x1b]0;title\x07x\x1b]8;;u\x1b\\y", b"xy"),
            (b"\x1b(B\x1b=\x1b7z", b"z"),
            (b"N\x08NA\x08AM\x08ME\x08E", b"NAME"),
            (b"_\x08f_\x08\xFC_\x08r, a\x08_", b"f\xFCr, a"),
            (b"\x0Elqk\x0F", b"lqk"),
            // Not sequences: the text stays.
            (b"\x1b", b""),
            (b"\x1b[12", b"[12"),
            (b"\x1b]0;never", b"]0;never"),
            (b"\x08\x08a", b"a"),
        ] {
            assert_eq!(shown(text), expected, "{}", text.escape_ascii());
        }
    }
}
