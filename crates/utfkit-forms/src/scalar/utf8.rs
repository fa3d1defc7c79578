//! UTF-8 by RFC 3629, and the differences of RFC 2279, RFC 2044, Kuhn's definition
//! and UTF-8 without noncharacters.
//!
//! ```text
//! value                octets (RFC 3629 section 3; RFC 2279 section 2)
//! 0000 0000-0000 007F  0xxxxxxx
//! 0000 0080-0000 07FF  110xxxxx 10xxxxxx
//! 0000 0800-0000 FFFF  1110xxxx 10xxxxxx 10xxxxxx
//! 0001 0000-0010 FFFF  11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
//!          -001F FFFF  the same, RFC 2279
//! 0020 0000-03FF FFFF  111110xx 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx
//! 0400 0000-7FFF FFFF  1111110x 10xxxxxx ... 10xxxxxx
//! ```

use super::{Decoded, Encoded, Form, is_scalar_value, is_surrogate};
use crate::ErrorKind;
use crate::Standard;

/// UTF-8 of RFC 3629.
pub struct Utf8;

impl Form for Utf8 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        decode_rfc3629(src)
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        is_scalar_value(value).then(|| encode_31_bits(value))
    }
}

/// `UTF8-tail = %x80-BF`, and what holds for every continuation octet.
#[inline(always)]
pub const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[inline(always)]
const fn tail_bits(byte: u8) -> u32 {
    (byte & 0x3F) as u32
}

/// How many octets the header of `lead` announces (RFC 2279 section 2): the
/// number of its leading one bits, 1 for US-ASCII. 0 for a continuation octet
/// and for FE and FF, which announce nothing.
#[inline]
pub const fn announced_len(lead: u8) -> usize {
    match lead.leading_ones() {
        0 => 1,
        n @ 2..=6 => n as usize,
        _ => 0,
    }
}

/// The least value that `len` octets may encode.
const fn least_value(len: usize) -> u32 {
    match len {
        0 | 1 => 0,
        2 => 0x80,
        3 => 0x800,
        4 => 0x1_0000,
        5 => 0x20_0000,
        _ => 0x400_0000,
    }
}

/// The ABNF of RFC 3629 section 4, one rule an arm:
///
/// ```text
/// UTF8-2 = %xC2-DF UTF8-tail
/// UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) /
///          %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
/// UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) /
///          %xF4 %x80-8F 2( UTF8-tail )
/// ```
///
/// Returns the length and the range of the second octet; length 0 for
/// octets that begin nothing.
#[inline(always)]
pub(crate) const fn rule(lead: u8) -> (usize, u8, u8) {
    match lead {
        0x00..=0x7F => (1, 0, 0),
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xE1..=0xEC | 0xEE..=0xEF => (3, 0x80, 0xBF),
        0xED => (3, 0x80, 0x9F),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => (0, 0, 0),
    }
}

/// The length of a well-formed sequence that begins with `lead`; 0 if none does.
#[inline]
pub const fn well_formed_len(lead: u8) -> usize {
    rule(lead).0
}

/// The first value of well-formed text, and the rest; `None` if `src` is empty. Checks
/// nothing: the value of ill-formed text is unspecified.
#[inline(always)]
pub fn split_well_formed(src: &[u8]) -> Option<(u32, &[u8])> {
    Some(match *src {
        [lead @ 0xC2..0xE0, a, ref rest @ ..] => (u32::from(lead & 0x1F) << 6 | tail_bits(a), rest),
        [lead @ 0xE0..0xF0, a, b, ref rest @ ..] => {
            (u32::from(lead & 0x0F) << 12 | tail_bits(a) << 6 | tail_bits(b), rest)
        }
        [lead @ 0xF0..=0xFF, a, b, c, ref rest @ ..] => {
            (u32::from(lead & 0x07) << 18 | tail_bits(a) << 12 | tail_bits(b) << 6 | tail_bits(c), rest)
        }
        [byte, ref rest @ ..] => (byte.into(), rest),
        [] => return None,
    })
}

