//! The encoding forms, one value at a time. Each file *is* the definition:
//! kernels and drivers may only shorten the way to the same result.
//!
//! Values travel as `u32`; a form says which of them it can hold.

pub mod ascii;
pub mod bytes;
pub mod cesu8;
pub mod ibm437;
pub mod iso2022;
pub mod latin1;
pub mod mutf8;
pub mod short;
pub mod ucs2;
pub mod ucs4;
pub mod unicode11;
pub mod utf1;
pub mod utf16;
pub mod utf32;
pub mod utf7;
pub mod utf7_variants;
pub mod utf8;
pub mod utf8_standards;
pub mod wtf16;
pub mod wtf8;

use crate::ErrorKind;

/// The front of a sequence of units, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Decoded {
    /// A well-formed sequence of `len` units.
    Value { value: u32, len: usize },
    /// `len` units that change the state and are no character. Only a `Reader`
    /// has states.
    StateChange { len: usize },
    /// An ill-formed one; `len` units are its maximal subpart.
    IllFormed { kind: ErrorKind, len: usize },
    /// The units end inside a sequence that more could complete. If there are
    /// no more, `kind` is the error.
    Unfinished { kind: ErrorKind, len: usize },
}

/// The units of one encoded value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoded<U> {
    units: [U; 8],
    len: u8,
}

impl<U: Copy + Default> Encoded<U> {
    #[inline(always)]
    pub fn from_slice(units: &[U]) -> Encoded<U> {
        let mut e = Encoded { units: [U::default(); 8], len: units.len() as u8 };
        e.units[..units.len()].copy_from_slice(units);
        e
    }

    /// The first `len` of `units`; the rest is filling.
    #[inline(always)]
    pub fn from_padded(units: [U; 8], len: usize) -> Encoded<U> {
        Encoded { units, len: len as u8 }
    }

    /// The units of both, which are 8 at most.
    #[inline]
    pub fn then(&self, next: Encoded<U>) -> Encoded<U> {
        let (before, len) = (self.as_slice().len(), self.as_slice().len() + next.as_slice().len());
        debug_assert!(len <= self.units.len());
        let mut units = self.units;
        for (unit, of_next) in units[before..].iter_mut().zip(next.as_slice()) {
            *unit = *of_next;
        }
        Encoded::from_padded(units, len)
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[U] {
        &self.units[..self.len as usize]
    }

    /// The units, and after them whatever fills the array.
    #[inline(always)]
    pub fn padded(&self) -> &[U; 8] {
        &self.units
    }
}

/// At most eight bytes, put together in a register. Stored one by one, they would
/// stall the load that copies them together.
#[derive(Default)]
pub struct Written {
    bytes: u64,
    len: u32,
}

impl Written {
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.bytes |= u64::from(byte) << (8 * self.len);
        self.len += 1;
    }

    #[inline(always)]
    pub fn push_all<const N: usize>(&mut self, bytes: [u8; N]) {
        for byte in bytes {
            self.push(byte);
        }
    }

    #[inline(always)]
    pub fn into_encoded(self) -> Encoded<u8> {
        Encoded::from_padded(self.bytes.to_le_bytes(), self.len as usize)
    }
}

/// An encoding form (or, over bytes, an encoding scheme).
pub trait Form {
    /// The code unit.
    type Unit: Copy + Default;

    /// Reads the front of `src`, which is not empty.
    fn decode(src: &[Self::Unit]) -> Decoded;

    /// The units of `value`, or `None` if the form cannot hold it.
    fn encode(value: u32) -> Option<Encoded<Self::Unit>>;
}

/// [`Form::decode`] of a form over bytes.
pub type Decode = fn(&[u8]) -> Decoded;

/// [`Form::encode`] of a form over bytes.
pub type Encode = fn(u32) -> Option<Encoded<u8>>;

/// A decoder of bytes that carries something from one value to the next, or
/// that has to know where the input ends.
pub trait Reader: Clone {
    /// Reads the front of `src`, which is not empty; `last` says that nothing
    /// follows it.
    ///
    /// No decision needs more than [`LONGEST`] bytes, those included that it
    /// only looks at. With [`Decoded::Unfinished`], which is answered only
    /// where those run out, nothing has changed in the reader unless `last`;
    /// then all of `src` is the error. Every other answer takes at least one
    /// byte, and the next call reads from there.
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded;

    /// The set of characters in use, as a number: 0 at the beginning, and
    /// always for a reader without sets.
    fn state(&self) -> u32 {
        0
    }

    /// Goes to the state that [`state`](Self::state) gave this number.
    fn set_state(&mut self, _state: u32) {}
}

/// The most bytes that a decision of a `Reader` or of a [`Form`] needs.
pub const LONGEST: usize = 10;

/// An encoder into bytes that carries something from one value to the next.
pub trait Writer: Clone {
    /// The bytes of `value`, state changes before it included; they may be none, if
    /// it is pending. `None` if the encoding lacks the value: then nothing
    /// has changed.
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>>;

    /// Ends the text: returns a pending value and the change back to the first
    /// state, perhaps nothing.
    fn finish(&mut self) -> Encoded<u8>;

    /// The set of characters in use, as a number: 0 at the beginning, and
    /// always for a writer without sets.
    fn state(&self) -> u32 {
        0
    }

    /// Goes to the state that [`state`](Self::state) gave this number.
    fn set_state(&mut self, _state: u32) {}
}

/// A [`Reader`] that reads many characters in a loop, as long as nothing changes its state.
pub trait ReadRun: Reader {
    /// Reads characters at the front of `src` into units of UTF-16LE, as
    /// [`decode`](Reader::decode) would if more bytes followed. It may stop before any character.
    /// Returns the bytes read and the units written.
    fn read_run(&mut self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize);
}

/// A [`Writer`] that writes many characters in a loop, as long as nothing changes its state.
pub trait WriteRun: Writer {
    /// Writes characters at the front of `units`, which are UTF-16LE, as
    /// [`encode`](Writer::encode) would. It may stop before any character. Returns the units taken
    /// and the bytes written. The rest of `dst` is unspecified.
    fn write_run(&mut self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize);
}

/// A form as a [`Reader`] and as a [`Writer`].
#[derive(Debug)]
pub struct Stateless<F>(core::marker::PhantomData<F>);

pub const fn stateless<F>() -> Stateless<F> {
    Stateless(core::marker::PhantomData)
}

impl<F> Clone for Stateless<F> {
    fn clone(&self) -> Stateless<F> {
        stateless()
    }
}

impl<F: Form<Unit = u8>> Reader for Stateless<F> {
    #[inline]
    fn decode(&mut self, src: &[u8], _last: bool) -> Decoded {
        F::decode(src)
    }
}

impl<F: Form<Unit = u8>> Writer for Stateless<F> {
    #[inline]
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        F::encode(value)
    }

    fn finish(&mut self) -> Encoded<u8> {
        Encoded::from_slice(&[])
    }
}

/// The replacement character.
pub const REPLACEMENT: u32 = 0xFFFD;

/// The largest code point.
pub const MAX_CODE_POINT: u32 = 0x10_FFFF;

/// True if `value` is a surrogate code point.
#[inline(always)]
pub const fn is_surrogate(value: u32) -> bool {
    value & 0xFFFF_F800 == 0xD800
}

/// True if `value` is a Unicode scalar value (Unicode Standard, D76).
#[inline(always)]
pub const fn is_scalar_value(value: u32) -> bool {
    value <= MAX_CODE_POINT && !is_surrogate(value)
}
