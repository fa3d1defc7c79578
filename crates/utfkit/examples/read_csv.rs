//! Reads a CSV file in any encoding and prints a line for each record:
//!
//! ```sh
//! cargo run --features detect --example read_csv -- FILE [ENCODING]
//! ```
//!
//! Without an encoding it is detected on the way. Memory is bounded, whatever the size
//! of the file.

use std::error::Error;
use std::fs::File;

use utfkit::detect::Certainty;
use utfkit::io::{Options, Utf8Reader};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: read_csv FILE [ENCODING]")?;
    let options = match arguments.next() {
        Some(label) => Utf8Reader::options().encoding(label.parse()?),
        // Data is not read on a guess.
        None => Utf8Reader::options().detect(Options::WINDOW).at_least(Certainty::Likely),
    };
    let mut records = csv::Reader::from_reader(options.reader(File::open(path)?));
    let names = records.headers()?.clone();
    for record in records.records() {
        let record = record?;
        let fields: Vec<String> = names.iter().zip(&record).map(|(name, field)| format!("{name}: {field}")).collect();
        println!("{}", fields.join(", "));
    }
    if let Some(found) = records.into_inner().report().detection() {
        eprintln!("{found}");
    }
    Ok(())
}
