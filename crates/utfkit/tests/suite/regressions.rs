//! Bugs that were fixed, each under a name that describes it.

use crate::common::every_isa::for_each_isa;
use utfkit::{from_utf8, utf8_to_utf16_lossy};

/// Asserts that this library and std judge `text` alike, on every instruction set.
#[track_caller]
fn judged_as_std_does(text: &[u8]) {
    let std = std::str::from_utf8(text).expect_err("each of these is ill-formed");
    let lossy: Vec<u16> = String::from_utf8_lossy(text).encode_utf16().collect();
    for_each_isa(|isa| {
        let ours = from_utf8(text).expect_err("std says so");
        assert_eq!((ours.valid_up_to(), ours.error_len()), (std.valid_up_to(), std.error_len()), "{isa}: {text:02X?}");
        let mut units = vec![0; text.len()];
        let written = utf8_to_utf16_lossy(text, &mut units).expect("a unit a byte is enough");
        assert_eq!(units[..written], lossy, "{isa}: {text:02X?}");
    });
}

/// The sequence lay across two blocks, and the second block alone looked well-formed: the kernel
/// found an error in the first block, but no lane with it.
#[test]
fn stray_continuation_that_begins_a_block() {
    for blocks in 1..=9 {
        for stray in [0x80, 0xBF] {
            let mut text = "ß".repeat(32 * blocks - 1).into_bytes();
            text.extend_from_slice(b"ab");
            text.push(stray);
            text.resize(text.len() + 200, b'c');
            judged_as_std_does(&text);
        }
    }
}

/// The kernel skipped blocks of US-ASCII without a look at the next byte.
#[test]
fn stray_continuation_right_after_ascii_blocks() {
    for ascii in (0..=1024).step_by(64) {
        let mut text = vec![b'a'; ascii];
        text.push(0x80);
        text.resize(text.len() + 300, b'b');
        judged_as_std_does(&text);
    }
}

/// A lead byte of four corrupted the unit of the character right after it if the fourth byte was
/// missing.
#[test]
fn character_after_three_of_four_bytes() {
    for before in 0..=130 {
        let mut text = vec![b'a'; before];
        text.extend_from_slice(b"\xF0\x90\x90A\xF1\x80\x80B\xF4\x8F\xBF");
        text.extend_from_slice("é\u{800}c".as_bytes());
        judged_as_std_does(&text);
    }
}

/// A low surrogate at the start was reported as the next error.
#[test]
fn validate_utf16_sees_a_low_surrogate_before() {
    for_each_isa(|isa| {
        for len in [1, 2, 23, 200] {
            let mut src = vec![0xD7FF; len];
            src[0] = 0xDCFD;
            src[len - 1] = 0xDCFD;
            let e = utfkit::validate_utf16(&src).unwrap_err();
            assert_eq!((e.offset(), e.error_len()), (0, Some(1)), "{isa}, {len} units");
        }
    });
}

/// A truncated form of five octets counts as one sequence, as it is one finding of `Checker`.
/// The driver counted each octet.
#[test]
fn a_cut_form_of_five_octets_is_one_sequence_by_rfc_2279() {
    let policy = utfkit::Policy::Replace(utfkit::Practice::PerSequence);
    for (src, expected) in [(&b"\xF8\x80\x80a"[..], "\u{FFFD}a"), (b"\xFC\x80\x80\x80\x80\xFF", "\u{FFFD}\u{FFFD}")] {
        let mut transcoder = utfkit::Transcoder::new(utfkit::Encoding::Utf8Rfc2279, utfkit::Encoding::Utf8, policy);
        let mut text = Vec::new();
        let _ = transcoder.transcode_to_vec(src, &mut text, true);
        assert_eq!(text, expected.as_bytes(), "{src:02X?}");
    }
}

/// In ISO-2022-UTF-8 with a legacy encoding outside, the kind of an error in UTF-8 depended on
/// the cut: C1 at the end of a chunk lacked a continuation byte, and in the middle of one it
/// began an overlong form.
#[cfg(feature = "legacy")]
#[test]
fn an_error_between_switches_is_one_finding_however_it_is_cut() {
    use utfkit::diagnose::Checker;
    use utfkit::{Encoding, Legacy, Standard};

    let found = |encoding, chunks: &[&[u8]]| {
        let mut found = Vec::new();
        let mut checker = Checker::new(encoding, Standard::Rfc3629);
        let mut push = |f: &utfkit::diagnose::Finding| found.push((f.offset(), f.kind(), f.bytes().to_vec()));
        for chunk in chunks {
            checker.feed(chunk, &mut push);
        }
        checker.finish(&mut push);
        found
    };
    for src in [&b"\x1B%G\xC1\xBF\xBDa"[..], b"\x1B%G\xF8\x88\x80\x80\x80a", b"\x1B%G\xFE\x80\xF5\x80"] {
        let expected = found(Encoding::Iso2022Utf8, &[src]);
        for cut in 0..=src.len() {
            let (front, rest) = src.split_at(cut);
            assert_eq!(found(Encoding::Iso2022Utf8In(Legacy::Ibm866), &[front, rest]), expected, "cut at {cut}");
        }
    }
}

