//! Checks before a file is written over: folders of version control, magic numbers, characters that form no
//! words, and attributes to keep.
//!
//! The command and the Python package decide by these checks, each with its own messages.
#![deny(unsafe_code)]

mod attributes;
mod folders;
pub mod magic;
mod plausible;

pub use attributes::{CHANGED, Keep, NotKept, keep_attributes, words};
pub use folders::{Folders, is_of_version_control};
pub use plausible::{Lack, Plausible};
