//! Readers and streams give the result of a one-shot conversion, whatever the cuts, in every
//! encoding.

use std::io::{self, BufRead, ErrorKind, Read};

use utfkit::bom::BomPolicy;
use utfkit::detect::{Basis, Certainty, detect};
use utfkit::io::{Options, ReadError, Utf8Reader, Utf8Stream};
use utfkit::repair::{self, Fallback};
use utfkit::{Encoding, Legacy, Policy, Practice, Status, Transcoder};

const POLICIES: [Policy; 6] = [
    Policy::Strict,
    Policy::Skip,
    Policy::Escape,
    Policy::Replace(Practice::MaximalSubpart),
    Policy::Replace(Practice::PerUnit),
    Policy::Replace(Practice::PerSequence),
];

/// A reader that returns at most this number of bytes a call, and varies the lengths.
struct Cut<'a>(&'a [u8], usize);

impl Read for Cut<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.1 = self.1 * 5 % 97 + 1;
        let len = self.0.len().min(buf.len()).min(self.1);
        let (front, rest) = self.0.split_at(len);
        buf[..len].copy_from_slice(front);
        self.0 = rest;
        Ok(len)
    }
}

/// The text, the offset of the error that ended it, and the number of errors.
type Outcome = (String, Option<usize>, u64);

fn by_reader(options: &Options, bytes: &[u8], first: usize) -> Outcome {
    let mut reader = options.clone().reader(Cut(bytes, first));
    let mut text = Vec::new();
    let error = reader.read_to_end(&mut text).err();
    let error = error.map(|error| error.get_ref().unwrap().downcast_ref::<utfkit::Error>().unwrap().offset());
    (String::from_utf8(text).unwrap(), error, reader.report().errors())
}

fn by_stream(options: &Options, bytes: &[u8], size: usize) -> Outcome {
    let mut stream = options.clone().stream();
    let mut text = String::new();
    let mut ended = None;
    for chunk in bytes.chunks(size) {
        match stream.push(chunk) {
            Ok(more) => text += more,
            Err(error) => ended = Some(error),
        }
        if ended.is_some() {
            break;
        }
    }
    if ended.is_none() {
        match stream.finish() {
            Ok(more) => text += more,
            Err(error) => ended = Some(error),
        }
    }
    let offset = ended.map(|error| {
        text += stream.text();
        let ReadError::IllFormed(error) = error else { panic!("{error}") };
        assert_eq!(stream.ill_formed_bytes(), &bytes[error.offset()..][..error.len()], "in {size}");
        error.offset()
    });
    (text, offset, stream.report().errors())
}

/// The one-shot conversion.
fn converted(encoding: Encoding, policy: Policy, bytes: &[u8]) -> (String, Option<usize>) {
    let mut text = String::new();
    let mut transcoder = Transcoder::new(encoding, Encoding::Utf8, policy);
    let step = transcoder.transcode_to_string(bytes, &mut text, true).unwrap();
    let error = match step.status {
        Status::IllFormed(error) => Some(error.offset()),
        _ => None,
    };
    (text, error)
}

/// A small random number generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Text in `encoding`, without characters that it lacks, and damaged.
fn sample(encoding: Encoding, random: &mut Random) -> Vec<u8> {
    const TEXT: &str = "id,ñame\nГрüße, 日本語テスト ﾊﾝｶｸ 한국어 中文 ελ עב عر ไทย 😀 a~{b ¥ \u{1B}[0m +AOk- &amp;\r\n";
    let mut bytes = Vec::new();
    for _ in 0..1 + random.below(3) {
        let mut transcoder = Transcoder::new(Encoding::Utf8, encoding, Policy::Skip);
        let _ = transcoder.transcode_to_vec(TEXT.as_bytes(), &mut bytes, true);
    }
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => bytes[at] = random.next() as u8,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, random.next() as u8),
        }
    }
    bytes.truncate(bytes.len() - random.below(4));
    bytes
}

#[test]
fn every_encoding_with_every_policy_reads_as_it_is_converted() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for &encoding in Encoding::ALL {
        for round in 0..6 {
            let bytes = sample(encoding, &mut random);
            for policy in POLICIES {
                // A conversion from a stated encoding decodes a BOM as a character.
                let options = Options::new().encoding(encoding).errors(policy).bom(BomPolicy::Labelled);
                let (text, error) = converted(encoding, policy, &bytes);
                let label = format!("{encoding} {policy:?} {bytes:02X?}");
                let count = by_stream(&options, &bytes, bytes.len()).2;
                for size in [1, 2, 3, 7, 64, bytes.len()] {
                    let (found, at, errors) = by_stream(&options, &bytes, size);
                    assert_eq!((&found, at, errors), (&text, error, count), "in {size}: {label}");
                }
                let (found, at, errors) = by_reader(&options, &bytes, round + 1);
                assert_eq!((&found, at, errors), (&text, error, count), "read: {label}");
                assert_eq!(count > 0, error.is_some() || !is_well_formed(encoding, &bytes), "{label}");
            }
        }
    }
}

