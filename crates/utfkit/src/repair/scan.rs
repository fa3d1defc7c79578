//! Cuts a stream into well-formed text, ill-formed sequences, and the runs of
//! characters that could be bytes read as windows-1252. The cuts do not depend
//! on how the stream comes.

use alloc::vec::Vec;

use super::undouble::could_begin;
use super::windows_1252::Windows1252;
use crate::engine::scalar::utf8::{decode, is_continuation, read_leniently};
use crate::engine::scalar::{Decoded, is_scalar_value};
use crate::error::Error;
use crate::standard::Standard;
use crate::utf8::text::from_utf8;
use crate::utf8::validate::validate;

/// The next part of the stream.
pub(super) enum Event<'a> {
    /// Well-formed, and no run in it.
    Text(&'a [u8]),
    /// Characters that windows-1252 has from 80 on, one after the other, and
    /// the character on either side; `None` at an end of the stream.
    Run { text: &'a str, before: Option<char>, after: Option<char> },
    /// An ill-formed sequence: the complete form of a character, or a maximal
    /// subpart.
    IllFormed { bytes: &'a [u8], meant: Option<char> },
}

/// The most characters of a run. A longer one is cut.
const LONGEST_RUN: usize = 4096;

/// How many characters of a run may stand before the first that could begin
/// a sequence.
const LOOK_BACK: usize = 64;

/// The bytes of the longest form: six octets, or two surrogates.
const LONGEST_FORM: usize = 6;

#[derive(Clone, Debug)]
pub(super) struct Scanner {
    /// The table to look for runs with, if they are wanted.
    table: Option<Windows1252>,
    reinterpret: bool,
    /// The end of the bytes fed, not decided yet.
    pending: Vec<u8>,
    /// The character before that.
    before: Option<char>,
}

impl Scanner {
    pub(super) fn new(runs: bool, reinterpret: bool) -> Scanner {
        Scanner { table: runs.then(Windows1252::new), reinterpret, pending: Vec::new(), before: None }
    }

    /// Takes the next bytes; `last` says that they are the last.
    pub(super) fn feed(&mut self, chunk: &[u8], last: bool, on: &mut dyn FnMut(Event<'_>)) {
        if self.pending.is_empty() {
            let done = self.scan(chunk, last, on);
            self.pending.extend_from_slice(&chunk[done..]);
            return;
        }
        let mut joined = core::mem::take(&mut self.pending);
        joined.extend_from_slice(chunk);
        let done = self.scan(&joined, last, on);
        joined.drain(..done);
        self.pending = joined;
    }

    /// Returns the start of the part that more bytes must decide.
    fn scan(&mut self, src: &[u8], last: bool, on: &mut dyn FnMut(Event<'_>)) -> usize {
        let mut at = 0;
        while at < src.len() {
            let (sure, open) = match validate(&src[at..], Standard::Rfc3629) {
                Ok(()) => (src.len(), !last),
                Err(error) => (at + error.offset(), !last && is_open(&error)),
            };
            at = self.text(&src[..sure], at, open, (sure < src.len()).then_some(char::REPLACEMENT_CHARACTER), on);
            if at < sure {
                return at;
            }
            // One error seldom comes alone: its neighbours need no validator.
            while at < src.len() {
                let rest = &src[at..];
                if rest.len() < LONGEST_FORM && !last {
                    let whole = matches!(decode(rest, Standard::Rfc3629), Decoded::Value { .. });
                    if whole {
                        break;
                    }
                    return at;
                }
                let (len, meant) = match decode(rest, Standard::Rfc3629) {
                    Decoded::Value { .. } | Decoded::StateChange { .. } => break,
                    Decoded::IllFormed { len, .. } | Decoded::Unfinished { len, .. } => match self.meant(rest) {
                        Some((c, len)) => (len, Some(c)),
                        None => (len, None),
                    },
                };
                on(Event::IllFormed { bytes: &rest[..len], meant });
                self.before = Some(char::REPLACEMENT_CHARACTER);
                at += len;
            }
        }
        at
    }

    /// The character that the form at the front of `rest` spells, which UTF-8
    /// does not allow.
    fn meant(&self, rest: &[u8]) -> Option<(char, usize)> {
        if !self.reinterpret {
            return None;
        }
        let (value, len) = read_leniently(rest);
        let value = value.filter(|value| is_scalar_value(*value))?;
        Some((char::from_u32(value)?, len))
    }

    /// Passes on the text that ends with `src`, from `at` on. After it stands
    /// `after`, unless it is `open` and more of it may come. Returns the start of
    /// the part that it left.
    fn text(
        &mut self,
        src: &[u8],
        mut at: usize,
        open: bool,
        after: Option<char>,
        on: &mut dyn FnMut(Event<'_>),
    ) -> usize {
        let Scanner { table, before, .. } = self;
        let pass = |text: &[u8], before: &mut Option<char>, on: &mut dyn FnMut(Event<'_>)| {
            if !text.is_empty() {
                on(Event::Text(text));
                *before = final_char(text);
            }
        };
        let Some(table) = table else {
            pass(&src[at..], before, on);
            return src.len();
        };
        while at < src.len() {
            let Some(lead) = could_begin(&src[at..]) else {
                // Characters after that may belong to the run at the end.
                let end = if open { look_back(table, src, at, src.len()) } else { src.len() };
                pass(&src[at..end], before, on);
                return end;
            };
            let start = look_back(table, src, at, at + lead);
            pass(&src[at..start], before, on);
            let (mut end, mut count) = (start, 0);
            while count < LONGEST_RUN
                && let Some((c, len)) = first(&src[end..])
                && table.byte(c).is_some()
            {
                end += len;
                count += 1;
            }
            if count == LONGEST_RUN {
                end = match table.whole(from_utf8(&src[start..end]).unwrap_or_default()) {
                    0 => end,
                    whole => start + whole,
                };
            }
            if end == src.len() && open {
                return start;
            }
            if count < 2 {
                // One character alone is not a sequence: most letters of a text.
                pass(&src[start..end], before, on);
                at = end;
                continue;
            }
            let after = if end == src.len() { after } else { first(&src[end..]).map(|(c, _)| c) };
            match from_utf8(&src[start..end]) {
                Ok(text) => on(Event::Run { text, before: *before, after }),
                // Never: it was read character by character.
                Err(_) => on(Event::Text(&src[start..end])),
            }
            *before = final_char(&src[start..end]);
            at = end;
        }
        src.len()
    }
}

/// Whether more bytes could complete the sequence that the error stopped at.
fn is_open(error: &Error) -> bool {
    error.error_len().is_none()
}

/// Where the run begins that ends before `end`, not before `from`.
fn look_back(table: &Windows1252, src: &[u8], from: usize, end: usize) -> usize {
    let mut at = end;
    for _ in 0..LOOK_BACK {
        match final_char(&src[from..at]) {
            Some(c) if table.byte(c).is_some() => at -= c.len_utf8(),
            _ => break,
        }
    }
    at
}

/// The character at the front of well-formed text.
fn first(text: &[u8]) -> Option<(char, usize)> {
    match text.first() {
        None => None,
        Some(_) => match decode(text, Standard::Rfc3629) {
            Decoded::Value { value, len } => Some((char::from_u32(value)?, len)),
            _ => None,
        },
    }
}

/// The character at the end of well-formed text.
fn final_char(text: &[u8]) -> Option<char> {
    let start = text.iter().rposition(|byte| !is_continuation(*byte))?;
    from_utf8(&text[start..]).ok()?.chars().next()
}
