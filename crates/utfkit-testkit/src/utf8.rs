//! UTF-8, transcribed from its definitions: tables of byte ranges, a row for
//! each rule of the grammar, and the Unicode Standard's maximal subparts.

use crate::piece::{IllFormed, Piece, What};

/// An inclusive range of octets.
type Octets = (u8, u8);

/// `UTF8-tail = %x80-BF`
const TAIL: Octets = (0x80, 0xBF);

/// A definition of well-formed UTF-8.
#[derive(Debug)]
pub struct Definition {
    /// The name of the standard.
    pub name: &'static str,
    /// The grammar: a sequence is well-formed if it has the length of a row and
    /// each byte is in the row's range.
    rows: &'static [&'static [Octets]],
    /// Values that match a row but are excluded.
    refused: &'static [u32],
}

/// RFC 3629 section 4; equivalent to table 3-7 of the Unicode Standard.
pub static RFC_3629: Definition = Definition {
    name: "RFC 3629",
    rows: &[
        // UTF8-1 = %x00-7F
        &[(0x00, 0x7F)],
        // UTF8-2 = %xC2-DF UTF8-tail
        &[(0xC2, 0xDF), TAIL],
        // UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) /
        //          %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
        &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
        &[(0xE1, 0xEC), TAIL, TAIL],
        &[(0xED, 0xED), (0x80, 0x9F), TAIL],
        &[(0xEE, 0xEF), TAIL, TAIL],
        // UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) /
        //          %xF4 %x80-8F 2( UTF8-tail )
        &[(0xF0, 0xF0), (0x90, 0xBF), TAIL, TAIL],
        &[(0xF1, 0xF3), TAIL, TAIL, TAIL],
        &[(0xF4, 0xF4), (0x80, 0x8F), TAIL, TAIL],
    ],
    refused: &[],
};

/// RFC 3629 without U+FFFE and U+FFFF ("What is UTF-8?", utf-8(7)).
pub static KUHN: Definition = Definition { name: "Kuhn", rows: RFC_3629.rows, refused: &[0xFFFE, 0xFFFF] };

/// RFC 3629 without the 66 noncharacters (the Unicode Standard, D14).
pub static NO_NONCHARACTERS: Definition =
    Definition { name: "no noncharacters", rows: RFC_3629.rows, refused: &NONCHARACTERS };

/// "Code points U+FDD0 through U+FDEF and the last two code points of each
/// plane": 32, and two of each of 17.
static NONCHARACTERS: [u32; 66] = {
    let mut all = [0; 66];
    let mut i = 0;
    while i < 32 {
        all[i] = 0xFDD0 + i as u32;
        i += 1;
    }
    while i < 66 {
        let (plane, odd) = ((i as u32 - 32) / 2, (i as u32 - 32) % 2);
        all[i] = plane * 0x1_0000 + 0xFFFE + odd;
        i += 1;
    }
    all
};

/// RFC 2279 section 2: the shortest of the six forms, no surrogates.
pub static RFC_2279: Definition = Definition {
    name: "RFC 2279",
    rows: &[
        // 0000 0000-0000 007F
        &[(0x00, 0x7F)],
        // 0000 0080-0000 07FF
        &[(0xC2, 0xDF), TAIL],
        // 0000 0800-0000 FFFF without D800-DFFF
        &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
        &[(0xE1, 0xEC), TAIL, TAIL],
        &[(0xED, 0xED), (0x80, 0x9F), TAIL],
        &[(0xEE, 0xEF), TAIL, TAIL],
        // 0001 0000-001F FFFF
        &[(0xF0, 0xF0), (0x90, 0xBF), TAIL, TAIL],
        &[(0xF1, 0xF7), TAIL, TAIL, TAIL],
        // 0020 0000-03FF FFFF
        &[(0xF8, 0xF8), (0x88, 0xBF), TAIL, TAIL, TAIL],
        &[(0xF9, 0xFB), TAIL, TAIL, TAIL, TAIL],
        // 0400 0000-7FFF FFFF
        &[(0xFC, 0xFC), (0x84, 0xBF), TAIL, TAIL, TAIL, TAIL],
        &[(0xFD, 0xFD), TAIL, TAIL, TAIL, TAIL, TAIL],
    ],
    refused: &[],
};

/// RFC 2044 section 2 read as a decoder that checks only header bits.
pub static RFC_2044: Definition = Definition {
    name: "RFC 2044",
    rows: &[
        &[(0x00, 0x7F)],
        &[(0xC0, 0xDF), TAIL],
        &[(0xE0, 0xEF), TAIL, TAIL],
        &[(0xF0, 0xF7), TAIL, TAIL, TAIL],
        &[(0xF8, 0xFB), TAIL, TAIL, TAIL, TAIL],
        &[(0xFC, 0xFD), TAIL, TAIL, TAIL, TAIL, TAIL],
    ],
    refused: &[],
};

