//! The options of a repair.

use alloc::string::String;

use super::fallback::Fallback;
use crate::line::is_single_byte;
use utfkit_core::Encoding;

/// Selects the bytes that a repair changes, and their replacement.
///
/// ```
/// use utfkit::repair::{Options, repair};
///
/// let bytes = b"a\xC0\x80b";
/// assert_eq!(repair(bytes, &Options::new()), "a\u{FFFD}\u{FFFD}b");
/// assert_eq!(repair(bytes, &Options::new().reinterpret(true)), "a\0b");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(super) fallback: Option<Fallback>,
    pub(super) by_line: bool,
    pub(super) whole: bool,
    pub(super) rejoin: bool,
    pub(super) replacement: Option<String>,
    pub(super) reinterpret: bool,
    pub(super) undouble: bool,
}

impl Options {
    /// U+FFFD for ill-formed bytes, and no other change.
    pub fn new() -> Options {
        Options::default()
    }

    /// Reads ill-formed bytes in this encoding.
    pub fn fallback(self, fallback: Fallback) -> Options {
        Options { fallback: Some(fallback), ..self }
    }

    /// Reads well-formed sequences of UTF-8 in the fallback too, if they are in a word or a line
    /// with ill-formed ones and that makes the likelier text: in many encodings, two or three
    /// letters are a sequence of UTF-8 by chance.
    ///
    /// ```
    /// use utfkit::repair::{Fallback, Options, repair};
    /// use utfkit::{Encoding, Legacy};
    ///
    /// let russian = Options::new().fallback(Fallback::new(Encoding::Legacy(Legacy::Ibm866)).unwrap());
    /// let line = b"\x8F\xE0\xA0\xA2\xA4\xA0 \xAB\xA8 \xED\xE2\xAE?";
    /// assert_eq!(repair(line, &russian.clone().by_line(true)), "Правда ли это?");
    /// assert_eq!(repair(line, &russian), "П\u{822}да ли это?");
    /// ```
    pub fn by_line(self, by_line: bool) -> Options {
        Options { by_line, ..self }
    }

    /// Reads everything beyond US-ASCII in the fallback, what is UTF-8 by chance too: for text of
    /// which a [detection](crate::detect) says that all of it is in that encoding.
    ///
    /// ```
    /// use utfkit::repair::{Fallback, Options, repair};
    /// use utfkit::{Encoding, Legacy};
    ///
    /// let chinese = Options::new().fallback(Fallback::new(Encoding::Legacy(Legacy::Gbk)).unwrap());
    /// let lines = b"\xCD\xAC\xD2\xE2\n\xCD\xAC\n";
    /// assert_eq!(repair(lines, &chinese.clone().whole(true)), "同意\n同\n");
    /// assert_eq!(repair(lines, &chinese), "同意\n\u{36C}\n");
    /// ```
    pub fn whole(self, whole: bool) -> Options {
        Options { whole, ..self }
    }

    /// Joins the bytes of a character that a line break or a delimiter parts. Without effect on
    /// bytes for which there is a fallback.
    ///
    /// ```
    /// use utfkit::repair::{Options, repair};
    ///
    /// let value = b"1 NOTE Pl\xC5\n2 CONC \xBEe";
    /// assert_eq!(repair(value, &Options::new().rejoin(true)), "1 NOTE Plž\n2 CONC e");
    /// assert_eq!(repair(value, &Options::new()), "1 NOTE Pl\u{FFFD}\n2 CONC \u{FFFD}e");
    /// ```
    pub fn rejoin(self, rejoin: bool) -> Options {
        Options { rejoin, ..self }
    }

    /// Writes this instead of U+FFFD; an empty text drops ill-formed sequences.
    ///
    /// ```
    /// use utfkit::repair::{Options, repair};
    ///
    /// assert_eq!(repair(b"Gr\xC3\xBC\xC3", &Options::new().replacement("")), "Grü");
    /// ```
    pub fn replacement(self, text: impl Into<String>) -> Options {
        Options { replacement: Some(text.into()), ..self }
    }

    /// The fallback, if its bytes are read by lines.
    pub(super) fn line_encoding(&self) -> Option<Encoding> {
        let encoding = self.fallback.as_ref()?.encoding();
        (self.by_line || self.whole || !is_single_byte(encoding)).then_some(encoding)
    }

    /// Turns overlong forms, forms of five or six bytes and surrogate pairs into the
    /// character of their bits, if that is a scalar value. Takes precedence over the
    /// fallback.
    ///
    /// Reveals a hidden slash or NUL: text that was checked before must be checked again.
    pub fn reinterpret(self, reinterpret: bool) -> Options {
        Options { reinterpret, ..self }
    }

    /// Restores UTF-8 that was encoded twice or more, and text that was read in another
    /// encoding. See the [module](super).
    ///
    /// ```
    /// use utfkit::repair::{Options, repair};
    ///
    /// let twice = "Das CafÃ© â€žZur Postâ€œ hat wieder geÃ¶ffnet";
    /// let once = repair(twice.as_bytes(), &Options::new().undouble(true));
    /// assert_eq!(once, "Das Café „Zur Post“ hat wieder geöffnet");
    /// ```
    pub fn undouble(self, undouble: bool) -> Options {
        Options { undouble, ..self }
    }

    /// True if a [`Survey`](super::Survey) of the text can change the result.
    #[doc(hidden)]
    pub fn wants_evidence(&self) -> bool {
        self.undouble
    }
}
