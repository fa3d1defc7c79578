//! Each encoding against its reference: every value, and every short string of the bytes that
//! its decoder distinguishes, whole and in chunks.

use std::fmt::Write;
use std::thread;

use crate::common::shards::{in_shards, in_share, is_in_share};
use crate::common::transcoding::{SCHEMES, compare, feed};
use utfkit::isa;
use utfkit::{Encoding, Policy, Transcoder};
use utfkit_testkit::scheme::Scheme;
use utfkit_testkit::transcription::{Treatment, transcribe};
use utfkit_testkit::utf8;

/// Holds all 31-bit values, including surrogates.
const ANY: (Encoding, Scheme) = (Encoding::Utf8Rfc2044, Scheme::Utf8Rfc2044);

fn encoding(scheme: Scheme) -> Encoding {
    SCHEMES.iter().find(|row| row.1 == scheme).expect("it is among all").0
}

/// Asserts that `src` becomes the output of the reference, in chunks of each of these sizes.
fn agrees(from: (Encoding, Scheme), to: (Encoding, Scheme), src: &[u8], sizes: &[usize]) {
    let expected = transcribe(from.1, to.1, Treatment::Report, src);
    for &size in sizes {
        let mut transcoder = Transcoder::new(from.0, to.0, Policy::Strict);
        let chunks: Vec<&[u8]> = src.chunks(size).collect();
        let got = feed(&mut transcoder, &chunks, 16 * src.len() + 64, true);
        compare(isa::active(), &transcoder, &chunks, 16 * src.len() + 64, size < src.len(), &got, &expected);
    }
}

/// Asserts that `src` is decoded as by the reference, whole and in chunks.
fn is_read(scheme: Scheme, src: &[u8]) {
    agrees((encoding(scheme), scheme), ANY, src, &[src.len(), 1, 3]);
}

/// Asserts that `values` are encoded as by the reference.
fn is_written(scheme: Scheme, values: &[u32]) {
    agrees(ANY, (encoding(scheme), scheme), &text(values), &[usize::MAX, 1]);
}

/// `values` in [`ANY`].
fn text(values: &[u32]) -> Vec<u8> {
    let mut text = Vec::new();
    values.iter().for_each(|value| utf8::encode(*value, &mut text));
    text
}

/// Calls `act` with every sequence of one to `most` tokens.
fn sequences<T: Copy>(tokens: &[&[T]], most: usize, act: &mut dyn FnMut(&[T])) {
    fn longer<T: Copy>(tokens: &[&[T]], most: usize, src: &mut Vec<T>, act: &mut dyn FnMut(&[T])) {
        let len = src.len();
        for token in tokens {
            src.extend_from_slice(token);
            act(src);
            if most > 1 {
                longer(tokens, most - 1, src, act);
            }
            src.truncate(len);
        }
    }
    longer(tokens, most, &mut Vec::new(), act);
}

/// Each of `all` as a token.
fn singles<T>(all: &[T]) -> Vec<&[T]> {
    all.chunks(1).collect()
}

const UTF_7: &[Scheme] = &[Scheme::Utf7, Scheme::Utf7Optional, Scheme::ImapUtf7];