/// "The WTF-8 encoding", table 3: RFC 3629 with the surrogates.
pub static GENERALIZED: Definition = Definition {
    name: "generalized UTF-8",
    rows: &[
        &[(0x00, 0x7F)],
        &[(0xC2, 0xDF), TAIL],
        &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
        &[(0xE1, 0xEF), TAIL, TAIL],
        &[(0xF0, 0xF0), (0x90, 0xBF), TAIL, TAIL],
        &[(0xF1, 0xF3), TAIL, TAIL, TAIL],
        &[(0xF4, 0xF4), (0x80, 0x8F), TAIL, TAIL],
    ],
    refused: &[],
};

/// The 16-bit units of CESU-8 (UTR #26).
pub static CESU_8_UNITS: Definition = Definition {
    name: "the units of CESU-8",
    rows: &[&[(0x00, 0x7F)], &[(0xC2, 0xDF), TAIL], &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL], &[(0xE1, 0xEF), TAIL, TAIL]],
    refused: &[],
};

/// The 16-bit units of Java's modified UTF-8 (the Java Virtual Machine
/// Specification, 4.4.7).
pub static MODIFIED_UNITS: Definition = Definition {
    name: "the units of modified UTF-8",
    rows: &[
        &[(0x01, 0x7F)],
        &[(0xC0, 0xC0), (0x80, 0x80)],
        &[(0xC2, 0xDF), TAIL],
        &[(0xE0, 0xE0), (0xA0, 0xBF), TAIL],
        &[(0xE1, 0xEF), TAIL, TAIL],
    ],
    refused: &[],
};

/// Gives an incomplete sequence at the end of the source the kind of the only
/// error that it can become: overlong or too large.
pub fn name_what_is_forced(pieces: &mut [Piece], src: &[u8]) {
    for piece in pieces {
        let rest = &src[piece.offset..];
        let (Some(IllFormed { open: false, .. }), Some((announced, _))) = (piece.error(), header(rest[0])) else {
            continue;
        };
        let there = by_shape(rest);
        let kind = match rest[0] {
            0xC0 | 0xC1 | 0xE0 | 0xF0 => "overlong",
            0xF4..=0xFD => "too-large",
            _ => continue,
        };
        if there < announced && there == rest.len() {
            piece.what = What::IllFormed(IllFormed { kind, open: false });
        }
    }
}

/// Decodes `src`.
pub fn pieces(src: &[u8], definition: &Definition) -> Vec<Piece> {
    let mut all = Vec::new();
    pieces_into(src, definition, &mut all);
    all
}

/// Decodes `src` into `pieces`, replacing its content.
pub fn pieces_into(src: &[u8], definition: &Definition, all: &mut Vec<Piece>) {
    all.clear();
    let mut offset = 0;
    while offset < src.len() {
        let piece = front(src, offset, definition);
        offset += piece.len;
        all.push(piece);
    }
}

/// The piece at `offset`.
///
/// "Maximal subpart of an ill-formed subsequence: the longest code unit
/// subsequence starting at an unconvertible offset that is either: a. the
/// initial subsequence of a well-formed code unit sequence, or b. a
/// subsequence of length one." (The Unicode Standard, section 3.9, D93b)
fn front(src: &[u8], offset: usize, definition: &Definition) -> Piece {
    let rest = &src[offset..];
    let mut longest = 0;
    for row in definition.rows {
        let fits = row.iter().zip(rest).take_while(|((low, high), byte)| (low..=high).contains(byte)).count();
        if fits == row.len() {
            let value = spelled(&rest[..fits]);
            let what = if definition.refused.contains(&value) {
                What::IllFormed(IllFormed { kind: "noncharacter", open: false })
            } else {
                What::Value(value)
            };
            return Piece { offset, len: fits, what };
        }
        longest = longest.max(fits);
    }
    let open = longest > 0 && longest == rest.len();
    let kind = if open { "truncated" } else { kind(rest, definition) };
    Piece { offset, len: longest.max(1), what: What::IllFormed(IllFormed { kind, open }) }
}

/// The length given by a lead byte, and its value bits (RFC 2279 section 2).
/// `None` for 80–BF, FE and FF.
fn header(lead: u8) -> Option<(usize, u32)> {
    let lead_bits = u32::from(lead);
    match lead {
        0x00..=0x7F => Some((1, lead_bits)),
        0xC0..=0xDF => Some((2, lead_bits - 0xC0)),
        0xE0..=0xEF => Some((3, lead_bits - 0xE0)),
        0xF0..=0xF7 => Some((4, lead_bits - 0xF0)),
        0xF8..=0xFB => Some((5, lead_bits - 0xF8)),
        0xFC..=0xFD => Some((6, lead_bits - 0xFC)),
        0x80..=0xBF | 0xFE..=0xFF => None,
    }
}

/// The value of a sequence as long as its lead byte says.
fn spelled(sequence: &[u8]) -> u32 {
    let (_, bits) = header(sequence[0]).expect("a lead byte");
    sequence[1..].iter().fold(bits, |value, &byte| value * 0x40 + u32::from(byte - 0x80))
}

