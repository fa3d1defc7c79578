//! WTF-16 ("The WTF-8 encoding": potentially ill-formed UTF-16):
//! any sequence of 16-bit units. A pair of surrogates is a supplementary
//! character; a surrogate without its other half is a value.

use core::marker::PhantomData;

use super::bytes::{Order, Serial, Unit};
use super::utf16::Utf16;
use super::{Decoded, Encoded, Form, Reader};

/// WTF-16 in units of native order.
///
/// As a [`Form`] cannot know the end of the source, a high surrogate there is
/// unfinished; [`Wtf16Reader`] knows.
pub struct Wtf16;

/// WTF-16 as bytes in the order `O`. It encodes with this and decodes with
/// [`Wtf16Reader`].
pub type Wtf16Bytes<O> = Serial<Wtf16, O>;

impl Form for Wtf16 {
    type Unit = u16;

    #[inline(always)]
    fn decode(src: &[u16]) -> Decoded {
        match Utf16::decode(src) {
            // A surrogate without its other half: the one error of UTF-16.
            Decoded::IllFormed { len, .. } => Decoded::Value { value: src[0].into(), len },
            other => other,
        }
    }

    /// Two values that are the halves of a pair become that pair.
    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u16>> {
        match u16::try_from(value) {
            Ok(unit) => Some(Encoded::from_slice(&[unit])),
            Err(_) => Utf16::encode(value),
        }
    }
}

/// Reads WTF-16 as bytes in the order `O`. Only a cut unit at the end of the
/// source is an error.
pub struct Wtf16Reader<O>(PhantomData<O>);

impl<O> Wtf16Reader<O> {
    pub const fn new() -> Wtf16Reader<O> {
        Wtf16Reader(PhantomData)
    }
}

// Derived, it would ask for an `O` that can be cloned.
impl<O> Clone for Wtf16Reader<O> {
    fn clone(&self) -> Wtf16Reader<O> {
        Wtf16Reader(PhantomData)
    }
}

impl<O: Order> Reader for Wtf16Reader<O> {
    #[inline]
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match Wtf16Bytes::<O>::decode(src) {
            // A whole unit that waits for another is a high surrogate.
            Decoded::Unfinished { .. } if last && src.len() >= u16::SIZE => {
                Decoded::Value { value: u16::read::<O>(src).into(), len: u16::SIZE }
            }
            other => other,
        }
    }
}