fn is_well_formed(encoding: Encoding, bytes: &[u8]) -> bool {
    converted(encoding, Policy::Strict, bytes).1.is_none()
}

/// The text is that of a conversion from the reported encoding, whatever the window and the
/// cuts.
#[test]
fn what_is_detected_is_what_is_read() {
    let mut random = Random(88_172_645_463_325_252);
    let mut detected = 0;
    for &encoding in Encoding::ALL {
        for round in 0..6 {
            let mut bytes = vec![b'a'; [0, 1, 1021, 1500, 9000][random.below(5)]];
            if !bytes.len().is_multiple_of(4) && encoding.unit_size() > 1 {
                bytes.clear();
            }
            bytes.extend(sample(encoding, &mut random));
            let policy = Policy::Replace(Practice::MaximalSubpart);
            let options = Options::new().detect([1, 2000, Options::WINDOW][random.below(3)]).errors(policy);
            let mut stream = options.clone().stream();
            let mut text = String::new();
            for chunk in bytes.chunks(1 + random.below(300)) {
                text += stream.push(chunk).unwrap();
            }
            text += stream.finish().unwrap();
            let report = stream.report();
            // The text before the window is US-ASCII, which an encoding that is no superset of
            // it misreads.
            let found = report.encoding().unwrap();
            detected += u32::from(found == encoding);
            assert_eq!(report.bytes(), bytes.len() as u64);
            let start = bytes.iter().position(|byte| !matches!(byte, b'a')).unwrap_or(0);
            if bytes.len() < 1024 || found == Encoding::Utf8 || start < 1024 {
                let bytes = &bytes[report.bom().map_or(0, |bom| bom.len())..];
                let expected = converted(found, policy, bytes).0;
                assert_eq!(text, expected, "{encoding} as {found}, round {round}: {bytes:02X?}");
            }
            let mut reader = options.reader(Cut(&bytes, round));
            let mut again = String::new();
            reader.read_to_string(&mut again).unwrap();
            assert_eq!(reader.report().encoding(), stream.report().encoding());
            assert!(again == text, "{encoding}");
        }
    }
    assert!(detected > 60, "{detected}");
}

#[test]
fn a_bom_selects_the_encoding_and_is_removed() {
    for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be] {
        let mut bytes = Vec::new();
        let _ = Transcoder::new(Encoding::Utf8, encoding, Policy::Strict).transcode_to_vec(
            "\u{FEFF}a, ü, 日本".as_bytes(),
            &mut bytes,
            true,
        );
        for options in [Options::new(), Options::new().detect(Options::WINDOW)] {
            for size in [1, 2, 3, 4, 5, 50] {
                let mut stream = options.clone().stream();
                let mut text: String = bytes.chunks(size).map(|chunk| stream.push(chunk).unwrap().to_owned()).collect();
                text += stream.finish().unwrap();
                assert_eq!(text, "a, ü, 日本", "{encoding} in {size}");
                assert_eq!(stream.report().encoding(), Some(encoding));
                assert_eq!(stream.report().bom().and_then(|bom| bom.encoding()), Some(encoding));
            }
            let kept = options.encoding(encoding).bom(BomPolicy::Labelled);
            assert_eq!(by_stream(&kept, &bytes, 2).0, "\u{FEFF}a, ü, 日本", "{encoding}");
        }
    }
    // The name UTF-16 allows both byte orders.
    let options = Options::new().encoding(Encoding::Utf16);
    assert_eq!(by_stream(&options, b"\xFF\xFEa\0", 1).0, "a");
    assert_eq!(by_stream(&options, b"\xFE\xFF\0a", 1).0, "a");
    assert_eq!(by_stream(&options, b"\0a", 1).0, "a");
    // The BOM of another encoding is text.
    let options = Options::new().encoding(Encoding::Latin1);
    assert_eq!(by_stream(&options, b"\xEF\xBB\xBFa", 1).0, "ï»¿a");
}

