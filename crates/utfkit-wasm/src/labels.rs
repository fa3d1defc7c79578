//! Encodings by their names. JavaScript knows an encoding by its index in
//! [`Encoding::ALL`].

use utfkit_core::bom::Bom;
use utfkit_core::{Encoding, label};

use crate::json::Json;
use crate::state::State;

/// The index of the encoding that the input names, or -1. With `web`, labels have the meaning
/// that the Encoding Standard gives them.
pub(crate) fn find(state: &State, len: usize, web: bool) -> i32 {
    let Ok(text) = core::str::from_utf8(state.given(len)) else { return -1 };
    let found = if web { label::web_label(text).and_then(Encoding::for_label) } else { Encoding::for_label(text) };
    found.map_or(-1, index)
}

pub(crate) fn index(encoding: Encoding) -> i32 {
    Encoding::ALL.iter().position(|&one| one == encoding).map_or(-1, |at| at as i32)
}

/// The encodings that a list of labels names, separated by commas, or the first that is not
/// one.
#[cfg(feature = "detect")]
pub(crate) fn list(labels: &str) -> Result<Vec<Encoding>, String> {
    let each = labels.split(',').filter(|label| !label.is_empty());
    each.map(|label| Encoding::for_label(label).ok_or_else(|| label.to_owned())).collect()
}

/// Leaves the name by which the Encoding Standard knows the label of the input, or nothing.
pub(crate) fn web_name(state: &mut State, len: usize) {
    let name = core::str::from_utf8(state.given(len)).ok().and_then(label::web_label).unwrap_or("");
    state.note.clear();
    state.note.push_str(name);
}

/// Leaves an array of all encodings.
pub(crate) fn all(state: &mut State) {
    state.note.clear();
    Json(&mut state.note).array(Encoding::ALL, |json, encoding| {
        json.within('{', '}', |json| {
            json.key("name").text(encoding);
            json.key("labels").array(encoding.labels(), |json, label| json.text(label));
            json.key("unitSize").plain(encoding.unit_size());
            json.key("hasBom").plain(encoding.has_bom());
            json.key("codePage").maybe(encoding.code_page());
        });
    });
}

/// True if bytes below 80 are US-ASCII, whatever is around them.
pub(crate) fn is_ascii_transparent(encoding: usize) -> bool {
    match Encoding::ALL.get(encoding) {
        Some(Encoding::Utf8 | Encoding::Latin1 | Encoding::UsAscii | Encoding::Ibm437) => true,
        #[cfg(feature = "legacy")]
        Some(Encoding::Legacy(legacy)) => legacy.is_ascii_compatible(),
        _ => false,
    }
}

/// The index of the form of UTF-16 in which a string holds text of this encoding.
pub(crate) fn text_form(encoding: usize) -> i32 {
    use Encoding::{Utf8Rfc2044, Utf16Le, Wtf8, Wtf16Be, Wtf16Le};
    let has_surrogates = matches!(Encoding::ALL.get(encoding), Some(Wtf8 | Wtf16Le | Wtf16Be | Utf8Rfc2044));
    index(if has_surrogates { Wtf16Le } else { Utf16Le })
}

/// Leaves the BOM of this encoding in the output, and returns its length. It is 0 for
/// encodings that [have one](Encoding::has_bom), which read it themselves.
pub(crate) fn bom(state: &mut State, encoding: usize) -> usize {
    let Some(encoding) = Encoding::ALL.get(encoding).filter(|encoding| !encoding.has_bom()) else { return 0 };
    let bom = Bom::ALL.iter().find(|bom| bom.encoding() == Some(*encoding)).map_or(&b""[..], |bom| bom.bytes());
    state.output.clear();
    state.output.extend_from_slice(bom);
    bom.len()
}
