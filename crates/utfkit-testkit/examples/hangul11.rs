//! Generates the library's table of the Hangul syllables of Unicode 1.1 from a
//! list of their current code points:
//!
//! ```sh
//! cargo run -p utfkit-testkit --example hangul11 -- LIST > crates/utfkit-core/src/engine/scalar/hangul11_table.rs
//! ```

use std::process::ExitCode;

use utfkit_testkit::hangul11;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: hangul11 LIST");
        return ExitCode::from(2);
    };
    let table = std::fs::read_to_string(path).map_err(|e| e.to_string()).and_then(|list| hangul11::read(&list));
    match table {
        Ok(syllables) => {
            print!("{}", hangul11::file(&syllables));
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
