//! Single bytes that were read in some encoding.

/// True for a control of ISO 6429, which no text has.
pub(super) fn is_c1(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9F}')
}
