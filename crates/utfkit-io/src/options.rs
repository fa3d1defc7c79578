use utfkit_core::bom::BomPolicy;
use utfkit_core::{Encoding, Policy};
#[cfg(feature = "detect")]
use utfkit_detect::detect::{self, Certainty};
#[cfg(feature = "repair")]
use utfkit_detect::repair::Fallback;

/// The first bytes of US-ASCII are held back up to this number: the text may be UTF-16, or in
/// an encoding that is no superset of US-ASCII. A window is not smaller, for the same reason.
#[cfg(feature = "detect")]
pub(crate) const HELD: usize = 1024;

/// How a [`Utf8Reader`](crate::Utf8Reader) or a [`Utf8Stream`](crate::Utf8Stream) reads.
///
/// ```
/// use std::io::BufRead;
/// use utfkit::Encoding;
/// use utfkit::io::Utf8Reader;
///
/// let latin1 = Utf8Reader::options().encoding(Encoding::Latin1);
/// let lines = latin1.reader(&b"Gr\xFC\xDFe\nK\xF6ln\n"[..]).lines().collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(lines, ["Grüße", "Köln"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) encoding: Option<Encoding>,
    pub(crate) bom: BomPolicy,
    pub(crate) errors: Policy,
    #[cfg(feature = "detect")]
    pub(crate) limit: Option<usize>,
    #[cfg(feature = "detect")]
    pub(crate) known: detect::Options,
    #[cfg(feature = "detect")]
    pub(crate) at_least: Certainty,
    #[cfg(feature = "repair")]
    pub(crate) fallback: Option<Fallback>,
}

impl Options {
    /// A BOM selects the encoding, else it is UTF-8; errors end the stream.
    pub fn new() -> Options {
        Options {
            encoding: None,
            bom: BomPolicy::Unlabelled,
            errors: Policy::Strict,
            #[cfg(feature = "detect")]
            limit: None,
            #[cfg(feature = "detect")]
            known: detect::Options::new(),
            #[cfg(feature = "detect")]
            at_least: Certainty::Guess,
            #[cfg(feature = "repair")]
            fallback: None,
        }
    }

    /// States the encoding. Only its own BOM is removed then.
    #[must_use]
    pub fn encoding(self, encoding: Encoding) -> Options {
        Options { encoding: Some(encoding), ..self }
    }

    /// Sets the meaning of U+FEFF at the start. By default it is a BOM, which is removed
    /// ([`BomPolicy::Unlabelled`]); with the other policies it is a character of the text,
    /// and selects nothing.
    #[must_use]
    pub fn bom(self, bom: BomPolicy) -> Options {
        Options { bom, ..self }
    }

    /// Sets how ill-formed bytes are treated. [`Policy::Strict`] ends the stream.
    #[must_use]
    pub fn errors(self, errors: Policy) -> Options {
        Options { errors, ..self }
    }

    /// Detects the encoding in a window that begins with the first byte that is not
    /// US-ASCII. `limit` is its size in bytes, at least 1 KiB; [`WINDOW`](Options::WINDOW)
    /// suits most.
    ///
    /// If the window does not suffice for a [likely](Certainty::Likely) result, it grows
    /// to four times the limit. The result is that of
    /// [`detect`](utfkit_detect::detect::detect()) for the first 64 KiB of the stream, up to
    /// 4 KiB before the window, and the window.
    ///
    /// ```
    /// use std::io::Read;
    /// use utfkit::detect::Certainty;
    /// use utfkit::io::{Options, Utf8Reader};
    ///
    /// let csv = b"name,city\n\xCC\xE0\xF0\xE8\xFF,\xCC\xEE\xF1\xEA\xE2\xE0\n\xCE\xEB\xE5\xE3,\xCF\xF1\xEA\xEE\xE2\n";
    /// let mut reader = Utf8Reader::options().detect(Options::WINDOW).reader(&csv[..]);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!(text, "name,city\nМария,Москва\nОлег,Псков\n");
    /// assert!(reader.report().certainty() >= Some(Certainty::Likely));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "detect")]
    #[must_use]
    pub fn detect(self, limit: usize) -> Options {
        Options { limit: Some(limit), ..self }
    }

    /// The size of the window.
    #[cfg(feature = "detect")]
    pub(crate) fn window(&self) -> usize {
        self.limit.unwrap_or(Options::WINDOW).max(HELD)
    }

    /// The usual size of the window: 1 MiB.
    #[cfg(feature = "detect")]
    pub const WINDOW: usize = 1 << 20;

    /// Restricts detection to encodings and languages that are known to be in question.
    ///
    /// ```
    /// use std::io::Read;
    /// use utfkit::io::{Options, Utf8Reader};
    /// use utfkit::{detect, Encoding, Legacy};
    ///
    /// let known = detect::Options::new().only([Encoding::Utf8, Encoding::Legacy(Legacy::Windows1250)]);
    /// let mut reader = Utf8Reader::options().detect(Options::WINDOW).known(known).reader(&b"\xA3\xF3d\x9F"[..]);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!(text, "Łódź");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "detect")]
    #[must_use]
    pub fn known(self, known: detect::Options) -> Options {
        Options { known, ..self }
    }

    /// Ends the stream with [`ReadError::Unsure`](crate::ReadError::Unsure) if the
    /// detection is less sure than this.
    #[cfg(feature = "detect")]
    #[must_use]
    pub fn at_least(self, at_least: Certainty) -> Options {
        Options { at_least, ..self }
    }

    /// Reads the ill-formed bytes of UTF-8 in another encoding, as
    /// [`by_line`](utfkit_detect::repair::Options::by_line) says. Bytes that it lacks are errors.
    ///
    /// ```
    /// use std::io::Read;
    /// use utfkit::io::Utf8Reader;
    /// use utfkit::repair::Fallback;
    /// use utfkit::{Encoding, Legacy};
    ///
    /// let western = Fallback::new(Encoding::Legacy(Legacy::Windows1252)).unwrap();
    /// let mut reader = Utf8Reader::options().fallback(western).reader(&b"5 \xE2\x82\xAC\n7 \x80\n"[..]);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!((text.as_str(), reader.report().in_fallback()), ("5 €\n7 €\n", 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "repair")]
    #[must_use]
    pub fn fallback(self, fallback: Fallback) -> Options {
        Options { fallback: Some(fallback), ..self }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}
