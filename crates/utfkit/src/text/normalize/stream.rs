//! Normalization between `std::io` streams. As with
//! [`TranscodeReader`](crate::TranscodeReader), nothing happens in `drop`.

use alloc::string::String;
use core::fmt;
use std::io::{self, BufRead, Read, Write};

use super::NormalizationForm;
use super::engine::Engine;
use crate::error::Error;
use crate::transcode::io::{Buffer, FinishError, invalid_data, retry};

/// Normalized text, and how much of it is used.
#[derive(Default)]
struct Output {
    text: String,
    start: usize,
}

impl Output {
    fn as_slice(&self) -> &[u8] {
        &self.text.as_bytes()[self.start..]
    }

    fn is_empty(&self) -> bool {
        self.start == self.text.len()
    }

    /// Drops the first `len` bytes, or all if there are fewer.
    fn consume(&mut self, len: usize) {
        self.start = self.text.len().min(self.start.saturating_add(len));
    }

    /// The text to append to, when all of it is used.
    fn refill(&mut self) -> &mut String {
        self.text.clear();
        self.start = 0;
        &mut self.text
    }
}

/// Reads UTF-8 from `R` and gives it normalized.
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
/// What is ill-formed (RFC 3629) is an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) with the [`Error`] in it, after
/// everything before it has been read; its offset counts from the start of the
/// stream. A later call goes on behind the fault, and normalizes what is there
/// by itself. For repair put a [`TranscodeReader`](crate::TranscodeReader)
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
/// let fault = e.get_ref().and_then(|e| e.downcast_ref::<utfkit::Error>()).unwrap();
/// assert_eq!(fault.offset(), 3);
/// ```
///
/// # Cost
///
/// A buffer of 16 KiB for what is read, and one of up to 45 KiB for what is
/// normalized. US-ASCII is copied in runs; each other character costs some
/// tens of nanoseconds. It reads ahead, as
/// [`TranscodeReader`](crate::TranscodeReader) does.
pub struct NormalizeReader<R> {
    inner: R,
    engine: Engine,
    input: Buffer,
    output: Output,
    /// Found, and not reported because there was output before it.
    fault: Option<Error>,
    /// The inner reader is at its end.
    ended: bool,
}

impl<R> NormalizeReader<R> {
    /// Normalizes what comes from `inner`.
    pub fn new(inner: R, form: NormalizationForm) -> NormalizeReader<R> {
        NormalizeReader {
            inner,
            engine: Engine::new(form),
            input: Buffer::new(),
            output: Output::default(),
            fault: None,
            ended: false,
        }
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. What is read from it past the adaptor is missing
    /// there.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What was read ahead, and a fault in it, are lost:
    /// [`finish`](Self::finish) reports it.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> NormalizeReader<R> {
    /// Reads what is left and drops it, for a caller who wants no more of it
    /// but has to know whether it was well-formed.
    ///
    /// # Errors
    ///
    /// The first one that reading meets, with the adaptor, which can go on
    /// behind it.
    ///
    /// ```
    /// use utfkit::{NormalizationForm, NormalizeReader};
    ///
    /// let reader = NormalizeReader::new(&b"caf\xC3"[..], NormalizationForm::Nfc);
    /// let e = reader.finish().unwrap_err();
    /// assert_eq!(e.error().kind(), std::io::ErrorKind::InvalidData);
    /// ```
    pub fn finish(mut self) -> Result<R, FinishError<NormalizeReader<R>>> {
        loop {
            match self.fill_buf().map(<[u8]>::len) {
                Ok(0) => return Ok(self.inner),
                Ok(len) => self.consume(len),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(FinishError::new(error, self)),
            }
        }
    }

    /// Fills the output, unless the text is at its end.
    fn fill(&mut self) -> io::Result<()> {
        loop {
            if let Some(fault) = self.fault.take() {
                return Err(invalid_data(fault));
            }
            let src = self.input.as_slice();
            let (taken, fault) = self.engine.push(src, self.ended, self.output.refill());
            self.input.consume(taken);
            self.fault = fault;
            if !self.output.is_empty() {
                return Ok(());
            }
            if self.input.is_empty() && self.fault.is_none() {
                if self.ended {
                    return Ok(());
                }
                let len = self.inner.read(&mut self.input.bytes)?;
                self.input.refilled(len);
                self.ended = len == 0;
            }
        }
    }
}

impl<R: Read> Read for NormalizeReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let ready = self.fill_buf()?;
        let len = ready.len().min(buf.len());
        buf[..len].copy_from_slice(&ready[..len]);
        self.consume(len);
        Ok(len)
    }
}

