//! Counts and lengths. For ill-formed input they follow from lead bytes and
//! units alone: no function here fails or panics.

use crate::engine::kernel::count::{self, BelowFour, NonAscii, Starts, Utf16OfUtf8, total};
use crate::engine::memory::{bytes_of, short_word};
use utfkit_forms::scalar::utf16::{is_high, is_low};

/// How many code points `bytes`, in UTF-8, hold: the bytes that are not
/// continuation bytes.
///
/// ```
/// assert_eq!(utfkit::count_code_points("日本語".as_bytes()), 3);
/// ```
pub fn count_code_points(bytes: &[u8]) -> usize {
    if bytes.len() < SHORT {
        return bytes.len() - Few::of(bytes).continuations();
    }
    total(Starts, bytes)
}

/// [`count_code_points`], and the highest byte, or 0 if all are US-ASCII, in one pass. It tells how wide
/// the widest character is: below C4 up to U+00FF, below F0 up to U+FFFF. For strings that are laid
/// out by that, as Python's are.
#[doc(hidden)]
pub fn count_code_points_and_highest(bytes: &[u8]) -> (usize, u8) {
    let (count, highest) = count::starts_and_highest(bytes);
    (count, if highest.is_ascii() { 0 } else { highest })
}

/// How many UTF-16 units the UTF-8 in `src` becomes: one for each byte that is
/// not a continuation byte, and one more for each from F0. Exact for
/// well-formed input.
///
/// ```
/// assert_eq!(utfkit::utf16_len_from_utf8("a🎉".as_bytes()), 3);
/// ```
pub fn utf16_len_from_utf8(src: &[u8]) -> usize {
    if src.len() < SHORT {
        let few = Few::of(src);
        return src.len() - few.continuations() + few.of_four();
    }
    total(Utf16OfUtf8, src)
}

/// The bytes from which on a kernel counts.
const SHORT: usize = 16;

/// Fewer than [`SHORT`] bytes, and zeros after them, in two words: to count them
/// takes less time than to find the kernel.
struct Few {
    lower: u64,
    upper: u64,
}

impl Few {
    #[inline(always)]
    fn of(bytes: &[u8]) -> Few {
        let word = short_word(bytes);
        Few { lower: word as u64, upper: (word >> 64) as u64 }
    }

    /// The continuation bytes: 10......
    #[inline(always)]
    fn continuations(&self) -> usize {
        lowest_bits(self.lower >> 7 & !(self.lower >> 6), self.upper >> 7 & !(self.upper >> 6))
    }

    /// The leads of four bytes, and all bytes after those: 1111....
    #[inline(always)]
    fn of_four(&self) -> usize {
        let four = |word: u64| word >> 7 & word >> 6 & word >> 5 & word >> 4;
        lowest_bits(four(self.lower), four(self.upper))
    }
}

/// In how many bytes of two words the lowest bit is set, if they are fewer than
/// 256.
#[inline(always)]
fn lowest_bits(lower: u64, upper: u64) -> usize {
    // All bytes of the sum are summed in the highest byte of the product.
    const ONES: u64 = 0x0101_0101_0101_0101;
    (((lower & ONES) + (upper & ONES)).wrapping_mul(ONES) >> 56) as usize
}

/// How many bytes of UTF-8 the UTF-16 in `src`, in native order, becomes: 1, 2
/// or 3 a unit, and 2 for each half of a surrogate pair. Exact for
/// well-formed input; a surrogate without its other half counts as U+FFFD, so
/// that it is exact for [`utf16_to_utf8_lossy`](crate::utf16_to_utf8_lossy)
/// too.
///
/// ```
/// assert_eq!(utfkit::utf8_len_from_utf16(&[0x61, 0xE9, 0x20AC, 0xD83C, 0xDF89]), 1 + 2 + 3 + 4);
/// ```
pub fn utf8_len_from_utf16(src: &[u16]) -> usize {
    count::utf8_len_from_utf16(src)
}

/// How many bytes of UTF-8 the UTF-32 in `src`, in native order, becomes.
/// Exact for well-formed input; a value above U+10FFFF counts as 4.
///
/// ```
/// assert_eq!(utfkit::utf8_len_from_utf32(&[0x61, 0x1F389]), 5);
/// ```
pub fn utf8_len_from_utf32(src: &[u32]) -> usize {
    4 * src.len() - total(BelowFour, bytes_of(src))
}

/// How many bytes of UTF-8 the ISO-8859-1 in `src` becomes: 2 for each byte
/// from 80, 1 for each other.
///
/// ```
/// assert_eq!(utfkit::utf8_len_from_latin1(b"caf\xE9"), 5);
/// ```
pub fn utf8_len_from_latin1(src: &[u8]) -> usize {
    src.len() + total(NonAscii, src)
}

