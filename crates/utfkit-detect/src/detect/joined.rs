//! Bytes joined to UTF-16: a line that a shell appended to a file in the other encoding.
//!
//! Two bytes of US-ASCII are one ideograph. In Chinese text, a few units in a row may be
//! both; longer stretches are the likelier text in one of them.

use alloc::vec::Vec;

use super::controls::positions;
use crate::model::{BIT, score_of};
use utfkit_core::internal::utf8::{is_continuation, well_formed_len};
use utfkit_core::{Encoding, from_utf8_lossy};

/// The least gain of a stretch read as bytes, in bits.
const MIN_GAIN: u64 = 8;
/// The bytes of a stretch that are scored.
const SCORED: usize = 512;
/// The shortest stretch, and in a stream of an odd number of bytes, which is not all UTF-16.
const SHORTEST: u64 = 6;
const SHORTEST_IN_ODD: u64 = 4;
/// The stretches that are scored.
const STRETCHES: usize = 4;

/// The place where the bytes of a stream begin or cease to be UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// UTF-16 up to this byte.
    UpTo(Encoding, u64),
    /// UTF-16 from this byte on.
    From(Encoding, u64),
    /// Some UTF-16 at this byte.
    At(Encoding, u64),
}

impl Joined {
    pub(super) fn encoding(self) -> Encoding {
        match self {
            Joined::UpTo(encoding, _) | Joined::From(encoding, _) | Joined::At(encoding, _) => encoding,
        }
    }
}

/// The first characters of US-ASCII in UTF-16 in a window of bytes. `before` is the number of
/// bytes before it.
pub(super) fn first_units(window: &[u8], before: u64) -> Option<Joined> {
    let is_printable = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    let is_units =
        |part: &[u8]| part.iter().zip(0..).all(|(&byte, at)| if at & 1 == 0 { byte == 0 } else { is_printable(byte) });
    let nul = positions(window, 0).find(|at| window.get(*at..at + 8).is_some_and(is_units))?;
    // In UTF-16LE, the byte before is the first letter.
    let (encoding, at) = match window[..nul] {
        [.., letter] if is_printable(letter) && letter != b' ' && letter != b'\n' => (Encoding::Utf16Le, nul - 1),
        _ => (Encoding::Utf16Be, nul),
    };
    Some(Joined::At(encoding, before + at as u64))
}

/// A stretch of bytes that is text in UTF-8, without controls.
#[derive(Clone, Debug, Default)]
struct Stretch {
    start: u64,
    len: u64,
    /// Small letters, spaces, line ends and bytes from 80, less the other bytes.
    weight: i64,
    front: Vec<u8>,
}

/// The stretches of a stream that is read as UTF-16.
#[derive(Clone, Debug, Default)]
pub(super) struct Stretches {
    current: Stretch,
    /// The bytes of the current sequence that are there, and those that it lacks.
    read: usize,
    wanted: usize,
    best: Vec<Stretch>,
    /// Units from U+3400 on outside of stretches, by byte order.
    wide: [u64; 2],
}

impl Stretches {
    /// Takes a window. `before` is the number of bytes before it, which is even.
    pub(super) fn window(&mut self, window: &[u8], before: u64) {
        for (part, before) in window.chunks(64).zip((before..).step_by(64)) {
            // Latin text has hardly a byte that is not half of a letter.
            let is_latin = part.as_chunks::<2>().0.iter().fold(true, |is, unit| is & (unit[0] == 0 || unit[1] == 0));
            self.bytes(if is_latin { &part[..part.len().min(3)] } else { part }, before);
            if is_latin {
                self.end();
            }
        }
    }

