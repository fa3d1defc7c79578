//! Detection of an encoding.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use engine::Encoding;
use engine::detect::{Basis, Certainty, DeclaredBy, Language, Options};
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::finding::{Input, count};
use crate::names::{Named, encoding, string};
use crate::objects::reduced;
use crate::unicode::apart;

/// The encoding that bytes seem to be in, with a certainty and a reason.
///
/// >>> utfkit.detect("naïve café".encode()).encoding
/// 'utf-8'
#[pyclass(frozen, eq, hash, module = "utfkit")]
pub(crate) struct Detection {
    /// The name of the encoding for `decode`, which takes a BOM of UTF-8, UTF-16 and UTF-32 out of the
    /// text. `None` if the bytes are not text, in several encodings, or in one that utfkit cannot decode.
    #[pyo3(get)]
    encoding: Option<String>,
    /// The name of the encoding for display, even of one that utfkit cannot decode.
    #[pyo3(get)]
    name: Option<String>,
    /// 'certain', 'nearly certain', 'likely' or 'a guess'.
    #[pyo3(get)]
    certainty: String,
    /// The reason, in words.
    #[pyo3(get)]
    reason: String,
    /// The encoding whose BOM is at the front.
    #[pyo3(get)]
    bom: Option<String>,
    /// The label that the text declares for its encoding.
    #[pyo3(get)]
    declared: Option<String>,
    /// The kind of declaration: 'xml', 'html', 'css', 'cookie' or 'modeline'.
    #[pyo3(get)]
    declared_by: Option<String>,
    /// True if the bytes are not text. Text in an unknown encoding is.
    #[pyo3(get)]
    is_binary: bool,
    /// True if a part seems to be in another encoding.
    #[pyo3(get)]
    is_mixed: bool,
    /// The number of ill-formed sequences in that encoding, if they were counted.
    #[pyo3(get)]
    ill_formed: Option<u64>,
    /// Another encoding in which the bytes are the same text.
    #[pyo3(get)]
    alike: Option<String>,
    words: String,
    ranking: Ranking,
}

/// What takes long to find, and is found when it is asked for.
struct Ranking {
    /// `None` if all is known.
    detection: Option<engine::detect::Detection>,
    /// How many candidates are wanted.
    limit: usize,
    confidence: OnceLock<f64>,
    language: OnceLock<Option<String>>,
    candidates: OnceLock<Vec<Candidate>>,
}

/// An encoding that bytes may be in, with a probability.
///
/// >>> best, second = utfkit.detect(b"\xc4\xe5", candidates=2).candidates
/// >>> best.probability >= second.probability
/// True
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "utfkit")]
#[derive(Clone, PartialEq)]
pub(crate) struct Candidate {
    /// The name of the encoding for `decode`.
    encoding: String,
    /// The name of the encoding for display.
    name: String,
    /// The probability that the text in this encoding is the right one, from 0 to 1.
    probability: f64,
    /// The code of the language of the text in this encoding, such as 'fr', if it is clear.
    language: Option<String>,
    /// The other encodings in which the bytes are the same text.
    alike: Vec<String>,
}

impl From<&engine::detect::Candidate> for Candidate {
    fn from(candidate: &engine::detect::Candidate) -> Candidate {
        Candidate {
            encoding: lower(candidate.encoding()),
            name: candidate.encoding().name().to_owned(),
            probability: candidate.probability(),
            language: candidate.language().map(|language| language.code().to_owned()),
            alike: candidate.equivalent().iter().copied().map(lower).collect(),
        }
    }
}

#[pymethods]
impl Candidate {
    /// Makes a candidate from its attributes, for pickle.
    #[new]
    #[pyo3(signature = (*, encoding, name, probability, language, alike))]
    fn new(
        encoding: String,
        name: String,
        probability: f64,
        language: Option<String>,
        alike: Vec<String>,
    ) -> Candidate {
        Candidate { encoding, name, probability, language, alike }
    }

    /// The attributes as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("encoding", &self.encoding)?;
        dict.set_item("name", &self.name)?;
        dict.set_item("probability", self.probability)?;
        dict.set_item("language", &self.language)?;
        dict.set_item("alike", &self.alike)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<Candidate {} {:.3}>", self.name, self.probability)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf.get_type(), &slf.get().to_dict(slf.py())?)
    }
}

impl Hash for Candidate {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.encoding, self.probability.to_bits()).hash(hasher);
    }
}

