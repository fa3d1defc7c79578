//! Counts the errors of the whole stream in the multibyte encodings.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::encodings::guessable;
use super::multibyte_forms::min_errors;
use crate::detect::controls::first_beyond_ascii;
use crate::line::is_single_byte;
use encoding_rs::DecoderResult;
use utfkit_core::{Encoding, Legacy, Policy, Status, Transcoder};

/// An encoding is excluded by more errors than this and one in `ERROR_RATE` bytes.
const MAX_ERRORS: u64 = 8;
const ERROR_RATE: u64 = 64;

/// The most bytes that are looked at before the sample is scored.
const GLANCE: usize = 4 << 10;

/// Up to this many bytes, windows are kept.
const KEPT: usize = 32 << 10;

/// No character has more bytes than 1 and this.
const MAX_TRAILS: usize = 3;

/// The multibyte encodings in which the stream may be.
#[derive(Default)]
pub(super) struct MultibyteErrors {
    state: State,
    /// The number of bytes taken.
    len: u64,
}

#[derive(Default)]
enum State {
    #[default]
    Empty,
    /// As long as they are [few](KEPT): windows kept, to be counted on demand.
    Pending(Pending),
    /// From then on: windows counted at once, in the encodings that are left.
    Counting(Vec<ErrorCounter>),
}

/// The errors of encodings that were counted.
#[derive(Default)]
pub(super) struct ErrorCache(RefCell<Vec<(Encoding, Option<u64>)>>);

impl MultibyteErrors {
    /// True if further windows are kept, and none is counted yet.
    pub(super) fn may_keep_more(&self) -> bool {
        match &self.state {
            State::Empty => true,
            State::Pending(pending) => pending.bytes.len() < KEPT,
            State::Counting(_) => false,
        }
    }

    /// Takes a window. `is_first` says that it begins at a character; `is_narrowed`, that
    /// the encodings were narrowed down.
    pub(super) fn window(&mut self, window: &[u8], is_first: bool, is_narrowed: bool) {
        let mut rest = window;
        if matches!(self.state, State::Empty) {
            if !is_first {
                rest = from_white_space(window, 0);
            }
            self.state = match is_narrowed {
                true => State::Counting(multibyte().map(ErrorCounter::new).collect()),
                false => State::Pending(Pending::default()),
            };
        }
        self.len += rest.len() as u64;
        let max_errors = MAX_ERRORS + self.len / ERROR_RATE;
        match &mut self.state {
            State::Empty => {}
            State::Pending(pending) => pending.add(rest, max_errors),
            State::Counting(counters) => {
                let mut out = [0; 8 << 10];
                // GBK and gb18030 share a decoder: equal counts stay equal.
                let mut of_gbk: Option<Counted> = None;
                counters.retain_mut(|counter| {
                    let before = counter.errors;
                    if let Some(counted) = of_gbk.filter(|of| is_gbk(counter.encoding) && of.before == before) {
                        counter.errors = counted.after;
                        return counted.is_possible;
                    }
                    let is_possible = counter.feed(rest, max_errors, false, &mut out);
                    if is_gbk(counter.encoding) {
                        of_gbk = Some(Counted { before, after: counter.errors, is_possible });
                    }
                    is_possible
                });
            }
        }
    }

    /// Counts the windows kept, if there are any; returns false if no encoding is left.
    pub(super) fn count_pending(&mut self) -> bool {
        let State::Pending(pending) = &self.state else { return false };
        let counters = pending.count_all();
        let is_any = !counters.is_empty();
        self.state = State::Counting(counters);
        is_any
    }

    pub(super) fn retain(&mut self, is_wanted: impl Fn(Encoding) -> bool) {
        if let State::Counting(counters) = &mut self.state {
            counters.retain(|counter| is_wanted(counter.encoding));
        }
    }

