//! Strings and bytes of CPython as slices, and made of slices: the only file with
//! `unsafe` in it.
//!
//! Since PEP 393 a string keeps its characters in units of 1, 2 or 4 bytes, whichever
//! the widest of them needs: one below U+0100, one up to U+FFFF, or another. The widest
//! one is found first ([`crate::widest`]); then the library's kernels convert straight
//! into the memory of the new string.
//!
//! A new string is seen by nobody else until it is returned, which happens only after
//! all of it was written. One that was not is dropped here.
#![allow(unsafe_code)]

use std::ops::Range;

use engine::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{Borrowed, ffi};

use crate::widest::{FROM_SURROGATES, Widest, above_surrogates, widest};

/// From how many bytes on other threads may run meanwhile. To let go of the interpreter
/// and take it back costs more than a short conversion, and much more if another thread
/// wants it.
const LONG: usize = 16 << 10;

/// Runs `work`, which does not touch the interpreter: while others may, if `size` bytes make
/// it long.
#[inline]
pub(crate) fn apart<T: Send>(py: Python<'_>, size: usize, work: impl FnOnce() -> T + Send) -> T {
    if size < LONG { work() } else { py.detach(work) }
}

/// The characters of a string.
#[derive(Clone, Copy)]
pub(crate) enum Text<'a> {
    /// All below U+0080.
    Ascii(&'a [u8]),
    /// All below U+0100.
    Latin1(&'a [u8]),
    /// All up to U+FFFF, surrogates among them.
    Bmp(&'a [u16]),
    /// All up to U+10FFFF, surrogates among them.
    All(&'a [u32]),
}

impl<'a> Text<'a> {
    #[inline]
    pub(crate) fn of(string: &'a Bound<'_, PyString>) -> PyResult<Text<'a>> {
        // SAFETY: it is a string.
        #[cfg(not(Py_3_12))]
        if unsafe { ffi::PyUnicode_IS_READY(string.as_ptr()) } == 0 {
            make_ready(string)?;
        }
        // SAFETY: it is a string, and ready: since Python 3.12 there is no other.
        let kind = unsafe { ffi::PyUnicode_KIND(string.as_ptr()) };
        // SAFETY: the same.
        let len = unsafe { ffi::PyUnicode_GET_LENGTH(string.as_ptr()) }.unsigned_abs();
        // SAFETY: the same.
        let data = unsafe { ffi::PyUnicode_DATA(string.as_ptr()) };
        match kind {
            // SAFETY: a string of this kind has `len` units of two bytes, aligned, which never
            // change, and lives as long as the borrow.
            ffi::PyUnicode_2BYTE_KIND => Ok(Text::Bmp(unsafe { std::slice::from_raw_parts(data.cast(), len) })),
            // SAFETY: the same, of four bytes.
            ffi::PyUnicode_4BYTE_KIND => Ok(Text::All(unsafe { std::slice::from_raw_parts(data.cast(), len) })),
            _ => {
                // SAFETY: the same, of one byte: no string that is ready is of another kind.
                let units = unsafe { std::slice::from_raw_parts(data.cast(), len) };
                Ok(if is_ascii(string, units) { Text::Ascii(units) } else { Text::Latin1(units) })
            }
        }
    }

    pub(crate) fn len(self) -> usize {
        match self {
            Text::Ascii(units) | Text::Latin1(units) => units.len(),
            Text::Bmp(units) => units.len(),
            Text::All(units) => units.len(),
        }
    }

    /// The character at `index`.
    pub(crate) fn at(self, index: usize) -> Option<u32> {
        match self {
            Text::Ascii(units) | Text::Latin1(units) => units.get(index).copied().map(u32::from),
            Text::Bmp(units) => units.get(index).copied().map(u32::from),
            Text::All(units) => units.get(index).copied(),
        }
    }

    /// The memory of the characters in `range`, in the order of the machine.
    pub(crate) fn bytes(self, range: Range<usize>) -> &'a [u8] {
        match self {
            Text::Ascii(units) | Text::Latin1(units) => units.get(range).unwrap_or_default(),
            Text::Bmp(units) => plain(units.get(range).unwrap_or_default()),
            Text::All(units) => plain(units.get(range).unwrap_or_default()),
        }
    }
}

/// Makes a string of the old kind, which has its characters in another form until somebody
/// asks, like any other.
#[cfg(not(Py_3_12))]
#[cold]
fn make_ready(string: &Bound<'_, PyString>) -> PyResult<()> {
    // SAFETY: `data` asks for that and passes on what Python says. The units are not looked at.
    unsafe { string.data() }.map(|_| ())
}

/// Whether a string whose units have one byte is US-ASCII, of which it says so itself.
#[inline]
#[cfg(not(Py_3_14))]
fn is_ascii(string: &Bound<'_, PyString>, _: &[u8]) -> bool {
    // SAFETY: it is a string, and ready, or it would have no units.
    unsafe { ffi::PyUnicode_IS_ASCII(string.as_ptr()) != 0 }
}

/// The same where only Python knows where it says so.
#[inline]
#[cfg(Py_3_14)]
fn is_ascii(_: &Bound<'_, PyString>, units: &[u8]) -> bool {
    units.is_ascii()
}

/// An integer whose every byte belongs to its value.
trait Unit: Copy + Send {}
impl Unit for u16 {}
impl Unit for u32 {}

fn plain<T: Unit>(units: &[T]) -> &[u8] {
    // SAFETY: `units` is that many initialised bytes, since a `Unit` has no padding, and
    // every address is aligned for a byte.
    unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// Why there is no string of some bytes.
pub(crate) enum Failure {
    /// They are ill-formed; where is known to whom it was told.
    IllFormed,
    /// What Python says, no memory above all.
    Python(PyErr),
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

/// The string that `src` is in UTF-8.
#[inline]
pub(crate) fn string_of_utf8<'py>(py: Python<'py>, src: &[u8]) -> Result<Bound<'py, PyString>, Failure> {
    if src.len() > SHORT {
        return long_string_of_utf8(py, src);
    }
    if short_ascii(src) {
        return Ok(string_of_ascii(py, src)?);
    }
    short_string_of_utf8(py, src)
}

/// Up to how many bytes text goes by memory of a known size: one pass, and a copy.
const SHORT: usize = 64;

fn short_string_of_utf8<'py>(py: Python<'py>, src: &[u8]) -> Result<Bound<'py, PyString>, Failure> {
    let mut units = [0_u16; SHORT];
    let Ok(len) = engine::utf8_to_utf16(src, &mut units) else { return Err(Failure::IllFormed) };
    let units = &units[..len];
    let (mut any, mut has_surrogates) = (0, false);
    for unit in units {
        any |= unit;
        has_surrogates |= unit & 0xF800 == 0xD800;
    }
    if has_surrogates {
        return Ok(short_string_of_utf16(py, units)?);
    }
    let most = if any > 0xFF { 0xFFFF } else { 0xFF };
    if len < 2 {
        // There is one string of each character below U+0100.
        return Ok(string_of_u16(py, units)?);
    }
    let new = New::of_len(py, len, most)?;
    if any > 0xFF {
        // SAFETY: with characters up to U+FFFF there is memory for units of two bytes.
        unsafe { new.units::<u16>() }.copy_from_slice(units);
    } else {
        // SAFETY: below U+0100, for units of one byte.
        let dst = unsafe { new.units::<u8>() };
        for (to, unit) in dst.iter_mut().zip(units) {
            *to = *unit as u8;
        }
    }
    Ok(new.written())
}

