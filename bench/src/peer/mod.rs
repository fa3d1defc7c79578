//! The competitors, as plain functions over slices.
//!
//! A conversion takes a source and a destination and returns the units written,
//! or `None` if the source is ill-formed. Wrappers are as thin as each library
//! allows.

pub(crate) mod encoding_rs;
#[cfg(target_os = "wasi")]
pub(crate) mod node;
pub(crate) mod simdutf;
pub(crate) mod std;

use utfkit::isa::Isa;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    Utfkit,
    /// utfkit itself, for comparison with its stream.
    OneShot,
    /// utfkit itself with UTF-8 or UTF-16, for comparison with their relatives.
    AsUnicode,
    Std,
    Simdutf8,
    Simdutf8Compat,
    EncodingRs,
    EncodingRsDecoder,
    Simdutf,
    SimdutfErrors,
    Bytecount,
    Bstr,
    /// `TextDecoder` and `TextEncoder` of Node, available only to programs that
    /// it runs.
    #[cfg(target_os = "wasi")]
    Node,
}

impl Peer {
    pub(crate) const ALL: &[Peer] = &[
        Peer::Utfkit,
        Peer::OneShot,
        Peer::AsUnicode,
        Peer::Std,
        Peer::Simdutf8,
        Peer::Simdutf8Compat,
        Peer::EncodingRs,
        Peer::EncodingRsDecoder,
        Peer::Simdutf,
        Peer::SimdutfErrors,
        Peer::Bytecount,
        Peer::Bstr,
        #[cfg(target_os = "wasi")]
        Peer::Node,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Peer::Utfkit => "utfkit",
            Peer::OneShot => "one-shot",
            Peer::AsUnicode => "as-unicode",
            Peer::Std => "std",
            Peer::Simdutf8 => "simdutf8",
            Peer::Simdutf8Compat => "simdutf8-compat",
            Peer::EncodingRs => "encoding_rs",
            Peer::EncodingRsDecoder => "encoding_rs-dec",
            Peer::Simdutf => "simdutf",
            Peer::SimdutfErrors => "simdutf-err",
            Peer::Bytecount => "bytecount",
            Peer::Bstr => "bstr",
            #[cfg(target_os = "wasi")]
            Peer::Node => "node",
        }
    }

    /// True if the peer can be limited to `isa`. simdutf has an environment
    /// variable, std uses the compile-time target, and the others detect up to
    /// AVX2.
    pub(crate) fn keeps_to(self, isa: Isa) -> bool {
        match self {
            Peer::Utfkit | Peer::OneShot | Peer::AsUnicode | Peer::Std | Peer::Simdutf | Peer::SimdutfErrors => true,
            _ => matches!(isa, Isa::Avx2 | Isa::Avx512),
        }
    }
}
