//! Mends what breaks the rules, and copies the bytes of everything else.
//!
//! New text is encoded for itself and put in the place of the old bytes. In an
//! encoding with states (UTF-7, ISO-2022-JP, HZ) that is possible only between two
//! places where the state is the initial one: the bytes between them are a *unit*,
//! and a unit that changes is encoded again. In other encodings each character is a
//! unit. Outside of such units no byte changes.

use std::collections::BTreeMap;
use std::mem;

use utfkit::diagnose::Pieces;
use utfkit::{Encoding, Policy, Standard, Transcoder};

use super::asked::Rules;
use super::scan::{Breach, Scan, Stretch, encoded};
use crate::printable::escaped_text;
use crate::report::{CONTROL, NOT_NFC};

/// The limit of a unit that can be changed, in bytes, which bounds memory.
const LONGEST: usize = 64 << 10;

/// The limit of the characters of a line that are shown.
const SHOWN: usize = 72;
/// Those before the first change.
const LEAD: usize = 32;

/// Mends a stream.
pub(crate) struct Mender {
    passes: Vec<Pass>,
}

/// A change of bytes.
pub(crate) struct Change<'a> {
    /// The offsets of `before` and `after`.
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) kind: &'static str,
    pub(crate) before: &'a [u8],
    pub(crate) after: &'a [u8],
}

/// The work of a [`Mender`] on a whole stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mended {
    /// The number of breaches by kind that are mended, and that are not.
    pub(crate) changed: BTreeMap<&'static str, u64>,
    pub(crate) left: BTreeMap<&'static str, u64>,
    /// The first line that changes.
    pub(crate) before: String,
    pub(crate) after: String,
}

/// A pass over the stream by some of the rules.
struct Pass {
    scan: Scan,
    work: Work,
}

/// Writes the parts of a stream, changed where a rule says so.
struct Work {
    /// With the byte order of the stream.
    encoding: Encoding,
    unit: Unit,
    /// The number of bytes taken and written.
    from: u64,
    to: u64,
    mended: Mended,
    sample: Sample,
    proof: Option<Proof>,
}

/// The bytes since the state was the initial one.
#[derive(Default)]
struct Unit {
    bytes: Vec<u8>,
    /// The text, and the new text; `None` if some of it has none.
    text: Option<String>,
    new: Option<String>,
    /// The kinds of the breaches in it, and if each can be mended.
    breaches: Vec<(&'static str, bool)>,
    /// Its bytes are written as they come.
    is_too_long: bool,
}

/// Where the new bytes go.
struct Output<'a> {
    to: &'a mut Vec<u8>,
    on: &'a mut dyn FnMut(Change<'_>),
}

impl Mender {
    /// Removes characters before it joins the others, so that nothing is left for a
    /// second run.
    pub(crate) fn new(rules: Rules, encoding: Encoding) -> Mender {
        let passes = rules.split().into_iter().filter(|rules| *rules != Rules::NONE);
        Mender { passes: passes.map(|rules| Pass::new(rules, encoding)).collect() }
    }

    /// A mender that proves that the new bytes encode the new text.
    pub(crate) fn with_proof(rules: Rules, encoding: Encoding) -> Mender {
        let mut mender = Mender::new(rules, encoding);
        for pass in mender.passes.iter_mut().filter(|_| encoding != Encoding::Utf8) {
            pass.work.proof = Some(Proof::new(encoding));
        }
        mender
    }

    /// True if every [`Change`] is one of the stream itself.
    pub(crate) fn tells_changes(&self) -> bool {
        self.passes.len() <= 1
    }

    /// Takes the next bytes and appends the new ones to `out`; an empty slice ends
    /// the stream.
    pub(crate) fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>, mut on: impl FnMut(Change<'_>)) {
        let last = bytes.is_empty();
        let Some((end, front)) = self.passes.split_last_mut() else { return out.extend_from_slice(bytes) };
        let mut text = bytes.to_vec();
        for pass in front {
            let mut new = Vec::new();
            pass.feed(&text, last, &mut new, &mut |_| ());
            text = new;
        }
        end.feed(&text, last, out, &mut on);
    }

