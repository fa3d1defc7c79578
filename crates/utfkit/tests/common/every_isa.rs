//! The same test on every instruction set of this machine.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Mutex, Once, PoisonError};

use utfkit::isa::{self, Isa};

const ALL: [Isa; 6] = [Isa::Scalar, Isa::Ssse3, Isa::Avx2, Isa::Avx512, Isa::Neon, Isa::Simd128];

/// The instruction set is chosen for the whole process: tests that choose it
/// take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Goes back to the best instruction set, after a panic too.
struct Restore(Isa);

impl Drop for Restore {
    fn drop(&mut self) {
        isa::set(self.0).expect("it was available before");
    }
}

/// Runs `test` on each instruction set that this machine has. The others are
/// named on standard error; if `UTFKIT_REQUIRE_ISA` lists one of those, the
/// test fails, so that a machine that should have them cannot pass without.
pub(crate) fn for_each_isa(mut test: impl FnMut(Isa)) {
    // A test that failed says so itself.
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let available: HashSet<Isa> = isa::available().collect();
    assert!(available.contains(&Isa::Scalar), "the scalar codecs are always there");
    name_the_skipped(&available);
    if let Ok(required) = std::env::var("UTFKIT_REQUIRE_ISA") {
        for name in required.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let isa: Isa = name.parse().unwrap_or_else(|e| panic!("UTFKIT_REQUIRE_ISA: {name:?}: {e}"));
            assert!(available.contains(&isa), "UTFKIT_REQUIRE_ISA asks for {isa}, which is not available here");
        }
    }
    let _restore = Restore(isa::active());
    for isa in ALL.into_iter().filter(|isa| available.contains(isa)) {
        isa::set(isa).expect("it is available");
        assert_eq!(isa::active(), isa);
        test(isa);
    }
}

fn name_the_skipped(available: &HashSet<Isa>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let skipped: Vec<_> = ALL.iter().filter(|isa| !available.contains(isa)).map(Isa::to_string).collect();
        // Written to the stream itself: what `eprintln` writes is kept back
        // as long as the test passes.
        let _ = writeln!(std::io::stderr(), "instruction sets skipped, not available here: {}", skipped.join(" "));
    });
}
