//! Changes to a text at given places.

use std::ops::Range;

/// A change to the text in UTF-8. Offsets are those before the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: Range<usize>,
    pub(super) old: String,
    pub(super) new: String,
}

/// Applies edits to a text that comes in pieces.
pub(super) struct Editor<'a> {
    edits: &'a [Edit],
    /// The offset of the next piece, before and after the edits.
    at: usize,
    new_at: u64,
}

impl<'a> Editor<'a> {
    pub(super) fn new(edits: &'a [Edit]) -> Editor<'a> {
        Editor { edits, at: 0, new_at: 0 }
    }

    /// True if no edit is left.
    pub(super) fn is_done(&self) -> bool {
        self.edits.is_empty()
    }

    /// Appends the edited piece to `out`. Returns the edits that begin in it, with their offsets in
    /// the new text.
    pub(super) fn feed(&mut self, text: &[u8], out: &mut Vec<u8>) -> Vec<(u64, &'a Edit)> {
        let (mut begun, start, end) = (Vec::new(), self.at, self.at + text.len());
        let before = out.len();
        let mut at = start;
        while let Some((edit, rest)) = self.edits.split_first() {
            if edit.at.start >= start {
                if edit.at.start >= end {
                    break;
                }
                out.extend_from_slice(&text[at - start..edit.at.start - start]);
                begun.push((self.new_at + (out.len() - before) as u64, edit));
                out.extend_from_slice(edit.new.as_bytes());
            }
            // The rest of it may be in the next piece.
            at = edit.at.end.min(end);
            if edit.at.end > end {
                break;
            }
            self.edits = rest;
        }
        out.extend_from_slice(&text[at - start..]);
        self.at = end;
        self.new_at += (out.len() - before) as u64;
        begun
    }
}

/// Applies the edits to `text`.
pub(super) fn edited(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        new.extend_from_slice(&text[at..edit.at.start]);
        new.extend_from_slice(edit.new.as_bytes());
        at = edit.at.end;
    }
    new.extend_from_slice(&text[at..]);
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_do_not_depend_on_the_pieces() {
        let text = b"latin1 in the front, latin1 in the middle, koi8-r";
        let edit =
            |at: usize, old: &str, new: &str| Edit { at: at..at + old.len(), old: old.to_owned(), new: new.to_owned() };
        let edits = [edit(0, "latin1", "utf-8"), edit(21, "latin1", "a-long-name"), edit(43, "koi8-r", "")];
        let wanted = b"utf-8 in the front, a-long-name in the middle, ";
        for size in 1..=text.len() {
            let mut editor = Editor::new(&edits);
            let (mut new, mut places) = (Vec::new(), Vec::new());
            for piece in text.chunks(size) {
                places.extend(editor.feed(piece, &mut new).into_iter().map(|(at, _)| at));
            }
            assert!(editor.is_done());
            assert_eq!((new.as_slice(), places), (&wanted[..], vec![0, 20, 47]), "{size}");
        }
    }
}
