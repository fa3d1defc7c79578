//! `decode`, `encode` and `IncrementalEncoder.encode` for the arguments that most calls have: up to three, by position.
//!
//! A call through pyo3 takes 20 ns longer than one of a method of Python, and 40 ns with all arguments, so
//! these three are C functions. All other arguments, and all errors and handlers but an error of UTF-8, they pass on
//! to the functions of [`crate::text`] and [`crate::incremental`]: what pyo3 gives back outside of its own functions,
//! an exception above all, it keeps until one of those is called.

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::slice;

use engine::{Encoding, Error};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyCFunction, PyModule, PyString, PyTuple, PyType};
use pyo3::{Borrowed, ffi};

use super::{SIGNALS, Text};
use crate::decoding;
use crate::encoding::{self, short_to_utf8, to_utf8, unit_by_unit};
use crate::incremental::IncrementalEncoder;
use crate::names::{self, Errors, Named};
use crate::strings::{Failure, string_of_utf8};
use crate::text;

/// A function with the flags `METH_FASTCALL | METH_KEYWORDS`: the module or the object, the arguments, how
/// many of them have no name, and the names of the others or null.
type Call = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// The functions for all arguments.
static DECODE: PyOnceLock<Py<PyCFunction>> = PyOnceLock::new();
static ENCODE: PyOnceLock<Py<PyCFunction>> = PyOnceLock::new();
/// With the encoder as the first argument.
static ENCODE_NEXT: PyOnceLock<Py<PyCFunction>> = PyOnceLock::new();

/// Adds the functions to the module, and the method to its class.
pub(crate) fn add(
    module: &Bound<'_, PyModule>,
    decode: Bound<'_, PyCFunction>,
    encode: Bound<'_, PyCFunction>,
    encode_next: Bound<'_, PyCFunction>,
) -> PyResult<()> {
    let py = module.py();
    add_method(&py.get_type::<IncrementalEncoder>(), c"encode", NEXT_DOC, self::encode_next)?;
    add_one(module, c"decode", text::DECODE_DOC, self::decode)?;
    add_one(module, c"encode", text::ENCODE_DOC, self::encode)?;
    let _ = DECODE.set(py, decode.unbind());
    let _ = ENCODE.set(py, encode.unbind());
    let _ = ENCODE_NEXT.set(py, encode_next.unbind());
    Ok(())
}

/// The signature of `IncrementalEncoder.encode`.
const NEXT_DOC: &CStr = c"encode($self, /, input, final=False)
--

";

/// A definition that Python can keep for good.
fn definition(name: &'static CStr, doc: &'static CStr, call: Call) -> &'static mut ffi::PyMethodDef {
    Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: call },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }))
}

fn add_method(class: &Bound<'_, PyType>, name: &'static CStr, doc: &'static CStr, call: Call) -> PyResult<()> {
    let definition = definition(name, doc, call);
    // SAFETY: Python keeps the definition and its strings for good: the former is leaked, the latter are
    // `'static`. `call` has the type that the flags say. The class is a valid type object.
    let method = unsafe { ffi::PyDescr_NewMethod(class.as_type_ptr(), definition) };
    // SAFETY: `PyDescr_NewMethod` returns a new reference, or null with an exception set.
    let method = unsafe { Bound::from_owned_ptr_or_err(class.py(), method) }?;
    class.setattr(PyString::new(class.py(), &name.to_string_lossy()), method)
}

fn add_one(module: &Bound<'_, PyModule>, name: &'static CStr, doc: &'static CStr, call: Call) -> PyResult<()> {
    let definition = definition(name, doc, call);
    let module_name = module.name()?;
    // SAFETY: as in `add_method`. Null is for no `self`, and the module's name is a string.
    let function = unsafe { ffi::PyCFunction_NewEx(definition, null_mut(), module_name.as_ptr()) };
    // SAFETY: `PyCFunction_NewEx` returns a new reference, or null with an exception set.
    let function = unsafe { Bound::from_owned_ptr_or_err(module.py(), function) }?;
    module.add(PyString::new(module.py(), &name.to_string_lossy()), function)
}

/// The argument, if there is one and it has no name.
///
/// # Safety
///
/// - `args` points to `count` pointers, or more if `names` is not null.
/// - Each is a valid object that has an owner for as long as `'a`.
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
    // SAFETY: `args` points to one pointer, by the first precondition.
    let object = unsafe { *args };
    // SAFETY: it is an object that lives for `'a`, by the second precondition.
    Some(unsafe { Borrowed::from_ptr(py, object) })
}

/// The arguments, if there are two or three and none has a name.
///
/// # Safety
///
/// As for [`only`].
#[inline]
unsafe fn several<'a, 'py>(
    py: Python<'py>,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> Option<[Option<Borrowed<'a, 'py, PyAny>>; 3]> {
    if !(2..=3).contains(&count) || !names.is_null() {
        return None;
    }
    // SAFETY: `args` points to `count` pointers, by the first precondition, in the array of a caller that
    // does not change it during the call.
    let objects = unsafe { slice::from_raw_parts(args, count.unsigned_abs()) };
    let object = |at: usize| {
        // SAFETY: it is an object that lives for `'a`, by the second precondition.
        objects.get(at).map(|object| unsafe { Borrowed::from_ptr(py, *object) })
    };
    Some([object(0), object(1), object(2)])
}

