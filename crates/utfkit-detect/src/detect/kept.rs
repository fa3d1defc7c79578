use alloc::vec::Vec;
use core::fmt;

use super::legacy::LegacyText;
use super::options::Options;

/// The evidence from which candidates and the language are found on demand.
pub(super) struct Kept {
    pub(super) front: Vec<u8>,
    pub(super) legacy: LegacyText,
    pub(super) options: Options,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}
