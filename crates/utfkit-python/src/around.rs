//! Text of which an encoding lacks characters, with the handlers that look at nothing else, in one pass.
//!
//! [`Writing`](crate::writing::Writing) takes any encoding and handler, and begins anew at each such
//! character, which takes ten to a hundred times as long.

use std::mem::take;

use engine::internal::utf8::Utf8;
use engine::internal::{Encoder, Form};
use engine::{Encoding, Legacy, Policy, Status, Transcoder};

use crate::encoding::{SPILL, holds_back, split_bom};
use crate::names::Errors;
use crate::tables::{self, NONE};
use crate::unicode::{Array, Text, Unit};

/// `text` in an encoding. `None` for another encoding or handler, and where the handler refuses a character:
/// the exception is [`Writing`](crate::writing::Writing)'s.
///
/// It is written to `out`, which is empty before.
pub(crate) fn encoded(text: Text<'_>, encoding: Encoding, errors: Errors<'_>, out: &mut Vec<u8>) -> Option<()> {
    match errors {
        Errors::Ignore | Errors::Replace | Errors::BackslashReplace | Errors::XmlCharRefReplace => {}
        Errors::SurrogateEscape => {}
        Errors::SurrogatePass if encoding == Encoding::Utf8 => {}
        _ => return None,
    }
    match text {
        Text::Ascii(units) | Text::Latin1(units) => by_forms(units, encoding, errors, out),
        Text::Bmp(units) if encoding == Encoding::Utf8 => around_surrogates(units, errors, out, engine::ucs2_to_utf8),
        Text::All(units) if encoding == Encoding::Utf8 => {
            around_surrogates(units, errors, out, |units, dst| engine::utf32_to_utf8(units, dst).ok())
        }
        Text::Bmp(units) => by_forms(units, encoding, errors, out),
        Text::All(units) => by_forms(units, encoding, errors, out),
    }
}

/// As [`encoded`], in an encoding without a table, character by character. A part of a text begins in the state
/// `from`, if it is not the first one, and does not end in the first state unless it is the last. Returns the state
/// after it.
pub(crate) fn by_encoder(
    text: Text<'_>,
    encoding: Encoding,
    errors: Errors<'_>,
    from: Option<u32>,
    last: bool,
    out: &mut Vec<u8>,
) -> Option<u32> {
    let (order, bom) = split_bom(encoding);
    match errors {
        Errors::Ignore | Errors::Replace | Errors::BackslashReplace | Errors::XmlCharRefReplace => {}
        Errors::SurrogateEscape if order.unit_size() == 1 => {}
        _ => return None,
    }
    if matches!(encoding, Encoding::Wtf8 | Encoding::Wtf16Le | Encoding::Wtf16Be) || from.is_some() && holds_back(order)
    {
        return None;
    }
    let mut encoder = Encoder::new(order);
    match from {
        Some(state) => encoder.set_state(state),
        None => out.extend_from_slice(bom),
    }
    out.reserve(order.unit_size() * text.len() + text.len() / 4 + 16);
    match text {
        Text::Ascii(units) | Text::Latin1(units) => each(units, &mut encoder, order, errors, out)?,
        Text::Bmp(units) => each(units, &mut encoder, order, errors, out)?,
        Text::All(units) => each(units, &mut encoder, order, errors, out)?,
    }
    if last {
        out.extend_from_slice(encoder.finish().as_slice());
    }
    Some(encoder.state())
}

fn each<T: Copy + Into<u32>>(
    units: &[T],
    encoder: &mut Encoder,
    encoding: Encoding,
    errors: Errors<'_>,
    out: &mut Vec<u8>,
) -> Option<()> {
    let mut text = Vec::new();
    for unit in units {
        let value = (*unit).into();
        if let Some(bytes) = encoder.encode(value) {
            out.extend_from_slice(bytes.as_slice());
            continue;
        }
        if errors == Errors::SurrogateEscape {
            // A byte is no base64.
            if holds_back(encoding) {
                out.extend_from_slice(encoder.finish().as_slice());
            }
            stand_in(value, errors, out, Some)?;
            continue;
        }
        text.clear();
        stand_in(value, errors, &mut text, Some)?;
        for c in &text {
            out.extend_from_slice(encoder.encode((*c).into())?.as_slice());
        }
    }
    Some(())
}

