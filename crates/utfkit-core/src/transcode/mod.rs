//! Any encoding into any other, whatever the policy, however the input is cut.

#[cfg(feature = "std")]
#[allow(missing_docs)]
pub(crate) mod adaptor;
mod bulk;
mod inspect;
#[allow(unsafe_code)]
mod into;
#[cfg(feature = "std")]
pub(crate) mod io;
mod max_len;
mod pairs;
mod parts;
mod special;
mod transcoder;
mod whole;

pub use into::WrongTarget;
#[cfg(feature = "std")]
pub use io::{FinishError, TranscodeReader, TranscodeWriter};
pub use parts::PartWriter;
pub use transcoder::{ErrorCount, Status, Step, Transcoder};