/// A name in Python's spelling.
fn lower(encoding: Encoding) -> String {
    Named { encoding, with_bom: false }.name()
}

impl Detection {
    pub(crate) fn of(detection: engine::detect::Detection, limit: usize) -> Detection {
        let owned = |text: &str| text.to_owned();
        let encoding = detection.encoding().map(|encoding| match (encoding, detection.bom()) {
            // The names that take the BOM out of the text.
            (Encoding::Utf8, Some(_)) => Named { encoding, with_bom: true }.name(),
            (Encoding::Utf16Le | Encoding::Utf16Be, Some(_)) => lower(Encoding::Utf16),
            (Encoding::Utf32Le | Encoding::Utf32Be, Some(_)) => lower(Encoding::Utf32),
            _ => lower(encoding),
        });
        let declared_by = detection.declaration().map(|declaration| match declaration.by() {
            DeclaredBy::Xml => "xml",
            DeclaredBy::Html => "html",
            DeclaredBy::Css => "css",
            DeclaredBy::Cookie => "cookie",
            DeclaredBy::Modeline => "modeline",
            DeclaredBy::Line => "line",
            _ => "other",
        });
        let reason = detection.reason().to_string();
        Detection {
            encoding,
            name: detection.name().map(owned),
            certainty: detection.certainty().name().to_owned(),
            reason,
            bom: detection.bom().map(|bom| bom.name().to_owned()),
            declared: detection.declaration().map(|declaration| declaration.label().to_owned()),
            declared_by: declared_by.map(owned),
            is_binary: detection.basis() == Basis::NoText,
            is_mixed: detection.is_mixed(),
            ill_formed: detection.ill_formed(),
            alike: detection.equivalent().map(lower),
            words: detection.to_string(),
            ranking: Ranking {
                detection: Some(detection),
                limit,
                confidence: OnceLock::new(),
                language: OnceLock::new(),
                candidates: OnceLock::new(),
            },
        }
    }

    /// What `cell` holds, or what `find` finds, without the interpreter: another thread may be finding it.
    fn found<'a, T: Default + Send + Sync>(
        &'a self,
        py: Python<'_>,
        cell: &'a OnceLock<T>,
        find: impl FnOnce(&engine::detect::Detection) -> T + Send,
    ) -> &'a T {
        match cell.get() {
            Some(found) => found,
            None => py.detach(|| cell.get_or_init(|| self.ranking.detection.as_ref().map(find).unwrap_or_default())),
        }
    }

    fn known_language(&self, py: Python<'_>) -> Option<Language> {
        self.language(py)?.parse().ok()
    }
}

#[pymethods]
impl Detection {
    /// Makes a detection from its attributes, for pickle.
    #[new]
    #[pyo3(signature = (*, encoding, name, certainty, reason, bom, declared, declared_by, is_binary, is_mixed,
                        ill_formed, alike, words, confidence, language, candidates))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        encoding: Option<String>,
        name: Option<String>,
        certainty: String,
        reason: String,
        bom: Option<String>,
        declared: Option<String>,
        declared_by: Option<String>,
        is_binary: bool,
        is_mixed: bool,
        ill_formed: Option<u64>,
        alike: Option<String>,
        words: String,
        confidence: f64,
        language: Option<String>,
        candidates: Vec<Candidate>,
    ) -> Detection {
        let ranking = Ranking {
            detection: None,
            limit: candidates.len(),
            confidence: confidence.into(),
            language: language.into(),
            candidates: candidates.into(),
        };
        Detection {
            encoding,
            name,
            certainty,
            reason,
            bom,
            declared,
            declared_by,
            is_binary,
            is_mixed,
            ill_formed,
            alike,
            words,
            ranking,
        }
    }

    /// True if the certainty is 'certain' or 'nearly certain'.
    #[getter]
    fn is_certain(&self) -> bool {
        [Certainty::Certain, Certainty::NearlyCertain].iter().any(|certainty| certainty.name() == self.certainty)
    }

    /// The probability that this is right, from 0 to 1.
    #[getter]
    fn confidence(&self, py: Python<'_>) -> f64 {
        *self.found(py, &self.ranking.confidence, |detection| detection.confidence())
    }

    /// The code of the language of the text, such as 'fr' or 'zh-Hans'. `None` if it is not clear.
    #[getter]
    fn language(&self, py: Python<'_>) -> Option<&str> {
        let find = |detection: &engine::detect::Detection| detection.language().map(|found| found.code().to_owned());
        self.found(py, &self.ranking.language, find).as_deref()
    }

    /// The English name of the language, such as 'French'.
    #[getter]
    fn language_name(&self, py: Python<'_>) -> Option<&'static str> {
        self.known_language(py).map(Language::name)
    }

    /// The encodings that the bytes may be in, the likeliest first. Encodings in which they are the
    /// same text are one candidate.
    #[getter]
    fn candidates(&self, py: Python<'_>) -> Vec<Candidate> {
        let all = |detection: &engine::detect::Detection| {
            detection.candidates().iter().take(self.ranking.limit).map(Candidate::from).collect()
        };
        self.found(py, &self.ranking.candidates, all).clone()
    }

    /// The attributes as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("encoding", &self.encoding)?;
        dict.set_item("name", &self.name)?;
        dict.set_item("confidence", self.confidence(py))?;
        dict.set_item("language", self.language(py))?;
        dict.set_item("certainty", &self.certainty)?;
        dict.set_item("reason", &self.reason)?;
        dict.set_item("bom", &self.bom)?;
        dict.set_item("declared", &self.declared)?;
        dict.set_item("declared_by", &self.declared_by)?;
        dict.set_item("is_mixed", self.is_mixed)?;
        dict.set_item("ill_formed", self.ill_formed)?;
        dict.set_item("alike", &self.alike)?;
        Ok(dict)
    }

    fn __str__(&self) -> &str {
        &self.words
    }

    fn __repr__(&self) -> String {
        format!("<Detection {}>", self.words)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, found) = (slf.py(), slf.get());
        let attributes = found.to_dict(py)?;
        attributes.set_item("is_binary", found.is_binary)?;
        attributes.set_item("words", &found.words)?;
        attributes.set_item("candidates", found.candidates(py))?;
        reduced(slf.get_type(), &attributes)
    }
}

