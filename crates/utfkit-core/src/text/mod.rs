//! What a text says about itself: its BOM, its label, its order.

pub mod bom;
pub mod label;
pub(crate) mod order;
mod possible;

pub use possible::detect_encodings;
