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
use crate::ErrorKind;

/// Bits of a run that are left over, fewer than six: of the reader's last
/// digit, or not yet in one of the writer's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rest {
    bits: u32,
    count: u32,
}

/// The decoder.
#[derive(Clone, Debug)]
pub struct Utf7Reader {
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
    pub const fn new(variant: &'static Variant) -> Utf7Reader {
        Utf7Reader { place: Place::Direct, variant }
    }

    /// True outside of a run, where most bytes are characters.
    #[inline(always)]
    pub fn is_direct(&self) -> bool {
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
pub struct Utf7Writer {
    /// The run that is open, and its bits that are in no digit yet.
    run: Option<Rest>,
    variant: &'static Variant,
}

impl Utf7Writer {
    pub const fn new(variant: &'static Variant) -> Utf7Writer {
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
                *space = [three[0].to_le_bytes(), three[1].to_le_bytes(), three[2].to_le_bytes()];
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
    let three = [(all >> 32) as u16, (all >> 16) as u16, all as u16];
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
                *space = variant.digits_of(all, [42, 36, 30, 24, 18, 12, 6, 0]);
                (taken, written) = (taken + three.len(), written + space.len());
                continue;
            }
            if count == 0
                && let Some((two, space)) = units[taken..].first_chunk::<2>().zip(dst[written..].first_chunk_mut())
            {
                // The last one or two, in five digits and a rest, without a branch that cannot be predicted.
                let (is_one, is_two) = (is_base64(two[0]), is_base64(two[1]));
                let len = usize::from(is_one) + usize::from(is_one & is_two);
                if len > 0 {
                    let [first, second]: [u64; 2] =
                        [u16::from_le_bytes(two[0]).into(), u16::from_le_bytes(two[1]).into()];
                    let last = if len == 2 { second } else { first };
                    let all = first << 16 | if len == 2 { second } else { 0 };
                    *space = variant.digits_of(all, [26, 20, 14, 8, 2]);
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
            *space = variant.digits_of(all, [sum - 6, sum - 12, sum.saturating_sub(18)]);
            written += (sum / 6) as usize;
            count = sum % 6;
            bits = all as u32 & ((1 << count) - 1);
            taken += 1;
        }
        self.run = Some(Rest { bits, count });
        (taken, written)
    }
}
