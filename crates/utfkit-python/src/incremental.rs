//! The bases of Python's incremental codecs. `_codecs.py` makes a class of each encoding, which has its name as the
//! attribute `encoding`.
//!
//! `io.TextIOWrapper` calls an encoder for each line that a program writes, and a frame of Python would take
//! longer than the conversion of the line. So `IncrementalEncoder.encode` is a C function ([`crate::unicode::calls`]),
//! which asks [`IncrementalEncoder::plain`] first and [`encode_next`] for the rest.
//!
//! Threads may share an object, and an error handler may call the one that it is called for. So nothing of an object
//! is borrowed while something else runs: the state is read before a part and written after it.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use engine::Encoding;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString, PyTuple, PyType};

use crate::encoding::{self, NEUTRAL, START, is_alone, plain_part, split_bom, unit_by_unit};
use crate::names::{self, Errors, Named};
use crate::part;
use crate::source::bytes_of;
use crate::unicode::{Text, string_of_values};

/// An object of Python that threads exchange.
struct Shared<T>(Mutex<Py<T>>);

impl<T> Shared<T> {
    fn new(object: Bound<'_, T>) -> Shared<T> {
        Shared(Mutex::new(object.unbind()))
    }

    fn get<'py>(&self, py: Python<'py>) -> Bound<'py, T> {
        // Under the lock a reference is counted, which runs no other code.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).bind(py).clone()
    }

    fn set(&self, object: Bound<'_, T>) {
        let old = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), object.unbind());
        drop(old);
    }
}

/// The attribute `errors`.
struct Handler {
    /// Read at each call, so that the name is compared only where it is set: see [`Errors::number`].
    number: AtomicU8,
    name: Shared<PyString>,
}

impl Handler {
    fn new(name: &Bound<'_, PyAny>) -> PyResult<Handler> {
        let (name, number) = Handler::read(name)?;
        Ok(Handler { number: number.into(), name: Shared::new(name) })
    }

    fn set(&self, name: &Bound<'_, PyAny>) -> PyResult<()> {
        let (name, number) = Handler::read(name)?;
        self.name.set(name);
        self.number.store(number, Relaxed);
        Ok(())
    }

    /// An exact string, which refers to nothing that could refer to its owner.
    fn read<'py>(name: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyString>, u8)> {
        let number = Errors::of(Some(name)).map_or(Errors::OTHER, Errors::number);
        let name = names::string(name, "errors")?;
        let name = match name.is_exact_instance_of::<PyString>() {
            true => name.clone(),
            false => {
                let text = Text::of(name)?;
                string_of_values(name.py(), (0..text.len()).filter_map(|at| text.at(at)).collect())?
            }
        };
        Ok((name, number))
    }

    /// The handler, if it is one of the usual.
    #[inline]
    fn usual(&self) -> Option<Errors<'static>> {
        Errors::numbered(self.number.load(Relaxed))
    }
}

/// The encoding that a class has as an attribute.
fn encoding_of(class: &Bound<'_, PyType>) -> PyResult<Named> {
    names::encoding(Some(&class.getattr(intern!(class.py(), "encoding"))?))
}

/// A state of [`crate::part`], which an encoder or a decoder returned.
fn state_of(number: &Bound<'_, PyAny>) -> PyResult<u32> {
    let number = number.py().get_type::<PyInt>().call1((number,))?;
    let state = number.extract::<u32>().ok().filter(|state| *state < 1 << 31);
    state.ok_or_else(|| PyValueError::new_err(format!("{number} is not a state that getstate returns")))
}

/// The argument `final`.
fn is_last(last: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    last.map_or(Ok(false), PyAnyMethods::is_truthy)
}

/// The result of `__reduce__`: a new object of the class, to which `__setstate__` gives the result of `__getstate__`.
/// Both are looked up, so that a class of the program can have its own.
fn reduced<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let py = object.py();
    let make = py.import(intern!(py, "copyreg"))?.getattr(intern!(py, "__newobj__"))?;
    let state = object.call_method0(intern!(py, "__getstate__"))?;
    (make, (object.get_type(),), state).into_pyobject(py)
}

/// The attributes that a program has given an object.
fn attributes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let py = object.py();
    match object.getattr_opt(intern!(py, "__dict__"))? {
        Some(own) => Ok(own.cast_into::<PyDict>()?.copy()?),
        None => Ok(PyDict::new(py)),
    }
}

/// Gives an object what `__getstate__` has returned: each is an attribute.
fn set_attributes(object: &Bound<'_, PyAny>, state: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, value) in state {
        object.setattr(name.cast::<PyString>()?, value)?;
    }
    Ok(())
}