/// The transcoder treated the error as one of a legacy encoding and split a sequence that is one
/// error with ISO-8859-1 outside.
#[cfg(feature = "legacy")]
#[test]
fn an_error_between_switches_is_replaced_alike_whatever_is_outside() {
    use utfkit::{Encoding, Legacy, Policy, Practice, Status, Transcoder};

    let outcome = |from, policy, chunks: [&[u8]; 2]| {
        let mut transcoder = Transcoder::new(from, Encoding::Utf8, policy);
        let mut out = Vec::new();
        for (chunk, last) in chunks.into_iter().zip([false, true]) {
            if let Status::IllFormed(error) = transcoder.transcode_to_vec(chunk, &mut out, last).status {
                return Err((error.offset(), error.len(), error.kind(), out));
            }
        }
        Ok(out)
    };
    let policies = [Practice::MaximalSubpart, Practice::PerUnit, Practice::PerSequence].map(Policy::Replace);
    for error in [
        &b"\xC1\xBF\xBD"[..],
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF4\x90\x80\x80",
        b"\xF8\x88\x80\x80\x80",
        b"\xFF",
        b"\xE2\x82",
    ] {
        for tail in [&b""[..], b"a", b"\x1B%@a"] {
            let src = [b"a\x1B%G", error, tail].concat();
            for policy in policies.into_iter().chain([Policy::Strict, Policy::Skip, Policy::Escape]) {
                let expected = outcome(Encoding::Iso2022Utf8, policy, [&src, b""]);
                for from in [Encoding::Iso2022Utf8, Encoding::Iso2022Utf8In(Legacy::Ibm866)] {
                    for cut in 0..=src.len() {
                        let (front, rest) = src.split_at(cut);
                        assert_eq!(
                            outcome(from, policy, [front, rest]),
                            expected,
                            "{from:?} {policy:?} {src:02X?} cut at {cut}"
                        );
                    }
                }
            }
        }
    }
}

/// With `Policy::Strict`, the kind of an error depended on the cut: C1 at the end of a chunk
/// lacked a continuation octet, and in the middle of one it began an overlong form.
#[test]
fn an_error_by_rfc_2279_is_of_one_kind_however_it_is_cut() {
    use utfkit::{Encoding, Policy, Status, Transcoder};

    let error = |chunks: [&[u8]; 2]| {
        let mut transcoder = Transcoder::new(Encoding::Utf8Rfc2279, Encoding::Utf8, Policy::Strict);
        let statuses = chunks.into_iter().zip([false, true]);
        let errors = statuses.map(|(chunk, last)| transcoder.transcode_to_vec(chunk, &mut Vec::new(), last).status);
        errors.into_iter().find_map(|status| if let Status::IllFormed(error) = status { Some(error) } else { None })
    };
    for src in [
        &b"\xC1\xBF"[..],
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF0\x80\x80\x80",
        b"\xF8\x80\x80\x80\x80",
        b"\xFC\x80\x80\x80\x80\x80",
    ] {
        let expected = error([src, b""]).map(|error| error.kind());
        assert!(expected.is_some());
        for cut in 0..=src.len() {
            let (front, rest) = src.split_at(cut);
            assert_eq!(error([front, rest]).map(|error| error.kind()), expected, "{src:02X?} cut at {cut}");
        }
    }
}

/// `TranscodeWriter::flush` lost a character that it had read when the buffer was full.
#[cfg(feature = "std")]
#[test]
fn flush_left_out_the_character_for_which_the_buffer_was_full() {
    use std::io::Write;
    use utfkit::{Encoding, Policy, TranscodeWriter, Transcoder};

    for before in (0..2).map(|less| 16 * 1024 - less) {
        let text = "a".repeat(before) + "é";
        let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let transcoder = Transcoder::new(Encoding::Latin1, Encoding::Utf8, Policy::Strict);
        let mut writer = TranscodeWriter::new(Vec::new(), transcoder);
        writer.write_all(&latin1).unwrap();
        writer.flush().unwrap();
        assert!(writer.get_ref() == text.as_bytes(), "{} of {}", writer.get_ref().len(), text.len());
    }
}

