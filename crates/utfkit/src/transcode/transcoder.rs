//! The driver: any encoding into any other, whatever the policy, however the
//! input is cut and whatever room the output has.
//!
//! Three parts take turns. The *row* of the pair (see [`pairs`]) converts the
//! certain prefix straight from the caller's source to the caller's
//! destination. Where it stops, the scalar codec reads the *next value* and
//! so finds out why: a fault, the end of the source inside a sequence, a
//! character that the target lacks, or no room. The *policy* says what is
//! written for it. Then the row goes on behind it.
//!
//! Two small stores make the result independent of the cuts:
//!
//! - `input` has the bytes that were taken but not decided: the beginning of
//!   a sequence. The next value is then read from a window, these bytes and
//!   the first ones of the new source.
//! - `output` has bytes that are decided but found no room. Nothing more is
//!   read until they are delivered, so a fault is never reported before the
//!   text in front of it.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::bulk::Bulk;
use super::pairs;
use super::pending::Held;
use crate::encoding::Encoding;
use crate::engine::scalar::{Decoded, Encoded, LONGEST, REPLACEMENT, utf8};
use crate::error::{Error, ErrorKind};
use crate::policy::{EscapeForm, Policy, Practice};
use crate::standard::Standard;
use crate::transcode::codec::{Source, Target};

/// What a call of [`Transcoder::transcode`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many bytes of the source were taken.
    pub read: usize,
    /// How many bytes of the destination were written.
    pub written: usize,
    /// Why the call ended.
    pub status: Status,
}

/// Why a call of [`Transcoder::transcode`] ended, and what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All of the source was taken and nothing waits to be written. Give more,
    /// or, if that was the last of it, stop.
    InputEmpty,
    /// Something waits for room. Empty the destination and call again with
    /// what is left of the source, which may be nothing.
    OutputFull,
    /// The source is ill-formed, or the target lacks a character of it; only
    /// with [`Policy::Strict`]. A call with what is left of the source goes on
    /// behind the fault.
    IllFormed(Error),
}

/// The bytes of the longest window that a decision needs.
const WINDOW: usize = LONGEST;

/// The most that one decision writes: a BOM, and the escapes of six
/// bytes, each of four characters, in UTF-32. What has shifts needs less: of
/// four such characters one is base64 in UTF-7, in eight bytes with the others.
const DECISION: usize = 4 + 6 * 4 * 4;

/// A conversion from any encoding to any other, in pieces.
///
/// It holds a few bytes between calls, never allocates, and answers the same
/// however the input is cut and however much room each call has: the same
/// bytes, the same offsets of faults.
///
/// ```
/// use utfkit::{Encoding, Policy, Status, Transcoder};
///
/// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be, Policy::Strict);
/// let mut dst = [0; 16];
///
/// let step = transcoder.transcode(b"\xE2\x82", &mut dst, false);
/// assert_eq!((step.read, step.written, step.status), (2, 0, Status::InputEmpty));
///
/// let step = transcoder.transcode(b"\xAC", &mut dst, true);
/// assert_eq!((step.read, &dst[..step.written], step.status), (1, &[0x20, 0xAC][..], Status::InputEmpty));
/// ```
///
/// # BOMs
///
/// [`Utf16`](Encoding::Utf16) and [`Utf32`](Encoding::Utf32) as the source
/// take their byte order from a BOM at the front, which is no part of
/// the text; without one they are big-endian (RFC 2781 section 4.3; Unicode
/// Standard, D98 and D101). As the target they are little-endian with a
/// BOM, which comes with the first thing written: an output without
/// text has none. The forms with a stated order, and UTF-8, neither take nor
/// give one: U+FEFF is a character there.
///
/// # What is ill-formed
///
/// A fault is reported or replaced as soon as it is certain: C1 at once, F0
/// when the next byte is none of 90–BF. [`Practice::PerSequence`] alone waits,
/// for six bytes at most, until the whole sequence is known.
///
/// The [kind](Error::kind) of a fault is named by the bytes that the call has
/// at hand. If they end early it is what they force: C0 and F0 80 are
/// [`Overlong`](ErrorKind::Overlong), ED A0 a
/// [`Surrogate`](ErrorKind::Surrogate), F5 and F4 90
/// [`TooLarge`](ErrorKind::TooLarge), though with the next byte at hand they
/// might have been called a
/// [`MissingContinuation`](ErrorKind::MissingContinuation). The kind is the
/// one thing that a cut can change.
///
/// # Cost
///
/// One pass. A call costs some tens of nanoseconds besides what it converts,
/// and so does each fault.
#[derive(Clone, Debug)]
pub struct Transcoder {
    from: Encoding,
    to: Encoding,
    policy: Policy,
    escape_form: EscapeForm,
    source: Source,
    target: Target,
    bulk: Bulk,
    /// The byte order of the source is not known yet.
    bom_open: bool,
    /// Nothing is written yet, and a BOM has to come first.
    bom_due: bool,
    had_errors: bool,
    unrepresentable: u64,
    /// Bytes of the source before the first undecided one.
    offset: usize,
    /// Bytes delivered.
    written: usize,
    input: Held<WINDOW>,
    output: Held<DECISION>,
}

