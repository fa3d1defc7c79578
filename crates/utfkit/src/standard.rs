//! Which definition of UTF-8 is meant.

/// A definition of UTF-8. They differ in what is well-formed, never in what a
/// well-formed sequence stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standard {
    /// RFC 3629 (STD 63), the UTF-8 of today: shortest form only, no
    /// surrogates, nothing above U+10FFFF.
    #[default]
    Rfc3629,
    /// RFC 2279: up to 31 bits in up to six octets, shortest form only. Values
    /// U+D800–U+DFFF are refused, because section 2 wants them undone to the
    /// character that the pair stands for before encoding.
    Rfc2279,
    /// RFC 2044: up to 31 bits in up to six octets, decoded as that memo's
    /// algorithm reads, which asks neither for the shortest form nor for the
    /// absence of surrogates. **Unsafe for anything but reading old data**: a
    /// check of the bytes says nothing about the decoded characters.
    Rfc2044,
    /// RFC 3629 without U+FFFE and U+FFFF, as "What is UTF-8?" and utf-8(7)
    /// ask.
    Kuhn,
}