/// Whether no byte is above 7F, where a call of a kernel would take longer.
#[inline]
fn short_ascii(src: &[u8]) -> bool {
    let (words, rest) = src.as_chunks::<8>();
    let mut all = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    for byte in rest {
        all |= u64::from(*byte);
    }
    all & 0x8080_8080_8080_8080 == 0
}

/// The string that `src` is, which has no byte above 7F.
#[inline]
fn string_of_ascii<'py>(py: Python<'py>, src: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if src.len() < 2 {
        // There is one string of each of these.
        return string_of_latin1(py, src);
    }
    let new = New::of_len(py, src.len(), 0x7F)?;
    // SAFETY: `New` has as many bytes as it was asked for, those of units of one byte,
    // and nobody else knows them.
    let dst = unsafe { new.units::<u8>() };
    apart(py, src.len(), || dst.copy_from_slice(src));
    Ok(new.written())
}

/// The same with characters above U+FFFF.
fn short_string_of_utf16<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    let (mut values, mut len) = ([0; SHORT], 0);
    for (value, c) in values.iter_mut().zip(char::decode_utf16(units.iter().copied())) {
        *value = c.map_or(0xFFFD, u32::from);
        len += 1;
    }
    let new = New::of_len(py, len, 0x10_FFFF)?;
    // SAFETY: with characters above U+FFFF there is memory for units of four bytes; there is
    // at least one.
    unsafe { new.units::<u32>() }.copy_from_slice(&values[..len]);
    Ok(new.written())
}

