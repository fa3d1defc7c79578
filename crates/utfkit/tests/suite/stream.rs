//! The adaptors of `std::io`: no data is lost or duplicated and no error is dropped, whatever
//! the inner stream does.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Read, Write};

use utfkit::{Encoding, Policy, Practice, TranscodeReader, TranscodeWriter, Transcoder};

const STRICT: Policy = Policy::Strict;
const REPLACE: Policy = Policy::Replace(Practice::MaximalSubpart);

/// A stream that follows a script, which repeats: a number of bytes, or an error.
#[derive(Debug)]
struct Scripted {
    bytes: VecDeque<u8>,
    script: Vec<Result<usize, ErrorKind>>,
    at: usize,
}

impl Scripted {
    fn new(bytes: &[u8], script: &[Result<usize, ErrorKind>]) -> Scripted {
        Scripted { bytes: bytes.iter().copied().collect(), script: script.to_vec(), at: 0 }
    }

    fn next(&mut self) -> io::Result<usize> {
        let now = self.script[self.at % self.script.len()];
        self.at += 1;
        now.map_err(io::Error::from)
    }
}

impl Read for Scripted {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.next()?.min(buf.len());
        self.bytes.read(&mut buf[..len])
    }
}

impl Write for Scripted {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = self.next()?.min(buf.len());
        self.bytes.write(&buf[..len])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.next().map(drop)
    }
}

fn error(e: &io::Error) -> Option<utfkit::Error> {
    e.get_ref()?.downcast_ref().copied()
}

fn at_once(from: Encoding, to: Encoding, policy: Policy, src: &[u8]) -> Vec<u8> {
    let mut dst = vec![0; 16 * src.len() + 16];
    let step = Transcoder::new(from, to, policy).transcode(src, &mut dst, true);
    dst.truncate(step.written);
    dst
}

fn text() -> Vec<u8> {
    let mut text = "aé€\u{1F600} some ASCII in between, and a line\n".repeat(1000).into_bytes();
    for (at, byte) in [(0, 0xFF), (777, 0xE2), (20_000, 0xF0), (33_333, 0xC0)] {
        text.insert(at, byte);
    }
    text.extend(b"\xF0\x9F\x98");
    text
}

const HOSTILE: [Result<usize, ErrorKind>; 7] = [
    Ok(1),
    Err(ErrorKind::Interrupted),
    Ok(3),
    Err(ErrorKind::WouldBlock),
    Ok(1000),
    Err(ErrorKind::Other),
    Ok(50_000),
];

#[test]
fn a_reader_reads_the_same_from_every_stream_into_every_buffer() {
    let src = text();
    for policy in [REPLACE, Policy::Replace(Practice::PerSequence), Policy::Skip, Policy::Escape] {
        for to in [Encoding::Utf8, Encoding::Utf16, Encoding::Latin1] {
            let expected = at_once(Encoding::Utf8, to, policy, &src);
            for capacity in [1, 2, 7, 100, 16 * 1024, 100_000] {
                let transcoder = Transcoder::new(Encoding::Utf8, to, policy);
                let mut reader = TranscodeReader::new(Scripted::new(&src, &HOSTILE), transcoder);
                let (mut found, mut buf) = (Vec::<u8>::new(), vec![0; capacity]);
                let mut kinds = Vec::new();
                loop {
                    match reader.read(&mut buf) {
                        Ok(0) => break,
                        Ok(len) => found.extend(&buf[..len]),
                        Err(e) => kinds.push(e.kind()),
                    }
                }
                assert!(found == expected, "{to} {policy:?} {capacity}");
                // Every error of the inner reader was returned.
                for kind in [ErrorKind::Interrupted, ErrorKind::WouldBlock, ErrorKind::Other] {
                    assert!(kinds.contains(&kind));
                }
                assert!(reader.transcoder().had_errors());
                assert_eq!(reader.read(&mut buf).unwrap(), 0);
            }
        }
    }
}

#[test]
fn a_reader_goes_on_after_an_error() {
    let src = b"\xFFab\xC3(c\xE2\x82";
    for capacity in [1, 3, 20_000] {
        let mut reader = TranscodeReader::new(&src[..], Transcoder::new(Encoding::Utf8, Encoding::Utf8, STRICT));
        let (mut found, mut errors, mut buf) = (Vec::<u8>::new(), Vec::new(), vec![0; capacity]);
        loop {
            match reader.read(&mut buf) {
                Ok(0) => break,
                Ok(len) => found.extend(&buf[..len]),
                Err(e) => {
                    assert_eq!(e.kind(), ErrorKind::InvalidData);
                    let error = error(&e).unwrap();
                    assert_eq!(error.written(), found.len());
                    errors.push((error.offset(), error.error_len()));
                }
            }
        }
        assert_eq!(found, b"ab(c");
        assert_eq!(errors, [(0, Some(1)), (3, Some(1)), (6, None)]);
    }
}

