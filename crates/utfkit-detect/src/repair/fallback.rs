//! The encoding in which ill-formed bytes are read.

use utfkit_core::{Encoding, Policy, Status, Transcoder};

/// An encoding for ill-formed bytes, with one byte per character.
///
/// In a multibyte encoding (Shift_JIS, GBK), a trail byte may be US-ASCII, or be well-formed
/// UTF-8 with others by chance: where such text begins and ends within UTF-8 is not in the
/// bytes. For text that is all in such an encoding, see
/// [`Transcoder`](utfkit_core::Transcoder).
#[derive(Clone, Debug)]
pub struct Fallback {
    encoding: Encoding,
    /// For the bytes from 80; U+FFFD if unassigned.
    characters: [char; 128],
}

impl Fallback {
    /// `None` for an encoding with several bytes per character, or in which the bytes below 80
    /// are not US-ASCII.
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

    /// The character of `byte`; U+FFFD if it is unassigned.
    pub fn read(&self, byte: u8) -> char {
        match byte {
            0..0x80 => byte.into(),
            _ => self.characters[usize::from(byte & 0x7F)],
        }
    }
}