    /// The errors in a multibyte encoding; `None` if there are too many.
    pub(super) fn of(&self, encoding: Encoding, cache: &ErrorCache) -> Option<u64> {
        match &self.state {
            State::Empty => Some(0),
            State::Pending(pending) => {
                // GBK and gb18030 share a decoder.
                let encoding = if is_gbk(encoding) { Encoding::Legacy(Legacy::Gb18030) } else { encoding };
                let known = cache.0.borrow().iter().find(|(other, _)| *other == encoding).map(|(_, errors)| *errors);
                known.unwrap_or_else(|| {
                    let errors = pending.count(encoding).map(|counter| counter.errors);
                    cache.0.borrow_mut().push((encoding, errors));
                    errors
                })
            }
            State::Counting(counters) => {
                counters.iter().find(|counter| counter.encoding == encoding).map(|counter| counter.errors)
            }
        }
    }

    /// True if all windows were counted in an encoding, without an error.
    pub(super) fn are_none(&self, encoding: Encoding) -> bool {
        let State::Counting(counters) = &self.state else { return false };
        counters.iter().any(|counter| counter.encoding == encoding && counter.errors == 0)
    }

    /// True if the stream may be in a multibyte encoding: at a glance, as counting takes longer than scoring.
    pub(super) fn may_be(&self, encoding: Encoding, cache: &ErrorCache) -> bool {
        match &self.state {
            State::Pending(pending) => pending.may_be(encoding),
            _ => self.of(encoding, cache).is_some(),
        }
    }
}

/// The count of a decoder before and after a window.
#[derive(Clone, Copy)]
struct Counted {
    before: u64,
    after: u64,
    is_possible: bool,
}

fn multibyte() -> impl Iterator<Item = Encoding> {
    guessable().map(|guessable| guessable.encoding).filter(|&encoding| !is_single_byte(encoding))
}

fn is_gbk(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Legacy(Legacy::Gbk | Legacy::Gb18030))
}

/// `bytes` from the first white space on, where a character begins; from `default` on
/// without any.
fn from_white_space(bytes: &[u8], default: usize) -> &[u8] {
    &bytes[bytes.iter().position(|&byte| byte <= b' ').unwrap_or(default)..]
}

/// Windows kept until their errors are asked for.
#[derive(Default)]
struct Pending {
    /// The windows, [condensed](condense) and concatenated.
    bytes: Vec<u8>,
    windows: Vec<PendingWindow>,
}

#[derive(Clone, Copy)]
struct PendingWindow {
    end: usize,
    /// More errors than this up to `end` exclude an encoding.
    max_errors: u64,
}

impl Pending {
    fn add(&mut self, window: &[u8], max_errors: u64) {
        self.bytes.extend_from_slice(&condense(window));
        self.windows.push(PendingWindow { end: self.bytes.len(), max_errors });
    }

    /// True if an encoding is possible by the front of the first window, at a glance.
    fn may_be(&self, encoding: Encoding) -> bool {
        let Some(&PendingWindow { end, max_errors }) = self.windows.first() else { return true };
        let end = end.min(GLANCE);
        let window = &self.bytes[..end];
        min_errors(encoding, from_white_space(window, end), max_errors) <= max_errors
    }

    /// A counter that took all windows; `None` if there are too many errors.
    fn count(&self, encoding: Encoding) -> Option<ErrorCounter> {
        let mut counter = ErrorCounter::new(encoding);
        let mut out = alloc::vec![0; (3 * self.bytes.len()).clamp(64, 8 << 10)];
        let mut from = 0;
        for &PendingWindow { end, max_errors } in &self.windows {
            if !counter.feed(&self.bytes[from..end], max_errors, true, &mut out) {
                return None;
            }
            from = end;
        }
        Some(counter)
    }

    fn count_all(&self) -> Vec<ErrorCounter> {
        let mut counters: Vec<ErrorCounter> = Vec::new();
        let mut of_gbk = None;
        for encoding in multibyte() {
            let counter = match of_gbk.filter(|_| is_gbk(encoding)) {
                Some(errors) => Option::map(errors, |errors| ErrorCounter { errors, ..ErrorCounter::new(encoding) }),
                None => self.count(encoding),
            };
            if is_gbk(encoding) {
                of_gbk = Some(counter.as_ref().map(|counter| counter.errors));
            }
            counters.extend(counter);
        }
        counters
    }
}

