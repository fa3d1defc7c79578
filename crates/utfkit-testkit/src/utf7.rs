//! UTF-7, transcribed from RFC 2152 and RFC 3501 section 5.1.3: the text is
//! split into runs, and each base64 run into bits.

use crate::encoder::Encoder;
use crate::piece::{IllFormed, Piece, What};

/// Set D: characters that encode themselves.
const SET_D: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:?";
/// Set O: characters that may encode themselves.
const SET_O: &[u8] = b"!\"#$%&*;<=>@[]^_`{|}";
/// Characters that rule 3 adds.
const SPACES: &[u8] = b" \t\r\n";
/// The base64 alphabet.
const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The base64 alphabet of mailbox names.
const MAILBOX_DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";

/// A variant of UTF-7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// RFC 2152, with set O in base64.
    Rfc2152,
    /// RFC 2152, with set O written directly.
    Optional,
    /// RFC 3501 section 5.1.3.
    Mailbox,
}

impl Kind {
    fn shift(self) -> u8 {
        if self == Kind::Mailbox { b'&' } else { b'+' }
    }

    fn digits(self) -> &'static [u8] {
        if self == Kind::Mailbox { MAILBOX_DIGITS } else { DIGITS }
    }

    fn number(self, byte: u8) -> Option<u8> {
        self.digits().iter().position(|digit| *digit == byte).map(|at| at as u8)
    }

    /// True if the decoder accepts `byte` outside of a run.
    fn allows(self, byte: u8) -> bool {
        match self {
            Kind::Mailbox => matches!(byte, 0x20..=0x25 | 0x27..=0x7E),
            _ => SET_D.contains(&byte) || SET_O.contains(&byte) || SPACES.contains(&byte),
        }
    }

    /// True if the encoder writes `byte` directly.
    fn writes(self, byte: u8) -> bool {
        self.allows(byte) && (self != Kind::Rfc2152 || !SET_O.contains(&byte))
    }
}

/// Decodes `src`.
pub fn pieces(src: &[u8], kind: Kind) -> Vec<Piece> {
    let error = |kind, open| What::IllFormed(IllFormed { kind, open });
    let mut all = Vec::new();
    let mut offset = 0;
    let mut after_run = false;
    while offset < src.len() {
        let was_after_run = std::mem::take(&mut after_run);
        let byte = src[offset];
        if byte != kind.shift() {
            let what = if kind.allows(byte) { What::Value(byte.into()) } else { error("invalid-byte", false) };
            all.push(Piece { offset, len: 1, what });
            offset += 1;
            continue;
        }
        let start = offset + 1;
        let digits = src[start..].iter().take_while(|byte| kind.number(**byte).is_some()).count();
        let end = start + digits;
        if digits == 0 {
            let (len, what) = match src.get(start) {
                None => (1, error("truncated", true)),
                Some(b'-') => (2, What::Value(byte.into())),
                Some(_) => (1, error("empty-shift", false)),
            };
            all.push(Piece { offset, len, what });
            offset += len;
            continue;
        }
        // A null shift: the previous run ended only to begin another.
        let needless = kind == Kind::Mailbox && was_after_run;
        all.push(Piece {
            offset,
            len: 1,
            what: if needless { error("needless-shift", false) } else { What::StateChange },
        });
        run(src, start, end, kind, &mut all);
        offset = end;
        if src.get(end) == Some(&b'-') {
            all.push(Piece { offset, len: 1, what: What::StateChange });
            offset += 1;
            after_run = true;
        }
    }
    all
}

/// A UTF-16 unit and the source bytes in which its bits end.
struct Unit {
    unit: u16,
    start: usize,
    end: usize,
}