#[inline(never)]
fn long_string_of_utf8<'py>(py: Python<'py>, src: &[u8]) -> Result<Bound<'py, PyString>, Failure> {
    let (len, widest) = apart(py, src.len(), || widest(src));
    match widest {
        Widest::Ascii => Ok(string_of_ascii(py, src)?),
        Widest::Latin1 => converted::<u8>(py, src, len, 0xFF, engine::utf8_to_latin1),
        Widest::Bmp => converted::<u16>(py, src, len, 0xFFFF, engine::utf8_to_utf16),
        Widest::All => converted::<u32>(py, src, len, 0x10_FFFF, engine::utf8_to_utf32),
    }
}

/// The string that `src` is in UTF-16, of which `unit` says the order of the bytes.
pub(crate) fn string_of_utf16<'py>(
    py: Python<'py>,
    src: &[u8],
    unit: impl Fn([u8; 2]) -> u16 + Sync,
) -> Result<Bound<'py, PyString>, Failure> {
    let (units, rest) = src.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Failure::IllFormed);
    }
    let (any, least) = apart(py, src.len(), || {
        units.iter().fold((0, i16::MAX), |(any, least), bytes| {
            let value = unit(*bytes);
            (any | value, least.min(above_surrogates(value)))
        })
    });
    if least < FROM_SURROGATES {
        return string_of_pairs(py, apart(py, src.len(), || units.iter().map(|bytes| unit(*bytes)).collect()));
    }
    Ok(match any {
        _ if units.len() < 2 => string_of_u16(py, &units.iter().map(|bytes| unit(*bytes)).collect::<Vec<_>>()),
        0..=0x7F => one_by_one(py, units, 0x7F, |bytes| unit(bytes) as u8),
        0x80..=0xFF => one_by_one(py, units, 0xFF, |bytes| unit(bytes) as u8),
        _ => one_by_one(py, units, 0xFFFF, unit),
    }?)
}

/// The string that `src` is in UTF-16, surrogates among it.
fn string_of_pairs<'py>(py: Python<'py>, src: Vec<u16>) -> Result<Bound<'py, PyString>, Failure> {
    let size = 2 * src.len();
    let len = apart(py, size, || engine::utf32_len_from_utf16(&src));
    let new = New::of_len(py, len, 0x10_FFFF)?;
    // SAFETY: with characters above U+FFFF there is memory for units of four bytes; there is
    // at least one, since a surrogate is one at worst.
    let dst = unsafe { new.units::<u32>() };
    match apart(py, size, || engine::utf16_to_utf32(&src, dst)) {
        Ok(written) if written == len => Ok(new.written()),
        _ => Err(Failure::IllFormed),
    }
}

/// The string whose characters a byte each of `src` says, by a table.
pub(crate) fn string_of_table<'py>(
    py: Python<'py>,
    src: &[u8],
    table: &[u16; 256],
) -> Result<Bound<'py, PyString>, Failure> {
    let any = apart(py, src.len(), || src.iter().fold(0, |any: u16, byte| any | table[usize::from(*byte)]));
    if src.len() < 2 || any <= 0xFF {
        return Ok(string_of_u16(py, &src.iter().map(|byte| table[usize::from(*byte)]).collect::<Vec<_>>())?);
    }
    Ok(one_by_one(py, src, 0xFFFF, |byte| table[usize::from(byte)])?)
}

