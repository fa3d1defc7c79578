//! How many times as fast each instruction set of this machine is as the
//! scalar codecs:
//!
//! ```sh
//! cargo run --release -p utfkit --example instruction_sets
//! ```
//!
//! Both do the same work by turns, and the shortest time of each counts. This
//! is a comparison within the library; the one with others is in `bench`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use utfkit::isa::{self, Isa};
use utfkit::{Standard, utf8_to_utf16, utf16_to_utf8, validate};

const TEXTS: [(&str, &str); 3] = [
    ("ASCII", "A text of plain letters, with a comma and a full stop, as most files are. "),
    ("German", "Ein kürzerer Text mit Umlauten: größer, schöner, früher, weiß und naïv. "),
    ("Chinese", "这是一段普通的中文文字，用来测量速度；每个字占三个字节。"),
];

/// So long that a call costs nothing beside its work, and held by a cache.
const BYTES: usize = 64 * 1024;

/// How often each one gets its turn.
const TURNS: usize = 400;

/// The shortest time of `work` on each of `isas`.
fn shortest(isas: &[Isa], mut work: impl FnMut()) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; isas.len()];
    for _ in 0..TURNS {
        for (&isa, best) in isas.iter().zip(&mut best) {
            isa::set(isa).expect("it is available");
            let start = Instant::now();
            work();
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn main() {
    let isas: Vec<Isa> = isa::available().collect();
    let names: Vec<String> = isas.iter().map(|isa| format!("{isa:>8}")).collect();
    println!("{:<24}{}", "times as fast as scalar", names.join(" "));
    for (name, text) in TEXTS {
        let bytes = text.repeat(BYTES / text.len()).into_bytes();
        let mut units = vec![0; bytes.len()];
        let len = utf8_to_utf16(&bytes, &mut units).expect("it is well-formed and the destination is large enough");
        let utf16 = units[..len].to_vec();
        let mut back = vec![0; bytes.len()];

        print(name, "validate", &shortest(&isas, || validate(black_box(&bytes), Standard::Rfc3629).expect("text")));
        let times = shortest(&isas, || {
            black_box(utf8_to_utf16(black_box(&bytes), &mut units)).expect("text");
        });
        print(name, "UTF-8 to UTF-16", &times);
        let times = shortest(&isas, || {
            black_box(utf16_to_utf8(black_box(&utf16), &mut back)).expect("text");
        });
        print(name, "UTF-16 to UTF-8", &times);
    }
}

fn print(text: &str, operation: &str, times: &[Duration]) {
    let ratios: Vec<String> =
        times.iter().map(|time| format!("{:>8.1}", times[0].as_secs_f64() / time.as_secs_f64())).collect();
    println!("{text:<8}{operation:<16}{}", ratios.join(" "));
}
