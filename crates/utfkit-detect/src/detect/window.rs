//! The windows of a stream.

use utfkit_core::internal::utf8::is_continuation;
use utfkit_core::{from_utf8, trim_partial_utf8};

/// Chunks are joined to windows of at most this size, so that the result does not depend on them.
pub(super) const WINDOW: usize = 16 << 10;
/// The number of well-formed bytes on each side of the end of a window: a sequence that was
/// [cut](super::cut) is told by the bytes around it.
const QUIET: usize = 80;
/// The most by which a window is shorter for such an end.
const EARLIER: usize = 4 << 10;
/// The bytes that are needed to tell where a window ends.
pub(super) const AHEAD: usize = WINDOW + QUIET;

/// The length of the window at the front of [`AHEAD`] bytes or more, in whole units of any encoding.
#[inline(never)]
pub(super) fn window_len(bytes: &[u8]) -> usize {
    let is_quiet = |len: &usize| {
        let around = &bytes[len - QUIET..len + QUIET];
        let within = around.iter().take(3).take_while(|byte| is_continuation(**byte)).count();
        from_utf8(trim_partial_utf8(&around[within..])).is_ok()
    };
    if is_quiet(&WINDOW) || !is_mostly_utf8(&bytes[..AHEAD]) {
        return WINDOW;
    }
    (1..=EARLIER / 32).map(|steps| WINDOW - 32 * steps).find(is_quiet).unwrap_or(WINDOW)
}

/// True unless most sequences of several bytes are ill-formed.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut errors, mut sequences) = (0_usize, 0);
    for chunk in bytes.utf8_chunks() {
        sequences += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        errors += usize::from(!chunk.invalid().is_empty());
        if errors > 32 + sequences {
            return false;
        }
    }
    sequences >= errors
}
