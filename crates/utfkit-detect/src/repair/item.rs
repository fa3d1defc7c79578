//! The characters of a text, before and after an undoing.

use alloc::vec::Vec;

use super::blanks::Blank;

/// A character of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) c: char,
    /// The end of its bytes in the source.
    pub(super) end: u32,
    /// True if a sequence was undone to it.
    pub(super) is_undone: bool,
    pub(super) blank: Blank,
}

/// The characters of `text`, none of them undone.
pub(super) fn items(text: &str) -> Vec<Item> {
    text.char_indices()
        .map(|(at, c)| Item { c, end: (at + c.len_utf8()) as u32, is_undone: false, blank: Blank::None })
        .collect()
}
