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

use core::marker::PhantomData;

use super::utf7_variants::{Variant, digit, digit_of, is_printable};
use super::utf16::{Utf16, is_high, is_low, join};
use super::{Decoded, Encoded, Form, Reader, Writer};
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
pub(crate) struct Utf7Reader<V> {
    place: Place,
    variant: PhantomData<V>,
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
fn unit<V: Variant>(before: Rest, src: &[u8]) -> Front {
    let Rest { mut bits, mut count } = before;
    let mut len = 0;
    while count < 16 {
        let Some(&byte) = src.get(len) else { return Front::Open };
        let Some(number) = digit::<V>(byte) else { return Front::Partial { len } };
        bits = bits << 6 | number;
        count += 6;
        len += 1;
    }
    count -= 16;
    Front::Unit { unit: (bits >> count) as u16, len, rest: Rest { bits: bits & ((1 << count) - 1), count } }
}

impl<V> Utf7Reader<V> {
    pub(crate) const fn new() -> Utf7Reader<V> {
        Utf7Reader { place: Place::Direct, variant: PhantomData }
    }

    /// True outside of a run, where most bytes are characters.
    #[inline(always)]
    pub(crate) fn is_direct(&self) -> bool {
        self.place == Place::Direct
    }
}

impl<V: Variant> Utf7Reader<V> {
    /// The input ends where more would be needed.
    fn open(&mut self, src: &[u8], last: bool) -> Decoded {
        if last {
            self.place = Place::Direct;
        }
        Decoded::Unfinished { kind: ErrorKind::Truncated, len: src.len() }
    }

