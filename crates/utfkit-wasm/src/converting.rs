//! Conversion from any encoding into any other, in pieces.

use utfkit_core::{Encoding, EscapeForm, Policy, Practice, Status, Transcoder, trim_partial_utf8, utf16_len_from_utf8};

use crate::state::{Object, State};

pub(crate) struct Conversion {
    transcoder: Transcoder,
    /// The number of bytes read, beyond what a `usize` of 32 bits counts.
    read: u64,
}

/// How JavaScript names policies.
fn policy(number: usize) -> (Policy, EscapeForm) {
    let escape = |form| (Policy::Escape, form);
    match number {
        1 => (Policy::Replace(Practice::MaximalSubpart), EscapeForm::default()),
        2 => (Policy::Replace(Practice::PerUnit), EscapeForm::default()),
        3 => (Policy::Replace(Practice::PerSequence), EscapeForm::default()),
        4 => (Policy::Skip, EscapeForm::default()),
        5 => escape(EscapeForm::Braces),
        6 => escape(EscapeForm::Hex),
        7 => escape(EscapeForm::Xml),
        8 => escape(EscapeForm::XmlDecimal),
        _ => (Policy::Strict, EscapeForm::default()),
    }
}

pub(crate) fn begin(state: &mut State, from: usize, to: usize, number: usize) -> usize {
    let encoding = |index: usize| Encoding::ALL.get(index).copied().unwrap_or(Encoding::Utf8);
    let (policy, form) = policy(number);
    let transcoder = Transcoder::new(encoding(from), encoding(to), policy).with_escape_form(form);
    state.keep(Object::Conversion(Box::new(Conversion { transcoder, read: 0 })))
}

/// Converts the bytes `from..to` of the input into at most `space` bytes of output. Returns 0 if
/// all was taken, 1 if the output is full, 2 at an error. `numbers` has the bytes read and
/// written, the place of the error, how many characters the target lacked, how many bytes
/// are taken and not decided, and the address of the
/// output.
pub(crate) fn push(state: &mut State, number: usize, from: usize, to: usize, space: usize, last: bool) -> u32 {
    let Some(Object::Conversion(mut conversion)) = state.take(number) else { return 0 };
    if state.output.len() < space {
        state.output.resize(space, 0);
    }
    let to = to.min(state.input.len());
    let input = &state.input[from.min(to)..to];
    let step = conversion.transcoder.transcode(input, &mut state.output[..space], last);
    conversion.read += step.read as u64;
    state.numbers[0] = step.read as f64;
    state.numbers[1] = step.written as f64;
    state.numbers[7] = state.output.as_ptr().addr() as f64;
    state.numbers[4] = conversion.transcoder.unrepresentable_count() as f64;
    state.numbers[5] = conversion.transcoder.undecided_len() as f64;
    let status = match step.status {
        Status::InputEmpty => {
            // The next stream of its kind begins at once.
            if last {
                conversion.transcoder.reset();
                conversion.read = 0;
            }
            0
        }
        Status::OutputFull => 1,
        Status::IllFormed(error) => {
            // A `usize` of 32 bits may be too small for the offset. The bytes read end with the error.
            let offset = match error.offset() {
                usize::MAX => conversion.read - error.len() as u64,
                offset => offset as u64,
            };
            state.fail(offset, error.len(), error.kind());
            state.numbers[6] = f64::from(u8::from(error.error_len().is_none()));
            2
        }
    };
    state.put_back(number, Object::Conversion(conversion));
    status
}

/// Begins the stream anew.
pub(crate) fn reset(state: &mut State, number: usize) {
    let Some(Object::Conversion(mut conversion)) = state.take(number) else { return };
    conversion.transcoder.reset();
    conversion.read = 0;
    state.put_back(number, Object::Conversion(conversion));
}

/// The length of the front of the output, which is UTF-8, that does not cut a character. Leaves
/// its length in UTF-16, too.
pub(crate) fn whole(state: &mut State, len: usize) -> usize {
    let text = trim_partial_utf8(&state.output[..len.min(state.output.len())]);
    let (len, units) = (text.len(), utf16_len_from_utf8(text));
    state.numbers[0] = units as f64;
    len
}