impl<R: Read> BufRead for NormalizeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.output.is_empty() {
            self.fill()?;
        }
        Ok(self.output.as_slice())
    }

    fn consume(&mut self, len: usize) {
        self.output.consume(len);
    }
}

impl<R: fmt::Debug> fmt::Debug for NormalizeReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NormalizeReader").field("inner", &self.inner).finish_non_exhaustive()
    }
}

/// Writes to `W` the UTF-8 that it is given, normalized.
///
/// However it is given, cut inside of a character or between a letter and its
/// marks, the result is the same. Runs of more than 30 combining marks are
/// parted as [`NormalizeReader`] says.
///
/// [`finish`](Self::finish) has to be called at the end: the last character is
/// held back, as a mark could follow it. Without `finish` it is lost.
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
/// Whatever a call of `write` answers with was taken, once and for good; after
/// an error nothing was. An error behind something that was taken is reported
/// by the next call of `write`, `flush` or `finish`.
///
/// Those of the inner writer come through as they are, and nothing is lost by
/// them: the next call offers it the same bytes again.
///
/// What is ill-formed (RFC 3629) is an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) with the [`Error`] in it, when
/// everything before it has been written; its offset counts from the start of
/// the stream. A later call goes on behind the fault.
///
/// # Cost
///
/// A buffer of up to 45 KiB, which is emptied in every call: put a
/// [`BufWriter`](io::BufWriter) in it if many small pieces go to a file.
#[must_use = "only `finish` writes the end of the text"]
pub struct NormalizeWriter<W> {
    inner: W,
    engine: Engine,
    output: Output,
    /// Found, and not reported because the call before took something.
    fault: Option<Error>,
    /// The same of the inner writer.
    failure: Option<io::Error>,
}

impl<W> NormalizeWriter<W> {
    /// Normalizes what is written, for `inner`.
    pub fn new(inner: W, form: NormalizationForm) -> NormalizeWriter<W> {
        NormalizeWriter { inner, engine: Engine::new(form), output: Output::default(), fault: None, failure: None }
    }

    /// The inner writer.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. What is written to it past the adaptor stands before
    /// what the adaptor holds.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer as it is. What the adaptor holds is lost:
    /// [`finish`](Self::finish) writes and reports it.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> NormalizeWriter<W> {
    /// Ends the text: everything held is written, and the inner writer flushed
    /// and given back.
    ///
    /// # Errors
    ///
    /// Whatever was not reported yet, an unfinished sequence at the end
    /// included, with the adaptor. Calling `finish` on that again tries again,
    /// or goes on behind the fault; [`into_inner`](Self::into_inner) gives up
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
        match self.end() {
            Ok(()) => Ok(self.inner),
            Err(error) => Err(FinishError::new(error, self)),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        loop {
            self.settle()?;
            self.take(&[], true);
            if self.fault.is_none() && self.output.is_empty() {
                break;
            }
        }
        retry(|| self.inner.flush())
    }

    /// Normalizes from the front of `src` into the buffer, which is empty.
    /// Answers with the bytes taken.
    fn take(&mut self, src: &[u8], last: bool) -> usize {
        let (taken, fault) = self.engine.push(src, last, self.output.refill());
        self.fault = fault;
        taken
    }

    /// Gives the inner writer all that waits for it.
    fn drain(&mut self) -> io::Result<()> {
        while !self.output.is_empty() {
            match retry(|| self.inner.write(self.output.as_slice()))? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                len => self.output.consume(len),
            }
        }
        Ok(())
    }

    /// Reports what an earlier call could not, and makes the buffer empty.
    fn settle(&mut self) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.drain()?;
        match self.fault.take() {
            Some(fault) => Err(invalid_data(fault)),
            None => Ok(()),
        }
    }
}

