//! The command `utfkit`.

fn main() {}
