//! UTF-7, RFC 2152, and the variant of it that names mailboxes, RFC 3501
//! section 5.1.3: US-ASCII as it is, and everything else as UTF-16 in base64
//! between a shift and what ends it.
//!
//! ```text
//! A + I m I D k Q - .     A≢Α.                        (RFC 2152, examples)
//!     8 38 8 3 36 16      2262 0391, the most significant bit first, in
//!                         digits of six bits; the last one is filled up
//!                         with zeros
//! ```
//!
//! | | UTF-7 | mailbox names |
//! |---|---|---|
//! | the shift; itself | `+`; `+-` | `&`; `&-` |
//! | digit 63 | `/` | `,` |
//! | as it is | sets D and O, SP TAB LF CR | 20–7E without `&` |
//! | in base64 | anything | all but 20–7E |
//! | ends a run | `-`, or any byte that is not a digit | `-` |
//! | a run directly after a run | allowed | refused |
//!
//! # Where an error lies
//!
//! An error takes the bytes that are wrong and never a character that is not:
//!
//! - A run ends inside a unit: the digits of that unit.
//! - Bits are left over that are not zero, or nothing closes a run that has to
//!   be closed: the last digit. The character before, to which some of its
//!   bits belong, is read without it.
//! - A surrogate without its other half, or what a mailbox name must not have
//!   in base64: the digits of that unit. How the run ends after one of these
//!   is not judged: the error has the last digit already.
//! - The input ends inside any of it: all that is left.

use super::utf7_variants::Variant;
use super::utf16::{Utf16, is_high, is_low, join};
use super::{Decoded, Encoded, Form, ReadRun, Reader, WriteRun, Writer, Written, is_surrogate};
use crate::error::ErrorKind;

/// Bits of a run that are left over, fewer than six: of the reader's last
/// digit, or not yet in one of the writer's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rest {
    bits: u32,
    count: u32,
}

/// The decoder.
#[derive(Clone, Debug)]
pub(crate) struct Utf7Reader {
    place: Place,
    variant: &'static Variant,
}

/// The state of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Outside of a run.
    Direct,
    /// Outside of a run, directly after the `-` that closed one, where that matters.
    Closed,
    /// In a run, after a unit that had all of its bits but these.
    Run(Rest),
    /// Before the last digit of a run, which has this error.
    LastDigit(ErrorKind),
}

/// The front of some digits.
enum Front {
    /// A unit of `len` digits.
    Unit { unit: u16, len: usize, rest: Rest },
    /// `len` digits, and then something else.
    Partial { len: usize },
    /// Digits to the end, too few.
    Open,
}

/// Reads one unit: `before`, and two or three digits.
#[inline(always)]
fn unit(variant: &Variant, before: Rest, src: &[u8]) -> Front {
    let Rest { mut bits, mut count } = before;
    let mut len = 0;
    while count < 16 {
        let Some(&byte) = src.get(len) else { return Front::Open };
        let Some(number) = variant.digit(byte) else { return Front::Partial { len } };
        bits = bits << 6 | number;
        count += 6;
        len += 1;
    }
    count -= 16;
    Front::Unit { unit: (bits >> count) as u16, len, rest: Rest { bits: bits & ((1 << count) - 1), count } }
}

impl Utf7Reader {
    pub(crate) const fn new(variant: &'static Variant) -> Utf7Reader {
        Utf7Reader { place: Place::Direct, variant }
    }

    /// True outside of a run, where most bytes are characters.
    #[inline(always)]
    pub(crate) fn is_direct(&self) -> bool {
        self.place == Place::Direct
    }

    /// The input ends where more would be needed.
    fn open(&mut self, src: &[u8], last: bool) -> Decoded {
        if last {
            self.place = Place::Direct;
        }
        Decoded::Unfinished { kind: ErrorKind::Truncated, len: src.len() }
    }

