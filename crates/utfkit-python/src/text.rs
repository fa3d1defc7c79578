//! `decode` and `encode` with all of their arguments.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::names::{self, Errors};
use crate::{decoding, encoding, source};

/// The docstring of `utfkit.decode`, with its signature.
pub(crate) const DECODE_DOC: &CStr = c"decode(data, encoding='utf-8', errors='strict')
--

Decodes `data`.

`data` is any object with the buffer protocol; all but `bytes` are copied first. `errors` says
how ill-formed sequences are handled: 'strict', 'ignore', 'replace', 'backslashreplace',
'surrogateescape', or a name registered with `codecs.register_error`.

>>> utfkit.decode(b'caf\\xc3\\xa9')
'caf\xC3\xA9'
>>> utfkit.decode(b'caf\\x82', 'cp437')
'caf\xC3\xA9'
";

/// The docstring of `utfkit.encode`.
pub(crate) const ENCODE_DOC: &CStr = c"encode(text, encoding='utf-8', errors='strict')
--

Encodes `text`.

`errors` says how characters that the encoding lacks are handled: 'strict', 'ignore', 'replace',
'backslashreplace', 'xmlcharrefreplace', 'surrogateescape', or a name registered with
`codecs.register_error`.

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
