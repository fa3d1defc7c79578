//! What a file seems to be in. A hint for people: nothing is converted by it.

use utfkit::diagnose::Totals;
use utfkit::signature::Signature;
use utfkit::{Encoding, Policy, Practice, Standard, Status, Transcoder};

/// How much of the front of a file is looked at.
pub(crate) const FRONT: usize = 1024;

/// The front of a stream that comes in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front(Vec<u8>);

impl Front {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let room = FRONT - self.0.len();
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Whether more of it may come.
    pub(crate) fn wants(&self) -> bool {
        self.0.len() < FRONT
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// UTF-16 or UTF-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide {
    /// Which one, with the order of its bytes.
    pub(crate) encoding: Encoding,
    pub(crate) signature: bool,
}

/// Whether `front` is UTF-16 or UTF-32: by its signature, or by the NUL bytes
/// that text in most scripts has there. Either way it has to read as text;
/// with both, it may be damaged.
pub(crate) fn wide(front: &[u8]) -> Option<Wide> {
    if let Some(encoding) = signed_wide(front) {
        let damage = if by_nulls(front, encoding) { 4 } else { 0 };
        // Bytes that are text as they stand would be Chinese by chance.
        let (nulls, units) = upper_nulls(front, encoding);
        let other = nulls * 4 < units && reads_as_utf8(&front[2..]);
        let is_text = !other && reads_as_text(front, encoding, damage);
        return is_text.then_some(Wide { encoding, signature: true });
    }
    let all = [Encoding::Utf32Le, Encoding::Utf32Be, Encoding::Utf16Le, Encoding::Utf16Be];
    let found = all.into_iter().find(|&encoding| by_nulls(front, encoding) && reads_as_text(front, encoding, 0));
    found.map(|encoding| Wide { encoding, signature: false })
}

/// The encoding whose signature is in front, if it is UTF-16 or UTF-32.
pub(crate) fn signed_wide(front: &[u8]) -> Option<Encoding> {
    use Encoding::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    let encoding = Signature::of(front).and_then(Signature::encoding)?;
    matches!(encoding, Utf16Be | Utf16Le | Utf32Be | Utf32Le).then_some(encoding)
}

/// Whether there are NUL bytes where text in `encoding` has them: in each unit
/// of UTF-32, in enough units of UTF-16 for the upper half.
fn by_nulls(front: &[u8], encoding: Encoding) -> bool {
    let share = if encoding.unit_size() == 4 { 1 } else { 4 };
    let (nulls, units) = upper_nulls(front, encoding);
    units >= 4 && nulls >= 2 && nulls * share >= units
}

/// How many units have a NUL byte for their upper end, and how many there are.
fn upper_nulls(front: &[u8], encoding: Encoding) -> (usize, usize) {
    let size = encoding.unit_size();
    let upper = if matches!(encoding, Encoding::Utf16Le | Encoding::Utf32Le) { size - 1 } else { 0 };
    let units = front.chunks_exact(size);
    let all = units.len();
    (units.filter(|unit| unit[upper] == 0).count(), all)
}

/// Whether `front` is text in `encoding`, with at most one fault in `damage`
/// characters and nothing in it that no text has.
fn reads_as_text(front: &[u8], encoding: Encoding, damage: usize) -> bool {
    let mut text = Vec::new();
    let mut reader = Transcoder::new(encoding, Encoding::Utf8, Policy::Replace(Practice::PerSequence));
    let step = reader.transcode_to_vec(front, &mut text, false);
    let Ok(text) = utfkit::from_utf8(&text) else { return false };
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let faults = text.chars().filter(|&c| c == '\u{FFFD}').count();
    let harmless = |c: char| match c {
        '\t' | '\n' | '\r' | '\x0C' => true,
        _ => !c.is_control() && u32::from(c) & 0xFFFE != 0xFFFE,
    };
    step.status == Status::InputEmpty
        && !text.is_empty()
        && text.chars().all(harmless)
        && (faults == 0 || faults * damage.max(1) <= text.chars().count() && damage > 0)
}

/// Whether `bytes` are UTF-8, perhaps cut at the end.
fn reads_as_utf8(bytes: &[u8]) -> bool {
    utfkit::validate(bytes, Standard::Rfc3629).err().is_none_or(|error| error.error_len().is_none())
}

/// What a file is in, in a word, when it was read as `encoding`. `ascii` is how
/// many of its characters are in US-ASCII.
pub(crate) fn encoding_of(encoding: Encoding, front: &[u8], totals: &Totals, ascii: u64) -> String {
    let sequences = totals.code_points().saturating_sub(ascii);
    match encoding {
        Encoding::Utf8 => match totals.findings() {
            _ if totals.bytes() == 0 => "empty",
            0 if sequences == 0 => "US-ASCII",
            0 if Signature::of(front) == Some(Signature::Utf8) => "UTF-8 with signature",
            0 => "UTF-8",
            // As `utfkit::recognize` has it.
            faults if sequences / 2 >= faults => "UTF-8, damaged",
            _ => "not UTF-8",
        }
        .to_owned(),
        wide => {
            let damaged = if totals.findings() > 0 { ", damaged" } else { "" };
            format!("{wide}{damaged}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, to: Encoding) -> Vec<u8> {
        let mut bytes = Vec::new();
        Transcoder::new(Encoding::Utf8, to, Policy::Strict).transcode_to_vec(text.as_bytes(), &mut bytes, true);
        bytes
    }

    #[test]
    fn wide_text_is_known_with_and_without_signature() {
        use Encoding::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};
        for encoding in [Utf16Be, Utf16Le, Utf32Be, Utf32Le] {
            let text = "Grüße, naïve 日本語 and\r\n🎉";
            assert_eq!(wide(&encoded(text, encoding)), Some(Wide { encoding, signature: false }));
            let signed = format!("\u{FEFF}{text}");
            assert_eq!(wide(&encoded(&signed, encoding)), Some(Wide { encoding, signature: true }));
            // The front may cut a character.
            let bytes = encoded(&signed, encoding);
            assert_eq!(wide(&bytes[..bytes.len() - 1]), Some(Wide { encoding, signature: true }));
        }
        assert_eq!(wide(b"\xFF\xFEa\0"), Some(Wide { encoding: Utf16Le, signature: true }));
        assert_eq!(wide(&encoded("\u{FEFF}日本語", Utf16Le)), Some(Wide { encoding: Utf16Le, signature: true }));
    }

    #[test]
    fn damage_does_not_hide_a_signature() {
        let mut bytes = encoded("\u{FEFF}abcdef\n", Encoding::Utf16Le);
        bytes.extend_from_slice(b"\x00\xD8x\0");
        assert_eq!(wide(&bytes), Some(Wide { encoding: Encoding::Utf16Le, signature: true }));
        assert_eq!(wide(&bytes[2..]), None);
    }

    #[test]
    fn what_is_no_text_is_not_wide() {
        for front in [
            &b""[..],
            b"plain text",
            b"caf\xE9 and more of it",
            b"\xFF\xFE",
            b"\xFF\xFE text in UTF-8 behind it\0",
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
