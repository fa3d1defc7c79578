//! Reads a CSV file in any encoding and prints a line for each record:
//!
//! ```sh
//! cargo run --features detect --example read_csv -- FILE [ENCODING]
//! ```
//!
//! Without an encoding it is found by the front of the file. Memory is bounded, whatever
//! the size of the file.

use std::error::Error;
use std::fs::File;
use std::io::Read;

use utfkit::detect::{Certainty, Detector};
use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};

/// What is looked at before the first record is read.
const FRONT: u64 = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: read_csv FILE [ENCODING]")?;
    let mut file = File::open(path)?;
    let mut front = Vec::new();
    let encoding = match arguments.next() {
        Some(label) => label.parse()?,
        None => {
            file.by_ref().take(FRONT).read_to_end(&mut front)?;
            detected(&front)?
        }
    };

    let to_utf8 = Transcoder::new(encoding, Encoding::Utf8, Policy::Strict);
    let text = TranscodeReader::new(front.as_slice().chain(file), to_utf8);
    let mut records = csv::Reader::from_reader(text);
    let names = records.headers()?.clone();
    for record in records.records() {
        let record = record?;
        let fields: Vec<String> = names.iter().zip(&record).map(|(name, field)| format!("{name}: {field}")).collect();
        println!("{}", fields.join(", "));
    }
    Ok(())
}

fn detected(front: &[u8]) -> Result<Encoding, Box<dyn Error>> {
    let mut detector = Detector::new();
    detector.feed(front);
    let detection = detector.finish();
    eprintln!("{detection}");
    match detection.encoding() {
        // Data is not read on a guess.
        Some(encoding) if detection.certainty() >= Certainty::Likely => Ok(encoding),
        _ => Err("name the encoding: it is not clear".into()),
    }
}
