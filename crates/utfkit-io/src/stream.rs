use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

#[cfg(any(feature = "detect", feature = "repair"))]
use utfkit_core::Policy;
use utfkit_core::bom::Bom;
use utfkit_core::internal::LONGEST;
use utfkit_core::{Encoding, Error, Status, Transcoder, from_utf8, trim_partial_utf8};
#[cfg(feature = "repair")]
use {
    utfkit_core::ErrorKind,
    utfkit_detect::repair::{self, ChangeKind, Repairer, Stretch},
};

use crate::error::ReadError;
use crate::options::Options;
use crate::report::Report;
#[cfg(feature = "detect")]
use crate::window::{Decision, Window};

/// A stream of bytes in any encoding, as UTF-8: a [`Utf8Reader`](crate::Utf8Reader)
/// without I/O.
///
/// ```
/// use utfkit::Encoding;
/// use utfkit::io::Options;
///
/// let mut stream = Options::new().encoding(Encoding::Utf16Le).stream();
/// let mut text = String::new();
/// for chunk in [&b"G\0r\0\xFC"[..], b"\0\xDF\0", b"e\0"] {
///     text += stream.push(chunk)?;
/// }
/// text += stream.finish()?;
/// assert_eq!(text, "Grüße");
/// # Ok::<(), utfkit::io::ReadError>(())
/// ```
///
/// # Cost
///
/// Chunks of well-formed UTF-8 are validated and returned as they are. Memory is that of
/// the text of a chunk, and with detection a window and its text once.
#[derive(Clone, Debug)]
pub struct Utf8Stream {
    options: Options,
    state: State,
    /// The text of the last call.
    pub(crate) ready: String,
    /// The offset of the first byte that the state has taken.
    base: u64,
    report: Report,
    /// Bytes that were held back. From index `at` on they are not converted yet.
    held: Vec<u8>,
    at: usize,
    /// How many bytes the transcoder was given, and the last of them.
    given: usize,
    last: Vec<u8>,
    /// The bytes of the error that ended the stream.
    ill_formed: Vec<u8>,
}

#[derive(Clone, Debug)]
enum State {
    /// The first bytes, which may be a BOM.
    Start(Vec<u8>),
    #[cfg(feature = "detect")]
    Window(Window),
    /// Well-formed UTF-8, and the beginning of a character.
    Utf8(Vec<u8>),
    Transcoding(Box<Transcoder>),
    #[cfg(feature = "repair")]
    Repairing(Box<Repairer>),
    Failed(ReadError),
    Ended,
}

/// How many bytes that were held back are converted at once.
const PART: usize = 64 << 10;

impl Utf8Stream {
    /// A BOM selects the encoding, else it is UTF-8; errors end the stream.
    pub fn new() -> Utf8Stream {
        Utf8Stream::with_options(Options::new())
    }

    pub(crate) fn with_options(options: Options) -> Utf8Stream {
        #[cfg_attr(not(feature = "detect"), allow(unused_mut))]
        let mut state = State::Start(Vec::new());
        #[cfg(feature = "detect")]
        if options.limit.is_some() && options.encoding.is_none() {
            state = State::Window(Window::new());
        }
        Utf8Stream {
            options,
            state,
            ready: String::new(),
            base: 0,
            report: Report::default(),
            held: Vec::new(),
            at: 0,
            given: 0,
            last: Vec::new(),
            ill_formed: Vec::new(),
        }
    }

    /// Takes the next bytes, and returns the text that is decided by them. It ends between two
    /// characters.
    ///
    /// # Errors
    ///
    /// [`ReadError`] ends the stream: later calls return it again.
    /// [`text`](Utf8Stream::text) is then the text before it.
    pub fn push<'a>(&'a mut self, chunk: &'a [u8]) -> Result<&'a str, ReadError> {
        self.ready.clear();
        let passed = self.pass(chunk);
        if passed.len() == chunk.len() && !chunk.is_empty() {
            return Ok(passed);
        }
        self.ready.push_str(passed);
        self.offer(&chunk[passed.len()..]);
        while self.drain() {}
        self.result()
    }

