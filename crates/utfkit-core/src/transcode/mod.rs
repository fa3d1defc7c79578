//! Any encoding into any other, whatever the policy, however the input is cut.

mod bulk;
mod inspect;
#[allow(unsafe_code)]
mod into;
mod max_len;
mod pairs;
mod parts;
mod special;
mod transcoder;
mod whole;

pub use into::WrongTarget;
pub use parts::PartWriter;
pub use transcoder::{ErrorCount, Status, Step, Transcoder};
