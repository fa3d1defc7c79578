//! Search by bytes (RFC 3629 section 1: "The Boyer-Moore fast search algorithm can
//! be used with UTF-8 data").
//!
//! The needle is well-formed; the haystack need not be. A match never begins or ends
//! inside a character: the first byte of the needle is not a continuation byte, so
//! it begins a character in the haystack too, and the last character of the needle
//! is complete. Both ends of a match are boundaries of [`next_boundary`]. In damaged
//! text stray continuation bytes may follow a match; they are errors of their own.
//! The matches are therefore those in
//! [`from_utf8_lossy`](utfkit_core::from_utf8_lossy) of the haystack, except that a
//! U+FFFD in the needle matches EF BF BD alone.
//!
//! The empty needle matches at every boundary, as for [`str::find`].
//!
//! ```
//! use utfkit::search;
//!
//! let haystack = b"caf\xC3\xA9 \xE9 caf\xC3\xA9\x80";
//! assert_eq!(search::find(haystack, "é"), Some(3));
//! assert_eq!(search::rfind(haystack, "café"), Some(8));
//! assert_eq!(search::matches(haystack, "é").collect::<Vec<_>>(), [3, 11]);
//! ```

use core::iter::FusedIterator;

use memchr::memmem;

use utfkit_core::next_boundary;

/// The offset of the first match of `needle` in `haystack`. Canonically equivalent
/// text does not match: é is not e with a combining accent.
///
/// Cost: linear in both; no allocation.
///
/// ```
/// assert_eq!(utfkit::search::find("日本語".as_bytes(), "本"), Some(3));
/// assert_eq!(utfkit::search::find(b"abc", "d"), None);
/// ```
pub fn find(haystack: &[u8], needle: &str) -> Option<usize> {
    memmem::find(haystack, needle.as_bytes())
}

/// The offset of the last match of `needle` in `haystack`. See [`find`].
///
/// ```
/// assert_eq!(utfkit::search::rfind("本日本".as_bytes(), "本"), Some(6));
/// ```
pub fn rfind(haystack: &[u8], needle: &str) -> Option<usize> {
    memmem::rfind(haystack, needle.as_bytes())
}

/// Iterates over the offsets of all matches of `needle` in `haystack`, in order and
/// without overlap, like [`str::match_indices`].
///
/// Cost: linear in both for all matches together; no allocation.
///
/// ```
/// assert_eq!(utfkit::search::matches(b"aaaa", "aa").collect::<Vec<_>>(), [0, 2]);
/// assert_eq!(utfkit::search::matches("é\u{1F600}".as_bytes(), "").collect::<Vec<_>>(), [0, 2, 6]);
/// ```
pub fn matches<'h, 'n>(haystack: &'h [u8], needle: &'n str) -> Matches<'h, 'n> {
    Matches(if needle.is_empty() {
        Ways::Boundaries { haystack, at: Some(0) }
    } else {
        Ways::Found(memmem::find_iter(haystack, needle.as_bytes()))
    })
}

/// The iterator that [`matches()`] returns.
#[derive(Clone, Debug)]
pub struct Matches<'h, 'n>(Ways<'h, 'n>);

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
enum Ways<'h, 'n> {
    Found(memmem::FindIter<'h, 'n>),
    /// The empty needle, which a search of bytes would find inside
    /// characters.
    Boundaries {
        haystack: &'h [u8],
        at: Option<usize>,
    },
}

impl Iterator for Matches<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match &mut self.0 {
            Ways::Found(found) => found.next(),
            Ways::Boundaries { haystack, at } => {
                let here = (*at)?;
                *at = (here < haystack.len()).then(|| next_boundary(haystack, here));
                Some(here)
            }
        }
    }
}

impl FusedIterator for Matches<'_, '_> {}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::{format, string::String, vec::Vec};
    use utfkit_core::is_boundary;

    /// Every boundary at which the bytes of `needle` occur, overlapping
    /// occurrences included.
    fn by_hand(haystack: &[u8], needle: &str) -> Vec<usize> {
        (0..=haystack.len())
            .filter(|&at| is_boundary(haystack, at) && haystack[at..].starts_with(needle.as_bytes()))
            .collect()
    }

    fn check(haystack: &[u8], needle: &str) {
        let all = by_hand(haystack, needle);
        let context = || format!("{haystack:02X?} {needle:?}");
        assert_eq!(find(haystack, needle), all.first().copied(), "{}", context());
        assert_eq!(rfind(haystack, needle), all.last().copied(), "{}", context());
        let mut expected = Vec::new();
        let mut from = 0;
        for at in all {
            if at >= from {
                expected.push(at);
                from = at + needle.len();
            }
        }
        let found: Vec<_> = matches(haystack, needle).collect();
        assert_eq!(found, expected, "{}", context());
        assert!(found.iter().all(|&at| is_boundary(haystack, at + needle.len())), "{}", context());
        assert_eq!(found.len(), String::from_utf8_lossy(haystack).matches(needle).count(), "{}", context());
    }

    #[test]
    fn matches_are_those_found_by_hand_and_in_the_lossy_text() {
        let parts: [&[u8]; 9] =
            [b"a", b"\xC3\xA9", b"\xE2\x82\xAC", b"\xF0\x9F\x98\x80", b"\x80", b"\xC3", b"\xE2\x82", b"\xFF", b"\xA9"];
        let needles = ["", "a", "é", "€", "😀", "aé", "éa", "aa", "éé", "a😀", "\u{80}", "©"];
        for count in 0..5 {
            for number in 0..parts.len().pow(count) {
                let digit = |place| number / parts.len().pow(place) % parts.len();
                let haystack: Vec<u8> = (0..count).flat_map(|place| parts[digit(place)]).copied().collect();
                needles.iter().for_each(|needle| check(&haystack, needle));
            }
        }
    }

    #[test]
    fn a_long_haystack_is_no_different() {
        let haystack = "naïve café, 日本語 😀 ".repeat(100);
        for needle in ["ï", "café", "語 😀", "x", ""] {
            let expected: Vec<_> = haystack.match_indices(needle).map(|(at, _)| at).collect();
            assert_eq!(matches(haystack.as_bytes(), needle).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn the_replacement_character_is_found_only_where_it_is_written() {
        assert_eq!(matches(b"\xFF\xEF\xBF\xBD\xFF", "\u{FFFD}").collect::<Vec<_>>(), [1]);
    }
}