    /// The results at the end of the stream; `None` if the new bytes do not encode the
    /// new text.
    pub(crate) fn finish(self) -> Option<Mended> {
        let mut all = Mended::default();
        for Work { mended, sample, proof, .. } in self.passes.into_iter().map(|pass| pass.work) {
            if proof.is_some_and(|proof| !proof.holds) {
                return None;
            }
            for (of_all, of_pass) in [(&mut all.changed, mended.changed), (&mut all.left, mended.left)] {
                of_pass.into_iter().for_each(|(kind, n)| *of_all.entry(kind).or_default() += n);
            }
            if all.before.is_empty() && all.after.is_empty() {
                (all.before, all.after) = sample.finish();
            }
        }
        Some(all)
    }
}

impl Pass {
    fn new(rules: Rules, encoding: Encoding) -> Pass {
        Pass {
            scan: Scan::new(rules, encoding, Standard::Rfc3629),
            work: Work {
                encoding,
                unit: Unit::default(),
                from: 0,
                to: 0,
                mended: Mended::default(),
                sample: Sample::default(),
                proof: None,
            },
        }
    }

    fn feed(&mut self, bytes: &[u8], last: bool, to: &mut Vec<u8>, on: &mut dyn FnMut(Change<'_>)) {
        let Pass { scan, work } = self;
        let start = to.len();
        let mut output = Output { to, on };
        // An empty slice would end the stream.
        if !bytes.is_empty() {
            scan.feed(bytes, |stretch| work.take(&stretch, &mut output));
        }
        if last {
            scan.feed(&[], |stretch| work.take(&stretch, &mut output));
            work.end_unit(true, &mut output);
        }
        if let Some(proof) = &mut work.proof {
            proof.decode(&to[start..], last);
        }
    }
}

impl Work {
    fn take(&mut self, stretch: &Stretch<'_>, output: &mut Output<'_>) {
        if stretch.place.offset == 0 {
            self.encoding = exact(self.encoding, stretch.bytes);
        }
        self.sample.take(stretch);
        let unit = &mut self.unit;
        let is_whole = unit.bytes.is_empty() && stretch.is_initial_after && !unit.is_too_long;
        if is_whole && stretch.breach.is_none() {
            self.expect(stretch.text);
            self.copy(stretch.bytes, output);
            return;
        }
        let new = match &stretch.breach {
            Some(Breach { kind, new }) => {
                unit.breaches.push((kind, new.is_some()));
                new.as_deref().or(stretch.text)
            }
            None => stretch.text,
        };
        if unit.bytes.is_empty() {
            (unit.text, unit.new) = (Some(String::new()), Some(String::new()));
        }
        unit.bytes.extend_from_slice(stretch.bytes);
        for (all, more) in [(&mut unit.text, stretch.text), (&mut unit.new, new)] {
            match (&mut *all, more) {
                (Some(all), Some(more)) => all.push_str(more),
                _ => *all = None,
            }
        }
        if stretch.is_initial_after {
            self.end_unit(false, output);
        } else if unit.is_too_long || unit.bytes.len() > LONGEST {
            self.unit.is_too_long = true;
            self.give_up(output);
        }
    }

    /// Writes the unit, changed if it can be. If its new bytes do not end in the initial
    /// state, it takes more bytes first, unless it is the `last`.
    fn end_unit(&mut self, last: bool, output: &mut Output<'_>) {
        let Unit { new, breaches, is_too_long, .. } = &self.unit;
        let is_mendable = breaches.iter().any(|(_, can_be)| *can_be) && !is_too_long;
        let bytes = new.as_deref().filter(|_| is_mendable).and_then(|new| encoded(new, self.encoding));
        let Some(after) = bytes else {
            self.give_up(output);
            self.unit.is_too_long = false;
            return;
        };
        if !last && !ends_initial(&after, self.encoding) {
            return;
        }
        let Unit { bytes: before, new, breaches, .. } = mem::take(&mut self.unit);
        self.expect(new.as_deref());
        for (kind, is_mended) in &breaches {
            let counts = if *is_mended { &mut self.mended.changed } else { &mut self.mended.left };
            *counts.entry(kind).or_default() += 1;
        }
        let kind = breaches.first().map_or("", |(kind, _)| kind);
        (output.on)(Change { from: self.from, to: self.to, kind, before: &before, after: &after });
        output.to.extend_from_slice(&after);
        self.from += before.len() as u64;
        self.to += after.len() as u64;
    }