/// How many bytes at the end of `src` are the beginning of a sequence that
/// more could complete: 0 to 3.
#[inline]
pub fn unfinished_tail(src: &[u8]) -> usize {
    for back in 1..=src.len().min(3) {
        let tail = &src[src.len() - back..];
        if !is_continuation(tail[0]) {
            return if matches!(decode_rfc3629(tail), Decoded::Unfinished { .. }) { back } else { 0 };
        }
    }
    0
}

/// The range of the byte after `lead`; `None` if none may follow.
pub const fn second_range(lead: u8) -> Option<(u8, u8)> {
    match rule(lead) {
        (0 | 1, ..) => None,
        (_, low, high) => Some((low, high)),
    }
}

#[inline(always)]
fn decode_rfc3629(src: &[u8]) -> Decoded {
    decode_by(src, rule)
}

/// Decodes by a table in place of [`rule`]. The kind of an error is RFC 3629's.
#[inline(always)]
pub(crate) fn decode_by(src: &[u8], rule: impl Fn(u8) -> (usize, u8, u8)) -> Decoded {
    let lead = src[0];
    if lead < 0x80 {
        return Decoded::Value { value: lead.into(), len: 1 };
    }
    let (need, low, high) = rule(lead);
    if need == 0 {
        return Decoded::IllFormed { kind: sequence(src).kind, len: 1 };
    }
    let mut value = u32::from(lead) & (0x7F >> need);
    let mut have = 1;
    while have < need {
        let Some(&next) = src.get(have) else {
            return Decoded::Unfinished { kind: ErrorKind::Truncated, len: have };
        };
        let fits = if have == 1 { low <= next && next <= high } else { is_continuation(next) };
        if !fits {
            return Decoded::IllFormed { kind: sequence(src).kind, len: have };
        }
        value = value << 6 | tail_bits(next);
        have += 1;
    }
    Decoded::Value { value, len: need }
}

/// Reads the front of `src`, which is not empty, as `standard` defines UTF-8.
///
/// A noncharacter that `standard` refuses is one ill-formed sequence of all
/// its octets.
#[inline]
pub fn decode(src: &[u8], standard: Standard) -> Decoded {
    match standard {
        Standard::Rfc3629 => decode_rfc3629(src),
        Standard::Kuhn | Standard::NoNoncharacters => match decode_rfc3629(src) {
            Decoded::Value { value, len } if standard.refuses(value) => {
                Decoded::IllFormed { kind: ErrorKind::Noncharacter, len }
            }
            other => other,
        },
        Standard::Rfc2279 => decode_31_bits(src, true),
        Standard::Rfc2044 => decode_31_bits(src, false),
    }
}

/// RFC 2279 section 2 and, without `shortest`, RFC 2044 section 2.
fn decode_31_bits(src: &[u8], shortest: bool) -> Decoded {
    let lead = src[0];
    let need = announced_len(lead);
    if need == 1 {
        return Decoded::Value { value: lead.into(), len: 1 };
    }
    let error = |len: usize| {
        let seen = sequence(src);
        // A five- or six-octet form is not too large here: if something is
        // wrong with a complete one, it is that it was not the shortest.
        let kind = match seen.kind {
            ErrorKind::TooLarge => ErrorKind::Overlong,
            ErrorKind::InvalidByte if lead < 0xFE => ErrorKind::MissingContinuation,
            kind => kind,
        };
        Decoded::IllFormed { kind, len }
    };
    if need == 0 || (shortest && matches!(lead, 0xC0 | 0xC1)) {
        return error(1);
    }
    let mut value = u32::from(lead) & (0x7F >> need);
    let mut have = 1;
    while have < need {
        let Some(&next) = src.get(have) else {
            return Decoded::Unfinished { kind: ErrorKind::Truncated, len: have };
        };
        if !is_continuation(next) {
            return error(have);
        }
        value = value << 6 | tail_bits(next);
        have += 1;
        // The second octet decides whether the form is the shortest and
        // whether the value is a surrogate: the rest adds only low bits.
        if shortest && have == 2 {
            let lowest = value << (6 * (need - 2));
            if lowest < least_value(need) || (need == 3 && is_surrogate(lowest)) {
                return error(1);
            }
        }
    }
    Decoded::Value { value, len: need }
}