    fn bytes(&mut self, part: &[u8], before: u64) {
        for (at, &byte) in (before..).zip(part) {
            let fits = match byte {
                _ if self.wanted > 0 => is_continuation(byte),
                b'\t' | b'\n' | b'\r' | b' '..=b'~' => true,
                0xC2.. => well_formed_len(byte) > 1,
                _ => false,
            };
            if !fits {
                self.end();
                self.wide[(at & 1) as usize] += u64::from(matches!(byte, 0x34..0xE0));
                continue;
            }
            (self.read, self.wanted) = match self.wanted {
                0 => (1, well_formed_len(byte).saturating_sub(1)),
                wanted => (self.read + 1, wanted - 1),
            };
            let Stretch { start, len, weight, front } = &mut self.current;
            if *len == 0 {
                *start = at;
            }
            *len += 1;
            *weight += if matches!(byte, b'a'..=b'z' | b' ' | b'\n' | b'\r' | 0x80..) { 1 } else { -1 };
            if front.len() < SCORED {
                front.push(byte);
            }
        }
    }

    /// Ends the current stretch, and keeps it if it is one of the likeliest.
    fn end(&mut self) {
        if self.wanted > 0 {
            // The last sequence is not whole.
            self.wanted = 0;
            self.current.len -= self.read as u64;
            self.current.weight -= self.read as i64;
            self.current.front.truncate(usize::try_from(self.current.len).unwrap_or(usize::MAX));
        }
        let Stretch { len, weight, .. } = self.current;
        if len < SHORTEST_IN_ODD || weight <= 0 {
            self.current.len = 0;
            self.current.weight = 0;
            self.current.front.clear();
            return;
        }
        let stretch = core::mem::take(&mut self.current);
        let at = self.best.partition_point(|other| other.weight >= weight);
        self.best.insert(at, stretch);
        self.best.truncate(STRETCHES);
    }

    /// The place where a stream of `len` bytes, read in `encoding`, is joined.
    pub(super) fn joined(&mut self, encoding: Encoding, len: u64) -> Option<Joined> {
        self.end();
        let is_little = match encoding {
            Encoding::Utf16Le | Encoding::Utf16 => true,
            Encoding::Utf16Be => false,
            _ => return None,
        };
        // Chance has more of them in longer texts of ideographs.
        let wide = self.wide[usize::from(is_little)];
        let min_gain = MIN_GAIN + 4 * u64::from((wide + 1).ilog2());
        // An odd number of bytes is not all UTF-16.
        let is_odd = !len.is_multiple_of(2);
        let is_joined = |stretch: &&Stretch| {
            let is_at_edge = stretch.start <= 2 || stretch.start + stretch.len == len;
            let min_gain = match () {
                () if is_at_edge && is_odd => 1,
                () if is_at_edge => min_gain.min(MIN_GAIN + 4),
                () => min_gain,
            };
            (is_odd || stretch.len >= SHORTEST) && stretch.gain(is_little) >= min_gain
        };
        let stretch = self.best.iter().find(is_joined)?;
        let end = stretch.start + stretch.len;
        if stretch.start > 2 || end >= len {
            return Some(Joined::UpTo(encoding, stretch.start.next_multiple_of(2).max(2)));
        }
        // The units are whole, and the first letter of UTF-16LE is a byte of text.
        let from = end - (len - end) % 2;
        let is_swapped = from % 2 == 1;
        Some(Joined::From(if is_little == is_swapped { Encoding::Utf16Be } else { Encoding::Utf16Le }, from))
    }
}

impl Stretch {
    /// By how many bits it is likelier as bytes than as units.
    fn gain(&self, is_little: bool) -> u64 {
        let units = self.front[(self.start & 1) as usize..].as_chunks::<2>().0;
        let (lows, highs): (Vec<u8>, Vec<u8>) = units.iter().map(|unit| (unit[0], unit[1])).unzip();
        // A stretch of a code chart has one high byte.
        let least = units.len().min(8).div_ceil(2);
        if distinct(&lows) < least || distinct(&highs) < least {
            return 0;
        }
        let value = |unit: &[u8; 2]| if is_little { u16::from_le_bytes(*unit) } else { u16::from_be_bytes(*unit) };
        let as_units: Vec<char> =
            char::decode_utf16(units.iter().map(value)).map(|c| c.unwrap_or('\u{FFFD}')).collect();
        let as_bytes: Vec<char> = from_utf8_lossy(&self.front).chars().collect();
        let score = |text: &[char]| score_of(text, u64::MAX / 2).unwrap_or(u64::MAX / 2);
        score(&as_units).saturating_sub(score(&as_bytes)) / u64::from(BIT)
    }
}

