//! Characters of which a line break or a delimiter parts the bytes.
//!
//! A program that breaks text by bytes leaves the beginning of a character before the break and
//! the rest after it: `C5 0A 32 20 43 4F 4E 43 20 BE` in GEDCOM, whose `CONC` continues a value.

use utfkit_core::from_utf8;
use utfkit_core::internal::utf8::{is_continuation, well_formed_len};

/// The most bytes from the beginning of a character to the end of its rest.
pub(crate) const LONGEST: usize = 24;

/// The parts of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Halves {
    /// The bytes of the beginning, of the break, and of the rest.
    pub(crate) first: usize,
    pub(crate) between: usize,
    pub(crate) rest: usize,
    pub(crate) character: char,
}

/// The kind of an ill-formed sequence.
pub(crate) enum Parts {
    Halves(Halves),
    Nothing,
    /// More bytes are needed.
    Open,
}

/// Looks for the parts of a character at the front of `bytes`.
pub(crate) fn parts(bytes: &[u8], last: bool) -> Parts {
    let Some(&lead) = bytes.first() else { return Parts::Nothing };
    let len = well_formed_len(lead);
    let first = 1 + bytes[1..].iter().take_while(|byte| is_continuation(**byte)).count();
    if len <= first {
        return Parts::Nothing;
    }
    if bytes.len() < LONGEST && !last {
        return Parts::Open;
    }
    let rest = len - first;
    let found = breaks(&bytes[first..]).find_map(|between| {
        let after = &bytes[first + between..];
        let is_rest = after.iter().take_while(|byte| is_continuation(**byte)).count() == rest;
        let mut whole = [0; 4];
        let (front, back) = whole.get_mut(..len)?.split_at_mut_checked(first)?;
        front.copy_from_slice(bytes.get(..first)?);
        back.copy_from_slice(after.get(..rest)?);
        let character = from_utf8(&whole[..len]).ok()?.chars().next()?;
        is_rest.then_some(Halves { first, between, rest, character })
    });
    found.map_or(Parts::Nothing, Parts::Halves)
}

/// The lengths of what may be a break at the front of `bytes`: a delimiter or a line end, with
/// quotation marks, blanks or the `=` of quoted-printable around it; or a line of GEDCOM.
fn breaks(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let is_part = |byte: &&u8| matches!(byte, b',' | b';' | b'|' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b' ' | b'=');
    let is_break = |byte: &u8| matches!(byte, b',' | b';' | b'|' | b'\t' | b'\n' | b'\r');
    let plain = bytes.iter().take(5).take_while(is_part).count();
    let plain = Some(plain).filter(|&len| bytes[..len].iter().any(is_break));
    plain.into_iter().chain(conc(bytes))
}

/// The length of `\n2 CONC ` at the front.
fn conc(bytes: &[u8]) -> Option<usize> {
    let line = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).filter(|at| (1..3).contains(at))?;
    let level = line + bytes[line..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let is_conc = level > line && bytes[level..].starts_with(b" CONC ");
    is_conc.then_some(level + b" CONC ".len())
}

#[cfg(test)]
mod tests {
    use crate::repair::{ChangeKind, Options, Repairer, Stretch};
    use alloc::string::String;
    use alloc::vec::Vec;

    fn rejoined(bytes: &[u8], each: usize) -> (String, Vec<ChangeKind>) {
        let (mut text, mut kinds) = (Vec::new(), Vec::new());
        let mut take = |stretch: Stretch<'_>| {
            text.extend_from_slice(stretch.text());
            if let Stretch::Changed(change) = stretch {
                kinds.push(change.kind);
            }
        };
        let mut repairer = Repairer::new(Options::new().rejoin(true));
        bytes.chunks(each).for_each(|chunk| repairer.feed(chunk, &mut take));
        repairer.finish(&mut take);
        (String::from_utf8(text).unwrap(), kinds)
    }

    #[test]
    fn parted_characters_are_joined_before_the_break() {
        for between in
            ["\n2 CONC ", "\r\n12 CONC ", "\n", "\r\n ", "\n\t", "=\r\n", "=\n", "\",\"", ";", "\"\n\"", "\t", "|"]
        {
            for word in ["pěkný", "город", "日本語", "𝄞🎵🎶", "שלום"] {
                for (at, c) in word.char_indices() {
                    for part in 1..c.len_utf8() {
                        let (front, back) = word.as_bytes().split_at(at + part);
                        let bytes = [b"a ", front, between.as_bytes(), back, "b – ok\n".as_bytes()].concat();
                        let end = at + c.len_utf8();
                        let right = alloc::format!("a {}{between}{}b – ok\n", &word[..end], &word[end..]);
                        for each in [1, 5, bytes.len()] {
                            assert_eq!(
                                rejoined(&bytes, each),
                                (right.clone(), [ChangeKind::Rejoined].to_vec()),
                                "{bytes:02X?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_beginning_without_its_rest_is_replaced() {
        for bytes in [
            &b"a\xC5\n2 CONC b"[..],
            b"a\xE2\x82\n2 CONC \xBE\xBFb",
            b"a\xC5 \xBEb",
            b"a\xC5x\n\xBEb",
            b"a\xC5\n2 CONT \xBEb",
            b"a\xE0\n\x80\x80b",
            b"a\xC5\n\n\n\n\n\n\xBEb",
            b"a\xC5\n",
            b"a\xC5",
        ] {
            for each in [1, 3, bytes.len()] {
                assert_eq!(rejoined(bytes, each).0, String::from_utf8_lossy(bytes), "{bytes:02X?}");
            }
        }
    }
}
