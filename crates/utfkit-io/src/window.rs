//! Collects bytes until the encoding is detected.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::take;

use utfkit_core::{Encoding, internal, validate_ascii};
use utfkit_detect::detect::{Certainty, Detection};

use crate::options::{HELD, Options};

/// Of the bytes that were passed on, the detector sees two parts: the first ones, which may contain a declaration,
/// and the last ones, which end with the words before the first character beyond US-ASCII.
const HEAD: usize = 64 << 10;
const TAIL: usize = 4 << 10;
/// How many times its limit the window may grow to.
const GROWTH: usize = 4;

/// The bytes that the detector sees, and which of them are not passed on yet.
#[derive(Clone, Debug)]
pub struct Window {
    bytes: Vec<u8>,
    /// The bytes before this index are passed on.
    passed: usize,
    phase: Phase,
    /// True if only bytes from 80 end a run of US-ASCII.
    ignores_controls: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is passed on yet.
    Held,
    /// US-ASCII is passed on.
    Ascii,
    /// The window is filled up to this many bytes.
    Filling(usize),
}

/// The decision about the bytes that are not passed on.
#[derive(Debug)]
pub enum Decision {
    /// More bytes are needed.
    Open,
    /// They are US-ASCII, and the encoding is still open.
    Ascii(Vec<u8>),
    /// They are in an encoding, or in none.
    Found(Box<Detection>, Vec<u8>),
}

impl Default for Window {
    fn default() -> Window {
        Window::new()
    }
}

impl Window {
    /// A window at the start of a stream.
    pub fn new() -> Window {
        Window { bytes: Vec::new(), passed: 0, phase: Phase::Held, ignores_controls: false }
    }

    /// The length of the prefix of `bytes` that is passed on as it is.
    pub fn pass(&mut self, bytes: &[u8]) -> usize {
        if self.phase != Phase::Ascii || self.passed < self.bytes.len() {
            return 0;
        }
        let len = self.plain_len(bytes);
        let plain = &bytes[..len];
        let head = len.min(HEAD.saturating_sub(self.bytes.len()));
        self.bytes.extend_from_slice(&plain[..head]);
        let tail = &plain[head..];
        self.bytes.extend_from_slice(&tail[tail.len().saturating_sub(TAIL)..]);
        self.forget();
        len
    }

    /// Takes all of `chunk`, of which [`pass`](Window::pass) passes on nothing. After
    /// [`Decision::Ascii`] an empty chunk is to follow.
    pub fn fill(&mut self, chunk: &[u8], options: &Options) -> Decision {
        self.bytes.extend_from_slice(chunk);
        let held = &self.bytes[self.passed..];
        if let Phase::Held | Phase::Ascii = self.phase {
            let len = self.plain_len(held);
            if len > 0 && (self.phase == Phase::Ascii || len >= HELD) {
                self.phase = Phase::Ascii;
                return Decision::Ascii(self.release(len));
            }
            if len == held.len() || held[len..] == *b"~" {
                return Decision::Open;
            }
            self.phase = Phase::Filling(options.window());
        }
        self.decide(false, options)
    }

    /// Decides at the end of the stream.
    pub fn finish(&mut self, options: &Options) -> Decision {
        self.decide(true, options)
    }

    fn decide(&mut self, ended: bool, options: &Options) -> Decision {
        let wanted = options.at_least.max(Certainty::Likely);
        let found = loop {
            let len = self.bytes.len() - self.passed;
            let full = match self.phase {
                Phase::Filling(full) if full <= len => full,
                _ if ended => break options.known.detect(&self.bytes),
                _ => return Decision::Open,
            };
            let found = options.known.detect(before_a_cut(&self.bytes[..self.passed + full], self.passed));
            if found.certainty() >= wanted || full >= options.window().saturating_mul(GROWTH) {
                break found;
            }
            self.phase = Phase::Filling(full.saturating_mul(2));
        };
        if !ended && found.encoding() == Some(Encoding::UsAscii) {
            (self.phase, self.ignores_controls) = (Phase::Ascii, true);
            let len = self.plain_len(&self.bytes[self.passed..]);
            return Decision::Ascii(self.release(len));
        }
        let mut rest = take(&mut self.bytes);
        rest.drain(..self.passed);
        self.passed = 0;
        Decision::Found(Box::new(found), rest)
    }

    /// Passes on the next `len` bytes.
    fn release(&mut self, len: usize) -> Vec<u8> {
        let (start, end) = (self.passed, self.passed + len);
        let released = self.bytes[start..end].to_vec();
        let held = self.bytes.split_off(end);
        self.forget();
        self.bytes.extend(held);
        released
    }

    /// Forgets bytes that were passed on, as all are, except the first and the last ones.
    fn forget(&mut self) {
        let len = self.bytes.len();
        if len > HEAD + TAIL {
            self.bytes.drain(HEAD..len - TAIL);
        }
        self.passed = self.bytes.len();
    }

    /// The length of the US-ASCII at the front. Controls of encodings with states end it, and
    /// NUL, which UTF-16 and UTF-32 contain.
    fn plain_len(&self, bytes: &[u8]) -> usize {
        let ascii = match validate_ascii(bytes) {
            Ok(()) => bytes,
            Err(error) => &bytes[..error.offset()],
        };
        if self.ignores_controls {
            return ascii.len();
        }
        let mut len = ascii.len();
        if internal::count_controls(ascii) > 0 {
            let control = ascii.iter().position(|byte| matches!(byte, 0 | 0x0E | 0x1B));
            len = control.unwrap_or(len);
        }
        // A shift of HZ, or the first half of one.
        if ascii[..len].contains(&b'~') {
            let is_shift = |at: usize| ascii[at] == b'~' && ascii.get(at + 1).is_none_or(|&next| next == b'{');
            len = (0..len).find(|&at| is_shift(at)).unwrap_or(len);
        }
        len
    }
}

/// `bytes` without a part of a character at the end, if there is a line end to cut at after
/// `start`, where the window begins. The length is a multiple of that of a unit in UTF-16 and
/// UTF-32.
fn before_a_cut(bytes: &[u8], start: usize) -> &[u8] {
    const UNIT: usize = 4;
    const FAR: usize = 64 << 10;
    let ends = |at: usize| matches!(bytes[..at], [.., b'\n', 0, 0, 0] | [.., b'\n', 0] | [.., b'\n']);
    let last = bytes.len() / UNIT * UNIT;
    let mut at = last;
    while at > start && last - at < FAR {
        if ends(at) {
            return &bytes[..at];
        }
        at -= UNIT;
    }
    &bytes[..last]
}