#[test]
fn lines_can_be_read() {
    let src: Vec<u8> = "\u{FEFF}one\nzwei €\ntrois".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let reader = TranscodeReader::new(&src[..], Transcoder::new(Encoding::Utf16, Encoding::Utf8, STRICT));
    let lines: Result<Vec<_>, _> = reader.lines().collect();
    assert_eq!(lines.unwrap(), ["one", "zwei €", "trois"]);
}

#[test]
fn a_reader_finishes_with_what_was_not_read() {
    let utf8 = || Transcoder::new(Encoding::Utf8, Encoding::Utf8, STRICT);
    let mut buf = [0; 2];

    let mut reader = TranscodeReader::new(&b"abc"[..], utf8());
    reader.read_exact(&mut buf).unwrap();
    assert!(reader.finish().is_ok());

    let mut reader = TranscodeReader::new(&b"abc\xFFd\xC3"[..], utf8());
    reader.read_exact(&mut buf).unwrap();
    let (e, reader) = reader.finish().unwrap_err().into_parts();
    assert_eq!(error(&e).unwrap().offset(), 3);
    let (e, reader) = reader.finish().unwrap_err().into_parts();
    assert_eq!(error(&e).unwrap().error_len(), None);
    assert!(reader.finish().is_ok());
}

/// Writes `src` in pieces of `piece` bytes, as the contract of `Write` allows, and collects the
/// errors.
fn write_everything(writer: &mut TranscodeWriter<Scripted>, src: &[u8], piece: usize) -> Vec<io::Error> {
    let mut errors = Vec::new();
    for mut rest in src.chunks(piece) {
        while !rest.is_empty() {
            match writer.write(rest) {
                Ok(len) => {
                    assert!(len > 0);
                    rest = &rest[len..];
                }
                Err(e) => errors.push(e),
            }
        }
    }
    errors
}

fn finish_everything(mut writer: TranscodeWriter<Scripted>, errors: &mut Vec<io::Error>) -> Scripted {
    loop {
        match writer.finish() {
            Ok(inner) => return inner,
            Err(e) => {
                let (error, adaptor) = e.into_parts();
                errors.push(error);
                writer = adaptor;
            }
        }
    }
}

#[test]
fn a_writer_writes_the_same_to_every_stream_from_every_piece() {
    let src = text();
    for policy in [REPLACE, Policy::Replace(Practice::PerSequence), Policy::Skip, Policy::Escape] {
        for to in [Encoding::Utf8, Encoding::Utf16, Encoding::Latin1] {
            let expected = at_once(Encoding::Utf8, to, policy, &src);
            for piece in [1, 2, 7, 100, 16 * 1024, 100_000] {
                let transcoder = Transcoder::new(Encoding::Utf8, to, policy);
                let mut writer = TranscodeWriter::new(Scripted::new(b"", &HOSTILE), transcoder);
                let mut errors = write_everything(&mut writer, &src, piece);
                let inner = finish_everything(writer, &mut errors);
                assert!(inner.bytes == expected, "{to} {policy:?} {piece}");
                // `Interrupted` is retried, and so is `WouldBlock` after a partial write; other
                // errors are returned.
                assert!(errors.iter().any(|e| e.kind() == ErrorKind::Other));
                assert!(errors.iter().all(|e| e.kind() != ErrorKind::Interrupted));
            }
        }
    }
}

#[test]
fn a_writer_reports_every_error_once_and_goes_on() {
    let src = b"\xFFab\xC3(c\xE2\x82";
    for piece in [1, 2, 3, 100] {
        for script in [&[Ok(1)][..], &[Ok(100)], &HOSTILE] {
            let utf16 = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be, STRICT);
            let mut writer = TranscodeWriter::new(Scripted::new(b"", script), utf16);
            let mut errors = write_everything(&mut writer, src, piece);
            let inner = finish_everything(writer, &mut errors);
            assert!(inner.bytes == *b"\0a\0b\0(\0c");
            let errors: Vec<_> =
                errors.iter().filter_map(error).map(|e| (e.offset(), e.written(), e.error_len())).collect();
            assert_eq!(errors, [(0, 0, Some(1)), (3, 4, Some(1)), (6, 8, None)], "{piece}");
        }
    }
}