/// Schemes, bytes, and the length up to which all strings of these bytes are decoded.
const BYTES: &[(&[Scheme], &[u8], usize)] = &[
    (UTF_7, b"+-A/,&=~a ", 5),
    (
        &[Scheme::Cesu8, Scheme::Mutf8],
        b"\x00\x41\x7F\x80\x9F\xA0\xAF\xB0\xBF\xC0\xC1\xC2\xE0\xE2\xED\xEF\xF0\xF4\xF8\xFF",
        4,
    ),
    // Surrogates in all combinations, and incomplete ones.
    (&[Scheme::Cesu8, Scheme::Mutf8], b"\x41\x80\xA0\xB0\xC0\xED\xF0", 6),
    (
        &[Scheme::Wtf8],
        b"\x00\x41\x7F\x80\x8F\x90\x9F\xA0\xAF\xB0\xBF\xC0\xC1\xC2\xE0\xE2\xED\xEF\xF0\xF1\xF4\xF5\xF8\xFC\xFF",
        4,
    ),
    (&[Scheme::Wtf8], b"\x41\x80\xA0\xAF\xB0\xED\xF0", 6),
    (&[Scheme::Wtf8], b"\x80\xA0\xB0\xED", 8),
    (
        &[Scheme::Utf8Rfc2279, Scheme::Utf8Rfc2044, Scheme::Utf8Kuhn, Scheme::Utf8NoNoncharacters],
        b"\x41\x80\x84\x88\x8F\x90\xA0\xBE\xBF\xC0\xC2\xE0\xED\xEF\xF0\xF4\xF8\xFC\xFE\xFF",
        4,
    ),
    (&[Scheme::Utf1], b"\x00\x20\x21\x7E\x7F\x9F\xA0\xBD\xC4\xF5\xF6\xFC\xFD\xFE", 5),
    // The first and the last surrogate, and the value 80000000, with their neighbours.
    (&[Scheme::Utf1], b"\x2F\x3A\x78\x79\xC3\xC4\xF7", 4),
    (&[Scheme::Utf1], b"\x2B\x40\x41\xB9\xBD\xFD", 5),
    (&[Scheme::Wtf16Le, Scheme::Wtf16Be], b"\x00\x41\xD7\xD8\xDB\xDC\xDF\xE0", 6),
    (&[Scheme::Ucs2Le, Scheme::Ucs2Be], b"\x00\x41\xD7\xD8\xDC\xDF\xE0\xFF", 5),
    (&[Scheme::Ucs4Le, Scheme::Ucs4Be], b"\x00\x10\x11\x7F\x80\xD8\xFF", 6),
    (&[Scheme::Iso2022Utf8], b"\x1B\x25\x40\x47\xC3\xA9", 7),
];

/// Runs `work` for each row, concurrently.
fn for_each_row<R: Sync>(rows: &[R], work: impl Fn(&R) + Sync) {
    thread::scope(|scope| {
        for row in rows {
            let work = &work;
            scope.spawn(move || work(row));
        }
    });
}

#[test]
fn short_strings_are_read_as_the_reference_reads_them() {
    for_each_row(BYTES, |(schemes, bytes, most)| {
        for &scheme in *schemes {
            let mut longest = 0;
            sequences(&singles(bytes), *most, &mut |src| {
                // Most strings have the greatest length: only a share of these is run.
                longest += usize::from(src.len() == *most);
                if src.len() < *most || is_in_share(longest) {
                    is_read(scheme, src);
                }
            });
        }
    });
}

/// Units, surrogate pairs and unpaired surrogates, at every offset in a run of base64 and with
/// every end.
#[test]
fn runs_of_utf_7_are_read_as_the_reference_reads_them() {
    let tokens = [&b"+"[..], b"&", b"-", b"!", b"~", b"A", b"B", b"AGE", b"AOQ", b"2AA", b"2ADcAA", b"3AA", b"NwA"];
    for_each_row(UTF_7, |&scheme| sequences(&tokens, 4, &mut |src| is_read(scheme, src)));
}

#[test]
fn what_follows_a_switch_is_read_as_the_reference_reads_it() {
    sequences(&singles(b"\x1B\x25\x47\x82\xE2"), 5, &mut |rest| {
        is_read(Scheme::Iso2022Utf8, &[b"\x1B%G", rest].concat());
    });
}

#[test]
fn every_pair_of_bytes_is_read_as_the_reference_reads_it() {
    for_each_row(&[Scheme::Utf1, Scheme::Ibm437, Scheme::UsAscii], |&scheme| {
        for pair in 0..=u16::MAX {
            is_read(scheme, &pair.to_be_bytes());
        }
    });
}

#[test]
fn every_lead_byte_and_two_more_are_read_as_the_reference_reads_them() {
    in_shards(0x40_0000, |range| {
        for number in range {
            let [_, src @ ..] = (0xC0_0000 + number as u32).to_be_bytes();
            for scheme in [Scheme::Cesu8, Scheme::Mutf8, Scheme::Wtf8] {
                agrees((encoding(scheme), scheme), ANY, &src, &[3]);
            }
        }
    });
}