/// The string whose characters one or two bytes each of `src` say, by a table of
/// [`crate::tables::read_pairs`].
pub(crate) fn string_of_pairs_by_table<'py>(
    py: Python<'py>,
    src: &[u8],
    table: &[u16; 0x1_0000],
) -> Result<Bound<'py, PyString>, Failure> {
    let counted = apart(py, src.len(), || {
        let (mut rest, mut len, mut any) = (src, 0, 0);
        while !rest.is_empty() {
            any |= next_by_table(&mut rest, table)?;
            len += 1;
        }
        Some((len, any))
    });
    let Some((len, any)) = counted else { return Err(Failure::IllFormed) };
    let mut rest = src;
    let mut read = || next_by_table(&mut rest, table).unwrap_or_default();
    if len < 2 || any <= 0xFF {
        let units: Vec<u16> = (0..len).map(|_| read()).collect();
        return Ok(string_of_u16(py, &units)?);
    }
    let new = New::of_len(py, len, 0xFFFF)?;
    // SAFETY: with characters up to U+FFFF there is memory for units of two bytes; there is
    // more than one.
    let dst = unsafe { new.units::<u16>() };
    apart(py, src.len(), || dst.iter_mut().for_each(|unit| *unit = read()));
    Ok(new.written())
}

/// Takes the next character.
#[inline(always)]
fn next_by_table(src: &mut &[u8], table: &[u16; 0x1_0000]) -> Option<u16> {
    let (first, rest) = src.split_first()?;
    let mut unit = u16::from(*first);
    *src = rest;
    if unit >= 0x80 {
        unit = table[usize::from(*first)];
        if unit == 0 {
            let (second, rest) = rest.split_first()?;
            unit = table[usize::from(u16::from_be_bytes([*first, *second]))];
            *src = rest;
        }
        if unit == 0 {
            return None;
        }
    }
    Some(unit)
}

/// The string that `src` is in UTF-32, of which `unit` says the order of the bytes.
pub(crate) fn string_of_utf32<'py>(
    py: Python<'py>,
    src: &[u8],
    unit: impl Fn([u8; 4]) -> u32 + Sync,
) -> Result<Bound<'py, PyString>, Failure> {
    let (units, rest) = src.as_chunks::<4>();
    let (any, wrong) = apart(py, src.len(), || {
        units.iter().fold((0, 0), |(any, wrong), bytes| {
            let value = unit(*bytes);
            // From 0 to 10F7FF for scalar values, and above it for all others.
            let moved = (value ^ 0xD800).wrapping_sub(0x800);
            (any | value, wrong | moved | 0x10_F7FF_u32.wrapping_sub(moved))
        })
    });
    if !rest.is_empty() || wrong >> 31 != 0 {
        return Err(Failure::IllFormed);
    }
    Ok(match any {
        _ if units.len() < 2 => string_of_values(py, units.iter().map(|bytes| unit(*bytes)).collect()),
        0..=0x7F => one_by_one(py, units, 0x7F, |bytes| unit(bytes) as u8),
        0x80..=0xFF => one_by_one(py, units, 0xFF, |bytes| unit(bytes) as u8),
        0x100..=0xFFFF => one_by_one(py, units, 0xFFFF, |bytes| unit(bytes) as u16),
        _ => one_by_one(py, units, 0x10_FFFF, unit),
    }?)
}

/// A string of a unit for each of `src`, which are more than one.
fn one_by_one<'py, S: Copy + Sync, T: Send>(
    py: Python<'py>,
    src: &[S],
    most: u32,
    unit: impl Fn(S) -> T + Sync,
) -> PyResult<Bound<'py, PyString>> {
    let new = New::of_len(py, src.len(), most)?;
    // SAFETY: callers have the type that PEP 393 has units of for `most`, so there is memory
    // for as many as there are in `src`, aligned, which nobody else knows.
    let dst = unsafe { new.units::<T>() };
    apart(py, size_of_val(src), || {
        for (to, from) in dst.iter_mut().zip(src) {
            *to = unit(*from);
        }
    });
    Ok(new.written())
}

