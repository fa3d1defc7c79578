use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::certainty::Certainty;
use super::declaration::Declaration;
use super::joined::Joined;
use super::kept::Kept;
use super::mixed::Foreign;
use super::pages::Pages;
use super::piece::{Piece, Place};
use super::sections::Sections;
use utfkit_core::Encoding;
use utfkit_core::bom::Bom;

/// The encoding that a [`Detector`](super::Detector) found, and the reason.
///
/// `Display` writes it for people: `UTF-8 (certain: …)`.
#[derive(Clone, Debug)]
pub struct Detection {
    pub(super) encoding: Option<Encoding>,
    pub(super) certainty: Certainty,
    pub(super) basis: Basis,
    pub(super) bom: Option<Bom>,
    pub(super) declaration: Option<Declaration>,
    pub(super) bytes: u64,
    pub(super) sequences: u64,
    pub(super) ill_formed: Option<u64>,
    pub(super) truncated: bool,
    pub(super) cut: u64,
    pub(super) first: Option<Place>,
    pub(super) nulls: u64,
    pub(super) first_null: Option<u64>,
    pub(super) controls: u64,
    pub(super) separators: bool,
    pub(super) unfinished: bool,
    pub(super) equivalent: Option<Encoding>,
    pub(super) utf7_runs: Option<u64>,
    pub(super) mixed: bool,
    pub(super) joined: Option<Joined>,
    /// True if UTF-16 may be in several pieces.
    pub(super) has_joins: bool,
    pub(super) foreign: Option<Foreign>,
    /// True if the encodings that the caller excluded may be the reason for none.
    pub(super) excluded: bool,
    pub(super) kept: Option<Arc<Kept>>,
    /// The older encodings of the lines, if there are several.
    pub(super) pages: Option<Pages>,
    /// Where it may say that its encoding changes.
    pub(super) sections: Option<Sections>,
    pub(super) pieces: Vec<Piece>,
    pub(super) more_pieces: u64,
}

/// The reason for a detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// There are no bytes.
    Empty,
    /// No byte is above 7F.
    Ascii,
    /// Well-formed UTF-8 with sequences of several bytes.
    WellFormed,
    /// UTF-8 with ill-formed sequences.
    Damaged,
    /// CESU-8, Modified UTF-8 or WTF-8: every ill-formed sequence of UTF-8 is one that they
    /// add.
    Relative {
        /// Surrogate pairs, of three bytes per half.
        pairs: u64,
        /// Surrogates that are not half of a pair.
        lone: u64,
        /// U+0000 as `C0 80`.
        nulls: u64,
    },
    /// A BOM, and nothing else that the library could check.
    Bom,
    /// UTF-16 or UTF-32: code points that make text in this byte order and not in the
    /// other.
    Units {
        /// The number of code points that were scored.
        values: u64,
    },
    /// Escape sequences of ISO 2022, or shifts of HZ.
    Escapes {
        /// How many; 0 if the encoding was only announced.
        count: u64,
        /// The name of the encoding.
        name: &'static str,
    },
    /// The text declares the encoding, and is well-formed in it.
    Declared,
    /// Not UTF-8; of all texts that the bytes may be, the one in this encoding is the
    /// likeliest.
    Likeliest {
        /// True if all of it is well-formed in the encoding.
        is_well_formed: bool,
    },
    /// UTF-16 joined to other text, or lines in several older encodings. The
    /// [pieces](Detection::pieces) are all of it.
    Joined,
    /// Text, apparently, but in no encoding of the library: it declares another, or is text in
    /// none.
    Unknown,
    /// Not text: no encoding.
    NoText,
}