unsafe extern "C" fn decode(
    _: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls functions of a module on a thread that is attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: by the vectorcall protocol (PEP 590) there are `count` arguments and those with
    // names at `args`, and the caller owns them until the call returns.
    let only = unsafe { only(py, args, count, names) };
    if let Some(data) = only
        && let Ok(bytes) = data.cast::<PyBytes>()
        && let Some(text) = decode_utf_8(&bytes)
    {
        return text;
    }
    // SAFETY: as above.
    let several = unsafe { several(py, args, count, names) };
    if let Some([Some(data), name, handler]) = &several
        && let Ok(bytes) = data.cast::<PyBytes>()
        && let Some(text) = decode_named(&bytes, name.as_deref(), handler.as_deref())
    {
        return text;
    }
    // SAFETY: this call has not returned.
    unsafe { pass_on(py, &DECODE, args, count, names) }
}

/// The string of UTF-8, or null with an exception set. `None` if the functions of pyo3 have to deal with it.
#[inline(never)]
fn decode_utf_8(bytes: &Bound<'_, PyBytes>) -> Option<*mut ffi::PyObject> {
    if bytes.as_bytes().is_empty() {
        // SAFETY: the thread is attached, as `bytes` shows. Of length 0 there is one string, to which it
        // returns a new reference.
        return Some(unsafe { ffi::PyUnicode_New(0, 0) });
    }
    match catch_unwind(AssertUnwindSafe(|| string_of_utf8(bytes.py(), bytes.as_bytes()))) {
        Ok(Ok(text)) => Some(text.into_ptr()),
        Ok(Err(Failure::IllFormed(error))) => raise_for_utf_8(bytes, error).then_some(null_mut()),
        Ok(Err(Failure::Python(_))) | Err(_) => None,
    }
}

/// As [`decode_utf_8`], in the encoding of that name.
#[inline(never)]
fn decode_named(
    bytes: &Bound<'_, PyBytes>,
    name: Option<&Bound<'_, PyAny>>,
    handler: Option<&Bound<'_, PyAny>>,
) -> Option<*mut ffi::PyObject> {
    let (named, errors) = (names::encoding(name).ok()?, Errors::of(handler).ok()?);
    if named == Named::UTF_8 && errors == Errors::Strict {
        return decode_utf_8(bytes);
    }
    if bytes.as_bytes().len() > SIGNALS {
        // A signal may end it with an exception.
        return None;
    }
    let text = catch_unwind(AssertUnwindSafe(|| decoding::plain(bytes, named, errors).map(Bound::into_ptr)));
    text.ok()?
}

unsafe extern "C" fn encode(
    _: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as in `decode`.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: as in `decode`.
    let only = unsafe { only(py, args, count, names) };
    if let Some(string) = only.and_then(|text| text.cast::<PyString>().ok())
        && let Ok(text) = Text::of(&string)
    {
        if let Text::Ascii(units) = text {
            return new_bytes(py, units);
        }
        if let Some(bytes) = short_to_utf8(text, |bytes| new_bytes(py, bytes)) {
            return bytes;
        }
        if let Some(bytes) = encode_utf_8(py, text) {
            return bytes.into_ptr();
        }
    }
    // SAFETY: as in `decode`.
    let several = unsafe { several(py, args, count, names) };
    if let Some([Some(text), name, handler]) = &several
        && let Ok(string) = text.cast::<PyString>()
        && let Some(bytes) = encode_named(&string, name.as_deref(), handler.as_deref())
    {
        return bytes;
    }
    // SAFETY: this call has not returned.
    unsafe { pass_on(py, &ENCODE, args, count, names) }
}

unsafe extern "C" fn encode_next(
    encoder: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as in `decode`.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: Python passes a method its object, which the caller owns until the call returns.
    let object = unsafe { Borrowed::from_ptr(py, encoder) };
    // SAFETY: as in `decode`.
    let only = unsafe { only(py, args, count, names) };
    if let Some(string) = only.and_then(|text| text.cast::<PyString>().ok()) {
        // SAFETY: `add` makes this function a method of the class, and a method descriptor calls it for instances
        // of its class only.
        let encoder = unsafe { object.cast_unchecked::<IncrementalEncoder>() };
        if let Some(bytes) = encode_part(encoder.get(), &string) {
            return bytes;
        }
    }
    // SAFETY: this call has not returned.
    unsafe { pass_on_with(object, &ENCODE_NEXT, args, count, names) }
}

