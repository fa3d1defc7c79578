//! Characters of a reader.

use std::io::{self, BufRead};

use utfkit_core::Error;
use utfkit_core::internal::utf8::Utf8;
use utfkit_core::internal::{Decoded, Form, SmallBytes};

/// Reads one character of UTF-8, and nothing after it. `None` at the end.
///
/// ```
/// let mut reader = "né!".as_bytes();
/// assert_eq!(utfkit::read_char(&mut reader)?, Some('n'));
/// assert_eq!(utfkit::read_char(&mut reader)?, Some('é'));
/// assert_eq!(reader, b"!");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`chars`], with offsets from the first byte of this character. If the
/// reader fails inside a character, the bytes before that are lost; [`chars`] keeps
/// them.
pub fn read_char<R: BufRead + ?Sized>(reader: &mut R) -> io::Result<Option<char>> {
    chars(reader).next().transpose()
}

/// Iterates over the characters of UTF-8 that `reader` reads.
///
/// Wherever the reader's buffers cut the text, the result is the same, and no byte
/// is taken before its character is asked for.
///
/// ```
/// let file = &b"caf\xC3\xA9 \xFF!"[..];
/// let mut chars = utfkit::chars(file);
/// let word: String = chars.by_ref().take(5).collect::<Result<_, _>>()?;
/// assert_eq!(word, "café ");
///
/// let e = chars.next().unwrap().unwrap_err();
/// let error = e.get_ref().and_then(|e| e.downcast_ref::<utfkit::Error>()).unwrap();
/// assert_eq!((e.kind(), error.offset()), (std::io::ErrorKind::InvalidData, 6));
/// // It continues after the error.
/// assert_eq!(chars.next().unwrap()?, '!');
/// assert!(chars.next().is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Other encodings and policies
///
/// A [`TranscodeReader`](crate::root::TranscodeReader) reads any encoding as UTF-8, by any
/// [`Policy`](utfkit_core::Policy); the offsets of its errors count bytes of the source.
///
/// ```
/// use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};
///
/// let file = &b"a\0\xAC\x20\x00\xDC"[..];
/// let reader = TranscodeReader::new(file, Transcoder::new(Encoding::Utf16Le, Encoding::Utf8, Policy::Escape));
/// let text: String = utfkit::chars(reader).collect::<Result<_, _>>()?;
/// assert_eq!(text, r"a€\x00\xDC");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// An ill-formed sequence is an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) with an [`Error`] in it, for each
/// maximal subpart, with its offset from the first byte that was read. Errors of the
/// reader are passed on and nothing is lost by them; after
/// [`Interrupted`](io::ErrorKind::Interrupted) it reads again. After any error the
/// next call continues, so an iteration that ignores errors, as `flatten` does, does
/// not end if a reader fails forever.
///
/// # Cost
///
/// A call of [`fill_buf`](BufRead::fill_buf) and some nanoseconds a character. Where
/// whole buffers are at hand, [`from_utf8`](utfkit_core::from_utf8) and
/// [`utf8_chunks`](utfkit_core::utf8_chunks) are many times as fast.
pub fn chars<R: BufRead>(reader: R) -> Chars<R> {
    Chars { reader, cut: SmallBytes::new(), offset: 0, lossy: false }
}

/// [`chars`], with U+FFFD for each maximal subpart of an ill-formed sequence, as
/// [`from_utf8_lossy`](utfkit_core::from_utf8_lossy) writes it. Only the reader can fail.
///
/// ```
/// let text: String = utfkit::chars_lossy(&b"caf\xE9!"[..]).collect::<Result<_, _>>()?;
/// assert_eq!(text, "caf\u{FFFD}!");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn chars_lossy<R: BufRead>(reader: R) -> Chars<R> {
    Chars { lossy: true, ..chars(reader) }
}

/// The iterator that [`chars`] and [`chars_lossy`] return.
#[derive(Debug)]
#[must_use = "iterators are lazy"]
pub struct Chars<R> {
    reader: R,
    /// The bytes of a sequence that the reader's buffer cut.
    cut: SmallBytes<3>,
    /// The number of bytes before the next character.
    offset: u64,
    lossy: bool,
}

impl<R> Chars<R> {
    /// The number of bytes before the next character.
    ///
    /// ```
    /// let mut chars = utfkit::chars("né".as_bytes());
    /// let places: Vec<u64> = std::iter::from_fn(|| chars.next().map(|_| chars.offset())).collect();
    /// assert_eq!(places, [1, 3]);
    /// ```
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The reader, which is behind the last character; if it failed inside one, behind
    /// the bytes before that.
    pub fn into_inner(self) -> R {
        self.reader
    }

    fn ill_formed(&self, error: Error) -> io::Result<char> {
        if self.lossy { Ok(char::REPLACEMENT_CHARACTER) } else { Err(error.shifted(self.offset as usize).into()) }
    }
}

impl<R: BufRead> Iterator for Chars<R> {
    type Item = io::Result<char>;

    fn next(&mut self) -> Option<io::Result<char>> {
        loop {
            let buf = match self.reader.fill_buf() {
                Ok(buf) => buf,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Some(Err(e)),
            };
            let cut = self.cut.len();
            // Longer than a sequence: the bytes after one decide the kind of an error.
            let joined: SmallBytes<8>;
            let bytes = if cut == 0 {
                buf
            } else {
                joined = self.cut.joined(buf);
                joined.as_slice()
            };
            if bytes.is_empty() {
                return None;
            }
            let ended = buf.is_empty();
            let (len, found) = match Utf8::decode(bytes) {
                Decoded::Unfinished { len, .. } if !ended => {
                    self.cut.set(&bytes[..len]);
                    self.reader.consume(len - cut);
                    continue;
                }
                Decoded::Unfinished { kind, len } => (len, Err(Error::unfinished(0, len, kind))),
                Decoded::IllFormed { kind, len } => (len, Err(Error::new(0, len, kind))),
                Decoded::Value { value, len } => {
                    (len, Ok(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)))
                }
                Decoded::StateChange { len } => (len, Ok(char::REPLACEMENT_CHARACTER)),
            };
            let result = found.or_else(|error| self.ill_formed(error));
            // Of a cut sequence all bytes before this buffer were taken.
            self.reader.consume(len - cut);
            self.cut.clear();
            self.offset += len as u64;
            return Some(result);
        }
    }
}
