use utfkit_core::Encoding;
use utfkit_core::bom::Bom;
#[cfg(feature = "detect")]
use utfkit_detect::detect::{Certainty, Detection};

/// The encoding of a stream, its errors, and how sure the encoding is.
///
/// ```
/// use std::io::Read;
/// use utfkit::io::Utf8Reader;
/// use utfkit::{Encoding, Policy, Practice};
///
/// let lossy = Utf8Reader::options().errors(Policy::Replace(Practice::MaximalSubpart));
/// let mut reader = lossy.reader(&b"na\xC3\xAFve caf\xE9"[..]);
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// let report = reader.report();
/// assert_eq!((report.encoding(), report.errors(), report.first_error()), (Some(Encoding::Utf8), 1, Some(10)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub(crate) encoding: Option<Encoding>,
    pub(crate) bom: Option<Bom>,
    pub(crate) errors: u64,
    pub(crate) first_error: Option<u64>,
    pub(crate) in_fallback: u64,
    pub(crate) bytes: u64,
    #[cfg(feature = "detect")]
    pub(crate) found: Option<Detection>,
}

impl Report {
    /// The encoding. `None` while it is unknown, and if none was found. After detection,
    /// [`Encoding::UsAscii`] for a stream of nothing else.
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// The BOM at the start, if it was removed.
    pub fn bom(&self) -> Option<Bom> {
        self.bom
    }

    /// The number of ill-formed sequences so far: replaced, skipped or escaped, or the
    /// one that ended the stream. Bytes that the fallback could read are not counted.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// The offset of the first of them, in bytes of the stream.
    pub fn first_error(&self) -> Option<u64> {
        self.first_error
    }

    /// The number of ill-formed bytes that were read in the
    /// [fallback](crate::Options::fallback).
    pub fn in_fallback(&self) -> u64 {
        self.in_fallback
    }

    /// The number of bytes taken so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The result of detection in the window. `None` before there is one, and if the
    /// encoding was stated.
    #[cfg(feature = "detect")]
    pub fn detection(&self) -> Option<&Detection> {
        self.found.as_ref()
    }

    /// How sure the encoding is: [`Certain`](Certainty::Certain) if it was stated. `None`
    /// while it is unknown.
    #[cfg(feature = "detect")]
    pub fn certainty(&self) -> Option<Certainty> {
        match &self.found {
            Some(found) => Some(found.certainty()),
            None => self.encoding.map(|_| Certainty::Certain),
        }
    }
}
