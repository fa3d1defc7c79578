//! The part of a stream by which the legacy encodings are judged.
//!
//! What is US-ASCII alone says little, and is the same in nearly all of them. So
//! the sample has what stands around the bytes above 7F, cut where there is white
//! space: that is never part of a longer character. It has the first
//! of it, and then less and less: from the second window with such bytes, the
//! third, fourth, sixth, eighth, twelfth. Windows lie at fixed places, so that
//! the sample is the same however the stream was cut.

use alloc::vec::Vec;

/// How much is taken from the front.
const FRONT: usize = 8 << 10;

/// How much from each window after that.
const EACH: usize = 512;

/// How much US-ASCII is taken on each side of a byte above 7F, up to the next
/// white space.
const AROUND: usize = 40;

/// How far a later window is searched for white space, after which a character
/// begins.
const SEARCHED: usize = 1024;

/// A sample of a stream, window by window.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    bytes: Vec<u8>,
    /// Windows with bytes above 7F, after the front was full.
    windows: u64,
    /// The last window was taken to its end, and the next one goes on.
    open: bool,
    /// There is more than was taken.
    cut: bool,
    /// The front is full.
    full: bool,
}

impl Sample {
    /// Takes what it needs of a window with bytes above 7F.
    pub(super) fn window(&mut self, window: &[u8]) {
        if !self.full {
            let Some(first) = window.iter().position(|byte| !byte.is_ascii()) else { return self.skip() };
            let most = FRONT - self.bytes.len();
            self.take(window, first, most);
            self.full = self.bytes.len() + AROUND >= FRONT;
            return;
        }
        self.cut = true;
        self.open = false;
        self.windows += 1;
        let n = self.windows;
        if n.is_power_of_two() || (n.is_multiple_of(3) && (n / 3).is_power_of_two()) {
            let Some(white) = window.iter().take(SEARCHED).position(|&byte| byte <= b' ') else { return };
            let rest = &window[white..];
            if let Some(first) = rest.iter().position(|byte| !byte.is_ascii()) {
                self.take(rest, first, EACH);
            }
        }
    }

    /// A window without any adds nothing.
    pub(super) fn skip(&mut self) {
        self.open = false;
    }

    /// Takes at most `most` bytes around those above 7F, the first of which is
    /// at `first`.
    fn take(&mut self, window: &[u8], first: usize, most: usize) {
        let end = self.bytes.len() + most;
        let mut at = Some(first);
        let mut taken = 0;
        while let Some(above) = at {
            let from = before(window, above).max(taken);
            let mut to = above;
            // Goes on until there is a stretch of US-ASCII.
            loop {
                let next = window[to..].iter().take(2 * AROUND).rposition(|byte| !byte.is_ascii());
                match next {
                    Some(0) | None => break,
                    Some(n) => to += n,
                }
                if to - from >= most {
                    break;
                }
            }
            let to = after(window, to);
            if from > taken || (taken == 0 && !self.open && !self.bytes.is_empty()) {
                self.bytes.push(b'\n');
            }
            let left = end.saturating_sub(self.bytes.len());
            let piece = &window[from..to];
            if piece.len() > left {
                let piece = &piece[..left];
                let white = piece.iter().rposition(|&byte| byte <= b' ').filter(|&at| at + SEARCHED > left);
                self.bytes.extend_from_slice(&piece[..white.unwrap_or(left)]);
                (self.cut, self.open, self.full) = (true, false, true);
                return;
            }
            self.bytes.extend_from_slice(piece);
            taken = to;
            at = window[to..].iter().position(|byte| !byte.is_ascii()).map(|at| at + to);
        }
        self.open = taken == window.len();
    }

    /// The sample so far.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether there was more above 7F than it has.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether the front is full.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }
}

/// Where the US-ASCII to take before `above` begins: after white space.
fn before(window: &[u8], above: usize) -> usize {
    let from = above.saturating_sub(AROUND);
    if from == 0 {
        return 0;
    }
    let white = window[from..above].iter().position(|&byte| byte <= b' ');
    let last = window[..above].iter().rposition(|&byte| byte <= b' ' || !byte.is_ascii());
    white.map_or_else(|| last.map_or(above, |at| if window[at] <= b' ' { at } else { at + 1 }), |at| from + at)
}

/// Where the US-ASCII to take from `above` on ends: before white space.
fn after(window: &[u8], above: usize) -> usize {
    let to = (above + AROUND).min(window.len());
    if to == window.len() {
        return to;
    }
    let white = window[above..to].iter().rposition(|&byte| byte <= b' ').map(|at| above + at);
    white.unwrap_or_else(|| window[to..].iter().position(|&byte| byte <= b' ').map_or(window.len(), |at| to + at))
}
