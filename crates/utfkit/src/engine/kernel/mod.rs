//! The vector algorithms, each written once and generic over the instruction
//! set.

pub(crate) mod ascii_lines;
pub(crate) mod count;
pub(crate) mod faults_utf8;
mod from_utf8;
pub(crate) mod latin1;
pub(crate) mod latin1_units;
pub(crate) mod noncharacters;
pub(crate) mod reorder;
pub(crate) mod special;
mod to_utf8;
pub(crate) mod utf16_to_utf32;
pub(crate) mod utf16_to_utf8;
mod utf32;
pub(crate) mod utf32_to_utf16;
pub(crate) mod utf32_to_utf8;
pub(crate) mod utf8;
pub(crate) mod utf8_to_utf16;
pub(crate) mod utf8_to_utf32;
pub(crate) mod utf8_to_utf8;
pub(crate) mod validate_utf16;
pub(crate) mod validate_utf32;
pub(crate) mod validate_utf8;
pub(crate) mod window;

/// How far a kernel came: `read` source units became `written` destination
/// units, both at a boundary between characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    /// Whether something ill-formed was replaced or skipped on the way.
    pub(crate) replaced: bool,
}

/// What a kernel does at something ill-formed.
pub(crate) trait OnFault {
    /// It stops in front of it.
    const STOP: bool;
    /// It writes U+FFFD for it.
    const REPLACE: bool;
}

/// Stop in front of it.
pub(crate) struct Stop;
/// Write U+FFFD for each maximal subpart.
pub(crate) struct Replace;

impl OnFault for Stop {
    const STOP: bool = true;
    const REPLACE: bool = false;
}
impl OnFault for Replace {
    const STOP: bool = false;
    const REPLACE: bool = true;
}
