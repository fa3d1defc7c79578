//! The prefix of a text that two encodings write in the same way.
//!
//! CESU-8 is UTF-8 except for supplementary characters, UCS-2 is UTF-16 except for
//! surrogates, US-ASCII is any of them below U+0080. A kernel for the better
//! known one serves both until the first such character.

use crate::engine::kernel::special::{GROUP, Range16, bytes_without, units_without};
use crate::engine::kernel::swap::swap;
use crate::engine::noncharacter::first_noncharacter;
use crate::engine::row::{Form, Order};
use crate::engine::special::Special;
use utfkit_forms::Standard;
use utfkit_forms::scalar::bytes::{Little, Unit};
use utfkit_forms::scalar::is_surrogate;

/// True if `unit` of UTF-16 belongs to a code point of `set`.
#[inline(never)]
fn is_special(set: Special, unit: u16) -> bool {
    (set.has(Special::NUL) && unit == 0)
        | (set.has(Special::SUPPLEMENTARY) && is_surrogate(unit as u32))
        | (set.has(Special::NON_ASCII) && unit >= 0x80)
        | (set.has(Special::KUHN) && unit >= 0xFFFE)
        // Of a supplementary one the second half tells, and of some others.
        | (set.has(Special::NONCHARACTERS)
            && (unit >= 0xFFFE || matches!(unit, 0xFDD0..=0xFDEF | 0xDFFE | 0xDFFF)))
}

/// A search for special code points in text in one form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    special: Special,
    form: Form,
    order: Order,
}

/// The search for `special` in text of a form: nothing if there is nothing to
/// look for, `None` if it cannot be looked for.
pub(super) fn search(form: Form, order: Order, special: Special) -> Option<Option<Search>> {
    if special == Special::NOTHING {
        return Some(None);
    }
    // Of noncharacters and something else, the ranges would be too many.
    let noncharacters = [Special::KUHN, Special::NONCHARACTERS];
    if noncharacters.iter().any(|&set| special.has(set) && special != set) || !matches!(form, Form::Utf8 | Form::Utf16)
    {
        return None;
    }
    Some(Some(Search { special, form, order }))
}

impl Search {
    /// How many bytes at the start of `src` hold nothing special: never more,
    /// perhaps some fewer.
    pub(super) fn prefix(self, src: &[u8]) -> usize {
        match self.form {
            Form::Utf8 if self.special == Special::KUHN => without_noncharacters(src, Standard::Kuhn),
            Form::Utf8 if self.special == Special::NONCHARACTERS => {
                without_noncharacters(src, Standard::NoNoncharacters)
            }
            Form::Utf16 if self.order == Order::Little => in_utf16(self.special, src),
            Form::Utf16 => in_swapped_utf16(self.special, src),
            _ => in_utf8(self.special, src),
        }
    }
}

fn without_noncharacters(src: &[u8], standard: Standard) -> usize {
    first_noncharacter(src, standard).unwrap_or(src.len())
}

fn in_utf8(set: Special, src: &[u8]) -> usize {
    let from = if set.has(Special::NON_ASCII) {
        0x80
    } else if set.has(Special::SUPPLEMENTARY) {
        0xF0
    } else {
        0xFF
    };
    let nul = set.has(Special::NUL);
    // If NUL is special, everything is one less, and that is FF.
    let less = u8::from(nul);
    let special = |&byte: &u8| byte.wrapping_sub(less) >= from - less;
    front(src, |src| bytes_without(src, from, nul), |group| first(group.as_chunks::<16>(), special, special))
}

