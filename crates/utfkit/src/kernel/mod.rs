//! The vector algorithms, each written once and generic over the instruction
//! set.

/// How far a kernel came: `read` source units became `written` destination
/// units, both at a boundary between characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
}
