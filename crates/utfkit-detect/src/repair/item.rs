//! The characters of a text, before and after an undoing.

use alloc::vec::Vec;

/// The spaces after a character whose last byte may have become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    None,
    /// One, which is taken for that byte.
    Inside,
    /// One, which is taken for a space.
    After,
    /// Two; the first was that byte.
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
    pub(super) blank: Blank,
}

/// The characters of `text`, none of them undone.
pub(super) fn items(text: &str) -> Vec<Item> {
    text.char_indices()
        .map(|(at, c)| Item { c, end: (at + c.len_utf8()) as u32, is_undone: false, blank: Blank::None })
        .collect()
}