/// The shortest form of a value of at most 31 bits (RFC 2279 section 2).
#[inline]
pub fn encode_31_bits(value: u32) -> Encoded<u8> {
    debug_assert!(value < 0x8000_0000);
    let tail = |shift: u32| 0x80 | (value >> shift) as u8 & 0x3F;
    match value {
        0..=0x7F => Encoded::from_slice(&[value as u8]),
        0x80..=0x7FF => Encoded::from_slice(&[0xC0 | (value >> 6) as u8, tail(0)]),
        0x800..=0xFFFF => Encoded::from_slice(&[0xE0 | (value >> 12) as u8, tail(6), tail(0)]),
        0x1_0000..=0x1F_FFFF => Encoded::from_slice(&[0xF0 | (value >> 18) as u8, tail(12), tail(6), tail(0)]),
        0x20_0000..=0x3FF_FFFF => {
            Encoded::from_slice(&[0xF8 | (value >> 24) as u8, tail(18), tail(12), tail(6), tail(0)])
        }
        _ => Encoded::from_slice(&[0xFC | (value >> 30) as u8, tail(24), tail(18), tail(12), tail(6), tail(0)]),
    }
}

/// An ill-formed sequence as a person would delimit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// All of its octets, at least 1.
    pub len: usize,
    pub kind: ErrorKind,
    /// The value of its bits, if it has all the octets that its header announces.
    pub value: Option<u32>,
    /// The octets ended before the header's announcement was met or broken.
    pub open: bool,
}

/// Names the sequence at the front of `src`, which is not empty, by its shape
/// alone (RFC 2279's header bits). It is meant for the front of an
/// ill-formed sequence; a well-formed one comes back as a
/// [`Noncharacter`](ErrorKind::Noncharacter), the one error left to it.
///
/// A sequence whose octets are not all there is `MissingContinuation`, but a
/// lead F8–FD without them is an `InvalidByte`, as are FE and FF.
pub fn sequence(src: &[u8]) -> Sequence {
    let lead = src[0];
    let alone = |kind, open| Sequence { len: 1, kind, value: None, open };
    if is_continuation(lead) {
        return alone(ErrorKind::UnexpectedContinuation, false);
    }
    let need = announced_len(lead);
    if need == 0 {
        return alone(ErrorKind::InvalidByte, false);
    }
    let mut value = if need == 1 { u32::from(lead) } else { u32::from(lead) & (0x7F >> need) };
    let mut have = 1;
    while have < need {
        match src.get(have) {
            Some(&next) if is_continuation(next) => value = value << 6 | tail_bits(next),
            next => {
                let open = next.is_none();
                return match lead {
                    0xF8.. => alone(ErrorKind::InvalidByte, open),
                    _ => Sequence { len: have, kind: ErrorKind::MissingContinuation, value: None, open },
                };
            }
        }
        have += 1;
    }
    let kind = if need > 4 || value > super::MAX_CODE_POINT {
        ErrorKind::TooLarge
    } else if value < least_value(need) {
        ErrorKind::Overlong
    } else if is_surrogate(value) {
        ErrorKind::Surrogate
    } else {
        ErrorKind::Noncharacter
    };
    Sequence { len: need, kind, value: Some(value), open: false }
}

/// [`sequence`] for the front of a sequence that a decoder calls ill-formed for
/// `kind`. Where 31 bits are allowed, the octets of an incomplete form of five or
/// six stay together.
pub fn sequence_of(src: &[u8], kind: ErrorKind) -> Sequence {
    let mut seen = sequence(src);
    if kind == ErrorKind::MissingContinuation && seen.len == 1 {
        let announced = announced_len(src[0]).saturating_sub(1);
        seen.len += src[1..].iter().take(announced).take_while(|&&byte| is_continuation(byte)).count();
    }
    seen
}

