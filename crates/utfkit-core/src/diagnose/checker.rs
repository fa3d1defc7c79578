//! All errors of a stream.

use super::finding::{Diagnosis, Finding};
use super::naming::{Rules, by_bom};
use super::position::Position;
use crate::encoding::Encoding;
use crate::engine::codec::Source;
use crate::engine::scalar::ascii::ascii_prefix;
use crate::engine::scalar::{Decoded, LONGEST};
use crate::engine::small_bytes::SmallBytes;
use crate::error::ErrorKind;
use crate::standard::Standard;

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
    pub(super) rules: Rules,
    /// The decoder, for an encoding that is checked value by value.
    source: Source,
    /// True once the front of the stream has decided the byte order.
    pub(super) settled: bool,
    pub(super) position: Position,
    /// The beginning of a sequence that the last chunk cut.
    pub(super) pending: SmallBytes<LONGEST>,
    /// The character of a surrogate pair whose first half was the last finding.
    first_half: Option<char>,
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

impl Checker {
    /// A checker for a stream in `encoding`. `standard` applies to UTF-8 alone.
    #[inline]
    pub fn new(encoding: Encoding, standard: Standard) -> Checker {
        Checker {
            rules: Rules::new(encoding, standard),
            source: encoding.source(),
            settled: false,
            position: Position::start(Rules::new(encoding, standard).encoding),
            pending: SmallBytes::new(),
            first_half: None,
            totals: Totals::default(),
        }
    }

    /// Checks the next bytes and calls `found` for each finding, in order.
    #[inline]
    pub fn feed(&mut self, chunk: &[u8], found: impl FnMut(&Finding)) {
        self.take(chunk, false, found);
    }

    /// Ends the stream and reports an unfinished sequence.
    ///
    /// Bytes fed afterwards are checked as if they came next.
    #[inline]
    pub fn finish(&mut self, found: impl FnMut(&Finding)) {
        self.take(&[], true, found);
    }

    /// The counts so far. A sequence that the last chunk cut is not included.
    #[inline]
    pub fn totals(&self) -> Totals {
        let Position { offset, lines, code_points, .. } = self.position;
        Totals { bytes: offset, code_points, lines, ..self.totals }
    }

    #[inline]
    fn take(&mut self, mut chunk: &[u8], last: bool, mut found: impl FnMut(&Finding)) {
        // The pending bytes, followed by the bytes that could belong to them.
        if !self.pending.is_empty() {
            let pending = self.pending.len();
            let joined: SmallBytes<{ 4 * LONGEST }> = self.pending.joined(chunk);
            let joined = joined.as_slice();
            let done = self.scan(joined, pending, last, &mut found);
            if done < pending {
                return self.pending.set(&joined[done..]);
            }
            self.pending.clear();
            chunk = &chunk[done - pending..];
        }
        let done = self.scan(chunk, chunk.len(), last, &mut found);
        self.pending.set(&chunk[done..]);
    }

    /// Checks the sequences of `src` that begin before `until`. Returns the
    /// start of the first sequence not checked: one that begins later, or one
    /// that needs more bytes.
    #[inline]
    fn scan(&mut self, src: &[u8], until: usize, last: bool, found: &mut impl FnMut(&Finding)) -> usize {
        let mut at = 0;
        if !self.settled {
            let Some((encoding, bom)) = by_bom(self.rules.encoding, src, last) else {
                return 0;
            };
            self.settled = true;
            self.rules.encoding = encoding;
            self.position = Position::start(encoding);
            self.position.skip(bom);
            at = bom;
        }
        if self.rules.by_value() {
            return self.scan_by_value(src, at, until, last, found);
        }
        let mut len = AT_ONCE;
        while at < until {
            let end = src.len().min(at + len);
            let Err(error) = self.rules.check(&src[at..end]) else {
                self.position.advance(&src[at..end]);
                at = end;
                len = AT_ONCE.min(len * 4);
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
                self.report(diagnosis, found);
                at += named.len;
            }
            len = AFTER_ERROR;
        }
        at
    }