fn by_forms<T: Copy + Into<u32>>(units: &[T], encoding: Encoding, errors: Errors<'_>, out: &mut Vec<u8>) -> Option<()> {
    match encoding {
        Encoding::UsAscii if matches!(errors, Errors::Ignore | Errors::Replace) => {
            below_only::<T, 0x80>(units, errors, out);
            Some(())
        }
        Encoding::Latin1 if matches!(errors, Errors::Ignore | Errors::Replace) => {
            below_only::<T, 0x100>(units, errors, out);
            Some(())
        }
        Encoding::UsAscii => around(units, below::<0x80>, None, errors, true, out),
        Encoding::Latin1 => around(units, below::<0x100>, None, errors, true, out),
        _ => {
            let table = tables::bytes(encoding)?;
            let form = |value: u32| usize::try_from(value).ok().and_then(|at| table.get(at)).copied().unwrap_or(NONE);
            // A table of pairs lacks the longer forms, of which gb18030 has many.
            let is_pairs = matches!(encoding, Encoding::Legacy(legacy) if !legacy.is_single_byte());
            around(units, form, is_pairs.then_some(encoding), errors, false, out)
        }
    }
}

/// Writes the characters below `MOST`, and a question mark for each other unless [`Errors::Ignore`]. Without branches,
/// because in most scripts they would be unpredictable.
pub(crate) fn below_only<T: Copy + Into<u32>, const MOST: u32>(units: &[T], errors: Errors<'_>, out: &mut Vec<u8>) {
    if errors != Errors::Ignore {
        out.extend(units.iter().map(|unit| if (*unit).into() < MOST { (*unit).into() as u8 } else { b'?' }));
        return;
    }
    out.resize(units.len(), 0);
    let (dst, mut len) = (out.as_mut_slice(), 0);
    let mut rest = units;
    // After characters that are left out, others probably are, and to look ahead would be for nothing.
    let mut one_by_one = 1;
    while !rest.is_empty() {
        if let Some(some) = rest.first_chunk::<AT_ONCE>()
            && some.iter().fold(true, |all, unit| all & ((*unit).into() < MOST))
            && let Some(space) = dst[len..].first_chunk_mut()
        {
            *space = some.map(|unit| unit.into() as u8);
            (len, rest) = (len + AT_ONCE, &rest[AT_ONCE..]);
            one_by_one = 1;
            continue;
        }
        let (some, next) = rest.split_at(rest.len().min(one_by_one * AT_ONCE));
        for unit in some {
            dst[len] = (*unit).into() as u8;
            len += usize::from((*unit).into() < MOST);
        }
        rest = next;
        one_by_one = 16.min(2 * one_by_one);
    }
    out.truncate(len);
}

/// A type for each, so that the loops know it.
fn below<const MOST: u32>(value: u32) -> u16 {
    if value < MOST { value as u16 } else { NONE }
}

