//! What the tests share: every instruction set in turn, every conversion in
//! one table, and the checks of a result against the reference.
// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod check;
pub(crate) mod conversions;
pub(crate) mod converted;
pub(crate) mod every_isa;
pub(crate) mod shards;
pub(crate) mod transcoding;
