//! The driver: any encoding into any other, whatever the policy, however the
//! input is cut and however much space the output has.
//!
//! Three parts take turns. The *fast path* of the pair (see [`pairs`]) converts the
//! certain prefix straight from the caller's source to the caller's
//! destination. Where it stops, the scalar codec reads the *next value* and
//! so finds out why: an error, the end of the source inside a sequence, a
//! character that the target lacks, or no space. The *policy* says how it
//! is written. Then the fast path continues after it.
//!
//! Two small stores make the result independent of the cuts:
//!
//! - `input` has the bytes that were taken but not decided: the beginning of
//!   a sequence. The next value is then read from a window, these bytes and
//!   the first ones of the new source.
//! - `output` has bytes that are decided but found no space. Nothing more is
//!   read until they are delivered, so an error is never reported before the
//!   text before it.

use super::bulk::{Bulk, NEAR};
use super::pairs;
use crate::encoding::Encoding;
use crate::engine::codec::{Source, Target};
use crate::engine::small_bytes::SmallBytes;
use crate::error::Error;
use crate::policy::{EscapeForm, Policy, Practice};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::{Decoded, Encoded, LONGEST, REPLACEMENT, is_scalar_value, utf8};

/// The result of a call of [`Transcoder::transcode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a `Status::IllFormed` that nobody looks at is an error that is lost"]
#[non_exhaustive]
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
#[must_use = "an `IllFormed` that nobody looks at is an error that is lost"]
pub enum Status {
    /// All of the source was taken and no output is pending. Give more,
    /// or, if that was the last of it, stop.
    InputEmpty,
    /// Output is pending for lack of space. Empty the destination and call again
    /// with the rest of the source, which may be empty.
    OutputFull,
    /// The source is ill-formed, or the target lacks a character of it; only
    /// with [`Policy::Strict`]. A call with the rest of the source continues
    /// after the error.
    IllFormed(Error),
}

/// The most that one decision writes: a BOM, and the escapes of six
/// bytes, each of four characters, in UTF-32. Encodings with states need less: of
/// four such characters one is base64 in UTF-7, in eight bytes with the others.
pub(super) const DECISION: usize = 4 + 6 * 4 * 4;

/// A conversion from any encoding to any other, in pieces.
///
/// It keeps a few bytes between calls, never allocates, and the result is the same
/// however the input is cut and however much space each call has: the same
/// bytes, the same offsets of errors.
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
/// take their byte order from a BOM at the front, which is not part of
/// the text; without one they are big-endian (RFC 2781 section 4.3; Unicode
/// Standard, D98 and D101). As the target they are little-endian with a
/// BOM, which comes with the first thing written: an output without
/// text has none. The forms with a stated order, and UTF-8, neither take nor
/// give one: U+FEFF is a character there.
///
/// # Ill-formed input
///
/// An error is reported or replaced as soon as it is certain: C1 at once, F0
/// when the next byte is not one of 90–BF. [`Practice::PerSequence`] alone waits,
/// for six bytes at most, until the whole sequence is known.
///
/// The [kind](Error::kind) of an error is named by the bytes that the call has
/// at hand. If they end early it is the one that they force: C0 and F0 80 are
/// [`Overlong`](ErrorKind::Overlong), ED A0 a
/// [`Surrogate`](ErrorKind::Surrogate), F5 and F4 90
/// [`TooLarge`](ErrorKind::TooLarge), though with the next byte at hand they
/// might have been called a
/// [`MissingContinuation`](ErrorKind::MissingContinuation). The kind is the
/// one thing that a cut can change.
///
/// # Cost
///
/// One pass. A call costs some tens of nanoseconds besides the conversion,
/// and so does each error.
#[derive(Clone, Debug)]
pub struct Transcoder {
    pub(super) from: Encoding,
    pub(super) to: Encoding,
    pub(super) policy: Policy,
    escape_form: EscapeForm,
    source: Source,
    target: Target,
    bulk: Bulk,
    /// The byte order of the source is not known yet.
    bom_open: bool,
    /// Nothing is written yet, and a BOM has to come first.
    pub(super) bom_due: bool,
    had_errors: bool,
    unrepresentable: u64,
    /// Each error, if they are counted.
    errors: Option<ErrorCount>,
    /// Bytes of the source before the first undecided one.
    pub(super) offset: usize,
    /// Bytes delivered.
    written: usize,
    pub(super) input: SmallBytes<LONGEST>,
    pub(super) output: SmallBytes<DECISION>,
    /// To be reported after the pending output.
    error: Option<Error>,
    /// The bytes of the source that the last decision took, while that is what
    /// is pending.
    pub(super) decided: usize,
    /// A part of the pending output was delivered, because the destination was too
    /// small for it alone.
    pub(super) torn: bool,
}