fn in_utf16(set: Special, src: &[u8]) -> usize {
    const NUL: Range16 = Range16 { first: 0, span: 0 };
    // Units between two ranges are looked at once more, one by one.
    let one = match set {
        _ if set.has(Special::NON_ASCII) => Range16 { first: 0x80, span: 0xFF7F },
        _ if set.has(Special::SUPPLEMENTARY) => Range16 { first: 0xD800, span: 0x7FF },
        _ if set.has(Special::NONCHARACTERS) => Range16 { first: 0xFDD0, span: 0x22F },
        _ if set.has(Special::KUHN) => Range16 { first: 0xFFFE, span: 1 },
        _ => NUL,
    };
    let two = match set {
        _ if set.has(Special::NONCHARACTERS) => Range16 { first: 0xDFFE, span: 1 },
        _ if set.has(Special::NUL) => NUL,
        _ => one,
    };
    let is_one = one == two;
    front(
        src,
        |src| if is_one { units_without(src, [one]) } else { units_without(src, [one, two]) },
        |group| {
            let units = group.as_chunks::<2>().0;
            let is_in = |unit: u16, range: Range16| unit.wrapping_sub(range.first) <= range.span;
            let perhaps =
                |unit: &[u8; 2]| is_in(u16::read::<Little>(unit), one) | is_in(u16::read::<Little>(unit), two);
            2 * first(units.as_chunks::<8>(), perhaps, |unit| is_special(set, u16::read::<Little>(unit)))
        },
    )
}

/// [`in_utf16`] for UTF-16BE, a piece at a time.
fn in_swapped_utf16(set: Special, src: &[u8]) -> usize {
    let mut swapped = [0; 4096];
    let mut at = 0;
    loop {
        let len = swapped.len().min(src.len() - at) & !1;
        let piece = &mut swapped[..len];
        piece.copy_from_slice(&src[at..at + len]);
        swap(2, piece);
        let clean = in_utf16(set, piece);
        at += clean;
        if clean < len || len < 2 {
            return at;
        }
    }
}

/// The number of bytes before the first special unit. `clean` passes text without
/// any, up to one or nearly to the end; `first` finds it in a group, or returns
/// its length.
#[inline(always)]
fn front(src: &[u8], clean: impl Fn(&[u8]) -> usize, first: impl Fn(&[u8]) -> usize) -> usize {
    let mut at = 0;
    loop {
        at += clean(&src[at..]);
        let group = &src[at..src.len().min(at + GROUP)];
        let len = first(group);
        at += len;
        if len < GROUP {
            return at;
        }
    }
}

