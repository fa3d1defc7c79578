//! Asks the compilers for their versions, for the header of the tables.

use std::process::Command;

fn main() {
    // The `simdutf` crate builds its C++ through `cc`, which finds the same
    // compiler in the same environment.
    let cpp = cc::Build::new().cpp(true).get_compiler();
    println!("cargo:rustc-env=BENCH_CXX={}", first_line(cpp.path().to_str().unwrap_or("c++")));
    println!("cargo:rustc-env=BENCH_CXXFLAGS={}", std::env::var("CXXFLAGS").unwrap_or_default());
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    println!("cargo:rustc-env=BENCH_RUSTC={}", first_line(&rustc));
    for name in ["CXX", "CXXFLAGS", "RUSTFLAGS"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}

fn first_line(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}