#[test]
fn ascii_is_passed_on_before_the_encoding_is_known() {
    let mut stream = Options::new().detect(Options::WINDOW).stream();
    let line = b"2024-11-25 12:00:00 INFO plain\n".repeat(40);
    assert_eq!(stream.push(&line).unwrap().len(), line.len());
    assert_eq!(stream.report().encoding(), None);
    assert_eq!(stream.push(&line).unwrap().as_bytes(), line);
    let russian = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xDD\xF2\xEE \xF1\xF2\xF0\xEE\xEA\xE0.\n";
    assert_eq!(stream.push(russian).unwrap(), "");
    assert_eq!(stream.finish().unwrap(), "Привет, мир! Это строка.\n");
    assert_eq!(stream.report().encoding(), Some(Encoding::Legacy(Legacy::Windows1251)));
    assert_eq!(stream.report().bytes(), (2 * line.len() + russian.len()) as u64);
}

/// Colour escapes are controls of encodings with states; they leave the encoding open.
#[test]
fn a_log_with_colours_stays_open() {
    let mut stream = Options::new().detect(256).stream();
    let line = b"\x1B[32mINFO\x1B[0m started\n".repeat(100);
    let mut len = 0;
    for chunk in line.chunks(100) {
        len += stream.push(chunk).unwrap().len();
    }
    assert_eq!(len, line.len());
    let german =
        "Gr\u{FC}\u{DF}e aus K\u{F6}ln, sch\u{F6}ne Gr\u{FC}\u{DF}e\n".chars().map(|c| c as u8).collect::<Vec<_>>();
    let mut text = stream.push(&german).unwrap().to_owned();
    text += stream.finish().unwrap();
    assert_eq!(text, "Grüße aus Köln, schöne Grüße\n");
}

/// A declaration at the start decides, even if it is far from the window.
#[test]
fn a_declaration_in_the_head_is_heeded() {
    let mut bytes = b"<?xml version='1.0' encoding='ISO-8859-2'?>\n<a>".to_vec();
    bytes.extend(b"<b>plain</b>\n".repeat(20_000));
    bytes.extend(b"\xB1\xE6</a>\n");
    let mut reader = Options::new().detect(Options::WINDOW).reader(&bytes[..]);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert!(text.ends_with("</b>\nąć</a>\n"));
    assert_eq!(reader.report().detection().unwrap().basis(), Basis::Declared);
}

#[test]
fn what_contradicts_the_verdict_later_is_an_error_with_its_offset() {
    let mut bytes = "Größe,日本\n".repeat(1000).into_bytes();
    let at = bytes.len();
    bytes.extend(b"caf\xE9\n");
    bytes.extend("Größe\n".repeat(1000).bytes());
    let options = Options::new().detect(1000);
    let (text, error, errors) = by_reader(&options, &bytes, 1);
    assert_eq!((text.len(), error, errors), (at + 3, Some(at + 3), 1));
    let lossy = options.errors(Policy::Replace(Practice::MaximalSubpart));
    let mut reader = lossy.reader(&bytes[..]);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text.as_bytes(), String::from_utf8_lossy(&bytes).as_bytes());
    assert_eq!((reader.report().errors(), reader.report().first_error()), (1, Some(at as u64 + 3)));
}

#[test]
fn an_error_ends_the_reader_for_good() {
    let mut reader = Utf8Reader::new(&b"ab\xFFcd"[..]);
    let mut text = String::new();
    assert_eq!(reader.fill_buf().unwrap(), b"ab");
    reader.consume(1);
    assert_eq!(reader.fill_buf().unwrap(), b"b");
    reader.consume(1);
    for _ in 0..3 {
        assert_eq!(reader.fill_buf().unwrap_err().kind(), ErrorKind::InvalidData);
        assert_eq!(reader.read_to_string(&mut text).unwrap_err().kind(), ErrorKind::InvalidData);
    }
    let mut stream = Utf8Stream::new();
    assert!(stream.push(b"\xFF plain").is_err() || stream.finish().is_err());
    assert!(stream.push(b"plain").is_err());
    assert!(stream.finish().is_err());
}