    /// Reads the front of `src` outside of a run.
    fn direct(&mut self, src: &[u8], last: bool) -> Decoded {
        let variant = self.variant;
        let byte = src[0];
        let (place, decoded) = if byte != variant.shift {
            let decoded = match variant.reads(byte) {
                true => Decoded::Value { value: byte.into(), len: 1 },
                false => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
            };
            (Place::Direct, decoded)
        } else {
            match src.get(1) {
                None => return self.open(src, last),
                Some(b'-') => (Place::Direct, Decoded::Value { value: variant.shift.into(), len: 2 }),
                Some(&next) if variant.is_digit(next) => {
                    // The run itself is read either way: only the shift, and
                    // the `-` before it, are too much.
                    let needless = variant.one_way && self.place == Place::Closed;
                    let decoded = match needless {
                        true => Decoded::IllFormed { kind: ErrorKind::NeedlessShift, len: 1 },
                        false => Decoded::StateChange { len: 1 },
                    };
                    (Place::Run(Rest::default()), decoded)
                }
                Some(_) => (Place::Direct, Decoded::IllFormed { kind: ErrorKind::EmptyShift, len: 1 }),
            }
        };
        self.place = place;
        decoded
    }

    /// Reads the front of `src`, which is a digit, in a run.
    fn in_run(&mut self, before: Rest, src: &[u8], last: bool) -> Decoded {
        let variant = self.variant;
        let (first, mut len, mut rest) = match unit(variant, before, src) {
            Front::Unit { unit, len, rest } => (unit, len, rest),
            Front::Partial { len } => {
                self.place = Place::Run(Rest::default());
                return Decoded::IllFormed { kind: ErrorKind::PartialUnit, len };
            }
            Front::Open => return self.open(src, last),
        };
        let mut value = u32::from(first);
        let mut error = is_low(first).then_some(ErrorKind::UnpairedSurrogate);
        if is_high(first) {
            // RFC 2781 section 2.2.
            match unit(variant, rest, &src[len..]) {
                Front::Unit { unit: second, len: more, rest: after } if is_low(second) => {
                    value = join(first, second);
                    len += more;
                    rest = after;
                }
                Front::Open => return self.open(src, last),
                Front::Unit { .. } | Front::Partial { .. } => error = Some(ErrorKind::UnpairedSurrogate),
            }
        } else if variant.is_needless(value) {
            error = Some(ErrorKind::NeedlessShift);
        }
        if let Some(kind) = error {
            self.place = Place::Run(rest);
            return Decoded::IllFormed { kind, len };
        }
        // How the run ends matters only if bits are left over that are not
        // zero, or if `-` has to be there.
        if rest.bits != 0 || variant.one_way {
            let next = src.get(len).copied();
            if next.is_none() && !last {
                return self.open(src, last);
            }
            let error = match next {
                Some(next) if variant.is_digit(next) => None,
                _ if rest.bits != 0 => Some(ErrorKind::PaddingBits),
                Some(b'-') => None,
                _ => Some(ErrorKind::UnclosedShift),
            };
            if let Some(kind) = error {
                self.place = Place::LastDigit(kind);
                return Decoded::Value { value, len: len - 1 };
            }
        }
        self.place = Place::Run(rest);
        Decoded::Value { value, len }
    }
}

impl Reader for Utf7Reader {
    #[inline]
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match self.place {
            Place::LastDigit(kind) => {
                self.place = Place::Run(Rest::default());
                Decoded::IllFormed { kind, len: 1 }
            }
            Place::Run(_) if src[0] == b'-' => {
                self.place = if self.variant.one_way { Place::Closed } else { Place::Direct };
                Decoded::StateChange { len: 1 }
            }
            Place::Run(rest) if self.variant.is_digit(src[0]) => self.in_run(rest, src, last),
            Place::Run(_) | Place::Direct | Place::Closed => self.direct(src, last),
        }
    }

    /// Between runs only.
    fn state(&self) -> u32 {
        u32::from(self.place == Place::Closed)
    }

    fn set_state(&mut self, state: u32) {
        self.place = if state == 0 { Place::Direct } else { Place::Closed };
    }
}

/// The encoder.
///
/// It leaves a run for the first character that it writes as it is, with `-`
/// where that would else be read as a part of the run, or where there has to
/// be one; and always at the end of the text, so that another may follow.
/// Within a run UTF-7's own shift is base64 like anything else: `+-` there
/// would be a digit and the end.
#[derive(Clone, Debug)]
pub(crate) struct Utf7Writer {
    /// The run that is open, and its bits that are in no digit yet.
    run: Option<Rest>,
    variant: &'static Variant,
}

