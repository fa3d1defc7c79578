//! The tokens of bytes in the encodings with one byte per character.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::line::character;
use crate::model::Token;
use utfkit_core::{Encoding, Legacy};

/// A cache of the tokens of the bytes from 80, by encoding.
static NON_ASCII: [HighTokens; Legacy::ALL.len() + 2] =
    [const { HighTokens([const { AtomicU32::new(UNKNOWN) }; 128]) }; Legacy::ALL.len() + 2];

/// Not looked up yet.
const UNKNOWN: u32 = 0;
/// The byte has no character.
const UNASSIGNED: u32 = u32::MAX;

/// The tokens of the bytes from 80 in one encoding.
pub(super) struct HighTokens([AtomicU32; 128]);

impl HighTokens {
    pub(super) fn of(encoding: Encoding) -> &'static HighTokens {
        &NON_ASCII[match encoding {
            Encoding::Legacy(legacy) => legacy as usize,
            Encoding::Ibm437 => Legacy::ALL.len(),
            _ => Legacy::ALL.len() + 1,
        }]
    }

    #[inline]
    pub(super) fn token(&self, encoding: Encoding, byte: u8) -> Option<Token> {
        let entry = &self.0[usize::from(byte & 0x7F)];
        // Relaxed: every thread stores the same value.
        let mut bits = entry.load(Ordering::Relaxed);
        if bits == UNKNOWN {
            bits = character(encoding, byte).map_or(UNASSIGNED, |c| Token::of(c).to_bits());
            entry.store(bits, Ordering::Relaxed);
        }
        (bits != UNASSIGNED).then_some(Token::from_bits(bits))
    }
}

/// The token of a byte in an encoding with one byte per character, based on US-ASCII.
pub(in crate::detect) fn token(encoding: Encoding, byte: u8) -> Option<Token> {
    if byte.is_ascii() { Some(Token::of(byte.into())) } else { HighTokens::of(encoding).token(encoding, byte) }
}

/// The tokens of all bytes in such an encoding; `None` for an unassigned byte.
pub(in crate::detect) fn tokens(encoding: Encoding) -> [Option<Token>; 256] {
    core::array::from_fn(|byte| token(encoding, byte as u8))
}

/// The token of a character of EBCDIC. NEXT LINE is a line end, and national variants
/// have letters in the place of some signs.
pub(super) fn token_of_ebcdic(c: char) -> Token {
    match c {
        '\u{85}' => Token::of('\n'),
        '#' | '@' | '$' | '{' | '}' | '[' | ']' | '\\' | '|' | '~' | '!' | '^' | '`' => Token::national(),
        c => Token::of(c),
    }
}

/// The tokens of US-ASCII; [`Token::ILL_FORMED`] from 80.
pub(in crate::detect) fn ascii_tokens() -> [Token; 256] {
    core::array::from_fn(|byte| if byte < 0x80 { Token::of(char::from(byte as u8)) } else { Token::ILL_FORMED })
}
