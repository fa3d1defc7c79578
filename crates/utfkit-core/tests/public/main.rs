//! Tests of what the other crates use, too: one program, because each is one more to link.

#[cfg(feature = "legacy")]
mod legacy;
mod recognize;
mod utf8;
