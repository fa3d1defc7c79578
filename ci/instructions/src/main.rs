//! Counts the instructions of the kernels, which reveals regressions without a
//! quiet machine.
//!
//! ```text
//! cargo run --release -p utfkit-instructions
//! cargo run --release -p utfkit-instructions -- --write
//! ```
//!
//! The program runs itself under callgrind, which counts the instructions of
//! every call of [`counted`], and compares them with `counts.txt`. Everything
//! is limited to AVX2, the most that valgrind supports. Instructions are not
//! time, but more of them for the same source are a reason to measure.
//!
//! On AArch64, `aarch64/run.sh` counts instructions, along with those of
//! simdutf.

#![forbid(unsafe_code)]

mod cells;
mod marked;
mod table;

use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use table::Table;
use utfkit::isa::{self, Isa};

const HELP: &str = "\
Usage: cargo run --release -p utfkit-instructions [-- --write]

Counts the instructions of every operation and compares them with counts.txt.
  --write   writes counts.txt anew
";

/// Argument with which the program calls itself under valgrind.
const INSIDE: &str = "--inside";
/// Arguments used by `aarch64/run.sh`: `--marked` with a folder and names of
/// texts, `--texts` with a folder for generated texts.
const MARKED: &str = "--marked";
const TEXTS: &str = "--texts";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => compare(),
        ["--write"] => write(),
        [INSIDE] => run_all(),
        [MARKED, folder, ..] => marked::run(Path::new(folder), &arguments[2..]).map(|()| 0).map_err(Into::into),
        [TEXTS, folder] => marked::write_texts(Path::new(folder)).map(|()| 0),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("instruction counts: {error}");
            ExitCode::from(2)
        }
    }
}

fn kept() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.txt")
}

/// Returns the number of counts that differ.
fn compare() -> Result<usize, Box<dyn Error>> {
    let counts = count()?;
    print!("{}", counts.print());
    let kept = Table::parse(&fs::read_to_string(kept())?)?;
    let (differences, tolerance) = counts.compare(&kept);
    if counts.compiler != kept.compiler {
        println!("those that are kept are of another compiler, {}: compared loosely", kept.compiler);
    }
    for difference in &differences {
        println!("{difference}");
    }
    println!("{} counts differ by more than {} %", differences.len(), tolerance * 100.0);
    Ok(differences.len())
}

fn write() -> Result<usize, Box<dyn Error>> {
    let counts = count()?.print();
    print!("{counts}");
    fs::write(kept(), counts)?;
    Ok(0)
}

/// Runs every cell under callgrind.
fn count() -> Result<Table, Box<dyn Error>> {
    if cfg!(debug_assertions) {
        return Err("only optimised code is worth counting: run it with --release".into());
    }
    let program = env::current_exe()?;
    // target/release/utfkit-instructions: use a folder next to `release`.
    let folder = program.ancestors().nth(2).ok_or("this program lies in no target folder")?.join("instructions");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let dumps = folder.join("dump");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--combine-dumps=no", "--compress-strings=no"])
        .args(["--toggle-collect=utfkit_instructions::counted", "--dump-after=utfkit_instructions::counted"])
        .arg(format!("--callgrind-out-file={}", dumps.display()))
        .args([program.as_os_str(), INSIDE.as_ref()])
        .output()
        .map_err(|e| format!("valgrind does not start ({e}); install it: apt-get install valgrind"))?;
    if !output.status.success() {
        return Err(format!("under valgrind: {}", String::from_utf8_lossy(&output.stderr)).into());
    }

    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    for (i, cell) in cells::cells().iter().enumerate() {
        let dump = dumps.with_extension((i + 1).to_string());
        let text = fs::read_to_string(&dump).map_err(|e| format!("{}: {e}", dump.display()))?;
        let count =
            total(&text).ok_or(format!("{}: no count for {} of {}", dump.display(), cell.operation, cell.text))?;
        let count = count as f64 * 1000.0 / cell.bytes as f64;
        match rows.last_mut() {
            Some((name, counts)) if name == cell.operation => counts.push(count),
            _ => rows.push((cell.operation.to_owned(), vec![count])),
        }
    }
    Ok(Table { compiler: compiler()?, rows })
}

/// The total number of instructions in a dump.
fn total(dump: &str) -> Option<u64> {
    let total = |line: &str| line.strip_prefix("totals: ")?.trim().parse().ok();
    dump.lines().find_map(total).filter(|&count| count > 0)
}

fn compiler() -> Result<String, Box<dyn Error>> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).current_dir(env!("CARGO_MANIFEST_DIR")).arg("--version").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Runs every cell twice: first without counting, for one-time work.
fn run_all() -> Result<usize, Box<dyn Error>> {
    isa::set(Isa::Avx2)?;
    for mut cell in cells::cells() {
        (cell.call)();
        counted(&mut *cell.call);
    }
    Ok(0)
}

/// The function that callgrind counts.
#[inline(never)]
fn counted(call: &mut dyn FnMut()) {
    call();
}