fn distinct(bytes: &[u8]) -> usize {
    let mut seen = [false; 256];
    bytes.iter().filter(|&&byte| !core::mem::replace(&mut seen[usize::from(byte)], true)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Basis, Certainty, Detection, Detector};
    use alloc::string::ToString;

    /// As a stream, which cannot be split.
    fn detect(bytes: &[u8]) -> Detection {
        let mut detector = Detector::new();
        detector.feed(bytes);
        detector.finish()
    }

    fn utf16(text: &str, encoding: Encoding) -> Vec<u8> {
        let order = |unit: u16| if encoding == Encoding::Utf16Le { unit.to_le_bytes() } else { unit.to_be_bytes() };
        text.encode_utf16().flat_map(order).collect()
    }

    #[track_caller]
    fn assert_joined(bytes: &[u8], joined: Joined) {
        let found = detect(bytes);
        assert_eq!((found.encoding(), found.basis()), (None, Basis::Unknown), "{found}");
        assert!(found.is_mixed() && found.certainty() <= Certainty::Likely, "{found}");
        assert_eq!(found.to_string(), alloc::format!("unknown (likely: {joined})"));
    }

    fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
        BYTES.into_iter().flat_map(|bytes| UNITS.map(|units| (bytes, units)))
    }

    const BYTES: [&str; 10] = [
        "*.log\n",
        "*.log\nnode_modules\n",
        "target/\nbuild/\n*.tmp\n",
        "echo done\r\n",
        "Feierabend für heute, schöne Grüße\n",
        "name,city\nZoë,Málaga\n",
        "Письмо отправлено в среду вечером.\n",
        "Καλημέρα σε όλους τους φίλους.\n",
        "total 42 files changed, 7 insertions\n",
        "<p>The end of the page.</p>\n",
    ];
    const UNITS: [&str; 6] = [
        "vendor/\r\n",
        "Der Name ist größer als vorher.\r\n",
        "id;name\r\n1;Łukasz\r\n2;Žofie\r\n",
        "Список файлов готов.\r\n",
        "קובץ חדש נוצר היום.\r\n",
        "今天天气很好，我们去公园散步吧。\r\n",
    ];

    #[test]
    fn bytes_before_utf_16_are_not_utf_16() {
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            for mark in ["", "\u{FEFF}"] {
                for (front, units) in pairs() {
                    for front in [Some(front), front.get(1..)].into_iter().flatten() {
                        let bytes = [front.as_bytes(), &utf16(mark, encoding), &utf16(units, encoding)].concat();
                        let found = detect(&bytes);
                        // Two ideographs are no evidence.
                        let is_safe =
                            front.len() < 6 || found.encoding().is_none_or(|encoding| encoding.unit_size() == 1);
                        let case = alloc::format!("{front:?} {mark:?} {units:?} {encoding}: {found}");
                        assert!(is_safe && found.certainty() < Certainty::NearlyCertain, "{case}");
                    }
                }
            }
        }
        for (front, mark, from) in
            [("*.log\ntarget/\n", "", 14), ("*.log\ntarget\n", "", 13), ("*.log\ntarget/\n", "\u{FEFF}", 14)]
        {
            let bytes =
                [front.as_bytes(), &utf16(mark, Encoding::Utf16Le), &utf16("vendor/\r\n", Encoding::Utf16Le)].concat();
            assert_joined(&bytes, Joined::From(Encoding::Utf16Le, from));
            let bytes =
                [front.as_bytes(), &utf16(mark, Encoding::Utf16Be), &utf16("vendor/\r\n", Encoding::Utf16Be)].concat();
            assert_joined(&bytes, Joined::From(Encoding::Utf16Be, from));
        }
    }

    #[test]
    fn bytes_after_utf_16_are_not_utf_16() {
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            for mark in ["", "\u{FEFF}"] {
                for (back, units) in pairs() {
                    let units = utf16(&[mark, units, units].concat(), encoding);
                    let bytes = [&units, back.as_bytes()].concat();
                    assert_joined(&bytes, Joined::UpTo(encoding, units.len() as u64));
                    // Without the last byte.
                    if back.is_ascii() && back.len() > 6 {
                        assert_joined(&bytes[..bytes.len() - 1], Joined::UpTo(encoding, units.len() as u64));
                    }
                }
            }
        }
    }

    #[test]
    fn bytes_are_found_in_long_files() {
        let page = "今天天气很好，我们去公园散步吧。他说：《春天》这本书很有意思。\r\n".repeat(2000);
        let latin = "Der Name ist größer als vorher.\r\n".repeat(2000);
        for text in [page, latin] {
            let mut bytes = utf16(&["\u{FEFF}", &text].concat(), Encoding::Utf16Le);
            let len = bytes.len() as u64;
            bytes.extend_from_slice(b"appended by a script that wrote bytes, on the next day\r\n");
            assert_joined(&bytes, Joined::UpTo(Encoding::Utf16Le, len));
        }
    }

    #[test]
    fn utf_16_in_any_script_is_all_utf_16() {
        for text in [
            "Plain text, and nothing else.\r\n",
            "Съешь же ещё этих мягких французских булок.\n",
            "สวัสดีชาวโลก ยินดีต้อนรับ",
            "ᎠᏂᏴᏫ ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
            "የሰው ልጅ ሁሉ ሲወለድ ነጻ",
            "ᐃᓄᐃᑦ ᐃᓄᒃᑎᑐᑦ ᐅᖃᐅᓯᖅ",
            "ꆈꌠꁱꂷ ꆏꌠ",
            "नमस्ते दुनिया, आप कैसे हैं",
            "ਸਾਰੇ ਮਨੁੱਖ ਆਜ਼ਾਦ",
            "മനുഷ്യരെല്ലാവരും തുല്യ",
            "ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ",
            "═══════════════════════════════════════════════════",
            "☀☁☂☃★☆☎☏☐☑☒☓☔☕☖☗",
            "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋",
            "敬礼、自転車、消防署、病院、海水浴、水泳、玉葱、洗濯、畑仕事",
            "慡慢慣慤慥慦慧慨慩慪慫慬慭慮慯慰慱慲慳慴慵慶慷慸慹慺慻慼慽慾",
            "안녕하세요 세계 여러분 모두",
            "㐀㐁㐂㑀㑁㑂㒅㓃㔾㕛㖞㗂㘚㙘㚤",
            "text with \u{E000}\u{E123}\u{F8FF} private use",
            "text\u{FFFF}with\u{FDD0}noncharacters\u{FFFE} in it",
            "padded to a length\0\0\0\0",
            "火星是太阳系八大行星之一，橘红色外表是地表的赤铁矿。火星的直径约为地球的一半。",
        ] {
            for times in [1, 5, 300] {
                for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
                    for mark in ["", "\u{FEFF}"] {
                        let bytes = utf16(&[mark, &text.repeat(times)].concat(), encoding);
                        let found = detect(&bytes);
                        assert_eq!(found.joined, None, "{text} {times} {encoding}: {found}");
                        assert_ne!(crate::detect::detect(&bytes).basis(), Basis::Joined, "{text} {times} {encoding}");
                        if !mark.is_empty() {
                            assert_eq!(found.encoding(), Some(encoding), "{text} {times}: {found}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn utf_16_among_bytes_is_told() {
        let mut bytes = b"10:02 user logged in: ".to_vec();
        bytes.extend(utf16("QX-4471", Encoding::Utf16Be));
        bytes.extend_from_slice(b" accepted\n10:03 user logged out\n10:04 nothing to do\n");
        let found = detect(&bytes);
        assert_eq!(
            found.to_string(),
            "US-ASCII (likely: no byte is above 7F, so that it is UTF-8 as well; 7 NUL bytes; UTF-16BE at byte 22)"
        );
    }
}
