//! Random pairs, texts, damage, pieces and capacities.

use std::time::{Duration, Instant};

use utfkit_testkit::random::Random;

use crate::judge::{Conversion, OURS, glibc, shared_names};
use crate::pairs::{ODD, POOL, Run, difference};

/// A call of a program.
enum Call {
    /// Adds `more` bytes to the source; the target has `space`.
    Convert {
        more: usize,
        space: usize,
    },
    Reset(Option<usize>),
}

fn run(conversion: &mut Conversion, src: &[u8], calls: &[Call]) -> Run {
    let (mut done, mut output, mut dst) = (Vec::new(), Vec::new(), vec![0; 70_000]);
    let (mut at, mut end) = (0, 0);
    for call in calls {
        let begin = at;
        let called = match *call {
            Call::Convert { more, space } => {
                end = src.len().min(end + more);
                conversion.convert(&src[at..end], &mut dst[..space])
            }
            Call::Reset(None) => conversion.reset(None),
            Call::Reset(Some(space)) => conversion.reset(Some(&mut dst[..space])),
        };
        output.extend_from_slice(&dst[..called.written]);
        at += called.read;
        if called.errno == libc::EILSEQ && at < end {
            at += 1;
        }
        done.push((begin, called));
    }
    Run { calls: done, output }
}

/// `UTFKIT_FUZZ_SECONDS=600 cargo test --release -p utfkit-iconv --test glibc -- fuzz`; one second by default. A
/// failure names its seed, from which `UTFKIT_FUZZ_SEED` starts again.
#[test]
fn fuzz() {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let seconds = number("UTFKIT_FUZZ_SECONDS").unwrap_or(1);
    let first = number("UTFKIT_FUZZ_SEED").unwrap_or(1).max(1);
    let (_, names) = shared_names();
    if names.is_empty() {
        return;
    }
    let (judge, end) = (glibc(), Instant::now() + Duration::from_secs(seconds));
    let (mut seed, mut runs, mut bytes) = (first - 1, 0_u64, 0_u64);
    while Instant::now() < end {
        seed += 1;
        let mut random = Random::new(seed);
        let (from_name, from) = &names[random.below(names.len())];
        let (to_name, to) = &names[random.below(names.len())];
        let pool: Vec<char> = POOL.chars().filter(|c| !from.encoding.encode(&c.to_string()).1).collect();
        // Often characters that both have, so that the conversion gets further.
        let both: Vec<char> = pool.iter().copied().filter(|c| !to.encoding.encode(&c.to_string()).1).collect();
        let kind = random.below(8);
        let pool = if kind > 1 && !both.is_empty() { both } else { pool };
        let len = [8, 40, 300, 9000][random.below(4)];
        let len = random.below(len);
        let text: String = (0..len).map(|_| pool[random.below(pool.len())]).collect();
        let mut src = from.encoding.encode(&text).0.into_owned();
        for _ in 0..[0, 0, 1, 3][random.below(4)] {
            let at = random.below(src.len() + 1);
            let odd = ODD[random.below(ODD.len())];
            src.splice(at..at, odd.iter().copied());
        }
        if random.below(3) == 0 {
            src.splice(0..0, from.bom().iter().copied());
        }
        let most = [3, 30, 500, 20_000][random.below(4)];
        let calls: Vec<Call> = (0..1 + random.below(40))
            .map(|_| match random.below(24) {
                0 => Call::Reset(None),
                1 => Call::Reset(Some(random.below(9))),
                _ => Call::Convert { more: random.below(most + 1), space: random.below(2 * most + 8) },
            })
            .collect();
        let Some(mut theirs) = judge.open(from_name, to_name) else { continue };
        let mut ours = OURS.open(from_name, to_name).unwrap();
        let (ours, theirs) = (run(&mut ours, &src, &calls), run(&mut theirs, &src, &calls));
        if let Some(found) = difference(*from, *to, &src, &ours, &theirs) {
            panic!("seed {seed}: {from_name} to {to_name}, {} bytes: {found}", src.len());
        }
        bytes += src.len() as u64;
        runs += 1;
    }
    println!("{runs} runs, {bytes} bytes");
}
