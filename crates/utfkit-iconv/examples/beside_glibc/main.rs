//! Speedup over glibc's `iconv(3)`.
//!
//! `cargo run --release -p utfkit-iconv --example beside_glibc` prints a line per pair: glibc's time divided by ours,
//! for a buffer of 64 KiB and for calls of 100 bytes, best of 40 interleaved rounds. Arguments select pairs by a part
//! of their names.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod measure;

fn main() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    measure::all();
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    println!("left out: the C library is not glibc");
}
