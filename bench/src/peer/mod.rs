//! The competitors, each as plain functions over slices.
//!
//! A conversion takes a source and a destination and returns the units
//! written, or `None` if it calls the source ill-formed. Every wrapper is as
//! thin as its library allows.

pub(crate) mod encoding_rs;
#[cfg(target_os = "wasi")]
pub(crate) mod node;
pub(crate) mod simdutf;
pub(crate) mod std;

use utfkit::isa::Isa;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    Utfkit,
    /// utfkit itself, where its stream is measured.
    OneShot,
    /// utfkit itself with UTF-8 or UTF-16, where a relative of them is measured.
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
    /// `TextDecoder` and `TextEncoder` of Node, which only a program has that it runs.
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

    /// Whether it keeps to `isa` when asked. simdutf obeys its environment
    /// variable, std uses what the program was compiled for, and the others
    /// choose by themselves, up to AVX2.
    pub(crate) fn keeps_to(self, isa: Isa) -> bool {
        match self {
            Peer::Utfkit | Peer::OneShot | Peer::AsUnicode | Peer::Std | Peer::Simdutf | Peer::SimdutfErrors => true,
            _ => matches!(isa, Isa::Avx2 | Isa::Avx512),
        }
    }
}