/// As [`encode_utf_8`], by an encoder. The bytes are null with an exception set.
#[inline]
fn encode_part(encoder: &IncrementalEncoder, string: &Bound<'_, PyString>) -> Option<*mut ffi::PyObject> {
    if let Some(units) = Text::of(string).ok().and_then(|text| encoder.same(text)) {
        return Some(new_bytes(string.py(), units));
    }
    catch_unwind(AssertUnwindSafe(|| encoder.plain(string).map(Bound::into_ptr))).ok()?
}

/// `text` in UTF-8. `None` if the functions of pyo3 have to deal with it.
#[inline(never)]
fn encode_utf_8<'py>(py: Python<'py>, text: Text<'_>) -> Option<Bound<'py, PyBytes>> {
    catch_unwind(AssertUnwindSafe(|| to_utf8(py, text).ok()?)).ok()?
}

/// `string` in the encoding of that name, or null with an exception set. `None` as for [`encode_utf_8`].
#[inline(never)]
fn encode_named(
    string: &Bound<'_, PyString>,
    name: Option<&Bound<'_, PyAny>>,
    handler: Option<&Bound<'_, PyAny>>,
) -> Option<*mut ffi::PyObject> {
    let usual = name.and_then(names::usual_encoding);
    let text = Text::of(string).ok()?;
    if handler.is_none_or(|handler| handler.is_instance_of::<PyString>()) {
        match (usual, text) {
            (Some(Encoding::Latin1 | Encoding::UsAscii | Encoding::Utf8), Text::Ascii(units))
            | (Some(Encoding::Latin1), Text::Latin1(units)) => return Some(new_bytes(string.py(), units)),
            (Some(encoding @ (Encoding::Utf16 | Encoding::Utf32)), text) if handler.is_none() => {
                let bytes = || unit_by_unit(string.py(), text, encoding).ok()?.map(Bound::into_ptr);
                if let Ok(Some(bytes)) = catch_unwind(AssertUnwindSafe(bytes)) {
                    return Some(bytes);
                }
            }
            _ => {}
        }
    }
    let named = match usual {
        Some(encoding) => Named { encoding, with_bom: false },
        None => names::encoding(name).ok()?,
    };
    let errors = Errors::of(handler).ok()?;
    let bytes = || encoding::plain(string, named, errors).ok()?.map(Bound::into_ptr);
    catch_unwind(AssertUnwindSafe(bytes)).ok()?
}

/// Sets the exception for the first error of UTF-8, which may be known already. False if there is no error, or another
/// exception: the functions of pyo3 deal with those.
#[cold]
fn raise_for_utf_8(bytes: &Bound<'_, PyBytes>, known: Option<Error>) -> bool {
    let made = catch_unwind(AssertUnwindSafe(|| decoding::utf_8_exception(bytes, known)));
    let Ok(Some(Ok(exception))) = made else { return false };
    // SAFETY: the thread is attached, as `bytes` shows. The type and its instance are valid objects, of which
    // the function takes references of its own.
    unsafe { ffi::PyErr_SetObject(exception.get_type_ptr().cast(), exception.as_ptr()) };
    true
}

/// New bytes, or null with an exception set.
#[inline]
fn new_bytes(_: Python<'_>, bytes: &[u8]) -> *mut ffi::PyObject {
    // SAFETY: the token shows that this thread is attached. The pointer and the length are those of a slice, of
    // which no length is above that of a `Py_ssize_t`.
    unsafe { ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len().cast_signed()) }
}

/// Calls the function for all arguments.
///
/// # Safety
///
/// Python passed the arguments by the vectorcall protocol, in a call that has not returned.
#[inline(never)]
unsafe fn pass_on(
    py: Python<'_>,
    function: &PyOnceLock<Py<PyCFunction>>,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // `add` sets it before the module is ready.
    let Some(function) = function.get(py) else { return null_mut() };
    // SAFETY: the function is a callable object; the arguments have the form that
    // `PyObject_Vectorcall` wants, by the precondition. `count` has no flag.
    unsafe { ffi::PyObject_Vectorcall(function.as_ptr(), args, count.unsigned_abs(), names) }
}

/// As [`pass_on`], for a method: `object` is the first argument of the function.
///
/// # Safety
///
/// As for [`pass_on`].
#[inline(never)]
unsafe fn pass_on_with(
    object: Borrowed<'_, '_, PyAny>,
    function: &PyOnceLock<Py<PyCFunction>>,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let py = object.py();
    // SAFETY: `names` is null or a tuple that lives as long as the call, by the precondition.
    let tuple = unsafe { Bound::from_borrowed_ptr_or_opt(py, names) };
    let with_names = tuple.and_then(|names| names.cast_into::<PyTuple>().ok()).map_or(0, |names| names.len());
    let mut all = vec![object.as_ptr()];
    for at in 0..count.unsigned_abs() + with_names {
        // SAFETY: so many arguments are at `args`, by the precondition.
        let place = unsafe { args.add(at) };
        // SAFETY: as above.
        all.push(unsafe { *place });
    }
    // SAFETY: `all` has one argument more, and those with names are still the last ones.
    unsafe { pass_on(py, function, all.as_ptr(), count + 1, names) }
}