/// What stands at the front of the window.
enum Front {
    /// A sequence of `len` bytes that more could complete: more is needed.
    Open,
    /// A character of `len` bytes, or a fault in as many.
    Value {
        value: u32,
        len: usize,
    },
    Fault {
        kind: ErrorKind,
        len: usize,
        unfinished: bool,
    },
    /// `len` bytes that stand for nothing.
    Shift {
        len: usize,
    },
}

impl Transcoder {
    /// A conversion of `from` into `to`, at the beginning of a stream. Every
    /// pair works, also an encoding into itself: UTF-8 into UTF-8 with
    /// [`Policy::Replace`] repairs.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Practice, Transcoder};
    ///
    /// let mut repair = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Replace(Practice::MaximalSubpart));
    /// let mut dst = [0; 16];
    /// let step = repair.transcode(b"a\xF0\x9F\x92b", &mut dst, true);
    /// assert_eq!(&dst[..step.written], "a\u{FFFD}b".as_bytes());
    /// assert!(repair.had_errors());
    /// ```
    pub fn new(from: Encoding, to: Encoding, policy: Policy) -> Transcoder {
        Transcoder {
            from,
            to,
            policy,
            escape_form: EscapeForm::default(),
            source: Source::of(from),
            target: Target::of(to),
            bulk: pairs::bulk(from, to, policy),
            bom_open: pairs::signed(from).is_some(),
            bom_due: pairs::signed(to).is_some(),
            had_errors: false,
            unrepresentable: 0,
            offset: 0,
            written: 0,
            input: Held::new(),
            output: Held::new(),
        }
    }

    /// The same with another form of what [`Policy::Escape`] writes.
    pub fn with_escape_form(self, escape_form: EscapeForm) -> Transcoder {
        Transcoder { escape_form, ..self }
    }

    /// The encoding of the source, as it was given to [`new`](Self::new).
    pub fn from(&self) -> Encoding {
        self.from
    }

    /// The encoding of the target, as it was given to [`new`](Self::new).
    pub fn to(&self) -> Encoding {
        self.to
    }

    /// What becomes of faults.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Whether anything so far was ill-formed or lacking in the target: was
    /// replaced, skipped, escaped or, with [`Policy::Strict`], reported.
    pub fn had_errors(&self) -> bool {
        self.had_errors
    }

    /// How many characters it met that the target lacks.
    pub fn unrepresentable_count(&self) -> u64 {
        self.unrepresentable
    }

    /// Goes back to the beginning of a stream and forgets all that is held.
    pub fn reset(&mut self) {
        *self = Transcoder::new(self.from, self.to, self.policy).with_escape_form(self.escape_form);
    }

    /// Begins another source whose text goes to the same output, behind what
    /// is there: it has a BOM and a byte order of its own and is counted
    /// from 0, but the target's BOM is not written again. Call it when
    /// the source before has come to its end; what was held of that is
    /// forgotten.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16, Policy::Strict);
    /// let mut dst = [0; 16];
    /// let first = transcoder.transcode(b"a", &mut dst, true).written;
    /// transcoder.next_source();
    /// let second = transcoder.transcode(b"b", &mut dst[first..], true).written;
    /// assert_eq!(&dst[..first + second], b"\xFF\xFEa\0b\0");
    /// ```
    pub fn next_source(&mut self) {
        self.next_source_in(self.from);
    }

