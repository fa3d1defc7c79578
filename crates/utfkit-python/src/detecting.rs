//! Detection of an encoding.

use engine::Encoding;
use engine::detect::{Certainty, DeclaredBy, Detector};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::finding::Input;
use crate::names::Named;

/// The encoding that bytes seem to be in, with a certainty and a reason.
///
/// >>> utfkit.detect("naïve café".encode()).encoding
/// 'utf-8'
#[pyclass(frozen, module = "utfkit")]
pub(crate) struct Detection {
    detection: engine::detect::Detection,
}

/// A name in Python's spelling.
fn lower(encoding: Encoding) -> String {
    Named { encoding, with_bom: false }.name()
}

#[pymethods]
impl Detection {
    /// The name of the encoding for `decode`, which takes a BOM out of the text. `None` if the bytes
    /// are not text, or in an encoding that utfkit cannot decode.
    #[getter]
    fn encoding(&self) -> Option<String> {
        let encoding = self.detection.encoding()?;
        // The names that take the BOM out of the text.
        Some(match (encoding, self.detection.bom()) {
            (Encoding::Utf8, Some(_)) => Named { encoding, with_bom: true }.name(),
            (Encoding::Utf16Le | Encoding::Utf16Be, Some(_)) => lower(Encoding::Utf16),
            (Encoding::Utf32Le | Encoding::Utf32Be, Some(_)) => lower(Encoding::Utf32),
            _ => lower(encoding),
        })
    }

    /// The name of the encoding for display, even of one that utfkit cannot decode.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.detection.name()
    }

    /// 'certain', 'nearly certain', 'likely' or 'a guess'.
    #[getter]
    fn certainty(&self) -> &'static str {
        self.detection.certainty().name()
    }

    /// True if the certainty is 'certain' or 'nearly certain'.
    #[getter]
    fn is_certain(&self) -> bool {
        self.detection.certainty() >= Certainty::NearlyCertain
    }

    /// The reason, in words.
    #[getter]
    fn reason(&self) -> String {
        self.detection.reason().to_string()
    }

    /// The encoding whose BOM is at the front.
    #[getter]
    fn bom(&self) -> Option<&'static str> {
        self.detection.bom().map(engine::bom::Bom::name)
    }

    /// The label that the text declares for its encoding.
    #[getter]
    fn declared(&self) -> Option<&str> {
        self.detection.declaration().map(|declaration| declaration.label())
    }

    /// The kind of declaration: 'xml', 'html', 'css', 'cookie' or 'modeline'.
    #[getter]
    fn declared_by(&self) -> Option<&'static str> {
        Some(match self.detection.declaration()?.by() {
            DeclaredBy::Xml => "xml",
            DeclaredBy::Html => "html",
            DeclaredBy::Css => "css",
            DeclaredBy::Cookie => "cookie",
            DeclaredBy::Modeline => "modeline",
            DeclaredBy::Line => "line",
            _ => "other",
        })
    }

    /// True if a part seems to be in another encoding.
    #[getter]
    fn is_mixed(&self) -> bool {
        self.detection.is_mixed()
    }

    /// The number of ill-formed sequences in that encoding, if they were counted.
    #[getter]
    fn ill_formed(&self) -> Option<u64> {
        self.detection.ill_formed()
    }

    /// Another encoding in which the bytes are the same text.
    #[getter]
    fn alike(&self) -> Option<String> {
        self.detection.equivalent().map(lower)
    }

    /// The attributes as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("encoding", self.encoding())?;
        dict.set_item("name", self.name())?;
        dict.set_item("certainty", self.certainty())?;
        dict.set_item("reason", self.reason())?;
        dict.set_item("bom", self.bom())?;
        dict.set_item("declared", self.declared())?;
        dict.set_item("declared_by", self.declared_by())?;
        dict.set_item("is_mixed", self.is_mixed())?;
        dict.set_item("ill_formed", self.ill_formed())?;
        dict.set_item("alike", self.alike())?;
        Ok(dict)
    }

    fn __str__(&self) -> String {
        self.detection.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Detection {}>", self.detection)
    }
}

/// Detects the encoding of bytes or of a file.
///
/// >>> print(utfkit.detect(b"caf\xc3\xa9").encoding)
/// utf-8
#[pyfunction]
pub(crate) fn detect(data_or_path: &Bound<'_, PyAny>) -> PyResult<Detection> {
    let mut detector = Detector::new();
    Input::of(data_or_path)?.read(data_or_path.py(), |piece| detector.feed(piece))?;
    Ok(Detection { detection: detector.finish() })
}
