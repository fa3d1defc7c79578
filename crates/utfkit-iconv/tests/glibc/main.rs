//! Comparison with glibc's `iconv`: bytes, return values, `errno`, pointers and counts.
//!
//! The tests need glibc as the C library and the program `iconv`; without it, they say so and pass.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod fuzz;
mod judge;
mod learned;
mod pairs;
mod tables;
