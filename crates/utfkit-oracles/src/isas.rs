//! Every instruction set in turn.

use std::sync::OnceLock;

use utfkit::isa::{self, Isa};

/// Those of this machine, the best one last.
fn all() -> &'static [Isa] {
    static ALL: OnceLock<Vec<Isa>> = OnceLock::new();
    ALL.get_or_init(|| isa::available().collect())
}

/// Runs `check` on each of them. The best one is in use afterwards.
pub(crate) fn on_each(mut check: impl FnMut(Isa)) {
    for &isa in all() {
        isa::set(isa).expect("it is available");
        check(isa);
    }
}

/// From now on one of them is in use.
pub(crate) fn choose(choice: u8) -> Isa {
    let isa = all()[usize::from(choice) % all().len()];
    isa::set(isa).expect("it is available");
    isa
}
