//! Tables for encodings of one or two bytes a character, made by asking the library. For long
//! text they are several times as fast as its codecs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use engine::internal::{Characters, Decoded, Decoder};
use engine::{Encoding, ErrorKind, Legacy, Policy, Practice, Transcoder};

const MOST: usize = 128;

/// The index of an encoding in the lists of tables.
fn place(encoding: Encoding) -> Option<usize> {
    match encoding {
        Encoding::Legacy(legacy) => Legacy::ALL.iter().position(|other| *other == legacy),
        Encoding::Ibm437 => Some(MOST - 1),
        _ => None,
    }
}

/// True for the encodings of one byte a character that have a table.
pub(crate) fn is_single_byte(encoding: Encoding) -> bool {
    match encoding {
        Encoding::Legacy(legacy) => legacy.is_single_byte(),
        encoding => encoding == Encoding::Ibm437,
    }
}

/// The character of each byte. `None` unless each byte has one, up to U+FFFF.
pub(crate) fn characters(encoding: Encoding) -> Option<&'static Characters> {
    static TABLES: [OnceLock<Option<Box<Characters>>>; MOST] = [const { OnceLock::new() }; MOST];
    let table = TABLES.get(place(encoding)?)?.get_or_init(|| {
        let mut table = [0; 256];
        for (byte, entry) in (0..=u8::MAX).zip(&mut table) {
            *entry = character(encoding, byte)?;
        }
        Some(Box::new(Characters::new(table)))
    });
    table.as_deref()
}

fn character(encoding: Encoding, byte: u8) -> Option<u16> {
    let mut unit = [0; 2];
    match encoding.convert(Encoding::UTF16_NATIVE, &[byte], &mut unit) {
        Ok(2) => Some(u16::from_ne_bytes(unit)),
        _ => None,
    }
}

/// An entry for each character up to U+FFFF, or for each pair of bytes.
pub(crate) type Forms = [u16; 0x1_0000];

/// The byte of each character up to U+FFFF, or its two bytes, the first in the upper half.
/// [`NONE`] for characters without such a form.
pub(crate) fn bytes(encoding: Encoding) -> Option<&'static Forms> {
    static TABLES: [OnceLock<Option<Box<Forms>>>; MOST] = [const { OnceLock::new() }; MOST];
    let learn = || match encoding {
        Encoding::Legacy(legacy) if !legacy.is_single_byte() => pairs(legacy),
        encoding => Some(single_bytes(encoding)),
    };
    TABLES.get(place(encoding)?)?.get_or_init(learn).as_deref()
}

fn single_bytes(encoding: Encoding) -> Box<Forms> {
    let mut table = Box::new([NONE; 0x1_0000]);
    for byte in 0..=u8::MAX {
        let Some(unit) = character(encoding, byte) else { continue };
        // The library decides which of several bytes is written.
        let mut written = [0; 4];
        let len = Encoding::UTF16_NATIVE.convert(encoding, &unit.to_ne_bytes(), &mut written);
        if len == Ok(1) && written[0] == byte {
            table[usize::from(unit)] = byte.into();
        }
    }
    table
}

/// [`bytes`] for an encoding without states that has US-ASCII and characters of one or two bytes.
///
/// All characters that it can read are written in one conversion. To ask for each of the 65,536
/// would take a hundred times as long.
fn pairs(legacy: Legacy) -> Option<Box<Forms>> {
    let characters: Vec<char> = read_pairs(legacy)?
        .iter()
        .filter_map(|unit| char::from_u32((*unit).into()))
        .filter(|c| !c.is_ascii())
        .collect();
    let lines: String = characters.iter().flat_map(|c| [*c, '\n']).collect();
    let forms = converted(Encoding::Utf8, Encoding::Legacy(legacy), lines.as_bytes());
    let forms: Vec<&[u8]> = forms.split(|byte| *byte == b'\n').collect();
    if forms.len() != characters.len() + 1 {
        return None;
    }
    let mut table = Box::new([NONE; 0x1_0000]);
    for (byte, entry) in (0..0x80).zip(table.iter_mut()) {
        *entry = byte;
    }
    for (c, form) in characters.iter().zip(forms) {
        table[*c as usize] = match *form {
            [one @ 0x80..=0xFF] => one.into(),
            [one @ 0x80..=0xFF, two] => u16::from_be_bytes([one, two]),
            // Read only.
            _ => NONE,
        };
    }
    Some(table)
}

