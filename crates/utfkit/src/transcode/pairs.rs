//! The table: for every pair of encodings the function that takes the certain
//! prefix, and the scalar codecs for what is not certain.
//!
//! A pair works as soon as both encodings have a scalar codec: [`walk`] is
//! then its row. A kernel for a pair is one line in [`kernel`].

use crate::encoding::Encoding;
use crate::kernel::{OnFault, Replace, Stop};
use crate::policy::{Policy, Practice};
use crate::row::{self, Row};
use crate::scalar::ascii::Ascii;
use crate::scalar::bytes::{Big, Little, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::scalar::latin1::Latin1;
use crate::scalar::utf8::Utf8;
use crate::scalar::{Decoded, Encoded};
use crate::walk::{Scheme, walk};

/// All that the driver has to know of a pair of encodings.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) row: Row,
    pub(super) decode: fn(&[u8]) -> Decoded,
    pub(super) encode: fn(u32) -> Option<Encoded<u8>>,
    /// The bytes of a code unit of the source.
    pub(super) unit: usize,
}

/// The addresses of functions say nothing to a reader.
impl core::fmt::Debug for Pair {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pair").finish_non_exhaustive()
    }
}

/// An encoding that has a signature.
pub(super) struct Signed {
    /// The same without one, in little-endian order.
    pub(super) little: Encoding,
    /// U+FEFF in little-endian order; backwards it is the big-endian one.
    pub(super) signature: &'static [u8],
}

/// What `encoding` is made of if it has a signature.
pub(super) fn signed(encoding: Encoding) -> Option<Signed> {
    match encoding {
        Encoding::Utf16 => Some(Signed { little: Encoding::Utf16Le, signature: &[0xFF, 0xFE] }),
        Encoding::Utf32 => Some(Signed { little: Encoding::Utf32Le, signature: &[0xFF, 0xFE, 0, 0] }),
        _ => None,
    }
}

/// What the driver has to know of `from` and `to`. [`Encoding::Utf16`] and
/// [`Encoding::Utf32`] stand for what they are where no signature is: the
/// big-endian order as a source, and the little-endian one as a target, whose
/// signature the driver writes.
pub(super) fn pair(from: Encoding, to: Encoding, policy: Policy) -> Pair {
    let general = match from {
        Encoding::Utf8 => general_from::<Utf8>(to),
        Encoding::Utf16Le => general_from::<Utf16Le>(to),
        Encoding::Utf16Be | Encoding::Utf16 => general_from::<Utf16Be>(to),
        Encoding::Utf32Le => general_from::<Utf32Le>(to),
        Encoding::Utf32Be | Encoding::Utf32 => general_from::<Utf32Be>(to),
        Encoding::Latin1 => general_from::<Latin1>(to),
        Encoding::UsAscii => general_from::<Ascii>(to),
    };
    let row = match policy {
        Policy::Replace(Practice::MaximalSubpart) => kernel::<Replace>(from, to),
        _ => kernel::<Stop>(from, to),
    };
    Pair { row: row.unwrap_or(general.row), ..general }
}

fn general_from<S: Scheme>(to: Encoding) -> Pair {
    match to {
        Encoding::Utf8 => general::<S, Utf8>(),
        Encoding::Utf16Le | Encoding::Utf16 => general::<S, Utf16Le>(),
        Encoding::Utf16Be => general::<S, Utf16Be>(),
        Encoding::Utf32Le | Encoding::Utf32 => general::<S, Utf32Le>(),
        Encoding::Utf32Be => general::<S, Utf32Be>(),
        Encoding::Latin1 => general::<S, Latin1>(),
        Encoding::UsAscii => general::<S, Ascii>(),
    }
}

/// What every pair has, with a row made of the scalar codecs.
fn general<S: Scheme, D: Scheme>() -> Pair {
    Pair { row: walk::<S, D, Stop>, decode: S::decode, encode: D::encode, unit: S::SIZE }
}

