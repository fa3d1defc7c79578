//! Repairs ill-formed UTF-8, and leaves well-formed text as it is (feature
//! `repair`).
//!
//! A [`Repairer`] takes a stream in pieces and returns the repaired text in
//! [`Stretch`]s: text that is kept, byte for byte, and each [`Change`] with its
//! place and both its sides, so that a log of them can undo the repair.
//! [`Options`] say which bytes are changed, and into what:
//!
//! - Ill-formed bytes become U+FFFD, one for each maximal subpart (Unicode
//!   Standard, section 3.9). With a [`Fallback`] each byte of them becomes the
//!   character that it is in that encoding.
//! - With [`reinterpret`](Options::reinterpret) the complete forms of a scalar
//!   value that UTF-8 does not allow become that character: overlong forms,
//!   forms of five and six bytes, surrogate pairs as in CESU-8.
//! - With [`undouble`](Options::undouble) UTF-8 that was read in another encoding
//!   and encoded again becomes the text that it was.
//!
//! ```
//! use utfkit::repair::{Fallback, Options, repair};
//! use utfkit::{Encoding, Legacy};
//!
//! assert_eq!(repair(b"caf\xE9 \xE2\x82\xAC", &Options::new()), "caf\u{FFFD} €");
//!
//! let fallback = Fallback::new(Encoding::Legacy(Legacy::Windows1252)).unwrap();
//! let options = Options::new().fallback(fallback).reinterpret(true).undouble(true);
//! assert_eq!(repair(b"caf\xE9 \xC0\xAE \xED\xA0\xBD\xED\xB8\x80", &options), "café . 😀");
//! assert_eq!(repair("NicolÃ¡s, itâ€™s".as_bytes(), &options), "Nicolás, it’s");
//! ```
//!
//! # Text that was encoded twice
//!
//! `Ã©` can be an `é` that was read as windows-1252 and encoded again, or a
//! capital letter before a copyright sign. So can `√©` (read as macintosh),
//! `├⌐` (IBM437), `Ă©` (windows-1250) and `Г©` (windows-1251). A *run*, a stretch of
//! characters that are not US-ASCII, *fits* an encoding if its bytes there are
//! well-formed UTF-8 from end to end, except for signs that stand beside; a byte that the
//! encoding leaves empty may be the control of that number. Of these encodings, of
//! all that are left when one is undone, and so on up to eight times, the text
//! decides: what it costs to say which of all texts it is, by letters that
//! stand beside each other in some 70 languages. The words with such runs are
//! judged, as they stand and as they would be; the likeliest wins, and undoing has to
//! gain enough.
//!
//! - A [`Survey`] of the whole text says in which encodings it was read by
//!   mistake. Other lines are then undone by the same ones. The more of a text is
//!   as it should be, the more must speak for it, and the same run speaks once.
//! - All runs of a line that fit are undone, or none.
//! - What can be meant is left: `AMANHÃ…`, `Brontë…”`, `a lot of Ã’s`.
//! - A space in the place of U+00A0 is taken for one if something else in the line fits:
//!   `cafÃ© Ã la carte`. Surrogate pairs of CESU-8 become their character.
//! - Without a survey only what is certain in its line is undone.
//!
//! [`Change::encoding`] says by which encoding, [`Change::layers`] how often.
//!
//! # Cost
//!
//! Well-formed text is validated and its characters beyond US-ASCII are looked
//! up, two loads each. Memory is constant, some tens of kilobytes. Of a long text
//! that only seems to fit, a part is judged: half a megabyte, and a 64th of what
//! follows.

mod fallback;
mod misreading;
mod repairer;
mod scanner;
mod search;
mod survey;
mod undo;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use utfkit_core::from_utf8;
use utfkit_core::from_utf8_lossy;

pub use fallback::Fallback;
pub use repairer::{Change, ChangeKind, Repairer, Stretch};
pub use survey::{Evidence, Survey};

/// Which bytes a repair changes, and into what.
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
    fallback: Option<Fallback>,
    reinterpret: bool,
    undouble: bool,
}

impl Options {
    /// U+FFFD for ill-formed bytes, and nothing else.
    pub fn new() -> Options {
        Options::default()
    }

    /// Reads ill-formed bytes in this encoding.
    pub fn fallback(self, fallback: Fallback) -> Options {
        Options { fallback: Some(fallback), ..self }
    }

    /// Whether an overlong form, a form of five or six bytes, or a surrogate
    /// pair becomes the character that its bits spell. It comes before the
    /// fallback. A value that is not a scalar value is not
    /// changed.
    ///
    /// A slash or a NUL that was hidden is there afterwards: check the text again
    /// if the bytes were checked before.
    pub fn reinterpret(self, reinterpret: bool) -> Options {
        Options { reinterpret, ..self }
    }

    /// Whether UTF-8 that was encoded twice or more is decoded until it is encoded
    /// once. See the [module](self).
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

    /// Whether a [`Survey`] of the text can change the result.
    pub fn wants_evidence(&self) -> bool {
        self.undouble
    }
}

/// `bytes` repaired. Allocates only if something changes.
///
/// ```
/// use std::borrow::Cow;
/// use utfkit::repair::{Options, repair};
///
/// assert!(matches!(repair("Grüße".as_bytes(), &Options::new()), Cow::Borrowed(_)));
/// ```
#[must_use]
pub fn repair<'a>(bytes: &'a [u8], options: &Options) -> Cow<'a, str> {
    if !options.undouble
        && let Ok(text) = from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let mut repairer = Repairer::new(options.clone());
    if options.wants_evidence() {
        let mut survey = Survey::new(options);
        survey.feed(bytes);
        repairer = repairer.with_evidence(survey.finish());
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut changed = false;
    let mut take = |piece: Stretch<'_>| match piece {
        Stretch::Kept(text) => out.extend_from_slice(text),
        Stretch::Changed(change) => {
            changed = true;
            out.extend_from_slice(change.after.as_bytes());
        }
    };
    repairer.feed(bytes, &mut take);
    repairer.finish(&mut take);
    match from_utf8(bytes) {
        Ok(text) if !changed => Cow::Borrowed(text),
        _ => Cow::Owned(String::from_utf8(out).unwrap_or_else(|error| from_utf8_lossy(error.as_bytes()).into_owned())),
    }
}

#[cfg(test)]
mod tests;