/// The number of bytes at the front of `src` that look like one sequence: the
/// lead byte and those of its continuation bytes that are present.
fn by_shape(src: &[u8]) -> usize {
    let announced = header(src[0]).map_or(1, |(len, _)| len);
    1 + src[1..].iter().take(announced - 1).take_while(|byte| (0x80..=0xBF).contains(*byte)).count()
}

/// The kind of error at the front of `src`.
fn kind(src: &[u8], definition: &Definition) -> &'static str {
    // Accept six octets where the definition has such rows.
    let six = definition.rows.iter().any(|row| row.len() == 6);
    let Some((announced, _)) = header(src[0]) else {
        return if src[0] < 0xC0 { "unexpected-continuation" } else { "invalid-byte" };
    };
    let there = by_shape(src);
    if there < announced {
        return if announced > 4 && !six { "invalid-byte" } else { "missing-continuation" };
    }
    let value = spelled(&src[..there]);
    let least = [0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000][announced - 1];
    if !six && (announced > 4 || value > 0x10_FFFF) {
        "too-large"
    } else if value < least {
        "overlong"
    } else {
        "surrogate"
    }
}

/// The end of the sequence that `check` reports for the error `piece`: `C0 AF`,
/// `ED A0 80` and `F8 88 80 80 80` are whole.
pub fn sequence_end(src: &[u8], piece: &Piece) -> usize {
    let whole = match piece.error().map(|error| error.kind) {
        Some("missing-continuation") => by_shape(&src[piece.offset..]),
        // Five- and six-byte forms count as one sequence only if complete.
        Some("overlong" | "surrogate" | "too-large" | "invalid-byte") => {
            let (lead, there) = (src[piece.offset], by_shape(&src[piece.offset..]));
            let whole = header(lead).is_some_and(|(announced, _)| there == announced);
            if whole || lead <= 0xF7 { there } else { 0 }
        }
        _ => 0,
    };
    piece.offset + piece.len.max(whole)
}

/// Appends the shortest form of `value`: the table of RFC 3629 section 3 or,
/// above U+10FFFF, of RFC 2279 section 2.
pub fn encode(value: u32, out: &mut Vec<u8>) {
    let tail = |sixes: u32| 0x80 + (value / 0x40_u32.pow(sixes) % 0x40) as u8;
    let lead = |header: u8, sixes: u32| header + (value / 0x40_u32.pow(sixes)) as u8;
    match value {
        0..0x80 => out.push(value as u8),
        0x80..0x800 => out.extend([lead(0xC0, 1), tail(0)]),
        0x800..0x1_0000 => out.extend([lead(0xE0, 2), tail(1), tail(0)]),
        0x1_0000..0x20_0000 => out.extend([lead(0xF0, 3), tail(2), tail(1), tail(0)]),
        0x20_0000..0x400_0000 => out.extend([lead(0xF8, 4), tail(3), tail(2), tail(1), tail(0)]),
        _ => out.extend([lead(0xFC, 5), tail(4), tail(3), tail(2), tail(1), tail(0)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::BOUNDARY_BYTES;

    /// Compares with std, an independent reading of the same grammar.
    fn agrees_with_std(src: &[u8]) {
        let found = pieces(src, &RFC_3629);
        let first = found.iter().find(|piece| piece.error().is_some());
        let std = core::str::from_utf8(src).err();
        assert_eq!(
            first.map(|p| (p.offset, p.error_len())),
            std.map(|e| (e.valid_up_to(), e.error_len())),
            "{src:02X?}"
        );
        let lossy: String =
            found.iter().map(|p| p.value().map_or('\u{FFFD}', |v| char::from_u32(v).unwrap())).collect();
        assert_eq!(lossy, String::from_utf8_lossy(src), "{src:02X?}");
    }

    #[test]
    fn the_reference_agrees_with_std_on_short_strings() {
        for a in 0..=255 {
            agrees_with_std(&[a]);
            for b in 0..=255 {
                agrees_with_std(&[a, b]);
                for c in BOUNDARY_BYTES {
                    agrees_with_std(&[a, b, c]);
                }
            }
        }
        for a in BOUNDARY_BYTES {
            for b in BOUNDARY_BYTES {
                for c in BOUNDARY_BYTES {
                    for d in BOUNDARY_BYTES {
                        agrees_with_std(&[a, b, c, d]);
                    }
                }
            }
        }
    }

    #[test]
    fn the_reference_encodes_as_std_does() {
        for c in '\0'..=char::MAX {
            let mut ours = Vec::new();
            encode(c.into(), &mut ours);
            assert_eq!(ours, c.encode_utf8(&mut [0; 4]).as_bytes(), "{c:?}");
        }
    }

    #[test]
    fn long_forms_come_back() {
        for value in [0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFF] {
            let mut bytes = Vec::new();
            encode(value, &mut bytes);
            for definition in [&RFC_2279, &RFC_2044] {
                let whole = Piece { offset: 0, len: bytes.len(), what: What::Value(value) };
                assert_eq!(pieces(&bytes, definition), [whole], "{} {value:X}", definition.name);
            }
        }
    }
}