impl Detection {
    /// The encoding, with its byte order. `None` for bytes that are not text and for encodings
    /// that the library cannot read.
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// The name of the encoding, even of one that the library cannot read (SCSU, BOCU-1,
    /// UTF-EBCDIC, ISO-2022-CN). `None` for bytes that are not text.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// let found = detect(b"\xFB\xEE\x28\x98\x9C");
    /// assert_eq!((found.name(), found.encoding()), (Some("BOCU-1"), None));
    /// ```
    pub fn name(&self) -> Option<&'static str> {
        match (self.encoding, self.basis) {
            (Some(encoding), _) => Some(encoding.name()),
            (None, Basis::Bom) => self.bom.map(Bom::name),
            (None, Basis::Escapes { name, .. }) => Some(name),
            (None, _) => None,
        }
    }

    /// How sure the detection is.
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// The reason, for programs.
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// The reason, for people: a few words, without a full stop.
    pub fn reason(&self) -> impl fmt::Display + '_ {
        Reason(self)
    }

    /// The BOM at the front. The [encoding](Detection::encoding) decodes it as U+FEFF, unless it
    /// is stripped.
    pub fn bom(&self) -> Option<Bom> {
        self.bom
    }

    /// The encoding that the text declares.
    pub fn declaration(&self) -> Option<&Declaration> {
        self.declaration.as_ref()
    }

    /// True if the text declares an encoding in which it reads differently. US-ASCII reads the
    /// same in nearly all.
    pub fn is_contradicted(&self) -> bool {
        let declared = self.declaration.as_ref().and_then(Declaration::encoding);
        match (self.encoding, declared) {
            (None | Some(Encoding::UsAscii), _) | (_, None) => false,
            (Some(encoding), Some(declared)) => encoding != declared && self.equivalent != Some(declared),
        }
    }

    /// The encoding that is declared, if that is more than US-ASCII: browsers take that for windows-1252, but it says
    /// nothing of other bytes.
    pub(super) fn declared(&self) -> Option<Encoding> {
        self.declaration.as_ref().filter(|declaration| !declaration.is_ascii()).and_then(Declaration::encoding)
    }

    /// The number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of well-formed sequences of UTF-8 with several bytes; 0 if the bytes are so far
    /// from UTF-8 that they were not counted.
    pub fn sequences(&self) -> u64 {
        self.sequences
    }

    /// True if the text is in several encodings: UTF-8 with lines or words in another one (see
    /// [`foreign`](Detection::foreign)), UTF-16 joined to other bytes, or text in a legacy
    /// encoding with well-formed sequences of UTF-8, one for every two ill-formed ones. Decoding
    /// all of it in the [encoding](Detection::encoding) would garble a part; the module `repair`
    /// (feature `repair`) keeps what is UTF-8.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// let found = detect("日本 ".as_bytes().iter().chain(b"caf\xE9 d\xE9j\xE0").copied().collect::<Vec<_>>().as_slice());
    /// assert!(found.is_mixed());
    /// assert_eq!(found.foreign().map(|encoding| encoding.name()), Some("windows-1252"));
    /// ```
    pub fn is_mixed(&self) -> bool {
        self.mixed
    }

    /// The number of ill-formed sequences in the encoding, as counted by
    /// [`Checker`](utfkit_diagnose::Checker). `None` in legacy encodings and without an
    /// encoding.
    pub fn ill_formed(&self) -> Option<u64> {
        self.ill_formed
    }

    /// True if the only ill-formed sequence is a character that the end truncates.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The number of ill-formed sequences in damaged UTF-8 that are the beginning or the end of a
    /// character, which a byte limit or a line break cut. Not counted is the one at the end of a
    /// [truncated](Detection::is_truncated) text.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// let found = detect(b"\"\xD0\x9E\xD0\xBB\xD0\xB5\xD0\xB3\xD0\",5");
    /// assert_eq!((found.name(), found.cut()), (Some("UTF-8"), 1));
    /// ```
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// The encoding in which the ill-formed sequences of damaged UTF-8, all of them together and
    /// with their lines, are the likeliest text. `None` if they are text in none.
    pub fn foreign(&self) -> Option<Encoding> {
        self.foreign.map(|foreign| foreign.encoding)
    }

    /// How sure [`foreign`](Detection::foreign) is.
    pub fn foreign_certainty(&self) -> Option<Certainty> {
        self.foreign.map(|foreign| foreign.certainty)
    }

    /// The pieces of damaged UTF-8 or of joined text, in order and without gaps. Empty for text in
    /// one encoding. Of a long list, only the first [are kept](Detection::more_pieces).
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// let found = detect(b"Gr\xC3\xB6\xC3\x9Fe 5 \xE2\x82\xAC\nsch\xF6n und gr\xFCn\n");
    /// let pieces: Vec<_> = found.pieces().iter().map(|piece| (piece.lines.start, piece.encoding.unwrap().name())).collect();
    /// assert_eq!(pieces, [(1, "UTF-8"), (2, "windows-1252")]);
    /// ```
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The number of pieces that [`pieces`](Detection::pieces) leaves out.
    pub fn more_pieces(&self) -> u64 {
        self.more_pieces
    }

    /// The first ill-formed sequence of UTF-8.
    pub fn first_error(&self) -> Option<Place> {
        self.first
    }

    /// The number of bytes 00.
    pub fn nulls(&self) -> u64 {
        self.nulls
    }

    /// The offset of the first byte 00.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// let found = detect(b"id,name\n1,Ana\0\0\n");
    /// assert_eq!((found.nulls(), found.first_null()), (2, Some(13)));
    /// ```
    pub fn first_null(&self) -> Option<u64> {
        self.first_null
    }

    /// True if each ill-formed sequence in UTF-8 may be a part of a character that was cut, where text is
    /// cut: before punctuation, a tag or the end of a line, say. Then it need not be text in another encoding.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// assert!(detect(b"caf\xC3\xA9 au lait\nth\xC3\xA9 vert\nna\xC3\n").may_be_cut());
    /// assert!(!detect(b"caf\xE9 au lait").may_be_cut());
    /// ```
    pub fn may_be_cut(&self) -> bool {
        self.unfinished
    }

    /// True if NUL and other controls mark where fields, records or messages begin and end, or fill
    /// them: they are of a few kinds, and each of them recurs among other bytes.
    ///
    /// ```
    /// use utfkit::detect::detect;
    ///
    /// assert!(detect(b"a/first/path\0and/a/second/path\0the/third\0").has_separators());
    /// assert!(!detect(b"id,name\n1,Ana\0\0\n").has_separators());
    /// ```
    pub fn has_separators(&self) -> bool {
        self.separators
    }

    /// The number of other controls, except [separators](Detection::has_separators), white space,
    /// backspace, ESC, SHIFT OUT, SHIFT IN, and SUB at the end, where files of DOS have it.
    pub fn controls(&self) -> u64 {
        self.controls
    }

    /// Another encoding in which these bytes are the same text.
    pub fn equivalent(&self) -> Option<Encoding> {
        self.equivalent
    }

    /// How unlikely it is that bytes in another encoding are well-formed UTF-8 by chance: 1 in
    /// 2^`bits`, see [`Recognition::bits`](utfkit_core::Recognition::bits). 0 for other results.
    pub fn bits(&self) -> u64 {
        match self.basis {
            Basis::WellFormed => (u128::from(self.sequences) * 2733 / 1000).try_into().unwrap_or(u64::MAX),
            _ => 0,
        }
    }
}

impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name().unwrap_or(if self.basis == Basis::Unknown { "unknown" } else { "binary" });
        let name = if self.mixed && matches!(self.basis, Basis::Damaged | Basis::Joined) { "mixed" } else { name };
        write!(f, "{name} ({}: {})", self.certainty, self.reason())
    }
}

struct Reason<'a>(&'a Detection);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        match found.basis {
            Basis::Empty => return f.write_str("empty, without a byte in any encoding"),
            Basis::Bom => {}
            Basis::Ascii if found.encoding == Some(Encoding::UsAscii) => {
                f.write_str("no byte is above 7F, so that it is UTF-8 as well")?;
            }
            Basis::Ascii => f.write_str("no byte is above 7F, so that it is US-ASCII as well")?,
            Basis::WellFormed if found.sequences == 1 => {
                write!(f, "1 sequence of several bytes, well-formed; by chance 1 in 2^{}", found.bits())?;
            }
            Basis::WellFormed => {
                let sequences = found.sequences;
                write!(
                    f,
                    "{sequences} sequences of several bytes, all well-formed; by chance 1 in 2^{}",
                    found.bits()
                )?;
            }
            Basis::Damaged => damaged(f, found)?,
            Basis::Relative { pairs, lone, nulls } => relative(f, pairs, lone, nulls)?,
            Basis::Units { values } => {
                write!(
                    f,
                    "{}, and none in the other byte order",
                    Count(values, "code point that makes text", "code points that make text")
                )?;
            }
            Basis::Escapes { count: 0, .. } => f.write_str("announced by its escape sequence")?,
            Basis::Escapes { count, .. } => {
                write!(
                    f,
                    "{}",
                    Count(count, "escape sequence that switches to it", "escape sequences that switch to it")
                )?;
            }
            Basis::Declared => f.write_str("declared, and every byte fits")?,
            Basis::Likeliest { is_well_formed } => {
                f.write_str("not UTF-8; the likeliest text")?;
                f.write_str(if is_well_formed { "" } else { ", though not all of them fit" })?;
            }
            Basis::Joined => return pieces(f, found),
            Basis::Unknown => {
                if let Some(joined) = found.joined {
                    return write!(f, "{joined}");
                }
                if found.excluded {
                    return f.write_str("text in none of the encodings that were asked for");
                }
                return match &found.declaration {
                    Some(declaration) if declaration.encoding().is_none() => {
                        write!(f, "not UTF-8; it declares {}, which is none that is known here", declaration.label())
                    }
                    _ => f.write_str("not UTF-8, and text in no encoding that is known here"),
                };
            }
            Basis::NoText => {
                let nulls = Nulls(found);
                let controls = Count(found.controls, "other control", "other controls");
                return write!(f, "no text: {nulls}, {controls}, no encoding in which they make sense");
            }
        }
        let mut and = if found.basis == Basis::Bom { "" } else { "; " };
        if let Some(bom) = found.bom {
            write!(f, "{and}BOM")?;
            for byte in bom.bytes() {
                write!(f, " {byte:02X}")?;
            }
            and = "; ";
        }
        if !matches!(found.basis, Basis::Damaged) && found.ill_formed.is_some_and(|n| n > 0) {
            let n = found.ill_formed.unwrap_or_default();
            write!(f, "{and}{}", Count(n, "ill-formed sequence", "ill-formed sequences"))?;
            and = "; ";
        }
        if let Some(runs) = found.utf7_runs {
            write!(f, "{and}reads as UTF-7 too, with {}", Count(runs, "run of base64", "runs of base64"))?;
        }
        if let Some(equivalent) = found.equivalent {
            write!(f, "{and}{equivalent} would read it alike")?;
        }
        if found.mixed && found.basis != Basis::Damaged {
            write!(f, "{and}but {} of UTF-8", Count(found.sequences, "well-formed sequence", "well-formed sequences"))?;
        }
        // In UTF-16, 00 is half of a letter.
        if found.encoding.is_some_and(|encoding| encoding.unit_size() == 1) && found.nulls > 0 {
            write!(f, "{and}{}", Nulls(found))?;
            and = "; ";
        }
        if let Some(joined) = found.joined {
            write!(f, "{and}{joined}")?;
            and = "; ";
        }
        match &found.declaration {
            // windows-1252, as browsers read ISO-8859-1.
            Some(declaration) if found.basis == Basis::Declared && found.is_contradicted() => {
                write!(f, "{and}the label is {}", declaration.label())
            }
            Some(declaration) if found.is_contradicted() => write!(f, "{and}but it declares {}", declaration.label()),
            Some(declaration) if found.basis != Basis::Declared => write!(f, "{and}declares {}", declaration.label()),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Joined::UpTo(encoding, at) => write!(f, "{encoding} up to byte {at}, and other bytes from there on"),
            Joined::From(encoding, at) => write!(f, "{encoding} from byte {at} on, and other bytes before it"),
            Joined::At(encoding, at) => write!(f, "{encoding} at byte {at}"),
        }
    }
}

