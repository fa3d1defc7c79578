//! Runs a test on every instruction set of this machine.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Condvar, Mutex, MutexGuard, Once, PoisonError};

use utfkit::isa::{self, Isa};

/// The instruction set is chosen for the whole process: tests on the same set run concurrently,
/// and a test that needs another set waits for them.
static RUNNING: Mutex<Running> = Mutex::new(Running { tests: 0, alone: false });
static FEWER: Condvar = Condvar::new();

struct Running {
    /// The number of tests that run on the active instruction set.
    tests: usize,
    /// One of them changes the instruction set itself.
    alone: bool,
}

fn running() -> MutexGuard<'static, Running> {
    // A failed test reports its own panic.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A test that runs on one instruction set. When the last one is dropped, also by a panic, the
/// best set becomes active again.
struct Place;

impl Place {
    /// Waits for the first available set of `wanted`, and removes it from the list.
    fn take(wanted: &mut Vec<Isa>, alone: bool) -> (Isa, Place) {
        let mut running = running();
        let index = loop {
            if running.tests == 0 {
                isa::set(wanted[0]).expect("it is available");
                break 0;
            }
            let active = wanted.iter().position(|&isa| isa == isa::active());
            if let (Some(index), false, false) = (active, alone, running.alone) {
                break index;
            }
            running = FEWER.wait(running).unwrap_or_else(PoisonError::into_inner);
        };
        *running = Running { tests: running.tests + 1, alone };
        (wanted.remove(index), Place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut running = running();
        running.tests -= 1;
        if running.tests == 0 {
            let best = isa::available().last().expect("the scalar codecs are always there");
            isa::set(best).expect("it is available");
        }
        FEWER.notify_all();
    }
}

/// Runs `test` on each instruction set that this machine has. The missing ones are printed to
/// standard error; if `UTFKIT_REQUIRE_ISA` lists one of them, the test fails.
///
/// Other tests may run on the same set: a test that changes the set itself needs
/// [`for_each_isa_alone`].
pub(crate) fn for_each_isa(mut test: impl FnMut(Isa)) {
    on_each(false, &mut test);
}

/// Like [`for_each_isa`], but no other such test runs meanwhile.
pub(crate) fn for_each_isa_alone(mut test: impl FnMut(Isa)) {
    on_each(true, &mut test);
}

/// Not generic, so that it is compiled once.
fn on_each(alone: bool, test: &mut dyn FnMut(Isa)) {
    let available: HashSet<Isa> = isa::available().collect();
    assert!(available.contains(&Isa::Scalar), "the scalar codecs are always there");
    name_the_skipped(&available);
    if let Ok(required) = std::env::var("UTFKIT_REQUIRE_ISA") {
        for name in required.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let isa: Isa = name.parse().unwrap_or_else(|e| panic!("UTFKIT_REQUIRE_ISA: {name:?}: {e}"));
            assert!(available.contains(&isa), "UTFKIT_REQUIRE_ISA asks for {isa}, which is not available here");
        }
    }
    let mut wanted: Vec<Isa> = isa::available().collect();
    while !wanted.is_empty() {
        let (isa, _place) = Place::take(&mut wanted, alone);
        assert_eq!(isa::active(), isa);
        test(isa);
    }
}

fn name_the_skipped(available: &HashSet<Isa>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let skipped: Vec<_> = Isa::ALL.iter().filter(|isa| !available.contains(isa)).map(Isa::to_string).collect();
        // Written to the stream itself: the harness captures `eprintln` if the test passes.
        let _ = writeln!(std::io::stderr(), "instruction sets skipped, not available here: {}", skipped.join(" "));
    });
}
