//! Shared by the tests: the instruction sets, a table of all conversions, and checks against the
//! reference.
// Each test target compiles this module and uses a part of it.
#![allow(dead_code)]

pub(crate) mod check;
pub(crate) mod conversions;
pub(crate) mod converted;
pub(crate) mod every_isa;
pub(crate) mod shards;
pub(crate) mod transcoding;
