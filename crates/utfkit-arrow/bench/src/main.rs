//! Compares the kernels with Arrow's own, on one thread:
//!
//!     cargo run --release -p utfkit-arrow-bench
//!
//! Prints the best of interleaved rounds in GB/s, and the ratio of the speeds. Measures two columns: 10 million
//! strings of 8 to 40 bytes, and 1 GiB of strings of 64 KiB (`-- --quick`: a tenth of both; `-- 'short rows, clean'`:
//! only the lines that contain this). `crates/utfkit-python/bench/columns.py` measures other engines.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

use arrow_array::{Array, LargeBinaryArray};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_cast::CastOptions;
use arrow_schema::DataType;
use utfkit::Practice;

const WORDS: &[&str] = &["tea ", "naïve ", "größer ", "déjà ", "vu ", "日本語 ", "Съешь ", "and ", "biscuits ", "😀 "];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end
    }
}

/// Rows of `from` to `to` bytes, of which about one in `damaged` has an error.
fn column(total: usize, from: usize, to: usize, damaged: usize) -> LargeBinaryArray {
    let mut random = Random(1);
    let mut values = Vec::with_capacity(total + to);
    let mut offsets = vec![0];
    while values.len() < total {
        let (begin, wanted) = (values.len(), from + random.below(to - from));
        while values.len() - begin + 12 < wanted {
            values.extend_from_slice(WORDS[random.below(WORDS.len())].as_bytes());
        }
        values.resize((begin + wanted).max(values.len()), b'.');
        if damaged != 0 && random.below(damaged) == 0 {
            values[begin + wanted / 2] = 0xFF;
        }
        offsets.push(values.len() as i64);
    }
    LargeBinaryArray::new(OffsetBuffer::new(offsets.into()), Buffer::from_vec(values), None)
}

/// The CPU time of this thread in seconds, which other load on the machine hardly changes. Where the system does not
/// tell, the time since the first call.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let had = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let had = had.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    had.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |nanoseconds| nanoseconds as f64 / 1e9)
}

/// The seconds of a call. Repeats short calls, because the clock advances in steps of some milliseconds.
fn seconds(f: &dyn Fn() -> bool) -> f64 {
    let start = clock();
    for calls in 1.. {
        assert!(black_box(f()), "an error");
        let seconds = clock() - start;
        if seconds > 0.05 {
            return seconds / f64::from(calls);
        }
    }
    unreachable!("the clock does not advance")
}

fn contest(name: &str, bytes: usize, ours: &dyn Fn() -> bool, theirs: &dyn Fn() -> bool) {
    if std::env::args().skip(1).any(|only| !only.starts_with('-') && !name.contains(&only)) {
        return;
    }
    let (mut our_best, mut their_best) = (f64::MAX, f64::MAX);
    for _ in 0..7 {
        our_best = our_best.min(seconds(ours));
        their_best = their_best.min(seconds(theirs));
    }
    let speed = |seconds: f64| bytes as f64 / seconds / 1e9;
    println!("{name:75} {:8.2} {:8.2} {:7.2}", speed(our_best), speed(their_best), their_best / our_best);
}

fn main() {
    let share = if std::env::args().any(|arg| arg == "--quick") { 10 } else { 1 };
    println!("{:75} {:>8} {:>8} {:>7}", "", "utfkit", "arrow", "times");
    for (name, total, from, to) in
        [("short rows", 240_000_000 / share, 8, 40), ("long rows", (1 << 30) / share, 65_000, 66_000)]
    {
        for damaged in [0, 100] {
            let raw = column(total, from, to, damaged);
            let bytes = raw.values().len();
            let name = format!("{name}, {}", if damaged == 0 { "clean" } else { "1 % damaged" });
            let lenient = CastOptions { safe: true, ..CastOptions::default() };
            contest(
                &format!("{name}: null for what is not UTF-8"),
                bytes,
                &|| utfkit_arrow::try_validate_utf8(&raw).is_ok_and(|text| text.len() == raw.len()),
                &|| arrow_cast::cast_with_options(&raw, &DataType::LargeUtf8, &lenient).is_ok(),
            );
            if damaged == 0 {
                contest(&format!("{name}: strict"), bytes, &|| utfkit_arrow::validate_utf8(&raw).is_ok(), &|| {
                    let parts = (raw.offsets().clone(), raw.values().clone());
                    arrow_array::LargeStringArray::try_new(parts.0, parts.1, None).is_ok()
                });
            }
            contest(
                &format!("{name}: made valid, against from_utf8_lossy"),
                bytes,
                &|| utfkit_arrow::make_valid_utf8(&raw, Practice::MaximalSubpart).is_ok(),
                &|| {
                    let rows = raw.iter().map(|row| row.map(String::from_utf8_lossy));
                    rows.collect::<arrow_array::LargeStringArray>().len() == raw.len()
                },
            );
            contest(
                &format!("{name}: is_valid_utf8, against a row at a time"),
                bytes,
                &|| utfkit_arrow::is_valid_utf8(&raw).is_ok(),
                &|| {
                    let rows = raw.iter().map(|row| row.map(|row| std::str::from_utf8(row).is_ok()));
                    rows.collect::<arrow_array::BooleanArray>().len() == raw.len()
                },
            );
        }
    }
}
