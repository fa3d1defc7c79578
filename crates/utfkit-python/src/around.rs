//! Text of which an encoding lacks characters, with the handlers that look at nothing else, in one pass.
//!
//! [`Writing`](crate::encoding::Writing) takes any encoding and handler, and begins anew at each such
//! character, which takes ten to a hundred times as long.

use engine::internal::Form;
use engine::internal::utf8::Utf8;
use engine::{Encoding, Policy, Status, Transcoder};

use crate::names::Errors;
use crate::tables::{self, NONE};
use crate::unicode::{Text, Unit};

/// `text` in an encoding. `None` for another encoding or handler, and where the handler refuses a character:
/// the exception is [`Writing`](crate::encoding::Writing)'s.
pub(crate) fn encoded(text: Text<'_>, encoding: Encoding, errors: Errors<'_>) -> Option<Vec<u8>> {
    match errors {
        Errors::Ignore | Errors::Replace | Errors::BackslashReplace | Errors::XmlCharRefReplace => {}
        Errors::SurrogateEscape => {}
        Errors::SurrogatePass if encoding == Encoding::Utf8 => {}
        _ => return None,
    }
    match text {
        Text::Ascii(units) | Text::Latin1(units) => by_forms(units, encoding, errors),
        Text::Bmp(units) if encoding == Encoding::Utf8 => {
            around_surrogates(units, errors, |units, dst| engine::utf16_to_utf8(units, dst).ok())
        }
        Text::All(units) if encoding == Encoding::Utf8 => {
            around_surrogates(units, errors, |units, dst| engine::utf32_to_utf8(units, dst).ok())
        }
        Text::Bmp(units) => by_forms(units, encoding, errors),
        Text::All(units) => by_forms(units, encoding, errors),
    }
}

fn by_forms<T: Copy + Into<u32>>(units: &[T], encoding: Encoding, errors: Errors<'_>) -> Option<Vec<u8>> {
    let below = |most: u32| move |value: u32| if value < most { value as u16 } else { NONE };
    match encoding {
        Encoding::UsAscii => around(units, below(0x80), |_| false, errors),
        Encoding::Latin1 => around(units, below(0x100), |_| false, errors),
        _ => {
            let table = tables::bytes(encoding)?;
            let form = |value: u32| usize::try_from(value).ok().and_then(|at| table.get(at)).copied().unwrap_or(NONE);
            // A table of pairs lacks the longer forms, of which gb18030 has many.
            let is_pairs = matches!(encoding, Encoding::Legacy(legacy) if !legacy.is_single_byte());
            around(units, form, |value| is_pairs && has_form(encoding, value), errors)
        }
    }
}

/// Text by the forms of one byte or two that characters have. `None` if a character has another one.
fn around<T: Copy + Into<u32>>(
    units: &[T],
    form: impl Fn(u32) -> u16,
    has_longer: impl Fn(u32) -> bool,
    errors: Errors<'_>,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(units.len() + units.len() / 4 + 16);
    let mut rest = units;
    // The library was asked about these, by their lowest bits.
    let mut lacking = [u32::MAX; 16];
    while !rest.is_empty() {
        let len = rest.iter().position(|unit| form((*unit).into()) > 0xFF).unwrap_or(rest.len());
        let (run, next) = rest.split_at(len);
        out.extend(run.iter().map(|unit| form((*unit).into()) as u8));
        rest = next;
        while let Some((unit, next)) = rest.split_first() {
            let value = (*unit).into();
            match form(value) {
                NONE => {
                    let asked = &mut lacking[value as usize & 15];
                    if *asked != value {
                        if has_longer(value) {
                            return None;
                        }
                        *asked = value;
                    }
                    stand_in(value, errors, &mut out, |c| u8::try_from(form(c.into())).ok())?;
                }
                0..=0xFF => break,
                two => out.extend_from_slice(&two.to_be_bytes()),
            }
            rest = next;
        }
    }
    Some(out)
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
    convert: impl Fn(&[T], &mut [u8]) -> Option<usize>,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(size_of_val(units) + units.len() / 2 + 16);
    let mut rest = units;
    loop {
        let len = rest.iter().position(|unit| (*unit).into() & 0xFFFF_F800 == 0xD800).unwrap_or(rest.len());
        let (run, next) = rest.split_at(len);
        if run.len() < SHORT {
            for unit in run {
                out.extend_from_slice(Utf8::encode((*unit).into())?.as_slice());
            }
        } else {
            let before = out.len();
            // At most three bytes of UTF-8 for a unit of two.
            out.resize(before + run.len() * 4, 0);
            let written = convert(run, &mut out[before..])?;
            out.truncate(before + written);
        }
        let Some((surrogate, next)) = next.split_first() else { return Some(out) };
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

/// Writes the replacement of a character, each of its characters by `form`. `None` if it has none.
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
            let (letter, digits) = match value {
                0..=0xFF => (b'x', 2),
                0x100..=0xFFFF => (b'u', 4),
                _ => (b'U', 8),
            };
            text[0] = b'\\';
            text[1] = letter;
            for (at, place) in text[2..2 + digits].iter_mut().rev().enumerate() {
                *place = digit(value >> (4 * at));
            }
            &mut text[..2 + digits]
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
