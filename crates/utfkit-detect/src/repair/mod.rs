//! Repairs ill-formed UTF-8 and keeps well-formed text as it is (feature `repair`).
//!
//! A [`Repairer`] takes a stream in chunks and returns the repaired text in
//! [`Stretch`]es: text that is kept, byte for byte, and each [`Change`] with its
//! offset, its source and its result, so that a log of them can undo the repair.
//! [`Options`] select the bytes to change:
//!
//! - Ill-formed bytes become U+FFFD, one per maximal subpart (Unicode Standard,
//!   section 3.9). With a [`Fallback`], each becomes its character in that encoding; with
//!   [`by_line`](Options::by_line), so does text beside it that is UTF-8 only by chance.
//! - With [`reinterpret`](Options::reinterpret), the forms of a scalar value that UTF-8
//!   excludes become that character: overlong forms, forms of five and six bytes,
//!   surrogate pairs as in CESU-8.
//! - With [`rejoin`](Options::rejoin), a character whose bytes a line break parts stands
//!   whole before it.
//! - With [`undouble`](Options::undouble), text that was read in another encoding
//!   and encoded again is restored.
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
//! `Ã©` can be an `é` that was read as windows-1252 and encoded again, or a letter and
//! a copyright sign; so can `√©` (macintosh), `├⌐` (IBM437), `Ă©` (windows-1250) and
//! `Г©` (windows-1251). A *run*, a stretch of characters beyond US-ASCII, *fits* an
//! encoding if its bytes there are well-formed UTF-8 from end to end, signs around it
//! excepted; a byte that the encoding leaves unassigned may be the control of that code.
//! Undoing an encoding may leave another to undo, up to eight times. The words with such
//! runs are scored under a model of text in some 70 languages, as they are and as they
//! would be; the likeliest result wins, if the gain is large enough.
//!
//! - A first pass over the whole text finds the encodings in which it was read by mistake;
//!   other lines are then undone by the same. The more of a text is clean, the larger the
//!   gain must be, and a repeated run counts once.
//! - All runs of a line that fit are undone, or none.
//! - Text that may be meant is kept: `AMANHÃ…`, `Brontë…”`, `a lot of Ã’s`.
//! - A space may be a lost U+00A0 if something else in the line fits: `cafÃ© Ã la carte`.
//!   Surrogate pairs of CESU-8 become their character.
//! - A [`Repairer`] alone has no first pass, and undoes only text whose line is evidence
//!   enough; [`repair()`] makes both.
//!
//! [`Change::encoding`] is the encoding, [`Change::layers`] how often it was applied.
//!
//! # Text that was read in another encoding
//!
//! Text in other encodings suffers the same: `Ëó÷øèå` is `Лучшие` in windows-1251 that was
//! read as windows-1252, `PrevŽn` is `Prevén` of a Macintosh, `鎮ㄧ殑` is `您的` in UTF-8
//! that was read as GBK, and U+0092 an apostrophe of windows-1252 that was read as
//! ISO-8859-1. The pairs that programs confuse are tried (windows-1250 to 1258, ISO-8859,
//! the code pages of DOS, the Macintosh, KOI8, EUC-JP, Shift_JIS, GBK, Big5, EUC-KR), in
//! lines that look as if no language was written so. The result must be text by the model,
//! be likelier than the line by some bits, and than what any other pair makes of it, and what
//! else is in the text must not contradict. Runs that lost a byte are left.
//! [`Change::written`] is the encoding of the bytes.
//!
//! # Cost
//!
//! Well-formed text is validated, and each character beyond US-ASCII takes two loads.
//! Memory is constant, some tens of kilobytes. Of a long text with runs that fit, half a
//! megabyte and one 64th of the rest are scored. Of a long text without anything odd at its
//! start, one run of 16 is looked at for other encodings.

mod blanks;
mod crossing;
mod fallback;
mod item;
mod meant;
mod misreading;
mod oddness;
mod options;
mod repairer;
mod runs;
mod scanner;
mod search;
mod several;
mod survey;
mod undo;
mod unite;
mod watch;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use utfkit_core::{from_utf8, from_utf8_lossy};

pub use fallback::Fallback;
pub use options::Options;
pub use repairer::{Change, ChangeKind, Repairer, Stretch};
pub use unite::unite;
// For the command and the doors; not covered by semantic versioning.
#[doc(hidden)]
pub use survey::{Evidence, Survey};

/// Repairs `bytes`. Allocates only if something changes.
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
    let mut take = |stretch: Stretch<'_>| match stretch {
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
