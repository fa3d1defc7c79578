//! Any encoding as UTF-8 or as a string of Java, and back.

use engine::detect::Basis;
use engine::{Encoding, Error, Policy, Practice, Status, Transcoder};

use crate::env::{Bytes, Chars, Env, Str, Thrown};
use crate::output::Output;
use crate::packed::Packed;
use crate::value::Value;

const LOSSY: Policy = Policy::Replace(Practice::MaximalSubpart);

/// The encoding with a number, which is its place in [`Encoding::ALL`].
pub(crate) fn encoding(number: i32) -> Result<Encoding, Thrown> {
    let found = usize::try_from(number).ok().and_then(|number| Encoding::ALL.get(number));
    found.copied().ok_or_else(|| Thrown::illegal_argument(format!("unknown encoding: number {number}")))
}

/// The number of the encoding with a label, or -1.
pub(crate) fn encoding_for_label(value: Value<'_>) -> Result<i32, Thrown> {
    value.whole(|label| {
        let found = std::str::from_utf8(label).ok().and_then(Encoding::for_label);
        let place = found.and_then(|found| Encoding::ALL.iter().position(|&other| other == found));
        Ok(place.map_or(-1, |place| place as i32))
    })
}

/// For each encoding, in the order of their numbers: the name, the size of its unit, whether it contains US-ASCII, has
/// states, has one byte per character, has one or two bytes in most, its labels, the most units for a byte, and the most bytes for a unit.
pub(crate) fn encodings(env: Env<'_>) -> Result<Option<Bytes<'_>>, Thrown> {
    let mut packed = Packed::default();
    for &encoding in Encoding::ALL {
        packed.text(encoding.name().as_bytes());
        packed.number(encoding.unit_size() as u64);
        packed.number(u64::from(contains_ascii(encoding)));
        packed.number(u64::from(has_state(encoding)));
        packed.number(u64::from(is_single_byte(encoding)));
        packed.number(u64::from(is_double_byte(encoding)));
        let labels: Vec<_> = encoding.labels().collect();
        packed.text(labels.join(" ").as_bytes());
        let (units, bytes) = crate::coders::ratios(encoding);
        packed.number(units as u64);
        packed.number(bytes as u64);
    }
    packed.to_java(env)
}

/// True if text of US-ASCII is the same in the encoding, at any place.
fn contains_ascii(encoding: Encoding) -> bool {
    let ascii: Vec<u8> = (0..128).collect();
    !has_state(encoding)
        && ascii.iter().all(|&byte| encoding.decode_strict(&[byte]).is_ok_and(|text| text.as_bytes() == [byte]))
        && encoding.decode_strict(&ascii).is_ok_and(|text| text.as_bytes() == ascii)
}

/// True if each byte is a character of at most three bytes in UTF-8, or an error, whatever is around it.
fn is_single_byte(encoding: Encoding) -> bool {
    let is_one = match encoding {
        Encoding::Latin1 | Encoding::UsAscii | Encoding::Ibm437 => true,
        Encoding::Legacy(legacy) => legacy.is_single_byte(),
        _ => false,
    };
    is_one && (0..=255).all(|byte| (1..=3).contains(&encoding.decode_without_bom_handling(&[byte]).0.len()))
}

/// True if most characters are US-ASCII, or two bytes of which the first is not. Others may be longer.
fn is_double_byte(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Legacy(legacy) if !legacy.is_single_byte()) && contains_ascii(encoding)
}