/// Every code point, and the values at which a 31-bit form may change.
fn values() -> Vec<u32> {
    let mut values: Vec<u32> = (0..=0x11_0000).chain((0x11_0000..=0x7FFF_FFFF).step_by(99_991)).collect();
    values.extend([0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFE, 0x7FFF_FFFF]);
    // Both sides of each value at which a byte of UTF-1 changes.
    for power in 0..4 {
        for digit in 0..190_u32 {
            let edge = 0x3_8E2E + 190_u32.pow(power).saturating_mul(digit);
            values.extend([edge - 1, edge, edge + 1].into_iter().filter(|value| *value <= 0x7FFF_FFFF));
        }
    }
    values
}

#[test]
fn every_value_is_written_and_read() {
    let values = values();
    for_each_row(&SCHEMES, |&(_, scheme)| {
        for part in in_share(values.chunks(1_000)) {
            agrees(ANY, (encoding(scheme), scheme), &text(part), &[usize::MAX, 61]);
            let held: Vec<u32> = part.iter().copied().filter(|v| scheme.encode(*v, &mut Vec::new())).collect();
            let bytes = scheme.encode_all(&held).unwrap_or_default();
            agrees((encoding(scheme), scheme), ANY, &bytes, &[usize::MAX, 13]);
        }
        // Also alone and between others: all of the first plane if there are states.
        let all_below = if scheme.has_states() { 0x1_0100 } else { 0x460 };
        for &value in in_share(values.iter().filter(|value| **value < all_below || **value % 509 == 0)) {
            for values in [&[value][..], &[0x61, value, 0x7A]] {
                agrees(ANY, (encoding(scheme), scheme), &text(values), &[usize::MAX]);
                if let Some(bytes) = scheme.encode_all(values) {
                    agrees((encoding(scheme), scheme), ANY, &bytes, &[usize::MAX, 1]);
                }
            }
        }
    });
}

/// All transitions into, within and out of a state.
#[test]
fn short_texts_are_written_as_the_reference_writes_them() {
    let mut of_utf_7: Vec<u32> = "+-&/,!a~\t\0äあ\u{1F401}".chars().map(u32::from).collect();
    // Refused without a change of state.
    of_utf_7.push(0xD800);
    let of_iso_2022 = [0x1B, 0x25, 0x40, 0x47, 0x61, 0xE9, 0x20AC];
    let of_wtf_8 = [0x61, 0xD83D, 0xDCA9, 0x1_F4A9, 0x11_0000];
    for_each_row(UTF_7, |&scheme| sequences(&singles(&of_utf_7), 4, &mut |text| is_written(scheme, text)));
    sequences(&singles(&of_iso_2022), 6, &mut |text| is_written(Scheme::Iso2022Utf8, text));
    sequences(&singles(&of_wtf_8), 5, &mut |text| is_written(Scheme::Wtf8, text));
}

/// The characters of `src`, and its errors by name and length.
fn story(encoding: Encoding, src: &[u8]) -> String {
    let mut transcoder = Transcoder::new(encoding, Encoding::Utf8, Policy::Strict);
    let outcome = feed(&mut transcoder, &[src], 64, true);
    let (mut story, mut at) = (String::new(), 0);
    for report in &outcome.reports {
        story += std::str::from_utf8(&outcome.output[at..report.written]).expect("text");
        at = report.written;
        write!(story, "({} {})", report.kind, report.len).expect("a string");
    }
    story + std::str::from_utf8(&outcome.output[at..]).expect("text")
}

