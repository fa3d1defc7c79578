//! All errors of a stream.

use core::ops::ControlFlow;

use crate::finding::{Diagnosis, Finding};
use crate::naming::{Rules, by_bom, checked};
use crate::position::Position;
use utfkit_core::Encoding;
use utfkit_core::ErrorKind;
use utfkit_core::Standard;
use utfkit_core::internal::SmallBytes;
use utfkit_core::internal::{Decoded, Decoder, LONGEST, ascii_prefix};

/// Finds every ill-formed sequence of a stream that arrives in chunks.
///
/// The findings, their lines and columns, and the totals do not depend on how
/// the stream was cut. Memory is constant.
///
/// # Cost
///
/// On well-formed text, the validator and one counting pass, over parts that fit
/// the first-level cache. A finding costs as much as a few dozen bytes, so input
/// that is ill-formed everywhere still takes linear time.
///
/// ```
/// use utfkit::diagnose::Checker;
/// use utfkit::{Encoding, ErrorKind, Standard};
///
/// let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
/// let mut places = Vec::new();
/// // The chunks cut the first character, which is well-formed.
/// for chunk in [&b"na\xC3"[..], b"\xAFve\n\xC0\xAF"] {
///     checker.feed(chunk, |finding| places.push((finding.line(), finding.column(), finding.kind())));
/// }
/// checker.finish(|_| unreachable!("nothing is unfinished"));
/// assert_eq!(places, [(2, 1, ErrorKind::Overlong)]);
/// assert_eq!((checker.totals().lines(), checker.totals().code_points()), (1, 6));
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    pub(crate) rules: Rules,
    /// The decoder, for an encoding that is checked value by value.
    source: Decoder,
    /// True once the front of the stream has decided the byte order.
    pub(crate) settled: bool,
    pub(crate) position: Position,
    /// The beginning of a sequence that the last chunk cut.
    pub(crate) pending: SmallBytes<LONGEST>,
    /// The character of a surrogate pair whose first half was the last finding.
    first_half: Option<char>,
    /// How many bytes are validated next.
    part: usize,
    totals: Totals,
}

/// The counts of a [`Checker`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    bytes: u64,
    code_points: u64,
    lines: u64,
    kinds: [u64; KINDS.len()],
}

/// All kinds that a check can find, in the order of reports.
const KINDS: [ErrorKind; 15] = [
    ErrorKind::Overlong,
    ErrorKind::Surrogate,
    ErrorKind::TooLarge,
    ErrorKind::InvalidByte,
    ErrorKind::UnexpectedContinuation,
    ErrorKind::MissingContinuation,
    ErrorKind::Truncated,
    ErrorKind::Noncharacter,
    ErrorKind::UnpairedSurrogate,
    ErrorKind::InvalidSequence,
    ErrorKind::EmptyShift,
    ErrorKind::PartialUnit,
    ErrorKind::PaddingBits,
    ErrorKind::UnclosedShift,
    ErrorKind::NeedlessShift,
];

impl Totals {
    /// The number of bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of well-formed code points.
    #[inline]
    pub fn code_points(&self) -> u64 {
        self.code_points
    }

    /// The number of line feeds.
    #[inline]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The number of findings.
    #[inline]
    pub fn findings(&self) -> u64 {
        self.kinds.iter().sum()
    }

    /// The number of findings of one kind.
    #[inline]
    pub fn of_kind(&self, kind: ErrorKind) -> u64 {
        KINDS.iter().position(|&k| k == kind).map_or(0, |at| self.kinds[at])
    }

    /// The kinds that were found, each with its count.
    #[inline]
    pub fn kinds(&self) -> impl Iterator<Item = (ErrorKind, u64)> {
        KINDS.into_iter().zip(self.kinds).filter(|&(_, count)| count > 0)
    }
}

/// Three passes over this many bytes stay in the first-level cache.
const AT_ONCE: usize = 16 << 10;

/// Errors cluster. The part that is validated starts small after an error and
/// grows while none is found, so that many findings cost linear time although
/// the validator reads beyond the first error.
const AFTER_ERROR: usize = 64;

/// Is called for each finding, and may break off.
type Found<'a> = &'a mut dyn FnMut(&Finding) -> ControlFlow<()>;

impl Checker {
    /// A checker for a stream in `encoding`. `standard` applies to UTF-8 alone.
    #[inline]
    pub fn new(encoding: Encoding, standard: Standard) -> Checker {
        Checker {
            rules: Rules::new(encoding, standard),
            source: match checked(encoding) {
                // Not through the table of all encodings.
                Encoding::Utf8 => Decoder::utf8(),
                other => Decoder::new(other),
            },
            settled: false,
            position: Position::start(Rules::new(encoding, standard).encoding()),
            pending: SmallBytes::new(),
            first_half: None,
            part: AT_ONCE,
            totals: Totals::default(),
        }
    }

