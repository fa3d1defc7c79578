//! Strings and bytes of CPython as slices, and new ones.
//!
//! This folder has all `unsafe` of the crate that concerns CPython. Since PEP 393 a string keeps its
//! characters in units of 1, 2 or 4 bytes: the fewest that its highest code point
//! needs. A new object has one owner, the function that makes it, until all of its
//! memory is written; one that was not written completely is dropped.
#![allow(unsafe_code)]

pub(crate) mod calls;
mod errors;
mod spare;

use std::ffi::c_char;
use std::fs::File;
use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Range};
#[cfg(unix)]
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;
use std::slice;

use pyo3::exceptions::{PyMemoryError, PySystemError};
#[cfg(unix)]
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{Borrowed, ffi};

pub(crate) use errors::{object_of, set_error};
pub(crate) use spare::{Array, Spare, Unit};

/// From this many bytes on, work releases the interpreter. To release and take it back takes 70 ns, a tenth of the
/// conversion of 16 KB, and much more if another thread wants it. Text of this length takes some microseconds.
const LONG: usize = 64 << 10;

/// Runs `work`, and releases the interpreter meanwhile if it is about `size` bytes that
/// are [`LONG`].
#[inline]
pub(crate) fn apart<T: Send>(py: Python<'_>, size: usize, work: impl FnOnce() -> T + Send) -> T {
    if size < LONG { work() } else { py.detach(work) }
}

/// Runs `step` as [`apart`] until it breaks off, and looks at signals between two steps. A step is about `size` bytes
/// of work, and at most [`SIGNALS`].
#[inline]
pub(crate) fn in_steps<T: Send>(
    py: Python<'_>,
    size: usize,
    mut step: impl FnMut() -> ControlFlow<T> + Send,
) -> PyResult<T> {
    loop {
        match apart(py, size, &mut step) {
            ControlFlow::Break(done) => return Ok(done),
            ControlFlow::Continue(()) => py.check_signals()?,
        }
    }
}

/// The bytes of a source between two looks at signals. If all of them are errors, they take some 0.1 s. A look takes
/// the interpreter back and waits for the thread that has it, so there are not many.
pub(crate) const SIGNALS: usize = 4 << 20;