impl Utf7Writer {
    pub(crate) const fn new(variant: &'static Variant) -> Utf7Writer {
        Utf7Writer { run: None, variant }
    }

    /// Ends the run, if one is open: zeros fill its last digit (RFC 2152,
    /// rule 2). `closed` says whether `-` has to follow.
    fn leave(&mut self, closed: bool, out: &mut Written) {
        let Some(rest) = self.run.take() else { return };
        if rest.count > 0 {
            out.push(self.variant.digit_of(u64::from(rest.bits) << (6 - rest.count)));
        }
        if closed {
            out.push(b'-');
        }
    }
}

impl Writer for Utf7Writer {
    /// Six bytes at most: the shift and the five whole digits of a pair of
    /// surrogates, or six digits in a run.
    #[inline]
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        let variant = self.variant;
        let units = Utf16::encode(value)?;
        let mut out = Written::default();
        let byte = u8::try_from(value).ok();
        if let Some(byte) = byte.filter(|byte| variant.writes(*byte)) {
            self.leave(is_closed_before(variant, byte), &mut out);
            out.push(byte);
        } else if byte == Some(variant.shift) && (variant.one_way || self.run.is_none()) {
            self.leave(true, &mut out);
            out.push(variant.shift);
            out.push(b'-');
        } else {
            let rest = self.run.unwrap_or_else(|| {
                out.push(variant.shift);
                Rest::default()
            });
            let (mut bits, mut count) = (u64::from(rest.bits), rest.count);
            for &unit in units.as_slice() {
                bits = bits << 16 | u64::from(unit);
                count += 16;
            }
            while count >= 6 {
                count -= 6;
                out.push(variant.digit_of(bits >> count));
            }
            self.run = Some(Rest { bits: (bits & ((1 << count) - 1)) as u32, count });
        }
        Some(out.into_encoded())
    }

    fn finish(&mut self) -> Encoded<u8> {
        let mut out = Written::default();
        self.leave(true, &mut out);
        out.into_encoded()
    }
}

impl ReadRun for Utf7Reader {
    #[inline(always)]
    fn read_run(&mut self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        let variant = self.variant;
        let (mut read, mut count) = (0, 0);
        loop {
            let (taken, put) = match self.place {
                Place::Run(before) => {
                    let (taken, put) = self.digits(before, &src[read..], &mut units[count..]);
                    match src.get(read + taken) {
                        Some(b'-') => {
                            self.place = if variant.one_way { Place::Closed } else { Place::Direct };
                            (taken + 1, put)
                        }
                        Some(&byte) if !variant.is_digit(byte) && variant.reads(byte) && count + put < units.len() => {
                            self.place = Place::Direct;
                            (taken, put)
                        }
                        _ => return (read + taken, count + put),
                    }
                }
                Place::Direct | Place::Closed => {
                    let direct =
                        src[read..].iter().zip(&mut units[count..]).take_while(|(byte, _)| variant.reads(**byte));
                    let len = direct.map(|(byte, unit)| *unit = [*byte, 0]).count();
                    if len > 0 {
                        self.place = Place::Direct;
                    }
                    match src[read + len..] {
                        [shift, next, ..]
                            if shift == variant.shift && variant.is_digit(next) && self.place == Place::Direct =>
                        {
                            self.place = Place::Run(Rest::default());
                            (len + 1, len)
                        }
                        _ => return (read + len, count + len),
                    }
                }
                Place::LastDigit(_) => return (read, count),
            };
            (read, count) = (read + taken, count + put);
        }
    }
}

