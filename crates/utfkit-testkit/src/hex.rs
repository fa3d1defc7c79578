//! Hexadecimal in failure messages and test data.

use std::fmt::{LowerHex, UpperHex, Write};

/// Maximum number of units shown.
const SHOWN: usize = 400;

/// Formats the units of `src` in hexadecimal; of a long source, only those
/// around `at`.
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

/// Decodes pairs of hexadecimal digits.
///
/// # Panics
///
/// If `digits` is anything else.
pub fn parse(digits: &str) -> Vec<u8> {
    assert!(digits.len().is_multiple_of(2), "an odd number of digits: {digits}");
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap_or_else(|e| panic!("{e}: {digits}")))
        .collect()
}

/// Encodes units as hexadecimal digits.
pub fn digits<U: LowerHex>(src: &[U]) -> String {
    let width = 2 * size_of::<U>();
    src.iter().map(|unit| format!("{unit:0width$x}")).collect()
}