/// A string of `len` units that `convert` writes. It is returned only if all were written:
/// a conversion that is done has written characters and nothing else, and surrogates
/// among them only for what is above U+FFFF, which is not where units have two bytes.
fn converted<'py, T: Send>(
    py: Python<'py>,
    src: &[u8],
    len: usize,
    most: u32,
    convert: fn(&[u8], &mut [T]) -> Result<usize, Error>,
) -> Result<Bound<'py, PyString>, Failure> {
    if len == 0 {
        // Continuation bytes alone. The empty string is shared.
        return Err(Failure::IllFormed);
    }
    let new = New::of_len(py, len, most)?;
    // SAFETY: callers name the type for `most` that PEP 393 has units of, so there is memory
    // for `len` of them, aligned, which nobody else knows.
    let dst = unsafe { new.units::<T>() };
    match apart(py, src.len(), || convert(src, dst)) {
        Ok(written) if written == len => Ok(new.written()),
        _ => Err(Failure::IllFormed),
    }
}

/// A string that is not written yet.
struct New<'py> {
    string: Bound<'py, PyString>,
    len: usize,
}

impl<'py> New<'py> {
    /// One of `len` characters up to `most`, with memory of its own. `len` is not 0.
    #[inline]
    fn of_len(py: Python<'py>, len: usize, most: u32) -> PyResult<New<'py>> {
        let size = ffi::Py_ssize_t::try_from(len).map_err(|_| no_memory(py))?;
        // SAFETY: this thread is attached, the size is not negative, and `most` is a
        // code point.
        let string = unsafe { ffi::PyUnicode_New(size, most) };
        // SAFETY: it is null with an exception set, or a new reference.
        let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
        // SAFETY: `PyUnicode_New` makes strings and nothing else.
        let string = unsafe { string.cast_into_unchecked() };
        Ok(New { string, len })
    }

    /// Its units, whatever is there; every value of an integer is one. They are written before
    /// they are read: conversions do not look at their destination.
    ///
    /// # Safety
    ///
    /// It was made for units of the size of `T`, for more characters than none, and this
    /// is called once.
    #[inline]
    #[allow(clippy::mut_from_ref)]
    unsafe fn units<T>(&self) -> &mut [T] {
        // SAFETY: it is a string, and ready.
        let data = unsafe { ffi::PyUnicode_DATA(self.string.as_ptr()) };
        // SAFETY: after its header there is memory for the units that it was made for, aligned
        // for them; there are `len`; the string lives longer than the borrow; nobody
        // else has it.
        unsafe { std::slice::from_raw_parts_mut(data.cast::<T>(), self.len) }
    }

    #[inline]
    fn written(self) -> Bound<'py, PyString> {
        self.string
    }
}

#[cold]
fn no_memory(_: Python<'_>) -> PyErr {
    pyo3::exceptions::PyMemoryError::new_err(())
}

/// The string whose characters are the bytes of `src`.
#[inline]
pub(crate) fn string_of_latin1<'py>(py: Python<'py>, src: &[u8]) -> PyResult<Bound<'py, PyString>> {
    string_of_units(py, ffi::PyUnicode_1BYTE_KIND, src)
}

/// The string whose characters are `values`, surrogates and all. Values that no string
/// may have become U+FFFD.
pub(crate) fn string_of_values<'py>(py: Python<'py>, mut values: Vec<u32>) -> PyResult<Bound<'py, PyString>> {
    for value in &mut values {
        if *value > 0x10_FFFF {
            *value = 0xFFFD;
        }
    }
    string_of_units(py, ffi::PyUnicode_4BYTE_KIND, &values)
}

/// The string whose characters are `units` one by one, surrogates and all.
pub(crate) fn string_of_u16<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    string_of_units(py, ffi::PyUnicode_2BYTE_KIND, units)
}

fn string_of_units<'py, T>(py: Python<'py>, kind: u32, units: &[T]) -> PyResult<Bound<'py, PyString>> {
    let size = ffi::Py_ssize_t::try_from(units.len()).map_err(|_| no_memory(py))?;
    let Ok(kind) = kind.try_into() else { return Err(no_memory(py)) };
    // SAFETY: there are `size` units; the functions above name the kind that has their size,
    // and units of four bytes have code points.
    let string = unsafe { ffi::PyUnicode_FromKindAndData(kind, units.as_ptr().cast(), size) };
    // SAFETY: it is null with an exception set, or a new reference.
    let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
    // SAFETY: `PyUnicode_FromKindAndData` makes strings and nothing else.
    Ok(unsafe { string.cast_into_unchecked() })
}

