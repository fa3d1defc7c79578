//! The records of a results file, and queries for the pictures.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use draw::{OWN, Record};

#[derive(Clone)]
pub(crate) struct Data {
    records: Vec<Record>,
}

/// utfkit and the fastest of its peers.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) own: f64,
    pub(crate) peer: f64,
    pub(crate) ratio: f64,
}

impl Data {
    /// Of repeated measurements with one instruction set, the last run is used.
    pub(crate) fn read(path: &Path) -> csv::Result<Data> {
        let all = draw::read(path)?;
        let run = |record: &Record| (record.run.clone(), record.processor.clone());
        let last: HashMap<_, _> = all.iter().map(|record| ((&record.isa, &record.op), run(record))).collect();
        let mut places = HashMap::new();
        let mut records: Vec<Record> = Vec::new();
        for record in all.iter().filter(|record| last[&(&record.isa, &record.op)] == run(record)) {
            let cell = (&record.isa, &record.op, &record.text, &record.size, &record.library);
            // Within a run, the last measurement is used.
            match places.entry(cell) {
                Entry::Occupied(place) => records[*place.get()] = record.clone(),
                Entry::Vacant(place) => {
                    place.insert(records.len());
                    records.push(record.clone());
                }
            }
        }
        Ok(Data { records })
    }

    pub(crate) fn filter(&self, keep: impl Fn(&Record) -> bool) -> Data {
        Data { records: self.records.iter().filter(|record| keep(record)).cloned().collect() }
    }

    /// Splits the operations by whether they have such a record.
    pub(crate) fn split(&self, is_there: impl Fn(&Record) -> bool) -> (Data, Data) {
        let with = self.filter(is_there).distinct(|record| &record.op);
        (self.filter(|record| with.contains(&record.op)), self.filter(|record| !with.contains(&record.op)))
    }

    /// The records of the best instruction set measured.
    pub(crate) fn best_isa(&self) -> Data {
        let isas = self.isas();
        self.filter(|record| Some(&record.isa) == isas.first())
    }

    pub(crate) fn isas(&self) -> Vec<String> {
        const ORDER: [&str; 6] = ["avx512", "avx2", "ssse3", "neon", "simd128", "scalar"];
        let mut isas = self.distinct(|record| &record.isa);
        isas.sort_by_key(|isa| ORDER.iter().position(|known| known == isa));
        isas
    }

    /// The distinct values of a column, in the order of the file.
    pub(crate) fn distinct(&self, column: impl Fn(&Record) -> &String) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for record in &self.records {
            if !values.contains(column(record)) {
                values.push(column(record).clone());
            }
        }
        values
    }

    pub(crate) fn value(&self, op: &str, text: &str, size: &str, library: &str) -> Option<f64> {
        let is_it = |r: &&Record| r.op == op && r.text == text && r.size == size && r.library == library;
        Some(self.records.iter().find(is_it)?.value)
    }

    /// utfkit and the fastest peer; `None` if either is missing.
    pub(crate) fn cell(&self, op: &str, text: &str, size: &str) -> Option<Cell> {
        let own = self.value(op, text, size, OWN)?;
        let cell = self.records.iter().filter(|r| r.op == op && r.text == text && r.size == size);
        let peers = cell.filter_map(|r| Some((r.value, r.ratio?)));
        let (peer, ratio) = peers.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Cell { own, peer, ratio })
    }

    /// The geometric means of an operation's cells on `texts`.
    pub(crate) fn mean(&self, op: &str, texts: &[String], size: &str) -> Option<Cell> {
        let cells: Vec<Cell> = texts.iter().filter_map(|text| self.cell(op, text, size)).collect();
        let mean = |pick: fn(&Cell) -> f64| {
            let logs: f64 = cells.iter().map(|cell| pick(cell).ln()).sum();
            (logs / cells.len() as f64).exp()
        };
        (!cells.is_empty()).then(|| Cell { own: mean(|c| c.own), peer: mean(|c| c.peer), ratio: mean(|c| c.ratio) })
    }

    /// Processor, instruction sets and run, for the last line of a picture.
    pub(crate) fn origin(&self) -> String {
        let processors = self.distinct(|record| &record.processor).join("; ");
        let runs = self.distinct(|record| &record.run).join(", ");
        let isas: Vec<&str> = self.isas().iter().map(|isa| isa_name(isa)).collect();
        format!("{processors}; {}; run {runs}", isas.join(", "))
    }
}

