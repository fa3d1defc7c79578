//! `parallel` with a thread per core, compared with the same functions on one.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use utfkit::{conversion, validate_parallel};

use super::{Conversion, Entry, Query, utf8_utf16, validate};
use crate::goal::Goal;
use crate::peer::Peer;

fn threads() -> NonZeroUsize {
    // Cached, since asking the system takes longer than converting a short text.
    static THREADS: LazyLock<NonZeroUsize> = LazyLock::new(|| available_parallelism().unwrap_or(NonZeroUsize::MIN));
    *THREADS
}

pub(super) const VALIDATE: Query<u8> = Query {
    name: "parallel-validate",
    title: "Validate UTF-8 on every core",
    goal: Goal::Stream,
    entries: &[
        (Peer::Utfkit, |src| validate_parallel(src, threads()).map_or_else(|e| e.valid_up_to(), |()| src.len())),
        (Peer::OneShot, |src| utfkit::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)),
    ],
    ..validate::UTF8
};

pub(super) const UTF8_TO_UTF16: Conversion<u8, u16> = Conversion {
    name: "parallel-8-16",
    title: "UTF-8 to UTF-16 on every core",
    goal: Goal::Stream,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| conversion::UTF8_TO_UTF16.convert_parallel(src, dst, threads()).ok()),
        Entry::exact(Peer::OneShot, |src, dst| utfkit::utf8_to_utf16(src, dst).ok()),
    ],
    ..utf8_utf16::UTF8_TO_UTF16
};

pub(super) const UTF16_TO_UTF8: Conversion<u16, u8> = Conversion {
    name: "parallel-16-8",
    title: "UTF-16 to UTF-8 on every core",
    goal: Goal::Stream,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| conversion::UTF16_TO_UTF8.convert_parallel(src, dst, threads()).ok()),
        Entry::exact(Peer::OneShot, |src, dst| utfkit::utf16_to_utf8(src, dst).ok()),
    ],
    ..utf8_utf16::UTF16_TO_UTF8
};
