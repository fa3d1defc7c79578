//! Normalization between `std::io` streams.

use std::io::{Read, Write};

use super::NormalizationForm;
use super::engine::Normalizer;
use utfkit_core::FinishError;
use utfkit_core::internal::{Reader, Writer, reader, writer};

/// Reads UTF-8 from `R` and returns it normalized.
///
/// However the inner reader cuts the text, inside of a character or between a
/// letter and its marks, the result is the same.
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
/// # Marks without an end
///
/// A run of combining marks has to be read to its end before its first mark
/// can be written. For memory that is bounded the text is made stream-safe on
/// the way (Unicode Standard Annex #15, section 13): before the 31st mark in a
/// row comes U+034F COMBINING GRAPHEME JOINER, as UAX15-D4 says. No language
/// has such runs. Where there are none, the result is that of
/// [`normalize`](crate::normalize()).
///
/// # Errors
///
/// Those of the inner reader come through as they are; nothing is lost by
/// them, and the next call tries again.
///
/// Ill-formed UTF-8 (RFC 3629) is an error of the kind
/// [`InvalidData`](std::io::ErrorKind::InvalidData) with the [`Error`](utfkit_core::Error) in it, after
/// everything before it has been read; its offset counts from the start of the
/// stream. A later call goes on after the error, and normalizes the text
/// there by itself. For repair put a [`TranscodeReader`](utfkit_core::TranscodeReader)
/// between the two.
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
/// Two buffers of 16 KiB, and one of up to 11 KiB for normalized text. US-ASCII
/// is copied in runs; each other character costs some tens of nanoseconds. It
/// reads ahead, as [`TranscodeReader`](utfkit_core::TranscodeReader) does.
pub struct NormalizeReader<R>(Reader<R, Normalizer>);

impl<R> NormalizeReader<R> {
    /// Normalizes the text that `inner` reads.
    pub fn new(inner: R, form: NormalizationForm) -> NormalizeReader<R> {
        NormalizeReader(Reader::new(inner, Normalizer::new(form)))
    }
}

reader!(NormalizeReader);

impl<R: Read> NormalizeReader<R> {
    /// Reads the rest and drops it, for a caller who has to know whether it is
    /// well-formed.
    ///
    /// # Errors
    ///
    /// The first one that reading meets, with the adaptor, which can go on
    /// after it.
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

/// Writes to `W` the UTF-8 that it is given, normalized.
///
/// However it is given, cut inside of a character or between a letter and its
/// marks, the result is the same. Runs of more than 30 combining marks are
/// parted as [`NormalizeReader`] says.
///
/// [`finish`](Self::finish) has to be called at the end: the last character is
/// pending, as a mark could follow it. Without `finish` it is lost.
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
/// The bytes that a call of `write` counts were taken, once and for good; after
/// an error none were. An error after something that was taken is reported
/// by the next call of `write`, `flush` or `finish`.
///
/// Those of the inner writer come through as they are, and nothing is lost by
/// them: the next call offers it the same bytes again.
///
/// Ill-formed UTF-8 (RFC 3629) is an error of the kind
/// [`InvalidData`](std::io::ErrorKind::InvalidData) with the [`Error`](utfkit_core::Error) in it, when
/// everything before it has been written; its offset counts from the start of
/// the stream. A later call goes on after the error.
///
/// # Cost
///
/// Buffers of 16 KiB and of up to 11 KiB, which are emptied in every call: put a
/// [`BufWriter`](std::io::BufWriter) in it if many small pieces go to a file.
#[must_use = "only `finish` writes the end of the text"]
pub struct NormalizeWriter<W>(Writer<W, Normalizer>);

impl<W> NormalizeWriter<W> {
    /// Normalizes the text that is written, for `inner`.
    pub fn new(inner: W, form: NormalizationForm) -> NormalizeWriter<W> {
        NormalizeWriter(Writer::new(inner, Normalizer::new(form)))
    }
}

writer!(NormalizeWriter);

impl<W: Write> NormalizeWriter<W> {
    /// Ends the text: writes everything that is pending, flushes the inner writer
    /// and returns it.
    ///
    /// # Errors
    ///
    /// Whatever was not reported yet, an unfinished sequence at the end
    /// included, with the adaptor. Calling `finish` on that again tries again,
    /// or goes on after the error; [`into_inner`](Self::into_inner) gives up
    /// the rest.
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

    /// A stream in pieces of these lengths, over and over; 0 is an interruption.
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

    /// A writer that takes a few bytes a call, and fails in between.
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

    /// Bytes and errors of a reader.
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

    /// The same of a writer.
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

    /// What stands between errors, each normalized by itself, and the errors.
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
