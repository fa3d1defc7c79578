//! Compares the speed of `utfkit::io::Utf8Reader` with `read` alone and `encoding_rs_io`, on files, one thread. Prints
//! lines of CSV: the encoding, the reader, the shortest time in seconds, and the length of the result. On Linux it
//! measures processor time, so that other work on the machine counts little.
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
use std::sync::OnceLock;
use std::time::Instant;

use encoding_rs_io::DecodeReaderBytesBuilder;
use utfkit::Encoding;
use utfkit::io::{Options, Utf8Reader};

const TIMES: u32 = 9;
/// The bytes of a read of the parser.
const BUFFER: usize = 64 << 10;

fn main() -> ExitCode {
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        let named =
            argument.split_once('=').and_then(|(name, path)| Some((Encoding::for_label(name)?, path.to_owned())));
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
    let decoder = |file: File| DecodeReaderBytesBuilder::new().encoding(theirs).build(file);
    type Read<'a> = (&'a str, Box<dyn Fn() -> io::Result<u64> + 'a>);
    let readers: [Read<'_>; 5] = [
        ("read", Box::new(|| drained(File::open(path)?))),
        ("Utf8Reader", Box::new(|| drained(stated(encoding, path)?))),
        ("Utf8Reader fill_buf", Box::new(|| by_buffer(stated(encoding, path)?))),
        ("Utf8Reader detect", Box::new(|| drained(Options::new().detect(Options::WINDOW).reader(File::open(path)?)))),
        ("encoding_rs_io", Box::new(|| drained(decoder(File::open(path)?)))),
    ];
    // In turn, so that each meets the machine in all its moods.
    let mut best = [(f64::INFINITY, 0); 5];
    for _ in 0..TIMES {
        for (best, (_, read)) in best.iter_mut().zip(&readers) {
            let start = now();
            let len = read()?;
            *best = (best.0.min(now() - start), len);
        }
    }
    readers.iter().zip(best).for_each(|((name, _), best)| print(name, best));
    Ok(())
}

fn stated(encoding: Encoding, path: &Path) -> io::Result<Utf8Reader<File>> {
    Ok(Options::new().encoding(encoding).reader(File::open(path)?))
}

/// The processor time of this thread in seconds, or else the time of the clock.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds: Option<u64> = said.and_then(|said| said.split(' ').next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => nanoseconds as f64 / 1e9,
        None => START.get_or_init(Instant::now).elapsed().as_secs_f64(),
    }
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
