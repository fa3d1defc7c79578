//! Encodings with a byte a character as tables, learned from the library: for long text a look
//! into a table is several times as fast as anything that has to know which encoding it is.

use std::sync::OnceLock;

use engine::{Encoding, Legacy};

const MOST: usize = 128;

/// The place of an encoding in lists of them.
fn place(legacy: Legacy) -> Option<usize> {
    Legacy::ALL.iter().position(|other| *other == legacy)
}

/// The character that each byte stands for, where each stands for one up to U+FFFF.
pub(crate) fn characters(legacy: Legacy) -> Option<&'static [u16; 256]> {
    static TABLES: [OnceLock<Option<Box<[u16; 256]>>>; MOST] = [const { OnceLock::new() }; MOST];
    let table = TABLES.get(place(legacy)?)?.get_or_init(|| {
        let mut table = Box::new([0; 256]);
        for (byte, entry) in (0..=u8::MAX).zip(table.iter_mut()) {
            *entry = character(legacy, byte)?;
        }
        Some(table)
    });
    table.as_deref()
}

fn character(legacy: Legacy, byte: u8) -> Option<u16> {
    let mut unit = [0; 2];
    match Encoding::Legacy(legacy).convert(Encoding::UTF16_NATIVE, &[byte], &mut unit) {
        Ok(2) => Some(u16::from_ne_bytes(unit)),
        _ => None,
    }
}

/// The byte of each character up to U+FFFF; [`NONE`] for those without one, and for those
/// that the library has to be asked about.
pub(crate) fn bytes(legacy: Legacy) -> Option<&'static [u16]> {
    static TABLES: [OnceLock<Vec<u16>>; MOST] = [const { OnceLock::new() }; MOST];
    let table = TABLES.get(place(legacy)?)?.get_or_init(|| {
        let mut table = vec![NONE; 0x1_0000];
        for byte in 0..=u8::MAX {
            let Some(unit) = character(legacy, byte) else { continue };
            // Of several bytes the one that the library writes.
            let mut written = [0; 4];
            let len = Encoding::UTF16_NATIVE.convert(Encoding::Legacy(legacy), &unit.to_ne_bytes(), &mut written);
            if len == Ok(1) && written[0] == byte {
                table[usize::from(unit)] = byte.into();
            }
        }
        table
    });
    Some(table)
}

/// No byte. Such an entry has a bit that no byte has.
pub(crate) const NONE: u16 = 0x100;