/// The row with a kernel, where a pair has one: a line for each.
///
/// With [`Replace`] only for targets that lack no character: what is counted
/// as lacking ([`Transcoder::unrepresentable_count`]) is counted by the driver.
///
/// [`Transcoder::unrepresentable_count`]: crate::Transcoder::unrepresentable_count
fn kernel<F: OnFault>(from: Encoding, to: Encoding) -> Option<Row> {
    Some(match (from, to) {
        (Encoding::Utf8, Encoding::Utf8) => row::utf8_to_utf8::<F>,
        (Encoding::Utf8, Encoding::Utf16Le | Encoding::Utf16) => row::utf8_to_utf16::<Little, F>,
        (Encoding::Utf8, Encoding::Utf16Be) => row::utf8_to_utf16::<Big, F>,
        (Encoding::Utf16Le, Encoding::Utf8) => row::utf16_to_utf8::<Little, F>,
        (Encoding::Utf16Be | Encoding::Utf16, Encoding::Utf8) => row::utf16_to_utf8::<Big, F>,
        (Encoding::Latin1, Encoding::Utf8) => row::latin1_to_utf8::<F>,
        (Encoding::Latin1, Encoding::Utf16Le | Encoding::Utf16) => row::latin1_to_utf16::<Little, F>,
        (Encoding::Latin1, Encoding::Utf16Be) => row::latin1_to_utf16::<Big, F>,
        (Encoding::Latin1, Encoding::Utf32Le | Encoding::Utf32) => row::latin1_to_utf32::<Little, F>,
        (Encoding::Latin1, Encoding::Utf32Be) => row::latin1_to_utf32::<Big, F>,
        (Encoding::Utf8, Encoding::Latin1) if F::STOP => row::utf8_to_latin1,
        (Encoding::Utf16Le, Encoding::Latin1) if F::STOP => row::utf16_to_latin1::<Little>,
        (Encoding::Utf16Be | Encoding::Utf16, Encoding::Latin1) if F::STOP => row::utf16_to_latin1::<Big>,
        (Encoding::Utf32Le, Encoding::Latin1) if F::STOP => row::utf32_to_latin1::<Little>,
        (Encoding::Utf32Be | Encoding::Utf32, Encoding::Latin1) if F::STOP => row::utf32_to_latin1::<Big>,
        (Encoding::Utf8, Encoding::Utf32Le | Encoding::Utf32) => row::utf8_to_utf32::<Little, F>,
        (Encoding::Utf8, Encoding::Utf32Be) => row::utf8_to_utf32::<Big, F>,
        (Encoding::Utf32Le, Encoding::Utf8) => row::utf32_to_utf8::<Little, F>,
        (Encoding::Utf32Be | Encoding::Utf32, Encoding::Utf8) => row::utf32_to_utf8::<Big, F>,
        (Encoding::Utf16Le, Encoding::Utf32Le | Encoding::Utf32) => row::utf16_to_utf32::<Little, Little, F>,
        (Encoding::Utf16Le, Encoding::Utf32Be) => row::utf16_to_utf32::<Little, Big, F>,
        (Encoding::Utf16Be | Encoding::Utf16, Encoding::Utf32Le | Encoding::Utf32) => {
            row::utf16_to_utf32::<Big, Little, F>
        }
        (Encoding::Utf16Be | Encoding::Utf16, Encoding::Utf32Be) => row::utf16_to_utf32::<Big, Big, F>,
        (Encoding::Utf32Le, Encoding::Utf16Le | Encoding::Utf16) => row::utf32_to_utf16::<Little, Little, F>,
        (Encoding::Utf32Le, Encoding::Utf16Be) => row::utf32_to_utf16::<Little, Big, F>,
        (Encoding::Utf32Be | Encoding::Utf32, Encoding::Utf16Le | Encoding::Utf16) => {
            row::utf32_to_utf16::<Big, Little, F>
        }
        (Encoding::Utf32Be | Encoding::Utf32, Encoding::Utf16Be) => row::utf32_to_utf16::<Big, Big, F>,
        (Encoding::Utf16Le, Encoding::Utf16Le | Encoding::Utf16) => row::utf16_to_utf16::<Little, Little, F>,
        (Encoding::Utf16Le, Encoding::Utf16Be) => row::utf16_to_utf16::<Little, Big, F>,
        (Encoding::Utf16Be | Encoding::Utf16, Encoding::Utf16Le | Encoding::Utf16) => {
            row::utf16_to_utf16::<Big, Little, F>
        }
        (Encoding::Utf16Be | Encoding::Utf16, Encoding::Utf16Be) => row::utf16_to_utf16::<Big, Big, F>,
        (Encoding::Utf32Le, Encoding::Utf32Le | Encoding::Utf32) => row::utf32_to_utf32::<Little, Little, F>,
        (Encoding::Utf32Le, Encoding::Utf32Be) => row::utf32_to_utf32::<Little, Big, F>,
        (Encoding::Utf32Be | Encoding::Utf32, Encoding::Utf32Le | Encoding::Utf32) => {
            row::utf32_to_utf32::<Big, Little, F>
        }
        (Encoding::Utf32Be | Encoding::Utf32, Encoding::Utf32Be) => row::utf32_to_utf32::<Big, Big, F>,
        _ => return None,
    })
}