    /// Checks from `at` on in an encoding without a validator.
    #[inline]
    fn scan_by_value(
        &mut self,
        src: &[u8],
        mut at: usize,
        until: usize,
        last: bool,
        found: &mut impl FnMut(&Finding),
    ) -> usize {
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
                    self.report(Diagnosis::new(self.rules, named, rest), found);
                    at += named.len;
                }
            }
        }
        at
    }

    #[inline]
    fn report(&mut self, diagnosis: Diagnosis, found: &mut impl FnMut(&Finding)) {
        if let Some(at) = KINDS.iter().position(|&kind| kind == diagnosis.kind()) {
            self.totals.kinds[at] += 1;
        }
        found(&Finding {
            offset: self.position.offset,
            line: self.position.line(),
            column: self.position.column(),
            diagnosis,
        });
        self.position.pass_ill_formed(diagnosis.bytes().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::utf8::errors;
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    fn check(encoding: Encoding, standard: Standard, src: &[u8], cut: usize) -> (Vec<String>, Totals) {
        let mut lines = Vec::new();
        let mut checker = Checker::new(encoding, standard);
        for chunk in src.chunks(cut.max(1)) {
            checker.feed(chunk, |f| lines.push(f.to_string()));
        }
        checker.finish(|f| lines.push(f.to_string()));
        (lines, checker.totals())
    }

    /// The findings for every cut of `src`, as `offset-len kind`.
    fn short(encoding: Encoding, standard: Standard, src: &[u8]) -> Vec<String> {
        let whole = check(encoding, standard, src, src.len());
        for cut in 1..src.len() {
            assert_eq!(check(encoding, standard, src, cut), whole, "{src:02X?} cut every {cut}");
        }
        assert_eq!(whole.1.bytes(), src.len() as u64);
        assert_eq!(whole.1.findings(), whole.0.len() as u64);
        let mut short = Vec::new();
        let mut checker = Checker::new(encoding, standard);
        let mut push = |f: &Finding| short.push(format!("{}-{} {}", f.offset(), f.bytes().len(), f.kind()));
        checker.feed(src, &mut push);
        checker.finish(&mut push);
        short
    }

    fn utf8(src: &[u8]) -> Vec<String> {
        short(Encoding::Utf8, Standard::Rfc3629, src)
    }

    #[test]
    fn one_finding_for_what_a_person_names_once() {
        assert_eq!(utf8(b"a\xC0\xAFb"), ["1-2 overlong"]);
        assert_eq!(utf8(b"\xED\xA0\x80\xED\xB0\x80"), ["0-3 surrogate", "3-3 surrogate"]);
        for src in [
            &b"\xED\xA0\xBD\xED\xB8\x80\xED\xB8\x80"[..],
            b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80 \xED\xB8\x80",
            b"a\xED\xA0\xBD\xED\xB8A\xED\xA0\xBD\xED\xB8",
            b"a\xED\xA0\xBD\xED",
            b"a\xED\xA0\xBD",
            b"a\xED\xA0\xBD\xED\xB8",
            b"\xED\xA0\xBD\xED\x9F\xBF\xED\xB8\x80",
            b"\xED\xA0\xBD\xC0\xAF\xED\xB8\x80",
        ] {
            assert!(!utf8(src).is_empty());
            for standard in [Standard::Rfc2279, Standard::Kuhn, Standard::Rfc2044, Standard::NoNoncharacters] {
                short(Encoding::Utf8, standard, src);
            }
        }
        let pair = b"x\xED\xA0\xBD\xED\xB8\x80";
        let lines = check(Encoding::Utf8, Standard::Rfc3629, pair, 1).0;
        assert!(lines[0].contains("; with ED B8 80 after it the CESU-8 form of U+1F600"), "{lines:?}");
        assert!(lines[1].contains("; with ED A0 BD before it the CESU-8 form of U+1F600"), "{lines:?}");
        assert_eq!(utf8(b"\x80\xBF"), ["0-1 unexpected-continuation", "1-1 unexpected-continuation"]);
        assert_eq!(utf8(b"\xF8\x88\x80\x80\x80\xFD\xBF\xBF\xBF\xBF\xBF."), ["0-5 too-large", "5-6 too-large"]);
        assert_eq!(utf8(b"\xF4\x90\x80\x80"), ["0-4 too-large"]);
        assert_eq!(utf8(b"\xF8 \xFE\xFF"), ["0-1 invalid-byte", "2-1 invalid-byte", "3-1 invalid-byte"]);
        assert_eq!(utf8(b"\xE2\x82A"), ["0-2 missing-continuation"]);
        assert_eq!(utf8(b"\xE0\x80A"), ["0-2 missing-continuation"]);
        assert_eq!(utf8(b"\xE2\x82"), ["0-2 truncated"]);
        assert_eq!(utf8(b"\xE0\x80"), ["0-2 missing-continuation"]);
        assert_eq!(utf8(b"\xC0"), ["0-1 missing-continuation"]);
        assert_eq!(utf8(b"\xF0\x9F\x8E\xF0\x9F\x8E\x89"), ["0-3 missing-continuation"]);
        let loose: Vec<_> = (1..4).map(|at| format!("{at}-1 unexpected-continuation")).collect();
        assert_eq!(utf8(b"\xF8\x80\x80\x80")[1..], loose);
    }

    #[test]
    fn each_standard_has_its_own_errors() {
        let src = b"\xC0\xAF\xED\xA0\x80\xF8\x88\x80\x80\x80\xF8\x80\x80\x80\x80\xEF\xBF\xBE\xFC\x84\x80A\xFE";
        assert_eq!(
            short(Encoding::Utf8, Standard::Rfc2279, src),
            ["0-2 overlong", "2-3 surrogate", "10-5 overlong", "18-3 missing-continuation", "22-1 invalid-byte"]
        );
        assert_eq!(short(Encoding::Utf8, Standard::Rfc2044, src), ["18-3 missing-continuation", "22-1 invalid-byte"]);
        assert_eq!(short(Encoding::Utf8, Standard::Kuhn, b"\xEF\xBF\xBE\xEF\xBF\xBD"), ["0-3 noncharacter"]);
        assert_eq!(short(Encoding::Utf8, Standard::Rfc2279, b"\xF8\x80\x80\x80"), ["0-4 missing-continuation"]);
    }

    #[test]
    fn units_of_two_and_four_bytes() {
        let standard = Standard::Rfc3629;
        let found = |encoding, src: &[u8]| short(encoding, standard, src);
        assert_eq!(
            found(Encoding::Utf16Le, b"a\0\x00\xD8b\0\x00\xDC"),
            ["2-2 unpaired-surrogate", "6-2 unpaired-surrogate"]
        );
        assert_eq!(found(Encoding::Utf16Be, b"\xD8\x3D\xDE\x00\xD8\x3D"), ["4-2 unpaired-surrogate"]);
        assert_eq!(found(Encoding::Utf16, b"\xFF\xFEa\0\0\xDC"), ["4-2 unpaired-surrogate"]);
        assert_eq!(found(Encoding::Utf16, b"\0a\xDC\0"), ["2-2 unpaired-surrogate"]);
        assert_eq!(found(Encoding::Utf16, b"\xFF\xFEa"), ["2-1 truncated"]);
        assert_eq!(found(Encoding::Utf16, b"a"), ["0-1 truncated"]);
        assert_eq!(found(Encoding::Utf16Be, b"\xD8\x3D\xDE"), ["0-3 truncated"]);
        assert_eq!(
            found(Encoding::Utf32Be, b"\0\0\xD8\0\0\x11\0\0\0"),
            ["0-4 surrogate", "4-4 too-large", "8-1 truncated"]
        );
        assert_eq!(found(Encoding::Utf32, b"\xFF\xFE\0\0a\0\0\0\0\0\x11\0"), ["8-4 too-large"]);
        assert_eq!(found(Encoding::UsAscii, b"caf\xE9"), ["3-1 invalid-byte"]);
        assert_eq!(found(Encoding::Latin1, b"caf\xE9"), [""; 0]);
    }

    /// Whole blocks without a surrogate are skipped: each error here follows
    /// such blocks, and some share their block with others.
    #[test]
    fn unpaired_surrogates_far_inside_utf_16() {
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let order = if encoding == Encoding::Utf16Le { u16::to_le_bytes } else { u16::to_be_bytes };
            for at in [0, 31, 32, 2047, 2048, 4100, 9000] {
                for errors in [&[0][..], &[0, 1], &[0, 7, 8, 40]] {
                    let mut units = [0x41D8; 10_000];
                    errors.iter().for_each(|error| units[at + error] = 0xDC41);
                    let src: Vec<u8> = units.into_iter().flat_map(order).collect();
                    let mut found = Vec::new();
                    let mut checker = Checker::new(encoding, Standard::Rfc3629);
                    checker.feed(&src, |f| found.push(f.offset()));
                    let expected: Vec<_> = errors.iter().map(|error| 2 * (at + error) as u64).collect();
                    assert_eq!(found, expected, "{encoding}");
                }
            }
        }
    }

    #[test]
    fn lines_and_columns() {
        let src = "é\n\u{FEFF}x\r\n".bytes().chain(*b"\xFF\xC0\xAFa\x80\n\x80").collect::<Vec<_>>();
        let (lines, totals) = check(Encoding::Utf8, Standard::Rfc3629, &src, 1);
        let places: Vec<_> = lines.iter().map(|l| l.split(": ").next().unwrap()).collect();
        assert_eq!(places, ["3:1", "3:2", "3:4", "4:1"]);
        assert_eq!((totals.lines(), totals.code_points()), (3, 8));

        let src: Vec<u8> = "ab\nc".encode_utf16().chain([0xD800]).flat_map(u16::to_le_bytes).collect();
        let (lines, _) = check(Encoding::Utf16Le, Standard::Rfc3629, &src, 3);
        assert_eq!(
            lines,
            ["2:2: byte 8: 00 D8: unpaired-surrogate: \
              high surrogate U+D800 that no low one follows (RFC 2781 section 2.2)"]
        );
    }

    /// Text with scattered errors, compared with a count that decodes one
    /// sequence at a time, for parts and cuts of all sizes.
    #[test]
    fn long_streams_agree_with_a_naive_count() {
        let mut seed = 1u32;
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % below
        };
        let pieces: [&[u8]; 12] = [
            b"plain text, ",
            "schön ".as_bytes(),
            "日本".as_bytes(),
            "🎉".as_bytes(),
            b"\n",
            b"\xC0\xAF",
            b"\xFF",
            b"\xE2\x82",
            b"\xF0\x9F",
            b"\xED\xA0\x80\xED\xB0\x80",
            b"\xFC\x84\x80\x80\x80\x80",
            b"\xF8\x80",
        ];
        for rare in [1, 30, 3000] {
            let mut src = Vec::new();
            while src.len() < 100_000 {
                let dirty = random(rare) == 0;
                src.extend_from_slice(pieces[if dirty { random(12) } else { random(5) }]);
            }
            let (whole, totals) = check(Encoding::Utf8, Standard::Rfc3629, &src, src.len());

            let (mut at, mut line, mut column, mut naive) = (0, 1, 1, Vec::new());
            let rules = Rules { encoding: Encoding::Utf8, standard: Standard::Rfc3629 };
            while at < src.len() {
                let len = match rules.name(&src[at..]) {
                    Some(named) => {
                        naive.push(format!("{line}:{column}: byte {at}"));
                        named.len
                    }
                    None => src[at..].utf8_chunks().next().unwrap().valid().chars().next().unwrap().len_utf8(),
                };
                (line, column) = if src[at] == b'\n' { (line + 1, 1) } else { (line, column + 1) };
                at += len;
            }
            let places: Vec<_> =
                whole.iter().map(|l| l.splitn(3, ": ").take(2).collect::<Vec<_>>().join(": ")).collect();
            assert_eq!(places, naive);
            assert!(totals.findings() <= errors(&src, Standard::Rfc3629).count() as u64);

            for cut in [1, 2, 3, 7, 63, 64, 65, 4096, AT_ONCE - 1, AT_ONCE + 1] {
                assert_eq!(check(Encoding::Utf8, Standard::Rfc3629, &src, cut), (whole.clone(), totals), "cut {cut}");
            }
        }
    }
}