/// `US-ASCII on lines 1–3, UTF-16LE on line 4`
fn pieces(f: &mut fmt::Formatter<'_>, found: &Detection) -> fmt::Result {
    for (n, piece) in found.pieces.iter().take(LISTED).enumerate() {
        let Range { start, end } = piece.lines;
        f.write_str(if n > 0 { ", " } else { "" })?;
        f.write_str(piece.encoding.map_or("an unknown encoding", Encoding::name))?;
        match end - start {
            0 | 1 => write!(f, " on line {start}")?,
            _ => write!(f, " on lines {start}–{}", end - 1)?,
        }
        if piece.certainty == Certainty::Guess {
            f.write_str(" (a guess)")?;
        }
    }
    f.write_str(if found.pieces.len() > LISTED { ", …" } else { "" })
}

fn damaged(f: &mut fmt::Formatter<'_>, found: &Detection) -> fmt::Result {
    let ill_formed = found.ill_formed.unwrap_or_default();
    let has_sequences = found.sequences > 0;
    if has_sequences {
        write!(f, "{}", Count(found.sequences, "well-formed sequence", "well-formed sequences"))?;
        f.write_str(if found.mixed { " of UTF-8" } else { " of several bytes" })?;
    } else {
        f.write_str("US-ASCII")?;
    }
    if found.truncated {
        return f.write_str(if has_sequences {
            ", and one more that the end cuts"
        } else {
            ", and a character that the end cuts"
        });
    }
    if found.cut == ill_formed {
        write!(f, ", with {}", Count(ill_formed, "cut character", "cut characters"))?;
    } else {
        write!(f, ", with {}", Count(ill_formed, "ill-formed sequence", "ill-formed sequences"))?;
    }
    if let Some(Place { offset, line, column }) = found.first {
        let first = if ill_formed == 1 { "" } else { ", the first" };
        write!(f, "{first} on line {line}, column {column} (byte {offset})")?;
    }
    if !found.mixed && found.foreign.is_none() {
        return Ok(());
    }
    if found.cut > 0 {
        write!(f, "; {}", Count(found.cut, "of them is a cut character", "of them are cut characters"))?;
    }
    match found.foreign {
        Some(Foreign { encoding, certainty, .. }) => write!(f, "; in {encoding} ({certainty})")?,
        None => f.write_str("; in an unknown encoding")?,
    }
    // A line may have several pieces.
    let mut lines: Vec<Range<u64>> = Vec::new();
    for piece in found.pieces.iter().filter(|piece| piece.encoding != Some(Encoding::Utf8)) {
        match lines.last_mut() {
            Some(last) if last.end >= piece.lines.start => last.end = piece.lines.end,
            _ => lines.push(piece.lines.clone()),
        }
    }
    let several = lines.len() > 1 || lines.iter().any(|lines| lines.end - lines.start > 1);
    let mut and = if several { " on lines " } else { " on line " };
    for Range { start, end } in lines.iter().take(LISTED) {
        f.write_str(and)?;
        match end - start {
            0 | 1 => write!(f, "{start}")?,
            _ => write!(f, "{start}–{}", end - 1)?,
        }
        and = ", ";
    }
    if lines.len() > LISTED || found.more_pieces > 0 {
        f.write_str(", …")?;
    }
    Ok(())
}

