//! The exported functions. Elsewhere than in WebAssembly their names are mangled, because C has
//! functions of some of these names.

use crate::state::with;
use crate::validating;

/// Makes the input at least `len` bytes long, and returns its address, or 0 without memory for it.
/// It may move.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn input(len: usize) -> usize {
    with(|state| state.reserve(len))
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn output() -> usize {
    with(|state| state.output.as_ptr().addr())
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn note() -> usize {
    with(|state| state.note.as_ptr().addr())
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn note_len() -> usize {
    with(|state| state.note.len())
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn numbers() -> usize {
    with(|state| state.numbers.as_ptr().addr())
}

/// Frees a stream.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn free(number: usize) {
    with(|state| drop(state.remove(number)));
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn validate(len: usize) -> bool {
    with(|state| validating::at_once(state, len))
}

/// True if the first `len` bytes of the input are US-ASCII.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn is_ascii(len: usize) -> bool {
    with(|state| utfkit_core::validate_ascii(state.given(len)).is_ok())
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn validator() -> usize {
    with(validating::begin)
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn validator_push(number: usize, len: usize) -> bool {
    with(|state| validating::push(state, number, len))
}

#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn validator_end(number: usize) -> bool {
    with(|state| validating::end(state, number))
}

#[cfg(feature = "check")]
#[allow(unsafe_code)]
pub mod check {
    use crate::checking;
    use crate::state::with;

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn checker(encoding: usize, standard: usize) -> usize {
        with(|state| checking::begin(state, encoding, standard))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn checker_push(number: usize, len: usize, last: bool, limit: usize) {
        with(|state| checking::push(state, number, len, last, limit));
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn checker_totals(number: usize) {
        with(|state| checking::totals(state, number));
    }
}

#[cfg(feature = "convert")]
#[allow(unsafe_code)]
pub mod convert {
    use crate::state::with;
    use crate::{converting, labels};

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn label(len: usize, web: bool) -> i32 {
        with(|state| labels::find(state, len, web))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn web_name(len: usize) {
        with(|state| labels::web_name(state, len));
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn text_form(encoding: usize) -> i32 {
        labels::text_form(encoding)
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn is_ascii_transparent(encoding: usize) -> bool {
        labels::is_ascii_transparent(encoding)
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn bom(encoding: usize) -> usize {
        with(|state| labels::bom(state, encoding))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn whole(len: usize) -> usize {
        with(|state| converting::whole(state, len))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn encodings() {
        with(labels::all);
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn transcoder(from: usize, to: usize, policy: usize) -> usize {
        with(|state| converting::begin(state, from, to, policy))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn transcode(number: usize, from: usize, to: usize, space: usize, last: bool) -> u32 {
        with(|state| converting::push(state, number, from, to, space, last))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn transcoder_reset(number: usize) {
        with(|state| converting::reset(state, number));
    }
}

#[cfg(feature = "detect")]
#[allow(unsafe_code)]
pub mod detect {
    use crate::state::with;
    use crate::{detecting, repairing};

    /// Returns the number of a detection, or -1 if the note names an option that is unknown.
    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn detect(options: usize, len: usize) -> isize {
        with(|state| detecting::at_once(state, options, len))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn detection_more(number: usize, candidates: usize) {
        with(|state| detecting::more(state, number, candidates));
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn detector(options: usize) -> isize {
        with(|state| detecting::begin(state, options))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn detector_push(number: usize, len: usize) {
        with(|state| detecting::push(state, number, len));
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn detector_end(number: usize) -> bool {
        with(|state| detecting::end(state, number))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn reader(options: usize, window: usize) -> isize {
        with(|state| detecting::reader(state, options, window))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn reader_push(number: usize, len: usize, last: bool) -> bool {
        with(|state| detecting::reader_push(state, number, len, last))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn repairer(options: usize, len: usize) -> isize {
        with(|state| repairing::begin(state, options, len))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn survey_push(number: usize, len: usize) {
        with(|state| repairing::survey(state, number, len));
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn survey_end(number: usize) -> bool {
        with(|state| repairing::survey_end(state, number))
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn repairer_push(number: usize, len: usize, last: bool, limit: usize) {
        with(|state| repairing::push(state, number, len, last, limit));
    }

    #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
    pub extern "C" fn unite(len: usize, limit: usize) -> bool {
        with(|state| repairing::unite(state, len, limit))
    }
}
