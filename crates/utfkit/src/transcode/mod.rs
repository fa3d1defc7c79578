//! Any encoding into any other, whatever the policy, however the input is cut.

mod bulk;
pub(crate) mod codec;
#[cfg(feature = "std")]
pub(crate) mod io;
mod pairs;
mod pending;
mod plain;
mod transcoder;

#[cfg(feature = "std")]
pub use io::{FinishError, TranscodeReader, TranscodeWriter};
pub use transcoder::{Status, Step, Transcoder};
