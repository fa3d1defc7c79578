//! Validation of UTF-8.

use utfkit_core::{Error, Utf8Validator};

use crate::state::{Object, State};

pub(crate) fn begin(state: &mut State) -> usize {
    state.keep(Object::Validator(Box::new(Utf8Validator::new())))
}

/// Takes the first `len` bytes of the input. Returns true if an error was found, whose place
/// is then left in the state.
pub(crate) fn push(state: &mut State, number: usize, len: usize) -> bool {
    let Some(Object::Validator(mut validator)) = state.take(number) else { return false };
    let result = validator.push(state.given(len));
    state.put_back(number, Object::Validator(validator));
    report(state, result)
}

/// Ends the stream, and forgets it.
pub(crate) fn end(state: &mut State, number: usize) -> bool {
    let Some(Object::Validator(validator)) = state.remove(number) else { return false };
    report(state, validator.finish())
}

/// One text, whole.
pub(crate) fn at_once(state: &mut State, len: usize) -> bool {
    let result = utfkit_core::validate(state.given(len), utfkit_core::Standard::Rfc3629);
    report(state, result)
}

fn report(state: &mut State, result: Result<(), Error>) -> bool {
    match result {
        Ok(()) => false,
        Err(error) => {
            state.fail(error.offset() as u64, error.len(), error.kind());
            true
        }
    }
}
