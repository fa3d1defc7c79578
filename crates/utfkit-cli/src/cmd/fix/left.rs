//! A file that is left alone, and why.

use std::path::Path;

use utfkit::Encoding;
use utfkit::detect::Certainty;

use crate::failure::{Refusal, for_file, perhaps};
use crate::rules::{Mended, unmended};

/// A file that is not UTF-8, and is left alone.
pub(super) struct Left {
    pub(super) found: Option<(&'static str, Certainty)>,
    /// Other encodings that it may be in.
    pub(super) readings: Vec<&'static str>,
    /// The reason, without the name of the file.
    pub(super) why: String,
    /// Advice for the user, or empty. `FILE` is replaced by the path of the file.
    pub(super) advice: String,
}

impl Left {
    /// The reason and the advice, for a line that begins with the path.
    pub(super) fn text(&self) -> String {
        let and = if self.advice.is_empty() { "" } else { "; " };
        format!("{}{}{and}{}", self.why, perhaps(&self.readings), self.advice)
    }

    /// The reason and the advice, for the file at `path`.
    pub(super) fn message(&self, path: &Path) -> String {
        for_file(&self.text(), path)
    }

    /// The findings of the rules that stay after the run.
    pub(super) fn unmended(
        mended: &Mended,
        encoding: Encoding,
        found: Option<(&'static str, Certainty)>,
    ) -> Option<Left> {
        let why = unmended(&mended.left, encoding);
        let advice = "`utfkit check` with the same rules shows where".to_owned();
        (!mended.left.is_empty()).then(|| Left { found, readings: Vec::new(), why, advice })
    }
}

impl From<Refusal> for Left {
    fn from(refusal: Refusal) -> Left {
        let Refusal { binary, why, readings, advice } = refusal;
        let why = if binary.is_some() { format!("binary: {why}") } else { why };
        Left { found: None, readings, why, advice }
    }
}