/// The characters of a string.
#[derive(Clone, Copy)]
pub(crate) enum Text<'a> {
    /// All below U+0080.
    Ascii(&'a [u8]),
    /// All below U+0100.
    Latin1(&'a [u8]),
    /// All up to U+FFFF, surrogates included.
    Bmp(&'a [u16]),
    /// All up to U+10FFFF, surrogates included.
    All(&'a [u32]),
}

impl<'a> Text<'a> {
    #[inline]
    pub(crate) fn of(string: &'a Bound<'_, PyString>) -> PyResult<Text<'a>> {
        // SAFETY: the pointer of a `Bound<PyString>` is a valid string object.
        #[cfg(not(Py_3_12))]
        if unsafe { ffi::PyUnicode_IS_READY(string.as_ptr()) } == 0 {
            make_ready(string)?;
        }
        // SAFETY: it is a string object, and in the canonical form that the macro asks for:
        // checked above, and the only form since Python 3.12.
        let kind = unsafe { ffi::PyUnicode_KIND(string.as_ptr()) };
        // SAFETY: as for `PyUnicode_KIND`.
        let len = unsafe { ffi::PyUnicode_GET_LENGTH(string.as_ptr()) }.unsigned_abs();
        // SAFETY: as for `PyUnicode_KIND`.
        let data = unsafe { ffi::PyUnicode_DATA(string.as_ptr()) };
        match kind {
            // SAFETY: `PyUnicode_DATA` points to `len` units of the size that the kind says,
            // aligned for them and initialised. A string never changes once another owner has
            // seen it, and `string` keeps it alive for `'a`.
            ffi::PyUnicode_2BYTE_KIND => Ok(Text::Bmp(unsafe { slice::from_raw_parts(data.cast(), len) })),
            // SAFETY: as for two bytes.
            ffi::PyUnicode_4BYTE_KIND => Ok(Text::All(unsafe { slice::from_raw_parts(data.cast(), len) })),
            _ => {
                // SAFETY: as for two bytes; the one remaining kind is `PyUnicode_1BYTE_KIND`.
                let units = unsafe { slice::from_raw_parts(data.cast(), len) };
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

    /// The code point at `index`.
    pub(crate) fn at(self, index: usize) -> Option<u32> {
        match self {
            Text::Ascii(units) | Text::Latin1(units) => units.get(index).copied().map(u32::from),
            Text::Bmp(units) => units.get(index).copied().map(u32::from),
            Text::All(units) => units.get(index).copied(),
        }
    }

    /// The memory of the characters in `range`, in native byte order.
    pub(crate) fn bytes(self, range: Range<usize>) -> &'a [u8] {
        match self {
            Text::Ascii(units) | Text::Latin1(units) => units.get(range).unwrap_or_default(),
            Text::Bmp(units) => as_bytes(units.get(range).unwrap_or_default()),
            Text::All(units) => as_bytes(units.get(range).unwrap_or_default()),
        }
    }
}

/// Brings a string made by a deprecated function of Python before 3.12 into the canonical form.
#[cfg(not(Py_3_12))]
#[cold]
fn make_ready(string: &Bound<'_, PyString>) -> PyResult<()> {
    // SAFETY: `PyStringMethods::data` asks that the string does not change while the result is in
    // use. It is dropped here.
    unsafe { string.data() }.map(|_| ())
}

/// True if a string of one-byte units is US-ASCII, by its own flag.
#[inline]
#[cfg(not(Py_3_14))]
fn is_ascii(string: &Bound<'_, PyString>, _: &[u8]) -> bool {
    // SAFETY: it is a string object in the canonical form, as its caller has checked.
    unsafe { ffi::PyUnicode_IS_ASCII(string.as_ptr()) != 0 }
}

/// True if a string of one-byte units is US-ASCII. pyo3 does not know where Python 3.14 keeps
/// the flag.
#[inline]
#[cfg(Py_3_14)]
fn is_ascii(_: &Bound<'_, PyString>, units: &[u8]) -> bool {
    units.is_ascii()
}

/// The memory of `units`.
pub(crate) fn as_bytes<T: Unit>(units: &[T]) -> &[u8] {
    // SAFETY: the slice is `size_of_val(units)` bytes of one allocation, all initialised because
    // a `Unit` has no padding. They are borrowed as `units` is, and a `u8` has no alignment.
    unsafe { slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

#[cold]
fn no_memory() -> PyErr {
    PyMemoryError::new_err(())
}

fn as_size(len: usize) -> PyResult<ffi::Py_ssize_t> {
    ffi::Py_ssize_t::try_from(len).map_err(|_| no_memory())
}

/// A new string of `len` code points, of which the highest is in the class of `most`
/// (7F, FF, FFFF or 10FFFF), in the memory that `fill` writes. `None` if `fill` returns that
/// or does not write all of it. `size` is that of its work, for [`apart`].
#[inline]
pub(crate) fn string_filled_by<'py, T: Unit>(
    py: Python<'py>,
    len: usize,
    most: u32,
    size: usize,
    fill: impl FnOnce(&mut Spare<'_, T>) -> Option<()> + Send,
) -> PyResult<Option<Bound<'py, PyString>>> {
    if len == 0 {
        // `PyUnicode_New` would return the shared empty string.
        return string_of_latin1(py, b"").map(Some);
    }
    // SAFETY: `py` shows that this thread is attached. The length is positive, and `most` is
    // checked by Python.
    let string = unsafe { ffi::PyUnicode_New(as_size(len)?, most) };
    // SAFETY: `PyUnicode_New` returns a new reference, or null with an exception set.
    let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
    // SAFETY: `PyUnicode_New` makes a string object.
    let string: Bound<'py, PyString> = unsafe { string.cast_into_unchecked() };
    // SAFETY: it is a string object, and `PyUnicode_New` makes the canonical form only.
    let kind = unsafe { ffi::PyUnicode_KIND(string.as_ptr()) };
    if kind as usize != size_of::<T>() {
        return Err(PySystemError::new_err("the units of a new string have another size"));
    }
    // SAFETY: as for `PyUnicode_KIND`.
    let data = unsafe { ffi::PyUnicode_DATA(string.as_ptr()) };
    // SAFETY: `PyUnicode_DATA` points to memory for the `len` units that `PyUnicode_New` was asked
    // for, of the size of `T` as checked above, and aligned for it. `MaybeUninit` asks nothing of
    // their content. The string is new and has one reference, `string`, so there is no other
    // pointer to them; it outlives `units`.
    let units = unsafe { slice::from_raw_parts_mut(data.cast::<MaybeUninit<T>>(), len) };
    let mut spare = Spare::new(units);
    let is_filled = apart(py, size, || fill(&mut spare).is_some() && spare.filled() == len);
    Ok(is_filled.then_some(string))
}

/// The string whose code points are the bytes of `src`.
#[inline]
pub(crate) fn string_of_latin1<'py>(py: Python<'py>, src: &[u8]) -> PyResult<Bound<'py, PyString>> {
    string_of_units(py, src)
}

/// The string whose code points are `values`, surrogates included. Those above U+10FFFF become
/// U+FFFD.
pub(crate) fn string_of_values<'py>(py: Python<'py>, mut values: Vec<u32>) -> PyResult<Bound<'py, PyString>> {
    for value in &mut values {
        if *value > 0x10_FFFF {
            *value = 0xFFFD;
        }
    }
    string_of_units(py, &values)
}

/// The string whose code points are `units` one by one, surrogates included.
pub(crate) fn string_of_u16<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    string_of_units(py, units)
}

