//! The speed of `utfkit::io::Utf8Reader` beside `read` alone and `encoding_rs_io`, on files, one thread. Prints lines
//! of CSV: the file, the reader, and the best time of several in seconds.
//!
//! ```sh
//! cargo run --release -p utfkit-bench-reader -- windows-1252=a.csv UTF-16LE=b.csv
//! ```
//!
//! `crates/utfkit-python/bench/reading.py` makes the files, and runs this.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use encoding_rs_io::DecodeReaderBytesBuilder;
use utfkit::Encoding;
use utfkit::io::{Options, Utf8Reader};

const TIMES: u32 = 5;
/// The bytes of a read of the parser.
const BUFFER: usize = 64 << 10;

fn main() -> ExitCode {
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        let named = argument.split_once('=').and_then(|(name, path)| Some((Encoding::for_label(name)?, path.to_owned())));
        let Some(named) = named else {
            eprintln!("ENCODING=FILE is wanted, not {argument}");
            return ExitCode::from(2);
        };
        files.push(named);
    }
    for (encoding, path) in files {
        if let Err(error) = measure(encoding, Path::new(&path)) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn measure(encoding: Encoding, path: &Path) -> io::Result<()> {
    let theirs = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
    let print = |reader: &str, (seconds, len): (f64, u64)| println!("{encoding},{reader},{seconds:.4},{len}");
    print("read", best(|| drained(File::open(path)?))?);
    print("Utf8Reader", best(|| drained(stated(encoding, path)?))?);
    print("Utf8Reader fill_buf", best(|| by_buffer(stated(encoding, path)?))?);
    print("Utf8Reader detect", best(|| drained(Options::new().detect(Options::WINDOW).reader(File::open(path)?)))?);
    let decoder = |file| DecodeReaderBytesBuilder::new().encoding(theirs).build(file);
    print("encoding_rs_io", best(|| drained(decoder(File::open(path)?)))?);
    Ok(())
}

fn stated(encoding: Encoding, path: &Path) -> io::Result<Utf8Reader<File>> {
    Ok(Utf8Reader::<File>::options().encoding(encoding).reader(File::open(path)?))
}

/// The best time, and the length that was read.
fn best(read: impl Fn() -> io::Result<u64>) -> io::Result<(f64, u64)> {
    let mut best = (f64::INFINITY, 0);
    for _ in 0..TIMES {
        let start = Instant::now();
        let len = read()?;
        best = (best.0.min(start.elapsed().as_secs_f64()), len);
    }
    Ok(best)
}

fn drained(mut reader: impl Read) -> io::Result<u64> {
    let (mut buffer, mut all) = (vec![0; BUFFER], 0);
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(all),
            len => all += len as u64,
        }
    }
}

fn by_buffer(mut reader: impl BufRead) -> io::Result<u64> {
    let mut all = 0;
    loop {
        match reader.fill_buf()?.len() {
            0 => return Ok(all),
            len => {
                all += len as u64;
                reader.consume(len);
            }
        }
    }
}