/// An encoder, of which `encoding` is an attribute of the class.
#[pyclass(frozen, subclass, module = "utfkit._utfkit")]
pub(crate) struct IncrementalEncoder {
    named: Named,
    way: Way,
    keeps: Keeps,
    state: AtomicU32,
    errors: Handler,
}

/// The units of a string that are its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    Nothing,
    Ascii,
    Latin1,
}

/// How one part of a text follows another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Each is encoded as a text of its own.
    Alone,
    /// The first part begins with a BOM. The parts after it are in this encoding, without one.
    Bom(Named),
    State,
}

#[pymethods]
impl IncrementalEncoder {
    /// Ignores the arguments: they are for `__init__`, and a subclass may give its own other ones.
    #[new]
    #[classmethod]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(errors='strict')")]
    fn new(
        class: &Bound<'_, PyType>,
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<IncrementalEncoder> {
        let named = encoding_of(class)?;
        let way = match named.encoding {
            _ if is_alone(named) => Way::Alone,
            _ if named.with_bom => Way::Bom(Named::UTF_8),
            encoding if encoding.has_bom() => Way::Bom(Named { encoding: split_bom(encoding).0, with_bom: false }),
            _ => Way::State,
        };
        let keeps = match named.encoding {
            _ if way != Way::Alone => Keeps::Nothing,
            Encoding::Latin1 => Keeps::Latin1,
            Encoding::Utf8 | Encoding::UsAscii => Keeps::Ascii,
            _ => Keeps::Nothing,
        };
        let errors = Handler::new(intern!(class.py(), "strict"))?;
        Ok(IncrementalEncoder { named, way, keeps, state: START.into(), errors })
    }

    #[pyo3(signature = (errors=None))]
    fn __init__(&self, py: Python<'_>, errors: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.errors.set(errors.unwrap_or(intern!(py, "strict")))?;
        self.reset();
        Ok(())
    }

    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.errors.name.get(py)
    }

    #[setter]
    fn set_errors(&self, errors: &Bound<'_, PyAny>) -> PyResult<()> {
        self.errors.set(errors)
    }

    fn reset(&self) {
        self.state.store(START, Relaxed);
    }

    fn getstate(&self) -> u32 {
        self.state.load(Relaxed)
    }

    fn setstate(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state.store(state_of(state)?, Relaxed);
        Ok(())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf)
    }

    fn __getstate__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let state = attributes(slf)?;
        state.set_item("errors", slf.get().errors(slf.py()))?;
        state.set_item("state", slf.get().getstate())?;
        Ok(state)
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        let state = state.copy()?;
        if let Some(number) = state.get_item("state")? {
            slf.get().setstate(&number)?;
            state.del_item("state")?;
        }
        set_attributes(slf, &state)
    }
}

impl IncrementalEncoder {
    /// `string`, where a pass or two encode it, without exceptions and handlers of the program. `None` for any other.
    #[inline]
    pub(crate) fn plain<'py>(&self, string: &Bound<'py, PyString>) -> Option<Bound<'py, PyBytes>> {
        let errors = self.errors.usual()?;
        let rest = match self.way {
            Way::Alone => return encoding::plain(string, self.named, errors).ok()?,
            Way::Bom(rest) => rest,
            Way::State => {
                let text = Text::of(string).ok()?;
                // Of no text, only a last part has bytes.
                if text.len() == 0 {
                    return None;
                }
                let state = self.state.load(Relaxed);
                let (bytes, state) = plain_part(string.py(), text, self.named.encoding, false, state).ok()??;
                self.state.store(state, Relaxed);
                return Some(bytes);
            }
        };
        let bytes = match self.state.load(Relaxed) & START {
            0 => encoding::plain(string, rest, errors),
            _ => unit_by_unit(string.py(), Text::of(string).ok()?, self.named.encoding),
        };
        let bytes = bytes.ok()??;
        self.state.store(NEUTRAL, Relaxed);
        Some(bytes)
    }

    /// The units of `text`, if they are its bytes in the encoding, wherever it comes.
    #[inline]
    pub(crate) fn same<'a>(&self, text: Text<'a>) -> Option<&'a [u8]> {
        match text {
            Text::Ascii(units) if self.keeps != Keeps::Nothing => Some(units),
            Text::Latin1(units) if self.keeps == Keeps::Latin1 => Some(units),
            _ => None,
        }
    }
}