    /// Writes the unit as it is.
    fn give_up(&mut self, output: &mut Output<'_>) {
        let is_too_long = self.unit.is_too_long;
        let Unit { bytes, text, breaches, .. } = mem::take(&mut self.unit);
        self.unit.is_too_long = is_too_long;
        for (kind, _) in breaches {
            *self.mended.left.entry(kind).or_default() += 1;
        }
        if !bytes.is_empty() {
            self.expect(text.as_deref());
            self.copy(&bytes, output);
        }
    }

    fn copy(&mut self, bytes: &[u8], output: &mut Output<'_>) {
        output.to.extend_from_slice(bytes);
        self.from += bytes.len() as u64;
        self.to += bytes.len() as u64;
    }

    fn expect(&mut self, text: Option<&str>) {
        if let Some(proof) = &mut self.proof {
            proof.expect(text);
        }
    }
}

/// True if bytes after these are read as at the beginning of a stream.
fn ends_initial(bytes: &[u8], encoding: Encoding) -> bool {
    let (mut pieces, mut rest) = (Pieces::new(encoding, Standard::Rfc3629), bytes);
    while let Some(piece) = pieces.read(rest, true) {
        rest = &rest[piece.bytes().len()..];
    }
    pieces.is_initial()
}

/// The encoding with the byte order of a stream that begins with `front`.
fn exact(encoding: Encoding, front: &[u8]) -> Encoding {
    match (encoding, front) {
        (Encoding::Utf16, [0xFF, 0xFE, ..]) => Encoding::Utf16Le,
        (Encoding::Utf16, _) => Encoding::Utf16Be,
        (Encoding::Utf32, [0xFF, 0xFE, 0, 0, ..]) => Encoding::Utf32Le,
        (Encoding::Utf32, _) => Encoding::Utf32Be,
        (other, _) => other,
    }
}

/// Compares the text that was meant with the text of the bytes that were written.
struct Proof {
    decoder: Transcoder,
    meant: Vec<u8>,
    read: Vec<u8>,
    holds: bool,
}

impl Proof {
    fn new(encoding: Encoding) -> Proof {
        let decoder = Transcoder::new(encoding, Encoding::Utf8, Policy::Strict);
        Proof { decoder, meant: Vec::new(), read: Vec::new(), holds: true }
    }

    fn expect(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.meant.extend_from_slice(text.as_bytes()),
            None => self.holds = false,
        }
    }

    /// Takes the next bytes that were written.
    fn decode(&mut self, bytes: &[u8], last: bool) {
        let step = self.decoder.transcode_to_vec(bytes, &mut self.read, last);
        self.holds &= step.read == bytes.len() && !self.decoder.had_errors();
        let both = self.meant.len().min(self.read.len());
        self.holds &= self.meant[..both] == self.read[..both];
        if last || !self.holds {
            self.holds &= self.meant.len() == self.read.len();
            self.meant.clear();
            self.read.clear();
        } else {
            self.meant.drain(..both);
            self.read.drain(..both);
        }
    }
}

/// The first line that changes.
#[derive(Default)]
struct Sample {
    before: String,
    after: String,
    differs: bool,
    is_cut: bool,
    is_done: bool,
}

