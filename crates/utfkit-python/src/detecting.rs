//! Detection of an encoding.

use engine::Encoding;
use engine::detect::{Basis, Certainty, DeclaredBy, Language, Options};
use pyo3::exceptions::{PyLookupError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::finding::Input;
use crate::names::{Named, encoding, string};

/// The encoding that bytes seem to be in, with a certainty and a reason.
///
/// >>> utfkit.detect("naïve café".encode()).encoding
/// 'utf-8'
#[pyclass(frozen, module = "utfkit")]
pub(crate) struct Detection {
    detection: engine::detect::Detection,
    /// How many candidates are wanted.
    limit: usize,
}

/// An encoding that bytes may be in, with a probability.
///
/// >>> best, second = utfkit.detect(b"\xc4\xe5", candidates=2).candidates
/// >>> best.probability >= second.probability
/// True
#[pyclass(frozen, module = "utfkit")]
pub(crate) struct Candidate {
    candidate: engine::detect::Candidate,
}

#[pymethods]
impl Candidate {
    /// The name of the encoding for `decode`.
    #[getter]
    fn encoding(&self) -> String {
        lower(self.candidate.encoding())
    }

    /// The name of the encoding for display.
    #[getter]
    fn name(&self) -> &'static str {
        self.candidate.encoding().name()
    }

    /// The probability that the text in this encoding is the right one, from 0 to 1.
    #[getter]
    fn probability(&self) -> f64 {
        self.candidate.probability()
    }

    /// The code of the language of the text in this encoding, such as 'fr', if it is clear.
    #[getter]
    fn language(&self) -> Option<&'static str> {
        self.candidate.language().map(Language::code)
    }

    /// The other encodings in which the bytes are the same text.
    #[getter]
    fn alike(&self) -> Vec<String> {
        self.candidate.equivalent().iter().copied().map(lower).collect()
    }

    /// The attributes as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("encoding", self.encoding())?;
        dict.set_item("name", self.name())?;
        dict.set_item("probability", self.probability())?;
        dict.set_item("language", self.language())?;
        dict.set_item("alike", self.alike())?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<Candidate {} {:.3}>", self.name(), self.probability())
    }
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

    /// The probability that this is right, from 0 to 1.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.detection.confidence())
    }

    /// The code of the language of the text, such as 'fr' or 'zh-Hans'. `None` if it is not clear.
    #[getter]
    fn language(&self, py: Python<'_>) -> Option<&'static str> {
        py.detach(|| self.detection.language()).map(Language::code)
    }

    /// The English name of the language, such as 'French'.
    #[getter]
    fn language_name(&self, py: Python<'_>) -> Option<&'static str> {
        py.detach(|| self.detection.language()).map(Language::name)
    }

    /// The encodings that the bytes may be in, the likeliest first. Encodings in which they are the
    /// same text are one candidate. Each access ranks them once more.
    #[getter]
    fn candidates(&self, py: Python<'_>) -> Vec<Candidate> {
        let all = py.detach(|| self.detection.candidates());
        all.into_iter().take(self.limit).map(|candidate| Candidate { candidate }).collect()
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

    /// True if the bytes are not text. Text in an unknown encoding is.
    #[getter]
    fn is_binary(&self) -> bool {
        self.detection.basis() == Basis::NoText
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
        dict.set_item("confidence", self.confidence(py))?;
        dict.set_item("language", self.language(py))?;
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

/// The strings of an argument that is one string or several.
fn strings<'py>(value: Option<&Bound<'py, PyAny>>, what: &str) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let Some(value) = value else { return Ok(None) };
    if value.is_instance_of::<PyString>() {
        return Ok(Some(vec![value.clone()]));
    }
    let all: PyResult<Vec<Bound<'py, PyAny>>> = value.try_iter()?.collect();
    let all = all?;
    all.iter().try_for_each(|one| string(one, what).map(drop))?;
    Ok(Some(all))
}

fn encodings(value: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Option<Vec<Encoding>>> {
    let Some(names) = strings(value, what)? else { return Ok(None) };
    names.iter().map(|name| Ok(encoding(Some(name))?.encoding)).collect::<PyResult<_>>().map(Some)
}

/// Detects the encoding of bytes or of a file.
///
/// The encoding is one of `only` and none of `not_`; `language` says in which languages the text
/// probably is, which excludes nothing. Each is one name or several. `candidates` is the largest
/// number of candidates.
///
/// >>> print(utfkit.detect(b"caf\xc3\xa9").encoding)
/// utf-8
/// >>> utfkit.detect(b"\xe4\xe0", only=["koi8-r", "utf-8"]).encoding
/// 'koi8-r'
#[pyfunction]
#[pyo3(signature = (data_or_path, *, only = None, not_ = None, language = None, candidates = None))]
pub(crate) fn detect(
    data_or_path: &Bound<'_, PyAny>,
    only: Option<&Bound<'_, PyAny>>,
    not_: Option<&Bound<'_, PyAny>>,
    language: Option<&Bound<'_, PyAny>>,
    candidates: Option<isize>,
) -> PyResult<Detection> {
    let mut options = Options::new().not(encodings(not_, "not_")?.unwrap_or_default());
    if let Some(only) = encodings(only, "only")? {
        options = options.only(only);
    }
    for name in strings(language, "language")?.unwrap_or_default() {
        let name = name.cast::<PyString>()?.to_string_lossy().into_owned();
        let known: Result<Language, _> = name.parse();
        options = options.language([known.map_err(|_| PyLookupError::new_err(format!("unknown language: {name}")))?]);
    }
    let limit = match candidates.map(usize::try_from) {
        None => usize::MAX,
        Some(Ok(limit)) => limit,
        Some(Err(_)) => return Err(PyValueError::new_err("'candidates' must not be negative")),
    };
    let mut detector = options.detector();
    Input::of(data_or_path)?.read(data_or_path.py(), |piece| detector.feed(piece))?;
    Ok(Detection { detection: detector.finish(), limit })
}