#[test]
fn errors_in_utf_7_have_names() {
    for (src, expected) in [
        (&b"+-"[..], "+"),
        (b"+AOQ-a", "äa"),
        (b"+AOQ!", "ä!"),
        (b"+AOQ-+AOQ-", "ää"),
        (b"+2D3cAQ-", "\u{1F401}"),
        (b"~", "(invalid-byte 1)"),
        (b"\\", "(invalid-byte 1)"),
        (b"\0", "(invalid-byte 1)"),
        (b"\xE4", "(invalid-byte 1)"),
        (b"+AOQ~", "ä(invalid-byte 1)"),
        (b"+!", "(empty-shift 1)!"),
        (b"+", "(truncated 1)"),
        (b"+A-", "(partial-unit 1)"),
        (b"+AOQA!", "ä(partial-unit 1)!"),
        (b"+AOQA", "ä(truncated 1)"),
        (b"+AOR-", "ä(padding-bits 1)"),
        (b"+AOR", "ä(padding-bits 1)"),
        (b"+AOR!", "ä(padding-bits 1)!"),
        (b"+2AA-", "(unpaired-surrogate 3)"),
        (b"+2AAAYQ-", "(unpaired-surrogate 3)a"),
        (b"+3AA-", "(unpaired-surrogate 3)"),
        (b"+2AA", "(truncated 3)"),
        (b"+2ADc", "(truncated 4)"),
    ] {
        assert_eq!(story(Encoding::Utf7, src), expected, "{}", src.escape_ascii());
    }
}

#[test]
fn errors_in_names_of_mailboxes_have_names() {
    for (src, expected) in [
        (&b"&-"[..], "&"),
        (b"~\\+", "~\\+"),
        (b"\n", "(invalid-byte 1)"),
        (b"\x7F", "(invalid-byte 1)"),
        (b"&AOQ-&-", "ä&"),
        (b"&AOQ-a&AOQ-", "äaä"),
        (b"&-&AOQ-", "&ä"),
        (b"&AOQ-&AOQ-", "ä(needless-shift 1)ä"),
        (b"&AGE-", "(needless-shift 3)"),
        (b"&AOQ", "ä(unclosed-shift 1)"),
        (b"&AOQ!", "ä(unclosed-shift 1)!"),
        (b"&AOQ/", "ä(unclosed-shift 1)/"),
        (b"&AOQ&AOQ-", "ä(unclosed-shift 1)ä"),
        (b"&AOR!", "ä(padding-bits 1)!"),
        (b"&!", "(empty-shift 1)!"),
    ] {
        assert_eq!(story(Encoding::ImapUtf7, src), expected, "{}", src.escape_ascii());
    }
}

/// UNICODE-1-1-UTF-8 has no reference: it is compared with UTF-8 and the list of its syllables.
#[test]
fn the_hangul_of_unicode_1_1_is_all_that_differs_from_utf_8() {
    const HANGUL: &[u8] = include_bytes!("../../../utfkit-forms/data/hangul11.bin");
    let now: Vec<char> =
        HANGUL.as_chunks().0.iter().filter_map(|c| char::from_u32(u16::from_le_bytes(*c).into())).collect();
    assert_eq!(now.len(), 0x4E00 - 0x3400);
    for c in '\0'..=char::MAX {
        let (read, written) = match u32::from(c) {
            value @ 0x3400..0x4E00 => (now[value as usize - 0x3400].to_string(), None),
            0xAC00..=0xD7A3 => {
                let then = now.iter().position(|syllable| *syllable == c);
                ("(invalid-sequence 3)".into(), then.and_then(|at| char::from_u32(0x3400 + at as u32)))
            }
            _ => (c.to_string(), Some(c)),
        };
        assert_eq!(story(Encoding::Unicode11Utf8, c.to_string().as_bytes()), read, "{c:?}");
        let mut writer = Transcoder::new(Encoding::Utf8, Encoding::Unicode11Utf8, Policy::Skip);
        let bytes = feed(&mut writer, &[c.to_string().as_bytes()], 8, true).output;
        assert_eq!(String::from_utf8(bytes), Ok(written.map(String::from).unwrap_or_default()), "{c:?}");
    }
    let src = b"\xC0\x80\xED\xA0\x80\xF4\x90\x80\x80a\xE2\x82";
    assert_eq!(story(Encoding::Unicode11Utf8, src), story(Encoding::Utf8, src));
}

