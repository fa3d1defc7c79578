//! The options of a repair.

use super::fallback::Fallback;

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
