//! The encoding in which ill-formed bytes are read.

use crate::line::is_single_byte;
use utfkit_core::{Encoding, Policy, Status, Transcoder};

/// An encoding for ill-formed bytes.
///
/// Each ill-formed byte is read in it. In a multibyte encoding (Shift_JIS, GBK), all of a word with
/// an ill-formed byte is, and all of the line if that makes the likelier text: the second byte of a
/// character may be US-ASCII, and two bytes may be UTF-8 by chance.
#[derive(Clone, Debug)]
pub struct Fallback {
    encoding: Encoding,
    /// For the bytes from 80; U+FFFD if unassigned, and in a multibyte encoding.
    characters: [char; 128],
}

impl Fallback {
    /// `None` for the encodings of Unicode, for those with states, and for those in which the
    /// bytes below 80 are not US-ASCII.
    ///
    /// ```
    /// use utfkit::repair::{Fallback, Options, repair};
    /// use utfkit::{Encoding, Legacy};
    ///
    /// let greek = Fallback::new(Encoding::Legacy(Legacy::Windows1253)).unwrap();
    /// assert_eq!((greek.read(0xE1), greek.read(0xD2)), ('α', '\u{FFFD}'));
    ///
    /// let japanese = Fallback::new(Encoding::Legacy(Legacy::ShiftJis)).unwrap();
    /// let lines = b"\xE6\x9D\xB1\xE4\xBA\xAC\n\x83e\x83X\x83g\n";
    /// assert_eq!(repair(lines, &Options::new().fallback(japanese)), "東京\nテスト\n");
    /// assert!(Fallback::new(Encoding::Legacy(Legacy::Iso2022Jp)).is_none());
    /// ```
    pub fn new(encoding: Encoding) -> Option<Fallback> {
        match encoding {
            Encoding::Latin1 | Encoding::Ibm437 => {}
            Encoding::Legacy(legacy) if legacy.is_ascii_compatible() => {}
            _ => return None,
        }
        let mut characters = [char::REPLACEMENT_CHARACTER; 128];
        for (character, byte) in characters.iter_mut().zip(0x80..=0xFF) {
            let mut out = [0; 8];
            if !is_single_byte(encoding) {
                continue;
            }
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

    /// The character of `byte`; U+FFFD if it is unassigned, or a part of a character.
    pub fn read(&self, byte: u8) -> char {
        match byte {
            0..0x80 => byte.into(),
            _ => self.characters[usize::from(byte & 0x7F)],
        }
    }
}