/// Decodes the base64 digits from `start` to `end`, which form a whole run.
fn run(src: &[u8], start: usize, end: usize, kind: Kind, all: &mut Vec<Piece>) {
    let mut bits = Vec::new();
    for byte in &src[start..end] {
        let number = kind.number(*byte).expect("a run has digits only");
        bits.extend((0..6).rev().map(|at| number >> at & 1));
    }
    let (whole, padding) = bits.as_chunks::<16>();
    let mut units = Vec::new();
    let mut from = start;
    for (i, bits) in whole.iter().enumerate() {
        let unit = bits.iter().fold(0, |unit, bit| unit << 1 | u16::from(*bit));
        // The last bit of the unit is bit 16 i + 15 of the run.
        let to = start + (16 * i + 15) / 6 + 1;
        units.push(Unit { unit, start: from, end: to });
        from = to;
    }

    let mut add = |start: usize, end: usize, what| all.push(Piece { offset: start, len: end - start, what });
    let error = |kind, open| What::IllFormed(IllFormed { kind, open });
    let cut = end == src.len();
    let closed = src.get(end) == Some(&b'-');
    // An error of the last digit, because the run ends there.
    let at_end = if padding.contains(&1) {
        Some("padding-bits")
    } else if kind == Kind::Mailbox && !closed {
        Some("unclosed-shift")
    } else {
        None
    };
    let mut at = 0;
    while at < units.len() {
        let first = &units[at];
        let second = units.get(at + 1);
        at += 1;
        let (value, to) = match (first.unit, second) {
            (0xD800..=0xDBFF, Some(&Unit { unit: low @ 0xDC00..=0xDFFF, end, .. })) => {
                at += 1;
                (u32::from(first.unit - 0xD800) * 0x400 + u32::from(low - 0xDC00) + 0x1_0000, end)
            }
            (0xD800..=0xDBFF, None) if cut => {
                add(first.start, end, error("truncated", true));
                return;
            }
            (0xD800..=0xDFFF, _) => {
                add(first.start, first.end, error("unpaired-surrogate", false));
                continue;
            }
            (0x20..=0x7E, _) if kind == Kind::Mailbox => {
                add(first.start, first.end, error("needless-shift", false));
                continue;
            }
            (unit, _) => (u32::from(unit), first.end),
        };
        let start = first.start;
        match at_end {
            Some(kind) if to == end => {
                add(start, to - 1, What::Value(value));
                add(to - 1, to, error(kind, false));
            }
            _ => add(start, to, What::Value(value)),
        }
    }
    if from < end {
        add(from, end, if cut { error("truncated", true) } else { error("partial-unit", false) });
    }
}

/// Encodes a variant of UTF-7.
pub struct Utf7Encoder {
    kind: Kind,
    /// The bits of the open run that do not fill a digit yet.
    run: Option<Vec<bool>>,
}

impl Utf7Encoder {
    /// An encoder at the beginning of a text.
    pub fn new(kind: Kind) -> Utf7Encoder {
        Utf7Encoder { kind, run: None }
    }

    /// Ends the open run, before `next`.
    fn close(&mut self, next: Option<u8>, out: &mut Vec<u8>) {
        let Some(mut bits) = self.run.take() else { return };
        while !bits.len().is_multiple_of(6) {
            bits.push(false);
        }
        self.digits(&mut bits, out);
        let told = next.is_some_and(|next| next != b'-' && self.kind.number(next).is_none());
        if self.kind == Kind::Mailbox || !told {
            out.push(b'-');
        }
    }

    fn digits(&self, bits: &mut Vec<bool>, out: &mut Vec<u8>) {
        while bits.len() >= 6 {
            let number = bits.drain(..6).fold(0, |number, bit| number * 2 + usize::from(bit));
            out.push(self.kind.digits()[number]);
        }
    }
}

impl Encoder for Utf7Encoder {
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        let Some(c) = char::from_u32(value) else { return false };
        match u8::try_from(value) {
            Ok(byte) if self.kind.writes(byte) => {
                self.close(Some(byte), out);
                out.push(byte);
            }
            Ok(byte) if byte == self.kind.shift() && (self.run.is_none() || self.kind == Kind::Mailbox) => {
                self.close(Some(byte), out);
                out.extend([byte, b'-']);
            }
            _ => {
                let mut bits = self.run.take().unwrap_or_else(|| {
                    out.push(self.kind.shift());
                    Vec::new()
                });
                for unit in c.encode_utf16(&mut [0; 2]) {
                    bits.extend((0..16).rev().map(|at| *unit >> at & 1 == 1));
                }
                self.digits(&mut bits, out);
                self.run = Some(bits);
            }
        }
        true
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.close(None, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Scheme;

    /// The examples of RFC 2152, and the one of RFC 3501 section 5.1.3.
    #[test]
    fn the_examples() {
        for (scheme, text, bytes) in [
            (Scheme::Utf7, "A\u{2262}\u{391}.", &b"A+ImIDkQ."[..]),
            (Scheme::Utf7Optional, "Hi Mom -\u{263A}-!", b"Hi Mom -+Jjo--!"),
            (Scheme::Utf7, "\u{65E5}\u{672C}\u{8A9E}", b"+ZeVnLIqe-"),
            (Scheme::Utf7, "Item 3 is \u{A3}1.", b"Item 3 is +AKM-1."),
            (
                Scheme::ImapUtf7,
                "~peter/mail/\u{53F0}\u{5317}/\u{65E5}\u{672C}\u{8A9E}",
                b"~peter/mail/&U,BTFw-/&ZeVnLIqe-",
            ),
        ] {
            let values: Vec<u32> = text.chars().map(u32::from).collect();
            assert_eq!(scheme.encode_all(&values).as_deref(), Some(bytes), "{text}");
            let read: Vec<u32> = scheme.pieces(bytes).iter().filter_map(Piece::value).collect();
            assert_eq!(read, values, "{text}");
            assert!(scheme.pieces(bytes).iter().all(|piece| piece.error().is_none()), "{text}");
        }
    }
}
