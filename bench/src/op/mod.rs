//! The operations, with their competitors and expected results.

mod conversion;
mod family;
mod latin1;
mod length;
mod lossy;
mod parallel;
mod query;
mod stream;
mod swap;
mod utf32;
mod utf8_utf16;
mod validate;

pub(crate) use conversion::{Conversion, Entry};
pub(crate) use query::{Counted, Query};

use crate::contest::{Column, Contest};
use crate::goal::Goal;
use crate::options::Options;
use crate::peer::Peer;
use crate::text::Text;

pub(crate) trait Operation {
    /// One word, for `--op`.
    fn name(&self) -> &'static str;
    fn title(&self) -> &'static str;
    fn goal(&self) -> Goal;
    /// The cell for this text; `None` if the operation does not apply.
    fn contest(&self, text: &Text, options: &Options) -> Option<Box<dyn Contest>>;
}

pub(crate) const ALL: &[&dyn Operation] = &[
    &validate::UTF8,
    &validate::UTF16,
    &validate::UTF32,
    &utf8_utf16::UTF8_TO_UTF16,
    &utf8_utf16::UTF16_TO_UTF8,
    &utf32::UTF8_TO_UTF32,
    &utf32::UTF32_TO_UTF8,
    &utf32::UTF16_TO_UTF32,
    &utf32::UTF32_TO_UTF16,
    &latin1::TO_UTF8,
    &latin1::FROM_UTF8,
    &latin1::TO_UTF16,
    &latin1::FROM_UTF16,
    &latin1::TO_UTF32,
    &latin1::FROM_UTF32,
    &lossy::TO_UTF8[0],
    &lossy::TO_UTF8[1],
    &lossy::TO_UTF8[2],
    &lossy::TO_UTF8[3],
    &lossy::TO_UTF16[0],
    &lossy::TO_UTF16[1],
    &lossy::TO_UTF16[2],
    &lossy::TO_UTF16[3],
    &lossy::FROM_UTF16[0],
    &lossy::FROM_UTF16[1],
    &lossy::OWNED[0],
    &lossy::OWNED[1],
    &lossy::ERRORS[0],
    &lossy::ERRORS[1],
    &lossy::ERRORS[2],
    &lossy::ERRORS[3],
    &lossy::ERRORS[4],
    &lossy::ERRORS[5],
    &length::COUNT,
    &length::UTF16_FROM_UTF8,
    &length::UTF8_FROM_UTF16,
    &length::UTF8_FROM_UTF32,
    &length::UTF8_FROM_LATIN1,
    &stream::UTF8_TO_UTF16,
    &stream::UTF16_TO_UTF8,
    &stream::REPAIR,
    &swap::UTF16,
    &family::CESU8_TO_UTF16,
    &family::UTF16_TO_CESU8,
    &family::CESU8_TO_UTF8,
    &family::UTF8_TO_CESU8,
    &family::MUTF8_TO_UTF16,
    &family::UTF16_TO_MUTF8,
    &family::WTF8_TO_UTF16,
    &family::WTF16_TO_WTF8,
    &family::VALIDATE_RFC2279,
    &family::VALIDATE_KUHN,
    &family::VALIDATE_NO_NONCHARACTERS,
    &parallel::VALIDATE,
    &parallel::UTF8_TO_UTF16,
    &parallel::UTF16_TO_UTF8,
];

/// The operations for short inputs and strings, one per typed function.
pub(crate) const CALLS: &[&dyn Operation] = &[
    &validate::UTF8,
    &validate::UTF16,
    &utf8_utf16::UTF8_TO_UTF16,
    &utf8_utf16::UTF16_TO_UTF8,
    &utf32::UTF8_TO_UTF32,
    &utf32::UTF32_TO_UTF8,
    &lossy::TO_UTF8[0],
    &lossy::TO_UTF16[0],
    &lossy::OWNED[0],
    &length::COUNT,
    &length::UTF16_FROM_UTF8,
    &length::UTF8_FROM_UTF16,
];

/// The columns of `entries` that pass the options' filters, each with the index
/// of its entry. utfkit has a column for each requested instruction set.
fn columns<E>(entries: &[E], peer: impl Fn(&E) -> Peer, options: &Options) -> (Vec<Column>, Vec<usize>) {
    let mut columns = Vec::new();
    let mut indices = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let peer = peer(entry);
        let isas: Vec<_> = match peer {
            Peer::Utfkit => options.isas.iter().copied().map(Some).collect(),
            _ if options.lets_in(peer) => vec![None],
            _ => Vec::new(),
        };
        for isa in isas {
            columns.push(Column { peer, isa });
            indices.push(index);
        }
    }
    (columns, indices)
}