    /// The same, and that next source is in another encoding.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16, Policy::Strict);
    /// let mut dst = [0; 16];
    /// let first = transcoder.transcode(b"\xC3\xA4", &mut dst, true).written;
    /// transcoder.next_source_in(Encoding::Latin1);
    /// let second = transcoder.transcode(b"\xE4", &mut dst[first..], true).written;
    /// assert_eq!(&dst[..first + second], b"\xFF\xFE\xE4\0\xE4\0");
    /// ```
    pub fn next_source_in(&mut self, from: Encoding) {
        *self = Transcoder {
            escape_form: self.escape_form,
            target: self.target.clone(),
            bom_due: self.bom_due,
            had_errors: self.had_errors,
            unrepresentable: self.unrepresentable,
            written: self.written,
            ..Transcoder::new(from, self.to, self.policy)
        };
    }

    /// Converts as much of `src` as `dst` has room for. `last` says that
    /// nothing follows `src`.
    ///
    /// A call makes progress if there is input, or output held, and `dst` has
    /// one byte or more. A character that has no room is held and comes first
    /// in the next call; it is torn apart only if `dst` is too small for it
    /// alone. What lies in `dst` behind [`written`](Step::written) is
    /// unspecified.
    ///
    /// [`Status::InputEmpty`] says that all of `src` was taken, though the
    /// beginning of a sequence at its end may be held, and that nothing waits
    /// to be written. After it, with `last`, the stream is finished:
    /// [`reset`](Self::reset) begins another, and more input without that is
    /// taken as more of the same.
    ///
    /// # Errors
    ///
    /// With [`Policy::Strict`], [`Status::IllFormed`], when everything before
    /// the fault has been written. [`read`](Step::read) goes to the end of the
    /// maximal subpart (Unicode Standard section 3.9), or of the character
    /// that the target lacks; it is 0 if all of that came in earlier calls.
    /// The error's offset, in bytes of the source, and
    /// [`written`](Error::written), in bytes of the target with its
    /// BOM, count from the beginning of the stream.
    /// [`error_len`](Error::error_len) is `None` only if the stream ended
    /// inside a sequence that more could complete.
    ///
    /// ```
    /// use utfkit::{Encoding, ErrorKind, Policy, Status, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Latin1, Policy::Strict);
    /// let (src, mut dst) = ("5 € 20".as_bytes(), [0; 16]);
    ///
    /// let step = transcoder.transcode(src, &mut dst, true);
    /// let Status::IllFormed(error) = step.status else { panic!() };
    /// assert_eq!((error.kind(), error.offset(), error.len()), (ErrorKind::Unrepresentable, 2, 3));
    ///
    /// let rest = transcoder.transcode(&src[step.read..], &mut dst[step.written..], true);
    /// assert_eq!(rest.status, Status::InputEmpty);
    /// assert_eq!(&dst[..step.written + rest.written], b"5  20");
    /// ```
    pub fn transcode(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        let status = loop {
            if !self.output.is_empty() {
                written += self.deliver(&mut dst[written..], written == 0);
                if !self.output.is_empty() {
                    break Status::OutputFull;
                }
            }
            if self.input.is_empty() && !self.bom_open && !self.bom_due {
                let done = self.bulk.convert(&mut self.source, &mut self.target, &src[read..], &mut dst[written..]);
                self.had_errors |= done.replaced;
                read += done.read;
                written += done.written;
                self.offset = self.offset.saturating_add(done.read);
                self.written = self.written.saturating_add(done.written);
            }
            let rest = &src[read..];
            if rest.is_empty() && (self.input.is_empty() || !last) {
                let end = if last { self.target.finish() } else { Encoded::from_slice(&[]) };
                if end.as_slice().is_empty() {
                    break Status::InputEmpty;
                }
                self.write(end.as_slice());
                continue;
            }
            match self.decide(rest, last) {
                (taken, None) => read += taken,
                (taken, Some(error)) => {
                    read += taken;
                    break Status::IllFormed(error);
                }
            }
        };
        Step { read, written, status }
    }