impl<W: Write> Write for NormalizeWriter<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.settle()?;
        let mut taken = 0;
        while taken < buf.len() {
            taken += self.take(&buf[taken..], false);
            if taken == 0 {
                // Nothing stands against reporting now what lies wholly in
                // earlier bytes: a fault.
                self.settle()?;
                continue;
            }
            if let Err(failure) = self.drain() {
                // Whether it would still block is for the next call to find.
                if failure.kind() != io::ErrorKind::WouldBlock {
                    self.failure = Some(failure);
                }
                break;
            }
            if self.fault.is_some() {
                break;
            }
        }
        Ok(taken)
    }

    /// Writes everything but the last character, which a mark could still
    /// follow, and the beginning of a sequence that is not finished yet.
    fn flush(&mut self) -> io::Result<()> {
        self.settle()?;
        self.inner.flush()
    }
}

impl<W: fmt::Debug> fmt::Debug for NormalizeWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NormalizeWriter").field("inner", &self.inner).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::normalize;
    use super::super::tests::text;
    use super::*;
    use crate::error::ErrorKind;
    use std::vec::Vec;

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

    fn fault(e: &io::Error) -> Option<Error> {
        assert!(e.kind() == io::ErrorKind::InvalidData || e.get_ref().is_none());
        e.get_ref().and_then(|e| e.downcast_ref()).copied()
    }

    /// Bytes and faults of a reader.
    fn read(bytes: &[u8], lens: &[usize], form: NormalizationForm) -> (Vec<u8>, Vec<Error>) {
        let mut reader = NormalizeReader::new(Pieces::new(bytes, lens), form);
        let (mut out, mut faults) = (Vec::new(), Vec::new());
        while let Err(e) = reader.read_to_end(&mut out) {
            faults.push(fault(&e).unwrap());
            assert_eq!(faults.last().unwrap().written(), out.len());
        }
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
        (out, faults)
    }

    /// The same of a writer.
    fn write(bytes: &[u8], lens: &[usize], form: NormalizationForm) -> (Vec<u8>, Vec<Error>) {
        let mut writer = NormalizeWriter::new(Slow::default(), form);
        let (mut rest, mut faults) = (bytes, Vec::new());
        let mut lens = lens.iter().filter(|&&len| len > 0).cycle();
        while !rest.is_empty() {
            let len = rest.len().min(*lens.next().unwrap());
            match writer.write(&rest[..len]) {
                Ok(taken) => {
                    assert!(taken > 0);
                    rest = &rest[taken..];
                }
                Err(e) => faults.extend(fault(&e)),
            }
        }
        loop {
            match writer.finish() {
                Ok(inner) => return (inner.bytes, faults),
                Err(e) => {
                    let (error, adaptor) = e.into_parts();
                    faults.extend(fault(&error));
                    writer = adaptor;
                }
            }
        }
    }

    /// What stands between faults, each normalized by itself, and the faults.
    fn expected(bytes: &[u8], form: NormalizationForm) -> (Vec<u8>, Vec<Error>) {
        let (mut out, mut faults, mut at) = (Vec::new(), Vec::new(), 0);
        loop {
            match crate::utf8::text::from_utf8(&bytes[at..]) {
                Ok(text) => {
                    out.extend_from_slice(normalize(text, form).as_bytes());
                    return (out, faults);
                }
                Err(e) => {
                    let text = core::str::from_utf8(&bytes[at..at + e.offset()]).unwrap();
                    out.extend_from_slice(normalize(text, form).as_bytes());
                    faults.push(e.shifted(at).with_written(out.len()));
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
    fn no_cut_changes_faults_or_their_places() {
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
        assert_eq!(fault(e.error()).unwrap().offset(), 1);
        let e = e.into_adaptor().finish().unwrap_err();
        assert_eq!(fault(e.error()).unwrap().error_len(), None);
        assert!(e.into_adaptor().finish().is_ok());
    }
}
