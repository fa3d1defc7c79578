//! The apparent encoding of a file, for reports only: no conversion depends on
//! it.

use utfkit::bom::Bom;
use utfkit::detect::{Certainty, detect};
use utfkit::{Encoding, Standard};

/// Number of bytes of the front of a file that are examined.
pub(crate) const FRONT: usize = 1024;

/// Collects the first [`FRONT`] bytes of a stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front(Vec<u8>);

impl Front {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let capacity = FRONT - self.0.len();
        self.0.extend_from_slice(&bytes[..bytes.len().min(capacity)]);
    }

    /// True until `FRONT` bytes have been collected.
    pub(crate) fn wants(&self) -> bool {
        self.0.len() < FRONT
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// UTF-16 or UTF-32, as detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide {
    /// A variant with an explicit byte order.
    pub(crate) encoding: Encoding,
    pub(crate) bom: bool,
}

/// Detects UTF-16 and UTF-32, unless that is only a guess.
pub(crate) fn wide(front: &[u8]) -> Option<Wide> {
    // Two ASCII bytes form a CJK ideograph in UTF-16, so ASCII text after FF FE
    // would pass for Chinese.
    let by_chance = |text: &[u8]| text.is_empty() || (memchr::memchr(0, text).is_none() && reads_as_utf8(text));
    if by_chance(front) || !may_be_wide(front) {
        return None;
    }
    let found = detect(front);
    let encoding = found.encoding().filter(|&encoding| is_wide(encoding))?;
    let text = &front[found.bom().map_or(0, |bom| bom.bytes().len())..];
    let bom = found.bom().is_some();
    let nulls = text.iter().filter(|&&byte| byte == 0).count();
    // Damaged text is only a guess, but still has a BOM and many NUL bytes.
    let sure = found.certainty() > Certainty::Guess || (bom && nulls * 4 >= text.len());
    (sure && !by_chance(text)).then_some(Wide { encoding, bom })
}

/// True if the detector would look for UTF-16 and UTF-32: with a BOM, or with controls, which are half of a unit.
fn may_be_wide(front: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r');
    signed_wide(front).is_some() || front.iter().any(is_control)
}

/// True if `bytes` are well-formed UTF-8, except that the last sequence may be
/// cut.
fn reads_as_utf8(bytes: &[u8]) -> bool {
    utfkit::validate(bytes, Standard::Rfc3629).err().is_none_or(|error| error.error_len().is_none())
}

pub(crate) fn is_wide(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Utf16Be | Encoding::Utf16Le | Encoding::Utf32Be | Encoding::Utf32Le)
}

/// The encoding of the BOM at the start, if it is UTF-16 or UTF-32.
pub(crate) fn signed_wide(front: &[u8]) -> Option<Encoding> {
    Bom::of(front).and_then(Bom::encoding).filter(|&encoding| is_wide(encoding))
}

#[cfg(test)]
mod tests {
    use utfkit::{Policy, Transcoder};

    use super::*;

    fn encoded(text: &str, to: Encoding) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = Transcoder::new(Encoding::Utf8, to, Policy::Strict).transcode_to_vec(text.as_bytes(), &mut bytes, true);
        bytes
    }

    #[test]
    fn wide_text_is_known_with_and_without_a_bom() {
        use Encoding::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};
        for encoding in [Utf16Be, Utf16Le, Utf32Be, Utf32Le] {
            let text = "Grüße, naïve 日本語 and\r\n🎉";
            assert_eq!(wide(&encoded(text, encoding)), Some(Wide { encoding, bom: false }));
            let signed = format!("\u{FEFF}{text}");
            assert_eq!(wide(&encoded(&signed, encoding)), Some(Wide { encoding, bom: true }));
            // The front may cut a character.
            let bytes = encoded(&signed, encoding);
            assert_eq!(wide(&bytes[..bytes.len() - 1]), Some(Wide { encoding, bom: true }));
        }
        assert_eq!(wide(b"\xFF\xFEa\0"), Some(Wide { encoding: Utf16Le, bom: true }));
        assert_eq!(wide(&encoded("\u{FEFF}日本語", Utf16Le)), Some(Wide { encoding: Utf16Le, bom: true }));
    }

    #[test]
    fn bytes_without_controls_are_detected_as_no_units() {
        let mut state = 1_u32;
        let mut next = |least: u8| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 24) as u8).max(least)
        };
        for len in 0..300 {
            // Letters of Chinese in units of both orders, and any bytes.
            let units: Vec<u8> = (0..len).flat_map(|_| [next(0x20), 0x4E + next(0) % 0x50]).collect();
            let bytes: Vec<u8> = (0..2 * len).map(|_| next(0x20)).collect();
            let swapped: Vec<u8> = units.chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect();
            for front in [units, swapped, bytes] {
                let front: Vec<u8> = front.into_iter().filter(|byte| *byte != 0x7F).collect();
                let found = detect(&front);
                assert!(may_be_wide(&front) || !found.encoding().is_some_and(is_wide), "{front:02X?} {found}");
            }
        }
    }

    #[test]
    fn damage_does_not_hide_a_bom() {
        let mut bytes = encoded("\u{FEFF}abcdef\n", Encoding::Utf16Le);
        bytes.extend_from_slice(b"\x00\xD8x\0");
        assert_eq!(wide(&bytes), Some(Wide { encoding: Encoding::Utf16Le, bom: true }));
        assert_eq!(wide(&bytes[2..]), None);
    }

    #[test]
    fn what_is_no_text_is_not_wide() {
        for front in [
            &b""[..],
            b"plain text",
            b"caf\xE9 and more of it",
            b"\xFF\xFE",
            b"\xFF\xFE text in UTF-8 after BOM\0",
            b"\xFF\xFE text of UTF-8",
            b"\xFF\xFE\x00\xD8a\0",
            b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0",
            b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"a\0",
            b"one NUL \0 in a long line of text, or \0 two of them",
        ] {
            assert_eq!(wide(front), None, "{front:02X?}");
        }
    }
}
