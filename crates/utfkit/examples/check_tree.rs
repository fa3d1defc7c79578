//! Checks that all files of a folder are UTF-8, and prints each ill-formed sequence as a
//! compiler prints an error:
//!
//! ```sh
//! cargo run --example check_tree -- FOLDER
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use utfkit::diagnose::{Checker, Totals};
use utfkit::{Encoding, Standard};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: check_tree FOLDER")?;
    let (mut files, mut ill_formed) = (0, 0);
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            files += 1;
            ill_formed += check(entry.path())?.findings();
        }
    }
    println!("{files} files, {ill_formed} ill-formed sequences");
    Ok(if ill_formed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks a file of any size in bounded memory.
fn check(path: &Path) -> io::Result<Totals> {
    let mut file = File::open(path)?;
    let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let len = file.read(&mut buffer)?;
        if len == 0 {
            break;
        }
        checker.feed(&buffer[..len], |finding| println!("{}:{finding}", path.display()));
    }
    checker.finish(|finding| println!("{}:{finding}", path.display()));
    Ok(checker.totals())
}