/// Counts errors by decoding, which is many times faster than diagnosing them.
struct ErrorCounter {
    encoding: Encoding,
    decoder: Decoder,
    /// A character that the end truncates is none.
    errors: u64,
}

enum Decoder {
    Web(encoding_rs::Decoder),
    Other(Box<Transcoder>),
}

impl ErrorCounter {
    fn new(encoding: Encoding) -> ErrorCounter {
        let web = match encoding {
            Encoding::Legacy(legacy) => legacy.web(),
            _ => None,
        };
        let decoder = match web {
            Some(web) => Decoder::Web(web.new_decoder_without_bom_handling()),
            None => Decoder::Other(Box::new(Transcoder::new(encoding, Encoding::Utf8, Policy::Strict))),
        };
        ErrorCounter { encoding, decoder, errors: 0 }
    }

    /// Takes a window; returns false once there are more than `max_errors`. With `glance`,
    /// a lower bound is tried first, which excludes most encodings.
    fn feed(&mut self, mut src: &[u8], max_errors: u64, glance: bool, out: &mut [u8]) -> bool {
        // The window may begin within a character, though not after white space.
        let errors_left = max_errors - self.errors;
        if glance && min_errors(self.encoding, from_white_space(src, src.len()), errors_left) > errors_left {
            return false;
        }
        loop {
            let is_done = match &mut self.decoder {
                Decoder::Web(decoder) => {
                    let (result, read, _) = decoder.decode_to_utf8_without_replacement(src, out, false);
                    src = &src[read..];
                    match result {
                        DecoderResult::OutputFull => continue,
                        DecoderResult::InputEmpty => true,
                        DecoderResult::Malformed(..) => false,
                    }
                }
                Decoder::Other(decoder) => {
                    let step = decoder.transcode(src, out, false);
                    src = &src[step.read..];
                    match step.status {
                        Status::OutputFull => continue,
                        Status::InputEmpty => true,
                        Status::IllFormed(_) => false,
                    }
                }
            };
            if is_done {
                return true;
            }
            self.errors += 1;
            if self.errors > max_errors {
                return false;
            }
        }
    }
}

/// The bytes of a window that matter to multibyte encodings: those above 7F, the ones
/// after them that may belong to the same character, and the front, which may belong to
/// the previous window. A space replaces the rest.
fn condense(window: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(window.len());
    let (mut from, mut to) = (0, MAX_TRAILS.min(window.len()));
    let mut looked = 0;
    loop {
        // Extends to the next byte that no character from above 7F reaches.
        while let Some(last) = window[looked..to].iter().rposition(|byte| !byte.is_ascii()) {
            looked += last + 1;
            to = window.len().min(looked + MAX_TRAILS);
        }
        kept.extend_from_slice(&window[from..to]);
        let Some(next) = first_beyond_ascii(&window[to..]) else { break };
        if next > 0 {
            kept.push(b' ');
        }
        (from, looked) = (to + next, to + next);
        to = window.len().min(from + 1);
    }
    if to < window.len() {
        kept.push(b' ');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_outside_of_characters_is_left_out() {
        assert_eq!(condense(b"plain text"), b"pla ");
        assert_eq!(condense(b"pl"), b"pl");
        assert_eq!(condense(b"ab\xE9cdef"), b"ab\xE9cde ");
        assert_eq!(condense(b"a window of caf\xE9 and th\xE9\x81s"), b"a w \xE9 an \xE9\x81s");
        assert_eq!(condense(b"\x81\x30\x81\x30abc\xE9xyz\xE9"), b"\x81\x30\x81\x30ab \xE9xyz\xE9");
        assert_eq!(condense(b"\xE9.\xE9abcd\xE9"), b"\xE9.\xE9abc \xE9");
    }
}
