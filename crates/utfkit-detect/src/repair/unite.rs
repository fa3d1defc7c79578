//! One text made of joined ones.

use utfkit_core::Encoding;

use super::repairer::{Change, Stretch};
use crate::detect::Piece;

/// Makes UTF-8 of text whose [pieces](crate::detect::Detection::pieces) are in several encodings,
/// without the BOMs where a piece begins. Pieces that are ill-formed or in no known encoding are kept.
///
/// ```
/// use utfkit::detect::detect;
/// use utfkit::repair::unite;
///
/// let bytes = b"*.log\nbuild/\n\xFF\xFEd\0i\0s\0t\0/\0\r\0\n\0";
/// let mut text = Vec::new();
/// unite(bytes, detect(bytes).pieces(), |stretch| text.extend_from_slice(stretch.text()));
/// assert_eq!(text, b"*.log\nbuild/\ndist/\r\n");
/// ```
pub fn unite(bytes: &[u8], pieces: &[Piece], mut on: impl FnMut(Stretch<'_>)) {
    for piece in pieces {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let Some(all) = bytes.get(place(piece.range.start)..place(piece.range.end)) else { return };
        let encoding = piece.encoding.unwrap_or(Encoding::Utf8);
        let mut rest = all;
        while !rest.is_empty() {
            let offset = piece.range.start + (all.len() - rest.len()) as u64;
            let (line, after) = rest.split_at(line_end(rest, encoding));
            rest = after;
            let (text, is_ill_formed) = match offset == piece.range.start {
                true => encoding.decode_with_bom_removal(line),
                false => encoding.decode_without_bom_handling(line),
            };
            on(match is_ill_formed || text.as_bytes() == line {
                true => Stretch::Kept(line),
                false => Stretch::Changed(Change::of_piece(offset, encoding, line, &text)),
            });
        }
    }
}

/// The length of the line at the front.
fn line_end(bytes: &[u8], encoding: Encoding) -> usize {
    let size = encoding.unit_size();
    let is_end = |unit: &[u8]| match encoding {
        Encoding::Utf16Le => unit == b"\n\0",
        Encoding::Utf16Be => unit == b"\0\n",
        _ => unit == b"\n",
    };
    bytes.chunks(size).position(is_end).map_or(bytes.len(), |at| (at + 1) * size)
}