impl PartialEq for Detection {
    fn eq(&self, other: &Detection) -> bool {
        (&self.words, &self.encoding, &self.declared) == (&other.words, &other.encoding, &other.declared)
    }
}

impl Hash for Detection {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.words.hash(hasher);
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
    found(data_or_path, options(only, not_, language)?, candidates, true)
}

/// As [`detect`], for modules whose results name one encoding: that of all bytes, also where they are joined texts.
#[pyfunction]
#[pyo3(signature = (data, *, only = None, not_ = None))]
pub(crate) fn detect_as_one(
    data: &Bound<'_, PyAny>,
    only: Option<&Bound<'_, PyAny>>,
    not_: Option<&Bound<'_, PyAny>>,
) -> PyResult<Detection> {
    found(data, options(only, not_, None)?, None, false)
}

fn found(
    data_or_path: &Bound<'_, PyAny>,
    options: Options,
    candidates: Option<isize>,
    splits: bool,
) -> PyResult<Detection> {
    let limit = count(candidates, "candidates")?;
    let (py, input, mut detector) = (data_or_path.py(), Input::of(data_or_path)?, options.detector());
    input.clone().read(py, |piece| {
        detector.feed(piece);
        ControlFlow::Continue(())
    })?;
    let mut found = detector.finish();
    if splits && found.may_be_split() {
        let whole = match input {
            Input::Bytes(bytes) => bytes,
            // A pipe gives its bytes once.
            Input::File(path) if !path.is_file() => PyBytes::new(py, b""),
            input => {
                let mut whole = Vec::new();
                input.read(py, |piece| {
                    whole.extend_from_slice(piece);
                    ControlFlow::Continue(())
                })?;
                PyBytes::new(py, &whole)
            }
        };
        let bytes = whole.as_bytes();
        apart(py, bytes.len(), || found.split(bytes));
    }
    Ok(Detection::of(found, limit))
}

/// The options for these arguments of `detect`.
pub(crate) fn options(
    only: Option<&Bound<'_, PyAny>>,
    not_: Option<&Bound<'_, PyAny>>,
    language: Option<&Bound<'_, PyAny>>,
) -> PyResult<Options> {
    let mut options = Options::new().not(encodings(not_, "not_")?.unwrap_or_default());
    if let Some(only) = encodings(only, "only")? {
        options = options.only(only);
    }
    for name in strings(language, "language")?.unwrap_or_default() {
        let name = name.cast::<PyString>()?.to_string_lossy().into_owned();
        let known: Result<Language, _> = name.parse();
        options = options.language([known.map_err(|_| PyLookupError::new_err(format!("unknown language: {name}")))?]);
    }
    Ok(options)
}
