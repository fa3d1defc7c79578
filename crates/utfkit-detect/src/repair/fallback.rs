//! The encoding in which ill-formed bytes are read.

use utfkit_core::Encoding;
use utfkit_core::Policy;
use utfkit_core::{Status, Transcoder};

/// An encoding in which ill-formed bytes are read: one with a byte a character.
///
/// Only there does each byte speak for itself. In an encoding with more bytes a
/// character (Shift_JIS, GBK) the second one can be US-ASCII or, with a third,
/// well-formed UTF-8 by chance: where its text begins and ends among UTF-8 is
/// not written in the bytes, and well-formed text would have to be touched.
/// Text that is all in such an encoding is a case for
/// [`Transcoder`](utfkit_core::Transcoder).
#[derive(Clone, Debug)]
pub struct Fallback {
    encoding: Encoding,
    /// The characters of the bytes from 80; U+FFFD where there is none.
    characters: [char; 128],
}

impl Fallback {
    /// `None` for an encoding in which a byte is not a character, a byte below
    /// 80 not US-ASCII, or no byte from 80 anything.
    ///
    /// ```
    /// use utfkit::repair::Fallback;
    /// use utfkit::{Encoding, Legacy};
    ///
    /// let greek = Fallback::new(Encoding::Legacy(Legacy::Windows1253)).unwrap();
    /// assert_eq!((greek.read(0xE1), greek.read(0xD2)), ('α', '\u{FFFD}'));
    /// assert!(Fallback::new(Encoding::Legacy(Legacy::ShiftJis)).is_none());
    /// ```
    pub fn new(encoding: Encoding) -> Option<Fallback> {
        match encoding {
            Encoding::Latin1 | Encoding::Ibm437 => {}
            Encoding::Legacy(legacy) if legacy.is_single_byte() && legacy.is_ascii_compatible() => {}
            _ => return None,
        }
        let mut characters = [char::REPLACEMENT_CHARACTER; 128];
        for (character, byte) in characters.iter_mut().zip(0x80..=0xFF) {
            let mut out = [0; 8];
            let step = Transcoder::new(encoding, Encoding::Utf8, Policy::Strict).transcode(&[byte], &mut out, true);
            if step.status == Status::InputEmpty
                && let Ok(text) = utfkit_core::from_utf8(&out[..step.written])
                && let Some(c) = text.chars().next()
            {
                *character = c;
            }
        }
        Some(Fallback { encoding, characters })
    }

    /// The encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The character of `byte`; U+FFFD where the encoding has none.
    pub fn read(&self, byte: u8) -> char {
        match byte {
            0..0x80 => byte.into(),
            _ => self.characters[usize::from(byte & 0x7F)],
        }
    }
}
