//! A [`Transcoder`] between `std::io` streams.

use alloc::boxed::Box;
use core::fmt;
use std::io::{self, Read, Write};

use utfkit_core::{Step, Transcoder};

use crate::adaptor::{Operation, Reader, Writer, reader, writer};

impl Operation for Transcoder {
    fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        self.transcode(src, dst, last)
    }
}

/// Reads text from `R` and returns it in another encoding.
///
/// ```
/// use std::io::Read;
/// use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};
///
/// let source = &b"\xFF\xFEa\x00\xAC\x20"[..];
/// let mut reader = TranscodeReader::new(source, Transcoder::new(Encoding::Utf16, Encoding::Utf8, Policy::Strict));
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "a€");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Errors of the inner reader are passed on unchanged, also
/// [`Interrupted`](io::ErrorKind::Interrupted) and
/// [`WouldBlock`](io::ErrorKind::WouldBlock); nothing is lost by them, and the
/// next call tries again.
///
/// With [`Policy::Strict`](utfkit_core::Policy::Strict), an error is an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData) with the [`Error`](utfkit_core::Error) in it,
/// after everything before it has been read. A later call continues after the
/// error.
///
/// ```
/// use std::io::{ErrorKind, Read};
/// use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};
///
/// let utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
/// let mut reader = TranscodeReader::new(&b"ab\xFFc"[..], utf8);
/// let mut bytes = Vec::new();
///
/// let e = reader.read_to_end(&mut bytes).unwrap_err();
/// assert_eq!((e.kind(), &bytes[..]), (ErrorKind::InvalidData, &b"ab"[..]));
/// let error = e.get_ref().and_then(|e| e.downcast_ref::<utfkit::Error>()).unwrap();
/// assert_eq!(error.offset(), 2);
///
/// reader.read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"abc");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Cost
///
/// Two buffers of 16 KiB; a `BufReader` under or over it gains nothing. It
/// reads ahead: [`into_inner`](Self::into_inner) returns a reader that is past the
/// converted bytes.
pub struct TranscodeReader<R>(Reader<R, Transcoder>);

impl<R> TranscodeReader<R> {
    /// Converts the text that `inner` reads.
    pub fn new(inner: R, transcoder: Transcoder) -> TranscodeReader<R> {
        TranscodeReader(Reader::new(inner, transcoder))
    }

    /// The transcoder, for [`had_errors`](Transcoder::had_errors).
    pub fn transcoder(&self) -> &Transcoder {
        &self.0.operation
    }
}

reader!(TranscodeReader, transcoder);

impl<R: Read> TranscodeReader<R> {
    /// Reads the rest and drops it, for a caller who has to know whether it is
    /// well-formed.
    ///
    /// # Errors
    ///
    /// The first error, with the adaptor, which can continue after it.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};
    ///
    /// let utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
    /// let reader = TranscodeReader::new(&b"caf\xC3"[..], utf8);
    /// let e = reader.finish().unwrap_err();
    /// assert_eq!(e.error().kind(), std::io::ErrorKind::InvalidData);
    /// ```
    pub fn finish(mut self) -> Result<R, FinishError<TranscodeReader<R>>> {
        match self.0.read_out() {
            Ok(()) => Ok(self.into_inner()),
            Err(error) => Err(FinishError::new(error, self)),
        }
    }
}

/// Converts the text that it is given and writes it to `W`.
///
/// [`finish`](Self::finish) has to be called at the end: only there is it
/// known that a sequence is unfinished. Without it, an unfinished sequence and bytes
/// that `W` did not take are lost: `drop` does nothing, as it could not report an
/// error.
///
/// ```
/// use std::io::Write;
/// use utfkit::{Encoding, Policy, TranscodeWriter, Transcoder};
///
/// let latin1 = Transcoder::new(Encoding::Utf8, Encoding::Latin1, Policy::Strict);
/// let mut writer = TranscodeWriter::new(Vec::new(), latin1);
/// writer.write_all("café".as_bytes())?;
/// assert_eq!(writer.finish()?, b"caf\xE9");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// The bytes that a call of `write` counts were taken, once and for good; after
/// an error none were. So an error after something that was taken is
/// reported by the next call of `write`, `flush` or `finish`: by `finish` at
/// last.
///
/// Errors of the inner writer are passed on unchanged, and nothing is lost by them:
/// the next call offers it the bytes again.
///
/// With [`Policy::Strict`](utfkit_core::Policy::Strict), an error is an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData) with the [`Error`](utfkit_core::Error) in it,
/// when everything before it has been written. A later call continues after the
/// error.
///
/// # Cost
///
/// A buffer of 16 KiB, which is emptied in every call: put a
/// [`BufWriter`](io::BufWriter) in it if many small pieces go to a file.
#[must_use = "only `finish` reports what is unfinished at the end"]
pub struct TranscodeWriter<W>(Writer<W, Transcoder>);

