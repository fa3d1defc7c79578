//! glibc's `iconv` is the judge: the same bytes, return values, `errno`, pointers
//! and counts.
//!
//! Where the C library is not glibc, or `iconv -l` cannot be run, each test says
//! so and passes.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod fuzz;
mod judge;
mod learned;
mod pairs;
mod tables;