pub(crate) fn isa_name(isa: &str) -> &'static str {
    match isa {
        "avx512" => "AVX-512",
        "avx2" => "AVX2",
        "ssse3" => "SSSE3",
        "neon" => "NEON",
        "simd128" => "simd128",
        "scalar" => "scalar",
        _ => "?",
    }
}

/// The operations in display order, with titles. Other operations come last,
/// sorted by name.
const TITLES: &[(&str, &str)] = &[
    ("validate", "validate UTF-8"),
    ("validate-16", "validate UTF-16"),
    ("validate-32", "validate UTF-32"),
    ("8-16", "UTF-8 to UTF-16"),
    ("16-8", "UTF-16 to UTF-8"),
    ("8-32", "UTF-8 to UTF-32"),
    ("32-8", "UTF-32 to UTF-8"),
    ("16-32", "UTF-16 to UTF-32"),
    ("32-16", "UTF-32 to UTF-16"),
    ("latin1-8", "Latin-1 to UTF-8"),
    ("8-latin1", "UTF-8 to Latin-1"),
    ("latin1-16", "Latin-1 to UTF-16"),
    ("16-latin1", "UTF-16 to Latin-1"),
    ("latin1-32", "Latin-1 to UTF-32"),
    ("32-latin1", "UTF-32 to Latin-1"),
    ("lossy-8-8/clean", "UTF-8 replaced, nothing bad"),
    ("lossy-8-8/1000", "UTF-8 replaced, 1 byte in 1000 bad"),
    ("lossy-8-8/100", "UTF-8 replaced, 1 byte in 100 bad"),
    ("lossy-8-8/10", "UTF-8 replaced, 1 byte in 10 bad"),
    ("lossy-8-16/clean", "UTF-8 to UTF-16 lossy, nothing bad"),
    ("lossy-8-16/1000", "UTF-8 to UTF-16, 1 byte in 1000 bad"),
    ("lossy-8-16/100", "UTF-8 to UTF-16, 1 byte in 100 bad"),
    ("lossy-8-16/10", "UTF-8 to UTF-16, 1 byte in 10 bad"),
    ("lossy-16-8/clean", "UTF-16 to UTF-8 lossy, nothing bad"),
    ("lossy-16-8/100", "UTF-16 to UTF-8, 1 unit in 100 bad"),
    ("lossy-cow/clean", "from_utf8_lossy, nothing bad"),
    ("lossy-cow/100", "from_utf8_lossy, 1 byte in 100 bad"),
    ("errors/clean", "count the errors, nothing bad"),
    ("errors/1000", "count the errors, 1 byte in 1000 bad"),
    ("errors/100", "count the errors, 1 byte in 100 bad"),
    ("errors/10", "count the errors, 1 byte in 10 bad"),
    ("errors-len/100", "lengths of errors, 1 byte in 100 bad"),
    ("errors-len/10", "lengths of errors, 1 byte in 10 bad"),
    ("count", "count code points of UTF-8"),
    ("len-16-of-8", "UTF-16 length of UTF-8"),
    ("len-8-of-16", "UTF-8 length of UTF-16"),
    ("len-8-of-32", "UTF-8 length of UTF-32"),
    ("len-8-of-latin1", "UTF-8 length of Latin-1"),
    ("stream-8-16", "UTF-8 to UTF-16 in pieces"),
    ("stream-16-8", "UTF-16 to UTF-8 in pieces"),
    ("stream-8-8/100", "UTF-8 replaced in pieces, 1 in 100 bad"),
    ("16-swap", "byte order of UTF-16"),
    ("cesu-8-16", "CESU-8 to UTF-16"),
    ("16-cesu-8", "UTF-16 to CESU-8"),
    ("cesu-8-8", "CESU-8 to UTF-8"),
    ("8-cesu-8", "UTF-8 to CESU-8"),
    ("mutf-8-16", "Modified UTF-8 to UTF-16"),
    ("16-mutf-8", "UTF-16 to Modified UTF-8"),
    ("wtf-8-16", "WTF-8 to UTF-16"),
    ("wtf-16-8", "WTF-16 to WTF-8"),
    ("validate-2279", "validate by RFC 2279"),
    ("validate-kuhn", "validate without U+FFFE, U+FFFF"),
    ("validate-nonchar", "validate without noncharacters"),
];

pub(crate) fn title(op: &str) -> &str {
    TITLES.iter().find(|(name, _)| *name == op).map_or(op, |(_, title)| title)
}

pub(crate) fn in_order(mut ops: Vec<String>) -> Vec<String> {
    ops.sort_by_key(|op| TITLES.iter().position(|(name, _)| name == op).unwrap_or(TITLES.len()));
    ops
}