/// How many errors there were, and the offset of the first.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorCount {
    pub count: u64,
    pub first: Option<usize>,
}

/// The front of the window.
enum Front {
    /// A sequence of `len` bytes that more could complete: more is needed.
    Open,
    /// A character of `len` bytes, or an error of `len` bytes.
    Value {
        value: u32,
        len: usize,
    },
    IllFormed {
        kind: ErrorKind,
        len: usize,
        unfinished: bool,
    },
    /// `len` bytes that change the state.
    StateChange {
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
            source: from.source(),
            target: to.target(),
            bulk: pairs::bulk(from, to, policy),
            bom_open: pairs::signed(from).is_some(),
            bom_due: pairs::signed(to).is_some(),
            had_errors: false,
            unrepresentable: 0,
            errors: None,
            offset: 0,
            written: 0,
            input: SmallBytes::new(),
            output: SmallBytes::new(),
            error: None,
            decided: 0,
            torn: false,
        }
    }

    /// Sets another form of escapes for [`Policy::Escape`].
    #[must_use]
    pub fn with_escape_form(self, escape_form: EscapeForm) -> Transcoder {
        Transcoder { escape_form, ..self }
    }

    /// The encoding of the source, as it was given to [`new`](Self::new).
    pub fn source_encoding(&self) -> Encoding {
        self.from
    }

    /// The encoding of the target, as it was given to [`new`](Self::new).
    pub fn target_encoding(&self) -> Encoding {
        self.to
    }

    /// How errors are dealt with.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// True if anything so far was ill-formed or lacking in the target: was
    /// replaced, skipped, escaped or, with [`Policy::Strict`], reported.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.had_errors
    }

    /// How many characters it met that the target lacks.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, Practice, Transcoder};
    ///
    /// let replace = Policy::Replace(Practice::MaximalSubpart);
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::UsAscii, replace);
    /// let _ = transcoder.transcode_to_vec(b"na\xC3\xAFve \xFF", &mut Vec::new(), true);
    /// // The ill-formed byte is an error, and not a character.
    /// assert!(transcoder.had_errors());
    /// assert_eq!(transcoder.unrepresentable_count(), 1);
    /// ```
    pub fn unrepresentable_count(&self) -> u64 {
        self.unrepresentable
    }

    /// The same conversion, which counts its errors. Each is then decided alone, and
    /// costs some tens of nanoseconds with every policy.
    #[doc(hidden)]
    #[must_use]
    pub fn counting_errors(mut self) -> Transcoder {
        self.errors = Some(ErrorCount::default());
        self.bulk = self.bulk_from(self.from);
        self
    }

    /// The errors so far, if they are [counted](Self::counting_errors).
    #[doc(hidden)]
    pub fn error_count(&self) -> Option<ErrorCount> {
        self.errors
    }

    /// How the bulk of a source in `from` is converted.
    fn bulk_from(&self, from: Encoding) -> Bulk {
        let policy = if self.errors.is_some() { Policy::Strict } else { self.policy };
        pairs::bulk(from, self.to, policy)
    }

    /// Notes an error at the current offset.
    fn note_error(&mut self) {
        self.had_errors = true;
        if let Some(errors) = &mut self.errors {
            errors.count += 1;
            errors.first.get_or_insert(self.offset);
        }
    }

    /// Goes back to the beginning of a stream and forgets all pending bytes.
    pub fn reset(&mut self) {
        *self = self.like(self.from);
    }

    /// The number of bytes at the end of the source that are taken but not
    /// decided: the beginning of a sequence.
    #[doc(hidden)]
    pub fn undecided_len(&self) -> usize {
        self.input.len()
    }

    /// The set of characters that the source is in, as a number: 0 at the
    /// beginning, and always in an encoding without sets. A run that UTF-7
    /// is in is not part of it.
    #[doc(hidden)]
    pub fn source_state(&self) -> u32 {
        self.source.state()
    }

    /// The same conversion after a source that ended in this state.
    #[doc(hidden)]
    #[must_use]
    pub fn with_source_state(mut self, state: u32) -> Transcoder {
        self.source.set_state(state);
        self
    }

    /// The set of characters that the output is in, as a number: 0 at the
    /// beginning, and always in an encoding without sets. What UTF-7 and WTF-8
    /// hold back is not part of it.
    #[doc(hidden)]
    pub fn target_state(&self) -> u32 {
        self.target.state()
    }

    /// The same conversion after output that ended in this state.
    #[doc(hidden)]
    #[must_use]
    pub fn with_target_state(mut self, state: u32) -> Transcoder {
        self.target.set_state(state);
        self
    }

    /// Begins another source whose text goes to the same output, after the text
    /// there: it has a BOM and a byte order of its own and is counted
    /// from 0, but the target's BOM is not written again. Call it when
    /// the source before has come to its end; its pending bytes are
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

    /// [`next_source`](Self::next_source) with a source in another encoding.
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
            target: self.target.clone(),
            bom_due: self.bom_due,
            had_errors: self.had_errors,
            unrepresentable: self.unrepresentable,
            errors: self.errors,
            written: self.written,
            ..self.like(from)
        };
    }

    /// A conversion of `from` with the same target, policy and options, at the
    /// beginning of a stream.
    fn like(&self, from: Encoding) -> Transcoder {
        let new = Transcoder::new(from, self.to, self.policy).with_escape_form(self.escape_form);
        if self.errors.is_some() { new.counting_errors() } else { new }
    }

    /// Converts as much of `src` as `dst` has space for. `last` says that
    /// nothing follows `src`.
    ///
    /// A call makes progress if there is input, or pending output, and `dst` has
    /// one byte or more. A character for which there is no space is pending, and
    /// comes first in the next call; it is torn apart only if `dst` is too small for it
    /// alone. The content of `dst` after [`written`](Step::written)
    /// is unspecified.
    ///
    /// [`Status::InputEmpty`] says that all of `src` was taken, though the
    /// beginning of a sequence at its end may be pending, and that no output
    /// is. After it, with `last`, the stream is finished:
    /// [`reset`](Self::reset) begins another, and more input without that is
    /// taken as more of the same.
    ///
    /// # Errors
    ///
    /// With [`Policy::Strict`], [`Status::IllFormed`], when everything before
    /// the error has been written. [`read`](Step::read) goes to the end of the
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
        let mut is_near = false;
        let status = loop {
            if !self.output.is_empty() {
                written += self.deliver(&mut dst[written..], written == 0);
                if !self.output.is_empty() {
                    break Status::OutputFull;
                }
            }
            if let Some(error) = self.error.take() {
                break Status::IllFormed(error);
            }
            if self.input.is_empty() && !self.bom_open && !self.bom_due {
                let (from, to) = (&src[read..], &mut dst[written..]);
                let was_near = is_near;
                let done = match was_near {
                    true => self.bulk.near(&mut self.source, &mut self.target, from, to),
                    false => self.bulk.convert(&mut self.source, &mut self.target, from, to),
                };
                // In WebAssembly size counts more.
                is_near = !cfg!(target_family = "wasm") && done.read < NEAR;
                let passed = self.target.take_passed();
                self.had_errors |= done.replaced || passed > 0;
                self.unrepresentable += passed;
                read += done.read;
                written += done.written;
                self.offset = self.offset.saturating_add(done.read);
                self.written = self.written.saturating_add(done.written);
                if was_near && !is_near {
                    continue;
                }
            }
            let rest = &src[read..];
            if rest.is_empty() && (self.input.is_empty() || !last) {
                let end = if last { self.target.finish() } else { Encoded::from_slice(&[]) };
                if end.as_slice().is_empty() {
                    break Status::InputEmpty;
                }
                self.decided = 0;
                self.write(end.as_slice());
                continue;
            }
            read += self.decide(rest, last);
        };
        Step { read, written, status }
    }

    /// Moves pending output to `dst`: all of it, or, in an otherwise empty
    /// destination, as much as fits. Returns the number of bytes moved.
    fn deliver(&mut self, dst: &mut [u8], empty: bool) -> usize {
        let waiting = self.output.as_slice();
        let len = match dst.len() {
            enough if enough >= waiting.len() => waiting.len(),
            some if empty => some,
            _ => 0,
        };
        dst[..len].copy_from_slice(&waiting[..len]);
        self.torn = 0 < len && len < waiting.len();
        self.output.drop_front(len);
        self.written = self.written.saturating_add(len);
        len
    }

    /// Decides on the front of the pending input and `rest`, which are not both
    /// empty; the result becomes pending output, and perhaps a pending error. Returns
    /// the number of bytes taken from `rest`.
    fn decide(&mut self, rest: &[u8], last: bool) -> usize {
        if self.input.is_empty() {
            return self.decide_at(rest, last);
        }
        // The window begins with the pending bytes and needs no more than it has
        // space for: where it is cut, the sequence at its front is complete.
        let pending = self.input.len();
        let window: SmallBytes<LONGEST> = self.input.joined(rest);
        self.input.clear();
        let taken = self.decide_at(window.as_slice(), last);
        if taken < pending {
            self.input.set(&window.as_slice()[taken..pending]);
        }
        taken.saturating_sub(pending)
    }

    /// [`decide`](Self::decide) without pending input. The bytes taken are counted from
    /// the beginning of `window`.
    fn decide_at(&mut self, window: &[u8], last: bool) -> usize {
        if self.bom_open {
            return self.settle_order(window, last);
        }
        match self.front(window, last) {
            Front::Open => {
                self.input.set(window);
                window.len()
            }
            Front::Value { value, len } => {
                match self.target.encode(value) {
                    Some(bytes) => self.write(bytes.as_slice()),
                    None => self.lacking(value, len),
                }
                self.take(len)
            }
            Front::StateChange { len } => self.take(len),
            Front::IllFormed { kind, len, unfinished } => {
                self.ill_formed(&window[..len], kind, unfinished);
                self.take(len)
            }
        }
    }

    /// Counts the `len` bytes of a decision as taken, and returns them.
    fn take(&mut self, len: usize) -> usize {
        self.decided = len;
        self.offset = self.offset.saturating_add(len);
        len
    }

    /// Reports `error` when all values before it are written, a pending one too.
    fn report(&mut self, error: Error) {
        let pending = self.target.flush();
        self.write_some(pending.as_slice());
        self.error = Some(error.with_written(self.written.saturating_add(self.output.len())));
    }

    /// Looks for a BOM at the front of the stream and fixes the byte
    /// order of the source. Returns the number of bytes taken.
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
            self.source = order.little.source();
            self.bulk = self.bulk_from(order.little);
        }
        if little || front.iter().eq(order.bom.iter().rev()) {
            self.offset = size;
            return size;
        }
        0
    }

    /// The front of `window`, in as much detail as the policy needs.
    fn front(&mut self, window: &[u8], last: bool) -> Front {
        let (kind, len, unfinished) = match self.source.decode(window, last) {
            Decoded::Value { value, len } => return Front::Value { value, len },
            Decoded::StateChange { len } => return Front::StateChange { len },
            Decoded::Unfinished { .. } if !last => return Front::Open,
            Decoded::Unfinished { kind, len } => (kind, len, true),
            Decoded::IllFormed { kind, len } => (kind, len, false),
        };
        let inside = self.source.is_inside();
        if unfinished || !(inside || self.from.is_like_utf8()) {
            return Front::IllFormed { kind, len, unfinished };
        }
        let seen = utf8::sequence_of(window, kind);
        let whole = self.policy == Policy::Replace(Practice::PerSequence);
        match seen.open && !last {
            true if whole => Front::Open,
            true => {
                // By the bytes at hand, whatever comes next.
                let kind = match self.from.row().kind_at_hand {
                    Some(at_hand) => at_hand(window, kind),
                    None => utf8::forced_kind(window),
                };
                Front::IllFormed { kind, len, unfinished }
            }
            false => Front::IllFormed { kind, len: if whole { len.max(seen.len) } else { len }, unfinished },
        }
    }

    /// Deals with a character of `len` bytes that the target lacks.
    #[inline(never)]
    fn lacking(&mut self, value: u32, len: usize) {
        self.note_error();
        self.unrepresentable += 1;
        match self.policy {
            Policy::Strict => self.report(Error::new(self.offset, len, ErrorKind::Unrepresentable)),
            // No character: a surrogate, or above U+10FFFF.
            Policy::Replace(_) if !is_scalar_value(value) => self.write_replacement(),
            Policy::Replace(_) => self.write_ascii(b"?"),
            Policy::Skip => {}
            Policy::Escape => {
                let (before, after) = self.escape_form.around();
                self.write_ascii(before);
                let radix = self.escape_form.radix();
                let mut place = radix.pow(value.checked_ilog(radix).unwrap_or(0));
                while place > 0 {
                    self.write_ascii(&[hex_digit(value / place % radix)]);
                    place /= radix;
                }
                self.write_ascii(after);
            }
        }
    }

    /// Deals with an ill-formed sequence.
    #[inline(never)]
    fn ill_formed(&mut self, bytes: &[u8], kind: ErrorKind, unfinished: bool) {
        self.note_error();
        match self.policy {
            Policy::Strict => {
                let error = if unfinished { Error::unfinished } else { Error::new };
                self.report(error(self.offset, bytes.len(), kind));
            }
            Policy::Replace(practice) => {
                let count = match practice {
                    Practice::PerUnit => bytes.len().div_ceil(self.from.unit_size()),
                    Practice::MaximalSubpart | Practice::PerSequence => 1,
                };
                for _ in 0..count {
                    self.write_replacement();
                }
            }
            Policy::Skip => {}
            Policy::Escape => {
                for &byte in bytes {
                    self.write_ascii(&[b'\\', b'x', hex_digit(u32::from(byte) >> 4), hex_digit(byte.into())]);
                }
            }
        }
    }

    /// Adds U+FFFD to the pending output, or `?` if the target lacks it.
    fn write_replacement(&mut self) {
        match self.target.encode(REPLACEMENT) {
            Some(replacement) => self.write(replacement.as_slice()),
            None => self.write_ascii(b"?"),
        }
    }

    /// Adds `text`, which every target can encode, to the pending output.
    #[inline(never)]
    fn write_ascii(&mut self, text: &[u8]) {
        for &byte in text {
            if let Some(bytes) = self.target.encode(byte.into()) {
                self.write(bytes.as_slice());
            }
        }
    }

    /// [`write`](Self::write), if there is anything to write.
    fn write_some(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.write(bytes);
        }
    }

    /// Adds `bytes` of the target to the pending output, and its BOM before the
    /// first ones.
    #[inline(never)]
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