/// The character of each byte from 80 on, and of each pair of bytes with the first in the upper
/// half, for the encodings that [`pairs`] is for. 0 where the library has to be asked.
pub(crate) fn read_pairs(legacy: Legacy) -> Option<&'static Forms> {
    static TABLES: [OnceLock<Option<Box<Forms>>>; MOST] = [const { OnceLock::new() }; MOST];
    let learn = || {
        if legacy.is_single_byte() || !legacy.is_ascii_compatible() {
            return None;
        }
        let forms =
            || (0x80..=0xFF_u8).flat_map(|first| [0].into_iter().chain(0x31..=0xFF).map(move |second| (first, second)));
        let lines: Vec<u8> = forms()
            .flat_map(|(first, second)| [Some(first), (second != 0).then_some(second), Some(b'\n')])
            .flatten()
            .collect();
        let text = String::from_utf8(converted(Encoding::Legacy(legacy), Encoding::Utf8, &lines)).ok()?;
        let mut table = Box::new([0; 0x1_0000]);
        let mut read = text.split('\n');
        for (first, second) in forms() {
            // Anything but one character is an error or the start of a longer sequence.
            let Ok(c) = read.next()?.parse::<char>() else { continue };
            let form = if second == 0 { first.into() } else { u16::from_be_bytes([first, second]) };
            if !c.is_ascii() && c != char::REPLACEMENT_CHARACTER {
                table[usize::from(form)] = u16::try_from(c as u32).unwrap_or(0);
            }
        }
        (read.next() == Some("") && read.next().is_none()).then_some(table)
    };
    TABLES.get(place(Encoding::Legacy(legacy))?)?.get_or_init(learn).as_deref()
}

/// What two bytes begin, for the encodings of [`read_pairs`], as far as it is known: the library takes longer to say
/// that they are ill-formed than to read ten characters.
pub(crate) struct Openings([AtomicU8; 0x1_0000]);

impl Openings {
    /// The length and the kind of the error that begins with `pair`. `None` if more bytes decide.
    pub(crate) fn error(&self, legacy: Legacy, pair: [u8; 2]) -> Option<(usize, ErrorKind)> {
        // Each thread would write the same.
        let entry = &self.0[usize::from(u16::from_be_bytes(pair))];
        let mut known = entry.load(Relaxed);
        if known == 0 {
            known = match Decoder::new(Encoding::Legacy(legacy)).decode(&pair, false) {
                Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 } => 1,
                Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 1 } => 2,
                Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 2 } => 3,
                _ => u8::MAX,
            };
            entry.store(known, Relaxed);
        }
        match known {
            1 => Some((1, ErrorKind::InvalidByte)),
            2 => Some((1, ErrorKind::InvalidSequence)),
            3 => Some((2, ErrorKind::InvalidSequence)),
            _ => None,
        }
    }
}

/// The [`Openings`] of an encoding.
pub(crate) fn openings(legacy: Legacy) -> Option<&'static Openings> {
    static TABLES: [OnceLock<Box<Openings>>; MOST] = [const { OnceLock::new() }; MOST];
    let new = || Box::new(Openings([const { AtomicU8::new(0) }; 0x1_0000]));
    Some(TABLES.get(place(Encoding::Legacy(legacy))?)?.get_or_init(new))
}

fn converted(from: Encoding, to: Encoding, src: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let _ = Transcoder::new(from, to, Policy::Replace(Practice::MaximalSubpart)).transcode_to_vec(src, &mut out, true);
    out
}

/// The entry of a character without a form. No encoding has a character FF FF.
pub(crate) const NONE: u16 = 0xFFFF;