impl Sample {
    fn take(&mut self, stretch: &Stretch<'_>) {
        let text = stretch.text.unwrap_or("\u{FFFD}");
        let new = stretch.breach.as_ref().and_then(|breach| Some((breach.kind, breach.new.as_deref()?)));
        match new {
            _ if self.is_done => return,
            None if text == "\n" && self.differs => self.is_done = true,
            None if text == "\n" => *self = Sample::default(),
            None => {
                self.before.push_str(text);
                self.after.push_str(text);
            }
            Some((kind, new)) => {
                self.differs = true;
                match kind {
                    // As `check --context` shows it, and not as it is escaped.
                    CONTROL => text.chars().for_each(|c| self.before.push_str(&format!("<{:02X}>", u32::from(c)))),
                    NOT_NFC => text.chars().for_each(|c| match c.is_ascii() {
                        true => self.before.push(c),
                        false => self.before.extend(c.escape_unicode()),
                    }),
                    _ => self.before.push_str(text),
                }
                self.after.push_str(new);
                self.is_done = text.ends_with('\n');
            }
        }
        if !self.differs && self.before.len() > 8 * SHOWN {
            let from = self.before.char_indices().rev().nth(LEAD).map_or(0, |(at, _)| at);
            self.before.drain(..from);
            self.after.clone_from(&self.before);
            self.is_cut = true;
        }
        self.is_done |= self.differs && self.before.len() > 16 * SHOWN;
    }