#[test]
fn an_error_after_something_taken_is_reported_by_the_next_call() {
    let utf8 = || Transcoder::new(Encoding::Utf8, Encoding::Utf8, STRICT);

    let mut writer = TranscodeWriter::new(Vec::new(), utf8());
    assert_eq!(writer.write(b"ab\xFFcd").unwrap(), 3);
    assert_eq!(error(&writer.write(b"cd").unwrap_err()).unwrap().offset(), 2);
    assert_eq!(writer.write(b"cd").unwrap(), 2);
    assert_eq!(writer.finish().unwrap(), b"abcd");

    let mut writer = TranscodeWriter::new(Vec::new(), utf8());
    writer.write_all(b"ab\xFF").unwrap();
    assert_eq!(error(&writer.flush().unwrap_err()).unwrap().offset(), 2);
    writer.flush().unwrap();

    let mut writer = TranscodeWriter::new(Vec::new(), utf8());
    writer.write_all(b"ab\xFF").unwrap();
    let e = writer.finish().unwrap_err();
    assert_eq!(error(e.error()).unwrap().offset(), 2);
    assert_eq!(e.into_adaptor().finish().unwrap(), b"ab");

    // The whole sequence was taken by earlier calls: this call takes none.
    let mut writer = TranscodeWriter::new(Vec::new(), utf8());
    assert_eq!(writer.write(b"\xE2").unwrap(), 1);
    assert_eq!(error(&writer.write(b"x").unwrap_err()).unwrap().offset(), 0);
    assert_eq!(writer.write(b"x").unwrap(), 1);
    assert_eq!(writer.finish().unwrap(), b"x");
}

#[test]
fn a_writer_that_takes_nothing_is_an_error() {
    let latin1 = Transcoder::new(Encoding::Latin1, Encoding::Utf8, STRICT);
    let mut writer = TranscodeWriter::new(Scripted::new(b"", &[Ok(0)]), latin1);
    assert_eq!(writer.write_all(b"abc").and_then(|()| writer.flush()).unwrap_err().kind(), ErrorKind::WriteZero);
    let e = writer.finish().unwrap_err();
    assert_eq!(e.error().kind(), ErrorKind::WriteZero);
    assert_eq!(io::Error::from(e).kind(), ErrorKind::WriteZero);
}

#[test]
fn nothing_in_is_nothing_out() {
    let utf16 = || Transcoder::new(Encoding::Utf8, Encoding::Utf16, STRICT);
    assert_eq!(TranscodeWriter::new(Vec::new(), utf16()).finish().unwrap(), b"");
    let mut found = Vec::new();
    assert_eq!(TranscodeReader::new(io::empty(), utf16()).read_to_end(&mut found).unwrap(), 0);
}

/// A large buffer is written directly, but only after the rest of a small one.
#[test]
fn buffers_of_all_sizes_in_turn_read_one_stream() {
    let src = text();
    let expected = at_once(Encoding::Utf8, Encoding::Utf16, REPLACE, &src);
    let transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16, REPLACE);
    let mut reader = TranscodeReader::new(&src[..], transcoder);
    let (mut found, mut buf) = (reader.fill_buf().unwrap()[..1].to_vec(), vec![0; 40_000]);
    reader.consume(1);
    for capacity in [40_000, 1, 3, 16 * 1024, 0, 16 * 1024 - 1].into_iter().cycle() {
        let len = reader.read(&mut buf[..capacity]).unwrap();
        found.extend(&buf[..len]);
        if len == 0 && capacity > 0 {
            break;
        }
    }
    assert!(found == expected);
}

#[test]
fn a_reader_that_is_interrupted_finishes_all_the_same() {
    let script = [Err(ErrorKind::Interrupted), Ok(2)];
    let transcoder = || Transcoder::new(Encoding::Utf8, Encoding::Utf8, STRICT);
    assert!(TranscodeReader::new(Scripted::new(b"abcde", &script), transcoder()).finish().is_ok());

    let script = [Ok(2), Err(ErrorKind::WouldBlock)];
    let e = TranscodeReader::new(Scripted::new(b"abcde", &script), transcoder()).finish().unwrap_err();
    assert_eq!(e.error().kind(), ErrorKind::WouldBlock);
}

#[test]
fn adaptors_and_their_errors_say_what_they_are() {
    let transcoder = || Transcoder::new(Encoding::Latin1, Encoding::Utf8, STRICT);
    let reader = format!("{:?}", TranscodeReader::new(&b"abc"[..], transcoder()));
    assert!(reader.starts_with("TranscodeReader { inner: [97, 98, 99], transcoder: "), "{reader}");
    let writer = format!("{:?}", TranscodeWriter::new(vec![1, 2], transcoder()));
    assert!(writer.starts_with("TranscodeWriter { inner: [1, 2], transcoder: "), "{writer}");

    let reader = TranscodeReader::new(&b"ab\xC3"[..], Transcoder::new(Encoding::Utf8, Encoding::Utf8, STRICT));
    let e = reader.finish().unwrap_err();
    assert_eq!(e.to_string(), e.error().to_string());
    assert!(e.to_string().contains("offset 2"), "{e}");

    // An error of the inner stream keeps its source.
    #[derive(Debug)]
    struct Full(std::num::ParseIntError);
    impl std::fmt::Display for Full {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("full")
        }
    }
    impl std::error::Error for Full {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    #[derive(Debug)]
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other(Full("x".parse::<u8>().unwrap_err())))
        }
    }
    let e = TranscodeReader::new(Failing, transcoder()).finish().unwrap_err();
    assert_eq!(e.to_string(), "full");
    let source = std::error::Error::source(&e).map(ToString::to_string);
    assert_eq!(source.as_deref(), Some("invalid digit found in string"));
}