/// The character of each byte, then of each pair whose first byte is not US-ASCII and no character: four bytes each,
/// up to three of UTF-8 and above them their number. 0 is an error, or a longer text. An encoding with one byte per
/// character has no pairs, and U+FFFD for errors.
pub(crate) fn characters(env: Env<'_>, number: i32) -> Result<Option<Bytes<'_>>, Thrown> {
    let encoding = encoding(number)?;
    let is_single = is_single_byte(encoding);
    let policy = if is_single { LOSSY } else { Policy::Strict };
    let character = |bytes: &[u8]| {
        let mut text = [0; 16];
        let step = Transcoder::new(encoding, Encoding::Utf8, policy).transcode(bytes, &mut text, true);
        let is_one = step.status == Status::InputEmpty
            && step.written <= 3
            && str::from_utf8(&text[..step.written]).is_ok_and(|text| text.chars().count() == 1);
        if is_one { [text[0], text[1], text[2], step.written as u8] } else { [0; 4] }
    };
    let mut made = Vec::with_capacity(4 * (256 + (128 << 8)));
    for byte in 0..=255 {
        made.extend(character(&[byte]));
    }
    if !is_single {
        for lead in 128..=255 {
            let is_lead = made[4 * usize::from(lead)..][..4] == [0; 4];
            for trail in 0..=255 {
                made.extend(if is_lead { character(&[lead, trail]) } else { [0; 4] });
            }
        }
    }
    env.bytes(&made)
}

/// True if the meaning of a byte, or the form of a character, depends on what came before.
fn has_state(encoding: Encoding) -> bool {
    use engine::Legacy::{Hz, Iso2022Jp, Iso2022Kr};
    match encoding {
        Encoding::Utf16 | Encoding::Utf32 => true,
        Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => true,
        Encoding::Iso2022Utf8 | Encoding::Iso2022Utf8In(_) => true,
        Encoding::Legacy(legacy) => matches!(legacy, Hz | Iso2022Jp | Iso2022Kr),
        _ => false,
    }
}

/// The text as UTF-8, with U+FFFD for ill-formed sequences; null if it has the bytes of the value.
pub(crate) fn to_utf8(value: Value<'_>, number: i32) -> Result<Option<Bytes<'_>>, Thrown> {
    let from = encoding(number)?;
    let mut output = Output::default();
    let mut transcoder = Transcoder::new(from, Encoding::Utf8, LOSSY);
    let mut is_same = false;
    value.slices(|slice, is_last| {
        output.transcode(&mut transcoder, slice, is_last)?;
        is_same = slice.len() == value.len() && output.as_slice() == slice;
        Ok(true)
    })?;
    if is_same { Ok(None) } else { output.to_java(value.env()) }
}

/// The most bytes that [`to_utf8_within`] writes.
const WITHIN: usize = 1024;

/// As [`to_utf8`], for a short value, to the front of an array of [`WITHIN`] bytes, since Java makes arrays faster than
/// JNI does. Returns the length, or -1 if the text does not fit.
pub(crate) fn to_utf8_within<'a>(
    env: Env<'a>,
    value: Value<'a>,
    number: i32,
    scratch: Bytes<'a>,
) -> Result<i32, Thrown> {
    let mut transcoder = Transcoder::new(encoding(number)?, Encoding::Utf8, LOSSY);
    let mut made = -1;
    value.whole(|bytes| {
        let mut text = [0; WITHIN];
        let step = transcoder.transcode(bytes, &mut text, true);
        if step.status == Status::InputEmpty {
            env.write(scratch, 0, &text[..step.written])?;
            made = step.written as i32;
        }
        Ok(())
    })?;
    Ok(made)
}

/// A value that is not UTF-8 as UTF-8, from the encoding that is detected; null if it is not text.
pub(crate) fn detected_to_utf8(value: Value<'_>) -> Result<Option<Bytes<'_>>, Thrown> {
    value.whole(|bytes| {
        if let Ok(text) = engine::from_utf8(bytes) {
            return value.env().bytes(text.as_bytes());
        }
        let found = engine::detect::detect(bytes);
        match found.basis() {
            Basis::NoText => Ok(None),
            _ => value.env().bytes(found.encoding().unwrap_or(Encoding::Utf8).decode(bytes).0.as_bytes()),
        }
    })
}

/// The text as a string of Java, with U+FFFD for ill-formed sequences. Strict: the first error is an exception.
pub(crate) fn to_string(value: Value<'_>, number: i32, is_strict: bool) -> Result<Str<'_>, Thrown> {
    let policy = if is_strict { Policy::Strict } else { LOSSY };
    let from = encoding(number)?;
    let mut transcoder = Transcoder::new(from, utf16_for(from), policy);
    let mut units: Vec<u16> = Vec::new();
    value.slices(|slice, is_last| {
        let mut output = Output::default();
        if let Some(error) = output.transcode(&mut transcoder, slice, is_last)? {
            return Err(ill_formed(&error));
        }
        let made = output.as_slice().as_chunks().0;
        if units.len() + made.len() > i32::MAX as usize {
            return Err(Thrown::out_of_memory("the text is longer than a string of Java can be"));
        }
        units.try_reserve(made.len()).map_err(|_| Thrown::out_of_memory("no memory for the text"))?;
        units.extend(made.iter().map(|unit| u16::from_ne_bytes(*unit)));
        Ok(true)
    })?;
    value.env().string(&units)
}

/// The form of UTF-16 into which an encoding is decoded: with surrogates on their own if the encoding has these.
pub(crate) fn utf16_for(encoding: Encoding) -> Encoding {
    let units = if cfg!(target_endian = "little") { Encoding::Wtf16Le } else { Encoding::Wtf16Be };
    let surrogate = 0xD800_u16.to_ne_bytes();
    let mut transcoder = Transcoder::new(units, encoding, Policy::Strict);
    let step = transcoder.transcode(&surrogate, &mut [0; 64], true);
    if step.status == Status::InputEmpty { units } else { Encoding::UTF16_NATIVE }
}

/// An error as `utfkit.IllFormedException`, which reads offset, length and kind from the message.
fn ill_formed(error: &Error) -> Thrown {
    let message = format!("{} {} {}", error.offset(), error.len(), error.kind().name());
    Thrown::New(c"utfkit/IllFormedException", message)
}

/// UTF-16 in another encoding. Strict: the first character that it lacks is an exception.
pub(crate) fn encode<'a>(
    env: Env<'a>,
    chars: Chars<'a>,
    len: i32,
    number: i32,
    is_strict: bool,
) -> Result<Option<Bytes<'a>>, Thrown> {
    let policy = if is_strict { Policy::Strict } else { LOSSY };
    let to = encoding(number)?;
    let mut transcoder = Transcoder::new(utf16_for(to), to, policy);
    let mut output = Output::default();
    let len = usize::try_from(len).unwrap_or(0);
    let mut units = vec![0_u16; len.min(16 << 10)];
    let mut bytes = Vec::with_capacity(2 * units.len());
    let mut at = 0;
    loop {
        let piece = units.len().min(len - at);
        env.read_chars(chars, at, &mut units[..piece])?;
        at += piece;
        bytes.clear();
        bytes.extend(units[..piece].iter().flat_map(|unit| unit.to_ne_bytes()));
        if let Some(error) = output.transcode(&mut transcoder, &bytes, at == len)? {
            return Err(ill_formed(&error));
        }
        if at == len {
            return output.to_java(env);
        }
    }
}