    fn finish(self) -> (String, String) {
        if !self.differs {
            return (String::new(), String::new());
        }
        let pairs = self.before.char_indices().zip(self.after.chars());
        let common = pairs.take_while(|((_, before), after)| before == after).map(|((at, _), _)| at);
        let starts: Vec<usize> = common.collect();
        let start = starts.len().checked_sub(LEAD).map_or(0, |skipped| starts[skipped]);
        let front = if self.is_cut || start > 0 { "…" } else { "" };
        let shown = |text: &str| {
            let escaped = escaped_text(&text[start..]);
            match escaped.char_indices().nth(SHOWN) {
                Some((at, _)) => format!("{front}{}…", &escaped[..at]),
                None => format!("{front}{escaped}"),
            }
        };
        (shown(&self.before), shown(&self.after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::LineEnd;
    use utfkit::Legacy;

    const ALL: Rules = Rules::ALL;

    /// The encodings with states, then others.
    const ENCODINGS: [Encoding; 12] = [
        Encoding::Utf7,
        Encoding::ImapUtf7,
        Encoding::Iso2022Utf8,
        Encoding::Legacy(Legacy::Iso2022Jp),
        Encoding::Legacy(Legacy::Iso2022Kr),
        Encoding::Legacy(Legacy::Hz),
        Encoding::Utf16,
        Encoding::Utf32Be,
        Encoding::Legacy(Legacy::Gb18030),
        Encoding::Legacy(Legacy::ShiftJis),
        Encoding::Legacy(Legacy::Ibm037),
        Encoding::Utf8,
    ];

    /// A generator of numbers (SplitMix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ z >> 31) % limit as u64) as usize
        }
    }

    const ATOMS: [&str; 18] = [
        "word",
        " ",
        "\u{E9}",
        "e\u{301}",
        "\u{301}",
        "\u{65E5}\u{672C}",
        "\u{4E2D}",
        "\u{D55C}",
        "\0",
        "\u{1}",
        "\u{FEFF}",
        "\u{FFFD}",
        "\u{202E}",
        "\u{1100}\u{1161}",
        "\u{212B}",
        "+",
        "&",
        "~",
    ];

    fn line(random: &mut Random, encoding: Encoding) -> String {
        let mut line = String::new();
        for _ in 0..random.below(8) {
            let atom = ATOMS[random.below(ATOMS.len())];
            if encoded(atom, encoding).is_some() {
                line.push_str(atom);
            }
        }
        line + ["\n", "\n", "\r\n", "\r"][random.below(4)]
    }

    fn mended(rules: Rules, encoding: Encoding, chunks: &[&[u8]]) -> (Vec<u8>, Option<Mended>) {
        let (mut out, mut mender) = (Vec::new(), Mender::with_proof(rules, encoding));
        for chunk in chunks.iter().filter(|chunk| !chunk.is_empty()) {
            mender.feed(chunk, &mut out, |_| ());
        }
        mender.feed(&[], &mut out, |_| ());
        (out, mender.finish())
    }

    #[test]
    fn the_cuts_of_a_stream_change_nothing_and_a_second_run_has_nothing_to_do() {
        let mut random = Random(36);
        for encoding in ENCODINGS {
            for _ in 0..60 {
                let text: String = (0..random.below(6)).map(|_| line(&mut random, encoding)).collect();
                let Some(bytes) = encoded(&text, encoding) else { continue };
                let whole = mended(ALL, encoding, &[&bytes]);
                let (mut rest, mut chunks) = (bytes.as_slice(), Vec::new());
                while !rest.is_empty() {
                    let (chunk, after) = rest.split_at(1 + random.below(rest.len().min(5)));
                    chunks.push(chunk);
                    rest = after;
                }
                assert_eq!(mended(ALL, encoding, &chunks), whole, "{encoding} {text:?}");
                let all = whole.1.unwrap_or_else(|| panic!("{encoding} {text:?}"));
                let (again, second) = mended(ALL, encoding, &[&whole.0]);
                let second = second.unwrap();
                assert_eq!((again, second.changed), (whole.0, BTreeMap::new()), "{encoding} {text:?}");
                assert_eq!(second.left.values().sum::<u64>(), all.left.values().sum::<u64>(), "{encoding} {text:?}");
            }
        }
    }

    /// Lines are encoded one by one, so that the bytes of each are known.
    #[test]
    fn the_bytes_of_a_line_that_breaks_no_rule_stay() {
        let mut random = Random(948);
        let decode = |bytes: &[u8], encoding| {
            let (mut text, mut decoder) = (Vec::new(), Transcoder::new(encoding, Encoding::Utf8, Policy::Strict));
            let _ = decoder.transcode_to_vec(bytes, &mut text, true);
            String::from_utf8(text).unwrap()
        };
        for encoding in ENCODINGS.map(|encoding| exact(encoding, &[0xFF, 0xFE])) {
            // There, lines share bytes.
            if encoding == Encoding::ImapUtf7 {
                continue;
            }
            for rules in
                [Rules { bidi: false, replacement: false, ..ALL }, Rules { eol: Some(LineEnd::CrLf), ..Rules::NONE }]
            {
                let lines: Vec<String> = (0..200).map(|_| "a".to_owned() + &line(&mut random, encoding)).collect();
                let lines = lines.iter().filter_map(|line| Some((line, encoded(line, encoding)?)));
                let lines: Vec<(&String, Vec<u8>)> =
                    lines.filter(|(line, bytes)| decode(bytes, encoding) == **line).collect();
                let bytes: Vec<u8> = lines.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
                let (new, work) = mended(rules, encoding, &[&bytes]);
                assert!(work.is_some_and(|work| !work.changed.is_empty()), "{encoding}");
                let mut rest = new.as_slice();
                let mut untouched = 0;
                for (line, bytes) in &lines {
                    let (alone, work) = mended(rules, encoding, &[bytes]);
                    if work.is_some_and(|work| work.changed.is_empty()) {
                        untouched += 1;
                        assert_eq!(&alone, bytes);
                    }
                    rest = rest.strip_prefix(alone.as_slice()).unwrap_or_else(|| panic!("{encoding} {line:?}"));
                }
                assert!(rest.is_empty() && untouched > 10, "{encoding} {untouched}");
            }
        }
    }

    #[test]
    fn a_change_says_where_it_is() {
        let (mut out, mut changes) = (Vec::new(), Vec::new());
        let mut mender = Mender::new(Rules { eol: Some(LineEnd::CrLf), ..Rules::NONE }, Encoding::Utf16Le);
        let bytes = encoded("a\nb\r\nc\r", Encoding::Utf16Le).unwrap();
        for chunk in [&bytes[..], &[]] {
            mender.feed(chunk, &mut out, |change| changes.push((change.from, change.to, change.after.len())));
        }
        assert_eq!(out, encoded("a\r\nb\r\nc\r\n", Encoding::Utf16Le).unwrap());
        assert_eq!(changes, [(2, 2, 4), (12, 14, 4)]);
    }

    #[test]
    fn the_sample_shows_the_change_however_long_its_line_is() {
        let text = "x".repeat(5000) + "\0y\nz\r\n";
        let mended = mended(ALL, Encoding::Utf8, &[text.as_bytes()]).1.unwrap();
        let lead = "x".repeat(LEAD);
        assert_eq!((mended.before, mended.after), (format!("…{lead}<00>y"), format!("…{lead}y")));
    }
}