impl Utf7Reader {
    /// [`in_run`](Self::in_run) for unit after unit, without surrogates and errors. Where the run may
    /// end after a unit in a way that matters, it stops before the unit.
    #[inline(always)]
    fn digits(&mut self, before: Rest, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        let variant = self.variant;
        let is_special = |unit: u32| is_surrogate(unit) | variant.is_needless(unit);
        let Rest { mut bits, mut count } = before;
        let (mut at, mut put) = (0, 0);
        // The last two places between units.
        let (mut here, mut there) = ((0, before), (0, before));
        loop {
            if count == 0
                && let Some((front, space)) = src[at..].first_chunk().zip(units[put..].first_chunk_mut())
                && let Some((three, len)) = up_to_three_units(variant, front)
                && !three.iter().fold(false, |any, unit| any | is_special((*unit).into()))
            {
                *space = three.map(u16::to_le_bytes);
                if len < front.len() {
                    // What is left of the last digit is zeros.
                    self.place = Place::Run(Rest { bits: 0, count: len as u32 * 6 % 16 });
                    return (at + len, put + len / 3);
                }
                // Constants, so that the next digits need not wait for these.
                (at, put) = (at + 8, put + 3);
                // The last unit has its first four bits in the digit before its own.
                there = (at - 2, Rest { bits: u32::from(three[2] >> 12), count: 4 });
                here = (at, Rest::default());
                continue;
            }
            let Some(number) = src.get(at).and_then(|byte| variant.digit(*byte)) else { break };
            (bits, count, at) = (bits << 6 | number, count + 6, at + 1);
            if count < 16 {
                continue;
            }
            let unit = bits >> (count - 16);
            let Some(space) = units.get_mut(put).filter(|_| !is_special(unit)) else { break };
            *space = (unit as u16).to_le_bytes();
            (put, count) = (put + 1, count - 16);
            bits &= (1 << count) - 1;
            (there, here) = (here, (at, Rest { bits, count }));
        }
        let (read, rest) = here;
        let is_certain = at > read || rest.bits == 0 && (!variant.one_way || src.get(read) == Some(&b'-'));
        if put > 0 && !is_certain {
            (put, here) = (put - 1, there);
        }
        self.place = Place::Run(here.1);
        (here.0, put)
    }
}

/// The units of eight digits, or of six, three or none and then the end of the run, and how many digits these are.
/// The rest of the units are zero.
#[inline(always)]
fn up_to_three_units(variant: &Variant, src: &[u8; 8]) -> Option<([u16; 3], usize)> {
    let numbers = (0..8).rev().fold(0, |all, at| all << 8 | u64::from(variant.numbers[usize::from(src[at])]));
    // The highest bit of a byte says that it is no digit.
    let others = numbers & 0x8080_8080_8080_8080;
    let len = others.trailing_zeros() as usize / 8;
    let below = ((others & others.wrapping_neg()) >> 7).wrapping_sub(1);
    let all = (0..8).fold(0, |all, at| all << 6 | (numbers & below) >> (8 * at) & 0x3F);
    let three = [32, 16, 0].map(|after| (all >> after) as u16);
    let is_whole = match len {
        8 => true,
        6 => three[2] == 0,
        3 => all as u32 == 0,
        len => len == 0,
    };
    let is_closed = len == 8 || !variant.one_way || src[len] == b'-';
    (is_whole && is_closed).then_some((three, len))
}

impl WriteRun for Utf7Writer {
    #[inline(always)]
    fn write_run(&mut self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        let variant = self.variant;
        let (mut taken, mut written) = (0, 0);
        loop {
            let Some(rest) = self.run else {
                let direct = units[taken..].iter().zip(&mut dst[written..]);
                let len =
                    direct.take_while(|(unit, _)| is_direct(variant, **unit)).map(|(unit, to)| *to = unit[0]).count();
                (taken, written) = (taken + len, written + len);
                // A run begins.
                match (units.get(taken), dst[written..].first_chunk_mut()) {
                    (Some(unit), Some([to, _, _, _])) if is_base64(*unit) => {
                        *to = variant.shift;
                        written += 1;
                        self.run = Some(Rest::default());
                        continue;
                    }
                    _ => return (taken, written),
                }
            };
            let (len, put) = self.units_in_run(rest, &units[taken..], &mut dst[written..]);
            (taken, written) = (taken + len, written + put);
            // It ends with a character that is written directly.
            let Some([byte, _]) = units.get(taken).copied().filter(|unit| is_direct(variant, *unit)) else {
                return (taken, written);
            };
            let (Some(rest), Some(space)) = (self.run, dst[written..].first_chunk_mut::<3>()) else {
                return (taken, written);
            };
            self.run = None;
            // The next byte is written over one that does not belong there.
            let mut put = 0;
            space[put] = variant.digit_of(u64::from(rest.bits) << (6 - rest.count));
            put += usize::from(rest.count > 0);
            space[put] = b'-';
            put += usize::from(is_closed_before(variant, byte));
            space[put] = byte;
            (taken, written) = (taken + 1, written + put + 1);
        }
    }
}

