//! Tests of what the other crates use, too: one program, because each is one more to link.

mod doomed;
#[cfg(feature = "legacy")]
mod legacy;
mod length;
#[cfg(feature = "alloc")]
mod parts;
mod recognize;
mod standard;
mod utf8;
