//! Normalization between `std::io` streams.

use std::io::{Read, Write};

use super::NormalizationForm;
use super::engine::Normalizer;
use utfkit_io::internal::{Reader, Writer, reader, writer};
use utfkit_io::root::FinishError;

/// Reads UTF-8 from `R` and returns it normalized.
///
/// The result does not depend on how the inner reader cuts the text, be it inside a
/// character or between a letter and its marks.
///
/// ```
/// use std::io::Read;
/// use utfkit::{NormalizationForm, NormalizeReader};
///
/// let source = b"cafe\xCC".chain(&b"\x81!"[..]); // U+0301, cut
/// let mut text = String::new();
/// NormalizeReader::new(source, NormalizationForm::Nfc).read_to_string(&mut text)?;
/// assert_eq!(text, "café!");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Endless runs of marks
///
/// A run of combining marks must be read whole before its first mark can be written.
/// To bound memory the text is made stream-safe (Unicode Standard Annex #15, section
/// 13, UAX15-D4): U+034F COMBINING GRAPHEME JOINER is inserted before the 31st mark
/// in a row. No language has such runs; without them the result equals that of
/// [`normalize`](crate::normalize()).
///
/// # Errors
///
/// Errors of the inner reader are passed on; nothing is lost, and the next call tries
/// again.
///
/// Ill-formed UTF-8 (RFC 3629) is an error of kind
/// [`InvalidData`](std::io::ErrorKind::InvalidData) that contains an
/// [`Error`](utfkit_core::Error), returned after everything before it has been read.
/// Its offset counts from the start of the stream. A later call continues after it,
/// and normalizes the text there separately. To repair, put a
/// [`TranscodeReader`](utfkit_io::root::TranscodeReader) between the two.
///
/// ```
/// use std::io::{ErrorKind, Read};
/// use utfkit::{NormalizationForm, NormalizeReader};
///
/// let mut reader = NormalizeReader::new(&b"e\xCC\x81\xFF"[..], NormalizationForm::Nfc);
/// let mut bytes = Vec::new();
/// let e = reader.read_to_end(&mut bytes).unwrap_err();
/// assert_eq!((e.kind(), &bytes[..]), (ErrorKind::InvalidData, "é".as_bytes()));
/// let error = e.get_ref().and_then(|e| e.downcast_ref::<utfkit::Error>()).unwrap();
/// assert_eq!(error.offset(), 3);
/// ```
///
/// # Cost
///
/// Two buffers of 16 KiB, and one of up to 11 KiB for normalized text. US-ASCII is
/// copied in runs; every other character costs some tens of nanoseconds. It reads
/// ahead, like [`TranscodeReader`](utfkit_io::root::TranscodeReader).
pub struct NormalizeReader<R>(Reader<R, Normalizer>);

impl<R> NormalizeReader<R> {
    /// Normalizes the text of `inner`.
    pub fn new(inner: R, form: NormalizationForm) -> NormalizeReader<R> {
        NormalizeReader(Reader::new(inner, Normalizer::new(form)))
    }
}

reader!(NormalizeReader);

impl<R: Read> NormalizeReader<R> {
    /// Reads the rest and discards it, to learn if it is well-formed.
    ///
    /// # Errors
    ///
    /// The first error, with the adaptor, which can continue after it.
    ///
    /// ```
    /// use utfkit::{NormalizationForm, NormalizeReader};
    ///
    /// let reader = NormalizeReader::new(&b"caf\xC3"[..], NormalizationForm::Nfc);
    /// let e = reader.finish().unwrap_err();
    /// assert_eq!(e.error().kind(), std::io::ErrorKind::InvalidData);
    /// ```
    pub fn finish(mut self) -> Result<R, FinishError<NormalizeReader<R>>> {
        match self.0.read_out() {
            Ok(()) => Ok(self.into_inner()),
            Err(error) => Err(FinishError::new(error, self)),
        }
    }
}

/// Normalizes UTF-8 and writes it to `W`.
///
/// The result does not depend on how the text is cut. Runs of more than 30 combining
/// marks are separated as [`NormalizeReader`] describes.
///
/// Call [`finish`](Self::finish) at the end: the last character is pending, because
/// a mark could follow, and is lost without it.
///
/// ```
/// use std::io::Write;
/// use utfkit::{NormalizationForm, NormalizeWriter};
///
/// let mut writer = NormalizeWriter::new(Vec::new(), NormalizationForm::Nfc);
/// writer.write_all(b"cafe")?;
/// writer.write_all(b"\xCC")?;
/// writer.write_all(b"\x81")?;
/// assert_eq!(writer.finish()?, "café".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// `write` takes exactly the bytes that it counts, and none if it fails. An error
/// after bytes that were taken is reported by the next call of `write`, `flush` or
/// `finish`.
///
/// Errors of the inner writer are passed on; nothing is lost, and the next call
/// offers it the same bytes again.
///
/// Ill-formed UTF-8 (RFC 3629) is an error of kind
/// [`InvalidData`](std::io::ErrorKind::InvalidData) that contains an
/// [`Error`](utfkit_core::Error), returned after everything before it has been
/// written. Its offset counts from the start of the stream. A later call continues
/// after it.
///
/// # Cost
///
/// Buffers of 16 KiB and of up to 11 KiB, which every call empties: wrap the inner
/// writer in a [`BufWriter`](std::io::BufWriter) for many small writes.
#[must_use = "only `finish` writes the end of the text"]
pub struct NormalizeWriter<W>(Writer<W, Normalizer>);

