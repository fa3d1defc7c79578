//! The Unicode encoding forms in which bytes are well-formed.

use crate::encoding::Encoding;

/// Iterates over those of UTF-8, UTF-16LE, UTF-16BE, UTF-32LE and UTF-32BE in which
/// `bytes` are well-formed, in this order. If `bytes` begin with a BOM, the result is
/// its encoding alone, well-formed or not.
///
/// Possible does not mean likely: most text of even length is also well-formed
/// UTF-16 in either order. The module `detect` (feature `detect`) judges that. Each
/// form is validated when the iterator reaches it.
///
/// ```
/// use utfkit::{Encoding, detect_encodings};
///
/// assert!(detect_encodings(b"cafe").eq([Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be]));
/// assert!(detect_encodings(b"caf").eq([Encoding::Utf8]));
/// assert!(detect_encodings(b"\xFF\xFEa\0").eq([Encoding::Utf16Le]));
/// assert!(detect_encodings(b"caf\xE9!").eq([]));
/// ```
#[doc(alias = "autodetect_encoding")]
pub fn detect_encodings(bytes: &[u8]) -> impl Iterator<Item = Encoding> + '_ {
    const FORMS: [Encoding; 5] =
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be];
    let bom = crate::bom::Bom::of(bytes).and_then(crate::bom::Bom::encoding).filter(|form| FORMS.contains(form));
    FORMS.into_iter().filter(move |&form| match bom {
        Some(bom) => form == bom,
        None => form.validate(bytes).is_ok(),
    })
}