/// Text by the forms of one byte or two that characters have. `None` if a character has another one, for which
/// the encoding `longer` is asked. `has_ascii` says that the form of each character of US-ASCII is itself.
#[inline(always)]
fn around<T: Copy + Into<u32>>(
    units: &[T],
    form: impl Fn(u32) -> u16,
    longer: Option<Encoding>,
    errors: Errors<'_>,
    has_ascii: bool,
    all: &mut Vec<u8>,
) -> Option<()> {
    // A variable of its own can be in registers.
    let mut out = take(all);
    out.reserve(likely_len(units.len(), errors));
    let mut rest = units;
    // The library was asked about these, by their lowest bits.
    let mut lacking = [u32::MAX; 16];
    let is_long = |unit: &T| form((*unit).into()) > 0xFF;
    while !rest.is_empty() {
        if rest.get(1..FEW).is_some_and(|few| !few.iter().any(is_long)) {
            for some in rest.as_chunks::<AT_ONCE>().0 {
                let forms = some.map(|unit| form(unit.into()));
                if forms.iter().fold(0, |all, form| all | form) > 0xFF {
                    break;
                }
                out.extend_from_slice(&forms.map(|form| form as u8));
                rest = &rest[AT_ONCE..];
            }
        }
        let len = rest.iter().position(is_long).unwrap_or(rest.len());
        let (run, next) = rest.split_at(len);
        out.extend(run.iter().map(|unit| form((*unit).into()) as u8));
        rest = next;
        while let Some((unit, next)) = rest.split_first()
            && let two @ 0x100..=0xFFFE = form((*unit).into())
        {
            out.extend_from_slice(&two.to_be_bytes());
            rest = next;
        }
        let len = rest.iter().position(|unit| form((*unit).into()) != NONE).unwrap_or(rest.len());
        let (run, next) = rest.split_at(len);
        if let Some(encoding) = longer {
            for value in run.iter().map(|unit| (*unit).into()) {
                let asked = &mut lacking[value as usize & 15];
                // Only GB 18030 has longer ones up to U+FFFF.
                let may_be = value > 0xFFFF || encoding == Encoding::Legacy(Legacy::Gb18030);
                if *asked != value && may_be {
                    if has_form(encoding, value) {
                        return None;
                    }
                    *asked = value;
                }
            }
        }
        stand_ins(run, errors, &mut out, |c| if has_ascii { Some(c) } else { u8::try_from(form(c.into())).ok() })?;
        rest = next;
    }
    *all = out;
    Some(())
}

/// Characters whose forms are looked up before any is written.
const AT_ONCE: usize = 16;
/// If as many characters have one byte each, those after them probably have one each, too.
const FEW: usize = 4;

/// A guess at the bytes of `len` characters: some lack a form, and in a short text perhaps all.
fn likely_len(len: usize, errors: Errors<'_>) -> usize {
    match errors {
        Errors::BackslashReplace | Errors::XmlCharRefReplace if len <= 256 => 7 * len + 16,
        _ => len + len / 4 + 16,
    }
}

fn has_form(encoding: Encoding, value: u32) -> bool {
    let mut transcoder = Transcoder::new(Encoding::UTF32_NATIVE, encoding, Policy::Strict);
    let step = transcoder.transcode_to_vec(&value.to_ne_bytes(), &mut Vec::new(), false);
    !matches!(step.status, Status::IllFormed(_))
}

/// UTF-8 of text with surrogates.
fn around_surrogates<T: Unit + Into<u32>>(
    units: &[T],
    errors: Errors<'_>,
    all: &mut Vec<u8>,
    convert: impl Fn(&[T], &mut [u8]) -> Option<usize>,
) -> Option<()> {
    let mut out = take(all);
    out.reserve(size_of_val(units) + units.len() / 2 + 16);
    let mut rest = units;
    loop {
        let (run, next) = rest.split_at(before_surrogate(rest));
        if run.len() < SHORT {
            for unit in run {
                out.extend_from_slice(Utf8::encode((*unit).into())?.as_slice());
            }
        } else if run.len() <= LONGEST_COPIED {
            let mut space = Array::<u8, { 4 * LONGEST_COPIED + SPILL }>::new();
            let space = space.units();
            let written = convert(run, space)?;
            out.extend_from_slice(space.get(..written)?);
        } else {
            let before = out.len();
            // At most three bytes of UTF-8 for a unit of two.
            out.resize(before + run.len() * if size_of::<T>() == 2 { 3 } else { 4 }, 0);
            let written = convert(run, &mut out[before..])?;
            out.truncate(before + written);
        }
        let Some((surrogate, next)) = next.split_first() else {
            *all = out;
            return Some(());
        };
        let value = (*surrogate).into();
        if errors == Errors::SurrogatePass {
            out.extend_from_slice(&[0xED, 0x80 | (value >> 6 & 0x3F) as u8, 0x80 | (value & 0x3F) as u8]);
        } else {
            stand_in(value, errors, &mut out, Some)?;
        }
        rest = next;
    }
}