/// `input` in the encoding of `encoder`, after the parts before.
#[pyfunction(name = "encode")]
#[pyo3(signature = (encoder, input, r#final=None))]
pub(crate) fn encode_next<'py>(
    encoder: &Bound<'py, IncrementalEncoder>,
    input: &Bound<'py, PyAny>,
    r#final: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let this = encoder.get();
    let string = names::string(input, "input")?;
    let last = is_last(r#final)?;
    let name = this.errors(encoder.py());
    let errors = Errors::of(Some(&name))?;
    let (bytes, state) = part::encoded(string, this.named, errors, last, this.getstate())?;
    this.state.store(state, Relaxed);
    Ok(bytes)
}

/// A decoder, of which `encoding` is an attribute of the class.
#[pyclass(frozen, subclass, module = "utfkit._utfkit")]
pub(crate) struct IncrementalDecoder {
    named: Named,
    /// The bytes of a character that is not complete.
    buffer: Shared<PyBytes>,
    /// The state before them.
    state: AtomicU32,
    errors: Handler,
}

#[pymethods]
impl IncrementalDecoder {
    /// As [`IncrementalEncoder::new`].
    #[new]
    #[classmethod]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(errors='strict')")]
    fn new(
        class: &Bound<'_, PyType>,
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<IncrementalDecoder> {
        let (py, named) = (class.py(), encoding_of(class)?);
        Ok(IncrementalDecoder {
            named,
            buffer: Shared::new(PyBytes::new(py, b"")),
            state: part::first_state(named).into(),
            errors: Handler::new(intern!(py, "strict"))?,
        })
    }

    #[pyo3(signature = (errors=None))]
    fn __init__(&self, py: Python<'_>, errors: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.errors.set(errors.unwrap_or(intern!(py, "strict")))?;
        self.reset(py);
        Ok(())
    }

    #[pyo3(signature = (input, r#final=None), text_signature = "($self, input, final=False)")]
    fn decode<'py>(
        &self,
        input: &Bound<'py, PyAny>,
        r#final: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyString>> {
        let py = input.py();
        let (input, last) = (bytes_of(input)?, is_last(r#final)?);
        let before = self.buffer.get(py);
        let data = match before.as_bytes() {
            [] => input,
            bytes => Cow::Owned(PyBytes::new(py, &[bytes, input.as_bytes()].concat())),
        };
        let name = self.errors(py);
        let errors = Errors::of(Some(&name))?;
        let (text, taken, state) = part::decoded(&data, self.named, errors, last, self.state.load(Relaxed))?;
        let rest = data.as_bytes().get(taken..).unwrap_or_default();
        if !(rest.is_empty() && before.as_bytes().is_empty()) {
            self.buffer.set(PyBytes::new(py, rest));
        }
        self.state.store(state, Relaxed);
        Ok(text)
    }

    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.errors.name.get(py)
    }

    #[setter]
    fn set_errors(&self, errors: &Bound<'_, PyAny>) -> PyResult<()> {
        self.errors.set(errors)
    }

    fn reset(&self, py: Python<'_>) {
        self.buffer.set(PyBytes::new(py, b""));
        self.state.store(part::first_state(self.named), Relaxed);
    }

    /// The bytes of a character that is not complete.
    #[getter]
    fn buffer<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.buffer.get(py)
    }

    fn getstate<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, u32) {
        (self.buffer.get(py), self.state.load(Relaxed))
    }

    fn setstate(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok(pair) = state.cast::<PyTuple>() else { return Err(no_state(state.get_type().name()?.to_cow()?)) };
        let (buffer, number) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let Some(buffer) = buffer.cast::<PyBytes>().ok().filter(|_| number.is_instance_of::<PyInt>()) else {
            let (buffer, number) = (buffer.get_type().name()?, number.get_type().name()?);
            return Err(no_state(format!("{buffer} and {number}").into()));
        };
        let number = state_of(&number)?;
        self.buffer.set(buffer.clone());
        self.state.store(number, Relaxed);
        Ok(())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf)
    }

    fn __getstate__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let (state, this) = (attributes(slf)?, slf.get());
        let (buffer, number) = this.getstate(slf.py());
        state.set_item("errors", this.errors(slf.py()))?;
        state.set_item("buffer", buffer)?;
        state.set_item("state", number)?;
        Ok(state)
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        let state = state.copy()?;
        if let (Some(buffer), Some(number)) = (state.get_item("buffer")?, state.get_item("state")?) {
            slf.get().setstate(&(buffer, number).into_pyobject(slf.py())?.into_any())?;
            state.del_item("buffer")?;
            state.del_item("state")?;
        }
        set_attributes(slf, &state)
    }
}

#[cold]
fn no_state(found: Cow<'_, str>) -> PyErr {
    PyTypeError::new_err(format!("a state is a tuple of bytes and int, not {found}"))
}