impl<W> NormalizeWriter<W> {
    /// Normalizes text and writes it to `inner`.
    pub fn new(inner: W, form: NormalizationForm) -> NormalizeWriter<W> {
        NormalizeWriter(Writer::new(inner, Normalizer::new(form)))
    }
}

writer!(NormalizeWriter);

impl<W: Write> NormalizeWriter<W> {
    /// Ends the text: writes everything pending, flushes the inner writer and returns
    /// it.
    ///
    /// # Errors
    ///
    /// An error not reported yet, such as an unfinished sequence at the end, with the
    /// adaptor. Calling `finish` again retries, or continues after the error;
    /// [`into_inner`](Self::into_inner) abandons the rest.
    ///
    /// ```
    /// use std::io::Write;
    /// use utfkit::{NormalizationForm, NormalizeWriter};
    ///
    /// let mut writer = NormalizeWriter::new(Vec::new(), NormalizationForm::Nfd);
    /// writer.write_all(b"\xC3\xA9\xC3")?;
    /// let e = writer.finish().unwrap_err();
    /// assert_eq!(e.error().kind(), std::io::ErrorKind::InvalidData);
    /// assert_eq!(e.into_adaptor().into_inner(), b"e\xCC\x81");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> Result<W, FinishError<NormalizeWriter<W>>> {
        match self.0.end() {
            Ok(()) => Ok(self.into_inner()),
            Err(error) => Err(FinishError::new(error, self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::normalize;
    use super::super::tests::text;
    use super::*;
    use std::io;
    use std::string::String;
    use std::vec::Vec;
    use utfkit_core::{Error, ErrorKind};

    /// A stream in chunks of these lengths, repeated; 0 is an interruption.
    struct Pieces<'a>(&'a [u8], core::iter::Cycle<core::slice::Iter<'a, usize>>);

    impl Pieces<'_> {
        fn new<'a>(bytes: &'a [u8], lens: &'a [usize]) -> Pieces<'a> {
            Pieces(bytes, lens.iter().cycle())
        }
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let len = match self.1.next() {
                Some(0) => return Err(io::ErrorKind::Interrupted.into()),
                len => len.copied().unwrap_or_default().min(self.0.len()).min(buf.len()),
            };
            let (piece, rest) = self.0.split_at(len);
            buf[..len].copy_from_slice(piece);
            self.0 = rest;
            Ok(len)
        }
    }

    /// A writer that takes a few bytes per call and sometimes fails.
    #[derive(Default)]
    struct Slow {
        bytes: Vec<u8>,
        calls: usize,
    }

    impl Write for Slow {
        fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
            self.calls += 1;
            match self.calls % 4 {
                0 => Err(io::ErrorKind::Interrupted.into()),
                1 => Err(io::ErrorKind::WouldBlock.into()),
                len => {
                    let len = len.min(buf.len());
                    self.bytes.extend_from_slice(&buf[..len]);
                    Ok(len)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn error_in(e: &io::Error) -> Option<Error> {
        assert!(e.kind() == io::ErrorKind::InvalidData || e.get_ref().is_none());
        e.get_ref().and_then(|e| e.downcast_ref()).copied()
    }

    /// The bytes and errors that a reader returns.
    fn read(bytes: &[u8], lens: &[usize], form: NormalizationForm) -> (Vec<u8>, Vec<Error>) {
        let mut reader = NormalizeReader::new(Pieces::new(bytes, lens), form);
        let (mut out, mut errors) = (Vec::new(), Vec::new());
        while let Err(e) = reader.read_to_end(&mut out) {
            errors.push(error_in(&e).unwrap());
            assert_eq!(errors.last().unwrap().written(), out.len());
        }
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
        (out, errors)
    }

    /// The bytes and errors that a writer returns.
    fn write(bytes: &[u8], lens: &[usize], form: NormalizationForm) -> (Vec<u8>, Vec<Error>) {
        let mut writer = NormalizeWriter::new(Slow::default(), form);
        let (mut rest, mut errors) = (bytes, Vec::new());
        let mut lens = lens.iter().filter(|&&len| len > 0).cycle();
        while !rest.is_empty() {
            let len = rest.len().min(*lens.next().unwrap());
            match writer.write(&rest[..len]) {
                Ok(taken) => {
                    assert!(taken > 0);
                    rest = &rest[taken..];
                }
                Err(e) => errors.extend(error_in(&e)),
            }
        }
        loop {
            match writer.finish() {
                Ok(inner) => return (inner.bytes, errors),
                Err(e) => {
                    let (error, adaptor) = e.into_parts();
                    errors.extend(error_in(&error));
                    writer = adaptor;
                }
            }
        }
    }

    /// The text between errors, each part normalized separately, and the errors.
    fn expected(bytes: &[u8], form: NormalizationForm) -> (Vec<u8>, Vec<Error>) {
        let (mut out, mut errors, mut at) = (Vec::new(), Vec::new(), 0);
        loop {
            match utfkit_core::from_utf8(&bytes[at..]) {
                Ok(text) => {
                    out.extend_from_slice(normalize(text, form).as_bytes());
                    return (out, errors);
                }
                Err(e) => {
                    let text = core::str::from_utf8(&bytes[at..at + e.offset()]).unwrap();
                    out.extend_from_slice(normalize(text, form).as_bytes());
                    errors.push(e.shifted(at).with_written(out.len()));
                    at += e.offset() + e.len();
                }
            }
        }
    }

    const LENS: [&[usize]; 6] = [&[1], &[2], &[3, 0, 1], &[1, 4, 2], &[7], &[100_000]];

    fn check(bytes: &[u8]) {
        for form in NormalizationForm::ALL {
            let expected = expected(bytes, form);
            for lens in LENS {
                assert_eq!(read(bytes, lens, form), expected, "{bytes:02X?} {form} {lens:?}");
                assert_eq!(write(bytes, lens, form), expected, "{bytes:02X?} {form} {lens:?}");
            }
        }
    }

    #[test]
    fn no_cut_changes_the_text() {
        for number in 0..300 {
            check(text(number, 1 + number as usize % 12).as_bytes());
        }
        check(b"");
        check("plain text, and more of it; é then plain again".as_bytes());
    }

    #[test]
    fn no_cut_changes_errors_or_their_places() {
        let parts: [&[u8]; 12] = [
            b"a",
            b"\xCC\x81",
            b"\xC3\xA9",
            b"\xE1\x84\x80",
            b"\xE1\x85\xA1",
            b"\xC3",
            b"\xE2\x82",
            b"\xF8\x88\x80\x80",
            b"\xED\xA0\x80",
            b"\xF0\x80",
            b"\x80",
            b"\xFF",
        ];
        for number in 0..12_usize.pow(3) {
            let bytes: Vec<u8> = (0..3).flat_map(|place| parts[number / 12_usize.pow(place) % 12]).copied().collect();
            check(&bytes);
        }
    }

    #[test]
    fn pieces_larger_than_any_buffer() {
        let long = "naïve cafe\u{301} 日本語 \u{FDFA} ".repeat(2000);
        let mut bytes = long.into_bytes();
        bytes.extend_from_slice(b"\xFFe");
        bytes.extend_from_slice("\u{301}".repeat(29).as_bytes());
        for form in NormalizationForm::ALL {
            let expected = expected(&bytes, form);
            for lens in [&[100_000][..], &[4095], &[4097], &[16384]] {
                assert_eq!(read(&bytes, lens, form), expected);
                assert_eq!(write(&bytes, lens, form), expected);
            }
        }
    }

    #[test]
    fn an_endless_run_of_marks_comes_through() {
        let marks = io::repeat(0xCD).take(1).chain(&b"\x81"[..]); // U+0341
        let run = "\u{301}".repeat(100_000);
        let source = Read::chain(&b"e"[..], marks).chain(run.as_bytes());
        let mut text = String::new();
        NormalizeReader::new(source, NormalizationForm::Nfc).read_to_string(&mut text).unwrap();
        assert_eq!(text.matches('\u{34F}').count(), 100_000 / 30);
        assert!(text.starts_with("é\u{301}"));
    }

    #[test]
    fn kinds_do_not_depend_on_the_cut() {
        let cases: [(&[u8], ErrorKind); 5] = [
            (b"\xED\xA0\x80", ErrorKind::Surrogate),
            (b"\xE0\x80\xAF", ErrorKind::Overlong),
            (b"\xF8\x88\x80\x80\x80", ErrorKind::TooLarge),
            (b"\xF8\x88\x80\x80", ErrorKind::InvalidByte),
            (b"\xE2\x82", ErrorKind::Truncated),
        ];
        for (bytes, kind) in cases {
            for lens in LENS {
                assert_eq!(read(bytes, lens, NormalizationForm::Nfc).1[0].kind(), kind, "{bytes:02X?}");
            }
        }
    }

    #[test]
    fn a_reader_finishes() {
        let reader = NormalizeReader::new(&b"a\xFFb\xC3"[..], NormalizationForm::Nfkd);
        let e = reader.finish().unwrap_err();
        assert_eq!(error_in(e.error()).unwrap().offset(), 1);
        let e = e.into_adaptor().finish().unwrap_err();
        assert_eq!(error_in(e.error()).unwrap().error_len(), None);
        assert!(e.into_adaptor().finish().is_ok());
    }
}
