//! Repairs a stream that should be UTF-8, and says on standard error what it changed:
//!
//! ```sh
//! cargo run --features repair --example repair_stream <damaged.txt >repaired.txt
//! ```
//!
//! Bytes that are not UTF-8 are read as windows-1252; text that was encoded twice is
//! restored. Everything else goes through as it is, in bounded memory.

use std::error::Error;
use std::io::{self, Read, Write};

use utfkit::repair::{Fallback, Options, Repairer, Stretch};
use utfkit::{Encoding, Legacy};

fn main() -> Result<(), Box<dyn Error>> {
    let fallback = Fallback::new(Encoding::Legacy(Legacy::Windows1252)).ok_or("it has no such bytes")?;
    let mut repairer = Repairer::new(Options::new().fallback(fallback).undouble(true));
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut changes = 0;
    let mut failed = Ok(());
    let mut take = |stretch: Stretch<'_>| {
        if let Stretch::Changed(change) = &stretch {
            changes += 1;
            eprintln!("byte {}: {:02X?} becomes {:?}", change.offset, change.before, change.after);
        }
        if failed.is_ok() {
            failed = output.write_all(stretch.text());
        }
    };
    let mut buffer = vec![0; 1 << 16];
    loop {
        let len = input.read(&mut buffer)?;
        if len == 0 {
            break;
        }
        repairer.feed(&buffer[..len], &mut take);
    }
    repairer.finish(&mut take);
    failed?;
    output.flush()?;
    eprintln!("{changes} changes");
    Ok(())
}