    /// Converts all of `src` and appends it to `dst`. As
    /// [`transcode`](Self::transcode), but the status is never
    /// [`OutputFull`](Status::OutputFull).
    ///
    /// Memory is filled with zeros before it is written: where that counts, a
    /// buffer used again and [`transcode`](Self::transcode) do without.
    ///
    /// # Errors
    ///
    /// With [`Policy::Strict`], [`Status::IllFormed`]: everything before the
    /// fault has been appended.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Status, Transcoder};
    ///
    /// let mut transcoder = Transcoder::new(Encoding::Latin1, Encoding::Utf8, Policy::Strict);
    /// let mut text = Vec::new();
    /// let step = transcoder.transcode_to_vec(b"caf\xE9", &mut text, true);
    /// assert_eq!((step.status, &text[..]), (Status::InputEmpty, "café".as_bytes()));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn transcode_to_vec(&mut self, src: &[u8], dst: &mut Vec<u8>, last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        loop {
            // A guess that holds for most text; more where it does not.
            let start = dst.len();
            let room = (src.len() - read).saturating_add(DECISION);
            dst.resize(start.saturating_add(room), 0);
            let step = self.transcode(&src[read..], &mut dst[start..], last);
            dst.truncate(start + step.written);
            read += step.read;
            written += step.written;
            if step.status != Status::OutputFull {
                return Step { read, written, status: step.status };
            }
        }
    }

    /// Moves held output to `room`: all of it, or, in an otherwise empty
    /// destination, what fits. Answers with the bytes moved.
    fn deliver(&mut self, room: &mut [u8], empty: bool) -> usize {
        let waiting = self.output.as_slice();
        let len = match room.len() {
            enough if enough >= waiting.len() => waiting.len(),
            some if empty => some,
            _ => 0,
        };
        room[..len].copy_from_slice(&waiting[..len]);
        self.output.drop_front(len);
        self.written = self.written.saturating_add(len);
        len
    }

    /// Decides what becomes of the front of the held input and `rest`, which
    /// are not both empty, and holds the outcome. Answers with the bytes taken
    /// from `rest`, and with the fault if it is to be reported.
    fn decide(&mut self, rest: &[u8], last: bool) -> (usize, Option<Error>) {
        if self.input.is_empty() {
            return self.decide_at(rest, last);
        }
        // The window begins with the bytes held and needs no more than it has
        // room for: where it is cut, the sequence at its front is complete.
        let held = self.input.len();
        let mut window = [0; WINDOW];
        let len = WINDOW.min(held + rest.len());
        window[..held].copy_from_slice(self.input.as_slice());
        window[held..len].copy_from_slice(&rest[..len - held]);
        self.input.clear();
        let (taken, fault) = self.decide_at(&window[..len], last);
        if taken < held {
            self.input.set(&window[taken..held]);
        }
        (taken.saturating_sub(held), fault)
    }

    /// The same where `window` is all there is, and the bytes taken are
    /// counted from its beginning.
    fn decide_at(&mut self, window: &[u8], last: bool) -> (usize, Option<Error>) {
        if self.bom_open {
            return (self.settle_order(window, last), None);
        }
        match self.front(window, last) {
            Front::Open => {
                self.input.set(window);
                (window.len(), None)
            }
            Front::Value { value, len } => {
                let fault = match self.target.encode(value) {
                    Some(bytes) => {
                        self.write(bytes.as_slice());
                        None
                    }
                    None => self.lacking(value, len),
                };
                self.offset = self.offset.saturating_add(len);
                (len, fault)
            }
            Front::Shift { len } => {
                self.offset = self.offset.saturating_add(len);
                (len, None)
            }
            Front::Fault { kind, len, unfinished } => {
                let fault = self.ill_formed(&window[..len], kind, unfinished);
                self.offset = self.offset.saturating_add(len);
                (len, fault)
            }
        }
    }

    /// Looks for a BOM at the front of the stream and fixes the byte
    /// order of the source. Answers with the bytes taken.
    fn settle_order(&mut self, window: &[u8], last: bool) -> usize {
        let Some(order) = pairs::signed(self.from) else {
            self.bom_open = false;
            return 0;
        };
        let size = order.bom.len();
        if window.len() < size && !last {
            self.input.set(window);
            return window.len();
        }
        self.bom_open = false;
        let front = &window[..size.min(window.len())];
        let little = front.iter().eq(order.bom);
        if little {
            self.source = Source::of(order.little);
            self.bulk = pairs::bulk(order.little, self.to, self.policy);
        }
        if little || front.iter().eq(order.bom.iter().rev()) {
            self.offset = size;
            return size;
        }
        0
    }

    /// What stands at the front of `window`, as far as the policy wants to
    /// know it.
    fn front(&mut self, window: &[u8], last: bool) -> Front {
        let (kind, len, unfinished) = match self.source.decode(window, last) {
            Decoded::Value { value, len } => return Front::Value { value, len },
            Decoded::Shift { len } => return Front::Shift { len },
            Decoded::Unfinished { .. } if !last => return Front::Open,
            Decoded::Unfinished { kind, len } => (kind, len, true),
            Decoded::IllFormed { kind, len } => (kind, len, false),
        };
        let inside = self.source.is_inside();
        if unfinished || !(inside || self.from.is_like_utf8()) {
            return Front::Fault { kind, len, unfinished };
        }
        let seen = utf8::sequence_of(window, kind);
        let whole = self.policy == Policy::Replace(Practice::PerSequence);
        match seen.open && !last {
            true if whole => Front::Open,
            true => {
                // By what is forced, however much more there is.
                let kind = match self.from {
                    Encoding::Utf8 | Encoding::Utf8Kuhn | Encoding::Utf8NoNoncharacters | Encoding::Unicode11Utf8 => {
                        utf8::forced_kind(window)
                    }
                    Encoding::Utf8Rfc2279 => utf8::doomed_kind(window, Standard::Rfc2279).unwrap_or(kind),
                    _ if inside => utf8::forced_kind(window),
                    _ => kind,
                };
                Front::Fault { kind, len, unfinished }
            }
            false => Front::Fault { kind, len: if whole { len.max(seen.len) } else { len }, unfinished },
        }
    }

    /// Deals with a character of `len` bytes that the target lacks.
    fn lacking(&mut self, value: u32, len: usize) -> Option<Error> {
        self.had_errors = true;
        self.unrepresentable += 1;
        match self.policy {
            Policy::Strict => {
                return Some(Error::new(self.offset, len, ErrorKind::Unrepresentable).with_written(self.written));
            }
            Policy::Replace(_) => self.write_ascii(b"?"),
            Policy::Skip => {}
            Policy::Escape => {
                let (before, behind) = self.escape_form.around();
                self.write_ascii(before);
                let digits = (8 - value.leading_zeros() / 4).max(1);
                for shift in (0..digits).rev() {
                    self.write_ascii(&[hex_digit(value >> (4 * shift))]);
                }
                self.write_ascii(behind);
            }
        }
        None
    }

    /// Deals with an ill-formed sequence.
    fn ill_formed(&mut self, bytes: &[u8], kind: ErrorKind, unfinished: bool) -> Option<Error> {
        self.had_errors = true;
        match self.policy {
            Policy::Strict => {
                let fault = if unfinished { Error::unfinished } else { Error::new };
                return Some(fault(self.offset, bytes.len(), kind).with_written(self.written));
            }
            Policy::Replace(practice) => {
                let count = match practice {
                    Practice::PerByte => bytes.len().div_ceil(self.from.unit_size()),
                    Practice::MaximalSubpart | Practice::PerSequence => 1,
                };
                for _ in 0..count {
                    match self.target.encode(REPLACEMENT) {
                        Some(replacement) => self.write(replacement.as_slice()),
                        None => self.write_ascii(b"?"),
                    }
                }
            }
            Policy::Skip => {}
            Policy::Escape => {
                for &byte in bytes {
                    self.write_ascii(&[b'\\', b'x', hex_digit(u32::from(byte) >> 4), hex_digit(byte.into())]);
                }
            }
        }
        None
    }

    /// Holds `text`, which every target can encode.
    fn write_ascii(&mut self, text: &[u8]) {
        for &byte in text {
            if let Some(bytes) = self.target.encode(byte.into()) {
                self.write(bytes.as_slice());
            }
        }
    }

    /// Holds `bytes` of the target, and its BOM before the first ones.
    fn write(&mut self, bytes: &[u8]) {
        if self.bom_due {
            self.bom_due = false;
            if let Some(order) = pairs::signed(self.to) {
                self.output.push(order.bom);
            }
        }
        self.output.push(bytes);
    }
}

/// The last four bits of `value` as a digit.
fn hex_digit(value: u32) -> u8 {
    b"0123456789ABCDEF"[(value & 0xF) as usize]
}
