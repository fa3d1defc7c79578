//! Inputs as failure messages show them, and bytes as test data writes them.

use std::fmt::{LowerHex, UpperHex, Write};

/// The most units that are shown whole.
const SHOWN: usize = 400;

/// The units of `src` in hexadecimal. Of a long one, those about `at`.
pub fn show<U: UpperHex>(src: &[U], at: usize) -> String {
    let width = 2 * size_of::<U>();
    let mut out = String::new();
    let range = if src.len() <= SHOWN {
        0..src.len()
    } else {
        at.min(src.len()).saturating_sub(SHOWN / 2)..src.len().min(at.saturating_add(SHOWN / 2))
    };
    let _ = write!(out, "{} units", src.len());
    if range.len() < src.len() {
        let _ = write!(out, ", of them {range:?}");
    }
    out.push(':');
    for unit in &src[range] {
        let _ = write!(out, " {unit:0width$X}");
    }
    out
}

/// The bytes that pairs of hexadecimal digits write.
///
/// # Panics
///
/// On anything else.
pub fn parse(digits: &str) -> Vec<u8> {
    assert!(digits.len().is_multiple_of(2), "an odd number of digits: {digits}");
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap_or_else(|e| panic!("{e}: {digits}")))
        .collect()
}

/// The digits that [`parse`] reads.
pub fn digits<U: LowerHex>(src: &[U]) -> String {
    let width = 2 * size_of::<U>();
    src.iter().map(|unit| format!("{unit:0width$x}")).collect()
}
