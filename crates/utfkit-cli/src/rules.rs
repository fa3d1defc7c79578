//! Rules for well-formed text: BOMs, line ends, Normalization Form C, controls.
//!
//! `check` reports what breaks them, `fix` mends it. Both read the file with
//! [`Scan`], in the encoding that it is in, so that `fix` mends what `check` finds,
//! and copies the bytes of everything else.

mod asked;
mod mend;
mod scan;

pub(crate) use asked::{InnerBom, Rules, action, unmended};
pub(crate) use mend::{Change, Mended, Mender};
pub(crate) use scan::Scan;