/// New bytes, of which `write` writes `len` at the most, and says how many; or nothing, if it
/// says so.
#[inline]
pub(crate) fn bytes_written_by<'py>(
    py: Python<'py>,
    len: usize,
    write: impl FnOnce(&mut [u8]) -> Option<usize> + Send,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if len == 0 {
        return Ok((write(&mut []) == Some(0)).then(|| PyBytes::new(py, b"")));
    }
    let size = ffi::Py_ssize_t::try_from(len).map_err(|_| no_memory(py))?;
    // SAFETY: null asks for memory that is not written yet; this thread is attached and the
    // size not negative.
    let bytes = unsafe { ffi::PyBytes_FromStringAndSize(std::ptr::null(), size) };
    // SAFETY: it is null with an exception set, or a new reference.
    let bytes = unsafe { Bound::from_owned_ptr_or_err(py, bytes) }?;
    // SAFETY: `PyBytes_FromStringAndSize` makes bytes and nothing else.
    let bytes: Bound<'py, PyBytes> = unsafe { bytes.cast_into_unchecked() };
    // SAFETY: it is an object of type bytes.
    let data = unsafe { ffi::PyBytes_AsString(bytes.as_ptr()) };
    // SAFETY: there are `len` bytes; asked for with null they are not those of a shared
    // object, whatever the length, except for 0; every value is one of a byte, and they are
    // written before they are read.
    let dst = unsafe { std::slice::from_raw_parts_mut(data.cast::<u8>(), len) };
    match apart(py, len, || write(dst)) {
        Some(written) if written == len => Ok(Some(bytes)),
        Some(written) if written < len => Ok(Some(shortened(bytes, written)?)),
        _ => Ok(None),
    }
}

/// The first `len` of bytes that nobody else has seen, in their own memory. They have more.
fn shortened<'py>(bytes: Bound<'py, PyBytes>, len: usize) -> PyResult<Bound<'py, PyBytes>> {
    let py = bytes.py();
    let size = ffi::Py_ssize_t::try_from(len).map_err(|_| no_memory(py))?;
    let mut object = bytes.into_ptr();
    // SAFETY: it is an object of type bytes with one reference, which is given away: it may move.
    // Whether that fails is seen by what is there afterwards.
    unsafe { _PyBytes_Resize(&mut object, size) };
    // SAFETY: it is null with an exception set, or the only reference.
    let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    // SAFETY: bytes stay bytes.
    Ok(unsafe { object.cast_into_unchecked() })
}

unsafe extern "C" {
    /// Documented by Python, and kept to itself by pyo3.
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, size: ffi::Py_ssize_t) -> std::ffi::c_int;
}

