//! Runs checks on every instruction set.

use std::sync::OnceLock;

use utfkit::isa::{self, Isa};

/// The instruction sets of this machine, the best one last.
fn all() -> &'static [Isa] {
    static ALL: OnceLock<Vec<Isa>> = OnceLock::new();
    ALL.get_or_init(|| isa::available().collect())
}

/// Runs `check` on each instruction set. The best one remains active.
pub(crate) fn on_each(mut check: impl FnMut(Isa)) {
    for &isa in all() {
        isa::set(isa).expect("it is available");
        check(isa);
    }
}

/// Activates the instruction set with this number.
pub(crate) fn choose(choice: u8) -> Isa {
    let isa = all()[usize::from(choice) % all().len()];
    isa::set(isa).expect("it is available");
    isa
}
