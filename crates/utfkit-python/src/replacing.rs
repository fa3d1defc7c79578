//! Ill-formed text with the handlers that look at nothing but one error, in one pass.
//!
//! [`Decoding`](crate::decoding::Decoding) takes any handler, and begins anew at each error, which takes
//! many times as long.

use engine::Encoding;
use engine::internal::{Decoded, Decoder, is_scalar_value};

use crate::decoding::{Decoding, escape};
use crate::names::{Errors, Named};
use crate::pieces::{Next, Pieces};
use crate::tables::{self, Forms};

/// Code points, the number of bytes that they took, and the state of the decoder after them.
pub(crate) struct Replaced {
    pub(crate) values: Vec<u32>,
    pub(crate) taken: usize,
    pub(crate) state: u32,
}

/// The text of `src`, the part of a text after the one that ended in `state`. `None` for another encoding or
/// handler, and where the handler refuses an error: the exception is [`Decoding`]'s.
pub(crate) fn decoded(src: &[u8], encoding: Encoding, errors: Errors<'_>, last: bool, state: u32) -> Option<Replaced> {
    match errors {
        Errors::Replace | Errors::Ignore | Errors::BackslashReplace | Errors::SurrogateEscape => {}
        _ => return None,
    }
    match encoding {
        // Halves of a pair with an error between them stay two, and not all that UTF-8 lacks is an error.
        Encoding::Wtf8 | Encoding::Wtf16Le | Encoding::Wtf16Be | Encoding::Utf8Rfc2044 => return None,
        // Without a byte order.
        Encoding::Utf16 | Encoding::Utf32 => return None,
        _ => {}
    }
    let mut walk = Walk { src, at: 0, last, decoder: Decoder::new(encoding), values: Vec::new() };
    walk.decoder.set_state(state);
    walk.values.reserve(src.len() / encoding.unit_size() + 16);
    let table = match encoding {
        Encoding::Legacy(legacy) => tables::read_pairs(legacy),
        _ => None,
    };
    let mut clean_from = 0;
    while walk.at < src.len() {
        let bulk = if walk.at - clean_from >= CLEAN { walk.bulk(encoding) } else { None };
        let ill_formed = match bulk {
            Some(None) => break,
            Some(Some(len)) => len,
            None => {
                if walk.decoder.is_ascii_transparent() {
                    match table {
                        Some(table) => walk.by_table(table),
                        None => walk.ascii(),
                    }
                    if walk.at == src.len() {
                        break;
                    }
                }
                match walk.decoder.decode(&src[walk.at..], last) {
                    Decoded::Value { value, len } if is_scalar_value(value) => {
                        walk.values.push(value);
                        walk.at += len;
                        continue;
                    }
                    Decoded::StateChange { len } => {
                        walk.at += len;
                        continue;
                    }
                    Decoded::Unfinished { .. } if !last => break,
                    Decoded::Value { len, .. } | Decoded::Unfinished { len, .. } | Decoded::IllFormed { len, .. } => {
                        len
                    }
                }
            }
        };
        walk.at += stand_in(&src[walk.at..][..ill_formed], errors, &mut walk.values)?;
        clean_from = walk.at;
    }
    Some(Replaced { values: walk.values, taken: walk.at, state: walk.decoder.state() })
}

/// After as many bytes without an error, the next one is probably far.
const CLEAN: usize = 128;

/// The place in a text, and what is read.
struct Walk<'a> {
    src: &'a [u8],
    at: usize,
    last: bool,
    decoder: Decoder,
    values: Vec<u32>,
}

impl Walk<'_> {
    /// Takes the characters of US-ASCII.
    #[inline]
    fn ascii(&mut self) {
        let rest = &self.src[self.at..];
        let len = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        self.values.extend(rest[..len].iter().map(|byte| u32::from(*byte)));
        self.at += len;
    }

    /// Takes characters of one byte or two, as long as the table has them.
    #[inline]
    fn by_table(&mut self, table: &Forms) {
        let mut rest = &self.src[self.at..];
        while let Some((first, next)) = rest.split_first() {
            let mut value = u32::from(*first);
            let mut after = next;
            if value >= 0x80 {
                value = table[usize::from(*first)].into();
                if value == 0 {
                    let Some((second, next)) = next.split_first() else { break };
                    value = table[usize::from(u16::from_be_bytes([*first, *second]))].into();
                    after = next;
                }
                if value == 0 {
                    break;
                }
            }
            self.values.push(value);
            rest = after;
        }
        self.at = self.src.len() - rest.len();
    }

    /// Takes well-formed text by the library, and returns the length of the error after it, or `None` at the
    /// end. `None` if this is none of its ways.
    fn bulk(&mut self, encoding: Encoding) -> Option<Option<usize>> {
        let named = Named { encoding, with_bom: false };
        let is_utf_7 = matches!(encoding, Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7);
        // A run of base64 has no number.
        if is_utf_7 || !named.has_state() && !self.decoder.is_initial() {
            return None;
        }
        let mut pieces = Pieces::new(Decoding::part(named, self.last, self.decoder.state()));
        let end = loop {
            match pieces.next(self.src, self.at, &mut self.values) {
                Next::Piece { at } => self.at = at,
                Next::End { at } => {
                    self.at = at;
                    break None;
                }
                Next::IllFormed { start, error } => {
                    self.at = start;
                    break Some(error.len());
                }
            }
        };
        self.decoder.set_state(pieces.state());
        Some(end)
    }
}

/// Writes what stands for an error, and returns how many of its bytes are dealt with. `None` if the handler
/// refuses it.
#[inline]
fn stand_in(ill_formed: &[u8], errors: Errors<'_>, values: &mut Vec<u32>) -> Option<usize> {
    match errors {
        Errors::Replace => values.push(0xFFFD),
        Errors::BackslashReplace => values.extend(ill_formed.iter().flat_map(|byte| escape(*byte)).map(u32::from)),
        Errors::SurrogateEscape => {
            // Bytes of US-ASCII have no surrogate.
            let count = ill_formed.iter().take_while(|byte| **byte >= 0x80).count();
            values.extend(ill_formed[..count].iter().map(|byte| 0xDC00 + u32::from(*byte)));
            return (count > 0).then_some(count);
        }
        _ => {}
    }
    Some(ill_formed.len())
}