    /// Reads the front of `src` outside of a run.
    fn direct(&mut self, src: &[u8], last: bool) -> Decoded {
        let byte = src[0];
        let (place, decoded) = if byte != V::SHIFT {
            let decoded = match V::reads(byte) {
                true => Decoded::Value { value: byte.into(), len: 1 },
                false => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
            };
            (Place::Direct, decoded)
        } else {
            match src.get(1) {
                None => return self.open(src, last),
                Some(b'-') => (Place::Direct, Decoded::Value { value: V::SHIFT.into(), len: 2 }),
                Some(&next) if digit::<V>(next).is_some() => {
                    // The run itself is read either way: only the shift, and
                    // the `-` before it, are too much.
                    let needless = V::ONE_WAY && self.place == Place::Closed;
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
        let (first, mut len, mut rest) = match unit::<V>(before, src) {
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
            match unit::<V>(rest, &src[len..]) {
                Front::Unit { unit: second, len: more, rest: after } if is_low(second) => {
                    value = join(first, second);
                    len += more;
                    rest = after;
                }
                Front::Open => return self.open(src, last),
                Front::Unit { .. } | Front::Partial { .. } => error = Some(ErrorKind::UnpairedSurrogate),
            }
        } else if V::ONE_WAY && is_printable(value) {
            error = Some(ErrorKind::NeedlessShift);
        }
        if let Some(kind) = error {
            self.place = Place::Run(rest);
            return Decoded::IllFormed { kind, len };
        }
        // How the run ends matters only if bits are left over that are not
        // zero, or if `-` has to be there.
        if rest.bits != 0 || V::ONE_WAY {
            let next = src.get(len).copied();
            if next.is_none() && !last {
                return self.open(src, last);
            }
            let error = match next {
                Some(next) if digit::<V>(next).is_some() => None,
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

impl<V: Variant> Reader for Utf7Reader<V> {
    #[inline]
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match self.place {
            Place::LastDigit(kind) => {
                self.place = Place::Run(Rest::default());
                Decoded::IllFormed { kind, len: 1 }
            }
            Place::Run(_) if src[0] == b'-' => {
                self.place = if V::ONE_WAY { Place::Closed } else { Place::Direct };
                Decoded::StateChange { len: 1 }
            }
            Place::Run(rest) if digit::<V>(src[0]).is_some() => self.in_run(rest, src, last),
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
pub(crate) struct Utf7Writer<V> {
    /// The run that is open, and its bits that are in no digit yet.
    run: Option<Rest>,
    variant: PhantomData<V>,
}

impl<V> Utf7Writer<V> {
    pub(crate) const fn new() -> Utf7Writer<V> {
        Utf7Writer { run: None, variant: PhantomData }
    }

    /// True outside of a run: nothing is pending, and the next value is written as at
    /// the beginning.
    #[inline(always)]
    pub(crate) fn is_at_rest(&self) -> bool {
        self.run.is_none()
    }
}

/// At most eight bytes, put together in a register. Stored one by one, they would
/// stall the load that copies them together.
#[derive(Default)]
struct Written {
    bytes: u64,
    len: u32,
}

impl Written {
    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.bytes |= u64::from(byte) << (8 * self.len);
        self.len += 1;
    }

    #[inline(always)]
    fn into_encoded(self) -> Encoded<u8> {
        Encoded::from_padded(self.bytes.to_le_bytes(), self.len as usize)
    }
}

impl<V: Variant> Utf7Writer<V> {
    /// Ends the run, if one is open: zeros fill its last digit (RFC 2152,
    /// rule 2). `closed` says whether `-` has to follow.
    fn leave(&mut self, closed: bool, out: &mut Written) {
        let Some(rest) = self.run.take() else { return };
        if rest.count > 0 {
            out.push(digit_of::<V>(u64::from(rest.bits) << (6 - rest.count)));
        }
        if closed {
            out.push(b'-');
        }
    }
}

impl<V: Variant> Utf7Writer<V> {
    /// The digits of one unit in a run, and how many of the three count; `None`
    /// outside of a run. This is [`encode`](Writer::encode) for the values that
    /// most runs consist of.
    #[inline(always)]
    pub(crate) fn unit_in_run(&mut self, unit: u32) -> Option<([u8; 3], usize)> {
        let rest = self.run?;
        // Two digits, or three if more than one bit was left.
        let count = rest.count + 16;
        let (bits, left) = (u64::from(rest.bits << 16 | unit), count % 6);
        let digits = [count - 6, count - 12, count.saturating_sub(18)].map(|after| digit_of::<V>(bits >> after));
        self.run = Some(Rest { bits: (bits & ((1 << left) - 1)) as u32, count: left });
        Some((digits, (count / 6) as usize))
    }
}

impl<V: Variant> Writer for Utf7Writer<V> {
    /// Six bytes at most: the shift and the five whole digits of a pair of
    /// surrogates, or six digits in a run.
    #[inline]
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        let units = Utf16::encode(value)?;
        let mut out = Written::default();
        let byte = u8::try_from(value).ok();
        if let Some(byte) = byte.filter(|byte| V::writes(*byte)) {
            self.leave(V::ONE_WAY || byte == b'-' || digit::<V>(byte).is_some(), &mut out);
            out.push(byte);
        } else if byte == Some(V::SHIFT) && (V::ONE_WAY || self.run.is_none()) {
            self.leave(true, &mut out);
            out.push(V::SHIFT);
            out.push(b'-');
        } else {
            let rest = self.run.unwrap_or_else(|| {
                out.push(V::SHIFT);
                Rest::default()
            });
            let (mut bits, mut count) = (u64::from(rest.bits), rest.count);
            for &unit in units.as_slice() {
                bits = bits << 16 | u64::from(unit);
                count += 16;
            }
            while count >= 6 {
                count -= 6;
                out.push(digit_of::<V>(bits >> count));
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

#[cfg(test)]
mod tests {
    extern crate std;

    use self::std::format;
    use self::std::string::{String, ToString};
    use self::std::vec::Vec;
    use super::*;
    use crate::engine::scalar::LONGEST;
    use crate::engine::scalar::utf7_variants::{Imap, Rfc2152, Rfc2152Optional};
    use utfkit_testkit::piece::{IllFormed, Piece, What};
    use utfkit_testkit::scheme::Scheme;

    const PLAIN: Scheme = Scheme::Utf7;
    const OPTIONAL: Scheme = Scheme::Utf7Optional;
    const IMAP: Scheme = Scheme::ImapUtf7;

    /// All of `chunks`, one call for what each adds, as a driver does it.
    fn read<V: Variant>(chunks: &[&[u8]]) -> Vec<Piece> {
        let mut reader = Utf7Reader::<V>::new();
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
    fn agrees<V: Variant>(scheme: Scheme, src: &[u8]) {
        let expected = scheme.pieces(src);
        assert_eq!(read::<V>(&[src]), expected, "{scheme:?} {}", src.escape_ascii());
        let mut bytes: Vec<&[u8]> = src.chunks(1).collect();
        assert_eq!(read::<V>(&bytes), expected, "{scheme:?} {} by byte", src.escape_ascii());
        // That there is no more may be known only later.
        bytes.push(&[]);
        assert_eq!(read::<V>(&bytes), expected, "{scheme:?} {} by byte, and an end", src.escape_ascii());
    }

    fn all_agree(src: &[u8]) {
        agrees::<Rfc2152>(PLAIN, src);
        agrees::<Rfc2152Optional>(OPTIONAL, src);
        agrees::<Imap>(IMAP, src);
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
                    assert_eq!(read::<Rfc2152>(&chunks), PLAIN.pieces(src), "{at} {to}");
                    assert_eq!(read::<Imap>(&chunks), IMAP.pieces(src), "{at} {to}");
                }
            }
        }
    }

    /// The pieces, one a word: characters, `>` for a shift, errors by name and
    /// length.
    fn story<V: Variant>(src: &[u8]) -> String {
        let words = read::<V>(&[src]).into_iter().map(|piece| match piece.what {
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
            assert_eq!(story::<Rfc2152>(src), expected, "{}", src.escape_ascii());
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
            assert_eq!(story::<Imap>(src), expected, "{}", src.escape_ascii());
        }
    }

    /// `values` as a text.
    fn write<V: Variant>(values: &[u32]) -> Vec<u8> {
        let mut writer = Utf7Writer::<V>::new();
        let mut out = Vec::new();
        for &value in values {
            out.extend_from_slice(writer.encode(value).expect("a scalar value").as_slice());
            // Characters above US-ASCII are written in a run, which stays open.
            assert!(value < 0x80 || !writer.is_at_rest());
        }
        out.extend_from_slice(writer.finish().as_slice());
        assert!(writer.is_at_rest() && writer.finish().as_slice().is_empty());
        out
    }

    /// Writes `values` as the reference does and reads them again.
    fn returns<V: Variant>(scheme: Scheme, values: &[u32]) {
        let bytes = write::<V>(values);
        assert_eq!(Some(&bytes), scheme.encode_all(values).as_ref(), "{scheme:?} {values:X?}");
        let mut reader = Utf7Reader::<V>::new();
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
                returns::<Rfc2152>(PLAIN, values);
                returns::<Rfc2152Optional>(OPTIONAL, values);
                returns::<Imap>(IMAP, values);
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
            returns::<Rfc2152>(PLAIN, &values);
            returns::<Rfc2152Optional>(OPTIONAL, &values);
            returns::<Imap>(IMAP, &values);
        });
    }

    #[test]
    fn what_is_no_scalar_value_changes_nothing() {
        let mut writer = Utf7Writer::<Rfc2152>::new();
        writer.encode(0xE4).expect("a scalar value");
        let before = writer.run;
        for value in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
            assert_eq!(writer.encode(value), None);
            assert_eq!(writer.run, before);
        }
    }
}
