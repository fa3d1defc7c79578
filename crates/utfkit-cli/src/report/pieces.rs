//! The report of `utfkit inspect`: a row per code point or ill-formed sequence,
//! in a table or as JSON lines.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use anstyle::Style;
use serde::Serialize;
use utfkit::diagnose::{Content, Piece};
use utfkit::{Encoding, display_width};

use super::jsonl::{JsonPath, line};
use super::model::{code, hex};
use crate::console::{Console, Styles};
use crate::printable::{Escaped, is_hostile};
use crate::unicode::{self, Called};

/// Number of rows that are measured before the first is printed. Columns grow if
/// later rows need it.
const ROWS: usize = 256;

/// The report of one file's pieces.
pub(crate) enum PieceReport {
    Table(Box<Table>),
    Jsonl(JsonPath),
}

impl PieceReport {
    pub(crate) fn table(console: &Console) -> PieceReport {
        PieceReport::Table(Box::new(Table {
            styles: console.out_styles,
            ascii: console.out_is_ascii,
            widths: Widths::default(),
            rows: Vec::new(),
            titled: false,
        }))
    }

    pub(crate) fn jsonl(path: &Path) -> PieceReport {
        PieceReport::Jsonl(JsonPath::new(path))
    }

    /// Writes the name of the file, as a heading among several.
    pub(crate) fn heading(&self, to: &mut Vec<u8>, path: &Path, first: bool) {
        if let PieceReport::Table(table) = self {
            let p = table.styles.path;
            // Writing to memory cannot fail, here and below.
            let _ = writeln!(to, "{}{p}{}{p:#}:", if first { "" } else { "\n" }, Escaped(path));
        }
    }

    pub(crate) fn piece(&mut self, to: &mut Vec<u8>, offset: u64, piece: Piece) {
        match self {
            PieceReport::Table(table) => {
                table.rows.push(PieceRow::new(offset, piece, table.ascii));
                if table.rows.len() == ROWS {
                    table.print(to);
                }
            }
            PieceReport::Jsonl(path) => json(to, path, offset, &piece),
        }
    }

    /// Writes the pending rows.
    pub(crate) fn finish(&mut self, to: &mut Vec<u8>) {
        if let PieceReport::Table(table) = self {
            table.print(to);
        }
    }
}

pub(crate) struct Table {
    styles: Styles,
    /// True if only US-ASCII can be shown.
    ascii: bool,
    widths: Widths,
    rows: Vec<PieceRow>,
    titled: bool,
}

/// The widths of the parts of a row, in columns.
#[derive(Default)]
struct Widths {
    offset: usize,
    octets: usize,
    bits: usize,
    code: usize,
    shape: usize,
}

/// A row. Its octets may take several lines.
struct PieceRow {
    offset: String,
    octets: Vec<Vec<Octet>>,
    code: String,
    shape: String,
    /// The kind of error, for ill-formed sequences.
    kind: Option<&'static str>,
    text: String,
}

/// A byte and the number of its header bits, if known.
struct Octet {
    byte: u8,
    header: Option<u8>,
}

impl Octet {
    /// The header bits and the payload bits.
    fn bits(&self) -> (String, String) {
        let bits = format!("{:08b}", self.byte);
        let (header, payload) = bits.split_at(self.header.unwrap_or(0).min(8).into());
        (header.to_owned(), payload.to_owned())
    }

    /// The width of the bits: a `|` follows a header.
    fn width(&self) -> usize {
        match self.header {
            None => 0,
            Some(0) => 8,
            Some(_) => 9,
        }
    }
}

impl PieceRow {
    fn new(offset: u64, piece: Piece, ascii: bool) -> PieceRow {
        let Description { code_point, called, kind, message } = Description::of(offset, &piece);
        let shape = code_point.filter(|_| kind.is_none() && !ascii).and_then(char::from_u32).and_then(safe_shape);
        let mut text = called.name.unwrap_or_default();
        if let Some(message) = message {
            text = message;
        } else if let Some(note) = called.note.filter(|&note| note != CONTROL) {
            let gap = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{gap}({note})");
        }
        let headers = piece.header_bits();
        let octets: Vec<_> = piece.bytes().iter().enumerate().collect();
        // Four octets fit on a line; a CESU-8 pair is split into its surrogates.
        let most = if octets.len() <= 4 { 4 } else { octets.len().div_ceil(2).min(4) };
        let octet = |&(at, &byte): &(usize, &u8)| Octet { byte, header: headers.map(|headers| headers[at]) };
        PieceRow {
            offset: offset.to_string(),
            octets: octets.chunks(most).map(|line| line.iter().map(octet).collect()).collect(),
            code: code_point.map(code).unwrap_or_default(),
            shape: shape.unwrap_or_default(),
            kind,
            text,
        }
    }
}