/// How many UTF-16 units the UTF-32 in `src`, in native order, becomes: 2 for
/// each value above U+FFFF, 1 for each other.
///
/// ```
/// assert_eq!(utfkit::utf16_len_from_utf32(&[0x61, 0x1F389]), 3);
/// ```
#[doc(alias = "utf16_length_from_utf32")]
pub fn utf16_len_from_utf32(src: &[u32]) -> usize {
    src.len() + src.iter().filter(|&&value| value > 0xFFFF).count()
}

/// How many values of UTF-32 the UTF-16 in `src`, in native order, becomes: one
/// for each unit, and one for each surrogate pair. A surrogate without its
/// other half counts as one, so that it is exact for lossy conversions too.
///
/// ```
/// assert_eq!(utfkit::utf32_len_from_utf16(&[0x61, 0xD83C, 0xDF89]), 2);
/// ```
#[doc(alias = "utf32_length_from_utf16")]
pub fn utf32_len_from_utf16(src: &[u16]) -> usize {
    // A high surrogate before a low one belongs to it, whatever is around them.
    // Counted without a branch and in lanes as wide as the units, which is
    // vector code; few enough at once that a lane cannot overflow.
    const AT_ONCE: usize = 1 << 15;
    let followers = src.get(1..).unwrap_or_default();
    let pairs = src.chunks(AT_ONCE).zip(followers.chunks(AT_ONCE)).map(|(units, followers)| {
        let pair = |(&high, &low): (&u16, &u16)| u16::from(is_high(high) & is_low(low));
        usize::from(units.iter().zip(followers).map(pair).sum::<u16>())
    });
    src.len() - pairs.sum::<usize>()
}

/// How many code points the UTF-16 in `src`, in native order, holds: the
/// counterpart of [`count_code_points`].
///
/// ```
/// assert_eq!(utfkit::count_utf16(&[0x61, 0xD83C, 0xDF89]), 2);
/// ```
#[inline]
pub fn count_utf16(src: &[u16]) -> usize {
    utf32_len_from_utf16(src)
}

/// The most units of UTF-16 that `len` bytes of UTF-8 can become, well-formed or
/// with U+FFFD for each error. Like each of these functions it looks at no text
/// and returns `None` where the number does not fit into a `usize`.
///
/// ```
/// assert_eq!(utfkit::max_utf16_len_from_utf8(10), Some(10));
/// ```
#[doc(alias = "max_utf16_buffer_length")]
pub const fn max_utf16_len_from_utf8(len: usize) -> Option<usize> {
    Some(len)
}

/// The most bytes of UTF-8 that `len` units of UTF-16 can become: three for
/// each.
///
/// ```
/// assert_eq!(utfkit::max_utf8_len_from_utf16(10), Some(30));
/// assert_eq!(utfkit::max_utf8_len_from_utf16(usize::MAX), None);
/// ```
#[doc(alias = "max_utf8_buffer_length")]
pub const fn max_utf8_len_from_utf16(len: usize) -> Option<usize> {
    len.checked_mul(3)
}

/// The most bytes of UTF-8 that `len` values of UTF-32 can become: four for
/// each.
///
/// ```
/// assert_eq!(utfkit::max_utf8_len_from_utf32(10), Some(40));
/// ```
pub const fn max_utf8_len_from_utf32(len: usize) -> Option<usize> {
    len.checked_mul(4)
}

/// The most units of UTF-16 that `len` values of UTF-32 can become: two for
/// each.
///
/// ```
/// assert_eq!(utfkit::max_utf16_len_from_utf32(10), Some(20));
/// ```
pub const fn max_utf16_len_from_utf32(len: usize) -> Option<usize> {
    len.checked_mul(2)
}

/// The most bytes of UTF-8 that `len` bytes of ISO-8859-1 can become: two for
/// each.
///
/// ```
/// assert_eq!(utfkit::max_utf8_len_from_latin1(10), Some(20));
/// ```
pub const fn max_utf8_len_from_latin1(len: usize) -> Option<usize> {
    len.checked_mul(2)
}

/// The most bytes of [`utf8_to_utf8_lossy`](crate::utf8_to_utf8_lossy) for `len`
/// bytes: three for each, which become U+FFFD.
///
/// ```
/// assert_eq!(utfkit::max_utf8_len_from_utf8_lossy(10), Some(30));
/// ```
pub const fn max_utf8_len_from_utf8_lossy(len: usize) -> Option<usize> {
    len.checked_mul(3)
}