fn string_of_units<'py, T: Unit>(py: Python<'py>, units: &[T]) -> PyResult<Bound<'py, PyString>> {
    // The kinds are numbered by their size.
    let kind = size_of::<T>() as _;
    // SAFETY: the pointer and the size are those of a slice, whose units have the size of the kind.
    // Python refuses code points above U+10FFFF.
    let string = unsafe { ffi::PyUnicode_FromKindAndData(kind, units.as_ptr().cast(), as_size(units.len())?) };
    // SAFETY: `PyUnicode_FromKindAndData` returns a new reference, or null with an exception set.
    let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
    // SAFETY: `PyUnicode_FromKindAndData` makes a string object.
    Ok(unsafe { string.cast_into_unchecked() })
}

/// New bytes, in memory for `len` of them that `fill` writes. It may write fewer. `None` if it
/// returns that.
#[inline]
pub(crate) fn bytes_filled_by<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut Spare<'_, u8>) -> Option<()> + Send,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if len == 0 {
        return Ok(fill(&mut Spare::new(&mut [])).map(|()| PyBytes::new(py, b"")));
    }
    // SAFETY: `py` shows that this thread is attached, and the size is positive. With a null
    // pointer "the contents of the bytes object are uninitialized" (Python/C API).
    let bytes = unsafe { ffi::PyBytes_FromStringAndSize(std::ptr::null(), as_size(len)?) };
    // SAFETY: `PyBytes_FromStringAndSize` returns a new reference, or null with an exception set.
    let bytes = unsafe { Bound::from_owned_ptr_or_err(py, bytes) }?;
    // SAFETY: `PyBytes_FromStringAndSize` makes a bytes object.
    let bytes: Bound<'py, PyBytes> = unsafe { bytes.cast_into_unchecked() };
    let data = content(&bytes);
    // SAFETY: `content` points to the `len` bytes that were asked for, which may be
    // written because the object "was just created using `PyBytes_FromStringAndSize(NULL, size)`"
    // (Python/C API). `MaybeUninit` asks nothing of their content. Made with null and a size above
    // 0 it is not a shared object: `bytes` is the one reference to it, and outlives `units`.
    let units = unsafe { slice::from_raw_parts_mut(data.cast::<MaybeUninit<u8>>(), len) };
    let mut spare = Spare::new(units);
    let filled = apart(py, len, || fill(&mut spare).map(|()| spare.filled()));
    match filled {
        Some(filled) if len - filled <= filled / MOST_SPARE => ended_at(bytes, filled).map(Some),
        Some(filled) if filled < len => shortened(bytes, filled).map(Some),
        Some(_) => Ok(Some(bytes)),
        None => Ok(None),
    }
}