/// A note that adds nothing to the name.
const CONTROL: &str = "control";

/// The character, if a terminal can show it safely.
fn safe_shape(c: char) -> Option<String> {
    if is_hostile(c) { None } else { unicode::shape(c) }
}

impl Table {
    fn print(&mut self, to: &mut Vec<u8>) {
        let Table { styles, widths, rows, titled, .. } = self;
        if rows.is_empty() {
            return;
        }
        for row in rows.iter() {
            widths.grow_for(row);
        }
        if !*titled {
            *titled = true;
            widths.titles(to, *styles);
        }
        for row in rows.drain(..) {
            widths.row(to, *styles, &row);
        }
    }
}

/// The width of octets separated by spaces.
fn side_by_side(widths: impl Iterator<Item = usize>) -> usize {
    widths.filter(|&width| width > 0).map(|width| width + 1).sum::<usize>().saturating_sub(1)
}

impl Widths {
    fn grow_for(&mut self, row: &PieceRow) {
        let lines = || row.octets.iter();
        let octets = lines().map(|line| side_by_side(line.iter().map(|_| 2))).max().unwrap_or_default();
        let bits = lines().map(|line| side_by_side(line.iter().map(Octet::width))).max().unwrap_or_default();
        self.offset = self.offset.max(row.offset.len()).max("offset".len());
        self.octets = self.octets.max(octets).max("octets".len());
        self.bits = self.bits.max(bits);
        self.code = self.code.max(row.code.len()).max("U+0000".len());
        self.shape = self.shape.max(display_width(&row.shape));
    }

    fn titles(&self, to: &mut Vec<u8>, styles: Styles) {
        let Widths { offset, octets, bits, code, shape } = *self;
        let n = styles.name;
        let _ = write!(to, "{n}{:>offset$}  {:octets$}", "offset", "octets");
        if bits > 0 {
            let _ = write!(to, "  {:bits$}", "bits");
        }
        let _ = write!(to, "  {:code$}", "code");
        if shape > 0 {
            let _ = write!(to, "  {:shape$}", "");
        }
        let _ = writeln!(to, "  name{n:#}");
    }

    fn row(&self, to: &mut Vec<u8>, styles: Styles, row: &PieceRow) {
        let error = row.kind.map(|_| styles.kind).unwrap_or_default();
        let place = styles.place;
        for (at, octets) in row.octets.iter().enumerate() {
            let width = self.offset;
            let offset = if at == 0 { row.offset.as_str() } else { "" };
            let _ = write!(to, "{place}{offset:>width$}{place:#}  ");
            let hex: Vec<_> = octets.iter().map(|octet| format!("{:02X}", octet.byte)).collect();
            let hex = hex.join(" ");
            let _ = write!(to, "{error}{hex}{error:#}");
            let mut gap = self.octets - hex.len();
            if self.bits > 0 {
                let _ = write!(to, "{:gap$}  ", "");
                gap = self.bits - bits(to, styles, octets);
            }
            if at > 0 {
                let _ = writeln!(to);
                continue;
            }
            let width = self.code;
            let _ = write!(to, "{:gap$}  {:width$}", "", row.code);
            if self.shape > 0 {
                let gap = self.shape - display_width(&row.shape);
                let _ = write!(to, "  {}{:gap$}", row.shape, "");
            }
            let _ = match row.kind {
                Some(kind) => writeln!(to, "  {error}{kind}{error:#}: {}", row.text),
                None => writeln!(to, "  {}", row.text),
            };
        }
    }
}

