//! What surrounds text: its BOM, its label, its order, its forms, its width.

pub mod bom;
pub mod label;
#[cfg(feature = "std")]
pub mod locale;
#[cfg(feature = "normalization")]
pub(crate) mod normalize;
pub(crate) mod order;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "width")]
mod width;

#[cfg(feature = "width")]
pub use width::{display_width, display_width_of_bytes};
