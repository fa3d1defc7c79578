//! Ill-formed bytes as a lenient decoder reads them.

use alloc::string::String;

use utfkit_core::from_utf8;
use utfkit_core::internal::REPLACEMENT;
use utfkit_core::internal::utf8::read_leniently;

/// Decodes `bytes` by their header bits alone: overlong forms of up to six bytes
/// become the character that their payload spells, and surrogate pairs in UTF-8
/// (CESU-8) become the character of the pair.
///
/// RFC 3629 section 10 warns of such decoders. The result shows, in a log, what an
/// attacker tried or a careless program wrote. Never base a decision on it: check
/// only bytes that were found to be well-formed. The result contains everything
/// that was hidden, control characters included.
///
/// Well-formed text is unchanged. Each other ill-formed sequence becomes one
/// U+FFFD, as [`Checker`](crate::Checker) counts them: stray and missing
/// continuation bytes, unpaired surrogates, values above U+10FFFF.
///
/// ```
/// use utfkit::diagnose::lenient_reading;
///
/// assert_eq!(lenient_reading(b"\x2F\xC0\xAE\x2E\x2F"), "/../");
/// assert_eq!(lenient_reading(b"\xED\xA1\x8C\xED\xBE\xB4"), "\u{233B4}");
/// assert_eq!(lenient_reading(b"caf\xE9!"), "caf\u{FFFD}!");
/// ```
#[inline]
#[cfg(feature = "alloc")]
pub fn lenient_reading(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let sure = from_utf8(rest).map_or_else(|e| e.valid_up_to(), str::len);
        let (well_formed, after) = rest.split_at(sure);
        text.push_str(from_utf8(well_formed).unwrap_or_default());
        rest = after;
        // Errors cluster: read the next sequences without the validator.
        while !rest.is_empty() {
            let (value, len) = read_leniently(rest);
            if value.is_some() && from_utf8(&rest[..len]).is_ok() {
                break;
            }
            let value = value.unwrap_or(REPLACEMENT);
            text.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = &rest[len..];
        }
    }
    text
}