/// The number of units before the first special one. `perhaps` is asked of whole
/// blocks, where the compiler makes vectors of it, and `special` of the
/// units of a block that may have one.
#[inline(always)]
fn first<U, const N: usize>(
    (blocks, rest): (&[[U; N]], &[U]),
    perhaps: impl Fn(&U) -> bool,
    special: impl Fn(&U) -> bool,
) -> usize {
    // The likeliest place, where a kernel stopped.
    if blocks.as_flattened().first().or(rest.first()).is_some_and(&special) {
        return 0;
    }
    let mut at = 0;
    while let Some(block) = blocks.get(at) {
        if block.iter().fold(false, |found, unit| found | perhaps(unit))
            && let Some(unit) = block.iter().position(&special)
        {
            return N * at + unit;
        }
        at += 1;
    }
    N * at + rest.iter().position(special).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_place_is_seen() {
        let set = Special::NUL.or(Special::SUPPLEMENTARY);
        for len in 0..200 {
            for at in 0..len {
                for special in ['\0', '🎉'] {
                    let text = |other: char| (0..len).map(move |i| if i == at { special } else { other });
                    let utf8: alloc::string::String = text('ä').collect();
                    let plain8 = search(Form::Utf8, Order::Little, set).unwrap().unwrap();
                    assert_eq!(plain8.prefix(utf8.as_bytes()), 2 * at);
                    let units: Vec<u16> = utf8.encode_utf16().collect();
                    let le: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
                    let be: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
                    assert_eq!(search(Form::Utf16, Order::Little, set).unwrap().unwrap().prefix(&le), 2 * at);
                    assert_eq!(search(Form::Utf16, Order::Big, set).unwrap().unwrap().prefix(&be), 2 * at);
                }
            }
        }
    }

    #[test]
    fn sets_are_told_apart() {
        let count = |set, text: &str| search(Form::Utf8, Order::Little, set).unwrap().unwrap().prefix(text.as_bytes());
        assert_eq!(count(Special::NUL, "ä🎉\0"), 6);
        assert_eq!(count(Special::SUPPLEMENTARY, "ä\0🎉"), 3);
        assert_eq!(count(Special::NON_ASCII, "a\0ä"), 2);
        assert_eq!(count(Special::NON_ASCII.or(Special::NUL), "a\0ä"), 1);
        assert_eq!(count(Special::SUPPLEMENTARY.or(Special::NON_ASCII), "a\0ä"), 2);
        assert!(search(Form::Utf8, Order::Little, Special::NOTHING).unwrap().is_none());
        assert!(search(Form::Utf32, Order::Little, Special::NUL).is_none());
    }

    /// True if `value` is in `set`, by the definitions of the Unicode Standard.
    fn is_special_value(set: Special, value: u32) -> bool {
        let of_kuhn = value & 0xFFFE == 0xFFFE;
        set.has(Special::NUL) && value == 0
            || set.has(Special::SUPPLEMENTARY) && value > 0xFFFF
            || set.has(Special::NON_ASCII) && value > 0x7F
            || set.has(Special::KUHN) && of_kuhn && value < 0x1_0000
            || set.has(Special::NONCHARACTERS) && (of_kuhn || (0xFDD0..=0xFDEF).contains(&value))
    }

    const SETS: [Special; 7] = [
        Special::NUL,
        Special::SUPPLEMENTARY,
        Special::NUL.or(Special::SUPPLEMENTARY),
        Special::NON_ASCII,
        Special::NUL.or(Special::NON_ASCII),
        Special::KUHN,
        Special::NONCHARACTERS,
    ];

    /// Compares the prefix of `text`, whose only character that may be in `set` is
    /// `c`, after `before` of US-ASCII.
    #[track_caller]
    fn judged(set: Special, text: &str, c: char, before: usize) {
        let of = |(form, order), bytes: &[u8]| search(form, order, set).unwrap().unwrap().prefix(bytes);
        let special = is_special_value(set, c as u32);
        let expected = if special { before } else { text.len() };
        assert_eq!(of((Form::Utf8, Order::Little), text.as_bytes()), expected, "{set:?} {c:?}");
        let (mut le, mut be) = (Vec::new(), Vec::new());
        for unit in text.encode_utf16() {
            le.extend(unit.to_le_bytes());
            be.extend(unit.to_be_bytes());
        }
        // The second half of a pair tells, which may be that of another
        // character: a fast path stops before the first half anyway.
        let half = c > '\u{FFFF}';
        let least = if special || half { 2 * before } else { le.len() };
        let most = if special { 2 * before + 2 * usize::from(half) } else { le.len() };
        for found in [of((Form::Utf16, Order::Little), &le), of((Form::Utf16, Order::Big), &be)] {
            assert!((least..=most).contains(&found), "{set:?} {c:?}: {found}");
        }
    }

    #[test]
    fn every_character_is_judged() {
        let mut text = alloc::string::String::new();
        // Of the supplementary ones those about the borders of planes, and
        // those with the second halves of noncharacters.
        for c in ('\0'..=char::MAX).filter(|&c| c <= '\u{1_0010}' || (c as u32 + 0x10) & 0x3FF <= 0x20) {
            text.clear();
            text.extend(['a', c, 'b']);
            SETS.iter().for_each(|&set| judged(set, &text, c, 1));
        }
    }

    /// Where whole groups are passed by a kernel.
    #[test]
    fn every_border_is_seen_among_others() {
        let borders = [0, 0x80, 0xD7FF, 0xE000, 0xFDD0, 0xFDF0, 0xFFFE, 0x1_0000, 0x1_0020, 0x1_FFFE, 0x10_FFFE];
        let around = borders.iter().flat_map(|&border: &u32| border.saturating_sub(2)..border + 3);
        for c in around.filter_map(char::from_u32) {
            for before in [0, 1, 100, 255, 256, 300] {
                let text: alloc::string::String =
                    core::iter::repeat_n('a', before).chain([c]).chain(core::iter::repeat_n('b', 600)).collect();
                SETS.iter().for_each(|&set| judged(set, &text, c, before));
            }
        }
    }

    #[test]
    fn what_is_special_to_both_is_special() {
        for set in SETS {
            assert_eq!(set.or(set), set);
            assert_eq!(set.or(Special::NOTHING), set);
        }
        assert_ne!(Special::NUL.or(Special::SUPPLEMENTARY), Special::SUPPLEMENTARY);
        assert_eq!(Special::NON_ASCII.or(Special::SUPPLEMENTARY), Special::NON_ASCII);
    }
}