#[test]
fn bytes_that_are_no_text_or_unsure_end_the_stream() {
    let options = Options::new().detect(Options::WINDOW);
    let binary: Vec<u8> = (0..4000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert_eq!(detect(&binary).encoding(), None);
    let mut stream = options.clone().stream();
    let _ = stream.push(&binary);
    let error = stream.finish().unwrap_err();
    assert!(matches!(error, ReadError::NoEncoding(_)), "{error}");
    // UTF-16 that a shell appended to US-ASCII.
    let mut joined = b"first line\r\n".repeat(20);
    joined.extend("zweite Zeile mit ü\r\n".repeat(20).encode_utf16().flat_map(u16::to_le_bytes));
    let mut stream = options.clone().stream();
    let _ = stream.push(&joined);
    assert!(matches!(stream.finish(), Err(ReadError::NoEncoding(_))));
    // A single word is a guess.
    let mut stream = options.clone().at_least(Certainty::NearlyCertain).stream();
    let _ = stream.push(b"caf\xE9");
    let error = stream.finish().unwrap_err();
    assert!(matches!(error, ReadError::Unsure { .. }), "{error}");
    assert!(error.to_string().starts_with("less sure than nearly certain: "), "{error}");
    assert_eq!(by_stream(&options, b"caf\xE9", 4).0, "café");
}

/// The changes are those of a repair with the same fallback.
#[test]
fn the_fallback_reads_what_the_repair_reads() {
    let mut random = Random(1_234_567);
    for encoding in [Legacy::Windows1252, Legacy::Windows1251, Legacy::ShiftJis, Legacy::Gbk, Legacy::Windows1253] {
        let fallback = Fallback::new(Encoding::Legacy(encoding)).unwrap();
        for _ in 0..40 {
            let mut bytes = sample(Encoding::Utf8, &mut random);
            bytes.extend(b"\n");
            bytes.extend(sample(Encoding::Legacy(encoding), &mut random));
            let expected = repair::repair(&bytes, &repair::Options::new().fallback(fallback.clone()).by_line(true));
            let lossy = Policy::Replace(Practice::MaximalSubpart);
            let options = Options::new().fallback(fallback.clone()).errors(lossy);
            for size in [1, 5, 1000] {
                assert_eq!(by_stream(&options, &bytes, size).0, expected, "{bytes:02X?}");
            }
            let strict = Options::new().fallback(fallback.clone());
            let (text, error, errors) = by_reader(&strict, &bytes, 3);
            assert!(expected.starts_with(&text), "{bytes:02X?}");
            assert_eq!((error.is_some(), errors), (errors == 1, u64::from(error.is_some())));
        }
    }
    // 81 is unassigned in windows-1253.
    let greek = Options::new().fallback(Fallback::new(Encoding::Legacy(Legacy::Windows1253)).unwrap());
    assert_eq!(by_stream(&greek, b"\xE1\xE2\xFF\n", 2), ("αβ".to_owned(), Some(2), 1));
    assert_eq!(by_stream(&greek.clone().errors(Policy::Escape), b"\xE1 \xFF\n", 2).0, "α \\xFF\n");
    assert_eq!(by_stream(&greek.errors(Policy::Skip), b"\xE1 \xFF\n", 2).0, "α \n");
}

/// Each error of the inner reader is returned once, and no data is lost.
#[test]
fn errors_of_the_inner_reader_are_passed_on() {
    struct Stuttering<'a>(&'a [u8], u32);
    impl Read for Stuttering<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            match self.1 % 3 {
                0 => Err(ErrorKind::WouldBlock.into()),
                1 => Err(ErrorKind::Interrupted.into()),
                _ => {
                    let len = self.0.len().min(2);
                    let (front, rest) = self.0.split_at(len);
                    buf[..len].copy_from_slice(front);
                    self.0 = rest;
                    Ok(len)
                }
            }
        }
    }
    let text = "日本語, Grüße 😀".repeat(20);
    for options in [Options::new(), Options::new().detect(64)] {
        let mut reader = options.reader(Stuttering(text.as_bytes(), 0));
        let mut read = Vec::new();
        loop {
            match reader.fill_buf().map(<[u8]>::to_vec) {
                Ok(ready) if ready.is_empty() => break,
                Ok(ready) => {
                    read.extend_from_slice(&ready[..1]);
                    reader.consume(1);
                }
                Err(error) => assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)),
            }
        }
        assert_eq!(read, text.as_bytes());
    }
}

/// A long stream of UTF-8 after US-ASCII, with characters across each end of the buffer.
#[test]
fn long_streams_keep_every_byte() {
    for shift in 0..4 {
        let mut text = "x".repeat(shift);
        for n in 0..40_000 {
            text += if n < 20_000 { "plain, " } else { "日本ü😀, " };
        }
        for options in [Options::new(), Options::new().detect(10_000), Options::new().encoding(Encoding::Utf8)] {
            let mut read = Vec::new();
            options.reader(text.as_bytes()).read_to_end(&mut read).unwrap();
            assert!(read == text.as_bytes(), "{shift}");
        }
    }
}
