//! `decode` and `encode`, for all arguments.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::names::{self, Errors};
use crate::{decoding, encoding, source};

/// What `help(utfkit.decode)` says, after the form of a call.
pub(crate) const DECODE_DOC: &CStr = c"decode(data, encoding='utf-8', errors='strict')
--

The text of `data`, which is in `encoding`.

Anything with the buffer protocol will do; what is not `bytes`, and so may change, is
copied first. `errors` says what to do with ill-formed sequences: 'strict', 'ignore',
'replace', 'backslashreplace', 'surrogateescape', or the name of a handler that is registered
with `codecs.register_error`.

>>> utfkit.decode(b'caf\\xc3\\xa9')
'caf\xC3\xA9'
>>> utfkit.decode(b'caf\\x82', 'cp437')
'caf\xC3\xA9'
";

/// The same for `utfkit.encode`.
pub(crate) const ENCODE_DOC: &CStr = c"encode(text, encoding='utf-8', errors='strict')
--

`text` in `encoding`.

`errors` says what to do with characters that the encoding lacks: 'strict', 'ignore', 'replace',
'backslashreplace', 'xmlcharrefreplace', 'surrogateescape', or the name of a handler that is
registered with `codecs.register_error`.

>>> utfkit.encode('caf\xC3\xA9')
b'caf\\xc3\\xa9'
>>> utfkit.encode('5 \xE2\x82\xAC', 'latin-1', 'xmlcharrefreplace')
b'5 &#8364;'
";

#[pyfunction(name = "decode")]
#[pyo3(signature = (data, encoding=None, errors=None))]
pub(crate) fn decode_any<'py>(
    data: &Bound<'py, PyAny>,
    encoding: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyString>> {
    let named = names::encoding(encoding)?;
    let errors = Errors::of(errors)?;
    decoding::decode(&*source::bytes_of(data)?, named, errors)
}

#[pyfunction(name = "encode")]
#[pyo3(signature = (text, encoding=None, errors=None))]
pub(crate) fn encode_any<'py>(
    text: &Bound<'py, PyAny>,
    encoding: Option<&Bound<'py, PyAny>>,
    errors: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let named = names::encoding(encoding)?;
    let errors = Errors::of(errors)?;
    encoding::encode(names::string(text, "text")?, named, errors)
}
