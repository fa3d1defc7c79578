use alloc::vec::Vec;
use core::fmt;

use super::legacy::{Guess, LegacyText};
use super::options::Options;
use utfkit_core::Encoding;

/// The evidence from which candidates and the language are found on demand.
pub(super) struct Kept {
    pub(super) front: Vec<u8>,
    pub(super) legacy: LegacyText,
    /// See [`Evidence::guess`](super::evidence::Evidence::guess).
    pub(super) guess: Option<(Option<Encoding>, Guess)>,
    pub(super) options: Options,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}