/// The ranges of lines that a reason lists.
const LISTED: usize = 4;

fn relative(f: &mut fmt::Formatter<'_>, pairs: u64, lone: u64, nulls: u64) -> fmt::Result {
    f.write_str("UTF-8 except for ")?;
    let mut and = "";
    for (count, one, many) in [
        (pairs, "surrogate pair", "surrogate pairs"),
        (lone, "surrogate alone", "surrogates alone"),
        (nulls, "U+0000 as C0 80", "times U+0000 as C0 80"),
    ] {
        if count > 0 {
            write!(f, "{and}{}", Count(count, one, many))?;
            and = " and ";
        }
    }
    Ok(())
}

/// The number of NUL bytes, and where they begin.
struct Nulls<'a>(&'a Detection);

impl fmt::Display for Nulls<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Nulls(found) = self;
        Count(found.nulls, "NUL byte", "NUL bytes").fmt(f)?;
        match found.first_null {
            // Where units of UTF-16 begin says the same.
            _ if found.joined.is_some() => Ok(()),
            Some(at) if found.nulls > 1 => write!(f, " from byte {at} on"),
            Some(at) => write!(f, " at byte {at}"),
            None => Ok(()),
        }
    }
}

/// A number, with its noun in singular and plural.
struct Count(u64, &'static str, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count(count, one, many) = self;
        write!(f, "{count} {}", if *count == 1 { one } else { many })
    }
}
