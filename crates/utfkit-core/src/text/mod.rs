//! What a text says about itself: its BOM, its label, its order.

pub mod bom;
mod code_page;
pub mod label;
pub(crate) mod order;
pub(crate) mod parse;
mod possible;

pub use possible::detect_encodings;
