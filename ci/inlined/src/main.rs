//! The inlining gate: no kernel may call an operation.
//!
//! A kernel is generic over the instruction set and becomes machine code only
//! inside the functions of `simd::dispatch` that enable its instructions. If an
//! operation is not inlined there, it is compiled without those instructions
//! and called: the kernel becomes sixty times slower, while all tests pass. So
//! this program compiles the library to assembly and checks its calls.
//!
//! ```text
//! cargo run -p utfkit-inlined
//! cargo run -p utfkit-inlined -- --target aarch64-unknown-linux-gnu
//! ```
//!
//! It supports x86-64, AArch64 and ELF. Arguments are passed on to Cargo.
//! AArch64 needs a standard library for that target, which `ci/cross.sh`
//! installs.

#![forbid(unsafe_code)]

mod asm;
mod kernels;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use asm::Machine;

fn main() -> ExitCode {
    match run() {
        Ok(errors) if errors.is_empty() => ExitCode::SUCCESS,
        Ok(errors) => {
            for error in &errors {
                eprintln!("{error}");
            }
            eprintln!("inlining gate: {} errors", errors.len());
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("inlining gate: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<Vec<String>, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("no workspace around this program")?;
    let told: Vec<String> = env::args().skip(1).collect();
    let machine = machine(&told)?;
    let wanted = kernels::in_sources(&root.join("crates/utfkit-core/src"))?;
    let text = fs::read_to_string(assembly(root, &told)?)?;
    let functions = asm::functions(&text, machine)?;
    let report = kernels::judge(machine, &functions, &wanted);
    if report.errors.is_empty() {
        println!(
            "inlining gate: {} kernels, of {}; {} calls in them, all to allowed functions",
            report.kernels,
            machine.sets().join(", "),
            report.calls
        );
    }
    Ok(report.errors)
}

/// The target architecture.
fn machine(told: &[String]) -> Result<Machine, String> {
    let named = told.iter().position(|word| word == "--target").and_then(|at| told.get(at + 1));
    let target = named.map_or(env::consts::ARCH, String::as_str);
    match target.split('-').next() {
        Some("x86_64") => Ok(Machine::X86),
        Some("aarch64") => Ok(Machine::Aarch64),
        _ => Err(format!("this gate cannot read the assembly of {target}")),
    }
}

/// Compiles the library like a release, for a release's target, and returns the
/// path of the assembly.
fn assembly(root: &Path, told: &[String]) -> Result<PathBuf, Box<dyn Error>> {
    // target/debug/utfkit-inlined: use a folder next to `debug`.
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("this program lies in no target folder")?.join("inlined");
    let output = target.join("utfkit.s");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["rustc", "--quiet", "--package", "utfkit-core", "--lib", "--features", "legacy", "--release"])
        .arg("--target-dir")
        .arg(&target)
        .args(told)
        .args(["--", "-C", "symbol-mangling-version=v0", "--emit"])
        .arg(format!("asm={}", output.display()))
        // If instructions were enabled globally, the dispatching functions
        // would be inlined, too, and there would be nothing to check.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        // Everything in one file.
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .status()?;
    if !status.success() {
        return Err("the library does not compile".into());
    }
    Ok(output)
}