/// Writes the bits of `octets` and returns their width.
fn bits(to: &mut Vec<u8>, styles: Styles, octets: &[Octet]) -> usize {
    let Styles { header: h, payload: p, .. } = styles;
    let shown = octets.iter().filter(|octet| octet.header.is_some());
    for (at, octet) in shown.clone().enumerate() {
        let gap = if at > 0 { " " } else { "" };
        let bar = if octet.header == Some(0) { "" } else { "|" };
        let (header, payload) = octet.bits();
        let _ = write!(to, "{gap}");
        styled(to, h, &header);
        let _ = write!(to, "{bar}");
        styled(to, p, &payload);
    }
    side_by_side(shown.map(Octet::width))
}

fn styled(to: &mut Vec<u8>, style: Style, text: &str) {
    if !text.is_empty() {
        let _ = write!(to, "{style}{text}{style:#}");
    }
}

struct Description {
    code_point: Option<u32>,
    called: Called,
    kind: Option<&'static str>,
    message: Option<String>,
}

impl Description {
    fn of(offset: u64, piece: &Piece) -> Description {
        let code_point = piece.code_point();
        let called = code_point.map(unicode::called).unwrap_or_default();
        let (mut kind, mut message) = (None, None);
        let called = match piece.content() {
            Content::CodePoint(BOM) if offset == 0 => Called { note: Some("here a BOM"), ..called },
            Content::CodePoint(_) => called,
            Content::Bom(encoding) => Called { name: None, note: Some(bom_note(encoding)) },
            Content::StateChange => Called { name: None, note: Some("state change: stands for no character") },
            Content::IllFormed(diagnosis) => {
                kind = Some(diagnosis.kind().name());
                message = Some(diagnosis.to_string());
                called
            }
        };
        Description { code_point, called, kind, message }
    }
}

/// U+FEFF.
const BOM: u32 = 0xFEFF;

fn bom_note(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf16Le => "BOM: UTF-16LE follows",
        Encoding::Utf16Be => "BOM: UTF-16BE follows",
        Encoding::Utf32Le => "BOM: UTF-32LE follows",
        Encoding::Utf32Be => "BOM: UTF-32BE follows",
        _ => "BOM",
    }
}

#[derive(Serialize)]
struct PieceLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    offset: u64,
    length: usize,
    bytes: String,
    bits: Option<String>,
    code_point: Option<String>,
    name: Option<String>,
    note: Option<&'static str>,
    script: Option<&'static str>,
    character: Option<char>,
    kind: Option<&'static str>,
    message: Option<String>,
}

fn json(to: &mut Vec<u8>, path: &JsonPath, offset: u64, piece: &Piece) {
    let Description { code_point, called, kind, message } = Description::of(offset, piece);
    let is_text = matches!(piece.content(), Content::CodePoint(_));
    // The value of an ill-formed sequence need not be a code point.
    let value = match piece.content() {
        Content::IllFormed(diagnosis) => diagnosis.value(),
        _ => code_point,
    };
    let bits = piece.header_bits().map(|headers| {
        let mut row = Vec::new();
        let octets: Vec<_> =
            piece.bytes().iter().zip(headers).map(|(&byte, &header)| Octet { byte, header: Some(header) }).collect();
        self::bits(&mut row, Styles::default(), &octets);
        String::from_utf8(row).unwrap_or_default()
    });
    line(
        to,
        &PieceLine {
            path,
            offset,
            length: piece.bytes().len(),
            bytes: hex(piece.bytes()),
            bits,
            code_point: value.map(code),
            name: called.name,
            note: called.note,
            script: code_point.and_then(unicode::script),
            character: code_point.filter(|_| is_text).and_then(char::from_u32),
            kind,
            message,
        },
    );
}

#[derive(Serialize)]
struct EncodingLine {
    name: &'static str,
    aliases: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

/// Writes an encoding and its aliases as an object.
pub(crate) fn encoding_line(to: &mut Vec<u8>, encoding: Encoding) {
    line(to, &EncodingLine { name: encoding.name(), aliases: encoding.labels().collect(), note: note(encoding) });
}

/// The characters that other implementations map differently.
pub(crate) fn note(encoding: Encoding) -> Option<&'static str> {
    match encoding {
        Encoding::Legacy(legacy) => legacy.note(),
        _ => None,
    }
}