/// The kind of a [`sequence`] that is ill-formed and has a byte after its
/// maximal subpart that continues nothing.
#[inline]
pub fn broken_kind(lead: u8) -> ErrorKind {
    match lead {
        0x80..=0xBF => ErrorKind::UnexpectedContinuation,
        0xF8..=0xFF => ErrorKind::InvalidByte,
        _ => ErrorKind::MissingContinuation,
    }
}

/// The kind of the error at the front of `src`: by all of its bytes if they are
/// there, by the bytes at hand if not.
pub(crate) fn kind_at_hand(src: &[u8]) -> ErrorKind {
    match sequence(src) {
        Sequence { open: true, .. } => forced_kind(src),
        Sequence { kind, .. } => kind,
    }
}

/// The kind that the front of `src` has whatever follows, for a [`sequence`]
/// that is ill-formed and [`open`](Sequence::open).
pub fn forced_kind(src: &[u8]) -> ErrorKind {
    match src[0] {
        // C0 and C1 encode nothing else, and after E0 and F0 it was the
        // second octet that was too small.
        0xC0 | 0xC1 | 0xE0 | 0xF0 => ErrorKind::Overlong,
        // The second octet was too large for anything but a surrogate.
        0xED => ErrorKind::Surrogate,
        0xF4..=0xFD => ErrorKind::TooLarge,
        _ => ErrorKind::MissingContinuation,
    }
}

/// The kind of every sequence that begins with `front`, a lead octet and perhaps
/// continuation octets; `None` if `standard` allows one of them, or if `front`
/// begins none.
pub fn doomed_kind(front: &[u8], standard: Standard) -> Option<ErrorKind> {
    let (lead, tail) = front.split_first()?;
    let need = announced_len(*lead);
    if need < 2 || front.len() > need || standard == Standard::Rfc2044 {
        return None;
    }
    if need > 4 && standard != Standard::Rfc2279 {
        return Some(ErrorKind::TooLarge);
    }
    let first = u32::from(*lead) & (0x7F >> need);
    let known = tail.iter().fold(first, |value, &octet| value << 6 | tail_bits(octet));
    let open_bits = 6 * (need - front.len());
    let (least, greatest) = (known << open_bits, ((known + 1) << open_bits) - 1);
    if greatest < least_value(need) {
        Some(ErrorKind::Overlong)
    } else if is_surrogate(least) && is_surrogate(greatest) {
        Some(ErrorKind::Surrogate)
    } else if least > super::MAX_CODE_POINT && standard != Standard::Rfc2279 {
        Some(ErrorKind::TooLarge)
    } else {
        None
    }
}

/// The character whose CESU-8 form of six octets is at the front of `src`, if there
/// is one: a surrogate pair, each half in three (Unicode Technical
/// Report 26). RFC 3629 section 3 has `ED A1 8C ED BE B4`, U+233B4.
pub fn cesu8_pair(src: &[u8]) -> Option<u32> {
    let &[0xED, a @ 0xA0..=0xAF, b @ 0x80..=0xBF, 0xED, c @ 0xB0..=0xBF, d @ 0x80..=0xBF] = src.first_chunk()? else {
        return None;
    };
    let (high, low) = (tail_bits(a & 0x0F) << 6 | tail_bits(b), tail_bits(c & 0x0F) << 6 | tail_bits(d));
    Some(0x1_0000 + (high << 10 | low))
}

/// True if `src` is the first half of a [`cesu8_pair`] and ends inside the second
/// one.
pub fn awaits_low_surrogate(src: &[u8]) -> bool {
    matches!(
        src,
        [0xED, 0xA0..=0xAF, 0x80..=0xBF]
            | [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED]
            | [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF]
    )
}

/// Decodes the front of `src`, which is not empty, by header bits alone, joining
/// surrogates. Returns the scalar value, if there is one, and the octets read.
pub fn read_leniently(src: &[u8]) -> (Option<u32>, usize) {
    if let Some(value) = cesu8_pair(src) {
        return (Some(value), 6);
    }
    match decode_31_bits(src, false) {
        Decoded::Value { value, len } => (Some(value).filter(|&value| super::is_scalar_value(value)), len),
        _ => (None, sequence(src).len),
    }
}
