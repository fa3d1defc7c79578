//! The result of a conversion: bytes read, bytes written.

/// How far a conversion came: `read` source bytes became `written` destination
/// bytes, both at a boundary between characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    /// True if something ill-formed was replaced or skipped.
    pub(crate) replaced: bool,
}

impl Progress {
    /// The sum of this and of `next`, which began where this ended.
    #[inline]
    pub(crate) fn then(self, next: Progress) -> Progress {
        Progress {
            read: self.read + next.read,
            written: self.written + next.written,
            replaced: self.replaced | next.replaced,
        }
    }
}

/// A [`Progress`] in two registers, for functions that are not inlined. A struct
/// of three fields is returned through memory, and the store-forwarding stall
/// takes as long as a short conversion.
#[derive(Clone, Copy, Default)]
pub(crate) struct Packed {
    read: usize,
    /// Twice the bytes written, plus 1 if something was replaced. It cannot
    /// overflow: a slice has at most `isize::MAX` bytes.
    written: usize,
}

impl Packed {
    /// Nothing was replaced.
    #[inline(always)]
    pub(crate) fn new(read: usize, written: usize) -> Packed {
        Packed { read, written: written << 1 }
    }

    /// True if all of a source of `len` bytes was read.
    #[inline(always)]
    pub(crate) fn is_all_of(self, len: usize) -> bool {
        self.read == len
    }

    /// The sum of this and of `next`, which began where this ended.
    #[inline(always)]
    pub(crate) fn then(self, next: Packed) -> Packed {
        self.unpack().then(next.unpack()).into()
    }

    #[inline(always)]
    pub(crate) fn unpack(self) -> Progress {
        Progress { read: self.read, written: self.written >> 1, replaced: self.written & 1 != 0 }
    }
}

impl From<Progress> for Packed {
    #[inline(always)]
    fn from(done: Progress) -> Packed {
        Packed { read: done.read, written: done.written << 1 | usize::from(done.replaced) }
    }
}

/// How a conversion treats an ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    /// It stops before it.
    Stop,
    /// It writes U+FFFD for each maximal subpart.
    Replace,
}

/// How a run treats a character that the encoding lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnLacking {
    /// It stops before it.
    Stop,
    /// It leaves it out.
    Skip,
    /// It writes a question mark.
    Replace,
}