impl<W> TranscodeWriter<W> {
    /// Converts the text that is written, for `inner`.
    pub fn new(inner: W, transcoder: Transcoder) -> TranscodeWriter<W> {
        TranscodeWriter(Writer::new(inner, transcoder))
    }

    /// The transcoder, for [`had_errors`](Transcoder::had_errors).
    pub fn transcoder(&self) -> &Transcoder {
        &self.0.operation
    }
}

writer!(TranscodeWriter, transcoder);

impl<W: Write> TranscodeWriter<W> {
    /// Ends the stream: deals with an unfinished sequence as the policy says,
    /// writes everything that is pending, flushes the inner writer and returns it.
    ///
    /// # Errors
    ///
    /// Whatever was not reported yet, an error at the end included, with the
    /// adaptor. Calling `finish` on it tries again, or continues after the error; [`into_inner`](Self::into_inner) gives up the rest.
    ///
    /// ```
    /// use std::io::Write;
    /// use utfkit::{Encoding, Policy, TranscodeWriter, Transcoder};
    ///
    /// let utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
    /// let mut writer = TranscodeWriter::new(Vec::new(), utf8);
    /// writer.write_all(b"caf\xC3")?;
    /// let e = writer.finish().unwrap_err();
    /// assert_eq!(e.error().kind(), std::io::ErrorKind::InvalidData);
    /// assert_eq!(e.into_adaptor().into_inner(), b"caf");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> Result<W, FinishError<TranscodeWriter<W>>> {
        match self.0.end() {
            Ok(()) => Ok(self.into_inner()),
            Err(error) => Err(FinishError::new(error, self)),
        }
    }
}

/// Why `finish` failed, and the adaptor, so that nothing is lost by it.
///
/// As [`std::io::IntoInnerError`]; `?` turns it into the [`io::Error`] alone.
///
/// ```
/// use std::io::Write;
/// use utfkit::{Encoding, Policy, TranscodeWriter, Transcoder};
///
/// let mut writer = TranscodeWriter::new(Vec::new(), Transcoder::new(Encoding::Utf8, Encoding::Latin1, Policy::Strict));
/// writer.write_all(b"caf\xC3").unwrap();
/// // The end cuts a character.
/// let failed = writer.finish().unwrap_err();
/// assert_eq!(failed.error().kind(), std::io::ErrorKind::InvalidData);
/// assert_eq!(failed.into_adaptor().into_inner(), b"caf");
/// ```
#[derive(Debug)]
pub struct FinishError<A> {
    error: io::Error,
    /// In a box, so that a result of two words goes through every `?`.
    adaptor: Box<A>,
}

impl<A> FinishError<A> {
    #[doc(hidden)]
    pub fn new(error: io::Error, adaptor: A) -> FinishError<A> {
        FinishError { error, adaptor: Box::new(adaptor) }
    }

    /// The error.
    pub fn error(&self) -> &io::Error {
        &self.error
    }

    /// The error, without the adaptor.
    pub fn into_error(self) -> io::Error {
        self.error
    }

    /// The adaptor, to try again or to take the inner stream out of it.
    pub fn into_adaptor(self) -> A {
        *self.adaptor
    }

    /// Both.
    pub fn into_parts(self) -> (io::Error, A) {
        (self.error, *self.adaptor)
    }
}

impl<A> From<FinishError<A>> for io::Error {
    fn from(e: FinishError<A>) -> io::Error {
        e.error
    }
}

impl<A> fmt::Display for FinishError<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<A: fmt::Debug> core::error::Error for FinishError<A> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.error.source()
    }
}
