//! The header of the tables: versions and machine.

use std::env;
use std::fs;
use std::thread;

use utfkit::isa;

use crate::options::Options;
use crate::peer::simdutf;

const PEERS: [&str; 5] = ["simdutf8", "encoding_rs", "simdutf", "bytecount", "bstr"];

pub(crate) fn lines(options: &Options) -> Vec<String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let isas: Vec<String> = isa::available().map(|isa| isa.to_string()).collect();
    let used: Vec<String> = options.isas.iter().map(ToString::to_string).collect();
    let peers: Vec<String> = PEERS.iter().map(|name| format!("{name} {}", locked(name))).collect();
    let flags = match env!("BENCH_CXXFLAGS") {
        "" => String::new(),
        flags => format!(" with CXXFLAGS {flags}"),
    };
    let held = match options.held_to {
        None => String::new(),
        Some(isa) => {
            let forced = simdutf::implementation(isa).unwrap_or("its own choice");
            format!("; simdutf held to {forced}, peers that go beyond {isa} left out")
        }
    };
    let capacity = match options.exact {
        true => "of exactly the result's size",
        false => "of the largest possible result's size, the same for all",
    };
    let size = match options.size {
        Some(size) => format!("texts repeated to {size} bytes; "),
        None => String::new(),
    };
    vec![
        format!("processor: {}, {cores} cores", processor()),
        format!("utfkit: {} (available: {}){held}", used.join(", "), isas.join(", ")),
        format!("peers: std of {}, {} (C++ {})", env!("BENCH_RUSTC"), peers.join(", "), simdutf::BUNDLED),
        format!("simdutf built by: {}{flags}", env!("BENCH_CXX")),
        format!("{size}destinations {capacity}; best of at most {} rounds", options.rounds),
    ]
}

/// The processor; `wasm.sh` passes it to WebAssembly, which cannot tell.
pub(crate) fn processor() -> String {
    if let Ok(processor) = env::var("UTFKIT_BENCH_PROCESSOR") {
        return processor;
    }
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    match (field("model name"), field("cpu family"), field("model\t")) {
        (Some(name), Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        (Some(name), ..) => name,
        _ => env::consts::ARCH.to_owned(),
    }
}

/// The version of `name` in the lock file used for this build.
fn locked(name: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split_once(&format!("name = \"{name}\"\nversion = \"")).map(|(_, rest)| rest);
    entry.and_then(|rest| rest.split('"').next()).unwrap_or("?")
}