/// True for a character that is written as itself.
#[inline(always)]
fn is_direct(variant: &Variant, [byte, zero]: [u8; 2]) -> bool {
    zero == 0 && variant.writes(byte)
}

/// True for a byte before which the end of a run is marked.
#[inline(always)]
fn is_closed_before(variant: &Variant, byte: u8) -> bool {
    variant.one_way || byte == b'-' || variant.is_digit(byte)
}

/// True for a character that is always written in base64, and for no surrogate.
#[inline(always)]
fn is_base64(unit: [u8; 2]) -> bool {
    let value = u16::from_le_bytes(unit).into();
    value >= 0x80 && !is_surrogate(value)
}

impl Utf7Writer {
    /// Writes the units at the front that belong into the run, without surrogates, as far as there is space. It
    /// may stop some bytes early.
    #[inline(always)]
    fn units_in_run(&mut self, rest: Rest, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        let variant = self.variant;
        let Rest { mut bits, mut count } = rest;
        let (mut taken, mut written) = (0, 0);
        while let Some(unit) = units.get(taken) {
            if count == 0
                && let Some((three, space)) = units[taken..].first_chunk::<3>().zip(dst[written..].first_chunk_mut())
                && three.iter().fold(true, |all, unit| all & is_base64(*unit))
            {
                // Three units are eight digits.
                let all = three.iter().fold(0, |all, unit| all << 16 | u64::from(u16::from_le_bytes(*unit)));
                *space = [42, 36, 30, 24, 18, 12, 6, 0].map(|after| variant.digit_of(all >> after));
                (taken, written) = (taken + three.len(), written + space.len());
                continue;
            }
            if count == 0
                && let Some((two, space)) = units[taken..].first_chunk::<2>().zip(dst[written..].first_chunk_mut())
            {
                // The last one or two, in five digits and a rest, without a branch that cannot be predicted.
                let [is_one, is_two] = two.map(is_base64);
                let len = usize::from(is_one) + usize::from(is_one & is_two);
                if len > 0 {
                    let [first, second] = two.map(|unit| u64::from(u16::from_le_bytes(unit)));
                    let last = if len == 2 { second } else { first };
                    let all = first << 16 | if len == 2 { second } else { 0 };
                    *space = [26, 20, 14, 8, 2].map(|after| variant.digit_of(all >> after));
                    (taken, written) = (taken + len, written + [0, 2, 5][len]);
                    count = [0, 4, 2][len];
                    bits = last as u32 & ((1 << count) - 1);
                    continue;
                }
            }
            let value = u32::from(u16::from_le_bytes(*unit));
            let ends = is_direct(variant, *unit) || variant.one_way && value == variant.shift.into();
            if ends || is_surrogate(value) {
                break;
            }
            // Two digits, or three if more than one bit was left. The third is written over.
            let Some(space) = dst[written..].first_chunk_mut() else { break };
            let (all, sum) = (u64::from(bits << 16 | value), count + 16);
            *space = [sum - 6, sum - 12, sum.saturating_sub(18)].map(|after| variant.digit_of(all >> after));
            written += (sum / 6) as usize;
            count = sum % 6;
            bits = all as u32 & ((1 << count) - 1);
            taken += 1;
        }
        self.run = Some(Rest { bits, count });
        (taken, written)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use self::std::format;
    use self::std::string::{String, ToString};
    use self::std::vec::Vec;
    use super::*;
    use crate::engine::scalar::LONGEST;
    use crate::engine::scalar::utf7_variants::{IMAP as BOXES, RFC_2152, RFC_2152_OPTIONAL};
    use crate::engine::units::write_units;
    use utfkit_testkit::piece::{IllFormed, Piece, What};
    use utfkit_testkit::scheme::Scheme;

    const PLAIN: Scheme = Scheme::Utf7;
    const OPTIONAL: Scheme = Scheme::Utf7Optional;
    const IMAP: Scheme = Scheme::ImapUtf7;

    /// All of `chunks`, one call for what each adds, as a driver does it.
    fn read(variant: &'static Variant, chunks: &[&[u8]]) -> Vec<Piece> {
        let mut reader = Utf7Reader::new(variant);
        let mut all = Vec::new();
        let (mut pending, mut offset) = (Vec::new(), 0);
        for (i, chunk) in chunks.iter().enumerate() {
            let last = i + 1 == chunks.len();
            pending.extend_from_slice(chunk);
            while !pending.is_empty() {
                let before = reader.place;
                let (len, what) = match reader.decode(&pending, last) {
                    Decoded::Value { value, len } => (len, What::Value(value)),
                    Decoded::StateChange { len } => (len, What::StateChange),
                    Decoded::IllFormed { kind, len } => {
                        (len, What::IllFormed(IllFormed { kind: kind.name(), open: false }))
                    }
                    Decoded::Unfinished { kind, len } => {
                        assert_eq!(len, pending.len(), "all that is there is unfinished");
                        assert!(len < LONGEST, "a decision has to be possible");
                        if !last {
                            assert_eq!(reader.place, before, "nothing has changed");
                            break;
                        }
                        (len, What::IllFormed(IllFormed { kind: kind.name(), open: true }))
                    }
                };
                assert!(0 < len && len <= pending.len());
                all.push(Piece { offset, len, what });
                pending.drain(..len);
                offset += len;
            }
        }
        assert!(pending.is_empty());
        all
    }

    /// `src` whole and byte by byte, against the reference.
    fn agrees(variant: &'static Variant, scheme: Scheme, src: &[u8]) {
        let expected = scheme.pieces(src);
        assert_eq!(read(variant, &[src]), expected, "{scheme:?} {}", src.escape_ascii());
        let mut bytes: Vec<&[u8]> = src.chunks(1).collect();
        assert_eq!(read(variant, &bytes), expected, "{scheme:?} {} by byte", src.escape_ascii());
        // That there is no more may be known only later.
        bytes.push(&[]);
        assert_eq!(read(variant, &bytes), expected, "{scheme:?} {} by byte, and an end", src.escape_ascii());
    }

    fn all_agree(src: &[u8]) {
        agrees(&RFC_2152, PLAIN, src);
        agrees(&RFC_2152_OPTIONAL, OPTIONAL, src);
        agrees(&BOXES, IMAP, src);
    }

    /// Calls `act` with every sequence of at most `most` of `tokens`.
    fn sequences(tokens: &[&[u8]], most: usize, act: &mut dyn FnMut(&[u8])) {
        fn longer(tokens: &[&[u8]], most: usize, src: &mut Vec<u8>, act: &mut dyn FnMut(&[u8])) {
            act(src);
            if most == 0 {
                return;
            }
            let len = src.len();
            for token in tokens {
                src.extend_from_slice(token);
                longer(tokens, most - 1, src, act);
                src.truncate(len);
            }
        }
        longer(tokens, most, &mut Vec::new(), act);
    }

    #[test]
    fn reads_all_short_strings_as_the_reference() {
        let tokens: Vec<&[u8]> = b"+-A/,&=~a ".chunks(1).collect();
        sequences(&tokens, 5, &mut all_agree);
    }

    /// Units, pairs of surrogates and halves of them, at every place in a run
    /// and with every end.
    #[test]
    fn reads_runs_as_the_reference() {
        let tokens = [&b"+"[..], b"&", b"-", b"!", b"~", b"A", b"B", b"AGE", b"AOQ", b"2AA", b"2ADcAA", b"3AA", b"NwA"];
        sequences(&tokens, 4, &mut all_agree);
    }

    #[test]
    fn reads_the_same_however_it_is_cut() {
        for src in [&b"a+2D3cAQDkAOQ-b+-c+AGEA,+AGF-+2AA-+3ACB+"[..], b"a&2D3cAQDkAOQ-&AOQ&-&AOR-&AGE-&2AA-&AOQ&"] {
            for (at, _) in src.iter().enumerate() {
                for (to, _) in src.iter().enumerate().skip(at) {
                    let chunks = [&src[..at], &src[at..to], &src[to..]];
                    assert_eq!(read(&RFC_2152, &chunks), PLAIN.pieces(src), "{at} {to}");
                    assert_eq!(read(&BOXES, &chunks), IMAP.pieces(src), "{at} {to}");
                }
            }
        }
    }

    /// The pieces, one a word: characters, `>` for a shift, errors by name and
    /// length.
    fn story(variant: &'static Variant, src: &[u8]) -> String {
        let words = read(variant, &[src]).into_iter().map(|piece| match piece.what {
            What::Value(value) => char::from_u32(value).unwrap_or('?').to_string(),
            What::StateChange => ">".to_string(),
            What::IllFormed(error) => format!("{}:{}{}", error.kind, piece.len, if error.open { "..." } else { "" }),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_what_is_ill_formed_in_utf_7() {
        for (src, expected) in [
            (&b"+-"[..], "+"),
            (b"+AOQ-a", "> ä > a"),
            (b"+AOQ!", "> ä !"),
            (b"+AOQ-+AOQ-", "> ä > > ä >"),
            (b"+2D3cAQ-", "> \u{1F401} >"),
            (b"~", "invalid-byte:1"),
            (b"\\", "invalid-byte:1"),
            (b"\0", "invalid-byte:1"),
            (b"\xE4", "invalid-byte:1"),
            (b"+AOQ~", "> ä invalid-byte:1"),
            (b"+!", "empty-shift:1 !"),
            (b"+", "truncated:1..."),
            (b"+A-", "> partial-unit:1 >"),
            (b"+AOQA!", "> ä partial-unit:1 !"),
            (b"+AOQA", "> ä truncated:1..."),
            (b"+AOR-", "> ä padding-bits:1 >"),
            (b"+AOR", "> ä padding-bits:1"),
            (b"+AOR!", "> ä padding-bits:1 !"),
            (b"+2AA-", "> unpaired-surrogate:3 >"),
            (b"+2AAAYQ-", "> unpaired-surrogate:3 a >"),
            (b"+3AA-", "> unpaired-surrogate:3 >"),
            (b"+2AA", "> truncated:3..."),
            (b"+2ADc", "> truncated:4..."),
        ] {
            assert_eq!(story(&RFC_2152, src), expected, "{}", src.escape_ascii());
        }
    }

    #[test]
    fn names_what_is_ill_formed_in_names_of_mailboxes() {
        for (src, expected) in [
            (&b"&-"[..], "&"),
            (b"~\\+", "~ \\ +"),
            (b"\n", "invalid-byte:1"),
            (b"\x7F", "invalid-byte:1"),
            (b"&AOQ-&-", "> ä > &"),
            (b"&AOQ-a&AOQ-", "> ä > a > ä >"),
            (b"&-&AOQ-", "& > ä >"),
            (b"&AOQ-&AOQ-", "> ä > needless-shift:1 ä >"),
            (b"&AGE-", "> needless-shift:3 >"),
            (b"&AOQ", "> ä unclosed-shift:1"),
            (b"&AOQ!", "> ä unclosed-shift:1 !"),
            (b"&AOQ/", "> ä unclosed-shift:1 /"),
            (b"&AOQ&AOQ-", "> ä unclosed-shift:1 > ä >"),
            (b"&AOR!", "> ä padding-bits:1 !"),
            (b"&!", "empty-shift:1 !"),
        ] {
            assert_eq!(story(&BOXES, src), expected, "{}", src.escape_ascii());
        }
    }

    /// `values` as a text.
    fn write(variant: &'static Variant, values: &[u32]) -> Vec<u8> {
        let mut writer = Utf7Writer::new(variant);
        let mut out = Vec::new();
        for &value in values {
            out.extend_from_slice(writer.encode(value).expect("a scalar value").as_slice());
            // Characters above US-ASCII are written in a run, which stays open.
            assert!(value < 0x80 || writer.run.is_some());
        }
        out.extend_from_slice(writer.finish().as_slice());
        assert!(writer.run.is_none() && writer.finish().as_slice().is_empty());
        out
    }

    /// Writes `values` as the reference does and reads them again.
    fn returns(variant: &'static Variant, scheme: Scheme, values: &[u32]) {
        let bytes = write(variant, values);
        assert_eq!(Some(&bytes), scheme.encode_all(values).as_ref(), "{scheme:?} {values:X?}");
        let mut reader = Utf7Reader::new(variant);
        let (mut at, mut read) = (0, Vec::new());
        while at < bytes.len() {
            at += match reader.decode(&bytes[at..], true) {
                Decoded::StateChange { len } => len,
                Decoded::Value { value, len } => {
                    read.push(value);
                    len
                }
                error => panic!("{scheme:?} {values:X?} {error:?}"),
            };
        }
        assert_eq!(read, values, "{scheme:?}");
    }

    #[test]
    fn every_scalar_value_returns() {
        for c in '\0'..=char::MAX {
            let value = u32::from(c);
            for values in [&[value][..], &[0x41, value, 0x42]] {
                returns(&RFC_2152, PLAIN, values);
                returns(&RFC_2152_OPTIONAL, OPTIONAL, values);
                returns(&BOXES, IMAP, values);
            }
        }
    }

    /// Every way into, through and out of a run.
    #[test]
    fn writes_short_texts_as_the_reference() {
        let some: Vec<u32> = "+-&/,!a~\t\0äあ\u{1F401}".chars().map(u32::from).collect();
        let tokens: Vec<[u8; 1]> = (0..some.len() as u8).map(|i| [i]).collect();
        let tokens: Vec<&[u8]> = tokens.iter().map(|token| &token[..]).collect();
        sequences(&tokens, 4, &mut |indices| {
            let values: Vec<u32> = indices.iter().map(|i| some[usize::from(*i)]).collect();
            returns(&RFC_2152, PLAIN, &values);
            returns(&RFC_2152_OPTIONAL, OPTIONAL, &values);
            returns(&BOXES, IMAP, &values);
        });
    }

    /// Many characters at once as one by one, in whatever space there is.
    fn writes_at_once(variant: &'static Variant, text: &str) {
        let units: Vec<[u8; 2]> = text.encode_utf16().map(u16::to_le_bytes).collect();
        let enough = 8 * units.len() + 16;
        for space in 0..=enough {
            let (mut writer, mut dst) = (Utf7Writer::new(variant), std::vec![0; space]);
            let (taken, written) = write_units(&mut writer, &units, &mut dst);
            let (mut one_by_one, mut expected) = (Utf7Writer::new(variant), Vec::new());
            for c in char::decode_utf16(units[..taken].iter().map(|unit| u16::from_le_bytes(*unit))) {
                let encoded = one_by_one.encode(c.expect("whole characters").into()).expect("a scalar value");
                expected.extend_from_slice(encoded.as_slice());
            }
            assert_eq!(dst[..written], expected, "{text} in {space}");
            assert_eq!(writer.run, one_by_one.run, "{text} in {space}");
            assert!(taken == units.len() || space < enough, "{text} in {space}");
        }
    }

    #[test]
    fn writes_runs_of_every_length_with_every_end() {
        for front in ["", "a", "+", "ä+"] {
            for len in 0..9 {
                for end in ["", " ", "a", "-", "+", "&", "~", "\u{1F401}", " ä, \u{1F401}ää"] {
                    let text = format!("{front}{}{end}", "\u{436}".repeat(len));
                    writes_at_once(&RFC_2152, &text);
                    writes_at_once(&RFC_2152_OPTIONAL, &text);
                    writes_at_once(&BOXES, &text);
                }
            }
        }
    }

    #[test]
    fn what_is_no_scalar_value_changes_nothing() {
        let mut writer = Utf7Writer::new(&RFC_2152);
        writer.encode(0xE4).expect("a scalar value");
        let before = writer.run;
        for value in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
            assert_eq!(writer.encode(value), None);
            assert_eq!(writer.run, before);
        }
    }
}