    /// Checks the next bytes and calls `found` for each finding, in order.
    #[inline]
    pub fn feed(&mut self, chunk: &[u8], mut found: impl FnMut(&Finding)) {
        self.take(chunk, false, &mut |finding| {
            found(finding);
            ControlFlow::Continue(())
        });
    }

    /// Ends the stream and reports an unfinished sequence.
    ///
    /// Bytes fed afterwards are checked as if they came next.
    #[inline]
    pub fn finish(&mut self, mut found: impl FnMut(&Finding)) {
        self.take(&[], true, &mut |finding| {
            found(finding);
            ControlFlow::Continue(())
        });
    }

    /// The counts so far. A sequence that the last chunk cut is not included.
    #[inline]
    pub fn totals(&self) -> Totals {
        let Position { offset, lines, code_points, .. } = self.position;
        Totals { bytes: offset, code_points, lines, ..self.totals }
    }

    /// Not generic, so that it is compiled once.
    fn take(&mut self, mut chunk: &[u8], last: bool, found: Found<'_>) {
        // The pending bytes, followed by the bytes that could belong to them.
        if !self.pending.is_empty() {
            let pending = self.pending.len();
            let joined: SmallBytes<{ 4 * LONGEST }> = self.pending.joined(chunk);
            let joined = joined.as_slice();
            let done = self.scan(joined, pending, last, found);
            if done < pending {
                return self.pending.set(&joined[done..]);
            }
            self.pending.clear();
            chunk = &chunk[done - pending..];
        }
        let done = self.scan(chunk, chunk.len(), last, found);
        self.pending.set(&chunk[done..]);
    }

    /// Checks the sequences of `src` that begin before `until`. Returns the
    /// start of the first sequence not checked: one that begins later, one
    /// that needs more bytes, or the one after a finding at which `found` breaks off.
    pub(crate) fn scan(&mut self, src: &[u8], until: usize, last: bool, found: Found<'_>) -> usize {
        let mut at = 0;
        if !self.settled {
            let Some((encoding, bom)) = by_bom(self.rules.encoding(), src, last) else {
                return 0;
            };
            self.settled = true;
            self.rules = self.rules.in_encoding(encoding);
            self.position = Position::start(encoding);
            self.position.skip(bom);
            at = bom;
        }
        if self.rules.by_value() {
            return self.scan_by_value(src, at, until, last, found);
        }
        while at < until {
            let end = src.len().min(at + self.part);
            let Err(error) = self.rules.check(&src[at..end]) else {
                self.position.advance(&src[at..end]);
                at = end;
                self.part = AT_ONCE.min(self.part * 4);
                continue;
            };
            let start = at + error.offset();
            self.position.advance(&src[at..start]);
            at = start;
            if error.error_len().is_none() && end < src.len() {
                // The cut is inside a sequence, which is shorter than the part.
                continue;
            }
            // Errors cluster: check the next sequences value by value.
            while at < until
                && let Some(named) = self.rules.name(&src[at..])
            {
                if named.open && !last {
                    return at;
                }
                let diagnosis = Diagnosis::new(self.rules, named, &src[at..]).paired(&src[at..], self.first_half);
                self.first_half = diagnosis.first_half();
                self.part = AFTER_ERROR;
                at += named.len;
                if self.report(diagnosis, found).is_break() {
                    return at;
                }
            }
        }
        at
    }

    /// Checks from `at` on in an encoding without a validator.
    fn scan_by_value(&mut self, src: &[u8], mut at: usize, until: usize, last: bool, found: Found<'_>) -> usize {
        while at < until {
            let rest = &src[at..];
            if self.source.is_ascii_transparent() {
                let ascii = ascii_prefix(&rest[..until - at]);
                if ascii > 0 {
                    self.position.advance(&rest[..ascii]);
                    at += ascii;
                    continue;
                }
            }
            let decoded = self.source.decode(rest, last);
            match decoded {
                Decoded::Value { value, len } => {
                    self.position.pass_value(value, len);
                    at += len;
                }
                Decoded::StateChange { len } => {
                    self.position.skip(len);
                    at += len;
                }
                Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => {
                    let Some(named) = self.rules.name_decoded(decoded, rest, self.source.is_inside()) else {
                        return at;
                    };
                    if named.open && !last {
                        return at;
                    }
                    at += named.len;
                    if self.report(Diagnosis::new(self.rules, named, rest), found).is_break() {
                        return at;
                    }
                }
            }
        }
        at
    }

    fn report(&mut self, diagnosis: Diagnosis, found: Found<'_>) -> ControlFlow<()> {
        if let Some(at) = KINDS.iter().position(|&kind| kind == diagnosis.kind()) {
            self.totals.kinds[at] += 1;
        }
        let finding = Finding {
            offset: self.position.offset,
            line: self.position.line(),
            column: self.position.column(),
            diagnosis,
        };
        self.position.pass_ill_formed(diagnosis.bytes().len());
        found(&finding)
    }
}