/// Whether `object` lets others see its memory.
pub(crate) fn has_memory(object: Borrowed<'_, '_, PyAny>) -> bool {
    // SAFETY: it is an object.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// The functions that have to be as fast as a method of Python's own, for the arguments
/// that they mostly have: a call through pyo3 takes 20 ns longer. Anything else is passed on
/// to those of the module `text`, which do the same for all arguments.
pub(crate) mod short_calls {
    use std::ffi::CStr;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::ptr::null_mut;

    use pyo3::prelude::*;
    use pyo3::sync::PyOnceLock;
    use pyo3::types::{PyBytes, PyCFunction, PyModule, PyString};
    use pyo3::{Borrowed, ffi};

    use super::{Text, string_of_utf8};
    use crate::encoding::to_utf8;

    /// A function of Python: the module, the arguments, how many are not named, the names of
    /// the others.
    type Call = unsafe extern "C" fn(
        *mut ffi::PyObject,
        *const *mut ffi::PyObject,
        ffi::Py_ssize_t,
        *mut ffi::PyObject,
    ) -> *mut ffi::PyObject;

    /// The functions for all arguments.
    static DECODE: PyOnceLock<Py<PyCFunction>> = PyOnceLock::new();
    static ENCODE: PyOnceLock<Py<PyCFunction>> = PyOnceLock::new();

    /// Adds both to the module.
    pub(crate) fn add(
        module: &Bound<'_, PyModule>,
        decode: Bound<'_, PyCFunction>,
        encode: Bound<'_, PyCFunction>,
    ) -> PyResult<()> {
        let py = module.py();
        let (name, doc) = (c"decode", super::super::text::DECODE_DOC);
        add_one(module, name, doc, self::decode)?;
        let (name, doc) = (c"encode", super::super::text::ENCODE_DOC);
        add_one(module, name, doc, self::encode)?;
        let _ = DECODE.set(py, decode.unbind());
        let _ = ENCODE.set(py, encode.unbind());
        Ok(())
    }

    fn add_one(module: &Bound<'_, PyModule>, name: &'static CStr, doc: &'static CStr, call: Call) -> PyResult<()> {
        let definition = Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: call },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: doc.as_ptr(),
        }));
        let module_name = module.name()?;
        // SAFETY: the definition and what it points to live as long as the program; `call`
        // has the form that the flags say; the module's name is a string.
        let function = unsafe { ffi::PyCFunction_NewEx(definition, null_mut(), module_name.as_ptr()) };
        // SAFETY: it is null with an exception set, or a new reference.
        let function = unsafe { Bound::from_owned_ptr_or_err(module.py(), function) }?;
        module.add(PyString::new(module.py(), &name.to_string_lossy()), function)
    }

    /// The only argument, if there is one, and no name.
    ///
    /// # Safety
    ///
    /// There are `count` objects at `args`, which outlive the result.
    #[inline]
    unsafe fn only<'a, 'py>(
        py: Python<'py>,
        args: *const *mut ffi::PyObject,
        count: ffi::Py_ssize_t,
        names: *mut ffi::PyObject,
    ) -> Option<Borrowed<'a, 'py, PyAny>> {
        if count != 1 || !names.is_null() {
            return None;
        }
        // SAFETY: there is one.
        let object = unsafe { *args };
        // SAFETY: it is an object, which the caller keeps.
        Some(unsafe { Borrowed::from_ptr(py, object) })
    }

    unsafe extern "C" fn decode(
        _: *mut ffi::PyObject,
        args: *const *mut ffi::PyObject,
        count: ffi::Py_ssize_t,
        names: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject {
        // SAFETY: Python calls functions on a thread that is attached.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: Python passes as many arguments as it says, and keeps them for the call.
        let only = unsafe { only(py, args, count, names) };
        if let Some(data) = only
            && let Ok(bytes) = data.cast::<PyBytes>()
            && let Ok(Ok(text)) = catch_unwind(AssertUnwindSafe(|| string_of_utf8(py, bytes.as_bytes())))
        {
            return text.into_ptr();
        }
        // SAFETY: the arguments are those of this call.
        unsafe { pass_on(py, &DECODE, args, count, names) }
    }

    unsafe extern "C" fn encode(
        _: *mut ffi::PyObject,
        args: *const *mut ffi::PyObject,
        count: ffi::Py_ssize_t,
        names: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject {
        // SAFETY: Python calls functions on a thread that is attached.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: Python passes as many arguments as it says, and keeps them for the call.
        let only = unsafe { only(py, args, count, names) };
        let Some(string) = only.and_then(|text| text.cast::<PyString>().ok()) else {
            // SAFETY: the arguments are those of this call.
            return unsafe { pass_on(py, &ENCODE, args, count, names) };
        };
        if let Ok(text) = Text::of(&string) {
            if let Text::Ascii(units) = text {
                return PyBytes::new(py, units).into_any().into_ptr();
            }
            if let Ok(Ok(Some(bytes))) = catch_unwind(AssertUnwindSafe(|| to_utf8(py, text))) {
                return bytes.into_ptr();
            }
        }
        // SAFETY: the arguments are those of this call.
        unsafe { pass_on(py, &ENCODE, args, count, names) }
    }

    /// Calls the function for all arguments.
    ///
    /// # Safety
    ///
    /// There are `count` objects at `args`, and as many more as there are names.
    #[inline(never)]
    unsafe fn pass_on(
        py: Python<'_>,
        function: &PyOnceLock<Py<PyCFunction>>,
        args: *const *mut ffi::PyObject,
        count: ffi::Py_ssize_t,
        names: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject {
        let Some(function) = function.get(py) else { return null_mut() };
        // SAFETY: the arguments are as Python passed them, in the form that this asks for.
        unsafe { ffi::PyObject_Vectorcall(function.as_ptr(), args, count.unsigned_abs(), names) }
    }
}