    /// Ends the stream, and returns the rest of the text. A call after that returns nothing.
    ///
    /// # Errors
    ///
    /// As [`push`](Utf8Stream::push). A character that the end cuts is one.
    pub fn finish(&mut self) -> Result<&str, ReadError> {
        self.ready.clear();
        self.close();
        while self.drain() {}
        self.end();
        self.result()
    }

    /// The text of the last call. After an error, that before it.
    ///
    /// ```
    /// use utfkit::io::Utf8Stream;
    ///
    /// let mut stream = Utf8Stream::new();
    /// assert_eq!(stream.push(b"plain, caf\xE9")?, "plain, caf");
    /// assert_eq!(stream.push(b"! plain").unwrap_err().to_string(), "missing continuation byte at offset 10");
    /// assert_eq!(stream.text(), "");
    /// # Ok::<(), utfkit::io::ReadError>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.ready
    }

    /// The bytes of the [`IllFormed`](ReadError::IllFormed) error that ended the stream.
    ///
    /// ```
    /// use utfkit::io::Utf8Stream;
    ///
    /// let mut stream = Utf8Stream::new();
    /// assert!(stream.push(b"plain \xF0\x9F").is_ok() && stream.push(b"!").is_err());
    /// assert_eq!(stream.ill_formed_bytes(), b"\xF0\x9F");
    /// ```
    pub fn ill_formed_bytes(&self) -> &[u8] {
        &self.ill_formed
    }

    /// The encoding, the number of errors, and more, as far as the stream was read.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The prefix of `bytes` that is passed on as it is, which need not be all that could be.
    pub(crate) fn pass<'a>(&mut self, bytes: &'a [u8]) -> &'a str {
        if self.at < self.held.len() {
            return "";
        }
        let text = match &mut self.state {
            State::Utf8(kept) if kept.is_empty() => well_formed(trim_partial_utf8(bytes)),
            #[cfg(feature = "detect")]
            State::Window(window) => {
                let len = window.pass(bytes);
                from_utf8(&bytes[..len]).unwrap_or_default()
            }
            _ => "",
        };
        self.base += text.len() as u64;
        self.report.bytes += text.len() as u64;
        text
    }

    /// Takes all of `chunk`. Text may follow by [`drain`](Utf8Stream::drain).
    pub(crate) fn offer(&mut self, chunk: &[u8]) {
        self.report.bytes += chunk.len() as u64;
        match &mut self.state {
            State::Start(front) => {
                front.extend_from_slice(chunk);
                if front.len() >= Bom::LONGEST {
                    self.begin();
                }
            }
            #[cfg(feature = "detect")]
            State::Window(window) => {
                let mut decision = window.fill(chunk, &self.options);
                while let Decision::Ascii(text) = decision {
                    self.ready.push_str(from_utf8(&text).unwrap_or_default());
                    self.base += text.len() as u64;
                    decision = window.fill(&[], &self.options);
                }
                self.decided(decision);
            }
            _ => self.convert(chunk, false),
        }
    }

    /// Converts a part of the bytes that were held back. False if there are none.
    pub(crate) fn drain(&mut self) -> bool {
        if self.at >= self.held.len() {
            return false;
        }
        let held = take(&mut self.held);
        let part = &held[self.at..held.len().min(self.at + PART)];
        self.at += part.len();
        self.convert(part, false);
        if self.at < held.len() && self.failure().is_none() {
            self.held = held;
        } else {
            self.at = 0;
        }
        true
    }

    /// Decides what the end of the stream decides. Text may follow by
    /// [`drain`](Utf8Stream::drain), and then by [`end`](Utf8Stream::end).
    pub(crate) fn close(&mut self) {
        match &mut self.state {
            State::Start(_) => self.begin(),
            #[cfg(feature = "detect")]
            State::Window(window) => {
                let decision = window.finish(&self.options);
                self.decided(decision);
            }
            _ => {}
        }
    }

    /// Ends the conversion.
    pub(crate) fn end(&mut self) {
        self.convert(&[], true);
        if !matches!(self.state, State::Failed(_)) {
            self.state = State::Ended;
        }
    }

    /// The text, or the error that ended the stream.
    fn result(&self) -> Result<&str, ReadError> {
        match self.failure() {
            Some(error) => Err(error.clone()),
            None => Ok(&self.ready),
        }
    }

    /// The error that ended the stream.
    pub(crate) fn failure(&self) -> Option<&ReadError> {
        match &self.state {
            State::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// Selects the encoding by the first bytes, without detection.
    fn begin(&mut self) {
        let State::Start(front) = &mut self.state else { return };
        let front = take(front);
        let (bom, text) = self.options.bom.split(&front);
        let is_selected = |bom: &Bom| match self.options.encoding {
            None => matches!(bom, Bom::Utf8 | Bom::Utf16Le | Bom::Utf16Be | Bom::Utf32Le | Bom::Utf32Be),
            Some(Encoding::Utf16) => matches!(bom, Bom::Utf16Le | Bom::Utf16Be),
            Some(Encoding::Utf32) => matches!(bom, Bom::Utf32Le | Bom::Utf32Be),
            Some(stated) => bom.encoding() == Some(stated),
        };
        let stated = self.options.encoding.unwrap_or(Encoding::Utf8);
        match bom.filter(is_selected) {
            Some(bom) => {
                let text = text.to_vec();
                self.report.bom = Some(bom);
                self.base = (front.len() - text.len()) as u64;
                self.select(bom.encoding().unwrap_or(stated), text);
            }
            None => self.select(stated, front),
        }
    }

    #[cfg(feature = "detect")]
    fn decided(&mut self, decision: Decision) {
        let Decision::Found(found, mut held) = decision else { return };
        self.report.found = Some((*found).clone());
        if found.certainty() < self.options.at_least {
            let at_least = self.options.at_least;
            self.state = State::Failed(ReadError::Unsure { found, at_least });
            return;
        }
        let is_readable = match found.encoding() {
            None => false,
            Some(Encoding::Utf8) => true,
            Some(_) => !found.is_mixed(),
        };
        if !is_readable && self.options.errors == Policy::Strict {
            self.state = State::Failed(ReadError::NoEncoding(found));
            return;
        }
        let encoding = found.encoding().unwrap_or(Encoding::Utf8);
        if self.base == 0
            && let (Some(bom), text) = self.options.bom.split(&held)
            && bom.encoding() == Some(encoding)
        {
            self.base = (held.len() - text.len()) as u64;
            self.report.bom = Some(bom);
            held.drain(..held.len() - text.len());
        }
        self.select(encoding, held);
    }

    /// Fixes the encoding. The text begins with `held`.
    fn select(&mut self, encoding: Encoding, held: Vec<u8>) {
        self.report.encoding = Some(encoding);
        self.state = match encoding {
            #[cfg(feature = "repair")]
            Encoding::Utf8 if self.options.fallback.is_some() => {
                let mut options = repair::Options::new().by_line(true);
                if let Some(fallback) = &self.options.fallback {
                    options = options.fallback(fallback.clone());
                }
                State::Repairing(Box::new(Repairer::new(options)))
            }
            Encoding::Utf8 => State::Utf8(Vec::new()),
            // It is all there is, and the encoding was not stated.
            Encoding::UsAscii if self.options.encoding.is_none() => State::Utf8(Vec::new()),
            other => State::Transcoding(self.transcoder(other)),
        };
        (self.held, self.at) = (held, 0);
    }

    fn transcoder(&self, from: Encoding) -> Box<Transcoder> {
        Box::new(Transcoder::new(from, Encoding::Utf8, self.options.errors).counting_errors())
    }

    /// Appends the text of `bytes`.
    fn convert(&mut self, bytes: &[u8], last: bool) {
        match &mut self.state {
            State::Utf8(kept) => {
                let mut all = take(kept);
                let bytes = if all.is_empty() {
                    bytes
                } else {
                    all.extend_from_slice(bytes);
                    &all
                };
                let text = well_formed(if last { bytes } else { trim_partial_utf8(bytes) });
                self.ready.push_str(text);
                self.base += text.len() as u64;
                let rest = &bytes[text.len()..];
                if !last && trim_partial_utf8(rest).is_empty() {
                    *kept = rest.to_vec();
                } else if !rest.is_empty() {
                    self.state = State::Transcoding(self.transcoder(Encoding::Utf8));
                    self.transcode(rest, last);
                }
            }
            State::Transcoding(_) => self.transcode(bytes, last),
            #[cfg(feature = "repair")]
            State::Repairing(_) => self.repair(bytes, last),
            _ => {}
        }
    }

    fn transcode(&mut self, bytes: &[u8], last: bool) {
        let State::Transcoding(transcoder) = &mut self.state else { return };
        let step = transcoder.transcode_to_string(bytes, &mut self.ready, last);
        let errors = transcoder.error_count().unwrap_or_default();
        self.report.errors = errors.count;
        self.report.first_error = errors.first.map(|first| self.base + first as u64);
        if let Ok(step) = step
            && let Status::IllFormed(error) = step.status
        {
            self.last.extend_from_slice(&bytes[..bytes.len().min(LONGEST)]);
            let before = (self.given + LONGEST.min(bytes.len())).saturating_sub(self.last.len());
            let start = error.offset().saturating_sub(before);
            let in_last = self.last.get(start..start + error.len());
            let start = error.offset().saturating_sub(self.given);
            let found = in_last.or_else(|| bytes.get(start..start + error.len()));
            self.ill_formed = found.unwrap_or_default().to_vec();
            self.fail(error);
        }
        self.given += bytes.len();
        let kept = &bytes[bytes.len().saturating_sub(LONGEST)..];
        self.last.drain(..(self.last.len() + kept.len()).saturating_sub(LONGEST).min(self.last.len()));
        self.last.extend_from_slice(kept);
    }

    /// Ends the stream with an error. Its offset counts from the base.
    fn fail(&mut self, error: Error) {
        let before = usize::try_from(self.base).unwrap_or(usize::MAX);
        self.state = State::Failed(ReadError::IllFormed(error.shifted(before)));
        (self.held, self.at) = (Vec::new(), 0);
    }

    #[cfg(feature = "repair")]
    fn repair(&mut self, bytes: &[u8], last: bool) {
        let State::Repairing(repairer) = &mut self.state else { return };
        let (text, report, policy, base) = (&mut self.ready, &mut self.report, self.options.errors, self.base);
        let ill_formed = &mut self.ill_formed;
        let mut failure = None;
        let mut take = |stretch: Stretch<'_>| {
            if failure.is_some() {
                return;
            }
            let change = match stretch {
                Stretch::Kept(kept) => return text.push_str(from_utf8(kept).unwrap_or_default()),
                Stretch::Changed(change) => change,
            };
            let lacking = change.after.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count() as u64;
            if change.kind == ChangeKind::Fallback {
                report.in_fallback += change.count.saturating_sub(lacking);
            }
            if lacking == 0 {
                return text.push_str(change.after);
            }
            let before = change.after.chars().take_while(|&c| c != char::REPLACEMENT_CHARACTER);
            // In encodings of one byte, each character is a byte.
            let is_by_byte = change.after.chars().count() == change.before.len();
            let first = change.offset + if is_by_byte { before.clone().count() as u64 } else { 0 };
            report.errors += lacking;
            report.first_error.get_or_insert(base + first);
            match policy {
                Policy::Strict => {
                    if is_by_byte {
                        text.extend(before);
                    }
                    report.errors -= lacking - 1;
                    ill_formed.extend(change.before.get((first - change.offset) as usize));
                    failure = Some(Error::new(usize::try_from(first).unwrap_or(usize::MAX), 1, ErrorKind::InvalidByte));
                }
                Policy::Skip => text.extend(change.after.chars().filter(|&c| c != char::REPLACEMENT_CHARACTER)),
                Policy::Escape => change.before.iter().for_each(|byte| {
                    use core::fmt::Write;
                    let _ = write!(text, "\\x{byte:02X}");
                }),
                _ => text.push_str(change.after),
            }
        };
        repairer.feed(bytes, &mut take);
        if last {
            repairer.finish(&mut take);
        }
        if let Some(error) = failure {
            self.fail(error);
        }
    }
}

impl Options {
    /// A stream without I/O.
    pub fn stream(self) -> Utf8Stream {
        Utf8Stream::with_options(self)
    }
}

impl Default for Utf8Stream {
    fn default() -> Utf8Stream {
        Utf8Stream::new()
    }
}

/// The well-formed prefix.
fn well_formed(bytes: &[u8]) -> &str {
    match from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => from_utf8(&bytes[..error.offset()]).unwrap_or_default(),
    }
}
