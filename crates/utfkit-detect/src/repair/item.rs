//! The characters of a text, before and after an undoing.

use alloc::vec::Vec;

/// The spaces after a character whose last byte, A0, may have become a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    /// No spaces, or a character whose last byte is another.
    None,
    /// One space, taken for the last byte.
    Inside,
    /// One space, taken for one that separates words.
    After,
    /// Two spaces, of which the first was the last byte.
    Two,
}

/// A character of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) c: char,
    /// The end of its bytes in the source.
    pub(super) end: u32,
    /// True if a sequence was undone to it.
    pub(super) is_undone: bool,
    /// The spaces after it in the text from which it was undone.
    pub(super) blank: Blank,
}

/// The characters of `text`, none of them undone.
pub(super) fn items(text: &str) -> Vec<Item> {
    text.char_indices()
        .map(|(at, c)| Item { c, end: (at + c.len_utf8()) as u32, is_undone: false, blank: Blank::None })
        .collect()
}