/// The encodings with states, which convert several characters at once between two changes.
fn with_states() -> Vec<Encoding> {
    let forms = Scheme::ALL.iter().filter(|scheme| scheme.has_states()).map(|scheme| encoding(*scheme));
    let legacy = ["ISO-2022-JP", "ISO-2022-KR", "HZ-GB-2312", "ISO-2022-UTF-8+Big5", "ISO-2022-UTF-8+EUC-KR"];
    let all: Vec<_> = forms.chain(legacy.iter().filter_map(|label| Encoding::for_label(label))).collect();
    assert!(all.len() >= if cfg!(feature = "legacy") { 10 } else { 5 }, "{all:?}");
    all
}

/// Asserts that `src` has the same result at once as byte by byte, for all capacities and
/// starting points.
fn at_once_as_by_bytes(from: Encoding, to: Encoding, src: &[u8]) {
    let by = |chunks: &[&[u8]], capacity| feed(&mut Transcoder::new(from, to, Policy::Strict), chunks, capacity, true);
    let expected = by(&src.chunks(1).collect::<Vec<_>>(), 64);
    let check = |chunks: &[&[u8]], capacity| {
        let transcoder = Transcoder::new(from, to, Policy::Strict);
        compare(isa::active(), &transcoder, chunks, capacity, true, &by(chunks, capacity), &expected);
    };
    // Only some offsets of a long source.
    let step = 1 + src.len() / 400;
    for capacity in (1..expected.output.len() + 12).step_by(3 * step * step) {
        check(&[src], capacity);
    }
    for at in (1..src.len()).step_by(step * step) {
        check(&[&src[..at], &src[at..]], 1 + at * 7 % 61);
    }
}

/// Sequences of all encodings with states, complete and incomplete.
const TOKENS: [&[u8]; 26] = [
    b"a",
    b" ",
    b"~",
    b"\n",
    b"~{",
    b"~}",
    b"VP",
    b"\x24\x22",
    b"\x0E",
    b"\x0F",
    b"\x1B$)C",
    b"\x1B$B",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B",
    b"\x1B%G",
    b"\x1B%@",
    b"\xC3\xA9",
    b"\xE9",
    b"+",
    b"&",
    b"-",
    b"AOk",
    b"2D3eAA",
    b"BBA",
];

/// Text with runs longer than a block.
const TEXTS: [&str; 8] = [
    "plain text of more than sixteen letters ~ and \\ and ~{ 1 + 1 & so on\n",
    "Ünï\u{80}cödé é é-é+é&é/é",
    "我能吞下玻璃而不伤身体。统一码给每个字符提供了一个唯一的编码\n, and ~ more",
    "いろはにほへと ちりぬるを ¥ a ‾ \\ ~ b¥c 日本語のテキスト。",
    "다람쥐 헌 쳇바퀴에 타고파, ㉾ abc 가나다라마바사아자차카타파하",
    "Съешь ещё этих мягких французских булок, да выпей же чаю.",
    "a😀b😀😀 漢😀",
    "\u{1B}% \u{E}\u{F} é\u{1B}%€",
];

#[test]
fn runs_are_read_at_once_as_byte_by_byte() {
    for_each_row(&with_states(), |&encoding| {
        let mut number = 0;
        sequences(&TOKENS, 3, &mut |middle| {
            number += 1;
            if !is_in_share(number) {
                return;
            }
            let src = [middle, b"a+AOk-&AOk-\x0EVP", middle].concat();
            at_once_as_by_bytes(encoding, Encoding::Utf8, &src);
            at_once_as_by_bytes(encoding, Encoding::Utf16Le, &src);
        });
    });
}

#[test]
fn text_is_written_and_read_at_once_as_byte_by_byte() {
    for_each_row(&with_states(), |&encoding| {
        for text in TEXTS {
            // Also longer than what is converted at once.
            for text in [text.to_string(), text.repeat(30)] {
                let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let mut writer = Transcoder::new(Encoding::Utf8, encoding, Policy::Skip);
                let bytes = feed(&mut writer, &[text.as_bytes()], 1 << 14, true).output;
                at_once_as_by_bytes(Encoding::Utf8, encoding, text.as_bytes());
                at_once_as_by_bytes(Encoding::Utf16Le, encoding, &units);
                at_once_as_by_bytes(encoding, Encoding::Utf8, &bytes);
                at_once_as_by_bytes(encoding, Encoding::Utf16Le, &bytes);
            }
        }
    });
}