/// The memory of bytes. `PyBytes_AsString` would be a call, and pyo3's `PyBytes_AS_STRING` is only for reading.
#[inline]
fn content(bytes: &Bound<'_, PyBytes>) -> *mut c_char {
    // SAFETY: it is a bytes object, which is a `PyBytesObject`. The content begins in its last field.
    unsafe { (&raw mut (*bytes.as_ptr().cast::<ffi::PyBytesObject>()).ob_sval).cast() }
}

/// New bytes keep memory that they did not need if it is at most this part of the rest.
///
/// To give it back takes time. Also, an allocator that takes large memory from the system, and keeps it once it was
/// freed, would keep the smaller memory, which is not enough for the next text of that length.
const MOST_SPARE: usize = 16;

/// The first `len` of new bytes, which have no other owner, with the memory of all.
fn ended_at<'py>(bytes: Bound<'py, PyBytes>, len: usize) -> PyResult<Bound<'py, PyBytes>> {
    let size = as_size(len)?;
    let data = content(&bytes);
    // SAFETY: the caller made more bytes than `len`, or as many and the null byte that all bytes objects end with.
    let end = unsafe { data.add(len) };
    // SAFETY: as above; the caller made the object and gave it away, so that no one else looks at it.
    unsafe { end.write(0) };
    let object = bytes.as_ptr().cast::<ffi::PyVarObject>();
    // SAFETY: a bytes object begins with a `PyVarObject`, and this is what `Py_SET_SIZE` does (Python/C API), which
    // pyo3 does not have. The object is larger than that says, which only its allocator knows.
    unsafe { (*object).ob_size = size };
    Ok(bytes)
}

/// The first `len` of new bytes, which have no other owner.
fn shortened<'py>(bytes: Bound<'py, PyBytes>, len: usize) -> PyResult<Bound<'py, PyBytes>> {
    let py = bytes.py();
    let size = as_size(len)?;
    let mut object = bytes.into_ptr();
    // SAFETY: `_PyBytes_Resize` wants a bytes object with one reference, which it takes, and a
    // place for the new one. `object` is both: the caller made it and gave it away. A failure shows
    // in `object`, so that the result is not needed.
    unsafe { _PyBytes_Resize(&mut object, size) };
    // SAFETY: on success `object` is the one reference to the bytes, and otherwise null with an
    // exception set.
    let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    // SAFETY: `_PyBytes_Resize` returns a bytes object.
    Ok(unsafe { object.cast_into_unchecked() })
}

unsafe extern "C" {
    /// Part of the Python/C API ("Bytes Objects"); pyo3 does not declare it.
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, size: ffi::Py_ssize_t) -> std::ffi::c_int;
}

/// True if `object` has the buffer protocol.
pub(crate) fn has_buffer(object: Borrowed<'_, '_, PyAny>) -> bool {
    // SAFETY: the pointer of a `Borrowed` is a valid object.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// A copy of the bytes of an object with the buffer protocol. The type `bytes` would ask for `__bytes__` and
/// `__index__` first.
pub(crate) fn bytes_of_buffer<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: the pointer of a `Bound` is a valid object.
    let bytes = unsafe { ffi::PyBytes_FromObject(object.as_ptr()) };
    // SAFETY: `PyBytes_FromObject` returns a new reference, or null with an exception set.
    let bytes = unsafe { Bound::from_owned_ptr_or_err(object.py(), bytes) }?;
    Ok(bytes.cast_into()?)
}

/// Opens a file to read it, as Python does: other threads run while a pipe waits for a writer, and signals are heard.
pub(crate) fn opened(py: Python<'_>, path: &Path) -> PyResult<File> {
    #[cfg(unix)]
    {
        let os = py.import(intern!(py, "os"))?;
        let number = os.call_method1(intern!(py, "open"), (path.as_os_str(), os.getattr(intern!(py, "O_RDONLY"))?))?;
        let number = number.extract()?;
        // SAFETY: `os.open` has just made this file descriptor, and no one else has it.
        Ok(File::from(unsafe { OwnedFd::from_raw_fd(number) }))
    }
    #[cfg(not(unix))]
    {
        py.detach(|| File::open(path)).map_err(|error| crate::finding::named(error, path))
    }
}