/// Up to this many characters the scalar codec is faster than a kernel.
const SHORT: usize = 16;

/// Up to this many characters a copy takes less time than zeros for a kernel to write to.
const LONGEST_COPIED: usize = 128;

pub(crate) fn has_surrogate<T: Copy + Into<u32>>(units: &[T]) -> bool {
    before_surrogate(units) < units.len()
}

/// The number of characters before the first surrogate.
fn before_surrogate<T: Copy + Into<u32>>(units: &[T]) -> usize {
    let is_surrogate = |unit: &T| (*unit).into() & 0xFFFF_F800 == 0xD800;
    let (chunks, _) = units.as_chunks::<AT_ONCE>();
    let without = chunks.iter().take_while(|some| !some.iter().fold(false, |any, unit| any | is_surrogate(unit)));
    let before = AT_ONCE * without.count();
    before + units[before..].iter().position(is_surrogate).unwrap_or(units.len() - before)
}

/// Writes the replacement of each character, each of its characters by `form`. `None` if one has none.
fn stand_ins<T: Copy + Into<u32>>(
    units: &[T],
    errors: Errors<'_>,
    out: &mut Vec<u8>,
    form: impl Fn(u8) -> Option<u8>,
) -> Option<()> {
    match errors {
        Errors::Ignore => {}
        Errors::Replace if units.is_empty() => {}
        Errors::Replace => out.resize(out.len() + units.len(), form(b'?')?),
        _ => {
            for unit in units {
                stand_in((*unit).into(), errors, out, &form)?;
            }
        }
    }
    Some(())
}

/// Writes the replacement of a character.
#[inline]
fn stand_in(value: u32, errors: Errors<'_>, out: &mut Vec<u8>, form: impl Fn(u8) -> Option<u8>) -> Option<()> {
    let digit = |value: u32| b"0123456789abcdef"[value as usize & 15];
    let mut text = [0; 10];
    let text = match errors {
        Errors::Ignore => return Some(()),
        Errors::Replace => {
            out.push(form(b'?')?);
            return Some(());
        }
        Errors::SurrogateEscape if (0xDC80..=0xDCFF).contains(&value) => {
            out.push(value as u8);
            return Some(());
        }
        Errors::BackslashReplace => {
            return match value {
                0..=0xFF => escaped::<2>(b'x', value, out, form),
                0x100..=0xFFFF => escaped::<4>(b'u', value, out, form),
                _ => escaped::<8>(b'U', value, out, form),
            };
        }
        Errors::XmlCharRefReplace => {
            let (mut at, mut rest) = (text.len() - 1, value);
            text[at] = b';';
            loop {
                at -= 1;
                text[at] = digit(rest % 10);
                rest /= 10;
                if rest == 0 {
                    break;
                }
            }
            text[at - 1] = b'#';
            text[at - 2] = b'&';
            &mut text[at - 2..]
        }
        _ => return None,
    };
    for c in &mut *text {
        *c = form(*c)?;
    }
    out.extend_from_slice(text);
    Some(())
}

/// Writes a backslash, a letter and the digits of `value`.
#[inline(always)]
fn escaped<const DIGITS: usize>(
    letter: u8,
    value: u32,
    out: &mut Vec<u8>,
    form: impl Fn(u8) -> Option<u8>,
) -> Option<()> {
    let mut digits = [0; DIGITS];
    for (at, digit) in digits.iter_mut().rev().enumerate() {
        *digit = form(b"0123456789abcdef"[(value >> (4 * at)) as usize & 15])?;
    }
    out.reserve(2 + DIGITS);
    out.extend_from_slice(&[form(b'\\')?, form(letter)?]);
    out.extend_from_slice(&digits);
    Some(())
}