/// A magic number and a table of lengths and offsets, as in gettext catalogues: the numbers are
/// code points, the magic number is not.
#[cfg(feature = "detect")]
#[test]
fn a_table_of_numbers_that_was_utf_32() {
    use utfkit::detect::detect;

    let mut units = vec![0x9504_12DE_u32, 0, 120, 28, 988];
    units.extend((0..240).flat_map(|i| [32 + (i * 37) % 90, 0x800 + i * 40]));
    let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    assert_eq!(detect(&bytes).name(), None, "{}", detect(&bytes));
    let text: Vec<u8> = "Grüße aus Köln".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    assert_eq!(detect(&text).name(), Some("UTF-32LE"));
    assert_eq!(detect(&text[..text.len() - 1]).name(), Some("UTF-32LE"));
}

/// The rest of a source was converted at once, whatever its length, but only one block of it
/// counted as read.
#[test]
fn a_tail_of_us_ascii_longer_than_a_block_was_taken_for_one() {
    use utfkit::utf16_to_utf8;

    for len in 0..=300 {
        let units = vec![u16::from(b'a'); len];
        for space in [len, len + 1, len + 127, len + 128, len.saturating_sub(1)] {
            let mut dst = vec![0; space];
            for_each_isa(|isa| match utf16_to_utf8(&units, &mut dst) {
                Ok(written) => assert!(written == len && space >= len, "{isa}: {written} of {len} in {space}"),
                Err(error) => assert_eq!((error.offset(), space + 1), (space, len), "{isa}: {error}"),
            });
        }
    }
}

/// After a block of US-ASCII with one ill-formed byte, the next block was not checked for a
/// continuation byte at its start.
#[test]
fn a_continuation_byte_after_a_mended_block_of_us_ascii_was_taken_for_well_formed() {
    const PARTS: [&[u8]; 6] = [b"\x80", b"\xC3", b"\xC3\xA9", b"\xE2\x82", b"\xF0\x9F\x98", b"\x80\x80"];
    for first in [64, 70, 100, 123, 124, 125, 126, 127] {
        for second in 120..=140 {
            for part in PARTS {
                for third in [150, 170, 191, 192, 193] {
                    for rest in [&b"\xC3\xA9"[..], b"\xFF", b""] {
                        let mut src = vec![b'a'; 400];
                        src[first] = 0xFF;
                        src[third..third + rest.len()].copy_from_slice(rest);
                        src[second..second + part.len()].copy_from_slice(part);
                        let expected = String::from_utf8_lossy(&src);
                        let units: Vec<u16> = expected.encode_utf16().collect();
                        for_each_isa(|isa| {
                            assert_eq!(utfkit::from_utf8_lossy(&src), expected, "{isa}: {first} {second} {third}");
                            let mut dst = vec![0; 3 * src.len()];
                            let written = utfkit::utf8_to_utf16_lossy(&src, &mut dst).unwrap();
                            assert_eq!(dst[..written], units, "{isa}: {first} {second} {third}");
                        });
                    }
                }
            }
        }
    }
}

/// A line end before the window was taken for one inside it, so the encoding was never decided.
#[cfg(feature = "detect")]
#[test]
fn a_small_window_without_a_line_end_was_read_for_ever() {
    use utfkit::io::Options;

    for front in [1500, 3000, 9000] {
        let text = ["plain\n".repeat(front / 6).as_bytes(), &b"caf\xE9 cr\xE8me ".repeat(2000)].concat();
        for piece in [1, 7, 100, text.len()] {
            let mut stream = Options::new().detect(1024).stream();
            let mut read = String::new();
            text.chunks(piece).for_each(|piece| read += stream.push(piece).unwrap());
            read += stream.finish().unwrap();
            assert_eq!(read.len(), text.len() + 4000, "{front} {piece}");
            assert!(read.ends_with("café crème "), "{front} {piece}");
        }
    }
}

/// A diagnosis without context took UTF-8 by an older standard for a form of units: `ED A0 BD`
/// was reported as a surrogate in UTF-32.
#[test]
fn one_sequence_alone_had_the_message_of_another_encoding() {
    use utfkit::diagnose::{Diagnosis, findings_in};
    use utfkit::{Encoding, Standard};

    let mut count = 0;
    for &encoding in Encoding::ALL {
        for src in [&b"\xED\xA0\xBD"[..], b"\xC0\x80", b"\xF8", b"\xEF\xBF\xBF", b"\xFF", b"\xE2\x28", b"\xED\xA0"] {
            let alone = Diagnosis::of(src, encoding, Standard::Rfc3629).map(|alone| alone.to_string());
            let Some(found) = findings_in(src, encoding).next().filter(|found| found.offset() == 0) else {
                continue;
            };
            assert_eq!(alone, Some(found.diagnosis().to_string()), "{encoding} {src:X?}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}
