//! Encoding schemes: a form of 16- or 32-bit units as a sequence of bytes, in
//! a stated order (UTF-16LE, UTF-16BE, UTF-32LE, UTF-32BE).

use core::marker::PhantomData;

use super::utf16::Utf16;
use super::utf32::Utf32;
use super::{Decoded, Encoded, Form};
use crate::ErrorKind;

/// The order of the bytes of a unit.
pub trait Order {
    /// True if the most significant byte comes first.
    const BIG: bool;
}

/// Least significant byte first.
pub struct Little;
/// Most significant byte first.
pub struct Big;

impl Order for Little {
    const BIG: bool = false;
}
impl Order for Big {
    const BIG: bool = true;
}

/// The order of this machine.
#[cfg(target_endian = "little")]
pub type Native = Little;
/// The order of this machine.
#[cfg(target_endian = "big")]
pub type Native = Big;

/// A unit of more than one byte.
pub trait Unit: Copy + Default {
    const SIZE: usize;
    /// Reads the first `SIZE` bytes of `bytes`.
    fn read<O: Order>(bytes: &[u8]) -> Self;
    /// Writes the first `SIZE` bytes of `bytes`.
    fn write<O: Order>(self, bytes: &mut [u8]);
}

impl Unit for u16 {
    const SIZE: usize = 2;
    #[inline(always)]
    fn read<O: Order>(bytes: &[u8]) -> u16 {
        let b = [bytes[0], bytes[1]];
        if O::BIG { u16::from_be_bytes(b) } else { u16::from_le_bytes(b) }
    }
    #[inline(always)]
    fn write<O: Order>(self, bytes: &mut [u8]) {
        bytes[..2].copy_from_slice(&if O::BIG { self.to_be_bytes() } else { self.to_le_bytes() });
    }
}

impl Unit for u32 {
    const SIZE: usize = 4;
    #[inline(always)]
    fn read<O: Order>(bytes: &[u8]) -> u32 {
        let b = [bytes[0], bytes[1], bytes[2], bytes[3]];
        if O::BIG { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) }
    }
    #[inline(always)]
    fn write<O: Order>(self, bytes: &mut [u8]) {
        bytes[..4].copy_from_slice(&if O::BIG { self.to_be_bytes() } else { self.to_le_bytes() });
    }
}

/// The form `F` as bytes in the order `O`. No sequence of `F` is longer than
/// two units.
pub struct Serial<F, O>(PhantomData<(F, O)>);

/// UTF-16LE, RFC 2781 section 3.3 (no BOM: U+FEFF is a character).
pub type Utf16Le = Serial<Utf16, Little>;
/// UTF-16BE, RFC 2781 section 3.3.
pub type Utf16Be = Serial<Utf16, Big>;
/// UTF-32LE (Unicode Standard, D100).
pub type Utf32Le = Serial<Utf32, Little>;
/// UTF-32BE (Unicode Standard, D99).
pub type Utf32Be = Serial<Utf32, Big>;

impl<F: Form<Unit: Unit>, O: Order> Form for Serial<F, O> {
    type Unit = u8;

    #[inline(always)]
    fn decode(src: &[u8]) -> Decoded {
        let size = F::Unit::SIZE;
        let cut = |len| Decoded::Unfinished { kind: ErrorKind::Truncated, len };
        if src.len() < size {
            return cut(src.len());
        }
        let first = F::Unit::read::<O>(src);
        let decoded = match src.get(size..) {
            Some(rest) if rest.len() >= size => F::decode(&[first, F::Unit::read::<O>(rest)]),
            _ => F::decode(&[first]),
        };
        match decoded {
            Decoded::Value { value, len } => Decoded::Value { value, len: len * size },
            Decoded::StateChange { len } => Decoded::StateChange { len: len * size },
            Decoded::IllFormed { kind, len } => Decoded::IllFormed { kind, len: len * size },
            // A high surrogate, and a part of the next unit.
            Decoded::Unfinished { len, .. } if src.len() > len * size => cut(src.len()),
            Decoded::Unfinished { kind, len } => Decoded::Unfinished { kind, len: len * size },
        }
    }

    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        let units = F::encode(value)?;
        let mut bytes = [0; 8];
        // All units of the array, needed or not: a loop of constant length is
        // one store.
        for (space, unit) in bytes.chunks_exact_mut(F::Unit::SIZE).zip(units.padded()) {
            unit.write::<O>(space);
        }
        Some(Encoded::from_padded(bytes, units.as_slice().len() * F::Unit::SIZE))
    }
}
