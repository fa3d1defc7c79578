//! The program `utfkit`: everything is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    utfkit_cli::main()
}
