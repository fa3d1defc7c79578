//! The part of a stream by which the legacy encodings are ranked.
//!
//! US-ASCII alone says little: nearly all encodings read it the same. So the sample
//! keeps the surroundings of bytes above 7F, cut at white space, which is never part of
//! a multibyte character. It takes the front of the stream whole, and from later windows
//! with such bytes less and less: the second, third, fourth, sixth, eighth, twelfth.
//! Windows have fixed places, so that the sample does not depend on how the stream is
//! chunked.

use alloc::vec::Vec;

use crate::detect::controls::first_beyond_ascii;

/// The bytes taken from the front.
const FRONT: usize = 8 << 10;

/// The bytes taken from each later window.
const EACH: usize = 512;

/// The US-ASCII bytes kept on each side of a byte above 7F, extended to white space.
const AROUND: usize = 40;

/// How far a later window is searched for white space, after which a character begins.
const SEARCHED: usize = 1024;

#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    bytes: Vec<u8>,
    /// The number of windows with bytes above 7F after the front was full.
    windows: u64,
    /// True if the last window was taken to its end, so that the next one continues it.
    is_open: bool,
    /// True if bytes above 7F were left out.
    is_cut: bool,
    /// True once the front is complete.
    is_full: bool,
}

impl Sample {
    /// Samples a window with bytes above 7F.
    pub(super) fn window(&mut self, window: &[u8]) {
        if !self.is_full {
            let Some(first) = first_beyond_ascii(window) else { return self.skip() };
            let limit = FRONT - self.bytes.len();
            self.take(window, first, limit);
            self.is_full = self.bytes.len() + AROUND >= FRONT;
            return;
        }
        let takes = self.takes_next();
        self.is_cut = true;
        self.is_open = false;
        self.windows += 1;
        if takes {
            let Some(white) = window.iter().take(SEARCHED).position(|&byte| byte <= b' ') else { return };
            let rest = &window[white..];
            if let Some(first) = first_beyond_ascii(rest) {
                self.take(rest, first, EACH);
            }
        }
    }

    /// True if something is taken from the next window with bytes above 7F.
    pub(super) fn takes_next(&self) -> bool {
        let n = self.windows + 1;
        !self.is_full || n.is_power_of_two() || (n.is_multiple_of(3) && (n / 3).is_power_of_two())
    }

    /// Notes a window without.
    pub(super) fn skip(&mut self) {
        self.is_open = false;
    }

    /// Takes at most `limit` bytes around the bytes above 7F, the first of which is at
    /// `first`.
    fn take(&mut self, window: &[u8], first: usize, limit: usize) {
        let end = self.bytes.len() + limit;
        let mut at = Some(first);
        let mut taken = 0;
        while let Some(above) = at {
            let from = start_before(window, above).max(taken);
            let mut to = above;
            // Extends to the next stretch of US-ASCII.
            loop {
                let next = window[to..].iter().take(2 * AROUND).rposition(|byte| !byte.is_ascii());
                match next {
                    Some(0) | None => break,
                    Some(n) => to += n,
                }
                if to - from >= limit {
                    break;
                }
            }
            let to = end_after(window, to);
            if from > taken || (taken == 0 && !self.is_open && !self.bytes.is_empty()) {
                self.bytes.push(b'\n');
            }
            let left = end.saturating_sub(self.bytes.len());
            let piece = &window[from..to];
            if piece.len() > left {
                let piece = &piece[..left];
                let white = piece.iter().rposition(|&byte| byte <= b' ').filter(|&at| at + SEARCHED > left);
                self.bytes.extend_from_slice(&piece[..white.unwrap_or(left)]);
                (self.is_cut, self.is_open, self.is_full) = (true, false, true);
                return;
            }
            self.bytes.extend_from_slice(piece);
            taken = to;
            at = first_beyond_ascii(&window[to..]).map(|at| at + to);
        }
        self.is_open = taken == window.len();
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// True if bytes above 7F were left out.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// True once the front is complete.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }
}

/// The start of the US-ASCII to take before `above`: after white space.
fn start_before(window: &[u8], above: usize) -> usize {
    let from = above.saturating_sub(AROUND);
    if from == 0 {
        return 0;
    }
    let white = window[from..above].iter().position(|&byte| byte <= b' ');
    let last = window[..above].iter().rposition(|&byte| byte <= b' ' || !byte.is_ascii());
    white.map_or_else(|| last.map_or(above, |at| if window[at] <= b' ' { at } else { at + 1 }), |at| from + at)
}

/// The end of the US-ASCII to take from `above` on: before white space.
fn end_after(window: &[u8], above: usize) -> usize {
    let to = (above + AROUND).min(window.len());
    if to == window.len() {
        return to;
    }
    let white = window[above..to].iter().rposition(|&byte| byte <= b' ').map(|at| above + at);
    white.unwrap_or_else(|| window[to..].iter().position(|&byte| byte <= b' ').map_or(window.len(), |at| to + at))
}
