//! What has to be known before a file is written over, for the command and for Python: whether it lies in a
//! repository, whether its bytes are a format that is not text, whether its characters are text, and what it has
//! beside its content.
//!
//! Nothing here decides: the command and the Python package ask in their own way, and say no in their own words.
#![deny(unsafe_code)]

mod attributes;
mod folders;
pub mod magic;
mod plausible;

pub use attributes::{CHANGED, Keep, NotKept, keep_attributes};
pub use folders::{Folders, is_of_version_control};
pub use plausible::{Lack, Plausible};
