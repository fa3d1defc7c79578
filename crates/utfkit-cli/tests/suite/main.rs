//! Tests that run the command as a user does, in a module for each subcommand
//! and topic.
//!
//! Run one module with `cargo test -p utfkit-cli --test suite repair::`.

mod common;

// Its steps are for bash, which Windows may not have.
#[cfg(unix)]
mod action;
mod auto;
mod check;
#[cfg(unix)]
mod compressed;
mod conventions;
mod convert;
mod count;
mod detect;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod faults;
mod files;
#[cfg(unix)]
mod files_of_unix;
mod fix;
mod formats;
mod help;
mod hooks;
mod inspect;
#[cfg(unix)]
mod kill;
mod labels;
mod large;
#[cfg(target_os = "linux")]
mod memory;
mod modules;
mod names;
#[cfg(unix)]
mod names_of_bytes;
mod plan;
#[cfg(unix)]
mod progress;
mod quoted;
#[cfg(unix)]
mod readme;
#[cfg(unix)]
mod records;
mod regressions;
mod repair;
mod repair_undouble;
mod report;
mod rules;
#[cfg(unix)]
mod safe_hands;
mod same_file;
#[cfg(unix)]
mod terminal;
mod undo;
mod walk;
#[cfg(windows)]
mod windows;
